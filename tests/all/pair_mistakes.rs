//! Mistakes in pairs and in what is stated of two things, each with its code; pairs in variants.

use crate::common::small::{SMALL, checked, codes};
use sutler::ir::*;
use sutler::project::{Project, check_text};
use sutler::source::SourceId;
use sutler::suite::run_case;
use sutler::world::json::read;

#[test]
fn mistakes_in_pairs_have_their_codes() {
    let pair = "pair band a is outdoing band b = strength of a more than strength of b [a]\n";
    let amount = "pair lead from band a to band b = strength of a - strength of b [a]\n";
    let cases: [(&str, &[&str]); 21] = [
        ("pair band a is outdoing band b = strength of a\n", &["E0316"]),
        ("pair lead from band a to band b = strength of a is 2\n", &["E0316"]),
        ("pair band a is outdoing band b = strength more than 2\n", &["E0317"]),
        ("pair band a is outdoing band b = own\n", &["E0317"]),
        ("pair band a is outdoing band b = strength of the band more than 2\n", &["E0317"]),
        ("pair band a is outdoing band b = any band here\n", &["E0317"]),
        ("pair band a is outdoing band b = any chief where strength more than 2\n", &["E0317"]),
        ("pair band a is outdoing band a = strength of a more than 2\n", &["E0202"]),
        ("pair world w is outdoing band a = strength of a more than 2\n", &["E0207"]),
        ("pair bnad a is outdoing band b = strength of b more than 2\n", &["E0203"]),
        ("pair band a is outdoing band b = b is outdoing a\n", &["E0411"]),
        (
            "pair band a is outdoing band b = bold of a\ndefine bold of band = any band where it is outdoing the band\n",
            &["E0411"],
        ),
        ("PAIRdefine bold of band = outdoing\n", &["E0318"]),
        ("PAIRdefine bold of band = any outdoing band\n", &["E0318"]),
        ("PAIRdefine bold of band = any band where it is outdoin the band\n", &["E0201"]),
        (
            "PAIRdefine bold of band = any band where outdoing from it to the band is 2\n",
            &["E0318"],
        ),
        ("PAIRdefine bold of band = any spot where it is outdoing the band\n", &["E0318"]),
        ("PAIRPAIR", &["E0202"]),
        ("PAIRdefine outdoing of band = strength more than 2\n", &["E0202"]),
        ("define far of band = any band where (gap from it to the band more than 2)\n", &["E0201"]),
        (
            "tabletop in points\npair gap from band a to band b = strength of a + strength of b\n",
            &["E0202"],
        ),
    ];
    for (text, wanted) in cases {
        let text = text.replace("PAIR", pair);
        assert_eq!(codes(&format!("{SMALL}{text}")), wanted, "{text}");
    }
    for text in [pair, amount] {
        assert_eq!(codes(&format!("{SMALL}{text}")), [] as [&str; 0]);
    }
}

#[test]
fn mistakes_in_what_is_stated_have_their_codes() {
    let rules = "map m {
  space spot Here
}
pair band a is outdoing band b = strength of a more than strength of b
pair lead from band a to band b = strength of a - strength of b
case \"one\" {
  on     m
  put    band A of Red
  put    band B of Blue
  given  GIVEN
  expect A is outdoing B
}
";
    let cases: [(&str, &[&str]); 9] = [
        ("A is outdoing B", &[]),
        ("not A is outdoing B", &[]),
        ("lead from A to B is -3", &[]),
        ("lead from A to B is 6", &["E0319"]),
        ("lead from A to B is 1/2", &["E0319"]),
        ("lead from A to B is strength of A", &["E0319"]),
        ("A is outdoing Here", &["E0318"]),
        ("A is outdoin B", &["E0201"]),
        ("lead from A to B is A", &["E0302"]),
    ];
    for (given, wanted) in cases {
        assert_eq!(codes(&format!("{SMALL}{}", rules.replace("GIVEN", given))), wanted, "{given}");
    }
    let setup = "map m {
  space spot Here
}
pair band a is outdoing band b = strength of a more than strength of b
setup s on m {
  put band A of Red
  put band B of Blue
  given A is outdoing B
}
case \"a setup states it too\" {
  setup  s
  expect A is outdoing B
  expect B is not outdoing A
}
";
    let (sources, rules, faults) = check_text("small.sut", format!("{SMALL}{setup}").as_bytes());
    assert!(faults.is_empty(), "{faults:?}");
    let rules = rules.unwrap();
    let found = run_case(&rules, &rules.cases[0], |span| sources.slice(span)).failures;
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn faults_in_a_position_have_their_codes() {
    let rules = checked(&format!(
        "{SMALL}tabletop in points
pair band a is outdoing band b = strength of a more than strength of b
map m {{
  space spot Here
}}
setup s on m {{
  put band A of Red
  put band B of Blue
}}
"
    ));
    let read = |entries: &str| {
        read(
            &format!("{{\"schema\": 1, \"setup\": \"s\", \"stated\": {entries}}}"),
            SourceId(0),
            &rules,
        )
    };
    let cases = [
        (r#"[{"pair": "outdoing", "from": "A", "to": "B", "value": true}]"#, ""),
        (r#"[{"pair": "gap", "from": "A", "to": "Here", "value": "7/3"}]"#, ""),
        (r#"[{"pair": "gap", "from": "A", "to": "Here", "value": 2}]"#, ""),
        (r#"[{"pair": "outdoin", "from": "A", "to": "B", "value": true}]"#, "E0806"),
        (r#"[{"pair": "outdoing", "from": "A", "to": "C", "value": true}]"#, "E0806"),
        (r#"[{"pair": "outdoing", "from": "A", "to": "Here", "value": true}]"#, "E0806"),
        (r#"[{"pair": "outdoing", "from": "A", "to": "B", "value": 1}]"#, "E0804"),
        (r#"[{"pair": "outdoing", "from": "A", "to": "B"}]"#, "E0804"),
        (r#"[{"pair": "outdoing", "to": "B", "value": true}]"#, "E0804"),
        (r#"[{"pair": "gap", "from": "A", "to": "B", "value": "1/0"}]"#, "E0804"),
        (r#"[{"pair": "gap", "from": "A", "to": "B", "value": "half"}]"#, "E0804"),
        (r#"[{"pair": "gap", "from": "A", "to": "B", "value": -1}]"#, "E0809"),
        (
            r#"[{"pair": "gap", "from": "A", "to": "B", "value": 1}, {"pair": "gap", "from": "A", "to": "B", "value": 1}]"#,
            "E0802",
        ),
        (r#"[{"pair": "gap", "from": "A", "to": "B", "value": 1, "by": 2}]"#, "E0803"),
        (r#"{"gap": 1}"#, "E0804"),
    ];
    for (entries, code) in cases {
        let (world, faults) = read(entries);
        let found: Vec<String> = faults.iter().map(|f| f.code.to_string()).collect();
        assert_eq!(found.join(" "), code, "{entries}\n{faults:?}");
        assert_eq!(world.is_some(), code.is_empty());
        if let Some(world) = world {
            assert!(!world.stated.is_empty(), "{entries}");
        }
    }
}

#[test]
fn a_variant_changes_and_removes_pairs() {
    let folder = tempfile::tempdir().unwrap();
    let pair = "pair band a is outdoing band b = strength of a more than strength of b\n";
    let case = "case \"NAME\" {
  on     m
  put    band A of Red with strength 3
  put    band B of Blue with strength 3
  expect A is VERB outdoing B
}
";
    let parent = format!(
        "{SMALL}{pair}pair band a is lost_to band b = b is outdoing a\nmap m {{\n  space spot Here\n}}\n"
    );
    let parent = parent + case.replace("NAME", "equal bands").replace("VERB", "not").as_str();
    std::fs::write(folder.path().join("rules.sut"), parent).unwrap();
    let variant = format!(
        "edition 1\nruleset loose \"Loose\" prefix LO extends small\noverride {}remove pair lost_to\n{}",
        pair.replace("more than", "at least"),
        case.replace("NAME", "equal bands outdo each other").replace("VERB ", ""),
    );
    std::fs::write(folder.path().join("loose.sut"), variant).unwrap();
    let project = Project::open(folder.path());
    let text = |rules: &Ruleset| print(rules);
    let found: Vec<(String, usize, usize)> = project
        .rulesets
        .iter()
        .map(|r| {
            let rules = r.rules.as_ref().unwrap_or_else(|| panic!("{:?}", r.faults));
            let failed = rules
                .cases
                .iter()
                .flat_map(|c| run_case(rules, c, |span| project.sources.slice(span)).failures)
                .count();
            assert!(text(rules).contains("pair outdoing of band and band"), "{}", text(rules));
            (rules.name.clone(), rules.pairs.len(), failed)
        })
        .collect();
    assert_eq!(found, [("small".to_owned(), 2, 0), ("loose".to_owned(), 1, 0)]);
}
