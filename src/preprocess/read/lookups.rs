//! Where a unit's include search looks, whether or not there is a file: what tells a kept result that a new header would
//! be found before the one it was made with.
//!
//! In: the files that a unit read. Out: one digest of every place where a header that one of them names could be, and
//! whether there is one. The names are those that any directive of these files spells, live or not: more than were looked
//! for, never fewer. A name that macros put together from parts is known by the file that was found, or as one that was
//! not.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use memchr::memchr_iter;
use rustc_hash::FxHashMap;
use sha2::{Digest, Sha256};

use crate::project::{IncludeSearch, TranslationUnit};
use crate::source::{FileId, SourceFile, Sources, read_bytes};

use super::search::{Chain, beside};

/// What is known of places, shared by the units of a run.
#[derive(Debug, Default)]
pub struct Lookups {
    exists: Mutex<FxHashMap<PathBuf, bool>>,
    /// By the number of the directories and the file.
    files: Mutex<FxHashMap<(usize, FileId), [u8; 32]>>,
    spelled: Mutex<FxHashMap<FileId, Arc<Spelled>>>,
    searches: Mutex<Vec<Arc<Search>>>,
}

/// The directories of a search.
#[derive(Debug)]
struct Search {
    directories: Vec<PathBuf>,
    embed: Vec<PathBuf>,
    index: IncludeSearch,
}

/// The header names in a file's directives.
#[derive(Debug, Default)]
struct Spelled {
    names: Vec<Name>,
    /// Macros make the name in some `#include`.
    computed: bool,
}

#[derive(PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Name {
    text: String,
    /// The file's bytes may be embedded.
    embed: bool,
}

impl Lookups {
    /// The digest of the places for a unit that read these files and did not find the headers `missing`.
    pub fn digest(
        &self,
        unit: &TranslationUnit,
        files: &[Arc<SourceFile>],
        missing: &[String],
        sources: &Sources,
    ) -> [u8; 32] {
        let (number, search) = self.search(&unit.search);
        let mut hash = Sha256::new();
        let forced = unit.search.forced.iter().chain(&unit.search.macros);
        for name in forced.filter_map(|path| path.to_str()) {
            self.of_name(&mut hash, name, None, &search, sources);
        }
        let mut computed: Vec<&SourceFile> = Vec::new();
        for file in files {
            let spelled = self.spelled(file);
            hash.update(self.of_file(number, file, &spelled, &search, sources));
            computed.extend(spelled.computed.then_some(&**file));
        }
        if !computed.is_empty() {
            let bare = |name: &String| name.trim_matches(['<', '>', '"']).to_string();
            let mut names: Vec<String> = missing.iter().map(bare).collect();
            for file in files {
                let below = search.directories.iter().filter_map(|one| file.path.strip_prefix(one).ok());
                names.extend(below.filter_map(|name| name.to_str()).map(String::from));
            }
            names.sort();
            names.dedup();
            for name in &names {
                self.of_name(&mut hash, name, None, &search, sources);
                for includer in &computed {
                    let beside = beside(name, Some(&includer.path));
                    hash.update([u8::from(self.exists(&beside, sources))]);
                }
            }
        }
        hash.finalize().into()
    }

    /// The header names that a unit's files spell, as the last parts of their paths: those that the index of the
    /// project's headers is asked for. `None` if macros make names.
    pub fn last_parts(&self, files: &[Arc<SourceFile>]) -> Option<Vec<String>> {
        let mut parts = Vec::new();
        for file in files {
            let spelled = self.spelled(file);
            if spelled.computed {
                return None;
            }
            parts.extend(spelled.names.iter().map(|name| last_part(&name.text).to_string()));
        }
        parts.sort();
        parts.dedup();
        Some(parts)
    }

    /// The search with its number; searches of equal directories have one.
    fn search(&self, search: &IncludeSearch) -> (usize, Arc<Search>) {
        let mut known = self.searches.lock().unwrap_or_else(PoisonError::into_inner);
        let number = known.iter().position(|one| one.index == *search).unwrap_or_else(|| {
            let chain = Chain::new(search);
            known.push(Arc::new(Search {
                directories: chain.directories.into_iter().map(|one| one.path).collect(),
                embed: search.embed.clone(),
                index: search.clone(),
            }));
            known.len() - 1
        });
        (number, Arc::clone(&known[number]))
    }

    fn spelled(&self, file: &SourceFile) -> Arc<Spelled> {
        if let Some(known) = self.spelled.lock().unwrap_or_else(PoisonError::into_inner).get(&file.id) {
            return Arc::clone(known);
        }
        let made = Arc::new(spelled(&file.text));
        let mut known = self.spelled.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(file.id, Arc::clone(&made));
        made
    }

    fn of_file(
        &self,
        number: usize,
        file: &SourceFile,
        spelled: &Spelled,
        search: &Search,
        sources: &Sources,
    ) -> [u8; 32] {
        let key = (number, file.id);
        if let Some(known) = self.files.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return *known;
        }
        let mut hash = Sha256::new();
        for Name { text, embed } in &spelled.names {
            self.of_name(&mut hash, text, Some(&file.path), search, sources);
            if *embed {
                let places = search.embed.iter().map(|one| one.join(text));
                for place in [beside(text, Some(&file.path))].into_iter().chain(places) {
                    let bytes = read_bytes(&place).ok();
                    hash.update(bytes.map(Sha256::digest).unwrap_or_default());
                }
            }
        }
        let made = hash.finalize().into();
        self.files.lock().unwrap_or_else(PoisonError::into_inner).insert(key, made);
        made
    }

    fn of_name(
        &self,
        hash: &mut Sha256,
        name: &str,
        includer: Option<&Path>,
        search: &Search,
        sources: &Sources,
    ) {
        hash.update(name);
        hash.update([0, u8::from(self.exists(&beside(name, includer), sources))]);
        for directory in &search.directories {
            hash.update([u8::from(self.exists(&directory.join(name), sources))]);
        }
        for header in search.index.project_headers.get(last_part(name)).into_iter().flatten() {
            hash.update(header.as_os_str().as_encoded_bytes());
            hash.update([0]);
        }
    }

    fn exists(&self, path: &Path, sources: &Sources) -> bool {
        if let Some(known) = self.exists.lock().unwrap_or_else(PoisonError::into_inner).get(path) {
            return *known;
        }
        let exists = sources.known(path).is_some_and(|file| !file.built_in()) || path.is_file();
        self.exists.lock().unwrap_or_else(PoisonError::into_inner).insert(path.to_path_buf(), exists);
        exists
    }
}

fn last_part(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

/// Directives that name a file.
const NAMING: [&str; 4] = ["include", "include_next", "import", "embed"];

fn spelled(text: &str) -> Spelled {
    let mut found = Spelled::default();
    let marks = memchr_iter(b'#', text.as_bytes());
    let digraphs = text.match_indices("%:").map(|(at, _)| at);
    let mut end = 0;
    let mut marks: Vec<usize> = marks.chain(digraphs).collect();
    marks.sort_unstable();
    for mark in marks {
        if mark < end {
            continue;
        }
        end = logical_line(text, mark);
        let line = text[mark..end].trim_start_matches(['#', '%', ':']);
        add_names(line, &mut found);
    }
    found.names.sort();
    found.names.dedup();
    found
}

/// The end of the line around a place, with the lines that it goes on in.
fn logical_line(text: &str, from: usize) -> usize {
    let mut at = from;
    loop {
        let Some(next) = text[at..].find('\n').map(|next| at + next) else { return text.len() };
        if !text[at..next].trim_end().ends_with(['\\', '/']) {
            return next;
        }
        at = next + 1;
    }
}

/// Adds whatever in a directive's line looks like a header name.
fn add_names(line: &str, found: &mut Spelled) {
    let line = line.trim_start();
    let word = line.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
    let names_a_file = NAMING.contains(&word);
    let embed = line.contains("embed");
    let mut rest = line;
    let mut any = false;
    while let Some(open) = rest.find(['<', '"']) {
        let close = if rest[open..].starts_with('<') { '>' } else { '"' };
        let inner = &rest[open + 1..];
        let Some(length) = inner.find([close, '\n']).filter(|length| inner[*length..].starts_with(close))
        else {
            rest = inner;
            continue;
        };
        let name = &inner[..length];
        any = true;
        if !name.is_empty() && (names_a_file || !name.contains(char::is_whitespace)) {
            found.names.push(Name { text: name.to_string(), embed });
        }
        // A `<` that compares may stand before one that opens a name.
        rest = if names_a_file { &inner[length + 1..] } else { inner };
    }
    found.computed |= names_a_file && !any;
}

#[cfg(test)]
mod tests {
    use crate::target::{Passes, parse_arch_list};

    use super::*;

    #[test]
    fn names_are_found_wherever_directives_spell_them() {
        let names = |text: &str| {
            let found = spelled(text);
            let names: Vec<String> = found.names.into_iter().map(|name| name.text).collect();
            (names.join(" "), found.computed)
        };
        assert_eq!(names("#include <a.h>\n # include \"b/c.h\"\n"), ("a.h b/c.h".into(), false));
        assert_eq!(names("#if a<b && __has_include(<c.h>)\n"), ("c.h".into(), false));
        assert_eq!(names("#if \\\n defined(X) && \\\n __has_include(\"x y.h\")\n").0, "");
        assert_eq!(names("#define H <h.h>\n#include H\n"), ("h.h".into(), true));
        assert_eq!(names("/* */ # include <a.h>\nint a = b < c > d;\n"), ("a.h".into(), false));
        assert_eq!(names("%:include <a.h>\n"), ("a.h".into(), false));
    }

    #[test]
    fn a_header_that_would_be_found_first_changes_the_digest() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path();
        for (path, text) in
            [("a.cu", "#include <x.h>\n#include \"n.h\"\n"), ("second/x.h", ""), ("first/y.h", "")]
        {
            std::fs::create_dir_all(root.join(path).parent().unwrap()).unwrap();
            std::fs::write(root.join(path), text).unwrap();
        }
        let passes = Passes::new(&parse_arch_list("80").unwrap()).unwrap();
        let mut unit = TranslationUnit::new(&root.join("a.cu"), passes);
        unit.search.directories = vec![root.join("first"), root.join("second")];
        let digest = || {
            let sources = Sources::new();
            let files = [sources.read(&unit.main).unwrap()];
            Lookups::default().digest(&unit, &files, &[], &sources)
        };
        let before = digest();
        assert_eq!(digest(), before);
        std::fs::write(root.join("first/other.h"), "").unwrap();
        assert_eq!(digest(), before);
        for new in ["first/x.h", "n.h"] {
            std::fs::write(root.join(new), "").unwrap();
            assert_ne!(digest(), before, "{new}");
            std::fs::remove_file(root.join(new)).unwrap();
        }
        assert_eq!(digest(), before);
    }
}
