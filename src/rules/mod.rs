//! The rules, and what they say about themselves.

pub mod card;
