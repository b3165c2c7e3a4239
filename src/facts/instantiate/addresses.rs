//! Addresses of function templates that are named without arguments: the type that they are converted to chooses an
//! instantiation ([over.over]).
//!
//! In: an expression and the type that it initializes. Out: the mentions of instantiations that the names in it are.

use std::rc::Rc;

use crate::source::{Span, sym};

use super::walk::Walk;
use crate::facts::lower::ast::*;
use crate::facts::meaning::aggregate::{data_members, is_designated};
use crate::facts::meaning::deduce::Call;
use crate::facts::meaning::types::{Bindings, Env, Instance, Spelling, TemplateArgument, Ty};
use crate::facts::meaning::view::{Entity, LookupResult};

/// Class templates of the library that are made of a list of their first argument's type, and of pairs of their first
/// two arguments' types.
const SEQUENCES: [&str; 5] = ["vector", "initializer_list", "list", "deque", "set"];
const MAPS: [&str; 2] = ["map", "unordered_map"];

impl Walk<'_> {
    /// Follows a variable's initializer.
    pub(in crate::facts) fn initialized(&mut self, variable: &Variable, env: &Env, at: Span) {
        let Some(initializer) = &variable.initializer else { return };
        if self.relevance.expr_may_lead(initializer)
            && let Some(ty) = self.view.type_of_variable(variable, env)
        {
            self.address(initializer, &ty, env, at);
        }
    }

    /// Follows the names of function templates in what initializes an object of type `target`.
    pub(in crate::facts) fn address(&mut self, expr: &Expr, target: &Ty, env: &Env, at: Span) {
        match expr {
            Expr::Unary(sym::AMP, inner) if matches!(inner.as_ref(), Expr::Name(_)) => {
                self.address(inner, target, env, at);
            }
            Expr::Name(path) if path.last().arguments.is_none() && self.relevance.has(path.last().name) => {
                self.address_of(path, target, env, at);
            }
            Expr::Conditional(_, then, otherwise) => {
                self.address(then, target, env, at);
                self.address(otherwise, target, env, at);
            }
            Expr::List(values) if values.iter().any(|one| self.relevance.expr_may_lead(one)) => {
                self.listed(values, target, env, at);
            }
            Expr::Construct(ty, values) if values.iter().any(|one| self.relevance.expr_may_lead(one)) => {
                let ty = self.view.ty(ty, env);
                self.listed(values, &ty, env, at);
            }
            _ => {}
        }
    }

    /// The same for the elements of a braced list ([dcl.init.list]).
    fn listed(&mut self, values: &[Expr], target: &Ty, env: &Env, at: Span) {
        match (target.bare(), values) {
            (Ty::Array(of, _), _) => values.iter().for_each(|one| self.address(one, of, env, at)),
            (Ty::Class(class), _) => self.listed_in_class(values, &class.clone(), env, at),
            (_, [only]) => self.address(only, target, env, at),
            _ => {}
        }
    }

    fn listed_in_class(&mut self, values: &[Expr], class: &Rc<Instance>, env: &Env, at: Span) {
        let library =
            class.name.contains("std::").then(|| class.name.rsplit("::").next().unwrap_or_default());
        match (library, class.arguments.as_slice()) {
            (Some(name), [TemplateArgument::Type(element), ..]) if SEQUENCES.contains(&name) => {
                let element = element.clone();
                values.iter().for_each(|one| self.address(one, &element, env, at));
                return;
            }
            (Some(name), [_, TemplateArgument::Type(mapped), ..]) if MAPS.contains(&name) => {
                let mapped = mapped.clone();
                for pair in values {
                    if let Expr::List(pair) = pair
                        && let [_, value] = pair.as_slice()
                    {
                        self.address(value, &mapped, env, at);
                    }
                }
                return;
            }
            _ => {}
        }
        let Some(members) = data_members(class) else {
            return self.constructed(class, values, env, at);
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
            values.iter().for_each(|one| self.address(one, of, env, at));
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
                self.address(value, &ty.clone(), env, at);
            }
        }
    }

    /// Follows the constructor that arguments choose, if it is a template, and the names of function templates among
    /// them.
    pub(in crate::facts) fn constructed(
        &mut self,
        class: &Rc<Instance>,
        values: &[Expr],
        env: &Env,
        at: Span,
    ) {
        let Some(decl) = class.decl.clone() else { return };
        let constructors = self.view.constructors(class);
        if !constructors.is_empty() {
            let mention = Mention {
                path: Path::plain(decl.name),
                receiver: None,
                arguments: Some(values.into()),
                signature: None,
                whole_class: false,
                at,
            };
            self.functions(&mention, &constructors, env, None);
        }
    }

    /// The names of function templates among a call's arguments take the types of the parameters.
    pub(in crate::facts) fn given(&mut self, mention: &Mention, function: &Function, inner: &Env, env: &Env) {
        let Some(arguments) = &mention.arguments else { return };
        for (parameter, argument) in function.parameters.iter().zip(arguments.iter()) {
            if matches!(parameter.ty, Type::Pack(_)) {
                break;
            }
            let converts = self.relevance.type_may_lead(&parameter.ty);
            if converts || self.relevance.expr_may_lead(argument) {
                let ty = self.view.ty(&parameter.ty, inner);
                self.address(argument, &ty, env, mention.at);
                if converts {
                    self.converted(argument, &ty, env, mention.at);
                }
            }
        }
    }

    /// Follows the constructor that makes an object of what is given in its place ([class.conv.ctor]).
    fn converted(&mut self, given: &Expr, target: &Ty, env: &Env, at: Span) {
        let Ty::Class(class) = target.bare() else { return };
        let is_one = |ty: &Ty| matches!(ty.bare(), Ty::Class(from) if from.name == class.name);
        match self.view.type_of(given, env) {
            Some(actual) if !is_one(&actual) && !self.view.is_derived(&actual, class) => {
                self.object(target);
                self.constructed(class, std::slice::from_ref(given), env, at);
            }
            _ => {}
        }
    }

    fn address_of(&mut self, path: &Path, target: &Ty, env: &Env, at: Span) {
        let target = match target.bare() {
            Ty::Pointer(to) => to.bare().clone(),
            other => other.clone(),
        };
        let Ty::Function(_, expected) = &target else { return };
        let LookupResult::Entities(entities) = self.view.hit(path, env) else { return };
        let Some((entity, list)) = self.of_type(&entities, expected) else { return };
        let DeclBody::Function(function) = &entity.decl.kind else { return };
        let call = Call::none(env);
        let deduced = self.view.deduce(entity, function, list, &call);
        let mention = Mention {
            path: path.clone(),
            receiver: None,
            arguments: None,
            signature: None,
            whole_class: false,
            at,
        };
        self.chosen(&mention, entity, function, deduced, None);
    }

    /// The function template that has an instantiation with these parameters, and its arguments.
    fn of_type<'e>(
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
            let fits = function.parameters.iter().zip(expected).all(|(parameter, actual)| {
                self.view.unify(&parameter.ty, &entity.env, parameters, actual, &mut found)
            });
            let inner = entity.env.with_bindings(found.clone());
            let same = |(parameter, actual): (&Parameter, &Ty)| {
                let ty = self.view.parameter_ty(&parameter.ty, &inner);
                !ty.is_sure()
                    || !actual.is_sure()
                    || ty.text(Spelling::Canonical) == actual.text(Spelling::Canonical)
            };
            if !fits || !function.parameters.iter().zip(expected).all(same) {
                return None;
            }
            let bound = |one: &TemplateParameter| {
                found.iter().find(|(name, _)| *name == one.name).map(|(_, bound)| bound.clone())
            };
            Some((entity, parameters.iter().map_while(bound).collect()))
        })
    }
}
