//! The small changes of maps and setups: units and facts left out, other numbers and words.

use super::change::Sort;
use super::expr::Maker;
use crate::check::Resolved;
use crate::source::Span;
use crate::syntax::ast::*;

/// The words that may stand in each other's place, set by set.
pub(super) struct Words(Vec<Vec<String>>);

impl Words {
    /// The words of attributes and facts, the stages of tracks, the names of things, the sides.
    pub(super) fn of(resolved: &Resolved) -> Words {
        let texts = |names: &[Name]| names.iter().map(|n| n.text.clone()).collect::<Vec<String>>();
        let mut sets = Vec::new();
        let mut typed = |ty: &AttributeType| {
            if let AttributeType::Word(names) = ty {
                sets.push(texts(names));
            }
        };
        for item in &resolved.items {
            match &item.item.kind {
                ItemKind::Kind(kind) => kind.attributes.iter().for_each(|a| typed(&a.ty)),
                ItemKind::Given(given) => given.ty.iter().for_each(&mut typed),
                _ => {}
            }
        }
        for item in &resolved.items {
            match &item.item.kind {
                ItemKind::Track(track) => sets.push(texts(&track.stages)),
                ItemKind::Named(named) => sets.push(texts(&named.names)),
                ItemKind::Sides(sides) => {
                    sets.push([texts(&sides.names), texts(&sides.against)].concat())
                }
                _ => {}
            }
        }
        sets.push(vec!["yes".to_owned(), "no".to_owned()]);
        Words(sets)
    }

    /// The next word of the first set that has this one.
    fn other(&self, word: &str) -> Option<&str> {
        let (set, at) =
            self.0.iter().find_map(|set| Some((set, set.iter().position(|w| w == word)?)))?;
        set.get(at + 1).or_else(|| set.first()).map(String::as_str).filter(|other| *other != word)
    }
}

impl Maker<'_> {
    /// What a map or a setup says, one change for each thing that it says.
    pub(super) fn position(&mut self, item: &Item, words: &Words) {
        match &item.kind {
            ItemKind::Map(map) => {
                self.owner = format!("map {}", map.name.text);
                for line in &map.lines {
                    match line {
                        MapLine::Space(space) => {
                            self.part(&space.name.text, |m| m.with(&space.with, words))
                        }
                        MapLine::Legend { .. } if line.look().is_some() => {}
                        MapLine::Legend { sign, with } => {
                            let all = with.as_deref().unwrap_or_default();
                            self.part(&format!("legend {}", sign.text), |m| m.with(all, words));
                        }
                        MapLine::Given(given) => self.given(given, words),
                        MapLine::Link { kind, with, filled, .. } => {
                            let noun = if *filled { "line" } else { "link" };
                            self.part(&format!("{noun} {}", kind.text), |m| m.with(with, words));
                        }
                        MapLine::NoJunction { kind, spaces } => self.crossings(kind, spaces),
                        MapLine::Grid(_) | MapLine::Row(_) | MapLine::Table { .. } => {}
                    }
                }
            }
            ItemKind::Setup(setup) => {
                self.owner = format!("setup {}", setup.name.text);
                for line in &setup.lines {
                    match line {
                        SetupLine::Put(put) => self.part(&put.name.text, |m| {
                            m.drop_lines(Sort::PutDropped, put.span, &Cites::default());
                            m.with(&put.with, words);
                        }),
                        SetupLine::Given(given) => self.given(given, words),
                    }
                }
            }
            _ => {}
        }
    }

    /// Each crossing of a line left out.
    fn crossings(&mut self, kind: &Name, spaces: &[Name]) {
        for (at, space) in spaces.iter().enumerate() {
            let of = space.span;
            // With the comma behind it, or before it.
            let dropped =
                match (at.checked_sub(1).and_then(|at| spaces.get(at)), spaces.get(at + 1)) {
                    (_, Some(next)) => Span::new(of.source, of.start, next.span.start),
                    (Some(before), None) => Span::new(of.source, before.span.end, of.end),
                    (None, None) => self.whole_lines(Span::new(of.source, kind.span.start, of.end)),
                };
            let name = format!("no junction of {} at {}", kind.text, space.text);
            self.part(&name, |m| m.push(Sort::CrossingDropped, dropped, "", "left out"));
        }
    }

    fn with(&mut self, all: &[With], words: &Words) {
        for with in all {
            match &with.value {
                Some(value) => self.value(value, words),
                None => {
                    let text = with.name.text.clone();
                    let end =
                        Span::new(with.name.span.source, with.name.span.end, with.name.span.end);
                    self.push(Sort::Word, end, " no", format!("{text} -> {text} no"));
                }
            }
        }
    }

    fn given(&mut self, given: &Given, words: &Words) {
        let text = self.sources.slice(given.span).split_whitespace().collect::<Vec<_>>().join(" ");
        let short: String = text.chars().take(40).collect();
        let name = if short == text { text } else { format!("{short}...") };
        self.part(&name, |m| {
            m.drop_lines(Sort::FactDropped, given.span, &Cites::default());
            if let GivenKind::Fact { fact, .. } = &given.kind
                && let ExprKind::Is { right, .. } = &fact.kind
            {
                m.value(right, words);
            }
        });
    }

    /// One other value.
    fn value(&mut self, value: &Expr, words: &Words) {
        match &value.kind {
            ExprKind::Number { text, .. } => {
                let Ok(old) = text.parse::<i64>() else { return };
                let new = if old > 0 { old - 1 } else { old.saturating_add(1) };
                let end = value.span.start + u32::try_from(text.len()).unwrap_or(0);
                self.replace(
                    Sort::Number,
                    Span::new(value.span.source, value.span.start, end),
                    &new.to_string(),
                );
            }
            ExprKind::Path(Path { heads, here: false, between: None, .. }) => {
                let [Head { kind: HeadKind::Name(name), .. }] = heads.as_slice() else { return };
                if let Some(other) = words.other(&name.text) {
                    self.replace(Sort::Word, name.span, other);
                }
            }
            _ => {}
        }
    }
}
