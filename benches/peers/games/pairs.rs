//! Runs in pairs, ours and the peer's in turn, and rows with their floors and goals.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// How long all rounds of a pair may take.
const PATIENCE: Duration = Duration::from_millis(2000);
const FEWEST_ROUNDS: usize = 3;
const MOST_ROUNDS: usize = 101;

/// What a ratio should come to.
#[derive(Clone, Copy)]
pub struct Wanted {
    pub floor: f64,
    pub goal: f64,
}

/// A ratio of times; bigger is better.
pub fn ratio(workload: &str, what: &str, peer: &str, ratio: f64, wanted: Wanted) -> Value {
    let Wanted { floor, goal } = wanted;
    let ratio = (ratio * 100.0).round() / 100.0;
    json!({
        "workload": workload, "what": what, "peer": peer,
        "ratio": ratio, "floor": floor, "goal": goal
    })
}

/// Milliseconds of CPU; smaller is better.
pub fn milliseconds(workload: &str, what: &str, found: f64, most: f64) -> Value {
    let found = (found * 10.0).round() / 10.0;
    json!({ "workload": workload, "what": what, "peer": "ms of CPU", "ms": found, "most": most })
}

/// A row that could not be measured.
pub fn absent(workload: &str, what: &str, peer: &str, why: &str) -> Value {
    json!({ "workload": workload, "what": what, "peer": peer, "absent": why })
}

/// The middle of the ratios of the peer's time to ours, and our time in the middle in nanoseconds.
///
/// The two take turns; each runs once untimed first. `step` is called with the number of the round.
pub fn pairs(ours: &mut dyn FnMut(usize), theirs: &mut dyn FnMut(usize)) -> (f64, f64) {
    let begun = Instant::now();
    let (mut times, mut ratios) = (Vec::new(), Vec::new());
    for round in 0..MOST_ROUNDS {
        let (a, b) = (timed(&mut *ours, round), timed(&mut *theirs, round));
        // The first round warms both.
        if round == 0 {
            continue;
        }
        times.push(a);
        ratios.push(b / a.max(1.0));
        if round >= FEWEST_ROUNDS && begun.elapsed() > PATIENCE {
            break;
        }
    }
    (middle(ratios), middle(times))
}

fn timed(run: &mut dyn FnMut(usize), round: usize) -> f64 {
    let start = Instant::now();
    run(round);
    start.elapsed().as_nanos() as f64
}

/// The middle of some numbers.
pub fn middle(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied().unwrap_or(0.0)
}
