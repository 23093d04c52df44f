#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a failed test may abort")]

use super::code::{E0001, E0002, E0006};
use super::*;
use crate::source::{SourceId, Span};

fn show(text: &str, make: impl Fn(&dyn Fn(&str) -> Span) -> Diagnostic) -> String {
    let mut map = SourceMap::new();
    let id = map.add("rules/a.sut", text.to_owned());
    let place = |part: &str| {
        let at = text.find(part).unwrap();
        Span::of(id, at..at + part.len())
    };
    render(&[make(&place)], &map, Format::Full, Style::PLAIN)
}

#[test]
fn several_labels_share_a_frame() {
    let text = "edition 1\ndefine reach of unit = 2\n\tdefine far = raech more than 3\nlast";
    let shown = show(text, |at| {
        Diagnostic::error(E0001, at("raech"), "no value is called `raech`")
            .at("unknown here")
            .label(at("reach"), "`reach` is defined here")
            .label(at("more than 3"), "compared here")
            .suggest(at("raech"), "reach")
    });
    assert_eq!(
        shown,
        "\
error[E0001]: no value is called `raech`
   ,-[rules/a.sut:3:15]
 1 | edition 1
 2 | define reach of unit = 2
   :        ^^|^^
   :          `-- `reach` is defined here
 3 |     define far = raech more than 3
   :                  ^^|^^ ^^^^^|^^^^^
   :                    |        `-- compared here
   :                    `-- unknown here
 4 | last
   `----
  help: write `reach` instead of `raech`
"
    );
}

#[test]
fn the_end_of_a_file_without_a_newline_is_drawn() {
    let shown = show("one {\n  two", |_| {
        Diagnostic::error(E0001, Span::new(SourceId(0), 900, 999), "the file ends too early")
            .at("a `}` is missing")
            .note("a block is closed by a `}` on a line of its own, so that one lost bracket spoils one block only")
    });
    assert_eq!(
        shown,
        "\
error[E0001]: the file ends too early
   ,-[rules/a.sut:2:6]
 1 | one {
 2 |   two
   :      ^
   :      `-- a `}` is missing
   `----
  note: a block is closed by a `}` on a line of its own, so that one lost
        bracket spoils one block only
"
    );
}

#[test]
fn tabs_keep_labels_under_their_text() {
    let shown = show("a\n\tb\tcc\td\n", |at| {
        Diagnostic::warning(E0002, at("cc"), "odd").at("this").label(at("d"), "and this")
    });
    assert_eq!(
        shown,
        "\
warning[E0002]: odd
   ,-[rules/a.sut:2:4]
 1 | a
 2 |     b   cc  d
   :         ^|  |
   :          |  `-- and this
   :          `-- this
   `----
"
    );
}

#[test]
fn a_block_is_drawn_at_its_side() {
    let shown = show("table x {\n  row a\n}\nend\n", |at| {
        Diagnostic::error(E0001, at("table x {\n  row a\n}"), "odd").at("this block")
    });
    assert_eq!(
        shown,
        "\
error[E0001]: odd
   ,-[rules/a.sut:1:1]
 1 | ,-> table x {
 2 | |     row a
 3 | |-> }
   : `---- this block
 4 |     end
   `----
"
    );
}

#[test]
fn labels_of_another_file_are_notes() {
    let mut map = SourceMap::new();
    let a = map.add("a.sut", "range\n".to_owned());
    let b = map.add("b.sut", "\n  range\n".to_owned());
    let fault = Diagnostic::error(E0001, Span::new(b, 3, 8), "`range` is declared twice")
        .label(Span::new(a, 0, 5), "first declared here");
    assert_eq!(
        render(&[Diagnostic::bare(E0006, "no `c.sut`"), fault], &map, Format::Full, Style::PLAIN),
        "\
error[E0006]: no `c.sut`

error[E0001]: `range` is declared twice
   ,-[b.sut:2:3]
 1 |
 2 |   range
   :   ^^^^^
   `----
  note: a.sut:1:1: first declared here
"
    );
}

#[test]
fn long_messages_are_wrapped() {
    let long = "this message has more words than a line of a terminal can hold, so it goes on";
    let shown =
        render(&[Diagnostic::bare(E0006, long)], &SourceMap::new(), Format::Full, Style::PLAIN);
    assert_eq!(
        shown,
        "\
error[E0006]: this message has more words than a line of a terminal can hold, so
  it goes on
"
    );
}

#[test]
fn colours_and_frames_follow_the_style() {
    let mut map = SourceMap::new();
    let id = map.add("a.sut", "range\n".to_owned());
    let fault = [Diagnostic::error(E0001, Span::new(id, 0, 5), "odd").at("this").help("mend")];
    let style = Style { colour: true, unicode: true, width: 80 };
    let shown = render(&fault, &map, Format::Full, style);
    assert!(shown.starts_with("\u{1b}[1;31merror[E0001]\u{1b}[0m: odd\n   ╭─["), "{shown:?}");
    assert!(shown.contains("  \u{1b}[36mhelp\u{1b}[0m: mend\n"), "{shown:?}");
    let plain = render(&fault, &map, Format::Full, Style { colour: false, ..style });
    assert!(plain.contains("╰── this") && !plain.contains('\u{1b}'), "{plain}");
}

#[test]
fn a_file_of_one_endless_line_is_drawn() {
    let text = format!("{}X{}", "a".repeat(70_000), "b".repeat(70_000));
    let shown = show(&text, |at| Diagnostic::error(E0001, at("X"), "odd").at("this"));
    assert!(shown.contains("[rules/a.sut:1:70001]"), "{shown}");
    assert!(shown.lines().all(|line| line.chars().count() <= 85), "{shown}");
}
