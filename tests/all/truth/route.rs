//! Whether a line that a command reports is a legal line, and how long it is at the least.

use super::brute::{Brute, Gate, Subject};
use super::game::{Trace, Within};

/// The least length of a legal line through exactly these spaces, read as legs of the chain in
/// every way.
///
/// A space at which two legs meet, or which a relay begins anew, stands once or twice in what
/// commands print; here it stands once.
pub fn length(
    brute: &Brute<'_>,
    trace: &Trace,
    subject: Subject,
    viewer: Option<usize>,
    route: &[usize],
) -> Option<i64> {
    let asked = (subject, brute.viewer(subject, viewer));
    let (n, last) = (route.len(), trace.places());
    if n == 0 || brute.start(subject) != Some(route[0]) {
        return None;
    }
    let mut best = vec![vec![None::<i64>; n]; last + 1];
    best[0][0] = Some(0);
    // Every pass settles one more joint; a joint is at most a place and a relay for each space.
    for _ in 0..(n + 1) * (last + 1) {
        for place in 0..last {
            for at in 0..n {
                let Some(so_far) = best[place][at] else { continue };
                for leg in trace.legs.iter().filter(|l| l.place == place) {
                    if leg.optional {
                        shorten(&mut best[place + 1][at], so_far);
                    }
                    if !brute.gate(leg, Gate::From, route[at], asked) {
                        continue;
                    }
                    let of_end = leg.within == Within::Haul;
                    let budget = brute.budget_of(leg, subject).filter(|_| !of_end);
                    let mut spent = 0;
                    let mut came = vec![None];
                    for end in at..n {
                        if end > at {
                            let step = brute.step(leg, route[end - 1], route[end], subject);
                            let Some(step) = step else { break };
                            let on =
                                |c: &Option<usize>| brute.game.onward((route[end - 1], *c), leg);
                            let next = came.iter().flat_map(on);
                            came = next.filter(|to| to.0 == route[end]).map(|to| to.1).collect();
                            if came.is_empty() {
                                break;
                            }
                            spent += step;
                            let inner = end - 1 > at;
                            if inner && !brute.gate(leg, Gate::Through, route[end - 1], asked)
                                || budget.is_some_and(|b| spent > b)
                            {
                                break;
                            }
                        }
                        let fits = !of_end || spent <= brute.haul(route[end]);
                        if fits && brute.gate(leg, Gate::Into, route[end], asked) {
                            shorten(&mut best[place + 1][end], so_far + spent);
                        }
                    }
                }
            }
        }
        for at in 0..n {
            let Some(so_far) = best[last][at] else { continue };
            if trace.relays.iter().any(|(_, when)| brute.holds(when, route[at], asked.1, subject)) {
                shorten(&mut best[0][at], so_far);
            }
        }
    }
    best[last][n - 1].filter(|_| brute.is_source(trace, route[n - 1], subject, asked.1))
}

fn shorten(cell: &mut Option<i64>, to: i64) {
    if cell.is_none_or(|now| to < now) {
        *cell = Some(to);
    }
}
