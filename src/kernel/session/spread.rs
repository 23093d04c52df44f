//! Whether something is so near each cell: by how many cells near it are so.

use super::counters::Counters;
use super::formula::Formula;
use super::near::Near;
use super::tree::Tree;
use super::ways::Around;
use crate::kernel::board::{Bits, Layout};

/// Whether something is so near each cell.
#[derive(Debug)]
pub(super) struct Spread {
    from: From,
    near: Near,
    /// How many cells near are so.
    counters: Counters,
    pub some: Bits,
    /// Room for what has turned.
    flips: Vec<(u32, bool)>,
}

/// What is looked for near.
#[derive(Debug)]
pub(super) enum From {
    /// units of a count
    Units(usize),
    /// spaces that meet a formula and are some of these
    Spaces(usize, Bits),
}

impl Spread {
    pub(super) fn new(from: From, near: Near) -> Spread {
        Spread {
            from,
            near,
            counters: Counters::default(),
            some: Bits::default(),
            flips: Vec::new(),
        }
    }

    /// Counts around all cells.
    pub(super) fn renew(
        &mut self,
        layout: &Layout,
        tree: &Tree,
        formulas: &[Formula],
        around: &mut Around,
    ) {
        (self.counters, self.some) = (Counters::new(layout.size * 64), Bits::new(layout.size));
        let so = match &self.from {
            From::Units(at) => tree.counted[*at].some.clone(),
            From::Spaces(at, of_kind) => {
                let mut so = formulas[*at].yes.clone();
                so.and(of_kind);
                so
            }
        };
        for cell in so.cells() {
            turned(
                self.near,
                (&mut self.counters, &mut self.some),
                (tree, around),
                (cell, true),
                |_| (),
            );
        }
    }

    /// Counts again around the cells that have turned, and tells the formulas that read it where
    /// that makes a difference.
    pub(super) fn update(
        &mut self,
        tree: &Tree,
        formulas: &mut [Formula],
        around: &mut Around,
        readers: &[usize],
    ) {
        let Spread { from, near, counters, some, flips } = self;
        flips.clear();
        match from {
            From::Units(at) => flips.extend_from_slice(&tree.counted[*at].flips),
            From::Spaces(at, of_kind) => {
                let inner = &formulas[*at];
                flips.extend(
                    inner
                        .flips
                        .iter()
                        .filter(|c| of_kind.get(**c))
                        .map(|c| (*c, inner.yes.get(*c))),
                );
            }
        }
        for flip in flips.iter() {
            turned(*near, (counters, some), (tree, around), *flip, |cell| {
                readers.iter().for_each(|r| formulas[*r].touch(cell))
            });
        }
    }
}

/// A cell has turned: so have those near it of which it was the only one.
#[inline]
fn turned(
    near: Near,
    (counters, some): (&mut Counters, &mut Bits),
    (tree, around): (&Tree, &mut Around),
    (cell, so): (u32, bool),
    mut tell: impl FnMut(u32),
) {
    tree.nets.each(near, cell, around, |c| {
        if if so { counters.more(c) } else { counters.less(c) } {
            some.put(c, so);
            tell(c);
        }
    });
}
