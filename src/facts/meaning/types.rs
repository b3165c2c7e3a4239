//! Resolved types, values and template arguments of one pass, their spellings, and the environments that
//! names are looked up in.

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use crate::source::{Symbol, sym};
use crate::target::PassSet;
use crate::variance::ScopeId;

use super::block::Block;
use super::portable::Portability;
use crate::facts::lower::ast::{Closure, Decl, DeclBody};
use crate::facts::lower::nodes::POINTER_TO_MEMBER;
use crate::facts::model::TextDigest;

/// A type with names looked up and aliases replaced: two are the same type if their canonical spellings are
/// equal.
#[derive(Clone, Debug)]
pub(in crate::facts) enum Ty {
    Builtin(Symbol),
    Class(Rc<Instance>),
    /// An enumeration.
    Enum(Rc<EnumType>),
    Pointer(Rc<Ty>),
    LvalueReference(Rc<Ty>),
    RvalueReference(Rc<Ty>),
    Array(Rc<Ty>, Option<Value>),
    /// The return type, the parameter types, and whether it has a non-throwing exception specification.
    Function(Rc<Ty>, Vec<Ty>, bool),
    /// A cv-qualified type: whether `const`, whether `volatile`.
    Qualified(Rc<Ty>, bool, bool),
    /// A template parameter of a template that is looked at without arguments: its index and its name.
    Parameter(usize, Symbol),
    /// A type that is not resolved, as spelled, its template arguments resolved.
    Opaque {
        text: Rc<str>,
        because: Unresolved,
    },
}

/// Why a type is not resolved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::facts) enum Unresolved {
    /// No declaration was found for its name: it is taken for a type of its own.
    Undeclared,
    /// It depends on a template parameter of a template that is looked at without arguments.
    Dependent,
    /// It could not be computed: it may be any type.
    Unknown,
}

/// A class, or a class template specialization.
#[derive(Debug)]
pub(in crate::facts) struct Instance {
    /// The qualified name without template arguments.
    pub name: String,
    /// The template arguments.
    pub arguments: Vec<TemplateArgument>,
    /// The primary template or specialization that the arguments select, if one is visible.
    pub decl: Option<Arc<Decl>>,
    /// The environment that its members are declared in, the template's own parameters bound.
    pub env: Env,
    /// What its arguments may select instead, where one that is not known keeps the question open
    /// ([temp.spec.partial.match]).
    pub alternatives: Vec<Rc<Instance>>,
    /// The index of the top-level declaration that `decl` is from; `usize::MAX` for a local class.
    pub top: usize,
    /// The passes in which it is this very class, its template arguments and environment included.
    pub alike: PassSet,
    /// The number of names in its spelling, its template arguments' included.
    pub weight: usize,
    /// What tells it from other classes.
    pub number: ClassNumber,
    /// Its spelling, made once for each [`Spelling`].
    pub texts: [OnceCell<Rc<str>>; 2],
    /// What tells it from the classes of other units, once it is asked for.
    pub portability: Cell<Portability>,
}

/// The number of a class in a unit: two are the same class if their numbers are equal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(in crate::facts) struct ClassNumber(pub(super) usize);

/// The scopes that unqualified lookup goes through: frames, innermost first, and a namespace scope around
/// them.
#[derive(Clone, Debug)]
pub(in crate::facts) struct Env {
    pub scope: ScopeId,
    pub frame: Option<Rc<Frame>>,
    /// The index of the top-level declaration that the names are written in; `usize::MAX` if they follow all declarations.
    pub top: usize,
}

/// One scope inside a namespace, and its parent scope.
#[derive(Debug)]
pub(in crate::facts) struct Frame {
    pub parent: Option<Rc<Frame>>,
    pub kind: FrameKind,
    /// The passes in which the names of this scope and of those around it, blocks aside, mean the same.
    pub alike: PassSet,
}

/// The names that a frame makes visible.
#[derive(Debug)]
pub(in crate::facts) enum FrameKind {
    /// Template parameters, and local names that stand for a value.
    Bindings(Bindings),
    Class(Rc<Instance>),
    Block(RefCell<Block>),
    Parameters(Vec<(Symbol, Ty)>),
}

/// An enumeration: its qualified name and underlying type.
#[derive(Debug)]
pub(in crate::facts) struct EnumType {
    pub name: String,
    pub underlying: Ty,
    pub decl: Arc<Decl>,
    pub env: Env,
    /// The passes in which it is this very enumeration.
    pub alike: PassSet,
}

/// The value of a constant expression.
#[derive(Clone, Debug)]
pub(in crate::facts) enum Value {
    /// An integer and its type.
    Int(i128, Symbol),
    /// A floating-point value and its type, `float` or `double`.
    Float(f64, Symbol),
    /// `nullptr`.
    Null,
    /// The address of an object, or of an element or member of one.
    Pointer(Place),
    /// An array, or an object of class type.
    Object(Rc<Object>),
    /// A value that could not be computed, as canonical text.
    Opaque(Rc<str>),
}

/// An array, or an object of class type, by its parts.
#[derive(Clone, Debug)]
pub(in crate::facts) struct Object {
    /// Its type: an array or a class.
    pub ty: Ty,
    /// Of a class the names of the parts, the empty symbol for a base class subobject; of an array none.
    pub names: Rc<[Symbol]>,
    /// The elements; the base class subobjects and then the data members.
    pub parts: Vec<Value>,
    /// The variable that it is the value of, for template parameters of reference type.
    pub named: Option<Rc<str>>,
}

/// A glvalue: an object, or a part of one.
#[derive(Clone, Debug)]
pub(in crate::facts) struct Place {
    pub base: Base,
    /// The number of the part in each object from `base` on, outermost first; in an array it may be one past the end.
    pub path: Vec<usize>,
}

/// A complete object.
#[derive(Clone, Debug)]
pub(in crate::facts) enum Base {
    /// One of the evaluation under way, by its number.
    Local(usize),
    /// A variable with static storage duration, a string literal or a template parameter object.
    Static(Rc<StaticObject>),
}

/// An object that outlives the evaluation that names it.
#[derive(Debug)]
pub(in crate::facts) struct StaticObject {
    /// Its qualified name, or its spelling.
    pub name: String,
    /// Its value, if it is a constant.
    pub value: Value,
}

/// A resolved template argument.
#[derive(Clone, Debug)]
pub(in crate::facts) enum TemplateArgument {
    Type(Ty),
    Value(Value),
    /// An integer for a parameter with a placeholder type, and its type: `0u` is another argument than `0` ([temp.type]/1).
    /// Where the parameter is named it is a [`TemplateArgument::Value`].
    Integer(i128, Symbol),
    Pack(Vec<TemplateArgument>),
    /// A class template as the argument of a template template parameter: its qualified name.
    Template(Rc<str>),
}

/// Template parameters with the arguments bound to them, in order.
pub(in crate::facts) type Bindings = Vec<(Symbol, TemplateArgument)>;

/// How types are spelled.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::facts) enum Spelling {
    /// For comparison: template parameters by index.
    Canonical,
    /// For messages: template parameters by name.
    Shown,
}

/// The longest spelling in bytes that is kept whole; of a longer one, the beginning and a digest.
/// Metaprograms nest types without end, and every level would spell out all those inside it.
const LONGEST_TEXT: usize = 2000;

/// A text, or the beginning and a digest of one that is too long.
pub(in crate::facts) fn bounded(text: String) -> String {
    if text.len() <= LONGEST_TEXT {
        return text;
    }
    format!("{}… {}", &text[..text.floor_char_boundary(60)], TextDigest::of([text.as_str()]))
}

impl Ty {
    /// A type that is not resolved, as spelled.
    pub(in crate::facts) fn opaque(text: &str) -> Ty {
        Ty::Opaque { text: bounded(text.into()).into(), because: Unresolved::Unknown }
    }

    /// Whether the type, or a part of it, could not be computed and may be any type.
    pub(in crate::facts) fn is_unknown(&self) -> bool {
        match self {
            Ty::Builtin(_) | Ty::Enum(_) | Ty::Parameter(..) => false,
            Ty::Class(instance) => instance.arguments.iter().any(TemplateArgument::is_unknown),
            Ty::Pointer(inner)
            | Ty::LvalueReference(inner)
            | Ty::RvalueReference(inner)
            | Ty::Qualified(inner, ..) => inner.is_unknown(),
            Ty::Array(inner, size) => {
                inner.is_unknown() || size.as_ref().is_some_and(|size| matches!(size, Value::Opaque(_)))
            }
            Ty::Function(result, parameters, _) => {
                result.is_unknown() || parameters.iter().any(Ty::is_unknown)
            }
            Ty::Opaque { because, .. } => *because == Unresolved::Unknown,
        }
    }

    /// The passes in which all classes and enumerations in it are what they are.
    pub(in crate::facts) fn alike(&self) -> PassSet {
        match self {
            Ty::Builtin(_) | Ty::Parameter(..) | Ty::Opaque { .. } => PassSet::EVERY,
            Ty::Class(instance) => instance.alike,
            Ty::Enum(one) => one.alike,
            Ty::Pointer(inner)
            | Ty::LvalueReference(inner)
            | Ty::RvalueReference(inner)
            | Ty::Qualified(inner, ..) => inner.alike(),
            Ty::Array(inner, size) => inner.alike().and(size.as_ref().map_or(PassSet::EVERY, Value::alike)),
            Ty::Function(result, parameters, _) => {
                parameters.iter().fold(result.alike(), |all, one| all.and(one.alike()))
            }
        }
    }

    pub(in crate::facts) fn builtin(name: &str) -> Ty {
        Ty::Builtin(Symbol::intern(name))
    }

    /// The cv-unqualified type: top-level cv is not part of a function's signature ([dcl.fct]/5).
    pub(in crate::facts) fn unqualified(&self) -> &Ty {
        match self {
            Ty::Qualified(inner, ..) => inner.unqualified(),
            other => other,
        }
    }

    /// The type without reference and top-level cv-qualifiers: `std::remove_cvref_t`.
    pub(in crate::facts) fn without_cvref(&self) -> &Ty {
        match self {
            Ty::Qualified(inner, ..) | Ty::LvalueReference(inner) | Ty::RvalueReference(inner) => {
                inner.without_cvref()
            }
            other => other,
        }
    }

    /// The cv-qualified type: qualifiers of a reference or function are ignored, those of an array apply to
    /// its elements ([basic.type.qualifier]).
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

    /// The type after array-to-pointer and function-to-pointer adjustment, without top-level cv: of a
    /// parameter of this type ([dcl.fct]/5), and of an argument of this type in deduction
    /// ([temp.deduct.call]/2).
    pub(in crate::facts) fn decayed(&self) -> Ty {
        match self.unqualified() {
            Ty::Array(element, _) => Ty::Pointer(element.clone()),
            Ty::Function(..) => Ty::Pointer(Rc::new(self.unqualified().clone())),
            other => other.clone(),
        }
    }

    /// Whether two types are the same: their canonical spellings are equal.
    pub(in crate::facts) fn is_same(&self, other: &Ty) -> bool {
        match (self, other) {
            (Ty::Class(one), Ty::Class(other)) => one.is_same(other),
            (Ty::Builtin(one), Ty::Builtin(other)) => one == other,
            (Ty::Pointer(one), Ty::Pointer(other))
            | (Ty::LvalueReference(one), Ty::LvalueReference(other))
            | (Ty::RvalueReference(one), Ty::RvalueReference(other)) => one.is_same(other),
            (Ty::Qualified(one, c, v), Ty::Qualified(other, d, w)) => (c, v) == (d, w) && one.is_same(other),
            (Ty::Array(one, size), Ty::Array(other, length)) => {
                one.is_same(other) && size.as_ref().map(Value::text) == length.as_ref().map(Value::text)
            }
            (Ty::Function(one, parameters, c), Ty::Function(other, others, d)) => {
                let mut pairs = parameters.iter().zip(others);
                c == d
                    && parameters.len() == others.len()
                    && one.is_same(other)
                    && pairs.all(|(one, other)| one.is_same(other))
            }
            (Ty::Parameter(one, _), Ty::Parameter(other, _)) => one == other,
            // What was not resolved is the same as what is spelled like it.
            (one, other) if one.is_spelled_as_name() && other.is_spelled_as_name() => {
                one.text(Spelling::Canonical) == other.text(Spelling::Canonical)
            }
            _ => false,
        }
    }

    /// Whether its spelling is a name.
    fn is_spelled_as_name(&self) -> bool {
        matches!(self, Ty::Builtin(_) | Ty::Class(_) | Ty::Enum(_) | Ty::Opaque { .. })
    }

    /// Whether the type is resolved down to its parts: none depends on a name that no declaration was found
    /// for.
    pub(in crate::facts) fn is_sure(&self) -> bool {
        match self {
            Ty::Builtin(_) | Ty::Enum(_) | Ty::Parameter(..) => true,
            Ty::Class(instance) => instance.arguments.iter().all(TemplateArgument::is_sure),
            Ty::Pointer(inner)
            | Ty::LvalueReference(inner)
            | Ty::RvalueReference(inner)
            | Ty::Qualified(inner, ..) => inner.is_sure(),
            Ty::Array(inner, size) => inner.is_sure() && size.as_ref().is_none_or(Value::is_known),
            Ty::Function(result, parameters, _) => result.is_sure() && parameters.iter().all(Ty::is_sure),
            Ty::Opaque { .. } => false,
        }
    }

    /// Calls `found` with the text of each part that was not resolved.
    fn each_unresolved(&self, found: &mut dyn FnMut(&str)) {
        match self {
            Ty::Builtin(_) | Ty::Enum(_) | Ty::Parameter(..) => {}
            Ty::Class(instance) => instance.arguments.iter().for_each(|one| one.each_unresolved(found)),
            Ty::Pointer(inner)
            | Ty::LvalueReference(inner)
            | Ty::RvalueReference(inner)
            | Ty::Qualified(inner, ..) => inner.each_unresolved(found),
            Ty::Array(inner, size) => {
                inner.each_unresolved(found);
                if let Some(Value::Opaque(text)) = size {
                    found(text);
                }
            }
            Ty::Function(result, parameters, _) => {
                result.each_unresolved(found);
                parameters.iter().for_each(|one| one.each_unresolved(found));
            }
            Ty::Opaque { text, .. } => found(text),
        }
    }

    /// The number of names in the type's spelling.
    fn weight(&self) -> usize {
        match self {
            Ty::Class(instance) => instance.weight,
            Ty::Pointer(inner)
            | Ty::LvalueReference(inner)
            | Ty::RvalueReference(inner)
            | Ty::Array(inner, _)
            | Ty::Qualified(inner, ..) => inner.weight(),
            Ty::Function(result, parameters, _) => {
                parameters.iter().fold(result.weight(), |sum, one| sum.saturating_add(one.weight()))
            }
            Ty::Builtin(_) | Ty::Enum(_) | Ty::Parameter(..) => 1,
            // A name and its template arguments, at eight bytes a name.
            Ty::Opaque { text, .. } => 1 + text.len() / 8,
        }
    }

    /// The spelling of the type.
    pub(in crate::facts) fn text(&self, spelling: Spelling) -> String {
        self.around(String::new(), spelling)
    }

    /// Declarator syntax ([dcl.meaning]): the type spelled around the declarator `inner`.
    fn around(&self, inner: String, spelling: Spelling) -> String {
        let spaced = |base: String| if inner.is_empty() { base } else { format!("{base} {inner}") };
        let grouped = |inner: &str| {
            if inner.starts_with(['*', '&']) { format!("({inner})") } else { inner.to_string() }
        };
        match self {
            Ty::Builtin(name) => spaced(name.to_string()),
            Ty::Class(instance) => match instance.pointed_to_member() {
                Some((class, member)) => around_member(class, member, inner, spelling),
                None => spaced(instance.text(spelling)),
            },
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
            Ty::Function(result, parameters, non_throwing) => {
                let list: Vec<String> = parameters.iter().map(|parameter| parameter.text(spelling)).collect();
                let specification = if *non_throwing { " noexcept" } else { "" };
                let declarator = format!("{}({}){specification}", grouped(&inner), list.join(", "));
                result.around(declarator, spelling)
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
                    Ty::Class(class) if class.pointed_to_member().is_some() => {
                        of.around(format!("{words}{inner}").trim_end().to_string(), spelling)
                    }
                    _ => format!("{words}{}", of.around(inner, spelling)),
                }
            }
        }
    }
}

/// The spelling of a pointer to a member of the type `member` of `class` around a declarator ([dcl.mptr]).
fn around_member(class: &Ty, member: &Ty, inner: String, spelling: Spelling) -> String {
    let (owner, suffix) = match (class, member) {
        (Ty::Qualified(owner, true, false), Ty::Function(..)) => (owner.as_ref(), " const"),
        _ => (class, ""),
    };
    let declarator = format!("{}::*{inner}", owner.text(spelling));
    let text = match member {
        Ty::Function(..) | Ty::Array(..) => member.around(format!("({declarator})"), spelling),
        _ => member.around(declarator, spelling),
    };
    bounded(text + suffix)
}

impl Instance {
    /// Whether two classes are the same.
    pub(in crate::facts) fn is_same(&self, other: &Instance) -> bool {
        self.number == other.number
    }

    /// Whether nothing but elaborated type specifiers declare it: `typedef struct Opaque *Handle;` ([basic.scope.pdecl]/8).
    pub(in crate::facts) fn is_declared_by_type_specifier(&self) -> bool {
        self.top == usize::MAX
            && self.decl.is_none()
            && self.env.frame.is_none()
            && self.name != POINTER_TO_MEMBER
    }

    /// The class and the type of the member, of a pointer to member.
    pub(in crate::facts) fn pointed_to_member(&self) -> Option<(&Ty, &Ty)> {
        match self.arguments.as_slice() {
            [TemplateArgument::Type(class), TemplateArgument::Type(member)]
                if self.name == POINTER_TO_MEMBER =>
            {
                Some((class, member))
            }
            _ => None,
        }
    }

    /// Whether it is a closure type.
    pub(in crate::facts) fn is_closure(&self) -> bool {
        self.lambda().is_some()
    }

    /// The lambda-expression that it is the closure type of.
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

/// The spelling of a template argument list, packs expanded. The canonical one of a list with more than one pack tells which
/// elements are of which: `f<int, {char}, {}>` is another specialization than `f<int, {}, {char}>`.
pub(in crate::facts) fn list_text(arguments: &[TemplateArgument], spelling: Spelling) -> String {
    let tells = spelling == Spelling::Canonical && tells_packs(arguments);
    let mut texts = Vec::new();
    for argument in arguments {
        match argument {
            TemplateArgument::Pack(members) if tells => {
                texts.push(format!("{{{}}}", list_text(members, spelling)));
            }
            argument => argument.texts(spelling, &mut texts),
        }
    }
    texts.join(", ")
}

/// Whether it matters which elements of a template argument list are of which pack.
pub(super) fn tells_packs(arguments: &[TemplateArgument]) -> bool {
    let is_pack = |argument: &&TemplateArgument| matches!(argument, TemplateArgument::Pack(_));
    arguments.iter().filter(is_pack).nth(1).is_some()
}

/// The passes in which template arguments are what they are.
pub(in crate::facts) fn alike(arguments: &[TemplateArgument]) -> PassSet {
    arguments.iter().fold(PassSet::EVERY, |all, one| all.and(one.alike()))
}

/// An integer as a literal of its type, or with a cast where there is none: `4ul`, `(char)97`.
fn literal(value: i128, ty: Symbol) -> String {
    if matches!(ty, sym::INT | sym::BOOL) {
        return Value::Int(value, ty).text();
    }
    let suffix = match ty.as_str() {
        "unsigned int" => "u",
        "long" => "l",
        "unsigned long" => "ul",
        "long long" => "ll",
        "unsigned long long" => "ull",
        other => return format!("({other}){value}"),
    };
    format!("{value}{suffix}")
}

impl TemplateArgument {
    /// The argument of a parameter with a placeholder type.
    pub(in crate::facts) fn of_placeholder(self) -> TemplateArgument {
        match self {
            TemplateArgument::Value(Value::Int(value, ty)) => TemplateArgument::Integer(value, ty),
            TemplateArgument::Pack(members) => {
                TemplateArgument::Pack(members.into_iter().map(TemplateArgument::of_placeholder).collect())
            }
            other => other,
        }
    }

    /// What a name means that the argument is bound to.
    pub(in crate::facts) fn named(&self) -> TemplateArgument {
        match self {
            TemplateArgument::Integer(value, ty) => TemplateArgument::Value(Value::Int(*value, *ty)),
            TemplateArgument::Pack(members) => {
                TemplateArgument::Pack(members.iter().map(TemplateArgument::named).collect())
            }
            other => other.clone(),
        }
    }

    /// Whether it is the value of a variable that a parameter of reference type refers to.
    pub(in crate::facts) fn names_variable(&self) -> bool {
        match self {
            TemplateArgument::Value(Value::Object(object)) => object.named.is_some(),
            TemplateArgument::Pack(members) => members.iter().any(TemplateArgument::names_variable),
            _ => false,
        }
    }

    fn texts(&self, spelling: Spelling, out: &mut Vec<String>) {
        match self {
            TemplateArgument::Type(ty) => out.push(ty.text(spelling)),
            TemplateArgument::Value(value) => out.push(value.text()),
            TemplateArgument::Integer(value, ty) => out.push(literal(*value, *ty)),
            TemplateArgument::Pack(members) => members.iter().for_each(|member| member.texts(spelling, out)),
            TemplateArgument::Template(name) => out.push(name.to_string()),
        }
    }

    pub(in crate::facts) fn text(&self, spelling: Spelling) -> String {
        list_text(std::slice::from_ref(self), spelling)
    }

    /// Whether two template arguments are the same: their canonical spellings are equal.
    pub(in crate::facts) fn is_same(&self, other: &TemplateArgument) -> bool {
        match (self, other) {
            (TemplateArgument::Type(one), TemplateArgument::Type(other)) => one.is_same(other),
            (one, other) => one.text(Spelling::Canonical) == other.text(Spelling::Canonical),
        }
    }

    /// The number of names in the spelling.
    pub(in crate::facts) fn weight(&self) -> usize {
        match self {
            TemplateArgument::Type(ty) => ty.weight(),
            TemplateArgument::Pack(members) => {
                members.iter().fold(0, |sum, one| sum.saturating_add(one.weight()))
            }
            TemplateArgument::Value(_) | TemplateArgument::Integer(..) | TemplateArgument::Template(_) => 1,
        }
    }

    /// The passes in which it is what it is.
    pub(in crate::facts) fn alike(&self) -> PassSet {
        match self {
            TemplateArgument::Type(ty) => ty.alike(),
            TemplateArgument::Value(value) => value.alike(),
            TemplateArgument::Pack(members) => alike(members),
            TemplateArgument::Integer(..) | TemplateArgument::Template(_) => PassSet::EVERY,
        }
    }

    /// Calls `found` with the text of each part that was not resolved.
    pub(in crate::facts) fn each_unresolved(&self, found: &mut dyn FnMut(&str)) {
        match self {
            TemplateArgument::Type(ty) => ty.each_unresolved(found),
            TemplateArgument::Value(value) => value.each_unresolved(found),
            TemplateArgument::Integer(..) | TemplateArgument::Template(_) => {}
            TemplateArgument::Pack(members) => members.iter().for_each(|one| one.each_unresolved(found)),
        }
    }

    /// Whether the argument, or a part of it, could not be computed and may be any.
    pub(in crate::facts) fn is_unknown(&self) -> bool {
        match self {
            TemplateArgument::Type(ty) => ty.is_unknown(),
            TemplateArgument::Value(value) => value.is_unknown(),
            TemplateArgument::Pack(members) => members.iter().any(TemplateArgument::is_unknown),
            TemplateArgument::Integer(..) | TemplateArgument::Template(_) => false,
        }
    }

    pub(in crate::facts) fn is_sure(&self) -> bool {
        match self {
            TemplateArgument::Type(ty) => ty.is_sure(),
            TemplateArgument::Value(value) => value.is_known(),
            TemplateArgument::Pack(members) => members.iter().all(TemplateArgument::is_sure),
            TemplateArgument::Integer(..) | TemplateArgument::Template(_) => true,
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
            _ => None,
        }
    }

    /// The object that it is.
    pub(in crate::facts) fn object(&self) -> Option<&Rc<Object>> {
        match self {
            Value::Object(object) => Some(object),
            _ => None,
        }
    }

    /// The passes in which it is what it is; none for an address, whose object may have another value in each.
    fn alike(&self) -> PassSet {
        match self {
            Value::Int(..) | Value::Float(..) | Value::Null | Value::Opaque(_) => PassSet::EVERY,
            Value::Pointer(_) => PassSet::EMPTY,
            Value::Object(object) => {
                object.parts.iter().fold(object.ty.alike(), |all, part| all.and(part.alike()))
            }
        }
    }

    /// Whether it could be computed, with all its parts, and still means something after the evaluation.
    pub(in crate::facts) fn is_known(&self) -> bool {
        match self {
            Value::Int(..) | Value::Float(..) | Value::Null => true,
            Value::Pointer(place) => matches!(place.base, Base::Static(_)),
            Value::Object(object) => object.ty.is_sure() && object.parts.iter().all(Value::is_known),
            Value::Opaque(_) => false,
        }
    }

    /// Whether the value, or a part of it, could not be computed and may be any.
    fn is_unknown(&self) -> bool {
        match self {
            Value::Opaque(_) => true,
            Value::Object(object) => object.ty.is_unknown() || object.parts.iter().any(Value::is_unknown),
            Value::Int(..) | Value::Float(..) | Value::Null | Value::Pointer(_) => false,
        }
    }

    /// Calls `found` with the text of each part that was not resolved.
    fn each_unresolved(&self, found: &mut dyn FnMut(&str)) {
        match self {
            Value::Opaque(text) => found(text),
            Value::Object(object) => {
                object.ty.each_unresolved(found);
                object.parts.iter().for_each(|part| part.each_unresolved(found));
            }
            Value::Int(..) | Value::Float(..) | Value::Null | Value::Pointer(_) => {}
        }
    }

    /// The type of the value; `None` if the value alone does not tell it.
    pub(in crate::facts) fn ty(&self) -> Option<Ty> {
        match self {
            Value::Int(_, ty) | Value::Float(_, ty) => Some(Ty::Builtin(*ty)),
            Value::Null => Some(Ty::builtin("nullptr_t")),
            Value::Object(object) => Some(object.ty.clone()),
            Value::Pointer(_) | Value::Opaque(_) => None,
        }
    }

    pub(in crate::facts) fn text(&self) -> String {
        match self {
            Value::Int(value, ty) if *ty == sym::BOOL => (if *value == 0 { "false" } else { "true" }).into(),
            Value::Int(value, _) => value.to_string(),
            Value::Float(value, ty) if *ty == sym::FLOAT => format!("{:?}f", *value as f32),
            Value::Float(value, _) => format!("{value:?}"),
            Value::Null => "nullptr".into(),
            // The address of an array's first element is what the array's name is converted to.
            Value::Pointer(place) => {
                let text = place.text();
                format!("&{}", text.strip_suffix("[0]").unwrap_or(&text))
            }
            Value::Object(object) => {
                let parts: Vec<String> = object.parts.iter().map(Value::text).collect();
                bounded(format!("{}{{{}}}", object.ty.text(Spelling::Canonical), parts.join(", ")))
            }
            Value::Opaque(text) => text.to_string(),
        }
    }
}

impl Place {
    /// The object `base` itself.
    pub(in crate::facts) fn of(base: Base) -> Place {
        Place { base, path: Vec::new() }
    }

    /// One part of the object.
    pub(in crate::facts) fn part(&self, number: usize) -> Place {
        let path = self.path.iter().copied().chain([number]).collect();
        Place { base: self.base.clone(), path }
    }

    /// How it is written: `table[2]`, `config.width`.
    fn text(&self) -> String {
        let Base::Static(object) = &self.base else { return "a local object".into() };
        let mut text = object.name.clone();
        let mut value = Some(&object.value);
        for number in &self.path {
            let around = value.and_then(Value::object);
            match around.and_then(|object| object.names.get(*number)) {
                Some(name) if *name != sym::EMPTY => text.push_str(&format!(".{name}")),
                Some(_) => {}
                None => text.push_str(&format!("[{number}]")),
            }
            value = around.and_then(|object| object.parts.get(*number));
        }
        text
    }
}
