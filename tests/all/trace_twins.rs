//! The backward search against its forward twin, on random maps, random rules of several legs and
//! random positions.

use crate::common::random_legs::{Dice, ruleset};
use sutler::ir::{SetupId, TraceId};
use sutler::kernel::{Position, reference};
use sutler::project::check_text;
use sutler::world::ThingRef;

#[test]
fn backward_and_forward_agree() {
    let (mut asked, mut yes, mut whole) = (0, 0, 0);
    for seed in 1..=1500u64 {
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
    assert!(whole > 500, "{whole}: too few lines of several stretches");
    assert!(
        asked > 5_000 && yes > 1_000 && asked - yes > 1_000,
        "{yes} of {asked}: too one-sided to mean anything"
    );
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
