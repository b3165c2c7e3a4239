//! A rewrite changes words so that tree-sitter-cpp understands the text, never the order of tokens.
//!
//! In: the tokens of a declaration in one pass. Out: a [`Fate`] for each of them. Each rewrite is a method named for
//! the construct that it treats.

mod rewriter;
mod launches;
mod types;
mod comparisons;
mod declarations;
mod macros;
mod dispatch;

pub use declarations::{OPERATOR_NAME, UNNAMED};
pub(super) use dispatch::{Rewritten, rewrite};
pub(super) use rewriter::Fate;
pub(super) use types::UNNAMED_PACK;
pub use types::{DECLTYPE_TEMPLATE, is_type_trait};
