//! A log read back: the position it began with, what its dice showed and what was ordered.

use super::{Begin, Line, MOST_TURNS};

/// What a log says of its run.
#[derive(Debug, Clone)]
pub struct Replay {
    /// What the run began with.
    pub begin: Begin,
    /// What its dice showed, in order.
    pub dice: Vec<u32>,
    /// Its orders, each with the name of its phase, its thing and its turn.
    pub orders: Vec<super::Given>,
}

/// Reads a log; what is wrong with it comes with the number of its line, from 1.
pub fn replay(text: &str) -> Result<Replay, (usize, String)> {
    let mut lines = text.lines().enumerate();
    let first = lines.next().map_or("", |(_, line)| line);
    let begin: Begin =
        serde_json::from_str(first).map_err(|error| (1, format!("this is no log: {error}")))?;
    if begin.schema != super::LOG_SCHEMA {
        return Err((
            1,
            format!(
                "the log is of form {}, and this program reads form {}",
                begin.schema,
                super::LOG_SCHEMA
            ),
        ));
    }
    if !(1..=MOST_TURNS).contains(&begin.turns) {
        return Err((
            1,
            format!("the log claims {} turns, and a run has 1 to {MOST_TURNS}", begin.turns),
        ));
    }
    let (mut dice, mut orders) = (Vec::new(), Vec::new());
    for (at, line) in lines {
        if line.starts_with("{\"ended\"") {
            continue;
        }
        let line: Line = serde_json::from_str(line)
            .map_err(|error| (at + 1, format!("this is no event: {error}")))?;
        if let super::Happened::Rolled { dice: shown, .. } = &line.what {
            dice.extend(shown);
        }
        if let Some(order) = line.order {
            orders.push(super::Given {
                turn: Some(line.turn),
                phase: Some(line.phase),
                thing: line.thing,
                ..order
            });
        }
    }
    Ok(Replay { begin, dice, orders })
}
