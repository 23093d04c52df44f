//! What is declared and never set or read: as a rule a slip of the pen.

use super::step::asked_by_steps;
use super::{Checker, Resolved};
use crate::diag::{Diagnostic, code};
use crate::ir::*;
use crate::source::Span;
use crate::syntax::ast::{self, ItemKind};

impl<'a> Checker<'a> {
    pub(super) fn unused(&mut self, resolved: &'a Resolved) {
        // What reads or sets a name may stand in what is broken.
        if !self.symbols.lost.is_empty() || resolved.items.iter().any(|i| i.item.broken) {
            return;
        }
        for item in &resolved.items {
            match &item.item.kind {
                ItemKind::Mark(mark) => {
                    let id = self.out.facts.iter().position(|f| {
                        f.name == mark.name.text && matches!(f.origin, FactOrigin::Mark(_))
                    });
                    if let Some(id) = id.map(FactId::at)
                        && !self.symbols.set_facts.contains(&id)
                    {
                        self.fault(
                            Diagnostic::warning(code::W0212, mark.name.span, format!("nothing ever sets the mark `{}`", mark.name.text))
                                .help("set it in a phase with `do mark`, or declare it with `given` if the host sets it"),
                        );
                    }
                }
                ItemKind::Ruling(ruling) if !self.symbols.read.contains(&ruling.name.text) => {
                    self.fault(
                        Diagnostic::warning(
                            code::W0216,
                            ruling.name.span,
                            format!("no rule reads the ruling `{}`", ruling.name.text),
                        )
                        .help(
                            "its readings make no difference; compare it in a rule, or take it out",
                        ),
                    );
                }
                ItemKind::Option(option) if !self.symbols.read.contains(&option.name.text) => {
                    self.fault(
                        Diagnostic::warning(
                            code::W0216,
                            option.name.span,
                            format!("no rule reads the option `{}`", option.name.text),
                        )
                        .help("it makes no difference; ask for it in a rule, or take it out"),
                    );
                }
                ItemKind::Track(track) => self.unreached(track),
                _ => {}
            }
        }
        self.unrolled();
    }

    /// What phases read of tests that no phase rolls: an outcome is there behind its roll alone.
    fn unrolled(&mut self) {
        let rules = &self.out;
        let effects = || rules.phases.iter().flat_map(|p| &p.steps).map(|step| &step.effect);
        // A list names its tests row by row.
        if effects().any(|effect| matches!(effect, Effect::RollList { .. })) {
            return;
        }
        let rolled = |test: TestId| {
            effects().any(
                |effect| matches!(effect, Effect::Roll { test: rolled, .. } if *rolled == test),
            )
        };
        let mut starts = asked_by_steps(rules);
        starts.extend(rules.phases.iter().filter_map(|phase| phase.when));
        let enters = |part: Part| matches!(part, Part::Define(_) | Part::Table(_) | Part::Pair(_));
        let mut found: Vec<(TestId, Span)> = Vec::new();
        rules.walk(starts, enters, |_, id| {
            let Node::Outcome(test, _) = rules.node(id) else { return };
            if !rolled(*test) && found.iter().all(|(told, _)| told != test) {
                let span = rules.node_spans.get(id.index()).copied().unwrap_or_default();
                found.push((*test, span));
            }
        });
        for (test, span) in found {
            let name = self.out.tests.get(test.index()).map_or("", |test| &test.name).to_owned();
            self.fault(
                Diagnostic::warning(
                    code::W0218,
                    span,
                    format!("no phase rolls `{name}`, so it has no outcome here"),
                )
                .help(format!("roll it in a phase before, as in `roll {name} for ...`")),
            );
        }
    }

    /// The stages of a track to which no rule, map, setup or case ever brings anything.
    fn unreached(&mut self, track: &ast::Track) {
        let Some(set) = self.symbols.tracks.get(&track.name.text).copied() else { return };
        let on_track =
            |fact: &Fact| fact.ty == Type::Word(set) && fact.origin == FactOrigin::Attribute;
        let facts: Vec<FactId> = self
            .out
            .facts
            .iter()
            .enumerate()
            .filter(|(_, f)| on_track(f))
            .map(|(at, _)| FactId::at(at))
            .collect();
        // What nothing stands on, or what the host sets, is none of the rules' business.
        if facts.is_empty()
            || self
                .out
                .facts
                .iter()
                .any(|f| f.ty == Type::Word(set) && f.origin == FactOrigin::Given)
        {
            return;
        }
        let stages = track.stages.len();
        let mut reached = vec![false; stages];
        let mut reach = |range: std::ops::Range<usize>| {
            range.for_each(|at| reached.iter_mut().skip(at).take(1).for_each(|r| *r = true))
        };
        let place = |value: i64| usize::try_from(value).unwrap_or(0);
        reach(0..1);
        let units = self
            .out
            .setups
            .iter()
            .flat_map(|s| &s.units)
            .chain(self.out.cases.iter().flat_map(|c| &c.units));
        let links = self.out.maps.iter().flat_map(|map| &map.said).flat_map(|link| &link.facts);
        let put = units.flat_map(|u| &u.facts).chain(links);
        for (_, value) in put.filter(|(fact, _)| facts.contains(fact)) {
            reach(place(*value)..place(*value) + 1);
        }
        let spaces = self.out.maps.iter().flat_map(|map| &map.spaces);
        for (space, fact) in spaces.flat_map(|s| facts.iter().map(move |fact| (s, fact))) {
            let Some(said) = self.out.facts.get(fact.index()) else { continue };
            if self.out.is_kind(space.kind, said.kind) {
                let value = space.facts.get(usize::from(said.slot)).copied().unwrap_or_default();
                reach(place(value)..place(value) + 1);
            }
        }
        let mut value_of = |id: ExprId| match self.out.node(id) {
            Node::Word(_, word) => reach(usize::from(*word)..usize::from(*word) + 1),
            // A table or another fact may come to any stage.
            _ => reach(0..stages),
        };
        let stated = self.out.setups.iter().flat_map(|s| &s.facts);
        let in_cases = self.out.cases.iter().flat_map(|c| &c.steps).filter_map(CaseStep::state);
        for state in stated.chain(in_cases) {
            if let State::Fact(fact, _, value) = state
                && facts.contains(fact)
            {
                value_of(*value);
            }
        }
        // The clock goes through its turns by itself.
        let counted = self.out.clock.as_ref().and_then(|clock| clock.counted);
        let mut raised = counted.is_some_and(|counted| facts.contains(&counted.turn));
        let mut lowered = false;
        for step in self.out.phases.iter().flat_map(|p| &p.steps) {
            match &step.effect {
                Effect::Set(fact, _, value) if facts.contains(fact) => value_of(*value),
                Effect::Change { raise, fact, .. } if facts.contains(fact) => {
                    raised |= raise;
                    lowered |= !raise;
                }
                _ => {}
            }
        }
        let (first, last) = (
            reached.iter().position(|r| *r).unwrap_or(0),
            reached.iter().rposition(|r| *r).unwrap_or(0),
        );
        for (at, stage) in track.stages.iter().enumerate() {
            let on_the_way = (raised && at > first) || (lowered && at < last);
            if !on_the_way && !reached.get(at).copied().unwrap_or(true) {
                self.fault(
                    Diagnostic::warning(
                        code::W0217,
                        stage.span,
                        format!("nothing ever reaches the stage `{}`", stage.text),
                    )
                    .help("raise or set something to it, state it on a map or in a setup, or take it out"),
                );
            }
        }
    }
}
