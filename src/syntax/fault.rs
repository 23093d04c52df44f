//! A fault of the parser in the author's words: what stands there, what may stand there, what to
//! write instead.

use pest::Parser;
use pest::error::{Error, ErrorVariant};

use super::build::Origin;
use super::ends::{end_before, is_whole, last_token, reads_on};
use super::split::{ITEM_WORDS, first_word, logical_line};
use super::spoken::{GOES_ON, OF_EXPRESSIONS, QUOTED, line_model, model, said, spoken_all};
use super::unless::unless;
use super::{Grammar, Rule, place};
use crate::diag::{Diagnostic, Way, code, suggest};
use crate::source::Span;

/// The words that begin a line inside each construct.
pub(super) const LINE_WORDS: [(&str, &[&str]); 11] = [
    (
        "trace",
        &[
            "called", "judged", "lasts", "counts", "always", "never", "source", "relay", "leg",
            "over", "from", "through", "stopping", "into", "cost", "within", "without",
        ],
    ),
    ("table", &["row", "when", "per", "otherwise", "kept", "down", "across", "from"]),
    ("phase", &["judge", "roll", "do", "may", "must"]),
    ("kind", &["has", "joins"]),
    ("map", &["space", "link", "line", "no", "grid", "legend", "row", "given"]),
    ("setup", &["put", "given"]),
    (
        "case",
        &[
            "on", "setup", "put", "given", "ruling", "option", "dice", "order", "run", "expect",
            "row",
        ],
    ),
    ("ruling", &["asks", "readings", "default"]),
    ("choice", &["from", "prefer", "left"]),
    ("test", &["roll", "when", "otherwise", "retry"]),
    ("hook", &["reads", "kept", "script", "otherwise"]),
];

/// What a step of a phase does.
const EFFECTS: [&str; 8] = ["set", "raise", "lower", "mark", "clear", "remove", "move", "follow"];

/// Words that deny: of these each says something.
pub(crate) const DENYING: [&str; 9] =
    ["no", "not", "never", "cannot", "without", "nor", "neither", "unless", "except"];

/// Words before a kind that say how it stands to a side.
pub(crate) const STANCES: [&str; 4] = ["own", "enemy", "friendly", "allied"];

/// Words that join two others.
const CONNECTING: [&str; 15] = [
    "of", "in", "to", "is", "by", "for", "at", "from", "with", "and", "or", "as", "the", "a", "an",
];

/// Whether a word joins the name behind it to what is missing before it: `put First in Wood`.
fn joins_a_name(word: &str, text: &str, at: usize) -> bool {
    let behind = text.get(at + word.len()..).unwrap_or_default();
    let next = self::token(behind.trim_start_matches(' '));
    let article = matches!(next, "a" | "an" | "the");
    let name = next.starts_with(char::is_alphabetic) && !RESERVED.contains(&next);
    CONNECTING.contains(&word) && (article || name)
}

/// The words of the algebra, which no author may use as a name.
pub(super) const RESERVED: [&str; 45] = [
    "otherwise",
    "adjacent",
    "between",
    "greater",
    "highest",
    "rounded",
    "beyond",
    "chance",
    "lesser",
    "lowest",
    "within",
    "count",
    "gives",
    "least",
    "until",
    "where",
    "else",
    "from",
    "here",
    "less",
    "more",
    "most",
    "only",
    "over",
    "than",
    "then",
    "when",
    "with",
    "and",
    "any",
    "for",
    "not",
    "now",
    "per",
    "sum",
    "the",
    "at",
    "by",
    "in",
    "is",
    "it",
    "no",
    "of",
    "or",
    "to",
];

/// Whether a word begins items or lines, or is one that no author may use as a name.
pub(super) fn is_of_the_language(word: &str) -> bool {
    RESERVED.contains(&word)
        || ITEM_WORDS.contains(&word)
        || LINE_WORDS.iter().any(|(_, words)| words.contains(&word))
}

/// Signs that other languages use, and what is written here; nothing where the sign is left out.
const SIGNS: [(&str, &str); 30] = [
    (">=", "at least"),
    ("=>", "then"),
    ("<=", "at most"),
    ("=<", "at most"),
    ("===", "is"),
    ("==", "is"),
    ("!=", "is not"),
    ("/=", "is not"),
    ("<>", "is not"),
    ("->", "then"),
    (":=", "="),
    ("&&", "and"),
    ("||", "or"),
    ("**", "*"),
    (">", "more than"),
    ("<", "less than"),
    ("=", "is"),
    ("!", "not"),
    ("&", "and"),
    (":", "="),
    (";", ""),
    ("\u{2265}", "at least"),
    ("\u{2264}", "at most"),
    ("\u{2260}", "is not"),
    ("\u{2192}", "then"),
    ("\u{d7}", "*"),
    ("\u{f7}", "/"),
    ("\u{2212}", "-"),
    ("\u{2013}", "-"),
    ("\u{2014}", "-"),
];

/// A line in column one that begins no item.
pub(super) fn not_an_item(o: Origin, slice: &str) -> Diagnostic {
    const HELP: &str = "an item begins with its word, such as `define`, `table` or `trace`; lines inside a block are indented";
    let word = first_word(slice);
    if word.is_empty() {
        let end = slice.find(char::is_whitespace).unwrap_or(slice.len());
        let token = slice.get(..end).unwrap_or_default();
        return Diagnostic::error(
            code::E0108,
            span(o, 0, end),
            format!("`{token}` begins no item"),
        )
        .help("an item begins with its word in column one, such as `define`, `table` or `trace`");
    }
    let place = span(o, 0, word.len());
    let fault = Diagnostic::error(code::E0108, place, format!("`{word}` begins no item"));
    let rest = slice.get(word.len()..).unwrap_or_default();
    let second = first_word(rest.trim_start_matches(' '));
    if ITEM_WORDS.contains(&second) {
        let between = rest.get(..rest.len() - rest.trim_start_matches(' ').len());
        let with = format!("{second}{}{word}", between.unwrap_or(" "));
        let both = span(o, 0, with.len());
        return fault.help(format!("write `{with}`")).suggest(both, with).or_else(HELP);
    }
    match suggest::closest(word, ITEM_WORDS.into_iter().chain(["remove"])) {
        Some(near) => fault.help(format!("write `{near}`")).suggest(place, near).or_else(HELP),
        None => fault.help(HELP),
    }
}

/// Whether nothing but the end of the block, or of the text, stands at this place.
pub(super) fn is_closing(text: &str, at: usize) -> bool {
    let rest = text.get(at..).unwrap_or_default().trim_start();
    rest.is_empty() || rest.starts_with('}')
}

/// Whether a line that its construct knows begins here: then only a line that was taken out before
/// it is missing.
pub(super) fn is_a_good_line(text: &str, at: usize) -> bool {
    let line = logical_line(text, at);
    let begins = text.get(line.start..at).is_some_and(|t| t.trim().is_empty());
    let rest = text.get(at..).unwrap_or_default().trim_start_matches([' ', '\t']);
    begins
        && LINE_WORDS
            .iter()
            .any(|(noun, words)| *noun == first_word(text) && words.contains(&first_word(rest)))
}

/// The fault of an item on which the parser has spent all the work it may; what stands there need
/// not be wrong.
pub(super) fn too_long(o: Origin, text: &str, error: &Error<Rule>) -> Option<Diagnostic> {
    if !matches!(error.variant, ErrorVariant::CustomError { .. }) {
        return None;
    }
    let noun = first_word(text);
    let message = format!("this `{noun}` is too long to be read in one piece");
    let fault = Diagnostic::error(code::E0014, span(o, 0, noun.len()), message);
    Some(fault.help("split it in two; a grid may have some half a million cells"))
}

/// The first fault of an item.
pub(super) fn in_item(o: Origin, text: &str, at: usize, error: &Error<Rule>) -> Diagnostic {
    let at = at + text.get(at..).map_or(0, |t| t.len() - t.trim_start_matches([' ', '\t']).len());
    let rest = text.get(at..).unwrap_or_default();
    // The first half of `->` was read as a minus.
    let arrow = rest.starts_with('>') && text.get(..at).is_some_and(|t| t.ends_with('-'));
    let at = if arrow { at - 1 } else { at };
    let rest = text.get(at..).unwrap_or_default();
    let token = token(rest);
    let place = span(o, at, at + token.len());
    let expected = expected(error);
    let noun = first_word(text);

    if rest.starts_with('"')
        && !rest.get(1..).unwrap_or_default().split('\n').next().unwrap_or_default().contains('"')
    {
        return Diagnostic::error(code::E0112, place, "a quoted text is not closed on its line")
            .help("close it with `\"`");
    }
    if let Some((sign, word)) = SIGNS.iter().find(|(sign, _)| rest.starts_with(sign)) {
        let place = span(o, at, at + sign.len());
        let what = format!("`{sign}` is no sign of the language");
        let fault = Diagnostic::error(code::E0105, place, what);
        return match *word {
            "" => fault.help(model(noun, text)),
            _ if *sign == ":" && is_of_odds(text, at) => {
                fault.help("odds are a quotient: write `1/2` for `1:2`").settled()
            }
            word => fault.ways(vec![Way::near(place, word)]).or_else(model(noun, text)),
        };
    }
    if token.starts_with(|c: char| !c.is_ascii() && c.is_alphabetic()) {
        let what = format!("a name has no `{token}`");
        let fault = Diagnostic::error(code::E0100, place, what);
        return fault.help("a name is the letters a to z, digits and `_`; what is printed for it stands behind it in quotes");
    }
    if let Some(fault) = where_goes_on(o, text, at, token).or_else(|| unless(o, text, at)) {
        return fault;
    }
    if noun == "table" && token == "{" && expected.iter().any(|e| e == "`by`") {
        return Diagnostic::error(code::E0106, place, "the table does not say what happens when several rows hold")
            .help("add `by first match`, `by only match`, `by sum of matches` or `by all matches` before `{`");
    }
    if rest.trim_start().is_empty() || (token == "}" && is_open(text, at)) {
        if unclosed(text) {
            let last = last_token(text, end_before(text, at));
            return Diagnostic::error(
                code::E0102,
                span(o, last.start, last.end),
                format!("the block of this `{noun}` is not closed"),
            )
            .label(span(o, 0, noun.len()), "it begins here")
            .help("write `}` on a line of its own behind it")
            .suggest(span(o, last.end, last.end), "\n}")
            .or_else("write `}` on a line of its own behind it");
        }
        if let Some(fault) = ends_too_early(o, text, at) {
            return fault;
        }
        return Diagnostic::error(
            code::E0100,
            place,
            format!("this `{noun}` ends too early: {}", said(&expected)),
        )
        .help(model(noun, text));
    }
    let line = logical_line(text, at);
    let begins_line =
        text.get(line.start..at).is_some_and(|t| t.trim().is_empty()) && line.start > 0;
    if begins_line
        && (token == "}"
            || is_a_good_line(text, at) && unknown_line(noun, token, place, text).is_none())
        && let Some(fault) = ends_too_early(o, text, at)
    {
        return fault;
    }
    if begins_line && let Some(fault) = unknown_line(noun, token, place, text) {
        return fault;
    }
    if token == "here"
        && let Some(fault) = of_here(o, text, at, place)
    {
        return fault;
    }
    if RESERVED.contains(&token)
        && declares(text, line.start, at)
        && !joins_a_name(token, text, at)
        && expected.iter().any(|e| e == "a name")
        && expected.len() <= 3
    {
        let help = format!("take another name, such as `{token}_value`");
        let fault = Diagnostic::error(
            code::E0104,
            place,
            format!("`{token}` is a word of the language and cannot be a name"),
        );
        return fault.help(help);
    }
    if token.is_empty() && !expected.is_empty() {
        let last = last_token(text, end_before(text, at));
        let word = text.get(last.clone()).unwrap_or_default();
        let fault = Diagnostic::error(
            code::E0100,
            span(o, last.start, last.end),
            format!("the line ends too early: {}", said(&expected)),
        );
        let first = expected.first().map_or("the rest", String::as_str);
        let before = text.get(..last.start).unwrap_or_default().trim_end();
        let digits = before.rsplit(|c: char| !c.is_ascii_digit()).next().unwrap_or_default();
        let help = match word {
            "-" if before.ends_with('|') => {
                "write `barred` for what may not be, or an amount".to_owned()
            }
            "+" if !digits.is_empty() => {
                format!("write `at least {digits}` instead of `{digits}+`")
            }
            _ => format!("write {first} behind `{word}`"),
        };
        return fault.help(help);
    }
    let begins = first_word(text.get(line.clone()).unwrap_or_default().trim_start());
    let (fault, help) = if expected.iter().all(|e| GOES_ON.contains(&e.as_str())) {
        let goes_on = expected.iter().any(|e| OF_EXPRESSIONS.contains(&e.as_str()));
        let help = if goes_on {
            "a condition goes on with `and` or `or`, an amount with `+`, `-`, `*` or `/`; clauses stand in `[ ]` at the end"
        } else {
            line_model(noun, begins, text)
        };
        (
            Diagnostic::error(code::E0103, place, format!("the line should end before `{token}`")),
            help,
        )
    } else {
        (
            Diagnostic::error(
                code::E0100,
                place,
                format!("`{token}` cannot stand here: {}", said(&expected)),
            ),
            line_model(noun, begins, text),
        )
    };
    if let Some((inner, _)) = rest.strip_prefix('"').and_then(|r| r.split_once('"'))
        && matches!(expected.as_slice(), [one] if one == "a name")
    {
        let name = inner.replace(' ', "_");
        // Several words are the title of what stands there, whose name is missing.
        let line = text.get(..at).unwrap_or_default().rsplit('\n').next().unwrap_or_default();
        let mut words = line.split_whitespace();
        let heads = matches!(words.next(), Some("space" | "put"));
        if heads && (inner.contains(' ') || words.next().is_some()) {
            return fault.help(format!("a name stands before its title: `{name} \"{inner}\"`"));
        }
        let help = format!("write it without quotes: `{name}`");
        return fault.help(help).suggest(span(o, at, at + inner.len() + 2), name);
    }
    if matches!(expected.as_slice(), [one] if one == QUOTED)
        && !token.is_empty()
        && !rest.starts_with(['{', '['])
    {
        let title = rest.split(['\n', '[', '{', '#']).next().unwrap_or(rest).trim_end();
        let range = span(o, at, at + title.len());
        return fault
            .help(format!("put it in quotes: `\"{title}\"`"))
            .suggest(range, format!("\"{title}\""));
    }
    fault.help(help)
}

/// Whether what stands here would be declared by its line: behind the word that begins it, behind
/// the kind of what is named, put or drawn, or in a list.
fn declares(text: &str, line: usize, at: usize) -> bool {
    let before = text.get(line..at).unwrap_or_default();
    let words: Vec<&str> = before.split_whitespace().collect();
    let item = line == 0;
    match words.as_slice() {
        [word] if item => ITEM_WORDS.contains(word),
        [word] => matches!(*word, "has" | "row" | "leg" | "space" | "source" | "relay"),
        ["named", _] if item => true,
        ["space" | "put", _] => !item,
        [.., last] => last.ends_with(',') && (item || words.contains(&"has")),
        [] => true,
    }
}

/// Whether a colon stands between two numbers.
fn is_of_odds(text: &str, at: usize) -> bool {
    let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    let (before, behind) = text.split_at_checked(at).unwrap_or_default();
    digit(before.trim_end().chars().next_back())
        && digit(behind.get(1..).and_then(|t| t.trim_start().chars().next()))
}

/// The first fault of one sentence of what is given.
pub(super) fn in_sentence(
    o: Origin,
    text: &str,
    at: usize,
    error: &Error<Rule>,
    (noun, advice): (&str, &str),
) -> Diagnostic {
    let at = at + text.get(at..).map_or(0, |t| t.len() - t.trim_start_matches([' ', '\t']).len());
    let rest = text.get(at..).unwrap_or_default();
    let token = token(rest);
    let place = span(o, at, at + token.len());
    let expected = expected(error);
    if let Some((sign, word)) = SIGNS.iter().find(|(sign, _)| rest.starts_with(sign)) {
        let place = span(o, at, at + sign.len());
        let what = format!("`{sign}` is no sign of the language");
        let fault = Diagnostic::error(code::E0105, place, what);
        let help = if word.is_empty() { advice.to_owned() } else { format!("write `{word}`") };
        return fault.help(help);
    }
    if token.is_empty() {
        let last = last_token(text, text.trim_end().len());
        return Diagnostic::error(
            code::E0100,
            span(o, last.start, last.end),
            format!("the {noun} ends too early: {}", said(&expected)),
        )
        .help(advice);
    }
    if expected.iter().all(|e| GOES_ON.contains(&e.as_str())) {
        return Diagnostic::error(
            code::E0103,
            place,
            format!("the {noun} should end before `{token}`"),
        )
        .help(advice);
    }
    Diagnostic::error(
        code::E0100,
        place,
        format!("`{token}` cannot stand here: {}", said(&expected)),
    )
    .help(advice)
}

/// A line that stops before it is whole: the parser sees that only in the line below.
fn ends_too_early(o: Origin, text: &str, at: usize) -> Option<Diagnostic> {
    let end = end_before(text, at);
    let error = Grammar::parse(Rule::one_item, text.get(..end)?).err();
    let wanted = error.as_ref().filter(|e| place(e, text) >= end).map_or(&[][..], positives);
    // Inside a block its end is always missing; that alone says nothing.
    let missing: Vec<String> = spoken_all(wanted)
        .into_iter()
        .filter(|w| {
            !GOES_ON.contains(&w.as_str())
                && w != "`}`"
                && !LINE_WORDS.iter().any(|(_, all)| all.iter().any(|l| *w == format!("`{l}`")))
        })
        .collect();
    if (is_whole(text, end) || missing.is_empty()) && !reads_on(text, end, " {") {
        return None;
    }
    let last = last_token(text, end);
    let line = first_word(text.get(logical_line(text, last.start))?.trim_start()).to_owned();
    let what = if missing.is_empty() { String::new() } else { format!(": {}", said(&missing)) };
    let line = if line.is_empty() { String::new() } else { format!(" of `{line}`") };
    let message = format!("the line{line} ends too early{what}");
    let fault = Diagnostic::error(code::E0100, span(o, last.start, last.end), message);
    Some(fault.help(model(first_word(text), text)))
}

fn span(o: Origin, start: usize, end: usize) -> Span {
    o.place(start, end)
}

/// `depot of here`: a fact of the space is `depot here`.
fn of_here(o: Origin, text: &str, at: usize, place: Span) -> Option<Diagnostic> {
    let before = text.get(..at)?.trim_end();
    let fact = before.strip_suffix("of").filter(|rest| rest.ends_with([' ', '\t']))?.trim_end();
    let start = fact.rfind(|c: char| !c.is_ascii_alphanumeric() && c != '_').map_or(0, |p| p + 1);
    let name = fact.get(start..).filter(|name| !name.is_empty() && !RESERVED.contains(name))?;
    let fault = Diagnostic::error(
        code::E0104,
        place,
        "`here` is a place and no thing: `of` does not stand before it",
    );
    let whole = span(o, start, at + "here".len());
    Some(fault.help(format!("write `{name} here`")).suggest(whole, format!("{name} here")))
}

/// The word or sign at the beginning of a text.
pub(crate) fn token(rest: &str) -> &str {
    let word = first_word(rest);
    if !word.is_empty() {
        return word;
    }
    let end = rest.char_indices().nth(1).map_or(rest.len(), |(p, _)| p);
    rest.get(..end).unwrap_or_default().trim_end()
}

/// `where a and b`: neither reading is guessed.
fn where_goes_on(o: Origin, text: &str, at: usize, token: &str) -> Option<Diagnostic> {
    if !matches!(token, "and" | "or" | "+" | "-" | "*" | "/") {
        return None;
    }
    let line = logical_line(text, at);
    let before = text.get(line.start..at)?;
    let found = before.rfind("where")?;
    let claim = before.get(found + "where".len()..)?;
    if claim.trim_start().starts_with('(')
        || claim.matches('(').count() != claim.matches(')').count()
    {
        return None;
    }
    let place = span(o, at, at + token.len());
    let end = text.get(at..).and_then(|t| t.find('\n')).map_or(text.len(), |p| at + p);
    let rest = text.get(at..end)?.split(['[', '#']).next()?;
    let rest = rest.split(" then ").next()?.trim();
    // A bracket that was open before the `where` closes outside its claim.
    let rest = if rest.matches(')').count() > rest.matches('(').count() {
        rest.trim_end_matches(')')
    } else {
        rest
    };
    let at_where = line.start + found;
    let whole = format!("({} {rest})", claim.trim());
    let fault = Diagnostic::error(
        code::E0110,
        place,
        format!("which part does `where` rule? `{token}` follows its claim"),
    )
    .label(
        span(o, at_where, at_where + "where".len()),
        "this `where` takes one claim, or one bracket",
    );
    if !rules_the_line(before.get(..found)?) {
        let help =
            format!("write `where {whole}`, or put the whole phrase in brackets before `{token}`");
        return Some(fault.help(help).settled());
    }
    let from = at_where + "where".len() + (claim.len() - claim.trim_start().len());
    let to = at + text.get(at..)?.find(rest)? + rest.len();
    Some(fault.help(format!("write `where {whole}`")).suggest(span(o, from, to), whole).settled())
}

/// Whether a `where` is of a whole line, and of no phrase in it that could end before an `and`.
fn rules_the_line(before: &str) -> bool {
    const PHRASES: [&str; 7] = ["any", "no", "only", "count", "sum", "highest", "lowest"];
    let mut words = before.split_whitespace();
    let begins = words.next().unwrap_or_default();
    let mut rest = words.skip_while(|word| *word != "for");
    match begins {
        "source" | "relay" => before.split_whitespace().count() == 2,
        "do" | "may" | "must" | "judge" => {
            rest.next().is_some() && !rest.any(|word| PHRASES.contains(&word))
        }
        _ => false,
    }
}

/// A word at the beginning of a line that its construct does not know.
fn unknown_line(noun: &str, token: &str, place: Span, text: &str) -> Option<Diagnostic> {
    let words = LINE_WORDS.iter().find(|(n, _)| *n == noun)?.1;
    if words.contains(&token) {
        let grid = text.contains("\n  down") || text.contains("\n  across");
        if noun == "table" && matches!(token, "when" | "per" | "otherwise") && grid {
            return Some(
                Diagnostic::error(code::E0109, place, format!("a grid has no row of `{token}`")).help(
                    "a table is a list or a grid; give this row keys, as in `row wood | 2 | 2` or `row else | 2 | 2`",
                ),
            );
        }
        return None;
    }
    let list = words.iter().map(|w| format!("`{w}`")).collect::<Vec<_>>().join(", ");
    let fault =
        Diagnostic::error(code::E0107, place, format!("`{token}` begins no line of a `{noun}`"));
    let begun = words
        .iter()
        .copied()
        .find(|w| token.len() >= 3 && (w.starts_with(token) || token.starts_with(w)));
    Some(match suggest::closest(token, words.iter().copied()).or(begun) {
        Some(near) => {
            let help = format!("write `{near}`");
            fault
                .help(help)
                .suggest(place, near)
                .or_else(format!("a line of a `{noun}` begins with {list}"))
        }
        None if token == "else" && words.contains(&"otherwise") => {
            fault.help("write `otherwise`").suggest(place, "otherwise")
        }
        None if noun == "phase" && EFFECTS.contains(&token) => {
            fault.help(format!("write `do {token}`, `may {token}` or `must {token}`"))
        }
        None if noun == "kind" => fault.help("write `has` before it"),
        None => fault.help(format!("a line of a `{noun}` begins with {list}")),
    })
}

fn is_open(text: &str, at: usize) -> bool {
    text.get(at..).is_some_and(|t| t.trim_start_matches('}').trim().is_empty()) && unclosed(text)
}

fn unclosed(text: &str) -> bool {
    text.matches('{').count() > text.matches('}').count()
}

/// What the parser would have accepted, in the author's words, closest to the ground first.
fn expected(error: &Error<Rule>) -> Vec<String> {
    spoken_all(positives(error))
}

pub(super) fn positives(error: &Error<Rule>) -> &[Rule] {
    match &error.variant {
        ErrorVariant::ParsingError { positives, .. } => positives,
        ErrorVariant::CustomError { .. } => &[],
    }
}
