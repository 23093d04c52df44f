//! `sutler batch`, `sutler ask` and `sutler odds` over tables: a row a position, answers as a table.

use std::path::Path;
use std::thread;

use super::ask::game_of;
use super::open::{open_one, side_called, trace_called};
use super::{End, batch, message, progress, trouble};
use crate::arrow::{Answers, Asked, Positions, is_guarded, refused_rows};
use crate::diag::counted;
use crate::facade::{Faults, Side, Trace};
use crate::output::New;

/// Parts of a table that are held at once, at most.
const MOST_TOGETHER: usize = 64;

/// A table of positions, and where its answers go.
pub(super) struct Tables<'a> {
    pub ruleset: &'a Path,
    pub positions: &'a Path,
    pub out: &'a Path,
    pub what: What<'a>,
    pub side: Option<&'a str>,
    pub setup: Option<&'a str>,
    pub keep: &'a [String],
    pub jobs: usize,
}

/// What is asked.
pub(super) enum What<'a> {
    /// A trace, and whether the lengths of lines are wanted.
    Trace(Option<&'a str>, bool),
    /// A question, and the kind of thing that it is about.
    Question(&'a str, Option<&'a str>),
    /// The exact odds of a test, or of a list of tests.
    Test(&'a str),
}

/// Whether a path is that of a table.
pub(super) fn is_table(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("parquet"))
}

/// The table that is asked, and where its answers go; nothing where positions come as lines.
pub(super) fn named<'a>(
    positions: &'a Path,
    out: Option<&'a Path>,
) -> Result<Option<(&'a Path, &'a Path)>, End> {
    let why = match (is_table(positions), out) {
        (false, None) => return Ok(None),
        (true, Some(out)) if is_table(out) => return Ok(Some((positions, out))),
        (true, None) => {
            "answers to a table are a table: name a file that ends in `.parquet` as `--out`"
        }
        (true, Some(_)) => {
            "answers to a table are a table: let the name of `--out` end in `.parquet`"
        }
        (false, Some(_)) => {
            "answers to lines are lines on standard output; `--out` is for a table of positions, a \
             file that ends in `.parquet`"
        }
    };
    Err(trouble(format!("error: {why}")))
}

impl Tables<'_> {
    /// Answers the table; nothing is written where it cannot be read to its end.
    pub(super) fn answer(&self) -> Result<End, End> {
        quiet();
        let asked = self.asked()?;
        let file = batch::file(self.positions).map_err(|error| {
            trouble(format!("error: `{}` cannot be read: {error}", self.positions.display()))
        })?;
        let mut positions = Positions::open(file, self.keep).map_err(trouble)?;
        let schema = asked.answers(positions.schema(), self.keep).map_err(trouble)?;
        let new = New::at(self.out).map_err(|fault| trouble(Faults::bare(fault)))?;
        let mut answers = Answers::new(new, &schema).map_err(trouble)?;
        progress::count("positions", usize::try_from(positions.rows()).ok());
        let (rows, bad) = self.pump(&asked, &mut positions, &mut answers).map_err(trouble)?;
        let new = answers.finish().map_err(trouble)?;
        new.finish().map_err(|fault| trouble(Faults::bare(fault)))?;
        progress::end();
        let answered = counted(rows - bad, "row");
        let out = self.out.display();
        if bad == 0 {
            message(&format!("{answered} answered in {out}\n"));
            return Ok(End::Clean);
        }
        message(&format!(
            "{answered} answered in {out}, {bad} without an answer: its column `error` says why\n"
        ));
        Ok(End::Findings)
    }

    /// Batches are answered side by side, and written in their order.
    fn pump(
        &self,
        asked: &Asked,
        positions: &mut Positions,
        answers: &mut Answers<New>,
    ) -> Result<(usize, usize), Faults> {
        let (mut rows, mut bad, mut number) = (0, 0, 0_u64);
        loop {
            let batches: Vec<_> =
                positions.take(self.jobs.min(MOST_TOGETHER)).collect::<Result<_, _>>()?;
            if batches.is_empty() {
                return Ok((rows, bad));
            }
            let found: Vec<_> = thread::scope(|scope| {
                let workers: Vec<_> = (number..)
                    .zip(&batches)
                    .map(|(number, batch)| {
                        scope.spawn(move || asked.answer(batch, number, self.keep))
                    })
                    .collect();
                let done = workers.into_iter().map(|worker| {
                    worker.join().unwrap_or_else(|lost| std::panic::resume_unwind(lost))
                });
                done.collect()
            });
            for table in found {
                let table = table?;
                answers.write(&table)?;
                (rows, bad) = (rows + table.num_rows(), bad + refused_rows(&table));
                progress::more(u64::try_from(table.num_rows()).unwrap_or(0));
                number += 1;
            }
        }
    }

    fn asked(&self) -> Result<Asked, End> {
        let (mut project, rules) = open_one(self.ruleset)?;
        let game = game_of(&mut project, rules);
        let like = match self.setup {
            Some(name) => game.setup(name),
            None => game.first_setup(),
        };
        let mut like = like.map_err(trouble)?;
        if let Some(name) = self.side {
            let side = side_called(name, game.rules())?;
            like.set_viewer(Some(Side(side.0))).map_err(trouble)?;
        }
        let asked = match self.what {
            What::Trace(name, lengths) => {
                let trace = trace_called(name, game.rules())?;
                Asked::of_trace(like, Trace(trace.0), lengths)
            }
            What::Question(text, of) => {
                game.question(of, text).and_then(|question| Asked::of_question(like, question))
            }
            What::Test(name) => Asked::of_test(like, name),
        };
        asked.map_err(trouble)
    }
}

/// Prints no panic that becomes a fault.
pub(super) fn quiet() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !is_guarded() {
            usual(panic);
        }
    }));
}
