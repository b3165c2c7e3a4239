//! Uses of kernels that a header which was not found decides on: launches of names that nothing declares, and kernel
//! templates, and what leads to them, among the arguments of macros that nothing defines.
//!
//! In: the tokens of host functions, and of macro calls at namespace scope. Out: a [`BlindSpot`] for each such use. What it
//! instantiates is not known; a guard around it, or a name in its template arguments, may make that differ.

use std::ops::{Range, RangeInclusive};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::preprocess::PpToken;
use crate::source::{Symbol, TokenKind, sym};
use crate::target::PassSet;
use crate::variance::{DeclKind, word};

use super::mentions::{arguments_vary, written};
use crate::facts::index::functions::functions;
use crate::facts::index::tokens::opens_launch;
use crate::facts::index::unit::IndexedUnit;
use crate::facts::model::{BlindSpot, BlindSpotCause};

/// The launches of names that nothing declares.
pub(in crate::facts) fn undeclared_launches(unit: &IndexedUnit<'_>, compared: PassSet) -> Vec<BlindSpot> {
    let tokens = unit.pp.tokens();
    let (mut found, mut known) = (Vec::new(), SamePasses::default());
    for (top, declaration) in unit.variance.declarations.iter().enumerate() {
        let has_bodies = matches!(declaration.kind, DeclKind::Function | DeclKind::Class);
        if !has_bodies || unit.token_facts().is_of_system(top) || !unit.launches(top) {
            continue;
        }
        let launches = declaration.tokens.clone().filter_map(|at| launched(tokens, at));
        let (functions, local) = (functions(unit, top), unit.locals(top));
        for name in launches {
            let around = functions.iter().find(|function| function.body.contains(&name));
            if let Some(function) = around.filter(|function| function.is_of_host_alone(tokens))
                && tokens[name].passes.meets(PassSet::HOST)
                && local.binary_search(&name).is_err()
                && !is_declared(unit, tokens[name].text)
                && !declares(unit, top, tokens[name].text)
            {
                found.push(blind_spot(
                    unit,
                    (top, &function.body),
                    name..=name,
                    compared,
                    BlindSpotCause::Undeclared,
                    &mut known,
                ));
            }
        }
    }
    found
}

/// The names that lead to kernel templates, `leading`, in the arguments of macros which were not expanded.
pub(in crate::facts) fn given_to_macros(
    unit: &IndexedUnit<'_>,
    leading: &FxHashSet<Symbol>,
    compared: PassSet,
) -> Vec<BlindSpot> {
    let tokens = unit.pp.tokens();
    let (mut found, mut known) = (Vec::new(), SamePasses::default());
    for (top, declaration) in unit.variance.declarations.iter().enumerate() {
        let all = &declaration.tokens;
        let is_call = declaration.kind == DeclKind::Other
            && all.len() > 2
            && tokens[all.start].kind == TokenKind::Identifier
            && word(tokens[all.start].text).is_none()
            && tokens[all.start + 1].text == sym::LPAREN;
        if !is_call || unit.is_of_system(declaration) || is_deduction_guide(&tokens[all.clone()]) {
            continue;
        }
        let names = all.clone().filter(|at| leading.contains(&tokens[*at].text));
        for name in names {
            let why = BlindSpotCause::Unexpanded;
            found.push(blind_spot(unit, (top, all), name..=name, compared, why, &mut known));
        }
    }
    found
}

/// Whether what begins like a macro call is `X(T) -> X<T>;` ([temp.deduct.guide]).
fn is_deduction_guide(tokens: &[PpToken]) -> bool {
    let mut depth = 0_i32;
    let end = tokens.iter().skip(1).position(|token| {
        depth += i32::from(token.text == sym::LPAREN) - i32::from(token.text == sym::RPAREN);
        depth == 0
    });
    end.and_then(|end| tokens.get(end + 2)).is_some_and(|behind| behind.text == sym::ARROW)
}

/// The name that is launched where the tokens at an index are `<<<`.
fn launched(tokens: &[PpToken], at: usize) -> Option<usize> {
    if !tokens.get(at..at + 2).is_some_and(opens_launch) {
        return None;
    }
    let mut name = at.checked_sub(1)?;
    let mut depth = 0_i32;
    loop {
        match tokens[name].text {
            sym::GREATER => depth += 1,
            sym::SHR => depth += 2,
            sym::LESS => depth -= 1,
            sym::SEMI | sym::LBRACE | sym::RBRACE => return None,
            _ if depth == 0 => break,
            _ => {}
        }
        name = name.checked_sub(1)?;
    }
    let before = name.checked_sub(1).map_or(sym::EMPTY, |before| tokens[before].text);
    let is_member = matches!(before, sym::DOT | sym::ARROW | sym::TEMPLATE);
    (tokens[name].kind == TokenKind::Identifier && !is_member).then_some(name)
}

/// Whether something declares a name: at namespace scope, or anywhere where it stands behind a type.
pub(super) fn is_declared(unit: &IndexedUnit<'_>, name: Symbol) -> bool {
    // A using-declaration brings in what another declares.
    let is_other = |top: &usize| unit.variance.declarations[*top].kind != DeclKind::Using;
    unit.declaring_untracked(name).iter().any(is_other)
        || unit.token_facts().mentions(name).any(|top| declares(unit, top, name))
}

/// Whether a name stands behind a type in a declaration: it may be that of a parameter, of a template or a function.
pub(super) fn declares(unit: &IndexedUnit<'_>, top: usize, name: Symbol) -> bool {
    let tokens = unit.pp.tokens();
    let mut all = unit.variance.declarations[top].tokens.clone();
    all.any(|at| tokens[at].text == name && is_behind_a_type(tokens, at))
}

fn is_behind_a_type(tokens: &[PpToken], at: usize) -> bool {
    let before = |count: usize| at.checked_sub(count).map(|index| &tokens[index]);
    let ends_type = |token: Option<&PpToken>| {
        token.is_some_and(|token| {
            token.text == sym::GREATER
                || token.kind == TokenKind::Identifier
                    && !matches!(
                        token.text.as_str(),
                        "return" | "else" | "do" | "throw" | "case" | "co_return"
                    )
        })
    };
    match before(1).map(|token| token.text) {
        Some(sym::STAR | sym::ELLIPSIS | sym::LBRACKET) => true,
        Some(sym::AMP | sym::AMP_AMP) => ends_type(before(2)),
        _ => ends_type(before(1)),
    }
}

/// The passes that have a text, by where the part of a declaration begins that it is in.
pub(super) type SamePasses = FxHashMap<(usize, String), PassSet>;

/// The blind spot for a name in a part of a declaration, whose tokens `names` are: from the first qualifier to the last name.
pub(super) fn blind_spot(
    unit: &IndexedUnit<'_>,
    (top, around): (usize, &Range<usize>),
    names: RangeInclusive<usize>,
    compared: PassSet,
    why: BlindSpotCause,
    known: &mut SamePasses,
) -> BlindSpot {
    let tokens = unit.pp.tokens();
    let (first, name) = names.into_inner();
    let text = |at: usize| -> String {
        let qualifiers = tokens[at..at + (name - first)].iter().map(|token| token.text.as_str());
        qualifiers.chain([written(tokens, at + (name - first)).0.as_str()]).collect()
    };
    let (_, end) = written(tokens, name);
    let own = text(first);
    // The same may be launched in the other groups of the conditional.
    let passes = *known.entry((around.start, own.clone())).or_insert_with(|| {
        let same = around
            .clone()
            .filter(|at| tokens[*at].text == tokens[first].text && at + (name - first) < tokens.len());
        same.filter(|at| text(*at) == own).fold(PassSet::EMPTY, |all, at| all.or(tokens[at].passes))
    });
    BlindSpot {
        at: tokens[name].at,
        name: own,
        passes: tokens[name].passes.and(compared),
        why,
        varies: !passes.contains(compared) || arguments_vary(unit, top, first + 1..end),
    }
}
