//! Addresses of function templates. Of one that is named without template arguments the type to which the address is
//! converted chooses the specialization ([over.over]). One that is a template argument itself, `Launcher<&scale<float>>`, is
//! instantiated wherever the type is written outside a template: its address is a constant there ([basic.def.odr]).
//!
//! In: an expression and the type of the object that it initializes, or a type as written. Out: the instantiations that
//! names in it cause.

use std::rc::Rc;

use crate::source::{Span, sym};

use super::walk::Walk;
use crate::facts::lower::ast::*;
use crate::facts::meaning::deduce::Call;
use crate::facts::meaning::overload::specificity;
use crate::facts::meaning::types::{Env, Instance, TemplateArgument, Ty};
use crate::facts::meaning::viability::Viability;
use crate::facts::meaning::view::{Entity, LookupResult};
use crate::facts::model::BlindSpotCause;

/// How deep initializations of parameters by braced lists may nest: where it can't be told what a list initializes, one
/// constructor may lead to another, and back.
const LIST_NESTING: u32 = 16;

impl Walk<'_> {
    /// Follows the names of function templates in an expression that initializes an object of type `target`.
    pub(in crate::facts) fn follow_address(&mut self, expr: &Expr, target: &Ty, env: &Env, at: Span) {
        match expr {
            Expr::Unary(sym::AMP, inner) if matches!(inner.as_ref(), Expr::Name(_)) => {
                self.follow_address(inner, target, env, at);
            }
            Expr::Name(path) if self.relevance().has(path.last().name) => {
                self.resolve_address(path, target, env, at);
            }
            Expr::Conditional(_, then, otherwise) => {
                self.follow_address(then, target, env, at);
                self.follow_address(otherwise, target, env, at);
            }
            Expr::List(values) => match (target, values.as_slice()) {
                (Ty::Array(of, _), values) => {
                    values.iter().for_each(|one| self.follow_address(one, of, env, at));
                }
                (_, [only]) => self.follow_address(only, target, env, at),
                _ => {}
            },
            Expr::Construct(ty, values) => {
                if let [only] = values.as_slice() {
                    let ty = self.view.ty(ty, env);
                    self.follow_address(only, &ty, env, at);
                }
            }
            _ => {}
        }
    }

    /// Follows the members of class templates that an expression names by themselves: a member function, whose address it
    /// takes, or a static data member, whose initializer its use instantiates ([temp.inst]).
    pub(super) fn follow_named_members(&mut self, expr: &Expr, env: &Env, at: Span) {
        match expr {
            Expr::Name(path) if path.last().arguments.is_none() && self.relevance().has(path.last().name) => {
                if let LookupResult::Entities(entities) = self.view.lookup(path, env) {
                    self.follow_member_by_itself(&entities, &Ty::opaque(""));
                }
            }
            Expr::Cast(ty, inner) if self.relevance().expr_is_relevant(inner) => {
                self.follow_address(inner, &self.view.ty(ty, env), env, at);
                self.follow_named_members(inner, env, at);
            }
            Expr::Unary(_, inner) | Expr::Cast(_, inner) | Expr::Subscript(inner, _) => {
                self.follow_named_members(inner, env, at);
            }
            Expr::Conditional(_, then, otherwise) => {
                [then, otherwise].iter().for_each(|one| self.follow_named_members(one, env, at));
            }
            Expr::List(values) | Expr::Construct(_, values) => {
                values.iter().for_each(|one| self.follow_named_members(one, env, at));
            }
            _ => {}
        }
    }

    /// Follows the members of class templates that are template arguments by themselves: `run<&A::go>()`.
    pub(super) fn follow_named_arguments(&mut self, path: &Path, env: &Env, at: Span) {
        for argument in path.segments.iter().flat_map(|one| one.arguments.iter().flatten()) {
            match argument {
                Argument::Value(expr) => self.follow_named_members(expr, env, at),
                Argument::Type(Type::Named(name)) if name.last().arguments.is_none() => {
                    self.follow_named_members(&Expr::Name(name.clone()), env, at);
                }
                _ => {}
            }
        }
    }

    /// Follows the member of a class template, no template itself, that a name by itself denotes where the type `target` is
    /// expected; of overloaded functions the one of that type ([over.over]). Tells whether there is one.
    fn follow_member_by_itself(&mut self, entities: &[Entity], target: &Ty) -> bool {
        let has_type = |entity: &Entity| match (&entity.decl.kind, target) {
            (DeclBody::Function(function), Ty::Function(_, expected, _)) => {
                let own = self.view.parameter_types(function, &entity.env);
                own.len() == expected.len()
                    && own
                        .iter()
                        .zip(expected)
                        .all(|(own, expected)| !own.is_sure() || !expected.is_sure() || own.is_same(expected))
            }
            _ => false,
        };
        let chosen = match entities {
            [only] => Some(only),
            several => several.iter().find(|one| has_type(one)),
        };
        let Some(entity) = chosen.filter(|one| one.decl.templates.is_empty()) else { return false };
        let Some(owner) = entity.owner.clone().filter(|owner| owner.is_templated()) else { return false };
        match &entity.decl.kind {
            DeclBody::Function(_) => self.follow_member_function(&owner, &entity.decl),
            DeclBody::Variable(_) if entity.decl.specifiers.is_static => {
                self.follow_static_member(&owner, &entity.decl);
            }
            _ => return false,
        }
        true
    }

    /// Follows the template-ids in the initializer of a variable before the names in it are followed: the type gives the
    /// template arguments that they leave out.
    pub(super) fn follow_addressed_initializer(&mut self, variable: &Variable, env: &Env, at: Span) {
        if let Some(initializer) = variable.initializer.as_ref().filter(|one| is_template_id(one))
            && let Some(ty) = self.view.type_of_variable(variable, env)
        {
            self.rooted_at(at, |walk| walk.follow_address(initializer, &ty, env, at));
        }
    }

    /// Whether a target type gave the left-out template arguments of a template-id that is met now; each answers for one.
    pub(super) fn take_addressed(&mut self, path: &Path) -> bool {
        let found = self.context.addressed.iter().position(|one| one == path);
        found.map(|index| self.context.addressed.swap_remove(index)).is_some()
    }

    /// Follows what a call does with its arguments: their conversions to the parameters' types, the objects that are
    /// copied, the names of function templates among them.
    pub(in crate::facts) fn follow_arguments(
        &mut self,
        function: &Function,
        inner: &Env,
        call: &Call<'_>,
        at: Span,
    ) {
        let converts = |(_, env): &(&Expr, Env)| self.relevance().may_use_objects(env);
        let creates = self.relevance().has_special_members() || call.arguments.iter().any(converts);
        for (number, parameter) in function.parameters.iter().enumerate() {
            let Some((argument, env)) = call.arguments.get(number) else { break };
            if matches!(parameter.ty, Type::Pack(_)) {
                break;
            }
            if creates
                || self.relevance().type_is_relevant(&parameter.ty)
                || self.relevance().expr_is_relevant(argument)
            {
                let ty = self.view.ty(&parameter.ty, inner);
                let is_list = matches!(argument, Expr::List(_));
                let is_class = matches!(ty.without_cvref(), Ty::Class(_)) && !is_list;
                if is_class && self.context.converting {
                    continue;
                }
                if is_list && self.context.nested_lists >= LIST_NESTING {
                    if let Ty::Class(class) = ty.without_cvref()
                        && let Some(decl) = &class.decl
                    {
                        self.leave_out(at, decl, BlindSpotCause::WithinItself);
                    }
                    continue;
                }
                let converting = std::mem::replace(&mut self.context.converting, is_class);
                self.context.nested_lists += u32::from(is_list);
                self.initialize_by(&ty, Some(argument), Initialization::Copy, env, at);
                self.context.nested_lists -= u32::from(is_list);
                self.context.converting = converting;
                self.destroy(&ty, at);
            }
        }
    }

    /// Follows the specialization that a name denotes where its address is converted to the type `target`.
    fn resolve_address(&mut self, path: &Path, target: &Ty, env: &Env, at: Span) {
        let LookupResult::Entities(entities) = self.view.lookup(path, env) else { return };
        let target = match target.without_cvref() {
            Ty::Pointer(to) => to.without_cvref().clone(),
            other => other.clone(),
        };
        if path.last().arguments.is_none() && self.follow_member_by_itself(&entities, &target) {
            return;
        }
        let Ty::Function(_, expected, _) = &target else { return };
        let given = path.last().arguments.as_deref().map(|list| self.view.template_arguments(list, env));
        let found = self.template_of_type(&entities, given.as_deref().unwrap_or_default(), expected);
        let Some((entity, list)) = found else { return };
        let DeclBody::Function(function) = &entity.decl.kind else { return };
        if given.is_some() {
            self.context.addressed.push(path.clone());
        }
        let call = Call::none(env);
        let deduced = self.view.deduce(entity, function, list, &call);
        let mention = Mention::of(path.clone(), at);
        self.instantiate_function(&mention, entity, function, deduced, None);
    }

    /// The function template with a specialization that has these parameter types, and its template arguments, the first of
    /// which are `given`.
    fn template_of_type<'e>(
        &self,
        entities: &'e [Entity],
        given: &[TemplateArgument],
        expected: &[Ty],
    ) -> Option<(&'e Entity, Vec<TemplateArgument>)> {
        let fitting = entities.iter().filter_map(|entity| {
            let DeclBody::Function(function) = &entity.decl.kind else { return None };
            let parameters = &entity.decl.templates.last()?.parameters;
            if parameters.is_empty() || function.parameters.len() != expected.len() {
                return None;
            }
            let mut found = match self.view.takes_explicit(entity, given).is_ruled_out() {
                true => return None,
                false => self.view.explicit_arguments(parameters, given.to_vec(), &entity.env),
            };
            let pairs = function.parameters.iter().zip(expected);
            let fits = Viability::all(pairs.map(|(parameter, actual)| {
                self.view.unify(&parameter.ty, &entity.env, parameters, actual, &mut found)
            }));
            let inner = entity.env.with_bindings(found.clone());
            let same = |(parameter, actual): (&Parameter, &Ty)| {
                let ty = self.view.parameter_ty(&parameter.ty, &inner);
                !ty.is_sure() || !actual.is_sure() || ty.is_same(actual)
            };
            if fits.is_ruled_out() || !function.parameters.iter().zip(expected).all(same) {
                return None;
            }
            let bound = |one: &TemplateParameter| {
                found.iter().find(|(name, _)| *name == one.name).map(|(_, bound)| bound.clone())
            };
            let list: Vec<TemplateArgument> = parameters.iter().map_while(bound).collect();
            Some((specificity(function, entity), entity, list))
        });
        // Of several the most specialized one, and of equal ones the first.
        let best = fitting.reduce(|best, next| if next.0 > best.0 { next } else { best });
        best.map(|(_, entity, list)| (entity, list))
    }

    /// Follows the functions that a type names as template arguments.
    pub(in crate::facts) fn follow_type(&mut self, ty: &Type, env: &Env, at: Span) {
        if !self.relevance().type_is_relevant(ty) {
            return;
        }
        match ty {
            Type::Named(path) => {
                for argument in path.segments.iter().flat_map(|one| one.arguments.iter().flatten()) {
                    self.follow_template_argument(argument, env, at);
                }
            }
            Type::Pointer(inner)
            | Type::LvalueReference(inner)
            | Type::RvalueReference(inner)
            | Type::Array(inner, _)
            | Type::Qualified(inner, ..) => self.follow_type(inner, env, at),
            _ => {}
        }
    }

    /// Follows the functions that the base classes of a class name as template arguments.
    pub(super) fn follow_bases(&mut self, class: &Rc<Instance>) {
        let Some(decl) = class.decl.clone() else { return };
        if let DeclBody::Class(definition) = &decl.kind {
            for (base, _) in &definition.bases {
                self.follow_type(base, &class.env, decl.at);
            }
        }
    }

    fn follow_template_argument(&mut self, argument: &Argument, env: &Env, at: Span) {
        let path = match argument {
            Argument::Type(Type::Named(path)) => path,
            Argument::Value(Expr::Unary(sym::AMP, operand)) => match operand.as_ref() {
                Expr::Name(path) => path,
                _ => return,
            },
            Argument::Type(ty) => return self.follow_type(ty, env, at),
            Argument::Value(_) | Argument::Pack(_) => return,
        };
        self.follow_type(&Type::Named(path.clone()), env, at);
        let is_function = |one: &Entity| matches!(one.decl.kind, DeclBody::Function(_));
        if path.last().arguments.is_some()
            && self.relevance().type_is_relevant(&Type::Named(path.clone()))
            && matches!(self.view.lookup(path, env), LookupResult::Entities(all) if all.iter().any(is_function))
        {
            let mention = Mention::of(path.clone(), at);
            self.rooted_at(at, |walk| walk.resolve(&mention, env));
        }
    }
}

/// Whether an initializer is a template-id, the address of one, or a list that has some.
pub(super) fn is_template_id(initializer: &Expr) -> bool {
    match initializer {
        Expr::Name(path) => path.last().arguments.is_some(),
        Expr::Unary(sym::AMP, inner) => is_template_id(inner),
        Expr::List(values) => values.iter().any(is_template_id),
        _ => false,
    }
}
