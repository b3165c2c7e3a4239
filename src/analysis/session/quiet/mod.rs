//! An edit is *quiet* when the outcome stays as it is but for places; in doubt it is not.
//!
//! In: a unit's stages, and then newer texts of its main file or of a header. Out: how places move when the edit changes
//! nothing but text between two statements of a function's body, and neither removes nor adds anything that some stage
//! would follow. Most typing is that, and headers with millions of tokens have no part in it. `tests/lsp` replays edits
//! and compares with fresh runs.

mod change;
mod ends;
mod names;
mod dependencies;
mod follow;
#[cfg(test)]
mod tests;

pub(super) use dependencies::FileDependencies;
