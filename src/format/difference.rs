//! The difference that laying out makes, as programs read it.
//!
//! Takes two texts whose lines differ in spaces and blank lines alone, so that the lines that hold
//! anything answer each other in their order; gives a unified diff.

/// How many equal lines are shown around a difference.
const AROUND: usize = 3;

/// One line of the difference.
enum Step<'t> {
    Same(&'t str),
    Old(&'t str),
    New(&'t str),
}

/// The unified difference between a file and its layout; empty if there is none.
#[must_use]
pub fn unified(name: &str, old: &str, new: &str) -> String {
    let steps = steps(old, new);
    let changed: Vec<usize> =
        (0..steps.len()).filter(|at| !matches!(steps.get(*at), Some(Step::Same(_)))).collect();
    let mut out = String::new();
    let mut rest = changed.as_slice();
    while let Some(first) = rest.first() {
        let near = |pair: &[usize]| matches!(pair, [a, b] if b - a <= 2 * AROUND);
        let count = 1 + rest.windows(2).take_while(|pair| near(pair)).count();
        let last = rest.get(count - 1).unwrap_or(first);
        if out.is_empty() {
            out.push_str(&format!("--- {name}\n+++ {name}\n"));
        }
        hunk(&steps, first.saturating_sub(AROUND)..(last + AROUND + 1).min(steps.len()), &mut out);
        rest = rest.get(count..).unwrap_or_default();
    }
    out
}

/// Pairs the lines that hold anything, in their order.
fn steps<'t>(old: &'t str, new: &'t str) -> Vec<Step<'t>> {
    let mut steps = Vec::new();
    let (mut old, mut new) =
        (old.split_inclusive('\n').peekable(), new.split_inclusive('\n').peekable());
    let blank = |line: &&str| line.trim().is_empty();
    loop {
        match (old.peek().copied(), new.peek().copied()) {
            (Some(a), Some(b)) if a == b => steps.push(Step::Same(a)),
            (Some(a), Some(b)) if blank(&a) == blank(&b) => {
                steps.extend([Step::Old(a), Step::New(b)])
            }
            (Some(a), other) if blank(&a) || other.is_none() => {
                steps.push(Step::Old(a));
                old.next();
                continue;
            }
            (_, Some(b)) => {
                steps.push(Step::New(b));
                new.next();
                continue;
            }
            (_, None) => return steps,
        }
        old.next();
        new.next();
    }
}

fn hunk(steps: &[Step<'_>], range: std::ops::Range<usize>, out: &mut String) {
    let before = steps.get(..range.start).unwrap_or_default();
    let shown = steps.get(range).unwrap_or_default();
    let olds = |steps: &[Step<'_>]| steps.iter().filter(|s| !matches!(s, Step::New(_))).count();
    let news = |steps: &[Step<'_>]| steps.iter().filter(|s| !matches!(s, Step::Old(_))).count();
    let side = |before: usize, count: usize| match count {
        0 => format!("{before},0"),
        1 => format!("{}", before + 1),
        _ => format!("{},{count}", before + 1),
    };
    out.push_str(&format!(
        "@@ -{} +{} @@\n",
        side(olds(before), olds(shown)),
        side(news(before), news(shown))
    ));
    // Of lines that changed one below the other, the old ones come first.
    for run in shown.chunk_by(|a, b| matches!(a, Step::Same(_)) == matches!(b, Step::Same(_))) {
        for step in run.iter().filter(|s| !matches!(s, Step::New(_))) {
            line(step, out);
        }
        for step in run.iter().filter(|s| matches!(s, Step::New(_))) {
            line(step, out);
        }
    }
}

fn line(step: &Step<'_>, out: &mut String) {
    let (sign, text) = match step {
        Step::Same(text) => (' ', text),
        Step::Old(text) => ('-', text),
        Step::New(text) => ('+', text),
    };
    out.push(sign);
    out.push_str(text);
    if !text.ends_with('\n') {
        out.push_str("\n\\ No newline at end of file\n");
    }
}
