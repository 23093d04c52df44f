//! Which characters no text of ours may hold, and no output may print.
//!
//! Takes a character, gives why it is refused. The screen and the renderers share this
//! one list, so that what is refused on the way in is escaped on the way out.

/// Why a character is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hazard {
    /// It steers a terminal instead of being text.
    Control,
    /// It cannot be seen, or it changes the order in which text is shown.
    Hidden,
}

/// Why a character is refused, if it is. Tab and newline are text; a carriage return is
/// not, because the screen has read it as a line end before anyone asks.
#[must_use]
pub const fn hazard(c: char) -> Option<Hazard> {
    match c {
        '\t' | '\n' => None,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' => Some(Hazard::Control),
        // The soft hyphen, letter marks, fillers and separators without a shape.
        '\u{ad}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{180e}' | '\u{3164}' | '\u{ffa0}' => {
            Some(Hazard::Hidden)
        }
        // Zero width, marks of direction, line and paragraph separators, invisible operators.
        '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' => {
            Some(Hazard::Hidden)
        }
        // The byte order mark inside a text, annotations, and the invisible tags.
        '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}' => Some(Hazard::Hidden),
        _ => None,
    }
}

/// What a reader calls a refused character; only those met in practice have a name.
#[must_use]
pub const fn name(c: char) -> Option<&'static str> {
    Some(match c {
        '\0' => "NUL",
        '\u{8}' => "backspace",
        '\u{c}' => "form feed",
        '\u{1b}' => "escape",
        '\u{7f}' => "delete",
        '\u{85}' => "next line",
        '\u{ad}' => "soft hyphen",
        '\u{200b}' => "zero width space",
        '\u{200c}' => "zero width non-joiner",
        '\u{200d}' => "zero width joiner",
        '\u{61c}' | '\u{200e}' | '\u{200f}' => "mark of direction",
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => "change of direction",
        '\u{2028}' => "line separator",
        '\u{2029}' => "paragraph separator",
        '\u{2060}' => "word joiner",
        '\u{feff}' => "byte order mark",
        _ => return None,
    })
}

/// How a refused character is written where it must be shown: `\u{1b}`.
#[must_use]
pub fn escaped(c: char) -> String {
    format!("\\u{{{:x}}}", u32::from(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_every_script_passes() {
        for c in "aZ09 \t\né Ж 漢 あ ا ש — … 🙂 \u{301}".chars() {
            assert_eq!(hazard(c), None, "{c:?}");
        }
    }

    #[test]
    fn controls_and_hidden_characters_are_told_apart() {
        for c in "\0\r\u{1b}\u{7f}\u{85}\u{9b}".chars() {
            assert_eq!(hazard(c), Some(Hazard::Control), "{c:?}");
        }
        for c in "\u{61c}\u{200b}\u{200d}\u{200e}\u{200f}\u{2028}\u{2029}\u{202a}\u{202e}\u{2060}\u{2066}\u{2069}\u{feff}\u{e0041}".chars()
        {
            assert_eq!(hazard(c), Some(Hazard::Hidden), "{c:?}");
        }
    }

    #[test]
    fn every_control_the_standard_names_is_refused() {
        for c in ('\0'..='\u{ffff}').filter(|c| c.is_control() && !matches!(c, '\t' | '\n')) {
            assert_eq!(hazard(c), Some(Hazard::Control), "{c:?}");
        }
    }

    #[test]
    fn escapes_name_the_character() {
        assert_eq!(escaped('\u{1b}'), "\\u{1b}");
        assert_eq!(name('\u{200b}'), Some("zero width space"));
        assert_eq!(name('a'), None);
    }
}
