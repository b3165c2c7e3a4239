//! Source files, places in them, interned spellings and preprocessing tokens.
//!
//! In: paths, or the unsaved text of an editor. Out: [`Sources`], the only reader of source files in the
//! program, which reads each file and lexes each part of it at most once. It knows where directives begin and end,
//! but not what they do; nothing about macros or passes.

mod symbol;
mod characters;
mod punctuators;
mod scanner;
mod lex;
mod sections;
mod read;
mod files;
mod portable;

pub use files::{
    About, BUILT_IN, DeclaredError, FileId, LineColumn, Loc, SUPPRESSES, SourceFile, Sources, Span,
};
pub use lex::{Token, TokenKind, closing, lex, one_character, written_identifier};
pub use portable::{with_files_read, with_files_written};
pub use read::{read_bytes, read_stream, read_utf8};
pub use sections::{Sections, Unterminated, UnterminatedKind};
pub use symbol::{Symbol, kept_text, sym};
