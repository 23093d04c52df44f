//! `sutler lint`: comments that allow a finding, and fixes.

use crate::place::Place;
use serde_json::Value;
use sutler::diag::code::PRELUDE;

const ODD: &str = "define wet of area = terrain is sea\n";

fn codes(rules: &str) -> Vec<String> {
    let place = Place::with(&format!("{PRELUDE}\n{rules}"));
    let said = place.run(&["lint", "game", "--format", "json"]);
    let found: Value =
        serde_json::from_str(&said.out).unwrap_or_else(|_| panic!("{}{}", said.out, said.err));
    let found = found["diagnostics"].as_array().unwrap();
    assert_eq!(said.code, i32::from(!found.is_empty()));
    found.iter().map(|f| f["code"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_comment_with_a_reason_keeps_a_finding_quiet() {
    let before = codes("");
    let with = |rules: &str| -> Vec<String> {
        codes(rules).into_iter().filter(|c| !before.contains(c)).collect()
    };
    assert_eq!(with(ODD), ["W1206"]);
    assert_eq!(with(&format!("# allow W1206: the host asks for it\n{ODD}")), [] as [&str; 0]);
    assert_eq!(
        with(&format!("# allow W1206: the host asks for it\n# and says so\n{ODD}")),
        [] as [&str; 0]
    );
    assert_eq!(with(&format!("# allow W1206\n{ODD}")), ["E1060", "W1206"]);
    assert_eq!(with(&format!("# allow W0000: nothing is called so\n{ODD}")), ["E1061", "W1206"]);
    assert_eq!(with(&format!("# allow W1205: another code\n{ODD}")), ["W1210", "W1206"]);
    // A comment allows what stands below it, and nothing elsewhere.
    assert_eq!(
        with(&format!("# allow W1206: the host asks for it\ndefine dry of area = not home\n{ODD}")),
        ["W1206"]
    );
    assert_eq!(with(&format!("# allow me a word about this\n{ODD}")), ["W1206"]);
}

#[test]
fn a_fix_takes_a_stale_comment_out_and_leaves_all_else() {
    let rules = format!("{PRELUDE}\n# a line before\n# allow W1205: once it was so\n{ODD}");
    let place = Place::with(&rules);
    let said = place.run(&["lint", "game", "--fix", "--dry-run"]);
    assert!(said.out.contains("- # allow W1205: once it was so\n"), "{}", said.out);
    assert_eq!(std::fs::read_to_string(place.path("game/rules.sut")).unwrap(), rules);
    let said = place.run(&["lint", "game", "--fix"]);
    assert_eq!(said.code, 1, "{}", said.out);
    let now = std::fs::read_to_string(place.path("game/rules.sut")).unwrap();
    assert_eq!(now, rules.replace("# allow W1205: once it was so\n", ""));
}

#[test]
fn the_other_formats_tell_the_same() {
    let place = Place::with(&format!("{PRELUDE}\n{ODD}"));
    let github = place.run(&["lint", "game", "--format", "github"]).out;
    assert!(github.contains("title=W1206::nothing reads the define `wet`"), "{github}");
    let sarif: Value =
        serde_json::from_str(&place.run(&["lint", "game", "--format", "sarif"]).out).unwrap();
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    assert_eq!(results.len(), github.lines().count());
    let rules = sarif["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap();
    for result in results {
        assert_eq!(rules[result["ruleIndex"].as_u64().unwrap() as usize]["id"], result["ruleId"]);
    }
}

#[test]
fn a_reading_under_which_nothing_is_a_source_or_a_relay_is_tried_by_a_no() {
    let game = |ends: &str, asked: &str| {
        format!(
            "ruling hands [1a] {{\n  asks \"does a fleet hand on what it gets?\"\n  \
             readings yes_it_does, no_it_does_not\n  default yes_it_does\n}}\n\
             trace train of army {{\n  called fed else unfed\n{ends}  leg haul\n    over borders\n    \
             from anywhere\n    through anywhere\n    into anywhere\n    within 1\n}}\n\
             case \"both readings\" [1a] {{\n  setup opening\n  put fleet Train of Blue in Hill\n  \
             given control of Port is Blue\n  given control of Hill is none\n  \
             given ruling hands | expect train of Raiders\n  row yes_it_does | fed\n{asked}}}\n"
        )
    };
    let relay = "  source home_area where (home and coastal)\n  \
        relay train where (any own fleet here and hands is yes_it_does)\n";
    let source = "  source train where (any own fleet here and hands is yes_it_does)\n";
    for ends in [relay, source] {
        let tried = codes(&game(ends, "  row no_it_does_not | unfed\n"));
        assert!(!tried.iter().any(|c| c == "W1207"), "{ends}: {tried:?}");
        let untried = codes(&game(ends, ""));
        assert!(untried.iter().any(|c| c == "W1207"), "{ends}: {untried:?}");
    }
}

#[test]
fn a_value_that_a_side_sees_is_reported_where_units_may_be_of_another() {
    let known = "define helped of army = any friendly leader here\n\
                 define aided of army = helped or strength at least 3\n\
                 define loyal of army = friendly or (neutral and strength at least 2)\n\
                 define ours of army = own and strength at least 1\n\
                 table help of army gives points by first match {\n  when helped then 1\n  otherwise 0\n}\n";
    let before = codes(known);
    let found = |value: &str| {
        let found = codes(&format!("{known}define near of army = {value}\n"));
        let new = found.iter().filter(|c| *c == "W1209").count();
        new - before.iter().filter(|c| *c == "W1209").count()
    };
    for (value, times) in [
        ("any army adjacent where helped", 1),
        ("any enemy army adjacent where helped", 1),
        ("any helped enemy army adjacent", 1),
        ("(count of enemy armies where aided) at least 1", 1),
        ("any army adjacent where (helped and not own)", 1),
        ("any army adjacent where (own or helped)", 1),
        ("sum of help of enemy armies at least 1", 1),
        ("sum of help of armies here at least 1", 1),
        ("highest help of armies here at least 1", 1),
        ("any loyal helped army adjacent", 1),
        // On the side that asks both meanings are one.
        ("any own army adjacent where helped", 0),
        ("any friendly helped army adjacent", 0),
        ("any army adjacent where (ours and aided)", 0),
        ("any army adjacent where ((own or allied) and helped)", 0),
        ("sum of help of own armies at least 1", 0),
        // Whose the unit itself is, is asked as the asker sees it.
        ("any loyal army adjacent", 0),
        ("no loyal army here", 0),
        ("any army adjacent where not ours", 0),
        // The enemies are those of the asker, as they are written.
        ("any enemy army where any enemy leader here", 0),
    ] {
        assert_eq!(found(value), times, "{value}");
    }
}

/// What lint tells of what must never hold, a line each.
fn never(rules: &str) -> Vec<String> {
    let place = Place::with(&format!("{PRELUDE}\n{rules}"));
    let said = place.run(&["lint", "game", "--format", "concise"]);
    let of_never = said.out.lines().filter(|l| l.contains("W1211"));
    of_never.map(|l| l.split_once("]: ").unwrap().1.to_owned()).collect()
}

const AFLOAT: &str = "define afloat of army \"an army at sea\" never = terrain here is sea\n";

#[test]
fn what_must_never_hold_is_told_with_a_witness_of_setups_and_cases() {
    assert_eq!(never(AFLOAT), [] as [&str; 0]);
    let landing = "setup landing on coast {\n  put army Marines of Red in Bay\n  \
                   put army Scouts of Blue in Bay\n  put army Rest of Blue in Hill\n}\n";
    let told = never(&format!("{AFLOAT}{landing}"));
    assert_eq!(told.len(), 1, "{told:?}");
    let start =
        "\"an army at sea\": `afloat` holds of `Marines`, `Scouts` in setup `landing`, for ";
    assert!(told[0].starts_with(start) && told[0].contains("sea"), "{told:?}");
    // A case tells of what is new in it, once, at its first expectation.
    let case = "case \"put out\" {\n  setup landing\n  expect strength of Guard is 0\n  \
                given space of Rest is Bay\n  expect Rest is afloat\n  expect Rest is afloat\n}\n"
        .replace("  expect strength of Guard is 0\n", "");
    let told = never(&format!("{AFLOAT}{landing}{case}"));
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(told[1].contains("holds of `Rest` in case \"put out\""), "{told:?}");
    // What stands still in between is no position.
    let back = case.replace(
        "expect Rest is afloat\n  expect Rest is afloat",
        "given space of Rest is Hill\n  expect Rest is not afloat",
    );
    assert_eq!(never(&format!("{AFLOAT}{landing}{back}")).len(), 1);
    // The author's reason keeps it quiet at the setup.
    let allowed = format!("{AFLOAT}# allow W1211: they swim\n{landing}");
    assert_eq!(never(&allowed), [] as [&str; 0]);
}

#[test]
fn what_must_never_hold_may_be_of_spaces_of_sides_and_of_the_whole_game() {
    let told = never("define idle of area never = coastal and no army here\n");
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(
        told[0].starts_with("`idle` must never hold, and holds of `Port` in setup"),
        "{told:?}"
    );
    let told = never("define crowded never = count of armies at least 2\n");
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].starts_with("`crowded` must never hold, and holds in setup"), "{told:?}");
    // Each side asks of what belongs to nobody.
    let told = never("define near of area never = any enemy army here where strength at least 4\n");
    assert!(told.len() == 1 && told[0].contains("`Hill`"), "{told:?}");
}

#[test]
fn what_must_never_hold_is_a_condition_and_no_work_for_cases() {
    let place = Place::with(&format!("{PRELUDE}\ndefine much of army never = strength\n"));
    let said = place.run(&["check", "game", "--format", "concise"]);
    assert!(said.code == 1 && said.out.contains("E0302"), "{}", said.out);
    let place = Place::with(&format!("{PRELUDE}\n{AFLOAT}"));
    assert!(!place.run(&["mutate", "game", "--list"]).out.contains("afloat"));
    assert!(!place.run(&["coverage", "game"]).out.contains("afloat"));
    assert!(place.run(&["doc", "game"]).out.contains("never: "), "the page for players says so");
    assert!(place.run(&["resolve", "game"]).out.contains("at sea\" never = terrain here is sea"));
}

/// `enemy` where nobody is one is told once; a line `sides`, a setup or a case that makes enemies
/// ends it, and only of the word that is meant.
#[test]
fn a_stance_that_nobody_takes_is_told() {
    let told = |sides: &str, more: &str| -> Vec<String> {
        let text = PRELUDE.replacen("sides Red against Blue", sides, 1);
        assert_ne!((text == PRELUDE), sides != "sides Red against Blue");
        let place = Place::with(&format!("{text}\n{more}"));
        let said = place.run(&["lint", "game", "--format", "concise"]);
        let lines = said.out.lines().filter(|line| line.contains("W1212"));
        lines.map(|line| line.split('`').nth(1).unwrap().to_owned()).collect()
    };
    let both = "define pressed of army = any enemy army here or any allied army here\n";
    let setup = |stated: &str| format!("{both}setup war on coast {{\n  given {stated}\n}}\n");
    let case = format!(
        "{both}case \"war\" {{\n  setup opening\n  given Red is enemy_of Blue\n  expect Guard is pressed\n}}\n"
    );
    assert_eq!(told("sides Red, Blue", both), ["enemy", "allied"]);
    assert_eq!(told("sides Red against Blue", both), ["allied"]);
    assert_eq!(told("sides Red, Blue", &setup("Red is enemy_of Blue")), ["allied"]);
    assert_eq!(told("sides Red, Blue", &setup("Red is ally_of Blue")), ["enemy"]);
    assert_eq!(told("sides Red, Blue", &case), ["allied"]);
}

#[test]
fn a_unit_that_counts_itself_or_asks_how_it_stands_to_itself_is_told() {
    let before = codes("");
    let with = |rules: &str| -> Vec<String> {
        let found = codes(rules).into_iter();
        found.filter(|c| !before.contains(c) && c != "W1206").collect()
    };
    let define = |body: &str| with(&format!("define odd of army = {body}\n"));
    assert_eq!(define("any own army here"), ["W1204"]);
    assert_eq!(define("supplied and no friendly unit within 1"), ["W1204"]);
    assert_eq!(define("any army adjacent where any own army here"), ["W1204"]);
    for meant in [
        "any own army here where it is not the army",
        "any own army adjacent",
        "any enemy army here",
        "any own army here where strength at least 2",
        "count of own armies here at least 2",
    ] {
        assert_eq!(define(meant), [] as [&str; 0], "{meant}");
    }
    assert_eq!(define("friendly and supplied"), ["W1204"]);
    // Asked of others it says something.
    let others = "define ours of army = friendly\ndefine odd of army = any ours army adjacent\n";
    assert_eq!(with(others), [] as [&str; 0]);
}

/// What lint says of the define `odd` with this body, with the codes and places left out.
fn said_of(body: &str) -> String {
    let place = Place::with(&format!(
        "{PRELUDE}\ntest luck of army {{\n  roll 1d6\n  when total at least 3 then good\n  otherwise bad\n}}\n\
         mark tired of army until end of turn\ndefine odd of army = {body}\n"
    ));
    let said = place.run(&["lint", "game", "--format", "concise"]);
    let told = said.out.lines().filter_map(|line| line.split_once("W1204]: "));
    told.map(|(_, text)| text.split_once(", whatever").map_or(text, |(text, _)| text)).collect()
}

#[test]
fn what_is_settled_is_told_the_right_way_round() {
    for (body, said) in [
        ("strength is not 20", "`strength is not 20` always holds"),
        ("terrain here is not one of (land, sea)", "never holds"),
        ("supplied and unsupplied", "`supplied and unsupplied` never holds"),
        ("tired or not tired", "`tired or not tired` always holds"),
        ("terrain here is land and terrain here is sea", "never holds"),
        ("any enemy army here and no enemy army here", "never holds"),
        ("owner is Red and owner is Blue", "never holds"),
        ("strength at least strength", "always holds"),
        ("leader is leader", "`leader is leader` always holds"),
        ("count of armies here less than 0", "never holds"),
        ("reach at least 3", "`reach at least 3` never holds"),
        ("any own enemy army here", "never holds"),
        ("any army here where (allied and neutral)", "never holds"),
        ("any friendly army here where (not own and not allied)", "never holds"),
    ] {
        let told = said_of(body);
        assert!(told.contains(said), "{body}: {told}");
    }
    for meant in [
        "strength is not 9",
        "tired or supplied",
        "leader is Marlow",
        "reach at least 2",
        "length of supply at least 1",
        "count of armies here less than 1",
        "terrain here is land and terrain here is not sea and tired",
        "strength more than length of supply",
        "not (luck is good or luck is bad)",
        "luck is luck",
        "any friendly army here where not own",
        "any army here where (own or enemy or neutral)",
    ] {
        assert_eq!(said_of(meant), "", "{meant}");
    }
}

#[test]
fn a_step_that_changes_nothing_is_told() {
    let told = |step: &str| {
        let phase = format!("phase odd in action of owner {{\n  {step}\n}}\n");
        codes(&format!("mark tired of army\n{TIRED}{phase}")).contains(&"W1215".to_owned())
    };
    for step in [
        "do mark tired for own armies where tired",
        "do mark tired for own armies where (leader is none and tired)",
        "do clear tired for own armies where not tired",
        "do clear leader for own armies where leader is none",
        "do set leader to Marlow for own armies where leader is Marlow",
        "do set strength to 3 for own armies where strength is 3",
        "do set strength to strength for own armies",
        "do raise strength by 1 for own armies where strength at least 9",
        "do lower strength by 1 for own armies where strength is 0",
        "may move to space for own armies",
        "must mark tired for own armies where tired",
    ] {
        assert!(told(step), "{step}");
    }
    for step in [
        "do mark tired for own armies where not tired",
        "do mark tired for own armies where (tired or leader is none)",
        "do clear tired for own armies where tired",
        "do set leader to Marlow for own armies where leader is none",
        "do set strength to 3 for own armies where strength at most 3",
        "do raise strength by 1 for own armies where strength at least 8",
        "do lower strength by 1 for own armies where strength at most 1",
        "do mark tired for own armies where any own army adjacent where tired",
    ] {
        assert!(!told(step), "{step}");
    }
}

/// What makes armies tired, and not.
const TIRED: &str =
    "phase toil at end of turn {\n  do mark tired for armies where strength at most 2\n}\n";

#[test]
fn what_is_preferred_among_things_alike_in_it_is_told() {
    let told = |prefer: &str| {
        let choice = format!(
            "choice refuge of army {{\n  from areas adjacent where terrain is land\n  prefer no enemy army here\n  prefer {prefer}\n  left to owner\n}}\n"
        );
        codes(&format!("{choice}{INTO_REFUGE}")).contains(&"W1216".to_owned())
    };
    for prefer in ["not any enemy army here", "terrain is land", "terrain is sea", "lowest 3"] {
        assert!(told(prefer), "{prefer}");
    }
    for prefer in ["any own army here", "control is Red", "highest count of own armies here"] {
        assert!(!told(prefer), "{prefer}");
    }
}

const INTO_REFUGE: &str =
    "phase odd in action of owner {\n  may move to refuge for own armies\n}\n";

#[test]
fn a_table_and_a_test_that_come_to_the_same_are_told() {
    let told = |rules: &str| codes(rules).contains(&"W1216".to_owned());
    let table = |first: &str, other: &str| {
        format!(
            "table far of army gives points by first match {{\n  when supplied then {first}\n  otherwise {other}\n}}\n"
        )
    };
    assert!(told(&table("2", "2")));
    assert!(!told(&table("2", "3")) && !told(&table("strength", "strength + 1")));
    let test = |row: &str, other: &str| {
        format!(
            "test dawn of army {{\n  roll 1d6\n  when {row} then fair\n  otherwise {other}\n}}\n"
        )
    };
    assert!(told(&test("supplied", "foul")) && told(&test("total at least 3", "fair")));
    assert!(!told(&test("total at least 3", "foul")) && !told(&test("natural is 1", "foul")));
}

#[test]
fn a_test_and_a_track_that_nothing_reads_are_told() {
    let found = codes(
        "track siege {\n  free\n  besieged\n}\ntest luck of army {\n  roll 1d6\n  when total at least 3 then good\n  otherwise bad\n}\n",
    );
    assert_eq!(found.iter().filter(|c| *c == "W1206").count(), 2, "{found:?}");
}

/// What lint reports of a variant, from its own file and from the folder; without the parent's part.
fn of_variant(rules: &str, variant: &str) -> Vec<String> {
    let place = Place::with(&format!("{PRELUDE}\n{rules}"));
    let head = "edition 1\nruleset winter \"Winter\" prefix EXW extends example\n";
    place.write("game/winter.sut", format!("{head}{variant}"));
    let lines = |path: &str| -> Vec<String> {
        let said = place.run(&["lint", path, "--format", "concise"]);
        assert!(said.code < 2, "{}", said.err);
        let line = |l: &str| Some(l.split_once("winter.sut:")?.1.to_owned());
        said.out.lines().filter_map(line).collect()
    };
    let both = lines("game");
    assert_eq!(lines("game/winter.sut"), both);
    both
}

#[test]
fn a_clause_that_prints_a_number_of_before_is_reported() {
    let one = "override row led of reach was 2 now 3";
    let told = of_variant("", one);
    assert_eq!(told.len(), 1, "{told:?}");
    let said = "`EX-1b` still says 2, and row led of table `reach` does not any more";
    assert!(told[0].starts_with("3:") && told[0].contains(said), "{told:?}");
    // A number that the clause does not print, or prints of something that stays.
    assert_eq!(of_variant("", "override otherwise of reach was 1 now 0"), [] as [&str; 0]);
    // The whole table anew, and lines behind `but`.
    let whole = "override table reach of army gives areas by first match [EX-1b] {\n  row led when leader is not none then 4\n  otherwise 1\n}\n";
    assert!(of_variant("", whole).iter().any(|t| t.contains("W1213")), "{whole}");
    // The clause says something else, or the line carries out another one.
    let clause = "override clause 1b was \"A supply line is one area long, two with a leader.\"\n  now \"A supply line is one area long, three with a leader.\"\n";
    assert_eq!(of_variant("", &format!("{one}\n{clause}")), [] as [&str; 0]);
    let allowed = format!("# allow W1213: a sample\n{one}");
    assert_eq!(of_variant("", &allowed), [] as [&str; 0]);
}

#[test]
fn a_variant_reports_what_must_never_hold_where_its_parent_does_not_show_it() {
    let far = "define far_off of army \"too far\" never = reach at least 3\n";
    let led = "setup march on coast {\n  put army Third of Red in Hill with leader Marlow\n}\n";
    let place = Place::with(&format!("{PRELUDE}\n{far}{led}"));
    assert!(!place.run(&["lint", "game"]).out.contains("W1211"));
    let head = "edition 1\nruleset winter \"Winter\" prefix EXW extends example\n";
    place.write("game/winter.sut", format!("{head}override row led of reach was 2 now 3\n"));
    for path in ["game", "game/winter.sut"] {
        let said = place.run(&["lint", path, "--format", "concise"]).out;
        assert_eq!(said.matches("W1211").count(), 1, "{path}: {said}");
        assert!(said.contains("`far_off` holds of `Third` in setup `march`"), "{path}: {said}");
    }
    // What the parent shows itself is reported there, and once.
    let shown = far.replace("at least 3", "at least 2");
    place.write("game/rules.sut", format!("{PRELUDE}\n{shown}{led}"));
    let said = place.run(&["lint", "game", "--format", "concise"]).out;
    assert_eq!(said.matches("W1211").count(), 1, "{said}");
    let said = place.run(&["lint", "game/winter.sut", "--format", "concise"]).out;
    assert_eq!(said.matches("W1211").count(), 0, "{said}");
}
