//! Why no case reaches a point, in the words of the rules.

use crate::check::with_article;

/// What is missing.
pub(super) enum Reason<'r> {
    /// a rule that nothing asks, by the name of its line
    Rule(&'r str),
    /// a row of a table that nothing asks
    NotAsked(&'r str),
    /// a row that never decides: of what the table is asked, and when it would
    Row { of: Option<&'r str>, witness: &'r str },
    /// a row of which no combination is known in which it decides
    NoWitness,
    /// a gate that lets no line by
    LetsBy(&'r str),
    /// a budget that no line fits
    Fits(&'r str),
    /// a budget that no line is too long for
    TooLong(&'r str),
    /// a gate that bars no line
    Bars(&'r str),
    /// an `always` or `never` that settles nothing
    Settled(&'r str),
    /// a source in which no line ends
    Ends,
    /// a relay at which no line begins again
    Relay,
    /// a band that no roll comes to: the test, the outcome
    Band(&'r str, &'r str),
    /// a roll that is never made again
    Retry(&'r str),
    /// a step that finds nothing
    Step,
    /// a step of a phase that does not run
    NotRun(&'r str),
    /// a preference that leaves nothing out
    Prefer,
    /// a reading that is not in force where it matters
    Reading(&'r str, &'r str),
}

/// The reason as a sentence; `text` is the line as it is written.
pub(super) fn told(reason: &Reason<'_>, text: &str) -> String {
    match reason {
        Reason::Rule(name) => format!("no case comes to {name}"),
        Reason::NotAsked(table) => format!("no case asks `{table}`"),
        Reason::Row { of: Some(of), witness } => format!("no case has {} where {witness}", with_article(of)),
        Reason::Row { of: None, witness } => format!("no case asks it when {witness}"),
        Reason::NoWitness => "no case comes to it, and nothing is known that would: the rows before may take everything".to_owned(),
        Reason::LetsBy(of) => format!("no case has {} whose line passes `{text}`", with_article(of)),
        Reason::Fits(of) => format!("no case has {} whose line fits `within {text}`", with_article(of)),
        Reason::TooLong(of) => format!("no case has {} whose line is too long for `within {text}`", with_article(of)),
        Reason::Bars(of) => format!("no case has {} that `{text}` stops", with_article(of)),
        Reason::Settled(of) => format!("no case has {} that `{text}` settles", with_article(of)),
        Reason::Ends => format!("no case has a line that ends in `{text}`"),
        Reason::Relay => format!("no case has a line that begins again at `{text}`"),
        Reason::Band(test, outcome) => format!("no case rolls `{outcome}` in `{test}`"),
        Reason::Retry(test) => format!("no case rolls `{test}` again"),
        Reason::Step => format!("no case has anything for which `{text}`"),
        Reason::NotRun(phase) => format!("no case runs `{phase}`"),
        Reason::Prefer => format!("no case has candidates that `{text}` leaves out"),
        Reason::Reading(ruling, word) => format!("no case asks anything that `{ruling}` bears on while it is `{word}`"),
    }
}
