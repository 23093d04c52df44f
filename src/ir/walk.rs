//! What an expression is made of and what it names: one exhaustive visitor for every analysis of
//! rules.
//!
//! Takes expressions; gives their parts. A new sort of node must be placed here, or nothing
//! compiles.

use super::*;

/// One part of an expression: another expression in it, or something with a body of its own that it
/// asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// an expression in it, those of its noun phrase included
    Expr(ExprId),
    /// a named value
    Define(DefineId),
    /// a table
    Table(TableId),
    /// a named value of two things
    Pair(PairId),
    /// a gap that a script fills
    Hook(HookId),
    /// a line on the map
    Trace(TraceId),
    /// a random value
    Test(TestId),
    /// what is left to a player
    Choice(ChoiceId),
}

impl Ruleset {
    /// Shows each part of a node.
    pub fn for_each_part(&self, node: &Node, see: &mut dyn FnMut(Part)) {
        let mut all = |ids: &[ExprId]| ids.iter().for_each(|id| see(Part::Expr(*id)));
        match node {
            Node::Nothing
            | Node::Truth(_)
            | Node::Number { .. }
            | Node::Word(..)
            | Node::NoThing => {}
            Node::Unit(_)
            | Node::Space(_)
            | Node::Link(_)
            | Node::World
            | Node::SpaceCalled(_)
            | Node::Side(_)
            | Node::Viewer
            | Node::Subject(_) => {}
            Node::WorldFact(_)
            | Node::Ruling(_)
            | Node::Total
            | Node::Natural
            | Node::OverStep(_)
            | Node::StepEnd(_) => {}
            Node::Fact(_, a)
            | Node::IsKind(a, _)
            | Node::Stands(a, _)
            | Node::LinkEnd(a, _)
            | Node::Removed(a) => all(&[*a]),
            Node::Not(a) | Node::Rounded(_, a) | Node::Rank(a) => all(&[*a]),
            Node::Sides { left: a, right: b, .. } | Node::Same(a, b) | Node::Compare(a, _, b) => {
                all(&[*a, *b])
            }
            Node::Arithmetic(a, _, b) | Node::Extreme { left: a, right: b, .. } => all(&[*a, *b]),
            Node::And(parts) | Node::Or(parts) => all(parts),
            Node::Any(things) | Node::Only(things) | Node::Count(things) => {
                self.for_each_part_of_things(*things, see)
            }
            Node::Aggregate(_, value, things) => {
                all(&[*value]);
                self.for_each_part_of_things(*things, see);
            }
            Node::Define(define, of) => {
                all(of.as_slice());
                see(Part::Define(*define));
            }
            Node::Table(table, _, of) => {
                all(of.as_slice());
                see(Part::Table(*table));
            }
            Node::Hook(hook, of) => {
                all(of.as_slice());
                see(Part::Hook(*hook));
            }
            Node::Pair(pair, a, b) => {
                all(&[*a, *b]);
                match pair {
                    PairRef::Own(id) => see(Part::Pair(*id)),
                    PairRef::Measured(_) => {}
                }
            }
            Node::Verdict(trace, of, _) | Node::Evidence(trace, _, of, _) => {
                all(&[*of]);
                see(Part::Trace(*trace));
            }
            Node::WouldBe { trace, subject, space, .. } => {
                all(&[*subject, *space]);
                see(Part::Trace(*trace));
            }
            Node::Listed(table, of, _) | Node::Stopped(table, of) => {
                all(&[*of]);
                see(Part::Table(*table));
            }
            Node::Outcome(test, of) | Node::Chance(test, _, of) => {
                all(&[*of]);
                see(Part::Test(*test));
            }
            Node::Chosen(choice, of) => {
                all(&[*of]);
                see(Part::Choice(*choice));
            }
        }
    }

    /// Shows the expressions of a noun phrase.
    pub fn for_each_part_of_things(&self, id: ThingsId, see: &mut dyn FnMut(Part)) {
        let Some(things) = self.things.get(id.index()) else { return };
        things.place.space().into_iter().chain(things.condition).for_each(|id| see(Part::Expr(id)));
    }

    /// The expressions that a part is made of: itself, or the body of what it names.
    #[must_use]
    pub fn expressions_of(&self, part: Part) -> Vec<ExprId> {
        match part {
            Part::Expr(id) => vec![id],
            Part::Define(id) => self.defines.get(id.index()).map(|d| d.value).into_iter().collect(),
            Part::Pair(id) => self.pairs.get(id.index()).map(|p| p.value).into_iter().collect(),
            Part::Table(id) => self.tables.get(id.index()).map_or_else(Vec::new, Table::parts),
            Part::Hook(id) => self.hooks.get(id.index()).map_or_else(Vec::new, Hook::parts),
            Part::Trace(id) => self.traces.get(id.index()).map_or_else(Vec::new, Trace::parts),
            Part::Test(id) => self.tests.get(id.index()).map_or_else(Vec::new, Test::parts),
            Part::Choice(id) => self.choices.get(id.index()).map_or_else(Vec::new, |choice| {
                let mut found: Vec<ExprId> = choice.prefers.iter().map(|p| p.value).collect();
                self.for_each_part_of_things(choice.from, &mut |part| {
                    found.extend(part.expression())
                });
                found
            }),
        }
    }

    /// What a part is called; an expression has no name.
    #[must_use]
    pub fn name_of(&self, part: Part) -> Option<&str> {
        Some(match part {
            Part::Expr(_) => return None,
            Part::Define(id) => self.defines.get(id.index())?.name.as_str(),
            Part::Table(id) => self.tables.get(id.index())?.name.as_str(),
            Part::Pair(id) => self.pairs.get(id.index())?.name.as_str(),
            Part::Hook(id) => self.hooks.get(id.index())?.name.as_str(),
            Part::Trace(id) => self.traces.get(id.index())?.name.as_str(),
            Part::Test(id) => self.tests.get(id.index())?.name.as_str(),
            Part::Choice(id) => self.choices.get(id.index())?.name.as_str(),
        })
    }

    /// Whether an expression names the subject of a level.
    #[must_use]
    pub fn reads_level(&self, id: ExprId, level: u8) -> bool {
        let node = self.node(id);
        let mut reads = matches!(node, Node::Subject(of) if *of == level);
        self.for_each_part(node, &mut |part| {
            reads = reads || part.expression().is_some_and(|id| self.reads_level(id, level));
        });
        reads
    }

    /// Shows every expression that these are made of, each once, with the one of these from which
    /// it was found first. What they name is entered where `enters` says so.
    pub fn walk(
        &self,
        starts: impl IntoIterator<Item = ExprId>,
        enters: impl Fn(Part) -> bool,
        mut see: impl FnMut(ExprId, ExprId),
    ) {
        let mut seen = vec![false; self.nodes.len()];
        let mut open: Vec<ExprId> = Vec::new();
        for start in starts {
            open.push(start);
            while let Some(id) = open.pop() {
                let Some(cell) = seen.get_mut(id.index()).filter(|seen| !**seen) else { continue };
                *cell = true;
                see(start, id);
                self.for_each_part(self.node(id), &mut |part| {
                    if matches!(part, Part::Expr(_)) || enters(part) {
                        open.extend(self.expressions_of(part));
                    }
                });
            }
        }
    }
}

impl Node {
    /// Whether it is a thing by its name: a unit, a space, a link or a side.
    #[must_use]
    pub fn is_object(&self) -> bool {
        matches!(self, Node::Unit(_) | Node::Space(_) | Node::Link(_) | Node::Side(_))
    }

    /// The things that it looks through, if it is about any.
    #[must_use]
    pub fn things(&self) -> Option<ThingsId> {
        match self {
            Node::Any(things)
            | Node::Only(things)
            | Node::Count(things)
            | Node::Aggregate(_, _, things) => Some(*things),
            _ => None,
        }
    }
}

impl Part {
    fn expression(self) -> Option<ExprId> {
        match self {
            Part::Expr(id) => Some(id),
            _ => None,
        }
    }
}

impl Place {
    /// The space that it is measured from.
    #[must_use]
    pub fn space(&self) -> Option<ExprId> {
        match self {
            Place::Anywhere => None,
            Place::In(of)
            | Place::Adjacent(of, _)
            | Place::AdjacentNotOver(of, _)
            | Place::Within(_, of, _) => Some(*of),
        }
    }
}

impl Trace {
    /// Its conditions on spaces: sources, relays, and the gates of its legs.
    #[must_use]
    pub fn gates(&self) -> Vec<ExprId> {
        let of_legs = self.legs.iter().flat_map(|l| [l.from.when, l.through.when, l.into.when]);
        let ends = self.sources.iter().chain(&self.relays).map(|s| s.when);
        ends.chain(of_legs.flatten()).collect()
    }

    /// All expressions that it is made of.
    #[must_use]
    pub fn parts(&self) -> Vec<ExprId> {
        let costs = self.legs.iter().filter_map(|leg| leg.cost);
        self.conditions().into_iter().chain(costs).collect()
    }

    /// All expressions that it is made of but the costs of its steps.
    #[must_use]
    pub fn conditions(&self) -> Vec<ExprId> {
        let mut found: Vec<ExprId> = self.verdicts.iter().map(|v| v.when).collect();
        found.extend(self.sources.iter().chain(&self.relays).map(|s| s.when));
        for leg in &self.legs {
            found.extend(
                [leg.from.when, leg.through.when, leg.into.when, leg.within.amount]
                    .into_iter()
                    .flatten(),
            );
        }
        found
    }
}

impl Test {
    /// All expressions that it is made of.
    #[must_use]
    pub fn parts(&self) -> Vec<ExprId> {
        let retry = self
            .retry
            .iter()
            .flat_map(|r| [Some(r.when), r.at_most, r.spending.map(|(_, of)| of)])
            .flatten();
        self.plus.into_iter().chain(self.rows.iter().filter_map(|row| row.0)).chain(retry).collect()
    }
}

impl Hook {
    /// All expressions that it is made of.
    #[must_use]
    pub fn parts(&self) -> Vec<ExprId> {
        let ends = [self.kept.0, self.kept.1, self.otherwise];
        self.reads.iter().map(|read| read.value).chain(ends).collect()
    }
}

impl State {
    /// All expressions that it is made of.
    #[must_use]
    pub fn parts(&self) -> Vec<ExprId> {
        match self {
            State::Fact(_, of, value) => of.iter().copied().chain([*value]).collect(),
            State::Pair(_, a, b, value) => vec![*a, *b, *value],
            State::Verdict(_, of, _) | State::Place(of, _) => vec![*of],
            State::Relation(..) | State::Viewer(_) | State::Ruling(..) => Vec::new(),
        }
    }
}

impl State {
    /// The fact that it states, if that is what it does.
    #[must_use]
    pub fn fact(&self) -> Option<FactId> {
        match self {
            State::Fact(fact, ..) => Some(*fact),
            State::Pair(..)
            | State::Verdict(..)
            | State::Place(..)
            | State::Relation(..)
            | State::Viewer(_)
            | State::Ruling(..) => None,
        }
    }
}

impl CaseStep {
    /// What it states, if that is what it does.
    #[must_use]
    pub fn state(&self) -> Option<&State> {
        if let CaseStepKind::State(state) = &self.kind { Some(state) } else { None }
    }
}

impl CaseStepKind {
    /// Whether something must come out there.
    #[must_use]
    pub fn expects(&self) -> bool {
        match self {
            CaseStepKind::Expect(_)
            | CaseStepKind::ExpectValue { .. }
            | CaseStepKind::ExpectPlace { .. }
            | CaseStepKind::ExpectChoice { .. } => true,
            CaseStepKind::Put(_)
            | CaseStepKind::State(_)
            | CaseStepKind::Dice(_)
            | CaseStepKind::Order { .. }
            | CaseStepKind::Run(..)
            | CaseStepKind::Turn
            | CaseStepKind::Part(..)
            | CaseStepKind::Pass(_) => false,
        }
    }

    /// All expressions that it is made of.
    #[must_use]
    pub fn parts(&self) -> Vec<ExprId> {
        match self {
            CaseStepKind::Put(_)
            | CaseStepKind::Dice(_)
            | CaseStepKind::Run(..)
            | CaseStepKind::Turn
            | CaseStepKind::Part(..)
            | CaseStepKind::Pass(_) => Vec::new(),
            CaseStepKind::State(state) => state.parts(),
            CaseStepKind::Expect(holds) => vec![*holds],
            CaseStepKind::ExpectValue { value, holds } => vec![*value, *holds],
            CaseStepKind::ExpectPlace { unit, .. } => vec![*unit],
            CaseStepKind::Order { subject, deed } => match deed {
                OrderedDeed::Follow(_, of) | OrderedDeed::Move(of) | OrderedDeed::Choose(_, of) => {
                    vec![*subject, *of]
                }
                OrderedDeed::Mark(_)
                | OrderedDeed::Clear(_)
                | OrderedDeed::Change(_)
                | OrderedDeed::Remove
                | OrderedDeed::Place(..) => vec![*subject],
            },
            CaseStepKind::ExpectChoice { subject, effect, .. } => match effect {
                ChosenEffect::Follow(_, of)
                | ChosenEffect::Move(of)
                | ChosenEffect::Choose(_, of) => of.iter().copied().chain([*subject]).collect(),
                ChosenEffect::Mark(_)
                | ChosenEffect::Clear(_)
                | ChosenEffect::Remove
                | ChosenEffect::Place(..) => vec![*subject],
            },
        }
    }
}

impl BaseRule {
    /// All expressions that it is made of.
    #[must_use]
    pub fn parts(&self) -> Vec<ExprId> {
        [Some(self.width), Some(self.depth), self.bent].into_iter().flatten().collect()
    }
}

impl Step {
    /// All expressions that it is made of: its effect's, whose choice it is, and its things'.
    #[must_use]
    pub fn parts(&self, rules: &Ruleset) -> Vec<ExprId> {
        let mut found = self.effect.parts();
        found.extend(self.choice.map(|(_, whose)| whose));
        if let Some(things) = self.things {
            rules.for_each_part_of_things(things, &mut |part| found.extend(part.expression()));
        }
        found
    }
}

impl Effect {
    /// All expressions that it is made of.
    #[must_use]
    pub fn parts(&self) -> Vec<ExprId> {
        match self {
            Effect::Judge(_)
            | Effect::Roll { .. }
            | Effect::RollList { .. }
            | Effect::Mark(_)
            | Effect::Remove => Vec::new(),
            Effect::Clear(_, of) | Effect::Move(of) => vec![*of],
            Effect::Relate(_, a, b) => vec![*a, *b],
            Effect::Set(_, of, value) | Effect::Change { of, by: value, .. } => vec![*of, *value],
            Effect::Follow { within, stopping, .. } => {
                within.iter().chain(stopping).copied().collect()
            }
            Effect::Place(placement) => placement.parts(),
        }
    }
}

impl Placement {
    /// All expressions that it is made of.
    #[must_use]
    pub fn parts(&self) -> Vec<ExprId> {
        match self {
            Placement::Advance { by, .. }
            | Placement::FallBack { by }
            | Placement::BreakOff { by } => vec![*by],
            Placement::Swap(unit) | Placement::Conform(unit) | Placement::Face(unit) => vec![*unit],
            Placement::FallBackToGap | Placement::FaceAbout | Placement::Wheel { .. } => Vec::new(),
        }
    }
}
