//! Names that a call looks up.

use super::Faults;
use crate::diag::{Diagnostic, code, suggest};

/// How many names a message lists.
const MOST_LISTED: usize = 20;

/// The place of a name among others, or a fault that names the nearest.
pub(super) fn place<'a>(
    what: &str,
    name: &str,
    known: impl Iterator<Item = &'a str> + Clone,
) -> Result<usize, Faults> {
    match known.clone().position(|known| known == name) {
        Some(at) => Ok(at),
        None => Err(Faults::bare(unknown(what, name, &known.collect::<Vec<_>>()))),
    }
}

/// The fault of a name that is not there.
pub(super) fn unknown(what: &str, name: &str, known: &[&str]) -> Diagnostic {
    let help = match suggest::closest(name, known.iter().copied()) {
        Some(near) => format!("write `{near}`"),
        None if known.is_empty() => format!("there is no {what} at all"),
        None => {
            let listed: Vec<String> =
                known.iter().take(MOST_LISTED).map(|k| format!("`{k}`")).collect();
            let more = if known.len() > MOST_LISTED { " and others" } else { "" };
            format!("there are {}{more}", listed.join(", "))
        }
    };
    Diagnostic::bare(code::E1052, format!("no {what} is called `{name}`")).help(help)
}

/// The fault of something that is not there and was not named.
pub(super) fn absent(message: &str, help: &str) -> Faults {
    Faults::bare(Diagnostic::bare(code::E1052, message).help(help))
}
