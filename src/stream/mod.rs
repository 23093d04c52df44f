//! Positions as lines: one position a line in, one line of answers out.
//!
//! Takes lines of JSON, a ruleset and a trace; gives lines of JSON in the order of the input, the
//! same bytes for any number of threads, in memory that does not grow with the input. A line that
//! is no position is a line that says so, and the rest goes on. Opens no file, prints nothing, and
//! knows no rule.
//!
//! ```json
//! {"schema":1,"ruleset":"soldier_kings","hash":"...","trace":"supply","answers":["supplied","out_of_supply"],"from":1}
//! {"line":1,"states":{"F1":"supplied","F2":"out_of_supply"}}
//! {"line":2,"error":{"code":"E0806","column":41,"message":"no space is called `Hese`"}}
//! ```
//!
//! The first line stands once for all: the number of the form, the rules and their hash, the trace
//! with its two answers, yes first, and the line of the input at which it begins. `states` holds
//! each thing of the trace that stands on the map, in the order of its position.

mod answer;
mod lines;
mod pump;

pub use answer::{Asked, STREAM_SCHEMA, header};
pub use lines::{Lines, MOST_LINE};
pub use pump::{Done, Pumped, pump};
