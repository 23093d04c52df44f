//! Exact odds in words and in JSON: fractions, percents to two places, bars.

use indexmap::IndexMap;
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use serde::Serialize;

use super::bearing::{Roll, roll};
use super::fate::{about, fate, fates};
use super::thing_name;
use crate::arrange::Arrange as _;
use crate::engine::odds::{Cell, Change, End, Odds, OddsFault, readers};
use crate::ir::*;
use crate::kernel::{EvalFault, Fraction, Position};
use crate::world::{ThingRef, World};

/// One line of odds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Chance {
    /// What comes.
    pub what: String,
    /// How likely, exactly: `3/10`.
    pub chance: String,
    /// The same in percent to two places, halves up: `30.00`.
    pub percent: String,
    /// How likely it is without the retry, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub without: Option<Share>,
    /// How likely, as a number.
    #[serde(skip)]
    pub(super) exact: Fraction,
    /// The length of its bar, in fortieths.
    #[serde(skip)]
    pub(super) bar: usize,
}

/// A chance by itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Share {
    /// Exactly.
    pub chance: String,
    /// In percent to two places.
    pub percent: String,
}

/// The odds of one test for its things.
#[derive(Debug, Clone, Serialize)]
pub struct TestOdds {
    /// The schema of this report.
    pub schema: u32,
    /// The ruleset.
    pub ruleset: String,
    /// The hash of its resolved rules.
    pub hash: String,
    /// The test.
    pub test: String,
    /// What is thrown.
    pub dice: String,
    /// One entry a thing.
    pub odds: Vec<ThingOdds>,
    /// The steps of phases that read what comes, in the order of the phases.
    pub then: Vec<Reader>,
}

/// A line of the rules that reads what a test has come to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Reader {
    /// Its words: `phase losses, do remove`.
    pub line: String,
    /// The first clause it cites.
    pub clause: Option<String>,
}

/// What can become of one thing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ThingOdds {
    /// Its id.
    pub id: String,
    /// Its side.
    pub side: Option<String>,
    /// Where it stands.
    pub space: Option<String>,
    /// Of a list of tests: the rolls that are due, in their order, each as if it were made now.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rolls: Vec<ListedRoll>,
    /// What can come, and how likely, with what bears on it where it is a test.
    #[serde(flatten)]
    pub roll: Roll,
}

/// One roll of a list of tests.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ListedRoll {
    /// The row of the list.
    pub row: String,
    /// The units and spaces by which the row holds.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub by: Vec<String>,
    /// The first clause of the row.
    pub clause: Option<String>,
    /// The test.
    pub test: String,
    /// What is thrown.
    pub dice: String,
    /// What can come of it, and what bears on it.
    #[serde(flatten)]
    pub roll: Roll,
}

/// The odds of what runs.
#[derive(Debug, Clone, Serialize)]
pub struct RunOdds {
    /// The schema of this report.
    pub schema: u32,
    /// The ruleset.
    pub ruleset: String,
    /// The hash of its resolved rules.
    pub hash: String,
    /// What runs, as it was asked.
    pub run: Vec<String>,
    /// In how many ways it can end; none if each unit was solved alone.
    pub ends: Option<usize>,
    /// What can become of each unit that may change.
    pub units: Vec<ThingOdds>,
    /// What can become of each amount and fact that is not of a unit; only from all ends together.
    pub others: Vec<ThingOdds>,
    /// All ends, likeliest first, without what is the same in all of them, if they were asked for;
    /// of the units that were named, if any were.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub joint: Option<Vec<Chance>>,
}

impl Share {
    pub(super) fn of(chance: Fraction) -> Share {
        Share { chance: chance.to_string(), percent: percent(&chance) }
    }
}

impl Chance {
    /// The number of floating point that is nearest to it, from 0 to 1.
    #[must_use]
    pub fn nearest(&self) -> f64 {
        self.exact.to_f64().unwrap_or(f64::NAN)
    }

    /// What comes so likely, and how likely it is without the retry, if there is one.
    pub(super) fn new(what: String, chance: Fraction, without: Option<Fraction>) -> Chance {
        let bar = (&chance * BigInt::from(40)).round().to_integer().to_usize().unwrap_or(0);
        Chance {
            what,
            chance: chance.to_string(),
            percent: percent(&chance),
            without: without.map(Share::of),
            bar,
            exact: chance,
        }
    }
}

/// A chance in percent to two places, by whole numbers alone, halves up.
#[must_use]
pub fn percent(chance: &Fraction) -> String {
    let hundredths =
        (chance * BigInt::from(10_000) + Fraction::new(1.into(), 2.into())).floor().to_integer();
    let hundred = BigInt::from(100);
    let (whole, rest): (BigInt, BigInt) = (&hundredths / &hundred, &hundredths % &hundred);
    format!("{whole}.{:02}", rest.to_u32().unwrap_or(0))
}

/// A test, or a list of tests that is rolled through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tested {
    /// one test
    Test(TestId),
    /// a list of tests
    List(TableId),
}

/// The names of tests and of lists of tests.
pub fn tested_names(rules: &Ruleset) -> impl Iterator<Item = &str> + Clone {
    let lists = rules.tables.iter().filter(|t| t.policy == Policy::All);
    rules.tests.iter().map(|t| t.name.as_str()).chain(lists.map(|t| t.name.as_str()))
}

/// A test or a list of a name, and the kind of things that it is about.
#[must_use]
pub fn tested(rules: &Ruleset, name: &str) -> Option<(Tested, KindId)> {
    if let Some(at) = rules.tests.iter().position(|t| t.name == name) {
        return Some((Tested::Test(TestId::at(at)), rules.tests.get(at)?.of));
    }
    let at = rules.tables.iter().position(|t| t.name == name && t.policy == Policy::All)?;
    Some((Tested::List(TableId::at(at)), rules.tables.get(at)?.of?))
}

/// All that can come of a test or of a list of tests, as its odds call it.
#[must_use]
pub fn results(rules: &Ruleset, tested: Tested) -> Vec<String> {
    match tested {
        Tested::Test(test) => {
            let words = rules.tests.get(test.index()).map(|test| test.outcomes);
            let words = words.and_then(|set| rules.word_sets.get(set.index()));
            words.map_or_else(Vec::new, |set| set.words.clone())
        }
        Tested::List(list) => {
            let rows = rules.tables.get(list.index()).into_iter().flat_map(|table| &table.rows);
            let stops = rows.map(|row| stops_at(&row.name));
            stops.chain([GOES_THROUGH.to_owned()]).collect()
        }
    }
}

/// What comes of a list of tests that stops nowhere.
const GOES_THROUGH: &str = "goes through";

fn stops_at(row: &str) -> String {
    format!("stops at {row}")
}

/// All things of a kind that stand somewhere, units first; then sides and the world.
#[must_use]
pub fn things_of_kind(position: &Position<'_>, of: KindId) -> Vec<ThingRef> {
    let stands = |thing: &ThingRef| match thing {
        ThingRef::Unit(unit) => {
            position.world.space_of(*unit).is_some() || position.world.stand(*unit).is_some()
        }
        _ => true,
    };
    super::all_of_kind(position, of).into_iter().filter(stands).collect()
}

/// The odds of a test or of a list of tests for things.
///
/// # Errors
///
/// What cannot be worked out, or that a list has too many rolls.
pub fn odds_of_test(
    position: &Position<'_>,
    tested: Tested,
    things: &[ThingRef],
) -> Result<TestOdds, OddsFault> {
    match tested {
        Tested::Test(test) => Ok(test_odds(position, test, things)?),
        Tested::List(list) => list_odds(position, list, things),
    }
}

/// The odds of a test for things, with the modifiers that bear on each.
pub fn test_odds(
    position: &Position<'_>,
    test: TestId,
    things: &[ThingRef],
) -> Result<TestOdds, EvalFault> {
    let rules = position.rules;
    let rule = &rules.tests[test.index()];
    let mut all = Vec::new();
    for thing in things {
        let odds = roll(position, test, *thing)?;
        all.push(head(rules, position.world, *thing, odds));
    }
    Ok(TestOdds {
        schema: 1,
        ruleset: rules.name.clone(),
        hash: rules.hash.clone(),
        test: rule.name.clone(),
        dice: print_dice(&rule.dice),
        odds: all,
        then: readers_of(rules, Some(test), None),
    })
}

/// Where a roll of a list of tests can stop for things, each row with its exact chance.
pub fn list_odds(
    position: &Position<'_>,
    list: TableId,
    things: &[ThingRef],
) -> Result<TestOdds, OddsFault> {
    let rules = position.rules;
    let table = &rules.tables[list.index()];
    let mut all = Vec::new();
    for thing in things {
        let said = |at: Option<usize>| match at.and_then(|at| table.rows.get(at)) {
            Some(row) => stops_at(&row.name),
            None => GOES_THROUGH.to_owned(),
        };
        let odds = crate::engine::odds::list_odds(position, list, *thing)?;
        let chances =
            odds.into_iter().map(|(at, chance)| Chance::new(said(at), chance, None)).collect();
        let mut found = plain(rules, position.world, *thing, chances);
        for at in position.listed(list, *thing)? {
            found.rolls.push(listed(position, (list, at), *thing)?);
        }
        all.push(found);
    }
    let rolls =
        table.rows.iter().zip(&table.tests).map(|(row, test)| {
            format!("{} {}", row.name, print_dice(&rules.tests[test.index()].dice))
        });
    Ok(TestOdds {
        schema: 1,
        ruleset: rules.name.clone(),
        hash: rules.hash.clone(),
        test: table.name.clone(),
        dice: rolls.collect::<Vec<_>>().join(", "),
        odds: all,
        then: readers_of(rules, None, Some(list)),
    })
}

fn readers_of(rules: &Ruleset, test: Option<TestId>, list: Option<TableId>) -> Vec<Reader> {
    let named = |line: LineId| {
        let name = rules.lines.get(line.index()).map_or_else(String::new, |l| l.name.clone());
        Reader { line: name, clause: rules.first_clause(line).map(str::to_owned) }
    };
    let mut all: Vec<Reader> = readers(rules, test, list).into_iter().map(named).collect();
    // Steps that do the same under other conditions are one line here.
    all.dedup();
    all
}

/// One roll of a list, as if it were made now.
fn listed(
    position: &Position<'_>,
    (list, at): (TableId, usize),
    thing: ThingRef,
) -> Result<ListedRoll, EvalFault> {
    let rules = position.rules;
    let (table, test) = (&rules.tables[list.index()], rules.tables[list.index()].tests[at]);
    let by = position.listed_by(list, at, thing)?;
    Ok(ListedRoll {
        row: table.rows[at].name.clone(),
        by: by.into_iter().map(|thing| thing_name(rules, position.world, thing)).collect(),
        clause: rules.first_clause(table.rows[at].line).map(str::to_owned),
        test: rules.tests[test.index()].name.clone(),
        dice: print_dice(&rules.tests[test.index()].dice),
        roll: roll(position, test, thing)?,
    })
}

fn plain(rules: &Ruleset, world: &World, thing: ThingRef, odds: Vec<Chance>) -> ThingOdds {
    head(rules, world, thing, Roll { odds, ..Roll::default() })
}

fn head(rules: &Ruleset, world: &World, thing: ThingRef, roll: Roll) -> ThingOdds {
    let name = |thing: ThingRef| thing_name(rules, world, thing);
    let (side, space) = match thing {
        ThingRef::Unit(u) => (world.owner(u), world.space_of(u)),
        ThingRef::Space(s) => (world.control(s), None),
        ThingRef::Link(_) | ThingRef::Side(_) | ThingRef::World => (None, None),
    };
    ThingOdds {
        id: name(thing),
        side: side.map(|s| name(ThingRef::Side(s))),
        space: space.map(|s| name(ThingRef::Space(s))),
        rolls: Vec::new(),
        roll,
    }
}

/// The odds of what runs: each unit by itself, then what is not of units, then, if asked for, all
/// together. With `only`, nothing is said of other units.
#[must_use]
pub fn run_odds(
    rules: &Ruleset,
    world: &World,
    run: Vec<String>,
    odds: &Odds,
    only: &[u32],
    joint: Option<&[End]>,
) -> RunOdds {
    let wanted = |unit: u32| only.is_empty() || only.contains(&unit);
    let marginal = |ends: &[End], thing: ThingRef| {
        let found = fates(ends, |cell| about(rules, *cell) == thing);
        (found.len() > 1 || found.keys().any(|k| !k.is_empty())).then(|| {
            let odds = lines(rules, world, found, thing);
            plain(rules, world, thing, odds)
        })
    };
    let (ends, mut units, mut others) = (
        if let Odds::Joint(ends) = odds { Some(ends.len()) } else { None },
        Vec::new(),
        Vec::new(),
    );
    match odds {
        Odds::Alone(all) => {
            let of = |(unit, ends): &(u32, Vec<End>)| {
                wanted(*unit).then(|| marginal(ends, ThingRef::Unit(*unit))).flatten()
            };
            units.extend(all.iter().filter_map(of));
        }
        Odds::Joint(ends) => {
            let mut things: Vec<ThingRef> = ends
                .iter()
                .flat_map(|(changes, _)| changes)
                .map(|(cell, _)| about(rules, *cell))
                .collect();
            things.arrange();
            things.dedup();
            for thing in things {
                match thing {
                    ThingRef::Unit(unit) if wanted(unit) => units.extend(marginal(ends, thing)),
                    ThingRef::Unit(_) => {}
                    _ => others.extend(by_cell(rules, world, ends, thing)),
                }
            }
        }
    }
    let joint = joint.map(|ends| together(rules, world, ends, only));
    RunOdds {
        schema: 1,
        ruleset: rules.name.clone(),
        hash: rules.hash.clone(),
        run,
        ends,
        units,
        others,
        joint,
    }
}

/// All ends, likeliest first, without what is the same in all of them; of some units alone, if any
/// are named.
fn together(rules: &Ruleset, world: &World, ends: &[End], only: &[u32]) -> Vec<Chance> {
    let shared = |change: &Change| ends.iter().all(|(changes, _)| changes.contains(change));
    let named = |cell: &Cell| {
        only.is_empty()
            || matches!(about(rules, *cell), ThingRef::Unit(unit) if only.contains(&unit))
    };
    let first = ends.first().map_or(&[][..], |(changes, _)| changes);
    let same: Vec<Change> = first.iter().filter(|c| shared(c)).copied().collect();
    let differing = |(changes, chance): &End| {
        let own = changes.iter().filter(|c| named(&c.0) && !same.contains(c)).copied().collect();
        (own, chance.clone())
    };
    let ends: Vec<End> = ends.iter().map(differing).collect();
    let mut all: Vec<(Vec<Change>, Fraction)> = fates(&ends, |_| true).into_iter().collect();
    all.arrange_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let said = |changes: &[Change]| match changes {
        [] => "nothing else".to_owned(),
        changes => fate(rules, world, changes, None),
    };
    all.into_iter().map(|(changes, chance)| Chance::new(said(&changes), chance, None)).collect()
}

/// What is not of a unit is told number by number, so that each amount has a distribution of its
/// own.
fn by_cell(rules: &Ruleset, world: &World, ends: &[End], thing: ThingRef) -> Vec<ThingOdds> {
    let mut cells: Vec<Cell> = ends
        .iter()
        .flat_map(|(changes, _)| changes)
        .map(|(cell, _)| *cell)
        .filter(|c| about(rules, *c) == thing)
        .collect();
    cells.arrange();
    cells.dedup();
    let one = |cell: Cell| {
        let found = fates(ends, |c| *c == cell);
        plain(rules, world, thing, lines(rules, world, found, thing))
    };
    cells.into_iter().map(one).collect()
}

fn lines(
    rules: &Ruleset,
    world: &World,
    found: IndexMap<Vec<(Cell, i64)>, Fraction>,
    thing: ThingRef,
) -> Vec<Chance> {
    let mut found: Vec<_> = found.into_iter().collect();
    found.arrange_by(|a, b| a.0.cmp(&b.0));
    found
        .into_iter()
        .map(|(changes, chance)| {
            Chance::new(fate(rules, world, &changes, Some(thing)), chance, None)
        })
        .collect()
}
