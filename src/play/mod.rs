//! Many games side by side: each played by itself from one position, counted, and summed up.
//!
//! Takes rules that are ready to be played with, a position, a number of turns, who decides, a seed
//! and questions; gives a record a game, in the order of the games, and a summary with intervals.
//! The same seed gives the same records on any number of threads, and a game is the same wherever a
//! run begins. Opens no file, prints nothing, and knows no rule.
//!
//! ```json
//! {"schema":1,"ruleset":"malaya","hash":"...","start":"...","seed":1,"policy":"random","turns":10,"from":1,"asked":[]}
//! {"game":1,"seed":10451216379200822465,"turns":10,"ended":"played","events":{"supply_losses: attrition loses":3}, ...}
//! ```

#![cfg_attr(
    not(feature = "cli"),
    allow(dead_code, unused_imports, reason = "some of it only the command needs")
)]

mod count;
mod exact;
pub(crate) mod figures;
mod game;
mod games;
mod plan;
mod policy;
mod pump;
mod record;
mod spells;
mod summary;
mod sums;
mod text;
mod values;

pub use count::Counts;
pub use exact::{Exact, Figure, decimal, shared, spread_of};
pub use game::Player;
pub use games::{Games, Offered};
pub use plan::{Asked, Book, Header, Plan, Policy, game_seed};
pub use policy::{Written, written};
pub use pump::pump;
pub use record::{Ended, Record, Why};
pub use spells::{Lasted, Spells};
pub use summary::{Summary, Summing};
pub use sums::Mean;
pub use text::summary_text;

/// The number of the form; it grows when old readers would misread a new one.
pub const PLAY_SCHEMA: u32 = 1;

/// More games than this are not played in one run.
pub const MOST_GAMES: u64 = 10_000_000;
