//! Faults of meaning that are told apart, and that do not multiply.

use crate::place::Place;
use sutler::diag::code::PRELUDE;
use sutler::project::check_text;

/// The faults of a text behind the prelude, each as its code and message.
fn faults(text: &str) -> Vec<String> {
    let (_, _, faults) = check_text("rules.sut", format!("{PRELUDE}\n{text}").as_bytes());
    faults.iter().map(|f| format!("{}: {}", f.code, f.message)).collect()
}

/// A table of armies by a policy, with these rows.
fn table(policy: &str, rows: &str) -> String {
    format!("table pace of army gives areas by {policy} {{\n{rows}\n}}\n")
}

#[test]
fn the_answer_of_a_trace_is_not_read_by_its_own_gates() {
    let trace = |gate: &str, more: &str| {
        format!(
            "trace forage of army {{\n  called fed else hungry\n  source camp where terrain is land\n  leg way\n    over borders\n    from anywhere\n    through {gate}\n    \
             into anywhere\n    within 2\n}}\n{more}"
        )
    };
    let own = faults(&trace("no enemy army here where fed", ""));
    assert_eq!(own, ["E0410: the answer of `forage` feeds on itself: `forage` reads `forage`"]);
    let around = faults(&trace(
        "not held",
        "define held of area = any enemy army here where weak\ndefine weak of army = hungry\n",
    ));
    assert_eq!(
        around,
        [
            "E0410: the answer of `forage` feeds on itself: `forage` reads `held` reads `weak` reads `forage`"
        ]
    );
    assert_eq!(faults(&trace("no enemy army here where supplied", "")), [] as [String; 0]);
}

#[test]
fn a_half_falls_between_whole_numbers() {
    let gap = "define half of army = strength / 2\n".to_owned();
    let rows = |at_least: &str| {
        table("only match", &format!("  when half at most 1 then 1\n  when half {at_least} then 2"))
    };
    assert_eq!(
        faults(&(gap.clone() + rows("at least 2").as_str())),
        ["E0501: no row of `pace` holds when `half` is 3/2"]
    );
    assert_eq!(faults(&(gap + rows("more than 1").as_str())), [] as [String; 0]);
}

#[test]
fn the_same_words_are_the_same_condition() {
    let rows = "  when any enemy army here then 1\n  when no enemy army here and supplied then 3\n  otherwise 2";
    assert_eq!(faults(&table("only match", rows)), [] as [String; 0]);
    let rows = "  when no enemy army here then 1";
    assert_eq!(
        faults(&table("first match", rows)),
        ["E0501: no row of `pace` holds when `any enemy army here`"]
    );
}

#[test]
fn a_quotient_of_amounts_that_are_not_negative_is_not_negative() {
    let found = faults("define share of army = rounded down (reach / 2)\n");
    assert_eq!(found, [] as [String; 0]);
    let small = table(
        "first match",
        "  when doubled at most 1000000 then 1\n  when doubled more than 1000000 then 2",
    );
    assert_eq!(
        faults(&format!("define doubled of army = strength / (1/2)\n{small}")),
        [] as [String; 0]
    );
}

#[test]
fn an_unknown_name_hides_the_words_it_would_have_explained() {
    assert_eq!(
        faults("define wet of area = terain is see\n"),
        ["E0201: no fact of an area is called `terain`"]
    );
    assert_eq!(
        faults("define ashore of army = terrain is land\n"),
        ["E0305: `terrain` is a fact of the area, not of the unit in it"]
    );
}

#[test]
fn sides_that_come_later_leave_the_war_as_it_is() {
    let (_, rules, faults) =
        check_text("rules.sut", format!("{PRELUDE}\nsides White\n").as_bytes());
    assert!(faults.is_empty(), "{faults:?}");
    let said: Vec<String> = rules.unwrap().relations.iter().map(|r| format!("{r:?}")).collect();
    assert_eq!(
        said,
        ["Own", "Enemy", "Neutral", "Enemy", "Own", "Neutral", "Neutral", "Neutral", "Own"]
    );
}

#[test]
fn there_is_one_clock() {
    assert_eq!(faults("clock day has morning, evening\n"), ["E0202: a ruleset has one clock"]);
}

#[test]
fn a_condition_behind_a_number_is_no_dimension() {
    assert_eq!(
        faults("define strong of army = strength at least 5 supplied\n"),
        ["E0205: `supplied` is no dimension, so it does not go on with `5`"]
    );
}

#[test]
fn the_rulesets_of_the_folder_are_without_a_fault() {
    let project = sutler::project::Project::open(
        concat!(env!("CARGO_MANIFEST_DIR"), "/rulesets/soldier_kings").as_ref(),
    );
    assert!(project.faults.is_empty() && !project.rulesets.is_empty());
    for ruleset in &project.rulesets {
        assert!(
            ruleset.faults.is_empty() && ruleset.rules.is_some(),
            "{}: {:#?}",
            ruleset.name,
            ruleset.faults
        );
    }
}

#[test]
fn words_behind_a_name_are_not_left_unread() {
    let case = |line: &str| {
        let lines = format!("  setup opening\n  {line}\n  expect Guard is supplied\n");
        let found = faults(&format!("case \"it\" [1a] {{\n{lines}}}\n"));
        assert_eq!(found.len(), 1, "{line}: {found:?}");
        found.concat()
    };
    assert_eq!(case("run turn of Red"), "E0710: a turn is of all sides");
    let names_no_side = case("run turn of twice");
    assert!(names_no_side == "E0201: no side is called `twice`", "{names_no_side}");
    let put = case("put army Second of Red in Port from foo to bar");
    assert!(put.starts_with("E0704"), "{put}");
    for line in [
        "given terrain of Port is land from foo to bar",
        "expect terrain of Port is land from foo to bar",
        "expect Guard is supplied from foo to bar",
        "expect space of Guard is Hill from foo to bar",
    ] {
        let found = case(line);
        assert!(found.contains("`foo`") || found.contains("between two things"), "{line}: {found}");
    }
}

/// Amounts without a dimension go with those of any.
const RATIONS: &str = r#"edition 1
ruleset mini "Mini" prefix MI
sides Red against Blue
clock turn has march of each side
dimension men (man), miles (mile)
kind place, places is space {
  has width from -2 to 3
}
kind troop, troops is unit {
  has strength in men from 1 to 9
  has rations from 0 to 3
}
given luck of troop from 0 to 6
define fed of troop = rations at least 2
define pull of troop = strength + rations
define far of troop = rations + luck
define wide of troop = width here less than 0 and strength more than rations
table walk of troop gives miles by first match {
  when fed then rations
  otherwise 1
}
phase eat in march of owner {
  do lower rations by 1 for own troops
  do lower strength by 1 for own troops where not fed
}
map m {
  space place A with width -1
}
setup s on m {
  put troop X of Red in A with strength 5, rations 2
}
case "eats" {
  setup s
  given  luck of X is 4
  expect pull of X is 7 men
  expect far of X is 6
  expect walk of X is 2 miles
  expect X is wide
  run    eat of Red
  expect rations of X is 1
  expect strength of X is 4
}
"#;

#[test]
fn an_attribute_may_be_an_amount_without_a_dimension() {
    let place = Place::with(RATIONS);
    let said = place.run(&["test", "game"]);
    assert_eq!((said.code, said.err.as_str()), (0, ""), "{}", said.out);
    let (of_men, of_miles) =
        ("define odd of troop = pull + 2 miles\n", "define odd of troop = far + 2 miles\n");
    let faults = |more: &str| check_text("rations.sut", format!("{RATIONS}{more}").as_bytes()).2;
    assert!(faults(of_miles).is_empty());
    assert_eq!(faults(of_men).first().map(|fault| fault.code.as_str()), Some("E0301"));
}
