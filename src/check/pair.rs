//! Pairs: values of two things. Their heads, their bodies, and what a use of one must say.

use super::name::with_article;
use super::scope::{Scope, Ty, Typed};
use super::{Checker, Pending, Progress, Resolved};
use crate::diag::{Diagnostic, code};
use crate::ir::*;
use crate::source::Span;
use crate::syntax::ast::{self, Expr, Head, HeadKind, ItemKind, Name, Path};

impl<'a> Checker<'a> {
    /// `tabletop in bw`: with it come the pairs that are measured on a table.
    pub(super) fn tabletop(&mut self, resolved: &'a Resolved) {
        for item in &resolved.items {
            let ItemKind::Tabletop(name) = &item.item.kind else { continue };
            let key = ("the tabletop", String::new());
            if let Some(first) = self.symbols.places.insert(key, name.span) {
                self.fault(
                    Diagnostic::error(code::E0202, name.span, "a game is played on one table")
                        .label(first, "its lengths are measured here already")
                        .help("take one of the two lines out"),
                );
                continue;
            }
            self.out.tabletop = self.dimension(name);
            if self.out.tabletop.is_some() {
                self.symbols.pairs.extend(
                    Measure::ALL
                        .map(|(name, measure)| (name.to_owned(), PairRef::Measured(measure))),
                );
            }
        }
    }

    pub(super) fn pair_head(&mut self, pair: &'a ast::Pair, broken: bool) {
        let [first, second] = &pair.parties;
        let kinds = self.party_kind(&first.kind).zip(self.party_kind(&second.kind));
        let Some((a, b)) = kinds else { return self.symbols.lost.push(pair.name.text.clone()) };
        if first.name.text == second.name.text {
            self.fault(
                Diagnostic::error(
                    code::E0202,
                    second.name.span,
                    format!("both parties are called `{}`", second.name.text),
                )
                .label(first.name.span, "the first is called so here")
                .help("give each a name of its own"),
            );
        }
        if self.symbols.pairs.contains_key(&pair.name.text)
            && Measure::called(&pair.name.text).is_some()
        {
            self.fault(
                Diagnostic::error(
                    code::E0202,
                    pair.name.span,
                    format!("`{}` is measured on the table", pair.name.text),
                )
                .help("take another name for this pair; it may read the measured one"),
            );
            return;
        }
        if self.symbols.members.contains_key(&pair.name.text) {
            self.fault(
                Diagnostic::error(
                    code::E0202,
                    pair.name.span,
                    format!("`{}` is said of one thing already", pair.name.text),
                )
                .help("take another name for one of them: a name is read in one way"),
            );
            return;
        }
        if !self.declare_name("name", &pair.name) {
            return;
        }
        let id = PairId::at(self.out.pairs.len());
        self.symbols.pairs.insert(pair.name.text.clone(), PairRef::Own(id));
        let line = self.line(format!("pair {}", pair.name.text), pair.name.span, &pair.cites);
        let title = pair.title.as_ref().map_or(&pair.name.text, |t| &t.text).clone();
        let value = self.node(Node::Nothing, pair.name.span);
        let ty = if pair.amount {
            Type::Number { dimension: None, low: 0, high: 0, fraction: false }
        } else {
            Type::Truth
        };
        self.out.pairs.push(Pair {
            name: pair.name.text.clone(),
            title,
            parties: [a, b],
            value,
            ty,
            viewed: false,
            line,
        });
        self.pairs.push(Pending { item: pair, broken, state: Progress::Waiting });
    }

    /// The kind of a party; what a pair is said of has a place of its own in a position.
    fn party_kind(&mut self, name: &Name) -> Option<KindId> {
        let kind = self.kind(name)?;
        if matches!(self.out.top(kind), KindId::UNIT | KindId::SPACE | KindId::SIDE) {
            return Some(kind);
        }
        let what = with_article(&name.text);
        self.fault(
            Diagnostic::error(
                code::E0207,
                name.span,
                format!("{what} cannot be a party of a pair"),
            )
            .help("a pair is said of units, spaces and sides"),
        );
        None
    }

    /// Translates a pair if that has not happened yet; false if it is being translated just now, or
    /// nothing is known of it.
    pub(super) fn need_pair(&mut self, id: PairId) -> bool {
        let (item, broken) = match self.begun(id.index(), |c, at| c.pairs.get_mut(at)) {
            Ok(begun) => begun,
            // What is wrong with it has been said.
            Err(state) => return state == Progress::Done,
        };
        let outer = (std::mem::take(&mut self.viewed), self.reads_subject);
        let lost = broken || !self.pair_body(id, item);
        if lost {
            self.symbols.lost.push(item.name.text.clone());
        }
        (self.viewed, self.reads_subject) = outer;
        self.ended(
            id.index(),
            |c, at| c.pairs.get_mut(at),
            if lost { Progress::Lost } else { Progress::Done },
        );
        !lost
    }

    fn pair_body(&mut self, id: PairId, item: &'a ast::Pair) -> bool {
        let Some(parties) = self.out.pairs.get(id.index()).map(|p| p.parties) else { return false };
        let [first, second] = &item.parties;
        let names = (first.name.text.as_str(), second.name.text.as_str());
        let scope = Scope { levels: parties.to_vec(), parties: Some(names), ..Scope::default() };
        let found = self.expr(&item.value, &scope, (!item.amount).then_some(Type::Truth));
        let ty = match found.ty {
            Ty::Of(ty @ Type::Truth) if !item.amount => ty,
            Ty::Of(ty @ Type::Number { .. }) if item.amount => ty,
            Ty::Poison => return false,
            other => {
                let what = self.type_name(other);
                let fault = if item.amount {
                    Diagnostic::error(
                        code::E0316,
                        found.span,
                        format!(
                            "a pair `from` one thing `to` another is an amount, and this is {what}"
                        ),
                    )
                    .help(format!(
                        "write `pair KIND a is {} KIND b = ...` for a condition",
                        item.name.text
                    ))
                } else {
                    Diagnostic::error(
                        code::E0316,
                        found.span,
                        format!(
                            "what one thing `is` to another is a condition, and this is {what}"
                        ),
                    )
                    .help(format!(
                        "write `pair {} from KIND a to KIND b = ...` for an amount",
                        item.name.text
                    ))
                };
                self.fault(fault);
                return false;
            }
        };
        // The owner of a party that is a unit asks; only where there is none does the body see what
        // the question sees.
        let viewed = self.viewed.is_some()
            && !parties.iter().any(|kind| self.out.is_kind(*kind, KindId::UNIT));
        if let Some(pair) = self.out.pairs.get_mut(id.index()) {
            (pair.value, pair.ty, pair.viewed) = (found.id, ty, viewed);
        }
        true
    }

    /// `A is NAME B`.
    pub(super) fn truth_of_two(
        &mut self,
        span: Span,
        left: &Expr,
        name: &Name,
        right: &Expr,
        scope: &Scope<'_>,
    ) -> Typed {
        let Some(pair) = self.pair_called(name, false) else { return self.poison(span) };
        let left = self.expr(left, scope, self.party_type(pair, 0));
        let right = self.expr(right, scope, self.party_type(pair, 1));
        self.of_two(span, name, pair, left, right)
    }

    /// `NAME from A to B`.
    pub(super) fn amount_between(
        &mut self,
        path: &Path,
        (from, to): &(Path, Path),
        scope: &Scope<'_>,
    ) -> Typed {
        let [Head { kind: HeadKind::Name(name), .. }] = path.heads.as_slice() else {
            self.fault(
                Diagnostic::error(code::E0318, path.span, "one name stands before `from`")
                    .help("write `NAME from A to B`, the name of a pair and its two parties"),
            );
            return self.poison(path.span);
        };
        let Some(pair) = self.pair_called(name, true) else { return self.poison(path.span) };
        let left = self.path(from, scope, self.party_type(pair, 0), Asked::Kept);
        let right = self.path(to, scope, self.party_type(pair, 1), Asked::Kept);
        self.of_two(path.span, name, pair, left, right)
    }

    /// The pair of a name, asked in the form of its head.
    fn pair_called(&mut self, name: &Name, amount: bool) -> Option<PairRef> {
        let Some(pair) = self.symbols.pairs.get(&name.text).copied() else {
            self.no_pair(name, amount);
            return None;
        };
        if let PairRef::Own(id) = pair
            && !self.need_pair(id)
        {
            return None;
        }
        let is_amount = matches!(self.out.pair_type(pair), Some(Type::Number { .. }));
        if is_amount != amount {
            let (is, write) = (
                if is_amount { "an amount" } else { "a condition" },
                self.use_of(&name.text, pair),
            );
            self.fault(
                Diagnostic::error(
                    code::E0318,
                    name.span,
                    format!("`{}` of two things is {is}", name.text),
                )
                .help(write),
            );
            return None;
        }
        Some(pair)
    }

    fn no_pair(&mut self, name: &Name, amount: bool) {
        if Measure::called(&name.text).is_some_and(|m| m.is_amount() == amount)
            && self.out.tabletop.is_none()
            && !self.is_lost(&name.text)
        {
            self.fault(
                Diagnostic::error(code::E0201, name.span, format!("`{}` is measured on a table, and this game has none", name.text))
                    .help("say in which dimension its lengths are, as in `tabletop in inches`, or declare a pair of this name"),
            );
            return;
        }
        if let Some(kind) = self.symbols.kinds.get(&name.text).filter(|_| !amount) {
            let kind = self.kind_name(*kind);
            self.symbols.unknown += 1;
            let what = format!("no fact of two parties is called `{}`", name.text);
            let help = format!(
                "a thing is named without its kind, `is Capital`, and a place of a map where the \
                 rules say `named {kind} Capital`"
            );
            self.fault(Diagnostic::error(code::E0201, name.span, what).help(help));
            return;
        }
        let fits = |pair: &PairRef| {
            matches!(self.out.pair_type(*pair), Some(Type::Number { .. })) == amount
        };
        let mut known: Vec<String> =
            self.symbols.pairs.iter().filter(|(_, p)| fits(p)).map(|(n, _)| n.clone()).collect();
        if !amount {
            known.extend(Relation::NAMED.map(|(name, _)| name.to_owned()));
        }
        let what = if amount { "amount between two things" } else { "fact of two parties" };
        self.unknown(code::E0201, name, what, known.iter().map(String::as_str));
    }

    /// How a pair is used, for the mend of a fault.
    fn use_of(&self, name: &str, pair: PairRef) -> String {
        match self.out.pair_type(pair) {
            Some(Type::Number { .. }) => format!("write `{name} from A to B`"),
            _ => format!("write `A is {name} B`"),
        }
    }

    /// What a party must be, so that names are looked up as such.
    fn party_type(&self, pair: PairRef, party: usize) -> Option<Type> {
        let PairRef::Own(id) = pair else { return None };
        let kind = *self.out.pairs.get(id.index())?.parties.get(party)?;
        Some(Type::Thing { kind, maybe: false })
    }

    fn of_two(
        &mut self,
        span: Span,
        name: &Name,
        pair: PairRef,
        left: Typed,
        right: Typed,
    ) -> Typed {
        let mut fits = true;
        for (at, party) in [left, right].into_iter().enumerate() {
            fits &= self.fits_party(name, pair, at, party);
        }
        if !fits {
            return self.poison(span);
        }
        let Some(ty) = self.out.pair_type(pair) else { return self.poison(span) };
        if let PairRef::Own(id) = pair {
            self.sees(self.out.pairs.get(id.index()).is_some_and(|p| p.viewed), name);
        }
        self.typed(Node::Pair(pair, left.id, right.id), Ty::Of(ty), span)
    }

    /// Whether something may stand as a party of a pair.
    fn fits_party(&mut self, name: &Name, pair: PairRef, at: usize, party: Typed) -> bool {
        let want = match self.party_type(pair, at) {
            Some(Type::Thing { kind, .. }) => Some(kind),
            _ => None,
        };
        match (party.ty, want) {
            (Ty::Poison, _) => return false,
            (Ty::Of(Type::Thing { kind, .. }), Some(want))
                if self.out.is_kind(kind, want) || self.out.is_kind(want, kind) =>
            {
                return true;
            }
            (Ty::Of(Type::Thing { kind, .. }), None) if self.out.is_party(pair, at, kind) => {
                return true;
            }
            _ => {}
        }
        let is = match party.ty {
            Ty::Of(Type::Thing { kind, .. }) => self.a_kind(kind),
            other => self.type_name(other),
        };
        let want = want.map_or_else(|| "a unit or a space".to_owned(), |kind| self.a_kind(kind));
        self.fault(
            Diagnostic::error(
                code::E0318,
                party.span,
                format!("`{}` wants {want} here, and this is {is}", name.text),
            )
            .help(format!("name {want}; the order of the two is that of the sentence")),
        );
        false
    }

    /// The party of a name, in the body of a pair.
    pub(super) fn party(&mut self, name: &Name, scope: &Scope<'_>) -> Option<Typed> {
        let (first, second) = scope.parties?;
        let level = if name.text == first {
            0
        } else if name.text == second {
            1
        } else {
            return None;
        };
        let kind = *scope.levels.get(usize::from(level))?;
        Some(self.typed(Node::Subject(level), Ty::thing(kind), name.span))
    }

    /// What stands alone in the body of a pair, where no single thing is asked about. True if that
    /// is what is wrong.
    pub(super) fn said_of_no_party(&mut self, name: &Name, scope: &Scope<'_>) -> bool {
        let (Some((first, second)), [a, b, ..]) = (scope.parties, scope.levels.as_slice()) else {
            return false;
        };
        let has = |kind: KindId| {
            let member = self.symbols.members.get(&name.text);
            let of_kind = |(k, _): &(KindId, super::scope::Member)| {
                self.out.is_kind(kind, *k) || self.out.is_kind(*k, kind)
            };
            member.is_some_and(|all| all.iter().any(of_kind))
        };
        let stance = super::things::stance(&name.text).is_some();
        let of: Vec<&str> = [(first, *a), (second, *b)]
            .into_iter()
            .filter(|(_, kind)| stance || has(*kind))
            .map(|(party, _)| party)
            .collect();
        let Some(nearest) = of.first() else { return false };
        let text = &name.text;
        let write = |party: &str| {
            if stance { format!("`{party} is {text}`") } else { format!("`{text} of {party}`") }
        };
        let help = of.iter().map(|party| write(party)).collect::<Vec<_>>().join(" or ");
        let fault = Diagnostic::error(
            code::E0317,
            name.span,
            format!("`{text}` is said of one party, and it does not say of which"),
        );
        let mend =
            if stance { format!("{nearest} is {text}") } else { format!("{text} of {nearest}") };
        self.fault(fault.help(format!("write {help}")).suggest(name.span, mend));
        true
    }

    /// A pair that stands where a fact of one thing should. True if that is what is wrong.
    pub(super) fn pair_of_one(&mut self, name: &Name) -> bool {
        let Some(pair) = self.symbols.pairs.get(&name.text).copied() else { return false };
        let write = self.use_of(&name.text, pair);
        self.fault(
            Diagnostic::error(
                code::E0318,
                name.span,
                format!("`{}` is said of two things, and a party is missing", name.text),
            )
            .help(write),
        );
        true
    }
}
