//! The one walk over a unit for all its passes: files, directives, and what stands between them.
//!
//! The walk is *pulled*: [`Walker::step`] gives the next token of the source under the set of passes
//! it is live for or executes the directive that stands before it, so that directives inside the
//! arguments of an invocation just work.

mod alike;
mod defining;
mod emitting;

use std::collections::VecDeque;
use std::path::Path;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::project::TranslationUnit;
use crate::source::{FileId, SourceFile, Sources, Span, Symbol, Token, TokenKind, sym};
use crate::target::{ByPass, CudaCompiler, PassSet};

use super::ahead::{Change, Moment, Raw, Step, Suspended};
use super::ask::Answers;
use super::assertion::Assertions;
use super::common::Common;
use super::expand::{Context, Settled, Split, quoted, whole};
use super::include::{Found, Resolver};
use super::inclusion::{Inclusion, Read};
use super::macros::{BodyToken, Macro, MacroId, Meaning, Table, Tok};
use super::memo::{Asked, Kept, Reading};
use super::questions::QUESTIONS;
use super::survey::Survey;
use super::tokens::{
    Conditional, ConditionalId, DefinitionId, Expansion, ExpansionId, GroupId, Happening, Preprocessed,
    Problem,
};
pub(super) use emitting::pp_token;

/// Tokens of the union of all passes, after which a unit is given up.
pub(super) const TOKEN_LIMIT: usize = 20_000_000;

/// What `#line` says of a file from some place on, or that it is read anew.
struct Renumbered {
    /// The number of the change.
    number: u32,
    from: u32,
    passes: PassSet,
    /// What is added to the line numbers.
    shift: i64,
    /// What `__FILE__` is, if it says that too.
    name: Option<String>,
}

/// A file being read.
pub(super) struct Frame {
    pub(super) file: Arc<SourceFile>,
    /// The directive that comes next, or their number.
    pub(super) section: usize,
    /// The token that comes next in the text before it; [`Frame::PASSED`] when nothing there does.
    pub(super) next: usize,
    /// How many conditionals were open when it was entered.
    pub(super) open: usize,
    /// The live set and the group to return to.
    outside: PassSet,
    outside_group: Option<GroupId>,
    /// Where `#include_next` goes on.
    pub(super) next_directory: usize,
    /// `__INCLUDE_LEVEL__`.
    pub(super) level: usize,
    /// Its text is left out, its macros stay: `-imacros`.
    pub(super) macros_only: bool,
    /// It is a reading of its own.
    pub(super) reading: Option<Box<Reading>>,
}

/// A file that is about to be read.
pub(super) struct Entry {
    pub(super) file: Arc<SourceFile>,
    /// The passes that read it.
    pub(super) set: PassSet,
    /// Where `#include_next` goes on.
    pub(super) next_directory: usize,
    /// `__INCLUDE_LEVEL__`.
    pub(super) level: usize,
    /// The directive that asks for it.
    pub(super) directive: Option<Span>,
    /// It is one of the system's headers.
    pub(super) system: bool,
    /// Its text is left out, its macros stay: `-imacros`.
    pub(super) macros_only: bool,
}

impl Frame {
    /// Nothing of the text before the next directive is left, or wanted.
    pub(super) const PASSED: usize = usize::MAX;

    /// The token that comes before the next directive.
    pub(super) fn token(&self) -> Option<&Token> {
        if self.next == Frame::PASSED { None } else { self.file.run(self.section).get(self.next) }
    }

    /// A token of the file is a literal with a suffix, which may be a macro's name.
    pub(super) fn has_suffix(&self, token: &Token) -> bool {
        matches!(token.kind, TokenKind::String | TokenKind::Character)
            && !matches!(self.file.text.as_bytes()[token.end as usize - 1], b'"' | b'\'')
    }

    /// There is a directive to come.
    pub(super) fn has_directive(&self) -> bool {
        self.section < self.file.sections().directives()
    }

    /// Goes on with directive number `index`, or the file's end.
    pub(super) fn go_to(&mut self, index: Option<usize>) {
        self.section = index.unwrap_or_else(|| self.file.sections().directives());
        self.next = Frame::PASSED;
    }
}

/// A conditional between its `#if` and its `#endif`.
pub(super) struct Open {
    pub(super) id: ConditionalId,
    /// What is known of it.
    pub(super) found: Conditional,
    pub(super) outer: PassSet,
    pub(super) outer_group: Option<GroupId>,
    pub(super) taken: PassSet,
    pub(super) after_else: bool,
    pub(super) directive: Span,
}

/// Stacks of `#pragma push_macro`.
type Pushed = FxHashMap<Symbol, Vec<(PassSet, ByPass<MacroId>)>>;

pub(super) struct Walker<'u> {
    pub(super) unit: &'u TranslationUnit,
    /// The passes walked for.
    pub(super) passes: PassSet,
    pub(super) sources: &'u Sources,
    pub(super) common: &'u Arc<Common>,
    /// What the innermost reading has so far.
    pub(super) out: Inclusion,
    /// How many files are around the one that is this reading's.
    pub(super) level: usize,
    /// The passes that met a live `#error`.
    pub(super) stopped: PassSet,
    pub(super) resolver: Resolver<'u>,
    pub(super) frames: Vec<Frame>,
    pub(super) open: Vec<Open>,
    /// The passes for which the place reached is live.
    pub(super) live: PassSet,
    pub(super) group: Option<GroupId>,
    /// The files that want to be read once, by name, and the passes that have read them.
    pub(super) once: FxHashMap<Symbol, Vec<(FileId, PassSet)>>,
    /// A fingerprint of these.
    pub(super) once_state: u64,
    /// The number of the unit's way to find headers.
    pub(super) search: usize,
    /// What readings that are noted depend on or do besides what the table knows.
    pub(super) asked: Vec<Asked>,
    pub(super) asked_by: FxHashMap<FileId, u32>,
    pub(super) wanted: Vec<(Arc<SourceFile>, PassSet)>,
    /// Macros pushed and not popped, each with the noted reading that did it.
    pub(super) pushes: Vec<(Symbol, u32)>,
    pub(super) table: Table,
    /// Changes of the table that some waiting token has not seen yet, in order.
    pub(super) changes: Vec<Change>,
    pub(super) changed: u32,
    pub(super) renumberings: u32,
    renumbered: FxHashMap<FileId, Vec<Renumbered>>,
    /// Macros that conditionals gave to some passes, since all passes parted.
    partly: Vec<alike::Partly>,
    words: FxHashSet<Symbol>,
    pushed: Pushed,
    pub(super) counters: [u32; 64],
    /// Tokens that wait, and the one being expanded.
    pub(super) ahead: VecDeque<Raw>,
    /// All passes that have text among them, perhaps more.
    pub(super) awaited: PassSet,
    /// Invocations that wait for other passes; their first tokens are still in the buffer.
    pub(super) suspended: Vec<Suspended>,
    /// What invocations that are begun again have done already.
    pub(super) begun: Vec<(PassSet, Settled)>,
    pub(super) directive_seen: bool,
    /// The fewest files open since the last token was pulled.
    pub(super) lowest: usize,
    pub(super) pulled: usize,
    /// What conditions were before.
    pub(super) answers: Answers,
    /// What is asserted, if the host compiler knows assertions.
    pub(super) assertions: Option<Assertions>,
    /// Text is left out.
    pub(super) survey: Option<Survey>,
    /// Empty lists to use again.
    spare: Vec<Vec<Tok>>,
    /// A list that is empty again.
    pub(super) spare_contexts: Vec<Context>,
    /// Readings that are empty again.
    pub(super) spare_readings: Vec<Inclusion>,
    pub(super) kept: Kept,
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

impl<'u> Walker<'u> {
    pub(super) fn new(
        unit: &'u TranslationUnit,
        sources: &'u Sources,
        common: &'u Arc<Common>,
        passes: PassSet,
    ) -> Walker<'u> {
        let mut walker = Walker {
            unit,
            passes,
            sources,
            common,
            out: Inclusion::default(),
            level: 0,
            stopped: PassSet::EMPTY,
            resolver: Resolver::new(&unit.search, sources),
            frames: Vec::new(),
            open: Vec::new(),
            live: passes,
            group: None,
            once: FxHashMap::default(),
            once_state: 0,
            search: common.search(&unit.search, unit.answers.as_deref()),
            asked: Vec::new(),
            asked_by: FxHashMap::default(),
            wanted: Vec::new(),
            pushes: Vec::new(),
            table: Table::default(),
            changes: Vec::new(),
            changed: 0,
            renumberings: 0,
            renumbered: FxHashMap::default(),
            partly: Vec::new(),
            words: WORDS.iter().copied().collect(),
            pushed: Pushed::default(),
            counters: [0; 64],
            ahead: VecDeque::new(),
            awaited: PassSet::EMPTY,
            suspended: Vec::new(),
            begun: Vec::new(),
            directive_seen: false,
            lowest: usize::MAX,
            pulled: 0,
            answers: Answers::default(),
            assertions: unit.options.has_assertions().then(|| Assertions::of(unit.options.machine, passes)),
            survey: None,
            spare: Vec::new(),
            spare_contexts: Vec::new(),
            spare_readings: Vec::new(),
            kept: Kept::default(),
        };
        walker.predefine();
        walker
    }

    /// Makes macros of CUDA's words where headers define them so.
    pub(super) fn without_words(mut self) -> Walker<'u> {
        self.words.clear();
        self
    }

    /// Leaves text out that can't matter to directives.
    pub(super) fn without_text(mut self) -> Walker<'u> {
        self.survey = Some(Survey::new());
        self
    }

    /// CUDA's words stay words.
    pub(super) fn has_words(&self) -> bool {
        !self.words.is_empty()
    }

    /// Walks the unit to its end.
    pub(super) fn run(mut self) -> Preprocessed {
        self.enter_main();
        self.read_first();
        self.walk(0);
        if self.survey.is_some_and(|survey| survey.torn) {
            return Walker::new(self.unit, self.sources, self.common, self.passes).run();
        }
        Preprocessed::new(self.common.clone(), Arc::new(self.out), self.stopped)
    }

    /// Walks until no more than `depth` files are open.
    fn walk(&mut self, depth: usize) {
        while self.frames.len() > depth {
            self.emit_plain();
            let raw = match self.step() {
                Step::Token(raw) => raw,
                Step::Passed => continue,
                Step::End => return,
            };
            if self.is_plain(&raw.token) {
                self.emit(&raw.token, raw.set);
            } else if !self.emit_object(&raw) {
                self.ahead.push_front(raw);
            }
            if !self.ahead.is_empty() {
                self.catch_up();
            }
        }
    }

    /// Emits the tokens that come before the next directive up to one that may become something else.
    fn emit_plain(&mut self) {
        let Some(frame) = self.frames.last_mut() else { return };
        let passed = frame.macros_only || frame.next == Frame::PASSED;
        if self.live.is_empty() || passed || self.survey.is_some() {
            return;
        }
        let tokens = frame.file.run(frame.section).get(frame.next..).unwrap_or_default();
        let left = TOKEN_LIMIT.saturating_sub(self.pulled.max(self.out.tokens.len()));
        let tokens = &tokens[..tokens.len().min(left)];
        let acts = |token: &Token| match token.kind {
            TokenKind::String | TokenKind::Character => frame.has_suffix(token),
            _ => self.table.has_token(token) && !self.words.contains(&token.text),
        };
        let count = tokens.iter().position(acts).unwrap_or(tokens.len());
        if count > 0 {
            let part = frame.next..frame.next + count;
            self.out.tokens.extend(&frame.file, frame.section, part, self.group, self.live);
            frame.next += count;
            self.pulled += count;
            self.directive_seen = false;
            self.lowest = usize::MAX;
        }
    }

    /// Emits what stands for a macro's name, if that needs no expander: the macro is object-like, all passes agree on
    /// it, and no token of its replacement list can become anything else. Says whether it is so.
    fn emit_object(&mut self, head: &Raw) -> bool {
        if !self.ahead.is_empty() || !self.begun.is_empty() {
            return false;
        }
        let mut cases = self.table.cases(head.token.text).iter();
        let Some((_, id)) = cases.find(|(passes, _)| passes.contains(head.set)).copied() else {
            return false;
        };
        let Macro { definition, meaning: Meaning::Object, pastes: false, body, .. } = self.macro_of(id)
        else {
            return false;
        };
        let acts = |token: &BodyToken| token.kind == TokenKind::Identifier && self.may_be_macro(token.text);
        if body.iter().any(acts) {
            return false;
        }
        let (definition, invoked) = (*definition, head.token.spelled);
        let expansion = Expansion { parent: None, definition, invoked, passes: head.set };
        let expansion = self.add_expansion(expansion);
        for (index, token) in body.iter().enumerate() {
            let mut token = token.in_place_of(&head.token, expansion);
            if index == 0 {
                (token.space, token.line_start) = (head.token.space, head.token.line_start);
            }
            self.emit(&token, head.set);
        }
        true
    }

    fn enter_main(&mut self) {
        let all = self.passes;
        let file = match self.sources.read(&self.unit.main) {
            Ok(file) => file,
            Err(error) => {
                let file = self.sources.add(&self.unit.main, String::new());
                let at = Span { file: file.id, start: 0, end: 0 };
                self.problem_at(format!("failed to read the file: {error}"), at, all, true);
                file
            }
        };
        self.note(all, Happening::Enter { file: file.id, level: 0, directive: None });
        self.out.reads.push(Read::Here { file: file.id, system: false });
        self.push_frame(
            Entry {
                file,
                set: all,
                next_directory: 0,
                level: 0,
                directive: None,
                system: false,
                macros_only: false,
            },
            None,
        );
    }

    /// Reads what is read before the main file: what `-imacros` names, nvcc's `-include cuda_runtime.h`,
    /// and the unit's own `-include`.
    fn read_first(&mut self) {
        let unit = self.unit;
        // nvcc includes the runtime's header itself; clang's wrapper, one of the forced, does so in its own way.
        let wrapped = unit.options.cuda == CudaCompiler::Clang && !unit.search.forced.is_empty();
        for path in &unit.search.macros {
            let found = self.resolver.forced(path);
            self.read_one_first(found, path, true);
        }
        let runtime = self.resolver.angled("cuda_runtime.h", None).filter(|_| !wrapped);
        if runtime.is_some() {
            self.read_one_first(runtime, Path::new("cuda_runtime.h"), false);
        }
        for path in &unit.search.forced {
            let found = self.resolver.forced(path);
            self.read_one_first(found, path, false);
        }
    }

    fn read_one_first(&mut self, found: Option<Found>, path: &Path, macros_only: bool) {
        let Some(main) = self.frames.first() else { return };
        let (depth, set) = (self.frames.len(), self.live);
        let start = Span { file: main.file.id, start: 0, end: 0 };
        let Some(Found { file, next_directory, system }) = found else {
            return self.missing(format!("\"{}\"", path.display()), start, set);
        };
        match file {
            Ok(file) => {
                let (level, directive) = (1, None);
                self.enter(Entry { file, set, next_directory, level, directive, system, macros_only });
                self.walk(depth);
            }
            Err(error) => {
                self.problem_at(format!("failed to read `{}`: {error}", path.display()), start, set, true);
            }
        }
    }

    /// Reads a file next.
    pub(super) fn enter(&mut self, entry: Entry) {
        let Entry { ref file, set, next_directory, level, directive, system, .. } = entry;
        let happening = Happening::Enter { file: file.id, level: level - self.level, directive };
        self.note(set, happening);
        let mut reading = None;
        if self.stands_alone(set) {
            let key = if entry.macros_only { None } else { self.key(file.id, next_directory, system) };
            if let Some(key) = &key
                && self.replay(key, level - self.level)
            {
                return self.note_left();
            }
            reading = Some(self.begin_reading(key, level));
        }
        self.out.reads.push(Read::Here { file: file.id, system });
        if self.renumbered.contains_key(&file.id) {
            let name = Some(file.path.display().to_string());
            self.add_renumbered(file.id, 0, set, 0, name);
        }
        self.push_frame(entry, reading);
    }

    fn push_frame(&mut self, entry: Entry, reading: Option<Box<Reading>>) {
        let Entry { file, set, next_directory, level, macros_only, .. } = entry;
        let (open, outside, outside_group) = (self.open.len(), self.live, self.group);
        if reading.is_some() {
            self.group = None;
        }
        self.frames.push(Frame {
            file,
            section: 0,
            next: 0,
            open,
            outside,
            outside_group,
            next_directory,
            level,
            macros_only,
            reading,
        });
        self.live = set;
    }

    /// A file has ended.
    fn note_left(&mut self) {
        self.note(self.unit.passes.all(), Happening::Leave);
        self.directive_seen = true;
        self.lowest = self.lowest.min(self.frames.len());
    }

    pub(super) fn leave(&mut self) {
        let Some(frame) = self.frames.pop() else { return };
        while self.open.len() > frame.open {
            let open = self.open.pop().expect("it is longer than it was");
            self.problem_at("unterminated conditional".into(), open.directive, open.outer, false);
            self.common.settle(open.id, open.found);
            self.partly.clear();
        }
        self.group = frame.outside_group;
        self.live = frame.outside.minus(self.stopped);
        if let Some(reading) = frame.reading {
            self.end_reading(*reading);
        }
        self.note_left();
    }

    /// Leaves all files, though they are not at their ends.
    fn abandon(&mut self) {
        self.tie();
        while !self.frames.is_empty() {
            let open = self.frames.last().map_or(0, |frame| frame.open);
            for open in self.open.drain(open..) {
                self.common.settle(open.id, open.found);
            }
            self.leave();
        }
    }

    // ---- text ----

    /// Counts a token pulled; after too many it gives the unit up, and says no.
    pub(super) fn count_pulled(&mut self, at: Span) -> bool {
        self.pulled += 1;
        if self.pulled.max(self.out.tokens.len()) <= TOKEN_LIMIT {
            return true;
        }
        let message = format!("the unit has more than {TOKEN_LIMIT} tokens, the rest is left out");
        self.problem_at(message, at, self.passes, true);
        self.abandon();
        false
    }

    /// `"%" PRIu64` written without the blank: a suffix that is a macro's name, and could not be a
    /// user's, is no suffix but the next token. Like GCC.
    pub(super) fn cut_suffix(&mut self, raw: &mut Raw) {
        let text = raw.token.text.as_str();
        let Some(close) = text.rfind(['"', '\'']) else { return };
        let suffix = &text[close + 1..];
        let mut bytes = suffix.bytes();
        if suffix.is_empty() || bytes.next() == Some(b'_') && bytes.next() != Some(b'_') {
            return;
        }
        let suffix = Symbol::intern(suffix);
        let cases = self.table.cases(suffix);
        let cut = cases.iter().fold(PassSet::EMPTY, |all, (passes, _)| all.or(*passes)).and(raw.set);
        if cut.is_empty() {
            return;
        }
        // The passes to which it is a suffix keep the literal whole.
        let depth = raw.depth;
        let whole = Raw { set: raw.set.minus(cut), after_directive: false, lowest: depth, ..*raw };
        raw.set = cut;
        let token = &mut raw.token;
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
        self.ahead.push_back(Raw { token: rest, after_directive: false, lowest: depth, ..*raw });
        if !whole.set.is_empty() {
            self.ahead.push_back(whole);
        }
    }

    // ---- what the expander asks ----

    /// The macro `name` is to the passes of `set` at a moment.
    pub(super) fn meaning(
        &mut self,
        name: Symbol,
        set: PassSet,
        at: Moment,
    ) -> Result<Option<MacroId>, Split> {
        self.agreed(name, set, at, |_, id| id)
    }

    /// What `name` is defined as for the passes of `set` at a moment, wherever that is said.
    pub(super) fn definition(
        &mut self,
        name: Symbol,
        set: PassSet,
        at: Moment,
    ) -> Result<Option<DefinitionId>, Split> {
        self.agreed(name, set, at, |common, id| common.macro_of(id).definition)
    }

    fn agreed<T: PartialEq>(
        &mut self,
        name: Symbol,
        set: PassSet,
        at: Moment,
        view: impl Fn(&Common, MacroId) -> T,
    ) -> Result<Option<T>, Split> {
        self.table.look(name);
        let view = |id| view(self.common, id);
        let mut cases = self.table.get(name);
        if at.changes < self.changed {
            let first = self.changes.iter().find(|change| change.number > at.changes && change.name == name);
            cases = first.map_or(cases, |change| change.before.as_ref());
        }
        let Some(cases) = cases else { return Ok(None) };
        if let [(passes, id)] = cases.cases()
            && passes.contains(set)
        {
            return Ok(Some(view(*id)));
        }
        let meets = |(passes, _): &&(PassSet, MacroId)| passes.meets(set);
        let Some((_, id)) = cases.cases().iter().find(meets) else { return Ok(None) };
        let value = view(*id);
        let alike = cases.cases().iter().filter(|(_, id)| view(*id) == value);
        whole(set, alike.fold(PassSet::EMPTY, |all, (passes, _)| all.or(*passes)))?;
        Ok(Some(value))
    }

    /// The definitions of `name` in the passes of `set`.
    pub(super) fn meanings(&mut self, name: Symbol, set: PassSet) -> ByPass<Option<DefinitionId>> {
        let mut meanings = ByPass::new();
        let mut rest = set;
        let cases = self.table.cases(name);
        for (passes, definition) in cases.iter().filter(|(passes, _)| passes.meets(set)) {
            meanings.set(passes.and(set), Some(self.common.macro_of(*definition).definition));
            rest = rest.minus(*passes);
        }
        if !rest.is_empty() {
            meanings.set(rest, None);
        }
        meanings
    }

    /// An empty list.
    pub(super) fn spare(&mut self) -> Vec<Tok> {
        self.spare.pop().unwrap_or_else(|| Vec::with_capacity(64))
    }

    /// Keeps a list that is no longer used for [`Walker::spare`].
    pub(super) fn give_back(&mut self, mut list: Vec<Tok>) {
        if list.capacity() > 0 {
            list.clear();
            self.spare.push(list);
        }
    }

    /// The name is a macro in some pass, or was one for a token that waits, and no word that stays one.
    pub(super) fn may_be_macro(&mut self, name: Symbol) -> bool {
        (self.table.has(name) || self.has_changed()) && !self.is_word(name)
    }

    /// Some name was another macro, or none, for a token that waits.
    pub(super) fn has_changed(&self) -> bool {
        !self.changes.is_empty()
    }

    pub(super) fn macro_of(&self, id: MacroId) -> &'u Macro {
        self.common.macro_of(id)
    }

    /// It asks the compiler about itself, `__has_builtin`, and is not another macro.
    pub(super) fn asks_compiler(&mut self, name: Symbol) -> bool {
        QUESTIONS.contains(&name) && self.table.has(name)
    }

    /// A CUDA word that stays a word though a header defines it.
    pub(super) fn is_word(&self, name: Symbol) -> bool {
        self.words.contains(&name)
    }

    pub(super) fn add_expansion(&mut self, expansion: Expansion) -> ExpansionId {
        let id = ExpansionId::new(self.out.expansions.len());
        self.out.expansions.push(expansion);
        id
    }

    pub(super) fn counter(&mut self, set: PassSet) -> Result<u32, Split> {
        self.tie();
        if let Some(survey) = &mut self.survey {
            survey.torn |= self.ahead.is_empty();
        }
        let value = self.counters[set.lowest().expect("an expander's set is never empty")];
        let same = set.iter().filter(|pass| self.counters[*pass] == value);
        let same = same.fold(PassSet::EMPTY, |all, pass| all.or(PassSet::single(pass)));
        whole(set, same).map(|_| value)
    }

    /// What a built-in macro is that is the same everywhere.
    pub(super) fn builtin_text(&mut self, name: Symbol) -> Option<(TokenKind, String)> {
        let quoted = |text: &str| (TokenKind::String, quoted(text));
        if name == sym::BASE_FILE {
            self.tie();
        }
        Some(match name {
            sym::BASE_FILE => quoted(&self.unit.main.display().to_string()),
            sym::DATE => quoted("Jan  1 1970"),
            sym::TIME => quoted("00:00:00"),
            sym::TIMESTAMP => quoted("Thu Jan  1 00:00:00 1970"),
            _ => return None,
        })
    }

    /// The number of the line a token stands in, as `#line` has it at a moment.
    pub(super) fn line_at(&self, at: Span, set: PassSet, moment: Moment) -> Result<u32, Split> {
        let line = self.sources.file(at.file).line_index(at.start) as i64 + 1;
        let shift = self.renumbered(at, set, moment, |_| true)?.map_or(0, |one| one.shift);
        Ok(u32::try_from(line + shift).unwrap_or(0))
    }

    /// The name of the file a token stands in, as `#line` has it at a moment.
    pub(super) fn name_at(&self, at: Span, set: PassSet, moment: Moment) -> Result<String, Split> {
        let renamed = self.renumbered(at, set, moment, |one| one.name.is_some())?;
        let name = renamed.and_then(|one| one.name.clone());
        Ok(name.unwrap_or_else(|| self.sources.file(at.file).path.display().to_string()))
    }

    /// The last `#line` before `at`, of those that are `wanted`.
    fn renumbered(
        &self,
        at: Span,
        set: PassSet,
        moment: Moment,
        wanted: fn(&Renumbered) -> bool,
    ) -> Result<Option<&Renumbered>, Split> {
        let all = self.renumbered.get(&at.file).map_or(&[][..], |all| all);
        let before = |one: &&Renumbered| one.number <= moment.renumberings && one.from <= at.start;
        for one in all.iter().rev().filter(before).filter(|one| wanted(one)) {
            if whole(set, one.passes)? {
                return Ok(Some(one));
            }
        }
        Ok(None)
    }

    /// Does what `#line` says of the lines after the directive's.
    pub(super) fn renumber(&mut self, directive: Span, set: PassSet, number: i64, name: Option<String>) {
        let line = self.sources.file(directive.file).line_index(directive.end) as i64;
        self.add_renumbered(directive.file, directive.end, set, number - (line + 2), name);
    }

    fn add_renumbered(&mut self, file: FileId, from: u32, passes: PassSet, shift: i64, name: Option<String>) {
        self.tie();
        self.renumberings += 1;
        let one = Renumbered { number: self.renumberings, from, passes, shift, name };
        self.renumbered.entry(file).or_default().push(one);
    }

    // ---- problems ----

    pub(super) fn problem_at(&mut self, message: String, at: Span, passes: PassSet, incomplete: bool) {
        self.out.problems.push(Problem { message, at, passes, incomplete });
    }
}

/// The macro that a pragma restores.
pub(super) fn popped(pragma: &[Token]) -> Option<Symbol> {
    match pragma {
        [action, open, name, ..]
            if action.text == sym::POP_MACRO
                && open.text == sym::LPAREN
                && name.kind == TokenKind::String =>
        {
            Some(Symbol::intern(&unquoted(name.text.as_str())))
        }
        _ => None,
    }
}

/// The text a string literal holds.
pub(super) fn unquoted(literal: &str) -> String {
    let inner = literal.find('"').and_then(|open| literal.get(open + 1..literal.rfind('"')?)).unwrap_or("");
    inner.replace("\\\"", "\"").replace("\\\\", "\\")
}
