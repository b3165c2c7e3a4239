//! One unit with the results of its stages, for questions about a place in it, such as an editor's hover.

use std::sync::{Arc, OnceLock};

use crate::analysis::pipeline::{ResumedUnit, regions};
use crate::facts::{InstantiationFact, SignedFact, facts};
use crate::finding::Region;
use crate::preprocess::{Conditional, DefinitionId, DerivationStep, Group, GroupId, preprocess};
use crate::project::TranslationUnit;
use crate::source::{Loc, Sources, Span};
use crate::target::{PassSet, Passes};
use crate::variance::variance;

use super::caches::SessionCaches;
use super::entities::Entities;

/// A unit, preprocessed, and its facts.
#[derive(Debug)]
pub struct UnitView {
    /// The unit.
    pub unit: TranslationUnit,
    /// Its passes.
    pub passes: Arc<Passes>,
    /// The newest text was analysed. Else [`UnitView::signed`] and [`UnitView::instantiations`] are of an earlier one.
    pub is_analysed: bool,
    preprocessed: Arc<ResumedUnit>,
    /// Found when they are asked for, if the analysis did not leave them.
    entities: OnceLock<Entities>,
    caches: SessionCaches,
}

/// The meaning of a macro's name in some passes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MacroMeaning {
    /// The passes.
    pub passes: PassSet,
    /// Its definition as written after `#define`; `None` where it is not defined.
    pub text: Option<String>,
    /// The place of the definition, if a file has it.
    pub at: Option<Span>,
}

impl UnitView {
    pub(super) fn new(
        unit: TranslationUnit,
        sources: &Sources,
        caches: &SessionCaches,
        known: Option<Entities>,
    ) -> UnitView {
        let preprocessed = preprocess(&unit, sources, &caches.shared.headers);
        let preprocessed = ResumedUnit::with_tokens(preprocessed, Arc::clone(&caches.edited.lease().cache));
        UnitView::of(unit, Arc::new(preprocessed), caches, known, true)
    }

    /// A unit whose newest text waits for its analysis, or is `under_way`: it is preprocessed, and `last` is what the
    /// analysis of an earlier text found.
    pub(super) fn before_analysis(
        unit: TranslationUnit,
        sources: &Sources,
        caches: &SessionCaches,
        last: Entities,
        under_way: Option<Arc<ResumedUnit>>,
    ) -> UnitView {
        let preprocessed = under_way.unwrap_or_else(|| {
            let preprocessed = preprocess(&unit, sources, &caches.shared.headers);
            // The analysis will have the tokens that are kept.
            Arc::new(ResumedUnit::with_tokens(preprocessed, Arc::default()))
        });
        UnitView::of(unit, preprocessed, caches, Some(last), false)
    }

    fn of(
        unit: TranslationUnit,
        preprocessed: Arc<ResumedUnit>,
        caches: &SessionCaches,
        known: Option<Entities>,
        is_analysed: bool,
    ) -> UnitView {
        let entities = known.map(OnceLock::from).unwrap_or_default();
        let passes = Arc::new(unit.passes.clone());
        UnitView { unit, passes, is_analysed, preprocessed, entities, caches: caches.clone() }
    }

    /// The same text, now that its analysis has found these.
    pub(super) fn after_analysis(&self, found: Entities) -> UnitView {
        UnitView {
            unit: self.unit.clone(),
            passes: Arc::clone(&self.passes),
            is_analysed: true,
            preprocessed: Arc::clone(&self.preprocessed),
            entities: found.into(),
            caches: self.caches.clone(),
        }
    }

    /// The groups of the unit's conditionals, without the system's, by place.
    pub(super) fn regions(&self) -> Vec<Region> {
        regions(&self.preprocessed.unit, &self.passes)
    }

    fn entities(&self) -> &Entities {
        self.entities.get_or_init(|| {
            let compared = self.unit.passes.all().minus(self.preprocessed.unit.stopped);
            let variance = variance(&self.preprocessed.unit, compared);
            Entities::of(facts(&self.unit, &self.preprocessed.unit, &variance, &self.caches.shared.parsed))
        })
    }

    /// The groups whose directives have a place: one for each time the file was read.
    fn groups_at(&self, at: Loc) -> impl Iterator<Item = (GroupId, &Conditional, &Group)> {
        self.preprocessed.unit.conditionals().into_iter().flat_map(move |conditional| {
            let with = conditional
                .groups
                .iter()
                .map(move |id| (*id, conditional, self.preprocessed.unit.group(*id)));
            with.filter(move |(_, _, group)| has(group.directive, at))
        })
    }

    /// Of the conditional directive at a place: its text, the passes that reach it, those that enter its lines, and
    /// the way from its condition back to the macros that nvcc predefines.
    pub fn conditional(&self, at: Loc) -> Option<(String, PassSet, PassSet, Vec<DerivationStep>)> {
        let mut groups = self.groups_at(at);
        let (id, conditional, group) = groups.next()?;
        let mut reached = conditional.passes;
        let mut entered = group.passes;
        for (_, conditional, group) in groups {
            reached = reached.or(conditional.passes);
            entered = entered.or(group.passes);
        }
        Some((group.written.text(), reached, entered, self.preprocessed.unit.derivation(id)))
    }

    /// The meaning of a macro's name in each pass at a place: in a condition the definition that it read, at an
    /// invocation the one that was expanded, at a definition that one; else every definition of the name in the unit.
    pub fn meanings(&self, name: &str, at: Loc) -> Vec<MacroMeaning> {
        let mut found: Vec<MacroMeaning> = Vec::new();
        let mut add = |passes: PassSet, id: Option<DefinitionId>| {
            let definition = id.map(|id| self.preprocessed.unit.definition(id));
            let text = definition.map(|definition| definition.text());
            let at = definition.and_then(|definition| definition.at);
            match found.iter_mut().find(|known| known.text == text && known.at == at) {
                Some(known) => known.passes = known.passes.or(passes),
                None => found.push(MacroMeaning { passes, text, at }),
            }
        };
        for (_, conditional, _) in self.groups_at(at) {
            for read in conditional.reads.iter().filter(|read| read.name.as_str() == name) {
                for (passes, id) in read.definitions.cases() {
                    add(*passes, *id);
                }
            }
        }
        for (passes, definition) in self.preprocessed.unit.expanded_at(at) {
            add(passes, Some(definition));
        }
        if found.is_empty() {
            let all = self.preprocessed.unit.definitions().into_iter();
            let all = all.map(|id| self.preprocessed.unit.definition(id));
            let defined = all.filter(|one| one.name.as_str() == name);
            let here = |span: Option<Span>| span.is_some_and(|span| has(span, at));
            let at_place: Vec<_> = defined.clone().filter(|one| here(one.at)).collect();
            let all = if at_place.is_empty() { defined.collect() } else { at_place };
            for definition in all {
                let meaning = MacroMeaning {
                    passes: definition.passes,
                    text: Some(definition.text()),
                    at: definition.at,
                };
                match found.iter_mut().find(|one| one.text == meaning.text && one.at == meaning.at) {
                    Some(known) => known.passes = known.passes.or(meaning.passes),
                    None => found.push(meaning),
                }
            }
        }
        found.sort_by_key(|meaning| meaning.passes.lowest());
        found
    }

    /// A kernel or device variable that may differ, by the last part of its name.
    pub fn signed(&self, name: &str) -> Option<&SignedFact> {
        self.entities().signed.iter().find(|fact| last(&fact.name) == name)
    }

    /// The instantiations of a kernel template, by the last part of its name, where the passes' sets may differ.
    pub fn instantiations(&self, name: &str) -> impl Iterator<Item = &InstantiationFact> {
        self.entities().instantiations.iter().filter(move |fact| last(&fact.kernel) == name)
    }

    /// The directive that decides over a place: the innermost one around it that not every pass enters.
    pub fn deciding(&self, at: Loc) -> Option<Span> {
        let around = |conditional: &&Conditional| {
            let first = conditional.groups.first().map(|id| self.preprocessed.unit.group(*id).directive);
            let end = conditional.endif.map_or(u32::MAX, |end| end.start);
            first.is_some_and(|first| first.file == at.file && first.end <= at.offset && at.offset < end)
        };
        let mut found: Option<Span> = None;
        for conditional in self.preprocessed.unit.conditionals().into_iter().filter(around) {
            let mut groups = conditional.groups.iter().map(|id| self.preprocessed.unit.group(*id)).rev();
            let inside = groups.find(|group| group.directive.end <= at.offset);
            if let Some(group) = inside
                && group.passes != self.passes.all()
                && found.is_none_or(|known| known.start < group.directive.start)
            {
                found = Some(group.directive);
            }
        }
        found
    }
}

fn has(span: Span, at: Loc) -> bool {
    span.file == at.file && span.start <= at.offset && at.offset < span.end.max(span.start + 1)
}

/// The last part of a qualified name.
fn last(name: &str) -> &str {
    let head = name.split('<').next().unwrap_or(name);
    head.rsplit("::").next().unwrap_or(head)
}
