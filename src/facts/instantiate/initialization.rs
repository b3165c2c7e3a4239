//! Initialization of objects ([dcl.init]): the constructors that it calls.
//!
//! In: the type of an object or reference, and its initializer. Out: the instantiations that its initialization causes.
//! A constructor is chosen by overload resolution, or by value category where an object of the class is copied; where
//! that can't be told, all that may be meant are followed.

use std::rc::Rc;
use std::sync::Arc;

use crate::source::{Span, Symbol, sym};

use super::walk::Walk;
use crate::facts::lower::ast::*;
use crate::facts::lower::nodes::POINTER_TO_MEMBER;
use crate::facts::meaning::aggregate::is_designated;
use crate::facts::meaning::categories::ValueCategory;
use crate::facts::meaning::conversions::ConversionCost;
use crate::facts::meaning::deduce::Call;
use crate::facts::meaning::layout::class_in;
use crate::facts::meaning::types::{Env, Instance, Spelling, TemplateArgument, Ty, Value};
use crate::facts::meaning::viability::Viability;
use crate::facts::meaning::view::{Entity, LookupResult};
use crate::facts::model::BlindSpotCause;

/// Class templates of the library that can be initialized with a list of elements of their first template argument, and
/// those that can be with a list of pairs of their first two.
const SEQUENCES: [&str; 5] = ["vector", "initializer_list", "list", "deque", "set"];
const MAPS: [&str; 2] = ["map", "unordered_map"];

/// How deep constructions of classes may nest of which it is not settled which specialization they are.
const UNSETTLED_NESTING: u32 = 2;

impl Walk<'_> {
    /// Follows the initialization of an object or a reference of the type `ty`; without an initializer, its default
    /// initialization.
    pub(in crate::facts) fn initialize(&mut self, ty: &Ty, initializer: Option<&Expr>, env: &Env, at: Span) {
        self.initialize_by(ty, initializer, Initialization::Unknown, env, at);
    }

    /// The same, where it is known what initialization it is.
    pub(super) fn initialize_by(
        &mut self,
        ty: &Ty,
        initializer: Option<&Expr>,
        initialization: Initialization,
        env: &Env,
        at: Span,
    ) {
        match (ty, initializer) {
            (Ty::Qualified(inner, ..), _) => {
                self.initialize_by(inner, initializer, initialization, env, at);
            }
            (Ty::LvalueReference(to) | Ty::RvalueReference(to), Some(one)) => {
                self.bind_reference(to, one, initialization, env, at);
            }
            (Ty::Class(class), Some(one)) if class.name == POINTER_TO_MEMBER => {
                if let [_, TemplateArgument::Type(member)] = class.arguments.as_slice() {
                    self.follow_address(one, member, env, at);
                }
            }
            (Ty::Array(of, bound), _) => self.initialize_array(of, bound.as_ref(), initializer, env, at),
            (Ty::Class(class), Some(Expr::List(values))) => {
                let initialization = match initialization {
                    Initialization::Copy => Initialization::List,
                    other => other,
                };
                self.construct_by(class, values, initialization, env, at);
            }
            // An assignment: only in a list it is a designated initializer.
            (Ty::Class(class), Some(one))
                if is_designated(one)
                    && self.source_of_copy(class, one, env) == Some(ValueCategory::Lvalue) =>
            {
                self.copy(class, ValueCategory::Lvalue, at);
            }
            (Ty::Class(class), Some(one)) => {
                self.construct_by(class, std::slice::from_ref(one), initialization, env, at);
            }
            (Ty::Class(class), None) => self.construct_by(class, &[], initialization, env, at),
            (_, Some(Expr::List(values))) => match values.as_slice() {
                [only] => self.initialize(ty, Some(only), env, at),
                // A class that was not found: `std::thread worker(&Driver::run, this);`
                several => several.iter().for_each(|one| self.follow_named_members(one, env, at)),
            },
            (_, Some(one)) => {
                self.follow_address(one, ty, env, at);
                if !self.follow_conversion_function(one, ty, env, at)
                    && let Ty::Pointer(to) = ty
                    && let Ty::Function(_, parameters, _) = to.as_ref()
                {
                    self.call_generic_lambda(one, parameters, env, at);
                }
            }
            (_, None) => {}
        }
    }

    /// Follows the call of a generic lambda for parameters of these types: it is converted to a function that has them.
    fn call_generic_lambda(&mut self, expr: &Expr, parameters: &[Ty], env: &Env, at: Span) {
        if let Some(Ty::Class(class)) = self.view.type_of(expr, env).as_ref().map(Ty::without_cvref)
            && class.lambda().is_some_and(|closure| self.relevance().closure_is_relevant(closure))
        {
            self.call_object(class, parameters, at);
        }
    }

    /// Follows the initialization of a variable, and the end of its lifetime.
    pub(in crate::facts) fn initialize_variable(&mut self, variable: &Variable, env: &Env, at: Span) {
        let initializer = variable.initializer.as_ref();
        if let (Type::Named(path), Some(one)) = (&variable.ty, initializer)
            && path.last().name.as_str() == POINTER_TO_MEMBER
            && let Some([_, Argument::Type(member)]) = path.last().arguments.as_deref()
        {
            let member = self.view.ty(member, env);
            return self.rooted_at(at, |walk| walk.follow_address(one, &member, env, at));
        }
        if let Some(Expr::StructuredBinding(object, number)) = initializer {
            self.rooted_at(at, |walk| walk.follow_tuple_element(&variable.ty, object, *number, env, at));
        }
        if self.is_relevant_variable(variable, env)
            && let Some(ty) = self.view.type_of_variable(variable, env)
        {
            self.rooted_at(at, |walk| {
                walk.initialize_by(&ty, initializer, variable.initialization, env, at);
                walk.destroy(&ty, at);
            });
        }
    }

    /// Follows the call of `get<n>` that initializes the name of a structured binding of a class with a tuple protocol of its
    /// own ([dcl.struct.bind]/4).
    fn follow_tuple_element(&mut self, written: &Type, object: &Expr, number: usize, env: &Env, at: Span) {
        if !self.relevance().has(sym::GET) {
            return;
        }
        self.note_seen(at);
        let Some(ty) = self.view.type_of(object, env) else {
            return self
                .leave_unsettled(&Mention::of(Path::plain(sym::GET), at), BlindSpotCause::UnknownObject);
        };
        if self.view.tuple_element(&ty, number, env).is_none() {
            // What has no such element is no aggregate: `std::tuple_size` is specialized where nothing was found.
            if self.view.structured_binding_type(object, number, env).is_none() {
                self.leave_unsettled(&Mention::of(Path::plain(sym::GET), at), BlindSpotCause::UnknownObject);
            }
            return;
        }
        let Ty::Class(class) = ty.without_cvref() else { return };
        let is_member = match self.view.lookup_member(class, sym::GET) {
            LookupResult::Entities(found) => found.iter().any(|one| takes_constant(&one.decl)),
            _ => false,
        };
        let index = Argument::Value(Expr::Int(number as i128, Symbol::intern("unsigned long")));
        let path = Path {
            global: false,
            elaborated: false,
            segments: vec![Segment { name: sym::GET, arguments: Some(vec![index]) }],
        };
        let Some((variable, env)) = self.view.bound_variable(written, object, env) else { return };
        let mention = Mention::of(path, at);
        let mention = match is_member {
            true => Mention { receiver: Some((variable, false)), arguments: Some([].into()), ..mention },
            false => Mention { arguments: Some([variable].into()), ..mention },
        };
        self.resolve(&mention, &env);
    }

    /// Whether the initialization of a variable may reach a kernel template in question.
    pub(super) fn is_relevant_variable(&self, variable: &Variable, env: &Env) -> bool {
        let initializer = variable.initializer.as_ref();
        self.relevance().type_is_relevant(&variable.ty)
            || self.relevance().has_special_members()
            || self.context.may_call_lambda
            || self.context.may_create
            || initializer.is_some_and(|one| self.relevance().expr_is_relevant(one))
            || initializer.is_some() && self.relevance().may_use_objects(env)
    }

    /// Follows the elements of an array, whose bound may not be known.
    pub(in crate::facts) fn initialize_array(
        &mut self,
        of: &Ty,
        bound: Option<&Value>,
        initializer: Option<&Expr>,
        env: &Env,
        at: Span,
    ) {
        let Some(Expr::List(values)) = initializer else { return self.initialize(of, None, env, at) };
        let elements = Call::new(self.view, values, env).arguments;
        elements.iter().for_each(|(value, env)| self.initialize(of, Some(value), env, at));
        let count = i128::try_from(elements.len()).ok();
        if bound.and_then(Value::int).is_none_or(|bound| count.is_none_or(|count| count < bound)) {
            self.initialize(of, None, env, at);
        }
    }

    /// Follows the temporary object that a reference is bound to, if it needs one ([dcl.init.ref]).
    fn bind_reference(
        &mut self,
        to: &Ty,
        initializer: &Expr,
        initialization: Initialization,
        env: &Env,
        at: Span,
    ) {
        let Ty::Class(class) = to.unqualified() else {
            return self.initialize(to, Some(initializer), env, at);
        };
        if !matches!(initializer, Expr::List(_)) && self.source_of_copy(class, initializer, env).is_some() {
            return;
        }
        self.initialize_by(to, Some(initializer), initialization, env, at);
        self.destroy(to, at);
    }

    /// Follows the initialization of an object of a class by arguments or by the elements of a braced list.
    pub(in crate::facts) fn construct(&mut self, class: &Rc<Instance>, values: &[Expr], env: &Env, at: Span) {
        self.construct_by(class, values, Initialization::Unknown, env, at);
    }

    fn construct_by(
        &mut self,
        class: &Rc<Instance>,
        values: &[Expr],
        initialization: Initialization,
        env: &Env,
        at: Span,
    ) {
        if !self.is_relevant_construction(class, values) {
            return;
        }
        if !class.alternatives.is_empty() {
            // A class that may be one of several can have parts that are unsettled in turn, without end.
            if self.context.unsettled_constructions >= UNSETTLED_NESTING {
                if let Some(decl) = &class.decl {
                    self.leave_out(at, decl, BlindSpotCause::WithinItself);
                }
                return;
            }
            self.context.unsettled_constructions += 1;
            self.view.depend_on_unsettled();
            let alternatives = class.alternatives.iter();
            alternatives.for_each(|one| self.construct_by(one, values, initialization, env, at));
            self.construct_one(class, values, initialization, env, at);
            self.context.unsettled_constructions -= 1;
            return;
        }
        self.construct_one(class, values, initialization, env, at);
    }

    /// Follows the initialization of an object of a class, as if it were settled which specialization that is.
    fn construct_one(
        &mut self,
        class: &Rc<Instance>,
        values: &[Expr],
        initialization: Initialization,
        env: &Env,
        at: Span,
    ) {
        if let [one] = values
            && !is_designated(one)
        {
            match self.source_of_copy(class, one, env) {
                Some(ValueCategory::Prvalue) => return,
                Some(category) => return self.copy(class, category, at),
                None => {}
            }
            if self.follow_conversion_function(one, &Ty::Class(class.clone()), env, at) {
                return;
            }
        }
        if self.initialize_container(class, values, env, at) {
            return;
        }
        self.follow_deleter(class, values, env, at);
        self.follow_deduced_members(class);
        self.follow_virtual_functions(class);
        let Some(decl) = class.decl.clone() else { return };
        let mut constructors = self.view.constructors(class);
        let is_defaulted =
            |one: &Entity| matches!(&one.decl.kind, DeclBody::Function(function) if function.defaulted);
        let defaulted =
            constructors.extract_if(.., |one| is_defaulted(one)).any(|one| match &one.decl.kind {
                DeclBody::Function(function) => function.parameters.is_empty(),
                _ => false,
            });
        if constructors.is_empty() && !values.is_empty() {
            let call = Call::new(self.view, values, env);
            let mut elements = call.arguments.iter().cloned().peekable();
            return self.initialize_aggregate(class, &mut elements, at);
        }
        if constructors.is_empty() || values.is_empty() && defaulted {
            return self.initialize_parts(class, &[], at);
        }
        let takes_list = self.takes_list(&constructors, values, initialization, env);
        let (of_lists, others): (Vec<_>, Vec<_>) =
            constructors.iter().cloned().partition(|one| list_parameter(one).is_some());
        let takes_as_many = |one: &Entity| match &one.decl.kind {
            DeclBody::Function(function) => function.parameters.len() == values.len(),
            _ => false,
        };
        let list: Arc<[Expr]> = [Expr::List(values.to_vec())].into();
        let calls = match takes_list {
            Viability::Yes => vec![(&of_lists, list)],
            Viability::CantTell if !others.iter().any(takes_as_many) => {
                // One that has default arguments or a pack may be meant, too.
                let call = Call::new(self.view, values, env);
                let is_viable = !self.view.overloads(&others, &Path::plain(decl.name), &call).is_empty();
                let other = is_viable.then(|| (&others, values.into()));
                [(&of_lists, list)].into_iter().chain(other).collect()
            }
            Viability::No | Viability::CantTell => vec![(&constructors, values.into())],
        };
        for (candidates, arguments) in calls {
            let mention = Mention::call(decl.name, arguments, at);
            let role = if initialization == Initialization::Copy { Role::Converting } else { mention.role };
            self.follow_functions(&Mention { role, ..mention }, candidates, env, None);
        }
        self.initialize_rest_of_inherited(class, &constructors, at);
    }

    /// Follows the parts of an object that a constructor which its class inherits from a base does not initialize
    /// ([class.inhctor.init]), where the class has no constructor of its own but such.
    fn initialize_rest_of_inherited(&mut self, class: &Rc<Instance>, constructors: &[Entity], at: Span) {
        let owner =
            |one: &Entity| one.owner.as_ref().map(|owner| owner.text(Spelling::Canonical).to_string());
        let own = class.text(Spelling::Canonical).to_string();
        let mut bases: Vec<String> = constructors.iter().filter_map(owner).collect();
        bases.dedup();
        if bases.contains(&own) {
            return;
        }
        let named: Vec<Symbol> = bases.iter().map(|base| Symbol::intern(base)).collect();
        self.initialize_parts(class, &named, at);
    }

    /// Whether the construction of an object may reach a kernel template in question.
    fn is_relevant_construction(&self, class: &Rc<Instance>, values: &[Expr]) -> bool {
        let takes_relevant = |one: &Entity| match &one.decl.kind {
            DeclBody::Function(function) => {
                function.parameters.iter().any(|parameter| self.relevance().type_is_relevant(&parameter.ty))
            }
            _ => false,
        };
        self.context.may_call_lambda
            || self.relevance().class_is_relevant(class)
            || self.relevance().converts() && !values.is_empty()
            || values.iter().any(|value| self.relevance().expr_is_relevant(value))
            || self
                .view
                .constructors(class)
                .iter()
                .any(|one| self.is_relevant_constructor(one) || takes_relevant(one))
    }

    /// Whether a braced list is the argument of a constructor that takes a `std::initializer_list`, which is preferred to
    /// those that take its elements ([over.match.list]).
    fn takes_list(
        &self,
        constructors: &[Entity],
        values: &[Expr],
        initialization: Initialization,
        env: &Env,
    ) -> Viability {
        match initialization {
            _ if values.is_empty() || !constructors.iter().any(|one| list_parameter(one).is_some()) => {
                Viability::No
            }
            Initialization::Copy | Initialization::Direct => Viability::No,
            Initialization::Unknown => Viability::CantTell,
            Initialization::List => {
                let lists = constructors.iter().filter_map(|one| Some((list_parameter(one)?, &one.env)));
                let answers =
                    lists.map(|(ty, list_env)| self.are_elements(values, &self.view.ty(ty, list_env), env));
                answers.fold(Viability::No, |any, one| any.or(|| one))
            }
        }
    }

    /// Whether values are converted to the elements of a `std::initializer_list`.
    fn are_elements(&self, values: &[Expr], list: &Ty, env: &Env) -> Viability {
        let Ty::Class(list) = list.without_cvref() else { return Viability::CantTell };
        let Some(TemplateArgument::Type(element)) = list.arguments.first() else {
            return Viability::CantTell;
        };
        let call = Call::new(self.view, values, env);
        let is_converted = |number: usize| match &call.arguments[number] {
            (Expr::List(values), env) => self.view.list_converts_to(values, element, env),
            _ => match self.view.conversion_cost(element, call.ty(self.view, number)) {
                ConversionCost::Known(_) => Viability::Yes,
                ConversionCost::Impossible => Viability::No,
                ConversionCost::CantTell(_) => Viability::CantTell,
            },
        };
        Viability::all((0..call.arguments.len()).map(is_converted))
    }

    /// Follows the elements of a list that initializes a container of the library. Tells whether it is one.
    fn initialize_container(&mut self, class: &Rc<Instance>, values: &[Expr], env: &Env, at: Span) -> bool {
        if !class.name.contains("std::") {
            return false;
        }
        let name = class.name.rsplit("::").next().unwrap_or_default();
        match class.arguments.as_slice() {
            [TemplateArgument::Type(Ty::Function(_, parameters, _))] if name == "function" => {
                let parameters = parameters.clone();
                let result = Rc::new(Ty::Builtin(sym::VOID));
                let function = Ty::Pointer(Rc::new(Ty::Function(result, parameters.clone(), false)));
                if let [one] = values {
                    self.follow_address(one, &function, env, at);
                    self.call_generic_lambda(one, &parameters, env, at);
                }
                true
            }
            [TemplateArgument::Type(element), ..] if SEQUENCES.contains(&name) => {
                let element = element.clone();
                match values {
                    [Expr::Int(..)] => self.initialize(&element, None, env, at),
                    _ => values.iter().for_each(|one| self.initialize(&element, Some(one), env, at)),
                }
                true
            }
            [_, TemplateArgument::Type(mapped), ..] if MAPS.contains(&name) => {
                let mapped = mapped.clone();
                for pair in values {
                    if let Expr::List(pair) = pair
                        && let [_, value] = pair.as_slice()
                    {
                        self.initialize(&mapped, Some(value), env, at);
                    }
                }
                true
            }
            _ => false,
        }
    }

    /// The value category of an expression that initializes an object of a class by copying, being of that class or of
    /// one derived from it; `None` if it is of another type.
    pub(super) fn source_of_copy(
        &self,
        class: &Rc<Instance>,
        expr: &Expr,
        env: &Env,
    ) -> Option<ValueCategory> {
        if matches!(expr, Expr::List(_) | Expr::Expansion(_)) {
            return None;
        }
        let ty = self.view.type_of(expr, env)?;
        let Ty::Class(from) = ty.without_cvref() else { return None };
        let is_same = from.is_same(class);
        if !is_same && !self.view.is_derived(&ty, class) {
            return None;
        }
        Some(match self.view.value_category(expr, Some(&ty), env) {
            ValueCategory::Prvalue if !is_same => ValueCategory::Xvalue,
            category => category,
        })
    }

    /// Follows the copy or move constructor that copies an object of a class ([class.copy.ctor]).
    pub(super) fn copy(&mut self, class: &Rc<Instance>, category: ValueCategory, at: Span) {
        if !self.relevance().class_is_relevant(class) {
            return;
        }
        let Some(DeclBody::Class(definition)) = class.decl.as_ref().map(|decl| &decl.kind) else { return };
        let inside = class.env.inside(class.clone());
        let (mut copies, mut moves, mut is_declared) = (None, None, false);
        let decl = class.decl.as_ref().expect("it has a definition");
        for member in definition.members.iter().flatten() {
            let DeclBody::Function(function) = &member.kind else { continue };
            is_declared |= member.name.as_str() == "operator=" || member.name.as_str().starts_with('~');
            let Some(first) = function.parameters.first() else { continue };
            if member.name != decl.name || !member.templates.is_empty() || member.specifiers.is_friend {
                continue;
            }
            let of_class = |ty: &Ty| matches!(ty.unqualified(), Ty::Class(one) if one.name == class.name);
            match self.view.ty(&first.ty, &inside) {
                Ty::LvalueReference(to) if of_class(&to) => copies = Some(member.clone()),
                Ty::RvalueReference(to) if of_class(&to) => moves = Some(member.clone()),
                _ => {}
            }
        }
        let moved = category != ValueCategory::Lvalue;
        let chosen: Vec<Arc<Decl>> = match category {
            ValueCategory::Lvalue => copies.into_iter().collect(),
            ValueCategory::CantTell => {
                self.view.depend_on_unsettled();
                copies.into_iter().chain(moves).collect()
            }
            _ => moves.or(copies).into_iter().collect(),
        };
        self.follow_virtual_functions(class);
        let is_defaulted =
            |one: &Arc<Decl>| matches!(&one.kind, DeclBody::Function(function) if function.defaulted);
        if chosen.iter().all(is_defaulted) {
            let moved = moved && (!chosen.is_empty() || !is_declared);
            let category = if moved { category } else { ValueCategory::Lvalue };
            return self.copy_parts(class, category, at);
        }
        if class.is_templated() {
            chosen.iter().for_each(|one| self.follow_member_function(class, one));
        }
    }

    /// Follows an implicitly defined copy or move constructor.
    fn copy_parts(&mut self, class: &Rc<Instance>, category: ValueCategory, at: Span) {
        let Some(decl) = class.decl.clone() else { return };
        let key = format!("{}=copied {category:?}", class.text(Spelling::Canonical));
        if !self.enter(key, &decl, &class.arguments) {
            return;
        }
        for part in self.parts(class) {
            if let Some(part) = class_in(&part.ty).cloned() {
                self.copy(&part, category, at);
                self.destroy_object(&part, at);
            }
        }
        self.history.leave();
    }

    /// Follows the members and bases of an aggregate that elements of a list initialize ([dcl.init.aggr]); those that are
    /// left over are initialized as their declarations say.
    fn initialize_aggregate<'e>(
        &mut self,
        class: &Rc<Instance>,
        elements: &mut std::iter::Peekable<impl Iterator<Item = (&'e Expr, Env)> + Clone>,
        at: Span,
    ) {
        let parts = self.parts(class);
        let is_union = class
            .decl
            .as_ref()
            .is_some_and(|decl| matches!(&decl.kind, DeclBody::Class(one) if one.is_union));
        if elements.peek().is_some_and(|(first, _)| is_designated(first)) {
            let given: Vec<(&Expr, Env)> = elements.by_ref().collect();
            for part in &parts {
                let own = given.iter().find_map(|(one, env)| match one {
                    Expr::Binary(sym::ASSIGN, member, value) => match member.as_ref() {
                        Expr::Name(path) if path.last().name == part.name => Some((value.as_ref(), env)),
                        _ => None,
                    },
                    _ => None,
                });
                match own {
                    Some((value, env)) => self.initialize(&part.ty, Some(value), env, at),
                    None if is_union => {}
                    None => self.initialize_part(class, part, at),
                }
            }
            return;
        }
        for part in &parts {
            let Some((next, env)) = elements.peek().cloned() else {
                if !is_union {
                    self.initialize_part(class, part, at);
                }
                continue;
            };
            match &part.ty {
                Ty::Array(of, bound) if !matches!(next, Expr::List(_) | Expr::Text(_)) => {
                    let count =
                        bound.as_ref().and_then(Value::int).and_then(|bound| usize::try_from(bound).ok());
                    let own: Vec<(&Expr, Env)> = match count {
                        Some(count) => elements.by_ref().take(count).collect(),
                        None => elements.by_ref().collect(),
                    };
                    own.iter().for_each(|(value, env)| self.initialize(of, Some(value), env, at));
                    if count.is_some_and(|count| own.len() < count) {
                        self.initialize(of, None, &env, at);
                    }
                }
                Ty::Class(inner) if self.is_elided(inner, next, &env) => {
                    self.initialize_aggregate(&inner.clone(), &mut *elements, at);
                }
                ty => {
                    elements.next();
                    self.initialize(ty, Some(next), &env, at);
                }
            }
        }
    }

    /// Whether the braces round the elements of a member of aggregate class are left out ([dcl.init.aggr]/15).
    fn is_elided(&self, class: &Rc<Instance>, next: &Expr, env: &Env) -> bool {
        let is_aggregate = class.decl.is_some()
            && self
                .view
                .constructors(class)
                .iter()
                .all(|one| matches!(&one.decl.kind, DeclBody::Function(function) if function.defaulted));
        is_aggregate
            && !matches!(next, Expr::List(_))
            && self.view.is_complete(class)
            && match self.view.type_of(next, env) {
                Some(ty) => match ty.without_cvref() {
                    Ty::Class(from) => {
                        from.name != class.name
                            && !self.view.is_derived(&ty, class)
                            && self.view.conversion_functions(from).is_empty()
                    }
                    Ty::Opaque { .. } => false,
                    _ => true,
                },
                None => false,
            }
    }
}

/// The type of a constructor's first parameter if it is a `std::initializer_list`.
fn list_parameter(constructor: &Entity) -> Option<&Type> {
    let DeclBody::Function(function) = &constructor.decl.kind else { return None };
    let mut ty = &function.parameters.first()?.ty;
    while let Type::Qualified(inner, ..) | Type::LvalueReference(inner) = ty {
        ty = inner;
    }
    matches!(ty, Type::Named(path) if path.last().name.as_str() == "initializer_list").then_some(ty)
}

/// Whether a declaration is a function template whose first template parameter is a constant one: of such a member `get`, a
/// structured binding calls specializations ([dcl.struct.bind]/4).
fn takes_constant(decl: &Decl) -> bool {
    let first = decl.templates.last().and_then(|head| head.parameters.first());
    matches!(decl.kind, DeclBody::Function(_))
        && first.is_some_and(|one| one.type_or_concept.is_some() && !one.template)
}
