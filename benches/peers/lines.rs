//! How long it takes to check a thousand lines.

use std::fmt::Write;
use std::hint::black_box;

use sutler::project::check_text;

/// A ruleset of a thousand lines: clauses, named values, tables, traces and a map.
fn ruleset() -> String {
    let mut out = String::from(
        "edition 1\nruleset lines \"A thousand lines\" prefix TL\nsides Red, Blue, Green\ndimension areas (area)\n\
         kind area, areas is space {\n  has terrain one of plain, hill, sea\n  has coastal yes or no\n}\n\
         kind road, roads is link\nkind force, forces is unit {\n  has strength in areas from 0 to 20\n  has led yes or no\n}\n\
         kind army, armies is force\nkind fleet, fleets is force\n",
    );
    for c in 0..80 {
        let _ = writeln!(out, "section {c}.1 \"Section {c}\"");
        let _ = writeln!(out, "clause a \"An army of this sort draws on what stands behind it.\"");
        let _ = writeln!(
            out,
            "define held_{c} of area = no own force here and any enemy army here where led  [{c}.1a]"
        );
        let _ = writeln!(
            out,
            "define source_{c} of area = terrain is not sea and friendly and not held_{c}  [{c}.1a]"
        );
    }
    for t in 0..50 {
        let _ = writeln!(out, "table reach_{t} of force gives areas by first match [{t}.1a] {{");
        let _ = writeln!(out, "  row led when led and strength at least {} then 3", t % 20);
        let _ = writeln!(out, "  row strong when strength more than 4 then 2\n  otherwise 1\n}}");
    }
    for t in 0..10 {
        let _ = writeln!(
            out,
            "trace supply_{t} of force \"supply\" [{t}.1a] {{\n  called supplied_{t} else out_{t}\n  always fleet"
        );
        let _ = writeln!(
            out,
            "  source home where source_{t}\n  leg march\n    over roads\n    from anywhere\n    through not held_{t}"
        );
        let _ = writeln!(out, "    into anywhere\n    within reach_{t}\n}}");
    }
    out.push_str("map board {\n");
    for s in 0..90 {
        let _ = writeln!(
            out,
            "  space area s{s} \"Space {s}\" with terrain {}, coastal",
            ["plain", "hill", "sea"][s % 3]
        );
    }
    let links = 1000 - out.lines().count() - 1;
    for l in 0..links {
        let _ = writeln!(out, "  link road s{} to s{}", l % 90, (l * 7 + 1 + l / 90) % 90);
    }
    out.push_str("}\n");
    out
}

/// Prints the middle time of checking it, which has no peer and so no row.
pub fn report(quick: bool) -> Vec<serde_json::Value> {
    let text = ruleset();
    let (_, rules, faults) = check_text("lines.sut", text.as_bytes());
    assert!(rules.is_some(), "{faults:#?}");
    let mut check = || {
        black_box(check_text("lines.sut", black_box(text.as_bytes())));
    };
    let times = super::interleaved(if quick { 1 } else { 31 }, &mut [&mut check]);
    println!("{} lines checked in {:.2} ms", text.lines().count(), times[0] / 1e6);
    Vec::new()
}
