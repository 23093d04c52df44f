//! Positions with the answers of the rules as they are, and how many of them are others by rules
//! with other numbers.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use indexmap::IndexSet;
use serde::Serialize;

use crate::compare::{Asking, Thing, called};
use crate::diag::{Diagnostic, code};
use crate::ir::{Case, Part, Ruleset};
use crate::play::pump;
use crate::source::Span;
use crate::suite::each_position;
use crate::world::{World, json};

/// The most answers that are kept to be compared.
pub const MOST_ANSWERS: u64 = 50_000_000;

/// Positions that are asked together.
const TOGETHER: usize = 128;

/// Names of things that flip that are kept for a variant.
const MOST_NAMES: usize = 1_000;

/// Positions, each with a name, and all that the rules answer to them.
pub struct Corpus<'r> {
    rules: &'r Ruleset,
    positions: Vec<(String, World)>,
    questions: Vec<(&'static str, &'r str)>,
    /// Which of them are asked.
    asked: Vec<bool>,
    /// For each position, for each question, the answer to each thing as a number among `words`.
    answers: Vec<Vec<Vec<u32>>>,
    words: IndexSet<String>,
    total: u64,
}

impl std::fmt::Debug for Corpus<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Corpus").field("positions", &self.positions.len()).finish_non_exhaustive()
    }
}

/// An answer that is not the same.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Flip {
    /// The name of the position.
    pub position: String,
    /// `trace supply`.
    pub question: String,
    /// The thing that is asked about.
    pub of: String,
    /// The answer by the rules as they are.
    pub was: String,
    /// The answer by the variant.
    pub now: String,
}

/// The answers that are not the same by a variant.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Flips {
    /// How many they are.
    pub flips: u64,
    /// How many by question.
    pub by: BTreeMap<String, u64>,
    /// The things of which an answer flips, in the order in which they are met.
    #[serde(serialize_with = "listed")]
    pub things: IndexSet<String>,
    /// The first of them.
    pub first: Option<Flip>,
    /// Positions that the variant cannot read, whose answers are not compared.
    pub unread: u64,
}

/// The positions of the cases of a ruleset at their expectations, each once a case.
#[must_use]
pub fn of_cases(rules: &Ruleset) -> Vec<(String, World)> {
    let mut found = Vec::new();
    for case in &rules.cases {
        let mut own: Vec<World> = Vec::new();
        each_position(rules, case, |_, world| {
            if !own.contains(world) {
                own.push(world.clone());
            }
        });
        found.extend(named(case, own));
    }
    found
}

/// The tables that a rule reads: steps on the way to other answers.
#[must_use]
pub fn read_tables(rules: &Ruleset) -> BTreeSet<String> {
    let in_case = |span: Span| {
        let holds = |case: &Case| {
            case.whole.source == span.source
                && case.whole.start <= span.start
                && span.end <= case.whole.end
        };
        rules.cases.iter().any(holds)
    };
    let mut found = BTreeSet::new();
    for (node, span) in rules.nodes.iter().zip(&rules.node_spans) {
        rules.for_each_part(node, &mut |part| {
            let Part::Table(id) = part else { return };
            let name = rules.tables.get(id.index()).map(|table| table.name.clone());
            found.extend(name.filter(|name| !found.contains(name) && !in_case(*span)));
        });
    }
    found
}

/// Positions of a case by its title, counted where there are several.
fn named(case: &Case, worlds: Vec<World>) -> impl Iterator<Item = (String, World)> + '_ {
    let several = worlds.len() > 1;
    worlds.into_iter().enumerate().map(move |(at, world)| {
        let nth = if several { format!(", position {}", at + 1) } else { String::new() };
        (format!("case \"{}\"{nth}", case.title), world)
    })
}

impl<'r> Corpus<'r> {
    /// Asks the rules as they are, those questions that are `counted`.
    ///
    /// # Errors
    ///
    /// E1073 where there are too many answers.
    pub fn new(
        rules: &'r Ruleset,
        positions: Vec<(String, World)>,
        counted: &dyn Fn(&str, &str) -> bool,
        jobs: usize,
    ) -> Result<Corpus<'r>, Box<Diagnostic>> {
        let questions: Vec<_> = Asking::new(rules).questions().collect();
        let (answers, words, total) = (Vec::new(), IndexSet::new(), 0);
        let wanted: Vec<bool> = questions.iter().map(|(noun, name)| counted(noun, name)).collect();
        let asked = wanted.clone();
        let mut corpus = Corpus { rules, positions, questions, asked, answers, words, total };
        let all = 0..corpus.positions.len() as u64;
        let worlds: Vec<&World> = corpus.positions.iter().map(|(_, world)| world).collect();
        let (mut kept, mut words, mut total) = (Vec::new(), IndexSet::new(), 0u64);
        let make = || {
            let mut asking = Asking::new(rules);
            let (worlds, wanted) = (&worlds, &wanted);
            move |range: Range<u64>| {
                let worlds = some(worlds, range);
                let mut found = vec![vec![Vec::new(); wanted.len()]; worlds.len()];
                asking.each(worlds, wanted, &mut |(position, question), _, said| {
                    if let Some(of) = found.get_mut(position).and_then(|p| p.get_mut(question)) {
                        of.push(said);
                    }
                });
                found
            }
        };
        side_by_side((all, jobs, TOGETHER as u64), make, |found: Vec<Vec<Vec<String>>>| {
            for position in found {
                let questions = position.into_iter().map(|question| {
                    total = total.saturating_add(question.len() as u64);
                    question.into_iter().map(|said| number_of(&mut words, said)).collect()
                });
                kept.push(questions.collect::<Vec<Vec<u32>>>());
            }
            if total > MOST_ANSWERS { Err(too_many()) } else { Ok(()) }
        })?;
        (corpus.answers, corpus.words, corpus.total) = (kept, words, total);
        Ok(corpus)
    }

    /// How many positions there are.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.positions.len()
    }

    /// How many answers there are to them.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.total
    }

    /// The questions, each by its noun and its name.
    #[must_use]
    pub fn questions(&self) -> &[(&'static str, &'r str)] {
        &self.questions
    }

    /// Which of them are asked.
    #[must_use]
    pub fn asked(&self) -> &[bool] {
        &self.asked
    }

    /// Asks a variant those questions that are wanted, and compares.
    #[must_use]
    pub fn flips(&self, variant: &Ruleset, wanted: &[bool]) -> Flips {
        let mut found = Flips::default();
        // A position says what it says by rules with the same facts; by others it is read anew.
        let same = self.rules.facts.iter().map(|f| f.ty).eq(variant.facts.iter().map(|f| f.ty));
        let positions = json::Positions::new(variant);
        let mut asking = Asking::new(variant);
        for start in (0..self.positions.len()).step_by(TOGETHER) {
            let of = start..(start + TOGETHER).min(self.positions.len());
            let here = self.positions.get(of).unwrap_or_default();
            let anew: Vec<Option<World>> = match same {
                true => Vec::new(),
                false => {
                    here.iter().map(|(_, world)| anew(self.rules, world, &positions)).collect()
                }
            };
            let read =
                |at: usize| if same { Some(&here.get(at)?.1) } else { anew.get(at)?.as_ref() };
            let (places, worlds): (Vec<usize>, Vec<&World>) =
                (0..here.len()).filter_map(|at| Some((start + at, read(at)?))).unzip();
            found.unread += (here.len() - worlds.len()) as u64;
            let mut comparing = Comparison { corpus: self, places: &places, last: None, nth: 0 };
            asking.each(&worlds, wanted, &mut |of, thing, said| {
                comparing.hear(of, thing, said, &mut found);
            });
        }
        found
    }
}

/// A position as other rules read it.
pub(super) fn anew(rules: &Ruleset, world: &World, variant: &json::Positions<'_>) -> Option<World> {
    let mut sources = crate::source::SourceMap::new();
    let id = sources.add("position.json", json::write(rules, world));
    let (world, faults) = variant.read(sources.text(id), id);
    world.filter(|_| !crate::diag::has_errors(&faults))
}

/// The answers of a variant as they come, each beside that of the rules as they are.
struct Comparison<'c, 'r> {
    corpus: &'c Corpus<'r>,
    /// The places of the positions that are asked.
    places: &'c [usize],
    /// The position and the question of the last answer, and its place among theirs.
    last: Option<(usize, usize)>,
    nth: usize,
}

impl Comparison<'_, '_> {
    fn hear(&mut self, of: (usize, usize), thing: Thing, said: String, found: &mut Flips) {
        self.nth = if self.last == Some(of) { self.nth + 1 } else { 0 };
        self.last = Some(of);
        let (Some(place), question) = (self.places.get(of.0).copied(), of.1) else { return };
        let known = self.corpus.answers.get(place).and_then(|p| p.get(question));
        let was = known
            .and_then(|q| q.get(self.nth))
            .and_then(|at| self.corpus.words.get_index(*at as usize));
        if was.is_some_and(|was| *was == said) {
            return;
        }
        let (Some((noun, name)), Some((position, world))) =
            (self.corpus.questions.get(question), self.corpus.positions.get(place))
        else {
            return;
        };
        let question = format!("{noun} {name}");
        found.flips += 1;
        let of = called(self.corpus.rules, world, thing);
        if found.first.is_none() {
            let (was, position) = (was.cloned().unwrap_or_default(), position.clone());
            let (question, of) = (question.clone(), of.clone());
            found.first = Some(Flip { position, question, of, was, now: said });
        }
        *found.by.entry(question).or_default() += 1;
        if found.things.len() < MOST_NAMES {
            found.things.insert(of);
        }
    }
}

fn some<T>(all: &[T], range: Range<u64>) -> &[T] {
    let at = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
    all.get(at(range.start)..at(range.end)).unwrap_or_default()
}

fn number_of(words: &mut IndexSet<String>, said: String) -> u32 {
    let at = match words.get_index_of(&said) {
        Some(at) => at,
        None => words.insert_full(said).0,
    };
    u32::try_from(at).unwrap_or(u32::MAX)
}

fn too_many() -> Box<Diagnostic> {
    Box::new(
        Diagnostic::bare(
            code::E1073,
            format!(
                "the positions have more than {MOST_ANSWERS} answers, and no more are compared"
            ),
        )
        .help("name fewer positions"),
    )
}

/// Does the work of all numbers on several threads, or on this one where there is no room for
/// others; `give` takes what comes of it in order.
pub(super) fn side_by_side<D: Send, E, W: FnMut(Range<u64>) -> D>(
    (numbers, jobs, parcel): (Range<u64>, usize, u64),
    make: impl Fn() -> W + Sync,
    mut give: impl FnMut(D) -> Result<(), E>,
) -> Result<(), E> {
    if jobs > 1
        && let Ok(done) = pump(numbers.clone(), (jobs, parcel), &make, &mut give)
    {
        return done;
    }
    pump(numbers, (1, parcel), &make, &mut give).unwrap_or(Ok(()))
}

fn listed<S: serde::Serializer>(things: &IndexSet<String>, to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(things)
}
