//! Declarations, types and expressions as C++ means them, lowered from trees.
//!
//! Plain data without tree nodes, so that a declaration lowered once serves every pass that has
//! the same tokens. What the later stages need not understand is [`Expr::Unknown`] or
//! [`Type::Unknown`] with its spelling: equal spellings without a varying part mean the same.

use std::sync::Arc;

use crate::source::{Span, Symbol};

/// A possibly qualified name, `::a::b<int>::c`.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Path {
    /// It begins with `::`.
    pub global: bool,
    /// Its segments; never empty.
    pub segments: Vec<Segment>,
}

/// One segment of a [`Path`].
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Segment {
    /// The identifier.
    pub name: Symbol,
    /// Its template arguments, if it has a list.
    pub arguments: Option<Vec<Argument>>,
}

impl Path {
    /// A path of one plain segment.
    pub(super) fn plain(name: Symbol) -> Path {
        Path { global: false, segments: vec![Segment { name, arguments: None }] }
    }

    /// The last segment.
    pub(super) fn last(&self) -> &Segment {
        self.segments.last().expect("a path has a segment")
    }
}

/// A template argument. A name that may be a type or a value is a `Type` until it is looked up.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Argument {
    /// A type, or a plain name.
    Type(Type),
    /// An expression.
    Value(Expr),
    /// `args...`.
    Pack(Box<Argument>),
}

/// A type as written.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Type {
    /// A fundamental type in its canonical spelling, `unsigned long`.
    Builtin(Symbol),
    /// A named type.
    Named(Path),
    /// `T*`.
    Pointer(Box<Type>),
    /// `T&`.
    LvalueReference(Box<Type>),
    /// `T&&`.
    RvalueReference(Box<Type>),
    /// `T[n]`, `T[]`.
    Array(Box<Type>, Option<Box<Expr>>),
    /// A function type: result, parameters.
    Function(Box<Type>, Vec<Type>),
    /// `const T` (const, volatile).
    Qualified(Box<Type>, bool, bool),
    /// `decltype(e)`.
    Decltype(Box<Expr>),
    /// `auto`.
    Auto,
    /// `T...`.
    Pack(Box<Type>),
    /// Not understood, as spelled.
    Unknown(String),
}

/// A unary operator or binary operator, as spelled.
pub(super) type Operator = Symbol;

/// An expression as written.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Expr {
    /// An integer, character or boolean literal; the type is its canonical spelling.
    Int(i128, Symbol),
    /// A floating literal: its spelling and `float` or `double`.
    Float(String, Symbol),
    /// A string literal.
    Text(String),
    /// `nullptr`.
    Null,
    /// `this`.
    This,
    /// A name.
    Name(Path),
    /// `a.b`, `a->b`: the object, whether through a pointer, the member.
    Member(Box<Expr>, bool, Segment),
    /// `-a`, `!a`, `*a`, `&a`.
    Unary(Operator, Box<Expr>),
    /// `a + b`.
    Binary(Operator, Box<Expr>, Box<Expr>),
    /// `a ? b : c`.
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `(T)a`, `static_cast<T>(a)`, `T(a)` of a known type.
    Cast(Box<Type>, Box<Expr>),
    /// `T{a, b}`, `T()`.
    Construct(Box<Type>, Vec<Expr>),
    /// `sizeof(T)`.
    SizeofType(Box<Type>),
    /// `sizeof e`.
    SizeofValue(Box<Expr>),
    /// `alignof(T)`.
    Alignof(Box<Type>),
    /// `sizeof...(pack)`.
    SizeofPack(Symbol),
    /// `f(a, b)`.
    Call(Box<Expr>, Vec<Expr>),
    /// `a[b]`.
    Subscript(Box<Expr>),
    /// Not understood, as spelled.
    Unknown(String),
}

/// A template's parameters.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct TemplateHead {
    /// The parameters; empty for an explicit specialization's `template<>`.
    pub parameters: Vec<TemplateParameter>,
}

/// A template parameter.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct TemplateParameter {
    /// Its name; the empty symbol when it has none.
    pub name: Symbol,
    /// `None` for a type parameter; the type of a constant parameter.
    pub value_of: Option<Type>,
    /// A template template parameter.
    pub template: bool,
    /// A parameter pack.
    pub pack: bool,
    /// Its default argument.
    pub default: Option<Argument>,
}

/// A function parameter.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Parameter {
    /// Its name, the empty symbol when it has none.
    pub name: Symbol,
    /// Its type as declared.
    pub ty: Type,
    /// It has a default argument.
    pub optional: bool,
}

/// The words in front of a declaration.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Specifiers {
    /// `static`.
    pub is_static: bool,
    /// `inline`, `__inline__`, `__forceinline__`.
    pub is_inline: bool,
    /// `extern`.
    pub is_extern: bool,
    /// `extern "C"` directly on the declaration.
    pub extern_c: bool,
    /// `constexpr` or `consteval`.
    pub is_constexpr: bool,
    /// `virtual`.
    pub is_virtual: bool,
    /// `friend`.
    pub is_friend: bool,
    /// `__global__`.
    pub global: bool,
    /// `__device__`.
    pub device: bool,
    /// `__host__`.
    pub host: bool,
    /// `__constant__`.
    pub constant: bool,
    /// `__managed__`.
    pub managed: bool,
    /// `__shared__`.
    pub shared: bool,
}

/// A declaration of one name.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Decl {
    /// The declared name; the empty symbol for an unnamed class or enumeration.
    pub name: Symbol,
    /// What stands before the name in `X<T>::f`, if anything.
    pub qualifier: Option<Path>,
    /// Where the name is written.
    pub at: Span,
    /// The template heads, outermost first; for a member defined outside its class there can be two.
    pub templates: Vec<TemplateHead>,
    /// The words in front.
    pub specifiers: Specifiers,
    /// What is declared.
    pub kind: DeclBody,
}

/// What a [`Decl`] declares.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum DeclBody {
    /// A function.
    Function(Function),
    /// A class, struct or union.
    Class(Class),
    /// `using X = T`, `typedef T X`.
    Alias(Type),
    /// A variable, data member or enumerator-like constant.
    Variable(Variable),
    /// An enumeration.
    Enum(Enum),
    /// `using a::b;` inside its scope, under the name `b`.
    Using(Path),
    /// `using namespace a;`.
    UsingNamespace(Path),
    /// `namespace a = b;`.
    NamespaceAlias(Path),
    /// An explicit instantiation (definition, unless `extern`).
    Instantiation(Box<Mention>),
}

/// A function's own part.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Function {
    /// The result type.
    pub result: Type,
    /// The parameters.
    pub parameters: Vec<Parameter>,
    /// Template arguments of an explicit specialization's name: `f<int>`.
    pub arguments: Option<Vec<Argument>>,
    /// The body, if it is a definition.
    pub body: Option<Vec<Item>>,
    /// `= default` or `= delete`.
    pub defaulted: bool,
}

/// A class's own part.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Class {
    /// Declared with `union`.
    pub is_union: bool,
    /// Template arguments of a specialization's name: `X<int, T>`.
    pub arguments: Option<Vec<Argument>>,
    /// Base classes with whether the inheritance is virtual.
    pub bases: Vec<(Type, bool)>,
    /// Alignments asked for with `alignas`.
    pub alignas: Vec<Argument>,
    /// The members; `None` when it is only declared.
    pub members: Option<Vec<Arc<Decl>>>,
}

/// A variable's own part.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Variable {
    /// Its type.
    pub ty: Type,
    /// Its initializer.
    pub initializer: Option<Expr>,
    /// The width of a bit-field.
    pub bits: Option<Expr>,
    /// What the initializer mentions (functions in tables, lambdas).
    pub items: Vec<Item>,
}

/// An enumeration's own part.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Enum {
    /// `enum class`.
    pub scoped: bool,
    /// The underlying type as written.
    pub underlying: Option<Type>,
    /// The enumerators.
    pub enumerators: Vec<(Symbol, Option<Expr>)>,
}

/// A piece of a function's body, as far as instantiations and constants are concerned.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Item {
    /// A name that may be a function, a kernel, a template of either.
    Mention(Mention),
    /// `{ … }`: what is declared in it ends with it.
    Block(Vec<Item>),
    /// A branch or loop body that may run or not; what it mentions is instantiated all the same.
    Maybe(Vec<Item>),
    /// `if constexpr (c) … else …`.
    IfConstexpr(Expr, Vec<Item>, Vec<Item>),
    /// A local declaration.
    Declare(Arc<Decl>),
    /// `return e;`.
    Return(Expr),
    /// A lambda's parameters and body.
    Lambda(Vec<Parameter>, Vec<Item>),
}

/// A mention of a function, and how.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Mention {
    /// The name.
    pub path: Path,
    /// The object of `object.name(…)`, and whether through a pointer.
    pub receiver: Option<(Expr, bool)>,
    /// The arguments when it is called or launched.
    pub arguments: Option<Vec<Expr>>,
    /// It is launched with `<<<…>>>`.
    pub launched: bool,
    /// Parameter types when it is an explicit instantiation of a function.
    pub signature: Option<Vec<Type>>,
    /// It is an explicit instantiation of a class.
    pub whole_class: bool,
    /// Where the name is written.
    pub at: Span,
}
