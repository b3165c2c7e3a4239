//! Files, positions in them, interned spellings and lexed tokens.
//!
//! In: paths, or text an editor has not saved yet. Out: [`Sources`], the only reader of source
//! files in the program, which reads and lexes each text once. Knows nothing of
//! directives, macros or passes.

mod files;
mod lex;
mod symbol;

pub use files::{BUILT_IN, FileId, LineColumn, Loc, SourceFile, Sources, Span};
pub use lex::{Token, TokenKind, lex};
pub use symbol::{Symbol, sym};
