//! Files of rulesets written anew by the commands whose work that is.
//!
//! Takes what was read and what is to stand there; a file that holds something else by now is left
//! alone, with all the others. Knows no rules.

use std::path::Path;

use super::{End, unwritten};
use crate::diag::{Diagnostic, code};
use crate::output::Rewrite;
use crate::source::{MAX_BYTES, SourceId, SourceMap, screen};

/// Writes new bytes into files, into all of them or into none.
pub(super) fn rewrite(files: &[Rewrite]) -> Result<(), End> {
    crate::output::rewrite(files).map_err(unwritten)
}

/// The bytes of a file, if it still holds what was read: places are those of the bytes, a mark and
/// line ends among them.
pub(super) fn unchanged(sources: &SourceMap, file: SourceId) -> Result<Vec<u8>, End> {
    let name = sources.name(file);
    let bytes = crate::source::read(Path::new(name), MAX_BYTES).map_err(|error| {
        let message = format!("`{name}` cannot be read: {error}");
        unwritten(Diagnostic::bare(code::E0006, message).help("nothing was changed"))
    })?;
    if screen(&bytes, file).0 == sources.text(file) {
        return Ok(bytes);
    }
    let fault = Diagnostic::bare(code::E0011, format!("`{name}` has changed since it was read"));
    Err(unwritten(fault.help("nothing was changed; run the command again")))
}

/// A game in a folder of its own, and what another program makes of it between reading and writing.
#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests fail by panicking")]
pub(super) mod testing {
    use std::fs;
    use std::path::PathBuf;

    use crate::cli::End;

    /// Something for each command: lines that are not laid out, an `allow` that allows nothing, and an
    /// expected value that is wrong.
    pub(in crate::cli) const GAME: &str = r#"edition 1
ruleset small "Small" prefix SM
sides Red against Blue
clock turn has action of each side
dimension points (point)
kind area, areas is space
kind block, blocks is unit {
  has men in points from 0 to 9
}
# allow W1205: it was the same as another once
define steady of block = men at least 1
map m {
  space area A
}
setup s on m {
  put block X of Red in A with men 5
}
case "stands" {
  setup s
  expect   men of X is 7 points
}
"#;

    /// What a file may hold by the time of writing: other bytes of the same length, more, less,
    /// nothing, and the same text with other line ends or a mark.
    fn others() -> Vec<Option<String>> {
        vec![
            Some(GAME.replace("men 5", "men 6")),
            Some(format!("{GAME}define more of block = men\n")),
            Some(GAME[..40].to_owned()),
            Some(String::new()),
            Some(GAME.replace('\n', "\r\n")),
            Some(format!("\u{feff}{GAME}")),
            None,
        ]
    }

    /// Holds that a command which has read the game refuses to write, whatever the file holds by
    /// now, and leaves that as it is; and that it writes where nothing has changed.
    pub(in crate::cli) fn refuses_what_has_changed<T>(
        read: impl Fn(&PathBuf) -> T,
        write: impl Fn(T) -> Result<(), End>,
    ) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rules.sut");
        for other in others() {
            fs::write(&path, GAME).unwrap();
            let was_read = read(&path);
            match &other {
                Some(other) => fs::write(&path, other).unwrap(),
                None => fs::remove_file(&path).unwrap(),
            }
            assert!(matches!(write(was_read), Err(End::Trouble)), "{other:?}");
            assert_eq!(fs::read_to_string(&path).ok(), other);
            let files = fs::read_dir(folder.path()).unwrap().count();
            assert_eq!(files, usize::from(other.is_some()), "nothing else is left");
        }
        fs::write(&path, GAME).unwrap();
        let was_read = read(&path);
        assert!(!matches!(write(was_read), Err(End::Trouble)));
        assert_ne!(fs::read_to_string(&path).unwrap(), GAME, "else nothing was tried");
    }
}
