//! Overloaded operators in constant expressions ([over.match.oper]).
//!
//! In: an operator and its evaluated operands. Out: the result of the operator function; `None` if there is none for the
//! operands, or if its result is not known.

use std::cmp::Ordering;

use crate::source::Symbol;

use super::answers::Dependency;
use super::deduce::Call;
use super::initialize::Given;
use super::machine::{Machine, Outcome, class_of, same_value};
use super::operators::operator_function;
use super::types::{Place, Ty, Value};
use super::view::Entity;
use crate::facts::lower::ast::*;

impl Machine<'_, '_> {
    /// Whether an operator may be overloaded for some operands: one of them is of class or enumeration type.
    pub(super) fn may_be_overloaded(
        &self,
        operator: Symbol,
        written: &[&Expr],
        operands: &[Outcome],
    ) -> bool {
        operands.iter().any(|one| self.is_class(one))
            || self.is_overloaded_for_enumerations(operator)
                && written.iter().any(|one| self.enumeration(one).is_some())
    }

    /// Whether some operator function may take enumerations, which programs define for sets of flags.
    fn is_overloaded_for_enumerations(&self, operator: Symbol) -> bool {
        let name = operator_function(operator);
        let of_flags = matches!(operator.as_str(), "|" | "&" | "^" | "~" | "|=" | "&=" | "^=");
        if !of_flags {
            return false;
        }
        let has = !self.view.unit.declaring(name).is_empty();
        self.view.caches.dependencies.see(|| Some(Dependency::HasName { name, has }));
        has
    }

    /// The type of an operand that is of enumeration type. A value does not tell it from its underlying type.
    fn enumeration(&self, written: &Expr) -> Option<Ty> {
        let ty = self.view.type_of(written, &self.frame.env)?;
        matches!(ty.without_cvref(), Ty::Enum(_)).then_some(ty)
    }

    /// The result of an overloaded operator. Operands are told by their values, whose types are known.
    pub(super) fn overloaded(
        &mut self,
        operator: Symbol,
        written: &[&Expr],
        operands: Vec<Outcome>,
    ) -> Option<Outcome> {
        let mut parameters = Vec::new();
        for (number, operand) in operands.iter().enumerate() {
            let ty = self.operand_type(operator, written.get(number).copied(), operand)?;
            parameters.push((Symbol::intern(&format!("(operand {number})")), ty));
        }
        let named: Vec<Expr> = parameters.iter().map(|(name, _)| Expr::Name(Path::plain(*name))).collect();
        let env = self.frame.env.with_parameters(parameters);
        let call = Call::of_operands(&named.iter().collect::<Vec<_>>(), &env);
        let Some(candidates) = self.view.operator_candidates(operator, &call) else {
            return self.by_three_way_comparison(operator, &call, operands);
        };
        let path = Path::plain(operator_function(operator));
        let mut operands = operands.into_iter();
        let (this, call) = match candidates.members {
            true => {
                let this = self.materialized(operands.next()?)?;
                (Some(this), call.of_first())
            }
            false => (None, call),
        };
        let given: Vec<Given<'_>> = operands.map(Given::Done).collect();
        if let [Entity { decl, .. }] = candidates.functions.as_slice()
            && matches!(&decl.kind, DeclBody::Function(function) if function.defaulted)
        {
            return self.defaulted_operator(operator, this?, given);
        }
        let target = self.resolved(&candidates.functions, &path, &call)?;
        self.invoked(&target, given, this)
    }

    /// The type of an operand: that of its value, or else that of the expression.
    fn operand_type(&self, operator: Symbol, written: Option<&Expr>, operand: &Outcome) -> Option<Ty> {
        let value = match operand {
            Outcome::Value(value) => Some(value),
            Outcome::Place(place) => self.at(place),
            Outcome::Void => None,
        };
        let by_value = value.and_then(Value::ty);
        match written {
            Some(written) if !matches!(by_value, Some(Ty::Class(_))) => {
                let enumeration =
                    || self.is_overloaded_for_enumerations(operator).then(|| self.enumeration(written));
                let by_expression = || self.view.type_of(written, &self.frame.env);
                enumeration().flatten().or(by_value).or_else(by_expression)
            }
            _ => by_value,
        }
    }

    /// The result of a comparison that a defaulted `<=>` gives ([over.match.oper]/3.4, [class.spaceship]): the parts are
    /// compared in order.
    fn by_three_way_comparison(
        &mut self,
        operator: Symbol,
        call: &Call<'_>,
        operands: Vec<Outcome>,
    ) -> Option<Outcome> {
        let candidates = self.view.operator_candidates(Symbol::intern("<=>"), call)?;
        let [Entity { decl, .. }] = candidates.functions.as_slice() else { return None };
        let DeclBody::Function(function) = &decl.kind else { return None };
        let [left, right] = <[Outcome; 2]>::try_from(operands).ok()?;
        if !function.defaulted {
            return None;
        }
        let order = order(&self.loaded(left)?, &self.loaded(right)?)?;
        let holds = match operator.as_str() {
            "<" => order.is_lt(),
            ">" => order.is_gt(),
            "<=" => order.is_le(),
            ">=" => order.is_ge(),
            "==" => order.is_eq(),
            "!=" => order.is_ne(),
            _ => return None,
        };
        Some(Outcome::Value(Value::bool(holds)))
    }

    /// The result of a defaulted assignment or comparison of objects of one class ([class.compare.default]).
    fn defaulted_operator(
        &mut self,
        operator: Symbol,
        this: Place,
        given: Vec<Given<'_>>,
    ) -> Option<Outcome> {
        let Some(Given::Done(other)) = given.into_iter().next() else { return None };
        let other = self.loaded(other)?;
        match operator.as_str() {
            "=" => {
                self.write_to(&this, other)?;
                Some(Outcome::Place(this))
            }
            "==" => same_value(self.at(&this)?, &other).map(|same| Outcome::Value(Value::bool(same))),
            "!=" => same_value(self.at(&this)?, &other).map(|same| Outcome::Value(Value::bool(!same))),
            _ => None,
        }
    }

    /// Whether an outcome is an object of class type.
    pub(super) fn is_class(&self, outcome: &Outcome) -> bool {
        let of_class = |value: &Value| value.object().is_some_and(|object| class_of(object).is_some());
        match outcome {
            Outcome::Value(value) => of_class(value),
            Outcome::Place(place) => self.at(place).is_some_and(of_class),
            Outcome::Void => false,
        }
    }
}

/// The order of two values of one type, objects by their parts; `None` if it is not known.
fn order(one: &Value, other: &Value) -> Option<Ordering> {
    match (one, other) {
        (Value::Int(one, _), Value::Int(other, _)) => Some(one.cmp(other)),
        (Value::Float(one, _), Value::Float(other, _)) => one.partial_cmp(other),
        (Value::Object(one), Value::Object(other)) if one.parts.len() == other.parts.len() => {
            for (one, other) in one.parts.iter().zip(&other.parts) {
                match order(one, other)? {
                    Ordering::Equal => {}
                    decided => return Some(decided),
                }
            }
            Some(Ordering::Equal)
        }
        _ => None,
    }
}
