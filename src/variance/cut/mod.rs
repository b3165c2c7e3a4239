//! The cut looks at tokens only: brackets and keywords give the extent of each top-level declaration, its kind and the
//! names that it declares.

mod words;
mod declarations;
mod unclosed;
mod skeleton;
mod opens;
mod declarators;
mod describe;
mod members;
mod state;
mod cutter;
mod prefix;

pub use declarations::{DeclKind, Scope, ScopeId, TopDeclaration, Varies};
pub use members::{MemberFunction, member_functions};
pub use unclosed::{Ending, ending, is_whole, opens_braces};
pub use words::{Word, looks_like_macro, word};

pub(super) use describe::decides_constants;
pub(super) use members::each_member_function;
pub(super) use prefix::{Cut, CutPrefix, cut};
pub(super) use words::is_specifier;
