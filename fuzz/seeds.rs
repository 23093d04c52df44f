//! Where generated rulesets begin: the examples of the documents and of the codes, cut into the
//! parts of the grammar.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use sutler::diag::code;

use super::choices::Choices;
use super::grammar::{Grammar, Words};

const PAGES: [&str; 2] = [include_str!("../docs/language.md"), include_str!("../docs/patterns.md")];

/// Parts by the rule that reads them.
type Pool = BTreeMap<String, Vec<String>>;

/// A game and what is said about it.
#[derive(Default)]
pub struct Family {
    /// The items that all of its rulesets begin with.
    pub base: Vec<String>,
    /// Items that stand after the base, a block each.
    pub blocks: Vec<Vec<String>>,
    /// Items of variants, a file each.
    pub variants: Vec<Vec<String>>,
    pool: Pool,
}

/// All families, and the parts of all of them.
pub struct Seeds {
    pub families: Vec<Family>,
    pool: Pool,
}

impl Seeds {
    pub fn get() -> &'static Seeds {
        static SEEDS: OnceLock<Seeds> = OnceLock::new();
        SEEDS.get_or_init(Seeds::read)
    }

    fn read() -> Seeds {
        let mut language = Family::default();
        let mut codes = Family { base: items(code::PRELUDE), ..Family::default() };
        let mut alone = Vec::new();
        for (marks, text) in PAGES.iter().flat_map(|page| fences(page)) {
            if marks == "sutler prelude" {
                language.base = items(&text);
            } else if marks.starts_with("sutler") {
                sort(&text, &mut language, &mut alone);
            }
        }
        let examples = code::all().iter().flat_map(code::examples);
        examples
            .filter(|e| e.language == "sutler")
            .for_each(|e| sort(e.text, &mut codes, &mut alone));
        let mut families = vec![language, codes];
        families.extend(alone.into_iter().map(|base| Family { base, ..Family::default() }));
        families.iter_mut().for_each(Family::fill);
        let mut pool = Pool::new();
        for (rule, parts) in families.iter().flat_map(|f| &f.pool) {
            pool.entry(rule.clone()).or_default().extend(parts.iter().cloned());
        }
        Seeds { families, pool }
    }

    /// A part that a rule reads: mostly one of the family.
    pub fn part(&self, family: &Family, rule: &str, choices: &mut Choices<'_>) -> Option<String> {
        let own = family.pool.get(rule).filter(|_| !choices.once_in(8));
        let parts = own.or_else(|| self.pool.get(rule))?;
        Some(choices.pick(parts).clone())
    }
}

fn sort(text: &str, family: &mut Family, alone: &mut Vec<Vec<String>>) {
    let head = text.lines().find(|line| line.starts_with("ruleset "));
    match (text.starts_with("edition"), head.is_some_and(|h| h.contains(" extends "))) {
        (true, true) => family.variants.push(items(text)),
        (true, false) => alone.push(items(text)),
        (false, _) => family.blocks.push(items(text)),
    }
}

impl Family {
    fn fill(&mut self) {
        let all = self
            .base
            .iter()
            .chain(self.blocks.iter().flatten())
            .chain(self.variants.iter().flatten());
        let mut pool: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for item in all {
            for node in Grammar::get().nodes("one_item", item) {
                pool.entry(node.rule).or_default().insert(item[node.range].to_owned());
            }
        }
        self.pool =
            pool.into_iter().map(|(rule, parts)| (rule, parts.into_iter().collect())).collect();
    }
}

/// Numbers at the ends of what a machine keeps, and beyond.
pub const NUMBERS: [&str; 14] = [
    "3",
    "64",
    "65",
    "128",
    "1000",
    "65536",
    "2147483647",
    "4294967296",
    "1000000000",
    "1000000001",
    "9223372036854775807",
    "99999999999999999999",
    "1/0",
    "1/1000000000",
];

impl Words for Family {
    fn word(&self, rule: &str, choices: &mut Choices<'_>) -> Option<String> {
        match rule {
            "numeral" if choices.once_in(8) => Some((*choices.pick(&NUMBERS)).to_owned()),
            "numeral" => Some(choices.below(10).to_string()),
            "dice" => Some(format!("{}d{}", choices.below(4), choices.below(12))),
            "name" | "clause_ref" | "string" | "hex_digits" | "hex_label" | "diag_code"
            | "mistake_text" => {
                let known = self.pool.get(rule).or_else(|| Seeds::get().pool.get(rule))?;
                Some(choices.pick(known).clone())
            }
            _ => None,
        }
    }
}

/// The fenced blocks of a page: what they are marked with, and their text.
fn fences(page: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut open: Option<(String, String)> = None;
    for line in page.lines() {
        match (line.strip_prefix("```"), open.take()) {
            (Some(marks), None) => open = Some((marks.to_owned(), String::new())),
            (Some(_), Some(block)) => found.push(block),
            (None, Some((marks, text))) => open = Some((marks, text + line + "\n")),
            (None, None) => {}
        }
    }
    found
}

/// The items of a text: each begins in the first column, and no line that goes on with another one
/// does.
fn items(text: &str) -> Vec<String> {
    let mut items: Vec<String> = Vec::new();
    for line in text.split_inclusive('\n') {
        let begins = line.starts_with(|c: char| c.is_ascii_alphabetic());
        match items.last_mut() {
            Some(last) if !begins => last.push_str(line),
            _ if line.trim().is_empty() => {}
            _ => items.push(line.to_owned()),
        }
    }
    items
}
