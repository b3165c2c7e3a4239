//! Values of constant expressions in one pass ([expr.const]), and the canonical text of those that can't be
//! computed.

use std::rc::Rc;
use std::sync::Arc;

use crate::source::{Symbol, sym};

use super::arithmetic::{binary, cast, unary};
use super::layout;
use super::types::{Env, Spelling, TemplateArgument, Ty, Value, list_text};
use super::view::{Entity, Enumerators, LookupResult, View};
use crate::facts::lower::ast::*;

impl View<'_> {
    /// The value of an expression, as canonical text if it could not be computed.
    pub(in crate::facts) fn value(&self, expr: &Expr, env: &Env) -> Value {
        self.constant(expr, env).unwrap_or_else(|| Value::opaque(&self.expr_text(expr, env)))
    }

    /// The value of an expression; `None` if it could not be computed.
    pub(in crate::facts) fn constant(&self, expr: &Expr, env: &Env) -> Option<Value> {
        self.within_limits(|| self.value_unguarded(expr, env)).flatten()
    }

    fn value_unguarded(&self, expr: &Expr, env: &Env) -> Option<Value> {
        match expr {
            Expr::Int(value, ty) => Some(Value::Int(*value, *ty)),
            Expr::Name(path) => Some(self.name_value(path, env)),
            Expr::Unary(operator, operand) if operator.as_str() == "&" => self.function_name(operand, env),
            Expr::Unary(operator, operand) => unary(*operator, &self.constant(operand, env)?),
            Expr::Binary(sym::COMMA, _, right) => self.constant(right, env),
            Expr::Binary(operator, left, right) => {
                // One operand may decide `a && b` and `a || b`, also if the other is not known.
                let decides = |value: &Option<Value>| match (*operator, value.as_ref()?.int()?) {
                    (sym::AMP_AMP, 0) => Some(Value::bool(false)),
                    (sym::BAR_BAR, value) if value != 0 => Some(Value::bool(true)),
                    _ => None,
                };
                let left = self.constant(left, env);
                if let Some(decided) = decides(&left) {
                    return Some(decided);
                }
                let right = self.constant(right, env);
                decides(&right).or_else(|| binary(*operator, &left?, &right?))
            }
            Expr::Conditional(condition, then, otherwise) => match self.constant(condition, env)?.int()? {
                0 => Some(self.value(otherwise, env)),
                _ => Some(self.value(then, env)),
            },
            Expr::Cast(ty, operand) => self.cast_to(ty, operand, env),
            Expr::Construct(ty, values) => match values.as_slice() {
                [] => match self.ty(ty, env).unqualified() {
                    Ty::Builtin(name) => Some(Value::Int(0, *name)),
                    Ty::Class(class) => self.conversion_function_value(class),
                    _ => None,
                },
                [one] => self.cast_to(ty, one, env),
                _ => None,
            },
            Expr::SizeofType(ty) => {
                let ty = match &**ty {
                    Type::Named(path) => self.type_or_variable(path, env)?,
                    other => self.ty(other, env),
                };
                self.sizeof(&ty).map(|(size, _)| Value::Int(size.into(), Symbol::intern("unsigned long")))
            }
            Expr::SizeofValue(operand) => {
                let ty = self.type_of(operand, env)?;
                self.sizeof(&ty).map(|(size, _)| Value::Int(size.into(), Symbol::intern("unsigned long")))
            }
            Expr::Alignof(ty) => {
                let ty = self.ty(ty, env);
                self.sizeof(&ty).map(|(_, align)| Value::Int(align.into(), Symbol::intern("unsigned long")))
            }
            Expr::SizeofPack(name) => match self.lookup_unqualified(*name, env) {
                LookupResult::TemplateArgument(TemplateArgument::Pack(members)) => {
                    Some(Value::Int(members.len() as i128, Symbol::intern("unsigned long")))
                }
                _ => None,
            },
            Expr::List(values) => match values.as_slice() {
                [only] => self.constant(only, env),
                _ => None,
            },
            Expr::Subscript(..) => {
                let (part, env) = self.subobject_initializer(expr, env)?;
                self.constant(&part, &env)
            }
            Expr::Member(object, arrow, member) => {
                if let Some((part, env)) = self.subobject_initializer(expr, env) {
                    return self.constant(&part, &env);
                }
                let class = self.object_class(object, *arrow, env)?;
                let path = Path { global: false, segments: vec![member.clone()] };
                let found = self.lookup_member(&class, member.name);
                matches!(found, LookupResult::Entities(_))
                    .then(|| self.value_of_entity(found, &path, env))
                    .flatten()
            }
            Expr::Call(callee, arguments) => self.call_value(callee, arguments, env),
            Expr::Fold(operator, left, right) => self.fold(*operator, left.as_deref(), right.as_deref(), env),
            Expr::Requires(_) => self.holds(expr, env).map(Value::bool),
            _ => None,
        }
    }

    /// The value of a fold-expression ([expr.prim.fold]): `left` and `right` are its operands, of which one
    /// is the pattern.
    fn fold(
        &self,
        operator: Operator,
        left: Option<&Expr>,
        right: Option<&Expr>,
        env: &Env,
    ) -> Option<Value> {
        let elements = |pattern: &Expr| {
            let envs = self.expansions(|names| pattern.names(names), env)?;
            envs.iter().map(|env| self.constant(pattern, env)).collect::<Option<Vec<Value>>>()
        };
        let (mut values, from_the_right) = match (left, right) {
            (Some(pattern), None) => (elements(pattern)?, true),
            (None, Some(pattern)) => (elements(pattern)?, false),
            (Some(left), Some(right)) => match elements(left) {
                Some(mut values) => {
                    values.push(self.constant(right, env)?);
                    (values, true)
                }
                None => {
                    let mut values = elements(right)?;
                    values.insert(0, self.constant(left, env)?);
                    (values, false)
                }
            },
            (None, None) => return None,
        };
        let join = |left: Value, right: Value| binary(operator, &left, &right);
        if from_the_right {
            values.reverse();
        }
        let mut values = values.into_iter();
        match (values.next(), operator) {
            (Some(first), _) => values.try_fold(first, |sum, value| match from_the_right {
                true => join(value, sum),
                false => join(sum, value),
            }),
            (None, sym::AMP_AMP) => Some(Value::bool(true)),
            (None, sym::BAR_BAR) => Some(Value::bool(false)),
            (None, _) => None,
        }
    }

    /// `&f` of a function `f` is the same template argument as `f` ([conv.func]).
    fn function_name(&self, operand: &Expr, env: &Env) -> Option<Value> {
        let Expr::Name(path) = operand else { return None };
        match self.lookup(path, env) {
            LookupResult::Entities(all) if matches!(all.first()?.decl.kind, DeclBody::Function(_)) => {
                Some(self.name_value(path, env))
            }
            _ => None,
        }
    }

    /// Size and alignment of a type in bytes; of a reference, those of the referred type ([expr.sizeof]/2).
    pub(in crate::facts) fn sizeof(&self, ty: &Ty) -> Option<(u64, u64)> {
        layout::size_align(self, ty.without_cvref())
    }

    /// The type of the operand of `sizeof(x)`, which may name a type or a variable.
    fn type_or_variable(&self, path: &Path, env: &Env) -> Option<Ty> {
        match self.lookup(path, env) {
            LookupResult::Entities(entities) if matches!(entities[0].decl.kind, DeclBody::Variable(_)) => {
                self.type_of(&Expr::Name(path.clone()), env)
            }
            LookupResult::Parameter(ty) => Some(ty),
            LookupResult::TemplateArgument(TemplateArgument::Value(Value::Int(_, ty))) => {
                Some(Ty::Builtin(ty))
            }
            _ => Some(self.named_type(path, env)),
        }
    }

    fn cast_to(&self, ty: &Type, operand: &Expr, env: &Env) -> Option<Value> {
        let value = self.constant(operand, env)?;
        match self.ty(ty, env).unqualified() {
            Ty::Builtin(name) => matches!(value, Value::Int(..)).then(|| cast(value, *name)),
            Ty::Enum(_) => Some(value),
            _ => None,
        }
    }

    /// The value of the constant that a name denotes, as canonical text if it could not be computed.
    pub(in crate::facts) fn name_value(&self, path: &Path, env: &Env) -> Value {
        self.within_limits(|| self.name_value_unguarded(path, env))
            .flatten()
            .unwrap_or_else(|| self.opaque_name(path, env))
    }

    fn name_value_unguarded(&self, path: &Path, env: &Env) -> Option<Value> {
        if let Some(value) = self.closure_trait(path, env) {
            return Some(value);
        }
        self.value_of_entity(self.lookup(path, env), path, env)
    }

    /// The value of the entity that lookup found for a name.
    fn value_of_entity(&self, found: LookupResult, path: &Path, env: &Env) -> Option<Value> {
        match found {
            LookupResult::TemplateArgument(TemplateArgument::Value(value)) => Some(value),
            LookupResult::TemplateArgument(TemplateArgument::Type(Ty::Opaque { text, .. })) => {
                Some(Value::Opaque(text))
            }
            LookupResult::Parameter(ty) => match ty.without_cvref() {
                Ty::Class(class) => self.conversion_function_value(class),
                _ => None,
            },
            LookupResult::Entities(entities) => {
                let entity = entities.first()?;
                match &entity.decl.kind {
                    DeclBody::Variable(_) if entity.decl.specifiers.is_concept => {
                        self.holds(&Expr::Name(path.clone()), env).map(Value::bool)
                    }
                    DeclBody::Variable(_) => {
                        let (entity, variable, inner) = self.variable(&entities, path, env)?;
                        if !entity.decl.templates.is_empty() {
                            self.depend_on(entity.top);
                            return self.variable_value(entity, variable, &inner);
                        }
                        let key = (Arc::as_ptr(&entity.decl) as usize, entity.env.identity(), String::new());
                        self.cached(&self.caches.values, key, entity, || {
                            self.depend_on(entity.top);
                            self.variable_value(entity, variable, &inner)
                        })
                    }
                    DeclBody::Enum(one) => self.enumerator(entity, one, path.last().name),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The value of a `const` or `constexpr` variable.
    fn variable_value(&self, entity: &Entity, variable: &Variable, env: &Env) -> Option<Value> {
        let constant =
            entity.decl.specifiers.is_constexpr || matches!(variable.ty, Type::Qualified(_, true, _));
        if !constant {
            return None;
        }
        match self.constant(variable.initializer.as_ref()?, env)? {
            Value::Opaque(_) => None,
            value => Some(self.converted_value(value, &self.ty(&variable.ty, env))),
        }
    }

    fn enumerator(&self, entity: &Entity, one: &Enum, name: Symbol) -> Option<Value> {
        let key = (Arc::as_ptr(&entity.decl) as usize, entity.env.identity(), String::new());
        let all =
            self.cached(&self.caches.enumerators, key, entity, || Rc::new(self.enumerators(entity, one)));
        all.iter().find(|(enumerator, _)| *enumerator == name).and_then(|(_, value)| value.clone())
    }

    /// The enumerators of an enumeration with their values ([dcl.enum]/2).
    pub(in crate::facts) fn enumerators(&self, entity: &Entity, one: &Enum) -> Enumerators {
        self.depend_on(entity.top);
        let underlying = match &one.underlying {
            Some(ty) => match self.ty(ty, &entity.env).unqualified() {
                Ty::Builtin(name) => *name,
                _ => sym::INT,
            },
            None => sym::INT,
        };
        // Each enumerator is in scope for the values of those after it.
        let mut env = entity.env.clone();
        let mut all = Vec::new();
        let mut next = Some(0_i128);
        for (enumerator, value) in &one.enumerators {
            next = match value {
                None => next,
                Some(Expr::Int(value, _)) => Some(*value),
                Some(value) => self.value(value, &env).int(),
            };
            let value = next.map(|next| cast(Value::Int(next, sym::INT), underlying));
            let bound = value.clone().unwrap_or_else(|| Value::opaque(enumerator.as_str()));
            env = env.with_bindings(vec![(*enumerator, TemplateArgument::Value(bound))]);
            all.push((*enumerator, value));
            next = next.map(|next| next + 1);
        }
        all
    }

    fn opaque_name(&self, path: &Path, env: &Env) -> Value {
        match self.lookup(path, env) {
            LookupResult::Entities(entities) if !matches!(entities[0].decl.kind, DeclBody::Enum(_)) => {
                let mut text = self.qualified_name(&entities[0]);
                if let Some(arguments) = &path.last().arguments {
                    text.push_str(&format!(
                        "<{}>",
                        list_text(&self.template_arguments(arguments, env), Spelling::Canonical)
                    ));
                }
                Value::opaque(&text)
            }
            LookupResult::TemplateArgument(TemplateArgument::Type(ty @ Ty::Parameter(..))) => {
                Value::Opaque(ty.text(Spelling::Canonical).into())
            }
            _ => match self.unresolved(path, env) {
                Ty::Opaque { text, .. } => Value::Opaque(text),
                other => Value::opaque(&other.text(Spelling::Canonical)),
            },
        }
    }

    /// The canonical text of an expression: resolved where it can be, else as spelled.
    pub(in crate::facts) fn expr_text(&self, expr: &Expr, env: &Env) -> String {
        let text = |inner: &Expr| self.expr_text(inner, env);
        let list = |all: &[Expr]| all.iter().map(text).collect::<Vec<_>>().join(", ");
        match expr {
            Expr::Int(value, ty) => Value::Int(*value, *ty).text(),
            Expr::Float(spelling, _) => spelling.clone(),
            Expr::Text(spelling) | Expr::Unknown(spelling) => spelling.clone(),
            Expr::Null => "nullptr".into(),
            Expr::This => "this".into(),
            Expr::Name(path) => self.name_value(path, env).text(),
            Expr::Member(object, arrow, member) => {
                format!("{}{}{}", text(object), if *arrow { "->" } else { "." }, member.name)
            }
            Expr::Unary(operator, operand) => format!("{operator}{}", text(operand)),
            Expr::Binary(operator, left, right) => format!("({} {operator} {})", text(left), text(right)),
            Expr::Conditional(condition, then, otherwise) => {
                format!("({} ? {} : {})", text(condition), text(then), text(otherwise))
            }
            Expr::Cast(ty, operand) => {
                format!("({}){}", self.ty(ty, env).text(Spelling::Shown), text(operand))
            }
            Expr::Construct(ty, values) => {
                format!("{}{{{}}}", self.ty(ty, env).text(Spelling::Shown), list(values))
            }
            Expr::SizeofType(ty) => format!("sizeof({})", self.ty(ty, env).text(Spelling::Shown)),
            Expr::SizeofValue(operand) => format!("sizeof({})", text(operand)),
            Expr::Alignof(ty) => format!("alignof({})", self.ty(ty, env).text(Spelling::Shown)),
            Expr::SizeofPack(name) => format!("sizeof...({name})"),
            Expr::Call(callee, arguments) => format!("{}({})", text(callee), list(arguments)),
            Expr::Subscript(operand, index) => format!("{}[{}]", text(operand), text(index)),
            Expr::List(values) => format!("{{{}}}", list(values)),
            Expr::Fold(operator, left, right) => {
                let left = left.as_ref().map_or(String::new(), |left| format!("{} {operator} ", text(left)));
                let right =
                    right.as_ref().map_or(String::new(), |right| format!(" {operator} {}", text(right)));
                format!("({left}...{right})")
            }
            Expr::Expansion(pattern) => format!("{}...", text(pattern)),
            Expr::Lambda(closure) => closure.text.clone(),
            Expr::RangeElement(range) => format!("an element of {}", text(range)),
            Expr::StructuredBinding(object, number) => format!("part {number} of {}", text(object)),
            Expr::Requires(requires) => format!("{requires:?}"),
        }
    }
}
