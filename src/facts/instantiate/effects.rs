//! What a walk does, and the walks that passes share: what a pass did in a root or in the body of an instantiation, another
//! pass repeats instead of walking it, if it reads all of that code and of what it depends on alike.

use std::cell::{Cell, Ref, RefCell};
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::facts::lower::ast::Decl;
use crate::facts::meaning::trace::Trace;
use crate::facts::meaning::types::{Env, Ty};
use crate::facts::model::BlindSpotCause;
use crate::source::{Loc, Span, Symbol};
use crate::target::PassSet;

/// An instantiation of a kernel template or of a device variable template.
#[derive(Clone)]
pub(in crate::facts) struct Instantiation {
    /// The template's qualified name.
    pub kernel: String,
    /// Whether the template is a variable template.
    pub variable: bool,
    /// Where the template is declared.
    pub declared: Span,
    /// The canonical template arguments: equal for arguments that are the same.
    pub key: String,
    /// The canonical text of each argument that was resolved.
    pub resolved: Vec<Option<String>>,
    /// The instantiation as messages spell it: `scale<float, 4>`.
    pub shown: String,
    /// Every argument was resolved, and no question on the way to it was left open.
    pub sure: bool,
    /// A part of the arguments that was not resolved has a name that varies.
    pub varies: bool,
    /// The mention of the template.
    pub site: Span,
    /// The mention in a non-template body from which that one is instantiated.
    pub root: Span,
    /// The last mention outside of system headers on the way to it; that of the template if there is none.
    pub call: Span,
    /// The types of the parameters after substitution, or the variable's own.
    pub parameters: Vec<Ty>,
    /// The varying declarations from which the arguments were resolved.
    pub trace: Rc<[usize]>,
    /// For each argument that is an extended lambda, the number of ordinary lambdas before it in its function.
    pub ordinary_before: Vec<usize>,
}

/// Something that was not followed so that recursion ends.
#[derive(Clone, Copy)]
pub(in crate::facts) struct LeftOut {
    /// The name of the class or function.
    pub name: Symbol,
    /// Where it is declared.
    pub declared: Span,
    pub why: BlindSpotCause,
}

/// A generic lambda that a body evaluates and of which no call may be seen, with the context of its evaluation.
pub(super) struct PendingLambda {
    pub(super) operator: Arc<Decl>,
    pub(super) env: Env,
    pub(super) root: Option<Span>,
    pub(super) call: Option<Span>,
    pub(super) device_code: bool,
    pub(super) trace: Trace,
}

/// Something that a walk did.
pub(super) enum Effect {
    /// An instantiation was visited first.
    Visited(Arc<str>),
    /// The walk came to an instantiation that had been visited.
    AlreadyVisited(Arc<str>),
    /// A body was entered on a guess.
    Guessed,
    /// It was asked whether so many bodies were entered on a guess that it is enough; the answer.
    AskedForGuesses(bool),
    /// A function, a class or a member was left to other objects (`true`), or taken back (`false`).
    LeftToOthers(Arc<str>, bool),
    /// It was asked whether a function, a class or a member is left to other objects; the answer.
    AskedForOthers(Arc<str>, bool),
    /// A generic lambda was evaluated, whose calls may follow.
    Deferred(Rc<PendingLambda>),
    /// A generic lambda with this call operator was called.
    Called(Arc<Decl>),
    /// A function's body was followed.
    Followed(Loc),
    /// A mention was resolved or discarded.
    Seen(Span),
    /// A mention was left unsettled; whether the passes may differ by it.
    Unsettled(Span, BlindSpotCause, bool),
    /// Something was not followed so that recursion ends; whether the passes may differ by it.
    LeftOut(Span, LeftOut, bool),
    /// An instantiation of a kernel template or of a variable template was found.
    Found(Rc<Instantiation>),
}

/// What the walk of a pass did, in order.
#[derive(Default)]
pub(super) struct Log {
    effects: Rc<RefCell<Vec<Effect>>>,
    /// Whether effects are logged: there are other passes.
    is_kept: Cell<bool>,
    /// How often something was done that no other pass may repeat, since it depends on more than what is logged.
    kept_from_others: Cell<usize>,
}

impl Log {
    /// Begins to log effects.
    pub(super) fn begin(&self) {
        self.is_kept.set(true);
    }

    /// Logs an effect.
    pub(super) fn add(&self, effect: impl FnOnce() -> Effect) {
        if self.is_kept.get() {
            self.effects.borrow_mut().push(effect());
        }
    }

    /// Notes that no other pass may repeat what is being done.
    pub(super) fn keep_from_others(&self) {
        self.kept_from_others.set(self.kept_from_others.get() + 1);
    }

    /// The state of the log: how much was logged, and how often something was kept from other passes.
    pub(super) fn state(&self) -> (usize, usize) {
        (self.effects.borrow().len(), self.kept_from_others.get())
    }

    /// What has been logged since a state; `None` if some of what was done is kept from other passes.
    pub(super) fn since(&self, (start, kept): (usize, usize)) -> Option<Part> {
        let end = self.effects.borrow().len();
        (self.kept_from_others.get() == kept)
            .then(|| Part { log: Rc::clone(&self.effects), range: start..end })
    }
}

/// A part of the log of a pass.
pub(super) struct Part {
    log: Rc<RefCell<Vec<Effect>>>,
    range: Range<usize>,
}

impl Part {
    /// What was done.
    pub(super) fn effects(&self) -> Ref<'_, [Effect]> {
        Ref::map(self.log.borrow(), |all| &all[self.range.clone()])
    }
}

/// What the walk of a root or a body depends on besides that code: the code around.
#[derive(PartialEq, Eq)]
pub(super) struct Surroundings {
    pub(super) root: Option<Span>,
    pub(super) call: Option<Span>,
    pub(super) device_code: bool,
    pub(super) unsettled_constructions: u32,
    /// The templates whose bodies are being walked.
    pub(super) nesting: Box<[Span]>,
}

/// What a walk that passes share is that of.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) enum SharedKey {
    /// A top-level declaration, by its index.
    Root(usize),
    /// The body of an instantiation, by its name.
    Instantiation(Arc<str>),
}

/// The walk of a root or of a body in one pass.
pub(super) struct SharedWalk {
    /// The passes that would walk it alike.
    pub(super) alike: PassSet,
    pub(super) around: Surroundings,
    /// The traces before and after it.
    pub(super) traces: [Trace; 2],
    pub(super) part: Part,
}

/// The walks of roots and of bodies in all passes so far.
#[derive(Default)]
pub(in crate::facts) struct SharedWalks(RefCell<FxHashMap<SharedKey, Vec<Rc<SharedWalk>>>>);

impl SharedWalks {
    /// The walks of a root or of an instantiation's body.
    pub(super) fn of(&self, key: &SharedKey) -> Vec<Rc<SharedWalk>> {
        self.0.borrow().get(key).cloned().unwrap_or_default()
    }

    pub(super) fn add(&self, key: SharedKey, walk: SharedWalk) {
        self.0.borrow_mut().entry(key).or_default().push(Rc::new(walk));
    }
}
