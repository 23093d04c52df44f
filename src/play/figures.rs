//! Figures in words and in tables, for what games come to and for what numbers make of it.

use super::exact::{Figure, decimal};

/// A name with what it is of, where it does not say so itself.
pub(crate) fn named(of: &str, name: &str) -> String {
    match of {
        "control" => format!("spaces of {name}"),
        "units" => format!("units of {name}"),
        "ended" => format!("the end is `{name}`"),
        _ => name.to_owned(),
    }
}

/// Two digits behind the point.
pub(crate) fn digits(figure: &Figure) -> String {
    decimal(&figure.0, 2)
}

/// The same without them where it is whole.
pub(crate) fn short(figure: &Figure) -> String {
    if figure.0.is_integer() { decimal(&figure.0, 0) } else { digits(figure) }
}

/// The two ends of an interval; nothing where there is none.
pub(crate) fn ends(low: Option<&Figure>, high: Option<&Figure>) -> String {
    low.zip(high).map_or_else(String::new, |(a, b)| format!("{} to {}", digits(a), digits(b)))
}

/// A blank line, a head and rows, some columns at the left and the others at the right; nothing
/// without rows.
pub(crate) fn table(head: &[&str], rows: Vec<Vec<String>>, at_left: &[usize]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let head: Vec<String> = head.iter().map(|cell| (*cell).to_owned()).collect();
    let all: Vec<Vec<String>> = std::iter::once(head).chain(rows).collect();
    let width =
        |at: usize| all.iter().filter_map(|row| row.get(at)).map(|cell| cell.chars().count()).max();
    let widths: Vec<usize> = (0..).map_while(width).collect();
    let mut out = String::from("\n");
    for row in &all {
        let mut line = String::new();
        for (at, (cell, width)) in row.iter().zip(&widths).enumerate() {
            let blanks = " ".repeat(width.saturating_sub(cell.chars().count()));
            let gap = if at == 0 { "" } else { "  " };
            match at_left.contains(&at) {
                true => line.push_str(&format!("{gap}{cell}{blanks}")),
                false => line.push_str(&format!("{gap}{blanks}{cell}")),
            }
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}
