//! The first walk: every name, every clause, every stored fact; bodies are left for when they are needed.

use super::name::with_article;
use super::scope::Member;
use super::{Checker, Pending, Progress, Resolved};
use crate::diag::{Diagnostic, code};
use crate::ir::*;
use crate::source::Span;
use crate::syntax::ast::{self, AttributeType, ItemKind};

/// Sides fit into a byte with room for none.
const MOST_SIDES: usize = 64;

impl<'a> Checker<'a> {
    pub(super) fn declare(&mut self, resolved: &'a Resolved) {
        self.symbols.lost.clone_from(&resolved.lost);
        self.symbols.removed.clone_from(&resolved.removed);
        self.head(resolved);
        self.built_in_kinds();
        self.clauses_of(resolved);
        let each = |want: fn(&ItemKind) -> bool| resolved.items.iter().filter(move |i| want(&i.item.kind));
        for item in each(|k| matches!(k, ItemKind::Sides(_) | ItemKind::Dimension(_) | ItemKind::Clock(_))) {
            match &item.item.kind {
                ItemKind::Sides(sides) => self.sides(sides),
                ItemKind::Dimension(names) => self.dimensions(names),
                ItemKind::Clock(clock) => self.clock(clock),
                _ => {}
            }
        }
        self.kinds(resolved);
        self.kind_of_hexes(resolved);
        self.built_in_facts();
        for item in &resolved.items {
            match &item.item.kind {
                ItemKind::Kind(kind) => self.attributes(kind),
                ItemKind::Named(named) => self.named(named),
                ItemKind::Mark(mark) => self.mark(mark),
                ItemKind::Given(given) => self.given(given),
                ItemKind::Ruling(ruling) => self.ruling(ruling),
                ItemKind::Choice(option) => self.option(option),
                _ => {}
            }
        }
        for item in &resolved.items {
            let broken = item.item.broken;
            match &item.item.kind {
                ItemKind::Define(define) => self.define_head(define, broken),
                ItemKind::Table(table) => self.table_head(table, broken),
                ItemKind::Trace(trace) => self.trace_head(trace, broken),
                ItemKind::Test(test) => self.test_head(test),
                ItemKind::Phase(phase) => self.phase_head(phase),
                ItemKind::Later(later) => {
                    let name = later.name.as_ref().map_or_else(String::new, |n| format!(" `{}`", n.text));
                    self.later(item.item.span, &format!("`{}`{name}", later.noun));
                    if let Some(name) = &later.name {
                        self.symbols.lost.push(name.text.clone());
                    }
                }
                _ => {}
            }
        }
    }

    fn head(&mut self, resolved: &Resolved) {
        match &resolved.head {
            Some(head) => {
                self.out.name.clone_from(&head.name.text);
                self.out.title.clone_from(&head.title.text);
                self.out.prefix.clone_from(&head.prefix.text);
            }
            None if self.is_lost("ruleset") => {}
            None => {
                let span = resolved.items.first().map_or_else(Span::default, |i| i.item.span.point());
                self.fault(
                    Diagnostic::error(code::E0208, span, "no file of this ruleset has its head")
                        .help("write `ruleset my_game \"My game\" prefix MG` behind the edition of `rules.sut`"),
                );
            }
        }
    }

    fn built_in_kinds(&mut self) {
        for (at, (name, plural)) in
            [("unit", "units"), ("space", "spaces"), ("link", "links"), ("world", "worlds"), ("side", "sides")].into_iter().enumerate()
        {
            let id = KindId::at(at);
            self.out.kinds.push(Kind { name: name.to_owned(), plural: plural.to_owned(), parent: None, top: id });
            self.symbols.kinds.insert(name.to_owned(), id);
            self.symbols.kinds.insert(plural.to_owned(), id);
        }
        let (name, plural) = ("hexside".to_owned(), "hexsides".to_owned());
        self.symbols.kinds.insert(name.clone(), KindId::HEXSIDE);
        self.symbols.kinds.insert(plural.clone(), KindId::HEXSIDE);
        self.out.kinds.push(Kind { name, plural, parent: Some(KindId::LINK), top: KindId::LINK });
    }

    fn clauses_of(&mut self, resolved: &Resolved) {
        let mut section: Option<(crate::source::SourceId, &ast::Section)> = None;
        for item in &resolved.items {
            match &item.item.kind {
                ItemKind::Section(s) => section = Some((item.item.span.source, s)),
                ItemKind::Clause(clause) => {
                    let source = clause.label.span.source;
                    let number =
                        section.filter(|(file, _)| *file == source).and_then(|(_, s)| s.number.as_ref()).map_or("", |n| n.text.as_str());
                    let prefix = self.prefixes.get(source.0 as usize).map_or("", String::as_str);
                    let id = format!("{prefix}-{number}{}", clause.label.text);
                    let label = ast::Name { text: id.clone(), span: clause.label.span };
                    if self.declare_name("clause", &label) {
                        self.symbols.clauses.insert(id.clone(), ClauseId::at(self.out.clauses.len()));
                        self.out.clauses.push(Clause {
                            id,
                            text: clause.text.text.clone(),
                            span: clause.label.span,
                            inherited: item.inherited,
                        });
                    }
                }
                _ => {}
            }
        }
    }

    fn sides(&mut self, sides: &ast::Sides) {
        let before = self.out.sides.len();
        for name in sides.names.iter().chain(&sides.against) {
            if self.out.sides.len() >= MOST_SIDES {
                self.fault(Diagnostic::error(code::E0215, name.span, format!("a ruleset has at most {MOST_SIDES} sides")));
                break;
            }
            if self.declare_name("name", name) {
                let id = SideId::at(self.out.sides.len());
                self.symbols.sides.insert(name.text.clone(), id);
                self.out.sides.push(Side { name: name.text.clone() });
            }
        }
        self.relations(sides, before);
    }

    /// How the sides stand that were just named; those named before stand as they stood.
    fn relations(&mut self, sides: &ast::Sides, before: usize) {
        let camp = |side: &Side| match side {
            s if sides.names.iter().any(|n| n.text == s.name) => Some(true),
            s if sides.against.iter().any(|n| n.text == s.name) => Some(false),
            _ => None,
        };
        let count = self.out.sides.len();
        let old = std::mem::take(&mut self.out.relations);
        let stands = |(a, one): (usize, &Side), (b, other): (usize, &Side)| match (camp(one), camp(other)) {
            _ if a == b => Relation::Own,
            _ if a < before && b < before => old.get(a * before + b).copied().unwrap_or(Relation::Neutral),
            _ if sides.against.is_empty() => Relation::Neutral,
            (Some(x), Some(y)) if x == y => Relation::Allied,
            (Some(_), Some(_)) => Relation::Enemy,
            _ => Relation::Neutral,
        };
        let all = &self.out.sides;
        let mut relations = Vec::with_capacity(count * count);
        for one in all.iter().enumerate() {
            relations.extend(all.iter().enumerate().map(|other| stands(one, other)));
        }
        self.out.relations = relations;
    }

    fn dimensions(&mut self, names: &[ast::DimensionName]) {
        for name in names {
            if !self.declare_name("dimension", &name.name) {
                continue;
            }
            let id = DimensionId::at(self.out.dimensions.len());
            let singular = name.singular.as_ref().unwrap_or(&name.name).text.clone();
            self.symbols.dimensions.insert(name.name.text.clone(), id);
            self.symbols.dimensions.insert(singular.clone(), id);
            self.out.dimensions.push(Dimension { name: name.name.text.clone(), singular });
        }
    }

    fn clock(&mut self, clock: &ast::Clock) {
        let key = ("the clock", String::new());
        if let Some(first) = self.symbols.places.get(&key).copied() {
            self.fault(
                Diagnostic::error(code::E0202, clock.name.span, "a ruleset has one clock")
                    .label(first, "the first is here")
                    .help("name all parts of the turn in one `clock` line"),
            );
            return;
        }
        self.symbols.places.insert(key, clock.name.span);
        let mut parts = Vec::new();
        for part in &clock.parts {
            if self.declare_name("clock", &part.name) {
                parts.push(ClockPart { name: part.name.text.clone(), each_side: part.each_side });
            }
        }
        self.out.clock = Some(Clock { name: clock.name.text.clone(), parts });
    }

    /// A point of the clock, its part looked up.
    pub(super) fn moment(&mut self, edge: Edge, part: &ast::Name, of: Option<&ast::Name>) -> Option<Moment> {
        let whose = match of {
            None => Whose::All,
            Some(name) if name.text == "owner" => Whose::Owner,
            Some(name) => Whose::Side(self.side(name)?),
        };
        let Some(clock) = self.out.clock.clone() else {
            self.fault(
                Diagnostic::error(code::E0213, part.span, "there is no clock to name a moment of")
                    .help("declare one, as in `clock turn has movement of each side, end_of_turn`"),
            );
            return None;
        };
        if clock.name == part.text {
            return Some(Moment { edge, part: None, whose });
        }
        if let Some(at) = clock.parts.iter().position(|p| p.name == part.text) {
            if !clock.parts.get(at).is_some_and(|p| p.each_side)
                && let Some(of) = of
            {
                self.fault(
                    Diagnostic::error(code::E0213, of.span, format!("`{}` is one part for all sides", part.text))
                        .help(format!("leave `of {}` out, or declare `{} of each side`", of.text, part.text)),
                );
                return None;
            }
            return Some(Moment { edge, part: u8::try_from(at).ok(), whose });
        }
        let names: Vec<&str> = clock.parts.iter().map(|p| p.name.as_str()).chain([clock.name.as_str()]).collect();
        self.unknown(code::E0213, part, "part of the clock", names);
        None
    }

    pub(super) fn moment_point(&mut self, point: &ast::MomentPoint) -> Option<Moment> {
        self.moment(if point.start { Edge::Start } else { Edge::End }, &point.part, point.of.as_ref())
    }

    /// Kinds may be written in any order; a parent is found when all names are known.
    fn kinds(&mut self, resolved: &Resolved) {
        let all: Vec<&ast::Kind> = resolved
            .items
            .iter()
            .filter_map(|i| match &i.item.kind {
                ItemKind::Kind(k) => Some(k),
                _ => None,
            })
            .collect();
        for kind in &all {
            if !self.declare_name("name", &kind.name) {
                continue;
            }
            let id = KindId::at(self.out.kinds.len());
            let plural = kind.plural.as_ref().map_or_else(|| kind.name.text.clone(), |p| p.text.clone());
            self.symbols.kinds.insert(kind.name.text.clone(), id);
            self.symbols.kinds.entry(plural.clone()).or_insert(id);
            self.out.kinds.push(Kind { name: kind.name.text.clone(), plural, parent: None, top: id });
        }
        for kind in &all {
            let Some(id) = self.symbols.kinds.get(&kind.name.text).copied() else { continue };
            let parent = self.kind(&kind.parent).unwrap_or(KindId::UNIT);
            if self.out.is_kind(parent, id) {
                self.fault(
                    Diagnostic::error(code::E0214, kind.parent.span, format!("`{}` would be a kind of itself", kind.name.text))
                        .help("a kind lies below `unit`, `space`, `link` or `world` in the end"),
                );
                continue;
            }
            if let Some(k) = self.out.kinds.get_mut(id.index()) {
                k.parent = Some(parent);
            }
        }
        for at in 0..self.out.kinds.len() {
            let mut top = KindId::at(at);
            while let Some(parent) = self.out.kinds.get(top.index()).and_then(|k| k.parent) {
                top = parent;
            }
            if let Some(kind) = self.out.kinds.get_mut(at) {
                kind.top = top;
            }
        }
    }

    fn built_in_facts(&mut self) {
        let side = Type::Thing { kind: KindId::SIDE, maybe: true };
        let space = Type::Thing { kind: KindId::SPACE, maybe: true };
        for (name, kind, ty) in [("owner", KindId::UNIT, side), ("space", KindId::UNIT, space), ("control", KindId::SPACE, side)] {
            self.add_fact(name, name, kind, ty, 0, FactOrigin::BuiltIn);
        }
    }

    pub(super) fn add_fact(&mut self, name: &str, title: &str, kind: KindId, ty: Type, default: i64, origin: FactOrigin) -> FactId {
        let top = self.out.kinds.get(kind.index()).map_or(kind, |k| k.top);
        let slot = self.out.facts.iter().filter(|f| self.out.kinds.get(f.kind.index()).is_some_and(|k| k.top == top)).count();
        let id = FactId::at(self.out.facts.len());
        let slot = u16::try_from(slot).unwrap_or(u16::MAX);
        self.out.facts.push(Fact { name: name.to_owned(), title: title.to_owned(), kind, ty, default, origin, slot });
        self.add_member(name, kind, Member::Fact(id));
        id
    }

    pub(super) fn add_member(&mut self, name: &str, kind: KindId, member: Member) {
        self.symbols.members.entry(name.to_owned()).or_default().push((kind, member));
    }

    /// A name said of a kind; a second one in sight of the same things is a fault.
    pub(super) fn declare_member(&mut self, name: &ast::Name, kind: KindId) -> bool {
        let key = ("name", format!("{} of {}", name.text, kind.0));
        let clash = self
            .symbols
            .members
            .get(&name.text)
            .is_some_and(|all| all.iter().any(|(k, _)| self.out.is_kind(*k, kind) || self.out.is_kind(kind, *k)));
        if clash {
            let first = self.symbols.places.get(&key).copied();
            let what = self.kind_name(kind);
            let mut fault =
                Diagnostic::error(code::E0202, name.span, format!("`{}` of {} is declared twice", name.text, with_article(&what)))
                    .help("take another name for one of them; a variant changes a name with `override`");
            if let Some(first) = first {
                fault = fault.label(first, "first declared here");
            }
            self.fault(fault);
            return false;
        }
        self.symbols.places.insert(key, name.span);
        true
    }

    fn attributes(&mut self, kind: &ast::Kind) {
        let Some(id) = self.symbols.kinds.get(&kind.name.text).copied() else { return };
        for attribute in &kind.attributes {
            if self.declare_member(&attribute.name, id)
                && let Some((ty, default)) = self.attribute_type(&attribute.name, &attribute.ty)
            {
                self.add_fact(&attribute.name.text, &attribute.name.text, id, ty, default, FactOrigin::Attribute);
            }
        }
    }

    fn attribute_type(&mut self, name: &ast::Name, ty: &AttributeType) -> Option<(Type, i64)> {
        match ty {
            AttributeType::Truth => Some((Type::Truth, 0)),
            AttributeType::Word(words) => Some((Type::Word(self.word_set(&name.text, words)), 0)),
            AttributeType::Thing { kind, maybe } => Some((Type::Thing { kind: self.kind(kind)?, maybe: *maybe }, 0)),
            AttributeType::Track(track) => {
                self.later(track.span, "an attribute on a track");
                self.symbols.lost.push(name.text.clone());
                None
            }
            AttributeType::Number { dimension, low, high } => {
                let dimension = self.dimension(dimension);
                let (low_value, high_value) = (self.whole(low)?, self.whole(high)?);
                if low_value > high_value {
                    self.fault(
                        Diagnostic::error(code::E0210, low.span.to(high.span), format!("nothing lies from {} to {}", low.text, high.text))
                            .help(format!("write `from {} to {}`", high.text, low.text)),
                    );
                    return None;
                }
                let default = 0i64.clamp(low_value, high_value);
                Some((Type::Number { dimension, low: low_value, high: high_value, fraction: false }, default))
            }
        }
    }

    /// The set of words of an attribute or ruling.
    pub(super) fn word_set(&mut self, name: &str, words: &[ast::Name]) -> WordSetId {
        let mut texts: Vec<String> = Vec::new();
        for word in words {
            if texts.contains(&word.text) {
                self.fault(
                    Diagnostic::error(code::E0202, word.span, format!("`{}` stands twice in the list", word.text))
                        .help("take one of the two out"),
                );
            } else {
                texts.push(word.text.clone());
            }
        }
        let id = WordSetId::at(self.out.word_sets.len());
        self.out.word_sets.push(WordSet { name: name.to_owned(), words: texts });
        id
    }

    pub(super) fn dimension(&mut self, name: &ast::Name) -> Option<DimensionId> {
        let found = self.symbols.dimensions.get(&name.text).copied();
        if found.is_none() {
            let known: Vec<String> = self.symbols.dimensions.keys().cloned().collect();
            self.unknown(code::E0205, name, "dimension", known.iter().map(String::as_str));
        }
        found
    }

    /// A whole number as written; amounts of rules stay far from the ends of the machine's numbers.
    pub(super) fn whole(&mut self, bound: &ast::Bound) -> Option<i64> {
        match bound.text.parse::<i64>() {
            Ok(value) if value.abs() <= MOST => Some(value),
            _ => {
                self.fault(
                    Diagnostic::error(code::E0210, bound.span, format!("`{}` is out of range", bound.text))
                        .help(format!("a whole number here lies between -{MOST} and {MOST}")),
                );
                None
            }
        }
    }

    fn named(&mut self, named: &ast::Named) {
        let Some(kind) = self.kind(&named.kind) else { return };
        if !self.out.is_kind(kind, KindId::UNIT) {
            self.fault(
                Diagnostic::error(code::E0207, named.kind.span, format!("`{}` is no kind of unit", named.kind.text))
                    .help("only units are named by a ruleset; spaces are named by maps"),
            );
            return;
        }
        for name in &named.names {
            if self.declare_name("name", name) {
                let at = u32::try_from(self.out.named.len()).unwrap_or(u32::MAX);
                self.symbols.named.insert(name.text.clone(), at);
                self.out.named.push(NamedUnit { name: name.text.clone(), kind });
            }
        }
    }

    fn mark(&mut self, mark: &ast::Mark) {
        let Some(kind) = self.kind(&mark.of) else { return };
        let until = mark.until.as_ref().and_then(|u| self.moment_point(u));
        if self.declare_member(&mark.name, kind) {
            let title = mark.title.as_ref().map_or(&mark.name.text, |t| &t.text);
            self.add_fact(&mark.name.text, title, kind, Type::Truth, 0, FactOrigin::Mark(until));
            if !mark.cites.0.is_empty() {
                self.line(format!("mark {}", mark.name.text), mark.name.span, &mark.cites);
            }
        }
    }

    fn given(&mut self, given: &ast::GivenDecl) {
        let Some(kind) = self.kind(&given.of) else { return };
        let ty = match &given.ty {
            None => Some((Type::Truth, 0)),
            Some(ty) => self.attribute_type(&given.name, ty),
        };
        if let Some((ty, default)) = ty
            && self.declare_member(&given.name, kind)
        {
            let title = given.title.as_ref().map_or(&given.name.text, |t| &t.text);
            self.add_fact(&given.name.text, title, kind, ty, default, FactOrigin::Given);
            if !given.cites.0.is_empty() {
                self.line(format!("given {}", given.name.text), given.name.span, &given.cites);
            }
        }
    }

    fn ruling(&mut self, ruling: &ast::Ruling) {
        if !self.declare_name("name", &ruling.name) {
            return;
        }
        let set = self.word_set(&ruling.name.text, &ruling.readings);
        let default = ruling.readings.iter().position(|r| r.text == ruling.default.text);
        if default.is_none() {
            let names: Vec<&str> = ruling.readings.iter().map(|r| r.text.as_str()).collect();
            self.unknown(code::E0211, &ruling.default, "reading", names);
        }
        let asks = ruling.asks.as_ref().map_or_else(String::new, |t| t.text.clone());
        self.add_ruling(&ruling.name, asks, set, default.unwrap_or(0), false, &ruling.cites);
    }

    fn option(&mut self, option: &ast::OptionRule) {
        if !self.declare_name("name", &option.name) {
            return;
        }
        let set = WordSetId::at(self.out.word_sets.len());
        self.out.word_sets.push(WordSet { name: option.name.text.clone(), words: vec!["off".to_owned(), "on".to_owned()] });
        self.add_ruling(&option.name, option.title.text.clone(), set, usize::from(option.on), true, &option.cites);
    }

    fn add_ruling(&mut self, name: &ast::Name, asks: String, readings: WordSetId, default: usize, option: bool, cites: &ast::Cites) {
        let noun = if option { "option" } else { "ruling" };
        let line = self.line(format!("{noun} {}", name.text), name.span, cites);
        let clauses = self.out.lines.get(line.index()).map(|l| l.clauses.clone()).unwrap_or_default();
        self.symbols.rulings.insert(name.text.clone(), RulingId::at(self.out.rulings.len()));
        let default = u16::try_from(default).unwrap_or(0);
        self.out.rulings.push(Ruling { name: name.text.clone(), asks, readings, default, option, clauses });
    }

    fn define_head(&mut self, define: &'a ast::Define, broken: bool) {
        let of = match &define.of {
            Some(name) => match self.kind(name) {
                Some(kind) => Some(kind),
                None => return self.symbols.lost.push(define.name.text.clone()),
            },
            None => None,
        };
        if !self.declare_member(&define.name, of.unwrap_or(KindId::WORLD)) {
            return;
        }
        let id = DefineId::at(self.out.defines.len());
        self.add_member(&define.name.text, of.unwrap_or(KindId::WORLD), Member::Define(id));
        self.symbols.defines.insert(define.name.text.clone(), id);
        let line = self.line(format!("define {}", define.name.text), define.name.span, &define.cites);
        let title = define.title.as_ref().map_or(&define.name.text, |t| &t.text).clone();
        let value = self.node(Node::Nothing, define.name.span);
        self.out.defines.push(Define { name: define.name.text.clone(), title, of, value, ty: Type::Truth, viewed: false, line });
        self.defines.push(Pending { item: define, broken, state: Progress::Waiting });
    }

    fn table_head(&mut self, table: &'a ast::Table, broken: bool) {
        let of = match &table.of {
            Some(name) => match self.kind(name) {
                Some(kind) => Some(kind),
                None => return self.symbols.lost.push(table.name.text.clone()),
            },
            None => None,
        };
        if !self.declare_member(&table.name, of.unwrap_or(KindId::WORLD)) {
            return;
        }
        let id = TableId::at(self.out.tables.len());
        self.add_member(&table.name.text, of.unwrap_or(KindId::WORLD), Member::Table(id));
        self.symbols.tables.insert(table.name.text.clone(), id);
        let line = self.line(format!("table {}", table.name.text), table.name.span, &table.cites);
        let title = table.title.as_ref().map_or(&table.name.text, |t| &t.text).clone();
        let policy = match table.policy {
            ast::Policy::First => Policy::First,
            ast::Policy::Only => Policy::Only,
            ast::Policy::Sum => Policy::Sum,
            ast::Policy::All => {
                self.later(table.policy_span, "a table by `all matches`");
                Policy::Sum
            }
        };
        self.out.tables.push(Table {
            name: table.name.text.clone(),
            title,
            of,
            results: Vec::new(),
            policy,
            rows: Vec::new(),
            kept: None,
            viewed: false,
            line,
        });
        self.tables.push(Pending { item: table, broken, state: Progress::Waiting });
    }

    fn trace_head(&mut self, trace: &'a ast::Trace, broken: bool) {
        let Some(of) = self.kind(&trace.of) else { return self.symbols.lost.push(trace.name.text.clone()) };
        if !self.out.is_kind(of, KindId::UNIT) && !self.out.is_kind(of, KindId::SPACE) {
            self.fault(
                Diagnostic::error(code::E0207, trace.of.span, format!("a line cannot begin at {}", with_article(&trace.of.text)))
                    .help("a trace is of a kind of unit or of space"),
            );
            return self.symbols.lost.push(trace.name.text.clone());
        }
        if !self.declare_member(&trace.name, of) {
            return;
        }
        let id = TraceId::at(self.out.traces.len());
        self.add_member(&trace.name.text, of, Member::Line(id));
        self.symbols.traces.insert(trace.name.text.clone(), id);
        let called = trace.lines.iter().find_map(|l| match &l.kind {
            ast::TraceLineKind::Called { yes, no } => Some((yes, no)),
            _ => None,
        });
        let answers = match called {
            Some((yes, no)) => {
                for (name, is_yes) in [(yes, true), (no, false)] {
                    if self.declare_member(name, of) {
                        self.add_member(&name.text, of, Member::Adjective(id, is_yes));
                    }
                }
                self.word_set(&trace.name.text, &[yes.clone(), no.clone()])
            }
            None => self.word_set(&trace.name.text, &[]),
        };
        self.trace_shell(trace, of, answers);
        self.traces.push(Pending { item: trace, broken, state: Progress::Waiting });
    }
}

/// The largest amount a ruleset may write.
pub(super) const MOST: i64 = 1_000_000_000;
