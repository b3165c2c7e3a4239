//! The instantiations of kernel templates, and of variable templates in GPU memory, of a unit in one
//! pass ([temp.inst]).
//!
//! What counts is measured on nvcc: a mention in any non-template body, whether or not that body
//! ever runs, and in every body that is instantiated from there. A discarded `if constexpr` branch
//! and an unevaluated operand do not count.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::source::{Span, Symbol, sym};

use super::aggregate::data_members;
use super::ast::*;
use super::deduce::{Call, Deduced};
use super::env::Env;
use super::layout::class_in;
use super::lookup::{Entity, Hit, View};
use super::lower::CALL_OPERATOR;
use super::types::{Bindings, Bound, Instance, Spelling, Ty, list_text};

/// How many different instantiations are followed in one pass before the walk gives up.
const VISIT_LIMIT: usize = 50_000;

/// How deep instantiations may nest: what compilers allow templates by default.
const NESTING_LIMIT: usize = 900;

/// How often a template may be in the middle of itself without having led to a kernel: what ends its recursion is then
/// an overload that hangs on something unknown.
const FRUITLESS_LIMIT: usize = 64;

/// The library's functions that make an object of the class named as their template argument.
const MAKERS: [&str; 3] = ["make_unique", "make_shared", "construct_at"];

/// How many combinations of alternatives a visitor is followed for: more than anybody compiles.
const ALTERNATIVES_LIMIT: usize = 4096;

/// A kernel template with arguments, or a device variable template.
pub(super) struct Instantiation {
    /// The template's qualified name.
    pub kernel: String,
    /// It is a variable template.
    pub variable: bool,
    /// Where the kernel's name is declared.
    pub declared: Span,
    /// The arguments by meaning.
    pub key: String,
    /// The same for people: `scale<float, 4>`.
    pub shown: String,
    /// Every argument is known.
    pub sure: bool,
    /// Where it is mentioned.
    pub site: Span,
    /// The mention in a non-template body that led there.
    pub root: Span,
    /// The types of the parameters after substitution, or the variable's own.
    pub parameters: Vec<Ty>,
    /// Varying declarations that the arguments were made from.
    pub trace: BTreeSet<usize>,
    /// For arguments that are extended lambdas, how many ordinary ones precede each.
    pub ordinary_before: Vec<usize>,
}

/// The two kinds of explicit instantiation ([temp.explicit]).
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Explicit {
    /// `extern template`: other objects have it.
    Declaration,
    Definition,
}

/// A generic lambda where a body evaluates it.
struct Met {
    operator: Arc<Decl>,
    env: Env,
    root: Option<Span>,
    device_code: bool,
    trace: BTreeSet<usize>,
}

/// Walks one pass of a unit.
pub(super) struct Walk<'v> {
    pub view: &'v View<'v>,
    pub relevant: &'v FxHashSet<Symbol>,
    visited: FxHashSet<String>,
    /// Item lists by address, for the life of the walk.
    pub leading: RefCell<FxHashMap<usize, bool>>,
    /// The templates whose bodies are at hand, each with how much was found before.
    nesting: Vec<(Span, usize)>,
    root: Option<Span>,
    /// The body at hand runs on GPUs only.
    device_code: bool,
    /// The body at hand may call a generic lambda that leads to a kernel.
    carrying: bool,
    /// The generic lambdas that were met, until all calls are known.
    met: Vec<Met>,
    /// The call operators that calls instantiated, by address.
    called: FxHashSet<usize>,
    pub call_operator: Symbol,
    /// The operators whose functions are among the relevant names.
    pub operators: FxHashSet<Symbol>,
    /// `visit`.
    visit: Symbol,
    /// What was instantiated.
    pub found: Vec<Instantiation>,
    /// Keys that an `extern template` takes out of the pass.
    pub suppressed: FxHashSet<(String, String)>,
    /// Function templates with arguments, classes and their members whose bodies an `extern template` leaves to other
    /// objects.
    elsewhere: FxHashSet<String>,
    /// The mention at hand is an explicit instantiation, and which kind.
    explicit: Option<Explicit>,
    /// What the function at hand returns, and where that type's names are looked up.
    result: Option<(Type, Env)>,
    /// The walk met a limit.
    pub incomplete: bool,
}

impl<'v> Walk<'v> {
    pub(super) fn new(view: &'v View<'v>, relevant: &'v FxHashSet<Symbol>) -> Walk<'v> {
        Walk {
            view,
            relevant,
            visited: FxHashSet::default(),
            leading: RefCell::default(),
            nesting: Vec::new(),
            root: None,
            device_code: false,
            carrying: false,
            met: Vec::new(),
            called: FxHashSet::default(),
            call_operator: Symbol::intern(CALL_OPERATOR),
            visit: Symbol::intern("visit"),
            found: Vec::new(),
            suppressed: FxHashSet::default(),
            elsewhere: FxHashSet::default(),
            explicit: None,
            result: None,
            operators: relevant
                .iter()
                .filter_map(|name| name.as_str().strip_prefix("operator"))
                .filter(|operator| {
                    operator.starts_with(|first: char| first.is_ascii_punctuation() && first != '_')
                })
                .map(Symbol::intern)
                .collect(),
            incomplete: false,
        }
    }

    /// Walks what a top-level declaration instantiates by itself.
    pub(super) fn root(&mut self, top: usize) {
        let declaration = &self.view.world.variance.declarations[top];
        let env = Env::namespace(declaration.scope);
        for decl in self.view.world.lowered(top, self.view.pass).iter() {
            self.view.trace.borrow_mut().clear();
            self.view.touch(top);
            self.carrying = false;
            self.root_decl(decl, &env, top);
        }
    }

    fn root_decl(&mut self, decl: &Arc<Decl>, env: &Env, top: usize) {
        if decl.templates.iter().any(|head| !head.parameters.is_empty()) {
            return;
        }
        match &decl.kind {
            DeclBody::Function(function) => {
                let inner = match &decl.qualifier {
                    Some(qualifier) => match self.view.named(qualifier, env) {
                        Ty::Class(class) => class.env.inside(class.clone()),
                        _ => env.clone(),
                    },
                    None => env.clone(),
                };
                self.body(function, decl, &inner);
                if decl.is_specialization() && decl.specifiers.global && function.body.is_some() {
                    self.specialization(function, decl, env);
                }
            }
            DeclBody::Variable(variable) => {
                let inner = env.block();
                self.items(&variable.items, &inner);
                self.initialized(variable, env, decl.at);
                let ty = self.view.object_ty(&variable.ty, variable.initializer.as_ref(), env);
                self.object(&ty);
            }
            DeclBody::Class(_) => {
                let path = Path::plain(decl.name);
                let class = match self.view.named(&path, env) {
                    Ty::Class(class) if class.decl.as_ref().is_some_and(|own| own.at == decl.at) => class,
                    _ => Rc::new(Instance {
                        name: decl.name.to_string(),
                        arguments: Vec::new(),
                        decl: Some(decl.clone()),
                        env: env.clone(),
                        top,
                        weight: 1,
                        texts: Default::default(),
                    }),
                };
                self.members(&class, top);
            }
            DeclBody::Instantiation(mention) => {
                self.explicit = Some(match decl.specifiers.is_extern {
                    true => Explicit::Declaration,
                    false => Explicit::Definition,
                });
                self.mention(mention, env);
                self.explicit = None;
            }
            _ => {}
        }
    }

    /// An explicit specialization of a kernel is there whether or not anything uses it, as if it were
    /// instantiated explicitly.
    fn specialization(&mut self, function: &Function, decl: &Decl, env: &Env) {
        let mut path = decl.qualifier.clone().unwrap_or_default();
        path.segments.push(Segment { name: decl.name, arguments: function.arguments.clone() });
        let mention = Mention {
            path,
            receiver: None,
            arguments: None,
            signature: Some(function.parameters.iter().map(|one| one.ty.clone()).collect()),
            whole_class: false,
            at: decl.at,
        };
        self.explicit = Some(Explicit::Definition);
        self.mention(&mention, env);
        self.explicit = None;
    }

    /// The members of a non-template class are ordinary bodies.
    fn members(&mut self, class: &Rc<Instance>, top: usize) {
        let Some(decl) = class.decl.clone() else { return };
        let DeclBody::Class(definition) = &decl.kind else { return };
        let inside = class.env.inside(class.clone());
        self.parts(class);
        for member in definition.members.iter().flatten() {
            // A friend that is defined here is an ordinary function.
            if member.specifiers.is_friend
                && !matches!(&member.kind, DeclBody::Function(one) if one.body.is_some())
            {
                continue;
            }
            self.root_decl(member, &inside, top);
        }
    }

    /// Walks the bodies of the generic lambdas that no call was seen of, for arguments that are not known.
    pub(super) fn finish(&mut self) {
        while let Some(met) = self.met.pop() {
            let DeclBody::Function(function) = &met.operator.kind else { continue };
            if self.called.contains(&address(&met.operator)) {
                continue;
            }
            let unknown = |parameter: &TemplateParameter| {
                let name = parameter.name.as_str();
                let word = name.split_once(':').map_or(name, |(auto, _)| auto);
                (parameter.name, Bound::Type(Ty::opaque(word)))
            };
            let open = met.operator.templates.iter().flat_map(|head| &head.parameters);
            let bindings = open.filter(|parameter| !parameter.pack).map(unknown).collect();
            *self.view.trace.borrow_mut() = met.trace;
            (self.root, self.device_code) = (met.root, met.device_code);
            self.body(function, &met.operator, &met.env.with_bindings(bindings));
        }
        (self.root, self.device_code) = (None, false);
    }

    fn body(&mut self, function: &Function, decl: &Decl, env: &Env) {
        let Some(items) = &function.body else { return };
        if !self.carrying && !self.leads(items) {
            return;
        }
        let (around, carrying) = (self.device_code, self.carrying);
        self.device_code |= decl.specifiers.device_code();
        let inner = self.view.inside(function, env);
        let result = self.result.replace((function.result.clone(), inner.clone()));
        self.items(items, &inner);
        self.result = result;
        (self.device_code, self.carrying) = (around, carrying);
    }

    /// Walks a template's body for arguments, which may be lambdas that it calls.
    fn instantiated(&mut self, function: &Function, decl: &Decl, env: &Env, arguments: &[Bound]) {
        let carrying = self.carrying;
        let is_lambda = env.innermost_class().is_some_and(|class| class.is_closure());
        self.carrying = is_lambda || arguments.iter().any(|argument| self.carries(argument));
        self.body(function, decl, env);
        self.carrying = carrying;
    }

    fn items(&mut self, items: &[Item], env: &Env) {
        if !self.carrying && !self.leads(items) {
            return;
        }
        for item in items {
            match item {
                Item::Mention(mention) => self.mention(mention, env),
                Item::Argument(mention) => {
                    let is_function = |one: &Entity| matches!(one.decl.kind, DeclBody::Function(_));
                    if matches!(self.view.hit(&mention.path, env), Hit::Entities(all) if all.iter().any(is_function))
                    {
                        self.mention(mention, env);
                    }
                }
                Item::Expansion(inner) => {
                    let names = |names: &mut Vec<Symbol>| inner.iter().for_each(|one| one.names(names));
                    let envs = self.view.expansions(names, env).unwrap_or_else(|| vec![env.clone()]);
                    envs.iter().for_each(|env| self.items(inner, env));
                }
                Item::Block(inner) | Item::Maybe(inner) => self.items(inner, &env.block()),
                Item::IfConstexpr(condition, then, otherwise) => {
                    if !self.carrying && !self.leads(then) && !self.leads(otherwise) {
                        continue;
                    }
                    let value = self.view.value(condition, env).int();
                    if value != Some(0) {
                        self.items(then, &env.block());
                    }
                    if value.is_none_or(|value| value == 0) {
                        self.items(otherwise, &env.block());
                    }
                }
                Item::Declare(decl) => self.local(decl, env),
                Item::Lambda(parameters, body) => {
                    let named = parameters.iter().filter(|parameter| parameter.name != sym::EMPTY);
                    let types = named.map(|one| (one.name, self.view.ty(&one.ty, env))).collect();
                    let result = self.result.take();
                    self.items(body, &env.with_parameters(types).block());
                    self.result = result;
                }
                Item::Generic(closure) => self.meet(closure, env),
                Item::Expression(expr, at) => self.expression(expr, env, *at),
                Item::Returned(expr, at) => {
                    if self.expr_may_lead(expr)
                        && let Some((ty, around)) = self.result.clone()
                    {
                        let ty = self.view.ty(&ty, &around);
                        self.address(expr, &ty, env, *at);
                    }
                }
            }
        }
    }

    fn meet(&mut self, closure: &Closure, env: &Env) {
        let Some(operator) = closure.operator.clone().filter(|_| self.closure_leads(closure)) else { return };
        // It may have been given a name, and be called by that from here on.
        self.carrying = true;
        self.met.push(Met {
            operator,
            env: env.clone(),
            root: self.root,
            device_code: self.device_code,
            trace: self.view.trace.borrow().clone(),
        });
    }

    fn local(&mut self, decl: &Arc<Decl>, env: &Env) {
        match &decl.kind {
            DeclBody::Variable(variable) => {
                self.items(&variable.items, env);
                self.initialized(variable, env, decl.at);
                env.declare(decl.clone());
                if self.type_may_lead(&variable.ty) {
                    let ty = self.view.object_ty(&variable.ty, variable.initializer.as_ref(), env);
                    self.object(&ty);
                    self.made_of(&ty, variable.initializer.as_ref(), env, decl.at);
                }
            }
            // `Buffer<int> b(size);` reads like a function declaration.
            DeclBody::Function(function) if function.body.is_none() => {
                let initializer = given_names(function);
                let ty = self.view.object_ty(&function.result, initializer.as_ref(), env);
                self.object(&ty);
                self.made_of(&ty, initializer.as_ref(), env, decl.at);
                let variable = Variable {
                    ty: function.result.clone(),
                    initializer,
                    bits: None,
                    alignas: Vec::new(),
                    arguments: None,
                    items: Vec::new(),
                };
                let object = Decl { kind: DeclBody::Variable(variable), ..Decl::clone(decl) };
                env.declare(Arc::new(object));
            }
            DeclBody::Class(_) if decl.templates.is_empty() => {
                env.declare(decl.clone());
                if let Ty::Class(class) = self.view.named(&Path::plain(decl.name), env) {
                    self.members(&class, usize::MAX);
                }
            }
            _ => env.declare(decl.clone()),
        }
    }

    /// Follows the constructor of an object that is a template.
    fn made_of(&mut self, ty: &Ty, initializer: Option<&Expr>, env: &Env, at: Span) {
        let Some(class) = class_in(ty).cloned() else { return };
        match initializer {
            Some(Expr::List(values)) => self.constructed(&class, values, env, at),
            Some(one) => self.constructed(&class, std::slice::from_ref(one), env, at),
            None => {}
        }
    }

    /// `std::make_unique<X>(…)` and the like make an object of the type they are given; their own way to its constructor
    /// leads through the library.
    fn made_by_the_library(&mut self, mention: &Mention, env: &Env) {
        let last = mention.path.last();
        if MAKERS.contains(&last.name.as_str())
            && let Some([Argument::Type(ty)]) = last.arguments.as_deref()
            && self.type_may_lead(ty)
        {
            let ty = self.view.ty(ty, env);
            self.object(&ty);
        }
    }

    /// What an object of a class consists of: objects of its bases and data members.
    fn parts(&mut self, class: &Rc<Instance>) {
        let Some(DeclBody::Class(definition)) = class.decl.as_ref().map(|decl| &decl.kind) else { return };
        let data = |member: &&Arc<Decl>| {
            matches!(member.kind, DeclBody::Variable(_)) && !member.specifiers.is_static
        };
        let members = definition.members.iter().flatten().filter(data).filter_map(|one| match &one.kind {
            DeclBody::Variable(variable) => Some(&variable.ty),
            _ => None,
        });
        let bases = definition.bases.iter().map(|(base, _)| base);
        let types: Vec<&Type> = bases.chain(members).filter(|ty| self.type_may_lead(ty)).collect();
        if types.is_empty() || !self.visited.insert(format!("{}@", class.text(Spelling::Canonical))) {
            return;
        }
        let inside = class.env.inside(class.clone());
        for ty in types {
            let ty = self.view.ty(ty, &inside);
            if class_in(&ty).is_some_and(|part| part.name != class.name) {
                self.object(&ty);
            }
        }
    }

    /// An object of a class template's type uses its constructors and its destructor, and those of its parts.
    fn object(&mut self, ty: &Ty) {
        let Some(class) = class_in(ty) else { return };
        self.parts(&class.clone());
        if class.arguments.is_empty() {
            return;
        }
        let class = class.clone();
        let Some(decl) = class.decl.clone() else { return };
        let DeclBody::Class(definition) = &decl.kind else { return };
        let destructor = format!("~{}", decl.name);
        for member in definition.members.iter().flatten() {
            let special = member.name == decl.name || member.name.as_str().replace(' ', "") == destructor;
            if special || member.specifiers.is_virtual || self.overrides(&class, member.name) {
                self.member_body(&class, member);
            }
        }
    }

    /// Whether a base of a class has a virtual function of a name, which one of the class's then overrides
    /// ([class.virtual]).
    fn overrides(&self, class: &Rc<Instance>, name: Symbol) -> bool {
        let Some(DeclBody::Class(definition)) = class.decl.as_ref().map(|decl| &decl.kind) else {
            return false;
        };
        definition.bases.iter().any(|(base, _)| match self.view.ty(base, &class.env) {
            Ty::Class(base) if base.name != class.name => {
                let own = base.decl.as_ref().is_some_and(|decl| match &decl.kind {
                    DeclBody::Class(definition) => {
                        let members = definition.members.iter().flatten();
                        members.into_iter().any(|one| one.name == name && one.specifiers.is_virtual)
                    }
                    _ => false,
                });
                own || self.overrides(&base, name)
            }
            _ => false,
        })
    }

    fn member_of_a_template(&mut self, class: &Rc<Instance>, member: &Arc<Decl>, explicit: Option<Explicit>) {
        let key = format!("{}::{}@{:?}", class.text(Spelling::Canonical), member.name, member.at);
        match explicit {
            Some(Explicit::Declaration) => {
                self.elsewhere.insert(key);
                return;
            }
            Some(Explicit::Definition) => _ = self.elsewhere.remove(&key),
            None => {}
        }
        self.member_body(class, member);
    }

    /// Follows a member function of a class template's instance, wherever it is defined.
    fn member_body(&mut self, class: &Rc<Instance>, member: &Arc<Decl>) {
        let DeclBody::Function(function) = &member.kind else { return };
        let name = class.text(Spelling::Canonical);
        let key = format!("{name}::{}@{:?}", member.name, member.at);
        let outside = if function.body.is_some() { Vec::new() } else { self.outside(class, member) };
        let is_inline = |decl: &Decl| decl.specifiers.is_inline || decl.specifiers.is_constexpr;
        let everywhere =
            function.body.is_some() || is_inline(member) || outside.iter().any(|(decl, _)| is_inline(decl));
        if !everywhere && (self.elsewhere.contains(&name) || self.elsewhere.contains(&key)) {
            return;
        }
        if !self.enter(key, member, &class.arguments) {
            return;
        }
        if function.body.is_some() {
            self.instantiated(function, member, &class.env.inside(class.clone()), &class.arguments);
        }
        for (decl, env) in outside {
            if let DeclBody::Function(function) = &decl.kind {
                self.instantiated(function, &decl, &env, &class.arguments);
            }
        }
        self.nesting.pop();
    }

    /// The definitions of a member of a class template's instance that stand outside the class, and where the names in
    /// them are looked up.
    fn outside(&self, class: &Rc<Instance>, member: &Decl) -> Vec<(Arc<Decl>, Env)> {
        let view = self.view;
        let own = class.decl.as_ref().map(|decl| decl.name);
        let mut found = Vec::new();
        for top in view.world.declaring(member.name) {
            let declaration = &view.world.variance.declarations[*top];
            if !declaration.passes.has(view.pass) || !view.world.is_qualified(*top) {
                continue;
            }
            for decl in view.world.lowered(*top, view.pass).iter() {
                let Some(qualifier) = &decl.qualifier else { continue };
                let defines = match &decl.kind {
                    DeclBody::Function(function) => function.body.is_some(),
                    DeclBody::Variable(_) => true,
                    _ => false,
                };
                if Some(qualifier.last().name) != own || decl.name != member.name || !defines {
                    continue;
                }
                let mut env = Env::namespace(declaration.scope);
                if let (Some(head), Some(patterns)) = (decl.templates.first(), &qualifier.last().arguments) {
                    let mut bindings = Vec::new();
                    view.match_arguments(patterns, &env, &head.parameters, &class.arguments, &mut bindings);
                    env = env.with_bindings(bindings);
                }
                view.touch(*top);
                found.push((decl.clone(), env.inside(class.clone())));
            }
        }
        found
    }

    /// Whether a template's body is to be walked for arguments: not twice for the same, and not within
    /// itself when they are not all known, since nothing would tell where the recursion ends.
    fn enter(&mut self, key: String, decl: &Decl, arguments: &[Bound]) -> bool {
        if self.visited.contains(&key) {
            return false;
        }
        let mut within = self.nesting.iter().filter(|(at, _)| *at == decl.at);
        if let Some((_, found)) = within.next()
            && (!arguments.iter().all(Bound::is_sure)
                || *found == self.found.len() && within.count() >= FRUITLESS_LIMIT)
        {
            return false;
        }
        if self.visited.len() >= VISIT_LIMIT || self.nesting.len() >= NESTING_LIMIT {
            self.incomplete = true;
            return false;
        }
        self.visited.insert(key);
        self.nesting.push((decl.at, self.found.len()));
        true
    }

    fn mention(&mut self, mention: &Mention, env: &Env) {
        let may_carry = self.carrying && mention.arguments.is_some();
        if !may_carry && !self.may_lead(mention) {
            return;
        }
        let saved = self.view.trace.borrow().clone();
        let outermost = self.root.is_none();
        if outermost {
            self.root = Some(mention.at);
        }
        self.resolve(mention, env);
        if outermost {
            self.root = None;
        }
        *self.view.trace.borrow_mut() = saved;
    }

    fn resolve(&mut self, mention: &Mention, env: &Env) {
        // What the bodies mention is not explicit.
        let explicit = self.explicit.take();
        if mention.whole_class {
            if let Ty::Class(class) = self.view.named(&mention.path, env) {
                self.explicit_class(&class, explicit);
            }
            return;
        }
        if mention.path.last().name == self.visit && self.visits(mention, env) {
            return;
        }
        self.made_by_the_library(mention, env);
        let hit = match &mention.receiver {
            Some((object, arrow)) => match self.view.object_class(object, *arrow, env) {
                Some(class) => self.view.member(&class, mention.path.last().name),
                None => Hit::Nothing,
            },
            None => self.associated_too(mention, self.view.hit(&mention.path, env), env),
        };
        let hit = match self.callable(mention, &hit, env) {
            Some(class) => self.view.member(&class, self.call_operator),
            None => hit,
        };
        match hit {
            Hit::Entities(entities) => self.functions(mention, &entities, env, explicit),
            Hit::Bound(Bound::Type(ty)) => self.object(&ty),
            Hit::Class(class) => self.object(&Ty::Class(class)),
            _ => {}
        }
    }

    /// The class of an object that is called like a function.
    fn callable(&self, mention: &Mention, hit: &Hit, env: &Env) -> Option<Rc<Instance>> {
        mention.arguments.as_ref()?;
        let is_object = match hit {
            Hit::Parameter(_) => true,
            Hit::Entities(entities) => matches!(entities.first()?.decl.kind, DeclBody::Variable(_)),
            _ => false,
        };
        if !is_object {
            return None;
        }
        let object = match &mention.receiver {
            Some((object, arrow)) => {
                Expr::Member(Box::new(object.clone()), *arrow, mention.path.last().clone())
            }
            None => Expr::Name(mention.path.clone()),
        };
        self.view.object_class(&object, false, env)
    }

    /// The functions that a call's name means, and those that its arguments' types add ([basic.lookup.argdep]/3).
    fn associated_too(&self, mention: &Mention, hit: Hit, env: &Env) -> Hit {
        let Some(arguments) = mention.arguments.as_deref() else { return hit };
        let name = mention.path.last().name;
        if mention.path.segments.len() > 1 || mention.path.global || !self.relevant.contains(&name) {
            return hit;
        }
        let mut functions = match hit {
            Hit::Nothing => Vec::new(),
            Hit::Entities(found)
                if found.iter().all(|one| {
                    one.owner.is_none()
                        && one.top != usize::MAX
                        && matches!(one.decl.kind, DeclBody::Function(_))
                }) =>
            {
                found
            }
            other => return other,
        };
        self.view.add_associated(name, &Call::new(self.view, arguments, env), &mut functions);
        if functions.is_empty() { Hit::Nothing } else { Hit::Entities(functions) }
    }

    /// A call of `std::visit`, whose own way to the visitor leads through tables: one call of it for each alternative
    /// ([variant.visit]). Whether it is one.
    fn visits(&mut self, mention: &Mention, env: &Env) -> bool {
        let Some([visitor, variants @ ..]) = mention.arguments.as_deref() else { return false };
        let lists: Option<Vec<Vec<Ty>>> =
            variants.iter().map(|variant| self.view.alternatives(variant, env)).collect();
        let Some(lists) = lists.filter(|lists| !lists.is_empty()) else { return false };
        let name = |number: usize| Symbol::intern(&format!("alternative:{number}"));
        let count = lists.iter().map(Vec::len).product();
        if count > ALTERNATIVES_LIMIT {
            self.incomplete = true;
            return true;
        }
        for number in 0..count {
            let mut rest = number;
            let mut bindings = Bindings::new();
            for (position, list) in lists.iter().enumerate() {
                bindings.push((name(position), Bound::Type(list[rest % list.len()].clone())));
                rest /= list.len();
            }
            let arguments = (0..lists.len()).map(|position| Expr::Name(Path::plain(name(position))));
            let call = Mention {
                path: Path::plain(self.call_operator),
                receiver: Some((visitor.clone(), false)),
                arguments: Some(arguments.collect()),
                ..mention.clone()
            };
            self.resolve(&call, &env.with_bindings(bindings));
        }
        true
    }

    /// An explicit instantiation of a class: of all its members, or of none but those that are inline where it says
    /// that other objects have them ([temp.explicit]/10).
    fn explicit_class(&mut self, class: &Rc<Instance>, explicit: Option<Explicit>) {
        let name = class.text(Spelling::Canonical);
        if explicit == Some(Explicit::Declaration) {
            self.elsewhere.insert(name);
        } else {
            self.elsewhere.remove(&name);
            self.whole_class(class);
        }
    }

    fn whole_class(&mut self, class: &Rc<Instance>) {
        let Some(decl) = class.decl.clone() else { return };
        let DeclBody::Class(definition) = &decl.kind else { return };
        for member in definition.members.iter().flatten() {
            match member.kind {
                DeclBody::Variable(_) if member.specifiers.is_static => self.static_member(class, member),
                _ if member.templates.is_empty() => self.member_body(class, member),
                _ => {}
            }
        }
    }

    /// Follows the initializer of a static data member of a class template's instance, wherever it is defined.
    fn static_member(&mut self, class: &Rc<Instance>, member: &Arc<Decl>) {
        let DeclBody::Variable(variable) = &member.kind else { return };
        let key = format!("{}::{}@{:?}", class.text(Spelling::Canonical), member.name, member.at);
        if !self.enter(key, member, &class.arguments) {
            return;
        }
        let inside = class.env.inside(class.clone());
        self.items(&variable.items, &inside.block());
        self.initialized(variable, &inside, member.at);
        for (decl, env) in self.outside(class, member) {
            if let DeclBody::Variable(variable) = &decl.kind {
                self.items(&variable.items, &env.block());
                self.initialized(variable, &env, decl.at);
            }
        }
        self.nesting.pop();
    }

    pub(super) fn functions(
        &mut self,
        mention: &Mention,
        entities: &[Entity],
        env: &Env,
        explicit: Option<Explicit>,
    ) {
        let view = self.view;
        let is_function = |entity: &&Entity| matches!(entity.decl.kind, DeclBody::Function(_));
        if !entities.iter().any(|entity| is_function(&entity)) {
            self.variable(mention, entities, env);
            self.constant(mention, entities, env);
            let ty = mention.arguments.as_deref().and_then(|list| view.guided(&mention.path, list, env));
            let ty = ty.unwrap_or_else(|| view.named(&mention.path, env));
            self.object(&ty);
            if let (Some(arguments), Some(class)) = (&mention.arguments, class_in(&ty).cloned()) {
                match data_members(&class) {
                    Some(_) => self.address(&Expr::List(arguments.to_vec()), &ty, env, mention.at),
                    None => self.constructed(&class, arguments, env, mention.at),
                }
            }
            return;
        }
        let given = || view.bounds(mention.path.last().arguments.as_deref().unwrap_or_default(), env);
        let no_call = Call::none(env);
        let chosen = match (&mention.arguments, &mention.signature) {
            (Some(arguments), _) => {
                let call = Call::new(view, arguments, env);
                view.best_overload(entities, &mention.path, &call)
            }
            (None, Some(types)) => self.by_signature(entities, types.len()).map(|(entity, function)| {
                (entity, function, self.explicit_arguments(entity, function, given(), types, &no_call, env))
            }),
            (None, None) => self.by_address(entities, mention.path.last().arguments.is_some()).map(
                |(entity, function)| (entity, function, view.deduce(entity, function, given(), &no_call)),
            ),
        };
        let Some((entity, function, deduced)) = chosen else { return };
        if mention.arguments.is_none() && mention.signature.is_none() && is_open(mention, entity) {
            return;
        }
        self.given(mention, function, &entity.env.with_bindings(deduced.bindings.clone()), env);
        self.chosen(mention, entity, function, deduced, explicit);
    }

    /// A function, with the template arguments that a mention gives it.
    pub(super) fn chosen(
        &mut self,
        mention: &Mention,
        entity: &Entity,
        function: &Function,
        deduced: Deduced,
        explicit: Option<Explicit>,
    ) {
        let view = self.view;
        let declared = explicit == Some(Explicit::Declaration);
        let template = entity.decl.templates.last().is_some_and(|head| !head.parameters.is_empty());
        if !template {
            if let Some(owner) = entity.owner.clone().filter(|owner| !owner.arguments.is_empty()) {
                self.member_of_a_template(&owner, &entity.decl, explicit);
            }
            return;
        }
        let inner = entity.env.with_bindings(deduced.bindings);
        if entity.decl.specifiers.global {
            let key = (view.qualified_name(entity), list_text(&deduced.arguments, Spelling::Canonical));
            match explicit {
                Some(Explicit::Declaration) => {
                    self.suppressed.insert(key);
                    return;
                }
                Some(Explicit::Definition) => _ = self.suppressed.remove(&key),
                None => {}
            }
            self.kernel(mention, entity, function, &deduced.arguments, &inner);
        } else {
            let key = format!(
                "{}<{}>@{:?}",
                view.qualified_name(entity),
                list_text(&deduced.arguments, Spelling::Canonical),
                entity.decl.at
            );
            // Calls of what is declared elsewhere instantiate it only if it is inline ([temp.explicit]/13), as
            // nvcc's front end and g++ do.
            if declared {
                if !(entity.decl.specifiers.is_inline || entity.decl.specifiers.is_constexpr) {
                    self.elsewhere.insert(key);
                }
                return;
            }
            if explicit.is_none() && self.elsewhere.contains(&key) {
                return;
            }
            if entity.owner.as_ref().is_some_and(|owner| owner.is_closure()) {
                self.called.insert(address(&entity.decl));
            }
            if self.enter(key, &entity.decl, &deduced.arguments) {
                view.touch(entity.top);
                self.instantiated(function, &entity.decl, &inner, &deduced.arguments);
                self.nesting.pop();
            }
        }
    }

    /// What a use of a static data member of a class template or of a variable template initializes it with.
    fn constant(&mut self, mention: &Mention, entities: &[Entity], env: &Env) {
        let view = self.view;
        let Some(first) = entities.first() else { return };
        if let Some(owner) = first.owner.clone().filter(|owner| !owner.arguments.is_empty()) {
            return self.static_member(&owner, &first.decl);
        }
        let Some((entity, variable, list, inner)) = view.variable_template(entities, &mention.path, env)
        else {
            return;
        };
        let arguments = list_text(&list, Spelling::Canonical);
        let key = format!("{}<{arguments}>@{:?}", view.qualified_name(entity), entity.decl.at);
        if self.enter(key, &entity.decl, &list) {
            view.touch(entity.top);
            self.items(&variable.items, &inner.block());
            self.initialized(variable, &inner, entity.decl.at);
            self.nesting.pop();
        }
    }

    /// Without a call, the arguments written decide: the template that a definition is seen of.
    fn by_address<'e>(&self, entities: &'e [Entity], explicit: bool) -> Option<(&'e Entity, &'e Function)> {
        let mut best: Option<(&Entity, &Function)> = None;
        for entity in entities {
            let DeclBody::Function(function) = &entity.decl.kind else { continue };
            if entity.decl.is_specialization() || (explicit && entity.decl.templates.is_empty()) {
                continue;
            }
            if best.is_none_or(|(_, known)| known.body.is_none() && function.body.is_some()) {
                best = Some((entity, function));
            }
        }
        best
    }

    fn by_signature<'e>(&self, entities: &'e [Entity], count: usize) -> Option<(&'e Entity, &'e Function)> {
        entities.iter().find_map(|entity| match &entity.decl.kind {
            DeclBody::Function(function)
                if !entity.decl.is_specialization()
                    && function.parameters.len() == count
                    && (!entity.decl.templates.is_empty() || in_template(entity)) =>
            {
                Some((entity, function))
            }
            _ => None,
        })
    }

    /// The arguments of `template void f<int>(float *);` ([temp.deduct.decl]).
    fn explicit_arguments(
        &self,
        entity: &Entity,
        function: &Function,
        given: Vec<Bound>,
        types: &[Type],
        no_call: &Call<'_>,
        env: &Env,
    ) -> Deduced {
        let parameters = entity.decl.templates.last().map_or(&[][..], |head| &head.parameters);
        let mut found: Bindings =
            parameters.iter().zip(given.clone()).map(|(parameter, bound)| (parameter.name, bound)).collect();
        for (pattern, ty) in function.parameters.iter().zip(types) {
            let actual = self.view.parameter_ty(ty, env);
            self.view.unify(&pattern.ty, &entity.env, parameters, &actual, &mut found);
        }
        let mut list = Vec::new();
        for parameter in parameters {
            match found.iter().find(|(name, _)| *name == parameter.name) {
                Some((_, bound)) => list.push(bound.clone()),
                None => break,
            }
        }
        self.view.deduce(entity, function, list, no_call)
    }

    /// A variable template in the GPU's memory. The host needs the symbol where its own code names it.
    fn variable(&mut self, mention: &Mention, entities: &[Entity], env: &Env) {
        let view = self.view;
        if self.device_code && view.is_host() {
            return;
        }
        let Some((entity, variable, list, inner)) = view.variable_template(entities, &mention.path, env)
        else {
            return;
        };
        // The value of a constant needs no symbol.
        if !entity.decl.specifiers.device_memory() || entity.decl.specifiers.is_constexpr {
            return;
        }
        view.touch(entity.top);
        let name = view.qualified_name(entity);
        self.found.push(Instantiation {
            declared: entities.first().map_or(entity.decl.at, |first| first.decl.at),
            key: list_text(&list, Spelling::Canonical),
            shown: format!("{name}<{}>", list_text(&list, Spelling::Shown)),
            kernel: name,
            variable: true,
            sure: list.iter().all(Bound::is_sure),
            site: mention.at,
            root: self.root.unwrap_or(mention.at),
            parameters: vec![view.ty(&variable.ty, &inner)],
            trace: view.trace.borrow().clone(),
            ordinary_before: Vec::new(),
        });
    }

    fn kernel(
        &mut self,
        mention: &Mention,
        entity: &Entity,
        function: &Function,
        list: &[Bound],
        inner: &Env,
    ) {
        let view = self.view;
        view.touch(entity.top);
        let name = view.qualified_name(entity);
        let parameters = view.parameter_types(function, inner);
        self.found.push(Instantiation {
            declared: entity.decl.at,
            key: list_text(list, Spelling::Canonical),
            shown: format!("{name}<{}>", list_text(list, Spelling::Shown)),
            kernel: name,
            variable: false,
            sure: list.iter().all(Bound::is_sure),
            site: mention.at,
            root: self.root.unwrap_or(mention.at),
            parameters,
            trace: view.trace.borrow().clone(),
            ordinary_before: list.iter().filter_map(ordinary_before).collect(),
        });
        // A kernel's own body may launch others and instantiate templates that do.
        let key = format!("{}@{:?}", self.found[self.found.len() - 1].shown, entity.decl.at);
        if self.enter(key, &entity.decl, list) {
            self.instantiated(function, &entity.decl, inner, list);
            self.nesting.pop();
        }
    }
}

/// Whether it is a member of a class template's instance.
fn in_template(entity: &Entity) -> bool {
    entity.owner.as_ref().is_some_and(|owner| !owner.arguments.is_empty())
}

/// A template's name by itself, whose arguments hang on the type that it is converted to ([over.over]).
fn is_open(mention: &Mention, entity: &Entity) -> bool {
    let parameters = entity.decl.templates.last().map_or(&[][..], |head| &head.parameters);
    mention.path.last().arguments.is_none() && parameters.iter().any(|one| one.default.is_none() && !one.pack)
}

/// `Buffer b(p, n);` reads like a function of types `p` and `n`.
fn given_names(function: &Function) -> Option<Expr> {
    let plain = |parameter: &Parameter| {
        let is_type = parameter.name == sym::EMPTY && parameter.default.is_none();
        if is_type { as_value(&parameter.ty) } else { None }
    };
    let values: Option<Vec<Expr>> = function.parameters.iter().map(plain).collect();
    values.filter(|values| !values.is_empty()).map(Expr::List)
}

/// What reads like the name of a type, or like the type of a function, as a value.
fn as_value(ty: &Type) -> Option<Expr> {
    match ty {
        Type::Named(path) => Some(Expr::Name(path.clone())),
        Type::Function(callee, list) => {
            let Type::Named(path) = callee.as_ref() else { return None };
            let mut values: Vec<Expr> = list.iter().map(as_value).collect::<Option<_>>()?;
            match (path.last().name.as_str(), path.last().arguments.as_deref()) {
                (
                    "static_cast" | "const_cast" | "reinterpret_cast" | "dynamic_cast",
                    Some([Argument::Type(ty)]),
                ) => Some(Expr::Cast(Box::new(ty.clone()), Box::new(values.pop()?))),
                _ => Some(Expr::Call(Box::new(Expr::Name(path.clone())), values.into())),
            }
        }
        _ => None,
    }
}

fn ordinary_before(argument: &Bound) -> Option<usize> {
    let Bound::Type(ty) = argument else { return None };
    class_in(ty)?.lambda().map(|closure| closure.ordinary_before)
}

fn address(decl: &Arc<Decl>) -> usize {
    Arc::as_ptr(decl) as usize
}
