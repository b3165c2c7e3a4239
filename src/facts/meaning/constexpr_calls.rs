//! Evaluation of calls of `constexpr` functions: their statements are run on integers.
//!
//! In: a call in one pass. Out: its value there; `None` if a statement depends on a value that is not known,
//! or if the call runs more than [`STEP_LIMIT`] statements.

use std::rc::Rc;
use std::sync::Arc;

use crate::source::Symbol;

use super::arithmetic::{binary, cast, is_integer};
use super::deduce::Call;
use super::types::{Bindings, Env, Instance, TemplateArgument, Ty, Value};
use super::view::{Entity, LookupResult, View};
use crate::facts::lower::ast::*;
use crate::facts::lower::nodes::CALL_OPERATOR;

/// The most statements that one call may run.
const STEP_LIMIT: usize = 20_000;

/// How control leaves a sequence of statements.
enum Flow {
    Next,
    Break,
    Continue,
    Return(Value),
}

/// The state of a call: its variables, innermost last, and the environment of all other names.
struct CallFrame {
    env: Env,
    variables: Vec<(Symbol, Value)>,
    executed: usize,
}

impl CallFrame {
    /// The environment with the variables bound to their current values.
    fn env(&self) -> Env {
        let innermost_first = self.variables.iter().rev();
        self.env.with_bindings(
            innermost_first.map(|(name, value)| (*name, TemplateArgument::Value(value.clone()))).collect(),
        )
    }
}

impl View<'_> {
    /// The value of a call of a `constexpr` function, a built-in type trait or a functional cast.
    pub(in crate::facts) fn call_value(&self, callee: &Expr, arguments: &[Expr], env: &Env) -> Option<Value> {
        let path = match callee {
            Expr::Name(path) => path,
            Expr::Member(object, arrow, member) => {
                let class = self.object_class(object, *arrow, env)?;
                let own = if *arrow { None } else { self.data_member_values(object, env) };
                return self.member_value(&class, member.name, arguments, own.unwrap_or_default());
            }
            _ => return None,
        };
        if let LookupResult::Parameter(ty) = self.lookup(path, env) {
            let Ty::Class(class) = ty.without_cvref() else { return None };
            return self.member_value(class, Symbol::intern(CALL_OPERATOR), arguments, Bindings::new());
        }
        let LookupResult::Entities(entities) = self.lookup(path, env) else {
            if let Some(answer) = self.type_trait(path, arguments, env) {
                return Some(answer);
            }
            // `bool(x)`, `Alias(x)`: a functional cast.
            return match (self.named_type(path, env).unqualified(), arguments) {
                (Ty::Builtin(name), [one]) => {
                    let value = self.value(one, env);
                    matches!(value, Value::Int(..)).then(|| cast(value, *name))
                }
                _ => None,
            };
        };
        let entity = entities.iter().find(|entity| {
            matches!(&entity.decl.kind, DeclBody::Function(function)
                if function.statements.is_some() && function.parameters.len() >= arguments.len())
        })?;
        let DeclBody::Function(function) = &entity.decl.kind else { return None };
        let given = self.template_arguments(path.last().arguments.as_deref().unwrap_or_default(), env);
        let call = Call::new(self, arguments, env);
        let bindings = self.deduce(entity, function, given, &call).bindings;
        let own = entity.env.with_bindings(bindings);
        let mut frame = CallFrame { env: own.block(), variables: Vec::new(), executed: 0 };
        for (number, parameter) in function.parameters.iter().enumerate() {
            let value = match arguments.get(number) {
                Some(argument) => self.constant(argument, env),
                None => self.constant(parameter.default.as_ref()?, &own),
            };
            let value = match value {
                Some(value) => self.converted_value(value, &self.ty(&parameter.ty, &own)),
                None => Value::opaque(parameter.name.as_str()),
            };
            frame.variables.push((parameter.name, value));
        }
        match self.run(function.statements.as_deref()?, &mut frame)? {
            Flow::Return(value) => Some(self.converted_value(value, &self.ty(&function.result, &own))),
            _ => None,
        }
    }

    /// The value of a call of a member function that has no parameters and reads no data members but those
    /// bound in `own`: `tag.get()`, `tag()`, `config.area()`.
    fn member_value(
        &self,
        class: &Rc<Instance>,
        name: Symbol,
        arguments: &[Expr],
        own: Bindings,
    ) -> Option<Value> {
        let LookupResult::Entities(entities) = self.lookup_member(class, name) else { return None };
        let simple = |entity: &&Entity| entity.decl.templates.is_empty();
        let entity = entities.iter().find(simple).filter(|_| arguments.is_empty())?;
        self.run_without_arguments(&entity.decl, &entity.env.with_bindings(own))
    }

    /// The value that an object of a class converts to by a `constexpr` conversion function that reads no
    /// data members, as `std::integral_constant` has one ([class.conv.fct]).
    pub(in crate::facts) fn conversion_function_value(&self, class: &Rc<Instance>) -> Option<Value> {
        let definition = match &class.decl.as_ref()?.kind {
            DeclBody::Class(definition) => definition,
            _ => return None,
        };
        let inside = class.env.inside(class.clone());
        let converts = |member: &&Arc<Decl>| {
            member.templates.is_empty()
                && member.name.as_str().strip_prefix("operator").is_some_and(|rest| rest.starts_with(' '))
        };
        let own = definition.members.iter().flatten().filter(converts);
        own.into_iter().find_map(|member| self.run_without_arguments(member, &inside)).or_else(|| {
            definition.bases.iter().find_map(|(base, _)| match self.ty(base, &class.env) {
                Ty::Class(base) => self.within_limits(|| self.conversion_function_value(&base)).flatten(),
                _ => None,
            })
        })
    }

    /// The value of a call of a `constexpr` function without parameters.
    fn run_without_arguments(&self, decl: &Decl, env: &Env) -> Option<Value> {
        let DeclBody::Function(function) = &decl.kind else { return None };
        let statements = function.statements.as_deref().filter(|_| function.parameters.is_empty())?;
        let mut frame = CallFrame { env: env.block(), variables: Vec::new(), executed: 0 };
        match self.run(statements, &mut frame)? {
            Flow::Return(value) => Some(self.converted_value(value, &self.ty(&function.result, env))),
            _ => None,
        }
    }

    /// A value converted to the type `ty` that it initializes.
    pub(in crate::facts) fn converted_value(&self, value: Value, ty: &Ty) -> Value {
        match ty.without_cvref() {
            Ty::Builtin(name) if is_integer(*name) => cast(value, *name),
            _ => value,
        }
    }

    /// Runs the statements of a block in a scope of their own; `None` if their effect is not known.
    fn run(&self, statements: &[Statement], frame: &mut CallFrame) -> Option<Flow> {
        let (outer, depth) = (frame.env.clone(), frame.variables.len());
        frame.env = outer.block();
        let flow = self.run_here(statements, frame);
        frame.env = outer;
        frame.variables.truncate(depth);
        flow
    }

    /// Runs statements in the current scope.
    fn run_here(&self, statements: &[Statement], frame: &mut CallFrame) -> Option<Flow> {
        for statement in statements {
            frame.executed += 1;
            if frame.executed > STEP_LIMIT {
                return None;
            }
            match self.run_statement(statement, frame)? {
                Flow::Next => {}
                other => return Some(other),
            }
        }
        Some(Flow::Next)
    }

    fn run_statement(&self, statement: &Statement, frame: &mut CallFrame) -> Option<Flow> {
        match statement {
            Statement::Declare(decl) => self.declare_variable(decl, frame),
            Statement::Assign(name, operator, expr) => {
                let value = self.constant(expr, &frame.env());
                let variable = frame.variables.iter_mut().rfind(|(own, _)| own == name)?;
                let Value::Int(_, ty) = variable.1 else { return None };
                let value = match operator {
                    Some(operator) => binary(*operator, &variable.1, &value?)?,
                    None => value?,
                };
                value.int()?;
                variable.1 = cast(value, ty);
            }
            Statement::Block(inner) => return self.run(inner, frame),
            Statement::If(condition, then, otherwise) => {
                return match self.condition_holds(condition, frame) {
                    Some(true) => self.run(then, frame),
                    Some(false) => self.run(otherwise, frame),
                    None => (has_no_effect(then) && has_no_effect(otherwise)).then_some(Flow::Next),
                };
            }
            Statement::Loop(one) => return self.run_loop(one, frame),
            Statement::Switch(value, body) => {
                let value = self.constant(value, &frame.env())?.int()?;
                let start = self.jump_target(body, value, frame)?;
                return Some(match self.run(&body[start..], frame)? {
                    Flow::Break => Flow::Next,
                    other => other,
                });
            }
            Statement::Label(_) => {}
            Statement::Break => return Some(Flow::Break),
            Statement::Continue => return Some(Flow::Continue),
            Statement::Return(expr) => {
                let value = self.constant(expr, &frame.env())?;
                return value.int().is_some().then_some(Flow::Return(value));
            }
        }
        Some(Flow::Next)
    }

    /// Runs a local declaration: an integer variable gets its value, any other entity is declared for lookup.
    fn declare_variable(&self, decl: &Arc<Decl>, frame: &mut CallFrame) {
        let DeclBody::Variable(variable) = &decl.kind else {
            return frame.env.declare(decl.clone());
        };
        let env = frame.env();
        let ty = self.ty(&variable.ty, &env);
        let value = match (&variable.initializer, ty.unqualified()) {
            (Some(initializer), _) => self.constant(initializer, &env),
            // It is assigned before it is read, or the call is no constant expression.
            (None, Ty::Builtin(name)) if is_integer(*name) => Some(Value::Int(0, *name)),
            (None, _) => None,
        };
        let value = value.filter(|value| value.int().is_some());
        match value {
            Some(value) => frame.variables.push((decl.name, self.converted_value(value, &ty))),
            // A variable that is no integer keeps its declaration, for its type and its members.
            None => {
                frame.variables.retain(|(name, _)| *name != decl.name);
                frame.env.declare(decl.clone());
            }
        }
    }

    fn run_loop(&self, one: &Loop, frame: &mut CallFrame) -> Option<Flow> {
        let depth = frame.variables.len();
        self.run_here(&one.init, frame)?;
        let mut skip_condition = one.condition_last;
        let flow = loop {
            if !std::mem::take(&mut skip_condition) {
                self.run_here(&one.before_condition, frame)?;
                let goes_on = match &one.condition {
                    Some(condition) => self.condition_holds(condition, frame)?,
                    None => true,
                };
                if !goes_on {
                    break Flow::Next;
                }
            }
            match self.run(&one.body, frame)? {
                Flow::Next | Flow::Continue => {}
                Flow::Break => break Flow::Next,
                value @ Flow::Return(_) => break value,
            }
            self.run_here(&one.increment, frame)?;
            frame.executed += 1;
            if frame.executed > STEP_LIMIT {
                return None;
            }
        };
        frame.variables.truncate(depth);
        Some(flow)
    }

    fn condition_holds(&self, condition: &Expr, frame: &CallFrame) -> Option<bool> {
        Some(self.constant(condition, &frame.env())?.int()? != 0)
    }

    /// The index of the label that a `switch` jumps to: `default`, or past the end, if none has the value.
    fn jump_target(&self, body: &[Statement], value: i128, frame: &CallFrame) -> Option<usize> {
        let mut default = body.len();
        for (number, statement) in body.iter().enumerate() {
            match statement {
                Statement::Label(None) => default = number,
                Statement::Label(Some(expr)) if self.constant(expr, &frame.env())?.int()? == value => {
                    return Some(number);
                }
                _ => {}
            }
        }
        Some(default)
    }
}

/// Whether statements can't change the value of a call, run or not: checks of arguments, declarations.
fn has_no_effect(statements: &[Statement]) -> bool {
    statements.iter().all(|statement| match statement {
        Statement::Declare(_) => true,
        Statement::Block(inner) => has_no_effect(inner),
        Statement::If(_, then, otherwise) => has_no_effect(then) && has_no_effect(otherwise),
        _ => false,
    })
}
