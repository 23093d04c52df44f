//! Which rows of a page are which rows of the text.

/// A row of the new page beside one of the old, or one of them alone, in the order of both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pair {
    /// The same row, by its place in the old and in the new.
    Both(usize, usize),
    /// A row that is gone.
    Old(usize),
    /// A row that is new, or has come from elsewhere: then which one it was.
    New(usize, Option<usize>),
}

/// More comparisons than this are not made: then rows are the same by their places.
const MOST_COMPARED: usize = 25_000_000;

/// Pairs rows by what they are known by.
pub(super) fn align(old: &[String], new: &[String]) -> Vec<Pair> {
    let same = common(old, new);
    let mut pairs = Vec::new();
    let (mut o, mut n) = (0, 0);
    let mut ends = same;
    ends.push((old.len(), new.len()));
    let kept: Vec<(usize, usize)> = ends.clone();
    // A row that stands elsewhere now, if it can be told from all others.
    let once = |all: &[String], one: &String| all.iter().filter(|other| *other == one).count() == 1;
    let matched =
        |at: usize, of: fn(&(usize, usize)) -> usize| kept.iter().any(|pair| of(pair) == at);
    let moved_from = |at: usize| -> Option<usize> {
        let key = new.get(at)?;
        let from = old.iter().position(|other| other == key)?;
        (!key.is_empty() && once(old, key) && once(new, key) && !matched(from, |p| p.0))
            .then_some(from)
    };
    let moved_to = |at: usize| -> bool {
        old.get(at).is_some_and(|key| {
            !key.is_empty() && once(old, key) && once(new, key) && new.contains(key)
        })
    };
    for (next_old, next_new) in ends {
        let gone: Vec<usize> = (o..next_old).collect();
        let come: Vec<usize> = (n..next_new).collect();
        let stay: Vec<usize> = gone.iter().copied().filter(|at| !moved_to(*at)).collect();
        let mut stay = stay.into_iter();
        // What neither came from elsewhere nor went there was changed in its place.
        for at in come {
            match moved_from(at) {
                Some(from) => pairs.push(Pair::New(at, Some(from))),
                None => {
                    pairs.push(stay.next().map_or(Pair::New(at, None), |was| Pair::Both(was, at)))
                }
            }
        }
        pairs.extend(stay.map(Pair::Old));
        pairs.extend(gone.into_iter().filter(|at| moved_to(*at)).map(Pair::Old));
        if next_old < old.len() && next_new < new.len() {
            pairs.push(Pair::Both(next_old, next_new));
        }
        (o, n) = (next_old + 1, next_new + 1);
    }
    pairs
}

/// The longest common rows of both, in order.
fn common(old: &[String], new: &[String]) -> Vec<(usize, usize)> {
    let front = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let rest = old.len().min(new.len()) - front;
    let back =
        old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(a, b)| a == b).count();
    let (a, b) = (old.len() - front - back, new.len() - front - back);
    let mut pairs: Vec<(usize, usize)> = (0..front).map(|at| (at, at)).collect();
    if a.saturating_mul(b) <= MOST_COMPARED {
        let middle = longest(
            old.get(front..front + a).unwrap_or_default(),
            new.get(front..front + b).unwrap_or_default(),
        );
        pairs.extend(middle.into_iter().map(|(x, y)| (x + front, y + front)));
    }
    pairs.extend((0..back).map(|at| (front + a + at, front + b + at)));
    pairs
}

fn longest(old: &[String], new: &[String]) -> Vec<(usize, usize)> {
    let width = new.len() + 1;
    let mut length = vec![0_u32; (old.len() + 1) * width];
    let at = |length: &[u32], o: usize, n: usize| length.get(o * width + n).copied().unwrap_or(0);
    for (o, a) in old.iter().enumerate().rev() {
        for (n, b) in new.iter().enumerate().rev() {
            let best = if a == b {
                at(&length, o + 1, n + 1) + 1
            } else {
                at(&length, o + 1, n).max(at(&length, o, n + 1))
            };
            if let Some(cell) = length.get_mut(o * width + n) {
                *cell = best;
            }
        }
    }
    let (mut o, mut n, mut pairs) = (0, 0, Vec::new());
    while let (Some(a), Some(b)) = (old.get(o), new.get(n)) {
        if a == b {
            pairs.push((o, n));
            (o, n) = (o + 1, n + 1);
        } else if at(&length, o + 1, n) >= at(&length, o, n + 1) {
            o += 1;
        } else {
            n += 1;
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str) -> Vec<String> {
        text.chars().map(String::from).collect()
    }

    #[test]
    fn rows_are_known_again() {
        use Pair::{Both, New, Old};
        let pairs = |old: &str, new: &str| align(&rows(old), &rows(new));
        assert_eq!(pairs("abc", "abc"), [Both(0, 0), Both(1, 1), Both(2, 2)]);
        assert_eq!(pairs("abc", "axc"), [Both(0, 0), Both(1, 1), Both(2, 2)]);
        assert_eq!(pairs("abc", "abxc"), [Both(0, 0), Both(1, 1), New(2, None), Both(2, 3)]);
        assert_eq!(pairs("abc", "ac"), [Both(0, 0), Old(1), Both(2, 1)]);
        assert_eq!(pairs("", "a"), [New(0, None)]);
        assert_eq!(pairs("ab", ""), [Old(0), Old(1)]);
        assert_eq!(pairs("ab", "ba"), [Old(0), Both(1, 0), New(1, Some(0))]);
    }

    #[test]
    fn every_row_is_paired_once() {
        let mut state = 5_u32;
        let mut next = |below: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) % below
        };
        for _ in 0..2000 {
            let mut text =
                |length: u32| -> Vec<String> { (0..length).map(|_| next(5).to_string()).collect() };
            let (old, new) = (text(6), text(7));
            let pairs = align(&old, &new);
            let mut olds: Vec<usize> = Vec::new();
            let mut news: Vec<usize> = Vec::new();
            for pair in &pairs {
                match pair {
                    Pair::Both(o, n) => {
                        olds.push(*o);
                        news.push(*n);
                    }
                    Pair::Old(o) => olds.push(*o),
                    Pair::New(n, _) => news.push(*n),
                }
            }
            assert_eq!(news, (0..new.len()).collect::<Vec<_>>(), "{old:?} {new:?}");
            olds.sort_unstable();
            assert_eq!(olds, (0..old.len()).collect::<Vec<_>>(), "{old:?} {new:?}");
        }
    }
}
