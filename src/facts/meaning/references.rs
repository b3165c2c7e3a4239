//! Reference bindings of a call's arguments ([dcl.init.ref], [over.ics.rank]/3.2).
//!
//! In: the types of parameters, and an argument with its value category. Out: whether a reference can be bound to the
//! argument, and which of two candidates binds or converts it better. Where the type or the category of an argument is not known,
//! neither is told, so that no candidate is dropped or preferred for it.

use std::cmp::Ordering;
use std::rc::Rc;

use crate::source::sym;

use super::categories::ValueCategory;
use super::types::Ty;
use super::viability::Viability;
use super::view::View;

/// An argument to which references may be bound.
pub(super) struct Operand {
    /// The type of the object, with its cv-qualifiers.
    pub(super) ty: Ty,
    pub(super) category: ValueCategory,
}

impl View<'_> {
    /// Whether a parameter can be bound to an argument ([dcl.init.ref]/5). Types that are not reference-related are a
    /// matter of conversions, of which nothing is said here.
    pub(super) fn binds(&self, parameter: &Ty, argument: &Operand) -> Viability {
        let (to, takes_lvalue) = match parameter {
            Ty::LvalueReference(to) => (to.as_ref(), true),
            Ty::RvalueReference(to) => (to.as_ref(), false),
            _ => return Viability::Yes,
        };
        if !self.is_reference_related(to, &argument.ty) || matches!(to.unqualified(), Ty::Function(..)) {
            return Viability::Yes;
        }
        let (is_const, is_volatile) = qualifiers(to);
        let (object_is_const, object_is_volatile) = qualifiers(&argument.ty);
        if object_is_const && !is_const || object_is_volatile && !is_volatile {
            return Viability::No;
        }
        match argument.category {
            _ if takes_lvalue && is_const && !is_volatile => Viability::Yes,
            ValueCategory::Lvalue => Viability::settled(takes_lvalue),
            ValueCategory::Xvalue | ValueCategory::Prvalue => Viability::settled(!takes_lvalue),
            ValueCategory::CantTell => Viability::CantTell,
        }
    }

    /// Whether references to `to` may be bound directly to objects of type `from` ([dcl.init.ref]/4).
    fn is_reference_related(&self, to: &Ty, from: &Ty) -> bool {
        let (to, from) = (to.unqualified(), from.unqualified());
        to.is_same(from) || matches!(to, Ty::Class(base) if self.is_derived(from, base))
    }

    /// To which of two parameter types an argument is converted better by standard conversions of one rank, greater for the
    /// first ([over.ics.rank]/3.2.5, 4): to a class before its base class, to a pointer to it before one to its base class and
    /// this before `void *`, to a pointer before one to the same type with more qualifiers, and to any pointer before `bool`.
    pub(super) fn compare_conversions(&self, one: &Ty, other: &Ty) -> Ordering {
        match (one.without_cvref(), other.without_cvref()) {
            (Ty::Class(one), Ty::Class(other)) => {
                let derived = |class, base| self.is_derived(&Ty::Class(Rc::clone(class)), base);
                derived(one, other).cmp(&derived(other, one))
            }
            (Ty::Pointer(one), Ty::Pointer(other)) => {
                let is_void = |to: &Ty| matches!(to.unqualified(), Ty::Builtin(sym::VOID));
                let order = match (is_void(one), is_void(other)) {
                    (false, false) => self.compare_conversions(one.unqualified(), other.unqualified()),
                    (one, other) => other.cmp(&one),
                };
                let are_similar = || one.unqualified().is_same(other.unqualified());
                match order {
                    Ordering::Equal if are_similar() => compare_qualifiers(one, other),
                    order => order,
                }
            }
            (Ty::Pointer(_), Ty::Builtin(sym::BOOL)) => Ordering::Greater,
            (Ty::Builtin(sym::BOOL), Ty::Pointer(_)) => Ordering::Less,
            _ => Ordering::Equal,
        }
    }
}

/// Which of two parameter types binds an argument better: greater for the first ([over.ics.rank]/3.2.3, 3.2.6). Equal where
/// neither is better, or where one of them is no reference. `None` if it depends on a category that is not known.
pub(super) fn compare_bindings(one: &Ty, other: &Ty, category: ValueCategory) -> Option<Ordering> {
    let referred = |ty: &Ty| match ty {
        Ty::LvalueReference(to) => Some((to.as_ref().clone(), true)),
        Ty::RvalueReference(to) => Some((to.as_ref().clone(), false)),
        _ => None,
    };
    let (Some((one, one_is_lvalue)), Some((other, other_is_lvalue))) = (referred(one), referred(other))
    else {
        return Some(Ordering::Equal);
    };
    if one_is_lvalue != other_is_lvalue && !matches!(one.unqualified(), Ty::Function(..)) {
        return match category {
            ValueCategory::Xvalue | ValueCategory::Prvalue => Some(other_is_lvalue.cmp(&one_is_lvalue)),
            // Of related types only one of them can be bound.
            ValueCategory::Lvalue => Some(Ordering::Equal),
            ValueCategory::CantTell => None,
        };
    }
    if !one.unqualified().is_same(other.unqualified()) {
        return Some(Ordering::Equal);
    }
    Some(compare_qualifiers(&one, &other))
}

/// Which of two types has fewer cv-qualifiers: greater for the first. Equal where each has one that the other lacks.
fn compare_qualifiers(one: &Ty, other: &Ty) -> Ordering {
    let ((one_const, one_volatile), (other_const, other_volatile)) = (qualifiers(one), qualifiers(other));
    match (other_const.cmp(&one_const), other_volatile.cmp(&one_volatile)) {
        (Ordering::Equal, order) | (order, Ordering::Equal) => order,
        (one, other) if one == other => one,
        _ => Ordering::Equal,
    }
}

/// The top-level cv-qualifiers of a type; those of an array are its elements' ([basic.type.qualifier]/3).
pub(super) fn qualifiers(ty: &Ty) -> (bool, bool) {
    match ty {
        Ty::Qualified(_, is_const, is_volatile) => (*is_const, *is_volatile),
        Ty::Array(of, _) => qualifiers(of),
        _ => (false, false),
    }
}
