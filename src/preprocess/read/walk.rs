//! The state of one walk over a unit for all its passes, in its parts.
//!
//! Each part has its own methods; what needs several of them is a function of the file that does it.

use crate::preprocess::condition::assertion::Assertions;
use crate::preprocess::expand::contexts::Scratch;
use crate::preprocess::expand::host::Moment;
use crate::preprocess::expand::state::MacroState;
use crate::preprocess::keep::common::Common;
use crate::preprocess::keep::conditions::ConditionMemo;
use crate::preprocess::keep::dependencies::{Dependencies, Scope};
use crate::preprocess::keep::headers::WalkState;
use crate::preprocess::keep::partial::PartialMacro;
use crate::project::TranslationUnit;
use crate::source::Sources;
use crate::target::PassSet;

use super::cursor::Cursor;
use super::files::Files;
use super::line_numbers::LineNumbers;
use super::pending::Pending;
use super::recorder::Recorder;
use super::survey::Survey;

/// The state of a walk.
pub(crate) struct Walk<'u> {
    pub(crate) unit: &'u TranslationUnit,
    pub(crate) common: &'u Common,
    pub(crate) cursor: Cursor,
    pub(crate) pending: Pending,
    pub(crate) macros: MacroState<'u>,
    pub(crate) recorder: Recorder,
    pub(crate) files: Files<'u>,
    pub(crate) lines: LineNumbers,
    pub(crate) reuse: Reuse,
    /// GCC's assertions, if the host compiler has them.
    pub(crate) assertions: Option<Assertions>,
    /// Text is left out.
    pub(crate) survey: Option<Survey>,
    pub(crate) scratch: Scratch,
}

/// The notes of a walk for the reuse of its results.
#[derive(Default)]
pub(crate) struct Reuse {
    pub(crate) dependencies: Dependencies,
    pub(crate) conditions: ConditionMemo,
    /// Macros that conditionals gave to some passes, since all passes last took the same way.
    pub(crate) partial: Vec<PartialMacro>,
}

impl<'u> Walk<'u> {
    /// Before the first file, without any macro.
    pub(crate) fn new(
        unit: &'u TranslationUnit,
        sources: &'u Sources,
        common: &'u Common,
        passes: PassSet,
    ) -> Walk<'u> {
        let search = common.search(&unit.search, unit.answers.as_deref());
        let assertions = unit.options.has_assertions();
        Walk {
            unit,
            common,
            cursor: Cursor::new(passes),
            pending: Pending::default(),
            macros: MacroState::new(&common.macros),
            recorder: Recorder::default(),
            files: Files::new(sources, &unit.search, search),
            lines: LineNumbers::default(),
            reuse: Reuse::default(),
            assertions: assertions.then(|| Assertions::of(unit.options.machine, passes)),
            survey: None,
            scratch: Scratch::default(),
        }
    }

    /// Now.
    pub(crate) fn moment(&self) -> Moment {
        let (macros, renumberings) = (self.macros.moment(), self.lines.changes());
        Moment { macros, renumberings, level: self.cursor.level() as u32 }
    }

    /// The fingerprints of all macros and of all files under `#pragma once`.
    pub(crate) fn state(&self) -> WalkState {
        WalkState { macros: self.macros.table.state(), once: self.files.once_state() }
    }

    /// Whether all passes walked for are in `set`.
    pub(crate) fn scope(&self, set: PassSet) -> Scope {
        if set == self.cursor.passes { Scope::AllPasses } else { Scope::SomePasses }
    }
}
