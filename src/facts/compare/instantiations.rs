//! The sets of instantiations of kernel templates and device variable templates, compared across passes.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::source::{FileId, Symbol, sym};
use crate::target::PassSet;
use crate::variance::{DeclKind, Meanings, locals};

use super::cause;
use super::layouts::Uses;
use crate::facts::index::name_graph::{NameGraph, ReachingNames};
use crate::facts::index::token_facts::{TokenFacts, has_bases, is_word};
use crate::facts::index::tokens::Marked;
use crate::facts::index::unit::IndexedUnit;
use crate::facts::instantiate::relevance::operators;
use crate::facts::instantiate::walk::{Instantiation, Walk};
use crate::facts::lower::nodes::{CALL_OPERATOR, Detail};
use crate::facts::meaning::types::Spelling;
use crate::facts::meaning::view::View;
use crate::facts::model::{InstantiationFact, SignedCase, Site, UnitFacts};
use crate::facts::reuse::reusable::Reuse;
use crate::facts::reuse::roots::{Roots, SettledRoots};

/// Finds the instantiations that not every pass has, or whose signature differs, and tells `uses`
/// what classes kernels are given. The roots that were walked, if anything is in question.
pub(in crate::facts) fn instantiations(
    graph: &Graph<'_>,
    views: &[(PassSet, View<'_>)],
    compared: PassSet,
    uses: &mut Uses,
    facts: &mut UnitFacts,
    reuse: &mut Reuse<'_>,
) -> Option<Roots> {
    let unit = graph.unit;
    facts.looked_into.leading.clone_from(&graph.leading.names);
    let relevant = graph.in_question()?;
    let roots = graph.roots(&relevant);
    let question = Question { graph, views, relevant: &relevant, roots: &roots };
    let found = question.walked(facts, reuse, SettledRoots::LeftOut);
    let found = found.or_else(|| question.walked(facts, reuse, SettledRoots::HeaderWalks));
    let Found { mut all, open, uses: used, roots } = found?;
    uses.extend(used);
    for one in all.values_mut() {
        one.leave_out_overloads();
        one.passes = registered(one, compared);
    }
    let mut others: FxHashMap<&str, Others<'_>> = FxHashMap::default();
    for ((kernel, _), one) in all.iter().filter(|(_, one)| one.passes != compared) {
        let known = others.entry(kernel).or_default();
        if !known.examples.iter().any(|(passes, _)| *passes == one.passes) {
            known.examples.push((one.passes, &one.first.shown));
        }
        if !one.sure {
            known.open = known.open.or(one.passes);
        }
    }
    let none = Others::default();
    facts.instantiations = all
        .iter()
        .filter(|(_, one)| one.passes != compared || one.signatures.len() > 1)
        .map(|((kernel, _), one)| {
            let others = others.get(kernel.as_str()).unwrap_or(&none);
            fact(unit, kernel, one, others, Followed { compared, open })
        })
        .collect();
    Some(roots)
}

/// What walking all passes found.
struct Found {
    all: BTreeMap<(String, String), Merged>,
    /// The passes that were not followed to the end.
    open: PassSet,
    uses: Uses,
    roots: Roots,
}

/// What is walked for.
#[derive(Clone, Copy)]
struct Question<'q> {
    graph: &'q Graph<'q>,
    views: &'q [(PassSet, View<'q>)],
    /// The names that lead to kernels in question.
    relevant: &'q FxHashSet<Symbol>,
    roots: &'q [usize],
}

impl Question<'_> {
    /// Walks the roots in every pass; `None` if what settled roots make, which were left out, turns out to matter.
    fn walked(&self, facts: &mut UnitFacts, reuse: &mut Reuse<'_>, settled: SettledRoots) -> Option<Found> {
        let Question { graph, views, relevant, roots } = *self;
        let operators = operators(relevant);
        let mut walks: Vec<Walk<'_>> =
            views.iter().map(|(_, view)| Walk::new(view, relevant, &operators)).collect();
        let roots = Roots::begin(reuse, graph.unit, views, &mut walks, relevant, roots, settled);
        let (all, uses) = (BTreeMap::new(), Uses::default());
        let mut found = Found { all, open: PassSet::EMPTY, uses, roots };
        for ((passes, view), mut walk) in views.iter().zip(walks) {
            found.roots.finish(&mut walk, *passes);
            if walk.is_incomplete() {
                facts.incomplete = Some("the instantiations go deeper than the analysis follows".into());
            }
            if walk.is_incomplete() || view.spent() {
                found.open = found.open.or(*passes);
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
        // What roots that were left out make every pass has, whoever else makes it in some.
        for (kernel, key, parameters) in found.roots.made() {
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

/// How far the passes were followed.
#[derive(Clone, Copy)]
struct Followed {
    /// Those that are compared.
    compared: PassSet,
    /// Those of them that were not followed to the end.
    open: PassSet,
}

/// The instantiations of a kernel that not every pass has.
#[derive(Default)]
struct Others<'a> {
    /// An example of each set of passes.
    examples: Vec<(PassSet, &'a str)>,
    /// The passes that have some whose arguments are not known. Any may be the one that such a pass seems to lack.
    open: PassSet,
}

/// One instantiation in all passes.
struct Merged {
    first: Instantiation,
    passes: PassSet,
    sure: bool,
    sites: Vec<Site>,
    signatures: Vec<SignedCase>,
    trace: BTreeSet<usize>,
    /// How many ordinary lambdas precede those among the arguments, in the passes that count them.
    ordinary_before: Vec<(PassSet, Vec<usize>)>,
}

impl Merged {
    /// Overloads of one name have the same arguments and each their own signature. What all passes have is no
    /// difference, and an overload that is left alone is an instantiation that some passes lack.
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

/// The passes that have the instantiation under the name that is registered, which is the last target's.
/// Ordinary lambdas before one that is an argument are part of that name, and host code goes without.
fn registered(one: &Merged, compared: PassSet) -> PassSet {
    let last = compared.iter().last();
    let name = one.ordinary_before.iter().find(|(passes, _)| last.is_some_and(|last| passes.has(last)));
    let Some((_, name)) = name else { return one.passes };
    let others = one.ordinary_before.iter().filter(|(_, other)| other != name);
    others.fold(one.passes, |passes, (other, _)| passes.minus(other.minus(PassSet::HOST)))
}

fn merge(all: &mut BTreeMap<(String, String), Merged>, passes: PassSet, one: Instantiation) {
    let key = (one.kernel.clone(), one.key.clone());
    let numbers = one.ordinary_before.clone();
    let site = Site { passes, at: one.site, root: one.root };
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
    merged.ordinary_before.push((passes, numbers));
    merged.passes = merged.passes.or(passes);
    match merged.sites.iter_mut().find(|known| known.at == site.at && known.root == site.root) {
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
    others: &Others<'_>,
    Followed { compared, open }: Followed,
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
    let guards = sites.iter().flat_map(|site| [site.at, site.root]);
    let guarded = guards.filter_map(|place| cause::of_place(unit, place, compared)).next();
    // A guard round the mention itself takes it out of a pass whatever its arguments are.
    let sure = one.sure && !others.open.meets(missing) || guarded.is_some() && instead_is_empty;
    // Without a guard, a pass that was not followed to the end may have it all the same.
    let known = if guarded.is_some() { compared } else { compared.minus(open).or(one.passes) };
    let cause = guarded.or_else(|| cause::of_trace(unit, &one.trace, compared));
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
    }
}

/// Which declarations mention which names, restricted to names that can lead to a kernel template or a
/// device variable template.
pub(in crate::facts) struct Graph<'w> {
    unit: &'w IndexedUnit<'w>,
    links: NameGraph<'w>,
    token_facts: &'w TokenFacts,
    /// Through which kernel templates and device variable templates are reached.
    leading: ReachingNames,
}

impl<'w> Graph<'w> {
    pub(in crate::facts) fn new(unit: &'w IndexedUnit<'w>) -> Graph<'w> {
        let (links, token_facts) = (unit.links(), unit.token_facts());
        Graph { unit, links, token_facts, leading: links.closure(&token_facts.kernels()) }
    }

    /// How much of bodies tells what is instantiated: operators where the function of one leads to a kernel template, or
    /// where a function template that does is named without arguments.
    pub(in crate::facts) fn detail(&self) -> Detail {
        let operator = |name: &Symbol| {
            !is_word(*name) && name.as_str().starts_with("operator") && *name != Symbol::intern(CALL_OPERATOR)
        };
        let is_function = |name: &&Symbol| {
            self.unit.index_of(**name).iter().any(|top| {
                let kind = self.unit.variance.declarations[*top].kind;
                matches!(kind, DeclKind::Function | DeclKind::Prototype | DeclKind::Variable)
                    && self.token_facts.is_template(*top)
            })
        };
        let functions: FxHashSet<Symbol> = self.leading.names.iter().filter(is_function).copied().collect();
        let alone = |top: usize| {
            let range = self.unit.variance.declarations[top].tokens.clone();
            self.unit.pp.tokens()[range].windows(2).any(|pair| {
                functions.contains(&pair[0].text)
                    && !matches!(pair[1].text, sym::LESS | sym::LPAREN | sym::SCOPE)
                    && pair[1].text.as_str() != "<<"
            })
        };
        match self.leading.names.iter().any(operator) || self.mentioning(&functions).into_iter().any(alone) {
            true => Detail::Operators,
            false => Detail::Mentions,
        }
    }

    /// Of the names through which kernel templates are reached, those that lead to one whose instantiations may
    /// differ; `None` when there are no such kernels.
    fn in_question(&self) -> Option<FxHashSet<Symbol>> {
        let in_question = self.unit.in_question(&self.leading);
        (!in_question.is_empty()).then(|| self.links.closure(&in_question).names)
    }

    /// The declarations that mention one of the names.
    fn mentioning(&self, names: &FxHashSet<Symbol>) -> Vec<usize> {
        let mut mentions = vec![false; self.unit.variance.declarations.len()];
        names.iter().flat_map(|name| self.links.mentions(*name)).for_each(|top| mentions[top] = true);
        (0..mentions.len()).filter(|top| mentions[*top]).collect()
    }

    /// The declarations that may instantiate something in question by themselves.
    fn roots(&self, relevant: &FxHashSet<Symbol>) -> Vec<usize> {
        let mut roots = self.mentioning(relevant);
        roots.retain(|top| self.token_facts.may_be_a_root(*top));
        let mut ways = Ways {
            graph: self,
            relevant: Marked::of(relevant),
            main: self.unit.pp.files.first().copied(),
            meanings: Meanings::new(self.unit.pp.tokens(), self.unit.variance),
            tops: FxHashMap::default(),
            known: FxHashMap::default(),
        };
        roots.retain(|top| !ways.is_of_main(*top) || ways.leads(*top));
        roots
    }
}

/// Which declarations lead to kernel templates in question by what their names mean, not only by how they are spelled:
/// the project's `Shape` is not a library's. Asked of those in the main file.
struct Ways<'g> {
    graph: &'g Graph<'g>,
    relevant: Marked,
    main: Option<FileId>,
    meanings: Meanings<'g>,
    /// The declarations of names that do so.
    tops: FxHashMap<Symbol, Vec<usize>>,
    /// `None` while it is being found out.
    known: FxHashMap<usize, Option<bool>>,
}

impl Ways<'_> {
    fn is_of_main(&self, top: usize) -> bool {
        let unit = self.graph.unit;
        Some(unit.pp.tokens()[unit.variance.declarations[top].tokens.start].at.file) == self.main
    }

    /// In doubt it does.
    fn leads(&mut self, top: usize) -> bool {
        if let Some(known) = self.known.get(&top) {
            return known.unwrap_or(true);
        }
        self.known.insert(top, None);
        let leads = self.find(top);
        self.known.insert(top, Some(leads));
        leads
    }

    fn find(&mut self, top: usize) -> bool {
        let Graph { unit, token_facts, .. } = *self.graph;
        let declaration = &unit.variance.declarations[top];
        let own = &declaration.names[..declaration.declared];
        // What is named by these stands elsewhere.
        let of_another = matches!(declaration.kind, DeclKind::Instantiation | DeclKind::Using);
        if token_facts.is_template(top) && own.iter().any(|name| token_facts.is_kernel(*name)) {
            return true;
        }
        let names = token_facts.names(top).iter().copied();
        let names: Vec<Symbol> =
            names.filter(|name| self.relevant.has(*name) && (of_another || !own.contains(name))).collect();
        // `template void run(float *);` has the name of what it instantiates where it could declare one.
        let explicit = declaration.kind == DeclKind::Instantiation;
        if names.is_empty() || explicit || !self.is_of_main(top) || has_bases(unit.pp.tokens(), declaration) {
            return !names.is_empty();
        }
        for name in &names {
            if !self.tops.contains_key(name) {
                let all = unit.index_of(*name).iter().copied();
                let tops = all.filter(|other| self.leads(*other)).collect();
                self.tops.insert(*name, tops);
            }
        }
        let declaring = |name: Symbol| self.tops.get(&name).map(Vec::as_slice);
        let others =
            self.meanings.other_names(declaration, &locals(unit.pp.tokens(), declaration), declaring);
        names.iter().any(|name| !others.contains(name))
    }
}
