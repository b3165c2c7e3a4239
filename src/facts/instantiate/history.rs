//! The history of a walk: the instantiations that it visited, so that none is visited twice and recursion ends. What
//! one root added can be recorded and replayed instead of walking that root again.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::effects::{Effect, Log};
use crate::facts::lower::ast::Decl;
use crate::facts::meaning::types::TemplateArgument;
use crate::source::Span;

/// How many different instantiations are followed in one pass before the walk stops.
const VISIT_LIMIT: usize = 50_000;

/// How deep instantiations may nest: the default of compilers (`-ftemplate-depth`).
const NESTING_LIMIT: usize = 900;

/// How many bodies are entered on a guess in one pass before a call that may mean one of several functions is taken for
/// one of the likeliest alone.
const GUESS_LIMIT: usize = 1_000;

/// How often a template may be nested within itself without any instantiation found: what would end its recursion is
/// then the choice of an overload that depends on something unknown.
const FRUITLESS_LIMIT: usize = 64;

/// What is before the names of instantiations whose bodies GPUs alone run, and of those that were visited on a guess.
const ON_DEVICE: &str = "@";
const GUESSED: &str = "?";
const MARKS: [char; 2] = ['@', '?'];

/// The changes that a walk made to the history, on which later walks depend.
#[derive(Default, Debug)]
pub(in crate::facts) struct HistoryDelta {
    /// The instantiations that it visited first.
    pub visited: Vec<Arc<str>>,
    /// The instantiations that it came to and that earlier walks had visited: it depends on these walks.
    pub already_visited: Vec<Arc<str>>,
    /// The instantiations that it left to other objects (`true`), or took back (`false`).
    pub left_to_others: Vec<(Arc<str>, bool)>,
    /// The call operators of generic lambdas that it called. As long as they are held here, the next analysis finds
    /// them at the same addresses.
    pub called: Vec<Arc<Decl>>,
}

impl HistoryDelta {
    /// Whether nothing was changed. Meeting what was visited before is no change.
    pub(in crate::facts) fn is_empty(&self) -> bool {
        self.visited.is_empty() && self.left_to_others.is_empty() && self.called.is_empty()
    }
}

/// How a walk came to an instantiation.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    Certain,
    /// By way of a question that was not settled.
    Guessed,
}

/// An instantiation whose body a walk enters.
pub(super) struct Entered {
    /// Its name with its template arguments, and its place.
    pub key: String,
    /// The walk is in code that GPUs alone run, where less is relevant.
    pub on_device: bool,
    pub way: Way,
}

/// The instantiations that a walk visited in one pass.
#[derive(Default)]
pub(in crate::facts) struct History {
    visited: FxHashSet<Arc<str>>,
    /// Specializations of function templates, classes and their members that an explicit instantiation declaration
    /// (`extern template`) leaves to other objects.
    left_to_others: FxHashSet<Arc<str>>,
    /// The call operators of generic lambdas that calls instantiated, by address.
    called: FxHashSet<usize>,
    /// The templates whose bodies are being walked, each with the number of instantiations found before it was entered.
    nesting: Vec<(Span, usize)>,
    /// How many bodies were entered on a guess.
    guesses: usize,
    /// The changes since recording began, while changes are recorded.
    pub delta: Option<HistoryDelta>,
    /// Some body was not entered because of a limit.
    pub(super) limited: bool,
    /// What the walk did, in order, and what of it no other pass may repeat.
    pub(super) log: Log,
    /// The instantiation that was visited last for the first time.
    pub(super) last_visited: Option<Arc<str>>,
    /// The last body that was not entered would have been entered within itself, with arguments that were not visited.
    pub(super) left_out: bool,
}

impl History {
    /// Makes the changes of a recorded walk.
    pub(in crate::facts) fn replay(&mut self, delta: &HistoryDelta) {
        self.visited.extend(delta.visited.iter().cloned());
        for (name, there) in &delta.left_to_others {
            self.set_left_to_others(Arc::clone(name), *there);
        }
        self.called.extend(delta.called.iter().map(address));
    }

    /// Notes whether a function, a class or a member is left to other objects.
    pub(super) fn set_left_to_others(&mut self, name: Arc<str>, there: bool) {
        let changed = match there {
            true => self.left_to_others.insert(Arc::clone(&name)),
            false => self.left_to_others.remove(&name),
        };
        self.log.add(|| Effect::LeftToOthers(Arc::clone(&name), there));
        if let Some(delta) = self.delta.as_mut().filter(|_| changed) {
            delta.left_to_others.push((name, there));
        }
    }

    /// Notes that the generic lambda with this call operator is called.
    pub(super) fn call(&mut self, operator: &Arc<Decl>) {
        let first = self.called.insert(address(operator));
        self.log.add(|| Effect::Called(Arc::clone(operator)));
        if let Some(delta) = self.delta.as_mut().filter(|_| first) {
            delta.called.push(Arc::clone(operator));
        }
    }

    /// Notes that an instantiation is visited, and tells whether it is for the first time.
    pub(super) fn visit_first(&mut self, key: String) -> bool {
        self.visit(key.into())
    }

    /// The same, of an instantiation that is kept.
    fn visit(&mut self, key: Arc<str>) -> bool {
        let first = self.visited.insert(Arc::clone(&key));
        if first {
            self.log.add(|| Effect::Visited(Arc::clone(&key)));
            self.last_visited = Some(Arc::clone(&key));
        }
        match self.delta.as_mut().filter(|_| first) {
            Some(delta) => delta.visited.push(key),
            None => self.note_already_visited(key),
        }
        first
    }

    fn note_already_visited(&mut self, key: Arc<str>) {
        self.log.add(|| Effect::AlreadyVisited(Arc::clone(&key)));
        if let Some(delta) = &mut self.delta {
            delta.already_visited.push(key);
        }
    }

    /// Enters a template's body for template arguments, and tells whether it is to be walked: not twice for the same
    /// arguments, and not within itself if some argument is unknown, since nothing would end the recursion. What was
    /// walked for a guess is walked again for certain, and what GPUs alone run for hosts. `found` is the number of instantiations found so far.
    pub(super) fn enter(
        &mut self,
        Entered { mut key, on_device, way }: Entered,
        decl: &Decl,
        arguments: &[TemplateArgument],
        found: usize,
    ) -> bool {
        for (is_so, mark) in [(true, ""), (on_device, ON_DEVICE), (way == Way::Guessed, GUESSED)] {
            if is_so {
                key.insert_str(0, mark);
                if self.visited.contains(key.as_str()) {
                    self.note_already_visited(key.into());
                    return false;
                }
            }
        }
        let mut within = self.nesting.iter().filter(|(at, _)| *at == decl.at);
        if let Some((_, before)) = within.next()
            && (!arguments.iter().all(TemplateArgument::is_sure)
                || *before == found && within.count() >= FRUITLESS_LIMIT)
        {
            // Functions that a GPU runs too do not launch.
            self.left_out = !decl.specifiers.device;
            return false;
        }
        if self.visited.len() >= VISIT_LIMIT || self.nesting.len() >= NESTING_LIMIT {
            self.limited = true;
            self.log.keep_from_others();
            return false;
        }
        if way == Way::Guessed {
            self.guess();
        }
        self.visit_first(key);
        self.nesting.push((decl.at, found));
        true
    }

    /// Notes that a body is entered on a guess.
    fn guess(&mut self) {
        self.guesses += 1;
        self.log.add(|| Effect::Guessed);
    }

    /// Whether so many bodies were entered on a guess that no call is followed to more than one function any more.
    pub(super) fn guessed_enough(&self) -> bool {
        let is_enough = self.guesses >= GUESS_LIMIT;
        self.log.add(|| Effect::AskedForGuesses(is_enough));
        is_enough
    }

    /// Whether so many were in the end, so that what was found depends on their order.
    pub(in crate::facts) fn has_guessed_enough(&self) -> bool {
        self.guesses >= GUESS_LIMIT
    }

    /// Leaves the body that was entered last.
    pub(super) fn leave(&mut self) {
        self.nesting.pop();
    }

    /// Whether a function, a class or a member is left to other objects.
    pub(super) fn is_left_to_others(&self, name: &str) -> bool {
        let is_left = self.left_to_others.contains(name);
        self.log.add(|| Effect::AskedForOthers(name.into(), is_left));
        is_left
    }

    /// Whether a generic lambda was called.
    pub(super) fn is_called(&self, operator: &Arc<Decl>) -> bool {
        self.called.contains(&address(operator))
    }
}

impl History {
    /// The templates whose bodies are being walked, by place, from the outside in.
    pub(super) fn nesting(&self) -> impl Iterator<Item = Span> {
        self.nesting.iter().map(|(at, _)| *at)
    }

    /// Whether what another pass did in a walk would go the same way here: what it visited first was not visited, and what it
    /// had visited before was; other objects are left the same; and guesses are as many as are enough where they were.
    pub(super) fn repeats(&self, effects: &[Effect]) -> bool {
        let mut own: FxHashSet<&str> = FxHashSet::default();
        let mut others: FxHashMap<&str, bool> = FxHashMap::default();
        let mut guesses = self.guesses;
        effects.iter().all(|effect| match effect {
            Effect::Visited(key) => {
                let mut unmarked: &str = key;
                let is_new = loop {
                    if self.visited.contains(unmarked) {
                        break false;
                    }
                    match unmarked.strip_prefix(MARKS) {
                        Some(rest) => unmarked = rest,
                        None => break true,
                    }
                };
                own.insert(key);
                is_new
            }
            Effect::AlreadyVisited(key) => own.contains(&**key) || self.visited.contains(key),
            Effect::Guessed => {
                guesses += 1;
                true
            }
            Effect::AskedForGuesses(answer) => (guesses >= GUESS_LIMIT) == *answer,
            Effect::LeftToOthers(name, there) => {
                others.insert(name, *there);
                true
            }
            Effect::AskedForOthers(name, answer) => {
                let own = others.get(&**name).copied();
                own.unwrap_or_else(|| self.left_to_others.contains(name)) == *answer
            }
            _ => true,
        }) && self.visited.len() + own.len() < VISIT_LIMIT
    }

    /// Does what another pass did to the history.
    pub(super) fn repeat_effect(&mut self, effect: &Effect) {
        match effect {
            Effect::Visited(key) => _ = self.visit(Arc::clone(key)),
            Effect::AlreadyVisited(key) => self.note_already_visited(Arc::clone(key)),
            Effect::Called(operator) => self.call(operator),
            Effect::Guessed => self.guess(),
            Effect::AskedForGuesses(_) => _ = self.guessed_enough(),
            Effect::LeftToOthers(name, there) => self.set_left_to_others(Arc::clone(name), *there),
            Effect::AskedForOthers(name, _) => _ = self.is_left_to_others(name),
            _ => {}
        }
    }
}

/// The address of a declaration, which identifies it as long as it is held.
pub(super) fn address(decl: &Arc<Decl>) -> usize {
    Arc::as_ptr(decl) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_another_pass_did_is_repeated_where_guesses_are_as_many_as_are_enough() {
        let guessed = |guesses| History { guesses, ..History::default() };
        let before = [Effect::AskedForGuesses(false), Effect::Guessed];
        let across = [Effect::AskedForGuesses(false), Effect::Guessed, Effect::AskedForGuesses(true)];
        let beyond = [Effect::AskedForGuesses(true), Effect::Guessed];
        let repeats = |guesses| [&before[..], &across, &beyond].map(|part| guessed(guesses).repeats(part));
        assert_eq!(repeats(0), [true, false, false]);
        assert_eq!(repeats(GUESS_LIMIT - 1), [true, true, false]);
        assert_eq!(repeats(GUESS_LIMIT), [false, false, true]);
        let mut history = guessed(GUESS_LIMIT - 1);
        across.iter().for_each(|effect| history.repeat_effect(effect));
        assert!(history.guessed_enough());
    }
}
