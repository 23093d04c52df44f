//! What a page shows of a position and of a game.

use serde::Deserialize;
use serde_json::{Map, Value, json};
use sutler::{Drawing, Faults, Game, Laid, Position, Reached, Space};

use crate::calls::{data, trace_of};

/// What a drawing shows.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
pub struct Show {
    /// The trace whose lines are drawn; without one no line is.
    trace: Option<String>,
    /// The side whose lines are shown on the spaces.
    side: Option<String>,
    /// The units whose lines are drawn, or all.
    units: Vec<String>,
    /// Lays over the map why this thing has no line.
    why_not: Option<String>,
    /// Lays over the map what would cut these things; all if the list is empty.
    threat: Option<Vec<String>>,
}

/// In which form.
#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "lowercase")]
pub enum Form {
    /// A picture.
    Svg,
    /// For a terminal.
    Text,
    /// For programs.
    Json,
    /// Where everything stands, for a program that draws itself.
    Scene,
    /// What changes from one position to the next, for the same.
    Frame,
}

/// By id where each can get to: the spaces, each with how far it is.
pub fn reaches(position: &Position, all: &[Reached]) -> Value {
    let names: Vec<&str> = position.spaces().collect();
    let row = |reached: &Reached| -> Map<String, Value> {
        let named = |(space, length): &(Space, u32)| {
            names.get(space.0 as usize).map(|name| ((*name).to_owned(), json!(length)))
        };
        reached.spaces.iter().filter_map(named).collect()
    };
    let rows = all.iter().map(|reached| (position.name(reached.thing), row(reached).into()));
    json!({ "reaches": rows.collect::<Map<String, Value>>() })
}

/// A position drawn.
pub fn draw(position: &Position, show: Show, form: Form) -> Result<Value, Faults> {
    let trace = show.trace.map(|name| trace_of(position, Some(name))).transpose()?;
    let side = show.side.map(|name| position.game().side(&name)).transpose()?;
    let units = show.units.iter().map(|id| position.unit(id)).collect::<Result<Vec<_>, _>>()?;
    let laid = match (trace, show.why_not, show.threat) {
        (Some(trace), Some(of), _) => Laid::WhyNot(position.thing(trace, &of)?),
        (Some(trace), None, Some(of)) => {
            let things = of.iter().map(|of| position.thing(trace, of));
            Laid::Threat(things.collect::<Result<Vec<_>, _>>()?)
        }
        _ => Laid::Nothing,
    };
    let drawing = Drawing { trace, side, units, laid };
    Ok(match form {
        Form::Svg => position.svg(&drawing)?.into(),
        Form::Text => position.sketch(&drawing)?.into(),
        Form::Json => position.picture(&drawing)?,
        Form::Scene => position.scene()?,
        Form::Frame => position.frame(&drawing)?,
    })
}

/// What a page has to know of a game before it shows it.
pub fn about(game: &Game) -> Value {
    let traces = game.traces().filter_map(|name| {
        let spaces = game.is_about_spaces(game.trace(name).ok()?);
        Some(json!({ "name": name, "spaces": spaces }))
    });
    json!({
        "traces": traces.collect::<Vec<_>>(),
        "main": game.main_trace().ok().and_then(|trace| game.traces().nth(trace.0.into())),
        "maps": data(&game.maps().collect::<Vec<_>>()),
        "tests": data(&game.tests().collect::<Vec<_>>()),
        "clock": game.has_clock(),
    })
}
