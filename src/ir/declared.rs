//! What a declaration says of a node and of an effect: the type of what is read, the facts that are
//! changed.
//!
//! Takes nodes and effects; gives types and facts. A new sort of either must be placed here, or
//! nothing compiles.

use super::*;

impl Ruleset {
    /// Of what a fact or a worked-out value is asked, and the kind that it is said of; nothing where
    /// that is the world, and for all else.
    #[must_use]
    pub fn said_of(&self, id: ExprId) -> Option<(ExprId, KindId)> {
        if let Node::Hook(hook, of) = self.node(id) {
            return Some(((*of)?, self.hooks.get(hook.index())?.of));
        }
        match self.node(id) {
            Node::Fact(fact, of) => Some((*of, self.facts.get(fact.index())?.kind)),
            Node::Define(define, of) => Some(((*of)?, self.defines.get(define.index())?.of?)),
            Node::Table(table, _, of) => Some(((*of)?, self.tables.get(table.index())?.of?)),
            _ => None,
        }
    }

    /// The type that a declaration gives an expression; nothing for what is worked out on the spot,
    /// and for the evidence of a line.
    #[must_use]
    pub fn declared_type(&self, id: ExprId) -> Option<Type> {
        match self.node(id) {
            Node::Word(set, _) => Some(Type::Word(*set)),
            Node::Fact(fact, _) | Node::WorldFact(fact) => {
                self.facts.get(fact.index()).map(|f| f.ty)
            }
            Node::Define(define, _) => self.defines.get(define.index()).map(|d| d.ty),
            Node::Table(table, result, _) => self
                .tables
                .get(table.index())
                .and_then(|t| t.results.get(usize::from(*result)))
                .map(|result| result.1),
            Node::Stopped(table, _) => self
                .tables
                .get(table.index())
                .and_then(|t| t.results.first())
                .map(|result| result.1),
            Node::Hook(hook, _) => self.hooks.get(hook.index()).map(|h| h.ty),
            Node::Pair(pair, ..) => self.pair_type(*pair),
            Node::Verdict(trace, ..) => {
                self.traces.get(trace.index()).map(|t| Type::Word(t.answers))
            }
            Node::Evidence(trace, EvidenceField::Source, ..) => {
                self.traces.get(trace.index()).map(|t| Type::Word(t.source_names))
            }
            Node::Outcome(test, _) => self.tests.get(test.index()).map(|t| Type::Word(t.outcomes)),
            Node::Ruling(ruling) => {
                self.rulings.get(ruling.index()).map(|r| Type::Word(r.readings))
            }
            Node::Evidence(
                _,
                EvidenceField::Length
                | EvidenceField::End
                | EvidenceField::Stop
                | EvidenceField::Gate,
                ..,
            ) => None,
            Node::Nothing | Node::Truth(_) | Node::Number { .. } | Node::NoThing => None,
            Node::Unit(_)
            | Node::Space(_)
            | Node::Link(_)
            | Node::World
            | Node::SpaceCalled(_)
            | Node::Side(_)
            | Node::Viewer
            | Node::Subject(_)
            | Node::Chosen(..) => None,
            Node::WouldBe { .. }
            | Node::IsKind(..)
            | Node::Stands(..)
            | Node::Sides { .. }
            | Node::Listed(..)
            | Node::Removed(_)
            | Node::OverStep(_)
            | Node::StepEnd(_)
            | Node::LinkEnd(..) => None,
            Node::And(_) | Node::Or(_) | Node::Not(_) | Node::Same(..) | Node::Compare(..) => None,
            Node::Any(_) | Node::Only(_) | Node::Count(_) | Node::Aggregate(..) => None,
            Node::Total
            | Node::Natural
            | Node::Chance(..)
            | Node::Rank(_)
            | Node::Arithmetic(..)
            | Node::Rounded(..)
            | Node::Extreme { .. } => None,
        }
    }
}

impl Ruleset {
    /// For each fact whether a step of a phase changes it.
    #[must_use]
    pub fn changed_by_steps(&self) -> Vec<bool> {
        let mut changed = vec![false; self.facts.len()];
        let steps = self.phases.iter().flat_map(|phase| &phase.steps);
        for fact in steps.flat_map(|step| step.effect.changes(self)) {
            changed.iter_mut().skip(fact.index()).take(1).for_each(|c| *c = true);
        }
        changed
    }
}

impl Effect {
    /// The facts that it changes by itself, what its tests spend among them; what it moves, takes
    /// off the map or keeps of an answer is none.
    #[must_use]
    pub fn changes(&self, rules: &Ruleset) -> Vec<FactId> {
        match self {
            Effect::Set(fact, ..)
            | Effect::Change { fact, .. }
            | Effect::Mark(fact)
            | Effect::Clear(fact, _) => vec![*fact],
            Effect::Roll { .. } | Effect::RollList { .. } => {
                let spent = |test: &TestId| {
                    let retry = rules.tests.get(test.index())?.retry.as_ref()?;
                    retry.spending.map(|(fact, _)| fact)
                };
                self.tests(rules).iter().filter_map(spent).collect()
            }
            Effect::Judge(_)
            | Effect::Relate(..)
            | Effect::Remove
            | Effect::Move(_)
            | Effect::Follow { .. }
            | Effect::Place(_) => Vec::new(),
        }
    }
}

impl Ruleset {
    /// Whether two sides ever stand so to each other: at the start, in a setup, in a case or by a
    /// step.
    #[must_use]
    pub fn ever_stand(&self, relation: Relation) -> bool {
        let stated = |state: &State| matches!(state, State::Relation(_, _, to) if *to == relation);
        let of_setups = || self.setups.iter().any(|setup| setup.facts.iter().any(stated));
        let of_cases = || {
            self.cases.iter().flat_map(|case| &case.steps).any(|step| match &step.kind {
                CaseStepKind::State(state) => stated(state),
                _ => false,
            })
        };
        let of_steps = || {
            self.phases
                .iter()
                .flat_map(|phase| &phase.steps)
                .any(|step| matches!(step.effect, Effect::Relate(to, ..) if to == relation))
        };
        self.relations.contains(&relation) || of_setups() || of_cases() || of_steps()
    }
}
