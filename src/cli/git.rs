//! What git says of a change.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::triage::{Changes, changes};

use super::Failure;

/// What a change is, as git sees it.
pub(super) struct Change {
    /// The repository's root, resolved.
    pub(super) root: PathBuf,
    /// The lines it touches.
    pub(super) lines: Changes,
    /// Each changed file, resolved, and its text before; `None` for a new one.
    pub(super) before: Vec<(PathBuf, Option<String>)>,
}

/// What changed in the working tree since `revision`, new files that git does not ignore included.
pub(super) fn change_since(revision: &str) -> Result<Change, Failure> {
    let top = text(git(Path::new("."), &["rev-parse", "--show-toplevel"])?);
    let root = PathBuf::from(top.trim_end_matches('\n'));
    let root = root.canonicalize().unwrap_or(root);
    let commit = format!("{revision}^{{commit}}");
    let commit = text(git(&root, &["rev-parse", "--verify", "--quiet", "--end-of-options", &commit])?);
    let commit = commit.trim();
    let diff = git(
        &root,
        &[
            "diff",
            "--unified=0",
            "--no-color",
            "--no-ext-diff",
            "--find-renames",
            "--src-prefix=a/",
            "--dst-prefix=b/",
            commit,
            "--",
        ],
    )?;
    let mut lines = changes(&text(diff), &root);
    let names = git(&root, &["diff", "--name-only", "--no-renames", "-z", commit, "--"])?;
    let mut before = Vec::new();
    for name in split(&names) {
        let old = git(&root, &["show", &format!("{commit}:{name}")]).ok().map(text);
        before.push((root.join(name), old));
    }
    let untracked = git(&root, &["ls-files", "--others", "--exclude-standard", "-z"])?;
    for name in split(&untracked) {
        lines.lines.entry(root.join(&name)).or_default().push((1, u32::MAX));
        before.push((root.join(name), None));
    }
    Ok(Change { root, lines, before })
}

fn split(names: &[u8]) -> Vec<String> {
    text(names.to_vec()).split('\0').filter(|name| !name.is_empty()).map(String::from).collect()
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

fn git(directory: &Path, arguments: &[&str]) -> Result<Vec<u8>, Failure> {
    let command = format!("git {}", arguments.join(" "));
    let failure = |reason: String| Failure::Usage {
        message: format!("failed to ask git for the change: `{command}`: {reason}"),
        help: "`--diff` takes a revision of the repository in the working directory: `HEAD`, `origin/main`; \
               in CI it has to be fetched (`fetch-depth: 0`)"
            .into(),
    };
    let output = Command::new("git")
        .arg("-C")
        .arg(directory)
        .args(arguments)
        .output()
        .map_err(|error| failure(error.to_string()))?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let said = String::from_utf8_lossy(&output.stderr).trim().to_string();
    Err(failure(if said.is_empty() { "no such revision".into() } else { said }))
}
