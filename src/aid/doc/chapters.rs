//! The page from its parts: sections as the rulebook numbers them, then the order of play.

use super::desk::{Desk, anchor};
use super::page::{Block, Chapter, Group, Page, Word, Words, joined, plain};
use super::{changes, facts, lines, play, questions, rolls, tables};
use crate::aid::words::tidy;
use crate::check::{ResolvedItem, handle};
use crate::compare::{Difference, Side as Rulebook};
use crate::ir::ClauseId;
use crate::syntax::ast::ItemKind;

/// The page of a ruleset; of a variant with what it says otherwise than its parent.
#[must_use]
pub fn doc(book: Rulebook<'_>, difference: Option<&Difference>) -> Page {
    let desk = Desk::new(book);
    let rules = book.rules;
    let mut page = Page { title: rules.title.clone(), about: Words::new(), chapters: Vec::new() };
    let parent =
        difference.map_or_else(String::new, |d| format!(", a variant of {}", tidy(&d.a.ruleset)));
    page.about
        .push(plain(format!("A player\u{2019}s aid to the ruleset {}{parent}. ", rules.name)));
    page.about.push(Word::Small(format!("Rules {}", rules.hash)));
    page.chapters.extend(difference.map(changes::chapter));
    sections(&desk, &mut page);
    page.chapters.extend(play::chapter(&desk));
    page.chapters.retain(|c| !c.groups.is_empty());
    page.settle();
    page
}

fn sections(desk: &Desk<'_>, page: &mut Page) {
    let ids = desk.book.resolved.clause_ids();
    let mut chapter = Chapter {
        anchor: "section-0".to_owned(),
        title: "Before the first section".to_owned(),
        ..Chapter::default()
    };
    // Whether what comes is the parent's; a variant's own rules stand in a chapter of their own.
    let mut inherited = desk.book.resolved.items.first().is_some_and(|i| i.inherited);
    let mut count = 0;
    for (item, id) in desk.book.resolved.items.iter().zip(&ids) {
        let own = inherited && !item.inherited;
        if let ItemKind::Section(section) = &item.item.kind {
            count += 1;
            let number = section.number.as_ref().map_or_else(String::new, |n| n.text.clone());
            let next = Chapter {
                anchor: format!("section-{count}"),
                number,
                title: section.title.text.clone(),
                groups: Vec::new(),
            };
            page.chapters.push(std::mem::replace(&mut chapter, next));
        } else if own {
            count += 1;
            let title = "Of this variant alone".to_owned();
            let next = Chapter { anchor: format!("section-{count}"), title, ..Chapter::default() };
            page.chapters.push(std::mem::replace(&mut chapter, next));
        }
        inherited = item.inherited;
        chapter.groups.extend(group(desk, item, id.as_deref()));
    }
    page.chapters.push(chapter);
}

/// What is said of one item; nothing of maps, setups and cases.
fn group(desk: &Desk<'_>, item: &ResolvedItem, id: Option<&str>) -> Option<Group> {
    let kind = &item.item.kind;
    let blocks = match kind {
        ItemKind::Clause(clause) => vec![Block::Clause {
            anchor: anchor("clause", id?),
            id: id?.to_owned(),
            text: clause.text.text.clone(),
            rules: carried_out(desk, id?),
        }],
        ItemKind::Table(table) => tables::table(desk, table),
        ItemKind::Trace(trace) => lines::trace(desk, trace),
        ItemKind::Test(test) => rolls::test(desk, test),
        ItemKind::Ruling(ruling) => questions::ruling(desk, ruling),
        ItemKind::Option(option) => questions::option(desk, option),
        ItemKind::Choice(choice) => questions::choice(desk, choice),
        ItemKind::Hook(hook) => questions::hook(desk, hook),
        ItemKind::Phase(phase) => vec![play::mention(desk, phase)],
        other => vec![facts::entry(desk, other)?],
    };
    let name = match (kind, handle(kind)) {
        (ItemKind::Clause(_), _) => id?.to_owned(),
        (ItemKind::Count(count), _) => count.name.text.clone(),
        (ItemKind::Given(given), _) => given.name.text.clone(),
        (ItemKind::Kind(kind), _) => kind.name.text.clone(),
        (_, Some((_, name))) => name.text.clone(),
        _ => String::new(),
    };
    Some(Group { name, blocks })
}

/// Links to the rules that carry a clause out, each once.
fn carried_out(desk: &Desk<'_>, id: &str) -> Words {
    let rules = desk.book.rules;
    let Some(at) = rules.clauses.iter().position(|c| c.id == id).map(ClauseId::at) else {
        return Words::new();
    };
    let mut found: Vec<Word> = Vec::new();
    let lines = rules.lines.iter().filter(|l| l.clauses.contains(&at)).map(|l| l.name.as_str());
    let rulings = rules.rulings.iter().filter(|r| r.clauses.contains(&at));
    let rulings =
        rulings.map(|r| format!("{} {}", if r.option { "option" } else { "ruling" }, r.name));
    for name in lines.map(str::to_owned).chain(rulings) {
        // `trace supply, source home`: the rule is the trace.
        let whole = name.split(',').next().unwrap_or_default();
        let (noun, name) = whole.split_once(' ').unwrap_or((whole, ""));
        let link = Word::Link { to: anchor(noun, name), text: tidy(name) };
        if !name.is_empty() && !found.contains(&link) {
            found.push(link);
        }
    }
    joined(found.into_iter().map(|w| vec![w]).collect(), ", ")
}
