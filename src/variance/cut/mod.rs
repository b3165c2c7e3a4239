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
mod known;
mod cutter;
mod prefix;

pub use declarations::{
    DeclKind, Known, KnownDeclaration, MemberFunction, Scope, ScopeId, TopDeclaration, Varies,
};
pub use members::member_functions;
pub use unclosed::{Ending, ending, is_whole, opens_braces};
pub use words::{Word, looks_like_macro, word};

pub(super) use describe::decides_constants;
pub(super) use prefix::{Cut, CutPrefix, cut};
pub(super) use words::is_specifier;
