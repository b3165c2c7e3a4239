//! A preprocessed unit: the readings of its files seen as one list of tokens, with the records behind them.

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::source::{FileId, Loc, Symbol};
use crate::target::PassSet;

use super::flat::{Flat, Piece};
use super::inclusion::Inclusion;
use super::preamble::Preamble;
use super::problem::ProblemKind;
use super::records::{Conditional, Definition, Group, Missing, Problem, Undefinition};
use super::registry::Registry;
use super::tokens::{
    ConditionalId, DefinitionId, Event, Expansion, ExpansionId, GroupId, OtherOrigin, PpToken,
};

/// The flat token list of a unit, to be reused by one that begins with the same headers.
#[derive(Debug)]
pub struct FlatTokens {
    preamble: Preamble,
    flat: Flat,
}

impl FlatTokens {
    /// The headers that their unit begins with.
    pub fn headers(&self) -> &Preamble {
        &self.preamble
    }
}

/// A preprocessed unit.
#[derive(Clone, Debug)]
pub struct Preprocessed {
    registry: Arc<Registry>,
    pub(crate) root: Arc<Inclusion>,
    /// Every file that was read, in the order of its first inclusion; the main file first.
    pub files: Vec<FileId>,
    /// The system headers among them: a compiler's, a toolkit's, or in a directory named by `-isystem`. Their faults
    /// are not this project's to mend.
    pub system: FxHashSet<FileId>,
    /// Headers that were not found.
    pub missing: Vec<Missing>,
    /// The feature checks, `__has_builtin(x)`, that the [`Answers`](crate::project::Answers) of the unit's compiler do
    /// not have; their value is taken to be 0.
    pub unanswered: BTreeSet<String>,
    /// The problems, in order.
    pub problems: Vec<Problem>,
    /// The passes that met a live `#error` which others did not: their compilation stops there, so they are no longer
    /// compared with the others.
    pub stopped: PassSet,
    preamble: Preamble,
    /// Made when it is asked for.
    flat: OnceLock<Flat>,
    /// The definitions of each name, in order; made when they are asked for.
    by_name: OnceLock<FxHashMap<Symbol, Vec<DefinitionId>>>,
    /// The conditionals of each file, in order; made when they are asked for.
    by_file: OnceLock<FxHashMap<FileId, Vec<ConditionalId>>>,
    /// Every `#undef`, in order; made when it is asked for.
    undefined: OnceLock<Vec<Undefinition>>,
}

impl Preprocessed {
    /// The unit whose outermost reading is `root`.
    pub(crate) fn new(registry: Arc<Registry>, root: Arc<Inclusion>, stopped: PassSet) -> Preprocessed {
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
        Preprocessed {
            registry,
            root,
            files,
            system,
            missing,
            unanswered,
            problems,
            stopped,
            preamble: Preamble::default(),
            flat: OnceLock::new(),
            by_name: OnceLock::new(),
            by_file: OnceLock::new(),
            undefined: OnceLock::new(),
        }
    }

    fn flat(&self) -> &Flat {
        self.flat.get_or_init(|| Flat::new(&self.root, None))
    }

    /// The headers that the unit begins with.
    pub fn headers(&self) -> Preamble {
        Preamble::of(&self.root)
    }

    /// The headers that the unit has in common with `others`.
    pub fn headers_in_common(&self, others: &Preamble) -> Preamble {
        others.in_common_with(&self.root)
    }

    /// The headers that the unit begins with of which results are kept; none unless [`Preprocessed::keep`] says so.
    pub fn preamble(&self) -> &Preamble {
        &self.preamble
    }

    /// Keeps the results for these headers, which the unit begins with, for the next unit that begins with them.
    pub fn keep(&mut self, preamble: Preamble) {
        self.preamble = preamble;
    }

    /// Reuses the flat tokens of the headers that both units begin with.
    pub fn reuse_flat_tokens(&mut self, last: FlatTokens) {
        let shared = self.headers_in_common(&last.preamble);
        let kept = last.flat.cut_off(shared.tokens(), shared.expansions());
        self.flat = OnceLock::from(Flat::new(&self.root, Some((kept, shared.readings()))));
    }

    /// Takes the flat tokens, if they were made, for the next unit.
    pub fn take_flat_tokens(&mut self) -> Option<FlatTokens> {
        let flat = self.flat.take()?;
        Some(FlatTokens { preamble: self.headers(), flat })
    }

    /// Whether an invocation's argument list is not closed: the text behind it may become part of it.
    pub fn is_unterminated(&self) -> bool {
        self.problems.iter().any(|problem| matches!(problem.kind, ProblemKind::UnterminatedArguments(_)))
    }

    /// The tokens, in order.
    pub fn tokens(&self) -> &[PpToken] {
        &self.flat().tokens
    }

    /// The tokens that come from headers which all passes read, by the readings of these, in order.
    pub fn pieces(&self) -> &[Piece] {
        &self.flat().pieces
    }

    /// The events between the tokens, in order.
    pub fn events(&self) -> &[Event] {
        &self.flat().events
    }

    /// The other origins of tokens that passes share although they come from different places in them, by index.
    pub fn other_origins(&self) -> &[OtherOrigin] {
        &self.flat().other_origins
    }

    /// Every macro expansion that left a token.
    pub fn expansions(&self) -> &[Expansion] {
        &self.flat().expansions
    }

    /// The definitions that invocations at a place were replaced by and left a token of, with the passes that did so. The
    /// tokens of the unit need not be made for that.
    pub fn expanded_at(&self, at: Loc) -> Vec<(PassSet, DefinitionId)> {
        let mut found = Vec::new();
        self.root.each(&mut |one| {
            let here = one.expansions.iter().filter(|expansion| expansion.invoked == at);
            found.extend(here.map(|expansion| (expansion.passes, expansion.definition)));
        });
        found
    }

    /// Every conditional that was reached, in order.
    pub fn conditionals(&self) -> Vec<&Conditional> {
        let mut all = Vec::new();
        let mut see = |id: &ConditionalId| all.push(self.conditional(*id));
        self.root.each_of(|one| &one.conditionals, |mark| mark.conditionals, &mut see);
        all
    }

    /// Every conditional of a file that was reached, in order.
    pub(crate) fn conditionals_in(&self, file: FileId) -> &[ConditionalId] {
        let by_file = self.by_file.get_or_init(|| {
            let mut by_file: FxHashMap<FileId, Vec<ConditionalId>> = FxHashMap::default();
            let mut see = |id: &ConditionalId| {
                if let Some(first) = self.conditional(*id).groups.first() {
                    by_file.entry(self.group(*first).directive.file).or_default().push(*id);
                }
            };
            self.root.each_of(|one| &one.conditionals, |mark| mark.conditionals, &mut see);
            by_file
        });
        by_file.get(&file).map_or(&[], Vec::as_slice)
    }

    /// Every macro definition that was seen, in order, predefined ones first.
    pub fn definitions(&self) -> Vec<DefinitionId> {
        let mut all = Vec::new();
        let mut see = |id: &DefinitionId| all.push(*id);
        self.root.each_of(|one| &one.definitions, |mark| mark.definitions, &mut see);
        all
    }

    /// Every definition of a name, in order.
    pub(crate) fn definitions_of(&self, name: Symbol) -> &[DefinitionId] {
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
        let tokens = self.tokens().iter().enumerate().filter(move |(_, token)| token.passes.has(pass));
        tokens.map(move |(index, _)| *self.token_of(index, pass))
    }

    /// The token of an index, with the place it has in a pass.
    pub fn token_of(&self, index: usize, pass: usize) -> &PpToken {
        let Flat { tokens, other_origins: apart, .. } = self.flat();
        let from = apart.partition_point(|apart| (apart.index as usize) < index);
        let others = apart[from..].iter().take_while(|apart| apart.index as usize == index);
        let own = others.map(|apart| &apart.token).find(|other| other.passes.has(pass));
        own.unwrap_or(&tokens[index])
    }

    /// The group of an id.
    pub fn group(&self, id: GroupId) -> &Group {
        self.registry.group(id)
    }

    /// The conditional of an id.
    pub fn conditional(&self, id: ConditionalId) -> &Conditional {
        self.registry.conditional(id)
    }

    /// The definition of an id.
    pub fn definition(&self, id: DefinitionId) -> &Definition {
        self.registry.definition(id)
    }

    /// The passes that saw a definition or an equal one.
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
