//! Lines that are searched among the same gates and costs: what they share is searched once.

use std::sync::{Arc, Mutex, PoisonError};

use super::Position;
use super::field::Field;
use super::flood::{Flood, NO_LINE, Part, Terms, Worth};
use crate::ir::{Leg, Trace, TraceId};

/// All lines of a trace that are searched among the same gates and costs.
#[derive(Debug)]
pub(super) struct Group {
    pub trace: TraceId,
    pub terms: Terms,
    made: Mutex<Made>,
}

/// What has been searched so far.
#[derive(Debug, Default)]
struct Made {
    /// For each leg what was searched of it, with different ends or budgets.
    floods: Vec<Vec<Arc<Flood>>>,
    tails: Vec<Arc<Tail>>,
    /// By the budgets that count.
    fields: Vec<Arc<Field>>,
}

/// All of a chain of legs but its first place.
#[derive(Debug)]
pub(super) struct Tail {
    /// Whether its lines end at sources alone.
    to_sources: bool,
    /// The budgets of its legs; none for those of the first place.
    budgets: Vec<Option<u32>>,
    /// For each leg behind the first place its ways.
    pub floods: Vec<Option<Arc<Flood>>>,
    /// For each place but the first, and the end after the last, the best line that begins there.
    pub starts: Vec<Arc<[Worth]>>,
}

impl Tail {
    /// For each space what the best line comes to that begins there, after the last place.
    pub fn goal(&self) -> &[Worth] {
        self.starts.last().map_or(&[], |goal| goal)
    }
}

impl Group {
    pub fn new(trace: TraceId, terms: Terms) -> Group {
        Group { trace, terms, made: Mutex::default() }
    }

    /// The field of things with these budgets.
    pub fn field(
        &self,
        position: &Position<'_>,
        rule: &Trace,
        budgets: &[Option<u32>],
    ) -> Arc<Field> {
        if let Some(field) = self.made().fields.iter().find(|field| field.has_budgets(budgets)) {
            return Arc::clone(field);
        }
        let Terms { gates, enter, .. } = &self.terms;
        let field = Field::among(position, rule, gates, Arc::clone(enter), budgets.to_vec());
        let field = Arc::new(field);
        self.made().fields.push(Arc::clone(&field));
        field
    }

    /// The tail of lines that go on to this goal; to the sources where none is given.
    pub fn tail(
        &self,
        position: &Position<'_>,
        rule: &Trace,
        goal: Option<&[Worth]>,
        budgets: &[Option<u32>],
    ) -> Arc<Tail> {
        let later =
            |(leg, budget): (&Leg, &Option<u32>)| if leg.place == 0 { None } else { *budget };
        let budgets: Vec<Option<u32>> = rule.legs.iter().zip(budgets).map(later).collect();
        let same = |tail: &&Arc<Tail>| {
            tail.budgets == budgets && goal.map_or(tail.to_sources, |goal| *tail.goal() == *goal)
        };
        if let Some(tail) = self.made().tails.iter().find(same) {
            return Arc::clone(tail);
        }
        let sources = || self.terms.gates.source.iter().map(|s| s.map_or(NO_LINE, |_| 0));
        let ends: Arc<[Worth]> = goal.map_or_else(|| sources().collect(), Arc::from);
        let tail =
            Tail { to_sources: goal.is_none(), ..self.searched(position, rule, ends, budgets) };
        let tail = Arc::new(tail);
        self.made().tails.push(Arc::clone(&tail));
        tail
    }

    fn searched(
        &self,
        position: &Position<'_>,
        rule: &Trace,
        goal: Arc<[Worth]>,
        budgets: Vec<Option<u32>>,
    ) -> Tail {
        let places = usize::from(rule.places);
        let mut floods = vec![None; rule.legs.len()];
        let cells = goal.len();
        let mut starts = vec![goal];
        for place in (1..places).rev() {
            let ends = Arc::clone(&starts[starts.len() - 1]);
            let legs = (0..rule.legs.len()).filter(|l| usize::from(rule.legs[*l].place) == place);
            let mut here = vec![NO_LINE; cells];
            for leg in legs {
                let flood = self.flood(position, (rule, leg), &ends, budgets[leg]);
                for (space, cell) in (0u32..).zip(&mut here) {
                    let begun = self.begun(position, (rule, leg), &flood, budgets[leg], space);
                    *cell = (*cell).min(begun);
                }
                floods[leg] = Some(flood);
            }
            starts.push(here.into());
        }
        starts.reverse();
        Tail { to_sources: false, budgets, floods, starts }
    }

    /// What the best line comes to that begins this leg in a space, or leaves it out.
    pub fn begun(
        &self,
        position: &Position<'_>,
        (rule, leg): (&Trace, usize),
        flood: &Flood,
        budget: Option<u32>,
        space: u32,
    ) -> Worth {
        let mut best = NO_LINE;
        flood.begins(position, (rule, leg), &self.terms, space, |way| {
            if budget.is_none_or(|budget| way.spent <= budget) {
                best = best.min(way.worth);
            }
        });
        let begun = match best {
            NO_LINE => NO_LINE,
            best => best.saturating_add(self.terms.toll(leg, Part::From, space)),
        };
        if rule.legs[leg].optional { begun.min(flood.ends[space as usize]) } else { begun }
    }

    /// The ways of a leg to these ends. A larger budget than any before makes a search with room
    /// for more, so that budgets that grow by little do not make one each.
    pub fn flood(
        &self,
        position: &Position<'_>,
        (rule, leg): (&Trace, usize),
        ends: &Arc<[Worth]>,
        budget: Option<u32>,
    ) -> Arc<Flood> {
        let mut made = self.made();
        made.floods.resize(rule.legs.len(), Vec::new());
        let known = &mut made.floods[leg];
        if let Some(flood) = known.iter().find(|flood| flood.has(ends, budget)) {
            return Arc::clone(flood);
        }
        let smaller = |flood: &Arc<Flood>| flood.within.is_some() && flood.is_to(ends);
        let smaller = budget.and_then(|_| known.iter().position(smaller));
        let before = smaller.and_then(|at| known.swap_remove(at).within);
        let within = budget.map(|b| before.map_or(b, |w| b.max(w.saturating_mul(2))));
        let flood = Arc::new(Flood::search(position, (rule, leg), &self.terms, ends, within));
        known.push(Arc::clone(&flood));
        flood
    }

    fn made(&self) -> std::sync::MutexGuard<'_, Made> {
        self.made.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
