//! Output formats for findings, one file each.
//!
//! In: a [`Report`] with findings, problems and the summary of a run. Out: text for people or for programs. Knows
//! findings, sources, targets and the cards of rules; nothing about how the analysis works.
//!
//! To add a format, add a file with a `FORMAT` and a row in [`FORMATS`]: help, documentation and tests use that
//! table.

mod paths;
mod summary;
mod model;
mod place;
mod excerpt;
mod gathered;
mod overview;
mod xml;
mod text;
mod concise;
mod json;
mod jsonl;
mod sarif;
mod html;
mod github;
mod gitlab;
mod junit;
mod checkstyle;

pub use json::{JsonFinding, JsonReport, finding as json_finding};
pub use jsonl::JsonLine;
pub use model::{Format, Layout, Printed, Problem, Report};
pub use paths::display_path;
pub use sarif::MOST_RESULTS as MOST_SARIF_RESULTS;
pub use summary::{DEFAULT_ORIGIN, Fixable, Summary, Targets, count};
pub use text::decides;

use place::{Line, first_line, path_of, replaced};

/// Every format, the default first.
pub const FORMATS: &[Format] = &[
    text::FORMAT,
    concise::FORMAT,
    json::FORMAT,
    jsonl::FORMAT,
    sarif::FORMAT,
    html::FORMAT,
    github::FORMAT,
    gitlab::FORMAT,
    junit::FORMAT,
    checkstyle::FORMAT,
];
