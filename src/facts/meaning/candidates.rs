//! The candidates of calls, as they are kept: lists of them, and which of a list a call chose.

use std::cell::{Cell, RefCell};
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHasher};

use super::types::{Bindings, TemplateArgument, Ty, Unresolved, Value};
use super::viability::Viability;

/// The result of deduction.
#[derive(Clone)]
pub(in crate::facts) struct Deduced {
    /// The template parameters with the arguments bound to them.
    pub bindings: Bindings,
    /// The same arguments in the order of the parameters.
    pub arguments: Vec<TemplateArgument>,
    /// Whether the candidate takes that many arguments, and each parameter can have the type of its
    /// argument.
    pub viable: Viability,
    /// Whether an argument was not deduced, which is spelled by the arguments of the call.
    pub is_spelled: bool,
}

/// The candidates that a call chose, by their index among its candidates, with what was deduced for each.
pub(super) type Chosen = Rc<[(usize, Deduced)]>;

/// Lists of candidates, each with a number.
pub(super) struct CandidateLists<C> {
    by_hash: RefCell<FxHashMap<u64, Vec<CandidateList<C>>>>,
    count: Cell<usize>,
}

/// A list of candidates, which keeps alive what it is told by.
pub(super) struct CandidateList<C> {
    pub(super) number: usize,
    pub(super) candidates: Rc<[C]>,
}

impl<C> Default for CandidateLists<C> {
    fn default() -> CandidateLists<C> {
        CandidateLists { by_hash: RefCell::default(), count: Cell::default() }
    }
}

impl<C> Clone for CandidateList<C> {
    fn clone(&self) -> CandidateList<C> {
        CandidateList { number: self.number, candidates: Rc::clone(&self.candidates) }
    }
}

impl<C: Clone> CandidateLists<C> {
    /// The list of these candidates, which are told apart by their `identity`: the addresses of the declaration and of its
    /// environment.
    pub(super) fn list_of(
        &self,
        candidates: &[C],
        identity: impl Fn(&C) -> (usize, usize) + Copy,
    ) -> CandidateList<C> {
        let mut hasher = FxHasher::default();
        candidates.iter().for_each(|one| identity(one).hash(&mut hasher));
        let mut lists = self.by_hash.borrow_mut();
        let same_hash = lists.entry(hasher.finish()).or_default();
        let is_equal = |known: &&CandidateList<C>| {
            known.candidates.iter().map(identity).eq(candidates.iter().map(identity))
        };
        if let Some(known) = same_hash.iter().find(is_equal) {
            return known.clone();
        }
        let new = CandidateList { number: self.count.get(), candidates: candidates.into() };
        self.count.set(new.number + 1);
        same_hash.push(new.clone());
        new
    }
}

/// Whether an equal identity means an equal argument.
pub(super) fn told_by_identity(argument: &TemplateArgument) -> bool {
    match argument {
        TemplateArgument::Type(ty) => is_told_by_identity(ty),
        TemplateArgument::Pack(members) => members.iter().all(told_by_identity),
        TemplateArgument::Value(Value::Opaque(_)) => true,
        TemplateArgument::Value(_) | TemplateArgument::Integer(..) | TemplateArgument::Template(_) => {
            argument.is_sure()
        }
    }
}

/// Whether an equal identity means an equal type: local classes of several blocks may have one name, and so may the closure types
/// of one lambda-expression that a macro repeats.
pub(super) fn is_told_by_identity(ty: &Ty) -> bool {
    match ty {
        Ty::Builtin(_) | Ty::Enum(_) => true,
        Ty::Class(class) => {
            // One without a declaration is named by its namespace: a class that is never defined, a pointer to member.
            let is_named = class.decl.is_none() && class.env.frame.is_none();
            let is_local = class.top == usize::MAX && !is_named || class.is_closure();
            !is_local && class.arguments.iter().all(told_by_identity)
        }
        Ty::Pointer(inner)
        | Ty::LvalueReference(inner)
        | Ty::RvalueReference(inner)
        | Ty::Qualified(inner, ..) => is_told_by_identity(inner),
        Ty::Array(inner, size) => {
            let is_told = |size: &Value| matches!(size, Value::Int(..) | Value::Opaque(_));
            size.as_ref().is_none_or(is_told) && is_told_by_identity(inner)
        }
        Ty::Function(result, parameters, _) => {
            is_told_by_identity(result) && parameters.iter().all(is_told_by_identity)
        }
        Ty::Opaque { because, .. } => *because != Unresolved::Dependent,
        Ty::Parameter(..) => false,
    }
}
