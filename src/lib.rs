//! Sutler: a rules language for wargame designers.

pub mod source;
