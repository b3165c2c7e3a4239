//! The walk as the expander and controlling expressions see it.

use crate::preprocess::condition::assertion::Assertions;
use crate::preprocess::condition::compiler::{self, FEATURE_CHECKS};
use crate::preprocess::condition::embed;
use crate::preprocess::condition::evaluate::ConditionHost;
use crate::preprocess::condition::line::{Header, Line};
use crate::preprocess::expand::contexts::Scratch;
use crate::preprocess::expand::effects::Split;
use crate::preprocess::expand::host::{Host, Moment};
use crate::preprocess::expand::state::MacroState;
use crate::preprocess::expand::token::Tok;
use crate::preprocess::result::tokens::Expansion;
use crate::source::{Sources, Span, Symbol};
use crate::target::PassSet;

use super::cursor::WORK_LIMIT;
use super::walk::Walk;

impl<'u> Host<'u> for Walk<'u> {
    fn macros(&mut self) -> &mut MacroState<'u> {
        &mut self.macros
    }

    fn scratch(&mut self) -> &mut Scratch {
        &mut self.scratch
    }

    fn sources(&self) -> &'u Sources {
        self.files.sources
    }

    fn moment(&self) -> Moment {
        Walk::moment(self)
    }

    fn expansions(&mut self) -> &mut Vec<Expansion> {
        &mut self.recorder.out.expansions
    }

    fn spend(&mut self, work: usize) {
        self.cursor.work += work;
    }

    fn may_go_on(&self) -> bool {
        self.cursor.work <= WORK_LIMIT
    }

    fn note_untracked(&mut self) {
        self.reuse.dependencies.mark_uncacheable();
    }

    fn counter(&mut self, set: PassSet) -> Result<u32, Split> {
        self.reuse.dependencies.mark_uncacheable();
        if let Some(survey) = &mut self.survey {
            survey.torn |= self.pending.is_empty();
        }
        self.macros.counter(set)
    }

    fn line_at(&self, at: Span, set: PassSet, moment: Moment) -> Result<u32, Split> {
        self.lines.number_at(self.files.sources, at, set, moment.renumberings)
    }

    fn file_name_at(&self, at: Span, set: PassSet, moment: Moment) -> Result<String, Split> {
        self.lines.name_at(self.files.sources, at, set, moment.renumberings)
    }

    fn main_file_name(&self) -> String {
        self.unit.main.display().to_string()
    }
}

impl<'u> ConditionHost<'u> for Walk<'u> {
    fn has_header(&mut self, header: &Header, operator: Symbol) -> bool {
        let frame = self.cursor.frames.last();
        frame.is_some_and(|frame| self.files.find_header(header, operator, frame).is_some())
    }

    fn has_embed(&mut self, operand: &[Tok], line: Line<'_>, set: PassSet) -> Result<i64, Split> {
        let find = |walk: &mut Self, header: &Header| walk.files.find_resource(header, line.file);
        embed::has_embed(self, operand, line, set, find)
    }

    fn assertions(&self) -> Option<&Assertions> {
        self.assertions.as_ref()
    }

    fn is_feature_check(&mut self, name: Symbol) -> bool {
        FEATURE_CHECKS.contains(&name) && self.macros.table.has(name)
    }

    fn feature(&mut self, check: Symbol, name: &str) -> i64 {
        let Some(answers) = &self.unit.answers else {
            return compiler::value(&self.unit.options, check, name);
        };
        let question = format!("{check}({name})");
        answers.values.get(&question).copied().unwrap_or_else(|| {
            self.recorder.out.unanswered.insert(question);
            0
        })
    }
}
