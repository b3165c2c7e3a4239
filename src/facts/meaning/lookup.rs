//! Name lookup in one pass ([basic.lookup]): unqualified, in namespaces through using-directives, and in
//! classes.

use super::answers::Dependency;
use super::block::Block;
use super::deduce::Call;
use super::identity::Identity;
use super::libraries;
use super::namespaces::merged;
use super::types::{ClassNumber, Env, FrameKind, Instance, Spelling, TemplateArgument, Ty};
use super::typing::is_namespace_function;
use super::viability::Viability;
use super::view::{Entity, LookupResult, UnderWay, View};
use crate::facts::index::tokens::join;
use crate::facts::lower::ast::*;
use crate::source::{Symbol, sym};
use crate::target::PassSet;
use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::Arc;

/// Whether unqualified lookup searches the base classes that depend on a template parameter.
#[derive(Clone, Copy, PartialEq, Eq)]
enum DependentBases {
    Skipped,
    Searched,
}

impl View<'_> {
    /// The entities that a top-level declaration declares in this pass.
    pub(in crate::facts) fn declared(&self, top: usize) -> Vec<Entity> {
        if !self.has(top) {
            return Vec::new();
        }
        let env = Env::of_top(self.unit, top);
        let lowered = self.lowered(top);
        let entity = |decl: &Arc<Decl>| Entity { decl: decl.clone(), env: env.clone(), owner: None, top };
        lowered.iter().map(entity).collect()
    }

    /// Unqualified lookup ([basic.lookup.unqual]).
    pub(in crate::facts) fn lookup_unqualified(&self, name: Symbol, env: &Env) -> LookupResult {
        self.lookup_before(name, env, usize::MAX)
    }

    /// Unqualified lookup that finds functions of namespaces up to a top-level declaration, by its index, and those that
    /// may redeclare one of them.
    fn lookup_before(&self, name: Symbol, env: &Env, end: usize) -> LookupResult {
        if let Some(found) = self.lookup_in_scopes(name, env, DependentBases::Skipped, end) {
            return found;
        }
        // The program is valid, so the base is one of the current instantiation.
        let found = self.lookup_in_scopes(name, env, DependentBases::Searched, end);
        found.unwrap_or(LookupResult::Nothing)
    }

    /// The functions that the unqualified name of a call denotes ([basic.lookup.unqual], [basic.lookup.argdep]), of which
    /// `found` are those that unqualified lookup finds wherever they are declared.
    pub(in crate::facts) fn called(
        &self,
        name: Symbol,
        found: Rc<Vec<Entity>>,
        call: &Call<'_>,
    ) -> Rc<Vec<Entity>> {
        let mut functions = self.declared_before_call(name, found, call);
        self.add_associated(name, call, &mut functions);
        functions
    }

    /// Of what unqualified lookup finds by the name of a call, what is no function of a namespace, and the functions that
    /// are declared before the call, in a template before its definition ([basic.lookup.unqual]/2, [temp.dep.candidate]).
    /// All of them while the type of an argument is not known: argument-dependent lookup may find them.
    pub(in crate::facts) fn declared_before_call(
        &self,
        name: Symbol,
        found: Rc<Vec<Entity>>,
        call: &Call<'_>,
    ) -> Rc<Vec<Entity>> {
        let is_later = |one: &Entity| one.top > call.env.top && is_namespace_function(one);
        self.caches.dependencies.order(&found, call.env.top, || self.seen_order(&found, call.env.top));
        if !found.iter().any(is_later) || !call.is_settled(self) {
            return found;
        }
        match self.lookup_before(name, call.env, call.env.top) {
            LookupResult::Entities(before) => before,
            _ => Rc::default(),
        }
    }

    /// Unqualified lookup in the scopes around, the base classes that depend on a template parameter searched or not
    /// ([temp.dep]/4), of functions of namespaces as [`Self::lookup_before`]; `None` if nothing was found and some base
    /// classes were skipped.
    fn lookup_in_scopes(
        &self,
        name: Symbol,
        env: &Env,
        bases: DependentBases,
        end: usize,
    ) -> Option<LookupResult> {
        let mut skipped = false;
        let mut nominated = Vec::new();
        let mut frame = env.frame.as_ref();
        while let Some(one) = frame {
            match &one.kind {
                FrameKind::Bindings(bindings) => {
                    if let Some((_, bound)) = bindings.iter().rev().find(|(bound, _)| *bound == name) {
                        return Some(LookupResult::TemplateArgument(bound.named()));
                    }
                }
                FrameKind::Parameters(parameters) => {
                    if let Some((_, ty)) = parameters.iter().rev().find(|(parameter, _)| *parameter == name) {
                        return Some(LookupResult::Parameter(ty.clone()));
                    }
                }
                FrameKind::Class(class) => match self.lookup_member(class, name) {
                    LookupResult::Nothing => {}
                    found if bases == DependentBases::Skipped && self.is_of_dependent_base(class, &found) => {
                        skipped = true;
                    }
                    found => return Some(found),
                },
                FrameKind::Block(block) => {
                    let around = Env { frame: one.parent.clone(), ..*env };
                    let here = Env { frame: Some(one.clone()), ..*env };
                    nominated.extend(self.nominated_in_block(&block.borrow(), name, &here));
                    let found = self.lookup_in_block(&block.borrow(), name, here, around);
                    if found.is_some() {
                        return found;
                    }
                }
            }
            frame = one.parent.as_ref();
        }
        let nominated = match nominated.is_empty() {
            true => sym::EMPTY,
            false => {
                let names = nominated.iter().flat_map(|one: &Symbol| [one.as_str(), ";"]);
                Symbol::intern(&names.collect::<String>())
            }
        };
        let found = self.lookup_outward(((env.scope, end, nominated), name));
        (!skipped || !matches!(found, LookupResult::Nothing)).then_some(found)
    }

    /// What a block declares by a name, in whose environment `here` it is looked up, if anything.
    fn lookup_in_block(&self, block: &Block, name: Symbol, here: Env, around: Env) -> Option<LookupResult> {
        let Some(decl) = block.last_of(name) else {
            return self.enumerator_used_in_block(block, name, &here);
        };
        if let DeclBody::Using(path) | DeclBody::NamespaceAlias(path) = &decl.kind {
            let again = !path.global && path.segments[0].name == name;
            let env = if again { around } else { here };
            let found = self.within_limits(|| self.lookup(path, &env));
            return Some(found.unwrap_or(LookupResult::Nothing));
        }
        Some(LookupResult::Entities(Rc::new(vec![Entity {
            decl: decl.clone(),
            env: here,
            owner: None,
            top: usize::MAX,
        }])))
    }

    /// Whether lookup in a class found members of a base class that is written with a template parameter, and of no other.
    fn is_of_dependent_base(&self, class: &Rc<Instance>, found: &LookupResult) -> bool {
        let Some(DeclBody::Class(definition)) = class.decl.as_ref().map(|decl| &decl.kind) else {
            return false;
        };
        if definition.bases.is_empty() {
            return false;
        }
        let owners: Vec<&Rc<Instance>> = match found {
            LookupResult::Entities(all) => match all.iter().map(|one| one.owner.as_ref()).collect() {
                Some(owners) => owners,
                None => return false,
            },
            LookupResult::Class(one) => vec![one],
            _ => return false,
        };
        if owners.iter().any(|owner| Rc::ptr_eq(owner, class)) {
            return false;
        }
        let is_dependent = |written: &Type| {
            let mut names = Vec::new();
            written.names(&mut names);
            names.iter().any(|name| {
                let bound = class.env.bound(*name);
                bound.is_some_and(|bound| !matches!(bound, TemplateArgument::Type(Ty::Parameter(..))))
            })
        };
        let dependent: Vec<bool> = definition.bases.iter().map(|(base, _)| is_dependent(base)).collect();
        let bases = self.base_specifiers(class);
        if !dependent.contains(&true) || bases.len() != dependent.len() {
            return false;
        }
        let holds = |base: &Ty, owner: &Rc<Instance>| {
            matches!(base, Ty::Class(base) if Rc::ptr_eq(base, owner)) || self.is_derived(base, owner)
        };
        let mut independent = bases.iter().zip(&dependent).filter(|(_, is_dependent)| !**is_dependent);
        !independent.any(|((base, _), _)| owners.iter().any(|owner| holds(base, owner)))
    }

    /// What a using-enum-declaration of a block gives for a name.
    fn enumerator_used_in_block(&self, block: &Block, name: Symbol, here: &Env) -> Option<LookupResult> {
        block.directives().rev().find_map(|decl| match &decl.kind {
            DeclBody::UsingEnum(path) if path.segments[0].name != name => {
                self.enumerator_of(path, name, here)
            }
            _ => None,
        })
    }

    /// The enumeration that a using-enum-declaration names, if it has an enumerator of that name ([enum.udecl]).
    fn enumerator_of(&self, path: &Path, name: Symbol, env: &Env) -> Option<LookupResult> {
        let Ty::Enum(one) = self.named_type(path, env) else { return None };
        let DeclBody::Enum(body) = &one.decl.kind else { return None };
        body.has(name).then(|| {
            let (decl, env) = (one.decl.clone(), one.env.clone());
            LookupResult::Entities(Rc::new(vec![Entity { decl, env, owner: None, top: usize::MAX }]))
        })
    }

    /// The namespaces that the using-directives of a block nominate, for the lookup of a name other than theirs.
    fn nominated_in_block(&self, block: &Block, name: Symbol, here: &Env) -> Vec<Symbol> {
        let mut namespaces = Vec::new();
        for decl in block.directives() {
            if let DeclBody::UsingNamespace(path) = &decl.kind
                && self.in_progress.nominating.get() == 0
                && path.segments[0].name != name
            {
                self.in_progress.nominating.set(1);
                self.in_progress.nominating_in_block.set(true);
                if let LookupResult::Namespace(targets) = self.lookup(path, here) {
                    namespaces.extend(targets);
                }
                self.in_progress.nominating.set(0);
                self.in_progress.nominating_in_block.set(false);
            }
        }
        namespaces
    }

    /// Class member lookup ([class.member.lookup]): in the class, then in its base classes.
    pub(in crate::facts) fn lookup_member(&self, class: &Rc<Instance>, name: Symbol) -> LookupResult {
        self.within_limits(|| self.lookup_member_unguarded(class, name)).unwrap_or(LookupResult::Nothing)
    }

    fn lookup_member_unguarded(&self, class: &Rc<Instance>, name: Symbol) -> LookupResult {
        if class.alternatives.is_empty() {
            return self.lookup_member_of_one(class, name);
        }
        // Its base classes are asked once for each of them, and theirs likewise.
        let key = (Rc::as_ptr(class) as usize, name.index(), Identity::new());
        self.cached(&self.caches.unsettled_members, key, class, class.alike, || {
            let query = UnderWay::Member(Rc::as_ptr(class) as usize, name);
            let found = self.unless_under_way(query, || {
                let mut found = self.lookup_member_of_one(class, name);
                for alternative in &class.alternatives {
                    if matches!(&found, LookupResult::Class(_)) {
                        break;
                    }
                    self.depend_on_unsettled();
                    found = either(found, self.lookup_member_of_one(alternative, name));
                }
                found
            });
            found.unwrap_or(LookupResult::Nothing)
        })
    }

    fn lookup_member_of_one(&self, class: &Rc<Instance>, name: Symbol) -> LookupResult {
        let Some(DeclBody::Class(definition)) = class.decl.as_ref().map(|decl| &decl.kind) else {
            return LookupResult::Nothing;
        };
        self.depend_on(class.top);
        let inside = OnceCell::new();
        let inside = || inside.get_or_init(|| class.env.inside(class.clone()));
        let own_name = class.decl.as_ref().is_some_and(|decl| decl.name == name);
        let (mut entities, mut used) = (Vec::new(), LookupResult::Nothing);
        for member in definition.members_named(name) {
            if let DeclBody::UsingEnum(path) = &member.kind {
                if path.segments[0].name != name
                    && let Some(found) = self.enumerator_of(path, name, inside())
                {
                    return found;
                }
                continue;
            }
            if member.specifiers.is_friend {
                continue;
            }
            // Constructors have no names: a class's own name is that of the class ([class.pre]/2).
            if own_name && matches!(member.kind, DeclBody::Function(_) | DeclBody::Using(_)) {
                continue;
            }
            if let DeclBody::Using(path) = &member.kind {
                // `using Base::Base` inherits constructors ([class.qual]/2) and introduces no member of that
                // name.
                if let [.., scope, last] = path.segments.as_slice()
                    && scope.name != last.name
                {
                    // `using Bases::run...;` names one member of each base class of a pack.
                    let envs = self.expansions(|names| names.push(path.segments[0].name), inside());
                    for env in envs.unwrap_or_else(|| vec![inside().clone()]) {
                        used = merged(used, self.lookup(path, &env));
                    }
                }
                continue;
            }
            let owner = Some(class.clone());
            let decl = self.own_member(class, member);
            entities.push(Entity { decl, env: inside().clone(), owner, top: class.top });
        }
        if entities.is_empty() && matches!(used, LookupResult::Nothing) {
            entities.extend(self.member_of_unnamed(class, name));
        }
        match used {
            LookupResult::Nothing => {}
            // A member hides what a using-declaration brings in with the same parameters ([namespace.udecl]/14).
            LookupResult::Entities(more) => {
                let own = entities.len();
                for one in Rc::unwrap_or_clone(more) {
                    if !entities[..own].iter().any(|own| self.hides(own, &one)) {
                        entities.push(one);
                    }
                }
            }
            other if entities.is_empty() => return other,
            _ => {}
        }
        if !entities.is_empty() {
            return LookupResult::Entities(Rc::new(entities));
        }
        if own_name {
            return LookupResult::Class(class.clone());
        }
        for (base, _) in self.base_specifiers(class).iter() {
            if let Ty::Class(base) = base
                && !recurs_without_end(class, base)
            {
                match self.lookup_member(base, name) {
                    LookupResult::Nothing => {}
                    found => return found,
                }
            }
        }
        LookupResult::Nothing
    }

    /// A member of an anonymous union or struct, which is found as a member of the class around it ([class.union.anon]).
    fn member_of_unnamed(&self, class: &Rc<Instance>, name: Symbol) -> Option<Entity> {
        fn find(members: &[Arc<Decl>], name: Symbol) -> Option<&Arc<Decl>> {
            members.iter().filter(|member| member.name == sym::EMPTY).find_map(|member| match &member.kind {
                DeclBody::Class(Class { members: Some(inner), .. }) => {
                    inner.iter().find(|one| one.name == name).or_else(|| find(inner, name))
                }
                _ => None,
            })
        }
        let DeclBody::Class(definition) = &class.decl.as_ref()?.kind else { return None };
        let decl = find(definition.members.as_deref()?, name)?.clone();
        let env = class.env.inside(class.clone());
        Some(Entity { decl, env, owner: Some(class.clone()), top: class.top })
    }

    /// The base classes of a class in order, packs expanded.
    pub(in crate::facts) fn bases(&self, class: &Rc<Instance>) -> Vec<Ty> {
        self.base_specifiers(class).iter().map(|(base, _)| base.clone()).collect()
    }

    /// The base classes of a class in order, packs expanded, and whether each is virtual.
    pub(in crate::facts) fn base_specifiers(&self, class: &Rc<Instance>) -> Rc<Vec<(Ty, bool)>> {
        let Some(DeclBody::Class(definition)) = class.decl.as_ref().map(|decl| &decl.kind) else {
            return Rc::default();
        };
        if definition.bases.is_empty() {
            return Rc::default();
        }
        let key = (Rc::as_ptr(class) as usize, 0, Identity::new());
        self.cached(&self.caches.bases, key, class, class.alike, || {
            Rc::new(self.written_bases(class, definition))
        })
    }

    fn written_bases(&self, class: &Rc<Instance>, definition: &Class) -> Vec<(Ty, bool)> {
        let mut bases = Vec::with_capacity(definition.bases.len());
        for (base, is_virtual) in &definition.bases {
            let envs = match base {
                Type::Pack(pattern) => self.expansions(|names| pattern.names(names), &class.env),
                _ => None,
            };
            match envs {
                Some(envs) => bases.extend(envs.iter().map(|env| (self.ty(base, env), *is_virtual))),
                None => bases.push((self.ty(base, &class.env), *is_virtual)),
            }
        }
        bases
    }

    /// Whether a member function has the parameters of one of a base class, and so hides it.
    fn hides(&self, own: &Entity, other: &Entity) -> bool {
        let (DeclBody::Function(one), DeclBody::Function(two)) = (&own.decl.kind, &other.decl.kind) else {
            return false;
        };
        (one.is_const, one.reference) == (two.is_const, two.reference)
            && own.decl.templates.is_empty()
            && other.decl.templates.is_empty()
            && self.has_signature(one, &own.env, &self.parameter_types(two, &other.env)) == Some(true)
    }

    /// Whether lookup knows all members of a class: it is defined, and so are its base classes.
    pub(in crate::facts) fn is_complete(&self, class: &Rc<Instance>) -> bool {
        let Some(DeclBody::Class(definition)) = class.decl.as_ref().map(|decl| &decl.kind) else {
            return false;
        };
        definition.members.is_some()
            && class.alternatives.is_empty()
            && self.bases(class).iter().all(|base| match base {
                Ty::Class(base) if !recurs_without_end(class, base) => {
                    self.within_limits(|| self.is_complete(base)).unwrap_or(false)
                }
                _ => false,
            })
    }

    /// Whether nothing in the unit defines a class, so that to name a member of it is an error ([temp.deduct]/8): the
    /// primary template of `std::tuple_size` is declared only. A header that was not found may define it or specialize it;
    /// one that is neither of the project nor of the class's library is taken not to specialize a template that has
    /// specializations, whose primary template is left undefined on purpose.
    fn is_never_defined(&self, class: &Rc<Instance>) -> Viability {
        let has_no_definition = match class.decl.as_ref().map(|decl| &decl.kind) {
            Some(DeclBody::Class(definition)) => definition.members.is_none(),
            Some(_) => false,
            None => class.is_declared_by_type_specifier(),
        };
        let is_declared_only = has_no_definition
            && class.alternatives.is_empty()
            && class.arguments.iter().all(TemplateArgument::is_sure);
        if !is_declared_only {
            return Viability::No;
        }
        self.share_with(self.missing_alike());
        let text = class.text(Spelling::Canonical);
        let of_missing = self.missing_specialize(&class.name, &text);
        self.caches.dependencies.see(|| {
            let (name, text) = (class.name.as_str().into(), (&*text).into());
            Some(Dependency::Missing { name, text, may_specialize: of_missing })
        });
        let is_settled = match of_missing {
            None => true,
            Some(may_specialize) => !may_specialize && self.is_specialized_template(class),
        };
        if is_settled { Viability::Yes } else { Viability::CantTell }
    }

    /// Sets `substitution_failed` where lookup found no member in a class, if it knows all of them or nothing defines the class.
    pub(super) fn without_member(&self, class: &Rc<Instance>) {
        match self.is_complete(class) {
            true => self.substitution_failed.set(true),
            false => self.require_definition(class),
        }
    }

    /// Sets `substitution_failed` if nothing defines the class.
    pub(super) fn require_definition(&self, class: &Rc<Instance>) {
        match self.is_never_defined(class) {
            Viability::Yes => self.substitution_failed.set(true),
            Viability::CantTell => self.depend_on_unsettled(),
            Viability::No => {}
        }
    }

    /// The passes in which the same headers were not found.
    pub(super) fn missing_alike(&self) -> PassSet {
        let alike = |passes: PassSet| match passes.has(self.pass) {
            true => passes,
            false => PassSet::EVERY.minus(passes),
        };
        self.unit.pp.missing.iter().fold(PassSet::EVERY, |all, one| all.and(alike(one.passes)))
    }

    /// Whether some header that was not found in this pass may specialize a class template for the arguments of a class, by
    /// its name and spelling; `None` if all were found.
    pub(super) fn missing_specialize(&self, name: &str, text: &str) -> Option<bool> {
        let mut missing = self.unit.pp.missing.iter().filter(|one| one.passes.has(self.pass)).peekable();
        missing.peek()?;
        Some(missing.any(|one| may_specialize(&one.header, name, text)))
    }

    /// Whether a class is of a template at namespace scope of which the unit declares specializations.
    fn is_specialized_template(&self, class: &Instance) -> bool {
        let Some(decl) = &class.decl else { return false };
        match self.lookup_in_namespace(self.unit.namespace(class.env.scope), decl.name) {
            LookupResult::Entities(all) => all
                .iter()
                .any(|one| matches!(&one.decl.kind, DeclBody::Class(class) if class.arguments.is_some())),
            _ => false,
        }
    }

    /// Lookup of a possibly qualified name. The template arguments of the last segment are not applied.
    ///
    /// Sets `substitution_failed` if a complete class lacks the member that is named, if nothing defines the class, or if a
    /// type that has no members is asked for one.
    pub(in crate::facts) fn lookup(&self, path: &Path, env: &Env) -> LookupResult {
        self.lookup_part(path.whole(), env)
    }

    /// The same of the first segments of a name.
    pub(super) fn lookup_part(&self, path: PathPart<'_>, env: &Env) -> LookupResult {
        let (last, scope) = path.split_scope();
        let Some(scope) = scope else {
            if let Some([Argument::Type(ty)]) = last.arguments.as_deref()
                && path.is_decltype()
            {
                return LookupResult::TemplateArgument(TemplateArgument::Type(self.ty(ty, env)));
            }
            return if path.global {
                self.lookup_in_namespace(sym::EMPTY, last.name)
            } else {
                self.lookup_unqualified(last.name, env)
            };
        };
        match self.lookup_part(scope, env) {
            LookupResult::Namespace(namespaces) => {
                for namespace in namespaces {
                    match self.lookup_in_namespace(namespace, last.name) {
                        LookupResult::Nothing => {}
                        found => return found,
                    }
                }
                if path.global { LookupResult::Nothing } else { self.lookup_from_outer_namespaces(path, env) }
            }
            LookupResult::Nothing => LookupResult::Nothing,
            found => match self.type_found(found, scope, env).unqualified() {
                Ty::Class(class) => {
                    let found = self.lookup_member(class, last.name);
                    if matches!(found, LookupResult::Nothing) {
                        self.without_member(class);
                    }
                    found
                }
                Ty::Enum(one) => match &one.decl.kind {
                    DeclBody::Enum(body) if body.has(last.name) => {
                        let (decl, env) = (one.decl.clone(), one.env.clone());
                        LookupResult::Entities(Rc::new(vec![Entity {
                            decl,
                            env,
                            owner: None,
                            top: usize::MAX,
                        }]))
                    }
                    _ => {
                        self.substitution_failed.set(true);
                        LookupResult::Nothing
                    }
                },
                Ty::Builtin(_)
                | Ty::Pointer(_)
                | Ty::LvalueReference(_)
                | Ty::RvalueReference(_)
                | Ty::Array(..)
                | Ty::Function(..) => {
                    self.substitution_failed.set(true);
                    LookupResult::Nothing
                }
                Ty::Qualified(..) | Ty::Parameter(..) | Ty::Opaque { .. } => LookupResult::Nothing,
            },
        }
    }

    /// Lookup of a name in the namespaces that its first part may denote in any enclosing namespace: the innermost one that
    /// has a namespace of that name may have got it only after the name was used.
    fn lookup_from_outer_namespaces(&self, path: PathPart<'_>, env: &Env) -> LookupResult {
        let (first, rest) = path.segments.split_first().expect("a path has a segment");
        let having = self.unit.may_have(first.name);
        let outward = self.unit.outward(env.scope);
        self.caches.dependencies.see(|| self.seen_having(env.scope, first.name));
        for place in outward.places_of(&having) {
            let mut found = self.own_members(outward.namespace(place), first.name);
            for segment in rest {
                found = match found {
                    LookupResult::Namespace(all) => all
                        .into_iter()
                        .map(|one| self.lookup_in_namespace(one, segment.name))
                        .find(|one| !matches!(one, LookupResult::Nothing))
                        .unwrap_or(LookupResult::Nothing),
                    _ => LookupResult::Nothing,
                };
            }
            if !matches!(found, LookupResult::Nothing) {
                return found;
            }
        }
        LookupResult::Nothing
    }

    /// The qualified name of an entity, with unnamed and inline namespaces.
    pub(in crate::facts) fn qualified_name(&self, entity: &Entity) -> String {
        match &entity.owner {
            Some(owner) => format!("{}::{}", owner.text(Spelling::Canonical), entity.decl.name),
            None => self.name_outside_classes(entity).to_string(),
        }
    }

    /// The number of the class, or class template specialization, that a declaration makes with template arguments.
    pub(super) fn class_number(&self, entity: &Entity, arguments: &[TemplateArgument]) -> ClassNumber {
        let identities = &self.caches.identities;
        match &entity.owner {
            Some(owner) => identities.member(owner.number, entity.decl.name, arguments),
            None => identities.named(self.name_outside_classes(entity).as_str(), arguments),
        }
    }

    /// The qualified name of an entity that is no member of a class.
    fn name_outside_classes(&self, entity: &Entity) -> Symbol {
        match entity.top {
            usize::MAX => entity.decl.name,
            _ => join(self.namespace_of(entity), entity.decl.name.as_str()),
        }
    }

    /// The namespace of an entity, which its declaration may name: `void ns::f() {}` ([namespace.memdef]/2).
    fn namespace_of(&self, entity: &Entity) -> Symbol {
        let named = entity.decl.qualifier.as_ref().map(|path| self.lookup(path, &entity.env));
        match named {
            Some(LookupResult::Namespace(namespaces)) if !namespaces.is_empty() => namespaces[0],
            _ => self.unit.namespace(entity.env.scope),
        }
    }
}

/// Whether a header, spelled with its brackets, may specialize a class template for the arguments of a class: a standard
/// header a template of the standard library, one of a library that others use what has to do with its own types, and one of
/// a project, in quotes or in a folder, any template but the standard library's.
fn may_specialize(header: &str, name: &str, text: &str) -> bool {
    if let Some(namespaces) = libraries::namespaces(header) {
        return namespaces.iter().any(|namespace| libraries::names(text, namespace));
    }
    match name.starts_with("std::") {
        true => !header.contains('.'),
        false => header.starts_with('"') || header.contains('/'),
    }
}

/// Whether a base class is a specialization of the class's own template whose arguments are not fully
/// resolved: nothing tells which specialization ends the recursion of `template <long M, long N> struct gcd :
/// gcd<N, M % N>`.
fn recurs_without_end(class: &Instance, base: &Instance) -> bool {
    class.name == base.name && !base.arguments.iter().all(TemplateArgument::is_sure)
}

/// What a name denotes in one of two classes of which it can't be told which is meant: the functions of both, or what one
/// alone has. A type or a constant that both have is not known.
fn either(one: LookupResult, other: LookupResult) -> LookupResult {
    let are_functions =
        |found: &[Entity]| found.iter().all(|one| matches!(one.decl.kind, DeclBody::Function(_)));
    match (one, other) {
        (LookupResult::Nothing, found) | (found, LookupResult::Nothing) => found,
        (LookupResult::Entities(mut entities), LookupResult::Entities(more))
            if are_functions(&entities) && are_functions(&more) =>
        {
            Rc::make_mut(&mut entities).extend(more.iter().cloned());
            LookupResult::Entities(entities)
        }
        _ => LookupResult::Nothing,
    }
}
