//! Line numbers and file names as `#line` changes them ([cpp.line]).

use rustc_hash::FxHashMap;

use crate::preprocess::expand::effects::{Split, all_or_none};
use crate::source::{FileId, Sources, Span};
use crate::target::PassSet;

/// The changes of line numbers and file names, in order.
#[derive(Default)]
pub(crate) struct LineNumbers {
    changes: u32,
    by_file: FxHashMap<FileId, Vec<Renumbering>>,
}

/// One `#line`, or that a file with such begins anew.
struct Renumbering {
    /// The number of the change.
    number: u32,
    from: u32,
    passes: PassSet,
    /// The difference to the physical line number.
    shift: i64,
    /// `__FILE__`, if it changes.
    name: Option<String>,
}

impl LineNumbers {
    /// How many changes there were.
    pub(crate) fn changes(&self) -> u32 {
        self.changes
    }

    /// `__LINE__` at a place, after so many changes.
    pub(crate) fn number_at(
        &self,
        sources: &Sources,
        at: Span,
        set: PassSet,
        changes: u32,
    ) -> Result<u32, Split> {
        let line = sources.file(at.file).line_index(at.start) as i64 + 1;
        let shift = self.last(at, set, changes, |_| true)?.map_or(0, |one| one.shift);
        Ok(u32::try_from(line + shift).unwrap_or(0))
    }

    /// `__FILE__` at a place, after so many changes.
    pub(crate) fn name_at(
        &self,
        sources: &Sources,
        at: Span,
        set: PassSet,
        changes: u32,
    ) -> Result<String, Split> {
        let renamed = self.last(at, set, changes, |one| one.name.is_some())?;
        let name = renamed.and_then(|one| one.name.clone());
        Ok(name.unwrap_or_else(|| sources.file(at.file).path.display().to_string()))
    }

    /// The last change before `at`, of those that are `wanted`.
    fn last(
        &self,
        at: Span,
        set: PassSet,
        changes: u32,
        wanted: fn(&Renumbering) -> bool,
    ) -> Result<Option<&Renumbering>, Split> {
        let all = self.by_file.get(&at.file).map_or(&[][..], |all| all);
        let before = |one: &&Renumbering| one.number <= changes && one.from <= at.start;
        for one in all.iter().rev().filter(before).filter(|one| wanted(one)) {
            if all_or_none(set, one.passes)? {
                return Ok(Some(one));
            }
        }
        Ok(None)
    }

    /// Carries out a `#line`: the line after the directive has this number.
    pub(crate) fn renumber(
        &mut self,
        sources: &Sources,
        directive: Span,
        passes: PassSet,
        number: i64,
        name: Option<String>,
    ) {
        let line = sources.file(directive.file).line_index(directive.end) as i64;
        self.add(directive.file, directive.end, passes, number - (line + 2), name);
    }

    /// Numbers a file by its physical lines again, if it was renumbered: it is read anew. Whether it was.
    pub(crate) fn restart(&mut self, sources: &Sources, file: FileId, passes: PassSet) -> bool {
        let renumbered = self.by_file.contains_key(&file);
        if renumbered {
            let name = Some(sources.file(file).path.display().to_string());
            self.add(file, 0, passes, 0, name);
        }
        renumbered
    }

    fn add(&mut self, file: FileId, from: u32, passes: PassSet, shift: i64, name: Option<String>) {
        self.changes += 1;
        let one = Renumbering { number: self.changes, from, passes, shift, name };
        self.by_file.entry(file).or_default().push(one);
    }
}
