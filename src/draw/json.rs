//! A picture for programs.

use serde_json::{Value, json};

use super::picture::{CrossingView, LinkView, Picture, SpaceView, TablePoint, TableView, UnitView};

/// A picture as JSON: its spaces with their state for every side, its units with their answers.
#[must_use]
pub fn json(picture: &Picture) -> Value {
    let side = |s: Option<usize>| s.and_then(|s| picture.sides.get(s));
    let space_id = |s: usize| picture.spaces.get(s).map(|s| s.id.as_str());
    let shown = |at: usize| picture.side.is_none_or(|s| s == at);
    let space = |s: &SpaceView| -> Value {
        let reach: Vec<Value> = s
            .reach
            .iter()
            .enumerate()
            .filter(|(at, _)| shown(*at))
            .map(|(at, r)| json!({ "side": side(Some(at)), "state": r.word(), "source": r.source, "length": r.length, "shut": r.shut }))
            .collect();
        let units: Vec<&str> =
            s.units.iter().filter_map(|u| picture.units.get(*u)).map(|u| u.id.as_str()).collect();
        json!({
            "id": s.id, "title": s.title, "at": s.at.map(|(x, y)| [x, y]), "control": side(s.control),
            "terrain": s.terrain.and_then(|t| picture.terrains.get(t)), "status": reach, "units": units,
        })
    };
    let unit = |u: &UnitView| -> Value {
        let answer = u.answer.as_ref();
        let mut out = json!({
            "id": u.id, "title": u.title, "kind": picture.unit_kinds.get(u.kind), "side": side(u.side), "space": space_id(u.space),
            "state": answer.and(picture.trace.as_ref()).map(|t| if answer.is_some_and(|a| a.yes) { &t.yes } else { &t.no }),
            "yes": answer.map(|a| a.yes), "gate": answer.and_then(|a| a.gate),
            "stop": answer.and_then(|a| a.stop).and_then(space_id), "distance": answer.and_then(|a| a.length),
            "source": answer.and_then(|a| a.source.as_deref()),
            "route": answer.map(|a| a.route.iter().filter_map(|s| space_id(*s)).collect::<Vec<_>>()).unwrap_or_default(),
        });
        let over = answer.iter().flat_map(|answer| &answer.over);
        let at = |(at, kind): &(usize, String)| json!({ "kind": kind, "space": space_id(*at) });
        let over: Vec<Value> = over.map(at).collect();
        if let (false, Some(fields)) = (over.is_empty(), out.as_object_mut()) {
            fields.insert("crossings".to_owned(), over.into());
        }
        out
    };
    let asked = |at: usize| picture.trace.as_ref().and_then(|t| t.asked.get(at)).cloned().flatten();
    let sides: Vec<Value> = picture
        .sides
        .iter()
        .enumerate()
        .map(|(at, name)| json!({ "name": name, "asked_by": asked(at) }))
        .collect();
    let mut out = json!({
        "schema": 1,
        "ruleset": picture.ruleset,
        "hash": picture.hash,
        "map": picture.map,
        "title": picture.title,
        "trace": picture.trace.as_ref().map(|t| &t.name),
        "sides": sides,
        "spaces": picture.spaces.iter().map(space).collect::<Vec<_>>(),
        "links": picture.links.iter().map(|l| link(picture, l)).collect::<Vec<_>>(),
        "units": picture.units.iter().filter(|u| u.wanted).map(unit).collect::<Vec<_>>(),
    });
    let from = picture.trace.as_ref().and_then(|trace| trace.from.as_ref());
    if let (Some(from), Some(fields)) = (from, out.as_object_mut()) {
        fields.insert("reach_of".to_owned(), json!(from));
    }
    let made = || picture.link_kinds.iter().filter_map(|kind| Some((&kind.name, kind.made?)));
    if let (true, Some(fields)) = (made().next().is_some(), out.as_object_mut()) {
        let made = made().map(|(kind, count)| json!({ "kind": kind, "count": count }));
        fields.insert("links_between_each_two".to_owned(), made.collect());
    }
    if let (false, Some(fields)) = (picture.crossings.is_empty(), out.as_object_mut()) {
        let ids = |line: &Vec<usize>| line.iter().map(|s| space_id(*s)).collect::<Vec<_>>();
        let crossing = |c: &CrossingView| json!({ "kind": c.kind, "space": space_id(c.space), "lines": c.lines.iter().map(ids).collect::<Vec<_>>() });
        fields.insert("crossings".to_owned(), picture.crossings.iter().map(crossing).collect());
    }
    if let (Some(table), Some(fields)) = (&picture.table, out.as_object_mut()) {
        fields.insert("table".to_owned(), self::table(picture, table));
    }
    out
}

/// A link; that it leads one way is said where it does.
fn link(picture: &Picture, link: &LinkView) -> Value {
    let id = |at: usize| picture.spaces.get(at).map(|space| &space.id);
    let kind = picture.link_kinds.get(link.kind).map(|kind| &kind.name);
    let mut out = json!({ "kind": kind, "from": id(link.a), "to": id(link.b) });
    if let (true, Some(fields)) = (link.one_way, out.as_object_mut()) {
        fields.insert("one_way".to_owned(), json!(true));
    }
    out
}

/// A table: how large it is, its ground and its units, all coordinates as fractions in texts.
fn table(picture: &Picture, table: &TableView) -> Value {
    let point = |(x, y): &TablePoint| json!([x.to_string(), y.to_string()]);
    let points = |all: &[TablePoint]| all.iter().map(point).collect::<Vec<_>>();
    let side = |s: Option<usize>| s.and_then(|s| picture.sides.get(s));
    json!({
        "width": table.width.to_string(),
        "depth": table.depth.to_string(),
        "measure": table.measure,
        "ground": table.grounds.iter().map(|g| json!({
            "space": picture.spaces.get(g.space).map(|s| &s.id), "kind": g.kind_name(picture), "closed": g.closed, "points": points(&g.points),
        })).collect::<Vec<_>>(),
        "bases": table.bases.iter().map(|b| json!({
            "id": b.id, "title": b.title, "kind": b.kind, "side": side(b.side), "stand": b.stand, "corners": points(&b.corners),
        })).collect::<Vec<_>>(),
    })
}
