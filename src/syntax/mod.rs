//! A declaration's tokens in one pass, parsed by tree-sitter-cpp.
//!
//! In: the tokens of a top-level declaration in one pass. Out: [`Parsed`]: the text that was parsed,
//! in a dialect the grammar knows, its tree, and a total map back to the tokens. Knows nothing of
//! what declarations mean.

mod fields;
mod rewrite;
mod parse;
mod query;
mod custom;
mod mended;
#[cfg(test)]
mod tests;

pub use custom::{Captured, CustomMatch, CustomQuery, QueryFault, TooMuch};
pub use fields::Fields;
pub use mended::{all_names_called, breaks_off, mended, with_names_called};
pub use parse::{Parsed, parse};
pub use query::Query;
pub use rewrite::{DECLTYPE_TEMPLATE, OPERATOR_NAME, UNNAMED, is_type_trait};
