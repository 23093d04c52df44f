//! Lines that end too late or too early, or stand too deep or not deep enough: what is written is
//! right, and its layout is not.

use std::ops::Range;

use pest::Parser;

use super::super::fault::LINE_WORDS;
use super::super::split::{self, ITEM_WORDS, first_word};
use super::super::{Grammar, Rule};
use super::Mend;
use super::lattice::CONTINUES;
use super::scan::{Looks, scan};
use super::unfold;

/// Of longer stretches nothing is tried: each try reads them again.
const LONGEST: usize = 1 << 16;
/// So many words of a line are tried as the first of the next one.
const MOST_BREAKS: usize = 6;
/// A line more or less is as near as a letter.
const COST: u8 = 1;

/// The edits of layout alone with which the items around a place are read.
pub(crate) fn breaks(text: &str, at: usize) -> Vec<Mend> {
    let Some((local, base)) = around(text, at) else { return Vec::new() };
    let line = line_at(local, at.saturating_sub(base));
    let mut tried = broken(local, &line);
    let next = line_at(local, line.end + 1);
    tried.extend(joined(local, &line));
    let help = "write each line of the block on a line of its own";
    let blocks = unfold::unfolded(local, &line).into_iter();
    tried.extend(blocks.map(|(range, with)| mend(range, with, help.to_owned())));
    for line in [line, next] {
        tried.extend(moved(local, &line));
    }
    tried.retain(|mend| reads(local, mend));
    let mut seen: Vec<Vec<(bool, String)>> = Vec::new();
    tried.retain(|mend| {
        let lines = lines_with(local, mend);
        let new = !seen.contains(&lines);
        seen.push(lines);
        new
    });
    let placed =
        |mend: Mend| Mend { range: mend.range.start + base..mend.range.end + base, ..mend };
    tried.into_iter().map(placed).collect()
}

/// The item at a place with the one before it and the one behind, and where they begin.
fn around(text: &str, at: usize) -> Option<(&str, usize)> {
    let pieces = split::pieces(text);
    let holds = |piece: &split::Piece| u32::try_from(at).is_ok_and(|at| piece.holds(at));
    let here = pieces.iter().rposition(holds)?;
    let first = pieces.get(here.saturating_sub(1))?.range().start;
    let last = pieces.get(here + 1).or(pieces.last())?.range().end;
    let local = text.get(first..last).filter(|local| local.len() <= LONGEST)?;
    Some((local, first))
}

/// The line that holds a place, without its end.
fn line_at(text: &str, at: usize) -> Range<usize> {
    let at = at.min(text.len());
    let start = text.get(..at).and_then(|t| t.rfind('\n')).map_or(0, |p| p + 1);
    let rest = text.get(start..).unwrap_or_default();
    start..start + rest.find('\n').unwrap_or(rest.len())
}

fn mend(range: Range<usize>, with: String, help: String) -> Mend {
    Mend { range, with, help, cost: COST, edit: true }
}

/// A line of which a part is a line of its own.
fn broken(text: &str, line: &Range<usize>) -> Vec<Mend> {
    let whole = text.get(line.clone()).unwrap_or_default();
    let indent = whole.len() - whole.trim_start_matches([' ', '\t']).len();
    let blanks = whole.get(..indent).unwrap_or_default();
    let tokens = scan(text, line.clone());
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let whole = text.get(token.range.clone()).unwrap_or_default();
        let word = glued(whole).unwrap_or(whole);
        let start = token.range.end - word.len();
        let before = match (word.len() == whole.len(), at.checked_sub(1)) {
            (false, _) => start,
            (true, Some(before)) => tokens.get(before).map_or(start, |t| t.range.end),
            (true, None) => continue,
        };
        let is_item = ITEM_WORDS.contains(&word) || word == "remove";
        let is_line = begins_line(word);
        let inner = if indent == 0 { "  " } else { blanks };
        let mut ends = Vec::new();
        if is_item || word == "}" {
            ends.push("\n".to_owned());
        }
        if is_line {
            ends.push(format!("\n{inner}"));
        }
        for end in ends {
            let help = format!("write `{word}` on a line of its own");
            found.push(mend(before..start, end, help));
        }
        if found.len() >= MOST_BREAKS || token.looks == Looks::Line {
            break;
        }
    }
    found
}

/// Whether a line of some block begins with this word.
pub(super) fn begins_line(word: &str) -> bool {
    LINE_WORDS.iter().any(|(_, words)| words.contains(&word))
}

/// The word of an item at the end of a longer word: `friendlydefine`.
fn glued(word: &str) -> Option<&str> {
    const SHORTEST: usize = 4;
    let ends =
        |item: &&str| item.len() >= SHORTEST && word.len() > item.len() && word.ends_with(item);
    let item = ITEM_WORDS.into_iter().find(ends)?;
    word.get(word.len() - item.len()..)
}

/// A line with the one before it, or with the next.
fn joined(text: &str, line: &Range<usize>) -> Vec<Mend> {
    let before = text.get(..line.start).unwrap_or_default().trim_end();
    let behind = text.get(line.end..).unwrap_or_default();
    let next = line.end + behind.len() - behind.trim_start().len();
    let ends = |range: Range<usize>| {
        let line = line_at(text, range.start);
        // What stands behind a comment would be one.
        let commented = text.get(line).is_none_or(|line| line.contains('#'));
        let word = first_word(text.get(range.end..).unwrap_or_default());
        let goes_on = CONTINUES.contains(&word) || ITEM_WORDS.contains(&word);
        let help = match text.get(range.end..).and_then(|t| t.split_whitespace().next()) {
            Some(word) => format!("write `{word}` on the line before"),
            None => return None,
        };
        // What begins a line may stand on its own, and the end of the line before is what lacks.
        let edit = !begins_line(word);
        let joined = |range| Mend { edit, ..mend(range, " ".to_owned(), help) };
        (!commented && !goes_on && !range.is_empty()).then(|| joined(range))
    };
    let own = line.start + text.get(line.clone()).map_or(0, |t| t.len() - t.trim_start().len());
    let two = [
        before.len()..own,
        line.start + text.get(line.clone()).map_or(0, |t| t.trim_end().len())..next,
    ];
    two.into_iter().filter_map(ends).collect()
}

/// A line that begins in another column.
fn moved(text: &str, line: &Range<usize>) -> Option<Mend> {
    let whole = text.get(line.clone())?;
    let rest = whole.trim_start_matches([' ', '\t']);
    let word = first_word(rest);
    if word.is_empty() {
        return None;
    }
    let indent = whole.len() - rest.len();
    if indent > 0 && (ITEM_WORDS.contains(&word) || word == "remove") {
        let help = format!("begin the line with `{word}`, without blanks before it");
        return Some(mend(line.start..line.start + indent, String::new(), help));
    }
    let inside = LINE_WORDS.iter().any(|(_, words)| words.contains(&word));
    let help = format!("write blanks before `{word}`: it is a line of the block");
    (indent == 0 && inside).then(|| mend(line.start..line.start, "  ".to_owned(), help))
}

/// A text with an edit.
fn with(text: &str, mend: &Mend) -> String {
    let mut new = text.to_owned();
    new.replace_range(mend.range.clone(), &mend.with);
    new
}

/// The lines of a text with an edit, and whether each stands at the margin: two edits with the same
/// are one.
fn lines_with(text: &str, mend: &Mend) -> Vec<(bool, String)> {
    let new = with(text, mend);
    let lines = new.lines().filter(|line| !line.trim().is_empty());
    lines.map(|line| (line.starts_with([' ', '\t']), line.trim().to_owned())).collect()
}

/// Whether all items that an edit touches are read with it.
fn reads(text: &str, mend: &Mend) -> bool {
    let new = with(text, mend);
    let (start, end) = (mend.range.start, mend.range.start + mend.with.len());
    let pieces = split::pieces(&new);
    let touched = pieces.iter().filter(|piece| {
        let range = piece.range();
        range.start <= end && range.end >= start
    });
    let mut count = 0;
    let all = touched.into_iter().all(|piece| {
        count += 1;
        piece.is_item && Grammar::parse(Rule::one_item, piece.of(&new)).is_ok()
    });
    all && count > 0
}

#[cfg(test)]
mod tests {
    use super::breaks;

    /// The texts with each edit, at the place of a word.
    fn mended(text: &str, word: &str) -> Vec<String> {
        let at = text.rfind(word).unwrap_or_default();
        let with = |mend: super::Mend| {
            let mut new = text.to_owned();
            new.replace_range(mend.range, &mend.with);
            new
        };
        breaks(text, at).into_iter().map(with).collect()
    }

    #[test]
    fn lines_end_where_the_next_one_begins() {
        let text = "define a of army = big define b of army = big\n";
        assert_eq!(mended(text, "define"), ["define a of army = big\ndefine b of army = big\n"]);
        let text = "define a of army = big and vetdefine b of army = big\n";
        assert_eq!(mended(text, "vetdefine"), [text.replace("vetdefine", "vet\ndefine")]);
        let text = "phase p at start of turn {\n  do remove for armies do remove for boats\n}\n";
        let right = text.replace("armies do", "armies\n  do");
        assert_eq!(mended(text, "do"), [right]);
    }

    #[test]
    fn a_block_on_one_line_is_laid_out() {
        let text = "phase p at start of turn { do remove for armies }\n";
        let right = "phase p at start of turn {\n  do remove for armies\n}\n";
        assert_eq!(mended(text, "{"), [right]);
        let text = "phase p at start of turn { do remove for armies, do remove for boats }\n";
        let right =
            "phase p at start of turn {\n  do remove for armies\n  do remove for boats\n}\n";
        assert_eq!(mended(text, "{"), [right]);
    }

    #[test]
    fn a_line_that_is_broken_is_joined() {
        let text = "define a of army = big\nkind boat, boats\n is unit\n";
        assert_eq!(mended(text, "is"), [text.replace("\n is", " is")]);
    }

    #[test]
    fn lines_stand_where_they_belong() {
        let text = "define a of army = big\n  define b of army = big\n";
        assert_eq!(mended(text, "define"), [text.replace("  define", "define")]);
        let text = "case \"c\" {\n  setup s\ngiven a is b\n  expect a is b\n}\n";
        let right = text.replace("given", "  given");
        assert_eq!(mended(text, "given"), [right]);
    }
}
