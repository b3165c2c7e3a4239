//! Lowered declarations by token sequence: parsed once across passes, units and edits.

use std::hash::BuildHasher;
use std::sync::{Arc, RwLock};

use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use crate::preprocess::PpToken;
use crate::source::{FileId, sym};
use crate::syntax;

use super::ast::{Decl, DeclBody, Type};
use super::lower::lower;

/// A token sequence: what each token says and where it stands, since declarations carry places.
type Key = Vec<(crate::source::Symbol, crate::source::Span)>;

/// What a parsed declaration gave: its declarations, and how many bytes the grammar could not read.
type Lowered = (Vec<Arc<Decl>>, usize);

/// How deep a tree may be. What is deeper counts as text that the grammar could not read.
const DEPTH_LIMIT: usize = 20_000;

/// A token sequence parsed and lowered. A prototype can read like a variable with an initializer,
/// `void k(float (*m)[4]);`; with a body in place of the semicolon it can't.
fn parsed(tokens: &[PpToken]) -> Lowered {
    let parsed = syntax::parse(tokens);
    if parsed.depth() > DEPTH_LIMIT {
        return (Vec::new(), parsed.text.len());
    }
    let decls = lower(&parsed);
    if let ([Decl { kind: DeclBody::Variable(variable), .. }], Some(last)) = (decls.as_slice(), tokens.last())
        && last.text == sym::SEMI
        && (variable.ty == Type::Builtin(sym::VOID) || parsed.error_bytes > 0)
    {
        let mut defined = tokens[..tokens.len() - 1].to_vec();
        defined.extend([PpToken { text: sym::LBRACE, ..*last }, PpToken { text: sym::RBRACE, ..*last }]);
        let again = syntax::parse(&defined);
        if again.error_bytes == 0 {
            return (lower(&again).into_iter().map(|decl| Arc::new(without_body(decl))).collect(), 0);
        }
    }
    (decls.into_iter().map(Arc::new).collect(), parsed.error_bytes)
}

fn without_body(mut decl: Decl) -> Decl {
    if let DeclBody::Function(function) = &mut decl.kind {
        function.body = None;
    }
    decl
}

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
        let lowered = parsed(tokens);
        let mut map = self.lowered.write().expect("no thread panics while it holds the lock");
        map.entry(hash).or_default().push((key, Lowered::clone(&lowered)));
        lowered
    }
}
