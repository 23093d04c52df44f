//! Recorded positions: the lines of a file, or the rows of a table as the lines that say the same.

use std::path::Path;

use super::batch;
use super::open::setup_called;
use super::tables::{self, is_table};
use super::{End, message, progress, trouble};
use crate::arrow::{Positions, Spoken};
use crate::check::Resolved;
use crate::facade::{Faults, Game, Position};
use crate::ir::Ruleset;
use crate::source::SourceMap;
use crate::stream::Lines;
use crate::world::start;

/// Where recorded positions are read.
#[derive(Clone, Copy)]
pub(super) struct Recorded<'a> {
    pub path: &'a Path,
    /// The setup that says what a table does not say.
    pub setup: Option<&'a str>,
    /// Columns of a table that are no part of a position, and name it.
    pub keep: &'a [String],
}

impl Recorded<'_> {
    /// Gives each position with its place, as JSON, to what says whether it could be read; whether all
    /// could. What is no line and no row is reported and left out.
    pub(super) fn each(
        self,
        rules: &Ruleset,
        mut give: impl FnMut(&str, &[u8]) -> bool,
    ) -> Result<bool, End> {
        if is_table(self.path) {
            return self.rows(rules, &mut give);
        }
        if self.setup.is_some() || !self.keep.is_empty() {
            let why = "each line says itself which setup it is like, and has no columns";
            return Err(trouble(format!(
                "error: {why}\n  help: `--setup` and `--keep` are for a table of positions, a file \
                 that ends in `.parquet`"
            )));
        }
        self.lines(&mut give)
    }

    /// The name of the file alone, without its folder.
    fn name(self) -> String {
        match self.path.file_name() {
            Some(name) if self.path != Path::new("-") => name.to_string_lossy().into_owned(),
            _ => batch::name_of(self.path),
        }
    }

    fn lines(self, give: &mut dyn FnMut(&str, &[u8]) -> bool) -> Result<bool, End> {
        let broken = |error| self.broken(&error);
        let mut lines = Lines::new(batch::open(self.path).map_err(broken)?);
        let (name, mut all) = (self.name(), true);
        progress::count("positions", None);
        while let Some(line) = lines.next_line().map_err(broken)? {
            let place = format!("{name}:{}", line.number);
            match line.bytes() {
                Ok(bytes) if bytes.trim_ascii().is_empty() => {}
                Ok(bytes) => all &= give(&place, bytes),
                Err(fault) => all &= left_out(&place, &Faults::bare(*fault)),
            }
            progress::more(1);
        }
        Ok(all)
    }

    fn rows(self, rules: &Ruleset, give: &mut dyn FnMut(&str, &[u8]) -> bool) -> Result<bool, End> {
        tables::quiet();
        let setup = setup_called(self.setup, rules)?;
        let named = rules.setups.get(setup.index()).map_or("", |setup| &setup.name);
        let game = Game::of(rules.clone(), Resolved::default(), SourceMap::new());
        let spoken = Spoken::new(Position::new(game, start(rules, setup)), named.to_owned());
        let file = batch::file(self.path).map_err(|error| self.broken(&error))?;
        let positions = Positions::open(file, self.keep).map_err(trouble)?;
        progress::count("positions", usize::try_from(positions.rows()).ok());
        let (name, mut all, mut number) = (self.name(), true, 0_u64);
        for table in positions {
            let table = table.map_err(trouble)?;
            for row in spoken.rows(&table, self.keep).map_err(trouble)? {
                number += 1;
                let kept = match row.kept.as_slice() {
                    [] => String::new(),
                    kept => format!(" ({})", kept.join(", ")),
                };
                let place = format!("{name}:{number}{kept}");
                match row.said {
                    Ok(text) => all &= give(&place, text.as_bytes()),
                    Err(faults) => all &= left_out(&place, &faults),
                }
                progress::more(1);
            }
        }
        Ok(all)
    }

    fn broken(self, error: &dyn std::fmt::Display) -> End {
        trouble(format!("error: `{}` cannot be read: {error}", batch::name_of(self.path)))
    }
}

/// Reports what is left out.
fn left_out(place: &str, faults: &Faults) -> bool {
    message(&format!("{place}: {faults}\n"));
    false
}
