//! Macro definitions: before the first line, by `#define` and `#undef`, and by the pragmas that push and pop.

use std::sync::Arc;

use crate::preprocess::condition::compiler::{FEATURE_CHECKS, checks_of};
use crate::preprocess::expand::definition::{self, Macro, MacroId, Meaning, Parsed};
use crate::preprocess::expand::interned::DefinitionSite;
use crate::preprocess::expand::state::MacroState;
use crate::preprocess::keep::partial::{PartialMacro, Reasons};
use crate::preprocess::result::problem::ProblemKind;
use crate::preprocess::result::records::{Definition, Undefinition};
use crate::preprocess::result::registry::Registry;
use crate::preprocess::result::tokens::DefinitionId;
use crate::preprocess::result::written::{Written, same_definition};
use crate::project::Define;
use crate::source::{FileId, Span, Symbol, Token, sym};
use crate::target::{Options, PassSet, predefined};

use super::walk::Walk;

/// The macros that the preprocessor computes, other than feature checks.
const BUILTINS: &[Symbol] = &[
    sym::LINE_MACRO,
    sym::FILE_MACRO,
    sym::COUNTER,
    sym::INCLUDE_LEVEL,
    sym::BASE_FILE,
    sym::DATE,
    sym::TIME,
    sym::TIMESTAMP,
    sym::PRAGMA_OPERATOR,
    sym::HAS_INCLUDE,
    sym::HAS_INCLUDE_NEXT,
];

/// Defines the macros of the preprocessor, the compiler and the command line.
pub(crate) fn predefine(walk: &mut Walk<'_>) {
    let (unit, all) = (walk.unit, walk.cursor.passes);
    let answers = unit.answers.as_deref();
    let own = checks_of(&unit.options);
    let has = |name: &&Symbol| match answers {
        Some(answers) => answers.names.contains(name.as_str()),
        None => own.contains(name),
    };
    for name in BUILTINS.iter().chain(FEATURE_CHECKS.iter().filter(has)) {
        let parsed =
            || (Written::Predefined(Arc::new([])), Meaning::Builtin(*name), Vec::new().into(), false);
        let id = unwritten(walk, *name, DefinitionSite::Builtin(*name, all), parsed);
        set_macro(walk, *name, all, id);
    }
    let options = Options { rdc: unit.rdc, ..unit.options.clone() };
    for one in predefined(&unit.passes, &options) {
        predefine_one(walk, &one.name, &one.value, one.passes.and(all));
    }
    for define in &unit.defines {
        match define {
            Define::Define(name, value) => predefine_one(walk, name, value, all),
            Define::Undef(name) => walk.macros.table.clear(Symbol::intern(name), PassSet(u64::MAX)),
        }
    }
}

fn predefine_one(walk: &mut Walk<'_>, name: &str, value: &str, passes: PassSet) {
    if let Some((parsed, tokens)) = definition::predefined(name, value) {
        let name = parsed.name.text;
        let site = DefinitionSite::Predefined(name, value.to_string(), passes);
        let Parsed { meaning, body, pastes, .. } = parsed;
        let id = unwritten(walk, name, site, || (Written::Predefined(tokens), meaning, body, pastes));
        set_macro(walk, name, passes, id);
    }
}

/// The macro of a site that is in no file.
fn unwritten(
    walk: &Walk<'_>,
    name: Symbol,
    site: DefinitionSite,
    parsed: impl FnOnce() -> (Written, Meaning, Arc<[definition::BodyToken]>, bool),
) -> MacroId {
    let passes = site.passes();
    let store = walk.macros.store;
    store.at(&site).unwrap_or_else(|| {
        store.intern(site, || {
            let (written, meaning, body, pastes) = parsed();
            let definition = Definition { name, at: None, group: None, passes, written, like: None };
            let definition = walk.common.registry.add_definition(definition);
            store.add(Macro { definition, at: None, meaning, body, pastes })
        })
    })
}

fn set_macro(walk: &mut Walk<'_>, name: Symbol, set: PassSet, id: MacroId) {
    walk.recorder.out.definitions.push(walk.macros.get(id).definition);
    match set == walk.cursor.passes {
        true => walk.macros.table.overwrite(name, set, id),
        false => walk.macros.table.set(name, set, id),
    }
    note_defined(walk, name, id);
}

/// Tells the survey of a macro.
pub(crate) fn note_defined(walk: &mut Walk<'_>, name: Symbol, id: MacroId) {
    if let Some(survey) = &mut walk.survey {
        let MacroState { table, store, .. } = &walk.macros;
        survey.add_macro(name, store.get(id), table, store);
    }
}

/// Records that `name` is about to change, if a token from before may still be expanded.
fn record_change(walk: &mut Walk<'_>, name: Symbol) {
    if !walk.pending.is_empty() {
        walk.macros.record_change(name);
    }
}

/// Carries out a `#define` whose macro name is the first of `tokens`.
pub(crate) fn define(
    walk: &mut Walk<'_>,
    tokens: &[Token],
    written: Written,
    file: FileId,
) -> Result<(), ProblemKind> {
    let set = walk.cursor.live;
    let (store, registry) = (walk.macros.store, &*walk.common.registry);
    // For all passes it makes the same macro in every walk.
    let whole = set == walk.cursor.passes;
    if whole
        && let Some(name) = tokens.first()
        && let Some(id) = store.at(&DefinitionSite::Written(file, name.offset, set))
    {
        record_change(walk, name.text);
        set_macro(walk, name.text, set, id);
        return Ok(());
    }
    let Parsed { name, meaning, body, pastes } = definition::parse(tokens, Some(file))?;
    let at = Some(Span { file, start: name.offset, end: name.end });
    let (site, name) = (DefinitionSite::Written(file, name.offset, set), name.text);
    record_change(walk, name);
    let like = if whole { None } else { same_in_other_passes(&mut walk.macros, registry, name, &written) };
    let group = walk.cursor.group.filter(|_| !whole);
    let make = || {
        let definition = registry.add_definition(Definition { name, at, group, passes: set, written, like });
        let used = like.unwrap_or(definition);
        (definition, store.add(Macro { definition: used, at, meaning, body, pastes }))
    };
    if whole {
        let id = store.intern(site, || make().1);
        set_macro(walk, name, set, id);
        return Ok(());
    }
    let (definition, made) = make();
    walk.recorder.out.definitions.push(definition);
    // The same directive again, for other passes.
    let cases = walk.macros.table.look_up(name).iter();
    let mut again = cases.map(|(_, id)| *id).filter(|id| {
        let known = store.get(*id);
        known.at == at && Some(known.definition) == like
    });
    let id = again.next().unwrap_or(made);
    if id == made {
        walk.reuse.partial.push(PartialMacro { name, site, made: (made, definition) });
    }
    walk.macros.table.set(name, set, id);
    note_defined(walk, name, id);
    Ok(())
}

/// The definition that a name has in some pass and that is the same as this one.
fn same_in_other_passes(
    macros: &mut MacroState<'_>,
    registry: &Registry,
    name: Symbol,
    written: &Written,
) -> Option<DefinitionId> {
    let store = macros.store;
    let known = macros.table.look_up(name).iter().map(|(_, id)| store.get(*id));
    let mut known = known.filter(|known| !matches!(known.meaning, Meaning::Builtin(_)));
    let is_same = |known: &&Macro| {
        let old = registry.definition(known.definition);
        same_definition(old.written.defined(), written.defined())
    };
    known.find(is_same).map(|known| known.definition)
}

/// Carries out an `#undef` at a place.
pub(crate) fn undefine(walk: &mut Walk<'_>, name: Symbol, at: Span) {
    let live = walk.cursor.live;
    let definitions = walk.macros.definitions(name, live);
    let had = definitions.cases().iter().filter(|(_, definition)| definition.is_some());
    let passes = had.fold(PassSet::EMPTY, |all, (passes, _)| all.or(*passes));
    if !passes.is_empty() {
        let group = walk.cursor.group;
        walk.recorder.out.undefinitions.push(Undefinition { name, at, group, passes });
        record_change(walk, name);
        walk.macros.table.clear(name, live);
    }
}

/// Carries out `#pragma push_macro`.
pub(crate) fn push_macro(walk: &mut Walk<'_>, name: Symbol, set: PassSet) {
    let scope = walk.scope(set);
    walk.reuse.dependencies.note_push(name, &walk.macros.table, scope);
    walk.macros.push(name, set);
}

/// Carries out `#pragma pop_macro`.
pub(crate) fn pop_macro(walk: &mut Walk<'_>, name: Symbol, set: PassSet) {
    let scope = walk.scope(set);
    walk.reuse.dependencies.note_pop(name, scope);
    let waiting = !walk.pending.is_empty();
    walk.macros.pop_macro(name, set, |macros, part| {
        if waiting {
            macros.record_change(name);
        }
        macros.table.clear(name, part);
    });
}

/// Gives the macros that conditionals gave to some passes the numbers that they had before; all passes take the same
/// way again.
pub(crate) fn reuse_partial_macros(walk: &mut Walk<'_>) {
    for one in std::mem::take(&mut walk.reuse.partial) {
        let (name, made) = (one.name, one.made);
        let open = &walk.cursor.conditionals;
        let open = |id| open.iter().find(|open| open.id == id).map(|open| &open.record);
        let reasons = Reasons { registry: &walk.common.registry, open: &open };
        let Some(old) = walk.common.partial.earlier(one, &reasons) else { continue };
        let mut cases = walk.macros.table.look_up(name).to_vec();
        if cases.iter().any(|(_, id)| *id == made.0) {
            for (_, id) in cases.iter_mut().filter(|(_, id)| *id == made.0) {
                *id = old.0;
            }
            walk.macros.table.redefine(name, &cases);
        }
        let definitions = walk.recorder.out.definitions.iter_mut().rev();
        definitions.filter(|id| **id == made.1).take(1).for_each(|id| *id = old.1);
    }
}
