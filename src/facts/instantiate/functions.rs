//! Function templates and kernel templates with the arguments that a mention gives them.

use super::walk::{Explicit, Instantiation, Walk};
use crate::facts::lower::ast::*;
use crate::facts::meaning::aggregate::data_members;
use crate::facts::meaning::deduce::{Call, Deduced};
use crate::facts::meaning::definitions::{Defined, Definition};
use crate::facts::meaning::layout::class_in;
use crate::facts::meaning::overload::specialization;
use crate::facts::meaning::types::{Env, Spelling, TemplateArgument, Ty, list_text};
use crate::facts::meaning::view::Entity;

impl Walk<'_> {
    pub(in crate::facts) fn functions(
        &mut self,
        mention: &Mention,
        entities: &[Entity],
        env: &Env,
        explicit: Option<Explicit>,
    ) {
        let view = self.view;
        let is_function = |entity: &&Entity| matches!(entity.decl.kind, DeclBody::Function(_));
        if !entities.iter().any(|entity| is_function(&entity)) {
            self.variable(mention, entities, env);
            self.constant(mention, entities, env);
            let ty = mention.arguments.as_deref().and_then(|list| view.guided(&mention.path, list, env));
            let ty = ty.unwrap_or_else(|| view.named(&mention.path, env));
            self.object(&ty);
            if let (Some(arguments), Some(class)) = (&mention.arguments, class_in(&ty).cloned()) {
                match data_members(&class) {
                    Some(_) => self.address(&Expr::List(arguments.to_vec()), &ty, env, mention.at),
                    None => self.constructed(&class, arguments, env, mention.at),
                }
            }
            return;
        }
        let given = || view.bounds(mention.path.last().arguments.as_deref().unwrap_or_default(), env);
        let no_call = Call::none(env);
        let chosen = match (&mention.arguments, &mention.signature) {
            (Some(arguments), _) => {
                let is_const = match &mention.receiver {
                    Some((object, arrow)) => view.object_is_const(object, *arrow, env),
                    None => None,
                };
                let call = Call::new(view, arguments, env).of_object(is_const);
                view.best_overload(entities, &mention.path, &call)
            }
            (None, Some(types)) => {
                let types: Vec<Ty> = types.iter().map(|ty| view.parameter_ty(ty, env)).collect();
                self.by_signature(entities, &mention.path, &given(), &types)
            }
            (None, None) => self.by_address(entities, mention.path.last().arguments.is_some()).map(
                |(entity, function)| (entity, function, view.deduce(entity, function, given(), &no_call)),
            ),
        };
        let Some((entity, function, deduced)) = chosen else { return };
        if mention.arguments.is_none() && mention.signature.is_none() && is_open(mention, entity) {
            return;
        }
        let inner = entity.env.with_bindings(deduced.bindings.clone());
        self.given(mention, function, &inner, env);
        self.defaults(mention, entity, function, &inner);
        self.chosen(mention, entity, function, deduced, explicit);
    }

    /// Follows the default arguments that a call uses ([dcl.fct.default]/9).
    fn defaults(&mut self, mention: &Mention, entity: &Entity, function: &Function, inner: &Env) {
        let Some(arguments) = &mention.arguments else { return };
        if arguments.iter().any(|argument| matches!(argument, Expr::Expansion(_))) {
            return;
        }
        for (number, parameter) in function.parameters.iter().enumerate().skip(arguments.len()) {
            let Some(default) = &parameter.default else { continue };
            if !self.relevance.leads(&parameter.items) && !self.relevance.expr_may_lead(default) {
                continue;
            }
            let bound = inner.bound();
            let name = self.view.qualified_name(entity);
            let words = list_text(&bound, Spelling::Canonical);
            let key = format!("{name}<{words}>={number}@{:?}", entity.decl.at);
            if self.history.enter(key, &entity.decl, &bound, self.found.len()) {
                self.items(&parameter.items, &inner.block());
                let ty = self.view.ty(&parameter.ty, inner);
                self.address(default, &ty, inner, mention.at);
                self.history.leave();
            }
        }
    }

    /// A function, with the template arguments that a mention gives it.
    pub(in crate::facts) fn chosen(
        &mut self,
        mention: &Mention,
        entity: &Entity,
        function: &Function,
        deduced: Deduced,
        explicit: Option<Explicit>,
    ) {
        let view = self.view;
        let declared = explicit == Some(Explicit::Declaration);
        let template = entity.decl.templates.last().is_some_and(|head| !head.parameters.is_empty());
        if !template {
            if let Some(owner) = entity.owner.clone().filter(|owner| owner.is_templated()) {
                self.member_of_a_template(&owner, &entity.decl, explicit);
            }
            return;
        }
        if entity.decl.specifiers.global {
            let inner = entity.env.with_bindings(deduced.bindings);
            let key = (view.qualified_name(entity), list_text(&deduced.arguments, Spelling::Canonical));
            match explicit {
                Some(Explicit::Declaration) => {
                    self.suppressed.insert(key);
                    return;
                }
                Some(Explicit::Definition) => _ = self.suppressed.remove(&key),
                None => {}
            }
            self.kernel(mention, entity, function, &deduced.arguments, &inner);
        } else {
            let key = format!(
                "{}<{}>@{:?}",
                view.qualified_name(entity),
                list_text(&deduced.arguments, Spelling::Canonical),
                entity.decl.at
            );
            // Calls of what is declared elsewhere instantiate it only if it is inline ([temp.explicit]/13), as
            // nvcc's front end and g++ do.
            if declared {
                if !(entity.decl.specifiers.is_inline || entity.decl.specifiers.is_constexpr) {
                    self.history.set_elsewhere(key.into(), true);
                }
                return;
            }
            if explicit.is_none() && self.history.is_elsewhere(key.as_str()) {
                return;
            }
            if entity.owner.as_ref().is_some_and(|owner| owner.is_closure()) {
                self.history.call(&entity.decl);
            }
            if self.history.enter(key, &entity.decl, &deduced.arguments, self.found.len()) {
                view.depend_on(entity.top);
                self.defined(entity, function, &deduced.arguments);
                self.history.leave();
            }
        }
    }

    /// Follows the body of a function template for arguments, wherever it is defined.
    fn defined(&mut self, entity: &Entity, function: &Function, arguments: &[TemplateArgument]) {
        if let Defined::Here(Definition { decl, env }) = self.view.definition(entity, function, arguments)
            && let DeclBody::Function(function) = &decl.kind
        {
            self.instantiated(function, &decl, &env, arguments);
        }
    }

    /// What a use of a static data member of a class template or of a variable template initializes it with.
    pub(in crate::facts) fn constant(&mut self, mention: &Mention, entities: &[Entity], env: &Env) {
        let view = self.view;
        let Some(first) = entities.first() else { return };
        if first.decl.templates.is_empty()
            && let Some(owner) = first.owner.clone().filter(|owner| owner.is_templated())
        {
            return self.static_member(&owner, &first.decl);
        }
        let Some((entity, variable, list, inner)) = view.variable_template(entities, &mention.path, env)
        else {
            return;
        };
        let arguments = list_text(&list, Spelling::Canonical);
        let key = format!("{}<{arguments}>@{:?}", view.qualified_name(entity), entity.decl.at);
        if self.history.enter(key, &entity.decl, &list, self.found.len()) {
            view.depend_on(entity.top);
            self.items(&variable.items, &inner.block());
            self.initialized(variable, &inner, entity.decl.at);
            if let Some(owner) = &entity.owner {
                let definitions = view.static_definitions(owner, &entity.decl, &list);
                self.initializations(definitions.unwrap_or_default());
            }
            self.history.leave();
        }
    }

    /// Without a call, the arguments written decide: the template that a definition is seen of.
    pub(in crate::facts) fn by_address<'e>(
        &self,
        entities: &'e [Entity],
        explicit: bool,
    ) -> Option<(&'e Entity, &'e Function)> {
        let mut best: Option<(&Entity, &Function)> = None;
        for entity in entities {
            let DeclBody::Function(function) = &entity.decl.kind else { continue };
            if entity.decl.is_specialization() || (explicit && entity.decl.templates.is_empty()) {
                continue;
            }
            if best.is_none_or(|(_, known)| known.body.is_none() && function.body.is_some()) {
                best = Some((entity, function));
            }
        }
        best
    }

    /// The function that an explicit instantiation or specialization with these parameters is of, and its arguments
    /// ([temp.deduct.decl]). Where none has these parameters, one that has as many.
    pub(in crate::facts) fn by_signature<'e>(
        &self,
        entities: &'e [Entity],
        path: &Path,
        given: &[TemplateArgument],
        types: &[Ty],
    ) -> Option<(&'e Entity, &'e Function, Deduced)> {
        let mut best = None;
        for entity in entities {
            let DeclBody::Function(function) = &entity.decl.kind else { continue };
            let template = !entity.decl.templates.is_empty();
            if entity.decl.is_specialization()
                || !template && (path.last().arguments.is_some() || !in_template(entity))
            {
                continue;
            }
            let deduced = self.view.arguments_of_signature(entity, function, given.to_vec(), types);
            let inner = entity.env.with_bindings(deduced.bindings.clone());
            let same = self.view.has_signature(function, &inner, types);
            let is_pack = |parameter: &Parameter| matches!(parameter.ty, Type::Pack(_));
            if same == Some(false)
                && function.parameters.len() != types.len()
                && !function.parameters.iter().any(is_pack)
            {
                continue;
            }
            let surely = match same {
                Some(true) => 2,
                None => 1,
                Some(false) => 0,
            };
            let rank = (surely, specialization(function, entity), function.body.is_some());
            if best.as_ref().is_none_or(|(known, _)| rank > *known) {
                best = Some((rank, (entity, function, deduced)));
            }
        }
        best.map(|(_, chosen)| chosen)
    }

    /// A variable template in the GPU's memory. The host needs the symbol where its own code names it.
    pub(in crate::facts) fn variable(&mut self, mention: &Mention, entities: &[Entity], env: &Env) {
        let view = self.view;
        if self.context.device_code && view.is_host() {
            return;
        }
        let Some((entity, variable, list, inner)) = view.variable_template(entities, &mention.path, env)
        else {
            return;
        };
        // The value of a constant needs no symbol.
        if !entity.decl.specifiers.device_memory() || entity.decl.specifiers.is_constexpr {
            return;
        }
        view.depend_on(entity.top);
        let name = view.qualified_name(entity);
        self.found.push(Instantiation {
            declared: entities.first().map_or(entity.decl.at, |first| first.decl.at),
            key: list_text(&list, Spelling::Canonical),
            shown: format!("{name}<{}>", self.shown_list(&entity.decl, &list, &inner)),
            kernel: name,
            variable: true,
            sure: list.iter().all(TemplateArgument::is_sure),
            site: mention.at,
            root: self.context.root.unwrap_or(mention.at),
            parameters: vec![view.ty(&variable.ty, &inner)],
            trace: view.trace.borrow().clone(),
            ordinary_before: Vec::new(),
        });
    }

    /// Template arguments as they can be written: of an enumeration's value its number alone would be none.
    fn shown_list(&self, decl: &Decl, list: &[TemplateArgument], inner: &Env) -> String {
        let parameters = decl.templates.last().map_or(&[][..], |head| &head.parameters);
        let written = |(index, argument): (usize, &TemplateArgument)| {
            let text = argument.text(Spelling::Shown);
            let of = parameters.get(index).filter(|parameter| !parameter.pack);
            let of = of.and_then(|parameter| parameter.value_of.as_ref()).map(|ty| self.view.ty(ty, inner));
            match of.as_ref().map(|ty| ty.unqualified()) {
                Some(Ty::Enum(_)) if text.starts_with(|c: char| c.is_ascii_digit() || c == '-') => {
                    format!(
                        "({}){text}",
                        of.expect("it is an enumeration").unqualified().text(Spelling::Shown)
                    )
                }
                _ => text,
            }
        };
        list.iter().enumerate().map(written).collect::<Vec<_>>().join(", ")
    }

    pub(in crate::facts) fn kernel(
        &mut self,
        mention: &Mention,
        entity: &Entity,
        function: &Function,
        list: &[TemplateArgument],
        inner: &Env,
    ) {
        let view = self.view;
        view.depend_on(entity.top);
        let name = view.qualified_name(entity);
        let parameters = view.parameter_types(function, inner);
        self.found.push(Instantiation {
            declared: entity.decl.at,
            key: list_text(list, Spelling::Canonical),
            shown: format!("{name}<{}>", self.shown_list(&entity.decl, list, inner)),
            kernel: name,
            variable: false,
            sure: list.iter().all(TemplateArgument::is_sure),
            site: mention.at,
            root: self.context.root.unwrap_or(mention.at),
            parameters,
            trace: view.trace.borrow().clone(),
            ordinary_before: list.iter().filter_map(ordinary_before).collect(),
        });
        // A kernel's own body may launch others and instantiate templates that do.
        let key = format!("{}@{:?}", self.found[self.found.len() - 1].shown, entity.decl.at);
        if self.history.enter(key, &entity.decl, list, self.found.len()) {
            self.defined(entity, function, list);
            self.history.leave();
        }
    }
}

/// Whether it is a member of a class template's instance.
fn in_template(entity: &Entity) -> bool {
    entity.owner.as_ref().is_some_and(|owner| owner.is_templated())
}

/// A template's name by itself, whose arguments hang on the type that it is converted to ([over.over]).
fn is_open(mention: &Mention, entity: &Entity) -> bool {
    let parameters = entity.decl.templates.last().map_or(&[][..], |head| &head.parameters);
    mention.path.last().arguments.is_none() && parameters.iter().any(|one| one.default.is_none() && !one.pack)
}

fn ordinary_before(argument: &TemplateArgument) -> Option<usize> {
    let TemplateArgument::Type(ty) = argument else { return None };
    class_in(ty)?.lambda().map(|closure| closure.ordinary_before)
}
