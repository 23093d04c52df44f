//! The long explanation of a code, for the terminal.
//!
//! Takes the Markdown of a code, gives wrapped prose with the examples indented under
//! `wrong:` and `right:`. Knows no Markdown beyond the title line and the fences.

use super::code::{Block, blocks};
use super::{Style, clean};

/// Lays out an explanation, which is Markdown from a title line such as `# E0001: a title` on.
#[must_use]
pub fn explain_code(text: &str, style: Style) -> String {
    let paint = |code: &str, text: &str| match style.colour {
        true => format!("\u{1b}[{code}m{text}\u{1b}[0m"),
        false => text.to_owned(),
    };
    let width = style.width.clamp(40, 100);
    let mut out = paint("1", text.lines().next().unwrap_or_default().trim_start_matches("# "));
    out.push('\n');
    for block in blocks(text) {
        if block.fence.is_none() {
            prose(&mut out, block.text, width);
            continue;
        }
        out.push('\n');
        if let Some(example) = block.example() {
            let head = if example.right { paint("32", "right:") } else { paint("31", "wrong:") };
            out.push_str(&format!("  {head}\n"));
        }
        fenced(&mut out, block);
    }
    out
}

/// Paragraphs, without the title line that is already written.
fn prose(out: &mut String, text: &str, width: usize) {
    let body: Vec<&str> = text.lines().filter(|line| !line.starts_with("# ")).collect();
    for paragraph in body.split(|line| line.trim().is_empty()).filter(|p| !p.is_empty()) {
        out.push('\n');
        for line in clean::wrap(&paragraph.join(" "), width) {
            out.push_str(&line);
            out.push('\n');
        }
    }
}

fn fenced(out: &mut String, block: Block<'_>) {
    for line in block.text.lines() {
        out.push_str(format!("    {}", clean::line(line)).trim_end());
        out.push('\n');
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed test may abort")]

    use super::*;
    use crate::diag::code;

    #[test]
    fn an_explanation_reads_well_on_a_terminal() {
        let info = code::find("E0006").unwrap();
        assert_eq!(
            explain_code(info.text, Style::PLAIN),
            "E0006: file cannot be read\n\
             \n\
             The system did not give the file: it does not exist, it is a folder, or you may\n\
             not read it. The message carries the system's own reason. A ruleset is a folder\n\
             with a file `rules.sut`; name that folder, or a file in it, from where the\n\
             command is started, and capital letters count.\n\
             \n\
             \x20 wrong:\n\
             \x20   sutler check Rules.sut          (the file is called rules.sut)\n\
             \n\
             \x20 right:\n\
             \x20   sutler check rules.sut\n"
        );
    }

    #[test]
    fn colours_only_when_asked_for() {
        let info = code::find("E0006").unwrap();
        let colour = Style { colour: true, ..Style::PLAIN };
        assert!(explain_code(info.text, colour).contains("  \u{1b}[31mwrong:\u{1b}[0m\n"));
        for info in code::all() {
            assert!(!explain_code(info.text, Style::PLAIN).contains('\u{1b}'));
        }
    }
}
