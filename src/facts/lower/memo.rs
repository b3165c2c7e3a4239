//! Lowered declarations by token sequence, so that each sequence is parsed once across passes, units and
//! edits.
//!
//! In: the tokens of a declaration. Out: its lowered declarations. A sequence of a superseded text that
//! another text has too is not parsed again: the places in its declarations are relocated.

use std::collections::VecDeque;
use std::hash::{BuildHasher, Hash, Hasher};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use sha2::{Digest, Sha256};

use crate::cancel::unwind_if_cancelled;
use crate::preprocess::PpToken;
use crate::source::{FileId, Span, Symbol, sym};
use crate::syntax::{self, CustomQuery, Parsed};
use crate::target::{Needed, needed};

use super::ast::{Decl, DeclBody, Type};
use super::custom::{Matches, matches};
use super::relocate::relocated;
use crate::facts::lower::declarations::lower;
use crate::facts::lower::nodes::Detail;

/// A token sequence with its lowered declarations.
#[derive(Debug)]
struct Entry {
    tokens: Box<[PlacedToken]>,
    lowered: Lowered,
}

/// The part of a token that lowering depends on, and its place, which declarations carry.
#[derive(Clone, Copy, PartialEq, Debug)]
struct PlacedToken {
    text: Symbol,
    space_before: bool,
    line_start: bool,
    at: Span,
}

impl PlacedToken {
    fn of(token: &PpToken) -> PlacedToken {
        let PpToken { text, space_before, line_start, at, .. } = *token;
        PlacedToken { text, space_before, line_start, at }
    }

    /// The token with its place relative to `base`, the first token of its sequence. A token of another file
    /// keeps its place.
    fn relative_to(self, base: Span) -> (Symbol, bool, bool, Option<FileId>, u32, u32) {
        let Span { file, start, end } = self.at;
        let (file, start) = match file == base.file {
            true => (None, start.wrapping_sub(base.start)),
            false => (Some(file), start),
        };
        (self.text, self.space_before, self.line_start, file, start, end.wrapping_sub(self.at.start))
    }
}

impl Entry {
    /// The place of the first token.
    fn base(&self) -> Option<Span> {
        self.tokens.first().map(|word| word.at)
    }

    /// It is dropped before shorter ones.
    fn is_long(&self) -> bool {
        self.tokens.len() >= LONG
    }

    /// The files that its tokens come from; a file may occur more than once.
    fn files(&self) -> impl Iterator<Item = FileId> {
        self.tokens.chunk_by(|one, next| one.at.file == next.at.file).map(|tokens| tokens[0].at.file)
    }

    /// Whether it was lowered from the same tokens, wherever the sequence stands.
    fn has_tokens(&self, tokens: &[PpToken]) -> bool {
        let (Some(own), Some(base)) = (self.base(), tokens.first().map(|token| token.at)) else {
            return false;
        };
        self.tokens.len() == tokens.len()
            && self.tokens.iter().zip(tokens).all(|(own_token, token)| {
                own_token.relative_to(own) == PlacedToken::of(token).relative_to(base)
            })
    }
}

/// Lowered declarations, and the number of bytes of their text under syntax errors.
pub(in crate::facts) type Lowered = (Vec<Arc<Decl>>, usize);

/// The deepest tree that is lowered. The text of a deeper one counts as text under a syntax error.
pub(in crate::facts) const DEPTH_LIMIT: usize = 20_000;

/// The longest declaration that is parsed, in tokens, but for lists of initial values. Nobody writes a longer one: a brace
/// without its other one makes one declaration of all headers behind it. The text counts as text under a syntax error.
const LENGTH_LIMIT: usize = 750_000;

/// Whether a declaration is too long to be parsed.
fn is_too_long(tokens: &[PpToken]) -> bool {
    let is_list = || {
        let first = tokens.iter().position(|token| token.text == sym::LBRACE);
        first.is_some_and(|first| first > 0 && tokens[first - 1].text == sym::ASSIGN)
    };
    tokens.len() > LENGTH_LIMIT && !is_list()
}

/// Parses and lowers a token sequence in which a function's body begins at token `body`.
///
/// A function declaration can parse as a variable with an initializer, `void k(float (*m)[4]);`; with a body
/// in place of its semicolon it cannot.
pub(in crate::facts) fn parsed(tokens: &[PpToken], body: Option<usize>, detail: Detail) -> Lowered {
    if is_too_long(tokens) {
        return (Vec::new(), tokens.iter().map(|token| token.text.as_str().len()).sum());
    }
    let parsed = syntax::parse(tokens);
    if parsed.is_deeper_than(DEPTH_LIMIT) {
        return (Vec::new(), parsed.text.len());
    }
    // A syntax error in a body that is being typed must lose neither the function's head nor the rest of the
    // body.
    if let Some(body) = body
        && (parsed.error_bytes > 0 || syntax::breaks_off(&tokens[body.min(tokens.len())..]))
        && let Some(head) = head(tokens, body)
    {
        let mended = syntax::mended(tokens, body).map(|left| syntax::parse(&left));
        let mended = mended.as_ref().unwrap_or(&parsed);
        // Of a function that is not read as one the names are left: what they lead to is not known.
        let names = || syntax::with_names_called(tokens, body).map(|left| syntax::parse(&left));
        let called = if mended.is_one_declaration() { None } else { names() };
        let called = called.filter(Parsed::is_one_declaration);
        let mut whole = lower(called.as_ref().unwrap_or(mended), detail);
        let is_definition =
            |one: &Decl| matches!(&one.kind, DeclBody::Function(function) if function.body.is_some());
        if !whole.iter().any(is_definition) {
            whole = lower(&syntax::parse(&syntax::all_names_called(tokens, body)), detail);
        }
        let decls = with_bodies(head, whole);
        return (decls.into_iter().map(Arc::new).collect(), parsed.error_bytes);
    }
    let decls = lower(&parsed, detail);
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

/// The function with an empty body in place of its own; `None` if that has syntax errors.
fn head(tokens: &[PpToken], body: usize) -> Option<Vec<Decl>> {
    let (before, first, last) = (tokens.get(..body)?, tokens.get(body)?, tokens.last()?);
    let braces = [PpToken { text: sym::LBRACE, ..*first }, PpToken { text: sym::RBRACE, ..*last }];
    let parsed = syntax::parse(&[before, &braces].concat());
    (parsed.error_bytes == 0).then(|| lower(&parsed, Detail::Mentions))
}

/// The functions of `heads` with the bodies that the functions of the same names in `whole` have.
fn with_bodies(mut heads: Vec<Decl>, whole: Vec<Decl>) -> Vec<Decl> {
    for (head, mut whole) in heads.iter_mut().zip(whole) {
        let same = head.name == whole.name;
        if let (DeclBody::Function(head), DeclBody::Function(whole)) = (&mut head.kind, &mut whole.kind)
            && same
        {
            head.body = whole.body.take().or(head.body.take());
            head.statements = whole.statements.take();
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

/// The fewest tokens of a long declaration. Of these only the last ones are kept: where a closing brace is missing, all that
/// stands behind it is one declaration, in each unit another, and takes some 200 bytes for each token.
const LONG: usize = 20_000;

/// The most tokens of long declarations that are kept, but for the last declaration.
const LONG_IN_ALL: usize = 10 * LONG;

/// The lowered declarations of one [`Detail`].
#[derive(Debug, Default)]
struct Lowerings {
    /// By a hash of their tokens that does not depend on the place of the sequence.
    by_hash: FxHashMap<u64, Vec<Entry>>,
    /// The hashes of the entries that have tokens of a file.
    by_file: FxHashMap<FileId, FxHashSet<u64>>,
    /// The hashes and first tokens of the long entries, the oldest first; some may have gone.
    long: VecDeque<(u64, Span)>,
}

impl Lowerings {
    fn bucket(&self, hash: u64) -> &[Entry] {
        self.by_hash.get(&hash).map_or(&[], Vec::as_slice)
    }

    /// Adds an entry, unless another thread did; too many long ones make room for it.
    fn add(&mut self, hash: u64, entry: Entry) {
        if self.bucket(hash).iter().any(|known| known.tokens == entry.tokens) {
            return;
        }
        if let Some(base) = entry.base().filter(|_| entry.is_long()) {
            let by_hash = &self.by_hash;
            let tokens = |(hash, base): &(u64, Span)| {
                let mut bucket = by_hash.get(hash).into_iter().flatten();
                bucket.find(|one| one.base() == Some(*base)).map_or(0, |one| one.tokens.len())
            };
            self.long.retain(|one| tokens(one) > 0);
            let mut in_all = self.long.iter().map(tokens).sum::<usize>() + entry.tokens.len();
            let mut gone = Vec::new();
            while in_all > LONG_IN_ALL
                && let Some(oldest) = self.long.pop_front()
            {
                in_all -= tokens(&oldest);
                gone.push(oldest);
            }
            for (hash, base) in gone {
                self.drop_entries(hash, |one| one.base() == Some(base));
            }
            self.long.push_back((hash, base));
        }
        self.record_files(hash, &entry);
        self.by_hash.entry(hash).or_default().push(entry);
    }

    /// Records the files that an entry's tokens come from.
    fn record_files(&mut self, hash: u64, entry: &Entry) {
        for file in entry.files() {
            self.by_file.entry(file).or_default().insert(hash);
        }
    }

    /// Drops the entries that have tokens of these files.
    fn drop_files(&mut self, files: &[FileId]) {
        let gone: FxHashSet<FileId> = files.iter().copied().collect();
        let hashes: FxHashSet<u64> =
            files.iter().filter_map(|file| self.by_file.remove(file)).flatten().collect();
        for hash in hashes {
            self.drop_entries(hash, |entry| entry.files().any(|file| gone.contains(&file)));
        }
    }

    /// Drops entries of one hash.
    fn drop_entries(&mut self, hash: u64, mut goes: impl FnMut(&Entry) -> bool) {
        let Some(bucket) = self.by_hash.get_mut(&hash) else { return };
        let removed: Vec<Entry> = bucket.extract_if(.., |entry| goes(entry)).collect();
        for file in removed.iter().flat_map(Entry::files) {
            if !bucket.iter().any(|entry| entry.files().any(|other| other == file))
                && let Some(hashes) = self.by_file.get_mut(&file)
            {
                hashes.remove(&hash);
            }
        }
        if bucket.is_empty() {
            self.by_hash.remove(&hash);
        }
    }
}

/// The lowered declarations of a run, shared between threads.
#[derive(Debug, Default)]
pub struct Memo {
    mentions: RwLock<Lowerings>,
    operators: RwLock<Lowerings>,
    /// Long declarations are parsed one after the other, since each takes much memory.
    parsing_long: Mutex<()>,
    /// The requirements of inline assembly, by its string literals.
    needed: RwLock<Assembly>,
    /// Files whose text has been replaced: entries of theirs are moved to the new text when it has the same
    /// tokens.
    superseded: RwLock<FxHashSet<FileId>>,
    /// Whether a function's head parses without its body, by the tokens of the head.
    standalone_heads: RwLock<FxHashMap<Box<[HeadToken]>, bool>>,
    /// What custom queries match in declarations.
    custom: RwLock<FxHashMap<MatchKey, Arc<Matches>>>,
    /// The queries of custom rules, by their text.
    queries: RwLock<FxHashMap<String, Arc<CustomQuery>>>,
    /// How often declarations were asked for that were known.
    reused: AtomicUsize,
    /// How often a sequence was parsed.
    parsed: AtomicUsize,
}

/// The first token's file, and a digest of queries and of a declaration's tokens with their places.
type MatchKey = (FileId, [u8; 32]);

/// Requirements of inline assembly, by its string literals.
type Assembly = FxHashMap<Box<[Symbol]>, Arc<[Needed]>>;

/// A token of a function's head: its text, and whether white space or a line break precedes it.
type HeadToken = (Symbol, bool, bool);

/// The reason why the locks are never poisoned.
const NO_PANIC: &str = "no thread panics while it holds the lock";

/// The most entries that a table of texts holds; a full table is cleared.
const TABLE_LIMIT: usize = 1 << 15;

impl Memo {
    /// Empty.
    pub fn new() -> Memo {
        Memo::default()
    }

    /// How often declarations were reused, and how often they were parsed.
    pub fn reuse(&self) -> (usize, usize) {
        (self.reused.load(Ordering::Relaxed), self.parsed.load(Ordering::Relaxed))
    }

    /// Marks files whose text has been replaced.
    pub fn supersede(&self, files: &[FileId]) {
        self.superseded.write().expect(NO_PANIC).extend(files);
    }

    /// Drops the entries of all superseded files but these.
    pub fn retain(&self, files: &FxHashSet<FileId>) {
        // This lock is not held while the others are waited for: whoever has those may wait for it.
        let gone: Vec<FileId> =
            self.superseded.write().expect(NO_PANIC).extract_if(|file| !files.contains(file)).collect();
        self.custom.write().expect(NO_PANIC).retain(|(file, _), _| !gone.contains(file));
        for lowerings in [&self.mentions, &self.operators] {
            lowerings.write().expect(NO_PANIC).drop_files(&gone);
        }
    }

    /// The features that inline assembly requires and not every target has; `literals` are its string
    /// literals, which `text` joins.
    pub(in crate::facts) fn needed(
        &self,
        literals: &[Symbol],
        text: fn(&[Symbol]) -> String,
    ) -> Arc<[Needed]> {
        if let Some(known) = self.needed.read().expect(NO_PANIC).get(literals) {
            return known.clone();
        }
        let found: Arc<[Needed]> = needed(&text(literals)).into();
        let mut known = self.needed.write().expect(NO_PANIC);
        if known.len() >= TABLE_LIMIT {
            known.clear();
        }
        known.insert(literals.into(), found.clone());
        found
    }

    /// The query of a custom rule, which the configuration has compiled before.
    pub(in crate::facts) fn query(&self, text: &str) -> Arc<CustomQuery> {
        if let Some(known) = self.queries.read().expect(NO_PANIC).get(text) {
            return known.clone();
        }
        let query = CustomQuery::compile(text).expect("a rule whose query does not compile is none");
        let query = Arc::new(query);
        let mut known = self.queries.write().expect(NO_PANIC);
        if known.len() >= TABLE_LIMIT {
            known.clear();
        }
        known.insert(text.to_string(), query.clone());
        query
    }

    /// What queries, given with their texts, match in a declaration of these tokens.
    pub(in crate::facts) fn custom_matches(
        &self,
        tokens: &[PpToken],
        queries: &[(String, Arc<CustomQuery>)],
    ) -> Arc<Matches> {
        let made = || Arc::new(matches(tokens, queries.iter().map(|(_, query)| &**query), DEPTH_LIMIT));
        let Some(first) = tokens.first() else { return made() };
        let mut digest = Sha256::new();
        for (text, _) in queries {
            Digest::update(&mut digest, (text.len() as u64).to_le_bytes());
            Digest::update(&mut digest, text);
        }
        for token in tokens {
            let PlacedToken { text, space_before, line_start, at } = PlacedToken::of(token);
            let word = text.as_str();
            Digest::update(&mut digest, (word.len() as u64).to_le_bytes());
            Digest::update(&mut digest, word);
            let place = [at.file.as_u32(), at.start, at.end, u32::from(space_before), u32::from(line_start)];
            place.iter().for_each(|one| Digest::update(&mut digest, one.to_le_bytes()));
        }
        let key = (first.at.file, digest.finalize().into());
        if let Some(known) = self.custom.read().expect(NO_PANIC).get(&key) {
            return known.clone();
        }
        let made = made();
        self.custom.write().expect(NO_PANIC).insert(key, made.clone());
        made
    }

    /// Whether the head of the function whose body begins at token `body` parses alike whatever the body is.
    pub fn reads_alone(&self, tokens: &[PpToken], body: usize) -> bool {
        let last = tokens.last().filter(|_| body < tokens.len());
        let key: Box<[HeadToken]> = tokens[..tokens.len().min(body + 1)]
            .iter()
            .chain(last)
            .map(|token| (token.text, token.space_before, token.line_start))
            .collect();
        if let Some(known) = self.standalone_heads.read().expect(NO_PANIC).get(&key) {
            return *known;
        }
        let alone = head(tokens, body).is_some();
        let mut known = self.standalone_heads.write().expect(NO_PANIC);
        if known.len() >= TABLE_LIMIT {
            known.clear();
        }
        known.insert(key, alone);
        alone
    }

    /// The declarations of a token sequence in which a function's body begins at token `body`. An entry of a
    /// superseded file with the same tokens is relocated instead of parsing them.
    pub(in crate::facts) fn lowered(
        &self,
        tokens: &[PpToken],
        body: Option<usize>,
        detail: Detail,
    ) -> Lowered {
        let lowerings = match detail {
            Detail::Mentions => &self.mentions,
            Detail::Operators => &self.operators,
        };
        let Some(base) = tokens.first().map(|token| token.at) else { return parsed(tokens, body, detail) };
        let mut hasher = FxBuildHasher.build_hasher();
        tokens.iter().for_each(|token| PlacedToken::of(token).relative_to(base).hash(&mut hasher));
        let hash = hasher.finish();
        {
            let known = lowerings.read().expect(NO_PANIC);
            let mut bucket = known.bucket(hash).iter();
            if let Some(known) = bucket.find(|one| one.base() == Some(base) && one.has_tokens(tokens)) {
                self.reused.fetch_add(1, Ordering::Relaxed);
                return known.lowered.clone();
            }
        }
        let words = || tokens.iter().map(PlacedToken::of).collect();
        {
            let mut all = lowerings.write().expect(NO_PANIC);
            let bucket = all.by_hash.get_mut(&hash).map_or(&mut [][..], Vec::as_mut_slice);
            let superseded = self.superseded.read().expect(NO_PANIC);
            let is_superseded = |one: &Entry| one.base().is_some_and(|at| superseded.contains(&at.file));
            let known = bucket.iter_mut().find(|one| is_superseded(one) && one.has_tokens(tokens));
            if let Some((known, from)) = known.and_then(|known| known.base().map(|from| (known, from))) {
                let (decls, errors) = &known.lowered;
                let lowered = (relocated(decls, from, base), *errors);
                all.drop_entries(hash, |one| one.base() == Some(from) && one.has_tokens(tokens));
                all.add(hash, Entry { tokens: words(), lowered: lowered.clone() });
                self.reused.fetch_add(1, Ordering::Relaxed);
                return lowered;
            }
        }
        self.parsed.fetch_add(1, Ordering::Relaxed);
        let alone = (tokens.len() >= LONG).then(|| {
            // It was unlocked by a thread that was cancelled.
            let alone = self.parsing_long.lock().unwrap_or_else(PoisonError::into_inner);
            unwind_if_cancelled();
            alone
        });
        let lowered = parsed(tokens, body, detail);
        drop(alone);
        let mut all = lowerings.write().expect(NO_PANIC);
        all.add(hash, Entry { tokens: words(), lowered: lowered.clone() });
        lowered
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use crate::preprocess::preprocess;
    use crate::project::TranslationUnit;
    use crate::source::Sources;
    use crate::target::{Passes, parse_arch_list};

    use super::*;

    const TEXT: &str = "
struct Shape { int rows; alignas(8) float data[4]; template <class T> T at(int row) const { return data[row]; } };
template <class T, class U = decltype(T() + 1)> requires requires (T one) { one.run(); typename T::value; }
__global__ void reduce(T *out, U (&more)[3], int count = sizeof(T)) { out[0] = count; }
constexpr int steps(int n) { int sum = 0; for (int i = 0; i < n; ++i) { if (i > 2) { sum += i; } } return sum; }
auto launch(float *out) {
  using Element = float;
  auto body = [=](auto one) mutable { reduce<decltype(one)><<<1, 1>>>(out, {1, 2, 3}); return one; };
  body(2);
  auto [first, second] = Shape{1, 2};
  if constexpr (sizeof(Element) == 4) { reduce<Element>(out); } else { body(Shape().at<int>(0)); }
  for (auto one : {1, 2}) { (body(one), ...); }
  void (*kernel)(float *) = &reduce<float>;
  return [out] __device__ (int at) { return out[at]; };
}
template __global__ void reduce<int>(int *, int (&)[3], int);
enum class Kind : int { one = 1, two = one + 1 };
template <> struct Traits<int, 3> : Base<int> { static const int value = Traits<int, 2>::value + 1; };
";

    /// The tokens of a text by top-level declaration, as a unit's main file has them.
    fn tokens(sources: &Sources, name: &str, text: &str) -> Vec<Vec<PpToken>> {
        sources.add(Path::new(name), text.into());
        let passes = Passes::new(&parse_arch_list("80").unwrap()).unwrap();
        let unit = TranslationUnit::new(Path::new(name), passes);
        let pp = preprocess(&unit, sources, &Arc::default());
        let variance = crate::variance::variance(&pp, unit.passes.all());
        let declarations = variance.declarations.iter().map(|one| pp.tokens()[one.tokens.clone()].to_vec());
        declarations.filter(|one: &Vec<PpToken>| !pp.system.contains(&one[0].at.file)).collect()
    }

    #[test]
    fn relocated_declarations_equal_parsed_ones() {
        let sources = Sources::new();
        let before = tokens(&sources, "before.cu", TEXT);
        let after = tokens(&sources, "after.cu", &format!("// One line more.\nint more;\n{TEXT}"));
        for detail in [Detail::Mentions, Detail::Operators] {
            for (before, after) in before.iter().zip(&after[1..]) {
                let memo = Memo::new();
                let first = memo.lowered(before, None, detail);
                memo.supersede(&[before[0].at.file]);
                let known = memo.lowered(after, None, detail);
                assert_eq!(known, parsed(after, None, detail));
                assert_ne!(known, first);
                assert_eq!(count(&memo), 1);
            }
        }
    }

    /// The number of entries in the memo.
    fn count(memo: &Memo) -> usize {
        let all = [&memo.mentions, &memo.operators];
        all.map(|all| all.read().unwrap().by_hash.values().map(Vec::len).sum::<usize>()).iter().sum()
    }

    #[test]
    fn what_nobody_wrote_as_one_declaration_is_not_parsed() {
        let longer = |text: &str, repeated: std::ops::Range<usize>| {
            let short = tokens(&Sources::new(), "a.cu", text).remove(0);
            let count = LENGTH_LIMIT / repeated.len();
            let middle = short[repeated.clone()].repeat(count + 1);
            [&short[..repeated.start], &middle, &short[repeated.end..]].concat()
        };
        let class = longer("struct A { int a ; } ;", 3..6);
        let (decls, errors) = parsed(&class, None, Detail::Mentions);
        assert!(decls.is_empty() && errors > LENGTH_LIMIT, "{errors}");
        assert!(!is_too_long(&longer("int data[] = { 1 , 2 } ;", 6..8)));
    }

    #[test]
    fn entries_of_superseded_texts_are_dropped() {
        let sources = Sources::new();
        let texts = ["a.cu", "b.cu", "c.cu"].map(|name| tokens(&sources, name, TEXT));
        let files = texts.each_ref().map(|text| text[0][0].at.file);
        let memo = Memo::new();
        let lower = |text: &[Vec<PpToken>]| {
            text.iter().for_each(|one| drop(memo.lowered(one, None, Detail::Mentions)));
            count(&memo)
        };
        let each = lower(&texts[0]);
        assert_eq!((lower(&texts[1]), each > 5), (2 * each, true));
        memo.supersede(&files[..1]);
        memo.retain(&FxHashSet::from_iter(files));
        assert_eq!(count(&memo), 2 * each);
        // The entry of the superseded text has been relocated to another.
        assert_eq!(lower(&texts[2]), 2 * each);
        memo.retain(&FxHashSet::from_iter([files[1], files[2]]));
        assert_eq!(count(&memo), 2 * each);
        memo.supersede(&files[2..]);
        memo.retain(&FxHashSet::from_iter([files[1]]));
        assert_eq!((count(&memo), lower(&texts[1])), (each, each));
    }

    #[test]
    fn of_long_declarations_the_last_ones_are_kept() {
        let memo = Memo::new();
        let sources = Sources::new();
        let short = tokens(&sources, "short.cu", TEXT);
        let lower = |all: &[Vec<PpToken>]| {
            all.iter().for_each(|one| drop(memo.lowered(one, None, Detail::Mentions)));
            memo.reuse().1
        };
        let others = lower(&short);
        let text = format!("void run() {{ {} }}", "step();".repeat(LONG_IN_ALL / 3 / 4));
        let long: Vec<_> = ["a.cu", "b.cu", "c.cu"].map(|name| tokens(&sources, name, &text)).concat();
        assert!(long.iter().all(|one| one.len() > LONG && one.len() * 4 > LONG_IN_ALL));
        // Three are too many by some tokens, so the first one goes; then the second one, as the first one comes again.
        assert_eq!(lower(&long), others + 3);
        assert_eq!(lower(&long[1..]), others + 3);
        assert_eq!(lower(&long[..1]), others + 4);
        assert_eq!(lower(&long[2..]), others + 4);
        assert_eq!(lower(&long[1..2]), others + 5);
        assert_eq!(lower(&short), others + 5);
        // What is longer than all may be stays until another one comes.
        let text = format!("void run() {{ {} }}", "step();".repeat(LONG_IN_ALL / 4));
        let longest = tokens(&sources, "d.cu", &text);
        assert_eq!((lower(&longest), lower(&longest)), (others + 6, others + 6));
        assert_eq!(count(&memo), others + 1);
    }

    #[test]
    fn what_is_dropped_is_no_file_s_any_more() {
        let sources = Sources::new();
        sources.add(Path::new("a.h"), "step();\n".into());
        let main = tokens(&sources, "a.cu", "void run() {\n#include \"a.h\"\n}\nvoid again() { }");
        let memo = Memo::new();
        main.iter().for_each(|one| drop(memo.lowered(one, None, Detail::Mentions)));
        let files = || memo.mentions.read().unwrap().by_file.values().map(FxHashSet::len).sum::<usize>();
        let header = sources.known(Path::new("a.h")).unwrap().id;
        assert_eq!((count(&memo), files()), (2, 3));
        memo.supersede(&[header]);
        memo.retain(&FxHashSet::default());
        assert_eq!((count(&memo), files()), (1, 1));
    }

    /// A thread that lowers declarations holds the entries and asks which files are superseded.
    #[test]
    fn entries_are_waited_for_without_the_files_that_are_superseded() {
        let memo = Memo::new();
        memo.supersede(&[Sources::new().add(Path::new("a.cu"), String::new()).id]);
        let lowering = memo.mentions.write().unwrap();
        std::thread::scope(|scope| {
            let retaining = scope.spawn(|| memo.retain(&FxHashSet::default()));
            let are_taken = || memo.superseded.try_read().is_ok_and(|files| files.is_empty());
            let seen = (0..10_000_000).any(|_| {
                std::thread::yield_now();
                are_taken()
            });
            drop(lowering);
            retaining.join().unwrap();
            assert!(seen);
        });
    }
}
