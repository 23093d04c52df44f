//! The parser's rules in the author's words, and an accepted line of each construct.

use super::Rule;
use crate::arrange::Arrange as _;

pub(super) const QUOTED: &str = "a text in quotes";

/// What goes on with an expression, and with nothing else.
pub(super) const OF_EXPRESSIONS: [&str; 6] = ["`+`", "`-`", "`*`", "`/`", "`and`", "`or`"];

/// What may follow an expression that is already whole.
pub(super) const GOES_ON: [&str; 23] = [
    "`+`",
    "`-`",
    "`*`",
    "`/`",
    "`and`",
    "`or`",
    "`is`",
    "`at`",
    "`of`",
    "`from`",
    "`where`",
    "`here`",
    "a comparison",
    "clauses in `[ ]`",
    "the end",
    "`[`",
    "`would`",
    "`,`",
    "`more`",
    "`less`",
    "`between`",
    "`in`",
    "`off`",
];

pub(super) fn spoken_all(positives: &[Rule]) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for rule in positives {
        let word = spoken(*rule);
        if !word.is_empty() && !words.contains(&word) {
            words.push(word);
        }
    }
    // What the line lacks comes first, what may always follow last.
    words.arrange_by_key(|w| GOES_ON.contains(&w.as_str()));
    words
}

pub(super) fn spoken(rule: Rule) -> String {
    let name = format!("{rule:?}");
    if let Some(word) = name.strip_prefix("k_") {
        return format!("`{word}`");
    }
    let word = match rule {
        Rule::COMMENT => "",
        Rule::EOI => "the end",
        Rule::open => "`{`",
        Rule::close => "`}`",
        Rule::lparen => "`(`",
        Rule::rparen => "`)`",
        Rule::lcite | Rule::cites => "clauses in `[ ]`",
        Rule::rcite => "`]`",
        Rule::comma => "`,`",
        Rule::bar => "`|`",
        Rule::equals => "`=`",
        Rule::plus => "`+`",
        Rule::minus => "`-`",
        Rule::times => "`*`",
        Rule::divide => "`/`",
        Rule::or_op => "`or`",
        Rule::and_op => "`and`",
        Rule::comparison | Rule::claim_test => "a comparison",
        Rule::name | Rule::names | Rule::head | Rule::party2 => "a name",
        Rule::expr | Rule::conj | Rule::neg | Rule::compare | Rule::claim | Rule::plain_claim => {
            "a condition"
        }
        Rule::sum | Rule::product | Rule::signed | Rule::atom | Rule::simple => "a value",
        Rule::subject => "`of`",
        Rule::where_ => "`where`",
        Rule::withs => "`with`",
        Rule::until => "`until`",
        Rule::key_cell | Rule::case_cell => "a cell",
        Rule::throw => "dice such as `2d6`",
        Rule::string => QUOTED,
        Rule::numeral | Rule::number | Rule::bound => "a number",
        Rule::clause_ref => "a clause such as `22.3a`",
        Rule::things => "things, such as `enemy army here`",
        Rule::path | Rule::thing | Rule::map_id | Rule::map_ids | Rule::link_end | Rule::space => {
            "a name"
        }
        Rule::place => "a place, such as `here`",
        Rule::hex_digits => "a label such as `0201`",
        Rule::policy => "`first match`, `only match`, `sum of matches` or `all matches`",
        Rule::attr_type => "a type, such as `yes or no`",
        Rule::moment | Rule::moments | Rule::moment_point => "a moment, such as `at start of turn`",
        Rule::excepted => "a rule, such as `reach`",
        Rule::effect => "an effect, such as `mark`",
        _ => {
            return format!(
                "{} {}",
                if name.starts_with(['a', 'e', 'i', 'o']) { "an" } else { "a" },
                name.trim_end_matches('_').replace('_', " ")
            );
        }
    };
    word.to_owned()
}

pub(super) fn said(expected: &[String]) -> String {
    match expected {
        [] => "nothing fits".to_owned(),
        [one] => format!("expected {one}"),
        [most @ .., last] => format!(
            "expected {} or {last}",
            most.iter().take(6).cloned().collect::<Vec<_>>().join(", ")
        ),
    }
}

/// A line of the same sort that is accepted, in a block of this noun; else the block.
pub(super) fn line_model(noun: &str, begins: &str, text: &str) -> &'static str {
    match (noun, begins) {
        ("map" | "setup" | "case", "given") => {
            "what is so is given as in `given control is Red in Port`, `given leader of First is Hale` or `given Red is enemy_of Blue`, one a line"
        }
        ("map", "link") => "a link reads `link road Port to Hill`",
        ("map", "space") => "a space reads `space area Port \"Port\" with terrain land, coastal`",
        ("setup" | "case", "put") => {
            "a unit is put as in `put army First of Red in Port with strength 4, supplied_once`"
        }
        ("case", "run") => {
            "a case runs a phase or a part of the turn: `run check of Red`, `run start of movement of Red`, `run turn`"
        }
        ("case", "dice") => "the dice of the next rolls read `dice 3, 5`",
        ("case", "order") => "an order reads `order First move to Port`",
        ("table", "kept") => "the ends of a sum read `kept between 0 and 6`",
        ("table", "row") => "a row reads `row led when leader is not none then 2`",
        ("test", "roll") => "a roll reads `roll 2d6 + strength`",
        ("test", "when") => "a row of a test reads `when total at least 8 then holds`",
        ("phase", "do" | "may" | "must") => {
            "a step reads `do lower strength by 1 for own armies where unsupplied`"
        }
        ("kind", "has") => {
            "a fact reads `has strength in points from 0 to 9`, `has coastal yes or no`, `has terrain one of land, sea` or `has leader maybe a leader`"
        }
        _ => model(noun, text),
    }
}

/// A line of the same kind that is accepted; of an override one of the same noun.
pub(super) fn model(noun: &str, text: &str) -> &'static str {
    match (noun, text.split_whitespace().nth(1).unwrap_or_default()) {
        ("override", "define" | "exception" | "pair" | "hook" | "option" | "track") => {
            "the whole is said anew, as in `override define home of area = friendly`"
        }
        (
            "override",
            "table" | "trace" | "test" | "map" | "setup" | "phase" | "choice" | "kind",
        ) => {
            "lines of it are changed behind `but`, as in `override table reach, but { led was 2 now 3 }`"
        }
        ("override", "ruling") => {
            "a line of it is changed behind `but`, as in `override ruling halves, but { default was down now up }`"
        }
        _ => example(noun),
    }
}

/// A line of the same kind that is accepted.
fn example(noun: &str) -> &'static str {
    match noun {
        "trace" => "a trace reads `trace supply of army { called supplied else cut_off ... }`",
        "table" => {
            "a table reads `table reach of army gives areas by first match { when led then 2 ... }`"
        }
        "define" => "a define reads `define home of area = friendly and no enemy army here`",
        "phase" => {
            "a phase reads `phase check at start of turn { do mark tired for armies where unsupplied }`; `once` stands behind its name, `when` and a condition behind the moment"
        }
        "kind" => "a kind reads `kind army, armies is unit { has strength in points from 0 to 9 }`",
        "track" => {
            "a track reads `track siege { free ... invested }`, each stage on a line of its own"
        }
        "count" => "a count reads `count hungry of army per turn from 0 to 3`",
        "die" => "a die reads `die average shows 2, 3, 3, 4, 4, 5`",
        "test" => {
            "a test reads `test morale of army { roll 2d6 ... when total at least 8 then holds ... otherwise breaks }`"
        }
        "case" => "a case reads `case \"title\" [1.2a] { setup opening ... expect A is supplied }`",
        "mistake" => {
            "a mistake reads `mistake \"title\" expects E0301 { ... }`, with what must be refused on indented lines"
        }
        "map" => {
            "a map reads `map coast { space area Port with terrain land ... link road Port to Hill }`"
        }
        "setup" => "a setup reads `setup opening on coast { put army A of Red in Port }`",
        "ruling" => {
            "a ruling reads `ruling name { readings a, b ... default a }`, each word on its line"
        }
        "override" => "an override reads `override row led of reach was 2 now 3`",
        "mark" => "a mark reads `mark tired of army until end of turn`",
        "pair" => {
            "a pair reads `pair army a is outnumbering army b = strength of a more than strength of b`, and an amount `pair gap from army a to army b = ...`"
        }
        "hook" => {
            "a hook reads `hook levy of area gives points { reads worth ... script \"levy.rhai\" ... otherwise 0 }`"
        }
        "option" => "an option reads `option hard_winter \"Hard winter\" default off`",
        "choice" => {
            "a choice reads `choice refuge of army { from areas where friendly ... left to owner }`"
        }
        "add" => {
            "a row is added by `add row to reach as row cold when tired then 1`, a line of a trace by `add to supply as always veteran`"
        }
        "remove" => {
            "what is taken away is called by its noun and name, as in `remove row led of reach` or `remove define home`"
        }
        "exception" => {
            "an exception reads `exception old to reach when veteran then 3`; it is to a table, a trace, a define, `row R of TABLE`, `source S of TRACE`, `through of LEG of TRACE` or another exception"
        }
        "clause" => "a clause reads `clause a \"what it says\"`",
        "sides" => {
            "sides are named in one line, as in `sides Red, Green against Blue` or `sides Red, Blue`"
        }
        "clock" => {
            "a clock reads `clock turn on year has supply of each side, (movement, combat) of each side, weather 2 times`; `on year` counts the turns by a track, and may be left out"
        }
        "dimension" => "dimensions read `dimension areas (area), points (point)`",
        "named" => "pieces are named as in `named leader Hale, Brandt`",
        "given" => "a given fact reads `given frozen of area \"the river is frozen\"`",
        "section" => "a section reads `section 22.3 \"title\"`",
        "ruleset" => "a ruleset reads `ruleset my_game \"My game\" prefix MG`",
        _ => "see the language reference for the form of this line",
    }
}
