//! A sample as a case of a suite.

use serde_json::{Map, Value as Json};

use super::look::Wrong;
use super::sample::{Piece, Sample};
use crate::ir::Ruleset;
use crate::log::Given;

/// A case that fails as long as what is wrong comes about; nothing for a fault, at which a case
/// stops, and for what no sentence of a case says.
#[must_use]
pub fn case_text(rules: &Ruleset, sample: &Sample, wrong: &Wrong, title: &str) -> Option<String> {
    let Wrong::Never(define) = wrong else { return None };
    let define = rules.defines.get(define.index())?;
    let mut lines = position_lines(rules, &sample.position)?;
    lines.extend(sample.orders.iter().map(order));
    if !sample.dice.is_empty() {
        let shown: Vec<String> = sample.dice.iter().map(u32::to_string).collect();
        lines.push(format!("dice {}", shown.join(", ")));
    }
    lines.push(run_line(rules, sample.piece)?);
    if let Some(side) = sample.viewer.and_then(|side| rules.sides.get(side.index())) {
        lines.push(format!("given viewer is {}", side.name));
    }
    lines.push(match sample.thing.as_str() {
        "" => format!("expect not {}", define.name),
        thing => format!("expect not {} of {}", define.name, place(thing)),
    });
    let title = title.replace(['"', '\n'], " ");
    Some(format!("case \"{title}\" {{\n  {}\n}}\n", lines.join("\n  ")))
}

/// The lines of a case that state a position; nothing where a case has no sentence for some of it.
pub(crate) fn position_lines(rules: &Ruleset, position: &Json) -> Option<Vec<String>> {
    let position = position.as_object()?;
    let mut lines = vec![format!("on {}", word(position.get("map")?))];
    let field = |name: &str| position.get(name).and_then(Json::as_object);
    for (name, reading) in field("rulings").into_iter().flatten() {
        lines.push(match reading {
            Json::Bool(on) => format!("option {name} is {}", if *on { "on" } else { "off" }),
            reading => format!("ruling {name} is {}", word(reading)),
        });
    }
    for unit in position.get("units").and_then(Json::as_array).into_iter().flatten() {
        unit_lines(rules, unit.as_object()?, &mut lines)?;
    }
    for (id, space) in field("spaces").into_iter().flatten() {
        let id = place(id);
        if let Some(control) = space.get("control") {
            lines.push(format!("given control of {id} is {}", word(control)));
        }
        facts(space.get("facts"), Some(&id), &mut lines);
    }
    for link in position.get("links").and_then(Json::as_array).into_iter().flatten() {
        let part = |name: &str| link.get(name).map(word);
        let (kind, from, to) = (part("kind")?, part("from")?, part("to")?);
        let named = format!("link {kind} {from} to {to}");
        facts(link.get("facts"), Some(&named), &mut lines);
    }
    for (name, side) in field("sides").into_iter().flatten() {
        facts(side.get("facts"), Some(name), &mut lines);
    }
    facts(position.get("world"), None, &mut lines);
    for (trace, answers) in field("kept").into_iter().flatten() {
        for (id, answer) in answers.as_object().into_iter().flatten() {
            lines.push(format!("given {trace} of {} is {}", place(id), word(answer)));
        }
    }
    let list = |name: &str| position.get(name).and_then(Json::as_array).into_iter().flatten();
    for relation in list("relations") {
        lines.push(relation_line(relation)?);
    }
    for stated in list("stated") {
        lines.push(stated_line(stated)?);
    }
    Some(lines)
}

/// How two sides stand to each other.
fn relation_line(relation: &Json) -> Option<String> {
    let [a, how, b] = relation.as_array()?.as_slice() else { return None };
    Some(format!("given {} is {} {}", word(a), word(how), word(b)))
}

/// What is said of two things.
fn stated_line(stated: &Json) -> Option<String> {
    let pair = word(stated.get("pair")?);
    let [from, to] = ["from", "to"].map(|end| stated.get(end).and_then(Json::as_str).map(place));
    let (from, to) = (from?, to?);
    Some(match stated.get("value")? {
        Json::Bool(true) => format!("given {from} is {pair} {to}"),
        Json::Bool(false) => format!("given {from} is not {pair} {to}"),
        amount => format!("given {pair} from {from} to {to} is {}", word(amount)),
    })
}

fn unit_lines(rules: &Ruleset, unit: &Map<String, Json>, lines: &mut Vec<String>) -> Option<()> {
    let id = word(unit.get("id")?);
    let named = rules.named.iter().any(|named| named.name == id);
    let side = unit.get("side").filter(|side| !side.is_null()).map(word);
    let space = unit.get("space").map(|space| place(&word(space)));
    let lies = unit.get("at").and_then(Json::as_array).map(|at| {
        let at: Vec<String> = at.iter().map(word).collect();
        let facing =
            unit.get("facing").map_or_else(String::new, |f| format!(" facing {}", word(f)));
        format!(" at ({}){facing}", at.join(", "))
    });
    if unit.get("removed").is_some() {
        return None;
    }
    if named {
        lines.extend(side.map(|side| format!("given side of {id} is {side}")));
        lines.extend(space.map(|space| format!("given space of {id} is {space}")));
        lines.extend(lies.map(|lies| format!("given {id}{lies}")));
    } else {
        let of = side.map_or_else(String::new, |side| format!(" of {side}"));
        let at = space.map(|space| format!(" in {space}")).or(lies).unwrap_or_default();
        lines.push(format!("put {} {id}{of}{at}", word(unit.get("kind")?)));
    }
    facts(unit.get("facts"), Some(&id), lines);
    Some(())
}

fn facts(said: Option<&Json>, of: Option<&str>, lines: &mut Vec<String>) {
    let of = of.map_or_else(String::new, |of| format!(" of {of}"));
    for (name, value) in said.and_then(Json::as_object).into_iter().flatten() {
        lines.push(format!("given {name}{of} is {}", word(value)));
    }
}

fn order(given: &Given) -> String {
    let to = |space: &Option<String>| place(space.as_deref().unwrap_or_default());
    let deed = match given {
        Given { mark: Some(mark), .. } => format!("mark {mark}"),
        Given { clear: Some(fact), .. } => format!("clear {fact}"),
        Given { change: Some(fact), .. } => format!("set {fact}"),
        Given { go: Some(_), .. } => format!("move to {}", to(&given.go)),
        Given { follow: Some(trace), .. } => format!("follow {trace} to {}", to(&given.to)),
        Given { choose: Some(choice), .. } => format!("choose {choice} is {}", to(&given.is)),
        Given { place: Some(word), .. } => match (&given.at, &given.facing) {
            (Some([x, y]), Some(facing)) => format!("{word} to ({x}, {y}) facing {facing}"),
            _ => word.clone(),
        },
        _ => "remove".to_owned(),
    };
    format!("order {} {deed}", place(&given.thing))
}

fn run_line(rules: &Ruleset, piece: Piece) -> Option<String> {
    Some(match piece {
        Piece::Turn => format!("run {}", rules.clock.as_ref()?.name),
        Piece::Phase(phase, side) => {
            let of = side.and_then(|side| rules.sides.get(side.index()));
            let of = of.map_or_else(String::new, |side| format!(" of {}", side.name));
            format!("run {}{of}", rules.phases.get(phase.index())?.name)
        }
    })
}

/// A space or a unit by its id; a number is that of a hex.
pub(crate) fn place(id: &str) -> String {
    if id.starts_with(|c: char| c.is_ascii_digit()) { format!("hex {id}") } else { id.to_owned() }
}

/// A value in the words of rules.
fn word(value: &Json) -> String {
    match value {
        Json::Bool(yes) => if *yes { "yes" } else { "no" }.to_owned(),
        Json::Null => "none".to_owned(),
        Json::String(text)
            if text.starts_with(|c: char| c.is_ascii_digit()) && !text.contains('/') =>
        {
            place(text)
        }
        Json::String(text) => text.clone(),
        other => other.to_string(),
    }
}
