//! Template argument deduction from calls ([temp.deduct.call]).
//!
//! In: a function template and the arguments of a call. Out: bindings, and whether the call can be one of it.

use std::cell::OnceCell;
use std::rc::Rc;

use crate::source::{Symbol, sym};

use super::binding::{bind_once, match_expansion, same_argument};
use super::candidates::Deduced;
use super::categories::ValueCategory;
use super::types::{Bindings, Env, TemplateArgument, Ty, Value};
use super::unify::{is_parameter, type_mentions_parameter};
use super::viability::Viability;
use super::view::{Entity, LookupResult, View};
use crate::facts::lower::ast::*;
use crate::facts::lower::nodes::PARENTHESES;

/// Stands in the text of a template argument that could not be deduced.
const DEDUCED_FROM: &str = " deduced from (";

/// What is known of the implied object argument of a member function call ([over.match.funcs]).
#[derive(Clone, Copy)]
pub(in crate::facts) struct ImpliedObject {
    pub is_const: bool,
    pub category: ValueCategory,
}

/// The arguments of a call, packs expanded, with their types as far as they are known.
pub(in crate::facts) struct Call<'c> {
    pub arguments: Vec<(&'c Expr, Env)>,
    /// Computed when first needed: not every candidate looks at them.
    types: Vec<OnceCell<Option<Ty>>>,
    /// The types with which forwarding references are deduced ([temp.deduct.call]/3), likewise.
    forwarded: Vec<OnceCell<Option<Ty>>>,
    /// The arguments as text, likewise.
    text: OnceCell<String>,
    /// An argument expands a pack whose elements are not known, so there may be more or fewer arguments.
    open: bool,
    /// The implied object argument of a member function call; `None` if its class is not known.
    pub(super) object: Option<ImpliedObject>,
    /// It is of a constructor that copy-initialization calls, or chooses a deduction guide for it: no explicit one takes
    /// part ([over.match.copy], [over.match.class.deduct]/1).
    pub(super) copy_initializes: bool,
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
            match view.expansions(|names| pattern.unexpanded_names(names), env) {
                Some(envs) => arguments.extend(envs.into_iter().map(|env| (pattern.as_ref(), env))),
                None => open = true,
            }
        }
        Call {
            types: vec![OnceCell::new(); arguments.len()],
            forwarded: vec![OnceCell::new(); arguments.len()],
            arguments,
            text: OnceCell::new(),
            open,
            object: None,
            copy_initializes: false,
            env,
        }
    }

    /// The call of an operator function with operands as its arguments.
    pub(in crate::facts) fn of_operands(operands: &[&'c Expr], env: &'c Env) -> Call<'c> {
        let arguments: Vec<_> = operands.iter().map(|operand| (*operand, env.clone())).collect();
        Call {
            types: vec![OnceCell::new(); arguments.len()],
            forwarded: vec![OnceCell::new(); arguments.len()],
            arguments,
            text: OnceCell::new(),
            open: false,
            object: None,
            copy_initializes: false,
            env,
        }
    }

    /// The call of an operator function with the operands of this one.
    pub(super) fn again(&self) -> Call<'c> {
        Call {
            types: self.types.clone(),
            forwarded: self.forwarded.clone(),
            arguments: self.arguments.clone(),
            text: OnceCell::new(),
            ..*self
        }
    }

    /// The call of a member function of the first argument, with the others as its arguments.
    pub(in crate::facts) fn of_first(mut self) -> Call<'c> {
        self.arguments.remove(0);
        self.types.remove(0);
        self.forwarded.remove(0);
        self.text = OnceCell::new();
        self
    }

    /// The call with what is known of its implied object argument.
    pub(in crate::facts) fn of_object(self, object: Option<ImpliedObject>) -> Call<'c> {
        Call { object, ..self }
    }

    /// The call as one for copy-initialization, if it is.
    pub(in crate::facts) fn for_copy(self, copy_initializes: bool) -> Call<'c> {
        Call { copy_initializes, ..self }
    }

    /// The use of a function's name without a call.
    pub(in crate::facts) fn none(env: &'c Env) -> Call<'c> {
        let (arguments, types, forwarded) = (Vec::new(), Vec::new(), Vec::new());
        let text = OnceCell::new();
        Call { arguments, types, forwarded, text, open: false, object: None, copy_initializes: false, env }
    }

    /// The type of an argument; `None` if there is no such argument or its type is not known.
    pub(in crate::facts) fn ty(&self, view: &View<'_>, number: usize) -> Option<&Ty> {
        let ty = || {
            let (argument, env) = &self.arguments[number];
            view.type_of(argument, env)
        };
        self.types.get(number)?.get_or_init(ty).as_ref()
    }

    /// The type with which a forwarding reference is deduced from an argument: an lvalue reference for an lvalue.
    pub(super) fn forwarded(&self, view: &View<'_>, number: usize) -> Option<&Ty> {
        let ty = || {
            let ty = self.ty(view, number)?.clone();
            let (argument, env) = &self.arguments[number];
            Some(match view.value_category(argument, Some(&ty), env) {
                ValueCategory::Lvalue => Ty::LvalueReference(Rc::new(view.object_type(argument, ty, env))),
                _ => without_reference(ty),
            })
        };
        self.forwarded.get(number)?.get_or_init(ty).as_ref()
    }

    /// The arguments as text, by which undeduced template arguments are told apart.
    fn text(&self, view: &View<'_>) -> &str {
        let text = || {
            let texts = self.arguments.iter().map(|(argument, env)| {
                let text = view.expr_text(argument, env);
                // The argument of a recursive call that is not deduced either would repeat its own text.
                if text.contains(DEDUCED_FROM) { "…".to_string() } else { text }
            });
            texts.collect::<Vec<_>>().join(", ")
        };
        self.text.get_or_init(text)
    }

    /// Whether an argument is a null pointer constant that has a type of its own: the integer literal zero ([conv.ptr]/1).
    pub(super) fn is_zero(&self, number: usize) -> bool {
        let Some(&(mut argument, _)) = self.arguments.get(number) else { return false };
        while let Expr::Unary(operator, inner) = argument
            && operator.as_str() == PARENTHESES
        {
            argument = inner;
        }
        matches!(argument, Expr::Int(0, ty) if !matches!(*ty, sym::BOOL | sym::CHAR))
    }

    /// Whether there may be more or fewer arguments than are known.
    pub(in crate::facts) fn is_open(&self) -> bool {
        self.open
    }

    /// Whether the number of the arguments and the type of each is known.
    pub(in crate::facts) fn is_settled(&self, view: &View<'_>) -> bool {
        !self.open && (0..self.arguments.len()).all(|number| self.ty(view, number).is_some_and(Ty::is_sure))
    }

    /// Whether the number of arguments is in a range.
    pub(in crate::facts) fn count_in(&self, numbers: std::ops::RangeInclusive<usize>) -> Viability {
        match self.open && self.arguments.len() <= *numbers.end() {
            true => Viability::CantTell,
            false => Viability::settled(numbers.contains(&self.arguments.len())),
        }
    }

    /// Whether a function takes that many arguments ([over.match.viable]/2).
    pub(in crate::facts) fn fits_by_count(&self, function: &Function) -> Viability {
        let is_pack = |parameter: &Parameter| matches!(parameter.ty, Type::Pack(_));
        let required = |one: &&Parameter| one.default.is_none() && !is_pack(one);
        let required = function.parameters.iter().filter(required).count();
        let pack = function.parameters.iter().any(is_pack);
        let most = if function.variadic || pack { usize::MAX } else { function.parameters.len() };
        self.count_in(required..=most)
    }
}

/// The type of a parameter that takes a braced list: `std::initializer_list<T>`, or `T (&)[N]`.
#[derive(Clone, Copy)]
struct ListParameter<'t> {
    element: &'t Type,
    /// The bound of the array.
    length: Option<&'t Expr>,
}

impl ListParameter<'_> {
    fn of(ty: &Type) -> Option<ListParameter<'_>> {
        match strip_cv_and_references(ty) {
            Type::Named(path) if path.last().name.as_str() == "initializer_list" => {
                match path.last().arguments.as_deref() {
                    Some([Argument::Type(element)]) => Some(ListParameter { element, length: None }),
                    _ => None,
                }
            }
            Type::Array(element, length) => Some(ListParameter { element, length: length.as_deref() }),
            _ => None,
        }
    }
}

impl View<'_> {
    /// Whether a template can take explicit template arguments: not more than it has parameters, and each of the kind of
    /// its parameter ([temp.arg.general], [temp.arg.explicit]/3).
    pub(in crate::facts) fn takes_explicit(&self, entity: &Entity, given: &[TemplateArgument]) -> Viability {
        let parameters = entity.decl.templates.last().map_or(&[][..], |head| &head.parameters);
        let pack = parameters.iter().position(|parameter| parameter.pack);
        // A pack takes all that follow.
        let takers = parameters[..pack.unwrap_or(parameters.len())].iter().zip(given);
        Viability::settled(pack.is_some() || given.len() <= parameters.len())
            .and(|| Viability::all(takers.map(|(one, given)| self.is_of_kind(one, given, &entity.env))))
            .and(|| if pack.is_some() { Viability::CantTell } else { Viability::Yes })
    }

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
        let (found, viable) = self.matched(entity, function, given, call);
        self.completed(entity, function, found, viable, call)
    }

    /// As [`View::deduce`]; `None` if the call can't be one of the function, whose default arguments are not looked at then.
    pub(in crate::facts) fn deduce_viable(
        &self,
        entity: &Entity,
        function: &Function,
        given: Vec<TemplateArgument>,
        call: &Call<'_>,
    ) -> Option<Deduced> {
        if !entity.decl.templates.is_empty() && call.fits_by_count(function).is_ruled_out() {
            return None;
        }
        let (found, viable) = self.matched(entity, function, given, call);
        let never_bound = |parameter: &TemplateParameter| {
            // Default arguments of the function deduce nothing ([temp.deduct.type]/5.6).
            let has_argument = |number: usize| call.is_open() || number < call.arguments.len();
            let in_parameters = |(number, one): (usize, &Parameter)| {
                has_argument(number) && type_mentions_parameter(&one.ty, std::slice::from_ref(parameter))
            };
            !parameter.pack
                && parameter.default.is_none()
                && !found.iter().any(|(name, _)| *name == parameter.name)
                && !function.parameters.iter().enumerate().any(in_parameters)
        };
        // An argument that is neither given, deducible nor a default makes deduction fail ([temp.deduct.type]/2).
        let head = entity.decl.templates.last();
        let fails = viable.is_ruled_out() || head.is_some_and(|head| head.parameters.iter().any(never_bound));
        (!fails).then(|| self.completed(entity, function, found, viable, call))
    }

    /// Binds the template parameters that have explicit arguments and those that the call's arguments deduce, and tells
    /// whether these fit.
    fn matched(
        &self,
        entity: &Entity,
        function: &Function,
        given: Vec<TemplateArgument>,
        call: &Call<'_>,
    ) -> (Bindings, Viability) {
        let Some(head) = entity.decl.templates.last() else { return (Vec::new(), Viability::Yes) };
        let parameters = &head.parameters;
        if self.takes_explicit(entity, &given).is_ruled_out() {
            return (Vec::new(), Viability::No);
        }
        let mut found = self.explicit_arguments(parameters, given, &entity.env);
        // Parameters with explicit arguments take part in no deduction: arguments are converted to them
        // ([temp.arg.explicit]/7).
        let is_open = |one: &&TemplateParameter| one.pack || !found.iter().any(|(name, _)| *name == one.name);
        let open: Vec<TemplateParameter> = parameters.iter().filter(is_open).cloned().collect();
        // A pack's explicit arguments are its first ones, and deduction may find more ([temp.arg.explicit]/9).
        let is_pack = |name: Symbol| parameters.iter().any(|one| one.pack && one.name == name);
        let explicit: Bindings = found.extract_if(.., |(name, _)| is_pack(*name)).collect();
        let mut viable = call.fits_by_count(function);
        for (number, parameter) in function.parameters.iter().enumerate() {
            if let Type::Pack(pattern) = &parameter.ty {
                let fits = self.deduce_pack(pattern, &open, number, entity, call, &mut found);
                viable = viable.and(|| fits);
                break;
            }
            if let Some((Expr::List(values), env)) = call.arguments.get(number)
                && let Some(list) = self.list_parameter(&parameter.ty, &entity.env)
            {
                viable = viable.and(|| self.deduce_list(list, values, env, &open, entity, &mut found));
            } else if call.is_zero(number) && is_pointer_or_undeduced(&parameter.ty, &open) {
                // Nothing is deduced from it, and a parameter without template parameters is a matter of ranking.
                let fits = || Viability::settled(!type_mentions_parameter(&parameter.ty, &open));
                viable = viable.and(fits);
            } else if let Some(actual) = call.ty(self, number) {
                let argument = self.deduced_from(&parameter.ty, &open, actual.clone(), call, number);
                let fits = self.deduce_one(&parameter.ty, &open, argument, &entity.env, &mut found);
                // To a parameter without template parameters an argument is converted, which is ranked and not deduced.
                let fits = match type_mentions_parameter(&parameter.ty, &open) {
                    false if !fits.is_ruled_out() => Viability::Yes,
                    _ => fits,
                };
                viable = viable.and(|| fits);
            }
        }
        let extends = extend_explicit(explicit, function, call, &mut found);
        viable = viable.and(|| extends);
        if self.copies_by_value(entity, function, &found, call) {
            viable = Viability::No;
        }
        let has_braced_list = || call.arguments.iter().any(|(one, _)| matches!(one, Expr::List(_)));
        let fails = has_braced_list()
            && open.iter().any(|one| {
                !found.iter().any(|(name, _)| *name == one.name)
                    && self.is_given_braced_lists_alone(one, entity, function, call)
            });
        (found, if fails { Viability::No } else { viable })
    }

    /// Whether a constructor template with these arguments would take an object of its own class by value, and nothing else
    /// that has no default: nothing is copied by such a constructor ([class.copy.ctor]/5).
    fn copies_by_value(
        &self,
        entity: &Entity,
        function: &Function,
        found: &Bindings,
        call: &Call<'_>,
    ) -> bool {
        let Some(class) = &entity.owner else { return false };
        let [first, rest @ ..] = function.parameters.as_slice() else { return false };
        let is_constructor = class.decl.as_ref().is_some_and(|decl| decl.name == entity.decl.name);
        // The parameters that a pack gives have no defaults.
        let is_given_one = !call.is_open() && call.arguments.len() == 1;
        let is_left_out = |one: &Parameter| match one.ty {
            Type::Pack(_) => is_given_one,
            _ => one.default.is_some(),
        };
        is_constructor
            && matches!(first.ty, Type::Named(_))
            && rest.iter().all(is_left_out)
            && match self.ty(&first.ty, &entity.env.with_bindings(found.clone())).unqualified() {
                Ty::Class(taken) => taken.is_same(class),
                _ => false,
            }
    }

    /// Whether the only arguments that could deduce a template parameter are braced lists for parameters that take none: then
    /// deduction fails ([temp.deduct.call]/1, [temp.deduct.type]/2).
    fn is_given_braced_lists_alone(
        &self,
        parameter: &TemplateParameter,
        entity: &Entity,
        function: &Function,
        call: &Call<'_>,
    ) -> bool {
        let own = std::slice::from_ref(parameter);
        let takes_no_list = |ty: &Type| match strip_cv_and_references(ty) {
            Type::Named(path) if is_parameter(path, own) => true,
            Type::Named(path) if path.last().name.as_str() != "initializer_list" => {
                match self.lookup(path, &entity.env) {
                    LookupResult::Class(_) => true,
                    // An alias may stand for a type that takes one.
                    LookupResult::Entities(found) => {
                        !found.is_empty()
                            && found.iter().all(|one| matches!(one.decl.kind, DeclBody::Class(_)))
                    }
                    _ => false,
                }
            }
            _ => false,
        };
        let parameters = function.parameters.iter().enumerate();
        let mut mentions = parameters.filter(|(_, one)| type_mentions_parameter(&one.ty, own)).peekable();
        !parameter.pack
            && parameter.default.is_none()
            && mentions.peek().is_some()
            && mentions.all(|(number, one)| {
                matches!(call.arguments.get(number), Some((Expr::List(_), _))) && takes_no_list(&one.ty)
            })
    }

    /// Binds the rest of the template parameters to their default arguments. An error in one rules out this candidate, and not
    /// the expression that the call is in ([temp.deduct]/8).
    fn completed(
        &self,
        entity: &Entity,
        function: &Function,
        found: Bindings,
        mut viable: Viability,
        call: &Call<'_>,
    ) -> Deduced {
        let parameters = entity.decl.templates.last().map_or(&[][..], |head| &head.parameters);
        let mut bindings: Bindings = Vec::new();
        let mut is_spelled = false;
        let mut undeduced = |parameter: &TemplateParameter| {
            is_spelled = true;
            self.undeduced(parameter, call)
        };
        for parameter in parameters {
            let inner = entity.env.with_bindings(bindings.clone());
            let bound = match found.iter().find(|(name, _)| *name == parameter.name) {
                Some((_, bound)) => bound.clone(),
                None if parameter.pack && call.is_open() => undeduced(parameter),
                None if parameter.pack => TemplateArgument::Pack(Vec::new()),
                None => match &parameter.default {
                    Some(_) if self.may_be_deduced(parameter, function, call) => undeduced(parameter),
                    Some(default) => {
                        let env = inner.of_default(parameter.default_from);
                        let (bound, substitutes) = self.substituted(|| self.template_argument(default, &env));
                        viable = viable.and(|| substitutes);
                        bound
                    }
                    None => undeduced(parameter),
                },
            };
            let bound = match (&bound, &parameter.type_or_concept, &entity.decl.kind) {
                // The type of the parameter is a part of the declaration, which may ask for the function again.
                (
                    TemplateArgument::Value(_) | TemplateArgument::Integer(..) | TemplateArgument::Pack(_),
                    Some(_),
                    DeclBody::Function(function),
                ) => {
                    let known = bindings.iter().map(|(_, known)| known);
                    let convert = || self.converted_template_argument(bound.clone(), parameter, &inner);
                    self.without_recursion(function, known, convert).unwrap_or(bound)
                }
                _ => self.converted_template_argument(bound, parameter, &inner),
            };
            bindings.push((parameter.name, bound));
        }
        let arguments = bindings.iter().map(|(_, bound)| bound.clone()).collect();
        Deduced { bindings, arguments, viable, is_spelled }
    }

    /// Whether an argument whose type is not known may deduce a template parameter: its default argument does not count then.
    fn may_be_deduced(&self, parameter: &TemplateParameter, function: &Function, call: &Call<'_>) -> bool {
        let is_open = |number: usize| match call.arguments.get(number) {
            Some((Expr::List(_), _)) => false,
            Some(_) => !call.ty(self, number).is_some_and(Ty::is_sure),
            None => call.is_open(),
        };
        let own = std::slice::from_ref(parameter);
        let parameters = function.parameters.iter().enumerate();
        parameters.filter(|(_, one)| type_mentions_parameter(&one.ty, own)).any(|(number, one)| {
            match one.ty {
                Type::Pack(_) => call.is_open() || (number..call.arguments.len()).any(is_open),
                _ => is_open(number),
            }
        })
    }

    /// A type as a parameter that takes a braced list, if it is one: an alias may stand for that.
    fn list_parameter<'t>(&self, ty: &'t Type, env: &Env) -> Option<ListParameter<'t>> {
        let of_alias = || {
            let Type::Named(path) = strip_cv_and_references(ty) else { return None };
            let Some([Argument::Type(element)]) = path.last().arguments.as_deref() else { return None };
            let LookupResult::Entities(found) = self.lookup(path, env) else { return None };
            let decl = &found.first()?.decl;
            let DeclBody::Alias(meant) = &decl.kind else { return None };
            let parameters = &decl.templates.last()?.parameters;
            let list = ListParameter::of(meant).filter(|list| list.length.is_none())?;
            let Type::Named(of) = list.element else { return None };
            is_parameter(of, parameters).then_some(ListParameter { element, length: None })
        };
        ListParameter::of(ty).or_else(of_alias)
    }

    /// Deduces from a parameter that takes a braced list, and the elements of one ([temp.deduct.call]/1).
    fn deduce_list(
        &self,
        ListParameter { element, length }: ListParameter<'_>,
        values: &[Expr],
        env: &Env,
        open: &[TemplateParameter],
        entity: &Entity,
        found: &mut Bindings,
    ) -> Viability {
        let types = values.iter().filter_map(|value| self.type_of(value, env));
        let mut fits =
            Viability::all(types.map(|actual| self.deduce_one(element, open, actual, &entity.env, found)));
        if let Some(Expr::Name(path)) = length
            && is_parameter(path, open)
            && !values.iter().any(|value| matches!(value, Expr::Expansion(_)))
        {
            let count = Value::Int(values.len() as i128, Symbol::intern("unsigned long"));
            fits = fits.and(|| bind_once(path.last().name, TemplateArgument::Value(count), found));
        }
        fits
    }

    /// The opaque argument of a template parameter that could not be deduced.
    fn undeduced(&self, parameter: &TemplateParameter, call: &Call<'_>) -> TemplateArgument {
        let text = format!("{}{DEDUCED_FROM}{})", parameter.name, call.text(self));
        match parameter.type_or_concept {
            Some(_) if self.type_constraint(parameter, call.env).is_none() => {
                TemplateArgument::Value(Value::opaque(&text))
            }
            _ => TemplateArgument::Type(Ty::opaque(&text)),
        }
    }

    /// Binds the explicit template arguments; a trailing pack takes the rest, and deduction may extend it
    /// ([temp.arg.explicit]/9).
    pub(in crate::facts) fn explicit_arguments(
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
    ) -> Viability {
        let count = call.arguments.len().saturating_sub(from);
        if count == 0 {
            return Viability::Yes;
        }
        let each = |number: usize, own: &mut Bindings| {
            let (argument, env) = &call.arguments[from + number];
            let actual = call.ty(self, from + number).cloned();
            let actual =
                actual.unwrap_or_else(|| Ty::opaque(&format!("type of {}", self.expr_text(argument, env))));
            let actual = self.deduced_from(pattern, parameters, actual, call, from + number);
            let fits = self.deduce_one(pattern, parameters, actual, &entity.env, own);
            if type_mentions_parameter(pattern, parameters) { fits } else { Viability::Yes }
        };
        match_expansion(|names| pattern.names(names), parameters, count, found, each)
    }

    /// The type that deduction takes for an argument of a known type.
    fn deduced_from(
        &self,
        parameter: &Type,
        parameters: &[TemplateParameter],
        actual: Ty,
        call: &Call<'_>,
        number: usize,
    ) -> Ty {
        match parameter {
            _ if is_forwarding_reference(parameter, parameters) => {
                call.forwarded(self, number).cloned().unwrap_or(actual)
            }
            Type::LvalueReference(_) => {
                let (argument, env) = &call.arguments[number];
                self.object_type(argument, actual, env)
            }
            _ => actual,
        }
    }

    /// Deduces from one function parameter and the type of its argument ([temp.deduct.call]).
    fn deduce_one(
        &self,
        parameter: &Type,
        parameters: &[TemplateParameter],
        actual: Ty,
        env: &Env,
        found: &mut Bindings,
    ) -> Viability {
        let (pattern, actual) = match parameter {
            _ if is_forwarding_reference(parameter, parameters) => match parameter {
                Type::RvalueReference(inner) => (inner.as_ref(), actual),
                other => (other, actual),
            },
            Type::LvalueReference(inner) => (inner.as_ref(), without_reference(actual)),
            Type::RvalueReference(inner) => (inner.as_ref(), without_reference(actual)),
            Type::Qualified(inner, ..) => (inner.as_ref(), without_reference(actual).decayed()),
            other => (other, without_reference(actual).decayed()),
        };
        let (pattern, actual) = match pattern {
            // The qualifiers of an array are those of its elements ([basic.type.qualifier]/3).
            Type::Qualified(inner, ..) => match actual {
                Ty::Array(of, length) => {
                    (inner.as_ref(), Ty::Array(Rc::new(of.unqualified().clone()), length))
                }
                other => (inner.as_ref(), other.unqualified().clone()),
            },
            other => (other, actual),
        };
        let (Type::Named(path), Ty::Class(class)) = through_pointer(pattern, &actual) else {
            return self.unify(pattern, env, parameters, &actual, found);
        };
        let mut bound = found.clone();
        let fits = self.unify(pattern, env, parameters, &actual, &mut bound);
        if !fits.is_ruled_out() || path.last().arguments.is_none() {
            *found = bound;
            return fits;
        }
        self.unify_base(path, env, parameters, class, found)
    }
}

/// What a parameter and an argument that are pointers point to; other ones themselves.
fn through_pointer<'t>(pattern: &'t Type, actual: &'t Ty) -> (&'t Type, &'t Ty) {
    match (pattern, actual) {
        (Type::Pointer(to), Ty::Pointer(actual)) => match to.as_ref() {
            Type::Qualified(inner, ..) => (inner, actual.unqualified()),
            to => (to, actual),
        },
        other => other,
    }
}

/// Adds the explicit arguments of packs to what deduction found for the packs, which has to begin with them. To an element
/// of a function parameter pack an argument is converted.
fn extend_explicit(
    explicit: Bindings,
    function: &Function,
    call: &Call<'_>,
    found: &mut Bindings,
) -> Viability {
    let mut converted = Vec::new();
    for parameter in &function.parameters {
        if let Type::Pack(pattern) = &parameter.ty {
            pattern.names(&mut converted);
        }
    }
    let mut fits = Viability::Yes;
    for (name, given) in explicit {
        let TemplateArgument::Pack(given) = given else { continue };
        match found.iter_mut().find(|(known, _)| *known == name) {
            Some((_, TemplateArgument::Pack(list))) => {
                let (begins, rest) = list.split_at(given.len().min(list.len()));
                let pairs = begins.iter().zip(&given);
                let same =
                    Viability::settled(begins.len() == given.len()).and(|| match converted.contains(&name) {
                        true => Viability::Yes,
                        false => Viability::all(pairs.map(|(one, other)| same_argument(one, other))),
                    });
                fits = fits.and(|| if call.is_open() { same.or(|| Viability::CantTell) } else { same });
                *list = given.into_iter().chain(rest.to_vec()).collect();
            }
            _ => found.push((name, TemplateArgument::Pack(given))),
        }
    }
    fits
}

/// Whether a parameter's type is `T &&` for a template parameter `T` of the function template ([temp.deduct.call]/3).
fn is_forwarding_reference(ty: &Type, parameters: &[TemplateParameter]) -> bool {
    match ty {
        Type::RvalueReference(inner) => {
            matches!(inner.as_ref(), Type::Named(path) if is_parameter(path, parameters))
        }
        _ => false,
    }
}

/// Whether a parameter's type is written as a pointer, or mentions no template parameter that is to be deduced.
fn is_pointer_or_undeduced(ty: &Type, open: &[TemplateParameter]) -> bool {
    matches!(strip_cv_and_references(ty), Type::Pointer(_)) || !type_mentions_parameter(ty, open)
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
