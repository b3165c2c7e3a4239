//! The parts of objects of class type: what constructors do for those that they do not name, default member initializers,
//! and the virtual functions of the class.

use std::rc::Rc;
use std::sync::Arc;

use crate::source::{Span, Symbol, sym};

use super::walk::Walk;
use crate::facts::lower::ast::*;
use crate::facts::meaning::layout::class_in;
use crate::facts::meaning::types::{Env, Instance, Spelling, Ty};

/// A base class subobject or a non-static data member.
pub(super) struct Part {
    /// The member's name; the empty symbol for a base class.
    pub(super) name: Symbol,
    pub(super) ty: Ty,
    /// The member's declaration.
    member: Option<Arc<Decl>>,
}

impl Walk<'_> {
    /// Follows the implicitly defined default constructor of a class, or what a constructor does for the parts that none
    /// of its mem-initializers names ([class.base.init]/9). A constructor may also destroy the parts.
    pub(super) fn initialize_parts(&mut self, class: &Rc<Instance>, named: &[Symbol], at: Span) {
        let Some(decl) = class.decl.clone() else { return };
        let DeclBody::Class(definition) = &decl.kind else { return };
        if definition.is_union || !self.has_relevant_parts(class) {
            return;
        }
        let names: Vec<&str> = named.iter().map(|name| name.as_str()).collect();
        let key = format!("{}=default but {}", class.text(Spelling::Canonical), names.join(" "));
        if !self.enter(key, &decl, &class.arguments) {
            return;
        }
        for part in self.parts(class) {
            let name = match (&part.member, class_in(&part.ty)) {
                (None, Some(base)) => Symbol::intern(&base.text(Spelling::Canonical)),
                _ => part.name,
            };
            if !named.contains(&name) {
                self.initialize_part(class, &part, at);
            }
        }
        self.destroy_parts(class, at);
        self.history.leave();
    }

    /// Follows the initialization of a part as its declaration says. The default member initializers of a class that is
    /// no template are instantiated with the class.
    pub(super) fn initialize_part(&mut self, class: &Rc<Instance>, part: &Part, at: Span) {
        let inside = class.env.inside(class.clone());
        let variable = part.member.as_ref().and_then(|member| match &member.kind {
            DeclBody::Variable(variable) => Some((variable, member.at)),
            _ => None,
        });
        match variable {
            Some((variable, own)) if variable.initializer.is_some() => {
                if class.is_templated() {
                    let key = format!("{}.{}=", class.text(Spelling::Canonical), part.name);
                    let member = part.member.as_ref().expect("it is a variable");
                    if self.enter(key, member, &class.arguments) {
                        self.follow_addressed_initializer(variable, &inside, own);
                        self.follow_items(&variable.items, &inside.block());
                        let initializer = variable.initializer.as_ref();
                        self.initialize_by(&part.ty, initializer, variable.initialization, &inside, own);
                        self.history.leave();
                    }
                }
            }
            _ => self.initialize(&part.ty, None, &inside, at),
        }
    }

    /// Whether the parts of a class may reach a kernel template in question.
    pub(super) fn has_relevant_parts(&self, class: &Rc<Instance>) -> bool {
        let Some(DeclBody::Class(definition)) = class.decl.as_ref().map(|decl| &decl.kind) else {
            return false;
        };
        let bases = definition.bases.iter().map(|(base, _)| base);
        let is_relevant = |member: &Arc<Decl>| match &member.kind {
            DeclBody::Variable(variable) if !member.specifiers.is_static => {
                self.relevance().type_is_relevant(&variable.ty)
                    || self.relevance().items_are_relevant(&variable.items)
                    || variable.initializer.as_ref().is_some_and(|one| self.relevance().expr_is_relevant(one))
            }
            _ => false,
        };
        self.relevance().has_special_members()
            || self.context.may_call_lambda
            || class.arguments.iter().any(|one| self.relevance().argument_creates(one))
            || bases.into_iter().any(|base| self.relevance().type_is_relevant(base))
            || definition.members.iter().flatten().any(is_relevant)
            || self.relevance().nests_created_classes(class)
    }

    /// The base classes and the non-static data members of a class, in order.
    pub(super) fn parts(&self, class: &Rc<Instance>) -> Vec<Part> {
        let Some(DeclBody::Class(definition)) = class.decl.as_ref().map(|decl| &decl.kind) else {
            return Vec::new();
        };
        let inside = class.env.inside(class.clone());
        let bases = self.view.bases(class).into_iter();
        let mut parts: Vec<Part> = bases.map(|ty| Part { name: sym::EMPTY, ty, member: None }).collect();
        for member in definition.members.iter().flatten() {
            if let DeclBody::Variable(variable) = &member.kind
                && !member.specifiers.is_static
                && !member.specifiers.is_friend
            {
                let ty = self.view.ty(&variable.ty, &inside);
                parts.push(Part { name: member.name, ty, member: Some(member.clone()) });
            }
        }
        parts
    }

    /// Follows a mem-initializer of a constructor.
    pub(super) fn follow_member_initializer(
        &mut self,
        path: &Path,
        (initializer, initialization): (&Expr, Initialization),
        env: &Env,
        at: Span,
    ) {
        // The environment is that of the constructor's parameters.
        let Some(class) = env.class() else { return };
        let ty = match data_member(&class, path) {
            Some(member) => match &member.kind {
                DeclBody::Variable(variable) => self.view.ty(&variable.ty, &class.env.inside(class.clone())),
                _ => return,
            },
            None => self.view.named_type(path, env),
        };
        self.initialize_by(&ty, Some(initializer), initialization, env, at);
    }

    /// Follows the parts that the mem-initializers of a constructor leave out, unless it delegates to another one.
    pub(super) fn follow_rest_of_constructor(
        &mut self,
        class: &Rc<Instance>,
        items: &[Item],
        env: &Env,
        at: Span,
    ) {
        if !self.has_relevant_parts(class) {
            return;
        }
        let mut named = Vec::new();
        self.initialized_by(class, items, env, &mut named);
        if !named.contains(&Symbol::intern(&class.text(Spelling::Canonical))) {
            self.initialize_parts(class, &named, at);
        }
    }

    /// Adds the members that mem-initializers name, and the names of the classes.
    fn initialized_by(&self, class: &Rc<Instance>, items: &[Item], env: &Env, named: &mut Vec<Symbol>) {
        for item in items {
            match item {
                Item::Initialize(path, ..) => match data_member(class, path) {
                    Some(member) => named.push(member.name),
                    None => {
                        if let Some(base) = class_in(&self.view.named_type(path, env)) {
                            named.push(Symbol::intern(&base.text(Spelling::Canonical)));
                        }
                    }
                },
                Item::Expansion(inner) if inner.iter().any(|one| matches!(one, Item::Initialize(..))) => {
                    let names = |names: &mut Vec<Symbol>| inner.iter().for_each(|one| one.names(names));
                    let envs = self.view.expansions(names, env).unwrap_or_default();
                    envs.iter().for_each(|env| self.initialized_by(class, inner, env, named));
                }
                _ => {}
            }
        }
    }

    /// Follows the virtual functions of a class template specialization of which an object is created: its virtual table
    /// refers to them.
    pub(super) fn follow_virtual_functions(&mut self, class: &Rc<Instance>) {
        if !class.is_templated() {
            return;
        }
        let Some(decl) = class.decl.clone() else { return };
        let DeclBody::Class(definition) = &decl.kind else { return };
        for member in definition.members.iter().flatten() {
            if member.templates.is_empty()
                && (member.specifiers.is_virtual || self.overrides(class, member.name))
            {
                self.follow_member_function(class, &self.view.own_member(class, member));
            }
        }
    }
}

/// The non-static data member that a mem-initializer names.
fn data_member<'c>(class: &'c Rc<Instance>, path: &Path) -> Option<&'c Arc<Decl>> {
    let DeclBody::Class(definition) = &class.decl.as_ref()?.kind else { return None };
    let is_it =
        |member: &&Arc<Decl>| matches!(member.kind, DeclBody::Variable(_)) && member.name == path.last().name;
    definition.members.iter().flatten().find(is_it).filter(|_| path.segments.len() == 1)
}
