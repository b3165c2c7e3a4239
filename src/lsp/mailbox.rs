//! The queue from the main loop to the worker.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex};

use lsp_server::RequestId;
use serde_json::Value;

use crate::cancel::CancelFlag;

use super::documents::Document;

/// A request that the worker is to answer.
#[derive(Clone, Debug)]
pub(super) struct ClientRequest {
    pub(super) id: RequestId,
    pub(super) method: String,
    pub(super) params: Value,
    /// The document it is about, if that is open, and the version that the client had.
    pub(super) about: Option<(PathBuf, i32)>,
}

/// The changes and requests since the worker last took them.
#[derive(Debug, Default)]
pub(super) struct Updates {
    /// The newest state of each changed document; `None` for a closed one.
    pub(super) documents: BTreeMap<PathBuf, Option<Document>>,
    /// Files changed on disk.
    pub(super) on_disk: BTreeSet<PathBuf>,
    /// Source files or build information may have been added or removed.
    pub(super) discover: bool,
    /// The new workspace folders; `None` for one that is not on disk.
    pub(super) roots: Option<Vec<Option<PathBuf>>>,
    /// The client's new settings for each folder, in order.
    pub(super) settings: Option<Vec<Value>>,
    /// Requests, in order.
    pub(super) requests: Vec<ClientRequest>,
    /// The client has accepted the progress token.
    pub(super) progress: bool,
    /// The server is shutting down.
    pub(super) stop: bool,
}

impl Updates {
    /// Whether anything here makes earlier results stale.
    fn changes(&self) -> bool {
        !self.documents.is_empty()
            || !self.on_disk.is_empty()
            || self.discover
            || self.roots.is_some()
            || self.settings.is_some()
            || self.stop
    }

    fn is_empty(&self) -> bool {
        !self.changes() && self.requests.is_empty() && !self.progress
    }
}

/// The queue from the main loop to the worker.
#[derive(Debug, Default)]
pub(super) struct Mailbox {
    inner: Mutex<Inner>,
    arrived: Condvar,
    /// The cancellation flag of the worker's analysis: set while there are changes it has not taken.
    pub(super) cancel: CancelFlag,
    /// The cancellation flag of what nobody waits for: set while there are changes, or requests that need all of the worker.
    pub(super) waited_for: CancelFlag,
}

#[derive(Debug, Default)]
struct Inner {
    updates: Updates,
    /// Requests taken by the worker and cancelled since.
    cancelled: BTreeSet<RequestId>,
    /// Requests taken by the worker and not answered yet.
    taken: BTreeSet<RequestId>,
    /// The worker analyses.
    analyses: bool,
}

/// The worker's analysis, as long as it goes on.
pub(super) struct UnderWay<'m>(&'m Mailbox);

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        self.0.inner.lock().expect(NO_PANIC).analyses = false;
        self.0.arrived.notify_one();
    }
}

/// Message of `expect` on the lock, which is poisoned only by a panic.
const NO_PANIC: &str = "no thread panics while it holds the lock";

impl Mailbox {
    /// A document was opened or edited.
    pub(super) fn edited(&self, document: &Document) {
        self.post(|updates| updates.documents.insert(document.path.clone(), Some(document.clone())));
    }

    /// A document was closed.
    pub(super) fn closed(&self, path: &Path) {
        self.post(|updates| updates.documents.insert(path.to_path_buf(), None));
    }

    /// Changes the queue and wakes the worker.
    pub(super) fn post<T>(&self, change: impl FnOnce(&mut Updates) -> T) {
        let mut inner = self.inner.lock().expect(NO_PANIC);
        change(&mut inner.updates);
        self.set_flags(&inner.updates);
        drop(inner);
        self.arrived.notify_one();
    }

    fn set_flags(&self, updates: &Updates) {
        self.cancel.set(updates.changes());
        self.waited_for.set(updates.changes());
    }

    /// Takes a request that can be answered while the worker analyses, waiting for one; `None` when that is over. Where others
    /// wait, what nobody waits for is given up.
    pub(super) fn take_meanwhile(&self, can: impl Fn(&ClientRequest) -> bool) -> Option<ClientRequest> {
        let mut inner = self.inner.lock().expect(NO_PANIC);
        while inner.analyses {
            // A request may be about a text that the worker has not taken.
            if !inner.updates.changes() {
                let requests = &mut inner.updates.requests;
                if let Some(request) = requests.iter().position(&can).map(|index| requests.remove(index)) {
                    inner.taken.insert(request.id.clone());
                    return Some(request);
                }
                self.waited_for.set(!requests.is_empty());
            }
            inner = self.arrived.wait(inner).expect(NO_PANIC);
        }
        None
    }

    /// The worker begins to analyse, which lasts until this is dropped.
    pub(super) fn analysis(&self) -> UnderWay<'_> {
        self.inner.lock().expect(NO_PANIC).analyses = true;
        UnderWay(self)
    }

    /// Cancels a request. Returns whether it was still in the queue, so that the caller must answer it.
    pub(super) fn cancel(&self, id: &RequestId) -> bool {
        let mut inner = self.inner.lock().expect(NO_PANIC);
        let before = inner.updates.requests.len();
        inner.updates.requests.retain(|request| request.id != *id);
        if inner.updates.requests.len() < before {
            return true;
        }
        if inner.taken.contains(id) {
            inner.cancelled.insert(id.clone());
            drop(inner);
            self.arrived.notify_one();
        }
        false
    }

    /// Whether a request that the worker has taken was cancelled.
    pub(super) fn is_cancelled(&self, id: &RequestId) -> bool {
        self.inner.lock().expect(NO_PANIC).cancelled.contains(id)
    }

    /// Removes an answered request.
    pub(super) fn answered(&self, id: &RequestId) {
        let mut inner = self.inner.lock().expect(NO_PANIC);
        inner.taken.remove(id);
        inner.cancelled.remove(id);
    }

    /// Whether there are changes that make the worker's current analysis stale.
    pub(super) fn has_changes(&self) -> bool {
        self.cancel.is_set()
    }

    /// Takes what is in the queue, without waiting.
    pub(super) fn take(&self) -> Updates {
        let mut inner = self.inner.lock().expect(NO_PANIC);
        let taken = inner.take();
        self.set_flags(&inner.updates);
        taken
    }

    /// Takes what is in the queue, waiting until there is something or a request is cancelled.
    pub(super) fn wait(&self) -> Updates {
        let inner = self.inner.lock().expect(NO_PANIC);
        let idle = |inner: &mut Inner| inner.updates.is_empty() && inner.cancelled.is_empty();
        let mut inner = self.arrived.wait_while(inner, idle).expect(NO_PANIC);
        let taken = inner.take();
        self.set_flags(&inner.updates);
        taken
    }
}

impl Inner {
    fn take(&mut self) -> Updates {
        let updates = std::mem::take(&mut self.updates);
        self.taken.extend(updates.requests.iter().map(|request| request.id.clone()));
        updates
    }
}
