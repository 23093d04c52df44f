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
