//! Nvcc's own macros where they do not do what their names say: misspelt in conditions, or defined by the project.
//!
//! In: a preprocessed unit, for its conditions and definitions. Out: [`MacroFact`]s, each place once. A name that some
//! directive of the unit's files defines, in a group that no pass enters too, is the project's own.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::preprocess::{Conditional, GroupId, Preprocessed, Written};
use crate::project::{Define, TargetOrigin, TranslationUnit, UnitKind};
use crate::source::{FileId, SourceFile, Span, Symbol, Token, sym};
use crate::target::{PassSet, is_own_macro, is_reserved, meant_macro};

use super::dump::Printer;
use crate::facts::model::{MacroFact, MacroFault};

/// The uses of nvcc's macros in the project that do not do what they say, by place.
pub(in crate::facts) fn own_macros(translation: &TranslationUnit, pp: &Preprocessed) -> Vec<MacroFact> {
    let mut found: BTreeMap<Span, MacroFact> = BTreeMap::new();
    misspelt(translation, pp, &mut found);
    let for_hip = is_for_hip(pp);
    let mut add = |at: Span, name: Symbol, text: String, fault: MacroFault, passes: PassSet| {
        if for_hip || is_set_aside(pp, at, name) {
            return;
        }
        let fact = MacroFact { at, name: name.to_string(), text, fault, passes };
        let known = found.entry(at).or_insert(fact);
        known.passes = known.passes.or(passes);
    };
    for definition in pp.definitions().into_iter().map(|id| pp.definition(id)) {
        let Some(at) = definition.at.filter(|at| !pp.system.contains(&at.file)) else { continue };
        if is_own_macro(definition.name.as_str()) {
            let text = format!("#define {}", definition.text());
            add(at, definition.name, text, MacroFault::Defined, definition.passes);
        }
    }
    for one in pp.undefinitions().iter().filter(|one| !pp.system.contains(&one.at.file)) {
        if is_own_macro(one.name.as_str()) {
            add(one.at, one.name, format!("#undef {}", one.name), MacroFault::Undefined, one.passes);
        }
    }
    let mut facts: Vec<MacroFact> = found.into_values().collect();
    facts.extend(options(translation, pp));
    facts
}

/// Whether a unit asks for HIP's headers: another compiler than nvcc reads it, and CUDA's macros are the project's there.
fn is_for_hip(pp: &Preprocessed) -> bool {
    pp.missing.iter().any(|one| one.header.trim_start_matches(['<', '"']).starts_with("hip/"))
        || !pp.definitions_of(Symbol::intern("HIP_VERSION_MAJOR")).is_empty()
}

/// Whether a directive stands between a `push_macro` and a `pop_macro` of the macro: its author gives it back.
fn is_set_aside(pp: &Preprocessed, at: Span, name: Symbol) -> bool {
    let Some(file) = files(pp).into_iter().find(|file| file.id == at.file) else { return false };
    let (mut pushed, mut popped) = (false, false);
    for index in 0..file.sections().directives() {
        let [_, pragma, action, _, named, ..] = file.directive(index) else { continue };
        if pragma.text == sym::PRAGMA && named.text.as_str().trim_matches('"') == name.as_str() {
            pushed |= action.text == sym::PUSH_MACRO && named.offset < at.start;
            popped |= action.text == sym::POP_MACRO && named.offset > at.start;
        }
    }
    pushed && popped
}

/// The definitions by options of the command that compiles a source. They stand at its beginning.
fn options(translation: &TranslationUnit, pp: &Preprocessed) -> Vec<MacroFact> {
    let Some(main) = pp.files.first().filter(|_| translation.kind == UnitKind::Source) else {
        return Vec::new();
    };
    let at = Span { file: *main, start: 0, end: 0 };
    let fact = |define: &Define| {
        let (name, text) = match define {
            Define::Define(name, value) => (name, format!("-D{name}={value}")),
            Define::Undef(name) => (name, format!("-U{name}")),
        };
        let passes = translation.passes.all();
        let fact = MacroFact { at, name: name.clone(), text, fault: MacroFault::Option, passes };
        is_own_macro(name).then_some(fact)
    };
    translation.defines.iter().filter_map(fact).collect()
}

/// The misspelt names in conditions that some pass reads and nothing defines.
fn misspelt(translation: &TranslationUnit, pp: &Preprocessed, found: &mut BTreeMap<Span, MacroFact>) {
    let mut meant: FxHashMap<Symbol, Option<String>> = FxHashMap::default();
    let mut suspects: Vec<(&Conditional, Symbol, String)> = Vec::new();
    let of_project = |id: &GroupId| !pp.system.contains(&pp.group(*id).directive.file);
    for conditional in pp.conditionals().into_iter().filter(|one| one.groups.iter().any(of_project)) {
        for read in conditional.reads.iter() {
            let means = meant.entry(read.name).or_insert_with(|| meant_macro(read.name.as_str()));
            if let Some(means) = means {
                suspects.push((conditional, read.name, means.clone()));
            }
        }
    }
    if suspects.is_empty() {
        return;
    }
    let files = files(pp);
    let mut defined: FxHashMap<Symbol, bool> = FxHashMap::default();
    for (conditional, name, means) in suspects {
        let is_defined =
            || !pp.definitions_of(name).is_empty() || files.iter().any(|file| defines(file, name));
        if *defined.entry(name).or_insert_with(is_defined) {
            continue;
        }
        let told = matches!(translation.origin, TargetOrigin::Database(_)) && pp.missing.is_empty();
        let sure = is_reserved(name.as_str()) || told;
        for (at, text) in places(pp, conditional, name) {
            let fault = MacroFault::Misspelt { meant: means.clone(), sure };
            let fact = MacroFact { at, name: name.to_string(), text, fault, passes: conditional.passes };
            let known = found.entry(at).or_insert(fact);
            known.passes = known.passes.or(conditional.passes);
        }
    }
}

/// Where the conditions of a conditional name a macro, in the project: in its directives, or in the definitions of
/// macros that these expand.
fn places(pp: &Preprocessed, conditional: &Conditional, name: Symbol) -> Vec<(Span, String)> {
    let mut places = Vec::new();
    let groups = conditional.groups.iter().map(|id| pp.group(*id));
    for group in groups.filter(|group| !pp.system.contains(&group.directive.file)) {
        let tokens = group.written.tokens();
        places.extend(named(tokens, name, group.directive).map(|at| (at, group.written.text())));
    }
    if !places.is_empty() {
        return places;
    }
    let read = conditional.reads.iter().flat_map(|read| read.definitions.cases());
    for definition in read.filter_map(|(_, definition)| *definition).map(|id| pp.definition(id)) {
        let Some(at) = definition.at.filter(|at| !pp.system.contains(&at.file)) else { continue };
        let text = format!("#define {}", definition.text());
        places.extend(named(definition.written.tokens(), name, at).map(|at| (at, text.clone())));
    }
    places
}

fn named(tokens: &[Token], name: Symbol, within: Span) -> impl Iterator<Item = Span> {
    let named = tokens.iter().filter(move |token| token.text == name);
    named.map(move |token| Span { file: within.file, start: token.offset, end: token.end })
}

/// The files of the unit that have conditionals. Any directive that some pass skips is in one of them.
fn files(pp: &Preprocessed) -> Vec<Arc<SourceFile>> {
    let mut seen: FxHashSet<FileId> = FxHashSet::default();
    let mut files = Vec::new();
    for conditional in pp.conditionals() {
        let Some(group) = conditional.groups.first().map(|id| pp.group(*id)) else { continue };
        if let Written::Directive(file, _) = &group.written
            && seen.insert(file.id)
        {
            files.push(Arc::clone(file));
        }
    }
    files
}

/// Whether a directive of the file defines a macro, whoever enters its group.
fn defines(file: &SourceFile, name: Symbol) -> bool {
    file.text.contains(name.as_str())
        && (0..file.sections().directives()).any(|index| {
            matches!(file.directive(index), [_, define, named, ..] if define.text == sym::DEFINE && named.text == name)
        })
}

/// Prints for `dump`. A use of one of nvcc's macros: the passes that meet it.
pub(in crate::facts) fn print(to: &mut Printer<'_>, fact: &MacroFact) {
    let lines = vec![(fact.passes, fact.fault.to_string())];
    to.paragraph(&format!("macro {}", fact.name), fact.at, lines, None);
}
