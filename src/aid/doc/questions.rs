//! What the book leaves open, and what it leaves to players: rulings, options, choices, hooks.

use super::desk::Desk;
use super::page::{Block, Word, Words, plain};
use crate::aid::words::{said, tidy};
use crate::syntax::ast::{self, HookLineKind};

/// A question with its readings, the one in force marked.
pub(super) fn ruling(desk: &Desk<'_>, ruling: &ast::Ruling) -> Vec<Block> {
    let head = Block::Head {
        anchor: desk.anchor("ruling", &ruling.name),
        noun: "ruling",
        title: super::page::capital(&tidy(&ruling.name.text)),
        cites: desk.cites(&ruling.cites),
    };
    let asks =
        ruling.asks.as_ref().map(|asks| Block::Text(vec![plain(super::page::capital(&asks.text))]));
    let force = in_force(desk, &ruling.name.text);
    let readings = ruling.readings.iter().map(|r| {
        let text = tidy(&r.text);
        if force.as_deref() == Some(r.text.as_str()) {
            vec![Word::Strong(text), plain(" (in force)")]
        } else {
            vec![plain(text)]
        }
    });
    let readings = Block::List(readings.collect());
    std::iter::once(head).chain(asks).chain([readings]).collect()
}

/// The reading in force of a ruling; of an option `on` or `off`.
fn in_force(desk: &Desk<'_>, name: &str) -> Option<String> {
    let ruling = desk.book.rules.rulings.iter().find(|r| r.name == name)?;
    let words = desk.book.rules.word_sets.get(ruling.readings.index())?;
    words.words.get(usize::from(ruling.default)).cloned()
}

pub(super) fn option(desk: &Desk<'_>, option: &ast::OptionRule) -> Vec<Block> {
    let mut body =
        vec![plain(format!("an option: {}. It is ", option.title.text.trim_end_matches('.')))];
    body.push(Word::Strong(
        in_force(desk, &option.name.text)
            .unwrap_or_else(|| if option.on { "on" } else { "off" }.to_owned()),
    ));
    body.push(plain(" unless the players agree otherwise. "));
    body.extend(desk.cites(&option.cites));
    vec![Block::Entry {
        anchor: desk.anchor("option", &option.name),
        term: tidy(&option.name.text),
        note: String::new(),
        body,
    }]
}

pub(super) fn choice(desk: &Desk<'_>, choice: &ast::Choice) -> Vec<Block> {
    let head = Block::Head {
        anchor: desk.anchor("choice", &choice.name),
        noun: "choice",
        title: desk.title(choice.title.as_ref(), &choice.name),
        cites: desk.cites(&choice.cites),
    };
    let mut from = vec![plain(format!(
        "For {}, one of: ",
        crate::check::with_article(&tidy(&choice.of.text))
    ))];
    from.extend(desk.things(&choice.from));
    from.push(plain(". "));
    from.extend(desk.cites(&choice.from_cites));
    let prefers: Vec<Words> = choice
        .prefers
        .iter()
        .map(|prefer| {
            let lead = match prefer.highest {
                Some(true) => "those with the highest ",
                Some(false) => "those with the lowest ",
                None => "those where ",
            };
            let mut words = vec![plain(lead)];
            words.extend(desk.expr(&prefer.value));
            words.push(plain(" "));
            words.extend(desk.cites(&prefer.cites));
            words
        })
        .collect();
    let whose = if choice.left_to.text == "enemy" { "the other side" } else { "the owner" };
    let mut blocks = vec![head, Block::Text(from)];
    if prefers.is_empty() {
        blocks.push(Block::Text(vec![plain(format!("{} chooses.", super::page::capital(whose)))]));
    } else {
        blocks.push(Block::Text(vec![plain(
            "Of these, as far as there are any, one after the other:",
        )]));
        blocks.push(Block::List(prefers));
        blocks
            .push(Block::Text(vec![plain(format!("Among those that are left {whose} chooses."))]));
    }
    blocks
}

/// A gap that an exclusive rule may fill.
pub(super) fn hook(desk: &Desk<'_>, hook: &ast::Hook) -> Vec<Block> {
    let head = Block::Head {
        anchor: desk.anchor("hook", &hook.name),
        noun: "hook",
        title: desk.title(hook.title.as_ref(), &hook.name),
        cites: desk.cites(&hook.cites),
    };
    let about = format!(
        "A gap that a special rule may fill, for {}; it gives {}.",
        crate::check::with_article(&tidy(&hook.of.text)),
        tidy(&hook.result.name.text)
    );
    let lines = hook.lines.iter().map(|line| match &line.kind {
        HookLineKind::Reads(names) => {
            let mut words = vec![plain("it reads ")];
            words.extend(super::page::joined(
                names.iter().map(|n| desk.linked(&n.text, n.span)).collect(),
                ", ",
            ));
            words
        }
        HookLineKind::Kept(low, high) => {
            let text = |e: &ast::Expr| tidy(&said(desk.book.sources, e.span));
            vec![plain(format!("the result is at least {} and at most {}", text(low), text(high)))]
        }
        HookLineKind::Script(file) => {
            vec![plain(format!("filled by the script {}", file.name.text))]
        }
        HookLineKind::Otherwise(value) => {
            let mut words = vec![plain("where nothing fills it: ")];
            words.extend(desk.expr(value));
            words
        }
    });
    vec![head, Block::Text(vec![plain(about)]), Block::List(lines.collect())]
}
