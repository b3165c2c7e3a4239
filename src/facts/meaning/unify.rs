//! Types and template arguments matched with patterns, which binds the template parameters in them
//! ([temp.deduct.type]).
//!
//! In: the patterns of a function template's parameters or of a specialization's arguments, and the actual types or
//! arguments. Out: bindings, and whether they match, which can't be told of types that are not resolved.

use std::rc::Rc;

use crate::source::{Symbol, sym};
use crate::variance::ScopeId;

use super::binding::{bind_once, match_expansion};
use super::conversions::convertible;
use super::types::{Bindings, Env, Instance, TemplateArgument, Ty, Unresolved, Value};
use super::viability::Viability;
use super::view::{Entity, LookupResult, View};
use crate::facts::lower::ast::*;
use crate::facts::lower::nodes::POINTER_TO_MEMBER;

impl View<'_> {
    /// Matches a type with a pattern and binds the template parameters in it ([temp.deduct.type]). A
    /// non-deduced context matches any type.
    pub(in crate::facts) fn unify(
        &self,
        pattern: &Type,
        env: &Env,
        parameters: &[TemplateParameter],
        actual: &Ty,
        found: &mut Bindings,
    ) -> Viability {
        if let Type::Named(path) = pattern
            && path.last().arguments.is_some()
            && mentions_parameter(path, parameters)
            && let Some(fits) = self.unify_alias(path, env, parameters, actual, found)
        {
            return fits;
        }
        match (pattern, actual) {
            (Type::Call(inner, _), _) => self.unify(inner, env, parameters, actual, found),
            (Type::Named(path), Ty::Class(class))
                if class.name == POINTER_TO_MEMBER && path.last().name.as_str() == POINTER_TO_MEMBER =>
            {
                let patterns = path.last().arguments.as_deref().unwrap_or_default();
                let mut arguments = class.arguments.clone();
                // `const` of a const member function is none of its class.
                if let (Some(Argument::Type(of)), Some(TemplateArgument::Type(class))) =
                    (patterns.first(), arguments.first_mut())
                    && !matches!(of, Type::Qualified(..))
                {
                    *class = class.unqualified().clone();
                }
                self.match_arguments(patterns, env, parameters, &arguments, found)
            }
            (Type::Named(path), actual) if path.last().name.as_str() == POINTER_TO_MEMBER => {
                open_or(actual, false)
            }
            (Type::Named(path), Ty::Class(class)) if is_template_parameter(path, parameters) => {
                let patterns = path.last().arguments.as_deref().unwrap_or_default();
                bind_once(path.last().name, TemplateArgument::Template(class.name.as_str().into()), found)
                    .and(|| self.match_arguments(patterns, env, parameters, &class.arguments, found))
            }
            (Type::Named(path), actual) if is_template_parameter(path, parameters) => open_or(actual, false),
            (Type::Named(path), _) if is_parameter(path, parameters) => {
                bind_once(path.last().name, TemplateArgument::Type(actual.clone()), found)
            }
            (Type::Named(path), Ty::Class(class))
                if path.last().arguments.is_some()
                    && mentions_parameter(path, parameters)
                    && self.is_class_template(path, env) =>
            {
                self.unify_class(path, env, parameters, class, found)
            }
            (Type::Named(path), _)
                if path.last().arguments.is_some()
                    && mentions_parameter(path, parameters)
                    && !matches!(actual, Ty::Class(_) | Ty::Opaque { .. } | Ty::Parameter(..))
                    && self.is_class_template(path, env) =>
            {
                Viability::No
            }
            (Type::Named(path), _) => {
                if mentions_parameter(path, parameters) {
                    return match actual {
                        // A specialization of what is no class template may be of any type.
                        _ if path.last().arguments.is_none() => Viability::Yes,
                        _ => Viability::CantTell,
                    };
                }
                let expected = self.named_type(path, &env.with_bindings(found.clone()));
                convertible(&expected, actual)
            }
            (Type::Pointer(to), Ty::Pointer(actual)) => {
                let (to, actual) = strip_pattern_cv(to, actual);
                self.unify(to, env, parameters, &actual, found)
            }
            (Type::Pointer(_), Ty::Opaque { .. }) => Viability::CantTell,
            // No conversion is considered where something is deduced ([temp.deduct.call]/4).
            (Type::Pointer(to), Ty::Class(_) | Ty::Enum(_)) if type_mentions_parameter(to, parameters) => {
                Viability::No
            }
            (Type::Pointer(_), Ty::Builtin(name)) => Viability::settled(name.as_str() == "nullptr_t"),
            (Type::LvalueReference(to), Ty::LvalueReference(actual))
            | (Type::RvalueReference(to), Ty::RvalueReference(actual)) => {
                self.unify(to, env, parameters, actual, found)
            }
            (Type::Qualified(inner, c, v), Ty::Qualified(actual, is_const, is_volatile)) => {
                Viability::settled((*c == *is_const || *c) && (*v == *is_volatile || *v))
                    .and(|| self.unify(inner, env, parameters, actual, found))
            }
            (Type::Qualified(inner, c, v), array @ Ty::Array(..)) if !matches!(**inner, Type::Array(..)) => {
                self.unify(inner, env, parameters, &without_element_qualifiers(array, *c, *v), found)
            }
            (Type::Qualified(inner, ..), other) => self.unify(inner, env, parameters, other, found),
            (Type::Array(of, size), Ty::Array(actual, count)) => {
                let same_size = match (size, count) {
                    (Some(size), Some(count)) => match size.as_ref() {
                        Expr::Name(path) if is_parameter(path, parameters) => {
                            bind_once(path.last().name, TemplateArgument::Value(count.clone()), found)
                        }
                        size => {
                            let size = self.value(size, &env.with_bindings(found.clone()));
                            match (size.int(), count.int()) {
                                (Some(size), Some(count)) => Viability::settled(size == count),
                                _ => Viability::CantTell,
                            }
                        }
                    },
                    (Some(_), None) => Viability::No,
                    (None, _) => Viability::Yes,
                };
                same_size.and(|| self.unify(of, env, parameters, actual, found))
            }
            (Type::Function(result, list, condition), Ty::Function(actual, types, non_throwing)) => {
                let condition = condition.as_deref();
                let specified = self.unify_specification(condition, env, parameters, *non_throwing, found);
                if specified.is_ruled_out() {
                    return Viability::No;
                }
                let (list, types) = match (list.split_last(), types.split_last()) {
                    (Some((last, list)), Some((Ty::Builtin(other), types)))
                        if last.is_ellipsis() && other.as_str() == ELLIPSIS =>
                    {
                        (list, types)
                    }
                    (Some((last, _)), _) if last.is_ellipsis() => return Viability::No,
                    (_, Some((Ty::Builtin(other), _))) if other.as_str() == ELLIPSIS => return Viability::No,
                    _ => (list.as_slice(), types.as_slice()),
                };
                let result = self.unify(result, env, parameters, actual, found);
                specified.and(|| result).and(|| self.unify_types(list, env, parameters, types, found))
            }
            (Type::Decltype(_) | Type::Auto | Type::DecltypeAuto | Type::Unknown(_) | Type::Pack(_), _) => {
                Viability::Yes
            }
            (_, Ty::Opaque { .. } | Ty::Parameter(..)) => Viability::CantTell,
            (other, _) => {
                let expected = self.ty(other, &env.with_bindings(found.clone()));
                convertible(&expected, actual)
            }
        }
    }

    /// Matches the exception specification of a function's type with that of a pattern ([temp.deduct.type]/8). That a function
    /// does not throw is no condition of what takes functions that may ([conv.fctptr]).
    fn unify_specification(
        &self,
        condition: Option<&Expr>,
        env: &Env,
        parameters: &[TemplateParameter],
        non_throwing: bool,
        found: &mut Bindings,
    ) -> Viability {
        match condition {
            None => Viability::Yes,
            Some(Expr::Name(path)) if is_parameter(path, parameters) => {
                bind_once(path.last().name, TemplateArgument::Value(Value::bool(non_throwing)), found)
            }
            Some(condition) => match self.value(condition, &env.with_bindings(found.clone())).int() {
                Some(value) => Viability::settled(value == 0 || non_throwing),
                None => Viability::CantTell,
            },
        }
    }

    /// Matches the types of a function's parameters with their patterns.
    pub(super) fn unify_types(
        &self,
        patterns: &[Type],
        env: &Env,
        parameters: &[TemplateParameter],
        types: &[Ty],
        found: &mut Bindings,
    ) -> Viability {
        let pattern = |ty: &Type| match ty {
            Type::Pack(inner) => Argument::Pack(Box::new(Argument::Type(adjusted(inner)))),
            ty => Argument::Type(adjusted(ty)),
        };
        let patterns: Vec<Argument> = patterns.iter().map(pattern).collect();
        let types: Vec<TemplateArgument> = types.iter().cloned().map(TemplateArgument::Type).collect();
        self.match_arguments(&patterns, env, parameters, &types, found)
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
    ) -> Option<Viability> {
        let LookupResult::Entities(entities) = self.lookup(path, env) else { return None };
        let (entity, target) = entities.iter().find_map(|entity| match &entity.decl.kind {
            DeclBody::Alias(target) => Some((entity, target)),
            _ => None,
        })?;
        let own = &entity.decl.templates.last()?.parameters;
        let mut meant = Vec::new();
        let mut fits = self.within_limits(|| self.unify(target, &entity.env, own, actual, &mut meant))?;
        let patterns = path.last().arguments.as_deref()?;
        for (number, parameter) in own.iter().enumerate().take(patterns.len()) {
            let Some((_, bound)) = meant.iter().find(|(name, _)| *name == parameter.name) else { continue };
            let written = if parameter.pack { &patterns[number..] } else { &patterns[number..=number] };
            let bound = std::slice::from_ref(bound);
            fits = fits.and(|| self.match_arguments(written, env, parameters, bound, found));
        }
        Some(fits)
    }

    /// The declarations of the class template that a name denotes, which may be an injected-class-name
    /// ([temp.local]/1).
    fn class_template(&self, path: &Path, env: &Env) -> Option<Rc<Vec<Entity>>> {
        let found = match self.lookup(path, env) {
            LookupResult::Class(class) => self.lookup(&Path::plain(path.last().name), &class.env),
            found => found,
        };
        match found {
            LookupResult::Entities(all) => {
                all.iter().any(|one| matches!(one.decl.kind, DeclBody::Class(_))).then_some(all)
            }
            _ => None,
        }
    }

    /// Whether a name is that of a class template.
    pub(super) fn is_class_template(&self, path: &Path, env: &Env) -> bool {
        self.class_template(path, env).is_some()
    }

    /// Whether a class is a specialization of the class template that `entities` declare: a template of the same name in
    /// another namespace is another one. A member template is taken for the same in each class.
    fn is_specialization_of(&self, class: &Instance, entities: &[Entity]) -> bool {
        entities.iter().any(|entity| {
            entity.owner.is_some() || entity.top == usize::MAX || self.qualified_name(entity) == class.name
        })
    }

    /// Whether a pattern is `X<T>`, perhaps behind pointers, references and qualifiers, and the class there is of another
    /// template than `X`. A base class is looked for in a call only ([temp.deduct.type]/8, [temp.deduct.call]/4.3).
    fn is_of_another_template(
        &self,
        pattern: &Type,
        env: &Env,
        parameters: &[TemplateParameter],
        actual: &Ty,
    ) -> bool {
        match (pattern, actual) {
            (Type::Call(inner, _), _) => self.is_of_another_template(inner, env, parameters, actual),
            (Type::Pointer(inner), Ty::Pointer(actual))
            | (Type::LvalueReference(inner), Ty::LvalueReference(actual))
            | (Type::RvalueReference(inner), Ty::RvalueReference(actual))
            | (Type::Qualified(inner, ..), Ty::Qualified(actual, ..)) => {
                self.is_of_another_template(inner, env, parameters, actual)
            }
            (Type::Named(path), Ty::Class(class))
                if path.last().arguments.is_some()
                    && mentions_parameter(path, parameters)
                    && !is_template_parameter(path, parameters)
                    && class.name != POINTER_TO_MEMBER =>
            {
                match self.class_template(path, env) {
                    Some(entities) => {
                        class.decl.as_ref().is_some_and(|decl| decl.name != path.last().name)
                            || !self.is_specialization_of(class, &entities)
                    }
                    None => false,
                }
            }
            _ => false,
        }
    }

    /// Matches a class, or else a base class of it, with `X<T>` ([temp.deduct.call]/4.3).
    fn unify_class(
        &self,
        path: &Path,
        env: &Env,
        parameters: &[TemplateParameter],
        class: &Rc<Instance>,
        found: &mut Bindings,
    ) -> Viability {
        let Some(decl) = &class.decl else { return Viability::CantTell };
        let patterns = path.last().arguments.as_deref().unwrap_or_default();
        if decl.name == path.last().name {
            let Some(entities) = self.class_template(path, env) else { return Viability::No };
            if self.is_specialization_of(class, &entities) {
                let declarations: Vec<&Entity> = entities.iter().collect();
                return self.match_template(
                    &declarations,
                    patterns,
                    env,
                    parameters,
                    &class.arguments,
                    found,
                );
            }
        }
        let mut derived = match class.alternatives.as_slice() {
            [] => Viability::No,
            _ => Viability::CantTell,
        };
        for base in self.bases(class) {
            derived = derived.or(|| match &base {
                Ty::Class(base) => self
                    .within_limits(|| self.unify_class(path, env, parameters, base, found))
                    .unwrap_or(Viability::CantTell),
                _ => Viability::CantTell,
            });
        }
        derived
    }

    /// Matches a base class of an argument that does not match `X<T>` itself, though it may be of the same template
    /// ([temp.deduct.call]/4.3). What a base class that does not fit was bound to counts for none of the others.
    pub(super) fn unify_base(
        &self,
        path: &Path,
        env: &Env,
        parameters: &[TemplateParameter],
        class: &Rc<Instance>,
        found: &mut Bindings,
    ) -> Viability {
        if !mentions_parameter(path, parameters) || !self.is_class_template(path, env) {
            return Viability::No;
        }
        let mut open = None;
        for base in self.bases(class) {
            let Ty::Class(base) = base else { return Viability::CantTell };
            let mut bound = found.clone();
            let fits =
                self.within_limits(|| match self.unify_class(path, env, parameters, &base, &mut bound) {
                    Viability::No => {
                        bound.clone_from(found);
                        self.unify_base(path, env, parameters, &base, &mut bound)
                    }
                    fits => fits,
                });
            match fits.unwrap_or(Viability::CantTell) {
                Viability::Yes => {
                    *found = bound;
                    return Viability::Yes;
                }
                Viability::CantTell => _ = open.get_or_insert(bound),
                Viability::No => {}
            }
        }
        match open {
            Some(bound) => {
                *found = bound;
                Viability::CantTell
            }
            None => Viability::No,
        }
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
    ) -> Viability {
        let mut actual: Vec<&TemplateArgument> = Vec::with_capacity(arguments.len());
        for argument in arguments {
            match argument {
                TemplateArgument::Pack(members) => actual.extend(members),
                other => actual.push(other),
            }
        }
        let mut fits = Viability::Yes;
        let mut rest = actual.as_slice();
        for (number, pattern) in patterns.iter().enumerate() {
            let Argument::Pack(inner) = pattern else {
                let Some((actual, behind)) = rest.split_first() else { return Viability::No };
                rest = behind;
                fits = fits.and(|| self.match_argument(pattern, env, parameters, actual, found));
                if fits.is_ruled_out() {
                    return Viability::No;
                }
                continue;
            };
            if !is_deduced_expansion(inner, parameters) {
                let Some(envs) = self.expansions(|names| inner.names(names), env) else {
                    return fits.and(|| Viability::CantTell);
                };
                if envs.len() > rest.len() {
                    return Viability::No;
                }
                let (these, behind) = rest.split_at(envs.len());
                rest = behind;
                for (env, actual) in envs.iter().zip(these) {
                    fits = fits.and(|| self.match_argument(inner, env, parameters, actual, found));
                }
                continue;
            }
            if number + 1 < patterns.len() {
                // From a list with an expansion before its end nothing is deduced ([temp.deduct.type]/9).
                return fits.and(|| Viability::CantTell);
            }
            return fits.and(|| match inner.as_ref() {
                Argument::Type(Type::Named(path)) if is_parameter(path, parameters) => {
                    let rest = rest.iter().copied().cloned().collect();
                    bind_once(path.last().name, TemplateArgument::Pack(rest), found)
                }
                _ => {
                    let each = |number: usize, own: &mut Bindings| {
                        self.match_argument(inner, env, parameters, rest[number], own)
                    };
                    match_expansion(|names| inner.names(names), parameters, rest.len(), found, each)
                }
            });
        }
        fits.and(|| Viability::settled(rest.is_empty()))
    }

    fn match_argument(
        &self,
        pattern: &Argument,
        env: &Env,
        parameters: &[TemplateParameter],
        actual: &TemplateArgument,
        found: &mut Bindings,
    ) -> Viability {
        match (pattern, actual) {
            (Argument::Type(Type::Named(path)) | Argument::Value(Expr::Name(path)), _)
                if is_parameter(path, parameters) =>
            {
                let bound = parameters.iter().find(|one| one.name == path.last().name);
                if bound.is_some_and(|one| self.is_of_kind(one, actual, env).is_ruled_out()) {
                    return Viability::No;
                }
                self.deduce_from_value(path.last().name, env, parameters, actual, found);
                match bind_once(path.last().name, actual.clone(), found) {
                    Viability::CantTell if !actual.is_unknown() => Viability::No,
                    bound => bound,
                }
            }
            // Of a template that is looked at without arguments, the primary template is meant.
            (
                Argument::Type(_),
                TemplateArgument::Type(Ty::Opaque { because: Unresolved::Dependent, .. } | Ty::Parameter(..)),
            ) => Viability::No,
            (Argument::Type(pattern), TemplateArgument::Type(actual)) => {
                self.unify_exactly(pattern, env, parameters, actual, found)
            }
            (other, _) => {
                let expected = self.template_argument(other, &env.with_bindings(found.clone()));
                match (&expected, actual) {
                    (
                        TemplateArgument::Value(Value::Int(a, _)),
                        TemplateArgument::Value(Value::Int(b, _)),
                    ) => Viability::settled(a == b),
                    (TemplateArgument::Value(Value::Int(a, of)), TemplateArgument::Integer(b, ty)) => {
                        Viability::settled((a, of) == (b, ty))
                    }
                    _ if expected.is_same(actual) => Viability::Yes,
                    _ if expected.is_unknown() || actual.is_unknown() => Viability::CantTell,
                    _ => Viability::No,
                }
            }
        }
    }

    /// Deduces the template parameters in the type of a parameter for values, `R (*F)(A...)`, from the function or member
    /// whose address the argument is ([temp.deduct.type]/13).
    fn deduce_from_value(
        &self,
        name: Symbol,
        env: &Env,
        parameters: &[TemplateParameter],
        actual: &TemplateArgument,
        found: &mut Bindings,
    ) {
        let own = parameters.iter().find(|one| one.name == name);
        if let (Some(Some(ty)), TemplateArgument::Value(Value::Opaque(text))) =
            (own.map(|one| &one.type_or_concept), actual)
            && type_mentions_parameter(ty, parameters)
            && let Some(actual) = self.type_of_address(text)
        {
            _ = self.unify(ty, env, parameters, &actual, found);
        }
    }

    /// The type of a pointer to the function, or to the member, with a qualified name.
    fn type_of_address(&self, text: &str) -> Option<Ty> {
        let name = text.trim_start_matches('&');
        if !name.chars().all(|one| one.is_alphanumeric() || matches!(one, '_' | ':')) {
            return None;
        }
        let segments = name.split("::");
        let segment = |name: &str| Segment { name: Symbol::intern(name), arguments: None };
        let path = Path { global: false, elaborated: false, segments: segments.map(segment).collect() };
        let address = Expr::Unary(sym::AMP, Box::new(Expr::Name(path)));
        self.type_of(&address, &Env::namespace(ScopeId::GLOBAL))
    }

    /// As [`View::unify`], but the types have to be the same: no conversion is allowed.
    fn unify_exactly(
        &self,
        pattern: &Type,
        env: &Env,
        parameters: &[TemplateParameter],
        actual: &Ty,
        found: &mut Bindings,
    ) -> Viability {
        if !type_mentions_parameter(pattern, parameters) {
            return self.is_exactly(pattern, env, actual, found);
        }
        if self.is_of_another_template(pattern, env, parameters, actual) {
            return Viability::No;
        }
        let fits = self.unify(pattern, env, parameters, actual, found);
        if fits.is_ruled_out() {
            return Viability::No;
        }
        match actual {
            Ty::Opaque { because: Unresolved::Unknown, .. } => Viability::CantTell,
            _ => Viability::settled(matches_shape(pattern, actual)).and(|| fits),
        }
    }

    /// Whether a type is the one that is written without template parameters.
    fn is_exactly(&self, written: &Type, env: &Env, actual: &Ty, found: &mut Bindings) -> Viability {
        if matches!(actual, Ty::Opaque { because: Unresolved::Unknown, .. }) {
            return Viability::CantTell;
        }
        let expected = self.ty(written, &env.with_bindings(found.clone()));
        match expected.is_same(actual) {
            true => Viability::Yes,
            false if expected.is_unknown() || actual.is_unknown() => {
                self.unify(written, env, &[], actual, found).and(|| Viability::CantTell)
            }
            false => Viability::No,
        }
    }
}

/// Whether the pattern of a pack expansion names a template parameter pack that is to be deduced.
fn is_deduced_expansion(pattern: &Argument, parameters: &[TemplateParameter]) -> bool {
    let mut names = Vec::new();
    pattern.names(&mut names);
    parameters.iter().any(|one| one.pack && names.contains(&one.name))
}

/// The type of a function's parameter as it counts in the function's type ([dcl.fct]/5).
fn adjusted(ty: &Type) -> Type {
    match ty {
        Type::Qualified(inner, ..) => adjusted(inner),
        Type::Array(of, _) => Type::Pointer(of.clone()),
        other => other.clone(),
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
pub(super) fn is_parameter(path: &Path, parameters: &[TemplateParameter]) -> bool {
    path.segments.len() == 1
        && !path.global
        && path.last().arguments.is_none()
        && parameters.iter().any(|parameter| parameter.name == path.last().name)
}

/// Whether a name is a specialization of a template template parameter: `F<T>`.
pub(super) fn is_template_parameter(path: &Path, parameters: &[TemplateParameter]) -> bool {
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

/// Whether a type names a template parameter.
pub(super) fn type_mentions_parameter(ty: &Type, parameters: &[TemplateParameter]) -> bool {
    match ty {
        Type::Named(path) => mentions_parameter(path, parameters),
        Type::Pointer(inner)
        | Type::LvalueReference(inner)
        | Type::RvalueReference(inner)
        | Type::Qualified(inner, ..)
        | Type::Pack(inner)
        | Type::Call(inner, _) => type_mentions_parameter(inner, parameters),
        Type::Array(inner, size) => size.is_some() || type_mentions_parameter(inner, parameters),
        Type::Function(result, list, non_throwing) => {
            type_mentions_parameter(result, parameters)
                || list.iter().any(|one| type_mentions_parameter(one, parameters))
                || non_throwing.as_deref().is_some_and(|condition| !matches!(condition, Expr::Int(..)))
        }
        Type::Decltype(_) => true,
        Type::Builtin(_) | Type::Auto | Type::DecltypeAuto | Type::Unknown(_) => false,
    }
}

/// Whether pattern and type have the same outermost type constructor and cv-qualifiers.
fn matches_shape(pattern: &Type, actual: &Ty) -> bool {
    match (pattern, actual) {
        (Type::Qualified(_, c, v), Ty::Qualified(_, is_const, is_volatile)) => {
            c == is_const && v == is_volatile
        }
        (Type::Qualified(inner, c, v), Ty::Array(..)) if !matches!(**inner, Type::Array(..)) => {
            element_qualifiers(actual) == (*c, *v)
        }
        (Type::Qualified(..), _) => false,
        (Type::Call(inner, _), _) => matches_shape(inner, actual),
        (Type::Pointer(_), Ty::Pointer(_))
        | (Type::LvalueReference(_), Ty::LvalueReference(_))
        | (Type::RvalueReference(_), Ty::RvalueReference(_))
        | (Type::Function(..), Ty::Function(..)) => true,
        (Type::Array(_, size), Ty::Array(_, count)) => size.is_some() == count.is_some(),
        (Type::Named(_) | Type::Decltype(_) | Type::Unknown(_) | Type::Auto | Type::DecltypeAuto, _) => true,
        _ => false,
    }
}

/// The cv-qualifiers of the elements of an array, which are the array's too ([basic.type.qualifier]/3).
fn element_qualifiers(ty: &Ty) -> (bool, bool) {
    match ty {
        Ty::Array(of, _) => element_qualifiers(of),
        Ty::Qualified(_, is_const, is_volatile) => (*is_const, *is_volatile),
        _ => (false, false),
    }
}

/// An array without some of the cv-qualifiers of its elements.
fn without_element_qualifiers(ty: &Ty, no_const: bool, no_volatile: bool) -> Ty {
    match ty {
        Ty::Array(of, count) => {
            Ty::Array(Rc::new(without_element_qualifiers(of, no_const, no_volatile)), count.clone())
        }
        Ty::Qualified(of, is_const, is_volatile) => {
            of.as_ref().clone().qualified(*is_const && !no_const, *is_volatile && !no_volatile)
        }
        other => other.clone(),
    }
}

/// The answer for a type that is known; for one that is not, it can't be told.
fn open_or(ty: &Ty, known: bool) -> Viability {
    match ty {
        Ty::Opaque { .. } | Ty::Parameter(..) => Viability::CantTell,
        _ => Viability::settled(known),
    }
}
