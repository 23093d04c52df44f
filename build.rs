//! Writes the grammar as a table of nodes: the mender of faulty lines walks it, where the parser that
//! is made of the same grammar can only say yes or no.

use std::collections::HashMap;
use std::error::Error;
use std::fmt::Write as _;
use std::path::Path;

use pest_meta::ast::{Expr, Rule, RuleType};
use pest_meta::parser;

const FILES: [&str; 3] = ["words", "expr", "items"];

fn main() -> Result<(), Box<dyn Error>> {
    let mut text = String::new();
    for file in FILES {
        let path = format!("grammar/{file}.pest");
        println!("cargo:rerun-if-changed={path}");
        text += &std::fs::read_to_string(path)?;
    }
    let pairs = parser::parse(parser::Rule::grammar_rules, &text)?;
    let rules = parser::consume_rules(pairs).map_err(|faults| format!("{faults:?}"))?;
    let mut table = Table {
        rules: rules.iter().map(|rule| (rule.name.as_str(), rule)).collect(),
        known: HashMap::new(),
        nodes: Vec::new(),
    };
    let start = table.rule("one_item")?;
    let mut out = format!("pub(super) const START: u16 = {start};\n");
    writeln!(out, "pub(super) static NODES: [Node; {}] = [", table.nodes.len())?;
    for node in &table.nodes {
        writeln!(out, "    {node},")?;
    }
    out += "];\n";
    let folder = std::env::var("OUT_DIR")?;
    Ok(std::fs::write(Path::new(&folder).join("grammar.rs"), out)?)
}

/// The nodes so far, each written as the text of a value.
struct Table<'r> {
    rules: HashMap<&'r str, &'r Rule>,
    known: HashMap<String, usize>,
    nodes: Vec<String>,
}

type Index = Result<usize, Box<dyn Error>>;

impl<'r> Table<'r> {
    /// The node of a rule; its place is kept before it is filled, for rules read each other.
    fn rule(&mut self, name: &str) -> Index {
        if let Some(at) = self.known.get(name) {
            return Ok(*at);
        }
        // Two tokens where all else that is atomic is one.
        if name == "hex_label" {
            let (hex, digits) =
                (self.leaf("Node::Word(\"hex\")".to_owned()), self.rule("hex_digits")?);
            return Ok(self.node(name, format!("Node::Seq(&[{hex}, {digits}])")));
        }
        let leaf = match name {
            "SOI" | "mistake_text" => Some("Node::Seq(&[])".to_owned()),
            "EOI" => Some("Node::Class(Class::End)".to_owned()),
            "nl" => Some("Node::Class(Class::Line)".to_owned()),
            _ => None,
        };
        if let Some(node) = leaf {
            return Ok(self.node(name, node));
        }
        let rule: &'r Rule =
            self.rules.get(name).ok_or_else(|| format!("there is no rule {name}"))?;
        if name.starts_with("k_") {
            let words = words(&rule.expr);
            let all: Vec<usize> =
                words.iter().map(|word| self.leaf(format!("Node::Word({word:?})"))).collect();
            return Ok(match all.as_slice() {
                [one] => *one,
                _ => self.node(name, format!("Node::Alt(&{all:?})")),
            });
        }
        if matches!(rule.ty, RuleType::Atomic | RuleType::CompoundAtomic) {
            return Ok(self.node(name, format!("Node::Class(Class::{})", camel(name))));
        }
        let at = self.node(name, String::new());
        let node = self.text(&rule.expr)?;
        if let Some(place) = self.nodes.get_mut(at) {
            *place = node;
        }
        Ok(at)
    }

    fn node(&mut self, name: &str, node: String) -> usize {
        self.nodes.push(node);
        self.known.insert(name.to_owned(), self.nodes.len() - 1);
        self.nodes.len() - 1
    }

    /// A node that is the same wherever it stands.
    fn leaf(&mut self, node: String) -> usize {
        match self.known.get(&node) {
            Some(at) => *at,
            None => self.node(&node.clone(), node),
        }
    }

    fn expr(&mut self, expr: &Expr) -> Index {
        if let Expr::Ident(name) = expr {
            return self.rule(name);
        }
        let node = self.text(expr)?;
        Ok(self.leaf(node))
    }

    /// The node of an expression; what only looks ahead takes nothing.
    fn text(&mut self, expr: &Expr) -> Result<String, Box<dyn Error>> {
        Ok(match expr {
            Expr::Str(sign) => format!("Node::Sign({sign:?})"),
            Expr::Ident(name) => format!("Node::Seq(&[{}])", self.rule(name)?),
            Expr::PosPred(_) | Expr::NegPred(_) => "Node::Seq(&[])".to_owned(),
            Expr::Seq(..) => format!("Node::Seq(&{:?})", self.flat(expr)?),
            Expr::Choice(..) => format!("Node::Alt(&{:?})", self.flat(expr)?),
            Expr::Opt(inner) => format!("Node::Maybe({})", self.expr(inner)?),
            Expr::Rep(inner) => format!("Node::Many({})", self.expr(inner)?),
            Expr::RepOnce(inner) => {
                let one = self.expr(inner)?;
                let more = self.leaf(format!("Node::Many({one})"));
                format!("Node::Seq(&[{one}, {more}])")
            }
            other => return Err(format!("no node for {other:?}").into()),
        })
    }

    /// The parts of a sequence or a choice, which are nested two by two.
    fn flat(&mut self, expr: &Expr) -> Result<Vec<usize>, Box<dyn Error>> {
        let (mut parts, mut rest) = (Vec::new(), vec![expr]);
        while let Some(part) = rest.pop() {
            match (expr, part) {
                (Expr::Seq(..), Expr::Seq(left, right))
                | (Expr::Choice(..), Expr::Choice(left, right)) => {
                    rest.extend([right.as_ref(), left.as_ref()]);
                }
                _ => parts.push(self.expr(part)?),
            }
        }
        Ok(parts)
    }
}

/// The words of a rule such as `k_a`, the shortest first.
fn words(expr: &Expr) -> Vec<String> {
    let mut found: Vec<String> = match expr {
        Expr::Str(word) => vec![word.clone()],
        Expr::Seq(left, right) | Expr::Choice(left, right) => {
            words(left).into_iter().chain(words(right)).collect()
        }
        _ => Vec::new(),
    };
    found.sort_by_key(String::len);
    found
}

/// `clause_ref` as the name of a variant.
fn camel(name: &str) -> String {
    let part = |part: &str| {
        let (first, rest) = part.split_at(1.min(part.len()));
        first.to_uppercase() + rest
    };
    name.split('_').map(part).collect()
}
