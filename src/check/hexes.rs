//! The hexes of a map: its grid, what the signs stand for, and the rows of signs.

use super::Checker;
use super::scope::Scope;
use crate::diag::{Diagnostic, code};
use crate::ir::*;
use crate::map::{Grid, Layout, MOST_SPACES, Map, Space};
use crate::source::Span;
use crate::syntax::ast::{self, GridHead, MapLine, Name, Text, With};

/// More faults of one sort than this are not told of one map.
const MOST_TOLD: usize = 20;

/// What a sign stands for.
struct Legend<'t> {
    sign: &'t str,
    span: Span,
    /// The facts of a hex with this sign; none for a place outside.
    facts: Option<Vec<i64>>,
}

/// A sign of a row with its place.
type Sign<'t> = (&'t str, Span);

impl Checker<'_> {
    /// Reads the grid, the legend and the rows of a map. What is missing from a map with broken
    /// lines is no fault.
    pub(super) fn hexes(&mut self, map: &ast::Map, broken: bool, out: &mut Map) {
        let grids: Vec<&GridHead> = map
            .lines
            .iter()
            .filter_map(|l| if let MapLine::Grid(grid) = l { Some(grid) } else { None })
            .collect();
        let rows: Vec<&Text> = map
            .lines
            .iter()
            .filter_map(|l| if let MapLine::Row(row) = l { Some(row) } else { None })
            .collect();
        let Some((head, more)) = grids.split_first() else {
            if !broken {
                self.signs_without_grid(map);
            }
            return;
        };
        for second in more {
            self.fault(
                Diagnostic::error(code::E0715, second.span, "a map has one grid")
                    .label(head.span, "the first is here")
                    .help("keep one of the two; hexes of another layout are another map"),
            );
        }
        let Some(kind) = self.kind_of_space(&head.kind) else { return };
        let legends = self.legends(map, kind);
        let Some((digits, from)) = self.first_label(&head.from) else { return };
        if rows.is_empty() {
            if !broken {
                self.fault(
                    Diagnostic::error(code::E0715, head.span, "the grid has no rows")
                        .help("write one `row \"...\"` for each row of hexes, one sign a hex, and a `legend` for each sign"),
                );
            }
            return;
        }
        let columns = rows.first().map_or(0, |row| signs(row).count());
        if !self.fits(head, digits, from, columns, rows.len()) {
            return;
        }
        let layout = Layout { flat: head.flat, odd: head.odd };
        let (columns_u32, rows_u32) = (count(columns), count(rows.len()));
        let mut grid = Grid {
            layout,
            kind,
            digits,
            from,
            columns: columns_u32,
            rows: rows_u32,
            places: Vec::new(),
            cells: Vec::new(),
        };
        self.fill(&mut grid, out, &rows, &legends, broken);
        out.grid = Some(grid);
    }

    /// The kind of a space, which must be one.
    pub(super) fn kind_of_space(&mut self, name: &Name) -> Option<KindId> {
        let kind = self.kind(name)?;
        if self.out.is_kind(kind, KindId::SPACE) {
            return Some(kind);
        }
        self.fault(
            Diagnostic::error(
                code::E0207,
                name.span,
                format!("`{}` is no kind of space", name.text),
            )
            .help("declare it, as in `kind area, areas is space`"),
        );
        None
    }

    fn signs_without_grid(&mut self, map: &ast::Map) {
        let first = map.lines.iter().find_map(|line| match line {
            MapLine::Row(row) => Some((row.span, "rows")),
            MapLine::Legend { sign, .. } if line.look().is_none() => Some((sign.span, "a legend")),
            _ => None,
        });
        if let Some((span, what)) = first {
            self.fault(
                Diagnostic::error(code::E0715, span, format!("{what} without a grid"))
                    .help("say how the hexes lie and what they are called, as in `grid hexes flat even columns lower from 0101`"),
            );
        }
    }

    /// The facts that each sign stands for, worked out once for all its hexes.
    fn legends<'t>(&mut self, map: &'t ast::Map, kind: KindId) -> Vec<Legend<'t>> {
        let mut legends: Vec<Legend<'t>> = Vec::new();
        for line in &map.lines {
            let MapLine::Legend { sign, with } = line else { continue };
            if line.look().is_some() {
                continue;
            }
            if let Some(first) = legends.iter().find(|l| l.sign == sign.text) {
                let first = first.span;
                self.fault(
                    Diagnostic::error(
                        code::E0202,
                        sign.span,
                        format!("the sign `{}` is explained twice", sign.text),
                    )
                    .label(first, "first here"),
                );
                continue;
            }
            if sign.text.is_empty() || sign.text.contains([' ', '\t']) {
                self.fault(
                    Diagnostic::error(
                        code::E0714,
                        sign.span,
                        "a sign is one word: blanks stand between the signs of a row",
                    )
                    .help("take one letter or mark, such as `j`"),
                );
                continue;
            }
            let facts = with.as_ref().map(|with| self.facts_of(with, kind, None));
            legends.push(Legend { sign: &sign.text, span: sign.span, facts });
        }
        legends
    }

    /// The facts of a space as rows keep them: those given, or else the defaults, changed by what
    /// `with` says.
    pub(super) fn facts_of(
        &mut self,
        with: &[With],
        kind: KindId,
        before: Option<Vec<i64>>,
    ) -> Vec<i64> {
        let mut facts = before.unwrap_or_else(|| {
            let of_space = |f: &&Fact| {
                self.out.kinds.get(f.kind.index()).is_some_and(|k| k.top == KindId::SPACE)
            };
            self.out.facts.iter().filter(of_space).map(|f| f.default).collect()
        });
        for (fact, value) in self.withs(with, kind, &Scope::default()) {
            let slot = self.out.facts.get(fact.index()).map_or(0, |f| usize::from(f.slot));
            if let Some(cell) = facts.get_mut(slot) {
                *cell = value;
            }
        }
        facts
    }

    /// The width of labels and the numbers of the first one.
    fn first_label(&mut self, label: &Name) -> Option<(u8, (u32, u32))> {
        let digits = label.text.len() / 2;
        let halves =
            label.text.split_at_checked(digits).filter(|_| matches!(label.text.len(), 4 | 6 | 8));
        let numbers =
            halves.and_then(|(column, row)| Some((column.parse().ok()?, row.parse().ok()?)));
        if numbers.is_none() {
            self.fault(
                Diagnostic::error(
                    code::E0701,
                    label.span,
                    format!("`{}` is no label of a hex", label.text),
                )
                .help("a label is a column, then a row, with 2, 3 or 4 digits each, as in `0101`"),
            );
        }
        Some((u8::try_from(digits).ok()?, numbers?))
    }

    /// Whether a grid is small enough for a map, and for its labels.
    fn fits(
        &mut self,
        head: &GridHead,
        digits: u8,
        from: (u32, u32),
        columns: usize,
        rows: usize,
    ) -> bool {
        if columns.saturating_mul(rows) > MOST_SPACES {
            self.fault(Diagnostic::error(
                code::E0215,
                head.span,
                format!("a map has at most {MOST_SPACES} spaces"),
            ));
            return false;
        }
        let most = 10usize.pow(u32::from(digits)) - 1;
        for (first, count, what) in [(from.0, columns, "columns"), (from.1, rows, "rows")] {
            if (first as usize + count).saturating_sub(1) > most {
                let message = format!(
                    "{count} {what} from {first} are more than labels of {digits} and {digits} digits can number"
                );
                let fault = Diagnostic::error(code::E0215, head.from.span, message);
                self.fault(fault.help(
                    "give the first label more digits, up to 4 for the column and 4 for the row",
                ));
                return false;
            }
        }
        true
    }

    fn fill(
        &mut self,
        grid: &mut Grid,
        out: &mut Map,
        rows: &[&Text],
        legends: &[Legend<'_>],
        broken: bool,
    ) {
        let columns = grid.columns as usize;
        let places = columns.saturating_mul(rows.len());
        grid.cells.reserve_exact(places);
        grid.places.reserve_exact(places);
        out.spaces.reserve_exact(places);
        let (mut ragged, mut unknown) = (0, indexmap::IndexMap::<&str, (Span, usize)>::new());
        for (row, text) in (0u16..).zip(rows) {
            let mut found = 0;
            for (column, (sign, span)) in (0u16..).zip(signs(text).take(columns)) {
                found += 1;
                let legend = legends.iter().find(|l| l.sign == sign);
                if legend.is_none() {
                    unknown.entry(sign).or_insert((span, 0)).1 += 1;
                }
                match legend.and_then(|l| l.facts.as_ref()) {
                    Some(facts) => {
                        grid.cells.push(count(out.spaces.len()));
                        grid.places.push((column, row));
                        let id = grid.label(u32::from(column), u32::from(row));
                        out.spaces.push(Space {
                            title: id.clone(),
                            id,
                            kind: grid.kind,
                            facts: facts.clone(),
                            at: None,
                        });
                    }
                    None => grid.cells.push(Grid::OUTSIDE),
                }
            }
            grid.cells.resize(grid.cells.len() + columns - found, Grid::OUTSIDE);
            let surplus: Vec<Sign<'_>> = signs(text).skip(columns).collect();
            if (found < columns || !surplus.is_empty()) && ragged < MOST_TOLD {
                ragged += 1;
                self.ragged(
                    text,
                    columns,
                    found,
                    &surplus,
                    rows.first().map_or(text.span, |r| r.span),
                );
            }
        }
        if !broken {
            self.unknown_signs(&unknown, legends);
        }
    }

    fn ragged(
        &mut self,
        row: &Text,
        columns: usize,
        found: usize,
        surplus: &[Sign<'_>],
        first: Span,
    ) {
        let (span, has) = match (surplus.first(), surplus.last()) {
            (Some((_, a)), Some((_, b))) => (a.to(*b), columns + surplus.len()),
            _ => (Span::new(row.span.source, row.span.end.saturating_sub(1), row.span.end), found),
        };
        let at = if surplus.is_empty() { "the row ends here" } else { "these are too many" };
        self.fault(
            Diagnostic::error(
                code::E0713,
                span,
                format!("this row has {has} signs, the first row {columns}"),
            )
            .at(at)
            .label(first, format!("{columns} signs"))
            .help("write one sign for each place of the row, `outside` signs too"),
        );
    }

    fn unknown_signs(
        &mut self,
        unknown: &indexmap::IndexMap<&str, (Span, usize)>,
        legends: &[Legend<'_>],
    ) {
        let known: Vec<String> = legends.iter().map(|l| format!("`{}`", l.sign)).collect();
        for (sign, (span, times)) in unknown.iter().take(MOST_TOLD) {
            let help = match known.as_slice() {
                [] => format!("explain it, as in `legend \"{sign}\" with ...`"),
                _ => format!(
                    "the signs are {}; explain another with `legend \"{sign}\" with ...`",
                    known.join(", ")
                ),
            };
            let mut fault = Diagnostic::error(
                code::E0714,
                *span,
                format!("no legend explains the sign `{sign}`"),
            )
            .help(help);
            if *times > 1 {
                fault = fault.note(format!("it stands at {times} places of the map, here first"));
            }
            self.fault(fault);
        }
    }
}

/// The signs of a row, each with its place inside the quotes.
fn signs(row: &Text) -> impl Iterator<Item = Sign<'_>> {
    let (text, source, base) = (row.text.as_str(), row.span.source, row.span.start + 1);
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = text.get(at..)?;
        let start = at + rest.find(|c: char| !c.is_ascii_whitespace())?;
        let sign = text.get(start..)?.split(|c: char| c.is_ascii_whitespace()).next()?;
        at = start + sign.len();
        Some((sign, Span::new(source, base + count(start), base + count(at))))
    })
}

fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
