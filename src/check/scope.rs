//! Which names there are, and what each may mean of which kind of thing.

use indexmap::IndexMap;

use crate::ir::*;
use crate::source::Span;

/// All names of a ruleset.
#[derive(Default)]
pub(super) struct Symbols {
    /// Kinds by singular and plural.
    pub kinds: IndexMap<String, KindId>,
    pub sides: IndexMap<String, SideId>,
    pub dimensions: IndexMap<String, DimensionId>,
    pub rulings: IndexMap<String, RulingId>,
    pub clauses: IndexMap<String, ClauseId>,
    pub named: IndexMap<String, u32>,
    /// Spaces that every map has, by name: how rules call each, its kind, and where that is said.
    pub named_places: IndexMap<String, (LabelId, KindId, Span)>,
    pub phases: IndexMap<String, PhaseId>,
    pub traces: IndexMap<String, TraceId>,
    /// The faces of the dice that have their own.
    pub dice: IndexMap<String, Vec<u32>>,
    pub tests: IndexMap<String, TestId>,
    pub tables: IndexMap<String, TableId>,
    pub tracks: IndexMap<String, WordSetId>,
    pub choices: IndexMap<String, ChoiceId>,
    pub defines: IndexMap<String, DefineId>,
    /// Values of two things: those of the ruleset, and those its table measures.
    pub pairs: IndexMap<String, PairRef>,
    pub maps: IndexMap<String, MapId>,
    pub setups: IndexMap<String, SetupId>,
    /// What a name means of a kind of thing.
    pub members: IndexMap<String, Vec<(KindId, Member)>>,
    /// Where each name was first declared, by namespace and name.
    pub places: IndexMap<(&'static str, String), Span>,
    /// Names that broken items would have declared.
    pub lost: Lost,
    /// What a variant has taken away, and where.
    pub removed: Vec<(String, Span)>,
    /// Unknown names so far.
    pub unknown: usize,
    /// Facts that a step or a case sets.
    pub set_facts: Vec<FactId>,
    /// What both ends of a link must be, by the kind of link: the condition and where it is
    /// written.
    pub joins: IndexMap<KindId, (ThingsId, Span)>,
    /// Where it is written between which spaces the links of a kind are.
    pub every_two: IndexMap<KindId, Span>,
    /// By map the spaces that have no junction of the links of a kind, and where that is written.
    pub crossings: IndexMap<String, Vec<(u32, KindId, Span)>>,
    /// The kind of the hexes, if all maps agree on it.
    pub hex: Option<KindId>,
    /// Where rules name the hexes of `labels` in the IR, the first place of each.
    pub labels: Vec<Span>,
    /// Words that are looked up by their text alone, and what they refer to.
    pub uses: Vec<(Span, Used)>,
    /// Names that somebody reads.
    pub read: indexmap::IndexSet<String>,
}

/// Names that broken items would have declared.
#[derive(Default)]
pub(super) struct Lost(indexmap::IndexSet<String>);

impl Lost {
    pub(super) fn push(&mut self, name: String) {
        self.0.insert(name);
    }

    pub(super) fn extend(&mut self, names: impl IntoIterator<Item = String>) {
        self.0.extend(names);
    }

    pub(super) fn contains(&self, name: &str) -> bool {
        self.0.contains(name)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// What a word refers to that becomes no node.
#[derive(Debug, Clone, Copy)]
pub(super) enum Used {
    Kind,
    Clock,
    Phase,
    Dimension,
    Fact(FactId),
    Word(WordSetId),
    Clause(ClauseId),
}

impl Symbols {
    /// Notes what a word refers to, for editors and pages of rules.
    pub(super) fn note(&mut self, span: Span, used: Used) {
        self.uses.push((span, used));
    }
}

/// What a name means of a thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Member {
    Fact(FactId),
    Define(DefineId),
    Table(TableId),
    Hook(HookId),
    /// The noun of a trace.
    Line(TraceId),
    Test(TestId),
    /// One of some things, for a step to act on.
    Choice(ChoiceId),
    /// An adjective of a trace: its yes, else its no.
    Adjective(TraceId, bool),
}

/// The subjects around an expression, the outermost first, and the things a case can name.
#[derive(Clone, Default)]
pub(super) struct Scope<'o> {
    pub levels: Vec<KindId>,
    pub objects: Option<&'o Objects>,
    /// In the body of a pair: what the subjects of levels 0 and 1 are called. Neither of them is
    /// the one that bare facts are said of.
    pub parties: Option<(&'o str, &'o str)>,
    /// Whether the rows of a test are read, where `total` and `natural` mean the dice.
    pub rolled: bool,
    /// Behind `when` of a leg: what a gate asks is said of the subject alone, and no word means the
    /// space of level 1.
    pub of_tracer: bool,
}

/// The units that a setup or case can name, and the map whose spaces it can name.
#[derive(Default, Clone)]
pub(super) struct Objects {
    pub units: IndexMap<String, (u32, KindId)>,
    pub map: Option<MapId>,
}

impl Objects {
    /// The kind of a unit; they stand in their order.
    pub fn unit(&self, at: u32) -> Option<KindId> {
        let (_, (found, kind)) = self.units.get_index(at as usize)?;
        (*found == at).then_some(*kind)
    }
}

impl<'o> Scope<'o> {
    pub fn of(kind: KindId) -> Scope<'o> {
        Scope { levels: vec![kind], ..Scope::default() }
    }

    pub fn with(&self, kind: KindId) -> Scope<'o> {
        let mut inner = self.clone();
        inner.levels.push(kind);
        inner
    }

    /// Whether two parties are the subjects and no candidate of a `where` stands before them.
    pub fn between_parties(&self) -> bool {
        self.parties.is_some() && self.levels.len() == 2
    }

    /// The level and kind of the innermost subject; nothing where two parties are.
    pub fn innermost(&self) -> Option<(u8, KindId)> {
        if self.between_parties() {
            return None;
        }
        if self.of_tracer && self.levels.len() == 2 {
            return Some((0, *self.levels.first()?));
        }
        let kind = *self.levels.last()?;
        Some((u8::try_from(self.levels.len() - 1).ok()?, kind))
    }
}

/// An expression that has been read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Typed {
    pub id: ExprId,
    pub ty: Ty,
    pub span: Span,
}

/// The type of an expression while it is being checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ty {
    /// Faulty already; nothing more is said about it.
    Poison,
    /// `none`
    None,
    /// the rows of a list of tests that hold
    Rows(TableId),
    Of(Type),
}

impl Ty {
    pub const TRUTH: Ty = Ty::Of(Type::Truth);

    pub fn number(dimension: Option<DimensionId>, low: i64, high: i64) -> Ty {
        Ty::Of(Type::Number { dimension, low, high, fraction: false })
    }

    pub fn thing(kind: KindId) -> Ty {
        Ty::Of(Type::Thing { kind, maybe: false })
    }
}
