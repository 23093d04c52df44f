//! The tutorial is played as a reader plays it: page after page, in one folder.
//!
//! A block `file PATH` writes a file, `add PATH` writes at its end, `find PATH` and `now PATH`
//! replace lines in it. A block `slip PATH`, alone or after `find PATH`, is a mistake or the answer
//! of an exercise: it is taken back after the next block `console`. What each page leaves is what
//! the folder of its step holds. With SUTLER_BLESS set, answers and folders are written anew, and
//! the test fails, so that the difference is read.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::docs_workbench::{copy, printed, without_hashes};
use crate::support::{self, Block, root};
use sutler::scaffold::scaffold;

const PAGES: &str = "docs/tutorial";
const STEPS: usize = 10;
const RECIPES: usize = 40;

/// A reader at a page.
struct Reader {
    folder: PathBuf,
    /// What a block `find` looked for, and where.
    sought: Option<(String, String)>,
    /// A file as it was before a slip.
    before: Option<(PathBuf, String)>,
    wrong: String,
}

impl Reader {
    fn path(&self, name: &str) -> PathBuf {
        let path = self.folder.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        path
    }

    /// The text that a block leaves in a file.
    fn changed(&mut self, block: &Block, name: &str, old: &str) -> String {
        match self.sought.take() {
            None => format!("{}\n\n{}", old.trim_end(), block.text),
            Some((file, lines)) => {
                assert_eq!(file, name, "{}: another file was looked into", block.place());
                let found = old.matches(&lines).count();
                assert_eq!(found, 1, "{}: found {found} times:\n{lines}", block.place());
                old.replacen(&lines, &block.text, 1)
            }
        }
    }

    /// Does what a block says; of a console, what it should show.
    fn play(&mut self, block: &Block) -> Option<String> {
        let marks: Vec<&str> = block.marks.iter().map(String::as_str).collect();
        match marks.as_slice() {
            ["file", name] => fs::write(self.path(name), &block.text).expect("a file"),
            ["find", name] => self.sought = Some(((*name).to_owned(), block.text.clone())),
            [kind @ ("add" | "now" | "slip"), name] => {
                assert!(
                    *kind == "slip" || self.sought.is_some() == (*kind == "now"),
                    "{}: `now` follows `find`, and `add` does not",
                    block.place()
                );
                let path = self.path(name);
                let old = fs::read_to_string(&path).expect("the file is there");
                let new = self.changed(block, name, &old);
                fs::write(&path, new).expect("a file");
                if *kind == "slip" {
                    self.before = Some((path, old));
                }
            }
            ["console"] => return Some(self.console(block)),
            ["text"] => {}
            other => panic!("{}: the mark `{}` is unknown", block.place(), other.join(" ")),
        }
        None
    }

    fn console(&mut self, block: &Block) -> String {
        let mut all = String::new();
        for call in format!("\n{}", block.text).split("\n$ ").filter(|c| !c.trim().is_empty()) {
            let (line, shown) = call.split_once('\n').unwrap_or((call, ""));
            let said = printed(line, &self.folder);
            let same = without_hashes(said.trim_end()) == without_hashes(shown.trim_end());
            if !same {
                let place = block.place();
                self.wrong.push_str(&format!("{place}: {line}\n--- shown\n{shown}\n"));
                self.wrong.push_str(&format!("--- printed\n{said}\n"));
            }
            let said = if same { shown } else { said.as_str() };
            all.push_str(&format!("$ {line}\n"));
            if !said.trim().is_empty() {
                all.push_str(&format!("{}\n", said.trim_end()));
            }
        }
        if let Some((path, text)) = self.before.take() {
            fs::write(path, text).expect("a file");
        }
        all
    }

    /// Plays a page; gives it as it should read.
    fn page(&mut self, name: &'static str) -> String {
        let text = support::text_of(name);
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let mut shown = Vec::new();
        for block in support::blocks(name) {
            if let Some(answer) = self.play(&block) {
                shown.push((block.line, block.text.lines().count(), answer));
            }
        }
        assert!(self.sought.is_none(), "{name}: what was looked for is not replaced");
        assert!(self.before.is_none(), "{name}: a slip is never tried");
        for (at, count, answer) in shown.into_iter().rev() {
            lines.splice(at..at + count, answer.lines().map(str::to_owned));
        }
        lines.join("\n") + "\n"
    }
}

/// The pages, in their order.
fn pages() -> Vec<&'static str> {
    let mut names: Vec<String> = fs::read_dir(root().join(PAGES))
        .expect("the pages")
        .map(|entry| entry.expect("a page").file_name().into_string().expect("a plain name"))
        .filter(|name| name.ends_with(".md") && name != "README.md")
        .collect();
    names.sort();
    names.iter().map(|name| &*format!("{PAGES}/{name}").leak()).collect()
}

/// Each file of a folder with its text.
fn files(folder: &Path) -> BTreeMap<PathBuf, String> {
    let mut found = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(&next).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(folder).expect("it lies in it").to_owned();
                found.insert(name, fs::read_to_string(&path).expect("a text"));
            }
        }
    }
    found
}

#[test]
fn each_page_answers_as_printed_and_leaves_the_files_of_its_step() {
    let bless = std::env::var_os("SUTLER_BLESS").is_some();
    let folder = tempfile::tempdir().expect("a folder");
    let mut reader = Reader {
        folder: folder.path().to_owned(),
        sought: None,
        before: None,
        wrong: String::new(),
    };
    let game = folder.path().join("winter_road");
    for (at, name) in pages().into_iter().enumerate() {
        let page = reader.page(name);
        for call in ["sutler check winter_road --deny warnings", "sutler test winter_road"] {
            let said = printed(call, folder.path());
            if said.contains("[exit ") {
                reader.wrong.push_str(&format!("{name}, at its end: {call}\n{said}\n"));
            }
        }
        let step = root().join(format!("{PAGES}/step{:02}", at + 1));
        if bless {
            fs::write(root().join(name), page).expect("a page");
            fs::remove_dir_all(&step).ok();
            copy(&game, &step);
        } else if files(&step) != files(&game) {
            reader.wrong.push_str(&format!("{} holds other files than {name}\n", step.display()));
        }
    }
    assert!(!bless, "written anew; read the difference, and run again without SUTLER_BLESS");
    assert!(reader.wrong.is_empty(), "{}", reader.wrong);
}

#[test]
fn each_page_has_its_idea_its_mistake_and_its_exercise() {
    let pages = pages();
    assert_eq!(pages.len(), STEPS);
    let index = support::text_of("docs/tutorial/README.md");
    for (at, name) in pages.iter().enumerate() {
        let text = support::text_of(name);
        assert!(text.starts_with(&format!("# Step {}. ", at + 1)), "{name}");
        for part in ["\n**The idea: ", "\n## A mistake, made on purpose\n", "\n## Exercise\n"] {
            assert_eq!(text.matches(part).count(), 1, "{name}: {part}");
        }
        let (_, mistake) = text.split_once("\n## A mistake").expect("the mistake");
        let (mistake, exercise) = mistake.split_once("\n## Exercise").expect("the exercise");
        assert!(mistake.contains("```slip ") && mistake.contains("```console"), "{name}");
        let answered = exercise.contains("<summary>Answer</summary>");
        assert!(answered && exercise.contains("```console"), "{name}: no answer");
        assert!(index.contains(&format!("({})", name.replace("docs/tutorial/", ""))), "{name}");
        // What is changed on the way and does not stay is put back, by the reader as by the test.
        for part in [mistake, exercise].iter().filter(|part| part.contains("```slip ")) {
            let words = part.split("```").step_by(2).collect::<String>();
            assert!(words.contains(" back"), "{name}: nobody is told to put it back\n{words}");
        }
    }
}

/// The lines of a ruleset without comments and layout.
fn sense(text: &str) -> Vec<String> {
    text.lines()
        .map(|line| line.split('#').next().unwrap_or_default())
        .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
        .filter(|line| !line.is_empty() && line != "edition 1")
        .collect()
}

#[test]
fn a_new_game_is_the_game_of_the_reference() {
    let new = scaffold("winter_road", Some("The Winter Road"), None).expect("a scaffold");
    let new: String = new.files.iter().map(|(_, text)| format!("{text}\n")).collect();
    let page = support::blocks("docs/language.md");
    assert_eq!(sense(support::prelude(&page)), sense(&new));
}

/// Folders, one for each recipe, with a game and the recipe in it, and how many they are.
fn pasted(game: &Path, with_cases: bool) -> (tempfile::TempDir, usize) {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut recipes, mut last) = (0, PathBuf::new());
    for block in &support::blocks("docs/recipes.md") {
        match block.marks.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
            ["sutler"] => {
                last = folder.path().join(format!("games/line_{:04}", block.line));
                copy(game, &last);
                let text = format!("edition 1\n{}", block.text);
                fs::write(last.join("recipe.sut"), text).expect("a file");
                recipes += 1;
            }
            ["sutler", "case"] if with_cases => {
                let text = format!("edition 1\n{}", block.text);
                fs::write(last.join("recipe_case.sut"), text).expect("a file");
            }
            ["sutler", "case"] => {}
            _ => panic!("{}: neither a recipe nor its case", block.place()),
        }
    }
    assert!(recipes >= RECIPES, "only {recipes} recipes");
    (folder, recipes)
}

/// Checks all of them at once.
fn checked(folder: &Path, recipes: usize) {
    let said = printed("sutler check games --deny warnings", folder);
    let clean = said.matches("winter_road: nothing to report").count();
    assert_eq!((clean, said.contains("[exit ")), (recipes, false), "{said}");
}

#[test]
fn each_recipe_checks_in_a_new_game_and_its_case_passes_there() {
    let new = tempfile::tempdir().expect("a folder");
    for (file, text) in scaffold("winter_road", None, None).expect("a scaffold").files {
        fs::write(new.path().join(file), text).expect("a file");
    }
    let (folder, recipes) = pasted(new.path(), true);
    checked(folder.path(), recipes);
    let said = printed("sutler test games --filter recipe:", folder.path());
    let cases = support::text_of("docs/recipes.md").matches("case \"recipe: ").count();
    assert!(cases >= 20, "only {cases} recipes have a case");
    // A grid is several cases.
    let passed =
        said.trim_end().lines().last().and_then(|line| line.strip_suffix(" passed, 0 failed"));
    assert!(passed.and_then(|n| n.parse().ok()).is_some_and(|n: usize| n >= cases), "{said}");
}

/// An army of each side that waits off the map while four turns are played.
const WAITING: &str = "edition 1
case \"who waits off the map is struck by nothing\" {
  setup opening
  put   army Waiting of Crown with strength 5, veteran
  put   army Later of League with strength 5, veteran
  run   turn
  run   turn
  run   turn
  run   turn
  expect Waiting is not removed
  expect strength of Waiting is 5
  expect Waiting is not starving
  expect strength of Later is 5
}
";

#[test]
fn no_recipe_strikes_who_waits_off_the_map() {
    let new = tempfile::tempdir().expect("a folder");
    for (file, text) in scaffold("winter_road", None, None).expect("a scaffold").files {
        fs::write(new.path().join(file), text).expect("a file");
    }
    let (folder, recipes) = pasted(new.path(), false);
    for entry in fs::read_dir(folder.path().join("games")).expect("the games") {
        let game = entry.expect("a game").path();
        let recipe = fs::read_to_string(game.join("recipe.sut")).expect("a recipe");
        // Rolled once for all, whoever is on the map.
        let dice =
            if recipe.contains(" once for ") { "  dice  6, 6, 6, 6\n  run" } else { "  run" };
        let case = WAITING.replacen("  run", dice, 1);
        fs::write(game.join("waiting.sut"), case).expect("a file");
    }
    let said = printed("sutler test games --filter waits", folder.path());
    assert!(said.ends_with(&format!("\n{recipes} passed, 0 failed\n")), "{said}");
}

#[test]
fn recipes_that_eliminate_and_that_reinforce_agree() {
    let new = tempfile::tempdir().expect("a folder");
    for (file, text) in scaffold("winter_road", None, None).expect("a scaffold").files {
        fs::write(new.path().join(file), text).expect("a file");
    }
    let blocks = support::blocks("docs/recipes.md");
    let recipe = |words: &str| {
        let found = blocks.iter().find(|b| b.is(&["sutler"]) && b.text.contains(words));
        &found.expect("the recipe").text
    };
    let text = format!(
        "edition 1\n{}{}{}",
        recipe("do    remove for own armies where turns_unfed"),
        recipe("do    move to entry for own reinforcements"),
        "case \"a reinforcement of turn 5 arrives\" {
  setup opening
  put   reinforcement Third of Crown with arrival 5, entry Abbey
  run   turn
  run   turn
  run   turn
  run   turn
  expect space of Third is none
  run   turn
  expect space of Third is Abbey
}
"
    );
    fs::write(new.path().join("both.sut"), text).expect("a file");
    let said = printed("sutler test . --filter reinforcement", new.path());
    assert!(said.ends_with("1 passed, 0 failed\n"), "{said}");
}

#[test]
fn each_recipe_checks_in_the_finished_game() {
    let game = root().join(PAGES).join(format!("step{STEPS}"));
    let (folder, recipes) = pasted(&game, false);
    checked(folder.path(), recipes);
}

#[test]
fn each_recipe_leads_to_a_section() {
    let text = support::text_of("docs/recipes.md");
    let mut links = 0;
    for part in text.split("](").skip(1) {
        let target = part.split(')').next().expect("its end");
        let (page, section) = target.split_once('#').unwrap_or((target, ""));
        let page = if page.is_empty() { "recipes.md" } else { page };
        let whole = support::text_of(&format!("docs/{page}"));
        let mut heads = whole.lines().filter(|l| l.starts_with('#')).map(anchor);
        assert!(section.is_empty() || heads.any(|h| h == section), "no section {target}");
        links += 1;
    }
    assert!(links >= RECIPES, "only {links} links");
}

/// A heading as the end of an address.
fn anchor(heading: &str) -> String {
    let plain = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
    plain.chars().filter(kept).map(|c| if c == ' ' { '-' } else { c }).collect()
}
