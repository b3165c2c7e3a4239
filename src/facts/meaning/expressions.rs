//! Values of expressions in constant expressions ([expr.const]).
//!
//! In: an expression, and the frame of the call that it is in. Out: its value or the object that it denotes; `None` if that is
//! not known, or if the constant takes more steps than are allowed.

use std::rc::Rc;

use crate::source::{Symbol, sym};

use super::arithmetic::{cast, unary};
use super::machine::{Machine, Outcome, class_of};
use super::operators::operator_function;
use super::statements::{is_assignment, underlying_operator};
use super::types::{Base, Object, Place, StaticObject, TemplateArgument, Ty, Value};
use super::view::{Entity, LookupResult};
use crate::facts::lower::ast::*;

impl Machine<'_, '_> {
    /// The value of the expression that the constant is. A name that denotes no constant stands for itself.
    pub(super) fn result(&mut self, expr: &Expr) -> Option<Value> {
        match (self.evaluate(expr), expr) {
            (Some(outcome), _) => self.loaded(outcome),
            (None, Expr::Name(path)) => Some(self.view.opaque_name(path, &self.frame.env)),
            (None, _) => None,
        }
    }

    /// The value of an expression, or the object that it denotes.
    pub(super) fn evaluate(&mut self, expr: &Expr) -> Option<Outcome> {
        let view = self.view;
        let found = view.nested_step(|| self.evaluate_unguarded(expr));
        // What could not be evaluated may have changed the objects of a call around it.
        let is_outermost = || self.frame.variables.is_empty() && self.frame.this.is_none();
        match found {
            None if is_outermost() => view.stateless_object(expr, &self.frame.env).map(Outcome::Value),
            found => found,
        }
    }

    fn evaluate_unguarded(&mut self, expr: &Expr) -> Option<Outcome> {
        let value = |value: Option<Value>| value.map(Outcome::Value);
        match expr {
            Expr::Int(number, ty) => Some(Outcome::Value(Value::Int(*number, *ty))),
            Expr::Float(spelling, ty) => value(floating_literal(spelling, *ty)),
            Expr::Text(spelling) => self.string(spelling).map(Outcome::Place),
            Expr::Null => Some(Outcome::Value(Value::Null)),
            Expr::This => value(self.frame.this.clone().map(Value::Pointer)),
            Expr::Name(path) => self.named(path),
            Expr::Member(object, arrow, member) => self.member(object, *arrow, member),
            Expr::Unary(operator, operand) => self.unary_expression(*operator, operand),
            Expr::Binary(operator, left, right) => self.binary_expression(*operator, left, right),
            Expr::Conditional(condition, then, otherwise) => match self.holds(condition)? {
                true => self.evaluate(then),
                false => self.evaluate(otherwise),
            },
            Expr::Cast(ty, operand) => self.cast_expression(ty, operand),
            Expr::Construct(ty, values) => {
                let ty = self.view.constructed_type(ty, values, &self.frame.env);
                self.functional_cast(&ty, values)
            }
            Expr::SizeofType(_) | Expr::SizeofValue(_) | Expr::Alignof(_) | Expr::SizeofPack(_) => {
                value(self.view.size_query(expr, &self.frame.env))
            }
            Expr::Noexcept(operand) => {
                value(self.view.is_non_throwing(operand, &self.frame.env).map(Value::bool))
            }
            Expr::List(values) => match values.as_slice() {
                [only] => self.evaluate(only),
                _ => None,
            },
            Expr::Subscript(object, index) => self.subscript(object, index),
            Expr::Call(callee, arguments) => self.call_expression(callee, arguments),
            Expr::Fold(operator, left, right) => self.fold(*operator, left.as_deref(), right.as_deref()),
            Expr::Requires(_) => value(self.view.holds(expr, &self.frame.env).map(Value::bool)),
            Expr::Lambda(closure) => value(self.closure_object(closure)),
            Expr::RangeElement(_) => self.frame.range_elements.last().cloned().map(Outcome::Place),
            Expr::StructuredBinding(object, number) => self.structured_binding(object, *number),
            Expr::Expansion(_) | Expr::Unknown(_) => None,
        }
    }

    /// The variable or constant that a name denotes.
    pub(super) fn named(&mut self, path: &Path) -> Option<Outcome> {
        if let [Segment { name, arguments: None }] = path.segments.as_slice()
            && !path.global
            && let Some(place) = self.frame.variable(*name)
        {
            return Some(Outcome::Place(place.clone()));
        }
        if let Some(value) = self.view.closure_trait(path, &self.frame.env) {
            return Some(Outcome::Value(value));
        }
        let found = self.view.lookup(path, &self.frame.env);
        match &found {
            LookupResult::Parameter(ty) | LookupResult::TemplateArgument(TemplateArgument::Type(ty)) => {
                if let Ty::Class(class) = ty.without_cvref() {
                    return self.unknown_object(class).map(Outcome::Place);
                }
            }
            LookupResult::Entities(entities) => {
                if let Some(place) = self.own_member(entities, path.last().name) {
                    return Some(Outcome::Place(place));
                }
            }
            _ => {}
        }
        let is_function = match &found {
            LookupResult::Entities(entities) => {
                matches!(entities.first()?.decl.kind, DeclBody::Function(_))
            }
            _ => false,
        };
        let value = match is_function {
            true => self.view.opaque_name(path, &self.frame.env),
            false => match self.view.value_of_entity(found, path, &self.frame.env) {
                Some(value) => value,
                None => return self.unknown_variable(path),
            },
        };
        Some(match &value {
            Value::Object(object) => {
                let name = object.named.as_ref().map_or_else(|| value.text(), ToString::to_string);
                Outcome::Place(Place::of(Base::Static(Rc::new(StaticObject { name, value }))))
            }
            _ => Outcome::Value(value),
        })
    }

    /// An object of class type that is no constant: what is asked of it may depend on its class alone.
    fn unknown_variable(&mut self, path: &Path) -> Option<Outcome> {
        let ty = self.view.type_of(&Expr::Name(path.clone()), &self.frame.env)?;
        let Ty::Class(class) = ty.without_cvref() else { return None };
        self.unknown_object(class).map(Outcome::Place)
    }

    /// The data member of `*this` that lookup found.
    fn own_member(&self, entities: &[Entity], name: Symbol) -> Option<Place> {
        let [entity] = entities else { return None };
        let is_data = matches!(entity.decl.kind, DeclBody::Variable(_)) && !entity.decl.specifiers.is_static;
        let (class, this) = (entity.owner.as_ref().filter(|_| is_data)?, self.frame.this.as_ref()?);
        let member = self.data_member(&self.subobject(this, class)?, name)?;
        Some(self.dereferenced_member(member, name))
    }

    /// The object that a data member is, or refers to if it is a reference.
    fn dereferenced_member(&self, member: Place, name: Symbol) -> Place {
        let Some(Value::Pointer(to)) = self.at(&member) else { return member };
        let around = Place {
            base: member.base.clone(),
            path: member.path.split_last().map_or_else(Vec::new, |(_, around)| around.to_vec()),
        };
        match self.at(&around).and_then(Value::object) {
            Some(object) if self.is_reference_member(object, name) => to.clone(),
            _ => member,
        }
    }

    /// The object that `object` denotes in `object.m`, or points to in `object->m`.
    pub(super) fn object_expression(&mut self, object: &Expr, arrow: bool) -> Option<Place> {
        let outcome = self.evaluate(object)?;
        if !arrow {
            return self.materialized(outcome);
        }
        match self.decayed(outcome)? {
            Value::Pointer(place) => Some(place),
            value @ Value::Object(_) => {
                let place = self.new_object(value);
                let pointer = self.call_member(&place, operator_function(Symbol::intern("->")))?;
                match self.loaded(pointer)? {
                    Value::Pointer(place) => Some(place),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// A class member access to a data member or an enumerator.
    fn member(&mut self, object: &Expr, arrow: bool, member: &Segment) -> Option<Outcome> {
        let place = self.object_expression(object, arrow);
        if let Some(place) = &place
            && let Some(own) = self.data_member(place, member.name)
        {
            return Some(Outcome::Place(self.dereferenced_member(own, member.name)));
        }
        let class = match place.as_ref().and_then(|place| self.at(place)).and_then(Value::object) {
            Some(object) => class_of(object)?.clone(),
            None => self.view.object_class(object, arrow, &self.frame.env)?,
        };
        let path = Path { global: false, elaborated: false, segments: vec![member.clone()] };
        let found = self.view.lookup_member(&class, member.name);
        matches!(found, LookupResult::Entities(_))
            .then(|| self.view.value_of_entity(found, &path, &self.frame.env))
            .flatten()
            .map(Outcome::Value)
    }

    fn unary_expression(&mut self, operator: Symbol, operand: &Expr) -> Option<Outcome> {
        if operator == sym::AMP {
            return self.address(operand);
        }
        let outcome = self.evaluate(operand)?;
        if self.may_be_overloaded(operator, &[operand], std::slice::from_ref(&outcome))
            && let Some(result) = self.overloaded(operator, &[operand], vec![outcome.clone()])
        {
            return Some(result);
        }
        match operator {
            sym::STAR => match self.decayed(outcome)? {
                Value::Pointer(place) => Some(Outcome::Place(place)),
                // `*f` of a function is the function.
                function @ Value::Opaque(_) => Some(Outcome::Value(function)),
                _ => None,
            },
            sym::PLUS_PLUS | sym::MINUS_MINUS => {
                let Outcome::Place(place) = outcome else { return None };
                self.step_by_one(operator, &place)?;
                Some(Outcome::Place(place))
            }
            _ => {
                let value = self.decayed(outcome)?;
                let value = self.as_scalar(value, None)?;
                unary(operator, &value).map(Outcome::Value)
            }
        }
    }

    /// `&operand`: of a function, that is the function ([conv.func]).
    fn address(&mut self, operand: &Expr) -> Option<Outcome> {
        if let Expr::Name(path) = operand {
            let known = self.frame.variable(path.last().name).is_some() && path.segments.len() == 1;
            if !known && let Some(place) = self.view.static_place(path, &self.frame.env) {
                return Some(Outcome::Value(match place {
                    Ok(place) => Value::Pointer(place),
                    Err(function) => function,
                }));
            }
        }
        // The address of an element is a constant also where the elements are not ([expr.const]/11).
        if let Expr::Subscript(table, index) = operand
            && let Expr::Name(path) = table.as_ref()
            && self.frame.variable(path.last().name).is_none()
            && let Some(Ty::Array(..)) = self.view.type_of(table, &self.frame.env)
            && let Some(Ok(place)) = self.view.static_place(path, &self.frame.env)
            && let Ok(index) = usize::try_from(self.scalar(index)?.int()?)
        {
            return Some(Outcome::Value(Value::Pointer(place.part(index))));
        }
        match self.evaluate(operand)? {
            Outcome::Place(place) => Some(Outcome::Value(Value::Pointer(place))),
            _ => None,
        }
    }

    fn binary_expression(&mut self, operator: Symbol, left: &Expr, right: &Expr) -> Option<Outcome> {
        match operator {
            sym::COMMA => {
                self.evaluate(left)?;
                return self.evaluate(right);
            }
            sym::AMP_AMP | sym::BAR_BAR => return self.logical(operator, left, right).map(Outcome::Value),
            sym::PLUS_PLUS | sym::MINUS_MINUS => return self.postfix(operator, left),
            _ if is_assignment(operator) => return self.assignment(operator, left, right),
            _ => {}
        }
        let (one, other) = (self.evaluate(left)?, self.evaluate(right)?);
        self.operation(operator, &[left, right], one, other)
    }

    fn postfix(&mut self, operator: Symbol, operand: &Expr) -> Option<Outcome> {
        let outcome = self.evaluate(operand)?;
        if self.is_class(&outcome) {
            let zero = Expr::Int(0, sym::INT);
            let outcomes = vec![outcome, Outcome::Value(Value::Int(0, sym::INT))];
            return self.overloaded(operator, &[operand, &zero], outcomes);
        }
        let Outcome::Place(place) = outcome else { return None };
        let before = self.at(&place)?.clone();
        self.step_by_one(operator, &place)?;
        Some(Outcome::Value(before))
    }

    fn assignment(&mut self, operator: Symbol, left: &Expr, right: &Expr) -> Option<Outcome> {
        let target = self.evaluate(left)?;
        let target_only = std::slice::from_ref(&target);
        if self.may_be_overloaded(operator, &[left], target_only) && !matches!(right, Expr::List(_)) {
            let value = self.evaluate(right)?;
            let outcomes = vec![target.clone(), value.clone()];
            if let Some(result) = self.overloaded(operator, &[left, right], outcomes) {
                return Some(result);
            }
            let (Outcome::Place(place), None) = (&target, underlying_operator(operator)) else { return None };
            let class = class_of(self.at(place)?.object()?)?.clone();
            let value = self.converted(value, &Ty::Class(class))?;
            self.write_to(place, value)?;
            return Some(target);
        }
        let Outcome::Place(place) = target else { return None };
        let value = match underlying_operator(operator) {
            Some(operator) => {
                let by = self.scalar(right)?;
                let before = self.at(&place)?.clone();
                self.calculated(operator, &before, &by)?
            }
            None => {
                let ty = self.view.type_of(left, &self.frame.env);
                match (ty.as_ref().map(Ty::without_cvref), right) {
                    (Some(ty @ (Ty::Class(_) | Ty::Array(..) | Ty::Pointer(_) | Ty::Builtin(_))), _) => {
                        self.initialized(ty, right)?
                    }
                    (_, Expr::List(_)) => return None,
                    _ => {
                        let value = self.evaluate(right)?;
                        self.decayed(value)?
                    }
                }
            }
        };
        self.assign(&place, value)?;
        Some(Outcome::Place(place))
    }

    fn cast_expression(&mut self, ty: &Type, operand: &Expr) -> Option<Outcome> {
        let ty = self.view.ty(ty, &self.frame.env);
        match ty.unqualified() {
            Ty::Builtin(sym::VOID) => {
                self.evaluate(operand)?;
                Some(Outcome::Void)
            }
            Ty::LvalueReference(to) | Ty::RvalueReference(to) => {
                self.bound_reference(to, operand).map(Outcome::Place)
            }
            Ty::Opaque { .. } | Ty::Parameter(..) => None,
            _ => self.initialized(&ty, operand).map(Outcome::Value),
        }
    }

    /// `T(a, b)`, `T{a, b}`, `T()`.
    pub(super) fn functional_cast(&mut self, ty: &Ty, values: &[Expr]) -> Option<Outcome> {
        match (ty.unqualified(), values) {
            (Ty::Builtin(sym::VOID), _) => {
                values.iter().try_for_each(|one| self.evaluate(one).map(|_| ()))?;
                return Some(Outcome::Void);
            }
            (Ty::LvalueReference(to) | Ty::RvalueReference(to), [only]) => {
                return self.bound_reference(to, only).map(Outcome::Place);
            }
            (Ty::Opaque { .. } | Ty::Parameter(..), _) => return None,
            _ => {}
        }
        let value = match (ty.unqualified(), values) {
            (Ty::Class(class), _) => self.constructed(class, values),
            (_, []) => self.empty(ty),
            (Ty::Array(..), _) => self.initialized(ty, &Expr::List(values.to_vec())),
            (_, [only]) => self.initialized(ty, only),
            _ => None,
        };
        value.map(Outcome::Value)
    }

    fn subscript(&mut self, object: &Expr, index: &Expr) -> Option<Outcome> {
        let outcome = self.evaluate(object)?;
        if self.is_class(&outcome) {
            let by = self.evaluate(index)?;
            return self.overloaded(Symbol::intern("[]"), &[object, index], vec![outcome, by]);
        }
        let (first, by) = (self.decayed(outcome)?, self.scalar(index)?);
        match self.calculated(sym::PLUS, &first, &by)? {
            Value::Pointer(place) => {
                self.at(&place)?;
                Some(Outcome::Place(place))
            }
            _ => None,
        }
    }

    /// The element or data member that one name of a structured binding denotes ([dcl.struct.bind]). The first name has the
    /// object evaluated.
    fn structured_binding(&mut self, object: &Expr, number: usize) -> Option<Outcome> {
        if number == 0 {
            self.frame.bound = None;
            let outcome = self.evaluate(object)?;
            self.frame.bound = Some(self.materialized(outcome)?);
        }
        let place = self.frame.bound.clone()?;
        let object: &Rc<Object> = self.at(&place)?.object()?;
        let plain = !object.names.contains(&sym::EMPTY) && number < object.parts.len();
        plain.then(|| Outcome::Place(place.part(number)))
    }
}

/// The value of a floating-point literal, without its digit separators; `None` for a `long double`.
fn floating_literal(spelling: &str, ty: Symbol) -> Option<Value> {
    let digits = spelling.trim_end_matches(['f', 'l']);
    let number = match digits.strip_prefix("0x") {
        Some(digits) => hexadecimal(digits)?,
        None if ty == sym::FLOAT => f64::from(digits.parse::<f32>().ok()?),
        None => digits.parse().ok()?,
    };
    matches!(ty, sym::FLOAT | sym::DOUBLE).then(|| cast(Value::Float(number, sym::DOUBLE), ty))
}

/// The value of the digits `1.8p3` of a hexadecimal floating-point literal that has at most 64 bits.
fn hexadecimal(digits: &str) -> Option<f64> {
    let (mantissa, exponent) = digits.split_once('p')?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let bits = u64::from_str_radix(&format!("{whole}{fraction}"), 16).ok()?;
    let places = i32::try_from(fraction.len()).ok()?.checked_mul(4)?;
    let exponent = exponent.parse::<i32>().ok()?.checked_sub(places)?;
    Some(bits as f64 * 2_f64.powi(exponent))
}
