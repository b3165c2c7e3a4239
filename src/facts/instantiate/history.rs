//! The instantiations that a walk has been through, which end its recursion and let a later walk be spared.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::facts::lower::ast::Decl;
use crate::facts::meaning::types::TemplateArgument;
use crate::source::Span;

/// How many different instantiations are followed in one pass before the walk gives up.
const VISIT_LIMIT: usize = 50_000;

/// How deep instantiations may nest: what compilers allow templates by default.
const NESTING_LIMIT: usize = 900;

/// How often a template may be in the middle of itself without having led to a kernel: what ends its recursion is then
/// an overload that hangs on something unknown.
const FRUITLESS_LIMIT: usize = 64;

/// What a walk changed of what later ones depend on.
#[derive(Default, Debug)]
pub(in crate::facts) struct HistoryDelta {
    /// What it visited.
    pub visited: Vec<Arc<str>>,
    /// What it would have visited if that had not been.
    pub met_again: Vec<Arc<str>>,
    /// What it put among what other objects have, or took away from there.
    pub elsewhere: Vec<(Arc<str>, bool)>,
    /// The call operators of generic lambdas that it called. The next analysis has the same objects of the same
    /// headers, as long as these are held.
    pub called: Vec<Arc<Decl>>,
}

impl HistoryDelta {
    pub(in crate::facts) fn is_empty(&self) -> bool {
        self.visited.is_empty() && self.elsewhere.is_empty() && self.called.is_empty()
    }
}

/// The instantiations that a walk has been through.
#[derive(Default)]
pub(in crate::facts) struct History {
    visited: FxHashSet<Arc<str>>,
    /// Function templates with arguments, classes and their members whose bodies an `extern template` leaves to other
    /// objects.
    elsewhere: FxHashSet<Arc<str>>,
    /// The call operators of generic lambdas that calls instantiated, by address.
    called: FxHashSet<usize>,
    /// The templates whose bodies are at hand, each with how much was found before.
    nesting: Vec<(Span, usize)>,
    /// The changes of this history since somebody wanted to know.
    pub noted: Option<HistoryDelta>,
    /// It met a limit: some body was not entered.
    pub(super) limited: bool,
}

impl History {
    /// Does what a walk did that noted this, and nothing else.
    pub(in crate::facts) fn repeat(&mut self, noted: &HistoryDelta) {
        self.visited.extend(noted.visited.iter().cloned());
        for (name, there) in &noted.elsewhere {
            self.set_elsewhere(Arc::clone(name), *there);
        }
        self.called.extend(noted.called.iter().map(address));
    }

    /// Notes whether other objects have a function, a class or a member.
    pub(super) fn set_elsewhere(&mut self, name: Arc<str>, there: bool) {
        let changed = match there {
            true => self.elsewhere.insert(Arc::clone(&name)),
            false => self.elsewhere.remove(&name),
        };
        if let Some(noted) = self.noted.as_mut().filter(|_| changed) {
            noted.elsewhere.push((name, there));
        }
    }

    /// Notes that a generic lambda is called, whose call operator this is.
    pub(super) fn call(&mut self, operator: &Arc<Decl>) {
        let first = self.called.insert(address(operator));
        if let Some(noted) = self.noted.as_mut().filter(|_| first) {
            noted.called.push(Arc::clone(operator));
        }
    }

    /// Notes that something is visited; whether that is the first time.
    pub(super) fn visit_first(&mut self, key: String) -> bool {
        let key: Arc<str> = key.into();
        let first = self.visited.insert(Arc::clone(&key));
        match self.noted.as_mut().filter(|_| first) {
            Some(noted) => noted.visited.push(key),
            None => self.meet_again(key),
        }
        first
    }

    fn meet_again(&mut self, key: Arc<str>) {
        if let Some(noted) = &mut self.noted {
            noted.met_again.push(key);
        }
    }

    /// Whether a template's body is to be walked for arguments: not twice for the same, and not within
    /// itself when they are not all known, since nothing would tell where the recursion ends.
    /// `found` instantiations were found so far.
    pub(super) fn enter(
        &mut self,
        key: String,
        decl: &Decl,
        arguments: &[TemplateArgument],
        found: usize,
    ) -> bool {
        if self.visited.contains(key.as_str()) {
            self.meet_again(key.into());
            return false;
        }
        let mut within = self.nesting.iter().filter(|(at, _)| *at == decl.at);
        if let Some((_, before)) = within.next()
            && (!arguments.iter().all(TemplateArgument::is_sure)
                || *before == found && within.count() >= FRUITLESS_LIMIT)
        {
            return false;
        }
        if self.visited.len() >= VISIT_LIMIT || self.nesting.len() >= NESTING_LIMIT {
            self.limited = true;
            return false;
        }
        self.visit_first(key);
        self.nesting.push((decl.at, found));
        true
    }

    /// Leaves the body that was entered last.
    pub(super) fn leave(&mut self) {
        self.nesting.pop();
    }

    /// Whether other objects have a function, a class or a member.
    pub(super) fn is_elsewhere(&self, name: &str) -> bool {
        self.elsewhere.contains(name)
    }

    /// Whether a generic lambda was called.
    pub(super) fn is_called(&self, operator: &Arc<Decl>) -> bool {
        self.called.contains(&address(operator))
    }
}

/// The address of a declaration, which tells it from others as long as it is held.
pub(super) fn address(decl: &Arc<Decl>) -> usize {
    Arc::as_ptr(decl) as usize
}
