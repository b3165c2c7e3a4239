//! What preprocessing a unit yields: tokens, and the record of what decided them.

use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::fmt;
use std::num::NonZeroU32;
use std::sync::{Arc, OnceLock};

use crate::source::{FileId, Loc, SourceFile, Span, Symbol, Token, TokenKind};
use crate::target::{ByPass, PassSet};

use super::common::Common;
use super::expand::UNTERMINATED;
use super::inclusion::{Flat, Inclusion};
use super::macros::text_of;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub struct $name(NonZeroU32);

        impl $name {
            /// The id of what stands at `index`; one more than that is kept, so that no id takes no space.
            pub(super) fn new(index: usize) -> $name {
                let next = u32::try_from(index + 1).ok().and_then(NonZeroU32::new);
                $name(next.expect("fewer than 2^32, since the token limit is"))
            }

            /// The index.
            pub fn index(self) -> usize {
                self.0.get() as usize - 1
            }
        }
    };
}

id! {
    /// A conditional group, numbered for the whole run: [`Preprocessed::group`].
    GroupId
}
id! {
    /// A conditional, numbered for the whole run: [`Preprocessed::conditional`].
    ConditionalId
}
id! {
    /// A macro definition, numbered for the whole run: [`Preprocessed::definition`].
    DefinitionId
}
id! {
    /// Index into [`Preprocessed::expansions`], or into those of one reading of a file.
    ExpansionId
}

/// A token after preprocessing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PpToken {
    /// What it is.
    pub kind: TokenKind,
    /// White space stands before it.
    pub space_before: bool,
    /// It begins a line of the text it was written in.
    pub line_start: bool,
    /// Its spelling.
    pub text: Symbol,
    /// The passes it exists in; never empty.
    pub passes: PassSet,
    /// Where a reader of the source finds it: the token itself or, when it came out of a macro,
    /// the name that invoked the outermost macro, except that a macro argument's token is where it
    /// is written in the source.
    pub at: Span,
    /// Where its characters stand (inside the macro definition, for a token of a replacement list).
    pub spelled: Loc,
    /// The innermost macro expansion that produced it.
    pub expansion: Option<ExpansionId>,
    /// The innermost conditional group `at` stands in; of a file that all passes read, within that file.
    pub group: Option<GroupId>,
}

/// A shared token as some of its passes have it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Apart {
    /// Index into [`Preprocessed::tokens`].
    pub index: u32,
    /// The token of the same kind and spelling; its passes are these.
    pub token: PpToken,
}

/// One macro expansion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Expansion {
    /// The expansion whose replacement list invoked this one.
    pub parent: Option<ExpansionId>,
    /// The macro.
    pub definition: DefinitionId,
    /// The name that invoked it.
    pub invoked: Loc,
    /// The passes it was expanded for.
    pub passes: PassSet,
}

/// A directive as it is written; put into words only when it is asked for, since few ever are.
#[derive(Clone)]
pub enum Written {
    /// The directive of that number in a file.
    Directive(Arc<SourceFile>, usize),
    /// What would stand after `#define`, for a macro that no file defines.
    Predefined(Arc<[Token]>),
}

impl Written {
    /// The directive, `#` first; for a predefined macro, what would stand after `#define`.
    pub(super) fn tokens(&self) -> &[Token] {
        match self {
            Written::Directive(file, index) => file.directive(*index),
            Written::Predefined(tokens) => tokens,
        }
    }

    /// The tokens after `#define`.
    pub(super) fn defined(&self) -> &[Token] {
        match self {
            Written::Directive(..) => self.tokens().get(2..).unwrap_or_default(),
            Written::Predefined(tokens) => tokens,
        }
    }

    /// On one line, comments dropped: `#if __CUDA_ARCH__ >= 800`.
    pub fn text(&self) -> String {
        text_of(self.tokens())
    }
}

impl PartialEq for Written {
    fn eq(&self, other: &Written) -> bool {
        self.text() == other.text()
    }
}

impl Eq for Written {}

impl fmt::Debug for Written {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", self.text())
    }
}

/// One group of a conditional: the lines under an `#if`, `#elif` or `#else` ([cpp.cond]).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Group {
    /// The group around the conditional; `None` also where a file begins that all passes read, which no
    /// group around it decides.
    pub parent: Option<GroupId>,
    /// The conditional it is a group of.
    pub conditional: ConditionalId,
    /// The directive that opens it, `#` to the end of its line.
    pub directive: Span,
    /// The directive as written.
    pub written: Written,
    /// The passes that enter it; may be empty.
    pub passes: PassSet,
}

/// A conditional from its `#if` to its `#endif`, walked under one set of passes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Conditional {
    /// The passes that reached its `#if`.
    pub passes: PassSet,
    /// Its groups, in order.
    pub groups: Vec<GroupId>,
    /// Its `#endif` directive, if it has one.
    pub endif: Option<Span>,
    /// Each macro name its conditions looked at, also through other macros, with what the name
    /// meant to each pass that looked. Names that meant the same to all are included.
    pub reads: Arc<[Read]>,
}

/// A look at a macro name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Read {
    /// The name.
    pub name: Symbol,
    /// Its definition in each pass, `None` where it had none.
    pub definitions: ByPass<Option<DefinitionId>>,
}

/// A macro definition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Definition {
    /// The macro's name.
    pub name: Symbol,
    /// Its name where it is defined; `None` for a predefined or command-line macro.
    pub at: Option<Span>,
    /// The conditional group the definition stands in.
    pub group: Option<GroupId>,
    /// The passes that saw this definition.
    pub passes: PassSet,
    /// How it is written.
    pub written: Written,
    /// The definition that other passes had already and that says the same ([cpp.replace]): what uses
    /// the macro refers to that one.
    pub like: Option<DefinitionId>,
}

/// An `#undef` that took a definition away.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Undefinition {
    /// The macro's name.
    pub name: Symbol,
    /// The name in the directive.
    pub at: Span,
    /// The conditional group the directive stands in.
    pub group: Option<GroupId>,
    /// The passes that had the macro until then.
    pub passes: PassSet,
}

/// An `#include` whose file was not found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Missing {
    /// The header as spelled, with its quotes or angle brackets: `<cutlass/arch/mma.h>`.
    pub header: String,
    /// The directive.
    pub at: Span,
    /// The passes that asked for it.
    pub passes: PassSet,
}

impl Missing {
    /// Adds it to a list that has each directive's header once.
    pub(super) fn add_to(&self, list: &mut Vec<Missing>) {
        match list.iter_mut().find(|known| known.at == self.at && known.header == self.header) {
            Some(known) => known.passes = known.passes.or(self.passes),
            None => list.push(self.clone()),
        }
    }
}

/// Something the preprocessor could not do as the standard asks; it went on all the same.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// What is wrong, one sentence in lower case without a full stop.
    pub message: String,
    /// Where.
    pub at: Span,
    /// The passes it concerns.
    pub passes: PassSet,
    /// Part of the unit was not analysed because of it (an unreadable file, a limit), so silence
    /// about the rest means nothing.
    pub incomplete: bool,
}

/// Something that stands between two tokens and matters to who prints them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    /// Index into [`Preprocessed::tokens`] of the token it stands before, or into those of one reading.
    pub before: usize,
    /// The passes that meet it; those of [`Happening::Leave`] are those of its `Enter`.
    pub passes: PassSet,
    /// What it is.
    pub happening: Happening,
}

/// What an [`Event`] is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Happening {
    /// A file begins.
    Enter {
        /// The file.
        file: FileId,
        /// How many files are around it: 0 for the main file, 1 also for `-include`.
        level: usize,
        /// The directive that includes it, if one does.
        directive: Option<Span>,
    },
    /// The innermost file ends.
    Leave,
    /// `#line`: from the line after the directive on, the file is numbered anew.
    Renumber {
        /// Byte offset of the directive in the innermost file.
        directive: u32,
        /// The number of the line after it.
        number: i64,
        /// The name the file has from here on, if it gets another.
        name: Option<String>,
    },
    /// A directive that the preprocessor leaves to the compiler, also one that `_Pragma` made:
    /// `#pragma unroll 4`, `#ident "text"`.
    Directive(String, Loc),
}

/// The readings of the headers that a unit begins with.
#[derive(Clone, Debug)]
pub struct Beginning {
    readings: Vec<Arc<Inclusion>>,
    tokens: usize,
}

impl Beginning {
    /// How many tokens they have.
    pub fn tokens(&self) -> usize {
        self.tokens
    }
}

/// The tokens of a unit that was preprocessed, for one that begins with the same headers.
#[derive(Debug)]
pub struct Unrolled {
    beginning: Beginning,
    flat: Flat,
}

/// The same readings: those of equal texts are not.
impl PartialEq for Beginning {
    fn eq(&self, other: &Beginning) -> bool {
        self.readings.len() == other.readings.len()
            && self.readings.iter().zip(&other.readings).all(|(one, other)| Arc::ptr_eq(one, other))
    }
}

/// A preprocessed unit.
#[derive(Clone, Debug)]
pub struct Preprocessed {
    pub(super) common: Arc<Common>,
    pub(super) root: Arc<Inclusion>,
    /// Every file that was read, in the order of its first inclusion; the main file first.
    pub files: Vec<FileId>,
    /// Those of them that are the system's: a compiler's, a toolkit's, or in a directory named by
    /// `-isystem`. What is wrong there is not this project's to mend.
    pub system: FxHashSet<FileId>,
    /// Headers that were not found.
    pub missing: Vec<Missing>,
    /// The questions to the unit's compiler that its [`Answers`](crate::project::Answers) do not have,
    /// taken as answered with 0.
    pub unanswered: BTreeSet<String>,
    /// What went wrong.
    pub problems: Vec<Problem>,
    /// The passes that met a live `#error`: their compilation stops there, so they are no longer
    /// compared with the others.
    pub stopped: PassSet,
    /// Made when it is asked for.
    flat: OnceLock<Flat>,
    /// The definitions of each name, in order; made when they are asked for.
    by_name: OnceLock<FxHashMap<Symbol, Vec<DefinitionId>>>,
    /// Every `#undef`, in order; made when it is asked for.
    undefined: OnceLock<Vec<Undefinition>>,
}

impl Preprocessed {
    /// What a walk gave whose outermost reading is `root`.
    pub(super) fn new(common: Arc<Common>, root: Arc<Inclusion>, stopped: PassSet) -> Preprocessed {
        let (mut files, mut system, mut known) = (Vec::new(), FxHashSet::default(), FxHashSet::default());
        root.each_file(&mut |file, of_system| {
            if known.insert(file) {
                files.push(file);
            }
            if of_system {
                system.insert(file);
            }
        });
        let mut problems = Vec::new();
        root.each_of(|one| &one.problems, |mark| mark.problems, &mut |problem: &Problem| {
            problems.push(problem.clone())
        });
        let (mut missing, mut unanswered) = (Vec::new(), BTreeSet::new());
        root.each(&mut |one| {
            one.missing.iter().for_each(|lost| lost.add_to(&mut missing));
            unanswered.extend(one.unanswered.iter().cloned());
        });
        let (flat, by_name, undefined) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        Preprocessed {
            common,
            root,
            files,
            system,
            missing,
            unanswered,
            problems,
            stopped,
            flat,
            by_name,
            undefined,
        }
    }

    fn flat(&self) -> &Flat {
        self.flat.get_or_init(|| Flat::new(&self.root, None))
    }

    /// The headers that the unit begins with, before any text of its own; only those that it has in common with
    /// `other`, if that is given.
    pub fn beginning(&self, other: Option<&Beginning>) -> Beginning {
        let first = self.root.children().take_while(|child| child.after.tokens == 0);
        let first = first.map(|child| Arc::clone(&child.inclusion));
        let readings: Vec<Arc<Inclusion>> = match other {
            Some(other) => {
                let common = first.zip(&other.readings).take_while(|(own, other)| Arc::ptr_eq(own, other));
                common.map(|(own, _)| own).collect()
            }
            None => first.collect(),
        };
        if let Some(whole) = other.filter(|other| other.readings.len() == readings.len()) {
            return Beginning { readings, tokens: whole.tokens };
        }
        let mut tokens = 0;
        readings.iter().for_each(|reading| reading.each(&mut |one| tokens += one.tokens.len()));
        Beginning { readings, tokens }
    }

    /// The headers that the unit begins with, as far as `last` has them too: those behind them are likely to be edited.
    /// All of them, if it has none.
    pub fn lasting(&self, last: Option<&Beginning>) -> Beginning {
        let common = last.map(|last| self.beginning(Some(last)));
        common.filter(|common| common.tokens() > 0).unwrap_or_else(|| self.beginning(None))
    }

    /// Takes over, from what was preprocessed before, the tokens of headers that both begin with.
    pub fn go_on_from(&mut self, last: Unrolled) {
        let beginning = self.beginning(Some(&last.beginning));
        let mut expansions = 0;
        beginning.readings.iter().for_each(|one| one.each(&mut |one| expansions += one.expansions.len()));
        let kept = last.flat.cut_off(beginning.tokens, expansions);
        self.flat = OnceLock::from(Flat::new(&self.root, Some((kept, beginning.readings.len()))));
    }

    /// The tokens, if they were asked for, for another unit to go on from; this one has none then.
    pub fn unroll(&mut self) -> Option<Unrolled> {
        let flat = self.flat.take()?;
        Some(Unrolled { beginning: self.beginning(None), flat })
    }

    /// Some macro's arguments are not closed: what follows it, to the end of the file, may come to be one of them.
    pub fn is_unterminated(&self) -> bool {
        self.problems.iter().any(|problem| problem.message.starts_with(UNTERMINATED))
    }

    /// The tokens, in order.
    pub fn tokens(&self) -> &[PpToken] {
        &self.flat().tokens
    }

    /// What stands between the tokens, in order.
    pub fn events(&self) -> &[Event] {
        &self.flat().events
    }

    /// Tokens that passes share though they come from different places in them, by index: `tokens`
    /// has one of the places, this the others.
    pub fn apart(&self) -> &[Apart] {
        &self.flat().apart
    }

    /// Every macro expansion that left a token.
    pub fn expansions(&self) -> &[Expansion] {
        &self.flat().expansions
    }

    /// Every conditional that was reached, in order.
    pub fn conditionals(&self) -> Vec<&Conditional> {
        let mut all = Vec::new();
        let mut see = |id: &ConditionalId| all.push(self.conditional(*id));
        self.root.each_of(|one| &one.conditionals, |mark| mark.conditionals, &mut see);
        all
    }

    /// Every macro definition that was seen, in order, predefined ones first.
    pub fn definitions(&self) -> Vec<DefinitionId> {
        let mut all = Vec::new();
        let mut see = |id: &DefinitionId| all.push(*id);
        self.root.each_of(|one| &one.definitions, |mark| mark.definitions, &mut see);
        all
    }

    /// Every definition of a name, in order.
    pub(super) fn definitions_of(&self, name: Symbol) -> &[DefinitionId] {
        let by_name = self.by_name.get_or_init(|| {
            let mut by_name: FxHashMap<Symbol, Vec<DefinitionId>> = FxHashMap::default();
            for id in self.definitions() {
                by_name.entry(self.definition(id).name).or_default().push(id);
            }
            by_name
        });
        by_name.get(&name).map_or(&[], Vec::as_slice)
    }

    /// Every `#undef` of a macro that was defined, in order.
    pub fn undefinitions(&self) -> &[Undefinition] {
        self.undefined.get_or_init(|| {
            let mut all = Vec::new();
            self.root.each_of(|one| &one.undefinitions, |mark| mark.undefinitions, &mut |one| all.push(*one));
            all
        })
    }

    /// The tokens of one pass, in order, each with the place it has in that pass.
    pub fn tokens_of(&self, pass: usize) -> impl Iterator<Item = PpToken> {
        let Flat { tokens, apart, .. } = self.flat();
        let tokens = tokens.iter().enumerate().filter(move |(_, token)| token.passes.has(pass));
        tokens.map(move |(index, token)| {
            let from = apart.partition_point(|apart| (apart.index as usize) < index);
            let others = apart[from..].iter().take_while(|apart| apart.index as usize == index);
            let own = others.map(|apart| &apart.token).find(|other| other.passes.has(pass));
            own.copied().unwrap_or(*token)
        })
    }

    /// The group of an id.
    pub fn group(&self, id: GroupId) -> &Group {
        self.common.group(id)
    }

    /// The conditional of an id.
    pub fn conditional(&self, id: ConditionalId) -> &Conditional {
        self.common.conditional(id)
    }

    /// The definition of an id.
    pub fn definition(&self, id: DefinitionId) -> &Definition {
        self.common.definition(id)
    }

    /// The passes that saw a definition or one that says the same.
    pub fn passes_of(&self, id: DefinitionId) -> PassSet {
        let alike = |one: &DefinitionId| self.definition(*one).like == Some(id);
        let all = self.definitions_of(self.definition(id).name).iter().copied().filter(alike);
        all.fold(self.definition(id).passes, |all, one| all.or(self.definition(one).passes))
    }

    /// The expansion of an id.
    pub fn expansion(&self, id: ExpansionId) -> &Expansion {
        &self.flat().expansions[id.index()]
    }
}
