//! Declarations, types and expressions as C++ means them, lowered from trees.
//!
//! Plain data without tree nodes, so that a declaration lowered once serves every pass that has
//! the same tokens. What the later stages need not understand is [`Expr::Unknown`] or
//! [`Type::Unknown`] with its spelling: equal spellings without a varying part mean the same.

use std::sync::Arc;

use crate::source::{Span, Symbol};

/// A possibly qualified name, `::a::b<int>::c`.
#[derive(Clone, PartialEq, Debug, Default)]
pub(in crate::facts) struct Path {
    /// It begins with `::`.
    pub global: bool,
    /// Its segments; never empty.
    pub segments: Vec<Segment>,
}

/// One segment of a [`Path`].
#[derive(Clone, PartialEq, Debug)]
pub(in crate::facts) struct Segment {
    /// The identifier.
    pub name: Symbol,
    /// Its template arguments, if it has a list.
    pub arguments: Option<Vec<Argument>>,
}

impl Path {
    /// A path of one plain segment.
    pub(in crate::facts) fn plain(name: Symbol) -> Path {
        Path { global: false, segments: vec![Segment { name, arguments: None }] }
    }

    /// The last segment.
    pub(in crate::facts) fn last(&self) -> &Segment {
        self.segments.last().expect("a path has a segment")
    }

    /// Whether it is a `decltype`, which stands as the argument of its only segment.
    pub(in crate::facts) fn is_decltype(&self) -> bool {
        matches!(self.segments.as_slice(), [Segment { arguments: Some(list), name }]
            if matches!(list.as_slice(), [Argument::Type(Type::Decltype(_))]) && name.as_str().starts_with("decltype"))
    }
}

impl Path {
    /// The names that stand unqualified in it, in its template arguments too.
    fn names(&self, out: &mut Vec<Symbol>) {
        out.extend(self.segments.first().map(|segment| segment.name));
        self.segments.iter().flat_map(|one| one.arguments.iter().flatten()).for_each(|one| one.names(out));
    }
}

impl Argument {
    /// The names that stand unqualified in it.
    pub(in crate::facts) fn names(&self, out: &mut Vec<Symbol>) {
        match self {
            Argument::Type(ty) => ty.names(out),
            Argument::Value(expr) => expr.names(out),
            // What it expands is no longer a pack outside.
            Argument::Pack(_) => {}
        }
    }
}

impl Type {
    /// The names that stand unqualified in it.
    pub(in crate::facts) fn names(&self, out: &mut Vec<Symbol>) {
        match self {
            Type::Named(path) => path.names(out),
            Type::Pointer(inner)
            | Type::LvalueReference(inner)
            | Type::RvalueReference(inner)
            | Type::Qualified(inner, ..) => inner.names(out),
            Type::Array(inner, size) => {
                inner.names(out);
                size.iter().for_each(|size| size.names(out));
            }
            Type::Function(result, list) => {
                result.names(out);
                list.iter().for_each(|one| one.names(out));
            }
            Type::Decltype(expr) => expr.names(out),
            Type::Call(ty, expr) => {
                ty.names(out);
                expr.names(out);
            }
            Type::Builtin(_) | Type::Auto | Type::Pack(_) | Type::Unknown(_) => {}
        }
    }
}

impl Expr {
    /// The names that stand unqualified in it.
    pub(in crate::facts) fn names(&self, out: &mut Vec<Symbol>) {
        match self {
            Expr::Name(path) => path.names(out),
            Expr::Member(inner, ..)
            | Expr::Unary(_, inner)
            | Expr::Expansion(inner)
            | Expr::Element(inner)
            | Expr::Binding(inner, _)
            | Expr::SizeofValue(inner) => inner.names(out),
            Expr::Binary(_, left, right) | Expr::Subscript(left, right) => {
                [left, right].iter().for_each(|one| one.names(out));
            }
            Expr::List(values) => values.iter().for_each(|one| one.names(out)),
            Expr::Fold(_, left, right) => left.iter().chain(right).for_each(|one| one.names(out)),
            Expr::Conditional(condition, then, otherwise) => {
                [condition, then, otherwise].iter().for_each(|one| one.names(out));
            }
            Expr::Cast(ty, value) => {
                ty.names(out);
                value.names(out);
            }
            Expr::Construct(ty, values) => {
                ty.names(out);
                values.iter().for_each(|one| one.names(out));
            }
            Expr::SizeofType(ty) | Expr::Alignof(ty) => ty.names(out),
            Expr::Call(callee, arguments) => {
                callee.names(out);
                arguments.iter().for_each(|one| one.names(out));
            }
            Expr::Int(..)
            | Expr::Float(..)
            | Expr::Text(_)
            | Expr::Null
            | Expr::This
            | Expr::SizeofPack(_)
            | Expr::Lambda(_)
            | Expr::Requires(_)
            | Expr::Unknown(_) => {}
        }
    }
}

/// A template argument. A name that may be a type or a value is a `Type` until it is looked up.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::facts) enum Argument {
    /// A type, or a plain name.
    Type(Type),
    /// An expression.
    Value(Expr),
    /// `args...`.
    Pack(Box<Argument>),
}

/// A type as written.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::facts) enum Type {
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
    /// A template argument that is a function's type if its first name is a type, else this expression.
    Call(Box<Type>, Box<Expr>),
    /// Not understood, as spelled.
    Unknown(String),
}

impl Type {
    /// `auto`, `const auto &`.
    pub(in crate::facts) fn is_placeholder(&self) -> bool {
        match self {
            Type::Auto => true,
            Type::Qualified(inner, ..) | Type::LvalueReference(inner) | Type::RvalueReference(inner) => {
                inner.is_placeholder()
            }
            _ => false,
        }
    }
}

/// A unary operator or binary operator, as spelled.
pub(in crate::facts) type Operator = Symbol;

/// An expression as written.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::facts) enum Expr {
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
    Call(Box<Expr>, Arc<[Expr]>),
    /// `a[b]`.
    Subscript(Box<Expr>, Box<Expr>),
    /// `{a, b}`, as an initializer; `{.x = a}` holds an assignment to the member.
    List(Vec<Expr>),
    /// `(... + e)`, `(e + ...)`, `(e + ... + init)`: the operator and what stands on its sides.
    Fold(Operator, Option<Box<Expr>>, Option<Box<Expr>>),
    /// `args...` among a call's arguments.
    Expansion(Box<Expr>),
    /// `[=] __device__ { … }`.
    Lambda(Arc<Closure>),
    /// What a range-based `for` gives of the range.
    Element(Box<Expr>),
    /// One of the names of `auto [a, b] = e`, by its number.
    Binding(Box<Expr>, usize),
    /// `requires (T t) { t.run(); }`.
    Requires(Arc<Requires>),
    /// Not understood, as spelled.
    Unknown(String),
}

/// A requires-expression ([expr.prim.req]).
#[derive(Clone, PartialEq, Debug)]
pub(in crate::facts) struct Requires {
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// What it asks for.
    pub requirements: Vec<Requirement>,
}

/// One requirement of a [`Requires`].
#[derive(Clone, PartialEq, Debug)]
pub(in crate::facts) enum Requirement {
    /// `e;` and `{ e } -> C;`: an expression that makes sense, and the constraint that its type satisfies.
    Valid(Expr, Option<Path>),
    /// `typename T::value;`
    Named(Path),
    /// `requires e;`
    Holds(Expr),
}

/// A lambda expression, as far as its type goes.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::facts) struct Closure {
    /// Its `[`.
    pub at: Span,
    /// The whole as spelled.
    pub text: String,
    /// The declarator of the function around, as spelled.
    pub function: String,
    /// For one with an execution space, how many of that function's lambdas with one begin before it,
    /// plus one.
    pub extended: Option<usize>,
    /// For one with an execution space, how many lambdas without one and with the same parameters stand
    /// before it in that function.
    pub ordinary_before: usize,
    /// `__host__ __device__`.
    pub for_both: bool,
    /// `[=]` or `[&]`.
    pub default: Option<Capturing>,
    /// The captures that its list names.
    pub captures: Vec<Capture>,
    /// With a default, the names its body uses and does not declare, by first use.
    pub used: Vec<Symbol>,
    /// Of one that is not generic, its parameters and what it returns.
    pub parameters: Vec<Parameter>,
    /// The same.
    pub returns: Vec<Returned>,
    /// The call operator of a generic lambda, a template whose body each call instantiates ([expr.prim.lambda.closure]).
    pub operator: Option<Arc<Decl>>,
}

/// A capture that a lambda's list names.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::facts) struct Capture {
    /// The name.
    pub name: Symbol,
    /// By copy or by reference.
    pub how: Capturing,
    /// What it is initialized with, if not with the variable of its name.
    pub initializer: Option<Expr>,
}

/// How a lambda captures.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::facts) enum Capturing {
    /// `[x]`.
    Copy,
    /// `[&x]`.
    Reference,
}

/// A template's parameters.
#[derive(Clone, PartialEq, Debug, Default)]
pub(in crate::facts) struct TemplateHead {
    /// The parameters; empty for an explicit specialization's `template<>`.
    pub parameters: Vec<TemplateParameter>,
    /// What the clause after them requires ([temp.constr.decl]).
    pub constraints: Vec<Expr>,
}

/// A template parameter.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::facts) struct TemplateParameter {
    /// Its name; the empty symbol when it has none.
    pub name: Symbol,
    /// `None` for a type parameter; the type of a constant parameter, or the concept that a type has to satisfy.
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
pub(in crate::facts) struct Parameter {
    /// Its name, the empty symbol when it has none.
    pub name: Symbol,
    /// Its type as declared.
    pub ty: Type,
    /// Its default argument.
    pub default: Option<Expr>,
    /// What the default argument mentions.
    pub items: Vec<Item>,
}

/// The words in front of a declaration.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(in crate::facts) struct Specifiers {
    /// `static`.
    pub is_static: bool,
    /// `inline`, `__inline__`, `__forceinline__`.
    pub is_inline: bool,
    /// `extern`.
    pub is_extern: bool,
    /// `constexpr` or `consteval`.
    pub is_constexpr: bool,
    /// `virtual`.
    pub is_virtual: bool,
    /// `friend`.
    pub is_friend: bool,
    /// A member that is private or protected.
    pub non_public: bool,
    /// `__global__`.
    pub global: bool,
    /// `__host__`.
    pub host: bool,
    /// `__device__`.
    pub device: bool,
    /// `__constant__`.
    pub constant: bool,
    /// `__managed__`.
    pub managed: bool,
    /// `__shared__`.
    pub shared: bool,
    /// `concept`, which is read like a constant that is a template.
    pub is_concept: bool,
}

impl Specifiers {
    /// A function that only GPUs run.
    pub(in crate::facts) fn device_code(&self) -> bool {
        self.global || self.device && !self.host
    }

    /// A variable in the memory of the GPU.
    pub(in crate::facts) fn device_memory(&self) -> bool {
        (self.device || self.constant || self.managed) && !self.shared
    }
}

/// A declaration of one name.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::facts) struct Decl {
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

impl Decl {
    /// `template <> void f(int)`: an explicit specialization, with or without the arguments in its name.
    pub(in crate::facts) fn is_specialization(&self) -> bool {
        self.templates.last().is_some_and(|head| head.parameters.is_empty())
    }
}

/// What a [`Decl`] declares.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::facts) enum DeclBody {
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
    /// `Buffer(T *) -> Buffer<T>;`: a deduction guide, whose result is the type that it gives.
    Guide(Function),
}

/// A function's own part.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::facts) struct Function {
    /// The result type.
    pub result: Type,
    /// The parameters.
    pub parameters: Vec<Parameter>,
    /// It takes further arguments: `f(int, ...)`.
    pub variadic: bool,
    /// A member function that is declared `const`.
    pub is_const: bool,
    /// Template arguments of an explicit specialization's name: `f<int>`.
    pub arguments: Option<Vec<Argument>>,
    /// The body, if it is a definition.
    pub body: Option<Vec<Item>>,
    /// `= default` or `= delete`.
    pub defaulted: bool,
    /// What it returns, if its result is `auto`.
    pub returns: Vec<Returned>,
    /// What the body of a `constexpr` function does, when all of it is understood.
    pub steps: Option<Vec<Step>>,
    /// What the clause behind the parameters requires.
    pub constraints: Vec<Expr>,
}

/// A `return` of a function whose result is deduced from it.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::facts) struct Returned {
    /// The conditions of each `if constexpr` around it, and whether it stands in the first branch.
    pub under: Vec<(Expr, bool)>,
    /// What is returned; nothing for `return;`.
    pub value: Option<Expr>,
}

/// A statement of a `constexpr` function, as far as the value that it returns depends on it.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::facts) enum Step {
    /// A local declaration.
    Declare(Arc<Decl>),
    /// `x = e`, and with an operator `x += e`, `++x`.
    Assign(Symbol, Option<Operator>, Expr),
    /// `{ … }`.
    Block(Vec<Step>),
    /// `if (c) … else …`, `constexpr` or not.
    If(Expr, Vec<Step>, Vec<Step>),
    /// A loop.
    Loop(Box<Loop>),
    /// `switch (e) { … }`, its labels among its statements.
    Switch(Expr, Vec<Step>),
    /// `case e:`, or `default:`.
    Label(Option<Expr>),
    /// `break;`
    Break,
    /// `continue;`
    Continue,
    /// `return e;`
    Return(Expr),
}

/// `for`, `while` and `do`.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::facts) struct Loop {
    /// What is done once.
    pub first: Vec<Step>,
    /// What is done before every test: `while (n >>= 1)`.
    pub before: Vec<Step>,
    /// Whether to go on; `None` for `for (;;)`.
    pub test: Option<Expr>,
    /// The body.
    pub body: Vec<Step>,
    /// What is done after the body: `++i`.
    pub after: Vec<Step>,
    /// `do … while`: the body comes before the first test.
    pub tested_last: bool,
}

/// A class's own part.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::facts) struct Class {
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
    /// `__attribute__((packed))`: members stand without padding.
    pub packed: bool,
    /// For a closure type, the lambda expression.
    pub closure: Option<Arc<Closure>>,
}

/// A variable's own part.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::facts) struct Variable {
    /// Its type.
    pub ty: Type,
    /// Its initializer.
    pub initializer: Option<Expr>,
    /// The width of a bit-field.
    pub bits: Option<Expr>,
    /// Alignments asked for with `alignas`.
    pub alignas: Vec<Argument>,
    /// Template arguments of a specialization's name: `value<int>`.
    pub arguments: Option<Vec<Argument>>,
    /// What the initializer mentions (functions in tables, lambdas).
    pub items: Vec<Item>,
}

/// An enumeration's own part.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::facts) struct Enum {
    /// `enum class`.
    pub scoped: bool,
    /// The underlying type as written.
    pub underlying: Option<Type>,
    /// The enumerators.
    pub enumerators: Vec<(Symbol, Option<Expr>)>,
}

impl Enum {
    /// Whether it has an enumerator of that name.
    pub(in crate::facts) fn has(&self, name: Symbol) -> bool {
        self.enumerators.iter().any(|(enumerator, _)| *enumerator == name)
    }
}

impl Item {
    /// The names that what it mentions stands unqualified for.
    pub(in crate::facts) fn names(&self, out: &mut Vec<Symbol>) {
        match self {
            Item::Mention(mention) | Item::Argument(mention) => {
                mention.path.names(out);
                mention.arguments.iter().flat_map(|list| list.iter()).for_each(|one| one.names(out));
            }
            Item::Block(inner) | Item::Maybe(inner) | Item::Lambda(_, inner) => {
                inner.iter().for_each(|one| one.names(out));
            }
            Item::IfConstexpr(_, then, otherwise) => {
                then.iter().chain(otherwise).for_each(|one| one.names(out));
            }
            Item::Generic(closure) => {
                let operator = closure.operator.as_ref().map(|operator| &operator.kind);
                if let Some(DeclBody::Function(function)) = operator {
                    function.body.iter().flatten().for_each(|one| one.names(out));
                }
            }
            Item::Expression(expr, _) | Item::Returned(expr, _) => expr.names(out),
            Item::Expansion(_) | Item::Declare(_) => {}
        }
    }
}

/// A piece of a function's body, as far as instantiations are concerned.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::facts) enum Item {
    /// A name that may be a function, a kernel, a template of either.
    Mention(Mention),
    /// A template argument that reads like a type and may be a function: `Run<kernel<int>>`.
    Argument(Mention),
    /// `(f<Ts>(), ...)`, `f<Ts>()...`: once for each element of the packs that are mentioned.
    Expansion(Vec<Item>),
    /// `{ … }`: what is declared in it ends with it.
    Block(Vec<Item>),
    /// A branch or loop body that may run or not; what it mentions is instantiated all the same.
    Maybe(Vec<Item>),
    /// `if constexpr (c) … else …`.
    IfConstexpr(Expr, Vec<Item>, Vec<Item>),
    /// A local declaration.
    Declare(Arc<Decl>),
    /// A lambda's parameters and body.
    Lambda(Vec<Parameter>, Vec<Item>),
    /// A generic lambda, whose body stands for what its calls make of it.
    Generic(Arc<Closure>),
    /// Operators, which may be overloaded, and what gives names of functions a type: assignments and casts.
    Expression(Arc<Expr>, Span),
    /// What a function returns, where that may be the name of another.
    Returned(Arc<Expr>, Span),
}

/// A mention of a function, and how.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::facts) struct Mention {
    /// The name.
    pub path: Path,
    /// The object of `object.name(…)`, and whether through a pointer.
    pub receiver: Option<(Expr, bool)>,
    /// The arguments when it is called or launched.
    pub arguments: Option<Arc<[Expr]>>,
    /// Parameter types when it is an explicit instantiation of a function.
    pub signature: Option<Vec<Type>>,
    /// It is an explicit instantiation of a class.
    pub whole_class: bool,
    /// Where the name is written.
    pub at: Span,
}
