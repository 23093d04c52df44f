//! Rules opened from a folder or from texts, with all that is wrong with them.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::game::Inner;
use super::{Faults, Game, names};
use crate::diag::Fault;
use crate::project::{Project, own_faults};

/// Rulesets that were opened together: a folder's own with its variants, or several folders.
///
/// Opening never fails: what is wrong is in [`Rules::faults`], and [`Rules::game`] gives a ruleset
/// that has no error. Cloning is cheap.
///
/// ```
/// let rules = sutler::Rules::of_text("edition 1\nruleset tiny \"Tiny\" prefix T\nsides Red, Blue\n");
/// assert!(rules.is_sound(), "{:?}", rules.faults());
/// assert_eq!(rules.names().collect::<Vec<_>>(), ["tiny"]);
/// ```
#[derive(Debug, Clone)]
pub struct Rules(Arc<Opened>);

#[derive(Debug)]
struct Opened {
    faults: Vec<Fault>,
    rulesets: Vec<One>,
}

/// One ruleset; with errors in it there is no game.
#[derive(Debug)]
struct One {
    name: String,
    game: Result<Game, Faults>,
}

impl Rules {
    /// Opens a ruleset's folder with its variants, one file of it, or a folder of such folders.
    #[must_use]
    pub fn open(path: impl AsRef<Path>) -> Rules {
        Rules::of(Project::open(path.as_ref()))
    }

    /// Opens texts from anywhere: an archive, a database, an editor. Each has a path as in a folder,
    /// with `/` between its parts: `rules.sut`, `hooks/fort.rhai`, or `my_game/rules.sut` where
    /// there are several rulesets. Nothing is read from a disk.
    ///
    /// ```
    /// let rules = sutler::Rules::of_texts([
    ///     ("rules.sut", "edition 1\nruleset tiny \"Tiny\" prefix T\n"),
    ///     ("sides.sut", "edition 1\nsides Red, Blue\n"),
    /// ]);
    /// assert!(rules.is_sound(), "{:?}", rules.faults());
    /// ```
    #[must_use]
    pub fn of_texts<P, T>(texts: impl IntoIterator<Item = (P, T)>) -> Rules
    where
        P: AsRef<str>,
        T: Into<Vec<u8>>,
    {
        let texts: BTreeMap<PathBuf, Vec<u8>> = crate::arrange::gathered(
            texts.into_iter().map(|(path, text)| (plain(path.as_ref()), text.into())),
        );
        Rules::of(Project::of_texts(texts, Path::new("")))
    }

    /// Opens one text as a ruleset of its own.
    #[must_use]
    pub fn of_text(text: &str) -> Rules {
        Rules::of_texts([("rules.sut", text)])
    }

    fn of(mut project: Project) -> Rules {
        let mut told = project.faults.clone();
        told.extend(own_faults(&project).into_iter().flatten().cloned());
        let faults = told.iter().map(|d| Fault::of(d, &project.sources)).collect();
        let rulesets = std::mem::take(&mut project.rulesets);
        let sources = Arc::new(std::mem::take(&mut project.sources));
        let one = |mut loaded: crate::project::Loaded| {
            let resolved = loaded.take_resolved();
            let game = match loaded.rules {
                Some(rules) => Ok(Game::new(Inner::new(rules, resolved, Arc::clone(&sources)))),
                None => Err(Faults::of(&loaded.faults, &sources)),
            };
            One { name: loaded.name, game }
        };
        let rulesets = rulesets.into_iter().map(one).collect();
        Rules(Arc::new(Opened { faults, rulesets }))
    }

    /// All that is wrong, or worth knowing, in the order of the files.
    #[must_use]
    pub fn faults(&self) -> &[Fault] {
        &self.0.faults
    }

    /// Whether there is no error; there may be warnings.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        !self.0.faults.iter().any(Fault::is_error)
    }

    /// The rulesets by name, each folder's own before its variants.
    pub fn names(&self) -> impl Iterator<Item = &str> + Clone {
        self.0.rulesets.iter().map(|one| one.name.as_str())
    }

    /// The ruleset that was opened; of several the first.
    ///
    /// # Errors
    ///
    /// The errors in it, or that there is none.
    pub fn game(&self) -> Result<Game, Faults> {
        match self.0.rulesets.first() {
            Some(one) => one.game.clone(),
            None if self.0.faults.is_empty() => {
                Err(names::absent("there is no ruleset", "open a folder with a file `rules.sut`"))
            }
            None => Err(Faults::new(self.0.faults.clone())),
        }
    }

    /// The ruleset or variant of a name.
    ///
    /// # Errors
    ///
    /// The errors in it, or E1052 where there is none of that name.
    pub fn named(&self, name: &str) -> Result<Game, Faults> {
        let at = names::place("ruleset", name, self.names())?;
        match self.0.rulesets.get(at) {
            Some(one) => one.game.clone(),
            None => self.game(),
        }
    }
}

/// A path without `.`, `..` and a beginning, so that equal names are equal paths.
fn plain(path: &str) -> PathBuf {
    let parts = Path::new(path).components();
    parts.filter(|part| matches!(part, Component::Normal(_))).collect()
}
