//! Where the main loop leaves news for the worker.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex};

use lsp_server::RequestId;
use serde_json::Value;

use crate::stale::Stale;

use super::documents::Document;

/// A request that the worker answers.
#[derive(Clone, Debug)]
pub(super) struct Ask {
    pub(super) id: RequestId,
    pub(super) method: String,
    pub(super) params: Value,
    /// The document it is about and the version the client had, if it is an open one.
    pub(super) about: Option<(PathBuf, i32)>,
}

/// What has happened since the worker last looked.
#[derive(Debug, Default)]
pub(super) struct News {
    /// The newest state of documents; `None` for closed ones.
    pub(super) documents: BTreeMap<PathBuf, Option<Document>>,
    /// Files that changed on disk.
    pub(super) on_disk: BTreeSet<PathBuf>,
    /// There may be other files, or other build information.
    pub(super) discover: bool,
    /// The workspace folders are these; `None` for one that is not on disk.
    pub(super) roots: Option<Vec<Option<PathBuf>>>,
    /// The client's settings: for each folder, in their order.
    pub(super) settings: Option<Vec<Value>>,
    /// Requests, in their order.
    pub(super) asks: Vec<Ask>,
    /// The client shows progress under the token it was told.
    pub(super) progress: bool,
    /// The server shuts down.
    pub(super) stop: bool,
}

impl News {
    /// Something that makes results stale.
    fn changes(&self) -> bool {
        !self.documents.is_empty()
            || !self.on_disk.is_empty()
            || self.discover
            || self.roots.is_some()
            || self.settings.is_some()
            || self.stop
    }

    fn is_empty(&self) -> bool {
        !self.changes() && self.asks.is_empty() && !self.progress
    }
}

/// Where the main loop leaves news for the worker.
#[derive(Debug, Default)]
pub(super) struct Mailbox {
    inner: Mutex<Inner>,
    arrived: Condvar,
    /// Set while there are changes that the worker has not taken.
    pub(super) stale: Stale,
}

#[derive(Debug, Default)]
struct Inner {
    news: News,
    /// Requests that the worker has and the client no longer wants.
    cancelled: BTreeSet<RequestId>,
    /// Requests that the worker has.
    taken: BTreeSet<RequestId>,
}

/// Why the lock is never poisoned.
const NO_PANIC: &str = "no thread panics while it holds the lock";

impl Mailbox {
    /// A document was opened or edited.
    pub(super) fn edited(&self, document: &Document) {
        self.post(|news| news.documents.insert(document.path.clone(), Some(document.clone())));
    }

    /// A document was closed.
    pub(super) fn closed(&self, path: &Path) {
        self.post(|news| news.documents.insert(path.to_path_buf(), None));
    }

    /// Leaves any news.
    pub(super) fn post<T>(&self, change: impl FnOnce(&mut News) -> T) {
        let mut inner = self.inner.lock().expect(NO_PANIC);
        change(&mut inner.news);
        self.stale.set(inner.news.changes());
        drop(inner);
        self.arrived.notify_one();
    }

    /// The client no longer wants an answer. Says whether the request was still here, so that nobody else answers.
    pub(super) fn cancel(&self, id: &RequestId) -> bool {
        let mut inner = self.inner.lock().expect(NO_PANIC);
        let before = inner.news.asks.len();
        inner.news.asks.retain(|ask| ask.id != *id);
        if inner.news.asks.len() < before {
            return true;
        }
        if inner.taken.contains(id) {
            inner.cancelled.insert(id.clone());
            drop(inner);
            self.arrived.notify_one();
        }
        false
    }

    /// The client no longer wants the answer to a request that the worker has.
    pub(super) fn is_cancelled(&self, id: &RequestId) -> bool {
        self.inner.lock().expect(NO_PANIC).cancelled.contains(id)
    }

    /// The request was answered.
    pub(super) fn answered(&self, id: &RequestId) {
        let mut inner = self.inner.lock().expect(NO_PANIC);
        inner.taken.remove(id);
        inner.cancelled.remove(id);
    }

    /// What the worker does now is stale.
    pub(super) fn has_changes(&self) -> bool {
        self.stale.is_set()
    }

    /// The news there are.
    pub(super) fn take(&self) -> News {
        let mut inner = self.inner.lock().expect(NO_PANIC);
        self.stale.set(false);
        inner.take()
    }

    /// The news there are, or the next to come; also none when a request was cancelled.
    pub(super) fn wait(&self) -> News {
        let inner = self.inner.lock().expect(NO_PANIC);
        let idle = |inner: &mut Inner| inner.news.is_empty() && inner.cancelled.is_empty();
        let mut inner = self.arrived.wait_while(inner, idle).expect(NO_PANIC);
        self.stale.set(false);
        inner.take()
    }
}

impl Inner {
    fn take(&mut self) -> News {
        let news = std::mem::take(&mut self.news);
        self.taken.extend(news.asks.iter().map(|ask| ask.id.clone()));
        news
    }
}
