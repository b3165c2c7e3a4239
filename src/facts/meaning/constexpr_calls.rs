//! Calls in constant expressions ([expr.call], [expr.const]): which function is called, and its result.
//!
//! In: a call in one pass. Out: its result there; `None` if the function has no body that could be run, if a statement depends
//! on a value that is not known, or if the calls nest too deep.

use std::rc::Rc;
use std::sync::Arc;

use crate::source::{Symbol, sym};

use super::built_in_functions::{built_in_value, type_of_built_in};
use super::candidates::Deduced;
use super::categories::ValueCategory;
use super::deduce::{Call, ImpliedObject};
use super::definitions::Defined;
use super::identity::Identity;
use super::initialize::Given;
use super::machine::{CallFrame, Held, Machine, Outcome, ResultKind, Target, class_of, unknown};
use super::statements::Flow;
use super::types::{Env, Place, Ty, Value};
use super::view::{Entity, LookupResult};
use crate::facts::lower::ast::*;
use crate::facts::lower::nodes::CALL_OPERATOR;

impl Machine<'_, '_> {
    /// The result of a call of a function or of an object, of a built-in type trait or of a functional cast.
    pub(super) fn call_expression(&mut self, callee: &Expr, arguments: &[Expr]) -> Option<Outcome> {
        match callee {
            Expr::Name(path) => self.call_of_name(callee, path, arguments),
            Expr::Member(object, arrow, member) => {
                let this = self.object_or_unknown(object, *arrow)?;
                let class = class_of(self.at(&this)?.object()?)?.clone();
                let LookupResult::Entities(entities) = self.view.lookup_member(&class, member.name) else {
                    return None;
                };
                if matches!(entities.first()?.decl.kind, DeclBody::Variable(_)) {
                    return self.call_of_object(callee, arguments);
                }
                let path = Path { global: false, elaborated: false, segments: vec![member.clone()] };
                let env = self.frame.env.clone();
                let view = self.view;
                let implied = || {
                    let (_, is_const) = view.object(object, *arrow, &env)?;
                    Some(view.implied_object(&entities, (object, *arrow), is_const, &env))
                };
                let target = self.target_of(callee, |machine| {
                    let call = Call::new(machine.view, arguments, &env).of_object(implied());
                    machine.resolved(&entities, &path, &call)
                })?;
                let given = self.expanded(arguments)?;
                self.invoked(&target, given, Some(this))
            }
            _ => self.call_of_object(callee, arguments),
        }
    }

    /// The object of a member function call. Of one that is not known its class alone may decide the result.
    fn object_or_unknown(&mut self, object: &Expr, arrow: bool) -> Option<Place> {
        let changes = self.changes;
        let place = self.object_expression(object, arrow);
        let known = place.filter(|place| matches!(self.at(place), Some(Value::Object(_))));
        if known.is_some() || self.changes > changes {
            return known;
        }
        let class = self.view.object_class(object, arrow, &self.frame.env)?;
        self.unknown_object(&class)
    }

    fn call_of_name(&mut self, callee: &Expr, path: &Path, arguments: &[Expr]) -> Option<Outcome> {
        let is_variable = path.segments.len() == 1 && self.frame.variable(path.last().name).is_some();
        if is_variable {
            return self.call_of_object(callee, arguments);
        }
        if let Some(known) = self.known_target(callee) {
            let given = self.expanded(arguments)?;
            return self.invoked_here(&known, given);
        }
        let env = self.frame.env.clone();
        match self.view.lookup(path, &env) {
            LookupResult::Parameter(_) => self.call_of_object(callee, arguments),
            LookupResult::Entities(entities) => match &entities.first()?.decl.kind {
                DeclBody::Variable(_) => self.call_of_object(callee, arguments),
                DeclBody::Function(_) => {
                    let target = self.target_of(callee, |machine| {
                        let call = Call::new(machine.view, arguments, &env);
                        let mut entities = entities.clone();
                        if path.segments.len() == 1 && entities.iter().all(|one| one.owner.is_none()) {
                            entities = machine.view.called(path.last().name, entities, &call);
                        }
                        machine.resolved(&entities, path, &call)
                    })?;
                    let given = self.expanded(arguments)?;
                    self.invoked_here(&target, given)
                }
                _ => self.call_of_type(path, arguments),
            },
            LookupResult::Nothing => self.call_of_unknown(callee, path, arguments),
            _ => self.call_of_type(path, arguments),
        }
    }

    /// `T(a, b)` for a name that denotes a type or a class template.
    fn call_of_type(&mut self, path: &Path, arguments: &[Expr]) -> Option<Outcome> {
        let env = self.frame.env.clone();
        let ty = match self.view.named_type(path, &env) {
            Ty::Opaque { .. } => self.view.deduced_class_type(path, arguments, &env)?,
            ty => ty,
        };
        self.functional_cast(&ty, arguments)
    }

    /// The call of a name that lookup does not find: a built-in function, or one that is found by its arguments.
    fn call_of_unknown(&mut self, callee: &Expr, path: &Path, arguments: &[Expr]) -> Option<Outcome> {
        let env = self.frame.env.clone();
        if let Some(answer) = self.view.type_trait(path, &env) {
            return Some(Outcome::Value(answer));
        }
        match (path.segments.as_slice(), arguments) {
            ([name], _) if type_of_built_in(name.name).is_some() => {
                self.call_of_built_in(name.name, arguments)
            }
            // The header that has `std::move` was not found.
            ([std, name], [only])
                if std.name.as_str() == "std" && matches!(name.name.as_str(), "move" | "forward") =>
            {
                self.evaluate(only)
            }
            ([name], _) => {
                let target = self.target_of(callee, |machine| {
                    let call = Call::new(machine.view, arguments, &env);
                    let found = machine.view.called(name.name, Rc::default(), &call);
                    machine.resolved(&found, path, &call)
                })?;
                let given = self.expanded(arguments)?;
                self.invoked(&target, given, None)
            }
            _ => None,
        }
    }

    /// The call of a built-in function of the host compilers.
    fn call_of_built_in(&mut self, name: Symbol, arguments: &[Expr]) -> Option<Outcome> {
        let mut values = Vec::with_capacity(arguments.len());
        for argument in arguments {
            let outcome = self.evaluate(argument)?;
            values.push(self.decayed(outcome)?);
        }
        built_in_value(name, &values).map(Outcome::Value)
    }

    /// The call of an object's function call operator.
    fn call_of_object(&mut self, callee: &Expr, arguments: &[Expr]) -> Option<Outcome> {
        let place = self.object_or_unknown(callee, false)?;
        let class = class_of(self.at(&place)?.object()?)?.clone();
        let env = self.frame.env.clone();
        let given = self.expanded(arguments)?;
        let target = match class.lambda().filter(|closure| closure.operator.is_none()) {
            Some(closure) => {
                let (decl, env) = (Arc::new(closure_operator(closure)), class.env.clone());
                Rc::new(Target { decl, env, class: Some(class), number: None })
            }
            None => {
                let name = Symbol::intern(CALL_OPERATOR);
                let LookupResult::Entities(entities) = self.view.lookup_member(&class, name) else {
                    return None;
                };
                let call = Call::new(self.view, arguments, &env);
                self.resolved(&entities, &Path::plain(name), &call)?
            }
        };
        self.invoked(&target, given, Some(place))
    }

    /// The result of a call of an object's member function without arguments.
    pub(super) fn call_member(&mut self, object: &Place, name: Symbol) -> Option<Outcome> {
        let class = class_of(self.at(object)?.object()?)?.clone();
        let LookupResult::Entities(entities) = self.view.lookup_member(&class, name) else { return None };
        let env = self.frame.env.clone();
        let constant = ImpliedObject { is_const: true, category: ValueCategory::Lvalue };
        let call = Call::new(self.view, &[], &env).of_object(Some(constant));
        let target = self.resolved(&entities, &Path::plain(name), &call)?;
        self.invoked(&target, Vec::new(), Some(object.clone()))
    }

    /// The function that a callee in the body of a function was resolved to before.
    fn known_target(&self, callee: &Expr) -> Option<Rc<Target>> {
        let key = (std::ptr::from_ref(callee) as usize, self.frame.function?);
        self.targets.get(&key).cloned()
    }

    /// The function that a callee denotes, found by `find` the first time that the body of a function gets to it.
    fn target_of(
        &mut self,
        callee: &Expr,
        find: impl FnOnce(&mut Self) -> Option<Rc<Target>>,
    ) -> Option<Rc<Target>> {
        if let Some(known) = self.known_target(callee) {
            return Some(known);
        }
        let target = find(self)?;
        // In a pack expansion each element may have a type of its own.
        if let (Some(function), None) = (self.frame.function, self.frame.element) {
            let key = (std::ptr::from_ref(callee) as usize, function);
            self.targets.insert(key, target.clone());
        }
        Some(target)
    }

    /// The function that a call of one of some candidates calls, with the declaration that has its body.
    pub(super) fn resolved(
        &mut self,
        entities: &[Entity],
        path: &Path,
        call: &Call<'_>,
    ) -> Option<Rc<Target>> {
        let is_candidate =
            |one: &&Entity| matches!(one.decl.kind, DeclBody::Function(_)) && !one.decl.is_specialization();
        let may_run = |one: &Entity| match &one.decl.kind {
            DeclBody::Function(function) => function.statements.is_some() || one.decl.specifiers.is_constexpr,
            _ => false,
        };
        // Of what is not known there is no constant; and nothing would end the search for `C<f(v)>` in the result of `f`.
        let is_open = |number: &usize| match call.ty(self.view, *number) {
            Some(ty) => !ty.is_sure(),
            None => !matches!(call.arguments[*number], (Expr::List(_), _)),
        };
        if (0..call.arguments.len()).any(|number| is_open(&number)) {
            return None;
        }
        let mut candidates = entities.iter().filter(is_candidate);
        let (entity, deduced) = match (candidates.next()?, candidates.next()) {
            _ if !entities.iter().any(may_run) => return None,
            // The program is valid, so the only candidate is called.
            (only, None) => {
                let DeclBody::Function(function) = &only.decl.kind else { return None };
                let written = path.last().arguments.as_deref().unwrap_or_default();
                let given = self.view.template_arguments(written, call.env);
                let deduced = self.view.deduce(only, function, given, call);
                // Or a constructor that is none of those declared copies an object.
                (only, Some(deduced).filter(|deduced| !deduced.viable.is_ruled_out())?)
            }
            _ => {
                // A guess is no constant.
                let mut chosen = self.view.overloads(entities, path, call).into_iter();
                let (entity, _, deduced) = chosen.next().filter(|_| chosen.len() == 0)?;
                (entity, deduced)
            }
        };
        self.defined(entity, deduced).map(Rc::new)
    }

    /// The declaration of a function that has its body, for the template arguments that were deduced.
    pub(super) fn defined(&mut self, entity: &Entity, deduced: Deduced) -> Option<Target> {
        let DeclBody::Function(function) = &entity.decl.kind else { return None };
        let templated = !entity.decl.templates.is_empty()
            || entity.owner.as_ref().is_some_and(|owner| owner.is_templated());
        let mut own = Identity::new();
        let class = entity.owner.as_ref().map_or(0, |class| 1 + class.number.0);
        self.view.caches.identities.add_list(&deduced.arguments, &mut own);
        let (decl, env) = if function.statements.is_some() && !templated {
            (entity.decl.clone(), entity.env.with_bindings(deduced.bindings))
        } else {
            match self.view.definition(entity, function, &deduced.arguments) {
                Defined::Here(definition) | Defined::Specialized(definition) => {
                    (definition.decl, definition.env)
                }
                Defined::Elsewhere => return None,
            }
        };
        self.view.depend_on(entity.top);
        if decl.specifiers.is_virtual {
            return None;
        }
        let key = (Arc::as_ptr(&decl) as usize, class, own);
        let next = self.functions.len();
        // The instances of a local class of a template look the same.
        let number = (entity.top != usize::MAX).then(|| *self.functions.entry(key).or_insert(next));
        let class = entity.owner.clone().filter(|_| !entity.decl.specifiers.is_static);
        Some(Target { decl, env, class, number })
    }

    /// The result of a call of a function that is named without an object: a member function is called for `*this`.
    fn invoked_here(&mut self, target: &Rc<Target>, given: Vec<Given<'_>>) -> Option<Outcome> {
        let this = match &target.class {
            Some(_) => self.frame.this.clone(),
            None => None,
        };
        self.invoked(target, given, this)
    }

    /// The result of a call of a function.
    pub(super) fn invoked(
        &mut self,
        target: &Rc<Target>,
        given: Vec<Given<'_>>,
        this: Option<Place>,
    ) -> Option<Outcome> {
        let DeclBody::Function(function) = &target.decl.kind else { return None };
        let statements = function.statements.as_deref()?;
        let this = match (&target.class, this) {
            (Some(class), Some(this)) => Some(self.subobject(&this, class).unwrap_or(this)),
            _ => None,
        };
        let frame = self.entered(target, given, this)?;
        let is_void = matches!(frame.result, ResultKind::Object(Ty::Builtin(sym::VOID)));
        let view = self.view;
        let run = || self.with_frame(frame, |machine| machine.run_statements(statements));
        let flow = view.outside_immediate_context(|| view.within_limits(run));
        match flow?? {
            Flow::Return(outcome) => Some(outcome),
            _ if is_void => Some(Outcome::Void),
            _ => None,
        }
    }

    /// The frame of a call, its parameters initialized.
    pub(super) fn entered(
        &mut self,
        target: &Rc<Target>,
        given: Vec<Given<'_>>,
        this: Option<Place>,
    ) -> Option<CallFrame> {
        let DeclBody::Function(function) = &target.decl.kind else { return None };
        let own = &target.env;
        let mut variables = match &this {
            Some(place) => self.captured_variables(place),
            None => Vec::new(),
        };
        let mut given = given.into_iter();
        for parameter in &function.parameters {
            let held = match &parameter.ty {
                Type::Pack(pattern) => {
                    let envs = self.view.expansions(|names| pattern.names(names), own);
                    let mut places = Vec::new();
                    for (number, one) in given.by_ref().enumerate() {
                        let env = envs.as_ref().and_then(|envs| envs.get(number)).unwrap_or(own);
                        let ty = self.view.ty(pattern, env);
                        places.push(self.parameter(&ty, one)?);
                    }
                    Held::Pack(places)
                }
                ty => {
                    let ty = self.view.ty(ty, own);
                    let place = match (given.next(), &parameter.default) {
                        (Some(one), _) => self.parameter(&ty, one)?,
                        (None, Some(default)) => {
                            let from = own.of_default(parameter.default_from);
                            let frame = CallFrame::new(from.clone());
                            let one = Given::Written(default, from, None);
                            self.with_frame(frame, |machine| machine.parameter(&ty, one))?
                        }
                        (None, None) => return None,
                    };
                    Held::One(place)
                }
            };
            if parameter.name != sym::EMPTY {
                variables.push((parameter.name, held));
            }
        }
        let mut frame = CallFrame::new(self.view.inside(function, own));
        frame.variables = variables;
        frame.this = this;
        frame.function = target.number;
        frame.result = self.result_kind(function, &frame.env);
        Some(frame)
    }

    /// The object that a parameter of the type `ty` denotes. Its value may be not known: the function may not read it.
    fn parameter(&mut self, ty: &Ty, given: Given<'_>) -> Option<Place> {
        let changes = self.changes;
        let assigns = matches!(&given, Given::Written(expr, ..) if super::statements::assigns(expr));
        let place = match ty.unqualified() {
            Ty::LvalueReference(to) | Ty::RvalueReference(to) => match given {
                Given::Written(expr, env, element) => {
                    self.with_env(&env, element, |machine| machine.bound_reference(to, expr))
                }
                Given::Done(outcome) => self.referred(to, outcome),
            },
            _ => self.initialized_by(ty, given).map(|value| self.new_object(value)),
        };
        match place {
            None if assigns || self.changes > changes => None,
            None => Some(match ty.without_cvref() {
                Ty::Class(class) => self.unknown_object(class).unwrap_or_else(|| self.new_object(unknown())),
                _ => self.new_object(unknown()),
            }),
            known => known,
        }
    }

    /// How a function returns its result; names in its return type are looked up in `env`.
    fn result_kind(&self, function: &Function, env: &Env) -> ResultKind {
        match &function.result {
            Type::LvalueReference(_) | Type::RvalueReference(_) => ResultKind::Reference,
            result if result.is_placeholder() => ResultKind::Deduced,
            result => match self.view.ty(result, env).unqualified() {
                Ty::LvalueReference(_) | Ty::RvalueReference(_) => ResultKind::Reference,
                Ty::Opaque { .. } | Ty::Parameter(..) => ResultKind::Deduced,
                ty => ResultKind::Object(ty.clone()),
            },
        }
    }
}

/// The function call operator of a lambda-expression that is not generic.
fn closure_operator(closure: &Closure) -> Decl {
    let declared = Function::declared(closure.result.clone(), closure.parameters.clone());
    let statements = closure.statements.clone();
    let function = Function { is_const: true, trailing_result: true, statements, ..declared };
    Decl {
        name: Symbol::intern(CALL_OPERATOR),
        qualifier: None,
        at: closure.at,
        templates: Vec::new(),
        specifiers: Specifiers::default(),
        kind: DeclBody::Function(function),
    }
}
