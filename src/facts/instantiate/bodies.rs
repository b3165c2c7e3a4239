//! Bodies, and the declarations around them: every mention in them is followed.

use super::effects::{PendingLambda, SharedKey};
use super::walk::{Explicit, Walk};
use crate::facts::lower::ast::*;
use crate::facts::meaning::trace::Trace;
use crate::facts::meaning::types::{Env, FrameKind, Instance, TemplateArgument, Ty};
use crate::facts::meaning::view::{Entity, LookupResult};
use crate::source::{Span, Symbol, sym};
use std::rc::Rc;
use std::sync::Arc;

impl Walk<'_> {
    /// Walks a root: a top-level declaration that is no template.
    pub(in crate::facts) fn walk_root(&mut self, top: usize) {
        self.view.set_trace(Trace::NOTHING);
        self.context.may_call_lambda = false;
        self.follow_shared(SharedKey::Root(top), self.view.alike(top), |walk| {
            let env = Env::of_top(walk.view.unit, top);
            for decl in walk.view.lowered(top).iter() {
                walk.view.set_trace(Trace::NOTHING);
                walk.view.depend_on(top);
                walk.context.may_call_lambda = false;
                walk.walk_declaration(decl, &env, top);
            }
        });
    }

    /// Walks a declaration that is not instantiated from elsewhere.
    fn walk_declaration(&mut self, decl: &Arc<Decl>, env: &Env, top: usize) {
        if decl.templates.iter().any(|head| !head.parameters.is_empty()) {
            return;
        }
        match &decl.kind {
            DeclBody::Function(function)
                if function.body.is_none()
                    && !function.defaulted
                    && !function.parameters.is_empty()
                    && !decl.is_specialization()
                    && !self.declares_function(function, env) =>
            {
                let inner = match &decl.qualifier {
                    Some(qualifier) => self.env_of_qualifier(qualifier, env),
                    None => env.clone(),
                };
                self.follow_variable_like_function(function, &inner, decl.at);
                self.follow_types_of(function, &inner, decl.at);
            }
            DeclBody::Function(function) => {
                let inner = match &decl.qualifier {
                    Some(qualifier) => self.env_of_qualifier(qualifier, env),
                    None => env.clone(),
                };
                self.follow_body(function, decl, &inner);
                self.follow_types_of(function, &inner, decl.at);
                if decl.is_specialization() && decl.specifiers.global && function.body.is_some() {
                    self.instantiate_specialization(function, decl, env);
                }
            }
            DeclBody::Variable(variable) => {
                let env = &match &decl.qualifier {
                    Some(qualifier) => self.env_of_qualifier(qualifier, env),
                    None => env.clone(),
                };
                let inner = env.block();
                self.follow_items(&variable.items, &inner);
                if !decl.specifiers.is_extern || variable.initializer.is_some() {
                    self.initialize_variable(variable, env, decl.at);
                }
            }
            DeclBody::Class(_) => {
                let path = Path::plain(decl.name);
                let class = match self.view.named_type(&path, env) {
                    Ty::Class(class) if class.decl.as_ref().is_some_and(|own| own.at == decl.at) => class,
                    _ => Rc::new(Instance {
                        number: self.view.caches.identities.named(decl.name.as_str(), &[]),
                        name: decl.name.to_string(),
                        arguments: Vec::new(),
                        decl: Some(decl.clone()),
                        env: env.clone(),
                        top,
                        alike: self.view.only_here(),
                        weight: 1,
                        alternatives: Vec::new(),
                        texts: Default::default(),
                        portability: Default::default(),
                    }),
                };
                self.follow_bases(&class);
                self.walk_members(&class, top);
            }
            DeclBody::Alias(ty) => self.follow_type(ty, env, decl.at),
            DeclBody::Instantiation(mention) => {
                self.context.explicit = Some(match decl.specifiers.is_extern {
                    true => Explicit::Declaration,
                    false => Explicit::Definition,
                });
                self.follow_mention(mention, env);
                self.context.explicit = None;
            }
            _ => {}
        }
    }

    /// Follows the functions that the types in a function's declaration name as template arguments.
    fn follow_types_of(&mut self, function: &Function, env: &Env, at: Span) {
        for parameter in &function.parameters {
            self.follow_type(&parameter.ty, env, at);
        }
        self.follow_type(&function.result, env, at);
    }

    /// Where the names of a declaration are looked up after its qualified name ([basic.lookup.unqual]).
    fn env_of_qualifier(&self, qualifier: &Path, env: &Env) -> Env {
        if let LookupResult::Namespace(namespaces) = self.view.lookup(qualifier, env) {
            let scope = namespaces.iter().find_map(|one| self.view.unit.scope_of(*one));
            return scope.map_or_else(|| env.clone(), |scope| Env::namespace(scope).at(env.top));
        }
        match self.view.named_type(qualifier, env) {
            Ty::Class(class) => class.env.inside(class.clone()).at(env.top),
            _ => env.clone(),
        }
    }

    /// An explicit specialization of a kernel template is emitted whether or not anything uses it, as if it were
    /// explicitly instantiated.
    fn instantiate_specialization(&mut self, function: &Function, decl: &Decl, env: &Env) {
        let mut path = decl.qualifier.clone().unwrap_or_default();
        path.segments.push(Segment { name: decl.name, arguments: function.arguments.clone() });
        let parameters = function.parameters.iter().map(|one| one.ty.clone()).collect();
        let qualifiers = (function.is_const, function.reference);
        let signature = Signature { result: function.result.clone(), parameters, qualifiers };
        let mention = Mention { signature: Some(signature), ..Mention::of(path, decl.at) };
        self.context.explicit = Some(Explicit::Definition);
        self.follow_mention(&mention, env);
        self.context.explicit = None;
    }

    /// Walks the members of a non-template class, whose bodies are not instantiated from elsewhere.
    fn walk_members(&mut self, class: &Rc<Instance>, top: usize) {
        let Some(decl) = class.decl.clone() else { return };
        let decl = self.view.own_definition(class.top, decl);
        let DeclBody::Class(definition) = &decl.kind else { return };
        let inside = class.env.inside(class.clone());
        for member in definition.members.iter().flatten() {
            // A friend function that is defined here is a function of the namespace ([class.friend]/6).
            if member.specifiers.is_friend
                && !matches!(&member.kind, DeclBody::Function(one) if one.body.is_some())
            {
                continue;
            }
            match &member.kind {
                DeclBody::Variable(variable) if !member.specifiers.is_static => {
                    self.walk_member_initializer(variable, &inside, member.at);
                }
                _ => self.walk_declaration(member, &inside, top),
            }
        }
    }

    /// Walks the default member initializer of a class that is no template: it is instantiated with the class, but what
    /// destroys the member is not.
    fn walk_member_initializer(&mut self, variable: &Variable, inside: &Env, at: Span) {
        self.follow_addressed_initializer(variable, inside, at);
        self.follow_items(&variable.items, &inside.block());
        if variable.initializer.is_some() && self.is_relevant_variable(variable, inside) {
            let ty = self.view.ty(&variable.ty, inside);
            let (initializer, form) = (variable.initializer.as_ref(), variable.initialization);
            self.rooted_at(at, |walk| walk.initialize_by(&ty, initializer, form, inside, at));
        }
    }

    /// Ends the walk of a pass: follows the bodies of the generic lambdas of which no call was seen, for unknown
    /// arguments.
    pub(in crate::facts) fn finish(&mut self) {
        self.context.may_call_lambda = false;
        while let Some(met) = self.pending.pop() {
            let DeclBody::Function(function) = &met.operator.kind else { continue };
            if self.history.is_called(&met.operator) {
                continue;
            }
            let unknown = |parameter: &TemplateParameter| {
                let name = parameter.name.as_str();
                let word = name.split_once(':').map_or(name, |(auto, _)| auto);
                (parameter.name, TemplateArgument::Type(Ty::opaque(word)))
            };
            let open = met.operator.templates.iter().flat_map(|head| &head.parameters);
            let bindings = open.filter(|parameter| !parameter.pack).map(unknown).collect();
            self.view.set_trace(met.trace);
            self.view.depend_on_unsettled();
            (self.context.root, self.context.call) = (met.root, met.call);
            self.context.device_code = met.device_code;
            self.follow_body(function, &met.operator, &met.env.with_bindings(bindings));
        }
        (self.context.root, self.context.call, self.context.device_code) = (None, None, false);
    }

    /// Follows a function's body in its execution space.
    fn follow_body(&mut self, function: &Function, decl: &Decl, env: &Env) {
        let is_defined = function.defaulted && decl.qualifier.is_some();
        let Some(items) = function.body.as_deref().or(is_defined.then_some(&[])) else { return };
        self.note_followed(decl.at.loc());
        let around = self.context.device_code;
        self.context.device_code |= decl.specifiers.device_code();
        let outer = self.relevance().begin_body(env.innermost_class().map(Rc::as_ref));
        self.follow_body_here(function, decl, env, items);
        self.relevance().end_body(outer);
        self.context.device_code = around;
    }

    /// The same in the execution space of its code.
    fn follow_body_here(&mut self, function: &Function, decl: &Decl, env: &Env, items: &[Item]) {
        let special = SpecialMember::of(decl, env);
        if !self.context.may_call_lambda
            && !self.context.may_create
            && !self.relevance().items_are_relevant(items)
            && !special.as_ref().is_some_and(|(_, class)| self.has_relevant_parts(class))
            && !self.returns_relevant(function)
        {
            return;
        }
        let (may_call_lambda, may_create) = (self.context.may_call_lambda, self.context.may_create);
        let has_parts = special.as_ref().is_some_and(|(_, class)| self.has_relevant_parts(class));
        self.context.may_create |= has_parts || self.returns_relevant(function);
        let converting = std::mem::replace(&mut self.context.converting, false);
        let nested_lists = std::mem::take(&mut self.context.nested_lists);
        let addressed = std::mem::take(&mut self.context.addressed);
        let inner = self.view.inside(function, env);
        let result = self.context.result.replace((function.result.clone(), inner.clone()));
        self.follow_items(items, &inner);
        self.context.result = result;
        match special {
            Some((SpecialMember::Constructor, class)) => {
                self.rooted_at(decl.at, |walk| {
                    walk.follow_rest_of_constructor(&class, items, &inner, decl.at);
                });
            }
            Some((SpecialMember::Destructor, class)) => {
                self.rooted_at(decl.at, |walk| walk.destroy_parts(&class, decl.at));
            }
            None => {}
        }
        (self.context.may_call_lambda, self.context.may_create) = (may_call_lambda, may_create);
        self.context.converting = converting;
        self.context.nested_lists = nested_lists;
        self.context.addressed = addressed;
    }

    /// Whether a function's return statements may create objects of a relevant class.
    fn returns_relevant(&self, function: &Function) -> bool {
        self.relevance().type_is_relevant(&function.result)
    }

    /// Follows the body of an instantiation. Its template arguments may be lambdas that it calls.
    pub(in crate::facts) fn follow_instantiated_body(
        &mut self,
        function: &Function,
        decl: &Decl,
        env: &Env,
        arguments: &[TemplateArgument],
    ) {
        if self.apart.has_code(env) {
            if function.body.is_some() {
                self.note_followed(decl.at.loc());
            }
            return;
        }
        let (may_call_lambda, may_create) = (self.context.may_call_lambda, self.context.may_create);
        let around = self.context.device_code;
        self.context.device_code |= decl.specifiers.device_code();
        let carries = |argument: &TemplateArgument| self.relevance().carries_relevant_lambda(argument);
        // A member function may call a lambda that is a data member.
        let of_class = |class: &Rc<Instance>| class.is_closure() || class.arguments.iter().any(carries);
        let may_call = arguments.iter().any(carries) || env.innermost_class().is_some_and(of_class);
        self.context.may_call_lambda = may_call;
        let creates = |argument: &TemplateArgument| self.relevance().argument_creates(argument);
        let may_return = matches!(function.result, Type::Named(_)) && !function.defaulted;
        self.context.may_create = (self.relevance().constructs() || may_return)
            && (arguments.iter().any(creates)
                || env.innermost_class().is_some_and(|class| class.arguments.iter().any(creates)));
        self.follow_body(function, decl, env);
        (self.context.may_call_lambda, self.context.may_create) = (may_call_lambda, may_create);
        self.context.device_code = around;
    }

    /// Follows the items of a body, except discarded statements.
    pub(in crate::facts) fn follow_items(&mut self, items: &[Item], env: &Env) {
        if !self.context.may_call_lambda
            && !self.context.may_create
            && !self.relevance().items_are_relevant(items)
        {
            return;
        }
        for item in items {
            match item {
                Item::Mention(mention) => self.follow_mention(mention, env),
                Item::Argument(mention) => {
                    self.note_seen(mention.at);
                    self.rooted_at(mention.at, |walk| walk.follow_named_argument(mention, env));
                }
                Item::Expansion(inner) => {
                    let names = |names: &mut Vec<Symbol>| inner.iter().for_each(|one| one.names(names));
                    let envs = self.view.expansions(names, env).unwrap_or_else(|| vec![env.clone()]);
                    envs.iter().for_each(|env| self.follow_items(inner, env));
                }
                Item::Block(inner, _) => self.follow_items(inner, &env.block()),
                Item::IfConstexpr(condition, then, otherwise) => {
                    if !self.context.may_call_lambda
                        && !self.context.may_create
                        && !self.relevance().items_are_relevant(then)
                        && !self.relevance().items_are_relevant(otherwise)
                    {
                        continue;
                    }
                    let saved = self.view.trace();
                    let value = self.view.value(condition, env).int();
                    if value.is_none() {
                        self.view.depend_on_unsettled();
                    }
                    match value != Some(0) {
                        true => self.follow_items(then, &env.block()),
                        false => self.discard(then),
                    }
                    match value.is_none_or(|value| value == 0) {
                        true => self.follow_items(otherwise, &env.block()),
                        false => self.discard(otherwise),
                    }
                    if value.is_none() {
                        self.view.set_trace(saved);
                    }
                }
                Item::Declare(decl) => self.follow_local(decl, env),
                Item::Lambda(parameters, result, body) => {
                    let named = parameters.iter().filter(|parameter| parameter.name != sym::EMPTY);
                    let types = named.map(|one| (one.name, self.view.ty(&one.ty, env))).collect();
                    parameters.iter().for_each(|parameter| self.follow_items(&parameter.items, env));
                    let inner = env.with_parameters(types);
                    let around = self.context.result.replace((result.clone(), inner.clone()));
                    let may_create = self.context.may_create;
                    self.context.may_create |= self.relevance().type_is_relevant(result);
                    self.follow_items(body, &inner.block());
                    self.context.may_create = may_create;
                    self.context.result = around;
                }
                Item::Generic(closure) => self.defer_lambda(closure, env),
                Item::Shared(..) if !self.relevance().has_operator(sym::ASSIGN) => {}
                Item::Expression(expr, at) | Item::Shared(expr, at) => {
                    self.rooted_at(*at, |walk| walk.follow_operators(expr, env, *at));
                }
                Item::Returned(expr, at) => {
                    if let Some((ty, around)) = self.context.result.clone()
                        && (self.relevance().may_use_objects(env)
                            || self.relevance().has_special_members()
                            || self.context.may_create
                            || self.relevance().type_is_relevant(&ty)
                            || self.relevance().expr_is_relevant(expr))
                    {
                        let ty = match ty.is_placeholder() {
                            true => self.view.placeholder_type(&ty, expr, env),
                            false => Some(self.view.ty(&ty, &around)),
                        };
                        if let Some(ty) = ty {
                            let moved = self.is_implicitly_movable(expr, &ty, env).then(|| as_xvalue(expr));
                            let value = moved.as_ref().unwrap_or(expr);
                            self.rooted_at(*at, |walk| {
                                walk.initialize_by(&ty, Some(value), Initialization::Copy, env, *at);
                                walk.destroy(&ty, *at);
                            });
                        }
                    }
                }
                Item::Initialize(path, initializer, form, at) => {
                    let initializer = (initializer.as_ref(), *form);
                    self.rooted_at(*at, |walk| walk.follow_member_initializer(path, initializer, env, *at));
                }
            }
        }
    }

    /// Whether the operand of a return statement is the name of a variable of the function or of a parameter of it, no reference,
    /// that is moved then ([class.copy.elision]/3). What is converted to another class is not (measured on nvcc 13.0).
    fn is_implicitly_movable(&self, operand: &Expr, result: &Ty, env: &Env) -> bool {
        let Expr::Name(path) = operand else { return false };
        let [Segment { name, arguments: None }] = path.segments.as_slice() else { return false };
        let frames = std::iter::successors(env.frame.as_ref(), |frame| frame.parent.as_ref());
        // What a lambda captures is declared outside its class.
        let own = frames.take_while(|frame| !matches!(frame.kind, FrameKind::Class(_)));
        let is_declared = own.into_iter().any(|frame| match &frame.kind {
            FrameKind::Parameters(all) => all.iter().any(|(own, _)| own == name),
            FrameKind::Block(block) => {
                block.borrow().last_of(*name).is_some_and(|one| !one.specifiers.is_static)
            }
            _ => false,
        });
        let is_result = |ty: Ty| match (&ty, result) {
            (Ty::Class(own), Ty::Class(result)) => own.is_same(result),
            _ => false,
        };
        is_declared && !path.global && self.view.type_of(operand, env).is_some_and(is_result)
    }

    /// Notes the mentions of a discarded statement ([stmt.if]/2): they instantiate nothing.
    fn discard(&mut self, items: &[Item]) {
        for item in items {
            match item {
                Item::Mention(mention) | Item::Argument(mention) => self.note_seen(mention.at),
                Item::Block(inner, _) | Item::Expansion(inner) | Item::Lambda(_, _, inner) => {
                    self.discard(inner);
                }
                Item::IfConstexpr(_, then, otherwise) => {
                    [then, otherwise].iter().for_each(|one| self.discard(one))
                }
                Item::Declare(decl) => {
                    if let DeclBody::Variable(variable) = &decl.kind {
                        if matches!(variable.initializer, Some(Expr::StructuredBinding(..))) {
                            self.note_seen(decl.at);
                        }
                        self.discard(&variable.items);
                    }
                }
                Item::Expression(expr, at) if matches!(**expr, Expr::RangeElement(_)) => self.note_seen(*at),
                Item::Generic(_)
                | Item::Expression(..)
                | Item::Shared(..)
                | Item::Returned(..)
                | Item::Initialize(..) => {}
            }
        }
    }

    /// Notes that a generic lambda is evaluated. Its body is instantiated by calls, which may follow.
    fn defer_lambda(&mut self, closure: &Closure, env: &Env) {
        let Some(operator) =
            closure.operator.clone().filter(|_| self.relevance().closure_is_relevant(closure))
        else {
            return;
        };
        // It may be stored in a variable, and be called by that name from here on.
        self.context.may_call_lambda = true;
        self.defer(Rc::new(PendingLambda {
            operator,
            env: env.clone(),
            root: self.context.root,
            call: self.context.call,
            device_code: self.context.device_code,
            trace: self.view.trace().of_any_pass(),
        }));
    }

    /// Follows a local declaration.
    fn follow_local(&mut self, decl: &Arc<Decl>, env: &Env) {
        match &decl.kind {
            DeclBody::Variable(variable) if self.is_unused_lambda(decl, variable) => {
                for item in &variable.items {
                    match item {
                        Item::Generic(closure) => self.discard_lambda(closure),
                        other => self.follow_items(std::slice::from_ref(other), env),
                    }
                }
                env.declare(decl.clone());
            }
            DeclBody::Variable(variable) => {
                let known = self.context.addressed.len();
                self.follow_addressed_initializer(variable, env, decl.at);
                self.follow_items(&variable.items, env);
                if !decl.specifiers.is_extern {
                    self.initialize_variable(variable, env, decl.at);
                }
                self.context.addressed.truncate(known);
                env.declare(decl.clone());
            }
            // `Buffer<int> b(size);` parses like a function declaration.
            DeclBody::Function(function)
                if function.body.is_none() && !self.declares_function(function, env) =>
            {
                let variable = self.follow_variable_like_function(function, env, decl.at);
                let object = Decl { kind: DeclBody::Variable(variable), ..Decl::clone(decl) };
                env.declare(Arc::new(object));
            }
            DeclBody::Class(_) if decl.templates.is_empty() => {
                env.declare(decl.clone());
                if let Ty::Class(class) = self.view.named_type(&Path::plain(decl.name), env) {
                    self.walk_members(&class, usize::MAX);
                }
            }
            DeclBody::Alias(ty) => {
                self.relevance().note_alias(decl, ty);
                self.follow_type(ty, env, decl.at);
                env.declare(decl.clone());
            }
            _ => env.declare(decl.clone()),
        }
    }

    /// Follows the initialization of a variable that is written like the declaration of a function: `Buffer<int> b(size());`.
    pub(super) fn follow_variable_like_function(
        &mut self,
        function: &Function,
        env: &Env,
        at: Span,
    ) -> Variable {
        let initializer = initializer_of(function);
        if let Some(values) = &initializer {
            self.follow_calls(values, env, at);
        }
        let variable = Variable {
            ty: function.result.clone(),
            initializer,
            initialization: Initialization::Direct,
            bits: None,
            alignas: Vec::new(),
            arguments: None,
            items: Vec::new(),
        };
        self.initialize_variable(&variable, env, at);
        variable
    }

    /// Follows the calls in an expression that was parsed as a part of a declaration.
    fn follow_calls(&mut self, expr: &Expr, env: &Env, at: Span) {
        match expr {
            Expr::List(values) => values.iter().for_each(|one| self.follow_calls(one, env, at)),
            Expr::Call(callee, arguments) => {
                arguments.iter().for_each(|one| self.follow_calls(one, env, at));
                if let Expr::Name(path) = callee.as_ref() {
                    let arguments = Some(Arc::clone(arguments));
                    self.follow_mention(&Mention { arguments, ..Mention::of(path.clone(), at) }, env);
                }
            }
            Expr::Unary(_, inner) | Expr::Cast(_, inner) => self.follow_calls(inner, env, at),
            Expr::Binary(_, left, right) => {
                self.follow_calls(left, env, at);
                self.follow_calls(right, env, at);
            }
            _ => {}
        }
    }

    /// Whether a variable holds a generic lambda and nothing names the variable, so that nothing calls the lambda: its name
    /// occurs once in the declaration around it.
    fn is_unused_lambda(&self, decl: &Decl, variable: &Variable) -> bool {
        let Some(Expr::Lambda(closure)) = &variable.initializer else { return false };
        let unit = self.view.unit;
        closure.operator.is_some()
            && variable.ty.is_placeholder()
            && unit.holding(closure.at).is_some_and(|top| {
                self.view.share_with(self.view.alike(top));
                let mut tokens = unit.tokens(top, self.view.pass).into_iter();
                let mut is_name = |token: crate::preprocess::PpToken| token.text == decl.name;
                tokens.by_ref().any(&mut is_name) && !tokens.any(is_name)
            })
    }

    /// Notes the mentions in a generic lambda that nothing calls: they instantiate nothing.
    fn discard_lambda(&mut self, closure: &Closure) {
        let operator = closure.operator.as_ref().map(|operator| &operator.kind);
        if let Some(DeclBody::Function(Function { body: Some(body), .. })) = operator {
            self.discard(body);
        }
    }

    /// Whether a mention may create or destroy an object of a relevant class though it spells no relevant name: by copying
    /// the arguments of a call, by what a call returns, by a template parameter that stands for the class.
    fn may_create(&self, mention: &Mention, env: &Env) -> bool {
        let copies = self.relevance().has_special_members();
        if !copies && self.is_of_creating_class(mention, env) {
            return true;
        }
        if !copies && !self.context.may_create || self.context.device_code {
            return false;
        }
        copies && (mention.arguments.is_some() || matches!(mention.role, Role::New | Role::NewArray))
            || (mention.arguments.is_some() || mention.role != Role::Named)
                && match self.view.lookup_unqualified(mention.path.segments[0].name, env) {
                    LookupResult::TemplateArgument(argument) => self.relevance().argument_creates(&argument),
                    _ => false,
                }
    }

    /// Whether a mention calls a member function of a class template specialization that may create objects of a relevant
    /// class among its template arguments: `slot.emplace(1)`.
    fn is_of_creating_class(&self, mention: &Mention, env: &Env) -> bool {
        let Some((object, arrow)) = mention.receiver.as_ref().filter(|_| mention.arguments.is_some()) else {
            return false;
        };
        self.relevance().constructs()
            && !self.context.device_code
            && self.view.object_class(object, *arrow, env).is_some_and(|class| {
                class.arguments.iter().any(|argument| self.relevance().argument_creates(argument))
            })
    }

    /// Whether a local declaration that is written like that of a function declares one: it has no parameters, or some that
    /// are types and no expressions ([dcl.ambig.res]).
    fn declares_function(&self, function: &Function, env: &Env) -> bool {
        let is_type = |parameter: &Parameter| match element(&parameter.ty) {
            Type::Named(path) => match self.view.lookup(path, env) {
                LookupResult::Class(_) => true,
                LookupResult::Entities(found) => found
                    .first()
                    .is_some_and(|one| matches!(one.decl.kind, DeclBody::Class(_) | DeclBody::Alias(_))),
                LookupResult::TemplateArgument(TemplateArgument::Type(_)) => true,
                _ => false,
            },
            _ => false,
        };
        initializer_of(function).is_none() || function.parameters.iter().any(is_type)
    }

    /// Follows a name among template arguments if it is that of a function.
    fn follow_named_argument(&mut self, mention: &Mention, env: &Env) {
        let is_function = |one: &Entity| matches!(one.decl.kind, DeclBody::Function(_));
        if matches!(self.view.lookup(&mention.path, env), LookupResult::Entities(all) if all.iter().any(is_function))
        {
            self.follow_mention(mention, env);
        }
    }

    /// Follows a mention, if it is relevant. Varying declarations on which its meaning depends are traced for it alone.
    fn follow_mention(&mut self, mention: &Mention, env: &Env) {
        let is_open = self.context.may_call_lambda && mention.arguments.is_some()
            || self.context.explicit.is_some()
            || self.may_create(mention, env);
        if !is_open && !self.relevance().mention_is_relevant(mention) {
            return;
        }
        self.rooted_at(mention.at, |walk| {
            if is_open || walk.may_name_relevant(mention, env) {
                walk.resolve(mention, env);
            }
        });
    }
}

/// A member function whose definition also concerns the parts of its object.
enum SpecialMember {
    Constructor,
    Destructor,
}

impl SpecialMember {
    /// The kind of special member function that a declaration is, and its class.
    fn of(decl: &Decl, env: &Env) -> Option<(SpecialMember, Rc<Instance>)> {
        let class = env.class()?;
        let name = class.decl.as_ref()?.name;
        match decl.name.as_str().strip_prefix('~') {
            Some(rest) => (rest.trim() == name.as_str()).then_some((SpecialMember::Destructor, class)),
            None => (decl.name == name).then_some((SpecialMember::Constructor, class)),
        }
    }
}

/// A glvalue expression as `static_cast<T &&>(x)`, of its own type.
fn as_xvalue(expr: &Expr) -> Expr {
    let ty = Type::RvalueReference(Box::new(Type::Decltype(Box::new(expr.clone()))));
    Expr::Cast(Box::new(ty), Box::new(expr.clone()))
}

/// The initializer of `Buffer b(p, n);`, which parses like the declaration of a function with parameter types `p` and
/// `n`.
fn initializer_of(function: &Function) -> Option<Expr> {
    let plain = |parameter: &Parameter| match parameter.name {
        _ if parameter.default.is_some() => None,
        sym::EMPTY => as_value(&parameter.ty),
        name => as_operation(&parameter.ty, Expr::Name(Path::plain(name))),
    };
    let values: Option<Vec<Expr>> = function.parameters.iter().map(plain).collect();
    values.filter(|values| !values.is_empty()).map(Expr::List)
}

/// The type that an array, a pointer or a reference is made of, and a function that returns one of these; any other type as
/// it is.
fn element(ty: &Type) -> &Type {
    match ty {
        Type::Array(of, _) | Type::Pointer(of) | Type::LvalueReference(of) | Type::RvalueReference(of) => {
            element(of)
        }
        Type::Function(of, ..) if !matches!(**of, Type::Named(_)) => element(of),
        other => other,
    }
}

/// The expression `n * m`, `n & m` or `n && m` that was parsed as the declaration of a parameter `m` of type `ty`; `operand`
/// is what stands behind the operator. `n * f(m)` and `n * *m` are also parsed so.
fn as_operation(ty: &Type, operand: Expr) -> Option<Expr> {
    let (operator, left) = match ty {
        Type::Pointer(left) => (sym::STAR, left),
        Type::LvalueReference(left) => (sym::AMP, left),
        Type::RvalueReference(left) => (sym::AMP_AMP, left),
        Type::Array(of, index) => {
            return as_operation(of, Expr::Subscript(Box::new(operand), index.clone()?));
        }
        Type::Function(of, list, _) => {
            let values: Vec<Expr> = list.iter().map(as_value).collect::<Option<_>>()?;
            return as_operation(of, Expr::Call(Box::new(operand), values.into()));
        }
        _ => return None,
    };
    match **left {
        Type::Pointer(_) | Type::LvalueReference(_) | Type::RvalueReference(_) => {
            as_operation(left, Expr::Unary(operator, Box::new(operand)))
        }
        _ => Some(Expr::Binary(operator, Box::new(as_value(left)?), Box::new(operand))),
    }
}

/// The expression that was parsed as the name of a type or as a function type.
fn as_value(ty: &Type) -> Option<Expr> {
    match ty {
        Type::Named(path) => Some(Expr::Name(path.clone())),
        Type::Pack(pattern) => Some(Expr::Expansion(Box::new(as_value(pattern)?))),
        // `table[1][n]` is an array of arrays, of which the outer one has the first bound.
        Type::Array(..) => {
            let (mut of, mut bounds) = (ty, Vec::new());
            while let Type::Array(inner, bound) = of {
                bounds.push(bound.clone()?);
                of = inner;
            }
            let subscript = |object, index| Expr::Subscript(Box::new(object), index);
            Some(bounds.into_iter().fold(as_value(of)?, subscript))
        }
        Type::Function(callee, list, _) => {
            let Type::Named(path) = callee.as_ref() else {
                // `n * (m)`
                let [operand] = list.as_slice() else { return None };
                return as_operation(callee, as_value(operand)?);
            };
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
