//! Functions that do nothing but return a value, told by their tokens: what a call of one gives in each pass.
//!
//! In: the name of a function and a pass. Out: the function's tokens in the pass, and which of them are the value. A name
//! that several functions with a body have in the pass is left alone, since nothing here chooses between overloads.

use std::ops::Range;

use rustc_hash::FxHashSet;

use crate::preprocess::PpToken;
use crate::source::{Symbol, sym};
use crate::target::PassSet;
use crate::variance::{DeclKind, TopDeclaration};

use crate::facts::index::unit::IndexedUnit;

/// A function of the project as one pass has it, whose body is `{ return VALUE; }`.
pub(in crate::facts) struct Returned<'u> {
    pub(in crate::facts) declaration: &'u TopDeclaration,
    /// All its tokens in the pass.
    pub(in crate::facts) tokens: Vec<&'u PpToken>,
    /// Those of the value, among them.
    pub(in crate::facts) value: Range<usize>,
}

impl<'u> Returned<'u> {
    /// The only function of this name that has a body in a pass, if that is all the body does.
    pub(in crate::facts) fn of(unit: &IndexedUnit<'u>, name: Symbol, pass: usize) -> Option<Returned<'u>> {
        let (pp, variance) = (unit.pp, unit.variance);
        let tops = unit.declaring_untracked(name).iter().map(|top| &variance.declarations[*top]);
        let mut bodies = tops.filter(|one| {
            one.kind == DeclKind::Function && one.body < one.tokens.end && one.passes.has(pass)
        });
        let declaration = bodies.next().filter(|one| !unit.is_of_system(one))?;
        if bodies.next().is_some() {
            return None;
        }
        let in_pass = |range: Range<usize>| pp.tokens()[range].iter().filter(|token| token.passes.has(pass));
        // Most functions do more. Nothing else is asked of one of them, for it may be long and have thousands of calls.
        let mut body = in_pass(declaration.body..declaration.tokens.end);
        body.next().filter(|token| token.text == sym::LBRACE)?;
        body.next().filter(|token| token.text == sym::RETURN)?;
        let length = body.by_ref().take_while(|token| token.text != sym::SEMI).count();
        let ends = body.next().is_some() && body.next().is_none();
        if length == 0 || !ends {
            return None;
        }
        let tokens: Vec<&PpToken> = in_pass(declaration.tokens.clone()).collect();
        let begin = in_pass(declaration.tokens.start..declaration.body).count() + 2;
        Some(Returned { declaration, value: begin..begin + length, tokens })
    }
}

/// What the `return` statements among some tokens return.
pub(in crate::facts) fn returned<'t>(tokens: &'t [&PpToken]) -> impl Iterator<Item = Range<usize>> + 't {
    let starts = (0..tokens.len()).filter(|at| tokens[*at].text == sym::RETURN);
    starts.filter_map(|at| {
        let length = tokens[at + 1..].iter().position(|token| token.text == sym::SEMI)?;
        (length > 0).then_some(at + 1..at + 1 + length)
    })
}

/// The declarations that mention a function which may return another value in each pass. They are the same in all of them.
pub(in crate::facts) fn callers(unit: &IndexedUnit<'_>) -> FxHashSet<usize> {
    let varies = |one: &&TopDeclaration| {
        one.kind == DeclKind::Function && one.varies.any() && one.passes.meets(PassSet::HOST)
    };
    let names: FxHashSet<Symbol> = unit
        .variance
        .declarations
        .iter()
        .filter(varies)
        .filter_map(|one| one.names.first().copied())
        .collect();
    let host = PassSet::HOST.lowest().expect("the host is a pass");
    let returning = names.into_iter().filter(|name| Returned::of(unit, *name, host).is_some());
    returning.flat_map(|name| unit.token_facts().mentions(name).collect::<Vec<_>>()).collect()
}
