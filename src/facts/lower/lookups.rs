//! The names in syntax that unqualified lookup would look up: what a declaration can depend on, and the packs of a pattern.

use crate::source::Symbol;

use super::ast::{Argument, DeclBody, Expr, Item, Path, Type};

impl Path {
    /// Adds the names that unqualified lookup would look up in this path and its template arguments. A pack
    /// expansion finds the packs of its pattern among them.
    fn names(&self, out: &mut Vec<Symbol>) {
        out.extend(self.segments.first().map(|segment| segment.name));
        self.segments.iter().flat_map(|one| one.arguments.iter().flatten()).for_each(|one| one.names(out));
    }
}

impl Argument {
    /// Adds the names that unqualified lookup would look up in this template argument.
    pub(in crate::facts) fn names(&self, out: &mut Vec<Symbol>) {
        match self {
            Argument::Type(ty) => ty.names(out),
            Argument::Value(expr) => expr.names(out),
            // A pack that is expanded inside the pattern is not expanded by the pattern's own expansion
            // ([temp.variadic]/5).
            Argument::Pack(_) => {}
        }
    }
}

impl Type {
    /// Adds the names that unqualified lookup would look up in this type.
    pub(in crate::facts) fn names(&self, out: &mut Vec<Symbol>) {
        match self {
            Type::Named(path) => path.names(out),
            Type::Pointer(inner)
            | Type::LvalueReference(inner)
            | Type::RvalueReference(inner)
            | Type::Qualified(inner, ..) => inner.names(out),
            Type::Array(inner, size) => {
                inner.names(out);
                size.iter().for_each(|size| size.names(out));
            }
            Type::Function(result, list, non_throwing) => {
                result.names(out);
                list.iter().for_each(|one| one.names(out));
                non_throwing.iter().for_each(|condition| condition.names(out));
            }
            Type::Decltype(expr) => expr.names(out),
            Type::Call(ty, expr) => {
                ty.names(out);
                expr.names(out);
            }
            Type::Builtin(_) | Type::Auto | Type::DecltypeAuto | Type::Pack(_) | Type::Unknown(_) => {}
        }
    }
}

impl Expr {
    /// Adds the names that unqualified lookup would look up in this expression.
    pub(in crate::facts) fn names(&self, out: &mut Vec<Symbol>) {
        self.add_names(true, out);
    }

    /// The same without the patterns of expansions inside it: a pack that is expanded there is not expanded by an expansion
    /// around the expression ([temp.variadic]/5).
    pub(in crate::facts) fn unexpanded_names(&self, out: &mut Vec<Symbol>) {
        self.add_names(false, out);
    }

    fn add_names(&self, expanded: bool, out: &mut Vec<Symbol>) {
        match self {
            Expr::Expansion(inner) if expanded => inner.add_names(expanded, out),
            Expr::Expansion(_) => {}
            Expr::Name(path) => path.names(out),
            Expr::Member(inner, ..)
            | Expr::Unary(_, inner)
            | Expr::RangeElement(inner)
            | Expr::StructuredBinding(inner, _)
            | Expr::SizeofValue(inner)
            | Expr::Noexcept(inner) => inner.add_names(expanded, out),
            Expr::Binary(_, left, right) | Expr::Subscript(left, right) => {
                [left, right].iter().for_each(|one| one.add_names(expanded, out));
            }
            Expr::List(values) => values.iter().for_each(|one| one.add_names(expanded, out)),
            Expr::Fold(_, left, right) => {
                left.iter().chain(right).for_each(|one| one.add_names(expanded, out))
            }
            Expr::Conditional(condition, then, otherwise) => {
                [condition, then, otherwise].iter().for_each(|one| one.add_names(expanded, out));
            }
            Expr::Cast(ty, value) => {
                ty.names(out);
                value.add_names(expanded, out);
            }
            Expr::Construct(ty, values) => {
                ty.names(out);
                values.iter().for_each(|one| one.add_names(expanded, out));
            }
            Expr::SizeofType(ty) | Expr::Alignof(ty) => ty.names(out),
            Expr::Call(callee, arguments) => {
                callee.add_names(expanded, out);
                arguments.iter().for_each(|one| one.add_names(expanded, out));
            }
            Expr::Int(..)
            | Expr::Float(..)
            | Expr::Text(_)
            | Expr::Null
            | Expr::This
            | Expr::SizeofPack(_)
            | Expr::Lambda(_)
            | Expr::Requires(_)
            | Expr::Unknown(_) => {}
        }
    }
}

impl Item {
    /// Adds the names that unqualified lookup would look up in this part of a body, expansions inside it left out.
    pub(in crate::facts) fn names(&self, out: &mut Vec<Symbol>) {
        match self {
            Item::Mention(mention) | Item::Argument(mention) => {
                mention.path.names(out);
                mention.receiver.iter().for_each(|(object, _)| object.unexpanded_names(out));
                let arguments = mention.arguments.iter().flat_map(|list| list.iter());
                arguments.into_iter().for_each(|one| one.unexpanded_names(out));
            }
            Item::Block(inner, _) | Item::Lambda(_, _, inner) => {
                inner.iter().for_each(|one| one.names(out));
            }
            Item::IfConstexpr(_, then, otherwise) => {
                then.iter().chain(otherwise).for_each(|one| one.names(out));
            }
            Item::Generic(closure) => {
                let operator = closure.operator.as_ref().map(|operator| &operator.kind);
                if let Some(DeclBody::Function(function)) = operator {
                    function.body.iter().flatten().for_each(|one| one.names(out));
                }
            }
            Item::Expression(expr, _) | Item::Shared(expr, _) | Item::Returned(expr, _) => {
                expr.unexpanded_names(out);
            }
            Item::Initialize(path, expr, ..) => {
                path.names(out);
                expr.unexpanded_names(out);
            }
            Item::Expansion(_) | Item::Declare(_) => {}
        }
    }
}
