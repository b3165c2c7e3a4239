//! Host code that a comparison of `__CUDA_ARCH__` chooses as if the host were an old GPU: the macro is not defined there and
//! counts as 0, and nothing in the conditional says that its author knew.
//!
//! In: tokens with presence conditions. Out: [`HostZeroFact`]s, for the bodies of host functions that both the host and
//! some device pass have, and for host functions that both define. Nothing is parsed.

use rustc_hash::FxHashSet;

use crate::preprocess::{Conditional, ConditionalId, GroupId, PpToken};
use crate::source::sym;
use crate::target::PassSet;
use crate::variance::{DeclKind, TopDeclaration};

use super::conditions::{asks_for_zero, comparisons_in};
use super::dump::Printer;
use super::host_bodies::{has_unexpanded_macro, host_function, is_within, kind, may_be_device, spelled_name};
use crate::facts::index::unit::IndexedUnit;
use crate::facts::model::HostZeroFact;

/// The conditionals in or around host functions of which the host takes a group by comparing 0, one fact for each.
pub(in crate::facts) fn host_zero(unit: &IndexedUnit<'_>, compared: PassSet) -> Vec<HostZeroFact> {
    let devices = compared.minus(PassSet::HOST);
    if !compared.meets(PassSet::HOST) || devices.is_empty() {
        return Vec::new();
    }
    let mut finder = Finder { unit, compared, seen: FxHashSet::default(), facts: Vec::new() };
    for (_, declaration) in unit.varying_of_project() {
        let has_bodies = matches!(declaration.kind, DeclKind::Function | DeclKind::Class);
        if !has_bodies || !declaration.passes.meets(PassSet::HOST) {
            continue;
        }
        if declaration.varies.presence && declaration.kind == DeclKind::Function {
            finder.whole(declaration);
        }
        if declaration.varies.tokens {
            finder.within(declaration);
        }
    }
    finder.facts
}

struct Finder<'f, 'u> {
    unit: &'f IndexedUnit<'u>,
    compared: PassSet,
    seen: FxHashSet<ConditionalId>,
    facts: Vec<HostZeroFact>,
}

impl Finder<'_, '_> {
    /// The conditionals in the bodies of a declaration's functions.
    fn within(&mut self, declaration: &TopDeclaration) {
        let unit = self.unit;
        let tokens = &unit.pp.tokens()[declaration.tokens.clone()];
        let mut last = None;
        let first = declaration.tokens.start;
        for index in unit.variance.partial.within(declaration.tokens.clone()).map(|index| index - first) {
            let token = &tokens[index];
            if token.passes.contains(declaration.passes) || unit.pp.system.contains(&token.at.file) {
                continue;
            }
            if last.replace(token.group) == Some(token.group) {
                continue;
            }
            let Some((id, taken)) = self.choosing(token.group) else { continue };
            if !self.seen.insert(id) {
                continue;
            }
            let own = |one: &&PpToken| self.is_in(one, id);
            let chosen: Vec<&PpToken> = tokens[index..].iter().filter(own).collect();
            let side = |host: bool| -> Vec<&PpToken> {
                let of_side = |one: &&&PpToken| one.passes.meets(PassSet::HOST) == host;
                chosen.iter().filter(of_side).copied().collect()
            };
            let runs = kind(&side(true)).is_some() || kind(&side(false)).is_some();
            let pass = token.passes.lowest().expect("a token has a pass");
            let before: Vec<&PpToken> = tokens[..index].iter().filter(|one| one.passes.has(pass)).collect();
            if let (true, Some(function)) = (runs, host_function(unit, declaration, &before)) {
                self.add(id, taken, function, spelled_name(&before, function));
            }
        }
    }

    /// The conditional that chooses between this definition of a host function and another.
    fn whole(&mut self, declaration: &TopDeclaration) {
        let unit = self.unit;
        let tokens = &unit.pp.tokens()[declaration.tokens.clone()];
        let Some((id, taken)) = tokens.first().and_then(|token| self.choosing(token.group)) else { return };
        let head = &tokens[..declaration.body - declaration.tokens.start];
        let for_host = |head: &[PpToken]| {
            let is_constant = |token: &PpToken| matches!(token.text.as_str(), "constexpr" | "consteval");
            let all: Vec<&PpToken> = head.iter().collect();
            !head.iter().any(|token| may_be_device(token) || is_constant(token))
                && !has_unexpanded_macro(&all, declaration)
        };
        let Some(name) = declaration.names.first().filter(|_| declaration.body < declaration.tokens.end)
        else {
            return;
        };
        let other = |top: &usize| {
            let other = &unit.variance.declarations[*top];
            let tokens = &unit.pp.tokens()[other.tokens.clone()];
            !other.passes.meets(PassSet::HOST)
                && other.kind == DeclKind::Function
                && other.body < other.tokens.end
                && for_host(&tokens[..other.body - other.tokens.start])
                && tokens.first().is_some_and(|token| self.is_in(token, id))
        };
        let alone = |top: &usize| {
            let other = &unit.variance.declarations[*top];
            for_host(&unit.pp.tokens()[other.tokens.start..other.body])
        };
        let named = unit.declaring_untracked(*name);
        let named_here = head.iter().find(|token| token.text == *name);
        if let Some(function) = named_here
            && for_host(head)
            && named.iter().any(other)
            && named.iter().all(alone)
            && !unit.pp.system.contains(&function.at.file)
            && self.seen.insert(id)
        {
            self.add(id, taken, function, name.to_string());
        }
    }

    /// The innermost conditional around a token of which the host enters a group by comparing 0, and that group.
    fn choosing(&self, mut group: Option<GroupId>) -> Option<(ConditionalId, GroupId)> {
        let unit = self.unit;
        while let Some(id) = group {
            let found = unit.pp.group(id);
            let conditional = unit.pp.conditional(found.conditional);
            if conditional.passes.meets(PassSet::HOST)
                && let Some(taken) = self.taken(conditional)
            {
                return Some((found.conditional, taken));
            }
            group = found.parent;
        }
        None
    }

    /// The group that the host takes, if some device pass takes another one, and the conditions compare the number of
    /// `__CUDA_ARCH__` and nothing in them asks whether there is one.
    fn taken(&self, conditional: &Conditional) -> Option<GroupId> {
        let pp = self.unit.pp;
        let reads = conditional.reads.iter();
        let mut varying = reads.filter(|read| read.definitions.varies()).map(|read| read.name);
        if !varying.all(|name| name == sym::CUDA_ARCH) {
            return None;
        }
        let texts = || conditional.groups.iter().map(|id| pp.group(*id).written.text());
        if texts().any(|text| asks_for_zero(&text)) || texts().all(|text| comparisons_in(&text).is_empty()) {
            return None;
        }
        let of_host = |id: &GroupId| pp.group(*id).passes.meets(PassSet::HOST);
        let taken = conditional.groups.iter().copied().find(of_host)?;
        let others = conditional.passes.and(self.compared).minus(pp.group(taken).passes);
        (!others.is_empty()).then_some(taken)
    }

    fn is_in(&self, token: &PpToken, conditional: ConditionalId) -> bool {
        let groups = &self.unit.pp.conditional(conditional).groups;
        groups.iter().any(|group| is_within(self.unit, token.group, *group))
    }

    fn add(&mut self, id: ConditionalId, taken: GroupId, function: &PpToken, name: String) {
        let pp = self.unit.pp;
        let conditional = pp.conditional(id);
        let opening = pp.group(*conditional.groups.first().expect("a conditional has a group"));
        let taken = pp.group(taken);
        self.facts.push(HostZeroFact {
            at: opening.directive,
            text: opening.written.text(),
            taken: taken.directive,
            taken_text: taken.written.text(),
            function: name,
            declared: function.at,
            like: taken.passes.and(self.compared).minus(PassSet::HOST),
            unlike: conditional.passes.and(self.compared).minus(taken.passes),
        });
    }
}

/// Prints for `dump`. A conditional that the host answers with 0: the passes that take its group, and the others.
pub(in crate::facts) fn print(to: &mut Printer<'_>, fact: &HostZeroFact) {
    let lines = vec![
        (PassSet::HOST.or(fact.like), fact.taken_text.clone()),
        (fact.unlike, "another group".to_string()),
    ];
    to.paragraph(&format!("host answers with 0 in {}", fact.function), fact.at, lines, None);
}
