#![allow(clippy::indexing_slicing, reason = "a failed test may abort")]

use super::*;

const A: SourceId = SourceId(0);

fn show(text: &str, spans: &[(u32, u32)]) -> Window {
    let mut map = SourceMap::new();
    map.add("a.sut", text.to_owned());
    let label = |(i, &(start, end)): (usize, &(u32, u32))| Label {
        span: Span::new(A, start, end),
        text: i.to_string(),
        primary: i == 0,
    };
    let labels: Vec<Label> = spans.iter().enumerate().map(label).collect();
    window(&map, A, &labels, Style::PLAIN)
}

/// The shown text under each mark, with the words of its label.
fn under(window: &Window) -> Vec<(String, String)> {
    let all: String = window.chunks.iter().map(|chunk| chunk.text.as_str()).collect();
    window.marks.iter().map(|m| (all[m.start..m.end].to_owned(), m.text.clone())).collect()
}

fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected.iter().map(|&(a, b)| (a.to_owned(), b.to_owned())).collect()
}

#[test]
fn one_line_around_each_label() {
    let window = show("1\n2\n3\n4\n5\n6\n7\n8\n9\n", &[(2, 3), (14, 15)]);
    let shape: Vec<_> = window.chunks.iter().map(|c| (c.line, c.count, c.text.as_str())).collect();
    assert_eq!(shape, [(1, 3, "1\n2\n3\n"), (7, 3, "7\n8\n9\n")]);
    assert_eq!(under(&window), pairs(&[("2", "0"), ("8", "1")]));
}

#[test]
fn a_gap_of_one_line_is_shown() {
    let window = show("1\n2\n3\n4\n5\n6\n7\n", &[(0, 1), (8, 9)]);
    assert_eq!(window.chunks.len(), 1);
    assert_eq!(window.chunks[0].count, 6);
}

#[test]
fn tabs_become_spaces_and_controls_escapes() {
    let window = show("\ta\t\u{1b}b\n", &[(1, 2), (3, 4), (4, 5)]);
    assert_eq!(window.chunks[0].text, "    a   \\u{1b}b\n");
    assert_eq!(under(&window), pairs(&[("a", "0"), ("\\u{1b}", "1"), ("b", "2")]));
}

#[test]
fn a_long_line_is_cut_around_its_label() {
    let text = format!("{}X{}", "a".repeat(70_000), "é".repeat(70_000));
    let window = show(&text, &[(70_000, 70_001)]);
    let line = window.chunks[0].text.trim_end();
    assert!(line.starts_with("...aaa") && line.ends_with("ééé..."), "{line}");
    assert_eq!(line.chars().count(), 76);
    assert_eq!(under(&window), pairs(&[("X", "0")]));
    assert_eq!(window.marks[0].at, LineCol { line: 1, column: 70_001 });
}

#[test]
fn what_is_cut_off_lies_at_the_dots() {
    let window = show(&"a".repeat(1000), &[(500, 501), (0, 1), (998, 1000)]);
    assert_eq!(under(&window), pairs(&[("", "1"), ("a", "0"), ("", "2")]));
    let ends: Vec<_> = window.marks.iter().map(|mark| mark.start).collect();
    assert_eq!(ends, [0, 26, window.chunks[0].text.len() - 1]);
}

#[test]
fn the_end_of_a_text_can_be_marked() {
    let window = show("ab\n", &[(3, 3)]);
    assert_eq!(window.chunks[0].text, "ab\n\n");
    assert_eq!((window.marks[0].start, window.marks[0].at.line), (3, 2));
    let window = show("ab", &[(2, 99)]);
    assert_eq!(window.chunks[0].text, "ab\n");
    assert_eq!((window.marks[0].start, window.marks[0].end), (2, 2));
    let window = show("", &[(7, 99)]);
    assert_eq!((window.chunks[0].text.as_str(), window.marks[0].start), ("\n", 0));
}

#[test]
fn a_line_end_behind_a_label_is_left_out() {
    assert_eq!(under(&show("ab\ncd\n", &[(0, 3)])), pairs(&[("ab", "0")]));
    assert_eq!(under(&show("ab\n\ncd\n", &[(1, 7)])), pairs(&[("b\n\ncd", "0")]));
    assert_eq!(under(&show("ab\n\n\n", &[(2, 5)])), pairs(&[("", "0")]));
}

#[test]
fn a_label_over_many_lines_keeps_its_first() {
    let window = show("a {\n1\n2\n3\n4\n}\n", &[(0, 13)]);
    assert_eq!(under(&window), pairs(&[("a {", "0 (to line 6)")]));
}

#[test]
fn marks_of_one_line_do_not_cover_each_other() {
    let text = "outer inner tail";
    assert_eq!(under(&show(text, &[(0, 16), (6, 11)])), pairs(&[("outer ", "0"), ("inner", "1")]));
    assert_eq!(
        under(&show(text, &[(0, 16), (0, 5)])),
        pairs(&[("outer", "1"), (" inner tail", "0")])
    );
    assert_eq!(under(&show(text, &[(0, 5), (0, 5)])), pairs(&[("outer", "0; 1")]));
}
