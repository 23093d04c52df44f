//! Rulesets side by side: a variant printed whole, what two rulesets say otherwise, and what that changes.
//!
//! Takes resolved rulesets with their files, and what they compiled to; gives text and serialisable records. Decides no
//! rule and opens no file: the answers are the kernel's, the words are the authors'.

mod resolve;

pub use resolve::resolve;
