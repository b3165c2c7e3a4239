//! Template argument deduction ([temp.deduct]).
//!
//! In: the patterns of a function template's parameters or of a specialization's arguments, and the actual
//! types or arguments. Out: bindings, and whether they match. Types that are not resolved match any pattern.

use std::cell::OnceCell;
use std::rc::Rc;

use crate::source::{Symbol, sym};

use super::conversions::convertible;
use super::types::{Bindings, Env, Instance, Spelling, TemplateArgument, Ty, Value};
use super::view::{Entity, LookupResult, View};
use crate::facts::lower::ast::*;

/// The arguments of a call, packs expanded, with their types as far as they are known.
pub(in crate::facts) struct Call<'c> {
    pub arguments: Vec<(&'c Expr, Env)>,
    /// Computed when first needed: not every candidate looks at them.
    types: Vec<OnceCell<Option<Ty>>>,
    /// An argument expands a pack whose elements are not known, so there may be more or fewer arguments.
    open: bool,
    /// Whether the object expression of a member function call is const; `None` if that is not known.
    pub(super) object_is_const: Option<bool>,
    pub env: &'c Env,
}

impl<'c> Call<'c> {
    pub(in crate::facts) fn new(view: &View<'_>, written: &'c [Expr], env: &'c Env) -> Call<'c> {
        let mut arguments = Vec::with_capacity(written.len());
        let mut open = false;
        for argument in written {
            let Expr::Expansion(pattern) = argument else {
                arguments.push((argument, env.clone()));
                continue;
            };
            match view.expansions(|names| pattern.names(names), env) {
                Some(envs) => arguments.extend(envs.into_iter().map(|env| (pattern.as_ref(), env))),
                None => open = true,
            }
        }
        Call { types: vec![OnceCell::new(); arguments.len()], arguments, open, object_is_const: None, env }
    }

    /// The call of an operator function with operands as its arguments.
    pub(in crate::facts) fn of_operands(operands: &[&'c Expr], env: &'c Env) -> Call<'c> {
        let arguments: Vec<_> = operands.iter().map(|operand| (*operand, env.clone())).collect();
        Call {
            types: vec![OnceCell::new(); arguments.len()],
            arguments,
            open: false,
            object_is_const: None,
            env,
        }
    }

    /// The call of a member function of the first argument, with the others as its arguments.
    pub(in crate::facts) fn of_first(mut self) -> Call<'c> {
        self.arguments.remove(0);
        self.types.remove(0);
        self
    }

    /// The call with what is known of the constness of its object expression.
    pub(in crate::facts) fn of_object(self, object_is_const: Option<bool>) -> Call<'c> {
        Call { object_is_const, ..self }
    }

    /// The use of a function's name without a call.
    pub(in crate::facts) fn none(env: &'c Env) -> Call<'c> {
        Call { arguments: Vec::new(), types: Vec::new(), open: false, object_is_const: None, env }
    }

    /// The type of an argument; `None` if there is no such argument or its type is not known.
    pub(in crate::facts) fn ty(&self, view: &View<'_>, number: usize) -> Option<&Ty> {
        let ty = || {
            let (argument, env) = &self.arguments[number];
            view.type_of(argument, env)
        };
        self.types.get(number)?.get_or_init(ty).as_ref()
    }

    /// Whether there may be more or fewer arguments than are known.
    pub(in crate::facts) fn is_open(&self) -> bool {
        self.open
    }

    /// Whether the number of arguments is, or with an unknown pack may be, in a range.
    pub(in crate::facts) fn count_in(&self, numbers: std::ops::RangeInclusive<usize>) -> bool {
        self.open && self.arguments.len() <= *numbers.end() || numbers.contains(&self.arguments.len())
    }
}

/// The result of deduction.
pub(in crate::facts) struct Deduced {
    /// The template parameters with the arguments bound to them.
    pub bindings: Bindings,
    /// The same arguments in the order of the parameters.
    pub arguments: Vec<TemplateArgument>,
    /// Whether the candidate can take that many arguments, and each parameter can have the type of its
    /// argument.
    pub viable: bool,
}

impl View<'_> {
    /// Deduces the template arguments of a function template from a call ([temp.deduct.call]): the explicit
    /// ones, then those deduced, then the default ones. An argument that none of these gives is an opaque
    /// text made of the call's own, so that equal calls give equal arguments.
    pub(in crate::facts) fn deduce(
        &self,
        entity: &Entity,
        function: &Function,
        given: Vec<TemplateArgument>,
        call: &Call<'_>,
    ) -> Deduced {
        let Some(head) = entity.decl.templates.last() else {
            return Deduced { bindings: Vec::new(), arguments: Vec::new(), viable: true };
        };
        let parameters = &head.parameters;
        let mut found = self.explicit_arguments(parameters, given, &entity.env);
        // Parameters with explicit arguments take part in no deduction: arguments are converted to them
        // ([temp.arg.explicit]/7).
        let is_open = |one: &&TemplateParameter| one.pack || !found.iter().any(|(name, _)| *name == one.name);
        let open: Vec<TemplateParameter> = parameters.iter().filter(is_open).cloned().collect();
        let mut viable = true;
        let pack = function.parameters.iter().any(|parameter| matches!(parameter.ty, Type::Pack(_)));
        let required = function.parameters.iter().filter(|parameter| parameter.default.is_none()).count();
        let most = if pack || function.variadic { usize::MAX } else { function.parameters.len() };
        viable &= pack || call.count_in(required..=most);
        for (number, parameter) in function.parameters.iter().enumerate() {
            if let Type::Pack(pattern) = &parameter.ty {
                self.deduce_pack(pattern, &open, number, entity, call, &mut found);
                break;
            }
            if let Some(actual) = call.ty(self, number) {
                viable &= self.deduce_one(&parameter.ty, &open, actual.clone(), &entity.env, &mut found);
            }
        }
        let mut bindings: Bindings = Vec::new();
        for parameter in parameters {
            let inner = entity.env.with_bindings(bindings.clone());
            let bound = match found.iter().find(|(name, _)| *name == parameter.name && *name != sym::EMPTY) {
                Some((_, bound)) => bound.clone(),
                None if parameter.pack => TemplateArgument::Pack(Vec::new()),
                None => match &parameter.default {
                    Some(default) => self.template_argument(default, &inner),
                    None => self.undeduced(parameter, call),
                },
            };
            bindings.push((parameter.name, self.converted_template_argument(bound, parameter, &inner)));
        }
        let arguments = bindings.iter().map(|(_, bound)| bound.clone()).collect();
        Deduced { bindings, arguments, viable }
    }

    /// The opaque argument of a template parameter that could not be deduced.
    fn undeduced(&self, parameter: &TemplateParameter, call: &Call<'_>) -> TemplateArgument {
        const FROM: &str = " deduced from (";
        let texts = call.arguments.iter().map(|(argument, env)| {
            let text = self.expr_text(argument, env);
            // The argument of a recursive call that is not deduced either would repeat its own text.
            if text.contains(FROM) { "…".to_string() } else { text }
        });
        let text = format!("{}{FROM}{})", parameter.name, texts.collect::<Vec<_>>().join(", "));
        match parameter.type_or_concept {
            Some(_) if self.type_constraint(parameter, call.env).is_none() => {
                TemplateArgument::Value(Value::opaque(&text))
            }
            _ => TemplateArgument::Type(Ty::opaque(&text)),
        }
    }

    /// Binds the explicit template arguments; a trailing pack takes the rest, and deduction may extend it
    /// ([temp.arg.explicit]/9).
    fn explicit_arguments(
        &self,
        parameters: &[TemplateParameter],
        given: Vec<TemplateArgument>,
        env: &Env,
    ) -> Bindings {
        let mut found = Vec::new();
        let mut given = given.into_iter().peekable();
        for parameter in parameters {
            if given.peek().is_none() {
                break;
            }
            let bound = if parameter.pack {
                TemplateArgument::Pack(given.by_ref().collect())
            } else {
                self.converted_template_argument(
                    given.next().expect("peeked"),
                    parameter,
                    &env.with_bindings(found.clone()),
                )
            };
            found.push((parameter.name, bound));
        }
        found
    }

    /// Deduces from a function parameter pack and the arguments from index `from` on ([temp.deduct.call]/1).
    fn deduce_pack(
        &self,
        pattern: &Type,
        parameters: &[TemplateParameter],
        from: usize,
        entity: &Entity,
        call: &Call<'_>,
        found: &mut Bindings,
    ) {
        let mut members: Vec<(Symbol, Vec<TemplateArgument>)> = Vec::new();
        for (number, (argument, env)) in call.arguments.iter().enumerate().skip(from) {
            let mut one = Vec::new();
            let actual = call
                .ty(self, number)
                .cloned()
                .unwrap_or_else(|| Ty::opaque(&format!("type of {}", self.expr_text(argument, env))));
            self.deduce_one(pattern, parameters, actual, &entity.env, &mut one);
            for (name, bound) in one {
                match members.iter_mut().find(|(known, _)| *known == name) {
                    Some((_, list)) => list.push(bound),
                    None => members.push((name, vec![bound])),
                }
            }
        }
        for (name, list) in members {
            match found.iter_mut().find(|(known, _)| *known == name) {
                Some((_, TemplateArgument::Pack(given))) if given.len() < list.len() => {
                    let rest = list.into_iter().skip(given.len());
                    given.extend(rest);
                }
                Some(_) => {}
                None => found.push((name, TemplateArgument::Pack(list))),
            }
        }
    }

    /// Deduces from one function parameter and the type of its argument ([temp.deduct.call]). False if they
    /// can't match.
    fn deduce_one(
        &self,
        parameter: &Type,
        parameters: &[TemplateParameter],
        actual: Ty,
        env: &Env,
        found: &mut Bindings,
    ) -> bool {
        let (pattern, actual) = match parameter {
            Type::LvalueReference(inner) => (inner.as_ref(), without_reference(actual)),
            Type::RvalueReference(inner) => (inner.as_ref(), without_reference(actual)),
            Type::Qualified(inner, ..) => (inner.as_ref(), without_reference(actual).decayed()),
            other => (other, without_reference(actual).decayed()),
        };
        let (pattern, actual) = match pattern {
            Type::Qualified(inner, ..) => (inner.as_ref(), actual.unqualified().clone()),
            other => (other, actual),
        };
        self.unify(pattern, env, parameters, &actual, found)
    }

    /// Matches a type with a pattern and binds the template parameters in it ([temp.deduct.type]). A
    /// non-deduced context matches any type. False if the types are known and differ.
    pub(in crate::facts) fn unify(
        &self,
        pattern: &Type,
        env: &Env,
        parameters: &[TemplateParameter],
        actual: &Ty,
        found: &mut Bindings,
    ) -> bool {
        if let Type::Named(path) = pattern
            && path.last().arguments.is_some()
            && mentions_parameter(path, parameters)
            && let Some(fits) = self.unify_alias(path, env, parameters, actual, found)
        {
            return fits;
        }
        match (pattern, actual) {
            (Type::Call(inner, _), _) => self.unify(inner, env, parameters, actual, found),
            (Type::Named(path), Ty::Class(class)) if is_template_parameter(path, parameters) => {
                let patterns = path.last().arguments.as_deref().unwrap_or_default();
                bind_once(path.last().name, TemplateArgument::Template(class.name.as_str().into()), found)
                    && self.match_arguments(patterns, env, parameters, &class.arguments, found)
            }
            (Type::Named(path), _) if is_parameter(path, parameters) => {
                bind_once(path.last().name, TemplateArgument::Type(actual.clone()), found)
            }
            (Type::Named(path), Ty::Class(class))
                if path.last().arguments.is_some() && self.is_class_template(path, env) =>
            {
                self.unify_class(path, env, parameters, class, found)
            }
            (Type::Named(path), _)
                if path.last().arguments.is_some()
                    && !matches!(actual, Ty::Class(_) | Ty::Opaque { .. } | Ty::Parameter(..))
                    && self.is_class_template(path, env) =>
            {
                false
            }
            (Type::Named(path), _) => {
                if mentions_parameter(path, parameters) {
                    return true;
                }
                let expected = self.named_type(path, &env.with_bindings(found.clone()));
                convertible(&expected, actual)
            }
            (Type::Pointer(to), Ty::Pointer(actual)) => {
                let (to, actual) = strip_pattern_cv(to, actual);
                self.unify(to, env, parameters, &actual, found)
            }
            (Type::Pointer(_), Ty::Opaque { .. }) => true,
            (Type::Pointer(_), Ty::Builtin(name)) => name.as_str() == "nullptr_t",
            (Type::LvalueReference(to), Ty::LvalueReference(actual))
            | (Type::RvalueReference(to), Ty::RvalueReference(actual)) => {
                self.unify(to, env, parameters, actual, found)
            }
            (Type::Qualified(inner, c, v), Ty::Qualified(actual, is_const, is_volatile)) => {
                (*c == *is_const || *c)
                    && (*v == *is_volatile || *v)
                    && self.unify(inner, env, parameters, actual, found)
            }
            (Type::Qualified(inner, ..), other) => self.unify(inner, env, parameters, other, found),
            (Type::Array(of, size), Ty::Array(actual, count)) => {
                if let (Some(size), Some(count)) = (size, count)
                    && let Expr::Name(path) = size.as_ref()
                    && is_parameter(path, parameters)
                    && !bind_once(path.last().name, TemplateArgument::Value(count.clone()), found)
                {
                    return false;
                }
                self.unify(of, env, parameters, actual, found)
            }
            (Type::Function(result, list), Ty::Function(actual, types)) => {
                list.len() == types.len()
                    && self.unify(result, env, parameters, actual, found)
                    && list.iter().zip(types).all(|(one, ty)| self.unify(one, env, parameters, ty, found))
            }
            (Type::Decltype(_) | Type::Auto | Type::Unknown(_) | Type::Pack(_), _) => true,
            (_, Ty::Opaque { .. } | Ty::Parameter(..)) => true,
            (other, _) => {
                let expected = self.ty(other, &env.with_bindings(found.clone()));
                convertible(&expected, actual)
            }
        }
    }

    /// Matches a type with a specialization of an alias template, `Vec<T>` for `template <class U> using Vec
    /// = …`: the alias's own parameters are deduced first, as an alias is equivalent to its type
    /// ([temp.alias]/2). `None` if `path` names no alias.
    fn unify_alias(
        &self,
        path: &Path,
        env: &Env,
        parameters: &[TemplateParameter],
        actual: &Ty,
        found: &mut Bindings,
    ) -> Option<bool> {
        let LookupResult::Entities(entities) = self.lookup(path, env) else { return None };
        let (entity, target) = entities.iter().find_map(|entity| match &entity.decl.kind {
            DeclBody::Alias(target) => Some((entity, target)),
            _ => None,
        })?;
        let own = &entity.decl.templates.last()?.parameters;
        let mut meant = Vec::new();
        if !self.within_limits(|| self.unify(target, &entity.env, own, actual, &mut meant))? {
            return Some(false);
        }
        let patterns = path.last().arguments.as_deref()?;
        for (number, parameter) in own.iter().enumerate().take(patterns.len()) {
            let Some((_, bound)) = meant.iter().find(|(name, _)| *name == parameter.name) else { continue };
            let written = if parameter.pack { &patterns[number..] } else { &patterns[number..=number] };
            if !self.match_arguments(written, env, parameters, std::slice::from_ref(bound), found) {
                return Some(false);
            }
        }
        Some(true)
    }

    fn is_class_template(&self, path: &Path, env: &Env) -> bool {
        matches!(self.lookup(path, env), LookupResult::Entities(entities)
            if entities.iter().any(|one| matches!(one.decl.kind, DeclBody::Class(_))))
    }

    /// Matches a class, or else a base class of it, with `X<T>` ([temp.deduct.call]/4.3).
    fn unify_class(
        &self,
        path: &Path,
        env: &Env,
        parameters: &[TemplateParameter],
        class: &Rc<Instance>,
        found: &mut Bindings,
    ) -> bool {
        let Some(decl) = &class.decl else { return false };
        let patterns = path.last().arguments.as_deref().unwrap_or_default();
        if decl.name == path.last().name {
            let LookupResult::Entities(entities) = self.lookup(path, env) else { return false };
            let declarations: Vec<&Entity> = entities.iter().collect();
            return self.match_template(&declarations, patterns, env, parameters, &class.arguments, found);
        }
        let DeclBody::Class(definition) = &decl.kind else { return false };
        definition.bases.iter().any(|(base, _)| match self.ty(base, &class.env) {
            Ty::Class(base) => {
                self.within_limits(|| self.unify_class(path, env, parameters, &base, found)).unwrap_or(false)
            }
            _ => false,
        })
    }

    /// Matches template arguments with the argument patterns of a specialization, or of a class template in a
    /// parameter's type.
    pub(in crate::facts) fn match_arguments(
        &self,
        patterns: &[Argument],
        env: &Env,
        parameters: &[TemplateParameter],
        arguments: &[TemplateArgument],
        found: &mut Bindings,
    ) -> bool {
        let mut actual: Vec<TemplateArgument> = Vec::new();
        for argument in arguments {
            match argument {
                TemplateArgument::Pack(members) => actual.extend(members.iter().cloned()),
                other => actual.push(other.clone()),
            }
        }
        for (number, pattern) in patterns.iter().enumerate() {
            if let Argument::Pack(inner) = pattern {
                let rest = actual.get(number..).unwrap_or_default().to_vec();
                return match inner.as_ref() {
                    Argument::Type(Type::Named(path)) if is_parameter(path, parameters) => {
                        bind_once(path.last().name, TemplateArgument::Pack(rest), found)
                    }
                    _ => true,
                };
            }
            let Some(actual) = actual.get(number) else {
                return false;
            };
            if !self.match_argument(pattern, env, parameters, actual, found) {
                return false;
            }
        }
        patterns.len() == actual.len()
    }

    fn match_argument(
        &self,
        pattern: &Argument,
        env: &Env,
        parameters: &[TemplateParameter],
        actual: &TemplateArgument,
        found: &mut Bindings,
    ) -> bool {
        match (pattern, actual) {
            (Argument::Type(Type::Named(path)) | Argument::Value(Expr::Name(path)), _)
                if is_parameter(path, parameters) =>
            {
                bind_once(path.last().name, actual.clone(), found)
            }
            (Argument::Type(pattern), TemplateArgument::Type(actual)) => {
                let exact = self.unify_exactly(pattern, env, parameters, actual, found);
                exact && !matches!(actual, Ty::Opaque { dependent: true, .. } | Ty::Parameter(..))
            }
            (other, _) => {
                let expected = self.template_argument(other, &env.with_bindings(found.clone()));
                match (&expected, actual) {
                    (
                        TemplateArgument::Value(Value::Int(a, _)),
                        TemplateArgument::Value(Value::Int(b, _)),
                    ) => a == b,
                    _ => expected.text(Spelling::Canonical) == actual.text(Spelling::Canonical),
                }
            }
        }
    }

    /// As [`View::unify`], but the types have to be the same: no conversion is allowed.
    fn unify_exactly(
        &self,
        pattern: &Type,
        env: &Env,
        parameters: &[TemplateParameter],
        actual: &Ty,
        found: &mut Bindings,
    ) -> bool {
        let before = found.len();
        if !self.unify(pattern, env, parameters, actual, found) {
            return false;
        }
        if found.len() > before || type_mentions_parameter(pattern, parameters) {
            return matches_shape(pattern, actual);
        }
        let expected = self.ty(pattern, &env.with_bindings(found.clone()));
        expected.text(Spelling::Canonical) == actual.text(Spelling::Canonical)
    }
}

/// The referred type of a reference; any other type as it is.
pub(in crate::facts) fn without_reference(ty: Ty) -> Ty {
    match ty {
        Ty::LvalueReference(inner) | Ty::RvalueReference(inner) => inner.as_ref().clone(),
        other => other,
    }
}

/// A written type without references and cv-qualifiers.
pub(in crate::facts) fn strip_cv_and_references(ty: &Type) -> &Type {
    match ty {
        Type::Qualified(inner, ..) | Type::LvalueReference(inner) | Type::RvalueReference(inner) => {
            strip_cv_and_references(inner)
        }
        other => other,
    }
}

/// `const T *` takes an `int *` by a qualification conversion: the pattern's own cv need not be in the
/// argument.
fn strip_pattern_cv<'t>(pattern: &'t Type, actual: &Ty) -> (&'t Type, Ty) {
    match (pattern, actual) {
        (Type::Qualified(inner, ..), _) => (inner.as_ref(), actual.unqualified().clone()),
        _ => (pattern, actual.clone()),
    }
}

/// Whether a name is that of a template parameter.
fn is_parameter(path: &Path, parameters: &[TemplateParameter]) -> bool {
    path.segments.len() == 1
        && !path.global
        && path.last().arguments.is_none()
        && parameters.iter().any(|parameter| parameter.name == path.last().name)
}

/// Whether a name is a specialization of a template template parameter: `F<T>`.
fn is_template_parameter(path: &Path, parameters: &[TemplateParameter]) -> bool {
    path.segments.len() == 1
        && path.last().arguments.is_some()
        && parameters.iter().any(|parameter| parameter.template && parameter.name == path.last().name)
}

/// Whether a name or its template arguments name a template parameter.
fn mentions_parameter(path: &Path, parameters: &[TemplateParameter]) -> bool {
    path.segments.iter().any(|segment| {
        parameters.iter().any(|parameter| parameter.name == segment.name)
            || segment.arguments.iter().flatten().any(|argument| argument_mentions(argument, parameters))
    })
}

fn argument_mentions(argument: &Argument, parameters: &[TemplateParameter]) -> bool {
    match argument {
        Argument::Type(ty) => type_mentions_parameter(ty, parameters),
        Argument::Value(Expr::Name(path)) => mentions_parameter(path, parameters),
        Argument::Value(Expr::Int(..)) => false,
        Argument::Value(_) => true,
        Argument::Pack(inner) => argument_mentions(inner, parameters),
    }
}

fn type_mentions_parameter(ty: &Type, parameters: &[TemplateParameter]) -> bool {
    match ty {
        Type::Named(path) => mentions_parameter(path, parameters),
        Type::Pointer(inner)
        | Type::LvalueReference(inner)
        | Type::RvalueReference(inner)
        | Type::Qualified(inner, ..)
        | Type::Pack(inner)
        | Type::Call(inner, _) => type_mentions_parameter(inner, parameters),
        Type::Array(inner, size) => size.is_some() || type_mentions_parameter(inner, parameters),
        Type::Function(result, list) => {
            type_mentions_parameter(result, parameters)
                || list.iter().any(|one| type_mentions_parameter(one, parameters))
        }
        Type::Decltype(_) => true,
        Type::Builtin(_) | Type::Auto | Type::Unknown(_) => false,
    }
}

/// Whether pattern and type have the same outermost type constructor and cv-qualifiers.
fn matches_shape(pattern: &Type, actual: &Ty) -> bool {
    match (pattern, actual) {
        (Type::Qualified(_, c, v), Ty::Qualified(_, is_const, is_volatile)) => {
            c == is_const && v == is_volatile
        }
        (Type::Qualified(..), _) => false,
        (Type::Call(inner, _), _) => matches_shape(inner, actual),
        (Type::Pointer(_), Ty::Pointer(_))
        | (Type::LvalueReference(_), Ty::LvalueReference(_))
        | (Type::RvalueReference(_), Ty::RvalueReference(_))
        | (Type::Array(..), Ty::Array(..))
        | (Type::Function(..), Ty::Function(..)) => true,
        (Type::Named(_) | Type::Decltype(_) | Type::Unknown(_) | Type::Auto, _) => true,
        _ => false,
    }
}

/// Binds a template parameter. False if it is bound to another argument already and both are resolved
/// ([temp.deduct.type]/2).
fn bind_once(name: Symbol, bound: TemplateArgument, found: &mut Bindings) -> bool {
    match found.iter().find(|(known, _)| *known == name) {
        Some((_, known)) => {
            known.text(Spelling::Canonical) == bound.text(Spelling::Canonical)
                || !known.is_sure()
                || !bound.is_sure()
        }
        None => {
            found.push((name, bound));
            true
        }
    }
}
