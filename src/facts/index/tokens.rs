//! ReachabilityCache about the tokens of declarations, and sets of passes and of symbols.

use rustc_hash::FxHashSet;

use crate::preprocess::{Beginning, PpToken, Preprocessed};
use crate::source::{Symbol, TokenKind, sym};
use crate::target::PassSet;
use crate::variance::{TopDeclaration, Variance};

/// `set` cut into the parts that `sets` distinguish.
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

/// Symbols, each found by its number: every token of a unit is looked up.
#[derive(Default)]
pub(in crate::facts) struct Marked(Vec<bool>);

impl Marked {
    pub(in crate::facts) fn of(symbols: &FxHashSet<Symbol>) -> Marked {
        let mut marked = vec![false; symbols.iter().map(|one| one.index() + 1).max().unwrap_or(0)];
        symbols.iter().for_each(|one| marked[one.index()] = true);
        Marked(marked)
    }

    pub(in crate::facts) fn has(&self, symbol: Symbol) -> bool {
        self.0.get(symbol.index()).is_some_and(|marked| *marked)
    }
}

/// A name in a namespace, qualified.
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

/// Whether a declaration's part before its body, or its presence, may differ between passes.
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

/// How many declarations end before the headers do that a unit begins with, in order; none of the others counts.
pub(in crate::facts) fn tops_of(variance: &Variance, beginning: &Beginning) -> usize {
    let all = &variance.declarations;
    all.iter().position(|one| one.tokens.end >= beginning.tokens()).unwrap_or(all.len())
}
