//! An IR as a readable listing: the test of the checker's work, and what `sutler ir` shows.

use crate::diag::counted;
use std::fmt::Write;

use super::*;

/// The whole ruleset as text, one item a paragraph.
#[must_use]
pub fn print(rules: &Ruleset) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = write_all(rules, &mut out);
    out
}

fn write_all(rules: &Ruleset, out: &mut String) -> std::fmt::Result {
    writeln!(out, "ruleset {} \"{}\" hash {}", rules.name, rules.title, rules.hash)?;
    for (id, kind) in rules.kinds.iter().enumerate() {
        let parent = kind.parent.map_or(String::new(), |p| {
            format!(" is {}", rules.kinds.get(p.index()).map_or("", |k| &k.name))
        });
        let one_way = if kind.one_way { " one way" } else { "" };
        let every_two = every_two(rules, kind);
        writeln!(out, "kind {id} {}{parent}{one_way}{every_two}", kind.name)?;
    }
    for (id, fact) in rules.facts.iter().enumerate() {
        let kind = rules.kinds.get(fact.kind.index()).map_or("", |k| &k.name);
        writeln!(
            out,
            "fact {id} {} of {kind}: {:?}, slot {}, default {}",
            fact.name, fact.ty, fact.slot, fact.default
        )?;
    }
    for (id, ruling) in rules.rulings.iter().enumerate() {
        let words = rules
            .word_sets
            .get(ruling.readings.index())
            .map_or(String::new(), |s| s.words.join(", "));
        writeln!(out, "ruling {id} {}: {words}; default {}", ruling.name, ruling.default)?;
    }
    for define in &rules.defines {
        let viewed = if define.viewed { " seen by a side" } else { "" };
        let never = if define.never { " never" } else { "" };
        writeln!(
            out,
            "\ndefine {}{viewed}{never}{}\n  {}",
            define.name,
            cites(rules, define.line),
            expr(rules, define.value)
        )?;
    }
    for pair in &rules.pairs {
        let viewed = if pair.viewed { " seen by a side" } else { "" };
        let kind = |at: KindId| rules.kinds.get(at.index()).map_or("", |k| &k.name);
        let [a, b] = pair.parties.map(kind);
        writeln!(
            out,
            "\npair {} of {a} and {b}{viewed}{}\n  {}",
            pair.name,
            cites(rules, pair.line),
            expr(rules, pair.value)
        )?;
    }
    for table in &rules.tables {
        let results: Vec<&str> = table.results.iter().map(|(n, _)| n.as_str()).collect();
        writeln!(
            out,
            "\ntable {} gives {} by {:?}{}",
            table.name,
            results.join(", "),
            table.policy,
            cites(rules, table.line)
        )?;
        for row in &table.rows {
            let when = row.when.map_or("always".to_owned(), |w| expr(rules, w));
            let values: Vec<String> = row
                .values
                .iter()
                .map(|v| v.map_or("barred".to_owned(), |v| expr(rules, v)))
                .collect();
            writeln!(
                out,
                "  {}: {when} -> {}{}",
                row.name,
                values.join(", "),
                cites(rules, row.line)
            )?;
        }
    }
    for hook in &rules.hooks {
        super::hook::write(rules, hook, &cites(rules, hook.line), out)?;
    }
    for trace in &rules.traces {
        write_trace(rules, trace, out)?;
    }
    for test in &rules.tests {
        let plus = test.plus.map_or(String::new(), |p| format!(" + {}", expr(rules, p)));
        writeln!(
            out,
            "\ntest {}: {}{plus}{}",
            test.name,
            dice(&test.dice),
            cites(rules, test.line)
        )?;
        for (when, word, line) in &test.rows {
            let when = when.map_or("otherwise".to_owned(), |w| expr(rules, w));
            let words = rules.word_sets.get(test.outcomes.index());
            let word =
                words.and_then(|w| w.words.get(usize::from(*word))).map_or("", String::as_str);
            writeln!(out, "  {when} -> {word}{}", cites(rules, *line))?;
        }
        if let Some(retry) = &test.retry {
            let most =
                retry.at_most.map_or(String::new(), |q| format!(" at most {}", expr(rules, q)));
            let fact = |f: super::FactId| rules.facts.get(f.index()).map_or("", |f| &f.name);
            let spending = retry.spending.map_or(String::new(), |(f, of)| {
                format!(" spending {}({})", fact(f), expr(rules, of))
            });
            writeln!(
                out,
                "  retry{most}{spending} when {}{}",
                expr(rules, retry.when),
                cites(rules, retry.line)
            )?;
        }
    }
    for phase in &rules.phases {
        writeln!(out, "\nphase {}{}", phase.name, cites(rules, phase.line))?;
        for step in &phase.steps {
            let things = step.things.map_or("the world".to_owned(), |t| things(rules, t));
            writeln!(
                out,
                "  {:?} {:?} for {things}{}",
                step.mode,
                step.effect,
                cites(rules, step.line)
            )?;
        }
    }
    for map in &rules.maps {
        let printed = map.links.iter().filter(|l| rules.is_printed(l.kind));
        let links = printed.map(|l| l.to.len() / 2).sum::<usize>();
        let links = counted(links, "link");
        writeln!(out, "\nmap {}: {}, {links}", map.name, counted(map.spaces.len(), "space"))?;
    }
    for setup in &rules.setups {
        writeln!(
            out,
            "setup {}: {}, {}",
            setup.name,
            counted(setup.units.len(), "unit"),
            counted(setup.facts.len(), "fact")
        )?;
    }
    writeln!(out, "cases: {}", rules.cases.len())
}

/// Between which spaces the links of a kind are, if no map lists them.
fn every_two(rules: &Ruleset, kind: &Kind) -> String {
    let Some(every_two) = &kind.every_two else { return String::new() };
    let same = every_two.same.and_then(|fact| rules.facts.get(fact.index()));
    let same = same.map_or(String::new(), |fact| format!(" with the same {}", fact.name));
    format!(" between each two {}{same}", things(rules, every_two.things))
}

fn write_trace(rules: &Ruleset, trace: &Trace, out: &mut String) -> std::fmt::Result {
    let kind = rules.kinds.get(trace.of.index()).map_or("", |k| &k.name);
    let shared =
        if trace.per_subject { "a search for each unit" } else { "a search for each side" };
    writeln!(out, "\ntrace {} of {kind}, {shared}{}", trace.name, cites(rules, trace.line))?;
    for verdict in &trace.verdicts {
        let word = if verdict.always { "always" } else { "never" };
        writeln!(out, "  {word} {}{}", expr(rules, verdict.when), cites(rules, verdict.line))?;
    }
    for source in &trace.sources {
        writeln!(
            out,
            "  source {}: {}{}",
            source.name,
            expr(rules, source.when),
            cites(rules, source.line)
        )?;
    }
    for relay in &trace.relays {
        writeln!(
            out,
            "  relay {}: {}{}",
            relay.name,
            expr(rules, relay.when),
            cites(rules, relay.line)
        )?;
    }
    for leg in &trace.legs {
        let optional = if leg.optional { ", optional" } else { "" };
        writeln!(
            out,
            "  leg {} at place {}{optional}{}",
            leg.name,
            leg.place,
            cites(rules, leg.line)
        )?;
        let (from, through, into) = (leg.own_from(), leg.through_alone(), leg.own_into());
        let only = leg.only.as_ref().map(|only| ("when", &only.gate));
        let stop = leg.stopping.as_ref().map(|stopping| ("stopping unless", &stopping.gate));
        let gates = [only, Some(("from", &from)), Some(("through", &through)), stop];
        for (word, gate) in gates.into_iter().flatten().chain([("into", &into)]) {
            let when = gate.when.map_or("anywhere".to_owned(), |w| expr(rules, w));
            writeln!(out, "    {word} {when}{}", cites(rules, gate.line))?;
        }
        if let Some(cost) = leg.cost {
            writeln!(out, "    cost {}", expr(rules, cost))?;
        }
        if let Some(by) = &leg.by_source {
            writeln!(out, "    ends where {}", expr(rules, by.is))?;
        }
        let within = leg.within.amount.map_or("unlimited".to_owned(), |w| expr(rules, w));
        writeln!(
            out,
            "    within {within}, at most {}{}",
            leg.within.high,
            cites(rules, leg.within.line)
        )?;
    }
    Ok(())
}

fn cites(rules: &Ruleset, line: LineId) -> String {
    let clauses = rules.lines.get(line.index()).map(|l| l.clauses.as_slice()).unwrap_or_default();
    if clauses.is_empty() {
        return String::new();
    }
    let ids: Vec<&str> = clauses
        .iter()
        .filter_map(|c| rules.clauses.get(c.index()))
        .map(|c| c.id.as_str())
        .collect();
    format!(" [{}]", ids.join(", "))
}

fn things(rules: &Ruleset, id: ThingsId) -> String {
    let Some(things) = rules.things.get(id.index()) else { return String::new() };
    let kind = rules.kinds.get(things.kind.index()).map_or("", |k| &k.plural);
    let place = match &things.place {
        Place::Anywhere => String::new(),
        Place::In(space) => format!(" in {}", expr(rules, *space)),
        Place::Adjacent(space, _) => format!(" next to {}", expr(rules, *space)),
        Place::AdjacentNotOver(space, _) => format!(" next to {}", expr(rules, *space)),
        Place::Within(n, space, _) => format!(" within {n} of {}", expr(rules, *space)),
    };
    let condition =
        things.condition.map_or(String::new(), |c| format!(" where {}", expr(rules, c)));
    format!("{kind}{place}{condition}")
}

/// One expression as text, with names in place of ids.
#[must_use]
pub fn expr(rules: &Ruleset, id: ExprId) -> String {
    let sub = |id: &ExprId| expr(rules, *id);
    let of = |name: &str, thing: &Option<ExprId>| {
        thing.as_ref().map_or(name.to_owned(), |t| format!("{name}({})", sub(t)))
    };
    match rules.node(id) {
        Node::Nothing => "?".to_owned(),
        Node::Truth(t) => if *t { "yes" } else { "no" }.to_owned(),
        Node::Number { over, under: 1 } => over.to_string(),
        Node::Number { over, under } => format!("{over}/{under}"),
        Node::Word(set, word) => rules
            .word_sets
            .get(set.index())
            .and_then(|s| s.words.get(usize::from(*word)))
            .cloned()
            .unwrap_or_default(),
        Node::NoThing => "none".to_owned(),
        Node::Unit(u) => {
            rules.named.get(*u as usize).map_or_else(|| format!("unit {u}"), |n| n.name.clone())
        }
        Node::Space(s) => format!("space {s}"),
        Node::World => "the world".to_owned(),
        Node::Link(l) => format!("link {l}"),
        Node::SpaceCalled(label) => {
            let name = rules.labels.get(label.index()).map_or("", String::as_str);
            let hex = name.starts_with(|c: char| c.is_ascii_digit());
            format!("{}{name}", if hex { "hex " } else { "" })
        }
        Node::Side(side) => {
            rules.sides.get(side.index()).map_or_else(String::new, |s| s.name.clone())
        }
        Node::Viewer => "viewer".to_owned(),
        Node::Subject(level) => format!("${level}"),
        Node::Fact(fact, thing) => {
            format!("{}({})", rules.facts.get(fact.index()).map_or("", |f| &f.name), sub(thing))
        }
        Node::WorldFact(fact) => {
            rules.facts.get(fact.index()).map_or_else(String::new, |f| f.name.clone())
        }
        Node::Define(id, thing) => of(rules.defines.get(id.index()).map_or("", |d| &d.name), thing),
        Node::Table(id, result, thing) => {
            let table = rules.tables.get(id.index());
            let result =
                table.and_then(|t| t.results.get(usize::from(*result))).map_or("", |r| &r.0);
            of(&format!("{}.{result}", table.map_or("", |t| &t.name)), thing)
        }
        Node::Pair(pair, a, b) => format!("{}({}, {})", rules.pair_name(*pair), sub(a), sub(b)),
        Node::Hook(id, thing) => of(rules.hooks.get(id.index()).map_or("", |h| &h.name), thing),
        Node::Verdict(trace, thing, asked) => {
            format!("{}{}({})", now(*asked), trace_name(rules, *trace), sub(thing))
        }
        Node::Evidence(trace, field, thing, asked) => {
            format!("{:?} of {}{}({})", field, now(*asked), trace_name(rules, *trace), sub(thing))
                .to_lowercase()
        }
        Node::WouldBe { trace, subject, space, yes } => {
            let not = if *yes { "" } else { "not " };
            format!("{not}{}({} at {})", trace_name(rules, *trace), sub(subject), sub(space))
        }
        Node::Ruling(id) => {
            rules.rulings.get(id.index()).map_or_else(String::new, |r| r.name.clone())
        }
        Node::IsKind(thing, kind) => {
            format!("{}({})", rules.kinds.get(kind.index()).map_or("", |k| &k.name), sub(thing))
        }
        Node::Stands(thing, stance) => {
            format!("{}({})", format!("{stance:?}").to_lowercase(), sub(thing))
        }
        Node::Sides { left, right, how } => {
            let how = match how {
                Relation::Enemy => "at_war",
                Relation::Allied => "allied",
                Relation::Own | Relation::Neutral => "neutral",
            };
            format!("{how}({}, {})", sub(left), sub(right))
        }
        Node::And(parts) => {
            format!("({})", parts.iter().map(sub).collect::<Vec<_>>().join(" and "))
        }
        Node::Or(parts) => format!("({})", parts.iter().map(sub).collect::<Vec<_>>().join(" or ")),
        Node::Not(inner) => format!("not {}", sub(inner)),
        Node::Total => "total".to_owned(),
        Node::Natural => "natural".to_owned(),
        Node::Outcome(test, thing) => {
            format!("{}({})", rules.tests.get(test.index()).map_or("", |t| &t.name), sub(thing))
        }
        Node::Listed(table, thing, rows) => {
            let table = rules.tables.get(table.index());
            let row =
                |at: &u16| table.and_then(|t| t.rows.get(usize::from(*at))).map_or("", |r| &r.name);
            let rows = rows.iter().map(row).collect::<Vec<_>>().join(", ");
            format!("{}({}) lists ({rows})", table.map_or("", |t| &t.name), sub(thing))
        }
        Node::Stopped(table, thing) => format!(
            "stop of {}({})",
            rules.tables.get(table.index()).map_or("", |t| &t.name),
            sub(thing)
        ),
        Node::Chance(test, word, thing) => {
            format!(
                "chance of {word} in {}({})",
                rules.tests.get(test.index()).map_or("", |t| &t.name),
                sub(thing)
            )
        }
        Node::Removed(thing) => format!("removed({})", sub(thing)),
        Node::OverStep(kind) => {
            format!("over {}", rules.kinds.get(kind.index()).map_or("", |k| &k.name))
        }
        Node::LinkEnd(of, later) => {
            format!("{} end of {}", if *later { "later" } else { "earlier" }, sub(of))
        }
        Node::StepEnd(next) => (if *next { "the next" } else { "the last" }).to_owned(),
        Node::Rank(word) => format!("stage({})", sub(word)),
        Node::Chosen(choice, thing) => {
            format!(
                "chosen {}({})",
                rules.choices.get(choice.index()).map_or("", |c| &c.name),
                sub(thing)
            )
        }
        Node::Same(left, right) => format!("{} is {}", sub(left), sub(right)),
        Node::Compare(left, op, right) => {
            let sign = match op {
                Comparison::Equal => "=",
                Comparison::AtLeast => ">=",
                Comparison::AtMost => "<=",
                Comparison::More => ">",
                Comparison::Less => "<",
            };
            format!("{} {sign} {}", sub(left), sub(right))
        }
        Node::Any(t) => format!("any {}", things(rules, *t)),
        Node::Only(t) => format!("only {}", things(rules, *t)),
        Node::Count(t) => format!("count of {}", things(rules, *t)),
        Node::Aggregate(word, value, t) => {
            let word_said = match word {
                Aggregate::Sum => "sum",
                Aggregate::Highest(_) => "highest",
                Aggregate::Lowest(_) => "lowest",
            };
            let none = match word.of_none() {
                0 => String::new(),
                none => format!(" or {none} if none"),
            };
            format!("{word_said} {} of {}{none}", sub(value), things(rules, *t))
        }
        Node::Arithmetic(left, sign, right) => {
            let sign = match sign {
                Sign::Plus => "+",
                Sign::Minus => "-",
                Sign::Times => "*",
                Sign::Divide => "/",
            };
            format!("({} {sign} {})", sub(left), sub(right))
        }
        Node::Rounded(by, value) => format!("rounded {by:?} {}", sub(value)),
        Node::Extreme { greater, left, right } => format!(
            "{}({}, {})",
            if *greater { "greater" } else { "lesser" },
            sub(left),
            sub(right)
        ),
    }
}

fn now(asked: Asked) -> &'static str {
    if asked == Asked::Now { "now " } else { "" }
}

fn trace_name(rules: &Ruleset, trace: TraceId) -> &str {
    rules.traces.get(trace.index()).map_or("", |t| &t.name)
}

/// Dice as a ruleset writes them; a die with faces of its own shows these.
#[must_use]
pub fn dice(throws: &[super::Throw]) -> String {
    let one = |throw: &super::Throw| match &throw.die {
        super::Die::Sides(sides) => format!("{}d{sides}", throw.count),
        super::Die::Faces(faces) => {
            format!(
                "{}d({})",
                throw.count,
                faces.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")
            )
        }
    };
    throws.iter().map(one).collect::<Vec<_>>().join(" + ")
}
