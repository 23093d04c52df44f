#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a failed test may abort")]

use arbtest::arbtest;

use super::*;

const A: SourceId = SourceId(0);

fn places(faults: &[Diagnostic]) -> Vec<(&'static str, u32, u32)> {
    let place = |d: &Diagnostic| d.primary().map_or((0, 0), |span| (span.start, span.end));
    faults.iter().map(|d| (d.code.as_str(), place(d).0, place(d).1)).collect()
}

fn check(bytes: &[u8], text: &str, expected: &[(&str, u32, u32)]) {
    let (found, faults) = screen(bytes, A);
    assert_eq!(found, text);
    assert_eq!(places(&faults), expected);
}

#[test]
fn good_text_is_kept() {
    check("edition 1\n\tside é 漢\n".as_bytes(), "edition 1\n\tside é 漢\n", &[]);
    check(b"", "", &[]);
}

#[test]
fn marks_and_line_ends_keep_their_offsets() {
    check(b"\xef\xbb\xbfa\r\nb\rc\r", "   a \nb\nc\n", &[]);
}

#[test]
fn bytes_outside_utf8_are_one_fault_a_run() {
    check(b"a\xff\xfe\xffb\xc3", "a   b ", &[("E0001", 1, 4), ("E0001", 5, 6)]);
}

#[test]
fn controls_are_blanked() {
    check(b"a\x1b[0m\0\0z\x7f", "a [0m  z ", &[("E0002", 1, 2), ("E0002", 5, 7), ("E0002", 8, 9)]);
    check("a\u{85}b".as_bytes(), "a  b", &[("E0002", 1, 3)]);
}

#[test]
fn hidden_characters_are_blanked() {
    check(
        "a\u{202e}b\u{200b}\u{200d}".as_bytes(),
        "a   b      ",
        &[("E0003", 1, 4), ("E0003", 5, 11)],
    );
    check("a\u{feff}\u{2028}".as_bytes(), "a      ", &[("E0003", 1, 7)]);
}

#[test]
fn a_run_ends_where_the_reason_changes() {
    check(b"\x01\xff\x02", "   ", &[("E0002", 0, 1), ("E0001", 1, 2), ("E0002", 2, 3)]);
}

#[test]
fn the_fault_names_the_character() {
    let (_, faults) = screen("\u{200b}".as_bytes(), A);
    assert_eq!(faults[0].message, "the text holds an invisible character, `U+200B`");
    assert_eq!(faults[0].labels[0].text, "zero width space");
    assert_eq!(faults[0].suggestion.as_ref().unwrap().replacement, "");
}

#[test]
fn utf16_is_one_error() {
    check(b"\xff\xfea\0b\0", "      ", &[("E0008", 0, 0)]);
    check(b"\xfe\xff\0a", "    ", &[("E0008", 0, 0)]);
    check(b"a\0b\0", "    ", &[("E0008", 0, 0)]);
}

#[test]
fn many_faults_are_counted() {
    let bytes = b"\x01a".repeat(MAX_FAULTS + 3);
    let (_, faults) = screen(&bytes, A);
    assert_eq!(faults.len(), MAX_FAULTS + 1);
    let last = faults.last().unwrap();
    assert_eq!(last.message, "and 3 more places of this file are refused");
    assert_eq!((last.severity, last.primary().unwrap().start), (Severity::Note, 40));
}

#[test]
fn the_limit_of_size_is_exact() {
    assert_eq!(screen(&vec![b'a'; MAX_BYTES], A).1, []);
    assert_eq!(places(&screen(&vec![b'a'; MAX_BYTES + 1], A).1), [("E0005", 0, 0)]);
}

#[test]
fn any_bytes_keep_their_offsets() {
    arbtest(|u| {
        let pieces: [&[u8]; 8] =
            [b"\r", b"\n", b"\xe2\x80", b"\x8b", b"\xef\xbb\xbf", b"a", b"\0", b"\xff"];
        let mut bytes = Vec::new();
        while !u.is_empty() && bytes.len() < 4000 {
            if u.arbitrary()? {
                bytes.extend_from_slice(u.choose(&pieces)?);
            } else {
                bytes.push(u.arbitrary()?);
            }
        }
        let (text, faults) = screen(&bytes, A);
        assert_eq!(text.len(), bytes.len());
        assert!(text.chars().all(|c| chars::hazard(c).is_none()));
        assert!(faults.len() <= MAX_FAULTS + 1);
        for fault in &faults {
            let span = fault.primary().unwrap();
            assert!(text[span.range()].chars().all(|c| c == ' '), "{fault:?}");
        }
        // What was screened once passes a second time untouched.
        assert_eq!(screen(text.as_bytes(), A), (text.clone(), Vec::new()));
        Ok(())
    });
}
