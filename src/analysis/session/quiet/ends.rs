//! The brace that a declaration ends with in every pass, whether or not braces elsewhere in its file are closed.

use crate::preprocess::PpToken;
use crate::target::PassSet;
use crate::variance::{DeclKind, Ending, TopDeclaration, ending, is_whole};

/// The ending of a declaration with these tokens; `None` if not all passes agree, or if it depends on other
/// declarations.
pub(super) fn ends(tokens: &[PpToken], declaration: &TopDeclaration, passes: PassSet) -> Option<Ending> {
    let body = declaration.body - declaration.tokens.start;
    each_ends(tokens, passes, |pass| match declaration.kind == DeclKind::Function && body < tokens.len() {
        true => ending(tokens, body, pass),
        false => is_whole(tokens, pass).then_some(Ending::Closed),
    })
}

/// The ending in which all passes agree; `of` gives that of one.
pub(super) fn each_ends(
    tokens: &[PpToken],
    passes: PassSet,
    of: impl Fn(usize) -> Option<Ending>,
) -> Option<Ending> {
    if tokens.iter().all(|token| token.passes.contains(passes)) {
        return of(passes.lowest()?);
    }
    let mut each = passes.iter().map(of);
    let first = each.next()??;
    each.all(|other| other == Some(first)).then_some(first)
}
