//! Scripts that fill hooks: compiled, tried once, and bound to a ruleset.
//!
//! Takes a checked ruleset; gives it a door through which the kernel asks, and faults that point
//! into the scripts. The one place that knows the script language. Reads no file, prints nothing,
//! and gives a script nothing of the host but the numbers it reads.
//!
//! A script is an expression, which ends by construction, unless the head of the ruleset says `with
//! scripts`; then it may loop, under a counter of the host.

#[cfg(feature = "hooks")]
mod bind;
#[cfg(feature = "hooks")]
mod engine;
#[cfg(feature = "hooks")]
mod fault;
#[cfg(not(feature = "hooks"))]
mod without;

#[cfg(feature = "hooks")]
pub use bind::bind;
#[cfg(not(feature = "hooks"))]
pub use without::bind;
