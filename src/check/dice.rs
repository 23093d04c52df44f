//! Dice: how many of which kind, so few that every throw can be counted.

use super::Checker;
use crate::diag::{Diagnostic, code, suggest};
use crate::ir::{Die, Throw};
use crate::source::Span;
use crate::syntax::ast;

/// All throws of one test together are fewer than this, so that they can be counted exactly.
const MOST_THROWS: u64 = 1 << 53;
/// Dice of one test, at most.
const MOST_DICE: u32 = 20;
/// The highest number on a die, and the most faces it can have.
const MOST_FACES: u32 = 1000;

impl Checker<'_> {
    /// `die average shows 2, 3, 3, 4, 4, 5`.
    pub(super) fn die(&mut self, die: &ast::Die) {
        if !self.declare_name("die", &die.name) {
            return;
        }
        let is_common =
            |name: &str| name.strip_prefix('d').is_some_and(|faces| faces.parse::<u32>().is_ok());
        if is_common(&die.name.text) {
            let name = &die.name;
            let message =
                format!("`{}` is the die that every game has, and `1{0}` throws it", name.text);
            let fault = Diagnostic::error(code::E0202, name.span, message);
            self.fault(fault.help("take another name for this die"));
            return;
        }
        let mut faces = Vec::new();
        for face in &die.faces {
            match face.text.parse::<u32>() {
                Ok(number) if number <= MOST_FACES => faces.push(number),
                _ => self.fault(
                    Diagnostic::error(
                        code::E0210,
                        face.span,
                        format!("no face can show `{}`", face.text),
                    )
                    .help(format!("write a whole number from 0 to {MOST_FACES}")),
                ),
            }
        }
        if faces.len() < 2 || faces.len() > MOST_FACES as usize {
            let name = &die.name;
            self.fault(
                Diagnostic::error(code::E0210, name.span, format!("the die `{}` has {} faces", name.text, faces.len()))
                    .help(format!("name each of its faces, 2 to {MOST_FACES}; one that stands there twice is twice as likely")),
            );
        }
        if let [first, rest @ ..] = faces.as_slice()
            && !rest.is_empty()
            && rest.iter().all(|face| face == first)
        {
            let message = format!("every face of `{}` shows {first}", die.name.text);
            let fault = Diagnostic::error(code::E0210, die.name.span, message);
            self.fault(fault.help("write what each face shows, or an amount instead of the die"));
        }
        if !die.cites.0.is_empty() {
            self.line(format!("die {}", die.name.text), die.name.span, &die.cites);
        }
        self.symbols.dice.insert(die.name.text.clone(), faces);
    }

    /// What a test throws; nothing where it is more than can be counted.
    pub(super) fn throws(&mut self, throws: &[ast::Throw]) -> Vec<Throw> {
        let found: Vec<Throw> = throws.iter().filter_map(|t| self.throw(t)).collect();
        let dice = found.iter().fold(0u32, |all, t| all.saturating_add(t.count));
        let ways = found
            .iter()
            .try_fold(1u64, |all, t| all.checked_mul(faces(&t.die).checked_pow(t.count)?))
            .filter(|w| *w < MOST_THROWS);
        if let Some(span) = throws.iter().map(|t| t.span).reduce(Span::to)
            && (dice > MOST_DICE || ways.is_none())
        {
            let text = self.sources.slice(span).to_owned();
            self.cannot_be_rolled(span, &text);
            return Vec::new();
        }
        found
    }

    fn throw(&mut self, throw: &ast::Throw) -> Option<Throw> {
        let Some(name) = &throw.die else {
            let parsed = throw
                .dice
                .text
                .split_once('d')
                .and_then(|(n, s)| Some((n.parse::<u32>().ok()?, s.parse::<u32>().ok()?)));
            let found =
                parsed.filter(|(n, s)| (1..=MOST_DICE).contains(n) && (2..=MOST_FACES).contains(s));
            if found.is_none() {
                self.cannot_be_rolled(throw.span, &throw.dice.text);
            }
            return found.map(|(count, sides)| Throw { count, die: Die::Sides(sides) });
        };
        let Some(faces) = self.symbols.dice.get(&name.text).cloned() else {
            self.no_such_die(name);
            return None;
        };
        match throw.dice.text.parse::<u32>() {
            Ok(count) if (1..=MOST_DICE).contains(&count) => {
                Some(Throw { count, die: Die::Faces(faces) })
            }
            _ => {
                let text = self.sources.slice(throw.span).to_owned();
                self.cannot_be_rolled(throw.span, &text);
                None
            }
        }
    }

    fn no_such_die(&mut self, name: &ast::Name) {
        if self.is_lost(&name.text) {
            return;
        }
        let fault =
            Diagnostic::error(code::E0201, name.span, format!("no die is called `{}`", name.text));
        let near = suggest::the_one(&name.text, self.symbols.dice.keys().map(String::as_str))
            .map(str::to_owned);
        self.fault(match near {
            Some(near) => fault.help(format!("write `{near}`")).suggest(name.span, near),
            None => fault.help(format!("declare it, as in `die {} shows 2, 3, 3, 4, 4, 5`; an amount behind `+` needs no unit", name.text)),
        });
    }

    fn cannot_be_rolled(&mut self, span: Span, text: &str) {
        self.fault(
            Diagnostic::error(code::E0210, span, format!("`{text}` cannot be rolled"))
                .help(format!("write up to {MOST_DICE} dice of 2 to {MOST_FACES} sides, as in `2d6`, `1d10` or `1d6 + 1d8`")),
        );
    }
}

fn faces(die: &Die) -> u64 {
    match die {
        Die::Sides(sides) => u64::from(*sides),
        Die::Faces(faces) => faces.len() as u64,
    }
}
