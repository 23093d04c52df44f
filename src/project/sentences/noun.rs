//! Nouns with what is said of them: `crippled own ships that have no admiral`.

use super::claim;
use super::words::{Lexicon, Of};
use crate::syntax::STANCES;

/// How deep one noun stands within what is said of another.
pub(super) const DEEPEST: usize = 8;

/// What is said of a noun, in the words of the language.
#[derive(Debug, Clone, PartialEq)]
enum Said {
    /// How it stands to the side that asks.
    Stance(&'static str),
    /// A condition.
    Is(String),
}

/// A noun and what is said of it, in the order in which it is written.
#[derive(Debug, Clone, Default)]
pub(super) struct Noun {
    /// Whether it says that there is none.
    none: bool,
    /// Whether it says that it is all of them.
    every: bool,
    /// Its kind, by the name for one and for several; none where a condition alone stands.
    kind: Option<(String, String)>,
    of_space: bool,
    place: Option<String>,
    said: Vec<Said>,
}

/// What stands for each stance, beside its own word.
const STANCE_WORDS: [(&str, &str); 8] = [
    ("hostile", "enemy"),
    ("opposing", "enemy"),
    ("enemies", "enemy"),
    ("your", "own"),
    ("his", "own"),
    ("their", "own"),
    ("its", "own"),
    ("ally", "allied"),
];
/// What says nothing behind a stance.
const HELD: [&str; 6] = ["held", "controlled", "occupied", "owned", "side", "player"];
/// What begins what is said behind a noun.
pub(super) const RELATIVE: [&str; 6] = ["that", "which", "who", "with", "without", "where"];
/// What says nothing before a noun or an adjective.
const ARTICLES: [&str; 11] =
    ["a", "an", "the", "any", "some", "those", "already", "currently", "still", "such", "also"];

impl Noun {
    /// As `any` or `no` and what is looked for.
    pub(super) fn any(&self) -> Option<String> {
        let (one, _) = self.kind.as_ref().filter(|_| !self.every)?;
        Some(format!("{} {}", if self.none { "no" } else { "any" }, self.things(one)))
    }

    /// As things that something is done for.
    pub(super) fn all(&self) -> Option<String> {
        let (_, many) = self.kind.as_ref().filter(|_| !self.none)?;
        Some(self.things(many))
    }

    /// As what is said of the kind.
    pub(super) fn said(&self) -> Option<String> {
        if self.place.is_some() || self.none {
            return None;
        }
        // `a friendly port` is a port and friendly, as rules say what a place is before whose it is.
        let mut said = self.said.clone();
        if let [Said::Stance(_), Said::Is(_), ..] = said.as_slice() {
            said.swap(0, 1);
        }
        // `frigates are always supplied`
        let kind = self.kind.as_ref().filter(|_| self.said.is_empty()).map(|(one, _)| one.clone());
        let text = |said: &Said| match said {
            Said::Stance(stance) => (*stance).to_owned(),
            Said::Is(condition) => condition.clone(),
        };
        let all = || all_of(&said.iter().map(text).collect::<Vec<_>>());
        kind.or_else(|| (!self.said.is_empty()).then(all))
    }

    /// Whether it is one of places.
    pub(super) fn is_space(&self, game: &Lexicon) -> bool {
        self.kind.as_ref().is_some_and(|(one, _)| game.of_kind(one) == Of::Space)
    }

    /// The name of one of its kind.
    pub(super) fn kind(&self) -> Option<&str> {
        self.kind.as_ref().map(|(one, _)| one.as_str())
    }

    /// As `any`, with one more condition.
    pub(super) fn any_where(mut self, condition: &str) -> Option<String> {
        self.is(condition.to_owned());
        self.any()
    }

    /// As `any` in a place, with one more condition; of all there it holds where it fails of none.
    pub(super) fn placed_where(mut self, place: &str, condition: String) -> Option<String> {
        let condition = match (std::mem::take(&mut self.every), self.none) {
            (true, true) => return None,
            (true, false) => {
                self.none = true;
                denied(condition)
            }
            (false, _) => condition,
        };
        self.is(condition);
        with_place(&self, place)
    }

    fn is(&mut self, condition: String) {
        self.said.push(Said::Is(condition));
    }

    fn stands(&mut self, stance: &'static str) {
        if !self.said.contains(&Said::Stance(stance)) {
            self.said.push(Said::Stance(stance));
        }
    }

    /// What stands before `where`, and what behind it.
    fn things(&self, kind: &str) -> String {
        let (mut text, mut conditions) = (String::new(), Vec::new());
        for said in &self.said {
            match said {
                Said::Stance(stance) => text += &format!("{stance} "),
                Said::Is(condition) => conditions.push(condition.clone()),
            }
        }
        text += kind;
        if let Some(place) = &self.place {
            text += &format!(" {place}");
        }
        if conditions.is_empty() {
            return text;
        }
        format!("{text} where {}", bracketed(all_of(&conditions)))
    }
}

/// Conditions that all hold.
pub(super) fn all_of(conditions: &[String]) -> String {
    if let [one] = conditions {
        return one.clone();
    }
    let part = |one: &String| if joins(one, " or ") { format!("({one})") } else { one.clone() };
    conditions.iter().map(part).collect::<Vec<_>>().join(" and ")
}

/// A condition as one claim: in brackets, if it is several.
pub(super) fn bracketed(claim: String) -> String {
    let several = joins(&claim, " and ") || joins(&claim, " or ");
    if several { format!("({claim})") } else { claim }
}

/// The contrary of a condition: that not one is there, denied, is that one is.
pub(super) fn denied(claim: String) -> String {
    let claim = bracketed(claim);
    claim.strip_prefix("no ").map_or_else(|| format!("not {claim}"), |there| format!("any {there}"))
}

/// Whether a word joins two parts of a condition, outside of its brackets.
fn joins(claim: &str, joint: &str) -> bool {
    let mut places = claim.match_indices(joint).map(|(at, _)| claim.get(..at).unwrap_or_default());
    places.any(|front| front.matches('(').count() == front.matches(')').count())
}

/// What is being read, and of what.
struct Reader<'a> {
    words: &'a [&'a str],
    at: usize,
    game: &'a Lexicon,
    depth: usize,
}

/// Reads words as one noun.
pub(super) fn noun(words: &[&str], of: Of, game: &Lexicon, depth: usize) -> Option<Noun> {
    if depth > DEEPEST || words.is_empty() || !game.spend() {
        return None;
    }
    let mut noun = Noun { of_space: of == Of::Space, ..Noun::default() };
    let mut reader = Reader { words, at: 0, game, depth };
    // What is said before the kind is of the kind behind it.
    let kinds: Vec<_> = words.iter().filter_map(|word| game.kind_of(word)).collect();
    if let Some((_, _, of)) = kinds.first() {
        noun.of_space = *of == Of::Space;
    }
    let mut others = false;
    while reader.at < words.len() && noun.kind.is_none() {
        // `a friendly port that is not fogbound`: the kind itself is not said.
        let held = matches!(reader.word(), "belonging" | "held" | "owned" | "controlled");
        if (held || RELATIVE.contains(&reader.word())) && !noun.said.is_empty() {
            break;
        }
        others |= reader.word() == "other" || reader.word() == "another";
        reader.before(&mut noun)?;
    }
    if others {
        let (one, _) = noun.kind.as_ref()?;
        noun.is(format!("it is not the {one}"));
    }
    while reader.at < words.len() {
        reader.behind(&mut noun)?;
    }
    Some(noun)
}

impl<'a> Reader<'a> {
    fn word(&self) -> &'a str {
        self.words.get(self.at).copied().unwrap_or_default()
    }

    fn rest(&self) -> &'a [&'a str] {
        self.words.get(self.at..).unwrap_or_default()
    }

    /// `-held` behind a stance says nothing, but for games in which it is a fact.
    fn held(&mut self) -> Option<()> {
        while let Some(next) = self.words.get(self.at + 1)
            && (*next == "-" || HELD.contains(next))
        {
            if self.game.truth(&[next]).is_some() {
                return None;
            }
            self.at += 1;
        }
        Some(())
    }

    /// One word or more before the kind, or the kind.
    fn before(&mut self, noun: &mut Noun) -> Option<()> {
        let word = self.word().to_ascii_lowercase();
        let word = word.as_str();
        if let ["at", "least", "one" | "1" | "a" | "an", ..] | ["one" | "1", "or", "more", ..] =
            self.rest()
        {
            self.at += 2;
        } else if word == "no" {
            noun.none = true;
        } else if matches!(word, "and" | ",") && self.words.get(self.at + 1) == Some(&word) {
            // What stood between them is missing.
            return None;
        } else if matches!(word, "all" | "each" | "every" | "both") {
            noun.every = true;
        } else if ARTICLES.contains(&word)
            || matches!(word, "," | "and" | "other" | "another" | "of")
        {
        } else if matches!(word, "adjacent" | "nearby" | "neighbouring" | "neighboring") {
            noun.place = Some("adjacent".to_owned());
        } else if let Some(stance) = stance(word) {
            noun.stands(stance);
            self.held()?;
        } else if let Some((said, length)) = adjective(self.rest(), noun.of_space, self.game) {
            noun.is(said);
            self.at += length - 1;
        } else {
            let (one, many, _) = self.game.kind_of(self.word())?;
            noun.kind = Some((one.to_owned(), many.to_owned()));
        }
        self.at += 1;
        Some(())
    }

    /// One word or more behind the kind.
    fn behind(&mut self, noun: &mut Noun) -> Option<()> {
        let rest = self.rest();
        if let Some((place, length)) = place_of(rest, noun.of_space, self.game) {
            return self.stands(noun, place, length);
        }
        match rest {
            ["that" | "which" | "who" | "whose", said @ ..] => self.all_of(said, noun),
            ["in" | "at" | "on", "which", said @ ..] if noun.of_space => self.all_of(said, noun),
            ["with" | "having", "no" | "none", said @ ..] => self.without(said, noun),
            ["without", said @ ..] => self.without(said, noun),
            ["where", "(", said @ .., ")"] | ["where", said @ ..] => {
                noun.is(claim::plain(said));
                self.at = self.words.len();
                Some(())
            }
            [
                "belonging" | "belongs" | "held" | "owned" | "controlled",
                "to" | "by",
                whose @ ..,
            ] => {
                noun.stands(side_of(whose)?);
                self.at = self.words.len();
                Some(())
            }
            ["free" | "empty" | "clear", "of", said @ ..] => self.without(said, noun),
            ["with" | "containing" | "holding" | "having", said @ ..] => {
                self.all_of(rest, noun).or_else(|| self.all_of(said, noun))
            }
            ["in", "play"] | ["on", "the", "map" | "board"] if !noun.of_space => {
                noun.is("space is not none".to_owned());
                self.at = self.words.len();
                Some(())
            }
            ["adjacent" | "next", "to", said @ ..] if noun.of_space => {
                let near = self::noun(said, Of::Unit, self.game, self.depth + 1)?;
                let place = near.any().filter(|_| near.place.is_none())?;
                self.at = self.words.len();
                noun.is(with_place(&near, "adjacent").unwrap_or(place));
                Some(())
            }
            [
                "of",
                "its" | "their" | "his" | "the" | "your",
                "own" | "same" | "side" | "owner",
                ..,
            ]
            | ["on", "the", "same", "side", ..] => {
                noun.stands("own");
                let more =
                    |word: &&&str| matches!(**word, "side" | "player" | "owner" | "own" | "same");
                self.at += 2 + rest.get(2..)?.iter().take_while(more).count();
                Some(())
            }
            ["in" | "on" | "at", said @ ..] if !noun.of_space => {
                noun.is(in_place(said, self.game, self.depth)?);
                self.at = self.words.len();
                Some(())
            }
            // `ships own` is `own ships` with its words changed round, and no sentence.
            [first, ..] if stance(first).is_some() => None,
            _ => self.all_of(rest, noun),
        }
    }

    fn stands(&mut self, noun: &mut Noun, place: String, length: usize) -> Option<()> {
        let free = noun.place.is_none();
        noun.place = Some(place);
        self.at += length;
        free.then_some(())
    }

    /// All that is left is a condition of the noun.
    fn all_of(&mut self, said: &[&str], noun: &mut Noun) -> Option<()> {
        let of = if noun.of_space { Of::Space } else { Of::Unit };
        noun.is(claim::claim(said, of, self.game, self.depth + 1)?);
        self.at = self.words.len();
        Some(())
    }

    /// All that is left is what the noun lacks.
    fn without(&mut self, said: &[&str], noun: &mut Noun) -> Option<()> {
        let of = if noun.of_space { Of::Space } else { Of::Unit };
        noun.is(claim::lacks(said, of, self.game, self.depth + 1)?);
        self.at = self.words.len();
        Some(())
    }
}

/// Where a thing stands, by the first of some words, and how many of them say so.
fn place_of(words: &[&str], of_space: bool, game: &Lexicon) -> Option<(String, usize)> {
    let is_space = |word: &str| game.kind_of(word).is_some_and(|(.., of)| of == Of::Space);
    let (place, length) = match words {
        ["here" | "there" | "present" | "inside", ..] => ("here", 1),
        ["in", "the" | "this" | "its" | "that", space, ..] if is_space(space) => ("here", 3),
        ["in" | "at", space, ..] if is_space(space) => ("here", 2),
        ["in" | "at" | "on", "it" | "them", ..] if !of_space => ("here", 2),
        ["in", "the", "same", _, ..] => ("here", 4),
        ["adjacent" | "next", "to", "it" | "them" | "here", ..] if !of_space => ("adjacent", 3),
        ["adjacent" | "next", "to", ..] => return None,
        ["adjacent" | "nearby" | "neighbouring" | "neighboring", ..] => ("adjacent", 1),
        ["within", number, unit, ..] if is_space(unit) => {
            return Some((format!("within {number}"), 3));
        }
        _ => return None,
    };
    Some((place.to_owned(), length))
}

/// The noun as what is looked for in a place.
pub(super) fn with_place(noun: &Noun, place: &str) -> Option<String> {
    let free = noun.place.is_none();
    free.then(|| Noun { place: Some(place.to_owned()), ..noun.clone() })?.any()
}

/// What is said of the place in which a unit stands: `in a port`.
pub(super) fn in_place(words: &[&str], game: &Lexicon, depth: usize) -> Option<String> {
    let place = noun(words, Of::Space, game, depth + 1)?;
    // How the place stands to a side is no condition that a unit can ask with `here`.
    let [Said::Is(said)] = place.said.as_slice() else { return None };
    Some(here(said))
}

/// Whose a thing is: `the ship's own side`, `the enemy`.
fn side_of(words: &[&str]) -> Option<&'static str> {
    const SPARE: [&str; 9] = ["the", "a", "an", "its", "their", "side", "player", "'", "s"];
    let own = |word: &str| matches!(word, "own" | "same");
    let known = |(at, word): (usize, &&str)| {
        let whose = words.get(at + 1) == Some(&"'");
        whose || own(word) || SPARE.contains(word) || stance(word) == Some("enemy")
    };
    if !words.iter().enumerate().all(known) {
        return None;
    }
    let enemy = words.iter().any(|word| stance(word) == Some("enemy"));
    match (words.iter().any(|word| own(word)), enemy) {
        (true, false) => Some("own"),
        (false, true) => Some("enemy"),
        _ => None,
    }
}

/// How a word stands to the side that asks.
pub(super) fn stance(word: &str) -> Option<&'static str> {
    let other = STANCE_WORDS.iter().find(|(other, _)| *other == word).map_or(word, |(_, s)| s);
    STANCES.into_iter().find(|stance| *stance == other)
}

/// What is said of a space, asked of a unit that stands in it.
fn here(said: &str) -> String {
    match said.split_once(' ') {
        None => format!("{said} here"),
        Some(("not", fact)) => format!("not {fact} here"),
        Some((fact, rest)) => format!("{fact} here {rest}"),
    }
}

/// A fact or a value at the first of some words, as a condition, and how many words it takes.
pub(super) fn adjective(words: &[&str], of_space: bool, game: &Lexicon) -> Option<(String, usize)> {
    let said = |name: String, of: Of| if of == Of::Space && !of_space { here(&name) } else { name };
    if let Some((name, of, length)) = game.truth(words) {
        return Some((said(name.to_owned(), of), length));
    }
    let first = words.first()?;
    if let Some((attribute, of)) = game.attribute_of(first)
        && game.kind_of(first).is_none()
    {
        return Some((said(format!("{attribute} is {first}"), of), 1));
    }
    if let ["non", "-", rest @ ..] | ["non" | "not", rest @ ..] = words {
        let (name, of, length) = game.truth(rest)?;
        return Some((
            format!("not {}", said(name.to_owned(), of)),
            length + words.len() - rest.len(),
        ));
    }
    // `unblocked`
    let bare = first.strip_prefix("un").or_else(|| first.strip_prefix("non"))?;
    let (name, of, _) = game.truth(&[bare])?;
    Some((format!("not {}", said(name.to_owned(), of)), 1))
}
