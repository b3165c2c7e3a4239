//! The sets of instantiations of kernel templates and device variable templates, compared across passes.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::preprocess::PpToken;
use crate::source::{Symbol, sym};
use crate::target::PassSet;
use crate::variance::{DeclKind, MemberFunction, member_functions};

use super::instantiate::{Instantiation, Walk};
use super::layouts::Uses;
use super::lookup::View;
use super::lower::{CALL_OPERATOR, Detail};
use super::types::Spelling;
use super::walked::{Walked, walk_headers};
use super::world::{World, identifiers};
use super::{InstantiationFact, SignedCase, Site, UnitFacts, cause, header_has, header_varies};

/// Finds the instantiations that not every pass has, or whose signature differs, and tells `uses`
/// what classes kernels are given.
pub(super) fn instantiations(
    graph: &Graph<'_>,
    views: &[(PassSet, View<'_>)],
    compared: PassSet,
    uses: &mut Uses,
    facts: &mut UnitFacts,
    last: Option<&[Arc<Walked>]>,
) {
    let world = graph.world;
    facts.looked_into.leading.clone_from(&graph.leading);
    let Some(relevant) = graph.in_question(&facts.looked_into.leading) else {
        return;
    };
    let roots: Vec<usize> =
        graph.mentioning(&relevant).into_iter().filter(|top| may_be_a_root(world, *top)).collect();
    let mut all: BTreeMap<(String, String), Merged> = BTreeMap::new();
    // Of passes that were not followed to the end.
    let mut open = PassSet::EMPTY;
    let mut walks: Vec<Walk<'_>> = views.iter().map(|(_, view)| Walk::new(view, &relevant)).collect();
    let mut done = 0;
    if let Some(last) = last {
        (done, facts.walked) = walk_headers(world, views, &mut walks, &relevant, &roots, last);
    }
    let rest = &roots[roots.partition_point(|top| *top < done)..];
    for ((passes, view), mut walk) in views.iter().zip(walks) {
        for top in rest.iter().filter(|top| world.variance.declarations[**top].passes.has(view.pass)) {
            walk.root(*top);
        }
        walk.finish();
        if walk.incomplete {
            facts.incomplete = Some("the instantiations go deeper than the analysis follows".into());
        }
        if walk.incomplete || view.spent() {
            open = open.or(*passes);
        }
        let suppressed = walk.suppressed;
        for one in walk.found {
            if !suppressed.contains(&(one.kernel.clone(), one.key.clone())) {
                match one.parameters.as_slice() {
                    [ty] if one.variable => uses.variable(*passes, &one.shown, one.declared, ty),
                    parameters => uses.kernel(*passes, &one.shown, one.declared, parameters),
                }
                merge(&mut all, *passes, one);
            }
        }
    }
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
            fact(world, kernel, one, others, Followed { compared, open })
        })
        .collect();
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
        sure: one.parameters.iter().all(super::types::Ty::is_sure),
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
    world: &World<'_>,
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
    let guarded = guards.filter_map(|place| cause::of_place(world, place, compared)).next();
    // A guard round the mention itself takes it out of a pass whatever its arguments are.
    let sure = one.sure && !others.open.meets(missing) || guarded.is_some() && instead_is_empty;
    // Without a guard, a pass that was not followed to the end may have it all the same.
    let known = if guarded.is_some() { compared } else { compared.minus(open).or(one.passes) };
    let cause = guarded.or_else(|| cause::of_trace(world, &one.trace, compared));
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
pub(super) struct Graph<'w> {
    world: &'w World<'w>,
    /// The names through which kernel templates and device variable templates are reached.
    leading: FxHashSet<Symbol>,
    /// Names of kernel templates and device variable templates.
    kernels: FxHashSet<Symbol>,
    /// Names to the declarations that mention them.
    mentions: FxHashMap<Symbol, Vec<usize>>,
    /// The member functions that each class defines, in any of its passes.
    members: FxHashMap<usize, Vec<MemberFunction>>,
    /// Per declaration, whether what it mentions is instantiated through its own names.
    passes_on: Vec<bool>,
    /// Names whose uses may call what is named by no word, such as operators: the classes of their operands, and what
    /// has or gives objects of these. Each with the names that it leads to.
    operated: RefCell<FxHashMap<Symbol, BTreeSet<Symbol>>>,
}

impl<'w> Graph<'w> {
    pub(super) fn new(world: &'w World<'w>) -> Graph<'w> {
        let declarations = &world.variance.declarations;
        let mut kernels = FxHashSet::default();
        let mut passes_on = vec![false; declarations.len()];
        let mut candidates: FxHashSet<Symbol> = FxHashSet::default();
        let mut members = FxHashMap::default();
        for (top, declaration) in declarations.iter().enumerate() {
            let is_template = is_template(world, top);
            let words: &[Symbol] = match declaration.kind {
                DeclKind::Function | DeclKind::Prototype => &[sym::GLOBAL],
                DeclKind::Variable => &[sym::DEVICE, sym::CONSTANT, sym::MANAGED],
                _ => &[],
            };
            if is_template && header_has(world, top, words) {
                kernels.extend(declaration.names.first().copied());
            }
            passes_on[top] = (is_template && declaration.kind != DeclKind::Instantiation)
                || matches!(declaration.kind, DeclKind::Class | DeclKind::Alias);
            if passes_on[top] {
                candidates.extend(declaration.names.iter().copied());
            }
            if declaration.kind == DeclKind::Class {
                let own = member_functions_of(world, top);
                candidates.extend(own.iter().filter_map(|member| member.name));
                members.insert(top, own);
            }
        }
        let mut mentions: FxHashMap<Symbol, Vec<usize>> = FxHashMap::default();
        if !kernels.is_empty() {
            for (top, declaration) in declarations.iter().enumerate() {
                for name in identifiers(&world.pp.tokens()[declaration.tokens.clone()]) {
                    if candidates.contains(&name) {
                        let list = mentions.entry(name).or_default();
                        if list.last() != Some(&top) {
                            list.push(top);
                        }
                    }
                }
            }
        }
        let leading = FxHashSet::default();
        let operated = RefCell::default();
        let mut graph = Graph { world, leading, kernels, mentions, members, passes_on, operated };
        graph.leading = graph.closure(graph.kernels.clone());
        graph
    }

    /// How much of bodies tells what is instantiated: operators where the function of one leads to a kernel template, or
    /// where a function template that does is named without arguments.
    pub(super) fn detail(&self) -> Detail {
        let operator = |name: &Symbol| {
            !is_word(*name) && name.as_str().starts_with("operator") && *name != Symbol::intern(CALL_OPERATOR)
        };
        let is_function = |name: &&Symbol| {
            self.world.declaring(**name).iter().any(|top| {
                let kind = self.world.variance.declarations[*top].kind;
                matches!(kind, DeclKind::Function | DeclKind::Prototype) && is_template(self.world, *top)
            })
        };
        let functions: FxHashSet<Symbol> = self.leading.iter().filter(is_function).copied().collect();
        let alone = |top: usize| {
            let range = self.world.variance.declarations[top].tokens.clone();
            self.world.pp.tokens()[range].windows(2).any(|pair| {
                functions.contains(&pair[0].text)
                    && !matches!(pair[1].text, sym::LESS | sym::LPAREN | sym::SCOPE)
                    && pair[1].text.as_str() != "<<"
            })
        };
        match self.leading.iter().any(operator) || self.mentioning(&functions).into_iter().any(alone) {
            true => Detail::Operators,
            false => Detail::Mentions,
        }
    }

    /// Of the names through which kernel templates are reached, those that lead to one whose instantiations may
    /// differ; `None` when there are no such kernels.
    fn in_question(&self, relevant: &FxHashSet<Symbol>) -> Option<FxHashSet<Symbol>> {
        let mut questioned: FxHashSet<Symbol> = FxHashSet::default();
        let mut todo: Vec<Symbol> = Vec::new();
        for top in self.mentioning(relevant) {
            if self.tainted(top) {
                todo.extend(self.mentioned(top, relevant));
            }
        }
        let has_lambda = |top: &usize| {
            has_generic_lambda(&self.world.pp.tokens()[self.world.variance.declarations[*top].tokens.clone()])
        };
        let with_lambdas: Vec<usize> = self
            .mentioning(relevant)
            .into_iter()
            .filter(|top| has_lambda(top) && !self.tainted(*top))
            .collect();
        if !with_lambdas.is_empty() && self.hands_on_by_pass() {
            todo.extend(with_lambdas.iter().flat_map(|top| self.mentioned(*top, relevant)));
        }
        // Downwards, from what varies to the kernels it leads to.
        let mut seen: FxHashSet<Symbol> = FxHashSet::default();
        while let Some(name) = todo.pop() {
            if !seen.insert(name) {
                continue;
            }
            if self.kernels.contains(&name) {
                questioned.insert(name);
            }
            for top in self.world.declaring(name) {
                if self.passes_on[*top] && !header_has(self.world, *top, &[sym::GLOBAL]) {
                    todo.extend(self.mentioned(*top, relevant));
                }
            }
            todo.extend(self.operated.borrow().get(&name).into_iter().flatten().copied());
        }
        (!questioned.is_empty()).then(|| self.closure(questioned))
    }

    /// Whether a function template that host code can call varies by pass. It may give a lambda that is handed to
    /// it arguments that do.
    fn hands_on_by_pass(&self) -> bool {
        let declarations = &self.world.variance.declarations;
        (0..declarations.len()).any(|top| {
            let device_only =
                || header_has(self.world, top, &[sym::DEVICE]) && !header_has(self.world, top, &[sym::HOST]);
            declarations[top].kind == DeclKind::Function
                && self.passes_on[top]
                && declarations[top].varies.any()
                && !header_has(self.world, top, &[sym::GLOBAL])
                && !device_only()
        })
    }

    /// `names` and every name whose declaration leads to one of them.
    fn closure(&self, names: FxHashSet<Symbol>) -> FxHashSet<Symbol> {
        let mut todo: Vec<Symbol> = names.iter().copied().collect();
        let mut closure = names;
        while let Some(name) = todo.pop() {
            for top in self.mentions.get(&name).map_or(&[][..], Vec::as_slice) {
                for own in self.passed_on(*top, name) {
                    if closure.insert(own) {
                        todo.push(own);
                    }
                }
            }
        }
        closure
    }

    /// Notes that uses of `name` may lead to `to`.
    fn operates(&self, name: Symbol, to: Symbol) {
        self.operated.borrow_mut().entry(name).or_default().insert(to);
    }

    /// Whether a class mentions a name where it has an object of it, or is derived from it: outside its functions.
    fn consists_of(&self, top: usize, name: Symbol) -> bool {
        let declaration = &self.world.variance.declarations[top];
        let functions = || self.members.get(&top).into_iter().flatten();
        let tokens = &self.world.pp.tokens()[declaration.tokens.clone()];
        tokens.iter().zip(declaration.tokens.clone()).any(|(token, at)| {
            token.text == name && !functions().any(|one| (one.head.start..one.body.end).contains(&at))
        })
    }

    /// The names through which a declaration's mention of `name` is reached: a template's or an alias's
    /// own; for a class also the member functions it is mentioned in. The members of a class that is
    /// no template are ordinary bodies and need not be reached, except member templates; an operator that is one is
    /// reached through objects, whose class is named where they are made.
    fn passed_on(&self, top: usize, name: Symbol) -> Vec<Symbol> {
        let declaration = &self.world.variance.declarations[top];
        if !self.passes_on[top] {
            return Vec::new();
        }
        if declaration.kind != DeclKind::Class {
            let mut names = declaration.names.clone();
            // An operator is no word that a use could mention: its operands' classes are.
            if let Some(operator) = names.iter().copied().find(|name| !is_word(*name)) {
                let head = &self.world.pp.tokens()[declaration.tokens.start..declaration.body];
                let operands = identifiers(head).filter(|operand| self.is_class(*operand));
                let operands: BTreeSet<Symbol> = operands.collect();
                operands.iter().for_each(|operand| self.operates(*operand, operator));
                names.extend(operands);
            }
            return names;
        }
        let class_template = is_template(self.world, top);
        let mut names = if class_template { declaration.names.clone() } else { Vec::new() };
        // What a member of an object does is done to the whole.
        if !class_template && self.is_class(name) && self.consists_of(top, name) {
            declaration.names.iter().for_each(|whole| self.operates(*whole, name));
            names.extend(declaration.names.iter().copied());
        }
        for member in self.members.get(&top).into_iter().flatten() {
            let tokens = &self.world.pp.tokens()[member.head.start..member.body.end];
            if (class_template || member.in_template) && identifiers(tokens).any(|one| one == name) {
                names.extend(member.name);
                member.name.iter().for_each(|own| self.operates(*own, name));
                if !member.name.is_some_and(is_word) {
                    names.extend(declaration.names.iter().copied());
                }
            }
        }
        names
    }

    /// Whether a name is that of a class.
    fn is_class(&self, name: Symbol) -> bool {
        self.mentions.contains_key(&name)
            && self.world.declaring(name).iter().any(|top| {
                matches!(
                    self.world.variance.declarations[*top].kind,
                    DeclKind::Class | DeclKind::Forward | DeclKind::Alias
                )
            })
    }

    /// The declarations that mention one of the names.
    fn mentioning(&self, names: &FxHashSet<Symbol>) -> Vec<usize> {
        let tops: BTreeSet<usize> =
            names.iter().filter_map(|name| self.mentions.get(name)).flatten().copied().collect();
        tops.into_iter().collect()
    }

    fn mentioned(&self, top: usize, relevant: &FxHashSet<Symbol>) -> Vec<Symbol> {
        let range = self.world.variance.declarations[top].tokens.clone();
        let names: FxHashSet<Symbol> =
            identifiers(&self.world.pp.tokens()[range]).filter(|name| relevant.contains(name)).collect();
        names.into_iter().collect()
    }

    /// Whether what a declaration instantiates may differ between passes. A kernel's body only
    /// matters for what it launches in turn, which the host has no part in.
    fn tainted(&self, top: usize) -> bool {
        if header_has(self.world, top, &[sym::GLOBAL]) {
            return header_varies(self.world, top);
        }
        self.world.variance.declarations[top].varies.any()
    }
}

fn is_template(world: &World<'_>, top: usize) -> bool {
    let declaration = &world.variance.declarations[top];
    let tokens = world.pp.tokens();
    tokens[declaration.tokens.start].text == sym::TEMPLATE
        || is_abbreviated(&tokens[declaration.tokens.clone()], declaration.kind)
}

/// `void f(auto x)`: a function with a placeholder among its parameters is a template ([dcl.fct]/22).
fn is_abbreviated(tokens: &[PpToken], kind: DeclKind) -> bool {
    if !matches!(kind, DeclKind::Function | DeclKind::Prototype) {
        return false;
    }
    let mut depth = 0_i32;
    for token in tokens {
        match token.text {
            sym::LPAREN => depth += 1,
            sym::RPAREN => depth -= 1,
            sym::AUTO if depth > 0 => return true,
            sym::LBRACE | sym::SEMI if depth == 0 => return false,
            _ => {}
        }
    }
    false
}

fn is_word(name: Symbol) -> bool {
    name.as_str().chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// Whether a declaration may instantiate something by itself: no template does, nor does what only gives names.
fn may_be_a_root(world: &World<'_>, top: usize) -> bool {
    let declaration = &world.variance.declarations[top];
    let tokens = &world.pp.tokens()[declaration.tokens.clone()];
    let plain_template = match tokens {
        [first, second, third, ..] => {
            let everywhere = tokens[..3].iter().all(|token| token.passes.contains(declaration.passes));
            let head = first.text == sym::TEMPLATE && second.text == sym::LESS;
            head && third.text != sym::GREATER && everywhere
        }
        _ => false,
    };
    let only_names =
        matches!(declaration.kind, DeclKind::Alias | DeclKind::Using | DeclKind::Enum | DeclKind::Forward);
    !plain_template && !only_names
}

/// Whether a declaration has a lambda with template parameters: `[](auto x)`, `[]<int N>()`.
pub(super) fn has_generic_lambda(tokens: &[PpToken]) -> bool {
    let mut after = tokens.windows(2).enumerate().filter(|(_, pair)| pair[0].text == sym::RBRACKET);
    after.any(|(at, pair)| match pair[1].text {
        sym::LESS => true,
        sym::LPAREN => {
            let list = tokens[at + 2..].iter().take_while(|token| token.text != sym::RPAREN);
            list.into_iter().any(|token| token.text == sym::AUTO)
        }
        _ => false,
    })
}

/// The member functions that a class's body defines in any of its passes.
fn member_functions_of(world: &World<'_>, top: usize) -> Vec<MemberFunction> {
    let declaration = &world.variance.declarations[top];
    let classes = world.classes(top);
    let passes = classes.iter().filter_map(|class| class.lowest());
    passes.flat_map(|pass| member_functions(world.pp.tokens(), declaration, pass)).collect()
}
