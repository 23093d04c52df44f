//! The first files of a ruleset.
//!
//! Takes a name, and a title and a prefix if there are any; gives files that check and test clean.
//! Writes nothing.

use crate::diag::{Diagnostic, code};
use crate::syntax;

/// A new ruleset, before it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scaffold {
    /// Its name, which is also that of its folder.
    pub name: String,
    /// Each file with its text.
    pub files: Vec<(&'static str, String)>,
}

const FILES: [(&str, &str); 4] = [
    ("rules.sut", include_str!("rules.sut")),
    ("map.sut", include_str!("map.sut")),
    ("setups.sut", include_str!("setups.sut")),
    ("suite.sut", include_str!("suite.sut")),
];

/// The files of a new ruleset. Without a title it is called as its name reads; without a prefix its
/// clauses begin with the first letters of the words of its name.
///
/// # Errors
///
/// E1066 if a name or a prefix is no name of the language, or a title no text of it.
#[expect(
    clippy::result_large_err,
    reason = "a ruleset is begun once, and the fault is printed as it is"
)]
pub fn scaffold(
    name: &str,
    title: Option<&str>,
    prefix: Option<&str>,
) -> Result<Scaffold, Diagnostic> {
    is_name("name", name)?;
    if is_device(name) {
        let fault = Diagnostic::bare(code::E1066, format!("`{name}` cannot be a name"));
        return Err(fault.help(format!(
            "some systems have a device of that name, and no folder; write `{name}_game`"
        )));
    }
    let title = title.map_or_else(|| title_of(name), str::to_owned);
    if title.contains('"') || title.contains(char::is_control) {
        let fault = Diagnostic::bare(code::E1066, format!("`{title}` cannot be a title"));
        return Err(fault.help("leave out quotes and line ends"));
    }
    let prefix = prefix.map_or_else(|| prefix_of(name), str::to_owned);
    is_name("prefix", &prefix)?;
    let filled = |text: &str| {
        text.replace("{name}", name).replace("{prefix}", &prefix).replace("{title}", &title)
    };
    let files = FILES.iter().map(|(file, text)| (*file, filled(text))).collect();
    Ok(Scaffold { name: name.to_owned(), files })
}

#[expect(clippy::result_large_err, reason = "as above")]
fn is_name(what: &str, text: &str) -> Result<(), Diagnostic> {
    let letters = text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    if letters && text.starts_with(|c: char| c.is_ascii_alphabetic()) && !syntax::is_reserved(text)
    {
        return Ok(());
    }
    let why = if letters && syntax::is_reserved(text) {
        "the word belongs to the language"
    } else {
        "it begins with a letter, and has letters, digits and `_`"
    };
    let fault = Diagnostic::bare(code::E1066, format!("`{text}` cannot be a {what}"));
    Err(match mended(text) {
        Some(name) => fault.help(format!("{why}; write `{name}`")),
        None => fault.help(why),
    })
}

/// Whether Windows keeps a name for a device.
fn is_device(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let port = name.strip_prefix("com").or_else(|| name.strip_prefix("lpt"));
    matches!(name.as_str(), "con" | "prn" | "aux" | "nul")
        || port.is_some_and(|n| matches!(n.as_bytes(), [b'1'..=b'9']))
}

/// The nearest name to a text that is none.
fn mended(text: &str) -> Option<String> {
    let words: Vec<String> = text
        .split(|c: char| !c.is_ascii_alphanumeric())
        .map(|w| w.to_owned())
        .skip_while(|w| !w.starts_with(|c: char| c.is_ascii_alphabetic()))
        .filter(|w| !w.is_empty())
        .collect();
    let name = words.join("_");
    match name.as_str() {
        "" => None,
        word if syntax::is_reserved(word) => Some(format!("{word}_game")),
        _ => Some(name),
    }
}

/// `winter_road` reads as `Winter Road`.
fn title_of(name: &str) -> String {
    let capital = |word: &str| {
        let (first, rest) = word.split_at(word.len().min(1));
        first.to_ascii_uppercase() + rest
    };
    name.split('_').filter(|w| !w.is_empty()).map(capital).collect::<Vec<_>>().join(" ")
}

/// `winter_road` gives `WR`.
fn prefix_of(name: &str) -> String {
    name.split('_').filter_map(|w| w.chars().next()).collect::<String>().to_ascii_uppercase()
}
