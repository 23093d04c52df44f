//! All cases as one page: a row for each title, then one for each line, the cells of grids apart.

use super::spot::{At, Make, Row, Sheet, Spot};
use crate::source::{SourceMap, Span};
use crate::syntax::ast::Case;

pub(super) fn begin() -> Sheet {
    let heads = vec![Spot::fixed("case"), Spot::fixed("line")];
    Sheet {
        name: "cases".to_owned(),
        heads,
        rows: Vec::new(),
        make: Make::Case,
        keys: 0,
        item: Span::default(),
    }
}

pub(super) fn add(page: &mut Sheet, case: &Case, item: Span, sources: &SourceMap) {
    let title =
        Spot { shown: case.title.text.clone(), at: At::Quoted(case.title.span), colour: None };
    let spots = vec![title, Spot::cites(&case.cites, case.title.span, sources)];
    page.rows.push(Row { span: case.title.span, spots, withs: None });
    page.item = item;
    let text = sources.text(item.source);
    let Some(open) = block(text, item, case) else { return };
    let mut start = open;
    let body = text.get(open..item.end as usize).unwrap_or_default();
    for whole in body.split_inclusive('\n') {
        let line = words(whole);
        let from = start + line.start;
        start += whole.len();
        let said = whole.get(line.clone()).unwrap_or_default();
        if said.is_empty() || said == "}" {
            continue;
        }
        let place = Span::of(item.source, from..from + said.len());
        let mut spots = vec![Spot::fixed("")];
        for part in cells(said) {
            let span = Span::of(item.source, from + part.start..from + part.end);
            spots.push(Spot::words(sources, span));
        }
        let more = spots.len().saturating_sub(page.heads.len());
        page.heads.extend((0..more).map(|_| Spot::fixed("")));
        page.rows.push(Row { span: place, spots, withs: None });
    }
}

/// Where the lines of a case begin: behind the line that opens its block.
fn block(text: &str, item: Span, case: &Case) -> Option<usize> {
    let end = case.title.span.end as usize;
    let open = end + text.get(end..item.end as usize)?.find('{')?;
    let newline = text.get(open..item.end as usize)?.find('\n')?;
    Some(open + newline + 1)
}

/// The words of a line without the blanks around them and the comment behind them.
fn words(line: &str) -> std::ops::Range<usize> {
    let mut quoted = false;
    let comment = line.find(|c: char| {
        quoted ^= c == '"';
        c == '#' && !quoted
    });
    let kept = line.get(..comment.unwrap_or(line.len())).unwrap_or(line);
    let start = kept.len() - kept.trim_start().len();
    start..kept.trim_end().len().max(start)
}

/// The cells of a line, which bars stand between.
fn cells(line: &str) -> Vec<std::ops::Range<usize>> {
    let mut found = Vec::new();
    let (mut start, mut quoted) = (0, false);
    for (at, sign) in line.char_indices() {
        quoted ^= sign == '"';
        if sign == '|' && !quoted {
            found.push(start..at);
            start = at + 1;
        }
    }
    found.push(start..line.len());
    let tidy = |range: std::ops::Range<usize>| {
        let text = line.get(range.clone()).unwrap_or_default();
        let from = range.start + (text.len() - text.trim_start().len());
        from..range.start + text.trim_end().len().max(from - range.start)
    };
    found.into_iter().map(tidy).collect()
}
