//! The surroundings of an expansion: macros, line numbers, and the tokens behind an invocation.
//!
//! The walk implements both traits; a directive's line has no tokens behind it ([`EndOfLine`]).

use crate::preprocess::result::tokens::Expansion;
use crate::source::{Sources, Span};
use crate::target::PassSet;

use super::contexts::Scratch;
use super::effects::{Effects, Split};
use super::state::{MacroMoment, MacroState};
use super::token::Tok;

/// A token of the source, pulled but not yet used by every pass that has it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Raw {
    pub(crate) token: Tok,
    pub(crate) set: PassSet,
    /// A directive or the end of a file stands between it and the token before.
    pub(crate) after_directive: bool,
    /// How many files were open.
    pub(crate) depth: usize,
    /// The fewest files that were open since the token before.
    pub(crate) lowest: usize,
    /// When it was pulled.
    pub(crate) moment: Moment,
}

/// The state in which a token was pulled. A token may be expanded after directives behind it were executed: a class
/// of passes that read past them may turn out to be two, and each begins the invocation again. It still sees the
/// macros and lines of its own moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Moment {
    pub(crate) macros: MacroMoment,
    /// How many `#line` changes went before.
    pub(crate) renumberings: u32,
    /// `__INCLUDE_LEVEL__`.
    pub(crate) level: u32,
}

/// The next token of the source, as far as an invocation cares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Peek {
    Parenthesis,
    Other,
}

/// An invocation as the source of its tokens knows it.
#[derive(Clone, Copy)]
pub(crate) struct Invoked {
    /// The passes that it is expanded for.
    pub(crate) set: PassSet,
    /// How many files were open where it begins: its arguments do not reach past their ends.
    pub(crate) floor: usize,
    /// Where it begins.
    pub(crate) at: Span,
}

/// The state that an expansion reads, and the few notes that it leaves while it runs.
pub(crate) trait Host<'u> {
    /// The macros.
    fn macros(&mut self) -> &mut MacroState<'u>;

    /// Empty lists for reuse.
    fn scratch(&mut self) -> &mut Scratch;

    /// The texts that tokens are written in.
    fn sources(&self) -> &'u Sources;

    /// Now.
    fn moment(&self) -> Moment;

    /// The expansions; who starts an expansion drops those of it if nothing comes of it.
    fn expansions(&mut self) -> &mut Vec<Expansion>;

    /// Counts work done.
    fn spend(&mut self, work: usize);

    /// Whether the unit has not taken too much work yet. Who walks it reports that and ends it.
    fn may_go_on(&self) -> bool;

    /// Notes that the open readings depend on something that is not tracked.
    fn note_untracked(&mut self);

    /// The value of `__COUNTER__`.
    fn counter(&mut self, set: PassSet) -> Result<u32, Split>;

    /// `__LINE__` at a place, as `#line` has it at a moment.
    fn line_at(&self, at: Span, set: PassSet, moment: Moment) -> Result<u32, Split>;

    /// `__FILE__` at a place, as `#line` has it at a moment.
    fn file_name_at(&self, at: Span, set: PassSet, moment: Moment) -> Result<String, Split>;

    /// `__BASE_FILE__`.
    fn main_file_name(&self) -> String;
}

/// The source tokens behind an invocation.
pub(crate) trait TokenSource<H> {
    /// The next token that the passes of the invocation have, if there is one. A [`Split`] off of the whole set means
    /// that the invocation must wait for other passes.
    fn next(host: &mut H, invoked: Invoked, effects: &mut Effects) -> Result<Option<Raw>, Split>;

    /// Whether `(` is next, behind `used` tokens of the look-ahead. A directive ends the search.
    fn peek(host: &mut H, used: usize, set: PassSet, floor: usize) -> Result<Peek, Split>;

    /// Reads ahead to the parenthesis that closes `open` others, at most to the next directive, if all `used` tokens of
    /// the look-ahead are all there are.
    fn read_arguments(host: &mut H, used: usize, open: usize);

    /// The token behind `used` ones of the look-ahead, if it was read.
    fn read(host: &H, used: usize) -> Option<&Raw>;
}

/// A directive's line: nothing stands behind it.
pub(crate) struct EndOfLine;

impl<H> TokenSource<H> for EndOfLine {
    fn next(_: &mut H, _: Invoked, _: &mut Effects) -> Result<Option<Raw>, Split> {
        Ok(None)
    }

    fn peek(_: &mut H, _: usize, _: PassSet, _: usize) -> Result<Peek, Split> {
        Ok(Peek::Other)
    }

    fn read_arguments(_: &mut H, _: usize, _: usize) {}

    fn read(_: &H, _: usize) -> Option<&Raw> {
        None
    }
}
