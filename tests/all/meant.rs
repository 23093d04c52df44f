//! What is written one way and meant another: the message says which, and what it offers checks.

use sutler::diag::Diagnostic;
use sutler::diag::code::PRELUDE;
use sutler::project::check_text;

use crate::place::Place;

/// The faults of the small game of the codes with more behind it.
fn faults(more: &str) -> Vec<Diagnostic> {
    check_text("game.sut", format!("{PRELUDE}\n{more}\n").as_bytes()).2
}

/// Each fault as its code and its help.
fn told(more: &str) -> Vec<(String, String)> {
    faults(more)
        .into_iter()
        .map(|f| (f.code.as_str().to_owned(), f.help.unwrap_or_default()))
        .collect()
}

fn one(more: &str, code: &str, help: &str) {
    assert_eq!(told(more), [(code.to_owned(), help.to_owned())], "{more}");
}

#[test]
fn a_range_with_a_minus_sign_is_refused_wherever_it_stands() {
    let row = |when: &str| {
        format!(
            "table march of army gives areas by first match {{\n  when {when} then 2\n  otherwise 1\n}}"
        )
    };
    one(&row("strength is 1-2"), "E0320", "write `strength between 1 and 2`");
    one(&row("strength is not 1 - 2"), "E0320", "write `not strength between 1 and 2`");
    one(&row("strength is one of (1-2, 5)"), "E0320", "write `1, 2`");
    let asked = "write one amount; a range is asked by `between 1 and 2`";
    one(&row("strength at least 1-2"), "E0320", asked);
    one(&row("1-2"), "E0320", "write what lies there, and `between 1 and 2` behind it");
    let grid = |key: &str, value: &str| {
        format!(
            "table march of army gives areas by first match {{\n  down strength\n  across | areas\n  row {key} | {value}\n  row else | 1\n}}"
        )
    };
    // A key is read again for `else`, and told of once.
    one(&grid("1-2", "2"), "E0320", "write `between 1 and 2`");
    one(&grid("one of (1-2, 4)", "2"), "E0320", "write `1, 2`");
    one(&grid("0", "1-2"), "E0320", asked);
    one(&grid("not 1-2", "2"), "E0320", asked);
    let test = |when: &str| {
        format!("test luck of army {{\n  roll 1d6\n  when {when} then good\n  otherwise bad\n}}")
    };
    one(&test("total is 1-2"), "E0320", "write `total between 1 and 2`");
    one(&test("1-2"), "E0320", "write `total between 1 and 2`");
    let case = |lines: &str| format!("case \"range\" {{\n  setup opening\n{lines}}}");
    let expected = "write `strength of Guard between 1 and 2`";
    one(&case("  expect strength of Guard is 1-2\n"), "E0320", expected);
    let cells = "  given strength of Guard | expect strength of Guard\n  row 3 | 1-2\n";
    one(&case(cells), "E0320", "write `between 1 and 2`");
    let cells = "  given strength of Guard | expect strength of Guard\n  row 1-2 | any\n";
    one(&case(cells), "E0320", asked);
    // What leaves something over may be meant as it stands.
    assert_eq!(told(&row("strength is 5-2")), []);
    assert_eq!(told(&row("strength is strength - 1")), []);
    assert_eq!(told(&row("strength at least (1 - 2) * -3")), []);
}

#[test]
fn where_of_a_whole_line_is_put_in_brackets_and_no_other_is_guessed() {
    let trace = |source: &str, through: &str| {
        format!(
            "trace way of army {{\n  called near else far\n  source {source}\n  leg march\n    over borders\n    from anywhere\n    through {through}\n    into anywhere\n    within 2\n}}"
        )
    };
    one(
        &trace("base where home and coastal", "anywhere"),
        "E0110",
        "write `where (home and coastal)`",
    );
    one(
        &trace("base where home and not blocked or coastal [1a]", "anywhere"),
        "E0110",
        "write `where (home and not blocked or coastal)`",
    );
    let either = "write `where (supplied and strength at least 2)`, or put the whole phrase in brackets before `and`";
    let phrase = "no army here where supplied and strength at least 2";
    one(&trace("base where home", phrase), "E0110", either);
    // What stands behind `then` is no part of it.
    let row = "table march of army gives areas by first match {\n  when any army here where supplied and strength at least 2 then 2\n  otherwise 1\n}";
    one(row, "E0110", either);
}

#[test]
fn unless_is_said_by_what_stands_before_it() {
    let define = |body: &str| format!("define odd of area = {body}");
    one(&define("no army here unless coastal"), "E0103", "write `no army here or coastal`");
    one(&define("not coastal unless home"), "E0103", "write `not coastal or home`");
    one(&define("coastal unless home"), "E0103", "write `coastal and not home`");
    one(
        &define("coastal unless home or blocked"),
        "E0103",
        "write `coastal and not (home or blocked)`",
    );
    one(&define("any army here except if home"), "E0103", "write `any army here and not home`");
    one(
        &define("coastal and not home unless blocked"),
        "E0103",
        "say in brackets what it is about, as in `(... and not blocked)`",
    );
    one(
        "define odd of army = strength at least 3 unless supplied",
        "E0103",
        "write `strength at least 3 and not supplied`",
    );
    one(
        "phase rest in attrition {\n  do clear leader for armies where supplied unless leader is none\n}",
        "E0103",
        "write `(supplied and not leader is none)`",
    );
}

#[test]
fn words_of_two_things_are_told_apart_by_what_says_them() {
    let climate =
        "kind season_card, season_cards is world {\n  has season one of summer, winter\n}\n";
    let table = "table weather of army gives season by first match {\n  when supplied then summer\n  otherwise winter\n}\n";
    for (line, left, right) in [
        ("define odd of army = season is weather", "season", "weather"),
        ("define odd of army = weather is season", "weather", "season"),
        ("phase turn_over in attrition {\n  do set season to weather of Marlow\n}", "", ""),
    ] {
        let found = faults(&format!("{climate}{table}{line}"));
        let Some(fault) = found.iter().find(|f| f.code.as_str() == "E0302") else {
            assert!(left.is_empty(), "{found:#?}");
            continue;
        };
        let message = format!("`{right}` has words of its own, and they are not those of `{left}`");
        assert_eq!(fault.message, message);
        assert!(fault.help.as_ref().unwrap().contains("`summer` or `winter`"), "{fault:#?}");
    }
    let stated = format!(
        "{climate}{table}case \"c\" {{\n  setup opening\n  given season is weather of Guard\n  expect Guard is supplied\n}}"
    );
    let found = faults(&stated);
    assert_eq!(
        found[0].message,
        "a written word should stand here, and `weather of Guard` has words of its own"
    );
}

#[test]
fn a_kind_is_what_a_thing_is_and_stands_without_an_article() {
    let case = |line: &str| format!("case \"kinds\" {{\n  setup opening\n  expect {line}\n}}");
    assert_eq!(told(&case("Guard is army")), []);
    assert_eq!(told(&case("Guard is unit")), []);
    assert_eq!(told(&case("leader of Guard is not leader")), []);
    one(&case("Guard is an army"), "E0201", "write `army` alone");
    let found = faults(&case("Guard is fleet"));
    assert_eq!(found[0].message, "this is an army, and never a fleet");
    assert_eq!(found[0].help.as_deref(), Some("it can be `army` or `unit`"));
}

#[test]
fn a_step_does_not_round_for_its_author() {
    let step = |step: &str| format!("phase wear in attrition {{\n  do {step} for armies\n}}");
    let both = "write `rounded down (strength / 2)`, or write `rounded up (strength / 2)`, or write `rounded nearest (strength / 2)`";
    one(&step("set strength to strength / 2"), "E0306", both);
    one(&step("lower strength by strength / 2"), "E0306", both);
    assert_eq!(told(&step("set strength to rounded down (strength / 2)")), []);
    assert_eq!(told(&step("raise strength by 2")), []);
    one(
        "case \"half\" {\n  setup opening\n  given strength of Guard is 3/2\n  expect Guard is supplied\n}",
        "E0306",
        "write a whole number: an attribute holds no fractions",
    );
    let retry = "test luck of army {\n  roll 1d6\n  when total at most 3 then good\n  otherwise bad\n  retry at most 1/2 when luck is bad\n}";
    assert_eq!(told(retry).len(), 1, "{:?}", told(retry));
    assert_eq!(told(retry)[0].0, "E0306");
}

#[test]
fn a_sum_is_as_low_as_its_rows_that_always_hold_let_it_be() {
    let within = |rows: &str| {
        format!(
            "table span of army gives areas by sum of matches {{\n{rows}}}\ntrace way of army {{\n  called near else far\n  source base where home\n  leg march\n    over borders\n    from anywhere\n    through anywhere\n    into anywhere\n    within span\n}}"
        )
    };
    assert_eq!(told(&within("  when always then 2\n  when supplied then -1\n")), []);
    let help = "write `greater of (0, ...)` around it";
    one(&within("  when always then 2\n  when supplied then -3\n"), "E0412", help);
    one(&within("  when leader is none then 2\n  when supplied then -1\n"), "E0412", help);
}

#[test]
fn a_name_that_is_not_there_is_met_with_those_that_are_and_kinds_of_the_game() {
    let game = "edition 1\nruleset sea \"Sea\" prefix SE\nsides Red against Blue\nkind zone, zones is space\nkind lane, lanes is link\nkind ship, ships is unit\nmap ocean {\n  space zone North\n}\nsetup calm on ocean {\n  put ship Argo of Red in North\n}\n";
    let help = |more: &str| {
        let (_, _, faults) = check_text("sea.sut", format!("{game}{more}\n").as_bytes());
        let found: Vec<_> = faults.into_iter().map(|f| f.help.unwrap_or_default()).collect();
        found.join("; ")
    };
    let fact = help("define odd of ship = qqqq");
    assert!(fact.contains("as in `define qqqq of ship = ...`"), "{fact}");
    let fact = help("define odd of zone = qqqq");
    assert!(fact.contains("as in `define qqqq of zone = ...`"), "{fact}");
    let table = help("table");
    assert!(!table.contains("army"), "{table}");
    // What a case says of a setup that is not there follows from that.
    let setup = help("case \"c\" {\n  setup qqqq\n  expect Argo is removed\n}");
    assert_eq!(
        setup,
        "write `calm`, or bring its file into the folder of the ruleset, or correct the name"
    );
    let map = help("case \"c\" {\n  setup qqqq\n}\ncase \"d\" {\n  on qqqq\n}");
    assert!(map.contains("write `calm`") && map.contains("write `ocean`"), "{map}");
}

#[test]
fn a_thing_that_a_trace_is_not_about_is_said_to_be_of_another_kind() {
    let place = Place::with(PRELUDE);
    let said = place.run(&["explain", "game", "Hill"]);
    assert!(
        said.err.contains("`Hill` is of the kind `area`, and the trace `supply` is about armies"),
        "{}",
        said.err
    );
    assert!(said.err.contains("name one of `Guard`, `Raiders`"), "{}", said.err);
    let said = place.run(&["why-not", "game", "Nobody"]);
    assert!(said.err.contains("no unit is called `Nobody`"), "{}", said.err);
}

#[test]
fn an_impact_names_no_row_on_which_no_answer_rests() {
    let rules = |hills: &str, sea: &str, blocked: &str| {
        PRELUDE
            .replace("  row led when leader is not none then 2\n", &format!("  row led when leader is not none then {sea}\n  row weak when strength at most 2 then {hills}\n"))
            .replace("define blocked of area = any enemy army here ", &format!("define blocked of area = {blocked} "))
            .replace("link border Port to Hill to Wood", "link border Port to Hill to Wood\n  link border Wood to Bay")
            .replace("  otherwise 1\n", "  otherwise 2\n")
            .replace("in Hill with strength 4", "in Wood with strength 4")
            .replace("Raiders of Blue in Wood", "Raiders of Blue in Hill")
    };
    let place = Place::with(&rules("1", "3", "any enemy army here"));
    place.write("other/rules.sut", rules("0", "2", "any enemy leader here"));
    let said = place.run(&["impact", "game", "other", "--format", "json"]);
    let found: serde_json::Value = serde_json::from_str(&said.out).unwrap();
    let flips = found["flips"].as_array().unwrap();
    let guard = flips.iter().find(|f| f["of"] == "Guard").unwrap();
    let by = guard["by"].to_string();
    assert!(by.contains("blocked"), "{by}");
    assert!(!by.contains("row led") && !by.contains("row weak"), "{by}");
}

#[test]
fn a_condition_of_who_is_there_is_compared_with_no_other() {
    let define = |body: &str| format!("define odd of army = {body}");
    let where_ = "write `where` instead of `is`";
    one(&define("any army here is supplied"), "E0302", where_);
    one(&define("no enemy army adjacent is supplied"), "E0302", where_);
    one(&define("any army here is not supplied"), "E0302", "write `where not` instead of `is`");
    // What stands behind `is` is said of what is looked for, and not of the army.
    one(&define("any area adjacent is coastal"), "E0302", where_);
    one("define odd of area = any army here is supplied", "E0302", where_);
    assert_eq!(told(&define("any area adjacent where coastal")), []);
    let join = "join them with `and` or `or`";
    one(&define("friendly is coastal here"), "E0302", join);
    one(&define("supplied is any army here"), "E0302", join);
    one(&define("friendly here"), "E0201", "write `any friendly area`");
    assert_eq!(told(&define("supplied is yes")), []);
}

#[test]
fn units_of_a_step_stand_to_no_side_where_nobody_asks() {
    let step = |things: &str| {
        format!("phase raid in attrition {{\n  do lower strength by 1 for {things}\n}}")
    };
    let whose = "say whose phase it is with `of owner`, or compare the owner itself";
    one(&step("enemy armies"), "E0307", whose);
    one(&step("own armies where strength at least 2"), "E0307", whose);
    one(&step("armies where enemy"), "E0307", whose);
    one(&step("armies where (not enemy and strength at least 2)"), "E0307", whose);
    // Each of them has neighbours of its own.
    assert_eq!(told(&step("armies where any enemy army adjacent")), []);
    let turn =
        "phase raid at end of action of owner {\n  do lower strength by 1 for enemy armies\n}";
    assert_eq!(told(turn), []);
}

#[test]
fn a_unit_that_forgets_where_it_looks_is_told() {
    let define = |body: &str| format!("define odd of army = {body}");
    let here = "write `enemy army here`; what is meant of the whole map is a define without `of`";
    one(&define("no enemy army and supplied"), "W0313", here);
    assert_eq!(told(&define("no enemy army where strength at least 3")), []);
    assert_eq!(told(&define("no enemy army adjacent")), []);
}

#[test]
fn what_rules_cannot_name_is_told_of_with_what_it_is() {
    let none = |name: &str| {
        format!(
            "`{name}` is a unit of a setup, and rules name none: give it an attribute and ask for that"
        )
    };
    let wood = "`Wood` is a space of a map: with `named area Wood` each map must have it, and rules may name it";
    let define = |body: &str| format!("define odd of army = {body}");
    one(&define("space is Wood"), "E0201", wood);
    let kind = "a thing is named without its kind, `is Capital`, and a place of a map where the rules say `named area Capital`";
    one(&define("space is area Wood"), "E0201", kind);
    one(&define("Guard is supplied"), "E0201", &none("Guard"));
    let twice = define("leader of Guard is Marlow and any army within 2 of Guard");
    one(&twice, "E0201", &none("Guard"));
    let step = "phase rest in attrition {\n  do clear leader for Guard\n}";
    one(step, "E0203", &none("Guard"));
    one(&define("any coastal here"), "E0203", "write `coastal area`");
    one("mark late of Red", "E0203", "write `side`");
    one(&define("any army adjacent over rail"), "E0203", "declare it, as in `kind rail is link`");
    one("define odd = strength at least 2", "E0201", "write `define odd of army`");
    let case = |given: &str| {
        format!("case \"c\" {{\n  setup opening\n  given {given}\n  expect Guard is supplied\n}}")
    };
    one(&case("Wood is Red"), "E0308", "write `control of Wood`");
    let counted = "define odd = count of areas where coastal at least 2";
    one(counted, "E0302", "write `(coastal)`");
    let control = "phase take at end of action of owner {\n  do set control to owner for areas where any own army here\n}";
    one(control, "E0201", "write `control`, or write `viewer`");
    one(&control.replace("to owner", "to own"), "E0302", "write `viewer`");
}

#[test]
fn an_exception_that_reads_what_it_changes_is_named() {
    let found = faults("exception mud to reach when supplied then reach - 1");
    let fault = found.iter().find(|f| f.code.as_str() == "E0411").unwrap();
    assert!(fault.labels.iter().any(|l| l.text == "this exception reads it"), "{fault:?}");
    assert!(fault.help.as_ref().unwrap().starts_with("an exception gives the value anew"));
}

#[test]
fn an_impact_names_what_stands_otherwise_and_no_table_called_like_a_leg() {
    let march = "table march of army gives areas by first match {\n  otherwise 1\n}\n";
    let place = Place::with(&format!("{PRELUDE}{march}"));
    let other = format!("{PRELUDE}{march}").replace("  otherwise 1\n}\n", "  otherwise 2\n}\n");
    let moved = other.replace("Guard of Red in Hill", "Guard of Red in Bay");
    place.write("moved/rules.sut", moved.replacen("otherwise 2", "otherwise 1", 1));
    let cut = other.replacen("otherwise 2", "otherwise 1", 1);
    place.write("cut/rules.sut", cut.replace("border Port to Hill to Wood", "border Hill to Wood"));
    let by = |other: &str| {
        let said = place.run(&["impact", "game", other, "--format", "json"]);
        let found: serde_json::Value = serde_json::from_str(&said.out).unwrap();
        let flips = found["flips"].as_array().unwrap().clone();
        let flip = flips.iter().find(|f| f["of"] == "Guard" && f["question"] == "trace supply");
        flip.unwrap()["by"].to_string()
    };
    assert_eq!(by("moved"), "[\"unit Guard of setup opening\"]");
    assert_eq!(by("cut"), "[\"link border Hill to Port of map coast\"]");
}

#[test]
fn the_odds_of_a_test_of_spaces_are_asked_of_one() {
    let storm = "test storm of area {\n  roll 1d6 + count of armies here\n  when total at least 5 then breach\n  otherwise holds\n}\n";
    let place = Place::with(&format!("{PRELUDE}{storm}"));
    let said = place.run(&["odds", "game", "--test", "storm", "--unit", "Hill"]);
    assert!(said.out.contains("+1  count of armies here, by Guard"), "{}{}", said.out, said.err);
    assert!(!said.out.contains("Wood"), "{}", said.out);
    let said = place.run(&["odds", "game", "--test", "storm", "--unit", "Nowhere"]);
    assert!(said.err.contains("no unit or space is called `Nowhere`"), "{}", said.err);
}

#[test]
fn a_title_leads_to_the_name_and_no_answer_says_why() {
    let titled = PRELUDE
        .replace("put army Guard of Red", "put army Guard \"The Old Guard\" of Red")
        .replace("space area Hill with", "space area Hill \"The Hill\" with");
    let place = Place::with(&titled);
    let help = "error: no unit is called `the old guard`\n  help: write `Guard`, whose title is \"The Old Guard\"\n";
    for call in [&["explain", "game", "the old guard"][..], &["why-not", "game", "the old guard"]] {
        let said = place.run(call);
        assert_eq!((said.code, said.err.as_str()), (2, help), "{call:?}");
    }
    let around = place.run(&["map", "game", "--around", "The Hill", "--format", "svg"]);
    assert!(around.err.contains("help: write `Hill`, whose title is"), "{}", around.err);
    // A name comes before a title.
    assert_eq!(place.run(&["explain", "game", "Guard"]).code, 0);

    let led = PRELUDE.replace("  put army Raiders of Blue in Wood with strength 2\n", "");
    let place = Place::with(&led);
    for call in [&["explain", "game"][..], &["why-not", "game"]] {
        let said = place.run(call);
        assert_eq!((said.code, said.out.as_str()), (0, ""), "{call:?}");
        let why =
            "nothing is unsupplied; name what you ask about, as in `Guard`, to read its line\n";
        assert_eq!(said.err, why, "{call:?}");
        let said = place.run(&[call, &["Guard"]].concat());
        assert_eq!(said.err, "", "{call:?}");
    }
}
