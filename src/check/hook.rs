//! Hooks: what a script reads is looked up, its ends proved; the script itself is nobody's matter
//! here.

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
        let Some(of) = self.kind(&hook.of) else {
            return self.symbols.lost.push(hook.name.text.clone());
        };
        if !self.can_be_asked(of, hook.of.span, &hook.name) || !self.declare_member(&hook.name, of)
        {
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
        let reads: Vec<Read> = lines
            .reads
            .unwrap_or_default()
            .iter()
            .filter_map(|name| self.hook_read(name, &scope))
            .collect();
        let kept = lines.kept.map(|(low, high)| {
            (self.whole_amount(low, &scope, dimension), self.whole_amount(high, &scope, dimension))
        });
        let otherwise = lines.otherwise.map(|value| self.whole_amount(value, &scope, dimension));
        let (least, most) = kept.map_or((0, 0), |(low, high)| self.ends(item, low, high));
        if let (Some(given), Some(_)) = (&otherwise, lines.kept) {
            self.otherwise_within(given, (least, most));
        }
        let script = lines.script.and_then(|file| {
            let source = file.source?;
            Some(Script {
                file: file.name.text.clone(),
                text: self.sources.text(source).to_owned(),
                named: file.name.span,
                source,
            })
        });
        let viewed = self.viewed.is_some();
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

    /// What holds where no script is asked is kept between the ends too, and would be another.
    fn otherwise_within(&mut self, given: &Typed, (least, most): (i64, i64)) {
        let Ty::Of(Type::Number { low, high, .. }) = given.ty else { return };
        if least <= most && (high < least || most < low) {
            let message = format!("`otherwise` lies outside of what is kept, {least} to {most}");
            let fault = Diagnostic::error(code::E1106, given.span, message);
            self.fault(fault.help("write an amount that lies between the two ends"));
        }
    }

    /// The lines sorted; one that stands twice, or is lacking, is a fault.
    fn hook_lines(&mut self, item: &'a ast::Hook, broken: bool) -> Lines<'a> {
        let mut lines = Lines::default();
        for line in &item.lines {
            let (word, twice) = match &line.kind {
                HookLineKind::Reads(names) => ("reads", lines.reads.replace(names).is_some()),
                HookLineKind::Kept(low, high) => {
                    ("kept", lines.kept.replace((low, high)).is_some())
                }
                HookLineKind::Script(file) => ("script", lines.script.replace(file).is_some()),
                HookLineKind::Otherwise(value) => {
                    ("otherwise", lines.otherwise.replace(value).is_some())
                }
            };
            if twice {
                self.fault(
                    Diagnostic::error(
                        code::E1106,
                        line.span,
                        format!("`{word}` stands twice in the hook `{}`", item.name.text),
                    )
                    .help("keep one of the two lines"),
                );
            }
        }
        let lacks = [
            (
                lines.kept.is_none(),
                "kept between",
                "kept between 0 and 20",
                "its results would have no ends",
            ),
            (
                lines.otherwise.is_none(),
                "otherwise",
                "otherwise 0",
                "nothing would hold where no script is asked",
            ),
        ];
        for (_, word, write, why) in lacks.iter().filter(|(lacks, ..)| *lacks && !broken) {
            self.fault(
                Diagnostic::error(
                    code::E1106,
                    item.name.span,
                    format!("the hook `{}` has no line `{word}`, and {why}", item.name.text),
                )
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
            Type::Number { .. } | Type::Truth | Type::Word(_) => {
                Some(Read { name: name.text.clone(), value: found.id, ty })
            }
        }
    }

    fn whole_amount(
        &mut self,
        value: &Expr,
        scope: &Scope<'_>,
        dimension: Option<DimensionId>,
    ) -> Typed {
        let found = self.amount(value, scope, dimension);
        if let Ty::Of(Type::Number { fraction: true, .. }) = found.ty {
            self.fault(
                Diagnostic::error(
                    code::E0306,
                    found.span,
                    "a hook gives whole amounts, and this can be a fraction",
                )
                .help("say how it rounds, as in `rounded down (...)`"),
            );
        }
        found
    }

    /// The least and the most that the result can be.
    fn ends(&mut self, item: &ast::Hook, low: Typed, high: Typed) -> (i64, i64) {
        let (
            Ty::Of(Type::Number { low: least, high: least_most, .. }),
            Ty::Of(Type::Number { high: most, .. }),
        ) = (low.ty, high.ty)
        else {
            return (0, 0);
        };
        if least > most {
            self.fault(
                Diagnostic::error(
                    code::E1106,
                    low.span.to(high.span),
                    format!("nothing lies between {least} and {most}"),
                )
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

    /// A hook in the cost of a leg would run for every step of every search, whatever the cost asks
    /// it through.
    pub(super) fn hooks_in_costs(&mut self) {
        if self.out.hooks.is_empty() {
            return;
        }
        let mut found: Vec<(Span, Span, String)> = Vec::new();
        for cost in self.out.traces.iter().flat_map(|trace| &trace.legs).filter_map(|leg| leg.cost)
        {
            let mut first = None;
            self.out.walk(
                [cost],
                |_| true,
                |_, id| match self.out.node(id) {
                    Node::Hook(hook, _) if first.is_none() => first = Some(*hook),
                    _ => {}
                },
            );
            let place = self.out.node_spans.get(cost.index()).copied().unwrap_or_default();
            if let Some(hook) = first.and_then(|hook| self.out.hooks.get(hook.index())) {
                let line = self.out.lines.get(hook.line.index()).map_or(place, |l| l.span);
                found.push((place, line, hook.name.clone()));
            }
        }
        for (place, line, name) in found {
            self.fault(
                Diagnostic::error(
                    code::E1107,
                    place,
                    format!("the cost of a step reads the hook `{name}`"),
                )
                .label(line, "the hook is here")
                .help("say costs by a table; a hook can fill a gate or a budget"),
            );
        }
    }
}
