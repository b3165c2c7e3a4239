//! Lowered declarations by token sequence: parsed once across passes, units and edits.

use std::hash::BuildHasher;
use std::sync::{Arc, RwLock};

use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use crate::preprocess::PpToken;
use crate::source::FileId;
use crate::syntax;

use super::ast::Decl;
use super::lower::lower;

/// A token sequence: what each token says and where it stands, since declarations carry places.
type Key = Vec<(crate::source::Symbol, crate::source::Span)>;

/// What a parsed declaration gave: its declarations, and how many bytes the grammar could not read.
type Lowered = (Vec<Arc<Decl>>, usize);

/// The memo of a run, shared between threads.
#[derive(Debug, Default)]
pub struct Memo {
    lowered: RwLock<FxHashMap<u64, Vec<(Key, Lowered)>>>,
}

impl Memo {
    /// Empty.
    pub fn new() -> Memo {
        Memo::default()
    }

    /// Drops what was made of tokens of files other than these.
    pub fn retain(&self, files: &FxHashSet<FileId>) {
        let mut map = self.lowered.write().expect("no thread panics while it holds the lock");
        map.retain(|_, bucket| {
            bucket.retain(|(key, _)| key.iter().all(|(_, at)| files.contains(&at.file)));
            !bucket.is_empty()
        });
    }

    /// What the declaration of these tokens declares.
    pub(super) fn lowered(&self, tokens: &[PpToken]) -> Lowered {
        let key: Key = tokens.iter().map(|token| (token.text, token.at)).collect();

        let hash = FxBuildHasher.hash_one(&key);
        let find = |map: &FxHashMap<u64, Vec<(Key, Lowered)>>| {
            let bucket = map.get(&hash)?;
            bucket.iter().find(|(known, _)| *known == key).map(|(_, lowered)| lowered.clone())
        };
        if let Some(known) = find(&self.lowered.read().expect("no thread panics while it holds the lock")) {
            return known;
        }
        let parsed = syntax::parse(tokens);
        let lowered = (lower(&parsed).into_iter().map(Arc::new).collect(), parsed.error_bytes);
        let mut map = self.lowered.write().expect("no thread panics while it holds the lock");
        map.entry(hash).or_default().push((key, Lowered::clone(&lowered)));
        lowered
    }
}
