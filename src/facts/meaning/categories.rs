//! Value categories ([basic.lval]), and what depends on them: `decltype((x))` and the types of placeholders.
//!
//! In: an expression and the environment of its names. Out: whether it is an lvalue, an xvalue or a prvalue, which is not
//! known where its type is not.

use std::rc::Rc;

use crate::source::{Symbol, sym};

use super::deduce::{ImpliedObject, without_reference};
use super::types::{Env, TemplateArgument, Ty};
use super::typing::is_forward_or_move;
use super::view::{Entity, LookupResult, View};
use crate::facts::lower::ast::*;
use crate::facts::lower::nodes::{PARENTHESES, TYPEOF};

/// The value category of an expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::facts) enum ValueCategory {
    Lvalue,
    Xvalue,
    Prvalue,
    /// The type of a part of it is not known.
    CantTell,
}

impl ValueCategory {
    /// That of a call of a function with this return type.
    fn of_result(ty: Option<&Ty>) -> ValueCategory {
        match ty {
            None | Some(Ty::Opaque { .. }) => ValueCategory::CantTell,
            Some(Ty::LvalueReference(_)) => ValueCategory::Lvalue,
            Some(Ty::RvalueReference(_)) => ValueCategory::Xvalue,
            Some(_) => ValueCategory::Prvalue,
        }
    }
}

impl View<'_> {
    /// The type of an expression with its value category: an lvalue reference for an lvalue, an rvalue reference for an
    /// xvalue ([dcl.type.decltype]/1.5).
    pub(in crate::facts) fn categorized_type(&self, expr: &Expr, env: &Env) -> Option<Ty> {
        let ty = self.type_of(expr, env)?;
        Some(match self.value_category(expr, Some(&ty), env) {
            ValueCategory::Lvalue => Ty::LvalueReference(Rc::new(self.object_type(expr, ty, env))),
            ValueCategory::Xvalue => Ty::RvalueReference(Rc::new(self.object_type(expr, ty, env))),
            ValueCategory::Prvalue => without_reference(ty),
            ValueCategory::CantTell => ty,
        })
    }

    /// The type of the object that a glvalue of the type `ty` refers to: a member of a const object is const
    /// ([expr.ref]/6).
    pub(in crate::facts) fn object_type(&self, expr: &Expr, ty: Ty, env: &Env) -> Ty {
        let is_reference = matches!(ty, Ty::LvalueReference(_) | Ty::RvalueReference(_));
        let ty = without_reference(ty);
        match expr {
            Expr::Member(object, arrow, _) if !is_reference => {
                let is_const = self.object(object, *arrow, env).is_some_and(|(_, is_const)| is_const);
                ty.qualified(is_const, false)
            }
            Expr::Unary(operator, inner) if operator.as_str() == PARENTHESES && !is_reference => {
                self.object_type(inner, ty, env)
            }
            _ => ty,
        }
    }

    /// The type that `decltype(e)` denotes: for a name or a member access the declared type, else the expression's type
    /// with its value category ([dcl.type.decltype]/1).
    pub(in crate::facts) fn decltype(&self, expr: &Expr, env: &Env) -> Option<Ty> {
        match expr {
            Expr::Name(_) | Expr::Member(..) => self.type_of(expr, env),
            _ => self.categorized_type(expr, env),
        }
    }

    /// The value category of an expression of the type `ty`, which is a reference where it is declared as one.
    pub(in crate::facts) fn value_category(&self, expr: &Expr, ty: Option<&Ty>, env: &Env) -> ValueCategory {
        let by_type = ValueCategory::of_result(ty);
        // Of an operator that is built in, the type is no reference.
        let of_class = |operand: &Expr| {
            let ty = self.type_of(operand, env);
            matches!(ty.as_ref().map(Ty::without_cvref), None | Some(Ty::Class(_) | Ty::Opaque { .. }))
        };
        let built_in = |category| match by_type {
            ValueCategory::Prvalue => category,
            other => other,
        };
        match expr {
            Expr::Text(_) | Expr::StructuredBinding(..) => ValueCategory::Lvalue,
            Expr::Name(path) => self.category_of_name(path, env),
            Expr::Member(object, arrow, _) => match ty {
                None => ValueCategory::CantTell,
                Some(Ty::LvalueReference(_)) => ValueCategory::Lvalue,
                Some(_) if *arrow => ValueCategory::Lvalue,
                Some(_) => match self.category_of(object, env) {
                    ValueCategory::Prvalue => ValueCategory::Xvalue,
                    other => other,
                },
            },
            Expr::Unary(operator, operand) => match operator.as_str() {
                PARENTHESES => self.value_category(operand, ty, env),
                TYPEOF => ValueCategory::Prvalue,
                "*" if by_type == ValueCategory::Prvalue && of_class(operand) => ValueCategory::Prvalue,
                "*" | "++" | "--" => built_in(ValueCategory::Lvalue),
                _ => by_type,
            },
            Expr::Subscript(operand, _) => match by_type {
                ValueCategory::Prvalue if of_class(operand) => ValueCategory::Prvalue,
                _ => built_in(ValueCategory::Lvalue),
            },
            Expr::Binary(sym::COMMA, _, right) => self.value_category(right, ty, env),
            // Of an rvalue's data member it is an xvalue ([expr.mptr.oper]/6).
            Expr::Binary(sym::DOT_STAR, object, _) => match self.category_of(object, env) {
                ValueCategory::Prvalue => ValueCategory::Xvalue,
                category => category,
            },
            Expr::Binary(sym::ARROW_STAR, pointer, _) if !of_class(pointer) => ValueCategory::Lvalue,
            // An implicit assignment operator too returns a reference to its object ([class.copy.assign]/6).
            Expr::Binary(operator, ..) if is_assignment(*operator) => built_in(ValueCategory::Lvalue),
            Expr::Conditional(_, then, otherwise) => {
                let types = [then, otherwise].map(|operand| self.type_of(operand, env));
                // Operands of different types are converted to a common one ([expr.cond]/7).
                if let [Some(one), Some(other)] =
                    types.each_ref().map(|ty| ty.as_ref().map(Ty::without_cvref))
                    && matches!((one, other), (Ty::Builtin(one), Ty::Builtin(other)) if one != other)
                {
                    return ValueCategory::Prvalue;
                }
                match (self.category_of(then, env), self.category_of(otherwise, env)) {
                    (one, other) if one == other => one,
                    (ValueCategory::CantTell, _) | (_, ValueCategory::CantTell) => ValueCategory::CantTell,
                    _ => ValueCategory::Prvalue,
                }
            }
            Expr::Call(callee, arguments) => match (callee.as_ref(), &**arguments) {
                (Expr::Name(path), [_])
                    if is_forward_or_move(path)
                        && matches!(self.lookup(path, env), LookupResult::Nothing) =>
                {
                    self.category_of_forward(path, env)
                }
                _ => by_type,
            },
            Expr::Cast(..) | Expr::Construct(..) | Expr::RangeElement(_) | Expr::Binary(..) => by_type,
            Expr::Fold(..) | Expr::Expansion(_) | Expr::Unknown(_) => ValueCategory::CantTell,
            Expr::Int(..)
            | Expr::Float(..)
            | Expr::Null
            | Expr::This
            | Expr::SizeofType(_)
            | Expr::SizeofValue(_)
            | Expr::Alignof(_)
            | Expr::SizeofPack(_)
            | Expr::Noexcept(_)
            | Expr::List(_)
            | Expr::Lambda(_)
            | Expr::Requires(_) => ValueCategory::Prvalue,
        }
    }

    /// The object of `object.m` or `object->m` as an argument for the member functions `functions`. Its value category
    /// is looked for only if one of them has a ref-qualifier: it takes the types of all objects in a chain of members.
    pub(in crate::facts) fn implied_object(
        &self,
        functions: &[Entity],
        (object, arrow): (&Expr, bool),
        is_const: bool,
        env: &Env,
    ) -> ImpliedObject {
        let has_ref_qualifier = |entity: &Entity| match &entity.decl.kind {
            DeclBody::Function(function) => function.reference != RefQualifier::None,
            _ => false,
        };
        let category = match functions.iter().any(has_ref_qualifier) {
            _ if arrow => ValueCategory::Lvalue,
            true => self.category_of(object, env),
            false => ValueCategory::CantTell,
        };
        ImpliedObject { is_const, category }
    }

    /// The value category of an expression whose type is not known yet.
    pub(super) fn category_of(&self, expr: &Expr, env: &Env) -> ValueCategory {
        let ty = self.type_of(expr, env);
        self.value_category(expr, ty.as_ref(), env)
    }

    fn category_of_name(&self, path: &Path, env: &Env) -> ValueCategory {
        match self.lookup(path, env) {
            LookupResult::Parameter(_) | LookupResult::TemplateArgument(TemplateArgument::Type(_)) => {
                ValueCategory::Lvalue
            }
            LookupResult::TemplateArgument(TemplateArgument::Value(_)) => ValueCategory::Prvalue,
            LookupResult::Entities(all) => match all.first().map(|one| &one.decl.kind) {
                Some(DeclBody::Variable(_) | DeclBody::Function(_)) => ValueCategory::Lvalue,
                Some(DeclBody::Enum(_)) => ValueCategory::Prvalue,
                _ => ValueCategory::CantTell,
            },
            _ => ValueCategory::CantTell,
        }
    }

    /// The value category of `std::forward<T>(x)` or `std::move(x)` where no declaration was found for it ([forward]).
    fn category_of_forward(&self, path: &Path, env: &Env) -> ValueCategory {
        match path.last().arguments.as_deref() {
            Some([Argument::Type(ty)]) => match self.ty(ty, env) {
                Ty::LvalueReference(_) => ValueCategory::Lvalue,
                Ty::Opaque { .. } => ValueCategory::CantTell,
                _ => ValueCategory::Xvalue,
            },
            _ => ValueCategory::Xvalue,
        }
    }

    /// The type that a placeholder type, `auto`, `const auto &` or `auto &&`, is replaced by where an initializer or an
    /// operand of a return statement is `value` ([dcl.type.auto.deduct]).
    pub(in crate::facts) fn placeholder_type(&self, written: &Type, value: &Expr, env: &Env) -> Option<Ty> {
        if *written == Type::DecltypeAuto {
            return self.decltype(value, env);
        }
        let ty = self.type_of(value, env)?;
        Some(match written {
            Type::LvalueReference(inner) => {
                let ty = self.object_type(value, ty, env);
                Ty::LvalueReference(Rc::new(with_qualifiers(inner, ty)))
            }
            Type::RvalueReference(_) => {
                let category = self.value_category(value, Some(&ty), env);
                let ty = Rc::new(self.object_type(value, ty, env));
                match category {
                    ValueCategory::Lvalue => Ty::LvalueReference(ty),
                    _ => Ty::RvalueReference(ty),
                }
            }
            // `const auto *p` points to const; `auto *` alone is what `auto` is.
            Type::Pointer(to) => match without_reference(ty).decayed() {
                Ty::Pointer(object) => Ty::Pointer(Rc::new(with_qualifiers(to, object.as_ref().clone()))),
                other => other,
            },
            _ => with_qualifiers(written, without_reference(ty).decayed()),
        })
    }
}

/// A type with the cv-qualifiers of a written one.
fn with_qualifiers(written: &Type, ty: Ty) -> Ty {
    match written {
        Type::Qualified(_, is_const, is_volatile) => ty.qualified(*is_const, *is_volatile),
        _ => ty,
    }
}

/// Whether a binary operator is an assignment operator ([expr.ass]).
pub(super) fn is_assignment(operator: Symbol) -> bool {
    operator == sym::ASSIGN
        || operator.as_str().ends_with('=') && !matches!(operator.as_str(), "==" | "!=" | "<=" | ">=")
}
