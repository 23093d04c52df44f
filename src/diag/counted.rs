//! Counted nouns: `1 case`, `2 cases`, `3 retries`.

use std::fmt::Display;

/// A number with its noun, which is given for one.
pub fn counted<N: Display + PartialEq + From<u8>>(count: N, noun: &str) -> String {
    format!("{count} {}", of_many(count == N::from(1), noun))
}

/// The noun alone, for one or for another number.
fn of_many(one: bool, noun: &str) -> String {
    let before = noun.chars().rev().nth(1);
    match noun.strip_suffix('y') {
        _ if one => noun.to_owned(),
        Some(stem) if before.is_some_and(|c| !"aeiou".contains(c)) => format!("{stem}ies"),
        None if noun.ends_with('s') => format!("{noun}es"),
        _ => format!("{noun}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::counted;

    #[test]
    fn one_stands_alone() {
        assert_eq!(counted(1_usize, "case"), "1 case");
        assert_eq!(counted(0_usize, "case"), "0 cases");
        assert_eq!(counted(2_u64, "retry"), "2 retries");
        assert_eq!(counted(2_u32, "way"), "2 ways");
        assert_eq!(counted(3_u32, "guess"), "3 guesses");
        assert_eq!(counted(1_u32, "known finding"), "1 known finding");
    }
}
