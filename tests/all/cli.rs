//! The command line as it is called: exit codes, what goes where, and that nothing is half done.

use std::fs;
use std::path::PathBuf;
use std::process::Stdio;

use crate::place::{Place, command};
use sutler::diag::code::{self, PRELUDE};

const COMMANDS: [&str; 36] = [
    "completions",
    "man",
    "check",
    "trace",
    "batch",
    "bench",
    "explain",
    "why-not",
    "threat",
    "reach",
    "odds",
    "ask",
    "map",
    "run",
    "play",
    "differ",
    "fuzz",
    "test",
    "coverage",
    "resolve",
    "diff",
    "impact",
    "calendar",
    "mutate",
    "sweep",
    "lint",
    "doc",
    "fmt",
    "new",
    "migrate",
    "schema",
    "import",
    "sheet",
    "ir",
    "lsp",
    "explain-code",
];

/// A case that holds in the little game, and one that does not.
const HOLDS: &str = "case \"near enough\" [1b] {\n  setup opening\n  expect Guard is supplied\n}\n";
const FAILS: &str =
    "case \"too strong\" [1a] {\n  setup opening\n  expect strength of Guard is 7 points\n}\n";

/// A folder with the little game in `game`.
fn place() -> Place {
    Place::with(&format!("{PRELUDE}\n{HOLDS}"))
}

#[test]
fn every_command_has_its_help() {
    let place = place();
    let all = place.run(&["--help"]);
    assert_eq!((all.code, all.err.as_str()), (0, ""));
    for name in COMMANDS {
        assert!(all.out.contains(&format!("  {name} ")), "{name}: {}", all.out);
        let help = place.run(&[name, "--help"]);
        assert_eq!((help.code, help.err.as_str()), (0, ""), "{name}");
        assert!(help.out.contains(&format!("Usage: sutler {name}")), "{}", help.out);
    }
    for name in ["csv", "text-mapper"] {
        assert!(
            place
                .run(&["import", name, "--help"])
                .out
                .contains(&format!("Usage: sutler import {name}")),
            "{name}"
        );
    }
    assert_eq!(place.run(&["--version"]).out, format!("sutler {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn a_wrong_call_is_two_and_says_nothing_on_standard_output() {
    let place = place();
    let calls: [&[&str]; 6] = [
        &[],
        &["chekc", "game"],
        &["check"],
        &["check", "--frmat", "json", "game"],
        &["trace"],
        &["trace", "game", "--format", "xml"],
    ];
    for call in calls {
        let said = place.run(call);
        assert_eq!((said.code, said.out.as_str()), (2, ""), "{call:?}");
        assert!(!said.err.is_empty(), "{call:?}");
    }
    assert!(place.run(&["chekc", "game"]).err.contains("'check'"));
}

#[test]
fn clean_is_zero_and_findings_are_one() {
    let place = place();
    let clean = place.run(&["check", "game"]);
    assert_eq!(
        (clean.code, clean.out.as_str(), clean.err.as_str()),
        (0, "", "example: nothing to report\n")
    );
    place.write("bad/rules.sut", format!("{PRELUDE}\ndefine wet of area = terain is sea\n"));
    let bad = place.run(&["check", "bad"]);
    assert_eq!((bad.code, bad.err.as_str()), (1, ""));
    assert!(bad.out.contains("error[E0201]: no fact of an area is called `terain`"), "{}", bad.out);
    // The other commands cannot go on, and tell it as a message.
    for call in [
        &["trace", "bad"][..],
        &["explain", "bad"],
        &["map", "bad"],
        &["coverage", "bad"],
        &["ir", "bad"],
    ] {
        let said = place.run(call);
        assert_eq!((said.code, said.out.as_str()), (1, ""), "{call:?}");
        assert!(said.err.contains("error[E0201]"), "{call:?}: {}", said.err);
    }
    // A report of tests has it among its results.
    let tested = place.run(&["test", "bad"]);
    assert_eq!((tested.code, tested.err.as_str()), (1, ""));
    assert!(tested.out.contains("error[E0201]"), "{}", tested.out);
}

#[test]
fn failed_cases_are_one() {
    let place = place();
    let passed = place.run(&["test", "game"]);
    assert_eq!(
        (passed.code, passed.out.as_str(), passed.err.as_str()),
        (0, "example: 1 passed, 0 failed\n1 passed, 0 failed\n", "")
    );
    place.write("game/suite.sut", format!("edition 1\n{FAILS}"));
    let failed = place.run(&["test", "game"]);
    assert_eq!(failed.code, 1);
    assert!(
        failed.out.contains("FAILED example: too strong\n  game/suite.sut:4\n  `strength` is 4, expected `strength of Guard is 7 points`"),
        "{}",
        failed.out
    );
    assert!(failed.out.ends_with("1 passed, 1 failed\n"), "{}", failed.out);
    assert_eq!(place.run(&["test", "game", "--only", "near"]).code, 0);
}

#[test]
fn json_is_one_document_with_its_schema() {
    let place = place();
    place.write("bad/rules.sut", format!("{PRELUDE}\ndefine wet of area = terain is sea\n"));
    let calls: [&[&str]; 10] = [
        &["check", "game"],
        &["check", "bad", "game", "bad"],
        &["check", "nowhere"],
        &["trace", "game"],
        &["explain", "game"],
        &["why-not", "game"],
        &["threat", "game"],
        &["map", "game"],
        &["test", "game", "game"],
        &["coverage", "game"],
    ];
    for call in calls {
        let said = place.run(&[call, &["--format", "json"]].concat());
        let value: serde_json::Value = serde_json::from_str(&said.out)
            .unwrap_or_else(|e| panic!("{call:?}: {e}\n{}", said.out));
        assert_eq!(value["schema"], 1, "{call:?}");
        assert!(said.out.ends_with('\n') && said.out.is_ascii(), "{call:?}");
    }
    let both: serde_json::Value =
        serde_json::from_str(&place.run(&["check", "bad", "game", "bad", "--format", "json"]).out)
            .unwrap();
    let codes: Vec<&str> = both["diagnostics"]
        .as_array()
        .unwrap()
        .iter()
        .map(|d| d["code"].as_str().unwrap())
        .collect();
    assert_eq!(codes, ["E0201", "E0201"]);
    assert_eq!(both["diagnostics"][0]["labels"][0]["file"], "bad/rules.sut");
    let ir: serde_json::Value =
        serde_json::from_str(&place.run(&["ir", "game", "--format", "json"]).out).unwrap();
    assert!(ir["schema"].is_number());
    for call in [&["schema"][..], &["schema", "game"]] {
        let schema: serde_json::Value = serde_json::from_str(&place.run(call).out).unwrap();
        assert!(schema["$schema"].is_string(), "{call:?}");
    }
}

#[test]
fn a_trace_says_who_and_why() {
    let place = place();
    let said = place.run(&["trace", "game", "--format", "json"]);
    assert_eq!((said.code, said.err.as_str()), (0, ""));
    let rows: serde_json::Value = serde_json::from_str(&said.out).unwrap();
    // By hand: the Guard stands one border from Port, which is Red's; Blue holds no area.
    let of = |unit: &str| {
        rows["units"].as_array().unwrap().iter().find(|r| r["id"] == unit).unwrap().clone()
    };
    assert_eq!(
        (of("Guard")["state"].as_str(), of("Guard")["distance"].as_i64()),
        (Some("supplied"), Some(1)),
        "{}",
        said.out
    );
    assert_eq!(of("Raiders")["state"], "unsupplied");
    let why = place.run(&["explain", "game", "Raiders"]);
    assert_eq!((why.code, why.err.as_str()), (0, ""));
    assert!(why.out.starts_with("Raiders of Blue, in Wood: unsupplied\n"), "{}", why.out);
}

#[test]
fn unknown_names_are_told_with_the_nearest() {
    let place = place();
    let calls: [(&[&str], &str); 8] = [
        (
            &["trace", "game", "--setup", "openning"],
            "error: no setup is called `openning`\n  help: write `opening`\n",
        ),
        (
            &["trace", "game", "--trace", "suply"],
            "error: no trace is called `suply`\n  help: write `supply`\n",
        ),
        (
            &["explain", "game", "Gaurd"],
            "error: no unit is called `Gaurd`\n  help: write `Guard`\n",
        ),
        (
            &["explain", "game", "Nobody"],
            "error: no unit is called `Nobody`\n  help: there are `Guard`, `Raiders`\n",
        ),
        (
            &["map", "game", "--side", "Rad"],
            "error: no side is called `Rad`\n  help: write `Red`\n",
        ),
        (
            &["map", "game", "--units", "Guards"],
            "error: no unit on the map is called `Guards`\n  help: write `Guard`\n",
        ),
        (
            &["trace", "game", "--ruling", "odd=even"],
            "error: no ruling is called `odd`\n  help: the ruleset has no ruling\n",
        ),
        (&["explain-code", "E0O04"], "error: no code is called `E0O04`\n  help: write `E0004`\n"),
    ];
    for (call, told) in calls {
        let said = place.run(call);
        assert_eq!((said.code, said.out.as_str(), said.err.as_str()), (2, "", told), "{call:?}");
    }
}

#[test]
fn paths_that_are_not_there_are_trouble() {
    let place = place();
    fs::create_dir(place.path("empty")).unwrap();
    for call in [
        &["check", "nowhere"][..],
        &["check", "empty"],
        &["test", "nowhere"],
        &["test", "game", "nowhere"],
    ] {
        let said = place.run(call);
        assert_eq!((said.code, said.err.as_str()), (2, ""), "{call:?}");
        assert!(said.out.contains("error[E0006]"), "{call:?}: {}", said.out);
    }
    for call in [&["trace", "nowhere"][..], &["map", "empty"], &["schema", "nowhere"]] {
        let said = place.run(call);
        assert_eq!((said.code, said.out.as_str()), (2, ""), "{call:?}");
        assert!(said.err.contains("error[E0006]"), "{call:?}: {}", said.err);
    }
}

#[test]
fn a_file_that_cannot_be_read_is_trouble() {
    let place = place();
    // A folder is no file on any system, whoever asks.
    for call in [
        &["trace", "game", "--position", "game"][..],
        &["import", "csv", "game"],
        &["import", "text-mapper", "game"],
    ] {
        let said = place.run(call);
        assert_eq!((said.code, said.out.as_str()), (2, ""), "{call:?}");
        assert!(said.err.starts_with("error: `game` cannot be read: "), "{call:?}: {}", said.err);
    }
    let said = place.run(&["import", "csv", "gone.csv"]);
    assert_eq!((said.code, said.out.as_str()), (2, ""));
    assert!(said.err.starts_with("error: `gone.csv` cannot be read: "), "{}", said.err);
}

#[test]
fn what_a_command_lacks_is_said_plainly() {
    let place = place();
    let head = "edition 1\nruleset bare \"Bare\" prefix B\nsides Red, Blue\nkind area, areas is space\nkind army, armies is unit\n";
    let trace = "kind road, roads is link\ntrace supply of army {\n  called fed else hungry\n  source home where friendly\n  leg way\n    over roads\n    \
                 from anywhere\n    through anywhere\n    into anywhere\n    within 2\n}\n";
    place.write("bare/rules.sut", head);
    place.write("mapless/rules.sut", format!("{head}{trace}"));
    place.write("unset/rules.sut", format!("{head}{trace}map m {{\n  space area Hill\n}}\n"));
    for (ruleset, command, lack) in [
        (
            "bare",
            "trace",
            "error: the ruleset has no trace\n  help: write one, such as `trace supply of army { ... }`\n",
        ),
        (
            "bare",
            "explain",
            "error: the ruleset has no trace\n  help: write one, such as `trace supply of army { ... }`\n",
        ),
        (
            "bare",
            "map",
            "error: the ruleset has no map\n  help: write one, such as `map valley { ... }` with a `space` in it\n",
        ),
        (
            "mapless",
            "trace",
            "error: the ruleset has no map\n  help: write one, such as `map valley { ... }` with a `space` in it\n",
        ),
        (
            "unset",
            "trace",
            "error: the ruleset has no setup\n  help: write one, such as `setup opening on valley { ... }`, or name a position with `--position FILE`\n",
        ),
    ] {
        let said = place.run(&[command, ruleset]);
        assert_eq!(
            (said.code, said.out.as_str(), said.err.as_str()),
            (2, "", lack),
            "{command} {ruleset}"
        );
    }
}

#[test]
fn colours_are_for_terminals_alone() {
    let place = place();
    place.write("bad/rules.sut", format!("{PRELUDE}\ndefine wet of area = terain is sea\n"));
    for args in [&["check", "bad"][..], &["trace", "bad"], &["explain-code", "E0201"]] {
        let plain = place.command(args).env_remove("NO_COLOR").output().unwrap();
        let none = place.command(args).env("NO_COLOR", "1").output().unwrap();
        assert_eq!((&plain.stdout, &plain.stderr), (&none.stdout, &none.stderr), "{args:?}");
        assert!(!plain.stdout.contains(&0x1b) && !plain.stderr.contains(&0x1b), "{args:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_is_nobodys_fault() {
    let place = place();
    for args in
        [&["ir", "game"][..], &["explain-code"], &["schema"], &["trace", "game"], &["--help"]]
    {
        let mut child =
            place.command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // The reader is gone before anything is written.
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(
            (output.status.code(), output.stderr.as_slice()),
            (Some(0), &b""[..]),
            "{args:?}"
        );
    }
}

#[test]
fn the_same_bytes_come_twice_and_from_another_folder() {
    let place = place();
    place.write("elsewhere/note", "");
    let calls: [&[&str]; 9] = [
        &["trace", "GAME"],
        &["explain", "GAME"],
        &["map", "GAME"],
        &["map", "GAME", "--format", "svg"],
        &["test", "GAME"],
        &["coverage", "GAME"],
        &["schema", "GAME"],
        &["ir", "GAME"],
        &["ir", "GAME", "--format", "json"],
    ];
    for call in calls {
        let from = |folder: &str, game: &str| {
            let args: Vec<&str> =
                call.iter().map(|a| if *a == "GAME" { game } else { a }).collect();
            command(&place.path(folder), &args).output().unwrap()
        };
        let (first, second, other) =
            (from("", "game"), from("", "game"), from("elsewhere", "../game"));
        assert!(!first.stdout.is_empty(), "{call:?}");
        assert_eq!((&first.stdout, first.status), (&second.stdout, second.status), "{call:?}");
        // What is told of a place in a file begins with the path as it was typed.
        let there = String::from_utf8(other.stdout).unwrap().replace("../game/", "game/");
        assert_eq!(
            (String::from_utf8(first.stdout).unwrap(), first.status),
            (there, other.status),
            "{call:?}"
        );
    }
}

#[test]
fn a_map_is_written_whole_or_not_at_all() {
    let place = place();
    let written = place.run(&["map", "game", "--out", "map.svg"]);
    assert_eq!((written.code, written.out.as_str(), written.err.as_str()), (0, "", ""));
    let picture = fs::read_to_string(place.path("map.svg")).unwrap();
    assert!(picture.starts_with("<svg") || picture.starts_with("<?xml"), "{picture}");
    assert_eq!(picture, place.run(&["map", "game", "--format", "svg"]).out);
    // A call that fails leaves the old file as it is, and no other beside it.
    assert_eq!(place.run(&["map", "game", "--setup", "nothing", "--out", "map.svg"]).code, 2);
    assert_eq!(fs::read_to_string(place.path("map.svg")).unwrap(), picture);
    let lost = place.run(&["map", "game", "--out", "no/such/folder/map.svg"]);
    assert_eq!((lost.code, lost.out.as_str()), (2, ""));
    assert!(
        lost.err.contains("error[E0007]") && lost.err.contains("its folder does not"),
        "{}",
        lost.err
    );
    let mut names: Vec<String> = fs::read_dir(place.0.path())
        .unwrap()
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, ["game", "map.svg"]);
}

#[test]
fn a_file_is_called_as_what_is_written_into_it() {
    let place = place();
    let refused: &[&[&str]] = &[
        &["map", "game", "--out", "map.png"],
        &["map", "game", "--format", "svg", "--out", "map.json"],
        &["map", "game", "--format", "text", "--out", "map.svg"],
        &["doc", "game", "--out", "page.pdf"],
        &["doc", "game", "--format", "html", "--out", "page.md"],
        &["explain", "game", "Guard", "--svg", "line.png"],
        &["why-not", "game", "Raiders", "--svg", "line.jpg"],
        &["threat", "game", "--svg", "threat.txt"],
        &["impact", "game", "game", "--svg", "flips.png"],
    ];
    for args in refused {
        let said = place.run(args);
        let known = [".svg`", ".json`", ".txt`", ".md`", ".html`"];
        assert_eq!((said.code, said.out.as_str()), (2, ""), "{args:?}");
        assert!(known.iter().any(|k| said.err.contains(k)), "{args:?}: {}", said.err);
        assert!(!place.path(args.last().unwrap()).exists(), "{args:?}");
    }
    let taken: &[(&[&str], &str)] = &[
        (&["map", "game", "--out", "map.SVG"], "<svg"),
        (&["map", "game", "--out", "map.json"], "{"),
        (&["map", "game", "--format", "svg", "--out", "plain"], "<svg"),
        (&["doc", "game", "--out", "page.htm"], "<!"),
        (&["doc", "game", "--out", "page.markdown"], "#"),
    ];
    for (args, begins) in taken {
        let said = place.run(args);
        assert_eq!(said.code, 0, "{args:?}: {}", said.err);
        let written = fs::read_to_string(place.path(args.last().unwrap())).unwrap();
        assert!(written.starts_with(begins), "{args:?}: {written:.40}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_takes_no_file_is_trouble() {
    use std::os::unix::fs::PermissionsExt;
    let place = place();
    fs::create_dir(place.path("locked")).unwrap();
    fs::set_permissions(place.path("locked"), fs::Permissions::from_mode(0o555)).unwrap();
    // Whoever may do everything may write here all the same; nobody may in the folder of a process.
    let free = fs::write(place.path("locked/probe"), "").is_ok();
    let folder = if free { PathBuf::from("/proc/self") } else { place.path("locked") };
    let said = place.run(&["map", "game", "--out", folder.join("map.svg").to_str().unwrap()]);
    assert_eq!((said.code, said.out.as_str()), (2, ""));
    assert!(
        said.err.contains("error[E0007]") && said.err.contains("cannot be written"),
        "{}",
        said.err
    );
    assert!(!folder.join("map.svg").exists());
}

#[test]
fn an_import_prints_a_map_and_tells_faults_apart() {
    let place = place();
    place.write("spaces.csv", "\u{feff}id,title,terrain\n0101,,land\n0102,\"Big \"\"A\"\"\",sea\n");
    let good = place.run(&["import", "csv", "spaces.csv", "--name", "coast"]);
    assert_eq!((good.code, good.err.as_str()), (0, ""));
    assert!(
        good.out.starts_with("edition 1\n")
            && good.out.contains("map coast")
            && good.out.contains("0101"),
        "{}",
        good.out
    );
    place.write("bad.csv", "title,terrain\nA,land\n");
    let bad = place.run(&["import", "csv", "bad.csv"]);
    assert_eq!((bad.code, bad.out.as_str()), (1, ""));
    assert!(bad.err.contains("bad.csv:1"), "{}", bad.err);
    let named = place.run(&["import", "csv", "spaces.csv", "--name", "9lives"]);
    assert_eq!((named.code, named.out.as_str()), (2, ""));
    assert!(
        named.err.starts_with("error: `9lives` cannot be the name of a map\n"),
        "{}",
        named.err
    );
    place.write("hexes.txt", "0101 sea\n0102 mountain \"Peak\"\n");
    let hexes = place.run(&["import", "text-mapper", "hexes.txt"]);
    assert_eq!((hexes.code, hexes.err.as_str()), (0, ""));
    assert!(hexes.out.contains("mountain") && hexes.out.contains("\"Peak\""), "{}", hexes.out);
}

#[test]
fn every_code_is_explained() {
    let place = place();
    let list = place.run(&["explain-code"]);
    assert_eq!((list.code, list.err.as_str()), (0, ""));
    let lines: Vec<&str> = list.out.lines().collect();
    assert_eq!(lines.len(), code::all().len());
    for (info, line) in code::all().iter().zip(lines) {
        assert_eq!(line, format!("{}  {}", info.code, info.title));
        let said = place.run(&["explain-code", &info.code.as_str().to_lowercase()]);
        assert_eq!((said.code, said.err.as_str()), (0, ""), "{}", info.code);
        assert!(
            said.out.contains(info.code.as_str()) && said.out.contains(info.title),
            "{}",
            said.out
        );
    }
}

#[test]
fn a_position_is_read_from_a_file() {
    let place = place();
    let units = |space: &str| {
        format!(
            r#"{{"schema": 1, "setup": "opening", "units": [{{"id": "Guard", "space": "{space}"}}]}}"#
        )
    };
    place.write("far.json", units("Bay"));
    let far = place.run(&["explain", "game", "Guard", "--position", "far.json"]);
    assert_eq!((far.code, far.err.as_str()), (0, ""));
    // No border leads out of the Bay.
    assert!(far.out.starts_with("Guard of Red, in Bay: unsupplied\n"), "{}", far.out);
    place.write("wrong.json", units("Hil"));
    let wrong = place.run(&["trace", "game", "--position", "wrong.json"]);
    assert_eq!((wrong.code, wrong.out.as_str()), (1, ""));
    assert!(
        wrong.err.contains("wrong.json:1") && wrong.err.contains("write `Hill`"),
        "{}",
        wrong.err
    );
    assert_eq!(
        place.run(&["trace", "game", "--setup", "opening", "--position", "far.json"]).code,
        2
    );
}
