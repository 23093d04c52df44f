//! What a question opens: the rules, and neither cases nor variants that nobody asked for.

use crate::place::Place;
use sutler::diag::code::PRELUDE;

const VARIANT: &str = "edition 1\nruleset far \"Far\" prefix FA extends example\n\
override table reach of army gives areas by first match {\n  otherwise 9\n}\n";

/// A folder with a sound game in `game`, a variant `far.sut` of it, and these files beside.
fn place(beside: &[(&str, &str)]) -> Place {
    let place = Place::with(PRELUDE);
    place.write("game/far.sut", VARIANT);
    for (name, text) in beside {
        place.write(&format!("game/{name}"), text);
    }
    place
}

#[test]
fn a_broken_suite_or_variant_hides_no_answer() {
    let broken = [
        ("suite.sut", "edition 1\ncase \"broken\" [1a] {\n  expect Guard is nonsense at all\n}\n"),
        ("near.sut", "edition 1\nruleset near \"Near\" prefix NE extends example\ntrace trace\n"),
    ];
    let (sound, broken) = (place(&[]), place(&broken));
    for file in ["game", "game/far.sut"] {
        for command in ["trace", "explain"] {
            let args = [command, file, "--format", "json"];
            let (a, b) = (sound.run(&args), broken.run(&args));
            assert_eq!((a.code, b.code), (0, 0), "{} {}", a.err, b.err);
            assert_eq!(a.out, b.out, "{command} {file}");
        }
    }
    let checked = broken.run(&["check", "game"]);
    let told = format!("{}{}", checked.err, checked.out);
    assert_eq!(checked.code, 1);
    assert!(told.contains("suite.sut") && told.contains("near.sut"), "{told}");
}

#[test]
fn the_hash_holds_rules_and_no_proofs() {
    let proofs = "edition 1\nmistake \"no such word\" expects E0201 {\n  define idle of army = nonsense\n}\n\
        case \"stands\" [1a] {\n  setup opening\n  expect Guard is supplied\n}\n";
    let (bare, proved) = (place(&[]), place(&[("suite.sut", proofs)]));
    let hash = |place: &Place, command: &str| {
        let said = place.run(&[command, "game", "--format", "json"]);
        let value: serde_json::Value = serde_json::from_str(&said.out).unwrap();
        value["hash"].as_str().unwrap().to_owned()
    };
    assert_eq!(hash(&bare, "trace"), hash(&proved, "trace"));
    assert_eq!(hash(&proved, "trace"), hash(&proved, "ir"));
}
