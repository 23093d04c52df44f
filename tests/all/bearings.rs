//! What bears on a test, part by part and with who causes it, against sums and dice worked out by
//! hand; and the same with a fact changed.

use crate::common::counts::{seeds, share};
use std::fmt::Write;
use std::fs;
use std::process::Command;

use crate::common::Dice as Picks;
use num_rational::BigRational as Fraction;
use num_traits::{One, Zero};
use sutler::ir::{Ruleset, SetupId, TestId};
use sutler::kernel::{Amount, Bearing, BearingFrom, Position};
use sutler::project::check_text;
use sutler::world::{ThingRef, start};

/// One stand of the enemy: whether it aims at the tested stand, from where, and how near it is.
#[derive(Clone, Copy)]
struct Enemy {
    aims: bool,
    from: &'static str,
    near: i64,
}

/// One field: the numbers of its tables and who stands on it.
struct Field {
    shot: i64,
    beyond: i64,
    flanked: i64,
    each_rear: i64,
    inner: (i64, i64),
    outer: (i64, i64),
    rating: i64,
    tired: bool,
    luck: u32,
    enemies: Vec<Enemy>,
}

fn field(picks: &mut Picks) -> Field {
    let number = |picks: &mut Picks, low: i64, high: i64| {
        low + i64::try_from(picks.below(usize::try_from(high - low + 1).unwrap())).unwrap()
    };
    let enemies = (0..picks.below(5)).map(|_| Enemy {
        aims: picks.percent(60),
        from: picks.pick::<&str>(&["front", "flank", "rear"]),
        near: number(picks, 0, 4),
    });
    let enemies = enemies.collect();
    Field {
        shot: number(picks, -2, -1),
        beyond: number(picks, 0, 2),
        flanked: number(picks, -3, 1),
        each_rear: number(picks, -2, -1),
        inner: (number(picks, -3, -1), number(picks, 0, 1)),
        outer: (number(picks, -5, -2), number(picks, 0, 2)),
        rating: number(picks, -1, 3),
        tired: picks.percent(50),
        luck: u32::try_from(picks.below(3)).unwrap(),
        enemies,
    }
}

fn text(f: &Field) -> String {
    let mut text = format!(
        "edition 1
ruleset small \"Small\" prefix SM
sides Red against Blue
dimension points (point)
kind spot, spots is space
kind chief, chiefs is unit {{
  has luck in points from 0 to 3
}}
kind stand, stands is unit {{
  has rating in points from -2 to 4
  has near in points from 0 to 9
  has from_where one of front, flank, rear
  has target maybe a stand
  has chief maybe a chief
  has tired yes or no
}}
clause a \"Fire counts.\"
pair stand shooter is flanking stand foe = target of shooter is foe and from_where of shooter is flank
table sides of stand gives points by sum of matches {{
  row flanked when any enemy stand where it is flanking the stand then {} [a]
  row rear per count of enemy stands where (target is the stand and from_where is rear) then {}
  kept between {} and {}
}}
table worn of stand gives points by first match {{
  when tired then 1
  otherwise 0
}}
table modifier of stand gives points by sum of matches {{
  row shot per count of enemy stands where target is the stand beyond {} then {} [a]
  row hit_from when always then sides
  row crowd when count of enemy stands at least 3 then -1
  row closest when any enemy stand where near at least 1 then highest near of enemy stands
  kept between {} and {}
}}
define weight of stand = modifier - worn
test morale of stand {{
  roll 2d6 + rating + weight
  when total at most 3 then routs
  when total between 4 and 6 then fails
  otherwise holds
  retry spending luck of chief when morale is routs
}}
map m {{
  space spot Here
}}
setup opening on m {{
  put chief Old of Blue with luck {}
  put stand B of Blue in Here with rating {}, chief Old{}
",
        f.flanked,
        f.each_rear,
        f.inner.0,
        f.inner.1,
        f.beyond,
        f.shot,
        f.outer.0,
        f.outer.1,
        f.luck,
        f.rating,
        if f.tired { ", tired" } else { "" },
    );
    for (at, e) in f.enemies.iter().enumerate() {
        let aims = if e.aims { ", target B" } else { "" };
        writeln!(
            text,
            "  put stand R{at} of Red in Here with near {}, from_where {}{aims}",
            e.near, e.from
        )
        .unwrap();
    }
    text + "}\n"
}

/// A part as it is told by hand: the row, what it adds, and who causes it.
type Told = (String, i64, Vec<String>);

/// The parts of the table `modifier` and those within it, by hand.
fn by_hand(f: &Field) -> (Vec<Told>, Vec<Told>) {
    let named = |wanted: &dyn Fn(&Enemy) -> bool| -> Vec<String> {
        f.enemies
            .iter()
            .enumerate()
            .filter(|(_, e)| wanted(e))
            .map(|(at, _)| format!("R{at}"))
            .collect()
    };
    let part = |name: &str, amount: i64, by: Vec<String>| {
        (amount != 0).then(|| (name.to_owned(), amount, by))
    };
    let count = |by: &[String]| i64::try_from(by.len()).unwrap();
    let kept = |parts: &mut Vec<Told>, (low, high): (i64, i64)| {
        let sum: i64 = parts.iter().map(|p| p.1).sum();
        parts.extend(part("kept", sum.clamp(low, high) - sum, Vec::new()));
        sum.clamp(low, high)
    };
    let flank = named(&|e| e.aims && e.from == "flank");
    let rear = named(&|e| e.aims && e.from == "rear");
    let mut inner: Vec<Told> = Vec::new();
    inner.extend(part("flanked", if flank.is_empty() { 0 } else { f.flanked }, flank));
    inner.extend(part("rear", f.each_rear * count(&rear), rear));
    let sides = kept(&mut inner, f.inner);

    let shot = named(&|e| e.aims);
    let mut outer: Vec<Told> = Vec::new();
    outer.extend(part("shot", f.shot * (count(&shot) - f.beyond).max(0), shot));
    if sides != 0 || !inner.is_empty() {
        outer.push(("hit_from".to_owned(), sides, Vec::new()));
    }
    let all = named(&|_| true);
    outer.extend(part("crowd", if all.len() >= 3 { -1 } else { 0 }, all));
    let highest = f.enemies.iter().map(|e| e.near).max().unwrap_or(0);
    let mut by = named(&|e| e.near >= 1);
    by.extend(
        named(&|e| e.near == highest).into_iter().filter(|n| !by.contains(n)).collect::<Vec<_>>(),
    );
    outer.extend(part("closest", highest, by));
    kept(&mut outer, f.outer);
    (outer, inner)
}

fn told(rules: &Ruleset, position: &Position<'_>, part: &Bearing) -> Told {
    let name = match part.from {
        BearingFrom::Row(table, at) => rules.tables[table.index()].rows[at].name.clone(),
        BearingFrom::Kept(..) => "kept".to_owned(),
        BearingFrom::Written(_) => "written".to_owned(),
    };
    assert!(part.amount.is_integer());
    let by =
        part.causes.iter().map(|t| sutler::report::thing_name(rules, position.world, *t)).collect();
    (name, part.amount.to_integer(), by)
}

/// The chance of each outcome, every throw of the dice made, and made again as often as luck lasts.
fn every_throw(added: i64, luck: u32) -> [Fraction; 3] {
    let mut chances = [Fraction::zero(), Fraction::zero(), Fraction::zero()];
    let one = Fraction::new(1.into(), 36.into());
    for (a, b) in (1..=6).flat_map(|a| (1..=6).map(move |b| (a, b))) {
        let outcome = match a + b + added {
            ..=3 => 0,
            4..=6 => 1,
            _ => 2,
        };
        if outcome == 0 && luck > 0 {
            let again = every_throw(added, luck - 1);
            chances.iter_mut().zip(again).for_each(|(sum, chance)| *sum += chance * &one);
        } else {
            chances[outcome] += &one;
        }
    }
    chances
}

#[test]
fn parts_and_chances_are_those_worked_out_by_hand() {
    let (mut cut, mut nested, mut again) = (0, 0, 0);
    for seed in seeds(300) {
        let f = field(&mut Picks::new(seed));
        let text = text(&f);
        let (_, rules, faults) = check_text("small.sut", text.as_bytes());
        let rules = rules.unwrap_or_else(|| panic!("{text}\n{faults:#?}"));
        let world = start(&rules, SetupId(0));
        let position = Position::new(&rules, &world).unwrap();
        let thing = ThingRef::Unit(
            u32::try_from(world.units.iter().position(|u| u.id == "B").unwrap()).unwrap(),
        );
        let test = TestId(0);

        let parts = position.bearings(test, thing).unwrap();
        let sum: Amount = parts.iter().map(|p| p.amount).sum();
        let added = position.added(test, thing).unwrap().unwrap();
        assert_eq!(sum, added, "{text}\n{parts:#?}");
        let (outer, inner) = by_hand(&f);
        let worn = i64::from(f.tired);
        assert_eq!(
            added.to_integer(),
            f.rating + outer.iter().map(|p| p.1).sum::<i64>() - worn,
            "{text}"
        );

        // The rating is written in the test; then the table; then what is taken away.
        let mut wanted: Vec<Told> = Vec::new();
        wanted.extend((f.rating != 0).then(|| ("written".to_owned(), f.rating, Vec::new())));
        wanted.extend(outer.clone());
        let mut found: Vec<Told> = parts.iter().map(|p| told(&rules, &position, p)).collect();
        let last = found.pop().unwrap();
        assert_eq!((last.1, last.2.len()), (-worn, 0), "{text}");
        assert_eq!(found, wanted, "{text}");
        let within: Vec<Told> =
            parts.iter().flat_map(|p| &p.parts).map(|p| told(&rules, &position, p)).collect();
        assert_eq!(within, inner, "{text}");

        let odds = position.odds(test, thing).unwrap();
        let chance = |word: u16| {
            odds.iter().filter(|(o, _)| *o == Some(word)).map(|(_, c)| c.clone()).sum::<Fraction>()
        };
        let by_dice = every_throw(added.to_integer(), f.luck);
        assert_eq!([chance(0), chance(1), chance(2)], by_dice, "{text}");
        assert!(by_dice.iter().sum::<Fraction>().is_one());
        let report = sutler::report::test_odds(&position, test, &[thing]).unwrap();
        let alone: Vec<Option<String>> = report.odds[0]
            .roll
            .odds
            .iter()
            .map(|c| c.without.as_ref().map(|s| s.chance.clone()))
            .collect();
        let first = every_throw(added.to_integer(), 0);
        let some = f.luck > 0 && !first[0].is_zero();
        assert_eq!(alone, first.map(|c| some.then(|| c.to_string())), "{text}");

        cut += usize::from(outer.iter().any(|p| p.0 == "kept"));
        nested += usize::from(inner.len() > 1);
        again += usize::from(some);
    }
    assert!(cut > share(50) && nested > share(20) && again > share(50), "{cut} {nested} {again}");
}

const GREEN: &str = r#"edition 1
ruleset green "Green" prefix GR
sides Red against Blue
clock turn has day of each side
dimension points (point)
kind spot, spots is space
kind stand, stands is unit {
  has rating in points from 0 to 4
  has target maybe a stand
}
given tired of stand
mark gone of stand
clause 1 "Who is fired at tests its morale, 1 less for each that fires."
clause 2 "Who runs is taken away."
ruling tired_troops {
  asks "do tired troops count 1 or 2 less?"
  readings one, two
  default one
}
table modifier of stand gives points by sum of matches {
  row shot  per count of enemy stands where target is the stand then -1 [1]
  row tired when tired and tired_troops is one                  then -1
  row worn  when tired and tired_troops is two                  then -2
}
test morale of stand [1] {
  roll 1d6 + modifier
  when total at most 1 then runs
  otherwise stands
}
test nerve of stand {
  roll 1d6
  when total at most 2 then runs
  otherwise stands
}
table due of stand gives tests by all matches {
  row fire  when any enemy stand where target is the stand then morale [1]
  row tired when tired                                     then nerve
}
phase testing in day of owner {
  roll due until runs for own stands
  do   mark gone for own stands where stop of due is not none [2]
}
map field {
  space spot Here
}
setup opening on field {
  put stand B of Blue in Here
  put stand R1 of Red in Here with target B
  put stand R2 of Red in Here with target B
}
"#;

/// What the program prints of the ruleset above.
fn sutler(arguments: &[&str]) -> (Option<i32>, String, String) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("rules.sut"), GREEN).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_sutler"));
    command.env("COLUMNS", "10000");
    command.arg(arguments[0]).arg(folder.path()).args(&arguments[1..]).env("NO_COLOR", "1");
    let out = command.output().unwrap();
    (
        out.status.code(),
        String::from_utf8(out.stdout).unwrap(),
        String::from_utf8(out.stderr).unwrap(),
    )
}

#[test]
fn a_changed_fact_is_compared_with_the_position_as_it_is() {
    let asked = [
        "odds",
        "--test",
        "morale",
        "--unit",
        "B",
        "--what-if",
        "target of R2 is none",
        "--what-if",
        "B is tired",
    ];
    let (code, out, err) = sutler(&asked);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    // As it is, 1, 2 and 3 run: three of six. Then R1 alone fires, and tiredness takes its place:
    // the same three.
    let wanted = "morale, what if: target of R2 is none; B is tired

B of Blue
       before        after
           -2           -1  modifier, shot, by R1 [GR-1]  changes
            -           -1  modifier, tired               comes
           -2           -2  added to the dice in all
  1/2  50.00%  1/2  50.00%  runs
  1/2  50.00%  1/2  50.00%  stands
";
    assert_eq!(out, wanted);
    let (_, out, _) = sutler(
        &[asked.as_slice(), &["--what-if", "ruling tired_troops is two", "--format", "json"]]
            .concat(),
    );
    let report: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(report["schema"], 1);
    assert_eq!(report["things"][0]["odds"][0]["before"]["chance"], "1/2");
    assert_eq!(report["things"][0]["odds"][0]["after"]["chance"], "2/3");
    assert_eq!(report["things"][0]["odds"][0]["difference"], "+1/6");
    let rows: Vec<&str> = report["things"][0]["modifiers"]
        .as_array()
        .unwrap()
        .iter()
        .map(|m| m["row"].as_str().unwrap())
        .collect();
    assert_eq!(rows, ["shot", "worn"]);
}

#[test]
fn a_list_tells_every_roll_that_is_due_and_where_it_can_stop() {
    let (code, out, err) =
        sutler(&["odds", "--test", "due", "--unit", "B", "--given", "B is tired"]);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    // The first roll runs at 1 to 4, the second at 1 or 2; the second is made in one of three.
    let wanted = "due: fire 1d6, tired 1d6

B of Blue, in Here
  fire: morale, 1d6, by R1, R2 [GR-1]
      -2  modifier, shot, 2 times, by R1, R2 [GR-1]
      -1  modifier, tired
      -3  added to the dice in all
    runs    2/3   66.67%  ###########################
    stands  1/3   33.33%  #############
  tired: nerve, 1d6
    runs    1/3   33.33%  #############
    stands  2/3   66.67%  ###########################
  stops at fire   2/3   66.67%  ###########################
  stops at tired  1/9   11.11%  ####
  goes through    2/9   22.22%  #########

then, by what comes
  phase testing, do mark [GR-2]
";
    assert_eq!(out, wanted);
    let (_, out, _) = sutler(&[
        "odds",
        "--test",
        "due",
        "--unit",
        "B",
        "--what-if",
        "B is tired",
        "--format",
        "concise",
    ]);
    assert_eq!(out, "B: 1/2 2/3 stops at fire\nB: 1/2 2/9 goes through\nB: 0 1/9 stops at tired\n");
}

#[test]
fn whole_phases_are_compared_too() {
    let (code, out, err) = sutler(&[
        "odds",
        "--phase",
        "testing of Blue",
        "--what-if",
        "B is tired",
        "--format",
        "json",
    ]);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    let report: serde_json::Value = serde_json::from_str(&out).unwrap();
    let odds = report["things"][0]["odds"].as_array().unwrap();
    let gone = odds.iter().find(|c| c["what"].as_str().unwrap().contains("gone")).unwrap();
    // Three of six; then four of six, and one of three of the rest.
    assert_eq!(
        (gone["before"]["chance"].as_str(), gone["after"]["chance"].as_str()),
        (Some("1/2"), Some("7/9"))
    );
}

#[test]
fn units_on_a_table_have_odds_without_being_named() {
    let arguments = "odds rulesets/twilight --setup flank_and_rear --test morale --given";
    let mut command = Command::new(env!("CARGO_BIN_EXE_sutler"));
    command.env("COLUMNS", "10000");
    command.args(arguments.split(' ')).arg("target of Red1 is Blue1").args([
        "--given",
        "target of Red2 is Blue1",
        "--format",
        "json",
    ]);
    let out = command.current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
    let report: serde_json::Value = serde_json::from_slice(&out.stdout).unwrap();
    let ids: Vec<&str> =
        report["odds"].as_array().unwrap().iter().map(|t| t["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["Blue1", "Red1", "Red2"]);
    // The total that the source works out: one on the flank and one on the rear, both in range.
    assert_eq!(report["odds"][0]["added"], "-6");
}

#[test]
fn a_sentence_that_cannot_be_given_is_a_wrong_call_with_its_usual_code() {
    let faults = [
        ("B is tird", "E0308"),
        ("B is", "E0100"),
        ("rating of B is 9", "E0309"),
        ("rating of Nobody is 1", "E0201"),
        ("rating of B = 1", "E0105"),
        ("B is tired B", "E0201"),
        ("ruling tired_troops is three", "E0206"),
        ("option rain is on", "E0201"),
        ("modifier of B is 1", "E0308"),
        ("", "E0100"),
        ("dice 3", "E0103"),
        ("((((((", "E0100"),
    ];
    for (sentence, wanted) in faults {
        let (code, out, err) = sutler(&["odds", "--test", "morale", "--given", sentence]);
        assert_eq!((code, out.as_str()), (Some(2), ""), "{sentence}: {err}");
        assert!(err.contains(&format!("error[{wanted}]")), "{sentence}: {err}");
    }
    // The sentence as a case writes it is the same one.
    let given =
        |sentence: &str| sutler(&["odds", "--test", "morale", "--unit", "B", "--given", sentence]);
    assert_eq!(given("given B is tired"), given("B is tired"));
    assert_ne!(given("B is tired").1, given("B is not tired").1);
}

/// A chief whose skill, mood, stage and place each bear on the morale of a stand.
const LED: &str = r#"edition 1
ruleset led "Led" prefix LE
sides Red against Blue
dimension points (point)
track doubt "Doubt" {
  calm
  uneasy
}
kind spot, spots is space
kind chief, chiefs is unit {
  has skill in points from 0 to 4
  has mood one of steady, bold
  has nerve on doubt
}
kind stand, stands is unit {
  has chief maybe a chief
}
table modifier of stand gives points by sum of matches {
  row skilled when skill of chief at least 1              then 1
  row bold    when mood of chief is bold                  then 1
  row uneasy  when nerve of chief at least uneasy         then 1
  row near    when space of chief is space of the stand   then 1
  row tested  when bravery of chief is brave              then 1
  row alone   when not (mood of chief is steady)          then 1
}
test bravery of chief {
  roll 1d6
  when total at least 1 then brave
  otherwise afraid
}
test morale of stand {
  roll 1d6 + modifier
  when total at most 2 then runs
  otherwise stands
}
map field {
  space spot Here
}
setup opening on field {
  put chief C of Red in Here with mood bold, skill 2, nerve uneasy
  put stand S of Red in Here with chief C
}
"#;

#[test]
fn a_word_a_stage_a_place_and_an_outcome_have_causes_as_an_amount_has() {
    let (_, rules, faults) = check_text("led.sut", LED.as_bytes());
    let rules = rules.unwrap_or_else(|| panic!("{faults:#?}"));
    let mut world = start(&rules, SetupId(0));
    let chief = ThingRef::Unit(0);
    let test = |name: &str| TestId::at(rules.tests.iter().position(|t| t.name == name).unwrap());
    world.roll(test("bravery"), chief, Some(0));
    let position = Position::new(&rules, &world).unwrap();
    let parts = position.bearings(test("morale"), ThingRef::Unit(1)).unwrap();
    let table = &rules.tables[0];
    let found: Vec<(&str, &[ThingRef])> = parts
        .iter()
        .map(|part| match part.from {
            BearingFrom::Row(_, row) => (table.rows[row].name.as_str(), part.causes.as_slice()),
            _ => panic!("{part:?}"),
        })
        .collect();
    let chief = [chief];
    let by_chief = ["skilled", "bold", "uneasy", "near", "tested"].map(|row| (row, &chief[..]));
    // What is not so has no witness.
    let all: Vec<_> = by_chief.into_iter().chain([("alone", &[][..])]).collect();
    assert_eq!(found, all);
}
