//! What a drawing shows: plain data, with every name as text and every thing as a place in a list.

use super::layout::Hexes;
use super::overlay::Overlay;
use crate::map::Coordinate;
use crate::report::straight_on;
use crate::tabletop::{self, Point};

/// Everything that a drawing shows.
#[derive(Debug, Clone, Default)]
pub struct Picture {
    /// The ruleset.
    pub ruleset: String,
    /// The hash of its resolved rules.
    pub hash: String,
    /// The map.
    pub map: String,
    /// For printed output.
    pub title: String,
    /// The setup whose position it is, as it began.
    pub setup: Option<String>,
    /// What a crop is around.
    pub around: Option<String>,
    /// The trace that was asked; none for a ruleset without any.
    pub trace: Option<TraceView>,
    /// The sides in the order of the ruleset.
    pub sides: Vec<String>,
    /// What these are drawn like: their names, or what the map states.
    pub sides_like: Vec<String>,
    /// The side whose lines are shown on the spaces, as a place in `sides`.
    pub side: Option<usize>,
    /// The kinds of the units on the map.
    pub unit_kinds: Vec<String>,
    /// The kinds of links.
    pub link_kinds: Vec<LinkKind>,
    /// The words for terrain, in the order of the ruleset.
    pub terrains: Vec<String>,
    /// What these are drawn like: the words, or what the map states.
    pub terrains_like: Vec<String>,
    /// What these words are words of: `terrain`, or another attribute of spaces.
    pub terrain_of: String,
    /// The spaces in the order of the map.
    pub spaces: Vec<SpaceView>,
    /// The links, each once.
    pub links: Vec<LinkView>,
    /// Where links cross and do not meet.
    pub crossings: Vec<CrossingView>,
    /// The units that stand on the map.
    pub units: Vec<UnitView>,
    /// The grid of a hex map.
    pub hexes: Option<Hexes>,
    /// What is laid over the map, for drawings that answer one question.
    pub overlay: Option<Overlay>,
    /// For each space whether it is drawn; all are, if nothing is said.
    pub near: Option<Vec<bool>>,
    /// The table with what lies on it.
    pub table: Option<TableView>,
}

/// A point of a table: to the east, to the north.
pub type TablePoint = (Coordinate, Coordinate);

/// A table.
#[derive(Debug, Clone)]
pub struct TableView {
    /// From west to east.
    pub width: Coordinate,
    /// From south to north.
    pub depth: Coordinate,
    /// The name of what lengths are measured in.
    pub measure: String,
    /// The kinds of its ground, each once.
    pub kinds: Vec<String>,
    /// Its ground, in the order of the map.
    pub grounds: Vec<GroundView>,
    /// The units on it, in the order of the position.
    pub bases: Vec<BaseView>,
    /// The part that is drawn, from its lower left corner to its upper right one; all of it, if
    /// nothing is said.
    pub window: Option<(TablePoint, TablePoint)>,
}

/// A piece of ground, or a line.
#[derive(Debug, Clone)]
pub struct GroundView {
    /// Which space.
    pub space: usize,
    /// Its kind, as a place in `kinds` of the table.
    pub kind: usize,
    /// Whether it has an inside.
    pub closed: bool,
    /// Its corners.
    pub points: Vec<TablePoint>,
}

/// A unit on a table.
#[derive(Debug, Clone, Default)]
pub struct BaseView {
    /// Its id.
    pub id: String,
    /// For printed output.
    pub title: String,
    /// The name of its kind.
    pub kind: String,
    /// The word that tells what it is, if it has one.
    pub label: String,
    /// Its side.
    pub side: Option<usize>,
    /// Where it lies, as rules write it.
    pub stand: String,
    /// Which of the four winds it faces: `^`, `>`, `v` or `<`.
    pub wind: Option<char>,
    /// The corners of its base.
    pub corners: Vec<TablePoint>,
    /// Its front edges, each from left to right.
    pub fronts: Vec<(TablePoint, TablePoint)>,
    /// The zones around it, if they are to be drawn.
    pub zones: Vec<(ZoneKind, Vec<TablePoint>)>,
}

/// A zone around a base.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ZoneKind {
    /// the line of its front
    FrontLine,
    /// what lies in the arc of its front
    Arc,
    /// what lies to a side, behind the front and not behind the rear
    Flank,
    /// what lies behind the rear
    Rear,
}

impl GroundView {
    /// The name of its kind.
    pub(super) fn kind_name<'p>(&self, picture: &'p Picture) -> &'p str {
        picture.table.as_ref().and_then(|t| t.kinds.get(self.kind)).map_or("", String::as_str)
    }

    /// Whether a point lies inside: an odd number of its edges is passed on the way to the east.
    pub(super) fn holds(&self, x: Coordinate, y: Coordinate) -> bool {
        let next = self.points.iter().cycle().skip(1);
        let passed = self.points.iter().zip(next).filter(|((ax, ay), (bx, by))| {
            let (low, high) = if ay <= by { ((ax, ay), (bx, by)) } else { ((bx, by), (ax, ay)) };
            *low.1 <= y
                && y < *high.1
                && x < low.0 + (high.0 - low.0) * (y - low.1) / (high.1 - low.1)
        });
        passed.count() % 2 == 1
    }
}

impl BaseView {
    /// The middle of its corners.
    pub(super) fn middle(&self) -> Option<TablePoint> {
        let corners: Vec<Point> =
            self.corners.iter().map(|(x, y)| Point { x: *x, y: *y }).collect();
        tabletop::middle(&corners).map(|point| (point.x, point.y))
    }

    /// What stands for it in a sketch.
    pub(super) fn sign(&self) -> String {
        format!("{}{}", self.wind.map(String::from).unwrap_or_default(), self.id)
    }

    /// What a pointer over it tells.
    pub(super) fn hover(&self, picture: &Picture) -> String {
        let side = self
            .side
            .and_then(|s| picture.sides.get(s))
            .map_or_else(String::new, |s| format!(" of {s}"));
        let title =
            if self.title == self.id { String::new() } else { format!(" ({})", self.title) };
        format!("{} {}{title}{side} at {}", self.kind, self.id, self.stand)
    }
}

/// The trace that was asked.
#[derive(Debug, Clone, Default)]
pub struct TraceView {
    /// Its name.
    pub name: String,
    /// The word of its yes.
    pub yes: String,
    /// The word of its no.
    pub no: String,
    /// For each side the unit that the spaces were asked for, where the trace reads its unit.
    pub asked: Vec<Option<String>>,
    /// The unit of which the spaces say where it can get to, in place of what a side's lines reach.
    pub from: Option<String>,
}

/// A kind of link.
#[derive(Debug, Clone, Default)]
pub struct LinkKind {
    /// Its name.
    pub name: String,
    /// The word that it is drawn like: its name, or what the map states.
    pub like: String,
    /// Whether it lies along the side of two hexes, not across it.
    pub hexside: bool,
    /// Whether it is drawn; that every hex touches the next needs no line.
    pub drawn: bool,
    /// How many there are, if no map lists them; of these are drawn those that lines go along.
    pub made: Option<usize>,
}

/// A link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LinkView {
    /// Its kind.
    pub kind: usize,
    /// One end.
    pub a: usize,
    /// The other.
    pub b: usize,
    /// Whether it leads only from the one end to the other.
    pub one_way: bool,
}

/// A space in which links of a kind cross and do not meet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CrossingView {
    /// The kind.
    pub kind: String,
    /// The plural.
    pub plural: String,
    /// The space.
    pub space: usize,
    /// The other ends of the links of each line.
    pub lines: Vec<Vec<usize>>,
}

/// A space.
#[derive(Debug, Clone, Default)]
pub struct SpaceView {
    /// Its id.
    pub id: String,
    /// For printed output.
    pub title: String,
    /// Where the map puts it, in hundredths.
    pub at: Option<(i64, i64)>,
    /// The side that controls it.
    pub control: Option<usize>,
    /// Its terrain.
    pub terrain: Option<usize>,
    /// How it stands to the lines of each side; empty if no trace was asked.
    pub reach: Vec<Reach>,
    /// The units that stand there.
    pub units: Vec<usize>,
    /// What it was before a change of the rules, as [`UnitView::was`].
    pub was: Option<String>,
}

/// How a space stands to the lines of a side.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reach {
    /// The name of the source that it is.
    pub source: Option<String>,
    /// The length of the shortest line that can begin there, whatever a unit's own limit.
    pub length: Option<u32>,
    /// Whether no line may pass there.
    pub shut: bool,
}

impl Reach {
    /// One to three characters: `S` a source, `2` a line of that length, `-` none; and `#` where no
    /// line may pass.
    #[must_use]
    pub fn sign(&self) -> String {
        let reach = match (&self.source, self.length) {
            (Some(_), _) => "S".to_owned(),
            (None, Some(length)) => length.to_string(),
            (None, None) => "-".to_owned(),
        };
        if self.shut { reach + "#" } else { reach }
    }

    /// The same in words.
    #[must_use]
    pub fn words(&self) -> String {
        let reach = match (&self.source, self.length) {
            (Some(source), _) => format!("source {source}"),
            (None, Some(length)) => format!("line of {length}"),
            (None, None) => "no line".to_owned(),
        };
        if self.shut { reach + ", shut" } else { reach }
    }

    /// The same where spaces say where a unit can get to.
    #[must_use]
    pub fn words_of_unit(&self) -> String {
        match (self.length, self.shut) {
            (Some(length), true) => format!("reached in {length}, and it stops"),
            (Some(length), false) => format!("reached in {length}"),
            (None, _) => "out of reach".to_owned(),
        }
    }

    /// The word of JSON.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match (&self.source, self.length) {
            (Some(_), _) => "source",
            (None, Some(_)) => "reached",
            (None, None) => "unreached",
        }
    }
}

/// A unit on the map.
#[derive(Debug, Clone, Default)]
pub struct UnitView {
    /// Its id.
    pub id: String,
    /// For printed output.
    pub title: String,
    /// Its kind.
    pub kind: usize,
    /// Its side.
    pub side: Option<usize>,
    /// Where it stands.
    pub space: usize,
    /// What the trace says of it; none where the trace is not about such units.
    pub answer: Option<Answered>,
    /// Whether its line is drawn.
    pub wanted: bool,
    /// What it was before a change of the rules; none where that is the same, or where no change is
    /// shown.
    pub was: Option<String>,
}

/// What a trace says of a unit.
#[derive(Debug, Clone, Default)]
pub struct Answered {
    /// Yes or no.
    pub yes: bool,
    /// The gate of a no.
    pub gate: Option<&'static str>,
    /// The space that stopped it.
    pub stop: Option<usize>,
    /// The spaces from its own to the one that stopped it, where they are known.
    pub cut: Vec<usize>,
    /// How long its line is.
    pub length: Option<u32>,
    /// The name of its source.
    pub source: Option<String>,
    /// The spaces of its line, its own first.
    pub route: Vec<usize>,
    /// The crossings that its line goes straight on over, in its order: the space and the kind of the
    /// links.
    pub over: Vec<(usize, String)>,
}

impl Picture {
    /// The kinds of ground on the table.
    pub(super) fn ground_kinds(&self) -> Vec<String> {
        self.table.as_ref().map(|t| t.kinds.clone()).unwrap_or_default()
    }

    /// For each side the shortest beginning of its name that no other side's name begins with.
    #[must_use]
    pub fn letters(&self) -> Vec<String> {
        let short = |at: usize, name: &str| -> String {
            let chars: Vec<char> = name.chars().collect();
            (1..=chars.len())
                .map(|n| chars.iter().take(n).collect::<String>())
                .find(|s| {
                    self.sides
                        .iter()
                        .enumerate()
                        .all(|(other, n)| other == at || !n.starts_with(s.as_str()))
                })
                .unwrap_or_else(|| name.to_owned())
        };
        self.sides.iter().enumerate().map(|(at, name)| short(at, name)).collect()
    }

    /// `+` for a yes, `x` for a no, a blank for a unit that was not asked.
    #[must_use]
    pub fn mark(unit: &UnitView) -> &'static str {
        match &unit.answer {
            Some(answer) if answer.yes => "+",
            Some(_) => "x",
            None => " ",
        }
    }

    /// Why a unit is in or out, in a few words.
    #[must_use]
    pub fn why(&self, unit: &UnitView) -> String {
        let Some(answer) = &unit.answer else {
            return "not asked".to_owned();
        };
        let name = |s: &usize| self.spaces.get(*s).map_or("", |s| s.id.as_str());
        if answer.yes {
            return match answer.length {
                Some(_) if answer.route.len() <= 1 => {
                    format!("in its source, {}", answer.source.as_deref().unwrap_or(""))
                }
                Some(n) => {
                    let over = |space: usize| answer.over.iter().any(|(at, _)| *at == space);
                    let said = |space: &usize| straight_on(name(space), over(*space));
                    let way: Vec<String> = answer.route.iter().skip(1).map(said).collect();
                    format!(
                        "{n} to {}: {}",
                        answer.source.as_deref().unwrap_or(""),
                        way.join(" > ")
                    )
                }
                None => "needs no line".to_owned(),
            };
        }
        let gate = answer.gate.unwrap_or("never");
        match &answer.stop {
            Some(stop) => format!("{gate} at {}", name(stop)),
            None => gate.to_owned(),
        }
    }
}
