//! Slips of one word or sign in a sane file: each has its code and its place, and most are told how
//! to mend them.

use sutler::project::check_text;

/// A ruleset without a fault, in which every text below stands once.
const SANE: &str = include_str!("../mistakes.sut");

/// What is written, what is written instead, and the one fault that follows.
struct Slip {
    right: &'static str,
    wrong: &'static str,
    code: &'static str,
    /// Line and column of the primary label.
    at: (usize, usize),
    /// What the help says.
    help: &'static str,
    /// Whether that is what a designer would have to write.
    mends: bool,
}

const fn slip(
    right: &'static str,
    wrong: &'static str,
    code: &'static str,
    at: (usize, usize),
    help: &'static str,
) -> Slip {
    Slip { right, wrong, code, at, help, mends: true }
}

/// The same, where the help does not name the mend.
const fn hard(
    right: &'static str,
    wrong: &'static str,
    code: &'static str,
    at: (usize, usize),
    help: &'static str,
) -> Slip {
    Slip { right, wrong, code, at, help, mends: false }
}

const SLIPS: &[Slip] = &[
    slip("table reach", "tabel reach", "E0108", (24, 1), "write `table`"),
    slip(
        "trace supply of army [1a]",
        "trase supply of army [1a]",
        "E0108",
        (34, 1),
        "write `trace`",
    ),
    slip("  through not held", "  trough not held", "E0107", (42, 5), "write `through`"),
    slip("  otherwise 1", "  otherwhise 1", "E0107", (26, 3), "write `otherwise`"),
    slip("  judge supply for", "  juge supply for", "E0107", (47, 3), "write `judge`"),
    slip("none then 2", "none 2", "E0100", (25, 35), "write `then 2`"),
    slip("is not none then 2", "is not none than 2", "E0100", (25, 35), "write `then`"),
    slip(
        "gives areas by first match {",
        "gives areas {",
        "E0106",
        (24, 33),
        "add `by first match`, `by only match`, `by sum of matches` or `by all matches` before `{`",
    ),
    slip(
        "gives areas by first match {",
        "gives areas by first match",
        "E0100",
        (24, 42),
        "write `{` at the end of the line",
    ),
    slip("strength at least 5", "strength >= 5", "E0105", (22, 34), "write `at least`"),
    slip("strength at least 5", "strength at last 5", "E0100", (22, 37), "write `least`"),
    slip("strength at least 5", "strength least 5", "E0103", (22, 34), "write `at least`"),
    slip("terrain is land and", "terrain = land and", "E0105", (20, 31), "write `is`"),
    slip(
        "where (strong and coming)",
        "where strong and coming",
        "E0110",
        (23, 56),
        "write `where (strong and coming)`, or put the whole phrase in brackets before `and`",
    ),
    slip(
        "where (strong and coming)",
        "where (strong and coming",
        "E0100",
        (23, 61),
        "write `)` at the end of the line",
    ),
    slip(r#""short of food""#, r#""short of food"#, "E0112", (17, 20), r#"close it with `"`"#),
    slip("prefix SK", "SK", "E0100", (2, 29), "write `prefix SK`"),
    slip(
        "any enemy army here where",
        "any enemy army her where",
        "E0203",
        (23, 38),
        "write `here`",
    ),
    slip(
        "  within reach\n}",
        "  within reach",
        "E0102",
        (44, 12),
        "write `}` on a line of its own behind it",
    ),
    slip(
        "  expect Guard is supplied",
        "  expect Guard supplied",
        "E0100",
        (62, 16),
        "write `is supplied`",
    ),
    slip(
        "strength in points from 0 to 9",
        "strength points from 0 to 9",
        "E0100",
        (14, 16),
        "write `in points`",
    ),
    slip("has coastal yes or no", "has coastal yes no", "E0103", (9, 19), "write `or no`"),
    slip(
        "called supplied else unsupplied",
        "called supplied or unsupplied",
        "E0100",
        (35, 19),
        "write `else` instead of `or`",
    ),
    slip("at start of action", "at strat of action", "E0100", (46, 23), "write `start`"),
    slip("link border Port to Hill", "link border Port Hill", "E0100", (53, 20), "write `to Hill`"),
    slip(
        "put army Guard of Red in Hill",
        "put army Guard in Hill of Red",
        "E0706",
        (57, 29),
        "write `put army Guard of Red in Hill`",
    ),
    slip(
        "define home of area = terrain",
        "define home of area terrain",
        "E0100",
        (20, 21),
        "write `= terrain`",
    ),
    slip("define home of area", "define home area", "E0100", (20, 13), "write `of area`"),
    slip("row sea | 2 | 0", "row sea | 2 0", "E0100", (32, 15), "write `| 0`"),
    slip(
        "source home_area where home",
        "source home_area when home",
        "E0103",
        (38, 20),
        "write `where` instead of `when`",
    ),
    slip("friendly [1a]", "friendly [1a", "E0100", (20, 53), "write `]` at the end of the line"),
    slip("is space {", "is space", "E0100", (7, 21), "write `{` at the end of the line"),
    slip(
        "mark weary for own armies where",
        "mark weary own armies where",
        "E0100",
        (48, 17),
        "write `for own`",
    ),
    slip(
        "  has leader maybe a leader",
        "  leader maybe a leader",
        "E0107",
        (15, 3),
        "write `has leader`",
    ),
    slip("or leader is Frederick", "or or leader is Frederick", "E0100", (22, 48), "take `or` out"),
    slip(
        "or leader is Frederick",
        "or leader is Frederick not",
        "E0100",
        (22, 68),
        "take `not` out",
    ),
    slip(
        "dimension areas (area), points",
        "dimension areas (area) points",
        "E0103",
        (6, 24),
        "write `, points`",
    ),
    slip(
        "sides Red against Blue",
        "sides Red vs Blue",
        "E0100",
        (4, 11),
        "write `against` instead of `vs`",
    ),
    slip(
        "lasts until end of turn",
        "lasts till end of turn",
        "E0100",
        (37, 9),
        "write `until` instead of `till`",
    ),
    slip("edition 1", "editon 1", "E0108", (1, 1), "write `edition`"),
    slip(
        "from 0 to 9\n  has leader",
        "from 0 to 9\n  has leader may a leader #",
        "E0100",
        (15, 14),
        "write `maybe` instead of `may`",
    ),
    slip(
        "across supply | supplied | unsupplied",
        "across supply supplied | unsupplied",
        "E0100",
        (30, 17),
        "write `| supplied`",
    ),
    slip(
        "judged in supply_check",
        "judged supply_check",
        "E0103",
        (36, 10),
        "write `in supply_check`",
    ),
    slip("any enemy army here where", "an enemy army here where", "E0103", (23, 26), "write `any`"),
    slip(
        "  over borders",
        "  over borders and roads",
        "E0100",
        (40, 18),
        "a list goes on with commas, as in `over borders`",
    ),
    slip(
        "given control is Red in Port",
        "given control Red in Port",
        "E0103",
        (56, 17),
        "write `is Red`",
    ),
    slip(
        r#"case "the guard is fed" [1a] {"#,
        "case the guard is fed [1a] {",
        "E0100",
        (59, 6),
        r#"put it in quotes: `"the guard is fed"`"#,
    ),
    slip(
        r#"section 1 "Supply""#,
        "section 1 Supply",
        "E0100",
        (18, 11),
        r#"put it in quotes: `"Supply"`"#,
    ),
    slip(
        "run supply_check of Red",
        "run supply_check for Red",
        "E0103",
        (61, 20),
        "write `of` instead of `for`",
    ),
    slip("within reach", "within reach areas", "E0103", (44, 18), "write `within reach`"),
    slip("with strength 4", "strength 4", "E0100", (57, 33), "write `with strength`"),
    slip(
        "or leader is Frederick",
        "or (leader is Frederick",
        "E0100",
        (22, 59),
        "write `)` at the end of the line, or write `) is`",
    ),
    slip("or leader is Frederick", "|| leader is Frederick", "E0105", (22, 45), "write `or`"),
    slip(
        "with terrain land, coastal",
        "with terrain land coastal",
        "E0103",
        (51, 37),
        "write `, coastal`",
    ),
    slip(
        "space area Hill with",
        "space Hill with",
        "E0100",
        (52, 14),
        "write `area` behind `space`",
    ),
    slip("length of supply", "length supply", "E0100", (63, 17), "write `of supply`"),
    slip("put army Guard", "putt army Guard", "E0107", (57, 3), "write `put`"),
    slip("define coming of army", "defin coming of army", "E0108", (21, 1), "write `define`"),
    slip(
        "kind army, armies is unit",
        "kind army, armies unit",
        "E0103",
        (13, 19),
        "write `is unit`",
    ),
    slip(
        "kind army, armies is unit",
        "kind army armies is unit",
        "E0103",
        (13, 11),
        "write `, armies`",
    ),
    slip(
        "has terrain one of land, sea",
        "has terrain one land, sea",
        "E0103",
        (8, 19),
        "write `of land`",
    ),
    slip(
        "has terrain one of land, sea",
        "has terrain one of land sea",
        "E0103",
        (8, 27),
        "write `, sea`",
    ),
    slip("mark weary of army", "mark weary army", "E0103", (17, 12), "write `of army`"),
    slip("until end of turn [1a]", "until end turn [1a]", "E0103", (17, 46), "write `of turn`"),
    slip("prefix SK", r#"prefix "SK""#, "E0100", (2, 36), "write it without quotes: `SK`"),
    hard(
        r#"clause a "An army"#,
        r#"clause "An army"#,
        "E0100",
        (19, 8),
        r#"a clause reads `clause a "what it says"`"#,
    ),
    slip(
        "gives areas by first match",
        "give areas by first match",
        "E0100",
        (24, 21),
        "write `gives`",
    ),
    slip(
        "gives areas by first match",
        "gives areas by first",
        "E0100",
        (24, 42),
        "write `match {`",
    ),
    slip("down terrain here", "down terrain heer", "E0103", (29, 16), "write `here`"),
    slip("called supplied else", "call supplied else", "E0107", (35, 3), "write `called`"),
    slip("from anywhere", "form anywhere", "E0107", (41, 5), "write `from`"),
    slip(
        "judge supply for own armies",
        "judge supply own armies",
        "E0100",
        (47, 16),
        "write `for own`",
    ),
    slip(
        "do mark weary",
        "mark weary",
        "E0107",
        (48, 3),
        "a step begins with `do`, `may` or `must`, as in `do mark weary for own armies`",
    ),
    slip(
        "for own armies where unsupplied",
        "for own armies when unsupplied",
        "E0100",
        (48, 32),
        "write `where` instead of `when`",
    ),
    hard(
        "map coast {",
        "map {",
        "E0100",
        (50, 5),
        "a map reads `map coast { space area Port with terrain land ... link road Port to Hill }`",
    ),
    slip(
        "space area Port with",
        "space area Port has",
        "E0100",
        (51, 19),
        "write `with` instead of `has`",
    ),
    slip(
        "setup opening on coast {",
        "setup opening coast {",
        "E0100",
        (55, 15),
        "write `on coast`",
    ),
    hard(
        "in Hill with strength 4",
        "at Hill with strength 4",
        "E0100",
        (57, 28),
        "write `in` instead of `at`",
    ),
    slip("in Hill with strength 4", "in Hill with strength = 4", "E0105", (57, 47), "take `=` out"),
    slip(
        "expect Guard is supplied",
        "except Guard is supplied",
        "E0107",
        (62, 3),
        "write `expect`",
    ),
    slip(
        "expect Guard is supplied",
        "expect Guard is suplied",
        "E0201",
        (62, 19),
        "write `supplied`",
    ),
    slip("is 1 area", "== 1 area", "E0105", (63, 36), "write `is`"),
    slip("run supply_check of Red", "run supply_check Red", "E0103", (61, 20), "write `of Red`"),
    slip("strength at least 5", "strength is at least 5", "E0100", (22, 37), "take `is` out"),
    slip(
        "strength at least 5",
        "strength greater than 5",
        "E0103",
        (22, 34),
        "write `more` instead of `greater`",
    ),
    slip("named leader Frederick", "name leader Frederick", "E0108", (3, 1), "write `named`"),
    slip(
        "leader is not none then 2",
        "leader not none then 2",
        "E0100",
        (25, 23),
        "write `is not`",
    ),
    slip("  otherwise 1", "  else 1", "E0107", (26, 3), "write `otherwise`"),
    slip("within reach", "within", "E0100", (44, 5), "write a value behind `within`"),
];

#[test]
fn the_sane_file_is_sane() {
    let (_, rules, faults) = check_text("mistakes.sut", SANE.as_bytes());
    assert!(rules.is_some() && faults.is_empty(), "{faults:#?}");
}

#[test]
fn every_slip_gives_one_fault_at_its_place() {
    let mut bad = Vec::new();
    for slip in SLIPS {
        assert_eq!(SANE.matches(slip.right).count(), 1, "{:?} stands once", slip.right);
        let text = SANE.replacen(slip.right, slip.wrong, 1);
        let (_, _, faults) = check_text("mistakes.sut", text.as_bytes());
        let found: Vec<_> = faults
            .iter()
            .map(|f| {
                let before = text.get(..f.primary().unwrap().start as usize).unwrap();
                let line = before.matches('\n').count() + 1;
                let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
                (f.code.as_str(), (line, column), f.help.clone().unwrap_or_default())
            })
            .collect();
        if found != [(slip.code, slip.at, slip.help.to_owned())] {
            bad.push(format!("{:?} for {:?}: {found:#?}", slip.wrong, slip.right));
        }
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

/// The place of a label and the place where the texts begin to differ lie within one word of each
/// other.
#[test]
fn nearly_all_slips_are_pointed_at_and_told_how_to_mend() {
    let pointed = SLIPS.iter().filter(|s| words_between(s) <= 1).count();
    let mended = SLIPS.iter().filter(|s| s.mends).count();
    assert!(pointed * 100 >= SLIPS.len() * 90, "{pointed} of {} are pointed at", SLIPS.len());
    assert!(mended * 100 >= SLIPS.len() * 80, "{mended} of {} are mended", SLIPS.len());
}

/// How many words or signs lie between the label and the first letter that is wrong.
fn words_between(slip: &Slip) -> usize {
    let text = SANE.replacen(slip.right, slip.wrong, 1);
    let differs = SANE.bytes().zip(text.bytes()).take_while(|(a, b)| a == b).count();
    let start: usize = text.split_inclusive('\n').take(slip.at.0 - 1).map(str::len).sum();
    let label = start + slip.at.1 - 1;
    let between = text.get(label.min(differs)..label.max(differs)).unwrap();
    let signs =
        between.chars().filter(|c| !c.is_alphanumeric() && !c.is_whitespace() && *c != '_').count();
    let words =
        between.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|w| !w.is_empty()).count();
    // A word that the place itself lies in is the word at hand.
    (signs + words).saturating_sub(1)
}
