//! `--watch`: a run, and another after each change on disk.

use std::io::{Write, stderr};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use notify::event::EventKind;
use notify::{Event, RecursiveMode, Watcher};

use super::Failure;

/// Files that are saved together are looked at together.
const SETTLE: Duration = Duration::from_millis(150);

/// Runs `work` now, and whenever something at or below these paths changes. Ends with the first failure of the
/// first run, and with the process otherwise.
pub(super) fn watch(paths: &[PathBuf], work: impl Fn() -> Result<u8, Failure>) -> Result<u8, Failure> {
    let (send, receive) = channel();
    let failure = |error: notify::Error| Failure::Usage {
        message: format!("failed to watch for changes: {error}"),
        help: "run without `--watch`".into(),
    };
    let mut watcher = notify::recommended_watcher(send).map_err(failure)?;
    for path in paths {
        // Editors replace files, so a file is watched through its directory.
        let directory = if path.is_dir() { path } else { path.parent().unwrap_or(Path::new(".")) };
        let directory = if directory.as_os_str().is_empty() { Path::new(".") } else { directory };
        watcher.watch(directory, RecursiveMode::Recursive).map_err(failure)?;
    }
    let mut code = work()?;
    loop {
        writeln!(stderr(), "watching for changes; Ctrl+C ends")?;
        if !changed(&receive) {
            return Ok(code);
        }
        code = work()?;
    }
}

/// Waits until something changed and then nothing for a while; `false` when nobody watches any more.
fn changed(receive: &Receiver<notify::Result<Event>>) -> bool {
    loop {
        match receive.recv() {
            Ok(Ok(event)) if matters(&event) => break,
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

/// Reading a file, as the analysis does, is no change; nor is what git and we write on the way.
fn matters(event: &Event) -> bool {
    let ours = |path: &PathBuf| {
        path.components().any(|part| {
            let name = part.as_os_str().to_string_lossy();
            name == ".git" || name.starts_with(".cuda-arch-lint-")
        })
    };
    !matches!(event.kind, EventKind::Access(_)) && !event.paths.iter().all(ours)
}
