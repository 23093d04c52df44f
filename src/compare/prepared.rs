//! A ruleset that is asked of many positions, with what is kept from one to the next.

use std::rc::Rc;

use indexmap::IndexMap;

use crate::ir::{MapId, Ruleset, TraceId};
use crate::kernel::board::Board;
use crate::kernel::{Answers, EvalFault, Position, Series};
use crate::world::World;

/// One of the rulesets, with what is kept from position to position.
pub(super) struct Prepared<'r> {
    pub(super) rules: &'r Ruleset,
    boards: Vec<Option<Rc<Board<'r>>>>,
    series: IndexMap<TraceId, Series<'r>>,
}

/// The answers of some traces to some positions: for each trace, of each position.
pub(super) type Together = IndexMap<TraceId, Vec<Result<Answers, EvalFault>>>;

impl<'r> Prepared<'r> {
    pub(super) fn new(rules: &'r Ruleset) -> Prepared<'r> {
        let boards = rules.maps.iter().map(|_| None).collect();
        Prepared { rules, boards, series: IndexMap::new() }
    }

    pub(super) fn position<'w>(&mut self, world: &'w World) -> Option<Position<'w>>
    where
        'r: 'w,
    {
        Position::on(self.board(world.map)?, world)
    }

    /// The board of a map.
    pub(super) fn board(&mut self, of: MapId) -> Option<&Rc<Board<'r>>> {
        let map = self.rules.maps.get(of.index())?;
        let board = self.boards.get_mut(of.index())?;
        Some(board.get_or_insert_with(|| Rc::new(Board::new(self.rules, map))))
    }

    pub(super) fn together(&mut self, traces: &[TraceId], worlds: &[&World]) -> Together {
        let rules = self.rules;
        let mut found = Together::new();
        for trace in traces {
            let series = self.series.entry(*trace).or_insert_with(|| Series::new(rules, *trace));
            found.insert(*trace, series.ask(worlds));
        }
        found
    }
}
