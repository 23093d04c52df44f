//! Sorting, and collecting into maps, of which a module of WebAssembly holds one copy.
//!
//! Takes any list; gives it in order. Knows nothing of rules. The sort of the standard library is
//! compiled anew for each type, some kilobytes each time: a module that a page loads sorts places
//! in the list instead, and then puts the items there.

use std::cmp::Ordering;

/// A stable sort, as that of slices.
pub(crate) trait Arrange<T> {
    /// By the order of the type.
    fn arrange(&mut self)
    where
        T: Ord;
    /// By a comparison.
    fn arrange_by(&mut self, compare: impl Fn(&T, &T) -> Ordering);
    /// By what is made of each item.
    fn arrange_by_key<K: Ord>(&mut self, key: impl Fn(&T) -> K);
}

impl<T> Arrange<T> for [T] {
    #[inline]
    fn arrange(&mut self)
    where
        T: Ord,
    {
        self.arrange_by(T::cmp);
    }

    #[inline]
    fn arrange_by(&mut self, compare: impl Fn(&T, &T) -> Ordering) {
        if cfg!(target_family = "wasm") { by_places(self, &compare) } else { self.sort_by(compare) }
    }

    #[inline]
    fn arrange_by_key<K: Ord>(&mut self, key: impl Fn(&T) -> K) {
        self.arrange_by(|a, b| key(a).cmp(&key(b)));
    }
}

/// Collects one by one; a map or a set that is collected at once sorts its items first.
pub(crate) fn gathered<C: Default + Extend<T>, T>(items: impl IntoIterator<Item = T>) -> C {
    let mut all = C::default();
    all.extend(items);
    all
}

fn by_places<T>(list: &mut [T], compare: &dyn Fn(&T, &T) -> Ordering) {
    let order = sorted_places(list.len(), &|a, b| match (list.get(a), list.get(b)) {
        (Some(a), Some(b)) => compare(a, b),
        _ => Ordering::Equal,
    });
    put(order, &mut |a, b| list.swap(a, b));
}

/// The places of a list in the order of what stands there.
fn sorted_places(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|a, b| compare(*a, *b));
    order
}

/// Puts at each place what stands at the place named there, cycle by cycle.
fn put(mut order: Vec<usize>, swap: &mut dyn FnMut(usize, usize)) {
    for start in 0..order.len() {
        let mut at = start;
        while let Some(named) = order.get_mut(at) {
            let from = std::mem::replace(named, at);
            if from == start {
                break;
            }
            swap(at, from);
            at = from;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::by_places;

    #[test]
    fn a_list_sorted_by_its_places_is_that_of_the_standard_library() {
        arbtest::arbtest(|u| {
            // Few keys, so that many items are alike and must keep their order.
            let keys: Vec<u8> = u.arbitrary::<Vec<u8>>()?.iter().map(|key| key % 7).collect();
            let list: Vec<(u8, usize)> = keys.into_iter().zip(0..).collect();
            let (mut ours, mut theirs) = (list.clone(), list);
            by_places(&mut ours, &|a, b| a.0.cmp(&b.0));
            theirs.sort_by_key(|item| item.0);
            assert_eq!(ours, theirs);
            Ok(())
        })
        .budget_ms(200);
    }
}
