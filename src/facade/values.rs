//! Any condition or amount asked of things, without a trace around it.

use std::sync::{Arc, Mutex, PoisonError};

use num_traits::ToPrimitive;

use super::{Columns, Faults, Game, Position, names};
use crate::check;
use crate::diag::{Diagnostic, code};
use crate::hooks;
use crate::ir::{ExprId, KindId, MapId, Ruleset, Type};
use crate::kernel;
use crate::kernel::column::{Program, What};
use crate::report::{ValueReport, all_of_kind, id_of, value_rows, value_text};
use crate::source::{SourceMap, screen};
use crate::syntax;
use crate::world::{ThingRef, World};

/// What questions are called in messages.
const NAME: &str = "question";

/// A question in the words of the rules, about each thing of a kind or about the world: a define, a
/// table, an attribute, a condition, an amount. It may name the spaces and the units of a position.
pub struct Question {
    game: Game,
    of: Option<KindId>,
    text: String,
    /// What it means for positions of one map with the same units.
    kept: Mutex<Option<Arc<Meant>>>,
}

struct Meant {
    map: MapId,
    units: Vec<(String, KindId)>,
    rules: Ruleset,
    asked: ExprId,
    viewed: bool,
    ty: Option<Type>,
}

/// The values of a question by columns: amounts over one denominator, words by their place.
pub(crate) struct ValueColumns {
    pub(crate) columns: Columns,
    under: i64,
    pub(crate) words: Vec<String>,
}

impl ValueColumns {
    /// The number of floating point that is nearest to an amount.
    pub(crate) fn number(&self, over: i32) -> f64 {
        kernel::Amount::new(over.into(), self.under).to_f64().unwrap_or(f64::NAN)
    }
}

/// What the values of a question are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Gives {
    Truth,
    Whole,
    Fraction,
    /// A word or a thing, by its name.
    Word,
}

impl Game {
    /// A question about the things of a kind, or about the world where none is named.
    ///
    /// # Errors
    ///
    /// E1052 where there is no such kind. What is wrong with the question itself is said when it is
    /// asked, for it may name what a position holds.
    pub fn question(&self, of: Option<&str>, text: &str) -> Result<Question, Faults> {
        let kinds = &self.rules().kinds;
        let names = || kinds.iter().flat_map(|k| [k.name.as_str(), k.plural.as_str()]);
        let of = match of {
            Some(name) => Some(KindId::at(names::place("kind", name, names())? / 2)),
            None => None,
        };
        Ok(Question { game: self.clone(), of, text: text.to_owned(), kept: Mutex::default() })
    }
}

impl Question {
    /// What it comes to in a position of its game, for each thing of its kind that has not left the
    /// game.
    ///
    /// # Errors
    ///
    /// What is wrong with the question, with places in it; E1051 where nobody asks how things stand
    /// to him; what cannot be worked out.
    pub fn of(&self, position: &Position) -> Result<ValueReport, Faults> {
        let meant = self.meant(position.world())?;
        let (asked, things) = self.asked(&meant, position)?;
        let values =
            value_rows(&asked, meant.asked, &things).map_err(|fault| self.game.broken(fault))?;
        Ok(ValueReport {
            schema: 1,
            ruleset: self.game.name().to_owned(),
            hash: self.game.hash().to_owned(),
            question: self.text.clone(),
            of: self.of.and_then(|of| meant.rules.kinds.get(of.index())).map(|k| k.name.clone()),
            values,
        })
    }

    /// Its text.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The ids of the things that it is about in a position, and what its values are.
    ///
    /// # Errors
    ///
    /// As those of [`Question::of`], but for what cannot be worked out.
    pub(crate) fn about(&self, position: &Position) -> Result<(Vec<String>, Gives), Faults> {
        let meant = self.meant(position.world())?;
        let (asked, things) = self.asked(&meant, position)?;
        let ids = things.iter().map(|thing| id_of(&asked, *thing)).collect();
        let gives = match meant.ty {
            Some(Type::Truth) => Gives::Truth,
            Some(Type::Number { fraction: true, .. }) => Gives::Fraction,
            Some(Type::Number { .. }) => Gives::Whole,
            _ => Gives::Word,
        };
        Ok((ids, gives))
    }

    /// The way to its values by columns, for positions that are like one; none where a value does
    /// not rest on facts of its own thing alone.
    ///
    /// # Errors
    ///
    /// What is wrong with the question.
    pub(crate) fn columns(&self, like: &Position) -> Result<Option<ValueColumns>, Faults> {
        let meant = self.meant(like.world())?;
        let (asked, things) = self.asked(&meant, like)?;
        let Ok(program) = Program::compile(&meant.rules, What::Expression(meant.asked)) else {
            return Ok(None);
        };
        let under = program.under();
        let set = match meant.ty {
            Some(Type::Word(set)) => meant.rules.word_sets.get(set.index()),
            _ => None,
        };
        let word = |word: usize| {
            let word = kernel::Value::Word(u16::try_from(word).unwrap_or(u16::MAX));
            value_text(&asked, meant.asked, word)
        };
        let words = (0..set.map_or(0, |set| set.words.len())).map(word).collect();
        let columns = Columns::new(&meant.rules, like, vec![program], things);
        Ok(columns.map(|columns| ValueColumns { columns, under, words }))
    }

    /// The position as it is asked, and the things that are asked about.
    fn asked<'p>(
        &self,
        meant: &'p Meant,
        position: &'p Position,
    ) -> Result<(kernel::Position<'p>, Vec<ThingRef>), Faults> {
        let world = position.world();
        // A unit is asked for its owner, and a side for itself.
        let asks = |top: KindId| matches!(top, KindId::UNIT | KindId::SIDE);
        let has_side = self.of.is_some_and(|of| asks(meant.rules.top(of)));
        if meant.viewed && !has_side && world.viewer.is_none() && !meant.rules.sides.is_empty() {
            let fault =
                Diagnostic::bare(code::E1051, "the question is how things stand, and nobody asks");
            return Err(Faults::bare(fault.help("name the side that asks, as `--side` does")));
        }
        let Some(asked) = kernel::Position::new(&meant.rules, world) else {
            return Err(names::absent("the ruleset has no map", "write one with a `space` in it"));
        };
        let things = match self.of {
            Some(of) => all_of_kind(&asked, of),
            None => vec![ThingRef::World],
        };
        Ok((asked, things))
    }

    /// What it means among the spaces and units of a position; kept for the next one like it.
    fn meant(&self, world: &World) -> Result<Arc<Meant>, Faults> {
        let like = |m: &Meant| {
            let units = || world.units.iter().map(|u| (u.id.as_str(), u.kind));
            m.map == world.map && m.units.iter().map(|(id, k)| (id.as_str(), *k)).eq(units())
        };
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(meant) = kept.as_ref().filter(|m| like(m)) {
            return Ok(Arc::clone(meant));
        }
        let meant = Arc::new(self.read(world)?);
        *kept = Some(Arc::clone(&meant));
        Ok(meant)
    }

    fn read(&self, world: &World) -> Result<Meant, Faults> {
        let inner = self.game.inner();
        let mut sources = SourceMap::clone(&inner.sources);
        let id = sources.next_id();
        let (text, faults) = screen(self.text.as_bytes(), id);
        sources.add(NAME, text);
        if crate::diag::has_errors(&faults) {
            return Err(Faults::of(&faults, &sources));
        }
        let read = syntax::question(id, sources.text(id));
        let question = read.map_err(|fault| Faults::of(&[*fault], &sources))?;
        let units: Vec<_> = world.units.iter().map(|u| (u.id.clone(), u.kind)).collect();
        let asked =
            check::asked(&inner.resolved, &sources, world.map, &units, (self.of, &question));
        let check::Asked { mut rules, asked, viewed, ty } =
            asked.map_err(|faults| Faults::of(&faults, &sources))?;
        // The scripts were sound when the ruleset was opened.
        hooks::bind(&mut rules);
        Ok(Meant { map: world.map, units, rules, asked, viewed, ty })
    }
}
