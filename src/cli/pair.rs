//! Two rulesets, or one under two readings, opened to be compared.

use std::path::PathBuf;

use super::open::{Whole, open_pair, readings_of};
use super::{End, message};
use crate::compare::{self, Change, Compared, Kind, PartChange, Suspects};
use crate::ir::Ruleset;

/// What is compared with what.
#[derive(clap::Args)]
pub(super) struct PairArgs {
    /// The ruleset before: its folder, or the file of a variant
    pub a: PathBuf,
    /// The ruleset after; the same one, if nothing is said
    pub b: Option<PathBuf>,
    /// A reading of the rules before
    #[arg(long = "ruling", value_name = "NAME=READING")]
    pub rulings: Vec<String>,
    /// A reading of the rules after
    #[arg(long, value_name = "NAME=READING")]
    pub against: Vec<String>,
}

impl PairArgs {
    /// Refuses a call in which both are the same.
    pub(super) fn differ(&self) -> Result<(), End> {
        if self.b.is_some() || !self.rulings.is_empty() || !self.against.is_empty() {
            return Ok(());
        }
        message(
            "error: there is nothing to compare\n  help: name a second ruleset, or another reading with `--against NAME=READING`\n",
        );
        Err(End::Trouble)
    }
}

/// Two rulesets, or one under two readings.
pub(super) struct Pair {
    pub whole: Whole,
    /// What the second is resolved from; none where only readings differ.
    pub second: Option<crate::check::Resolved>,
    pub rules: (Ruleset, Ruleset),
    pub compared: (Compared, Compared),
    pub changes: Vec<Change>,
}

impl Pair {
    pub(super) fn open(args: &PairArgs, cases: bool) -> Result<Pair, End> {
        let (whole, second) = open_pair(&args.a, args.b.as_deref(), cases)?;
        let mut rules = (
            whole.rules.clone(),
            second.as_ref().map_or_else(|| whole.rules.clone(), |(_, rules)| rules.clone()),
        );
        let mut compared = (Compared::of(&rules.0), Compared::of(&rules.1));
        (compared.0.readings, compared.1.readings) = (args.rulings.clone(), args.against.clone());
        readings_of(&args.rulings, &mut rules.0)?;
        readings_of(&args.against, &mut rules.1)?;
        let mut changes = match &second {
            Some((resolved, b)) => {
                let side = compare::Side { resolved, sources: &whole.project.sources, rules: b };
                compare::diff(whole.side(), side).changes
            }
            None => Vec::new(),
        };
        changes.extend(reading_changes(
            &rules.0,
            &rules.1,
            &whole.rules,
            second.as_ref().map(|(_, rules)| rules),
        ));
        Ok(Pair { whole, second: second.map(|(resolved, _)| resolved), rules, compared, changes })
    }

    pub(super) fn suspects(&self) -> Suspects<'_> {
        let sources = &self.whole.project.sources;
        let second = self.second.as_ref().map(|resolved| (resolved, sources));
        let texts: Vec<_> = [(&self.whole.resolved, sources)].into_iter().chain(second).collect();
        Suspects::new(&self.changes, &texts)
    }

    /// Says which tables are not the same and are not compared by themselves.
    pub(super) fn say_unasked(&self, suspects: &Suspects<'_>) {
        for table in suspects.unasked(&self.rules.0) {
            message(&format!(
                "table {table} is not the same; tables of spaces are compared where others read them, \
                 and asked with `sutler ask RULESET {table} --of KIND`\n"
            ));
        }
    }
}

/// The rulings and options whose reading in force is not what their own ruleset says.
pub(super) fn reading_changes(
    a: &Ruleset,
    b: &Ruleset,
    own_a: &Ruleset,
    own_b: Option<&Ruleset>,
) -> Vec<Change> {
    let own_b = own_b.unwrap_or(own_a);
    let tried = |now: &Ruleset, own: &Ruleset, name: &str| {
        let of = |rules: &Ruleset| rules.rulings.iter().find(|r| r.name == name).map(|r| r.default);
        of(now) != of(own)
    };
    let changed = a.rulings.iter().filter(|r| tried(a, own_a, &r.name) || tried(b, own_b, &r.name));
    changed
        .filter_map(|before| {
            let after = b.rulings.iter().find(|r| r.name == before.name)?;
            let (was, now) = (
                word(a, before.readings, before.default)?,
                word(b, after.readings, after.default)?,
            );
            let parts =
                vec![PartChange { part: "reading".to_owned(), was: Some(was), now: Some(now) }];
            let noun = if before.option { "option" } else { "ruling" }.to_owned();
            Some(Change {
                what: Kind::Changed,
                noun,
                name: before.name.clone(),
                place: None,
                parts,
            })
        })
        .collect()
}

pub(super) fn word(rules: &Ruleset, set: crate::ir::WordSetId, at: u16) -> Option<String> {
    rules.word_sets.get(set.index())?.words.get(usize::from(at)).cloned()
}
