//! A page before it is Markdown or HTML: chapters of groups, groups of blocks, blocks of words.

use crate::arrange::Arrange as _;

/// A whole page.
#[derive(Debug, Clone, Default)]
pub struct Page {
    /// The printed title.
    pub title: String,
    /// What stands below it.
    pub about: Words,
    /// Its chapters in order.
    pub chapters: Vec<Chapter>,
}

/// One chapter.
#[derive(Debug, Clone, Default)]
pub struct Chapter {
    /// Its anchor.
    pub anchor: String,
    /// Its printed number; empty where it has none.
    pub number: String,
    /// Its heading.
    pub title: String,
    /// What stands in it.
    pub groups: Vec<Group>,
}

/// What belongs together: a clause, or a rule with all that is said of it.
#[derive(Debug, Clone, Default)]
pub struct Group {
    /// The name by which it is asked for; empty where nobody would.
    pub name: String,
    /// Its blocks.
    pub blocks: Vec<Block>,
}

/// Words, some of them links.
pub type Words = Vec<Word>;

/// A piece of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Word {
    /// as it stands
    Plain(String),
    /// stressed
    Strong(String),
    /// said beside the rest
    Small(String),
    /// a mark on what stands beside it, such as `sample`
    Mark(String),
    /// leads to an anchor of the page
    Link {
        /// which
        to: String,
        /// what is shown
        text: String,
    },
}

/// One block.
#[derive(Debug, Clone)]
pub enum Block {
    /// A clause of the rulebook with the rules that carry it out.
    Clause {
        /// its anchor
        anchor: String,
        /// its full id
        id: String,
        /// what it says
        text: String,
        /// links to the rules
        rules: Words,
    },
    /// The heading of a rule.
    Head {
        /// its anchor
        anchor: String,
        /// what it is: `table`
        noun: &'static str,
        /// its title
        title: String,
        /// the clauses it carries out
        cites: Words,
    },
    /// What is said in one line: a named value, a mark, a kind.
    Entry {
        /// its anchor
        anchor: String,
        /// what is explained
        term: String,
        /// what it is said of, and its printed title; empty where there is nothing to say
        note: String,
        /// the explanation
        body: Words,
    },
    /// A paragraph.
    Text(Words),
    /// A list.
    List(Vec<Words>),
    /// A table.
    Table(Table),
}

/// A table.
#[derive(Debug, Clone, Default)]
pub struct Table {
    /// The heads of its columns.
    pub heads: Vec<String>,
    /// How many columns are keys.
    pub keys: usize,
    /// Its rows, as wide as the heads.
    pub rows: Vec<Vec<Words>>,
}

/// All words of a block.
fn words_of(block: &mut Block) -> Vec<&mut Words> {
    match block {
        Block::Clause { rules, .. } => vec![rules],
        Block::Head { cites, .. } => vec![cites],
        Block::Entry { body, .. } => vec![body],
        Block::Text(words) => vec![words],
        Block::List(rows) => rows.iter_mut().collect(),
        Block::Table(table) => table.rows.iter_mut().flatten().collect(),
    }
}

/// A plain word.
pub fn plain(text: impl Into<String>) -> Word {
    Word::Plain(text.into())
}

/// Several words, one after the other, with something between them.
pub fn joined(all: Vec<Words>, between: &str) -> Words {
    let mut out = Words::new();
    for words in all {
        if !out.is_empty() {
            out.push(plain(between));
        }
        out.extend(words);
    }
    out
}

/// The first letter as a capital.
pub fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |c| c.to_uppercase().chain(chars).collect())
}

impl Page {
    /// Only the chapters of a number or title, and the groups of a name; nothing is left where
    /// there are none.
    #[must_use]
    pub fn only(mut self, wanted: &str) -> Page {
        for chapter in &mut self.chapters {
            if chapter.number != wanted && chapter.title != wanted {
                chapter.groups.retain(|g| g.name == wanted);
            }
        }
        self.chapters.retain(|c| !c.groups.is_empty());
        self.about.clear();
        self.settle();
        self
    }

    /// Makes plain words of all links that lead nowhere.
    pub fn settle(&mut self) {
        let anchors = self.anchors();
        let blocks =
            self.chapters.iter_mut().flat_map(|c| &mut c.groups).flat_map(|g| &mut g.blocks);
        for word in blocks.flat_map(words_of).flatten() {
            if let Word::Link { to, text } = word
                && !anchors.contains(to)
            {
                *word = plain(std::mem::take(text));
            }
        }
    }

    /// All that [`Page::only`] finds something for.
    #[must_use]
    pub fn names(&self) -> Vec<&str> {
        let chapters = self.chapters.iter().flat_map(|c| [c.number.as_str(), c.title.as_str()]);
        let groups = self.chapters.iter().flat_map(|c| &c.groups).map(|g| g.name.as_str());
        let mut names: Vec<&str> = chapters.chain(groups).filter(|n| !n.is_empty()).collect();
        names.arrange();
        names.dedup();
        names
    }

    /// The anchors that the page has.
    #[must_use]
    pub fn anchors(&self) -> std::collections::BTreeSet<String> {
        let blocks = self.chapters.iter().flat_map(|c| &c.groups).flat_map(|g| &g.blocks);
        let of_blocks = blocks.filter_map(|b| match b {
            Block::Clause { anchor, .. }
            | Block::Head { anchor, .. }
            | Block::Entry { anchor, .. } => Some(anchor.clone()),
            _ => None,
        });
        of_blocks
            .chain(self.chapters.iter().map(|c| c.anchor.clone()))
            .filter(|a| !a.is_empty())
            .collect()
    }
}
