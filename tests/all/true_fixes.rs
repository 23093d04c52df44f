//! Fixes that are offered are true, what follows from a fault is held back, and `check --fix` writes
//! what is sure.

use sutler::project::check_text;

use crate::common::with_fix;
use crate::place::Place;

const GAME: &str = include_str!("../guesses.sut");

/// The faults of the game with one text for another: code, line, help and whether a fix is offered.
fn with(right: &str, wrong: &str) -> Vec<(String, usize, String, Option<String>)> {
    assert_eq!(GAME.matches(right).count(), 1, "{right:?} stands once");
    let (sources, _, faults) = check_text("rules.sut", GAME.replacen(right, wrong, 1).as_bytes());
    let line = |f: &sutler::diag::Diagnostic| {
        f.primary().map_or(0, |at| sources.line_col(at.source, at.start).line as usize)
    };
    faults
        .iter()
        .map(|f| {
            let fix = f.suggestion.as_ref().map(|s| s.replacement.clone());
            (f.code.to_string(), line(f), f.help.clone().unwrap_or_default(), fix)
        })
        .collect()
}

/// The line on which a text stands in the game.
fn line_of(text: &str) -> usize {
    GAME[..GAME.find(text).unwrap()].matches('\n').count() + 1
}

#[test]
fn a_fix_that_means_another_thing_is_not_offered() {
    let found = with("strength at least 5", "strength at least 2.5");
    assert_eq!(found.len(), 1);
    assert!(found[0].3.is_none() && found[0].2.contains("5/2"), "{found:?}");
    let found = with("named leader Ney, Soult", "named leader Ney the Great, Soult");
    assert!(found.iter().all(|f| f.3.is_none()), "{found:?}");
}

#[test]
fn where_several_are_true_all_are_named_and_none_is_offered() {
    let found = with("depot and friendly", "depot friendly");
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].2, "write `and friendly`, or write `or friendly`");
    assert_eq!(found[0].3, None);
}

#[test]
fn a_misspelled_declaration_is_one_message_at_its_place() {
    for (right, wrong, name) in [
        ("has strength in steps", "has strenght in steps", "strength"),
        ("kind army, armies is unit", "kind arny, armies is unit", "army"),
        ("has terrain one of clear, forest", "has terrain one of clear, forrest", "forest"),
    ] {
        let found = with(right, wrong);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].1, line_of(right), "{found:?}");
        assert_eq!(found[0].3.as_deref(), Some(name), "{found:?}");
    }
}

#[test]
fn what_reads_a_broken_declaration_is_held_back() {
    let found = with("has strength in steps from 0 to 9", "has strength in steps from 9 to 0");
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].0, "E0210");
}

#[test]
fn a_fault_of_the_base_is_said_once_for_all_variants() {
    let place = Place::with(&GAME.replace("strength at least 5", "strenth at least 5"));
    for name in ["one", "two"] {
        let text = format!(
            "edition 1\nruleset {name} \"{name}\" prefix VV extends guesses\noverride row big of reach was 1 now 2\n"
        );
        std::fs::write(place.path(&format!("game/{name}.sut")), text).unwrap();
    }
    let said = place.run(&["check", "game", "--format", "concise"]);
    assert_eq!(said.out.lines().count(), 1, "{}", said.out);
}

#[test]
fn check_fix_writes_what_is_sure_and_shows_it() {
    let wrong = GAME
        .replace("strength at least 5", "strength at leaast 5")
        .replace("test nerve of army {", "test nerve nerve of army {");
    let place = Place::with(&wrong);
    let said = place.run(&["check", "game", "--fix", "--dry-run"]);
    assert_eq!(std::fs::read_to_string(place.path("game/rules.sut")).unwrap(), wrong);
    assert!(said.out.contains("- define big of army = strength at leaast 5\n"), "{}", said.out);
    assert!(said.out.contains("+ define big of army = strength at least 5\n"), "{}", said.out);
    assert!(said.out.ends_with("2 of 2 findings would be fixed\n"), "{}", said.out);
    let said = place.run(&["check", "game", "--fix"]);
    assert_eq!(said.code, 0, "{}", said.out);
    assert_eq!(std::fs::read_to_string(place.path("game/rules.sut")).unwrap(), GAME);
    assert!(said.out.ends_with("2 of 2 findings fixed\n"), "{}", said.out);
}

#[test]
fn check_fix_leaves_guesses_alone() {
    let wrong = GAME.replace("depot and friendly", "depot friendly");
    let place = Place::with(&wrong);
    let said = place.run(&["check", "game", "--fix"]);
    assert_eq!(said.code, 1, "{}", said.out);
    assert_eq!(said.out, "0 of 1 finding fixed\n");
    assert_eq!(std::fs::read_to_string(place.path("game/rules.sut")).unwrap(), wrong);
}

#[test]
fn where_a_declaration_and_its_one_use_differ_both_are_named() {
    let found = with("table shift of army", "table shfit of army");
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].3, None);
    assert_eq!(found[0].2, "write `shfit`, or call it `shift` where it is declared");
}

/// A word that a row of a test declares, and its one use: either may be the slip.
#[test]
fn a_word_of_a_row_and_its_one_use_are_both_named() {
    let use_of_it = "define ran of army = nerve is breaks\n";
    for wrong in ["breaks", "breakks"] {
        let other = if wrong == "breaks" { "breakks" } else { "breaks" };
        let text = GAME.replace("otherwise breaks", &format!("otherwise {other}"));
        let text = format!("{text}{}", use_of_it.replace("breaks", wrong));
        let (_, _, found) = check_text("rules.sut", text.as_bytes());
        let errors: Vec<_> = found.iter().filter(|f| f.suggestion.is_some()).collect();
        assert!(!found.is_empty() && errors.is_empty(), "{found:?}");
    }
}

/// With the right word the clock is there again, and so is all that needs it.
#[test]
fn what_is_gone_with_the_fix_is_held_back() {
    let found = with("clock turn has", "turn has");
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].3.as_deref(), Some("clock "), "{found:?}");
    let found = with("clock turn has", "sequence of play has");
    assert_eq!(found.len(), 1, "{found:?}");
    let found = with("section 1 \"Supply\"", "1 \"Supply\"");
    assert_eq!(found.len(), 1, "{found:?}");
    // Two slips are two messages.
    let text =
        GAME.replace("clock turn has", "turn has").replace("stack of region", "stack off region");
    let (_, _, found) = check_text("rules.sut", text.as_bytes());
    assert_eq!(found.iter().filter(|f| f.suggestion.is_some()).count(), 2, "{found:?}");
}

#[test]
fn what_a_missing_word_leaves_is_not_taken_out() {
    let found = with("at start of combat of owner {", "at start of combat of {");
    assert!(!found.is_empty() && found.iter().all(|f| f.3.is_none()), "{found:?}");
}

#[test]
fn ends_that_are_changed_over_are_offered_the_other_way_round() {
    let found = with("strength in steps from 0 to 9", "strength in steps from 9 to 0");
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(
        (found[0].2.as_str(), found[0].3.as_deref()),
        ("write `from 0 to 9`", Some("0 to 9"))
    );
    let found = with("strength at least 5", "strength between 5 and 2");
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].3.as_deref(), Some("2 and 5"), "{found:?}");
}

/// With `optional` written behind it the same lines are missing: that is no fix.
#[test]
fn lines_that_a_leg_lacks_are_one_message_and_what_leaves_them_missing_is_not_offered() {
    let found = with("    through not held [1b]\n", "");
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].2.starts_with("`through anywhere`"), "{found:?}");
    let found = with("    within reach", "");
    assert!(found[0].3.is_none(), "{found:?}");
    let short = GAME.find("    through not held").unwrap()..GAME.find("    within reach").unwrap();
    let found = with(&GAME[short], "");
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].3.is_none() && found[0].2.contains("`into anywhere`"), "{found:?}");
}

/// The words and signs of a text without its blanks.
fn bare(text: &str) -> String {
    text.split_whitespace().collect()
}

/// How many messages a text has, and what the fixes that are offered make of it, without its blanks.
fn offered(text: &str) -> (usize, Vec<String>) {
    let (_, _, faults) = check_text("rules.sut", text.as_bytes());
    let fixes = faults.iter().filter_map(|f| f.suggestion.as_ref());
    let fixed = fixes.map(|fix| bare(&with_fix(text, fix)));
    (faults.len(), fixed.collect())
}

/// Each slip has one fix, which gives the game again.
fn are_mended(slips: &[(&str, &str)]) {
    for (right, wrong) in slips {
        assert_eq!(GAME.matches(right).count(), 1, "{right:?} stands once");
        let (messages, fixed) = offered(&GAME.replacen(right, wrong, 1));
        assert!(messages <= 2, "{wrong}: {messages} messages");
        assert!(fixed == [bare(GAME)], "{wrong}: {:?}", with(right, wrong));
    }
}

#[test]
fn what_stands_twice_is_taken_out() {
    are_mended(&[
        ("depot and friendly", "depot and and friendly"),
        ("sum of strength", "sum of of strength"),
        ("season is winter", "season is is winter"),
        ("row clear | 2 | 1", "row clear | | 2 | 1"),
        ("start of combat of owner {", "start of combat of owner { {"),
        ("where (hungry and strength less", "where ( (hungry and strength less"),
        ("kind army, armies", "kind army, , armies"),
        ("First of French in Wood", "First of French French in Wood"),
    ]);
}

#[test]
fn what_a_word_that_is_gone_stood_between_is_not_taken_out() {
    for (right, wrong) in [
        ("depot and friendly", "depot and  and friendly"),
        ("clear, forest, hills, marsh\n", "clear, , hills, marsh\n"),
    ] {
        let found = with(right, wrong);
        assert!(!found.is_empty() && found.iter().all(|f| f.3.is_none()), "{found:?}");
    }
}

#[test]
fn words_that_are_taken_for_one_another_are_given_back() {
    are_mended(&[
        ("clear, forest, hills, marsh\n", "clear, forest but hills, marsh\n"),
        ("big of army = strength", "big of army are strength"),
        ("big of army = strength", "big of army has strength"),
        ("season is winter", "season has winter"),
        ("row big when big", "row big than big"),
        ("row big when big then 1", "row big when big if 1"),
    ]);
}

#[test]
fn neighbours_that_changed_places_change_back() {
    are_mended(&[
        ("put army First of", "put First army of"),
        ("hungry for own armies where cut_off", "hungry for armies own where cut_off"),
        ("row clear | 2 | 1", "row | clear 2 | 1"),
    ]);
}

#[test]
fn a_name_that_others_read_and_a_kind_that_fits_are_given_back() {
    are_mended(&[
        ("define big of army", "define  of army"),
        ("trace supply of army [1a]", "trace supply of  [1a]"),
        ("space region Ford with", "space  Ford with"),
    ]);
}

#[test]
fn the_word_of_an_item_is_given_back() {
    are_mended(&[
        ("phase nerves at start", " nerves at start"),
        ("table losses of army", " losses of army"),
    ]);
}

#[test]
fn clauses_are_known_by_their_letters_and_digits() {
    let game = GAME
        .replace("section 1 ", "section 1.2 ")
        .replace("[1a]", "[1.2a]")
        .replace("[1b]", "[1.2b]");
    for (right, wrong) in [
        ("friendly [1.2a]", "friendly [1 2a.]"),
        ("friendly [1.2a]", "friendly [.1 2a]"),
        ("friendly [1.2a]", "friendly [1. .2a]"),
        ("friendly [1.2a]", "friendly 1.2a]"),
        ("friendly [1.2a]", "friendly 1[.2a]"),
    ] {
        let (messages, fixed) = offered(&game.replacen(right, wrong, 1));
        assert!(messages == 1 && fixed == [bare(&game)], "{wrong}: {fixed:?}");
    }
    // Which clause is missing is not known.
    for wrong in ["friendly [.2a]", "friendly [1.]", "friendly []", "friendly [, 1.2a]"] {
        let (_, fixed) = offered(&game.replacen("friendly [1.2a]", wrong, 1));
        assert!(fixed.is_empty(), "{wrong}: {fixed:?}");
    }
}

/// Rows of a long case, and lines of a long condition, are read without the others.
#[test]
fn a_line_among_many_is_mended() {
    let case = format!(
        "case \"many\" {{\n  setup opening\n  given strength of First | expect strength of Second\n{}}}\n",
        "  row   3 | 2\n".repeat(200)
    );
    let rows = format!("{GAME}{case}");
    let condition = format!(
        "define odd of army = big\n{}",
        "  or (grand and any own army here where (strength at least 3 and veteran))\n".repeat(40)
    );
    let lines = format!("{GAME}{condition}");
    for (text, right, wrong) in [
        (&rows, "row   3 | 2", "row   3 | | 2"),
        (&rows, "row   3 | 2", "row   3 2 |"),
        (&lines, "(grand and any", "(grand and and any"),
        (&lines, "any own army here where", "own any army here where"),
        (&lines, "(grand and any", "( (grand and any"),
    ] {
        let at = text.rfind(right).unwrap() - right.len();
        let at = text[..at].rfind(right).unwrap();
        let slip = format!("{}{wrong}{}", &text[..at], &text[at + right.len()..]);
        let (messages, fixed) = offered(&slip);
        assert!(messages == 1 && fixed == [bare(text)], "{wrong}: {messages} {}", fixed.len());
    }
}

#[test]
fn of_a_declaration_and_its_use_the_one_that_is_spoken_elsewhere_is_right() {
    let game = GAME.replace("An army draws supply", "A shift of the dice: an army draws supply");
    for (right, wrong) in
        [("table shift of army", "table shfit of army"), ("2d6 + shift", "2d6 + shfit")]
    {
        let (messages, fixed) = offered(&game.replacen(right, wrong, 1));
        assert!(messages == 1 && fixed == [bare(&game)], "{wrong}: {fixed:?}");
    }
}

#[test]
fn what_follows_from_a_line_that_is_not_read_is_held_back() {
    for (right, wrong) in [
        ("space region Ford with", "spcae region Ford with"),
        ("kind army, armies is unit", "kind army, armies is unitt"),
        ("kind region, regions is space", "kind region but regions is space"),
        ("trace supply of army [1a] {", "trace supply of army [1a {"),
        ("put army First of French in Wood", "put army First of of French in Wood"),
    ] {
        let found = with(right, wrong);
        assert!((1..=2).contains(&found.len()), "{wrong}: {found:?}");
    }
}

/// The faults of the game with more behind it: code and help.
fn behind(more: &str) -> Vec<(String, String)> {
    let (_, _, faults) = check_text("rules.sut", format!("{GAME}{more}").as_bytes());
    faults.into_iter().map(|f| (f.code.to_string(), f.help.unwrap_or_default())).collect()
}

/// The words of a line that cannot be read hide no name of another one that is not there.
#[test]
fn a_fix_is_tried_as_well_in_company_of_another_fault() {
    let broken = "case \"x\" {\n  setup opening\n  run 2 turns\n  given First are here\n  expect First is supplied\n}\n";
    let found = behind(&format!(
        "{broken}case \"y\" {{\n  setup opening\n  run supply_check\n  expect First is supplied\n}}\n"
    ));
    let each = found.iter().find(|f| f.0 == "E0710").unwrap();
    assert_eq!(each.1, "write `run supply_check of SIDE`", "{found:?}");
    let found =
        behind("define w of army = every army here is veteran\ndefine u of army = half strength\n");
    assert!(found.iter().all(|f| !f.1.contains("out")), "{found:?}");
    let found = behind(
        "case \"w\" {\n  setup opening\n  expect that First is supplied\n  First is supplied\n}\n",
    );
    assert!(found.iter().all(|f| !f.1.contains("is First")), "{found:?}");
    let line = found.iter().find(|f| f.0 == "E0107").unwrap();
    assert!(!line.1.contains("that"), "{found:?}");
}

#[test]
fn a_name_that_stands_twice_is_no_slip_of_another_word() {
    let reach = "table reach of army gives areas by first match {\n  otherwise 1\n}\n";
    let twice = "take another name for one of them; a variant changes a name with `override`";
    assert_eq!(behind(reach), [("E0202".to_owned(), twice.to_owned())]);
    let place = Place::with(GAME);
    let head = "edition 1\nruleset v \"V\" prefix VV extends guesses\n";
    place.write("game/v.sut", format!("{head}{reach}"));
    let said = place.run(&["check", "game/v.sut", "--format", "concise"]);
    assert!(said.out.contains("write `override table reach`"), "{}", said.out);
}

#[test]
fn what_a_grid_lacks_is_mended_as_a_grid() {
    let grid = "table toll of army gives steps by only match {\n  down terrain here\n  across strength | at most 3 | at least 4\n  row clear | 0 | 1\n  row forest | 1 | 2\n}\n";
    let found = behind(grid);
    assert_eq!(found[0].0, "E0501", "{found:?}");
    assert!(found[0].1.contains("`row else | ...`"), "{found:?}");
    let mended = grid.replace("  row forest", "  row else | 1 | 1\n  row forest");
    assert!(behind(&mended).iter().all(|f| f.0 != "E0501"), "{:?}", behind(&mended));
    for (cell, help) in [("4+", "at least 4"), ("1:2", "odds are a quotient")] {
        let found = behind(&grid.replace("at least 4", cell));
        assert!(found.iter().any(|f| f.1.contains(help)), "{found:?}");
    }
}

#[test]
fn a_word_of_the_language_is_no_misspelled_declaration() {
    // `matches` and `judged` stand once in the game.
    for slip in ["matchs", "judgd"] {
        let more =
            format!("define b of army = {slip} is veteran\ndefine c of army = {slip} or big\n");
        let (_, _, faults) = check_text("rules.sut", format!("{GAME}{more}").as_bytes());
        assert!(!faults.is_empty());
        assert!(faults.iter().all(|f| !f.message.contains("read nowhere")), "{faults:?}");
    }
}

/// What several slips were mended to before: the text with a fix is the game, or there is none.
#[test]
fn a_fix_of_these_slips_gives_the_game_again() {
    let slips = [
        ("kind leader, leaders is unit", "kind leeader, leaders is unit"),
        ("kind road, roads is link", "kind rooad, roads is link"),
        ("any own army where big", "any own army big"),
        ("relay regions where depot", "relay where depot"),
        ("put army First \"First Army\" of", "put army \"First Army\" of"),
    ];
    let text = format!(
        "{}define grand_here of region = any own army where big\n\
         trace pay of army limit reach \"paid\" : \"unpaid\" {{\n  source base regions\n  relay regions where depot\n}}\n\
         setup march {{\n  put army First \"First Army\" of French in Ford with strength 1\n}}\n",
        GAME.split("setup ").next().unwrap()
    );
    for (right, wrong) in slips {
        let text = if GAME.contains(right) { GAME } else { &text };
        assert_eq!(text.matches(right).count(), 1, "{right:?} stands once");
        let slip = text.replacen(right, wrong, 1);
        let (_, _, faults) = check_text("rules.sut", slip.as_bytes());
        assert!(!faults.is_empty(), "{wrong}");
        for fix in faults.iter().filter_map(|f| f.suggestion.as_ref()) {
            assert_eq!(with_fix(&slip, fix), text, "{wrong}: {fix:?}");
        }
    }
}

/// Both forms of a kind are read everywhere; the one that belongs in its place is written.
#[test]
fn a_kind_is_written_in_the_number_of_its_place() {
    are_mended(&[
        ("sum of strength of own armies here", "sum of strength of own armys here"),
        ("judge supply for own armies", "judge supply for own armys"),
        ("no own army adjacent", "no own armyy adjacent"),
    ]);
}

#[test]
fn lines_that_run_together_or_stand_elsewhere_are_laid_out() {
    are_mended(&[
        ("friendly [1a]\ndefine held", "friendly [1a] define held"),
        ("then 3\n  row big", "then 3 row big"),
        ("define big of army = strength", "define big of army =\nstrength"),
        ("\nkind road, roads", "\n  kind road, roads"),
        ("sum of strength", "sumof strength"),
        ("define slow of army", "def ine slow of army"),
    ]);
    let found = with("friendly [1a]\ndefine held", "friendly [1a] define held");
    assert_eq!(found[0].3.as_deref(), Some("\n"), "{found:?}");
}

/// Where what is written is right and its layout is not, the place is that of the layout, not that of
/// the word at which reading ended.
#[test]
fn a_fault_of_layout_is_told_where_the_layout_is_mended() {
    for (right, wrong, code, message) in [
        (
            "\n  setup opening",
            "\nsetup opening",
            "E0100",
            "`setup` is a line of a block, and stands at the margin",
        ),
        ("\n  given", "\ngiven", "E0100", "`given` is a line of a block, and stands at the margin"),
        ("{\n  down", "{ down", "E0103", "the line should end before `down`"),
    ] {
        assert_eq!(GAME.matches(right).count(), 1, "{right:?} stands once");
        let text = GAME.replacen(right, wrong, 1);
        let (sources, _, faults) = check_text("rules.sut", text.as_bytes());
        let [fault] = &faults[..] else { panic!("{faults:?}") };
        assert_eq!((fault.code.as_str(), fault.message.as_str()), (code, message));
        let fix = fault.suggestion.as_ref().expect("a fix");
        let word = sources.slice(fault.primary().expect("a place"));
        assert!(message.contains(&format!("`{word}`")), "{word}");
        let mended = with_fix(&text, fix);
        assert_eq!(check_text("rules.sut", mended.as_bytes()).2, [], "{mended}");
    }
}

/// Where the game has several kinds of unit, `no enemy here` may mean each of them.
#[test]
fn a_kind_that_is_one_of_several_is_not_made_up() {
    let fleets = "kind fleet, fleets is unit\n";
    let game = GAME.replace(
        "kind leader, leaders is unit\n",
        &format!("kind leader, leaders is unit\n{fleets}"),
    );
    for (text, offers) in [(GAME, 1), (game.as_str(), 0)] {
        let text = text.replacen("any enemy army here", "any enemy here", 1);
        let (_, fixed) = offered(&text);
        assert_eq!(fixed.len(), offers, "{fixed:?}");
    }
}

/// `no veteran` may deny the fact, or look for a thing of which it holds.
#[test]
fn a_fact_behind_no_has_two_readings() {
    let found = with("big and leader is not none", "big and no veteran");
    assert!(found.iter().all(|f| f.3.is_none()), "{found:?}");
    assert!(found[0].2.contains("`not veteran`"), "{found:?}");
}

#[test]
fn what_a_declaration_writes_otherwise_is_mended_there() {
    are_mended(&[
        ("clause a \"An army", "clause 1a \"An army"),
        ("clause a \"An army", "clause a. \"An army"),
        ("kind army, armies is unit {", "kind army is unit {"),
        ("table reach of army gives", "table reach gives"),
        (
            "terrain here is one of (forest, hills, marsh) or",
            "terrain here is forest or hills or marsh or",
        ),
    ]);
}

#[test]
fn what_has_no_exceptions_is_told_of() {
    for (what, noun) in [("nerve", "test"), ("supply_check", "phase"), ("hungry", "mark")] {
        let found = behind(&format!(
            "exception odd to {what} when winter_now\ndefine winter_now = season is winter\n"
        ));
        assert!(found.iter().any(|f| f.0 == "E0612"), "{what}, a {noun}: {found:?}");
    }
    let found = behind("exception odd to table reach when veteran then 3\n");
    assert_eq!(found[0].1, "take `table` out", "{found:?}");
}
