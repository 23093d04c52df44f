//! What the author says must never hold, asked of every setup and of every case: `define ... never`.

use std::collections::{BTreeMap, BTreeSet};

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

/// Of each setup and each case what holds there and never must, in written order. A variant reports
/// what its parent does not show there, be it by other rules or by other positions.
pub(super) fn broken(main: &Given<'_>, parent: Option<&Ruleset>) -> Vec<Diagnostic> {
    let rules = main.rules;
    let own = own_files(main);
    let inherited: BTreeSet<&str> = of_never(rules)
        .iter()
        .filter(|(_, place)| !own.contains(&place.source))
        .map(|(define, _)| define.name.as_str())
        .collect();
    let mut shown: BTreeMap<String, BTreeSet<Witness>> = BTreeMap::new();
    if let Some(parent) = parent.filter(|_| !inherited.is_empty()) {
        each_told(
            parent,
            |_| BTreeSet::new(),
            |at, ((define, _), told)| {
                let (Ok((things, _)), true) = (told, inherited.contains(define.name.as_str()))
                else {
                    return;
                };
                let witness = |thing| (define.name.clone(), thing);
                shown.entry(at.called(parent)).or_default().extend(things.into_iter().map(witness));
            },
        );
    }
    let place = |at: &At<'_>| match at {
        At::Setup(setup) => setup_place(main, *setup),
        At::Case(_, span) => Some(*span),
    };
    let of_parent = |at: &At<'_>| {
        let is_own = place(at).is_some_and(|span| own.contains(&span.source));
        shown.get(&at.called(rules)).filter(|_| !is_own).cloned().unwrap_or_default()
    };
    let mut found = Vec::new();
    each_told(rules, of_parent, |at, told| {
        let Some(span) = place(&at) else { return };
        let label = match at {
            At::Setup(_) => "in this setup",
            At::Case(..) => "as things stand here",
        };
        found.push(finding(told, &Here { span, called: at.called(rules), label }));
    });
    found
}

/// The defines that must never hold.
fn of_never(rules: &Ruleset) -> Vec<Rule<'_>> {
    let place = |d: &Define| rules.lines.get(d.line.index()).map_or(Span::default(), |l| l.span);
    rules.defines.iter().filter(|d| d.never).map(|d| (d, place(d))).collect()
}

/// A position: the beginning of a setup, or where a case stands.
enum At<'a> {
    Setup(usize),
    Case(&'a str, Span),
}

impl At<'_> {
    fn called(&self, rules: &Ruleset) -> String {
        match self {
            At::Setup(at) => {
                format!("setup `{}`", rules.setups.get(*at).map_or("", |s| s.name.as_str()))
            }
            At::Case(title, _) => format!("case \"{title}\""),
        }
    }
}

/// Asks each setup and each case, without what is known there before.
fn each_told<'a>(
    rules: &'a Ruleset,
    known: impl Fn(&At<'_>) -> BTreeSet<Witness>,
    mut say: impl FnMut(At<'_>, Told<'a>),
) {
    let all = of_never(rules);
    if all.is_empty() {
        return;
    }
    let mut of_setups = Vec::new();
    for at in 0..rules.setups.len() {
        let mut known = known(&At::Setup(at));
        let told = asked(rules, &all, &start(rules, SetupId::at(at)), &mut known);
        of_setups.push(known);
        told.into_iter().for_each(|told| say(At::Setup(at), told));
    }
    for case in &rules.cases {
        // What a setup says already is not said again of each case that begins with it.
        let setup = case.setup.and_then(|s| of_setups.get(s.index()));
        let mut seen: BTreeSet<Witness> = setup.cloned().unwrap_or_default();
        each_position(rules, case, |span, world| {
            let at = || At::Case(&case.title, span);
            seen.extend(known(&at()));
            let told = asked(rules, &all, world, &mut seen);
            told.into_iter().for_each(|told| say(at(), told));
        });
    }
}

/// Where a position comes from.
struct Here {
    span: Span,
    called: String,
    label: &'static str,
}

/// What has been told: the names of the define and of the thing.
type Witness = (String, String);

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
        if known.insert((define.name.clone(), name.clone())) {
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
        .help(format!("change what is so there, or change `{name}`"))
}

/// The place of a setup in the text.
fn setup_place(main: &Given<'_>, at: usize) -> Option<Span> {
    let name = main.rules.setups.get(at)?.name.as_str();
    main.resolved.items.iter().find_map(|item| match &item.item.kind {
        ItemKind::Setup(setup) if setup.name.text == name => Some(setup.name.span),
        _ => None,
    })
}
