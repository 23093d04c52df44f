//! What is declared and never set or read: as a rule a slip of the pen.

use super::{Checker, Resolved};
use crate::diag::{Diagnostic, code};
use crate::ir::*;
use crate::syntax::ast::ItemKind;

impl<'a> Checker<'a> {
    pub(super) fn unused(&mut self, resolved: &'a Resolved) {
        // What reads or sets a name may stand in what is broken.
        if !self.symbols.lost.is_empty() || resolved.items.iter().any(|i| i.item.broken) {
            return;
        }
        for item in &resolved.items {
            match &item.item.kind {
                ItemKind::Mark(mark) => {
                    let id = self.out.facts.iter().position(|f| f.name == mark.name.text && matches!(f.origin, FactOrigin::Mark(_)));
                    if let Some(id) = id.map(FactId::at)
                        && !self.symbols.set_facts.contains(&id)
                    {
                        self.fault(
                            Diagnostic::warning(code::W0212, mark.name.span, format!("nothing ever sets the mark `{}`", mark.name.text))
                                .help("set it in a phase with `do mark`, or declare it with `given` if the host sets it"),
                        );
                    }
                }
                ItemKind::Ruling(ruling) if !self.symbols.read.contains(&ruling.name.text) => {
                    self.fault(
                        Diagnostic::warning(code::W0216, ruling.name.span, format!("no rule reads the ruling `{}`", ruling.name.text))
                            .help("its readings make no difference; compare it in a rule, or take it out"),
                    );
                }
                ItemKind::Choice(option) if !self.symbols.read.contains(&option.name.text) => {
                    self.fault(
                        Diagnostic::warning(code::W0216, option.name.span, format!("no rule reads the option `{}`", option.name.text))
                            .help("it makes no difference; ask for it in a rule, or take it out"),
                    );
                }
                _ => {}
            }
        }
    }
}
