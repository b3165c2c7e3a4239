//! The names that the stages of a unit look for in function bodies.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::facts::{HostConstants, LookedInto, Reach};
use crate::preprocess::{Expansion, Preprocessed};
use crate::source::{Symbol, TokenKind, sym};
use crate::target::PassSet;
use crate::variance::{TopDeclaration, Variance, VaryingNames, word};

/// The names that the stages of a unit look for in function bodies.
#[derive(Debug)]
pub(super) struct WatchedNames {
    /// The passes that are compared.
    pub(super) compared: PassSet,
    /// Every macro that the unit defines anywhere.
    pub(super) macros: FxHashSet<Symbol>,
    /// Names that stages look for in any body.
    pub(super) watched: FxHashSet<Symbol>,
    /// Names of entities that are emitted in every object file.
    pub(super) entities: FxHashSet<Symbol>,
    /// What has another value in other passes and the host may hand to the device.
    pub(super) constants: HostConstants,
    /// Names that may stand for the architecture's number, which code anywhere may compare.
    pub(super) numbered: FxHashSet<Symbol>,
    /// The tokens that the number of `__CUDA_ARCH__` was expanded into.
    numbers: Vec<usize>,
    /// The names that lead to kernel templates.
    pub(super) reach: Reach,
    /// Names that mean another thing in other passes.
    pub(super) varying: Arc<VaryingNames>,
    /// Some token is made of a line's number.
    pub(super) counts_lines: bool,
    /// Some macro's arguments are not closed.
    pub(super) unterminated: bool,
}

impl WatchedNames {
    pub(super) fn new(
        unit: &Preprocessed,
        variance: &Variance,
        looked_into: &LookedInto,
        compared: PassSet,
    ) -> WatchedNames {
        let all = unit.tokens();
        let of_line = |expansion: &Expansion| unit.definition(expansion.definition).name == sym::LINE_MACRO;
        let definitions = unit.definitions().into_iter();
        let mut names = WatchedNames {
            compared,
            macros: definitions.map(|id| unit.definition(id).name).collect(),
            watched: looked_into.words.clone(),
            entities: looked_into.entities.clone(),
            constants: looked_into.constants.clone(),
            numbers: looked_into.numbers.clone(),
            numbered: FxHashSet::default(),
            reach: Reach::new(all, variance, &looked_into.leading),
            varying: variance.varying.clone(),
            unterminated: unit.is_unterminated(),
            counts_lines: unit.expansions().iter().any(of_line),
        };
        let numbered = variance.declarations.iter().filter(|one| names.takes_number(one));
        let heads = numbered.flat_map(|one| &all[one.tokens.start..one.body]);
        let words = heads.filter(|token| token.kind == TokenKind::Identifier).map(|token| token.text);
        let numbered: FxHashSet<Symbol> = words.filter(|name| word(*name).is_none()).collect();
        names.numbered = numbered;
        names.watched.extend(&names.numbered);
        names
    }

    /// The number of `__CUDA_ARCH__` was expanded into a declaration.
    pub(super) fn takes_number(&self, declaration: &TopDeclaration) -> bool {
        let first = self.numbers.partition_point(|index| *index < declaration.tokens.start);
        self.numbers.get(first).is_some_and(|index| *index < declaration.tokens.end)
    }
}
