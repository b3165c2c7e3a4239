//! Types and values by what they mean in one pass, and the environments that the names in them are looked up in.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use crate::source::{Symbol, sym};
use crate::variance::ScopeId;

use crate::facts::lower::ast::{Closure, Decl, DeclBody};
use crate::facts::model::TextDigest;

/// A type by meaning: aliases replaced, names qualified.
#[derive(Clone, Debug)]
pub(in crate::facts) enum Ty {
    Builtin(Symbol),
    Class(Rc<Instance>),
    /// An enumeration: its qualified name and underlying type.
    Enum(Rc<EnumType>),
    Pointer(Rc<Ty>),
    LvalueReference(Rc<Ty>),
    RvalueReference(Rc<Ty>),
    Array(Rc<Ty>, Option<Value>),
    Function(Rc<Ty>, Vec<Ty>),
    /// const, volatile.
    Qualified(Rc<Ty>, bool, bool),
    /// A parameter of a template that is looked at by itself: its number and its name.
    Parameter(usize, Symbol),
    /// A name nothing declares, as spelled with its arguments by meaning. `dependent` when it hangs
    /// on a template parameter and so could not have been resolved.
    Opaque {
        text: Rc<str>,
        dependent: bool,
    },
}

/// A class, or a class template with arguments.
#[derive(Debug)]
pub(in crate::facts) struct Instance {
    /// The qualified name without arguments.
    pub name: String,
    /// The template arguments.
    pub arguments: Vec<TemplateArgument>,
    /// The definition chosen for the arguments, if one is visible.
    pub decl: Option<Arc<Decl>>,
    /// The environment in which the members' types are looked up, the template's own parameters bound.
    pub env: Env,
    /// The top-level declaration it comes from.
    pub top: usize,
    /// How many names its text has.
    pub weight: usize,
    /// The class in words, put together once for each spelling.
    pub texts: [OnceCell<Rc<str>>; 2],
}

/// Where a name is looked up: a namespace scope, and inside it classes, template parameters, blocks.
#[derive(Clone, Debug)]
pub(in crate::facts) struct Env {
    pub scope: ScopeId,
    pub frame: Option<Rc<Frame>>,
}

/// A class, a block, template parameters, in what is around them.
#[derive(Debug)]
pub(in crate::facts) struct Frame {
    pub parent: Option<Rc<Frame>>,
    pub kind: FrameKind,
}

/// What a frame adds.
#[derive(Debug)]
pub(in crate::facts) enum FrameKind {
    Bindings(Bindings),
    Class(Rc<Instance>),
    Locals(RefCell<Vec<Arc<Decl>>>),
    Parameters(Vec<(Symbol, Ty)>),
}

/// An enumeration.
#[derive(Debug)]
pub(in crate::facts) struct EnumType {
    pub name: String,
    pub underlying: Ty,
    pub decl: Arc<Decl>,
    pub env: Env,
}

/// A constant by meaning.
#[derive(Clone, Debug)]
pub(in crate::facts) enum Value {
    /// An integer and its type.
    Int(i128, Symbol),
    /// Not evaluated: canonical text.
    Opaque(Rc<str>),
}

/// What a template parameter stands for.
#[derive(Clone, Debug)]
pub(in crate::facts) enum TemplateArgument {
    Type(Ty),
    Value(Value),
    Pack(Vec<TemplateArgument>),
    /// A template named as an argument.
    Template(Rc<str>),
}

/// Template parameters with what they stand for, in order.
pub(in crate::facts) type Bindings = Vec<(Symbol, TemplateArgument)>;

/// How types are put into words.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::facts) enum Spelling {
    /// For comparing: template parameters by number.
    Canonical,
    /// For people: template parameters by name.
    Shown,
}

/// Longer texts than this many bytes are given by a token_facts: metaprograms nest types without end, and
/// every level would spell out all of those inside it.
const LONGEST_TEXT: usize = 2000;

/// A text, or its beginning and a token_facts.
pub(in crate::facts) fn bounded(text: String) -> String {
    if text.len() <= LONGEST_TEXT {
        return text;
    }
    format!("{}… {}", &text[..text.floor_char_boundary(60)], TextDigest::of([text.as_str()]))
}

impl Ty {
    pub(in crate::facts) fn opaque(text: &str) -> Ty {
        Ty::Opaque { text: bounded(text.into()).into(), dependent: false }
    }

    pub(in crate::facts) fn builtin(name: &str) -> Ty {
        Ty::Builtin(Symbol::intern(name))
    }

    /// The type without top-level cv ([dcl.fct]/5: those of a parameter are not part of the signature).
    pub(in crate::facts) fn unqualified(&self) -> &Ty {
        match self {
            Ty::Qualified(inner, ..) => inner.unqualified(),
            other => other,
        }
    }

    /// The type without references and top-level cv.
    pub(in crate::facts) fn without_cvref(&self) -> &Ty {
        match self {
            Ty::Qualified(inner, ..) | Ty::LvalueReference(inner) | Ty::RvalueReference(inner) => {
                inner.without_cvref()
            }
            other => other,
        }
    }

    /// `const T`; qualifiers of a reference vanish and those of an array belong to its elements.
    pub(in crate::facts) fn qualified(self, is_const: bool, is_volatile: bool) -> Ty {
        match self {
            _ if !is_const && !is_volatile => self,
            Ty::Qualified(inner, c, v) => Ty::Qualified(inner, c || is_const, v || is_volatile),
            Ty::LvalueReference(_) | Ty::RvalueReference(_) | Ty::Function(..) => self,
            Ty::Array(element, size) => {
                Ty::Array(Rc::new(element.as_ref().clone().qualified(is_const, is_volatile)), size)
            }
            other => Ty::Qualified(Rc::new(other), is_const, is_volatile),
        }
    }

    /// What a parameter of this type is adjusted to, and an argument of it deduced as
    /// ([dcl.fct]/5, [temp.deduct.call]/2): arrays and functions become pointers, top-level cv goes.
    pub(in crate::facts) fn decayed(&self) -> Ty {
        match self.unqualified() {
            Ty::Array(element, _) => Ty::Pointer(element.clone()),
            Ty::Function(..) => Ty::Pointer(Rc::new(self.unqualified().clone())),
            other => other.clone(),
        }
    }

    /// Whether the type is known down to its parts, or hangs on a name nothing declares.
    pub(in crate::facts) fn is_sure(&self) -> bool {
        match self {
            Ty::Builtin(_) | Ty::Enum(_) | Ty::Parameter(..) => true,
            Ty::Class(instance) => instance.arguments.iter().all(TemplateArgument::is_sure),
            Ty::Pointer(inner)
            | Ty::LvalueReference(inner)
            | Ty::RvalueReference(inner)
            | Ty::Qualified(inner, ..) => inner.is_sure(),
            Ty::Array(inner, size) => {
                inner.is_sure() && size.as_ref().is_none_or(|size| matches!(size, Value::Int(..)))
            }
            Ty::Function(result, parameters) => result.is_sure() && parameters.iter().all(Ty::is_sure),
            Ty::Opaque { .. } => false,
        }
    }

    /// How many names the type's text has.
    fn weight(&self) -> usize {
        match self {
            Ty::Class(instance) => instance.weight,
            Ty::Pointer(inner)
            | Ty::LvalueReference(inner)
            | Ty::RvalueReference(inner)
            | Ty::Array(inner, _)
            | Ty::Qualified(inner, ..) => inner.weight(),
            Ty::Function(result, parameters) => {
                parameters.iter().fold(result.weight(), |sum, one| sum.saturating_add(one.weight()))
            }
            Ty::Builtin(_) | Ty::Enum(_) | Ty::Parameter(..) => 1,
            // A name and what follows it.
            Ty::Opaque { text, .. } => 1 + text.len() / 8,
        }
    }

    /// The type in words.
    pub(in crate::facts) fn text(&self, spelling: Spelling) -> String {
        self.around(String::new(), spelling)
    }

    /// C's declarator syntax: the type written around `inner`.
    fn around(&self, inner: String, spelling: Spelling) -> String {
        let spaced = |base: String| if inner.is_empty() { base } else { format!("{base} {inner}") };
        let grouped = |inner: &str| {
            if inner.starts_with(['*', '&']) { format!("({inner})") } else { inner.to_string() }
        };
        match self {
            Ty::Builtin(name) => spaced(name.to_string()),
            Ty::Class(instance) => spaced(instance.text(spelling)),
            Ty::Enum(one) => spaced(one.name.clone()),
            Ty::Parameter(number, name) => spaced(match spelling {
                Spelling::Canonical => format!("${number}"),
                Spelling::Shown => name.to_string(),
            }),
            Ty::Opaque { text, .. } => spaced(text.to_string()),
            Ty::Pointer(to) => to.around(format!("*{inner}"), spelling),
            Ty::LvalueReference(to) => to.around(format!("&{inner}"), spelling),
            Ty::RvalueReference(to) => to.around(format!("&&{inner}"), spelling),
            Ty::Array(of, size) => {
                let size = size.as_ref().map_or(String::new(), |size| size.text());
                of.around(format!("{}[{size}]", grouped(&inner)), spelling)
            }
            Ty::Function(result, parameters) => {
                let list: Vec<String> = parameters.iter().map(|parameter| parameter.text(spelling)).collect();
                result.around(format!("{}({})", grouped(&inner), list.join(", ")), spelling)
            }
            Ty::Qualified(of, is_const, is_volatile) => {
                let mut words = String::new();
                words.push_str(if *is_const { "const " } else { "" });
                words.push_str(if *is_volatile { "volatile " } else { "" });
                match of.as_ref() {
                    Ty::Pointer(_) if inner.is_empty() || inner.starts_with('[') => {
                        of.around(format!("{}{inner}", words.trim_end()), spelling)
                    }
                    Ty::Pointer(_) => of.around(format!("{words}{inner}"), spelling),
                    _ => format!("{words}{}", of.around(inner, spelling)),
                }
            }
        }
    }
}

impl Instance {
    /// Whether it is the type of a lambda expression.
    pub(in crate::facts) fn is_closure(&self) -> bool {
        self.lambda().is_some()
    }

    /// The lambda expression that it is the type of.
    pub(in crate::facts) fn lambda(&self) -> Option<&Arc<Closure>> {
        match &self.decl.as_ref()?.kind {
            DeclBody::Class(class) => class.closure.as_ref(),
            _ => None,
        }
    }

    pub(in crate::facts) fn text(&self, spelling: Spelling) -> String {
        if self.arguments.is_empty() {
            return self.name.clone();
        }
        let text = self.texts[spelling as usize].get_or_init(|| {
            bounded(format!("{}<{}>", self.name, list_text(&self.arguments, spelling))).into()
        });
        text.to_string()
    }
}

/// Template arguments in words, packs spread out.
pub(in crate::facts) fn list_text(arguments: &[TemplateArgument], spelling: Spelling) -> String {
    let mut texts = Vec::new();
    for argument in arguments {
        argument.texts(spelling, &mut texts);
    }
    texts.join(", ")
}

impl TemplateArgument {
    fn texts(&self, spelling: Spelling, out: &mut Vec<String>) {
        match self {
            TemplateArgument::Type(ty) => out.push(ty.text(spelling)),
            TemplateArgument::Value(value) => out.push(value.text()),
            TemplateArgument::Pack(members) => members.iter().for_each(|member| member.texts(spelling, out)),
            TemplateArgument::Template(name) => out.push(name.to_string()),
        }
    }

    pub(in crate::facts) fn text(&self, spelling: Spelling) -> String {
        list_text(std::slice::from_ref(self), spelling)
    }

    /// How many names the text has.
    pub(in crate::facts) fn weight(&self) -> usize {
        match self {
            TemplateArgument::Type(ty) => ty.weight(),
            TemplateArgument::Pack(members) => {
                members.iter().fold(0, |sum, one| sum.saturating_add(one.weight()))
            }
            TemplateArgument::Value(_) | TemplateArgument::Template(_) => 1,
        }
    }

    pub(in crate::facts) fn is_sure(&self) -> bool {
        match self {
            TemplateArgument::Type(ty) => ty.is_sure(),
            TemplateArgument::Value(value) => matches!(value, Value::Int(..)),
            TemplateArgument::Pack(members) => members.iter().all(TemplateArgument::is_sure),
            TemplateArgument::Template(_) => true,
        }
    }
}

impl Value {
    pub(in crate::facts) fn opaque(text: &str) -> Value {
        Value::Opaque(bounded(text.into()).into())
    }

    pub(in crate::facts) fn bool(value: bool) -> Value {
        Value::Int(i128::from(value), sym::BOOL)
    }

    pub(in crate::facts) fn int(&self) -> Option<i128> {
        match self {
            Value::Int(value, _) => Some(*value),
            Value::Opaque(_) => None,
        }
    }

    pub(in crate::facts) fn text(&self) -> String {
        match self {
            Value::Int(value, ty) if *ty == sym::BOOL => (if *value == 0 { "false" } else { "true" }).into(),
            Value::Int(value, _) => value.to_string(),
            Value::Opaque(text) => text.to_string(),
        }
    }
}
