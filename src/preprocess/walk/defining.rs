//! What macros come to be defined as: before the first line, by `#define`, `#undef` and the pragmas that push and pop.

use std::sync::Arc;

use crate::project::Define;
use crate::source::{FileId, Span, Symbol, Token};
use crate::target::{ByPass, Options, PassSet, predefined};

use super::super::common::Place;
use super::super::macros::{self, Macro, MacroId, Meaning};
use super::super::questions::{self, QUESTIONS};
use super::super::tokens::{Definition, DefinitionId, Written};
use super::alike::Partly;
use super::{BUILTINS, Walker};

impl Walker<'_> {
    pub(super) fn predefine(&mut self) {
        let all = self.passes;
        let answers = self.unit.answers.as_deref();
        let own = questions::of(&self.unit.options);
        let knows = |name: &&Symbol| match answers {
            Some(answers) => answers.names.contains(name.as_str()),
            None => own.contains(name),
        };
        let questions = QUESTIONS.iter().filter(knows);
        for name in BUILTINS.iter().chain(questions) {
            let id = self.predefined(*name, Place::Builtin(*name, all), || {
                (Written::Predefined(Arc::new([])), Meaning::Builtin(*name), Vec::new().into(), false)
            });
            self.set_macro(*name, all, id);
        }
        let options = Options { rdc: self.unit.rdc, ..self.unit.options.clone() };
        for one in predefined(&self.unit.passes, &options) {
            self.predefine_one(&one.name, &one.value, one.passes.and(all));
        }
        for define in &self.unit.defines {
            match define {
                Define::Define(name, value) => self.predefine_one(name, value, all),
                Define::Undef(name) => {
                    self.table.clear(Symbol::intern(name), PassSet(u64::MAX));
                }
            }
        }
    }

    pub(super) fn predefine_one(&mut self, name: &str, value: &str, passes: PassSet) {
        if let Some((parsed, tokens)) = macros::predefined(name, value) {
            let name = parsed.name.text;
            let place = Place::Predefined(name, value.to_string(), passes);
            let macros::Parsed { meaning, body, pastes, .. } = parsed;
            let id = self.predefined(name, place, || (Written::Predefined(tokens), meaning, body, pastes));
            self.set_macro(name, passes, id);
        }
    }

    /// The macro that no file defines of this place.
    pub(super) fn predefined(
        &self,
        name: Symbol,
        place: Place,
        read: impl FnOnce() -> (Written, Meaning, Arc<[macros::BodyToken]>, bool),
    ) -> MacroId {
        let passes = place.passes();
        self.common.made(&place).unwrap_or_else(|| {
            self.common.make(place, || {
                let (written, meaning, body, pastes) = read();
                let definition = Definition { name, at: None, group: None, passes, written, like: None };
                let definition = self.common.add_definition(definition);
                self.common.add_macro(Macro { definition, at: None, meaning, body, pastes })
            })
        })
    }

    pub(super) fn set_macro(&mut self, name: Symbol, set: PassSet, id: MacroId) {
        self.out.definitions.push(self.macro_of(id).definition);
        match set == self.passes {
            true => self.table.overwrite(name, set, id),
            false => self.table.set(name, set, id),
        }
        self.note_defined(name, id);
    }

    /// Carries out a `#define` whose macro name is the first of `tokens`.
    pub(in crate::preprocess) fn define(
        &mut self,
        tokens: &[Token],
        written: Written,
        file: FileId,
    ) -> Result<(), &'static str> {
        let set = self.live;
        // For all passes it makes the same macro in every walk.
        let whole = set == self.passes;
        if whole
            && let Some(name) = tokens.first()
            && let Some(id) = self.common.made(&Place::Written(file, name.offset, set))
        {
            self.note_change(name.text);
            self.set_macro(name.text, set, id);
            return Ok(());
        }
        let macros::Parsed { name, meaning, body, pastes } = macros::parse(tokens, Some(file))?;
        let at = Some(Span { file, start: name.offset, end: name.end });
        let (place, name) = (Place::Written(file, name.offset, set), name.text);
        self.note_change(name);
        let common = self.common;
        let like = if whole { None } else { self.twin(name, &written) };
        let group = self.group.filter(|_| !whole);
        let make = || {
            let definition =
                common.add_definition(Definition { name, at, group, passes: set, written, like });
            let used = like.unwrap_or(definition);
            (definition, common.add_macro(Macro { definition: used, at, meaning, body, pastes }))
        };
        if whole {
            let id = common.make(place, || make().1);
            self.set_macro(name, set, id);
            return Ok(());
        }
        let (definition, made) = make();
        self.out.definitions.push(definition);
        // The same directive again, for other passes.
        let cases = self.table.cases(name).iter();
        let mut again = cases.map(|(_, id)| *id).filter(|id| {
            let known = common.macro_of(*id);
            known.at == at && Some(known.definition) == like
        });
        let id = again.next().unwrap_or(made);
        if id == made {
            self.partly.push(Partly { name, place, made: (made, definition) });
        }
        self.table.set(name, set, id);
        self.note_defined(name, id);
        Ok(())
    }

    /// The definition that a name has in some pass and that says the same.
    pub(super) fn twin(&mut self, name: Symbol, written: &Written) -> Option<DefinitionId> {
        let common = self.common;
        let known = self.table.cases(name).iter().map(|(_, id)| common.macro_of(*id));
        let mut known = known.filter(|known| !matches!(known.meaning, Meaning::Builtin(_)));
        let says_the_same = |known: &&Macro| {
            let old = common.definition(known.definition);
            macros::say_the_same(old.written.defined(), written.defined())
        };
        known.find(says_the_same).map(|known| known.definition)
    }

    pub(in crate::preprocess) fn undefine(&mut self, name: Symbol, set: PassSet) {
        self.note_change(name);
        self.table.clear(name, set);
    }

    pub(in crate::preprocess) fn push_macro(&mut self, name: Symbol, set: PassSet) {
        self.note_push(name, set);
        let mut kept = ByPass::new();
        let cases = self.table.cases(name);
        for (passes, id) in cases.iter().filter(|(passes, _)| passes.meets(set)) {
            kept.set(passes.and(set), *id);
        }
        self.pushed.entry(name).or_default().push((set, kept));
    }

    pub(in crate::preprocess) fn pop_macro(&mut self, name: Symbol, mut set: PassSet) {
        self.note_pop(name, set);
        let mut stack = self.pushed.remove(&name).unwrap_or_default();
        for (passes, kept) in stack.iter_mut().rev() {
            let part = passes.and(set);
            self.undefine(name, part);
            for (case, id) in kept.cases().iter().filter(|(case, _)| case.meets(part)) {
                self.table.set(name, case.and(part), *id);
            }
            *passes = passes.minus(part);
            set = set.minus(part);
        }
        stack.retain(|(passes, _)| !passes.is_empty());
        self.pushed.insert(name, stack);
    }
}
