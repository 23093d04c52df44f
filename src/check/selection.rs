//! Links of a kind of which something holds: `roads where not blown`.
//!
//! A condition on links is read once for each combination of the facts that it asks: the links for
//! which it holds are a kind of their own, over which a search goes as over any other, and what is
//! left of it asks the thing and the step alone. Where a position says one of these facts, it says
//! which links are of that kind.

use super::Checker;
use super::name::with_article;
use super::scope::{Scope, Typed};
use crate::arrange::Arrange as _;
use crate::diag::{Diagnostic, code, has_errors};
use crate::ir::*;
use crate::map::{Links, Map, OneLink};
use crate::source::Span;
use crate::syntax::ast::{self, Way};

/// More combinations of facts are not told apart.
const MOST: usize = 256;

/// The facts of the links that a condition is being read for.
pub(super) struct KnownFacts {
    /// The level of the link.
    level: u8,
    /// What they are; a fact that is asked for the first time is as links have it by themselves.
    values: Vec<(FactId, i64)>,
}

/// The links of a kind whose facts are one of some combinations.
pub(super) struct Selection {
    kind: KindId,
    base: KindId,
    facts: Vec<FactId>,
    rows: Vec<Vec<i64>>,
    /// Whether it has only the steps that its links make.
    directed: bool,
}

/// Some links of a kind, and what else must hold of a step along them.
pub(super) type Chosen = (KindId, Option<ExprId>);

impl Checker<'_> {
    /// The links of `roads where not blown`; none where a fault stands in it.
    pub(super) fn way(&mut self, way: &Way, scope: &Scope<'_>) -> Option<Vec<Chosen>> {
        let kind = self.link(&way.name)?;
        let Some(filter) = &way.filter else { return Some(vec![(kind, None)]) };
        let inner = scope.with(kind);
        self.selected((kind, &inner), way.span(), |c| c.truth(filter, &inner))
    }

    /// The links of a noun phrase that asks something of each.
    pub(super) fn some_links(
        &mut self,
        things: &ast::Things,
        kind: KindId,
        inner: &Scope<'_>,
        read: impl Fn(&mut Self) -> Option<ExprId>,
    ) -> Option<KindId> {
        let whole = |c: &mut Self| match read(c) {
            Some(condition) => condition,
            None => c.node(Node::Truth(true), things.span),
        };
        let found = self.selected((kind, inner), things.span, whole)?;
        match found.as_slice() {
            [(one, None)] => Some(*one),
            _ => {
                let link = self.a_kind(kind);
                let message = format!("more is asked here of {link} than the map says of it");
                self.fault(Diagnostic::error(code::E0321, things.span, message).help(
                    "ask of a link what its kind `has`; what else must hold stands beside it, with `and`",
                ));
                None
            }
        }
    }

    /// Some links of a kind: those for which a condition holds, and those for which it asks more.
    fn selected(
        &mut self,
        (kind, inner): (KindId, &Scope<'_>),
        span: Span,
        read: impl Fn(&mut Self) -> ExprId,
    ) -> Option<Vec<Chosen>> {
        let level = inner.innermost().map_or(0, |(level, _)| level);
        let before = self.faults.len();
        let outer = self.link_facts.replace(KnownFacts { level, values: Vec::new() });
        read(self);
        let asked = self.link_facts.take().map_or_else(Vec::new, |f| f.values);
        let told = self.faults.len();
        let facts: Vec<FactId> = asked.into_iter().map(|(fact, _)| fact).collect();
        let rows = self.combinations(&facts, kind);
        let faulty = self.faults.get(before..told).is_some_and(has_errors);
        if faulty || rows.len() > MOST {
            self.link_facts = outer;
            if !faulty {
                self.too_many_combinations(span);
            }
            return None;
        }
        let (mut all, mut more) = (Vec::new(), Vec::new());
        for row in &rows {
            let values = facts.iter().copied().zip(row.iter().copied()).collect();
            self.link_facts = Some(KnownFacts { level, values });
            let condition = read(self);
            match self.left_of(condition, span) {
                Ok(true) => all.push(row.clone()),
                Ok(false) => {}
                Err(rest) => more.push((row.clone(), rest)),
            }
        }
        self.link_facts = outer;
        // What is read again is told once.
        self.faults.truncate(told);
        if more.iter().any(|(_, rest)| self.out.reads_level(*rest, level)) {
            self.link_itself(kind, span);
            return None;
        }
        let mut found = Vec::new();
        if more.is_empty() || !all.is_empty() {
            found.push((self.selection(kind, (&facts, all), rows.len()), None));
        }
        for (row, rest) in more {
            found.push((self.selection(kind, (&facts, vec![row]), rows.len()), Some(rest)));
        }
        Some(found)
    }

    /// Every combination of the values of some facts, as far as one more than are told apart.
    fn combinations(&self, facts: &[FactId], kind: KindId) -> Vec<Vec<i64>> {
        let mut rows: Vec<Vec<i64>> = vec![Vec::new()];
        for fact in facts.iter().filter_map(|f| self.out.facts.get(f.index())) {
            let (low, high) = match fact.ty {
                Type::Truth => (0, 1),
                Type::Word(set) => {
                    let words = self.out.word_sets.get(set.index()).map_or(0, |s| s.words.len());
                    (0, i64::try_from(words).unwrap_or(i64::MAX) - 1)
                }
                Type::Number { low, high, .. } => (low, high),
                Type::Thing { .. } => (0, i64::try_from(self.out.sides.len()).unwrap_or(i64::MAX)),
            };
            // A link of a plainer kind has nothing of it.
            let nothing = !self.out.is_kind(kind, fact.kind) && !(low..=high).contains(&0);
            let values = (low..=high).chain(nothing.then_some(0));
            let values: Vec<i64> = values.take(MOST + 1).collect();
            let longer = |row: &Vec<i64>| {
                let row = row.clone();
                values.clone().into_iter().map(move |v| [row.as_slice(), &[v]].concat())
            };
            rows = rows.iter().flat_map(longer).take(MOST + 1).collect();
        }
        rows
    }

    fn too_many_combinations(&mut self, span: Span) {
        let message = format!("this tells links apart in more than {MOST} ways");
        self.fault(
            Diagnostic::error(code::E0215, span, message)
                .help("ask fewer of their facts at once, or give an amount a smaller range"),
        );
    }

    fn link_itself(&mut self, kind: KindId, span: Span) {
        let link = self.a_kind(kind);
        let message = format!("this names {link} as a thing, and a link is known by its facts");
        self.fault(
            Diagnostic::error(code::E0321, span, message)
                .help("ask what its kind `has`, as in `where not blown`"),
        );
    }

    /// The kind of the links whose facts are one of these combinations.
    fn selection(
        &mut self,
        base: KindId,
        (facts, rows): (&[FactId], Vec<Vec<i64>>),
        of: usize,
    ) -> KindId {
        if rows.len() == of {
            return base;
        }
        let name = self.selection_name(base, facts, &rows);
        let told_by = self.told_by(facts, &rows);
        let kind = KindId::at(self.out.kinds.len());
        let facts = facts.to_vec();
        self.selected_kind((name, told_by), Selection { kind, base, facts, rows, directed: false })
    }

    /// The steps that links of a kind, or some of them, make: the kind itself where all lead both
    /// ways.
    pub(super) fn directed(&mut self, kind: KindId) -> KindId {
        if !self.out.has_direction(kind) {
            return kind;
        }
        let some = self.selections.iter().find(|s| s.kind == kind && !s.directed);
        let (base, facts, rows) = some.map_or_else(
            || (kind, Vec::new(), vec![Vec::new()]),
            |s| (s.base, s.facts.clone(), s.rows.clone()),
        );
        let Some(undirected) = self.out.kinds.get(kind.index()) else { return kind };
        let name = undirected.name.clone();
        let told_by = undirected.told_by.clone().map(|mut told_by| {
            told_by.directed = true;
            told_by
        });
        let kind = KindId::at(self.out.kinds.len());
        self.selected_kind((name, told_by), Selection { kind, base, facts, rows, directed: true })
    }

    /// The kind of a selection, made if there is none such yet, with its links on all maps.
    fn selected_kind(
        &mut self,
        (name, told_by): (String, Option<Box<LinkFacts>>),
        new: Selection,
    ) -> KindId {
        let same = |s: &&Selection| {
            (s.base, s.directed) == (new.base, new.directed)
                && s.facts == new.facts
                && s.rows == new.rows
        };
        if let Some(known) = self.selections.iter().find(same) {
            return known.kind;
        }
        let kind = new.kind;
        self.out.kinds.push(Kind {
            plural: name.clone(),
            name,
            parent: None,
            top: KindId::LINK,
            one_way: false,
            every_two: None,
            some_of: Some(new.base),
            told_by,
        });
        let mut maps = std::mem::take(&mut self.out.maps);
        for map in &mut maps {
            let links = self.links_of(&new, map);
            map.links.push(links);
        }
        self.out.maps = maps;
        self.selections.push(new);
        kind
    }

    /// What tells links apart where a position says some of it.
    fn told_by(&self, facts: &[FactId], rows: &[Vec<i64>]) -> Option<Box<LinkFacts>> {
        let changes = facts.iter().any(|fact| self.changes_of_link(*fact));
        changes.then(|| {
            Box::new(LinkFacts { facts: facts.to_vec(), rows: rows.to_vec(), directed: false })
        })
    }

    /// Whether a position says a fact of links; what they `has` is printed on the map.
    fn changes_of_link(&self, fact: FactId) -> bool {
        let declared = self.out.facts.get(fact.index());
        declared.is_some_and(|f| {
            f.origin != FactOrigin::Attribute && self.out.top(f.kind) == KindId::LINK
        })
    }

    /// Whether the map alone says a fact of links.
    pub(super) fn is_printed_of_link(&self, fact: FactId) -> bool {
        let of_link = self.out.facts.get(fact.index()).map(|f| self.out.top(f.kind));
        of_link == Some(KindId::LINK) && !self.changes_of_link(fact)
    }

    /// Whether a position says something of links of a kind.
    pub(super) fn changes(&self, kind: KindId) -> bool {
        let facts = (0..self.out.facts.len()).map(FactId::at).filter(|f| self.changes_of_link(*f));
        let mut kinds = facts.filter_map(|f| self.out.facts.get(f.index())).map(|f| f.kind);
        kinds.any(|of| self.out.is_kind(kind, of) || self.out.is_kind(of, kind))
    }

    /// The links that a step is about.
    pub(super) fn links_of_step(
        &mut self,
        things: &ast::Things,
        kind: KindId,
        scope: &Scope<'_>,
    ) -> ThingsId {
        if let Some(place) = &things.place {
            self.fault(
                Diagnostic::error(code::E0304, place.span, "a link stands in no space")
                    .help("ask what stands at its ends: `where any army here`"),
            );
        }
        let condition = self.condition_of(things, kind, scope);
        let id = ThingsId::at(self.out.things.len());
        self.out.things.push(Things { kind, place: Place::Anywhere, condition, level: 0 });
        id
    }

    /// The links of a map of which a position says more.
    pub(super) fn changing_links(&self, map: &Map) -> Vec<OneLink> {
        let facts = (0..self.out.facts.len()).map(FactId::at).filter(|f| self.changes_of_link(*f));
        let kinds: Vec<KindId> =
            facts.filter_map(|f| self.out.facts.get(f.index())).map(|f| f.kind).collect();
        let changes = |links: &&Links| kinds.iter().any(|kind| self.out.is_kind(links.kind, *kind));
        let mut found = Vec::new();
        for links in map.links.iter().filter(changes) {
            for from in 0..u32::try_from(map.spaces.len()).unwrap_or(u32::MAX) {
                let to = links.of(from).iter().filter(|to| **to > from);
                found.extend(to.map(|to| OneLink { from, to: *to, kind: links.kind }));
            }
        }
        found.arrange();
        found
    }

    /// `road with gauge wide` of one combination, `road with gauge wide or narrow` of several.
    fn selection_name(&self, base: KindId, facts: &[FactId], rows: &[Vec<i64>]) -> String {
        let said = |row: &Vec<i64>| {
            let each = facts.iter().zip(row).filter_map(|(fact, value)| {
                let fact = self.out.facts.get(fact.index())?;
                let at = usize::try_from(*value).ok();
                Some(match fact.ty {
                    Type::Truth if *value == 0 => format!("no {}", fact.name),
                    Type::Truth => fact.name.clone(),
                    Type::Word(set) => {
                        let words = self.out.word_sets.get(set.index())?;
                        format!("{} {}", fact.name, words.words.get(at?)?)
                    }
                    Type::Thing { .. } if *value == 0 => format!("{} none", fact.name),
                    Type::Thing { .. } => {
                        let side = self.out.sides.get(at?.checked_sub(1)?)?;
                        format!("{} {}", fact.name, side.name)
                    }
                    Type::Number { .. } => format!("{} {value}", fact.name),
                })
            });
            each.collect::<Vec<_>>().join(", ")
        };
        let name = self.kind_name(base);
        match rows {
            [] => format!("no {name}"),
            rows => {
                let all: Vec<String> = rows.iter().map(said).collect();
                format!("{name} with {}", all.join(" or "))
            }
        }
    }

    /// Adds to a map the links of every selection.
    pub(super) fn select_links(&self, map: &mut Map) {
        let new: Vec<Links> = self.selections.iter().map(|s| self.links_of(s, map)).collect();
        map.links.extend(new);
    }

    /// The links that are of a selection, or may be in some position.
    fn links_of(&self, selection: &Selection, map: &Map) -> Links {
        let mut steps = Vec::new();
        let printed: Vec<bool> =
            selection.facts.iter().map(|fact| !self.changes_of_link(*fact)).collect();
        let fits = |row: &[i64], said: &[i64]| {
            row.iter().zip(said).zip(&printed).all(|((a, b), printed)| !printed || a == b)
        };
        for links in map.links.iter().filter(|l| self.out.is_kind(l.kind, selection.base)) {
            for a in 0..u32::try_from(map.spaces.len()).unwrap_or(u32::MAX) {
                let leads = |b: &&u32| !selection.directed || map.leads(links.kind, a, **b);
                for b in links.of(a).iter().filter(leads) {
                    let row = |fact: &FactId| self.link_value(map, (links.kind, a, *b), *fact);
                    let row: Vec<i64> = selection.facts.iter().map(row).collect();
                    if selection.rows.iter().any(|fit| fits(fit, &row)) {
                        steps.push((a, *b));
                    }
                }
            }
        }
        Links::from_steps(selection.kind, map.spaces.len(), steps)
    }

    /// A fact of a link as the map says it.
    fn link_value(&self, map: &Map, (kind, a, b): (KindId, u32, u32), fact: FactId) -> i64 {
        let Some(declared) = self.out.facts.get(fact.index()) else { return 0 };
        if !self.out.is_kind(kind, declared.kind) {
            return 0;
        }
        let said = map.said_of(kind, a, b).iter().find(|(known, _)| *known == fact);
        said.map_or(declared.default, |(_, value)| *value)
    }

    /// What a fact is of the links that a condition is being read for, if it is one of theirs.
    pub(super) fn known_of_link(&mut self, fact: FactId, of: Typed, span: Span) -> Option<Node> {
        let declared = self.out.facts.get(fact.index())?;
        if self.out.top(declared.kind) != KindId::LINK {
            return None;
        }
        let (ty, default, name) = (declared.ty, declared.default, declared.name.clone());
        let of_level = match self.out.node(of.id) {
            Node::Subject(level) => Some(*level),
            // One link of the map, by its ends.
            Node::Link(_) => return None,
            _ => None,
        };
        // The link that a step is about is a thing of the position.
        if self.link_facts.is_none() && of_level.is_some() {
            return None;
        }
        let Some(facts) = self.link_facts.as_mut().filter(|f| Some(f.level) == of_level) else {
            let link = self.kind_name(declared_kind(&self.out, fact));
            let message = format!("`{name}` is asked of {} by itself", with_article(&link));
            self.fault(Diagnostic::error(code::E0321, span, message).help(format!(
                "say it behind the links, as in `any {link} here where ...` or `over {link} where ...`"
            )));
            return Some(Node::Nothing);
        };
        let value = match facts.values.iter().find(|(known, _)| *known == fact) {
            Some((_, value)) => *value,
            None => {
                facts.values.push((fact, default));
                default
            }
        };
        Some(match ty {
            Type::Truth => Node::Truth(value != 0),
            Type::Word(set) => Node::Word(set, u16::try_from(value).unwrap_or_default()),
            Type::Number { .. } => Node::Number { over: value, under: 1 },
            Type::Thing { .. } => match u8::try_from(value - 1) {
                Ok(side) => Node::Side(SideId(side)),
                Err(_) => Node::NoThing,
            },
        })
    }

    /// What is left of a condition, in which some parts are known.
    fn left_of(&mut self, id: ExprId, span: Span) -> Result<bool, ExprId> {
        if let Some(known) = self.known_truth(id) {
            return Ok(known);
        }
        let (parts, all) = match self.out.node(id) {
            Node::And(parts) => (parts.clone(), true),
            Node::Or(parts) => (parts.clone(), false),
            _ => return Err(id),
        };
        let left: Vec<ExprId> =
            parts.into_iter().filter_map(|part| self.left_of(part, span).err()).collect();
        Err(match left.as_slice() {
            [one] => *one,
            _ if all => self.node(Node::And(left), span),
            _ => self.node(Node::Or(left), span),
        })
    }

    /// Whether a condition holds, where that rests on constants alone.
    fn known_truth(&self, id: ExprId) -> Option<bool> {
        let all = |parts: &[ExprId], wanted: bool| {
            let known: Vec<Option<bool>> = parts.iter().map(|p| self.known_truth(*p)).collect();
            match known.contains(&Some(!wanted)) {
                true => Some(!wanted),
                false => known.iter().all(|k| *k == Some(wanted)).then_some(wanted),
            }
        };
        match self.out.node(id) {
            Node::Truth(holds) => Some(*holds),
            Node::Not(part) => self.known_truth(*part).map(|holds| !holds),
            Node::And(parts) => all(parts, true),
            Node::Or(parts) => all(parts, false),
            Node::Same(a, b) => match (self.out.node(*a), self.out.node(*b)) {
                (Node::Word(_, a), Node::Word(_, b)) => Some(a == b),
                (Node::Truth(a), Node::Truth(b)) => Some(a == b),
                (Node::Side(a), Node::Side(b)) => Some(a == b),
                (Node::NoThing, Node::NoThing) => Some(true),
                (Node::NoThing, Node::Side(_)) | (Node::Side(_), Node::NoThing) => Some(false),
                _ => None,
            },
            Node::Compare(a, how, b) => {
                let order = self.known_amount(*a)?.cmp(&self.known_amount(*b)?);
                Some(how.holds(order))
            }
            _ => None,
        }
    }

    /// A whole amount that is written or known.
    fn known_amount(&self, id: ExprId) -> Option<i64> {
        match self.out.node(id) {
            Node::Number { over, under: 1 } => Some(*over),
            Node::Rank(word) => match self.out.node(*word) {
                Node::Word(_, at) => Some(i64::from(*at)),
                _ => None,
            },
            _ => None,
        }
    }

    /// A link names no unit and no space.
    pub(super) fn fits_link(&mut self, kind: KindId, name: &ast::Name, ty: Type) -> bool {
        let thing = matches!(ty, Type::Thing { kind, .. } if self.out.top(kind) != KindId::SIDE);
        if self.out.top(kind) != KindId::LINK || !thing {
            return true;
        }
        self.symbols.lost.push(name.text.clone());
        let link = self.a_kind(kind);
        let message = format!("{link} names no unit and no space");
        self.fault(
            Diagnostic::error(code::E0207, name.span, message)
                .help("a link has truths, words, amounts and sides"),
        );
        false
    }
}

fn declared_kind(rules: &Ruleset, fact: FactId) -> KindId {
    rules.facts.get(fact.index()).map_or(KindId::LINK, |f| f.kind)
}
