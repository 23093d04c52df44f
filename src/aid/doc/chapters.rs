//! The page from its parts: sections as the rulebook numbers them, then the order of play.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use super::desk::{Desk, anchor, named};
use super::page::{Block, Chapter, Group, Page, Word, Words, joined, plain};
use super::remarks::{Remarks, remarks};
use super::{changes, facts, lines, play, questions, rolls, tables};
use crate::aid::words::tidy;
use crate::arrange::Arrange as _;
use crate::check::{ResolvedItem, handle};
use crate::compare::{Difference, Side as Rulebook};
use crate::ir::{ClauseId, RuleLine};
use crate::syntax::ast::ItemKind;

/// Who reads a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Readers {
    /// whoever may know all rules
    #[default]
    All,
    /// players, from whom hooks and rules marked `# hidden` are kept
    Players,
}

/// The page of a ruleset; of a variant with what it says otherwise than its parent.
#[must_use]
pub fn doc(book: Rulebook<'_>, difference: Option<&Difference>) -> Page {
    doc_for(book, difference, Readers::All)
}

/// The same for these readers.
#[must_use]
pub fn doc_for(book: Rulebook<'_>, difference: Option<&Difference>, readers: Readers) -> Page {
    let desk = Desk::new(book, readers, hidden(book, readers));
    let rules = book.rules;
    let mut page = Page { title: rules.title.clone(), about: Words::new(), chapters: Vec::new() };
    let parent =
        difference.map_or_else(String::new, |d| format!(", a variant of {}", tidy(&d.a.ruleset)));
    page.about
        .push(plain(format!("A player\u{2019}s aid to the ruleset {}{parent}. ", rules.name)));
    page.about.push(Word::Small(format!("Rules {}", rules.hash)));
    page.chapters.extend(difference.map(|d| changes::chapter(&desk, d)));
    sections(&desk, &mut page);
    page.chapters.extend(play::chapter(&desk));
    page.chapters.retain(|c| !c.groups.is_empty());
    page.settle();
    page
}

/// The items that are not for these readers.
fn hidden(book: Rulebook<'_>, readers: Readers) -> BTreeSet<usize> {
    let items = book.resolved.items.iter().enumerate().filter(|(_, item)| {
        readers == Readers::Players
            && (matches!(item.item.kind, ItemKind::Hook(_))
                || remarks(book.sources, item.item.span).hidden)
    });
    items.map(|(at, _)| at).collect()
}

/// The sections, in the order of their numbers.
fn sections(desk: &Desk<'_>, page: &mut Page) {
    let ids = desk.book.resolved.clause_ids();
    let mut chapters = vec![Chapter {
        anchor: "section-0".to_owned(),
        title: "Before the first section".to_owned(),
        ..Chapter::default()
    }];
    // Whether what comes is the parent's; a variant's own rules stand in a chapter of their own.
    let mut inherited = desk.book.resolved.items.first().is_some_and(|i| i.inherited);
    let mut homes: Vec<usize> = Vec::new();
    for item in &desk.book.resolved.items {
        let own = inherited && !item.inherited;
        let anchor = format!("section-{}", chapters.len());
        if let ItemKind::Section(section) = &item.item.kind {
            let number = section.number.as_ref().map_or_else(String::new, |n| n.text.clone());
            let title = section.title.text.clone();
            chapters.push(Chapter { anchor, number, title, groups: Vec::new() });
        } else if own {
            let title = "Of this variant alone".to_owned();
            chapters.push(Chapter { anchor, title, ..Chapter::default() });
        }
        inherited = item.inherited;
        homes.push(chapters.len() - 1);
    }
    let homes = by_clauses(desk, &ids, homes);
    for (at, (item, id)) in desk.book.resolved.items.iter().zip(&ids).enumerate() {
        let home = homes.get(at).and_then(|home| chapters.get_mut(*home));
        let shown = Some(()).filter(|()| !desk.hides(at));
        if let (Some(chapter), Some(group)) =
            (home, shown.and_then(|()| group(desk, item, id.as_deref())))
        {
            chapter.groups.push(group);
        }
    }
    chapters.iter_mut().for_each(clauses_first);
    // Numbered sections take the places that they have among them in the order of their numbers.
    let numbered = |c: &Chapter| !c.number.is_empty();
    let mut ordered: Vec<Chapter> = chapters.iter().filter(|c| numbered(c)).cloned().collect();
    ordered.arrange_by(|a, b| natural(&a.number, &b.number));
    let mut ordered = ordered.into_iter();
    page.chapters.extend(chapters.into_iter().map(|chapter| match numbered(&chapter) {
        true => ordered.next().unwrap_or(chapter),
        false => chapter,
    }));
}

/// The chapter of each item. In a section with clauses, of which a rule carries none out, the rule
/// stands with the first clause that it does, and what cites none stands with the rule before it.
/// What an author wrote in a section without clauses, and a variant's own items, stay there.
fn by_clauses(desk: &Desk<'_>, ids: &[Option<String>], homes: Vec<usize>) -> Vec<usize> {
    let items = &desk.book.resolved.items;
    let of_clause = |clause: ClauseId| {
        let id = &desk.book.rules.clauses.get(clause.index())?.id;
        homes.get(ids.iter().position(|i| i.as_ref() == Some(id))?).copied()
    };
    let mut out = Vec::with_capacity(homes.len());
    let (mut place, mut follows) = (None, 0);
    for (item, home) in items.iter().zip(&homes) {
        if place != Some(*home) {
            (place, follows) = (Some(*home), *home);
        }
        let clauses = items
            .iter()
            .zip(&homes)
            .any(|(other, at)| at == home && matches!(other.item.kind, ItemKind::Clause(_)));
        let stays = !clauses
            || !item.inherited && items.iter().any(|i| i.inherited)
            || matches!(item.item.kind, ItemKind::Clause(_) | ItemKind::Section(_));
        if stays {
            out.push(*home);
            continue;
        }
        let lines = lines_of(desk, item).flat_map(|line| line.clauses.iter().copied());
        let cited = lines.chain(cited_by_ruling(desk, item)).filter_map(of_clause);
        let cited: Vec<usize> = cited.collect();
        // Where its author put it is right if it carries out a clause there.
        follows = match cited.first() {
            Some(_) if cited.contains(home) => *home,
            Some(first) => *first,
            None => follows,
        };
        out.push(follows);
    }
    out
}

fn cited_by_ruling(desk: &Desk<'_>, item: &ResolvedItem) -> Option<ClauseId> {
    let ItemKind::Ruling(ruling) = &item.item.kind else { return None };
    let known = desk.book.rules.rulings.iter().find(|r| r.name == ruling.name.text)?;
    known.clauses.first().copied()
}

/// The lines of an item that carry clauses out.
fn lines_of<'d>(
    desk: &'d Desk<'_>,
    item: &'d ResolvedItem,
) -> impl Iterator<Item = &'d RuleLine> + 'd {
    let name = named(&item.item.kind).map(|(noun, name)| format!("{noun} {}", name.text));
    let of_item = move |line: &&RuleLine| {
        name.as_deref().is_some_and(|name| line.name.split(',').next() == Some(name))
    };
    desk.book.rules.lines.iter().filter(of_item)
}

/// The clauses of a chapter first, as they are numbered, then everything else as it was written.
fn clauses_first(chapter: &mut Chapter) {
    let is_clause = |g: &Group| matches!(g.blocks.first(), Some(Block::Clause { .. }));
    chapter.groups.arrange_by(|a, b| match (is_clause(a), is_clause(b)) {
        (true, true) => natural(&a.name, &b.name),
        (a, b) => b.cmp(&a),
    });
}

/// Numbers by their size and letters by the alphabet: `A2` before `A10`.
fn natural(a: &str, b: &str) -> Ordering {
    let parts = |text: &str| -> Vec<(bool, usize, String)> {
        let mut out: Vec<(bool, usize, String)> = Vec::new();
        for c in text.chars() {
            let digit = c.is_ascii_digit();
            match out.last_mut() {
                Some((before, long, run)) if *before == digit => {
                    run.push(c);
                    *long += 1;
                }
                _ => out.push((digit, 1, c.to_string())),
            }
        }
        // Of two numbers the longer one is larger; of two words the letters decide.
        out.into_iter()
            .map(|(digit, long, run)| (digit, if digit { long } else { 0 }, run))
            .collect()
    };
    parts(a).cmp(&parts(b))
}

/// What is said of one item; nothing of maps, setups and cases.
fn group<'a>(desk: &Desk<'a>, item: &'a ResolvedItem, id: Option<&str>) -> Option<Group> {
    let kind = &item.item.kind;
    desk.tell_of(item);
    let mut blocks = match kind {
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
    if !matches!(kind, ItemKind::Clause(_)) {
        mark_samples(&mut blocks, &remarks(desk.book.sources, item.item.span));
    }
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

/// Says what of a rule is a sample, right below its heading or at the end of its line.
fn mark_samples(blocks: &mut Vec<Block>, found: &Remarks) {
    let reason = |why: &String| if why.is_empty() { String::new() } else { format!(": {why}") };
    let mut words = Words::new();
    if let Some(why) = &found.sample {
        words.extend([Word::Mark("sample".to_owned()), plain(reason(why))]);
    }
    for (part, why) in &found.parts {
        words.extend((!words.is_empty()).then(|| plain("; ")));
        words.extend([Word::Mark("sample".to_owned()), plain(format!(" {part}{}", reason(why)))]);
    }
    if words.is_empty() {
        return;
    }
    match blocks.first_mut() {
        Some(Block::Entry { body, .. }) => {
            body.push(plain(" "));
            body.extend(words);
        }
        Some(Block::Head { .. }) => blocks.insert(1, Block::Text(words)),
        _ => {}
    }
}

/// Links to the rules that carry a clause out, each once.
fn carried_out(desk: &Desk<'_>, id: &str) -> Words {
    let rules = desk.book.rules;
    let Some(at) = rules.clauses.iter().position(|c| c.id == id).map(ClauseId::at) else {
        return Words::new();
    };
    let mut found: Vec<Word> = Vec::new();
    let mut put = |to: &str, text: &str| {
        let link = Word::Link { to: to.to_owned(), text: tidy(text) };
        if !found.contains(&link) {
            found.push(link);
        }
    };
    for line in rules.lines.iter().filter(|l| l.clauses.contains(&at)) {
        // `trace supply, source home`: the rule is the trace.
        let whole = line.name.split(',').next().unwrap_or_default();
        let (noun, name) = whole.split_once(' ').unwrap_or((whole, ""));
        let items = desk.items(noun, name);
        let own = desk.item_at(line.span).filter(|(item, _)| items.contains(item));
        match (own, items.as_slice()) {
            (Some((_, to)), _) => put(to, name),
            (None, [item]) if desk.hides(*item) => {}
            (None, [_, ..] | []) if !name.is_empty() => put(&anchor(noun, name), name),
            _ => {}
        }
    }
    for ruling in rules.rulings.iter().filter(|r| r.clauses.contains(&at)) {
        put(&anchor(if ruling.option { "option" } else { "ruling" }, &ruling.name), &ruling.name);
    }
    joined(found.into_iter().map(|w| vec![w]).collect(), ", ")
}

#[cfg(test)]
mod tests {
    use super::natural;

    #[test]
    fn numbers_count_and_letters_do_not() {
        let mut all = ["A10", "B1", "A2", "22.2a", "22.10", "22.2", "3"];
        all.sort_by(|a, b| natural(a, b));
        assert_eq!(all, ["A2", "A10", "B1", "3", "22.2", "22.2a", "22.10"]);
    }
}
