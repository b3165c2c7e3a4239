//! The state of the evaluation of one constant: its objects, and the call that is running.
//!
//! In: loads from and stores to places. Out: values; `None` for a place that is not within an object, or whose value is not
//! known. Knows no expression and no statement.

use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::source::{Symbol, sym};

use super::types::{Base, Env, Instance, Object, Place, StaticObject, Ty, Value};
use super::view::{Key, View};
use crate::facts::lower::ast::*;

/// The text of a value that is not known.
const UNKNOWN: &str = "?";

/// The evaluation of one constant.
pub(super) struct Machine<'v, 'w> {
    pub(super) view: &'v View<'w>,
    /// The objects that the evaluation created, by their number.
    objects: Vec<Value>,
    /// How often an object was changed.
    pub(super) changes: usize,
    pub(super) frame: CallFrame,
    /// The functions that calls in the bodies of functions call, by the address of the callee and the number of the function.
    pub(super) targets: FxHashMap<(usize, usize), Rc<Target>>,
    /// The functions called so far, by the address of the declaration, its class and the template arguments.
    pub(super) functions: FxHashMap<Key, usize>,
}

/// A function to call.
pub(super) struct Target {
    /// The declaration that has the body.
    pub(super) decl: Arc<Decl>,
    /// The environment of its declaration, its template parameters bound.
    pub(super) env: Env,
    /// The class that it is a member of, unless it is a static member function.
    pub(super) class: Option<Rc<Instance>>,
    /// Its number among the functions called; `None` if another one could look the same.
    pub(super) number: Option<usize>,
}

/// One call under way; the outermost is that of the constant itself.
pub(super) struct CallFrame {
    /// The environment of all names but the variables, and of the variables' types.
    pub(super) env: Env,
    /// The parameters and variables, innermost last.
    pub(super) variables: Vec<(Symbol, Held)>,
    pub(super) this: Option<Place>,
    /// Which element of each function parameter pack the names of packs denote.
    pub(super) element: Option<usize>,
    /// The element that each enclosing range-based `for` statement is at.
    pub(super) range_elements: Vec<Place>,
    /// The object that the names of the last structured binding denote parts of.
    pub(super) bound: Option<Place>,
    pub(super) result: ResultKind,
    /// The number of the function that is called.
    pub(super) function: Option<usize>,
}

/// How the operand of a return statement becomes the result of the call.
#[derive(Clone)]
pub(super) enum ResultKind {
    /// The return type is deduced.
    Deduced,
    /// The function returns a reference.
    Reference,
    /// The function returns an object of this type.
    Object(Ty),
}

/// The meaning of a variable's name.
#[derive(Clone)]
pub(super) enum Held {
    One(Place),
    /// A function parameter pack.
    Pack(Vec<Place>),
}

/// The result of evaluating an expression.
#[derive(Clone)]
pub(super) enum Outcome {
    /// A prvalue.
    Value(Value),
    /// A glvalue.
    Place(Place),
    /// No value: the expression has the type `void`.
    Void,
}

impl CallFrame {
    /// A frame without variables.
    pub(super) fn new(env: Env) -> CallFrame {
        CallFrame {
            env,
            variables: Vec::new(),
            this: None,
            element: None,
            range_elements: Vec::new(),
            bound: None,
            result: ResultKind::Deduced,
            function: None,
        }
    }

    /// The place that the name of a variable denotes.
    pub(super) fn variable(&self, name: Symbol) -> Option<&Place> {
        let (_, held) = self.variables.iter().rfind(|(own, _)| *own == name)?;
        match held {
            Held::One(place) => Some(place),
            Held::Pack(places) => places.get(self.element?),
        }
    }
}

impl<'v, 'w> Machine<'v, 'w> {
    /// The evaluation of a constant whose names are looked up in `env`.
    pub(super) fn new(view: &'v View<'w>, env: &Env) -> Machine<'v, 'w> {
        Machine {
            view,
            objects: Vec::new(),
            changes: 0,
            frame: CallFrame::new(env.clone()),
            targets: FxHashMap::default(),
            functions: FxHashMap::default(),
        }
    }

    /// Runs `work` with another frame in place of the current one.
    pub(super) fn with_frame<T>(&mut self, frame: CallFrame, work: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.frame, frame);
        let result = work(self);
        self.frame = outer;
        result
    }

    /// Runs `work` where names are looked up in `env`, and packs are at `element`.
    pub(super) fn with_env<T>(
        &mut self,
        env: &Env,
        element: Option<usize>,
        work: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let outer = std::mem::replace(&mut self.frame.env, env.clone());
        let outer_element = std::mem::replace(&mut self.frame.element, element);
        let result = work(self);
        self.frame.env = outer;
        self.frame.element = outer_element;
        result
    }

    /// A new object with a value.
    pub(super) fn new_object(&mut self, value: Value) -> Place {
        self.objects.push(value);
        Place::of(Base::Local(self.objects.len() - 1))
    }

    /// The value of a new object that nothing refers to any more.
    pub(super) fn take_object(&mut self, place: &Place) -> Option<Value> {
        match place.base {
            Base::Local(number) => Some(std::mem::replace(self.objects.get_mut(number)?, unknown())),
            Base::Static(_) => None,
        }
    }

    /// The value at a place.
    pub(super) fn at<'p>(&'p self, place: &'p Place) -> Option<&'p Value> {
        let mut value = match &place.base {
            Base::Local(number) => self.objects.get(*number)?,
            Base::Static(object) => &object.value,
        };
        for number in &place.path {
            value = value.object()?.parts.get(*number)?;
        }
        Some(value)
    }

    /// Replaces the value at a place; `None` if the evaluation did not create the object.
    pub(super) fn write_to(&mut self, place: &Place, value: Value) -> Option<()> {
        let Base::Local(number) = place.base else { return None };
        let mut target = self.objects.get_mut(number)?;
        for number in &place.path {
            let Value::Object(object) = target else { return None };
            target = Rc::make_mut(object).parts.get_mut(*number)?;
        }
        *target = value;
        self.changes += 1;
        Some(())
    }

    /// The value of an outcome, after the lvalue-to-rvalue conversion.
    pub(super) fn loaded(&self, outcome: Outcome) -> Option<Value> {
        match outcome {
            Outcome::Value(value) => Some(value),
            Outcome::Place(place) => self.at(&place).cloned(),
            Outcome::Void => None,
        }
    }

    /// The glvalue of an outcome; a prvalue becomes a temporary object ([conv.rval]).
    pub(super) fn materialized(&mut self, outcome: Outcome) -> Option<Place> {
        match outcome {
            Outcome::Value(value) => Some(self.new_object(value)),
            Outcome::Place(place) => Some(place),
            Outcome::Void => None,
        }
    }

    /// The value of an outcome, of an array the address of its first element ([conv.array]).
    pub(super) fn decayed(&mut self, outcome: Outcome) -> Option<Value> {
        let is_array =
            |value: &Value| value.object().is_some_and(|object| matches!(object.ty, Ty::Array(..)));
        let decays = match &outcome {
            Outcome::Value(value) => is_array(value),
            Outcome::Place(place) => self.at(place).is_some_and(is_array),
            Outcome::Void => false,
        };
        match decays {
            true => Some(Value::Pointer(self.materialized(outcome)?.part(0))),
            false => self.loaded(outcome),
        }
    }

    /// The subobject of a class in an object: the object itself, or a base class subobject.
    pub(super) fn subobject(&self, place: &Place, class: &Rc<Instance>) -> Option<Place> {
        let path = path_to_class(self.at(place)?.object()?, class)?;
        Some(path.into_iter().fold(place.clone(), |place, number| place.part(number)))
    }

    /// The data member of an object, also that of a base class.
    pub(super) fn data_member(&self, place: &Place, name: Symbol) -> Option<Place> {
        let path = path_to_member(self.at(place)?.object()?, name)?;
        Some(path.into_iter().fold(place.clone(), |place, number| place.part(number)))
    }

    /// An address `by` elements further on; `None` if that is not within the array or just behind it ([expr.add]/4).
    pub(super) fn advanced(&self, place: &Place, by: i128) -> Option<Place> {
        let (last, around) = match place.path.split_last() {
            Some((last, around)) => (*last, Place { base: place.base.clone(), path: around.to_vec() }),
            None => return (by == 0).then(|| place.clone()),
        };
        let array = self.at(&around)?.object()?;
        if !matches!(array.ty, Ty::Array(..)) {
            return (by == 0).then(|| place.clone());
        }
        let index = usize::try_from(i128::try_from(last).ok()?.checked_add(by)?).ok()?;
        (index <= array.parts.len()).then(|| around.part(index))
    }
}

/// A value that is not known.
pub(super) fn unknown() -> Value {
    Value::opaque(UNKNOWN)
}

/// A string literal as an array of characters; `None` with a prefix or an escape sequence.
pub(super) fn string_literal(spelling: &str) -> Option<StaticObject> {
    let text = spelling.strip_prefix('"')?.strip_suffix('"')?;
    if text.contains(['\\', '"']) {
        return None;
    }
    let parts: Vec<Value> =
        text.bytes().chain([0]).map(|byte| Value::Int(i128::from(byte as i8), sym::CHAR)).collect();
    let length = Value::Int(parts.len() as i128, Symbol::intern("unsigned long"));
    let ty = Ty::Array(Rc::new(Ty::Builtin(sym::CHAR).qualified(true, false)), Some(length));
    let value = Value::Object(Rc::new(Object { ty, names: Rc::from([]), parts, named: None }));
    Some(StaticObject { name: spelling.to_string(), value })
}

/// The number by which two addresses of elements of one array differ; `None` if they are no such addresses.
pub(super) fn distance(left: &Place, right: &Place) -> Option<i128> {
    let (a, around) = left.path.split_last()?;
    let (b, other) = right.path.split_last()?;
    (same_base(&left.base, &right.base) && around == other)
        .then(|| i128::try_from(*a).ok()?.checked_sub(i128::try_from(*b).ok()?))
        .flatten()
}

/// Whether two places are the same; `None` for two string literals, which may share their characters ([lex.string]/9).
pub(super) fn same_place(left: &Place, right: &Place) -> Option<bool> {
    let is_literal = |place: &Place| match &place.base {
        Base::Static(object) => object.name.ends_with('"'),
        Base::Local(_) => false,
    };
    match same_base(&left.base, &right.base) {
        false if is_literal(left) && is_literal(right) => None,
        same => Some(same && left.path == right.path),
    }
}

fn same_base(left: &Base, right: &Base) -> bool {
    match (left, right) {
        (Base::Local(left), Base::Local(right)) => left == right,
        (Base::Static(left), Base::Static(right)) => left.name == right.name,
        _ => false,
    }
}

/// Whether two values are equal, part by part; `None` if one of them is not known.
pub(super) fn same_value(left: &Value, right: &Value) -> Option<bool> {
    match (left, right) {
        (Value::Int(a, _), Value::Int(b, _)) => Some(a == b),
        (Value::Float(a, _), Value::Float(b, _)) => Some(a == b),
        (Value::Null, Value::Null) => Some(true),
        (Value::Null, Value::Pointer(_)) | (Value::Pointer(_), Value::Null) => Some(false),
        (Value::Pointer(a), Value::Pointer(b)) => same_place(a, b),
        (Value::Object(a), Value::Object(b)) if a.parts.len() == b.parts.len() => {
            let mut parts = a.parts.iter().zip(&b.parts);
            parts.try_fold(true, |same, (a, b)| Some(same_value(a, b)? && same))
        }
        _ => None,
    }
}

/// The class of an object.
pub(super) fn class_of(object: &Object) -> Option<&Rc<Instance>> {
    match object.ty.unqualified() {
        Ty::Class(class) => Some(class),
        _ => None,
    }
}

/// Whether two instances are one class. That of a local class is made again wherever its name is looked up.
pub(super) fn same_class(left: &Rc<Instance>, right: &Rc<Instance>) -> bool {
    Rc::ptr_eq(left, right) || left.is_same(right)
}

fn path_to_class(object: &Object, class: &Rc<Instance>) -> Option<Vec<usize>> {
    if same_class(class_of(object)?, class) {
        return Some(Vec::new());
    }
    through_bases(object, |base| path_to_class(base, class))
}

fn path_to_member(object: &Object, name: Symbol) -> Option<Vec<usize>> {
    match object.names.iter().position(|own| *own == name) {
        Some(number) => Some(vec![number]),
        None => through_bases(object, |base| path_to_member(base, name)),
    }
}

/// The path that `find` gives in the first base class subobject that has one.
fn through_bases(object: &Object, find: impl Fn(&Object) -> Option<Vec<usize>>) -> Option<Vec<usize>> {
    object.names.iter().zip(&object.parts).enumerate().find_map(|(number, (name, part))| {
        let rest = find(part.object().filter(|_| *name == sym::EMPTY)?)?;
        Some([vec![number], rest].concat())
    })
}
