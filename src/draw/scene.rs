//! A picture for programs that draw it themselves: where everything stands, and what changes from
//! one position to the next.

use serde_json::{Value, json};

use super::geometry::Point;
use super::palette;
use super::picture::{BaseView, Picture, UnitView};
use super::svg::Canvas;

/// Where the drawing of a map puts its spaces, in tenths of a pixel, and the colours of the sides;
/// the same for every position on the map.
#[must_use]
pub fn scene(picture: &Picture) -> Value {
    let canvas = Canvas::of(picture);
    let point = |p: Point| json!([p.x, p.y]);
    let spaces = picture.spaces.iter().zip(&canvas.layout.places).enumerate();
    let spaces = spaces.map(|(at, (space, place))| {
        json!({
            "id": space.id,
            "title": space.title,
            "anchor": point(canvas.anchor(at).unwrap_or(place.centre)),
            "outline": place.outline.iter().map(|p| point(*p)).collect::<Vec<_>>(),
        })
    });
    let sides = picture.sides.iter().enumerate().map(|(at, name)| {
        json!({
            "name": name,
            "letter": canvas.letters.get(at),
            "colour": canvas.side(Some(at)),
        })
    });
    json!({
        "title": picture.title,
        "map": picture.map,
        "width": canvas.layout.width,
        "height": canvas.layout.height,
        "hexes": picture.hexes.is_some(),
        "table": picture.table.as_ref().map(super::table::frame),
        "spaces": spaces.collect::<Vec<_>>(),
        "sides": sides.collect::<Vec<_>>(),
        "nobody": palette::NOBODY,
    })
}

/// What changes from one position to the next: the units with their answers, who controls what,
/// and how the spaces stand to the lines of the side that asks. Spaces and sides are numbers, in
/// the order of the [`scene`].
#[must_use]
pub fn frame(picture: &Picture) -> Value {
    let unit = |unit: &UnitView| {
        let answer = unit.answer.as_ref();
        json!({
            "id": unit.id,
            "title": unit.title,
            "kind": picture.unit_kinds.get(unit.kind),
            "side": unit.side,
            "space": unit.space,
            "yes": answer.map(|a| a.yes),
            "length": answer.and_then(|a| a.length),
            "route": answer.map(|a| &a.route),
            "stop": answer.and_then(|a| a.stop),
            "why": answer.map(|_| picture.why(unit)),
        })
    };
    let base = |base: &BaseView| {
        json!({
            "id": base.id,
            "title": base.title,
            "kind": base.kind,
            "side": base.side,
            "stand": base.stand,
        })
    };
    let reach = picture.side.map(|side| {
        let row = picture.spaces.iter().map(|space| space.reach.get(side));
        row.map(|reach| reach.map(|r| json!([r.sign(), r.words()]))).collect::<Vec<_>>()
    });
    json!({
        "words": picture.trace.as_ref().map(|t| [&t.yes, &t.no]),
        "units": picture.units.iter().map(unit).collect::<Vec<_>>(),
        "bases": picture.table.as_ref().map(|table| table.bases.iter().map(base).collect::<Vec<_>>()),
        "control": picture.spaces.iter().map(|s| s.control).collect::<Vec<_>>(),
        "reach": reach,
    })
}

#[cfg(test)]
#[allow(clippy::indexing_slicing, clippy::unwrap_used, reason = "tests fail by panicking")]
mod tests {
    use super::super::fixtures;
    use super::*;

    #[test]
    fn a_scene_places_what_the_drawing_places() {
        for picture in [fixtures::tiny(), fixtures::hexes(true), fixtures::hexes(false)] {
            let (scene, frame) = (scene(&picture), frame(&picture));
            let canvas = Canvas::of(&picture);
            let spaces = scene["spaces"].as_array().unwrap();
            assert_eq!(spaces.len(), picture.spaces.len());
            for (at, space) in spaces.iter().enumerate() {
                let anchor = canvas.anchor(at).unwrap();
                assert_eq!(space["anchor"], json!([anchor.x, anchor.y]));
            }
            let units = frame["units"].as_array().unwrap();
            assert_eq!(units.len(), picture.units.len());
            for (row, unit) in units.iter().zip(&picture.units) {
                assert_eq!(row["id"], json!(unit.id));
                assert_eq!(row["space"], json!(unit.space));
                assert_eq!(row["yes"], json!(unit.answer.as_ref().map(|a| a.yes)));
            }
        }
    }
}
