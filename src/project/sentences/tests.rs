//! What sentences are read as, in a small game.

use std::collections::BTreeSet;

use super::line::body;
use super::*;
use crate::syntax::DENYING;

const GAME: &str = "kind zone, zones is space {
  has waters one of open, coast, shoals
  has port yes or no
  has duty in coins from 0 to 6
}
kind canal, canals is link
kind ship, ships is unit {
  has hull in hulls from 1 to 8
  has admiral maybe an admiral
  has damage on wear
}
track wear {
  sound
  leaking
}
given fogbound of zone
mark short_of_water of ship
define crippled of ship = damage is leaking
trace victuals of ship \"victualling line\" {
  called victualled else thirsty
  counts months_dry from 0 to 3
}
option privateers \"Privateers\" default off
";

/// The first text for a line in a block.
fn first(block: &str, line: &str) -> Option<String> {
    let mut sources = SourceMap::new();
    sources.add("game.sut", GAME.to_owned());
    let found = texts(&words::split(line), block, &Lexicon::of(&sources));
    found.into_iter().next().map(|(_, text)| text)
}

#[test]
fn sentences_are_lines_of_the_language() {
    let told = [
        (
            "phase",
            "crippled own ships must move to shelter",
            "must move to shelter for own ships where crippled",
        ),
        (
            "phase",
            "own ships that have been dry for 2 or more months must follow way_back up to 1 zone",
            "must follow way_back within 1 zone for own ships where months_dry at least 2",
        ),
        (
            "phase",
            "ships short of water are eliminated",
            "do remove for ships where short_of_water",
        ),
        (
            "phase",
            "other own ships in a port lose 1 hull",
            "do lower hull by 1 for own ships where (it is not the ship and port here)",
        ),
        (
            "phase",
            "if the damage is leaking, own ships that are crippled or short of water become short_of_water",
            "do mark short_of_water for own ships where ((crippled or short_of_water) and damage is leaking)",
        ),
        (
            "choice",
            "any adjacent zone free of enemy ships",
            "from zones adjacent where no enemy ship here",
        ),
        ("choice", "if tied, the zone with the lowest duty", "prefer lowest duty"),
        ("trace", "cannot enter zones containing an enemy ship", "through no enemy ship here"),
        ("trace", "may not enter fogbound zones", "through not fogbound"),
        (
            "trace",
            "must stop on entering a zone adjacent to an enemy ship",
            "stopping in any enemy ship adjacent",
        ),
        ("trace", "up to half the hull, rounded down", "within rounded down (hull / 2)"),
        (
            "trace",
            "called victualled, if not short of water",
            "called victualled else short_of_water",
        ),
        (
            "item",
            "a zone is safe if it is a friendly port that is not fogbound",
            "define safe of zone = port and friendly and not fogbound",
        ),
        (
            "item",
            "define weak of ship = AND(hull <= 2, crippled)",
            "define weak of ship = hull at most 2 and crippled",
        ),
        (
            "item",
            "define near of ship = waters here is open and 2 or more own ships adjacent",
            "define near of ship = waters here is open and count of own ships adjacent at least 2",
        ),
        ("map", "Tide controls Haven", "given control is Tide in Haven"),
        (
            "item",
            "a zone is a haven if enemy ships are here without friendly ships",
            "define haven of zone = any enemy ship here and no friendly ship here",
        ),
        ("table", "a ship with an admiral may trace 5 zones", "when admiral is not none then 5"),
        (
            "setup",
            "Cliff sets up the coppered ship Boxer (hull 6) in Lagoon",
            "put ship Boxer of Cliff in Lagoon with coppered, hull 6",
        ),
        (
            "case",
            "the victualling line of Argo should be 2 zones long",
            "expect length of victuals of Argo is 2 zones",
        ),
        (
            "table",
            "row coast 2 if waters here is one of (open, coast)",
            "row coast when waters here is one of (open, coast) then 2",
        ),
        ("test", "5 or more: hits", "when total at least 5 then hits"),
    ];
    for (block, line, meant) in told {
        assert_eq!(first(block, line).as_deref(), Some(meant), "{line}");
    }
}

#[test]
fn what_stands_in_a_fact_is_not_taken_for_a_filler() {
    // `held` is a fact of this game, so that `enemy held` has two readings.
    let mut sources = SourceMap::new();
    let game = format!("{GAME}define held of zone = any enemy ship here\n");
    sources.add("game.sut", game);
    let game = Lexicon::of(&sources);
    let read = |words: &str| noun::noun(&words::split(words), Of::Space, &game, 0).is_some();
    assert!(!read("enemy held zones"));
    assert!(read("enemy controlled zones"));
}

#[test]
fn a_line_is_taken_without_its_clauses_its_bracket_and_its_comment() {
    assert_eq!(body("  over roads [1a, 2-b] # why"), "over roads");
    assert_eq!(body("phase running at end of turn {"), "phase running at end of turn");
    assert_eq!(body("over [roads, canals]"), "over [roads, canals]");
    assert_eq!(body("define a of b \"no. #1\" = c"), "define a of b \"no. #1\" = c");
}

#[test]
fn every_sentence_can_be_written() {
    let blocks = "item kind ruling table trace choice test phase map setup case override";
    let mut known = BTreeSet::new();
    for (at, line) in BOOK.lines().enumerate().filter(|(_, line)| !line.starts_with('#')) {
        let parts: Vec<&str> = line.split('\t').collect();
        assert_eq!(parts.len(), 3, "line {}: {line}", at + 1);
        let [places, pattern, write] = parts.as_slice() else { continue };
        for place in places.split(',') {
            assert!(blocks.split(' ').any(|block| block == place), "line {}: {place}", at + 1);
            assert!(known.insert((place, *pattern)), "line {}: it stands twice", at + 1);
        }
        let holes: Vec<&str> = pattern
            .split(' ')
            .filter(|part| part.len() > 1 && "$#@\"".contains(&part[..1]))
            .collect();
        for hole in write
            .replace("\\n", " ")
            .split(|c: char| !(c.is_alphanumeric() || "$#@\"_{}".contains(c)))
        {
            let hole = hole.strip_prefix('"').filter(|rest| rest.starts_with('@')).unwrap_or(hole);
            if hole.len() > 1 && "$#@\"".contains(&hole[..1]) {
                let named = holes.iter().any(|part| hole.starts_with(part));
                assert!(named, "line {}: {hole} of `{write}`", at + 1);
            }
        }
    }
    assert!(known.len() > 600, "{}", known.len());
}

#[test]
fn a_word_that_denies_is_never_left_out_or_read_as_one_that_does_not() {
    let mut seen = 0;
    for (at, line) in BOOK.lines().enumerate().filter(|(_, line)| !line.starts_with('#')) {
        let Some((pattern, write)) = line.split_once('\t').and_then(|(_, l)| l.split_once('\t'))
        else {
            continue;
        };
        // What a line is changed from, and what the other answer is called, are denied or not.
        if ["override", "called"].iter().any(|word| write.starts_with(word)) {
            continue;
        }
        let mut denied = false;
        for part in pattern.split(' ') {
            let words: Vec<&str> = part.trim_end_matches('?').split('|').collect();
            let denies = words.iter().all(|word| DENYING.contains(word));
            let place = format!("line {}: {part} of `{pattern}`", at + 1);
            assert!(!denies || denied || !part.ends_with('?'), "{place} may be left out");
            assert!(denies || !words.contains(&"cannot"), "{place}");
            assert!(!words.contains(&"with") || !words.contains(&"without"), "{place}");
            denied |= denies;
            seen += usize::from(denies);
        }
    }
    assert!(seen > 60, "{seen}");
}

#[test]
fn what_is_said_the_other_way_is_not_turned_round() {
    let told = [
        ("phase", "lower hull for own ships by 2", Some("do lower hull by 2 for own ships")),
        ("phase", "raise hull of own ships by 2", Some("do raise hull by 2 for own ships")),
        (
            "phase",
            "own ships may retreat along victuals within 3",
            Some("may follow victuals within 3 for own ships"),
        ),
        ("trace", "fogbound zones may be entered", None),
        ("trace", "crippled ships may be supplied", None),
        ("phase", "raise hull for own ships", None),
        ("phase", "raise hull by for own ships", None),
        ("phase", "lower hull of own ships", None),
    ];
    for (block, line, meant) in told {
        assert_eq!(first(block, line).as_deref(), meant, "{line}");
    }
}

#[test]
fn the_order_of_words_is_free_where_each_says_something() {
    let told = [
        ("trace", "a fogbound zone may not be passed by the line", "through not fogbound"),
        ("trace", "at all times the crippled are victualled", "always crippled"),
        (
            "item",
            "becalmed tokens on a ship come off as the turn ends",
            "mark becalmed of ship until end of turn",
        ),
        ("item", "a ship may be frozen \"it is stuck\"", "given frozen of ship \"it is stuck\""),
        ("item", "a sloop is a special kind of ship", "kind sloop, sloops is ship"),
        (
            "kind",
            "the weather is always either calm, breeze or gale",
            "has weather one of calm, breeze, gale",
        ),
    ];
    let mut sources = SourceMap::new();
    sources.add("game.sut", GAME.to_owned());
    let game = Lexicon::of(&sources);
    let read = |block: &str, line: &str| gist::gists(&words::split(line), block, &game);
    for (block, line, meant) in told {
        let found = read(block, line);
        assert!(found.iter().any(|(_, text)| text == meant), "{line}: {found:?}");
    }
    // What denies, a number, a name and a word that is not known each say something.
    for line in [
        "a fogbound zone may not be passed by the line at night",
        "no fogbound zone may not be passed by the line",
        "a fogbound zone may not be passed 3 times by the line",
        "a fogbound zone may not be passed by the crippled line",
    ] {
        assert_eq!(read("trace", line), Vec::new(), "{line}");
    }
}

#[test]
fn every_gist_can_be_written() {
    let gists = include_str!("gists.txt").lines().filter(|line| !line.starts_with('#'));
    for (at, line) in gists.enumerate() {
        let parts: Vec<&str> = line.split('\t').collect();
        assert_eq!(parts.len(), 3, "gist {}: {line}", at + 1);
        let [_, needs, write] = parts.as_slice() else { continue };
        let holes: Vec<&str> =
            needs.split(' ').map(|part| part.split('=').next().unwrap_or_default()).collect();
        for hole in write
            .replace("\\n", " ")
            .split(|c: char| !(c.is_alphanumeric() || "$#@\"_{}".contains(c)))
        {
            let of = hole.chars().next().is_some_and(|c| "$#@\"".contains(c)) && hole.len() > 1;
            assert!(
                !of || holes.iter().any(|known| known.len() > 1 && hole.starts_with(known)),
                "{line}"
            );
        }
        assert!(needs.split(' ').any(|part| !part.ends_with('?')), "{line}");
    }
}

#[test]
fn a_clause_and_a_turn_are_read_as_a_whole() {
    let clause = "7b. No line passes a zone in which an enemy ship lies.";
    let meant = "clause b \"No line passes a zone in which an enemy ship lies.\"";
    assert_eq!(whole::numbered(clause).as_deref(), Some(meant));
    assert_eq!(whole::numbered("7. Victualling").as_deref(), Some("section 7 \"Victualling\""));
    assert_eq!(whole::numbered("define a of b = c"), None);
    assert_eq!(whole::numbered("7 zones"), None);
    let mut sources = SourceMap::new();
    sources.add("game.sut", "track month {\n  may\n}\n".to_owned());
    let game = Lexicon::of(&sources);
    let line =
        "each turn is one month: first harbour, then sailing by each side, battle for both sides";
    let meant = "clock turn on month has harbour, sailing of each side, battle of each side";
    assert_eq!(whole::clock(&words::split(line), &game).as_deref(), Some(meant));
    let unclear = "each turn is one month: harbour, then each side sails off";
    assert_eq!(whole::clock(&words::split(unclear), &game), None);
}

#[test]
fn a_line_of_many_readings_ends() {
    let line = format!("define a of ship = {}", "crippled and ".repeat(18));
    assert!(first("item", &line).is_some());
    let line = format!("own ships must {}", "move to ".repeat(18));
    assert_eq!(first("phase", &line), None);
}

/// The first text for a line whose words are made those of a sentence.
fn first_spoken(block: &str, line: &str) -> Option<String> {
    let mut sources = SourceMap::new();
    sources.add("game.sut", GAME.to_owned());
    let game = Lexicon::of(&sources);
    let spoken = line::spoken(&words::split(line), block, &game);
    let spoken: Vec<&str> = spoken.iter().map(String::as_str).collect();
    texts(&spoken, block, &game).into_iter().next().map(|(_, text)| text)
}

#[test]
fn lines_of_programs_are_lines_of_the_language() {
    let told = [
        (
            "phase",
            "for s in own ships: if s.crippled and s.space is not None: s.short_of_water = True",
            "do mark short_of_water for own ships where (crippled and space is not none)",
        ),
        (
            "phase",
            "UPDATE ships SET hull = hull - 1 WHERE own AND months_dry >= 2",
            "do lower hull by 1 for own ships where months_dry at least 2",
        ),
        ("phase", "DELETE FROM ships WHERE crippled", "do remove for ships where crippled"),
        (
            "phase",
            "ships.filter(s => s.crippled).forEach(s => s.short_of_water = false)",
            "do clear short_of_water for ships where crippled",
        ),
        (
            "item",
            "def outguns(ship a, ship b): return a.hull > b.hull and not a.crippled",
            "pair ship a is outguns ship b = hull of a more than hull of b and a is not crippled",
        ),
        (
            "item",
            "worn = ship.crippled and ship.hull <= 3",
            "define worn of ship = crippled and hull at most 3",
        ),
        (
            "item",
            "a zone is barred if an enemy ship is in it and no own ship is",
            "define barred of zone = any enemy ship here and no own ship here",
        ),
    ];
    for (block, line, meant) in told {
        assert_eq!(first_spoken(block, line).as_deref(), Some(meant), "{line}");
    }
    // A loop that does two things, and one whose end is missing, are no one step.
    let two = "for s in own ships: if s.crippled: s.hull = 1: s.short_of_water = True";
    assert_eq!(first_spoken("phase", two), None);
    assert_eq!(first_spoken("phase", "for s in own ships: if s.crippled:"), None);
    // What is denied is never left out.
    let denied = first_spoken("item", "a zone is barred if no enemy ship is");
    assert!(denied.is_none_or(|text| text.contains("no enemy ship")), "the denial stays");
}
