//! The pages of the author's workbench: each command in them is run, and prints what the page
//! shows.
//!
//! A page is played from top to bottom in a folder of its own that holds a copy of `rulesets`. A
//! block `file PATH` writes a file there, a block `console` runs commands, and what one command
//! leaves the next one finds. `[exit 1]` in the last line of an output is the exit code, where it
//! is not 0. Hashes of rules are not compared: they are others with every change of a shipped
//! ruleset. With SUTLER_BLESS set, what is printed is written into the page, and the difference is
//! read before it is kept.

use crate::support;
use std::path::Path;
use std::process::Command;

use crate::support::root;

#[test]
fn commands_print_what_the_pages_show() {
    let mut pages: Vec<_> = std::fs::read_dir(root().join("docs/workbench"))
        .expect("the pages")
        .map(|entry| entry.expect("a page").file_name().into_string().expect("a plain name"))
        .filter(|name| name.ends_with(".md"))
        .collect();
    pages.sort();
    let index = support::text_of("docs/workbench/README.md");
    let mut wrong = String::new();
    let mut run = 0;
    for page in &pages {
        assert!(
            page == "README.md" || index.contains(&format!("({page})")),
            "docs/workbench/README.md does not list {page}"
        );
        run += play(&format!("docs/workbench/{page}"), &mut wrong);
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(run > 0, "no command was run");
}

fn play(page: &str, wrong: &mut String) -> usize {
    let folder = tempfile::tempdir().expect("a folder");
    copy(&root().join("rulesets"), &folder.path().join("rulesets"));
    let mut run = 0;
    for block in support::blocks(Box::leak(page.to_owned().into_boxed_str())) {
        match block.marks.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
            ["file", path] => {
                let path = folder.path().join(path);
                std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
                std::fs::write(path, &block.text).expect("a file");
            }
            ["console"] => {
                for call in
                    format!("\n{}", block.text).split("\n$ ").filter(|c| !c.trim().is_empty())
                {
                    let (line, shown) = call.split_once('\n').unwrap_or((call, ""));
                    let printed = printed(line, folder.path());
                    if without_hashes(printed.trim_end()) != without_hashes(shown.trim_end()) {
                        if std::env::var_os("SUTLER_BLESS").is_some() {
                            bless(page, [line, shown.trim_end()], printed.trim_end());
                        }
                        wrong.push_str(&format!(
                            "{}: {line}\n--- shown\n{shown}\n--- printed\n{printed}\n",
                            block.place()
                        ));
                    }
                    run += 1;
                }
            }
            ["text" | "sutler" | "json" | "yaml"] => {}
            other => wrong.push_str(&format!(
                "{}: the mark `{}` is unknown\n",
                block.place(),
                other.join(" ")
            )),
        }
    }
    run
}

fn bless(page: &str, [line, shown]: [&str; 2], printed: &str) {
    let path = root().join(page);
    let text = std::fs::read_to_string(&path).expect("the page");
    let block = |output: &str| match output {
        "" => format!("$ {line}\n"),
        output => format!("$ {line}\n{output}\n"),
    };
    let now = text.replacen(&block(shown), &block(printed), 1);
    std::fs::write(path, now).expect("the page is written");
}

pub(crate) fn printed(line: &str, folder: &Path) -> String {
    let words =
        support::words(line.strip_prefix("sutler ").expect("a command begins with `sutler`"));
    let out = Command::new(env!("CARGO_BIN_EXE_sutler"))
        .args(words)
        .current_dir(folder)
        .env("NO_COLOR", "1")
        .env_remove("CI")
        .env("COLUMNS", "100")
        .output()
        .expect("it runs");
    let mut printed = String::from_utf8_lossy(&[out.stdout, out.stderr].concat()).into_owned();
    match out.status.code() {
        Some(0) => {}
        code => printed.push_str(&format!("[exit {}]\n", code.unwrap_or(-1))),
    }
    printed
}

/// A text without its hashes: every word of 12 or 32 hexadecimal digits.
pub(crate) fn without_hashes(text: &str) -> String {
    let words = text.split_inclusive(|c: char| !c.is_ascii_alphanumeric()).map(|word| {
        let digits = word.trim_end_matches(|c: char| !c.is_ascii_alphanumeric());
        let hash = matches!(digits.len(), 12 | 32)
            && digits.chars().all(|c| matches!(c, '0'..='9' | 'a'..='f'));
        if hash { word.replace(digits, "hash") } else { word.to_owned() }
    });
    words.collect()
}

pub(crate) fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    for entry in std::fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        let to = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &to)
        } else {
            std::fs::copy(entry.path(), to).map(|_| ()).expect("a copy")
        }
    }
}
