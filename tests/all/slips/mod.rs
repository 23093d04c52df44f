//! How good messages are, in figures: slips of one token in the shipped rulesets, and first guesses
//! of a newcomer. A message is held to its place, and a fix to what was right before the slip.
//!
//! `SUTLER_SLIPS=200` tries that many slips instead of a few, `SUTLER_SEED=1` others; `--nocapture`
//! prints each.

mod guesses;
mod make;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use sutler::diag::{Applicability, Diagnostic, Severity};
use sutler::ir::{Ruleset, print};
use sutler::project::Project;
use sutler::source::Span;

use crate::common::counts::seed_base;
use crate::common::{Dice, with_fix};
use make::{LAYOUT, SORTS, Slip, layout_slip, slip, tokens};

/// Files by their paths.
type Files = BTreeMap<PathBuf, Vec<u8>>;

/// What came of one wrong text.
#[derive(Default)]
struct Outcome {
    messages: usize,
    right_place: bool,
    right_fix: bool,
    /// A fix after which all is accepted, and something else is said.
    wrong_fix: bool,
    shown: String,
}

/// Counts of outcomes.
#[derive(Default)]
struct Figures {
    all: usize,
    places: usize,
    fixes: usize,
    wrong: usize,
    talkative: usize,
}

impl Figures {
    fn add(&mut self, one: &Outcome) {
        self.all += 1;
        self.places += usize::from(one.right_place);
        self.fixes += usize::from(one.right_fix);
        self.wrong += usize::from(one.wrong_fix);
        self.talkative += usize::from(one.messages > 2);
    }

    fn percent(&self, part: usize) -> usize {
        part * 100 / self.all.max(1)
    }

    fn print(&self, what: &str) {
        let [places, fixes] = [self.places, self.fixes].map(|part| self.percent(part));
        println!(
            "{what}: {} tried, {places}% at the right place, {fixes}% with the right fix, {} wrong \
             fixes that are accepted, {} with more than two messages",
            self.all, self.wrong, self.talkative
        );
    }
}

/// The faults of a project, each once.
fn faults(project: &Project) -> Vec<&Diagnostic> {
    let mut found: Vec<&Diagnostic> = project.faults.iter().collect();
    for fault in project.rulesets.iter().flat_map(|r| &r.faults) {
        let same = |f: &&Diagnostic| f.code == fault.code && f.primary() == fault.primary();
        if !found.iter().any(same) {
            found.push(fault);
        }
    }
    found
}

/// What the rulesets of a project mean, in words: `5` steps and `5 steps` are the same.
fn meaning(project: &Project) -> Vec<Option<String>> {
    let listing = |rules: &Ruleset| print(rules).replace(&rules.hash, "");
    project.rulesets.iter().map(|r| r.rules.as_ref().map(listing)).collect()
}

/// The hashes of the rulesets of a project, which maps and clauses are part of.
fn hashes(project: &Project) -> Vec<Option<String>> {
    project.rulesets.iter().map(|r| r.rules.as_ref().map(|r| r.hash.clone())).collect()
}

/// The words and signs of a text, without its layout.
fn words(text: &str) -> Vec<&str> {
    tokens(text).into_iter().filter_map(|range| text.get(range)).collect()
}

/// The lines of a text that say something, by their words.
fn lines(text: &str) -> Vec<Vec<&str>> {
    text.lines().map(words).filter(|line| !line.is_empty()).collect()
}

/// One wrong text in its files: what is reported, and what becomes of the fix.
fn outcome(
    (files, folder, file): (&Files, &Path, &Path),
    slip: &Slip,
    proof: bool,
    said: fn(&Project) -> Vec<Option<String>>,
) -> Option<Outcome> {
    let right = files.get(file).map(|t| String::from_utf8_lossy(t).into_owned())?;
    let mut wrong = files.clone();
    wrong.insert(file.to_path_buf(), slip.text.clone().into_bytes());
    let project = Project::of_texts(wrong.clone(), folder);
    let found = faults(&project);
    if !found.iter().any(|f| f.severity == Severity::Error) {
        return None;
    }
    let (low, high) = around(&slip.text, &slip.wrong);
    let near = |span: Span| {
        Path::new(project.sources.name(span.source)) == file
            && (span.start as usize) <= high
            && (span.end as usize) >= low
    };
    let mut one = Outcome { messages: found.len(), ..Outcome::default() };
    one.right_place = found.iter().take(2).any(|f| f.primary().is_some_and(near));
    let show = |f: &&Diagnostic| {
        format!("  {}: {} (help: {:?})\n", f.code, f.message, f.advice(&project.sources))
    };
    one.shown = found.iter().take(4).map(show).collect();
    for fix in found.iter().filter_map(|f| f.suggestion.as_ref()) {
        let path = PathBuf::from(project.sources.name(fix.span.source));
        let text = with_fix(project.sources.text(fix.span.source), fix);
        let same = path == file && lines(&text) == lines(&right);
        let mut fixed = wrong.clone();
        fixed.insert(path, text.into_bytes());
        let fixed = Project::of_texts(fixed, folder);
        let accepted = faults(&fixed).iter().all(|f| f.severity != Severity::Error);
        let sound = Project::of_texts(files.clone(), folder);
        let good = same || accepted && !proof && said(&fixed) == said(&sound);
        one.right_fix |= good;
        one.wrong_fix |= accepted && !good;
        let sure = if fix.applies == Applicability::Always { "sure" } else { "a guess" };
        let word = match (good, accepted) {
            (true, _) => "right",
            (_, true) => "WRONG",
            _ => "refused",
        };
        one.shown += &format!("    {word} ({sure}): {:?}\n", fix.replacement);
    }
    Some(one)
}

/// The slip with the token before it and the one after it.
fn around(text: &str, wrong: &std::ops::Range<usize>) -> (usize, usize) {
    let all = tokens(text);
    let before = all.iter().rev().find(|t| t.end <= wrong.start).map_or(0, |t| t.start);
    let after = all.iter().find(|t| t.start >= wrong.end && t.end > wrong.start);
    (before, after.map_or(text.len(), |t| t.end))
}

/// The files of a shipped ruleset; of its cases the first alone, for time.
fn shipped(name: &str) -> (PathBuf, Files) {
    let folder = PathBuf::from(name);
    let disk = Path::new(env!("CARGO_MANIFEST_DIR")).join("rulesets").join(name);
    let mut files = Files::new();
    for place in [disk.clone(), disk.join("hooks")] {
        for entry in std::fs::read_dir(place).into_iter().flatten().flatten() {
            let path = entry.path();
            let inside = path.strip_prefix(&disk).unwrap().to_path_buf();
            let known = path.extension().is_some_and(|e| e == "sut" || e == "rhai");
            if !known || inside.starts_with("suite_second.sut") || inside.starts_with("runs") {
                continue;
            }
            let mut text = std::fs::read_to_string(&path).unwrap();
            if inside.to_string_lossy().starts_with("suite") && text.len() > 6000 {
                let end = text[6000..].find("\n}\n").map_or(text.len(), |p| 6000 + p + 3);
                text.truncate(end);
            }
            files.insert(folder.join(inside), text.into_bytes());
        }
    }
    (folder, files)
}

/// Whether a place stands in a case or a mistake, of which the hash says nothing.
fn in_a_proof(text: &str, at: usize) -> bool {
    let item = text[..at].rfind("\ncase ").max(text[..at].rfind("\nmistake "));
    item.is_some_and(|start| !text[start..at].contains("\n}\n"))
        || text[..at].rfind("\nsetup ").is_some_and(|start| !text[start..at].contains("\n}\n"))
}

const RULESETS: [&str; 5] = ["blockade_siege", "malaya", "sgs", "soldier_kings", "twilight"];

fn how_many() -> usize {
    std::env::var("SUTLER_SLIPS").ok().and_then(|n| n.parse().ok()).unwrap_or(10)
}

#[test]
fn slips_of_one_token_have_true_fixes() {
    let figures = tried(&RULESETS, &SORTS, slip);
    assert_eq!(figures.wrong, 0, "a wrong fix is accepted");
    // Of a few slips the next may be unlike the last.
    if figures.all >= 100 {
        assert!(figures.percent(figures.places) >= 85, "too few are pointed at");
        assert!(figures.percent(figures.fixes) >= 50, "too few have the right fix");
    }
    assert!(figures.talkative * 20 <= figures.all, "too many have more than two messages");
}

#[test]
fn slips_of_layout_have_true_fixes() {
    let figures = tried(&RULESETS, &LAYOUT, layout_slip);
    assert_eq!(figures.wrong, 0, "a wrong fix is accepted");
    assert!(figures.talkative * 20 <= figures.all, "too many have more than two messages");
}

/// A ruleset of which no message was seen as the fixes were written.
#[test]
fn slips_in_another_ruleset_have_no_wrong_fix() {
    let figures = tried(&["iron_rivers"], &SORTS, slip);
    assert_eq!(figures.wrong, 0, "a wrong fix is accepted");
}

/// So many slips of a sort are accepted before the next sort has its turn.
const PATIENCE: usize = 8;

/// Makes slips of these sorts in turn, in each of some rulesets; none has a wrong fix.
fn tried(
    rulesets: &[&str],
    sorts: &[&str],
    make: fn(&str, usize, &mut Dice) -> Option<Slip>,
) -> Figures {
    let mut figures = Figures::default();
    let mut by_sort: Vec<Figures> = sorts.iter().map(|_| Figures::default()).collect();
    let seed = 1000 * seed_base();
    for (number, name) in rulesets.iter().enumerate() {
        let (folder, files) = shipped(name);
        assert!(hashes(&Project::of_texts(files.clone(), &folder)).iter().all(Option::is_some));
        let mut dice = Dice::new(0x51_1b + seed + number as u64);
        let names: Vec<&PathBuf> =
            files.keys().filter(|p| p.extension().is_some_and(|e| e == "sut")).collect();
        let mut made = 0;
        let (mut accepted, mut in_a_row, mut tries) = (0, 0, 0);
        while made * rulesets.len() < how_many() && tries < 10_000 {
            tries += 1;
            // Every other slip is in the rules.
            let rules = folder.join("rules.sut");
            let file = if dice.percent(50) { &rules } else { *dice.pick(&names) };
            let text = std::str::from_utf8(&files[file]).unwrap();
            let Some(slip) = make(text, (made + in_a_row / PATIENCE) % sorts.len(), &mut dice)
            else {
                continue;
            };
            let proof = in_a_proof(text, slip.wrong.start);
            let Some(one) = outcome((&files, &folder, file), &slip, proof, hashes) else {
                accepted += 1;
                in_a_row += 1;
                continue;
            };
            (made, in_a_row) = (made + 1, 0);
            figures.add(&one);
            by_sort[slip.sort].add(&one);
            show(&one, &slip, (text, file, sorts));
        }
        println!("{name}: {made} slips; {accepted} more are accepted as they are");
    }
    sorts.iter().zip(&by_sort).for_each(|(sort, f)| f.print(sort));
    figures.print("slips");
    figures
}

fn show(one: &Outcome, slip: &Slip, (text, file, sorts): (&str, &Path, &[&str])) {
    let line = text[..slip.wrong.start].matches('\n').count();
    println!(
        "{} {}:{}: {} `{}`: {}\n{}{}",
        if one.wrong_fix {
            "!"
        } else if one.right_fix {
            "+"
        } else {
            "-"
        },
        file.display(),
        line + 1,
        sorts[slip.sort],
        slip.right.escape_debug(),
        slip.text.lines().nth(line).unwrap_or_default().trim(),
        if one.right_place { "" } else { "  ELSEWHERE\n" },
        one.shown
    );
}

/// Slips that once had a fix with which the rules said another thing, by ruleset and file.
const MEANT_OTHERWISE: [(&str, &str, &str, &str); 15] = [
    ("blockade_siege", "rules.sut", "phase srv_check at end", "phase  at end"),
    ("blockade_siege", "rules.sut", "row bribed when", "when bribed when"),
    ("blockade_siege", "map.sut", "space hex 0303 \"Neisse\"", "space hex  \"Neisse\""),
    ("malaya", "map.sut", "space hex 0411 \"Taiping\"", "space hex  \"Taiping\""),
    ("sgs", "rules.sut", "third when turns_out", "third row turns_out"),
    ("soldier_kings", "rules.sut", "through not enemy_occupied", "through not not enemy_occupied"),
    ("twilight", "rules.sut", "it is shelling the stand or", "it is the shelling stand or"),
    ("twilight", "suite_offers.sut", "given F is wheels", "given F  wheels"),
    ("twilight", "rules.sut", "define shelled of stand", "define shelled of of stand"),
    ("malaya", "rules.sut", "west_coast and penang_captured", "west_coast or penang_captured"),
    ("sgs", "rules.sut", "= walled and (", "=  and ("),
    ("sgs", "rules.sut", "any_structure, not_the_enemys", "any_structure, not_the_enem ys"),
    ("sgs", "suite.sut", "given ruling lone_leaders |", "ruling lone_leaders |"),
    ("soldier_kings", "rules.sut", "phase siege_goes_on at", "phase siege_hoes_on at"),
    (
        "soldier_kings",
        "rules.sut",
        "in halt for own armies where forced_out",
        "in halt for own armies where",
    ),
];

#[test]
fn slips_that_were_mended_otherwise_have_no_wrong_fix() {
    for (name, file, right, wrong) in MEANT_OTHERWISE {
        let (folder, files) = shipped(name);
        let file = folder.join(file);
        let text = std::str::from_utf8(&files[&file]).unwrap();
        let at = text.find(right).unwrap_or_else(|| panic!("{name} has `{right}`"));
        let slip = Slip {
            text: text.replacen(right, wrong, 1),
            wrong: at..at + wrong.len(),
            right: right.to_owned(),
            sort: 0,
        };
        let proof = in_a_proof(text, at);
        let one = outcome((&files, &folder, &file), &slip, proof, hashes);
        let one = one.unwrap_or_else(|| panic!("`{wrong}` is accepted"));
        assert!(!one.wrong_fix, "{name}: `{wrong}`\n{}", one.shown);
    }
}
