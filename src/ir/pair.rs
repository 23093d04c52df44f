//! Pairs: values of two things, those of a ruleset and those that are measured on a table.

use serde::{Deserialize, Serialize};

use super::{ExprId, KindId, LineId, PairId, Type};

/// A named value of two things.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Pair {
    /// Its name.
    pub name: String,
    /// For printed output.
    pub title: String,
    /// The kinds of the two parties, in the order of the sentence.
    pub parties: [KindId; 2],
    /// Its value; the parties are the subjects of levels 0 and 1.
    pub value: ExprId,
    /// Its type: a truth, or an amount from the first to the second.
    pub ty: Type,
    /// Whether it asks how things stand to the viewer, and no party is a unit whose owner would be
    /// that.
    pub viewed: bool,
    /// Its line.
    pub line: LineId,
}

/// Which pair is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PairRef {
    /// one of the ruleset
    Own(PairId),
    /// one that is measured on a table
    Measured(Measure),
}

/// What is measured of two things that lie on a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    /// the shortest way between their edges
    Gap,
    /// how much of its width lies behind the other's flank
    WidthBehindFlank,
    /// how much of its width lies behind the other's rear
    WidthBehindRear,
    /// how much of its width lies behind the other's front
    WidthBehind,
    /// how much of its width lies before the other's front
    WidthBefore,
    /// how far it can go straight ahead before it meets the other
    WayAhead,
    /// the two touch
    InContactWith,
    /// its front is turned away from the other
    FacingAwayFrom,
    /// it lies before the other's front
    Before,
    /// some of it lies behind the other's front
    Behind,
    /// all of it lies behind the other's front
    WhollyBehind,
    /// it lies in the other's flank
    InFlankOf,
    /// it lies in the other's rear
    InRearOf,
    /// it lies in the arc of the other's front
    InArcOf,
    /// it lies to the left of the other
    LeftOf,
    /// it lies to the right of the other
    RightOf,
    /// it touches the other's front edge
    TouchingFrontOf,
    /// it touches one of the other's side edges
    TouchingFlankOf,
    /// it touches the other's rear edge
    TouchingRearOf,
    /// some of it stands on the other
    StandingOn,
    /// all of it stands on the other
    WhollyOn,
}

impl Measure {
    /// All of them, with the names that rules call them by: the amounts first.
    pub const ALL: [(&'static str, Measure); 21] = [
        ("gap", Measure::Gap),
        ("width_behind_flank", Measure::WidthBehindFlank),
        ("width_behind_rear", Measure::WidthBehindRear),
        ("width_behind", Measure::WidthBehind),
        ("width_before", Measure::WidthBefore),
        ("way_ahead", Measure::WayAhead),
        ("in_contact_with", Measure::InContactWith),
        ("facing_away_from", Measure::FacingAwayFrom),
        ("before", Measure::Before),
        ("behind", Measure::Behind),
        ("wholly_behind", Measure::WhollyBehind),
        ("in_flank_of", Measure::InFlankOf),
        ("in_rear_of", Measure::InRearOf),
        ("in_arc_of", Measure::InArcOf),
        ("left_of", Measure::LeftOf),
        ("right_of", Measure::RightOf),
        ("touching_front_of", Measure::TouchingFrontOf),
        ("touching_flank_of", Measure::TouchingFlankOf),
        ("touching_rear_of", Measure::TouchingRearOf),
        ("standing_on", Measure::StandingOn),
        ("wholly_on", Measure::WhollyOn),
    ];

    /// The measure of a name.
    #[must_use]
    pub fn called(name: &str) -> Option<Measure> {
        Self::ALL.iter().find(|(n, _)| *n == name).map(|(_, m)| *m)
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, m)| *m == self).map_or("", |(n, _)| n)
    }

    /// Whether it is an amount, in the dimension of the table; else a truth.
    #[must_use]
    pub fn is_amount(self) -> bool {
        self <= Measure::WayAhead
    }
}

impl super::Ruleset {
    /// The name of a pair.
    #[must_use]
    pub fn pair_name(&self, pair: PairRef) -> &str {
        match pair {
            PairRef::Own(id) => self.pairs.get(id.index()).map_or("", |p| &p.name),
            PairRef::Measured(measure) => measure.name(),
        }
    }

    /// The type of a pair; nothing for one that the ruleset does not have.
    #[must_use]
    pub fn pair_type(&self, pair: PairRef) -> Option<Type> {
        /// No length on a table comes near this.
        const FARTHEST: i64 = 1_000_000;
        match pair {
            PairRef::Own(id) => self.pairs.get(id.index()).map(|p| p.ty),
            PairRef::Measured(measure) => {
                let dimension = self.tabletop?;
                let amount = Type::Number {
                    dimension: Some(dimension),
                    low: 0,
                    high: FARTHEST,
                    fraction: true,
                };
                Some(if measure.is_amount() { amount } else { Type::Truth })
            }
        }
    }

    /// All pairs of the ruleset: its own, then those that its table measures.
    pub fn all_pairs(&self) -> impl Iterator<Item = PairRef> + use<'_> {
        let own = (0..self.pairs.len()).map(|at| PairRef::Own(PairId::at(at)));
        let measured = self
            .tabletop
            .iter()
            .flat_map(|_| Measure::ALL)
            .map(|(_, measure)| PairRef::Measured(measure));
        own.chain(measured)
    }

    /// Whether a thing of a kind can be a party of a pair, the first being party 0: of the kind
    /// that the pair wants, or of one above it, which has the facts of those below.
    #[must_use]
    pub fn is_party(&self, pair: PairRef, party: usize, kind: KindId) -> bool {
        match pair {
            PairRef::Own(id) => self
                .pairs
                .get(id.index())
                .and_then(|p| p.parties.get(party))
                .is_some_and(|of| self.is_kind(kind, *of) || self.is_kind(*of, kind)),
            PairRef::Measured(_) => matches!(self.top(kind), KindId::UNIT | KindId::SPACE),
        }
    }
}
