//! Hooks: what a script reads is worked out, the script is asked once, what it says is held between
//! its ends.

use super::id_map::IdMap;
use super::{Cx, EvalFault, Position, Value};
use crate::ir::{Argument, Hook, HookId, SideId};
use crate::kernel::Amount;
use crate::world::ThingRef;

/// A hook asked of a thing by a side. The side that asks about spaces counts where nobody else
/// does.
type Asked = (HookId, ThingRef, Option<SideId>, Option<SideId>);

/// What the hooks of a position came to, so that no script runs twice for one thing.
pub(super) type Known = IdMap<Asked, Result<Value, EvalFault>>;

/// A hook that took part in an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AskedHook {
    /// Which hook.
    pub hook: HookId,
    /// What it was asked of.
    pub of: ThingRef,
    /// What it came to.
    pub value: Value,
}

impl Position<'_> {
    /// The value of a hook, whose subject the question already has.
    pub(super) fn hook(&self, id: HookId, cx: &Cx) -> Result<Value, EvalFault> {
        let key = (id, cx.subject(0), cx.viewer, self.asking.get());
        self.rules.seen.line(self.rules.hooks[id.index()].line);
        // In a step a unit stands elsewhere than it stands; what holds there is not kept.
        let keeps = cx.step.is_none();
        if keeps && let Some(known) = self.hooks.borrow().get(&key) {
            return *known;
        }
        let found = self.ask(id, &self.rules.hooks[id.index()], cx);
        if keeps {
            self.hooks.borrow_mut().insert(key, found);
        }
        found
    }

    /// The hooks that have been asked of this position so far, in the order of the asking.
    #[must_use]
    pub fn asked_hooks(&self) -> Vec<AskedHook> {
        let known = self.hooks.borrow();
        let mut found: Vec<AskedHook> = Vec::new();
        for ((hook, of, ..), value) in known.iter() {
            if let Ok(value) = *value {
                let asked = AskedHook { hook: *hook, of: *of, value };
                if !found.contains(&asked) {
                    found.push(asked);
                }
            }
        }
        found
    }

    fn ask(&self, id: HookId, hook: &Hook, cx: &Cx) -> Result<Value, EvalFault> {
        let amount = match self.scripted(id, hook, cx)? {
            Some(whole) => Amount::from_integer(whole),
            None => match self.value(hook.otherwise, cx)?.amount() {
                Some(amount) => amount,
                None => return Ok(Value::Barred),
            },
        };
        let (low, high) =
            (self.value(hook.kept.0, cx)?.amount(), self.value(hook.kept.1, cx)?.amount());
        let amount = low.map_or(amount, |l| amount.max(l));
        Ok(Value::Number(high.map_or(amount, |h| amount.min(h))))
    }

    /// What the script says; nothing if there is none, or if one of the values that it reads is not
    /// there.
    fn scripted(&self, id: HookId, hook: &Hook, cx: &Cx) -> Result<Option<i64>, EvalFault> {
        if hook.script.is_none() || !self.rules.calls.is_bound() {
            return Ok(None);
        }
        let mut arguments = Vec::with_capacity(hook.reads.len());
        for read in &hook.reads {
            arguments.push(match self.value(read.value, cx)? {
                Value::Number(n) if n.is_integer() => Argument::Whole(n.to_integer()),
                Value::Truth(t) => Argument::Truth(t),
                Value::Word(word) => Argument::Whole(i64::from(word)),
                Value::Number(_) | Value::Thing(_) | Value::Barred => return Ok(None),
            });
        }
        self.rules.calls.call(id, &arguments).map_err(|fault| EvalFault::Script(id, fault))
    }
}
