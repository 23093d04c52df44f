//! Unknown names, and names declared twice: one wording and one did-you-mean for all constructs.

use super::Checker;
use super::scope::{Member, Scope, Used};
use crate::diag::{Diagnostic, Way, code, suggest};
use crate::ir::*;
use crate::syntax::ast::{ItemKind, Name};

/// More unknown names than this have no suggestion.
pub(super) const MOST_SUGGESTED: usize = 256;
/// The most names tried of those that are equally near.
const MOST_NEAR: usize = 3;

/// The words that are a whole condition, or a whole value, by themselves.
const STANDING_ALONE: [&str; 9] =
    ["own", "enemy", "allied", "friendly", "neutral", "none", "always", "never", "yes"];

impl Checker<'_> {
    /// Notes a declaration; a second one of the same name in the same namespace is a fault. True
    /// for the first.
    pub(super) fn declare_name(&mut self, space: &'static str, name: &Name) -> bool {
        let key = (space, name.text.clone());
        if let Some(first) = self.symbols.places.get(&key).copied() {
            self.fault(
                Diagnostic::error(
                    code::E0202,
                    name.span,
                    format!("`{}` is declared twice", name.text),
                )
                .label(first, "first declared here")
                .help(
                    "take another name for one of them; a variant changes a name with `override`",
                ),
            );
            return false;
        }
        self.symbols.places.insert(key, name.span);
        if space == "name" {
            self.is_no_condition(name);
        }
        true
    }

    /// Refuses a name that a condition reads as a word of the language: nothing could ask for it.
    pub(super) fn is_no_condition(&mut self, name: &Name) {
        if !STANDING_ALONE.contains(&name.text.as_str()) {
            return;
        }
        let message = format!("`{}` is a word of conditions already", name.text);
        let fault = Diagnostic::error(code::E0202, name.span, message);
        self.fault(
            fault.help("take a longer name: a condition would read the word, and never this"),
        );
    }

    /// Whether a broken item would have declared this name.
    pub(super) fn is_lost(&self, name: &str) -> bool {
        self.symbols.lost.contains(name)
    }

    /// Whether the item that a set of words is of cannot be read to its end.
    pub(super) fn is_broken(&self, set: WordSetId) -> bool {
        let Some(set) = self.out.word_sets.get(set.index()) else { return false };
        let is_it = |item: &ItemKind| match item {
            ItemKind::Test(test) => test.name.text == set.name,
            ItemKind::Track(track) => track.name.text == set.name,
            ItemKind::Ruling(ruling) => ruling.name.text == set.name,
            _ => false,
        };
        self.items.iter().any(|item| item.item.broken && is_it(&item.item.kind))
    }

    /// The same of a word that is none of the language, which nothing declares.
    fn is_lost_name(&self, name: &Name) -> bool {
        self.is_lost(&name.text) && !crate::syntax::is_of_the_language(&name.text)
    }

    /// An unknown name, with the nearest of the names that could stand there.
    pub(super) fn unknown<'n>(
        &mut self,
        code: crate::diag::Code,
        name: &Name,
        what: &str,
        candidates: impl IntoIterator<Item = &'n str>,
    ) {
        self.unknown_of(code, name, (what, None), candidates);
    }

    /// The same of a name that would be said of a kind.
    fn unknown_of<'n>(
        &mut self,
        code: crate::diag::Code,
        name: &Name,
        (what, of): (&str, Option<KindId>),
        candidates: impl IntoIterator<Item = &'n str>,
    ) {
        if self.is_lost_name(name) || self.pair_of_one(name) {
            return;
        }
        let removed = self.symbols.removed.iter().any(|(n, _)| *n == name.text);
        if !self.suggests() && !removed {
            let fault =
                Diagnostic::error(code, name.span, format!("no {what} is called `{}`", name.text));
            return self.fault(fault.help(Self::unsuggested()));
        }
        let known: Vec<&str> = candidates.into_iter().filter(|c| *c != name.text).collect();
        let near: Vec<Way> = suggest::equally_close(&name.text, known.iter().copied(), MOST_NEAR)
            .into_iter()
            .map(|near| Way::near(name.span, near))
            .collect();
        let help = self.instead(code, &name.text, of, &known);
        let fault =
            Diagnostic::error(code, name.span, format!("no {what} is called `{}`", name.text));
        if let Some((_, place)) = self.symbols.removed.iter().find(|(n, _)| *n == name.text) {
            let fault = fault
                .label(*place, "this variant takes it away")
                .help("override what still reads it, or keep it");
            return self.fault(fault);
        }
        let fault = if near.is_empty() { fault.help(help) } else { fault.ways(near).or_else(help) };
        // What stands behind `setup` and `on` is a name, whatever else it may look like.
        self.fault(if code == code::E0703 { fault.settled() } else { fault });
    }

    /// Counts an unknown name, and says whether what is near it is looked for. Each suggestion
    /// reads all names there are; of many faults the first alone have one.
    pub(super) fn suggests(&mut self) -> bool {
        self.symbols.unknown += 1;
        self.symbols.unknown <= MOST_SUGGESTED
    }

    /// The help of an unknown name that has no suggestion for there are too many.
    pub(super) fn unsuggested() -> String {
        format!("declare it, or fix the first {MOST_SUGGESTED} names to see what is near this one")
    }

    /// Names that may be suggested; those that would be suggested to nothing are not gathered.
    pub(super) fn gathered(&self, names: impl IntoIterator<Item = String>) -> Vec<String> {
        if self.symbols.unknown >= MOST_SUGGESTED {
            return Vec::new();
        }
        names.into_iter().collect()
    }

    /// The kind of a noun, singular or plural.
    pub(super) fn kind(&mut self, name: &Name) -> Option<KindId> {
        if let Some(kind) = self.symbols.kinds.get(&name.text).copied() {
            self.symbols.note(name.span, Used::Kind);
            return Some(kind);
        }
        if !self.is_lost_name(name)
            && let Some(fault) = self.no_kind(name)
        {
            self.symbols.unknown += 1;
            self.fault(fault);
            return None;
        }
        // The last word of a phrase such as `any army here` is its kind, unless it is a slip of
        // `here`.
        let kinds = self.symbols.kinds.keys().cloned();
        let known = self.gathered(kinds.chain(["here".to_owned()]));
        self.unknown(code::E0203, name, "kind", known.iter().map(String::as_str));
        None
    }

    /// The kind of link of a name.
    pub(super) fn kind_of_link(&mut self, name: &Name) -> Option<KindId> {
        if self.symbols.kinds.contains_key(&name.text) {
            return self.kind(name);
        }
        let links = self.symbols.kinds.iter().filter(|(_, k)| self.out.is_kind(**k, KindId::LINK));
        let known = self.gathered(links.map(|(name, _)| name.clone()));
        let known = known.iter().map(String::as_str);
        self.unknown_of(code::E0203, name, ("kind", Some(KindId::LINK)), known);
        None
    }

    /// The side of a name.
    pub(super) fn side(&mut self, name: &Name) -> Option<SideId> {
        if let Some(side) = self.symbols.sides.get(&name.text) {
            return Some(*side);
        }
        let known = self.gathered(self.symbols.sides.keys().cloned());
        self.unknown(code::E0201, name, "side", known.iter().map(String::as_str));
        None
    }

    /// What a name means of a thing of this kind: said of the kind or one above it, else of one
    /// below it.
    pub(super) fn member(&mut self, name: &str, kind: KindId) -> Option<Member> {
        let all = self.symbols.members.get(name)?;
        let of =
            |down: bool| {
                all.iter()
                    .find(|(k, _)| {
                        if down { self.out.is_kind(*k, kind) } else { self.out.is_kind(kind, *k) }
                    })
                    .map(|(_, m)| *m)
            };
        let found = of(false).or_else(|| of(true));
        if found.is_some() {
            self.symbols.read.insert(name.to_owned());
        }
        found
    }

    /// All names that mean something of a thing of this kind.
    pub(super) fn members_of(&self, kind: KindId) -> Vec<String> {
        let said = |k: KindId| self.out.is_kind(kind, k) || self.out.is_kind(k, kind);
        let names =
            self.symbols.members.iter().filter(|(_, all)| all.iter().any(|(k, _)| said(*k)));
        self.gathered(names.map(|(name, _)| name.clone()))
    }

    /// A fact name that nothing in sight has.
    pub(super) fn unknown_fact(&mut self, name: &Name, scope: &Scope<'_>) {
        if self.is_lost_name(name) {
            return;
        }
        if scope.between_parties() && self.said_of_no_party(name, scope) {
            return;
        }
        if let Some(help) = self.placed(&name.text).filter(|_| scope.objects.is_none()) {
            let what = format!("no fact is called `{}`", name.text);
            let fault = Diagnostic::error(code::E0201, name.span, what);
            return self.fault(fault.help(help).settled());
        }
        let Some((_, kind)) = scope.innermost() else {
            return self.unknown_object(name, scope);
        };
        let outer = scope
            .levels
            .iter()
            .skip(if scope.parties.is_some() { 2 } else { 0 })
            .rev()
            .skip(1)
            .find(|k| {
                self.symbols
                    .members
                    .get(&name.text)
                    .is_some_and(|all| all.iter().any(|(m, _)| self.out.is_kind(**k, *m)))
            });
        if let Some(outer) = outer {
            let (inner, outer) = (self.kind_name(kind), self.kind_name(*outer));
            self.fault(
                Diagnostic::error(
                    code::E0305,
                    name.span,
                    format!("`{}` is no fact of the {inner} that `where` asks about", name.text),
                )
                .help(format!("write `{} of the {outer}`", name.text))
                .suggest(name.span, format!("{} of the {outer}", name.text)),
            );
            return;
        }
        if let Some(fault) = self.said_otherwise(name, kind) {
            return self.fault(fault);
        }
        if self.member(&name.text, kind).is_none() && self.said_of_no_party(name, scope) {
            return;
        }
        let here = self.space_kind_of(kind).filter(|_| self.out.top(kind) == KindId::UNIT);
        if let Some(space) = here
            && self.member(&name.text, space).is_some()
        {
            let space = self.kind_name(space);
            self.fault(
                Diagnostic::error(
                    code::E0305,
                    name.span,
                    format!("`{}` is a fact of the {space}, not of the unit in it", name.text),
                )
                .help(format!("write `{} here`", name.text))
                .suggest(name.span, format!("{} here", name.text)),
            );
            return;
        }
        let mut known = self.members_of(kind);
        let symbols = &self.symbols;
        let others = symbols.rulings.keys().chain(symbols.kinds.keys()).chain(symbols.sides.keys());
        known.extend(self.gathered(
            others.chain(symbols.named.keys()).chain(symbols.named_places.keys()).cloned(),
        ));
        known.extend(self.gathered(["none", "yes", "no", "here", "anywhere"].map(str::to_owned)));
        let what = format!("fact of {}", self.a_kind(kind));
        let known = known.iter().map(String::as_str);
        self.unknown_of(code::E0201, name, (&what, Some(kind)), known);
    }

    fn unknown_object(&mut self, name: &Name, scope: &Scope<'_>) {
        if self.said_of_a_thing(name) {
            return;
        }
        let objects = scope.objects.into_iter();
        let units = objects.clone().flat_map(|objects| objects.units.keys().cloned());
        let maps = objects.filter_map(|objects| self.out.maps.get(objects.map?.index()));
        let spaces = maps.flat_map(|map| map.names().map(str::to_owned));
        let symbols = &self.symbols;
        // `Guard is supplied`: the right side is said of the left.
        let said = symbols.sides.keys().chain(symbols.members.keys()).chain(symbols.rulings.keys());
        let values = ["none", "yes", "no"].map(str::to_owned);
        let known = self.gathered(units.chain(spaces).chain(said.cloned()).chain(values));
        self.unknown(
            code::E0201,
            name,
            "unit, space, side or fact",
            known.iter().map(String::as_str),
        );
    }

    /// The name of a kind with its article.
    pub(super) fn a_kind(&self, kind: KindId) -> String {
        with_article(&self.kind_name(kind))
    }

    /// The plural of a kind, in backticks.
    pub(super) fn plural_name(&self, kind: KindId) -> String {
        self.out.kinds.get(kind.index()).map_or_else(String::new, |k| format!("`{}`", k.plural))
    }

    pub(super) fn kind_name(&self, kind: KindId) -> String {
        self.out.kinds.get(kind.index()).map_or_else(String::new, |k| k.name.clone())
    }

    /// The kind of space a thing of this kind stands in: the one kind of space, if there is only
    /// one.
    pub(super) fn space_kind_of(&self, kind: KindId) -> Option<KindId> {
        if self.out.is_kind(kind, KindId::SPACE) {
            return Some(kind);
        }
        let mut spaces = (0..self.out.kinds.len()).map(KindId::at).filter(|k| {
            self.out.kinds.get(k.index()).is_some_and(|kind| kind.parent == Some(KindId::SPACE))
        });
        match (spaces.next(), spaces.next()) {
            (Some(one), None) => Some(one),
            (Some(_), Some(_)) => Some(KindId::SPACE),
            _ => None,
        }
    }
}

impl Checker<'_> {
    /// What to write where an unknown name has no near one: one of the few that there are, or its
    /// declaration.
    fn instead(
        &self,
        code: crate::diag::Code,
        name: &str,
        of: Option<KindId>,
        known: &[&str],
    ) -> String {
        const FEW: usize = 8;
        if [code::E0201, code::E0203].contains(&code)
            && let Some(help) = self.has_word(name)
        {
            return help;
        }
        let declare = match code {
            code::E0203 => {
                let top = self.kind_name(of.unwrap_or(KindId::UNIT));
                format!("declare it, as in `kind {name} is {top}`")
            }
            code::E0205 => format!("declare it, as in `dimension {name}`"),
            code::E0406 => format!("declare it, as in `phase {name} at start of turn`"),
            code::E0701 | code::E0704 => {
                let kind = self.example_of(KindId::SPACE, "area");
                format!("add it to the map, as in `space {kind} {name}`")
            }
            code::E0703 => {
                "bring its file into the folder of the ruleset, or correct the name".to_owned()
            }
            _ if matches!(name, "unlimited" | "unbounded" | "infinite") => {
                "`unlimited` stands behind `within` alone; write a number that no line reaches, such as `99`"
                    .to_owned()
            }
            _ => {
                let example = || self.example_of(KindId::UNIT, "army");
                let of = of.filter(|of| [KindId::UNIT, KindId::SPACE].contains(&self.out.top(*of)));
                let kind = of.map_or_else(example, |of| self.kind_name(of));
                format!(
                    "declare it, as in `define {name} of {kind} = ...`, or see whether it is said of another thing"
                )
            }
        };
        // A closed list of words is not declared anew in passing.
        let closed = matches!(code, code::E0206 | code::E0211 | code::E0213);
        let listed = |all: &[&str]| {
            all.iter().take(FEW).map(|k| format!("`{k}`")).collect::<Vec<_>>().join(" or ")
        };
        match known {
            [] => declare,
            all if closed => format!("write {}", listed(all)),
            all if code == code::E0703 && all.len() > FEW => {
                format!("write {} or another of the {}, or {declare}", listed(all), all.len())
            }
            _ if code == code::E0203 => declare,
            few if few.len() <= FEW => format!("write {}, or {declare}", listed(few)),
            _ => declare,
        }
    }

    /// What is asked where a word stands by itself: the fact that can be so, or the test that can come
    /// to it.
    fn has_word(&self, word: &str) -> Option<String> {
        let has = |set: WordSetId| {
            let set = self.out.word_sets.get(set.index());
            set.is_some_and(|set| set.words.iter().any(|one| one == word))
        };
        let is_so = |fact: &&Fact| matches!(fact.ty, Type::Word(set) if has(set));
        if let Some(fact) = self.out.facts.iter().find(is_so) {
            let fact = &fact.name;
            return Some(format!("`{word}` is a word of `{fact}`, as in `{fact} is {word}`"));
        }
        let test = self.out.tests.iter().find(|test| has(test.outcomes))?;
        Some(format!("`{word}` is what `{0}` can come to, as in `{0} is {word}`", test.name))
    }

    /// A kind of this game for an example: the common one, if it has that, else its first below
    /// `top`.
    pub(super) fn example_of(&self, top: KindId, common: &str) -> String {
        let is_common = |kind: &&Kind| {
            kind.name == common && kind.parent.is_some_and(|parent| self.out.is_kind(parent, top))
        };
        let found = self.out.kinds.iter().find(is_common);
        found.map_or_else(|| self.out.example_of(top), |kind| &kind.name).to_owned()
    }
}

/// A noun with `a` or `an` before it.
pub(crate) fn with_article(noun: &str) -> String {
    let vowel = noun.starts_with(['a', 'e', 'i', 'o', 'u', 'A', 'E', 'I', 'O', 'U']);
    // These begin with the sound of `you` or of `won`.
    let lower = noun.to_ascii_lowercase();
    let consonant = ["uni", "use", "eu", "one", "ubo"].iter().any(|p| lower.starts_with(p));
    format!("{} {noun}", if vowel && !consonant { "an" } else { "a" })
}

#[cfg(test)]
mod tests {
    use super::with_article;

    #[test]
    fn articles_follow_the_sound() {
        for said in
            ["an army", "a fleet", "a unit", "an area", "an umpire", "a one-way_road", "an Ottoman"]
        {
            let (_, noun) = said.split_once(' ').unwrap_or_default();
            assert_eq!(with_article(noun), said);
        }
    }
}
