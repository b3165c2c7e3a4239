//! What a walk gives: tokens and what stands between them, each for the passes that have it.

use crate::target::PassSet;

use super::super::macros::Tok;
use super::super::tokens::{Apart, Event, Happening, PpToken};
use super::Walker;

impl Walker<'_> {
    pub(in crate::preprocess) fn note(&mut self, passes: PassSet, happening: Happening) {
        self.out.events.push(Event { before: self.out.tokens.len(), passes, happening });
    }

    pub(in crate::preprocess) fn emit(&mut self, token: &Tok, passes: PassSet) {
        if token.is_pragma() {
            self.note(passes, Happening::Directive(token.text.to_string(), token.at.loc()));
            return;
        }
        self.out.tokens.push(pp_token(token, passes));
    }

    /// Emits what an invocation became for all that have it.
    pub(in crate::preprocess) fn emit_class(&mut self, passes: PassSet, tokens: Vec<Tok>) {
        tokens.iter().for_each(|token| self.emit(token, passes));
        self.give_back(tokens);
    }

    /// Emits what an invocation became for each class; what they share at either end only once.
    pub(in crate::preprocess) fn emit_classes(&mut self, mut classes: Vec<(PassSet, Vec<Tok>)>) {
        if let [(passes, tokens)] = &mut classes[..] {
            return self.emit_class(*passes, std::mem::take(tokens));
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
    pub(super) fn emit_shared(
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
                self.out.apart.push(Apart { index, token: pp_token(&other, *set) });
            }
        }
    }

    /// They stand in the same place, and came there the same way.
    pub(super) fn same_origin(&self, a: &Tok, b: &Tok) -> bool {
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
    pub(super) fn emit_widened(&mut self, token: &Tok, passes: PassSet) {
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

pub(in crate::preprocess) fn pp_token(token: &Tok, passes: PassSet) -> PpToken {
    PpToken {
        kind: token.kind,
        space_before: token.space,
        line_start: token.line_start,
        text: token.text,
        passes,
        at: token.at,
        spelled: token.spelled,
        expansion: token.expansion,
        group: token.group,
    }
}
