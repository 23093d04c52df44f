//! What denies, and what speaks of all of several, is offered as it is meant or not at all: the one
//! word that is lost turns a rule round, and the text still checks.

use sutler::diag::code::PRELUDE;
use sutler::project::check_text;

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

/// The condition with the fix that is offered for it, if there is one.
fn offered(condition: &str) -> Option<String> {
    let head = "define ready of area = ";
    let line = format!("{head}{condition}");
    let text = format!(
        "{PRELUDE}\ndefine led of army = leader is not none\n{line}\ndefine last of area = home\n"
    );
    let (_, _, faults) = check_text("rules.sut", text.as_bytes());
    let fix = faults.iter().find_map(|fault| fault.suggestion.as_ref())?;
    let mut mended = text.clone();
    mended.replace_range(fix.span.start as usize..fix.span.end as usize, &fix.replacement);
    let new = mended.lines().find_map(|line| line.strip_prefix(head))?;
    Some(new.trim().to_owned())
}

#[test]
fn a_fix_denies_what_the_line_denied() {
    let mut found = 0;
    for (condition, meant) in SAID {
        let Some(new) = offered(condition) else { continue };
        assert!(meant.contains(&new.as_str()), "`{condition}` became `{new}`");
        found += 1;
    }
    assert!(found >= 15, "{found} of {} have a fix", SAID.len());
}

#[test]
fn behind_another_condition_as_well() {
    let mut found = 0;
    for (condition, meant) in SAID.iter().filter(|(said, _)| !said.contains(" unless ")) {
        let Some(new) = offered(&format!("coastal and {condition}")) else { continue };
        let mut meant = meant.iter().map(|meant| format!("coastal and {meant}"));
        assert!(meant.any(|meant| meant == new), "`{condition}` became `{new}`");
        found += 1;
    }
    assert!(found >= 15, "{found} of {} have a fix", SAID.len());
}
