//! Numbers that stand for things, each kind of thing with a type of its own.

use serde::{Deserialize, Serialize};

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident($inner:ty);)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub $inner);

        impl $name {
            /// The place in its array.
            #[must_use]
            pub fn index(self) -> usize {
                self.0 as usize
            }

            /// The id of a place in an array; arrays are shorter than the type allows, which the
            /// checker sees to.
            #[must_use]
            pub fn at(index: usize) -> Self {
                Self(<$inner>::try_from(index).unwrap_or(<$inner>::MAX))
            }
        }
    )*};
}

ids! {
    /// A side.
    SideId(u8);
    /// A kind. The first six are built in: unit, space, link, world, side, hexside.
    KindId(u16);
    /// A stored fact.
    FactId(u16);
    /// A dimension.
    DimensionId(u16);
    /// A set of words.
    WordSetId(u16);
    /// A ruling or an option.
    RulingId(u16);
    /// A named value.
    DefineId(u16);
    /// A named value of two things.
    PairId(u16);
    /// A table.
    TableId(u16);
    /// A hook.
    HookId(u16);
    /// A trace.
    TraceId(u16);
    /// A test.
    TestId(u16);
    /// A choice.
    ChoiceId(u16);
    /// A phase.
    PhaseId(u16);
    /// A clause.
    ClauseId(u16);
    /// A line that carries out a rule.
    LineId(u32);
    /// A node of an expression.
    ExprId(u32);
    /// A noun phrase.
    ThingsId(u32);
    /// A map.
    MapId(u16);
    /// A setup.
    SetupId(u16);
    /// The label of a hex that a rule names.
    LabelId(u16);
}

impl KindId {
    /// All units.
    pub const UNIT: KindId = KindId(0);
    /// All spaces.
    pub const SPACE: KindId = KindId(1);
    /// All links.
    pub const LINK: KindId = KindId(2);
    /// The one world, and what is said of it.
    pub const WORLD: KindId = KindId(3);
    /// All sides.
    pub const SIDE: KindId = KindId(4);
    /// All sides that two hexes share, a kind of link.
    pub const HEXSIDE: KindId = KindId(5);
}
