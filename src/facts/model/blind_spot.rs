//! The places where the analysis can't tell which kernels are instantiated.

use std::borrow::Cow;
use std::fmt;

use crate::source::Span;
use crate::target::PassSet;

/// The longest name that a message shows with its template arguments, in bytes: about as long as two lines of code.
const MOST_SHOWN: usize = 200;

/// A place where the analysis can't tell which kernels are instantiated.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct BlindSpot {
    /// The mention of a name through which a kernel template can be reached.
    pub at: Span,
    /// The name, as written.
    pub name: String,
    /// The passes in which it can't be told.
    pub passes: PassSet,
    /// Why.
    pub why: BlindSpotCause,
    /// It may make the passes differ, so that silence about the unit is no claim.
    pub varies: bool,
}

impl BlindSpot {
    /// What it means for the result: one sentence in lower case without a full stop.
    pub fn message(&self) -> String {
        let open = match (self.varies, self.why) {
            (_, BlindSpotCause::TooDeep) => "whether it is the same in every pass is not known",
            (true, _) => "whether it instantiates the same in every pass is not known",
            (false, _) => "what it instantiates is not known",
        };
        format!("`{}`: {open}, since {}", self.short_name(), self.why)
    }

    /// The name; without its template arguments where these make it longer than anybody reads.
    fn short_name(&self) -> Cow<'_, str> {
        match self.name.split_once('<') {
            Some((template, _)) if self.name.len() > MOST_SHOWN => format!("{template}<...>").into(),
            _ => self.name.as_str().into(),
        }
    }
}

/// Why the analysis can't tell which kernels a mention instantiates.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize)]
pub enum BlindSpotCause {
    /// Nothing that was read declares the name. A header that was not found may.
    Undeclared,
    /// The class of the object whose member is called is not known.
    UnknownObject,
    /// None of the functions with the name seems to take the arguments.
    NoViableFunction,
    /// It can't be told which of many functions with the name is called.
    SeveralFunctions,
    /// A template argument of the kernel could not be evaluated.
    UnknownArgument,
    /// It was followed within itself, with template arguments that are not known, and not again.
    WithinItself,
    /// Its type goes deeper than the analysis follows.
    TooDeep,
    /// The mention is in a function that nothing which was followed instantiates, though its name is mentioned.
    Unreached,
    /// It is named in the arguments of a macro at namespace scope that was not expanded. A header that was not found may
    /// define the macro.
    Unexpanded,
}

impl fmt::Display for BlindSpotCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            BlindSpotCause::Undeclared => "nothing that was read declares it",
            BlindSpotCause::UnknownObject => "the class of the object is not known",
            BlindSpotCause::NoViableFunction => "no function of that name seems to take the arguments",
            BlindSpotCause::SeveralFunctions => "it can't be told which of many functions is called",
            BlindSpotCause::UnknownArgument => "a template argument could not be evaluated",
            BlindSpotCause::WithinItself => "it needs itself with template arguments that are not known",
            BlindSpotCause::TooDeep => "its type goes deeper than the analysis follows",
            BlindSpotCause::Unreached => "nothing that was followed instantiates the function around it",
            BlindSpotCause::Unexpanded => "nothing that was read defines the macro around it",
        })
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::source::Sources;

    #[test]
    fn a_message_leaves_out_template_arguments_that_nobody_reads() {
        let message = |name: String| {
            let file = Sources::new().add(Path::new("a.cu"), String::new()).id;
            let (at, passes) = (Span { file, start: 0, end: 0 }, PassSet::EMPTY);
            BlindSpot { at, name, passes, why: BlindSpotCause::UnknownArgument, varies: true }.message()
        };
        let ends = "`: whether it instantiates the same in every pass is not known, since a template argument could not be \
                    evaluated";
        let long = "T deduced from (a, b), ".repeat(20);
        assert_eq!(message(format!("lib::k<{long}int>")), format!("`lib::k<...>{ends}"));
        assert_eq!(message("lib::k<Row<T>, int>".into()), format!("`lib::k<Row<T>, int>{ends}"));
        // A name that has no template arguments is what it is.
        let name = "n".repeat(300);
        assert_eq!(message(name.clone()), format!("`{name}{ends}"));
    }
}
