//! Lines changed behind `but`, items that are as others, clauses said otherwise: what they give is
//! what a text gives in which the same lines are changed by hand.

use std::path::Path;

use crate::place::Place;
use crate::support::{blocks, game_without_cases, prelude};
use sutler::compare::resolve;
use sutler::project::Project;

/// The game of the reference.
fn game() -> String {
    prelude(&blocks("docs/language.md")).to_owned()
}

/// A parent and a variant of it with these items.
fn variant_of(parent: &str, items: &str) -> Project {
    let head = "edition 1\nruleset house \"House\" prefix HR extends winter_road with cases\n";
    let place = Place(tempfile::tempdir().unwrap());
    place.write("winter_road/rules.sut", parent);
    place.write("winter_road/house.sut", format!("{head}{items}"));
    Project::open(&place.path("winter_road/house.sut"))
}

/// What the variant says in full, blanks folded.
fn whole(parent: &str, items: &str) -> String {
    let project = variant_of(parent, items);
    let loaded = &project.rulesets[0];
    assert!(loaded.rules.is_some(), "{items}\n{:?}", loaded.faults);
    let text = resolve(loaded.resolved(), &project.sources, true);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The text of the game with some lines in the place of others.
fn by_hand<'c>(changes: impl IntoIterator<Item = &'c (&'c str, &'c str)>) -> String {
    in_text(game(), changes)
}

fn in_text<'c>(text: String, changes: impl IntoIterator<Item = &'c (&'c str, &'c str)>) -> String {
    changes.into_iter().fold(text, |text, (old, new)| {
        assert_eq!(text.matches(old).count(), 1, "{old}");
        text.replace(old, new)
    })
}

fn fault(items: &str) -> (String, String) {
    let project = variant_of(&game(), items);
    let faults = &project.rulesets[0].faults;
    let first = faults.first().unwrap_or_else(|| panic!("nothing is refused: {items}"));
    assert!(project.rulesets[0].rules.is_none(), "{items}");
    assert_eq!(faults.len(), 1, "{items}\n{faults:?}");
    (
        first.code.to_string(),
        format!("{} {}", first.message, first.help.clone().unwrap_or_default()),
    )
}

/// A change as a variant says it, and the lines that it is by hand.
type Change = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

/// One change of each construct, with the noun and name that it belongs to.
const CHANGES: &[Change] = &[
    (
        "setup opening",
        "First was in Copse now in Ford",
        &[("Crown in Copse with", "Crown in Ford with")],
    ),
    (
        "setup opening",
        "put army First was strength 5 now strength 6",
        &[("with strength 5", "with strength 6")],
    ),
    (
        "setup opening",
        "put wagon Cart of Duchy in Harbour",
        &[("leader Brandt\n", "leader Brandt\n  put wagon Cart of Duchy in Harbour\n")],
    ),
    (
        "setup opening",
        "without Guard",
        &[("  put army Guard of League in Eastgate with strength 4, leader Brandt\n", "")],
    ),
    (
        "setup opening",
        "given control is Crown was Abbey, Bridge now Abbey",
        &[("control is Crown in Abbey, Bridge", "control is Crown in Abbey")],
    ),
    (
        "kind army",
        "has morale in steps from 0 to 9",
        &[(
            "  has veteran yes or no\n",
            "  has veteran yes or no\n  has morale in steps from 0 to 9\n",
        )],
    ),
    (
        "kind army",
        "strength was 9 now 12",
        &[("has strength in steps from 1 to 9", "has strength in steps from 1 to 12")],
    ),
    (
        "kind wagon",
        "has heavy yes or no",
        &[(
            "kind wagon, wagons is piece\n",
            "kind wagon, wagons is piece {\n  has heavy yes or no\n}\n",
        )],
    ),
    ("map valley", "Copse was forest now hills", &[("with terrain forest", "with terrain hills")]),
    (
        "map valley",
        "link road Ford to Harbour",
        &[("to Gulf to Harbour\n", "to Gulf to Harbour\n  link road Ford to Harbour\n")],
    ),
    ("map valley", "without link lane", &[("  link lane Abbey to Gulf to Harbour\n", "")]),
    ("trace supply", "always veteran", &[("  leg march", "  always veteran\n  leg march")]),
    (
        "trace supply",
        "through of march was army now piece",
        &[("through no enemy army here", "through no enemy piece here")],
    ),
    (
        "trace supply",
        "over was roads now roads, lanes",
        &[("over    roads", "over    roads, lanes")],
    ),
    (
        "trace supply",
        "after into as cost 1",
        &[("    within  reach  ", "    cost 1\n    within  reach  ")],
    ),
    ("table reach", "led was then 3 now then 4", &[("is not none then 3", "is not none then 4")]),
    (
        "table reach",
        "before led as row old when veteran then 1",
        &[("  row led", "  row old when veteran then 1\n  row led")],
    ),
    (
        "table reach",
        "row tired when starving then 1",
        &[("  otherwise 2", "  row tired when starving then 1\n  otherwise 2")],
    ),
    ("table reach", "otherwise was 2 now 1", &[("  otherwise 2", "  otherwise 1")]),
    (
        "phase supply_check",
        "do was (cut_off and space is not none) now (cut_off and not veteran)",
        &[(
            "armies where (cut_off and space is not none)\n",
            "armies where (cut_off and not veteran)\n",
        )],
    ),
];

fn said(changes: &[&Change]) -> String {
    let block = |c: &&Change| format!("override {}, but {{\n  {}\n}}\n", c.0, c.1);
    changes.iter().map(block).collect()
}

#[test]
fn each_change_is_what_it_is_by_hand() {
    for change in CHANGES {
        assert_eq!(
            whole(&game_without_cases(), &said(&[change])),
            whole(&in_text(game_without_cases(), change.2), ""),
            "{change:?}"
        );
    }
}

#[test]
fn all_pairs_of_changes_are_what_they_are_by_hand() {
    for (at, a) in CHANGES.iter().enumerate() {
        for b in CHANGES.iter().skip(at + 1) {
            // By hand the second may not find the text that the first has changed.
            let text = in_text(game_without_cases(), a.2);
            if !b.2.iter().all(|(old, _)| text.matches(old).count() == 1) {
                continue;
            }
            let wanted = in_text(text, b.2);
            assert_eq!(
                whole(&game_without_cases(), &said(&[a, b])),
                whole(&wanted, ""),
                "{a:?}\n{b:?}"
            );
        }
    }
}

#[test]
fn what_is_as_another_is_what_it_is_by_hand() {
    let copy = "setup late as opening \"Late\", but {\n  First was in Copse now in Ford\n  without Guard\n}\n";
    let full = "setup late on valley \"Late\" {\n  given control is Crown in Abbey, Bridge\n  \
                given control is League in Dale, Eastgate\n  \
                put army First \"First Army\" of Crown in Ford with strength 5\n}\n";
    assert_eq!(whole(&game_without_cases(), copy), whole(&game_without_cases(), full));
    let copy = "trace way of wagon as supply \"a way\", but {\n  called was supplied else cut_off now has_way else lost_way\n  \
                without judged\n  without lasts\n  within was reach now 2\n}\nsetup later as late\nsetup late as opening\n";
    let project = variant_of(&game(), copy);
    let rules = project.rulesets[0].rules.as_ref().expect("it checks");
    assert_eq!(rules.traces.len(), 2);
    assert_eq!(rules.setups.len(), 3);
    assert_eq!(fault("setup a as b\nsetup b as a\n").0, "E0610");
}

#[test]
fn clauses_are_said_otherwise_and_taken_out() {
    let items = "override clause 4c was \"Enemy armies bar the line. The regions at its two ends do not count.\"\n  now \"Nobody bars it.\"\n\
                 override section 4 was \"Supply\" now \"Bread\"\n";
    let wanted = by_hand(&[
        (
            "\"Enemy armies bar the line. The regions at its two ends do not count.\"",
            "\"Nobody bars it.\"",
        ),
        ("section 4 \"Supply\"", "section 4 \"Bread\""),
    ]);
    assert_eq!(whole(&game(), items), whole(&wanted, ""));
    assert_eq!(fault("override clause 4c was \"Enemies.\" now \"None.\"\n").0, "E0603");
    assert_eq!(fault("override clause 4x was \"Enemies.\" now \"None.\"\n").0, "E0602");
    let (code, said) = fault("remove clause 4c\n");
    assert_eq!(code, "E0611");
    assert!(said.contains("with its lines"), "{said}");
    // The gates that carry out 4c alone ask nothing any more, and no line cites it.
    let wanted = by_hand(&[
        ("clause c \"Enemy armies bar the line. The regions at its two ends do not count.\"\n", ""),
        ("from    anywhere                                       [4c]", "from    anywhere"),
        ("through no enemy army here                             [4c]", "through anywhere"),
        ("into    anywhere                                       [4c]", "into    anywhere"),
        ("[4b, 4c]", "[4b]"),
    ]);
    // A case that shows the clause alone goes with it.
    let more = format!(
        "{}case \"bars\" [4c] {{\n  setup opening\n  expect First is supplied\n}}\n",
        game()
    );
    let without = "remove case \"three are too far, unless a captain leads; armies in the way bar the road\"\n";
    let items = format!("remove clause 4c with its lines\n{without}");
    assert_eq!(whole(&more, &items), whole(&wanted, without));
}

#[test]
fn what_no_line_says_is_refused() {
    for (items, code, help) in [
        ("override setup opening, but {\n  without Gard\n}\n", "E0602", "`Guard`"),
        ("override setup opening, but {\n  without army Guard\n}\n", "E0602", "write `Guard`"),
        (
            "override setup opening, but {\n  control was Red now Blue\n}\n",
            "E0602",
            "`given control`",
        ),
        (
            "override setup opening, but {\n  First was in Dale now in Ford\n}\n",
            "E0603",
            "in Copse",
        ),
        ("override map valley, but {\n  without link\n}\n", "E0609", "more of the words"),
        ("override table reach, but {\n  row weary then 1\n}\n", "E0608", "`when` or `per`"),
        ("override kind armys, but {\n  has morale in steps from 0 to 9\n}\n", "E0602", "`army`"),
        (
            "override table reach, but {\n  led was 3 now 4\n}\noverride row led of reach was 4 now 5\n",
            "",
            "",
        ),
        (
            "override table reach, but {\n  led was 3 now 4\n}\noverride table reach of army gives regions by first match {\n  otherwise 2\n}\n",
            "E0605",
            "",
        ),
        ("remove case \"two regions are near enuogh\"\n", "E0602", "two regions are near enough"),
    ] {
        if code.is_empty() {
            assert!(variant_of(&game(), items).rulesets[0].rules.is_some(), "{items}");
            continue;
        }
        let (found, said) = fault(items);
        assert_eq!(found, code, "{items}\n{said}");
        assert!(said.contains(help), "{items}\n{said}");
    }
}

#[test]
fn an_override_is_answered_with_one_of_its_noun() {
    let (_, said) = fault("override define lost of region was any enemy army here\n");
    assert!(said.contains("the whole is said anew"), "{said}");
    // What the models say is read.
    for item in [
        "override define lost of region = friendly\n",
        "override table reach, but {\n  led was 3 now 4\n}\n",
        "add row to reach as row cold when veteran then 1\n",
        "add to supply as always veteran\n",
        "remove row led of reach\n",
    ] {
        assert!(variant_of(&game(), item).rulesets[0].rules.is_some(), "{item}");
    }
}

#[test]
fn a_fault_in_a_changed_line_is_told_in_the_variant() {
    let items = "override trace supply, but {\n  through of march was army now armie\n}\n";
    let project = variant_of(&game(), items);
    let fault = project.rulesets[0].faults.first().expect("a fault");
    let place = fault.primary().expect("a place");
    assert_eq!(project.sources.slice(place), "armie");
    let file = Path::new(project.sources.name(place.source)).file_name();
    assert_eq!(file.and_then(|f| f.to_str()), Some("house.sut"));
}

/// Two variants of the game, and one that has the changes of both.
fn joined(a: &str, b: &str) -> Project {
    let place = Place(tempfile::tempdir().unwrap());
    let head = |name: &str, prefix: &str, parents: &str| {
        format!(
            "edition 1\nruleset {name} \"{name}\" prefix {prefix} extends {parents} with cases\n"
        )
    };
    place.write("winter_road/rules.sut", game_without_cases());
    place.write("winter_road/first.sut", format!("{}{a}", head("first", "FI", "winter_road")));
    place.write("winter_road/second.sut", format!("{}{b}", head("second", "SE", "winter_road")));
    place.write("winter_road/both.sut", head("both", "HR", "first, second"));
    Project::open(&place.path("winter_road/both.sut"))
}

#[test]
fn several_variants_at_once_are_what_one_with_all_changes_is() {
    for (at, a) in CHANGES.iter().enumerate() {
        for b in CHANGES.iter().skip(at + 1).filter(|b| b.0 != a.0) {
            let project = joined(&said(&[a]), &said(&[b]));
            let loaded = &project.rulesets[0];
            assert!(loaded.rules.is_some(), "{a:?}\n{b:?}\n{:?}", loaded.faults);
            let text = resolve(loaded.resolved(), &project.sources, true);
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            let one = whole(&game_without_cases(), &said(&[a, b]));
            assert_eq!(
                text.replace("ruleset both \"both\"", "ruleset house \"House\""),
                one,
                "{a:?}\n{b:?}"
            );
        }
    }
}

#[test]
fn changes_of_two_variants_that_meet_are_reported_with_both_places() {
    let row = |n: u8| format!("override row led of reach was 3 now {n}\n");
    let line = |n: u8| format!("override table reach, but {{\n  led was 3 now {n}\n}}\n");
    let table = "override table reach of army gives regions by first match {\n  otherwise 2\n}\n";
    for (a, b) in [
        (row(4), row(5)),
        (line(4), line(5)),
        (row(4), line(5)),
        (line(4), table.to_owned()),
        (
            "override setup opening, but {\n  without Guard\n}\n".to_owned(),
            "remove setup opening\n".to_owned(),
        ),
        (
            "override setup opening, but {\n  without First\n}\n".to_owned(),
            "override setup opening, but {\n  First was in Copse now in Ford\n}\n".to_owned(),
        ),
    ] {
        let project = joined(&a, &b);
        let faults = &project.rulesets[0].faults;
        let clash = faults.iter().find(|f| f.code.to_string() == "E0604");
        let clash = clash.unwrap_or_else(|| panic!("{a}{b}{faults:?}"));
        let files: Vec<&str> =
            clash.labels.iter().map(|l| project.sources.name(l.span.source)).collect();
        for file in ["second.sut", "both.sut"] {
            assert!(files.iter().any(|f| f.ends_with(file)), "{a}{b}{clash:?}");
        }
        assert!(project.rulesets[0].rules.is_none());
    }
    // A variant that is broken does not leave the others alone as if they were all.
    let broken = joined("", "override row led of reach was 3 now 4 armies\n");
    assert!(broken.rulesets[0].rules.is_none());
    let told = broken.rulesets[0].faults.iter().filter_map(|f| f.primary());
    let files: Vec<&str> = told.map(|p| broken.sources.name(p.source)).collect();
    assert!(files.iter().any(|f| f.ends_with("second.sut")), "{files:?}");
    let strange = joined("", "");
    assert!(strange.rulesets[0].rules.is_some(), "{:?}", strange.rulesets[0].faults);
}

#[test]
fn a_changed_line_cites_a_clause_once_however_often_changes_do() {
    let parent = game_without_cases().replace("then 3\n", "then 3 [4b, 4a]\n");
    let items = "override table reach, but {\n  led was 3 now 4 [WR-4b]\n}\n";
    let text = whole(&parent, items);
    assert!(text.contains("then 4 [WR-4b, WR-4a] otherwise"), "{text}");
    let items = "override within of march of supply was reach now 3 [WR-4b]\n";
    let text = whole(&parent, items);
    assert!(text.contains("within 3 [WR-4b] }"), "{text}");
    let items = "override row led of reach was 3 now 4 [WR-4a]\n";
    let text = whole(&parent, items);
    assert!(text.contains("then 4 [WR-4b, WR-4a] otherwise"), "{text}");
    let copy = "table late of army as reach, but {\n  led was 3 now 4 [WR-4b]\n}\n";
    let text = whole(&parent, copy);
    assert!(text.contains("then 4 [WR-4b, WR-4a] otherwise"), "{text}");
    // Written by the same file in short.
    let place = Place::with(&format!("{parent}{}", copy.replace("WR-", "")));
    let text = place.run(&["resolve", "game", "--plain"]).out;
    assert!(text.contains("then 4 [4b, 4a]\n"), "{text}");
}

#[test]
fn a_copy_is_printed_below_its_own_comment_or_that_of_the_original() {
    let parent = game_without_cases().replace("table reach", "# How far a line goes.\ntable reach");
    let items =
        "# Late in the year.\ntable late of army as reach\n\ntable later of army as reach\n";
    let place = Place::with(&format!("{parent}{items}"));
    let text = place.run(&["resolve", "game", "--plain"]).out;
    let above = |line: &str| {
        let at = text.find(line).unwrap_or_else(|| panic!("{line}\n{text}"));
        text[..at].lines().next_back().unwrap_or("")
    };
    assert_eq!(above("table reach "), "# How far a line goes.");
    assert_eq!(above("table late "), "# Late in the year.");
    assert_eq!(above("table later "), "# How far a line goes.");
    assert_eq!(text.matches("# How far").count(), 2, "{text}");
}

#[test]
fn what_is_put_beside_closer_words_stands_in_brackets() {
    let change = |line: &str| format!("override phase supply_check, but {{\n  {line}\n}}\n");
    let found = fault(&change("do mark was cut_off now cut_off or veteran"));
    assert_eq!(found.0, "E0608", "{found:?}");
    assert!(
        found.1.contains("`and`") && found.1.contains("`now (cut_off or veteran)`"),
        "{found:?}"
    );
    for line in [
        "do mark was cut_off now (cut_off or veteran)",
        "do mark was cut_off now cut_off and veteran",
        "do mark was cut_off now strength between 2 and 4",
        "do mark was (cut_off and space is not none) now (cut_off or veteran)",
    ] {
        let project = variant_of(&game(), &change(line));
        assert!(project.rulesets[0].rules.is_some(), "{line}: {:?}", project.rulesets[0].faults);
    }
}
