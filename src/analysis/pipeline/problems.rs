//! The problems that the stages of a unit met.

use indexmap::IndexMap;

use crate::facts::{BlindSpot, CustomLimit, UnitFacts};
use crate::preprocess::{Preprocessed, Problem, ProblemKind};
use crate::project::{TargetOrigin, TranslationUnit, UnitKind};
use crate::source::{Span, Symbol};
use crate::target::PassSet;
use crate::variance::Variance;

use crate::analysis::outcome::UnitProblem;

use super::conditionals::{Asked, asked_around};

/// The problems of a unit, of which the passes in `compared` were compared.
pub(super) fn problems(
    unit: &TranslationUnit,
    preprocessed: &Preprocessed,
    variance: &Variance,
    facts: &UnitFacts,
    compared: PassSet,
) -> Vec<UnitProblem> {
    let problem = |message: String, at: Option<Span>, incomplete: bool| UnitProblem {
        unit: unit.main.clone(),
        message,
        at,
        incomplete,
    };
    // What some passes meet and others do not is a finding.
    let is_finding = |one: &Problem| {
        matches!(one.kind, ProblemKind::ErrorDirective(_))
            && facts.failures.iter().any(|fact| fact.at == one.at)
    };
    let all = unit.passes.all();
    let stops = |one: &&Problem| matches!(one.kind, ProblemKind::ErrorDirective(_));
    let met_by_all = preprocessed.problems.iter().filter(stops).find(|one| one.passes == all);
    // Others behind it may follow from what the build defines and this run does not.
    let follows = |one: &Problem| {
        met_by_all.is_some_and(|first| {
            matches!(one.kind, ProblemKind::ErrorDirective(_)) && one.passes == all && one.at != first.at
        })
    };
    let shown = preprocessed
        .problems
        .iter()
        .filter(|one| !follows(one))
        .filter(|one| one.kind.leaves_out() || !preprocessed.system.contains(&one.at.file))
        .filter(|one| !is_finding(one))
        .map(|one| problem(one.message(), Some(one.at), one.kind.leaves_out()));
    let mut problems: Vec<UnitProblem> = shown.collect();
    if let Some(one) = met_by_all {
        let remedies = what_to_do(unit, &asked_around(preprocessed, one.at));
        let message = format!(
            "every pass meets an `#error`{remedies}: what follows was read as if the line were not there, and may be what nobody builds"
        );
        problems.push(problem(message, None, true));
    }
    let stopped = preprocessed.stopped;
    if (stopped.has(0) || compared.len() < 2) && !stopped.is_empty() {
        let passes = unit.passes.describe(stopped);
        let asked = preprocessed.problems.iter().find(stops).map(|one| asked_around(preprocessed, one.at));
        let remedies = what_to_do(unit, &asked.unwrap_or_default());
        let message =
            format!("compilation stops at an `#error` on {passes}{remedies}, so nothing was compared there");
        problems.push(problem(message, None, true));
    }
    let mut unclosed = braces_around_files(preprocessed, variance);
    unclosed.dedup();
    let message =
        "a `{` is not closed: the declarations of the files that follow were read as part of this one";
    problems.extend(unclosed.into_iter().map(|at| problem(message.into(), Some(at), true)));
    if facts.left_open {
        let message = "types or constants go deeper than the analysis follows: these are compared as spelled";
        problems.push(problem(message.into(), None, false));
    }
    // The instantiations that one mention causes are told once.
    let mut varying: IndexMap<_, &BlindSpot> = IndexMap::new();
    for spot in facts.blind_spots.iter().filter(|spot| spot.varies) {
        let told = varying.entry((spot.at, spot.why)).or_insert(spot);
        if spot.name < told.name {
            *told = spot;
        }
    }
    problems.extend(varying.values().map(|spot| problem(spot.message(), Some(spot.at), true)));
    let of_limit = |limit: &CustomLimit| {
        let rule = unit.custom.iter().find(|rule| rule.id == limit.rule);
        let origin = rule.map_or("", |rule| &rule.origin);
        let message = format!(
            "the query of the custom rule `{}` ({origin}) takes more than it may for this declaration, which the rule left out",
            limit.rule
        );
        problem(message, Some(limit.at), true)
    };
    problems.extend(facts.custom_limits.iter().map(of_limit));
    problems.extend(facts.incomplete.clone().map(|message| problem(message, None, true)));
    problems
}

/// The braces that are not closed where their declarations end, though text of other files stands behind them.
fn braces_around_files(preprocessed: &Preprocessed, variance: &Variance) -> Vec<Span> {
    let tokens = preprocessed.tokens();
    variance.declarations.iter().filter_map(|one| one.unclosed).map(|brace| tokens[brace].at).collect()
}

/// What somebody may do about an `#error` that the build does not meet, in parentheses.
fn what_to_do(unit: &TranslationUnit, asked: &Asked) -> String {
    let remedies = remedies(asked);
    match (unit.kind, &unit.origin) {
        (UnitKind::Source, TargetOrigin::Database(_)) => String::new(),
        (UnitKind::Source, _) => {
            format!(" ({remedies}, or take the build's options from a compile_commands.json with `-p`)")
        }
        (UnitKind::Header, _) => {
            format!(" (no source that was analysed includes this header: exclude it, or {remedies})")
        }
    }
}

/// The same, as part of a sentence.
fn remedies(asked: &Asked) -> String {
    let define = format!("define {} with `-D`", listed(&asked.macros));
    let choose = "choose a later language standard with `--std`";
    match (asked.standard, &asked.macros[..]) {
        (false, _) => define,
        (true, []) => choose.to_string(),
        (true, _) => format!("{choose}, {define}"),
    }
}

/// How many macros are named of which one may be missing.
const NAMED: usize = 4;

/// The macros that somebody may define, as part of a sentence.
fn listed(names: &[Symbol]) -> String {
    let quoted: Vec<String> = names.iter().take(NAMED).map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        None => "what it asks for".to_string(),
        Some((last, [])) => last.clone(),
        Some((_, rest)) if names.len() > NAMED => format!("{}, … or another", rest.join(", ")),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
    }
}
