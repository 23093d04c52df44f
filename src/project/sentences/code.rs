//! Lines of programs and of databases: `for c in own columns: if c.tired: c.famished = True`, `UPDATE trains
//! SET load = 0 WHERE own`, `def outguns(ship a, ship b): return a.hull > b.hull`.

use super::claim::{claim, plain};
use super::noun::{noun, stance};
use super::words::{Lexicon, Of, is_whole};
use super::write::narrowed;

/// The line for some words of a program in a block.
pub(super) fn program(words: &[&str], block: &str, game: &Lexicon) -> Option<String> {
    match (block, words) {
        ("phase", ["for", _, "in", rest @ ..]) => looped(rest, game),
        ("phase", ["update", kind, "set", rest @ ..]) => {
            let at = rest.iter().position(|word| *word == "where")?;
            let (act, said) = rest.split_at(at);
            updated(kind, act, said.get(1..)?, game)
        }
        ("phase", ["delete", "from", kind, "where", said @ ..]) => {
            Some(format!("do remove for {}", selected(kind, said, game)?))
        }
        ("phase", [kind, ".", "filter", "(", rest @ ..]) => filtered(kind, rest, game),
        ("item", [name, "=" | ":", rest @ ..]) if game.kind_of(name).is_none() => {
            of_its_own(name, rest, game)
        }
        ("item", ["def" | "function" | "fn" | "bool" | "func", rest @ ..]) => pair(rest, game),
        _ => None,
    }
}

/// `own columns : if tired : famished = True`
fn looped(words: &[&str], game: &Lexicon) -> Option<String> {
    let mut parts = words.split(|word| matches!(*word, ":" | "{" | "}" | ";"));
    let mut parts = parts.by_ref().filter(|part| !part.is_empty());
    let (things, next) = (parts.next()?, parts.next()?);
    let (said, act) = match next {
        ["if", said @ ..] => (Some(bare(said)), parts.next()?),
        act => (None, act),
    };
    if parts.next().is_some() {
        return None;
    }
    let things = noun(bare(things), Of::Unit, game, 0)?.all()?;
    let step = format!("do {} for {things}", effect(act, game)?);
    match said {
        Some(said) => only_where(&step, said, game),
        None => Some(step),
    }
}

/// A step for those things alone of which some words hold.
fn only_where(step: &str, said: &[&str], game: &Lexicon) -> Option<String> {
    narrowed(step, &claim(said, Of::Unit, game, 0).unwrap_or_else(|| plain(said)))
}

/// `trains`, `load = load + 1`, `own and engine = burst`
fn updated(kind: &str, act: &[&str], said: &[&str], game: &Lexicon) -> Option<String> {
    let things = selected(kind, said, game)?;
    Some(format!("do {} for {things}", effect(act, game)?))
}

/// The things of a kind of which some conditions hold, joined by `and`: `own columns where tired`.
pub(super) fn selected(kind: &str, said: &[&str], game: &Lexicon) -> Option<String> {
    let parts = || said.split(|word| *word == "and");
    let whose = |part: &&[&str]| matches!(part, [one] if stance(one).is_some());
    let here = |part: &&[&str]| matches!(part, ["here"] | ["space", "=" | "==" | "is", "here"]);
    let mut words: Vec<&str> = parts().filter(whose).flatten().copied().collect();
    words.push(kind);
    if parts().any(|part| here(&part)) {
        words.push("here");
    }
    let rest: Vec<&[&str]> = parts().filter(|part| !whose(part) && !here(part)).collect();
    if !rest.is_empty() {
        words.push("where");
        words.extend(rest.join(&"and"));
    }
    noun(&words, Of::Unit, game, 0)?.all()
}

/// `armies . filter ( a => tired ) . remove ( )`, where the name of the loop is left out before its dots.
fn filtered(kind: &str, words: &[&str], game: &Lexicon) -> Option<String> {
    let at = words.windows(2).position(|pair| pair == [")", "."])?;
    let (said, act) = (words.get(..at)?, words.get(at + 2..)?);
    let said = match said {
        [_, "=>", said @ ..] | ["(", _, ")", "=>", said @ ..] => said,
        _ => return None,
    };
    let (_, kinds, _) = game.kind_of(kind)?;
    let effect = match act {
        ["moveTo" | "move" | "move_to", "(", to, ")"] => format!("move to {to}"),
        ["remove" | "delete" | "destroy", "(", ")"] => "remove".to_owned(),
        ["forEach" | "map" | "each", "(", _, "=>", act @ .., ")"] => effect(act, game)?,
        _ => return None,
    };
    only_where(&format!("do {effect} for {kinds}"), said, game)
}

/// `elite = army.drilled and temper of army == high`: a condition that names its kind before each fact.
fn of_its_own(name: &str, words: &[&str], game: &Lexicon) -> Option<String> {
    let kind_at = |at: usize| {
        let dotted = words.get(at + 1) == Some(&".");
        let owned = at.checked_sub(1).and_then(|of| words.get(of)) == Some(&"of");
        (dotted || owned).then(|| game.kind_of(words.get(at)?)).flatten()
    };
    let mut kinds = (0..words.len()).filter_map(kind_at).map(|(one, ..)| one);
    let kind = kinds.next()?;
    if kinds.any(|other| other != kind) {
        return None;
    }
    let spare = |at: &usize| {
        let is = |at: usize| kind_at(at).is_some();
        let before = at.checked_sub(1).is_some_and(is);
        is(*at)
            || before && words.get(*at) == Some(&".")
            || words.get(*at) == Some(&"of") && is(at + 1)
    };
    let said = (0..words.len()).filter(|at| !spare(at)).filter_map(|at| words.get(at).copied());
    let said: Vec<&str> = said.collect();
    let of = game.of_kind(kind);
    Some(format!("define {name} of {kind} = {}", claim(&said, of, game, 0)?))
}

/// What is done to each thing, as a step of a phase says it.
fn effect(act: &[&str], game: &Lexicon) -> Option<String> {
    let act = act.strip_suffix([";"].as_slice()).unwrap_or(act);
    match act {
        [mark, "=", "True" | "true" | "1" | "yes"] if game.is_named(&["mark", "given"], mark) => {
            Some(format!("mark {mark}"))
        }
        [mark, "=", "False" | "false" | "0" | "no" | "none"]
            if game.is_named(&["mark", "given"], mark) =>
        {
            Some(format!("clear {mark}"))
        }
        [fact, "+=", by] if is_whole(by) => Some(format!("raise {fact} by {by}")),
        [fact, "-=", by] if is_whole(by) => Some(format!("lower {fact} by {by}")),
        [fact, "++"] | [fact, "+", "+"] => Some(format!("raise {fact} by 1")),
        [fact, "--"] | [fact, "-", "-"] => Some(format!("lower {fact} by 1")),
        [fact, "=", same, "+", by] if fact == same => Some(format!("raise {fact} by {by}")),
        [fact, "=", same, "-", by] if fact == same => Some(format!("lower {fact} by {by}")),
        [fact, "=", value] if game.is_attribute(fact) => Some(format!("set {fact} to {value}")),
        _ => None,
    }
}

/// `outguns ( ship a , ship b ) "outguns" : return hull of a > hull of b`
fn pair(words: &[&str], game: &Lexicon) -> Option<String> {
    let [name, "(", kind, one, ",", other_kind, other, ")", rest @ ..] = words else { return None };
    let (kind, ..) = game.kind_of(kind)?;
    let (other_kind, ..) = game.kind_of(other_kind)?;
    let (title, rest) = match rest {
        [title, rest @ ..] if title.starts_with('"') => (format!(" {title}"), rest),
        rest => (String::new(), rest),
    };
    let spare = |word: &&&str| matches!(**word, ":" | "{" | "return" | "->" | "=" | "bool");
    let rest = rest.get(rest.iter().take_while(spare).count()..)?;
    let rest = rest.strip_suffix(["}"].as_slice()).unwrap_or(rest);
    let rest = rest.strip_suffix([";"].as_slice()).unwrap_or(rest);
    let said: Vec<String> = rest
        .split_inclusive(|word| matches!(*word, "and" | "or"))
        .map(|part| match part {
            [part @ .., joint @ ("and" | "or")] => format!("{} {joint}", of_two(part, game)),
            part => of_two(part, game),
        })
        .collect();
    Some(format!("pair {kind} {one} is {name} {other_kind} {other}{title} = {}", said.join(" ")))
}

/// `not drilled of a` as `a is not drilled`.
fn of_two(part: &[&str], game: &Lexicon) -> String {
    let truth = |word: &str| game.truth(&[word]).is_some();
    match part {
        ["not" | "!", fact, "of", thing] if truth(fact) => format!("{thing} is not {fact}"),
        ["not" | "!", thing, ".", fact] if truth(fact) => format!("{thing} is not {fact}"),
        [fact, "of", thing] | [thing, ".", fact] if truth(fact) => format!("{thing} is {fact}"),
        part => plain(part),
    }
}

/// Words without the brackets around all of them.
fn bare<'a, 'w>(words: &'a [&'w str]) -> &'a [&'w str] {
    let inner = words.strip_prefix(["("].as_slice());
    inner.and_then(|inner| inner.strip_suffix([")"].as_slice())).unwrap_or(words)
}
