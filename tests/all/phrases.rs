//! Each entry of the phrase book: what is written gives its sentence or its fix, and the example of
//! the sentence is accepted.

use sutler::diag::{Diagnostic, has_errors};
use sutler::project::check_text;
use sutler::source::SourceMap;

use crate::common::with_fix;

const GAME: &str = include_str!("../phrases.sut");
const BOOK: &str = include_str!("../../src/project/phrases.txt");

/// The names that the examples get in this game.
const NAMES: [(&str, &str); 19] = [
    ("{unit}", "division"),
    ("{units}", "divisions"),
    ("{space}", "zone"),
    ("{spaces}", "zones"),
    ("{number}", "strength"),
    ("{word}", "terrain"),
    ("{w1}", "clear"),
    ("{w2}", "forest"),
    ("{flag}", "depot"),
    ("{vet}", "veteran"),
    ("{side}", "French"),
    ("{trace}", "supply"),
    ("{fed}", "supplied"),
    ("{hungry}", "cut_off"),
    ("{place}", "Tower"),
    ("{name}", "First"),
    ("{mark}", "hungry"),
    ("{link}", "road"),
    ("{links}", "roads"),
];

fn filled(text: &str) -> String {
    NAMES.iter().fold(text.to_owned(), |text, (key, name)| text.replace(key, name))
}

/// The game with a line of this sort in it.
fn with(place: &str, line: &str) -> String {
    let behind = |anchor: &str| {
        assert_eq!(GAME.matches(anchor).count(), 1, "{anchor:?}");
        GAME.replacen(anchor, &format!("{anchor}  {line}\n"), 1)
    };
    let instead = |anchor: &str| {
        assert_eq!(GAME.matches(anchor).count(), 1, "{anchor:?}");
        GAME.replacen(anchor, &format!("  {line}\n"), 1)
    };
    match place {
        "E" => format!("{GAME}define zz of division = {line}\n"),
        "S" => format!("{GAME}define zz of zone = {line}\n"),
        "R" => format!(
            "{GAME}table zz of division gives points by first match {{\n  {line}\n  otherwise 0\n}}\n"
        ),
        "T" => match line.split(' ').next() {
            Some("over" | "via" | "along" | "by") => instead("    over roads\n"),
            Some("within" | "max" | "up" | "range" | "length") => instead("    within reach\n"),
            Some("source" | "ends" | "to") => behind("  source depot_zone where base\n"),
            _ => instead("    through not held [1b]\n"),
        },
        "P" => behind("  do mark hungry for own divisions where cut_off\n"),
        "L" => instead("  roll 2d6 + shift\n"),
        "X" => behind("  when total at least 7 then holds\n"),
        "U" => behind("  put division First of French in Wood with strength 6\n"),
        "C" => behind("  expect First is big\n"),
        "M" => behind("  link road Ford to Wood\n"),
        "K" => behind("  has veteran yes or no\n"),
        _ => format!("{GAME}{line}\n"),
    }
}

fn checked(text: &str) -> (SourceMap, Vec<Diagnostic>) {
    let (sources, _, faults) = check_text("rules.sut", text.as_bytes());
    (sources, faults)
}

/// Whether a fix begins where its line does, and leaves no word of it.
fn is_of_line(sources: &SourceMap, fault: &Diagnostic) -> bool {
    let Some(fix) = &fault.suggestion else { return false };
    let text = sources.text(fix.span.source);
    let line = text[..fix.span.start as usize].rsplit('\n').next().unwrap();
    let rest = text[fix.span.end as usize..].lines().next().unwrap();
    line.trim().is_empty() && rest.trim_start_matches(['.', ' ', '{']).is_empty()
}

#[test]
fn every_entry_says_what_to_write() {
    assert!(!has_errors(&checked(GAME).1), "the game is sound");
    let (mut entries, mut bad) = (0, Vec::new());
    for line in BOOK.lines().filter(|line| !line.starts_with("# ") && *line != "#") {
        let parts: Vec<&str> = line.split('\t').collect();
        let [place, pattern, write, say, example, wrong] = parts.as_slice() else {
            panic!("six parts: {line}")
        };
        entries += 1;
        let (_, faults) = checked(&with(place, &filled(example)));
        if has_errors(&faults) {
            bad.push(format!("{place} {pattern}: the example is refused: {}", faults[0].message));
        }
        let (sources, faults) = checked(&with(place, &filled(wrong)));
        let say = filled(say);
        let told = faults.iter().find(|f| f.help.as_ref().is_some_and(|help| help.contains(&say)));
        let short = faults.iter().filter(|f| f.suggestion.is_some()).find(|fault| {
            let fix = fault.suggestion.as_ref().unwrap();
            let text = with_fix(sources.text(fix.span.source), fix);
            !has_errors(&checked(&text).1)
        });
        match told {
            Some(told) if !write.is_empty() && told.suggestion.is_none() => {
                bad.push(format!("{place} {pattern}: what it writes is not true"));
            }
            None if short.is_none() => {
                let shown: Vec<_> = faults.iter().map(|f| (f.code, &f.message, &f.help)).collect();
                bad.push(format!("{place} {pattern}: another message: {shown:?}"));
            }
            // The whole line is written otherwise, which says more than a phrase of it.
            None if short.is_some_and(|fault| is_of_line(&sources, fault)) => {}
            None => {
                let fault = short.unwrap();
                bad.push(format!(
                    "{place} {pattern}: never reached: {:?} {:?}",
                    fault.message, fault.help
                ));
            }
            _ => {}
        }
    }
    assert!(bad.is_empty(), "{} of {entries}:\n{}", bad.len(), bad.join("\n"));
    assert!(entries >= 150, "{entries} entries");
}
