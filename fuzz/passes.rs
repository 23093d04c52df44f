//! What every pass makes of a ruleset: none may panic or go on without end, and where two say the
//! same thing they agree.

use std::num::NonZeroUsize;
use std::path::Path;

use sutler::aid;
use sutler::check::{Resolved, fold};
use sutler::compare::{self, Side};
use sutler::diag::{Diagnostic, Severity, code, has_errors};
use sutler::draw::{self, Wanted};
use sutler::engine::odds::{Passing, odds_within};
use sutler::engine::{Dice, Orders, play};
use sutler::format::format;
use sutler::ir::{
    KindId, PhaseId, Policy, Ruleset, SetupId, SideId, TableId, TestId, TraceId, Whose,
};
use sutler::kernel::Position;
use sutler::lint::lint;
use sutler::log;
use sutler::mutate::{Extent, Given, changes, mutate};
use sutler::project::{attach, check_text, compile};
use sutler::report::{
    explain, explanation_text, fault_diagnostic, list_odds, run_fault_diagnostic, test_odds,
    test_odds_text, threat_report, threat_text, trace_report, trace_text, why_not, why_not_text,
};
use sutler::source::{SourceMap, screen};
use sutler::suite::{Suite, coverage, mistakes, run_case, run_mistake};
use sutler::syntax::{ast::File, parse};
use sutler::world::{ThingRef, World, json, start};

use super::rulesets::Texts;
use super::{clean, printed};

/// More cases, setups, units and changes than these are not tried of one ruleset.
const SOME: usize = 4;

/// All passes over a ruleset. True if it compiles.
pub fn all(texts: &Texts) -> bool {
    let mut sources = SourceMap::new();
    let (base, mut faults) = read("base.sut", &texts.base, &mut sources);
    let (resolved, more) = fold(None, &[base], &sources);
    faults.extend(more);
    let sound = one(&resolved, faults.clone(), &sources, &texts.base);
    let Some(variant) = &texts.variant else { return sound };
    let (variant, more) = read("variant.sut", variant, &mut sources);
    faults.extend(more);
    let (resolved, more) = fold(Some(&resolved), &[variant], &sources);
    faults.extend(more);
    one(&resolved, faults, &sources, "")
}

fn read(name: &str, text: &str, sources: &mut SourceMap) -> (File, Vec<Diagnostic>) {
    let id = sources.next_id();
    let (text, mut faults) = screen(text.as_bytes(), id);
    sources.add(name, text);
    let (mut file, more) = parse(id, sources.text(id));
    faults.extend(more);
    faults.extend(attach(&mut file, sources, |script| Err(format!("`{script}` is not there"))));
    (file, faults)
}

fn one(resolved: &Resolved, mut faults: Vec<Diagnostic>, sources: &SourceMap, text: &str) -> bool {
    let (rules, more) = compile(resolved, sources);
    faults.extend(more);
    let rules = rules.filter(|_| !has_errors(&faults));
    let misplaced = faults.iter().find(|f| f.code == code::E0190);
    assert!(misplaced.is_none(), "the grammar reads what the tree has no place for: {misplaced:?}");
    printed(&faults, sources);
    clean(&compare::resolve(resolved, sources, false));
    let plain = compare::resolve(resolved, sources, true);
    clean(&plain);
    formatted(text, rules.as_ref());
    mistakes(resolved).take(SOME).for_each(|m| drop(run_mistake(resolved, m, sources)));
    let Some(rules) = rules else { return false };
    same_rules(&plain, &rules, "resolved");
    read_only(resolved, &rules, sources, &faults);
    cases(&rules, sources);
    (0..rules.setups.len())
        .take(2)
        .for_each(|at| position(&rules, sources, &start(&rules, SetupId::at(at))));
    true
}

/// Laid out twice is laid out once, and means the same.
fn formatted(text: &str, rules: Option<&Ruleset>) {
    let source = SourceMap::new().next_id();
    let Ok(once) = format(source, text.as_bytes()) else { return };
    clean(&once.text);
    let twice = format(source, once.text.as_bytes()).expect("what is laid out can be read");
    assert_eq!(once.text, twice.text, "laid out twice");
    if let Some(rules) = rules.filter(|_| !text.is_empty()) {
        same_rules(&once.text, rules, "laid out");
    }
}

/// A text that must compile to the same rules.
fn same_rules(text: &str, rules: &Ruleset, how: &str) {
    let (sources, again, faults) = check_text("again.sut", text.as_bytes());
    let told = || {
        sutler::diag::render(
            &faults,
            &sources,
            sutler::diag::Format::Full,
            sutler::diag::Style::PLAIN,
        )
    };
    let again = again.unwrap_or_else(|| panic!("{how}, it has errors:\n{}\n{text}", told()));
    assert_eq!(again.hash, rules.hash, "{how}, it means something else:\n{text}");
}

/// What reads the rules and plays nothing.
fn read_only(resolved: &Resolved, rules: &Ruleset, sources: &SourceMap, faults: &[Diagnostic]) {
    let side = Side { resolved, sources, rules };
    let page = aid::doc(side, None);
    clean(&aid::markdown(&page));
    clean(&aid::html(&page));
    let calendar = aid::calendar(side, (!side.rules.setups.is_empty()).then(|| SetupId::at(0)));
    clean(&aid::calendar_text(&calendar));
    clean(&aid::calendar_concise(&calendar));
    assert!(compare::diff(side, side).changes.is_empty(), "a ruleset differs from itself");
    let noted: Vec<Diagnostic> =
        faults.iter().filter(|f| f.severity == Severity::Warning).cloned().collect();
    let given = Given { resolved, rules, sources };
    printed(&lint(&[given], None, &noted), sources);
    let found = coverage(&[Suite { rules, sources }]);
    found
        .measures
        .iter()
        .for_each(|m| assert!(m.reached <= m.all, "more is reached than there is"));
    let mut some = changes(given, Extent { files: &[], positions: true });
    some.truncate(SOME);
    drop(mutate((given, Path::new("")), some, NonZeroUsize::new(1), &|_| true));
}

/// Runs all cases of a ruleset; whether they hold is theirs to say.
pub fn cases(rules: &Ruleset, sources: &SourceMap) {
    for case in &rules.cases {
        for failure in run_case(rules, case, |span| sources.slice(span)).failures {
            clean(&failure.message);
            clean(&failure.why.unwrap_or_default());
            printed(&failure.fault.map(|f| *f).into_iter().collect::<Vec<_>>(), sources);
        }
    }
}

/// Everything that is asked of a position.
pub fn position(rules: &Ruleset, sources: &SourceMap, world: &World) {
    let Some(position) = Position::new(rules, world) else { return };
    if let Err(fault) = position.table_faults() {
        return printed(&[fault_diagnostic(rules, fault)], sources);
    }
    (0..rules.traces.len()).for_each(|at| trace(&position, sources, TraceId::at(at)));
    drawn(&position, sources);
    chances(&position, sources);
    written(rules, world);
    turns(rules, sources, world.clone(), &mut Orders::first_way(), Dice::seeded(7));
}

fn trace(position: &Position<'_>, sources: &SourceMap, trace: TraceId) {
    let rules = position.rules;
    let report = match trace_report(position, trace) {
        Ok(report) => report,
        Err(fault) => return printed(&[fault_diagnostic(rules, fault)], sources),
    };
    clean(&trace_text(&report, false));
    clean(&trace_text(&report, true));
    let things = (0u32..).take(position.world.units.len()).map(ThingRef::Unit);
    let about = rules.traces.get(trace.index()).map_or(KindId::UNIT, |t| t.of);
    let here = things.filter(|t| position.is_kind(*t, about));
    for thing in here.take(SOME) {
        if let Ok(found) = explain(position, trace, thing) {
            clean(&explanation_text(&found));
            let row = report.units.iter().find(|row| row.id == found.id);
            assert!(
                row.is_none_or(|row| row.state == found.state),
                "{} is two things: {report:?}\n{found:?}",
                found.id
            );
        }
        if let Ok(found) = why_not(position, trace, thing) {
            clean(&why_not_text(&found));
        }
    }
    let all = (0u32..).take(position.world.units.len());
    let there = all.filter(|u| {
        position.is_kind(ThingRef::Unit(*u), about) && position.world.space_of(*u).is_some()
    });
    let units: Vec<ThingRef> = there.take(SOME).map(ThingRef::Unit).collect();
    if rules.top(about) == KindId::UNIT
        && let Ok((_, found)) = threat_report(position, trace, &units)
    {
        clean(&threat_text(&found));
    }
}

fn drawn(position: &Position<'_>, sources: &SourceMap) {
    let units: Vec<u32> = (0u32..)
        .take(position.world.units.len())
        .filter(|u| position.world.stand(*u).is_some())
        .collect();
    let trace = (!position.rules.traces.is_empty()).then(|| TraceId::at(0));
    let side = (!position.rules.sides.is_empty()).then(|| SideId::at(0));
    match draw::gather(position, &Wanted { trace, side, zones: units, ..Wanted::default() }) {
        Ok(picture) => {
            clean(&draw::text(&picture));
            clean(&draw::svg(&picture));
            drop(draw::json(&picture));
        }
        Err(fault) => printed(&[fault_diagnostic(position.rules, fault)], sources),
    }
}

/// The chances of all tests, lists and phases.
fn chances(position: &Position<'_>, sources: &SourceMap) {
    let (rules, world) = (position.rules, position.world);
    let units = (0u32..).take(world.units.len()).map(ThingRef::Unit);
    let things: Vec<ThingRef> =
        units.chain((0u32..).take(position.map.spaces.len()).map(ThingRef::Space)).collect();
    let of = |kind| {
        things.iter().copied().filter(|t| position.is_kind(*t, kind)).take(2).collect::<Vec<_>>()
    };
    for (at, test) in rules.tests.iter().enumerate() {
        match test_odds(position, TestId::at(at), &of(test.of)) {
            Ok(report) => clean(&test_odds_text(&report)),
            Err(fault) => printed(&[fault_diagnostic(rules, fault)], sources),
        }
    }
    for (at, table) in rules.tables.iter().enumerate().filter(|(_, t)| t.policy == Policy::All) {
        if let Some(Ok(report)) =
            table.of.map(|kind| list_odds(position, TableId::at(at), &of(kind)))
        {
            clean(&test_odds_text(&report));
        }
    }
    for (at, phase) in rules.phases.iter().enumerate() {
        let owned = phase.moments.iter().all(|m| m.whose == Whose::Owner);
        let side = (owned && !rules.sides.is_empty()).then(|| SideId::at(0));
        if side.is_some() || !owned {
            drop(odds_within(rules, world, &[Passing::Phase(PhaseId::at(at), side)], 64));
        }
    }
}

/// What is written is read back, and written the same.
pub fn written(rules: &Ruleset, world: &World) {
    let text = json::write(rules, world);
    let (again, faults) = json::read(&text, SourceMap::new().next_id(), rules);
    let again = again.unwrap_or_else(|| panic!("{text}\n{faults:?}"));
    assert_eq!(json::write(rules, &again), text);
}

/// Two turns; the lines of their log.
pub fn turns(
    rules: &Ruleset,
    sources: &SourceMap,
    mut world: World,
    orders: &mut Orders,
    mut dice: Dice,
) -> Vec<String> {
    let mut lines = Vec::new();
    if rules.clock.is_none() {
        return lines;
    }
    for turn in 1..=2 {
        let mut events = Vec::new();
        let played = play(rules, &mut world, &mut dice, orders, &mut events);
        let mut text = log::Text::default();
        for (moment, event) in &events {
            let line = log::line(rules, &world, turn, *moment, event);
            clean(&text.line(&line));
            lines.push(serde_json::to_string(&line).expect("a line of a log is JSON"));
        }
        clean(&text.finish());
        match played {
            Ok(true) => {}
            Ok(false) => return lines,
            Err(fault) => {
                printed(&[run_fault_diagnostic(rules, fault)], sources);
                return lines;
            }
        }
    }
    written(rules, &world);
    lines
}
