//! What a position states of two things, entry by entry.

use std::collections::HashMap;

use super::tree::{Range, Value};
use num_rational::Ratio;

use super::STATED;
use super::fields::Fields;
use super::names::{Found, Names, kind_name};
use super::reader::{Reader, a};
use crate::diag::{Diagnostic, code};
use crate::ir::{KindId, PairRef, Type};
use crate::world::{Said, ThingRef, World};

/// Numbers of a fraction are at most this, so that exact sums of some of them stay exact.
const MOST: i64 = 1_000_000_000;

/// Two things in order, and what is said of them.
type Key = (PairRef, ThingRef, ThingRef);

impl Reader<'_, '_> {
    /// `"stated": [{"pair": "reaching", "from": "R1", "to": "B", "value": true}]`
    pub fn stated(&mut self, value: &Value<'_>, names: &Names<'_, '_>, world: &mut World) {
        let Value::List(list) = value else {
            return self.sort(value, "a list of what is stated of two things");
        };
        let mut first: HashMap<Key, Range> = HashMap::new();
        for entry in &list.items {
            let Some((key, said)) = self.stated_entry(entry, names) else { continue };
            if let Some(before) = first.insert(key, entry.range()) {
                let fault = Diagnostic::error(
                    code::E0802,
                    self.span(entry.range()),
                    "this pair of the same two things is stated twice",
                )
                .at("again here")
                .label(self.span(before), "first here")
                .help("remove one of them");
                self.fault(fault);
                continue;
            }
            world.stated.say(key.0, key.1, key.2, said);
        }
    }

    fn stated_entry(&mut self, entry: &Value<'_>, names: &Names<'_, '_>) -> Option<(Key, Said)> {
        let fields = self.fields(entry, "a stated pair", &STATED)?;
        let pair = self.stated_pair(&fields);
        let from = self.party(&fields, ("from", 0), pair, names);
        let to = self.party(&fields, ("to", 1), pair, names);
        let Some(value) = fields.get("value") else {
            self.error(
                code::E0804,
                fields.open,
                "this has no `value`",
                "write `\"value\": true`, or a number",
            );
            return None;
        };
        let (pair, from, to) = (pair?, from?, to?);
        let said = self.said(value, pair)?;
        Some(((pair, from, to), said))
    }

    fn stated_pair(&mut self, fields: &Fields<'_, '_>) -> Option<PairRef> {
        let Some(value) = fields.get("pair") else {
            self.error(
                code::E0804,
                fields.open,
                "this does not say which `pair` is stated",
                "write `\"pair\": ...` and its name",
            );
            return None;
        };
        let text = self.text(value, "the name of a pair")?;
        let rules = self.rules;
        let found = rules.all_pairs().find(|p| rules.pair_name(*p) == text.value);
        if found.is_none() {
            self.unknown(
                code::E0806,
                &text.value,
                text.range,
                "pair",
                rules.all_pairs().map(|p| rules.pair_name(p)),
            );
        }
        found
    }

    /// One of the two things.
    fn party(
        &mut self,
        fields: &Fields<'_, '_>,
        (field, at): (&str, usize),
        pair: Option<PairRef>,
        names: &Names<'_, '_>,
    ) -> Option<ThingRef> {
        let Some(value) = fields.get(field) else {
            self.error(
                code::E0804,
                fields.open,
                format!("this has no `{field}`"),
                format!("write `\"{field}\": ...` and the id of a thing"),
            );
            return None;
        };
        let text = self.text(value, "the id of a unit, a space or a side")?;
        let pair = pair?;
        let (thing, kind) = match (names.unit(&text.value), names.space(&text.value)) {
            (Found::At(unit, kind), _) => (ThingRef::Unit(unit), kind),
            (_, Found::At(space, kind)) => (ThingRef::Space(space), kind),
            (Found::Lost, _) | (_, Found::Lost) => return None,
            _ => match super::names::side(self.rules, &text.value) {
                Some(side) => (ThingRef::Side(side), KindId::SIDE),
                None => {
                    self.unknown(
                        code::E0806,
                        &text.value,
                        text.range,
                        "unit, space or side",
                        names.unit_ids().chain(names.space_ids()),
                    );
                    return None;
                }
            },
        };
        if self.rules.is_party(pair, at, kind) {
            return Some(thing);
        }
        let wanted = match pair {
            PairRef::Own(id) => self
                .rules
                .pairs
                .get(id.index())
                .and_then(|p| p.parties.get(at))
                .map(|k| a(kind_name(self.rules, *k))),
            PairRef::Measured(_) => None,
        };
        let (is, wanted) = (
            a(kind_name(self.rules, kind)),
            wanted.unwrap_or_else(|| "a unit or a space".to_owned()),
        );
        let name = self.rules.pair_name(pair);
        self.error(
            code::E0806,
            text.range,
            format!("`{}` is {is}, and `{name}` wants {wanted} here", text.value),
            "",
        );
        None
    }

    /// A truth, a whole number, or a fraction in quotes.
    fn said(&mut self, value: &Value<'_>, pair: PairRef) -> Option<Said> {
        let Some(Type::Number { low, high, fraction, .. }) = self.rules.pair_type(pair) else {
            return self.truth(value).map(Said::Truth);
        };
        let amount = match value {
            Value::Text(text) => {
                let parts = text.value.split_once('/').and_then(|(over, under)| {
                    over.parse::<i64>().ok().zip(under.parse::<i64>().ok())
                });
                match parts {
                    Some((over, under))
                        if (-MOST..=MOST).contains(&over) && (1..=MOST).contains(&under) =>
                    {
                        Ratio::new(over, under)
                    }
                    _ => {
                        let help = "write a whole number, or a fraction as in `\"1/2\"`";
                        self.error(
                            code::E0804,
                            text.range,
                            format!("`{}` is no number", text.value),
                            help,
                        );
                        return None;
                    }
                }
            }
            value => Ratio::from_integer(self.whole(value)?),
        };
        let name = self.rules.pair_name(pair);
        if !fraction && !amount.is_integer() {
            self.error(
                code::E0809,
                value.range(),
                format!("`{name}` is a whole number, and {amount} is none"),
                "",
            );
            return None;
        }
        if amount < Ratio::from_integer(low) || amount > Ratio::from_integer(high) {
            let message =
                format!("{amount} lies outside the range of `{name}`, from {low} to {high}");
            self.error(code::E0809, value.range(), message, "");
            return None;
        }
        Some(Said::Amount(amount))
    }
}
