//! What a ruleset means: flat arrays, ids, numbers.
//!
//! Takes what the checker proved; gives plain data that serialises, prints and is evaluated. Knows
//! no text of a file beyond names and places kept in side tables, and no position. Two things are no
//! data and are left out of what is written: the door to scripts, and the counters of coverage.

mod declared;
mod expr;
mod hook;
mod pair;
mod play;
mod print;
mod rules;
mod schema;
mod seen;
mod table;
mod walk;

pub use crate::ids::*;
pub use expr::*;
pub use hook::*;
pub use pair::*;
pub use play::*;
pub use print::{dice as print_dice, expr as print_expr, print};
pub use rules::*;
pub use schema::*;
pub use seen::Seen;
pub use table::*;
pub use walk::Part;

use serde::{Deserialize, Serialize};

/// The number of the form in which an IR is written down; it grows when old readers would misread a
/// new one.
pub const IR_SCHEMA: u32 = 1;

/// A whole ruleset, resolved: variants folded in, names gone from all that is evaluated.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Ruleset {
    /// Always [`IR_SCHEMA`].
    pub schema: u32,
    /// Its name, title and clause prefix.
    pub name: String,
    /// The printed title.
    pub title: String,
    /// What its clause ids begin with.
    pub prefix: String,
    /// A hash of the resolved rules, the same on every machine; every answer carries it.
    pub hash: String,
    /// The sides in the order of the declaration.
    pub sides: Vec<Side>,
    /// How each side stands to each other unless a position says otherwise: `sides.len()` squared,
    /// row by row.
    pub relations: Vec<Relation>,
    /// The clock, if one is declared.
    pub clock: Option<Clock>,
    /// Dimensions of amounts.
    pub dimensions: Vec<Dimension>,
    /// Kinds; the first six are built in, see [`KindId`].
    pub kinds: Vec<Kind>,
    /// Facts that a position stores: attributes, marks, given facts.
    pub facts: Vec<Fact>,
    /// Sets of words.
    pub word_sets: Vec<WordSet>,
    /// Units that a ruleset names; they are the first units of every position.
    pub named: Vec<NamedUnit>,
    /// Rulings and options; an option has the readings `off` and `on`.
    pub rulings: Vec<Ruling>,
    /// Named values.
    pub defines: Vec<Define>,
    /// The dimension of lengths on a table, if the game is played on one; then the measured pairs
    /// are there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tabletop: Option<DimensionId>,
    /// Named values of two things.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pairs: Vec<Pair>,
    /// Functions by rows.
    pub tables: Vec<Table>,
    /// Gaps that scripts fill.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hooks: Vec<Hook>,
    /// Whether its head says `with scripts`: hooks may then be whole scripts, else expressions
    /// alone.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub with_scripts: bool,
    /// What runs the scripts; nothing until somebody binds it, and never written down.
    #[serde(skip)]
    pub calls: Calls,
    /// What evaluations touch, if somebody counts it.
    #[serde(skip)]
    pub seen: Seen,
    /// Lines on the map.
    pub traces: Vec<Trace>,
    /// Random values and the rows that read them.
    pub tests: Vec<Test>,
    /// How large units lie on a table.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bases: Vec<BaseRule>,
    /// What is left to players.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<Choice>,
    /// When things happen.
    pub phases: Vec<Phase>,
    /// Clauses of the rulebook in printed order.
    pub clauses: Vec<Clause>,
    /// Every line that carries out a rule, with its clauses.
    pub lines: Vec<RuleLine>,
    /// All nodes of all expressions.
    pub nodes: Vec<Node>,
    /// Where each node was written; as long as `nodes`.
    pub node_spans: Vec<crate::source::Span>,
    /// In rising order, the nodes that ask a fact, or what rules say of a kind, of something that may
    /// be nothing or of a plainer kind; a number is 0 there, whatever its range.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unsure: Vec<ExprId>,
    /// Labels of hexes that rules name; each map has its own hex of that label, or none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<String>,
    /// Noun phrases of quantifiers, counts and steps.
    pub things: Vec<Things>,
    /// The maps.
    pub maps: Vec<crate::map::Map>,
    /// The setups.
    pub setups: Vec<Setup>,
    /// The cases.
    pub cases: Vec<Case>,
}

impl Ruleset {
    /// Whether maps name links of a kind, which a condition on links does not make.
    #[must_use]
    pub fn is_printed(&self, kind: KindId) -> bool {
        self.kinds.get(kind.index()).is_none_or(|k| k.some_of.is_none())
    }

    /// Whether no map lists the links of a kind, and each two of some spaces are joined.
    #[must_use]
    pub fn joins_each_two(&self, kind: KindId) -> bool {
        self.kinds.get(kind.index()).is_some_and(|kind| kind.every_two.is_some())
    }

    /// The node of an expression.
    #[must_use]
    pub fn node(&self, id: ExprId) -> &Node {
        static NONE: Node = Node::Nothing;
        self.nodes.get(id.index()).unwrap_or(&NONE)
    }

    /// An amount stops at the ends of its range, and what stands on a track at its first and last
    /// stage.
    #[must_use]
    pub fn within(&self, fact: FactId, value: i64) -> i64 {
        let words = |set: WordSetId| self.word_sets.get(set.index()).filter(|set| set.ordered);
        match self.facts.get(fact.index()).map(|fact| fact.ty) {
            Some(Type::Number { low, high, .. }) => value.clamp(low, high),
            Some(Type::Word(set)) => words(set).map_or(value, |set| {
                let last = i64::try_from(set.words.len()).unwrap_or(i64::MAX) - 1;
                value.clamp(0, last.max(0))
            }),
            _ => value,
        }
    }

    /// A kind below another, as an example in a message: one that things are put as, before one
    /// whose pieces the rules name.
    #[must_use]
    pub fn example_of(&self, top: KindId) -> &str {
        let below = |at: &KindId| *at != top && self.is_kind(*at, top);
        let kinds = || (0..self.kinds.len()).map(KindId::at).filter(below);
        let is_put = |at: &KindId| self.named.iter().all(|named| named.kind != *at);
        let found = kinds().find(is_put).or_else(|| kinds().next()).unwrap_or(top);
        self.kinds.get(found.index()).map_or("unit", |kind| kind.name.as_str())
    }

    /// How large a unit of a kind lies on a table: what its kind says, or the nearest kind above.
    #[must_use]
    pub fn base_of(&self, kind: KindId) -> Option<&BaseRule> {
        let mut at = Some(kind);
        while let Some(k) = at {
            if let Some(base) = self.bases.iter().find(|b| b.kind == k) {
                return Some(base);
            }
            at = self.kinds.get(k.index()).and_then(|k| k.parent);
        }
        None
    }

    /// The tables that say which steps the legs of traces may take.
    pub fn over_tables(&self) -> impl Iterator<Item = TableId> + '_ {
        self.traces.iter().flat_map(|trace| &trace.legs).filter_map(|leg| leg.over)
    }

    /// Whether a step along links of a kind asks which way they lead. Two hexes that touch are
    /// joined both ways, whatever else runs along their side.
    #[must_use]
    pub fn has_direction(&self, kind: KindId) -> bool {
        let base = self.kinds.get(kind.index()).and_then(|k| k.some_of).unwrap_or(kind);
        let mut kinds = (0..).map(KindId::at).zip(&self.kinds);
        base != KindId::HEXSIDE
            && kinds.any(|(id, one)| one.one_way && one.some_of.is_none() && self.is_kind(id, base))
    }

    /// What tells some links of a kind apart, where a position says it: the kind they are of, and
    /// the facts.
    #[must_use]
    pub fn told_by(&self, kind: KindId) -> Option<(KindId, &LinkFacts)> {
        let kind = self.kinds.get(kind.index())?;
        Some((kind.some_of?, kind.told_by.as_deref()?))
    }

    /// Whether some links are told apart by a fact that a position says.
    #[must_use]
    pub fn tells_links(&self, fact: FactId) -> bool {
        let changes =
            self.facts.get(fact.index()).is_some_and(|f| f.origin != FactOrigin::Attribute);
        let mut told = self.kinds.iter().filter_map(|kind| kind.told_by.as_deref());
        changes && told.any(|by| by.facts.contains(&fact))
    }

    /// Whether a kind is another kind or lies below it.
    #[must_use]
    pub fn is_kind(&self, kind: KindId, of: KindId) -> bool {
        let mut at = Some(kind);
        while let Some(k) = at {
            if k == of {
                return true;
            }
            at = self.kinds.get(k.index()).and_then(|k| k.parent);
        }
        false
    }

    /// Whether a node asks what may be nothing, or of a kind that has no such value.
    #[must_use]
    pub fn is_unsure(&self, id: ExprId) -> bool {
        self.unsure.binary_search(&id).is_ok()
    }

    /// Whether all things of its sort are of a kind: it is none below another.
    #[must_use]
    pub fn is_top(&self, kind: KindId) -> bool {
        self.top(kind) == kind
    }

    /// Whether each thing of a kind has a fact that names another. The world and the sides have the
    /// facts of all kinds below their own.
    #[must_use]
    pub fn must_have(&self, kind: KindId, fact: &Fact) -> bool {
        let all_alike = [KindId::SIDE, KindId::WORLD].contains(&kind);
        fact.is_required()
            && (self.is_kind(kind, fact.kind) || (all_alike && self.top(fact.kind) == kind))
    }

    /// Which built-in kind a kind lies below.
    #[must_use]
    pub fn top(&self, kind: KindId) -> KindId {
        self.kinds.get(kind.index()).map_or(kind, |k| k.top)
    }

    /// The first clause that a line cites, as its full id.
    #[must_use]
    pub fn first_clause(&self, line: LineId) -> Option<&str> {
        let clause = self.lines.get(line.index())?.clauses.first()?;
        self.clauses.get(clause.index()).map(|c| c.id.as_str())
    }
}
