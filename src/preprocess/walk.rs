//! The one walk over a unit for all its passes: files, directives, and what stands between them.
//!
//! The walk is *pulled*: [`Walker::next_raw`] gives the next token of the source under the set of
//! passes it is live for and executes the directives it meets on the way, so that directives inside
//! the arguments of an invocation just work. Tokens pulled ahead of their turn wait in a buffer;
//! what a class of passes uses of them is taken by removing that class from their sets.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::project::{Define, TranslationUnit};
use crate::source::{FileId, SourceFile, Sources, Span, Symbol, Token, TokenKind, lex, sym};
use crate::target::{ByPass, CudaCompiler, Options, PassSet, predefined};

use super::expand::{Effects, Expander, Split, whole};
use super::include::{Found, Resolver};
use super::macros::{self, Macro, Meaning, Tok};
use super::tokens::{
    ConditionalId, Definition, DefinitionId, Event, Expansion, ExpansionId, GroupId, Happening, PpToken,
    Preprocessed, Problem,
};

/// Tokens of the union of all passes, after which a unit is given up.
const TOKEN_LIMIT: usize = 20_000_000;

/// A token of the source, pulled but not yet used by every pass that has it.
#[derive(Clone, Copy, Debug)]
struct Raw {
    token: Tok,
    set: PassSet,
    /// A directive or the end of a file stands between it and the token before.
    after_directive: bool,
    /// How many files were open.
    depth: usize,
}

/// A file being read.
pub(super) struct Frame {
    pub(super) file: Arc<SourceFile>,
    pub(super) next: usize,
    /// How many conditionals were open when it was entered.
    pub(super) open: usize,
    /// The live set to return to.
    outside: PassSet,
    /// Where `#include_next` goes on.
    pub(super) next_directory: usize,
    /// `__INCLUDE_LEVEL__`.
    pub(super) level: usize,
    /// Its text is left out, its macros stay: `-imacros`.
    macros_only: bool,
    /// What `#line` adds to the line numbers.
    pub(super) line_shift: i64,
    /// What `__FILE__` is.
    name: String,
}

/// A conditional between its `#if` and its `#endif`.
pub(super) struct Open {
    pub(super) id: ConditionalId,
    pub(super) outer: PassSet,
    pub(super) outer_group: Option<GroupId>,
    pub(super) taken: PassSet,
    pub(super) after_else: bool,
    pub(super) directive: Span,
}

/// What stands next in the source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Peek {
    Parenthesis,
    Other,
}

/// Stacks of `#pragma push_macro`.
type Pushed = FxHashMap<Symbol, Vec<(PassSet, ByPass<DefinitionId>)>>;

pub(super) struct Walker<'u> {
    pub(super) unit: &'u TranslationUnit,
    pub(super) sources: &'u Sources,
    pub(super) out: Preprocessed,
    pub(super) resolver: Resolver<'u>,
    pub(super) frames: Vec<Frame>,
    pub(super) open: Vec<Open>,
    /// The passes for which the place reached is live.
    pub(super) live: PassSet,
    pub(super) group: Option<GroupId>,
    /// The passes that have read a file that wants to be read once.
    pub(super) once: FxHashMap<FileId, PassSet>,
    /// Parallel to the definitions.
    macros: Vec<Macro>,
    table: FxHashMap<Symbol, ByPass<DefinitionId>>,
    words: FxHashSet<Symbol>,
    pushed: Pushed,
    counters: [u32; 64],
    ahead: VecDeque<Raw>,
    directive_seen: bool,
    read: FxHashSet<FileId>,
    pulled: usize,
}

/// Names that headers define as macros and nvcc's languages have as words: never expanded.
const WORDS: &[Symbol] = &[
    sym::GLOBAL,
    sym::DEVICE,
    sym::HOST,
    sym::CONSTANT,
    sym::SHARED,
    sym::MANAGED,
    sym::LAUNCH_BOUNDS,
    sym::GRID_CONSTANT,
    sym::CLUSTER_DIMS,
    sym::FORCEINLINE,
    sym::NOINLINE,
    sym::ALIGN,
    sym::RESTRICT,
    sym::MAXNREG,
    sym::BLOCK_SIZE,
];

const BUILTINS: &[Symbol] = &[
    sym::LINE_MACRO,
    sym::FILE_MACRO,
    sym::COUNTER,
    sym::INCLUDE_LEVEL,
    sym::BASE_FILE,
    sym::DATE,
    sym::TIME,
    sym::TIMESTAMP,
    sym::PRAGMA_OPERATOR,
    sym::HAS_INCLUDE,
    sym::HAS_INCLUDE_NEXT,
];

/// What a compiler may be asked about itself, GCC's first.
const QUESTIONS: &[Symbol] = &[
    sym::HAS_BUILTIN,
    sym::HAS_ATTRIBUTE,
    sym::HAS_CPP_ATTRIBUTE,
    sym::HAS_C_ATTRIBUTE,
    sym::HAS_FEATURE,
    sym::HAS_EXTENSION,
    sym::HAS_WARNING,
    sym::HAS_DECLSPEC_ATTRIBUTE,
    sym::BUILDING_MODULE,
    sym::IS_IDENTIFIER,
];

/// How many of these GCC 12 knows.
const GCC_QUESTIONS: usize = 4;

impl<'u> Walker<'u> {
    pub(super) fn new(unit: &'u TranslationUnit, sources: &'u Sources) -> Walker<'u> {
        let mut walker = Walker {
            unit,
            sources,
            out: Preprocessed::default(),
            resolver: Resolver::new(&unit.search, sources),
            frames: Vec::new(),
            open: Vec::new(),
            live: unit.passes.all(),
            group: None,
            once: FxHashMap::default(),
            macros: Vec::new(),
            table: FxHashMap::default(),
            words: WORDS.iter().copied().collect(),
            pushed: Pushed::default(),
            counters: [0; 64],
            ahead: VecDeque::new(),
            directive_seen: false,
            read: FxHashSet::default(),
            pulled: 0,
        };
        walker.predefine();
        walker.begin();
        walker
    }

    /// Makes macros of CUDA's words where headers define them so.
    pub(super) fn without_words(mut self) -> Walker<'u> {
        self.words.clear();
        self
    }

    /// Walks the unit to its end.
    pub(super) fn run(mut self) -> Preprocessed {
        while let Some(raw) = self.pull() {
            if raw.token.kind != TokenKind::Identifier || !self.table.contains_key(&raw.token.text) {
                self.emit(&raw.token, raw.set);
            } else {
                self.expand(raw);
            }
        }
        self.out
    }

    fn predefine(&mut self) {
        let all = self.unit.passes.all();
        let answers = self.unit.answers.as_deref();
        let knows = |(index, name): &(usize, &Symbol)| match answers {
            Some(answers) => answers.names.contains(name.as_str()),
            None => *index < GCC_QUESTIONS,
        };
        let questions = QUESTIONS.iter().enumerate().filter(knows).map(|(_, name)| name);
        for name in BUILTINS.iter().chain(questions) {
            let definition =
                Macro { meaning: Meaning::Builtin(*name), body: Vec::new().into(), pastes: false };
            self.add_definition(*name, all, None, None, String::new(), definition);
        }
        let options = Options { rdc: self.unit.rdc, ..self.unit.options.clone() };
        for one in predefined(&self.unit.passes, &options) {
            self.predefine_one(&one.name, &one.value, one.passes);
        }
        for define in &self.unit.defines {
            match define {
                Define::Define(name, value) => self.predefine_one(name, value, all),
                Define::Undef(name) => {
                    self.table.remove(&Symbol::intern(name));
                }
            }
        }
    }

    fn predefine_one(&mut self, name: &str, value: &str, passes: PassSet) {
        if let Ok(parsed) = macros::parse(&lex(&format!("{name} {value}")), None) {
            self.define(parsed, None, passes);
        }
    }

    /// Opens the main file and, above it, what is read before it: nvcc's `-include cuda_runtime.h`
    /// first, then the unit's own.
    fn begin(&mut self) {
        let all = self.unit.passes.all();
        let main = match self.sources.read(&self.unit.main) {
            Ok(file) => file,
            Err(error) => {
                let file = self.sources.add(&self.unit.main, String::new());
                let at = Span { file: file.id, start: 0, end: 0 };
                self.problem_at(format!("failed to read the file: {error}"), at, all, true);
                file
            }
        };
        let start = Span { file: main.id, start: 0, end: 0 };
        self.enter(main, all, 0, 0, None);
        let unit = self.unit;
        let named = |path: &PathBuf| format!("\"{}\"", path.display());
        for path in unit.search.forced.iter().rev() {
            match self.resolver.forced(path) {
                Some(found) => self.begin_with(found, path, start),
                None => self.missing(named(path), start, all),
            }
        }
        // nvcc includes the runtime's header itself; clang's wrapper, one of the forced, does so in its own way.
        let wrapped = unit.options.cuda == CudaCompiler::Clang && !unit.search.forced.is_empty();
        let runtime = self.resolver.angled("cuda_runtime.h", None).filter(|_| !wrapped);
        if let Some(runtime) = runtime {
            self.begin_with(runtime, Path::new("cuda_runtime.h"), start);
        }
        for path in unit.search.macros.iter().rev() {
            match self.resolver.forced(path) {
                Some(found) => {
                    let frames = self.frames.len();
                    self.begin_with(found, path, start);
                    self.frames[frames..].iter_mut().for_each(|frame| frame.macros_only = true);
                }
                None => self.missing(named(path), start, all),
            }
        }
    }

    /// Reads a file before what is entered already.
    fn begin_with(&mut self, found: Found, path: &Path, start: Span) {
        let all = self.unit.passes.all();
        match found.file {
            Ok(file) => {
                if found.system {
                    self.out.system.insert(file.id);
                }
                self.enter(file, all, found.next_directory, 1, None);
            }
            Err(error) => {
                self.problem_at(format!("failed to read `{}`: {error}", path.display()), start, all, true);
            }
        }
    }

    /// Reads `file` next, for `set`; `directive` asks for it.
    pub(super) fn enter(
        &mut self,
        file: Arc<SourceFile>,
        set: PassSet,
        next_directory: usize,
        level: usize,
        directive: Option<Span>,
    ) {
        self.note(set, Happening::Enter { file: file.id, level, directive });
        if self.read.insert(file.id) {
            self.out.files.push(file.id);
        }
        let name = file.path.display().to_string();
        let (open, outside) = (self.open.len(), self.live);
        // What `-imacros` names includes for macros only; a file entered at the start is on its own.
        let macros_only = level > 1 && self.frames.last().is_some_and(|frame| frame.macros_only);
        self.frames.push(Frame {
            file,
            next: 0,
            open,
            outside,
            next_directory,
            level,
            macros_only,
            line_shift: 0,
            name,
        });
        self.live = set;
    }

    fn leave(&mut self) {
        let Some(frame) = self.frames.pop() else { return };
        self.note(self.unit.passes.all(), Happening::Leave);
        while self.open.len() > frame.open {
            let open = self.open.pop().expect("it is longer than it was");
            self.group = open.outer_group;
            self.problem_at("unterminated conditional".into(), open.directive, open.outer, false);
        }
        self.live = frame.outside.minus(self.out.stopped);
        self.directive_seen = true;
    }

    // ---- pulling ----

    fn pull(&mut self) -> Option<Raw> {
        while let Some(raw) = self.ahead.pop_front() {
            if !raw.set.is_empty() {
                return Some(raw);
            }
        }
        self.next_raw(0)
    }

    /// The next token of the source. `None` at the end of the file that `floor` counts up to.
    fn next_raw(&mut self, floor: usize) -> Option<Raw> {
        loop {
            let depth = self.frames.len();
            let frame = self.frames.last_mut()?;
            let tokens = frame.file.tokens();
            let Some(token) = tokens.get(frame.next) else {
                if depth <= floor {
                    return None;
                }
                self.leave();
                continue;
            };
            if opens_directive(token) {
                self.directive_seen = true;
                self.directive();
                continue;
            }
            if self.live.is_empty() || frame.macros_only {
                self.skip_text();
                continue;
            }
            frame.next += 1;
            let mut token = Tok::new(token, frame.file.id, self.group);
            if matches!(token.kind, TokenKind::String | TokenKind::Character) {
                self.cut_suffix(&mut token);
            }
            self.pulled += 1;
            if self.pulled.max(self.out.tokens.len()) > TOKEN_LIMIT {
                self.give_up(token.at);
                return None;
            }
            let after_directive = std::mem::take(&mut self.directive_seen);
            return Some(Raw { token, set: self.live, after_directive, depth });
        }
    }

    fn give_up(&mut self, at: Span) {
        let message = format!("the unit has more than {TOKEN_LIMIT} tokens, the rest is left out");
        self.problem_at(message, at, self.unit.passes.all(), true);
        self.frames.clear();
        self.open.clear();
        self.ahead.clear();
    }

    /// `"%" PRIu64` written without the blank: a suffix that is a macro's name, and could not be a
    /// user's, is no suffix but the next token. Like GCC.
    fn cut_suffix(&mut self, token: &mut Tok) {
        let text = token.text.as_str();
        let Some(close) = text.rfind(['"', '\'']) else { return };
        let suffix = &text[close + 1..];
        let mut bytes = suffix.bytes();
        if suffix.is_empty() || bytes.next() == Some(b'_') && bytes.next() != Some(b'_') {
            return;
        }
        let suffix = Symbol::intern(suffix);
        if !self.table.contains_key(&suffix) {
            return;
        }
        let split = token.at.end - suffix.as_str().len() as u32;
        let rest = Tok {
            kind: TokenKind::Identifier,
            text: suffix,
            space: false,
            line_start: false,
            at: Span { start: split, ..token.at },
            spelled: crate::source::Loc { offset: split, ..token.spelled },
            ..*token
        };
        token.text = Symbol::intern(&text[..=close]);
        token.at.end = split;
        let depth = self.frames.len();
        self.ahead.push_back(Raw { token: rest, set: self.live, after_directive: false, depth });
    }

    /// Goes on to the next directive of the file.
    fn skip_text(&mut self) {
        let Some(frame) = self.frames.last_mut() else { return };
        let tokens = &frame.file.tokens()[frame.next..];
        frame.next += tokens.iter().position(opens_directive).unwrap_or(tokens.len());
    }

    /// The first token from `used` on that `set` has, and how many are used with it.
    pub(super) fn ahead(
        &mut self,
        mut used: usize,
        set: PassSet,
        floor: usize,
    ) -> Result<Option<(Tok, usize)>, Split> {
        loop {
            if used >= self.ahead.len() {
                let Some(raw) = self.next_raw(floor) else { return Ok(None) };
                // A literal whose suffix was cut has already put the suffix there.
                self.ahead.insert(used, raw);
            }
            let raw = self.ahead[used];
            used += 1;
            if whole(set, raw.set)? {
                return Ok(Some((raw.token, used)));
            }
        }
    }

    /// Whether `set` has a `(` next, without executing directives: one ends the search.
    pub(super) fn peek(&mut self, used: usize, set: PassSet, floor: usize) -> Result<Peek, Split> {
        for raw in self.ahead.iter().skip(used) {
            if raw.after_directive {
                return Ok(Peek::Other);
            }
            if whole(set, raw.set)? {
                let open = raw.token.is(sym::LPAREN);
                return Ok(if open { Peek::Parenthesis } else { Peek::Other });
            }
        }
        if !self.live.contains(set) || self.frames.len() < floor || self.directive_seen {
            return Ok(Peek::Other);
        }
        let Some(frame) = self.frames.last() else { return Ok(Peek::Other) };
        let next = frame.file.tokens().get(frame.next);
        let open = next.is_some_and(|token| token.text == sym::LPAREN);
        Ok(if open { Peek::Parenthesis } else { Peek::Other })
    }

    // ---- emitting ----

    pub(super) fn note(&mut self, passes: PassSet, happening: Happening) {
        self.out.events.push(Event { before: self.out.tokens.len(), passes, happening });
    }

    fn emit(&mut self, token: &Tok, passes: PassSet) {
        if token.is_pragma() {
            self.note(passes, Happening::Directive(token.text.to_string(), token.at.loc()));
            return;
        }
        self.out.tokens.push(PpToken {
            kind: token.kind,
            space_before: token.space,
            line_start: token.line_start,
            text: token.text,
            passes,
            at: token.at,
            spelled: token.spelled,
            expansion: token.expansion,
            group: token.group,
        });
    }

    /// Expands what begins with `head`, once for each class of passes that has to be told apart.
    fn expand(&mut self, head: Raw) {
        let floor = head.depth;
        let mut classes: Vec<(PassSet, Vec<Tok>)> = Vec::new();
        let mut rest = vec![head.set];
        while let Some(set) = rest.pop() {
            let expansions = self.out.expansions.len();
            let mut expander = Expander::new(self, set, floor);
            match expander.invocation(head.token) {
                Ok(tokens) => {
                    let effects = expander.effects;
                    for raw in self.ahead.iter_mut().take(effects.used) {
                        raw.set = raw.set.minus(set);
                    }
                    self.commit(effects, set, head.token.at);
                    classes.push((set, tokens));
                }
                Err(Split(part)) => {
                    self.out.expansions.truncate(expansions);
                    rest.push(set.minus(part));
                    rest.push(set.and(part));
                }
            }
        }
        self.emit_classes(classes);
    }

    /// Emits what an invocation became for each class; what they share at either end only once.
    fn emit_classes(&mut self, mut classes: Vec<(PassSet, Vec<Tok>)>) {
        let same = |a: &Tok, b: &Tok| a.text == b.text && a.kind == b.kind;
        let mut merged: Vec<(PassSet, Vec<Tok>)> = Vec::new();
        for (set, tokens) in classes.drain(..) {
            let twin = merged.iter_mut().find(|(_, known)| {
                known.len() == tokens.len() && known.iter().zip(&tokens).all(|(a, b)| same(a, b))
            });
            match twin {
                Some((passes, _)) => *passes = passes.or(set),
                None => merged.push((set, tokens)),
            }
        }
        let all = merged.iter().fold(PassSet::EMPTY, |all, (set, _)| all.or(*set));
        let Some(((_, first), others)) = merged.split_first() else { return };
        let shared = |index: usize| {
            others.iter().all(|(_, tokens)| tokens.get(index).is_some_and(|token| same(token, &first[index])))
        };
        let front = (0..first.len()).take_while(|index| shared(*index)).count();
        let shared_back = |back: usize| {
            others.iter().all(|(_, tokens)| {
                tokens.len() >= front + back && same(&tokens[tokens.len() - back], &first[first.len() - back])
            })
        };
        let back = (1..=first.len() - front).take_while(|back| shared_back(*back)).count();
        for token in &first[..front] {
            self.emit_shared(token, all);
        }
        for (set, tokens) in &merged {
            for token in &tokens[front..tokens.len() - back] {
                self.emit_shared(token, *set);
            }
        }
        for token in &first[first.len() - back..] {
            self.emit_shared(token, all);
        }
    }

    /// Emits a token for a set that may be larger than the one it was expanded for.
    fn emit_shared(&mut self, token: &Tok, passes: PassSet) {
        let mut above = token.expansion;
        while let Some(id) = above {
            let expansion = &mut self.out.expansions[id.0 as usize];
            if expansion.passes.contains(passes) {
                break;
            }
            expansion.passes = expansion.passes.or(passes);
            above = expansion.parent;
        }
        self.emit(token, passes);
    }

    /// Does what an expansion for `set` asked for.
    pub(super) fn commit(&mut self, effects: Effects, set: PassSet, at: Span) {
        for pass in set.iter() {
            self.counters[pass] += effects.counted;
        }
        for message in effects.problems {
            self.problem_at(message, at, set, false);
        }
        for content in effects.pragmas {
            self.pragma(&lex(&content), set, at);
        }
    }

    // ---- what the expander asks ----

    pub(super) fn meaning(&self, name: Symbol, set: PassSet) -> Result<Option<DefinitionId>, Split> {
        let Some(cases) = self.table.get(&name) else { return Ok(None) };
        for (passes, definition) in cases.cases() {
            if whole(set, *passes)? {
                return Ok(Some(*definition));
            }
        }
        Ok(None)
    }

    /// The definitions of `name` in the passes of `set`.
    pub(super) fn meanings(&self, name: Symbol, set: PassSet) -> ByPass<Option<DefinitionId>> {
        let mut meanings = ByPass::new();
        let mut rest = set;
        let cases = self.table.get(&name).map_or(&[][..], |cases| cases.cases());
        for (passes, definition) in cases.iter().filter(|(passes, _)| passes.meets(set)) {
            meanings.set(passes.and(set), Some(*definition));
            rest = rest.minus(*passes);
        }
        if !rest.is_empty() {
            meanings.set(rest, None);
        }
        meanings
    }

    pub(super) fn macro_of(&self, id: DefinitionId) -> &Macro {
        &self.macros[id.0 as usize]
    }

    /// It asks the compiler about itself, `__has_builtin`, and is not another macro.
    pub(super) fn asks_compiler(&self, name: Symbol) -> bool {
        QUESTIONS.contains(&name) && self.table.contains_key(&name)
    }

    /// A CUDA word that stays a word though a header defines it.
    pub(super) fn is_word(&self, name: Symbol) -> bool {
        self.words.contains(&name)
    }

    pub(super) fn add_expansion(&mut self, expansion: Expansion) -> ExpansionId {
        let id =
            ExpansionId(u32::try_from(self.out.expansions.len()).expect("the token limit is below 2^32"));
        self.out.expansions.push(expansion);
        id
    }

    pub(super) fn counter(&self, set: PassSet) -> Result<u32, Split> {
        let value = self.counters[set.lowest().expect("an expander's set is never empty")];
        let same = set.iter().filter(|pass| self.counters[*pass] == value);
        let same = same.fold(PassSet::EMPTY, |all, pass| all.or(PassSet::single(pass)));
        whole(set, same).map(|_| value)
    }

    /// What a built-in macro other than `__LINE__` and `__COUNTER__` is.
    pub(super) fn builtin_text(&self, name: Symbol) -> Option<(TokenKind, String)> {
        let quoted = |text: &str| {
            (TokenKind::String, format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"")))
        };
        let frame = self.frames.last();
        Some(match name {
            sym::FILE_MACRO => quoted(frame.map_or("", |frame| &frame.name)),
            sym::BASE_FILE => quoted(&self.unit.main.display().to_string()),
            sym::INCLUDE_LEVEL => (TokenKind::Number, frame.map_or(0, |frame| frame.level).to_string()),
            sym::DATE => quoted("Jan  1 1970"),
            sym::TIME => quoted("00:00:00"),
            sym::TIMESTAMP => quoted("Thu Jan  1 00:00:00 1970"),
            _ => return None,
        })
    }

    /// The number of the line a token stands in, as `#line` has it.
    pub(super) fn line_at(&self, at: Span) -> u32 {
        match self.frames.iter().rev().find(|frame| frame.file.id == at.file) {
            Some(frame) => frame.line_of(at.start),
            None => self.sources.file(at.file).line_index(at.start) as u32 + 1,
        }
    }

    // ---- definitions ----

    /// Gives a name a definition in `set`. One that says the same as it has is that one.
    pub(super) fn define(&mut self, parsed: macros::Parsed, file: Option<FileId>, set: PassSet) {
        let name = parsed.name.text;
        let known = self.table.get(&name).map_or(&[][..], |cases| cases.cases());
        let same = known.iter().map(|(_, id)| *id).find(|id| {
            let old = &self.out.definitions[id.0 as usize];
            old.replacement == parsed.replacement
                && old.parameters == parsed.parameters
                && !matches!(self.macro_of(*id).meaning, Meaning::Builtin(_))
        });
        if let Some(id) = same {
            let old = &mut self.out.definitions[id.0 as usize];
            old.passes = old.passes.or(set);
            self.table.entry(name).or_default().set(set, id);
            return;
        }
        let at = file.map(|file| Span { file, start: parsed.name.offset, end: parsed.name.end });
        self.add_definition(name, set, at, parsed.parameters, parsed.replacement, parsed.definition);
    }

    fn add_definition(
        &mut self,
        name: Symbol,
        passes: PassSet,
        at: Option<Span>,
        parameters: Option<Vec<Symbol>>,
        replacement: String,
        definition: Macro,
    ) {
        let id = DefinitionId(u32::try_from(self.macros.len()).expect("fewer definitions than tokens"));
        self.macros.push(definition);
        let group = self.group.filter(|_| at.is_some());
        self.out.definitions.push(Definition { name, at, group, passes, parameters, replacement });
        self.table.entry(name).or_default().set(passes, id);
    }

    pub(super) fn undefine(&mut self, name: Symbol, set: PassSet) {
        if let Some(cases) = self.table.get_mut(&name) {
            cases.clear(set);
            if cases.cases().is_empty() {
                self.table.remove(&name);
            }
        }
    }

    pub(super) fn push_macro(&mut self, name: Symbol, set: PassSet) {
        let mut kept = ByPass::new();
        for (passes, id) in self.meanings(name, set).cases() {
            if let Some(id) = id {
                kept.set(*passes, *id);
            }
        }
        self.pushed.entry(name).or_default().push((set, kept));
    }

    pub(super) fn pop_macro(&mut self, name: Symbol, mut set: PassSet) {
        let mut stack = self.pushed.remove(&name).unwrap_or_default();
        for (passes, kept) in stack.iter_mut().rev() {
            let part = passes.and(set);
            self.undefine(name, part);
            for (case, id) in kept.cases().iter().filter(|(case, _)| case.meets(part)) {
                self.table.entry(name).or_default().set(case.and(part), *id);
            }
            *passes = passes.minus(part);
            set = set.minus(part);
        }
        stack.retain(|(passes, _)| !passes.is_empty());
        self.pushed.insert(name, stack);
    }

    // ---- problems ----

    pub(super) fn problem_at(&mut self, message: String, at: Span, passes: PassSet, incomplete: bool) {
        self.out.problems.push(Problem { message, at, passes, incomplete });
    }
}

impl Frame {
    /// The number of the line of a byte, as `#line` has it.
    pub(super) fn line_of(&self, offset: u32) -> u32 {
        let line = self.file.line_index(offset) as i64 + 1 + self.line_shift;
        u32::try_from(line).unwrap_or(0)
    }

    /// Sets what `#line` says of the line after the directive's.
    pub(super) fn set_line(&mut self, directive: u32, number: i64, name: Option<String>) {
        self.line_shift = number - (self.file.line_index(directive) as i64 + 2);
        if let Some(name) = name {
            self.name = name;
        }
    }
}

/// It is the `#` of a directive.
pub(super) fn opens_directive(token: &Token) -> bool {
    token.line_start && token.text == sym::HASH && token.kind == TokenKind::Punctuator
}

/// The text a string literal holds.
pub(super) fn unquoted(literal: &str) -> String {
    let inner = literal.find('"').and_then(|open| literal.get(open + 1..literal.rfind('"')?)).unwrap_or("");
    inner.replace("\\\"", "\"").replace("\\\\", "\\")
}
