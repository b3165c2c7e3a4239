//! Objects, and the members that creating them instantiates: constructors, destructors, virtual functions; and the
//! members of class templates that are used or explicitly instantiated.

use std::rc::Rc;
use std::sync::Arc;

use crate::source::{Span, Symbol};

use super::walk::{Explicit, Walk};
use crate::facts::lower::ast::*;
use crate::facts::meaning::definitions::{Defined, Definition};
use crate::facts::meaning::layout::class_in;
use crate::facts::meaning::types::{Env, Instance, Spelling, Ty};
use crate::facts::meaning::view::Entity;

/// The library's functions that create an object of the class that is their template argument.
const FACTORIES: [&str; 3] = ["make_unique", "make_shared", "construct_at"];

impl Walk<'_> {
    /// Follows the constructor of an object, if it is a constructor template.
    pub(in crate::facts) fn construct_object(
        &mut self,
        ty: &Ty,
        initializer: Option<&Expr>,
        env: &Env,
        at: Span,
    ) {
        let Some(class) = class_in(ty).cloned() else { return };
        match initializer {
            Some(Expr::List(values)) => self.follow_constructor(&class, values, env, at),
            Some(one) => self.follow_constructor(&class, std::slice::from_ref(one), env, at),
            None => self.follow_constructor(&class, &[], env, at),
        }
    }

    /// Follows the object that `std::make_unique<X>(…)` and the like create, without following the library's own code.
    pub(in crate::facts) fn follow_library_factory(&mut self, mention: &Mention, env: &Env) {
        let last = mention.path.last();
        if FACTORIES.contains(&last.name.as_str())
            && let Some([Argument::Type(ty)]) = last.arguments.as_deref()
            && self.relevance.type_is_relevant(ty)
        {
            let ty = self.view.ty(ty, env);
            self.follow_object(&ty);
        }
    }

    /// Follows the subobjects of a class: its bases and non-static data members, and the default member initializers of
    /// a templated class.
    pub(in crate::facts) fn follow_parts(&mut self, class: &Rc<Instance>) {
        let Some(DeclBody::Class(definition)) = class.decl.as_ref().map(|decl| &decl.kind) else { return };
        let templated = class.is_templated();
        let is_initialized = |variable: &Variable| {
            let initializer = variable.initializer.as_ref();
            templated
                && (self.relevance.items_are_relevant(&variable.items)
                    || initializer.is_some_and(|one| self.relevance.expr_is_relevant(one)))
        };
        let members = definition.members.iter().flatten().filter(|member| !member.specifiers.is_static);
        let data: Vec<(&Variable, Span)> = members
            .filter_map(|member| match &member.kind {
                DeclBody::Variable(variable) => Some((variable, member.at)),
                _ => None,
            })
            .collect();
        let bases = definition.bases.iter().map(|(base, _)| base);
        let types = bases.chain(data.iter().map(|(variable, _)| &variable.ty));
        let types: Vec<&Type> = types.filter(|ty| self.relevance.type_is_relevant(ty)).collect();
        let initialized: Vec<&(&Variable, Span)> =
            data.iter().filter(|(variable, _)| is_initialized(variable)).collect();
        let relevant = !types.is_empty() || !initialized.is_empty();
        let Some(decl) = class.decl.as_ref().filter(|_| relevant) else { return };
        let key = format!("{}@", class.text(Spelling::Canonical));
        if !self.enter(key, decl, &class.arguments) {
            return;
        }
        let inside = class.env.inside(class.clone());
        for ty in types {
            let ty = self.view.ty(ty, &inside);
            self.follow_object(&ty);
        }
        for (variable, at) in initialized {
            self.follow_items(&variable.items, &inside.block());
            self.follow_initializer(variable, &inside, *at);
        }
        self.history.leave();
    }

    /// Follows the creation of an object: it uses the constructors, the destructor and the virtual functions of a class
    /// template specialization, and those of its subobjects.
    pub(in crate::facts) fn follow_object(&mut self, ty: &Ty) {
        let Some(class) = class_in(ty) else { return };
        if !class.alternatives.is_empty() {
            self.view.depend_on_unsettled();
            class.alternatives.iter().for_each(|one| self.follow_object(&Ty::Class(one.clone())));
        }
        self.follow_parts(&class.clone());
        if !class.is_templated() {
            return;
        }
        let class = class.clone();
        let Some(decl) = class.decl.clone() else { return };
        let DeclBody::Class(definition) = &decl.kind else { return };
        let destructor = format!("~{}", decl.name);
        for member in definition.members.iter().flatten() {
            // A constructor that is a template is instantiated for the arguments of a call.
            if !member.templates.is_empty() {
                continue;
            }
            let special = member.name == decl.name || member.name.as_str().replace(' ', "") == destructor;
            if special || member.specifiers.is_virtual || self.overrides(&class, member.name) {
                self.follow_member_function(&class, member);
            }
        }
    }

    /// Follows the destruction of an object: the destructors of its class, of its bases and of its data members
    /// ([class.dtor]/14).
    pub(in crate::facts) fn destroy_object(&mut self, class: &Rc<Instance>) {
        let Some(decl) = class.decl.clone() else { return };
        let DeclBody::Class(definition) = &decl.kind else { return };
        let key = format!("~{}", class.text(Spelling::Canonical));
        if !self.enter(key, &decl, &class.arguments) {
            return;
        }
        let own = definition.members.iter().flatten().find(|member| member.name.as_str().starts_with('~'));
        if let Some(own) = own.filter(|_| class.is_templated()) {
            self.follow_member_function(class, own);
        }
        let inside = class.env.inside(class.clone());
        let data = definition.members.iter().flatten().filter(|member| !member.specifiers.is_static);
        let data = data.filter_map(|member| match &member.kind {
            DeclBody::Variable(variable) if self.relevance.type_is_relevant(&variable.ty) => {
                Some(self.view.ty(&variable.ty, &inside))
            }
            _ => None,
        });
        let parts: Vec<Ty> = data.chain(self.view.bases(class)).collect();
        for part in parts.iter().filter_map(class_in) {
            self.destroy_object(part);
        }
        self.history.leave();
    }

    /// Whether a base of a class has a virtual function of this name, which a member function then overrides
    /// ([class.virtual]).
    pub(in crate::facts) fn overrides(&self, class: &Rc<Instance>, name: Symbol) -> bool {
        self.view.bases(class).iter().any(|base| match base {
            Ty::Class(base) if base.name != class.name => {
                let own = base.decl.as_ref().is_some_and(|decl| match &decl.kind {
                    DeclBody::Class(definition) => {
                        let members = definition.members.iter().flatten();
                        members.into_iter().any(|one| one.name == name && one.specifiers.is_virtual)
                    }
                    _ => false,
                });
                own || self.overrides(base, name)
            }
            _ => false,
        })
    }

    /// Instantiates a member of a class template specialization, explicitly or by a use.
    pub(in crate::facts) fn instantiate_member(
        &mut self,
        class: &Rc<Instance>,
        member: &Arc<Decl>,
        explicit: Option<Explicit>,
    ) {
        let key = format!("{}::{}@{:?}", class.text(Spelling::Canonical), member.name, member.at);
        match explicit {
            Some(Explicit::Declaration) => {
                self.history.set_left_to_others(key.into(), true);
                return;
            }
            Some(Explicit::Definition) => self.history.set_left_to_others(key.into(), false),
            None => {}
        }
        self.follow_member_function(class, member);
    }

    /// Follows a member function of a class template specialization, wherever it is defined.
    pub(in crate::facts) fn follow_member_function(&mut self, class: &Rc<Instance>, member: &Arc<Decl>) {
        let DeclBody::Function(function) = &member.kind else { return };
        let name = class.text(Spelling::Canonical);
        let key = format!("{name}::{}@{:?}", member.name, member.at);
        let entity = Entity {
            decl: member.clone(),
            env: class.env.inside(class.clone()),
            owner: Some(class.clone()),
            top: class.top,
        };
        let is_inline = |decl: &Decl| decl.specifiers.is_inline || decl.specifiers.is_constexpr;
        if function.body.is_none()
            && !is_inline(member)
            && (self.history.is_left_to_others(name.as_str()) || self.history.is_left_to_others(key.as_str()))
            && !matches!(self.view.definition(&entity, function, &[]), Defined::Here(one) if is_inline(&one.decl))
        {
            return;
        }
        if !self.enter(key, member, &class.arguments) {
            return;
        }
        if let Defined::Here(Definition { decl, env }) = self.view.definition(&entity, function, &[])
            && let DeclBody::Function(function) = &decl.kind
        {
            self.follow_instantiated_body(function, &decl, &env, &class.arguments);
        }
        self.history.leave();
    }

    /// Follows an explicit instantiation of a class. A definition instantiates all members; a declaration leaves those
    /// to other objects that are not inline ([temp.explicit]/10).
    pub(in crate::facts) fn instantiate_class_explicitly(
        &mut self,
        class: &Rc<Instance>,
        explicit: Option<Explicit>,
    ) {
        let name = class.text(Spelling::Canonical);
        if explicit == Some(Explicit::Declaration) {
            self.history.set_left_to_others(name.into(), true);
        } else {
            self.history.set_left_to_others(name.into(), false);
            self.instantiate_all_members(class);
        }
    }

    /// Instantiates all members of a class that are no templates.
    pub(in crate::facts) fn instantiate_all_members(&mut self, class: &Rc<Instance>) {
        let Some(decl) = class.decl.clone() else { return };
        let DeclBody::Class(definition) = &decl.kind else { return };
        for member in definition.members.iter().flatten() {
            match member.kind {
                DeclBody::Variable(_) if member.specifiers.is_static => {
                    self.follow_static_member(class, member)
                }
                // Member classes are instantiated with it ([temp.explicit]/10).
                DeclBody::Class(_) if member.templates.is_empty() && member.name != decl.name => {
                    let inside = class.env.inside(class.clone());
                    if let Ty::Class(one) = self.view.named_type(&Path::plain(member.name), &inside) {
                        self.instantiate_all_members(&one);
                    }
                }
                _ if member.templates.is_empty() => self.follow_member_function(class, member),
                _ => {}
            }
        }
    }

    /// Follows the initializer of a static data member of a class template specialization, wherever it is defined.
    pub(in crate::facts) fn follow_static_member(&mut self, class: &Rc<Instance>, member: &Arc<Decl>) {
        let DeclBody::Variable(variable) = &member.kind else { return };
        let key = format!("{}::{}@{:?}", class.text(Spelling::Canonical), member.name, member.at);
        if !self.enter(key, member, &class.arguments) {
            return;
        }
        let inside = class.env.inside(class.clone());
        if let Some(definitions) = self.view.static_member_definitions(class, member, &[]) {
            self.follow_items(&variable.items, &inside.block());
            self.follow_initializer(variable, &inside, member.at);
            self.follow_static_member_definitions(definitions);
        }
        self.history.leave();
    }

    /// Follows the initializers of static data members that are defined outside their classes.
    pub(in crate::facts) fn follow_static_member_definitions(&mut self, definitions: Vec<Definition>) {
        for Definition { decl, env } in definitions {
            if let DeclBody::Variable(variable) = &decl.kind {
                self.follow_items(&variable.items, &env.block());
                self.follow_initializer(variable, &env, decl.at);
            }
        }
    }
}
