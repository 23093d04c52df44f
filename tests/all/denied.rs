//! What denies, and what speaks of all of several, is offered as it is meant or not at all: the one
//! word that is lost turns a rule round, and the text still checks.

use sutler::diag::code::PRELUDE;
use sutler::project::check_text;

use crate::common::with_fix;

/// Conditions of an area as people write them, and those that say the same.
const SAID: [(&str, &[&str]); 34] = [
    ("not next to enemy army", &["no enemy army adjacent"]),
    ("not next to an enemy army", &["no enemy army adjacent"]),
    ("is not next to any enemy army", &["no enemy army adjacent"]),
    ("not beside enemy army", &["no enemy army adjacent"]),
    ("not home nor coastal", &["not home and not coastal"]),
    ("not home, nor coastal", &["not home and not coastal"]),
    ("neither home nor coastal", &["not home and not coastal"]),
    ("not both home and coastal", &["not (home and coastal)"]),
    ("not either home or coastal", &["not (home or coastal)"]),
    ("blocked and not both home and coastal", &["blocked and not (home and coastal)"]),
    ("both home and coastal", &["home and coastal"]),
    ("not only home", &[]),
    ("no longer home", &["not home"]),
    ("isn't home", &["not home"]),
    ("home unless coastal", &["home and not coastal"]),
    ("home unless coastal or blocked", &["home and not (coastal or blocked)"]),
    ("home except if coastal and blocked", &["home and not (coastal and blocked)"]),
    ("home but not coastal", &["home and not coastal"]),
    ("all armies here are led", &["no army here where not led"]),
    ("every army here is led", &["no army here where not led"]),
    ("each enemy army here is led", &["no enemy army here where not led"]),
    ("coastal and all armies here are led", &["coastal and no army here where not led"]),
    ("not all armies here are led", &["any army here where not led"]),
    ("no army here is led", &["no army here where led"]),
    ("an army here is led", &["any army here where led"]),
    ("not more than 2 armies here", &["count of armies here at most 2", MORE_THAN_2]),
    ("no more than 2 armies here", &["count of armies here at most 2", MORE_THAN_2]),
    ("not fewer than 2 armies here", &["count of armies here at least 2", LESS_THAN_2]),
    ("no fewer than 2 armies here", &["count of armies here at least 2", LESS_THAN_2]),
    ("without any enemy army here", &["no enemy army here"]),
    ("without enemy armies", &["no enemy army here", "no enemy armies here"]),
    ("free of enemy armies", &["no enemy army here", "no enemy armies here"]),
    (
        "not free of enemy armies",
        &["any enemy army here", "not no enemy army here", "not no enemy armies here"],
    ),
    ("never any enemy army here", &["no enemy army here", "not any enemy army here"]),
];
const MORE_THAN_2: &str = "not count of armies here more than 2";
const LESS_THAN_2: &str = "not count of armies here less than 2";

/// Conditions of an army, as above.
const SAID_OF_ARMIES: [(&str, &[&str]); 14] = [
    ("not Marlow", &[]),
    ("no leader but Marlow", &[]),
    ("leader isn't Marlow", &["leader is not Marlow"]),
    ("strength no less than 3", &["strength at least 3"]),
    ("strength not less than 3", &["strength at least 3"]),
    ("strength not more than 3", &["strength at most 3"]),
    ("strength no higher than 3", &["strength at most 3"]),
    ("strength not exceeding 3", &["strength at most 3"]),
    ("strength is not one of 2, 3", &["strength is not one of (2, 3)"]),
    ("strength other than 3", &["strength is not 3"]),
    ("strength never below 3", &["strength at least 3"]),
    ("no longer supplied", &["not supplied"]),
    ("never supplied", &["not supplied"]),
    ("not yet supplied", &["not supplied"]),
];

/// Lines of a leg, as above.
const SAID_OF_LEGS: [(&str, &[&str]); 15] = [
    ("not through blocked", &["through not blocked"]),
    ("never through blocked", &["through not blocked"]),
    ("through anything but blocked", &["through not blocked"]),
    ("through neither blocked nor coastal", &["through not blocked and not coastal"]),
    ("through only home", &["through home"]),
    ("not only through home", &[]),
    ("must not go through blocked", &["through not blocked"]),
    ("may only go through home", &["through home"]),
    ("may go through blocked", &[]),
    ("cannot pass blocked areas", &["through not blocked"]),
    ("through areas without enemy armies", &["through no enemy army here"]),
    ("through areas with no enemy army adjacent", &["through no enemy army adjacent"]),
    ("through areas without enemy armies adjacent", &["through no enemy army adjacent"]),
    ("through areas not adjacent to enemy armies", &["through not any enemy army adjacent"]),
    ("through land but not blocked", &["through terrain is land and not blocked"]),
];

/// Steps of a phase, as above.
const SAID_OF_STEPS: [(&str, &[&str]); 8] = [
    ("do not mark tired for own armies", &[]),
    ("never mark tired for own armies", &[]),
    ("must not mark tired for own armies", &[]),
    (
        "do mark tired for own armies that are not led",
        &["do mark tired for own armies where not led"],
    ),
    ("do lower strength to 1 for own armies", &["do set strength to 1 for own armies"]),
    ("raise strength to 3 for own armies", &["do set strength to 3 for own armies"]),
    ("lower strength for own armies by 2", &["do lower strength by 2 for own armies"]),
    ("do raise strength for own armies", &[]),
];

/// Lines as people wrote them who had not read how they are written, each in the place of one of the
/// prelude, and what a reader who did not write the fixes said that they mean.
const TURNED: [(&str, &str, &[&str]); 34] = [
    ("through not blocked", "through nowhere", &[]),
    ("through not blocked", "through no enemy", &[]),
    ("through not blocked", "through enemy army never", &["through no enemy army here"]),
    (
        "through not blocked",
        "through no enemy army here && not home",
        &["through no enemy army here and not home"],
    ),
    ("through not blocked", "through no army here but own", &[]),
    ("through not blocked", "over no borders", &[]),
    (
        "source home_area where home",
        "source home_area where either home or coastal",
        &["source home_area where home or coastal", "source home_area where (home or coastal)"],
    ),
    ("leg march", "leg march not optional", &[]),
    ("within  reach", "not within 3", &[]),
    ("within  reach", "beyond 3", &[]),
    ("within  reach", "outside 3", &[]),
    ("within  reach", "within 1.5", &[]),
    ("within  reach", "within reach doubled", &[]),
    ("within  reach", "range < 3", &["within 2"]),
    ("within  reach", "within no more than reach", &["within reach"]),
    ("row led when leader is not none then 2", "row led when both led and ready then 2", &[]),
    (
        "row led when leader is not none then 2",
        "row led when strength from 3 then 2",
        &["row led when strength at least 3 then 2"],
    ),
    ("row led when leader is not none then 2", "row led when strength 3 or worse then 2", &[]),
    ("row led when leader is not none then 2", "row led when led then 3 more", &[]),
    ("row led when leader is not none then 2", "row led when led then +1", &[]),
    ("row led when leader is not none then 2", "row led when led then up to 3", &[]),
    ("otherwise 1", "otherwise 1 each", &[]),
    ("judge supply for own armies", "do mark tired for own or allied armies", &[]),
    ("judge supply for own armies", "do mark tired for own armies and fleets", &[]),
    ("judge supply for own armies", "do mark tired for no own army", &[]),
    (
        "judge supply for own armies",
        "do remove tired for own armies",
        &["do clear tired for own armies"],
    ),
    (
        "judge supply for own armies",
        "do reduce strength to 1 for own armies",
        &["do set strength to 1 for own armies"],
    ),
    ("judge supply for own armies", "do lower strength by up to 2 for own armies", &[]),
    ("judge supply for own armies", "do set strength to 1 less for own armies", &[]),
    (
        "judge supply for own armies",
        "do mark tired for armies not own where led",
        &["do mark tired for armies where led and not own"],
    ),
    ("judge supply for own armies", "may leave for own armies", &["may remove for own armies"]),
    ("sides Red against Blue", "sides Red against Blue, Amber neutral", &[]),
    (
        "sides Red against Blue",
        "sides Red, Amber allied against Blue",
        &["sides Red, Amber against Blue"],
    ),
    ("has coastal yes or no", "has mood none of sour, calm", &[]),
];

/// A line with the fix that is offered for it, if there is one: what the fix makes of a text, without
/// what stands before and behind the line.
fn fixed(before: &str, line: &str, behind: &str) -> Option<String> {
    let (head, text) = (format!("{before}{line}"), format!("{before}{line}{behind}"));
    let (_, _, faults) = check_text("rules.sut", text.as_bytes());
    let fix = faults.iter().find_map(|fault| fault.suggestion.as_ref())?;
    let range = fix.span.range();
    assert!(before.len() <= range.start && range.end <= head.len(), "{line}: {fix:?}");
    let text = with_fix(&text, fix);
    let (_, _, faults) = check_text("rules.sut", text.as_bytes());
    let wrong: Vec<_> = faults.iter().filter(|f| f.code.as_str().starts_with('E')).collect();
    assert!(wrong.is_empty(), "{line}: {wrong:?}");
    Some(text.strip_prefix(before)?.strip_suffix(behind)?.trim().to_owned())
}

/// The condition with the fix that is offered for it, if there is one.
fn offered(kind: &str, condition: &str) -> Option<String> {
    let before = format!("{PRELUDE}\ndefine led of army = leader is not none\n");
    let head = format!("define ready of {kind} = ");
    let line = format!("{head}{condition}");
    let new = fixed(&before, &line, "\ndefine last of area = home\n")?;
    new.strip_prefix(&head).map(str::to_owned)
}

/// The same for a line of the prelude.
fn instead(of: &str, line: &str) -> Option<String> {
    let text = format!("{PRELUDE}\nmark tired of army\ndefine led of army = leader is not none\n");
    let (before, behind) = text.split_once(of)?;
    fixed(before, line, behind)
}

/// Holds what is offered for each line to what the line says, and gives how many have a fix.
fn held<'a>(
    lines: impl IntoIterator<Item = &'a (&'a str, &'a [&'a str])>,
    fix_of: impl Fn(&str) -> Option<String>,
) -> usize {
    let offers = lines.into_iter().filter_map(|(line, meant)| Some((line, meant, fix_of(line)?)));
    let wrong = |(line, meant, new): (&&str, &&[&str], String)| {
        assert!(meant.contains(&new.as_str()), "`{line}` became `{new}`");
    };
    offers.map(wrong).count()
}

#[test]
fn a_fix_denies_what_the_line_denied() {
    let found = held(&SAID, |condition| offered("area", condition));
    assert!(found >= 15, "{found} of {} have a fix", SAID.len());
}

#[test]
fn behind_another_condition_as_well() {
    let said = SAID.iter().filter(|(said, _)| !said.contains(" unless "));
    let found = held(said, |condition| {
        let new = offered("area", &format!("coastal and {condition}"))?;
        Some(
            new.strip_prefix("coastal and ")
                .map_or(format!("without coastal: {new}"), str::to_owned),
        )
    });
    assert!(found >= 15, "{found} of {} have a fix", SAID.len());
}

#[test]
fn of_units_as_of_spaces() {
    let found = held(&SAID_OF_ARMIES, |condition| offered("army", condition));
    assert!(found >= 6, "{found} of {} have a fix", SAID_OF_ARMIES.len());
}

#[test]
fn in_legs_and_in_steps() {
    let found = held(&SAID_OF_LEGS, |line| instead("through not blocked", line))
        + held(&SAID_OF_STEPS, |line| instead("judge supply for own armies", line));
    assert!(found >= 12, "{found} have a fix");
}

#[test]
fn what_bounds_joins_and_names_is_not_turned_round() {
    for (of, line, meant) in &TURNED {
        if let Some(new) = instead(of, line) {
            assert!(meant.contains(&new.as_str()), "`{line}` became `{new}`");
        }
    }
}

/// Games of two readers who had not written the fixes.
const GAMES: [(&str, &str); 2] = [
    ("regions", include_str!("../turned/regions.sut")),
    ("hexes", include_str!("../turned/hexes.sut")),
];

/// The words of a line with one blank between them.
fn plain(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn no_line_of_two_readers_is_offered_as_what_it_does_not_say() {
    let rows = include_str!("../turned/lines.txt").lines().filter(|row| !row.starts_with('#'));
    let (mut tried, mut wrong) = (0, Vec::new());
    for row in rows {
        let [game, right, line, not] = row.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{row}")
        };
        let (_, text) = GAMES.iter().find(|(name, _)| *name == game).expect("a game");
        let place = text.lines().find(|l| plain(l) == right).expect("a line of the game");
        let indent = place.len() - place.trim_start().len();
        let new = format!("\n{}{line}\n", &place[..indent]);
        let text = text.replacen(&format!("\n{place}\n"), &new, 1);
        let (_, _, faults) = check_text("rules.sut", text.as_bytes());
        tried += 1;
        for fix in faults.iter().filter_map(|fault| fault.suggestion.as_ref()) {
            let times = |text: &str| text.lines().filter(|l| plain(l) == not).count();
            if times(&with_fix(&text, fix)) > times(&text) {
                wrong.push(format!("`{line}` is offered as `{not}`"));
            }
        }
    }
    assert!(tried > 150, "{tried}");
    assert!(wrong.is_empty(), "{wrong:#?}");
}
