//! A directory of summaries, from which those are taken that still hold.
//!
//! In: a unit, and the texts of this run. Out: its summary, if the program that made one was this one, the unit is
//! compiled as it was, every text that it read is what it was, and no header is where the search would find it first.
//! Whatever else is in the directory is a miss: a file that was cut, damaged, renamed or that another program wrote.
//! Programs that use one directory at once do not disturb each other: a file appears under its name when it is complete.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use sha2::{Digest, Sha256};

use crate::preprocess::Lookups;
use crate::project::TranslationUnit;
use crate::source::Sources;

use super::container::program;
use super::unit::{Context, UnitSummary};

/// The ending of a summary's name.
const ENDING: &str = ".summary";

/// What tells programs that make backups to leave the directory out (<https://bford.info/cachedir/>).
const TAG: (&str, &str) = (
    "CACHEDIR.TAG",
    "Signature: 8a477f597d28d172789f06886806bc55\n# cuda-arch-lint keeps summaries of units here.\n",
);

/// How many summaries of one unit are kept: branches of a project take turns in one directory.
const OF_ONE_UNIT: usize = 8;

/// A file that was begun so long ago is nobody's any more.
const ABANDONED: Duration = Duration::from_secs(3600);

/// What a file that is being written is called at first.
const UNFINISHED: &str = ".cuda-arch-lint-";

/// A directory of summaries.
#[derive(Clone, Debug)]
pub struct Cache {
    directory: PathBuf,
    most: u64,
}

impl Cache {
    /// The cache in a directory, which is made if it is not there. It is kept below a number of bytes.
    ///
    /// # Errors
    /// If the directory can't be made.
    pub fn open(directory: &Path, most: u64) -> io::Result<Cache> {
        fs::create_dir_all(directory)?;
        let tag = directory.join(TAG.0);
        if !tag.exists() {
            // A directory that can't be written to may still have summaries.
            let _ = fs::write(tag, TAG.1);
        }
        Ok(Cache { directory: directory.to_path_buf(), most })
    }

    /// The summary of a unit, if there is one that holds.
    pub(in crate::analysis) fn get(
        &self,
        unit: &TranslationUnit,
        sources: &Sources,
        lookups: &Lookups,
    ) -> Option<UnitSummary> {
        let (folder, prefix) = self.place(unit)?;
        self.of_unit(&folder, &prefix).into_iter().find_map(|path| {
            let bytes = fs::read(&path).ok()?;
            let summary = UnitSummary::if_it_holds(&bytes, unit, sources, lookups).ok()??;
            // Those that were used last are kept longest.
            if let Ok(file) = File::options().append(true).open(&path) {
                let _ = file.set_modified(SystemTime::now());
            }
            Some(summary)
        })
    }

    /// Keeps the summary of a unit. One that can't be kept is not: the next run makes it again.
    pub(in crate::analysis) fn put(
        &self,
        unit: &TranslationUnit,
        summary: &mut UnitSummary,
        sources: &Sources,
        lookups: &Lookups,
    ) {
        // What the build says of the unit is asked anew each time, and its files may be others then.
        let of_build = summary
            .outcome
            .summary
            .as_mut()
            .map(|kept| (kept.stated.take(), std::mem::take(&mut kept.recipes)));
        let bytes = summary.to_bytes(unit, &Context::default(), sources, lookups);
        if let (Some((stated, recipes)), Some(kept)) = (of_build, &mut summary.outcome.summary) {
            (kept.stated, kept.recipes) = (stated, recipes);
        }
        if let (Some((folder, prefix)), Ok(bytes)) = (self.place(unit), bytes) {
            let _ = self.add_file(&folder, &prefix, &bytes);
        }
    }

    fn add_file(&self, folder: &Path, prefix: &str, bytes: &[u8]) -> io::Result<()> {
        fs::create_dir_all(folder)?;
        let mut file = tempfile::Builder::new().prefix(UNFINISHED).tempfile_in(folder)?;
        file.write_all(bytes)?;
        let content = hex(&Sha256::digest(bytes)[..8]);
        file.persist(folder.join(format!("{prefix}{content}{ENDING}")))?;
        for old in self.of_unit(folder, prefix).into_iter().skip(OF_ONE_UNIT) {
            let _ = fs::remove_file(old);
        }
        Ok(())
    }

    /// Where a unit's summaries are: the folder, and what their names begin with.
    fn place(&self, unit: &TranslationUnit) -> Option<(PathBuf, String)> {
        let mut hash = Sha256::new();
        hash.update(program());
        hash.update(unit.key()?);
        let key = hex(&hash.finalize()[..16]);
        Some((self.directory.join(&key[..2]), format!("{key}-")))
    }

    /// The summaries of a unit, the newest first.
    fn of_unit(&self, folder: &Path, prefix: &str) -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let own = entries.filter(|entry| {
            entry.file_name().to_str().is_some_and(|name| name.starts_with(prefix) && name.ends_with(ENDING))
        });
        let dated = own.filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())));
        let mut dated: Vec<(SystemTime, PathBuf)> = dated.collect();
        dated.sort_by(|left, right| right.cmp(left));
        dated.into_iter().map(|(_, path)| path).collect()
    }

    /// Removes the summaries that were not used for longest while there are too many bytes of them, and what programs left that
    /// were killed.
    pub fn tidy_up(&self) {
        let folders = fs::read_dir(&self.directory).into_iter().flatten().flatten();
        let folders = folders.filter(|entry| is_ours(entry.file_name().to_str(), 2));
        let files = folders.flat_map(|folder| fs::read_dir(folder.path()).into_iter().flatten().flatten());
        let mut kept: Vec<(SystemTime, u64, PathBuf)> = Vec::new();
        for file in files {
            let Ok(about) = file.metadata() else { continue };
            let (Ok(modified), Some(name)) = (about.modified(), file.file_name().to_str().map(String::from))
            else {
                continue;
            };
            let age = modified.elapsed().unwrap_or_default();
            if name.starts_with(UNFINISHED) && age > ABANDONED {
                let _ = fs::remove_file(file.path());
            }
            if name.ends_with(ENDING) {
                kept.push((modified, about.len(), file.path()));
            }
        }
        let mut all: u64 = kept.iter().map(|(_, bytes, _)| bytes).sum();
        if all <= self.most {
            return;
        }
        kept.sort();
        // So that not every run has something to remove.
        let most = self.most - self.most / 4;
        for (_, bytes, path) in kept {
            if all <= most {
                break;
            }
            if fs::remove_file(path).is_ok() {
                all -= bytes;
            }
        }
    }
}

fn is_ours(name: Option<&str>, length: usize) -> bool {
    name.is_some_and(|name| name.len() == length && name.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
