//! What is read beside rules, with parts changed: positions, orders, logs, files of other programs.

use serde_json::{Map, Value};
use sutler::diag::has_errors;
use sutler::engine::{Dice, Order, Orders};
use sutler::log;
use sutler::source::{SourceMap, screen};
use sutler::world::json;

use super::changed_json::changed;
use super::choices::Choices;
use super::games::Game;
use super::seeds::NUMBERS;
use super::{import_text, passes, printed};

/// A position with parts changed is refused, or it is one of which all can be asked.
pub fn positions(bytes: &[u8]) -> bool {
    let mut choices = Choices::new(bytes);
    let game = Game::any(&mut choices);
    let text = changed(&game.position, &game.words, &mut choices);
    let mut sources = SourceMap::new();
    let id = sources.next_id();
    let (text, mut faults) = screen(text.as_bytes(), id);
    sources.add("any.json", text);
    let (world, more) = json::read(sources.text(id), id, &game.rules);
    assert_eq!(
        world.is_none(),
        has_errors(&more),
        "a position is given if and only if there is no error"
    );
    faults.extend(more);
    printed(&faults, &sources);
    let Some(world) = world else { return false };
    if let Ok(found) = sutler::report::position_faults(&game.rules, &world, sources.text(id), id) {
        printed(&found, &sources);
        if has_errors(&found) {
            return false;
        }
    }
    passes::written(&game.rules, &world);
    passes::position(&game.rules, &game.sources, &world);
    true
}

/// Orders are refused, or taken by turns that go on to their end or a fault. True where all are
/// read.
pub fn orders(bytes: &[u8]) -> bool {
    let mut choices = Choices::new(bytes);
    let game = Game::any(&mut choices);
    let lines: Vec<String> = (0..1 + choices.below(4)).map(|_| order(game, &mut choices)).collect();
    let text = lines.join("\n");
    let mut sources = SourceMap::new();
    let id = sources.next_id();
    let (text, faults) = screen(text.as_bytes(), id);
    sources.add("orders.jsonl", text);
    printed(&faults, &sources);
    let (found, faults) = log::orders(sources.text(id), id, &game.rules, &game.world);
    printed(&faults, &sources);
    let mut given = if choices.once_in(2) { Orders::none() } else { Orders::first_way() };
    let taken: Vec<Order> = found.iter().map(|(_, order, _)| *order).collect();
    taken.iter().for_each(|order| given.give(*order));
    let dice = match choices.below(3) {
        0 => Dice::list((0..choices.below(30)).map(|_| u32::from(choices.byte())).collect()),
        _ => Dice::seeded(choices.byte().into()),
    };
    passes::turns(&game.rules, &game.sources, game.world.clone(), &mut given, dice);
    faults.is_empty()
}

/// An order: one that a run has taken, or one made of names, and mostly with a part changed.
fn order(game: &Game, choices: &mut Choices<'_>) -> String {
    let mut order = Map::new();
    let word = |choices: &mut Choices<'_>| Value::from(choices.pick(&game.words).clone());
    order.insert("thing".to_owned(), word(choices));
    match choices.below(7) {
        0 => drop(order.insert("remove".to_owned(), Value::from(true))),
        1 => drop(order.insert("move".to_owned(), word(choices))),
        2 => {
            order.insert("follow".to_owned(), word(choices));
            order.insert("to".to_owned(), word(choices));
        }
        3 => {
            order.insert("choose".to_owned(), word(choices));
            order.insert("is".to_owned(), word(choices));
        }
        4 => {
            order.insert(
                "place".to_owned(),
                Value::from(*choices.pick(&[
                    "advance",
                    "conform",
                    "face",
                    "wheel",
                    "swap",
                    "fall back",
                ])),
            );
            order.insert("at".to_owned(), Value::from(vec![*choices.pick(&NUMBERS), "3/2"]));
            order.insert(
                "facing".to_owned(),
                Value::from(*choices.pick(&["north", "45", "(3, 4)", "(0, 0)", "361"])),
            );
        }
        n => drop(order.insert(["mark", "clear", "change"][n % 3].to_owned(), word(choices))),
    }
    let offered: Vec<String> =
        game.log.iter().filter(|line| line.contains("\"order\"")).cloned().collect();
    let text = match choices.below(3) {
        0 if !offered.is_empty() => offered_order(choices.pick(&offered).as_str()),
        _ => Value::Object(order).to_string(),
    };
    if choices.once_in(3) { changed(&text, &game.words, choices) } else { text }
}

/// The order of a line of a log, as it would be given.
fn offered_order(line: &str) -> String {
    let line: Value = serde_json::from_str(line).unwrap_or_default();
    let mut order = line.get("order").cloned().unwrap_or_default();
    for part in ["turn", "phase", "thing"] {
        order[part] = line.get(part).cloned().unwrap_or_default();
    }
    order.to_string()
}

/// A log with lines and fields changed is refused, or runs again to its end. True where it is read.
pub fn logs(bytes: &[u8]) -> bool {
    let mut choices = Choices::new(bytes);
    let game = Game::any(&mut choices);
    if game.log.is_empty() {
        return false;
    }
    let text = changed_log(game, &mut choices);
    let Ok(replay) = log::replay(&text) else { return false };
    let mut sources = SourceMap::new();
    let id = sources.next_id();
    sources.add("any.jsonl", replay.begin.position.to_string());
    let (world, faults) = json::read(sources.text(id), id, &game.rules);
    printed(&faults, &sources);
    let Some(world) = world else { return false };
    let mut orders = if replay.begin.first_way { Orders::first_way() } else { Orders::none() };
    replay
        .orders
        .iter()
        .filter_map(|given| given.order(&game.rules, &world).ok())
        .for_each(|order| orders.give(order));
    passes::turns(&game.rules, &game.sources, world, &mut orders, Dice::list(replay.dice));
    true
}

/// The log of a game with lines changed, left out, doubled or in another order.
pub fn changed_log(game: &Game, choices: &mut Choices<'_>) -> String {
    let mut lines = game.log.clone();
    for _ in 0..1 + choices.below(3) {
        // The first line is what a run begins with, and the rest are read in its light.
        let at = if choices.once_in(3) { 0 } else { choices.below(lines.len()) };
        match choices.below(8) {
            0 if lines.len() > 1 => drop(lines.remove(at)),
            1 => lines.insert(at, lines[at].clone()),
            2 => {
                let other = choices.below(lines.len());
                lines.swap(at, other);
            }
            _ => lines[at] = changed(&lines[at], &game.words, choices),
        }
    }
    lines.join("\n")
}

const CELLS: [&str; 24] = [
    "id",
    "title",
    "kind",
    "terrain",
    "from",
    "to",
    "x",
    "y",
    "",
    "0101",
    "0102",
    "0202",
    "hex",
    "sea",
    "yes",
    "no",
    "3",
    "-1",
    "1.5",
    "Red",
    "\"two\nlines\"",
    "\"with \"\"marks\"\"\"",
    "a b",
    "99999999999999999999",
];
const HEADS: [&str; 5] =
    ["id,kind,terrain", "id,title,kind,terrain", "from,to,kind", "kind,id", "id"];
const LINES: [&str; 14] = [
    "0101 mountain",
    "0102 sea \"Port\"",
    "0101-0203 road",
    "0101-0102-0203 river",
    "# a note",
    "0000 empty",
    "-0101 hill",
    "10203 plain",
    "0101",
    "0101 mountain \"Peak\" size 20",
    "text color black",
    "0101-9999 wall",
    "include other.txt",
    "0102 marsh castle \"A \\\"B\\\"\"",
];

/// Files of other programs: tables with a head, and lines of Text Mapper. True for a map.
pub fn imports(bytes: &[u8]) -> bool {
    let mut choices = Choices::new(bytes);
    let mut text = String::new();
    if choices.once_in(2) {
        let head = *choices.pick(&HEADS);
        text.push_str(head);
        let comma = *choices.pick(&[",", ",", ",", ";", "\t"]);
        let line = |choices: &mut Choices<'_>| {
            (0..1 + choices.below(5)).map(|_| *choices.pick(&CELLS)).collect::<Vec<_>>().join(comma)
        };
        (0..choices.below(6)).for_each(|_| text.push_str(&format!("\n{}", line(&mut choices))));
    } else {
        (0..1 + choices.below(8))
            .for_each(|_| text.push_str(&format!("{}\n", choices.pick(&LINES))));
    }
    if choices.once_in(3) {
        let at = choices.below(text.len());
        text.insert(at, char::from(choices.byte() & 0x7f));
    }
    import_text(text.as_bytes())
}
