//! Whether a kind stands for one thing or for several, by the words before it.
//!
//! Takes the line up to a place; gives the form that belongs there. Both forms are read everywhere,
//! so that no check tells them apart.

use super::names::Names;
use crate::diag::Way;
use crate::diag::suggest::is_plural;
use crate::source::{SourceMap, Span};
use crate::syntax::tokens::words;
use crate::syntax::{STANCES, is_reserved};

/// Words before a kind that is one thing.
const ONE: [&str; 13] =
    ["any", "no", "the", "a", "an", "space", "put", "pair", "is", "not", "named", "per", "kind"];
/// Words before a kind that is several.
const MANY: [&str; 6] = ["for", "only", "joins", "but", "grid", "from"];
/// Items that say behind `of` what they are about.
const HEADS: [&str; 10] =
    ["define", "table", "trace", "mark", "given", "test", "pair", "hook", "choice", "count"];

/// How far the form that does not belong in a place is behind the one that does, in letters.
const MISPLACED: usize = 2;

/// Whether a kind behind these words is one thing; nothing if they do not say.
pub(super) fn is_one(line: &str) -> Option<bool> {
    let all: Vec<&str> = line.split_whitespace().collect();
    let first = all.first().copied().unwrap_or_default();
    for (at, word) in all.iter().enumerate().rev() {
        let bare = word.trim_start_matches('(');
        match bare {
            "of" if at == 2 && HEADS.contains(&first) => return Some(true),
            // `expect strength of First` names a thing; `sum of strength of armies` several.
            "of" => {
                let sums = ["count", "sum", "highest", "lowest"];
                return all.get(..at)?.iter().any(|word| sums.contains(word)).then_some(false);
            }
            // `row bank when over river` asks about one, and a leg goes over many.
            "over" => return Some(at > 0),
            _ if ONE.contains(&bare) => return Some(true),
            _ if MANY.contains(&bare) => return Some(false),
            // Adjectives stand between.
            _ if STANCES.contains(&bare) => {}
            _ if is_reserved(bare) || !bare.chars().all(|c| c.is_alphanumeric() || c == '_') => {
                return None;
            }
            _ => {}
        }
    }
    None
}

/// A way that writes a kind, in the form that belongs in its place: `hexes` for `hexs` behind
/// `own`.
pub(super) fn fit(way: &mut Way, names: &Names, sources: &SourceMap) {
    let old = sources.slice(way.fix.span);
    let new = way.fix.replacement.as_str();
    let Some([one, many]) = names.forms(new) else { return };
    if one == many || old.is_empty() || !old.chars().all(|c| c.is_alphanumeric() || c == '_') {
        return;
    }
    let text = sources.text(way.fix.span.source);
    let before = text.get(..way.fix.span.start as usize).unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or_default();
    let ends = old.ends_with('s') && many.ends_with('s') && !one.ends_with('s');
    let wants_one = is_one(line).unwrap_or(!ends);
    let far =
        |form: &str, fits: bool| strsim::osa_distance(old, form) + if fits { 0 } else { MISPLACED };
    let form = if far(one, wants_one) <= far(many, !wants_one) { one } else { many };
    // One of the two as it is written was meant as it stands.
    if form != new && form != old {
        *way = Way { rank: way.rank, edit: way.edit, ..Way::near(way.fix.span, form) };
    }
}

/// The most places of a name that are tried as its declaration.
const MOST_PLACES: usize = 3;

/// Where a way writes a name in its other number, and that stands in several places: the name as it
/// was written, in each of these, for the slip may be in its declaration.
pub(super) fn declared(way: &Way, sources: &SourceMap) -> Vec<Way> {
    let (old, new) = (sources.slice(way.fix.span), way.fix.replacement.as_str());
    let plain = |text: &str| text.chars().all(|c| c.is_alphanumeric() || c == '_');
    if !(is_plural(old, new) || is_plural(new, old)) || !plain(old) || !plain(new) {
        return Vec::new();
    }
    let mut found: Vec<Way> = Vec::new();
    for source in sources.ids() {
        for (at, _) in words(sources.text(source)).filter(|(_, word)| *word == new) {
            let [start, end] = [at, at + new.len()].map(|at| u32::try_from(at).unwrap_or(u32::MAX));
            let help = format!("declare `{old}`");
            let place = Span::new(source, start, end);
            found.push(Way { rank: way.rank, help, ..Way::near(place, old) });
        }
    }
    // Of a declaration and nothing else the words beside it have told which is meant.
    if found.len() < 2 {
        return Vec::new();
    }
    found.truncate(MOST_PLACES);
    found
}

#[cfg(test)]
mod tests {
    use super::is_one;

    #[test]
    fn the_words_before_a_kind_say_its_number() {
        for (line, one) in [
            ("define held of ", Some(true)),
            ("define held of region = any enemy ", Some(true)),
            ("define sum_of of region = count of own ", Some(false)),
            ("  do mark hungry for own starving ", Some(false)),
            ("define stack of region = sum of strength of (own ", Some(false)),
            ("    over ", Some(false)),
            ("  row bank when over ", Some(true)),
            ("define big of region = friendly ", None),
            ("  has leader maybe a ", Some(true)),
            ("  expect strength of ", None),
        ] {
            assert_eq!(is_one(line), one, "{line}");
        }
    }
}
