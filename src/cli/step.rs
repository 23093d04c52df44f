//! Steps one at a time: on a terminal each waits for a key and Enter; elsewhere all are written.

use std::io::{BufRead, IsTerminal};

use super::{End, print};

/// What is asked for behind each step.
const KEYS: &str = "Enter next, b back, c all the others, q quit";

/// Shows steps, each a text of whole lines.
pub(super) fn show(steps: &[String]) -> Result<(), End> {
    if std::io::stdin().is_terminal() && std::io::stdout().is_terminal() {
        walk(steps, &mut std::io::stdin().lock(), &mut |text| print(text))
    } else {
        print(&steps.join("\n"))
    }
}

/// Writes steps for programs, one object a line.
pub(super) fn lines(steps: &[impl serde::Serialize]) -> Result<(), End> {
    let line = |step| crate::diag::clean::json(&serde_json::to_string(step).unwrap_or_default());
    print(&steps.iter().map(|step| line(step) + "\n").collect::<String>())
}

/// Goes from step to step as the lines of the input say; at their end the others are not shown.
fn walk(
    steps: &[String],
    input: &mut dyn BufRead,
    out: &mut dyn FnMut(&str) -> Result<(), End>,
) -> Result<(), End> {
    let mut at = 0;
    while let Some(step) = steps.get(at) {
        out(&format!("[{} of {}] {step}", at + 1, steps.len()))?;
        at += 1;
        if at == steps.len() {
            break;
        }
        out(&format!("{KEYS}: "))?;
        let mut key = String::new();
        if input.read_line(&mut key).unwrap_or(0) == 0 {
            return out("\n");
        }
        match key.trim() {
            "q" => return Ok(()),
            "c" => return out(&steps.get(at..).unwrap_or_default().join("\n")),
            "b" => at = at.saturating_sub(2),
            _ => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is shown when these keys are pressed, without what is asked in between.
    fn shown(keys: &str) -> Vec<String> {
        let steps: Vec<String> = ["one", "two", "three"].map(|s| format!("{s}\n")).to_vec();
        let mut out = String::new();
        let done = walk(&steps, &mut keys.as_bytes(), &mut |text| {
            out.push_str(text);
            Ok(())
        });
        assert!(done.is_ok());
        let out = out.replace(&format!("{KEYS}: "), "");
        out.lines().filter(|l| !l.is_empty()).map(str::to_owned).collect()
    }

    #[test]
    fn keys_go_on_back_to_the_end_and_away() {
        assert_eq!(shown("\n\n"), ["[1 of 3] one", "[2 of 3] two", "[3 of 3] three"]);
        assert_eq!(shown("n\nb\nq\n"), ["[1 of 3] one", "[2 of 3] two", "[1 of 3] one"]);
        assert_eq!(shown("c\n"), ["[1 of 3] one", "two", "three"]);
        assert_eq!(shown("b\nq\n"), ["[1 of 3] one", "[1 of 3] one"]);
        assert_eq!(shown("q\n"), ["[1 of 3] one"]);
        // The end of the input is no key.
        assert_eq!(shown(""), ["[1 of 3] one"]);
    }
}
