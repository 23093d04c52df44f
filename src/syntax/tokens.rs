//! The words and signs of a text by their looks alone, for texts that the grammar may not read.
//!
//! Takes any text; gives its words and signs with their places, texts in quotes and comments left
//! out. Knows no word of the language.

/// The words and signs of a text, each with its place. Without `comments` a `#` is a sign.
pub(crate) fn tokens(text: &str, comments: bool) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let (mut quoted, mut word) = (false, None);
        for (at, c) in line.char_indices().chain([(line.len(), '\n')]) {
            let joins = !quoted && (c.is_alphanumeric() || c == '_');
            if let Some(from) = word.filter(|_| !joins) {
                found.push((start + from, line.get(from..at).unwrap_or_default()));
                word = None;
            }
            match c {
                '"' => quoted = !quoted,
                '#' if comments && !quoted => break,
                _ if joins => word = word.or(Some(at)),
                _ if quoted || c.is_whitespace() => {}
                _ => {
                    let sign = line.get(at..at + c.len_utf8()).unwrap_or_default();
                    found.push((start + at, sign));
                }
            }
        }
        start += line.len();
    }
    found
}

/// The words of a text without its signs, each with its place.
pub(crate) fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_word = |t: &str| t.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    tokens(text, true).into_iter().filter(move |(_, token)| is_word(token))
}

/// How often a word stands in a text, comments and texts in quotes included.
pub(crate) fn times(text: &str, word: &str) -> usize {
    let joins = |c: char| c.is_alphanumeric() || c == '_';
    let alone = |at: &usize| {
        !text.get(..*at).is_some_and(|t| t.ends_with(joins))
            && !text.get(at + word.len()..).is_some_and(|t| t.starts_with(joins))
    };
    text.match_indices(word).filter(|(at, _)| alone(at)).count()
}
