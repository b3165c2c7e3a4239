//! Source files: read once, kept as text with the starts of their lines.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock, RwLock};

use rustc_hash::FxHashMap;

use super::lex::{Token, lex};

/// A file known to [`Sources`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FileId(u32);

/// A byte in a file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Loc {
    /// The file.
    pub file: FileId,
    /// Bytes from the start of the file's text.
    pub offset: u32,
}

/// A range of bytes in a file, its end exclusive.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// Where the span begins.
    pub fn loc(self) -> Loc {
        Loc { file: self.file, offset: self.start }
    }
}

/// A position as people count: lines and columns from 1, columns in characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LineColumn {
    /// Line, from 1.
    pub line: u32,
    /// Column in Unicode scalar values, from 1.
    pub column: u32,
}

/// The directory that the paths of built-in headers begin with; no file on disk is there.
pub const BUILT_IN: &str = "<built-in>";

/// A file's text and what is computed from it once.
#[derive(Debug)]
pub struct SourceFile {
    /// The file's id in its [`Sources`].
    pub id: FileId,
    /// The path as reports print it: as the user or an `#include` search spelled it.
    pub path: PathBuf,
    /// The text. Bytes that are not UTF-8 are replaced (U+FFFD), so offsets count in this text.
    pub text: String,
    line_starts: Vec<u32>,
    tokens: OnceLock<Vec<Token>>,
}

impl SourceFile {
    fn new(id: FileId, path: PathBuf, text: String) -> SourceFile {
        let line_starts = std::iter::once(0)
            .chain(text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at as u32 + 1))
            .collect();
        SourceFile { id, path, text, line_starts, tokens: OnceLock::new() }
    }

    /// Whether the text came with the program instead of a disk.
    pub fn built_in(&self) -> bool {
        self.path.starts_with(BUILT_IN)
    }

    /// The file's preprocessing tokens, lexed at the first call.
    pub fn tokens(&self) -> &[Token] {
        self.tokens.get_or_init(|| lex(&self.text))
    }

    /// The line of a byte offset, from 0.
    pub fn line_index(&self, offset: u32) -> usize {
        self.line_starts.partition_point(|start| *start <= offset) - 1
    }

    /// First byte of line `index` (from 0), or the text's length past the last line.
    pub fn line_start(&self, index: usize) -> usize {
        self.line_starts.get(index).map_or(self.text.len(), |start| *start as usize)
    }

    /// How many lines the file has.
    pub fn line_count(&self) -> usize {
        self.line_starts.len()
    }

    /// The text of line `index` (from 0) without its line break.
    pub fn line_text(&self, index: usize) -> &str {
        self.text[self.line_start(index)..self.line_start(index + 1)].trim_end_matches(['\n', '\r'])
    }

    /// Line and column of a byte offset.
    pub fn line_column(&self, offset: u32) -> LineColumn {
        let line = self.line_index(offset);
        let start = self.line_start(line);
        let column = self.text[start..offset as usize].chars().count();
        LineColumn { line: line as u32 + 1, column: column as u32 + 1 }
    }
}

/// Every source file of a run, read once. Shared between threads.
#[derive(Debug, Default)]
pub struct Sources {
    state: RwLock<State>,
}

#[derive(Debug, Default)]
struct State {
    files: Vec<Arc<SourceFile>>,
    by_path: FxHashMap<PathBuf, FileId>,
}

impl Sources {
    /// No files yet.
    pub fn new() -> Sources {
        Sources::default()
    }

    /// The file at `path`, read at the first call.
    ///
    /// # Errors
    /// What the operating system said when the file could not be read.
    pub fn read(&self, path: &Path) -> io::Result<Arc<SourceFile>> {
        if let Some(file) = self.known(path) {
            return Ok(file);
        }
        let bytes = std::fs::read(path)?;
        let text = String::from_utf8(bytes)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
        Ok(self.add(path, text))
    }

    /// Gives `path` a text that need not be on disk: unsaved editor text, a built-in header.
    /// A path already known keeps its first text and id.
    pub fn add(&self, path: &Path, text: String) -> Arc<SourceFile> {
        let mut state = self.state.write().expect("no thread panics while it holds the lock");
        if let Some(id) = state.by_path.get(path) {
            return state.files[id.0 as usize].clone();
        }
        let id = FileId(u32::try_from(state.files.len()).expect("fewer than 2^32 files"));
        let file = Arc::new(SourceFile::new(id, path.to_path_buf(), text));
        state.files.push(file.clone());
        state.by_path.insert(path.to_path_buf(), id);
        file
    }

    /// The file already read from `path`, if it was.
    pub fn known(&self, path: &Path) -> Option<Arc<SourceFile>> {
        let state = self.state.read().expect("no thread panics while it holds the lock");
        state.by_path.get(path).map(|id| state.files[id.0 as usize].clone())
    }

    /// The file of an id that this `Sources` handed out.
    pub fn file(&self, id: FileId) -> Arc<SourceFile> {
        self.state.read().expect("no thread panics while it holds the lock").files[id.0 as usize].clone()
    }
}
