//! Preprocessed tokens, the macro expansions that made them, and the events between them.
//!
//! Plain data; how tokens are stored is [`super::text`]'s business.

use std::num::NonZeroU32;

use crate::source::{FileId, Loc, Span, Symbol, Token, TokenKind};
use crate::target::PassSet;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub struct $name(NonZeroU32);

        impl $name {
            /// The id of an index. One more than the index is stored, so that an optional id takes no more space.
            pub(crate) fn new(index: usize) -> $name {
                let next = u32::try_from(index + 1).ok().and_then(NonZeroU32::new);
                $name(next.expect("fewer than 2^32, since the token limit is"))
            }

            /// The index.
            pub fn index(self) -> usize {
                self.0.get() as usize - 1
            }
        }
    };
}

id! {
    /// A conditional group, numbered for the whole run: [`Preprocessed::group`](crate::preprocess::Preprocessed::group).
    GroupId
}
id! {
    /// A conditional, numbered for the whole run: [`Preprocessed::conditional`](crate::preprocess::Preprocessed::conditional).
    ConditionalId
}
id! {
    /// A macro definition, numbered for the whole run: [`Preprocessed::definition`](crate::preprocess::Preprocessed::definition).
    DefinitionId
}
id! {
    /// A macro expansion: an index into [`Preprocessed::expansions`](crate::preprocess::Preprocessed::expansions), or into
    /// those of one reading of a file.
    ExpansionId
}

/// A token after preprocessing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PpToken {
    /// The kind of preprocessing token ([lex.pptoken]).
    pub kind: TokenKind,
    /// White space stands before it.
    pub space_before: bool,
    /// It is the first token of a line of the text that it is written in.
    pub line_start: bool,
    /// Its spelling.
    pub text: Symbol,
    /// Its presence condition: the passes it exists in; never empty.
    pub passes: PassSet,
    /// The place to show a reader of the source: the token itself or, when it came out of a macro,
    /// the name that invoked the outermost macro, except that a macro argument's token is where it
    /// is written in the source.
    pub at: Span,
    /// The place of its characters (inside the macro definition, for a token of a replacement list).
    pub spelled: Loc,
    /// The innermost macro expansion that produced it.
    pub expansion: Option<ExpansionId>,
    /// The innermost conditional group `at` stands in; of a file that all passes read, within that file.
    pub group: Option<GroupId>,
}

impl PpToken {
    /// A token of the source as it is written.
    pub(crate) fn written(token: &Token, file: FileId, group: Option<GroupId>, passes: PassSet) -> PpToken {
        PpToken {
            kind: token.kind,
            space_before: token.space_before,
            line_start: token.line_start,
            text: token.text,
            passes,
            at: Span { file, start: token.offset, end: token.end },
            spelled: Loc { file, offset: token.offset },
            expansion: None,
            group,
        }
    }
}

/// The other origin of a token that passes share although it comes from different places in them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OtherOrigin {
    /// Index into [`Preprocessed::tokens`](crate::preprocess::Preprocessed::tokens).
    pub index: u32,
    /// The token of the same kind and spelling; its passes are these.
    pub token: PpToken,
}

/// One macro expansion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Expansion {
    /// The expansion whose replacement list invoked this one.
    pub parent: Option<ExpansionId>,
    /// The macro.
    pub definition: DefinitionId,
    /// The name that invoked it.
    pub invoked: Loc,
    /// The passes it was expanded for.
    pub passes: PassSet,
}

/// An event between two tokens, of importance to a printer of preprocessed text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    /// Index into [`Preprocessed::tokens`](crate::preprocess::Preprocessed::tokens) of the token it stands before, or into those of one reading.
    pub before: usize,
    /// The passes that meet it; those of [`EventKind::Leave`] are those of its `Enter`.
    pub passes: PassSet,
    /// The kind of event.
    pub kind: EventKind,
}

/// The kind of an [`Event`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EventKind {
    /// A file begins.
    Enter {
        /// The file.
        file: FileId,
        /// The depth of the include stack: 0 for the main file, 1 also for `-include`.
        level: usize,
        /// The directive that includes it, if one does.
        directive: Option<Span>,
    },
    /// The innermost file ends.
    Leave,
    /// `#line`: from the line after the directive on, the file is numbered anew.
    Renumber {
        /// Byte offset of the directive in the innermost file.
        directive: u32,
        /// The number of the line after it.
        number: i64,
        /// The name the file has from here on, if it gets another.
        name: Option<String>,
    },
    /// A directive that the preprocessor leaves to the compiler, also one that `_Pragma` made:
    /// `#pragma unroll 4`, `#ident "text"`.
    Directive(String, Loc),
}
