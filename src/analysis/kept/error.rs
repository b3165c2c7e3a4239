//! Why a file is not a summary that can be used.

use std::io;
use std::path::PathBuf;

use crate::source::DeclaredError;

/// Why a file is not a summary that can be used.
#[derive(Debug, thiserror::Error)]
pub enum SummaryError {
    /// It can't be read.
    #[error("{0}")]
    Unread(#[from] io::Error),
    /// It is another kind of file.
    #[error("it is no summary")]
    NotOne,
    /// Another version of the program made it.
    #[error("cuda-arch-lint {made_by} made it, and this is {this}")]
    OtherVersion {
        /// The version that made it.
        made_by: String,
        /// This version.
        this: String,
    },
    /// A part of it is missing, or more follows.
    #[error(
        "it has {found} bytes and should have {expected}: it was not written to its end, or it was changed"
    )]
    Cut {
        /// The bytes that it has.
        found: u64,
        /// The bytes that it should have.
        expected: u64,
    },
    /// Its bytes are not those that were written.
    #[error("it is damaged: its {part} has another digest than when it was written")]
    Damaged {
        /// Which part.
        part: &'static str,
    },
    /// Its parts are whole and say nothing that this program can read.
    #[error("its {part} makes no sense ({reason})")]
    Senseless {
        /// Which part.
        part: &'static str,
        /// What was wrong.
        reason: String,
    },
    /// A file that it is about can't be had as it was.
    #[error("{0}")]
    Source(#[from] DeclaredError),
    /// The unit was checked by other custom rules than the configuration has that judges it.
    #[error("its unit was checked by other custom rules than there are now")]
    OtherRules,
    /// A path can't be written.
    #[error("its unit has a path that is not UTF-8, or its parts can't be written ({0})")]
    Unwritable(String),
}

/// The next thing to try.
pub fn help(error: &SummaryError, unit: Option<&PathBuf>) -> String {
    let again = match unit {
        Some(unit) => {
            format!("make it again: `cuda-arch-lint summarize {} --into DIRECTORY`", unit.display())
        }
        None => "make it again with `cuda-arch-lint summarize`".into(),
    };
    match error {
        SummaryError::Unread(_) => "`cuda-arch-lint summarize PATH --into DIRECTORY` writes summaries".into(),
        SummaryError::NotOne => {
            "`judge` takes files that `cuda-arch-lint summarize` wrote, and directories of them".into()
        }
        SummaryError::OtherVersion { .. } => {
            "make all summaries with the program that judges them".to_string()
        }
        SummaryError::OtherRules => format!(
            "`summarize` and `judge` need the same `custom-rules`, `rule-files` and `--rule-file`, and levels for the same rules of \
             rules/contrib/ in the configuration; {again}"
        ),
        SummaryError::Unwritable(_) => "rename the file, or its directory".into(),
        SummaryError::Cut { .. }
        | SummaryError::Damaged { .. }
        | SummaryError::Senseless { .. }
        | SummaryError::Source(_) => again,
    }
}
