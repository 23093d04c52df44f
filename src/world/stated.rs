//! What is stated of two things, such as how far they stand apart: it counts before what is worked
//! out or measured.

use std::collections::BTreeMap;

use num_rational::Ratio;

use super::ThingRef;
use crate::ir::{Node, PairRef};

/// A value that somebody has stated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Said {
    /// yes or no
    Truth(bool),
    /// an exact amount
    Amount(Ratio<i64>),
}

impl Said {
    /// The value of a constant; nothing for a node that is none.
    #[must_use]
    pub fn of(node: &Node) -> Option<Said> {
        match node {
            Node::Truth(truth) => Some(Said::Truth(*truth)),
            Node::Number { over, under } if *under != 0 => {
                Some(Said::Amount(Ratio::new(*over, *under)))
            }
            _ => None,
        }
    }
}

/// All that is stated of two things, in the order of the pairs and of the things. The order of the
/// two matters.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stated {
    said: BTreeMap<(PairRef, ThingRef, ThingRef), Said>,
}

impl Stated {
    /// States the value of a pair; what was stated of the same two before is forgotten.
    pub fn say(&mut self, pair: PairRef, from: ThingRef, to: ThingRef, said: Said) {
        self.said.insert((pair, from, to), said);
    }

    /// What is stated of two things.
    #[must_use]
    pub fn of(&self, pair: PairRef, from: ThingRef, to: ThingRef) -> Option<Said> {
        self.said.get(&(pair, from, to)).copied()
    }

    /// All of it, in order.
    pub fn iter(&self) -> impl Iterator<Item = ((PairRef, ThingRef, ThingRef), Said)> + '_ {
        self.said.iter().map(|(key, said)| (*key, *said))
    }

    /// Whether nothing is stated.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.said.is_empty()
    }
}
