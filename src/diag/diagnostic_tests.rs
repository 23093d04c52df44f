use super::*;
use crate::diag::code::{E0001, E0002, E0006};
use crate::source::SourceId;

fn span(source: u32, start: u32) -> Span {
    Span::new(SourceId(source), start, start + 1)
}

#[test]
fn builders_fill_the_record() {
    let fault = Diagnostic::error(E0001, span(0, 4), "wrong")
        .label(span(0, 0), "declared here")
        .at("this")
        .help("mend it")
        .note("so says the rule");
    assert_eq!(fault.labels.len(), 2);
    assert_eq!(fault.labels.first().map(|l| l.text.as_str()), Some("this"));
    assert_eq!(fault.primary(), Some(span(0, 4)));
    assert_eq!(fault.notes, ["so says the rule"]);
    assert_eq!(Diagnostic::bare(E0006, "gone").primary(), None);
}

#[test]
fn order_is_text_then_place_then_code() {
    let mut all = vec![
        Diagnostic::error(E0001, span(1, 0), "d"),
        Diagnostic::error(E0002, span(0, 3), "c"),
        Diagnostic::error(E0001, span(0, 3), "b"),
        Diagnostic::bare(E0006, "a"),
    ];
    sort(&mut all);
    let order: String = all.iter().map(|d| d.message.as_str()).collect();
    assert_eq!(order, "abcd");
}

#[test]
fn only_errors_count() {
    let warning = Diagnostic::warning(E0001, span(0, 0), "odd");
    assert!(!has_errors(std::slice::from_ref(&warning)));
    assert!(has_errors(&[warning, Diagnostic::bare(E0006, "gone")]));
}

#[test]
fn a_suggestion_speaks_for_itself() {
    let mut map = SourceMap::new();
    let id = map.add("a.sut", "ruel x".to_owned());
    let fault = Diagnostic::error(E0001, Span::new(id, 0, 4), "unknown word `ruel`");
    let advice = |end, new: &str| fault.clone().suggest(Span::new(id, 0, end), new).advice(&map);
    assert_eq!(advice(4, "rule").as_deref(), Some("write `rule` instead of `ruel`"));
    assert_eq!(advice(0, "a ").as_deref(), Some("add `a `"));
    assert_eq!(advice(5, "").as_deref(), Some("remove `ruel `"));
    assert_eq!(fault.advice(&map), None);
    assert_eq!(
        fault.help("look").suggest_always(Span::new(id, 0, 1), "").advice(&map).as_deref(),
        Some("look")
    );
}
