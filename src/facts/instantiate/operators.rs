//! Expressions whose operators may be overloaded ([over.oper]), or in which the address of a function template is
//! assigned or cast.

use std::rc::Rc;
use std::sync::Arc;

use super::walk::Walk;
use crate::facts::lower::ast::*;
use crate::facts::lower::nodes::POINTER_TO_MEMBER;
use crate::facts::meaning::categories::ValueCategory;
use crate::facts::meaning::deduce::Call;
use crate::facts::meaning::layout::class_in;
use crate::facts::meaning::operators::{Iterators, operator_function};
use crate::facts::meaning::types::{Env, Instance, Spelling, Ty};
use crate::facts::meaning::view::LookupResult;
use crate::facts::model::BlindSpotCause;
use crate::source::{Span, Symbol, sym};

impl Walk<'_> {
    /// Follows the overloaded operators of an expression, and the names of function templates that it assigns or casts.
    pub(in crate::facts) fn follow_operators(&mut self, expr: &Expr, env: &Env, at: Span) {
        if let Expr::Lambda(closure) = expr
            && self.relevance().has_special_members()
        {
            self.follow_captures(closure, env, at);
        }
        let relevance = self.relevance();
        let may_use = || relevance.may_call_operand(expr) && relevance.may_use_objects(env);
        if !relevance.expr_is_relevant(expr) && !may_use() {
            return;
        }
        match expr {
            Expr::Binary(operator, left, right) => {
                self.follow_operators(left, env, at);
                self.follow_operators(right, env, at);
                if *operator == sym::ASSIGN
                    && (self.relevance().expr_is_relevant(right) || self.relevance().may_use_objects(env))
                    && let Some(ty) = self.view.type_of(left, env)
                    && !matches!(ty.without_cvref(), Ty::Class(class) if class.name != POINTER_TO_MEMBER)
                {
                    self.initialize(ty.without_cvref(), Some(right), env, at);
                }
                if matches!(*operator, sym::AMP_AMP | sym::BAR_BAR) {
                    let truth = Ty::Builtin(sym::BOOL);
                    for one in [left, right] {
                        self.follow_conversion_function(one, &truth, env, at);
                    }
                }
                if *operator == sym::ASSIGN
                    && (self.follow_assignment(left, right, env, at)
                        || self.follow_converted_assignment(left, right, env, at))
                {
                    return;
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
                self.initialize(&ty, Some(operand), env, at);
                self.destroy(&ty, at);
                self.follow_operators(operand, env, at);
            }
            Expr::List(values) => values.iter().for_each(|one| self.follow_operators(one, env, at)),
            Expr::Member(object, arrow, member) => {
                self.follow_operators(object, env, at);
                self.follow_static_member_of(object, *arrow, member.name, env);
            }
            Expr::Name(path) => self.follow_variable(path, env, at),
            Expr::RangeElement(range) => self.follow_range(range, env, at),
            _ => {}
        }
    }

    /// Follows what a range-based `for` statement calls for its range: `begin` and `end`, and the operators that its
    /// iterators are compared, incremented and dereferenced with ([stmt.ranged]/1).
    fn follow_range(&mut self, range: &Expr, env: &Env, at: Span) {
        self.note_seen(at);
        let Some(Iterators { env, calls, types, variables }) = self.view.iterators(range, env) else {
            let ty = self.view.type_of(range, env);
            let is_unknown = matches!(
                ty.as_ref().map(Ty::without_cvref),
                None | Some(Ty::Opaque { .. } | Ty::Parameter(..))
            );
            if is_unknown && !matches!(range, Expr::List(_)) {
                for name in ["begin", "end", "operator!=", "operator++", "operator*"] {
                    let mention = Mention::of(Path::plain(Symbol::intern(name)), at);
                    self.leave_unsettled(&mention, BlindSpotCause::UnknownObject);
                }
            }
            return;
        };
        for (call, ty) in calls.iter().zip(&types) {
            let Expr::Call(callee, arguments) = call else { continue };
            match callee.as_ref() {
                Expr::Member(object, arrow, member) => {
                    let receiver = Some((object.as_ref().clone(), *arrow));
                    let mention = Mention::call(member.name, Arc::clone(arguments), at);
                    self.resolve(&Mention { receiver, ..mention }, &env);
                }
                // Ordinary unqualified lookup is not performed.
                Expr::Name(path) => {
                    let name = path.last().name;
                    let found = self.view.called(name, Rc::default(), &Call::new(self.view, arguments, &env));
                    let mention = Mention::call(name, Arc::clone(arguments), at);
                    self.follow_functions(&mention, &found, &env, None);
                }
                _ => {}
            }
            if let Some(ty) = ty.as_ref().filter(|ty| matches!(ty, Ty::Class(_))) {
                self.initialize_by(ty, Some(call), Initialization::Copy, &env, at);
                self.destroy(ty, at);
            }
        }
        let [first, last] = variables.map(Box::new);
        let differs = Expr::Binary(sym::BANG_EQ, first.clone(), last);
        self.follow_operators(&differs, &env, at);
        self.follow_conversion_function(&differs, &Ty::Builtin(sym::BOOL), &env, at);
        for operator in [sym::PLUS_PLUS, sym::STAR] {
            self.follow_operators(&Expr::Unary(operator, first.clone()), &env, at);
        }
    }

    /// Follows the initializer of a static data member of a class template, which its use instantiates.
    fn follow_variable(&mut self, path: &Path, env: &Env, at: Span) {
        if !self.relevance().has(path.last().name) {
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
        if self.relevance().has(name)
            && let Some(class) = self.view.object_class(object, arrow, env)
            && let LookupResult::Entities(entities) = self.view.lookup_member(&class, name)
            && let Some(first) = entities.first().filter(|one| one.decl.specifiers.is_static)
            && let Some(owner) = first.owner.clone().filter(|owner| owner.is_templated())
        {
            self.follow_static_member(&owner, &first.decl);
        }
    }

    /// Follows the assignment of an object to another of its class, which chooses between the copy and the move assignment
    /// operator by value category ([class.copy.assign]). Tells whether it is one.
    fn follow_assignment(&mut self, left: &Expr, right: &Expr, env: &Env, at: Span) -> bool {
        if !self.relevance().has_operator(sym::ASSIGN) {
            return false;
        }
        let Some(ty) = self.view.type_of(left, env) else { return false };
        let Ty::Class(class) = ty.without_cvref() else { return false };
        let Some(category) = self.source_of_copy(class, right, env) else { return false };
        self.assign(class, category, right, env, at);
        true
    }

    /// Follows the conversion of what is assigned to an object of another class, whose implicitly declared assignment operators
    /// take objects of its own. Tells whether it is one.
    fn follow_converted_assignment(&mut self, left: &Expr, right: &Expr, env: &Env, at: Span) -> bool {
        let relevance = self.relevance();
        if !relevance.may_use_object(right, env) || matches!(right, Expr::List(_)) {
            return false;
        }
        let Some(ty) = self.view.type_of(left, env) else { return false };
        let Ty::Class(class) = ty.without_cvref() else { return false };
        if class.decl.is_none()
            || !matches!(
                self.view.lookup_member(class, operator_function(sym::ASSIGN)),
                LookupResult::Nothing
            )
            || self.source_of_copy(class, right, env).is_some()
        {
            return false;
        }
        self.initialize_by(ty.without_cvref(), Some(right), Initialization::Copy, env, at);
        self.destroy(ty.without_cvref(), at);
        true
    }

    /// Follows the assignment operator that assigns an object of a class, or those of its parts.
    fn assign(&mut self, class: &Rc<Instance>, category: ValueCategory, right: &Expr, env: &Env, at: Span) {
        if !self.relevance().class_is_relevant(class) {
            return;
        }
        let Some(decl) = class.decl.clone() else { return };
        let DeclBody::Class(definition) = &decl.kind else { return };
        let inside = class.env.inside(class.clone());
        let (mut copies, mut moves, mut values) = (None, None, None);
        for member in definition.members.iter().flatten() {
            let DeclBody::Function(function) = &member.kind else { continue };
            let Some(first) = function.parameters.first() else { continue };
            if member.name.as_str() != "operator=" || !member.templates.is_empty() {
                continue;
            }
            let of_class = |ty: &Ty| matches!(ty.unqualified(), Ty::Class(one) if one.name == class.name);
            match self.view.ty(&first.ty, &inside) {
                Ty::LvalueReference(to) if of_class(&to) => copies = Some(member.clone()),
                Ty::RvalueReference(to) if of_class(&to) => moves = Some(member.clone()),
                ty if of_class(&ty) => values = Some(member.clone()),
                _ => {}
            }
        }
        if values.is_some() {
            self.construct(class, std::slice::from_ref(right), env, at);
            self.destroy_object(class, at);
        }
        let chosen = match category {
            ValueCategory::Lvalue => values.or(copies),
            _ => values.or(moves).or(copies),
        };
        match chosen {
            Some(chosen) if !matches!(&chosen.kind, DeclBody::Function(one) if one.defaulted) => {
                if class.is_templated() {
                    self.follow_member_function(class, &chosen);
                }
            }
            _ => {
                let key = format!("{}=assigned {category:?}", class.text(Spelling::Canonical));
                if !self.enter(key, &decl, &class.arguments) {
                    return;
                }
                for part in self.parts(class) {
                    if let Some(part) = class_in(&part.ty).cloned() {
                        self.assign(&part, category, right, env, at);
                    }
                }
                self.history.leave();
            }
        }
    }

    /// Follows the conversion functions that give a built-in operator its operands ([over.built]).
    fn convert_operands(&mut self, operands: &[&Expr], env: &Env, at: Span) {
        for operand in operands {
            if let Some(ty) = self.view.type_of(operand, env)
                && let Ty::Class(class) = ty.without_cvref()
                && !self.follow_conversion_function(operand, &Ty::Builtin(sym::INT), env, at)
                && let Some(pointer) = self.view.converted_to_pointer(class)
            {
                self.follow_conversion_function(operand, &pointer, env, at);
            }
        }
    }

    /// Follows the copies that a lambda-expression's captures make.
    fn follow_captures(&mut self, closure: &Closure, env: &Env, at: Span) {
        for (_, kind, ty) in self.view.captured(closure, env) {
            if let Some(class) = class_in(&ty).cloned().filter(|_| kind == CaptureKind::Copy) {
                self.copy(&class, ValueCategory::Lvalue, at);
                self.destroy_object(&class, at);
            }
        }
    }

    /// Follows the operator function that overload resolution chooses for operands: one of this operator, or else of the
    /// one that it is rewritten to ([over.match.oper]/3). A built-in operator converts operands of class type.
    pub(super) fn follow_operator(&mut self, operator: Operator, operands: &[&Expr], env: &Env, at: Span) {
        // One that leads by the call operator of an operand, say, has no name that leads.
        let uses_objects = self.relevance().calls_operands(operator);
        if !self.relevance().has_operator(operator) && !self.relevance().converts() && !uses_objects {
            return;
        }
        let reversed: Vec<&Expr> = operands.iter().rev().copied().collect();
        let rewritten = rewritten(operator);
        let own = [(operator, operands)].into_iter();
        let others =
            rewritten.into_iter().flat_map(|other| [(other, operands), (other, reversed.as_slice())]);
        for (operator, operands) in own.chain(others) {
            let call = Call::of_operands(operands, env);
            let Some(overloads) = self.view.operator_candidates(operator, &call) else { continue };
            if !self.relevance().has_operator(operator) && !uses_objects {
                return;
            }
            let arguments = if overloads.members { &operands[1..] } else { operands };
            let arguments = arguments.iter().copied().cloned().collect();
            let object = operands.first().filter(|_| overloads.members);
            let mention = Mention {
                receiver: object.map(|object| ((*object).clone(), false)),
                ..Mention::call(operator_function(operator), arguments, at)
            };
            return self.follow_functions(&mention, &overloads.functions, env, None);
        }
        if self.relevance().converts() && !matches!(operator, sym::AMP | sym::COMMA | sym::ASSIGN) {
            self.convert_operands(operands, env, at);
        }
    }
}

/// The operator to which a comparison is rewritten where it has no operator function itself.
fn rewritten(operator: Operator) -> Option<Operator> {
    match operator.as_str() {
        "==" | "!=" => Some(Symbol::intern("==")),
        "<" | ">" | "<=" | ">=" | "<=>" => Some(Symbol::intern("<=>")),
        _ => None,
    }
}
