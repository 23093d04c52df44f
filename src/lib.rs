//! Sutler: a rules language for wargame designers.

pub mod source;

pub mod diag;
