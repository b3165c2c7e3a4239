//! Resolution of template arguments, and their binding to template parameters ([temp.arg]).

use std::borrow::Cow;
use std::rc::Rc;

use crate::source::Symbol;

use super::types::{Bindings, Env, Object, Spelling, TemplateArgument, Ty, Unresolved, Value};
use super::unify::is_parameter;
use super::viability::Viability;
use super::view::{Entity, LookupResult, View};
use super::written_types::spelled;
use crate::facts::lower::ast::*;

/// The longest `__integer_pack` that is expanded; a longer one is left as spelled.
const LONGEST_PACK: usize = 4096;

impl View<'_> {
    /// Resolves a template argument list, packs expanded.
    pub(in crate::facts) fn template_arguments(
        &self,
        arguments: &[Argument],
        env: &Env,
    ) -> Vec<TemplateArgument> {
        let mut resolved = Vec::new();
        for argument in arguments {
            match argument {
                Argument::Pack(inner) if integer_pack(inner).is_some() => {
                    let count = integer_pack(inner).map(|count| self.value(count, env));
                    match count.and_then(|count| usize::try_from(count.int()?).ok()) {
                        Some(count) if count <= LONGEST_PACK => {
                            resolved.extend((0..count as i128).map(number))
                        }
                        _ => resolved.push(TemplateArgument::Type(Ty::opaque(&format!(
                            "{}...",
                            self.template_argument(inner, env).text(Spelling::Shown)
                        )))),
                    }
                }
                Argument::Pack(inner) => match self.expansions(|names| inner.names(names), env) {
                    Some(envs) => resolved.extend(envs.iter().map(|env| self.template_argument(inner, env))),
                    None => {
                        let text = self.template_argument(inner, env).text(Spelling::Shown);
                        resolved.push(TemplateArgument::Type(Ty::opaque(&format!("{text}..."))));
                    }
                },
                other => resolved.push(self.template_argument(other, env)),
            }
        }
        resolved
    }

    /// Whether an argument is of the kind of a template parameter: a type, a constant or a template ([temp.arg.general]).
    pub(super) fn is_of_kind(
        &self,
        parameter: &TemplateParameter,
        argument: &TemplateArgument,
        env: &Env,
    ) -> Viability {
        let open_if = |open: bool| if open { Viability::CantTell } else { Viability::No };
        match argument {
            TemplateArgument::Type(Ty::Opaque { .. } | Ty::Parameter(..))
            | TemplateArgument::Value(Value::Opaque(_))
            | TemplateArgument::Pack(_) => Viability::CantTell,
            TemplateArgument::Type(ty) => match parameter.type_or_concept {
                Some(_) if self.type_constraint(parameter, env).is_some() => Viability::Yes,
                // `int(n)` is written like a function type.
                Some(_) => open_if(matches!(ty, Ty::Function(..))),
                // An injected-class-name names the template too ([temp.local]/1).
                None if parameter.template => open_if(matches!(ty, Ty::Class(_))),
                None => Viability::Yes,
            },
            TemplateArgument::Value(_) | TemplateArgument::Integer(..) => {
                Viability::settled(parameter.type_or_concept.is_some())
            }
            TemplateArgument::Template(_) => Viability::settled(parameter.template),
        }
    }

    /// An environment for each element of the packs that a pattern names, with these bound to it
    /// ([temp.variadic]); `None` if it names no pack whose elements are known.
    pub(in crate::facts) fn expansions(
        &self,
        pattern: impl Fn(&mut Vec<Symbol>),
        env: &Env,
    ) -> Option<Vec<Env>> {
        let mut names = Vec::new();
        pattern(&mut names);
        let mut packs: Vec<(Symbol, Vec<TemplateArgument>)> = Vec::new();
        for name in names {
            match self.lookup_unqualified(name, env) {
                LookupResult::TemplateArgument(TemplateArgument::Pack(members)) => {
                    packs.push((name, members))
                }
                // An expansion around this one has bound it to an element: `(run<T, List<T...>>(), ...)`.
                LookupResult::TemplateArgument(_) => {
                    packs.extend(env.bound_pack(name).map(|members| (name, members.to_vec())));
                }
                _ => {}
            }
        }
        let count = packs.iter().map(|(_, members)| members.len()).min()?;
        let element = |index: usize| {
            let one = packs.iter().map(|(name, members)| (*name, members[index].clone()));
            env.with_bindings(one.collect())
        };
        Some((0..count).map(element).collect())
    }

    /// The parameter-type-list of a function ([dcl.fct]), packs expanded.
    pub(in crate::facts) fn parameter_types(&self, function: &Function, env: &Env) -> Vec<Ty> {
        let mut types = Vec::new();
        for parameter in &function.parameters {
            let envs = match &parameter.ty {
                Type::Pack(pattern) => self.expansions(|names| pattern.names(names), env),
                _ => None,
            };
            match envs {
                Some(envs) => types.extend(envs.iter().map(|env| self.parameter_ty(&parameter.ty, env))),
                None => types.push(self.parameter_ty(&parameter.ty, env)),
            }
        }
        types
    }

    /// Resolves a template argument that is no pack expansion: lookup tells whether a name denotes a type, a
    /// template or a value.
    pub(in crate::facts) fn template_argument(&self, argument: &Argument, env: &Env) -> TemplateArgument {
        match argument {
            Argument::Value(expr) => TemplateArgument::Value(self.argument_value(expr, env)),
            Argument::Pack(inner) => self.template_argument(inner, env),
            Argument::Type(Type::Named(path)) => match self.lookup(path, env) {
                LookupResult::TemplateArgument(TemplateArgument::Template(_))
                    if path.last().arguments.is_some() =>
                {
                    TemplateArgument::Type(self.named_type(path, env))
                }
                LookupResult::TemplateArgument(bound) => bound,
                // A type trait whose header was not found.
                LookupResult::Nothing => match self.closure_trait(path, env) {
                    Some(value) => TemplateArgument::Value(value),
                    None => TemplateArgument::Type(self.named_type(path, env)),
                },
                LookupResult::Entities(entities) => match entities.first().map(|entity| &entity.decl.kind) {
                    Some(DeclBody::Variable(_)) => TemplateArgument::Value(self.variable_argument(path, env)),
                    Some(DeclBody::Function(_)) => TemplateArgument::Value(self.name_value(path, env)),
                    Some(DeclBody::Enum(_)) if entities[0].decl.name != path.last().name => {
                        TemplateArgument::Value(self.name_value(path, env))
                    }
                    Some(DeclBody::Class(Class { arguments: None, .. }) | DeclBody::Alias(_))
                        if path.last().arguments.is_none() && !entities[0].decl.templates.is_empty() =>
                    {
                        self.template_named(&entities)
                    }
                    _ => TemplateArgument::Type(self.named_type(path, env)),
                },
                LookupResult::Parameter(_) => {
                    let value = self.constant(&Expr::Name(path.clone()), env);
                    TemplateArgument::Value(match value {
                        Some(value @ Value::Int(..)) => value,
                        _ => Value::opaque(&spelled(path.whole())),
                    })
                }
                _ => TemplateArgument::Type(self.named_type(path, env)),
            },
            // `table[2]` parses as an array type.
            Argument::Type(Type::Array(of, Some(index))) => match self.variable_name(of, env) {
                Some(path) => {
                    let element = Expr::Subscript(Box::new(Expr::Name(path.clone())), index.clone());
                    TemplateArgument::Value(self.argument_value(&element, env))
                }
                None => {
                    TemplateArgument::Type(Ty::Array(Rc::new(self.ty(of, env)), Some(self.value(index, env))))
                }
            },
            Argument::Type(Type::Call(_, expr)) if self.is_call(expr, env) => {
                TemplateArgument::Value(self.argument_value(expr, env))
            }
            Argument::Type(ty) => TemplateArgument::Type(self.ty(ty, env)),
        }
    }

    /// A class template or an alias template as a template argument.
    pub(super) fn template_named(&self, entities: &[Entity]) -> TemplateArgument {
        if let Some(meant) = self.template_meant(&entities[0]) {
            return self
                .within_limits(|| self.template_named(&meant))
                .unwrap_or_else(|| self.own_name(&meant));
        }
        self.own_name(entities)
    }

    /// The template that an alias template stands for, whose parameters are those of the alias in the same order: nvcc takes
    /// the two for one (CWG issue 1286; measured on 13.0).
    fn template_meant(&self, alias: &Entity) -> Option<Vec<Entity>> {
        let (DeclBody::Alias(Type::Named(path)), Some(head)) =
            (&alias.decl.kind, alias.decl.templates.last())
        else {
            return None;
        };
        let parameters = &head.parameters;
        let passes_on = |(parameter, argument): (&TemplateParameter, &Argument)| match argument {
            Argument::Type(Type::Named(name)) => {
                !parameter.pack && is_parameter(name, std::slice::from_ref(parameter))
            }
            Argument::Pack(inner) => {
                parameter.pack
                    && matches!(inner.as_ref(), Argument::Type(Type::Named(name)) if is_parameter(name, std::slice::from_ref(parameter)))
            }
            Argument::Value(Expr::Name(name)) => {
                !parameter.pack && is_parameter(name, std::slice::from_ref(parameter))
            }
            Argument::Type(_) | Argument::Value(_) => false,
        };
        let arguments = path.last().arguments.as_ref()?;
        if arguments.len() != parameters.len() || !parameters.iter().zip(arguments).all(passes_on) {
            return None;
        }
        let mut template = path.clone();
        template.segments.last_mut()?.arguments = None;
        let LookupResult::Entities(found) = self.lookup(&template, &alias.env) else { return None };
        let same_head = |other: &Entity| {
            other.decl.templates.last().is_some_and(|other| {
                other.parameters.len() == parameters.len()
                    && other.parameters.iter().zip(parameters).all(|(one, other)| {
                        (one.pack, one.template, one.type_or_concept.is_some())
                            == (other.pack, other.template, other.type_or_concept.is_some())
                    })
            })
        };
        let is_template =
            |one: &Entity| matches!(one.decl.kind, DeclBody::Class(_) | DeclBody::Alias(_)) && same_head(one);
        found.first().is_some_and(is_template).then(|| found.to_vec())
    }

    /// A class template or an alias template by its own name.
    fn own_name(&self, entities: &[Entity]) -> TemplateArgument {
        let name: Rc<str> = self.qualified_name(&entities[0]).into();
        if entities[0].owner.is_some() {
            let passes = self.all_alike(entities).or(self.only_here());
            self.caches.member_templates.insert(name.clone(), passes, entities.to_vec());
        }
        TemplateArgument::Template(name)
    }

    /// The name of a variable that was parsed as a type.
    pub(super) fn variable_name<'t>(&self, ty: &'t Type, env: &Env) -> Option<&'t Path> {
        let Type::Named(path) = ty else { return None };
        match self.lookup(path, env) {
            LookupResult::Entities(all) => {
                matches!(all.first()?.decl.kind, DeclBody::Variable(_)).then_some(path)
            }
            _ => None,
        }
    }

    /// Whether what may be a parameter's type or an operand is an operand.
    fn is_value(&self, expr: &Expr, env: &Env) -> bool {
        match expr {
            Expr::Name(path) => self.names_value(path, env),
            Expr::Call(..) | Expr::Construct(..) => self.is_call(expr, env),
            _ => true,
        }
    }

    fn names_value(&self, path: &Path, env: &Env) -> bool {
        match self.lookup(path, env) {
            LookupResult::Parameter(_) | LookupResult::TemplateArgument(TemplateArgument::Value(_)) => true,
            LookupResult::TemplateArgument(TemplateArgument::Pack(members)) => {
                matches!(members.first(), Some(TemplateArgument::Value(_)))
            }
            LookupResult::Entities(entities) => entities.iter().any(|one| match &one.decl.kind {
                DeclBody::Variable(_) | DeclBody::Function(_) => true,
                DeclBody::Enum(_) => one.decl.name != path.last().name,
                _ => false,
            }),
            _ => false,
        }
    }

    /// Whether an argument that parses as a function type is a call or a functional cast.
    fn is_call(&self, expr: &Expr, env: &Env) -> bool {
        let by_arguments = |arguments: &[Expr]| match arguments.first() {
            Some(Expr::Expansion(first)) => self.is_value(first, env),
            Some(first) => self.is_value(first, env),
            None => false,
        };
        match expr {
            Expr::Call(callee, arguments) => match callee.as_ref() {
                Expr::Name(path) => self.names_value(path, env) || by_arguments(arguments),
                _ => true,
            },
            Expr::Construct(_, arguments) => by_arguments(arguments),
            _ => false,
        }
    }

    /// Binds template parameters to the given arguments, and the rest to their default arguments.
    pub(in crate::facts) fn bind(
        &self,
        parameters: &[TemplateParameter],
        given: Vec<TemplateArgument>,
        env: &Env,
    ) -> Bindings {
        let mut bindings: Bindings = Vec::new();
        let mut given = given.into_iter();
        for parameter in parameters {
            let bound = if parameter.pack {
                TemplateArgument::Pack(given.by_ref().collect())
            } else {
                match given.next() {
                    Some(bound) => bound,
                    None => self.default_argument(parameter, &env.with_bindings(bindings.clone())),
                }
            };
            let bound =
                self.converted_template_argument(bound, parameter, &env.with_bindings(bindings.clone()));
            bindings.push((parameter.name, bound));
        }
        bindings
    }

    /// The default argument of a template parameter; dependent and opaque if it has none.
    fn default_argument(&self, parameter: &TemplateParameter, env: &Env) -> TemplateArgument {
        match &parameter.default {
            Some(default) => self.template_argument(default, &env.of_default(parameter.default_from)),
            None => TemplateArgument::Type(Ty::Opaque {
                text: parameter.name.as_str().into(),
                because: Unresolved::Dependent,
            }),
        }
    }

    /// The variable that is a template argument: its value, or else the variable itself. An array whose elements are not
    /// constants, and an object of class type that is none, are objects without known parts: what the object converts to
    /// may depend on its class alone.
    fn variable_argument(&self, path: &Path, env: &Env) -> Value {
        match (self.name_value(path, env), self.type_of(&Expr::Name(path.clone()), env)) {
            (Value::Opaque(name), Some(ty @ Ty::Array(..))) if ty.is_sure() => {
                Value::Object(Rc::new(Object { ty, names: [].into(), parts: Vec::new(), named: Some(name) }))
            }
            (Value::Opaque(name), Some(ty)) if ty.is_sure() => match ty.without_cvref() {
                Ty::Class(class) => self.named_object(class, &name).unwrap_or(Value::Opaque(name)),
                _ => Value::Opaque(name),
            },
            (value, _) => value,
        }
    }

    /// The converted template argument ([temp.arg.nontype]): a constant converted to the parameter's type.
    pub(in crate::facts) fn converted_template_argument(
        &self,
        bound: TemplateArgument,
        parameter: &TemplateParameter,
        env: &Env,
    ) -> TemplateArgument {
        let Some(ty) = &parameter.type_or_concept else {
            return match bound {
                // The injected-class-name of a class template names the template here ([temp.local]/1).
                TemplateArgument::Type(Ty::Class(class)) if parameter.template => {
                    TemplateArgument::Template(class.name.as_str().into())
                }
                bound => bound,
            };
        };
        let bound = self.constant_argument(bound.named(), ty, parameter, env);
        if ty.is_placeholder() { bound.of_placeholder() } else { bound }
    }

    /// An argument of a parameter that is no type, or is a constrained one; `ty` is the type, or the concept.
    fn constant_argument(
        &self,
        bound: TemplateArgument,
        ty: &Type,
        parameter: &TemplateParameter,
        env: &Env,
    ) -> TemplateArgument {
        match bound {
            TemplateArgument::Value(value) => {
                let meant = self.ty(ty, env);
                let meant = match (&meant, ty, value.ty()) {
                    // The class of `template <Name name>` is deduced from the argument ([temp.arg.nontype]/1).
                    (Ty::Opaque { .. }, Type::Named(path), Some(of)) => {
                        let name = Symbol::intern("template argument");
                        let env = env.with_parameters(vec![(name, Ty::LvalueReference(Rc::new(of)))]);
                        self.deduced_class_type(path, &[Expr::Name(Path::plain(name))], &env).unwrap_or(meant)
                    }
                    _ => meant,
                };
                TemplateArgument::Value(self.converted_argument(value, &meant))
            }
            // A name that no declaration was found for was taken for a type; here it has to be a constant.
            TemplateArgument::Type(Ty::Opaque { text, .. })
                if self.type_constraint(parameter, env).is_none() =>
            {
                TemplateArgument::Value(Value::Opaque(text))
            }
            TemplateArgument::Pack(members) => {
                let is_number =
                    |one: &TemplateArgument| matches!(one, TemplateArgument::Value(Value::Int(..)));
                // There may be thousands of numbers, of one type.
                let numbers = members.iter().all(is_number).then(|| self.ty(ty, env));
                let converted = |one| match (one, &numbers) {
                    (TemplateArgument::Value(value), Some(meant @ Ty::Builtin(_))) => {
                        TemplateArgument::Value(self.converted_argument(value, meant))
                    }
                    (one, _) => self.constant_argument(one, ty, parameter, env),
                };
                TemplateArgument::Pack(members.into_iter().map(converted).collect())
            }
            other => other,
        }
    }
}

/// Explicit template arguments as what tells a use of some templates from others: with their types where a parameter of
/// one of these has a placeholder type.
pub(super) fn told_apart<'a>(
    templates: &[Entity],
    given: &'a [TemplateArgument],
) -> Cow<'a, [TemplateArgument]> {
    let takes_any = |number: usize| {
        templates.iter().filter_map(|entity| entity.decl.templates.last()).any(|head| {
            let pack = head.parameters.last().filter(|last| last.pack);
            let parameter = head.parameters.get(number).or(pack);
            parameter.and_then(|one| one.type_or_concept.as_ref()).is_some_and(Type::is_placeholder)
        })
    };
    if !(0..given.len()).any(takes_any) {
        return Cow::Borrowed(given);
    }
    let one = |(number, one): (usize, &TemplateArgument)| match takes_any(number) {
        true => one.clone().of_placeholder(),
        false => one.clone(),
    };
    given.iter().enumerate().map(one).collect()
}

/// The `n` of GCC's `__integer_pack(n)...`, which expands to the integers below `n`:
/// `std::make_index_sequence` is implemented with it.
fn integer_pack(pattern: &Argument) -> Option<&Expr> {
    let call = match pattern {
        Argument::Value(expr) => expr,
        Argument::Type(Type::Call(_, expr)) => expr.as_ref(),
        _ => return None,
    };
    match call {
        Expr::Call(callee, arguments) => match (callee.as_ref(), &**arguments) {
            (Expr::Name(path), [count]) if path.last().name.as_str() == "__integer_pack" => Some(count),
            _ => None,
        },
        _ => None,
    }
}

/// A template argument of type `std::size_t`.
fn number(value: i128) -> TemplateArgument {
    TemplateArgument::Value(Value::Int(value, Symbol::intern("unsigned long")))
}
