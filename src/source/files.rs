//! Source files, each read once a run and kept with an index of its lines. The unsaved text of an editor takes
//! the place of the file on disk.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock, RwLock};

use memchr::memchr_iter;
use rustc_hash::{FxHashMap, FxHashSet};
use sha2::{Digest, Sha256};

use super::lex::Token;
use super::read::read_bytes;
use super::sections::{Sections, Unterminated, UnterminatedKind};

/// Number of a file in its [`Sources`]. A file whose text changes gets a new number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FileId(pub(super) u32);

impl FileId {
    /// The number, which no other file of the same [`Sources`] has.
    pub fn as_u32(self) -> u32 {
        self.0
    }
}

/// The place of one byte in a file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Loc {
    /// The file.
    pub file: FileId,
    /// Bytes from the start of the file's text.
    pub offset: u32,
}

/// A range of bytes in a file, its end exclusive.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, serde::Serialize, serde::Deserialize)]
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

/// The directory in which built-in headers appear to lie; no file on disk is there.
pub const BUILT_IN: &str = "<built-in>";

/// A file's text with its index of lines and its tokens, which are computed at the first call.
#[derive(Debug)]
pub struct SourceFile {
    /// The file's id in its [`Sources`].
    pub id: FileId,
    /// The path to print in reports: as the user or the `#include` search spelled it.
    pub path: PathBuf,
    /// The text. A byte sequence that is not UTF-8 is replaced by U+FFFD, so offsets are offsets into this text.
    pub text: String,
    /// The text stands for a binary file.
    pub listing: bool,
    about: OnceLock<About>,
    digest: OnceLock<[u8; 32]>,
    line_starts: OnceLock<Vec<u32>>,
    sections: OnceLock<Sections>,
}

impl SourceFile {
    fn new(id: FileId, path: PathBuf, text: String) -> SourceFile {
        SourceFile {
            id,
            path,
            text,
            listing: false,
            about: OnceLock::new(),
            digest: OnceLock::new(),
            line_starts: OnceLock::new(),
            sections: OnceLock::new(),
        }
    }

    /// The SHA-256 of its text; computed at the first call.
    pub fn digest(&self) -> [u8; 32] {
        *self.digest.get_or_init(|| Sha256::digest(self.text.as_bytes()).into())
    }

    /// What there is to know of the text without having it. Of a file that is only declared it is what was declared.
    pub fn about(&self) -> About {
        *self.about.get_or_init(|| About::of(&self.text))
    }

    /// Whether the file is a built-in header, which comes with the program and is on no disk.
    pub fn built_in(&self) -> bool {
        self.path.starts_with(BUILT_IN)
    }

    /// The file split at its directives; computed at the first call.
    pub fn sections(&self) -> &Sections {
        self.sections.get_or_init(|| Sections::new(&self.text))
    }

    /// The tokens of directive number `index`, starting with `#`; lexed at the first call.
    pub fn directive(&self, index: usize) -> &[Token] {
        self.sections().directive(index, &self.text)
    }

    /// The tokens of the text lines ([cpp.pre]) between directive number `index - 1` and directive number `index`.
    /// With `index` equal to the number of directives: those after the last one. Lexed at the first call.
    pub fn run(&self, index: usize) -> &[Token] {
        self.sections().run(index, &self.text)
    }

    /// The text of the same lines, unlexed.
    pub fn run_text(&self, index: usize) -> &str {
        &self.text[self.sections().run_part(index)]
    }

    /// The comment that is not closed and extends to the end of the file, if there is one.
    pub fn unterminated_comment(&self) -> Option<Span> {
        let last = self.sections().unterminated().last()?;
        (last.kind == UnterminatedKind::Comment).then(|| self.span_of(last))
    }

    /// The literals in the text lines before directive number `index` that are not closed.
    pub fn unterminated_literals(&self, index: usize) -> impl Iterator<Item = (UnterminatedKind, Span)> {
        let part = self.sections().run_part(index);
        let inside = move |one: &&Unterminated| {
            one.kind != UnterminatedKind::Comment && part.contains(&(one.start as usize))
        };
        self.sections().unterminated().iter().filter(inside).map(|one| (one.kind, self.span_of(one)))
    }

    fn span_of(&self, one: &Unterminated) -> Span {
        Span { file: self.id, start: one.start, end: one.end }
    }

    fn line_starts(&self) -> &[u32] {
        self.line_starts.get_or_init(|| {
            let after = memchr_iter(b'\n', self.text.as_bytes()).map(|at| at as u32 + 1);
            std::iter::once(0).chain(after).collect()
        })
    }

    /// The line of a byte offset, from 0.
    pub fn line_index(&self, offset: u32) -> usize {
        self.line_starts().partition_point(|start| *start <= offset) - 1
    }

    /// First byte of line `index` (from 0), or the text's length past the last line.
    pub fn line_start(&self, index: usize) -> usize {
        self.line_starts().get(index).map_or(self.text.len(), |start| *start as usize)
    }

    /// How many lines the file has.
    pub fn line_count(&self) -> usize {
        self.line_starts().len()
    }

    /// The text of line `index` (from 0) without its line break.
    pub fn line_text(&self, index: usize) -> &str {
        self.text[self.line_start(index)..self.line_start(index + 1)].trim_end_matches(['\n', '\r'])
    }

    /// Line and column of a byte offset. A byte order mark takes no column: editors do not show it.
    pub fn line_column(&self, offset: u32) -> LineColumn {
        let line = self.line_index(offset);
        let start = self.line_start(line);
        let before = &self.text[start..offset as usize];
        let column = before.chars().count() - usize::from(line == 0 && before.starts_with('\u{feff}'));
        LineColumn { line: line as u32 + 1, column: column as u32 + 1 }
    }
}

/// What there is to know of a text without having it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct About {
    /// Its bytes.
    pub bytes: u32,
    /// It may have comments that suppress findings.
    pub may_suppress: bool,
    /// It is no text in an encoding based on ASCII: a part of its begin is zeros.
    pub binary: bool,
}

/// What begins the comments that suppress findings: our own, and clang-tidy's.
pub const SUPPRESSES: [&str; 2] = ["cuda-arch-lint:", "NOLINT"];

/// The number of bytes that decide whether a file is text.
const BEGIN: usize = 8192;

impl About {
    fn of(text: &str) -> About {
        let begin = &text.as_bytes()[..text.len().min(BEGIN)];
        About {
            bytes: text.len() as u32,
            may_suppress: SUPPRESSES.iter().any(|word| text.contains(word)),
            binary: begin.iter().filter(|byte| **byte == 0).count() * 10 > begin.len(),
        }
    }
}

/// Why a declared file could not be had as it was declared.
#[derive(Debug, thiserror::Error)]
pub enum DeclaredError {
    /// It can't be read.
    #[error("failed to read `{}`: {error}", path.display())]
    Unread {
        /// The file.
        path: PathBuf,
        /// The operating system's error.
        error: io::Error,
    },
    /// Its text is another.
    #[error("`{}` has another text than the one that was analysed", path.display())]
    Changed {
        /// The file.
        path: PathBuf,
    },
}

/// All source files of a run, each read once. Threads share one.
#[derive(Debug, Default)]
pub struct Sources {
    state: Arc<RwLock<State>>,
    /// Of a fork: by path as spelled and by resolved path, the texts that it goes on reading.
    pinned: RwLock<FxHashMap<PathBuf, FileId>>,
}

#[derive(Debug, Default)]
struct State {
    files: Vec<Arc<SourceFile>>,
    /// By the path as spelled; several spellings may name one file.
    by_path: FxHashMap<PathBuf, FileId>,
    /// The files with an editor's unsaved text, by their resolved paths.
    overlaid: FxHashMap<PathBuf, FileId>,
    /// Empty stand-ins by path, one for all superseded texts of the path that were released.
    released: FxHashMap<PathBuf, Arc<SourceFile>>,
}

impl Sources {
    /// An empty set of files.
    pub fn new() -> Sources {
        Sources::default()
    }

    /// The same files with the same ids, now and later. What is pinned in the fork stays as it was there.
    pub fn fork(&self) -> Sources {
        Sources { state: Arc::clone(&self.state), pinned: RwLock::default() }
    }

    /// Keeps the text that `path` has now, under every known spelling of the path, whatever replaces it elsewhere. Of a path
    /// that was pinned before, the text of then stays.
    pub fn pin(&self, path: &Path) {
        let real = resolved(path);
        let state = self.state.read().expect(NO_PANIC);
        let mut pinned = self.pinned.write().expect(NO_PANIC);
        if pinned.contains_key(&real) {
            return;
        }
        let known = state.spellings(&real).into_iter().map(|path| (state.by_path[&path], path));
        let known: Vec<(FileId, PathBuf)> = known.collect();
        let Some(first) = state.overlaid.get(&real).or(known.first().map(|(id, _)| id)).copied() else {
            return;
        };
        pinned.extend(known.into_iter().map(|(id, path)| (path, id)));
        pinned.insert(real, first);
    }

    /// The file at `path`: the editor's unsaved text if there is one, else the file on disk, read at the first call.
    ///
    /// # Errors
    /// The operating system's error when the file could not be read.
    pub fn read(&self, path: &Path) -> io::Result<Arc<SourceFile>> {
        if let Some(file) = self.known(path) {
            return Ok(file);
        }
        let text = read_text(path)?;
        Ok(self.add(path, text))
    }

    /// Adds a file with this text that is on no disk, such as a built-in header. A path that has been read or added
    /// before keeps its text and id.
    pub fn add(&self, path: &Path, text: String) -> Arc<SourceFile> {
        let mut state = self.state.write().expect(NO_PANIC);
        if let Some(id) = state.by_path.get(path) {
            return state.files[id.0 as usize].clone();
        }
        state.insert(&[path.to_path_buf()], text)
    }

    /// A file that is known to have a text with this digest, without reading it. Until [`Sources::load_declared`] it is empty.
    ///
    /// # Errors
    /// If the file is known already, with another text.
    pub fn declare(&self, path: &Path, about: About, digest: [u8; 32]) -> Result<FileId, DeclaredError> {
        let same = |file: &SourceFile| match file.digest() == digest {
            true => Ok(file.id),
            false => Err(DeclaredError::Changed { path: path.to_path_buf() }),
        };
        if let Some(file) = self.known(path) {
            return same(&file);
        }
        let mut state = self.state.write().expect(NO_PANIC);
        if let Some(id) = state.by_path.get(path) {
            return same(&state.files[id.0 as usize]);
        }
        let id = FileId(u32::try_from(state.files.len()).expect("fewer than 2^32 files"));
        let mut file = SourceFile::new(id, path.to_path_buf(), String::new());
        (file.about, file.digest) = (about.into(), digest.into());
        state.files.push(Arc::new(file));
        state.by_path.insert(path.to_path_buf(), id);
        Ok(id)
    }

    /// Reads the text of a file that was declared.
    ///
    /// # Errors
    /// If there is none, or it is not the one that was declared.
    pub fn load_declared(&self, id: FileId) -> Result<(), DeclaredError> {
        let declared = self.file(id);
        let path = &declared.path;
        if !declared.text.is_empty() || declared.about().bytes == 0 || declared.built_in() {
            return Ok(());
        }
        let text = read_text(path).map_err(|error| DeclaredError::Unread { path: path.clone(), error })?;
        let file = SourceFile::new(id, path.clone(), text);
        if file.digest() != declared.digest() {
            return Err(DeclaredError::Changed { path: path.clone() });
        }
        self.state.write().expect(NO_PANIC).files[id.0 as usize] = Arc::new(file);
        Ok(())
    }

    /// Adds a text that stands for a binary file, which may be inside another.
    pub fn add_listing(&self, path: &Path, text: String) -> Arc<SourceFile> {
        let mut state = self.state.write().expect(NO_PANIC);
        let id = FileId(u32::try_from(state.files.len()).expect("fewer than 2^32 files"));
        let listing = SourceFile { listing: true, ..SourceFile::new(id, path.to_path_buf(), text) };
        let file = Arc::new(listing);
        state.files.push(file.clone());
        state.by_path.insert(path.to_path_buf(), id);
        file
    }

    /// Sets the unsaved text of `path`, under every spelling of the path, until [`Sources::forget`]. A text that
    /// differs from the current one gets a new id. Returns the superseded ids: they remain valid for the findings
    /// that refer to them, and no later read returns them.
    pub fn overlay(&self, path: &Path, text: String) -> Vec<FileId> {
        let real = resolved(path);
        let mut state = self.state.write().expect(NO_PANIC);
        let mut spellings = state.spellings(&real);
        let superseded = state.ids(&spellings);
        if let [id] = superseded[..]
            && state.files[id.0 as usize].text == text
        {
            state.overlaid.insert(real, id);
            return Vec::new();
        }
        // The new file is called what the editor calls it.
        spellings.insert(0, path.to_path_buf());
        let id = state.insert(&spellings, text).id;
        state.overlaid.insert(real, id);
        superseded
    }

    /// Drops the unsaved text of `path`: the next [`Sources::read`] reads the disk again, unless the disk has the
    /// same text. Returns the superseded ids.
    pub fn forget(&self, path: &Path) -> Vec<FileId> {
        let real = resolved(path);
        let on_disk = read_text(&real).ok();
        let mut state = self.state.write().expect(NO_PANIC);
        state.overlaid.remove(&real);
        let spellings = state.spellings(&real);
        let known = state.ids(&spellings);
        if known.iter().all(|id| on_disk.as_ref() == Some(&state.files[id.0 as usize].text)) {
            return Vec::new();
        }
        for spelling in &spellings {
            state.by_path.remove(spelling);
        }
        known
    }

    /// Frees the texts of superseded files except those in `used`. Of a freed file only the path may be asked for
    /// afterwards. Returns the files that are not superseded.
    pub fn release(&self, used: &FxHashSet<FileId>) -> FxHashSet<FileId> {
        let mut state = self.state.write().expect(NO_PANIC);
        let newest: FxHashSet<FileId> = state.by_path.values().copied().collect();
        let State { files, released, .. } = &mut *state;
        for file in files {
            if !file.text.is_empty() && !newest.contains(&file.id) && !used.contains(&file.id) {
                let path = file.path.clone();
                let made = |path: &PathBuf| Arc::new(SourceFile::new(file.id, path.clone(), String::new()));
                *file = Arc::clone(released.entry(path).or_insert_with_key(made));
            }
        }
        newest
    }

    /// The file at `path` if it has been read already or has an unsaved text; never reads the disk.
    pub fn known(&self, path: &Path) -> Option<Arc<SourceFile>> {
        let state = self.state.read().expect(NO_PANIC);
        if let Some(id) = self.pinned(path).or_else(|| state.by_path.get(path).copied()) {
            return Some(state.files[id.0 as usize].clone());
        }
        // Another spelling of a path with unsaved text. Resolving asks the disk, so file names are compared first.
        state.overlaid.keys().find(|real| real.file_name() == path.file_name())?;
        let real = resolved(path);
        state.overlaid.get(&real)?;
        drop(state);
        // The text may have been replaced meanwhile.
        let mut state = self.state.write().expect(NO_PANIC);
        let id = *state.overlaid.get(&real)?;
        state.by_path.insert(path.to_path_buf(), id);
        let id = self.pinned(path).unwrap_or(id);
        Some(state.files[id.0 as usize].clone())
    }

    /// The text of a path that is pinned here. Whoever asks holds the lock on the state, as [`Sources::pin`] does.
    fn pinned(&self, path: &Path) -> Option<FileId> {
        let pinned = self.pinned.read().expect(NO_PANIC);
        if let Some(id) = pinned.get(path) {
            return Some(*id);
        }
        pinned.keys().find(|known| known.file_name() == path.file_name())?;
        pinned.get(&resolved(path)).copied()
    }

    /// The file with this id, which must come from this `Sources` or a fork of it.
    pub fn file(&self, id: FileId) -> Arc<SourceFile> {
        self.state.read().expect(NO_PANIC).files[id.0 as usize].clone()
    }
}

/// Message of `expect` on the lock, which is poisoned only by a panic.
const NO_PANIC: &str = "no thread panics while it holds the lock";

impl State {
    /// Adds a file under each of these paths. The first is the path that it prints.
    fn insert(&mut self, paths: &[PathBuf], text: String) -> Arc<SourceFile> {
        let id = FileId(u32::try_from(self.files.len()).expect("fewer than 2^32 files"));
        let file = Arc::new(SourceFile::new(id, paths[0].clone(), text));
        self.files.push(file.clone());
        self.by_path.extend(paths.iter().map(|path| (path.clone(), id)));
        file
    }

    /// The known paths that resolve to `real`, sorted.
    fn spellings(&self, real: &Path) -> Vec<PathBuf> {
        let same = |path: &&PathBuf| path.file_name() == real.file_name() && resolved(path) == real;
        let mut spellings: Vec<PathBuf> = self.by_path.keys().filter(same).cloned().collect();
        spellings.sort();
        spellings
    }

    /// The ids of these paths, without repetition.
    fn ids(&self, paths: &[PathBuf]) -> Vec<FileId> {
        let mut ids: Vec<FileId> = paths.iter().filter_map(|path| self.by_path.get(path).copied()).collect();
        ids.sort();
        ids.dedup();
        ids
    }
}

/// Reads a file; byte sequences that are not UTF-8 are replaced.
fn read_text(path: &Path) -> io::Result<String> {
    let bytes = read_bytes(path)?;
    Ok(String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
}

/// A path without symbolic links and `..`. For a file that does not exist, its directory is resolved.
fn resolved(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    absolute.canonicalize().unwrap_or_else(|_| match (absolute.parent(), absolute.file_name()) {
        (Some(parent), Some(name)) => {
            parent.canonicalize().unwrap_or_else(|_| parent.to_path_buf()).join(name)
        }
        _ => absolute,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_order_mark_takes_no_column() {
        let sources = Sources::new();
        let file = sources.add(Path::new("x.cu"), "\u{feff}int a;\nint b;\n".into());
        let column = |offset| file.line_column(offset).column;
        assert_eq!((column(0), column(3), column(7), column(10), column(14)), (1, 1, 5, 1, 5));
    }

    /// A directory with `a.h` that holds `disk`, and an empty directory `in` in it.
    fn directory() -> tempfile::TempDir {
        let directory = tempfile::tempdir().unwrap();
        std::fs::create_dir(directory.path().join("in")).unwrap();
        std::fs::write(directory.path().join("a.h"), "disk").unwrap();
        directory
    }

    #[test]
    fn unsaved_text_goes_before_the_disk() {
        let directory = directory();
        let path = directory.path().join("a.h");
        let sources = Sources::new();
        let saved = sources.read(&path).unwrap();
        assert_eq!(sources.overlay(&path, "editor".into()), [saved.id]);
        let unsaved = sources.read(&path).unwrap();
        assert_eq!((unsaved.text.as_str(), sources.file(saved.id).text.as_str()), ("editor", "disk"));
        assert_ne!(unsaved.id, saved.id);
        assert_eq!(sources.forget(&path), [unsaved.id]);
        assert_eq!(sources.read(&path).unwrap().text, "disk");
    }

    #[test]
    fn the_same_text_keeps_its_id() {
        let directory = directory();
        let path = directory.path().join("a.h");
        let sources = Sources::new();
        let saved = sources.read(&path).unwrap();
        assert_eq!(sources.overlay(&path, "disk".into()), []);
        assert_eq!(sources.forget(&path), []);
        assert_eq!(sources.read(&path).unwrap().id, saved.id);
    }

    #[test]
    fn every_spelling_of_a_path_sees_the_unsaved_text() {
        let directory = directory();
        let [plain, before, after] =
            ["a.h", "in/../a.h", "in/../in/../a.h"].map(|name| directory.path().join(name));
        let sources = Sources::new();
        let first = sources.read(&before).unwrap();
        assert_eq!(sources.overlay(&plain, "editor".into()), [first.id]);
        let ids = [&plain, &before, &after].map(|path| sources.read(path).unwrap().id);
        assert!(ids[0] == ids[1] && ids[1] == ids[2]);
        assert_eq!(sources.file(ids[0]).path, plain);
        sources.overlay(&plain, "later".into());
        assert_eq!(sources.read(&after).unwrap().text, "later");
    }

    #[test]
    fn a_file_may_be_on_no_disk() {
        let directory = directory();
        let path = directory.path().join("new.h");
        let sources = Sources::new();
        assert_eq!(sources.overlay(&path, "new".into()), []);
        assert!(sources.known(&directory.path().join("in/../new.h")).is_some());
        assert_eq!(sources.forget(&path).len(), 1);
        assert!(sources.read(&path).is_err());
    }

    #[test]
    fn a_fork_goes_on_reading_what_is_pinned() {
        let directory = directory();
        let [path, other, new] = ["a.h", "in/../a.h", "b.h"].map(|name| directory.path().join(name));
        let sources = Sources::new();
        let first = sources.overlay(&path, "one".into()).len();
        let fork = sources.fork();
        for text in ["two", "three"] {
            fork.pin(&path);
            sources.overlay(&path, text.into());
        }
        let texts = |sources: &Sources| [&path, &other].map(|path| sources.read(path).unwrap().text.clone());
        assert_eq!(
            (first, texts(&fork), texts(&sources)),
            (0, ["one"; 2].map(Into::into), ["three"; 2].map(Into::into))
        );
        // What the fork reads is the same file for all.
        std::fs::write(&new, "new").unwrap();
        let read = fork.read(&new).unwrap().id;
        assert_eq!(sources.read(&new).unwrap().id, read);
        assert_eq!(sources.file(fork.read(&other).unwrap().id).text, "one");
    }

    #[test]
    fn superseded_texts_are_released_unless_used() {
        let directory = directory();
        let path = directory.path().join("a.h");
        let sources = Sources::new();
        let texts = ["one", "two", "three"];
        let ids = texts.map(|text| {
            sources.overlay(&path, text.into());
            sources.read(&path).unwrap().id
        });
        let newest = sources.release(&FxHashSet::from_iter([ids[0]]));
        assert_eq!(newest, FxHashSet::from_iter([ids[2]]));
        assert_eq!(ids.map(|id| sources.file(id).text.clone()), ["one", "", "three"]);
    }
}
