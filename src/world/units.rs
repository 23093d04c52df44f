//! The units of a position: all positions that begin with the same ones share them.
//!
//! Takes and gives a list of units; the first change of a shared list copies it.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use super::Unit;

/// A list of units that costs nothing to copy until it is changed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Units(Arc<Vec<Unit>>);

impl Units {
    /// Whether two positions share one list, so that it need not be compared.
    pub(crate) fn are(&self, other: &Units) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Deref for Units {
    type Target = Vec<Unit>;

    fn deref(&self) -> &Vec<Unit> {
        &self.0
    }
}

impl DerefMut for Units {
    fn deref_mut(&mut self) -> &mut Vec<Unit> {
        Arc::make_mut(&mut self.0)
    }
}

impl<'u> IntoIterator for &'u Units {
    type Item = &'u Unit;
    type IntoIter = std::slice::Iter<'u, Unit>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{KindId, MapId, Ruleset};
    use crate::world::World;

    #[test]
    fn positions_share_their_units_until_one_of_them_changes() {
        let mut first = World::new(&Ruleset::default(), MapId(0));
        let unit = Unit {
            id: "A".to_owned(),
            title: "A".to_owned(),
            kind: KindId::UNIT,
            removed: false,
            stand: None,
        };
        let at = first.add(unit, &[]);
        let mut second = first.clone();
        assert!(second.units.are(&first.units));
        second.set_removed(at, false);
        second.lay(at, None);
        second.truncate(1);
        assert!(second.units.are(&first.units), "nothing was changed");
        second.set_removed(at, true);
        assert!(!second.units.are(&first.units));
        let removed = |world: &World| world.units.iter().map(|u| u.removed).collect::<Vec<_>>();
        assert_eq!((removed(&first), removed(&second)), (vec![false], vec![true]));
    }
}
