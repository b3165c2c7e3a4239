//! The syntax of C++ that the facts are made of: declarations, types, expressions and statements as written.
//!
//! Plain data without tree nodes, so that a declaration that is lowered once serves every pass that has the
//! same tokens. No name is looked up here. Syntax that no later stage has to understand is [`Expr::Unknown`]
//! or [`Type::Unknown`] with its spelling; two of these mean the same where the spelling is equal and none of
//! its tokens varies.

use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashMap;

use crate::source::{Span, Symbol};

/// A possibly qualified name ([expr.prim.id.qual]): `::a::b<int>::c`.
#[derive(Clone, Debug, Default)]
pub(in crate::facts) struct Path {
    /// Begins with `::`, so that lookup starts in the global namespace.
    pub global: bool,
    /// That of an elaborated-type-specifier, `struct S`, which declares the class if nothing else does
    /// ([basic.lookup.elab]).
    pub elaborated: bool,
    /// The segments between `::`, outermost first; never empty.
    pub segments: Vec<Segment>,
}

/// One segment of a [`Path`].
#[derive(Clone, PartialEq, Debug)]
pub(in crate::facts) struct Segment {
    /// The identifier.
    pub name: Symbol,
    /// Its template argument list, if one is written; `X<>` has an empty one.
    pub arguments: Option<Vec<Argument>>,
}

/// `struct S` and `S` are the same name.
impl PartialEq for Path {
    fn eq(&self, other: &Path) -> bool {
        (self.global, &self.segments) == (other.global, &other.segments)
    }
}

impl Path {
    /// The unqualified name `name` without template arguments.
    pub(in crate::facts) fn plain(name: Symbol) -> Path {
        Path { global: false, elaborated: false, segments: vec![Segment { name, arguments: None }] }
    }

    /// The segment that names the entity itself.
    pub(in crate::facts) fn last(&self) -> &Segment {
        self.segments.last().expect("a path has a segment")
    }

    /// All of its segments.
    pub(in crate::facts) fn whole(&self) -> PathPart<'_> {
        PathPart { global: self.global, elaborated: self.elaborated, segments: &self.segments }
    }

    /// Whether it is a decltype-specifier, which is lowered as the template argument of its only segment.
    pub(in crate::facts) fn is_decltype(&self) -> bool {
        self.whole().is_decltype()
    }
}

/// A [`Path`], or its first segments, which name the scope of what follows.
#[derive(Clone, Copy, Debug)]
pub(in crate::facts) struct PathPart<'p> {
    /// As in [`Path`].
    pub global: bool,
    /// As in [`Path`]; what is named before `::` is no elaborated-type-specifier.
    pub elaborated: bool,
    /// Never empty.
    pub segments: &'p [Segment],
}

impl<'p> PathPart<'p> {
    /// The last segment, and what is before it.
    pub(in crate::facts) fn split_scope(self) -> (&'p Segment, Option<PathPart<'p>>) {
        let (last, before) = self.segments.split_last().expect("a path has a segment");
        let scope = PathPart { elaborated: false, segments: before, ..self };
        (last, (!before.is_empty()).then_some(scope))
    }

    /// The last segment.
    pub(in crate::facts) fn last(self) -> &'p Segment {
        self.split_scope().0
    }

    /// [`Path::is_decltype`].
    pub(in crate::facts) fn is_decltype(self) -> bool {
        matches!(self.segments, [Segment { arguments: Some(list), name }]
            if matches!(list.as_slice(), [Argument::Type(Type::Decltype(_))]) && name.as_str().starts_with("decltype"))
    }
}

/// A template argument as written. A name that may denote a type or a value is a `Type` until it is looked
/// up.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::facts) enum Argument {
    /// A type, or a name that may denote a type, a template or a value.
    Type(Type),
    /// An expression.
    Value(Expr),
    /// A pack expansion, `args...`, with its pattern.
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
    /// A function type: the return type, the parameter types, and the condition under which it does not throw, of one with an
    /// exception specification. The parameters of a function with an ellipsis end in the type [`ELLIPSIS`].
    Function(Box<Type>, Vec<Type>, Option<Box<Expr>>),
    /// A cv-qualified type: whether `const`, whether `volatile`.
    Qualified(Box<Type>, bool, bool),
    /// `decltype(e)`.
    Decltype(Box<Expr>),
    /// The placeholder type `auto`.
    Auto,
    /// The placeholder type `decltype(auto)`, which keeps references.
    DecltypeAuto,
    /// A pack expansion with its pattern, `T...`.
    Pack(Box<Type>),
    /// A template argument that is ambiguous until names are looked up ([temp.arg]/2): a function type, as in
    /// `X<int(T)>`, if the first name denotes a type, else this function call or functional cast.
    Call(Box<Type>, Box<Expr>),
    /// A type that is not modelled, as spelled.
    Unknown(String),
}

/// Stands in a function type for the ellipsis behind its parameters.
pub(in crate::facts) const ELLIPSIS: &str = "...";

impl Type {
    /// Whether it is the ellipsis of a function type.
    pub(in crate::facts) fn is_ellipsis(&self) -> bool {
        matches!(self, Type::Builtin(name) if name.as_str() == ELLIPSIS)
    }

    /// Whether it is a placeholder type, cv-qualified or referred to or not: `auto`, `const auto &`.
    pub(in crate::facts) fn is_placeholder(&self) -> bool {
        match self {
            Type::Auto | Type::DecltypeAuto => true,
            Type::Qualified(inner, ..) | Type::LvalueReference(inner) | Type::RvalueReference(inner) => {
                inner.is_placeholder()
            }
            _ => false,
        }
    }
}

/// The spelling of a unary or binary operator.
pub(in crate::facts) type Operator = Symbol;

/// An expression as written.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::facts) enum Expr {
    /// An integer, character or boolean literal: its value and its type's canonical spelling.
    Int(i128, Symbol),
    /// A floating-point literal: its spelling and `float` or `double`.
    Float(String, Symbol),
    /// A string literal, as spelled with its prefix and quotes.
    Text(String),
    /// `nullptr`.
    Null,
    /// `this`.
    This,
    /// An id-expression.
    Name(Path),
    /// `a.b`, `a->b`: the object expression, whether it is `->`, the member.
    Member(Box<Expr>, bool, Segment),
    /// `-a`, `!a`, `*a`, `&a`, `++a`.
    Unary(Operator, Box<Expr>),
    /// `a + b`, `a = b`, `a, b`; also `a++`, whose second operand is 0 as that of its operator function
    /// ([over.inc]).
    Binary(Operator, Box<Expr>, Box<Expr>),
    /// `a ? b : c`.
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `(T)a`, `static_cast<T>(a)`; `T(a)` where `T` is a fundamental type is a `Construct`.
    Cast(Box<Type>, Box<Expr>),
    /// `T{a, b}`, `int(a)`, `int()`; `T(a)` of another type is a `Call` until `T` is looked up.
    Construct(Box<Type>, Vec<Expr>),
    /// `sizeof(T)`, also of a name that lookup may find to be a variable.
    SizeofType(Box<Type>),
    /// `sizeof e`.
    SizeofValue(Box<Expr>),
    /// `alignof(T)`.
    Alignof(Box<Type>),
    /// `sizeof...(pack)`.
    SizeofPack(Symbol),
    /// `noexcept(e)`, whether an expression is not potentially-throwing.
    Noexcept(Box<Expr>),
    /// `f(a, b)`.
    Call(Box<Expr>, Arc<[Expr]>),
    /// `a[b]`.
    Subscript(Box<Expr>, Box<Expr>),
    /// A braced-init-list; a designated initializer `.x = a` is an assignment to the member's name.
    List(Vec<Expr>),
    /// A fold-expression, `(... + e)`, `(e + ...)` or `(e + ... + init)`: the operator and its operands, left
    /// and right.
    Fold(Operator, Option<Box<Expr>>, Option<Box<Expr>>),
    /// A pack expansion among the arguments of a call, with its pattern.
    Expansion(Box<Expr>),
    /// A lambda-expression: `[=] __device__ { … }`.
    Lambda(Arc<Closure>),
    /// The value that a range-based `for` initializes its variable with, `*begin(range)`.
    RangeElement(Box<Expr>),
    /// The element that one name of a structured binding `auto [a, b] = e` is bound to: `e` and the index,
    /// from 0.
    StructuredBinding(Box<Expr>, usize),
    /// A requires-expression: `requires (T t) { t.run(); }`.
    Requires(Arc<Requires>),
    /// An expression that is not modelled, as spelled.
    Unknown(String),
}

/// A requires-expression ([expr.prim.req]).
#[derive(Clone, PartialEq, Debug)]
pub(in crate::facts) struct Requires {
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// Its requirements, in order.
    pub requirements: Vec<Requirement>,
}

/// One requirement of a [`Requires`] expression.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::facts) enum Requirement {
    /// A simple or compound requirement, `e;` or `{ e } -> C;`: an expression that has to be valid, and the
    /// type-constraint on its type.
    Valid(Expr, Option<Path>),
    /// A type requirement, `typename T::value;`.
    Named(Path),
    /// A nested requirement, `requires e;`.
    Holds(Expr),
}

/// A lambda-expression, with what identifies its closure type and determines that type's members.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::facts) struct Closure {
    /// The place of its `[`.
    pub at: Span,
    /// The whole expression as spelled, white space collapsed.
    pub text: String,
    /// The declarator of the enclosing function definition, as spelled.
    pub function: String,
    /// For an extended lambda, its number among the extended lambdas of the enclosing function, from 1.
    /// `None` for an ordinary lambda.
    pub extended: Option<usize>,
    /// For an extended lambda, the number of ordinary lambdas with the same parameter types that precede it
    /// in the enclosing function.
    pub ordinary_before: usize,
    /// It is a `__host__ __device__` lambda.
    pub host_device: bool,
    /// The capture-default, `[=]` or `[&]`.
    pub capture_default: Option<CaptureKind>,
    /// The explicit captures, in order.
    pub captures: Vec<Capture>,
    /// With a capture-default, the names that the body uses and does not declare, by first use: those of
    /// local entities are captured implicitly ([expr.prim.lambda.capture]/7).
    pub capture_candidates: Vec<Symbol>,
    /// The parameters, unless it is a generic lambda.
    pub parameters: Vec<Parameter>,
    /// The trailing return type, or `auto`, unless it is a generic lambda.
    pub result: Type,
    /// The return statements, unless it is a generic lambda.
    pub returns: Vec<Returned>,
    /// The declarations in the body that the return statements may name, in the blocks around them, unless it is a generic
    /// lambda or its return type is written.
    pub locals: Vec<Item>,
    /// The statements of the body, unless it is a generic lambda; `None` when one of them is not modelled.
    pub statements: Option<Vec<Statement>>,
    /// The call operator template of a generic lambda ([expr.prim.lambda.closure]).
    pub operator: Option<Arc<Decl>>,
}

/// An explicit capture of a lambda-expression.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::facts) struct Capture {
    /// The captured entity, or the variable that an init-capture declares.
    pub name: Symbol,
    /// Captured by copy or by reference.
    pub kind: CaptureKind,
    /// The initializer of an init-capture.
    pub initializer: Option<Expr>,
}

/// Whether an entity is captured by copy or by reference.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::facts) enum CaptureKind {
    /// `[x]`.
    Copy,
    /// `[&x]`.
    Reference,
}

/// A template-head ([temp.pre]): the parameters of a template and its requires-clause.
#[derive(Clone, PartialEq, Debug, Default)]
pub(in crate::facts) struct TemplateHead {
    /// The template parameters; empty for the `template<>` of an explicit specialization.
    pub parameters: Vec<TemplateParameter>,
    /// The constraint-expression of the requires-clause after them, if any ([temp.constr.decl]).
    pub constraints: Vec<Expr>,
}

/// A template parameter.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::facts) struct TemplateParameter {
    /// Its name; the empty symbol if it is unnamed.
    pub name: Symbol,
    /// `None` for `typename T`. Else the type of a constant template parameter, or the concept of a
    /// type-constraint `C T`: lookup tells which.
    pub type_or_concept: Option<Type>,
    /// It is a template template parameter.
    pub template: bool,
    /// It is a template parameter pack.
    pub pack: bool,
    /// Its default argument.
    pub default: Option<Argument>,
    /// The top-level declaration that the default argument stands in, where it is another one's: its names are looked up
    /// there.
    pub default_from: Option<usize>,
}

/// A function parameter.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::facts) struct Parameter {
    /// Its name; the empty symbol if it is unnamed.
    pub name: Symbol,
    /// Its type as declared, before arrays and functions are adjusted to pointers.
    pub ty: Type,
    /// Its default argument.
    pub default: Option<Expr>,
    /// The top-level declaration that the default argument stands in, where it is another one's: its names are looked up
    /// there ([dcl.fct.default]/5).
    pub default_from: Option<usize>,
    /// What the default argument mentions.
    pub items: Vec<Item>,
}

/// The specifiers of a declaration, and the properties of a member that stand outside its declaration.
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
    /// The declaration is a private or protected member.
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
    /// `explicit` without a condition: no constructor or conversion function for implicit conversions.
    pub is_explicit: bool,
    /// `= delete`.
    pub is_deleted: bool,
    /// It is a concept, which is lowered as a `constexpr bool` variable template.
    pub is_concept: bool,
}

impl Specifiers {
    /// A function that has no host code: `__global__`, or `__device__` without `__host__`.
    pub(in crate::facts) fn device_code(&self) -> bool {
        self.global || self.device && !self.host
    }

    /// A variable in the GPU's global or constant memory, which host code can name; a `__shared__` one is
    /// not.
    pub(in crate::facts) fn device_memory(&self) -> bool {
        (self.device || self.constant || self.managed) && !self.shared
    }
}

/// A declaration of one entity; `int a, *b;` is two.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::facts) struct Decl {
    /// The declared name; the empty symbol for an unnamed class or enumeration.
    pub name: Symbol,
    /// The nested-name-specifier of a member that is declared outside its class: `X<T>` in `X<T>::f`.
    pub qualifier: Option<Path>,
    /// The place of the declared name.
    pub at: Span,
    /// The template-heads, outermost first: a member template that is defined outside its class template has
    /// two.
    pub templates: Vec<TemplateHead>,
    /// Its specifiers.
    pub specifiers: Specifiers,
    /// The kind of entity, with what only that kind has.
    pub kind: DeclBody,
}

impl Decl {
    /// Whether it is an explicit specialization, with or without template arguments in its name: `template <>
    /// void f(int)`.
    pub(in crate::facts) fn is_specialization(&self) -> bool {
        self.templates.last().is_some_and(|head| head.parameters.is_empty())
    }

    /// Whether it introduces a name, as its own or as that of an unscoped enumerator.
    pub(in crate::facts) fn declares(&self, name: Symbol) -> bool {
        self.name == name || matches!(&self.kind, DeclBody::Enum(one) if !one.scoped && one.has(name))
    }
}

/// The kind of entity that a [`Decl`] declares, with what only that kind has.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::facts) enum DeclBody {
    /// A function.
    Function(Function),
    /// A class, struct or union.
    Class(Class),
    /// An alias or alias template: `using X = T`, `typedef T X`.
    Alias(Type),
    /// A variable, a data member or a concept.
    Variable(Variable),
    /// An enumeration.
    Enum(Enum),
    /// A using-declaration `using a::b;`, declared under the name `b`.
    Using(Path),
    /// A using-enum-declaration, `using enum a::E;`, declared under the name `E`.
    UsingEnum(Path),
    /// A using-directive, `using namespace a;`.
    UsingNamespace(Path),
    /// A namespace alias, `namespace a = b;`.
    NamespaceAlias(Path),
    /// An explicit instantiation definition, or with `extern` a declaration of one.
    Instantiation(Box<Mention>),
    /// A deduction guide, `Buffer(T *) -> Buffer<T>;`, whose return type is the class that it deduces.
    Guide(Function),
}

/// The part of a declaration that only a function has.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::facts) struct Function {
    /// The return type.
    pub result: Type,
    /// It is a trailing return type, in which the parameters are in scope ([basic.scope.param]/1).
    pub trailing_result: bool,
    /// The parameters.
    pub parameters: Vec<Parameter>,
    /// Its parameter list ends in an ellipsis: `f(int, ...)`.
    pub variadic: bool,
    /// It is a member function that is declared `const`.
    pub is_const: bool,
    pub reference: RefQualifier,
    /// The condition of its exception specification, under which it does not throw ([except.spec]); `None` without one.
    pub non_throwing: Option<Expr>,
    /// Template arguments in the name of an explicit specialization: `f<int>`.
    pub arguments: Option<Vec<Argument>>,
    /// The body as the names it uses, if this is a definition; mem-initializers come first.
    pub body: Option<Vec<Item>>,
    /// The condition under which it is explicit: `explicit(sizeof(T) > 4)`.
    pub explicit_if: Option<Expr>,
    /// `= default` or `= delete`.
    pub defaulted: bool,
    /// The return statements, if its return type is a placeholder type.
    pub returns: Vec<Returned>,
    /// The statements of the body of a `constexpr` function, the mem-initializers of a constructor first; `None` when one
    /// of them is not modelled.
    pub statements: Option<Vec<Statement>>,
    /// The constraint-expression of the trailing requires-clause, if any.
    pub constraints: Vec<Expr>,
}

impl Function {
    /// A function that is only declared.
    pub(in crate::facts) fn declared(result: Type, parameters: Vec<Parameter>) -> Function {
        Function {
            result,
            trailing_result: false,
            parameters,
            variadic: false,
            is_const: false,
            reference: RefQualifier::None,
            non_throwing: None,
            arguments: None,
            body: None,
            explicit_if: None,
            defaulted: false,
            returns: Vec::new(),
            statements: None,
            constraints: Vec::new(),
        }
    }
}

/// The ref-qualifier of a member function ([dcl.fct]/1), which says for which objects it can be called.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(in crate::facts) enum RefQualifier {
    #[default]
    None,
    /// `&`: lvalues; with `const` also rvalues.
    Lvalue,
    /// `&&`: rvalues.
    Rvalue,
}

/// A return statement of a function whose return type is deduced ([dcl.spec.auto]).
#[derive(Clone, PartialEq, Debug)]
pub(in crate::facts) struct Returned {
    /// The condition of each enclosing `if constexpr`, outermost first, and whether the statement is in its
    /// first substatement.
    pub conditions: Vec<(Expr, bool)>,
    /// The operand; `None` for `return;`.
    pub value: Option<Expr>,
}

/// A statement of a `constexpr` function or of a lambda-expression.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::facts) enum Statement {
    /// A declaration statement.
    Declare(Arc<Decl>),
    /// A mem-initializer of a constructor: the member or base class and its initializer, a list if it is in braces or has
    /// not exactly one operand.
    Initialize(Path, Expr),
    /// An expression statement.
    Expression(Expr),
    /// A compound statement.
    Block(Vec<Statement>),
    /// `if (c) … else …`, `constexpr` or not.
    If(Expr, Vec<Statement>, Vec<Statement>),
    /// An iteration statement.
    Loop(Box<Loop>),
    /// A range-based `for` statement: the variables that each element initializes, the range and the substatement.
    RangeLoop(Vec<Arc<Decl>>, Expr, Vec<Statement>),
    /// `switch (e) { … }`, its labels listed as statements of its body.
    Switch(Expr, Vec<Statement>),
    /// `case e:`, or `default:`.
    Label(Option<Expr>),
    /// `break;`
    Break,
    /// `continue;`
    Continue,
    /// `return e;`, `return;`
    Return(Option<Expr>),
}

/// An iteration statement: `for`, `while` or `do`.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::facts) struct Loop {
    /// The init-statement.
    pub init: Vec<Statement>,
    /// The condition; `None` for `for (;;)`.
    pub condition: Option<Expr>,
    /// The substatement.
    pub body: Vec<Statement>,
    /// Run after every run of the body: `++i`.
    pub increment: Vec<Statement>,
    /// `do … while`: the body runs before the condition is first evaluated.
    pub condition_last: bool,
}

/// The part of a declaration that only a class, struct or union has.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::facts) struct Class {
    /// Declared with `union`.
    pub is_union: bool,
    /// Declared with `final`.
    pub is_final: bool,
    /// Template arguments in the name of a partial or explicit specialization: `X<int, T>`.
    pub arguments: Option<Vec<Argument>>,
    /// The base classes, and whether each is a virtual base.
    pub bases: Vec<(Type, bool)>,
    /// The operands of its alignment-specifiers.
    pub alignas: Vec<Argument>,
    /// The member declarations, in order; `None` if it is only declared.
    pub members: Option<Vec<Arc<Decl>>>,
    /// The names of the members.
    pub names: MemberNames,
    /// `__attribute__((packed))`: its members have alignment 1.
    pub packed: bool,
    /// For a closure type, the lambda-expression that it is the type of.
    pub closure: Option<Arc<Closure>>,
}

impl Class {
    /// The members that declare a name, in order, and those that may bring it in: `using enum E;`.
    pub(in crate::facts) fn members_named(&self, name: Symbol) -> impl Iterator<Item = &Arc<Decl>> {
        let members = self.members.as_deref().unwrap_or_default();
        let (all, found) = match members.len() <= SCANNED_MEMBERS {
            true => (members, [].as_slice()),
            false => ([].as_slice(), self.names.of(members, name)),
        };
        let is_it =
            move |member: &&Arc<Decl>| member.declares(name) || matches!(member.kind, DeclBody::UsingEnum(_));
        all.iter().filter(is_it).chain(found.iter().map(|number| &members[*number as usize]))
    }
}

/// The most members of a class that a look-up goes through one by one.
const SCANNED_MEMBERS: usize = 8;

/// The members of a class by the names that they declare: their positions, made when one is first asked for. It follows from
/// the members, so that it takes no part in comparisons.
#[derive(Default)]
pub(in crate::facts) struct MemberNames(OnceLock<MembersByName>);

/// Positions of members, ascending.
#[derive(Default)]
struct MembersByName {
    /// Those that declare a name or may bring it in.
    named: FxHashMap<Symbol, Vec<u32>>,
    /// Those that may bring in any name.
    used: Vec<u32>,
}

impl MemberNames {
    /// The positions of the members that declare a name or may bring it in, ascending.
    fn of(&self, members: &[Arc<Decl>], name: Symbol) -> &[u32] {
        let MembersByName { named, used } = self.0.get_or_init(|| {
            let MembersByName { mut named, mut used } = MembersByName::default();
            for (number, member) in (0..).zip(members) {
                if matches!(member.kind, DeclBody::UsingEnum(_)) {
                    named.values_mut().for_each(|all| all.push(number));
                    used.push(number);
                    continue;
                }
                let enumerators = match &member.kind {
                    DeclBody::Enum(one) if !one.scoped => one.enumerators.as_slice(),
                    _ => &[],
                };
                for name in [member.name].into_iter().chain(enumerators.iter().map(|(name, _)| *name)) {
                    let all = named.entry(name).or_insert_with(|| used.clone());
                    if all.last() != Some(&number) {
                        all.push(number);
                    }
                }
            }
            MembersByName { named, used }
        });
        named.get(&name).unwrap_or(used)
    }
}

impl Clone for MemberNames {
    fn clone(&self) -> MemberNames {
        MemberNames::default()
    }
}

impl PartialEq for MemberNames {
    fn eq(&self, _: &MemberNames) -> bool {
        true
    }
}

impl std::fmt::Debug for MemberNames {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("MemberNames")
    }
}

/// How an object is initialized, which decides which constructors take part ([dcl.init], [dcl.init.list]).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::facts) enum Initialization {
    /// Copy-initialization, `= e` or of a parameter; with a braced list copy-list-initialization.
    Copy,
    /// Direct-initialization, `(e)`.
    Direct,
    /// Direct-list-initialization, `{e}`.
    List,
    /// It is not recorded which.
    Unknown,
}

/// The part of a declaration that only a variable, data member or concept has.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::facts) struct Variable {
    /// Its type as declared.
    pub ty: Type,
    /// Its initializer; a list also if parentheses have not just one operand.
    pub initializer: Option<Expr>,
    /// How the initializer is written.
    pub initialization: Initialization,
    /// The width of a bit-field, in bits.
    pub bits: Option<Expr>,
    /// The operands of its alignment-specifiers.
    pub alignas: Vec<Argument>,
    /// Template arguments in the name of a specialization: `value<int>`.
    pub arguments: Option<Vec<Argument>>,
    /// The names that the type's template arguments and the initializer use: functions in tables,
    /// lambda-expressions.
    pub items: Vec<Item>,
}

/// The part of a declaration that only an enumeration has.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::facts) struct Enum {
    /// It is a scoped enumeration.
    pub scoped: bool,
    /// The underlying type as written.
    pub underlying: Option<Type>,
    /// The enumerators with their initializers, in order.
    pub enumerators: Vec<(Symbol, Option<Expr>)>,
}

impl Enum {
    /// Whether it has an enumerator of that name.
    pub(in crate::facts) fn has(&self, name: Symbol) -> bool {
        self.enumerators.iter().any(|(enumerator, _)| *enumerator == name)
    }
}

/// A part of a function's body that may instantiate something, or a declaration that later parts may name.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::facts) enum Item {
    /// An id-expression that may denote a function, a kernel or a template of either.
    Mention(Mention),
    /// A template argument that parses as a type and may denote a function: `Run<kernel<int>>`.
    Argument(Mention),
    /// A pack expansion or fold-expression, `f<Ts>()...`: its parts once for each element of the packs in it.
    Expansion(Vec<Item>),
    /// A statement that is a block scope ([basic.scope.block]), and whether a return statement is in it. Its parts are
    /// instantiated whether it runs or not.
    Block(Vec<Item>, bool),
    /// `if constexpr (c) … else …`: the substatement that is discarded instantiates nothing ([stmt.if]/2).
    IfConstexpr(Expr, Vec<Item>, Vec<Item>),
    /// A local declaration.
    Declare(Arc<Decl>),
    /// The init-captures and parameters, the return type and the body of a lambda-expression that is not generic.
    Lambda(Vec<Parameter>, Type, Vec<Item>),
    /// A generic lambda, whose body each call of it instantiates.
    Generic(Arc<Closure>),
    /// A mem-initializer of a constructor: the member or base class and its initializer, a list if it is in braces or has
    /// not exactly one operand ([class.base.init]).
    Initialize(Path, Arc<Expr>, Initialization, Span),
    /// An operator expression, whose operators may be overloaded, or an assignment or a cast, which gives the
    /// name of an overloaded function a target type ([over.over]).
    Expression(Arc<Expr>, Span),
    /// An assignment in a function for the host and the device, where references to memory of the device launch. Such
    /// functions are most of what device libraries have, and their other operators are not recorded.
    Shared(Arc<Expr>, Span),
    /// The operand of a return statement that may name an overloaded function, which the return type selects.
    Returned(Arc<Expr>, Span),
}

/// The type that an explicit instantiation or specialization gives a function, from which template arguments are deduced
/// ([temp.deduct.decl]).
#[derive(Clone, PartialEq, Debug)]
pub(in crate::facts) struct Signature {
    /// The return type; of a constructor, say, none is written.
    pub result: Type,
    pub parameters: Vec<Type>,
    /// `const` and the ref-qualifier behind the parameter list.
    pub qualifiers: (bool, RefQualifier),
}

/// A use of a name that may denote a function, a function template or a class.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::facts) struct Mention {
    /// The name as written.
    pub path: Path,
    /// The object expression of `object.name(…)`, and whether it is `->`.
    pub receiver: Option<(Expr, bool)>,
    /// The arguments, if it is called or launched.
    pub arguments: Option<Arc<[Expr]>>,
    /// The function's type, if it is the explicit instantiation of a function.
    pub signature: Option<Signature>,
    /// How it uses what it names.
    pub role: Role,
    /// The place of the last identifier of the name.
    pub at: Span,
}

/// How a [`Mention`] uses what it names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::facts) enum Role {
    /// As an expression does that names, calls or launches it.
    Named,
    /// As such an expression in parentheses, for which there is no argument-dependent lookup ([basic.lookup.argdep]/1).
    InParentheses,
    /// It is the explicit instantiation of a class, which instantiates its members.
    InstantiatedClass,
    /// `new T(a)`: the type of the object, and the arguments if there are any.
    New,
    /// `new T[n]{a}`: the type of the elements, and their initializers.
    NewArray,
    /// The constructor that copy-initialization calls with these arguments, which no explicit one is.
    Converting,
    /// `delete p`, `delete[] p`: the deallocation function, called with the operand.
    Deleted,
}

impl Mention {
    /// A name alone.
    pub(in crate::facts) fn of(path: Path, at: Span) -> Mention {
        Mention { path, receiver: None, arguments: None, signature: None, role: Role::Named, at }
    }

    /// The call of a function of that name.
    pub(in crate::facts) fn call(name: Symbol, arguments: Arc<[Expr]>, at: Span) -> Mention {
        Mention { arguments: Some(arguments), ..Mention::of(Path::plain(name), at) }
    }
}
