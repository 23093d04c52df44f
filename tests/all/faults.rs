//! Faults that were found by trying: each stands here as it was reported, and with the class it
//! belongs to.

use std::fs;
use std::path::Path;

use crate::place::Place;
use sutler::diag::{Diagnostic, Severity};
use sutler::ir::{Ruleset, TraceId};
use sutler::kernel::Position;
use sutler::project::{Project, check_text};
use sutler::suite::run_case;
use sutler::world::{ThingRef, World, json, start};

fn text_of(name: &str) -> String {
    fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/faults").join(name).join("rules.sut"),
    )
    .unwrap()
}

/// The codes of a text, in order, with the words of all messages.
fn codes(text: &str) -> (Vec<String>, String) {
    let (_, _, faults) = check_text("rules.sut", text.as_bytes());
    let said: String = faults
        .iter()
        .map(|f| format!("{} | {}\n", f.message, f.help.clone().unwrap_or_default()))
        .collect();
    (faults.iter().map(|f| f.code.to_string()).collect(), said)
}

fn reports(name: &str, expected: &[&str], words: &[&str]) {
    let (found, said) = codes(&text_of(name));
    assert_eq!(found, expected, "{name}: {said}");
    for word in words {
        assert!(said.contains(word), "{name}: `{word}` is not in {said}");
    }
}

#[test]
fn what_was_accepted_and_had_no_effect_is_refused() {
    reports("gate_over_river", &["E0416"; 4], &["any river here"]);
    // What changes of a link was taken and did nothing; it is carried out since.
    reports("link_facts", &[], &[]);
    reports("given_answer_any", &["E0302"], &["write `supplied` or `unsupplied`"]);
}

#[test]
fn what_the_world_or_a_side_rolls_can_be_read() {
    let out = std::process::Command::new(env!("CARGO_BIN_EXE_sutler"))
        .args(["test", "tests/faults/world_rolls"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&out.stdout);
    assert!(out.status.success() && said.contains("1 passed, 0 failed"), "{said}");
}

#[test]
fn what_panicked_has_a_code() {
    reports("dice_overflow", &["E0210"], &["cannot be rolled"]);
    reports(
        "type_hole2",
        &["E0302"; 2],
        &["a space should stand here, and this is an army", "a leader should stand here"],
    );
    reports("type_hole3", &["E0302"; 2], &["a side should stand here, and this is an army"]);
}

#[test]
fn what_was_told_wrongly_is_told_once_and_right() {
    reports("section_clause_clash", &["E0204"], &["write `14.11` or `141.1`"]);
    reports("leg_header_cascade", &["E0100"], &["`instead` cannot stand here"]);
    reports("links_twice", &["W0717"], &["joined by a road already"]);
    let (found, said) = codes(&text_of("nation_of_here"));
    assert_eq!(found.first().map(String::as_str), Some("E0104"));
    assert!(said.contains("write `depot here`"), "{said}");
}

const PRELUDE: &str = include_str!("../../src/diag/prelude.sut");

/// The codes of a text behind the small example.
fn behind(text: &str) -> (Vec<String>, String) {
    codes(&format!("{PRELUDE}\n{text}"))
}

#[track_caller]
fn refused(text: &str, code: &str) {
    let (found, said) = behind(text);
    assert!(found.iter().any(|f| f == code), "{text}: {code} is not in {found:?}: {said}");
}

#[track_caller]
fn accepted(text: &str) {
    let (found, said) = behind(text);
    assert!(found.is_empty(), "{text}: {found:?}: {said}");
}

#[test]
fn what_could_never_matter_is_told() {
    for name in ["own", "enemy", "allied", "friendly", "neutral", "none", "always", "never", "yes"]
    {
        refused(&format!("define {name} of army = strength at least 2\n"), "E0202");
        refused(&format!("named leader {name}\n"), "E0202");
        refused(&format!("kind corps is army {{\n  has {name} yes or no\n}}\n"), "E0202");
    }
    let sum = |value: &str| {
        format!(
            "table toll of army gives points by sum of matches {{\n  row led when leader is not none then {value}\n}}\n"
        )
    };
    refused(&sum("barred"), "E0506");
    accepted(&sum("1"));
    let over = |links: &str| {
        format!(
            "trace way of army {{\n  called open else shut\n  source home_area where home\n  leg march\n    over {links}\n    from anywhere\n    through anywhere\n    into anywhere\n    within 3\n}}\n"
        )
    };
    refused(&over("borders, borders"), "E0202");
    accepted(&over("borders"));
}

#[test]
fn what_follows_from_a_fault_is_not_told() {
    let over = "trace way of army {\n  called open else shut\n  source home_area where home\n  leg march\n    over slopes\n    from anywhere\n    through anywhere\n    into anywhere\n    within 3\n}\n";
    for (text, code) in [
        (
            "table toll of army gives gold pieces by first match {\n  otherwise 1\n}\nexception old to toll when leader is none then 2\n",
            "E0100",
        ),
        (&format!("kind slope, slopes is brink one way\n{over}"), "E0203"),
        (
            "test luck of army {\n  roll 1d6\n  when total at least 5 then lower strength by 1\n  otherwise bad\n}\ndefine lucky of army = luck is good\n",
            "E0103",
        ),
        (
            "count raids of army per combat from 0 to 3\ndefine raided of army = raids at least 1\n",
            "E0213",
        ),
    ] {
        let (found, said) = behind(text);
        assert_eq!(found, [code], "{text}: {said}");
    }
}

#[test]
fn a_word_of_the_language_is_no_name_where_one_is_declared_alone() {
    let renamed = |text: &str| behind(text).0.contains(&"E0104".to_owned());
    for declared in
        ["define count of army = strength\n", "mark count of army\n", "named leader count\n"]
    {
        assert!(renamed(declared), "{declared}");
    }
    for used in [
        "define best of army = highest strength of any own army adjacent\n",
        "phase p at end of turn {\n  do mark not tired for armies\n}\n",
        "setup other on coast {\n  put army A of Red in Hill with strength 5, no leader\n}\n",
    ] {
        assert!(!renamed(used), "{used}");
    }
}

#[test]
fn lines_of_a_case_that_do_nothing_are_told() {
    let case = |lines: &[&str]| {
        let lines: String = lines.iter().map(|line| format!("  {line}\n")).collect();
        format!(
            "mark tired of army\nphase toil at end of turn {{\n  do mark tired for armies where strength at most 2\n  may clear tired for armies where tired\n}}\ncase \"c\" {{\n  setup opening\n{lines}}}\n"
        )
    };
    let (twice, home) = ("given strength of Guard is 2", "expect Guard is supplied");
    refused(&case(&[twice, "given strength of Guard is 3", home]), "W0734");
    accepted(&case(&[twice, "expect Guard is not tired", "given strength of Guard is 3", home]));
    accepted(&case(&[twice, "given strength of Raiders is 3", home]));
    refused(&case(&[home, twice]), "W0734");
    refused(&case(&[home, "run toil"]), "W0734");
    accepted(&case(&["run toil", home]));
    refused(&case(&["expect Guard may not mark tired"]), "W0720");
    refused(&case(&["expect Guard must not clear tired"]), "W0720");
    refused(&case(&["expect Guard may not move"]), "W0720");
    accepted(&case(&["expect Guard may not clear tired"]));
}

#[test]
fn dice_of_every_size_have_an_answer_or_a_code() {
    let test = |roll: &str, rows: &str| {
        format!("test t of army {{\n  roll {roll}\n{rows}  otherwise bad\n}}\n")
    };
    let row = "  when total at least 3 then good\n";
    for roll in ["20d6", "5d1000", "1d2", "1d6 + 1d8 + 1d10"] {
        let (found, said) = behind(&test(roll, row));
        assert!(found.iter().all(|code| code.starts_with('W')), "{roll}: {said}");
    }
    let rolls = [
        "21d6",
        "20d7 + 1d6",
        "20d1000",
        "0d6",
        "1d1",
        "1d1001",
        "6d1000",
        "4294967295d6",
        "99999999999d6",
        "1d99999999999",
        "10d6 + 10d6 + 1d6",
    ];
    for roll in rolls {
        refused(&test(roll, row), "E0210");
    }
    for face in ["1001", "4294967296", "99999999999999999999"] {
        refused(&format!("die odd shows 1, {face}\n{}", test("2 odd", row)), "E0210");
    }
    // Bands at the ends of what a number can be.
    let most = "1000000000 * 1000000000 * 9";
    for band in [
        most,
        "0 - 1000000000 * 1000000000 * 9",
        "1000000000 * 1000000000 * 9 + 223372036 * 1000000000 + 854775807",
    ] {
        let (found, _) =
            behind(&test("1d6 + strength", &format!("  when total at least {band} then good\n")));
        assert!(found.iter().all(|code| code.starts_with('W')), "{band}: {found:?}");
    }
    refused(&test("1d6 + 99999999999", row), "E0210");
}

#[test]
fn ends_between_which_nothing_lies_are_refused() {
    refused("define odd of army = strength between 5 and 2\n", "E0210");
    refused(
        "table sum_up of army gives points by sum of matches {\n  when strength at least 2 then 1\n  kept between 100 and 0\n}\n",
        "E0210",
    );
    refused(
        "table odd of army gives points by only match {\n  down strength\n  across | points\n  row between 5 and 2 | 1\n  row else | 2\n}\n",
        "E0210",
    );
    accepted("define even of army = strength between 2 and 2\n");
}

#[test]
fn what_stands_twice_is_refused() {
    refused(
        "table two of army gives points by first match {\n  when strength at least 2 then 1\n  otherwise 1\n  otherwise 2\n}\n",
        "E0202",
    );
    let kept = "table two of army gives points by sum of matches {\n  when strength at least 2 then 1\n  kept between 0 and 1\n  kept between 0 and 2\n}\n";
    refused(kept, "E0202");
    refused(
        "test two of army {\n  roll 1d6\n  when total at least 2 then a\n  otherwise b\n  otherwise c\n}\n",
        "E0202",
    );
    refused(
        "kind track, tracks is link {\n  joins areas where terrain is land\n  joins areas where coastal\n}\n",
        "E0202",
    );
    refused(
        "case \"two\" {\n  setup opening\n  on coast\n  expect strength of Guard at least 1\n}\n",
        "E0202",
    );
    let grids = "case \"two\" {\n  setup opening\n  given strength of Guard | expect strength of Guard\n  row 1 | 1\n  given strength of Guard | expect strength of Guard\n  row 2 | 2\n}\n";
    let (found, said) = behind(grids);
    assert!(found.iter().any(|f| f.starts_with('E')), "{found:?}: {said}");
}

#[test]
fn what_a_step_could_never_keep_is_refused() {
    let step = |step: &str| format!("phase muster at end of turn {{\n  do {step} for armies\n}}\n");
    for (said, code) in [
        ("set strength to 20", "E0309"),
        ("raise strength by -2", "E0322"),
        ("lower strength by - 1", "E0322"),
    ] {
        refused(&step(said), code);
    }
    // What may be within the range is held at its ends, and 0 switches a step off.
    for said in ["set strength to strength + 1", "set strength to 9", "raise strength by 0"] {
        accepted(&step(said));
    }
}

#[test]
fn names_that_nothing_could_ask_for_are_refused() {
    refused("die d6 shows 1, 2\n", "E0202");
    refused(
        "table loss of army gives men in points, men in areas by first match {\n  otherwise 1, 2\n}\n",
        "E0202",
    );
    accepted(
        "die lucky shows 1, 2\ntest luck of army {\n  roll 1 lucky\n  when total at least 2 then good\n  otherwise bad\n}\n",
    );
}

#[test]
fn a_word_by_itself_is_answered_with_what_can_be_so() {
    let told = |text: &str, help: &str| {
        let (found, said) = behind(text);
        assert!(!found.is_empty() && said.contains(help), "{text}: {said}");
    };
    let sea = "`sea` is a word of `terrain`, as in `terrain is sea`";
    told("define odd of army = no sea here\n", sea);
    let test = "test nerve of army {\n  roll 1d6\n  when total at least 4 then holds\n  otherwise breaks\n}\n";
    let read = "phase rout at end of turn {\n  roll nerve for armies\n  do lower strength by 1 for armies where breaks\n}\n";
    let breaks = "`breaks` is what `nerve` can come to, as in `nerve is breaks`";
    told(&format!("{test}{read}"), breaks);
}

#[test]
fn an_outcome_is_read_where_something_rolls_it() {
    let test = "test nerve of army {\n  roll 1d6\n  when total at least 4 then holds\n  otherwise breaks\n}\n";
    let read = "phase rout at end of turn {\n  do lower strength by 1 for armies where nerve is breaks\n}\n";
    let roll = "phase shock at start of turn {\n  roll nerve for armies\n}\n";
    let told = |text: &str| {
        let (found, said) = behind(text);
        assert!(found.iter().all(|f| f == "W0218"), "{found:?}: {said}");
        found.len()
    };
    assert_eq!(told(&format!("{test}{read}")), 1);
    assert_eq!(told(&format!("{test}{read}{roll}")), 0);
    let named = "define shaken of army = nerve is breaks\n";
    let by_name = read.replace("nerve is breaks", "shaken");
    assert_eq!(told(&format!("{test}{named}{by_name}")), 1);
    assert_eq!(told(&format!("{test}{named}")), 0);
}

#[test]
fn links_are_counted_and_nothing_more() {
    accepted("given mined of border\ndefine near of area = any mined border here\n");
    refused("kind fort, forts is unit\ngiven miner of border maybe a fort\n", "E0207");
    for said in [
        "define open of border = always",
        "table toll of border gives points by first match {\n  otherwise 1\n}",
        "test luck of border {\n  roll 1d6\n  otherwise good\n}",
    ] {
        refused(&format!("{said}\n"), "E0321");
    }
    accepted("kind rail, rails is border {\n  has broken yes or no\n}\n");
    refused("kind rail, rails is border\ndefine near of area = any rail border here\n", "E0321");
    refused("define near of area = any border here where coastal\n", "E0305");
    refused("define near of area = only borders here\n", "E0304");
    refused("define near of area = any border\n", "E0304");
    refused("kind fort, forts is unit {\n  has road a border\n}\n", "E0207");
    refused("choice way of army {\n  from borders here\n  left to owner\n}\n", "E0207");
    accepted("define near of area = any border here and count of borders within 1 more than 2\n");
}

#[test]
fn sides_and_the_world_stand_nowhere() {
    refused("define watched of area = any enemy side here\n", "E0304");
    refused(
        "kind calendar, calendars is world {\n  has snow yes or no\n}\ndefine odd of area = any calendar here\n",
        "E0304",
    );
    accepted(
        "kind purse, purses is side {\n  has gold in points from 0 to 9\n}\ndefine rich = any purse where gold more than 3\n",
    );
}

#[test]
fn what_is_said_of_a_kind_of_side_is_read_of_each_side() {
    let text = format!(
        "{PRELUDE}\nkind purse, purses is side {{\n  has gold in points from 0 to 9\n}}\ndefine rich = any purse where gold more than 2\ncase \"gold\" {{\n  setup opening\n  \
         given gold of Red is 3\n  expect rich\n  given gold of Red is 2\n  expect not rich\n}}\n"
    );
    let (_, rules, faults) = check_text("rules.sut", text.as_bytes());
    assert!(faults.is_empty(), "{faults:?}");
    let rules = rules.unwrap();
    assert!(run_case(&rules, &rules.cases[0], |_| "").failures.is_empty());
}

#[test]
fn over_is_asked_of_a_step_and_of_nothing_else() {
    let river = "kind river, rivers is link\n";
    let crossing = "kind river, rivers is link\ndefine crossing of army = over river\n";
    refused(
        &format!(
            "{river}trace t of army {{\n  called a else b\n  always over river\n  source s where home\n  leg l\n    over borders\n    from anywhere\n    through anywhere\n    into anywhere\n    within 1\n}}\n"
        ),
        "E0416",
    );
    for line in [
        "    from    crossing",
        "    through over river",
        "    into    not over river",
        "    within  allowance",
    ] {
        let lines: Vec<&str> =
            [
                "    from    anywhere",
                "    through anywhere",
                "    into    anywhere",
                "    within  1",
            ]
            .into_iter()
            .map(|l| {
                if l.split_whitespace().next() == line.split_whitespace().next() { line } else { l }
            })
            .collect();
        let more = "define crossing of area = over river\ntable allowance of army gives areas by first match {\n  when over river then 1\n  otherwise 2\n}\n";
        let text = format!(
            "{river}{more}trace t of army {{\n  called a else b\n  source s where home\n  leg l\n    over borders\n{}\n}}\n",
            lines.join("\n")
        );
        refused(&text, "E0416");
    }
    refused(
        &format!(
            "{crossing}phase p at end of turn {{\n  do set strength to 1 for armies where crossing\n}}\n"
        ),
        "E0416",
    );
    refused(
        &format!("{crossing}case \"c\" {{\n  setup opening\n  expect Guard is crossing\n}}\n"),
        "E0416",
    );
    refused(
        &format!(
            "{river}test t of army {{\n  roll 1d6\n  when over river then good\n  otherwise bad\n}}\n"
        ),
        "E0416",
    );
    refused(
        &format!(
            "{river}choice c of army {{\n  from areas adjacent where over river\n  left to owner\n}}\n"
        ),
        "E0416",
    );
    let hook = "hook h of army gives points {\n  reads crossing\n  kept between 0 and 4\n  otherwise 0\n}\n";
    refused(&format!("{crossing}{hook}"), "E0416");
    // In the cost of a step it is carried out, through whatever is named.
    accepted(&format!(
        "{crossing}table toll of army gives points by first match {{\n  when crossing then 3\n  otherwise 1\n}}\ntrace t of army {{\n  called a else b\n  \
         source s where home\n  leg l\n    over borders\n    from anywhere\n    through anywhere\n    into anywhere\n    cost toll\n    within 3\n}}\n"
    ));
}

#[test]
fn a_hook_behind_a_cost_is_found_through_everything() {
    let hook = "hook luck of army gives points {\n  reads strength\n  kept between 0 and 4\n  otherwise 0\n}\n\
                hook here_luck of area gives points {\n  reads coastal\n  kept between 0 and 4\n  otherwise 0\n}\n";
    let trace = |name: &str, of: &str, line: &str| {
        format!(
            "trace {name} of {of} {{\n  called {name}_yes else {name}_no\n  source s where home\n  leg l\n    over borders\n    from anywhere\n    \
             through anywhere\n    into anywhere\n{line}    within 3\n}}\n"
        )
    };
    let ways = [
        (
            "test raid of army {\n  roll 1d6 + luck\n  when total at least 4 then good\n  otherwise bad\n}\n",
            "chance of good in raid of the army at least 1/2",
        ),
        ("define lucky of army = luck at least 2\n", "lucky"),
        (
            "table stage of army gives points by first match {\n  otherwise luck\n}\n",
            "stage at least 2",
        ),
        (
            "table sum_up of army gives points by sum of matches {\n  when always then 1\n  kept between 0 and luck\n}\n",
            "sum_up at least 2",
        ),
        (
            "pair army a is beating army b = luck of a more than luck of b\n",
            "any army where it is beating the army",
        ),
        ("", "any army here where luck at least 2"),
        ("", "highest luck of armies here at least 2"),
        ("define lucky of area = here_luck at least 2\n", "any lucky area adjacent"),
        (
            "trace net of army {\n  called wired else unwired\n  source s where home\n  leg l\n    over borders\n    from anywhere\n    through anywhere\n    into anywhere\n    within luck_areas\n}\ndefine luck_areas of army = rounded down (luck / 2)\n",
            "unwired",
        ),
    ];
    for (before, when) in ways {
        let toll = format!(
            "table toll of army gives points by first match {{\n  when {when} then 3\n  otherwise 1\n}}\n"
        );
        let text = format!("{hook}{before}{toll}{}", trace("haul", "army", "    cost    toll\n"));
        let (found, said) = behind(&text);
        let errors: Vec<&String> = found.iter().filter(|f| f.starts_with('E')).collect();
        assert!(errors.iter().any(|f| *f == "E1107"), "{when}: {found:?} {said}");
    }
}

#[test]
fn bands_that_share_rolls_are_reported() {
    let test = |rows: &[&str]| {
        format!("test t of army {{\n  roll 2d6\n  {}\n  otherwise rest\n}}\n", rows.join("\n  "))
    };
    refused(
        &test(&["when total between 2 and 6 then a", "when total between 6 and 9 then b"]),
        "W0523",
    );
    refused(&test(&["when total at most 5 then a", "when total at least 4 then b"]), "W0523");
    refused(&test(&["when natural at most 5 then a", "when natural at least 4 then b"]), "W0523");
    // From the top down each row may take all that stands above it.
    accepted(&test(&["when total at least 9 then a", "when total at least 5 then b"]));
    accepted(&test(&["when total between 2 and 6 then a", "when total between 7 and 9 then b"]));
    accepted(&test(&["when natural at most 3 then a", "when total at least 5 then b"]));
}

#[test]
fn a_thing_that_must_have_another_is_told_without_it() {
    let kind = "kind garrison is unit {\n  has post an area\n  has patron maybe a side\n}\n";
    refused(&format!("{kind}setup s on coast {{\n  put garrison W of Red in Port\n}}\n"), "E0718");
    refused(
        &format!(
            "{kind}case \"c\" {{\n  on coast\n  put garrison W of Red in Port\n  expect W is garrison\n  expect post of W is Port\n}}\n"
        ),
        "E0718",
    );
    accepted(&format!(
        "{kind}setup s on coast {{\n  put garrison W of Red in Port with post Port\n}}\n"
    ));
    accepted(&format!(
        "{kind}setup s on coast {{\n  put garrison W of Red in Port\n  given post of W is Hill\n}}\n"
    ));
}

#[test]
fn what_stands_in_a_setup_without_being_put_must_have_its_things_too() {
    let setup = |lines: &str| format!("setup s on coast {{\n{lines}}}\n");
    let named = "kind scout, scouts is unit {\n  has post an area\n}\nnamed scout Weir, Holt\n";
    let (found, said) = behind(&format!("{named}{}", setup("  given post of Weir is Port\n")));
    // The setup of the prelude says nothing of either.
    assert_eq!(found, ["E0718", "E0718"], "{said}");
    assert!(said.contains("`Weir` and 1 more have no `post` in `opening`"), "{said}");
    assert!(said.contains("`Holt` has no `post` in `s`"), "{said}");
    for kind in ["area", "side", "world"] {
        let declared = format!("kind holder, holders is {kind} {{\n  has lord a side\n}}\n");
        let space = if kind == "area" {
            "map isles {\n  space holder Rock\n}\nsetup t on isles {\n}\n"
        } else {
            ""
        };
        refused(&format!("{declared}{space}"), "E0718");
    }
    let holder = "kind holder, holders is area {\n  has lord a side\n}\n";
    accepted(&format!(
        "{holder}map isles {{\n  space holder Rock with lord Red\n}}\nsetup t on isles {{\n}}\n"
    ));
    accepted(&format!(
        "{holder}map isles {{\n  space holder Rock\n}}\nsetup t on isles {{\n  given lord of Rock is Red\n}}\n"
    ));
}

#[test]
fn what_has_no_value_that_means_nothing_is_not_cleared() {
    let clear = |has: &str, fact: &str| {
        format!(
            "kind post, posts is unit {{\n  has {has}\n}}\nphase p at end of turn {{\n  do clear {fact} for posts\n}}\ndefine reads of post = {fact} is none\n"
        )
    };
    for (has, fact) in [
        ("men in points from 1 to 9", "men"),
        ("men in points from 0 to 9", "men"),
        ("drill one of raw, good", "drill"),
        ("seat an area", "seat"),
    ] {
        refused(&clear(has, fact), "E0308");
    }
    accepted(&clear("seat maybe an area", "seat"));
    accepted(
        "mark shaken of army\nphase p at end of turn {\n  do mark shaken for armies where strength is 0\n  do clear shaken for armies where shaken\n}\n",
    );
}

#[test]
fn a_source_on_no_map_is_told() {
    let trace = |line: &str| {
        format!(
            "trace haul of army {{\n  called hauled else stuck\n  source home_area where home\n  {line}\n  leg l\n    over borders\n    from anywhere\n    \
             through anywhere\n    into anywhere\n    within 3\n}}\n"
        )
    };
    refused(&trace("source quay where (coastal and terrain is sea)"), "W0417");
    refused(
        &trace(
            "relay quay where (not coastal and (coastal or terrain is sea) and terrain is land)",
        ),
        "W0417",
    );
    refused(
        &format!(
            "define quay of area = coastal and terrain is sea\n{}",
            trace("source q where quay")
        ),
        "W0417",
    );
    accepted(&trace("source quay where (coastal and terrain is land)"));
    accepted(&trace("source quay where (terrain is sea and friendly)"));
    // What a step can change may come to hold.
    accepted(&format!(
        "{}phase p at end of turn {{\n  do set coastal to yes for areas where terrain is sea\n}}\n",
        trace("source quay where (coastal and terrain is sea)")
    ));
}

/// Towns that spend their stock on another roll, and a source that asks for an empty one.
const FORAGE: &str = r#"edition 1
ruleset forage "Forage" prefix FO
sides Red, Blue
clock turn has noon
dimension points (point)
kind town, towns is space {
  has stock in points from 0 to 9
}
kind road, roads is link
kind army, armies is unit
map m {
  space town A with stock 3
  space town B with stock 2
  link road A to B
}
test forage of town {
  roll 1d6
  retry spending stock of town when forage is poor
  when total at least 5 then good
  otherwise poor
}
phase eat at start of noon {
  roll forage for towns
}
trace way of army "way" {
  called fed else hungry
  source bare where stock is 0
  leg march
    over    road
    from    anywhere
    through anywhere
    into    anywhere
    within  3
}
setup s on m {
  put army F of Red in B
}
case "spent to nothing" {
  setup s
  expect F is hungry
  dice 1, 1, 1, 1, 1, 1, 1
  run eat
  expect stock of B is 0 points
  expect F is fed
}
"#;

#[test]
fn what_a_retry_spends_may_come_to_nothing() {
    let place = Place::with(FORAGE);
    let said = place.run(&["check", "game"]);
    assert!(!format!("{}{}", said.out, said.err).contains("W0417"), "{}{}", said.out, said.err);
    assert_eq!(place.run(&["test", "game"]).code, 0);
    // Without the retry nothing changes the stock, and no town is ever empty.
    let lines = FORAGE.lines().filter(|line| !line.contains("retry"));
    let kept = lines.take_while(|line| !line.contains("case ")).collect::<Vec<_>>().join("\n");
    place.write("game/rules.sut", kept + "\n");
    let said = place.run(&["check", "game"]);
    assert!(format!("{}{}", said.out, said.err).contains("W0417"), "{}{}", said.out, said.err);
}

// ---- every slot that takes a thing, times every sort of thing

/// One game with everything that a thing can stand in.
const GAME: &str = r#"edition 1
ruleset slots "Slots" prefix SL
sides Red, Blue, Green
clock turn has camp of each side
dimension areas (area), points (point)
kind area, areas is space {
  has gate maybe an area
  has holder maybe a side
}
kind gulf, gulfs is space
kind road, roads is link
kind calendar, calendars is world {
  has host maybe a side
  has capital maybe an area
}
kind captain, captains is unit
kind fleet, fleets is unit
kind army, armies is unit {
  has strength in points from 0 to 9
  has leader maybe a captain
  has goal maybe an area
  has patron maybe a side
}
named captain Hale
mark tired of army
pair army a is watching army b = strength of a more than strength of b
pair slack from army a to area b = strength of a
test nerve of army {
  roll 1d6
  when total at least 4 then good
  otherwise bad
}
choice refuge of army {
  from areas
  left to owner
}
trace supply of army {
  called fed else hungry
  judged in check_all
  lasts until end of turn
  source home where control is Red
  leg march
    over    roads
    from    anywhere
    through no enemy army here
    into    anywhere
    within  unlimited
}
trace trade of area {
  called open else shut
  source home where control is Red
  leg march
    over    roads
    from    anywhere
    through anywhere
    into    anywhere
    within  unlimited
}
phase check_all at start of camp of owner {
  judge supply for own armies
}
phase rest at end of camp of owner {
  may mark tired for own armies
  may move to refuge for own armies
  may follow supply within 1 for own armies
}
map coast {
  space area Port
  space area Hill
  space gulf Deep
  link road Port to Hill
}
setup opening on coast {
  put army Guard of Red in Hill with strength 4
  put army Raider of Blue in Port with strength 2
  put fleet Ship of Blue in Deep
}
"#;

/// What can be written: units of each kind, spaces of each kind, sides, kinds of link and of the
/// world, words, nothing.
const THINGS: [&str; 11] = [
    "Guard",
    "Ship",
    "Hale",
    "Port",
    "Deep",
    "Red",
    "none",
    "road",
    "calendar",
    "world",
    "nobody_knows",
];

/// A line of a setup or a case with `@` for the thing, and the things that may stand there.
const STATED: [(&str, &[&str]); 23] = [
    ("given space of Raider is @", &["Port", "Deep", "none"]),
    ("given leader of Raider is @", &["Hale", "none"]),
    ("given goal of Raider is @", &["Port", "none"]),
    ("given patron of Raider is @", &["Red", "none"]),
    ("given control of Hill is @", &["Red", "none"]),
    ("given control is @ in Port, Hill", &["Red", "none"]),
    ("given control is Red in @", &["Port", "Deep"]),
    ("given control of @ is Red", &["Port", "Deep"]),
    ("given gate of Hill is @", &["Port", "none"]),
    ("given gate of @ is Hill", &["Port"]),
    ("given holder of Hill is @", &["Red", "none"]),
    ("given host is @", &["Red", "none"]),
    ("given capital is @", &["Port", "none"]),
    ("given strength of @ is 3", &["Guard"]),
    ("given @ is tired", &["Guard"]),
    ("given @ is fed", &["Guard"]),
    ("given supply of @ is fed", &["Guard"]),
    ("given trade of @ is open", &["Port"]),
    ("given @ is enemy_of Blue", &["Red"]),
    ("given Blue is ally_of @", &["Red"]),
    ("given viewer is @", &["Red"]),
    ("given @ is watching Raider", &["Guard"]),
    ("given slack from Raider to @ is 2", &["Port"]),
];

const PUT: [(&str, &[&str]); 4] = [
    ("put army New of Red in @", &["Port", "Deep"]),
    ("put army New of @ in Port", &["Red"]),
    ("put army New of Red in Port with leader @", &["Hale", "none"]),
    ("put army New of Red in Port with goal @, patron Red", &["Port", "none"]),
];

const ASKED: [(&str, &[&str]); 24] = [
    ("expect space of Guard is @", &["Port", "Deep", "none"]),
    ("expect leader of Guard is @", &["Hale", "none"]),
    ("expect goal of Guard is @", &["Port", "none"]),
    ("expect control of Hill is @", &["Red", "none"]),
    ("expect control of @ is Red", &["Port", "Deep"]),
    ("expect strength of @ at most 3", &["Guard"]),
    ("expect any army in @", &["Port", "Deep"]),
    ("expect any army adjacent to @", &["Port", "Deep", "Guard", "Ship", "Hale"]),
    ("expect count of armies within 1 of @ at most 2", &["Port", "Deep", "Guard", "Ship", "Hale"]),
    ("expect chance of good in nerve of @ at most 1", &["Guard"]),
    ("expect length of supply of @ at most 1", &["Guard"]),
    ("expect end of supply of Guard is @", &["Port", "Deep", "none"]),
    ("expect @ is watching Raider", &["Guard"]),
    ("expect slack from Guard to @ at most 9", &["Port"]),
    ("expect @ is enemy_of Blue", &["Red"]),
    ("expect @ is hungry", &["Guard"]),
    ("expect Guard may follow supply to @", &["Port", "Deep"]),
    ("expect @ may follow supply", &["Guard"]),
    ("expect Guard may move to @", &["Port", "Deep"]),
    ("expect @ may mark tired", &["Guard"]),
    ("expect Guard may choose refuge from @", &["Port"]),
    ("expect @ may choose refuge", &["Guard"]),
    ("expect @ may remove", &["Guard", "Ship", "Hale"]),
    ("expect owner of Guard is @", &["Red", "none"]),
];

const ORDERED: [(&str, &[&str]); 7] = [
    ("order @ mark tired", &["Guard"]),
    ("order @ move to Port", &["Guard", "Ship", "Hale"]),
    ("order Guard move to @", &["Port", "Deep"]),
    ("order Guard follow supply to @", &["Port", "Deep"]),
    ("order @ follow supply to Port", &["Guard"]),
    ("order Guard choose refuge is @", &["Port"]),
    ("order @ choose refuge is Port", &["Guard"]),
];

/// A rule with `@` for the thing; rules name sides and named units alone.
const RULED: [(&str, &[&str]); 10] = [
    ("define x of army = leader is @", &["Hale", "none"]),
    ("define x of army = patron is @", &["Red", "none"]),
    ("define x of army = owner is @", &["Red", "none"]),
    ("define x of area = control is @", &["Red", "none"]),
    ("define x = host is @", &["Red", "none"]),
    ("define x of army = patron is enemy_of @", &["Red"]),
    ("phase x at end of turn {\n  do set leader to @ for armies\n}", &["Hale", "none"]),
    ("phase x at end of turn {\n  do set patron to @ for armies\n}", &["Red", "none"]),
    ("phase x at end of turn {\n  do set control to @ for areas\n}", &["Red", "none"]),
    ("phase x at end of turn {\n  do set host to @\n}", &["Red", "none"]),
];

fn errors(faults: &[Diagnostic]) -> Vec<String> {
    faults
        .iter()
        .filter(|f| f.code.as_str().starts_with('E'))
        .map(|f| format!("{}: {}", f.code, f.message))
        .collect()
}

/// Asks everything that there is to ask, so that a value of the wrong sort would be stumbled upon.
fn ask_all(rules: &Ruleset, world: &World) {
    let position = Position::new(rules, world).unwrap();
    for (at, trace) in rules.traces.iter().enumerate() {
        let units = (0..world.units.len()).map(|u| ThingRef::Unit(u32::try_from(u).unwrap()));
        let spaces =
            (0..position.map.spaces.len()).map(|s| ThingRef::Space(u32::try_from(s).unwrap()));
        for thing in units.chain(spaces).filter(|thing| position.is_kind(*thing, trace.of)) {
            let _ = position.answer(TraceId::at(at), thing);
        }
    }
}

/// Holds a text against what should be said of it, and runs what is accepted.
fn hold(text: &str, slot: &str, thing: &str, fits: bool, wrong: &mut String) {
    let (_, rules, faults) = check_text("rules.sut", text.as_bytes());
    let errors = errors(&faults);
    if errors.is_empty() != fits {
        wrong.push_str(&format!("`{slot}` with {thing}: {errors:?}\n"));
    }
    let Some(rules) = rules else { return };
    for case in &rules.cases {
        let _ = run_case(&rules, case, |_| "");
    }
    for (at, _) in rules.setups.iter().enumerate() {
        ask_all(&rules, &start(&rules, sutler::ir::SetupId::at(at)));
    }
}

#[test]
fn every_slot_takes_its_kind_of_thing_and_no_other() {
    let mut wrong = String::new();
    let mut tried = 0;
    let always = "  expect strength of Raider at most 9\n";
    for thing in THINGS {
        let all = [
            (&STATED[..], "setup"),
            (&STATED[..], "case"),
            (&PUT[..], "setup"),
            (&PUT[..], "case"),
            (&ASKED[..], "case"),
            (&ORDERED[..], "case"),
        ];
        for (slots, place) in all {
            for (slot, fits) in slots {
                let line = slot.replace('@', thing);
                let text = match place {
                    "setup" => {
                        format!("{}  {line}\n}}\n", GAME.trim_end().strip_suffix('}').unwrap())
                    }
                    _ => format!("{GAME}case \"c\" {{\n  setup opening\n  {line}\n{always}}}\n"),
                };
                // A setup says nothing of who asks; a viewer is its own matter.
                hold(&text, &format!("{place}: {slot}"), thing, fits.contains(&thing), &mut wrong);
                tried += 1;
            }
        }
        for (slot, fits) in RULED {
            hold(
                &format!("{GAME}{}\n", slot.replace('@', thing)),
                slot,
                thing,
                fits.contains(&thing),
                &mut wrong,
            );
            tried += 1;
        }
        for (column, fits) in [
            ("space of Raider", &["Port", "Deep", "none"][..]),
            ("leader of Raider", &["Hale", "none"]),
            ("goal of Raider", &["Port", "none"]),
            ("patron of Raider", &["Red", "none"]),
            ("control of Hill", &["Red", "none"]),
            ("supply of Raider", &[]),
            ("host", &["Red", "none"]),
        ] {
            let text = format!(
                "{GAME}case \"c\" {{\n  setup opening\n  given {column} | expect strength of Raider\n  row {thing} | any\n}}\n"
            );
            hold(&text, &format!("grid: given {column}"), thing, fits.contains(&thing), &mut wrong);
            tried += 1;
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(tried > 1000, "{tried}");
}

#[test]
fn what_is_given_to_a_position_takes_its_kind_of_thing_and_no_other() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("rules.sut"), GAME).unwrap();
    let mut project = Project::open(folder.path());
    let rules = project.rulesets[0].rules.clone().unwrap();
    let mut wrong = String::new();
    for thing in THINGS {
        for (slot, fits) in STATED {
            let sentence = slot.replace('@', thing).replacen("given ", "", 1);
            let mut world = start(&rules, sutler::ir::SetupId::at(0));
            let before = world.clone();
            match project.give(&mut world, std::slice::from_ref(&sentence), "--given") {
                Ok(()) if fits.contains(&thing) => ask_all(&rules, &world),
                Ok(()) => wrong.push_str(&format!("`{sentence}` is taken\n")),
                Err(faults) if fits.contains(&thing) => {
                    wrong.push_str(&format!("`{sentence}`: {:?}\n", errors(&faults)))
                }
                Err(_) => assert_eq!(world, before, "{sentence}: what is refused changes nothing"),
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn positions_take_their_kind_of_thing_and_no_other() {
    let (_, rules, faults) = check_text("rules.sut", GAME.as_bytes());
    assert!(faults.is_empty(), "{faults:?}");
    let rules = rules.unwrap();
    let unit = |facts: &str| {
        format!(
            r#""units": [{{"id": "Guard", "kind": "army", "side": "Red"}}, {{"id": "Ship", "kind": "fleet", "side": "Blue"}}, {{"id": "New", "kind": "army", "side": "Red", {facts}}}]"#
        )
    };
    let rest = unit(r#""space": "Hill""#);
    let slots: Vec<(String, &[&str])> = vec![
        (unit(r#""space": @"#), &["Port", "Deep", "none"]),
        (unit(r#""space": "Hill", "facts": {"leader": @}"#), &["Hale", "none"]),
        (unit(r#""space": "Hill", "facts": {"goal": @}"#), &["Port", "none"]),
        (unit(r#""space": "Hill", "facts": {"patron": @}"#), &["Red", "none"]),
        (rest.replace(r#""side": "Red", "space""#, r#""side": @, "space""#), &["Red", "none"]),
        (format!(r#"{rest}, "spaces": {{"Hill": {{"control": @}}}}"#), &["Red", "none"]),
        (format!(r#"{rest}, "spaces": {{@: {{"control": "Red"}}}}"#), &["Port", "Deep"]),
        (format!(r#"{rest}, "spaces": {{"Hill": {{"facts": {{"gate": @}}}}}}"#), &["Port", "none"]),
        (format!(r#"{rest}, "spaces": {{@: {{"facts": {{"gate": "Hill"}}}}}}"#), &["Port"]),
        (format!(r#"{rest}, "world": {{"host": @}}"#), &["Red", "none"]),
        (format!(r#"{rest}, "world": {{"capital": @}}"#), &["Port", "none"]),
        (format!(r#"{rest}, "viewer": @"#), &["Red", "none"]),
        (format!(r#"{rest}, "relations": [[@, "enemy_of", "Blue"]]"#), &["Red"]),
        (format!(r#"{rest}, "relations": [["Blue", "enemy_of", @]]"#), &["Red"]),
        (format!(r#"{rest}, "kept": {{"supply": {{@: "fed"}}}}"#), &["Guard"]),
        (format!(r#"{rest}, "kept": {{"trade": {{@: "open"}}}}"#), &["Port"]),
        (
            format!(
                r#"{rest}, "stated": [{{"pair": "watching", "from": @, "to": "New", "value": true}}]"#
            ),
            &["Guard"],
        ),
        (
            format!(
                r#"{rest}, "stated": [{{"pair": "slack", "from": "New", "to": @, "value": 2}}]"#
            ),
            &["Port"],
        ),
    ];
    let mut wrong = String::new();
    for thing in THINGS {
        for (slot, fits) in &slots {
            // A key is a text, whatever stands there.
            let written = if thing == "none" && !slot.contains("{@:") && !slot.contains("{{@:") {
                "null".to_owned()
            } else {
                format!("{thing:?}")
            };
            let text =
                format!(r#"{{"schema": 1, "map": "coast", {}}}"#, slot.replace('@', &written));
            let (world, faults) = json::read(&text, sutler::source::SourceId(0), &rules);
            if world.is_some() != fits.contains(&thing) {
                wrong.push_str(&format!(
                    "{slot} with {thing}: {:?}\n",
                    faults.iter().map(|f| format!("{}: {}", f.code, f.message)).collect::<Vec<_>>()
                ));
            }
            if let Some(world) = world {
                ask_all(&rules, &world);
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn warnings_are_warnings() {
    let (_, rules, faults) = check_text("rules.sut", text_of("links_twice").as_bytes());
    assert!(rules.is_some() && faults.iter().all(|f| f.severity == Severity::Warning));
}

#[test]
fn what_is_wrong_in_a_row_of_a_grid_gets_no_wrong_fix() {
    let case = |rows: &str| {
        format!(
            "case \"a chart\" {{\n  setup opening\n  given space of Guard | expect Guard is supplied | expect reach of Guard\n{rows}}}\n"
        )
    };
    let table = |rows: &str| {
        format!(
            "table v of army gives points by only match {{\n  down strength\n  across terrain here | land | sea\n{rows}}}\n"
        )
    };
    let said = |text: &str| behind(text).1;
    let short = said(&case("  row Port\n  row Hill | yes | any\n"));
    assert!(!short.contains("write `,`"), "{short}");
    let empty = said(&case("  row Port | | any\n"));
    assert!(!empty.contains("take `|` out"), "{empty}");
    let range = said(&table("  row 0 to 3 | 1 | 1\n  row 4 to 9 | 1 | 2\n"));
    assert!(range.contains("write `between 0 and 3`") && !range.contains("write `|`"), "{range}");
    let joined = said(&case("  row Port yes | any\n"));
    assert!(joined.contains("write `| yes`"), "{joined}");
    // The head of a column is read for each row, and what is wrong with it is said once.
    let head = behind(
        "case \"a chart\" {\n  setup opening\n  given reach of Guard | expect Guard is supplied\n  row 1 | yes\n  row 2 | yes\n}\n",
    );
    assert_eq!(head.0, ["E0308"], "{}", head.1);
}
