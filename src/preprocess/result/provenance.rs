//! Provenance: the conditional that decides the presence condition of a token, and the chain of macros from there back
//! to `__CUDA_ARCH__`.
//!
//! In: a preprocessed unit. Out: groups and derivations. Knows nothing of declarations.

use rustc_hash::FxHashSet;

use crate::source::{Span, Symbol, TokenKind, sym};
use crate::target::PassSet;

use super::records::{Conditional, Definition, MacroRead};
use super::tokens::{DefinitionId, GroupId, PpToken};
use super::unit::Preprocessed;
use super::written::Written;

/// One step of a derivation, from a conditional back to a macro that nvcc predefines by pass.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct DerivationStep {
    /// The directive or definition, as written on one line: `#define FP16_AVAILABLE`,
    /// `#if __CUDA_ARCH__ >= 700`; `__CUDA_ARCH__` itself for the last step.
    pub text: String,
    /// Where it stands; `None` for a macro nvcc predefines.
    pub at: Option<Span>,
    /// The passes in which it is defined or entered.
    pub passes: PassSet,
}

impl Preprocessed {
    /// The group whose condition keeps `token` from some of `among`, if one does: the innermost
    /// one around the token's own place, else around the definition of a macro it came through, else
    /// around the definition of a macro of its name, which hides it from the other passes, else around
    /// an `#undef` of any of these macros.
    pub fn deciding_group(&self, token: &PpToken, among: PassSet) -> Option<GroupId> {
        self.narrow_group(token.group, among)
            .or_else(|| self.narrow_expansion(token, among))
            .or_else(|| self.hiding_definition(token, among))
            .or_else(|| self.undefining(token, among))
    }

    /// The innermost group from `group` outwards that some of `among` do not enter. Where all passes that reach its
    /// conditional enter it, as they do the include guard of a header that only they include, a group further out decides.
    fn narrow_group(&self, mut group: Option<GroupId>, among: PassSet) -> Option<GroupId> {
        let mut innermost = None;
        while let Some(id) = group {
            let found = self.group(id);
            if !found.passes.contains(among) {
                if !found.passes.contains(self.conditional(found.conditional).passes) {
                    return Some(id);
                }
                innermost.get_or_insert(id);
            }
            group = found.parent;
        }
        innermost
    }

    fn narrow_expansion(&self, token: &PpToken, among: PassSet) -> Option<GroupId> {
        let mut above = token.expansion;
        while let Some(id) = above {
            let expansion = self.expansion(id);
            let definition = self.definition(expansion.definition);
            if !definition.passes.contains(among)
                && !self.passes_of(expansion.definition).contains(among)
                && let Some(group) = self.narrow_group(definition.group, among)
            {
                return Some(group);
            }
            above = expansion.parent;
        }
        None
    }

    fn hiding_definition(&self, token: &PpToken, among: PassSet) -> Option<GroupId> {
        if token.kind != TokenKind::Identifier || token.passes.contains(among) {
            return None;
        }
        let others = among.minus(token.passes);
        let hiding = |definition: &&Definition| definition.passes.meets(others);
        let all = self.definitions_of(token.text);
        let mut found = all.iter().map(|id| self.definition(*id)).filter(hiding);
        found.find_map(|definition| self.narrow_group(definition.group, among))
    }

    fn undefining(&self, token: &PpToken, among: PassSet) -> Option<GroupId> {
        let mut names = vec![token.text];
        let mut above = token.expansion;
        while let Some(id) = above {
            let expansion = self.expansion(id);
            names.push(self.definition(expansion.definition).name);
            above = expansion.parent;
        }
        let found = self.undefinitions().iter().rev();
        let mut found = found.filter(|one| names.contains(&one.name) && one.passes.meets(among));
        found.find_map(|one| self.narrow_group(one.group, among))
    }

    /// The chain from a group's condition back to the predefined macro it depends on, the group's
    /// own directive first.
    pub fn derivation(&self, group: GroupId) -> Vec<DerivationStep> {
        let mut chain = Chain { unit: self, steps: Vec::new(), seen: FxHashSet::default() };
        chain.conditional(group);
        chain.steps
    }
}

struct Chain<'p> {
    unit: &'p Preprocessed,
    steps: Vec<DerivationStep>,
    seen: FxHashSet<(bool, usize)>,
}

impl Chain<'_> {
    /// A group's directive, then what its conditional read.
    fn conditional(&mut self, group: GroupId) {
        if !self.seen.insert((true, group.index())) {
            return;
        }
        let found = self.unit.group(group);
        let conditional = self.unit.conditional(found.conditional);
        self.steps.push(DerivationStep {
            text: found.written.text(),
            at: Some(found.directive),
            passes: found.passes,
        });
        // `#else` alone explains nothing: what opened the conditional does.
        let says_nothing = conditional.groups.first() != Some(&group) && is_else(&found.written);
        if says_nothing && let Some(first) = conditional.groups.first() {
            let opening = self.unit.group(*first);
            self.steps.push(DerivationStep {
                text: opening.written.text(),
                at: Some(opening.directive),
                passes: opening.passes,
            });
            self.seen.insert((true, first.index()));
        }
        self.reads(conditional);
        // No read varies when the conditional stands inside one that decides.
        if !conditional.reads.iter().any(|read| read.definitions.varies())
            && let Some(parent) = found.parent
            && self.unit.group(parent).passes != self.whole()
        {
            self.conditional(parent);
        }
    }

    fn whole(&self) -> PassSet {
        let first = self.unit.root.definitions.first();
        first.map_or(PassSet::EMPTY, |definition| self.unit.definition(*definition).passes)
    }

    fn reads(&mut self, conditional: &Conditional) {
        for read in conditional.reads.iter().filter(|read| read.definitions.varies()) {
            self.read(read);
        }
    }

    /// The definitions of a name that is not the same in all passes.
    fn read(&mut self, read: &MacroRead) {
        let mut cases: Vec<_> = read.definitions.cases().iter().collect();
        // As a reader of the source meets them.
        cases.sort_by_key(|(_, definition)| {
            let at = definition.and_then(|id| self.unit.definition(id).at);
            (definition.is_none(), at.map(|at| (at.file, at.start)))
        });
        for (passes, definition) in cases {
            match definition {
                Some(id) => self.definition(read.name, *id),
                None => self.undefinition(read.name, *passes),
            }
        }
    }

    /// The last `#undef` that took a name from `passes`, where not all passes met it.
    fn undefinition(&mut self, name: Symbol, passes: PassSet) {
        let found = self.unit.undefinitions().iter().rev();
        let Some(found) = found.filter(|one| one.name == name).find(|one| one.passes.meets(passes)) else {
            return;
        };
        let Some(group) = self.unit.narrow_group(found.group, self.whole()) else { return };
        if self.steps.iter().any(|step| step.at == Some(found.at)) {
            return;
        }
        self.steps.push(DerivationStep {
            text: format!("#undef {name}"),
            at: Some(found.at),
            passes: found.passes,
        });
        self.conditional(group);
    }

    fn definition(&mut self, name: Symbol, id: DefinitionId) {
        let definition = self.unit.definition(id);
        let Some(at) = definition.at else {
            let known = self.steps.iter().any(|step| step.at.is_none() && step.text == name.as_str());
            if !known {
                let all = self.unit.definitions_of(name).iter().map(|other| self.unit.definition(*other));
                let passes = all.filter(|other| other.at.is_none());
                let passes = passes.fold(PassSet::EMPTY, |all, other| all.or(other.passes));
                self.steps.push(DerivationStep { text: name.to_string(), at: None, passes });
            }
            return;
        };
        if !self.seen.insert((false, id.index())) {
            return;
        }
        let text = format!("#define {}", definition.text());
        self.steps.push(DerivationStep { text, at: Some(at), passes: self.unit.passes_of(id) });
        if let Some(group) = self.unit.narrow_group(definition.group, self.whole()) {
            self.conditional(group);
        }
    }
}

fn is_else(directive: &Written) -> bool {
    directive.tokens().get(1).is_some_and(|name| name.text == sym::ELSE)
}
