//! Top-level declarations as ranges of tokens, and the scopes that they are in: plain data.

use std::fmt;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use crate::preprocess::Attached;
use crate::source::Symbol;
use crate::target::PassSet;

/// A scope of a unit: an index into [`Variance::scopes`](crate::variance::Variance::scopes), which has each scope once.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ScopeId(pub u32);

impl ScopeId {
    /// The global namespace.
    pub const GLOBAL: ScopeId = ScopeId(0);
}

/// A namespace or linkage block that encloses declarations.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Scope {
    /// The enclosing scope; `None` for the global namespace only.
    pub parent: Option<ScopeId>,
    /// The namespace's name. `None` for the global one, an unnamed namespace and a linkage block.
    pub name: Option<Symbol>,
    /// `inline namespace`.
    pub inline: bool,
    /// An unnamed namespace: what is in it has internal linkage.
    pub unnamed: bool,
    /// `extern "C" { … }`.
    pub extern_c: bool,
}

/// The kind of a top-level declaration, as far as its tokens tell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DeclKind {
    /// A function (template) with a body.
    Function,
    /// A function (template) without a body.
    Prototype,
    /// A class, struct or union (template) with a body, possibly with declarators after it.
    Class,
    /// An enumeration with a body.
    Enum,
    /// `using X = …;`, a `typedef`, a namespace alias.
    Alias,
    /// `using a::b;`, `using namespace a;`.
    Using,
    /// A variable or variable template, with or without an initializer.
    Variable,
    /// An explicit instantiation: `template void f<int>();`, also with `extern`.
    Instantiation,
    /// A forward declaration of a class or enumeration.
    Forward,
    /// Anything else: `static_assert`, `asm`, an unexpanded macro, an empty declaration.
    Other,
}

/// Why a declaration varies; all false when it does not.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Varies {
    /// It exists in some passes and not in others.
    pub presence: bool,
    /// Some of its tokens exist in some of its passes and not in others.
    pub tokens: bool,
    /// It mentions a varying name.
    pub names: bool,
    /// The entity has another size or layout on the host than on GPUs, by the same tokens.
    pub sizes: bool,
}

impl Varies {
    /// Any of the reasons.
    pub fn any(self) -> bool {
        self.presence || self.tokens || self.names || self.sizes
    }
}

/// A member function with a body, of a class or of one nested in it.
#[derive(Debug)]
pub struct MemberFunction {
    /// Its name; `None` where the tokens do not tell.
    pub name: Option<Symbol>,
    /// It is a template, or in a nested class template.
    pub in_template: bool,
    /// Its tokens before the body, constructor initializers included.
    pub head: Range<usize>,
    /// Its body, braces included.
    pub body: Range<usize>,
}

/// What stages find of a declaration's tokens alone, kept for all units that have it.
#[derive(Debug, Default)]
pub struct KnownDeclaration {
    /// The member functions that a class defines in its lowest pass, by tokens that count from the first of the class.
    pub(super) members: OnceLock<Box<[MemberFunction]>>,
    /// What [`spread`](crate::variance) finds.
    pub(in crate::variance) variance: Attached,
    /// What the stage behind finds.
    pub index: Attached,
}

/// The [`KnownDeclaration`] of a declaration that other units may have. It says nothing of the declaration, so that all are equal.
#[derive(Clone, Default)]
pub struct Known(pub Option<Arc<KnownDeclaration>>);

impl PartialEq for Known {
    fn eq(&self, _: &Known) -> bool {
        true
    }
}

impl Eq for Known {}

impl fmt::Debug for Known {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}

/// A declaration at namespace scope, as a range of tokens under a set of passes.
///
/// Its tokens in pass `p` are those of the range whose set has `p`. Two passes that cut the text
/// differently (a parameter list under `#if`) have a `TopDeclaration` each, with overlapping ranges.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TopDeclaration {
    /// The passes that have it.
    pub passes: PassSet,
    /// Its tokens, as a range of [`crate::preprocess::Preprocessed::tokens`].
    pub tokens: Range<usize>,
    /// The scope it is in.
    pub scope: ScopeId,
    /// Its kind.
    pub kind: DeclKind,
    /// The names it declares, as far as tokens tell: the function, the class, the aliases, each
    /// declarator's name, the enumerators. For `X::f` the last name, `f`, then the qualifiers.
    pub names: Vec<Symbol>,
    /// The number of `names` that are declared here; those after them are qualifiers.
    pub declared: usize,
    /// The range's index where the body begins (the `{` of a function's body), or its end.
    pub body: usize,
    /// A class's braces and what is between them; empty for anything else.
    pub class_body: Range<usize>,
    /// The index of the first `{` in it that is not closed where it ends, if text of other files stands behind the brace:
    /// what they declare was read as part of it. Valid code has none.
    pub unclosed: Option<usize>,
    /// Whether and why it varies.
    pub varies: Varies,
    /// What is known of its tokens; nothing if no other unit has them.
    pub known: Known,
}
