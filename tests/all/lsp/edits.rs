//! Scripts of edits over a shipped ruleset; those over small games are the fuzz target `edits`.

use super::client::shipped;
use crate::common::{Dice, counts};
use crate::entry::choices::Choices;
use crate::entry::edits::{edits, script};

/// Choices for a script.
fn bytes(seed: u64) -> Vec<u8> {
    let mut dice = Dice::new(seed);
    (0..60 + dice.below(120)).map(|_| dice.below(256) as u8).collect()
}

#[test]
fn after_any_edits_what_is_shown_equals_a_fresh_check() {
    for seed in counts::seeds(50) {
        println!("seed {seed}");
        edits(&bytes(seed));
    }
    let files = shipped("sgs").into_iter().collect();
    for seed in counts::seeds(1) {
        println!("seed {seed} of sgs");
        script(&files, &mut Choices::new(&bytes(seed)), 3);
    }
}
