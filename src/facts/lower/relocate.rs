//! Relocation of lowered declarations whose tokens now stand elsewhere: the same declarations with other
//! places.
//!
//! Two `Arc`s to one object stay two `Arc`s to one object: a lambda-expression is shared by the expressions
//! and the items around it.

use std::any::Any;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::source::Span;

use super::ast::*;

/// The declarations of a text that began at `from` and now begins at `to`.
pub(in crate::facts) fn relocated(decls: &[Arc<Decl>], from: Span, to: Span) -> Vec<Arc<Decl>> {
    let mut decls = decls.to_vec();
    decls.shift(&mut Shift { from, to, shared: FxHashMap::default() });
    decls
}

/// The old and the new place of a text.
struct Shift {
    from: Span,
    to: Span,
    /// Shared objects before and after relocation, by the address of the former, which is kept alive here.
    shared: FxHashMap<usize, Box<dyn Any>>,
}

impl Shift {
    /// The relocated copy of the shared object at an address, if it was relocated before.
    fn relocated_shared<T: Clone + 'static>(&self, address: usize) -> Option<T> {
        let (_, new) = self.shared.get(&address)?.downcast_ref::<(T, T)>()?;
        Some(new.clone())
    }
}

/// Syntax that holds places of the text.
trait Placed {
    fn shift(&mut self, shift: &mut Shift);
}

impl Placed for Span {
    fn shift(&mut self, Shift { from, to, .. }: &mut Shift) {
        if self.file == from.file {
            let moved = |offset: u32| offset.wrapping_sub(from.start).wrapping_add(to.start);
            *self = Span { file: to.file, start: moved(self.start), end: moved(self.end) };
        }
    }
}

impl<T: Placed> Placed for Vec<T> {
    fn shift(&mut self, shift: &mut Shift) {
        self.iter_mut().for_each(|one| one.shift(shift));
    }
}

impl<T: Placed> Placed for Option<T> {
    fn shift(&mut self, shift: &mut Shift) {
        self.iter_mut().for_each(|one| one.shift(shift));
    }
}

impl<T: Placed> Placed for Box<T> {
    fn shift(&mut self, shift: &mut Shift) {
        self.as_mut().shift(shift);
    }
}

impl<T: Placed + Clone + 'static> Placed for Arc<T> {
    fn shift(&mut self, shift: &mut Shift) {
        let address = Arc::as_ptr(self).addr();
        *self = shift.relocated_shared(address).unwrap_or_else(|| {
            let mut new = T::clone(self);
            new.shift(shift);
            let new = Arc::new(new);
            shift.shared.insert(address, Box::new((Arc::clone(self), Arc::clone(&new))));
            new
        });
    }
}

impl Placed for Arc<[Expr]> {
    fn shift(&mut self, shift: &mut Shift) {
        let address = Arc::as_ptr(self).addr();
        *self = shift.relocated_shared(address).unwrap_or_else(|| {
            let mut new = self.to_vec();
            new.shift(shift);
            let new: Arc<[Expr]> = new.into();
            shift.shared.insert(address, Box::new((Arc::clone(self), Arc::clone(&new))));
            new
        });
    }
}

impl<L: Placed, R: Placed> Placed for (L, R) {
    fn shift(&mut self, shift: &mut Shift) {
        self.0.shift(shift);
        self.1.shift(shift);
    }
}

impl Placed for bool {
    fn shift(&mut self, _: &mut Shift) {}
}

impl Placed for crate::source::Symbol {
    fn shift(&mut self, _: &mut Shift) {}
}

impl Placed for Path {
    fn shift(&mut self, shift: &mut Shift) {
        let Path { global: _, elaborated: _, segments } = self;
        segments.shift(shift);
    }
}

impl Placed for Segment {
    fn shift(&mut self, shift: &mut Shift) {
        let Segment { name: _, arguments } = self;
        arguments.shift(shift);
    }
}

impl Placed for Argument {
    fn shift(&mut self, shift: &mut Shift) {
        match self {
            Argument::Type(ty) => ty.shift(shift),
            Argument::Value(expr) => expr.shift(shift),
            Argument::Pack(inner) => inner.shift(shift),
        }
    }
}

impl Placed for Type {
    fn shift(&mut self, shift: &mut Shift) {
        match self {
            Type::Named(path) => path.shift(shift),
            Type::Pointer(inner)
            | Type::LvalueReference(inner)
            | Type::RvalueReference(inner)
            | Type::Qualified(inner, ..)
            | Type::Pack(inner) => inner.shift(shift),
            Type::Array(inner, size) => {
                inner.shift(shift);
                size.shift(shift);
            }
            Type::Function(result, parameters, non_throwing) => {
                result.shift(shift);
                parameters.shift(shift);
                non_throwing.shift(shift);
            }
            Type::Decltype(expr) => expr.shift(shift),
            Type::Call(ty, expr) => {
                ty.shift(shift);
                expr.shift(shift);
            }
            Type::Builtin(_) | Type::Auto | Type::DecltypeAuto | Type::Unknown(_) => {}
        }
    }
}

impl Placed for Expr {
    fn shift(&mut self, shift: &mut Shift) {
        match self {
            Expr::Name(path) => path.shift(shift),
            Expr::Member(object, _, member) => {
                object.shift(shift);
                member.shift(shift);
            }
            Expr::Unary(_, inner)
            | Expr::SizeofValue(inner)
            | Expr::Noexcept(inner)
            | Expr::Expansion(inner)
            | Expr::RangeElement(inner)
            | Expr::StructuredBinding(inner, _) => inner.shift(shift),
            Expr::Binary(_, left, right) | Expr::Subscript(left, right) => {
                left.shift(shift);
                right.shift(shift);
            }
            Expr::Conditional(condition, then, otherwise) => {
                [condition, then, otherwise].into_iter().for_each(|one| one.shift(shift));
            }
            Expr::Cast(ty, inner) => {
                ty.shift(shift);
                inner.shift(shift);
            }
            Expr::Construct(ty, values) => {
                ty.shift(shift);
                values.shift(shift);
            }
            Expr::SizeofType(ty) | Expr::Alignof(ty) => ty.shift(shift),
            Expr::Call(callee, arguments) => {
                callee.shift(shift);
                arguments.shift(shift);
            }
            Expr::List(values) => values.shift(shift),
            Expr::Fold(_, left, right) => {
                left.shift(shift);
                right.shift(shift);
            }
            Expr::Lambda(closure) => closure.shift(shift),
            Expr::Requires(requires) => requires.shift(shift),
            Expr::Int(..)
            | Expr::Float(..)
            | Expr::Text(_)
            | Expr::Null
            | Expr::This
            | Expr::SizeofPack(_)
            | Expr::Unknown(_) => {}
        }
    }
}

impl Placed for Requires {
    fn shift(&mut self, shift: &mut Shift) {
        let Requires { parameters, requirements } = self;
        parameters.shift(shift);
        requirements.shift(shift);
    }
}

impl Placed for Requirement {
    fn shift(&mut self, shift: &mut Shift) {
        match self {
            Requirement::Valid(expr, constraint) => {
                expr.shift(shift);
                constraint.shift(shift);
            }
            Requirement::Named(path) => path.shift(shift),
            Requirement::Holds(expr) => expr.shift(shift),
        }
    }
}

impl Placed for Closure {
    fn shift(&mut self, shift: &mut Shift) {
        let Closure { at, captures, parameters, result, returns, locals, statements, operator, .. } = self;
        at.shift(shift);
        captures.shift(shift);
        parameters.shift(shift);
        result.shift(shift);
        returns.shift(shift);
        locals.shift(shift);
        statements.shift(shift);
        operator.shift(shift);
    }
}

impl Placed for Capture {
    fn shift(&mut self, shift: &mut Shift) {
        let Capture { name: _, kind: _, initializer } = self;
        initializer.shift(shift);
    }
}

impl Placed for TemplateHead {
    fn shift(&mut self, shift: &mut Shift) {
        let TemplateHead { parameters, constraints } = self;
        parameters.shift(shift);
        constraints.shift(shift);
    }
}

impl Placed for TemplateParameter {
    fn shift(&mut self, shift: &mut Shift) {
        let TemplateParameter { name: _, type_or_concept, template: _, pack: _, default, default_from: _ } =
            self;
        type_or_concept.shift(shift);
        default.shift(shift);
    }
}

impl Placed for Parameter {
    fn shift(&mut self, shift: &mut Shift) {
        let Parameter { name: _, ty, default, default_from: _, items } = self;
        ty.shift(shift);
        default.shift(shift);
        items.shift(shift);
    }
}

impl Placed for Decl {
    fn shift(&mut self, shift: &mut Shift) {
        let Decl { name: _, qualifier, at, templates, specifiers: _, kind } = self;
        qualifier.shift(shift);
        at.shift(shift);
        templates.shift(shift);
        kind.shift(shift);
    }
}

impl Placed for DeclBody {
    fn shift(&mut self, shift: &mut Shift) {
        match self {
            DeclBody::Function(function) | DeclBody::Guide(function) => function.shift(shift),
            DeclBody::Class(class) => class.shift(shift),
            DeclBody::Alias(ty) => ty.shift(shift),
            DeclBody::Variable(variable) => variable.shift(shift),
            DeclBody::Enum(one) => one.shift(shift),
            DeclBody::Using(path)
            | DeclBody::UsingEnum(path)
            | DeclBody::UsingNamespace(path)
            | DeclBody::NamespaceAlias(path) => {
                path.shift(shift);
            }
            DeclBody::Instantiation(mention) => mention.shift(shift),
        }
    }
}

impl Placed for Function {
    fn shift(&mut self, shift: &mut Shift) {
        let Function {
            result,
            trailing_result: _,
            parameters,
            variadic: _,
            is_const: _,
            reference: _,
            non_throwing,
            arguments,
            body,
            explicit_if,
            defaulted: _,
            returns,
            statements,
            constraints,
        } = self;
        result.shift(shift);
        parameters.shift(shift);
        non_throwing.shift(shift);
        arguments.shift(shift);
        body.shift(shift);
        explicit_if.shift(shift);
        returns.shift(shift);
        statements.shift(shift);
        constraints.shift(shift);
    }
}

impl Placed for Returned {
    fn shift(&mut self, shift: &mut Shift) {
        let Returned { conditions, value } = self;
        conditions.shift(shift);
        value.shift(shift);
    }
}

impl Placed for Statement {
    fn shift(&mut self, shift: &mut Shift) {
        match self {
            Statement::Declare(decl) => decl.shift(shift),
            Statement::Initialize(path, expr) => {
                path.shift(shift);
                expr.shift(shift);
            }
            Statement::Expression(expr) => expr.shift(shift),
            Statement::RangeLoop(variables, range, body) => {
                variables.shift(shift);
                range.shift(shift);
                body.shift(shift);
            }
            Statement::Block(statements) => statements.shift(shift),
            Statement::If(condition, then, otherwise) => {
                condition.shift(shift);
                then.shift(shift);
                otherwise.shift(shift);
            }
            Statement::Loop(one) => one.shift(shift),
            Statement::Switch(value, statements) => {
                value.shift(shift);
                statements.shift(shift);
            }
            Statement::Label(value) | Statement::Return(value) => value.shift(shift),
            Statement::Break | Statement::Continue => {}
        }
    }
}

impl Placed for Loop {
    fn shift(&mut self, shift: &mut Shift) {
        let Loop { init, condition, body, increment, condition_last: _ } = self;
        [init, body, increment].into_iter().for_each(|statements| statements.shift(shift));
        condition.shift(shift);
    }
}

impl Placed for Class {
    fn shift(&mut self, shift: &mut Shift) {
        let Class {
            is_union: _,
            is_final: _,
            arguments,
            bases,
            alignas,
            members,
            names: _,
            packed: _,
            closure,
        } = self;
        arguments.shift(shift);
        bases.shift(shift);
        alignas.shift(shift);
        members.shift(shift);
        closure.shift(shift);
    }
}

impl Placed for Variable {
    fn shift(&mut self, shift: &mut Shift) {
        let Variable { ty, initializer, initialization: _, bits, alignas, arguments, items } = self;
        ty.shift(shift);
        initializer.shift(shift);
        bits.shift(shift);
        alignas.shift(shift);
        arguments.shift(shift);
        items.shift(shift);
    }
}

impl Placed for Enum {
    fn shift(&mut self, shift: &mut Shift) {
        let Enum { scoped: _, underlying, enumerators } = self;
        underlying.shift(shift);
        enumerators.shift(shift);
    }
}

impl Placed for Item {
    fn shift(&mut self, shift: &mut Shift) {
        match self {
            Item::Mention(mention) | Item::Argument(mention) => mention.shift(shift),
            Item::Expansion(items) | Item::Block(items, _) => items.shift(shift),
            Item::IfConstexpr(condition, then, otherwise) => {
                condition.shift(shift);
                then.shift(shift);
                otherwise.shift(shift);
            }
            Item::Declare(decl) => decl.shift(shift),
            Item::Lambda(parameters, result, items) => {
                parameters.shift(shift);
                result.shift(shift);
                items.shift(shift);
            }
            Item::Generic(closure) => closure.shift(shift),
            Item::Initialize(path, expr, _, at) => {
                path.shift(shift);
                expr.shift(shift);
                at.shift(shift);
            }
            Item::Expression(expr, at) | Item::Shared(expr, at) | Item::Returned(expr, at) => {
                expr.shift(shift);
                at.shift(shift);
            }
        }
    }
}

impl Placed for Signature {
    fn shift(&mut self, shift: &mut Shift) {
        let Signature { result, parameters, qualifiers: _ } = self;
        result.shift(shift);
        parameters.shift(shift);
    }
}

impl Placed for Mention {
    fn shift(&mut self, shift: &mut Shift) {
        let Mention { path, receiver, arguments, signature, role: _, at } = self;
        path.shift(shift);
        receiver.shift(shift);
        arguments.shift(shift);
        signature.shift(shift);
        at.shift(shift);
    }
}
