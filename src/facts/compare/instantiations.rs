//! The sets of instantiations of kernel templates and device variable templates, compared between passes.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::source::{FileId, Loc, Span, Symbol, sym};
use crate::target::PassSet;
use crate::variance::{DeclKind, Meanings, locals};

use super::cause;
use super::dump::{Line, Printer};
use super::layouts::Uses;
use super::mentions::{Searched, Unproved, is_of_gpus_on_the_host};
use super::usage::Followed;
use crate::facts::index::functions::{
    constructors_mention, conversions_mention, generic_lambdas_mention, operators_that_call,
    special_members_mention,
};
use crate::facts::index::leading_names::{LeadingNames, ReachingNames};
use crate::facts::index::name_graph::NameGraph;
use crate::facts::index::one_declaration::is_word;
use crate::facts::index::token_facts::{TokenFacts, has_bases, is_conversion_function};
use crate::facts::index::tokens::SymbolSet;
use crate::facts::index::unit::IndexedUnit;
use crate::facts::instantiate::effects::{Instantiation, LeftOut, SharedWalks};
use crate::facts::instantiate::relevance::Relevances;
use crate::facts::instantiate::walk::Walk;
use crate::facts::lower::nodes::{CALL_OPERATOR, Detail};
use crate::facts::meaning::types::Spelling;
use crate::facts::meaning::view::View;
use crate::facts::model::{
    BlindSpot, BlindSpotCause, InstantiationFact, ListedKernel, SignedCase, Site, UnitFacts,
};
use crate::facts::reuse::reusable::Reuse;
use crate::facts::reuse::roots::{Roots, SettledRoots};

/// Adds the facts about instantiations that not every pass has, or whose signature differs, and to `uses` the types of
/// their parameters. The roots that were walked; `None` if no kernel template is in question.
pub(in crate::facts) fn instantiations(
    graph: &KernelGraph<'_>,
    views: &[(PassSet, View<'_>)],
    compared: PassSet,
    uses: &mut Uses,
    facts: &mut UnitFacts,
    reuse: &mut Reuse<'_>,
) -> Option<Roots> {
    let unit = graph.unit;
    facts.looked_into.leading.clone_from(&graph.leading.names);
    let kernels = unit.kernels_in_question(&graph.leading);
    if kernels.is_empty() {
        return None;
    }
    let relevant = graph.name_graph.closure(&kernels).leading_names(graph.name_graph);
    let roots = graph.roots(&relevant);
    let pass_walks = PassWalks { graph, views, kernels: &kernels, relevant: &relevant, roots: &roots };
    let found = pass_walks.walk_all(reuse, SettledRoots::Skipped);
    let found = found.or_else(|| pass_walks.walk_all(reuse, SettledRoots::Walked));
    let found = found?;
    let unproved = pass_walks.unproved(&found, reuse);
    (facts.unproved, facts.blind_spots) = (unproved.mentions, unproved.blind_spots);
    let left_out = found.left_out(unit, &kernels).into_iter();
    facts.blind_spots.extend(left_out.filter(|spot| spot.varies || reuse.walks().is_none()));
    let WalkedPasses { mut all, unfinished, limited, guessed_enough, uses: used, roots, .. } = found;
    uses.extend(used);
    if limited {
        facts.incomplete = Some("the instantiations go deeper than the analysis follows".into());
    }
    for one in all.values_mut() {
        one.leave_out_overloads();
        one.passes = under_registered_name(one, compared);
    }
    let alike = all.values().filter(|one| one.passes == compared);
    let spots = alike.flat_map(|one| one.blind_spots()).filter(|spot| spot.varies || reuse.walks().is_none());
    facts.blind_spots.extend(spots);
    let mut others: FxHashMap<&str, OtherInstantiations<'_>> = FxHashMap::default();
    for ((kernel, _), one) in all.iter().filter(|(_, one)| one.passes != compared) {
        let known = others.entry(kernel).or_default();
        if !known.examples.iter().any(|(passes, _)| *passes == one.passes) {
            known.examples.push((one.passes, &one.first.shown));
        }
        if !one.sure {
            known.unresolved = known.unresolved.or(one.passes);
        }
    }
    // What a limit left as spelled in one pass may be what another pass resolved.
    let mut of_kernels: FxHashMap<&str, Vec<&Merged>> = FxHashMap::default();
    if views.iter().any(|(_, view)| view.is_left_open()) {
        all.iter().for_each(|((kernel, _), one)| of_kernels.entry(kernel).or_default().push(one));
    }
    let maybe_same = |kernel: &str, one: &Merged| {
        let same = of_kernels.get(kernel).into_iter().flatten().filter(|other| one.may_be(other));
        same.fold(PassSet::EMPTY, |all, other| all.or(other.passes)).minus(one.passes)
    };
    let unguessed = |one: &Merged| match one.sure {
        true => PassSet::EMPTY,
        false => guessed_enough.minus(one.passes),
    };
    for ((kernel, _), one) in all.iter().filter(|(_, one)| !one.sure && one.passes != compared) {
        // What a library does by itself is none of the project's, whether it is told or not known.
        let (is_open, is_unguessed) = (!maybe_same(kernel, one).is_empty(), !unguessed(one).is_empty());
        let is_of_project = |at: Span| !unit.pp.system.contains(&at.file);
        let by_project =
            cause::of_trace(unit, &one.trace, compared).is_some_and(|cause| is_of_project(cause.at));
        let is_told = |spot: &BlindSpot| is_open || is_unguessed && (by_project || is_of_project(spot.at));
        let spots = one.blind_spots().filter(is_told);
        facts.blind_spots.extend(spots.map(|spot| BlindSpot { varies: true, ..spot }));
    }
    let none = OtherInstantiations::default();
    facts.instantiations = all
        .iter()
        .filter(|(_, one)| one.passes != compared || one.signatures.len() > 1)
        .filter(|((kernel, _), one)| one.first.variable || !is_only_declared(unit, kernel))
        .map(|((kernel, _), one)| {
            let others = others.get(kernel.as_str()).unwrap_or(&none);
            let unfinished = unfinished.or(maybe_same(kernel, one)).or(unguessed(one));
            fact(unit, kernel, one, others, Completeness { compared, unfinished })
        })
        .collect();
    Some(roots)
}

/// All instantiations of kernel templates, whether or not the passes differ in them, and the places where a walk could
/// not tell which there are.
pub(in crate::facts) fn all_instantiations(
    graph: &KernelGraph<'_>,
    views: &[(PassSet, View<'_>)],
) -> (Vec<ListedKernel>, Vec<BlindSpot>) {
    let (kernels, relevant) = (graph.token_facts.kernels(), &graph.leading.leading_names(graph.name_graph));
    let roots = graph.roots(relevant);
    let pass_walks = PassWalks { graph, views, kernels: &kernels, relevant, roots: &roots };
    let reuse = &mut Reuse::new(None);
    let found = pass_walks.walk_all(reuse, SettledRoots::Walked).expect("no settled root was skipped");
    let Unproved { mentions, blind_spots: mut spots } = pass_walks.unproved(&found, reuse);
    spots.extend(found.left_out(graph.unit, &kernels));
    spots.extend(mentions.into_iter().map(|mention| BlindSpot {
        at: mention.at,
        name: mention.written,
        passes: mention.passes,
        why: mention.why,
        varies: true,
    }));
    let defined = found
        .all
        .into_iter()
        .filter(|((kernel, _), one)| !one.first.variable && !is_only_declared(graph.unit, kernel));
    let mut listed = Vec::new();
    for (_, one) in defined {
        spots.extend(one.blind_spots());
        // Overloads of one name have the same template arguments.
        listed.extend(one.signatures.into_iter().map(|case| ListedKernel {
            name: one.first.kernel.clone(),
            shown: one.first.shown.clone(),
            parameters: case.shown,
            passes: case.passes,
            sure: one.sure && case.sure,
            declared: case.at,
            sites: one.sites.clone(),
        }));
    }
    (listed, spots)
}

/// Whether no pass defines a kernel template. Then a use of it instantiates only its declaration, and the object that has
/// the definition has to have the instantiations ([temp.inst], [temp.explicit]).
fn is_only_declared(unit: &IndexedUnit<'_>, kernel: &str) -> bool {
    let name = Symbol::intern(kernel.rsplit("::").next().unwrap_or(kernel));
    let tops = unit.declaring(name);
    let declares = |top: &usize| unit.variance.declarations[*top].kind == DeclKind::Prototype;
    !tops.is_empty() && tops.iter().all(declares)
}

/// The instantiations that the walks of all passes found.
struct WalkedPasses {
    /// By template and canonical arguments.
    all: BTreeMap<(String, String), Merged>,
    /// The passes whose walks, or whose look-ups, stopped at a limit.
    unfinished: PassSet,
    /// Some walk stopped at a limit.
    limited: bool,
    /// The passes whose walks followed as many guesses as they may: of what another guess leads to, they may lack any.
    guessed_enough: PassSet,
    uses: Uses,
    roots: Roots,
    /// The mentions that the walks of some passes could not settle, by place.
    unsettled: BTreeMap<Span, (PassSet, BlindSpotCause)>,
    /// What the walks of some passes did not follow so that recursion ends, by place.
    left_out: BTreeMap<Span, (PassSet, LeftOut)>,
    /// The functions whose bodies were followed in some passes, by where their names begin.
    followed: FxHashMap<Loc, PassSet>,
    /// The mentions that the walk of some pass resolved or discarded.
    seen: FxHashSet<Span>,
}

/// The walks of all passes.
#[derive(Clone, Copy)]
struct PassWalks<'q> {
    graph: &'q KernelGraph<'q>,
    views: &'q [(PassSet, View<'q>)],
    /// The kernel templates in question.
    kernels: &'q FxHashSet<Symbol>,
    /// The leading names of these.
    relevant: &'q LeadingNames,
    roots: &'q [usize],
}

impl PassWalks<'_> {
    /// Walks the roots in every pass; `None` if settled roots were skipped and one of their instantiations has another
    /// signature by another root, so that they have to be walked too.
    fn walk_all(&self, reuse: &mut Reuse<'_>, settled: SettledRoots) -> Option<WalkedPasses> {
        let PassWalks { graph, views, relevant, roots, .. } = *self;
        let relevances = Relevances::new(graph.unit, relevant);
        let shared = SharedWalks::default();
        let shared = (views.len() > 1).then_some(&shared);
        let mut walks: Vec<Walk<'_>> =
            views.iter().map(|(_, view)| Walk::new(view, &relevances, shared)).collect();
        let roots = Roots::begin(reuse, graph.unit, views, &mut walks, relevant, roots, settled);
        let (all, uses) = (BTreeMap::new(), Uses::default());
        let mut found = WalkedPasses {
            all,
            unfinished: PassSet::EMPTY,
            limited: false,
            guessed_enough: PassSet::EMPTY,
            uses,
            roots,
            unsettled: BTreeMap::new(),
            left_out: BTreeMap::new(),
            followed: FxHashMap::default(),
            seen: FxHashSet::default(),
        };
        for ((passes, view), mut walk) in views.iter().zip(walks) {
            found.roots.finish(&mut walk, *passes);
            found.limited |= walk.is_incomplete();
            if walk.is_incomplete() || view.spent() {
                found.unfinished = found.unfinished.or(*passes);
            }
            if walk.history.has_guessed_enough() {
                found.guessed_enough = found.guessed_enough.or(*passes);
            }
            for (at, why) in walk.unsettled {
                let known = found.unsettled.entry(at).or_insert((PassSet::EMPTY, why));
                known.0 = known.0.or(*passes);
            }
            for (at, left_out) in walk.left_out {
                let known = found.left_out.entry(at).or_insert((PassSet::EMPTY, left_out));
                known.0 = known.0.or(*passes);
            }
            found.seen.extend(walk.seen);
            for at in walk.followed {
                let known = found.followed.entry(at).or_default();
                *known = known.or(*passes);
            }
            let suppressed = walk.suppressed;
            for one in walk.found {
                if !suppressed.contains(&(one.kernel.clone(), one.key.clone())) {
                    match one.parameters.as_slice() {
                        [ty] if one.variable => found.uses.variable(*passes, &one.shown, one.declared, ty),
                        parameters => found.uses.kernel(*passes, &one.shown, one.declared, parameters),
                    }
                    merge(&mut found.all, *passes, one);
                }
            }
        }
        // Every pass has the instantiations of skipped roots, whichever other roots cause them in some pass.
        for (kernel, key, parameters) in found.roots.settled_instantiations() {
            let key = (kernel.clone(), key.clone());
            if let Some(one) = found.all.get(&key) {
                if one.signatures.iter().any(|case| case.canonical != *parameters) {
                    return None;
                }
                found.all.remove(&key);
            }
        }
        Some(found)
    }
}

impl PassWalks<'_> {
    /// The mentions that the walks did not settle. Of a unit that is analysed repeatedly, only those by which the passes
    /// may differ.
    fn unproved(&self, found: &WalkedPasses, reuse: &Reuse<'_>) -> Unproved {
        let KernelGraph { unit, leading, .. } = self.graph;
        let kernels: FxHashSet<Symbol> =
            self.kernels.iter().copied().filter(|name| is_of_gpus_on_the_host(unit, *name)).collect();
        let searched = Searched {
            unit,
            relevant: self.relevant,
            kernels: &kernels,
            compared: self.views.iter().fold(PassSet::EMPTY, |all, (passes, _)| all.or(*passes)),
        };
        let functions = searched.functions();
        let of = |found: &WalkedPasses| {
            let WalkedPasses { followed, unsettled, seen, .. } = found;
            searched.unproved(leading, &functions, &Followed { functions: followed, unsettled, seen })
        };
        let mut all = of(found);
        if reuse.walks().is_some() {
            all.blind_spots.retain(|spot| spot.varies);
            if !all.mentions.is_empty() || !all.blind_spots.is_empty() {
                // Of roots that were not walked again it is not known what they led to.
                let again = self.walk_all(&mut Reuse::new(None), SettledRoots::Walked);
                all = of(&again.expect("no settled root was skipped"));
                all.blind_spots.retain(|spot| spot.varies);
            }
        }
        all
    }
}

/// For which passes the walks are complete.
#[derive(Clone, Copy)]
struct Completeness {
    /// The passes that are compared.
    compared: PassSet,
    /// Those of them whose walks stopped at a limit, or that have it spelled otherwise, it may be.
    unfinished: PassSet,
}

/// The instantiations of one template that not every pass has.
#[derive(Default)]
struct OtherInstantiations<'a> {
    /// An example of each set of passes.
    examples: Vec<(PassSet, &'a str)>,
    /// The passes with instantiations whose arguments were not resolved: any of these may be the one that the pass
    /// seems to lack.
    unresolved: PassSet,
}

impl WalkedPasses {
    /// What was not followed so that recursion ends: where passes may differ in it, or a kernel template is mentioned.
    /// Most of it is the library's, which by some name leads to everything.
    fn left_out(&self, unit: &IndexedUnit<'_>, kernels: &FxHashSet<Symbol>) -> Vec<BlindSpot> {
        let mentions = |top: usize| unit.token_facts().names(top).iter().any(|name| kernels.contains(name));
        // What a macro declares is in no declaration's text.
        let may_mention =
            |declared: Span| unit.around(declared).map(mentions).reduce(|one, other| one || other);
        let spot = |(at, (passes, left_out)): (&Span, &(PassSet, LeftOut))| {
            let varies = unit.partial(*at).next().is_some();
            (varies || may_mention(left_out.declared) != Some(false)).then(|| BlindSpot {
                at: *at,
                name: left_out.name.to_string(),
                passes: *passes,
                why: left_out.why,
                varies,
            })
        };
        self.left_out.iter().filter_map(spot).collect()
    }
}

/// One instantiation in all passes.
struct Merged {
    first: Instantiation,
    passes: PassSet,
    sure: bool,
    sites: Vec<Site>,
    signatures: Vec<SignedCase>,
    trace: BTreeSet<usize>,
    /// Per class of passes, the numbers of ordinary lambdas before those that are arguments
    /// ([`Instantiation::ordinary_before`]).
    ordinary_before: Vec<(PassSet, Vec<usize>)>,
}

impl Merged {
    /// Whether two instantiations of a template may be the same one, of which an argument was not resolved.
    fn may_be(&self, other: &Merged) -> bool {
        let (own, others) = (&self.first.resolved, &other.first.resolved);
        let all_known = own.iter().chain(others).all(Option::is_some);
        let may_agree = |(one, other): (&Option<String>, &Option<String>)| match (one, other) {
            (Some(one), Some(other)) => one == other,
            _ => true,
        };
        !all_known && own.len() == others.len() && own.iter().zip(others).all(may_agree)
    }

    /// The mentions whose template arguments were not resolved. They are compared by how they are made, which may mean
    /// different things to the passes if a name in it varies.
    fn blind_spots(&self) -> impl Iterator<Item = BlindSpot> {
        let spot = |site: &Site| BlindSpot {
            at: site.at,
            name: self.first.shown.clone(),
            passes: site.passes,
            why: BlindSpotCause::UnknownArgument,
            varies: self.first.varies,
        };
        self.sites.iter().filter(|_| !self.sure).map(spot)
    }

    /// Overloads of one name have the same key and each their own signature. Those that all passes have are no
    /// difference; if one remains, it is an instantiation that some passes lack.
    fn leave_out_overloads(&mut self) {
        let passes = self.passes;
        if self.signatures.len() > 1 {
            self.signatures.retain(|case| case.passes != passes);
            if let [only] = self.signatures.as_slice() {
                self.passes = only.passes;
                self.first.declared = only.at;
                if self.sites.iter().any(|site| site.passes != passes) {
                    self.sites.retain(|site| site.passes != passes);
                }
            }
        }
    }
}

/// The passes that have the instantiation under the mangled name that nvcc registers, which is that of the last target.
/// The number of ordinary lambdas before an extended lambda that is an argument is part of the name in device passes,
/// but not in the host pass.
fn under_registered_name(one: &Merged, compared: PassSet) -> PassSet {
    let last = compared.iter().last();
    let name = one.ordinary_before.iter().find(|(passes, _)| last.is_some_and(|last| passes.has(last)));
    let Some((_, name)) = name else { return one.passes };
    let others = one.ordinary_before.iter().filter(|(_, other)| other != name);
    others.fold(one.passes, |passes, (other, _)| passes.minus(other.minus(PassSet::HOST)))
}

fn merge(all: &mut BTreeMap<(String, String), Merged>, passes: PassSet, one: Instantiation) {
    let key = (one.kernel.clone(), one.key.clone());
    let (numbers, sure) = (one.ordinary_before.clone(), one.sure);
    let site = Site { passes, at: one.site, root: one.root, call: one.call };
    let list = |how: Spelling| one.parameters.iter().map(|ty| ty.text(how)).collect::<Vec<_>>().join(", ");
    let case = SignedCase {
        passes,
        canonical: list(Spelling::Canonical),
        shown: if one.variable { list(Spelling::Shown) } else { format!("({})", list(Spelling::Shown)) },
        sure: one.parameters.iter().all(crate::facts::meaning::types::Ty::is_sure),
        at: one.declared,
    };
    let merged = all.entry(key).or_insert_with(|| Merged {
        passes: PassSet::EMPTY,
        sure: one.sure,
        sites: Vec::new(),
        signatures: Vec::new(),
        trace: BTreeSet::new(),
        ordinary_before: Vec::new(),
        first: one,
    });
    merged.sure |= sure;
    merged.ordinary_before.push((passes, numbers));
    merged.passes = merged.passes.or(passes);
    match merged
        .sites
        .iter_mut()
        .find(|known| (known.at, known.call, known.root) == (site.at, site.call, site.root))
    {
        Some(known) => known.passes = known.passes.or(passes),
        None => merged.sites.push(site),
    }
    match merged.signatures.iter_mut().find(|known| known.canonical == case.canonical) {
        Some(known) => known.passes = known.passes.or(passes),
        None => merged.signatures.push(case),
    }
    merged.trace.extend(merged.first.trace.iter().copied());
}

fn fact(
    unit: &IndexedUnit<'_>,
    kernel: &str,
    one: &Merged,
    others: &OtherInstantiations<'_>,
    Completeness { compared, unfinished }: Completeness,
) -> InstantiationFact {
    let missing = compared.minus(one.passes);
    let instead: Vec<(PassSet, String)> = others
        .examples
        .iter()
        .filter(|(passes, _)| passes.meets(missing))
        .map(|(passes, shown)| (passes.and(missing), (*shown).to_string()))
        .collect();
    let instead_is_empty = instead.is_empty();
    let mut sites = one.sites.clone();
    sites.sort_by_key(|site| !site.passes.has(0));
    let is_of_system = |at: Span| unit.pp.system.contains(&at.file);
    // A conditional of the project tells more than one of the library's.
    let guards = sites.iter().flat_map(|site| match is_of_system(site.at) {
        true => [site.call, site.root, site.at],
        false => [site.at, site.call, site.root],
    });
    let guarded = guards.filter_map(|place| cause::of_place(unit, place, compared)).next();
    // A conditional around the mention itself takes it out of a pass, whatever its arguments are.
    let sure = one.sure && !others.unresolved.meets(missing) || guarded.is_some() && instead_is_empty;
    // Without such a conditional, a pass whose walk stopped at a limit may have it all the same.
    let known = if guarded.is_some() { compared } else { compared.minus(unfinished).or(one.passes) };
    let cause = guarded.or_else(|| cause::of_trace(unit, &one.trace, compared));
    let by_call = sites.first().is_some_and(|site| is_of_system(site.at) && !is_of_system(site.call))
        && cause.as_ref().is_some_and(|cause| !is_of_system(cause.at));
    InstantiationFact {
        kernel: kernel.to_string(),
        variable: one.first.variable,
        declared: one.first.declared,
        shown: one.first.shown.clone(),
        passes: one.passes,
        compared: known,
        sure,
        sites,
        instead,
        signatures: one.signatures.clone(),
        cause,
        by_call,
    }
}

/// The declarations of a unit from which kernel templates and device variable templates can be reached.
pub(in crate::facts) struct KernelGraph<'w> {
    unit: &'w IndexedUnit<'w>,
    name_graph: NameGraph<'w>,
    token_facts: TokenFacts<'w>,
    /// The leading names: those through which kernel templates and device variable templates are reached.
    leading: ReachingNames,
}

impl<'w> KernelGraph<'w> {
    pub(in crate::facts) fn new(unit: &'w IndexedUnit<'w>) -> KernelGraph<'w> {
        let (name_graph, token_facts) = (unit.name_graph(), unit.token_facts());
        KernelGraph { unit, name_graph, token_facts, leading: name_graph.closure(&token_facts.kernels()) }
    }

    /// The names that lead to kernel templates.
    pub(in crate::facts) fn leading(&self) -> &FxHashSet<Symbol> {
        &self.leading.names
    }

    /// The names that lead from code which GPUs alone run, if such code comes to a kernel template only by one of them that it
    /// spells: by no operator, no special member function and no generic lambda that it is given.
    pub(in crate::facts) fn spelled_on_device(&self) -> Option<FxHashSet<Symbol>> {
        let names = self.leading.leading_names(self.name_graph).on_device;
        let mut named = names.iter().flat_map(|name| self.token_facts.mentions(*name));
        let is_unspelled = names.iter().any(|name| !is_word(*name))
            || special_members_mention(self.unit, &names)
            || constructors_mention(self.unit, &names)
            || named.any(|top| self.token_facts.has_generic_lambda(top));
        (!is_unspelled).then_some(names)
    }

    /// The detail of bodies on which instantiations depend. Operators count if some operator function is a leading
    /// name, or if a function template that is one is named without arguments, so that its address may be taken.
    pub(in crate::facts) fn detail(&self) -> Detail {
        let operator = |name: &Symbol| {
            !is_word(*name)
                && !is_conversion_function(*name)
                && name.as_str().starts_with("operator")
                && *name != Symbol::intern(CALL_OPERATOR)
        };
        let is_function = |name: &&Symbol| {
            self.unit.declaring_untracked(**name).iter().any(|top| {
                let kind = self.unit.variance.declarations[*top].kind;
                matches!(kind, DeclKind::Function | DeclKind::Prototype | DeclKind::Variable)
                    && self.token_facts.is_template(*top)
            })
        };
        let mut functions: FxHashSet<Symbol> =
            self.leading.names.iter().filter(is_function).copied().collect();
        let is_data = |name: &&Symbol| {
            let mut classes = self.token_facts.having(**name).filter_map(|top| self.token_facts.class(top));
            classes.any(|class| class.static_data().contains(*name))
        };
        functions.extend(self.leading.names.iter().filter(is_data));
        let alone = |top: usize| {
            let range = self.unit.variance.declarations[top].tokens.clone();
            self.unit.pp.tokens()[range].windows(2).any(|pair| {
                functions.contains(&pair[0].text)
                    && !matches!(pair[1].text, sym::LESS | sym::LPAREN | sym::SCOPE)
                    && pair[1].text.as_str() != "<<"
            })
        };
        let converts = || conversions_mention(self.unit, &self.leading.names);
        match self.leading.names.iter().any(operator)
            || converts()
            || special_members_mention(self.unit, &self.leading.names)
            || (self.leading.names.contains(&Symbol::intern(CALL_OPERATOR))
                || generic_lambdas_mention(self.unit, &self.leading.names))
                && !operators_that_call(self.unit).is_empty()
            || self.leading.mentioning(self.name_graph, &functions).into_iter().any(alone)
        {
            true => Detail::Operators,
            false => Detail::Mentions,
        }
    }

    /// The roots from which a kernel template in question can be reached.
    fn roots(&self, leading: &LeadingNames) -> Vec<usize> {
        let LeadingNames { anywhere: relevant, in_system, .. } = leading;
        let mut roots = self.leading.mentioning(self.name_graph, relevant);
        let names = |top| self.token_facts.names(top).iter();
        let leads = |top| {
            !self.token_facts.is_of_system(top)
                || names(top).any(|name| in_system.contains(name)) && !self.unit.leads_nowhere(top, leading)
        };
        roots.retain(|top| self.token_facts.may_be_a_root(*top) && leads(*top));
        let mut search = MeaningSearch {
            graph: self,
            relevant: SymbolSet::of(relevant),
            main: self.unit.pp.files.first().copied(),
            meanings: Meanings::new(self.unit.pp.tokens(), self.unit.variance),
            tops: FxHashMap::default(),
            known: FxHashMap::default(),
        };
        roots.retain(|top| !search.is_of_main(*top) || search.reaches(*top));
        roots
    }
}

/// A search that excludes declarations of the main file whose names are only spelled like relevant names but denote
/// other entities: the project's `Shape` is not a library's.
struct MeaningSearch<'g> {
    graph: &'g KernelGraph<'g>,
    relevant: SymbolSet,
    main: Option<FileId>,
    meanings: Meanings<'g>,
    /// Per name, the declarations of it that reach a kernel template in question.
    tops: FxHashMap<Symbol, Vec<usize>>,
    /// The answers by declaration; `None` while one is being computed.
    known: FxHashMap<usize, Option<bool>>,
}

impl MeaningSearch<'_> {
    fn is_of_main(&self, top: usize) -> bool {
        let unit = self.graph.unit;
        Some(unit.pp.tokens()[unit.variance.declarations[top].tokens.start].at.file) == self.main
    }

    /// Whether a declaration reaches a kernel template in question; in doubt it does.
    fn reaches(&mut self, top: usize) -> bool {
        if let Some(known) = self.known.get(&top) {
            return known.unwrap_or(true);
        }
        self.known.insert(top, None);
        let reaches = self.reaches_by_meaning(top);
        self.known.insert(top, Some(reaches));
        reaches
    }

    /// The same, computed: whether it mentions a relevant name that does not denote another entity.
    fn reaches_by_meaning(&mut self, top: usize) -> bool {
        let KernelGraph { unit, token_facts, .. } = *self.graph;
        let declaration = &unit.variance.declarations[top];
        let own = &declaration.names[..declaration.declared];
        // The entities that these name are declared elsewhere.
        let of_another = matches!(declaration.kind, DeclKind::Instantiation | DeclKind::Using);
        if token_facts.is_template(top) && own.iter().any(|name| token_facts.is_kernel(*name)) {
            return true;
        }
        // Operators with operands of a class are used without their names ([over.match.oper]).
        let edges = |name: &Symbol| self.graph.leading.implicit_edges(*name).any(|to| self.relevant.has(to));
        if declaration.kind == DeclKind::Class && own.iter().any(edges) {
            return true;
        }
        let names = token_facts.names(top).iter().copied();
        // A constructor or destructor that is defined outside its class has the name of the class.
        let qualifiers = &declaration.names[declaration.declared..];
        let is_own = |name: &Symbol| !of_another && own.contains(name) && !qualifiers.contains(name);
        let names: Vec<Symbol> = names.filter(|name| self.relevant.has(*name) && !is_own(name)).collect();
        // `template void run(float *);` has the name of what it instantiates where it could declare one.
        let explicit = declaration.kind == DeclKind::Instantiation;
        if names.is_empty() || explicit || !self.is_of_main(top) || has_bases(unit.pp.tokens(), declaration) {
            return !names.is_empty();
        }
        for name in &names {
            if !self.tops.contains_key(name) {
                let all = unit.declaring_untracked(*name).iter().copied();
                let tops = all.filter(|other| self.reaches(*other)).collect();
                self.tops.insert(*name, tops);
            }
        }
        let declaring = |name: Symbol| self.tops.get(&name).map(Vec::as_slice);
        let others =
            self.meanings.other_names(declaration, &locals(unit.pp.tokens(), declaration), declaring);
        names.iter().any(|name| !others.contains(name))
    }
}

/// Prints for `dump`. An instantiation: who mentions it, and what other passes have instead.
pub(in crate::facts) fn print(to: &mut Printer<'_>, fact: &InstantiationFact) {
    let mut lines: Vec<Line> = Vec::new();
    for site in &fact.sites {
        let from = match site.root == site.at {
            true => String::new(),
            false => format!(", reached from {}", to.place(site.root)),
        };
        lines.push((site.passes, format!("mentioned at {}{from}", to.place(site.at))));
    }
    if fact.signatures.len() > 1 {
        lines.extend(fact.signatures.iter().map(|case| (case.passes, format!("takes {}", case.shown))));
    }
    if to.shows_all() {
        let instead = fact.instead.iter();
        lines.extend(instead.map(|(passes, shown)| (*passes, format!("has {shown} instead"))));
    }
    to.paragraph(&format!("instantiation {}", fact.shown), fact.declared, lines, fact.cause.as_ref());
}
