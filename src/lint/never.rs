//! What the author says must never hold, asked of every setup and of every case: `define ... never`.

use std::collections::BTreeSet;

use super::own_files;
use crate::diag::{Diagnostic, code};
use crate::ir::{Define, Ruleset, SetupId};
use crate::kernel::{Cx, EvalFault, Position};
use crate::mutate::Given;
use crate::report::{self, fault_diagnostic, thing_name, why_text};
use crate::source::Span;
use crate::suite::each_position;
use crate::syntax::ast::ItemKind;
use crate::world::{World, start};

/// So many things are named; the first is taken apart.
const NAMED: usize = 5;

/// A define that must never hold, with its name in the text.
type Rule<'a> = (&'a Define, Span);

/// Of each setup and each case what holds there and never must, in written order.
pub(super) fn broken(main: &Given<'_>) -> Vec<Diagnostic> {
    let rules = main.rules;
    let place = |d: &Define| rules.lines.get(d.line.index()).map_or(Span::default(), |l| l.span);
    let all: Vec<Rule<'_>> =
        rules.defines.iter().filter(|d| d.never).map(|d| (d, place(d))).collect();
    if all.is_empty() {
        return Vec::new();
    }
    let own = own_files(main);
    let mut found = Vec::new();
    let mut of_setups = Vec::new();
    for at in 0..rules.setups.len() {
        let mut known = BTreeSet::new();
        let told = asked(rules, &all, &start(rules, SetupId::at(at)), &mut known);
        of_setups.push(known);
        let Some((name, span)) = setup_place(main, at) else { continue };
        let here = Here { span, called: format!("setup `{name}`"), label: "in this setup" };
        // A variant tells of its own setups, and of what it says itself of its parent's.
        let new = |rule: &Rule<'_>| own.contains(&span.source) || own.contains(&rule.1.source);
        found.extend(told.into_iter().filter(|(rule, _)| new(rule)).map(|t| finding(t, &here)));
    }
    for case in &rules.cases {
        // What a setup says already is not said again of each case that begins with it.
        let setup = case.setup.and_then(|s| of_setups.get(s.index()));
        let mut known: BTreeSet<Witness> = setup.cloned().unwrap_or_default();
        each_position(rules, case, |span, world| {
            let called = format!("case \"{}\"", case.title);
            let here = Here { span, called, label: "as things stand here" };
            let told = asked(rules, &all, world, &mut known);
            found.extend(told.into_iter().map(|t| finding(t, &here)));
        });
    }
    found
}

/// Where a position comes from.
struct Here {
    span: Span,
    called: String,
    label: &'static str,
}

/// What has been told: the define by its line, and the name of the thing.
type Witness = (u32, String);

/// What came of one define in one position: the things that it holds of, and why of the first.
type Told<'a> = (Rule<'a>, Result<(Vec<String>, String), Diagnostic>);

fn asked<'a>(
    rules: &Ruleset,
    all: &[Rule<'a>],
    world: &World,
    known: &mut BTreeSet<Witness>,
) -> Vec<Told<'a>> {
    let Some(position) = Position::new(rules, world) else { return Vec::new() };
    let mut told = Vec::new();
    for rule in all {
        match holds_of(&position, rule.0, known) {
            Ok((things, _)) if things.is_empty() => {}
            Ok(found) => told.push((*rule, Ok(found))),
            Err(fault) => told.push((*rule, Err(fault_diagnostic(rules, fault)))),
        }
    }
    told
}

/// The things that a define holds of and that are not known yet, and why it holds of the first.
fn holds_of(
    position: &Position<'_>,
    define: &Define,
    known: &mut BTreeSet<Witness>,
) -> Result<(Vec<String>, String), EvalFault> {
    let rules = position.rules;
    let (mut names, mut why) = (Vec::new(), String::new());
    for (thing, viewer) in report::holds_of(position, define)? {
        let name = thing_name(rules, position.world, thing);
        if known.insert((define.line.0, name.clone())) {
            if names.is_empty() {
                why = why_text(position, define.value, &Cx::of(viewer, thing))?;
            }
            names.push(name);
        }
    }
    Ok((names, why))
}

fn finding(((define, place), told): Told<'_>, here: &Here) -> Diagnostic {
    let name = &define.name;
    let (things, why) = match told {
        Ok(found) => found,
        Err(fault) => return fault.label(here.span, here.label),
    };
    let mut of: Vec<String> = things.iter().take(NAMED).map(|t| format!("`{t}`")).collect();
    if things.len() > NAMED {
        of.push(format!("{} more", things.len() - NAMED));
    }
    let of = match define.of {
        Some(_) => format!("of {} ", of.join(", ")),
        None => String::new(),
    };
    let said = if define.title == *name {
        format!("`{name}` must never hold, and holds {of}in {}", here.called)
    } else {
        format!("\"{}\": `{name}` holds {of}in {}", define.title, here.called)
    };
    Diagnostic::warning(code::W1211, here.span, format!("{said}, for {why}"))
        .at(here.label)
        .label(place, "this must never hold")
        .help(format!("change what is so there, or mend `{name}`"))
}

/// The name of a setup, and its place in the text.
fn setup_place<'a>(main: &Given<'a>, at: usize) -> Option<(&'a str, Span)> {
    let name = main.rules.setups.get(at)?.name.as_str();
    main.resolved.items.iter().find_map(|item| match &item.item.kind {
        ItemKind::Setup(setup) if setup.name.text == name => Some((name, setup.name.span)),
        _ => None,
    })
}
