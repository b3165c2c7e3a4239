//! The facts of a unit: its kernels, variables, definitions, instantiations, class layouts, header entities,
//! instructions and conditions, as each class of passes sees them. Nothing here knows a token or a tree.

use std::fmt;

use rustc_hash::FxHashSet;

use crate::preprocess::DerivationStep;
use crate::source::{Span, Symbol};
use crate::target::{Arch, Needed, PassSet};

use super::blind_spot::{BlindSpot, BlindSpotCause};
use super::comparison::Operator;
use super::digest::TextDigest;
use super::entity::EntityKind;

/// The facts of one unit.
#[derive(Debug, Default)]
pub struct UnitFacts {
    /// The passes that were compared: those that met no `#error`.
    pub compared: PassSet,
    /// The project's files have no host code and only kernels that a driver can load by their names, or nothing at all for the
    /// host: the source is compiled to PTX or cubins, and no host code refers to its kernels.
    pub is_for_devices_alone: bool,
    /// Kernels and kernel templates that may differ between passes, one for each function.
    pub kernels: Vec<SignedFact>,
    /// `__device__`, `__constant__` and `__managed__` variables that may differ between passes.
    pub variables: Vec<SignedFact>,
    /// Other functions and variables with external linkage whose definition is not in every pass.
    pub definitions: Vec<DefinitionFact>,
    /// Instantiations of kernel templates and device variable templates that some pass lacks, or that have another
    /// signature in another pass.
    pub instantiations: Vec<InstantiationFact>,
    /// Guarded mentions of kernel templates of which it could not be told what they instantiate.
    pub unproved: Vec<UnprovedMention>,
    /// Other mentions of kernel templates in question of which that could not be told.
    pub blind_spots: Vec<BlindSpot>,
    /// Classes that kernels or device variables use and whose layouts differ between passes.
    pub layouts: Vec<LayoutFact>,
    /// Functions whose extended lambdas, or what these capture, are not the same in every pass.
    pub closures: Vec<ClosureFact>,
    /// With separate compilation, the entities of headers that are emitted in every object file that uses them; without
    /// it, kernel templates of headers, if objects share host stubs.
    pub header_entities: Vec<HeaderFact>,
    /// Inline PTX instructions and toolkit functions that a device pass reaches whose target lacks them.
    pub instructions: Vec<InstructionFact>,
    /// The instructions and toolkit functions that some pass reaches and that not every architecture has, each once.
    pub used: Vec<Needed>,
    /// Guards round instructions and toolkit functions that keep out targets which have them, or let in such as lack them.
    pub guards: Vec<GuardFact>,
    /// The groups of conditionals whose conditions read an architecture macro.
    pub conditions: Vec<ConditionFact>,
    /// Code of host functions that the host pass lacks.
    pub host_code: Vec<HostCodeFact>,
    /// Conditionals in or around host functions that the host answers as if it were an old GPU.
    pub host_zero: Vec<HostZeroFact>,
    /// Values that host code hands to the device and that device passes have others of.
    pub host_values: Vec<HostValueFact>,
    /// Matches of custom rules that do not agree between passes.
    pub custom: Vec<CustomFact>,
    /// Declarations that the query of a custom rule was too much for.
    pub custom_limits: Vec<CustomLimit>,
    /// Macros of nvcc's that do not do what their names say.
    pub own_macros: Vec<MacroFact>,
    /// Places at which some passes stop and others do not.
    pub failures: Vec<FailureFact>,
    /// Code whose behaviour depends on the value of `__CUDA_ARCH__`.
    pub numbers: Vec<NumberFact>,
    /// How many bytes of parsed declarations are under syntax errors.
    pub error_bytes: usize,
    /// Why some facts are missing, if the analysis stopped at a limit.
    pub incomplete: Option<String>,
    /// The look-up of some name stopped at a limit, so that name is compared as it is spelled.
    pub left_open: bool,
    /// The declarations, names and tokens that the facts depend on.
    pub looked_into: LookedInto,
}

/// The declarations, names and tokens that a unit's facts depend on. An edit of any other function's body leaves the
/// facts valid, as long as the body mentions none of these names and no instructions.
#[derive(Debug, Default)]
pub struct LookedInto {
    /// The declarations that were parsed, as indices into [`Variance::declarations`].
    pub parsed: FxHashSet<usize>,
    /// The leading names: those through which a kernel template or a device variable template may be reached.
    pub leading: FxHashSet<Symbol>,
    /// The tokens that `__CUDA_ARCH__` was expanded to, by index.
    pub numbers: Vec<usize>,
    /// The unqualified names of [`UnitFacts::header_entities`].
    pub entities: FxHashSet<Symbol>,
    /// What varies and host code may hand to the device.
    pub constants: HostConstants,
    /// The words by which facts are found in the bodies of functions, those names among them, and the names through which
    /// code comes to mention those.
    pub words: FxHashSet<Symbol>,
    /// The declarations that custom rules looked at.
    pub custom: FxHashSet<usize>,
    /// Any body may matter: custom rules resolve types or values, or a library's functions are called by their names alone.
    pub any_body: bool,
    /// The analysis stopped at a limit.
    pub incomplete: bool,
}

/// Names of the project that may stand for another value in each pass.
#[derive(Clone, Default, Debug)]
pub struct HostConstants {
    /// Constants and types that vary.
    pub values: FxHashSet<Symbol>,
    /// Functions that return a value and vary.
    pub functions: FxHashSet<Symbol>,
}

/// Matches of a custom rule that have the same name and do not agree between passes.
#[derive(Clone, Debug)]
pub struct CustomFact {
    /// The rule's id.
    pub rule: String,
    /// The name, qualified.
    pub name: String,
    /// What each class of passes has, the host's first.
    pub cases: Vec<CustomCase>,
    /// Nothing stood in the way of the comparison: no syntax error, no name that could not be resolved.
    pub sure: bool,
    /// The conditional that makes the passes differ.
    pub cause: Option<Cause>,
}

/// The matches that one class of passes has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CustomCase {
    /// The passes.
    pub passes: PassSet,
    /// What was captured in each match; empty if there is no match.
    pub shown: Vec<String>,
    /// Where the first one is.
    pub at: Option<Span>,
}

/// A declaration that the query of a custom rule was too much for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CustomLimit {
    /// The rule's id.
    pub rule: String,
    /// Where the declaration begins.
    pub at: Span,
}

/// The conditional that makes the passes differ.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Cause {
    /// The directive.
    pub at: Span,
    /// The directive as written.
    pub text: String,
    /// The chain of macro definitions from the directive back to the predefined macro.
    pub derivation: Vec<DerivationStep>,
}

/// A kernel or a device variable with its type in each class of passes.
#[derive(Clone, Debug)]
pub struct SignedFact {
    /// The qualified name.
    pub name: String,
    /// Whether it is a template.
    pub is_template: bool,
    /// A kernel, a kernel template, or a kind of variable in a GPU's memory.
    pub what: EntityKind,
    /// Its type in each class of passes; classes that do not declare it have no case.
    pub cases: Vec<SignedCase>,
    /// The passes that define it.
    pub defined: PassSet,
    /// The host pass does not define the kernel, but its name denotes a function there: nvcc's registration code then
    /// compiles, and defines the kernel for the host.
    pub named_on_host: bool,
    /// It is in different inline namespaces in different passes; the cases then spell its qualified name too.
    pub moves: bool,
    /// The places of its definitions or, if it has none, of its declarations, in order.
    pub places: Vec<Span>,
    /// The conditional that makes its types differ.
    pub type_cause: Option<Cause>,
    /// The conditional that takes it out of some passes.
    pub presence_cause: Option<Cause>,
}

/// A signature as one class of passes sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SignedCase {
    /// The passes.
    pub passes: PassSet,
    /// The canonical type: equal for types that are the same.
    pub canonical: String,
    /// The type as messages spell it.
    pub shown: String,
    /// Every name in it was resolved.
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
    /// It is a device function: its execution space includes the device.
    pub on_device: bool,
    /// Where it is defined.
    pub at: Span,
    /// The conditional that takes the definition out of some passes.
    pub cause: Option<Cause>,
}

/// An instantiation of a kernel template or of a device variable template.
#[derive(Clone, Debug)]
pub struct InstantiationFact {
    /// The template's qualified name.
    pub kernel: String,
    /// Whether the template is a variable template.
    pub variable: bool,
    /// Where the template is declared.
    pub declared: Span,
    /// The instantiation as messages spell it: `scale<float>`.
    pub shown: String,
    /// The passes that instantiate it.
    pub passes: PassSet,
    /// The passes for which it is known whether they instantiate it.
    pub compared: PassSet,
    /// Every template argument was resolved.
    pub sure: bool,
    /// The mentions that instantiate it, with their passes; the host's first.
    pub sites: Vec<Site>,
    /// Other instantiations of the template in the passes that lack this one, an example for each set of passes.
    pub instead: Vec<(PassSet, String)>,
    /// The signature after substitution; more than one where passes differ in it.
    pub signatures: Vec<SignedCase>,
    /// The conditional that makes the passes differ.
    pub cause: Option<Cause>,
    /// The conditional is the project's, though a system header mentions the template.
    pub by_call: bool,
}

/// A mention of a kernel template, or of a name through which one can be reached, that the host has and some other pass
/// lacks, where it could not be told which instantiations that makes.
#[derive(Clone, Debug)]
pub struct UnprovedMention {
    /// The name with its template arguments, as written.
    pub written: String,
    /// Where it is.
    pub at: Span,
    /// The function around it.
    pub function: String,
    /// The function's name where it is defined.
    pub defined: Span,
    /// A kernel template or device variable template that the name leads to.
    pub kernel: String,
    /// It is a variable template.
    pub variable: bool,
    /// Where that is declared.
    pub declared: Span,
    /// The passes that have the mention.
    pub passes: PassSet,
    /// The passes that were compared.
    pub compared: PassSet,
    /// Why it could not be told.
    pub why: BlindSpotCause,
    /// The conditional around the mention.
    pub cause: Option<Cause>,
}

/// A mention that causes an instantiation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Site {
    /// The passes.
    pub passes: PassSet,
    /// The mention of the kernel template.
    pub at: Span,
    /// The mention in non-template code from which that one is instantiated; the same place if it is there itself.
    pub root: Span,
    /// The last mention outside of system headers on the way to it: the same place if it is in the project itself, a call
    /// of the library's function if it is in a library.
    pub call: Span,
}

/// A class whose layout differs between passes.
#[derive(Clone, Debug)]
pub struct LayoutFact {
    /// The qualified name.
    pub name: String,
    /// Whether it is a closure type ([expr.prim.lambda.closure]).
    pub closure: bool,
    /// Where it is defined.
    pub at: Span,
    /// Its layout in each class of passes.
    pub cases: Vec<LayoutCase>,
    /// The kernels and variables that use it.
    pub uses: Vec<LayoutUse>,
    /// The conditional that makes the passes differ.
    pub cause: Option<Cause>,
}

/// A layout as one class of passes sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LayoutCase {
    /// The passes.
    pub passes: PassSet,
    /// Its bases and data members, in order.
    pub parts: Vec<String>,
    /// The size in bytes, if the size of every part is known.
    pub size: Option<u64>,
}

/// A use of a class by a kernel or device variable, for which host and device must agree on the layout.
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
    /// The type that a kernel's pointer or reference parameter refers to.
    Pointee,
}

/// The extended lambdas of a function that the host runs, where passes differ in them.
#[derive(Clone, Debug)]
pub struct ClosureFact {
    /// The function.
    pub function: String,
    /// Its name where it is defined.
    pub declared: Span,
    /// The first lambda in which passes differ.
    pub at: Span,
    /// The difference.
    pub what: ClosureDifference,
    /// What each class of passes has.
    pub cases: Vec<(PassSet, String)>,
    /// The conditional that makes the passes differ.
    pub cause: Option<Cause>,
}

/// How the extended lambdas of a function differ.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClosureDifference {
    /// Some passes lack the lambda.
    Presence {
        /// Those that have it.
        having: PassSet,
        /// The next one that all passes have, which therefore has another number in them.
        later: Option<Span>,
    },
    /// The lambda captures other variables, or in another order.
    Captures,
}

/// An entity of a header that is emitted in every object file that uses it, and of which the linker keeps one.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct HeaderFact {
    /// The qualified name.
    pub name: String,
    /// A kind of function, variable or class.
    pub what: EntityKind,
    /// Where it is declared.
    pub at: Span,
    /// It is a kernel template, and the linker keeps one object's host stub of each instantiation.
    pub stub: bool,
    /// The digest of its declaration without the body: with its name, it tells overloads and specializations apart.
    pub head: TextDigest,
    /// For each class of device passes, the digest of the text it sees; empty if it is not used.
    pub texts: Vec<(PassSet, TextDigest)>,
    /// The conditionals around and in it, and the macros that are expanded in it.
    pub choices: Vec<TextChoice>,
    /// The first mention of it in code that the unit may emit, if there is one.
    pub used: Option<Span>,
    /// The unit surely emits it: it is an inline function or variable, nothing else has its name, and code that every
    /// object file has mentions it.
    pub sure: bool,
}

/// A conditional or macro that chooses between texts of an entity.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct TextChoice {
    /// The conditional or macro.
    pub by: Chooser,
    /// The alternative of each class of device passes that meet it.
    pub cases: Vec<(PassSet, Alternative)>,
    /// How it goes back to a macro that nvcc predefines by pass, if it does in this unit.
    pub cause: Option<Box<Cause>>,
}

/// The identity of a [`TextChoice`] in every unit that reads the header.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub enum Chooser {
    /// A conditional, by its opening directive.
    Conditional(Span),
    /// A macro.
    Macro(Symbol),
}

/// An alternative of a [`TextChoice`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub enum Alternative {
    /// The group of a conditional that begins with this directive.
    Group(Span),
    /// No group of a conditional.
    NoGroup,
    /// The definition of a macro at this place.
    Definition(Span),
    /// The definition of a predefined or command-line macro with this text.
    Text(TextDigest),
}

/// An inline PTX instruction, or a toolkit function that compiles to some, that a pass reaches whose target lacks it.
#[derive(Clone, Debug)]
pub struct InstructionFact {
    /// The opcode, special register or function as written.
    pub written: String,
    /// The statement or call.
    pub at: Span,
    /// The name of the function whose body it is in, if it can be told from the tokens.
    pub function: Option<Symbol>,
    /// The device passes that reach it.
    pub reached: PassSet,
    /// Those of them whose target lacks it.
    pub lacking: PassSet,
    /// It is a call of a toolkit function; otherwise an `asm` statement.
    pub call: bool,
    /// The targets to compile for instead: the first baseline architecture that has it, or those with a suffix.
    pub narrowest: Vec<Arch>,
    /// Code is generated for it in every pass that reaches it.
    pub sure: bool,
    /// The conditional that lets these passes reach it.
    pub cause: Option<Cause>,
}

/// A group of a conditional with instructions, whose condition is not the one that they need.
#[derive(Clone, Debug)]
pub struct GuardFact {
    /// The directive that opens the group.
    pub at: Span,
    /// The directive as written.
    pub text: String,
    /// The first instruction or function in it that not every target has, as written.
    pub written: String,
    /// Where that is.
    pub used: Span,
    /// How many more there are.
    pub further: usize,
    /// The name of the function whose body it is in, if it can be told from the tokens.
    pub function: Option<Symbol>,
    /// The device passes that enter the group.
    pub entered: PassSet,
    /// The targets that have all of them: the first baseline architecture, or those with a suffix.
    pub narrowest: Vec<Arch>,
    /// How the condition misses.
    pub miss: GuardMiss,
    /// The conditional.
    pub cause: Cause,
}

/// How a guard misses the targets that have what it guards.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GuardMiss {
    /// It keeps out targets that have all of it.
    Narrow {
        /// Their passes.
        shut_out: PassSet,
        /// The directive of the group that they take in its place, and its text.
        instead: Option<(Span, String)>,
        /// They take none, and have nothing in the place of what the group does.
        lost: bool,
    },
    /// It lets in architectures that lack some of it, and that are not compiled for today.
    Wide {
        /// These architectures.
        lets_in: Vec<Arch>,
    },
}

/// Code of a host function that the host pass lacks, behind a conditional of which it enters no group.
#[derive(Clone, Debug)]
pub struct HostCodeFact {
    /// The function.
    pub function: String,
    /// Its name where it is defined.
    pub declared: Span,
    /// The first token that the host lacks.
    pub at: Span,
    /// The kind of code.
    pub kind: HostCodeKind,
    /// The host enters another group of the conditional.
    pub is_beside_host: bool,
    /// Of a whole function, the first mention outside of its declarations.
    pub used: Option<Span>,
    /// The device passes that have it. None of them generates code for it.
    pub passes: PassSet,
    /// The conditional that keeps it from the host.
    pub cause: Option<Cause>,
}

/// The kinds of code that a host function may lose, the first that applies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HostCodeKind {
    /// A kernel is launched.
    Launch,
    /// A label of a `switch`.
    Case,
    /// Other statements.
    Statement,
    /// The whole function.
    Function,
    /// A member function of a class that devices have no code of.
    Member,
    /// An explicit instantiation of a template for the host.
    Instantiation,
    /// A variable that a call initializes when the program starts.
    Initialization,
    /// A test, or what else a macro of a well-known library registers when the program starts.
    Registration,
}

impl fmt::Display for HostCodeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            HostCodeKind::Launch => "a kernel launch",
            HostCodeKind::Case => "a label of a `switch`",
            HostCodeKind::Statement => "statements",
            HostCodeKind::Function => "a definition",
            HostCodeKind::Member => "a definition in its class",
            HostCodeKind::Instantiation => "an explicit instantiation",
            HostCodeKind::Initialization => "an initialization",
            HostCodeKind::Registration => "a registration",
        })
    }
}

/// A conditional that compares the number of `__CUDA_ARCH__` and never asks whether there is one, which chooses code of a
/// host function, or between two host functions.
#[derive(Clone, Debug)]
pub struct HostZeroFact {
    /// The directive that opens it.
    pub at: Span,
    /// That directive as written.
    pub text: String,
    /// The directive of the group that the host takes, since it compares 0.
    pub taken: Span,
    /// That directive as written.
    pub taken_text: String,
    /// The host function.
    pub function: String,
    /// Its name where the host defines it.
    pub declared: Span,
    /// The device passes that take the same group.
    pub like: PassSet,
    /// The device passes that do not.
    pub unlike: PassSet,
}

/// A macro, a constant or the size of a type that host code hands to the device, with another value in device passes.
#[derive(Clone, Debug)]
pub struct HostValueFact {
    /// As it is written: `THREADS`, `Config::rows`, `sizeof(Tile)`.
    pub name: String,
    /// Where it is written, in the operand or in the initializer of a local variable.
    pub at: Span,
    /// The host function.
    pub function: String,
    /// What it is handed to.
    pub used: HostUse,
    /// Where that begins.
    pub site: Span,
    /// The values of the passes.
    pub cases: Vec<(PassSet, String)>,
    /// The first mention in a function that devices compile.
    pub on_device: Option<Span>,
    /// The conditional that makes the passes differ.
    pub cause: Option<Cause>,
}

/// How host code hands a value to the device.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HostUse {
    /// In the configuration of a launch.
    Launch,
    /// In a call that takes, sets or copies device memory, or that sets how much a kernel may take.
    Memory,
    /// In the arguments of a launch.
    Argument,
    /// In the condition of a loop that launches.
    Loop,
    /// In a call that says how many blocks of a kernel fit.
    Occupancy,
}

impl fmt::Display for HostUse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            HostUse::Launch => "the configuration of a launch",
            HostUse::Memory => "a call about device memory",
            HostUse::Argument => "the arguments of a launch",
            HostUse::Loop => "the condition of a loop round a launch",
            HostUse::Occupancy => "a call about the occupancy of a kernel",
        })
    }
}

/// An `#error` that some passes meet, a `static_assert` that does not hold in some, or a call of what only devices have, while
/// others compile on.
#[derive(Clone, Debug)]
pub struct FailureFact {
    /// The directive, the `static_assert` or the name that is called.
    pub at: Span,
    /// What stops the passes.
    pub kind: FailureKind,
    /// As it is written; of a `static_assert` with its macros expanded.
    pub text: String,
    /// The passes that stop there.
    pub stopped: PassSet,
    /// Those that do not.
    pub others: PassSet,
    /// The conditional that decides.
    pub cause: Option<Cause>,
}

/// What stops a pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FailureKind {
    /// An `#error`, or a `static_assert` that does not hold.
    Written,
    /// A call of a function that only devices have, or PTX.
    Builtin,
}

/// A use of a macro of nvcc's that does not do what its name says.
#[derive(Clone, Debug)]
pub struct MacroFact {
    /// The name, in a directive; the beginning of the main file for an option.
    pub at: Span,
    /// The macro's name as it is written.
    pub name: String,
    /// The directive or the option.
    pub text: String,
    /// What is wrong.
    pub fault: MacroFault,
    /// The passes that meet it.
    pub passes: PassSet,
}

/// The faults in the use of nvcc's macros.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MacroFault {
    /// A condition reads a name that nothing defines and that is nearly that of one of nvcc's macros.
    Misspelt {
        /// The name of nvcc's macro.
        meant: String,
        /// Nothing else can define it: the name is reserved to compilers, or all that the build defines is known.
        sure: bool,
    },
    /// The project defines the macro.
    Defined,
    /// The project undefines it.
    Undefined,
    /// The command that compiles the unit defines or undefines it.
    Option,
}

impl fmt::Display for MacroFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MacroFault::Misspelt { meant, .. } => write!(f, "nothing defines it, {meant} is nearly that"),
            MacroFault::Defined => f.write_str("defined by the project"),
            MacroFault::Undefined => f.write_str("undefined by the project"),
            MacroFault::Option => f.write_str("defined by an option"),
        }
    }
}

/// A group of a conditional whose condition reads `__CUDA_ARCH__`, or a macro that is only defined for targets with a
/// suffix.
#[derive(Clone, Debug)]
pub struct ConditionFact {
    /// The directive that opens the group.
    pub at: Span,
    /// The directive as written.
    pub text: String,
    /// The directive that opens the conditional, if that is not the group's own.
    pub opening: Option<(Span, String)>,
    /// The passes that enter the group.
    pub passes: PassSet,
    /// The passes that reach the conditional.
    pub asked: PassSet,
    /// It uses the value of `__CUDA_ARCH__`, not only whether it is defined.
    pub numeric: bool,
    /// Its comparisons of `__CUDA_ARCH__` with literals.
    pub comparisons: Vec<ArchComparison>,
    /// The macros in it that are only defined for targets with a suffix.
    pub macros: Vec<String>,
    /// Whether the group is entered depends on nothing but the pass.
    pub pure: bool,
}

/// `__CUDA_ARCH__` compared with a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ArchComparison {
    /// The operator, as it reads with the macro on the left.
    pub operator: Operator,
    /// The literal.
    pub value: u64,
}

/// Code whose behaviour depends on the value of `__CUDA_ARCH__`.
#[derive(Clone, Debug)]
pub struct NumberFact {
    /// Where the macro is expanded.
    pub at: Span,
    /// The device passes that expand it there.
    pub passes: PassSet,
    /// `__CUDA_ARCH__ >= 900`; the macro alone where it is not compared with a literal; or the name of the variable,
    /// constant or function that has its value.
    pub text: String,
    /// The comparison, if it is one with a literal.
    pub comparison: Option<ArchComparison>,
    /// Where the variable, constant or function with its value is compared.
    pub compared: Vec<Span>,
}
