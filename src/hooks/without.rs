//! A build without scripts: each hook that names one is told of, and gives what it gives otherwise.

use crate::diag::{Diagnostic, code};
use crate::ir::Ruleset;

/// Binds nothing, and says so for each script.
pub fn bind(rules: &mut Ruleset) -> Vec<Diagnostic> {
    let scripts = rules.hooks.iter().filter_map(|h| Some((h, h.script.as_ref()?)));
    scripts
        .map(|(hook, script)| {
            Diagnostic::warning(code::W1110, script.named, "this program was built without scripts")
                .label(script.named, format!("`{}` gives what `otherwise` says", hook.name))
                .help("take a program that was built with the feature `hooks`")
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::*;
    use crate::source::{SourceId, Span};

    #[test]
    fn a_script_that_nobody_runs_is_told_of() {
        let named = Span::new(SourceId(3), 4, 9);
        let script =
            Script { file: "a.rhai".to_owned(), text: "1".to_owned(), named, source: SourceId(4) };
        let ty = Type::Number { dimension: None, low: 0, high: 1, fraction: false };
        let (name, reads, line) = ("gap".to_owned(), Vec::new(), LineId(0));
        let hook = Hook {
            title: name.clone(),
            name,
            of: KindId::UNIT,
            ty,
            reads,
            kept: (ExprId(0), ExprId(0)),
            otherwise: ExprId(0),
            script: Some(script),
            viewed: false,
            line,
        };
        let bare = Hook { script: None, ..hook.clone() };
        let mut rules = Ruleset { hooks: vec![hook, bare], ..Ruleset::default() };
        let faults = bind(&mut rules);
        let told: Vec<_> = faults.iter().map(|f| (f.code, f.primary())).collect();
        assert_eq!(told, [(code::W1110, Some(named))]);
        assert!(!rules.calls.is_bound());
    }
}
