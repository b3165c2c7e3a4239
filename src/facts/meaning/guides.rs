//! Class template argument deduction ([over.match.class.deduct]): `Buffer b(p);` leaves the template
//! arguments to the initializer.

use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::aggregate::data_members;
use super::answers::Search;
use super::deduce::{Call, without_reference};
use super::specialization::is_primary;
use super::types::{Env, Instance, Ty};
use super::unify::is_parameter;
use super::view::{Entity, LookupResult, View};
use crate::facts::lower::ast::*;
use crate::source::{Symbol, sym};
use crate::target::PassSet;

impl View<'_> {
    /// The type of an object that is declared with a written type and an initializer, template arguments
    /// deduced where the type is a placeholder for a deduced class type.
    pub(in crate::facts) fn object_ty(&self, ty: &Type, initializer: Option<&Expr>, env: &Env) -> Ty {
        self.initialized_ty(ty, initializer, Initialization::Direct, env)
    }

    /// The same, where explicit deduction guides take no part in copy-initialization.
    pub(super) fn initialized_ty(
        &self,
        ty: &Type,
        initializer: Option<&Expr>,
        initialization: Initialization,
        env: &Env,
    ) -> Ty {
        let meant = self.ty(ty, env);
        let (Ty::Opaque { .. }, Some(path)) = (meant.unqualified(), template_name(ty)) else { return meant };
        let arguments = match initializer {
            Some(Expr::List(values)) => values.as_slice(),
            Some(one) => std::slice::from_ref(one),
            None => &[],
        };
        let copies = initialization == Initialization::Copy;
        self.class_type_deduced(path, arguments, copies, env).unwrap_or(meant)
    }

    /// The type of `T{a, b}`, template arguments deduced where `T` names a class template.
    pub(in crate::facts) fn constructed_type(&self, ty: &Type, values: &[Expr], env: &Env) -> Ty {
        let meant = self.ty(ty, env);
        match (meant.unqualified(), template_name(ty)) {
            (Ty::Opaque { .. }, Some(path)) => self.deduced_class_type(path, values, env).unwrap_or(meant),
            _ => meant,
        }
    }

    /// The class that class template argument deduction gives for a name and the arguments of an initializer;
    /// `None` if the name denotes no class template.
    pub(in crate::facts) fn deduced_class_type(
        &self,
        path: &Path,
        arguments: &[Expr],
        env: &Env,
    ) -> Option<Ty> {
        self.class_type_deduced(path, arguments, false, env)
    }

    fn class_type_deduced(&self, path: &Path, arguments: &[Expr], copies: bool, env: &Env) -> Option<Ty> {
        if path.last().arguments.is_some() {
            return None;
        }
        let LookupResult::Entities(entities) = self.lookup(path, env) else { return None };
        let primaries = || entities.iter().filter(|one| is_primary(one) && !one.decl.templates.is_empty());
        // The constructors are those of the definition, which a declaration may precede.
        let defines =
            |one: &&Entity| matches!(&one.decl.kind, DeclBody::Class(class) if class.members.is_some());
        let primary = primaries().find(defines).or_else(|| primaries().next())?;
        self.within_limits(|| self.class_type_deduced_unguarded(primary, arguments, copies, env)).flatten()
    }

    fn class_type_deduced_unguarded(
        &self,
        primary: &Entity,
        arguments: &[Expr],
        copies: bool,
        env: &Env,
    ) -> Option<Ty> {
        self.depend_on(primary.top);
        let decl = self.own_definition(primary.top, self.whole(primary.top, &primary.decl));
        let call = Call::new(self, arguments, env).for_copy(copies);
        // A single argument of a specialization of the template is copied: the copy deduction candidate. It may be of a
        // partial or an explicit specialization.
        let is_of_template = |class: &Instance| {
            class.decl.as_ref().is_some_and(|own| own.at == decl.at)
                || primary.owner.is_none()
                    && !class.arguments.is_empty()
                    && class.name == self.qualified_name(primary)
        };
        if let [_] = arguments
            && let Some(Ty::Class(class)) = call.ty(self, 0).map(Ty::without_cvref)
            && is_of_template(class)
        {
            return call.ty(self, 0).cloned().map(|ty| without_reference(ty).unqualified().clone());
        }
        let mut candidates = self.user_declared_guides(primary);
        candidates.extend(implicit_guides(self, primary, &decl));
        let path = Path::plain(decl.name);
        let (entity, function, deduced) = self.best_overload(&candidates, &path, &call)?;
        match self.ty(&function.result, &entity.env.with_bindings(deduced.bindings)) {
            class @ Ty::Class(_) => Some(class),
            _ => None,
        }
    }

    /// The constructors of a class, inherited ones too ([class.inhctor.init]).
    pub(in crate::facts) fn constructors(&self, class: &Rc<Instance>) -> Vec<Entity> {
        self.within_limits(|| self.constructors_unguarded(class)).unwrap_or_default()
    }

    fn constructors_unguarded(&self, class: &Rc<Instance>) -> Vec<Entity> {
        let Some(decl) = &class.decl else { return Vec::new() };
        let DeclBody::Class(definition) = &decl.kind else { return Vec::new() };
        let env = class.env.inside(class.clone());
        let mut found: Vec<Entity> =
            class.alternatives.iter().flat_map(|one| self.constructors_unguarded(one)).collect();
        if !found.is_empty() {
            self.depend_on_unsettled();
        }
        for member in definition.members.iter().flatten() {
            match &member.kind {
                DeclBody::Function(_) if member.name == decl.name && !member.specifiers.is_friend => {
                    let (decl, env) = (member.clone(), env.clone());
                    found.push(Entity { decl, env, owner: Some(class.clone()), top: class.top });
                }
                DeclBody::Using(path) => {
                    if let [.., scope, last] = path.segments.as_slice()
                        && scope.name == last.name
                    {
                        // The injected-class-name of the base class stands for its constructors here, or the name of a
                        // template parameter or alias that denotes it ([class.qual]/2).
                        let bases = self.bases(class);
                        let is_named = |base: &&Ty| match base {
                            Ty::Class(base) => base.decl.as_ref().is_some_and(|own| own.name == last.name),
                            _ => false,
                        };
                        let named = bases.iter().find(is_named).cloned();
                        let scope = path.whole().split_scope().1;
                        let named = named.or_else(|| scope.map(|scope| self.type_of_part(scope, &env)));
                        let is_it = |base: &Ty| match (base, &named) {
                            (Ty::Class(base), Some(Ty::Class(named))) => base.name == named.name,
                            _ => false,
                        };
                        if let Some(Ty::Class(named)) = &named
                            && bases.iter().any(is_it)
                        {
                            found.extend(self.constructors(named));
                        }
                    }
                }
                _ => {}
            }
        }
        found
    }

    /// The top-level declarations of a name in this pass.
    pub(super) fn present(&self, name: Symbol) -> Vec<usize> {
        self.unit.declaring(name).iter().copied().filter(|top| self.has(*top)).collect()
    }

    /// The user-declared deduction guides of a class template ([temp.deduct.guide]), which precede the
    /// implicit ones.
    fn user_declared_guides(&self, primary: &Entity) -> Vec<Entity> {
        let mut guides = Vec::new();
        if primary.owner.is_some() {
            return guides;
        }
        let tops = self.present(primary.decl.name);
        self.see_candidates(|| Search::Named, primary.decl.name, &tops);
        for top in tops {
            for decl in self.lowered(top).iter() {
                let DeclBody::Guide(function) = &decl.kind else { continue };
                self.depend_on(top);
                let decl = Decl { kind: DeclBody::Function(function.clone()), ..Decl::clone(decl) };
                guides.push(Entity {
                    decl: Arc::new(decl),
                    env: Env::of_top(self.unit, top),
                    owner: None,
                    top,
                });
            }
        }
        guides
    }
}

/// The name that may be a placeholder for a deduced class type ([dcl.type.class.deduct]): one without
/// template arguments.
fn template_name(ty: &Type) -> Option<&Path> {
    match ty {
        Type::Named(path) if path.last().arguments.is_none() => Some(path),
        Type::Qualified(inner, ..) => template_name(inner),
        _ => None,
    }
}

/// The implicit guides of a class template: one for each constructor, else that of a default constructor and the aggregate
/// deduction candidate.
fn implicit_guides(view: &View<'_>, primary: &Entity, decl: &Arc<Decl>) -> Vec<Entity> {
    let (DeclBody::Class(definition), Some(head)) = (&decl.kind, decl.templates.last()) else {
        return Vec::new();
    };
    let own = |parameter: &TemplateParameter| {
        let name = Type::Named(Path::plain(parameter.name));
        if parameter.pack { Argument::Pack(Box::new(Argument::Type(name))) } else { Argument::Type(name) }
    };
    let segment = Segment { name: decl.name, arguments: Some(head.parameters.iter().map(own).collect()) };
    let result = Type::Named(Path { global: false, elaborated: false, segments: vec![segment] });
    let guide = |at, own: Option<&TemplateHead>, is_explicit, function: Function| {
        let mut merged = head.clone();
        if let Some(own) = own {
            merged.parameters.extend(own.parameters.iter().cloned());
            merged.constraints.extend(own.constraints.iter().cloned());
        }
        let decl = Decl {
            name: decl.name,
            qualifier: None,
            at,
            templates: vec![merged],
            specifiers: Specifiers { is_explicit, ..Specifiers::default() },
            kind: DeclBody::Function(function),
        };
        Entity { decl: Arc::new(decl), env: primary.env.clone(), owner: None, top: primary.top }
    };
    let members = definition.members.iter().flatten();
    let mut guides = Vec::new();
    for member in members.filter(|member| member.name == decl.name && !member.specifiers.is_friend) {
        if let DeclBody::Function(function) = &member.kind {
            let mut function = Function { result: result.clone(), body: None, ..function.clone() };
            let aliases = own_aliases(definition, member.templates.last());
            let mut left = MOST_REPLACED_NAMES;
            for parameter in &mut function.parameters {
                replace_aliases(&mut parameter.ty, &aliases, &mut left);
                deduce_as_rvalue(&mut parameter.ty, &head.parameters);
            }
            guides.push(guide(member.at, member.templates.last(), member.specifiers.is_explicit, function));
        }
    }
    if guides.is_empty() {
        // The hypothetical constructor of a class without any ([over.match.class.deduct]/1.2).
        guides.push(guide(decl.at, None, false, Function::declared(result.clone(), Vec::new())));
        guides.extend(
            members_as_parameters(view, primary, decl).map(|parameters| {
                guide(decl.at, None, false, Function::declared(result.clone(), parameters))
            }),
        );
    }
    guides
}

/// The types that the members of a class name, which are no templates, but for names of parameters of a constructor's own.
fn own_aliases<'c>(class: &'c Class, own: Option<&TemplateHead>) -> FxHashMap<Symbol, &'c Type> {
    let is_own = |name: Symbol| own.is_some_and(|head| head.parameters.iter().any(|one| one.name == name));
    let alias = |member: &'c Arc<Decl>| match &member.kind {
        DeclBody::Alias(ty) if member.templates.is_empty() && !is_own(member.name) => Some((member.name, ty)),
        _ => None,
    };
    class.members.iter().flatten().filter_map(alias).collect()
}

/// How many names of a constructor's parameters are replaced by what they stand for, those in what replaces others too.
const MOST_REPLACED_NAMES: usize = 100;

/// Replaces names of types that are members of the class by what they stand for: in a constructor's parameters they are
/// members of the current instantiation ([temp.dep.type]), from which the class's template arguments can be deduced.
fn replace_aliases(ty: &mut Type, aliases: &FxHashMap<Symbol, &Type>, left: &mut usize) {
    if aliases.is_empty() || *left == 0 {
        return;
    }
    match ty {
        Type::Named(path) => {
            let first = path.segments.first().filter(|first| !path.global && first.arguments.is_none());
            match first.and_then(|first| aliases.get(&first.name)) {
                Some(meant) if path.segments.len() == 1 => {
                    *left -= 1;
                    *ty = (*meant).clone();
                    replace_aliases(ty, aliases, left);
                }
                Some(Type::Named(scope)) => {
                    *left -= 1;
                    let mut segments = scope.segments.clone();
                    segments.extend(path.segments.drain(1..));
                    *ty = Type::Named(Path { segments, ..scope.clone() });
                    replace_aliases(ty, aliases, left);
                }
                _ => {
                    let arguments =
                        path.segments.iter_mut().flat_map(|one| one.arguments.iter_mut().flatten());
                    arguments.for_each(|argument| replace_in_argument(argument, aliases, left));
                }
            }
        }
        Type::Pointer(inner)
        | Type::LvalueReference(inner)
        | Type::RvalueReference(inner)
        | Type::Qualified(inner, ..)
        | Type::Array(inner, _)
        | Type::Pack(inner) => replace_aliases(inner, aliases, left),
        Type::Function(result, parameters, _) => {
            replace_aliases(result, aliases, left);
            parameters.iter_mut().for_each(|one| replace_aliases(one, aliases, left));
        }
        _ => {}
    }
}

fn replace_in_argument(argument: &mut Argument, aliases: &FxHashMap<Symbol, &Type>, left: &mut usize) {
    match argument {
        Argument::Type(ty) => replace_aliases(ty, aliases, left),
        Argument::Pack(inner) => replace_in_argument(inner, aliases, left),
        Argument::Value(_) => {}
    }
}

/// Makes an rvalue reference to a template parameter of the class no forwarding reference, which one to a parameter of
/// the constructor template is ([temp.deduct.call]/3): that refers to a type with a qualifier.
fn deduce_as_rvalue(ty: &mut Type, of_class: &[TemplateParameter]) {
    match ty {
        Type::Pack(pattern) => deduce_as_rvalue(pattern, of_class),
        Type::RvalueReference(inner) if matches!(inner.as_ref(), Type::Named(path) if is_parameter(path, of_class)) =>
        {
            let referred = std::mem::replace(inner.as_mut(), Type::Builtin(sym::VOID));
            **inner = Type::Qualified(Box::new(referred), false, false);
        }
        _ => {}
    }
}

/// The parameters of the aggregate deduction candidate: the data members ([over.match.class.deduct]/1).
fn members_as_parameters(view: &View<'_>, primary: &Entity, decl: &Arc<Decl>) -> Option<Vec<Parameter>> {
    let class = Rc::new(Instance {
        number: view.caches.identities.named("", &[]),
        name: String::new(),
        arguments: Vec::new(),
        decl: Some(decl.clone()),
        env: primary.env.clone(),
        top: primary.top,
        // It does not outlive this function.
        alike: PassSet::EMPTY,
        weight: 1,
        alternatives: Vec::new(),
        texts: Default::default(),
        portability: Default::default(),
    });
    let parameter = |member: &&Arc<Decl>| match &member.kind {
        DeclBody::Variable(variable) => Some(Parameter {
            name: member.name,
            ty: variable.ty.clone(),
            default: Some(variable.initializer.clone().unwrap_or(Expr::List(Vec::new()))),
            default_from: None,
            items: Vec::new(),
        }),
        _ => None,
    };
    data_members(&class)?.iter().map(parameter).collect()
}
