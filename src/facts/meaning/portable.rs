//! Types and template arguments apart from any unit: what an answer that other units take over is about.
//!
//! A unit's own types refer to its scopes and declarations by their numbers there. Here classes and enumerations are told by
//! the declarations that define them, which units share as long as their tokens are the same
//! ([`Memo`](crate::facts::lower::memo::Memo)).

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::facts::lower::ast::Decl;
use crate::source::Symbol;

/// A declaration, which is told from others by its address and kept alive.
#[derive(Clone, Debug)]
pub(super) struct ByAddress(pub(super) Arc<Decl>);

impl PartialEq for ByAddress {
    fn eq(&self, other: &ByAddress) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for ByAddress {}

impl Hash for ByAddress {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (Arc::as_ptr(&self.0) as usize).hash(state);
    }
}

/// The number of a class among those of all units.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(in crate::facts) struct ClassId(pub(super) u32);

/// The number of a class among those of all units, once it is asked for.
#[derive(Clone, Copy, Default, Debug)]
pub(in crate::facts) enum Portability {
    #[default]
    Unasked,
    /// It is local, a closure type, or depends on something that is not known.
    None,
    Class(ClassId),
}

/// A class, or a class template specialization, without what is not known of it.
#[derive(PartialEq, Eq, Hash, Debug)]
pub(super) struct PortableClass {
    pub(super) declared: Declared,
    pub(super) arguments: Vec<PortableArgument>,
}

/// The declaration of a class or an enumeration, and where it is found by its name.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Declared {
    /// The definition that template arguments select, if there is one.
    pub(super) decl: ByAddress,
    /// The class that it is a member of.
    pub(super) owner: Option<ClassId>,
    /// The qualified name of the namespace around.
    pub(super) namespace: Symbol,
}

/// A type that is known.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum PortableType {
    Builtin(Symbol),
    Class(ClassId),
    Enum(Box<Declared>),
    Pointer(Box<PortableType>),
    LvalueReference(Box<PortableType>),
    RvalueReference(Box<PortableType>),
    /// The element type and, if it has one, the number of elements with its type.
    Array(Box<PortableType>, Option<(i128, Symbol)>),
    /// The return type, the parameter types, and whether it has a non-throwing exception specification.
    Function(Box<PortableType>, Vec<PortableType>, bool),
    /// Whether `const`, whether `volatile`.
    Qualified(Box<PortableType>, bool, bool),
}

/// A template argument that is known.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum PortableArgument {
    Type(PortableType),
    /// An integer and its type.
    Value(i128, Symbol),
    /// The same for a parameter with a placeholder type.
    Integer(i128, Symbol),
    Pack(Vec<PortableArgument>),
    /// A class template of a namespace, by its qualified name.
    Template(Box<str>),
}
