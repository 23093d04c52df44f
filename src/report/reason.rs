//! Why a condition is what it is, in words: each part with its value.

use serde::Serialize;

use super::{gate_word, thing_name, value_text};
use crate::ir::*;
use crate::kernel::{Cx, EvalFault, Position, Reason, RestsOn};
use crate::world::ThingRef;

/// One part of a condition, as it is in the position.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Because {
    /// In words: `season is winter`.
    pub says: String,
    /// The named values that it stands in, the outermost first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub through: Vec<String>,
    /// The answer of another trace that it rests on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rests_on: Option<Box<Rests>>,
}

/// The answer of another trace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Rests {
    /// The trace.
    pub trace: String,
    /// What it was asked of.
    pub of: String,
    /// The answer.
    pub state: String,
    /// What decided; none where a phase has kept the answer.
    pub gate: Option<&'static str>,
    /// The space that stopped it.
    pub stop: Option<String>,
    /// The source of its line.
    pub source: Option<String>,
    /// How long its line is.
    pub length: Option<u32>,
    /// The spaces of its line.
    pub route: Vec<String>,
    /// Why, where a condition decided.
    pub because: Vec<Because>,
}

/// Reasons in words; what is said of `home` goes without its name.
pub(super) fn because(
    position: &Position<'_>,
    reasons: &[Reason],
    home: Option<ThingRef>,
) -> Result<Vec<Because>, EvalFault> {
    let of = |reason: &Reason| {
        let rests_on = reason.rests_on.as_ref().map(|r| rests(position, r)).transpose()?;
        let words = Words { position, cx: &reason.cx, home };
        let mut says = words.leaf(reason).unwrap_or_else(|_| words.plain(reason.id));
        if let Some(rests) = &rests_on {
            says = format!("{} is {}{}", rests.of, rests.state, rests.why());
        }
        let name = |d: &DefineId| {
            position.rules.defines.get(d.index()).map_or_else(String::new, |d| d.name.clone())
        };
        Ok(Because {
            says,
            through: reason.through.iter().map(name).collect(),
            rests_on: rests_on.map(Box::new),
        })
    };
    reasons.iter().map(of).collect()
}

/// Why a condition is what it is, as one clause of a sentence; what is said of the thing that is
/// asked goes without its name.
pub fn why_text(position: &Position<'_>, id: ExprId, cx: &Cx) -> Result<String, EvalFault> {
    let reasons = position.reasons(id, cx)?;
    Ok(because_text(&because(position, &reasons, Some(cx.about(0)))?))
}

/// Reasons as one clause of a sentence.
pub(super) fn because_text(because: &[Because]) -> String {
    because.iter().map(|b| b.says.as_str()).collect::<Vec<_>>().join(" and ")
}

fn rests(position: &Position<'_>, r: &RestsOn) -> Result<Rests, EvalFault> {
    let rules = position.rules;
    let rule = &rules.traces[r.trace.index()];
    let name = |s: u32| thing_name(rules, position.world, ThingRef::Space(s));
    let words = rules.word_sets.get(rule.answers.index()).map_or(&[][..], |s| &s.words);
    let kept = || position.world.kept(r.trace, r.thing).unwrap_or(false);
    let yes = r.answer.as_ref().map_or_else(kept, |a| a.yes);
    let answer = r.answer.as_ref();
    let home = answer.and_then(|a| a.stop).map_or(r.thing, ThingRef::Space);
    Ok(Rests {
        trace: rule.name.clone(),
        of: thing_name(rules, position.world, r.thing),
        state: words.get(usize::from(!yes)).cloned().unwrap_or_default(),
        gate: answer.map(|a| gate_word(a.gate)),
        stop: answer.and_then(|a| a.stop).map(name),
        source: answer
            .and_then(|a| a.source)
            .and_then(|s| rule.sources.get(usize::from(s)))
            .map(|s| s.name.clone()),
        length: answer.and_then(|a| a.length),
        route: r.route.iter().map(|s| name(*s)).collect(),
        because: because(position, &r.because, Some(home))?,
    })
}

impl Rests {
    /// What follows the answer: its line, or what stopped it.
    fn why(&self) -> String {
        let deeper = if self.because.is_empty() {
            String::new()
        } else {
            format!(": {}", because_text(&self.because))
        };
        match (self.gate, &self.stop, self.length) {
            (None, ..) => ", kept from an earlier judgment".to_owned(),
            (Some("open"), _, Some(length)) => {
                let way: Vec<&str> = self.route.iter().map(String::as_str).collect();
                format!(
                    " ({length} to {}: {})",
                    self.source.as_deref().unwrap_or(""),
                    way.join(" > ")
                )
            }
            (Some("open"), ..) if deeper.is_empty() => String::new(),
            (Some("open"), ..) => format!(" (no line needed{deeper})"),
            (Some(gate), Some(stop), _) => format!(" (stopped by `{gate}` at {stop}{deeper})"),
            (Some(gate), None, _) => format!(" (stopped by `{gate}`{deeper})"),
        }
    }
}

/// Says parts of conditions in the question they were asked in.
struct Words<'w, 'p> {
    position: &'w Position<'p>,
    cx: &'w Cx,
    home: Option<ThingRef>,
}

/// Why a fact or a value is nothing: what it is asked of is not there, or has none such.
pub fn lacking_text(
    position: &Position<'_>,
    id: ExprId,
    cx: &Cx,
) -> Result<Option<String>, EvalFault> {
    Words { position, cx, home: None }.lacking(id)
}

impl Words<'_, '_> {
    /// A part as it is: a true sentence, whether the part holds or not.
    fn leaf(&self, reason: &Reason) -> Result<String, EvalFault> {
        let asked = match self.position.rules.node(reason.id) {
            Node::Same(left, _) | Node::Compare(left, ..) => *left,
            _ => reason.id,
        };
        let said = self.sentence(reason)?;
        Ok(match self.lacking(asked)? {
            Some(why) => format!("{said}, for {why}"),
            None => said,
        })
    }

    fn lacking(&self, id: ExprId) -> Result<Option<String>, EvalFault> {
        let rules = self.position.rules;
        let Some((of, kind)) = rules.said_of(id) else { return Ok(None) };
        Ok(match self.thing(of)? {
            None => Some(format!("{} is none", self.noun(of)?)),
            Some(thing) if thing != ThingRef::World && !self.position.is_kind(thing, kind) => {
                let kind = rules.kinds.get(kind.index()).map_or("", |k| k.name.as_str());
                Some(format!("{} is not {kind}", self.name(thing)))
            }
            Some(_) => None,
        })
    }

    fn sentence(&self, reason: &Reason) -> Result<String, EvalFault> {
        let not = if reason.holds { "" } else { "not " };
        Ok(match self.position.rules.node(reason.id) {
            Node::Same(left, right) => {
                let (is, wanted) = (self.value(*left)?, self.value(*right)?);
                let tail = if reason.holds { String::new() } else { format!(", not {wanted}") };
                format!("{} is {is}{tail}", self.noun(*left)?)
            }
            Node::Compare(left, op, right) => {
                let (is, wanted) = (self.value(*left)?, self.value(*right)?);
                format!("{} is {is}, {not}{} {wanted}", self.noun(*left)?, comparison(*op))
            }
            Node::Any(things) | Node::Only(things) => {
                let found = self.position.all(*things, self.cx)?;
                let names: Vec<String> = found.iter().map(|t| self.name(*t)).collect();
                let said = self.plain(reason.id);
                match (reason.holds, names.is_empty()) {
                    (true, false) => {
                        format!("{}: {}", said.trim_start_matches("any "), names.join(", "))
                    }
                    (true, true) => said,
                    (false, _) => match said.strip_prefix("any ") {
                        Some(things) => format!("no {things}"),
                        None => format!("not {said}"),
                    },
                }
            }
            Node::Stands(of, stance) => {
                let stance = format!("{stance:?}").to_lowercase();
                match self.thing(*of)? {
                    Some(thing) if Some(thing) != self.home => {
                        format!("{} is {not}{stance}", self.name(thing))
                    }
                    _ => format!("{not}{stance}"),
                }
            }
            Node::IsKind(of, kind) => {
                let kind =
                    self.position.rules.kinds.get(kind.index()).map_or("", |k| k.name.as_str());
                format!(
                    "{} is {not}{kind}",
                    self.thing(*of)?.map_or_else(|| "none".to_owned(), |t| self.name(t))
                )
            }
            Node::OverStep(kind) => self.over_step(*kind, reason.holds),
            _ => format!("{not}{}", self.noun(reason.id)?),
        })
    }

    /// Whether a link leads along the step that is asked.
    fn over_step(&self, kind: KindId, leads: bool) -> String {
        let kind = self.position.rules.kinds.get(kind.index()).map_or("", |k| k.name.as_str());
        let no = if leads { "" } else { "no " };
        match self.cx.step() {
            Some(step) => {
                let [from, into] = [step.from, step.into].map(|s| self.name(ThingRef::Space(s)));
                format!("{no}{kind} from {from} to {into}")
            }
            None => format!("{no}{kind}"),
        }
    }

    /// A fact, a named value or a table, and of what if that is not clear.
    fn noun(&self, id: ExprId) -> Result<String, EvalFault> {
        let rules = self.position.rules;
        let (name, of) = match rules.node(id) {
            Node::Fact(fact, of) => {
                (rules.facts.get(fact.index()).map_or("", |f| f.name.as_str()), Some(*of))
            }
            Node::WorldFact(fact) => {
                (rules.facts.get(fact.index()).map_or("", |f| f.name.as_str()), None)
            }
            Node::Define(define, of) => {
                (rules.defines.get(define.index()).map_or("", |d| d.name.as_str()), *of)
            }
            Node::Table(table, _, of) => {
                (rules.tables.get(table.index()).map_or("", |t| t.name.as_str()), *of)
            }
            Node::Hook(hook, of) => {
                (rules.hooks.get(hook.index()).map_or("", |h| h.name.as_str()), *of)
            }
            Node::Verdict(trace, of, _) => {
                (rules.traces.get(trace.index()).map_or("", |t| t.name.as_str()), Some(*of))
            }
            _ => return Ok(self.plain(id)),
        };
        let of = match of {
            Some(of) => self.thing(of)?.filter(|t| Some(*t) != self.home),
            None => None,
        };
        Ok(of.map_or_else(|| name.to_owned(), |thing| format!("{name} of {}", self.name(thing))))
    }

    fn value(&self, id: ExprId) -> Result<String, EvalFault> {
        Ok(value_text(self.position, id, self.position.value(id, self.cx)?))
    }

    fn thing(&self, id: ExprId) -> Result<Option<ThingRef>, EvalFault> {
        Ok(self.position.value(id, self.cx)?.thing())
    }

    fn name(&self, thing: ThingRef) -> String {
        thing_name(self.position.rules, self.position.world, thing)
    }

    /// An expression as the listing of the rules prints it, with names for its subjects.
    fn plain(&self, id: ExprId) -> String {
        let mut said = print_expr(self.position.rules, id);
        for level in [0u8, 1] {
            let thing = self.cx.about(level);
            // A level without a subject is that of the candidates.
            let (of, name) = match thing {
                ThingRef::World => (String::new(), "it".to_owned()),
                thing if Some(thing) == self.home => (String::new(), "here".to_owned()),
                thing => (format!(" of {}", self.name(thing)), self.name(thing)),
            };
            said = said.replace(&format!("(${level})"), &of).replace(&format!("${level}"), &name);
        }
        said = said.replace(" in here", " here").replace(" next to here", " next to it");
        for level in 2..8 {
            said = said.replace(&format!("(${level})"), "").replace(&format!("${level}"), "it");
        }
        said
    }
}

fn comparison(op: Comparison) -> &'static str {
    match op {
        Comparison::Equal => "exactly",
        Comparison::AtLeast => "at least",
        Comparison::AtMost => "at most",
        Comparison::More => "more than",
        Comparison::Less => "less than",
    }
}
