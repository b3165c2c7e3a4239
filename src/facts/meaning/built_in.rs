//! The types of operator expressions ([expr.unary], [expr.add], [over.built]).
//!
//! In: an operator and its operands. Out: the type. An operator that is neither overloaded nor built in for operands of
//! known types makes substitution fail ([temp.deduct]/8); where a type is not known, or a class may be converted, nothing
//! is said.

use std::rc::Rc;

use crate::source::{Symbol, sym};

use super::arithmetic::common;
use super::categories::is_assignment;
use super::conversions::ConversionCost;
use super::deduce::{Call, without_reference};
use super::traits::{is_scoped, member_pointed_to};
use super::types::{Env, Instance, Ty};
use super::viability::Viability;
use super::view::{Entity, View};
use crate::facts::lower::ast::*;

impl View<'_> {
    /// The type of a prefix operator's expression, other than `*` and `&`.
    pub(super) fn type_of_unary(&self, operator: Symbol, operand: &Expr, env: &Env) -> Option<Ty> {
        let call = Call::of_operands(&[operand], env);
        let truth = (operator == sym::BANG).then_some(Ty::Builtin(sym::BOOL));
        let Some(ty) = call.ty(self, 0).map(|ty| without_reference(ty.clone()).decayed()) else {
            return truth;
        };
        let ty = ty.unqualified().clone();
        if matches!(ty, Ty::Class(_) | Ty::Enum(_))
            && let Some(result) = self.chosen_operator(operator, call)
        {
            return result.or(truth);
        }
        let built_in = match &ty {
            Ty::Class(class) if self.is_closed(class) => return self.invalid(),
            Ty::Class(_) if is_increment(operator) => {
                Viability::settled(self.converted_operand(&ty).is_none())
            }
            Ty::Class(_) => {
                self.converted_operand(&ty).map_or(Viability::CantTell, |to| has_unary(operator, &to))
            }
            ty => has_unary(operator, ty),
        };
        match &ty {
            _ if built_in.is_ruled_out() => self.invalid(),
            _ if truth.is_some() => truth,
            _ if is_increment(operator) => Some(ty),
            Ty::Builtin(name) => Some(Ty::Builtin(common(*name, sym::INT))),
            Ty::Class(_) => match self.converted_operand(&ty) {
                Some(Ty::Builtin(name)) => Some(Ty::Builtin(common(name, sym::INT))),
                _ => Some(ty),
            },
            _ => Some(ty),
        }
    }

    /// The type of `*p` or `p[i]`.
    pub(super) fn type_of_object(&self, operator: Symbol, operands: &[&Expr], env: &Env) -> Option<Ty> {
        let call = Call::of_operands(operands, env);
        match call.ty(self, 0)?.without_cvref().clone() {
            pointer @ Ty::Pointer(_)
                if operator == sym::STAR && has_unary(operator, &pointer).is_ruled_out() =>
            {
                self.invalid()
            }
            Ty::Pointer(to) | Ty::Array(to, _) => Some(to.as_ref().clone()),
            Ty::Class(class) => match self.chosen_operator(operator, call) {
                Some(result) => result,
                None if self.is_no_pointer(&class) && self.are_known(operands, env) => self.invalid(),
                None => None,
            },
            Ty::Builtin(_) | Ty::Enum(_) if operator == sym::STAR => self.invalid(),
            // `2[table]` is `table[2]`.
            Ty::Builtin(_) | Ty::Enum(_) => match call.ty(self, 1).map(Ty::without_cvref) {
                Some(Ty::Builtin(_) | Ty::Enum(_)) => self.invalid(),
                _ => None,
            },
            _ => None,
        }
    }

    /// The type of `object.*m` or `object->*m`, of which `m` points to a member of the type `member` ([expr.mptr.oper]/5).
    fn type_of_access(&self, object: &Ty, operator: Symbol, member: &Ty) -> Option<Ty> {
        let object = match (operator, object.without_cvref()) {
            (sym::ARROW_STAR, Ty::Pointer(to)) => to.as_ref().clone(),
            (sym::ARROW_STAR, _) => return None,
            _ => without_reference(object.clone()),
        };
        let is_const = matches!(object, Ty::Qualified(_, true, _));
        Some(match member {
            Ty::Function(..) => member.clone(),
            data => data.clone().qualified(is_const, false),
        })
    }

    /// The type of a cast, which no class without conversion functions has to a type that is no class. Its operand may make
    /// substitution fail ([temp.deduct]/8): `decltype((void)x.run())`.
    pub(super) fn type_of_cast(&self, written: &Type, operand: &Expr, env: &Env) -> Option<Ty> {
        let ty = self.object_ty(written, Some(operand), env);
        let from = self.type_of(operand, env);
        if let Ty::Builtin(name) = ty
            && name != sym::VOID
            && let Some(from) = from
            && matches!(from.without_cvref(), Ty::Class(class) if self.is_closed(class))
        {
            return self.invalid();
        }
        Some(ty)
    }

    pub(super) fn type_of_binary(
        &self,
        operator: Symbol,
        left: &Expr,
        right: &Expr,
        env: &Env,
    ) -> Option<Ty> {
        let call = Call::of_operands(&[left, right], env);
        let operand = |number| call.ty(self, number).map(|ty| without_reference(ty.clone()).decayed());
        let (one, other) = (operand(0), operand(1));
        if operator == sym::COMMA {
            // The left operand may still make substitution fail ([temp.deduct]/8): `decltype(x.run(), 0)`.
            let of_class = matches!(one, Some(Ty::Class(_)));
            let right = call.ty(self, 1).cloned();
            let overloaded = if of_class { self.type_of_operator(operator, call) } else { None };
            return overloaded.or(right);
        }
        if matches!(operator, sym::DOT_STAR | sym::ARROW_STAR)
            && let Some(member) = other.as_ref().and_then(member_pointed_to)
        {
            return self.type_of_access(call.ty(self, 0)?, operator, member);
        }
        let truth = is_condition(operator).then_some(Ty::Builtin(sym::BOOL));
        let may_be_overloaded =
            |ty: &Option<Ty>| matches!(ty.as_ref().map(Ty::unqualified), Some(Ty::Class(_) | Ty::Enum(_)));
        if may_be_overloaded(&one) || may_be_overloaded(&other) {
            if let Some(result) = self.chosen_operator(operator, call) {
                return result.or(truth);
            }
            if let Some(result) = self.rewritten_comparison(operator, left, right, env) {
                return Some(result);
            }
        }
        let assigns = is_assignment(operator) || is_increment(operator);
        let (one, other) = match (one, other) {
            (Some(one), Some(other)) => (one, other),
            (Some(one), None) if assigns && !matches!(one, Ty::Class(_)) => return Some(one),
            _ => return truth,
        };
        if !self.has_built_in(operator, &one, &other) {
            return self.invalid();
        }
        match (&one, &other) {
            _ if assigns => Some(one),
            _ if truth.is_some() => truth,
            (Ty::Class(_), _) | (_, Ty::Class(_)) => {
                let (one, other) = (self.converted_operand(&one)?, self.converted_operand(&other)?);
                arithmetic_type(operator, &one, &other)
            }
            _ => arithmetic_type(operator, &one, &other),
        }
    }

    /// The type of a comparison that is rewritten to `==` or `<=>` ([over.match.oper]/3.4).
    fn rewritten_comparison(&self, operator: Symbol, left: &Expr, right: &Expr, env: &Env) -> Option<Ty> {
        let to = match operator.as_str() {
            "==" | "!=" => "==",
            "<" | ">" | "<=" | ">=" => "<=>",
            _ => return None,
        };
        let chooses = |operands: [&Expr; 2]| {
            self.chosen_operator(Symbol::intern(to), Call::of_operands(&operands, env)).is_some()
        };
        (chooses([left, right]) || chooses([right, left])).then_some(Ty::Builtin(sym::BOOL))
    }

    /// Whether operands of two types may have a built-in operator, as they are or converted.
    fn has_built_in(&self, operator: Symbol, one: &Ty, other: &Ty) -> bool {
        let is_closed = |ty: &Ty| matches!(ty.unqualified(), Ty::Class(class) if self.is_closed(class));
        if !one.is_sure() || !other.is_sure() {
            return true;
        }
        if operator == sym::ASSIGN {
            // A class has an implicit assignment operator.
            let may_convert =
                || !matches!(self.conversion_cost(one, Some(other)), ConversionCost::Impossible);
            return matches!(one, Ty::Class(_) | Ty::Pointer(_)) || may_convert();
        }
        if is_closed(one) || is_closed(other) {
            return false;
        }
        let (Some(from), Some(other)) = (self.converted_operand(one), self.converted_operand(other)) else {
            return true;
        };
        let assigns = is_assignment(operator) || is_increment(operator);
        if assigns && let Ty::Class(class) = one {
            // Only a reference that a conversion gives is assigned to.
            let gives_reference = |one: &Entity| matches!(&one.decl.kind, DeclBody::Function(f) if matches!(f.result, Type::LvalueReference(_)));
            return self.conversion_functions(class).iter().any(gives_reference);
        }
        if is_increment(operator) {
            return !has_unary(operator, one).is_ruled_out();
        }
        let one = &from;
        let arithmetic = match is_assignment(operator) {
            true => Symbol::intern(operator.as_str().trim_end_matches('=')),
            false => operator,
        };
        !has_binary(arithmetic, one, &other).is_ruled_out()
    }

    /// Whether the types of operands are known.
    fn are_known(&self, operands: &[&Expr], env: &Env) -> bool {
        operands.iter().all(|one| self.type_of(one, env).is_some_and(|ty| ty.is_sure()))
    }

    /// Whether a class is known, and nothing converts an object of it to a type that operators are built in for.
    pub(super) fn is_closed(&self, class: &Rc<Instance>) -> bool {
        !class.is_closure()
            && class.arguments.iter().all(|one| one.is_sure())
            && self.is_complete(class)
            && self.conversion_functions(class).is_empty()
    }

    /// Whether a class is known, and nothing converts an object of it to a pointer or a function.
    pub(super) fn is_no_pointer(&self, class: &Rc<Instance>) -> bool {
        let of_class = || self.converted_operand(&Ty::Class(Rc::clone(class)));
        self.is_closed(class) || self.is_complete(class) && of_class().is_some()
    }

    /// The type to which a built-in operator converts an operand ([over.match.oper]/1); `None` where a class has not just
    /// one conversion function.
    fn converted_operand(&self, ty: &Ty) -> Option<Ty> {
        let Ty::Class(class) = ty.unqualified() else { return Some(ty.unqualified().clone()) };
        let functions = self.conversion_functions(class);
        let [only] = functions.as_slice() else { return None };
        let DeclBody::Function(function) = &only.decl.kind else { return None };
        match self.result_ty(function, &only.env)?.without_cvref() {
            ty @ Ty::Builtin(_) if only.decl.templates.is_empty() && !only.decl.specifiers.is_explicit => {
                Some(ty.clone())
            }
            _ => None,
        }
    }
}

/// The type of a built-in operator that computes a value.
fn arithmetic_type(operator: Symbol, one: &Ty, other: &Ty) -> Option<Ty> {
    match (one.unqualified(), other.unqualified()) {
        (Ty::Pointer(_), Ty::Pointer(_)) => Some(Ty::builtin("long")),
        (Ty::Pointer(_), _) => Some(one.clone()),
        (_, Ty::Pointer(_)) => Some(other.clone()),
        (Ty::Builtin(a), Ty::Builtin(b)) => Some(Ty::Builtin(match operator.as_str() {
            "<<" | ">>" => common(*a, sym::INT),
            _ => common(*a, *b),
        })),
        _ => None,
    }
}

fn is_increment(operator: Symbol) -> bool {
    matches!(operator.as_str(), "++" | "--")
}

/// Whether a built-in operator gives `bool`.
fn is_condition(operator: Symbol) -> bool {
    matches!(operator.as_str(), "==" | "!=" | "<" | ">" | "<=" | ">=" | "&&" | "||")
}

/// What operators ask of an operand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Bool,
    Integer,
    Floating,
    Enumeration,
    ScopedEnumeration,
    Pointer,
    /// A pointer to `void` or to a function, which is not incremented.
    Address,
    NullPointer,
    Void,
}

impl Kind {
    /// `None` for a class and for a type that is not known.
    fn of(ty: &Ty) -> Option<Kind> {
        match ty.unqualified() {
            Ty::Builtin(sym::VOID) => Some(Kind::Void),
            Ty::Builtin(sym::BOOL) => Some(Kind::Bool),
            Ty::Builtin(name) => Some(match name.as_str() {
                "float" | "double" | "long double" => Kind::Floating,
                "nullptr_t" => Kind::NullPointer,
                _ => Kind::Integer,
            }),
            Ty::Enum(_) if is_scoped(ty) => Some(Kind::ScopedEnumeration),
            Ty::Enum(_) => Some(Kind::Enumeration),
            Ty::Pointer(to) => match to.unqualified() {
                Ty::Builtin(sym::VOID) | Ty::Function(..) => Some(Kind::Address),
                _ => Some(Kind::Pointer),
            },
            _ => None,
        }
    }

    fn is_arithmetic(self) -> bool {
        matches!(self, Kind::Bool | Kind::Integer | Kind::Floating | Kind::Enumeration)
    }

    fn is_integral(self) -> bool {
        matches!(self, Kind::Bool | Kind::Integer | Kind::Enumeration)
    }
}

/// Whether an operand of a type has a built-in prefix or postfix operator.
pub(super) fn has_unary(operator: Symbol, operand: &Ty) -> Viability {
    let Some(kind) = Kind::of(operand) else { return Viability::CantTell };
    Viability::settled(match operator.as_str() {
        "++" | "--" => matches!(kind, Kind::Integer | Kind::Floating | Kind::Pointer),
        "+" => kind.is_arithmetic() || matches!(kind, Kind::Pointer | Kind::Address),
        "-" => kind.is_arithmetic(),
        "~" => kind.is_integral(),
        "!" => !matches!(kind, Kind::Void | Kind::ScopedEnumeration),
        "*" => {
            kind == Kind::Pointer
                || matches!(operand.unqualified(), Ty::Pointer(to) if matches!(to.unqualified(), Ty::Function(..)))
        }
        _ => return Viability::CantTell,
    })
}

/// Whether operands of two types have a built-in operator.
pub(super) fn has_binary(operator: Symbol, left: &Ty, right: &Ty) -> Viability {
    let (Some(one), Some(other)) = (Kind::of(left), Kind::of(right)) else { return Viability::CantTell };
    let is_address = |kind| matches!(kind, Kind::Pointer | Kind::Address | Kind::NullPointer);
    let is_counted = |kind| matches!(kind, Kind::Pointer | Kind::Address);
    let are_arithmetic = one.is_arithmetic() && other.is_arithmetic();
    let are_integral = one.is_integral() && other.is_integral();
    Viability::settled(match operator.as_str() {
        // Compilers count from pointers to functions and `void` too.
        "+" => {
            are_arithmetic || is_counted(one) && other.is_integral() || is_counted(other) && one.is_integral()
        }
        "-" => {
            are_arithmetic || is_counted(one) && other.is_integral() || is_counted(one) && is_counted(other)
        }
        "*" | "/" => are_arithmetic,
        "%" | "&" | "|" | "^" | "<<" | ">>" => are_integral,
        "<" | ">" | "<=" | ">=" | "==" | "!=" => {
            let is_equality = matches!(operator.as_str(), "==" | "!=");
            let are_one_enumeration =
                one == Kind::ScopedEnumeration && left.unqualified().is_same(right.unqualified());
            // Of a pointer and a number the number may be a null pointer constant.
            let may_be_null =
                is_address(one) && other == Kind::Integer || is_address(other) && one == Kind::Integer;
            are_arithmetic
                || are_one_enumeration
                || is_address(one) && is_address(other)
                || is_equality && may_be_null
        }
        "&&" | "||" => {
            let is_condition = |kind| !matches!(kind, Kind::Void | Kind::ScopedEnumeration);
            is_condition(one) && is_condition(other)
        }
        _ => return Viability::CantTell,
    })
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::*;

    #[test]
    fn operators_ask_for_their_operands() {
        let (int, float) = (Ty::Builtin(sym::INT), Ty::builtin("float"));
        let pointer = Ty::Pointer(Rc::new(int.clone()));
        let name = Symbol::intern;
        assert!(has_unary(name("~"), &int).is_certain());
        assert!(has_unary(name("~"), &float).is_ruled_out());
        assert!(has_unary(name("-"), &pointer).is_ruled_out());
        assert!(has_unary(name("*"), &Ty::Pointer(Rc::new(Ty::Builtin(sym::VOID)))).is_ruled_out());
        assert!(has_binary(name("+"), &pointer, &int).is_certain());
        assert!(has_binary(name("+"), &pointer, &pointer).is_ruled_out());
        assert!(has_binary(name("%"), &float, &int).is_ruled_out());
        assert!(has_binary(name("<"), &pointer, &int).is_ruled_out());
        assert!(has_binary(name("=="), &pointer, &int).is_certain());
    }
}
