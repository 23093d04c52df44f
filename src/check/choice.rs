//! Choices: what there is to choose from, what is looked at first, and who chooses.

use super::name::with_article;
use super::scope::{Member, Scope};
use super::{Checker, Resolved};
use crate::diag::{Diagnostic, code};
use crate::ir::*;
use crate::syntax::ast::{self, ItemKind};

impl<'a> Checker<'a> {
    pub(super) fn choice_head(&mut self, choice: &ast::Choice) {
        let found = self.kind(&choice.of).zip(self.kind(&choice.from.kind));
        let Some((of, kind)) = found else {
            return self.symbols.lost.push(choice.name.text.clone());
        };
        if self.out.top(kind) == KindId::LINK {
            self.symbols.lost.push(choice.name.text.clone());
            let what = with_article(&choice.from.kind.text);
            return self.fault(
                Diagnostic::error(
                    code::E0207,
                    choice.from.kind.span,
                    format!("nobody can choose {what}: links have no names"),
                )
                .help("choose among spaces, units or sides"),
            );
        }
        if !self.can_be_asked(of, choice.of.span, &choice.name)
            || !self.declare_member(&choice.name, of)
        {
            return;
        }
        let id = ChoiceId::at(self.out.choices.len());
        self.add_member(&choice.name.text, of, Member::Choice(id));
        self.symbols.choices.insert(choice.name.text.clone(), id);
        let left_to = match choice.left_to.text.as_str() {
            "owner" => Decider::Owner,
            "enemy" => Decider::Enemy,
            _ => {
                self.fault(
                    Diagnostic::error(
                        code::E0201,
                        choice.left_to.span,
                        format!("a choice is not left to `{}`", choice.left_to.text),
                    )
                    .help("write `left to owner` or `left to enemy`"),
                );
                Decider::Owner
            }
        };
        let line =
            self.line(format!("choice {}", choice.name.text), choice.name.span, &choice.cites);
        let title = choice.title.as_ref().map_or(&choice.name.text, |t| &t.text).clone();
        let (name, from) = (choice.name.text.clone(), ThingsId(0));
        self.out.choices.push(Choice {
            name,
            title,
            of,
            kind,
            from,
            prefers: Vec::new(),
            left_to,
            line,
        });
    }

    pub(super) fn choices(&mut self, resolved: &'a Resolved) {
        for item in &resolved.items {
            let ItemKind::Choice(choice) = &item.item.kind else { continue };
            let Some(id) = self.symbols.choices.get(&choice.name.text).copied() else { continue };
            let Some((of, kind)) = self.out.choices.get(id.index()).map(|c| (c.of, c.kind)) else {
                continue;
            };
            let scope = Scope::of(of);
            let from = self.things(&choice.from, &scope, false);
            if !choice.from_cites.0.is_empty() {
                self.line(
                    format!("choice {}, from", choice.name.text),
                    choice.from.span,
                    &choice.from_cites,
                );
            }
            let inner = scope.with(kind);
            let mut prefers = Vec::new();
            for prefer in &choice.prefers {
                let value = match prefer.highest {
                    None => self.truth(&prefer.value, &inner),
                    Some(_) => self.amount(&prefer.value, &inner, None).id,
                };
                let line = self.line(
                    format!("choice {}, prefer", choice.name.text),
                    prefer.span,
                    &prefer.cites,
                );
                prefers.push(Prefer { highest: prefer.highest, value, line });
            }
            if let Some(choice) = self.out.choices.get_mut(id.index()) {
                (choice.from, choice.prefers) = (from, prefers);
            }
        }
    }

    /// A choice read where nobody acts.
    pub(super) fn choice_without_step(&mut self, name: &ast::Name) {
        self.fault(
            Diagnostic::error(
                code::E0313,
                name.span,
                format!("`{}` is a choice, and nobody chooses here", name.text),
            )
            .help(format!("a step acts on it, as in `must move to {} for ...`", name.text)),
        );
    }

    pub(super) fn choice_called(&mut self, name: &ast::Name) -> Option<ChoiceId> {
        let found = self.symbols.choices.get(&name.text).copied();
        if found.is_none() {
            let known = self.gathered(self.symbols.choices.keys().cloned());
            self.unknown(code::E0201, name, "choice", known.iter().map(String::as_str));
        }
        found
    }
}
