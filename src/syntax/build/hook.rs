//! Hooks.

use super::super::Rule;
use super::super::ast::*;
use super::expr::expr;
use super::{Kids, Origin, P};

pub(super) fn hook(mut k: Kids<'_>) -> Option<Hook> {
    let o = k.origin;
    let name = k.name()?;
    let of = k.subject()?;
    let title = k.text();
    let mut result = Kids::of(o, k.next_if(Rule::result)?);
    let result = TableResult { name: result.name()?, dimension: result.name() };
    let cites = k.cites();
    let lines =
        k.rest_of(Rule::hook_line).into_iter().map(|p| line(o, p)).collect::<Option<Vec<_>>>()?;
    Some(Hook { name, of, title, result, cites, lines })
}

fn line(o: Origin, pair: P<'_>) -> Option<HookLine> {
    let mut k = Kids::of(o, pair);
    let span = k.span;
    let kind = if k.has(Rule::k_reads) {
        HookLineKind::Reads(k.names()?)
    } else if k.has(Rule::k_kept) {
        HookLineKind::Kept(expr(o, k.next()?)?, expr(o, k.next()?)?)
    } else if k.has(Rule::k_script) {
        HookLineKind::Script(ScriptFile { name: k.text()?, source: None })
    } else {
        HookLineKind::Otherwise(expr(o, k.next()?)?)
    };
    Some(HookLine { span, kind })
}
