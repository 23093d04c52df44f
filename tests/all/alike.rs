//! A missing line is reported once, and not at each place that depends on it.

use sutler::diag::Severity;
use sutler::diag::code::PRELUDE;
use sutler::project::check_text;

/// The errors of a text: each with the lines that it points at, from 1.
fn errors(text: &str) -> Vec<(String, Vec<usize>)> {
    let (sources, _, faults) = check_text("lost.sut", text.as_bytes());
    let errors = faults.iter().filter(|fault| fault.severity == Severity::Error);
    let lines = |fault: &sutler::diag::Diagnostic| {
        let at =
            |label: &sutler::diag::Label| sources.line_col(label.span.source, label.span.start);
        fault.labels.iter().map(|label| at(label).line as usize).collect()
    };
    errors.map(|fault| (fault.message.clone(), lines(fault))).collect()
}

/// The errors without one line.
fn without(text: &str, line: &str) -> Vec<(String, Vec<usize>)> {
    assert_eq!(errors(text), [], "{text}");
    assert_eq!(text.matches(line).count(), 1, "{line}");
    errors(&text.replacen(line, "", 1))
}

const MARCH: &str = r#"
phase march in action of owner {
  do lower strength by 1 for own armies where supplied
  do lower strength by 1 for own armies where unsupplied
}
setup late on coast {
  put army One of Red in Hill with strength 2
  put army Two of Red in Hill with strength 2
  put army Three of Red in Wood with strength 2
}
case "late" {
  setup late
  given control of Hill is Red
  expect One is supplied
  given viewer is Red
  expect Hill is home
}
"#;

#[test]
fn a_lost_space_is_told_at_its_first_place_with_the_others() {
    let text = format!("{PRELUDE}{MARCH}");
    let told = without(&text, "  space area Hill with terrain land\n");
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].1.len() > 3, "{told:?}");
}

#[test]
fn the_lost_head_of_a_block_is_told_once_for_all_its_lines() {
    let text = format!("{PRELUDE}{MARCH}");
    let table = "table reach of army gives areas by first match [1b] {\n";
    let trace = "trace supply of army [1a] {\n";
    for (head, most) in [(table, 3), (trace, 4)] {
        let told = without(&text, head);
        assert!(told.len() <= most, "{head}: {told:#?}");
    }
}

const HEXES: &str = r#"edition 1
ruleset hexes "Hexes" prefix HX
sides Red against Blue
dimension points (point)
kind hex, hexes is space {
  has terrain one of land, sea
}
kind army, armies is unit
map country {
  grid hexes flat even columns lower from 0101
  legend "." with terrain land
  legend "~" with terrain sea
  row ". . . . . ."
  row ". . ~ ~ . ."
  row ". . . . . ."
  row ". . ~ ~ ~ ."
}
setup start on country {
  put army A of Red in hex 0104
  put army B of Red in hex 0204
  put army C of Red in hex 0604
  put army D of Red in hex 0504
  put army E of Red in hex 0404
}
"#;

#[test]
fn a_lost_row_of_a_map_is_told_once() {
    let told = without(HEXES, "  row \". . ~ ~ . .\"\n");
    assert_eq!(told.len(), 1, "{told:#?}");
}

#[test]
fn slips_of_their_own_stay_apart() {
    let text = format!(
        "{PRELUDE}define one of army = strength at least 2 zonks\ndefine two of army = qwert\ndefine three of army = any yuiop here\n"
    );
    assert_eq!(errors(&text).len(), 3, "{:#?}", errors(&text));
}
