//! Names of the game at hand, for the examples in messages.
//!
//! Takes the texts of a ruleset as they stand, whole or broken; gives one name of each sort. A sort
//! of which the game has none keeps a common word.

use crate::diag::Diagnostic;
use crate::source::{SourceId, SourceMap};

/// A name for each placeholder.
#[derive(Default)]
pub(super) struct Names {
    filled: Vec<(&'static str, String)>,
    kinds: Vec<Kind>,
    /// Kinds of what belongs to a thing, or is known by name: nobody looks for one of them.
    attached: Vec<String>,
}

/// A kind, by its name for one thing and for several, and what it is below.
struct Kind {
    names: [String; 2],
    of: String,
}

/// What stands where the game has no such name.
const COMMON: [(&str, &str); 20] = [
    ("unit", "army"),
    ("units", "armies"),
    ("space", "area"),
    ("spaces", "areas"),
    ("number", "strength"),
    ("word", "terrain"),
    ("w1", "land"),
    ("w2", "sea"),
    ("flag", "coastal"),
    ("vet", "veteran"),
    ("side", "Red"),
    ("trace", "supply"),
    ("fed", "supplied"),
    ("hungry", "unsupplied"),
    ("place", "Port"),
    ("name", "First"),
    ("mark", "tired"),
    ("link", "road"),
    ("links", "roads"),
    ("dimension", "points"),
];

/// The block of a kind that is being read.
#[derive(Clone, Copy, PartialEq)]
enum Block {
    Unit,
    Space,
    Other,
}

impl Names {
    /// The names in these texts.
    pub(super) fn of(sources: &SourceMap, texts: &[SourceId]) -> Names {
        let mut names = Names::default();
        for &source in texts {
            let mut block = Block::Other;
            for line in sources.text(source).lines() {
                let line = line.split('#').next().unwrap_or_default();
                names.line(line, &mut block);
            }
        }
        for (key, word) in COMMON {
            names.set(key, word);
        }
        names
    }

    /// All kinds, each by its name for one thing or for several.
    pub(super) fn kinds(&self, one: bool) -> Vec<String> {
        let form = |kind: &Kind| {
            let [single, many] = &kind.names;
            if one { single } else { many }.clone()
        };
        self.kinds.iter().map(form).collect()
    }

    /// The two names of the kind that is called so.
    pub(super) fn forms(&self, name: &str) -> Option<[&str; 2]> {
        let is = |kind: &&Kind| kind.names.iter().any(|known| known == name);
        let found = self.kinds.iter().find(is)?;
        let [one, many] = &found.names;
        Some([one, many])
    }

    /// The names of the kind whose name for one thing fits.
    pub(super) fn alone(&self, fits: &dyn Fn(&str) -> bool) -> Option<[&str; 2]> {
        let found = self.kinds.iter().find(|kind| fits(&kind.names[0]))?;
        let [one, many] = &found.names;
        Some([one, many])
    }

    /// The kinds of unit that may stand somewhere, each by its name for one: those that belong to
    /// others are left out.
    pub(super) fn units(&self) -> Vec<&str> {
        let free = self.kinds.iter().filter(|kind| self.is_unit(kind));
        let names = free.map(|kind| kind.names[0].as_str());
        names.filter(|name| !self.attached.iter().any(|a| a == name)).collect()
    }

    /// Whether a kind is below `unit`.
    fn is_unit(&self, kind: &Kind) -> bool {
        let mut of = kind.of.as_str();
        for _ in 0..=self.kinds.len() {
            let Some(above) = self.kinds.iter().find(|k| k.names[0] == of) else { break };
            of = &above.of;
        }
        of == "unit"
    }

    /// Whether a map of the game has a grid.
    pub(super) fn has_grid(&self) -> bool {
        self.filled.iter().any(|(key, _)| *key == "grid")
    }

    /// The first of a sort stays.
    fn set(&mut self, key: &'static str, word: &str) {
        if !word.is_empty() && !self.filled.iter().any(|(known, _)| *known == key) {
            self.filled.push((key, word.to_owned()));
        }
    }

    fn line(&mut self, line: &str, block: &mut Block) {
        let all: Vec<&str> = line
            .split(|c: char| !(c.is_alphanumeric() || c == '_'))
            .filter(|word| !word.is_empty())
            .collect();
        match all.as_slice() {
            ["kind", rest @ ..] => *block = self.kind(rest),
            ["has", attribute, of @ ..] => {
                if let ["maybe", "a" | "an", kind] | ["a" | "an", kind] = of {
                    self.attached.push((*kind).to_owned());
                }
                self.attribute(attribute, of, *block);
            }
            ["named", kind, ..] => self.attached.push((*kind).to_owned()),
            ["grid", kind, ..] => self.set("grid", kind),
            ["sides", side, ..] => self.set("side", side),
            ["mark", mark, "of", ..] => self.set("mark", mark),
            ["trace", trace, "of", ..] => self.set("trace", trace),
            ["called", yes, "else", no, ..] => {
                self.set("fed", yes);
                self.set("hungry", no);
            }
            ["space", _, place, ..] => self.set("place", place),
            ["put", _, unit, ..] => self.set("name", unit),
            _ => {}
        }
    }

    fn kind(&mut self, words: &[&str]) -> Block {
        let (one, many, of) = match words {
            [one, many, "is", of, ..] => (*one, *many, *of),
            [one, "is", of, ..] => (*one, *one, *of),
            _ => return Block::Other,
        };
        self.kinds.push(Kind { names: [one.to_owned(), many.to_owned()], of: of.to_owned() });
        let (block, key, plural) = match of {
            "unit" => (Block::Unit, "unit", "units"),
            "space" => (Block::Space, "space", "spaces"),
            "link" => (Block::Other, "link", "links"),
            _ => return Block::Other,
        };
        // A leader is no unit to speak of.
        if one != "leader" {
            self.set(key, one);
            self.set(plural, many);
        }
        block
    }

    fn attribute(&mut self, name: &str, of: &[&str], block: Block) {
        match (block, of) {
            (Block::Unit, ["in", ..]) => self.set("number", name),
            (Block::Unit, ["yes", ..]) => self.set("vet", name),
            (Block::Space, ["yes", ..]) => self.set("flag", name),
            (Block::Space, ["one", "of", first, second, ..])
                if !self.filled.iter().any(|(known, _)| *known == "word") =>
            {
                self.set("word", name);
                self.set("w1", first);
                self.set("w2", second);
            }
            _ => {}
        }
    }

    /// The example of a form, ` reads `, with kinds of this game in place of the common ones.
    pub(super) fn fit(&self, fault: &mut Diagnostic) {
        const KINDS: [(&str, &str); 3] =
            [("army", "{unit}"), ("armies", "{units}"), ("area", "{space}")];
        let Some(help) = fault.help.as_ref().filter(|help| help.contains(" reads `")) else {
            return;
        };
        // What declares a kind, or a map of them, is an example of its own.
        if ["`kind", "`map", "`setup"].iter().any(|begins| help.contains(begins)) {
            return;
        }
        let words = help.split_inclusive(|c: char| !(c.is_alphanumeric() || c == '_'));
        let fitted = words.map(|word| {
            let bare = word.trim_end_matches(|c: char| !(c.is_alphanumeric() || c == '_'));
            let of_game = KINDS.iter().find(|(common, _)| *common == bare);
            let name = of_game.map_or_else(|| bare.to_owned(), |(_, key)| self.fill(key));
            name + word.get(bare.len()..).unwrap_or_default()
        });
        fault.help = Some(fitted.collect());
    }

    /// A text with the names of this game in place of `{unit}` and its like.
    pub(super) fn fill(&self, text: &str) -> String {
        self.filled
            .iter()
            .fold(text.to_owned(), |text, (key, name)| text.replace(&format!("{{{key}}}"), name))
    }
}
