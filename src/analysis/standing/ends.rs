//! Whether the declarations of a file end where they did, while braces are opened and closed in one of them.

use std::ops::Range;

use crate::preprocess::PpToken;
use crate::target::PassSet;
use crate::variance::{DeclKind, Ending, TopDeclaration, ending, is_whole, opens_braces};

use super::change::{Change, balanced};
use super::{Body, Standing};

impl Standing {
    /// Whether a function closes its braces with these tokens in the place of some, and whether all ends of the file
    /// are firm then; `None` if the file may be cut in another way.
    pub(super) fn ends(
        &self,
        body: &Body,
        range: &Range<usize>,
        new: &[PpToken],
        change: &Change<'_>,
    ) -> Option<(bool, bool)> {
        let compared = self.names.compared;
        let head = body.tokens.start - body.whole.start;
        let edited = self.edited(&body.whole, range, new, change);
        let ends = match body.whole == body.tokens {
            true => None,
            false => each_ends(&edited, compared, |pass| ending(&edited, head, pass)),
        };
        if balanced(change.old) && balanced(change.new) && !opens_braces(&self.tokens, compared) {
            return Some((body.closed, self.firm && ends.is_some()));
        }
        let closed = ends? == Ending::Closed;
        let others = || self.bodies.iter().filter(|other| other.whole != body.whole);
        let edited = self.tokens[..range.start].iter().chain(new).chain(&self.tokens[range.end..]);
        let told = closed && others().all(|other| other.closed) || opens_braces(edited, compared);
        (self.firm && told).then_some((closed, true))
    }
}

/// How a declaration ends, all of whose tokens these are; `None` if not all passes agree, or if that depends on other
/// declarations.
pub(super) fn ends(tokens: &[PpToken], declaration: &TopDeclaration, passes: PassSet) -> Option<Ending> {
    let body = declaration.body - declaration.tokens.start;
    each_ends(tokens, passes, |pass| match declaration.kind == DeclKind::Function && body < tokens.len() {
        true => ending(tokens, body, pass),
        false => is_whole(tokens, pass).then_some(Ending::Closed),
    })
}

/// What each pass says.
fn each_ends(tokens: &[PpToken], passes: PassSet, of: impl Fn(usize) -> Option<Ending>) -> Option<Ending> {
    if tokens.iter().all(|token| token.passes.contains(passes)) {
        return of(passes.lowest()?);
    }
    let mut each = passes.iter().map(of);
    let first = each.next()??;
    each.all(|other| other == Some(first)).then_some(first)
}
