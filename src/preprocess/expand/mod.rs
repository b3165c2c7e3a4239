//! The expansion room: one invocation or one directive's line is expanded for one set of passes that agree; the walk
//! is known only as a [`host::Host`].
//!
//! In: a token or a line, the macro table, the tokens behind. Out: tokens and [`effects::Effects`], or a
//! [`effects::Split`] where passes do not agree. Knows nothing of files, directives and conditionals.

pub(crate) mod token;
pub(crate) mod pragma;
pub(crate) mod definition;
pub(crate) mod interned;
pub(crate) mod table;
pub(crate) mod effects;
pub(crate) mod state;
pub(crate) mod contexts;
pub(crate) mod host;
pub(crate) mod reader;
pub(crate) mod arguments;
pub(crate) mod substitute;
pub(crate) mod builtins;
pub(crate) mod replace;
