//! The reading room: the one walk over a unit's files for all its passes; whatever is executed is executed here.
//!
//! In: a unit. Out: a [`Preprocessed`](super::Preprocessed). The walk is *pulled*: [`pull::step`] gives the next token of
//! the source under the set of passes it is live for, or executes the directive that stands before it, so that
//! directives inside the arguments of an invocation just work.

pub(crate) mod search;
pub(crate) mod lookups;
pub(crate) mod cursor;
pub(crate) mod files;
pub(crate) mod line_numbers;
pub(crate) mod pending;
pub(crate) mod survey;
pub(crate) mod recorder;
pub(crate) mod walk;
pub(crate) mod host;
pub(crate) mod define;
pub(crate) mod effects;
pub(crate) mod enter;
pub(crate) mod conditionals;
pub(crate) mod include;
pub(crate) mod directives;
pub(crate) mod pull;
pub(crate) mod run;
