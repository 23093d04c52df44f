//! Many positions as a table: Arrow to Arrow, as a program asks that has columns of words.

use std::hint::black_box;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_array::{
    Array, ArrayRef, BooleanArray, DictionaryArray, Int32Array, RecordBatch, StringArray,
};
use serde_json::Value;
use sutler::arrow::Asked;

use super::Game;
use super::ours::Many;
use super::pairs::{Wanted, pairs, ratio};
use super::plain::{self, OFF, Plain};

const COLUMNS: Wanted = Wanted { floor: 0.7, goal: 0.95 };

/// A table of positions against the same positions as rows; the first trace of the game.
pub fn columns(game: &Game) -> Value {
    let many = game.fewer(1024);
    let positions = plain::rows(game, many, 9);
    let (asked, table) = (asked(game), table(game, &positions));
    let mut ours = Many::new(game, many);
    let mut out = Vec::new();
    ours.ask(&positions, &mut out);
    agree(game, &asked, &table, &out);
    let (found, time) = pairs(
        &mut |_| {
            black_box(asked.answer(black_box(&table), 0, &[]).unwrap());
        },
        &mut |_| {
            ours.ask(black_box(&positions), &mut out);
            black_box(&out);
        },
    );
    let (of_table, of_rows) = (time / many as f64 / 1e3, time * found / many as f64 / 1e3);
    let name = game.shape.name;
    println!("{name}, a table: {of_table:.2} us a position, from rows {of_rows:.2}");
    let what = format!("{many} positions, Arrow to Arrow");
    ratio(&game.title(), &what, "the Rust call on rows", found, COLUMNS)
}

fn asked(game: &Game) -> Asked {
    let like = game.handle.setup(game.shape.setup).unwrap();
    let trace = game.handle.trace(&(game.shape.traces)()[0]).unwrap();
    Asked::of_trace(like, trace, false).unwrap()
}

/// All that differs from position to position, a column a thing.
fn table(game: &Game, positions: &[Plain]) -> RecordBatch {
    let map = &game.rules.maps[game.start.map.index()];
    let words = |all: Vec<&str>| -> ArrayRef { Arc::new(StringArray::from(all)) };
    let spaces = words(map.spaces.iter().map(|space| space.id.as_str()).collect());
    let sides = words(game.rules.sides.iter().map(|side| side.name.as_str()).collect());
    let named = words(game.rules.named.iter().map(|thing| thing.name.as_str()).collect());
    let column = |of: &dyn Fn(&Plain) -> Option<i32>, words: &ArrayRef| -> ArrayRef {
        let keys: Int32Array = positions.iter().map(of).collect();
        Arc::new(DictionaryArray::<Int32Type>::try_new(keys, Arc::clone(words)).unwrap())
    };
    let start = Plain::start(game);
    let mut columns: Vec<(String, ArrayRef)> = Vec::new();
    for (at, unit) in game.start.units.iter().enumerate().filter(|(at, _)| start.space[*at] != OFF)
    {
        let space = |p: &Plain| (p.space[at] != OFF).then(|| i32::from(p.space[at]));
        columns.push((format!("{}.space", unit.id), column(&space, &spaces)));
        let Some((_, fact)) = game.shape.varying.filter(|_| game.takes_fact[at]) else { continue };
        let name = format!("{}.{fact}", unit.id);
        if game.fact_values == 2 {
            let yes = positions.iter().map(|p| Some(p.fact[at] != 0)).collect::<BooleanArray>();
            columns.push((name, Arc::new(yes)));
        } else {
            let thing = |p: &Plain| i32::from(p.fact[at]).checked_sub(1).filter(|at| *at >= 0);
            columns.push((name, column(&thing, &named)));
        }
    }
    for (at, space) in map.spaces.iter().enumerate().filter(|_| game.shape.control) {
        let side = |p: &Plain| i32::from(p.control[at]).checked_sub(1).filter(|at| *at >= 0);
        columns.push((format!("{}.control", space.id), column(&side, &sides)));
    }
    RecordBatch::try_from_iter(columns).unwrap()
}

/// Ends the run where the table answers otherwise than the rows.
fn agree(game: &Game, asked: &Asked, table: &RecordBatch, rows: &[u8]) {
    let answers = asked.answer(table, 0, &[]).unwrap();
    let (each, traces) = (game.things(), game.traces.len());
    let mut compared = 0;
    for (at, unit) in game.start.units.iter().enumerate() {
        let Some(found) = answers.column_by_name(&format!("{}.yes", unit.id)) else { continue };
        let found = found.as_boolean();
        for row in (0..table.num_rows()).filter(|row| found.is_valid(*row)) {
            let wanted = rows[row * traces * each + at];
            if u8::from(found.value(row)) != wanted {
                println!("{}: row {row}, {}: the table says otherwise", game.shape.name, unit.id);
                std::process::exit(1);
            }
            compared += 1;
        }
    }
    assert!(compared > table.num_rows(), "{}: nothing was compared", game.shape.name);
}
