//! The problems that preprocessing may have, and the message for each.
//!
//! Decisions are taken by kind; the message is only for people.

use std::fmt;

use crate::source::Symbol;

/// The kind of a problem. It displays as one sentence in lower case without a full stop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ProblemKind {
    /// The main file can't be read: the system's reason.
    MainFileUnreadable(String),
    /// `-include` or `-imacros` names a file that is not there. Compilers stop.
    ForcedIncludeMissing(String),
    /// A file can't be read: its name, with its delimiters, and the system's reason.
    FileUnreadable(String, String),
    /// The unit takes more work than this, and the rest is left out.
    WorkLimit(usize),
    /// Includes are nested deeper than this.
    IncludeLimit(usize),

    // Text ([lex.comment], [lex.string]).
    /// A comment is not closed: it extends to the end of the file.
    UnterminatedComment,
    /// A raw string literal has no delimiter or is not closed.
    UnterminatedRawString,
    /// A quote is not closed on its line.
    UnterminatedLiteral,

    // Directives.
    /// A directive of this name is unknown.
    UnknownDirective(Symbol),
    /// A live `#error`: the directive on one line.
    ErrorDirective(String),
    /// A conditional has no `#endif`.
    UnterminatedConditional,
    /// The directive on one line belongs to no `#if`.
    WithoutIf(String),
    /// `#elif` or `#else` after `#else`.
    GroupAfterElse,
    /// `#include` names no header.
    IncludeSyntax,
    /// `#line` has no number.
    LineNumberExpected,
    /// The second operand of `#line` is no ordinary string literal.
    LineNameNotPlain,

    // Macro definitions ([cpp.replace]).
    /// `#define` without a name.
    MacroNameMissing,
    /// A macro's name is no identifier.
    MacroNameNotIdentifier,
    /// `#define defined`.
    MacroNamedDefined,
    /// The parameter list of a function-like macro is malformed.
    ParameterList,
    /// A parameter occurs twice.
    DuplicateParameter,
    /// `##` begins or ends a replacement list.
    PasteAtEdge,
    /// `#` stands before something else than a parameter.
    StringizeWithoutParameter,
    /// `__VA_OPT__` is not followed by balanced parentheses.
    UnterminatedVaOpt,

    // Macro expansion.
    /// The argument list of an invocation of this macro is not closed.
    UnterminatedArguments(Symbol),
    /// A macro is invoked with the wrong number of arguments.
    ArgumentCount {
        /// The macro.
        name: Symbol,
        /// How many parameters it has.
        parameters: usize,
        /// How many arguments it was given.
        given: usize,
    },
    /// `##` between these does not give a token.
    InvalidPaste(Symbol, Symbol),
    /// A limit on nesting or length ended the expansion of this macro.
    ExpansionLimit(Symbol),

    // Controlling expressions ([cpp.cond]).
    /// `#if` without an expression.
    ExpressionMissing,
    /// This token can't follow a complete expression.
    ExpressionNotContinued(Symbol),
    /// A value is missing at the end.
    OperandExpected,
    /// This token can't begin an operand.
    InvalidOperand(Symbol),
    /// This number is no integer literal.
    NotAnInteger(Symbol),
    /// This punctuator is missing.
    PunctuatorMissing(Symbol),
    /// The expression is nested too deep.
    ExpressionTooDeep,
    /// Division by zero.
    DivisionByZero,
    /// A name that is no macro is followed by an argument list.
    FunctionLikeMacroUndefined(Symbol),
    /// `defined` without a name.
    DefinedWithoutName,
    /// No `(` after an operator.
    OpenMissing(Symbol),
    /// No `)` after an operator or its operand.
    CloseMissing(Symbol),
    /// The operand of `__has_include` is no header name.
    HasIncludeSyntax,

    // GCC's assertions.
    /// `#assert` without an answer.
    AssertionAnswerMissing,
    /// An assertion without a predicate.
    AssertionPredicateMissing,
    /// A predicate that is no identifier.
    AssertionPredicateNotIdentifier,
    /// An answer that is empty or not in parentheses.
    AssertionAnswerSyntax,
    /// No `)` after an answer.
    AssertionAnswerUnterminated,

    // `#embed`.
    /// `#embed` names no resource.
    EmbedSyntax,
    /// No parameter of `#embed` has this name.
    EmbedParameterUnknown(String),
    /// No `)` after the operand of this parameter.
    EmbedParameterUnterminated(String),
    /// This parameter has no operand.
    EmbedParameterWithoutValue(String),
    /// An operand is negative.
    EmbedParameterNegative,
}

impl ProblemKind {
    /// Whether part of the unit is not analysed because of it, so that silence about the unit means nothing: text that
    /// was not read, or that was read as something else than its author meant.
    pub fn leaves_out(&self) -> bool {
        use ProblemKind::*;
        matches!(
            self,
            MainFileUnreadable(_)
                | ForcedIncludeMissing(_)
                | FileUnreadable(..)
                | WorkLimit(_)
                | IncludeLimit(_)
                | UnterminatedComment
                | UnterminatedRawString
                | UnterminatedLiteral
                | UnterminatedConditional
                | UnterminatedArguments(_)
                | ExpansionLimit(_)
                | EmbedSyntax
                | EmbedParameterUnknown(_)
                | EmbedParameterUnterminated(_)
                | EmbedParameterWithoutValue(_)
                | EmbedParameterNegative
        )
    }
}

impl fmt::Display for ProblemKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use ProblemKind::*;
        let sentence = match self {
            MainFileUnreadable(error) => return write!(f, "failed to read the file: {error}"),
            ForcedIncludeMissing(name) => {
                return write!(f, "`{name}`, which an option includes, was not found");
            }
            FileUnreadable(name, error) => return write!(f, "failed to read {name}: {error}"),
            WorkLimit(limit) => {
                let millions = limit / 1_000_000;
                return write!(
                    f,
                    "the unit's includes and macros come to more than {millions} million tokens and files, the rest \
                     is left out"
                );
            }
            IncludeLimit(limit) => return write!(f, "`#include` nested more than {limit} deep"),
            UnterminatedComment => "unterminated comment: the rest of the file is part of it",
            UnterminatedRawString => "unterminated raw string literal",
            UnterminatedLiteral => "a quote that is not closed on its line",
            UnknownDirective(name) => return write!(f, "unknown directive `#{name}`"),
            ErrorDirective(text) => text,
            UnterminatedConditional => "unterminated conditional: no `#endif` closes it",
            WithoutIf(text) => return write!(f, "`{text}` without `#if`"),
            GroupAfterElse => "a group follows `#else`",
            IncludeSyntax => "`#include` expects \"FILENAME\" or <FILENAME>",
            LineNumberExpected => "`#line` needs a line number",
            LineNameNotPlain => "`#line` needs a plain string as name",
            MacroNameMissing => "no macro name given in `#define`",
            MacroNameNotIdentifier => "macro names must be identifiers",
            MacroNamedDefined => "`defined` cannot be used as a macro name",
            ParameterList => "malformed macro parameter list",
            DuplicateParameter => "duplicate macro parameter",
            PasteAtEdge => "`##` cannot stand at either end of a replacement list",
            StringizeWithoutParameter => "`#` is not followed by a macro parameter",
            UnterminatedVaOpt => "unterminated `__VA_OPT__`",
            UnterminatedArguments(name) => {
                return write!(f, "unterminated argument list invoking macro `{name}`");
            }
            ArgumentCount { name, parameters, given } => {
                let arguments = if *parameters == 1 { "argument" } else { "arguments" };
                return write!(f, "macro `{name}` takes {parameters} {arguments}, but is given {given}");
            }
            InvalidPaste(left, right) => {
                return write!(f, "pasting `{left}` and `{right}` does not give a token");
            }
            ExpansionLimit(name) => {
                return write!(f, "the expansion at `{name}` is too deep or too long to go on");
            }
            ExpressionMissing => "`#if` with no expression",
            ExpressionNotContinued(token) => return write!(f, "`{token}` does not continue the condition"),
            OperandExpected => "the condition ends where a value is expected",
            InvalidOperand(token) => return write!(f, "`{token}` is not valid in a condition"),
            NotAnInteger(number) => return write!(f, "`{number}` is not an integer"),
            PunctuatorMissing(punctuator) => return write!(f, "missing `{punctuator}` in the condition"),
            ExpressionTooDeep => "the condition is nested too deep",
            DivisionByZero => "division by zero in the condition",
            FunctionLikeMacroUndefined(name) => {
                return write!(f, "the function-like macro `{name}` is not defined");
            }
            DefinedWithoutName => "`defined` without a macro name",
            OpenMissing(operator) => return write!(f, "missing `(` after `{operator}`"),
            CloseMissing(operator) => return write!(f, "missing `)` after `{operator}`"),
            HasIncludeSyntax => "`__has_include` expects \"FILENAME\" or <FILENAME>",
            AssertionAnswerMissing => "`#assert` needs an answer in parentheses",
            AssertionPredicateMissing => "an assertion without a predicate",
            AssertionPredicateNotIdentifier => "an assertion's predicate must be an identifier",
            AssertionAnswerSyntax => "an assertion's answer stands in parentheses, and is not empty",
            AssertionAnswerUnterminated => "missing `)` after an assertion's answer",
            EmbedSyntax => "`#embed` expects \"FILENAME\" or <FILENAME>",
            EmbedParameterUnknown(name) => return write!(f, "`{name}` is no parameter of `#embed`"),
            EmbedParameterUnterminated(name) => return write!(f, "missing `)` after `{name}`"),
            EmbedParameterWithoutValue(name) => return write!(f, "`{name}` needs a value in parentheses"),
            EmbedParameterNegative => "a parameter of `#embed` is negative",
        };
        f.write_str(sentence)
    }
}
