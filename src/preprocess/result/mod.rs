//! The result room: plain data that a unit's preprocessing yields, never how it came about.
//!
//! In: nothing but sources. Out: [`Preprocessed`], whose tokens know the passes they exist in, the expansions they
//! came through and the conditional that put them there. Knows nothing of macro tables, files being read or caches.

pub(crate) mod attached;
pub(crate) mod search;
pub(crate) mod tokens;
pub(crate) mod written;
pub(crate) mod problem;
pub(crate) mod records;
pub(crate) mod store;
pub(crate) mod registry;
pub(crate) mod text;
pub(crate) mod inclusion;
pub(crate) mod preamble;
pub(crate) mod flat;
pub(crate) mod unit;
pub(crate) mod provenance;
pub(crate) mod token_search;
pub(crate) mod print;
