//! Mentions resolved: to functions, to the call operator of an object, to the alternatives of `std::visit`.

use std::rc::Rc;

use crate::source::{Span, Symbol};

use super::destruction::is_factory;
use super::walk::Walk;
use crate::facts::lower::ast::*;
use crate::facts::meaning::deduce::Call;
use crate::facts::meaning::overload::differ_in_qualifiers;
use crate::facts::meaning::types::{Bindings, Env, Instance, TemplateArgument, Ty, Value};
use crate::facts::meaning::typing::is_namespace_function;
use crate::facts::meaning::view::{Entity, LookupResult};
use crate::facts::model::BlindSpotCause;

/// Whether a name is that of a function of the library that calls its arguments.
fn is_std_call(name: Symbol) -> bool {
    matches!(name.as_str(), "visit" | "invoke" | "apply")
}

/// Whether a type is that of a function, or of a pointer to one.
fn is_function(ty: &Ty) -> bool {
    match ty.without_cvref() {
        Ty::Pointer(to) => matches!(to.without_cvref(), Ty::Function(..)),
        own => matches!(own, Ty::Function(..)),
    }
}

/// How many combinations of alternatives of `std::visit` are followed: more than anybody compiles.
const ALTERNATIVES_LIMIT: usize = 4096;

impl Walk<'_> {
    /// Whether what a relevant mention names may be relevant, told by name lookup alone: overload resolution costs most of
    /// all that a walk does. Of members that have a relevant name, those of other classes than the relevant ones are not; of
    /// functions that have none, their calls are not.
    pub(super) fn may_name_relevant(&mut self, mention: &Mention, env: &Env) -> bool {
        let (view, name) = (self.view, mention.path.last().name);
        let relevance = self.relevance();
        if !relevance.depends_on_what_is_named(mention, env) || is_factory(name) || is_std_call(name) {
            return true;
        }
        let (may_be, unsettled) = view.apart(|| {
            let hit = match &mention.receiver {
                Some((_, true)) if relevance.has_operator(Symbol::intern("->")) => return true,
                Some((object, arrow)) => match view.object_class(object, *arrow, env) {
                    Some(class) if relevance.operates() && relevance.class_has_relevant_objects(&class) => {
                        return true;
                    }
                    Some(class) => self.named_member(&class, &mention.path, env),
                    None => return true,
                },
                None => view.lookup(&mention.path, env),
            };
            self.hit_may_be_relevant(name, &hit) || self.may_call_relevant_object(mention, &hit, env)
        });
        if !may_be && !unsettled {
            self.note_seen(mention.at);
        }
        may_be || unsettled
    }

    /// Whether what lookup found may be relevant by itself.
    fn hit_may_be_relevant(&self, name: Symbol, hit: &LookupResult) -> bool {
        let is_function_or_variable =
            |one: &Entity| matches!(one.decl.kind, DeclBody::Function(_) | DeclBody::Variable(_));
        match hit {
            LookupResult::Entities(all) if all.iter().all(is_function_or_variable) => {
                all.iter().any(|one| self.relevance().entity_is_relevant(name, one))
            }
            LookupResult::Parameter(_) => false,
            _ => true,
        }
    }

    /// Whether a mention may call an object whose call operator is relevant.
    fn may_call_relevant_object(&self, mention: &Mention, hit: &LookupResult, env: &Env) -> bool {
        let is_function = |one: &Entity| matches!(one.decl.kind, DeclBody::Function(_));
        if mention.arguments.is_none()
            || matches!(hit, LookupResult::Entities(all) if all.iter().all(is_function))
        {
            return false;
        }
        let operator = self.relevance().call_operator;
        let class = self.called_object(mention, hit, env);
        class.is_none_or(|class| {
            self.hit_may_be_relevant(operator, &self.view.lookup_member(&class, operator))
        })
    }

    /// Resolves a mention by name look-up, and follows what it denotes.
    pub(in crate::facts) fn resolve(&mut self, mention: &Mention, env: &Env) {
        self.note_seen(mention.at);
        let receiver = mention.receiver.iter().map(|(object, _)| object);
        for expr in receiver.chain(mention.arguments.iter().flat_map(|list| list.iter())) {
            self.follow_named_members(expr, env, mention.at);
        }
        self.follow_named_arguments(&mention.path, env, mention.at);
        // Only the mention itself is an explicit instantiation, not those in the bodies that it instantiates.
        let explicit = self.context.explicit.take();
        if mention.role == Role::InstantiatedClass {
            if let Ty::Class(class) = self.view.named_type(&mention.path, env) {
                self.instantiate_class_explicitly(&class, explicit);
            }
            return;
        }
        if mention.role == Role::Deleted {
            return self.follow_delete(mention, env);
        }
        if self.follow_std_call(mention, env) {
            return;
        }
        if self.follow_destructor(mention, env) {
            return;
        }
        self.follow_library_factory(mention, env);
        let hit = match &mention.receiver {
            Some((object, true)) if self.relevance().has_operator(Symbol::intern("->")) => {
                self.follow_operator(Symbol::intern("->"), &[object], env, mention.at);
                match self.view.object_class(object, true, env) {
                    Some(class) => self.named_member(&class, &mention.path, env),
                    None => return self.leave_unsettled(mention, BlindSpotCause::UnknownObject),
                }
            }
            Some((object, arrow)) => match self.view.object_class(object, *arrow, env) {
                Some(class) => self.named_member(&class, &mention.path, env),
                // A call by a pointer to a function.
                None if self.view.type_of(object, env).is_some_and(|ty| is_function(&ty)) => return,
                None => return self.leave_unsettled(mention, BlindSpotCause::UnknownObject),
            },
            None => self.with_associated_functions(mention, self.view.lookup(&mention.path, env), env),
        };
        let called = self.called_object(mention, &hit, env);
        if let (Some(_), LookupResult::Entities(entities)) = (&called, &hit)
            && entities.first().is_some_and(|one| one.decl.specifiers.is_static || one.owner.is_none())
        {
            self.follow_constant(mention, entities, env);
        }
        let operator = self.relevance().call_operator;
        let hit = match &called {
            Some(class) => self.view.lookup_member(class, operator),
            None => hit,
        };
        let of_object = match &hit {
            LookupResult::Entities(entities) if called.is_some() => {
                let is_told_apart = mention.receiver.is_none() && differ_in_qualifiers(entities);
                let object = is_told_apart.then(|| (Expr::Name(mention.path.clone()), false));
                // Template arguments are those of the variable.
                let path = mention.path.last().arguments.is_some().then(|| Path::plain(operator));
                (object.is_some() || path.is_some()).then(|| Mention {
                    receiver: object.or_else(|| mention.receiver.clone()),
                    path: path.unwrap_or_else(|| mention.path.clone()),
                    ..mention.clone()
                })
            }
            _ => None,
        };
        let mention = of_object.as_ref().unwrap_or(mention);
        match hit {
            LookupResult::Entities(entities) => self.follow_functions(mention, &entities, env, explicit),
            LookupResult::TemplateArgument(TemplateArgument::Type(ty)) => self.create(&ty, mention, env),
            LookupResult::Class(class) if mention.signature.is_some() => {
                let constructors = self.view.constructors(&class);
                self.follow_functions(mention, &constructors, env, explicit);
            }
            // The template's own name, or with template arguments another specialization.
            LookupResult::Class(class) => match mention.path.last().arguments {
                Some(_) => self.create(&self.view.named_type(&mention.path, env), mention, env),
                None => self.create(&Ty::Class(class), mention, env),
            },
            LookupResult::TemplateArgument(TemplateArgument::Template(_)) => {
                self.create(&self.view.named_type(&mention.path, env), mention, env);
            }
            LookupResult::Nothing => self.leave_unsettled(mention, BlindSpotCause::Undeclared),
            LookupResult::TemplateArgument(TemplateArgument::Value(value)) => {
                self.follow_function_value(mention, &value, env);
            }
            LookupResult::TemplateArgument(_) | LookupResult::Parameter(_) | LookupResult::Namespace(_) => {}
        }
    }

    /// Follows the function template specialization that a template argument is.
    fn follow_function_value(&mut self, mention: &Mention, value: &Value, env: &Env) {
        let Some((entities, given)) = self.view.function_of_value(value) else { return };
        let named = Segment { name: mention.path.last().name, arguments: Some(Vec::new()) };
        let path = Path { global: false, elaborated: false, segments: vec![named] };
        let chosen = self.templates_named(&entities, &path, &given, &Call::none(env));
        for (entity, function, deduced) in chosen {
            self.instantiate_function(mention, entity, function, deduced, None);
        }
    }

    /// What the name behind `.` or `->` denotes, which a base class may qualify: looked up in the class of the object, and
    /// else where the expression stands ([basic.lookup.classref]/4).
    fn named_member(&self, class: &Rc<Instance>, path: &Path, env: &Env) -> LookupResult {
        let (last, scope) = path.whole().split_scope();
        if let Some(scope) = scope {
            for env in [&class.env.inside(class.clone()), env] {
                if let Ty::Class(base) = self.view.type_of_part(scope, env) {
                    return self.view.lookup_member(&base, last.name);
                }
            }
        }
        self.view.lookup_member(class, last.name)
    }

    /// Follows an explicit call of a destructor, `p->~T()` ([class.dtor]/15). Tells whether it is one.
    fn follow_destructor(&mut self, mention: &Mention, env: &Env) -> bool {
        let Some((object, arrow)) = &mention.receiver else { return false };
        if !mention.path.last().name.as_str().starts_with('~') {
            return false;
        }
        if let Some(class) = self.view.object_class(object, *arrow, env) {
            self.destroy_object(&class, mention.at);
        }
        true
    }

    /// The class of the object that a call names, if it names no function ([over.call.object]).
    pub(in crate::facts) fn called_object(
        &self,
        mention: &Mention,
        hit: &LookupResult,
        env: &Env,
    ) -> Option<Rc<Instance>> {
        mention.arguments.as_ref()?;
        let is_object = match hit {
            LookupResult::Parameter(_) => true,
            LookupResult::Entities(entities) => matches!(entities.first()?.decl.kind, DeclBody::Variable(_)),
            _ => false,
        };
        if !is_object {
            return None;
        }
        let object = match &mention.receiver {
            Some((object, arrow)) => {
                Expr::Member(Box::new(object.clone()), *arrow, mention.path.last().clone())
            }
            None => Expr::Name(mention.path.clone()),
        };
        self.view.object_class(&object, false, env)
    }

    /// The functions that a call names, and those that argument-dependent look-up adds ([basic.lookup.argdep]/3).
    pub(in crate::facts) fn with_associated_functions(
        &self,
        mention: &Mention,
        hit: LookupResult,
        env: &Env,
    ) -> LookupResult {
        let Some(arguments) = mention.arguments.as_deref() else { return hit };
        let name = mention.path.last().name;
        let relevance = self.relevance();
        let is_relevant = relevance.has(name) || relevance.operates();
        if mention.path.segments.len() > 1 || mention.path.global || !is_relevant {
            return hit;
        }
        let found = match &hit {
            LookupResult::Nothing => Rc::default(),
            LookupResult::Entities(found) if found.iter().all(is_namespace_function) => found.clone(),
            _ => return hit,
        };
        let call = Call::new(self.view, arguments, env);
        let functions = match mention.role {
            Role::InParentheses => self.view.declared_before_call(name, found, &call),
            _ => self.view.called(name, found, &call),
        };
        // The program is valid: where none is left, it is the reckoning that is wrong.
        if functions.is_empty() { hit } else { LookupResult::Entities(functions) }
    }

    /// Follows a call of an object with arguments of these types, which a conversion to a pointer to function or code of the
    /// library makes.
    pub(in crate::facts) fn call_object(&mut self, class: &Rc<Instance>, types: &[Ty], at: Span) {
        let operator = self.relevance().call_operator;
        let LookupResult::Entities(entities) = self.view.lookup_member(class, operator) else { return };
        let name = |number: usize| Symbol::intern(&format!("argument:{number}"));
        let named = types.iter().enumerate().map(|(number, ty)| (name(number), ty.clone())).collect();
        let arguments = (0..types.len()).map(|number| Expr::Name(Path::plain(name(number)))).collect();
        let env = class.env.with_parameters(named);
        let mention = Mention::call(operator, arguments, at);
        self.follow_functions(&mention, &entities, &env, None);
    }

    /// Follows a call of `std::visit`, `std::invoke` or `std::apply`. Tells whether it is such a call.
    fn follow_std_call(&mut self, mention: &Mention, env: &Env) -> bool {
        let name = mention.path.last().name;
        if !is_std_call(name) || mention.receiver.is_some() {
            return false;
        }
        // A function of that name may be the program's own, found by the arguments alone. The library's may be in a header
        // that was not found.
        let in_std = |one: &Entity| self.view.qualified_name(one).split("::").any(|part| part == "std");
        match self.with_associated_functions(mention, self.view.lookup(&mention.path, env), env) {
            LookupResult::Nothing => {}
            LookupResult::Entities(found) if found.iter().all(in_std) => {}
            _ => return false,
        }
        match name.as_str() {
            "visit" => self.follow_std_visit(mention, env),
            _ => self.follow_std_invoke(mention, env),
        }
    }

    /// Follows a call of `std::invoke` or `std::apply` with an object as the call of the object: the library itself calls
    /// it through tuples of its own. Tells whether it is such a call.
    fn follow_std_invoke(&mut self, mention: &Mention, env: &Env) -> bool {
        let Some([object, rest @ ..]) = mention.arguments.as_deref() else { return false };
        let is_tuple = mention.path.last().name.as_str() == "apply";
        let Some(Ty::Class(_)) = self.view.type_of(object, env).as_ref().map(Ty::without_cvref) else {
            return false;
        };
        let mut call = Mention {
            path: Path::plain(self.relevance().call_operator),
            receiver: Some((object.clone(), false)),
            arguments: Some(rest.into()),
            role: Role::Named,
            ..mention.clone()
        };
        if !is_tuple {
            self.resolve(&call, env);
            return true;
        }
        let [tuple] = rest else { return false };
        let Some(class) = self.view.object_class(tuple, false, env) else { return false };
        let [TemplateArgument::Pack(elements)] = class.arguments.as_slice() else { return false };
        let name = |number: usize| Symbol::intern(&format!("element:{number}"));
        let elements: Bindings =
            elements.iter().enumerate().map(|(number, one)| (name(number), one.clone())).collect();
        call.arguments =
            Some((0..elements.len()).map(|number| Expr::Name(Path::plain(name(number)))).collect());
        self.resolve(&call, &env.with_bindings(elements));
        true
    }

    /// Follows a call of `std::visit` as one call of the visitor for each combination of alternatives
    /// ([variant.visit]): the library itself calls it through tables of function pointers. Tells whether it is such a
    /// call.
    fn follow_std_visit(&mut self, mention: &Mention, env: &Env) -> bool {
        let Some([visitor, variants @ ..]) = mention.arguments.as_deref() else { return false };
        let lists: Option<Vec<Vec<Ty>>> =
            variants.iter().map(|variant| self.view.alternatives(variant, env)).collect();
        let Some(lists) = lists.filter(|lists| !lists.is_empty()) else { return false };
        let name = |number: usize| Symbol::intern(&format!("alternative:{number}"));
        let count = lists.iter().map(Vec::len).product();
        if count > ALTERNATIVES_LIMIT {
            self.incomplete = true;
            self.history.log.keep_from_others();
            return true;
        }
        for number in 0..count {
            let mut rest = number;
            let mut bindings = Bindings::new();
            for (position, list) in lists.iter().enumerate() {
                bindings.push((name(position), TemplateArgument::Type(list[rest % list.len()].clone())));
                rest /= list.len();
            }
            let arguments = (0..lists.len()).map(|position| Expr::Name(Path::plain(name(position))));
            let call = Mention {
                path: Path::plain(self.relevance().call_operator),
                receiver: Some((visitor.clone(), false)),
                arguments: Some(arguments.collect()),
                ..mention.clone()
            };
            self.resolve(&call, &env.with_bindings(bindings));
        }
        true
    }
}
