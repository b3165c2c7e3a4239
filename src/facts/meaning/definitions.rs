//! Where a function, a variable or a class that is declared in one place is defined in another ([class.mfct],
//! [temp.mem], [namespace.memdef]).
//!
//! In: a declaration that lookup found, and the template arguments that it is instantiated for. Out: the declaration of
//! the same entity that has the body, and where the names in that are looked up. Which of several overloads a
//! definition belongs to is decided by comparing parameter types after substitution; where these are not known, it is not excluded.

use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::answers::Search;
use super::candidates::Deduced;
use super::deduce::Call;
use super::identity::{Identity, TypeList};
use super::specialization::structure;
use super::types::{Bindings, Env, Instance, Spelling, TemplateArgument, Ty};
use super::view::{Entity, LookupResult, View};
use crate::facts::lower::ast::*;
use crate::source::{Symbol, sym};
use crate::variance::{DeclKind, ScopeId};

/// A definition, and where the names in it are looked up.
pub(in crate::facts) struct Definition {
    pub decl: Arc<Decl>,
    pub env: Env,
}

/// Where the definition of a function for some template arguments is.
pub(in crate::facts) enum Defined {
    Here(Definition),
    /// An explicit specialization takes the place of what the template would give ([temp.expl.spec]/1).
    Specialized(Definition),
    /// Another unit has the definition.
    Elsewhere,
}

/// A declaration of a member or of a function that may redeclare another one.
struct Redeclaration {
    decl: Arc<Decl>,
    /// Where the names in it are looked up, with the template parameters of the enclosing classes bound.
    env: Env,
    /// Which of its template heads is its own, and not that of an enclosing class.
    own: Option<usize>,
    /// It is an explicit specialization of a member of a class template specialization.
    specialized: bool,
}

impl Redeclaration {
    fn of(entity: &Entity) -> Redeclaration {
        let own = entity.decl.templates.len().checked_sub(1);
        Redeclaration { decl: entity.decl.clone(), env: entity.env.clone(), own, specialized: false }
    }

    /// Its own template parameters.
    fn parameters(&self) -> &[TemplateParameter] {
        self.own.map_or(&[], |own| &self.decl.templates[own].parameters)
    }

    /// The environment with its own template parameters bound.
    fn bound(&self, arguments: &[TemplateArgument]) -> Env {
        self.env.with_bindings(paired(self.parameters(), arguments))
    }
}

impl View<'_> {
    /// The definition of a function; of a function template for the arguments that are given.
    pub(in crate::facts) fn definition(
        &self,
        entity: &Entity,
        function: &Function,
        arguments: &[TemplateArgument],
    ) -> Defined {
        let mut best: Option<(u32, Definition)> = None;
        for other in self.redeclarations(entity) {
            let DeclBody::Function(body) = &other.decl.kind else { continue };
            if other.own.is_some() && other.decl.is_specialization() {
                if self.specializes(&other, body, entity, function, arguments) {
                    return Defined::Specialized(Definition { decl: other.decl, env: other.env });
                }
                continue;
            }
            let Some(certainty) = self.certainty(entity, function, &other, body, arguments) else { continue };
            if other.specialized && other.own.is_none() {
                return Defined::Specialized(Definition { decl: other.decl, env: other.env });
            }
            let rank = certainty + if other.specialized { 1000 } else { 0 };
            if body.body.is_some() && best.as_ref().is_none_or(|(known, _)| rank > *known) {
                let env = other.bound(arguments);
                best = Some((rank, Definition { decl: other.decl, env }));
            }
        }
        best.map_or(Defined::Elsewhere, |(_, definition)| Defined::Here(definition))
    }

    /// Functions that are no templates with the default arguments of all their declarations ([dcl.fct.default]/4), for a call
    /// with at least `given` arguments; `None` if each that needs some has its own.
    pub(in crate::facts) fn with_all_default_arguments(
        &self,
        entities: &[Entity],
        given: usize,
    ) -> Option<Vec<Entity>> {
        fn plain(entity: &Entity) -> Option<&Function> {
            match &entity.decl.kind {
                DeclBody::Function(function) if entity.decl.templates.is_empty() => Some(function),
                _ => None,
            }
        }
        let functions: Vec<Option<&Function>> = entities.iter().map(plain).collect();
        let has_default = |one: &&Function| one.parameters.iter().any(|one| one.default.is_some());
        if entities.len() < 2 || !functions.iter().flatten().any(has_default) {
            return None;
        }
        // Those of many overloads are compared in pairs: each is resolved once.
        let types: Vec<OnceCell<Rc<TypeList>>> = vec![OnceCell::new(); entities.len()];
        let types_of =
            |number: usize| types[number].get_or_init(|| self.compared_parameters(&entities[number]));
        let mut all: Option<Vec<Entity>> = None;
        for (number, own) in functions.iter().enumerate() {
            let Some(own) = own.filter(|own| own.parameters.len() > given) else { continue };
            let mut merged: Option<Vec<Parameter>> = None;
            for (from, other) in functions.iter().enumerate() {
                let Some(other) = other.filter(|other| gives_defaults(other, own)) else { continue };
                if types_of(from).same(types_of(number)) == Some(true) {
                    let merged = merged.get_or_insert_with(|| own.parameters.clone());
                    for (into, given) in merged.iter_mut().zip(&other.parameters) {
                        if into.default.is_none() && given.default.is_some() {
                            (into.default, into.items) = (given.default.clone(), given.items.clone());
                            into.default_from = Some(entities[from].env.top);
                        }
                    }
                }
            }
            if let Some(parameters) = merged {
                let kind = DeclBody::Function(Function { parameters, ..(*own).clone() });
                let decl = Arc::new(Decl { kind, ..Decl::clone(&entities[number].decl) });
                all.get_or_insert_with(|| entities.to_vec())[number].decl = decl;
            }
        }
        all
    }

    /// The definitions outside its class of a static data member of `class`, for the arguments of a member template;
    /// `None` if it is specialized explicitly.
    pub(in crate::facts) fn static_member_definitions(
        &self,
        class: &Rc<Instance>,
        member: &Decl,
        arguments: &[TemplateArgument],
    ) -> Option<Vec<Definition>> {
        let mut found = Vec::new();
        for other in self.declared_outside(class, member.name) {
            // `template <class T> const int X<T>::size(count());` parses like the declaration of a function.
            let arguments_of = match &other.decl.kind {
                DeclBody::Variable(variable) => variable.arguments.as_ref(),
                DeclBody::Function(function) if function.body.is_none() => function.arguments.as_ref(),
                _ => continue,
            };
            if other.specialized && other.own.is_none() {
                return None;
            }
            if arguments_of.is_none() && other.parameters().is_empty() == member.templates.is_empty() {
                let env = other.bound(arguments);
                found.push(Definition { decl: other.decl, env });
            }
        }
        Some(found)
    }

    /// The declarations of a member class of `owner`, which `inside` are those in the class, with those outside the class: its
    /// definition, and the specializations of a member template. Where it is specialized explicitly for `owner`, those of
    /// its specialization alone ([temp.spec.partial.member]/2).
    pub(super) fn member_classes(&self, owner: &Rc<Instance>, inside: &[&Entity]) -> Vec<Entity> {
        let mut outside = self.declared_outside(owner, inside[0].decl.name);
        outside.retain(|one| matches!(one.decl.kind, DeclBody::Class(_)));
        let specializes = |one: &Redeclaration| {
            one.specialized && matches!(&one.decl.kind, DeclBody::Class(class) if class.arguments.is_none())
        };
        let is_specialized = outside.iter().any(specializes);
        let mut all: Vec<Entity> = Vec::new();
        if !is_specialized {
            all.extend(inside.iter().copied().cloned());
        }
        let meant = outside.into_iter().filter(|one| one.specialized || !is_specialized);
        all.extend(meant.map(|one| Entity {
            top: one.env.top,
            decl: one.decl,
            env: one.env,
            owner: Some(owner.clone()),
        }));
        all
    }

    /// The arguments of `template void f<int>(float *);` and of an explicit specialization, deduced from the types of the
    /// parameters and where these leave some open from the return type ([temp.deduct.decl]).
    pub(in crate::facts) fn arguments_of_signature(
        &self,
        entity: &Entity,
        function: &Function,
        given: Vec<TemplateArgument>,
        types: &[Ty],
        result: impl FnOnce() -> Ty,
    ) -> Deduced {
        let parameters = entity.decl.templates.last().map_or(&[][..], |head| &head.parameters);
        let mut found: Bindings = Vec::new();
        let mut rest = given.into_iter();
        for parameter in parameters {
            let bound = match parameter.pack {
                true => Some(TemplateArgument::Pack(rest.by_ref().collect())),
                false => rest.next(),
            };
            match bound {
                Some(TemplateArgument::Pack(members)) if members.is_empty() => {}
                Some(bound) => found.push((parameter.name, bound)),
                None => break,
            }
        }
        // Whether the types are the same is compared when the parameters are bound.
        for (number, pattern) in function.parameters.iter().enumerate() {
            _ = match (&pattern.ty, types.get(number)) {
                (pattern @ Type::Pack(_), _) => {
                    let (patterns, rest) =
                        (std::slice::from_ref(pattern), types.get(number..).unwrap_or_default());
                    self.unify_types(patterns, &entity.env, parameters, rest, &mut found)
                }
                (pattern, Some(actual)) => self.unify(pattern, &entity.env, parameters, actual, &mut found),
                (_, None) => break,
            };
        }
        let is_bound = |parameter: &TemplateParameter| found.iter().any(|(name, _)| *name == parameter.name);
        if !function.result.is_placeholder() && !parameters.iter().all(is_bound) {
            _ = self.unify(&function.result, &entity.env, parameters, &result(), &mut found);
        }
        let mut list = Vec::new();
        for parameter in parameters {
            match found.iter().find(|(name, _)| *name == parameter.name) {
                Some((_, TemplateArgument::Pack(members))) => list.extend(members.iter().cloned()),
                Some((_, bound)) => list.push(bound.clone()),
                None => break,
            }
        }
        self.deduce(entity, function, list, &Call::none(&entity.env))
    }

    /// Whether the parameters of a function for some template arguments are of the types `types`;
    /// `None` if some of them are not known.
    pub(in crate::facts) fn has_signature(
        &self,
        function: &Function,
        env: &Env,
        types: &[Ty],
    ) -> Option<bool> {
        self.parameters_to_compare(function, env).same(&TypeList::of(types, &self.caches.identities))
    }

    /// The types of a function's parameters, to be compared with others.
    fn parameters_to_compare(&self, function: &Function, env: &Env) -> TypeList {
        let types = self.outside_immediate_context(|| self.parameter_types(function, env));
        TypeList::of(&types, &self.caches.identities)
    }

    /// The same of a declared function, to be asked for repeatedly; no types of what is no function.
    pub(super) fn compared_parameters(&self, entity: &Entity) -> Rc<TypeList> {
        let DeclBody::Function(function) = &entity.decl.kind else {
            return Rc::new(TypeList::of(&[], &self.caches.identities));
        };
        let (decl, env) = entity.identity();
        let key = (decl, env, Identity::new());
        self.cached(&self.caches.parameter_lists, key, entity, entity.env.alike(), || {
            Rc::new(self.parameters_to_compare(function, &entity.env))
        })
    }

    /// Whether an explicit specialization of a function template is the one for `arguments`.
    fn specializes(
        &self,
        other: &Redeclaration,
        body: &Function,
        entity: &Entity,
        function: &Function,
        arguments: &[TemplateArgument],
    ) -> bool {
        let given = self.template_arguments(body.arguments.as_deref().unwrap_or_default(), &other.env);
        let types = self.parameter_types(body, &other.env);
        let result = || self.ty(&body.result, &self.around_result(body, &other.env));
        let deduced = self.arguments_of_signature(entity, function, given, &types, result);
        let of_list = |list: &[TemplateArgument]| self.caches.identities.of_list(list);
        let same = of_list(&deduced.arguments) == of_list(arguments);
        let inner = entity.env.with_bindings(deduced.bindings);
        same && self.has_signature(function, &inner, &types) != Some(false)
    }

    /// How certain it is that two declarations declare the same function ([over.load], [temp.over.link]), higher is more
    /// certain; `None` if they do not.
    fn certainty(
        &self,
        entity: &Entity,
        function: &Function,
        other: &Redeclaration,
        body: &Function,
        arguments: &[TemplateArgument],
    ) -> Option<u32> {
        if Arc::ptr_eq(&entity.decl, &other.decl) {
            return Some(100);
        }
        let parameters = entity.decl.templates.last().map_or(&[][..], |head| &head.parameters);
        let alike = |(one, two): (&TemplateParameter, &TemplateParameter)| {
            one.type_or_concept.is_some() == two.type_or_concept.is_some()
                && (one.template, one.pack) == (two.template, two.pack)
        };
        if parameters.len() != other.parameters().len()
            || !parameters.iter().zip(other.parameters()).all(alike)
            || function.variadic != body.variadic
            || (function.is_const, function.reference) != (body.is_const, body.reference)
        {
            return None;
        }
        let (own, theirs) = (entity.env.with_bindings(paired(parameters, arguments)), other.bound(arguments));
        let (types, results) = self.outside_immediate_context(|| {
            let results = [(function, &own), (body, &theirs)];
            let results = results.map(|(one, env)| {
                self.ty(&one.result, &self.around_result(one, env)).text(Spelling::Canonical)
            });
            (self.parameter_types(body, &theirs), results)
        });
        let same = self.has_signature(function, &own, &types);
        (same != Some(false)).then(|| u32::from(same.is_some()) * 2 + u32::from(results[0] == results[1]))
    }

    /// The declarations that may be those of the same function.
    fn redeclarations(&self, entity: &Entity) -> Vec<Redeclaration> {
        let own = Redeclaration::of(entity);
        match &entity.owner {
            Some(class) if !entity.decl.specifiers.is_friend => {
                let mut all = vec![own];
                all.extend(self.declared_outside(class, entity.decl.name));
                all
            }
            None if entity.top == usize::MAX => vec![own],
            _ => {
                let mut all = self.declared_in_namespace(entity);
                if !all.iter().any(|other| Arc::ptr_eq(&other.decl, &entity.decl)) {
                    all.push(own);
                }
                all
            }
        }
    }

    /// The declarations of a function's name in its namespace, and those outside whose qualifier names the namespace.
    fn declared_in_namespace(&self, entity: &Entity) -> Vec<Redeclaration> {
        let (scope, name) = (entity.env.scope, entity.decl.name);
        let visible = &self.unit.found_in[scope.0 as usize];
        let mut all = Vec::new();
        if let LookupResult::Entities(entities) = self.lookup_in_namespace(self.unit.namespace(scope), name) {
            let in_it = |one: &&Entity| {
                let theirs = self.unit.namespace(one.env.scope);
                one.owner.is_none() && theirs == self.unit.namespace(scope)
            };
            all.extend(entities.iter().filter(in_it).map(Redeclaration::of));
        }
        let tops = self.qualified_around(scope, name);
        self.see_candidates(|| self.search_around(scope), name, &tops);
        for top in tops {
            for decl in self.lowered(top).iter() {
                let Some(qualifier) = decl.qualifier.as_ref().filter(|_| decl.name == name) else { continue };
                let around = Env::of_top(self.unit, top);
                let LookupResult::Namespace(namespaces) = self.lookup(qualifier, &around) else { continue };
                let Some(scope) = namespaces
                    .iter()
                    .find(|namespace| visible.contains(namespace))
                    .and_then(|namespace| self.unit.scope_of(*namespace))
                else {
                    continue;
                };
                self.depend_on(top);
                let own = decl.templates.len().checked_sub(1);
                let env = Env::namespace(scope).at(top);
                all.push(Redeclaration { decl: decl.clone(), env, own, specialized: false });
            }
        }
        all
    }

    /// The top-level declarations of a name that may be qualified by the namespace of a scope.
    pub(super) fn qualified_around(&self, scope: ScopeId, name: Symbol) -> Vec<usize> {
        let last = |namespace: &Symbol| {
            let text = namespace.as_str();
            Symbol::intern(text.rsplit("::").next().unwrap_or(text))
        };
        let words: FxHashSet<Symbol> = self.unit.found_in[scope.0 as usize].iter().map(last).collect();
        let may_be = |top: &usize| {
            let declaration = &self.unit.variance.declarations[*top];
            let qualifiers = &declaration.names[declaration.declared..];
            let global = words.contains(&sym::EMPTY) && self.unit.is_qualified(*top);
            (global || qualifiers.iter().any(|qualifier| words.contains(qualifier))) && self.has(*top)
        };
        self.unit.declaring(name).iter().copied().filter(may_be).collect()
    }

    /// The top-level declarations of a name that may be qualified by a class of the name `own`.
    pub(super) fn qualified_by(&self, own: Symbol, name: Symbol) -> Vec<usize> {
        let is_it = |name: &Symbol| *name == own || self.is_alias(*name);
        let may_be = |top: &usize| {
            let declaration = &self.unit.variance.declarations[*top];
            declaration.names[declaration.declared..].iter().any(is_it) && self.has(*top)
        };
        self.unit.declaring(name).iter().copied().filter(may_be).collect()
    }

    /// The declarations of a class's members of a name that stand outside the class.
    fn declared_outside(&self, class: &Rc<Instance>, name: Symbol) -> Vec<Redeclaration> {
        let mut found = Vec::new();
        let Some(own) = class.decl.as_ref().map(|decl| decl.name).filter(|_| class.top != usize::MAX) else {
            return found;
        };
        // By tokens the name of a destructor is that of its class.
        let is_destructor = name.as_str().starts_with('~');
        let searched = if is_destructor { own } else { name };
        let tops = self.qualified_by(own, searched);
        self.see_candidates(|| Search::Outside(own), searched, &tops);
        for top in tops {
            for decl in self.lowered(top).iter() {
                let same = decl.name == name
                    || is_destructor && decl.name.as_str().replace(' ', "") == name.as_str().replace(' ', "");
                if same && let Some(one) = self.member_of_class(decl, Env::of_top(self.unit, top), class) {
                    self.depend_on(top);
                    found.push(one);
                }
            }
        }
        found
    }

    /// A declaration with a qualifier as one of a class's members; nothing if the qualifier names another class.
    fn member_of_class(&self, decl: &Arc<Decl>, around: Env, class: &Rc<Instance>) -> Option<Redeclaration> {
        let qualifier = decl.qualifier.as_ref()?;
        let mut classes = vec![class.clone()];
        while let Some(outer) = classes.last().and_then(|class| class.env.class()) {
            classes.push(outer);
        }
        classes.reverse();
        let names = classes.iter().rev().map(|class| class.decl.as_ref().map(|decl| decl.name));
        let are_names =
            qualifier.segments.iter().rev().zip(names).all(|(segment, name)| Some(segment.name) == name);
        if !are_names || qualifier.segments.len() < classes.len() {
            return self.member_of_alias(decl, around, class);
        }
        let (namespace, segments) = qualifier.segments.split_at(qualifier.segments.len() - classes.len());
        let here = match namespace {
            [] if qualifier.global => vec![sym::EMPTY],
            [] => vec![self.unit.namespace(around.scope)],
            _ => {
                let part = PathPart { segments: namespace, ..qualifier.whole() };
                match self.lookup_part(part, &around) {
                    LookupResult::Namespace(all) => all,
                    _ => return None,
                }
            }
        };
        let visible = &self.unit.found_in[classes[0].env.scope.0 as usize];
        if !here.iter().any(|namespace| visible.contains(namespace)) {
            return None;
        }
        let mut env = Env::namespace(classes[0].env.scope).at(around.top);
        let (mut next, mut specialized) = (0, false);
        for (segment, class) in segments.iter().zip(&classes) {
            if let Some(patterns) = &segment.arguments {
                let head = decl.templates.get(next).filter(|head| is_head_of_class(head, patterns));
                let parameters = head.map_or(&[][..], |head| &head.parameters);
                if !is_pattern_of(class, patterns, parameters) {
                    return None;
                }
                let mut bindings = Vec::new();
                // Those that a partial specialization leaves to the default arguments are the class's.
                let is_packed = patterns.iter().any(|pattern| matches!(pattern, Argument::Pack(_)));
                let given = if is_packed || parameters.is_empty() { usize::MAX } else { patterns.len() };
                let arguments = &class.arguments[..class.arguments.len().min(given)];
                if self.match_arguments(patterns, &env, parameters, arguments, &mut bindings).is_ruled_out() {
                    return None;
                }
                next += usize::from(head.is_some());
                specialized |= head.is_some() && parameters.is_empty();
                env = env.with_bindings(bindings);
            }
            env = env.inside(class.clone());
        }
        let own = (next < decl.templates.len()).then(|| decl.templates.len() - 1);
        Some(Redeclaration { decl: decl.clone(), env, own, specialized })
    }

    /// The same where the qualifier is an alias of a class that is no specialization of a template.
    fn member_of_alias(&self, decl: &Arc<Decl>, around: Env, class: &Rc<Instance>) -> Option<Redeclaration> {
        let qualifier = decl.qualifier.as_ref().filter(|path| self.is_alias(path.last().name))?;
        let is_templated = qualifier.segments.iter().any(|segment| segment.arguments.is_some());
        if is_templated || !class.arguments.is_empty() {
            return None;
        }
        let named = self.named_type(qualifier, &around);
        let is_it = matches!(named.unqualified(), Ty::Class(named) if named.name == class.name);
        is_it.then(|| Redeclaration {
            decl: decl.clone(),
            env: class.env.inside(class.clone()).at(around.top),
            own: decl.templates.len().checked_sub(1),
            specialized: false,
        })
    }

    /// Whether a name is one of an alias at namespace scope.
    fn is_alias(&self, name: Symbol) -> bool {
        let declarations = &self.unit.variance.declarations;
        self.unit.declaring(name).iter().any(|top| declarations[*top].kind == DeclKind::Alias)
    }
}

/// Whether a template head is that of a class in a qualifier, and not that of the member: `template <>`, or its parameters
/// are among the class's arguments.
fn is_head_of_class(head: &TemplateHead, patterns: &[Argument]) -> bool {
    let mut names = Vec::new();
    for pattern in patterns {
        match pattern {
            Argument::Pack(inner) => inner.names(&mut names),
            other => other.names(&mut names),
        }
    }
    head.parameters.is_empty() || head.parameters.iter().any(|parameter| names.contains(&parameter.name))
}

/// Whether the arguments in a qualifier are those of the declaration that a class comes from: of its primary template, of
/// its partial specialization, or the class's own.
fn is_pattern_of(class: &Instance, patterns: &[Argument], parameters: &[TemplateParameter]) -> bool {
    let Some(decl) = &class.decl else { return false };
    let DeclBody::Class(definition) = &decl.kind else { return false };
    if parameters.is_empty() {
        return true;
    }
    let is_parameter = |pattern: &Argument| {
        let pattern = match pattern {
            Argument::Pack(inner) => inner.as_ref(),
            other => other,
        };
        let (Argument::Type(Type::Named(path)) | Argument::Value(Expr::Name(path))) = pattern else {
            return false;
        };
        path.segments.len() == 1
            && path.last().arguments.is_none()
            && parameters.iter().any(|parameter| parameter.name == path.last().name)
    };
    let primary = patterns.iter().all(is_parameter);
    match &definition.arguments {
        None => primary,
        Some(own) => {
            let open = decl.templates.last().map_or(&[][..], |head| &head.parameters);
            structure(own, open) == structure(patterns, parameters)
        }
    }
}

/// Template parameters with the arguments that stand for them, in order.
fn paired(parameters: &[TemplateParameter], arguments: &[TemplateArgument]) -> Bindings {
    parameters.iter().zip(arguments).map(|(parameter, bound)| (parameter.name, bound.clone())).collect()
}

/// Whether a declaration of a function has default arguments that another one lacks, if both declare the same.
fn gives_defaults(from: &Function, to: &Function) -> bool {
    let is_pack = |one: &Parameter| matches!(one.ty, Type::Pack(_));
    let mut pairs = from.parameters.iter().zip(&to.parameters);
    pairs.any(|(from, to)| from.default.is_some() && to.default.is_none())
        && (from.parameters.len() == to.parameters.len()
            || from.parameters.iter().chain(&to.parameters).any(is_pack))
}
