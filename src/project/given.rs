//! Sentences that are given to a position by whoever asks: read, checked and stated as those of a
//! case are.

use super::Project;
use crate::check::{self, Resolved};
use crate::diag::{Diagnostic, code, has_errors};
use crate::engine;
use crate::hooks;
use crate::kernel::Position;
use crate::report::fault_diagnostic;
use crate::source::{SourceMap, Span, screen};
use crate::syntax;
use crate::syntax::ast::CaseLine;
use crate::world::World;

impl Project {
    /// States sentences of a position of the project's first ruleset, all of them in order. `name`
    /// is what their texts are called in messages. If there is a fault in any of them, the position
    /// stays as it was.
    pub fn give(
        &mut self,
        world: &mut World,
        sentences: &[String],
        name: &str,
    ) -> Result<(), Vec<Diagnostic>> {
        let Some(loaded) = self.rulesets.first() else { return Ok(()) };
        give(loaded.resolved(), &mut self.sources, world, sentences, name)
    }
}

/// States sentences of a position, all of them in order; the resolved rules must have no error in
/// them. The texts of the sentences are added to the sources.
pub fn give(
    resolved: &Resolved,
    sources: &mut SourceMap,
    world: &mut World,
    sentences: &[String],
    name: &str,
) -> Result<(), Vec<Diagnostic>> {
    if sentences.is_empty() {
        return Ok(());
    }
    let lines = lines(sources, sentences, name)?;
    state(resolved, sources, world, &lines)
}

/// The sentences as they are read.
fn lines(
    sources: &mut SourceMap,
    sentences: &[String],
    name: &str,
) -> Result<Vec<CaseLine>, Vec<Diagnostic>> {
    let (mut lines, mut faults) = (Vec::new(), Vec::new());
    for sentence in sentences {
        let id = sources.next_id();
        let (text, unclean) = screen(sentence.as_bytes(), id);
        sources.add(name, text);
        let sound = !has_errors(&unclean);
        if sound && sources.text(id).trim().is_empty() {
            let fault = Diagnostic::error(code::E0100, Span::of(id, 0..0), "the sentence is empty");
            faults.push(fault.help("state a fact as in `control of Hill is Red`, `A is tired` or `A at (3, 4) facing north`"));
            continue;
        }
        faults.extend(unclean);
        if sound {
            match syntax::given(id, sources.text(id)) {
                Ok(line) => lines.push(line),
                Err(fault) => faults.push(*fault),
            }
        }
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    Ok(lines)
}

fn state(
    resolved: &Resolved,
    sources: &SourceMap,
    world: &mut World,
    lines: &[CaseLine],
) -> Result<(), Vec<Diagnostic>> {
    let units: Vec<_> = world.units.iter().map(|unit| (unit.id.clone(), unit.kind)).collect();
    let (mut rules, states) = check::given(resolved, sources, world.map, &units, lines)?;
    // The scripts were sound when the ruleset was opened.
    hooks::bind(&mut rules);
    let mut stated = world.clone();
    for (state, _) in &states {
        engine::state(&rules, &mut stated, state)
            .map_err(|fault| vec![fault_diagnostic(&rules, fault)])?;
    }
    // Bases are looked at when all has been stated, so that two units may exchange places.
    if let (Some((_, first)), Some((_, last))) = (states.first(), states.last())
        && let Some(position) = Position::new(&rules, &stated)
    {
        let place = if first.source == last.source { first.to(*last) } else { *last };
        let found =
            position.table_faults().map_err(|fault| vec![fault_diagnostic(&rules, fault)])?;
        let told = found.into_iter().map(|fault| {
            let (message, help) = fault.told(&rules, &stated);
            Diagnostic::error(check::table_code(fault), place, message).help(help)
        });
        let told: Vec<Diagnostic> = told.collect();
        if !told.is_empty() {
            return Err(told);
        }
    }
    *world = stated;
    Ok(())
}
