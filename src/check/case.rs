//! Cases: given, when, expect; a grid is one case a row.

use std::collections::HashSet;

use super::effect::placement_word;
use super::scope::{Objects, Scope, Ty};
use super::{Checker, Resolved};
use crate::diag::{Diagnostic, code};
use crate::ir::*;
use crate::source::Span;
use crate::syntax::ast::{
    self, CaseColumnKind, CaseLine, ExpectKind, ItemKind, Name, Put, Run, SetupLine,
};

impl<'a> Checker<'a> {
    pub(super) fn cases(&mut self, resolved: &'a Resolved) {
        for item in &resolved.items {
            if let ItemKind::Case(case) = &item.item.kind {
                let first = self.out.cases.len();
                self.case(case, item.item.span, item.item.broken);
                let new = self.out.cases.iter_mut().skip(first);
                new.for_each(|case| case.taken_over = item.inherited);
            }
        }
    }

    fn case(&mut self, case: &ast::Case, whole: Span, broken: bool) {
        let title = Name { text: case.title.text.clone(), span: case.title.span };
        self.declare_name("case", &title);
        let (map, setup) = self.stage(case);
        let begun = |l: &CaseLine| matches!(l, CaseLine::On(_) | CaseLine::UseSetup(_));
        // What stands on a map that is not known cannot be known either.
        if map.is_none() && case.lines.iter().any(begun) {
            return;
        }
        let mut objects = map.map_or_else(Objects::default, |m| self.objects_of(m));
        if let Some(units) =
            setup.and_then(|s| self.out.setups.get(s.index())).map(|s| s.units.clone())
        {
            for unit in units {
                let at = u32::try_from(objects.units.len()).unwrap_or(u32::MAX);
                objects.units.insert(unit.id, (at, unit.kind));
            }
        }
        let puts: Vec<&Put> = case
            .lines
            .iter()
            .filter_map(|l| match l {
                CaseLine::Setup(SetupLine::Put(put)) => Some(put),
                _ => None,
            })
            .collect();
        let before = self.faults.len();
        let units = self.put_units(&puts, &mut objects);
        if self.faults.len() > before && units.len() < puts.len() {
            return;
        }
        let first = self.out.cases.len();
        self.case_body(case, (whole, broken), map, setup, &units, &objects);
        for (put, unit) in puts.iter().zip(&units) {
            let at = objects.units.get(&unit.id).map_or(u32::MAX, |(at, _)| *at);
            let steps = self.out.cases.iter().skip(first).flat_map(|case| &case.steps);
            let states = steps.filter_map(|step| {
                if let CaseStepKind::State(state) = &step.kind { Some(state) } else { None }
            });
            let mut said = self.stated_of(at, states);
            said.extend(unit.facts.iter().map(|(fact, _)| *fact));
            self.has_what_it_must(unit.kind, (&unit.id, put.name.span), &said);
        }
    }

    /// The map and the setup a case is played on.
    fn stage(&mut self, case: &ast::Case) -> (Option<MapId>, Option<SetupId>) {
        let (mut map, mut setup) = (None, None);
        let mut first: Option<Span> = None;
        for line in &case.lines {
            if let CaseLine::On(name) | CaseLine::UseSetup(name) = line {
                if let Some(first) = first {
                    self.fault(
                        Diagnostic::error(
                            code::E0202,
                            name.span,
                            "the case says twice what it begins with",
                        )
                        .label(first, "said here first")
                        .help("keep one `on` or `setup`"),
                    );
                    continue;
                }
                first = Some(name.span);
            }
            match line {
                CaseLine::On(name) => map = self.map_called(name),
                CaseLine::UseSetup(name) => match self.symbols.setups.get(&name.text).copied() {
                    Some(id) => {
                        setup = Some(id);
                        map = self.out.setups.get(id.index()).map(|s| s.map);
                    }
                    None => {
                        let known = self.gathered(self.symbols.setups.keys().cloned());
                        self.unknown(code::E0703, name, "setup", known.iter().map(String::as_str));
                    }
                },
                _ => {}
            }
        }
        (map, setup)
    }

    fn case_body(
        &mut self,
        case: &ast::Case,
        (whole, broken): (Span, bool),
        map: Option<MapId>,
        setup: Option<SetupId>,
        units: &[PutUnit],
        objects: &Objects,
    ) {
        let covers = self.clauses(&case.cites);
        let shell = |title: String, covers: Vec<ClauseId>, span: Span, steps: Vec<CaseStep>| Case {
            title,
            covers,
            span,
            whole,
            taken_over: false,
            map,
            setup,
            units: units.to_vec(),
            steps,
        };
        let grid = case.lines.iter().find_map(|l| match l {
            CaseLine::Grid(grid) => Some(grid),
            _ => None,
        });
        let grids = case.lines.iter().filter(|l| matches!(l, CaseLine::Grid(_))).count();
        if grids > 1 || grid.is_some() && !matches!(case.lines.last(), Some(CaseLine::Grid(_))) {
            self.fault(
                Diagnostic::error(code::E0707, case.title.span, "a case has one grid, and it stands last")
                    .help("put what happens first above the grid; what happens in each row is a column, such as `run`"),
            );
        }
        let Some(grid) = grid else {
            let steps = self.plain_steps(case, objects);
            if !broken && !case.lines.iter().any(|l| matches!(l, CaseLine::Expect(_))) {
                self.expects_nothing(case.title.span);
            }
            let case = shell(case.title.text.clone(), covers, case.title.span, steps);
            self.out.cases.push(case);
            return;
        };
        if !broken && !grid.columns.iter().any(|c| matches!(c.kind, CaseColumnKind::Expect(_))) {
            self.expects_nothing(case.title.span);
        }
        let first = self.faults.len();
        for (at, row) in grid.rows.iter().enumerate() {
            let mut steps = self.plain_steps(case, objects);
            if row.cells.len() != grid.columns.len() {
                self.fault(
                    Diagnostic::error(
                        code::E0707,
                        row.span,
                        format!(
                            "the row has {} cells, the grid {} columns",
                            row.cells.len(),
                            grid.columns.len()
                        ),
                    )
                    .help(
                        "write one cell under each head: `same` keeps a given, `any` asks nothing",
                    ),
                );
                continue;
            }
            for (column, cell) in grid.columns.iter().zip(&row.cells) {
                steps.extend(self.cell_step(column, cell, objects));
            }
            let mut row_covers = covers.clone();
            for clause in self.clauses(&row.cites) {
                if !row_covers.contains(&clause) {
                    row_covers.push(clause);
                }
            }
            let case =
                shell(format!("{}, row {}", case.title.text, at + 1), row_covers, row.span, steps);
            self.out.cases.push(case);
        }
        self.once_each(first);
    }

    /// What stands above a grid, and the heads of its columns, are read for each row of it; what is
    /// wrong with them is reported once.
    fn once_each(&mut self, first: usize) {
        let mut seen = HashSet::new();
        let mut at = 0;
        self.faults.retain(|fault| {
            at += 1;
            at <= first || seen.insert((fault.code, fault.primary(), fault.message.clone()))
        });
    }

    fn expects_nothing(&mut self, span: Span) {
        self.fault(
            Diagnostic::error(code::E0709, span, "this case expects nothing, so it can never fail")
                .help("add `expect ...`"),
        );
    }

    fn plain_steps(&mut self, case: &ast::Case, objects: &Objects) -> Vec<CaseStep> {
        let mut steps = Vec::new();
        let mut puts = 0;
        for line in &case.lines {
            match line {
                CaseLine::Setup(SetupLine::Put(put)) => {
                    steps.push(CaseStep { kind: CaseStepKind::Put(puts), span: put.span });
                    steps.extend(self.put_place(put, objects).map(|state| CaseStep {
                        kind: CaseStepKind::State(state),
                        span: put.span,
                    }));
                    puts += 1;
                }
                CaseLine::Setup(SetupLine::Given(_))
                | CaseLine::Ruling { .. }
                | CaseLine::Option { .. } => {
                    steps.extend(self.given_steps(line, objects));
                }
                CaseLine::Dice(dice) => steps.extend(self.dice_step(dice)),
                CaseLine::Order(order) => {
                    let found = self.order_step(order, objects);
                    steps.extend(self.nothing_lost(order.span, found));
                }
                CaseLine::Run(run) => {
                    let found = self.run_step(run);
                    steps.extend(self.nothing_lost(case.title.span, found));
                }
                CaseLine::Expect(expect) => {
                    let found = self.expect_step(expect, objects);
                    steps.extend(self.nothing_lost(expect.span, found));
                }
                CaseLine::On(_) | CaseLine::UseSetup(_) | CaseLine::Grid(_) => {}
            }
        }
        steps
    }

    /// What a line states: facts of the position, or the reading of a ruling.
    pub(super) fn given_steps(&mut self, line: &CaseLine, objects: &Objects) -> Vec<CaseStep> {
        match line {
            CaseLine::Setup(SetupLine::Given(given)) => {
                let states = self.states(given, objects);
                let some = (!states.is_empty()).then_some(states);
                let states = self.nothing_lost(given.span, some).unwrap_or_default().into_iter();
                states
                    .map(|state| CaseStep { kind: CaseStepKind::State(state), span: given.span })
                    .collect()
            }
            CaseLine::Ruling { name, reading } => {
                self.ruling_step(name, reading).into_iter().collect()
            }
            CaseLine::Option { name, on } => self.option_step(name, *on).into_iter().collect(),
            _ => Vec::new(),
        }
    }

    pub(super) fn dice_step(&mut self, dice: &[Name]) -> Option<CaseStep> {
        let span = dice.iter().map(|d| d.span).reduce(Span::to)?;
        let mut shown = Vec::new();
        for die in dice {
            match die.text.parse::<u32>() {
                Ok(number)
                    if number >= 1
                        || self.symbols.dice.values().any(|faces| faces.contains(&number)) =>
                {
                    shown.push(number)
                }
                _ => self.fault(Diagnostic::error(
                    code::E0210,
                    die.span,
                    format!("no die shows `{}`", die.text),
                )),
            }
        }
        Some(CaseStep { kind: CaseStepKind::Dice(shown), span })
    }

    pub(super) fn ruling_step(&mut self, name: &Name, reading: &Name) -> Option<CaseStep> {
        let id = self.ruling_called(name)?;
        let set = self.out.rulings.get(id.index())?.readings;
        let words = self.out.word_sets.get(set.index())?.words.clone();
        match words.iter().position(|w| *w == reading.text) {
            Some(at) => {
                self.symbols.note(reading.span, super::scope::Used::Word(set));
                let state = State::Ruling(id, u16::try_from(at).ok()?);
                Some(CaseStep {
                    kind: CaseStepKind::State(state),
                    span: name.span.to(reading.span),
                })
            }
            None => {
                let what = format!("reading of `{}`", name.text);
                self.unknown(code::E0206, reading, &what, words.iter().map(String::as_str));
                None
            }
        }
    }

    pub(super) fn option_step(&mut self, name: &Name, on: bool) -> Option<CaseStep> {
        let id = self.ruling_called(name)?;
        Some(CaseStep {
            kind: CaseStepKind::State(State::Ruling(id, u16::from(on))),
            span: name.span,
        })
    }

    fn ruling_called(&mut self, name: &Name) -> Option<RulingId> {
        let found = self.symbols.rulings.get(&name.text).copied();
        if found.is_none() {
            let known = self.gathered(self.symbols.rulings.keys().cloned());
            self.unknown(code::E0201, name, "ruling or option", known.iter().map(String::as_str));
        }
        found
    }

    pub(super) fn run_step(&mut self, run: &Run) -> Option<CaseStep> {
        match run {
            Run::Moment(point) => {
                let moment = self.moment_point(point)?;
                Some(CaseStep { kind: CaseStepKind::Pass(moment), span: point.span })
            }
            Run::Phase { name, of } => self.run_phase(name, of.as_ref()),
        }
    }

    pub(super) fn run_phase(&mut self, name: &Name, of: Option<&Name>) -> Option<CaseStep> {
        let Some(id) = self.symbols.phases.get(&name.text).copied() else {
            return self.run_part(name, of);
        };
        self.symbols.note(name.span, super::scope::Used::Phase);
        let side = match of {
            Some(of) => Some(self.side(of)?),
            None => None,
        };
        let owned = self
            .out
            .phases
            .get(id.index())
            .is_some_and(|p| p.moments.iter().all(|m| m.whose == Whose::Owner));
        if owned && side.is_none() {
            self.fault(
                Diagnostic::error(
                    code::E0710,
                    name.span,
                    format!("each side has its own `{}`", name.text),
                )
                .help(format!("write `run {} of SIDE`", name.text)),
            );
            return None;
        }
        Some(CaseStep { kind: CaseStepKind::Run(id, side), span: name.span })
    }

    fn expect_step(&mut self, expect: &ast::Expect, objects: &Objects) -> Option<CaseStep> {
        let scope = Scope { objects: Some(objects), ..Scope::default() };
        let kind = match &expect.kind {
            ExpectKind::Holds(condition) => CaseStepKind::Expect(self.truth(condition, &scope)),
            ExpectKind::Place { unit, at } => {
                let unit = self.unit_named(unit, &scope);
                let at = match at.as_deref() {
                    Some((at, facing)) => {
                        Some(self.expected_place(at, facing.as_ref(), objects.map)?)
                    }
                    None => {
                        self.table_size(objects.map, expect.span)?;
                        None
                    }
                };
                CaseStepKind::ExpectPlace { unit: unit?, at }
            }
            ExpectKind::List { left, negated, rows } => {
                let found = self.path(left, &scope, None, Asked::Kept);
                let Ty::Rows(table) = found.ty else {
                    if found.ty != Ty::Poison {
                        let what = self.type_name(found.ty);
                        self.fault(
                            Diagnostic::error(
                                code::E0302,
                                found.span,
                                format!("a list of tests should stand here, and this is {what}"),
                            )
                            .help("expect one value, or name a table by `all matches`"),
                        );
                    }
                    return None;
                };
                let found = self.rows_are(expect.span, found, table, rows);
                CaseStepKind::Expect(self.negate(found, *negated).id)
            }
            ExpectKind::Choice { subject, negated, must, effect } => {
                let subject = self.path(subject, &scope, None, Asked::Kept);
                let Ty::Of(Type::Thing { kind, .. }) = subject.ty else {
                    if subject.ty != Ty::Poison {
                        self.fault(
                            Diagnostic::error(
                                code::E0302,
                                subject.span,
                                "a unit should stand before `may` or `must`",
                            )
                            .help("write it as in `expect Guard must follow ...`"),
                        );
                    }
                    return None;
                };
                use ast::ExpectEffect as E;
                if matches!(effect, E::Follow { .. } | E::Move(_) | E::Remove | E::Place { .. }) {
                    self.moves(subject.span, kind)?;
                }
                let effect = self.chosen(effect, kind, &scope)?;
                CaseStepKind::ExpectChoice {
                    subject: subject.id,
                    negated: *negated,
                    must: *must,
                    effect,
                }
            }
        };
        Some(CaseStep { kind, span: expect.span })
    }

    fn chosen(
        &mut self,
        effect: &ast::ExpectEffect,
        kind: KindId,
        scope: &Scope<'_>,
    ) -> Option<ChosenEffect> {
        match effect {
            ast::ExpectEffect::Follow { trace, to } => {
                let id = self.trace_called(trace)?;
                self.is_traced(trace, id, kind)?;
                Some(ChosenEffect::Follow(id, self.things_named(to, scope, KindId::SPACE)?))
            }
            ast::ExpectEffect::Mark(name) => self.mark_of(name, kind).map(ChosenEffect::Mark),
            ast::ExpectEffect::Clear(name) => self.fact_marked(name, kind).map(ChosenEffect::Clear),
            ast::ExpectEffect::Remove => Some(ChosenEffect::Remove),
            ast::ExpectEffect::Move(to) => {
                Some(ChosenEffect::Move(self.things_named(to, scope, KindId::SPACE)?))
            }
            ast::ExpectEffect::Choose { choice, from } => {
                let id = self.choice_called(choice)?;
                self.is_chosen_by(choice, id, kind)?;
                let kind = self.out.choices.get(id.index())?.kind;
                Some(ChosenEffect::Choose(id, self.things_named(from, scope, kind)?))
            }
            ast::ExpectEffect::Place { word, to } => {
                let map = scope.objects.and_then(|o| o.map);
                let to: Vec<_> = to.iter().map(|placed| self.named_place(placed, map)).collect();
                Some(ChosenEffect::Place(
                    placement_word(*word),
                    to.into_iter().collect::<Option<_>>()?,
                ))
            }
        }
    }

    /// Only units move, leave the map and are laid anew.
    pub(super) fn moves(&mut self, span: Span, kind: KindId) -> Option<()> {
        if self.out.is_kind(kind, KindId::UNIT) {
            return Some(());
        }
        let what = self.a_kind(kind);
        self.fault(
            Diagnostic::error(
                code::E0302,
                span,
                format!("a unit should stand here, and this is {what}"),
            )
            .help("name a unit"),
        );
        None
    }

    /// Whether a choice is about things of a kind, or about some of them.
    pub(super) fn is_chosen_by(
        &mut self,
        name: &Name,
        choice: ChoiceId,
        kind: KindId,
    ) -> Option<()> {
        let of = self.out.choices.get(choice.index()).map(|c| c.of)?;
        if self.out.is_kind(kind, of) || self.out.is_kind(of, kind) {
            return Some(());
        }
        let (a, b) = (self.a_kind(of), self.a_kind(kind));
        self.fault(
            Diagnostic::error(
                code::E0303,
                name.span,
                format!("`{}` is a choice of {a}, and this is {b}", name.text),
            )
            .help(format!("name a choice of {b}")),
        );
        None
    }

    /// A mark of a kind of thing, and no other fact.
    pub(super) fn mark_of(&mut self, name: &Name, kind: KindId) -> Option<FactId> {
        let fact = self.fact_marked(name, kind)?;
        if self.out.facts.get(fact.index()).is_some_and(|f| matches!(f.origin, FactOrigin::Mark(_)))
        {
            return Some(fact);
        }
        self.fault(
            Diagnostic::error(code::E0308, name.span, format!("`{}` is no mark", name.text))
                .help("declare it with `mark NAME of KIND`, or name a mark"),
        );
        None
    }

    pub(super) fn fact_marked(&mut self, name: &Name, kind: KindId) -> Option<FactId> {
        match self.member(&name.text, kind) {
            Some(super::scope::Member::Fact(fact)) => {
                self.symbols.note(name.span, super::scope::Used::Fact(fact));
                Some(fact)
            }
            _ => {
                let known = self.members_of(kind);
                self.unknown(code::E0201, name, "mark", known.iter().map(String::as_str));
                None
            }
        }
    }
}
