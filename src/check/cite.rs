//! Clauses that lines cite.

use super::Checker;
use super::scope::Used;
use crate::diag::{Diagnostic, code, suggest};
use crate::ir::ClauseId;
use crate::syntax::ast::{Cites, Name};

impl Checker<'_> {
    /// The clauses in a pair of brackets; an unknown one is a fault of its own.
    pub(super) fn clauses(&mut self, cites: &Cites) -> Vec<ClauseId> {
        let mut found = Vec::new();
        for cite in &cites.0 {
            let clause = self.clause(cite);
            if let Some(id) = clause {
                self.symbols.note(cite.span, Used::Clause(id));
            }
            match clause {
                Some(id) if !found.contains(&id) => found.push(id),
                Some(_) => {}
                None => self.unknown_clause(cite),
            }
        }
        found
    }

    fn clause(&self, cite: &Name) -> Option<ClauseId> {
        let prefix = self.prefixes.get(cite.span.source.0 as usize).map_or("", String::as_str);
        let full = format!("{prefix}-{}", cite.text);
        self.symbols.clauses.get(&full).or_else(|| self.symbols.clauses.get(&cite.text)).copied()
    }

    fn unknown_clause(&mut self, cite: &Name) {
        if self.is_lost("section") || self.is_lost("clause") || self.is_lost("ruleset") {
            return;
        }
        let unknown = format!("no clause is called `{}`", cite.text);
        let fault = Diagnostic::error(code::E0204, cite.span, unknown);
        if !self.suggests() {
            return self.fault(fault.help(Self::unsuggested()));
        }
        let prefix = format!("{}-", self.out.prefix);
        let known: Vec<&str> =
            self.symbols.clauses.keys().map(|k| k.strip_prefix(&prefix).unwrap_or(k)).collect();
        // `1411` may have been meant for `14.11`, or for `141.1`.
        let dotless: Vec<String> = known
            .iter()
            .filter(|k| k.contains('.') && k.replace('.', "") == cite.text)
            .map(|k| format!("`{k}`"))
            .collect();
        if !dotless.is_empty() {
            return self.fault(
                fault.help(format!("write {}: section, point, clause", dotless.join(" or "))),
            );
        }
        let near = suggest::the_one(&cite.text, known).map(str::to_owned);
        self.fault(match near {
            Some(near) => fault.help(format!("write `{near}`")).suggest(cite.span, near),
            None => fault.help("declare it under its section, as in `clause a \"what it says\"`"),
        });
    }
}
