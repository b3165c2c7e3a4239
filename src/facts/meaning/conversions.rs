//! Implicit conversions of a call's arguments, as far as the choice among overloads needs them ([over.ics.rank]).

use std::rc::Rc;

use crate::source::{Symbol, sym};

use super::arithmetic::common;
use super::deduce::{referred, strip_qualifiers};
use super::types::{Instance, Spelling, Ty};
use super::view::View;
use crate::facts::lower::ast::*;

/// What an argument costs that is taken as it is.
pub(in crate::facts) const EXACT: u32 = 0;
/// A promotion, added cv, or a type that is not known.
const NEARLY: u32 = 1;
/// Any other standard conversion.
const STANDARD: u32 = 2;
/// A constructor or a conversion function.
const USER_DEFINED: u32 = 4;
/// Taken by `...`.
pub(in crate::facts) const ELLIPSIS: u32 = 8;

impl View<'_> {
    /// What it costs to initialize a parameter of type `expected` with an argument; `None` when that can't be done.
    /// Of two functions the better one costs less for some argument and not more for any, so it costs less in all
    /// ([over.match.best]/2).
    pub(in crate::facts) fn conversion_cost(&self, expected: &Ty, actual: Option<&Ty>) -> Option<u32> {
        let Some(actual) = actual else { return Some(NEARLY) };
        let (expected, actual) = (referred(expected.clone()).decayed(), referred(actual.clone()).decayed());
        if expected.text(Spelling::Canonical) == actual.text(Spelling::Canonical) {
            return Some(EXACT);
        }
        if !convertible(&expected, &actual) {
            return None;
        }
        match (&expected, &actual) {
            (Ty::Opaque { .. } | Ty::Parameter(..), _) | (_, Ty::Opaque { .. } | Ty::Parameter(..)) => {
                Some(NEARLY)
            }
            (Ty::Builtin(to), Ty::Builtin(from)) => {
                Some(if promotes(*from, *to) { NEARLY } else { STANDARD })
            }
            (Ty::Pointer(to), Ty::Pointer(from)) => {
                let same = to.unqualified().text(Spelling::Canonical)
                    == from.unqualified().text(Spelling::Canonical);
                Some(if same { NEARLY } else { STANDARD })
            }
            (Ty::Class(to), Ty::Class(from)) if self.derives(from, to) => Some(STANDARD),
            (Ty::Class(to), Ty::Class(from)) => {
                (self.may_be_made(to) || self.may_turn_into_a_class(from)).then_some(USER_DEFINED)
            }
            (Ty::Class(to), _) => self.may_be_made(to).then_some(USER_DEFINED),
            (_, Ty::Class(_)) => Some(USER_DEFINED),
            _ => Some(STANDARD),
        }
    }

    /// Whether a type is a class that is derived from another.
    pub(in crate::facts) fn is_derived(&self, ty: &Ty, from: &Rc<Instance>) -> bool {
        matches!(ty.bare(), Ty::Class(class) if self.derives(class, from))
    }

    /// Whether a class is derived from another.
    fn derives(&self, class: &Rc<Instance>, from: &Rc<Instance>) -> bool {
        self.bases(class).iter().any(|base| match base {
            Ty::Class(base) => {
                base.text(Spelling::Canonical) == from.text(Spelling::Canonical)
                    || self.deeper(|| self.derives(base, from)).unwrap_or(false)
            }
            _ => false,
        })
    }

    fn bases(&self, class: &Rc<Instance>) -> Vec<Ty> {
        match class.decl.as_ref().map(|decl| &decl.kind) {
            Some(DeclBody::Class(definition)) => {
                definition.bases.iter().map(|(base, _)| self.ty(base, &class.env)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Whether a class may have a constructor for something that is not its own kind.
    fn may_be_made(&self, class: &Rc<Instance>) -> bool {
        let Some(decl) = class.decl.as_ref().filter(|_| self.is_complete(class)) else { return true };
        let DeclBody::Class(definition) = &decl.kind else { return true };
        definition.members.iter().flatten().any(|member| match &member.kind {
            DeclBody::Function(function) if member.name == decl.name => {
                match function.parameters.first().map(|one| strip_qualifiers(&one.ty)) {
                    None => false,
                    Some(Type::Named(path)) => path.last().name != decl.name,
                    Some(_) => true,
                }
            }
            // Inherited constructors.
            DeclBody::Using(_) => true,
            _ => false,
        })
    }

    /// Whether an object of a class may convert itself to another class.
    fn may_turn_into_a_class(&self, class: &Rc<Instance>) -> bool {
        let Some(DeclBody::Class(definition)) = class.decl.as_ref().map(|decl| &decl.kind) else {
            return true;
        };
        if class.is_closure() || !self.is_complete(class) {
            return true;
        }
        let inside = class.env.inside(class.clone());
        let to_class = |member: &Decl| match &member.kind {
            DeclBody::Function(function) if converts(member.name) => {
                !member.templates.is_empty()
                    || !matches!(self.ty(&function.result, &inside).bare(), Ty::Builtin(_) | Ty::Pointer(_))
            }
            _ => false,
        };
        definition.members.iter().flatten().any(|member| to_class(member))
            || self.bases(class).iter().any(|base| match base {
                Ty::Class(base) => self.deeper(|| self.may_turn_into_a_class(base)).unwrap_or(true),
                _ => true,
            })
    }
}

/// Whether a member is a conversion function: `operator int`.
fn converts(name: Symbol) -> bool {
    name.as_str().strip_prefix("operator").is_some_and(|rest| rest.starts_with(' '))
}

/// Integral and floating promotion ([conv.prom], [conv.fpprom]).
fn promotes(from: Symbol, to: Symbol) -> bool {
    match (from.as_str(), to.as_str()) {
        ("float", "double") => true,
        ("float" | "double" | "long double", _) => false,
        (_, "int" | "unsigned int") => from != to && common(from, from) == to,
        _ => false,
    }
}

/// Whether an argument of type `actual` can initialize `expected` by a standard conversion, as far
/// as can be told; unknown types always can.
pub(in crate::facts) fn convertible(expected: &Ty, actual: &Ty) -> bool {
    let (expected, actual) = (expected.bare(), actual.bare());
    match (expected, actual) {
        (Ty::Opaque { .. } | Ty::Parameter(..), _) | (_, Ty::Opaque { .. } | Ty::Parameter(..)) => true,
        (Ty::Builtin(_) | Ty::Enum(_), Ty::Builtin(name)) => name.as_str() != "nullptr_t",
        (Ty::Builtin(_), Ty::Enum(_)) => true,
        (Ty::Pointer(_), Ty::Builtin(name)) => name.as_str() == "nullptr_t",
        (Ty::Pointer(to), Ty::Pointer(from)) => {
            let (to, from) = (to.unqualified(), from.unqualified());
            matches!(to, Ty::Builtin(sym::VOID))
                || matches!(to, Ty::Opaque { .. } | Ty::Parameter(..))
                || matches!(from, Ty::Opaque { .. } | Ty::Parameter(..) | Ty::Class(_))
                || to.text(Spelling::Canonical) == from.text(Spelling::Canonical)
        }
        (Ty::Builtin(sym::BOOL), Ty::Pointer(_)) => true,
        // A class may have a converting constructor or conversion function.
        (Ty::Class(_), _) | (_, Ty::Class(_)) => true,
        (Ty::Enum(a), Ty::Enum(b)) => a.name == b.name,
        (Ty::Array(..), Ty::Array(..)) | (Ty::Function(..), Ty::Function(..)) => true,
        _ => false,
    }
}
