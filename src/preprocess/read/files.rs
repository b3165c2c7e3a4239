//! The files of a unit: where headers are found, and which files are read only once.

use std::path::PathBuf;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::preprocess::condition::line::Header;
use crate::preprocess::expand::table::fingerprint;
use crate::project::IncludeSearch;
use crate::source::{FileId, SourceFile, Sources, Symbol, sym};
use crate::target::PassSet;

use super::cursor::Frame;
use super::search::{Found, Resolver};

/// The files of a unit.
pub(crate) struct Files<'u> {
    pub(crate) sources: &'u Sources,
    pub(crate) resolver: Resolver<'u>,
    /// The number of the unit's include search path.
    pub(crate) search: usize,
    /// The files under `#pragma once`, by name, and the passes that have read them.
    once: FxHashMap<Symbol, Vec<(FileId, PassSet)>>,
    /// Their fingerprint.
    once_state: u64,
}

impl<'u> Files<'u> {
    /// Nothing is read yet.
    pub(crate) fn new(sources: &'u Sources, search: &'u IncludeSearch, number: usize) -> Files<'u> {
        let resolver = Resolver::new(search, sources);
        Files { sources, resolver, search: number, once: FxHashMap::default(), once_state: 0 }
    }

    /// The file that a header name means in an open file; `directive` may be `#include_next` or `__has_include_next`.
    pub(crate) fn find_header(&mut self, header: &Header, directive: Symbol, from: &Frame) -> Option<Found> {
        let next = matches!(directive, sym::INCLUDE_NEXT | sym::HAS_INCLUDE_NEXT);
        match (next && from.level > 0, header.angled) {
            (true, _) => self.resolver.next(&header.name, &from.file, from.next_directory),
            (false, true) => self.resolver.angled(&header.name, Some(&from.file)),
            (false, false) => self.resolver.quoted(&header.name, &from.file),
        }
    }

    /// The file that the operand of `#embed` means.
    pub(crate) fn find_resource(&mut self, header: &Header, includer: &SourceFile) -> Option<PathBuf> {
        self.resolver.resource(&header.name, header.angled, includer)
    }

    /// The passes that have read `file` under `#pragma once`, by this or another path.
    pub(crate) fn read_once(&mut self, file: &SourceFile) -> PassSet {
        let mut passes = PassSet::EMPTY;
        for (id, set) in self.once.get(&name_of(file)).map_or(&[][..], |all| all) {
            let mut same = || self.resolver.same_file(&self.sources.file(*id).path, &file.path);
            if !passes.contains(*set) && (*id == file.id || same()) {
                passes = passes.or(*set);
            }
        }
        passes
    }

    /// Puts `file` under `#pragma once` for the passes of `set`.
    pub(crate) fn add_once(&mut self, file: &Arc<SourceFile>, set: PassSet) {
        self.once_state ^= fingerprint((file.id, set));
        let all = self.once.entry(name_of(file)).or_default();
        match all.iter_mut().find(|(id, _)| *id == file.id) {
            Some((_, passes)) => *passes = passes.or(set),
            None => all.push((file.id, set)),
        }
    }

    /// The fingerprint of the files under `#pragma once`.
    pub(crate) fn once_state(&self) -> u64 {
        self.once_state
    }
}

/// The name of a file without its directories.
fn name_of(file: &SourceFile) -> Symbol {
    Symbol::intern(&file.path.file_name().unwrap_or_default().to_string_lossy())
}
