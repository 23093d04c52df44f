//! A line as words and signs, and the words of the game at hand by what they stand for.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

use crate::source::SourceMap;

/// What a fact is said of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Of {
    Unit,
    Space,
    Other,
}

impl Of {
    /// What stands behind a fact where it is asked of a thing of this sort: a unit asks for that of
    /// its space with `here`.
    pub(super) fn place_for(self, asked: Of) -> &'static str {
        if self == Of::Space && asked != Of::Space { " here" } else { "" }
    }
}

/// The words of a game.
#[derive(Default)]
pub(super) struct Lexicon {
    /// Kinds by each of their names: the name for one, the name for several, what it is of.
    kinds: BTreeMap<String, (String, String, Of)>,
    /// Facts that hold or do not, each with what it is said of.
    truths: BTreeMap<String, Of>,
    /// Amounts.
    numbers: BTreeMap<String, Of>,
    /// Words that an attribute may be, each with the attribute.
    values: BTreeMap<String, (String, Of)>,
    /// Things, places and sides.
    things: BTreeSet<String>,
    /// Attributes that may be none.
    optional: BTreeSet<String>,
    /// Names by the noun of what they name: `trace`, `phase`, `side`.
    nouns: BTreeMap<&'static str, BTreeSet<String>>,
    /// Rules by their titles, in small letters and without `line`.
    titles: BTreeMap<String, String>,
    /// Words with a capital letter that stand inside of lines.
    capitals: BTreeSet<String>,
    /// The name of the item in whose block the line stands.
    head: RefCell<String>,
    /// How many nouns and claims were read for a line.
    read: Cell<u32>,
}

/// Where a text is being read.
enum Block {
    Kind(Of),
    Track(String),
    None,
}

impl Lexicon {
    /// The words of these texts.
    pub(super) fn of(sources: &SourceMap) -> Lexicon {
        let mut all = Lexicon::default();
        let mut stages: Vec<(String, String)> = Vec::new();
        let mut on_track: Vec<(String, String, Of)> = Vec::new();
        for id in sources.ids() {
            let mut block = Block::None;
            for line in sources.text(id).lines() {
                let words = split(line);
                let inner = words.iter().skip(1);
                let capital = inner.filter(|word| word.starts_with(char::is_uppercase));
                all.capitals.extend(capital.map(|word| (*word).to_owned()));
                match (words.as_slice(), &block) {
                    ([stage], Block::Track(track)) if *stage != "}" => {
                        stages.push(((*stage).to_owned(), track.clone()));
                    }
                    (["has", name, "on", track, ..], Block::Kind(of)) => {
                        on_track.push(((*name).to_owned(), (*track).to_owned(), *of));
                    }
                    _ => {
                        all.title(&words);
                        all.noun(&words);
                        all.line(&words, &mut block);
                    }
                }
            }
        }
        for (stage, track) in stages {
            let carried = on_track.iter().find(|(_, t, _)| *t == track);
            let (name, of) = carried.map_or((&track, Of::Other), |(name, _, of)| (name, *of));
            all.values.entry(stage).or_insert_with(|| (name.clone(), of));
        }
        all
    }

    fn line(&mut self, words: &[&str], block: &mut Block) {
        match words {
            ["kind", rest @ ..] => *block = Block::Kind(self.kind(rest)),
            ["track", name, ..] => *block = Block::Track((*name).to_owned()),
            ["}"] => *block = Block::None,
            ["has", name, rest @ ..] => {
                if let Block::Kind(of) = *block {
                    self.attribute(name, rest, of);
                }
            }
            ["called", yes, "else", no, ..] => {
                for name in [yes, no] {
                    self.truths.insert((*name).to_owned(), Of::Unit);
                }
            }
            ["define" | "mark" | "given", name, "of", kind, ..] => {
                let of = self.of_kind(kind);
                self.truths.insert((*name).to_owned(), of);
            }
            ["table" | "count", name, "of", kind, ..] => {
                let of = self.of_kind(kind);
                self.numbers.insert((*name).to_owned(), of);
            }
            ["counts", name, ..] => {
                self.numbers.insert((*name).to_owned(), Of::Unit);
            }
            ["put" | "space" | "named", _, name, ..] => {
                self.things.insert((*name).to_owned());
            }
            ["sides", names @ ..] => self.things.extend(names.iter().map(|n| (*n).to_owned())),
            ["option", name, ..] => {
                self.truths.insert((*name).to_owned(), Of::Other);
            }
            _ => {}
        }
    }

    /// What a line names, by its noun.
    fn noun(&mut self, words: &[&str]) {
        const NOUNS: [&str; 17] = [
            "row",
            "trace",
            "choice",
            "test",
            "table",
            "track",
            "phase",
            "leg",
            "option",
            "ruling",
            "source",
            "relay",
            "die",
            "exception",
            "map",
            "setup",
            "define",
        ];
        match words {
            ["clock", _, "on", _, "has", phases @ ..] | ["clock", _, "has", phases @ ..] => {
                let is_phase = |word: &&&str| !matches!(**word, "," | "of" | "each" | "side");
                self.name("phase", phases.iter().filter(is_phase));
            }
            ["dimension", rest @ ..] => self.name("dimension", rest.iter().filter(|w| **w != ",")),
            ["sides", rest @ ..] => {
                let is_side = |word: &&&str| !matches!(**word, "," | "against" | "and");
                self.name("side", rest.iter().filter(is_side));
            }
            ["put", _, name, ..] => self.name("thing", std::iter::once(name)),
            ["space", _, name, ..] => self.name("place", std::iter::once(name)),
            ["named", _, names @ ..] => self.name("thing", names.iter().filter(|w| **w != ",")),
            ["when", .., "then", name] => self.name("outcome", std::iter::once(name)),
            ["otherwise", name] => self.name("outcome", std::iter::once(name)),
            ["counts", name, ..] => self.name("count", std::iter::once(name)),
            ["called", yes, "else", no, ..] => self.name("state", [yes, no].into_iter()),
            ["count", name, "of", ..] => self.name("count", std::iter::once(name)),
            ["mark", name, "of", ..] => self.name("mark", std::iter::once(name)),
            ["given", name, "of", ..] => self.name("given", std::iter::once(name)),
            ["pair", _, _, "is", name, ..] => self.name("pair", std::iter::once(name)),
            ["has", name, ..] => self.name("fact", std::iter::once(name)),
            [noun, name, ..] => {
                let known = NOUNS.into_iter().find(|known| known == noun);
                known.into_iter().for_each(|noun| self.name(noun, std::iter::once(name)));
            }
            _ => {}
        }
    }

    fn name<'w>(&mut self, noun: &'static str, names: impl Iterator<Item = &'w &'w str>) {
        let is_name = |name: &&&str| name.starts_with(char::is_alphabetic);
        let names = names.filter(is_name).map(|name| (*name).to_owned());
        self.nouns.entry(noun).or_default().extend(names);
    }

    /// Whether a word is a name of one of these nouns.
    pub(super) fn is_named(&self, nouns: &[&str], word: &str) -> bool {
        nouns.iter().any(|noun| match *noun {
            "kind" => self.kinds.contains_key(word),
            "unit" => self.kind_of(word).is_some_and(|(.., of)| of == Of::Unit),
            "space" => self.kind_of(word).is_some_and(|(.., of)| of == Of::Space),
            "other" => self.kind_of(word).is_some_and(|(.., of)| of == Of::Other),
            "number" => self.numbers.contains_key(word),
            "truth" => self.truths.contains_key(word),
            "value" => self.values.contains_key(word),
            noun => self.nouns.get(noun).is_some_and(|names| names.contains(word)),
        })
    }

    /// Whether a word is a name of anything.
    pub(super) fn knows(&self, word: &str) -> bool {
        self.kinds.contains_key(word)
            || self.truths.contains_key(word)
            || self.numbers.contains_key(word)
            || self.values.contains_key(word)
            || self.things.contains(word)
            // A dimension may be called as what is counted by it.
            || self.nouns.iter().any(|(noun, names)| *noun != "dimension" && names.contains(word))
    }

    /// `trace supply of army "line of supply"`
    fn title(&mut self, words: &[&str]) {
        if let ["trace" | "choice" | "test", name, "of", ..] = words {
            self.titles.insert((*name).to_owned(), (*name).to_owned());
        }
        if let ["trace" | "define" | "choice" | "test", name, "of", _, title, ..] = words
            && title.starts_with('"')
        {
            let words = title.trim_matches('"').split_whitespace().map(str::to_ascii_lowercase);
            let words: Vec<String> = words.filter(|word| word != "line" && word != "the").collect();
            self.titles.insert(words.join(" "), (*name).to_owned());
        }
    }

    fn kind(&mut self, words: &[&str]) -> Of {
        let (one, many, of) = match words {
            [one, ",", many, "is", of, ..] => (*one, *many, *of),
            [one, "is", of, ..] => (*one, *one, *of),
            _ => return Of::Other,
        };
        let of = match of {
            "unit" => Of::Unit,
            "space" => Of::Space,
            above => self.of_kind(above),
        };
        for name in [one, many] {
            self.kinds.insert(name.to_owned(), (one.to_owned(), many.to_owned(), of));
        }
        of
    }

    fn attribute(&mut self, name: &str, words: &[&str], of: Of) {
        match words {
            ["maybe", ..] => {
                self.optional.insert(name.to_owned());
            }
            ["in", ..] => {
                self.numbers.insert(name.to_owned(), of);
            }
            ["yes", ..] => {
                self.truths.insert(name.to_owned(), of);
            }
            ["one", "of", rest @ ..] => {
                for value in rest.iter().filter(|value| **value != ",") {
                    self.values.insert((*value).to_owned(), (name.to_owned(), of));
                }
            }
            _ => {}
        }
    }

    /// A line is begun in the block of an item, of which no noun and no claim was read.
    pub(super) fn begin(&self, head: &str) {
        self.read.set(0);
        head.clone_into(&mut self.head.borrow_mut());
    }

    /// The name of the item in whose block the line stands.
    pub(super) fn head(&self) -> String {
        self.head.borrow().clone()
    }

    /// Whether a word has a capital letter inside of lines too.
    pub(super) fn is_capital(&self, word: &str) -> bool {
        self.capitals.contains(word)
    }

    /// Whether one more noun or claim may be read: a line of many `and` has many readings.
    pub(super) fn spend(&self) -> bool {
        const MOST: u32 = 20_000;
        let read = self.read.get() + 1;
        self.read.set(read);
        read <= MOST
    }

    /// What a kind is of.
    pub(super) fn of_kind(&self, kind: &str) -> Of {
        self.kinds.get(kind).map_or(Of::Other, |(_, _, of)| *of)
    }

    /// The kind that is called so, for one or for several.
    pub(super) fn kind_of(&self, word: &str) -> Option<(&str, &str, Of)> {
        let known = self.kinds.get(word);
        // A plural without a declaration of its own.
        let known = known.or_else(|| self.kinds.get(word.strip_suffix('s')?));
        known.map(|(one, many, of)| (one.as_str(), many.as_str(), *of))
    }

    /// The longest fact at the first of some words, as `short_of_water` is in `short of water`, and
    /// how many words it takes.
    pub(super) fn truth(&self, words: &[&str]) -> Option<(&str, Of, usize)> {
        // `ports first`
        let one = || self.truths.get_key_value(words.first()?.strip_suffix('s')?);
        let lower: Vec<String> =
            words.iter().take(4).map(|word| word.to_ascii_lowercase()).collect();
        let lower: Vec<&str> = lower.iter().map(String::as_str).collect();
        longest(&self.truths, words)
            .or_else(|| longest(&self.truths, &lower))
            .or_else(|| one().map(|(name, of)| (name.as_str(), *of, 1)))
    }

    /// The longest amount at the first of some words.
    pub(super) fn number(&self, words: &[&str]) -> Option<(&str, Of, usize)> {
        longest(&self.numbers, words)
    }

    /// The amount whose parts are these words, in any order.
    pub(super) fn number_of_parts(&self, words: &[&str]) -> Option<(&str, Of)> {
        let is = |name: &str| {
            let parts: Vec<&str> = name.split('_').collect();
            parts.len() > 1
                && parts.iter().all(|part| words.contains(part))
                && words.iter().all(|word| parts.contains(word))
        };
        let mut found = self.numbers.iter().filter(|(name, _)| is(name));
        let (name, of) = found.next()?;
        found.next().is_none().then_some((name.as_str(), *of))
    }

    /// Whether some thing, place or side is called so.
    pub(super) fn is_thing(&self, name: &str) -> bool {
        self.things.contains(name)
    }

    /// Whether a thing may have one of these or none.
    pub(super) fn may_lack(&self, name: &str) -> bool {
        self.optional.contains(name)
    }

    /// Whether some fact is called so.
    pub(super) fn is_attribute(&self, name: &str) -> bool {
        self.numbers.contains_key(name) || self.values.values().any(|(known, _)| known == name)
    }

    /// The rule that is called so, by its name or by its title.
    pub(super) fn titled<'a>(&'a self, words: &'a [&'a str]) -> Option<&'a str> {
        let spare = |word: &&&str| matches!(**word, "the" | "a" | "an" | "line");
        let words: Vec<&str> = words.iter().filter(|w| !spare(w)).copied().collect();
        if let [one] = words.as_slice()
            && self.numbers.contains_key(*one)
        {
            return Some(one);
        }
        let joined = words.join("_");
        let found = self.titles.get(&joined).or_else(|| self.titles.get(&words.join(" ")));
        let found = found.map(String::as_str);
        found.or_else(|| words.first().copied().filter(|_| words.len() == 1))
    }

    /// The kind of this sort, if there is only one.
    pub(super) fn only(&self, sort: Of) -> Option<&str> {
        let mut kinds = self.kinds.values().filter(|(.., of)| *of == sort);
        let (one, ..) = kinds.next()?;
        kinds.all(|(other, ..)| other == one).then_some(one.as_str())
    }

    /// The attribute that may be this word.
    pub(super) fn attribute_of(&self, value: &str) -> Option<(&str, Of)> {
        self.values.get(value).map(|(name, of)| (name.as_str(), *of))
    }
}

fn longest<'a>(names: &'a BTreeMap<String, Of>, words: &[&str]) -> Option<(&'a str, Of, usize)> {
    const MOST: usize = 4;
    (1..=words.len().min(MOST)).rev().find_map(|length| {
        let joined = words.get(..length)?.join("_");
        let (name, of) = names.get_key_value(&joined)?;
        Some((name.as_str(), *of, length))
    })
}

/// The words, signs and texts of a line.
pub(super) fn split(line: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = line.trim_start();
    while let Some(first) = rest.chars().next() {
        let end = match first {
            '"' => rest.get(1..).and_then(|t| t.find('"')).map_or(rest.len(), |at| at + 2),
            '#' => break,
            c if joins(c) => rest.find(|c| !joins(c)).unwrap_or(rest.len()),
            c => {
                let sign = ["<=", ">=", "==", "!=", "->", "=>", "++", "--", "+=", "-="];
                sign.iter().find(|s| rest.starts_with(**s)).map_or(c.len_utf8(), |s| s.len())
            }
        };
        let (word, behind) = rest.split_at_checked(end).unwrap_or((rest, ""));
        found.push(word);
        rest = behind.trim_start();
    }
    found
}

/// Whether a word is a whole number without a sign.
pub(super) fn is_whole(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit())
}

fn joins(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// What stands between the commas of a call, outside of the brackets in it.
pub(super) fn arguments<'a, 'w>(inner: &'a [&'w str]) -> Vec<&'a [&'w str]> {
    let mut open = 0_usize;
    let is_comma = |word: &&str| {
        open += usize::from(*word == "(");
        open = open.saturating_sub(usize::from(*word == ")"));
        open == 0 && matches!(*word, "," | ";")
    };
    inner.split(is_comma).collect()
}

/// Words as a text, with no blank where none is written.
pub(super) fn joined(words: &[&str]) -> String {
    let mut text = String::new();
    for word in words {
        let glued = text.is_empty()
            || text.ends_with(['(', '['])
            || matches!(*word, "," | ")" | "]" | "." | ":" | ";");
        if !glued {
            text.push(' ');
        }
        text.push_str(word);
    }
    text
}
