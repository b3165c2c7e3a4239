//! The walk that finds the instantiations of kernel templates, and of variable templates in GPU memory, of a unit in one
//! pass ([temp.inst]).
//!
//! What counts is measured on nvcc: a mention in any non-template body, whether or not that body
//! ever runs, and in every body that is instantiated from there. A discarded `if constexpr` branch
//! and an unevaluated operand do not count.

use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::source::{Span, Symbol};

use super::history::History;
use super::relevance::Relevance;
use crate::facts::lower::ast::*;
use crate::facts::meaning::types::{Env, Ty};
use crate::facts::meaning::view::View;

/// A kernel template with arguments, or a device variable template.
pub(in crate::facts) struct Instantiation {
    /// The template's qualified name.
    pub kernel: String,
    /// It is a variable template.
    pub variable: bool,
    /// Where the kernel's name is declared.
    pub declared: Span,
    /// The arguments by meaning.
    pub key: String,
    /// The same for people: `scale<float, 4>`.
    pub shown: String,
    /// Every argument is known.
    pub sure: bool,
    /// Where it is mentioned.
    pub site: Span,
    /// The mention in a non-template body that led there.
    pub root: Span,
    /// The types of the parameters after substitution, or the variable's own.
    pub parameters: Vec<Ty>,
    /// Varying declarations that the arguments were made from.
    pub trace: BTreeSet<usize>,
    /// For arguments that are extended lambdas, how many ordinary ones precede each.
    pub ordinary_before: Vec<usize>,
}

/// The two kinds of explicit instantiation ([temp.explicit]).
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::facts) enum Explicit {
    /// `extern template`: other objects have it.
    Declaration,
    Definition,
}

/// A generic lambda where a body evaluates it.
pub(super) struct MetLambda {
    pub(super) operator: Arc<Decl>,
    pub(super) env: Env,
    pub(super) root: Option<Span>,
    pub(super) device_code: bool,
    pub(super) trace: BTreeSet<usize>,
}

/// The walk of one pass of a unit.
pub(in crate::facts) struct Walk<'v> {
    pub view: &'v View<'v>,
    pub(super) relevance: Relevance<'v>,
    pub history: History,
    pub(super) context: WalkContext,
    /// The generic lambdas that were met, until all calls are known.
    pub(super) met: Vec<MetLambda>,
    /// What was instantiated.
    pub found: Vec<Instantiation>,
    /// Keys that an `extern template` takes out of the pass.
    pub suppressed: FxHashSet<(String, String)>,
    /// Something was given up that the history knows nothing of.
    pub(super) incomplete: bool,
}

/// Where a walk is.
#[derive(Default)]
pub(super) struct WalkContext {
    /// The mention in ordinary code that led here.
    pub(super) root: Option<Span>,
    /// The body runs on GPUs only.
    pub(super) device_code: bool,
    /// The body may call a generic lambda that leads to a kernel.
    pub(super) carrying: bool,
    /// The mention is an explicit instantiation, and which kind.
    pub(super) explicit: Option<Explicit>,
    /// What the function returns, and where that type's names are looked up.
    pub(super) result: Option<(Type, Env)>,
}

impl<'v> Walk<'v> {
    /// A walk for what `relevant` names lead to, among which `operators` are ([`super::relevance::operators`]).
    pub(in crate::facts) fn new(
        view: &'v View<'v>,
        relevant: &'v FxHashSet<Symbol>,
        operators: &Rc<FxHashSet<Symbol>>,
    ) -> Walk<'v> {
        Walk {
            view,
            relevance: Relevance::new(relevant, operators),
            history: History::default(),
            context: WalkContext::default(),
            met: Vec::new(),
            found: Vec::new(),
            suppressed: FxHashSet::default(),
            incomplete: false,
        }
    }

    /// The walk met a limit.
    pub(in crate::facts) fn is_incomplete(&self) -> bool {
        self.incomplete || self.history.limited
    }

    /// How much it has of what later walks depend on, but for what a [`HistoryDelta`] has.
    pub(in crate::facts) fn state(&self) -> [usize; 3] {
        [self.found.len(), self.met.len(), self.suppressed.len()]
    }

    /// Since it was in a state it found nothing, and every generic lambda that it met was called: what calls made of
    /// them is all that there is.
    pub(in crate::facts) fn found_nothing(&self, [found, met, suppressed]: [usize; 3]) -> bool {
        let is_called = |met: &MetLambda| self.history.is_called(&met.operator);
        self.found.len() == found
            && self.suppressed.len() == suppressed
            && self.met[met..].iter().all(is_called)
    }
}
