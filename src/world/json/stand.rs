//! Where a unit lies on a table: `"at": ["11", "19/2"], "facing": "west"`.
//!
//! Coordinates are texts, for a fraction is no number of JSON. Whether bases overlap is not said
//! here: how large they are is a rule of the ruleset.

use super::tree::Value;

use super::reader::Reader;
use super::units::Entry;
use crate::diag::code;
use crate::map::{Coordinate, FARTHEST, Stand, is_within, read_coordinate};
use crate::tabletop::FINEST;
use crate::world::{World, read_heading};

impl Reader<'_, '_> {
    /// The place of one unit, if its entry says anything of it.
    pub fn stand(&mut self, entry: &Entry<'_, '_>, world: &mut World) {
        let (at, facing) = (entry.fields.get("at"), entry.fields.get("facing"));
        let Some(first) = at.or(facing) else { return };
        let Some(size) =
            world.map_of(self.rules).map(|m| m.tabletop.as_ref().map(|t| (t.width, t.depth)))
        else {
            return;
        };
        let Some(size) = size else {
            let message = "the map is no table, so nothing has coordinates on it";
            return self.error(
                code::E0811,
                first.range(),
                message,
                "write `\"space\": ...` and the name of a space",
            );
        };
        match (at, facing) {
            (Some(Value::Null(_)), None) => world.lay(entry.at, None),
            (Some(at), Some(facing)) => {
                let (place, facing) = (self.coordinates(at, size), self.facing(facing));
                if let (Some((x, y)), Some(facing)) = (place, facing) {
                    world.lay(entry.at, Some(Stand { x, y, facing }));
                }
            }
            // A unit that lies there already may be turned, or moved as it faces.
            (Some(at), None) => {
                let place = self.coordinates(at, size);
                match world.stand(entry.at).map(|stand| stand.facing) {
                    Some(facing) => {
                        if let Some((x, y)) = place {
                            world.lay(entry.at, Some(Stand { x, y, facing }));
                        }
                    }
                    None => self.error(
                        code::E0813,
                        at.range(),
                        "this unit lies on the table and faces nowhere",
                        FACING,
                    ),
                }
            }
            (None, Some(value)) => {
                let facing = self.facing(value);
                match world.stand(entry.at) {
                    Some(stand) => {
                        if let Some(facing) = facing {
                            world.lay(entry.at, Some(Stand { facing, ..stand }));
                        }
                    }
                    None => self.error(
                        code::E0812,
                        value.range(),
                        "this unit faces somewhere and lies nowhere",
                        AT,
                    ),
                }
            }
            (None, None) => {}
        }
    }

    fn coordinates(
        &mut self,
        value: &Value<'_>,
        (width, depth): (Coordinate, Coordinate),
    ) -> Option<(Coordinate, Coordinate)> {
        let parts = value.items();
        let Some([Value::Text(x), Value::Text(y)]) = parts else {
            self.error(
                code::E0812,
                value.range(),
                "a place on a table is two texts: how far east, how far north",
                AT,
            );
            return None;
        };
        let mut found = [Coordinate::from_integer(0); 2];
        for ((text, most), cell) in [x, y].into_iter().zip([width, depth]).zip(&mut found) {
            match read_coordinate(&text.value) {
                Some(c) if *c.denom() > FINEST => {
                    let message = format!("{c} is finer than a place on a table is kept");
                    let help = format!("write one no finer than 1/{FINEST}");
                    self.error(code::E0812, text.range, message, help);
                    return None;
                }
                Some(c)
                    if is_within(c, FARTHEST) && c >= Coordinate::from_integer(0) && c <= most =>
                {
                    *cell = c
                }
                Some(c) => {
                    let help = format!("the table reaches from (0, 0) to ({width}, {depth})");
                    self.error(
                        code::E0812,
                        text.range,
                        format!("{c} does not lie on the table"),
                        help,
                    );
                    return None;
                }
                None => {
                    let message = format!(
                        "`{}` is no coordinate: a whole number or a fraction, as a text",
                        text.value
                    );
                    self.error(code::E0812, text.range, message, AT);
                    return None;
                }
            }
        }
        let [x, y] = found;
        Some((x, y))
    }

    fn facing(&mut self, value: &Value<'_>) -> Option<crate::map::Heading> {
        let text = self.text(value, "a direction")?;
        let found = read_heading(&text.value);
        if found.is_none() {
            self.error(code::E0813, text.range, format!("nothing faces `{}`", text.value), FACING);
        }
        found
    }
}

/// Where a position says where each of its units lies; for faults that are found when the bases are
/// known.
#[must_use]
pub fn places(text: &str, source: crate::source::SourceId) -> Vec<(String, crate::source::Span)> {
    let Ok(value) = super::text::parse(text, source) else { return Vec::new() };
    let units = value.get("units").and_then(Value::items);
    let place = |unit: &Value<'_>| {
        let range = unit.get("at")?.range();
        let span = crate::source::Span::new(
            source,
            u32::try_from(range.start).ok()?,
            u32::try_from(range.end).ok()?,
        );
        Some((unit.get("id")?.text()?.to_owned(), span))
    };
    units.into_iter().flatten().filter_map(place).collect()
}

const AT: &str = "write it as in `\"at\": [\"11\", \"19/2\"], \"facing\": \"west\"`";
const FACING: &str = "write `\"facing\":` and `\"north\"`, whole degrees such as `\"30\"`, or a direction such as `\"(3, 4)\"` with a whole length";
