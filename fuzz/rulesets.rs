//! Rulesets that are well formed, or nearly: examples with parts changed for other parts that the
//! same rule reads.

use super::choices::Choices;
use super::grammar::{Grammar, Node};
use super::seeds::{Family, Seeds};

/// The texts of a ruleset.
pub struct Texts {
    pub base: String,
    /// A variant of it.
    pub variant: Option<String>,
}

/// How many parts are changed: mostly one, so that one thing is wrong, or none.
const CHANGES: [usize; 8] = [0, 1, 1, 1, 1, 2, 3, 6];

/// Any ruleset: a game, some blocks about it, at times a variant, and some changes anywhere.
pub fn any(choices: &mut Choices<'_>) -> Texts {
    let seeds = Seeds::get();
    let family = family(seeds, choices);
    let mut base = family.base.clone();
    let mut variant = None;
    for _ in 0..choices.below(3) {
        if let Some(block) = some(&family.blocks, choices) {
            base.extend(block.iter().cloned());
        }
    }
    if choices.once_in(6) {
        variant = some(&family.variants, choices).cloned();
    }
    for _ in 0..*choices.pick(&CHANGES) {
        // What stands last is what the ruleset is about, and is changed most.
        let items = variant.as_mut().filter(|_| !choices.once_in(4)).unwrap_or(&mut base);
        let from = if choices.once_in(3) { 0 } else { items.len() * 2 / 3 };
        let at = from + choices.below(items.len() - from);
        if choices.once_in(8) {
            let made = Grammar::get().text("item", family, choices);
            items.push(made);
        } else {
            change(&mut items[at], family, choices);
        }
    }
    Texts { base: joined(&base), variant: variant.map(|v| joined(&v)) }
}

/// A ruleset in which all is sound but its cases and setups.
pub fn with_cases(choices: &mut Choices<'_>) -> Texts {
    let seeds = Seeds::get();
    let family = family(seeds, choices);
    let mut base = family.base.clone();
    if let Some(block) = some(&family.blocks, choices) {
        base.extend(block.iter().cloned());
    }
    for _ in 0..1 + choices.below(2) {
        let rule = *choices.pick(&["case", "case", "case", "setup", "mistake"]);
        let Some(mut item) = seeds.part(family, rule, choices) else { continue };
        for _ in 0..*choices.pick(&CHANGES) {
            change(&mut item, family, choices);
        }
        base.push(item + "\n");
    }
    Texts { base: joined(&base), variant: None }
}

fn family<'s>(seeds: &'s Seeds, choices: &mut Choices<'_>) -> &'s Family {
    // The first two have all examples that say only what is new.
    let at =
        if choices.once_in(3) { choices.below(seeds.families.len()) } else { choices.below(2) };
    &seeds.families[at]
}

fn some<'a, T>(from: &'a [T], choices: &mut Choices<'_>) -> Option<&'a T> {
    if from.is_empty() { None } else { Some(choices.pick(from)) }
}

fn joined(items: &[String]) -> String {
    items.iter().map(|item| item.trim_end().to_owned() + "\n").collect()
}

/// Changes one part of an item; one that the grammar no longer reads stays as it is.
fn change(item: &mut String, family: &Family, choices: &mut Choices<'_>) {
    let nodes = Grammar::get().nodes("one_item", item);
    if nodes.is_empty() {
        return;
    }
    let Node { rule, range } = choices.pick(&nodes).clone();
    let old = &item[range.clone()];
    let new = match choices.below(16) {
        0 => String::new(),
        1 if rule.ends_with("line") || rule.ends_with("row") || rule == "step" => {
            format!("{old}\n  {old}")
        }
        1 => format!("{old} {old}"),
        2..=4 => Grammar::get().text(&rule, family, choices),
        _ => Seeds::get().part(family, &rule, choices).unwrap_or_default(),
    };
    item.replace_range(range, &new);
}
