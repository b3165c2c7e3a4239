//! Semantic analysis: the kernels, variables, definitions, instantiations and class layouts of a unit, pass by pass.
//!
//! In: a preprocessed unit and the declarations that vary in it. Out: [`UnitFacts`], plain data in which every fact
//! says what each class of passes sees and how sure that is. Only declarations that variance reaches are parsed.
//! Knows nothing of rules.
//!
//! The rooms, each of which uses only those above it:
//!
//! * [`model`] is the facts as plain data.
//! * [`lower`] turns trees into declarations, types and expressions, and caches them by their tokens. It knows no pass.
//! * [`index`] finds declarations by name, and tells from tokens alone which kernel templates a name can reach.
//! * [`meaning`] resolves names, types and expressions in one pass. Its recursion stays inside.
//! * [`instantiate`] finds the instantiations that one root causes in one pass.
//! * [`reuse`] replays the walks of an earlier analysis of the unit. Deleting it changes time only.
//! * [`compare`] puts the passes side by side. Only here do passes meet.

mod model;
mod lower;
mod index;
mod meaning;
mod instantiate;
mod reuse;
mod compare;
#[cfg(test)]
mod tests;

use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::preprocess::{Preprocessed, preprocess};
use crate::project::{TranslationUnit, UnitKind};
use crate::source::{Sources, Symbol};
use crate::target::PassSet;
use crate::variance::{Variance, variance};

use compare::emitted::leading_names;
use compare::kernel_libraries::{Libraries, undeclared_calls};
use compare::table::{print, words_in_bodies};
use compare::undeclared::{given_to_macros, undeclared_launches};
use compare::{
    closures, conditions, custom, definitions, failures, guards, headers, host_builtins, host_code,
    host_values, host_zero, instantiations, instructions, kernels, layouts, numbers, own_macros,
};
use index::tokens::refine;
use index::unit::IndexedUnit;
use meaning::view::{Caches, View};
use reuse::reusable::Reuse;

pub use compare::host_builtins::asks_for_the_compiler;
pub use compare::host_values::may_hand_on;
pub use index::kept::KeptIndex;
pub use lower::memo::Memo;
pub use meaning::answers::Answers;
pub use model::*;
pub use reuse::equivalence::Reach;
pub use reuse::header_walks::HeaderWalks;
pub use reuse::reusable::Reusable;

/// The facts of a unit.
pub fn facts(
    translation: &TranslationUnit,
    preprocessed: &Preprocessed,
    variance: &Variance,
    memo: &Memo,
) -> UnitFacts {
    facts_with(translation, preprocessed, variance, memo, None, Reuse::new(None)).0
}

/// The facts of a unit that will be analysed again. Results of the last analysis that are still valid are reused; the
/// second value is what the next analysis can reuse. With `answers`, those of other units are taken over, and other units may
/// take over those of this one.
pub fn facts_again(
    translation: &TranslationUnit,
    preprocessed: &Preprocessed,
    variance: &Variance,
    memo: &Memo,
    answers: Option<&Answers>,
    last: &Reusable,
) -> (UnitFacts, Reusable) {
    facts_with(translation, preprocessed, variance, memo, answers, Reuse::new(Some(last)))
}

/// The facts in which the passes of a unit may differ, as text; with a pass, only the lines that concern that pass.
pub fn dump(translation: &TranslationUnit, sources: &Sources, pass: Option<usize>) -> String {
    let preprocessed = preprocess(translation, sources, &Arc::default());
    let compared = translation.passes.all().minus(preprocessed.stopped);
    let variance = variance(&preprocessed, compared);
    let facts = facts(translation, &preprocessed, &variance, &Memo::new());
    let shown = pass.map_or(translation.passes.all(), PassSet::single);
    print(&facts, &translation.passes, shown, sources)
}

/// All kernels of a unit by pass, whether or not the passes differ in them.
pub fn kernel_list(translation: &TranslationUnit, sources: &Sources) -> KernelList {
    let preprocessed = preprocess(translation, sources, &Arc::default());
    let compared = translation.passes.all().minus(preprocessed.stopped);
    if compared.is_empty() {
        return KernelList::default();
    }
    let (variance, memo) = (variance(&preprocessed, compared), Memo::new());
    let unit = IndexedUnit::new(&preprocessed, &variance, &memo, compared, None);
    let graph = instantiations::KernelGraph::new(&unit);
    prepare(&unit, &graph);
    let classes = classes(&unit, unit.all_written_sets());
    let views = views(&unit, lowered_classes(&unit, &classes), &Rc::default());
    let list = compare::kernel_list::kernel_list(&graph, &unit, &views, compared);
    KernelList { incomplete: cut_short(&unit, views.iter()), ..list }
}

/// Why something of a unit was not analysed: a limit on the work that its templates may make, or on how deep it nests.
fn cut_short<'v>(
    unit: &IndexedUnit<'_>,
    mut views: impl Iterator<Item = &'v (PassSet, View<'v>)>,
) -> Option<String> {
    if views.any(|(_, view)| view.spent()) {
        return Some("its templates take more look-ups than the analysis makes".into());
    }
    unit.too_deep.get().then(|| "a declaration is too long or nests too deep to be parsed".into())
}

/// Tells a unit what is lowered of its declarations.
fn prepare(unit: &IndexedUnit<'_>, graph: &instantiations::KernelGraph<'_>) {
    unit.detail.set(graph.detail());
    if let Some(names) = graph.spelled_on_device() {
        unit.on_device.set(names).expect("it is set once");
    }
}

/// A view for each class of passes.
fn views<'u>(
    unit: &'u IndexedUnit<'u>,
    classes: Vec<PassSet>,
    caches: &Rc<Caches>,
) -> Vec<(PassSet, View<'u>)> {
    let lowest = |class: PassSet| class.lowest().expect("a class has a pass");
    classes.into_iter().map(|class| (class, View::new(unit, lowest(class), caches))).collect()
}

fn facts_with(
    translation: &TranslationUnit,
    preprocessed: &Preprocessed,
    variance: &Variance,
    memo: &Memo,
    answers: Option<&Answers>,
    reuse: Reuse<'_>,
) -> (UnitFacts, Reusable) {
    if translation.passes.all().minus(preprocessed.stopped).is_empty() {
        return Default::default();
    }
    let compare = || compared(translation, preprocessed, variance, memo, answers, reuse);
    let of_directives =
        || (conditions::conditions(preprocessed), own_macros::own_macros(translation, preprocessed));
    let ((mut facts, reusable), (conditions, own_macros)) = rayon::join(compare, of_directives);
    (facts.conditions, facts.own_macros) = (conditions, own_macros);
    (facts, reusable)
}

/// The facts for which declarations are compared between passes: all but those of directives.
fn compared(
    translation: &TranslationUnit,
    preprocessed: &Preprocessed,
    variance: &Variance,
    memo: &Memo,
    answers: Option<&Answers>,
    mut reuse: Reuse<'_>,
) -> (UnitFacts, Reusable) {
    let compared = translation.passes.all().minus(preprocessed.stopped);
    let unit = IndexedUnit::new(preprocessed, variance, memo, compared, reuse.index());
    unit.stands_alone.set(translation.kind == UnitKind::Header);
    let is_repeated = reuse.walks().is_some();
    let classes = classes(&unit, unit.all_written_sets());
    let graph = (classes.len() > 1).then(|| instantiations::KernelGraph::new(&unit));
    if let Some(graph) = &graph {
        prepare(&unit, graph);
    }
    let caches = Rc::new(Caches::with(answers));
    let by_declarations = views(&unit, lowered_classes(&unit, &classes), &caches);
    let by_tokens = views(&unit, classes, &caches);
    if is_repeated {
        unit.looked_up.replace(Some(FxHashSet::default()));
    }
    let mut facts = UnitFacts { compared, ..UnitFacts::default() };
    let libraries = Libraries::of(&unit);
    if let Some(graph) = &graph {
        let mut uses = layouts::Uses::default();
        let mut too_deep = Vec::new();
        facts.kernels = kernels::kernels(&unit, &by_declarations, compared, &mut uses, &mut too_deep);
        facts.variables = kernels::variables(&unit, &by_declarations, compared, &mut uses, &mut too_deep);
        let roots = instantiations::instantiations(
            graph,
            &by_declarations,
            compared,
            &mut uses,
            &mut facts,
            &mut reuse,
        );
        facts.layouts = layouts::layouts(&unit, &by_declarations, uses, &mut too_deep);
        if let Some(roots) = roots {
            roots.keep(&unit, &by_declarations, &facts.layouts);
        }
        if translation.rdc {
            facts.definitions = definitions::definitions(&unit, &by_declarations, compared);
        }
        facts.blind_spots.extend(too_deep);
        let undeclared = undeclared_launches(&unit, compared).into_iter();
        let undeclared = undeclared.chain(undeclared_calls(&unit, &libraries, compared));
        let undeclared = undeclared.chain(given_to_macros(&unit, graph.leading(), compared));
        facts.blind_spots.extend(undeclared.filter(|spot| spot.varies || !is_repeated));
    }
    if translation.rdc || translation.options.shares_stubs() {
        // Even of a unit without differences: a text that all of its passes share may be another in another unit.
        facts.header_entities =
            headers::header_entities(&unit, translation, preprocessed.files.first().copied());
    }
    let last_name = |fact: &HeaderFact| Symbol::intern(fact.name.rsplit("::").next().unwrap_or(&fact.name));
    facts.looked_into.entities = facts.header_entities.iter().map(last_name).collect();
    facts.closures = closures::closures(&unit, compared);
    facts.host_code = host_code::host_code(&unit, compared);
    facts.is_for_devices_alone = facts.host_code.is_empty() && host_code::is_for_devices_alone(&unit);
    facts.host_zero = host_zero::host_zero(&unit, compared);
    facts.host_values = host_values::host_values(&unit, &by_tokens, compared);
    facts.looked_into.constants = host_values::constants(&unit);
    let found = custom::custom(&translation.custom, &unit, &by_tokens, compared, &mut facts.looked_into);
    (facts.custom, facts.custom_limits) = (found.facts, found.limits);
    facts.failures = failures::failures(translation, &unit, &by_tokens);
    facts.failures.extend(host_builtins::host_builtins(&unit, compared));
    let (words, taken) = instructions::TargetWords::new(preprocessed);
    (facts.instructions, facts.used) = instructions::instructions(&unit, translation, compared, &words);
    facts.guards = guards::guards(&unit, translation, compared, &words);
    facts.numbers = numbers::numbers(preprocessed, variance, compared, &taken);
    facts.looked_into.numbers = taken;
    facts.incomplete =
        facts.incomplete.or_else(|| cut_short(&unit, by_declarations.iter().chain(&by_tokens)));
    facts.looked_into.incomplete = facts.incomplete.is_some();
    facts.left_open = by_declarations.iter().chain(&by_tokens).any(|(_, view)| view.is_left_open());
    facts.error_bytes = unit.error_bytes();
    facts.looked_into.parsed = unit.parsed();
    facts.looked_into.words = words_in_bodies(&facts);
    facts.looked_into.words.extend(leading_names(&unit, &facts.looked_into.entities));
    facts.looked_into.words.extend(libraries.names());
    facts.looked_into.any_body |= libraries.may_have_any_name();
    facts.looked_into.words.extend(facts.host_values.iter().map(|fact| Symbol::intern(&fact.name)));
    caches.hand_on();
    let reusable = reuse.into_reusable(unit.kept());
    (facts, reusable)
}

/// The classes that are left if passes are told apart only by what is lowered. The host's class remains as it is: some
/// declarations mean another thing to it.
fn lowered_classes(unit: &IndexedUnit<'_>, classes: &[PassSet]) -> Vec<PassSet> {
    let Some(on_device) = unit.on_device.get() else { return classes.to_vec() };
    let of_host = classes.iter().copied().find(|class| class.meets(PassSet::HOST)).unwrap_or(PassSet::EMPTY);
    let all = self::classes(unit, unit.all_lowered_sets(on_device));
    let others = all.into_iter().map(|class| class.minus(of_host));
    let mut all: Vec<PassSet> = others.chain([of_host]).filter(|class| !class.is_empty()).collect();
    all.sort_by_key(|class| class.lowest());
    all
}

/// The passes in classes: two passes are in one class if both have all varying declarations and, of the sets of passes that
/// have some token of one, the same.
fn classes(unit: &IndexedUnit<'_>, mut sets: FxHashSet<PassSet>) -> Vec<PassSet> {
    for declaration in &unit.variance.declarations {
        if declaration.varies.presence {
            sets.insert(declaration.passes);
        }
        if declaration.varies.sizes {
            sets.insert(PassSet::HOST);
        }
    }
    let mut sets: Vec<PassSet> = sets.into_iter().map(|set| set.and(unit.compared)).collect();
    sets.sort();
    let mut classes = refine(unit.compared, sets.into_iter());
    classes.sort_by_key(|class| class.lowest());
    classes
}
