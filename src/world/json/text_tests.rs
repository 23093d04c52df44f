#![allow(clippy::unwrap_used, reason = "a failed test may abort")]

use arbtest::arbitrary::{Result, Unstructured};
use arbtest::arbtest;

use super::tree::{Digits, Entry, Value};
use super::{quick, text};
use crate::diag::code;
use crate::source::{SourceId, SourceMap};

fn json_fault(text: &str) -> Option<(String, String)> {
    let mut map = SourceMap::new();
    let id = map.add("position.json", text.to_owned());
    let fault = *text::parse(text, id).err()?;
    assert_eq!(fault.code, code::E0801, "{text}");
    let place = map.slice(fault.primary().unwrap()).to_owned();
    Some((fault.message, place))
}

#[test]
fn depth_is_limited_before_anything_recurses() {
    let nested =
        |open: &str, close: &str, n: usize| format!("{}1{}", open.repeat(n), close.repeat(n));
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        assert_eq!(json_fault(&nested(open, close, 32)), None);
        let (message, place) = json_fault(&nested(open, close, 33)).unwrap();
        assert!(message.contains("32"), "{message}");
        assert_eq!(place, &open[..1]);
    }
    for hostile in ["[", "{\"a\":", "[{\"a\":["] {
        assert!(json_fault(&hostile.repeat(1_000_000)).unwrap().0.contains("32"));
    }
    // A small stack is enough for all that is let through.
    let deep = nested("[", "]", 32);
    std::thread::Builder::new()
        .stack_size(256 * 1024)
        .spawn(move || assert_eq!(json_fault(&deep), None))
        .unwrap()
        .join()
        .unwrap();
}

#[test]
fn almost_json_is_not_json() {
    let wrong = [
        ("", ""),
        ("// c\n{}", "// c"),
        ("/* [ */{}", "/* [ */"),
        ("{\"a\":1,}", ","),
        ("[1,]", ","),
        ("[1 2]", ""),
        ("{'a':1}", "'"),
        ("{a:1}", "a"),
        ("[0x1F]", "0x1F"),
        ("[.5]", ".5"),
        ("[-1e]", "-1e"),
        ("[-]", "-"),
        ("[5.]", "5."),
        ("[+1]", "+"),
        ("[NaN]", "NaN"),
        ("[1]]", "]"),
        ("[1", "["),
        ("{\"a\"", ""),
        ("[\"a\u{a0}\"\u{a0}]", "\u{a0}"),
        ("[\u{c}]", "\u{c}"),
        ("[\"a\nb\"]", "\n"),
        ("[\"\\x41\"]", ""),
        ("[\"\\ud800\"]", ""),
        ("[\"open]", "\""),
        ("[01]", ""),
        ("{} {}", "{"),
        ("[truex]", "truex"),
    ];
    for (text, place) in wrong {
        let found = json_fault(text);
        assert!(found.is_some(), "{text}");
        let (message, at) = found.unwrap();
        assert!(place.is_empty() || at.starts_with(place), "{text}: {message} at `{at}`");
    }
}

/// Pieces of JSON, of almost JSON and of positions.
pub(super) fn any_text(u: &mut Unstructured<'_>) -> Result<String> {
    const PIECES: [&str; 40] = [
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"",
        "\\",
        "\\u00e9",
        "\\ud83d",
        "\\udE00",
        "é",
        "1",
        "-",
        "0",
        ".",
        "e5",
        "true",
        "null",
        " ",
        "\n",
        "\t",
        "'",
        "//",
        "/*",
        "*/",
        "\"a\"",
        "\"schema\"",
        ":1",
        "\"map\"",
        "\"first\"",
        "\"units\"",
        "[{",
        "}]",
        "\"id\"",
        "\"facts\"",
        "\u{a0}",
        "Infinity",
        "_",
        "$",
    ];
    let mut text = String::new();
    for _ in 0..u.int_in_range(0..=30)? {
        text.push_str(u.choose(&PIECES)?);
    }
    Ok(text)
}

/// Our parser takes what the one of the rest of the world takes, and nothing else.
#[test]
fn the_same_texts_are_json_for_another_parser() {
    arbtest(|u| {
        let text = any_text(u)?;
        let ours = text::parse(&text, SourceId(0)).is_ok();
        let theirs = serde_json::from_str::<serde::de::IgnoredAny>(&text).is_ok();
        // The other parser skips strings that are ignored without decoding them.
        let decoded = serde_json::from_str::<serde_json::Value>(&text);
        let too_large =
            decoded.as_ref().err().is_some_and(|e| e.to_string().contains("out of range"));
        assert_eq!(ours, decoded.is_ok() || too_large && theirs, "{text}");
        Ok(())
    });
}

/// A tree without its places; nothing where it holds a number that is no whole one.
fn plain(value: &Value<'_>) -> Option<String> {
    let whole = |digits: &str| digits.parse::<i64>().ok().filter(|_| digits != "-0");
    Some(match value {
        Value::Text(text) => format!("{:?}", text.value),
        Value::Number(number) => match number.value {
            Digits::Whole(whole) => whole.to_string(),
            Digits::Written(digits) => whole(digits)?.to_string(),
        },
        Value::Truth(truth, _) => truth.to_string(),
        Value::Null(_) => "null".to_owned(),
        Value::List(list) => {
            let items: Option<Vec<String>> = list.items.iter().map(plain).collect();
            format!("[{}]", items?.join(","))
        }
        Value::Object(object) => {
            let entry = |e: &Entry<'_>| Some(format!("{:?}:{}", e.key.value, plain(&e.value)?));
            let entries: Option<Vec<String>> = object.entries.iter().map(entry).collect();
            format!("{{{}}}", entries?.join(","))
        }
    })
}

/// What is read fast is what is read with its places, and all of it is read fast.
#[test]
fn a_tree_is_the_same_with_and_without_places() {
    arbtest(|u| {
        let text = any_text(u)?;
        let placed = text::parse(&text, SourceId(0)).ok();
        let quick = quick::parse(&text);
        assert_eq!(quick.as_ref().and_then(plain), placed.as_ref().and_then(plain), "{text}");
        Ok(())
    });
    for deep in [32, 33] {
        let text = format!("{}1{}", "[".repeat(deep), "]".repeat(deep));
        assert_eq!(quick::parse(&text).is_some(), deep == 32);
    }
}
