//! How a new name is written in each place of the old one, and what cannot have another name.

use std::borrow::Cow;

use crate::check::names::{Declared, Space};
use crate::syntax::is_reserved;
use crate::syntax::words::Role;

/// What a new name writes.
pub(super) enum Spelling {
    /// One word in place of another.
    Word { old: String, new: String },
    /// The label of a clause, behind the number of its section wherever it is cited.
    Label { old: String, new: String },
    /// The title of a case, in its quotes.
    Title { new: String },
}

impl Spelling {
    /// How `new`, written in the place of `here`, is to be read; or why it cannot be a name.
    pub(super) fn of(what: &Declared, label: &str, here: &str, new: &str) -> Result<Self, String> {
        if let Some(why) = fixed(what) {
            return Err(why);
        }
        match what.space {
            Space::Clause => {
                let old = label.to_owned();
                Ok(Spelling::Label { new: relabelled(&old, here, new)?, old })
            }
            Space::Case if new.trim().is_empty() || new.contains(['"', '\n', '\r']) => {
                Err("the title of a case is a text in one line, without quotes in it".to_owned())
            }
            Space::Case => Ok(Spelling::Title { new: new.to_owned() }),
            _ if is_name(new) => Ok(Spelling::Word { old: what.name.clone(), new: new.to_owned() }),
            _ => Err(format!(
                "`{new}` cannot be a name: a name is one word of letters, digits and `_` that begins with a letter, and no word of the language"
            )),
        }
    }

    /// What stands in a place from now on; nothing if that is not the old name.
    pub(super) fn at(&self, here: &str) -> Option<String> {
        match self {
            Spelling::Word { old, new } => (here == old).then(|| new.clone()),
            Spelling::Label { old, new } => {
                let number = here.strip_suffix(old.as_str())?;
                Some(joined(number, old, new))
            }
            Spelling::Title { new } => here.starts_with('"').then(|| format!("\"{new}\"")),
        }
    }

    /// What it is called from now on, as the rules print it: the full id of a clause.
    pub(super) fn name(&self, what: &Declared) -> String {
        match self {
            Spelling::Word { new, .. } | Spelling::Title { new } => new.clone(),
            Spelling::Label { .. } => self.at(&what.name).unwrap_or_default(),
        }
    }
}

/// Why something keeps its name.
pub(super) fn fixed(what: &Declared) -> Option<String> {
    match what.space {
        Space::Ruleset => Some(
            "a ruleset is called like its folder, and others may build on it: rename the folder, and the word behind `ruleset` and `extends`".to_owned(),
        ),
        Space::Place if !is_name(&what.name) => {
            Some(format!("a hex is called by the number that the map prints: `{}`", what.name))
        }
        _ => None,
    }
}

/// Why a word that refers to nothing has no other name.
pub(super) fn nothing(word: &str, role: Option<Role>) -> String {
    match role {
        Some(Role::Keyword) => format!("`{word}` is a word of the language"),
        Some(Role::Name) => format!(
            "no line of these rules declares `{word}`: it is a name of the language itself, or a mistake"
        ),
        Some(Role::Clause) => {
            format!("`{word}` is the number of a section, or no clause is called so")
        }
        Some(Role::Number) => {
            format!("`{word}` is an amount, or a hex with the number that the map prints")
        }
        Some(Role::Text) => "nothing refers to this text: change it where it stands".to_owned(),
        _ => "there is no name here".to_owned(),
    }
}

/// The new label of a clause: written as a label, or with what stands before it in `here`.
fn relabelled(old: &str, here: &str, new: &str) -> Result<String, String> {
    let number = here.strip_suffix(old).unwrap_or_default();
    let number = unjoined(number, old);
    let label = new.strip_prefix(number).unwrap_or(new);
    let label = match label.strip_prefix('.') {
        Some(rest) if ends_in_digit(number) => rest,
        _ => label,
    };
    let other_section = !number.is_empty() && !new.starts_with(number);
    if other_section {
        return Err(format!("the clause stands in its section: write `{number}` and a new label"));
    }
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '.';
    if !label.starts_with(|c: char| c.is_ascii_alphanumeric()) || !label.chars().all(fits) {
        return Err(format!(
            "`{new}` cannot be the label of a clause: a label is letters, digits, `.` and `-`"
        ));
    }
    Ok(label.to_owned())
}

/// A number of a section and a label: `14` and `1` are `14.1`.
fn joined(number: &str, old: &str, new: &str) -> String {
    let number = unjoined(number, old);
    let dot = if ends_in_digit(number) && begins_with_digit(new) { "." } else { "" };
    format!("{number}{dot}{new}")
}

/// The number without the dot that the old label asked for.
fn unjoined<'t>(number: &'t str, old: &str) -> &'t str {
    match number.strip_suffix('.') {
        Some(rest) if begins_with_digit(old) && ends_in_digit(rest) => rest,
        _ => number,
    }
}

fn begins_with_digit(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit())
}

fn ends_in_digit(text: &str) -> bool {
    text.ends_with(|c: char| c.is_ascii_digit())
}

/// Whether a text can be a name.
fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
        && !is_reserved(text)
}

/// A listing in which one name stands for another, wherever it is a word of its own.
pub(super) fn called<'t>(listing: &'t str, name: &str, other: &str) -> Cow<'t, str> {
    if !listing.contains(name) || name.is_empty() {
        return Cow::Borrowed(listing);
    }
    let inside = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut out = String::with_capacity(listing.len());
    let mut rest = listing;
    while let Some(at) = rest.find(name) {
        let (before, found) = rest.split_at(at);
        let behind = found.get(name.len()..).unwrap_or_default();
        out.push_str(before);
        let whole = !out.ends_with(inside) && !behind.starts_with(inside);
        out.push_str(if whole { other } else { name });
        rest = behind;
    }
    out.push_str(rest);
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clause_is_cited_with_its_new_label_everywhere() {
        let spelling =
            |old: &str, new: &str| Spelling::Label { old: old.to_owned(), new: new.to_owned() };
        assert_eq!(spelling("b", "c").at("4b").as_deref(), Some("4c"));
        assert_eq!(spelling("b", "c").at("SM-4b").as_deref(), Some("SM-4c"));
        assert_eq!(spelling("b", "2").at("14b").as_deref(), Some("14.2"));
        assert_eq!(spelling("1", "b").at("14.1").as_deref(), Some("14b"));
        assert_eq!(spelling("b", "c").at("4d"), None);
        assert_eq!(relabelled("b", "4b", "4c").as_deref(), Ok("c"));
        assert_eq!(relabelled("1", "14.1", "14.2").as_deref(), Ok("2"));
        assert_eq!(relabelled("b", "b", "c").as_deref(), Ok("c"));
        assert!(relabelled("b", "4b", "5c").is_err() && relabelled("b", "b", "c d").is_err());
        assert!(relabelled("b", "4b", "4").is_err());
    }

    #[test]
    fn only_whole_words_are_called_otherwise() {
        assert_eq!(called("lost, lost_one(lost)", "lost", "gone"), "gone, lost_one(gone)");
        assert_eq!(called("aa a", "a", "b"), "aa b");
    }
}
