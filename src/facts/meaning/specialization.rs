//! Partial and explicit specializations of class and variable templates: those outside the namespace, and the one that arguments
//! select ([temp.spec.partial.match]).

use std::borrow::Cow;

use super::binding::same_argument;
use super::types::{Bindings, Env, TemplateArgument};
use super::unify::is_template_parameter;
use super::viability::Viability;
use super::view::{Entity, LookupResult, View};
use crate::facts::index::outward::encloses;
use crate::facts::lower::ast::*;
use crate::source::Symbol;
use crate::variance::DeclKind;

/// A declaration of a template that template arguments match, or may match.
struct Match<'e> {
    entity: &'e Entity,
    bindings: Bindings,
    /// Higher is more specialized.
    rank: isize,
    defined: bool,
}

impl View<'_> {
    /// Adds the definitions of a namespace's classes, and the partial and explicit specializations of its class and variable
    /// templates, that are declared in a namespace around it, by a qualified name: `struct n::Options { … };`,
    /// `template <class T> struct std::hash<Key<T>> { … };` ([class.pre]/4, [temp.expl.spec]/3, [temp.spec.partial.general]/6).
    pub(super) fn add_qualified_classes(&self, name: Symbol, entities: &mut Vec<Entity>) {
        let may_have_others = |one: &Entity| match one.decl.kind {
            DeclBody::Class(_) => true,
            DeclBody::Variable(_) => !one.decl.templates.is_empty(),
            _ => false,
        };
        let Some(primary) = entities.iter().find(|one| may_have_others(one)) else { return };
        let of = self.unit.namespace(primary.env.scope);
        // An inline namespace's members can be specialized as if they were members of the one around it
        // ([namespace.def.general]/7).
        let visible = &self.unit.found_in[primary.env.scope.0 as usize];
        for top in self.unit.declaring(name) {
            let declaration = &self.unit.variance.declarations[*top];
            if declaration.names.len() == declaration.declared
                || !matches!(declaration.kind, DeclKind::Class | DeclKind::Forward | DeclKind::Variable)
                || !encloses(self.unit.namespace(declaration.scope), of)
                || !self.has(*top)
            {
                continue;
            }
            for decl in self.outline(*top).iter() {
                let Some(qualifier) = decl.qualifier.as_ref().filter(|_| decl.name == name) else { continue };
                let around = Env::of_top(self.unit, *top);
                let named = self.within_limits(|| self.lookup(qualifier, &around));
                if let Some(LookupResult::Namespace(namespaces)) = named
                    && namespaces.iter().any(|one| visible.contains(one))
                    && let Some(scope) = self.unit.scope_of(of)
                {
                    self.depend_on(*top);
                    let env = Env::namespace(scope).at(*top);
                    entities.push(Entity { decl: decl.clone(), env, owner: None, top: *top });
                }
            }
        }
    }

    /// Selects among the declarations of a class or variable template those for these arguments, their own
    /// parameters bound: first the most specialized that matches, a definition before a declaration. Those that follow
    /// may be meant instead: they are more specialized, and whether they match can't be told.
    pub(in crate::facts) fn specialization<'e>(
        &self,
        declarations: &[&'e Entity],
        arguments: &[TemplateArgument],
    ) -> Vec<(&'e Entity, Bindings)> {
        let mut chosen: Option<Match<'e>> = None;
        let mut open: Vec<Match<'e>> = Vec::new();
        for entity in declarations {
            let Some((matches, one)) = self.match_declaration(declarations, entity, arguments) else {
                continue;
            };
            match matches {
                Viability::No => {}
                Viability::CantTell => open.push(one),
                Viability::Yes => {
                    if chosen.as_ref().is_none_or(|known| one.rank > known.rank) {
                        chosen = Some(one);
                    }
                }
            }
        }
        let least = chosen.as_ref().map_or(isize::MIN, |chosen| chosen.rank);
        open.retain(|one| one.rank > least && (one.defined || chosen.is_none()));
        let all = chosen.into_iter().chain(open);
        all.map(|one| (one.entity, one.bindings)).collect()
    }

    /// Matches template arguments with one declaration of a template; `None` for what is no class or variable.
    fn match_declaration<'e>(
        &self,
        declarations: &[&'e Entity],
        entity: &'e Entity,
        arguments: &[TemplateArgument],
    ) -> Option<(Viability, Match<'e>)> {
        let (patterns, defined) = match &entity.decl.kind {
            DeclBody::Class(class) => (&class.arguments, class.members.is_some()),
            DeclBody::Variable(variable) => (&variable.arguments, variable.initializer.is_some()),
            _ => return None,
        };
        let parameters = entity.decl.templates.last().map_or(&[][..], |head| &head.parameters);
        let Some(patterns) = patterns else {
            let bindings = zip_parameters(parameters, arguments);
            let rank = isize::MIN / 2 + isize::from(defined);
            return Some((Viability::Yes, Match { entity, bindings, rank, defined }));
        };
        let mut bindings = Vec::new();
        let env = &entity.env;
        // A pattern does not match if substitution into it fails, `void_t<typename T::tag>`, or gives another argument: nothing
        // is deduced from `typename T::type` ([temp.deduct.type]/5).
        let outer = self.substitution_failed.replace(false);
        let mut matches =
            self.match_template(declarations, patterns, env, parameters, arguments, &mut bindings);
        let inner = env.with_bindings(bindings.clone());
        if !matches.is_ruled_out() {
            // Without the argument of a parameter it is not known what is substituted.
            let is_bound = |name: Symbol| bindings.iter().any(|(bound, _)| *bound == name);
            let depends = |one: &Argument| {
                let mut names = Vec::new();
                one.names(&mut names);
                let mut own = parameters.iter().filter(|one| names.contains(&one.name)).peekable();
                own.peek().is_some() && own.all(|one| is_bound(one.name))
            };
            let (same, unsettled) = self.apart(|| {
                let mut same = Viability::Yes;
                for (number, pattern) in patterns.iter().enumerate() {
                    if !self.substitution_may_fail(pattern, env, parameters) || !depends(pattern) {
                        continue;
                    }
                    let substituted = self.template_argument(pattern, &inner);
                    // What stands for an expansion is a number of arguments.
                    if let Some(actual) = arguments.get(number)
                        && !patterns[..=number].iter().any(|one| matches!(one, Argument::Pack(_)))
                    {
                        same = same.and(|| same_argument(&substituted, actual));
                    }
                }
                same
            });
            matches = matches.and(|| same);
            if unsettled {
                matches = matches.and(|| Viability::CantTell);
            }
        }
        if self.substitution_failed.replace(outer) {
            matches = Viability::No;
        }
        // What is asked of a parameter without an argument says nothing.
        let all_bound = parameters.iter().all(|one| bindings.iter().any(|(bound, _)| *bound == one.name));
        if all_bound || matches == Viability::Yes {
            matches = matches.and(|| self.constraints_satisfied(&entity.decl.templates, &[], &inner));
        }
        // More structure and fewer template parameters make a specialization more specialized.
        let free = parameters.len() as isize;
        let constraints = match matches {
            Viability::No => 0,
            _ => self.constraint_weight(&entity.decl.templates, &[], &entity.env).cast_signed() as isize,
        };
        // Constraints decide where the patterns do not ([temp.class.order]/1).
        let rank = ((10 * structure(patterns, parameters) - free) << CONSTRAINT_BITS) + constraints;
        let rank = rank * 2 + isize::from(defined);
        Some((matches, Match { entity, bindings, rank, defined }))
    }

    /// Whether substitution into a pattern may fail though it matched: it has a part from which nothing is deduced, a member
    /// of a template parameter or an alias template.
    fn substitution_may_fail(&self, pattern: &Argument, env: &Env, parameters: &[TemplateParameter]) -> bool {
        match pattern {
            Argument::Type(ty) => self.type_may_fail(ty, env, parameters),
            Argument::Pack(inner) => self.substitution_may_fail(inner, env, parameters),
            Argument::Value(_) => false,
        }
    }

    fn type_may_fail(&self, ty: &Type, env: &Env, parameters: &[TemplateParameter]) -> bool {
        match ty {
            Type::Decltype(_) => true,
            Type::Named(path) => {
                let (last, before) = path.segments.split_last().expect("a name has a segment");
                let is_dependent = |one: &Segment| {
                    one.arguments.is_some() || parameters.iter().any(|parameter| parameter.name == one.name)
                };
                let list = last.arguments.as_deref();
                before.iter().any(is_dependent)
                    || list.is_some_and(|list| {
                        !is_template_parameter(path, parameters) && !self.is_class_template(path, env)
                            || list.iter().any(|one| self.substitution_may_fail(one, env, parameters))
                    })
            }
            Type::Pointer(inner)
            | Type::LvalueReference(inner)
            | Type::RvalueReference(inner)
            | Type::Qualified(inner, ..)
            | Type::Array(inner, _)
            | Type::Pack(inner)
            | Type::Call(inner, _) => self.type_may_fail(inner, env, parameters),
            Type::Function(result, list, _) => {
                self.type_may_fail(result, env, parameters)
                    || list.iter().any(|one| self.type_may_fail(one, env, parameters))
            }
            Type::Builtin(_) | Type::Auto | Type::DecltypeAuto | Type::Unknown(_) => false,
        }
    }

    /// Matches template arguments with argument patterns. Arguments that the patterns leave out have to be
    /// equal to the template's default arguments: `Array<T>` matches `Array<int, 4>` if the default is 4.
    pub(in crate::facts) fn match_template(
        &self,
        declarations: &[&Entity],
        patterns: &[Argument],
        env: &Env,
        parameters: &[TemplateParameter],
        arguments: &[TemplateArgument],
        found: &mut Bindings,
    ) -> Viability {
        let written = patterns.len();
        let open = patterns.iter().any(|pattern| matches!(pattern, Argument::Pack(_)));
        if open || written >= arguments.len() {
            return self.match_arguments(patterns, env, parameters, arguments, found);
        }
        let Some((own, around)) = with_defaults(declarations) else { return Viability::CantTell };
        self.match_arguments(patterns, env, parameters, &arguments[..written], found).and(|| {
            let filled = self.bind(&own, arguments[..written].to_vec(), around);
            let rest = filled.iter().zip(arguments).skip(written);
            let same = rest.map(|((_, default), actual)| match default.is_same(actual) {
                false if default.is_unknown() || actual.is_unknown() => Viability::CantTell,
                same => Viability::settled(same),
            });
            Viability::settled(filled.len() == arguments.len()).and(|| Viability::all(same))
        })
    }

    /// The variable that a name denotes, and the environment of its initializer: of a variable template, the
    /// declaration that the arguments select.
    pub(in crate::facts) fn variable<'e>(
        &self,
        entities: &'e [Entity],
        path: &Path,
        env: &Env,
    ) -> Option<(&'e Entity, &'e Variable, Env)> {
        let first = entities.first()?;
        if !first.decl.templates.is_empty() && path.last().arguments.is_some() {
            let (entity, variable, _, inner) = self.variable_template(entities, path, env)?;
            return Some((entity, variable, inner));
        }
        match &first.decl.kind {
            DeclBody::Variable(variable) => Some((first, variable, first.env.clone())),
            _ => None,
        }
    }

    /// The declaration of a variable template that the arguments of `path` select, all its arguments, and the
    /// environment of its type and initializer.
    pub(in crate::facts) fn variable_template<'e>(
        &self,
        entities: &'e [Entity],
        path: &Path,
        env: &Env,
    ) -> Option<(&'e Entity, &'e Variable, Vec<TemplateArgument>, Env)> {
        let arguments = self.variable_template_arguments(entities, path, env)?;
        let (entity, variable, inner) = self.selected_variable(entities, &arguments)?;
        Some((entity, variable, arguments, inner))
    }

    /// All arguments of a variable template that are meant by those of `path`.
    pub(super) fn variable_template_arguments(
        &self,
        entities: &[Entity],
        path: &Path,
        env: &Env,
    ) -> Option<Vec<TemplateArgument>> {
        let list = path.last().arguments.as_ref()?;
        let primary = entities.iter().find(|one| is_primary(one)).or(entities.first())?;
        let head = primary.decl.templates.last()?;
        let bound = self.bind(&head.parameters, self.template_arguments(list, env), &primary.env);
        Some(bound.into_iter().map(|(_, bound)| bound).collect())
    }

    /// The declaration of a variable template that these arguments select, and the environment of its type and initializer.
    pub(super) fn selected_variable<'e>(
        &self,
        entities: &'e [Entity],
        arguments: &[TemplateArgument],
    ) -> Option<(&'e Entity, &'e Variable, Env)> {
        let all: Vec<&Entity> = entities.iter().collect();
        let mut selected = self.specialization(&all, arguments).into_iter();
        let (entity, bindings) = selected.next()?;
        if selected.next().is_some() {
            // Any of several declarations may give the value.
            self.depend_on_unsettled();
            if !entity.decl.specifiers.device_memory() {
                return None;
            }
        }
        match &entity.decl.kind {
            DeclBody::Variable(variable) => Some((entity, variable, entity.env.with_bindings(bindings))),
            _ => None,
        }
    }
}

/// The template parameters of a primary template and the environment of their default arguments. Any one
/// declaration may have the default arguments, which are merged ([temp.param]/12).
pub(in crate::facts) fn with_defaults<'e>(
    declarations: &[&'e Entity],
) -> Option<(Cow<'e, [TemplateParameter]>, &'e Env)> {
    let primaries = declarations.iter().filter(|one| is_primary(one));
    let heads =
        primaries.filter_map(|one| Some((one.decl.templates.last()?.parameters.as_slice(), &one.env)));
    let mut merged: Option<(Cow<'e, [TemplateParameter]>, &'e Env)> = None;
    for (parameters, env) in heads {
        let has_default = |one: &TemplateParameter| one.default.is_some();
        match &mut merged {
            None => merged = Some((Cow::Borrowed(parameters), env)),
            Some((known, _)) if !parameters.iter().any(has_default) || known.len() != parameters.len() => {}
            Some((known, of)) if !known.iter().any(has_default) => {
                (*known, *of) = (Cow::Borrowed(parameters), env);
            }
            Some((known, _)) => {
                for (number, other) in parameters.iter().enumerate() {
                    if known[number].default.is_none() && has_default(other) {
                        let known = &mut known.to_mut()[number];
                        (known.default, known.default_from) = (other.default.clone(), Some(env.top));
                    }
                }
            }
        }
    }
    merged
}

/// Whether it declares a primary template or a class or variable that is no template, and no specialization.
pub(in crate::facts) fn is_primary(entity: &Entity) -> bool {
    match &entity.decl.kind {
        DeclBody::Class(class) => class.arguments.is_none(),
        DeclBody::Variable(variable) => variable.arguments.is_none(),
        _ => false,
    }
}

fn zip_parameters(parameters: &[TemplateParameter], arguments: &[TemplateArgument]) -> Bindings {
    parameters.iter().zip(arguments).map(|(parameter, bound)| (parameter.name, bound.clone())).collect()
}

/// The amount of type structure that patterns spell out: more for `X<R (*)(A)>` than for `X<T *>`, for that than for
/// `X<T>`, and for that than for `X<T...>`, which still is more than `T`. An element counts for itself too, since
/// `X<T, U...>` is more than `X<U...>`.
pub(in crate::facts) fn structure(patterns: &[Argument], parameters: &[TemplateParameter]) -> isize {
    let of_path = |path: &Path| {
        let own = path.segments.len() == 1 && parameters.iter().any(|one| one.name == path.last().name);
        let arguments = path.last().arguments.as_deref().unwrap_or_default();
        2 * isize::from(!own) + structure(arguments, parameters)
    };
    let each = patterns.iter().map(|pattern| match pattern {
        Argument::Type(ty) => ELEMENT + type_structure(ty, &of_path),
        Argument::Value(Expr::Name(path)) => ELEMENT + of_path(path),
        Argument::Value(_) => ELEMENT + 1,
        Argument::Pack(_) => EXPANSION,
    });
    each.sum()
}

/// What an element of a list counts, and an expansion at its end.
const ELEMENT: isize = 2;
const EXPANSION: isize = -1;

/// What a function type counts: `R (*)(A...)` is more than `T *`.
const FUNCTION: isize = 3;

/// The weights of constraints are below two to the power of this.
const CONSTRAINT_BITS: u32 = 40;

fn type_structure(ty: &Type, of_path: &impl Fn(&Path) -> isize) -> isize {
    match ty {
        Type::Named(path) => of_path(path),
        Type::Pointer(inner)
        | Type::LvalueReference(inner)
        | Type::RvalueReference(inner)
        | Type::Qualified(inner, ..) => 1 + type_structure(inner, of_path),
        Type::Array(inner, size) => 1 + isize::from(size.is_some()) + type_structure(inner, of_path),
        Type::Function(result, list, non_throwing) => {
            let part = |one: &Type| match one {
                Type::Pack(_) => EXPANSION,
                one => ELEMENT + type_structure(one, of_path),
            };
            FUNCTION
                + isize::from(non_throwing.is_some())
                + type_structure(result, of_path)
                + list.iter().map(part).sum::<isize>()
        }
        Type::Pack(_) => EXPANSION,
        Type::Call(inner, _) => type_structure(inner, of_path),
        Type::Builtin(_) | Type::Decltype(_) | Type::Auto | Type::DecltypeAuto | Type::Unknown(_) => 1,
    }
}
