//! Values of constant expressions in one pass ([expr.const]), and the canonical text of those that can't be
//! computed.

use std::rc::Rc;
use std::sync::Arc;

use crate::source::{Symbol, sym};
use crate::variance::ScopeId;

use super::arithmetic::cast;
use super::bind::told_apart;
use super::candidates::told_by_identity;
use super::deduce::without_reference;
use super::identity::Identity;
use super::layout;
use super::layout::emptiness;
use super::machine::{Machine, Outcome};
use super::objects::{fields, outliving, unmade};
use super::types::{
    Base, Env, Instance, Object, Place, Spelling, StaticObject, TemplateArgument, Ty, Value, alike, list_text,
};
use super::view::{Entity, Enumerators, Key, LookupResult, UnderWay, View};
use crate::facts::lower::ast::*;

impl View<'_> {
    /// The value of an expression, as canonical text if it could not be computed.
    pub(in crate::facts) fn value(&self, expr: &Expr, env: &Env) -> Value {
        self.constant(expr, env).unwrap_or_else(|| Value::opaque(&self.expr_text(expr, env)))
    }

    /// The value of an expression, of an object of class type what it converts to; `None` if it could not be computed.
    pub(in crate::facts) fn constant(&self, expr: &Expr, env: &Env) -> Option<Value> {
        if let Expr::Int(number, ty) = expr {
            return Some(Value::Int(*number, *ty));
        }
        let value = self.within_limits(|| {
            let mut machine = Machine::new(self, env);
            match machine.result(expr)? {
                value @ Value::Object(_) => machine.as_scalar(value.clone(), None).or(Some(value)),
                value => Some(value),
            }
        });
        value.flatten().filter(|value| value.is_known() || matches!(value, Value::Opaque(_)))
    }

    /// The value of an expression as a template argument, which may be an object of class type ([temp.arg.nontype]), as
    /// canonical text if it could not be computed.
    pub(in crate::facts) fn argument_value(&self, expr: &Expr, env: &Env) -> Value {
        let value = self.within_limits(|| Machine::new(self, env).result(expr)).flatten();
        match value {
            Some(value) if value.is_known() || matches!(value, Value::Opaque(_)) => value,
            // What an object converts to may not depend on what is not known of it.
            Some(_) => self.value(expr, env),
            None => Value::opaque(&self.expr_text(expr, env)),
        }
    }

    /// The object that an operation results in whose class has no state, so that its type is all there is to know of it.
    pub(super) fn stateless_object(&self, expr: &Expr, env: &Env) -> Option<Value> {
        if !matches!(expr, Expr::Call(..) | Expr::Binary(..) | Expr::Unary(..)) {
            return None;
        }
        let ty = without_reference(self.type_of(expr, env)?);
        let Ty::Class(class) = ty.unqualified() else { return None };
        let stateless = ty.is_sure() && emptiness(self, class) == Some(true);
        stateless.then(|| fields(self, class)).flatten().map(|fields| unmade(class, &fields))
    }

    /// The object of class type that a variable of which nothing but its type is known denotes.
    pub(super) fn named_object(&self, class: &Rc<Instance>, name: &Rc<str>) -> Option<Value> {
        let made = unmade(class, &fields(self, class)?);
        let object = Object::clone(made.object()?);
        Some(Value::Object(Rc::new(Object { named: Some(name.clone()), ..object })))
    }

    /// A template argument converted to the type of its parameter ([temp.arg.nontype]/2).
    pub(in crate::facts) fn converted_argument(&self, value: Value, ty: &Ty) -> Value {
        let named = value.object().and_then(|object| Some((object.named.clone()?, &object.ty)));
        match (named, ty.unqualified()) {
            (Some((name, _)), Ty::LvalueReference(_)) => return Value::Opaque(name),
            // An array is converted to the address of its first element.
            (Some((name, Ty::Array(..))), _) => {
                let object = StaticObject { name: name.to_string(), value };
                return Value::Pointer(Place::of(Base::Static(Rc::new(object))).part(0));
            }
            _ => {}
        }
        match (&value, ty.unqualified()) {
            (Value::Object(object), _) if let (Some(name), Ty::Class(_)) = (&object.named, &object.ty) => {
                let converted = match ty.unqualified() {
                    Ty::Builtin(_) | Ty::Enum(_) => self.converted_value(value.clone(), ty),
                    _ => value.clone(),
                };
                if converted.is_known() { converted } else { Value::Opaque(name.clone()) }
            }
            (Value::Int(..) | Value::Float(..), Ty::Builtin(name)) => cast(value, *name),
            (Value::Object(_), Ty::Builtin(_) | Ty::Enum(_)) | (Value::Int(..), Ty::Class(_)) => {
                self.converted_value(value, ty)
            }
            (Value::Object(object), Ty::Class(_)) if matches!(object.ty.unqualified(), Ty::Array(..)) => {
                self.converted_value(value, ty)
            }
            _ => value,
        }
    }

    /// A value converted to another type by a constructor or a conversion function; the value itself if that can't be told.
    fn converted_value(&self, value: Value, ty: &Ty) -> Value {
        let converted = self.within_limits(|| {
            let mut machine = Machine::new(self, &Env::namespace(ScopeId::GLOBAL));
            machine.converted(Outcome::Value(value.clone()), ty)
        });
        converted.flatten().filter(Value::is_known).unwrap_or(value)
    }

    /// The value of `sizeof`, `alignof` and `sizeof...`, of type `std::size_t`.
    pub(super) fn size_query(&self, expr: &Expr, env: &Env) -> Option<Value> {
        let number = match expr {
            Expr::SizeofType(_) | Expr::SizeofValue(_) => {
                i128::from(self.sizeof(&self.measured_type(expr, env)?)?.0)
            }
            Expr::Alignof(_) => i128::from(self.sizeof(&self.measured_type(expr, env)?)?.1),
            Expr::SizeofPack(name) => match self.lookup_unqualified(*name, env) {
                LookupResult::TemplateArgument(TemplateArgument::Pack(members)) => {
                    i128::try_from(members.len()).ok()?
                }
                // Within an expansion of the pack its name is bound to an element.
                LookupResult::TemplateArgument(_) => i128::try_from(env.bound_pack(*name)?.len()).ok()?,
                _ => return None,
            },
            _ => return None,
        };
        Some(Value::Int(number, Symbol::intern("unsigned long")))
    }

    /// The object with static storage duration that a name denotes, or the function as a value.
    pub(super) fn static_place(&self, path: &Path, env: &Env) -> Option<Result<Place, Value>> {
        let LookupResult::Entities(entities) = self.lookup(path, env) else { return None };
        let entity = entities.first()?;
        match entity.decl.kind {
            DeclBody::Function(_) => Some(Err(self.name_value(path, env))),
            DeclBody::Variable(_) if !entity.decl.specifiers.is_concept => {
                let member = entity.owner.is_some() && !entity.decl.specifiers.is_static;
                if member {
                    return None;
                }
                let name = self.opaque_name(path, env).text();
                let known = self.value_of_entity(LookupResult::Entities(entities), path, env);
                let value = known.unwrap_or_else(|| Value::opaque(&name));
                Some(Ok(Place::of(Base::Static(Rc::new(StaticObject { name, value })))))
            }
            _ => None,
        }
    }

    /// Size and alignment of a type in bytes; of a reference, those of the referred type ([expr.sizeof]/2).
    pub(in crate::facts) fn sizeof(&self, ty: &Ty) -> Option<(u64, u64)> {
        layout::size_align(self, ty.without_cvref())
    }

    /// The type whose size or alignment `sizeof` or `alignof` tells. Sets `substitution_failed` if it is a class that is never
    /// defined ([expr.sizeof]/1).
    pub(super) fn measured_type(&self, expr: &Expr, env: &Env) -> Option<Ty> {
        let ty = match expr {
            Expr::SizeofType(ty) => match &**ty {
                Type::Named(path) => self.type_or_variable(path, env)?,
                // `sizeof(table[0])` parses as that of an array type.
                Type::Array(of, Some(index)) if let Some(path) = self.variable_name(of, env) => {
                    let table = Box::new(Expr::Name(path.clone()));
                    self.type_of(&Expr::Subscript(table, index.clone()), env)?
                }
                other => self.ty(other, env),
            },
            Expr::SizeofValue(operand) => self.type_of(operand, env)?,
            Expr::Alignof(ty) => self.ty(ty, env),
            _ => return None,
        };
        if let Ty::Class(class) = ty.without_cvref() {
            self.require_definition(class);
        }
        Some(ty)
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

    /// The value of the constant that a name denotes, as canonical text if it could not be computed.
    pub(in crate::facts) fn name_value(&self, path: &Path, env: &Env) -> Value {
        let value = self.within_limits(|| match self.closure_trait(path, env) {
            Some(value) => Some(value),
            None => self.value_of_entity(self.lookup(path, env), path, env),
        });
        value.flatten().filter(Value::is_known).unwrap_or_else(|| self.opaque_name(path, env))
    }

    /// The value of the entity that lookup found for a name.
    pub(super) fn value_of_entity(&self, found: LookupResult, path: &Path, env: &Env) -> Option<Value> {
        match found {
            LookupResult::TemplateArgument(TemplateArgument::Value(value)) => Some(value),
            LookupResult::TemplateArgument(TemplateArgument::Type(Ty::Opaque { text, .. })) => {
                Some(Value::Opaque(text))
            }
            LookupResult::Entities(entities) => {
                let entity = entities.first()?;
                match &entity.decl.kind {
                    DeclBody::Variable(_) if entity.decl.specifiers.is_concept => {
                        self.holds(&Expr::Name(path.clone()), env).map(Value::bool)
                    }
                    // Which object the data member is of is not known here.
                    DeclBody::Variable(_) if entity.owner.is_some() && !entity.decl.specifiers.is_static => {
                        None
                    }
                    DeclBody::Variable(_)
                        if !entity.decl.templates.is_empty() && path.last().arguments.is_some() =>
                    {
                        let arguments = self.variable_template_arguments(&entities, path, env)?;
                        self.specialization_value(&entities, &arguments)
                    }
                    DeclBody::Variable(_) => {
                        let (entity, variable, inner) = self.variable(&entities, path, env)?;
                        let key =
                            (Arc::as_ptr(&entity.decl) as usize, entity.env.identity(), Identity::new());
                        self.cached(&self.caches.values, key, entity, entity.env.alike(), || {
                            self.depend_on(entity.top);
                            match (&variable.initializer, &entity.owner) {
                                (None, Some(owner)) => self.value_defined_outside(owner, entity),
                                _ => self.variable_value(entity, variable, &inner),
                            }
                        })
                    }
                    DeclBody::Enum(one) => self.enumerator(entity, one, path.last().name),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The value of a variable template specialization.
    fn specialization_value(
        &self,
        entities: &Rc<Vec<Entity>>,
        arguments: &[TemplateArgument],
    ) -> Option<Value> {
        let list = self.caches.candidate_lists.list_of(entities, Entity::identity);
        let words = self.caches.identities.of_list(&told_apart(entities, arguments));
        let value = || {
            let query = UnderWay::Constant((list.number, 0, words.clone()));
            let value = || {
                let (entity, variable, inner) = self.selected_variable(entities, arguments)?;
                self.depend_on(entity.top);
                self.variable_value(entity, variable, &inner)
            };
            self.unless_under_way(query, value).flatten()
        };
        if !arguments.iter().all(told_by_identity) {
            return value();
        }
        let alike = self.all_alike(entities).and(alike(arguments));
        let key = (list.number, 0, words.clone());
        self.cached(&self.caches.specialization_values, key, &list.candidates, alike, value)
    }

    /// The value of a static data member that is initialized where it is defined outside its class.
    fn value_defined_outside(&self, owner: &Rc<Instance>, member: &Entity) -> Option<Value> {
        let definitions = self.static_member_definitions(owner, &member.decl, &[])?;
        definitions.into_iter().find_map(|definition| {
            let DeclBody::Variable(variable) = &definition.decl.kind else { return None };
            variable.initializer.as_ref()?;
            let (decl, env) = (definition.decl.clone(), definition.env.clone());
            let entity = Entity { decl, env, ..member.clone() };
            self.variable_value(&entity, variable, &definition.env)
        })
    }

    /// The value of a `const` or `constexpr` variable.
    fn variable_value(&self, entity: &Entity, variable: &Variable, env: &Env) -> Option<Value> {
        let constant =
            entity.decl.specifiers.is_constexpr || matches!(variable.ty, Type::Qualified(_, true, _));
        if !constant {
            return None;
        }
        // Without an initializer, only a `constexpr` variable is sure to be defined here.
        if variable.initializer.is_none() && !entity.decl.specifiers.is_constexpr {
            return None;
        }
        let value = self.outside_immediate_context(|| {
            let ty = self.type_of_variable(variable, env);
            Machine::new(self, env).variable_value(variable, ty.as_ref().map(Ty::without_cvref))
        })?;
        match value {
            Value::Opaque(_) => None,
            Value::Object(object) => {
                let named = Some(self.qualified_name(entity).into());
                Some(Value::Object(Rc::new(Object { named, ..outliving(&object) })))
            }
            value => value.is_known().then_some(value),
        }
    }

    /// The value of an enumerator. Qualified by the name of the enumeration, those before one may stand in its value
    /// ([dcl.enum]/13).
    fn enumerator(&self, entity: &Entity, one: &Enum, name: Symbol) -> Option<Value> {
        let key = (Arc::as_ptr(&entity.decl) as usize, entity.env.identity(), Identity::new());
        let of = |all: &Enumerators| {
            all.iter().find(|(enumerator, _)| *enumerator == name).and_then(|(_, value)| value.clone())
        };
        let query = UnderWay::Enumerators(key.clone());
        if self.leads_back_to(&query) {
            let all = self.in_progress.enumerators.borrow();
            return all.iter().find(|(under_way, _)| *under_way == key).and_then(|(_, so_far)| of(so_far));
        }
        let all = self.cached(&self.caches.enumerators, key.clone(), entity, entity.env.alike(), || {
            let all = self.unless_under_way(query, || self.enumerators(key, entity, one));
            Rc::new(all.unwrap_or_default())
        });
        of(&all)
    }

    /// The enumerators of an enumeration with their values ([dcl.enum]/2).
    fn enumerators(&self, key: Key, entity: &Entity, one: &Enum) -> Enumerators {
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
        let mut next = Some(0_i128);
        let under_way = &self.in_progress.enumerators;
        under_way.borrow_mut().push((key, Vec::new()));
        for (enumerator, value) in &one.enumerators {
            next = match value {
                None => next,
                Some(Expr::Int(value, _)) => Some(*value),
                Some(value) => self.value(value, &env).int(),
            };
            let value = next.map(|next| cast(Value::Int(next, sym::INT), underlying));
            let bound = value.clone().unwrap_or_else(|| Value::opaque(enumerator.as_str()));
            env = env.with_bindings(vec![(*enumerator, TemplateArgument::Value(bound))]);
            under_way.borrow_mut().last_mut().expect("it was begun").1.push((*enumerator, value));
            next = next.map(|next| next + 1);
        }
        under_way.borrow_mut().pop().map(|(_, all)| all).unwrap_or_default()
    }

    /// Whether a value is the address of a function template specialization.
    pub(super) fn is_function_value(&self, value: &Value) -> bool {
        matches!(value, Value::Opaque(text) if self.meant(&self.caches.functions, text).is_some())
    }

    /// The function template, with its overloads, and the template arguments of the specialization that a value denotes.
    pub(in crate::facts) fn function_of_value(
        &self,
        value: &Value,
    ) -> Option<(Vec<Entity>, Vec<TemplateArgument>)> {
        match value {
            Value::Opaque(text) => self.meant(&self.caches.functions, text),
            _ => None,
        }
    }

    pub(super) fn opaque_name(&self, path: &Path, env: &Env) -> Value {
        match self.lookup(path, env) {
            LookupResult::Entities(entities) if !matches!(entities[0].decl.kind, DeclBody::Enum(_)) => {
                let mut text = self.qualified_name(&entities[0]);
                let Some(arguments) = &path.last().arguments else { return Value::opaque(&text) };
                let list = self.template_arguments(arguments, env);
                let list = told_apart(&entities, &list);
                text.push_str(&format!("<{}>", list_text(&list, Spelling::Canonical)));
                let value = Value::opaque(&text);
                if let (DeclBody::Function(_), Value::Opaque(text)) = (&entities[0].decl.kind, &value)
                    && !self.caches.functions.has(text, self.pass)
                {
                    let passes = self.all_alike(&entities).and(alike(&list)).or(self.only_here());
                    let named = (Rc::unwrap_or_clone(entities), list.into_owned());
                    self.caches.functions.insert(text.clone(), passes, named);
                }
                value
            }
            LookupResult::TemplateArgument(TemplateArgument::Type(ty @ Ty::Parameter(..))) => {
                Value::Opaque(ty.text(Spelling::Canonical).into())
            }
            _ => match self.unresolved(path.whole(), env) {
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
            Expr::Conditional(condition, then, otherwise) => match self.constant(condition, env) {
                Some(Value::Int(chosen, _)) => {
                    self.value(if chosen != 0 { then } else { otherwise }, env).text()
                }
                _ => format!("({} ? {} : {})", text(condition), text(then), text(otherwise)),
            },
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
            Expr::Noexcept(operand) => format!("noexcept({})", text(operand)),
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
