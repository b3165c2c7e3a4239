//! Definitions with external linkage that not every pass has.
//!
//! In: the declarations of a unit whose presence varies. Out: [`DefinitionFact`]s. Kernels and device variables are left
//! to [`super::kernels`].

use rustc_hash::{FxHashMap, FxHashSet};

use crate::source::Symbol;
use crate::target::PassSet;
use crate::variance::{DeclKind, TopDeclaration};

use super::cause;
use super::dump::Printer;
use crate::facts::index::unit::IndexedUnit;
use crate::facts::lower::ast::*;
use crate::facts::meaning::types::Env;
use crate::facts::meaning::types::Spelling;
use crate::facts::meaning::view::{Entity, LookupResult, View};
use crate::facts::model::{DefinitionFact, EntityKind};

/// The functions and variables with external linkage, neither inline nor templates, that some passes define and others
/// do not. Kernels and device variables have facts of their own.
pub(in crate::facts) fn definitions(
    unit: &IndexedUnit<'_>,
    views: &[(PassSet, View<'_>)],
    compared: PassSet,
) -> Vec<DefinitionFact> {
    let mut names: FxHashSet<Symbol> = FxHashSet::default();
    for declaration in &unit.variance.declarations {
        if declaration.varies.presence && is_definition(declaration) {
            names.extend(declaration.names.first().copied());
        }
    }
    let mut tops: Vec<usize> = names.iter().flat_map(|name| unit.declaring(*name)).copied().collect();
    tops.sort_unstable();
    tops.dedup();
    let mut found: Vec<Found> = Vec::new();
    let mut by_key: FxHashMap<String, usize> = FxHashMap::default();
    for (passes, view) in views {
        let elsewhere = declared_otherwise(unit, view, &tops);
        for top in &tops {
            if unit.is_unnamed(unit.variance.declarations[*top].scope) {
                continue;
            }
            for entity in view.declared(*top) {
                let Some((what, key)) = external_definition(view, &entity) else { continue };
                if elsewhere.contains(&key) || is_inline_in_class(view, &entity) {
                    continue;
                }
                let index = *by_key.entry(key).or_insert(found.len());
                if index == found.len() {
                    let fact = DefinitionFact {
                        name: shown_name(view, &entity),
                        what,
                        defined: PassSet::EMPTY,
                        on_device: false,
                        at: entity.decl.at,
                        cause: None,
                    };
                    found.push(Found { fact, tops: Vec::new(), on_host: false });
                }
                let Found { fact, tops: own, on_host } = &mut found[index];
                fact.defined = fact.defined.or(*passes);
                fact.on_device |= on_device(&entity.decl);
                *on_host |= entity.decl.specifiers.host || !entity.decl.specifiers.device;
                own.push(*top);
            }
        }
    }
    found.retain(|Found { fact, on_host, .. }| {
        // The host's pass makes no code of a function for GPUs alone: one that no target has is nowhere.
        let is_nowhere = !on_host && fact.defined == PassSet::HOST;
        fact.defined != compared && !is_nowhere && !(fact.what == EntityKind::Variable && fact.on_device)
    });
    for Found { fact, tops, .. } in &mut found {
        tops.retain(|top| unit.variance.declarations[*top].varies.presence);
        fact.cause = cause::of_declarations(unit, tops, compared);
    }
    found.into_iter().map(|found| found.fact).collect()
}

/// A definition while the passes are asked for theirs.
struct Found {
    fact: DefinitionFact,
    /// The declarations that define it in some pass.
    tops: Vec<usize>,
    /// The execution space of one of them includes the host.
    on_host: bool,
}

/// The functions of which some declaration says that they have internal linkage or are inline, which then holds for their
/// definitions too ([basic.link], [dcl.inline]), by their keys.
fn declared_otherwise(unit: &IndexedUnit<'_>, view: &View<'_>, tops: &[usize]) -> FxHashSet<String> {
    let named = tops.iter().filter(|top| !unit.is_unnamed(unit.variance.declarations[**top].scope));
    let declared = named.flat_map(|top| view.declared(*top));
    let otherwise = declared.filter(|entity| is_internal_or_inline(entity.decl.specifiers));
    otherwise.filter_map(|entity| function_key(view, &entity)).collect()
}

fn is_internal_or_inline(specifiers: Specifiers) -> bool {
    specifiers.is_static || specifiers.is_inline || specifiers.is_constexpr
}

/// Whether a member function that is defined outside its class is inline by its declaration in the class.
fn is_inline_in_class(view: &View<'_>, entity: &Entity) -> bool {
    let Some(qualifier) = &entity.decl.qualifier else { return false };
    let DeclBody::Function(own) = &entity.decl.kind else { return false };
    let mut path = qualifier.clone();
    path.segments.push(Segment { name: entity.decl.name, arguments: None });
    let LookupResult::Entities(members) = view.lookup(&path, &entity.env) else { return false };
    let types = |function: &Function, env: &Env| -> Vec<String> {
        view.parameter_types(function, env).iter().map(|ty| ty.text(Spelling::Canonical)).collect()
    };
    members.iter().any(|member| match &member.decl.kind {
        DeclBody::Function(function)
            if member.decl.specifiers.is_inline || member.decl.specifiers.is_constexpr =>
        {
            types(function, &member.env) == types(own, &entity.env)
        }
        _ => false,
    })
}

/// The key that tells a function from the overloads of its name.
fn function_key(view: &View<'_>, entity: &Entity) -> Option<String> {
    let DeclBody::Function(function) = &entity.decl.kind else { return None };
    let types = view.parameter_types(function, &entity.env);
    let types: Vec<String> = types.iter().map(|ty| ty.text(Spelling::Canonical)).collect();
    Some(format!("{}({})", shown_name(view, entity), types.join(", ")))
}

/// Whether a declaration is a device function or a device variable. Device variables have facts of their own, so they
/// are left out at the end.
fn on_device(decl: &Decl) -> bool {
    decl.specifiers.device || decl.specifiers.constant || decl.specifiers.managed
}

fn is_definition(declaration: &TopDeclaration) -> bool {
    matches!(declaration.kind, DeclKind::Function | DeclKind::Variable)
}

fn shown_name(view: &View<'_>, entity: &Entity) -> String {
    match &entity.decl.qualifier {
        Some(qualifier) => {
            format!(
                "{}::{}",
                crate::facts::meaning::written_types::spelled(qualifier.whole()),
                entity.decl.name
            )
        }
        None => view.qualified_name(entity),
    }
}

/// The kind of the entity that a declaration defines with external linkage ([basic.link]), and a key that tells
/// overloads apart.
fn external_definition(view: &View<'_>, entity: &Entity) -> Option<(EntityKind, String)> {
    let decl = &entity.decl;
    let specifiers = decl.specifiers;
    if is_internal_or_inline(specifiers) || specifiers.global || !decl.templates.is_empty() {
        return None;
    }
    match &decl.kind {
        DeclBody::Function(function) if function.body.is_some() => {
            Some((EntityKind::Function, function_key(view, entity)?))
        }
        DeclBody::Variable(variable) => {
            let is_const = matches!(variable.ty, Type::Qualified(_, true, _));
            let device = specifiers.device || specifiers.constant || specifiers.managed;
            let declared_only = specifiers.is_extern && variable.initializer.is_none();
            let internal = is_const && !specifiers.is_extern;
            (device || (!declared_only && !internal))
                .then(|| (EntityKind::Variable, shown_name(view, entity)))
        }
        _ => None,
    }
}

/// Prints for `dump`. A definition: the passes that have it.
pub(in crate::facts) fn print_definition(to: &mut Printer<'_>, fact: &DefinitionFact) {
    let title = format!("{} {}", fact.what, fact.name);
    to.paragraph(&title, fact.at, vec![(fact.defined, "defined".into())], fact.cause.as_ref());
}
