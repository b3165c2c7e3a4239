//! Relevance: whether a body, a mention or an expression may reach a kernel template in question, told by names alone.
//!
//! In: the relevant names, which are those from which such a template is reached. Out: a conservative answer: what has
//! no relevant name need not be walked, which is most of a unit.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::facts::index::functions::{
    constructors_mention, conversions_mention, created_classes, generic_lambdas_mention, operators_that_call,
    special_members_mention,
};
use crate::facts::index::leading_names::LeadingNames;
use crate::facts::index::token_facts::overloaded_operator;
use crate::facts::index::unit::IndexedUnit;
use crate::facts::lower::ast::*;
use crate::facts::lower::nodes::CALL_OPERATOR;
use crate::facts::meaning::types::{Env, FrameKind, Instance, TemplateArgument, Ty, Value};
use crate::facts::meaning::view::Entity;
use crate::source::{Symbol, sym};
use crate::variance::TopDeclaration;

/// The relevant names, with what was found to have some.
pub(in crate::facts) struct Relevance<'v> {
    names: Rc<FxHashSet<Symbol>>,
    /// The names of classes that are relevant where they are instantiated explicitly alone.
    explicit: &'v FxHashSet<Symbol>,
    /// The names that are relevant as members alone, each with the names of the classes ([`LeadingNames::members`]).
    of_classes: &'v FxHashMap<Symbol, Box<[Symbol]>>,
    declarations: &'v [TopDeclaration],
    /// The names of the classes whose objects are relevant by how they are used ([`LeadingNames::objects`]).
    objects: &'v FxHashSet<Symbol>,
    /// Those whose objects are relevant by being created, copied, destroyed or used ([`LeadingNames::created`]).
    created: &'v FxHashSet<Symbol>,
    unspelled: Rc<Unspelled>,
    /// `operator()`.
    pub(super) call_operator: Symbol,
    /// The answers for item lists, by address: the declarations of a walk are not moved.
    known_items: RefCell<FxHashMap<usize, bool>>,
    /// The names that the body at hand, or the class that it is a member of, gives to types of [`Unspelled::created`].
    aliases: RefCell<FxHashSet<Symbol>>,
    /// The declarations of such names in blocks that were met, by address.
    known_aliases: RefCell<FxHashSet<usize>>,
    /// Whether classes are or have relevant objects, by address.
    known_objects: RefCell<FxHashMap<usize, (Rc<Instance>, bool)>>,
    /// Whether declarations in blocks give relevant objects where no name stands for a type of [`Unspelled::created`], by address.
    known_givers: RefCell<FxHashMap<usize, (Arc<Decl>, bool)>>,
    /// The names that each class gives to such types, by the address of its declaration.
    members: RefCell<FxHashMap<usize, Rc<[Symbol]>>>,
}

/// The relevant names of a unit's walks: those of code that hosts run, and of code that GPUs alone run.
pub(in crate::facts) struct Relevances<'v> {
    anywhere: (Rc<FxHashSet<Symbol>>, Rc<Unspelled>),
    on_device: (Rc<FxHashSet<Symbol>>, Rc<Unspelled>),
    explicit: &'v FxHashSet<Symbol>,
    of_classes: &'v FxHashMap<Symbol, Box<[Symbol]>>,
    objects: &'v FxHashSet<Symbol>,
    created: &'v FxHashSet<Symbol>,
    declarations: &'v [TopDeclaration],
    /// All of them.
    pub(super) leading: &'v LeadingNames,
}

impl<'v> Relevances<'v> {
    pub(in crate::facts) fn new(unit: &IndexedUnit<'v>, names: &'v LeadingNames) -> Relevances<'v> {
        let spelled = |all: &FxHashSet<Symbol>| Rc::new(all.difference(&names.explicit).copied().collect());
        let of = |names: &FxHashSet<Symbol>| (spelled(names), Unspelled::new(unit, names));
        let (anywhere, on_device) = (of(&names.anywhere), of(&names.on_device));
        let LeadingNames { members: of_classes, objects, created, explicit, .. } = names;
        let declarations = &unit.variance.declarations;
        Relevances {
            anywhere,
            on_device,
            explicit,
            of_classes,
            objects,
            created,
            declarations,
            leading: names,
        }
    }

    /// The relevance in code that hosts run, and in code that GPUs alone run.
    pub(super) fn for_walk(&self) -> [Relevance<'v>; 2] {
        [&self.anywhere, &self.on_device].map(|(names, unspelled)| Relevance::new(self, names, unspelled))
    }
}

/// The relevant functions whose names no use spells.
#[derive(Default)]
struct Unspelled {
    /// The operators whose operator functions are relevant.
    operators: FxHashSet<Symbol>,
    /// Those whose operator functions call objects that they are given, if some operator function or generic lambda is relevant.
    calling: FxHashSet<Symbol>,
    /// Some conversion function is relevant.
    converts: bool,
    /// Some constructor, destructor or virtual function is relevant.
    special: bool,
    /// Some constructor of a class template is relevant.
    constructs: bool,
    /// The classes whose constructors or destructors are relevant, and those that have such parts.
    created: FxHashSet<Symbol>,
}

impl Unspelled {
    /// Those among the relevant `names`.
    fn new(unit: &IndexedUnit<'_>, names: &FxHashSet<Symbol>) -> Rc<Unspelled> {
        let mut operators: FxHashSet<Symbol> =
            names.iter().filter_map(|name| overloaded_operator(*name)).collect();
        let rewritten: [(&str, &[&str]); 2] = [("==", &["!="]), ("<=>", &["<", ">", "<=", ">="])];
        for (operator, others) in rewritten {
            if operators.contains(&Symbol::intern(operator)) {
                operators.extend(others.iter().map(|other| Symbol::intern(other)));
            }
        }
        let (converts, special) = (conversions_mention(unit, names), special_members_mention(unit, names));
        let constructs = special || constructors_mention(unit, names);
        let created = if constructs { created_classes(unit, names) } else { FxHashSet::default() };
        let calling = match operators.is_empty() && !generic_lambdas_mention(unit, names) {
            true => FxHashSet::default(),
            false => operators_that_call(unit),
        };
        Rc::new(Unspelled { operators, calling, converts, special, constructs, created })
    }
}

impl<'v> Relevance<'v> {
    /// Relevance for `names`.
    fn new(all: &Relevances<'v>, names: &Rc<FxHashSet<Symbol>>, unspelled: &Rc<Unspelled>) -> Relevance<'v> {
        Relevance {
            names: Rc::clone(names),
            explicit: all.explicit,
            of_classes: all.of_classes,
            declarations: all.declarations,
            objects: all.objects,
            created: all.created,
            unspelled: Rc::clone(unspelled),
            call_operator: Symbol::intern(CALL_OPERATOR),
            known_items: RefCell::default(),
            aliases: RefCell::default(),
            known_aliases: RefCell::default(),
            known_givers: RefCell::default(),
            members: RefCell::default(),
            known_objects: RefCell::default(),
        }
    }

    /// Begins a body, of a member of a class or not. What it returns ends the body again.
    pub(super) fn begin_body(&self, class: Option<&Instance>) -> FxHashSet<Symbol> {
        let outer = self.aliases.take();
        // A closure type, whose declaration may come and go, names no types.
        let class = class.filter(|class| !class.is_closure());
        if let Some(decl) = class.and_then(|class| class.decl.as_ref()) {
            let key = Arc::as_ptr(decl) as usize;
            let known = self.members.borrow().get(&key).cloned();
            match known {
                Some(known) => self.aliases.borrow_mut().extend(known.iter().copied()),
                None => {
                    self.note_member_aliases(decl);
                    let found = self.aliases.borrow().iter().copied().collect();
                    self.members.borrow_mut().insert(key, found);
                }
            }
        }
        outer
    }

    /// Takes the names for relevant that a class gives to such types, and those of nested classes that have such parts.
    fn note_member_aliases(&self, class: &Decl) {
        let DeclBody::Class(definition) = &class.kind else { return };
        for member in definition.members.iter().flatten() {
            let is_created = match &member.kind {
                DeclBody::Alias(ty) => self.type_is_created(ty),
                DeclBody::Class(nested) => self.parts_are_created(nested),
                _ => false,
            };
            if is_created {
                self.aliases.borrow_mut().insert(member.name);
            }
        }
    }

    /// Whether objects of a nested class are relevant when they are created or copied, by what they are made of or by its
    /// virtual functions.
    fn parts_are_created(&self, nested: &Class) -> bool {
        nested.bases.iter().any(|(base, _)| self.type_is_created(base))
            || nested.members.iter().flatten().any(|member| match &member.kind {
                DeclBody::Variable(variable) if !member.specifiers.is_static => {
                    self.type_is_created(&variable.ty) || self.initializer_is_relevant(variable)
                }
                // A virtual function, which may override one of a base.
                DeclBody::Function(function) if member.specifiers.is_virtual || !nested.bases.is_empty() => {
                    function.body.as_ref().is_some_and(|body| self.items_are_relevant(body))
                }
                _ => false,
            })
    }

    /// Whether the initializer of a data member is relevant.
    pub(super) fn initializer_is_relevant(&self, variable: &Variable) -> bool {
        self.items_are_relevant(&variable.items)
            || variable.initializer.as_ref().is_some_and(|one| self.expr_is_relevant(one))
    }

    /// Whether a class, or one around it, has nested classes whose objects are relevant by what they are made of: its parts
    /// may be such objects.
    pub(super) fn nests_created_classes(&self, class: &Rc<Instance>) -> bool {
        let around = std::iter::successors(Some(class.clone()), |inner| inner.env.class());
        around.into_iter().any(|one| {
            let Some(DeclBody::Class(definition)) = one.decl.as_ref().map(|decl| &decl.kind) else {
                return false;
            };
            definition.members.iter().flatten().any(|member| match &member.kind {
                DeclBody::Class(nested) if member.name != sym::EMPTY => self.parts_are_created(nested),
                _ => false,
            })
        })
    }

    /// Ends a body: names have the meaning again that they had before it.
    pub(super) fn end_body(&self, outer: FxHashSet<Symbol>) {
        *self.aliases.borrow_mut() = outer;
    }

    /// Takes a name that a block gives to a type for relevant, if the type is: `using Runner = …; Runner runner(n);`.
    pub(super) fn note_alias(&self, decl: &Arc<Decl>, ty: &Type) {
        if !self.type_is_created(ty) {
            return;
        }
        self.aliases.borrow_mut().insert(decl.name);
        if self.known_aliases.borrow_mut().insert(Arc::as_ptr(decl) as usize) {
            // Blocks behind it may have been looked at before it.
            self.known_items.borrow_mut().retain(|_, is_relevant| *is_relevant);
        }
    }

    /// Whether a type names a class whose objects are relevant when they are created or destroyed.
    fn type_is_created(&self, ty: &Type) -> bool {
        match ty {
            Type::Named(path) => path.segments.iter().any(|segment| {
                let is_created = |argument: &Argument| match argument {
                    Argument::Type(ty) => self.type_is_created(ty),
                    Argument::Value(_) | Argument::Pack(_) => false,
                };
                self.unspelled.created.contains(&segment.name)
                    || self.aliases.borrow().contains(&segment.name)
                    || segment.arguments.iter().flatten().any(is_created)
            }),
            Type::Pointer(inner) | Type::Array(inner, _) | Type::Qualified(inner, ..) => {
                self.type_is_created(inner)
            }
            _ => false,
        }
    }

    /// Whether some conversion function is relevant: nothing spells its name where it is called.
    pub(super) fn converts(&self) -> bool {
        self.unspelled.converts
    }

    /// Whether some constructor, destructor or virtual function is relevant: nothing spells its name where it is called.
    pub(super) fn has_special_members(&self) -> bool {
        self.unspelled.special
    }

    /// Whether some constructor of a class template is relevant: a body that is instantiated for the class spells a template
    /// parameter where it creates an object.
    pub(super) fn constructs(&self) -> bool {
        self.unspelled.constructs
    }

    /// Whether objects of a class may reach a kernel template in question by what is done with them: the class, one
    /// around it, or one among its template arguments has a relevant name or is the type of a relevant generic lambda.
    pub(super) fn class_is_relevant(&self, class: &Instance) -> bool {
        let own = class.decl.as_ref().map(|decl| decl.name);
        own.is_some_and(|own| self.created.contains(&own))
            || class.is_closure()
            || class.env.class().is_some_and(|outer| self.class_is_relevant(&outer))
            || class
                .arguments
                .iter()
                .any(|one| self.argument_creates(one) || self.carries_relevant_lambda(one))
    }

    /// Whether a template argument is a relevant class, a template of such classes, or made of one.
    pub(super) fn argument_creates(&self, argument: &TemplateArgument) -> bool {
        match argument {
            TemplateArgument::Type(ty) => match ty.without_cvref() {
                Ty::Class(class) => self.class_is_relevant(class),
                Ty::Pointer(to) | Ty::Array(to, _) => {
                    self.argument_creates(&TemplateArgument::Type(to.as_ref().clone()))
                }
                _ => false,
            },
            TemplateArgument::Pack(members) => members.iter().any(|one| self.argument_creates(one)),
            TemplateArgument::Template(name) => {
                self.created.contains(&Symbol::intern(name.rsplit("::").next().unwrap_or(name)))
            }
            TemplateArgument::Value(_) | TemplateArgument::Integer(..) => false,
        }
    }

    /// Whether a name is relevant.
    pub(super) fn has(&self, name: Symbol) -> bool {
        self.names.contains(&name)
    }

    /// Whether a function is relevant that range-based `for` statements call, though nothing spells its name there
    /// ([stmt.ranged]).
    fn range_is_relevant(&self) -> bool {
        self.has(sym::BEGIN)
            || self.has(sym::END)
            || self.converts()
            || self.has_special_members()
            || [sym::STAR, sym::PLUS_PLUS, sym::BANG_EQ].iter().any(|one| self.has_operator(*one))
    }

    /// Whether the operator function of an expression's operator may call an object that it is given.
    pub(super) fn may_call_operand(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Binary(operator, ..) | Expr::Unary(operator, _) => self.calls_operands(*operator),
            Expr::Subscript(..) => self.unspelled.calling.iter().any(|operator| operator.as_str() == "[]"),
            _ => false,
        }
    }

    /// The same of an operator.
    pub(super) fn calls_operands(&self, operator: Operator) -> bool {
        self.unspelled.calling.contains(&operator)
    }

    /// Whether the operator function of an operator is relevant.
    pub(super) fn has_operator(&self, operator: Operator) -> bool {
        self.unspelled.operators.contains(&operator)
    }

    /// Whether a template argument is the type of a relevant generic lambda or a relevant function, or a class with such an
    /// argument.
    pub(super) fn carries_relevant_lambda(&self, argument: &TemplateArgument) -> bool {
        let ty = match argument {
            TemplateArgument::Type(ty) => ty.without_cvref(),
            TemplateArgument::Pack(members) => {
                return members.iter().any(|one| self.carries_relevant_lambda(one));
            }
            TemplateArgument::Value(Value::Opaque(text)) => return self.is_relevant_function(text),
            TemplateArgument::Value(_) | TemplateArgument::Integer(..) | TemplateArgument::Template(_) => {
                return false;
            }
        };
        match ty {
            Ty::Pointer(to) => self.carries_relevant_lambda(&TemplateArgument::Type(to.as_ref().clone())),
            Ty::Class(class) => match class.lambda() {
                Some(closure) => self.closure_is_relevant(closure),
                None => class.arguments.iter().any(|one| self.carries_relevant_lambda(one)),
            },
            _ => false,
        }
    }

    /// Whether the text of a value is the name of a relevant function template with template arguments.
    fn is_relevant_function(&self, text: &str) -> bool {
        text.split_once('<').is_some_and(|(name, _)| {
            self.names.contains(&Symbol::intern(name.rsplit("::").next().unwrap_or(name)))
        })
    }

    /// Whether the body or a default argument of a generic lambda has something relevant.
    pub(super) fn closure_is_relevant(&self, closure: &Closure) -> bool {
        match closure.operator.as_ref().map(|operator| &operator.kind) {
            Some(DeclBody::Function(function)) => {
                function.body.as_ref().is_some_and(|body| self.items_are_relevant(body))
                    || function.parameters.iter().any(|parameter| self.items_are_relevant(&parameter.items))
            }
            _ => false,
        }
    }

    /// Whether some of the items is relevant.
    pub(super) fn items_are_relevant(&self, items: &[Item]) -> bool {
        let key = items.as_ptr() as usize;
        if let Some(known) = self.known_items.borrow().get(&key) {
            return *known;
        }
        let relevant = items.iter().any(|item| match item {
            Item::Mention(mention) | Item::Argument(mention) => self.mention_is_relevant(mention),
            Item::Block(inner, _) | Item::Expansion(inner) => self.items_are_relevant(inner),
            Item::Lambda(parameters, result, inner) => {
                self.items_are_relevant(inner)
                    || self.type_is_relevant(result)
                    || parameters.iter().any(|parameter| self.items_are_relevant(&parameter.items))
            }
            Item::Generic(closure) => self.closure_is_relevant(closure),
            Item::Returned(..) if self.converts() => true,
            Item::Initialize(path, expr, ..) => {
                self.unspelled.special
                    || self.converts()
                    || self.path_is_relevant(path)
                    || self.expr_is_relevant(expr)
            }
            Item::Expression(expr, _) if matches!(expr.as_ref(), Expr::Lambda(_)) => self.unspelled.special,
            Item::Expression(expr, _) | Item::Returned(expr, _) => {
                self.may_call_operand(expr) || self.expr_is_relevant(expr)
            }
            Item::Shared(..) => self.has_operator(sym::ASSIGN),
            Item::IfConstexpr(_, then, otherwise) => {
                self.items_are_relevant(then) || self.items_are_relevant(otherwise)
            }
            Item::Declare(decl) => match &decl.kind {
                DeclBody::Variable(variable) => {
                    self.type_is_relevant(&variable.ty)
                        || self.items_are_relevant(&variable.items)
                        || (self.converts() || self.unspelled.special || self.operates())
                            && variable.initializer.is_some()
                        || variable.initializer.as_ref().is_some_and(|one| self.expr_is_relevant(one))
                }
                // `int n(count<T>());` parses like the declaration of a function.
                DeclBody::Function(function) => {
                    let mut parameters = function.parameters.iter();
                    self.type_is_relevant(&function.result)
                        || parameters.any(|parameter| self.type_is_relevant(&parameter.ty))
                }
                DeclBody::Alias(ty) => self.type_is_relevant(ty),
                DeclBody::Class(_) => true,
                _ => false,
            },
        });
        if !items.is_empty() {
            self.known_items.borrow_mut().insert(key, relevant);
        }
        relevant
    }

    pub(super) fn mention_is_relevant(&self, mention: &Mention) -> bool {
        let is_called = mention.arguments.is_some();
        // A function template that is named may be instantiated, and use objects of its template arguments.
        let is_template_id = mention.path.last().arguments.is_some();
        let uses_object = is_called && self.converts() || (is_called || is_template_id) && self.operates();
        let calls_lambda =
            |(object, _): &(Expr, bool)| matches!(object, Expr::Lambda(one) if self.closure_is_relevant(one));
        uses_object
            || mention.role == Role::Deleted && self.unspelled.special
            || mention.role == Role::InstantiatedClass && self.explicit.contains(&mention.path.last().name)
            || mention.receiver.as_ref().is_some_and(calls_lambda)
            || self.path_is_relevant(&mention.path)
            || mention
                .arguments
                .iter()
                .flat_map(|list| list.iter())
                .any(|argument| self.expr_is_relevant(argument))
    }

    /// Whether a mention that is relevant is so only if its last name denotes a relevant member of a class, or an object
    /// with a relevant operator: nothing else in it is.
    pub(super) fn depends_on_what_is_named(&self, mention: &Mention, env: &Env) -> bool {
        let (last, qualifiers) = mention.path.segments.split_last().expect("a path has a segment");
        let is_word = last.name.as_str().starts_with(|first: char| first.is_alphanumeric() || first == '_');
        let lambda = |(object, _): &(Expr, bool)| matches!(object, Expr::Lambda(_));
        let mut arguments = mention.arguments.iter().flat_map(|list| list.iter());
        is_word
            && matches!(mention.role, Role::Named | Role::InParentheses)
            && mention.signature.is_none()
            && (self.of_classes.contains_key(&last.name) || !self.names.contains(&last.name))
            && !self.aliases.borrow().contains(&last.name)
            && !mention.receiver.as_ref().is_some_and(lambda)
            && !last.arguments.iter().flatten().any(|argument| self.argument_is_relevant(argument))
            && !qualifiers.iter().any(|qualifier| self.segment_is_relevant(qualifier))
            && !arguments.any(|argument| self.expr_is_relevant(argument))
            && !self.may_use_objects(env)
    }

    /// Whether something is relevant that is used on objects without being named.
    fn uses_objects(&self) -> bool {
        self.operates() || self.converts() || !self.unspelled.calling.is_empty()
    }

    /// The same, and code may have such objects.
    pub(super) fn may_use_objects(&self, env: &Env) -> bool {
        self.uses_objects() && self.has_relevant_objects(env)
    }

    /// The same, or an expression may give such an object.
    pub(super) fn may_use_object(&self, expr: &Expr, env: &Env) -> bool {
        self.uses_objects() && (self.has_relevant_objects(env) || self.expr_is_relevant(expr))
    }

    /// Whether some operator function is relevant, a call operator say: nothing spells its name where it is called.
    pub(super) fn operates(&self) -> bool {
        !self.unspelled.operators.is_empty()
    }

    /// Whether code may have objects of relevant classes, by its template parameters, the classes around it, its parameters
    /// or its variables: it may use their operators, or give them to functions that do.
    fn has_relevant_objects(&self, env: &Env) -> bool {
        let mut frames = std::iter::successors(env.frame.as_ref(), |frame| frame.parent.as_ref());
        frames.any(|frame| match &frame.kind {
            FrameKind::Bindings(bindings) => {
                bindings.iter().any(|(_, bound)| self.argument_has_relevant_objects(bound))
            }
            FrameKind::Class(class) => self.class_has_relevant_objects(class),
            FrameKind::Parameters(all) => all.iter().any(|(_, ty)| self.type_has_relevant_objects(ty)),
            FrameKind::Block(block) => {
                block.borrow().declarations().iter().any(|decl| self.gives_relevant_objects(decl))
            }
        })
    }

    /// Whether what a block declares is or may give an object of a relevant class.
    fn gives_relevant_objects(&self, decl: &Arc<Decl>) -> bool {
        let key = Arc::as_ptr(decl) as usize;
        let known = self.known_givers.borrow().get(&key).map(|(_, gives)| *gives);
        let has_aliases = !self.aliases.borrow().is_empty();
        match known {
            Some(gives) if gives || !has_aliases => return gives,
            _ => {}
        }
        let gives = self.gives_relevant_objects_anew(decl);
        if !has_aliases {
            self.known_givers.borrow_mut().insert(key, (Arc::clone(decl), gives));
        }
        gives
    }

    fn gives_relevant_objects_anew(&self, decl: &Decl) -> bool {
        match &decl.kind {
            DeclBody::Variable(variable) => {
                let initializer = variable.initializer.as_ref();
                self.names_relevant(&variable.ty) || initializer.is_some_and(|one| self.expr_is_relevant(one))
            }
            DeclBody::Function(function) => self.names_relevant(&function.result),
            DeclBody::Alias(ty) => self.names_relevant(ty),
            // It may be derived from one.
            DeclBody::Class(_) => true,
            _ => false,
        }
    }

    fn argument_has_relevant_objects(&self, argument: &TemplateArgument) -> bool {
        match argument {
            TemplateArgument::Type(ty) => self.type_has_relevant_objects(ty),
            TemplateArgument::Pack(members) => {
                members.iter().any(|one| self.argument_has_relevant_objects(one))
            }
            TemplateArgument::Value(Value::Object(object)) => self.type_has_relevant_objects(&object.ty),
            TemplateArgument::Value(Value::Opaque(_) | Value::Pointer(_)) => true,
            TemplateArgument::Value(_) | TemplateArgument::Integer(..) => false,
            TemplateArgument::Template(_) => self.argument_creates(argument),
        }
    }

    fn type_has_relevant_objects(&self, ty: &Ty) -> bool {
        match ty.without_cvref() {
            Ty::Class(class) => self.class_has_relevant_objects(class),
            Ty::Pointer(to) | Ty::Array(to, _) => self.type_has_relevant_objects(to),
            Ty::Function(result, parameters, _) => {
                self.type_has_relevant_objects(result)
                    || parameters.iter().any(|one| self.type_has_relevant_objects(one))
            }
            Ty::Opaque { .. } => true,
            _ => false,
        }
    }

    /// Whether objects of a class are relevant, or have relevant ones.
    pub(super) fn class_has_relevant_objects(&self, class: &Rc<Instance>) -> bool {
        if let Some(known) = self.known_objects.borrow().get(&(Rc::as_ptr(class) as usize)) {
            return known.1;
        }
        let has = match class.is_closure() {
            true => self.has_relevant_objects(&class.env),
            // A local class may be derived from one.
            false => {
                class.top == usize::MAX
                    || class.decl.as_ref().is_some_and(|decl| self.objects.contains(&decl.name))
                    || class.env.class().is_some_and(|outer| self.class_has_relevant_objects(&outer))
                    || class.arguments.iter().any(|one| self.argument_has_relevant_objects(one))
            }
        };
        self.known_objects.borrow_mut().insert(Rc::as_ptr(class) as usize, (class.clone(), has));
        has
    }

    /// Whether a name that some class has as a relevant member denotes one where it is found as this entity.
    pub(super) fn entity_is_relevant(&self, name: Symbol, entity: &Entity) -> bool {
        let is_open = |owner: &Rc<Instance>| owner.is_closure() || !owner.alternatives.is_empty();
        entity.top == usize::MAX
            || entity.owner.as_ref().is_some_and(is_open)
            || self.names.contains(&name) && self.may_be_declared_by(name, entity.top)
    }

    /// Whether a relevant name may be that of what a top-level declaration declares: a name that is so as a member alone is
    /// one of the classes that have it.
    fn may_be_declared_by(&self, name: Symbol, top: usize) -> bool {
        let Some(classes) = self.of_classes.get(&name) else { return true };
        let is_one = |own: &Symbol| classes.binary_search(own).is_ok();
        let declaration = self.declarations.get(top);
        is_one(&sym::EMPTY)
            || declaration.is_none_or(|class| class.names[..class.declared].iter().any(is_one))
    }

    fn path_is_relevant(&self, path: &Path) -> bool {
        path.segments.iter().any(|segment| self.segment_is_relevant(segment))
    }

    fn segment_is_relevant(&self, segment: &Segment) -> bool {
        self.names.contains(&segment.name)
            || self.aliases.borrow().contains(&segment.name)
            || self.names.contains(&sym::TILDE) && segment.name.as_str().starts_with('~')
            || segment.arguments.iter().flatten().any(|argument| self.argument_is_relevant(argument))
    }

    fn argument_is_relevant(&self, argument: &Argument) -> bool {
        match argument {
            Argument::Type(ty) => self.type_is_relevant(ty),
            Argument::Value(expr) => self.expr_is_relevant(expr),
            Argument::Pack(inner) => self.argument_is_relevant(inner),
        }
    }

    pub(super) fn type_is_relevant(&self, ty: &Type) -> bool {
        match ty {
            Type::Named(path) => self.path_is_relevant(path),
            Type::Pointer(inner)
            | Type::LvalueReference(inner)
            | Type::RvalueReference(inner)
            | Type::Array(inner, _)
            | Type::Qualified(inner, ..)
            | Type::Pack(inner) => self.type_is_relevant(inner),
            Type::Call(_, expr) => self.expr_is_relevant(expr),
            other => self.names_relevant(other),
        }
    }

    /// Whether a type has a relevant name anywhere.
    fn names_relevant(&self, ty: &Type) -> bool {
        let mut names = Vec::new();
        ty.names(&mut names);
        names.iter().any(|name| self.names.contains(name))
    }

    pub(super) fn expr_is_relevant(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Name(path) => self.path_is_relevant(path),
            Expr::Construct(ty, values) => {
                self.type_is_relevant(ty) || values.iter().any(|value| self.expr_is_relevant(value))
            }
            Expr::Cast(ty, inner) => {
                self.converts() || self.type_is_relevant(ty) || self.expr_is_relevant(inner)
            }
            Expr::Member(inner, _, member) => {
                self.names.contains(&member.name) || self.expr_is_relevant(inner)
            }
            Expr::Unary(operator, inner) => {
                self.converts() && operator.as_str() != "&"
                    || self.unspelled.operators.contains(operator)
                    || self.expr_is_relevant(inner)
            }
            Expr::Expansion(inner) => self.expr_is_relevant(inner),
            Expr::StructuredBinding(inner, _) => self.has(sym::GET) || self.expr_is_relevant(inner),
            Expr::RangeElement(inner) => self.range_is_relevant() || self.expr_is_relevant(inner),
            Expr::Binary(operator, left, right) => {
                self.converts() && *operator != sym::COMMA
                    || self.unspelled.operators.contains(operator)
                    || self.expr_is_relevant(left)
                    || self.expr_is_relevant(right)
            }
            Expr::Subscript(left, right) => {
                self.converts()
                    || self.unspelled.operators.iter().any(|operator| operator.as_str() == "[]")
                    || self.expr_is_relevant(left)
                    || self.expr_is_relevant(right)
            }
            Expr::Conditional(condition, then, otherwise) => {
                self.converts() || [condition, then, otherwise].iter().any(|one| self.expr_is_relevant(one))
            }
            Expr::List(values) => values.iter().any(|value| self.expr_is_relevant(value)),
            Expr::Lambda(closure) => self.closure_is_relevant(closure),
            Expr::Call(callee, arguments) => {
                self.expr_is_relevant(callee)
                    || arguments.iter().any(|argument| self.expr_is_relevant(argument))
            }
            _ => false,
        }
    }
}
