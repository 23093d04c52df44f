//! Which units stand in each cell: a list through all that share one, and a bit for each cell that
//! has some.

use crate::kernel::board::Bits;
use crate::kernel::field::NONE;

/// Who stands where.
#[derive(Debug)]
pub(super) struct Occupants {
    /// By unit, where it stands.
    at: Vec<u32>,
    /// By cell, the last that came.
    first: Vec<u32>,
    /// By unit, those in its cell that came before and after it.
    links: Vec<[u32; 2]>,
    some: Bits,
}

impl Occupants {
    pub(super) fn new(units: usize, words: usize) -> Occupants {
        Occupants {
            at: vec![NONE; units],
            first: vec![NONE; words * 64],
            links: vec![[NONE; 2]; units],
            some: Bits::new(words),
        }
    }

    /// Takes a unit from where it stands and puts it into a cell, or nowhere.
    pub(super) fn put(&mut self, unit: u32, cell: Option<u32>) {
        let [older, newer] = self.links[unit as usize];
        let from = std::mem::replace(&mut self.at[unit as usize], cell.unwrap_or(NONE));
        if from != NONE {
            match newer {
                NONE => self.first[from as usize] = older,
                newer => self.links[newer as usize][0] = older,
            }
            if older != NONE {
                self.links[older as usize][1] = newer;
            }
            self.some.put(from, self.first[from as usize] != NONE);
        }
        if let Some(cell) = cell {
            let before = std::mem::replace(&mut self.first[cell as usize], unit);
            self.links[unit as usize] = [before, NONE];
            if before != NONE {
                self.links[before as usize][1] = unit;
            }
            self.some.set(cell);
        }
    }

    /// The units in a cell.
    #[inline]
    pub(super) fn in_cell(&self, cell: u32) -> impl Iterator<Item = u32> + '_ {
        let first = if self.some.get(cell) { self.first[cell as usize] } else { NONE };
        let is = |unit: u32| (unit != NONE).then_some(unit);
        std::iter::successors(is(first), move |unit| is(self.links[*unit as usize][0]))
    }

    /// Where a unit stands.
    #[inline]
    pub(super) fn cell_of(&self, unit: u32) -> Option<u32> {
        self.at.get(unit as usize).copied().filter(|cell| *cell != NONE)
    }
}

#[cfg(test)]
mod tests {
    use super::Occupants;

    /// Against a list of places: who stands in a cell, whoever came and went.
    #[test]
    fn they_are_those_of_a_plain_list() {
        arbtest::arbtest(|u| {
            let mut plain = [None; 6];
            let mut occupants = Occupants::new(plain.len(), 1);
            for _ in 0..u.int_in_range(0..=60)? {
                let unit = u.choose_index(plain.len())?;
                plain[unit] = u.arbitrary::<bool>()?.then_some(u.int_in_range(0..=3)?);
                occupants.put(u32::try_from(unit).unwrap_or(0), plain[unit]);
                for cell in 0..4 {
                    let mut ours: Vec<u32> = occupants.in_cell(cell).collect();
                    ours.sort_unstable();
                    let theirs: Vec<u32> =
                        (0..6).filter(|u| plain[*u as usize] == Some(cell)).collect();
                    assert_eq!(ours, theirs);
                }
            }
            Ok(())
        });
    }
}
