//! The types of expressions ([expr]) and the deduced types of variables and functions, as far as deduction,
//! layout and constants need them.
//!
//! A type is a reference where a declaration makes it one; value categories are in [`categories`](super::categories).

use std::rc::Rc;
use std::sync::Arc;

use crate::source::{Symbol, sym};

use super::answers::Dependency;
use super::arithmetic::common;
use super::built_in_functions::type_of_built_in;
use super::candidates::{Deduced, told_by_identity};
use super::deduce::{Call, strip_cv_and_references, without_reference};
use super::identity::Identity;
use super::operators::operator_function;
use super::traits::is_type_trait;
use super::types::{Env, Instance, TemplateArgument, Ty, Value, alike};
use super::view::{Entity, LookupResult, UnderWay, View};
use crate::facts::lower::ast::*;
use crate::facts::lower::nodes::{CALL_OPERATOR, PARENTHESES, POINTER_TO_MEMBER, TYPEOF};
use crate::variance::DeclKind;

impl View<'_> {
    /// The type of an expression, a reference where it is declared as one; `None` if it is not known.
    pub(in crate::facts) fn type_of(&self, expr: &Expr, env: &Env) -> Option<Ty> {
        self.within_limits(|| self.type_of_unguarded(expr, env)).flatten()
    }

    fn type_of_unguarded(&self, expr: &Expr, env: &Env) -> Option<Ty> {
        match expr {
            Expr::Int(_, ty) | Expr::Float(_, ty) => Some(Ty::Builtin(*ty)),
            Expr::Text(spelling) => {
                let element = Ty::Builtin(sym::CHAR).qualified(true, false);
                let length = match text_length(spelling) {
                    Some(length) => Value::Int(length, Symbol::intern("unsigned long")),
                    None => Value::opaque(&format!("length of {spelling}")),
                };
                Some(Ty::Array(Rc::new(element), Some(length)))
            }
            Expr::List(values) => match values.as_slice() {
                [only] => self.type_of(only, env),
                _ => None,
            },
            Expr::Null => Some(Ty::builtin("nullptr_t")),
            Expr::This => Some(Ty::Pointer(Rc::new(Ty::Class(env.class()?)))),
            Expr::Name(path) => self.type_of_name(path, env),
            Expr::Member(object, arrow, member) => self.type_of_member(object, *arrow, member, env),
            Expr::Unary(sym::AMP, operand) => {
                if let Some(ty) = self.pointer_to_member(operand, env) {
                    return Some(ty);
                }
                let call = Call::of_operands(&[operand], env);
                let ty = call.ty(self, 0)?.clone();
                let overloaded = match ty.without_cvref() {
                    Ty::Class(class) => match self.lookup_member(class, operator_function(sym::AMP)) {
                        LookupResult::Entities(_) => self.type_of_operator(sym::AMP, call),
                        _ => None,
                    },
                    _ => None,
                };
                overloaded.or_else(|| Some(Ty::Pointer(Rc::new(without_reference(ty)))))
            }
            Expr::Unary(sym::STAR, operand) => self.type_of_object(sym::STAR, &[operand], env),
            Expr::Subscript(operand, index) => {
                self.type_of_object(Symbol::intern("[]"), &[operand, index], env)
            }
            Expr::Unary(operator, operand) if operator.as_str() == PARENTHESES => {
                self.categorized_type(operand, env)
            }
            Expr::Unary(operator, operand) if operator.as_str() == TYPEOF => {
                self.type_of(operand, env).map(without_reference)
            }
            Expr::Unary(operator, operand) => self.type_of_unary(*operator, operand, env),
            Expr::Binary(operator, left, right) => self.type_of_binary(*operator, left, right, env),
            Expr::Conditional(_, then, otherwise) => {
                match (self.type_of(then, env), self.type_of(otherwise, env)) {
                    (Some(then), Some(otherwise)) => {
                        match (then.without_cvref(), otherwise.without_cvref()) {
                            (Ty::Builtin(a), Ty::Builtin(b)) if a != b => Some(Ty::Builtin(common(*a, *b))),
                            (Ty::Builtin(_), Ty::Pointer(_)) => Some(otherwise),
                            (Ty::Builtin(_), Ty::Array(..)) => Some(without_reference(otherwise).decayed()),
                            _ => Some(then),
                        }
                    }
                    (then, otherwise) => then.or(otherwise),
                }
            }
            Expr::Cast(ty, one) => self.type_of_cast(ty, one, env),
            Expr::Construct(ty, values) => self.type_of_construction(ty, values, env),
            Expr::RangeElement(range) => self.range_element_type(range, env),
            Expr::StructuredBinding(object, number) => self.structured_binding_type(object, *number, env),
            Expr::Requires(_) => Some(Ty::Builtin(sym::BOOL)),
            Expr::Noexcept(_) => Some(Ty::Builtin(sym::BOOL)),
            Expr::SizeofType(_) | Expr::SizeofValue(_) | Expr::Alignof(_) => {
                self.measured_type(expr, env);
                Some(Ty::builtin("unsigned long"))
            }
            Expr::SizeofPack(_) => Some(Ty::builtin("unsigned long")),
            Expr::Call(callee, arguments) => self.type_of_call(callee, arguments, env),
            Expr::Lambda(closure) => Some(self.closure_type(closure, env)),
            Expr::Fold(operator, left, right) => {
                self.type_of_fold(*operator, left.as_deref(), right.as_deref(), env)
            }
            Expr::Expansion(_) | Expr::Unknown(_) => None,
        }
    }

    fn type_of_name(&self, path: &Path, env: &Env) -> Option<Ty> {
        match self.lookup(path, env) {
            LookupResult::Parameter(ty) => Some(ty),
            LookupResult::TemplateArgument(TemplateArgument::Value(value)) => value.ty(),
            // An element of an expanded function parameter pack is bound to its type.
            LookupResult::TemplateArgument(TemplateArgument::Type(ty)) => Some(ty),
            LookupResult::Entities(entities) => {
                let entity = entities.first()?;
                match &entity.decl.kind {
                    DeclBody::Variable(_) => {
                        let (entity, variable, inner) = self.variable(&entities, path, env)?;
                        if !entity.decl.templates.is_empty() {
                            return self.type_of_variable(variable, &inner);
                        }
                        let key =
                            (Arc::as_ptr(&entity.decl) as usize, entity.env.identity(), Identity::new());
                        self.cached(&self.caches.variable_types, key, entity, entity.env.alike(), || {
                            self.outside_immediate_context(|| self.type_of_variable(variable, &inner))
                        })
                    }
                    DeclBody::Enum(_) => match self.named_type(&Path::plain(entity.decl.name), &entity.env) {
                        Ty::Opaque { .. } => None,
                        ty => Some(ty),
                    },
                    // A template-id with all its template arguments is a function.
                    DeclBody::Function(function)
                        if entities.len() == 1 && path.last().arguments.is_some() =>
                    {
                        let list = path.last().arguments.as_deref().unwrap_or_default();
                        let list = self.template_arguments(list, env);
                        let deduced = self.deduce(entity, function, list, &Call::none(env));
                        if !deduced.arguments.iter().all(TemplateArgument::is_sure) {
                            return None;
                        }
                        let inner = entity.env.with_bindings(deduced.bindings);
                        let result = self.result_ty(function, &inner)?;
                        Some(self.type_of_function(function, result, &inner))
                    }
                    DeclBody::Function(function)
                        if entities.len() == 1 && entity.decl.templates.is_empty() =>
                    {
                        let result = self.result_ty(function, &entity.env)?;
                        Some(self.type_of_function(function, result, &entity.env))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The type of a variable, deduced from its initializer where it is declared with a placeholder type or
    /// without an array bound.
    pub(in crate::facts) fn type_of_variable(&self, variable: &Variable, env: &Env) -> Option<Ty> {
        if let Some(Expr::StructuredBinding(object, number)) = &variable.initializer {
            return self.bound_type(&variable.ty, object, *number, env);
        }
        match strip_cv_and_references(&variable.ty) {
            Type::Auto | Type::DecltypeAuto => match variable.initializer.as_ref()? {
                Expr::List(values) if values.len() > 1 => self.initializer_list(values, env),
                one => self.placeholder_type(&variable.ty, one, env),
            },
            Type::Array(of, None) => {
                let of = Rc::new(self.ty(of, env));
                let count = match &variable.initializer {
                    Some(Expr::List(values)) => match values.as_slice() {
                        [only @ Expr::Text(_)] => self.array_length(only, env),
                        // `{all...}` may have any number of elements.
                        list if list.iter().any(|one| matches!(one, Expr::Expansion(_))) => None,
                        list => Some(Value::Int(list.len() as i128, Symbol::intern("unsigned long"))),
                    },
                    Some(text @ Expr::Text(_)) => self.array_length(text, env),
                    _ => None,
                };
                let is_const = matches!(variable.ty, Type::Qualified(_, true, _));
                Some(Ty::Array(of, count).qualified(is_const, false))
            }
            Type::Pointer(to) if to.is_placeholder() => {
                self.placeholder_type(&variable.ty, variable.initializer.as_ref()?, env)
            }
            _ => {
                let initializer = variable.initializer.as_ref();
                Some(self.initialized_ty(&variable.ty, initializer, variable.initialization, env))
            }
        }
    }

    /// The type of `auto sizes = {1, 2};` ([dcl.type.auto.deduct]).
    fn initializer_list(&self, values: &[Expr], env: &Env) -> Option<Ty> {
        let element = without_reference(self.type_of(values.first()?, env)?).decayed();
        let name = Symbol::intern("type of an element");
        let env = env.with_bindings(vec![(name, TemplateArgument::Type(element))]);
        let arguments = Some(vec![Argument::Type(Type::Named(Path::plain(name)))]);
        let list = Segment { name: Symbol::intern("initializer_list"), arguments };
        let std = Segment { name: Symbol::intern("std"), arguments: None };
        Some(self.named_type(&Path { global: true, elaborated: false, segments: vec![std, list] }, &env))
    }

    /// The type of `&Class::member` ([expr.unary.op]/3).
    fn pointer_to_member(&self, operand: &Expr, env: &Env) -> Option<Ty> {
        let Expr::Name(path) = operand else { return None };
        let (last, scope) = path.whole().split_scope();
        let Ty::Class(class) = self.type_of_part(scope?, env) else { return None };
        let (mut is_const, mut owner) = (false, class.clone());
        let ty = match self.lookup_member(&class, last.name) {
            LookupResult::Entities(entities) => {
                let [entity] = entities.as_slice() else { return None };
                // A member of a base is one of that ([expr.unary.op]/3).
                owner = entity.owner.clone().unwrap_or(owner);
                match &entity.decl.kind {
                    _ if entity.decl.specifiers.is_static || !entity.decl.templates.is_empty() => {
                        return None;
                    }
                    DeclBody::Variable(variable) => self.type_of_variable(variable, &entity.env)?,
                    DeclBody::Function(function) => {
                        is_const = function.is_const;
                        let result = self.result_ty(function, &entity.env)?;
                        Ty::Function(Rc::new(result), self.parameter_types(function, &entity.env), false)
                    }
                    _ => return None,
                }
            }
            _ => return None,
        };
        let of = Ty::Class(owner).qualified(is_const, false);
        Some(self.member_pointer(of, ty, &class.env))
    }

    fn array_length(&self, expr: &Expr, env: &Env) -> Option<Value> {
        match self.type_of(expr, env)? {
            Ty::Array(_, length) => length,
            _ => None,
        }
    }

    fn type_of_member(&self, object: &Expr, arrow: bool, member: &Segment, env: &Env) -> Option<Ty> {
        let class = self.object_class(object, arrow, env)?;
        let LookupResult::Entities(entities) = self.member_of_object(&class, member) else {
            return None;
        };
        match &entities.first()?.decl.kind {
            DeclBody::Variable(variable) => self.type_of_variable(variable, &entities[0].env),
            _ => None,
        }
    }

    /// Lookup of a member of an object. Sets `substitution_failed` if a complete class lacks it, or if nothing defines the
    /// class ([temp.deduct]/8).
    pub(super) fn member_of_object(&self, class: &Rc<Instance>, member: &Segment) -> LookupResult {
        let found = self.lookup_member(class, member.name);
        if matches!(found, LookupResult::Nothing) && !class.is_closure() {
            self.without_member(class);
        }
        found
    }

    /// The class of the object in `object.m`, or that `object->m` refers to.
    pub(in crate::facts) fn object_class(
        &self,
        object: &Expr,
        arrow: bool,
        env: &Env,
    ) -> Option<Rc<Instance>> {
        self.object(object, arrow, env).map(|(class, _)| class)
    }

    /// The class of the object in `object.m`, or that `object->m` refers to, and whether the object is const. Sets
    /// `substitution_failed` if the object is known to be of a type that has no members ([temp.deduct]/8).
    pub(in crate::facts) fn object(
        &self,
        object: &Expr,
        arrow: bool,
        env: &Env,
    ) -> Option<(Rc<Instance>, bool)> {
        let call = Call::of_operands(&[object], env);
        let ty = without_reference(call.ty(self, 0)?.clone());
        let ty = match (arrow, ty.unqualified()) {
            (true, Ty::Pointer(to) | Ty::Array(to, _)) => to.as_ref().clone(),
            (true, Ty::Class(_)) => {
                let to = self.type_of_operator(Symbol::intern("->"), call)?;
                match without_reference(to.clone()).unqualified() {
                    Ty::Pointer(to) => to.as_ref().clone(),
                    // The operator is applied to what it returns, until that is a pointer ([over.ref]).
                    Ty::Class(_) => {
                        let name = Symbol::intern("(object)");
                        let env = env.with_parameters(vec![(name, to)]);
                        let object = Expr::Name(Path::plain(name));
                        return self.within_limits(|| self.object(&object, true, &env)).flatten();
                    }
                    _ => return None,
                }
            }
            (true, Ty::Builtin(_) | Ty::Enum(_) | Ty::Function(..)) => {
                self.substitution_failed.set(true);
                return None;
            }
            (true, _) => return None,
            (false, _) => ty,
        };
        match ty.unqualified() {
            Ty::Class(class) => Some((class.clone(), matches!(ty, Ty::Qualified(_, true, _)))),
            Ty::Builtin(_) | Ty::Enum(_) | Ty::Pointer(_) | Ty::Array(..) | Ty::Function(..) => {
                self.substitution_failed.set(true);
                None
            }
            _ => None,
        }
    }

    /// The alternatives of a `std::variant`, or of a class derived from one, as lvalue references; `None` for
    /// another class.
    pub(in crate::facts) fn alternatives(&self, object: &Expr, env: &Env) -> Option<Vec<Ty>> {
        let mut class = self.object_class(object, false, env)?;
        while !(class.name.ends_with("::variant") && class.name.contains("std::")) {
            let Some(DeclBody::Class(definition)) = class.decl.as_ref().map(|decl| &decl.kind) else {
                return None;
            };
            let (base, _) = definition.bases.first()?;
            class = match self.ty(base, &class.env) {
                Ty::Class(base) if base.name != class.name => base,
                _ => return None,
            };
        }
        let [TemplateArgument::Pack(members)] = class.arguments.as_slice() else { return None };
        let lvalue = |member: &TemplateArgument| match member {
            TemplateArgument::Type(ty) => Some(Ty::LvalueReference(Rc::new(ty.clone()))),
            _ => None,
        };
        members.iter().map(lvalue).collect()
    }

    /// The type of a fold-expression: of its operator applied to the elements of its pack one by one, a right fold from the
    /// last ([expr.prim.fold]/3).
    fn type_of_fold(
        &self,
        operator: Symbol,
        left: Option<&Expr>,
        right: Option<&Expr>,
        env: &Env,
    ) -> Option<Ty> {
        let envs = |operand: Option<&Expr>| {
            operand.and_then(|operand| self.expansions(|names| operand.names(names), env))
        };
        let (pattern, envs, init, from_the_right) = match (envs(left), envs(right)) {
            (Some(envs), _) => (left?, envs, right, true),
            (None, Some(envs)) => (right?, envs, left, false),
            (None, None) => return None,
        };
        let mut operands: Vec<Ty> =
            envs.iter().map(|env| self.type_of(pattern, env)).collect::<Option<_>>()?;
        if from_the_right {
            operands.reverse();
        }
        if let Some(init) = init {
            operands.insert(0, self.type_of(init, env)?);
        }
        let mut operands = operands.into_iter();
        let Some(mut result) = operands.next() else {
            return match operator {
                sym::AMP_AMP | sym::BAR_BAR => Some(Ty::Builtin(sym::BOOL)),
                sym::COMMA => Some(Ty::Builtin(sym::VOID)),
                _ => None,
            };
        };
        let names = ["left operand", "right operand"].map(Symbol::intern);
        let [one, other] = names.map(|name| Expr::Name(Path::plain(name)));
        for operand in operands {
            let types = if from_the_right { [operand, result] } else { [result, operand] };
            let inner = env.with_parameters(names.into_iter().zip(types).collect());
            result = self.type_of_binary(operator, &one, &other, &inner)?;
        }
        Some(result)
    }

    fn type_of_call(&self, callee: &Expr, arguments: &[Expr], env: &Env) -> Option<Ty> {
        match callee {
            Expr::Name(path) => match self.lookup(path, env) {
                LookupResult::Parameter(_) => self.type_of_called_object(callee, arguments, env),
                LookupResult::Entities(entities) if is_object(&entities) => {
                    self.type_of_called_object(callee, arguments, env)
                }
                LookupResult::Entities(mut entities) => {
                    let call = Call::new(self, arguments, env);
                    if path.segments.len() == 1 && !path.global && entities.iter().all(is_namespace_function)
                    {
                        entities = self.called(path.last().name, entities, &call);
                    }
                    if let Some((entity, function, deduced)) = self.best_overload(&entities, path, &call) {
                        return self.result_of_call(entity, function, deduced);
                    }
                    if entities.iter().all(|one| matches!(one.decl.kind, DeclBody::Function(_))) {
                        return self.not_viable(&entities, &call);
                    }
                    match self.named_type(path, env) {
                        Ty::Opaque { .. } => self.deduced_class_type(path, arguments, env),
                        ty => Some(ty),
                    }
                }
                LookupResult::TemplateArgument(TemplateArgument::Type(ty)) => Some(ty),
                LookupResult::TemplateArgument(TemplateArgument::Template(_)) => {
                    Some(self.named_type(path, env)).filter(|ty| !matches!(ty, Ty::Opaque { .. }))
                }
                // The template's own name, or with template arguments another specialization.
                LookupResult::Class(class) if path.last().arguments.is_none() => Some(Ty::Class(class)),
                LookupResult::Class(_) => Some(self.named_type(path, env)),
                // `std::forward<T>(x)` where the header was not found.
                LookupResult::Nothing if is_forward_or_move(path) => self.type_of(arguments.first()?, env),
                LookupResult::Nothing if is_type_trait(path) => Some(Ty::Builtin(sym::BOOL)),
                LookupResult::Nothing if path.segments.len() == 1 => {
                    if let Some(ty) = type_of_built_in(path.last().name) {
                        return Some(Ty::Builtin(ty));
                    }
                    let call = Call::new(self, arguments, env);
                    let found = self.called(path.last().name, Rc::default(), &call);
                    match self.best_overload(&found, path, &call) {
                        Some((entity, function, deduced)) => self.result_of_call(entity, function, deduced),
                        None if found.is_empty() && !self.is_function_elsewhere(path.last().name) => None,
                        None => self.not_viable(&found, &call),
                    }
                }
                _ => None,
            },
            Expr::Member(object, arrow, member) if member.name.as_str().starts_with('~') => {
                self.type_of_destruction(object, *arrow, member.name, env)
            }
            Expr::Member(object, arrow, member) => {
                let (class, is_const) = self.object(object, *arrow, env)?;
                let LookupResult::Entities(entities) = self.member_of_object(&class, member) else {
                    return None;
                };
                let path = Path { global: false, elaborated: false, segments: vec![member.clone()] };
                let implied = self.implied_object(&entities, (object, *arrow), is_const, env);
                let call = Call::new(self, arguments, env).of_object(Some(implied));
                let Some((entity, function, deduced)) = self.best_overload(&entities, &path, &call) else {
                    return self.not_viable(&entities, &call);
                };
                self.result_of_call(entity, function, deduced)
            }
            Expr::Lambda(_)
            | Expr::Construct(..)
            | Expr::Call(..)
            | Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::Subscript(..)
            | Expr::Cast(..) => self.type_of_called_object(callee, arguments, env),
            _ => None,
        }
    }

    /// The type of a function whose return type is known; its exception specification is a part of it ([except.spec]/1).
    fn type_of_function(&self, function: &Function, result: Ty, env: &Env) -> Ty {
        let non_throwing = self.specified(function, env).is_certain();
        Ty::Function(Rc::new(result), self.parameter_types(function, env), non_throwing)
    }

    /// The type of a call of a destructor, which for a scalar type does nothing ([expr.prim.id.dtor]).
    fn type_of_destruction(&self, object: &Expr, arrow: bool, name: Symbol, env: &Env) -> Option<Ty> {
        let ty = without_reference(self.type_of(object, env)?);
        match ty.unqualified() {
            Ty::Class(_) => {
                let (class, _) = self.object(object, arrow, env)?;
                let named = class.decl.as_ref().map(|decl| Symbol::intern(&format!("~{}", decl.name)));
                let is_deleted = match self.lookup_member(&class, named.unwrap_or(name)) {
                    LookupResult::Entities(found) => found.iter().any(|one| one.decl.specifiers.is_deleted),
                    _ => false,
                };
                if is_deleted { self.invalid() } else { Some(Ty::Builtin(sym::VOID)) }
            }
            Ty::Builtin(sym::VOID) | Ty::Function(..) => self.invalid(),
            Ty::Builtin(_) | Ty::Enum(_) if arrow => self.invalid(),
            Ty::Builtin(_) | Ty::Enum(_) | Ty::Pointer(_) => Some(Ty::Builtin(sym::VOID)),
            _ => None,
        }
    }

    /// The return type of a function that a call chose.
    pub(in crate::facts) fn result_of_call(
        &self,
        entity: &Entity,
        function: &Function,
        deduced: Deduced,
    ) -> Option<Ty> {
        // Naming a deleted function is an error ([dcl.fct.def.delete]/2).
        if entity.decl.specifiers.is_deleted {
            return self.invalid();
        }
        let key = deduced.arguments.iter().all(told_by_identity).then(|| {
            let words = self.caches.identities.of_list(&deduced.arguments);
            (std::ptr::from_ref(function) as usize, entity.env.identity(), words)
        });
        let alike = entity.env.alike().and(alike(&deduced.arguments));
        let result = || self.result_ty(function, &entity.env.with_bindings(deduced.bindings.clone()));
        let Some(key) = key else {
            return self.without_recursion(function, deduced.arguments.iter(), result).flatten();
        };
        let query = UnderWay::Result(key.clone());
        let (ty, failed) = self.cached(&self.caches.results, key, entity, alike, || {
            self.shared_result(entity, &deduced.arguments, || {
                let outer_failed = self.substitution_failed.replace(false);
                let result = self.unless_under_way(query, result).flatten();
                (result, self.substitution_failed.replace(outer_failed))
            })
        });
        if failed {
            self.substitution_failed.set(true);
        }
        ty
    }

    /// The return type of a function, deduced from its body where it is a placeholder type.
    pub(in crate::facts) fn result_ty(&self, function: &Function, env: &Env) -> Option<Ty> {
        match strip_cv_and_references(&function.result) {
            ty if ty.is_placeholder() || matches!(ty, Type::Pointer(to) if to.is_placeholder()) => {
                let lambda = env.innermost_class().and_then(|class| class.lambda());
                let body = match lambda {
                    Some(lambda) if lambda.operator.is_none() => &lambda.locals,
                    _ => function.body.as_deref()?,
                };
                let ty = self.outside_immediate_context(|| {
                    self.without_recursion(function, env.bound_arguments().iter(), || {
                        let inside = self.inside(function, env);
                        self.declare_locals(body, &inside);
                        self.returned_ty(&function.result, &function.returns, &inside)
                    })
                });
                ty.flatten()
            }
            Type::Unknown(_) => None,
            // The trailing return type of `auto f(T t) -> decltype(t + t)` names parameters.
            _ => Some(self.ty(&function.result, &self.around_result(function, env))),
        }
    }

    /// The type deduced from the first return statement that is not discarded and whose type is known; all of
    /// them deduce the same ([dcl.spec.auto]).
    fn returned_ty(&self, result: &Type, returns: &[Returned], inside: &Env) -> Option<Ty> {
        if returns.is_empty() {
            return Some(Ty::Builtin(sym::VOID));
        }
        for one in returns {
            if !self.is_reached(&one.conditions, inside)? {
                continue;
            }
            let Some(value) = &one.value else { return Some(Ty::Builtin(sym::VOID)) };
            if let Some(ty) = self.placeholder_type(result, value, inside) {
                return Some(ty);
            }
        }
        None
    }

    /// Whether a statement is in no discarded substatement, by the conditions of the `if constexpr` around it from the
    /// outside in; `None` if that can't be told. A condition in a discarded substatement has no value ([stmt.if]/2).
    fn is_reached(&self, conditions: &[(Expr, bool)], inside: &Env) -> Option<bool> {
        for (condition, taken) in conditions {
            if (self.value(condition, inside).int()? != 0) != *taken {
                return Some(false);
            }
        }
        Some(true)
    }

    /// Declares the local entities of a body that return statements may name, which those of discarded substatements and of
    /// blocks without one are not.
    fn declare_locals(&self, body: &[Item], env: &Env) {
        for item in body {
            match item {
                Item::Declare(decl) => env.declare(decl.clone()),
                Item::Block(inner, true) => self.declare_locals(inner, env),
                Item::IfConstexpr(condition, then, otherwise) => {
                    let value = self.value(condition, env).int();
                    if value != Some(0) {
                        self.declare_locals(then, env);
                    }
                    if value.is_none_or(|value| value == 0) {
                        self.declare_locals(otherwise, env);
                    }
                }
                _ => {}
            }
        }
    }

    /// The environment of a function's body: its parameters, and a block scope for its local entities.
    pub(in crate::facts) fn inside(&self, function: &Function, env: &Env) -> Env {
        let mut parameters = Vec::new();
        let mut packs = Vec::new();
        for parameter in function.parameters.iter().filter(|parameter| parameter.name != sym::EMPTY) {
            match &parameter.ty {
                Type::Pack(pattern) => {
                    // A function parameter pack is bound to the types of its elements, which `args...`
                    // expands to.
                    let envs = self.expansions(|names| pattern.names(names), env);
                    let types = |envs: Vec<Env>| {
                        envs.iter().map(|env| TemplateArgument::Type(self.ty(pattern, env))).collect()
                    };
                    packs.extend(envs.map(|envs| (parameter.name, TemplateArgument::Pack(types(envs)))));
                }
                ty => parameters.push((parameter.name, self.ty(ty, env))),
            }
        }
        env.with_parameters(parameters).with_bindings(packs).block()
    }

    /// The environment of a function's return type: that of a trailing one has the parameters.
    pub(super) fn around_result(&self, function: &Function, env: &Env) -> Env {
        if function.trailing_result { self.inside(function, env) } else { env.clone() }
    }

    /// Records that an expression is invalid, which makes substitution fail ([temp.deduct]/8).
    pub(super) fn invalid(&self) -> Option<Ty> {
        self.substitution_failed.set(true);
        None
    }

    /// Whether functions of a name are declared, so that its declaration is no part of a header that was not found.
    pub(super) fn is_function_elsewhere(&self, name: Symbol) -> bool {
        let declarations = &self.unit.variance.declarations;
        let is_function = |top: &usize| {
            matches!(declarations[*top].kind, DeclKind::Function | DeclKind::Prototype) && self.has(*top)
        };
        let has = self.unit.declaring(name).iter().any(is_function);
        self.caches.dependencies.see(|| Some(Dependency::HasFunction { name, has }));
        has
    }

    /// The type of a call for which no function is viable. That is invalid if all types are known.
    fn not_viable(&self, entities: &[Entity], call: &Call<'_>) -> Option<Ty> {
        let is_function = |one: &Entity| matches!(one.decl.kind, DeclBody::Function(_));
        if entities.iter().all(is_function) && call.is_settled(self) { self.invalid() } else { None }
    }

    /// The type of a call of an object: the return type of its class's function call operator.
    fn type_of_called_object(&self, object: &Expr, arguments: &[Expr], env: &Env) -> Option<Ty> {
        let called = self.type_of(object, env)?;
        let class = match called.without_cvref() {
            Ty::Class(class) => class.clone(),
            Ty::Function(result, ..) => return Some(result.as_ref().clone()),
            Ty::Pointer(to) => match to.as_ref() {
                Ty::Function(result, ..) => return Some(result.as_ref().clone()),
                _ => return self.invalid(),
            },
            Ty::Builtin(_) | Ty::Enum(_) | Ty::Array(..) => return self.invalid(),
            _ => return None,
        };
        let path = Path::plain(Symbol::intern(CALL_OPERATOR));
        let LookupResult::Entities(entities) = self.lookup_member(&class, path.last().name) else {
            return if self.is_no_pointer(&class) { self.invalid() } else { None };
        };
        let call = Call::new(self, arguments, env);
        let Some((entity, function, deduced)) = self.best_overload(&entities, &path, &call) else {
            return self.not_viable(&entities, &call);
        };
        self.result_of_call(entity, function, deduced)
    }

    /// The type of a pointer to a member of the type `member` of a class ([dcl.mptr]), const if the member is a const function.
    pub(super) fn member_pointer(&self, class: Ty, member: Ty, env: &Env) -> Ty {
        let arguments = vec![TemplateArgument::Type(class), TemplateArgument::Type(member)];
        let weight = arguments.iter().fold(1, |sum, one| sum + one.weight());
        let alike = alike(&arguments);
        Ty::Class(Rc::new(Instance {
            number: self.caches.identities.named(POINTER_TO_MEMBER, &arguments),
            name: POINTER_TO_MEMBER.into(),
            arguments,
            decl: None,
            env: Env { frame: None, ..env.clone() },
            top: usize::MAX,
            alike,
            weight,
            alternatives: Vec::new(),
            texts: Default::default(),
            portability: Default::default(),
        }))
    }
}

/// Whether it is a function of a namespace, so that argument-dependent lookup adds to it ([basic.lookup.argdep]/3).
pub(in crate::facts) fn is_namespace_function(entity: &Entity) -> bool {
    entity.owner.is_none() && entity.top != usize::MAX && matches!(entity.decl.kind, DeclBody::Function(_))
}

/// Whether lookup found a variable, so that a call calls its function call operator.
pub(super) fn is_object(entities: &[Entity]) -> bool {
    entities.first().is_some_and(|entity| matches!(entity.decl.kind, DeclBody::Variable(_)))
}

/// The number of elements of a string literal's array, its terminating zero included ([lex.string]); `None`
/// with escapes.
fn text_length(spelling: &str) -> Option<i128> {
    let text = spelling.strip_prefix('"')?.strip_suffix('"')?;
    (!text.contains(['\\', '"'])).then(|| text.len() as i128 + 1)
}

/// Whether a name is that of `std::forward` or `std::move`, which return their argument ([forward]).
pub(super) fn is_forward_or_move(path: &Path) -> bool {
    match path.segments.as_slice() {
        [.., namespace, name] => {
            namespace.name.as_str() == "std" && matches!(name.name.as_str(), "forward" | "move")
        }
        _ => false,
    }
}
