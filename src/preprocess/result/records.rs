//! The records behind the tokens: conditionals and their groups, macro definitions, missing headers, problems.
//!
//! Plain data. Groups, conditionals and definitions are numbered for the whole run ([`super::registry`]).

use std::sync::Arc;

use crate::source::{Span, Symbol};
use crate::target::{ByPass, PassSet};

use super::problem::ProblemKind;
use super::tokens::{ConditionalId, DefinitionId, GroupId};
use super::written::Written;

/// One group of a conditional: the lines under an `#if`, `#elif` or `#else` ([cpp.cond]).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Group {
    /// The group around the conditional; `None` also where a file begins that all passes read, which no
    /// group around it decides.
    pub parent: Option<GroupId>,
    /// The conditional it is a group of.
    pub conditional: ConditionalId,
    /// The directive that opens it, `#` to the end of its line.
    pub directive: Span,
    /// The directive as written.
    pub written: Written,
    /// The passes that enter it; may be empty.
    pub passes: PassSet,
}

/// A conditional from its `#if` to its `#endif`, walked under one set of passes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Conditional {
    /// The passes that reached its `#if`.
    pub passes: PassSet,
    /// Its groups, in order.
    pub groups: Vec<GroupId>,
    /// Its `#endif` directive, if it has one.
    pub endif: Option<Span>,
    /// Each macro name that its conditions looked up, also through other macros, with its definition in each pass
    /// that did. Names with the same definition in all of them are included.
    pub reads: Arc<[MacroRead]>,
}

/// A lookup of a macro name by a condition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MacroRead {
    /// The name.
    pub name: Symbol,
    /// Its definition in each pass, `None` where it had none.
    pub definitions: ByPass<Option<DefinitionId>>,
}

/// A macro definition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Definition {
    /// The macro's name.
    pub name: Symbol,
    /// Its name where it is defined; `None` for a predefined or command-line macro.
    pub at: Option<Span>,
    /// The conditional group the definition stands in.
    pub group: Option<GroupId>,
    /// The passes that saw this definition.
    pub passes: PassSet,
    /// The definition as written.
    pub written: Written,
    /// The equal definition that other passes had already ([cpp.replace]): uses of the macro refer to that one.
    pub like: Option<DefinitionId>,
}

impl Definition {
    /// Name, parameters and replacement, as written: `MAX(a, b) ((a) > (b) ? (a) : (b))`.
    pub fn text(&self) -> String {
        self.written.definition_text(self.name)
    }
}

/// An `#undef` that took a definition away.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Undefinition {
    /// The macro's name.
    pub name: Symbol,
    /// The name in the directive.
    pub at: Span,
    /// The conditional group the directive stands in.
    pub group: Option<GroupId>,
    /// The passes that had the macro until then.
    pub passes: PassSet,
}

/// An `#include` whose file was not found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Missing {
    /// The header as spelled, with its quotes or angle brackets: `<cutlass/arch/mma.h>`.
    pub header: String,
    /// The directive.
    pub at: Span,
    /// The passes that asked for it.
    pub passes: PassSet,
}

impl Missing {
    /// Adds it to a list that has each directive's header once.
    pub(crate) fn add_to(&self, list: &mut Vec<Missing>) {
        match list.iter_mut().find(|known| known.at == self.at && known.header == self.header) {
            Some(known) => known.passes = known.passes.or(self.passes),
            None => list.push(self.clone()),
        }
    }
}

/// A violation of the standard, or a limit or unreadable file; preprocessing went on all the same.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// The kind of problem.
    pub kind: ProblemKind,
    /// The place.
    pub at: Span,
    /// The passes it concerns.
    pub passes: PassSet,
}

impl Problem {
    /// The message, one sentence in lower case without a full stop.
    pub fn message(&self) -> String {
        self.kind.to_string()
    }
}
