//! A text for a question: the same for two expressions that ask the same.

use super::prover::Prover;
use crate::ir::*;

impl Prover<'_> {
    /// A text that is the same for two nodes that mean the same.
    pub(super) fn key_of(&self, id: ExprId) -> String {
        let node = self.out.node(id);
        let mut key = String::new();
        match node {
            Node::Fact(fact, of) => {
                key.push_str(&format!("fact {} of {}", fact.0, self.key_of(*of)))
            }
            Node::Define(define, of) => {
                key.push_str(&format!("define {} of {:?}", define.0, of.map(|o| self.key_of(o))))
            }
            Node::Table(table, result, of) => key.push_str(&format!(
                "table {} {result} of {:?}",
                table.0,
                of.map(|o| self.key_of(o))
            )),
            Node::Pair(pair, a, b) => key.push_str(&format!(
                "pair {pair:?} of {} and {}",
                self.key_of(*a),
                self.key_of(*b)
            )),
            Node::Hook(hook, of) => {
                key.push_str(&format!("hook {} of {:?}", hook.0, of.map(|o| self.key_of(o))))
            }
            Node::Verdict(trace, of, asked) => {
                key.push_str(&format!("verdict {} {asked:?} of {}", trace.0, self.key_of(*of)))
            }
            Node::Same(a, b) => {
                key.push_str(&format!("{} is {}", self.key_of(*a), self.key_of(*b)))
            }
            Node::Compare(a, op, b) => {
                key.push_str(&format!("{} {op:?} {}", self.key_of(*a), self.key_of(*b)))
            }
            Node::Stands(of, stance) => key.push_str(&format!("{stance:?} {}", self.key_of(*of))),
            Node::IsKind(of, kind) => {
                key.push_str(&format!("kind {} {}", kind.0, self.key_of(*of)))
            }
            Node::Any(things) => key.push_str(&format!("any {}", self.key_of_things(*things))),
            Node::Only(things) => key.push_str(&format!("only {}", self.key_of_things(*things))),
            Node::Count(things) => key.push_str(&format!("count {}", self.key_of_things(*things))),
            Node::Aggregate(word, value, things) => {
                key.push_str(&format!(
                    "{word:?} {} {}",
                    self.key_of(*value),
                    self.key_of_things(*things)
                ));
            }
            Node::Arithmetic(a, sign, b) => {
                key.push_str(&format!("({} {sign:?} {})", self.key_of(*a), self.key_of(*b)))
            }
            Node::And(parts) => key.push_str(&format!("all of {:?}", self.keys_of(parts))),
            Node::Or(parts) => key.push_str(&format!("one of {:?}", self.keys_of(parts))),
            Node::Not(inner) => key.push_str(&format!("not {}", self.key_of(*inner))),
            Node::Evidence(trace, field, of, asked) => {
                key.push_str(&format!(
                    "evidence {} {field:?} {asked:?} of {}",
                    trace.0,
                    self.key_of(*of)
                ));
            }
            Node::WouldBe { trace, subject, space, yes } => {
                key.push_str(&format!(
                    "would be {} {yes} of {} in {}",
                    trace.0,
                    self.key_of(*subject),
                    self.key_of(*space)
                ));
            }
            Node::Sides { left, right, how } => key.push_str(&format!(
                "sides {how:?} {} {}",
                self.key_of(*left),
                self.key_of(*right)
            )),
            Node::SpaceCalled(label) => {
                key.push_str(&format!("space called {:?}", self.out.labels.get(label.index())))
            }
            Node::Outcome(test, of) => {
                key.push_str(&format!("outcome {} of {}", test.0, self.key_of(*of)))
            }
            Node::Listed(list, of, rows) => {
                key.push_str(&format!("listed {} {rows:?} of {}", list.0, self.key_of(*of)))
            }
            Node::Stopped(list, of) => {
                key.push_str(&format!("stopped {} of {}", list.0, self.key_of(*of)))
            }
            Node::Chance(test, outcome, of) => {
                key.push_str(&format!("chance {} {outcome} of {}", test.0, self.key_of(*of)))
            }
            Node::Removed(of) => key.push_str(&format!("removed {}", self.key_of(*of))),
            Node::Rank(of) => key.push_str(&format!("rank of {}", self.key_of(*of))),
            Node::Chosen(choice, of) => {
                key.push_str(&format!("chosen {} of {}", choice.0, self.key_of(*of)))
            }
            Node::Rounded(by, of) => key.push_str(&format!("rounded {by:?} {}", self.key_of(*of))),
            Node::Extreme { greater, left, right } => {
                key.push_str(&format!(
                    "extreme {greater} of {} and {}",
                    self.key_of(*left),
                    self.key_of(*right)
                ));
            }
            // What is left holds no expression, and says all of itself.
            Node::Nothing
            | Node::Truth(_)
            | Node::Number { .. }
            | Node::Word(..)
            | Node::NoThing
            | Node::Unit(_)
            | Node::Space(_)
            | Node::Link(_)
            | Node::World
            | Node::Side(_)
            | Node::Viewer
            | Node::Subject(_)
            | Node::WorldFact(_)
            | Node::Ruling(_)
            | Node::Total
            | Node::Natural
            | Node::OverStep(_)
            | Node::StepEnd(_)
            | Node::LinkEnd(..) => key.push_str(&format!("{node:?}")),
        }
        key
    }

    fn keys_of(&self, parts: &[ExprId]) -> Vec<String> {
        parts.iter().map(|p| self.key_of(*p)).collect()
    }

    fn key_of_things(&self, id: ThingsId) -> String {
        self.out.things.get(id.index()).map_or_else(String::new, |t| {
            let place = match &t.place {
                Place::Anywhere => String::new(),
                Place::In(s) => format!("in {}", self.key_of(*s)),
                Place::Adjacent(s, link) => format!("next to {} over {link:?}", self.key_of(*s)),
                Place::AdjacentNotOver(s, link) => {
                    format!("next to {} not over {link:?}", self.key_of(*s))
                }
                Place::Within(n, s, link) => {
                    format!("within {n} of {} over {link:?}", self.key_of(*s))
                }
            };
            format!("{:?} {place} {:?}", t.kind, t.condition.map(|c| self.key_of(c)))
        })
    }
}
