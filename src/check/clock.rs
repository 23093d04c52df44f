//! The clock: the turn and its parts, what its turns are counted by, and points of it.

use super::Checker;
use super::scope::Used;
use crate::diag::{Diagnostic, code};
use crate::ir::*;
use crate::syntax::ast;

/// Parts of a clock fit into a byte.
const MOST_PARTS: usize = 255;
/// How often a part may come in one turn.
const MOST_TIMES: u32 = 100;

impl Checker<'_> {
    pub(super) fn clock(&mut self, clock: &ast::Clock) {
        let key = ("the clock", String::new());
        if let Some(first) = self.symbols.places.get(&key).copied() {
            self.fault(
                Diagnostic::error(code::E0202, clock.name.span, "a ruleset has one clock")
                    .label(first, "the first is here")
                    .help("name all parts of the turn in one `clock` line"),
            );
            return;
        }
        self.symbols.places.insert(key, clock.name.span);
        let (mut parts, mut rounds) = (Vec::new(), Vec::new());
        for round in &clock.parts {
            let first = parts.len();
            for name in &round.names {
                if name.text == clock.name.text {
                    let message = format!("`{}` names the turn and a part of it", name.text);
                    self.fault(
                        Diagnostic::error(code::E0202, name.span, message)
                            .label(clock.name.span, "the turn is named here")
                            .help("give the part another name"),
                    );
                } else if self.declare_name("clock", name) {
                    parts.push(ClockPart { name: name.text.clone(), each_side: round.each_side });
                }
            }
            let times = round.times.as_ref().map_or(1, |t| self.times(t));
            let byte = |n: usize| u8::try_from(n).unwrap_or(u8::MAX);
            rounds.push(Round {
                first: byte(first),
                parts: byte(parts.len() - first),
                each_side: round.each_side,
                times,
            });
        }
        if parts.len() >= MOST_PARTS {
            self.fault(
                Diagnostic::error(
                    code::E0210,
                    clock.name.span,
                    format!("a clock has fewer than {MOST_PARTS} parts"),
                )
                .help("leave out those in which nothing happens"),
            );
        }
        self.out.clock =
            Some(Clock { name: clock.name.text.clone(), counted: None, parts, rounds });
    }

    /// `run movement` runs a phase or a part of the clock, so no phase is called as one of these.
    pub(super) fn is_no_part_of_the_clock(&mut self, phase: &ast::Name) {
        let of_turn = self.out.clock.as_ref().is_some_and(|c| c.name == phase.text);
        let key =
            if of_turn { ("the clock", String::new()) } else { ("clock", phase.text.clone()) };
        let Some(first) = self.symbols.places.get(&key).copied() else { return };
        let message = format!("`{}` is a part of the clock, and here a phase", phase.text);
        self.fault(
            Diagnostic::error(code::E0202, phase.span, message)
                .label(first, "the clock names it here")
                .help("give the phase another name: `run` would mean either"),
        );
    }

    /// How often a part comes in a turn.
    fn times(&mut self, times: &ast::Name) -> u32 {
        match times.text.parse::<u32>() {
            Ok(n) if (1..=MOST_TIMES).contains(&n) => n,
            _ => {
                self.fault(
                    Diagnostic::error(
                        code::E0210,
                        times.span,
                        format!("a part cannot come `{}` times", times.text),
                    )
                    .help(format!("write a number from 1 to {MOST_TIMES}")),
                );
                1
            }
        }
    }

    /// A point of the clock, its part looked up.
    pub(super) fn moment(
        &mut self,
        edge: Edge,
        part: &ast::Name,
        of: Option<&ast::Name>,
    ) -> Option<Moment> {
        let whose = match of {
            None => Whose::All,
            Some(name) if name.text == "owner" => Whose::Owner,
            Some(name) => Whose::Side(self.side(name)?),
        };
        let Some(clock) = self.out.clock.clone() else {
            self.fault(
                Diagnostic::error(code::E0213, part.span, "there is no clock to name a moment of")
                    .help("declare one, as in `clock turn has movement of each side, end_of_turn`"),
            );
            return None;
        };
        self.symbols.note(part.span, Used::Clock);
        if clock.name == part.text {
            return Some(Moment { edge, part: None, whose });
        }
        if let Some(at) = clock.parts.iter().position(|p| p.name == part.text) {
            if !clock.parts.get(at).is_some_and(|p| p.each_side)
                && let Some(of) = of
            {
                self.fault(
                    Diagnostic::error(
                        code::E0213,
                        of.span,
                        format!("`{}` is one part for all sides", part.text),
                    )
                    .help(format!(
                        "leave `of {}` out, or declare `{} of each side`",
                        of.text, part.text
                    )),
                );
                return None;
            }
            return Some(Moment { edge, part: u8::try_from(at).ok(), whose });
        }
        let names: Vec<&str> =
            clock.parts.iter().map(|p| p.name.as_str()).chain([clock.name.as_str()]).collect();
        self.unknown(code::E0213, part, "part of the clock", names);
        None
    }

    pub(super) fn moment_point(&mut self, point: &ast::MomentPoint) -> Option<Moment> {
        self.moment(
            if point.start { Edge::Start } else { Edge::End },
            &point.part,
            point.of.as_ref(),
        )
    }

    /// What the turns are counted by is a fact of the world under the name of the clock, which the
    /// engine raises; behind the last turn the mark `game_over` stands.
    pub(super) fn turns(&mut self, clock: &ast::Clock) {
        let Some(counted) = &clock.counted else { return };
        let over = ast::Name { text: GAME_OVER.to_owned(), span: clock.name.span };
        if !self.declare_member(&clock.name, KindId::WORLD)
            || !self.declare_member(&over, KindId::WORLD)
        {
            return;
        }
        let Some((ty, first)) = self.attribute_type(&clock.name, counted) else { return };
        let name = clock.name.text.as_str();
        let turn = self.add_fact(name, name, KindId::WORLD, ty, first, FactOrigin::Attribute);
        let over = self.add_fact(
            GAME_OVER,
            "the game is over",
            KindId::WORLD,
            Type::Truth,
            0,
            FactOrigin::Mark(None),
        );
        self.symbols.set_facts.extend([turn, over]);
        if let Some(clock) = &mut self.out.clock {
            clock.counted = Some(Counted { turn, over });
        }
    }
}

/// The mark that stands when the last turn has ended.
const GAME_OVER: &str = "game_over";
