//! Lowered declarations by token sequence: parsed once across passes, units and edits.

use std::hash::BuildHasher;
use std::sync::{Arc, RwLock};

use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use crate::preprocess::PpToken;
use crate::source::{FileId, Span, Symbol, sym};
use crate::syntax;
use crate::target::{Needed, needed};

use super::ast::{Decl, DeclBody, Type};
use super::lower::{Detail, lower};

/// A token sequence: what each token says and where it stands, since declarations carry places.
type Key = Vec<(Symbol, Span)>;

/// What a parsed declaration gave: its declarations, and how many bytes the grammar could not read.
pub(super) type Lowered = (Vec<Arc<Decl>>, usize);

/// How deep a tree may be. What is deeper counts as text that the grammar could not read.
const DEPTH_LIMIT: usize = 20_000;

/// A token sequence parsed and lowered, of which a function's body begins at `body`. A prototype can read like a
/// variable with an initializer, `void k(float (*m)[4]);`; with a body in place of the semicolon it can't.
pub(super) fn parsed(tokens: &[PpToken], body: Option<usize>, detail: Detail) -> Lowered {
    let parsed = syntax::parse(tokens);
    if parsed.depth() > DEPTH_LIMIT {
        return (Vec::new(), parsed.text.len());
    }
    let mut decls = lower(&parsed, detail);
    // What is wrong in a body, while somebody types it, must not take the function's head along.
    if parsed.error_bytes > 0
        && let Some(head) = body.and_then(|body| head(tokens, body))
    {
        decls = with_bodies(head, decls);
        return (decls.into_iter().map(Arc::new).collect(), parsed.error_bytes);
    }
    if let ([Decl { kind: DeclBody::Variable(variable), .. }], Some(last)) = (decls.as_slice(), tokens.last())
        && last.text == sym::SEMI
        && (variable.ty == Type::Builtin(sym::VOID) || parsed.error_bytes > 0)
    {
        let mut defined = tokens[..tokens.len() - 1].to_vec();
        defined.extend([PpToken { text: sym::LBRACE, ..*last }, PpToken { text: sym::RBRACE, ..*last }]);
        let again = syntax::parse(&defined);
        if again.error_bytes == 0 {
            return (lower(&again, detail).into_iter().map(|decl| Arc::new(without_body(decl))).collect(), 0);
        }
    }
    (decls.into_iter().map(Arc::new).collect(), parsed.error_bytes)
}

/// A function with an empty body in place of its own, if that can be read without errors.
fn head(tokens: &[PpToken], body: usize) -> Option<Vec<Decl>> {
    let (before, first, last) = (tokens.get(..body)?, tokens.get(body)?, tokens.last()?);
    let braces = [PpToken { text: sym::LBRACE, ..*first }, PpToken { text: sym::RBRACE, ..*last }];
    let parsed = syntax::parse(&[before, &braces].concat());
    (parsed.error_bytes == 0).then(|| lower(&parsed, Detail::Mentions))
}

/// Whether a function's head is read the same whatever its body says.
pub fn reads_alone(tokens: &[PpToken], body: usize) -> bool {
    head(tokens, body).is_some()
}

/// Functions with the bodies that others of their names have.
fn with_bodies(mut heads: Vec<Decl>, whole: Vec<Decl>) -> Vec<Decl> {
    for (head, mut whole) in heads.iter_mut().zip(whole) {
        let same = head.name == whole.name;
        if let (DeclBody::Function(head), DeclBody::Function(whole)) = (&mut head.kind, &mut whole.kind)
            && same
        {
            head.body = whole.body.take().or(head.body.take());
            head.steps = whole.steps.take();
        }
    }
    heads
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
    mentions: Lowerings,
    operators: Lowerings,
    /// What assembly needs, by its literals.
    needed: RwLock<FxHashMap<Box<[Symbol]>, Vec<Needed>>>,
}

/// Lowered declarations of one detail.
type Lowerings = RwLock<FxHashMap<u64, Vec<(Key, Lowered)>>>;

/// How many texts of assembly are known before all are forgotten.
const TEXTS: usize = 1 << 15;

impl Memo {
    /// Empty.
    pub fn new() -> Memo {
        Memo::default()
    }

    /// Drops what was made of tokens of files other than these.
    pub fn retain(&self, files: &FxHashSet<FileId>) {
        for lowerings in [&self.mentions, &self.operators] {
            let mut map = lowerings.write().expect("no thread panics while it holds the lock");
            map.retain(|_, bucket| {
                bucket.retain(|(key, _)| key.iter().all(|(_, at)| files.contains(&at.file)));
                !bucket.is_empty()
            });
        }
    }

    /// What assembly needs that not every target has, of which some literals are the text.
    pub(super) fn needed(&self, literals: &[Symbol], text: fn(&[Symbol]) -> String) -> Vec<Needed> {
        let no_panic = "no thread panics while it holds the lock";
        if let Some(known) = self.needed.read().expect(no_panic).get(literals) {
            return known.clone();
        }
        let found = needed(&text(literals));
        let mut known = self.needed.write().expect(no_panic);
        if known.len() >= TEXTS {
            known.clear();
        }
        known.insert(literals.into(), found.clone());
        found
    }

    /// What the declaration of these tokens declares, of which a function's body begins at `body`.
    pub(super) fn lowered(&self, tokens: &[PpToken], body: Option<usize>, detail: Detail) -> Lowered {
        let lowerings = match detail {
            Detail::Mentions => &self.mentions,
            Detail::Operators => &self.operators,
        };
        let key: Key = tokens.iter().map(|token| (token.text, token.at)).collect();

        let hash = FxBuildHasher.hash_one(&key);
        let find = |map: &FxHashMap<u64, Vec<(Key, Lowered)>>| {
            let bucket = map.get(&hash)?;
            bucket.iter().find(|(known, _)| *known == key).map(|(_, lowered)| lowered.clone())
        };
        if let Some(known) = find(&lowerings.read().expect("no thread panics while it holds the lock")) {
            return known;
        }
        let lowered = parsed(tokens, body, detail);
        let mut map = lowerings.write().expect("no thread panics while it holds the lock");
        map.entry(hash).or_default().push((key, Lowered::clone(&lowered)));
        lowered
    }
}
