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

use crate::facts::lower::ast::*;
use crate::facts::lower::nodes::CALL_OPERATOR;
use crate::facts::meaning::env::Env;
use crate::facts::meaning::types::{Bound, Instance, Ty};
use crate::facts::meaning::view::{Entity, Hit, View};

/// How many different instantiations are followed in one pass before the walk gives up.
const VISIT_LIMIT: usize = 50_000;

/// How deep instantiations may nest: what compilers allow templates by default.
const NESTING_LIMIT: usize = 900;

/// How often a template may be in the middle of itself without having led to a kernel: what ends its recursion is then
/// an overload that hangs on something unknown.
const FRUITLESS_LIMIT: usize = 64;

/// A kernel template with arguments, or a device variable template.
pub(in crate::facts) struct Instantiation {
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
pub(in crate::facts) enum Explicit {
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

/// What a walk changed of what later ones depend on.
#[derive(Default, Debug)]
pub(in crate::facts) struct Noted {
    /// What it visited.
    pub visited: Vec<Arc<str>>,
    /// What it would have visited if that had not been.
    pub met_again: Vec<Arc<str>>,
    /// What it put among what other objects have, or took away from there.
    pub elsewhere: Vec<(Arc<str>, bool)>,
    /// The call operators of generic lambdas that it called. The next analysis has the same objects of the same
    /// headers, as long as these are held.
    pub called: Vec<Arc<Decl>>,
}

impl Noted {
    pub(in crate::facts) fn is_empty(&self) -> bool {
        self.visited.is_empty() && self.elsewhere.is_empty() && self.called.is_empty()
    }
}

/// The operators whose functions are among some names.
pub(in crate::facts) fn operators(names: &FxHashSet<Symbol>) -> Rc<FxHashSet<Symbol>> {
    let operators = names.iter().filter_map(|name| name.as_str().strip_prefix("operator"));
    let is_symbol = |first: char| first.is_ascii_punctuation() && first != '_';
    Rc::new(operators.filter(|operator| operator.starts_with(is_symbol)).map(Symbol::intern).collect())
}

/// Walks one pass of a unit.
pub(in crate::facts) struct Walk<'v> {
    pub view: &'v View<'v>,
    pub relevant: &'v FxHashSet<Symbol>,
    pub visited: FxHashSet<Arc<str>>,
    /// What was noted since somebody wanted to know.
    pub noted: Option<Noted>,
    /// Item lists by address, for the life of the walk.
    pub leading: RefCell<FxHashMap<usize, bool>>,
    /// The templates whose bodies are at hand, each with how much was found before.
    pub(super) nesting: Vec<(Span, usize)>,
    pub(super) root: Option<Span>,
    /// The body at hand runs on GPUs only.
    pub(super) device_code: bool,
    /// The body at hand may call a generic lambda that leads to a kernel.
    carrying: bool,
    /// The generic lambdas that were met, until all calls are known.
    met: Vec<Met>,
    /// The call operators that calls instantiated, by address.
    called: FxHashSet<usize>,
    pub call_operator: Symbol,
    /// The operators whose functions are among the relevant names.
    pub operators: Rc<FxHashSet<Symbol>>,
    /// `visit`.
    pub(super) visit: Symbol,
    /// What was instantiated.
    pub found: Vec<Instantiation>,
    /// Keys that an `extern template` takes out of the pass.
    pub suppressed: FxHashSet<(String, String)>,
    /// Function templates with arguments, classes and their members whose bodies an `extern template` leaves to other
    /// objects.
    pub(super) elsewhere: FxHashSet<Arc<str>>,
    /// The mention at hand is an explicit instantiation, and which kind.
    pub(super) explicit: Option<Explicit>,
    /// What the function at hand returns, and where that type's names are looked up.
    result: Option<(Type, Env)>,
    /// The walk met a limit.
    pub incomplete: bool,
}

impl<'v> Walk<'v> {
    pub(in crate::facts) fn new(
        view: &'v View<'v>,
        relevant: &'v FxHashSet<Symbol>,
        operators: &Rc<FxHashSet<Symbol>>,
    ) -> Walk<'v> {
        Walk {
            view,
            relevant,
            visited: FxHashSet::default(),
            noted: None,
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
            operators: Rc::clone(operators),
            incomplete: false,
        }
    }

    /// How much it has of what later walks depend on, but for what a [`Noted`] has.
    pub(in crate::facts) fn state(&self) -> [usize; 3] {
        [self.found.len(), self.met.len(), self.suppressed.len()]
    }

    /// Since it was in a state it found nothing, and every generic lambda that it met was called: what calls made of
    /// them is all that there is.
    pub(in crate::facts) fn found_nothing(&self, [found, met, suppressed]: [usize; 3]) -> bool {
        let is_called = |met: &Met| self.called.contains(&address(&met.operator));
        self.found.len() == found
            && self.suppressed.len() == suppressed
            && self.met[met..].iter().all(is_called)
    }

    /// Does what a walk did that noted this, and nothing else.
    pub(in crate::facts) fn repeat(&mut self, noted: &Noted) {
        self.visited.extend(noted.visited.iter().cloned());
        for (name, there) in &noted.elsewhere {
            self.set_elsewhere(Arc::clone(name), *there);
        }
        self.called.extend(noted.called.iter().map(address));
    }

    /// Notes whether other objects have a function, a class or a member.
    pub(in crate::facts) fn set_elsewhere(&mut self, name: Arc<str>, there: bool) {
        let changed = match there {
            true => self.elsewhere.insert(Arc::clone(&name)),
            false => self.elsewhere.remove(&name),
        };
        if let Some(noted) = self.noted.as_mut().filter(|_| changed) {
            noted.elsewhere.push((name, there));
        }
    }

    /// Notes that a generic lambda is called, whose call operator this is.
    pub(in crate::facts) fn call(&mut self, operator: &Arc<Decl>) {
        let first = self.called.insert(address(operator));
        if let Some(noted) = self.noted.as_mut().filter(|_| first) {
            noted.called.push(Arc::clone(operator));
        }
    }

    /// Notes that something is visited; whether that is the first time.
    pub(in crate::facts) fn visit_first(&mut self, key: String) -> bool {
        let key: Arc<str> = key.into();
        let first = self.visited.insert(Arc::clone(&key));
        match self.noted.as_mut().filter(|_| first) {
            Some(noted) => noted.visited.push(key),
            None => self.meet_again(key),
        }
        first
    }

    fn meet_again(&mut self, key: Arc<str>) {
        if let Some(noted) = &mut self.noted {
            noted.met_again.push(key);
        }
    }

    /// Walks what a top-level declaration instantiates by itself.
    pub(in crate::facts) fn root(&mut self, top: usize) {
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
    pub(in crate::facts) fn finish(&mut self) {
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
    pub(in crate::facts) fn instantiated(
        &mut self,
        function: &Function,
        decl: &Decl,
        env: &Env,
        arguments: &[Bound],
    ) {
        let carrying = self.carrying;
        let is_lambda = env.innermost_class().is_some_and(|class| class.is_closure());
        self.carrying = is_lambda || arguments.iter().any(|argument| self.carries(argument));
        self.body(function, decl, env);
        self.carrying = carrying;
    }

    pub(in crate::facts) fn items(&mut self, items: &[Item], env: &Env) {
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

    /// Whether a template's body is to be walked for arguments: not twice for the same, and not within
    /// itself when they are not all known, since nothing would tell where the recursion ends.
    pub(in crate::facts) fn enter(&mut self, key: String, decl: &Decl, arguments: &[Bound]) -> bool {
        if self.visited.contains(key.as_str()) {
            self.meet_again(key.into());
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
        self.visit_first(key);
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

fn address(decl: &Arc<Decl>) -> usize {
    Arc::as_ptr(decl) as usize
}
