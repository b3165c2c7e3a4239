//! Closure types ([expr.prim.lambda.closure]): classes whose data members are the captured entities.
//!
//! nvcc identifies a closure type by the enclosing function and the number of the lambda among that
//! function's extended lambdas (CUDA C++ Programming Guide, "Extended Lambda Restrictions", 13): host and
//! device code find each other by that number. Its name in a GPU's object code also counts the ordinary
//! lambdas of the function that have the same parameter types ([lambda] in the Itanium C++ ABI), and the
//! registration code takes that name from one target, so the device passes have to agree about it too.

use std::rc::Rc;
use std::sync::Arc;

use crate::source::{Span, Symbol};
use crate::variance::CLOSURE_TRAITS;

use super::identity::Identity;
use super::layout;
use super::types::{Env, Instance, TemplateArgument, Ty, Value, alike};
use super::view::{LookupResult, View};
use crate::facts::lower::ast::*;
use crate::facts::lower::closure::call_operator;
use crate::facts::lower::nodes::CALL_OPERATOR;

impl View<'_> {
    /// The closure type of a lambda-expression.
    pub(in crate::facts) fn closure_type(&self, closure: &Arc<Closure>, env: &Env) -> Ty {
        let key = (Arc::as_ptr(closure) as usize, env.identity(), Identity::new());
        let owner = (closure.clone(), env.clone());
        self.cached(&self.caches.closures, key, &owner, env.alike(), || {
            let (class, trace) = self.traced(|| self.closure_class(closure, env));
            let alike = class.alike.and(trace.alike).and(alike(&class.arguments));
            Ty::Class(Rc::new(Instance { alike, ..class }))
        })
    }

    /// The closure type, as it is in the passes in which the declaration around it is what it is in this one.
    fn closure_class(&self, closure: &Arc<Closure>, env: &Env) -> Instance {
        let top = self.unit.holding(closure.at).unwrap_or(usize::MAX);
        self.share_with(self.alike(top));
        let mut bindings = Vec::new();
        let mut members = Vec::new();
        let mut declared = Vec::new();
        for (name, kind, ty) in self.captured(closure, env) {
            let member = Symbol::intern(&format!("[{name}]"));
            let ty = match kind {
                CaptureKind::Copy => ty,
                CaptureKind::Reference => Ty::LvalueReference(Rc::new(ty)),
            };
            // An init-capture declares a variable, whose scope is the body ([expr.prim.lambda.capture]/6).
            if closure.captures.iter().any(|one| one.name == name && one.initializer.is_some()) {
                declared.push((name, ty.clone()));
            }
            bindings.push((captured_type_name(member), TemplateArgument::Type(ty)));
            members.push(Arc::new(member_decl(closure, member)));
        }
        let mut arguments = env.bound_arguments();
        match &closure.operator {
            Some(operator) => {
                members.push(operator.clone());
                arguments.extend(self.block_scope_arguments(closure.at, env));
            }
            None => members.push(Arc::new(operator_decl(closure))),
        }
        let class = Class {
            is_union: false,
            is_final: false,
            arguments: None,
            bases: Vec::new(),
            alignas: Vec::new(),
            members: Some(members),
            names: MemberNames::default(),
            packed: false,
            closure: Some(closure.clone()),
        };
        let decl = Decl {
            name: Symbol::intern("{lambda}"),
            qualifier: None,
            at: closure.at,
            templates: Vec::new(),
            specifiers: Specifiers::default(),
            kind: DeclBody::Class(class),
        };
        let scope = match env.class() {
            Some(class) => class.name.clone(),
            None => self.unit.namespace(env.scope).to_string(),
        };
        let around = [scope, closure.function.clone()].into_iter().filter(|part| !part.is_empty());
        let around = around.collect::<Vec<_>>().join("::");
        let name = match closure.extended {
            Some(number) => format!("{around}::{{lambda #{number}}}"),
            None => format!("{around}::{{lambda at byte {}}}", closure.at.start),
        };
        let weight = arguments.iter().fold(1, |sum, one| sum + one.weight());
        let env = env.with_bindings(bindings).with_parameters(declared);
        Instance {
            number: self.caches.identities.named(&name, &arguments),
            name,
            arguments,
            decl: Some(Arc::new(decl)),
            alike: self.alike(top).and(env.alike()),
            env,
            top,
            weight,
            alternatives: Vec::new(),
            texts: Default::default(),
            portability: Default::default(),
        }
    }

    /// The types and values of the aliases and constants that the enclosing blocks declare before a lambda-expression.
    /// Macros that dispatch on a type at run time repeat one lambda-expression in blocks that only these tell apart.
    /// Those that follow may themselves depend on the closure type.
    fn block_scope_arguments(&self, closure: Span, env: &Env) -> Vec<TemplateArgument> {
        let is_before =
            |(decl, _): &&(Arc<Decl>, Env)| decl.at.file != closure.file || decl.at.start <= closure.start;
        let meant = |(decl, at): &(Arc<Decl>, Env)| match &decl.kind {
            DeclBody::Alias(_) if decl.templates.is_empty() => {
                Some(TemplateArgument::Type(self.named_type(&Path::plain(decl.name), at)))
            }
            DeclBody::Variable(_) if decl.specifiers.is_constexpr => {
                Some(TemplateArgument::Value(self.name_value(&Path::plain(decl.name), at)))
            }
            _ => None,
        };
        env.declared_in_blocks().iter().filter(is_before).filter_map(meant).collect()
    }

    /// The value of a type trait of a closure type that host and device disagree about: for the host a
    /// `__host__ __device__` lambda with captures is a wrapper with special member functions of its own (CUDA
    /// C++ Programming Guide, "Extended Lambda Restrictions", 18; measured on 13.0).
    pub(in crate::facts) fn closure_trait(&self, path: &Path, env: &Env) -> Option<Value> {
        let segment = match path.segments.as_slice() {
            [.., named, value] if value.name.as_str() == "value" => named,
            [.., named] => named,
            [] => return None,
        };
        let name = segment.name.as_str();
        if !CLOSURE_TRAITS.contains(&name.strip_suffix("_v").unwrap_or(name)) {
            return None;
        }
        let arguments = self.template_arguments(segment.arguments.as_ref()?, env);
        let [TemplateArgument::Type(ty)] = arguments.as_slice() else { return None };
        let class = layout::class_in(ty)?;
        let DeclBody::Class(definition) = &class.decl.as_ref()?.kind else { return None };
        let closure = definition.closure.as_ref()?;
        let captured = |member: &&Arc<Decl>| matches!(member.kind, DeclBody::Variable(_));
        let members: Vec<&Arc<Decl>> = definition.members.iter().flatten().filter(captured).collect();
        let scalar = |member: &&Arc<Decl>| match &member.kind {
            DeclBody::Variable(variable) => {
                matches!(
                    self.ty(&variable.ty, &class.env).without_cvref(),
                    Ty::Builtin(_) | Ty::Pointer(_) | Ty::Enum(_)
                )
            }
            _ => false,
        };
        (closure.host_device && !members.is_empty() && members.iter().all(scalar))
            .then(|| Value::bool(!self.is_host()))
    }

    /// The captured entities in order ([expr.prim.lambda.capture]): the explicit captures, and with a
    /// capture-default the local variables that the body names.
    pub(in crate::facts) fn captured(&self, closure: &Closure, env: &Env) -> Vec<(Symbol, CaptureKind, Ty)> {
        let unknown = |name: Symbol| Ty::opaque(&format!("type of {name}"));
        let mut captured: Vec<(Symbol, CaptureKind, Ty)> = Vec::new();
        for capture in &closure.captures {
            let ty = match &capture.initializer {
                Some(value) => self.type_of(value, env).map(|ty| ty.without_cvref().decayed()),
                None => self.type_of(&Expr::Name(Path::plain(capture.name)), env).map(|ty| object(&ty)),
            };
            captured.push((capture.name, capture.kind, ty.unwrap_or_else(|| unknown(capture.name))));
        }
        for name in &closure.capture_candidates {
            let named = captured.iter().any(|(known, ..)| known == name);
            if let Some(kind) = closure.capture_default
                && !named
                && self.is_local_variable(*name, env)
            {
                let ty = self.type_of(&Expr::Name(Path::plain(*name)), env).map(|ty| object(&ty));
                captured.push((*name, kind, ty.unwrap_or_else(|| unknown(*name))));
            }
        }
        captured
    }

    /// Whether a name denotes a local entity that a capture-default captures. nvcc captures constants too
    /// (measured on 13.0), where [basic.def.odr] would let the body read their values.
    fn is_local_variable(&self, name: Symbol, env: &Env) -> bool {
        match self.lookup_unqualified(name, env) {
            LookupResult::Parameter(_) => true,
            LookupResult::Entities(entities) => entities.iter().any(|entity| match &entity.decl.kind {
                DeclBody::Variable(_) => entity.top == usize::MAX && !entity.decl.specifiers.is_static,
                _ => false,
            }),
            _ => false,
        }
    }
}

/// The type of the object that a variable of this type is or refers to.
fn object(ty: &Ty) -> Ty {
    match ty {
        Ty::LvalueReference(inner) | Ty::RvalueReference(inner) => inner.as_ref().clone(),
        other => other.clone(),
    }
}

/// The invented name that the type of a captured entity is bound to.
fn captured_type_name(member: Symbol) -> Symbol {
    Symbol::intern(&format!("type of {member}"))
}

/// The call operator of a lambda-expression that is not generic. Its body is instantiated with the expression and not by
/// calls, so it is left out here.
fn operator_decl(closure: &Closure) -> Decl {
    let Closure { parameters, result, returns, .. } = closure;
    let function = call_operator(parameters.clone(), result.clone(), returns.clone(), Vec::new());
    Decl {
        name: Symbol::intern(CALL_OPERATOR),
        qualifier: None,
        at: closure.at,
        templates: Vec::new(),
        specifiers: Specifiers::default(),
        kind: DeclBody::Function(function),
    }
}

/// The data member for a captured entity.
fn member_decl(closure: &Closure, name: Symbol) -> Decl {
    let variable = Variable {
        ty: Type::Named(Path::plain(captured_type_name(name))),
        initializer: None,
        initialization: Initialization::Unknown,
        bits: None,
        alignas: Vec::new(),
        arguments: None,
        items: Vec::new(),
    };
    Decl {
        name,
        qualifier: None,
        at: closure.at,
        templates: Vec::new(),
        specifiers: Specifiers { non_public: true, ..Specifiers::default() },
        kind: DeclBody::Variable(variable),
    }
}
