//! Initialization of objects in constant expressions ([dcl.init]) and the conversions of their values ([conv]).
//!
//! In: a type and its initializer. Out: the object; a part whose initializer is not known is not known either.

use std::rc::Rc;

use crate::source::{Symbol, sym};

use super::aggregate::is_designated;
use super::arithmetic::cast;
use super::deduce::{Call, strip_cv_and_references, without_reference};
use super::machine::{CallFrame, Machine, Outcome, Target, class_of, same_class, string_literal, unknown};
use super::objects::{Field, fields, unmade};
use super::statements::assigns;
use super::types::{Base, Env, Instance, Object, Place, Ty, Value};
use super::view::Entity;
use crate::facts::lower::ast::*;

/// The most elements of an array that is evaluated.
const LONGEST_ARRAY: i128 = 65_536;

/// An argument or an element of an initializer list.
pub(super) enum Given<'e> {
    /// The expression, the environment of its names, and the element that packs in it are at.
    Written(&'e Expr, Env, Option<usize>),
    /// What it was evaluated to.
    Done(Outcome),
}

impl Machine<'_, '_> {
    /// The value of an object of the type `ty` that `initializer` initializes.
    pub(super) fn initialized(&mut self, ty: &Ty, initializer: &Expr) -> Option<Value> {
        match (ty.unqualified(), initializer) {
            (Ty::LvalueReference(to) | Ty::RvalueReference(to), _) => {
                let place = self.bound_reference(to, initializer)?;
                Some(Value::Pointer(place))
            }
            (Ty::Class(class), Expr::List(values)) => self.constructed(class, values),
            (Ty::Class(class), _) => self.constructed(class, std::slice::from_ref(initializer)),
            (Ty::Array(of, _), Expr::List(values)) => match (of.unqualified(), values.as_slice()) {
                (Ty::Builtin(_), [only @ Expr::Text(_)]) => self.initialized(ty, only),
                _ => {
                    let given = self.expanded(values)?;
                    self.aggregate(ty, &mut given.into_iter().peekable())
                }
            },
            (_, Expr::List(values)) => match values.as_slice() {
                [] => self.empty(ty),
                [only] => self.initialized(ty, only),
                _ => None,
            },
            _ => {
                let outcome = self.evaluate(initializer)?;
                self.converted(outcome, ty)
            }
        }
    }

    /// The object that a reference to the type `to` is bound to ([dcl.init.ref]).
    pub(super) fn bound_reference(&mut self, to: &Ty, initializer: &Expr) -> Option<Place> {
        let outcome = match initializer {
            Expr::List(_) => Outcome::Value(self.initialized(to, initializer)?),
            _ => self.evaluate(initializer)?,
        };
        self.referred(to, outcome)
    }

    /// The object that a reference to the type `to` refers to when it is bound to `outcome`: the base class subobject where
    /// that is of a derived class, and a temporary where the value has to be converted.
    pub(super) fn referred(&mut self, to: &Ty, outcome: Outcome) -> Option<Place> {
        let place = self.materialized(outcome)?;
        if let Ty::Class(class) = to.unqualified()
            && let Some(base) = self.subobject(&place, class)
        {
            return Some(base);
        }
        let converts = match (to.unqualified(), self.at(&place)?) {
            (Ty::Builtin(to), Value::Int(_, from) | Value::Float(_, from)) => to != from,
            (Ty::Builtin(_), Value::Object(_)) => true,
            (Ty::Class(_), Value::Int(..) | Value::Float(..) | Value::Null) => true,
            (Ty::Class(_), Value::Object(object)) => class_of(object).is_some(),
            _ => false,
        };
        match converts {
            true => {
                let value = self.converted(Outcome::Place(place), to)?;
                Some(self.new_object(value))
            }
            false => Some(place),
        }
    }

    /// The arguments of a call or the elements of a list, packs expanded; `None` if the elements of a pack are not known.
    pub(super) fn expanded<'e>(&self, written: &'e [Expr]) -> Option<Vec<Given<'e>>> {
        let frame = &self.frame;
        let mut given = Vec::with_capacity(written.len());
        for one in written {
            let Expr::Expansion(pattern) = one else {
                given.push(Given::Written(one, frame.env.clone(), frame.element));
                continue;
            };
            let envs = self.view.expansions(|names| pattern.unexpanded_names(names), &frame.env)?;
            let elements = envs.into_iter().enumerate();
            given.extend(elements.map(|(number, env)| Given::Written(pattern, env, Some(number))));
        }
        Some(given)
    }

    /// The value of an object of the type `ty` that one argument or element initializes.
    pub(super) fn initialized_by(&mut self, ty: &Ty, given: Given<'_>) -> Option<Value> {
        match given {
            Given::Written(expr, env, element) => {
                self.with_env(&env, element, |machine| machine.initialized(ty, expr))
            }
            Given::Done(outcome) => self.converted(outcome, ty),
        }
    }

    /// An array of the elements of a list, of the type `element` or else of the type of the first.
    pub(super) fn listed_array(&mut self, element: Option<Ty>, values: &[Expr]) -> Option<Value> {
        let given = self.expanded(values)?;
        let element = match (element, given.first()) {
            (Some(element), _) => element,
            (None, Some(Given::Written(first, env, _))) => {
                without_reference(self.view.type_of(first, env)?).decayed()
            }
            (None, _) => return None,
        };
        let length = Value::Int(i128::try_from(given.len()).ok()?, Symbol::intern("unsigned long"));
        self.aggregate(&Ty::Array(Rc::new(element), Some(length)), &mut given.into_iter().peekable())
    }

    /// The value of a variable: of one without an initializer, that of its default initialization.
    pub(super) fn variable_value(&mut self, variable: &Variable, ty: Option<&Ty>) -> Option<Value> {
        match (&variable.initializer, ty) {
            (Some(Expr::List(values)), Some(Ty::Array(of, None))) => {
                self.listed_array(Some(of.as_ref().clone()), values)
            }
            (Some(initializer), Some(ty))
                if !matches!(ty.unqualified(), Ty::Opaque { .. } | Ty::Parameter(..)) =>
            {
                self.initialized(ty, initializer)
            }
            (Some(initializer), ..) => {
                let outcome = self.evaluate(initializer)?;
                self.decayed(outcome)
            }
            (None, Some(ty)) => self.empty(ty),
            (None, None) => None,
        }
    }

    /// The value of a variable of the type `ty` without an initializer. That of a number is 0: it is assigned before it is
    /// read, or the call is no constant expression.
    pub(super) fn empty(&mut self, ty: &Ty) -> Option<Value> {
        match ty.unqualified() {
            Ty::Builtin(sym::VOID) => None,
            Ty::Builtin(name) => Some(cast(Value::Int(0, sym::INT), *name)),
            Ty::Enum(one) => match &one.underlying {
                Ty::Builtin(name) => Some(Value::Int(0, *name)),
                _ => None,
            },
            Ty::Pointer(_) => Some(Value::Null),
            Ty::Array(..) => self.aggregate(ty, &mut Vec::new().into_iter().peekable()),
            Ty::Class(class) => self.constructed(class, &[]),
            _ => None,
        }
    }

    /// An array or an object of aggregate class that elements of an initializer list initialize ([dcl.init.aggr]); the braces
    /// round inner ones may be left out.
    fn aggregate(
        &mut self,
        ty: &Ty,
        given: &mut std::iter::Peekable<std::vec::IntoIter<Given<'_>>>,
    ) -> Option<Value> {
        match ty.unqualified() {
            Ty::Array(of, length) => {
                let length = length.as_ref()?.int().filter(|length| (0..=LONGEST_ARRAY).contains(length))?;
                let mut parts = Vec::new();
                while given.peek().is_some() && (parts.len() as i128) < length {
                    parts.push(self.aggregate_part(of, given).unwrap_or_else(unknown));
                }
                if (parts.len() as i128) < length {
                    let rest = self.empty(of)?;
                    parts.resize(usize::try_from(length).ok()?, rest);
                }
                Some(Value::Object(Rc::new(Object {
                    ty: ty.clone(),
                    names: Rc::from([]),
                    parts,
                    named: None,
                })))
            }
            Ty::Class(class) => {
                let fields = fields(self.view, class)?;
                let this = self.new_object(unmade(class, &fields));
                let designated = matches!(given.peek(), Some(Given::Written(one, ..)) if is_designated(one));
                let mut named = match designated {
                    true => given.by_ref().collect(),
                    false => Vec::new(),
                };
                for (number, field) in fields.iter().enumerate() {
                    let own = match designated {
                        true => take_designated(&mut named, field.name),
                        false => given.peek().is_some().then_some(None),
                    };
                    let value = match own {
                        Some(Some(given)) => self.initialized_by(&field.ty, given),
                        Some(None) => self.aggregate_part(&field.ty, given),
                        None => self.default_member(class, &this, field),
                    };
                    self.write_to(&this.part(number), value.unwrap_or_else(unknown))?;
                }
                self.take_object(&this)
            }
            _ => None,
        }
    }

    /// A part of an aggregate that the next elements of an initializer list initialize.
    fn aggregate_part(
        &mut self,
        ty: &Ty,
        given: &mut std::iter::Peekable<std::vec::IntoIter<Given<'_>>>,
    ) -> Option<Value> {
        let elided = match (ty.unqualified(), given.peek()?) {
            (_, Given::Done(_)) | (_, Given::Written(Expr::List(_), ..)) => false,
            (Ty::Array(of, _), Given::Written(Expr::Text(_), ..)) => {
                !matches!(of.unqualified(), Ty::Builtin(_))
            }
            (Ty::Array(..), _) => true,
            (Ty::Class(class), Given::Written(expr, env, _)) => {
                let other = |ty: Ty| match ty.without_cvref() {
                    Ty::Class(own) => !same_class(own, class) && !self.view.is_derived(&ty, class),
                    _ => true,
                };
                self.constructors_of(class).is_empty() && self.view.type_of(expr, env).is_some_and(other)
            }
            _ => false,
        };
        match elided {
            true => self.aggregate(ty, given),
            false => {
                let next = given.next()?;
                self.initialized_by(ty, next)
            }
        }
    }

    /// The constructors of a class that are not defaulted.
    pub(super) fn constructors_of(&self, class: &Rc<Instance>) -> Vec<Entity> {
        let mut all = self.view.constructors(class);
        all.retain(|one| matches!(&one.decl.kind, DeclBody::Function(function) if !function.defaulted));
        all
    }

    /// Whether a class has a default constructor of its own that is defaulted: it initializes each part as no initializer does.
    fn has_defaulted_constructor(&self, class: &Rc<Instance>) -> bool {
        let is_own = |one: &Entity| one.owner.as_ref().is_some_and(|owner| same_class(owner, class));
        let is_it = |one: &Entity| match &one.decl.kind {
            DeclBody::Function(function) => {
                function.defaulted && !one.decl.specifiers.is_deleted && function.parameters.is_empty()
            }
            _ => false,
        };
        self.view.constructors(class).iter().any(|one| is_it(one) && is_own(one))
    }

    /// The value of an object of class type that arguments, or the elements of a braced list, initialize.
    pub(super) fn constructed(&mut self, class: &Rc<Instance>, written: &[Expr]) -> Option<Value> {
        if let [only] = written
            && !is_designated(only)
            && !matches!(only, Expr::List(_) | Expr::Expansion(_))
            && self.may_be_copy(only, class)
        {
            let changes = self.changes;
            let copied = self.copied_from(only, class);
            if copied.is_some() || self.changes > changes || assigns(only) {
                return copied;
            }
        }
        let constructors = self.constructors_of(class);
        if constructors.is_empty() || written.is_empty() && self.has_defaulted_constructor(class) {
            let given = self.expanded(written)?;
            return self.aggregate(&Ty::Class(class.clone()), &mut given.into_iter().peekable());
        }
        let env = self.frame.env.clone();
        let view = self.view;
        let call = Call::new(view, written, &env);
        let given = self.expanded(written)?;
        // Constructors that initialize each other's parameters in turn are nested without an expression between them.
        view.nested_step(|| self.construct_by(class, &constructors, &call, given))
    }

    /// Whether an expression may be an object of a class, or of one derived from it, that is copied.
    fn may_be_copy(&self, expr: &Expr, class: &Rc<Instance>) -> bool {
        match self.view.type_of(expr, &self.frame.env) {
            Some(ty) => match ty.without_cvref() {
                Ty::Class(own) => same_class(own, class) || self.view.is_derived(&ty, class),
                Ty::Opaque { .. } => !assigns(expr),
                _ => false,
            },
            None => !assigns(expr),
        }
    }

    fn copied_from(&mut self, expr: &Expr, class: &Rc<Instance>) -> Option<Value> {
        let outcome = self.evaluate(expr)?;
        if let Outcome::Value(Value::Object(object)) = &outcome
            && class_of(object).is_some_and(|own| same_class(own, class))
        {
            // A prvalue is not copied: it is the object ([dcl.init.general]/16.6.1).
            return self.loaded(outcome);
        }
        let place = self.materialized(outcome)?;
        self.copy_of(&place, class)
    }

    /// A copy of an object, or of its base class subobject of the class; `None` if a copy constructor of its own makes it.
    pub(super) fn copy_of(&self, place: &Place, class: &Rc<Instance>) -> Option<Value> {
        let own = self.subobject(place, class)?;
        let name = class.decl.as_ref()?.name;
        let takes_same = |one: &Entity| match &one.decl.kind {
            DeclBody::Function(function) => match function.parameters.as_slice() {
                [only] => match strip_cv_and_references(&only.ty) {
                    Type::Named(path) => path.last().name == name,
                    _ => false,
                },
                _ => false,
            },
            _ => false,
        };
        let copies = self.constructors_of(class).iter().any(takes_same);
        (!copies).then(|| self.at(&own).cloned()).flatten()
    }

    /// The object that the best of some constructors makes of arguments.
    pub(super) fn construct_by(
        &mut self,
        class: &Rc<Instance>,
        constructors: &[Entity],
        call: &Call<'_>,
        given: Vec<Given<'_>>,
    ) -> Option<Value> {
        let path = Path::plain(class.decl.as_ref()?.name);
        let target = self.resolved(constructors, &path, call)?;
        let own = target.class.clone()?;
        let fields = fields(self.view, class)?;
        let this = self.new_object(unmade(class, &fields));
        if !same_class(&own, class) {
            // An inherited constructor ([class.inhctor.init]).
            let inherits = |field: &Field| match field.ty.unqualified() {
                Ty::Class(base) => same_class(base, &own),
                _ => false,
            };
            let base = this.part(fields.iter().position(inherits)?);
            let inner = super::objects::fields(self.view, &own)?;
            self.write_to(&base, unmade(&own, &inner))?;
            self.run_constructor(&own, &base, &target, given)?;
            for (number, field) in fields.iter().enumerate().filter(|(_, field)| !inherits(field)) {
                let value = self.default_member(class, &this, field).unwrap_or_else(unknown);
                self.write_to(&this.part(number), value)?;
            }
        } else {
            self.run_constructor(class, &this, &target, given)?;
        }
        self.take_object(&this)
    }

    /// Runs a constructor for an object whose parts are not made yet.
    fn run_constructor(
        &mut self,
        class: &Rc<Instance>,
        this: &Place,
        target: &Rc<Target>,
        given: Vec<Given<'_>>,
    ) -> Option<()> {
        let DeclBody::Function(function) = &target.decl.kind else { return None };
        let statements = function.statements.as_deref()?;
        let frame = self.entered(target, given, Some(this.clone()))?;
        let run = |machine: &mut Self| {
            machine.run_initializers(class, this, statements)?;
            machine.run_statements(statements).map(|_| ())
        };
        self.view.within_limits(|| self.with_frame(frame, run)).flatten()
    }

    /// Initializes the base class subobjects and data members of an object, by the mem-initializers of a constructor or as
    /// their declarations say ([class.base.init]).
    fn run_initializers(
        &mut self,
        class: &Rc<Instance>,
        this: &Place,
        statements: &[Statement],
    ) -> Option<()> {
        let initializers: Vec<(&Path, &Expr)> = statements
            .iter()
            .map_while(|statement| match statement {
                Statement::Initialize(path, expr) => Some((path, expr)),
                _ => None,
            })
            .collect();
        let own_name = class.decl.as_ref().map(|decl| decl.name);
        if let [(path, expr)] = initializers.as_slice()
            && Some(path.last().name) == own_name
        {
            let value = self.initialized(&Ty::Class(class.clone()), expr)?;
            return self.write_to(this, value);
        }
        for (number, field) in fields(self.view, class)?.iter().enumerate() {
            let is_it = |path: &Path| match field.ty.unqualified() {
                Ty::Class(base) if field.name == sym::EMPTY => {
                    match self.view.named_type(path, &self.frame.env).unqualified() {
                        Ty::Class(named) => same_class(named, base),
                        _ => false,
                    }
                }
                _ => path.segments.len() == 1 && path.last().name == field.name,
            };
            let own = initializers.iter().find(|(path, _)| is_it(path));
            let value = match own {
                Some((_, expr)) => {
                    let changes = self.changes;
                    let value = self.initialized(&field.ty, expr);
                    if value.is_none() && (self.changes > changes || assigns(expr)) {
                        return None;
                    }
                    value
                }
                None => self.default_member(class, this, field),
            };
            self.write_to(&this.part(number), value.unwrap_or_else(unknown))?;
        }
        Some(())
    }

    /// The value of a part that no initializer is given for.
    fn default_member(&mut self, class: &Rc<Instance>, this: &Place, field: &Field) -> Option<Value> {
        let Some(default) = &field.default else { return self.empty(&field.ty) };
        let mut frame = CallFrame::new(class.env.inside(class.clone()));
        frame.this = Some(this.clone());
        self.with_frame(frame, |machine| machine.initialized(&field.ty, default))
    }

    /// The array that a string literal is.
    pub(super) fn string(&self, spelling: &str) -> Option<Place> {
        Some(Place::of(Base::Static(Rc::new(string_literal(spelling)?))))
    }
}

/// Takes the initializer of a member out of a designated initializer list.
fn take_designated<'e>(given: &mut Vec<Given<'e>>, name: Symbol) -> Option<Option<Given<'e>>> {
    let is_it = |one: &Given<'_>| match one {
        Given::Written(Expr::Binary(sym::ASSIGN, member, _), ..) => {
            matches!(member.as_ref(), Expr::Name(path) if path.last().name == name)
        }
        _ => false,
    };
    let number = given.iter().position(is_it)?;
    match given.swap_remove(number) {
        Given::Written(Expr::Binary(_, _, value), env, element) => {
            Some(Some(Given::Written(value, env, element)))
        }
        _ => None,
    }
}
