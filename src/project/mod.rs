//! What is to be analysed: paths, compilation databases and the command line become translation units.
//!
//! In: what the user named. Out: [`TranslationUnit`]s, each with all that its analysis needs to know
//! about how it is compiled. Knows nothing of what sources contain.

mod unit;

pub use unit::{Define, IncludeSearch, TargetOrigin, TranslationUnit};
