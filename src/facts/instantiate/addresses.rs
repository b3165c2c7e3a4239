//! Addresses of function templates that are named without template arguments: the type to which the address is
//! converted chooses the specialization ([over.over]).
//!
//! In: an expression and the type of the object that it initializes. Out: the instantiations that names in it cause.

use std::rc::Rc;

use crate::source::{Span, sym};

use super::walk::Walk;
use crate::facts::lower::ast::*;
use crate::facts::meaning::aggregate::{data_members, is_designated};
use crate::facts::meaning::deduce::Call;
use crate::facts::meaning::types::{Bindings, Env, Instance, Spelling, TemplateArgument, Ty};
use crate::facts::meaning::viability::Viability;
use crate::facts::meaning::view::{Entity, LookupResult};

/// Class templates of the library that can be initialized with a list of elements of their first template argument, and
/// those that can be with a list of pairs of their first two.
const SEQUENCES: [&str; 5] = ["vector", "initializer_list", "list", "deque", "set"];
const MAPS: [&str; 2] = ["map", "unordered_map"];

impl Walk<'_> {
    /// Follows the names of function templates in a variable's initializer.
    pub(in crate::facts) fn follow_initializer(&mut self, variable: &Variable, env: &Env, at: Span) {
        let Some(initializer) = &variable.initializer else { return };
        if (self.relevance.converts() || self.relevance.expr_is_relevant(initializer))
            && let Some(ty) = self.view.type_of_variable(variable, env)
        {
            self.follow_address(initializer, &ty, env, at);
            self.follow_conversion_function(initializer, &ty, env, at);
        }
    }

    /// Follows the names of function templates in an expression that initializes an object of type `target`.
    pub(in crate::facts) fn follow_address(&mut self, expr: &Expr, target: &Ty, env: &Env, at: Span) {
        match expr {
            Expr::Unary(sym::AMP, inner) if matches!(inner.as_ref(), Expr::Name(_)) => {
                self.follow_address(inner, target, env, at);
            }
            Expr::Name(path) if path.last().arguments.is_none() && self.relevance.has(path.last().name) => {
                self.resolve_address(path, target, env, at);
            }
            Expr::Conditional(_, then, otherwise) => {
                self.follow_address(then, target, env, at);
                self.follow_address(otherwise, target, env, at);
            }
            Expr::List(values) if values.iter().any(|one| self.relevance.expr_is_relevant(one)) => {
                self.follow_list(values, target, env, at);
            }
            Expr::Construct(ty, values) if values.iter().any(|one| self.relevance.expr_is_relevant(one)) => {
                let ty = self.view.ty(ty, env);
                self.follow_list(values, &ty, env, at);
            }
            _ => {}
        }
    }

    /// The same for the elements of a braced initializer list ([dcl.init.list]).
    fn follow_list(&mut self, values: &[Expr], target: &Ty, env: &Env, at: Span) {
        match (target.without_cvref(), values) {
            (Ty::Array(of, _), _) => values.iter().for_each(|one| self.follow_address(one, of, env, at)),
            (Ty::Class(class), _) => self.follow_class_list(values, &class.clone(), env, at),
            (_, [only]) => self.follow_address(only, target, env, at),
            _ => {}
        }
    }

    /// The same for a list that initializes an object of a class: a container of the library, an aggregate, or a class
    /// with constructors.
    fn follow_class_list(&mut self, values: &[Expr], class: &Rc<Instance>, env: &Env, at: Span) {
        let library =
            class.name.contains("std::").then(|| class.name.rsplit("::").next().unwrap_or_default());
        match (library, class.arguments.as_slice()) {
            (Some(name), [TemplateArgument::Type(element), ..]) if SEQUENCES.contains(&name) => {
                let element = element.clone();
                values.iter().for_each(|one| self.follow_address(one, &element, env, at));
                return;
            }
            (Some(name), [_, TemplateArgument::Type(mapped), ..]) if MAPS.contains(&name) => {
                let mapped = mapped.clone();
                for pair in values {
                    if let Expr::List(pair) = pair
                        && let [_, value] = pair.as_slice()
                    {
                        self.follow_address(value, &mapped, env, at);
                    }
                }
                return;
            }
            _ => {}
        }
        let Some(members) = data_members(class) else {
            return self.follow_constructor(class, values, env, at);
        };
        let members: Vec<(crate::source::Symbol, Option<Ty>)> = members
            .iter()
            .map(|member| match &member.kind {
                DeclBody::Variable(variable) => {
                    (member.name, Some(self.view.ty(&variable.ty, &class.env.inside(class.clone()))))
                }
                _ => (member.name, None),
            })
            .collect();
        // The braces round the array of `std::array` may be left out ([dcl.init.aggr]/15).
        if let [(_, Some(Ty::Array(of, _)))] = members.as_slice()
            && !matches!(values, [Expr::List(_)])
        {
            values.iter().for_each(|one| self.follow_address(one, of, env, at));
            return;
        }
        for (number, value) in values.iter().enumerate() {
            let (ty, value) = match value {
                Expr::Binary(sym::ASSIGN, member, value)
                    if is_designated(values.first().unwrap_or(value)) =>
                {
                    let named =
                        |name| matches!(member.as_ref(), Expr::Name(path) if path.last().name == name);
                    (members.iter().find(|(name, _)| named(*name)), value.as_ref())
                }
                other => (members.get(number), other),
            };
            if let Some((_, Some(ty))) = ty {
                self.follow_address(value, &ty.clone(), env, at);
            }
        }
    }

    /// Follows the constructor that overload resolution chooses for arguments, and the names of function templates among
    /// the arguments.
    pub(in crate::facts) fn follow_constructor(
        &mut self,
        class: &Rc<Instance>,
        values: &[Expr],
        env: &Env,
        at: Span,
    ) {
        let Some(decl) = class.decl.clone() else { return };
        let constructors = self.view.constructors(class);
        if constructors.is_empty() {
            return;
        }
        let takes_relevant = |one: &Entity| match &one.decl.kind {
            DeclBody::Function(function) => {
                function.parameters.iter().any(|parameter| self.relevance.type_is_relevant(&parameter.ty))
            }
            _ => false,
        };
        if self.context.may_call_lambda
            || values.iter().any(|value| self.relevance.expr_is_relevant(value))
            || constructors.iter().any(|one| self.is_relevant_constructor(one) || takes_relevant(one))
        {
            let mention = Mention::call(decl.name, values.into(), at);
            self.follow_functions(&mention, &constructors, env, None);
        }
    }

    /// Follows the names of function templates among a call's arguments, which are converted to the parameters' types,
    /// and the constructors that convert them.
    pub(in crate::facts) fn follow_arguments(
        &mut self,
        function: &Function,
        inner: &Env,
        call: &Call<'_>,
        at: Span,
    ) {
        for (number, parameter) in function.parameters.iter().enumerate() {
            let Some((argument, env)) = call.arguments.get(number) else { break };
            if matches!(parameter.ty, Type::Pack(_)) {
                break;
            }
            let may_convert = self.relevance.type_is_relevant(&parameter.ty);
            if may_convert || self.relevance.converts() || self.relevance.expr_is_relevant(argument) {
                let ty = self.view.ty(&parameter.ty, inner);
                self.follow_address(argument, &ty, env, at);
                self.follow_conversion_function(argument, &ty, env, at);
                if may_convert && let Ty::Class(class) = ty.without_cvref() {
                    self.follow_converting_constructor(class, call, number, at);
                }
            }
        }
    }

    /// Follows the specialization that a name denotes where its address is converted to the type `target`.
    fn resolve_address(&mut self, path: &Path, target: &Ty, env: &Env, at: Span) {
        let target = match target.without_cvref() {
            Ty::Pointer(to) => to.without_cvref().clone(),
            other => other.clone(),
        };
        let Ty::Function(_, expected) = &target else { return };
        let LookupResult::Entities(entities) = self.view.lookup(path, env) else { return };
        let Some((entity, list)) = self.template_of_type(&entities, expected) else { return };
        let DeclBody::Function(function) = &entity.decl.kind else { return };
        let call = Call::none(env);
        let deduced = self.view.deduce(entity, function, list, &call);
        let mention = Mention::of(path.clone(), at);
        self.instantiate_function(&mention, entity, function, deduced, None);
    }

    /// The function template with a specialization that has these parameter types, and its template arguments.
    fn template_of_type<'e>(
        &self,
        entities: &'e [Entity],
        expected: &[Ty],
    ) -> Option<(&'e Entity, Vec<TemplateArgument>)> {
        entities.iter().find_map(|entity| {
            let DeclBody::Function(function) = &entity.decl.kind else { return None };
            let parameters = &entity.decl.templates.last()?.parameters;
            if parameters.is_empty() || function.parameters.len() != expected.len() {
                return None;
            }
            let mut found = Bindings::new();
            let pairs = function.parameters.iter().zip(expected);
            let fits = Viability::all(pairs.map(|(parameter, actual)| {
                self.view.unify(&parameter.ty, &entity.env, parameters, actual, &mut found)
            }));
            let inner = entity.env.with_bindings(found.clone());
            let same = |(parameter, actual): (&Parameter, &Ty)| {
                let ty = self.view.parameter_ty(&parameter.ty, &inner);
                !ty.is_sure()
                    || !actual.is_sure()
                    || ty.text(Spelling::Canonical) == actual.text(Spelling::Canonical)
            };
            if fits.is_ruled_out() || !function.parameters.iter().zip(expected).all(same) {
                return None;
            }
            let bound = |one: &TemplateParameter| {
                found.iter().find(|(name, _)| *name == one.name).map(|(_, bound)| bound.clone())
            };
            Some((entity, parameters.iter().map_while(bound).collect()))
        })
    }
}
