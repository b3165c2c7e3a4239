//! What objects instantiate: constructors, destructors, virtual functions, and the members of class templates.

use std::rc::Rc;
use std::sync::Arc;

use crate::source::{Span, Symbol};

use super::walk::{Explicit, Walk};
use crate::facts::lower::ast::*;
use crate::facts::meaning::definitions::{Defined, Definition};
use crate::facts::meaning::layout::class_in;
use crate::facts::meaning::types::{Env, Instance, Spelling, Ty};
use crate::facts::meaning::view::Entity;

/// The library's functions that make an object of the class named as their template argument.
const MAKERS: [&str; 3] = ["make_unique", "make_shared", "construct_at"];

impl Walk<'_> {
    /// Follows the constructor of an object that is a template.
    pub(in crate::facts) fn made_of(&mut self, ty: &Ty, initializer: Option<&Expr>, env: &Env, at: Span) {
        let Some(class) = class_in(ty).cloned() else { return };
        match initializer {
            Some(Expr::List(values)) => self.constructed(&class, values, env, at),
            Some(one) => self.constructed(&class, std::slice::from_ref(one), env, at),
            None => self.constructed(&class, &[], env, at),
        }
    }

    /// `std::make_unique<X>(…)` and the like make an object of the type they are given; their own way to its constructor
    /// leads through the library.
    pub(in crate::facts) fn made_by_the_library(&mut self, mention: &Mention, env: &Env) {
        let last = mention.path.last();
        if MAKERS.contains(&last.name.as_str())
            && let Some([Argument::Type(ty)]) = last.arguments.as_deref()
            && self.relevance.type_may_lead(ty)
        {
            let ty = self.view.ty(ty, env);
            self.object(&ty);
        }
    }

    /// What an object of a class consists of: objects of its bases and data members.
    pub(in crate::facts) fn parts(&mut self, class: &Rc<Instance>) {
        let Some(DeclBody::Class(definition)) = class.decl.as_ref().map(|decl| &decl.kind) else { return };
        let data = |member: &&Arc<Decl>| {
            matches!(member.kind, DeclBody::Variable(_)) && !member.specifiers.is_static
        };
        let members = definition.members.iter().flatten().filter(data).filter_map(|one| match &one.kind {
            DeclBody::Variable(variable) => Some(&variable.ty),
            _ => None,
        });
        let bases = definition.bases.iter().map(|(base, _)| base);
        let types: Vec<&Type> = bases.chain(members).filter(|ty| self.relevance.type_may_lead(ty)).collect();
        let Some(decl) = class.decl.as_ref().filter(|_| !types.is_empty()) else { return };
        let key = format!("{}@", class.text(Spelling::Canonical));
        if !self.history.enter(key, decl, &class.arguments, self.found.len()) {
            return;
        }
        let inside = class.env.inside(class.clone());
        for ty in types {
            let ty = self.view.ty(ty, &inside);
            self.object(&ty);
        }
        self.history.leave();
    }

    /// An object of a class template's type uses its constructors and its destructor, and those of its parts.
    pub(in crate::facts) fn object(&mut self, ty: &Ty) {
        let Some(class) = class_in(ty) else { return };
        self.parts(&class.clone());
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
                self.member_body(&class, member);
            }
        }
    }

    /// Whether a base of a class has a virtual function of a name, which one of the class's then overrides
    /// ([class.virtual]).
    pub(in crate::facts) fn overrides(&self, class: &Rc<Instance>, name: Symbol) -> bool {
        let Some(DeclBody::Class(definition)) = class.decl.as_ref().map(|decl| &decl.kind) else {
            return false;
        };
        definition.bases.iter().any(|(base, _)| match self.view.ty(base, &class.env) {
            Ty::Class(base) if base.name != class.name => {
                let own = base.decl.as_ref().is_some_and(|decl| match &decl.kind {
                    DeclBody::Class(definition) => {
                        let members = definition.members.iter().flatten();
                        members.into_iter().any(|one| one.name == name && one.specifiers.is_virtual)
                    }
                    _ => false,
                });
                own || self.overrides(&base, name)
            }
            _ => false,
        })
    }

    pub(in crate::facts) fn member_of_a_template(
        &mut self,
        class: &Rc<Instance>,
        member: &Arc<Decl>,
        explicit: Option<Explicit>,
    ) {
        let key = format!("{}::{}@{:?}", class.text(Spelling::Canonical), member.name, member.at);
        match explicit {
            Some(Explicit::Declaration) => {
                self.history.set_elsewhere(key.into(), true);
                return;
            }
            Some(Explicit::Definition) => self.history.set_elsewhere(key.into(), false),
            None => {}
        }
        self.member_body(class, member);
    }

    /// Follows a member function of a class template's instance, wherever it is defined.
    pub(in crate::facts) fn member_body(&mut self, class: &Rc<Instance>, member: &Arc<Decl>) {
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
            && (self.history.is_elsewhere(name.as_str()) || self.history.is_elsewhere(key.as_str()))
            && !matches!(self.view.definition(&entity, function, &[]), Defined::Here(one) if is_inline(&one.decl))
        {
            return;
        }
        if !self.history.enter(key, member, &class.arguments, self.found.len()) {
            return;
        }
        if let Defined::Here(Definition { decl, env }) = self.view.definition(&entity, function, &[])
            && let DeclBody::Function(function) = &decl.kind
        {
            self.instantiated(function, &decl, &env, &class.arguments);
        }
        self.history.leave();
    }

    /// An explicit instantiation of a class: of all its members, or of none but those that are inline where it says
    /// that other objects have them ([temp.explicit]/10).
    pub(in crate::facts) fn explicit_class(&mut self, class: &Rc<Instance>, explicit: Option<Explicit>) {
        let name = class.text(Spelling::Canonical);
        if explicit == Some(Explicit::Declaration) {
            self.history.set_elsewhere(name.into(), true);
        } else {
            self.history.set_elsewhere(name.into(), false);
            self.whole_class(class);
        }
    }

    pub(in crate::facts) fn whole_class(&mut self, class: &Rc<Instance>) {
        let Some(decl) = class.decl.clone() else { return };
        let DeclBody::Class(definition) = &decl.kind else { return };
        for member in definition.members.iter().flatten() {
            match member.kind {
                DeclBody::Variable(_) if member.specifiers.is_static => self.static_member(class, member),
                // Member classes are instantiated with it ([temp.explicit]/10).
                DeclBody::Class(_) if member.templates.is_empty() && member.name != decl.name => {
                    let inside = class.env.inside(class.clone());
                    if let Ty::Class(one) = self.view.named(&Path::plain(member.name), &inside) {
                        self.whole_class(&one);
                    }
                }
                _ if member.templates.is_empty() => self.member_body(class, member),
                _ => {}
            }
        }
    }

    /// Follows the initializer of a static data member of a class template's instance, wherever it is defined.
    pub(in crate::facts) fn static_member(&mut self, class: &Rc<Instance>, member: &Arc<Decl>) {
        let DeclBody::Variable(variable) = &member.kind else { return };
        let key = format!("{}::{}@{:?}", class.text(Spelling::Canonical), member.name, member.at);
        if !self.history.enter(key, member, &class.arguments, self.found.len()) {
            return;
        }
        let inside = class.env.inside(class.clone());
        if let Some(definitions) = self.view.static_definitions(class, member, &[]) {
            self.items(&variable.items, &inside.block());
            self.initialized(variable, &inside, member.at);
            self.initializations(definitions);
        }
        self.history.leave();
    }

    /// Follows the initializers of static data members that are defined outside their classes.
    pub(in crate::facts) fn initializations(&mut self, definitions: Vec<Definition>) {
        for Definition { decl, env } in definitions {
            if let DeclBody::Variable(variable) = &decl.kind {
                self.items(&variable.items, &env.block());
                self.initialized(variable, &env, decl.at);
            }
        }
    }
}
