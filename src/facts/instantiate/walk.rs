//! The walk that finds the instantiations of kernel templates, and of variable templates in GPU memory, of a unit in
//! one pass ([temp.inst]).
//!
//! Measured on nvcc, these mentions count: those in any non-template body, whether or not it ever runs, and those in
//! every body that is instantiated from there. Discarded statements (`if constexpr`) and unevaluated operands do not.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::source::{Loc, Span, Symbol};
use crate::target::PassSet;

use super::apart::Apart;
use super::effects::{
    Effect, Instantiation, LeftOut, PendingLambda, SharedKey, SharedWalk, SharedWalks, Surroundings,
};
use super::history::{Entered, History, Way};
use super::relevance::{Relevance, Relevances};
use crate::facts::lower::ast::*;
use crate::facts::meaning::types::{Env, TemplateArgument};
use crate::facts::meaning::view::View;
use crate::facts::model::BlindSpotCause;

/// The two kinds of explicit instantiation ([temp.explicit]).
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::facts) enum Explicit {
    /// `extern template`: left to other objects.
    Declaration,
    /// `template`: instantiated here.
    Definition,
}

/// The walk over the roots of a unit in one pass.
pub(in crate::facts) struct Walk<'v> {
    pub view: &'v View<'v>,
    /// What is relevant in code that hosts run, and in code that GPUs alone run.
    pub(super) relevances: [Relevance<'v>; 2],
    pub(super) apart: Apart<'v>,
    pub history: History,
    pub(super) context: WalkContext,
    /// The generic lambdas that were evaluated, until all calls are known.
    pub(super) pending: Vec<Rc<PendingLambda>>,
    /// The instantiations that were found.
    pub found: Vec<Instantiation>,
    /// The instantiations, as template and key, that an `extern template` leaves to other objects.
    pub suppressed: FxHashSet<(String, String)>,
    /// The mentions of which the function that they denote could not be told in some context, by the place of the name.
    pub unsettled: FxHashMap<Span, BlindSpotCause>,
    /// What was not followed so that recursion ends, by its place.
    pub left_out: FxHashMap<Span, LeftOut>,
    /// The functions whose bodies were followed, by where their names begin.
    pub followed: FxHashSet<Loc>,
    /// The mentions that were resolved or are discarded, by the place of the name; some of them are unsettled.
    pub seen: FxHashSet<Span>,
    /// The names of which it is known whether types and constants that they mean may differ between passes.
    pub(super) varying: RefCell<FxHashMap<Symbol, bool>>,
    /// How often a mention was left unsettled by which the passes may differ.
    pub(super) unsettled_differences: usize,
    /// Something was not followed because of a limit that is not the history's.
    pub(super) incomplete: bool,
    /// The walks of bodies that passes share; `None` if there is one pass.
    shared: Option<&'v SharedWalks>,
}

/// The context of the code that a walk is in.
#[derive(Default)]
pub(super) struct WalkContext {
    /// The mention in a non-template body from which this code is instantiated.
    pub(super) root: Option<Span>,
    /// The last mention outside of system headers on the way to this code.
    pub(super) call: Option<Span>,
    /// The body is device code.
    pub(super) device_code: bool,
    /// The body may call a relevant generic lambda, so none of its calls is left out.
    pub(super) may_call_lambda: bool,
    /// The body may create objects of a relevant class that it names by a template parameter.
    pub(super) may_create: bool,
    /// An argument is being converted to a class, by a constructor whose own arguments no user-defined conversion converts
    /// ([over.best.ics]/4).
    pub(super) converting: bool,
    /// The number of constructions under way of classes of which it is not settled which specialization they are.
    pub(super) unsettled_constructions: u32,
    /// How many parameters are being initialized by braced lists, each by what the one before it led to.
    pub(super) nested_lists: u32,
    /// The kind of explicit instantiation that the mention is.
    pub(super) explicit: Option<Explicit>,
    /// The names with explicit template arguments in the body whose other arguments a target type has given ([over.over]).
    pub(super) addressed: Vec<Path>,
    /// The function's return type, and where its names are looked up.
    pub(super) result: Option<(Type, Env)>,
}

impl<'v> Walk<'v> {
    /// A walk that follows what is relevant.
    pub(in crate::facts) fn new(
        view: &'v View<'v>,
        relevant: &Relevances<'v>,
        shared: Option<&'v SharedWalks>,
    ) -> Walk<'v> {
        let history = History::default();
        if shared.is_some() {
            history.log.begin();
        }
        Walk {
            view,
            relevances: relevant.for_walk(),
            apart: Apart::new(view.unit, relevant.leading),
            history,
            context: WalkContext::default(),
            pending: Vec::new(),
            found: Vec::new(),
            suppressed: FxHashSet::default(),
            unsettled: FxHashMap::default(),
            left_out: FxHashMap::default(),
            followed: FxHashSet::default(),
            seen: FxHashSet::default(),
            varying: RefCell::default(),
            unsettled_differences: 0,
            incomplete: false,
            shared,
        }
    }

    /// Follows the body of the instantiation that was entered last, or repeats what another pass did there. `alike` are the
    /// passes in which it is an instantiation of the same template with the same arguments.
    pub(super) fn follow_shared_body(&mut self, alike: PassSet, follow: impl FnOnce(&mut Self)) {
        match self.history.last_visited.clone() {
            Some(entered) => self.follow_shared(SharedKey::Instantiation(entered), alike, follow),
            None => follow(self),
        }
    }

    /// Follows something, or repeats what another pass did there. `alike` are the passes in which it is the same.
    pub(super) fn follow_shared(&mut self, key: SharedKey, alike: PassSet, follow: impl FnOnce(&mut Self)) {
        let Some(shared) = self.shared else { return follow(self) };
        let WalkContext { root, call, device_code, unsettled_constructions, .. } = self.context;
        let nesting = self.history.nesting().collect();
        let around = Surroundings { root, call, device_code, unsettled_constructions, nesting };
        let (view, before) = (self.view, self.view.trace());
        let known = shared.of(&key).into_iter().find(|known| {
            view.may_share(known.alike)
                && known.around == around
                && known.traces[0].agrees(before)
                && self.history.repeats(&known.part.effects())
        });
        if let Some(known) = known {
            known.part.effects().iter().for_each(|effect| self.repeat_effect(effect));
            view.share_with(known.alike);
            return view.depend_as(known.traces[1]);
        }
        let (state, reached) = (self.history.log.state(), view.is_left_open());
        let alike = view.alike_in(alike, || follow(self));
        let is_limited = view.is_left_open() != reached || view.spent();
        if let Some(part) = self.history.log.since(state)
            && !is_limited
            && !alike.minus(view.only_here()).is_empty()
        {
            let traces = [before, view.trace().of_any_pass()];
            shared.add(key, SharedWalk { alike, around, traces, part });
        }
    }

    /// Does what another pass did.
    fn repeat_effect(&mut self, effect: &Effect) {
        self.history.repeat_effect(effect);
        match effect {
            Effect::Visited(_)
            | Effect::AlreadyVisited(_)
            | Effect::Guessed
            | Effect::AskedForGuesses(_)
            | Effect::LeftToOthers(..)
            | Effect::AskedForOthers(..)
            | Effect::Called(_) => {}
            Effect::Deferred(lambda) => self.defer(Rc::clone(lambda)),
            Effect::Followed(at) => self.note_followed(*at),
            Effect::Seen(at) => self.note_seen(*at),
            Effect::Unsettled(at, why, differs) => self.note_unsettled(*at, *why, *differs),
            Effect::LeftOut(at, what, differs) => self.note_left_out(*at, *what, *differs),
            Effect::Found(one) => self.note_found(Instantiation::clone(one)),
        }
    }

    /// Notes that a generic lambda is evaluated, whose calls may follow.
    pub(super) fn defer(&mut self, lambda: Rc<PendingLambda>) {
        self.history.log.add(|| Effect::Deferred(Rc::clone(&lambda)));
        self.pending.push(lambda);
    }

    /// Notes that a function's body is followed.
    pub(super) fn note_followed(&mut self, at: Loc) {
        self.history.log.add(|| Effect::Followed(at));
        self.followed.insert(at);
    }

    /// Notes that a mention is resolved or discarded.
    pub(super) fn note_seen(&mut self, at: Span) {
        self.history.log.add(|| Effect::Seen(at));
        self.seen.insert(at);
    }

    /// Notes an instantiation of a kernel template or of a variable template.
    pub(super) fn note_found(&mut self, one: Instantiation) {
        self.history.log.add(|| Effect::Found(Rc::new(one.clone())));
        self.found.push(one);
    }

    fn note_unsettled(&mut self, at: Span, why: BlindSpotCause, differs: bool) {
        self.history.log.add(|| Effect::Unsettled(at, why, differs));
        self.unsettled_differences += usize::from(differs);
        self.unsettled.entry(at).or_insert(why);
    }

    fn note_left_out(&mut self, at: Span, what: LeftOut, differs: bool) {
        self.history.log.add(|| Effect::LeftOut(at, what, differs));
        self.unsettled_differences += usize::from(differs);
        self.left_out.entry(at).or_insert(what);
    }

    /// What is relevant in the code that the walk is in.
    pub(super) fn relevance(&self) -> &Relevance<'v> {
        &self.relevances[usize::from(self.context.device_code)]
    }

    /// Notes that the function which a mention denotes can't be told, if its name is relevant.
    pub(super) fn leave_unsettled(&mut self, mention: &Mention, why: BlindSpotCause) {
        let name = mention.path.last().name;
        if self.relevance().has(name) {
            let unit = self.view.unit;
            let differs = unit.token_facts().is_kernel(name) || unit.partial(mention.at).next().is_some();
            self.note_unsettled(mention.at, why, differs);
        }
    }

    /// Notes that what a declaration causes at a place was not followed.
    pub(super) fn leave_out(&mut self, at: Span, decl: &Decl, why: BlindSpotCause) {
        let differs = self.view.unit.partial(at).next().is_some();
        self.note_left_out(at, LeftOut { name: decl.name, declared: decl.at, why }, differs);
    }

    /// Follows something that causes instantiations where it stands in a body: in one that is no template's, it is what
    /// they are instantiated from. Varying declarations on which its meaning depends are traced for it alone.
    pub(super) fn rooted_at(&mut self, at: Span, follow: impl FnOnce(&mut Self)) {
        let saved = self.view.trace();
        let WalkContext { root, call, .. } = self.context;
        self.context.root = root.or(Some(at));
        if !self.view.unit.pp.system.contains(&at.file) {
            self.context.call = Some(at);
        }
        follow(self);
        (self.context.root, self.context.call) = (root, call);
        self.view.set_trace(saved);
    }

    /// Enters a template's body for template arguments, and tells whether it is to be walked ([`History::enter`]).
    pub(super) fn enter(&mut self, key: String, decl: &Decl, arguments: &[TemplateArgument]) -> bool {
        let way = if self.view.is_unsettled() { Way::Guessed } else { Way::Certain };
        let entered = Entered { key, on_device: self.context.device_code, way };
        let enters = self.history.enter(entered, decl, arguments, self.found.len());
        if std::mem::take(&mut self.history.left_out) {
            self.leave_out(decl.at, decl, BlindSpotCause::WithinItself);
        }
        enters
    }

    /// Whether something was not followed because of a limit.
    pub(in crate::facts) fn is_incomplete(&self) -> bool {
        self.incomplete || self.history.limited
    }

    /// The state on which later walks depend and that a [`HistoryDelta`](super::history::HistoryDelta) does not record:
    /// how many instantiations, pending lambdas, suppressed instantiations and unsettled mentions there are.
    pub(in crate::facts) fn state(&self) -> [usize; 4] {
        [self.found.len(), self.pending.len(), self.suppressed.len(), self.unsettled_differences]
    }

    /// Whether nothing was found since the walk was in a state, and every generic lambda that was evaluated since was
    /// called, so that nothing is pending either.
    pub(in crate::facts) fn found_nothing(
        &self,
        [found, pending, suppressed, unsettled]: [usize; 4],
    ) -> bool {
        let is_called = |lambda: &Rc<PendingLambda>| self.history.is_called(&lambda.operator);
        self.found.len() == found
            && self.unsettled_differences == unsettled
            && self.suppressed.len() == suppressed
            && self.pending[pending..].iter().all(is_called)
    }
}
