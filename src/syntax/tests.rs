#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::expect_used,
    reason = "tests fail by panicking"
)]

use super::*;
use crate::source::screen;

fn codes(text: &str) -> Vec<(String, u32)> {
    let (text, mut faults) = screen(text.as_bytes(), SourceId(0));
    let (_, more) = parse(SourceId(0), &text);
    faults.extend(more);
    faults
        .iter()
        .map(|f| {
            let at = f.labels[0].span.start as usize;
            (f.code.to_string(), text[..at].matches('\n').count() as u32 + 1)
        })
        .collect()
}

#[test]
fn every_good_item_around_a_broken_one_is_kept() {
    let text = "edition 1\ndefine a of army = fed\ntabel x\ndefine b of army = fed and\ndefine c of army = fed\n";
    let (file, faults) = parse(SourceId(0), text);
    assert_eq!(file.items.len(), 3);
    assert_eq!(faults.len(), 2);
    let lost: Vec<&str> = file.lost.iter().map(|n| n.text.as_str()).collect();
    assert!(lost.contains(&"x") && lost.contains(&"b"), "{lost:?}");
}

#[test]
fn several_broken_lines_of_one_block_are_all_found() {
    let text = "edition 1\ntrace s of army {\n  called fed else unfed\n  leg way\n    over roads\n    trough open\n    into fed >= 2\n    within 2 areas\n}\n";
    assert_eq!(codes(text), [("E0107".to_owned(), 6), ("E0105".to_owned(), 7)]);
    let (file, _) = parse(SourceId(0), text);
    assert!(file.items[1].broken);
    let ItemKind::Trace(trace) = &file.items[1].kind else { panic!("a trace") };
    assert_eq!(trace.lines.len(), 4);
}

#[test]
fn planted_faults_have_their_codes_and_lines() {
    let cases = [
        ("edition 1\ntable r of army gives areas {\n  when a then 3\n}\n", "E0106", 2),
        ("edition 1\ndefine b of unit = any enemy unit where fed and coastal\n", "E0110", 2),
        (
            "edition 1\ndefine b of unit = count of units where strength at least 2 + 1\n",
            "E0110",
            2,
        ),
        (
            "edition 1\ntable g of unit gives mp by only match {\n  down terrain\n  across class | foot\n  row clear | 1\n  when x then 2\n}\n",
            "E0109",
            6,
        ),
        ("edition 1\nphase p at start of supply {\n  maybe mark x for units\n}\n", "E0107", 3),
        ("edition 1\ndefine count of unit = 1\n", "E0104", 2),
        ("edition 1\ntrace s of army {\n  called fed else unfed\n", "E0102", 3),
        ("edition 1\nsection \"open\nclause a \"x\"\n", "E0112", 2),
        ("define a = 1\n", "E0101", 1),
        ("edition 2\n", "E0101", 1),
        ("edition 1\ndefine a of unit = 2 b c\n", "E0103", 2),
        // Only a name has a second party behind it.
        ("edition 1\ndefine a of unit = size is 2 steps long\n", "E0103", 2),
    ];
    for (text, code, line) in cases {
        assert_eq!(codes(text), [(code.to_owned(), line)], "{text}");
    }
}

#[test]
fn every_reserved_word_is_refused_as_a_name() {
    for word in fault::RESERVED {
        assert_eq!(
            codes(&format!("edition 1\ndefine {word} of unit = 1\n")),
            [("E0104".to_owned(), 2)],
            "{word}"
        );
    }
}

#[test]
fn words_of_lines_are_no_reserved_words() {
    let text = "edition 1\nkind truck, trucks is unit {\n  has cost in points from 0 to 9\n  has through yes or no\n  has row yes or no\n}\n\
                define leg of truck = count of trucks here where (cost is 2 and row) + 1\n";
    assert_eq!(codes(text), []);
}

#[test]
fn any_bytes_give_a_tree() {
    arbtest::arbtest(|u| {
        let bytes: Vec<u8> = u.arbitrary()?;
        let (text, _) = screen(&bytes, SourceId(0));
        parse(SourceId(0), &text);
        Ok(())
    });
}

#[test]
fn an_item_that_the_parser_gives_up_is_one_fault_and_no_line_of_it_is_blamed() {
    let text = "table price of army gives steps by only match {\n  row 1 | 1\n}\n";
    let variant =
        pest::error::ErrorVariant::CustomError { message: "call limit reached".to_owned() };
    let error = Error::new_from_pos(variant, pest::Position::new(text, 50).unwrap());
    let origin = Origin::of(SourceId(0), 0);
    let fault = fault::too_long(origin, text, &error).unwrap();
    assert_eq!((fault.code.as_str(), fault.labels[0].span.start), ("E0014", 0));
    let wrong = Grammar::parse(Rule::one_item, "define a of army == 1").unwrap_err();
    assert!(fault::too_long(origin, text, &wrong).is_none());
}

/// The text after a random edit: a line taken out, written twice, moved, or with a piece of another.
fn edited(text: &str, dice: &mut impl FnMut(usize) -> usize) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    let at = dice(lines.len());
    let line = lines[at];
    let half = line.char_indices().nth(dice(line.chars().count().max(1))).map_or(0, |(at, _)| at);
    let mixed = format!("{}{}", &line[..half], lines[dice(lines.len())].trim_start());
    match dice(5) {
        0 => drop(lines.remove(at)),
        1 => lines.insert(at, line),
        2 => {
            lines.remove(at);
            lines.insert(dice(lines.len()), line);
        }
        3 => lines[at] = &mixed,
        _ => lines.insert(at, "# a comment"),
    }
    lines.join("\n") + "\n"
}

/// After any edits, what is read anew and what is moved is what is read of the text alone.
#[test]
fn an_edited_text_is_read_as_if_it_were_new() {
    let mut seed = 7u64;
    let mut dice = |of: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        usize::try_from(seed >> 33).unwrap() % of
    };
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("rulesets");
    let mut moved = 0;
    for ruleset in ["blockade_siege", "soldier_kings", "twilight"] {
        let Ok(files) = std::fs::read_dir(root.join(ruleset)) else { continue };
        let mut paths: Vec<_> = files.map(|file| file.unwrap().path()).collect();
        paths.sort();
        for path in paths.iter().filter(|p| p.extension().is_some_and(|e| e == "sut")) {
            let mut text = std::fs::read_to_string(path).unwrap();
            let mut read = parse_again(SourceId(3), &text, Part::Whole, None);
            for _ in 0..6 {
                let next = edited(&text, &mut dice);
                let again = parse_again(SourceId(3), &next, Part::Whole, Some((&text, &read)));
                let (file, faults) = parse(SourceId(3), &next);
                assert_eq!(format!("{:?}", again.file), format!("{file:?}"), "{next}");
                assert_eq!(again.faults, faults, "{next}");
                moved += read.items_by_text(&text).len();
                (text, read) = (next, again);
            }
        }
    }
    assert!(moved > 1000, "{moved} items were known");
}
