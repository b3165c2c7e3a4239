//! What each class of passes sees of kernels, variables, definitions, instantiations, class layouts, header entities,
//! instructions and conditions. Nothing here knows a token or a tree.

use rustc_hash::FxHashSet;

use crate::preprocess::DerivationStep;
use crate::source::{Span, Symbol};
use crate::target::{Arch, Needed, PassSet};

use super::comparison::Operator;
use super::digest::TextDigest;
use super::entity::EntityKind;

/// The facts of one unit.
#[derive(Debug, Default)]
pub struct UnitFacts {
    /// The passes that were compared: those that no `#error` stopped.
    pub compared: PassSet,
    /// Kernels and kernel templates that may differ, one for each function.
    pub kernels: Vec<SignedFact>,
    /// `__device__`, `__constant__` and `__managed__` variables that may differ.
    pub variables: Vec<SignedFact>,
    /// Other functions and variables with external linkage whose definition is not in every pass.
    pub definitions: Vec<DefinitionFact>,
    /// Instantiations of kernel templates and device variable templates, where the sets may differ.
    pub instantiations: Vec<InstantiationFact>,
    /// Classes whose bytes differ and that kernels or device variables use.
    pub layouts: Vec<LayoutFact>,
    /// Functions and variables of headers that every object has a copy of, in separate compilation; and
    /// kernel templates where objects share their host stubs.
    pub header_entities: Vec<HeaderFact>,
    /// Instructions of inline assembly that some pass reaches whose target lacks them.
    pub instructions: Vec<InstructionFact>,
    /// The instructions and intrinsics in force that not every target has, each kind once.
    pub used: Vec<Needed>,
    /// The groups of conditionals that ask about the architecture itself.
    pub conditions: Vec<ConditionFact>,
    /// Code that the architecture's number decides.
    pub numbers: Vec<NumberFact>,
    /// Bytes of parsed declarations under syntax errors.
    pub error_bytes: usize,
    /// Something met a limit.
    pub incomplete: Option<String>,
    /// Looking up some name went beyond a limit, so it is compared as it is spelled.
    pub left_open: bool,
    /// What the facts were found in.
    pub looked_into: LookedInto,
}

/// Where a unit's facts were found. The bodies of other functions have no part in them, as long as they mention none
/// of these names and words.
#[derive(Debug, Default)]
pub struct LookedInto {
    /// The declarations that were parsed, as indices into [`Variance::declarations`].
    pub parsed: FxHashSet<usize>,
    /// The names through which kernel templates and device variable templates are reached.
    pub leading: FxHashSet<Symbol>,
    /// The tokens that the number of `__CUDA_ARCH__` was put in the place of, by index.
    pub numbers: Vec<usize>,
    /// The names of what objects have copies of, without those of namespaces.
    pub entities: FxHashSet<Symbol>,
    /// The words by which facts are found in the bodies of functions, those names among them.
    pub words: FxHashSet<Symbol>,
    /// Something met a limit.
    pub incomplete: bool,
}

/// The conditional behind a difference.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cause {
    /// The directive.
    pub at: Span,
    /// The directive as written.
    pub text: String,
    /// From it back to the predefined macro.
    pub derivation: Vec<DerivationStep>,
}

/// A kernel or a device variable with its type in each class of passes.
#[derive(Clone, Debug)]
pub struct SignedFact {
    /// The qualified name.
    pub name: String,
    /// A template.
    pub is_template: bool,
    /// A kernel, a kernel template, or a kind of variable in a GPU's memory.
    pub what: EntityKind,
    /// What each class of passes sees; classes without it have no case.
    pub cases: Vec<SignedCase>,
    /// The passes that have a definition.
    pub defined: PassSet,
    /// A kernel that the host does not define, of a name that stands for a function there: nvcc's
    /// registration code compiles, and defines the kernel for the host.
    pub named_on_host: bool,
    /// It is in another inline namespace in other passes; the cases then spell its name too.
    pub moves: bool,
    /// Where it is defined, or declared when it is not; the first pass's first.
    pub places: Vec<Span>,
    /// The conditional that makes the types differ.
    pub type_cause: Option<Cause>,
    /// The conditional that makes the presence differ.
    pub presence_cause: Option<Cause>,
}

/// One class of passes' view of a signature.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SignedCase {
    /// The passes.
    pub passes: PassSet,
    /// The type by meaning, for comparing.
    pub canonical: String,
    /// The type in words.
    pub shown: String,
    /// Every name in it is known.
    pub sure: bool,
    /// Where the name is declared.
    pub at: Span,
}

/// A definition that not every pass has.
#[derive(Clone, Debug)]
pub struct DefinitionFact {
    /// The qualified name.
    pub name: String,
    /// A function or a variable.
    pub what: EntityKind,
    /// The passes that have a definition.
    pub defined: PassSet,
    /// Its execution space has the device.
    pub on_device: bool,
    /// Where it is defined.
    pub at: Span,
    /// The conditional behind it.
    pub cause: Option<Cause>,
}

/// A kernel template with arguments, or a variable template in the GPU's memory.
#[derive(Clone, Debug)]
pub struct InstantiationFact {
    /// The template's qualified name.
    pub kernel: String,
    /// It is a variable template.
    pub variable: bool,
    /// Where the template is declared.
    pub declared: Span,
    /// The instantiation in words: `scale<float>`.
    pub shown: String,
    /// The passes that instantiate it.
    pub passes: PassSet,
    /// The passes of which it is known whether they do.
    pub compared: PassSet,
    /// Every argument is known.
    pub sure: bool,
    /// The mentions that do, with their passes; the host's first.
    pub sites: Vec<Site>,
    /// Other instantiations of the kernel in the passes that lack this one, one for each set of passes.
    pub instead: Vec<(PassSet, String)>,
    /// The substituted signature, where it differs between passes.
    pub signatures: Vec<SignedCase>,
    /// The conditional behind it.
    pub cause: Option<Cause>,
}

/// A mention that instantiates.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Site {
    /// The passes.
    pub passes: PassSet,
    /// The mention of the kernel.
    pub at: Span,
    /// The mention in ordinary code that leads to it; the same place for a direct one.
    pub root: Span,
}

/// A class whose bytes differ.
#[derive(Clone, Debug)]
pub struct LayoutFact {
    /// The qualified name.
    pub name: String,
    /// It is the class of a lambda expression.
    pub closure: bool,
    /// Where it is defined.
    pub at: Span,
    /// What each class of passes sees.
    pub cases: Vec<LayoutCase>,
    /// Who uses it.
    pub uses: Vec<LayoutUse>,
    /// The conditional behind it.
    pub cause: Option<Cause>,
}

/// One class of passes' view of a layout.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LayoutCase {
    /// The passes.
    pub passes: PassSet,
    /// The parts in order.
    pub parts: Vec<String>,
    /// The size in bytes, if every part's is known.
    pub size: Option<u64>,
}

/// A use of a class whose bytes matter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LayoutUse {
    /// The kernel or variable.
    pub name: String,
    /// Where it is declared.
    pub at: Span,
    /// How it is used.
    pub how: LayoutRole,
}

/// How a class is used across the host-device boundary.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum LayoutRole {
    /// Passed by value to a kernel.
    Parameter,
    /// The type of a device variable, or part of it.
    Variable,
    /// What a kernel's pointer parameter points to.
    Pointee,
}

/// A function or variable of a header of which every object that uses it has a copy.
#[derive(Clone, Debug)]
pub struct HeaderFact {
    /// The qualified name.
    pub name: String,
    /// A kind of function, variable or class.
    pub what: EntityKind,
    /// Where it is declared.
    pub at: Span,
    /// A kernel template of which the program has one host stub, whichever object's.
    pub stub: bool,
    /// For each class of device passes, the text it sees.
    pub texts: Vec<(PassSet, TextDigest)>,
    /// Where the unit uses it.
    pub used: Option<Span>,
    /// The conditional behind it.
    pub cause: Option<Cause>,
}

/// An instruction in inline assembly, or a function that stands for some, that not every target has that reaches it.
#[derive(Clone, Debug)]
pub struct InstructionFact {
    /// The opcode, special register or function as written.
    pub written: String,
    /// The statement or call.
    pub at: Span,
    /// The name of the function it stands in, as far as that is plain.
    pub function: Option<Symbol>,
    /// The device passes that reach it.
    pub reached: PassSet,
    /// Those of them whose target lacks it.
    pub lacking: PassSet,
    /// It is a call of a function of the toolkit's; else a statement of assembly.
    pub call: bool,
    /// The narrowest targets that have it.
    pub narrowest: Vec<Arch>,
    /// It becomes code in every pass that reaches it.
    pub sure: bool,
    /// The conditional that lets them reach it.
    pub cause: Option<Cause>,
}

/// A group of a conditional whose condition is about `__CUDA_ARCH__` or a macro that only targets with a suffix have.
#[derive(Clone, Debug)]
pub struct ConditionFact {
    /// The directive that opens the group.
    pub at: Span,
    /// The directive as written.
    pub text: String,
    /// The directive that opens the conditional, if it is another.
    pub opening: Option<(Span, String)>,
    /// The passes that enter the group.
    pub passes: PassSet,
    /// Those that reach the conditional.
    pub asked: PassSet,
    /// It uses the number, not only whether there is one.
    pub numeric: bool,
    /// What it compares the number with.
    pub comparisons: Vec<ArchComparison>,
    /// The macros of targets with a suffix that it names.
    pub macros: Vec<String>,
    /// Nothing but the pass decides whether the group is entered.
    pub pure: bool,
}

/// `__CUDA_ARCH__` compared with a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ArchComparison {
    /// With the macro on the left.
    pub operator: Operator,
    /// The number.
    pub value: u64,
}

/// Code that the number of `__CUDA_ARCH__` decides.
#[derive(Clone, Debug)]
pub struct NumberFact {
    /// Where the number is taken.
    pub at: Span,
    /// The passes that do.
    pub passes: PassSet,
    /// `__CUDA_ARCH__ >= 900`; the macro alone where it is not compared with a literal; or the name that it gets.
    pub text: String,
    /// What it is compared with.
    pub comparison: Option<ArchComparison>,
    /// Where the name that it gets is compared.
    pub compared: Vec<Span>,
}
