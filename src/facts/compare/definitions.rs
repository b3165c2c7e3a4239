//! Definitions with external linkage that not every pass has, and entities of headers that are emitted in every object
//! file.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::project::TranslationUnit;
use crate::source::{FileId, Span, Symbol, sym};
use crate::target::PassSet;
use crate::variance::{DeclKind, TopDeclaration};

use super::cause;
use super::dump::Printer;
use crate::facts::index::tokens::refine;
use crate::facts::index::unit::IndexedUnit;
use crate::facts::lower::ast::*;
use crate::facts::meaning::types::Spelling;
use crate::facts::meaning::view::{Entity, View};
use crate::facts::model::{DefinitionFact, EntityKind, HeaderFact, TextDigest};

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
    let mut found: Vec<(DefinitionFact, Vec<usize>)> = Vec::new();
    let mut by_key: FxHashMap<String, usize> = FxHashMap::default();
    for (passes, view) in views {
        for top in &tops {
            if unit.is_unnamed(unit.variance.declarations[*top].scope) {
                continue;
            }
            for entity in view.declared(*top) {
                let Some((what, key)) = external_definition(view, &entity) else { continue };
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
                    found.push((fact, Vec::new()));
                }
                let (fact, own) = &mut found[index];
                fact.defined = fact.defined.or(*passes);
                fact.on_device |= on_device(&entity.decl);
                own.push(*top);
            }
        }
    }
    found.retain(|(fact, _)| {
        fact.defined != compared && !(fact.what == EntityKind::Variable && fact.on_device)
    });
    for (fact, own) in &mut found {
        own.retain(|top| unit.variance.declarations[*top].varies.presence);
        fact.cause = cause::of_declarations(unit, own, compared);
    }
    found.into_iter().map(|(fact, _)| fact).collect()
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
            format!("{}::{}", crate::facts::meaning::written_types::spelled(qualifier), entity.decl.name)
        }
        None => view.qualified_name(entity),
    }
}

/// The kind of the entity that a declaration defines with external linkage ([basic.link]), and a key that tells
/// overloads apart.
fn external_definition(view: &View<'_>, entity: &Entity) -> Option<(EntityKind, String)> {
    let decl = &entity.decl;
    let specifiers = decl.specifiers;
    if specifiers.is_static
        || specifiers.is_inline
        || specifiers.is_constexpr
        || specifiers.global
        || !decl.templates.is_empty()
    {
        return None;
    }
    let name = shown_name(view, entity);
    match &decl.kind {
        DeclBody::Function(function) if function.body.is_some() => {
            let types = view.parameter_types(function, &entity.env);
            let types: Vec<String> = types.iter().map(|ty| ty.text(Spelling::Canonical)).collect();
            Some((EntityKind::Function, format!("{name}({})", types.join(", "))))
        }
        DeclBody::Variable(variable) => {
            let is_const = matches!(variable.ty, Type::Qualified(_, true, _));
            let device = specifiers.device || specifiers.constant || specifiers.managed;
            let declared_only = specifiers.is_extern && variable.initializer.is_none();
            let internal = is_const && !specifiers.is_extern;
            (device || (!declared_only && !internal)).then_some((EntityKind::Variable, name))
        }
        _ => None,
    }
}

/// The entities of headers that are emitted in every object file that uses them, with the text that each device pass
/// sees; without separate compilation only kernel templates, for their host stubs.
pub(in crate::facts) fn header_entities(
    unit: &IndexedUnit<'_>,
    translation: &TranslationUnit,
    main: Option<FileId>,
) -> Vec<HeaderFact> {
    let devices = translation.passes.devices();
    let mut facts = Vec::new();
    for (top, declaration) in unit.variance.declarations.iter().enumerate() {
        let first = &unit.pp.tokens()[declaration.tokens.start];
        let in_header = Some(first.at.file) != main;
        if !in_header || unit.is_unnamed(declaration.scope) {
            continue;
        }
        let is_template = first.text == sym::TEMPLATE;
        let what = if translation.rdc {
            shared_entity(unit, top, is_template)
        } else {
            shared_stub(unit, top, is_template)
        };
        let Some(what) = what else { continue };
        let Some(name) = declaration.names.first() else { continue };
        let seen = declaration.passes.and(devices);
        let tokens = &unit.pp.tokens()[declaration.tokens.clone()];
        let classes = refine(seen, tokens.iter().map(|token| token.passes));
        let texts = classes.iter().map(|class| (*class, text_digest(unit, declaration, *class))).collect();
        let at = tokens.iter().find(|token| token.text == *name).map_or(first.at, |token| token.at);
        let namespace = unit.namespace(declaration.scope);
        let qualified =
            if namespace == sym::EMPTY { name.to_string() } else { format!("{namespace}::{name}") };
        facts.push(HeaderFact {
            name: qualified,
            what,
            at,
            stub: !translation.rdc,
            texts,
            used: first_mention(unit, *name),
            cause: cause::of_conditional_in(unit, declaration),
        });
    }
    facts
}

/// The kind of a kernel template of which every object file that uses it has the host stub, and the linker keeps one.
fn shared_stub(unit: &IndexedUnit<'_>, top: usize, is_template: bool) -> Option<EntityKind> {
    let kernel = unit.variance.declarations[top].kind == DeclKind::Function
        && is_template
        && unit.token_facts().head_has(top, &[sym::GLOBAL])
        && !unit.token_facts().head_has(top, &[sym::STATIC]);
    kernel.then_some(EntityKind::KernelTemplate)
}

/// The kind of an entity of which every object file that uses it has a definition, and the linker keeps one.
fn shared_entity(unit: &IndexedUnit<'_>, top: usize, is_template: bool) -> Option<EntityKind> {
    let declaration = &unit.variance.declarations[top];
    let inline = [sym::INLINE, sym::INLINE_GNU, sym::INLINE_SHORT, sym::FORCEINLINE];
    let is_static = unit.token_facts().head_has(top, &[sym::STATIC]);
    let on_device = unit.token_facts().head_has(top, &[sym::DEVICE, sym::GLOBAL]);
    match declaration.kind {
        DeclKind::Function if !on_device || is_static => None,
        DeclKind::Function if is_template => Some(EntityKind::FunctionTemplate),
        DeclKind::Function if unit.token_facts().head_has(top, &inline) => Some(EntityKind::InlineFunction),
        DeclKind::Function if unit.token_facts().head_has(top, &[sym::CONSTEXPR]) => {
            Some(EntityKind::ConstexprFunction)
        }
        DeclKind::Class => Some(if is_template { EntityKind::ClassTemplate } else { EntityKind::Class }),
        DeclKind::Variable if unit.token_facts().head_has(top, &inline) && !is_static => {
            Some(EntityKind::InlineVariable)
        }
        DeclKind::Variable if is_template && !is_static => Some(EntityKind::VariableTemplate),
        _ => None,
    }
}

/// The digest of a declaration's text in a class of passes.
fn text_digest(unit: &IndexedUnit<'_>, declaration: &TopDeclaration, class: PassSet) -> TextDigest {
    let pass = class.lowest().unwrap_or_default();
    let tokens = &unit.pp.tokens()[declaration.tokens.clone()];
    TextDigest::of(tokens.iter().filter(|token| token.passes.has(pass)).map(|token| token.text.as_str()))
}

/// The first mention of a name outside its own declarations.
fn first_mention(unit: &IndexedUnit<'_>, name: Symbol) -> Option<Span> {
    let own: Vec<_> =
        unit.declaring(name).iter().map(|one| unit.variance.declarations[*one].tokens.clone()).collect();
    unit.pp
        .tokens()
        .iter()
        .enumerate()
        .find(|(index, token)| token.text == name && !own.iter().any(|range| range.contains(index)))
        .map(|(_, token)| token.at)
}

/// Prints for `dump`. A definition: the passes that have it.
pub(in crate::facts) fn print_definition(to: &mut Printer<'_>, fact: &DefinitionFact) {
    let title = format!("{} {}", fact.what, fact.name);
    to.paragraph(&title, fact.at, vec![(fact.defined, "defined".into())], fact.cause.as_ref());
}

/// Prints for `dump`. An entity of a header: the text of each class of passes.
pub(in crate::facts) fn print_header_entity(to: &mut Printer<'_>, fact: &HeaderFact) {
    let title = format!("{} {}", fact.what, fact.name);
    let line = |(passes, text): &(PassSet, TextDigest)| (*passes, format!("text {text}"));
    to.paragraph(&title, fact.at, fact.texts.iter().map(line).collect(), fact.cause.as_ref());
}
