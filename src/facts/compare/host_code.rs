//! Host code that the host pass never compiles: statements of host functions behind a condition on the architecture that
//! only device passes meet.
//!
//! In: tokens with presence conditions. Out: [`HostCodeFact`]s. No device pass generates code for a host function, so such
//! a statement is in no object file. Nothing is parsed: braces and specifiers tell whose body a token is in.

use rustc_hash::FxHashSet;

use crate::preprocess::{ConditionalId, GroupId, PpToken};
use crate::target::PassSet;
use crate::variance::{DeclKind, TopDeclaration};

use super::cause;
use super::dump::Printer;
use super::host_bodies::{host_function, is_within, kind};
use crate::facts::index::unit::IndexedUnit;
use crate::facts::model::HostCodeFact;

/// The statements of host functions that no host pass has, one fact for each conditional.
pub(in crate::facts) fn host_code(unit: &IndexedUnit<'_>, compared: PassSet) -> Vec<HostCodeFact> {
    if !compared.meets(PassSet::HOST) {
        return Vec::new();
    }
    let mut facts = Vec::new();
    for declaration in &unit.variance.declarations {
        let has_bodies = matches!(declaration.kind, DeclKind::Function | DeclKind::Class);
        if has_bodies && declaration.varies.tokens && declaration.passes.meets(PassSet::HOST) {
            of_declaration(unit, declaration, compared, &mut facts);
        }
    }
    facts
}

fn of_declaration(
    unit: &IndexedUnit<'_>,
    declaration: &TopDeclaration,
    compared: PassSet,
    facts: &mut Vec<HostCodeFact>,
) {
    let tokens = &unit.pp.tokens()[declaration.tokens.clone()];
    let mut seen: FxHashSet<ConditionalId> = FxHashSet::default();
    for (index, token) in tokens.iter().enumerate() {
        if token.passes.meets(PassSet::HOST) || !token.passes.meets(compared) {
            continue;
        }
        let Some(group) = group_without_host(unit, token.group) else { continue };
        if !seen.insert(unit.pp.group(group).conditional) || unit.pp.system.contains(&token.at.file) {
            continue;
        }
        let own = |one: &&PpToken| one.passes.meets(token.passes) && is_within(unit, one.group, group);
        let lost: Vec<&PpToken> = tokens[index..].iter().filter(own).collect();
        let pass = token.passes.lowest().expect("a token has a pass");
        let before: Vec<&PpToken> = tokens[..index].iter().filter(|one| one.passes.has(pass)).collect();
        let (Some(function), Some(kind)) = (host_function(unit, declaration, &before), kind(&lost)) else {
            continue;
        };
        facts.push(HostCodeFact {
            function: function.text.to_string(),
            declared: function.at,
            at: token.at,
            kind,
            passes: unit.pp.group(group).passes.and(compared),
            cause: cause::of_token(unit, token, compared),
        });
    }
}

/// The innermost conditional group around a token that belongs to a conditional which the host reaches and of which it
/// enters no group, if its condition depends on the pass.
fn group_without_host(unit: &IndexedUnit<'_>, mut group: Option<GroupId>) -> Option<GroupId> {
    while let Some(id) = group {
        let found = unit.pp.group(id);
        let conditional = unit.pp.conditional(found.conditional);
        if conditional.passes.meets(PassSet::HOST) {
            let enters = |group: &GroupId| unit.pp.group(*group).passes.meets(PassSet::HOST);
            let by_pass = conditional.reads.iter().any(|read| read.definitions.varies());
            return (by_pass && !conditional.groups.iter().any(enters)).then_some(id);
        }
        group = found.parent;
    }
    None
}

/// Prints for `dump`. Code of a host function: the passes that have it.
pub(in crate::facts) fn print(to: &mut Printer<'_>, fact: &HostCodeFact) {
    let lines = vec![(fact.passes, fact.kind.to_string()), (PassSet::HOST, "left out".into())];
    to.paragraph(&format!("host code of {}", fact.function), fact.at, lines, fact.cause.as_ref());
}
