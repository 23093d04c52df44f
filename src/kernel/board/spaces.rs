//! The spaces of a choice, asked all at once.

use super::ask::Asker;
use crate::ir::*;
use crate::kernel::{Cx, EvalFault, Position};
use crate::world::ThingRef;

/// On smaller maps each space is asked by itself, which costs less than what is made for all.
const FEWEST_SPACES: usize = 32;

impl Position<'_> {
    /// What there is to choose from for a thing: as [`Position::all`] says, with a condition on
    /// spaces asked of all of them at once; what was asked for one thing serves the next.
    ///
    /// # Errors
    ///
    /// What cannot be worked out, in the order of the position.
    pub fn choosable(
        &self,
        id: ThingsId,
        whose: ThingRef,
        viewer: Option<SideId>,
    ) -> Result<Vec<ThingRef>, EvalFault> {
        let cx = Cx::of(viewer, whose);
        match self.spaces_at_once(id, whose, viewer) {
            Some(found) => Ok(found),
            None => self.all(id, &cx),
        }
    }

    /// Nothing where it is no question about all spaces, where it is noted which rules are read, or
    /// where something cannot be worked out, for then the first fault is told.
    fn spaces_at_once(
        &self,
        id: ThingsId,
        whose: ThingRef,
        viewer: Option<SideId>,
    ) -> Option<Vec<ThingRef>> {
        let things = &self.rules.things[id.index()];
        let condition = things.condition?;
        let of_spaces =
            self.rules.top(things.kind) == KindId::SPACE && self.map.spaces.len() >= FEWEST_SPACES;
        if !of_spaces || self.rules.seen.is_on() {
            return None;
        }
        let near = match things.place {
            Place::Anywhere => None,
            _ => {
                let cx = Cx::of(viewer, whose);
                Some(self.candidates(things, things.kind, &cx).ok()?.collect::<Vec<_>>())
            }
        };
        let board = self.board();
        let viewer = viewer.or_else(|| self.viewer_of(ThingRef::Space(0)));
        let mut spaces = board.in_room(|room| {
            let mut asker = Asker::new(&board, self, None, room);
            asker.bind(Some(whose));
            let all = match &near {
                None => asker.all(),
                Some(near) => asker.those(near),
            };
            let found = asker.truth(condition, things.level, viewer, &all).ok()?;
            let spaces = found.cells().map(|cell| board.layout().space(cell)).collect::<Vec<_>>();
            asker.give(all);
            asker.give(found);
            Some(spaces)
        })?;
        spaces.sort_unstable();
        let things_of = spaces.into_iter().map(ThingRef::Space);
        Some(things_of.filter(|space| self.is_kind(*space, things.kind)).collect())
    }
}
