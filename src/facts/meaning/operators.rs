//! Candidates for overloaded operators ([over.match.oper]), argument-dependent lookup
//! ([basic.lookup.argdep]), and the types of range-based `for` variables and structured bindings.

use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::source::{Symbol, sym};

use super::aggregate::data_members;
use super::deduce::Call;
use super::types::{Env, Instance, TemplateArgument, Ty};
use super::view::{Entity, LookupResult, View};
use crate::facts::lower::ast::*;

/// The name of an operator function: `operator+=`.
pub(in crate::facts) fn operator_function(operator: Operator) -> Symbol {
    Symbol::intern(&format!("operator{operator}"))
}

/// The candidate functions of an operator expression.
pub(in crate::facts) struct OperatorCandidates {
    pub(in crate::facts) functions: Vec<Entity>,
    /// They are members of the first operand's class, so the first operand is their implied object argument.
    pub(in crate::facts) members: bool,
}

impl View<'_> {
    /// The type of an operator expression; `None` if the operator is not overloaded for its operands.
    pub(in crate::facts) fn type_of_operator(&self, operator: Operator, operands: Call<'_>) -> Option<Ty> {
        let overloads = self.operator_candidates(operator, &operands)?;
        let call = if overloads.members { operands.of_first() } else { operands };
        let path = Path::plain(operator_function(operator));
        let (entity, function, deduced) = self.best_overload(&overloads.functions, &path, &call)?;
        self.result_ty(function, &entity.env.with_bindings(deduced.bindings))
    }

    /// The candidate functions of an operator expression; `None` if no operand has class or enumeration type
    /// ([over.match.oper]/1).
    pub(in crate::facts) fn operator_candidates(
        &self,
        operator: Operator,
        call: &Call<'_>,
    ) -> Option<OperatorCandidates> {
        let is_own =
            |number| matches!(call.ty(self, number).map(Ty::without_cvref), Some(Ty::Class(_) | Ty::Enum(_)));
        if !(0..call.arguments.len()).any(is_own) {
            return None;
        }
        let name = operator_function(operator);
        if let Some(Ty::Class(class)) = call.ty(self, 0).map(Ty::without_cvref)
            && let LookupResult::Entities(functions) = self.lookup_member(class, name)
        {
            return Some(OperatorCandidates { functions, members: true });
        }
        let mut functions = match self.lookup_unqualified(name, call.env) {
            LookupResult::Entities(found) if found.iter().all(|one| one.owner.is_none()) => found,
            _ => Vec::new(),
        };
        self.add_associated(name, call, &mut functions);
        (!functions.is_empty()).then_some(OperatorCandidates { functions, members: false })
    }

    /// Argument-dependent lookup: adds the functions of that name in the associated namespaces, and friends
    /// of the associated classes.
    pub(in crate::facts) fn add_associated(
        &self,
        name: Symbol,
        call: &Call<'_>,
        functions: &mut Vec<Entity>,
    ) {
        let mut known: FxHashSet<usize> =
            functions.iter().map(|one| Arc::as_ptr(&one.decl) as usize).collect();
        let mut seen = FxHashSet::default();
        let mut found = Vec::new();
        for number in 0..call.arguments.len() {
            if let Some(ty) = call.ty(self, number) {
                self.associated(name, &ty.clone(), &mut seen, &mut found);
            }
        }
        functions.extend(found.into_iter().filter(|one| known.insert(Arc::as_ptr(&one.decl) as usize)));
    }

    /// Adds the functions that a type's associated entities give ([basic.lookup.argdep]/3).
    fn associated(&self, name: Symbol, ty: &Ty, seen: &mut FxHashSet<usize>, found: &mut Vec<Entity>) {
        match ty.without_cvref() {
            Ty::Pointer(inner) | Ty::Array(inner, _) => self.associated(name, inner, seen, found),
            Ty::Enum(one) => self.in_associated_namespace(name, &one.env, found),
            Ty::Class(class) if seen.insert(Rc::as_ptr(class) as usize) => {
                self.associated_with(name, class, seen, found);
            }
            _ => {}
        }
    }

    /// Adds the functions of a class's namespace, its friends, and those of its template arguments and base
    /// classes.
    fn associated_with(
        &self,
        name: Symbol,
        class: &Rc<Instance>,
        seen: &mut FxHashSet<usize>,
        found: &mut Vec<Entity>,
    ) {
        self.in_associated_namespace(name, &class.env, found);
        for argument in &class.arguments {
            match argument {
                TemplateArgument::Type(ty) => self.associated(name, ty, seen, found),
                TemplateArgument::Pack(members) => {
                    for member in members {
                        if let TemplateArgument::Type(ty) = member {
                            self.associated(name, ty, seen, found);
                        }
                    }
                }
                TemplateArgument::Value(_) | TemplateArgument::Template(_) => {}
            }
        }
        let Some(DeclBody::Class(definition)) = class.decl.as_ref().map(|decl| &decl.kind) else { return };
        let env = class.env.inside(class.clone());
        for member in definition.members.iter().flatten() {
            // `friend void open<T>(Vault<T> &);` declares nothing: it names a specialization.
            if member.specifiers.is_friend
                && member.name == name
                && member.qualifier.is_none()
                && matches!(&member.kind, DeclBody::Function(one) if one.arguments.is_none())
            {
                self.depend_on(class.top);
                let (decl, env) = (member.clone(), env.clone());
                found.push(Entity { decl, env, owner: Some(class.clone()), top: class.top });
            }
        }
        for base in self.bases(class) {
            _ = self.within_limits(|| self.associated(name, &base, seen, found));
        }
    }

    fn in_associated_namespace(&self, name: Symbol, env: &Env, found: &mut Vec<Entity>) {
        if let LookupResult::Entities(all) = self.lookup_in_namespace(self.unit.namespace(env.scope), name) {
            found.extend(all.into_iter().filter(|one| matches!(one.decl.kind, DeclBody::Function(_))));
        }
    }

    /// The type of the element that one name of a structured binding is bound to ([dcl.struct.bind]).
    pub(in crate::facts) fn structured_binding_type(
        &self,
        object: &Expr,
        number: usize,
        env: &Env,
    ) -> Option<Ty> {
        let ty = self.type_of(object, env)?;
        match ty.without_cvref() {
            Ty::Array(of, _) => Some(of.as_ref().clone()),
            Ty::Class(class) if class.name.contains("std::") => match class.arguments.as_slice() {
                [TemplateArgument::Pack(members)] => match members.get(number)? {
                    TemplateArgument::Type(ty) => Some(ty.clone()),
                    _ => None,
                },
                arguments => match arguments.get(number)? {
                    TemplateArgument::Type(ty) if class.name.ends_with("pair") => Some(ty.clone()),
                    _ => None,
                },
            },
            Ty::Class(class) => match &data_members(class)?.get(number)?.kind {
                DeclBody::Variable(variable) => Some(self.ty(&variable.ty, &class.env.inside(class.clone()))),
                _ => None,
            },
            _ => None,
        }
    }

    /// The type that dereferencing the iterator of a range gives ([stmt.ranged]).
    pub(in crate::facts) fn range_element_type(&self, range: &Expr, env: &Env) -> Option<Ty> {
        if let Expr::List(values) = range {
            return self.type_of(values.first()?, env).map(|ty| ty.without_cvref().decayed());
        }
        let ty = self.type_of(range, env)?;
        match ty.without_cvref() {
            Ty::Array(of, _) => Some(Ty::LvalueReference(of.clone())),
            Ty::Class(_) => {
                let begin = Segment { name: Symbol::intern("begin"), arguments: None };
                let begin = Expr::Member(Box::new(range.clone()), false, begin);
                let first = Expr::Call(Box::new(begin), Arc::from([]));
                self.type_of(&Expr::Unary(sym::STAR, Box::new(first)), env)
            }
            _ => None,
        }
    }
}
