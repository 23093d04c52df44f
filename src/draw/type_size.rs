//! How much room text takes. No renderer is asked: the widths are those of a wide face, so that
//! what fits here fits with any of the faces of the drawing.

/// How wide a text is at this size, in the unit of the size.
pub(super) fn width(text: &str, size: i64) -> i64 {
    let thousandths: i64 = text.chars().map(letter).sum();
    (thousandths * size + 999) / 1000
}

/// How wide a letter is, in thousandths of the size.
fn letter(c: char) -> i64 {
    match c {
        'i' | 'j' | 'l' | '\'' | '.' | ',' | ':' | ';' | '|' | '!' | 'I' => 340,
        ' ' | 'f' | 't' | 'r' | '(' | ')' | '-' | '/' | '[' | ']' => 420,
        'm' | 'w' | 'M' | 'W' | '\u{2026}' | '%' | '@' => 1000,
        'a'..='z' | '0'..='9' | '_' => 640,
        'A'..='Z' => 790,
        c if c.is_ascii() => 840,
        c if c.is_alphabetic() && u32::from(c) < 0x0600 => 800,
        _ => 1100,
    }
}

/// A text in lines no wider than this, broken at blanks; a word that is wider has its own line.
pub(super) fn wrapped(text: &str, size: i64, most: i64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ').filter(|w| !w.is_empty()) {
        match lines.last_mut() {
            Some(line) if width(line, size) + width(&format!(" {word}"), size) <= most => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// A name as a reader sees it: its words apart.
pub(super) fn read(name: &str) -> String {
    name.replace('_', " ")
}

/// The same with a capital.
pub(super) fn title(name: &str) -> String {
    let mut chars = name.chars();
    let first = chars.next().map(|c| c.to_uppercase().collect::<String>());
    read(&(first.unwrap_or_default() + chars.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_no_wider_than_they_may_be() {
        let text = "Quadt, Glatz, the foot of the garrison, its guns, and Unbreakablylongname";
        let lines = wrapped(text, 120, 1500);
        assert_eq!(lines.join(" "), text);
        assert!(lines.len() > 3, "{lines:?}");
        for line in &lines {
            assert!(width(line, 120) <= 1500 || !line.contains(' '), "{line}");
        }
    }

    #[test]
    fn names_are_read_without_their_joints() {
        assert_eq!(
            (read("out_of_supply"), title("sea_lane")),
            ("out of supply".into(), "Sea lane".into())
        );
    }
}
