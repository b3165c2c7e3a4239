//! The language server: `cuda-arch-lint lsp` speaks the Language Server Protocol 3.17.
//!
//! In: a connection to a client, whose unsaved texts go before the disk's. Out: diagnostics for the
//! files of its workspace folders and for what it has open. The main loop below keeps the documents
//! and answers; the analysis is `worker`'s, so that the loop never waits for it.
//!
//! The only module that knows the protocol. A broken message is answered or logged, never fatal.

mod client;
mod diagnostics;
mod documents;
mod position;
mod settings;
mod triaged;
mod uri;
mod worker;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::notification::{
    DidChangeTextDocument, DidCloseTextDocument, DidOpenTextDocument, DidSaveTextDocument, Exit,
    Notification as _,
};
use lsp_types::request::{Initialize, Request as _, Shutdown};
use lsp_types::{
    DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams,
    DidSaveTextDocumentParams, InitializeParams, InitializeResult, MessageType, ServerCapabilities,
    ServerInfo, TextDocumentSyncCapability, TextDocumentSyncKind, TextDocumentSyncOptions, Uri,
};
use serde_json::{Value, from_value, to_value};

use crate::project::tidy;

use client::Client;
use diagnostics::Dialect;
use documents::Document;
use position::Encoding;
use worker::{Mailbox, Worker};

/// What diagnostics and messages are signed with.
const NAME: &str = env!("CARGO_PKG_NAME");

/// How a session ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// With `shutdown`, then `exit`.
    Orderly,
    /// In any other way.
    Abruptly,
}

/// Serves the client at standard input and output until it is done.
pub fn serve_stdio() -> Ended {
    // The threads end with the process: the client has read all it asked for when it says `exit`.
    let (connection, _threads) = Connection::stdio();
    serve(&connection)
}

/// Serves the client at the other end of the connection until it is done.
pub fn serve(connection: &Connection) -> Ended {
    let sender = connection.sender.clone();
    // A client that has gone away reads no answers; the next receive ends the loop.
    let client = Client::new(move |message| drop(sender.send(message)));
    while let Ok((id, params)) = connection.initialize_start() {
        match from_value(params) {
            Ok(params) => {
                let dialect = dialect(&params);
                client.send(answer(id, to_value(capabilities(dialect.encoding))));
                return Server::start(&params, dialect, client).run(connection);
            }
            Err(error) => {
                let message = format!("invalid parameters of `{}`: {error}", Initialize::METHOD);
                client.send(refusal(id, ErrorCode::InvalidParams, message));
            }
        }
    }
    Ended::Abruptly
}

/// What the client says it understands.
fn dialect(params: &InitializeParams) -> Dialect {
    let general = params.capabilities.general.as_ref();
    let encoding = Encoding::agreed(general.and_then(|general| general.position_encodings.as_deref()));
    let text_document = params.capabilities.text_document.as_ref();
    let publish = text_document.and_then(|capabilities| capabilities.publish_diagnostics.as_ref());
    Dialect { encoding, related: publish.and_then(|publish| publish.related_information).unwrap_or(false) }
}

/// The main loop's state.
struct Server {
    client: Client,
    encoding: Encoding,
    documents: BTreeMap<String, Document>,
    mailbox: Arc<Mailbox>,
    worker: JoinHandle<()>,
    shut_down: bool,
}

impl Server {
    /// Starts the worker. It may publish at once, so the client has had its answer by now.
    fn start(params: &InitializeParams, dialect: Dialect, client: Client) -> Server {
        let (settings, problems) = settings::read(params.initialization_options.as_ref());
        for problem in problems {
            client.show(MessageType::ERROR, &problem);
        }
        let mailbox = Arc::new(Mailbox::default());
        let worker = Worker::new(client.clone(), dialect, settings, roots(params));
        let worker = thread::spawn({
            let mailbox = mailbox.clone();
            move || worker.run(&mailbox)
        });
        let documents = BTreeMap::new();
        Server { client, encoding: dialect.encoding, documents, mailbox, worker, shut_down: false }
    }

    fn run(mut self, connection: &Connection) -> Ended {
        for message in &connection.receiver {
            match message {
                Message::Request(request) => self.request(request),
                Message::Notification(notification) if notification.method == Exit::METHOD => break,
                Message::Notification(notification) => self.notification(notification),
                // The server asks nothing.
                Message::Response(_) => {}
            }
            if self.worker.is_finished() && !self.shut_down {
                self.client.show(MessageType::ERROR, "stopped on a defect of its own; please report it");
                break;
            }
        }
        self.mailbox.stop();
        if self.shut_down { Ended::Orderly } else { Ended::Abruptly }
    }

    fn request(&mut self, request: Request) {
        let Request { id, method, .. } = request;
        self.client.send(match method.as_str() {
            _ if self.shut_down => refusal(id, ErrorCode::InvalidRequest, "the server was shut down".into()),
            Initialize::METHOD => {
                refusal(id, ErrorCode::InvalidRequest, "the server is initialized already".into())
            }
            Shutdown::METHOD => {
                self.shut_down = true;
                self.mailbox.stop();
                answer(id, Ok(Value::Null))
            }
            _ => refusal(id, ErrorCode::MethodNotFound, format!("unknown method `{method}`")),
        });
    }

    /// A notification has no answer, so what is wrong with one goes to the client's log.
    fn notification(&mut self, notification: Notification) {
        let Notification { method, params } = notification;
        let outcome = match method.as_str() {
            DidOpenTextDocument::METHOD => from_value(params).map(|params| self.opened(params)),
            DidChangeTextDocument::METHOD => from_value(params).map(|params| self.changed(params)),
            DidSaveTextDocument::METHOD => from_value(params).map(|params| self.saved(&params)),
            DidCloseTextDocument::METHOD => from_value(params).map(|params| self.closed(&params)),
            _ => Ok(()),
        };
        if let Err(error) = outcome {
            self.client.log(MessageType::ERROR, format!("invalid parameters of `{method}`: {error}"));
        }
    }

    fn opened(&mut self, params: DidOpenTextDocumentParams) {
        if let Some(document) = Document::open(params.text_document) {
            self.mailbox.edited(&document);
            self.documents.insert(key(&document.uri), document);
        }
    }

    fn changed(&mut self, params: DidChangeTextDocumentParams) {
        let id = params.text_document;
        if let Some(document) = self.documents.get_mut(&key(&id.uri)) {
            document.change(id.version, params.content_changes, self.encoding);
            self.mailbox.edited(document);
        }
    }

    fn saved(&mut self, params: &DidSaveTextDocumentParams) {
        if self.documents.contains_key(&key(&params.text_document.uri)) {
            self.mailbox.saved();
        }
    }

    fn closed(&mut self, params: &DidCloseTextDocumentParams) {
        if let Some(document) = self.documents.remove(&key(&params.text_document.uri)) {
            self.mailbox.closed(&document.path);
        }
    }
}

fn key(uri: &Uri) -> String {
    uri.as_str().to_string()
}

fn capabilities(encoding: Encoding) -> InitializeResult {
    let sync = TextDocumentSyncOptions {
        open_close: Some(true),
        change: Some(TextDocumentSyncKind::INCREMENTAL),
        save: Some(true.into()),
        ..TextDocumentSyncOptions::default()
    };
    InitializeResult {
        capabilities: ServerCapabilities {
            position_encoding: Some(encoding.kind()),
            text_document_sync: Some(TextDocumentSyncCapability::Options(sync)),
            ..ServerCapabilities::default()
        },
        server_info: Some(ServerInfo {
            name: NAME.to_string(),
            version: Some(env!("CARGO_PKG_VERSION").to_string()),
        }),
    }
}

/// The workspace folders, or what older clients say instead.
#[expect(deprecated, reason = "clients from before workspace folders send only the root")]
fn roots(params: &InitializeParams) -> Vec<PathBuf> {
    let folders = params.workspace_folders.iter().flatten().map(|folder| &folder.uri);
    let mut uris: Vec<&Uri> = folders.collect();
    if uris.is_empty() {
        uris.extend(&params.root_uri);
    }
    uris.into_iter().filter_map(uri::to_path).map(|path| tidy(&path)).collect()
}

fn answer(id: RequestId, result: serde_json::Result<Value>) -> Response {
    match result {
        Ok(value) => Response::new_ok(id, value),
        Err(error) => refusal(id, ErrorCode::InternalError, error.to_string()),
    }
}

fn refusal(id: RequestId, code: ErrorCode, message: String) -> Response {
    Response::new_err(id, code as i32, message)
}
