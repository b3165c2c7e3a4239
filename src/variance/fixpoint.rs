//! From tokens that vary to declarations that vary to names that vary, until nothing changes.
//!
//! A declaration that varies makes the names it declares varying; one that mentions a varying name
//! varies too. The exception keeps the result small: a function whose body alone varies still means
//! the same to those who call it.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::preprocess::PpToken;
use crate::source::{Symbol, TokenKind, sym};
use crate::target::PassSet;

use super::declarations::{DeclKind, TopDeclaration};
use super::words::word;

/// Fills in `varies` of all declarations; the varying names.
pub(super) fn spread(
    tokens: &[PpToken],
    declarations: &mut [TopDeclaration],
    all: PassSet,
) -> FxHashSet<Symbol> {
    let header_varies = mark_own(tokens, declarations, all);
    let mut varying = FxHashSet::default();
    let mut fresh = Vec::new();
    for (index, declaration) in declarations.iter().enumerate() {
        if declaration.varies.any() && (header_varies[index] || !hides_its_body(tokens, declaration)) {
            give_names(declaration, &mut varying, &mut fresh);
        }
    }
    if fresh.is_empty() {
        return varying;
    }
    let mentions = Mentions::of(tokens, declarations);
    while let Some(name) = fresh.pop() {
        for (index, in_header) in mentions.of_name(name) {
            let declaration = &mut declarations[index];
            let own = declaration.names[..declaration.declared].contains(&name);
            declaration.varies.names |= !(own && declaration.varies.any());
            if in_header || !hides_its_body(tokens, declaration) {
                give_names(declaration, &mut varying, &mut fresh);
            }
        }
    }
    varying
}

/// Marks declarations that vary by themselves. For each, whether its presence or a token before its
/// body does.
fn mark_own(tokens: &[PpToken], declarations: &mut [TopDeclaration], all: PassSet) -> Vec<bool> {
    let partial: Vec<usize> =
        (0..tokens.len()).filter(|index| !tokens[*index].passes.contains(all)).collect();
    let mut header_varies = vec![false; declarations.len()];
    for (declaration, header_varies) in declarations.iter_mut().zip(&mut header_varies) {
        declaration.varies.presence = declaration.passes != all;
        *header_varies = declaration.varies.presence;
        let first = partial.partition_point(|index| *index < declaration.tokens.start);
        for index in partial[first..].iter().take_while(|index| **index < declaration.tokens.end) {
            let passes = tokens[*index].passes;
            if passes.meets(declaration.passes) && !passes.contains(declaration.passes) {
                declaration.varies.tokens = true;
                *header_varies |= *index < declaration.body;
            }
        }
    }
    header_varies
}

/// Those who use the declaration's names see its header only: a function that is no constant
/// expression and whose type does not come from its body.
fn hides_its_body(tokens: &[PpToken], declaration: &TopDeclaration) -> bool {
    if declaration.kind != DeclKind::Function {
        return false;
    }
    let header = &tokens[declaration.tokens.start..declaration.body];
    let has = |text: Symbol| header.iter().any(|token| token.text == text);
    let deduced = has(sym::AUTO) && !has(sym::ARROW);
    !(has(sym::CONSTEXPR) || has(sym::CONSTEVAL) || deduced)
}

fn give_names(declaration: &TopDeclaration, varying: &mut FxHashSet<Symbol>, fresh: &mut Vec<Symbol>) {
    for name in &declaration.names[..declaration.declared] {
        if word(*name).is_none() && varying.insert(*name) {
            fresh.push(*name);
        }
    }
}

/// For each identifier the declarations that mention it.
struct Mentions {
    /// The first entry of each name in `entries`, plus one.
    heads: FxHashMap<Symbol, u32>,
    /// A declaration, whether its header has the mention, and the next entry plus one.
    entries: Vec<(u32, bool, u32)>,
}

impl Mentions {
    fn of(tokens: &[PpToken], declarations: &[TopDeclaration]) -> Mentions {
        let mut mentions = Mentions { heads: FxHashMap::default(), entries: Vec::new() };
        for (number, declaration) in declarations.iter().enumerate() {
            let range = declaration.tokens.clone();
            for (index, token) in range.clone().zip(&tokens[range]) {
                if token.kind == TokenKind::Identifier && token.passes.meets(declaration.passes) {
                    mentions.add(token.text, number as u32, index < declaration.body);
                }
            }
        }
        mentions
    }

    /// A declaration's headers come before its body, so its first mention decides.
    fn add(&mut self, name: Symbol, declaration: u32, in_header: bool) {
        let head = self.heads.entry(name).or_insert(0);
        if *head != 0 && self.entries[*head as usize - 1].0 == declaration {
            return;
        }
        self.entries.push((declaration, in_header, *head));
        *head = self.entries.len() as u32;
    }

    fn of_name(&self, name: Symbol) -> impl Iterator<Item = (usize, bool)> {
        let mut next = self.heads.get(&name).copied().unwrap_or(0);
        std::iter::from_fn(move || {
            let (declaration, in_header, after) = *self.entries.get((next as usize).checked_sub(1)?)?;
            next = after;
            Some((declaration as usize, in_header))
        })
    }
}
