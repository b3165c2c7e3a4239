//! Answers of other units, and those of this one that they take over ([`answers`](super::answers)).

use std::rc::Rc;
use std::sync::Arc;

use super::answers::{
    Dependency, Found, Item, KeptResult, LookupFrom, Meant, Nominated, ResultKey, Search, Tables, TopPlace,
};
use super::candidates::told_by_identity;
use super::dependencies::OwnResult;
use super::portable::{
    ByAddress, ClassId, Declared, Portability, PortableArgument, PortableClass, PortableType,
};
use super::trace::Trace;
use super::types::{Env, FrameKind, Instance, TemplateArgument, Ty, Value};
use super::typing::is_namespace_function;
use super::view::{Entity, LookupResult, View};
use crate::facts::lower::ast::*;
use crate::source::{Symbol, sym};
use crate::variance::ScopeId;

/// The return type of a function, if it is known, and whether substitution into it failed.
type FunctionResult = (Option<Ty>, bool);

/// The most template arguments in a list, or in a pack, of a function whose return type other units take over.
const MOST_ARGUMENTS: usize = 64;

impl View<'_> {
    /// The return type of a function with template arguments as another unit has found it, or `answer`, which other units may
    /// take over.
    pub(super) fn shared_result(
        &self,
        entity: &Entity,
        arguments: &[TemplateArgument],
        answer: impl FnOnce() -> FunctionResult,
    ) -> FunctionResult {
        let dependencies = &self.caches.dependencies;
        let Some(tables) = &dependencies.tables else { return answer() };
        // While a using-declaration or using-directive is being resolved, a name may find fewer declarations.
        let is_restricted =
            !self.in_progress.using.borrow().is_empty() || self.in_progress.nominating.get() != 0;
        let Some(key) = self.result_key(entity, arguments).filter(|_| !is_restricted) else {
            return answer();
        };
        if !self.is_limited()
            && let Some(known) = self.kept_result(tables, &key)
        {
            tables.count(true);
            return known;
        }
        tables.count(false);
        let ((ty, failed), trace, reached, led_back) = self.observed(answer);
        if !reached && !led_back && !trace.is_unsettled() {
            let portable = match &ty {
                Some(ty) => self.portable_type(ty).map(Some),
                None => Some(None),
            };
            if let Some(portable) = portable {
                dependencies.offer(OwnResult { key, ty: portable, failed, on: trace.on });
            }
        }
        (ty, failed)
    }

    /// What tells the return type of a function from others in all units.
    fn result_key(&self, entity: &Entity, arguments: &[TemplateArgument]) -> Option<ResultKey> {
        let class = match entity.env.frame.as_ref().map(|frame| &frame.kind) {
            None => None,
            Some(FrameKind::Class(class)) => Some(self.class_id(class)?),
            Some(_) => return None,
        };
        let arguments = self.portable_arguments(arguments)?;
        Some(ResultKey {
            function: ByAddress(Arc::clone(&entity.decl)),
            class,
            arguments: arguments.into_boxed_slice(),
        })
    }

    fn kept_result(&self, tables: &Tables, key: &ResultKey) -> Option<FunctionResult> {
        tables.results(key).into_iter().find_map(|KeptResult { ty, failed, on }| {
            let trace = self.trace_if_held(tables, on)?;
            let ty = match &ty {
                Some(ty) => Some(self.own_type(tables, ty)?),
                None => None,
            };
            self.depend_as(trace.on(on));
            Some((ty, failed))
        })
    }

    /// What something that an answer of another unit depends on depends on here; `None` if it is something else here.
    fn trace_if_held(&self, tables: &Tables, on: Item) -> Option<Trace> {
        if let Some(known) = self.held.dependencies.borrow().get(&on) {
            return *known;
        }
        let trace = match on.meant() {
            Meant::Nothing => Some(Trace::NOTHING),
            Meant::SharedLeaf(number) => self.seen_again(tables.leaves.get(number)),
            Meant::SharedNode(number) => {
                let mut all = tables.nodes.get(number).iter();
                all.try_fold(Trace::NOTHING, |trace, one| {
                    Some(self.joined(trace, self.trace_if_held(tables, *one)?))
                })
            }
            Meant::Own | Meant::Node(_) | Meant::Leaf(_) => None,
        };
        self.held.dependencies.borrow_mut().insert(on, trace);
        trace
    }

    /// Looks again at what another unit saw; `None` if it is something else here.
    fn seen_again(&self, seen: &Dependency) -> Option<Trace> {
        let dependencies = &self.caches.dependencies;
        let (mark, before) = (dependencies.mark(), self.trace());
        let (same, trace) =
            self.outside_immediate_context(|| self.traced_within_limits(|| self.is_seen(seen)));
        self.set_trace(before);
        dependencies.forget(mark);
        trace.filter(|trace| same && !trace.is_unsettled())
    }

    fn is_seen(&self, seen: &Dependency) -> bool {
        match seen {
            Dependency::Lookup { from, name, for_directive, found } => {
                let nominating = u32::from(*for_directive);
                self.in_progress.nominating.set(nominating);
                self.in_progress.nominating_in_block.set(*for_directive);
                let again = self.look_up_again(*from, *name);
                self.in_progress.nominating.set(0);
                self.in_progress.nominating_in_block.set(false);
                let Some(again) = again else { return false };
                let same = self.found(&again).as_ref() == Some(found);
                if let LookupResult::Entities(entities) = &again {
                    self.share_with(self.all_alike(entities));
                }
                same
            }
            Dependency::Having { scope, name, namespaces } => {
                let scope = self.caches.dependencies.scope_told_by(self.unit, *scope);
                scope.is_some_and(|scope| *self.having(scope, *name) == **namespaces)
            }
            Dependency::Behind { at, functions, is_behind } => {
                let Some(at) = self.top_at(*at) else { return false };
                let tops: Option<Vec<usize>> = functions.iter().map(|place| self.top_at(*place)).collect();
                tops.is_some_and(|tops| tops.iter().any(|top| *top > at) == *is_behind)
            }
            Dependency::Whole { top, outline, whole } => {
                let Some(top) = self.top_at(*top).filter(|top| self.has(*top)) else { return false };
                Arc::ptr_eq(&self.whole(top, &outline.0), &whole.0)
            }
            Dependency::Lowered { top, declarations } => {
                let Some(top) = self.top_at(*top).filter(|top| self.has(*top)) else { return false };
                let lowered = self.lowered(top);
                lowered.iter().map(Arc::as_ptr).eq(declarations.iter().map(|one| Arc::as_ptr(&one.0)))
            }
            Dependency::Traced { top, varying } => {
                let Some(top) = self.top_at(*top).filter(|top| self.has(*top)) else { return false };
                self.share_with(self.alike(top));
                self.depend_on(top);
                self.unit.varying_names(top) == *varying
            }
            Dependency::Candidates { of, name, tops } => {
                let again = match of {
                    Search::Outside(class) => self.qualified_by(*class, *name),
                    Search::Around(scope) => {
                        let Some(scope) = self.caches.dependencies.scope_told_by(self.unit, *scope) else {
                            return false;
                        };
                        self.qualified_around(scope, *name)
                    }
                    Search::Named => self.present(*name),
                };
                self.places_of(again.into_iter()).is_some_and(|again| *again == **tops)
            }
            Dependency::HasFunction { name, has } => self.is_function_elsewhere(*name) == *has,
            Dependency::HasName { name, has } => self.unit.declaring(*name).is_empty() != *has,
            Dependency::Missing { name, text, may_specialize } => {
                self.share_with(self.missing_alike());
                self.missing_specialize(name, text) == *may_specialize
            }
            Dependency::Host(is_host) => self.is_host() == *is_host,
        }
    }

    fn look_up_again(&self, from: LookupFrom, name: Symbol) -> Option<LookupResult> {
        Some(match from {
            LookupFrom::Namespace(namespace) => self.lookup_in_namespace(namespace, name),
            LookupFrom::Members(namespace) => self.own_members(namespace, name),
            LookupFrom::Outward { scope, end, nominated } => {
                let scope = self.caches.dependencies.scope_told_by(self.unit, scope)?;
                let end = match end {
                    Some(end) => self.top_at(end)?,
                    None => usize::MAX,
                };
                self.lookup_outward(((scope, end, nominated), name))
            }
        })
    }

    fn top_at(&self, place: TopPlace) -> Option<usize> {
        self.caches.dependencies.top(self.unit, place)
    }

    fn place_of(&self, top: usize) -> Option<TopPlace> {
        self.caches.dependencies.place(self.unit, top)
    }

    fn places_of(&self, tops: impl Iterator<Item = usize>) -> Option<Box<[TopPlace]>> {
        tops.map(|top| self.place_of(top)).collect()
    }

    /// Where an unqualified name is looked up from.
    pub(super) fn outward_from(
        &self,
        (scope, end, nominated): (ScopeId, usize, Nominated),
    ) -> Option<LookupFrom> {
        let end = match end {
            usize::MAX => None,
            end => Some(self.place_of(end)?),
        };
        let scope = self.caches.dependencies.scope(self.unit, scope);
        Some(LookupFrom::Outward { scope, end, nominated })
    }

    /// A lookup as something that was looked at.
    pub(super) fn seen_lookup(
        &self,
        from: LookupFrom,
        name: Symbol,
        found: &LookupResult,
    ) -> Option<Dependency> {
        let for_directive = self.in_progress.nominating_in_block.get();
        Some(Dependency::Lookup { from, name, for_directive, found: self.found(found)? })
    }

    /// What a lookup in namespaces found; `None` if other units can't tell.
    fn found(&self, found: &LookupResult) -> Option<Found> {
        match found {
            LookupResult::Nothing => Some(Found::Nothing),
            LookupResult::Namespace(namespaces) => Some(Found::Namespaces(namespaces.as_slice().into())),
            LookupResult::Entities(entities) => {
                let one = |entity: &Entity| {
                    let is_of_namespace = entity.owner.is_none() && entity.env.frame.is_none();
                    let place = self.place_of(entity.top).filter(|_| is_of_namespace)?;
                    Some((ByAddress(Arc::clone(&entity.decl)), place))
                };
                Some(Found::Entities(entities.iter().map(one).collect::<Option<_>>()?))
            }
            LookupResult::TemplateArgument(_) | LookupResult::Parameter(_) | LookupResult::Class(_) => None,
        }
    }

    /// Whether functions are declared behind a declaration.
    pub(super) fn seen_order(&self, found: &[Entity], at: usize) -> Option<Dependency> {
        let functions = found.iter().filter(|one| is_namespace_function(one)).map(|one| one.top);
        let is_behind = functions.clone().any(|top| top > at);
        let functions = self.places_of(functions)?;
        Some(Dependency::Behind { at: self.place_of(at)?, functions, is_behind })
    }

    pub(super) fn seen_having(&self, scope: ScopeId, name: Symbol) -> Option<Dependency> {
        let namespaces = self.having(scope, name);
        let scope = self.caches.dependencies.scope(self.unit, scope);
        Some(Dependency::Having { scope, name, namespaces })
    }

    /// The namespaces around a scope that may have members of a name, in the order of lookup.
    fn having(&self, scope: ScopeId, name: Symbol) -> Box<[Symbol]> {
        let (having, outward) = (self.unit.may_have(name), self.unit.outward(scope));
        outward.places_of(&having).into_iter().map(|place| outward.namespace(place)).collect()
    }

    /// Records which top-level declarations a search by name comes to.
    pub(super) fn see_candidates(&self, of: impl FnOnce() -> Search, name: Symbol, tops: &[usize]) {
        self.caches.dependencies.see(|| {
            Some(Dependency::Candidates { of: of(), name, tops: self.places_of(tops.iter().copied())? })
        });
    }

    /// Functions of a namespace, from outside it.
    pub(super) fn search_around(&self, scope: ScopeId) -> Search {
        Search::Around(self.caches.dependencies.scope(self.unit, scope))
    }

    /// The number of a class among those of all units; `None` for a local class, a closure type, and what is not known.
    fn class_id(&self, class: &Rc<Instance>) -> Option<ClassId> {
        match class.portability.get() {
            Portability::Unasked => {}
            Portability::None => return None,
            Portability::Class(id) => return Some(id),
        }
        class.portability.set(Portability::None);
        let id = self.new_class_id(class)?;
        class.portability.set(Portability::Class(id));
        self.held.classes.borrow_mut().entry(id).or_insert_with(|| Some(Rc::clone(class)));
        Some(id)
    }

    fn new_class_id(&self, class: &Rc<Instance>) -> Option<ClassId> {
        let decl = class.decl.as_ref().filter(|decl| decl.name != sym::EMPTY)?;
        if class.top == usize::MAX || class.is_closure() || !class.alternatives.is_empty() {
            return None;
        }
        if !class.arguments.iter().all(told_by_identity) {
            return None;
        }
        let declared = self.declared_in(decl, &class.env)?;
        let arguments = self.portable_arguments(&class.arguments)?;
        let tables = self.caches.dependencies.tables.as_ref()?;
        let number = tables.classes.number(PortableClass { declared, arguments });
        Some(ClassId(u32::try_from(number).ok()?))
    }

    /// Where a class or an enumeration is declared, by the environment of its members; `None` if it is local.
    fn declared_in(&self, decl: &Arc<Decl>, env: &Env) -> Option<Declared> {
        let mut frame = env.frame.as_ref();
        let owner = loop {
            match frame.map(|frame| &frame.kind) {
                None => break None,
                Some(FrameKind::Bindings(_)) => frame = frame.and_then(|frame| frame.parent.as_ref()),
                Some(FrameKind::Class(owner)) => break Some(self.class_id(owner)?),
                Some(FrameKind::Block(_) | FrameKind::Parameters(_)) => return None,
            }
        };
        let namespace = self.unit.namespace(env.scope);
        Some(Declared { decl: ByAddress(Arc::clone(decl)), owner, namespace })
    }

    fn portable_arguments(&self, arguments: &[TemplateArgument]) -> Option<Vec<PortableArgument>> {
        if arguments.len() > MOST_ARGUMENTS {
            return None;
        }
        arguments.iter().map(|one| self.portable_argument(one)).collect()
    }

    fn portable_argument(&self, argument: &TemplateArgument) -> Option<PortableArgument> {
        Some(match argument {
            TemplateArgument::Type(ty) => PortableArgument::Type(self.portable_type(ty)?),
            TemplateArgument::Value(Value::Int(value, ty)) => PortableArgument::Value(*value, *ty),
            TemplateArgument::Value(_) => return None,
            TemplateArgument::Integer(value, ty) => PortableArgument::Integer(*value, *ty),
            TemplateArgument::Pack(members) => PortableArgument::Pack(self.portable_arguments(members)?),
            TemplateArgument::Template(name) => {
                let is_member = name.contains('<') || self.caches.member_templates.has(name, self.pass);
                return (!is_member).then(|| PortableArgument::Template((**name).into()));
            }
        })
    }

    fn portable_type(&self, ty: &Ty) -> Option<PortableType> {
        let inner = |inner: &Ty| self.portable_type(inner).map(Box::new);
        Some(match ty {
            Ty::Builtin(name) => PortableType::Builtin(*name),
            Ty::Class(class) => PortableType::Class(self.class_id(class)?),
            Ty::Enum(one) => {
                let is_named = one.decl.name != sym::EMPTY;
                PortableType::Enum(Box::new(self.declared_in(&one.decl, &one.env).filter(|_| is_named)?))
            }
            Ty::Pointer(to) => PortableType::Pointer(inner(to)?),
            Ty::LvalueReference(to) => PortableType::LvalueReference(inner(to)?),
            Ty::RvalueReference(to) => PortableType::RvalueReference(inner(to)?),
            Ty::Array(of, None) => PortableType::Array(inner(of)?, None),
            Ty::Array(of, Some(Value::Int(size, ty))) => PortableType::Array(inner(of)?, Some((*size, *ty))),
            Ty::Array(_, Some(_)) | Ty::Parameter(..) | Ty::Opaque { .. } => return None,
            Ty::Function(result, parameters, non_throwing) => {
                let parameters = parameters.iter().map(|one| self.portable_type(one));
                PortableType::Function(inner(result)?, parameters.collect::<Option<_>>()?, *non_throwing)
            }
            Ty::Qualified(of, is_const, is_volatile) => {
                PortableType::Qualified(inner(of)?, *is_const, *is_volatile)
            }
        })
    }

    /// A type of another unit as one of this unit; `None` if the declarations here select something else.
    fn own_type(&self, tables: &Tables, ty: &PortableType) -> Option<Ty> {
        let inner = |inner: &PortableType| self.own_type(tables, inner).map(Rc::new);
        Some(match ty {
            PortableType::Builtin(name) => Ty::Builtin(*name),
            PortableType::Class(id) => Ty::Class(self.class_of(tables, *id)?),
            PortableType::Enum(declared) => self.enumeration_of(tables, declared)?,
            PortableType::Pointer(to) => Ty::Pointer(inner(to)?),
            PortableType::LvalueReference(to) => Ty::LvalueReference(inner(to)?),
            PortableType::RvalueReference(to) => Ty::RvalueReference(inner(to)?),
            PortableType::Array(of, size) => {
                Ty::Array(inner(of)?, size.map(|(size, ty)| Value::Int(size, ty)))
            }
            PortableType::Function(result, parameters, non_throwing) => {
                let parameters = parameters.iter().map(|one| self.own_type(tables, one));
                Ty::Function(inner(result)?, parameters.collect::<Option<_>>()?, *non_throwing)
            }
            PortableType::Qualified(of, is_const, is_volatile) => {
                Ty::Qualified(inner(of)?, *is_const, *is_volatile)
            }
        })
    }

    fn own_argument(&self, tables: &Tables, argument: &PortableArgument) -> Option<TemplateArgument> {
        Some(match argument {
            PortableArgument::Type(ty) => TemplateArgument::Type(self.own_type(tables, ty)?),
            PortableArgument::Value(value, ty) => TemplateArgument::Value(Value::Int(*value, *ty)),
            PortableArgument::Integer(value, ty) => TemplateArgument::Integer(*value, *ty),
            PortableArgument::Pack(members) => {
                let members = members.iter().map(|one| self.own_argument(tables, one));
                TemplateArgument::Pack(members.collect::<Option<_>>()?)
            }
            PortableArgument::Template(name) => TemplateArgument::Template((**name).into()),
        })
    }

    /// A class of another unit as one of this unit.
    fn class_of(&self, tables: &Tables, id: ClassId) -> Option<Rc<Instance>> {
        if let Some(known) = self.held.classes.borrow().get(&id) {
            return known.clone();
        }
        let class = self.unrecorded(|| self.new_class_of(tables, id));
        self.held.classes.borrow_mut().insert(id, class.clone());
        class
    }

    fn new_class_of(&self, tables: &Tables, id: ClassId) -> Option<Rc<Instance>> {
        let PortableClass { declared, arguments } = tables.classes.get(id.0 as usize);
        let arguments = arguments.iter().map(|one| self.own_argument(tables, one));
        let arguments = arguments.collect::<Option<Vec<TemplateArgument>>>()?;
        let entities = self.entities_of(tables, declared)?;
        let is_class = |entity: &&Entity| matches!(entity.decl.kind, DeclBody::Class(_));
        let classes: Vec<&Entity> = entities.iter().filter(is_class).collect();
        if classes.is_empty() {
            return None;
        }
        let class = self.instance(&classes, arguments);
        (self.class_id(&class) == Some(id)).then_some(class)
    }

    fn enumeration_of(&self, tables: &Tables, declared: &Declared) -> Option<Ty> {
        self.unrecorded(|| {
            let entities = self.entities_of(tables, declared)?;
            let is_it = |entity: &&Entity| Arc::ptr_eq(&entity.decl, &declared.decl.0);
            let entity = entities.iter().find(is_it)?;
            let path = Path::plain(entity.decl.name);
            let ty = self.entity_ty(std::slice::from_ref(entity), None, &entity.env, path.whole());
            let Ty::Enum(one) = &ty else { return None };
            (self.declared_in(&one.decl, &one.env).as_ref() == Some(declared)).then_some(ty)
        })
    }

    /// What the name of a class or an enumeration denotes where it is declared.
    fn entities_of(&self, tables: &Tables, declared: &Declared) -> Option<Rc<Vec<Entity>>> {
        let name = declared.decl.0.name;
        let found = match declared.owner {
            None => self.lookup_in_namespace(declared.namespace, name),
            Some(owner) => self.lookup_member(&self.class_of(tables, owner)?, name),
        };
        match found {
            LookupResult::Entities(entities) => Some(entities),
            _ => None,
        }
    }

    /// Runs a query whose answer another one vouches for: of what it looks at, only the passes are recorded that share it.
    fn unrecorded<T>(&self, answer: impl FnOnce() -> T) -> T {
        let dependencies = &self.caches.dependencies;
        let (mark, before) = (dependencies.mark(), self.trace());
        let answer = self.outside_immediate_context(answer);
        let alike = self.trace().alike;
        self.set_trace(before);
        self.share_with(alike);
        dependencies.forget(mark);
        answer
    }
}
