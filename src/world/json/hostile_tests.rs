#![allow(clippy::unwrap_used, reason = "a failed test may abort")]

use arbtest::arbitrary::{Result, Unstructured};
use arbtest::arbtest;

use super::text_tests::any_text;
use super::{Positions, read, write};
use crate::diag::{Diagnostic, Format, Style, code, render};
use crate::ir::SetupId;
use crate::source::{SourceId, SourceMap, screen};
use crate::world::start;
use crate::world::testing::{many_sided, small};

/// No panic, registered codes only, places inside the text, and something to print.
fn judge(bytes: &[u8], kept: &Positions<'_>, rules: &crate::ir::Ruleset) {
    let mut sources = SourceMap::new();
    let (text, mut faults) = screen(bytes, sources.next_id());
    let id = sources.add("position.json", text);
    let (world, more) = read(sources.text(id), id, rules);
    assert_eq!(world.is_some(), more.is_empty());
    // Without places, with them, and by a reader that has read others before: the same.
    assert_eq!(kept.read_sound(sources.text(id)), world);
    assert_eq!(kept.read_placed(sources.text(id), id), (world.clone(), more.clone()));
    if let Some(world) = &world {
        let again = read(&write(rules, world), SourceId(0), rules);
        assert_eq!(again, (Some(world.clone()), Vec::new()));
    }
    faults.extend(more);
    let length = u32::try_from(sources.text(id).len()).unwrap();
    for fault in &faults {
        let Diagnostic { code, labels, .. } = fault;
        assert!(code::find(code.as_str()).is_some());
        for label in labels {
            assert!(
                label.span.end <= length && sources.clamp(label.span) == label.span,
                "{fault:?}"
            );
        }
    }
    let shown = render(&faults, &sources, Format::Full, Style::PLAIN);
    assert_eq!(shown.is_empty(), faults.is_empty());
}

#[test]
fn random_bytes_and_texts_are_judged() {
    let rules = small();
    let kept = Positions::new(&rules);
    arbtest(|u| {
        let text = any_text(u)?;
        judge(text.as_bytes(), &kept, &rules);
        judge(u.arbitrary()?, &kept, &rules);
        Ok(())
    });
}

#[test]
fn mutated_positions_are_judged() {
    for rules in [small(), many_sided()] {
        let texts: Vec<String> = (0..rules.setups.len())
            .map(|s| write(&rules, &start(&rules, SetupId::at(s))))
            .collect();
        let kept = Positions::new(&rules);
        arbtest(|u| {
            let mut bytes = u.choose(&texts)?.clone().into_bytes();
            for _ in 0..u.int_in_range(1..=4)? {
                mutate(&mut bytes, u)?;
            }
            judge(&bytes, &kept, &rules);
            Ok(())
        });
    }
}

fn mutate(bytes: &mut Vec<u8>, u: &mut Unstructured<'_>) -> Result<()> {
    const TOKENS: [&str; 16] = [
        "{",
        "}",
        "[",
        "]",
        ",",
        "\"",
        "null",
        "-0",
        "9223372036854775808",
        "12345678901234567890",
        "1.5",
        "true",
        "\"Old\"",
        "\"Red\"",
        "\\u001b",
        "\"x\": 1,",
    ];
    let last = bytes.len().saturating_sub(1);
    let at = u.int_in_range(0..=last)?;
    let to = u.int_in_range(at..=(at + 12).min(last))?;
    match u.int_in_range(0..=3)? {
        0 => drop(bytes.drain(at..to)),
        1 => drop(bytes.splice(at..to, u.choose(&TOKENS)?.bytes())),
        2 => {
            let copy: Vec<u8> = bytes.get(at..to).unwrap_or_default().to_vec();
            bytes.splice(at..at, copy);
        }
        _ => {
            // A whole value in place of another, so that the text stays JSON.
            let ends: Vec<usize> = (at..bytes.len())
                .filter(|i| matches!(bytes.get(*i), Some(b',' | b'}' | b']' | b'\n')))
                .take(2)
                .collect();
            let from = (0..at)
                .rev()
                .find(|i| matches!(bytes.get(*i), Some(b' ' | b'[' | b'{')))
                .map_or(0, |i| i + 1);
            if let Some(end) = ends.first().filter(|e| **e > from) {
                bytes.splice(from..*end, u.choose(&TOKENS)?.bytes());
            }
        }
    }
    Ok(())
}

#[test]
fn many_faults_are_counted_not_kept() {
    let rules = small();
    let text =
        format!("{{\"schema\": 1, \"map\": \"first\", \"units\": [{}0]}}", "{},".repeat(200_000));
    let (world, faults) = read(&text, SourceId(0), &rules);
    assert!(world.is_none());
    assert_eq!(faults.len(), 100);
    assert!(faults.last().unwrap().notes.concat().contains("199901 more"));
}
