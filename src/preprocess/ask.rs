//! What the passes answer to a conditional directive.
//!
//! Headers ask the same again and again: which compiler, which version of it, through dozens of macros. An
//! answer that hangs on macros alone is kept, and given again while those macros are the same.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::source::{Symbol, Token, TokenKind};
use crate::target::{ByPass, PassSet};

use super::directives::Line;
use super::evaluate::Asked;
use super::expand::Split;
use super::macros::{Looking, Meaning, mixed};
use super::tokens::{DefinitionId, Read, Written};
use super::walk::Walker;

/// How many answers to one question are kept; the oldest is dropped for another.
const VARIANTS: usize = 8;

/// Answers, by a fingerprint of what was asked.
#[derive(Default)]
pub(super) struct Answers {
    by_question: FxHashMap<u64, Vec<Answer>>,
}

/// What a condition was for some passes.
struct Answer {
    directive: Written,
    asked: PassSet,
    /// All macros as they were.
    state: u64,
    /// The names that were looked at, by fingerprint of what they meant.
    looked: Box<[(Symbol, u64)]>,
    yes: PassSet,
    reads: Arc<[Read]>,
}

impl Answer {
    /// It is what a line with these tokens asks the passes of `set`.
    fn is_to(&self, tokens: &[Token], set: PassSet) -> bool {
        let same = |(a, b): (&Token, &Token)| a.text == b.text && a.space_before == b.space_before;
        let own = self.directive.defined();
        self.asked == set && own.len() == tokens.len() && own.iter().zip(tokens).all(same)
    }
}

impl Walker<'_> {
    /// The passes of `set` that answer a condition with yes.
    pub(super) fn ask(&mut self, line: Line<'_>, asked: Asked, set: PassSet) -> PassSet {
        match asked {
            Asked::Nothing => set,
            Asked::Defined(wanted) => {
                let Some(name) = line.rest().first().filter(|name| name.kind == TokenKind::Identifier) else {
                    self.problem("macro names must be identifiers", line);
                    return PassSet::EMPTY;
                };
                let definitions = self.meanings(name.text, set);
                let is_yes = |definition: &Option<_>| definition.is_some() == wanted;
                let cases = definitions.cases().iter().filter(|(_, definition)| is_yes(definition));
                let yes = cases.fold(PassSet::EMPTY, |all, (passes, _)| all.or(*passes));
                self.add_reads([Read { name: name.text, definitions }].into());
                yes
            }
            Asked::Expression => self.ask_expression(line, set),
        }
    }

    fn ask_expression(&mut self, line: Line<'_>, set: PassSet) -> PassSet {
        let plain = self.ahead.is_empty() && !self.has_changed();
        let tokens = line.rest().iter().map(|token| (token.text, token.space_before));
        let question = tokens.fold(mixed(set), |hash, token| mixed((hash, token)));
        if let Some((yes, reads)) = self.answered(question, line, set).filter(|_| plain) {
            self.add_reads(reads);
            return yes;
        }
        let looking = self.table.begin();
        let (yes, reads, kept) = self.evaluate_all(line, set);
        let reads: Arc<[Read]> = reads.into();
        if plain && kept {
            self.keep_answer(question, line, &looking, (set, yes), &reads);
        }
        self.table.end(looking);
        self.add_reads(reads);
        yes
    }

    /// The passes that say yes, the names that were looked at, and whether it hangs on nothing else.
    fn evaluate_all(&mut self, line: Line<'_>, set: PassSet) -> (PassSet, Vec<Read>, bool) {
        let mut yes = PassSet::EMPTY;
        let mut reads = Vec::new();
        let mut plain = true;
        let mut rest = vec![set];
        while let Some(set) = rest.pop() {
            let expansions = self.out.expansions.len();
            let answer = self.evaluate(line, set);
            self.out.expansions.truncate(expansions);
            match answer {
                Ok((answer, mut effects)) => {
                    for (name, definition) in effects.reads.take().unwrap_or_default() {
                        note_read(&mut reads, name, set, definition);
                    }
                    let done = self.carry_out(&mut effects, set, line.span());
                    plain &= !effects.asserted && !done;
                    if answer {
                        yes = yes.or(set);
                    }
                }
                Err(Split(part)) => rest.extend([set.minus(part), set.and(part)]),
            }
        }
        (yes, reads, plain)
    }

    /// What was answered before, if all that it hangs on is as it was.
    fn answered(&mut self, question: u64, line: Line<'_>, set: PassSet) -> Option<(PassSet, Arc<[Read]>)> {
        let (state, table) = (self.table.state(), &mut self.table);
        let same = |answer: &&Answer| {
            let meant = |(name, found): &(Symbol, u64)| table.fingerprint(*name) == *found;
            answer.is_to(line.rest(), set) && (answer.state == state || answer.looked.iter().all(meant))
        };
        let answer = self.answers.by_question.get(&question)?.iter().rev().find(same)?;
        if table.notes() {
            answer.looked.iter().for_each(|(name, _)| table.look(*name));
        }
        Some((answer.yes, answer.reads.clone()))
    }

    fn keep_answer(
        &mut self,
        question: u64,
        line: Line<'_>,
        looking: &Looking,
        (asked, yes): (PassSet, PassSet),
        reads: &Arc<[Read]>,
    ) {
        let looked: Box<[_]> = self.table.looks(looking).map(|look| (look.name, look.found)).collect();
        // What the preprocessor computes may be something else the next time.
        let computed = looked.iter().filter_map(|(name, _)| self.table.get(*name)).any(|cases| {
            let computed = |meaning| matches!(meaning, Meaning::Builtin(_));
            cases.cases().iter().any(|(_, id)| computed(self.macro_of(*id).meaning))
        });
        if computed {
            return;
        }
        let (directive, state) = (line.written(), self.table.state());
        let known = self.answers.by_question.entry(question).or_default();
        if known.len() >= VARIANTS {
            known.remove(0);
        }
        known.push(Answer { directive, asked, state, looked, yes, reads: reads.clone() });
    }

    /// Notes what the innermost conditional's conditions looked at.
    fn add_reads(&mut self, reads: Arc<[Read]>) {
        let all = &mut self.innermost_open().found.reads;
        if all.is_empty() {
            *all = reads;
            return;
        }
        let mut merged = all.to_vec();
        for Read { name, definitions } in &*reads {
            for (passes, definition) in definitions.cases() {
                note_read(&mut merged, *name, *passes, *definition);
            }
        }
        *all = merged.into();
    }
}

fn note_read(reads: &mut Vec<Read>, name: Symbol, passes: PassSet, definition: Option<DefinitionId>) {
    match reads.iter_mut().find(|read| read.name == name) {
        Some(read) => read.definitions.set(passes, definition),
        None => reads.push(Read { name, definitions: ByPass::uniform(passes, definition) }),
    }
}
