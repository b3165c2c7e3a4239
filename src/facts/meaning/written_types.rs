//! Resolution of types as written: the type that a [`Type`] or a name denotes in one pass.
//!
//! In: syntax and the environment of its names. Out: a [`Ty`], opaque where no declaration was found.

use std::rc::Rc;
use std::sync::Arc;

use crate::source::{Symbol, sym};
use crate::target::PassSet;
use crate::variance::DeclKind;

use super::answers::Item;
use super::bind::told_apart;
use super::definitions::Definition;
use super::specialization::{is_primary, with_defaults};
use super::types::{
    ClassNumber, EnumType, Env, Instance, Spelling, TemplateArgument, Ty, Unresolved, Value, alike, bounded,
    list_text,
};
use super::view::{Entity, KnownInstance, LookupResult, UnderWay, View};
use crate::facts::lower::ast::*;
use crate::facts::lower::nodes::{POINTER_TO_MEMBER, squeeze};

/// The most names in the template arguments of a class; a larger specialization is left undefined.
const WEIGHT_LIMIT: usize = 20_000;

impl View<'_> {
    /// The type that a written type denotes.
    pub(in crate::facts) fn ty(&self, ty: &Type, env: &Env) -> Ty {
        let boxed = |inner: &Type| Rc::new(self.ty(inner, env));
        match ty {
            Type::Builtin(name) => Ty::Builtin(*name),
            Type::Named(path) => self.named_type(path, env),
            Type::Pointer(to) => match self.ty(to, env) {
                Ty::LvalueReference(to) | Ty::RvalueReference(to) => {
                    self.substitution_failed.set(true);
                    Ty::Pointer(to)
                }
                to => Ty::Pointer(Rc::new(to)),
            },
            Type::LvalueReference(to) => match self.ty(to, env) {
                reference @ Ty::LvalueReference(_) => reference,
                Ty::RvalueReference(inner) => Ty::LvalueReference(inner),
                other => Ty::LvalueReference(Rc::new(self.referable(other))),
            },
            Type::RvalueReference(to) => match self.ty(to, env) {
                reference @ (Ty::LvalueReference(_) | Ty::RvalueReference(_)) => reference,
                other => Ty::RvalueReference(Rc::new(self.referable(other))),
            },
            Type::Array(of, size) => Ty::Array(boxed(of), size.as_ref().map(|size| self.value(size, env))),
            Type::Function(result, parameters, non_throwing) => {
                self.function_type(result, parameters, non_throwing.as_deref(), env)
            }
            Type::Qualified(inner, c, v) => self.ty(inner, env).qualified(*c, *v),
            Type::Decltype(expr) => self.decltype(expr, env).unwrap_or_else(|| Ty::Opaque {
                text: bounded(format!("decltype({})", self.expr_text(expr, env))).into(),
                because: Unresolved::Unknown,
            }),
            Type::Auto => Ty::opaque("auto"),
            Type::DecltypeAuto => Ty::opaque("decltype(auto)"),
            Type::Pack(inner) | Type::Call(inner, _) => self.ty(inner, env),
            Type::Unknown(text) => Ty::opaque(text),
        }
    }

    /// A type that is referred to, which `void` can't be ([dcl.ref]/1, [temp.deduct]/11).
    fn referable(&self, to: Ty) -> Ty {
        if matches!(to.unqualified(), Ty::Builtin(sym::VOID)) {
            self.substitution_failed.set(true);
        }
        to
    }

    fn function_type(
        &self,
        result: &Type,
        parameters: &[Type],
        non_throwing: Option<&Expr>,
        env: &Env,
    ) -> Ty {
        if let Some(ty) = self.underlying(result, parameters, env) {
            return ty;
        }
        let parameters = self.parameter_type_list(parameters, env);
        let ty = |non_throwing| Ty::Function(Rc::new(self.ty(result, env)), parameters, non_throwing);
        match non_throwing.map(|condition| (condition, self.value(condition, env).int())) {
            None => ty(false),
            Some((_, Some(value))) => ty(value != 0),
            Some((condition, None)) => {
                let condition = self.expr_text(condition, env);
                Ty::opaque(&format!("{} noexcept({condition})", ty(false).text(Spelling::Canonical)))
            }
        }
    }

    /// The type `__underlying_type(E)`, on which `std::underlying_type` is implemented, and which parses as a function type.
    fn underlying(&self, result: &Type, parameters: &[Type], env: &Env) -> Option<Ty> {
        match (result, parameters) {
            (Type::Named(path), [only]) if path.last().name.as_str() == "__underlying_type" => {
                match self.ty(only, env).unqualified() {
                    Ty::Enum(one) => Some(one.underlying.clone()),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The parameter-type-list of a function type ([dcl.fct]), packs expanded.
    fn parameter_type_list(&self, parameters: &[Type], env: &Env) -> Vec<Ty> {
        let mut types = Vec::with_capacity(parameters.len());
        for parameter in parameters {
            let envs = match parameter {
                Type::Pack(pattern) => self.expansions(|names| pattern.names(names), env),
                _ => None,
            };
            match envs {
                Some(envs) => types.extend(envs.iter().map(|env| self.parameter_ty(parameter, env))),
                None => types.push(self.parameter_ty(parameter, env)),
            }
        }
        types
    }

    /// The type of a parameter in a function's signature: adjusted, without top-level cv ([dcl.fct]/5).
    pub(in crate::facts) fn parameter_ty(&self, ty: &Type, env: &Env) -> Ty {
        self.ty(ty, env).decayed()
    }

    /// The type that a name denotes; opaque if no type of that name was found.
    pub(in crate::facts) fn named_type(&self, path: &Path, env: &Env) -> Ty {
        self.type_of_part(path.whole(), env)
    }

    /// The type that the first segments of a name denote.
    pub(in crate::facts) fn type_of_part(&self, path: PathPart<'_>, env: &Env) -> Ty {
        self.within_limits(|| self.named_type_unguarded(path, env))
            .unwrap_or_else(|| Ty::opaque(&spelled(path)))
    }

    /// The same where it is known what lookup finds.
    pub(super) fn type_found(&self, found: LookupResult, path: PathPart<'_>, env: &Env) -> Ty {
        self.within_limits(|| self.type_found_unguarded(found, path, env))
            .unwrap_or_else(|| Ty::opaque(&spelled(path)))
    }

    fn named_type_unguarded(&self, path: PathPart<'_>, env: &Env) -> Ty {
        let arguments = path.last().arguments.as_deref();
        if path.last().name.as_str() == POINTER_TO_MEMBER
            && let Some([Argument::Type(of), Argument::Type(member)]) = arguments
        {
            let class = self.ty(of, env);
            if matches!(class, Ty::Builtin(_) | Ty::Enum(_) | Ty::Pointer(_) | Ty::Array(..)) {
                self.substitution_failed.set(true);
            }
            return self.member_pointer(class, self.ty(member, env), env);
        }
        self.type_found_unguarded(self.lookup_part(path, env), path, env)
    }

    fn type_found_unguarded(&self, found: LookupResult, path: PathPart<'_>, env: &Env) -> Ty {
        let arguments = path.last().arguments.as_deref();
        match found {
            LookupResult::TemplateArgument(TemplateArgument::Type(ty)) => ty,
            LookupResult::TemplateArgument(TemplateArgument::Template(name)) => {
                if let LookupResult::Entities(entities) = self.class_template_named(&name) {
                    return self.entity_ty(&entities, arguments, env, path);
                }
                let list = self.template_arguments(arguments.unwrap_or_default(), env);
                Ty::opaque(&format!("{name}<{}>", list_text(&list, Spelling::Canonical)))
            }
            LookupResult::Class(class) => match arguments {
                None => Ty::Class(class),
                Some(_) => match self.lookup(&Path::plain(path.last().name), &class.env) {
                    LookupResult::Entities(entities) => self.entity_ty(&entities, arguments, env, path),
                    _ => self.unresolved(path, env),
                },
            },
            LookupResult::Entities(entities) => self.entity_ty(&entities, arguments, env, path),
            LookupResult::TemplateArgument(_)
            | LookupResult::Parameter(_)
            | LookupResult::Namespace(_)
            | LookupResult::Nothing => self.unresolved(path, env),
        }
    }

    /// The class or alias template of a qualified name that is the argument for a template template parameter.
    fn class_template_named(&self, name: &str) -> LookupResult {
        if let Some(entities) = self.meant(&self.caches.member_templates, name) {
            return LookupResult::Entities(Rc::new(entities));
        }
        if name.contains('<') {
            // A member of a class template specialization.
            return LookupResult::Nothing;
        }
        let (namespace, last) = name.rsplit_once("::").unwrap_or(("", name));
        self.lookup_in_namespace(Symbol::intern(namespace), Symbol::intern(last))
    }

    /// The type of a name that no declaration was found for: as spelled, with its scope and template
    /// arguments resolved.
    pub(super) fn unresolved(&self, path: PathPart<'_>, env: &Env) -> Ty {
        let (last, scope) = path.split_scope();
        let list = last
            .arguments
            .as_ref()
            .map(|list| list_text(&self.template_arguments(list, env), Spelling::Shown));
        let own = match list {
            Some(list) => format!("{}<{list}>", last.name),
            // CUDA's headers define it as an alias, by whose type it is named.
            None if last.name.as_str() == "cudaError_t" => "cudaError".to_string(),
            None => last.name.to_string(),
        };
        let undeclared =
            |text: String| Ty::Opaque { text: bounded(text).into(), because: Unresolved::Undeclared };
        let Some(scope) = scope else {
            return match predeclared(own.as_str()) {
                Some(name) => Ty::Builtin(Symbol::intern(name)),
                None if path.elaborated => self.class_declared_by(path, env),
                None => undeclared(own),
            };
        };
        let found = self.lookup_part(scope, env);
        if matches!(found, LookupResult::Namespace(_)) {
            return undeclared(format!("{}::{own}", spelled(scope)));
        }
        let outer = self.type_found(found, scope, env);
        let because = match outer {
            Ty::Parameter(..) | Ty::Opaque { because: Unresolved::Dependent, .. } => Unresolved::Dependent,
            _ => Unresolved::Unknown,
        };
        Ty::Opaque { text: bounded(format!("{}::{own}", outer.text(Spelling::Shown))).into(), because }
    }

    /// The class that an elaborated-type-specifier declares in the nearest enclosing namespace ([basic.scope.pdecl]/8).
    fn class_declared_by(&self, path: PathPart<'_>, env: &Env) -> Ty {
        let (namespace, name) = (self.unit.namespace(env.scope), path.last().name);
        let name = match namespace {
            sym::EMPTY => name.to_string(),
            namespace => format!("{namespace}::{name}"),
        };
        Ty::Class(Rc::new(Instance {
            number: self.caches.identities.named(&name, &[]),
            name,
            arguments: Vec::new(),
            decl: None,
            env: Env::namespace(env.scope).at(env.top),
            alternatives: Vec::new(),
            top: usize::MAX,
            // It may be defined in other passes.
            alike: match self.unit.declaring(path.last().name).is_empty() {
                true => PassSet::EVERY,
                false => self.only_here(),
            },
            weight: 1,
            texts: Default::default(),
            portability: Default::default(),
        }))
    }

    /// The type that the class, alias or enumeration among `entities` denotes.
    pub(super) fn entity_ty(
        &self,
        entities: &[Entity],
        arguments: Option<&[Argument]>,
        env: &Env,
        path: PathPart<'_>,
    ) -> Ty {
        let Some(entity) = entities.iter().find(|entity| {
            matches!(entity.decl.kind, DeclBody::Class(_) | DeclBody::Alias(_) | DeclBody::Enum(_))
        }) else {
            return self.unresolved(path, env);
        };
        match &entity.decl.kind {
            DeclBody::Alias(target) => {
                let given = match entity.decl.templates.last() {
                    Some(_) => self.template_arguments(arguments.unwrap_or_default(), env),
                    None => Vec::new(),
                };
                self.alias_ty(entity, target, given).unwrap_or_else(|| self.unresolved(path, env))
            }
            DeclBody::Enum(one) => {
                let underlying = match &one.underlying {
                    Some(ty) => self.ty(ty, &entity.env),
                    None => Ty::Builtin(sym::INT),
                };
                let alike = self.entity_alike(entity).and(underlying.alike());
                self.share_with(alike);
                Ty::Enum(Rc::new(EnumType {
                    alike,
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

    /// The type that an alias, or an alias template with arguments, denotes; `None` if it depends on the
    /// alias itself.
    fn alias_ty(&self, entity: &Entity, target: &Type, given: Vec<TemplateArgument>) -> Option<Ty> {
        let words = self.caches.identities.of_list(&told_apart(std::slice::from_ref(entity), &given));
        let key = (Arc::as_ptr(&entity.decl) as usize, entity.env.identity(), words);
        if self.in_progress.aliases.borrow().contains(&key) {
            return None;
        }
        let alike = entity.env.alike().and(alike(&given));
        let (ty, failed) = self.cached(&self.caches.aliases, key.clone(), entity, alike, || {
            let outer_failed = self.substitution_failed.replace(false);
            self.in_progress.aliases.borrow_mut().push(key);
            let inner = match entity.decl.templates.last() {
                Some(head) => entity.env.with_bindings(self.bind(&head.parameters, given, &entity.env)),
                None if begins_with_name(target, entity.decl.name) => self.env_before_alias(entity),
                None => entity.env.clone(),
            };
            let ty = self.ty(target, &inner);
            self.in_progress.aliases.borrow_mut().pop();
            (ty, self.substitution_failed.replace(outer_failed))
        });
        if failed {
            self.substitution_failed.set(true);
        }
        Some(ty)
    }

    /// Where the type of `using View = View<T>;` is looked up: an alias is declared after its type
    /// ([basic.scope.pdecl]/3), so that its name is what it is further outside, and all other names are as usual.
    fn env_before_alias(&self, alias: &Entity) -> Env {
        let outside = alias.env.enclosing(self.unit);
        let path = Path::plain(alias.decl.name);
        let meant = match self.lookup(&path, &outside) {
            LookupResult::TemplateArgument(argument) => argument,
            LookupResult::Class(class) => TemplateArgument::Type(Ty::Class(class)),
            LookupResult::Entities(all) if all.iter().any(|one| !one.decl.templates.is_empty()) => {
                self.template_named(&all)
            }
            LookupResult::Entities(_) => TemplateArgument::Type(self.named_type(&path, &outside)),
            LookupResult::Parameter(_) | LookupResult::Namespace(_) | LookupResult::Nothing => {
                return outside;
            }
        };
        alias.env.with_bindings(vec![(alias.decl.name, meant)])
    }

    /// The class, or the specialization of a class template, that `classes` declare.
    fn class_ty(
        &self,
        classes: &[&Entity],
        arguments: Option<&[Argument]>,
        env: &Env,
        path: PathPart<'_>,
    ) -> Ty {
        let primary = classes.iter().copied().find(|one| is_primary(one));
        let Some((parameters, own)) = with_defaults(classes) else {
            return match (primary, arguments) {
                (Some(_), None) => Ty::Class(self.instance(classes, Vec::new())),
                // Only specializations are visible: the default arguments of the primary template are
                // unknown.
                (None, Some(list)) => Ty::Class(self.instance(classes, self.template_arguments(list, env))),
                _ => self.unresolved(path, env),
            };
        };
        let Some(list) = arguments else {
            return self.unresolved(path, env);
        };
        let bound = self.bind(&parameters, self.template_arguments(list, env), own);
        Ty::Class(self.instance(classes, bound.into_iter().map(|(_, bound)| bound).collect()))
    }

    /// The specialization that the declarations of a class template give for arguments
    /// ([temp.spec.partial.match]).
    pub(super) fn instance(&self, classes: &[&Entity], arguments: Vec<TemplateArgument>) -> Rc<Instance> {
        let first = classes[0];
        let weight = arguments.iter().fold(1_usize, |sum, one| sum.saturating_add(one.weight()));
        let unknown = |arguments: Vec<TemplateArgument>, number: ClassNumber, weight: usize| {
            Rc::new(Instance {
                name: self.qualified_name(first),
                arguments,
                decl: None,
                env: first.env.clone(),
                top: first.top,
                alike: self.only_here(),
                weight,
                number,
                alternatives: Vec::new(),
                texts: Default::default(),
                portability: Default::default(),
            })
        };
        if weight > WEIGHT_LIMIT {
            self.reach_limit();
            return unknown(Vec::new(), self.class_number(first, &[]), 1);
        }
        let number = self.class_number(first, &arguments);
        let is_kept = first.top != usize::MAX;
        if is_kept && let Some(known) = self.known_instance(number, classes) {
            let (known, on) = known;
            self.depend_on(known.top);
            self.share_with(known.alike);
            self.caches.dependencies.add(on);
            return known;
        }
        let query = UnderWay::Selection(Arc::as_ptr(&first.decl) as usize, number);
        let (selected, trace) = self.traced_within_limits(|| {
            self.unless_under_way(query, || match &first.owner {
                Some(owner) if is_kept => {
                    let all = self.member_classes(owner, classes);
                    self.selected(&all.iter().collect::<Vec<_>>(), &arguments)
                }
                _ => {
                    self.share_declared(first);
                    self.selected(classes, &arguments)
                }
            })
        });
        let Some(selected) = selected else { return unknown(arguments, number, weight) };
        let name = self.qualified_name(first);
        let mut selected = selected.into_iter();
        let (top, chosen) = selected.next().expect("without a match it is the first declaration");
        let sharing = trace.map_or(self.only_here(), |trace| trace.alike).and(alike(&arguments));
        let made = |one: Definition, top: usize, alternatives: Vec<Rc<Instance>>| {
            let alike = sharing.and(self.declared_alike(top, &one.env));
            Rc::new(Instance {
                name: name.clone(),
                arguments: arguments.clone(),
                decl: Some(one.decl),
                env: one.env,
                alternatives,
                top,
                alike,
                weight,
                number,
                texts: Default::default(),
                portability: Default::default(),
            })
        };
        let alternatives = selected.map(|(top, one)| made(one, top, Vec::new())).collect();
        let instance = made(chosen, top, alternatives);
        self.share_with(instance.alike);
        if is_kept {
            let known = KnownInstance {
                instance: instance.clone(),
                selected_in: self.only_here(),
                among: addresses(classes).collect(),
                on: trace.map_or(Item::OWN, |trace| trace.on),
            };
            self.caches.instances.borrow_mut().entry(number).or_default().push(known);
        }
        instance
    }

    /// Takes the passes out of the trace in which other declarations may declare or specialize a namespace's class.
    fn share_declared(&self, class: &Entity) {
        for top in self.unit.declaring(class.decl.name) {
            if !matches!(self.unit.variance.declarations[*top].kind, DeclKind::Function | DeclKind::Prototype)
            {
                self.has(*top);
            }
        }
    }

    /// The specialization of that number, if it was selected in this pass, or in another one in which all that it
    /// was made of is the same, among the same declarations.
    fn known_instance(&self, number: ClassNumber, classes: &[&Entity]) -> Option<(Rc<Instance>, Item)> {
        let mut all = self.caches.instances.borrow_mut();
        let all = all.get_mut(&number)?;
        if let Some(own) = all.iter().find(|one| one.selected_in.has(self.pass)) {
            return Some((own.instance.clone(), own.on));
        }
        let same = |one: &&mut KnownInstance| {
            self.may_share(one.instance.alike) && one.among.iter().copied().eq(addresses(classes))
        };
        let other = all.iter_mut().find(same)?;
        other.selected_in = other.selected_in.or(self.only_here());
        Some((other.instance.clone(), other.on))
    }

    /// The declarations that template arguments select among those of a class template: that of the specialization, and
    /// those that may be meant instead, each with the index of its top-level declaration.
    fn selected(&self, classes: &[&Entity], arguments: &[TemplateArgument]) -> Vec<(usize, Definition)> {
        let mut all = self.specialization(classes, arguments);
        if all.is_empty() {
            all.push((classes[0], Vec::new()));
        }
        let mut selected = Vec::with_capacity(all.len());
        for (entity, bindings) in all {
            self.depend_on(entity.top);
            let decl = self.whole(entity.top, &entity.decl);
            selected.push((entity.top, Definition { decl, env: entity.env.with_bindings(bindings) }));
        }
        selected
    }
}

/// The addresses of declarations.
fn addresses(entities: &[&Entity]) -> impl Iterator<Item = usize> {
    entities.iter().map(|entity| Arc::as_ptr(&entity.decl) as usize)
}

/// Whether a type begins with an unqualified name. In `using T = T;` that is an outer `T`, since an alias is
/// declared after its type ([basic.scope.pdecl]/3).
pub(in crate::facts) fn begins_with_name(ty: &Type, name: Symbol) -> bool {
    match ty {
        Type::Named(path) => !path.global && path.segments[0].name == name,
        Type::Pointer(ty) | Type::LvalueReference(ty) | Type::RvalueReference(ty) => {
            begins_with_name(ty, name)
        }
        Type::Array(ty, _) | Type::Qualified(ty, ..) => begins_with_name(ty, name),
        _ => false,
    }
}

/// The spelling of a name.
pub(in crate::facts) fn spelled(path: PathPart<'_>) -> String {
    let segment = |segment: &Segment| match &segment.arguments {
        Some(_) if segment.name.as_str().starts_with("decltype(") => segment.name.to_string(),
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
        Argument::Type(Type::Named(path)) => spelled(path.whole()),
        Argument::Type(Type::Builtin(name)) => name.to_string(),
        Argument::Type(Type::Unknown(text)) | Argument::Value(Expr::Unknown(text)) => squeeze(text),
        Argument::Value(Expr::Int(value, ty)) => Value::Int(*value, *ty).text(),
        Argument::Value(Expr::Name(path)) => spelled(path.whole()),
        Argument::Pack(inner) => format!("{}...", argument_spelled(inner)),
        Argument::Type(_) | Argument::Value(_) => "…".into(),
    }
}

/// The fundamental type that compilers have a name for which is no keyword of the grammar.
fn predeclared(name: &str) -> Option<&'static str> {
    match name {
        "__int128" | "__int128_t" => Some("__int128"),
        "__uint128_t" => Some("unsigned __int128"),
        "__float128" => Some("__float128"),
        _ => None,
    }
}
