//! A comment stands wherever a line may end, and says nothing: with it a text is read as with the bare
//! end of the line, and its layout keeps the comment.

use crate::common::Dice;
use crate::common::counts::{seeds, share};
use crate::support::{Block, blocks};
use sutler::format::format;
use sutler::source::SourceId;
use sutler::syntax::parse;

/// The tree of a text without its places; nothing where it has a fault.
fn tree(text: &str) -> Option<String> {
    let (file, faults) = parse(SourceId(0), text);
    if !faults.is_empty() {
        return None;
    }
    let printed = format!("{file:?}");
    let mut parts = printed.split("Span {");
    let mut bare = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        bare.push_str(part.split_once('}').map_or("", |(_, rest)| rest));
    }
    Some(bare)
}

/// Where a word, a number or a sign ends, outside of texts and comments.
fn boundaries(text: &str) -> Vec<usize> {
    let (mut found, mut quoted, mut comment) = (Vec::new(), false, false);
    let chars: Vec<(usize, char)> = text.char_indices().collect();
    for pair in chars.windows(2) {
        let ((_, c), (at, next)) = (pair[0], pair[1]);
        quoted ^= c == '"' && !comment;
        comment = (comment || c == '#' && !quoted) && c != '\n';
        let word = |c: char| c.is_alphanumeric() || c == '_';
        let inside = quoted || comment || word(c) && word(next) || c.is_whitespace();
        if !inside && next != '\n' {
            found.push(at);
        }
    }
    found
}

fn examples() -> Vec<(usize, String)> {
    let text = |block: Block| {
        let text = if block.whole() { block.text } else { format!("edition 1\n{}", block.text) };
        (block.line, text)
    };
    let ours = blocks("docs/language.md").into_iter();
    ours.filter(|block| block.is(&["sutler"]) && !block.is(&["sutler", "wrong"]))
        .map(text)
        // What a `mistake` holds is kept as it is written.
        .filter(|(_, text)| !text.contains("mistake \""))
        .collect()
}

/// The ways in which a line ends with a comment.
const ENDS: [&str; 3] = [" # why { \" (\n  ", "\n  # why } and\n  ", " # one\n\n  # or two\n  "];

#[test]
fn a_comment_is_read_as_the_end_of_its_line() {
    let (mut broken, mut tried) = (0, 0);
    for seed in seeds(11) {
        let mut dice = Dice::new(seed);
        for (line, text) in examples() {
            let bounds = boundaries(&text);
            for at in bounds.iter().copied().filter(|_| dice.percent(12)) {
                let put = |end: &str| format!("{}{end}{}", &text[..at], &text[at..]);
                let plain = tree(&put("\n  "));
                tried += 1;
                for end in ENDS {
                    let with = put(end);
                    let place = || format!("seed {seed}, the example at {line}\n{with}");
                    assert_eq!(tree(&with), plain, "{}", place());
                    if plain.is_none() {
                        continue;
                    }
                    broken += 1;
                    let laid = format(SourceId(0), with.as_bytes())
                        .unwrap_or_else(|fault| panic!("{fault:?}, {}", place()))
                        .text;
                    assert_eq!(tree(&laid), tree(&with), "laid out, {}\n{laid}", place());
                    let notes: Vec<&str> =
                        end.split('\n').filter_map(|l| l.split_once("# ")).map(|l| l.1).collect();
                    assert!(notes.iter().all(|note| laid.contains(note)), "{}\n{laid}", place());
                }
            }
        }
    }
    println!("{tried} places, {broken} texts with a comment that are read");
    assert!(broken > share(1_500), "{broken} of {tried}");
}

/// The phrases that may go on in the next line, each with a comment there.
#[test]
fn what_goes_on_in_the_next_line_goes_on_behind_a_comment() {
    for phrase in [
        "lowest strength of armies here where veteran|or 9 if none",
        "lowest strength of armies here where (veteran|or starving)|or 9 if none",
        "highest strength of armies here|or - 9 steps if none",
        "any army here where (veteran)|and starving",
        "strength|+ 2|- count of armies here",
        "(|strength + 1|)",
    ] {
        let text = |between: &str| {
            format!("edition 1\ndefine d of army = {}\n", phrase.replace('|', between))
        };
        let plain = tree(&text("\n  "));
        assert!(plain.is_some(), "{phrase}");
        for end in ENDS {
            assert_eq!(tree(&text(end)), plain, "{}", text(end));
        }
    }
}
