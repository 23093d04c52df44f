//! A log run again: what it claims of its beginning, and where the run comes out otherwise.
//!
//! Each line of the run is held against the line of the log. The first line says what a run began
//! with, and nothing of it is believed: the name and the hash of the rules and the position are
//! written anew and compared, and dice of a seed are rolled again.

use std::path::Path;

use indexmap::IndexMap;

use super::run::{Format, Run, cut, fail};
use super::{End, message, print, stderr_style, told};
use crate::diag::{self, Diagnostic, code};
use crate::engine::Dice;
use crate::ir::Ruleset;
use crate::log;
use crate::project::Project;
use crate::source::SourceMap;

/// The longest log that is read, in bytes.
const MOST_LOG: usize = 128 << 20;

/// A log, as far as it has been held against its run.
pub(super) struct Replayed {
    lines: Vec<String>,
    /// What the run has come to so far; kept where all differences are listed.
    run: Vec<String>,
    at: usize,
    lists: bool,
    /// Whether the log says that it was made with other rules, which has been told.
    other_rules: bool,
}

/// A line of the log, of the run, or one of each that answer each other and differ.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
struct Difference {
    /// The line of the log, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    log: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    run: Option<String>,
}

impl Replayed {
    /// Reads a log and makes of it what its run began with.
    pub(super) fn open(
        path: &Path,
        project: &mut Project,
        rules: &Ruleset,
        lists: bool,
    ) -> Result<(Run, Replayed), End> {
        let text = read(path, project)?;
        let name = path.display().to_string();
        let replay = log::replay(&text).map_err(|(line, fault)| {
            refused(project, format!("line {line} of `{name}`: {}", cut(&fault)));
            End::Trouble
        })?;
        let begin = &replay.begin;
        let other_rules = begin.hash != rules.hash || begin.ruleset != rules.name;
        if other_rules {
            let text = match begin.ruleset == rules.name {
                true => {
                    format!("the log was made with other rules of `{}` than these", begin.ruleset)
                }
                false => format!(
                    "the log is of the ruleset `{}`, and this is `{}`",
                    cut(&begin.ruleset),
                    rules.name
                ),
            };
            let help = "what it comes to under these rules is compared all the same; to get a new log, run from the setup again";
            fail(project, &Diagnostic::bare(code::E1024, text).help(help));
        }
        let id = project.sources.next_id();
        project.sources.add(name, begin.position.to_string());
        let (world, faults) = crate::world::json::read(project.sources.text(id), id, rules);
        let Some(world) = world.filter(|_| !diag::has_errors(&faults)) else {
            told(&diag::render(&faults, &project.sources, diag::Format::Full, stderr_style()));
            return Err(End::Findings);
        };
        let mut orders = Vec::new();
        for given in &replay.orders {
            match given.order(rules, &world) {
                Ok(order) => orders.push((given.turn.unwrap_or(1), order, None)),
                Err((text, help)) => {
                    fail(project, &Diagnostic::bare(code::E1021, text).help(help));
                    return Err(End::Findings);
                }
            }
        }
        let dice = begin.seed.map_or_else(|| Dice::list(replay.dice.clone()), Dice::seeded);
        let lines = text.lines().map(str::to_owned).collect();
        let log = Replayed { lines, run: Vec::new(), at: 0, lists, other_rules };
        Ok((Run { world, begin: replay.begin, dice, orders }, log))
    }

    /// Whether differences are listed in place of the log.
    pub(super) fn lists(&self) -> bool {
        self.lists
    }

    /// Whether the log goes on with this line, as far as it matters here.
    pub(super) fn is_next(&self, json: &str) -> bool {
        // That the first line names other rules has been told.
        self.lists
            || self.lines.get(self.at).is_some_and(|log| log == json)
            || (self.at == 0 && self.other_rules)
    }

    /// The next line of the run; given back to be printed, unless differences are listed. The first
    /// difference ends the run where only that is asked for.
    pub(super) fn next(&mut self, json: String) -> Result<Option<String>, End> {
        let same = self.is_next(&json);
        self.at += 1;
        if self.lists {
            self.run.push(json);
            return Ok(None);
        }
        if same {
            return Ok(Some(json));
        }
        let log = self.lines.get(self.at - 1);
        Err(differs(self.at, log.map(String::as_str), Some(&json)))
    }

    /// What there is to say when the run has ended, as `played` says.
    pub(super) fn finish(&self, format: Format, played: Result<(), End>) -> Result<(), End> {
        if self.lists {
            return self.list(format).and(played);
        }
        played?;
        match self.lines.get(self.at) {
            Some(more) => Err(differs(self.at + 1, Some(more), None)),
            None if self.other_rules => {
                message("all that happens is the same, line by line\n");
                Err(End::Findings)
            }
            None => {
                message("the run is the same, line by line\n");
                Ok(())
            }
        }
    }

    fn list(&self, format: Format) -> Result<(), End> {
        let skipped = usize::from(self.other_rules);
        let found = differences(&self.lines, &self.run, skipped);
        for difference in &found {
            let text = match format {
                Format::Jsonl => {
                    diag::clean::json(&serde_json::to_string(difference).unwrap_or_default()) + "\n"
                }
                Format::Text => difference.text(),
            };
            print(&text)?;
        }
        match (found.len(), self.other_rules) {
            (0, false) => {
                message("the run is the same, line by line\n");
                Ok(())
            }
            (0, true) => {
                message("all that happens is the same, line by line\n");
                Err(End::Findings)
            }
            (count, _) => {
                let what = if count == 1 {
                    "1 line comes out otherwise".to_owned()
                } else {
                    format!("{count} lines come out otherwise")
                };
                let fault =
                    Diagnostic::bare(code::E1024, format!("{what} when the log is run again"));
                told(&diag::render(
                    &[fault],
                    &SourceMap::new(),
                    diag::Format::Full,
                    stderr_style(),
                ));
                Err(End::Findings)
            }
        }
    }
}

impl Difference {
    fn text(&self) -> String {
        let line = self
            .line
            .map_or_else(|| "no line of the log".to_owned(), |line| format!("line {line}"));
        let part = |name: &str, json: &Option<String>| match json {
            Some(json) => format!("  {name}: {}\n", shown(json)),
            None => format!("  {name}: nothing\n"),
        };
        format!("{line}\n{}{}", part("log", &self.log), part("run", &self.run))
    }
}

/// The lines that differ, in the order of the log. Lines that say the same of the same thing in the
/// same phase answer each other, wherever they stand.
fn differences(log: &[String], run: &[String], skipped: usize) -> Vec<Difference> {
    let mut by_key: IndexMap<String, (Vec<usize>, Vec<usize>)> = IndexMap::new();
    for (at, line) in log.iter().enumerate().skip(skipped) {
        by_key.entry(key(line)).or_default().0.push(at);
    }
    for (at, line) in run.iter().enumerate().skip(skipped) {
        by_key.entry(key(line)).or_default().1.push(at);
    }
    let mut found: Vec<(usize, Difference)> = Vec::new();
    for (mut ours, mut theirs) in by_key.into_values() {
        ours.retain(|at| match theirs.iter().position(|other| run.get(*other) == log.get(*at)) {
            Some(same) => {
                theirs.remove(same);
                false
            }
            None => true,
        });
        for nth in 0..ours.len().max(theirs.len()) {
            let (ours, theirs) = (ours.get(nth).copied(), theirs.get(nth).copied());
            let text =
                |lines: &[String], at: Option<usize>| at.and_then(|at| lines.get(at)).cloned();
            let difference = Difference {
                line: ours.map(|at| at + 1),
                log: text(log, ours),
                run: text(run, theirs),
            };
            found.push((ours.or(theirs).unwrap_or(0), difference));
        }
    }
    found.sort_by_key(|(at, _)| *at);
    let mut found: Vec<Difference> = found.into_iter().map(|(_, difference)| difference).collect();
    // The same lines in another order are another run.
    if found.is_empty()
        && let Some(at) =
            (skipped..log.len().max(run.len())).find(|at| log.get(*at) != run.get(*at))
    {
        found.push(Difference {
            line: Some(at + 1),
            log: log.get(at).cloned(),
            run: run.get(at).cloned(),
        });
    }
    found
}

/// What a line is about: all of it but what came.
fn key(line: &str) -> String {
    let Ok(serde_json::Value::Object(fields)) = serde_json::from_str(line) else {
        return String::new();
    };
    let names = [
        "turn", "moment", "side", "phase", "thing", "what", "trace", "test", "list", "fact", "of",
        "how",
    ];
    let mut key = String::from(if fields.contains_key("ended") { "ended" } else { "" });
    for name in names {
        key.push_str(&fields.get(name).map_or_else(String::new, serde_json::Value::to_string));
        key.push('\n');
    }
    key
}

fn differs(line: usize, log: Option<&str>, run: Option<&str>) -> End {
    let part = |json: Option<&str>| {
        json.map_or_else(|| "nothing more".to_owned(), |json| format!("`{}`", shown(json)))
    };
    let fault = Diagnostic::bare(
        code::E1024,
        format!("line {line} of the log is not what happens when it is run again"),
    )
    .help(format!(
        "the log has {}; the run has {}; all of them are listed with `--differences`",
        part(log),
        part(run)
    ));
    told(&diag::render(&[fault], &SourceMap::new(), diag::Format::Full, stderr_style()));
    End::Findings
}

/// A line of a log for a reader.
fn shown(json: &str) -> String {
    match serde_json::from_str::<log::Line>(json) {
        Ok(line) => log::said(&line),
        Err(_) => cut(json),
    }
}

fn read(path: &Path, project: &Project) -> Result<String, End> {
    let bytes = crate::source::read(path, MOST_LOG).map_err(|error| {
        message(&format!("error: `{}` cannot be read: {error}\n", path.display()));
        End::Trouble
    })?;
    if bytes.len() > MOST_LOG {
        refused(
            project,
            format!("`{}` is longer than a log may be, {} MiB", path.display(), MOST_LOG >> 20),
        );
        return Err(End::Trouble);
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn refused(project: &Project, text: String) {
    let help = "a log is made by `sutler run --format jsonl`";
    fail(project, &Diagnostic::bare(code::E1025, text).help(help));
}
