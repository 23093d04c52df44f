//! What a terminal asks of a command: its width, its colours, what the shell completes, a manual, one
//! file on standard input, and findings that are known.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::place::{self, Place, command};
use sutler::diag::code::PRELUDE;

fn shipped(name: &str) -> String {
    format!("{}/rulesets/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn said(run: &mut Command) -> place::Said {
    place::said(&run.output().unwrap())
}

/// What a command prints on a page of this width.
fn on_a_page(args: &[&str], width: &str) -> String {
    said(command(Path::new("."), args).env("COLUMNS", width)).out
}

#[test]
fn what_is_read_keeps_to_the_width_of_the_page_and_loses_no_word() {
    let (malaya, kings) = (shipped("malaya"), shipped("soldier_kings"));
    let calls: [&[&str]; 5] = [
        &["trace", &malaya, "--setup", "december"],
        &["threat", &kings],
        &["calendar", &malaya],
        &["coverage", &malaya],
        &["explain", &malaya, "--setup", "december"],
    ];
    for call in calls {
        let wide = on_a_page(call, "10000");
        assert!(wide.lines().any(|l| l.chars().count() > 100), "{call:?} has long lines");
        for width in [60, 80, 120] {
            let shown = on_a_page(call, &width.to_string());
            // Of a table that is narrowed each column goes on below itself.
            let words = |t: &str| {
                let mut all: Vec<String> = t.split_whitespace().map(str::to_owned).collect();
                all.sort();
                all
            };
            assert_eq!(words(&shown), words(&wide), "{call:?}");
            for line in shown.lines() {
                // A word that is longer than its place stands out alone.
                let alone = line.split_whitespace().count() == 1;
                assert!(line.chars().count() <= width || alone, "{call:?} at {width}: {line}");
            }
        }
    }
    // Without COLUMNS and without a terminal: 80.
    let usual = said(command(Path::new("."), calls[0]).env_remove("COLUMNS"));
    assert_eq!(usual.out, on_a_page(calls[0], "80"));
    // For programs nothing is broken.
    let concise =
        on_a_page(&["trace", &malaya, "--setup", "december", "--format", "concise"], "40");
    assert_eq!(concise.lines().count(), on_a_page(calls[0], "10000").lines().count() - 3);
}

/// A case that fails, with a title that no page has room for.
const LONG_CASE: &str = "
case \"the guard in the hill is out of supply, says a title that is longer than any page on which it will be read by somebody\" {
  setup opening
  expect Guard is unsupplied
}
";

/// The widest of the lines.
fn widest(text: &str) -> usize {
    text.lines().map(|line| line.chars().count()).max().unwrap_or(0)
}

#[test]
fn maps_odds_failures_and_last_words_keep_to_the_page() {
    let (kings, siege) = (shipped("soldier_kings"), shipped("blockade_siege"));
    for width in ["60", "80", "120"] {
        let most: usize = width.parse().unwrap();
        for (ruleset, setup) in [(&kings, "opening"), (&siege, "spring")] {
            let map = on_a_page(&["map", ruleset, "--setup", setup], width);
            assert!((50..=most.max(80)).contains(&widest(&map)), "{ruleset} at {width}: {map}");
        }
        let fuzz = ["fuzz", &siege, "--games", "1", "--turns", "1"];
        let fuzz = said(command(Path::new("."), &fuzz).env("COLUMNS", width)).err;
        assert!(widest(&fuzz) <= most && fuzz.contains("1 game of at most 1 turn"), "{fuzz}");
        let place = Place::with(&format!("{PRELUDE}{LONG_CASE}"));
        let failed = said(place.command(&["test", "game"]).env("COLUMNS", width));
        assert!(failed.code == 1 && widest(&failed.out) <= most, "{width}: {}", failed.out);
    }
}

#[test]
fn a_folder_beside_is_named_where_none_is_there() {
    let place = Place::with(PRELUDE);
    for args in [["check", "gmae"], ["trace", "gmae"]] {
        let said = place.run(&args);
        assert_eq!(said.code, 2);
        let all = format!("{}{}", said.out, said.err);
        assert!(all.contains("help: write `game`"), "{all}");
    }
    let far = place.run(&["check", "something_else"]);
    assert!(!far.out.contains("help: write"), "{}", far.out);
}

#[test]
fn a_code_that_is_not_there_leads_to_the_list() {
    let place = Place::with(PRELUDE);
    let said = place.run(&["explain-code", "X1"]);
    assert_eq!(said.code, 2);
    assert!(said.err.contains("`sutler explain-code` lists all codes"), "{}", said.err);
    assert!(said.err.lines().count() == 2, "{}", said.err);
}

#[test]
fn colours_are_as_asked() {
    let place = Place::with(&format!("{PRELUDE}\ndefine wet of area = terrain is seaa\n"));
    let said = |args: &[&str]| place.run(args).out;
    assert!(!said(&["check", "game"]).contains('\u{1b}'));
    assert!(said(&["check", "game", "--color", "always"]).contains('\u{1b}'));
    assert!(said(&["--color", "always", "check", "game"]).contains('\u{1b}'));
    assert!(!said(&["check", "game", "--color", "never"]).contains('\u{1b}'));
}

#[test]
fn shells_complete_every_command_and_each_has_a_manual_page() {
    let place = Place::with(PRELUDE);
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let said = place.run(&["completions", shell]);
        assert_eq!(said.code, 0);
        for word in ["why-not", "coverage", "completions"] {
            assert!(said.out.contains(word), "{shell}: {word}");
        }
    }
    let man = place.run(&["man"]);
    assert!(man.out.contains(".TH SUTLER 1") && man.out.contains("why\\-not"), "{}", man.out);
    assert!(place.run(&["man", "trace"]).out.contains("\\-\\-setup"));
    assert_eq!(place.run(&["man", "trcae"]).code, 2);
    assert_eq!(place.run(&["man", "--out", "pages"]).code, 0);
    for page in ["sutler.1", "sutler-why-not.1", "sutler-import.1"] {
        assert!(place.path("pages").join(page).is_file(), "{page}");
    }
}

#[test]
fn one_file_is_checked_on_standard_input() {
    let piped = |text: &str| {
        let mut run = command(Path::new("."), &["check", "-", "--format", "concise"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        run.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
        let said = run.wait_with_output().unwrap();
        (said.status.code(), String::from_utf8(said.stdout).unwrap())
    };
    assert_eq!(piped(PRELUDE), (Some(0), String::new()));
    let (code, said) = piped(&format!("{PRELUDE}\ndefine wet of area = terrain is seaa\n"));
    assert_eq!(code, Some(1));
    assert!(said.contains("stdin.sut") && said.contains("E0206"), "{said}");
}

#[test]
fn known_findings_are_held_back_and_new_ones_stand_out() {
    let idle = |name: &str| format!("define {name} of area = terrain is sea\n");
    let place = Place::with(&format!("{PRELUDE}\n{}", idle("wet")));
    let lint =
        |more: &[&str]| place.run(&[&["lint", "game", "--format", "concise"], more].concat());
    let before = lint(&[]);
    assert_eq!(before.code, 1);
    let written = lint(&["--write-baseline", "known.txt"]);
    assert_eq!((written.code, written.out.as_str()), (0, ""), "{}", written.err);
    let held = lint(&["--baseline", "known.txt"]);
    assert_eq!((held.code, held.out.as_str()), (0, ""));
    assert!(held.err.contains("held back by known.txt"), "{}", held.err);
    // An edit above moves the lines, and a new finding is not known.
    let changed = format!("# one more line\n{PRELUDE}\n{}{}", idle("wet"), idle("damp"));
    place.write("game/rules.sut", changed);
    let new = lint(&["--baseline", "known.txt"]);
    assert_eq!(new.code, 1);
    assert!(new.out.contains("damp") && !new.out.contains("`wet`"), "{}", new.out);
    // What is gone is said.
    place.write("game/rules.sut", PRELUDE);
    assert!(lint(&["--baseline", "known.txt"]).err.contains("are gone"));
    // What is no baseline, or not there, is trouble.
    place.write("bad.txt", "once upon a time");
    for file in ["bad.txt", "missing.txt"] {
        assert_eq!(lint(&["--baseline", file]).code, 2, "{file}");
    }
    // Errors are never held back.
    place.write("game/rules.sut", format!("{PRELUDE}\ndefine wet of area = terrain is seaa\n"));
    assert_eq!(place.run(&["check", "game", "--write-baseline", "errors.txt"]).code, 1);
    let said = place.run(&["check", "game", "--baseline", "errors.txt"]);
    assert!(said.code == 1 && said.out.contains("E0206"), "{}", said.out);
}

#[cfg(unix)]
mod progress {
    use std::fs::File;
    use std::io::{Read, Write};
    use std::os::fd::OwnedFd;
    use std::process::Stdio;
    use std::time::Duration;

    use super::{PRELUDE, Place, command};

    /// A pseudo-terminal: what a person would see, and what a program writes to.
    fn terminal() -> (File, OwnedFd) {
        use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
        let person = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&person).unwrap();
        unlockpt(&person).unwrap();
        let name = ptsname(&person, Vec::new()).unwrap().into_string().unwrap();
        let program = File::options().read(true).write(true).open(name).unwrap();
        (File::from(person), OwnedFd::from(program))
    }

    /// What a batch of two positions, given with a pause between them, prints, and what stands on
    /// the terminal that its messages go to.
    fn batch(place: &Place, more: &[&str], plain: bool) -> (String, String) {
        let (mut person, program) = terminal();
        let args = [&["batch", "game", "--positions", "-"][..], more].concat();
        let mut run = command(&place.path("."), &args);
        run.env("TERM", "xterm").env_remove("NO_PROGRESS");
        run.stdin(Stdio::piped()).stdout(Stdio::piped());
        run.stderr(if plain { Stdio::piped() } else { Stdio::from(program.try_clone().unwrap()) });
        let mut child = run.spawn().unwrap();
        drop((run, program));
        let mut input = child.stdin.take().unwrap();
        let saved = std::fs::read_to_string(place.path("position.json")).unwrap();
        let line = serde_json::from_str::<serde_json::Value>(&saved).unwrap().to_string() + "\n";
        for _ in 0..2 {
            input.write_all(line.as_bytes()).unwrap();
            input.flush().unwrap();
            std::thread::sleep(Duration::from_millis(1400));
        }
        drop(input);
        let said = child.wait_with_output().unwrap();
        assert!(said.status.success(), "{said:?}");
        let mut shown = Vec::new();
        // The end of a pseudo-terminal is an error.
        let mut part = [0; 4096];
        while let Ok(many @ 1..) = person.read(&mut part) {
            shown.extend_from_slice(&part[..many]);
        }
        let shown = String::from_utf8_lossy(&[shown, said.stderr].concat()).into_owned();
        (String::from_utf8(said.stdout).unwrap(), shown)
    }

    #[test]
    fn it_stands_on_a_terminal_alone_and_answers_are_the_same_bytes() {
        let place = Place::with(PRELUDE);
        let saved = place.run(&["run", "game", "--setup", "opening", "--save", "position.json"]);
        assert_eq!(saved.code, 0, "{}", saved.err);
        let (answers, shown) = batch(&place, &[], false);
        assert!(shown.contains("positions"), "{shown:?}");
        for (more, plain) in [(&["--quiet"][..], false), (&[][..], true)] {
            let (same, nothing) = batch(&place, more, plain);
            assert_eq!((same.as_str(), nothing.as_str()), (answers.as_str(), ""), "{more:?}");
        }
        assert_eq!(answers.lines().count(), 3, "{answers}");
    }
}
