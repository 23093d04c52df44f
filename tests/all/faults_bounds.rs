//! Bounds: what no input may do to the program. Shared values, endless files, small memory and full
//! disks end with 0, 1 or 2 and a message; what a command writes is what it shows; a log is
//! believed nothing.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::Stdio;

use crate::place::{Place, Said, command, said};

fn fault(name: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/faults").join(name);
    fs::read_to_string(root).unwrap()
}

/// The game of the shared values: an army, a supply trace, a case that asks the first of them.
fn shared(name: &str) -> Place {
    Place::with(&fault(&format!("{name}/rules.sut")))
}

/// Every command that works out values, each with what it needs.
const ASKS: [&[&str]; 12] = [
    &["check", "game"],
    &["test", "game"],
    &["trace", "game"],
    &["explain", "game"],
    &["why-not", "game"],
    &["threat", "game"],
    &["run", "game", "--first-way"],
    &["map", "game"],
    &["coverage", "game"],
    &["lint", "game"],
    &["doc", "game"],
    &["calendar", "game"],
];

#[test]
fn values_that_share_others_cost_what_they_are() {
    // Written out they have 2^20 to 2^30 parts, and 200 armies five deep 3 * 10^11 questions.
    for name in ["exp30", "expc30", "expt20", "nestd5", "trace28"] {
        let place = shared(name);
        for args in ASKS {
            let said = place.run(args);
            assert!(
                said.code == 0 || (said.code == 1 && ["coverage", "lint"].contains(&args[0])),
                "{name} {args:?}: {}",
                said.err
            );
        }
    }
}

#[test]
fn what_costs_too_many_steps_is_refused_with_its_place() {
    let place = shared("nest5");
    assert_eq!(place.run(&["check", "game"]).code, 0);
    let said = place.run(&["test", "game"]);
    assert_eq!(said.code, 1);
    assert!(said.out.contains("E1006") || said.err.contains("E1006"), "{}{}", said.out, said.err);
}

/// A chain of values as long as the checker allows, each read twice by the one before it, in every
/// place that a value is asked at: 2^200 parts, if they were written out.
#[test]
fn a_long_chain_ends_wherever_it_is_asked() {
    let mut chain = String::from("define v200 of army = strength\n");
    let mut spaces = String::from("define s200 of area = count of armies here\n");
    for at in 0..200 {
        let _ =
            writeln!(chain, "define v{at} of army = greater of (v{next}, v{next})", next = at + 1);
        let _ =
            writeln!(spaces, "define s{at} of area = greater of (s{next}, s{next})", next = at + 1);
    }
    let base = fault("exp30/rules.sut");
    let base = base.split("\ndefine v0").next().unwrap();
    let asked = format!(
        "{base}\n{chain}{spaces}
mark shaken of army until end of turn
test nerve of army {{
  roll 1d6 + v0
  when total at least 5 then holds
  otherwise breaks
}}
phase trial in attrition {{
  roll nerve for armies where v0 at least 0
  do mark shaken for armies where nerve is breaks
}}
case \"c\" {{
  setup opening
  expect v0 of Guard is 4 points
  expect supply of Guard is supplied
}}
"
    );
    let gates = asked
        .replace("through not blocked", "through s0 at least 0")
        .replace("into    anywhere", "into    s0 at least 0");
    let costs = asked.replace("within  reach  ", "within  v0 areas");
    for (name, text) in [("values", &asked), ("gates", &gates), ("costs", &costs)] {
        let place = Place::with(text);
        let checked = place.run(&["check", "game"]);
        if name == "costs" && checked.code == 1 {
            continue;
        }
        assert_eq!(checked.code, 0, "{name}: {}{}", checked.out, checked.err);
        for args in ASKS.iter().copied().chain([
            &["odds", "game", "--phase", "trial"][..],
            &["odds", "game", "--test", "nerve"],
        ]) {
            let said = if args[0] == "run" {
                place.run(&["run", "game", "--first-way", "--seed", "1"])
            } else {
                place.run(args)
            };
            assert!((0..=1).contains(&said.code), "{name} {args:?}: {} {}", said.code, said.err);
            assert!(
                said.code == 0 || !said.err.contains("panicked"),
                "{name} {args:?}: {}",
                said.err
            );
        }
    }
}

const GAME: &str = r#"edition 1
ruleset small "Small" prefix SM
sides Red against Blue
clock turn has action of each side
dimension points (point)
kind area, areas is space
kind road, roads is link
kind block, blocks is unit {
  has men in points from 0 to 9
}
section 1 "Losses"
clause a "Each block rolls, and loses a man on a 1."
test hurt of block {
  roll 1d6
  when total at least 2 then holds
  otherwise loses
}
phase trial in action of owner {
  roll hurt for own blocks                           [1a]
  do   lower men by 1 for own blocks where hurt is loses   [1a]
}
map m {
  space area A
  space area B
  link road A to B
}
setup s on m {
  put block X of Red in A with men 5
  put block Y of Blue in B with men 5
}
case "stands" {
  setup s
  expect men of X is 5 points
}
"#;

fn played(place: &Place, more: &[&str]) -> Said {
    let mut args = vec!["run", "game", "--turns", "3", "--format", "jsonl"];
    args.extend(more);
    let said = place.run(&args);
    assert_eq!(said.code, 0, "{}", said.err);
    said
}

/// Every field of the first line, changed; and dice that the seed does not show.
#[test]
fn no_claim_of_a_log_is_believed() {
    let place = Place::with(GAME);
    let log = played(&place, &["--seed", "7"]).out;
    place.write("log", &log);
    assert_eq!(place.run(&["run", "game", "--replay", "log"]).code, 0);
    let head = log.lines().next().unwrap();
    let changes = [
        ("\"schema\":1,\"ruleset\"", "\"schema\":2,\"ruleset\"", 2, "E1025"),
        ("\"ruleset\":\"small\"", "\"ruleset\":\"large\"", 1, "E1024"),
        ("\"hash\":\"", "\"hash\":\"0", 1, "E1024"),
        ("\"turns\":3", "\"turns\":4", 1, "E1024"),
        ("\"turns\":3", "\"turns\":2", 1, "E1024"),
        ("\"turns\":3", "\"turns\":0", 2, "E1025"),
        ("\"turns\":3", "\"turns\":4294967295", 2, "E1025"),
        ("\"seed\":7", "\"seed\":8", 1, "E1024"),
        ("\"men\":5", "\"men\":6", 1, "E1024"),
        ("\"men\":5", "\"men\":5,\"men\":5", 1, "E"),
    ];
    for (from, to, code, said_code) in changes {
        let changed = head.replacen(from, to, 1);
        assert_ne!(head, changed, "{from}");
        place.write("log", log.replacen(head, &changed, 1));
        let said = place.run(&["run", "game", "--replay", "log"]);
        assert_eq!(said.code, code, "{to}: {}", said.err);
        assert!(said.err.contains(said_code), "{to}: {}", said.err);
    }
    let rolled = log.lines().find(|line| line.contains("\"rolled\"")).unwrap();
    let face = rolled.find("\"dice\":[").unwrap() + "\"dice\":[".len();
    let mut faked = rolled.to_owned();
    let other = if &rolled[face..=face] == "3" { "4" } else { "3" };
    faked.replace_range(face..=face, other);
    place.write("log", log.replacen(rolled, &faked, 1));
    let said = place.run(&["run", "game", "--replay", "log"]);
    assert!(said.code == 1 && said.err.contains("E1024"), "{}", said.err);
    for broken in ["", "{}", "[]\n", "\u{feff}", "{\"schema\":1}\n{}\n"] {
        place.write("log", broken);
        let said = place.run(&["run", "game", "--replay", "log"]);
        assert!(said.code == 2 && said.err.contains("E1025"), "{broken:?}: {}", said.err);
    }
}

#[test]
fn a_replay_against_other_rules_lists_what_differs() {
    let place = Place::with(GAME);
    let log = played(&place, &["--seed", "7"]).out;
    place.write("log", &log);
    place.write("game/rules.sut", GAME.replace("at least 2 then", "at least 7 then"));
    let first = place.run(&["run", "game", "--replay", "log"]);
    assert!(first.code == 1 && first.err.contains("with other rules"), "{}", first.err);
    assert!(
        first.err.contains("line 2 of the log") && first.err.contains("loses"),
        "{}",
        first.err
    );
    let all = place.run(&["run", "game", "--replay", "log", "--differences"]);
    assert_eq!(all.code, 1, "{}", all.err);
    // Three turns with two rolls each: a roll that held is otherwise now, and each loss is a line
    // more.
    let held = log.lines().filter(|line| line.contains("\"holds\"")).count();
    let lines = all
        .out
        .lines()
        .filter(|line| line.starts_with("line ") || line.starts_with("no line"))
        .count();
    assert!(held > 0 && lines >= 2 * held, "{held} {}", all.out);
    assert!(all.err.contains(&format!("{lines} lines come out otherwise")), "{}", all.err);
    let json = place.run(&["run", "game", "--replay", "log", "--differences", "--format", "jsonl"]);
    assert_eq!(json.out.lines().count(), lines);
    // A rule that nothing here reads changes the hash alone.
    place.write("game/rules.sut", format!("{GAME}define unread of block = men + 1\n"));
    let same = place.run(&["run", "game", "--replay", "log", "--differences"]);
    assert_eq!((same.code, same.out.as_str()), (1, ""), "{}", same.err);
    assert!(same.err.contains("all that happens is the same"), "{}", same.err);
}

#[test]
fn orders_of_turns_that_are_not_played_and_dice_that_are_not_rolled_are_told() {
    let place = Place::with(GAME);
    place.write("orders", "{\"turn\": 9, \"thing\": \"X\", \"move\": \"B\"}\n");
    let said = place.run(&["run", "game", "--orders", "orders", "--seed", "1"]);
    assert!(
        said.code == 1 && said.err.contains("E1022") && said.err.contains("turn 9"),
        "{}",
        said.err
    );
    assert_eq!(said.out, "", "nothing is played");
    place.write("orders", "{\"turn\": 0, \"thing\": \"X\", \"move\": \"B\"}\n");
    let said = place.run(&["run", "game", "--orders", "orders", "--seed", "1"]);
    assert!(said.code == 1 && said.err.contains("E1021"), "{}", said.err);
    place.write("dice", "6 6 4 2\n");
    let said = place.run(&["run", "game", "--dice", "dice"]);
    assert!(
        said.code == 0 && said.err.contains("W1026") && said.err.contains("2 dice"),
        "{} {}",
        said.code,
        said.err
    );
    place.write("dice", "6 6\n");
    let said = place.run(&["run", "game", "--dice", "dice"]);
    assert_eq!((said.code, said.err.as_str()), (0, ""));
}

/// A text with a mark before it or none, and with each kind of line end.
fn dressed(text: &str) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for mark in ["", "\u{feff}"] {
        for end in ["\n", "\r\n", "\r"] {
            all.push(format!("{mark}{}", text.replace('\n', end)).into_bytes());
        }
    }
    all
}

#[test]
fn fixes_change_the_bytes_they_show_and_no_others() {
    let plain = String::from_utf8(dressed(&fault("lint_crlf/plain.sut"))[0].clone()).unwrap();
    let fixed = {
        let place = Place::with(&plain);
        place.run(&["lint", "game", "--fix"]);
        fs::read_to_string(place.path("game/rules.sut")).unwrap()
    };
    assert_ne!(plain, fixed, "something is fixed");
    for (old, wanted) in dressed(&plain).iter().zip(dressed(&fixed)) {
        let place = Place::with("");
        place.write("game/rules.sut", old);
        place.run(&["lint", "game", "--fix", "--dry-run"]);
        assert_eq!(
            &fs::read(place.path("game/rules.sut")).unwrap(),
            old,
            "a dry run writes nothing"
        );
        place.run(&["lint", "game", "--fix"]);
        assert_eq!(fs::read(place.path("game/rules.sut")).unwrap(), wanted);
    }
}

#[test]
fn blessed_values_change_their_own_bytes_and_no_others() {
    let wrong = GAME.replace("expect men of X is 5 points", "expect men of X is 7 points");
    for (old, wanted) in dressed(&wrong).iter().zip(dressed(GAME)) {
        let place = Place::with("");
        place.write("game/rules.sut", old);
        let said = place.run(&["test", "game", "--bless"]);
        assert_eq!(
            fs::read(place.path("game/rules.sut")).unwrap(),
            wanted,
            "{}{}",
            said.out,
            said.err
        );
    }
}

#[test]
fn no_output_is_written_over_rules() {
    let place = Place::with(GAME);
    place.write("game/hooks/h.rhai", "1");
    let outs: [&[&str]; 4] = [
        &["doc", "game", "--out"],
        &["map", "game", "--out"],
        &["run", "game", "--seed", "1", "--save"],
        &["doc", "game", "--format", "html", "--out"],
    ];
    for out in outs {
        for file in
            ["game/rules.sut", "game/new.sut", "game/NEW.SUT", "game/hooks/h.rhai", "elsewhere.sut"]
        {
            let before = fs::read(place.path(file)).ok();
            let mut args = out.to_vec();
            args.push(file);
            let said = place.run(&args);
            assert!(
                said.code == 2 && said.err.contains("E0012"),
                "{args:?}: {} {}",
                said.code,
                said.err
            );
            assert_eq!(fs::read(place.path(file)).ok(), before, "{args:?}");
        }
        let mut args = out.to_vec();
        let plain = match out {
            ["doc", .., "--out"] if out.contains(&"html") => "out.html",
            ["doc", ..] => "out.md",
            _ => "out.txt",
        };
        args.push(plain);
        assert_eq!(place.run(&args).code, 0, "{args:?}");
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(place.path("game/rules.sut"), place.path("page.md")).unwrap();
        assert_eq!(place.run(&["doc", "game", "--out", "page.md"]).code, 2, "a link to rules");
        assert_eq!(fs::read_to_string(place.path("game/rules.sut")).unwrap(), GAME);
    }
}

#[test]
fn an_import_is_read_again_before_it_is_printed() {
    let place = Place::with(GAME);
    for table in [
        fault("two_lines.csv"),
        "id,title\nA,\"a \"\"b\"\" c\"\n".into(),
        "id,title\nA,\"tab\there\"\nB,\u{85}x\n".into(),
    ] {
        place.write("t.csv", &table);
        let said = place.run(&["import", "csv", "t.csv"]);
        if said.code == 0 {
            let rules =
                format!("{}\n", said.out.replace("hex A", "area C").replace("hex B", "area D"));
            place.write("game/imported.sut", &rules);
            let checked = place.run(&["check", "game"]);
            assert_eq!(checked.code, 0, "{table:?}: {}{}", said.out, checked.err);
        }
        assert!(said.code == 0 || said.err.contains("E00"), "{}", said.err);
    }
}

#[test]
fn coordinates_at_the_ends_of_the_range_are_refused_where_they_stand() {
    let twilight = Path::new(env!("CARGO_MANIFEST_DIR")).join("rulesets/twilight");
    let twilight = twilight.to_str().unwrap();
    let place = Place::with(GAME);
    let position = |x: &str, y: &str| {
        format!(
            "{{\"schema\":1,\"map\":\"meadow\",\"units\":[{{\"id\":\"A\",\"kind\":\"stand\",\"side\":\"Blue\",\"at\":[\"{x}\",\"{y}\"],\"facing\":\"north\"}}]}}"
        )
    };
    for wild in [
        "9223372036854775807",
        "-9223372036854775808",
        "9223372036854775807/2",
        "1/9223372036854775807",
        "3000000000/2147483647",
    ] {
        for text in [position(wild, "1"), position("1", wild)] {
            place.write("p.json", &text);
            for command in ["map", "trace"] {
                let said = place.run(&[command, twilight, "--position", "p.json"]);
                if command == "trace" && said.err.contains("has no trace") {
                    continue;
                }
                assert!(
                    said.code == 1 && said.err.contains("E0812") && said.err.contains("p.json:1:"),
                    "{wild}: {} {}",
                    said.code,
                    said.err
                );
            }
        }
    }
    for literal in ["9223372036854775807", "-9223372036854775807", "9223372036854775807 / 2"] {
        let table = format!(
            "edition 1\nruleset t \"T\" prefix T\nsides Red, Blue\ndimension bw\ntabletop in bw\nkind stand, stands is unit {{\n  base 1 by 1\n}}\nmap m {{\n  table {literal} by 8\n}}\n"
        );
        place.write("game/rules.sut", table);
        let said = place.run(&["check", "game"]);
        assert!(
            said.code == 1 && !said.err.contains("panicked"),
            "{literal}: {}{}",
            said.out,
            said.err
        );
    }
}

/// Small things of the calls.
#[test]
fn wrong_calls_name_what_is_wrong() {
    let place = Place::with(GAME);
    assert_eq!(place.run(&["migrate", "nowhere"]).code, 2);
    place.write("x.txt", "edition 1\n");
    let said = place.run(&["check", "x.txt"]);
    let all = format!("{}{}", said.out, said.err);
    assert!(
        said.code == 2 && all.contains("x.txt") && !all.contains("unknown file"),
        "{} {all}",
        said.code
    );
    for sentence in ["", "  ", "\t"] {
        let said = place.run(&["map", "game", "--given", sentence]);
        assert!(said.code == 2 && said.err.contains("the sentence is empty"), "{}", said.err);
    }
    for device in ["con", "NUL", "Com1", "lpt9"] {
        let said = place.run(&["new", device]);
        assert!(
            said.code == 2 && said.err.contains("E1066") && !place.path(device).exists(),
            "{}",
            said.err
        );
    }
    assert_eq!(place.run(&["new", "com10"]).code, 0);
}

#[test]
fn odds_of_endless_retries_are_refused_and_of_many_are_exact() {
    let game = |most: u32, nerve: u32| {
        format!(
            r#"edition 1
ruleset nerves "Nerves" prefix N
sides Red against Blue
clock turn has action of each side
dimension steps (step)
kind area, areas is space
kind leader, leaders is unit {{
  has nerve in steps from 0 to {most}
}}
kind block, blocks is unit
named leader Ney
test stand of block {{
  roll 1d6
  when total at least 4 then holds
  otherwise breaks
  retry spending nerve of Ney when stand is breaks
}}
phase trial in action of owner {{
  roll stand for own blocks
}}
map m {{
  space area A
}}
setup s on m {{
  given nerve of Ney is {nerve}
  put block X of Red in A
  put block Y of Red in A
}}
"#
        )
    };
    let place = Place::with(&game(1000, 1000));
    let said = place.run(&["odds", "game", "--phase", "trial of Red"]);
    assert!(
        said.code == 1 && said.err.contains("E1006"),
        "{} {} {}",
        said.code,
        said.out,
        said.err
    );
    let place = Place::with(&game(1000, 60));
    let said = place.run(&["odds", "game", "--phase", "trial of Red"]);
    assert_eq!(said.code, 0, "{}", said.err);
}

/// More unknown names than are tried with a fix: each is reported, the first with what is near it.
#[test]
fn of_many_unknown_names_the_first_have_suggestions() {
    let mut text = GAME.to_owned();
    for at in 0..400 {
        let _ = writeln!(text, "define known_value_{at} of block = men");
        let _ = writeln!(text, "define reads_{at} of block = known_valu_{at} + 1");
    }
    let place = Place::with(&text);
    let said = place.run(&["check", "game", "--format", "concise"]);
    let all = format!("{}{}", said.out, said.err);
    assert_eq!(all.matches("E0201").count(), 400, "{all}");
    assert_eq!(all.matches("write `known_value_").count(), 20);
}

#[cfg(unix)]
mod limits {
    use super::*;

    /// A shell that sets limits before it becomes the command.
    fn limited(place: &Place, limit: &str, args: &[&str], tail: &str) -> (i32, String) {
        let quoted: Vec<String> = args.iter().map(|a| format!("'{a}'")).collect();
        let script = format!("{limit}; exec \"$0\" {} {tail}", quoted.join(" "));
        let mut shell = std::process::Command::new("bash");
        shell.current_dir(place.path("")).arg("-c").arg(script).arg(env!("CARGO_BIN_EXE_sutler"));
        let output = shell.stdin(Stdio::null()).output().unwrap();
        (output.status.code().unwrap_or(-1), String::from_utf8_lossy(&output.stderr).into_owned())
    }

    /// Every command, with what it needs.
    fn commands() -> Vec<Vec<&'static str>> {
        let mut all: Vec<Vec<&str>> = ASKS.iter().map(|args| args.to_vec()).collect();
        all.retain(|args| !["trace", "explain", "why-not", "threat", "run"].contains(&args[0]));
        all.extend([
            vec!["run", "game", "--seed", "1", "--save", "end.json"],
            vec!["odds", "game", "--phase", "trial", "--side", "Red"],
            vec!["mutate", "game"],
            vec!["resolve", "game"],
            vec!["diff", "game", "game"],
            vec!["fmt", "game", "--check"],
            vec!["migrate", "game", "--dry-run"],
            vec!["schema"],
            vec!["import", "csv", "t.csv"],
            vec!["ir", "game"],
            vec!["explain-code", "E1006"],
        ]);
        all
    }

    #[test]
    fn every_command_ends_well_without_room() {
        let place = Place::with(GAME);
        place.write("t.csv", "id,title\nA,B\n");
        for args in commands() {
            let (code, err) = limited(&place, "true", &args, "> /dev/null");
            assert!((0..=1).contains(&code), "{args:?} is no call: {code} {err}");
            for (limit, tail) in [
                ("true", "> /dev/full"),
                ("true", "| true"),
                ("ulimit -f 0", "> out.txt"),
                ("ulimit -v 60000", "> /dev/null"),
                ("ulimit -v 120000", "> /dev/null"),
                ("ulimit -v 260000", "> /dev/null"),
            ] {
                let (code, err) = limited(&place, limit, &args, tail);
                assert!((0..=2).contains(&code), "{limit} {args:?} {tail}: {code} {err}");
                assert!(!err.contains("panicked"), "{limit} {args:?} {tail}: {err}");
                if code == 2 {
                    assert!(err.contains("error"), "{limit} {args:?} {tail}: silence");
                }
            }
        }
        for entry in fs::read_dir(place.path("")).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            assert!(!name.starts_with(".sutler-"), "{name} is left behind");
        }
    }

    /// Inputs that are taken as they are, and the memory that they need is more than there is: the
    /// command says so, changes nothing, and ends as a wrong call does.
    #[test]
    fn a_refused_allocation_is_reported() {
        let rows: String =
            (0..200).map(|at| format!("  row {at}{}\n", " | 5 points".repeat(200))).collect();
        let text = format!(
            "{GAME}case \"many\" {{\n  setup s\n  given men of X{}\n{rows}}}\n",
            " | expect men of Y".repeat(200)
        );
        let place = Place::with(&text);
        place.write("t.csv", format!("id,title\n{}", "A,B\n".repeat(200_000)));
        let mut refused = 0;
        let mut all = commands();
        // Each of its variants is a game of its own, so that it takes long and no more room.
        all.retain(|args| args[0] != "mutate");
        all.extend([
            vec!["trace", "game"],
            vec!["lint", "game", "--fix"],
            vec!["test", "game", "--bless", "--force"],
            vec!["fmt", "game"],
            vec!["migrate", "game"],
        ]);
        for args in &all {
            let (code, err) = limited(&place, "ulimit -v 110000", args, "> /dev/null");
            assert!((0..=2).contains(&code), "{args:?}: {code} {err}");
            assert!(code < 2 || err.contains("error: "), "{args:?}: {err}");
            refused += usize::from(err.contains("the command needs more memory than"));
            let now = fs::read_to_string(place.path("game/rules.sut")).unwrap();
            assert_eq!(now, text, "{args:?}");
        }
        // Those that read the cases; the others leave them unread.
        assert!(refused > 2, "the limit is too wide to show anything: {refused}");
    }

    /// What is promised of the shipped rulesets, on a machine that gives this much.
    #[test]
    fn shipped_rulesets_need_no_more_than_is_promised() {
        let rulesets = Path::new(env!("CARGO_MANIFEST_DIR")).join("rulesets");
        let place = Place::with(GAME);
        let page =
            fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/reliability.md"));
        assert!(page.unwrap().contains("within 512 MiB"), "what is promised is what is tried");
        let mut tried = 0;
        for entry in fs::read_dir(rulesets).unwrap() {
            let path = entry.unwrap().path();
            if !path.join("rules.sut").is_file() {
                continue;
            }
            tried += 1;
            let path = path.to_str().unwrap();
            for args in [vec!["check", path], vec!["test", path, "--jobs", "2"], vec!["lint", path]]
            {
                let (code, err) = limited(&place, "ulimit -v 524288", &args, "> /dev/null");
                assert!((0..=1).contains(&code), "{args:?}: {code} {err}");
            }
        }
        assert!(tried >= 5, "{tried}");
    }

    #[test]
    fn a_batch_with_little_memory_takes_fewer_threads_or_says_so() {
        let line = "trace line of block {
          called joined else alone
          source foe where any enemy block here
          leg road
            over    roads
            from    anywhere
            through anywhere
            into    anywhere
            within  2
        }
";
        let place = Place::with(&format!("{GAME}{line}"));
        place.write("p.jsonl", "{\"schema\":1,\"setup\":\"s\"}\n".repeat(3));
        let asked = ["batch", "game", "--jobs", "4", "--positions", "p.jsonl"];
        let (code, err) = limited(&place, "true", &asked, "> whole.txt");
        assert_eq!((code, err.as_str()), (0, ""));
        let whole = fs::read_to_string(place.path("whole.txt")).unwrap();
        assert_eq!(whole.lines().count(), 4, "{whole}");
        let mut answered = 0;
        for limit in ["ulimit -v 400000", "ulimit -v 200000", "ulimit -v 120000", "ulimit -v 60000"]
        {
            let (code, err) = limited(&place, limit, &asked, "> some.txt");
            assert!(code == 0 || code == 2 && err.contains("memory"), "{limit}: {code} {err}");
            if code == 0 {
                assert_eq!(fs::read_to_string(place.path("some.txt")).unwrap(), whole, "{limit}");
                answered += 1;
            }
        }
        assert!(answered > 0, "nothing is answered in 400 MB");
    }

    #[test]
    fn endless_files_are_read_as_far_as_their_limit() {
        let place = Place::with(GAME);
        let zero = "/dev/zero";
        let calls: [&[&str]; 7] = [
            &["map", "game", "--position", zero],
            &["run", "game", "--seed", "1", "--orders", zero],
            &["run", "game", "--dice", zero],
            &["run", "game", "--replay", zero],
            &["import", "csv", zero],
            &["import", "text-mapper", zero],
            &["fmt", "--check", zero],
        ];
        for args in calls {
            let said = said(&command(&place.path(""), args).output().unwrap());
            assert!(
                (1..=2).contains(&said.code) && said.err.contains("error"),
                "{args:?}: {} {}",
                said.code,
                said.err
            );
            assert!(said.err.len() < 4000, "{args:?}: a message of {} bytes", said.err.len());
        }
        let mut junk = fs::File::create(place.path("junk")).unwrap();
        for _ in 0..100 {
            junk.write_all(&[b'x'; 1 << 20]).unwrap();
        }
        for args in [
            ["run", "game", "--dice", "junk"],
            ["run", "game", "--orders", "junk"],
            ["run", "game", "--replay", "junk"],
        ] {
            let said = place.run(&args);
            assert!(
                (1..=2).contains(&said.code) && said.err.len() < 4000,
                "{args:?}: {} bytes",
                said.err.len()
            );
        }
        place.write("junk", "x".repeat(1 << 20));
        for args in [
            ["run", "game", "--dice", "junk"],
            ["run", "game", "--orders", "junk"],
            ["run", "game", "--replay", "junk"],
        ] {
            let said = place.run(&args);
            assert!(
                (1..=2).contains(&said.code) && said.err.len() < 4000,
                "{args:?}: {} bytes",
                said.err.len()
            );
        }
    }
}
