//! What the game is played with, and the names that the rules give to conditions and amounts: a
//! line each.

use super::desk::{Desk, anchor};
use super::page::{Block, Words, plain};
use crate::aid::words::{said, tidy};
use crate::check::with_article;
use crate::syntax::ast::{
    AttributeType, Cites, Define, Exception, ItemKind, MomentPoint, Name, Text,
};

/// The entry of an item that is said in one line; none if it is none of these.
pub(super) fn entry(desk: &Desk<'_>, kind: &ItemKind) -> Option<Block> {
    Some(match kind {
        ItemKind::Sides(sides) => {
            let names =
                |all: &[Name]| all.iter().map(|n| tidy(&n.text)).collect::<Vec<_>>().join(", ");
            let against = if sides.against.is_empty() {
                String::new()
            } else {
                format!(" against {}", names(&sides.against))
            };
            bare("sides", "sides", format!("{}{against}", names(&sides.names)))
        }
        ItemKind::Dimension(all) => bare(
            "amounts",
            "amounts",
            format!(
                "counted in {}",
                all.iter().map(|d| tidy(&d.name.text)).collect::<Vec<_>>().join(", ")
            ),
        ),
        ItemKind::Tabletop(dimension) => bare(
            "tabletop",
            "tabletop",
            format!("played on a table, measured in {}", tidy(&dimension.text)),
        ),
        ItemKind::Kind(kind) => {
            let plural = kind
                .plural
                .as_ref()
                .map_or_else(String::new, |p| format!(" (several: {})", tidy(&p.text)));
            let mut body =
                vec![plain(format!("{}{plural}", with_article(&tidy(&kind.parent.text))))];
            if kind.one_way.is_some() {
                body.push(plain("; leads one way, from its first space to its second"));
            }
            if let Some(every_two) = &kind.every_two {
                body.push(plain("; from any "));
                body.extend(desk.things(&every_two.things));
                let same = every_two.same.as_ref();
                let same = same.map_or_else(String::new, |same| {
                    format!(" with the same {}", tidy(&same.fact.text))
                });
                body.push(plain(format!(" to any other{same}")));
            }
            let has: Vec<String> = kind
                .attributes
                .iter()
                .map(|a| format!("{} ({})", tidy(&a.name.text), values(&a.ty)))
                .collect();
            if !has.is_empty() {
                body.push(plain(format!("; has {}", has.join(", "))));
            }
            for base in &kind.bases {
                let size = |e: &crate::syntax::ast::Expr| tidy(&said(desk.book.sources, e.span));
                body.push(plain(format!(
                    "; its base is {} by {} ",
                    size(&base.width),
                    size(&base.depth)
                )));
                body.extend(desk.cites(&base.cites));
            }
            if let Some(joins) = &kind.joins {
                body.push(plain("; joins "));
                body.extend(desk.things(joins));
            }
            Block::Entry {
                anchor: anchor("kind", &kind.name.text),
                term: tidy(&kind.name.text),
                note: String::new(),
                body,
            }
        }
        ItemKind::Named(named) => {
            let names = named.names.iter().map(|n| tidy(&n.text)).collect::<Vec<_>>().join(", ");
            // Several lines may name things of one kind: none of them can be led to.
            Block::Entry {
                anchor: String::new(),
                term: format!("named {}", tidy(&named.kind.text)),
                note: String::new(),
                body: vec![plain(names)],
            }
        }
        ItemKind::Mark(mark) => {
            let until = mark
                .until
                .as_ref()
                .map_or_else(String::new, |until| format!(", until {}", moment(desk, until)));
            let about = format!(
                "a mark of {}{}{until}",
                with_article(&tidy(&mark.of.text)),
                quoted(mark.title.as_ref())
            );
            noted(desk, "mark", &mark.name, about, &mark.cites)
        }
        ItemKind::Count(count) => {
            let range = count.range.as_ref().map_or_else(String::new, |(low, high)| {
                format!(" from {} to {}", low.text, high.text)
            });
            let about = format!(
                "a count for {} in a {}{range}{}",
                with_article(&tidy(&count.of.text)),
                tidy(&count.per.text),
                quoted(count.title.as_ref())
            );
            noted(desk, "count", &count.name, about, &count.cites)
        }
        ItemKind::Given(given) => {
            let values = given.ty.as_ref().map_or_else(|| "yes or no".to_owned(), values);
            let about = format!(
                "known at the table, for {} ({values}){}",
                with_article(&tidy(&given.of.text)),
                quoted(given.title.as_ref())
            );
            noted(desk, "given", &given.name, about, &given.cites)
        }
        ItemKind::Die(die) => {
            let faces = die.faces.iter().map(|f| f.text.as_str()).collect::<Vec<_>>().join(", ");
            noted(desk, "die", &die.name, format!("a die that shows {faces}"), &die.cites)
        }
        ItemKind::Track(track) => {
            let stages = track.stages.iter().map(|s| tidy(&s.text)).collect::<Vec<_>>().join(", ");
            noted(
                desk,
                "track",
                &track.name,
                format!("a track{}; from the lowest stage: {stages}", quoted(track.title.as_ref())),
                &track.cites,
            )
        }
        ItemKind::Define(define) => definition(desk, define),
        ItemKind::Exception(exception) => excepted(desk, exception),
        ItemKind::Pair(pair) => {
            let [a, b] = &pair.parties;
            let party = |p: &crate::syntax::ast::Party| {
                format!("{} ({})", tidy(&p.name.text), with_article(&tidy(&p.kind.text)))
            };
            let lead = if pair.amount {
                format!("from {} to {}: ", party(a), party(b))
            } else {
                format!("{} is {} {}, if ", party(a), tidy(&pair.name.text), party(b))
            };
            let mut body = vec![plain(lead)];
            body.extend(desk.expr(&pair.value));
            push_cites(desk, &mut body, &pair.cites);
            Block::Entry {
                anchor: desk.anchor("pair", &pair.name),
                term: tidy(&pair.name.text),
                note: String::new(),
                body,
            }
        }
        _ => return None,
    })
}

fn definition(desk: &Desk<'_>, define: &Define) -> Block {
    let of = define.of.as_ref().map(|of| format!("of {}", with_article(&tidy(&of.text))));
    let title = define.title.as_ref().map(|t| format!("\u{201c}{}\u{201d}", t.text));
    let note = of.into_iter().chain(title).collect::<Vec<_>>().join(", ");
    let mut body: Words = define.never.then(|| plain("never: ".to_owned())).into_iter().collect();
    body.extend(desk.expr(&define.value));
    push_cites(desk, &mut body, &define.cites);
    Block::Entry {
        anchor: desk.anchor("define", &define.name),
        term: tidy(&define.name.text),
        note,
        body,
    }
}

fn excepted(desk: &Desk<'_>, exception: &Exception) -> Block {
    let mut body: Words = desk.expr(&exception.when);
    body.insert(0, plain("if ".to_owned()));
    match exception.then {
        Some(then) => {
            body.push(plain(": ".to_owned()));
            body.extend(desk.said(then));
        }
        None => body.push(plain(": it does not apply".to_owned())),
    }
    push_cites(desk, &mut body, &exception.cites);
    let to = tidy(&said(desk.book.sources, exception.to.span));
    Block::Entry {
        anchor: desk.anchor("exception", &exception.name),
        term: tidy(&exception.name.text),
        note: format!("exception to {to}"),
        body,
    }
}

fn bare(at: &str, term: &str, text: String) -> Block {
    Block::Entry {
        anchor: anchor("kind", at),
        term: term.to_owned(),
        note: String::new(),
        body: vec![plain(text)],
    }
}

fn noted(desk: &Desk<'_>, noun: &str, name: &Name, about: String, cites: &Cites) -> Block {
    let mut body = vec![plain(about)];
    push_cites(desk, &mut body, cites);
    Block::Entry {
        anchor: desk.anchor(noun, name),
        term: tidy(&name.text),
        note: String::new(),
        body,
    }
}

fn push_cites(desk: &Desk<'_>, body: &mut Words, cites: &Cites) {
    let cites = desk.cites(cites);
    if !cites.is_empty() {
        body.push(plain(" "));
        body.extend(cites);
    }
}

fn quoted(title: Option<&Text>) -> String {
    title.map_or_else(String::new, |t| format!(", \u{201c}{}\u{201d}", t.text))
}

pub(super) fn moment(desk: &Desk<'_>, moment: &MomentPoint) -> String {
    tidy(&said(desk.book.sources, moment.span))
}

fn values(ty: &AttributeType) -> String {
    match ty {
        AttributeType::Number { dimension, low, high } => {
            let range = format!("from {} to {}", low.text, high.text);
            dimension
                .as_ref()
                .map_or_else(|| range.clone(), |of| format!("{} {range}", tidy(&of.text)))
        }
        AttributeType::Truth => "yes or no".to_owned(),
        AttributeType::Word(words) => {
            words.iter().map(|w| tidy(&w.text)).collect::<Vec<_>>().join(", ")
        }
        AttributeType::Thing { kind, maybe } => {
            format!("{}{}", with_article(&tidy(&kind.text)), if *maybe { " or none" } else { "" })
        }
        AttributeType::Track(track) => format!("a stage of {}", tidy(&track.text)),
    }
}
