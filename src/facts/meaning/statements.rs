//! Runs the statements of `constexpr` functions ([stmt]).
//!
//! In: a body and a frame with its parameters. Out: how control leaves it; `None` if a statement depends on a value that is
//! not known.

use std::sync::Arc;

use crate::source::{Symbol, sym};

use super::machine::{Held, Machine, Outcome, ResultKind, same_place, unknown};
use super::types::{TemplateArgument, Ty, Value};
use super::view::LookupResult;
use crate::facts::lower::ast::*;

/// How control leaves a sequence of statements.
pub(super) enum Flow {
    Next,
    Break,
    Continue,
    Return(Outcome),
}

impl Machine<'_, '_> {
    /// Runs the statements of a block in a scope of their own.
    fn run_block(&mut self, statements: &[Statement]) -> Option<Flow> {
        let (outer, depth) = (self.frame.env.clone(), self.frame.variables.len());
        self.frame.env = outer.block();
        let flow = self.run_statements(statements);
        self.frame.env = outer;
        self.frame.variables.truncate(depth);
        flow
    }

    /// Runs statements in the current scope.
    pub(super) fn run_statements(&mut self, statements: &[Statement]) -> Option<Flow> {
        for statement in statements {
            self.view.step()?;
            match self.run_statement(statement)? {
                Flow::Next => {}
                other => return Some(other),
            }
        }
        Some(Flow::Next)
    }

    fn run_statement(&mut self, statement: &Statement) -> Option<Flow> {
        match statement {
            Statement::Declare(decl) => self.declare_local(decl)?,
            Statement::Expression(expr) => self.run_expression(expr)?,
            Statement::Block(inner) => return self.run_block(inner),
            Statement::If(condition, then, otherwise) => {
                return match self.holds(condition) {
                    Some(true) => self.run_block(then),
                    Some(false) => self.run_block(otherwise),
                    None => (!assigns(condition) && has_no_effect(then) && has_no_effect(otherwise))
                        .then_some(Flow::Next),
                };
            }
            Statement::Loop(one) => {
                let (outer, depth) = (self.frame.env.clone(), self.frame.variables.len());
                self.frame.env = outer.block();
                let flow = self.run_loop(one);
                self.frame.env = outer;
                self.frame.variables.truncate(depth);
                return flow;
            }
            Statement::RangeLoop(variables, range, body) => {
                return self.run_range_loop(variables, range, body);
            }
            Statement::Switch(value, body) => {
                let value = self.scalar(value)?.int()?;
                let start = self.jump_target(body, value)?;
                return Some(match self.run_block(&body[start..])? {
                    Flow::Break => Flow::Next,
                    other => other,
                });
            }
            // The constructor has run the mem-initializers.
            Statement::Label(_) | Statement::Initialize(..) => {}
            Statement::Break => return Some(Flow::Break),
            Statement::Continue => return Some(Flow::Continue),
            Statement::Return(None) => return Some(Flow::Return(Outcome::Void)),
            Statement::Return(Some(expr)) => return self.returned(expr).map(Flow::Return),
        }
        Some(Flow::Next)
    }

    /// The result of a call that `expr` is returned from.
    fn returned(&mut self, expr: &Expr) -> Option<Outcome> {
        match self.frame.result.clone() {
            ResultKind::Object(Ty::Builtin(sym::VOID)) => self.evaluate(expr).map(|_| Outcome::Void),
            ResultKind::Object(ty) => self.initialized(&ty, expr).map(Outcome::Value),
            ResultKind::Reference => self.evaluate(expr),
            ResultKind::Deduced => match self.evaluate(expr)? {
                Outcome::Void => Some(Outcome::Void),
                outcome => self.decayed(outcome).map(Outcome::Value),
            },
        }
    }

    /// Runs an expression statement. One that is not known may be left out if it changes nothing: a macro that was not
    /// expanded, as `assert` without its header.
    fn run_expression(&mut self, expr: &Expr) -> Option<()> {
        let result = self.evaluate(expr).map(|_| ());
        result.or_else(|| self.changes_nothing(expr).then_some(()))
    }

    fn changes_nothing(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Call(callee, arguments) => match callee.as_ref() {
                Expr::Name(path) => {
                    matches!(self.view.lookup(path, &self.frame.env), LookupResult::Nothing)
                        && !arguments.iter().any(assigns)
                }
                _ => false,
            },
            Expr::Name(_) | Expr::Text(_) | Expr::Int(..) => true,
            Expr::Cast(ty, operand) => **ty == Type::Builtin(sym::VOID) && self.changes_nothing(operand),
            _ => false,
        }
    }

    /// Runs a local declaration. A constant is bound to its value, so that types and template arguments can name it.
    fn declare_local(&mut self, decl: &Arc<Decl>) -> Option<()> {
        let DeclBody::Variable(variable) = &decl.kind else {
            self.frame.env.declare(decl.clone());
            return Some(());
        };
        let env = self.frame.env.clone();
        let ty = self.view.type_of_variable(variable, &env);
        if matches!(ty, Some(Ty::LvalueReference(_) | Ty::RvalueReference(_)))
            || is_reference_to_placeholder(&variable.ty)
        {
            let outcome = self.evaluate(variable.initializer.as_ref()?);
            let place = outcome.and_then(|outcome| match &ty {
                Some(Ty::LvalueReference(to) | Ty::RvalueReference(to)) => self.referred(to, outcome),
                _ => self.materialized(outcome),
            });
            let place = place.unwrap_or_else(|| self.new_object(unknown()));
            return self.declare_variable(decl.name, Held::One(place), ty);
        }
        let changes = self.changes;
        let value = self.variable_value(variable, ty.as_ref());
        if value.is_none() && (self.changes > changes || variable.initializer.as_ref().is_some_and(assigns)) {
            return None;
        }
        let constant = decl.specifiers.is_constexpr || matches!(variable.ty, Type::Qualified(_, true, _));
        let value = value.unwrap_or_else(unknown);
        let bound = (constant && value.is_known()).then(|| value.clone());
        let place = self.new_object(value);
        self.declare_variable(decl.name, Held::One(place), ty)?;
        if let Some(value) = bound {
            let binding = vec![(decl.name, TemplateArgument::Value(value))];
            self.frame.env = self.frame.env.with_bindings(binding);
        }
        Some(())
    }

    /// Adds a variable to the current scope.
    fn declare_variable(&mut self, name: Symbol, held: Held, ty: Option<Ty>) -> Option<()> {
        let ty = ty.unwrap_or_else(|| Ty::opaque(&format!("type of {name}")));
        self.frame.env = self.frame.env.with_parameters(vec![(name, ty)]);
        self.frame.variables.push((name, held));
        Some(())
    }

    fn run_loop(&mut self, one: &Loop) -> Option<Flow> {
        self.run_statements(&one.init)?;
        let mut skip_condition = one.condition_last;
        loop {
            self.view.step()?;
            if !std::mem::take(&mut skip_condition)
                && let Some(condition) = &one.condition
                && !self.holds(condition)?
            {
                return Some(Flow::Next);
            }
            match self.run_block(&one.body)? {
                Flow::Next | Flow::Continue => {}
                Flow::Break => return Some(Flow::Next),
                value @ Flow::Return(_) => return Some(value),
            }
            self.run_statements(&one.increment)?;
        }
    }

    /// Runs a range-based `for` statement over an array, or over a class whose iterators are pointers ([stmt.ranged]).
    fn run_range_loop(&mut self, variables: &[Arc<Decl>], range: &Expr, body: &[Statement]) -> Option<Flow> {
        let outcome = match range {
            Expr::List(values) => Outcome::Value(self.listed_array(None, values)?),
            _ => self.evaluate(range)?,
        };
        let range = self.materialized(outcome)?;
        let (mut at, end) = match self.at(&range)?.object()?.ty.unqualified() {
            Ty::Array(..) => {
                let first = range.part(0);
                let count = self.at(&range)?.object()?.parts.len();
                let end = self.advanced(&first, i128::try_from(count).ok()?)?;
                (first, end)
            }
            Ty::Class(_) => {
                let pointer = |value| match value {
                    Value::Pointer(place) => Some(place),
                    _ => None,
                };
                let first = self.call_member(&range, Symbol::intern("begin"))?;
                let end = self.call_member(&range, Symbol::intern("end"))?;
                (pointer(self.loaded(first)?)?, pointer(self.loaded(end)?)?)
            }
            _ => return None,
        };
        while !same_place(&at, &end)? {
            self.view.step()?;
            let (outer, depth) = (self.frame.env.clone(), self.frame.variables.len());
            self.frame.env = outer.block();
            self.frame.range_elements.push(at.clone());
            let flow = variables
                .iter()
                .try_for_each(|decl| self.declare_local(decl))
                .and_then(|()| self.run_block(body));
            self.frame.range_elements.pop();
            self.frame.env = outer;
            self.frame.variables.truncate(depth);
            match flow? {
                Flow::Next | Flow::Continue => {}
                Flow::Break => break,
                value @ Flow::Return(_) => return Some(value),
            }
            at = self.advanced(&at, 1)?;
        }
        Some(Flow::Next)
    }

    /// Whether a condition holds; `None` if that is not known.
    pub(super) fn holds(&mut self, condition: &Expr) -> Option<bool> {
        let value = self.scalar(condition)?;
        Some(super::arithmetic::cast(value, sym::BOOL).int()? != 0)
    }

    /// The index of the label that a `switch` jumps to: `default`, or past the end, if none has the value.
    fn jump_target(&mut self, body: &[Statement], value: i128) -> Option<usize> {
        let mut default = body.len();
        for (number, statement) in body.iter().enumerate() {
            match statement {
                Statement::Label(None) => default = number,
                Statement::Label(Some(expr)) if self.scalar(expr)?.int()? == value => return Some(number),
                _ => {}
            }
        }
        Some(default)
    }
}

/// Whether a type is a reference to a placeholder type, `const auto &`.
fn is_reference_to_placeholder(ty: &Type) -> bool {
    matches!(ty, Type::LvalueReference(_) | Type::RvalueReference(_)) && ty.is_placeholder()
}

/// Whether statements can't change the value of a call, run or not: checks of arguments, declarations.
fn has_no_effect(statements: &[Statement]) -> bool {
    statements.iter().all(|statement| match statement {
        Statement::Declare(_) => true,
        Statement::Expression(expr) => matches!(expr, Expr::Name(_) | Expr::Int(..) | Expr::Text(_)),
        Statement::Block(inner) => has_no_effect(inner),
        Statement::If(condition, then, otherwise) => {
            !assigns(condition) && has_no_effect(then) && has_no_effect(otherwise)
        }
        _ => false,
    })
}

/// Whether an expression assigns, increments or decrements anything, called functions aside.
pub(super) fn assigns(expr: &Expr) -> bool {
    match expr {
        Expr::Unary(operator, inner) => {
            matches!(*operator, sym::PLUS_PLUS | sym::MINUS_MINUS) || assigns(inner)
        }
        Expr::Binary(operator, left, right) => {
            is_assignment(*operator)
                || matches!(*operator, sym::PLUS_PLUS | sym::MINUS_MINUS)
                || assigns(left)
                || assigns(right)
        }
        Expr::Member(inner, ..) | Expr::Cast(_, inner) | Expr::Expansion(inner) => assigns(inner),
        Expr::Subscript(left, right) => assigns(left) || assigns(right),
        Expr::Conditional(condition, then, otherwise) => {
            [condition, then, otherwise].into_iter().any(|one| assigns(one))
        }
        Expr::Construct(_, values) | Expr::List(values) => values.iter().any(assigns),
        Expr::Call(callee, arguments) => assigns(callee) || arguments.iter().any(assigns),
        Expr::Fold(operator, left, right) => {
            is_assignment(*operator) || left.iter().chain(right).any(|one| assigns(one))
        }
        _ => false,
    }
}

/// Whether an operator assigns to its left operand.
pub(super) fn is_assignment(operator: Symbol) -> bool {
    operator == sym::ASSIGN || underlying_operator(operator).is_some()
}

/// The operator of a compound assignment, `+` of `+=`.
pub(super) fn underlying_operator(operator: Symbol) -> Option<Symbol> {
    match operator.as_str() {
        "+=" | "-=" | "*=" | "/=" | "%=" | "&=" | "|=" | "^=" | "<<=" | ">>=" => {
            operator.as_str().strip_suffix('=').map(Symbol::intern)
        }
        _ => None,
    }
}
