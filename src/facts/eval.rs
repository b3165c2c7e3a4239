//! Types and constants in one pass: what a written type or expression means there.

use std::rc::Rc;
use std::sync::Arc;

use crate::source::{Symbol, sym};

use super::ast::*;
use super::layout;
use super::lookup::{Entity, Enumerators, Env, Hit, View};
use super::lower::squeeze;
use super::types::{Bindings, Bound, EnumType, Instance, Spelling, Ty, Value, bounded, list_text};

/// How many names a class's template arguments may hold in all.
const WEIGHT_LIMIT: usize = 20_000;

impl View<'_> {
    /// The meaning of a written type.
    pub(super) fn ty(&self, ty: &Type, env: &Env) -> Ty {
        let boxed = |inner: &Type| Rc::new(self.ty(inner, env));
        match ty {
            Type::Builtin(name) => Ty::Builtin(*name),
            Type::Named(path) => self.named(path, env),
            Type::Pointer(to) => Ty::Pointer(boxed(to)),
            Type::LvalueReference(to) => match self.ty(to, env) {
                reference @ Ty::LvalueReference(_) => reference,
                Ty::RvalueReference(inner) => Ty::LvalueReference(inner),
                other => Ty::LvalueReference(Rc::new(other)),
            },
            Type::RvalueReference(to) => match self.ty(to, env) {
                reference @ (Ty::LvalueReference(_) | Ty::RvalueReference(_)) => reference,
                other => Ty::RvalueReference(Rc::new(other)),
            },
            Type::Array(of, size) => Ty::Array(boxed(of), size.as_ref().map(|size| self.value(size, env))),
            Type::Function(result, parameters) => Ty::Function(
                boxed(result),
                parameters.iter().map(|one| self.parameter_ty(one, env)).collect(),
            ),
            Type::Qualified(inner, c, v) => self.ty(inner, env).qualified(*c, *v),
            Type::Decltype(expr) => self.type_of(expr, env).unwrap_or_else(|| Ty::Opaque {
                text: bounded(format!("decltype({})", self.expr_text(expr, env))).into(),
                dependent: false,
            }),
            Type::Auto => Ty::opaque("auto"),
            Type::Pack(inner) | Type::Call(inner, _) => self.ty(inner, env),
            Type::Unknown(text) => Ty::opaque(text),
        }
    }

    /// A parameter's type as it counts in a signature: adjusted, top-level cv dropped ([dcl.fct]/5).
    pub(super) fn parameter_ty(&self, ty: &Type, env: &Env) -> Ty {
        self.ty(ty, env).decayed()
    }

    /// The type a path names.
    pub(super) fn named(&self, path: &Path, env: &Env) -> Ty {
        self.deeper(|| self.named_unguarded(path, env)).unwrap_or_else(|| Ty::opaque(&spelled(path)))
    }

    fn named_unguarded(&self, path: &Path, env: &Env) -> Ty {
        let arguments = path.last().arguments.as_deref();
        match self.hit(path, env) {
            Hit::Bound(Bound::Type(ty)) => ty,
            Hit::Bound(Bound::Template(name)) => {
                let list = self.bounds(arguments.unwrap_or_default(), env);
                Ty::opaque(&format!("{name}<{}>", list_text(&list, Spelling::Canonical)))
            }
            Hit::Class(class) => match arguments {
                None => Ty::Class(class),
                Some(_) => match self.hit(&Path::plain(path.last().name), &class.env) {
                    Hit::Entities(entities) => self.entity_ty(&entities, arguments, env, path),
                    _ => self.unresolved(path, env),
                },
            },
            Hit::Entities(entities) => self.entity_ty(&entities, arguments, env, path),
            Hit::Bound(_) | Hit::Parameter(_) | Hit::Namespace(_) | Hit::Nothing => {
                self.unresolved(path, env)
            }
        }
    }

    /// A name nothing declares, as spelled; what it hangs on is put by meaning.
    fn unresolved(&self, path: &Path, env: &Env) -> Ty {
        let last = path.last();
        let list = last.arguments.as_ref().map(|list| list_text(&self.bounds(list, env), Spelling::Shown));
        let own = match list {
            Some(list) => format!("{}<{list}>", last.name),
            None => last.name.to_string(),
        };
        if path.segments.len() == 1 {
            return Ty::opaque(&own);
        }
        let scope = Path { global: path.global, segments: path.segments[..path.segments.len() - 1].to_vec() };
        if matches!(self.hit(&scope, env), Hit::Namespace(_)) {
            return Ty::opaque(&format!("{}::{own}", spelled(&scope)));
        }
        let outer = self.named(&scope, env);
        let dependent = matches!(outer, Ty::Parameter(..) | Ty::Opaque { dependent: true, .. });
        Ty::Opaque { text: bounded(format!("{}::{own}", outer.text(Spelling::Shown))).into(), dependent }
    }

    fn entity_ty(&self, entities: &[Entity], arguments: Option<&[Argument]>, env: &Env, path: &Path) -> Ty {
        let Some(entity) = entities.iter().find(|entity| {
            matches!(entity.decl.kind, DeclBody::Class(_) | DeclBody::Alias(_) | DeclBody::Enum(_))
        }) else {
            return self.unresolved(path, env);
        };
        match &entity.decl.kind {
            DeclBody::Alias(target) => {
                let given = match entity.decl.templates.last() {
                    Some(_) => self.bounds(arguments.unwrap_or_default(), env),
                    None => Vec::new(),
                };
                self.alias_ty(entity, target, given).unwrap_or_else(|| self.unresolved(path, env))
            }
            DeclBody::Enum(one) => {
                let underlying = match &one.underlying {
                    Some(ty) => self.ty(ty, &entity.env),
                    None => Ty::Builtin(sym::INT),
                };
                Ty::Enum(Rc::new(EnumType {
                    name: self.qualified_name(entity),
                    underlying,
                    decl: entity.decl.clone(),
                    env: entity.env.clone(),
                }))
            }
            _ => {
                let classes: Vec<&Entity> =
                    entities.iter().filter(|entity| matches!(entity.decl.kind, DeclBody::Class(_))).collect();
                self.class_ty(&classes, arguments, env, path)
            }
        }
    }

    /// What an alias (template) names; nothing when that depends on the alias itself.
    fn alias_ty(&self, entity: &Entity, target: &Type, given: Vec<Bound>) -> Option<Ty> {
        let words = list_text(&given, Spelling::Canonical);
        let key = (Arc::as_ptr(&entity.decl) as usize, entity.env.identity(), words);
        if self.resolving.borrow().contains(&key) {
            return None;
        }
        let (ty, failed) = self.known(&self.aliases, key.clone(), entity, || {
            let outer_failed = self.substitution_failed.replace(false);
            self.resolving.borrow_mut().push(key);
            let inner = match entity.decl.templates.last() {
                Some(head) => entity.env.with_bindings(self.bind(&head.parameters, given, &entity.env)),
                None if names(target, entity.decl.name) => entity.env.outside(self.world),
                None => entity.env.clone(),
            };
            let ty = self.ty(target, &inner);
            self.resolving.borrow_mut().pop();
            (ty, self.substitution_failed.replace(outer_failed))
        });
        if failed {
            self.substitution_failed.set(true);
        }
        Some(ty)
    }

    fn class_ty(&self, classes: &[&Entity], arguments: Option<&[Argument]>, env: &Env, path: &Path) -> Ty {
        let primary = classes.iter().copied().find(|one| is_primary(one));
        let Some((parameters, own)) = with_defaults(classes) else {
            return match (primary, arguments) {
                (Some(_), None) => Ty::Class(self.instance(classes, Vec::new())),
                // Only specializations are visible: the primary template's defaults are unknown.
                (None, Some(list)) => Ty::Class(self.instance(classes, self.bounds(list, env))),
                _ => self.unresolved(path, env),
            };
        };
        let Some(list) = arguments else {
            return self.unresolved(path, env);
        };
        let bound = self.bind(parameters, self.bounds(list, env), own);
        Ty::Class(self.instance(classes, bound.into_iter().map(|(_, bound)| bound).collect()))
    }

    /// The class that a template's declarations give for arguments ([temp.class.spec.match]).
    fn instance(&self, classes: &[&Entity], arguments: Vec<Bound>) -> Rc<Instance> {
        let first = classes[0];
        let name = self.qualified_name(first);
        let weight = arguments.iter().fold(1_usize, |sum, one| sum.saturating_add(one.weight()));
        if weight > WEIGHT_LIMIT {
            self.cut();
            return Rc::new(Instance {
                name,
                arguments: Vec::new(),
                decl: None,
                env: first.env.clone(),
                top: first.top,
                weight: 1,
                texts: Default::default(),
            });
        }
        let key = bounded(format!("{name}<{}>", list_text(&arguments, Spelling::Canonical)));
        if first.top != usize::MAX
            && let Some(known) = self.instances.borrow().get(&key)
        {
            self.touch(known.top);
            return known.clone();
        }
        let (entity, bindings) = self.specialization(classes, &arguments).unwrap_or((first, Vec::new()));
        self.touch(entity.top);
        let instance = Rc::new(Instance {
            name,
            arguments,
            decl: Some(entity.decl.clone()),
            env: entity.env.with_bindings(bindings),
            top: entity.top,
            weight,
            texts: Default::default(),
        });
        if first.top != usize::MAX {
            self.instances.borrow_mut().insert(key, instance.clone());
        }
        instance
    }

    /// Among a class or variable template's declarations the one that arguments choose, with its own
    /// parameters bound: the most specialized that matches, a definition before a declaration.
    fn specialization<'e>(
        &self,
        declarations: &[&'e Entity],
        arguments: &[Bound],
    ) -> Option<(&'e Entity, Bindings)> {
        let mut chosen: Option<(&Entity, Bindings, isize)> = None;
        for entity in declarations {
            let (patterns, defined) = match &entity.decl.kind {
                DeclBody::Class(class) => (&class.arguments, class.members.is_some()),
                DeclBody::Variable(variable) => (&variable.arguments, variable.initializer.is_some()),
                _ => continue,
            };
            let parameters = entity.decl.templates.last().map_or(&[][..], |head| &head.parameters);
            let (bindings, rank) = match patterns {
                None => (zip_parameters(parameters, arguments), -1000),
                Some(patterns) => {
                    let mut bindings = Vec::new();
                    let (env, found) = (&entity.env, &mut bindings);
                    if !self.match_template(declarations, patterns, env, parameters, arguments, found) {
                        continue;
                    }
                    // More written structure, fewer free parameters: more specialized.
                    let free = parameters.len() as isize;
                    (bindings, 10 * structure(patterns, parameters) - free)
                }
            };
            let rank = rank * 2 + isize::from(defined);
            if chosen.as_ref().is_none_or(|(_, _, best)| rank > *best) {
                chosen = Some((entity, bindings, rank));
            }
        }
        chosen.map(|(entity, bindings, _)| (entity, bindings))
    }

    /// Matches argument patterns with a template's arguments. What the patterns leave out must be what the
    /// template's defaults give: `Array<T>` is matched with `Array<int, 4>` if 4 is the default.
    pub(super) fn match_template(
        &self,
        declarations: &[&Entity],
        patterns: &[Argument],
        env: &Env,
        parameters: &[TemplateParameter],
        arguments: &[Bound],
        found: &mut Bindings,
    ) -> bool {
        let written = patterns.len();
        let open = patterns.iter().any(|pattern| matches!(pattern, Argument::Pack(_)));
        if open || written >= arguments.len() {
            return self.match_arguments(patterns, env, parameters, arguments, found);
        }
        let Some((own, around)) = with_defaults(declarations) else { return false };
        if !self.match_arguments(patterns, env, parameters, &arguments[..written], found) {
            return false;
        }
        let filled = self.bind(own, arguments[..written].to_vec(), around);
        filled.len() == arguments.len()
            && filled.iter().zip(arguments).skip(written).all(|((_, default), actual)| {
                default.text(Spelling::Canonical) == actual.text(Spelling::Canonical)
            })
    }

    /// The variable that a name means, and the environment of its initializer: for a variable template
    /// the declaration that the arguments choose.
    pub(super) fn variable<'e>(
        &self,
        entities: &'e [Entity],
        path: &Path,
        env: &Env,
    ) -> Option<(&'e Entity, &'e Variable, Env)> {
        let first = entities.first()?;
        if !first.decl.templates.is_empty() && path.last().arguments.is_some() {
            let (entity, variable, _, inner) = self.variable_template(entities, path, env)?;
            return Some((entity, variable, inner));
        }
        match &first.decl.kind {
            DeclBody::Variable(variable) => Some((first, variable, first.env.clone())),
            _ => None,
        }
    }

    /// For a variable template with arguments the declaration that these choose, all its arguments, and
    /// the environment of its type and initializer.
    pub(super) fn variable_template<'e>(
        &self,
        entities: &'e [Entity],
        path: &Path,
        env: &Env,
    ) -> Option<(&'e Entity, &'e Variable, Vec<Bound>, Env)> {
        let list = path.last().arguments.as_ref()?;
        let all: Vec<&Entity> = entities.iter().collect();
        let primary = all.iter().find(|one| is_primary(one)).or(all.first())?;
        let head = primary.decl.templates.last()?;
        let bound = self.bind(&head.parameters, self.bounds(list, env), &primary.env);
        let arguments: Vec<Bound> = bound.into_iter().map(|(_, bound)| bound).collect();
        let (entity, bindings) = self.specialization(&all, &arguments)?;
        match &entity.decl.kind {
            DeclBody::Variable(variable) => {
                Some((entity, variable, arguments, entity.env.with_bindings(bindings)))
            }
            _ => None,
        }
    }

    /// Template arguments by meaning, packs spread.
    pub(super) fn bounds(&self, arguments: &[Argument], env: &Env) -> Vec<Bound> {
        let mut bounds = Vec::new();
        for argument in arguments {
            match argument {
                Argument::Pack(inner) => match self.expansions(|names| inner.names(names), env) {
                    Some(envs) => bounds.extend(envs.iter().map(|env| self.bound(inner, env))),
                    None => {
                        let text = self.bound(inner, env).text(Spelling::Shown);
                        bounds.push(Bound::Type(Ty::opaque(&format!("{text}..."))));
                    }
                },
                other => bounds.push(self.bound(other, env)),
            }
        }
        bounds
    }

    /// An environment for each element of the packs that a pattern mentions ([temp.variadic]); `None`
    /// when it mentions none that is known.
    pub(super) fn expansions(&self, pattern: impl Fn(&mut Vec<Symbol>), env: &Env) -> Option<Vec<Env>> {
        let mut names = Vec::new();
        pattern(&mut names);
        let mut packs: Vec<(Symbol, Vec<Bound>)> = Vec::new();
        for name in names {
            if let Hit::Bound(Bound::Pack(members)) = self.unqualified(name, env) {
                packs.push((name, members));
            }
        }
        let count = packs.iter().map(|(_, members)| members.len()).min()?;
        let element = |index: usize| {
            let one = packs.iter().map(|(name, members)| (*name, members[index].clone()));
            env.with_bindings(one.collect())
        };
        Some((0..count).map(element).collect())
    }

    /// The types of a function's parameters, packs spread.
    pub(super) fn parameter_types(&self, function: &Function, env: &Env) -> Vec<Ty> {
        let mut types = Vec::new();
        for parameter in &function.parameters {
            let envs = match &parameter.ty {
                Type::Pack(pattern) => self.expansions(|names| pattern.names(names), env),
                _ => None,
            };
            match envs {
                Some(envs) => types.extend(envs.iter().map(|env| self.parameter_ty(&parameter.ty, env))),
                None => types.push(self.parameter_ty(&parameter.ty, env)),
            }
        }
        types
    }

    /// One template argument by meaning.
    pub(super) fn bound(&self, argument: &Argument, env: &Env) -> Bound {
        match argument {
            Argument::Value(expr) => Bound::Value(self.value(expr, env)),
            Argument::Pack(inner) => self.bound(inner, env),
            Argument::Type(Type::Named(path)) => match self.hit(path, env) {
                Hit::Bound(bound) => bound,
                // A trait of a header that was not found.
                Hit::Nothing => match self.closure_trait(path, env) {
                    Some(value) => Bound::Value(value),
                    None => Bound::Type(self.named(path, env)),
                },
                Hit::Entities(entities) => match entities.first().map(|entity| &entity.decl.kind) {
                    Some(DeclBody::Variable(_) | DeclBody::Function(_)) => {
                        Bound::Value(self.name_value(path, env))
                    }
                    Some(DeclBody::Enum(_)) if entities[0].decl.name != path.last().name => {
                        Bound::Value(self.name_value(path, env))
                    }
                    Some(DeclBody::Class(class))
                        if path.last().arguments.is_none()
                            && class.arguments.is_none()
                            && !entities[0].decl.templates.is_empty() =>
                    {
                        Bound::Template(self.qualified_name(&entities[0]).into())
                    }
                    _ => Bound::Type(self.named(path, env)),
                },
                Hit::Parameter(_) => Bound::Value(Value::opaque(&spelled(path))),
                _ => Bound::Type(self.named(path, env)),
            },
            Argument::Type(Type::Call(_, expr)) if self.is_call(expr, env) => {
                Bound::Value(self.value(expr, env))
            }
            Argument::Type(ty) => Bound::Type(self.ty(ty, env)),
        }
    }

    /// Whether what reads like a function's type is a call of a function or the conversion of a value.
    fn is_call(&self, expr: &Expr, env: &Env) -> bool {
        let is_value = |path: &Path| match self.hit(path, env) {
            Hit::Parameter(_) | Hit::Bound(Bound::Value(_)) => true,
            Hit::Entities(entities) => entities.iter().any(|one| match &one.decl.kind {
                DeclBody::Variable(_) | DeclBody::Function(_) => true,
                DeclBody::Enum(_) => one.decl.name != path.last().name,
                _ => false,
            }),
            _ => false,
        };
        let by_arguments = |arguments: &[Expr]| match arguments.first() {
            Some(Expr::Name(path)) => is_value(path),
            Some(Expr::Call(..) | Expr::Construct(..)) => self.is_call(&arguments[0], env),
            first => first.is_some(),
        };
        match expr {
            Expr::Call(callee, arguments) => match callee.as_ref() {
                Expr::Name(path) => is_value(path) || by_arguments(arguments),
                _ => true,
            },
            Expr::Construct(_, arguments) => by_arguments(arguments),
            _ => false,
        }
    }

    /// Template parameters with what they stand for: the given arguments, then the defaults.
    pub(super) fn bind(&self, parameters: &[TemplateParameter], given: Vec<Bound>, env: &Env) -> Bindings {
        let mut bindings: Bindings = Vec::new();
        let mut given = given.into_iter();
        for parameter in parameters {
            let bound = if parameter.pack {
                Bound::Pack(given.by_ref().collect())
            } else {
                match given.next() {
                    Some(bound) => bound,
                    None => self.default_bound(parameter, &env.with_bindings(bindings.clone())),
                }
            };
            let bound = self.converted(bound, parameter, &env.with_bindings(bindings.clone()));
            bindings.push((parameter.name, bound));
        }
        bindings
    }

    fn default_bound(&self, parameter: &TemplateParameter, env: &Env) -> Bound {
        match &parameter.default {
            Some(default) => self.bound(default, env),
            None => Bound::Type(Ty::Opaque { text: parameter.name.as_str().into(), dependent: true }),
        }
    }

    /// An argument as its parameter takes it: a constant converted to the parameter's type.
    pub(super) fn converted(&self, bound: Bound, parameter: &TemplateParameter, env: &Env) -> Bound {
        let Some(ty) = &parameter.value_of else {
            return bound;
        };
        match bound {
            Bound::Value(value) => Bound::Value(match self.ty(ty, env).unqualified() {
                Ty::Builtin(name) => cast(value, *name),
                _ => value,
            }),
            // A name nothing declares was taken for a type; here it must be a constant.
            Bound::Type(Ty::Opaque { text, .. }) => Bound::Value(Value::Opaque(text)),
            other => other,
        }
    }

    // Constants

    /// The value of a constant expression.
    pub(super) fn value(&self, expr: &Expr, env: &Env) -> Value {
        self.constant(expr, env).unwrap_or_else(|| Value::opaque(&self.expr_text(expr, env)))
    }

    /// The same, without words for what could not be evaluated.
    pub(super) fn constant(&self, expr: &Expr, env: &Env) -> Option<Value> {
        self.deeper(|| self.value_unguarded(expr, env)).flatten()
    }

    fn value_unguarded(&self, expr: &Expr, env: &Env) -> Option<Value> {
        match expr {
            Expr::Int(value, ty) => Some(Value::Int(*value, *ty)),
            Expr::Name(path) => Some(self.name_value(path, env)),
            Expr::Unary(operator, operand) if operator.as_str() == "&" => self.function_name(operand, env),
            Expr::Unary(operator, operand) => unary(*operator, &self.constant(operand, env)?),
            Expr::Binary(operator, left, right) => {
                // One side is enough to decide `a && b` and `a || b`.
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
            Expr::SizeofPack(name) => match self.unqualified(*name, env) {
                Hit::Bound(Bound::Pack(members)) => {
                    Some(Value::Int(members.len() as i128, Symbol::intern("unsigned long")))
                }
                _ => None,
            },
            Expr::Call(callee, arguments) => self.call_value(callee, arguments, env),
            Expr::Fold(operator, left, right) => self.fold(*operator, left.as_deref(), right.as_deref(), env),
            _ => None,
        }
    }

    /// A fold over the elements of a pack ([expr.prim.fold]).
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

    /// `&f` of a function is `f` ([conv.func]).
    fn function_name(&self, operand: &Expr, env: &Env) -> Option<Value> {
        let Expr::Name(path) = operand else { return None };
        match self.hit(path, env) {
            Hit::Entities(all) if matches!(all.first()?.decl.kind, DeclBody::Function(_)) => {
                Some(self.name_value(path, env))
            }
            _ => None,
        }
    }

    fn sizeof(&self, ty: &Ty) -> Option<(u64, u64)> {
        layout::size_align(self, ty.bare())
    }

    /// `sizeof(x)` reads the same for a type and a variable.
    fn type_or_variable(&self, path: &Path, env: &Env) -> Option<Ty> {
        match self.hit(path, env) {
            Hit::Entities(entities) if matches!(entities[0].decl.kind, DeclBody::Variable(_)) => {
                self.type_of(&Expr::Name(path.clone()), env)
            }
            Hit::Parameter(ty) => Some(ty),
            Hit::Bound(Bound::Value(Value::Int(_, ty))) => Some(Ty::Builtin(ty)),
            _ => Some(self.named(path, env)),
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

    /// The constant a name stands for.
    pub(super) fn name_value(&self, path: &Path, env: &Env) -> Value {
        self.deeper(|| self.name_value_unguarded(path, env))
            .flatten()
            .unwrap_or_else(|| self.opaque_name(path, env))
    }

    fn name_value_unguarded(&self, path: &Path, env: &Env) -> Option<Value> {
        if let Some(value) = self.closure_trait(path, env) {
            return Some(value);
        }
        match self.hit(path, env) {
            Hit::Bound(Bound::Value(value)) => Some(value),
            Hit::Bound(Bound::Type(Ty::Opaque { text, .. })) => Some(Value::Opaque(text)),
            Hit::Entities(entities) => {
                let entity = entities.first()?;
                match &entity.decl.kind {
                    DeclBody::Variable(_) => {
                        let (entity, variable, inner) = self.variable(&entities, path, env)?;
                        if !entity.decl.templates.is_empty() {
                            self.touch(entity.top);
                            return self.variable_value(entity, variable, &inner);
                        }
                        let key = (Arc::as_ptr(&entity.decl) as usize, entity.env.identity(), String::new());
                        self.known(&self.values, key, entity, || {
                            self.touch(entity.top);
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
        let all = self.known(&self.enumerators, key, entity, || Rc::new(self.enumerators(entity, one)));
        all.iter().find(|(enumerator, _)| *enumerator == name).and_then(|(_, value)| value.clone())
    }

    fn enumerators(&self, entity: &Entity, one: &Enum) -> Enumerators {
        self.touch(entity.top);
        let underlying = match &one.underlying {
            Some(ty) => match self.ty(ty, &entity.env).unqualified() {
                Ty::Builtin(name) => *name,
                _ => sym::INT,
            },
            None => sym::INT,
        };
        // Each enumerator's value, an earlier one's being in scope for a later one's.
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
            env = env.with_bindings(vec![(*enumerator, Bound::Value(bound))]);
            all.push((*enumerator, value));
            next = next.map(|next| next + 1);
        }
        all
    }

    fn opaque_name(&self, path: &Path, env: &Env) -> Value {
        match self.hit(path, env) {
            Hit::Entities(entities) if !matches!(entities[0].decl.kind, DeclBody::Enum(_)) => {
                let mut text = self.qualified_name(&entities[0]);
                if let Some(arguments) = &path.last().arguments {
                    text.push_str(&format!(
                        "<{}>",
                        list_text(&self.bounds(arguments, env), Spelling::Canonical)
                    ));
                }
                Value::opaque(&text)
            }
            Hit::Bound(Bound::Type(ty @ Ty::Parameter(..))) => {
                Value::Opaque(ty.text(Spelling::Canonical).into())
            }
            _ => match self.unresolved(path, env) {
                Ty::Opaque { text, .. } => Value::Opaque(text),
                other => Value::opaque(&other.text(Spelling::Canonical)),
            },
        }
    }

    /// An expression in canonical words: what can be resolved is, the rest is as spelled.
    pub(super) fn expr_text(&self, expr: &Expr, env: &Env) -> String {
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
            Expr::Subscript(operand) => format!("{}[]", text(operand)),
            Expr::Fold(operator, left, right) => {
                let left = left.as_ref().map_or(String::new(), |left| format!("{} {operator} ", text(left)));
                let right =
                    right.as_ref().map_or(String::new(), |right| format!(" {operator} {}", text(right)));
                format!("({left}...{right})")
            }
            Expr::Lambda(closure) => closure.text.clone(),
        }
    }
}

/// The parameters of a template and where their defaults are looked up: those of the declaration that has
/// default arguments, since any may.
fn with_defaults<'e>(declarations: &[&'e Entity]) -> Option<(&'e [TemplateParameter], &'e Env)> {
    let primaries = declarations.iter().filter(|one| is_primary(one));
    let heads =
        primaries.filter_map(|one| Some((one.decl.templates.last()?.parameters.as_slice(), &one.env)));
    let mut first = None;
    for (parameters, env) in heads {
        if parameters.iter().any(|parameter| parameter.default.is_some()) {
            return Some((parameters, env));
        }
        first.get_or_insert((parameters, env));
    }
    first
}

/// Not a specialization.
fn is_primary(entity: &Entity) -> bool {
    match &entity.decl.kind {
        DeclBody::Class(class) => class.arguments.is_none(),
        DeclBody::Variable(variable) => variable.arguments.is_none(),
        _ => false,
    }
}

fn zip_parameters(parameters: &[TemplateParameter], arguments: &[Bound]) -> Bindings {
    parameters.iter().zip(arguments).map(|(parameter, bound)| (parameter.name, bound.clone())).collect()
}

/// How much structure patterns spell out, to prefer `X<R (*)(A)>` over `X<T *>` and that over `X<T>`.
pub(super) fn structure(patterns: &[Argument], parameters: &[TemplateParameter]) -> isize {
    let of_path = |path: &Path| {
        let own = path.segments.len() == 1 && parameters.iter().any(|one| one.name == path.last().name);
        let arguments = path.last().arguments.as_deref().unwrap_or_default();
        isize::from(!own) + structure(arguments, parameters)
    };
    let each = patterns.iter().map(|pattern| match pattern {
        Argument::Type(ty) => type_structure(ty, &of_path),
        Argument::Value(Expr::Name(path)) => of_path(path),
        Argument::Value(_) => 1,
        Argument::Pack(_) => -1,
    });
    each.sum()
}

fn type_structure(ty: &Type, of_path: &impl Fn(&Path) -> isize) -> isize {
    match ty {
        Type::Named(path) => of_path(path),
        Type::Pointer(inner)
        | Type::LvalueReference(inner)
        | Type::RvalueReference(inner)
        | Type::Qualified(inner, ..) => 1 + type_structure(inner, of_path),
        Type::Array(inner, size) => 1 + isize::from(size.is_some()) + type_structure(inner, of_path),
        Type::Function(result, list) => {
            let parts = list.iter().map(|one| type_structure(one, of_path));
            1 + type_structure(result, of_path) + parts.sum::<isize>()
        }
        Type::Pack(_) => -1,
        Type::Call(inner, _) => type_structure(inner, of_path),
        Type::Builtin(_) | Type::Decltype(_) | Type::Auto | Type::Unknown(_) => 1,
    }
}

/// Whether a type begins with an unqualified name: in `using T = T;` that is another `T`, from outside,
/// since an alias is declared after its type ([basic.scope.pdecl]/3).
fn names(ty: &Type, name: Symbol) -> bool {
    match ty {
        Type::Named(path) => !path.global && path.segments[0].name == name,
        Type::Pointer(ty) | Type::LvalueReference(ty) | Type::RvalueReference(ty) => names(ty, name),
        Type::Array(ty, _) | Type::Qualified(ty, ..) => names(ty, name),
        _ => false,
    }
}

/// A path as it is written.
pub(super) fn spelled(path: &Path) -> String {
    let segment = |segment: &Segment| match &segment.arguments {
        Some(arguments) => {
            let list: Vec<String> = arguments.iter().map(argument_spelled).collect();
            format!("{}<{}>", segment.name, list.join(", "))
        }
        None => segment.name.to_string(),
    };
    let parts: Vec<String> = path.segments.iter().map(segment).collect();
    format!("{}{}", if path.global { "::" } else { "" }, parts.join("::"))
}

fn argument_spelled(argument: &Argument) -> String {
    match argument {
        Argument::Type(Type::Named(path)) => spelled(path),
        Argument::Type(Type::Builtin(name)) => name.to_string(),
        Argument::Type(Type::Unknown(text)) | Argument::Value(Expr::Unknown(text)) => squeeze(text),
        Argument::Value(Expr::Int(value, ty)) => Value::Int(*value, *ty).text(),
        Argument::Value(Expr::Name(path)) => spelled(path),
        Argument::Pack(inner) => format!("{}...", argument_spelled(inner)),
        Argument::Type(_) | Argument::Value(_) => "…".into(),
    }
}

// Arithmetic

pub(super) fn is_integer(ty: Symbol) -> bool {
    !matches!(ty.as_str(), "float" | "double" | "long double" | "void")
}

/// Bits and signedness of an integer type (LP64).
fn width(ty: Symbol) -> Option<(u32, bool)> {
    Some(match ty.as_str() {
        "char" | "signed char" => (8, true),
        "unsigned char" | "char8_t" => (8, false),
        "short" => (16, true),
        "unsigned short" | "char16_t" => (16, false),
        "int" | "wchar_t" => (32, true),
        "unsigned int" | "char32_t" => (32, false),
        "long" | "long long" => (64, true),
        "unsigned long" | "unsigned long long" => (64, false),
        _ => return None,
    })
}

/// A value converted to a fundamental type ([conv.integral]).
pub(super) fn cast(value: Value, ty: Symbol) -> Value {
    let Value::Int(number, _) = value else {
        return value;
    };
    if ty == sym::BOOL {
        return Value::bool(number != 0);
    }
    let Some((bits, signed)) = width(ty) else {
        return Value::Int(number, ty);
    };
    let mask = (1_i128 << bits) - 1;
    let low = number & mask;
    let wrapped = if signed && low >> (bits - 1) & 1 == 1 { low - (1_i128 << bits) } else { low };
    Value::Int(wrapped, ty)
}

/// The common type of two integer operands ([expr.arith.conv]).
pub(super) fn common(left: Symbol, right: Symbol) -> Symbol {
    let rank = |ty: Symbol| match ty.as_str() {
        "unsigned int" => 1,
        "long" => 2,
        "unsigned long" => 3,
        "long long" => 4,
        "unsigned long long" => 5,
        "float" => 6,
        "double" => 7,
        "long double" => 8,
        _ => 0,
    };
    let (low, high) = if rank(left) <= rank(right) { (left, right) } else { (right, left) };
    match (rank(low), rank(high)) {
        (_, 0) => sym::INT,
        // `long long` can't hold an `unsigned long`.
        (3, 4) => Symbol::intern("unsigned long long"),
        _ => high,
    }
}

fn unary(operator: Symbol, operand: &Value) -> Option<Value> {
    let Value::Int(value, ty) = operand else {
        return None;
    };
    let promoted = common(*ty, sym::INT);
    Some(match operator {
        sym::BANG => Value::bool(*value == 0),
        sym::MINUS => cast(Value::Int(-value, promoted), promoted),
        sym::PLUS => Value::Int(*value, promoted),
        sym::TILDE => cast(Value::Int(!value, promoted), promoted),
        _ => return None,
    })
}

pub(super) fn binary(operator: Symbol, left: &Value, right: &Value) -> Option<Value> {
    let (Value::Int(a, left_ty), Value::Int(b, right_ty)) = (left, right) else {
        return None;
    };
    let ty = common(*left_ty, *right_ty);
    let arithmetic = |value: Option<i128>| value.map(|value| cast(Value::Int(value, ty), ty));
    // Operands of a comparison are converted like those of arithmetic: `-1 < 0u` is false.
    let compared = |holds: fn(&i128, &i128) -> bool| {
        let converted = |value: i128| cast(Value::Int(value, ty), ty).int();
        Some(Value::bool(holds(&converted(*a)?, &converted(*b)?)))
    };
    match operator.as_str() {
        "+" => arithmetic(a.checked_add(*b)),
        "-" => arithmetic(a.checked_sub(*b)),
        "*" => arithmetic(a.checked_mul(*b)),
        "/" => arithmetic(a.checked_div(*b)),
        "%" => arithmetic(a.checked_rem(*b)),
        "&" => arithmetic(Some(a & b)),
        "|" => arithmetic(Some(a | b)),
        "^" => arithmetic(Some(a ^ b)),
        "<<" => {
            let ty = common(*left_ty, sym::INT);
            let shift = u32::try_from(*b).ok().filter(|shift| *shift < 64)?;
            a.checked_shl(shift).map(|value| cast(Value::Int(value, ty), ty))
        }
        ">>" => {
            let ty = common(*left_ty, sym::INT);
            let shift = u32::try_from(*b).ok().filter(|shift| *shift < 64)?;
            Some(Value::Int(a >> shift, ty))
        }
        "==" => compared(i128::eq),
        "!=" => compared(i128::ne),
        "<" => compared(i128::lt),
        ">" => compared(i128::gt),
        "<=" => compared(i128::le),
        ">=" => compared(i128::ge),
        "&&" => Some(Value::bool(*a != 0 && *b != 0)),
        "||" => Some(Value::bool(*a != 0 || *b != 0)),
        _ => None,
    }
}
