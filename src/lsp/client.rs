//! What the server tells its client without being asked.

use std::sync::Arc;

use lsp_server::{Message, Notification};
use lsp_types::notification::{LogMessage, Notification as Method, PublishDiagnostics, ShowMessage};
use lsp_types::{
    Diagnostic, LogMessageParams, MessageType, PublishDiagnosticsParams, ShowMessageParams, Uri,
};

/// The way to the client, for any thread.
#[derive(Clone)]
pub(super) struct Client(Arc<dyn Fn(Message) + Send + Sync>);

impl Client {
    pub(super) fn new(send: impl Fn(Message) + Send + Sync + 'static) -> Client {
        Client(Arc::new(send))
    }

    pub(super) fn send(&self, message: impl Into<Message>) {
        (self.0)(message.into());
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

    fn notify<N: Method>(&self, params: N::Params) {
        self.send(Notification::new(N::METHOD.to_string(), params));
    }
}
