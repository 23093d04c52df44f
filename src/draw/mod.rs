//! Drawings of a position: for the terminal, as SVG, as JSON.
//!
//! Takes a [`Picture`], which is all that a drawing shows, gathered from the kernel; gives text.
//! Decides no rule: what is supplied, and why not, are the kernel's words. Whole numbers only, so
//! that every machine writes the same bytes; and whatever a colour says, a letter, a pattern or a
//! style of line says too.

mod around;
mod cells;
mod chart;
mod counters;
mod crossings;
mod defs;
mod gather;
mod geometry;
mod grounds;
mod html;
mod json;
mod labels;
mod lay;
mod layout;
mod legend;
mod lines;
mod marks;
mod names;
mod opening;
mod overlay;
mod palette;
mod picture;
mod scene;
mod sketch;
mod stacks;
mod svg;
mod table;
mod table_legend;
mod table_sketch;
mod text;
mod type_size;
mod window;
mod write;

#[cfg(test)]
mod fixtures;
#[cfg(test)]
mod tests;

pub use around::{Nearby, around};
pub use chart::{Bar, Chart, Group, chart};
pub(crate) use gather::gone_over;
pub use gather::{Wanted, gather, gather_moving, ground_colours};
pub use geometry::{Placement, Point};
pub use html::html;
pub use json::json;
pub use layout::{Hexes, Layout};
pub use marks::{threat_marks, why_not_marks};
pub use overlay::{Mark, Overlay, Sign};
pub use picture::{
    Answered, BaseView, CrossingView, GroundView, LinkKind, LinkView, Picture, Reach, SpaceView,
    TableView, TraceView, UnitView, ZoneKind,
};
pub use scene::{frame, scene};
pub use svg::svg;
pub use text::{WIDE, text, text_within};
pub(crate) use write::{escape, plain};
