//! Exceptions: what they give is what rules give in which they are worked in by hand, in every
//! position of a small box; those that differ without an order are refused.

use crate::place::Place;
use crate::support::{blocks, prelude};

fn game() -> String {
    prelude(&blocks("docs/language.md")).to_owned()
}

/// The game without its cases, with some lines in the place of others.
fn by_hand(changes: &[(&str, &str)]) -> String {
    let text = game();
    let rules = text.find("\ncase ").map_or(text.as_str(), |at| &text[..=at]).to_owned();
    changes.iter().fold(rules, |text, (old, new)| {
        assert_eq!(text.matches(old).count(), 1, "{old}");
        text.replace(old, new)
    })
}

/// Positions that differ in all that the exceptions read.
fn positions() -> String {
    let mut all = String::new();
    let spaces = ["Abbey", "Bridge", "Copse", "Dale", "Eastgate", "Ford", "Harbour", "Gulf"];
    for (at, space) in spaces.iter().enumerate() {
        for bits in 0..64u32 {
            let bit = |n: u32| bits >> n & 1 == 1;
            let guard = spaces[(at + 3 + bits as usize) % spaces.len()];
            let leader = if bit(0) { "\"Hale\"" } else { "null" };
            let side = if bit(1) { "Duchy" } else { "Crown" };
            let season = if bit(2) { "winter" } else { "summer" };
            let (veteran, strength) = (bit(3), if bit(4) { 7 } else { 2 });
            let terrain = if bit(5) { "sea" } else { "plain" };
            all.push_str(&format!(
                "{{\"schema\":1,\"setup\":\"opening\",\"world\":{{\"season\":\"{season}\"}},\"units\":[{{\"id\":\"First\",\"side\":\"{side}\",\
                 \"space\":\"{space}\",\"facts\":{{\"veteran\":{veteran},\"strength\":{strength},\"leader\":{leader}}}}},\
                 {{\"id\":\"Guard\",\"space\":\"{guard}\"}}],\"spaces\":{{\"Ford\":{{\"facts\":{{\"terrain\":\"{terrain}\"}}}}}}}}\n"
            ));
        }
    }
    all
}

/// The answers of a text of rules in all positions.
fn answers(rules: &str) -> Vec<String> {
    let place = Place::with(rules);
    place.write("positions.jsonl", positions());
    let said = place.run(&["batch", "game", "--positions", "positions.jsonl"]);
    assert_eq!(said.code, 0, "{rules}\n{}", said.err);
    said.out.lines().skip(1).map(str::to_owned).collect()
}

const ROW: &str = "  row led when leader is not none then 3\n";
const THROUGH: &str = "through no enemy army here ";
const DEPOT: &str = "source  depot where depot ";

#[test]
fn an_exception_is_what_it_is_by_hand() {
    let all: &[(&str, &[(&str, &str)])] = &[
        (
            "exception old to reach when veteran then 3\n",
            &[(ROW, "  row old when veteran then 3\n  row led when leader is not none then 3\n")],
        ),
        (
            "exception old to reach when veteran then 3\nexception cold to old when season is winter\n",
            &[(
                ROW,
                "  row old when veteran and season is summer then 3\n  row led when leader is not none then 3\n",
            )],
        ),
        (
            "exception old to reach when veteran then 3\nexception cold to old when season is winter then 1\nexception strong to cold when strength at least 5\n",
            &[(
                ROW,
                "  row cold when veteran and season is winter and strength less than 5 then 1\n  row old when veteran then 3\n  row led when leader is not none then 3\n",
            )],
        ),
        (
            "exception weak to row led of reach when strength less than 5\n",
            &[(ROW, "  row led when leader is not none and strength at least 5 then 3\n")],
        ),
        (
            "exception weak to row led of reach when strength less than 5 then 1\nexception cold to row led of reach when season is winter and strength at least 5 then 2\n",
            &[(
                ROW,
                "  row weak when leader is not none and strength less than 5 then 1\n  row cold when leader is not none and season is winter then 2\n  row led when leader is not none then 3\n",
            )],
        ),
        (
            "exception duchy to supply when owner is Duchy and veteran then supplied\nexception ice to supply when season is winter and not veteran then cut_off\n",
            &[(
                DEPOT,
                "always owner is Duchy and veteran\n  never season is winter and not veteran\n  source  depot where depot ",
            )],
        ),
        (
            "exception water to through of march of supply when terrain is sea then never\n",
            &[(THROUGH, "through no enemy army here and terrain is not sea ")],
        ),
        (
            "exception ghosts to through of march of supply when season is winter then always\nexception water to through of march of supply when terrain is sea then never\n",
            &[(
                THROUGH,
                "through (no enemy army here or season is winter) and terrain is not sea ",
            )],
        ),
        (
            "exception ghosts to through of march of supply when season is winter then always\nexception hills to ghosts when terrain is hills\n",
            &[(
                THROUGH,
                "through (no enemy army here or (season is winter and terrain is not hills)) ",
            )],
        ),
        (
            "exception coast to depot when terrain is sea or town then friendly or lost\nexception ice to coast when season is winter\n",
            &[(
                "= town and friendly and not lost ",
                "= ((terrain is sea or town) and season is summer and (friendly or lost)) or (not ((terrain is sea or town) and season is summer) and town and friendly and not lost) ",
            )],
        ),
        (
            "exception towns to into of march of supply when season is winter then terrain is hills\n",
            &[("into    anywhere ", "into season is summer or terrain is hills ")],
        ),
        (
            "exception shut to source depot of supply when season is winter\n",
            &[(DEPOT, "source  depot where (depot and season is summer) ")],
        ),
        (
            "exception kept to lost when season is winter then no\n",
            &[(
                "any enemy piece here and no friendly piece here",
                "season is summer and any enemy piece here and no friendly piece here",
            )],
        ),
    ];
    let plain = answers(&by_hand(&[]));
    for (items, hand) in all {
        let given = answers(&format!("{}{items}", by_hand(&[])));
        assert_eq!(given, answers(&by_hand(hand)), "{items}");
        assert_ne!(given, plain, "{items}: nothing changes");
    }
}

#[test]
fn what_differs_without_an_order_is_refused_with_a_position() {
    for (items, code, said) in [
        (
            "exception a to reach when veteran then 3\nexception b to reach when strength at least 5 then 1\n",
            "E0613",
            "veteran",
        ),
        (
            "exception a to supply when veteran then supplied\nexception b to supply when season is winter then cut_off\n",
            "E0613",
            "`a` and `b` both speak of `supply`",
        ),
        ("exception a to reach when veteran\n", "E0612", "then 2"),
        ("exception a to supply when veteran then fed\n", "E0612", "then supplied"),
        (
            "exception a to source depot of supply when season is winter then 3\n",
            "E0612",
            "leave `then` out",
        ),
        (
            "exception a to into of march of supply when veteran then always\n",
            "E0612",
            "changes nothing, for `anywhere`",
        ),
        ("exception a to b when veteran\nexception b to a when veteran\n", "E0610", "itself"),
        ("exception a to suply when veteran then supplied\n", "E0602", "`supply`"),
        ("exception a to row lad of reach when veteran\n", "E0612", "not there"),
        ("exception a to through of walk of supply when veteran then never\n", "E0612", "`walk`"),
        (
            "exception a to reach when veteran then 3\nexception a to reach when not veteran then 2\n",
            "E0201",
            "`a`",
        ),
        ("exception a to reach when veteren then 3\n", "E0201", "veteren"),
    ] {
        let place = Place::with(&format!("{}{items}", by_hand(&[])));
        let found = place.run(&["check", "game"]);
        assert_eq!(found.code, 1, "{items}");
        assert!(found.out.contains(&format!("[{code}]")), "{items}\n{}", found.out);
        assert!(found.out.contains(said), "{items}\n{}", found.out);
    }
    // What is too much to try is said to be.
    let facts: String = (0..40).map(|n| format!("  has quality{n} yes or no\n")).collect();
    let kind = format!("kind herald is army {{\n{facts}}}\n");
    let exceptions: String = (0..40)
        .map(|n| format!("exception e{n} to reach when quality{n} then {}\n", n % 5))
        .collect();
    let place = Place::with(&format!("{}{kind}{exceptions}", by_hand(&[])));
    let found = place.run(&["check", "game"]);
    let said = "[W0507]: the exceptions to `reach` are too many to prove";
    assert!(found.out.contains(said), "{}", found.out);
    // Equal results agree, and so do conditions that exclude each other.
    for items in [
        "exception a to reach when veteran then 3\nexception b to reach when strength at least 5 then 3\n",
        "exception a to reach when season is winter then 3\nexception b to reach when season is summer and veteran then 1\n",
    ] {
        let place = Place::with(&format!("{}{items}", by_hand(&[])));
        assert_eq!(place.run(&["check", "game"]).code, 0, "{items}");
    }
}

#[test]
fn what_spoke_is_told_by_its_name() {
    let items = "section 6 \"More\"\nclause a \"Veterans of the Duchy.\"\nexception duchy to supply when veteran then supplied [6a]\n";
    let place = Place::with(&format!("{}{items}", by_hand(&[])));
    let given = ["--setup", "opening", "--given", "First is veteran"];
    let said = place.run(&[&["explain", "game", "First"][..], &given].concat());
    assert!(said.out.contains("exception duchy"), "{}", said.out);
    assert!(said.out.contains("6a"), "{}", said.out);
}

/// Exceptions of each sort that write `and` and `or` into a rule or leave something out, with
/// clauses of their own.
const CITED: &str = "section 6 \"More\"
clause a \"Ghosts pass.\"
clause b \"But not in the hills.\"
clause c \"Winter shuts depots.\"
clause d \"Weak armies are not led.\"
clause e \"Of ends only towns count.\"
clause f \"On the coast friends suffice.\"
clause g \"Veterans reach three.\"
clause h \"But not in winter.\"
exception ghosts to through of march of supply when season is winter or veteran of the army then always [6a]
exception hills to ghosts when terrain is hills [6b]
exception shut to source depot of supply when season is winter [6c]
exception weak to row led of reach when strength less than 5 [6d]
exception towns to into of march of supply when season is winter then terrain is hills or town [6e]
exception coast to depot when terrain is sea or town then friendly or lost [6f]
exception old to reach when veteran then 3 [6g]
exception cold to old when season is winter [6h]
";

#[test]
fn no_sign_that_an_exception_writes_lacks_brackets() {
    let place = Place::with(&format!("{}{CITED}", by_hand(&[])));
    let found = place.run(&["check", "game"]);
    assert_eq!(found.code, 0, "{}", found.out);
    assert!(!found.out.contains("W0312"), "{}", found.out);
}

#[test]
fn the_clause_of_each_exception_is_cited_by_the_line_that_it_changes() {
    let place = Place::with(&format!("{}{CITED}", by_hand(&[])));
    let said = place.run(&["coverage", "game"]).out;
    for (clause, rule) in [
        ("a", "trace supply, through"),
        ("b", "trace supply, through"),
        ("c", "trace supply, source depot"),
        ("d", "table reach, led"),
        ("e", "trace supply, into"),
        ("f", "define depot"),
        ("g", "table reach, old"),
        ("h", "table reach, old"),
    ] {
        let from = said.find(&format!("WR-6{clause}  ")).unwrap_or_else(|| panic!("{said}"));
        let of_clause = said[from + 1..].split("\nWR-").next().unwrap();
        let cites = of_clause.lines().any(|line| line.trim() == format!("rule  {rule}"));
        assert!(cites, "6{clause}: {of_clause}");
    }
}
