//! Looks that a map states for its drawing: `legend "as forest" with terrain taiga`.

use super::Checker;
use super::table::bare_name;
use crate::diag::{Diagnostic, code};
use crate::ir::*;
use crate::map::{Drawn, Look, Map, look_words};
use crate::syntax::ast::{self, MapLine, Name, Text, With};

impl Checker<'_> {
    /// Reads the looks of a map.
    pub(super) fn looks(&mut self, map: &ast::Map, out: &mut Map) {
        for line in &map.lines {
            let Some((sign, like)) = line.look() else { continue };
            let MapLine::Legend { with, .. } = line else { continue };
            let Some([one]) = with.as_deref() else {
                self.fault(
                    Diagnostic::error(code::E0717, sign.span, "a look is of one thing").help(
                        format!("say of which, as in `legend \"{}\" with side Red`", sign.text),
                    ),
                );
                continue;
            };
            let Some(of) = self.drawn(one) else { continue };
            let look = Look { of, like: like.to_owned() };
            if !look.is_known() {
                self.unknown_look(sign, &look);
                continue;
            }
            if out.looks.iter().any(|l| l.of == look.of) {
                self.fault(
                    Diagnostic::error(
                        code::E0202,
                        sign.span,
                        "the look of one thing is said twice",
                    )
                    .help("take one of the two out"),
                );
                continue;
            }
            out.looks.push(look);
        }
    }

    fn unknown_look(&mut self, sign: &Text, look: &Look) {
        let known = look_words(&look.of).join(", ");
        let or = match look.of {
            Drawn::Side(_) => ", or a dark colour such as `#7a1f2b`",
            _ => "",
        };
        self.fault(
            Diagnostic::error(
                code::E0717,
                sign.span,
                format!("nothing looks like `{}`", look.like),
            )
            .help(format!("take one of these words{or}: {known}")),
        );
    }

    /// What a look is of: a side, a word of an attribute, a kind of link.
    fn drawn(&mut self, one: &With) -> Option<Drawn> {
        let value = one.value.as_ref().and_then(bare_name);
        match (one.name.text.as_str(), &one.value, value) {
            ("side", Some(_), Some(side)) => {
                let known = self.out.sides.iter().any(|s| s.name == side.text);
                if !known {
                    let sides: Vec<String> =
                        self.out.sides.iter().map(|s| s.name.clone()).collect();
                    self.unknown(code::E0717, side, "side", sides.iter().map(String::as_str));
                }
                known.then(|| Drawn::Side(side.text.clone()))
            }
            (_, Some(_), Some(word)) => self.drawn_word(&one.name, word),
            (_, None, _) if self.is_link(&one.name) => Some(Drawn::Link(one.name.text.clone())),
            _ => {
                self.fault(Diagnostic::error(code::E0717, one.name.span, "this has no look").help(
                    "name a side, a word of spaces or a kind of link, as in `with side Red`, \
                         `with terrain taiga`, `with ferry`",
                ));
                None
            }
        }
    }

    fn is_link(&self, name: &Name) -> bool {
        let kind = self.symbols.kinds.get(&name.text);
        kind.is_some_and(|kind| {
            self.out.is_kind(*kind, KindId::LINK) && self.kind_name(*kind) == name.text
        })
    }

    /// A word of an attribute of spaces.
    fn drawn_word(&mut self, attribute: &Name, word: &Name) -> Option<Drawn> {
        let set = self.out.facts.iter().find_map(|fact| match fact.ty {
            Type::Word(set)
                if fact.name == attribute.text && self.out.is_kind(fact.kind, KindId::SPACE) =>
            {
                Some(set)
            }
            _ => None,
        });
        let Some(set) = set else {
            self.fault(
                Diagnostic::error(
                    code::E0717,
                    attribute.span,
                    format!(
                        "`{}` is no attribute of spaces whose values are words",
                        attribute.text
                    ),
                )
                .help("name one, as in `with terrain taiga`"),
            );
            return None;
        };
        let words: Vec<String> =
            self.out.word_sets.get(set.index()).map(|s| s.words.clone()).unwrap_or_default();
        if !words.contains(&word.text) {
            self.unknown(code::E0717, word, "value of this", words.iter().map(String::as_str));
            return None;
        }
        Some(Drawn::Terrain(attribute.text.clone(), word.text.clone()))
    }
}
