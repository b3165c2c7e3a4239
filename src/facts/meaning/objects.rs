//! The parts of objects of class type: base class subobjects, data members, and what lambda-expressions capture.
//!
//! In: a class. Out: its parts in order, and objects with parts that are not known yet; `None` for a union, a class that is
//! not defined, and one with virtual base classes or bit-fields.

use std::rc::Rc;
use std::sync::Arc;

use crate::source::{Symbol, sym};

use super::machine::{Held, Machine, class_of, unknown};
use super::types::{Base, Instance, Object, Place, StaticObject, Ty, Value};
use super::view::View;
use crate::facts::lower::ast::*;

/// A base class subobject or a data member.
pub(super) struct Field {
    /// The empty symbol for a base class subobject.
    pub(super) name: Symbol,
    pub(super) ty: Ty,
    /// The default member initializer.
    pub(super) default: Option<Expr>,
}

impl Machine<'_, '_> {
    /// An object of class type about which nothing is known but its type.
    pub(super) fn unknown_object(&mut self, class: &Rc<Instance>) -> Option<Place> {
        let fields = fields(self.view, class)?;
        Some(self.new_object(unmade(class, &fields)))
    }

    /// A closure object: its parts are the captured entities ([expr.prim.lambda.capture]).
    pub(super) fn closure_object(&mut self, closure: &Arc<Closure>) -> Option<Value> {
        let env = self.frame.env.clone();
        let Ty::Class(class) = self.view.closure_type(closure, &env) else { return None };
        let fields = fields(self.view, &class)?;
        let mut object = unmade_object(&class, &fields);
        for (field, part) in fields.iter().zip(&mut object.parts) {
            let name = captured_name(field.name)?;
            let capture = closure.captures.iter().find(|one| one.name == name);
            let by_name = Expr::Name(Path::plain(name));
            let initializer = capture.and_then(|one| one.initializer.as_ref()).unwrap_or(&by_name);
            if let Some(value) = self.initialized(&field.ty, initializer) {
                *part = value;
            }
        }
        Some(Value::Object(Rc::new(object)))
    }

    /// The captured entities of a closure object, by name.
    pub(super) fn captured_variables(&self, place: &Place) -> Vec<(Symbol, Held)> {
        let Some(object) = self.at(place).and_then(Value::object) else { return Vec::new() };
        let parts = object.names.iter().zip(&object.parts).enumerate();
        let captured = parts.filter_map(|(number, (member, part))| {
            let name = captured_name(*member)?;
            let own = match part {
                // What is captured by reference is the object itself.
                Value::Pointer(to) if self.is_reference_member(object, *member) => to.clone(),
                Value::Opaque(_) => self.named_constant(object, name).unwrap_or_else(|| place.part(number)),
                _ => place.part(number),
            };
            Some((name, Held::One(own)))
        });
        captured.collect()
    }

    /// The constant around a lambda-expression that its body names. Its value is used without a capture
    /// ([basic.def.odr]/5), so it is there also where no closure object is known.
    fn named_constant(&self, closure: &Object, name: Symbol) -> Option<Place> {
        let class = class_of(closure)?;
        let is_written = |capture: &Capture| capture.name == name && capture.initializer.is_some();
        if class.lambda()?.captures.iter().any(is_written) {
            return None;
        }
        let path = Path::plain(name);
        let found = self.view.lookup(&path, &class.env);
        let value = self.view.value_of_entity(found, &path, &class.env)?;
        let name = name.to_string();
        Some(Place::of(Base::Static(Rc::new(StaticObject { name, value }))))
    }

    /// Whether a data member of an object's class has reference type.
    pub(super) fn is_reference_member(&self, object: &Object, name: Symbol) -> bool {
        let fields = class_of(object).and_then(|class| fields(self.view, class));
        fields.into_iter().flatten().any(|field| {
            field.name == name && matches!(field.ty, Ty::LvalueReference(_) | Ty::RvalueReference(_))
        })
    }
}

/// The name of the entity that a data member of a closure type was captured from.
fn captured_name(member: Symbol) -> Option<Symbol> {
    member.as_str().strip_prefix('[')?.strip_suffix(']').map(Symbol::intern)
}

/// An object after the evaluation that made it: where it refers to another object of that evaluation, nothing is known.
pub(super) fn outliving(object: &Object) -> Object {
    let part = |part: &Value| match part {
        Value::Pointer(Place { base: Base::Local(_), .. }) => unknown(),
        Value::Object(inner) => Value::Object(Rc::new(outliving(inner))),
        part => part.clone(),
    };
    Object { parts: object.parts.iter().map(part).collect(), ..object.clone() }
}

/// An object of class type none of whose parts is made.
pub(super) fn unmade(class: &Rc<Instance>, fields: &[Field]) -> Value {
    Value::Object(Rc::new(unmade_object(class, fields)))
}

fn unmade_object(class: &Rc<Instance>, fields: &[Field]) -> Object {
    Object {
        ty: Ty::Class(class.clone()),
        names: fields.iter().map(|field| field.name).collect(),
        parts: fields.iter().map(|_| unknown()).collect(),
        named: None,
    }
}

/// The base class subobjects and the data members of a class, in order; `None` for a union, a class that is not defined, and
/// one with virtual base classes or bit-fields.
pub(super) fn fields(view: &View<'_>, class: &Rc<Instance>) -> Option<Vec<Field>> {
    let DeclBody::Class(definition) = &class.decl.as_ref()?.kind else { return None };
    let members = definition.members.as_ref().filter(|_| !definition.is_union)?;
    let mut fields = Vec::new();
    for (base, is_virtual) in &definition.bases {
        let ty = view.ty(base, &class.env);
        if *is_virtual || !matches!(ty.unqualified(), Ty::Class(_)) {
            return None;
        }
        fields.push(Field { name: sym::EMPTY, ty, default: None });
    }
    let env = class.env.inside(class.clone());
    for member in members {
        match &member.kind {
            DeclBody::Variable(variable) if !member.specifiers.is_static => {
                if variable.bits.is_some() || member.name == sym::EMPTY {
                    return None;
                }
                let ty = view.ty(&variable.ty, &env);
                fields.push(Field { name: member.name, ty, default: variable.initializer.clone() });
            }
            DeclBody::Class(_) if member.name == sym::EMPTY => return None,
            _ => {}
        }
    }
    view.depend_on(class.top);
    Some(fields)
}
