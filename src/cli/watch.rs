//! The option `--watch`: runs again after each change on disk.

use std::collections::BTreeSet;
use std::io::{Write, stderr};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use notify::event::EventKind;
use notify::{Event, RecursiveMode, Watcher};

use crate::cancel::CancelFlag;
use crate::source::Sources;

use super::arguments::CheckArguments;
use super::output::{TEMPORARY, To, resolved};
use super::resolve::{self, Run};
use super::{Failure, one_run};

/// The time without changes after which a run starts, so that files saved together are analysed together.
const SETTLE: Duration = Duration::from_millis(150);

/// Runs now, and whenever something changes below the paths and include directories of the first run or beside its
/// configuration file. Settings are read again each time. An error of the first run ends it; later ones do not, since
/// they may come from a file that is half written.
pub(super) fn watch(arguments: &CheckArguments, first: &Run) -> Result<u8, Failure> {
    let (send, receive) = channel();
    let failure = |error: notify::Error| Failure::Usage {
        message: format!("failed to watch for changes: {error}"),
        help: "run without `--watch`".into(),
    };
    let mut watcher = notify::recommended_watcher(send).map_err(failure)?;
    for (directory, mode) in directories(first) {
        watcher.watch(&directory, mode).map_err(failure)?;
    }
    let written: BTreeSet<PathBuf> = first.outputs.iter().filter_map(|output| file_of(&output.to)).collect();
    // Ctrl-C ends the program, as the message below says.
    let never = CancelFlag::default();
    let mut code = one_run::once(arguments, first, &Sources::new(), &never)?;
    loop {
        writeln!(stderr(), "watching for changes; press Ctrl+C to end")?;
        if !changed(&receive, &written) {
            return Ok(code);
        }
        let again = |run: Run| one_run::once(arguments, &run, &Sources::new(), &never);
        code = match resolve::run(arguments).and_then(again) {
            Ok(code) => code,
            Err(Failure::Output(error)) => return Err(Failure::Output(error)),
            Err(failure) => {
                super::failure::report(failure);
                code
            }
        };
    }
}

/// The directories to watch. A file is watched through its directory, since editors replace files.
fn directories(run: &Run) -> Vec<(PathBuf, RecursiveMode)> {
    let mut directories: Vec<(PathBuf, RecursiveMode)> = Vec::new();
    let above = |path: &Path| match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_path_buf(),
        _ => PathBuf::from("."),
    };
    for path in run.paths.iter().chain(&run.settings.directories) {
        match path.is_dir() {
            true => directories.push((path.clone(), RecursiveMode::Recursive)),
            false if path.exists() => directories.push((above(path), RecursiveMode::Recursive)),
            false => {}
        }
    }
    let beside = run.configuration.iter().chain(&run.baseline).map(|path| above(path));
    let database =
        run.settings.database.iter().map(|path| if path.is_dir() { path.clone() } else { above(path) });
    for directory in beside.chain(database) {
        // A recursive watch covers directories below it.
        if !directories.iter().any(|(known, _)| resolved(&directory).starts_with(resolved(known))) {
            directories.push((directory, RecursiveMode::NonRecursive));
        }
    }
    directories
}

fn file_of(to: &To) -> Option<PathBuf> {
    match to {
        To::File(path) => Some(resolved(path)),
        To::Stdout | To::Stderr => None,
    }
}

/// Waits for a change and then until changes stop; `false` if the watcher has ended.
fn changed(receive: &Receiver<notify::Result<Event>>, written: &BTreeSet<PathBuf>) -> bool {
    loop {
        match receive.recv() {
            Ok(Ok(event)) if matters(&event, written) => break,
            Ok(_) => {}
            Err(_) => return false,
        }
    }
    loop {
        match receive.recv_timeout(SETTLE) {
            Ok(_) => {}
            Err(RecvTimeoutError::Timeout) => return true,
            Err(RecvTimeoutError::Disconnected) => return false,
        }
    }
}

/// Whether an event is a change: reading is not, nor is what git and this program write meanwhile.
fn matters(event: &Event, written: &BTreeSet<PathBuf>) -> bool {
    let ours = |path: &PathBuf| {
        let named = path.components().any(|part| {
            let name = part.as_os_str().to_string_lossy();
            name == ".git" || name.starts_with(TEMPORARY)
        });
        named || written.contains(&resolved(path))
    };
    !matches!(event.kind, EventKind::Access(_)) && !event.paths.iter().all(ours)
}
