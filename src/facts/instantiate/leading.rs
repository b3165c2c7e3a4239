//! Which bodies and mentions may lead to a kernel template in question. Most hold nothing of the kind, and are not
//! walked.

use super::walk::Walk;
use crate::facts::lower::ast::*;
use crate::facts::meaning::types::{Bound, Ty};

impl Walk<'_> {
    /// Whether a template argument is a generic lambda that leads to a kernel, or a class made of one.
    pub(in crate::facts) fn carries(&self, argument: &Bound) -> bool {
        let ty = match argument {
            Bound::Type(ty) => ty.bare(),
            Bound::Pack(members) => return members.iter().any(|one| self.carries(one)),
            Bound::Value(_) | Bound::Template(_) => return false,
        };
        match ty {
            Ty::Pointer(to) => self.carries(&Bound::Type(to.as_ref().clone())),
            Ty::Class(class) => match class.lambda() {
                Some(closure) => self.closure_leads(closure),
                None => class.arguments.iter().any(|one| self.carries(one)),
            },
            _ => false,
        }
    }

    pub(in crate::facts) fn closure_leads(&self, closure: &Closure) -> bool {
        match closure.operator.as_ref().map(|operator| &operator.kind) {
            Some(DeclBody::Function(function)) => function.body.as_ref().is_some_and(|body| self.leads(body)),
            _ => false,
        }
    }

    /// Whether something among the items may lead to a kernel template in question. Most bodies hold
    /// nothing of the kind and are not walked.
    pub(in crate::facts) fn leads(&self, items: &[Item]) -> bool {
        let key = items.as_ptr() as usize;
        if let Some(known) = self.leading.borrow().get(&key) {
            return *known;
        }
        let leads = items.iter().any(|item| match item {
            Item::Mention(mention) | Item::Argument(mention) => self.may_lead(mention),
            Item::Block(inner) | Item::Maybe(inner) | Item::Expansion(inner) | Item::Lambda(_, inner) => {
                self.leads(inner)
            }
            Item::Generic(closure) => self.closure_leads(closure),
            Item::Expression(expr, _) | Item::Returned(expr, _) => self.expr_may_lead(expr),
            Item::IfConstexpr(_, then, otherwise) => self.leads(then) || self.leads(otherwise),
            Item::Declare(decl) => match &decl.kind {
                DeclBody::Variable(variable) => {
                    self.type_may_lead(&variable.ty)
                        || self.leads(&variable.items)
                        || variable.initializer.as_ref().is_some_and(|one| self.expr_may_lead(one))
                }
                DeclBody::Function(function) => self.type_may_lead(&function.result),
                DeclBody::Class(_) => true,
                _ => false,
            },
        });
        if !items.is_empty() {
            self.leading.borrow_mut().insert(key, leads);
        }
        leads
    }

    pub(in crate::facts) fn may_lead(&self, mention: &Mention) -> bool {
        let calls_object = mention.arguments.is_some() && self.relevant.contains(&self.call_operator);
        let calls_lambda =
            |(object, _): &(Expr, bool)| matches!(object, Expr::Lambda(one) if self.closure_leads(one));
        calls_object
            || mention.receiver.as_ref().is_some_and(calls_lambda)
            || self.path_may_lead(&mention.path)
            || mention
                .arguments
                .iter()
                .flat_map(|list| list.iter())
                .any(|argument| self.expr_may_lead(argument))
    }

    fn path_may_lead(&self, path: &Path) -> bool {
        path.segments.iter().any(|segment| {
            self.relevant.contains(&segment.name)
                || segment.arguments.iter().flatten().any(|argument| self.argument_may_lead(argument))
        })
    }

    fn argument_may_lead(&self, argument: &Argument) -> bool {
        match argument {
            Argument::Type(ty) => self.type_may_lead(ty),
            Argument::Value(expr) => self.expr_may_lead(expr),
            Argument::Pack(inner) => self.argument_may_lead(inner),
        }
    }

    pub(in crate::facts) fn type_may_lead(&self, ty: &Type) -> bool {
        match ty {
            Type::Named(path) => self.path_may_lead(path),
            Type::Pointer(inner)
            | Type::LvalueReference(inner)
            | Type::RvalueReference(inner)
            | Type::Array(inner, _)
            | Type::Qualified(inner, ..)
            | Type::Pack(inner) => self.type_may_lead(inner),
            Type::Call(_, expr) => self.expr_may_lead(expr),
            _ => false,
        }
    }

    pub(in crate::facts) fn expr_may_lead(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Name(path) => self.path_may_lead(path),
            Expr::Construct(ty, values) => {
                self.type_may_lead(ty) || values.iter().any(|value| self.expr_may_lead(value))
            }
            Expr::Cast(ty, inner) => self.type_may_lead(ty) || self.expr_may_lead(inner),
            Expr::Unary(operator, inner) => self.operators.contains(operator) || self.expr_may_lead(inner),
            Expr::Expansion(inner)
            | Expr::Element(inner)
            | Expr::Binding(inner, _)
            | Expr::Member(inner, ..) => self.expr_may_lead(inner),
            Expr::Binary(operator, left, right) => {
                self.operators.contains(operator) || self.expr_may_lead(left) || self.expr_may_lead(right)
            }
            Expr::Subscript(left, right) => {
                self.operators.iter().any(|operator| operator.as_str() == "[]")
                    || self.expr_may_lead(left)
                    || self.expr_may_lead(right)
            }
            Expr::Conditional(condition, then, otherwise) => {
                [condition, then, otherwise].iter().any(|one| self.expr_may_lead(one))
            }
            Expr::List(values) => values.iter().any(|value| self.expr_may_lead(value)),
            Expr::Lambda(closure) => self.closure_leads(closure),
            Expr::Call(callee, arguments) => {
                self.expr_may_lead(callee) || arguments.iter().any(|argument| self.expr_may_lead(argument))
            }
            _ => false,
        }
    }
}
