//! Which special member functions a class has ([special]), as far as type traits ask.
//!
//! In: a type of one pass. Out: whether its objects can be copied, whether by copying their bytes, and whether they are
//! created and destroyed without doing anything; `None` where a part of the type is not known.

use std::rc::Rc;
use std::sync::Arc;

use super::layout::{members, size_align};
use super::types::{Instance, Ty};
use super::view::{ClassProperty, Entity, View};
use crate::facts::lower::ast::*;
use crate::source::sym;

/// How an object is copied: from an lvalue or from an rvalue.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Copying {
    Lvalue,
    Rvalue,
}

impl Copying {
    /// The property that is meant of two for lvalues and rvalues.
    pub(super) fn property(self, lvalue: ClassProperty, rvalue: ClassProperty) -> ClassProperty {
        match self {
            Copying::Lvalue => lvalue,
            Copying::Rvalue => rvalue,
        }
    }
}

/// The members of a class that copy its objects, or destroy them.
#[derive(Default)]
pub(super) struct Declared<'c> {
    pub(super) copy_constructor: Option<&'c Decl>,
    pub(super) move_constructor: Option<&'c Decl>,
    pub(super) assignments: Vec<&'c Decl>,
    pub(super) destructor: Option<&'c Decl>,
    /// It has a move assignment operator.
    pub(super) moves_by_assignment: bool,
    pub(super) has_virtual: bool,
}

impl View<'_> {
    /// Whether an object of a type can be initialized with another ([class.copy.ctor]).
    pub(super) fn is_copyable(&self, ty: &Ty, from: Copying) -> Option<bool> {
        match ty {
            Ty::Qualified(inner, ..) | Ty::Array(inner, _) => self.is_copyable(inner, from),
            Ty::Class(class) => {
                let property =
                    from.property(ClassProperty::CopiedFromLvalue, ClassProperty::CopiedFromRvalue);
                self.class_property(class, property, || self.is_copyable_class(class, from))
            }
            Ty::Opaque { .. } => size_align(self, ty).map(|_| true),
            Ty::Parameter(..) => None,
            _ => Some(true),
        }
    }

    fn is_copyable_class(&self, class: &Rc<Instance>, from: Copying) -> Option<bool> {
        let declared = self.declared_copies(class)?;
        let own = match from {
            Copying::Rvalue => declared.move_constructor.or(declared.copy_constructor),
            Copying::Lvalue => declared.copy_constructor,
        };
        if let Some(own) = own {
            return Some(!own.specifiers.is_deleted);
        }
        // A class with move operations has no implicit copy constructor ([class.copy.ctor]/6).
        if declared.move_constructor.is_some() || declared.moves_by_assignment {
            return Some(false);
        }
        self.all_parts(class, |ty| self.is_copyable(ty, from))
    }

    /// Whether the constructor that copies an object copies its bytes ([class.copy.ctor]/11).
    pub(super) fn is_trivially_copied(&self, ty: &Ty, from: Copying) -> Option<bool> {
        match ty {
            Ty::Qualified(inner, ..) | Ty::Array(inner, _) => self.is_trivially_copied(inner, from),
            Ty::Class(class) => {
                let property = from.property(
                    ClassProperty::TriviallyCopiedFromLvalue,
                    ClassProperty::TriviallyCopiedFromRvalue,
                );
                self.class_property(class, property, || self.is_trivially_copied_class(class, from))
            }
            Ty::Opaque { .. } => size_align(self, ty).map(|_| true),
            Ty::Parameter(..) => None,
            _ => Some(true),
        }
    }

    fn is_trivially_copied_class(&self, class: &Rc<Instance>, from: Copying) -> Option<bool> {
        let declared = self.declared_copies(class)?;
        let own = match from {
            Copying::Rvalue => declared.move_constructor.or(declared.copy_constructor),
            Copying::Lvalue => declared.copy_constructor,
        };
        if declared.has_virtual || own.is_some_and(|own| !is_defaulted(own)) {
            return Some(false);
        }
        self.all_parts(class, |ty| self.is_trivially_copied(ty, from))
    }

    /// Whether copying its bytes copies an object ([class.prop]/1).
    pub(super) fn is_trivially_copyable(&self, ty: &Ty) -> Option<bool> {
        match ty {
            Ty::Qualified(inner, ..) | Ty::Array(inner, _) => self.is_trivially_copyable(inner),
            Ty::LvalueReference(_) | Ty::RvalueReference(_) | Ty::Function(..) => Some(false),
            Ty::Class(class) => self.class_property(class, ClassProperty::TriviallyCopyable, || {
                self.is_trivially_copyable_class(class)
            }),
            Ty::Opaque { .. } => size_align(self, ty).map(|_| true),
            Ty::Parameter(..) => None,
            Ty::Builtin(_) | Ty::Enum(_) | Ty::Pointer(_) => Some(true),
        }
    }

    fn is_trivially_copyable_class(&self, class: &Rc<Instance>) -> Option<bool> {
        let declared = self.declared_copies(class)?;
        let is_provided = |decl: &&Decl| !is_defaulted(decl) && !decl.specifiers.is_deleted;
        let copies = declared.copy_constructor.into_iter().chain(declared.move_constructor);
        let all = copies.chain(declared.assignments).chain(declared.destructor);
        if declared.has_virtual || all.into_iter().any(|one| is_provided(&one)) {
            return Some(false);
        }
        self.all_parts(class, |ty| self.is_trivially_copyable(ty))
    }

    /// Whether destroying an object does nothing ([class.dtor]/8).
    pub(super) fn is_trivially_destructible(&self, ty: &Ty) -> Option<bool> {
        match ty {
            Ty::Qualified(inner, ..) | Ty::Array(inner, _) => self.is_trivially_destructible(inner),
            Ty::Class(class) => {
                let of_class = || {
                    let declared = self.declared_copies(class)?;
                    let is_trivial =
                        declared.destructor.is_none_or(|own| is_defaulted(own) && !own.specifiers.is_virtual);
                    if !is_trivial {
                        return Some(false);
                    }
                    self.all_parts(class, |part| self.is_trivially_destructible(part))
                };
                self.class_property(class, ClassProperty::TriviallyDestructible, of_class)
            }
            Ty::Opaque { .. } => size_align(self, ty).map(|_| true),
            Ty::Parameter(..) => None,
            Ty::Function(..) | Ty::Builtin(sym::VOID) => Some(false),
            _ => Some(true),
        }
    }

    /// Whether objects of a type can be destroyed ([meta.unary.prop]).
    pub(super) fn is_destructible(&self, ty: &Ty) -> Option<bool> {
        match ty {
            Ty::Qualified(inner, ..) => self.is_destructible(inner),
            Ty::Array(_, None) | Ty::Function(..) | Ty::Builtin(sym::VOID) => Some(false),
            Ty::Array(inner, Some(_)) => self.is_destructible(inner),
            Ty::Class(class) => {
                let of_class = || match self.declared_copies(class)?.destructor.map(|own| &own.specifiers) {
                    Some(own) if own.is_deleted => Some(false),
                    Some(own) if own.non_public => None,
                    _ => self.all_parts(class, |part| match part {
                        Ty::LvalueReference(_) | Ty::RvalueReference(_) => Some(true),
                        part => self.is_destructible(part),
                    }),
                };
                self.class_property(class, ClassProperty::Destructible, of_class)
            }
            Ty::Opaque { .. } => size_align(self, ty).map(|_| true),
            Ty::Parameter(..) => None,
            _ => Some(true),
        }
    }

    /// Whether the destructor of a class is virtual: its own, or that of a base class ([class.dtor]/10).
    pub(super) fn has_virtual_destructor(&self, class: &Rc<Instance>) -> Option<bool> {
        let own = |one: &Rc<Instance>| {
            self.declared_copies(one)
                .map(|declared| declared.destructor.is_some_and(|own| own.specifiers.is_virtual))
        };
        self.holds_for_class_or_base(class, &own)
    }

    /// Whether a class declares or inherits a virtual function ([class.virtual]/1).
    pub(super) fn is_polymorphic(&self, class: &Rc<Instance>) -> Option<bool> {
        let own = |one: &Rc<Instance>| match &one.decl.as_ref()?.kind {
            DeclBody::Class(definition) => {
                let mut members = definition.members.as_ref()?.iter();
                Some(members.any(|member| member.specifiers.is_virtual))
            }
            _ => None,
        };
        self.holds_for_class_or_base(class, &own)
    }

    fn holds_for_class_or_base(
        &self,
        class: &Rc<Instance>,
        holds: &impl Fn(&Rc<Instance>) -> Option<bool>,
    ) -> Option<bool> {
        let mut answer = holds(class).filter(|_| class.alternatives.is_empty());
        for base in self.bases(class) {
            let of_base = match &base {
                Ty::Class(base) => self.within_limits(|| self.holds_for_class_or_base(base, holds)).flatten(),
                _ => None,
            };
            match of_base {
                Some(true) => return Some(true),
                Some(false) => {}
                None => answer = answer.filter(|known| *known),
            }
        }
        answer
    }

    /// Whether the destructor that a class declares is deleted.
    pub(super) fn has_deleted_destructor(&self, class: &Rc<Instance>) -> Option<bool> {
        let declared = self.declared_copies(class)?;
        Some(declared.destructor.is_some_and(|own| own.specifiers.is_deleted))
    }

    /// Whether default initialization of an object does nothing ([class.default.ctor]/3).
    pub(super) fn is_trivially_default_constructible(&self, ty: &Ty) -> Option<bool> {
        match ty {
            Ty::Qualified(inner, ..) | Ty::Array(inner, _) => self.is_trivially_default_constructible(inner),
            Ty::Class(class) => {
                let property = ClassProperty::TriviallyDefaultConstructible;
                self.class_property(class, property, || self.is_trivially_default_constructible_class(class))
            }
            Ty::Opaque { .. } => size_align(self, ty).map(|_| true),
            Ty::Parameter(..) => None,
            Ty::Builtin(sym::VOID) | Ty::Function(..) | Ty::LvalueReference(_) | Ty::RvalueReference(_) => {
                Some(false)
            }
            Ty::Builtin(_) | Ty::Enum(_) | Ty::Pointer(_) => Some(true),
        }
    }

    fn is_trivially_default_constructible_class(&self, class: &Rc<Instance>) -> Option<bool> {
        let declared = self.declared_copies(class)?;
        let constructors = self.constructors(class);
        let is_default = |one: &Entity| match &one.decl.kind {
            DeclBody::Function(function) => {
                function.parameters.is_empty() && is_defaulted(&one.decl) && one.decl.templates.is_empty()
            }
            _ => false,
        };
        let DeclBody::Class(definition) = &class.decl.as_ref()?.kind else { return None };
        if !(constructors.is_empty() || constructors.iter().any(is_default))
            || declared.has_virtual
            || initializes_members(definition)
        {
            return Some(false);
        }
        self.all_parts(class, |part| self.is_trivially_default_constructible(part))
    }

    /// Whether something holds for the types of all base classes and data members of a class.
    pub(super) fn all_parts(
        &self,
        class: &Rc<Instance>,
        holds: impl Fn(&Ty) -> Option<bool>,
    ) -> Option<bool> {
        let bases = self.bases(class);
        let mut types: Vec<Ty> = bases;
        types.extend(members(self, class).into_iter().map(|member| member.ty));
        let mut all = Some(true);
        for ty in &types {
            match holds(ty) {
                Some(true) => {}
                Some(false) => return Some(false),
                None => all = None,
            }
        }
        all
    }

    /// The members of a class that copy or destroy its objects; `None` if it is not defined, or may be several.
    pub(super) fn declared_copies<'c>(&self, class: &'c Rc<Instance>) -> Option<Declared<'c>> {
        let decl = class.decl.as_ref()?;
        let DeclBody::Class(definition) = &decl.kind else { return None };
        if !class.alternatives.is_empty() || class.is_closure() {
            return None;
        }
        let inside = class.env.inside(class.clone());
        let is_own = |ty: &Ty| matches!(ty.unqualified(), Ty::Class(one) if one.name == class.name);
        let has_virtual = self.base_specifiers(class).iter().any(|(_, is_virtual)| *is_virtual);
        let mut declared = Declared { has_virtual, ..Declared::default() };
        for member in definition.members.as_ref()? {
            let DeclBody::Function(function) = &member.kind else { continue };
            declared.has_virtual |= member.specifiers.is_virtual;
            if member.name.as_str().starts_with('~') {
                declared.destructor = Some(member);
            }
            let first = function.parameters.first().filter(|_| member.templates.is_empty());
            let Some(first) = first else { continue };
            let is_assignment = member.name.as_str() == "operator=";
            match self.ty(&first.ty, &inside) {
                Ty::LvalueReference(to) if is_own(&to) && member.name == decl.name => {
                    declared.copy_constructor = Some(member);
                }
                Ty::RvalueReference(to) if is_own(&to) && member.name == decl.name => {
                    declared.move_constructor = Some(member);
                }
                Ty::RvalueReference(to) if is_own(&to) && is_assignment => {
                    declared.moves_by_assignment = true;
                    declared.assignments.push(member);
                }
                Ty::LvalueReference(to) if is_own(&to) && is_assignment => declared.assignments.push(member),
                ty if is_own(&ty) && is_assignment => declared.assignments.push(member),
                _ => {}
            }
        }
        Some(declared)
    }
}

/// Whether a data member of a class has a default member initializer ([class.mem.general]/10).
pub(super) fn initializes_members(class: &Class) -> bool {
    let is_initialized = |member: &Arc<Decl>| match &member.kind {
        DeclBody::Variable(variable) => variable.initializer.is_some() && !member.specifiers.is_static,
        _ => false,
    };
    class.members.iter().flatten().any(is_initialized)
}

/// Whether a special member function is defaulted where it is declared, and not deleted.
pub(super) fn is_defaulted(decl: &Decl) -> bool {
    !decl.specifiers.is_deleted && matches!(&decl.kind, DeclBody::Function(function) if function.defaulted)
}
