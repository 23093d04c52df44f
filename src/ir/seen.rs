//! What evaluations touch, counted while cases run for a report of coverage; otherwise nothing is
//! there and nothing is counted.
//!
//! Takes ids of lines, rows and readings; gives how often each was touched. Knows neither cases nor
//! reports.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use super::{LineId, Ruleset, RulingId, TableId};

/// Counters of a ruleset, if somebody counts. One evaluation at a time counts into them: what is
/// asked quietly by one is quiet for all.
#[derive(Clone, Default)]
pub struct Seen(Option<Arc<Counts>>);

#[derive(Default)]
struct Counts {
    /// How many askers have asked that nothing be counted.
    quiet: AtomicU32,
    /// How many have asked that readings alone be counted.
    readings_alone: AtomicU32,
    /// A line took part in an answer or did something; of a gate, a line passed it.
    lines: Vec<AtomicU32>,
    /// A gate stopped a line.
    barred: Vec<AtomicU32>,
    /// A row of a table decided or counted.
    rows: Vec<Vec<AtomicU32>>,
    /// A ruling was read while this reading was in force.
    readings: Vec<Vec<AtomicU32>>,
}

impl fmt::Debug for Seen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Seen(counting)" } else { "Seen" })
    }
}

impl Seen {
    /// Fresh counters for a ruleset.
    #[must_use]
    pub fn counting(rules: &Ruleset) -> Seen {
        let words = |r: &super::Ruling| {
            rules.word_sets.get(r.readings.index()).map_or(0, |s| s.words.len())
        };
        Seen(Some(Arc::new(Counts {
            quiet: AtomicU32::new(0),
            readings_alone: AtomicU32::new(0),
            lines: zeros(rules.lines.len()),
            barred: zeros(rules.lines.len()),
            rows: rules.tables.iter().map(|t| zeros(t.rows.len())).collect(),
            readings: rules.rulings.iter().map(|r| zeros(words(r))).collect(),
        })))
    }

    /// Whether what is asked now is counted.
    #[must_use]
    pub fn is_on(&self) -> bool {
        self.loud().is_some()
    }

    /// Works something out without counting it: a search asks about spaces that no answer comes to
    /// rest on.
    pub fn quietly<T>(&self, work: impl FnOnce() -> T) -> T {
        let Some(counts) = &self.0 else { return work() };
        counts.quiet.fetch_add(1, Ordering::Relaxed);
        let found = work();
        counts.quiet.fetch_sub(1, Ordering::Relaxed);
        found
    }

    /// Works something out of which readings alone are counted: what was asked everywhere and came
    /// to nothing rests on its readings, and on no line.
    pub fn readings_of<T>(&self, work: impl FnOnce() -> T) -> T {
        let Some(counts) = &self.0 else { return work() };
        counts.readings_alone.fetch_add(1, Ordering::Relaxed);
        let found = work();
        counts.readings_alone.fetch_sub(1, Ordering::Relaxed);
        found
    }

    /// Whether lines are counted now, and not readings alone.
    #[must_use]
    pub fn counts_lines(&self) -> bool {
        self.counted().is_some()
    }

    /// Counts from nothing again.
    pub fn clear(&self) {
        let Some(counts) = &self.0 else { return };
        let nested = counts.rows.iter().chain(&counts.readings).flatten();
        for cell in counts.lines.iter().chain(&counts.barred).chain(nested) {
            cell.store(0, Ordering::Relaxed);
        }
    }

    /// A line took part.
    pub fn line(&self, id: LineId) {
        add(self.counted().and_then(|c| c.lines.get(id.index())));
    }

    /// A gate stopped a line.
    pub fn barred(&self, id: LineId) {
        add(self.counted().and_then(|c| c.barred.get(id.index())));
    }

    /// A row decided or counted.
    pub fn row(&self, table: TableId, row: usize) {
        add(self.counted().and_then(|c| c.rows.get(table.index())).and_then(|t| t.get(row)));
    }

    /// A ruling was read.
    pub fn reading(&self, ruling: RulingId, reading: u16) {
        add(self
            .loud()
            .and_then(|c| c.readings.get(ruling.index()))
            .and_then(|r| r.get(usize::from(reading))));
    }

    /// How often a line took part.
    #[must_use]
    pub fn of_line(&self, id: LineId) -> u32 {
        read(self.0.as_ref().and_then(|c| c.lines.get(id.index())))
    }

    /// How often a gate stopped a line.
    #[must_use]
    pub fn of_barred(&self, id: LineId) -> u32 {
        read(self.0.as_ref().and_then(|c| c.barred.get(id.index())))
    }

    /// How often a row decided or counted.
    #[must_use]
    pub fn of_row(&self, table: TableId, row: usize) -> u32 {
        read(self.0.as_ref().and_then(|c| c.rows.get(table.index())).and_then(|t| t.get(row)))
    }

    /// How often a ruling was read while this reading was in force.
    #[must_use]
    pub fn of_reading(&self, ruling: RulingId, reading: usize) -> u32 {
        read(
            self.0
                .as_ref()
                .and_then(|c| c.readings.get(ruling.index()))
                .and_then(|r| r.get(reading)),
        )
    }

    /// The counters, where lines and rows are counted too.
    fn counted(&self) -> Option<&Counts> {
        self.loud().filter(|c| c.readings_alone.load(Ordering::Relaxed) == 0)
    }

    fn loud(&self) -> Option<&Counts> {
        self.0.as_deref().filter(|c| c.quiet.load(Ordering::Relaxed) == 0)
    }
}

fn zeros(count: usize) -> Vec<AtomicU32> {
    std::iter::repeat_with(AtomicU32::default).take(count).collect()
}

/// A count stops at its end; whether anything was touched is what matters.
fn add(cell: Option<&AtomicU32>) {
    if let Some(cell) = cell {
        cell.store(cell.load(Ordering::Relaxed).saturating_add(1), Ordering::Relaxed);
    }
}

fn read(cell: Option<&AtomicU32>) -> u32 {
    cell.map_or(0, |c| c.load(Ordering::Relaxed))
}
