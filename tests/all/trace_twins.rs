//! The backward search against its forward twin, on random maps, random rules of several legs and
//! random positions.

use crate::common::counts::{seeds, share};
use crate::common::random_legs::{Dice, ruleset, ruleset_with_nets};
use sutler::ir::{SetupId, SideId, TraceId};
use sutler::kernel::{Position, reference};
use sutler::project::check_text;
use sutler::world::ThingRef;

#[test]
fn backward_and_forward_agree() {
    let (mut asked, mut yes, mut whole) = (0, 0, 0);
    for seed in seeds(1500) {
        let mut dice = Dice::new(seed);
        let text = ruleset(&mut dice);
        let (sources, rules, faults) = check_text("random.sut", text.as_bytes());
        let rules = rules.unwrap_or_else(|| {
            panic!(
                "seed {seed}\n{text}\n{}",
                sutler::diag::render(
                    &faults,
                    &sources,
                    sutler::diag::Format::Concise,
                    sutler::diag::Style::PLAIN
                )
            )
        });
        let world = sutler::world::start(&rules, SetupId(0));
        let position = Position::new(&rules, &world).unwrap();
        for unit in 0..u32::try_from(world.units.len()).unwrap() {
            let thing = ThingRef::Unit(unit);
            let answer = position.answer(TraceId(0), thing).unwrap();
            let (twin, length) = reference::ask(&position, TraceId(0), thing).unwrap();
            // What others have been asked before changes nothing.
            let fresh = Position::new(&rules, &world).unwrap();
            let again = fresh.answer(TraceId(0), thing).unwrap();
            assert_eq!(answer, again, "seed {seed}, unit {unit}\n{text}");
            assert_eq!(answer.yes, twin, "seed {seed}, unit {unit}\n{text}\n{answer:?}");
            if let (Some(length), true) = (length, answer.length.is_some()) {
                assert_eq!(answer.length, Some(length), "seed {seed}, unit {unit}\n{text}");
            }
            if answer.length.is_some() {
                let shortest = reference::shortest(&position, TraceId(0), thing).unwrap();
                assert_eq!(answer.length, shortest, "seed {seed}, unit {unit}\n{text}\n{answer:?}");
                whole += usize::from(position.rules.traces[0].is_chain() && shortest > Some(1));
            }
            check_line(&position, thing, &answer, seed, &text);
            asked += 1;
            yes += usize::from(answer.yes);
        }
    }
    assert!(whole > share(500), "{whole}: too few lines of several stretches");
    assert!(
        asked > share(5_000) && yes > share(1_000) && asked - yes > share(1_000),
        "{yes} of {asked}: too one-sided to mean anything"
    );
}

#[test]
fn traces_of_spaces_agree_too_whoever_asks() {
    let (mut asked, mut yes, mut priced) = (0, 0, 0);
    for seed in seeds(800) {
        let text = ruleset_with_nets(&mut Dice::new(seed));
        let (_, rules, _) = check_text("random.sut", text.as_bytes());
        let rules = rules.unwrap_or_else(|| panic!("seed {seed}\n{text}"));
        let world = sutler::world::start(&rules, SetupId(0));
        let position = Position::new(&rules, &world).unwrap();
        let net = TraceId::at(rules.traces.iter().position(|t| t.name == "net").unwrap());
        let costs = rules.traces[net.index()].legs.iter().any(|leg| leg.cost.is_some());
        for side in (0..3).map(SideId) {
            for space in 0..u32::try_from(rules.maps[0].spaces.len()).unwrap() {
                let thing = ThingRef::Space(space);
                let (answer, twin) = position.seen_by(Some(side), || {
                    let answer = position.answer(net, thing).unwrap();
                    (answer, reference::ask(&position, net, thing).unwrap())
                });
                let what = format!("seed {seed}, side {side:?}, space {space}\n{text}\n{answer:?}");
                assert_eq!(answer.yes, twin.0, "{what}");
                assert!(
                    twin.1.is_none() || answer.length.is_none() || answer.length == twin.1,
                    "{what}"
                );
                asked += 1;
                yes += usize::from(answer.yes);
                priced += usize::from(costs && answer.length > Some(0));
            }
        }
    }
    assert!(asked > share(8_000) && yes > share(1_000) && asked - yes > share(1_000));
    assert!(priced > share(150), "{priced}: too few lines that cost");
}

#[test]
fn where_lines_can_end_is_where_a_walk_forward_ends() {
    let (mut ends, mut stops, mut far) = (0, 0, 0);
    for seed in seeds(800) {
        let text = ruleset(&mut Dice::new(seed));
        let (_, rules, _) = check_text("random.sut", text.as_bytes());
        let rules = rules.unwrap_or_else(|| panic!("seed {seed}\n{text}"));
        let world = sutler::world::start(&rules, SetupId(0));
        let position = Position::new(&rules, &world).unwrap();
        for unit in 0..u32::try_from(world.units.len()).unwrap() {
            let (trace, thing) = (TraceId(0), ThingRef::Unit(unit));
            let Some(start) = world.space_of(unit) else { continue };
            let found = position.reach(trace, thing).unwrap();
            let what = format!("seed {seed}, unit {unit}\n{text}\n{found:?}");
            let lengths: std::collections::BTreeMap<u32, u32> =
                found.spaces.iter().map(|reached| (reached.space, reached.length)).collect();
            assert_eq!(
                lengths,
                reference::reach(&position, trace, start, thing).unwrap(),
                "{what}"
            );
            for reached in &found.spaces {
                let ends_of_way = (reached.way.first(), reached.way.last());
                assert_eq!(ends_of_way, (Some(&start), Some(&reached.space)), "{what}");
                let joined = |pair: &[u32]| {
                    let legs = rules.traces[0].legs.iter().flat_map(|leg| &leg.links);
                    legs.into_iter().any(|kind| position.joined(pair[0], pair[1], *kind))
                };
                assert!(reached.way.windows(2).all(joined), "{what}");
                ends += 1;
                stops += usize::from(reached.stop.is_some());
                far += usize::from(reached.length > 1);
            }
            // A yes has an end that is reached; the shortest of them is its line.
            let answer = position.answer(trace, thing).unwrap();
            if let (Some(end), Some(length)) = (answer.end, answer.length) {
                assert_eq!(lengths.get(&end), Some(&length), "{what}\n{answer:?}");
            }
        }
    }
    assert!(ends > share(4_000) && stops > share(400) && far > share(800), "{ends} {stops} {far}");
}

/// A line that is reported is a line: joined spaces, every leg in its place, the end a source.
fn check_line(
    position: &Position<'_>,
    thing: ThingRef,
    answer: &sutler::kernel::Answer,
    seed: u64,
    text: &str,
) {
    let line = position.line(TraceId(0), thing).unwrap();
    let rule = &position.rules.traces[0];
    let gates = position.gates(TraceId(0), thing).unwrap();
    let mut whole = 0;
    let mut at = answer.space;
    for stretch in &line {
        assert_eq!(at, stretch.spaces.first().map(|s| s.0), "seed {seed}\n{text}\n{line:?}");
        for pair in stretch.spaces.windows(2) {
            let joined = rule.legs[stretch.leg]
                .links
                .iter()
                .any(|k| position.joined(pair[0].0, pair[1].0, *k));
            assert!(joined, "seed {seed}\n{text}\n{line:?}");
        }
        let (of, last) = (&gates.legs[stretch.leg], stretch.spaces.len() - 1);
        for (nth, (space, _)) in stretch.spaces.iter().enumerate() {
            let s = *space as usize;
            let open = (nth > 0 || of.from[s])
                && (nth == 0 || nth == last || of.through[s])
                && (nth < last || of.into[s]);
            assert!(open, "a shut gate, seed {seed}\n{text}\n{line:?}");
        }
        let cost = stretch.spaces[last].1;
        assert!(
            position.leg_budget(TraceId(0), stretch.leg, thing).unwrap().is_none_or(|b| cost <= b),
            "seed {seed}\n{text}"
        );
        whole += if rule.in_links { u32::try_from(last).unwrap() } else { cost };
        at = stretch.spaces.last().map(|s| s.0);
    }
    assert!(answer.length.is_none_or(|l| l == whole), "seed {seed}\n{text}\n{line:?}");
    if answer.length.is_some() {
        assert_eq!(at, answer.end, "seed {seed}\n{text}\n{line:?}");
        assert!(answer.source.is_some(), "seed {seed}\n{text}\n{line:?}");
    }
}
