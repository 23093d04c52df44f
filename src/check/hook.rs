//! Hooks: what a script reads is looked up, its ends proved; the script itself is nobody's matter here.

use indexmap::IndexSet;

use super::scope::{Member, Scope, Ty, Typed};
use super::{Checker, Progress};
use crate::diag::{Diagnostic, code};
use crate::ir::*;
use crate::source::Span;
use crate::syntax::ast::{self, Expr, Head, HeadKind, HookLineKind, Name, Path, ScriptFile};

/// The lines of a hook, each at most once.
#[derive(Default)]
struct Lines<'a> {
    reads: Option<&'a [Name]>,
    kept: Option<(&'a Expr, &'a Expr)>,
    script: Option<&'a ScriptFile>,
    otherwise: Option<&'a Expr>,
}

impl<'a> Checker<'a> {
    pub(super) fn hook_head(&mut self, hook: &'a ast::Hook, broken: bool) {
        let Some(of) = self.kind(&hook.of) else { return self.symbols.lost.push(hook.name.text.clone()) };
        if !self.declare_member(&hook.name, of) {
            return;
        }
        let id = HookId::at(self.out.hooks.len());
        self.add_member(&hook.name.text, of, Member::Hook(id));
        let line = self.line(format!("hook {}", hook.name.text), hook.name.span, &hook.cites);
        let nothing = self.node(Node::Nothing, hook.name.span);
        let title = hook.title.as_ref().map_or(&hook.name.text, |t| &t.text).clone();
        let ty = Type::Number { dimension: None, low: 0, high: 0, fraction: false };
        self.out.hooks.push(Hook {
            name: hook.name.text.clone(),
            title,
            of,
            ty,
            reads: Vec::new(),
            kept: (nothing, nothing),
            otherwise: nothing,
            script: None,
            viewed: false,
            line,
        });
        self.hooks.push(super::Pending { item: hook, broken, state: Progress::Waiting });
    }

    pub(super) fn hook_body(&mut self, id: HookId, item: &'a ast::Hook, broken: bool) {
        let Some(of) = self.out.hooks.get(id.index()).map(|h| h.of) else { return };
        let scope = Scope::of(of);
        let dimension = self.dimension(item.result.dimension.as_ref().unwrap_or(&item.result.name));
        let lines = self.hook_lines(item, broken);
        let reads: Vec<Read> = lines.reads.unwrap_or_default().iter().filter_map(|name| self.hook_read(name, &scope)).collect();
        let kept = lines.kept.map(|(low, high)| (self.whole_amount(low, &scope, dimension), self.whole_amount(high, &scope, dimension)));
        let otherwise = lines.otherwise.map(|value| self.whole_amount(value, &scope, dimension));
        let (least, most) = kept.map_or((0, 0), |(low, high)| self.ends(item, low, high));
        let script = lines.script.and_then(|file| {
            let source = file.source?;
            Some(Script { file: file.name.text.clone(), text: self.sources.text(source).to_owned(), named: file.name.span, source })
        });
        let viewed = self.viewed;
        if let Some(hook) = self.out.hooks.get_mut(id.index()) {
            hook.ty = Type::Number { dimension, low: least, high: most, fraction: false };
            if let Some((low, high)) = kept {
                hook.kept = (low.id, high.id);
            }
            if let Some(otherwise) = otherwise {
                hook.otherwise = otherwise.id;
            }
            (hook.reads, hook.script, hook.viewed) = (reads, script, viewed);
        }
    }

    /// The lines sorted; one that stands twice, or is lacking, is a fault.
    fn hook_lines(&mut self, item: &'a ast::Hook, broken: bool) -> Lines<'a> {
        let mut lines = Lines::default();
        for line in &item.lines {
            let (word, twice) = match &line.kind {
                HookLineKind::Reads(names) => ("reads", lines.reads.replace(names).is_some()),
                HookLineKind::Kept(low, high) => ("kept", lines.kept.replace((low, high)).is_some()),
                HookLineKind::Script(file) => ("script", lines.script.replace(file).is_some()),
                HookLineKind::Otherwise(value) => ("otherwise", lines.otherwise.replace(value).is_some()),
            };
            if twice {
                self.fault(
                    Diagnostic::error(code::E1106, line.span, format!("`{word}` stands twice in the hook `{}`", item.name.text))
                        .help("keep one of the two lines"),
                );
            }
        }
        let lacks = [
            (lines.kept.is_none(), "kept between", "kept between 0 and 20", "its results would have no ends"),
            (lines.otherwise.is_none(), "otherwise", "otherwise 0", "nothing would hold where no script is asked"),
        ];
        for (_, word, write, why) in lacks.iter().filter(|(lacks, ..)| *lacks && !broken) {
            self.fault(
                Diagnostic::error(code::E1106, item.name.span, format!("the hook `{}` has no line `{word}`, and {why}", item.name.text))
                    .help(format!("add a line such as `{write}`")),
            );
        }
        lines
    }

    /// A name that the script sees: a whole amount, a truth or a word of the hook's own subject.
    fn hook_read(&mut self, name: &Name, scope: &Scope<'_>) -> Option<Read> {
        let head = Head { span: name.span, kind: HeadKind::Name(name.clone()) };
        let path = Path { span: name.span, heads: vec![head], here: false, between: None };
        let found = self.path(&path, scope, None, Asked::Kept);
        let Ty::Of(ty) = found.ty else { return None };
        match ty {
            Type::Number { fraction: true, .. } => {
                self.fault(
                    Diagnostic::error(
                        code::E1108,
                        name.span,
                        format!("`{}` can be a fraction, and scripts know whole numbers alone", name.text),
                    )
                    .help(format!("read a value that says how it rounds, as in `define whole_{0} = rounded down ({0})`", name.text)),
                );
                None
            }
            Type::Thing { .. } => {
                let what = self.type_name(found.ty);
                self.fault(
                    Diagnostic::error(code::E1108, name.span, format!("`{}` is {what}, and a script is given no things", name.text))
                        .help("read an amount, a truth or a word; a define can say what matters of the thing"),
                );
                None
            }
            Type::Number { .. } | Type::Truth | Type::Word(_) => Some(Read { name: name.text.clone(), value: found.id, ty }),
        }
    }

    fn whole_amount(&mut self, value: &Expr, scope: &Scope<'_>, dimension: Option<DimensionId>) -> Typed {
        let found = self.amount(value, scope, dimension);
        if let Ty::Of(Type::Number { fraction: true, .. }) = found.ty {
            self.fault(
                Diagnostic::error(code::E0306, found.span, "a hook gives whole amounts, and this can be a fraction")
                    .help("say how it rounds, as in `rounded down (...)`"),
            );
        }
        found
    }

    /// The least and the most that the result can be.
    fn ends(&mut self, item: &ast::Hook, low: Typed, high: Typed) -> (i64, i64) {
        let (Ty::Of(Type::Number { low: least, high: least_most, .. }), Ty::Of(Type::Number { high: most, .. })) = (low.ty, high.ty) else {
            return (0, 0);
        };
        if least > most {
            self.fault(
                Diagnostic::error(code::E1106, low.span.to(high.span), format!("nothing lies between {least} and {most}"))
                    .help("write the lesser end first")
                    .label(item.name.span, "of this hook"),
            );
        }
        // Where both ends vary, the upper one wins, and may lie as low as it can.
        let upper_low = match high.ty {
            Ty::Of(Type::Number { low, .. }) => low,
            _ => least_most,
        };
        (least.min(upper_low), most)
    }

    /// A hook in the cost of a leg would run for every step of every search.
    pub(super) fn hooks_in_costs(&mut self) {
        let mut found: Vec<(Span, Span, String)> = Vec::new();
        for trace in &self.out.traces {
            for cost in trace.legs.iter().filter_map(|l| l.cost) {
                let place = self.out.node_spans.get(cost.index()).copied().unwrap_or_default();
                if let Some(hook) = self.hook_behind(cost, &mut IndexSet::new()).and_then(|h| self.out.hooks.get(h.index())) {
                    let line = self.out.lines.get(hook.line.index()).map_or(place, |l| l.span);
                    found.push((place, line, hook.name.clone()));
                }
            }
        }
        for (place, line, name) in found {
            self.fault(
                Diagnostic::error(code::E1107, place, format!("the cost of a step reads the hook `{name}`"))
                    .label(line, "the hook is here")
                    .help("say costs by a table; a hook can fill a gate or a budget"),
            );
        }
    }

    /// The first hook that an expression reads, by itself or through what it reads; answers of traces are not looked into.
    fn hook_behind(&self, id: ExprId, seen: &mut IndexSet<ExprId>) -> Option<HookId> {
        if !seen.insert(id) {
            return None;
        }
        let node = self.out.node(id);
        if let Node::Hook(hook, _) = node {
            return Some(*hook);
        }
        self.parts_of(node).into_iter().find_map(|part| self.hook_behind(part, seen))
    }

    /// The expressions that a node is made of, those of defines and tables among them.
    fn parts_of(&self, node: &Node) -> Vec<ExprId> {
        let things = |id: &ThingsId| -> Vec<ExprId> {
            let Some(things) = self.out.things.get(id.index()) else { return Vec::new() };
            let place = match &things.place {
                Place::Anywhere => None,
                Place::In(s) | Place::Adjacent(s, _) | Place::AdjacentNotOver(s, _) | Place::Within(_, s, _) => Some(*s),
            };
            place.into_iter().chain(things.condition).collect()
        };
        match node {
            Node::Define(define, of) => of.iter().copied().chain(self.out.defines.get(define.index()).map(|d| d.value)).collect(),
            Node::Pair(pair, a, b) => {
                let body = match pair {
                    PairRef::Own(id) => self.out.pairs.get(id.index()).map(|p| p.value),
                    PairRef::Measured(_) => None,
                };
                [*a, *b].into_iter().chain(body).collect()
            }
            Node::Table(table, _, of) => {
                let table = self.out.tables.get(table.index());
                let rows = table.iter().flat_map(|t| &t.rows);
                let parts = rows.flat_map(|r| {
                    let per = r.per.iter().flat_map(|(per, beyond)| beyond.iter().chain([per]));
                    r.values.iter().flatten().chain(&r.when).chain(per).copied().collect::<Vec<_>>()
                });
                let kept = table.and_then(|t| t.kept).map_or_else(Vec::new, |(low, high)| vec![low, high]);
                parts.chain(kept).chain(*of).collect()
            }
            Node::And(parts) | Node::Or(parts) => parts.clone(),
            Node::Not(a) | Node::Rounded(_, a) | Node::Fact(_, a) | Node::Stands(a, _) | Node::IsKind(a, _) => vec![*a],
            Node::Same(a, b) | Node::Compare(a, _, b) | Node::Arithmetic(a, _, b) | Node::Extreme { left: a, right: b, .. } => vec![*a, *b],
            Node::Any(t) | Node::Only(t) | Node::Count(t) => things(t),
            Node::Aggregate(_, value, t) => things(t).into_iter().chain([*value]).collect(),
            _ => Vec::new(),
        }
    }
}
