//! Where the parts of a text come from that several files wrote.

use crate::source::Span;

/// A stretch of a text and the place that wrote it; none for what no author wrote.
#[derive(Debug, Clone, Copy)]
struct Part {
    start: usize,
    end: usize,
    place: Option<Span>,
}

/// The parts of a text in order.
#[derive(Debug, Clone, Default)]
pub(crate) struct Parts {
    all: Vec<Part>,
    end: usize,
}

impl Parts {
    /// Puts a part behind the others.
    pub(crate) fn push(&mut self, length: usize, place: Option<Span>) {
        let start = self.end;
        self.end += length;
        if length > 0 {
            self.all.push(Part { start, end: self.end, place });
        }
    }

    /// The place of a stretch. Where it holds parts of several files, its ends are told in the file
    /// of the outermost part that was there first: what was put between them stands for what it
    /// replaces.
    pub(crate) fn place(&self, start: usize, end: usize) -> Span {
        let end = end.max(start);
        let first = self.index(start);
        let last = if end > start { self.index(end - 1) } else { first };
        let inside = self.all.get(first).filter(|_| first == last).and_then(|p| {
            let place = p.place?;
            Some(Span::new(
                place.source,
                offset(place, start - p.start),
                offset(place, end - p.start),
            ))
        });
        inside.unwrap_or_else(|| self.across((first, start), (last, end)))
    }

    /// The stretch of the text that a place of one of its files is.
    pub(crate) fn range_of(&self, place: Span) -> Option<std::ops::Range<usize>> {
        self.nth_range_of(place, 0)
    }

    /// The same for a span that occurs several times, as the lines of a leg do that another leg
    /// takes over: the occurrence with `nth` before it, or the last.
    pub(crate) fn nth_range_of(&self, place: Span, nth: usize) -> Option<std::ops::Range<usize>> {
        let of = |p: &Part| p.place.filter(|s| s.source == place.source);
        let all = || self.all.iter().enumerate();
        let holds = |p: &Part, at: u32| of(p).filter(|s| s.start <= at && at <= s.end);
        // What was at one of its ends has been replaced: it begins or ends with what stands there.
        let starts = |(at, p): (usize, &Part)| {
            let s = holds(p, place.start)?;
            let behind = self.all.get(at + 1).and_then(of).map(|s| s.start);
            (place.start < s.end || behind != Some(place.start))
                .then(|| (at, p.start + (place.start - s.start) as usize))
        };
        let ends = |(at, p): (usize, &Part)| {
            let s = holds(p, place.end)?;
            let before = at.checked_sub(1).and_then(|at| self.all.get(at)).and_then(of);
            (s.start < place.end || before.map(|s| s.end) != Some(place.end))
                .then(|| p.start + (place.end - s.start) as usize)
        };
        let found: Vec<(usize, usize)> = all().filter_map(starts).take(nth + 1).collect();
        let (first, start) = match found.last() {
            Some(found) => *found,
            None => all()
                .rfind(|(_, p)| of(p).is_some_and(|s| s.end <= place.start))
                .map(|(at, p)| (at, p.end))?,
        };
        let end = match all().skip(first).find_map(ends) {
            Some(end) => end,
            None => {
                all()
                    .skip(first)
                    .find(|(_, p)| of(p).is_some_and(|s| s.start >= place.end))?
                    .1
                    .start
            }
        };
        (start <= end).then_some(start..end)
    }

    /// The part that holds a byte, or the last one.
    fn index(&self, at: usize) -> usize {
        let behind = self.all.partition_point(|p| p.end <= at);
        behind.min(self.all.len().saturating_sub(1))
    }

    fn across(&self, (first, start): (usize, usize), (last, end): (usize, usize)) -> Span {
        let Some(base) = self.all.iter().find_map(|p| p.place) else { return Span::default() };
        // A line that another file wrote, with words of a third one in it.
        let (begins, ends) = (self.all.get(first), self.all.get(last));
        let of_base = |p: &Part| p.place.is_some_and(|s| s.source == base.source);
        if let (Some(a), Some(b)) = (begins, ends)
            && let (Some(from), Some(to)) = (a.place, b.place)
            && from.source == to.source
            && let begins_in = from.source
            && from.end <= to.start
            && !self.all.get(first..=last).unwrap_or_default().iter().any(of_base)
        {
            let (from, to) = (offset(from, start - a.start), offset(to, end - b.start));
            return Span::new(begins_in, from, to);
        }
        let of = |p: &&Part| p.place.filter(|place| place.source == base.source);
        let own = |at: usize, from: usize, to_end: bool| {
            let part = self.all.get(at).filter(|p| of(p).is_some())?;
            let (place, within) = (part.place?, from.saturating_sub(part.start));
            Some(offset(place, within.min((place.end - place.start) as usize)))
                .filter(|_| if to_end { from <= part.end } else { from < part.end })
        };
        let before = || self.all.iter().take(first).rev().find_map(|p| of(&p)).map(|s| s.end);
        let after = || self.all.iter().skip(last + 1).find_map(|p| of(&p)).map(|s| s.start);
        let from = own(first, start, false).or_else(before).unwrap_or(base.start);
        let to = own(last, end, true).or_else(after).unwrap_or(from);
        Span::new(base.source, from, to.max(from))
    }
}

fn offset(place: Span, within: usize) -> u32 {
    place.start.saturating_add(u32::try_from(within).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceId;

    #[test]
    fn a_part_put_in_stands_for_what_it_replaces() {
        let (base, other) = (SourceId(3), SourceId(5));
        let mut parts = Parts::default();
        parts.push(4, Some(Span::new(base, 10, 14)));
        parts.push(2, Some(Span::new(other, 70, 72)));
        parts.push(1, None);
        parts.push(3, Some(Span::new(base, 20, 23)));
        assert_eq!(parts.place(1, 3), Span::new(base, 11, 13));
        assert_eq!(parts.place(4, 6), Span::new(other, 70, 72));
        assert_eq!(parts.place(0, 10), Span::new(base, 10, 23));
        assert_eq!(parts.place(2, 6), Span::new(base, 12, 20));
        assert_eq!(parts.place(5, 9), Span::new(base, 14, 22));
        assert_eq!(parts.place(6, 7), Span::new(base, 14, 20));
    }
}
