//! `sutler test`: chosen, side by side, for build servers, blessed, watched; and mistakes that a
//! suite expects.

use crate::place;
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;
use std::time::Duration;

use crate::place::Place;
use sutler::diag::code::PRELUDE;

/// By hand: the Guard of Red stands in Hill, one border from Port, which is Red's; with the Raiders
/// in Wood beside it. It has no leader, so that its line is 1 long at most, and 4 points.
const SUITE: &str = r#"edition 1
case "near enough" [1b] {
  setup opening
  expect Guard is supplied
  run   supply_check of Red
  given space of Guard is Wood
  expect Guard is supplied
  run   end of turn
  expect Guard is unsupplied
}
case "too strong" [1a] {
  setup opening
  expect strength of Guard is 7 points
}
case "by leader" [1b] {
  setup opening
  given leader of Guard | expect reach of Guard | expect Guard is supplied
  row   none            | 1                     | yes
  row   Marlow          | 3                     | no   [1a]
  row   none            | at least 2            | any
}
mistake "areas are no points" expects E0301 [1b] {
  # a brace } of a comment
  define mixed of army = strength at least 2 areas
}
"#;

fn place() -> Place {
    let place = Place::with(PRELUDE);
    place.write("game/suite.sut", SUITE);
    place
}

/// Without the times, which are others in every run.
fn untimed(text: &str) -> String {
    let mut parts = text.split(" time=\"");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |out, part| out + part.split_once('"').map_or("", |(_, rest)| rest))
}

fn failures(place: &Place, args: &[&str]) -> Vec<String> {
    let said = place.run(&[&["test", "game", "--format", "concise"][..], args].concat());
    said.out.lines().filter(|l| l.contains("suite.sut")).map(str::to_owned).collect()
}

#[test]
fn cases_over_several_phases_pass_and_failures_say_what_came() {
    let place = place();
    let found = failures(&place, &[]);
    assert_eq!(
        found,
        [
            "game/suite.sut:13:10: too strong: `strength` is 4, expected `strength of Guard is 7 points`",
            "game/suite.sut:19:27: by leader, row 2: `reach` is 2, expected `3`",
            "game/suite.sut:19:51: by leader, row 2: `supplied` is yes, expected `no`",
            "game/suite.sut:20:27: by leader, row 3: `reach` is 1, expected `at least 2`",
        ]
    );
}

#[test]
fn what_would_change_nothing_is_told_as_what_is_not_offered() {
    let place = Place::with(&format!(
        "{PRELUDE}\nphase rest in action of owner {{\n  may move to space for own armies\n}}\n"
    ));
    let case = |line: &str| format!("case \"rest\" {{\n  setup opening\n  {line}\n}}\n");
    for line in ["expect Guard may move to Hill", "expect Guard may move"] {
        place.write("game/suite.sut", format!("edition 1\n{}", case(line)));
        let said = place.run(&["test", "game"]).out;
        let told = "`Guard` may move to Hill, and nothing would change by it, so it is not offered";
        assert!(said.contains(told), "{line}: {said}");
    }
    place.write("game/suite.sut", format!("edition 1\n{}", case("expect Guard may not move")));
    assert_eq!(place.run(&["test", "game"]).code, 0);
}

#[test]
fn cases_are_chosen_by_title_clause_and_place() {
    let place = place();
    let passed = |args: &[&str]| {
        let said = place.run(&[&["test", "game", "--list"][..], args].concat());
        (
            said.code,
            said.out
                .lines()
                .map(|l| l.split(": example: ").nth(1).unwrap().to_owned())
                .collect::<Vec<_>>(),
        )
    };
    let all = [
        "near enough [EX-1b]",
        "too strong [EX-1a]",
        "by leader, row 1 [EX-1b]",
        "by leader, row 2 [EX-1b, EX-1a]",
    ];
    let mistake = "areas are no points [EX-1b]";
    assert_eq!(passed(&[]).1, [&all[..], &["by leader, row 3 [EX-1b]", mistake]].concat());
    assert_eq!(passed(&["--filter", "leader"]).1.len(), 3);
    assert_eq!(passed(&["--only", "strong"]).1, [all[1]]);
    assert_eq!(passed(&["--clause", "EX-1a"]).1, [all[1], all[3]]);
    assert_eq!(passed(&["--clause", "1a"]).1, [all[1], all[3]]);
    assert_eq!(passed(&["--case", "suite.sut:13"]).1, [all[1]], "a line of a case");
    assert_eq!(passed(&["--case", "game/suite.sut:19"]).1, [all[3]], "a row");
    assert_eq!(passed(&["--case", "suite.sut:17"]).1.len(), 3, "the head of a grid");
    assert_eq!(passed(&["--case", "suite.sut:24"]).1, [mistake]);
    assert_eq!(passed(&["--clause", "1a", "--filter", "row"]).1, [all[3]], "all of it");
}

#[test]
fn nothing_matched_is_a_wrong_call() {
    let place = place();
    for (args, why) in [
        (["--filter", "by leder"], "error: the title of no case holds `by leder`\n"),
        (["--clause", "EX-1c"], "error: no case shows the clause `EX-1c`\n  help: write `EX-1b`\n"),
        (["--case", "suite.sut:1"], "error: no case stands at `suite.sut:1`\n"),
        (["--case", "uite.sut:13"], "error: no case stands at `uite.sut:13`\n"),
        (["--case", "suite.sut"], "error: `suite.sut` is no place\n"),
    ] {
        let said = place.run(&[&["test", "game"], &args[..]].concat());
        assert_eq!((said.code, said.out.as_str()), (2, ""), "{args:?}");
        assert!(said.err.starts_with(why), "{args:?}: {}", said.err);
    }
}

#[test]
fn the_bytes_are_the_same_for_any_number_of_jobs() {
    let place = place();
    let more: String = (0..60)
        .map(|n| {
            format!(
                "case \"n{n}\" {{\n  setup opening\n  expect strength of Guard is {}\n}}\n",
                n % 8
            )
        })
        .collect();
    place.write("game/more.sut", format!("edition 1\n{more}"));
    for format in ["full", "json", "jsonl", "junit", "github", "sarif"] {
        let run =
            |jobs| untimed(&place.run(&["test", "game", "--format", format, "--jobs", jobs]).out);
        let runs: Vec<String> = ["1", "2", "7"].map(run).into();
        assert!(!runs[0].is_empty() && runs.iter().all(|r| *r == runs[0]), "{format}");
    }
    // `strength` is 4, so that of each eight seven fail; the first of them is the first in the
    // file.
    for jobs in ["1", "2", "7"] {
        let said =
            place.run(&["test", "game", "--format", "concise", "--fail-fast", "--jobs", jobs]);
        assert_eq!(said.code, 1);
        assert!(said.out.starts_with("game/more.sut:4:10: n0: `strength` is 4"), "{}", said.out);
        assert!(said.out.ends_with("\n0 passed, 1 failed\n"), "{}", said.out);
    }
    assert_eq!(place.run(&["test", "game", "--jobs", "0"]).code, 2);
}

#[test]
fn a_failed_case_shows_reasons_and_map_side_by_side() {
    let place = place();
    place.write(
        "game/suite.sut",
        "edition 1\ncase \"cut off\" {\n  setup opening\n  expect Raiders is supplied\n}\n",
    );
    let wide = place.run(&["test", "game", "--width", "120"]);
    let line =
        wide.out.lines().find(|l| l.contains("Raiders of Blue, in Wood: unsupplied")).unwrap();
    assert!(line.contains("  |  "), "{}", wide.out);
    let map = |out: &str| out.contains("R:Hill") || out.contains("Hill +1");
    assert!(map(&wide.out) && wide.out.contains("Wood x1"), "{}", wide.out);
    let below = place.run(&["test", "game", "--width", "60"]);
    assert!(map(&below.out) && !below.out.contains("  |  "), "{}", below.out);
    assert!(!map(&place.run(&["test", "game", "--width", "20"]).out));
    assert!(!map(&place.run(&["test", "game", "--no-map"]).out));
    let columns = place.command(&["test", "game"]).env("COLUMNS", "120").output().unwrap();
    assert_eq!(String::from_utf8(columns.stdout).unwrap(), wide.out);
}

#[test]
fn formats_for_build_servers_have_their_shapes() {
    let place = place();
    place.write("game/suite.sut", SUITE.replace("too strong", "too <strong> & 50%"));
    let junit = place.run(&["test", "game", "--format", "junit"]);
    assert_eq!(junit.code, 1);
    let times = junit.out.matches(" time=\"0.").count();
    assert_eq!(times, 1 + 1 + 6, "the whole, its one suite, its six cases: {}", junit.out);
    let junit = place::Said { out: untimed(&junit.out), ..junit };
    let lines: Vec<&str> = junit.out.lines().collect();
    assert_eq!(
        lines[..3],
        [
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
            "<testsuites tests=\"6\" failures=\"3\" errors=\"0\">",
            "  <testsuite name=\"example\" tests=\"6\" failures=\"3\" errors=\"0\">",
        ]
    );
    assert!(
        junit.out.contains("<testcase name=\"too &lt;strong&gt; &amp; 50%\" classname=\"example\" file=\"game/suite.sut\" line=\"11\">")
    );
    assert!(junit.out.contains("<failure message=\"`strength` is 4, expected `strength of Guard is 7 points`\">game/suite.sut:13"));
    assert_eq!(junit.out.matches("<testcase ").count(), 6);
    assert_eq!(junit.out.matches("/>\n").count() + junit.out.matches("</testcase>").count(), 6);
    let github = place.run(&["test", "game", "--format", "github"]);
    let first = "::error file=game/suite.sut,line=13,col=10,title=example%3A too <strong> & 50%25::`strength` is 4, expected";
    assert!(github.out.starts_with(first), "{}", github.out);
    assert_eq!(github.out.lines().count(), 4, "one line an annotation");
    let jsonl = place.run(&["test", "game", "--format", "jsonl"]);
    let rows: Vec<serde_json::Value> =
        jsonl.out.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert_eq!(rows.len(), 7);
    assert_eq!(
        (rows[0]["status"].as_str(), rows[1]["status"].as_str()),
        (Some("passed"), Some("failed"))
    );
    assert_eq!((rows[6]["passed"].as_u64(), rows[6]["failed"].as_u64()), (Some(3), Some(3)));
}

#[test]
fn blessing_shows_the_difference_and_writes_values_alone() {
    let place = place();
    let read = || std::fs::read_to_string(place.path("game/suite.sut")).unwrap();
    let dry = place.run(&["test", "game", "--bless", "--dry-run"]);
    assert_eq!((dry.code, read()), (1, SUITE.to_owned()));
    let diff: Vec<&str> = dry.out.lines().filter(|l| l.starts_with(['-', '+'])).collect();
    assert_eq!(
        diff,
        [
            "--- game/suite.sut",
            "+++ game/suite.sut",
            "-  expect strength of Guard is 7 points",
            "+  expect strength of Guard is 4 points",
            "-  row   Marlow          | 3                     | no   [1a]",
            "+  row   Marlow          | 2                     | yes  [1a]",
        ]
    );
    assert!(dry.err.contains("game/suite.sut:20: not rewritten: it compares"), "{}", dry.err);
    let done = place.run(&["test", "game", "--bless"]);
    assert_eq!((done.code, done.out.as_str()), (1, dry.out.as_str()));
    let wanted = SUITE
        .replace("is 7 points", "is 4 points")
        .replace("| 3                     | no   [1a]", "| 2                     | yes  [1a]");
    assert_eq!(read(), wanted);
    assert_eq!(failures(&place, &[]).len(), 1, "the comparison is left to the author");
    place.write("game/suite.sut", wanted.replace("| at least 2", "| any       "));
    let clean = place.run(&["test", "game", "--bless"]);
    assert_eq!((clean.code, clean.out.contains("0 failed")), (0, true));
}

#[test]
fn what_cannot_be_blessed_is_refused_and_nothing_is_written() {
    let place = place();
    for (body, why) in [
        ("expect Guard is not supplied", "it is a truth"),
        ("given Guard is unsupplied\n  expect strength of Guard at least 9", "it compares"),
        ("dice 3\n  expect Guard is supplied", "no value"),
        ("expect Guard must follow supply to Port", "no value"),
        ("expect length of supply of Raiders is 1 area", "there is no such value"),
    ] {
        let text = format!("edition 1\ncase \"c\" {{\n  setup opening\n  {body}\n}}\n");
        place.write("game/suite.sut", &text);
        let said = place.run(&["test", "game", "--bless"]);
        assert_eq!((said.code, said.out.as_str()), (1, ""), "{body}: {}", said.err);
        assert!(
            said.err.contains("not rewritten: ") && said.err.contains(why),
            "{body}: {}",
            said.err
        );
        assert_eq!(std::fs::read_to_string(place.path("game/suite.sut")).unwrap(), text);
    }
    // A file with faults is not touched.
    let faulty = format!("{SUITE}define wrong of army = terain is sea\n");
    place.write("game/suite.sut", &faulty);
    let said = place.run(&["test", "game", "--bless"]);
    assert_eq!((said.code, said.out.as_str()), (1, ""));
    assert!(said.err.contains("error[E0305]") || said.err.contains("error[E0201]"), "{}", said.err);
    assert_eq!(std::fs::read_to_string(place.path("game/suite.sut")).unwrap(), faulty);
    // A line above a grid fails once in each row, and is rewritten once; line ends of another kind
    // are kept.
    let above = "edition 1\ncase \"c\" {\n  setup opening\n  expect reach of Guard is 2\n  given leader of Guard | expect reach of Guard\n  \
                 row none | 1\n  row Marlow | 2\n}\n";
    place.write("game/suite.sut", above);
    let said = place.run(&["test", "game", "--bless"]);
    assert_eq!(
        (said.code, said.out.matches("+  expect").count()),
        (0, 1),
        "{}{}",
        said.out,
        said.err
    );
    assert_eq!(
        std::fs::read_to_string(place.path("game/suite.sut")).unwrap(),
        above.replace("Guard is 2", "Guard is 1")
    );
    let windows = above.replace('\n', "\r\n");
    place.write("game/suite.sut", &windows);
    let said = place.run(&["test", "game", "--bless"]);
    let now = std::fs::read_to_string(place.path("game/suite.sut")).unwrap();
    assert_eq!(
        (said.code, now),
        (0, windows.replace("Guard is 2", "Guard is 1")),
        "{}{}",
        said.out,
        said.err
    );
}

#[test]
fn mistakes_must_raise_their_code_and_nothing_else() {
    let place = place();
    for (text, why) in [
        (
            "define fine of army = strength at least 2",
            "expected E0301, and nothing is wrong with it",
        ),
        ("define off of army = strngth at least 2", "expected E0301, and E0201 is raised"),
        (
            "define mixed of army = strength at least 2 areas\n  table t of army gives\n",
            "expected E0301, and E0100 is raised",
        ),
        (
            "define mixed of army = strength at least 2 areas\n  mark idle of army",
            "expected E0301, and W0212 is raised",
        ),
        ("mistake \"inner\" expects E0301 {\n  }", "expected E0301, and E0108 is raised"),
    ] {
        place.write(
            "game/suite.sut",
            format!("edition 1\nmistake \"m\" expects E0301 {{\n  {text}\n}}\n"),
        );
        let said = place.run(&["test", "game"]);
        assert_eq!(said.code, 1, "{text}: {}{}", said.out, said.err);
        assert!(said.out.contains(why), "{text}: {}", said.out);
        assert!(said.out.contains("FAILED example: m\n  game/suite.sut:"), "{}", said.out);
    }
    // A change of the ruleset can be a mistake too, and the ruleset itself has none of it.
    place.write(
        "game/suite.sut",
        "edition 1\nmistake \"m\" expects E0603 {\n  override row led of reach was 7 now 4\n}\n",
    );
    assert_eq!(place.run(&["test", "game"]).code, 0);
    assert_eq!(place.run(&["check", "game"]).code, 0);
    place.write(
        "game/suite.sut",
        "edition 1\nmistake \"m\" expects E0999 {\n}\nmistake \"m\" expects E0301 {\n}\n",
    );
    let said = place.run(&["check", "game", "--format", "concise"]);
    assert!(said.out.contains("E0716") && said.out.contains("E0202"), "{}", said.out);
}

#[test]
fn watching_runs_again_when_a_file_changes_and_stops_with_its_input() {
    let place = place();
    let mut command =
        place.command(&["test", "game", "--watch", "--format", "concise", "--only", "strong"]);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut until = |end: &str| {
        lines
            .by_ref()
            .map(Result::unwrap)
            .find(|l| l.ends_with(" failed"))
            .is_some_and(|l| l == end)
    };
    assert!(until("0 passed, 1 failed"));
    // Longer than the coarsest clock of a file system that is in use.
    std::thread::sleep(Duration::from_millis(50));
    place.write("game/suite.sut", SUITE.replace("is 7 points", "is 4 points"));
    assert!(until("1 passed, 0 failed"));
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"typed, and nothing meant by it\n").unwrap();
    drop(input);
    assert_eq!(child.wait().unwrap().code(), Some(0), "it ends as the last run has ended");
}

/// A chief that an army may lack, with a skill that is never 0.
const CHIEFS: &str = r#"edition 1
ruleset chiefs "Chiefs" prefix CH
sides Red, Blue
dimension points (point)
kind area, areas is space
kind chief, chiefs is unit {
  has skill in points from 1 to 3
  has luck in points from 0 to 3
}
kind army, armies is unit {
  has chief maybe a chief
}
table helps of army gives points by first match {
  row low when skill of chief is 1 then 1
  otherwise 2
}
define trained of chief = skill at least 1
map m {
  space area A
}
setup s on m {
  put chief Old of Red in A with skill 2
  put army Led of Red in A with chief Old
  put army Alone of Red in A
}
"#;

#[test]
fn what_may_be_asked_of_nothing_can_fail() {
    let place = Place::with(CHIEFS);
    for (expect, never_fails, passes) in [
        ("skill of Old at least 1", true, true),
        ("skill of chief of Alone at least 1", false, false),
        ("skill of chief of Led at least 1", false, true),
        ("chief of Alone is trained", false, false),
        // Of nothing it is 0, which is in its range.
        ("luck of chief of Alone at least 0", true, true),
        ("helps of Alone at least 1", true, true),
    ] {
        let case = format!("case \"c\" {{\n  setup s\n  expect {expect}\n}}\n");
        place.write("game/suite.sut", format!("edition 1\n{case}"));
        let said = place.run(&["check", "game"]);
        assert_eq!(said.code, 0, "{}{}", said.out, said.err);
        let reported = format!("{}{}", said.out, said.err).contains("W0720");
        assert_eq!(reported, never_fails, "{expect}: {}{}", said.out, said.err);
        assert_eq!(place.run(&["test", "game"]).code == 0, passes, "{expect}");
    }
}

#[test]
fn expectations_that_can_never_fail_are_reported() {
    let place = place();
    for (body, code) in [
        ("expect strength of Guard at least 0", Some("W0720")),
        ("expect strength of Guard at most 9", Some("W0720")),
        ("expect strength of Guard at least 1", None),
        ("expect reach of Guard between 1 and 2", Some("W0720")),
        ("expect reach of Guard at least 2", None),
        ("expect Guard is supplied or Guard is unsupplied", Some("W0720")),
        // A length that is not there compares with nothing.
        ("expect length of supply of Guard at least 0", None),
        ("expect source of supply of Guard is home_area", None),
        ("given strength of Guard is 6\n  expect strength of Guard is 6", Some("W0721")),
        ("given strength of Guard is 6\n  expect strength of Guard is 5", None),
        ("given strength of Guard is 6\n  expect strength of Raiders is 6", None),
        (
            "given strength of Guard is 6\n  run supply_check of Red\n  expect strength of Guard is 6",
            None,
        ),
        ("given Guard is supplied\n  expect Guard is supplied", Some("W0721")),
        ("given Guard is supplied\n  expect now supply of Guard is supplied", None),
    ] {
        place.write(
            "game/suite.sut",
            format!("edition 1\ncase \"c\" {{\n  setup opening\n  {body}\n}}\n"),
        );
        let said = place.run(&["check", "game", "--format", "json"]);
        let found: serde_json::Value = serde_json::from_str(&said.out).unwrap();
        let codes: Vec<&str> = found["diagnostics"]
            .as_array()
            .unwrap()
            .iter()
            .map(|d| d["code"].as_str().unwrap())
            .collect();
        assert_eq!(codes, code.into_iter().collect::<Vec<_>>(), "{body}: {}", said.out);
    }
}

/// Two steps offer a move, each to other areas; a third offers one that leads nowhere.
#[test]
fn an_expectation_that_is_not_offered_says_all_that_is() {
    let place = place();
    let rules = std::fs::read_to_string(place.path("game/rules.sut")).unwrap();
    let moves = r#"
choice by_road of army "where it marches" {
  from   areas adjacent
  left to owner
}
choice to_foe of army "where it attacks" {
  from   areas where any enemy army here
  left to owner
}
choice to_nowhere of army "where nobody goes" {
  from   areas where no
  left to owner
}
phase wandering in action of owner {
  may move to by_road for own armies
  may move to to_nowhere for own armies
  may move to to_foe for own armies
}
case "to the wood alone" {
  setup opening
  expect Guard may move to Guard_home
}
"#;
    let moves = moves.replace("Guard_home", "Wood, Port, Hill");
    place.write("game/rules.sut", format!("{rules}{moves}"));
    let said = place.run(&["test", "game", "--filter", "to the wood alone"]);
    assert_eq!(said.code, 1, "{}{}", said.out, said.err);
    let one = said.out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(one.contains("or move to Wood, expected"), "{one}");
    assert!(!one.contains("there is no space to move to"), "{one}");
}
