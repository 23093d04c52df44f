//! What is said of a unit or a space, in English: `contains an enemy ship`, `is not blocked`.

use super::bound::compared;
use super::noun::{
    DEEPEST, RELATIVE, adjective, all_of, bracketed, denied, in_place, noun, with_place,
};
use super::words::{Lexicon, Of, arguments, is_whole, joined};

/// What says nothing before what is said.
const FILLERS: [&str; 31] = [
    "is",
    "are",
    "was",
    "were",
    "has",
    "have",
    "been",
    "being",
    "be",
    "it",
    "they",
    "its",
    "if",
    "when",
    "then",
    "does",
    "do",
    "can",
    "currently",
    "already",
    "lies",
    "lie",
    "stands",
    "stand",
    "that",
    "which",
    "who",
    "moved",
    "moving",
    "going",
    "travelling",
];
/// What says nothing behind a fact that holds.
const HOLDS: [&[&str]; 8] = [
    &["are", "in", "play"],
    &["is", "in", "play"],
    &["are", "in", "force"],
    &["is", "in", "force"],
    &["is", "in", "effect"],
    &["are", "used"],
    &["is", "used"],
    &["is", "on"],
];

/// Reads words as one condition.
pub(super) fn claim(words: &[&str], of: Of, game: &Lexicon, depth: usize) -> Option<String> {
    if depth > DEEPEST || words.is_empty() || !game.spend() {
        return None;
    }
    let one = || placed(words, of, game, depth).or_else(|| split(words, of, game, depth));
    one().or_else(|| subject(words, of, game, depth))
}

/// Two conditions between which a word stands.
fn split(words: &[&str], of: Of, game: &Lexicon, depth: usize) -> Option<String> {
    const JOINTS: [(&[&str], &str); 8] = [
        (&[",", "unless"], "and not"),
        (&["and"], "and"),
        (&["but"], "and"),
        (&["&", "&"], "and"),
        (&["or"], "or"),
        (&["unless"], "and not"),
        (&[",", "and"], "and"),
        (&["if"], "and"),
    ];
    for at in 1..words.len() {
        let (front, rest) = words.split_at(at);
        if let ["with", attribute, thing] = rest
            && game.may_lack(attribute)
            && game.is_thing(thing)
            && let Some(first) =
                placed(front, of, game, depth + 1).or_else(|| subject(front, of, game, depth + 1))
        {
            return Some(format!("{first} and {attribute} is {thing}"));
        }
        if let ["without", lacked @ ..] = rest
            && let Some(first) = placed(front, of, game, depth + 1)
            && let Some(second) = lacks(lacked, of, game, depth + 1)
        {
            return Some(format!("{first} and {second}"));
        }
        for (joint, with) in JOINTS {
            let Some(back) = rest.strip_prefix(joint) else { continue };
            // What stood between two joints is missing.
            let joins =
                |word: Option<&&str>| word.is_some_and(|w| matches!(*w, "and" | "or" | ","));
            if joins(front.last()) || joins(back.first()) {
                continue;
            }
            let first = placed(front, of, game, depth + 1);
            let first = first.or_else(|| subject(front, of, game, depth + 1));
            let Some(first) = first else { continue };
            let second = elided(front, back, game, depth);
            let second = second.or_else(|| claim(back, of, game, depth + 1));
            let Some(second) = second else { continue };
            let second = if with == "and not" { bracketed(second) } else { second };
            return Some(format!("{first} {with} {second}"));
        }
    }
    None
}

/// `an enemy army is in it, and no own army is`
fn elided(front: &[&str], back: &[&str], game: &Lexicon, depth: usize) -> Option<String> {
    let there = front.iter().any(|word| matches!(*word, "it" | "here" | "there" | "present"));
    let said = match back {
        [said @ .., "is" | "are"] => said,
        ["no", ..] => back,
        _ => return None,
    };
    with_place(&noun(said, Of::Unit, game, depth + 1).filter(|_| there)?, "here")
}

/// One condition by its bound, by a place, or as a list of words.
fn placed(words: &[&str], of: Of, game: &Lexicon, depth: usize) -> Option<String> {
    let plain = words.strip_prefix(["the"].as_slice()).unwrap_or(words);
    for holds in HOLDS {
        if let Some(front) = words.strip_suffix(holds)
            && let Some(front) = [["the", "option"].as_slice(), &["option"], &[]]
                .iter()
                .find_map(|before| front.strip_prefix(*before))
            && let Some((said, length)) = adjective(front, of == Of::Space, game)
        {
            return (length == front.len()).then_some(said);
        }
    }
    compared(plain, of, game)
        .or_else(|| reached(plain, of, game))
        .or_else(|| called(words, of, game, depth))
        .or_else(|| paired(words, of, game, depth))
        .or_else(|| one_of(words, of, game))
        .or_else(|| stands(words, of, game, depth))
}

/// `the damage has come to leaking`
fn reached(words: &[&str], of: Of, game: &Lexicon) -> Option<String> {
    let (attribute, value) = match words {
        ["space", "is" | "=" | "==", place] if game.is_thing(place) => {
            return Some(format!("space is {place}"));
        }
        [may_lack, "is" | "==", "none"] if *may_lack == "space" || game.may_lack(may_lack) => {
            return Some(format!("{may_lack} is none"));
        }
        // `army instanceof cavalry`
        [of_it, "instanceof" | "isa", kind] if game.kind_of(of_it).is_some() => {
            return game.kind_of(kind).map(|(one, ..)| one.to_owned());
        }
        [may_lack, "is", "not", "none"] | [may_lack, "!=", "none"]
            if *may_lack == "space" || game.may_lack(may_lack) =>
        {
            return Some(format!("{may_lack} is not none"));
        }
        // `has 0 raids`
        ["has" | "have" | "having" | "with", number, named @ ..] if is_whole(number) => {
            let (name, owner, length) = game.number(named)?;
            let whole = length == named.len();
            return whole.then(|| format!("{name}{} is {number}", owner.place_for(of)));
        }
        [attribute, value] if game.attribute_of(value).is_some_and(|(n, _)| n == *attribute) => {
            (attribute, value)
        }
        [attribute, "is" | "=" | "==", value]
        | [attribute, "here", "is" | "=" | "==", value]
        | [attribute, "is", "at" | "in", value]
        | [attribute, "has" | "have", "come" | "got", "to", value]
        | [attribute, "has" | "have", "reached", value]
        | [attribute, "reaches", value] => (attribute, value),
        _ => return None,
    };
    let (known, owner) = game.attribute_of(value).filter(|(known, _)| known == attribute)?;
    Some(format!("{known}{} is {value}", owner.place_for(of)))
}

/// `some enemy ship is outgunning it`, `it is outgunning an enemy ship`
fn paired(words: &[&str], of: Of, game: &Lexicon, depth: usize) -> Option<String> {
    let at =
        words.iter().position(|word| game.is_named(&["pair"], word)).filter(|_| of == Of::Unit)?;
    let (front, back) = (words.get(..at)?, words.get(at + 1..)?);
    let (pair, front) = (words.get(at)?, front.strip_suffix(["is"].as_slice())?);
    let itself = |words: &[&str]| match words {
        ["it"] => Some(None),
        ["the" | "this" | "that", kind] => Some(Some(game.kind_of(kind)?.0.to_owned())),
        _ => None,
    };
    let looked = |words: &[&str]| noun(words, Of::Unit, game, depth + 1);
    // `an army which an enemy army is outgunning`
    let own = if back.is_empty() { Some(None) } else { itself(back) };
    if let Some(own) = own {
        let kind = own.or_else(|| looked(front)?.kind().map(str::to_owned))?;
        return looked(front)?.any_where(&format!("it is {pair} the {kind}"));
    }
    let own = itself(front)?;
    let kind = own.or_else(|| looked(back)?.kind().map(str::to_owned))?;
    looked(back)?.any_where(&format!("the {kind} is {pair} it"))
}

/// `AND(a, b)`, as sheets write it.
fn called(words: &[&str], of: Of, game: &Lexicon, depth: usize) -> Option<String> {
    let [name, "(", inner @ .., ")"] = words else { return None };
    let name = name.to_ascii_lowercase();
    let said = |part: &[&str]| claim(part, of, game, depth + 1).unwrap_or_else(|| plain(part));
    let parts: Vec<String> = arguments(inner).into_iter().map(said).collect();
    match (name.as_str(), parts.as_slice()) {
        ("and", [_, _, ..]) => Some(all_of(&parts)),
        ("or", [_, _, ..]) => Some(parts.join(" or ")),
        ("not", [one]) => Some(denied(one.clone())),
        _ => None,
    }
}

/// `in forest, hills or marsh`: words that one attribute may be.
fn one_of(words: &[&str], of: Of, game: &Lexicon) -> Option<String> {
    // `terrain here in [forest, hills]`
    let words = match words {
        [attribute, "here", "in", rest @ ..] | [attribute, "in", rest @ ..]
            if game.is_attribute(attribute) =>
        {
            rest
        }
        words => words.strip_prefix(["in"].as_slice()).unwrap_or(words),
    };
    let inner = words.strip_prefix(["("].as_slice()).and_then(|w| w.strip_suffix([")"].as_slice()));
    let list = words.strip_prefix(["["].as_slice()).and_then(|w| w.strip_suffix(["]"].as_slice()));
    let words = inner.or(list).unwrap_or(words);
    // `in open or shoal waters`
    let words = match words {
        [rest @ .., attribute] if game.is_attribute(attribute) && !rest.is_empty() => rest,
        words => words,
    };
    let is_sign = |word: &&str| matches!(*word, "," | "or" | "/" | "|");
    let values: Vec<&str> = words.iter().copied().filter(|word| !is_sign(word)).collect();
    let (attribute, owner) = game.attribute_of(values.first()?)?;
    let same = |value: &&str| game.attribute_of(value).is_some_and(|(name, _)| name == attribute);
    if !values.iter().all(same) || values.len() < words.len() - values.len() {
        return None;
    }
    let there = owner.place_for(of);
    match values.as_slice() {
        [one] => Some(format!("{attribute}{there} is {one}")),
        several => Some(format!("{attribute}{there} is one of ({})", several.join(", "))),
    }
}

/// The subject and fillers left out: `the ship is crippled`.
fn subject(words: &[&str], of: Of, game: &Lexicon, depth: usize) -> Option<String> {
    match words {
        ["not" | "never" | "!", rest @ ..] | ["no", "longer", rest @ ..] => {
            let said = claim(rest, of, game, depth + 1)?;
            return Some(denied(said));
        }
        ["a" | "an" | "the" | "this" | "that" | "such", kind, rest @ ..]
            if !rest.is_empty() && game.kind_of(kind).is_some() =>
        {
            return claim(rest, of, game, depth + 1);
        }
        // `if you play with Privateers`
        ["you" | "we" | "players", "play" | "use", "with", rest @ ..]
        | ["you" | "we" | "players", "play" | "use", rest @ ..]
        | ["with" | "using", rest @ ..]
            if game
                .truth(rest)
                .is_some_and(|(_, of, length)| of == Of::Other && length == rest.len()) =>
        {
            return game.truth(rest).map(|(name, ..)| name.to_owned());
        }
        [first, rest @ ..] if !rest.is_empty() && FILLERS.contains(first) => {
            return claim(rest, of, game, depth + 1);
        }
        _ => {}
    }
    if let Some((said, length)) = adjective(words, of == Of::Space, game)
        && length == words.len()
    {
        return Some(said);
    }
    if let [one] = words
        && let Some(stance) = super::noun::stance(one)
    {
        return Some(stance.to_owned());
    }
    noun(words, of, game, depth + 1)?.said()
}

/// What stands in a place, or near it.
fn stands(words: &[&str], of: Of, game: &Lexicon, depth: usize) -> Option<String> {
    let looked = |said: &[&str], place: &str| {
        // `a leader is present`
        if let ["a" | "an" | "any" | "some", one] | [one] = said
            && place == "here"
            && game.may_lack(one)
        {
            return Some(format!("{one} is not none"));
        }
        let noun = noun(said, Of::Unit, game, depth + 1)?;
        with_place(&noun, place).or_else(|| noun.any())
    };
    match words {
        // `has Drake as its admiral`
        [
            "has" | "have" | "having" | "with",
            thing,
            "as",
            "its" | "their" | "a" | "an" | "the",
            attribute,
        ] if game.may_lack(attribute) && game.is_thing(thing) => {
            Some(format!("{attribute} is {thing}"))
        }
        [
            "contains" | "contain" | "holds" | "holding" | "containing" | "has" | "have" | "having"
            | "with",
            said @ ..,
        ]
        | ["occupied", "by", said @ ..] => looked(said, "here"),
        // `there is a gale (wind)`
        ["there", "is", "a" | "an", value, "(", attribute, ")"]
            if game.attribute_of(value).is_some_and(|(known, _)| known == *attribute) =>
        {
            let (attribute, owner) = game.attribute_of(value)?;
            Some(format!("{attribute}{} is {value}", owner.place_for(of)))
        }
        ["there", "is" | "are", said @ ..] => looked(said, "here"),
        ["free" | "empty" | "clear", "of", said @ ..] | ["without", said @ ..] => {
            lacks(said, of, game, depth)
        }
        ["adjacent" | "next", "to", said @ ..] => looked(said, "adjacent"),
        [said @ .., "is" | "are", "adjacent" | "nearby"] => looked(said, "adjacent"),
        [said @ .., "adjacent"] if !ends_in_another(said, game) => looked(said, "adjacent"),
        [said @ .., "is" | "are", "here" | "there" | "present"] => looked(said, "here"),
        [said @ .., "here" | "present"] if !ends_in_another(said, game) => looked(said, "here"),
        ["crossing" | "along" | "via" | "using" | "by" | "entering" | "across", rest @ ..] => {
            let link = rest.strip_prefix(["a"].as_slice()).unwrap_or(rest);
            let [link] = link else { return None };
            let (one, _, of) = game.kind_of(link)?;
            (of == Of::Other).then(|| format!("over {one}"))
        }
        [
            said @ ..,
            "is" | "are" | "lies" | "lie" | "stands" | "stand",
            "in" | "on" | "at",
            "it" | "them",
        ]
        | [said @ .., "is" | "are" | "lies" | "lie" | "stands" | "stand", "in", "the", "same", _] => {
            looked(said, "here")
        }
        ["in" | "at" | "on", said @ ..] if of == Of::Unit => in_place(said, game, depth),
        ["on", "the", "map" | "board"] if of == Of::Unit => Some("space is not none".to_owned()),
        [said @ .., "stands" | "stand" | "lies" | "lie"] if of == Of::Space => looked(said, "here"),
        ["stacked", "with", said @ ..] | ["together", "with", said @ ..] => looked(said, "here"),
        words => there(words, game, depth),
    }
}

/// Whether the last noun is what another has or lacks, and what stands behind it is of that one:
/// `areas with no enemy army adjacent`.
fn ends_in_another(words: &[&str], game: &Lexicon) -> bool {
    let at = words.iter().rposition(|word| RELATIVE.contains(word));
    let behind = at.and_then(|at| words.get(at + 1..)).unwrap_or_default();
    behind.iter().any(|word| game.kind_of(word).is_some())
}

/// `an enemy army here is entrenched`
fn there(words: &[&str], game: &Lexicon, depth: usize) -> Option<String> {
    let is_there = |pair: &[&str]| matches!(pair, ["here" | "adjacent", "is" | "are"]);
    let at = words.windows(2).position(is_there)?;
    let said = words.get(..at).filter(|said| !said.iter().any(|w| matches!(*w, "and" | "or")))?;
    let condition = claim(words.get(at + 2..)?, Of::Unit, game, depth + 1)?;
    let noun = noun(said, Of::Unit, game, depth + 1)?;
    noun.placed_where(words.get(at)?, condition)
}

/// What a thing lacks: `no admiral`, `enemy ships`.
pub(super) fn lacks(words: &[&str], of: Of, game: &Lexicon, depth: usize) -> Option<String> {
    if let Some((said, length)) = adjective(words, of == Of::Space, game)
        && length == words.len()
    {
        return Some(format!("not {said}"));
    }
    if let ["a" | "an" | "any", one] | [one] = words
        && game.may_lack(one)
    {
        return Some(format!("{one} is none"));
    }
    if let Some((name, owner, length)) = game.number(words)
        && length == words.len()
    {
        return Some(format!("{name}{} is 0", owner.place_for(of)));
    }
    let noun = noun(words, Of::Unit, game, depth + 1)?;
    let there = with_place(&noun, "here").or_else(|| noun.any())?;
    Some(there.replacen("any ", "no ", 1))
}

/// Words that the language has another sign for, as it writes them.
pub(super) fn plain(words: &[&str]) -> String {
    let dice = |word: &str| {
        let faces = word.strip_prefix('d').unwrap_or_default();
        is_whole(faces)
    };
    let one = words.iter().find(|word| dice(word)).map(|word| format!("1{word}"));
    let written = words.iter().map(|word| match *word {
        word if dice(word) => one.as_deref().unwrap_or(word),
        ">=" => "at least",
        "<=" => "at most",
        "==" | "=" => "is",
        ">" => "more than",
        "<" => "less than",
        "!=" => "is not",
        word => word,
    });
    joined(&written.collect::<Vec<_>>())
}
