//! Built-in operators on evaluated operands: arithmetic, address arithmetic, assignment, and fold-expressions.
//!
//! In: values and places. Out: values; `None` where the operator is not defined for them or one is not known.

use crate::source::{Symbol, sym};

use super::arithmetic::{binary, cast};
use super::machine::{Machine, Outcome, distance, same_place, same_value};
use super::statements::{is_assignment, underlying_operator};
use super::types::{Place, Value};
use crate::facts::lower::ast::*;

impl Machine<'_, '_> {
    /// The value of a built-in binary operator: on numbers, or on addresses ([expr.add], [expr.eq]).
    pub(super) fn calculated(&self, operator: Symbol, left: &Value, right: &Value) -> Option<Value> {
        match (left, right) {
            (Value::Pointer(place), Value::Int(by, _)) => {
                let by = match operator {
                    sym::PLUS => *by,
                    sym::MINUS => -*by,
                    _ => return None,
                };
                self.advanced(place, by).map(Value::Pointer)
            }
            (Value::Int(..), Value::Pointer(_)) if operator == sym::PLUS => {
                self.calculated(operator, right, left)
            }
            (Value::Pointer(one), Value::Pointer(other)) => {
                let apart = || distance(one, other);
                match operator.as_str() {
                    "==" => same_place(one, other).map(Value::bool),
                    "!=" => same_place(one, other).map(|same| Value::bool(!same)),
                    "-" => Some(Value::Int(apart()?, Symbol::intern("long"))),
                    "<" => Some(Value::bool(apart()? < 0)),
                    ">" => Some(Value::bool(apart()? > 0)),
                    "<=" => Some(Value::bool(apart()? <= 0)),
                    ">=" => Some(Value::bool(apart()? >= 0)),
                    _ => None,
                }
            }
            (Value::Null | Value::Pointer(_), Value::Null) | (Value::Null, Value::Pointer(_)) => {
                let same = same_value(left, right)?;
                match operator.as_str() {
                    "==" => Some(Value::bool(same)),
                    "!=" => Some(Value::bool(!same)),
                    _ => None,
                }
            }
            // The address of a function is not null ([conv.func]).
            (Value::Opaque(_), Value::Null) | (Value::Null, Value::Opaque(_)) => {
                let is_function = [left, right].iter().any(|one| self.view.is_function_value(one));
                match operator.as_str() {
                    "==" if is_function => Some(Value::bool(false)),
                    "!=" if is_function => Some(Value::bool(true)),
                    _ => None,
                }
            }
            _ => binary(operator, left, right),
        }
    }

    /// The value of a built-in binary operator of two operands.
    pub(super) fn built_in(&mut self, operator: Symbol, left: Outcome, right: Outcome) -> Option<Value> {
        let (left, right) = (self.decayed(left)?, self.decayed(right)?);
        let (left, right) = (self.as_scalar(left, None)?, self.as_scalar(right, None)?);
        self.calculated(operator, &left, &right)
    }

    /// The result of a binary operator on two operands, overloaded or built-in; `written` are the operands' expressions, if
    /// they have any.
    pub(super) fn operation(
        &mut self,
        operator: Symbol,
        written: &[&Expr],
        left: Outcome,
        right: Outcome,
    ) -> Option<Outcome> {
        let operands = [left, right];
        let overloaded = match self.may_be_overloaded(operator, written, &operands) {
            true => self.overloaded(operator, written, operands.to_vec()),
            false => None,
        };
        let [left, right] = operands;
        match overloaded.clone().and_then(|result| self.loaded(result)) {
            Some(value) if value.is_known() => overloaded,
            // An operator function that only takes other classes is no candidate: the built-in operator takes what the
            // operands convert to ([over.match.oper]/3).
            _ => self.built_in(operator, left, right).map(Outcome::Value).or(overloaded),
        }
    }

    /// Assigns a value to an object, converted to the type of its present value.
    pub(super) fn assign(&mut self, place: &Place, value: Value) -> Option<()> {
        let value = match (self.at(place)?, value) {
            (Value::Int(_, ty) | Value::Float(_, ty), value) => cast(value, *ty),
            (Value::Pointer(_) | Value::Null, Value::Int(0, _)) => Value::Null,
            (_, value) => value,
        };
        (!matches!(value, Value::Opaque(_))).then(|| self.write_to(place, value)).flatten()
    }

    /// Increments or decrements the object at a place.
    pub(super) fn step_by_one(&mut self, operator: Symbol, place: &Place) -> Option<()> {
        let operator = if operator == sym::PLUS_PLUS { sym::PLUS } else { sym::MINUS };
        let next = self.calculated(operator, &self.at(place)?.clone(), &Value::Int(1, sym::INT))?;
        self.assign(place, next)
    }

    /// The value of a fold-expression ([expr.prim.fold]): `left` and `right` are its operands, of which one is the pattern.
    pub(super) fn fold(
        &mut self,
        operator: Symbol,
        left: Option<&Expr>,
        right: Option<&Expr>,
    ) -> Option<Outcome> {
        let env = self.frame.env.clone();
        let envs = |pattern: Option<&Expr>| {
            pattern.and_then(|pattern| self.view.expansions(|names| pattern.unexpanded_names(names), &env))
        };
        let (pattern, envs, init, from_the_right) = match (envs(left), envs(right)) {
            (Some(envs), _) => (left?, envs, right, true),
            (None, Some(envs)) => (right?, envs, left, false),
            (None, None) => return None,
        };
        let mut outcomes = Vec::with_capacity(envs.len() + 1);
        if let Some(init) = init.filter(|_| !from_the_right) {
            outcomes.push(self.evaluate(init)?);
        }
        let decisive = match operator {
            sym::AMP_AMP => Some(0),
            sym::BAR_BAR => Some(1),
            _ => None,
        };
        for (number, env) in envs.iter().enumerate() {
            let outcome = self.with_env(env, Some(number), |machine| machine.evaluate(pattern))?;
            if decisive.is_some() {
                let value = self.loaded(outcome.clone())?;
                let truth = cast(self.as_scalar(value, None)?, sym::BOOL);
                if truth.int() == decisive {
                    return Some(Outcome::Value(truth));
                }
            }
            outcomes.push(outcome);
        }
        if let Some(init) = init.filter(|_| from_the_right) {
            outcomes.push(self.evaluate(init)?);
        }
        if from_the_right {
            outcomes.reverse();
        }
        let mut outcomes = outcomes.into_iter();
        let Some(first) = outcomes.next() else {
            return match operator {
                sym::AMP_AMP => Some(Outcome::Value(Value::bool(true))),
                sym::BAR_BAR => Some(Outcome::Value(Value::bool(false))),
                sym::COMMA => Some(Outcome::Void),
                _ => None,
            };
        };
        if outcomes.len() == 0 && decisive.is_some() {
            let value = self.loaded(first)?;
            return Some(Outcome::Value(cast(self.as_scalar(value, None)?, sym::BOOL)));
        }
        outcomes.try_fold(first, |sum, next| match from_the_right {
            true => self.folded(operator, next, sum),
            false => self.folded(operator, sum, next),
        })
    }

    /// The result of a fold's operator on two operands.
    pub(super) fn folded(&mut self, operator: Symbol, left: Outcome, right: Outcome) -> Option<Outcome> {
        if operator == sym::COMMA {
            return Some(right);
        }
        if is_assignment(operator) {
            let Outcome::Place(place) = left else { return None };
            let value = self.loaded(right)?;
            let value = match underlying_operator(operator) {
                Some(operator) => self.calculated(operator, &self.at(&place)?.clone(), &value)?,
                None => value,
            };
            self.assign(&place, value)?;
            return Some(Outcome::Place(place));
        }
        self.operation(operator, &[], left, right)
    }

    /// `a && b`, `a || b`: one operand may decide it, also if the other is not known.
    pub(super) fn logical(&mut self, operator: Symbol, left: &Expr, right: &Expr) -> Option<Value> {
        let decisive = operator == sym::BAR_BAR;
        let left = self.holds(left);
        if left == Some(decisive) {
            return Some(Value::bool(decisive));
        }
        let right = self.holds(right);
        if right == Some(decisive) {
            return Some(Value::bool(decisive));
        }
        left.and(right).map(Value::bool)
    }
}
