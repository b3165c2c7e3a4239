//! Notifications and requests from the server to the client.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use lsp_server::{Message, Notification, Request, RequestId};
use lsp_types::notification::{LogMessage, Notification as Method, PublishDiagnostics, ShowMessage};
use lsp_types::{
    Diagnostic, LogMessageParams, MessageType, PublishDiagnosticsParams, ShowMessageParams, Uri,
};
use serde_json::Value;

/// The purpose of a request to the client, which decides what happens with the response.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Purpose {
    /// The response carries nothing of use.
    Command,
    /// The response holds the settings of each folder.
    Configuration,
    /// The response says that progress may be shown.
    Progress,
}

/// The connection to the client; usable from any thread.
#[derive(Clone)]
pub(super) struct Client {
    send: Arc<dyn Fn(Message) + Send + Sync>,
    asked: Arc<Mutex<OutgoingRequests>>,
}

#[derive(Default)]
struct OutgoingRequests {
    count: u32,
    open: BTreeMap<RequestId, Purpose>,
}

/// Message of `expect` on the lock, which is poisoned only by a panic.
const NO_PANIC: &str = "no thread panics while it holds the lock";

impl Client {
    pub(super) fn new(send: impl Fn(Message) + Send + Sync + 'static) -> Client {
        Client { send: Arc::new(send), asked: Arc::default() }
    }

    pub(super) fn send(&self, message: impl Into<Message>) {
        (self.send)(message.into());
    }

    /// Sends a request. The main loop receives the response.
    pub(super) fn request(&self, purpose: Purpose, method: &str, params: Value) {
        let id = {
            let mut asked = self.asked.lock().expect(NO_PANIC);
            asked.count += 1;
            let id = RequestId::from(format!("cuda-arch-lint-{}", asked.count));
            asked.open.insert(id.clone(), purpose);
            id
        };
        self.send(Request { id, method: method.to_string(), params });
    }

    /// The purpose of the request with this id, which is now answered; `None` if there is no such request.
    pub(super) fn answered(&self, id: &RequestId) -> Option<Purpose> {
        self.asked.lock().expect(NO_PANIC).open.remove(id)
    }

    /// Shows a message to the user.
    pub(super) fn show(&self, kind: MessageType, text: &str) {
        let message = format!("{}: {text}", super::capabilities::NAME);
        self.notify::<ShowMessage>(ShowMessageParams { typ: kind, message });
    }

    /// Writes a message to the client's log.
    pub(super) fn log(&self, kind: MessageType, message: String) {
        self.notify::<LogMessage>(LogMessageParams { typ: kind, message });
    }

    /// Publishes all diagnostics of a document, with its version if it is open.
    pub(super) fn publish(&self, uri: Uri, diagnostics: Vec<Diagnostic>, version: Option<i32>) {
        self.notify::<PublishDiagnostics>(PublishDiagnosticsParams { uri, diagnostics, version });
    }

    /// Sends a notification that `lsp-types` does not define.
    pub(super) fn tell(&self, method: &str, params: Value) {
        self.send(Notification { method: method.to_string(), params });
    }

    fn notify<N: Method>(&self, params: N::Params) {
        self.send(Notification::new(N::METHOD.to_string(), params));
    }
}
