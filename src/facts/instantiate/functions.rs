//! Function templates, kernel templates and variable templates, instantiated with the template arguments that a mention
//! gives or that are deduced ([temp.deduct]).

use super::addresses::is_template_id;
use super::effects::Instantiation;
use super::walk::{Explicit, Walk};
use crate::facts::index::functions::{is_class, varies_for_types};
use crate::facts::lower::ast::*;
use crate::facts::meaning::candidates::Deduced;
use crate::facts::meaning::deduce::Call;
use crate::facts::meaning::definitions::{Defined, Definition};
use crate::facts::meaning::layout::class_in;
use crate::facts::meaning::overload::{Candidate, differ_in_qualifiers, redeclares, specificity};
use crate::facts::meaning::types::{Env, Spelling, TemplateArgument, Ty, alike, list_text};
use crate::facts::meaning::viability::Viability;
use crate::facts::meaning::view::Entity;
use crate::facts::model::BlindSpotCause;
use crate::source::{Span, Symbol};

/// How many functions are followed among which a call can't choose; of more, the one that it most likely means.
const OPEN_LIMIT: usize = 8;

impl Walk<'_> {
    /// Follows the function that a mention chooses among the entities that its name denotes. If none of them is a
    /// function, it is a variable or a class, of which an object is created.
    pub(in crate::facts) fn follow_functions(
        &mut self,
        mention: &Mention,
        entities: &[Entity],
        env: &Env,
        explicit: Option<Explicit>,
    ) {
        let view = self.view;
        let is_function = |entity: &&Entity| matches!(entity.decl.kind, DeclBody::Function(_));
        if !entities.iter().any(|entity| is_function(&entity)) {
            self.instantiate_device_variable(mention, entities, env);
            self.follow_constant(mention, entities, env);
            let ty = mention
                .arguments
                .as_deref()
                .and_then(|list| view.deduced_class_type(&mention.path, list, env));
            let ty = ty.unwrap_or_else(|| view.named_type(&mention.path, env));
            if entities.iter().any(|entity| !matches!(entity.decl.kind, DeclBody::Variable(_))) {
                self.create(&ty, mention, env);
            }
            return;
        }
        let merged = mention.arguments.as_ref().and_then(|arguments| {
            let single = |one: &&Expr| !matches!(one, Expr::Expansion(_));
            view.with_all_default_arguments(entities, arguments.iter().filter(single).count())
        });
        let entities = merged.as_deref().unwrap_or(entities);
        let given =
            || view.template_arguments(mention.path.last().arguments.as_deref().unwrap_or_default(), env);
        let call = match &mention.arguments {
            Some(arguments) => {
                let receiver = mention.receiver.as_ref().filter(|_| differ_in_qualifiers(entities));
                let object = receiver.and_then(|(object, arrow)| {
                    let (_, is_const) = view.object(object, *arrow, env)?;
                    Some(view.implied_object(entities, (object, *arrow), is_const, env))
                });
                let copies = mention.role == Role::Converting;
                Call::new(view, arguments, env).of_object(object).for_copy(copies)
            }
            None => Call::none(env),
        };
        let chosen = match (&mention.arguments, &mention.signature) {
            (Some(_), _) => self.called_functions(mention, entities, &call),
            (None, Some(signature)) => {
                self.templates_with_signature(entities, &mention.path, &given(), signature, env)
            }
            (None, None) => self.templates_named(entities, &mention.path, &given(), &call),
        };
        for (entity, function, deduced) in chosen {
            if mention.arguments.is_none()
                && mention.signature.is_none()
                && (is_open(mention, entity) || self.take_addressed(&mention.path))
            {
                continue;
            }
            if mention.arguments.is_some() {
                let inner = entity.env.with_bindings(deduced.bindings.clone());
                self.follow_arguments(function, &inner, &call, mention.at);
                self.follow_default_arguments(&call, entity, function, &deduced, mention.at);
            }
            if mention.arguments.is_some() && self.returns_object(function) {
                let inner = entity.env.with_bindings(deduced.bindings.clone());
                if let Some(ty) = view.result_ty(function, &inner) {
                    self.destroy(&ty, mention.at);
                }
            }
            self.instantiate_function(mention, entity, function, deduced, explicit);
        }
    }

    /// Whether a call of a function may give an object of a class that the caller destroys.
    fn returns_object(&self, function: &Function) -> bool {
        self.relevance().has_special_members()
            && matches!(
                function.result,
                Type::Named(_) | Type::Qualified(..) | Type::Auto | Type::DecltypeAuto | Type::Decltype(_)
            )
    }

    /// The functions that a call may call: the one that overload resolution chooses; those among which it can't choose;
    /// and if none seems viable, those that take as many arguments.
    fn called_functions<'e>(
        &mut self,
        mention: &Mention,
        entities: &'e [Entity],
        call: &Call<'_>,
    ) -> Vec<Candidate<'e>> {
        let view = self.view;
        let mut chosen = view.overloads(entities, &mention.path, call);
        let settled = chosen.len() == 1;
        if chosen.is_empty() && !self.may_call_another(mention, entities, call) {
            chosen = view.fitting_by_count(entities, &mention.path, call);
            if chosen.is_empty() {
                self.leave_unsettled(mention, BlindSpotCause::NoViableFunction);
            }
        }
        if !settled && !chosen.is_empty() {
            view.depend_on_unsettled();
            chosen.retain(|candidate| self.may_reach(candidate));
            if chosen.len() > OPEN_LIMIT || chosen.len() > 1 && self.history.guessed_enough() {
                self.leave_unsettled(mention, BlindSpotCause::SeveralFunctions);
                chosen.truncate(1);
            }
        }
        chosen
    }

    /// Whether a candidate may reach a kernel template in question, told by the names in its body and by the lambdas among
    /// its template arguments. Functions that a GPU runs too do not launch, unless they mention the kernel themselves.
    fn may_reach(&self, (entity, function, deduced): &Candidate<'_>) -> bool {
        let facts = self.view.unit.token_facts();
        let mentions_kernel = |top| facts.names(top).iter().any(|name| facts.is_kernel(*name));
        if entity.decl.specifiers.device
            && !entity.decl.specifiers.global
            && entity.top != usize::MAX
            && !mentions_kernel(entity.top)
            && !deduced.arguments.iter().any(|argument| self.relevance().carries_relevant_lambda(argument))
        {
            return false;
        }
        let default_reaches = |parameter: &Parameter| {
            self.relevance().items_are_relevant(&parameter.items)
                || parameter.default.as_ref().is_some_and(|one| self.relevance().expr_is_relevant(one))
        };
        entity.decl.specifiers.global
            || match &function.body {
                Some(body) => self.relevance().items_are_relevant(body),
                None => self.relevance().has(entity.decl.name),
            }
            || function.parameters.iter().any(default_reaches)
            || deduced.arguments.iter().any(|argument| self.relevance().carries_relevant_lambda(argument))
            || self.relevance().converts()
    }

    /// Whether a call may be valid though none of the functions that its name denotes is viable: of an operator that is
    /// built in, or of an implicitly declared constructor.
    fn may_call_another(&self, mention: &Mention, entities: &[Entity], call: &Call<'_>) -> bool {
        let name = mention.path.last().name;
        let is_operator = name.as_str().starts_with("operator") && name != self.relevance().call_operator;
        let is_copy = entities.first().is_some_and(|first| match &first.owner {
            Some(owner) if owner.decl.as_ref().is_some_and(|decl| decl.name == first.decl.name) => {
                let is_of_class = |ty: &Ty| {
                    self.view.is_derived(ty, owner)
                        || matches!(ty.without_cvref(), Ty::Class(class) if class.name == owner.name)
                };
                match call.arguments.as_slice() {
                    [_] => call.ty(self.view, 0).is_none_or(is_of_class),
                    rest => rest.is_empty(),
                }
            }
            _ => false,
        });
        is_operator || is_copy
    }

    /// Follows the default arguments that a call uses ([dcl.fct.default]/9).
    pub(in crate::facts) fn follow_default_arguments(
        &mut self,
        call: &Call<'_>,
        entity: &Entity,
        function: &Function,
        deduced: &Deduced,
        at: Span,
    ) {
        if call.is_open() {
            return;
        }
        let inner = entity.env.with_bindings(deduced.bindings.clone());
        for (number, parameter) in function.parameters.iter().enumerate().skip(call.arguments.len()) {
            let Some(default) = &parameter.default else { continue };
            if !self.relevance().items_are_relevant(&parameter.items)
                && !self.relevance().expr_is_relevant(default)
                && !self.relevance().type_is_relevant(&parameter.ty)
                && !self.relevance().has_special_members()
            {
                continue;
            }
            let bound = inner.bound_arguments();
            let name = self.view.qualified_name(entity);
            let words = list_text(&bound, Spelling::Canonical);
            let key = format!("{name}<{words}>={number}@{:?}", entity.decl.at);
            if self.enter(key, &entity.decl, &bound) {
                let ty = self.view.ty(&parameter.ty, &inner);
                let from = inner.of_default(parameter.default_from);
                if is_template_id(default) {
                    self.follow_address(default, &ty, &from, at);
                }
                self.follow_items(&parameter.items, &from.block());
                self.initialize(&ty, Some(default), &from, at);
                self.destroy(&ty, at);
                self.history.leave();
            }
        }
    }

    /// Instantiates a function with the template arguments that were deduced for it.
    pub(in crate::facts) fn instantiate_function(
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
                self.instantiate_member(&owner, &entity.decl, explicit);
            }
            return;
        }
        if entity.decl.specifiers.global {
            let inner = entity.env.with_bindings(deduced.bindings);
            let key = (view.qualified_name(entity), list_text(&deduced.arguments, Spelling::Canonical));
            match explicit {
                Some(Explicit::Declaration) => {
                    self.suppressed.insert(key);
                    self.history.log.keep_from_others();
                    return;
                }
                Some(Explicit::Definition) => {
                    self.suppressed.remove(&key);
                    self.history.log.keep_from_others();
                }
                None => {}
            }
            self.instantiate_kernel(mention, entity, function, &deduced.arguments, &inner);
        } else {
            let key = format!(
                "{}<{}>@{:?}",
                view.qualified_name(entity),
                list_text(&deduced.arguments, Spelling::Canonical),
                entity.decl.at
            );
            // After an explicit instantiation declaration, calls instantiate the function only if it is inline
            // ([temp.explicit]/13), as with nvcc's front end and g++.
            if declared {
                let is_inline = entity.decl.specifiers.is_inline || entity.decl.specifiers.is_constexpr;
                // A return type is deduced from the definition ([dcl.spec.auto]/12).
                if !is_inline && !function.result.is_placeholder() {
                    self.history.set_left_to_others(key.into(), true);
                }
                return;
            }
            if explicit.is_none() && self.history.is_left_to_others(key.as_str()) {
                return;
            }
            if entity.owner.as_ref().is_some_and(|owner| owner.is_closure()) {
                self.history.call(&entity.decl);
            }
            if self.enter(key, &entity.decl, &deduced.arguments) {
                view.depend_on(entity.top);
                if let Some(owner) = &entity.owner {
                    self.follow_deduced_members(owner);
                }
                self.follow_definition(entity, function, &deduced.arguments);
                self.history.leave();
            }
        }
    }

    /// Follows the body of a function template for its arguments, wherever it is defined.
    fn follow_definition(&mut self, entity: &Entity, function: &Function, arguments: &[TemplateArgument]) {
        let alike = self.view.entity_alike(entity).and(alike(arguments));
        self.follow_shared_body(alike, |walk| walk.follow_definition_here(entity, function, arguments));
    }

    fn follow_definition_here(
        &mut self,
        entity: &Entity,
        function: &Function,
        arguments: &[TemplateArgument],
    ) {
        if let Defined::Here(Definition { decl, env }) = self.view.definition(entity, function, arguments)
            && let DeclBody::Function(function) = &decl.kind
        {
            self.follow_instantiated_body(function, &decl, &env, arguments);
        }
    }

    /// Follows the initializer of a static data member of a class template, or of a variable template, that is used.
    pub(in crate::facts) fn follow_constant(&mut self, mention: &Mention, entities: &[Entity], env: &Env) {
        let view = self.view;
        let Some(first) = entities.first() else { return };
        if first.decl.templates.is_empty()
            && let Some(owner) = first.owner.clone().filter(|owner| owner.is_templated())
        {
            return self.follow_static_member(&owner, &first.decl);
        }
        let Some((entity, variable, list, inner)) = view.variable_template(entities, &mention.path, env)
        else {
            return;
        };
        let arguments = list_text(&list, Spelling::Canonical);
        let key = format!("{}<{arguments}>@{:?}", view.qualified_name(entity), entity.decl.at);
        if self.enter(key, &entity.decl, &list) {
            view.depend_on(entity.top);
            self.follow_items(&variable.items, &inner.block());
            self.initialize_variable(variable, &inner, entity.decl.at);
            if let Some(owner) = &entity.owner {
                let definitions = view.static_member_definitions(owner, &entity.decl, &list);
                self.follow_static_member_definitions(definitions.unwrap_or_default());
            }
            self.history.leave();
        }
    }

    /// The templates that a mention without a call may name, one with a definition first. With template arguments it can't
    /// be a non-template function, nor a template that does not take them.
    pub(super) fn templates_named<'e>(
        &self,
        entities: &'e [Entity],
        path: &Path,
        given: &[TemplateArgument],
        call: &Call<'_>,
    ) -> Vec<Candidate<'e>> {
        let view = self.view;
        let explicit = path.last().arguments.is_some();
        let mut all: Vec<(Viability, Candidate<'e>)> = Vec::new();
        for entity in entities {
            let DeclBody::Function(function) = &entity.decl.kind else { continue };
            if entity.decl.is_specialization() || explicit && entity.decl.templates.is_empty() {
                continue;
            }
            let deduced = view.deduce(entity, function, given.to_vec(), call);
            let valid = match explicit {
                true => view.takes_explicit(entity, given).and(|| view.is_valid(entity, function, &deduced)),
                false => Viability::CantTell,
            };
            if !valid.is_ruled_out() || entities.len() == 1 {
                all.push((valid, (entity, function, deduced)));
            }
        }
        all.sort_by_key(|(_, (_, function, _))| function.body.is_none());
        // Of several that are certainly valid, the type that the address is converted to means one ([over.over]).
        let mut certain = false;
        all.retain(|(valid, _)| !valid.is_certain() || !std::mem::replace(&mut certain, true));
        let all = all.into_iter().map(|(_, candidate)| candidate);
        let mut all: Vec<Candidate<'e>> = all.fold(Vec::new(), |mut known, one| {
            if !known.iter().any(|other| redeclares(other, &one)) {
                known.push(one);
            }
            known
        });
        // Without template arguments only one that has none left to deduce can be meant, which is told by its type.
        all.truncate(if explicit { usize::MAX } else { 1 });
        if all.len() > 1 {
            view.depend_on_unsettled();
        }
        all
    }

    /// The templates or templated members of which an explicit instantiation or specialization with parameters of these
    /// types may be one, and its template arguments ([temp.deduct.decl]). Where none has these parameters, those that
    /// have as many.
    fn templates_with_signature<'e>(
        &self,
        entities: &'e [Entity],
        path: &Path,
        given: &[TemplateArgument],
        signature: &Signature,
        env: &Env,
    ) -> Vec<Candidate<'e>> {
        let types: Vec<Ty> = signature.parameters.iter().map(|ty| self.view.parameter_ty(ty, env)).collect();
        let types = types.as_slice();
        let result = || self.view.ty(&signature.result, env);
        let is_such = |entity: &Entity| match &entity.decl.kind {
            DeclBody::Function(one) => (one.is_const, one.reference) == signature.qualifiers,
            _ => false,
        };
        let has_such = entities.iter().any(is_such);
        let mut all = Vec::new();
        for entity in entities {
            let DeclBody::Function(function) = &entity.decl.kind else { continue };
            let template = !entity.decl.templates.is_empty();
            if entity.decl.is_specialization()
                || !template && (path.last().arguments.is_some() || !in_template(entity))
                || has_such && !is_such(entity)
            {
                continue;
            }
            let deduced = self.view.arguments_of_signature(entity, function, given.to_vec(), types, result);
            let inner = entity.env.with_bindings(deduced.bindings.clone());
            let same = Viability::of(self.view.has_signature(function, &inner, types))
                .and(|| self.view.takes_explicit(entity, given))
                .and(|| self.returns(function, &inner, &signature.result, env))
                .and(|| self.view.is_valid(entity, function, &deduced));
            let is_pack = |parameter: &Parameter| matches!(parameter.ty, Type::Pack(_));
            if same.is_ruled_out()
                && function.parameters.len() != types.len()
                && !function.parameters.iter().any(is_pack)
            {
                continue;
            }
            let surely = match same {
                Viability::Yes => 2,
                Viability::CantTell => 1,
                Viability::No => 0,
            };
            let rank = (surely, specificity(function, entity), function.body.is_some());
            all.push((rank, (entity, function, deduced)));
        }
        all.sort_by_key(|(rank, _)| std::cmp::Reverse(*rank));
        let best = all.first().map_or(2, |((surely, ..), _)| *surely);
        let mut chosen: Vec<Candidate<'e>> = Vec::new();
        for ((surely, ..), candidate) in all {
            let is_known = chosen.iter().any(|known| best == 2 || redeclares(known, &candidate));
            if surely == best && !is_known {
                chosen.push(candidate);
            }
        }
        if best == 0 || chosen.len() > 1 {
            self.view.depend_on_unsettled();
        }
        chosen
    }

    /// Whether a function template returns, for template arguments, the type that an explicit instantiation or specialization
    /// gives; of a constructor, say, none is written.
    fn returns(&self, function: &Function, inner: &Env, written: &Type, env: &Env) -> Viability {
        let is_unwritten = |ty: &Type| ty.is_placeholder() || matches!(ty, Type::Unknown(_));
        if is_unwritten(written) || is_unwritten(&function.result) {
            return Viability::Yes;
        }
        let own = self.view.result_ty(function, inner);
        let written = self.view.ty(written, env);
        match own.filter(|own| own.is_sure() && written.is_sure()) {
            Some(own) => Viability::of(Some(own.is_same(&written))),
            None => Viability::CantTell,
        }
    }

    /// Instantiates a variable template in device memory. The host pass instantiates it where host code names it.
    pub(in crate::facts) fn instantiate_device_variable(
        &mut self,
        mention: &Mention,
        entities: &[Entity],
        env: &Env,
    ) {
        let view = self.view;
        if self.context.device_code && view.is_host() {
            return;
        }
        let Some((entity, variable, list, inner)) = view.variable_template(entities, &mention.path, env)
        else {
            return;
        };
        // Using the value of a constant is no odr-use: no variable is needed.
        if !entity.decl.specifiers.device_memory() || entity.decl.specifiers.is_constexpr {
            return;
        }
        view.depend_on(entity.top);
        let name = view.qualified_name(entity);
        self.note_found(Instantiation {
            declared: entities.first().map_or(entity.decl.at, |first| first.decl.at),
            key: list_text(&list, Spelling::Canonical),
            resolved: resolved(&list),
            shown: format!("{name}<{}>", self.shown_list(&entity.decl, &list, &inner)),
            kernel: name,
            variable: true,
            sure: list.iter().all(TemplateArgument::is_sure) && !view.is_unsettled(),
            varies: self.may_vary(&list),
            site: mention.at,
            root: self.context.root.unwrap_or(mention.at),
            call: self.context.call.unwrap_or(mention.at),
            parameters: vec![view.ty(&variable.ty, &inner)],
            trace: view.varying(view.trace()),
            ordinary_before: Vec::new(),
        });
    }

    /// Template arguments as they can be written: a number alone is no argument for a parameter of enumeration type.
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
        // An empty pack has no text.
        let texts = list.iter().enumerate().map(written).filter(|text| !text.is_empty());
        texts.collect::<Vec<_>>().join(", ")
    }

    /// Whether a part of template arguments that was not resolved has a name that varies.
    fn may_vary(&self, list: &[TemplateArgument]) -> bool {
        let mut varies = false;
        let mut look = |text: &str| {
            varies |= words_with_rest(text).any(|(word, rest)| {
                let name = Symbol::intern(word);
                self.name_varies(name) && (!is_class(self.view.unit, name) || names_a_member(rest))
            });
        };
        list.iter().for_each(|argument| argument.each_unresolved(&mut look));
        varies
    }

    fn name_varies(&self, name: Symbol) -> bool {
        let mut known = self.varying.borrow_mut();
        *known.entry(name).or_insert_with(|| varies_for_types(self.view.unit, name))
    }

    /// Instantiates a kernel template, and follows its body.
    pub(in crate::facts) fn instantiate_kernel(
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
        self.note_found(Instantiation {
            declared: entity.decl.at,
            key: list_text(list, Spelling::Canonical),
            resolved: resolved(list),
            shown: format!("{name}<{}>", self.shown_list(&entity.decl, list, inner)),
            kernel: name,
            variable: false,
            sure: list.iter().all(TemplateArgument::is_sure) && !view.is_unsettled(),
            varies: self.may_vary(list),
            site: mention.at,
            root: self.context.root.unwrap_or(mention.at),
            call: self.context.call.unwrap_or(mention.at),
            parameters,
            trace: view.varying(view.trace()),
            ordinary_before: list.iter().filter_map(ordinary_before).collect(),
        });
        // A kernel's own body may launch others and instantiate templates that do.
        let key = format!("{}@{:?}", self.found[self.found.len() - 1].shown, entity.decl.at);
        if self.enter(key, &entity.decl, list) {
            self.follow_definition(entity, function, list);
            self.history.leave();
        }
    }
}

/// The identifiers and numbers of a text, each with the text behind it.
fn words_with_rest(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = &rest[rest.find(is_word)?..];
        let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        let (word, behind) = rest.split_at(end);
        rest = behind;
        Some((word, behind))
    })
}

/// Whether `::` follows, behind template arguments if there are any: what a class is named does not depend on what is in
/// it, but its members do.
fn names_a_member(rest: &str) -> bool {
    let mut depth = 0_i32;
    for (at, c) in rest.char_indices() {
        match c {
            '<' => depth += 1,
            '>' => depth -= 1,
            _ if depth == 0 => return rest[at..].starts_with("::"),
            _ => {}
        }
    }
    false
}

/// Whether an entity is a member of a class template specialization.
fn in_template(entity: &Entity) -> bool {
    entity.owner.as_ref().is_some_and(|owner| owner.is_templated())
}

/// Whether a mention is a template's name alone, whose template arguments depend on the type to which its address is
/// converted ([over.over]).
fn is_open(mention: &Mention, entity: &Entity) -> bool {
    let parameters = entity.decl.templates.last().map_or(&[][..], |head| &head.parameters);
    mention.path.last().arguments.is_none() && parameters.iter().any(|one| one.default.is_none() && !one.pack)
}

/// The number of ordinary lambdas before the extended lambda that an argument is.
fn ordinary_before(argument: &TemplateArgument) -> Option<usize> {
    let TemplateArgument::Type(ty) = argument else { return None };
    class_in(ty)?.lambda().map(|closure| closure.ordinary_before)
}

/// The canonical text of each template argument that is resolved.
fn resolved(list: &[TemplateArgument]) -> Vec<Option<String>> {
    list.iter().map(|one| one.is_sure().then(|| one.text(Spelling::Canonical))).collect()
}
