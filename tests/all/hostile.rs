//! What nobody writes and somebody sends: depth, length, numbers at their ends, bytes that are no
//! text, folders that are traps. Everything ends, and ends with an answer or a fault with a code.

use crate::common::counts::{part, seed_base, share};
use crate::entry;
use crate::support;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use sutler::diag::code::PRELUDE;
use sutler::diag::{Diagnostic, has_errors};
use sutler::project::{Project, check_text};
use sutler::source::{SourceId, screen};
use sutler::suite::run_case;
use sutler::syntax::parse;

use crate::common::Dice;

fn codes(faults: &[Diagnostic]) -> Vec<&'static str> {
    faults.iter().map(|f| f.code.as_str()).collect()
}

/// The codes of a text behind the prelude, and what its cases say.
fn told(text: &str) -> (Vec<&'static str>, Vec<String>) {
    let (sources, rules, faults) =
        check_text("hostile.sut", format!("{PRELUDE}\n{text}").as_bytes());
    let failed = rules.iter().flat_map(|rules| {
        let run = |case| run_case(rules, case, |span| sources.slice(span)).failures;
        rules.cases.iter().flat_map(run).map(|f| f.message).collect::<Vec<_>>()
    });
    (codes(&faults), failed.collect())
}

/// A case about the little game.
fn case(expect: &str) -> String {
    format!("case \"so it is\" {{\n  setup opening\n  expect {expect}\n}}\n")
}

/// Runs on a stack as small as a thread of a foreign program may have.
fn on_a_small_stack(work: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(192 * 1024).spawn(work).unwrap().join().unwrap();
}

#[test]
fn depth_is_refused_with_a_code_on_any_stack() {
    on_a_small_stack(|| {
        for deep in ["(", "[", "{", "not ", "- ", "-", "- not ", "([{"] {
            let text = format!("define far of army = {}", deep.repeat(1_000_000));
            let whole = format!("edition 1\nruleset deep \"Deep\" prefix D\n{text}\n");
            let (file, faults) = parse(SourceId(0), &whole);
            assert_eq!(codes(&faults), ["E0004"], "{deep}");
            // What stands before it is read all the same, so one mistake is one fault.
            assert_eq!(file.items.len(), 2, "{deep}");
            assert_eq!(told(&text).0, ["E0004"], "{deep}");
        }
        let closed =
            format!("define far of army = {}2{}\n", "(".repeat(1_000_000), ")".repeat(1_000_000));
        assert_eq!(told(&closed).0, ["E0004"]);
        assert_eq!(codes(&parse(SourceId(0), &"(".repeat(1_000_000)).1), ["E0004"]);
        for deep in ["[", "{\"a\":"] {
            assert!(!entry::position_json(deep.repeat(1_000_000).as_bytes()), "{deep}");
        }
    });
    let deepest = format!("define far of army = {}strength{}\n", "(".repeat(32), ")".repeat(32));
    assert_eq!(told(&format!("{deepest}{}", case("far of Guard is 4 points"))), (vec![], vec![]));
}

#[test]
fn what_is_long_is_answered_right() {
    const MANY: usize = 100_000;
    let sum = format!("define big of army = 1\n{}", "  + 1\n".repeat(MANY - 1));
    assert_eq!(told(&format!("{sum}{}", case("big of Guard is 100000 points"))), (vec![], vec![]));
    // Less 1 for each of the rest, and plus 2 for each second: 100000 - 50000 + 2 * 49999.
    let mixed =
        format!("define big of army = 100000\n{}  - 1\n", "  - 1 + 2\n".repeat(MANY / 2 - 1));
    assert_eq!(
        told(&format!("{mixed}{}", case("big of Guard is 149998 points"))),
        (vec![], vec![])
    );
    let all = format!(
        "define sure of army = strength at least 1\n{}",
        "  and strength at least 1\n".repeat(MANY / 4)
    );
    assert_eq!(told(&format!("{all}{}", case("Guard is sure"))), (vec![], vec![]));
    let none = format!(
        "define sure of army = strength at least 9\n{}",
        "  or strength at least 9\n".repeat(MANY / 4)
    );
    assert_eq!(told(&format!("{none}{}", case("Guard is not sure"))), (vec![], vec![]));
    let rows = format!(
        "table heap of army gives points by sum of matches {{\n{}}}\n",
        "  when always then 1\n".repeat(MANY / 4)
    );
    // Rows that always hold come to one sum, so that an expectation of it proves nothing.
    let heap = told(&format!("{rows}{}", case("heap of Guard is 25000 points")));
    assert_eq!(heap, (vec!["W0720"], vec![]));
    let expects = format!(
        "case \"so it is\" {{\n  setup opening\n{}}}\n",
        "  expect Guard is supplied\n".repeat(MANY / 10)
    );
    assert_eq!(told(&expects), (vec![], vec![]));
    // The commands answer too, and list it, on whatever stack the system gives them.
    let folder = tempfile::tempdir().unwrap();
    let sum = format!("define big of army = 1\n{}", "  + 1\n".repeat(19_999));
    fs::write(
        folder.path().join("rules.sut"),
        format!("{PRELUDE}\n{sum}{}", case("big of Guard is 20000 points")),
    )
    .unwrap();
    for command in ["check", "test", "trace", "explain", "map", "ir"] {
        let output = Command::new(env!("CARGO_BIN_EXE_sutler"))
            .env("COLUMNS", "10000")
            .arg(command)
            .arg(folder.path())
            .stdin(Stdio::null())
            .output()
            .unwrap();
        assert_eq!(
            (output.status.code(), String::from_utf8_lossy(&output.stderr).contains("error")),
            (Some(0), false),
            "{command}"
        );
    }
}

#[test]
fn values_that_build_on_each_other_have_an_end() {
    let chain = |many: usize, backward: bool| {
        let one = |n: usize| {
            if n == many {
                format!("define v{n} of army = strength\n")
            } else {
                format!("define v{n} of army = v{} + 1\n", n + 1)
            }
        };
        if backward {
            (0..=many).rev().map(one).collect::<String>()
        } else {
            (0..=many).map(one).collect()
        }
    };
    for backward in [false, true] {
        let sane = chain(200, backward) + case("v0 of Guard is 204 points").as_str();
        assert_eq!(told(&sane), (vec![], vec![]), "{backward}");
        let (codes, _) =
            told(&(chain(20_000, backward) + case("v0 of Guard is 20004 points").as_str()));
        assert!(!codes.is_empty() && codes.iter().all(|c| *c == "E0414"), "{backward}: {codes:?}");
    }
    // Each in 30 brackets, names upon names: brackets count as well where a name is read before it
    // was seen.
    let both = |many: usize, backward: bool| {
        let one = |n: usize| {
            format!("define v{n} of army = {}v{}{}\n", "(".repeat(30), n + 1, ")".repeat(30))
        };
        let all: String = if backward {
            (0..many).rev().map(one).collect()
        } else {
            (0..many).map(one).collect()
        };
        let last = format!("define v{many} of army = strength\n");
        told(&format!("{last}{all}{}", case("v0 of Guard is 4 points")))
    };
    assert_eq!(both(16, false), (vec![], vec![]));
    assert_eq!(both(500, true), (vec![], vec![]));
    assert!(both(500, false).0.iter().all(|c| *c == "E0414"));
    assert!(!both(500, false).0.is_empty());
    let product = |factors: usize| {
        format!(
            "define big of army = 1{}\n{}",
            " * 1".repeat(factors - 1),
            case("big of Guard is 1 point")
        )
    };
    assert_eq!(told(&product(32)), (vec![], vec![]));
    assert_eq!(told(&product(33)), (vec!["E0414"], vec![]));
    assert_eq!(told(&product(100_000)), (vec!["E0414"], vec![]));
}

/// The ends of a table are values like its rows, wherever what they name is declared.
#[test]
fn limits_of_sums_that_build_on_each_other_have_an_end() {
    for backward in [false, true] {
        let one = |n: usize| {
            let rows = "when strength at least 1 then 9";
            format!(
                "table v{n} of army gives points by sum of matches {{\n  {rows}\n  kept between 0 and v{}\n}}\n",
                n + 1
            )
        };
        let deep = |many: usize| {
            let last = format!("define v{many} of army = strength\n");
            let tables: Vec<String> = if backward {
                (0..many).rev().map(one).collect()
            } else {
                (0..many).map(one).collect()
            };
            format!("{last}{}", tables.concat())
        };
        assert!(told(&deep(900)).0.contains(&"E0414"), "{backward}");
        assert_eq!(
            told(&format!("{}{}", deep(100), case("v0 of Guard is 4 points"))).1,
            Vec::<String>::new(),
            "{backward}"
        );
    }
}

#[test]
fn random_bytes_are_no_ruleset_and_nothing_else_happens() {
    let mut dice = Dice::new(20 + seed_base());
    let seeds: [&[u8]; 3] = [
        PRELUDE.as_bytes(),
        br#"{"schema": 1, "map": "coast", "units": [{"id": "New", "kind": "army", "side": "Red", "space": "Hill", "facts": {"strength": 3}}]}"#,
        b"id,title,kind,terrain\n0101,Port,,land\n0102,,hex,sea\n",
    ];
    let mut kept = [0; 3];
    for round in 0..400 {
        for (at, (entry, seed)) in [entry::check_bytes, entry::position_json, entry::import_text]
            .iter()
            .zip(seeds)
            .enumerate()
        {
            let bytes: Vec<u8> = match round % 4 {
                0 => (0..dice.below(400)).map(|_| dice.below(256) as u8).collect(),
                _ => mutated(&mut dice, seed, round % 4),
            };
            kept[at] += usize::from(entry(&bytes));
        }
    }
    // A change that leaves all in order is among so many, or nothing was tried.
    assert!(kept.iter().all(|k| *k > 0), "{kept:?}");
}

/// A text with some of its bytes or words taken away, doubled or changed for others.
fn mutated(dice: &mut Dice, seed: &[u8], changes: usize) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for _ in 0..changes {
        let at = dice.below(bytes.len());
        let end = (at + 1 + dice.below(12)).min(bytes.len());
        let from = dice.below(seed.len());
        let piece: Vec<u8> = match dice.below(6) {
            0 => Vec::new(),
            1 => bytes[at..end].repeat(2),
            2 => seed[from..(from + 1 + dice.below(40)).min(seed.len())].to_vec(),
            3 => vec![dice.below(256) as u8],
            4 => dice
                .pick(&["not ", "(", ")", "{", "}", "\n", "\"", "0", "none ", "-1", ",", "of "])
                .as_bytes()
                .to_vec(),
            _ => dice.pick(NUMBERS).as_bytes().to_vec(),
        };
        bytes.splice(at..end, piece);
    }
    bytes
}

#[test]
fn mutated_rulesets_are_checked_and_run_to_an_end() {
    let mut dice = Dice::new(23 + seed_base());
    let mut clean = 0;
    for (folder, rounds) in [("soldier_kings", 24), ("sgs", 8), ("malaya", 4)] {
        let text = whole(&support::root().join("rulesets").join(folder));
        let lines: Vec<&str> = text.lines().collect();
        let (_, rules, faults) = check_text("whole.sut", text.as_bytes());
        assert!(rules.is_some() && faults.is_empty(), "{folder}: {faults:#?}");
        for round in 0..rounds {
            let mut lines = lines.clone();
            let (one, other) = (1 + dice.below(lines.len() - 1), 1 + dice.below(lines.len() - 1));
            match round % 4 {
                0 => drop(lines.remove(one)),
                1 => lines.swap(one, other),
                2 => lines.insert(one, lines[other]),
                _ => {}
            }
            let mut bytes = lines.join("\n").into_bytes();
            if round % 4 == 3 {
                bytes = mutated(&mut dice, &bytes, 1);
            }
            let (sources, rules, faults) = check_text("mutated.sut", &bytes);
            assert_eq!(rules.is_none(), has_errors(&faults), "{folder}, round {round}");
            entry::printed(&faults, &sources);
            if let Some(rules) = rules.filter(|_| folder != "malaya") {
                entry::passes::cases(&rules, &sources);
                clean += 1;
            }
        }
    }
    assert!(clean > 0, "no mutated ruleset was clean, so none was run");
}

/// The files of a ruleset's own, as one text.
fn whole(folder: &Path) -> String {
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    paths.sort_by_key(|p| (p.file_name().unwrap() != "rules.sut", p.clone()));
    let texts = paths.iter().map(|p| fs::read_to_string(p).unwrap());
    let own =
        texts.filter(|t| !t.lines().any(|l| l.starts_with("ruleset ") && l.contains(" extends ")));
    let lines = own.flat_map(|t| {
        t.lines().filter(|l| *l != "edition 1").map(str::to_owned).collect::<Vec<_>>()
    });
    format!("edition 1\n{}\n", lines.collect::<Vec<_>>().join("\n"))
}

/// Numbers at the ends of what a machine keeps, and beyond.
const NUMBERS: &[&str] = &[
    "0",
    "1",
    "-1",
    "2147483647",
    "2147483648",
    "2147483649",
    "-2147483648",
    "4294967296",
    "1000000000",
    "9223372036854775807",
    "-9223372036854775808",
    "99999999999999999999",
    "1/0",
    "1/9223372036854775807",
];

#[test]
fn any_number_in_any_place_is_taken_or_refused() {
    let all = support::blocks("docs/language.md");
    let prelude = support::prelude(&all).to_owned();
    let texts: Vec<String> = all
        .iter()
        .filter(|b| {
            b.is(&["sutler"]) && b.marks.len() <= 2 && !b.variant() && !b.is(&["sutler", "wrong"])
        })
        .map(|b| if b.whole() { b.text.clone() } else { format!("{prelude}\n{}", b.text) })
        .collect();
    let (mut places, mut taken) = (0, 0);
    for (block, text) in texts.iter().enumerate() {
        // The prelude stands before each block; its own numbers are changed once.
        let from = if text.starts_with(&prelude) && block > 0 { prelude.len() } else { 0 };
        for (start, end) in numerals(text, from) {
            places += 1;
            for number in part(NUMBERS.iter().cycle().skip(places).take(NUMBERS.len())) {
                let changed = format!("{}{number}{}", &text[..start], &text[end..]);
                taken += usize::from(entry::check_bytes(changed.as_bytes()));
            }
        }
    }
    assert!(places > 80 && taken > share(200), "{taken} of {places} places");
    let huge = "define huge of army = strength * 1000000000 * 1000000000 * 2\n  + 1000000000 * 1000000000 + 1000000000 * 223372036 + 854775807\n";
    for (define, code) in [
        ("huge + 1000000000 * 1000000000 * 2", "E1002"),
        ("0 - huge - huge", "E1002"),
        ("huge * 3 / 3", "E1002"),
        ("1 / (huge - huge)", "E1001"),
        ("rounded down (1 / 1000000000 / 1000000000 / 1000000000)", "E1002"),
    ] {
        let (faults, failed) = told(&format!(
            "{huge}define far of army = {define}\n{}",
            case("far of Guard is 1 point")
        ));
        assert!(
            faults.is_empty() && failed.len() == 1 && failed[0].starts_with(code),
            "{define}: {faults:?} {failed:?}"
        );
    }
    // 4 * 2 * 10^18 + 10^18 + 223372036 * 10^9 + 854775807 is 2^63 - 1, the last of all; its half
    // is 4611686018427387903 and a half.
    let ends = "define up of army = rounded up (huge / 2) - rounded down (huge / 2)\n\
                define near of army = rounded nearest (huge / 2) - rounded down (huge / 2)\n\
                define low of army = rounded down ((0 - huge - 1) / 2) - rounded up ((0 - huge) / 2)\n";
    let so = "case \"so it is\" {\n  setup opening\n  expect up of Guard is 1 point\n  expect near of Guard is 1 point\n  expect low of Guard is -1 points\n}\n";
    assert_eq!(told(&format!("{huge}{ends}{so}")), (vec![], vec![]));
}

/// Where the numerals of a text stand, outside of names, texts and comments.
fn numerals(text: &str, from: usize) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let code = line.split(['#', '[']).next().unwrap_or_default();
        let mut quoted = false;
        let mut at = 0;
        while let Some(c) = code[at..].chars().next() {
            let word = code[at..]
                .find(|c: char| !c.is_alphanumeric() && c != '_')
                .unwrap_or(code.len() - at);
            quoted ^= c == '"';
            if c.is_ascii_digit()
                && !quoted
                && start + at >= from
                && code[at..at + word].bytes().all(|b| b.is_ascii_digit())
            {
                found.push((start + at, start + at + word));
            }
            at += word.max(c.len_utf8());
        }
        start += line.len();
    }
    // The number of the edition is no amount.
    found.retain(|(at, _)| !text[..*at].ends_with("edition "));
    found
}

#[test]
fn nothing_raw_is_ever_printed() {
    let hazards: [&[u8]; 10] = [
        b"\0",
        b"\x07",
        b"\x1b[31m",
        b"\x7f",
        b"\xc2\x9b31m",
        "\u{202e}".as_bytes(),
        "\u{2066}".as_bytes(),
        "\u{200b}".as_bytes(),
        b"\xff\xfe\xfd",
        b"\xed\xa0\x80",
    ];
    let text = format!(
        "{PRELUDE}\ndefine strong of army \"a strong one\" = strength at least 3\n# a note\n{}",
        case("Guard is strong")
    );
    let folder = tempfile::tempdir().unwrap();
    for hazard in hazards {
        for place in ["strong of army", "\"a strong", "# a note", "at least 3", "so it", "edition"]
        {
            let at = text.find(place).unwrap() + place.len() / 2;
            let bytes = [&text.as_bytes()[..at], hazard, &text.as_bytes()[at..]].concat();
            assert!(!entry::check_bytes(&bytes), "{hazard:?} is refused in {place}");
            let (text, faults) = screen(&bytes, SourceId(0));
            assert_eq!(text.len(), bytes.len(), "every byte keeps its place");
            assert!(has_errors(&faults), "{hazard:?}");
            entry::clean(&text);
        }
        fs::write(folder.path().join("rules.sut"), [text.as_bytes(), hazard].concat()).unwrap();
        let name = String::from_utf8_lossy(hazard).replace('\0', "0");
        let (game, name) = (folder.path().to_str().unwrap(), name.as_str());
        let shipped = support::root().join("rulesets/soldier_kings");
        let shipped = shipped.to_str().unwrap();
        let calls = [
            vec!["check", game],
            vec!["check", name],
            vec!["trace", shipped, "--trace", name],
            vec!["explain-code", name],
            vec![name],
        ];
        for args in calls {
            let output = Command::new(env!("CARGO_BIN_EXE_sutler"))
                .env("COLUMNS", "10000")
                .args(&args)
                .stdin(Stdio::null())
                .output()
                .unwrap();
            assert!(matches!(output.status.code(), Some(1 | 2)), "{args:?}");
            entry::clean(&String::from_utf8(output.stdout).unwrap());
            entry::clean(&String::from_utf8(output.stderr).unwrap());
        }
    }
    let marked = [b"\xef\xbb\xbf", text.as_bytes()].concat();
    assert!(entry::check_bytes(&marked), "a byte order mark is no fault");
}

#[test]
fn folders_are_no_traps() {
    let root = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = root.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    let found = |name: &str| {
        let project = Project::open(&root.path().join(name));
        let faults: Vec<Diagnostic> = project
            .faults
            .iter()
            .chain(project.rulesets.iter().flat_map(|r| &r.faults))
            .cloned()
            .collect();
        entry::printed(&faults, &project.sources);
        (codes(&faults), project.rulesets.len())
    };
    write("game/rules.sut", PRELUDE);
    write("game/sub/more.sut", "edition 1\nnot a line of the language\n");
    write("game/folder.sut/rules.sut", "not a ruleset\n");
    assert_eq!(found("game"), (vec![], 1));
    assert_eq!(found("game/../game"), (vec![], 1));
    assert_eq!(found("game/rules.sut"), (vec![], 1));
    // Its only file is read as the ruleset.
    assert_eq!(found("game/sub"), (vec!["E0208", "E0108"], 1));
    assert_eq!(found("game/rules.sut/.."), (vec!["E0006"], 0));
    // A variant names a ruleset, and never a path.
    for (name, parent) in
        [("up", ".."), ("over", "../game"), ("root", "/game"), ("quoted", "\"game\"")]
    {
        write(
            &format!("{name}/rules.sut"),
            &format!("edition 1\nruleset v \"V\" prefix V extends {parent}\n"),
        );
        let (codes, _) = found(name);
        assert!(codes.first().is_some_and(|c| *c == "E0100"), "{parent}: {codes:?}");
    }
    // A file that is no text at all is one fault, and so is each variant's parent.
    write("wide/sixteen.sut", "");
    let utf16: Vec<u8> = PRELUDE.encode_utf16().flat_map(u16::to_le_bytes).collect();
    fs::write(root.path().join("wide/rules.sut"), utf16).unwrap();
    write(
        "wide/sixteen.sut",
        "edition 1\nruleset v \"V\" prefix V extends example\noverride row led of reach was 2 now 3\n",
    );
    assert_eq!(found("wide"), (vec!["E0008"], 2));
    assert_eq!(found("wide/sixteen.sut"), (vec!["E0008"], 1));
    write("empty/rules.sut", "");
    assert_eq!(found("empty"), (vec!["E0101", "E0208"], 1));
    write("hollow/rules.sut", PRELUDE);
    write("hollow/nothing.sut", "");
    assert_eq!(found("hollow"), (vec!["E0101"], 1));
    #[cfg(unix)]
    {
        use std::os::unix::fs::symlink;
        // What a link names is not of the folder, so it is not read: neither as a part nor as the
        // head.
        write("secret.sut", "edition 1\nnot a line of the language\n");
        symlink(root.path().join("secret.sut"), root.path().join("game/link.sut")).unwrap();
        symlink(root.path(), root.path().join("game/loop")).unwrap();
        symlink("gone.sut", root.path().join("game/lost.sut")).unwrap();
        assert_eq!(found("game"), (vec![], 1));
        fs::create_dir(root.path().join("linked")).unwrap();
        symlink(root.path().join("game/rules.sut"), root.path().join("linked/rules.sut")).unwrap();
        assert_eq!(found("linked"), (vec!["E0208"], 1));
    }
    write("many/rules.sut", PRELUDE);
    for n in 0..10_000 {
        fs::write(root.path().join(format!("many/f{n}.sut")), "edition 1\n").unwrap();
    }
    assert_eq!(found("many").0, ["E0215"]);
}
