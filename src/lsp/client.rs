//! What the server tells or asks its client by itself.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use lsp_server::{Message, Notification, Request, RequestId};
use lsp_types::notification::{LogMessage, Notification as Method, PublishDiagnostics, ShowMessage};
use lsp_types::{
    Diagnostic, LogMessageParams, MessageType, PublishDiagnosticsParams, ShowMessageParams, Uri,
};
use serde_json::Value;

/// What the answer to a question is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Purpose {
    /// Nothing: the client is told to do something.
    Done,
    /// The settings of each folder.
    Configuration,
    /// Progress may be shown.
    Progress,
}

/// The way to the client, for any thread.
#[derive(Clone)]
pub(super) struct Client {
    send: Arc<dyn Fn(Message) + Send + Sync>,
    asked: Arc<Mutex<Asked>>,
}

#[derive(Default)]
struct Asked {
    count: u32,
    open: BTreeMap<RequestId, Purpose>,
}

/// Why the lock is never poisoned.
const NO_PANIC: &str = "no thread panics while it holds the lock";

impl Client {
    pub(super) fn new(send: impl Fn(Message) + Send + Sync + 'static) -> Client {
        Client { send: Arc::new(send), asked: Arc::default() }
    }

    pub(super) fn send(&self, message: impl Into<Message>) {
        (self.send)(message.into());
    }

    /// Asks the client; the answer comes to the main loop.
    pub(super) fn ask(&self, purpose: Purpose, method: &str, params: Value) {
        let id = {
            let mut asked = self.asked.lock().expect(NO_PANIC);
            asked.count += 1;
            let id = RequestId::from(format!("cuda-arch-lint-{}", asked.count));
            asked.open.insert(id.clone(), purpose);
            id
        };
        self.send(Request { id, method: method.to_string(), params });
    }

    /// What an answer is for; `None` if nothing was asked.
    pub(super) fn answered(&self, id: &RequestId) -> Option<Purpose> {
        self.asked.lock().expect(NO_PANIC).open.remove(id)
    }

    /// Something the user has to know.
    pub(super) fn show(&self, kind: MessageType, text: &str) {
        let message = format!("{}: {text}", super::NAME);
        self.notify::<ShowMessage>(ShowMessageParams { typ: kind, message });
    }

    /// Something for the client's log.
    pub(super) fn log(&self, kind: MessageType, message: String) {
        self.notify::<LogMessage>(LogMessageParams { typ: kind, message });
    }

    /// All diagnostics of a document, of this version if it is open.
    pub(super) fn publish(&self, uri: Uri, diagnostics: Vec<Diagnostic>, version: Option<i32>) {
        self.notify::<PublishDiagnostics>(PublishDiagnosticsParams { uri, diagnostics, version });
    }

    /// A notification that `lsp-types` has no word for.
    pub(super) fn tell(&self, method: &str, params: Value) {
        self.send(Notification { method: method.to_string(), params });
    }

    fn notify<N: Method>(&self, params: N::Params) {
        self.send(Notification::new(N::METHOD.to_string(), params));
    }
}
