//! Source files: read once, kept as text with the starts of their lines. What an editor has not
//! saved yet goes before what is on disk.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock, RwLock};

use memchr::memchr_iter;
use rustc_hash::{FxHashMap, FxHashSet};

use super::lex::Token;
use super::sections::Sections;

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
    line_starts: OnceLock<Vec<u32>>,
    sections: OnceLock<Sections>,
}

impl SourceFile {
    fn new(id: FileId, path: PathBuf, text: String) -> SourceFile {
        SourceFile { id, path, text, line_starts: OnceLock::new(), sections: OnceLock::new() }
    }

    /// Whether the text came with the program instead of a disk.
    pub fn built_in(&self) -> bool {
        self.path.starts_with(BUILT_IN)
    }

    /// The file cut at its directives, at the first call.
    pub fn sections(&self) -> &Sections {
        self.sections.get_or_init(|| Sections::new(&self.text))
    }

    /// The tokens of directive number `index`, its `#` first, lexed at the first call.
    pub fn directive(&self, index: usize) -> &[Token] {
        self.sections().directive(index, &self.text)
    }

    /// The tokens before directive number `index`, after the one before it; for the number of directives,
    /// those before the file's end. Lexed at the first call.
    pub fn run(&self, index: usize) -> &[Token] {
        self.sections().run(index, &self.text)
    }

    /// The same as text.
    pub fn run_text(&self, index: usize) -> &str {
        &self.text[self.sections().run_part(index)]
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

/// Every source file of a run, read once. Shared between threads.
#[derive(Debug, Default)]
pub struct Sources {
    state: RwLock<State>,
}

#[derive(Debug, Default)]
struct State {
    files: Vec<Arc<SourceFile>>,
    /// By the path as spelled; several spellings may lead to one file.
    by_path: FxHashMap<PathBuf, FileId>,
    /// The files whose text is an editor's, by their resolved paths.
    overlaid: FxHashMap<PathBuf, FileId>,
    /// Files without their texts, by path: what superseded texts are replaced by.
    released: FxHashMap<PathBuf, Arc<SourceFile>>,
}

impl Sources {
    /// No files yet.
    pub fn new() -> Sources {
        Sources::default()
    }

    /// The file at `path`: an editor's text if there is one, else the disk's, read at the first call.
    ///
    /// # Errors
    /// What the operating system said when the file could not be read.
    pub fn read(&self, path: &Path) -> io::Result<Arc<SourceFile>> {
        if let Some(file) = self.known(path) {
            return Ok(file);
        }
        let text = read_text(path)?;
        Ok(self.add(path, text))
    }

    /// Gives `path` a text that is on no disk, that of a built-in header.
    /// A path already known keeps its first text and id.
    pub fn add(&self, path: &Path, text: String) -> Arc<SourceFile> {
        let mut state = self.state.write().expect(NO_PANIC);
        if let Some(id) = state.by_path.get(path) {
            return state.files[id.0 as usize].clone();
        }
        state.insert(&[path.to_path_buf()], text)
    }

    /// Makes `text` what `path` holds, in every spelling of the path, until [`Sources::forget`].
    /// A text that differs from the known one gets a new id. Gives the ids that are superseded: they
    /// stay valid for the findings made of them, and nothing read from now on has them.
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

    /// Makes the disk's text what `path` holds, read again at the next [`Sources::read`] unless it is
    /// the known one. Gives the ids that are superseded.
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

    /// Drops the texts of superseded files but those `used`: nothing but their paths may be asked for any more.
    /// Gives the ids that are left.
    pub fn release(&self, used: &FxHashSet<FileId>) -> FxHashSet<FileId> {
        let mut state = self.state.write().expect(NO_PANIC);
        let mut kept = used.clone();
        kept.extend(state.by_path.values().copied());
        let State { files, released, .. } = &mut *state;
        for file in files {
            if !file.text.is_empty() && !kept.contains(&file.id) {
                let path = file.path.clone();
                let made = |path: &PathBuf| Arc::new(SourceFile::new(file.id, path.clone(), String::new()));
                *file = Arc::clone(released.entry(path).or_insert_with_key(made));
            }
        }
        kept
    }

    /// The file already read from `path`, or that an editor holds, if there is one.
    pub fn known(&self, path: &Path) -> Option<Arc<SourceFile>> {
        let state = self.state.read().expect(NO_PANIC);
        if let Some(id) = state.by_path.get(path) {
            return Some(state.files[id.0 as usize].clone());
        }
        // Another spelling of a path an editor holds; resolving asks the disk, so names go first.
        state.overlaid.keys().find(|real| real.file_name() == path.file_name())?;
        let id = *state.overlaid.get(&resolved(path))?;
        drop(state);
        let mut state = self.state.write().expect(NO_PANIC);
        state.by_path.insert(path.to_path_buf(), id);
        Some(state.files[id.0 as usize].clone())
    }

    /// The file of an id that this `Sources` handed out.
    pub fn file(&self, id: FileId) -> Arc<SourceFile> {
        self.state.read().expect(NO_PANIC).files[id.0 as usize].clone()
    }
}

/// Why the lock is never poisoned.
const NO_PANIC: &str = "no thread panics while it holds the lock";

impl State {
    /// A new file under each of these paths, called by the first.
    fn insert(&mut self, paths: &[PathBuf], text: String) -> Arc<SourceFile> {
        let id = FileId(u32::try_from(self.files.len()).expect("fewer than 2^32 files"));
        let file = Arc::new(SourceFile::new(id, paths[0].clone(), text));
        self.files.push(file.clone());
        self.by_path.extend(paths.iter().map(|path| (path.clone(), id)));
        file
    }

    /// The known paths that lead to a resolved one, sorted.
    fn spellings(&self, real: &Path) -> Vec<PathBuf> {
        let same = |path: &&PathBuf| path.file_name() == real.file_name() && resolved(path) == real;
        let mut spellings: Vec<PathBuf> = self.by_path.keys().filter(same).cloned().collect();
        spellings.sort();
        spellings
    }

    /// The ids that known paths have, each once.
    fn ids(&self, paths: &[PathBuf]) -> Vec<FileId> {
        let mut ids: Vec<FileId> = paths.iter().filter_map(|path| self.by_path.get(path).copied()).collect();
        ids.sort();
        ids.dedup();
        ids
    }
}

/// A file's text; bytes that are not UTF-8 are replaced.
fn read_text(path: &Path) -> io::Result<String> {
    let bytes = std::fs::read(path)?;
    Ok(String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
}

/// A path without links and `..`; of a file that is not there, its directory's.
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
    fn superseded_texts_are_released_unless_used() {
        let directory = directory();
        let path = directory.path().join("a.h");
        let sources = Sources::new();
        let texts = ["one", "two", "three"];
        let ids = texts.map(|text| {
            sources.overlay(&path, text.into());
            sources.read(&path).unwrap().id
        });
        let kept = sources.release(&FxHashSet::from_iter([ids[0]]));
        assert_eq!(kept, FxHashSet::from_iter([ids[0], ids[2]]));
        assert_eq!(ids.map(|id| sources.file(id).text.clone()), ["one", "", "three"]);
    }
}
