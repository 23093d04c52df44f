//! `sutler doc`: a rulebook as one page, for players.

use std::path::PathBuf;

use clap::ValueEnum;

use super::open::{open_pair, wrong_name};
use super::{End, ends_in, message, print_and, save};
use crate::aid;
use crate::compare::{self, Side};

#[derive(clap::Args)]
pub(super) struct Args {
    /// The ruleset: its folder, or the file of a variant
    ruleset: PathBuf,
    /// What to write; by the name of the file, if nothing is said, or else Markdown
    #[arg(long, value_enum)]
    format: Option<PageFormat>,
    /// Writes into this file, in place of standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// For players: keeps out hooks, and rules with a comment that begins with `hidden`
    #[arg(long)]
    players: bool,
    /// Only the section of this number or title, or the rule of this name
    #[arg(long, value_name = "NAME")]
    only: Option<String>,
}

/// What a page is written as.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum PageFormat {
    /// GitHub-flavoured Markdown
    Markdown,
    /// one file, made to be printed
    Html,
}

pub(super) fn run(args: &Args) -> End {
    let text = match report(args) {
        Ok(text) => text,
        Err(end) => return end,
    };
    let Some(path) = &args.out else { return print_and(&text, End::Clean) };
    match save(path, &text) {
        Ok(()) => {
            message(&format!("{} is written\n", path.display()));
            End::Clean
        }
        Err(end) => end,
    }
}

fn report(args: &Args) -> Result<String, End> {
    let format = format(args)?;
    // What the parent of a variant says is read beside it, to tell what is different.
    let parent = crate::project::Project::open(&args.ruleset)
        .rulesets
        .first()
        .and_then(|r| r.extends.clone());
    let (whole, parent) = open_pair(&args.ruleset, parent.as_deref(), true)?;
    let difference = parent.map(|(resolved, rules)| {
        let parent = Side { resolved: &resolved, sources: &whole.project.sources, rules: &rules };
        compare::diff(parent, whole.side())
    });
    let readers = if args.players { aid::Readers::Players } else { aid::Readers::All };
    let page = aid::doc_for(whole.side(), difference.as_ref(), readers);
    let page = match &args.only {
        Some(name) => only(page, name)?,
        None => page,
    };
    Ok(match format {
        PageFormat::Markdown => aid::markdown(&page),
        PageFormat::Html => aid::html(&page),
    })
}

fn only(page: aid::Page, name: &str) -> Result<aid::Page, End> {
    let known: Vec<String> = page.names().into_iter().map(str::to_owned).collect();
    if !known.iter().any(|k| k == name) {
        wrong_name("section or rule", name, &known.iter().map(String::as_str).collect::<Vec<_>>());
        return Err(End::Trouble);
    }
    Ok(page.only(name))
}

/// How the page is written, and whether the name of the file agrees.
fn format(args: &Args) -> Result<PageFormat, End> {
    const HTML: [&str; 2] = ["html", "htm"];
    const MARKDOWN: [&str; 2] = ["md", "markdown"];
    let Some(path) = &args.out else { return Ok(args.format.unwrap_or(PageFormat::Markdown)) };
    let known: Vec<&str> = match args.format {
        Some(PageFormat::Html) => HTML.to_vec(),
        Some(PageFormat::Markdown) => MARKDOWN.to_vec(),
        None => MARKDOWN.into_iter().chain(HTML).collect(),
    };
    ends_in(path, &known)?;
    let html = path.extension().is_some_and(|of| HTML.iter().any(|e| of.eq_ignore_ascii_case(e)));
    Ok(args.format.unwrap_or(if html { PageFormat::Html } else { PageFormat::Markdown }))
}
