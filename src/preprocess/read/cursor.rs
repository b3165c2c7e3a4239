//! The source cursor: the include stack, the open conditionals, and the passes that the place reached is live for.
//!
//! Plain state of where a walk is; what happens there is others' business.

use std::sync::Arc;

use crate::preprocess::result::records::Conditional;
use crate::preprocess::result::tokens::{ConditionalId, GroupId};
use crate::source::{SourceFile, Span, Token, TokenKind};
use crate::target::PassSet;

/// The work after which the rest of a unit is left out: one for each token of the union of all passes that is read, more
/// for what macros make, for files and for directives. A unit with all headers of CUTLASS takes some two millions, and
/// this many tokens take less than a gigabyte.
pub(crate) const WORK_LIMIT: usize = 12_000_000;

/// What a token takes that a macro adds to the unit: it is kept, while one of a file stays in that.
pub(crate) const WORK_OF_MADE: usize = 4;

/// What it takes to enter a file. Headers that include each other may be entered without end and give no token.
pub(crate) const WORK_OF_FILE: usize = 100;

/// What it takes to execute a directive.
pub(crate) const WORK_OF_DIRECTIVE: usize = 4;

/// Where a walk is.
pub(crate) struct Cursor {
    /// The passes walked for.
    pub(crate) passes: PassSet,
    /// The include stack, innermost file last.
    pub(crate) frames: Vec<Frame>,
    /// The open conditionals, innermost last.
    pub(crate) conditionals: Vec<OpenConditional>,
    /// The passes for which the place reached is live.
    pub(crate) live: PassSet,
    /// The innermost conditional group.
    pub(crate) group: Option<GroupId>,
    /// The passes that met a live `#error`.
    pub(crate) stopped: PassSet,
    /// A directive or the end of a file was passed since the last token was pulled.
    pub(crate) directive_seen: bool,
    /// The fewest files open since the last token was pulled.
    pub(crate) lowest: usize,
    /// The work done ([`WORK_LIMIT`]).
    pub(crate) work: usize,
}

/// A file being read.
pub(crate) struct Frame {
    pub(crate) file: Arc<SourceFile>,
    /// The directive that comes next, or their number.
    pub(crate) section: usize,
    /// The token that comes next in the text before it; [`Frame::PASSED`] when nothing there does.
    pub(crate) next: usize,
    /// How many conditionals were open when it was entered.
    pub(crate) open: usize,
    /// The live set and the group to return to.
    pub(crate) outside: PassSet,
    pub(crate) outside_group: Option<GroupId>,
    /// The number of the directory in which `#include_next` goes on.
    pub(crate) next_directory: usize,
    /// `__INCLUDE_LEVEL__`.
    pub(crate) level: usize,
    /// Its text is left out, its macros stay: `-imacros`.
    pub(crate) macros_only: bool,
    /// Whether it is a reading of its own.
    pub(crate) reads_apart: bool,
}

/// A conditional between its `#if` and its `#endif`.
pub(crate) struct OpenConditional {
    pub(crate) id: ConditionalId,
    /// Its record so far.
    pub(crate) record: Conditional,
    pub(crate) outer: PassSet,
    pub(crate) outer_group: Option<GroupId>,
    /// The passes that one of its groups was live for.
    pub(crate) taken: PassSet,
    pub(crate) after_else: bool,
    pub(crate) directive: Span,
}

impl Cursor {
    /// Before the first file.
    pub(crate) fn new(passes: PassSet) -> Cursor {
        Cursor {
            passes,
            frames: Vec::new(),
            conditionals: Vec::new(),
            live: passes,
            group: None,
            stopped: PassSet::EMPTY,
            directive_seen: false,
            lowest: usize::MAX,
            work: 0,
        }
    }

    /// `__INCLUDE_LEVEL__` of the innermost file.
    pub(crate) fn level(&self) -> usize {
        self.frames.last().map_or(0, |frame| frame.level)
    }

    /// The innermost conditional.
    pub(crate) fn innermost(&mut self) -> &mut OpenConditional {
        self.conditionals.last_mut().expect("it has an innermost conditional")
    }
}

impl Frame {
    /// Nothing of the text before the next directive is left, or wanted.
    pub(crate) const PASSED: usize = usize::MAX;

    /// The token that comes before the next directive.
    pub(crate) fn token(&self) -> Option<&Token> {
        if self.next == Frame::PASSED { None } else { self.file.run(self.section).get(self.next) }
    }

    /// Whether a token of the file is a literal with a suffix, which may be a macro's name.
    pub(crate) fn has_suffix(&self, token: &Token) -> bool {
        matches!(token.kind, TokenKind::String | TokenKind::Character)
            && !matches!(self.file.text.as_bytes()[token.end as usize - 1], b'"' | b'\'')
    }

    /// Whether there is a directive to come.
    pub(crate) fn has_directive(&self) -> bool {
        self.section < self.file.sections().directives()
    }

    /// Goes on with directive number `index`, or the file's end.
    pub(crate) fn skip_to(&mut self, index: Option<usize>) {
        self.section = index.unwrap_or_else(|| self.file.sections().directives());
        self.next = Frame::PASSED;
    }
}
