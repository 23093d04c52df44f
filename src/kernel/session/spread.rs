//! Whether something is so near each cell: by how many cells near it are so.

use super::formula::Formula;
use super::near::Near;
use super::tally::Tally;
use super::tree::Tree;
use super::ways::Around;
use crate::kernel::board::{Bits, Layout};

/// Whether something is so near each cell.
#[derive(Debug)]
pub(super) struct Spread {
    from: From,
    near: Near,
    /// How many cells near are so.
    tally: Tally,
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
        Spread { from, near, tally: Tally::default(), some: Bits::default(), flips: Vec::new() }
    }

    /// Counts around all cells.
    pub(super) fn renew(
        &mut self,
        layout: &Layout,
        tree: &Tree,
        formulas: &[Formula],
        around: &mut Around,
    ) {
        (self.tally, self.some) = (Tally::new(layout.size * 64), Bits::new(layout.size));
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
                (&mut self.tally, &mut self.some),
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
        let Spread { from, near, tally, some, flips } = self;
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
            turned(*near, (tally, some), (tree, around), *flip, |cell| {
                readers.iter().for_each(|r| formulas[*r].touch(cell))
            });
        }
    }
}

/// A cell has turned: so have those near it of which it was the only one.
#[inline]
fn turned(
    near: Near,
    (tally, some): (&mut Tally, &mut Bits),
    (tree, around): (&Tree, &mut Around),
    (cell, so): (u32, bool),
    mut tell: impl FnMut(u32),
) {
    tree.nets.each(near, cell, around, |c| {
        if if so { tally.more(c) } else { tally.less(c) } {
            some.put(c, so);
            tell(c);
        }
    });
}
