//! Files, positions in them, interned spellings and lexed tokens.
//!
//! In: paths, or text an editor has not saved yet. Out: [`Sources`], the only reader of source
//! files in the program, which reads each text once, and lexes each part of
//! it at most once. Knows where directives stand, and nothing of what they do, of macros or passes.

mod files;
mod lex;
mod sections;
mod symbol;

pub use files::{BUILT_IN, FileId, LineColumn, Loc, SourceFile, Sources, Span};
pub use lex::{Token, TokenKind, closing, lex, one_character, written_identifier};
pub use sections::Sections;
pub use symbol::{Symbol, sym};
