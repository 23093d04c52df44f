//! The small changes of the items of a ruleset: tables, traces, phases and the rest.

use std::collections::BTreeSet;

use super::change::{Change, Sort};
use super::expr::{Maker, is_word};
use super::position::Words;
use super::run::Given;
use crate::check::{Piece, Resolved, ResolvedItem};
use crate::ir::Relation;
use crate::source::{SourceId, SourceMap, Span};
use crate::syntax::ast::*;

/// What is changed.
#[derive(Debug, Clone, Copy)]
pub struct Extent<'a> {
    /// The ruleset's own files, whose changes of a parent are changed too.
    pub files: &'a [SourceId],
    /// Whether maps and setups are changed.
    pub positions: bool,
}

/// All small changes of a ruleset's own rules, in the order of its items, then of what it changes
/// in its parent. What a parent wrote is the parent's, and cases are no rules.
#[must_use]
pub fn changes(given: Given<'_>, extent: Extent<'_>) -> Vec<Change> {
    let Given { resolved, rules, sources } = given;
    // Where no two sides are ever allied and all of them are at war from the start, a friend is
    // always one's own.
    let allies = [Relation::Allied, Relation::Neutral].into_iter().any(|r| rules.ever_stand(r));
    let mut maker = Maker { legs_as: &given.resolved.legs_as, ..Maker::new(sources, allies) };
    let words = extent.positions.then(|| Words::of(resolved));
    for (at, resolved) in resolved.items.iter().enumerate() {
        // An item that several files wrote has no text in which a place of its own could be
        // changed.
        let whole = is_whole(resolved);
        // One whose rows live in a sheet is read anew with it.
        let in_sheet = matches!(&resolved.item.kind, ItemKind::Table(t) if t.from.is_some());
        // Its own lines are; the files are read anew.
        let legs_as = !whole && maker.has_legs_as(&resolved.item);
        if !resolved.inherited && (whole || in_sheet || legs_as) {
            (maker.item, maker.folded) = (at, legs_as);
            maker.of(&resolved.item);
            if let Some(words) = &words {
                maker.position(&resolved.item, words);
            }
        }
    }
    maker.in_copies(resolved);
    maker.folded = true;
    for file in extent.files {
        for item in &crate::syntax::parse(*file, sources.text(*file)).0.items {
            maker.of_variant(item, resolved);
        }
    }
    maker.found
}

/// Whether an item has a text of its own, in one file.
pub(super) fn is_whole(resolved: &ResolvedItem) -> bool {
    matches!(resolved.rope.pieces(), [Piece::Text(span)] if *span == resolved.item.span)
}

impl<'a> Maker<'a> {
    pub(super) fn new(sources: &'a SourceMap, allies: bool) -> Maker<'a> {
        let (owner, found) = (String::new(), Vec::new());
        let (parts, role, numbers) = (Vec::new(), String::new(), Vec::new());
        let (item, condition, folded) = (0, None, false);
        let legs_as = &[];
        Maker {
            sources,
            allies,
            legs_as,
            item,
            owner,
            condition,
            folded,
            found,
            parts,
            role,
            numbers,
        }
    }
}

impl Maker<'_> {
    /// Whether an item is a trace with legs that have the lines of others.
    fn has_legs_as(&self, item: &Item) -> bool {
        let ItemKind::Trace(trace) = &item.kind else { return false };
        let is = |l: &TraceLine| match &l.kind {
            TraceLineKind::Leg { name, .. } => {
                self.legs_as.iter().any(|a| a.name.span == name.span)
            }
            _ => false,
        };
        trace.lines.iter().any(is)
    }

    /// What another item has too, because it is a copy or has the lines of a leg, is changed in
    /// both: the files are read and folded anew.
    fn in_copies(&mut self, resolved: &Resolved) {
        let all = resolved.items.iter().filter(|i| !is_whole(i)).flat_map(|i| i.rope.pieces());
        let texts: Vec<Span> = all
            .filter_map(|piece| match piece {
                Piece::Text(span) => Some(*span),
                Piece::Joint(_) => None,
            })
            .collect();
        let meets = |a: Span, b: Span| a.source == b.source && a.start < b.end && b.start < a.end;
        for change in &mut self.found {
            change.folded |= texts.iter().any(|span| meets(*span, change.span));
        }
    }

    pub(super) fn of(&mut self, item: &Item) {
        match &item.kind {
            // What must never hold is asked by `lint`, and by no case.
            ItemKind::Define(define) if define.never => {}
            ItemKind::Define(define) => {
                self.owner = format!("define {}", define.name.text);
                self.condition(&define.value);
            }
            ItemKind::Pair(pair) => {
                self.owner = format!("pair {}", pair.name.text);
                self.condition(&pair.value);
            }
            ItemKind::Exception(exception) => {
                self.owner = format!("exception {}", exception.name.text);
                self.drop_lines(Sort::LineDropped, item.span, &exception.cites);
                self.condition(&exception.when);
            }
            ItemKind::Table(table) => self.table(table),
            ItemKind::Trace(trace) => self.trace(trace),
            ItemKind::Test(test) => self.test(test),
            ItemKind::Phase(phase) => self.phase(phase),
            ItemKind::Choice(choice) => self.choice(choice),
            ItemKind::Hook(hook) => self.hook(hook),
            ItemKind::Kind(Kind { name, one_way: Some(one_way), .. }) => {
                self.owner = format!("kind {}", name.text);
                self.push(Sort::GateOpened, *one_way, "", "one way left out");
            }
            ItemKind::Kind(Kind { name, every_two: Some(every_two), .. }) => {
                if let Some(same) = &every_two.same {
                    self.owner = format!("kind {}", name.text);
                    let words = self.sources.slice(same.span).to_owned();
                    self.push(Sort::GateOpened, same.span, "", format!("{words} left out"));
                }
            }
            ItemKind::Ruling(ruling) => {
                self.owner = format!("ruling {}", ruling.name.text);
                if let Some(other) = ruling.readings.iter().find(|r| r.text != ruling.default.text)
                {
                    self.replace(Sort::Default, ruling.default.span, &other.text);
                }
            }
            ItemKind::Option(option) => {
                self.owner = format!("option {}", option.name.text);
                let text = self.sources.slice(item.span);
                let (old, new) = if option.on {
                    ("default on", "default off")
                } else {
                    ("default off", "default on")
                };
                let behind = option.title.span.end.saturating_sub(item.span.start) as usize;
                if let Some(at) = text.get(behind..).and_then(|t| t.find(old)) {
                    let start = item.span.start as usize + behind + at;
                    self.replace(
                        Sort::Default,
                        Span::of(item.span.source, start..start + old.len()),
                        new,
                    );
                }
            }
            ItemKind::Mark(mark) => {
                self.owner = format!("mark {}", mark.name.text);
                if let Some(until) = &mark.until {
                    self.moment(until);
                }
            }
            ItemKind::Count(count) => {
                self.owner = format!("count {}", count.name.text);
                if let Some((_, high)) = &count.range {
                    self.number(high.span, &high.text);
                }
            }
            _ => {}
        }
    }

    fn moment(&mut self, point: &MomentPoint) {
        let old = if point.start { "start" } else { "end" };
        let new = if point.start { "end" } else { "start" };
        if self.sources.slice(point.span).starts_with(old) {
            let end = point.span.start + u32::try_from(old.len()).unwrap_or(0);
            self.replace(Sort::Moment, Span::new(point.span.source, point.span.start, end), new);
        }
    }

    /// Changes that stand in a part of an item, under a name of its own.
    pub(super) fn part(&mut self, name: &str, work: impl FnOnce(&mut Self)) {
        let outer = self.owner.clone();
        self.owner = format!("{outer}, {name}");
        self.parts.push(name.to_owned());
        work(self);
        self.parts.pop();
        self.owner = outer;
    }

    /// Numbers that stand at one of several places of a part.
    fn at(&mut self, role: &str, work: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.role, role.to_owned());
        work(self);
        self.role = outer;
    }

    fn table(&mut self, table: &Table) {
        self.owner = format!("table {}", table.name.text);
        match &table.body {
            TableBody::List { rows, otherwise, kept } => {
                self.rows(rows, &table.results);
                if let Some(otherwise) = otherwise {
                    self.part("otherwise", |m| m.values(&otherwise.values, &table.results));
                }
                kept.iter().for_each(|k| self.kept(k));
                if table.policy == Policy::First {
                    let all: Vec<(Span, &Cites)> =
                        rows.iter().map(|r| (r.span, &r.cites)).collect();
                    self.swaps(&all);
                }
            }
            TableBody::Grid(grid) => {
                self.at("columns", |m| grid.columns.iter().for_each(|key| m.key(key)));
                for row in &grid.rows {
                    let name = row
                        .keys
                        .iter()
                        .map(|k| self.sources.slice(k.span).trim())
                        .collect::<Vec<_>>()
                        .join(", ");
                    self.part(&format!("row {name}"), |m| {
                        m.drop_lines(Sort::RowDropped, row.span, &row.cites);
                        m.at("key", |m| row.keys.iter().for_each(|key| m.key(key)));
                        for (at, value) in row.values.iter().enumerate() {
                            let column = grid.columns.get(at).map(|c| m.sources.slice(c.span));
                            m.at(column.unwrap_or_default(), |m| m.expr(value));
                        }
                    });
                }
                grid.kept.iter().for_each(|k| self.kept(k));
                if table.policy == Policy::First {
                    let all: Vec<(Span, &Cites)> =
                        grid.rows.iter().map(|r| (r.span, &r.cites)).collect();
                    self.swaps(&all);
                }
            }
        }
    }

    /// What a row gives: with several results each by its name.
    fn values(&mut self, values: &[Expr], results: &[TableResult]) {
        for (at, value) in values.iter().enumerate() {
            let result = results.get(at).filter(|_| results.len() > 1);
            self.at(result.map_or("", |r| &r.name.text), |m| m.expr(value));
        }
    }

    fn rows(&mut self, rows: &[ListRow], results: &[TableResult]) {
        for (at, row) in rows.iter().enumerate() {
            let name = row.name.as_ref().map_or_else(|| (at + 1).to_string(), |n| n.text.clone());
            self.part(&format!("row {name}"), |m| {
                m.drop_lines(Sort::RowDropped, row.span, &row.cites);
                m.at("when", |m| row.when.iter().for_each(|e| m.condition(e)));
                m.at("per", |m| row.per.iter().for_each(|e| m.expr(e)));
                m.at("beyond", |m| row.beyond.iter().for_each(|e| m.expr(e)));
                m.values(&row.values, results);
            });
        }
    }

    fn kept(&mut self, kept: &Kept) {
        self.part("kept", |m| {
            m.drop_lines(Sort::KeptDropped, kept.span, &kept.cites);
            m.at("low", |m| m.expr(&kept.low));
            m.at("high", |m| m.expr(&kept.high));
        });
    }

    /// Neighbouring rows in the other order, whole lines with their clauses.
    fn swaps(&mut self, rows: &[(Span, &Cites)]) {
        for at in 1..rows.len() {
            self.swap(Sort::RowsSwapped, rows, at - 1, at, "rows");
        }
    }

    /// Two of several things in each other's place, whole lines with their clauses.
    fn swap(
        &mut self,
        sort: Sort,
        all: &[(Span, &Cites)],
        first: usize,
        second: usize,
        noun: &str,
    ) {
        let lines = |at: usize| {
            let (span, cites) = all.get(at)?;
            let end = cites.0.iter().map(|c| c.span.end).fold(span.end, u32::max);
            Some(self.whole_lines(Span::new(span.source, span.start, end)))
        };
        let (Some(a), Some(b)) = (lines(first), lines(second)) else { return };
        if a.end > b.start {
            return;
        }
        let between = self.sources.slice(Span::new(a.source, a.end, b.start));
        let new = format!("{}{between}{}", self.sources.slice(b), self.sources.slice(a));
        self.push(sort, a.to(b), new, format!("{noun} {} and {} swapped", first + 1, second + 1));
    }

    pub(super) fn key(&mut self, key: &KeyCell) {
        match &key.kind {
            KeyCellKind::Is(e) | KeyCellKind::Not(e) => self.expr(e),
            KeyCellKind::OneOf(all) => all.iter().for_each(|e| self.expr(e)),
            KeyCellKind::Compare(_, e) => self.expr(e),
            KeyCellKind::Between(low, high) => [low, high].into_iter().for_each(|e| self.expr(e)),
            KeyCellKind::Any | KeyCellKind::Else | KeyCellKind::No => {}
        }
    }

    fn trace(&mut self, trace: &Trace) {
        self.owner = format!("trace {}", trace.name.text);
        let (mut leg, mut named) = (String::new(), None);
        for line in &trace.lines {
            if named.is_some_and(|leg| self.legs_as.iter().any(|a| a.gives(leg, line.span))) {
                continue;
            }
            let gate = |word: &str| format!("{leg}{word}");
            match &line.kind {
                TraceLineKind::Leg { name, when, .. } => {
                    (leg, named) = (format!("{}, ", name.text), Some(name.span));
                    when.iter().for_each(|when| {
                        self.part(&format!("{}, when", name.text), |m| m.for_all(line, when))
                    });
                }
                TraceLineKind::Lasts(point) => self.part("lasts", |m| m.moment(point)),
                TraceLineKind::Always(e) => self.part("always", |m| m.dropped(line, e)),
                TraceLineKind::Never(e) => self.part("never", |m| m.dropped(line, e)),
                TraceLineKind::Source { name, filter } => {
                    self.part(&format!("source {}", name.text), |m| m.dropped(line, filter))
                }
                TraceLineKind::Relay { name, filter } => {
                    self.part(&format!("relay {}", name.text), |m| m.dropped(line, filter))
                }
                TraceLineKind::From(e) => self.part(&gate("from"), |m| m.gate(e, "anywhere")),
                TraceLineKind::Through(e) => self.part(&gate("through"), |m| m.gate(e, "anywhere")),
                TraceLineKind::Stopping(e) => self.part(&gate("stopping"), |m| m.dropped(line, e)),
                TraceLineKind::Into(e) => self.part(&gate("into"), |m| m.gate(e, "anywhere")),
                TraceLineKind::Within(e) => self.part(&gate("within"), |m| m.gate(e, "unlimited")),
                TraceLineKind::Cost(e) => self.part(&gate("cost"), |m| {
                    m.drop_lines(Sort::LineDropped, line.span, &line.cites);
                    m.expr(e);
                }),
                TraceLineKind::Counts { high, .. } => {
                    self.part("counts", |m| m.number(high.span, &high.text))
                }
                TraceLineKind::Over { .. } => self.part(&gate("over"), |m| m.over(line, trace)),
                TraceLineKind::Without(_) => self.part(&gate("without"), |m| {
                    m.drop_lines(Sort::LineDropped, line.span, &line.cites);
                }),
                TraceLineKind::Called { .. } | TraceLineKind::Judged(_) => {}
            }
        }
    }

    /// A leg that only some may use, for all, and for others.
    fn for_all(&mut self, line: &TraceLine, when: &Expr) {
        let head = self.sources.slice(Span { end: when.span.start, ..line.span });
        let start = head.trim_end().strip_suffix("when").map(|head| head.trim_end().len());
        if let Some(start) = start.and_then(|start| u32::try_from(start).ok()) {
            let place = Span { start: line.span.start + start, end: when.span.end, ..line.span };
            self.push(Sort::GateOpened, place, "", "the leg is for all");
        }
        self.condition(when);
    }

    /// A line of `over` left out where there are others, what it leaves out, and its condition.
    fn over(&mut self, line: &TraceLine, trace: &Trace) {
        let TraceLineKind::Over { links, but_not, when } = &line.kind else { return };
        let ends_leg = |l: &&TraceLine| !matches!(l.kind, TraceLineKind::Leg { .. });
        let at = trace.lines.iter().position(|l| l.span == line.span).unwrap_or(0);
        let (before, behind) = trace.lines.split_at(at);
        let of_leg = before.iter().rev().take_while(ends_leg);
        let of_leg = of_leg.chain(behind.iter().take_while(ends_leg));
        let is_over = |l: &&TraceLine| matches!(l.kind, TraceLineKind::Over { .. });
        if of_leg.filter(is_over).count() > 1 {
            self.drop_lines(Sort::LineDropped, line.span, &line.cites);
        }
        links.iter().chain(but_not).for_each(|way| self.way(way));
        if let (Some(links), Some(last)) = (links.last(), but_not.last()) {
            let place = Span::new(last.name.span.source, links.span().end, last.span().end);
            self.push(Sort::GateOpened, place, "", "`but not` left out");
        }
        if let Some(when) = when {
            let end = but_not.last().or(links.last()).map_or(when.span.start, |l| l.span().end);
            let place = Span::new(when.span.source, end, when.span.end);
            self.push(Sort::GateOpened, place, "", "the condition left out");
            self.condition(when);
        }
    }

    /// Links of a kind: what must hold of them left out, and changed.
    pub(super) fn way(&mut self, way: &Way) {
        if let Some(filter) = &way.filter {
            let place = Span::new(filter.span.source, way.name.span.end, filter.span.end);
            self.push(Sort::GateOpened, place, "", "the condition on the links left out");
            self.condition(filter);
        }
    }

    pub(super) fn dropped(&mut self, line: &TraceLine, condition: &Expr) {
        self.drop_lines(Sort::LineDropped, line.span, &line.cites);
        self.condition(condition);
    }

    pub(super) fn gate(&mut self, value: &Expr, open: &str) {
        if !is_word(value, open) {
            self.replace(Sort::GateOpened, value.span, open);
            if open == "anywhere" { self.condition(value) } else { self.expr(value) }
        }
    }

    fn test(&mut self, test: &Test) {
        self.owner = format!("test {}", test.name.text);
        self.at("plus", |m| test.plus.iter().for_each(|e| m.expr(e)));
        self.rows(&test.rows, &[]);
        for retry in &test.retries {
            self.part("retry", |m| {
                m.drop_lines(Sort::LineDropped, retry.span, &retry.cites);
                retry.at_most.iter().for_each(|e| m.expr(e));
                m.condition(&retry.when);
            });
        }
    }

    fn phase(&mut self, phase: &Phase) {
        self.owner = format!("phase {}", phase.name.text);
        for moment in &phase.moments {
            if let Moment::At(point) = moment {
                self.moment(point);
            }
        }
        if let Some(once) = phase.once {
            self.push(Sort::GateOpened, once, "", "`once` left out");
        }
        if let Some(when) = &phase.when {
            let end = phase.moments.last().map_or(when.span.start, Moment::end);
            let place = Span::new(when.span.source, end, when.span.end);
            self.push(Sort::GateOpened, place, "", "`when` left out");
            self.condition(when);
        }
        for (at, step) in phase.steps.iter().enumerate() {
            self.part(&format!("step {}", at + 1), |m| {
                m.drop_lines(Sort::StepDropped, step.span, &step.cites);
                m.step(step);
            });
        }
        let all: Vec<(Span, &Cites)> = phase.steps.iter().map(|s| (s.span, &s.cites)).collect();
        for (first, second) in step_pairs(&phase.steps) {
            self.swap(Sort::StepsSwapped, &all, first, second, "steps");
        }
    }

    fn step(&mut self, step: &Step) {
        match &step.kind {
            StepKind::Judge { things, .. } | StepKind::Roll { things, .. } => self.things(things),
            StepKind::Do { effect, things } => {
                self.effect(step, effect);
                things.iter().for_each(|t| self.things(t));
            }
            StepKind::May { effect, things } | StepKind::Must { effect, things } => {
                self.effect(step, effect);
                self.things(things);
            }
        }
    }

    fn effect(&mut self, step: &Step, effect: &Effect) {
        match effect {
            Effect::Set { value, .. } => self.expr(value),
            Effect::Change { raise, path, by } => {
                let (old, new) = if *raise { ("raise", "lower") } else { ("lower", "raise") };
                let before = self.sources.slice(Span::new(
                    step.span.source,
                    step.span.start,
                    path.span.start,
                ));
                if let Some(at) = before.find(old) {
                    let start = step.span.start as usize + at;
                    self.replace(
                        Sort::Contrary,
                        Span::of(step.span.source, start..start + old.len()),
                        new,
                    );
                }
                self.expr(by);
            }
            Effect::Follow { within: Some(within), .. } => self.expr(within),
            Effect::Place { placement, .. } => match placement.as_ref() {
                Placement::Advance { by, .. }
                | Placement::FallBack { by }
                | Placement::BreakOff { by } => self.expr(by),
                _ => {}
            },
            Effect::Relate { how, .. } => {
                for (word, _) in Relation::NAMED.iter().filter(|(word, _)| *word != how.text) {
                    self.replace(Sort::Contrary, how.span, word);
                }
            }
            Effect::Mark(_)
            | Effect::Clear(_)
            | Effect::Remove(_)
            | Effect::Move(_)
            | Effect::Follow { within: None, .. } => {}
        }
    }

    fn choice(&mut self, choice: &Choice) {
        self.owner = format!("choice {}", choice.name.text);
        self.things(&choice.from);
        for prefer in &choice.prefers {
            self.part("prefer", |m| {
                m.drop_lines(Sort::LineDropped, prefer.span, &prefer.cites);
                m.condition(&prefer.value);
            });
        }
    }

    fn hook(&mut self, hook: &Hook) {
        self.owner = format!("hook {}", hook.name.text);
        for line in &hook.lines {
            match &line.kind {
                HookLineKind::Kept(low, high) => [low, high].into_iter().for_each(|e| self.expr(e)),
                HookLineKind::Otherwise(e) => self.expr(e),
                HookLineKind::Reads(_) | HookLineKind::Script(_) => {}
            }
        }
    }
}

/// The steps that change places: neighbours, and each step with the nearest ones that move units,
/// so that what it read before a move it reads after it.
fn step_pairs(steps: &[Step]) -> BTreeSet<(usize, usize)> {
    let all = 0..steps.len();
    let moving: Vec<usize> = all.clone().filter(|at| steps.get(*at).is_some_and(moves)).collect();
    let mut pairs: BTreeSet<(usize, usize)> = all.clone().zip(1..steps.len()).collect();
    for at in all.filter(|at| !moving.contains(at)) {
        pairs.extend(moving.iter().rfind(|m| **m < at).map(|m| (*m, at)));
        pairs.extend(moving.iter().find(|m| **m > at).map(|m| (at, *m)));
    }
    pairs
}

/// Whether a step changes where units are.
fn moves(step: &Step) -> bool {
    let effect = match &step.kind {
        StepKind::Do { effect, .. }
        | StepKind::May { effect, .. }
        | StepKind::Must { effect, .. } => effect,
        StepKind::Judge { .. } | StepKind::Roll { .. } => return false,
    };
    matches!(
        effect,
        Effect::Move(_) | Effect::Follow { .. } | Effect::Place { .. } | Effect::Remove(_)
    )
}
