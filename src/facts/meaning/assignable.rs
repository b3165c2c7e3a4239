//! Whether one type can be assigned to another ([expr.ass], [class.copy.assign]), as type traits ask.
//!
//! In: the types of two operands as `declval` gives them, of one pass. Out: whether the assignment is valid, and whether it
//! calls no function that is not trivial; `None` where that can't be told.

use std::rc::Rc;

use super::categories::ValueCategory;
use super::constructible::copying;
use super::copying::{Copying, is_defaulted};
use super::deduce::{Call, ImpliedObject};
use super::types::{Instance, Ty};
use super::viability::Viability;
use super::view::{Entity, LookupResult, View};
use crate::facts::lower::ast::*;
use crate::source::{Symbol, sym};

/// The operand that is assigned to.
struct Target<'t> {
    /// Its type without a reference.
    ty: &'t Ty,
    is_lvalue: bool,
}

impl Target<'_> {
    fn of(ty: &Ty) -> Target<'_> {
        match ty {
            Ty::LvalueReference(to) => Target { ty: to, is_lvalue: true },
            Ty::RvalueReference(to) => Target { ty: to, is_lvalue: false },
            other => Target { ty: other, is_lvalue: false },
        }
    }

    fn is_const(&self) -> bool {
        matches!(self.ty, Ty::Qualified(_, true, _))
    }
}

/// Those of the copy and move assignment operators of a class that an expression is assigned by: a move assignment
/// operator takes an rvalue if there is one ([over.ics.rank]/3.2.3).
fn chosen_for<'d>(assignments: &[&'d Decl], from: Copying) -> Vec<&'d Decl> {
    let moves = |one: &Decl| match &one.kind {
        DeclBody::Function(function) => {
            matches!(function.parameters.first(), Some(first) if matches!(first.ty, Type::RvalueReference(_)))
        }
        _ => false,
    };
    let (moving, copying): (Vec<&Decl>, Vec<&Decl>) = assignments.iter().partition(|one| moves(one));
    match from {
        Copying::Rvalue if !moving.is_empty() => moving,
        _ => copying,
    }
}

impl View<'_> {
    /// Whether `declval<target>() = declval<source>()` is valid ([meta.unary.prop]).
    pub(super) fn is_assignable(&self, target: &Ty, source: &Ty) -> Option<bool> {
        let target = Target::of(target);
        match target.ty.unqualified() {
            Ty::Class(class) => self.within_limits(|| self.class_takes(class, &target, source)).flatten(),
            Ty::Builtin(sym::VOID) | Ty::Array(..) | Ty::Function(..) => Some(false),
            Ty::Builtin(_) | Ty::Enum(_) | Ty::Pointer(_) if !target.is_lvalue || target.is_const() => {
                Some(false)
            }
            to @ (Ty::Builtin(_) | Ty::Enum(_) | Ty::Pointer(_)) => self.converts_to(source, to),
            _ => None,
        }
    }

    /// Whether `declval<target>() = declval<source>()` is valid and calls no function that is not trivial
    /// ([meta.unary.prop]).
    pub(super) fn is_trivially_assignable(&self, target: &Ty, source: &Ty) -> Option<bool> {
        let valid = self.is_assignable(target, source);
        if valid == Some(false) {
            return Some(false);
        }
        match (Target::of(target).ty.unqualified(), source.without_cvref()) {
            (Ty::Class(class), _) if let Some(from) = copying(source, class) => {
                let declared = self.declared_copies(class)?;
                if declared.has_virtual {
                    return Some(false);
                }
                let trivial = match chosen_for(&declared.assignments, from).as_slice() {
                    all if all.iter().all(|one| is_defaulted(one)) => {
                        self.all_parts(class, |part| self.part_is_trivially_assigned(part))
                    }
                    all if !all.iter().any(|one| is_defaulted(one)) => Some(false),
                    _ => None,
                };
                if trivial == Some(false) { trivial } else { valid.and(trivial) }
            }
            // Functions that are called for another class are the user's.
            (Ty::Class(_), Ty::Class(_)) | (_, Ty::Opaque { .. } | Ty::Parameter(..)) => None,
            (Ty::Class(_), _) | (_, Ty::Class(_)) => valid.map(|_| false),
            _ => valid,
        }
    }

    fn part_is_trivially_assigned(&self, part: &Ty) -> Option<bool> {
        match part {
            Ty::Array(of, _) => self.part_is_trivially_assigned(of),
            Ty::Class(_) => {
                let target = Ty::LvalueReference(Rc::new(part.clone()));
                self.is_trivially_assignable(&target, &part.clone().qualified(true, false))
            }
            Ty::Builtin(_) | Ty::Enum(_) | Ty::Pointer(_) => Some(true),
            Ty::LvalueReference(_) | Ty::RvalueReference(_) | Ty::Qualified(_, true, _) => Some(false),
            Ty::Qualified(inner, ..) => self.part_is_trivially_assigned(inner),
            Ty::Opaque { .. } => self.is_trivially_copyable(part),
            _ => None,
        }
    }

    /// Whether an object of a class can be assigned an operand.
    fn class_takes(&self, class: &Rc<Instance>, target: &Target<'_>, source: &Ty) -> Option<bool> {
        if let Some(from) = copying(source, class).filter(|_| !target.is_const()) {
            return self.is_copied_by_assignment(class, from);
        }
        let own = self.assignment_functions(class)?;
        let takes_const =
            |one: &Entity| matches!(&one.decl.kind, DeclBody::Function(function) if function.is_const);
        // The implicit ones assign to no constant.
        if target.is_const() && !own.iter().any(takes_const) {
            return Some(false);
        }
        let object = ImpliedObject {
            is_const: target.is_const(),
            category: if target.is_lvalue { ValueCategory::Lvalue } else { ValueCategory::Xvalue },
        };
        let called = self.with_values_of(std::slice::from_ref(source), class, |call| {
            self.assignment_fits(&own, &call.of_object(Some(object)))
        });
        // Or else the operand is converted to the class first, and copied.
        let converted = || match target.is_const() {
            true => Viability::CantTell,
            false => Viability::of(self.converts_to(source, &Ty::Class(class.clone())))
                .and(|| Viability::of(self.is_copied_by_assignment(class, Copying::Rvalue))),
        };
        called.or(converted).known()
    }

    /// Whether the copy or move assignment operator of a class can be called ([class.copy.assign]).
    fn is_copied_by_assignment(&self, class: &Rc<Instance>, from: Copying) -> Option<bool> {
        let declared = self.declared_copies(class)?;
        let chosen = chosen_for(&declared.assignments, from);
        // A template may be the better one, and is where there is no other.
        let is_template = |one: &Entity| !one.decl.templates.is_empty();
        let may_be_template =
            || self.assignment_functions(class).is_none_or(|all| all.iter().any(is_template));
        match chosen.as_slice() {
            [one] if one.specifiers.non_public => None,
            [one] if one.specifiers.is_deleted => {
                if may_be_template() {
                    None
                } else {
                    Some(false)
                }
            }
            [one] => match is_defaulted(one) {
                true => self.all_parts(class, |part| self.part_is_assignable(part, from)),
                false => Some(true),
            },
            [] if declared.moves_by_assignment || declared.move_constructor.is_some() => {
                if may_be_template() { None } else { Some(false) }
            }
            [] => self.all_parts(class, |part| self.part_is_assignable(part, from)),
            _ => None,
        }
    }

    /// Whether an implicit assignment operator can assign a base class subobject or a data member.
    fn part_is_assignable(&self, part: &Ty, from: Copying) -> Option<bool> {
        match part {
            Ty::Array(of, _) => self.part_is_assignable(of, from),
            Ty::Class(class) => self.within_limits(|| self.is_copied_by_assignment(class, from)).flatten(),
            Ty::LvalueReference(_) | Ty::RvalueReference(_) | Ty::Qualified(_, true, _) => Some(false),
            Ty::Qualified(inner, ..) => self.part_is_assignable(inner, from),
            Ty::Builtin(_) | Ty::Enum(_) | Ty::Pointer(_) => Some(true),
            Ty::Opaque { .. } => self.is_copyable(part, from),
            _ => None,
        }
    }

    /// The assignment operators that a class declares, those of base classes that it names among them. The implicit ones
    /// hide the others of base classes ([over.ass]).
    fn assignment_functions(&self, class: &Rc<Instance>) -> Option<Rc<Vec<Entity>>> {
        if !self.is_complete(class) || class.is_closure() {
            return None;
        }
        let DeclBody::Class(definition) = &class.decl.as_ref()?.kind else { return None };
        let name = Symbol::intern("operator=");
        if !definition.members.iter().flatten().any(|member| member.name == name) {
            return Some(Rc::default());
        }
        match self.lookup_member(class, name) {
            LookupResult::Entities(all) => Some(all),
            _ => None,
        }
    }

    /// Whether one of the assignment operators that a class declares takes an operand of another type.
    fn assignment_fits(&self, functions: &[Entity], call: &Call<'_>) -> Viability {
        if !call.is_settled(self) {
            return Viability::CantTell;
        }
        let copies = |one: &Entity| match (&one.decl.kind, &one.owner) {
            (DeclBody::Function(function), Some(owner)) => function.parameters.first().is_some_and(|first| {
                one.decl.templates.is_empty() && copying(&self.ty(&first.ty, &one.env), owner).is_some()
            }),
            _ => false,
        };
        let functions: Vec<Entity> = functions.iter().filter(|one| !copies(one)).cloned().collect();
        match self.overloads(&functions, &Path::plain(Symbol::intern("operator=")), call).as_slice() {
            [] => Viability::No,
            [(entity, ..)] if entity.decl.specifiers.is_deleted => Viability::No,
            [(entity, ..)] if entity.decl.specifiers.non_public => Viability::CantTell,
            [(entity, function, deduced)] => {
                let env = entity.env.with_bindings(deduced.bindings.clone());
                let converts = match (call.ty(self, 0), function.parameters.first()) {
                    (Some(from), Some(first)) => {
                        Viability::of(self.converts_to(from, &self.ty(&first.ty, &env)))
                    }
                    _ => Viability::CantTell,
                };
                deduced.viable.and(|| self.is_valid(entity, function, deduced)).and(|| converts)
            }
            _ => Viability::CantTell,
        }
    }
}
