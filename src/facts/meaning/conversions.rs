//! Implicit conversion sequences of a call's arguments, as costs that overload resolution adds up
//! ([over.ics.rank]).

use std::rc::Rc;
use std::sync::Arc;

use crate::source::{Symbol, sym};

use super::arithmetic::{common, is_integer};
use super::deduce::{Call, ImpliedObject, strip_cv_and_references, without_reference};
use super::overload::{Candidate, takes_object};
use super::references::qualifiers;
use super::types::{Bindings, Instance, Ty};
use super::viability::Viability;
use super::view::{Entity, View};
use crate::facts::index::token_facts::is_conversion_function;
use crate::facts::lower::ast::*;
use crate::facts::lower::nodes::POINTER_TO_MEMBER;

/// The cost of an exact match: no conversion, or a conversion of an array or function to a pointer.
pub(in crate::facts) const EXACT: u32 = 0;
/// The cost of a promotion, a qualification conversion, or a conversion between types that are not known.
const PROMOTION: u32 = 1;
/// The cost of any other standard conversion.
const CONVERSION: u32 = 2;
/// The cost of a user-defined conversion, by a constructor or a conversion function.
const USER_DEFINED: u32 = 4;
/// The cost of an ellipsis conversion.
pub(in crate::facts) const ELLIPSIS: u32 = 8;

/// The cost of an implicit conversion.
pub(in crate::facts) enum ConversionCost {
    Known(u32),
    /// There is no such conversion.
    Impossible,
    /// One of the types is not known; with the cost that it most likely has.
    CantTell(u32),
}

impl View<'_> {
    /// The cost of initializing a parameter of type `expected` with an argument of type `actual`.
    ///
    /// A better function has no worse conversion for any argument and a better one for some
    /// ([over.match.best]/2), so the sum of its costs is lower.
    pub(in crate::facts) fn conversion_cost(&self, expected: &Ty, actual: Option<&Ty>) -> ConversionCost {
        let Some(actual) = actual else { return ConversionCost::CantTell(PROMOTION) };
        let (expected, actual) =
            (without_reference(expected.clone()).decayed(), without_reference(actual.clone()).decayed());
        if expected.is_same(&actual) {
            return ConversionCost::Known(EXACT);
        }
        let cost = match convertible(&expected, &actual) {
            Viability::No if is_of_literal(&expected, &actual) => Some(CONVERSION),
            Viability::No => None,
            _ => self.cost_of_conversion(&expected, &actual),
        };
        match cost {
            Some(cost) if expected.is_unknown() || actual.is_unknown() => ConversionCost::CantTell(cost),
            Some(cost) => ConversionCost::Known(cost),
            None => ConversionCost::Impossible,
        }
    }

    /// The cost of initializing a parameter of type `expected` with the literal zero, if it is converted to a null pointer
    /// value or a null member pointer value ([conv.ptr], [conv.mem]).
    pub(super) fn cost_of_zero(&self, expected: &Ty) -> Option<ConversionCost> {
        let is_pointer = match expected.without_cvref() {
            Ty::Pointer(_) => true,
            Ty::Class(class) => class.name == POINTER_TO_MEMBER,
            Ty::Builtin(name) => name.as_str() == "nullptr_t",
            _ => false,
        };
        is_pointer.then_some(ConversionCost::Known(CONVERSION))
    }

    /// The cost of a conversion between types that differ; `None` if there is none.
    fn cost_of_conversion(&self, expected: &Ty, actual: &Ty) -> Option<u32> {
        match (expected, actual) {
            (Ty::Opaque { .. } | Ty::Parameter(..), _) | (_, Ty::Opaque { .. } | Ty::Parameter(..)) => {
                Some(PROMOTION)
            }
            (Ty::Builtin(to), Ty::Builtin(from)) => {
                Some(if promotes(*from, *to) { PROMOTION } else { CONVERSION })
            }
            (Ty::Pointer(to), Ty::Pointer(from)) => {
                let same = to.unqualified().is_same(from.unqualified());
                Some(if same { PROMOTION } else { CONVERSION })
            }
            (Ty::Class(to), Ty::Builtin(from))
                if to.name == POINTER_TO_MEMBER && from.as_str() == "nullptr_t" =>
            {
                Some(CONVERSION)
            }
            (Ty::Class(to), Ty::Class(from)) if self.derives(from, to) => Some(CONVERSION),
            (Ty::Class(to), Ty::Class(from)) => (self.may_have_converting_constructor(to, actual)
                || self.may_convert(from, expected))
            .then_some(USER_DEFINED),
            (Ty::Class(to), _) => self.may_have_converting_constructor(to, actual).then_some(USER_DEFINED),
            (_, Ty::Class(from)) => self.may_convert(from, expected).then_some(USER_DEFINED),
            _ => Some(CONVERSION),
        }
    }

    /// Whether a type is a class that is derived from another, directly or not.
    pub(in crate::facts) fn is_derived(&self, ty: &Ty, from: &Rc<Instance>) -> bool {
        matches!(ty.without_cvref(), Ty::Class(class) if self.derives(class, from))
    }

    /// Whether a class is derived from another, directly or not.
    fn derives(&self, class: &Rc<Instance>, from: &Rc<Instance>) -> bool {
        self.bases(class).iter().any(|base| match base {
            Ty::Class(base) => {
                base.is_same(from) || self.within_limits(|| self.derives(base, from)).unwrap_or(false)
            }
            _ => false,
        })
    }

    /// The conversion functions of a class and of its base classes ([class.conv.fct]).
    pub(in crate::facts) fn conversion_functions(&self, class: &Rc<Instance>) -> Vec<Entity> {
        let Some(DeclBody::Class(definition)) = class.decl.as_ref().map(|decl| &decl.kind) else {
            return Vec::new();
        };
        let env = class.env.inside(class.clone());
        let own = definition.members.iter().flatten().filter(|one| is_conversion_function(one.name));
        let entity = |decl: &Arc<Decl>| {
            let (decl, env, owner) = (decl.clone(), env.clone(), Some(class.clone()));
            Entity { decl, env, owner, top: class.top }
        };
        let mut all: Vec<Entity> = own.map(entity).collect();
        for base in self.bases(class) {
            if let Ty::Class(base) = base {
                all.extend(self.within_limits(|| self.conversion_functions(&base)).unwrap_or_default());
            }
        }
        all
    }

    /// The type of pointer that objects of a class are converted to.
    pub(in crate::facts) fn converted_to_pointer(&self, class: &Rc<Instance>) -> Option<Ty> {
        self.conversion_functions(class).iter().find_map(|one| match &one.decl.kind {
            DeclBody::Function(function) if one.decl.templates.is_empty() => {
                let result = self.ty(&function.result, &one.env).without_cvref().clone();
                matches!(result, Ty::Pointer(_)).then_some(result)
            }
            _ => None,
        })
    }

    /// The conversion function that converts `object` to the type `target`, with its template arguments: one to that very
    /// type before a template, and this before one whose result is converted further ([over.match.conv]).
    pub(in crate::facts) fn conversion_function<'e>(
        &self,
        functions: &'e [Entity],
        target: &Ty,
        object: Option<ImpliedObject>,
    ) -> Option<Candidate<'e>> {
        let target = without_reference(target.clone()).unqualified().clone();
        let mut best: Option<((bool, bool, bool), Candidate<'e>)> = None;
        for entity in functions {
            let DeclBody::Function(function) = &entity.decl.kind else { continue };
            if object.is_some_and(|object| takes_object(function, object).is_ruled_out()) {
                continue;
            }
            let parameters = entity.decl.templates.last().map_or(&[][..], |head| &head.parameters);
            let mut found = Bindings::new();
            // Of a reference the referred type is deduced ([temp.deduct.conv]/2).
            let result = match &function.result {
                Type::LvalueReference(to) | Type::RvalueReference(to) => to,
                other => other,
            };
            let fits = self.unify(result, &entity.env, parameters, &target, &mut found);
            let is_converted_further = || {
                let result = self.ty(&function.result, &entity.env);
                convertible(&target, &result).is_certain()
            };
            if fits.is_ruled_out() && (!parameters.is_empty() || !is_converted_further()) {
                continue;
            }
            let bound = |one: &TemplateParameter| {
                found.iter().find(|(name, _)| *name == one.name).map(|(_, bound)| bound.clone())
            };
            let list = parameters.iter().map_while(bound).collect();
            let call = Call::none(&entity.env);
            let deduced = self.deduce(entity, function, list, &call);
            let result = self.ty(&function.result, &entity.env.with_bindings(deduced.bindings.clone()));
            let same = result.without_cvref().is_same(&target);
            let takes_rvalues = function.reference == RefQualifier::Rvalue;
            let rank = (same, takes_rvalues, parameters.is_empty());
            if best.as_ref().is_none_or(|(known, ..)| rank > *known) {
                best = Some((rank, (entity, function, deduced)));
            }
        }
        best.map(|(_, chosen)| chosen)
    }

    /// Whether a class may have a converting constructor for an argument of another type, which no second user-defined
    /// conversion brings to the constructor's parameter ([over.best.ics]/4); true if its members are not all known.
    fn may_have_converting_constructor(&self, class: &Rc<Instance>, actual: &Ty) -> bool {
        let Some(decl) = class.decl.as_ref().filter(|_| self.is_complete(class)) else { return true };
        let DeclBody::Class(definition) = &decl.kind else { return true };
        let inside = class.env.inside(class.clone());
        definition.members.iter().flatten().any(|member| match &member.kind {
            DeclBody::Function(_) if member.specifiers.is_explicit => false,
            DeclBody::Function(function) if member.name == decl.name => {
                function.parameters.first().is_some_and(|one| match strip_cv_and_references(&one.ty) {
                    // The injected-class-name; with arguments it may name another class of the template.
                    Type::Named(path) if path.last().name == decl.name && path.last().arguments.is_none() => {
                        false
                    }
                    _ if !member.templates.is_empty() => true,
                    _ => {
                        !self.takes_by_standard_conversion(&self.ty(&one.ty, &inside), actual).is_ruled_out()
                    }
                })
            }
            // Inherited constructors may be converting constructors.
            DeclBody::Using(path) => match path.segments.as_slice() {
                [.., base, name] if base.name == name.name => {
                    self.bases(class).iter().any(|base| match base {
                        Ty::Class(base) => self
                            .within_limits(|| self.may_have_converting_constructor(base, actual))
                            .unwrap_or(true),
                        _ => true,
                    })
                }
                _ => false,
            },
            _ => false,
        })
    }

    /// Whether a parameter takes an argument of a type by a standard conversion, which to a class is one from a derived class.
    pub(super) fn takes_by_standard_conversion(&self, parameter: &Ty, actual: &Ty) -> Viability {
        let [to, from] = [parameter, actual].map(|ty| without_reference(ty.clone()).decayed());
        match (to.unqualified(), from.unqualified()) {
            (to, from) if !to.is_sure() || !from.is_sure() => Viability::CantTell,
            (Ty::Parameter(..), _) | (_, Ty::Parameter(..)) => Viability::CantTell,
            // Null pointer constants are converted to it ([conv.mem]).
            (Ty::Class(to), _) if to.name == POINTER_TO_MEMBER => Viability::CantTell,
            (Ty::Class(to), Ty::Class(from)) if to.is_same(from) || self.derives(from, to) => Viability::Yes,
            (Ty::Class(_), Ty::Class(from)) if !self.is_complete(from) => Viability::CantTell,
            (Ty::Class(_), _) | (_, Ty::Class(_)) => Viability::No,
            // So are they to pointers; a constant is not told from other values here.
            (Ty::Pointer(_), Ty::Builtin(name)) if is_integer(*name) => Viability::CantTell,
            (to, from) if is_of_literal(to, from) => Viability::CantTell,
            (to, from) => convertible(to, from),
        }
    }

    /// Whether a class may have a conversion function whose result is of a type, or is converted to it by a standard
    /// conversion, which for a class is one from a derived class ([over.match.copy]); true if its members are not all known.
    pub(super) fn may_convert(&self, class: &Rc<Instance>, expected: &Ty) -> bool {
        let Some(DeclBody::Class(definition)) = class.decl.as_ref().map(|decl| &decl.kind) else {
            return true;
        };
        if class.is_closure() || !self.is_complete(class) {
            return true;
        }
        let inside = class.env.inside(class.clone());
        let converts = |member: &Decl| match &member.kind {
            DeclBody::Function(function)
                if is_conversion_function(member.name) && !member.specifiers.is_explicit =>
            {
                !member.templates.is_empty()
                    || match (expected, self.ty(&function.result, &inside).without_cvref()) {
                        (Ty::Class(to), result @ Ty::Class(from))
                            if expected.is_sure() && result.is_sure() =>
                        {
                            to.is_same(from) || !self.is_complete(from) || self.derives(from, to)
                        }
                        (Ty::Class(_), result) => !matches!(result, Ty::Builtin(_) | Ty::Pointer(_)),
                        (Ty::Builtin(_), result) => !matches!(result, Ty::Class(_)),
                        _ => true,
                    }
            }
            _ => false,
        };
        definition.members.iter().flatten().any(|member| converts(member))
            || self.bases(class).iter().any(|base| match base {
                Ty::Class(base) => self.within_limits(|| self.may_convert(base, expected)).unwrap_or(true),
                _ => true,
            })
    }
}

/// Whether a conversion is an integral or floating-point promotion ([conv.prom], [conv.fpprom]).
fn promotes(from: Symbol, to: Symbol) -> bool {
    match (from.as_str(), to.as_str()) {
        ("float", "double") => true,
        ("float" | "double" | "long double", _) => false,
        (_, "int" | "unsigned int") => from != to && common(from, from) == to,
        _ => false,
    }
}

/// Whether there is an implicit conversion from `actual` to `expected`.
pub(in crate::facts) fn convertible(expected: &Ty, actual: &Ty) -> Viability {
    let (expected, actual) = (expected.without_cvref(), actual.without_cvref());
    match (expected, actual) {
        (Ty::Opaque { .. } | Ty::Parameter(..), _) | (_, Ty::Opaque { .. } | Ty::Parameter(..)) => {
            Viability::CantTell
        }
        // A class may have a converting constructor or a conversion function.
        (Ty::Class(_), _) | (_, Ty::Class(_)) => Viability::CantTell,
        _ => Viability::settled(standard_conversion(expected, actual)),
    }
}

/// Whether there is a standard conversion sequence between types that are no classes ([conv]).
fn standard_conversion(expected: &Ty, actual: &Ty) -> bool {
    match (expected, actual) {
        (Ty::Builtin(_) | Ty::Enum(_), Ty::Builtin(name)) => name.as_str() != "nullptr_t",
        (Ty::Builtin(_), Ty::Enum(_)) => true,
        (Ty::Pointer(_), Ty::Builtin(name)) => name.as_str() == "nullptr_t",
        (Ty::Pointer(to), Ty::Pointer(from)) if drops_qualifiers(to, from) => false,
        (Ty::Pointer(to), Ty::Pointer(from)) => {
            let (to, from) = (to.unqualified(), from.unqualified());
            matches!(to, Ty::Builtin(sym::VOID))
                || matches!(to, Ty::Opaque { .. } | Ty::Parameter(..))
                || matches!(from, Ty::Opaque { .. } | Ty::Parameter(..) | Ty::Class(_))
                || matches!((to, from), (Ty::Function(..), Ty::Function(.., true)))
                || to.is_same(from)
        }
        (Ty::Builtin(sym::BOOL), Ty::Pointer(_)) => true,
        (Ty::Enum(a), Ty::Enum(b)) => a.name == b.name,
        (Ty::Array(..), Ty::Array(..)) | (Ty::Function(..), Ty::Function(..)) => true,
        _ => false,
    }
}

/// Whether a conversion between pointers to these types would drop a cv-qualifier, which none does ([conv.qual]).
fn drops_qualifiers(to: &Ty, from: &Ty) -> bool {
    let may_be_any = |ty: &Ty| matches!(ty.unqualified(), Ty::Opaque { .. } | Ty::Parameter(..));
    let ((to_const, to_volatile), (from_const, from_volatile)) = (qualifiers(to), qualifiers(from));
    let drops = from_const && !to_const || from_volatile && !to_volatile;
    drops && !may_be_any(to) && !may_be_any(from)
}

/// Whether it is the conversion of a string literal to a `char *`, which compilers still allow.
fn is_of_literal(expected: &Ty, actual: &Ty) -> bool {
    match (expected, actual) {
        (Ty::Pointer(to), Ty::Pointer(from)) => {
            matches!(to.as_ref(), Ty::Builtin(name) if name.as_str().contains("char"))
                && from.unqualified().is_same(to)
        }
        _ => false,
    }
}
