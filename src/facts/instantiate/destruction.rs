//! Destruction of objects ([class.dtor]) and what `new` and `delete` call besides.
//!
//! In: the type of an object whose lifetime ends, or may end when a constructor exits by an exception. Out: the
//! instantiations that its destructor and those of its parts cause.

use std::rc::Rc;

use crate::source::{Span, Symbol};

use super::walk::Walk;
use crate::facts::lower::ast::*;
use crate::facts::meaning::layout::class_in;
use crate::facts::meaning::types::{Env, Instance, Spelling, TemplateArgument, Ty};
use crate::facts::meaning::view::LookupResult;

/// The library's functions that create an object of the class that is their template argument.
const FACTORIES: [&str; 3] = ["make_unique", "make_shared", "construct_at"];

/// The library's class templates that destroy objects of their first template argument.
const OWNERS: [&str; 9] =
    ["vector", "array", "list", "deque", "set", "optional", "unique_ptr", "shared_ptr", "initializer_list"];

impl Walk<'_> {
    /// Follows the end of the lifetime of an object of the type `ty`, or of an array of objects.
    pub(in crate::facts) fn destroy(&mut self, ty: &Ty, at: Span) {
        if let Some(class) = class_in(ty).cloned() {
            self.destroy_object(&class, at);
        }
    }

    /// Follows the destruction of an object: the destructors of its class, of its bases and of its data members
    /// ([class.dtor]/14).
    pub(in crate::facts) fn destroy_object(&mut self, class: &Rc<Instance>, at: Span) {
        if !self.may_destroy() || !self.relevance().class_is_relevant(class) {
            return;
        }
        if self.destroy_owned(class, at) {
            return;
        }
        let Some(decl) = class.decl.clone() else { return };
        let DeclBody::Class(definition) = &decl.kind else { return };
        let own = definition.members.iter().flatten().find(|member| member.name.as_str().starts_with('~'));
        let is_defaulted =
            |member: &Decl| matches!(&member.kind, DeclBody::Function(function) if function.defaulted);
        match own.filter(|own| !is_defaulted(own)) {
            Some(own) if class.is_templated() => self.follow_member_function(class, own),
            Some(_) => {}
            None => self.destroy_parts(class, at),
        }
    }

    /// Whether destructors may reach a kernel template in question: some destructor that leads, or one that is instantiated for
    /// a class and uses an object of its template arguments.
    fn may_destroy(&self) -> bool {
        let relevance = self.relevance();
        relevance.has_special_members() || relevance.operates() || self.context.may_call_lambda
    }

    /// Follows the destruction of the bases and data members of a class.
    pub(super) fn destroy_parts(&mut self, class: &Rc<Instance>, at: Span) {
        let Some(decl) = class.decl.clone() else { return };
        let DeclBody::Class(definition) = &decl.kind else { return };
        if definition.is_union || !self.may_destroy() {
            return;
        }
        let key = format!("{}=destroyed", class.text(Spelling::Canonical));
        if !self.enter(key, &decl, &class.arguments) {
            return;
        }
        for part in self.parts(class) {
            self.destroy(&part.ty, at);
        }
        self.history.leave();
    }

    /// Follows what an object of the library's owns and destroys. Tells whether it is such an object.
    fn destroy_owned(&mut self, class: &Rc<Instance>, at: Span) -> bool {
        let name = class.name.rsplit("::").next().unwrap_or_default();
        if !class.name.contains("std::") || !OWNERS.contains(&name) {
            return false;
        }
        match class.arguments.as_slice() {
            [TemplateArgument::Type(owned), TemplateArgument::Type(Ty::Class(deleter))]
                if name == "unique_ptr" && !deleter.name.contains("std::") =>
            {
                let operator = self.relevance().call_operator;
                if let LookupResult::Entities(entities) = self.view.lookup_member(deleter, operator) {
                    let pointer = Ty::Pointer(Rc::new(owned.clone()));
                    let name = Symbol::intern("(owned pointer)");
                    let env = class.env.with_parameters(vec![(name, pointer)]);
                    let argument = Expr::Name(Path::plain(name));
                    let mention = Mention::call(operator, [argument].into(), at);
                    self.follow_functions(&mention, &entities, &env, None);
                }
            }
            [TemplateArgument::Type(owned), ..] => self.destroy(&owned.clone(), at),
            _ => {}
        }
        true
    }

    /// Follows the deleter that a smart pointer of the library is made with.
    pub(super) fn follow_deleter(&mut self, class: &Rc<Instance>, values: &[Expr], env: &Env, at: Span) {
        let [pointer, deleter, ..] = values else { return };
        if class.name.contains("std::")
            && class.name.ends_with("_ptr")
            && let Some(ty) = self.view.type_of(deleter, env)
            && let Ty::Class(functor) = ty.without_cvref()
            && let LookupResult::Entities(entities) =
                self.view.lookup_member(functor, self.relevance().call_operator)
        {
            let mention = Mention::call(self.relevance().call_operator, [pointer.clone()].into(), at);
            self.follow_functions(&mention, &entities, env, None);
        }
    }

    /// Follows the object that `std::make_unique<X>(…)` and the like create, without following the library's own code.
    pub(in crate::facts) fn follow_library_factory(&mut self, mention: &Mention, env: &Env) {
        let last = mention.path.last();
        if is_factory(last.name)
            && let Some([Argument::Type(ty)]) = last.arguments.as_deref()
        {
            let ty = self.view.ty(ty, env);
            if let Some(class) = class_in(&ty).cloned().filter(|one| self.relevance().class_is_relevant(one))
            {
                let values = mention.arguments.as_deref().unwrap_or_default();
                self.construct(&class, values, env, mention.at);
                self.destroy_object(&class, mention.at);
            }
        }
    }

    /// Follows the creation of an object of a type that a mention names: of a temporary object, or by `new`.
    pub(in crate::facts) fn create(&mut self, ty: &Ty, mention: &Mention, env: &Env) {
        let at = mention.at;
        let values = mention.arguments.as_ref().map(|values| Expr::List(values.to_vec()));
        match mention.role {
            Role::New => {
                self.initialize(ty, values.as_ref(), env, at);
                self.follow_allocation(ty, ["operator new", "operator delete"]);
            }
            Role::NewArray => {
                self.initialize_array(ty, None, values.as_ref(), env, at);
                self.destroy(ty, at);
                self.follow_allocation(ty, ["operator new[]", "operator delete[]"]);
            }
            _ if values.is_some() => {
                self.initialize(ty, values.as_ref(), env, at);
                self.destroy(ty, at);
            }
            _ => {}
        }
    }

    /// Follows a delete-expression ([expr.delete]): the destructor and the deallocation function.
    pub(super) fn follow_delete(&mut self, mention: &Mention, env: &Env) {
        let Some([operand]) = mention.arguments.as_deref() else { return };
        let Some(mut ty) = self.view.type_of(operand, env) else { return };
        if let Ty::Class(class) = ty.without_cvref()
            && let Some(pointer) = self.view.converted_to_pointer(class)
        {
            self.follow_conversion_function(operand, &pointer, env, mention.at);
            ty = pointer;
        }
        if let Ty::Pointer(to) = ty.without_cvref() {
            self.destroy(to, mention.at);
            self.follow_allocation(to, [mention.path.last().name.as_str()]);
        }
    }

    /// Follows the allocation and deallocation functions of these names that a class declares ([class.free]).
    fn follow_allocation<const N: usize>(&mut self, ty: &Ty, names: [&str; N]) {
        let Some(class) = class_in(ty).cloned().filter(|class| self.relevance().class_is_relevant(class))
        else {
            return;
        };
        for name in names.map(Symbol::intern) {
            if self.relevance().has_special_members()
                && let LookupResult::Entities(entities) = self.view.lookup_member(&class, name)
            {
                for entity in entities.iter() {
                    if let Some(owner) = entity.owner.clone().filter(|owner| owner.is_templated()) {
                        self.follow_member_function(&owner, &entity.decl);
                    }
                }
            }
        }
    }
}

/// Whether a name is that of a function of the library that creates an object of its template argument.
pub(super) fn is_factory(name: Symbol) -> bool {
    FACTORIES.contains(&name.as_str())
}
