//! The members of class templates that are used, overridden or explicitly instantiated.

use std::rc::Rc;
use std::sync::Arc;

use crate::source::Symbol;

use super::walk::{Explicit, Walk};
use crate::facts::lower::ast::*;
use crate::facts::meaning::definitions::{Defined, Definition};
use crate::facts::meaning::types::{Instance, Spelling, Ty};
use crate::facts::meaning::view::Entity;

/// How many base classes stand above one another at most: a class whose arguments are not known may be derived from itself.
const BASES_FOLLOWED: usize = 256;

impl Walk<'_> {
    /// Whether a base of a class has a virtual function of this name, which a member function then overrides
    /// ([class.virtual]).
    pub(in crate::facts) fn overrides(&self, class: &Rc<Instance>, name: Symbol) -> bool {
        self.overrides_within(class, name, BASES_FOLLOWED)
    }

    /// The same of the base classes of so many levels.
    fn overrides_within(&self, class: &Rc<Instance>, name: Symbol, levels: usize) -> bool {
        levels > 0
            && self.view.bases(class).iter().any(|base| match base {
                Ty::Class(base) => {
                    let own = base.decl.as_ref().is_some_and(|decl| match &decl.kind {
                        DeclBody::Class(definition) => {
                            let members = definition.members.iter().flatten();
                            let is_destructor = |name: Symbol| name.as_str().starts_with('~');
                            members.into_iter().any(|one| {
                                one.specifiers.is_virtual
                                    && (one.name == name || is_destructor(one.name) && is_destructor(name))
                            })
                        }
                        _ => false,
                    });
                    own || self.overrides_within(base, name, levels - 1)
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
        self.follow_deduced_members(class);
        self.follow_shared_body(class.alike.and(self.view.entity_alike(&entity)), |walk| {
            if let Defined::Here(Definition { decl, env }) = walk.view.definition(&entity, function, &[])
                && let DeclBody::Function(function) = &decl.kind
            {
                walk.follow_instantiated_body(function, &decl, &env, &class.arguments);
            }
        });
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

    /// Instantiates all members of a class that are no templates, and the virtual functions of its bases, to which the virtual
    /// tables refer that are made with its constructors.
    pub(in crate::facts) fn instantiate_all_members(&mut self, class: &Rc<Instance>) {
        let Some(decl) = class.decl.clone() else { return };
        let DeclBody::Class(definition) = &decl.kind else { return };
        self.follow_virtual_functions_of_bases(class, BASES_FOLLOWED);
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
                _ if member.templates.is_empty()
                    && !member.specifiers.is_friend
                    && !self.has_failing_constraint(class, member) =>
                {
                    self.follow_member_function(class, &self.view.own_member(class, member));
                }
                _ => {}
            }
        }
    }

    /// Follows the virtual functions of the base classes of so many levels.
    fn follow_virtual_functions_of_bases(&mut self, class: &Rc<Instance>, levels: usize) {
        if levels == 0 {
            return;
        }
        for base in self.view.bases(class) {
            if let Ty::Class(base) = base {
                self.follow_virtual_functions(&base);
                self.follow_virtual_functions_of_bases(&base, levels - 1);
            }
        }
    }

    /// Whether the trailing requires-clause of a member function is certainly not satisfied ([temp.explicit]/12).
    fn has_failing_constraint(&self, class: &Rc<Instance>, member: &Decl) -> bool {
        let DeclBody::Function(function) = &member.kind else { return false };
        let inside = class.env.inside(class.clone());
        let satisfied = || self.view.constraints_satisfied(&[], &function.constraints, &inside);
        !function.constraints.is_empty() && self.view.apart(satisfied).0.is_ruled_out()
    }

    /// Follows the initializer of a static data member of a class template specialization, wherever it is defined.
    pub(in crate::facts) fn follow_static_member(&mut self, class: &Rc<Instance>, member: &Arc<Decl>) {
        let DeclBody::Variable(variable) = &member.kind else { return };
        let key = format!("{}::{}@{:?}", class.text(Spelling::Canonical), member.name, member.at);
        if !self.enter(key, member, &class.arguments) {
            return;
        }
        self.follow_deduced_members(class);
        let inside = class.env.inside(class.clone());
        if let Some(definitions) = self.view.static_member_definitions(class, member, &[]) {
            self.follow_items(&variable.items, &inside.block());
            self.initialize_variable(variable, &inside, member.at);
            self.follow_static_member_definitions(definitions);
        }
        self.history.leave();
    }

    /// Follows the initializers of the static data members of a class template specialization from which their types are
    /// deduced: they are instantiated with the class, which their declarations are a part of ([temp.inst]/3).
    pub(super) fn follow_deduced_members(&mut self, class: &Rc<Instance>) {
        let Some(decl) = class.decl.clone().filter(|_| class.is_templated()) else { return };
        let DeclBody::Class(definition) = &decl.kind else { return };
        for member in definition.members.iter().flatten() {
            if let DeclBody::Variable(variable) = &member.kind
                && member.specifiers.is_static
                && member.templates.is_empty()
                && variable.ty.is_placeholder()
                && self.relevance().initializer_is_relevant(variable)
            {
                self.follow_static_member(class, member);
            }
        }
    }

    /// Follows the initializers of static data members that are defined outside their classes.
    pub(in crate::facts) fn follow_static_member_definitions(&mut self, definitions: Vec<Definition>) {
        for Definition { decl, env } in definitions {
            match &decl.kind {
                DeclBody::Variable(variable) => {
                    self.follow_items(&variable.items, &env.block());
                    self.initialize_variable(variable, &env, decl.at);
                }
                DeclBody::Function(function) => {
                    self.follow_variable_like_function(function, &env, decl.at);
                }
                _ => {}
            }
        }
    }
}
