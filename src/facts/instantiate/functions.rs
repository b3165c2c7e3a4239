//! Function templates and kernel templates with the arguments that a mention gives them.

use super::walk::{Explicit, Instantiation, Walk};
use crate::facts::lower::ast::*;
use crate::facts::meaning::aggregate::data_members;
use crate::facts::meaning::deduce::{Call, Deduced};
use crate::facts::meaning::layout::class_in;
use crate::facts::meaning::types::{Bindings, Env, Spelling, TemplateArgument, Ty, list_text};
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
            let ty = mention
                .arguments
                .as_deref()
                .and_then(|list| view.deduced_class_type(&mention.path, list, env));
            let ty = ty.unwrap_or_else(|| view.named_type(&mention.path, env));
            self.object(&ty);
            if let (Some(arguments), Some(class)) = (&mention.arguments, class_in(&ty).cloned()) {
                match data_members(&class) {
                    Some(_) => self.address(&Expr::List(arguments.to_vec()), &ty, env, mention.at),
                    None => self.constructed(&class, arguments, env, mention.at),
                }
            }
            return;
        }
        let given =
            || view.template_arguments(mention.path.last().arguments.as_deref().unwrap_or_default(), env);
        let no_call = Call::none(env);
        let chosen = match (&mention.arguments, &mention.signature) {
            (Some(arguments), _) => {
                let call = Call::new(view, arguments, env);
                view.best_overload(entities, &mention.path, &call)
            }
            (None, Some(types)) => self.by_signature(entities, types.len()).map(|(entity, function)| {
                (entity, function, self.explicit_arguments(entity, function, given(), types, &no_call, env))
            }),
            (None, None) => self.by_address(entities, mention.path.last().arguments.is_some()).map(
                |(entity, function)| (entity, function, view.deduce(entity, function, given(), &no_call)),
            ),
        };
        let Some((entity, function, deduced)) = chosen else { return };
        if mention.arguments.is_none() && mention.signature.is_none() && is_open(mention, entity) {
            return;
        }
        self.given(mention, function, &entity.env.with_bindings(deduced.bindings.clone()), env);
        self.chosen(mention, entity, function, deduced, explicit);
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
            if let Some(owner) = entity.owner.clone().filter(|owner| !owner.arguments.is_empty()) {
                self.member_of_a_template(&owner, &entity.decl, explicit);
            }
            return;
        }
        let inner = entity.env.with_bindings(deduced.bindings);
        if entity.decl.specifiers.global {
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
                self.instantiated(function, &entity.decl, &inner, &deduced.arguments);
                self.history.leave();
            }
        }
    }

    /// What a use of a static data member of a class template or of a variable template initializes it with.
    pub(in crate::facts) fn constant(&mut self, mention: &Mention, entities: &[Entity], env: &Env) {
        let view = self.view;
        let Some(first) = entities.first() else { return };
        if let Some(owner) = first.owner.clone().filter(|owner| !owner.arguments.is_empty()) {
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

    pub(in crate::facts) fn by_signature<'e>(
        &self,
        entities: &'e [Entity],
        count: usize,
    ) -> Option<(&'e Entity, &'e Function)> {
        entities.iter().find_map(|entity| match &entity.decl.kind {
            DeclBody::Function(function)
                if !entity.decl.is_specialization()
                    && function.parameters.len() == count
                    && (!entity.decl.templates.is_empty() || in_template(entity)) =>
            {
                Some((entity, function))
            }
            _ => None,
        })
    }

    /// The arguments of `template void f<int>(float *);` ([temp.deduct.decl]).
    pub(in crate::facts) fn explicit_arguments(
        &self,
        entity: &Entity,
        function: &Function,
        given: Vec<TemplateArgument>,
        types: &[Type],
        no_call: &Call<'_>,
        env: &Env,
    ) -> Deduced {
        let parameters = entity.decl.templates.last().map_or(&[][..], |head| &head.parameters);
        let mut found: Bindings =
            parameters.iter().zip(given.clone()).map(|(parameter, bound)| (parameter.name, bound)).collect();
        for (pattern, ty) in function.parameters.iter().zip(types) {
            let actual = self.view.parameter_ty(ty, env);
            self.view.unify(&pattern.ty, &entity.env, parameters, &actual, &mut found);
        }
        let mut list = Vec::new();
        for parameter in parameters {
            match found.iter().find(|(name, _)| *name == parameter.name) {
                Some((_, bound)) => list.push(bound.clone()),
                None => break,
            }
        }
        self.view.deduce(entity, function, list, no_call)
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
            let of =
                of.and_then(|parameter| parameter.type_or_concept.as_ref()).map(|ty| self.view.ty(ty, inner));
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
            self.instantiated(function, &entity.decl, inner, list);
            self.history.leave();
        }
    }
}

/// Whether it is a member of a class template's instance.
fn in_template(entity: &Entity) -> bool {
    entity.owner.as_ref().is_some_and(|owner| !owner.arguments.is_empty())
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
