//! Hooks: what a script fills, what it may not do, and what becomes of one that means harm.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use sutler::ir::{Argument, Call, CallFault, Calls, HookId, Ruleset, SetupId, TraceId};
use sutler::kernel::{Flags, Kernel, Position, Scratch};
use sutler::project::Project;
use sutler::world::ThingRef;
use tempfile::TempDir;

/// A small game with two hooks; HEAD and the texts of the scripts are the test's.
const RULES: &str = r#"edition 1
ruleset gap "The Gap" prefix GP HEAD
sides Red against Blue
dimension areas (area), points (point)
kind area, areas is space {
  has terrain one of plain, hills, swamp
  has town yes or no
}
kind border, borders is link
kind army, armies is unit {
  has strength in points from 0 to 9
}
section 1 "Gaps"
clause a "An exclusive rule may lengthen a line."
clause b "An exclusive rule may bar an area."

define led of army = strength at least 5
hook bonus of army "bonus by exclusive rule" gives areas [1a] {
  reads  strength, led
  kept   between 0 and 3
  script "bonus.rhai"
  otherwise 1
}
hook toll of area gives points [1b] {
  reads  terrain, town
  kept   between 0 and 5
  script "toll.rhai"
  otherwise 0
}
trace supply of army [1b] {
  called supplied else cut
  source depot where town
  leg march
    over    borders
    from    anywhere
    through toll at most 2   [1b]
    into    anywhere
    within  bonus            [1a]
}
map m {
  space area North with terrain plain, town
  space area Middle with terrain hills
  space area South with terrain plain
  space area Bog with terrain swamp
  link border North to Middle to South
  link border South to Bog
}
setup opening on m {
  put army First of Red in South with strength 6
  put army Second of Red in South with strength 2
  put army Third of Red in Bog with strength 9
}
CASES
"#;

const BONUS: &str = "// A comment of its own.\nif led { div_up(strength, 3) } else { 0 }\n";
const TOLL: &str = "if town { 0 } else { terrain * 2 }";

fn folder(head: &str, scripts: &[(&str, &str)], cases: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "rules.sut", &RULES.replace("HEAD", head).replace("CASES", cases));
    fs::create_dir(folder.path().join("hooks")).unwrap();
    for (file, text) in scripts {
        write(&folder.path().join("hooks"), file, text);
    }
    folder
}

fn write(folder: &Path, file: &str, text: &str) {
    fs::write(folder.join(file), text).unwrap();
}

fn rules(folder: &Path) -> Ruleset {
    let mut project = Project::open(folder);
    let one = project.rulesets.remove(0);
    assert!(one.faults.is_empty(), "{:#?}", one.faults);
    one.rules.unwrap()
}

fn codes(folder: &Path) -> Vec<String> {
    Project::open(folder)
        .rulesets
        .iter()
        .flat_map(|r| &r.faults)
        .map(|f| f.code.to_string())
        .collect()
}

fn sutler(words: &[&str], folder: &Path) -> (String, Option<i32>) {
    let out = Command::new(env!("CARGO_BIN_EXE_sutler"))
        .env("COLUMNS", "10000")
        .args(words)
        .arg(folder)
        .env("NO_COLOR", "1")
        .output()
        .unwrap();
    said(&out)
}

fn said(out: &Output) -> (String, Option<i32>) {
    (
        String::from_utf8_lossy(&[out.stdout.as_slice(), out.stderr.as_slice()].concat())
            .into_owned(),
        out.status.code(),
    )
}

const ANSWERS: &str = r#"case "amounts, ends, words and truths" [1a, 1b] {
  setup opening
  expect bonus of First is 2 areas
  expect bonus of Second is 0 areas
  expect bonus of Third is 3 areas
  expect toll of North is 0 points
  expect toll of Middle is 2 points
  expect toll of Bog is 4 points
  expect First is supplied
  expect Second is cut
}"#;

#[test]
fn expressions_fill_hooks() {
    let folder = folder("", &[("bonus.rhai", BONUS), ("toll.rhai", TOLL)], ANSWERS);
    let (out, code) = sutler(&["test"], folder.path());
    assert_eq!((code, out.as_str()), (Some(0), "gap: 1 passed, 0 failed\n1 passed, 0 failed\n"));
}

#[test]
fn whole_scripts_fill_hooks_where_the_head_says_so() {
    let looping =
        "let n = 0;\nlet left = strength;\nwhile left > 0 && led { left -= 3; n += 1; }\nn";
    let scripts = [
        ("bonus.rhai", looping),
        ("toll.rhai", "let tolls = [0, 2, 4]; if town { 0 } else { tolls[terrain] }"),
    ];
    let allowed = folder("with scripts", &scripts, ANSWERS);
    let (out, code) = sutler(&["test"], allowed.path());
    assert_eq!((code, out.as_str()), (Some(0), "gap: 1 passed, 0 failed\n1 passed, 0 failed\n"));
    assert_eq!(codes(folder("", &scripts, ANSWERS).path()), ["E1103", "E1103"]);
}

#[test]
fn a_result_stops_at_the_ends() {
    for (script, expected) in [("1000", 3), ("-1000", 0), ("2", 2)] {
        let case = format!(
            "case \"kept\" {{\n  setup opening\n  expect bonus of First is {expected} areas\n}}"
        );
        let folder = folder("", &[("bonus.rhai", script), ("toll.rhai", TOLL)], &case);
        assert_eq!(sutler(&["test"], folder.path()).1, Some(0), "{script}");
    }
}

#[test]
fn a_long_chain_of_branches_is_not_too_deep() {
    let chain: String = (0..12).map(|n| format!("if strength == {n} {{ {n} }} else ")).collect();
    let folder = folder("", &[("bonus.rhai", &format!("{chain}{{ 0 }}")), ("toll.rhai", TOLL)], "");
    assert_eq!(codes(folder.path()), [] as [&str; 0]);
}

#[test]
fn variants_change_and_remove_hooks() {
    let folder = folder(
        "",
        &[("bonus.rhai", BONUS), ("toll.rhai", TOLL), ("other.rhai", "7 - strength")],
        "",
    );
    let variant = r#"edition 1
ruleset other "Other" prefix OT extends gap
override hook bonus of army gives areas {
  reads  strength
  kept   between 0 and 9
  script "other.rhai"
  otherwise 0
}
override through of march of supply was toll at most 2 now anywhere
remove hook toll
case "another gap" {
  setup opening
  expect bonus of First is 1 area
  expect bonus of Second is 5 areas
}
"#;
    write(folder.path(), "other.sut", variant);
    let (out, code) = sutler(&["test"], folder.path());
    assert_eq!(code, Some(0), "{out}");
    write(
        folder.path(),
        "other.sut",
        &variant
            .replace("override through of march of supply was toll at most 2 now anywhere\n", ""),
    );
    assert_eq!(codes(folder.path()), ["E0201"], "what somebody reads cannot be removed");
}

#[test]
fn no_hook_reads_itself() {
    let scripts = [("bonus.rhai", "1"), ("toll.rhai", "1")];
    for (from, to, code) in [
        (
            "define led of army = strength at least 5",
            "define led of army = bonus at least 1",
            "E0411",
        ),
        (
            "define led of army = strength at least 5",
            "define led of army = the army is supplied",
            "E0410",
        ),
        ("  reads  strength, led", "  reads  strength, bonus", "E0411"),
    ] {
        let folder = folder("", &scripts, "");
        let text = fs::read_to_string(folder.path().join("rules.sut")).unwrap();
        write(folder.path(), "rules.sut", &text.replace(from, to));
        let found = codes(folder.path());
        assert!(!found.is_empty() && found.iter().all(|f| f == code), "{to}: {found:?}");
    }
}

#[test]
fn the_hash_holds_the_text_of_the_script() {
    let one = folder("", &[("bonus.rhai", "1"), ("toll.rhai", TOLL)], "");
    let two = folder("", &[("bonus.rhai", "2"), ("toll.rhai", TOLL)], "");
    let same = folder("", &[("bonus.rhai", "1"), ("toll.rhai", TOLL)], "");
    assert_ne!(rules(one.path()).hash, rules(two.path()).hash);
    assert_eq!(rules(one.path()).hash, rules(same.path()).hash);
}

/// Counts what is asked, and answers 1.
struct Counting(AtomicUsize, Mutex<Vec<(HookId, Vec<Argument>)>>);

impl Call for Counting {
    fn call(&self, hook: HookId, arguments: &[Argument]) -> Result<Option<i64>, CallFault> {
        self.0.fetch_add(1, Ordering::Relaxed);
        self.1.lock().unwrap().push((hook, arguments.to_vec()));
        Ok(Some(1))
    }
}

#[test]
fn a_script_runs_once_for_a_thing_of_a_position() {
    let folder = folder("", &[("bonus.rhai", BONUS), ("toll.rhai", TOLL)], "");
    let mut rules = rules(folder.path());
    let counting = Arc::new(Counting(AtomicUsize::new(0), Mutex::default()));
    rules.calls = Calls::new(Arc::clone(&counting) as Arc<dyn Call>);
    let world = sutler::world::start(&rules, SetupId(0));
    let position = Position::new(&rules, &world).unwrap();
    let ask_all = || {
        for unit in 0..3 {
            position.answer(TraceId(0), ThingRef::Unit(unit)).unwrap();
        }
        counting.0.load(Ordering::Relaxed)
    };
    // Three armies and four areas, all of one side; why an army has no line is asked of the four
    // areas without the others as well, which are two more positions.
    assert_eq!(ask_all(), 7 + 2 * 4);
    assert_eq!((ask_all(), ask_all()), (15, 15));
    let asked = counting.1.lock().unwrap();
    assert!(
        asked.contains(&(HookId(0), vec![Argument::Whole(6), Argument::Truth(true)])),
        "{asked:?}"
    );
    assert!(
        asked.contains(&(HookId(1), vec![Argument::Whole(2), Argument::Truth(false)])),
        "{asked:?}"
    );
}

#[test]
fn many_positions_at_once_agree_with_one_by_one() {
    let folder = folder("", &[("bonus.rhai", BONUS), ("toll.rhai", TOLL)], "");
    let rules = rules(folder.path());
    let world = sutler::world::start(&rules, SetupId(0));
    let kernel = Kernel::compile(&rules, &world, TraceId(0), &[]).unwrap();
    let mut batch = kernel.batch(4);
    let mut yes = 0;
    for space in 0..4 {
        assert!(batch.set_space(space as usize, 0, Some(space)));
    }
    let mut flags = Flags::default();
    kernel.flags(&batch, &mut Scratch::default(), &mut flags).unwrap();
    let place = &rules.facts[sutler::world::built_in::SPACE.index()];
    for space in 0..4 {
        let mut moved = world.clone();
        moved.set_fact(place, ThingRef::Unit(0), i64::from(space) + 1);
        let answer = Position::new(&rules, &moved)
            .unwrap()
            .answer(TraceId(0), ThingRef::Unit(0))
            .unwrap()
            .yes;
        yes += usize::from(answer);
        assert_eq!(flags.get(space as usize, 0), Some(answer), "space {space}");
    }
    assert!((1..4).contains(&yes), "some are supplied and some are not");
}

#[test]
fn where_nothing_can_be_asked_otherwise_holds() {
    let text = r#"edition 1
ruleset odd "Odd" prefix OD
dimension areas (area), points (point)
kind area, areas is space {
  has town yes or no
}
kind border, borders is link
kind army, armies is unit
define far of army = length of supply of the army
trace supply of army {
  called supplied else cut
  source depot where town
  leg march
    over    borders
    from    anywhere
    through anywhere
    into    anywhere
    within  4
}
hook hunger of army gives areas {
  reads  far
  kept   between 0 and 9
  script "hunger.rhai"
  otherwise 7
}
hook plain of army gives points {
  kept   between 0 and 9
  otherwise 4
}
map m {
  space area North with town
  space area South
  space area Island
  link border North to South
}
case "a length that is not there" {
  on m
  put army First in South
  put army Second in Island
  expect hunger of First is 2 areas
  expect hunger of Second is 7 areas
  expect plain of First is 4 points
}
"#;
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "rules.sut", text);
    fs::create_dir(folder.path().join("hooks")).unwrap();
    write(&folder.path().join("hooks"), "hunger.rhai", "far * 2");
    let (out, code) = sutler(&["test"], folder.path());
    assert_eq!(code, Some(0), "{out}");
}

#[test]
fn a_script_that_fails_is_told_of_with_its_line() {
    let cases = "case \"asked\" {\n  setup opening\n  expect bonus of First is 2 areas\n}";
    for (head, script, why) in [
        ("", "1 +\n  div_down(1, strength - 6)", "divides by 0 (hooks/bonus.rhai, line 2)"),
        ("", "1 % (strength - 6)", "divides by 0 (hooks/bonus.rhai, line 1)"),
        (
            "",
            "if strength == 6 { 9223372036854775807 + 1 } else { 0 }",
            "works out a number too large to keep (hooks/bonus.rhai, line 1)",
        ),
        (
            "with scripts",
            "\nloop {\n}",
            "does not come to an end: it was stopped after 100000 steps (hooks/bonus.rhai, line 2)",
        ),
        (
            "with scripts",
            "let s = \"a\"; loop { s += s; }",
            "keeps more at a time than a script may (hooks/bonus.rhai, line 1)",
        ),
        (
            "with scripts",
            "if strength == 6 { false } else { 0 }",
            "gives something that is no whole number (hooks/bonus.rhai)",
        ),
        (
            "",
            "if strength == 6 { twice(1) } else { 0 }",
            "calls a function that there is not (hooks/bonus.rhai, line 1)",
        ),
    ] {
        let folder = folder(head, &[("bonus.rhai", script), ("toll.rhai", TOLL)], cases);
        let (out, code) = sutler(&["test"], folder.path());
        assert_eq!(code, Some(1), "{out}");
        assert!(
            out.contains(&format!("E1005: the script of the hook `bonus` {why}")),
            "{script}\n{out}"
        );
    }
    let folder =
        folder("", &[("bonus.rhai", "div_down(1, strength - 6)"), ("toll.rhai", TOLL)], cases);
    for words in [&["trace"][..], &["explain"]] {
        let mut all = words.to_vec();
        let path = folder.path().to_str().unwrap();
        all.push(path);
        let out = Command::new(env!("CARGO_BIN_EXE_sutler"))
            .env("COLUMNS", "10000")
            .args(&all)
            .args(if words == ["explain"] { &["First"][..] } else { &[] })
            .output();
        let (out, code) = said(&out.unwrap());
        assert!(code == Some(1) && out.contains("E1005"), "{words:?}: {code:?}\n{out}");
        assert!(
            out.contains("divides by 0 (hooks/bonus.rhai,") && out.contains("rules.sut:18:6"),
            "{words:?}\n{out}"
        );
        assert!(out.contains("note: hooks/bonus.rhai:1:1: here"), "{words:?}\n{out}");
    }
}

#[test]
fn explanations_and_coverage_show_hooks() {
    let folder = folder("", &[("bonus.rhai", BONUS), ("toll.rhai", TOLL)], ANSWERS);
    let path = folder.path().to_str().unwrap();
    let out = Command::new(env!("CARGO_BIN_EXE_sutler"))
        .env("COLUMNS", "10000")
        .args(["explain", path, "First"])
        .output()
        .unwrap();
    let (out, _) = said(&out);
    assert!(out.contains("  hook     bonus of First = 2 (hooks/bonus.rhai)\n"), "{out}");
    assert!(out.contains("  hook     toll of Middle = 2 (hooks/toll.rhai)\n"), "{out}");
    let (out, code) = sutler(&["coverage"], folder.path());
    assert_eq!(code, Some(0), "{out}");
    assert!(out.contains("    rule  hook bonus\n"), "{out}");
    assert!(out.contains("hook bonus of gap: hooks/bonus.rhai [GP-1a]\n"), "{out}");
}

#[test]
fn a_script_file_is_taken_from_its_folder_alone() {
    let bonus = |text: &str| folder("", &[("bonus.rhai", text), ("toll.rhai", TOLL)], "");
    assert_eq!(
        codes(bonus(&format!("1 // {}", "x".repeat(65 << 10))).path()),
        ["E1101"],
        "too large"
    );
    let not_text = bonus("1");
    fs::write(not_text.path().join("hooks/bonus.rhai"), b"1 // \xff").unwrap();
    assert_eq!(codes(not_text.path()), ["E0001"]);
    let folder_of_that_name = bonus("1");
    fs::remove_file(folder_of_that_name.path().join("hooks/bonus.rhai")).unwrap();
    fs::create_dir(folder_of_that_name.path().join("hooks/bonus.rhai")).unwrap();
    assert_eq!(codes(folder_of_that_name.path()), ["E1101"]);
    for name in [
        "../rules.sut",
        "/etc/passwd",
        "hooks/bonus.rhai",
        "..\\\\bonus.rhai",
        "bonus",
        "nul.rhai",
        "",
    ] {
        let folder = bonus("1");
        let text = fs::read_to_string(folder.path().join("rules.sut")).unwrap();
        write(folder.path(), "rules.sut", &text.replace("\"bonus.rhai\"", &format!("\"{name}\"")));
        assert_eq!(codes(folder.path()), ["E1101"], "{name}");
    }
}

#[cfg(unix)]
#[test]
fn links_are_not_followed() {
    let outside = tempfile::tempdir().unwrap();
    write(outside.path(), "bonus.rhai", "1");
    let linked = folder("", &[("toll.rhai", TOLL)], "");
    std::os::unix::fs::symlink(
        outside.path().join("bonus.rhai"),
        linked.path().join("hooks/bonus.rhai"),
    )
    .unwrap();
    assert_eq!(codes(linked.path()), ["E1101"]);
    let whole = folder("", &[], "");
    fs::remove_dir(whole.path().join("hooks")).unwrap();
    std::os::unix::fs::symlink(outside.path(), whole.path().join("hooks")).unwrap();
    assert_eq!(codes(whole.path()), ["E1101", "E1101"]);
}

#[test]
fn what_a_call_costs() {
    let folder = folder("", &[("bonus.rhai", BONUS), ("toll.rhai", TOLL)], "");
    let rules = rules(folder.path());
    let arguments = [Argument::Whole(6), Argument::Truth(true)];
    let (calls, begun) = (20_000, Instant::now());
    for _ in 0..calls {
        assert_eq!(rules.calls.call(HookId(0), &arguments), Ok(Some(2)));
    }
    println!("{:.2} us a call", begun.elapsed().as_secs_f64() * 1e6 / f64::from(calls));
}

/// Scripts that stopped, filled or broke an engine with other limits, and texts made to overflow a
/// reader.
fn hostile() -> Vec<(&'static str, String)> {
    let plain = [
        (
            "map_bypass",
            "let a=[]; for i in 0..200 {a.push(i);} a.map(|x| {let n=0; while n<10000 {n+=1;} n}).len()",
        ),
        (
            "map_bypass_nested",
            "let a=[]; for i in 0..100 {a.push(i);} a.map(|x| { let b=[]; for i in 0..100 {b.push(i);} \
             b.map(|y| {let n=0; while n<3000 {n+=1;} n}).len() }).len()",
        ),
        (
            "sort_bypass",
            "let a=[]; for i in 0..200 {a.push((i*7919)%200);} a.sort(|x,y| {let n=0; while n<5000 {n+=1;} x-y}); a[0]",
        ),
        (
            "reduce",
            "let a=[]; for i in 0..5000 {a.push(i);} for j in 0..1000 { a.reduce(|s,x| s, 0); } 1",
        ),
        (
            "eqdeep",
            "let a=[1]; for i in 0..9000 { a=[a]; } let b=[1]; for i in 0..9000 { b=[b]; } a==b",
        ),
        ("mapdeep", "let a=#{}; for i in 0..9000 { a=#{x:a}; } `${a}`.len()"),
        ("curry", "let f=|x|x; loop { f = f.curry(f); }"),
        ("curry of a name", "let f=Fn(\"abs\"); loop { f = f.curry(f); }"),
        (
            "replace_grow",
            "let s=\"\"; s.pad(60000,\"a\"); let t=\"\"; t.pad(60000,\"b\"); s.replace(\"a\",t); s.len()",
        ),
        ("nestarr2", "let a=[1]; for i in 0..9000 { a=[a]; } a.len()"),
        ("tojson", "let a=[1]; for i in 0..5000 { a=[a]; } `${a}`.len()"),
        ("dedup", "let a=[]; for i in 0..9000 { a.push(i); } for j in 0..500 { a.dedup(); } 1"),
        ("sleep", "sleep(1)"),
        ("print", "print(\"hello\")"),
        ("shl", "1 << 1000"),
        ("hex", "0xFFFFFFFFFFFFFFFF"),
        ("loop", "loop{}"),
        ("recursion", "fn f(x){f(x+1)} f(1)"),
        ("closure recursion", "let f=|x| x.call(x); f.call(f)"),
        ("text doubling", "let s=\"a\"; loop { s+=s; }"),
        ("list doubling", "let a=[1]; loop { a+=a; }"),
        ("list doubling by a literal", "let a=[1]; loop { a=[a,a]; }"),
        ("list in itself", "let a=[1,2]; loop { a[0]=a; }"),
        ("map doubling", "let m=#{}; loop { m=#{a:m,b:m}; }"),
        ("map in itself", "let m=#{}; loop { m[\"k\"]=m; }"),
        ("pad", "let s=\"\"; s.pad(2000000000,\"a\"); 1"),
        ("blob", "blob(2000000000)"),
        ("for ever", "for i in 0..9223372036854775807 {} 1"),
        ("step 0", "for i in range(0,10,0) {} 1"),
        ("split", "\"a,b\".split(\",\").len()"),
        ("try", "try { loop{} } catch { loop {} }"),
        ("throw", "loop { throw 1; }"),
        (
            "70 brackets",
            "((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((1))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))",
        ),
        ("interpolation", "let a=[1]; for i in 0..62 { a=[a]; } let s=`${a}`; 1"),
        ("power", "2**1000"),
        ("least by -1", "div_down(-9223372036854775807-1, -1)"),
        ("rest by -1", "(-9223372036854775807-1) % -1"),
        ("abs", "abs(-9223372036854775807-1)"),
        ("by 0", "1/0"),
        ("20 digits", "parse_int(\"99999999999999999999\")"),
        ("eval", "eval(\"1\")"),
        ("import", "import \"x\" as y; 1"),
        ("timestamp", "timestamp()"),
        ("rand", "rand()"),
        ("exit", "exit(1)"),
        ("a control character", "1\u{0}"),
    ];
    let mut all: Vec<(&str, String)> = plain.map(|(name, text)| (name, text.to_owned())).to_vec();
    let many = |before: &str, part: &str, times: usize, after: &str| {
        format!("{before}{}{after}", part.repeat(times))
    };
    all.extend([
        ("brackets", many(&"(".repeat(30_000), "1", 1, &")".repeat(30_000))),
        ("lists in lists", many("", "[", 60_000, "")),
        ("blocks", many("", "{", 60_000, "")),
        ("signs", many("", "- ", 30_000, "1")),
        ("not", many("", "!", 60_000, "true")),
        ("a long sum", many("1", "+1", 30_000, "")),
        ("a long power", many("1", "**1", 20_000, "")),
        ("branches", many("if strength==9 {1}", " else if strength==9 {1}", 2_500, " else {2}")),
        ("dots", many("strength", ".x", 30_000, "")),
        ("calls", many(&"abs(".repeat(12_000), "1", 1, &")".repeat(12_000))),
        ("texts in texts", many("", "`${", 20_000, "")),
        ("text of parts", many("`", "${1}", 16_000, "`")),
        ("comments", many("", "/*", 30_000, "")),
        ("a long name", many("", "a", 60_000, "")),
        ("a long number", many("", "9", 60_000, "")),
        ("a long text", many("\"", "a", 2_000, "\"")),
        ("a long list", many("[", "1,", 30_000, "1]")),
        ("names", many("", "let x=1;", 8_000, "x")),
        (
            "cases",
            format!(
                "switch strength {{ {} _ => 0 }}",
                (0..6_000).map(|n| format!("{n}=>1,")).collect::<String>()
            ),
        ),
    ]);
    all
}

#[test]
fn no_script_ends_the_program_or_fills_the_machine() {
    let cases = "case \"asked\" {\n  setup opening\n  expect bonus of First is 2 areas\n}";
    let (mut slowest, mut bad) = ((0, ""), Vec::new());
    for (name, text) in &hostile() {
        for head in ["", "with scripts"] {
            let folder = folder(head, &[("bonus.rhai", text), ("toll.rhai", TOLL)], cases);
            let begun = Instant::now();
            let (out, code) = limited(folder.path());
            slowest = slowest.max((begun.elapsed().as_millis(), *name));
            // An answer, a failed case or a fault; a signal gives no code at all.
            let told = out.contains(" passed, ") || out.contains("error[E");
            if !matches!(code, Some(0 | 1))
                || !told
                || out.contains("hello\n")
                || out.len() > 20_000
            {
                bad.push(format!("{name} {head}: {code:?}, {} bytes\n{out:.600}", out.len()));
            }
        }
    }
    println!(
        "the slowest script took {} ms with the start of the program: {}",
        slowest.0, slowest.1
    );
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

/// Runs the cases of a folder in 512 MiB, where a shell can say so.
fn limited(folder: &Path) -> (String, Option<i32>) {
    if cfg!(unix) {
        let call = "ulimit -v 524288 2>/dev/null; exec \"$0\" test \"$1\"";
        let out = Command::new("sh")
            .args(["-c", call, env!("CARGO_BIN_EXE_sutler")])
            .arg(folder)
            .env("NO_COLOR", "1")
            .output()
            .unwrap();
        return said(&out);
    }
    sutler(&["test"], folder)
}
