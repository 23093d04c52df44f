//! What most commands begin with: rulesets opened, their faults reported, a position made.

use std::path::{Path, PathBuf};

use super::family::{one_family, own_errors};
use super::page::page;
use super::{End, message, stderr_style, told};
use crate::check::Resolved;
use crate::compare::Side;
use crate::diag::{self, Diagnostic, code};
use crate::facade;
use crate::ir::{Ruleset, SetupId, SideId, TraceId};
use crate::kernel::{EvalFault, Position};
use crate::project::Project;
use crate::report::fault_diagnostic;
use crate::source::SourceMap;
use crate::world::World;
use crate::world::json::Positions;

/// Opens a path and reports its faults on standard error; a ruleset with errors ends the command.
pub(super) fn open(path: &Path) -> Result<Project, End> {
    sound(Project::open(path))
}

/// Reports the faults of what was opened; a ruleset with errors ends the command.
fn sound(project: Project) -> Result<Project, End> {
    let mut faults: Vec<Diagnostic> = project.faults.iter().map(with_near).collect();
    faults.extend(own_errors(&project).into_iter().flatten().cloned());
    let errors = project.rulesets.iter().any(|r| r.rules.is_none());
    if !faults.is_empty() {
        told(&diag::render(&faults, &project.sources, diag::Format::Full, stderr_style()));
    }
    if !project.faults.is_empty() {
        return Err(End::Trouble);
    }
    if errors { Err(End::Findings) } else { Ok(project) }
}

/// A fault of a path that is not there, with a folder beside it that may be meant.
pub(super) fn with_near(fault: &Diagnostic) -> Diagnostic {
    let path = fault.message.split('`').nth(1).filter(|_| fault.code == code::E0006);
    match path.and_then(|path| near(Path::new(path))) {
        Some(near) if fault.help.is_none() => {
            fault.clone().help(format!("write `{}`", near.display()))
        }
        _ => fault.clone(),
    }
}

/// The folder or file whose name is nearest to one that is not there.
fn near(path: &Path) -> Option<PathBuf> {
    let folder = path.parent()?;
    if path.exists() {
        return None;
    }
    let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let of_rules = |path: &PathBuf| {
        path.join("rules.sut").is_file() || path.extension().is_some_and(|e| e == "sut")
    };
    let entries = std::fs::read_dir(here).ok()?.filter_map(|entry| Some(entry.ok()?.path()));
    let names: Vec<String> = entries
        .filter(of_rules)
        .filter_map(|path| Some(path.file_name()?.to_str()?.to_owned()))
        .collect();
    let mut names: Vec<&str> = names.iter().map(String::as_str).collect();
    names.sort_unstable();
    diag::suggest::closest(path.file_name()?.to_str()?, names).map(|name| folder.join(name))
}

/// The one ruleset of a path, a folder's own or the variant whose file was named, without its
/// cases.
pub(super) fn open_one(path: &Path) -> Result<(Project, Ruleset), End> {
    one_of(path, sound(Project::open_rules(path))?)
}

fn one_of(path: &Path, mut project: Project) -> Result<(Project, Ruleset), End> {
    // The variants of a folder stand beside its own ruleset, and other rulesets in folders of their
    // own.
    if let [first, others @ ..] = project.rulesets.as_slice()
        && others.iter().any(|r| r.folder != first.folder)
    {
        one_family(path, &project)?;
    }
    let rules = project.rulesets.first_mut().and_then(|r| r.rules.take());
    match rules {
        Some(rules) => Ok((project, rules)),
        None => Err(End::Findings),
    }
}

/// A ruleset with the text it was resolved from.
pub(super) struct Whole {
    pub project: Project,
    pub resolved: Resolved,
    pub rules: Ruleset,
}

impl Whole {
    /// The ruleset as it is compared.
    pub(super) fn side(&self) -> Side<'_> {
        Side { resolved: &self.resolved, sources: &self.project.sources, rules: &self.rules }
    }
}

/// The one ruleset of a path, as text too.
pub(super) fn open_whole(path: &Path) -> Result<Whole, End> {
    whole_of(path, open(path)?)
}

fn whole_of(path: &Path, project: Project) -> Result<Whole, End> {
    let (mut project, rules) = one_of(path, project)?;
    let resolved =
        project.rulesets.first_mut().map(crate::project::Loaded::take_resolved).unwrap_or_default();
    Ok(Whole { project, resolved, rules })
}

/// A ruleset by its name, with the hash of its resolved rules.
#[derive(serde::Serialize)]
pub(super) struct Hashed {
    pub ruleset: String,
    pub hash: String,
}

/// The rulesets of a project that compiled, each with its hash.
pub(super) fn hashes(project: &Project) -> Vec<Hashed> {
    let rules = project.rulesets.iter().filter_map(|r| r.rules.as_ref());
    rules.map(|r| Hashed { ruleset: r.name.clone(), hash: r.hash.clone() }).collect()
}

/// Two rulesets with all their texts in one place, or one; with their cases only if these are asked
/// for.
pub(super) fn open_pair(
    first: &Path,
    second: Option<&Path>,
    cases: bool,
) -> Result<(Whole, Option<(Resolved, Ruleset)>), End> {
    let Some(second) = second else {
        let one = if cases { Project::open(first) } else { Project::open_rules(first) };
        return Ok((whole_of(first, sound(one)?)?, None));
    };
    let open = if cases { Project::open_two } else { Project::open_two_rules };
    let mut project = sound(open(first, second))?;
    let mut both = std::mem::take(&mut project.rulesets).into_iter();
    let mut next = || {
        let mut loaded = both.next().ok_or(End::Findings)?;
        Ok((loaded.take_resolved(), loaded.rules.ok_or(End::Findings)?))
    };
    let ((resolved, rules), second) = (next()?, next()?);
    Ok((Whole { project, resolved, rules }, Some(second)))
}

/// Puts other readings in force, as if the ruleset said so.
pub(super) fn readings_of(texts: &[String], rules: &mut Ruleset) -> Result<(), End> {
    for text in texts {
        let (at, reading) = reading_called(text, rules)?;
        if let Some(ruling) = rules.rulings.get_mut(at) {
            ruling.default = reading;
        }
    }
    Ok(())
}

/// A position from text, read as one of many; its faults are told on standard error.
pub(super) fn read_position(bytes: &[u8], name: &str, positions: &Positions<'_>) -> Option<World> {
    let mut sources = SourceMap::new();
    let id = sources.next_id();
    let (text, mut faults) = crate::source::screen(bytes, id);
    sources.add(name, text);
    let (world, more) = positions.read(sources.text(id), id);
    faults.extend(more);
    if !faults.is_empty() {
        told(&diag::render(&faults, &sources, diag::Format::Full, stderr_style()));
    }
    world.filter(|_| !diag::has_errors(&faults))
}

/// Where a position comes from.
#[derive(clap::Args)]
pub(super) struct PositionArgs {
    /// A setup of the ruleset; the first one that has units, if nothing is said
    #[arg(long, conflicts_with = "position")]
    pub setup: Option<String>,
    /// A position as JSON
    #[arg(long, value_name = "FILE")]
    pub position: Option<PathBuf>,
    /// Another reading of a ruling, or `on` or `off` for an option
    #[arg(long = "ruling", value_name = "NAME=READING")]
    pub rulings: Vec<String>,
    /// States a fact of the position, as `given` does in a case: `A is tired`, `control of Hill is
    /// Red`
    #[arg(long = "given", value_name = "SENTENCE")]
    pub given: Vec<String>,
}

/// A position, and the trace that is asked of it.
#[derive(clap::Args)]
pub(super) struct Question {
    #[command(flatten)]
    pub position: PositionArgs,
    /// Which trace; the one that a phase judges, if nothing is said
    #[arg(long)]
    pub trace: Option<String>,
}

impl Question {
    /// The ruleset of a path with its project, the trace and the position.
    pub(super) fn open(&self, ruleset: &Path) -> Result<(Project, Ruleset, TraceId, World), End> {
        let (mut project, rules) = open_one(ruleset)?;
        let trace = trace_called(self.trace.as_deref(), &rules)?;
        let world = position(&self.position, &mut project, &rules)?;
        Ok((project, rules, trace, world))
    }
}

/// The position that the arguments ask for.
pub(super) fn position(
    args: &PositionArgs,
    project: &mut Project,
    rules: &Ruleset,
) -> Result<World, End> {
    if rules.maps.is_empty() {
        message(
            "error: the ruleset has no map\n  help: write one, such as `map valley { ... }` with a `space` in it\n",
        );
        return Err(End::Trouble);
    }
    let mut world = match &args.position {
        Some(path) => from_file(path, project, rules)?,
        None => from_setup(args.setup.as_deref(), rules)?,
    };
    for ruling in &args.rulings {
        apply_ruling(ruling, rules, &mut world)?;
    }
    give(&args.given, "--given", project, &mut world)?;
    Ok(world)
}

/// States sentences of a position; their faults are those of a wrong call.
pub(super) fn give(
    sentences: &[String],
    argument: &str,
    project: &mut Project,
    world: &mut World,
) -> Result<(), End> {
    project.give(world, sentences, argument).map_err(|faults| {
        told(&diag::render(&faults, &project.sources, diag::Format::Full, stderr_style()));
        End::Trouble
    })
}

fn from_file(path: &Path, project: &mut Project, rules: &Ruleset) -> Result<World, End> {
    let bytes = crate::source::read(path, crate::source::MAX_BYTES).map_err(|error| {
        message(&format!("error: `{}` cannot be read: {error}\n", path.display()));
        End::Trouble
    })?;
    let id = project.sources.next_id();
    let (text, mut faults) = crate::source::screen(&bytes, id);
    project.sources.add(path.display().to_string(), text);
    let (world, more) = crate::world::json::read(project.sources.text(id), id, rules);
    faults.extend(more);
    if let Some(world) = &world {
        let found = crate::report::position_faults(rules, world, project.sources.text(id), id);
        faults.extend(found.map_err(|fault| faulted(rules, project, fault))?);
    }
    if !faults.is_empty() {
        told(&diag::render(&faults, &project.sources, diag::Format::Full, stderr_style()));
    }
    match world {
        Some(world) if !diag::has_errors(&faults) => Ok(world),
        _ => Err(End::Findings),
    }
}

fn from_setup(name: Option<&str>, rules: &Ruleset) -> Result<World, End> {
    Ok(crate::world::start(rules, setup_called(name, rules)?))
}

/// A setup by its name; the first one that has units, if nothing is said.
pub(super) fn setup_called(name: Option<&str>, rules: &Ruleset) -> Result<SetupId, End> {
    let found = match name {
        Some(name) => rules.setups.iter().position(|s| s.name == name),
        None => rules
            .setups
            .iter()
            .position(|s| !s.units.is_empty())
            .or(if rules.setups.is_empty() { None } else { Some(0) }),
    };
    let Some(at) = found else {
        let known: Vec<&str> = rules.setups.iter().map(|s| s.name.as_str()).collect();
        match name {
            Some(name) => wrong_name("setup", name, &known),
            None => message(
                "error: the ruleset has no setup\n  help: write one, such as `setup opening on valley { ... }`, or name a position with `--position FILE`\n",
            ),
        }
        return Err(End::Trouble);
    };
    Ok(SetupId::at(at))
}

fn apply_ruling(text: &str, rules: &Ruleset, world: &mut World) -> Result<(), End> {
    let (at, reading) = reading_called(text, rules)?;
    if let Some(cell) = world.readings.get_mut(at) {
        *cell = reading;
    }
    Ok(())
}

/// The place of a ruling and of its reading, from `NAME=READING`.
fn reading_called(text: &str, rules: &Ruleset) -> Result<(usize, u16), End> {
    let (name, reading) = text.split_once('=').unwrap_or((text, ""));
    let Some(at) = rules.rulings.iter().position(|r| r.name == name) else {
        let known: Vec<&str> = rules.rulings.iter().map(|r| r.name.as_str()).collect();
        wrong_name("ruling", name, &known);
        return Err(End::Trouble);
    };
    let words = rules
        .rulings
        .get(at)
        .and_then(|r| rules.word_sets.get(r.readings.index()))
        .map_or(&[][..], |s| &s.words);
    let Some(word) = words.iter().position(|w| w == reading) else {
        wrong_name("reading", reading, &words.iter().map(String::as_str).collect::<Vec<_>>());
        return Err(End::Trouble);
    };
    Ok((at, u16::try_from(word).unwrap_or(0)))
}

/// A name that the call got wrong, with the nearest and all that there are.
pub(super) fn wrong_name(what: &str, name: &str, known: &[&str]) {
    let help = match diag::suggest::closest(name, known.iter().copied()) {
        Some(near) => format!("write `{near}`"),
        None if known.is_empty() => format!("the ruleset has no {what}"),
        None => format!(
            "there are {}",
            known.iter().map(|k| format!("`{k}`")).collect::<Vec<_>>().join(", ")
        ),
    };
    message(&page(&format!("error: no {what} is called `{name}`\n  help: {help}\n")));
}

/// The same of things that have titles as well, by which no command knows them.
pub(super) fn wrong_id(what: &str, name: &str, known: &[(&str, &str)]) {
    let same = |(id, title): &&(&str, &str)| id != title && title.eq_ignore_ascii_case(name);
    match known.iter().find(same) {
        Some((id, title)) => message(&page(&format!(
            "error: no {what} is called `{name}`\n  help: write `{id}`, whose title is \"{title}\"\n"
        ))),
        None => wrong_name(what, name, &known.iter().map(|(id, _)| *id).collect::<Vec<_>>()),
    }
}

/// The side of a name.
pub(super) fn side_called(name: &str, rules: &Ruleset) -> Result<SideId, End> {
    match rules.sides.iter().position(|s| s.name == name) {
        Some(at) => Ok(SideId::at(at)),
        None => {
            wrong_name(
                "side",
                name,
                &rules.sides.iter().map(|s| s.name.as_str()).collect::<Vec<_>>(),
            );
            Err(End::Trouble)
        }
    }
}

/// The trace of a name; the first that a phase judges, or else the first, if nothing is said.
pub(super) fn trace_called(name: Option<&str>, rules: &Ruleset) -> Result<TraceId, End> {
    let found = match name {
        Some(name) => rules.traces.iter().position(|t| t.name == name),
        None => rules
            .traces
            .iter()
            .position(|t| t.judged.is_some())
            .or(if rules.traces.is_empty() { None } else { Some(0) }),
    };
    found.map(TraceId::at).ok_or_else(|| {
        let known: Vec<&str> = rules.traces.iter().map(|t| t.name.as_str()).collect();
        if known.is_empty() {
            let unit = rules.example_of(crate::ir::KindId::UNIT);
            message(&format!("error: the ruleset has no trace\n  help: write one, such as `trace supply of {unit} {{ ... }}`\n"));
        } else {
            wrong_name("trace", name.unwrap_or_default(), &known);
        }
        End::Trouble
    })
}

/// An answer that could not be worked out, told with its code and place; a finding about the rules.
pub(super) fn faulted(rules: &Ruleset, project: &Project, fault: EvalFault) -> End {
    broken(rules, &project.sources, fault)
}

fn broken(rules: &Ruleset, sources: &SourceMap, fault: EvalFault) -> End {
    told(&diag::render(
        &[fault_diagnostic(rules, fault)],
        sources,
        diag::Format::Full,
        stderr_style(),
    ));
    End::Findings
}

/// The position with its map, ready to be asked.
pub(super) fn asked<'a>(rules: &'a Ruleset, world: &'a World) -> Result<Position<'a>, End> {
    Position::new(rules, world).ok_or_else(|| {
        message("error: the ruleset has no map\n");
        End::Trouble
    })
}

/// Asks a position of the library; a fault of an answer is reported with its place in the rules.
pub(super) fn evaluated<T>(
    position: &facade::Position,
    ask: impl FnOnce(&Position<'_>, &dyn Fn(EvalFault) -> End) -> Result<T, End>,
) -> Result<T, End> {
    let game = position.game();
    let broken = |fault| broken(game.rules(), game.sources(), fault);
    position.with(|asked| Ok(ask(asked, &broken))).unwrap_or_else(|faults| {
        message(&format!("{faults}\n"));
        Err(End::Trouble)
    })
}
