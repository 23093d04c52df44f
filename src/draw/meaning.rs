//! What the words of names mean in English, as far as a drawing can show it.

/// The words of a name, in small letters: `Red_Army` is `red` and `army`.
pub(super) fn tokens(name: &str) -> impl DoubleEndedIterator<Item = String> + '_ {
    let split: Vec<&str> = name.split(|c: char| !c.is_alphanumeric()).collect();
    split.into_iter().filter(|t| !t.is_empty()).map(str::to_lowercase)
}

/// What a name is drawn as, by the last of its words that means anything: `open_sea` is sea. A word
/// means the longest of these that it is, begins or ends with; short ones must be the whole word.
pub(super) fn looks_like(name: &str, meanings: &[(&str, usize)]) -> Option<usize> {
    let is = |token: &str, stem: &str| {
        let one = token.strip_suffix('s').unwrap_or(token);
        let long = stem.len() >= 4;
        token == stem || one == stem || long && (token.starts_with(stem) || one.ends_with(stem))
    };
    let all = || meanings.iter().flat_map(|(words, of)| words.split(' ').map(move |w| (w, *of)));
    tokens(name).rev().find_map(|token| {
        let fits = all().filter(|(stem, _)| is(&token, stem));
        fits.max_by_key(|(stem, _)| stem.len()).map(|(_, of)| of)
    })
}
