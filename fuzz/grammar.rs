//! The grammar of the language as a generator: the same files that the parser is made of, read when
//! the program runs.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::OnceLock;

use pest_meta::ast::{Expr, Rule, RuleType};
use pest_meta::parser;
use pest_vm::Vm;

use super::choices::Choices;

const TEXT: &str = concat!(
    include_str!("../grammar/words.pest"),
    include_str!("../grammar/expr.pest"),
    include_str!("../grammar/items.pest")
);
/// Deeper than this only the shortest way is taken.
const DEEPEST: usize = 14;
/// Longer texts end soon.
const LONGEST: usize = 2_000;
const NEVER: usize = 1_000;

/// A part of an item that a rule of the grammar reads.
#[derive(Debug, Clone)]
pub struct Node {
    pub rule: String,
    pub range: Range<usize>,
}

pub struct Grammar {
    rules: BTreeMap<String, Rule>,
    /// How deep the shortest text of each rule is.
    least: BTreeMap<String, usize>,
    vm: Vm,
}

/// What stands for the rules that name things.
pub trait Words {
    /// A text for such a rule; none for a rule of the grammar like all others.
    fn word(&self, rule: &str, choices: &mut Choices<'_>) -> Option<String>;
}

impl Grammar {
    pub fn get() -> &'static Grammar {
        static GRAMMAR: OnceLock<Grammar> = OnceLock::new();
        GRAMMAR.get_or_init(Grammar::read)
    }

    fn read() -> Grammar {
        let pairs = parser::parse(parser::Rule::grammar_rules, TEXT).expect("the grammar is read");
        let all = parser::consume_rules(pairs).expect("the grammar is sound");
        let vm = Vm::new(pest_meta::optimizer::optimize(all.clone()));
        let rules: BTreeMap<String, Rule> =
            all.into_iter().map(|rule| (rule.name.clone(), rule)).collect();
        let mut grammar = Grammar { rules, least: BTreeMap::new(), vm };
        // Each round finds the rules whose parts were found in the rounds before it.
        for _ in 0..grammar.rules.len() {
            let found = grammar
                .rules
                .values()
                .map(|r| (r.name.clone(), (1 + grammar.least_of(&r.expr)).min(NEVER)))
                .collect();
            if found == grammar.least {
                break;
            }
            grammar.least = found;
        }
        grammar
    }

    fn least_of(&self, expr: &Expr) -> usize {
        match expr {
            Expr::Ident(name) if self.rules.contains_key(name) => {
                self.least.get(name).copied().unwrap_or(NEVER)
            }
            Expr::Seq(a, b) => self.least_of(a).max(self.least_of(b)),
            Expr::Choice(a, b) => self.least_of(a).min(self.least_of(b)),
            Expr::RepOnce(e) | Expr::Push(e) => self.least_of(e),
            _ => 0,
        }
    }

    /// The parts of a text that a rule reads, from the outside in; none where it does not read it
    /// whole.
    pub fn nodes(&self, rule: &str, text: &str) -> Vec<Node> {
        let Ok(pairs) = self.vm.parse(rule, text) else { return Vec::new() };
        let spans = pairs.flatten().map(|pair| (pair.as_rule(), pair.as_span()));
        let wanted =
            spans.filter(|(rule, span)| !rule.starts_with("k_") && span.start() < span.end());
        wanted
            .filter(|(rule, _)| {
                !matches!(*rule, "open" | "close" | "nl" | "one_item" | "comma" | "bar" | "equals")
            })
            .map(|(rule, span)| Node {
                rule: rule.to_owned(),
                range: trimmed(text, span.start()..span.end()),
            })
            .collect()
    }

    /// A text of a rule.
    pub fn text(&self, rule: &str, words: &impl Words, choices: &mut Choices<'_>) -> String {
        let mut out = String::new();
        self.write(
            &Expr::Ident(rule.to_owned()),
            DEEPEST,
            &mut Writer { words, choices, blank: true, out: &mut out },
        );
        out.trim().to_owned()
    }

    fn write<W: Words>(&self, expr: &Expr, depth: usize, to: &mut Writer<'_, '_, '_, W>) {
        let depth = if to.choices.is_over() || to.out.len() > LONGEST { 0 } else { depth };
        match expr {
            Expr::Str(text) | Expr::Insens(text) => to.push(text),
            Expr::Range(from, _) => to.push(from),
            Expr::Ident(name) => self.write_rule(name, depth, to),
            Expr::Seq(a, b) => {
                self.write(a, depth, to);
                self.write(b, depth, to);
            }
            Expr::Choice(..) => {
                let mut all = Vec::new();
                alternatives(expr, &mut all);
                let least = all.iter().map(|e| self.least_of(e)).min().unwrap_or(0);
                all.retain(|e| depth > self.least_of(e) || self.least_of(e) == least);
                let one = if depth == 0 { all[0] } else { all[to.choices.below(all.len())] };
                self.write(one, depth, to);
            }
            Expr::Opt(e) => (0..times(depth, 2, to.choices)).for_each(|_| self.write(e, depth, to)),
            Expr::Rep(e) => (0..times(depth, 3, to.choices)).for_each(|_| self.write(e, depth, to)),
            Expr::RepOnce(e) => {
                (0..=times(depth, 3, to.choices)).for_each(|_| self.write(e, depth, to))
            }
            Expr::Push(e) => self.write(e, depth, to),
            _ => {}
        }
    }

    fn write_rule<W: Words>(&self, name: &str, depth: usize, to: &mut Writer<'_, '_, '_, W>) {
        if let Some(word) = to.words.word(name, to.choices) {
            return to.push(&word);
        }
        match (name, self.rules.get(name)) {
            // A line that goes on need not break, and a line end is needed once.
            ("nl", _) => to.end_line(),
            (_, Some(rule)) => {
                let atomic = matches!(rule.ty, RuleType::Atomic | RuleType::CompoundAtomic);
                let before = to.blank;
                to.blank = before && !atomic;
                self.write(&rule.expr, depth.saturating_sub(1), to);
                to.blank = before;
                to.space();
            }
            ("ASCII_DIGIT", None) => to.push("1"),
            ("ASCII_ALPHA" | "ASCII_ALPHANUMERIC" | "ANY", None) => to.push("x"),
            _ => {}
        }
    }
}

fn times(depth: usize, n: usize, choices: &mut Choices<'_>) -> usize {
    if depth == 0 { 0 } else { choices.below(n) }
}

fn alternatives<'e>(expr: &'e Expr, all: &mut Vec<&'e Expr>) {
    match expr {
        Expr::Choice(a, b) => {
            alternatives(a, all);
            alternatives(b, all);
        }
        one => all.push(one),
    }
}

fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let part = &text[range.clone()];
    range.start..range.start + part.trim_end().len()
}

struct Writer<'o, 'c, 'b, W> {
    words: &'c W,
    choices: &'c mut Choices<'b>,
    /// Whether blanks may stand between the parts.
    blank: bool,
    out: &'o mut String,
}

impl<W> Writer<'_, '_, '_, W> {
    fn push(&mut self, text: &str) {
        self.out.push_str(text);
        self.space();
    }

    fn space(&mut self) {
        if self.blank && !self.out.ends_with([' ', '\n']) {
            self.out.push(' ');
        }
    }

    fn end_line(&mut self) {
        if !self.out.trim_end_matches(' ').ends_with('\n') {
            self.out.push_str("\n  ");
        }
    }
}
