//! The order of play: the calendar as a chapter, each phase with its steps where it first comes.

use std::collections::BTreeSet;

use super::desk::{Desk, anchor};
use super::page::{Block, Chapter, Group, Word, Words, joined, plain};
use crate::aid::calendar::{Brought, Deed, calendar};
use crate::aid::calendar_text::{ended, heading, occasion, quiet, whose};
use crate::aid::words::{open, tidy};
use crate::source::Span;
use crate::syntax::ast;

/// The chapter; none for a ruleset without a clock and without phases.
pub(super) fn chapter(desk: &Desk<'_>) -> Option<Chapter> {
    let calendar = calendar(desk.book, None);
    let mut chapter = Chapter {
        anchor: "order-of-play".to_owned(),
        title: "Order of play".to_owned(),
        ..Chapter::default()
    };
    let mut told: BTreeSet<String> = BTreeSet::new();
    for stretch in &calendar.stretches {
        if let Some(heading) = heading(stretch) {
            chapter.groups.push(group(
                "",
                vec![Block::Text(vec![Word::Strong(super::page::capital(&tidy(&heading)))])],
            ));
        }
        for moment in &stretch.moments {
            let quiet = quiet(stretch, moment);
            if moment.brings.is_empty() && !quiet {
                continue;
            }
            let mut line = vec![Word::Strong(super::page::capital(&tidy(&moment.moment)))];
            let name = |b: &Brought| match b {
                Brought::Phase { phase, once, when, sides, .. } => {
                    let occasion = occasion(*once, when.as_deref());
                    let whose = tidy(&whose(sides, stretch));
                    vec![link(phase), plain(format!("{whose}{occasion}"))]
                }
                other => vec![plain(ended(other))],
            };
            line.push(plain(if quiet { ": nothing in these rules" } else { ": " }));
            line.extend(joined(moment.brings.iter().map(name).collect(), "; "));
            chapter.groups.push(group("", vec![Block::Text(line)]));
            for brought in &moment.brings {
                if let Brought::Phase { phase, clauses, steps, .. } = brought
                    && told.insert(phase.clone())
                {
                    chapter.groups.push(group(phase, blocks(desk, phase, clauses, steps)));
                }
            }
        }
    }
    (!chapter.groups.is_empty()).then_some(chapter)
}

fn blocks(desk: &Desk<'_>, phase: &str, clauses: &[String], steps: &[Deed]) -> Vec<Block> {
    let cites = |ids: &[String]| desk.clauses(&ids.iter().map(String::as_str).collect::<Vec<_>>());
    let head = Block::Head {
        anchor: anchor("phase", phase),
        noun: "phase",
        title: super::page::capital(&tidy(phase)),
        cites: cites(clauses),
    };
    // A step in its raw words, so that its names lead to where they are explained.
    let written = crate::aid::calendar::written(desk.book, phase);
    let steps = steps.iter().enumerate().map(|(at, step)| {
        let mut words = match written.and_then(|w| w.steps.get(at)) {
            Some(s) => deed(desk, &crate::aid::words::step(desk.book.sources, s), s.span),
            None => vec![plain(super::page::capital(&tidy(&step.does)))],
        };
        if !step.clauses.is_empty() {
            words.push(plain(" "));
            words.extend(cites(&step.clauses));
        }
        words
    });
    vec![head, Block::List(steps.collect())]
}

/// A step as a sentence. Its verb is a word of the language, even where a rule has the same name.
fn deed(desk: &Desk<'_>, raw: &str, place: Span) -> Words {
    let binding = ["may ", "must "].iter().find(|b| raw.starts_with(**b)).map_or(0, |b| b.len());
    let verb =
        raw.get(binding..).and_then(|rest| rest.find(' ')).map_or(raw.len(), |end| binding + end);
    let (verb, rest) = raw.split_at(verb);
    let mut words = vec![plain(super::page::capital(verb))];
    words.extend(desk.linked(rest, place));
    words
}

fn group(name: &str, blocks: Vec<Block>) -> Group {
    Group { name: name.to_owned(), blocks }
}

fn link(phase: &str) -> Word {
    Word::Link { to: anchor("phase", phase), text: tidy(phase) }
}

/// What stands in a section in the place of a phase: when it comes, and a way to it.
pub(super) fn mention(desk: &Desk<'_>, phase: &ast::Phase) -> Block {
    let moments = phase.moments.iter().map(|moment| match moment {
        ast::Moment::At(point) => format!("at {}", super::facts::moment(desk, point)),
        ast::Moment::In { part, of } => {
            format!(
                "in {}{}",
                tidy(&part.text),
                of.as_ref().map_or_else(String::new, |of| format!(" of {}", tidy(&of.text)))
            )
        }
    });
    let steps = Word::Link { to: anchor("phase", &phase.name.text), text: "its steps".to_owned() };
    let when = phase.when.as_ref().map(|when| tidy(&open(desk.book.sources, when.span)));
    let occasion = occasion(phase.once.is_some(), when.as_deref());
    let mut body = vec![
        plain(format!("a phase {}{occasion}; ", moments.collect::<Vec<_>>().join(" and "))),
        steps,
        plain(" stand in the order of play"),
    ];
    let cites = desk.cites(&phase.cites);
    if !cites.is_empty() {
        body.push(plain(" "));
        body.extend(cites);
    }
    // Its anchor is in the order of play.
    Block::Entry { anchor: String::new(), term: tidy(&phase.name.text), note: String::new(), body }
}
