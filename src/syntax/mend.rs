//! What to write instead: every small change that the parser would have taken is tried, and the
//! first that carries the text past its line is offered.

use std::borrow::Cow;
use std::ops::Range;

use pest::Parser;
use pest::error::{Error, InputLocation};

use super::fault::{RESERVED, is_line_word, token};
use super::split::{first_word, logical_line};
use super::{Grammar, Rule, slip};
use crate::diag::suggest;

/// Items longer than this are not tried over and over.
const LONGEST: usize = 1 << 13;
/// Nor are items with brackets nested deeper than this, which the parser may have to read many
/// times.
const DEEPEST: usize = 6;
/// So many words are tried at one place.
const MOST_WORDS: usize = 24;

/// A change of the text that mends it.
pub(super) struct Mend {
    /// What to do, in words.
    pub help: String,
    /// From where to where the text is replaced.
    pub range: Range<usize>,
    /// By what.
    pub with: String,
    /// How far it is from what is written.
    pub rank: u8,
    /// Whether it may be offered as an edit.
    pub edit: bool,
}

/// Whether an item is small enough to be read over and over.
fn is_small(text: &str) -> bool {
    let mut depth = 0usize;
    let shallow = text.bytes().all(|b| {
        depth = match b {
            b'(' => depth + 1,
            b')' => depth.saturating_sub(1),
            _ => depth,
        };
        depth <= DEEPEST
    });
    text.len() <= LONGEST && shallow
}

/// How far the parser comes; all the way is farther than any place.
fn reach(text: &str) -> usize {
    match Grammar::parse(Rule::one_item, text) {
        Ok(_) => usize::MAX,
        Err(error) => place(&error),
    }
}

/// Where the parser stopped.
pub(super) fn place(error: &Error<Rule>) -> usize {
    match error.location {
        InputLocation::Pos(p) | InputLocation::Span((p, _)) => p,
    }
}

/// The place behind which the parser must come before a change counts: the first word of the next
/// line.
fn goal(text: &str, at: usize) -> usize {
    let Some(rest) = text.get(at..) else { return text.len() };
    let line = rest.find('\n').map_or(text.len(), |p| at + p);
    let next = text.get(line..).unwrap_or_default();
    line + (next.len() - next.trim_start().len())
}

fn changed(text: &str, range: &Range<usize>, with: &str) -> Option<String> {
    Some(format!("{}{with}{}", text.get(..range.start)?, text.get(range.end..)?))
}

fn works(text: &str, range: &Range<usize>, with: &str) -> bool {
    changed(text, range, with).is_some_and(|new| {
        keeps_rows(text, &new, range.start) && reach(&new) > goal(&new, range.start + with.len())
    })
}

/// Whether a change leaves the row of a grid a row: with its cells as they were, or one under each
/// head, and without the next line in it.
fn keeps_rows(text: &str, new: &str, at: usize) -> bool {
    let bars = |line: &str| line.get(..comment(line)).unwrap_or_default().matches('|').count();
    let (before, line) = (text.get(..at).unwrap_or_default(), line_of(new, at));
    if first_word(line.trim_start()) != "row" {
        return true;
    }
    let mut above = before.lines().rev().skip(1).filter(|l| bars(l) > 0);
    let heads = above.find(|l| first_word(l.trim_start()) != "row").map(bars);
    let now = bars(line);
    let fits = now == bars(line_of(text, at)) || heads.is_none_or(|heads| heads == now);
    fits && !line.trim_end().ends_with(',')
}

/// The line that a place lies in.
fn line_of(text: &str, at: usize) -> &str {
    let start = text.get(..at).and_then(|t| t.rfind('\n')).map_or(0, |p| p + 1);
    text.get(start..).and_then(|t| t.lines().next()).unwrap_or_default()
}

/// The lines around a place of a long item, below its head and as a block of their own, and how far
/// they stand before their place in the item. An item that is small is its own.
fn lines_near(text: &str, at: usize) -> Option<(Cow<'_, str>, usize)> {
    if text.len() <= LONGEST {
        return is_small(text).then_some((Cow::Borrowed(text), 0));
    }
    let head = text.find('\n')? + 1;
    let line = logical_line(text, at);
    let before = logical_line(text, line.start.checked_sub(1)?).start.max(head);
    let after = logical_line(text, line.end.min(text.len())).end;
    let lines = text.get(before..after)?.trim_end().trim_end_matches('}');
    let near = format!("{}{lines}\n}}\n", text.get(..head)?);
    is_small(&near).then_some((Cow::Owned(near), before - head))
}

/// Changes found in the lines near a place, at their places in the item.
fn near(text: &str, at: usize, find: impl Fn(&str, usize) -> Vec<Mend>) -> Vec<Mend> {
    let Some((lines, apart)) = lines_near(text, at) else { return Vec::new() };
    let mut found = find(&lines, at - apart);
    for mend in &mut found {
        mend.range = mend.range.start + apart..mend.range.end + apart;
    }
    found
}

/// Changes at a word that cannot stand where it stands, the nearest first: another word for it, a
/// word before it, another order, or nothing.
pub(super) fn at_word(text: &str, at: usize, token: &str, words: &[&'static str]) -> Vec<Mend> {
    if token.is_empty() {
        return Vec::new();
    }
    near(text, at, |text, at| in_small(text, at, token, words))
}

fn in_small(text: &str, at: usize, token: &str, words: &[&'static str]) -> Vec<Mend> {
    let mut found = Vec::new();
    let here = at..at + token.len();
    let before = last_token(text, end_before(text, at));
    let word = text.get(before.clone()).unwrap_or_default();
    let mut try_it = |rank: u8, help: String, range: Range<usize>, with: String| {
        if works(text, &range, &with) {
            // What stands twice may have lost what it joins: that is said, and not written.
            let old = text.get(range.clone()).unwrap_or_default().trim();
            let edit = !JOINS_TWO.contains(&old) || !matches!(with.trim(), "" | "and");
            found.push(Mend { help, range, with, rank, edit });
        }
    };
    let near = suggest::closest(token, words.iter().copied().chain(["here"]).map(first_word));
    // A word of the language that stands here in full is rarely a slip of another one.
    let slipped = u8::from(RESERVED.contains(&token));
    if let Some(near) = near {
        try_it(slipped, format!("write `{near}`"), here.clone(), near.to_owned());
    }
    if token == word {
        try_it(0, format!("take `{token}` out"), before.end..here.end, String::new());
    }
    // So may the word before it have been written twice.
    let earlier = last_token(text, end_before(text, before.start));
    if !word.is_empty() && text.get(earlier.clone()) == Some(word) {
        try_it(0, format!("take `{word}` out"), earlier.end..before.end, String::new());
    }
    // A list goes on with commas.
    if token == "and" && words.contains(&",") {
        try_it(0, "write `,` instead of `and`".to_owned(), here.clone(), ",".to_owned());
    }
    // `an enemy army`: the word before it may be the slip of a short one.
    let plain = !RESERVED.contains(&word);
    for near in RESERVED.into_iter().filter(|r| plain && strsim::levenshtein(r, word) == 1) {
        let help = format!("write `{near}` instead of `{word}`");
        try_it(0, help, before.clone(), near.to_owned());
    }
    for (rank, range, with) in slip::changes(text, at, token) {
        let old = text.get(range.clone()).unwrap_or_default().trim();
        let help = match with.as_str() {
            "" => format!("take `{old}` out"),
            _ if range.is_empty() => format!("write `{with}{word}`"),
            _ => format!("write `{}` instead of `{old}`", with.trim_start()),
        };
        try_it(rank, help, range, with);
    }
    // `1 to 3` as it stands on a printed chart.
    let (from, to) = (last_token(text, end_before(text, at)), next_number(text, here.end));
    if token == "to"
        && let (Some(low), Some(to)) = (text.get(from.clone()), to)
        && is_number(low)
    {
        let high = text.get(to.clone()).unwrap_or_default();
        let (range, with) = (from.start..to.end, format!("between {low} and {high}"));
        try_it(0, format!("write `{with}`"), range, with);
    }
    // `length supply of Guard`: what goes on with `of` is the middle of a path.
    let goes_on =
        text.get(here.end..).is_some_and(|rest| first_word(rest.trim_start_matches(' ')) == "of");
    if goes_on && words.contains(&"of") {
        try_it(1, format!("write `of {token}`"), at..at, "of ".to_owned());
    }
    for word in words.iter().take(MOST_WORDS) {
        try_it(1, format!("write `{word} {token}`"), at..at, format!("{word} "));
    }
    for (range, with) in swapped(text, &before, &here) {
        try_it(1, format!("write `{with}`"), range, with.clone());
    }
    if is_name(word) && is_name(token) {
        let with = format!("{word}_{token}");
        try_it(1, format!("write `{with}` for one name"), before.start..here.end, with.clone());
    }
    let replaced = words.iter().take(MOST_WORDS).filter(|_| joins(token) || token == ",");
    for word in replaced.filter(|w| **w == "=" || w.starts_with(char::is_alphabetic)) {
        let help = format!("write `{word}` instead of `{token}`");
        try_it(2, help, here.clone(), (*word).to_owned());
    }
    found.extend(without(text, &here, token).into_iter().chain(without(text, &before, word)));
    found.sort_by_key(|mend| mend.rank);
    each_once(found)
}

/// Changes with one outcome are one.
fn each_once(all: Vec<Mend>) -> Vec<Mend> {
    let mut found: Vec<Mend> = Vec::new();
    for mend in all {
        if !found.iter().any(|m| m.range == mend.range && m.with == mend.with) {
            found.push(mend);
        }
    }
    found
}

/// The words around a sign in another order, where the sign itself may stand.
pub(super) fn in_other_order(text: &str, at: usize, sign: &str) -> Vec<Mend> {
    if !is_small(text) {
        return Vec::new();
    }
    let (here, before) = (at..at + sign.len(), last_token(text, end_before(text, at)));
    let all = swapped(text, &before, &here).into_iter();
    all.filter(|(range, with)| works(text, range, with))
        .map(|(range, with)| Mend {
            help: format!("write `{with}`"),
            range,
            with,
            rank: 1,
            edit: true,
        })
        .collect()
}

/// Words and signs that join what stands before and after them.
const JOINS_TWO: [&str; 10] = ["and", "or", ",", "to", "of", "is", "+", "-", "*", "/"];

/// Two words or signs in the other order, if they stand on one line. `not` keeps its place: what it
/// denies would be another thing.
fn swapped(text: &str, before: &Range<usize>, here: &Range<usize>) -> Vec<(Range<usize>, String)> {
    let rest = text.get(here.end..).unwrap_or_default();
    let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
    let start = here.end + blanks;
    let next = start..start + token(rest.get(blanks..).unwrap_or_default()).len();
    let earlier = last_token(text, end_before(text, before.start));
    let pairs = [(before.clone(), here.clone()), (here.clone(), next), (earlier, before.clone())];
    let turned = |(one, two): &(Range<usize>, Range<usize>)| {
        let between = text.get(one.end..two.start).filter(|t| !t.contains('\n'))?;
        let (first, second) = (text.get(one.clone())?, text.get(two.clone())?);
        let denies = first == "not" || second == "not";
        let plain = !first.trim().is_empty() && !second.trim().is_empty() && first != second;
        (plain && !denies).then(|| (one.start..two.end, format!("{second}{between}{first}")))
    };
    pairs.iter().filter_map(turned).collect()
}

/// Whether a word may be a name.
fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_alphabetic()) && !RESERVED.contains(&word)
}

/// Words of other languages that only join others.
const JOINS: [&str; 22] = [
    "vs", "versus", "till", "has", "have", "are", "if", "as", "on", "off", "upon", "may", "must",
    "do", "was", "a", "an", "end", "start", "be", "using", "into",
];

/// Whether a word only joins others, here or in English: another of the sort may be meant.
fn joins(word: &str) -> bool {
    RESERVED.contains(&word) || JOINS.contains(&word) || is_line_word(word)
}

/// Words that may go without a change of what is said. `of` is none: what stood behind it may be
/// what is missing.
const SAY_NOTHING: [&str; 5] = ["is", "the", "then", "=", ";"];

/// A word of the language taken out; where it would have said something, in words alone.
fn without(text: &str, range: &Range<usize>, word: &str) -> Option<Mend> {
    let says_nothing = SAY_NOTHING.contains(&word);
    let known = says_nothing || RESERVED.contains(&word);
    (known && works(text, range, "")).then(|| Mend {
        help: format!("take `{word}` out"),
        range: range.clone(),
        with: String::new(),
        rank: 3,
        edit: says_nothing,
    })
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

/// The number that comes next on the line, if one does.
fn next_number(text: &str, at: usize) -> Option<Range<usize>> {
    let rest = text.get(at..)?;
    let start = at + rest.len() - rest.trim_start_matches(' ').len();
    let digits = text.get(start..)?.bytes().take_while(u8::is_ascii_digit).count();
    (digits > 0).then_some(start..start + digits)
}

/// Whether the text may stop here, or its block may.
pub(super) fn is_whole(text: &str, end: usize) -> bool {
    let cut = text.get(..end).unwrap_or_default();
    !is_small(text)
        || [cut.to_owned(), format!("{cut}\n}}\n")]
            .iter()
            .any(|t| Grammar::parse(Rule::one_item, t).is_ok())
}

/// A sign that is written otherwise, or that nothing stands for in this place.
pub(super) fn sign(text: &str, at: usize, sign: &str, instead: &[&str]) -> Vec<Mend> {
    let range = at..at + sign.len();
    if !is_small(text) {
        return Vec::new();
    }
    let joins = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let blank = |apart: bool| if apart { " " } else { "" };
    let before = blank(text.get(..at).is_some_and(|t| t.ends_with(joins)));
    let behind = blank(text.get(range.end..).is_some_and(|t| t.starts_with(joins)));
    let padded = |word: &str| match word {
        "" => String::new(),
        word => format!("{before}{word}{behind}"),
    };
    let words = instead
        .iter()
        .map(|word| (*word, padded(word)))
        .filter(|(_, with)| works(text, &range, with));
    words
        .map(|(word, with)| Mend {
            help: match word {
                "" => format!("take `{sign}` out"),
                word => format!("write `{word}`"),
            },
            range: range.clone(),
            with,
            rank: u8::from(word.is_empty()),
            edit: true,
        })
        .collect()
}

/// Changes at the end of a line that ended too early.
pub(super) fn at_end(text: &str, end: usize, words: &[&'static str]) -> Vec<Mend> {
    near(text, end, |text, end| at_end_in_small(text, end, words))
}

fn at_end_in_small(text: &str, end: usize, words: &[&'static str]) -> Vec<Mend> {
    let range = end..end;
    let with = |word: &str| {
        if matches!(word, ")" | "]" | ",") { word.to_owned() } else { format!(" {word}") }
    };
    let mut all: Vec<&str> = words.iter().take(MOST_WORDS).copied().collect();
    if !all.contains(&"{") {
        all.push("{");
    }
    all.retain(|word| works(text, &range, &with(word)));
    let mend = |word: &str| Mend {
        help: format!("write `{word}` at the end of the line"),
        range: range.clone(),
        with: with(word),
        rank: 0,
        edit: true,
    };
    all.into_iter().map(mend).collect()
}

/// The end of what is written before a place, comments and blank lines left out.
pub(super) fn end_before(text: &str, at: usize) -> usize {
    let mut lines = text.get(..at).unwrap_or_default();
    loop {
        let start = lines.rfind('\n').map_or(0, |p| p + 1);
        let line = lines.get(start..).unwrap_or_default();
        let code = line.get(..comment(line)).unwrap_or_default().trim_end();
        if !code.trim().is_empty() || start == 0 {
            return start + code.len();
        }
        lines = lines.get(..start - 1).unwrap_or_default();
    }
}

/// Where the comment of a line begins.
fn comment(line: &str) -> usize {
    let mut quoted = false;
    for (at, c) in line.char_indices() {
        match c {
            '"' => quoted = !quoted,
            '#' if !quoted => return at,
            _ => {}
        }
    }
    line.len()
}

/// The last word or sign before a place.
pub(super) fn last_token(text: &str, end: usize) -> Range<usize> {
    let before = text.get(..end).unwrap_or_default();
    let word = before.trim_end_matches(|c: char| c.is_ascii_alphanumeric() || c == '_').len();
    if word < end {
        return word..end;
    }
    let sign = before.char_indices().next_back().map_or(0, |(p, _)| p);
    sign..end
}

/// The words and signs with which one of these rules begins, the likeliest first.
pub(super) fn words(rules: &[Rule]) -> Vec<&'static str> {
    let mut found: Vec<&'static str> = Vec::new();
    for rule in rules {
        found.extend_from_slice(match rule {
            Rule::comparison | Rule::claim_test | Rule::is_op => &["is", "at", "more", "less"],
            Rule::attr_type => &["in", "maybe", "a", "one of", "yes or", "on"],
            Rule::moment | Rule::moments => &["at", "in"],
            Rule::moment_point => &["start", "end"],
            Rule::subject => &["of"],
            Rule::policy => &["first match"],
            Rule::place => &["here", "in"],
            Rule::where_ => &["where"],
            Rule::withs => &["with"],
            Rule::until => &["until"],
            Rule::effect => &["mark", "set", "clear"],
            Rule::yes_no => &["yes or"],
            Rule::from_to => &["from"],
            Rule::open => &["{"],
            Rule::equals => &["="],
            Rule::bar => &["|"],
            Rule::comma => &[","],
            Rule::rparen => &[")"],
            Rule::rcite => &["]"],
            Rule::cites | Rule::lcite => &["["],
            Rule::lparen => &["("],
            _ => word(*rule),
        });
    }
    // What joins two conditions fits nearly everywhere, and so does `of` behind a path: they are
    // tried last.
    let in_a_path = rules.contains(&Rule::k_here);
    found.sort_by_key(|word| match *word {
        "is" => 0,
        "of" if in_a_path => 4,
        "and" | "or" => 3,
        "," | "(" | "[" | "]" | ")" => 2,
        _ => 1,
    });
    found.dedup();
    found
}

/// The one word of a rule such as `k_then`, if it has one.
fn word(rule: Rule) -> &'static [&'static str] {
    const WORDS: &[&str] = &[
        "is",
        "then",
        "of",
        "else",
        "where",
        "when",
        "with",
        "for",
        "to",
        "by",
        "in",
        "from",
        "until",
        "against",
        "prefix",
        "extends",
        "has",
        "a",
        "one",
        "yes",
        "or",
        "and",
        "at",
        "end",
        "start",
        "be",
        "than",
        "least",
        "most",
        "gives",
        "first",
        "match",
        "only",
        "sum",
        "matches",
        "default",
        "readings",
        "otherwise",
        "row",
        "now",
        "was",
        "as",
        "side",
        "each",
        "not",
        "within",
        "stopping",
        "between",
        "more",
        "less",
        "maybe",
        "on",
        "off",
        "judge",
        "do",
        "may",
        "must",
        "mark",
        "set",
        "per",
        "any",
    ];
    let name = format!("{rule:?}");
    let Some(name) = name.strip_prefix("k_") else { return &[] };
    WORDS
        .iter()
        .position(|w| *w == first_word(name))
        .and_then(|at| WORDS.get(at..=at))
        .map_or(&[], |w| w)
}
