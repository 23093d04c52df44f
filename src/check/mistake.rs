//! Mistakes that a suite expects the checker to find: their titles and codes. Whether they are
//! found is asked when the suite runs, for each of them is a ruleset of its own.

use super::{Checker, Resolved};
use crate::diag::{Diagnostic, code};
use crate::syntax::ast::{ItemKind, Name};

impl<'a> Checker<'a> {
    pub(super) fn mistakes(&mut self, resolved: &'a Resolved) {
        for item in &resolved.items {
            let ItemKind::Mistake(mistake) = &item.item.kind else { continue };
            self.declare_name(
                "case",
                &Name { text: mistake.title.text.clone(), span: mistake.title.span },
            );
            self.clauses(&mistake.cites);
            if code::find(&mistake.code.text)
                .is_none_or(|known| known.code.as_str() != mistake.code.text)
            {
                let fault = Diagnostic::error(
                    code::E0716,
                    mistake.code.span,
                    format!("there is no code `{}`", mistake.code.text),
                );
                let near = code::find(&mistake.code.text)
                    .or_else(|| code::closest(&mistake.code.text))
                    .map(|c| c.code.as_str());
                self.fault(match near {
                    Some(near) => fault
                        .help(format!("write `{near}`"))
                        .suggest(mistake.code.span, near.to_owned()),
                    None => fault
                        .help("`sutler explain-code E0301` explains one; a message shows its own"),
                });
            }
        }
    }
}
