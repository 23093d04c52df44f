//! Cases: given, when, expect; a grid is one case a row.

use super::phase::placement_word;
use super::scope::{Objects, Scope, Ty};
use super::{Checker, Resolved};
use crate::diag::{Diagnostic, code};
use crate::ir::*;
use crate::source::Span;
use crate::syntax::ast::{self, CaseColumnKind, CaseLine, ExpectKind, ItemKind, Name, Put, Run, SetupLine};

impl<'a> Checker<'a> {
    pub(super) fn cases(&mut self, resolved: &'a Resolved) {
        for item in &resolved.items {
            if let ItemKind::Case(case) = &item.item.kind {
                self.case(case, item.item.span, item.item.broken);
            }
        }
    }

    fn case(&mut self, case: &ast::Case, whole: Span, broken: bool) {
        let title = Name { text: case.title.text.clone(), span: case.title.span };
        self.declare_name("case", &title);
        let (map, setup) = self.stage(case);
        let mut objects = map.map_or_else(Objects::default, |m| self.objects_of(m));
        if let Some(units) = setup.and_then(|s| self.out.setups.get(s.index())).map(|s| s.units.clone()) {
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
        self.case_body(case, (whole, broken), map, setup, &units, &objects);
    }

    /// The map and the setup a case is played on.
    fn stage(&mut self, case: &ast::Case) -> (Option<MapId>, Option<SetupId>) {
        let (mut map, mut setup) = (None, None);
        for line in &case.lines {
            match line {
                CaseLine::On(name) => map = self.map_called(name),
                CaseLine::UseSetup(name) => match self.symbols.setups.get(&name.text).copied() {
                    Some(id) => {
                        setup = Some(id);
                        map = self.out.setups.get(id.index()).map(|s| s.map);
                    }
                    None => {
                        let known: Vec<String> = self.symbols.setups.keys().cloned().collect();
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
            map,
            setup,
            units: units.to_vec(),
            steps,
        };
        let grid = case.lines.iter().find_map(|l| match l {
            CaseLine::Grid(grid) => Some(grid),
            _ => None,
        });
        if grid.is_some() && !matches!(case.lines.last(), Some(CaseLine::Grid(_))) {
            self.fault(
                Diagnostic::error(code::E0707, case.title.span, "the grid of a case stands last")
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
        for (at, row) in grid.rows.iter().enumerate() {
            let mut steps = self.plain_steps(case, objects);
            if row.cells.len() != grid.columns.len() {
                self.fault(
                    Diagnostic::error(
                        code::E0707,
                        row.span,
                        format!("the row has {} cells, the grid {} columns", row.cells.len(), grid.columns.len()),
                    )
                    .help("write one cell under each head: `same` keeps a given, `any` asks nothing"),
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
            let case = shell(format!("{}, row {}", case.title.text, at + 1), row_covers, row.span, steps);
            self.out.cases.push(case);
        }
    }

    fn expects_nothing(&mut self, span: Span) {
        self.fault(Diagnostic::error(code::E0709, span, "this case expects nothing, so it can never fail").help("add `expect ...`"));
    }

    fn plain_steps(&mut self, case: &ast::Case, objects: &Objects) -> Vec<CaseStep> {
        let mut steps = Vec::new();
        let mut puts = 0;
        for line in &case.lines {
            match line {
                CaseLine::Setup(SetupLine::Put(put)) => {
                    steps.push(CaseStep { kind: CaseStepKind::Put(puts), span: put.span });
                    steps.extend(self.put_place(put, objects).map(|state| CaseStep { kind: CaseStepKind::State(state), span: put.span }));
                    puts += 1;
                }
                CaseLine::Setup(SetupLine::Given(_)) | CaseLine::Ruling { .. } | CaseLine::Option { .. } => {
                    steps.extend(self.given_steps(line, objects));
                }
                CaseLine::Dice(dice) => steps.extend(self.dice_step(dice)),
                CaseLine::Order(order) => steps.extend(self.order_step(order, objects)),
                CaseLine::Run(run) => steps.extend(self.run_step(run)),
                CaseLine::Expect(expect) => steps.extend(self.expect_step(expect, objects)),
                CaseLine::On(_) | CaseLine::UseSetup(_) | CaseLine::Grid(_) => {}
            }
        }
        steps
    }

    /// What a line states: facts of the position, or the reading of a ruling.
    pub(super) fn given_steps(&mut self, line: &CaseLine, objects: &Objects) -> Vec<CaseStep> {
        match line {
            CaseLine::Setup(SetupLine::Given(given)) => {
                let states = self.states(given, objects).into_iter();
                states.map(|state| CaseStep { kind: CaseStepKind::State(state), span: given.span }).collect()
            }
            CaseLine::Ruling { name, reading } => self.ruling_step(name, reading).into_iter().collect(),
            CaseLine::Option { name, on } => self.option_step(name, *on).into_iter().collect(),
            _ => Vec::new(),
        }
    }

    pub(super) fn dice_step(&mut self, dice: &[Name]) -> Option<CaseStep> {
        let span = dice.iter().map(|d| d.span).reduce(Span::to)?;
        let mut shown = Vec::new();
        for die in dice {
            match die.text.parse::<u32>() {
                Ok(number) if number >= 1 || self.symbols.dice.values().any(|faces| faces.contains(&number)) => shown.push(number),
                _ => self.fault(Diagnostic::error(code::E0210, die.span, format!("no die shows `{}`", die.text))),
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
                let state = State::Ruling(id, u16::try_from(at).ok()?);
                Some(CaseStep { kind: CaseStepKind::State(state), span: name.span.to(reading.span) })
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
        Some(CaseStep { kind: CaseStepKind::State(State::Ruling(id, u16::from(on))), span: name.span })
    }

    fn ruling_called(&mut self, name: &Name) -> Option<RulingId> {
        let found = self.symbols.rulings.get(&name.text).copied();
        if found.is_none() {
            let known: Vec<String> = self.symbols.rulings.keys().cloned().collect();
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
        let side = match of {
            Some(of) => Some(self.side(of)?),
            None => None,
        };
        let owned = self.out.phases.get(id.index()).is_some_and(|p| p.moments.iter().all(|m| m.whose == Whose::Owner));
        if owned && side.is_none() {
            self.fault(
                Diagnostic::error(code::E0710, name.span, format!("each side has its own `{}`", name.text))
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
                    Some((at, facing)) => Some(self.expected_place(at, facing.as_ref(), objects.map)?),
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
                            Diagnostic::error(code::E0302, found.span, format!("a list of tests should stand here, and this is {what}"))
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
                            Diagnostic::error(code::E0302, subject.span, "a unit should stand before `may` or `must`")
                                .help("write it as in `expect Guard must follow ...`"),
                        );
                    }
                    return None;
                };
                let effect = self.chosen(effect, kind, &scope)?;
                CaseStepKind::ExpectChoice { subject: subject.id, negated: *negated, must: *must, effect }
            }
        };
        Some(CaseStep { kind, span: expect.span })
    }

    fn chosen(&mut self, effect: &ast::ExpectEffect, kind: KindId, scope: &Scope<'_>) -> Option<ChosenEffect> {
        match effect {
            ast::ExpectEffect::Follow { trace, to } => {
                let id = self.trace_called(trace)?;
                Some(ChosenEffect::Follow(id, self.things_named(to, scope, KindId::SPACE)?))
            }
            ast::ExpectEffect::Mark(name) => self.fact_marked(name, kind).map(ChosenEffect::Mark),
            ast::ExpectEffect::Clear(name) => self.fact_marked(name, kind).map(ChosenEffect::Clear),
            ast::ExpectEffect::Remove => Some(ChosenEffect::Remove),
            ast::ExpectEffect::Move(to) => Some(ChosenEffect::Move(self.things_named(to, scope, KindId::SPACE)?)),
            ast::ExpectEffect::Choose { choice, from } => {
                let id = self.choice_called(choice)?;
                let kind = self.out.choices.get(id.index())?.kind;
                Some(ChosenEffect::Choose(id, self.things_named(from, scope, kind)?))
            }
            ast::ExpectEffect::Place { word, to } => {
                let map = scope.objects.and_then(|o| o.map);
                let to: Vec<_> = to.iter().map(|placed| self.named_place(placed, map)).collect();
                Some(ChosenEffect::Place(placement_word(*word), to.into_iter().collect::<Option<_>>()?))
            }
        }
    }

    pub(super) fn fact_marked(&mut self, name: &Name, kind: KindId) -> Option<FactId> {
        match self.member(&name.text, kind) {
            Some(super::scope::Member::Fact(fact)) => Some(fact),
            _ => {
                let known = self.members_of(kind);
                self.unknown(code::E0201, name, "mark", known.iter().map(String::as_str));
                None
            }
        }
    }
}
