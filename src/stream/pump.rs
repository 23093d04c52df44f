//! Lines go round to threads and come back in order; no more are under way than there is room for.

use std::collections::BTreeMap;
use std::io::Read;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};

use super::answer::{Answerer, Asked};
use super::lines::{Line, Lines};
use crate::project::workers;

/// Lines that one thread takes at once, at most: eight words of positions.
const MOST_LINES: usize = 512;
/// Bytes of them, at most; a longer line goes alone.
const MOST_BYTES: usize = 1 << 20;
/// Parcels under way for each thread: one in work, one waiting, one done.
const PARCELS: usize = 3;

/// Some lines of answers.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Done {
    /// The answers, a line each.
    pub answers: String,
    /// What is told of lines that have none, a line each.
    pub faults: String,
    /// Lines with an answer.
    pub positions: u64,
    /// Lines without one.
    pub bad: u64,
}

/// How a stream ended.
#[derive(Debug)]
pub enum Pumped<E> {
    /// All lines were answered.
    Whole,
    /// The input could not be read on; all lines before were answered.
    Input(std::io::Error),
    /// Whoever takes the answers wants no more.
    Output(E),
}

/// Some lines, and their place among all.
struct Parcel {
    place: u64,
    lines: Vec<Line>,
}

/// Tells the taker of answers that a thread was lost, for it would wait for ever.
#[derive(Clone)]
struct Alive(Sender<Option<(u64, Done)>>);

impl Drop for Alive {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let _ = self.0.send(None);
        }
    }
}

/// Answers all lines; `give` takes the answers in the order of the lines.
///
/// What has arrived is answered before more is waited for, so that a program may write a position
/// and wait for its answer.
pub fn pump<R: Read + Send, E>(
    asked: Asked<'_>,
    mut lines: Lines<R>,
    jobs: usize,
    mut give: impl FnMut(Done) -> Result<(), E>,
) -> Pumped<E> {
    let jobs = jobs.max(1);
    let (parcels, taken) = channel::<Parcel>();
    let taken = Mutex::new(taken);
    std::thread::scope(|scope| {
        let (done, finished) = channel::<Option<(u64, Done)>>();
        // Each parcel under way needs a place; whoever gives answers out gives the place back.
        let (free, places) = channel::<()>();
        for _ in 0..jobs * PARCELS {
            let _ = free.send(());
        }
        let (alive, taken) = (Alive(done), &taken);
        let answer = move || {
            let alive = alive.clone();
            work(asked, taken, &alive.0);
        };
        // The threads are there before the first line is read, so that none is read in vain.
        let started = workers(scope, jobs, answer).and_then(|_| {
            std::thread::Builder::new()
                .spawn_scoped(scope, move || read(&mut lines, &parcels, &places))
        });
        let reader = match started {
            Ok(reader) => reader,
            Err(error) => return Pumped::Input(error),
        };
        let mut early: BTreeMap<u64, Done> = BTreeMap::new();
        let mut next = 0;
        for parcel in finished {
            // A lost thread is a fault of the program, which the scope raises again.
            let Some((place, parcel)) = parcel else { return Pumped::Whole };
            early.insert(place, parcel);
            while let Some(parcel) = early.remove(&next) {
                if let Err(error) = give(parcel) {
                    return Pumped::Output(error);
                }
                next += 1;
                let _ = free.send(());
            }
        }
        match reader.join() {
            Ok(Ok(())) => Pumped::Whole,
            Ok(Err(error)) => Pumped::Input(error),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

fn read<R: Read>(
    lines: &mut Lines<R>,
    parcels: &Sender<Parcel>,
    places: &Receiver<()>,
) -> std::io::Result<()> {
    for place in 0.. {
        if places.recv().is_err() {
            return Ok(());
        }
        let (mut parcel, mut bytes) = (Vec::new(), 0);
        let mut end = Ok(false);
        while parcel.len() < MOST_LINES
            && bytes < MOST_BYTES
            && (parcel.is_empty() || lines.is_ready())
        {
            match lines.next_line() {
                Ok(Some(line)) => {
                    bytes += line.bytes.as_ref().map_or(0, Vec::len);
                    parcel.push(line);
                }
                Ok(None) => {
                    end = Ok(true);
                    break;
                }
                Err(error) => {
                    end = Err(error);
                    break;
                }
            }
        }
        if !parcel.is_empty() && parcels.send(Parcel { place, lines: parcel }).is_err() {
            return Ok(());
        }
        if end? {
            return Ok(());
        }
    }
    Ok(())
}

fn work(asked: Asked<'_>, taken: &Mutex<Receiver<Parcel>>, done: &Sender<Option<(u64, Done)>>) {
    let mut answerer = Answerer::new(asked);
    loop {
        let parcel = taken.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(Parcel { place, lines }) = parcel else { return };
        if done.send(Some((place, answerer.answer(&lines)))).is_err() {
            return;
        }
    }
}
