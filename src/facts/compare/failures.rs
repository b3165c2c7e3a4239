//! Compilations that stop in some passes only: at an `#error`, or at a `static_assert` that does not hold there.
//!
//! In: the preprocessor's problems, and declarations that vary. Out: [`FailureFact`]s. A `static_assert` counts where its
//! condition is a constant of namespace scope; one in a template is left alone, since who instantiates it is not asked.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::preprocess::{GroupId, PpToken, Preprocessed, ProblemKind};
use crate::project::{TargetOrigin, TranslationUnit, UnitKind};
use crate::source::{Span, TokenKind, sym};
use crate::target::PassSet;
use crate::variance::TopDeclaration;

use super::cause;
use super::constant::constant;
use super::dump::Printer;
use super::host_bodies::spelled;
use super::locals::Locals;
use crate::facts::index::unit::IndexedUnit;
use crate::facts::meaning::view::View;
use crate::facts::model::{FailureFact, FailureKind};

/// The places at which some passes of a source stop and others do not. A list of targets that nobody named says
/// nothing about what the source is compiled for.
pub(in crate::facts) fn failures(
    translation: &TranslationUnit,
    unit: &IndexedUnit<'_>,
    views: &[(PassSet, View<'_>)],
) -> Vec<FailureFact> {
    if translation.origin == TargetOrigin::Default || translation.kind == UnitKind::Header {
        return Vec::new();
    }
    let mut facts = errors(translation, unit);
    for (top, declaration) in unit.varying_of_project() {
        let find = || starts(unit, declaration).next().is_some();
        if !unit.token_facts().on_demand(top).asserts.get(top, find) {
            continue;
        }
        assertions(unit, views, declaration, &mut facts);
    }
    facts
}

/// The `#error`s that some pass does not meet.
fn errors(translation: &TranslationUnit, unit: &IndexedUnit<'_>) -> Vec<FailureFact> {
    let pp = unit.pp;
    let all = translation.passes.all();
    let mut found: BTreeMap<Span, FailureFact> = BTreeMap::new();
    for problem in pp.problems.iter().filter(|problem| !pp.system.contains(&problem.at.file)) {
        let ProblemKind::ErrorDirective(text) = &problem.kind else { continue };
        let fact = found.entry(problem.at).or_insert_with(|| FailureFact {
            at: problem.at,
            kind: FailureKind::Written,
            text: text.clone(),
            stopped: PassSet::EMPTY,
            others: all,
            cause: innermost(pp, problem.at).map(|group| cause::of_group(unit, group)),
        });
        fact.stopped = fact.stopped.or(problem.passes);
        fact.others = fact.others.minus(problem.passes);
    }
    found.into_values().filter(|fact| !fact.others.is_empty()).collect()
}

/// The innermost group that not every pass enters of a directive's place.
fn innermost(pp: &Preprocessed, at: Span) -> Option<GroupId> {
    let mut found: Option<(u32, GroupId)> = None;
    for conditional in pp.conditionals() {
        let after = |end: Option<Span>| end.is_none_or(|end| end.start > at.start);
        if !after(conditional.endif) || !conditional.reads.iter().any(|read| read.definitions.varies()) {
            continue;
        }
        let before = |id: &&GroupId| {
            let directive = pp.group(**id).directive;
            directive.file == at.file && directive.start < at.start
        };
        if let Some(id) = conditional.groups.iter().rev().find(before) {
            let start = pp.group(*id).directive.start;
            if found.is_none_or(|(known, _)| known < start) {
                found = Some((start, *id));
            }
        }
    }
    found.map(|(_, id)| id)
}

fn asserts(token: &PpToken) -> bool {
    matches!(token.text, sym::STATIC_ASSERT | sym::STATIC_ASSERT_C)
}

/// The indices among a declaration's tokens of the `static_assert`s before the first template: most declarations with one are
/// templates.
fn starts<'u>(unit: &IndexedUnit<'u>, declaration: &TopDeclaration) -> impl Iterator<Item = usize> + use<'u> {
    let (tokens, passes) = (&unit.pp.tokens()[declaration.tokens.clone()], declaration.passes);
    let ends = move |token: &PpToken| token.text == sym::TEMPLATE && token.passes.contains(passes);
    let before = (0..tokens.len()).take_while(move |at| !ends(&tokens[*at]));
    before.filter(move |at| asserts(&tokens[*at]))
}

/// The `static_assert`s of a declaration that hold in some passes and not in others.
fn assertions(
    unit: &IndexedUnit<'_>,
    views: &[(PassSet, View<'_>)],
    declaration: &TopDeclaration,
    facts: &mut Vec<FailureFact>,
) {
    let tokens = &unit.pp.tokens()[declaration.tokens.clone()];
    let open: FxHashSet<Span> = starts(unit, declaration)
        .filter(|at| !unit.pp.system.contains(&tokens[*at].at.file))
        .filter(|at| may_differ(unit, declaration, tokens[*at..].iter()))
        .map(|at| tokens[at].at)
        .collect();
    if open.is_empty() {
        return;
    }
    let mut outcomes: FxHashMap<Span, Outcome> = FxHashMap::default();
    for (class, view) in views.iter().filter(|(class, _)| class.meets(declaration.passes)) {
        let own: Vec<&PpToken> = tokens.iter().filter(|token| token.passes.has(view.pass)).collect();
        let before_templates = own.split(|token| token.text == sym::TEMPLATE).next().unwrap_or_default();
        let locals = Locals::of(before_templates);
        for at in (0..before_templates.len()).filter(|at| asserts(own[*at]) && open.contains(&own[*at].at)) {
            let outcome = outcomes.entry(own[at].at).or_insert_with(|| Outcome {
                text: String::new(),
                fails: PassSet::EMPTY,
                unknown: false,
                token: *own[at],
            });
            match holds(view, declaration, &own, &locals, at) {
                Some((true, _)) => {}
                Some((false, text)) => {
                    outcome.fails = outcome.fails.or(*class);
                    outcome.text = text;
                }
                None => outcome.unknown = true,
            }
        }
    }
    let compared = views.iter().fold(PassSet::EMPTY, |all, (class, _)| all.or(*class));
    let fails = |one: &&Outcome| !one.fails.is_empty() && !one.unknown && one.fails != compared;
    let mut failing: Vec<&Outcome> = outcomes.values().filter(fails).collect();
    failing.sort_by_key(|one| one.token.at);
    facts.extend(failing.into_iter().map(|one| {
        FailureFact {
            at: one.token.at,
            kind: FailureKind::Written,
            text: one.text.clone(),
            stopped: one.fails,
            others: compared.minus(one.fails),
            cause: cause::of_token(unit, &one.token, compared)
                .or_else(|| cause::of_declarations(unit, &mentioned(unit, declaration), compared)),
        }
    }));
}

/// What the passes make of one `static_assert`.
struct Outcome {
    text: String,
    fails: PassSet,
    unknown: bool,
    token: PpToken,
}

/// The index of the parenthesis that ends the `static_assert` which tokens begin with.
fn end<'t>(tokens: impl Iterator<Item = &'t PpToken>) -> Option<usize> {
    let mut depth = 0_usize;
    let mut behind = tokens.enumerate().skip(1).peekable();
    behind.next_if(|(_, token)| token.text == sym::LPAREN)?;
    behind.find_map(|(index, token)| {
        match token.text {
            sym::LPAREN => depth += 1,
            sym::RPAREN if depth == 0 => return Some(index),
            sym::RPAREN => depth -= 1,
            _ => {}
        }
        None
    })
}

/// Whether passes may differ about the `static_assert` that the tokens of all passes begin with: it has not the same tokens in
/// all of them, or mentions what varies.
fn may_differ<'t>(
    unit: &IndexedUnit<'_>,
    declaration: &TopDeclaration,
    tokens: impl Iterator<Item = &'t PpToken> + Clone,
) -> bool {
    let Some(end) = end(tokens.clone()) else { return true };
    declaration.varies.sizes
        || tokens.take(end + 1).any(|token| {
            let varies = |top: &usize| unit.variance.declarations[*top].varies.any();
            !token.passes.contains(declaration.passes)
                || token.kind == TokenKind::Identifier
                    && unit.declaring_untracked(token.text).iter().any(varies)
        })
}

/// Whether the condition of the `static_assert` at an index holds, and how it is written; `None` if that is not known.
fn holds(
    view: &View<'_>,
    declaration: &TopDeclaration,
    own: &[&PpToken],
    locals: &Locals<'_, '_>,
    at: usize,
) -> Option<(bool, String)> {
    let end = at + end(own[at..].iter().copied())?;
    let whole = &own[at + 2..end];
    // The message: a string literal behind the last comma.
    let comma = whole.iter().rposition(|token| token.text == sym::COMMA);
    let is_message =
        |comma: &usize| whole.get(comma + 1).is_some_and(|token| token.kind == TokenKind::String);
    let condition = &whole[..comma.filter(is_message).unwrap_or(whole.len())];
    let declared =
        |token: &&&PpToken| token.kind == TokenKind::Identifier && locals.is_declared_before(at, token.text);
    if condition.is_empty() || condition.iter().any(|token| declared(&token)) {
        return None;
    }
    let condition: Vec<PpToken> = condition.iter().map(|token| **token).collect();
    let value = constant(view, declaration.scope, &condition)?.int()?;
    Some((value != 0, spelled(own[at..=end].iter().copied())))
}

/// The declarations that a declaration mentions and that vary.
fn mentioned(unit: &IndexedUnit<'_>, declaration: &TopDeclaration) -> Vec<usize> {
    let tokens = &unit.pp.tokens()[declaration.tokens.clone()];
    let names = tokens.iter().filter(|token| token.kind == TokenKind::Identifier);
    let tops = names.flat_map(|token| unit.declaring_untracked(token.text).to_vec());
    tops.filter(|top| unit.variance.declarations[*top].varies.any()).collect()
}

/// Prints for `dump`. A place where some passes stop.
pub(in crate::facts) fn print(to: &mut Printer<'_>, fact: &FailureFact) {
    let lines = vec![(fact.stopped, "stops".to_string()), (fact.others, "goes on".to_string())];
    to.paragraph(&format!("failure {}", fact.text), fact.at, lines, fact.cause.as_ref());
}
