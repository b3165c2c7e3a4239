//! Expressions whose operators may be overloaded ([over.oper]), or in which the address of a function template is
//! assigned or cast.

use super::walk::Walk;
use crate::facts::lower::ast::*;
use crate::facts::meaning::deduce::Call;
use crate::facts::meaning::operators::operator_function;
use crate::facts::meaning::types::{Env, Ty};
use crate::facts::meaning::view::LookupResult;
use crate::source::{Span, Symbol, sym};

impl Walk<'_> {
    /// Follows the overloaded operators of an expression, and the names of function templates that it assigns or casts.
    pub(in crate::facts) fn follow_operators(&mut self, expr: &Expr, env: &Env, at: Span) {
        if !self.relevance.expr_is_relevant(expr) {
            return;
        }
        match expr {
            Expr::Binary(operator, left, right) => {
                self.follow_operators(left, env, at);
                self.follow_operators(right, env, at);
                if *operator == sym::ASSIGN
                    && self.relevance.expr_is_relevant(right)
                    && let Some(ty) = self.view.type_of(left, env)
                {
                    self.follow_address(right, &ty, env, at);
                }
                if matches!(*operator, sym::AMP_AMP | sym::BAR_BAR) {
                    let truth = Ty::Builtin(sym::BOOL);
                    [left, right]
                        .iter()
                        .for_each(|one| self.follow_conversion_function(one, &truth, env, at));
                }
                self.follow_operator(*operator, &[left, right], env, at);
            }
            Expr::Unary(operator, operand) => {
                self.follow_operators(operand, env, at);
                if *operator == sym::BANG {
                    self.follow_conversion_function(operand, &Ty::Builtin(sym::BOOL), env, at);
                }
                self.follow_operator(*operator, &[operand], env, at);
            }
            Expr::Subscript(object, index) => {
                self.follow_operators(object, env, at);
                self.follow_operators(index, env, at);
                self.follow_operator(Symbol::intern("[]"), &[object, index], env, at);
            }
            Expr::Conditional(condition, then, otherwise) => {
                [condition, then, otherwise].iter().for_each(|one| self.follow_operators(one, env, at));
                self.follow_conversion_function(condition, &Ty::Builtin(sym::BOOL), env, at);
            }
            Expr::Cast(ty, operand) => {
                let ty = self.view.ty(ty, env);
                self.follow_address(operand, &ty, env, at);
                self.follow_conversion_function(operand, &ty, env, at);
                self.follow_operators(operand, env, at);
            }
            Expr::List(values) => values.iter().for_each(|one| self.follow_operators(one, env, at)),
            Expr::Member(object, arrow, member) => {
                self.follow_operators(object, env, at);
                self.follow_static_member_of(object, *arrow, member.name, env);
            }
            Expr::Name(path) => self.follow_variable(path, env, at),
            _ => {}
        }
    }

    /// Follows the initializer of a static data member of a class template, which its use instantiates.
    fn follow_variable(&mut self, path: &Path, env: &Env, at: Span) {
        if !self.relevance.has(path.last().name) {
            return;
        }
        if let LookupResult::Entities(entities) = self.view.lookup(path, env)
            && matches!(entities.first().map(|one| &one.decl.kind), Some(DeclBody::Variable(_)))
        {
            let mention = Mention::of(path.clone(), at);
            self.follow_constant(&mention, &entities, env);
        }
    }

    /// Follows the initializer of a static data member of a class template that is named through an object.
    fn follow_static_member_of(&mut self, object: &Expr, arrow: bool, name: Symbol, env: &Env) {
        if self.relevance.has(name)
            && let Some(class) = self.view.object_class(object, arrow, env)
            && let LookupResult::Entities(entities) = self.view.lookup_member(&class, name)
            && let Some(first) = entities.first().filter(|one| one.decl.specifiers.is_static)
            && let Some(owner) = first.owner.clone().filter(|owner| owner.is_templated())
        {
            self.follow_static_member(&owner, &first.decl);
        }
    }

    /// Follows the operator function that overload resolution chooses for operands.
    fn follow_operator(&mut self, operator: Operator, operands: &[&Expr], env: &Env, at: Span) {
        if !self.relevance.has_operator(operator) {
            return;
        }
        let call = Call::of_operands(operands, env);
        let Some(overloads) = self.view.operator_candidates(operator, &call) else { return };
        let arguments = if overloads.members { &operands[1..] } else { operands };
        let arguments = arguments.iter().copied().cloned().collect();
        let mention = Mention::call(operator_function(operator), arguments, at);
        self.follow_functions(&mention, &overloads.functions, env, None);
    }
}
