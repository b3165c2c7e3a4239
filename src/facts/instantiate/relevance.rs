//! Bodies and mentions that may lead to a kernel template in question, told by names alone.
//!
//! Most bodies hold nothing of the kind, and are not walked.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::facts::lower::ast::*;
use crate::facts::lower::nodes::CALL_OPERATOR;
use crate::facts::meaning::types::{TemplateArgument, Ty};
use crate::source::Symbol;

/// The names that lead to kernel templates in question.
pub(in crate::facts) struct Relevance<'v> {
    names: &'v FxHashSet<Symbol>,
    /// The operators whose functions are among the names.
    operators: Rc<FxHashSet<Symbol>>,
    /// `operator()`.
    pub(super) call_operator: Symbol,
    /// Item lists that were asked about, by address: a walk's declarations stay where they are.
    asked: RefCell<FxHashMap<usize, bool>>,
}

/// The operators whose functions are among some names.
pub(in crate::facts) fn operators(names: &FxHashSet<Symbol>) -> Rc<FxHashSet<Symbol>> {
    let operators = names.iter().filter_map(|name| name.as_str().strip_prefix("operator"));
    let is_symbol = |first: char| first.is_ascii_punctuation() && first != '_';
    Rc::new(operators.filter(|operator| operator.starts_with(is_symbol)).map(Symbol::intern).collect())
}

impl<'v> Relevance<'v> {
    /// That of `names`, among which `operators` are ([`operators`]).
    pub(super) fn new(names: &'v FxHashSet<Symbol>, operators: &Rc<FxHashSet<Symbol>>) -> Relevance<'v> {
        let call_operator = Symbol::intern(CALL_OPERATOR);
        Relevance { names, operators: Rc::clone(operators), call_operator, asked: RefCell::default() }
    }

    /// Whether a name leads to a kernel template in question.
    pub(super) fn has(&self, name: Symbol) -> bool {
        self.names.contains(&name)
    }

    /// Whether the function of an operator does.
    pub(super) fn has_operator(&self, operator: Operator) -> bool {
        self.operators.contains(&operator)
    }

    /// Whether a template argument is a generic lambda that leads to a kernel, or a class made of one.
    pub(super) fn carries(&self, argument: &TemplateArgument) -> bool {
        let ty = match argument {
            TemplateArgument::Type(ty) => ty.bare(),
            TemplateArgument::Pack(members) => return members.iter().any(|one| self.carries(one)),
            TemplateArgument::Value(_) | TemplateArgument::Template(_) => return false,
        };
        match ty {
            Ty::Pointer(to) => self.carries(&TemplateArgument::Type(to.as_ref().clone())),
            Ty::Class(class) => match class.lambda() {
                Some(closure) => self.closure_leads(closure),
                None => class.arguments.iter().any(|one| self.carries(one)),
            },
            _ => false,
        }
    }

    pub(super) fn closure_leads(&self, closure: &Closure) -> bool {
        match closure.operator.as_ref().map(|operator| &operator.kind) {
            Some(DeclBody::Function(function)) => function.body.as_ref().is_some_and(|body| self.leads(body)),
            _ => false,
        }
    }

    /// Whether something among the items may lead to a kernel template in question. Most bodies hold
    /// nothing of the kind and are not walked.
    pub(super) fn leads(&self, items: &[Item]) -> bool {
        let key = items.as_ptr() as usize;
        if let Some(known) = self.asked.borrow().get(&key) {
            return *known;
        }
        let leads = items.iter().any(|item| match item {
            Item::Mention(mention) | Item::Argument(mention) => self.may_lead(mention),
            Item::Block(inner) | Item::Maybe(inner) | Item::Expansion(inner) => self.leads(inner),
            Item::Lambda(parameters, inner) => {
                self.leads(inner) || parameters.iter().any(|parameter| self.leads(&parameter.items))
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
            self.asked.borrow_mut().insert(key, leads);
        }
        leads
    }

    pub(super) fn may_lead(&self, mention: &Mention) -> bool {
        let calls_object = mention.arguments.is_some() && self.names.contains(&self.call_operator);
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
            self.names.contains(&segment.name)
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

    pub(super) fn type_may_lead(&self, ty: &Type) -> bool {
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

    pub(super) fn expr_may_lead(&self, expr: &Expr) -> bool {
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
