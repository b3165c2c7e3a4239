//! The condition room: one controlling expression is evaluated for one set of passes, and no walk is known.
//!
//! In: a directive's line. Out: a value, and the [`effects`](super::expand::effects) of expanding it. `#embed` is here
//! because its parameters are such expressions, and because they may ask for it (`__has_embed`).

pub(crate) mod line;
pub(crate) mod assertion;
pub(crate) mod compiler;
pub(crate) mod value;
pub(crate) mod evaluate;
pub(crate) mod embed;
