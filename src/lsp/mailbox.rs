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

    /// Takes the newest texts of documents, if there are such and each `is_edit`, and nothing else changed.
    fn take_edits(&mut self, is_edit: impl Fn(&Document) -> bool) -> Option<Vec<Document>> {
        let edited = std::mem::take(&mut self.documents);
        let are_edits = !edited.is_empty()
            && !self.changes()
            && edited.values().all(|document| document.as_ref().is_some_and(&is_edit));
        if !are_edits {
            self.documents = edited;
            return None;
        }
        Some(edited.into_values().flatten().collect())
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
    /// The cancellation flag of the worker's answers: set while there are changes it has not taken.
    pub(super) cancel: CancelFlag,
}

#[derive(Debug, Default)]
struct Inner {
    updates: Updates,
    /// Requests taken by the worker and cancelled since.
    cancelled: BTreeSet<RequestId>,
    /// Requests taken by the worker and not answered yet.
    taken: BTreeSet<RequestId>,
    /// The worker's analysis, as long as it goes on.
    analysis: Option<Flags>,
}

/// The cancellation flags of one analysis. Once set they stay so: the worker may take a change while the analysis goes on.
#[derive(Clone, Debug, Default)]
pub(super) struct Flags {
    /// There were changes.
    pub(super) changed: CancelFlag,
    /// That of what nobody waits for: there were changes, or requests that need all of the worker.
    pub(super) waited_for: CancelFlag,
}

/// The worker's analysis, as long as it goes on.
pub(super) struct UnderWay<'m> {
    mailbox: &'m Mailbox,
    pub(super) flags: Flags,
}

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        self.mailbox.inner.lock().expect(NO_PANIC).analysis = None;
        self.mailbox.arrived.notify_one();
    }
}

/// What can be done while the worker analyses.
#[derive(Debug)]
pub(super) enum Meanwhile {
    /// Newer texts of open documents can be applied.
    Edits(Vec<Document>),
    /// A request can be answered.
    Request(ClientRequest),
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
        self.set_flags(&inner);
        drop(inner);
        self.arrived.notify_one();
    }

    fn set_flags(&self, inner: &Inner) {
        let changes = inner.updates.changes();
        self.cancel.set(changes);
        if let Some(flags) = inner.analysis.as_ref().filter(|_| changes) {
            flags.changed.set(true);
            flags.waited_for.set(true);
        }
    }

    /// Takes what can be done while the worker analyses, waiting for it: newer texts, if all that changed `is_edit`, or a request
    /// that can be answered; `None` when the analysis is over. Where other requests wait, what nobody waits for is given up.
    pub(super) fn take_meanwhile(
        &self,
        is_edit: impl Fn(&Document) -> bool,
        can: impl Fn(&ClientRequest) -> bool,
    ) -> Option<Meanwhile> {
        let mut inner = self.inner.lock().expect(NO_PANIC);
        while let Some(flags) = inner.analysis.clone() {
            if let Some(edits) = inner.updates.take_edits(&is_edit) {
                self.set_flags(&inner);
                return Some(Meanwhile::Edits(edits));
            }
            // A request may be about a text that the worker has not taken.
            if !inner.updates.changes() {
                let requests = &mut inner.updates.requests;
                if let Some(request) = requests.iter().position(&can).map(|index| requests.remove(index)) {
                    inner.taken.insert(request.id.clone());
                    return Some(Meanwhile::Request(request));
                }
                if !requests.is_empty() {
                    flags.waited_for.set(true);
                }
            }
            inner = self.arrived.wait(inner).expect(NO_PANIC);
        }
        None
    }

    /// The worker begins to analyse, which lasts until this is dropped.
    pub(super) fn analysis(&self) -> UnderWay<'_> {
        let mut inner = self.inner.lock().expect(NO_PANIC);
        let flags = inner.analysis.insert(Flags::default()).clone();
        self.set_flags(&inner);
        UnderWay { mailbox: self, flags }
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
        self.set_flags(&inner);
        taken
    }

    /// Takes what is in the queue, waiting until there is something or a request is cancelled.
    pub(super) fn wait(&self) -> Updates {
        let inner = self.inner.lock().expect(NO_PANIC);
        let idle = |inner: &mut Inner| inner.updates.is_empty() && inner.cancelled.is_empty();
        let mut inner = self.arrived.wait_while(inner, idle).expect(NO_PANIC);
        let taken = inner.take();
        self.set_flags(&inner);
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn document(name: &str) -> Document {
        let item =
            json!({"uri": format!("file:///{name}"), "languageId": "cuda-cpp", "version": 1, "text": ""});
        Document::open(serde_json::from_value(item).unwrap()).unwrap()
    }

    /// What is taken while an analysis goes on, which ends when everything is.
    fn taken(mailbox: &Mailbox, under_way: UnderWay<'_>) -> Vec<String> {
        let (open, can) =
            (|one: &Document| one.path.ends_with("open.cu"), |one: &ClientRequest| one.method == "can");
        let mut all = Vec::new();
        std::thread::scope(|scope| {
            let takes = scope.spawn(|| {
                let mut all = Vec::new();
                while let Some(one) = mailbox.take_meanwhile(open, can) {
                    all.push(match one {
                        Meanwhile::Edits(documents) => format!("{} edited", documents.len()),
                        Meanwhile::Request(request) => request.method,
                    });
                }
                all
            });
            while !mailbox.inner.lock().unwrap().updates.is_empty() {
                std::thread::yield_now();
            }
            drop(under_way);
            all = takes.join().unwrap();
        });
        all
    }

    fn ask(mailbox: &Mailbox, method: &str) {
        let request = ClientRequest { id: 1.into(), method: method.into(), params: Value::Null, about: None };
        mailbox.post(|updates| updates.requests.push(request));
    }

    #[test]
    fn open_documents_are_edited_while_the_worker_analyses() {
        let mailbox = Mailbox::default();
        let under_way = mailbox.analysis();
        let flags = under_way.flags.clone();
        assert!(!flags.changed.is_set());
        mailbox.edited(&document("open.cu"));
        ask(&mailbox, "can");
        assert_eq!(taken(&mailbox, under_way), ["1 edited", "can"]);
        // The analysis is still told, the answers go on.
        assert!(flags.changed.is_set() && flags.waited_for.is_set() && !mailbox.has_changes());
    }

    #[test]
    fn what_changes_the_units_waits_for_the_analysis() {
        let is_open = |one: &Document| one.path.ends_with("open.cu");
        for change in [
            |mailbox: &Mailbox| mailbox.edited(&document("other.cu")),
            |mailbox: &Mailbox| mailbox.closed(Path::new("/open.cu")),
            |mailbox: &Mailbox| mailbox.post(|updates| updates.discover = true),
        ] {
            let mailbox = Mailbox::default();
            mailbox.edited(&document("open.cu"));
            change(&mailbox);
            let updates = &mut mailbox.inner.lock().unwrap().updates;
            assert!(updates.take_edits(is_open).is_none());
            assert!(!updates.documents.is_empty(), "nothing is lost");
        }
    }

    #[test]
    fn requests_for_all_of_the_worker_end_what_nobody_waits_for() {
        let mailbox = Mailbox::default();
        let under_way = mailbox.analysis();
        let flags = under_way.flags.clone();
        ask(&mailbox, "must wait");
        std::thread::scope(|scope| {
            scope.spawn(|| assert!(mailbox.take_meanwhile(|_| false, |_| false).is_none()));
            while !flags.waited_for.is_set() {
                std::thread::yield_now();
            }
            drop(under_way);
        });
        assert!(!flags.changed.is_set());
    }
}
