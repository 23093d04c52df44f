//! Tables: how large they are, the ground on them, and where units lie.

use super::Checker;
use super::scope::{Scope, Ty};
use super::space::is_label;
use crate::diag::{Diagnostic, code, suggest};
use crate::ir::*;
use crate::map::{Coordinate, FARTHEST, FINEST, Heading, Map, Outline, Stand, Tabletop, is_within};
use crate::source::Span;
use crate::syntax::ast::{self, Direction, MapLine, Placed, Point};
use crate::tabletop::Fault;

impl Checker<'_> {
    /// The table of a map, if one of its lines says how large it is.
    pub(super) fn table_of(&mut self, map: &ast::Map, out: &mut Map) {
        let sizes = map.lines.iter().filter_map(|line| match line {
            MapLine::Table { span, width, depth } => Some((*span, width, depth)),
            _ => None,
        });
        for (span, width, depth) in sizes {
            if out.tabletop.is_some() {
                self.fault(
                    Diagnostic::error(code::E0728, span, "the table has a size already")
                        .help("keep one of the two lines"),
                );
            } else if self.out.tabletop.is_none() {
                self.fault(
                    Diagnostic::error(code::E0728, span, "nothing says in which dimension lengths on a table are measured")
                        .help("declare a dimension, and write `tabletop in` and its name as a line of its own"),
                );
            } else if out.grid.is_some() {
                self.fault(
                    Diagnostic::error(code::E0728, span, "a map of hexes is no table")
                        .help("make the table a map of its own"),
                );
            } else if let (Some(width), Some(depth)) =
                (self.table_length(width), self.table_length(depth))
            {
                out.tabletop = Some(Tabletop { width, depth, grounds: Vec::new() });
            } else {
                // So that what lies on it is not said to lie on no table.
                let far = Coordinate::from_integer(FARTHEST);
                out.tabletop = Some(Tabletop { width: far, depth: far, grounds: Vec::new() });
            }
        }
    }

    /// A length that is more than nothing.
    fn table_length(&mut self, value: &ast::Expr) -> Option<Coordinate> {
        let found = self.table_coordinate(value)?;
        if found <= Coordinate::from_integer(0) {
            self.fault(
                Diagnostic::error(
                    code::E0725,
                    value.span,
                    format!("a table is more than {found} wide and deep"),
                )
                .help("write how large it is"),
            );
            return None;
        }
        Some(found)
    }

    /// A coordinate of a table, exact, in the dimension of the tabletop.
    fn table_coordinate(&mut self, value: &ast::Expr) -> Option<Coordinate> {
        let dimension = self.out.tabletop;
        let (over, under) = self.constant_amount(value, dimension, "(3, 19/2)")?;
        let found = Coordinate::new(over, under);
        if !is_within(found, FARTHEST) || *found.denom() > FINEST {
            let message = format!("the coordinate {found} cannot be kept exactly");
            let help =
                format!("write one between -{FARTHEST} and {FARTHEST}, no finer than 1/{FINEST}");
            self.fault(Diagnostic::error(code::E0725, value.span, message).help(help));
            return None;
        }
        Some(found)
    }

    fn table_point(&mut self, point: &Point) -> Option<(Coordinate, Coordinate)> {
        let (x, y) = (self.table_coordinate(&point.x), self.table_coordinate(&point.y));
        x.zip(y)
    }

    /// The ground that a space is; one point alone says only where a space is drawn.
    pub(super) fn ground(&mut self, space: u32, outline: &ast::Outline, out: &mut Map) {
        let Some(table) = &out.tabletop else {
            let what =
                if outline.along { "a line `along` points" } else { "ground with several corners" };
            return self.fault(
                Diagnostic::error(
                    code::E0724,
                    outline.span,
                    format!("{what} lies on a table, and this map is none"),
                )
                .help("say how large the table is, as in `table 40 by 24`"),
            );
        };
        let (width, depth) = (table.width, table.depth);
        let mut points = Vec::new();
        for point in &outline.points {
            let Some((x, y)) = self.table_point(point) else { return };
            if !on_table((x, y), (width, depth)) {
                return self.fault(
                    Diagnostic::error(
                        code::E0725,
                        point.span,
                        format!("({x}, {y}) does not lie on the table"),
                    )
                    .help(format!("the table reaches from (0, 0) to ({width}, {depth})")),
                );
            }
            points.push((x, y));
        }
        let found = Outline { space, closed: !outline.along, points };
        match self.faulty_ground(&found, (width, depth)) {
            Some(message) => {
                let help = "name its corners in order, as one walks round it";
                self.fault(Diagnostic::error(code::E0726, outline.span, message).help(help));
            }
            None => {
                if let Some(table) = &mut out.tabletop {
                    table.grounds.push(found);
                }
            }
        }
    }

    /// What is wrong with the corners of a piece of ground, in words.
    fn faulty_ground(
        &self,
        outline: &Outline,
        (width, depth): (Coordinate, Coordinate),
    ) -> Option<String> {
        if outline.points.len() > MOST_CORNERS {
            return Some(format!(
                "ground has at most {MOST_CORNERS} corners, and this has {}",
                outline.points.len()
            ));
        }
        let ground = crate::kernel::tabletop::ground(outline);
        let table =
            crate::tabletop::Table { width, depth, bases: Vec::new(), grounds: vec![ground] };
        let least = if outline.closed { 3 } else { 2 };
        table.faults().first().map(|fault| match fault {
            Fault::FewPoints(_) => {
                format!("at least {least} points are wanted, and here are {}", outline.points.len())
            }
            Fault::Crosses(_) if outline.closed => "its edge crosses or touches itself".to_owned(),
            Fault::Crosses(_) => "a point stands there twice in a row".to_owned(),
            _ => "its coordinates are too fine together to be measured exactly".to_owned(),
        })
    }

    /// `at (x, y) facing DIRECTION`
    pub(super) fn stand(&mut self, placed: &Placed, map: Option<MapId>) -> Option<Stand> {
        let size = self.table_size(map, placed.span)?;
        let at = self.table_point(&placed.at);
        let facing = self.heading(&placed.facing);
        let (x, y) = at?;
        if !on_table((x, y), size) {
            let (width, depth) = size;
            self.fault(
                Diagnostic::error(
                    code::E0725,
                    placed.at.span,
                    format!("({x}, {y}) does not lie on the table"),
                )
                .help(format!("the table reaches from (0, 0) to ({width}, {depth})")),
            );
            return None;
        }
        Some(Stand { x, y, facing: facing? })
    }

    /// A place that a placement comes to, as orders and expectations name it.
    pub(super) fn named_place(&mut self, placed: &Placed, map: Option<MapId>) -> Option<Stand> {
        let (x, y, facing) = self.expected_place(&placed.at, Some(&placed.facing), map)?;
        Some(Stand { x, y, facing: facing? })
    }

    /// Where a unit is expected to lie.
    pub(super) fn expected_place(
        &mut self,
        at: &Point,
        facing: Option<&Direction>,
        map: Option<MapId>,
    ) -> Option<(Coordinate, Coordinate, Option<Heading>)> {
        self.table_size(map, at.span)?;
        let (x, y) = self.expected_point(at)?;
        let facing = match facing {
            Some(facing) => Some(self.heading(facing)?),
            None => None,
        };
        Some((x, y, facing))
    }

    /// What placements come to may be finer than what is written by hand, so that any fraction can
    /// be expected.
    fn expected_point(&mut self, point: &Point) -> Option<(Coordinate, Coordinate)> {
        let dimension = self.out.tabletop;
        let x = self.constant_amount(&point.x, dimension, "(3, 19/2)");
        let y = self.constant_amount(&point.y, dimension, "(3, 19/2)");
        let (x, y) = x.zip(y)?;
        Some((Coordinate::new(x.0, x.1), Coordinate::new(y.0, y.1)))
    }

    /// How large the table of a map is; a fault where the map is none.
    pub(super) fn table_size(
        &mut self,
        map: Option<MapId>,
        span: Span,
    ) -> Option<(Coordinate, Coordinate)> {
        let map = self.out.maps.get(map?.index())?;
        if let Some(table) = &map.tabletop {
            return Some((table.width, table.depth));
        }
        let message =
            format!("the map `{}` is no table, so nothing has coordinates on it", map.name);
        self.fault(
            Diagnostic::error(code::E0724, span, message)
                .help("name a space, as in `put army A of Red in Hill`, or give the map a line such as `table 40 by 24`"),
        );
        None
    }

    /// A direction as it is written.
    pub(super) fn heading(&mut self, direction: &Direction) -> Option<Heading> {
        match direction {
            Direction::Word(name) => {
                let found = Heading::called(&name.text);
                if found.is_none() {
                    let near = suggest::the_one(&name.text, Heading::words());
                    let fault = Diagnostic::error(
                        code::E0722,
                        name.span,
                        format!("nothing faces `{}`", name.text),
                    );
                    self.fault(match near {
                        Some(near) => {
                            fault.help(format!("write `{near}`")).suggest(name.span, near)
                        }
                        None => fault.help(FACINGS),
                    });
                }
                found
            }
            Direction::Degrees(number) => {
                let degrees = number.text.parse::<u16>().ok().filter(|d| *d < 360);
                if degrees.is_none() {
                    let message = format!(
                        "`{}` is no direction: degrees are whole, from 0 to 359",
                        number.text
                    );
                    self.fault(Diagnostic::error(code::E0722, number.span, message).help(FACINGS));
                }
                degrees.and_then(crate::world::heading_of_degrees)
            }
            Direction::Toward(point) => {
                let x = self.constant_amount(&point.x, None, "facing (3, 4)");
                let y = self.constant_amount(&point.y, None, "facing (3, 4)");
                let ((a, 1), (b, 1)) = x.zip(y)? else {
                    self.fault(
                        Diagnostic::error(
                            code::E0722,
                            point.span,
                            "a direction is two whole numbers",
                        )
                        .help(FACINGS),
                    );
                    return None;
                };
                let found =
                    Heading::toward(a, b).filter(|_| a.abs() <= FARTHEST && b.abs() <= FARTHEST);
                if found.is_none() {
                    let message = match (a, b) {
                        (0, 0) => "(0, 0) is no direction".to_owned(),
                        _ if a.abs() > FARTHEST || b.abs() > FARTHEST => {
                            format!("({a}, {b}) is larger than {FARTHEST}")
                        }
                        _ => format!(
                            "({a}, {b}) is no direction that can be kept exactly: {a} and {b} squared add up to no square"
                        ),
                    };
                    self.fault(Diagnostic::error(code::E0722, point.span, message).help(FACINGS));
                }
                found
            }
        }
    }

    /// The unit that a path names, for a place on the table.
    pub(super) fn unit_named(&mut self, path: &ast::Path, scope: &Scope<'_>) -> Option<ExprId> {
        let found = self.path(path, scope, None, Asked::Kept);
        match found.ty {
            Ty::Of(Type::Thing { kind, .. }) if self.out.is_kind(kind, KindId::UNIT) => {
                Some(found.id)
            }
            Ty::Poison => None,
            other => {
                let what = self.type_name(other);
                self.fault(
                    Diagnostic::error(
                        code::E0302,
                        found.span,
                        format!("only units lie on a table, and this is {what}"),
                    )
                    .help("name a unit, as in `given A at (3, 4) facing north`"),
                );
                None
            }
        }
    }

    /// Whether a space said with an outline is one that can have it.
    pub(super) fn has_outline(&mut self, space: &ast::MapSpace) -> bool {
        let several = space.outline.as_ref().is_some_and(|o| o.along || o.points.len() > 1);
        if several && is_label(&space.name.text) {
            self.fault(
                Diagnostic::error(code::E0724, space.name.span, "a hex has its form already")
                    .help("take the corners out"),
            );
        }
        several
    }
}

/// No ground has more corners.
const MOST_CORNERS: usize = 256;

const FACINGS: &str = "write `north`, `east`, `south` or `west`, whole degrees such as `30`, or two numbers such as `(3, 4)` whose squares add up to a square";

fn on_table((x, y): (Coordinate, Coordinate), (width, depth): (Coordinate, Coordinate)) -> bool {
    let nothing = Coordinate::from_integer(0);
    (nothing..=width).contains(&x) && (nothing..=depth).contains(&y)
}
