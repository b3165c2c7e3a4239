//! Helpers about the tokens of declarations, and sets of passes and of symbols.

use rustc_hash::FxHashSet;

use crate::preprocess::{PpToken, Preamble, Preprocessed};
use crate::source::{Symbol, TokenKind, sym};
use crate::target::PassSet;
use crate::variance::{TopDeclaration, Variance};

/// The coarsest partition of `set` such that each of `sets` is a union of parts, or has none of a part.
pub(in crate::facts) fn refine(set: PassSet, sets: impl Iterator<Item = PassSet>) -> Vec<PassSet> {
    let mut parts = vec![set];
    let mut last = set;
    for cut in sets {
        if cut == last || cut.contains(set) {
            continue;
        }
        last = cut;
        for index in 0..parts.len() {
            let (inside, outside) = (parts[index].and(cut), parts[index].minus(cut));
            if !inside.is_empty() && !outside.is_empty() {
                parts[index] = inside;
                parts.push(outside);
            }
        }
    }
    parts.sort();
    parts
}

/// A set of symbols with membership in constant time, by their index: every token of a unit is tested.
#[derive(Default)]
pub(in crate::facts) struct SymbolSet(Vec<bool>);

impl SymbolSet {
    pub(in crate::facts) fn of(symbols: &FxHashSet<Symbol>) -> SymbolSet {
        let mut marked = vec![false; symbols.iter().map(|one| one.index() + 1).max().unwrap_or(0)];
        symbols.iter().for_each(|one| marked[one.index()] = true);
        SymbolSet(marked)
    }

    pub(in crate::facts) fn has(&self, symbol: Symbol) -> bool {
        self.0.get(symbol.index()).is_some_and(|marked| *marked)
    }
}

/// The qualified name of `name` in the namespace `around`.
pub(in crate::facts) fn join(around: Symbol, name: &str) -> Symbol {
    if around == sym::EMPTY { Symbol::intern(name) } else { Symbol::intern(&format!("{around}::{name}")) }
}

pub(in crate::facts) fn mentions_namespace(pp: &Preprocessed, top: &TopDeclaration) -> bool {
    pp.tokens()[top.tokens.clone()].iter().any(|token| token.text == sym::NAMESPACE)
}

/// The identifiers of a range of tokens.
pub(in crate::facts) fn identifiers(tokens: &[PpToken]) -> impl Iterator<Item = Symbol> {
    tokens.iter().filter(|token| token.kind == TokenKind::Identifier).map(|token| token.text)
}

/// Whether the head of a declaration, which is all before its body, or its presence may differ between passes.
pub(in crate::facts) fn header_varies(pp: &Preprocessed, variance: &Variance, top: usize) -> bool {
    let declaration = &variance.declarations[top];
    let header = declaration.tokens.start..declaration.body;
    let tokens = pp.tokens();
    declaration.varies.presence
        || declaration.varies.sizes
        || tokens[header.clone()]
            .iter()
            .any(|token| token.passes.meets(declaration.passes) && !token.passes.contains(declaration.passes))
        || variance.varying.is_declared(tokens, declaration)
        || variance.varying.is_mentioned(tokens, declaration, header)
}

/// The number of declarations that end within the preamble, and so the index of the first one that does not.
pub(in crate::facts) fn preamble_end(variance: &Variance, preamble: &Preamble) -> usize {
    let all = &variance.declarations;
    all.iter().position(|one| one.tokens.end >= preamble.tokens()).unwrap_or(all.len())
}
