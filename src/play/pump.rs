//! Games go round to threads and come back in order; no more are under way than there is room for.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};

use crate::project::workers;

/// Parcels under way for each thread: one in work, one waiting, one done.
const PARCELS: usize = 3;

/// Tells the taker that a thread was lost, for it would wait for ever.
struct Alive<D>(Sender<Option<(u64, D)>>);

impl<D> Drop for Alive<D> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let _ = self.0.send(None);
        }
    }
}

/// Does the work of all parcels, a few numbers each; `give` takes what comes of them, in order.
/// `make` is called once by each thread, for what it keeps from one parcel to the next.
///
/// # Errors
///
/// What the system says where there is no room for a thread. Inside, what `give` says.
pub fn pump<D: Send, E, W: FnMut(Range<u64>) -> D>(
    numbers: Range<u64>,
    (jobs, parcel): (usize, u64),
    make: impl Fn() -> W + Sync,
    mut give: impl FnMut(D) -> Result<(), E>,
) -> std::io::Result<Result<(), E>> {
    let parcel = parcel.max(1);
    let mut parcels = (0..).map_while(move |place: u64| {
        let start = numbers.start.checked_add(place.checked_mul(parcel)?)?;
        let end = start.saturating_add(parcel).min(numbers.end);
        (start < end).then_some((place, start..end))
    });
    if jobs <= 1 {
        let mut work = make();
        return Ok(parcels.try_for_each(|(_, numbers)| give(work(numbers))));
    }
    let (waiting, taken) = channel::<(u64, Range<u64>)>();
    let taken = Mutex::new(taken);
    std::thread::scope(|scope| {
        let (done, finished) = channel::<Option<(u64, D)>>();
        let (make, taken) = (&make, &taken);
        workers(scope, jobs, move || {
            let alive = Alive(done.clone());
            let mut work = make();
            run(taken, &alive.0, &mut work);
        })?;
        let (room, mut sent) = (jobs.saturating_mul(PARCELS), 0);
        for parcel in parcels.by_ref().take(room) {
            let _ = waiting.send(parcel);
            sent += 1;
        }
        // Without a sender the threads end, one after the other; so too where there is no work.
        let mut waiting = Some(waiting).filter(|_| sent == room);
        let (mut early, mut next) = (BTreeMap::new(), 0);
        for parcel in finished {
            // A lost thread is a fault of the program, which the scope raises again.
            let Some((place, parcel)) = parcel else { break };
            early.insert(place, parcel);
            while let Some(parcel) = early.remove(&next) {
                if let Err(error) = give(parcel) {
                    return Ok(Err(error));
                }
                next += 1;
                match (parcels.next(), &waiting) {
                    (Some(parcel), Some(waiting)) => drop(waiting.send(parcel)),
                    _ => waiting = None,
                }
            }
        }
        Ok(Ok(()))
    })
}

fn run<D>(
    taken: &Mutex<Receiver<(u64, Range<u64>)>>,
    done: &Sender<Option<(u64, D)>>,
    work: &mut impl FnMut(Range<u64>) -> D,
) {
    loop {
        let parcel = taken.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok((place, numbers)) = parcel else { return };
        if done.send(Some((place, work(numbers)))).is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed test may abort")]

    use super::*;

    fn all(jobs: usize, parcel: u64, to: u64) -> Vec<u64> {
        let mut found = Vec::new();
        let squares = || |numbers: Range<u64>| numbers.map(|n| n * n).collect::<Vec<_>>();
        let given = pump(3..to, (jobs, parcel), squares, |some| {
            found.extend(some);
            Ok::<(), ()>(())
        });
        assert_eq!(given.unwrap(), Ok(()));
        found
    }

    #[test]
    fn what_comes_back_is_in_order_for_any_number_of_threads() {
        let wanted: Vec<u64> = (3..200).map(|n| n * n).collect();
        for (jobs, parcel) in [(1, 1), (1, 7), (2, 1), (3, 16), (8, 5), (2, 1000)] {
            assert_eq!(all(jobs, parcel, 200), wanted, "{jobs} {parcel}");
        }
        assert_eq!(all(2, 4, 3), Vec::<u64>::new());
    }

    #[test]
    fn who_wants_no_more_ends_it() {
        let mut taken = 0;
        let made = || |numbers: Range<u64>| numbers.start;
        let given = pump(0..1_000_000, (2, 1), made, |_| {
            taken += 1;
            if taken == 10 { Err("enough") } else { Ok(()) }
        });
        assert_eq!((given.unwrap(), taken), (Err("enough"), 10));
    }
}
