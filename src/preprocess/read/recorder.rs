//! The recorder: collects what the reading under way yields, its tokens, events, records and problems.
//!
//! In: tokens and events, each for the passes that have it. Out: an [`Inclusion`] for each file that is a reading of its
//! own. Knows nothing of where they come from.

use std::sync::Arc;

use crate::preprocess::expand::contexts::Scratch;
use crate::preprocess::expand::token::Tok;
use crate::preprocess::result::inclusion::{Child, FileRead, Inclusion};
use crate::preprocess::result::problem::ProblemKind;
use crate::preprocess::result::records::{Missing, Problem};
use crate::preprocess::result::tokens::{Event, EventKind, OtherOrigin};
use crate::source::Span;
use crate::target::PassSet;

/// The readings under way.
#[derive(Default)]
pub(crate) struct Recorder {
    /// The innermost reading so far.
    pub(crate) out: Inclusion,
    /// How many files are around the one that it is the reading of.
    pub(crate) level: usize,
    /// The readings around it, each with its level.
    around: Vec<(Inclusion, usize)>,
    /// Readings that are empty again.
    spare: Vec<Inclusion>,
}

impl Recorder {
    // ---- readings ----

    /// Begins a reading inside the one under way, of a file that `level` others are around.
    pub(crate) fn begin_reading(&mut self, level: usize) {
        let empty = self.spare.pop().unwrap_or_default();
        self.around.push((std::mem::replace(&mut self.out, empty), self.level));
        self.level = level;
    }

    /// Ends the innermost reading and returns it, with how much deeper it is than the one around it.
    pub(crate) fn end_reading(&mut self) -> (Arc<Inclusion>, usize) {
        let (around, level) = self.around.pop().expect("a reading that ends was begun");
        let mut own = std::mem::replace(&mut self.out, around);
        let deeper = std::mem::replace(&mut self.level, level) - level;
        let inclusion = Arc::new(own.fitting());
        self.spare.push(own);
        (inclusion, deeper)
    }

    /// Adds a finished reading to the one under way.
    pub(crate) fn add_child(&mut self, inclusion: Arc<Inclusion>, deeper: usize) {
        let after = self.out.mark();
        self.out.reads.push(FileRead::Child(Child { after, deeper, inclusion }));
    }

    // ---- events and problems ----

    /// Records an event before the next token.
    pub(crate) fn record_event(&mut self, passes: PassSet, kind: EventKind) {
        self.out.events.push(Event { before: self.out.tokens.len(), passes, kind });
    }

    /// Records a problem.
    pub(crate) fn problem(&mut self, kind: ProblemKind, at: Span, passes: PassSet) {
        self.out.problems.push(Problem { kind, at, passes });
    }

    /// Records a header that was not found.
    pub(crate) fn missing(&mut self, header: String, at: Span, passes: PassSet) {
        Missing { header, at, passes }.add_to(&mut self.out.missing);
    }

    // ---- tokens ----

    /// Emits a token.
    pub(crate) fn emit(&mut self, token: &Tok, passes: PassSet) {
        if token.is_pragma() {
            return self.record_event(passes, EventKind::Directive(token.text.to_string(), token.at.loc()));
        }
        self.out.tokens.push(token.preprocessed(passes));
    }

    /// Emits the expansion of an invocation for all passes that have it.
    pub(crate) fn emit_class(&mut self, passes: PassSet, tokens: Vec<Tok>, scratch: &mut Scratch) {
        tokens.iter().for_each(|token| self.emit(token, passes));
        scratch.give_back(tokens);
    }

    /// Emits the expansion of an invocation for each class of passes; the tokens that they share at either end only once.
    pub(crate) fn emit_classes(&mut self, mut classes: Vec<(PassSet, Vec<Tok>)>, scratch: &mut Scratch) {
        if let [(passes, tokens)] = &mut classes[..] {
            return self.emit_class(*passes, std::mem::take(tokens), scratch);
        }
        let same = |a: &Tok, b: &Tok| a.text == b.text && a.kind == b.kind;
        // Classes with the same spellings, by index.
        let mut merged: Vec<Vec<usize>> = Vec::new();
        for (index, (_, tokens)) in classes.iter().enumerate() {
            let twin = merged.iter_mut().find(|known| {
                let known = &classes[known[0]].1;
                known.len() == tokens.len() && known.iter().zip(tokens).all(|(a, b)| same(a, b))
            });
            match twin {
                Some(known) => known.push(index),
                None => merged.push(vec![index]),
            }
        }
        let Some((first, others)) = merged.split_first() else { return };
        let first = &classes[first[0]].1;
        let others: Vec<&Vec<Tok>> = others.iter().map(|other| &classes[other[0]].1).collect();
        let shared = |index: usize| {
            others.iter().all(|tokens| tokens.get(index).is_some_and(|token| same(token, &first[index])))
        };
        let front = (0..first.len()).take_while(|index| shared(*index)).count();
        let shared_back = |back: usize| {
            others.iter().all(|tokens| {
                tokens.len() >= front + back && same(&tokens[tokens.len() - back], &first[first.len() - back])
            })
        };
        let back = (1..=first.len() - front).take_while(|back| shared_back(*back)).count();
        let all: Vec<usize> = merged.concat();
        for index in 0..front {
            self.emit_shared(&classes, &all, |tokens| tokens[index]);
        }
        for members in &merged {
            for index in front..classes[members[0]].1.len() - back {
                self.emit_shared(&classes, members, |tokens| tokens[index]);
            }
        }
        for back in (1..=back).rev() {
            self.emit_shared(&classes, &all, |tokens| tokens[tokens.len() - back]);
        }
    }

    /// Emits a token that the classes numbered `members` share, and where it comes from elsewhere than
    /// in the first of them.
    fn emit_shared(
        &mut self,
        classes: &[(PassSet, Vec<Tok>)],
        members: &[usize],
        pick: impl Fn(&[Tok]) -> Tok,
    ) {
        let token = pick(&classes[members[0]].1);
        let passes = members.iter().fold(PassSet::EMPTY, |all, member| all.or(classes[*member].0));
        let index = self.out.tokens.len() as u32;
        self.emit_widened(&token, passes);
        for member in &members[1..] {
            let (set, tokens) = &classes[*member];
            let other = pick(tokens);
            if !self.same_origin(&token, &other) {
                self.out.other_origins.push(OtherOrigin { index, token: other.preprocessed(*set) });
            }
        }
    }

    /// They stand in the same place, and came there the same way.
    fn same_origin(&self, a: &Tok, b: &Tok) -> bool {
        let place = |token: &Tok| (token.at, token.spelled, token.space, token.line_start, token.group);
        if place(a) != place(b) {
            return false;
        }
        let (mut a, mut b) = (a.expansion, b.expansion);
        while a != b {
            let (Some(left), Some(right)) = (a, b) else { return false };
            let (left, right) = (self.out.expansions[left.index()], self.out.expansions[right.index()]);
            if (left.definition, left.invoked) != (right.definition, right.invoked) {
                return false;
            }
            (a, b) = (left.parent, right.parent);
        }
        true
    }

    /// Emits a token for a set that may be larger than the one it was expanded for.
    fn emit_widened(&mut self, token: &Tok, passes: PassSet) {
        let mut above = token.expansion;
        while let Some(id) = above {
            let expansion = &mut self.out.expansions[id.index()];
            if expansion.passes.contains(passes) {
                break;
            }
            expansion.passes = expansion.passes.or(passes);
            above = expansion.parent;
        }
        self.emit(token, passes);
    }
}
