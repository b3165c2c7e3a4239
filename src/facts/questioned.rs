//! Which kernel templates are in question: those that something leads to that may differ between passes.
//!
//! What the declarations of the headers lead to by themselves, which an edited unit begins with, is kept with what they
//! say; the other declarations only add to it.

use std::ops::Range;
use std::sync::{Arc, Mutex};

use rustc_hash::FxHashSet;

use crate::source::{Symbol, sym};
use crate::variance::DeclKind;

use super::digest::Digest;
use super::header_varies;
use super::links::Reached;
use super::world::{Marked, World};

/// What headers were last found to lead to.
#[derive(Debug, Default)]
pub(super) struct Questions(Mutex<Option<Arc<Headers>>>);

/// Why the lock is never poisoned.
const NO_PANIC: &str = "no thread panics while it holds the lock";

/// What the declarations of headers lead to by themselves.
#[derive(Debug)]
struct Headers {
    /// Those that may differ, and the names that lead to kernel templates.
    tainted: Vec<usize>,
    leading: Arc<Reached>,
    found: Downwards,
}

/// On the way from what may differ to the kernels it leads to.
#[derive(Clone, Debug, Default)]
struct Downwards {
    names: FxHashSet<Symbol>,
    /// The declarations whose mentions were followed, in no order.
    passed: FxHashSet<usize>,
    /// The names that were not followed yet.
    todo: Vec<Symbol>,
}

/// The kernel templates whose instantiations may differ, of the names that `leading` has.
pub(super) fn questioned(world: &World<'_>, leading: &Reached) -> FxHashSet<Symbol> {
    let digest = world.digest();
    let hands_on = hands_on_by_pass(world);
    let way = Way { world, digest, leading, relevant: Marked::of(&leading.names), hands_on };
    let found = match (digest.questions(), &leading.headers) {
        (Some(questions), Some(alone)) => way.going_on(questions, alone),
        _ => way.all_anew(),
    };
    #[cfg(test)]
    assert_eq!(found.names, way.all_anew().names, "going on from what is kept changes nothing");
    digest.kernels().into_iter().filter(|name| found.names.contains(name)).collect()
}

/// What may be followed.
struct Way<'w> {
    world: &'w World<'w>,
    digest: &'w Digest,
    leading: &'w Reached,
    /// The names that lead to kernel templates.
    relevant: Marked,
    /// [`hands_on_by_pass`].
    hands_on: bool,
}

impl Way<'_> {
    /// What everything that may differ leads to.
    fn all_anew(&self) -> Downwards {
        let mut found = Downwards::default();
        let end = self.world.variance.declarations.len();
        for top in self.all_tainted(0..end) {
            found.todo.extend(self.mentioned(top));
        }
        self.follow(&mut found, end);
        found
    }

    /// The same, from what the headers lead to by themselves, where `alone` are the names that lead to kernel templates.
    fn going_on(&self, questions: &Questions, alone: &Arc<Reached>) -> Downwards {
        let (first, end) = (self.digest.tops(), self.world.variance.declarations.len());
        let headers = self.of_headers(questions, self.all_tainted(0..first), alone);
        let mut found = headers.found.clone();
        // What leads to kernels with the other declarations alone.
        for name in self.leading.names.difference(&alone.names) {
            let leads =
                |top: usize| headers.tainted.binary_search(&top).is_ok() || found.passed.contains(&top);
            if self.digest.mentions(*name).take_while(|top| *top < first).any(leads) {
                found.todo.push(*name);
            }
        }
        let further = self.leading.operated_by_others().filter(|(from, _)| found.names.contains(from));
        found.todo.extend(further.map(|(_, to)| to));
        for top in first..end {
            let names = &self.world.variance.declarations[top].names;
            if names.iter().any(|name| found.names.contains(name)) {
                self.pass(&mut found, top);
            }
        }
        for top in self.all_tainted(first..end) {
            found.todo.extend(self.mentioned(top));
        }
        self.follow(&mut found, end);
        found
    }

    /// The declarations of some that may lead to what differs by themselves.
    fn all_tainted(&self, tops: Range<usize>) -> Vec<usize> {
        let is = |top: &usize| self.tainted(*top) || self.hands_on && self.digest.has_generic_lambda(*top);
        tops.filter(is).collect()
    }

    fn of_headers(&self, questions: &Questions, tainted: Vec<usize>, leading: &Arc<Reached>) -> Arc<Headers> {
        let mut known = questions.0.lock().expect(NO_PANIC);
        let same = |one: &&Arc<Headers>| Arc::ptr_eq(&one.leading, leading) && one.tainted == tainted;
        if let Some(known) = known.as_ref().filter(same) {
            return Arc::clone(known);
        }
        let alone = Way { leading, relevant: Marked::of(&leading.names), ..*self };
        let mut found = Downwards::default();
        for top in &tainted {
            found.todo.extend(alone.mentioned(*top));
        }
        alone.follow(&mut found, self.digest.tops());
        let headers = Arc::new(Headers { tainted, leading: Arc::clone(leading), found });
        *known = Some(Arc::clone(&headers));
        headers
    }

    /// Follows all that is left through the declarations before number `end`.
    fn follow(&self, found: &mut Downwards, end: usize) {
        while let Some(name) = found.todo.pop() {
            if !found.names.insert(name) {
                continue;
            }
            for top in self.world.index_of(name).iter().take_while(|top| **top < end) {
                self.pass(found, *top);
            }
            found.todo.extend(self.leading.operated(name));
        }
    }

    /// Follows what a declaration mentions, if its uses instantiate that.
    fn pass(&self, found: &mut Downwards, top: usize) {
        let passes_on = self.digest.passes_on(top) && !self.digest.head_has(top, &[sym::GLOBAL]);
        if passes_on && found.passed.insert(top) {
            found.todo.extend(self.mentioned(top));
        }
    }

    fn mentioned(&self, top: usize) -> impl Iterator<Item = Symbol> {
        self.digest.names(top).iter().copied().filter(|name| self.relevant.has(*name))
    }

    /// Whether what a declaration instantiates may differ between passes. A kernel's body only
    /// matters for what it launches in turn, which the host has no part in.
    fn tainted(&self, top: usize) -> bool {
        if self.digest.head_has(top, &[sym::GLOBAL]) {
            return header_varies(self.world, top);
        }
        self.world.variance.declarations[top].varies.any()
    }
}

/// Whether a function template that host code can call varies by pass. It may give a lambda that is handed to
/// it arguments that do.
fn hands_on_by_pass(world: &World<'_>) -> bool {
    let digest = world.digest();
    world.variance.declarations.iter().enumerate().any(|(top, declaration)| {
        let has = |word: Symbol| digest.head_has(top, &[word]);
        declaration.kind == DeclKind::Function
            && declaration.varies.any()
            && digest.passes_on(top)
            && !has(sym::GLOBAL)
            && (!has(sym::DEVICE) || has(sym::HOST))
    })
}
