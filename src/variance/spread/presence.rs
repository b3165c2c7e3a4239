//! The passes that have a declaration, wherever they read it.
//!
//! Passes that include a header at different places have the same declaration at different places of the merged stream:
//! the same tokens of the same file in the same scope are one declaration.

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHasher};
use smallvec::SmallVec;

use crate::preprocess::PpToken;
use crate::source::{Span, Symbol};
use crate::target::PassSet;
use crate::variance::cut::TopDeclaration;

/// Marks those declarations that some passes in `all` lack. `partial` are the numbers of the declarations that do not
/// have all passes, each with its [`fingerprint`].
pub(super) fn mark_presence(
    tokens: &[PpToken],
    partial: &[(usize, u64)],
    declarations: &mut [TopDeclaration],
    all: PassSet,
) {
    let mut found: Vec<Copies> = Vec::new();
    let mut by_fingerprint: FxHashMap<u64, SmallVec<[usize; 1]>> = FxHashMap::default();
    let mut copies_of: Vec<usize> = Vec::with_capacity(partial.len());
    for (number, fingerprint) in partial {
        let declaration = &declarations[*number];
        let bucket = by_fingerprint.entry(*fingerprint).or_default();
        // Different declarations may have one fingerprint.
        let known =
            bucket.iter().find(|known| is_same(tokens, &declarations[found[**known].first], declaration));
        let copies = known.copied().unwrap_or_else(|| {
            found.push(Copies { first: *number, passes: PassSet::EMPTY });
            bucket.push(found.len() - 1);
            found.len() - 1
        });
        found[copies].passes = found[copies].passes.or(declaration.passes);
        copies_of.push(copies);
    }
    for ((number, _), copies) in partial.iter().zip(copies_of) {
        declarations[*number].varies.presence = found[copies].passes != all;
    }
}

/// One declaration that stands at several places of the merged stream.
struct Copies {
    /// The number of the first copy.
    first: usize,
    /// The passes that have any of them.
    passes: PassSet,
}

/// A hash of what [`is_same`] compares.
pub(super) fn fingerprint(tokens: &[PpToken], declaration: &TopDeclaration) -> u64 {
    let mut hasher = FxHasher::default();
    declaration.scope.hash(&mut hasher);
    content(tokens, declaration).for_each(|token| token.hash(&mut hasher));
    hasher.finish()
}

/// They are one declaration that passes read at different places.
fn is_same(tokens: &[PpToken], one: &TopDeclaration, other: &TopDeclaration) -> bool {
    one.scope == other.scope && content(tokens, one).eq(content(tokens, other))
}

/// A declaration's own tokens, with their places in files.
fn content(tokens: &[PpToken], declaration: &TopDeclaration) -> impl Iterator<Item = (Span, Symbol)> {
    let own = tokens[declaration.tokens.clone()].iter();
    own.filter(|token| token.passes.meets(declaration.passes)).map(|token| (token.at, token.text))
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Arc;

    use crate::preprocess::preprocess;
    use crate::project::TranslationUnit;
    use crate::source::Sources;
    use crate::target::{Passes, parse_arch_list};
    use crate::variance::cut::cut;

    use super::*;

    /// For each declaration of a text whether some pass lacks it, if all have the same fingerprint.
    fn presence_with_collisions(text: &str) -> Vec<(String, bool)> {
        let sources = Sources::new();
        sources.add(Path::new("a.cu"), text.into());
        sources.add(Path::new("once.h"), "#pragma once\nstruct Once { };\n".into());
        let passes = Passes::new(&parse_arch_list("80").unwrap()).unwrap();
        let all = passes.all();
        let unit = preprocess(&TranslationUnit::new(Path::new("a.cu"), passes), &sources, &Arc::default());
        let (mut cut, _) = cut(unit.tokens(), &[], all, None, None).expect("it goes on from nothing");
        let numbers = 0..cut.declarations.len();
        let partial: Vec<_> = numbers.filter(|one| cut.declarations[*one].passes != all).collect();
        let partial: Vec<(usize, u64)> = partial.into_iter().map(|one| (one, 7)).collect();
        mark_presence(unit.tokens(), &partial, &mut cut.declarations, all);
        let told = |one: &TopDeclaration| (one.names[0].as_str().to_string(), one.varies.presence);
        let of_system =
            |one: &&TopDeclaration| unit.system.contains(&unit.tokens()[one.tokens.start].at.file);
        cut.declarations.iter().filter(|one| !of_system(one)).map(told).collect()
    }

    #[test]
    fn declarations_with_one_fingerprint_are_told_apart_by_their_tokens() {
        let found = presence_with_collisions(
            "#ifdef __CUDA_ARCH__\nstruct Device { };\n#include \"once.h\"\n#else\nstruct Host { };\n#endif\n\
             struct Both { };\n#include \"once.h\"\n",
        );
        let found: Vec<(&str, bool)> = found.iter().map(|(name, varies)| (name.as_str(), *varies)).collect();
        let once = ("Once", false);
        assert_eq!(found, [("Device", true), once, ("Host", true), ("Both", false), once]);
    }
}
