//! Overloaded operators in expressions that a walk follows ([over.oper]).

use super::walk::Walk;
use crate::facts::lower::ast::*;
use crate::facts::meaning::operators::operator_function;
use crate::facts::meaning::types::Env;
use crate::facts::meaning::view::LookupResult;
use crate::source::{Span, Symbol, sym};

impl Walk<'_> {
    /// Follows the operators of an expression that are overloaded, and the names of functions that a type is given.
    pub(in crate::facts) fn expression(&mut self, expr: &Expr, env: &Env, at: Span) {
        if !self.relevance.expr_may_lead(expr) {
            return;
        }
        match expr {
            Expr::Binary(operator, left, right) => {
                self.expression(left, env, at);
                self.expression(right, env, at);
                if *operator == sym::ASSIGN
                    && self.relevance.expr_may_lead(right)
                    && let Some(ty) = self.view.type_of(left, env)
                {
                    self.address(right, &ty, env, at);
                }
                self.operation(*operator, &[left.as_ref().clone(), right.as_ref().clone()], env, at);
            }
            Expr::Unary(operator, operand) => {
                self.expression(operand, env, at);
                self.operation(*operator, &[operand.as_ref().clone()], env, at);
            }
            Expr::Subscript(object, index) => {
                self.expression(object, env, at);
                self.expression(index, env, at);
                let operands = [object.as_ref().clone(), index.as_ref().clone()];
                self.operation(Symbol::intern("[]"), &operands, env, at);
            }
            Expr::Conditional(condition, then, otherwise) => {
                [condition, then, otherwise].iter().for_each(|one| self.expression(one, env, at));
            }
            Expr::Cast(ty, operand) => {
                let ty = self.view.ty(ty, env);
                self.address(operand, &ty, env, at);
                self.expression(operand, env, at);
            }
            Expr::List(values) => values.iter().for_each(|one| self.expression(one, env, at)),
            Expr::Member(object, ..) => self.expression(object, env, at),
            Expr::Name(path) => self.static_object(path, env, at),
            _ => {}
        }
    }

    /// Follows the initializer of a static data member of a class template, which its use instantiates.
    fn static_object(&mut self, path: &Path, env: &Env, at: Span) {
        if !self.relevance.has(path.last().name) {
            return;
        }
        if let LookupResult::Entities(entities) = self.view.hit(path, env)
            && matches!(entities.first().map(|one| &one.decl.kind), Some(DeclBody::Variable(_)))
        {
            let mention = Mention {
                path: path.clone(),
                receiver: None,
                arguments: None,
                signature: None,
                whole_class: false,
                at,
            };
            self.constant(&mention, &entities, env);
        }
    }

    fn operation(&mut self, operator: Operator, operands: &[Expr], env: &Env, at: Span) {
        if !self.relevance.has_operator(operator) {
            return;
        }
        let Some(overloads) = self.view.overloads(operator, operands, env) else { return };
        let arguments = if overloads.members { &operands[1..] } else { operands };
        let mention = Mention {
            path: Path::plain(operator_function(operator)),
            receiver: None,
            arguments: Some(arguments.into()),
            signature: None,
            whole_class: false,
            at,
        };
        self.functions(&mention, &overloads.functions, env, None);
    }
}
