//! Reads changes from git.

use std::io::{Seek, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::triage::{Changes, changes};

use super::Failure;

/// The difference between a commit and the working tree.
pub(super) struct Change {
    /// The repository's root, with symbolic links resolved.
    pub(super) root: PathBuf,
    /// The changed lines.
    pub(super) lines: Changes,
    /// The resolved path of each changed file, and its text before the change; `None` for a new file.
    pub(super) before: Vec<(PathBuf, Option<String>)>,
}

/// The mode of a submodule in git's trees.
const SUBMODULE: &str = "160000";
/// The mode of a symbolic link in git's trees; its content is a path.
const LINK: &str = "120000";

/// Whether untracked files count as changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Untracked {
    /// They count as new files, except those that git ignores.
    New,
    /// They do not count: the change is what `git commit -a` would record.
    LeftOut,
}

/// The changes in the working tree since `revision`, including submodules. As for `git diff`, `main...` means the
/// merge base of `main` and `HEAD`. In a repository without commits, everything is new since `HEAD`.
pub(super) fn change_since(revision: &str, untracked: Untracked) -> Result<Change, Failure> {
    let top = text(git(Path::new("."), &["rev-parse", "--show-toplevel"])?);
    let root = PathBuf::from(top.trim_end_matches('\n'));
    let root = root.canonicalize().unwrap_or(root);
    let since = since(&root, revision)?;
    let mut change = Change { root: root.clone(), lines: Changes::default(), before: Vec::new() };
    add(&root, &since, untracked, &mut change)?;
    Ok(change)
}

/// The object to compare with: the commit, or the empty tree.
fn since(root: &Path, revision: &str) -> Result<String, Failure> {
    if let Some(other) = revision.strip_suffix("...") {
        let base = git(root, &["merge-base", "--", other, "HEAD"])?;
        return Ok(text(base).trim().to_string());
    }
    let commit = format!("{revision}^{{commit}}");
    match git(root, &["rev-parse", "--verify", "--quiet", "--end-of-options", &commit]) {
        Ok(commit) => Ok(text(commit).trim().to_string()),
        // The branch has no commit yet.
        Err(_) if revision == "HEAD" && git(root, &["symbolic-ref", "--quiet", "HEAD"]).is_ok() => {
            empty_tree(root)
        }
        Err(failure) => Err(failure),
    }
}

/// The id of the empty tree in the repository's hash algorithm.
fn empty_tree(directory: &Path) -> Result<String, Failure> {
    // Hashes the empty standard input.
    Ok(text(git(directory, &["hash-object", "-t", "tree", "--stdin"])?).trim().to_string())
}

/// Adds the changes of one repository. Options make git's output independent of the user's configuration.
fn add(directory: &Path, since: &str, untracked: Untracked, change: &mut Change) -> Result<(), Failure> {
    let options =
        ["--no-color", "--no-ext-diff", "--no-textconv", "--ignore-submodules=none", "--submodule=short"];
    let patch = [
        "diff",
        "--unified=0",
        "--inter-hunk-context=0",
        "--find-renames",
        "--src-prefix=a/",
        "--dst-prefix=b/",
    ];
    let diff = git(directory, &[&patch[..], &options, &[since, "--"]].concat())?;
    change.lines.lines.append(&mut changes(&text(diff), directory).lines);
    let list = ["diff", "--raw", "-z", "--no-abbrev", "--no-renames"];
    let list = git(directory, &[&list[..], &options, &[since, "--"]].concat())?;
    let mut files = Vec::new();
    for entry in split(&list).chunks_exact(2) {
        let [modes, name] = entry else { continue };
        let words: Vec<&str> = modes.trim_start_matches(':').split(' ').collect();
        let [old_mode, new_mode, old, ..] = words[..] else { continue };
        let path = directory.join(name);
        match (old_mode, new_mode) {
            (SUBMODULE, SUBMODULE) => submodule(&path, Some(old), untracked, change)?,
            (_, SUBMODULE) => submodule(&path, None, untracked, change)?,
            (SUBMODULE, _) | (_, LINK) => {}
            (_, _) => files.push((path, Some(old.to_string()).filter(|_| is_text(old_mode)))),
        }
    }
    let objects: Vec<&str> = files.iter().filter_map(|(_, old)| old.as_deref()).collect();
    let mut texts = blobs(directory, &objects)?.into_iter();
    for (path, old) in files {
        change.before.push((path, old.and_then(|_| texts.next()).map(text)));
    }
    if untracked == Untracked::LeftOut {
        return Ok(());
    }
    // A name that ends with `/` is a repository of its own, unknown to this one.
    let names = git(directory, &["ls-files", "--others", "--exclude-standard", "-z"])?;
    for name in split(&names).into_iter().filter(|name| !name.ends_with('/')) {
        change.lines.lines.entry(directory.join(&name)).or_default().push((1, u32::MAX));
        change.before.push((directory.join(name), None));
    }
    Ok(())
}

/// Whether the mode is that of a regular file.
fn is_text(mode: &str) -> bool {
    mode.starts_with("100")
}

/// Adds the changes of a submodule since the commit that was recorded then, if it is checked out.
fn submodule(
    directory: &Path,
    commit: Option<&str>,
    untracked: Untracked,
    change: &mut Change,
) -> Result<(), Failure> {
    if !directory.join(".git").exists() {
        return Ok(());
    }
    let since = match commit {
        Some(commit) => commit.to_string(),
        None => empty_tree(directory)?,
    };
    add(directory, &since, untracked, change)
}

/// Reads the contents of blobs.
fn blobs(directory: &Path, objects: &[&str]) -> Result<Vec<Vec<u8>>, Failure> {
    if objects.is_empty() {
        return Ok(Vec::new());
    }
    let mut list = tempfile::tempfile()?;
    list.write_all((objects.join("\n") + "\n").as_bytes())?;
    list.rewind()?;
    let all = git_reading(directory, &["cat-file", "--batch"], Stdio::from(list))?;
    let mut rest = all.as_slice();
    let mut blobs = Vec::new();
    // `<object> blob <size>`, a line feed, the content and another line feed.
    while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
        let head = String::from_utf8_lossy(&rest[..end]);
        let size: Option<usize> = head.rsplit(' ').next().and_then(|size| size.parse().ok());
        let content = &rest[end + 1..];
        let Some(size) = size else {
            // `<object> missing`, in a partial clone.
            blobs.push(Vec::new());
            rest = content;
            continue;
        };
        blobs.push(content[..size.min(content.len())].to_vec());
        rest = content.get(size + 1..).unwrap_or_default();
    }
    Ok(blobs)
}

fn split(names: &[u8]) -> Vec<String> {
    text(names.to_vec()).split('\0').filter(|name| !name.is_empty()).map(String::from).collect()
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

fn git(directory: &Path, arguments: &[&str]) -> Result<Vec<u8>, Failure> {
    git_reading(directory, arguments, Stdio::null())
}

fn git_reading(directory: &Path, arguments: &[&str], input: Stdio) -> Result<Vec<u8>, Failure> {
    let command = format!("git -C {} {}", directory.display(), arguments.join(" "));
    let failure = |reason: String| {
        Failure::Usage {
        message: format!("failed to get the change from git: `{command}`: {reason}"),
        help: "`--diff` takes a revision of the repository in the working directory: `HEAD`, `origin/main`, or \
               `origin/main...` for where the two parted; in CI it has to be fetched (`fetch-depth: 0`), and so have \
               submodules"
            .into(),
    }
    };
    let output = Command::new("git")
        .arg("-C")
        .arg(directory)
        .args(arguments)
        .stdin(input)
        .output()
        .map_err(|error| failure(error.to_string()))?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let said = String::from_utf8_lossy(&output.stderr).trim().to_string();
    Err(failure(if said.is_empty() { "no such revision".into() } else { said }))
}
