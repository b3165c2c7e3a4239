//! The language server: `cuda-arch-lint lsp` speaks the Language Server Protocol 3.17.
//!
//! In: a connection to a client, whose unsaved texts go before the disk's. Out: diagnostics for the
//! files of its workspace folders and for what it has open, and answers about them. The main loop below keeps the documents
//! and answers; the analysis is `worker`'s, so that the loop never waits for it.
//!
//! The only module that knows the protocol. A broken message is answered or logged, never fatal.

mod actions;
mod answers;
mod capabilities;
mod client;
mod diagnostics;
mod documents;
mod framing;
mod hover;
mod mailbox;
mod position;
mod regions;
mod settings;
mod symbols;
mod triaged;
mod uri;
mod worker;

use std::collections::BTreeMap;
use std::io::{self, BufReader};
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::notification::{
    Cancel, DidChangeConfiguration, DidChangeTextDocument, DidChangeWatchedFiles, DidChangeWorkspaceFolders,
    DidCloseTextDocument, DidOpenTextDocument, DidSaveTextDocument, Exit, Notification as _,
};
use lsp_types::request::{Initialize, Request as _, Shutdown};
use lsp_types::{
    CancelParams, DidChangeTextDocumentParams, DidChangeWatchedFilesParams, DidChangeWorkspaceFoldersParams,
    DidCloseTextDocumentParams, DidOpenTextDocumentParams, DidSaveTextDocumentParams, InitializeParams,
    MessageType, NumberOrString, Uri,
};
use serde_json::{Value, from_value, json};

use crate::analysis::on_deep_stacks;
use crate::config::FILE_NAME;
use crate::project::{HEADER_EXTENSIONS, SOURCE_EXTENSIONS, tidy};

use capabilities::Dialect;
use client::{Client, Purpose};
use documents::Document;
use mailbox::{Ask, Mailbox};
use worker::{TOKEN, Worker};

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
    serve(&framing::connection(BufReader::new(io::stdin()), io::stdout()))
}

/// Serves the client at the other end of the connection until it is done.
pub fn serve(connection: &Connection) -> Ended {
    let sender = connection.sender.clone();
    // A client that has gone away reads no answers; the next receive ends the loop.
    let client = Client::new(move |message| drop(sender.send(message)));
    while let Ok((id, params)) = connection.initialize_start() {
        let capabilities = params["capabilities"].clone();
        match from_value::<InitializeParams>(params) {
            Ok(params) => {
                let dialect = Dialect::of(&params, &capabilities);
                client.send(Response::new_ok(id, capabilities::offered(dialect)));
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

/// The main loop's state.
struct Server {
    client: Client,
    dialect: Dialect,
    documents: BTreeMap<String, Document>,
    /// The workspace folders.
    roots: Vec<Uri>,
    mailbox: Arc<Mailbox>,
    worker: JoinHandle<()>,
    shut_down: bool,
}

impl Server {
    /// Starts the worker. It may publish at once, so the client has had its answer by now.
    fn start(params: &InitializeParams, dialect: Dialect, client: Client) -> Server {
        let mailbox = Arc::new(Mailbox::default());
        let options = params.initialization_options.clone().unwrap_or_default();
        let roots = roots(params);
        let worker = Worker::new(client.clone(), dialect, options, paths(&roots));
        let worker = thread::spawn({
            let mailbox = mailbox.clone();
            move || on_deep_stacks(|| worker.run(&mailbox))
        });
        Server { client, dialect, documents: BTreeMap::new(), roots, mailbox, worker, shut_down: false }
    }

    fn run(mut self, connection: &Connection) -> Ended {
        for message in &connection.receiver {
            match message {
                Message::Request(request) => self.request(request),
                Message::Notification(notification) if notification.method == Exit::METHOD => break,
                Message::Notification(notification) => self.notification(notification),
                Message::Response(response) => self.answered(response),
            }
            if self.worker.is_finished() && !self.shut_down {
                self.client.show(MessageType::ERROR, "stopped on a defect of its own; please report it");
                break;
            }
        }
        self.mailbox.post(|news| news.stop = true);
        if self.shut_down { Ended::Orderly } else { Ended::Abruptly }
    }

    fn request(&mut self, request: Request) {
        let Request { id, method, params } = request;
        let refused = match method.as_str() {
            _ if self.shut_down => (ErrorCode::InvalidRequest, "the server was shut down".to_string()),
            Initialize::METHOD => {
                (ErrorCode::InvalidRequest, "the server is initialized already".to_string())
            }
            Shutdown::METHOD => {
                self.shut_down = true;
                self.mailbox.post(|news| news.stop = true);
                return self.client.send(Response::new_ok(id, Value::Null));
            }
            _ if answers::METHODS.contains(&method.as_str()) => {
                let about = params["textDocument"]["uri"].as_str().and_then(|uri| self.documents.get(uri));
                let about = about.map(|document| (document.path.clone(), document.version));
                return self.mailbox.post(|news| news.asks.push(Ask { id, method, params, about }));
            }
            _ => (ErrorCode::MethodNotFound, format!("unknown method `{method}`")),
        };
        self.client.send(refusal(id, refused.0, refused.1));
    }

    /// A notification has no answer, so what is wrong with one goes to the client's log.
    fn notification(&mut self, notification: Notification) {
        let Notification { method, params } = notification;
        let outcome = match method.as_str() {
            "initialized" => {
                self.initialized();
                Ok(())
            }
            DidOpenTextDocument::METHOD => from_value(params).map(|params| self.opened(params)),
            DidChangeTextDocument::METHOD => from_value(params).map(|params| self.changed(params)),
            DidSaveTextDocument::METHOD => from_value(params).map(|params| self.saved(&params)),
            DidCloseTextDocument::METHOD => from_value(params).map(|params| self.closed(&params)),
            DidChangeWatchedFiles::METHOD => from_value(params).map(|params| self.changed_on_disk(params)),
            DidChangeWorkspaceFolders::METHOD => from_value(params).map(|params| self.moved(params)),
            DidChangeConfiguration::METHOD => {
                self.configured(params);
                Ok(())
            }
            Cancel::METHOD => from_value(params).map(|params| self.cancelled(params)),
            _ => Ok(()),
        };
        if let Err(error) = outcome {
            self.client.log(MessageType::ERROR, format!("invalid parameters of `{method}`: {error}"));
        }
    }

    /// The client listens: it is asked for what it can do.
    fn initialized(&self) {
        if self.dialect.progress {
            let params = json!({"token": TOKEN});
            self.client.ask(Purpose::Progress, "window/workDoneProgress/create", params);
        }
        if self.dialect.watches {
            let names =
                SOURCE_EXTENSIONS.iter().chain(HEADER_EXTENSIONS).map(|extension| format!("**/*{extension}"));
            let names = names.chain([format!("**/{FILE_NAME}"), "**/compile_commands.json".to_string()]);
            let watchers: Value = names.map(|glob| json!({"globPattern": glob})).collect();
            let registration = json!({
                "id": "watched", "method": DidChangeWatchedFiles::METHOD,
                "registerOptions": {"watchers": watchers},
            });
            let params = json!({"registrations": [registration]});
            self.client.ask(Purpose::Done, "client/registerCapability", params);
        }
        self.ask_for_settings();
    }

    fn ask_for_settings(&self) {
        if self.dialect.configuration {
            let item = |scope: Option<&Uri>| json!({"section": NAME, "scopeUri": scope});
            let items: Vec<Value> = match self.roots.is_empty() {
                true => vec![json!({"section": NAME})],
                false => self.roots.iter().map(|root| item(Some(root))).collect(),
            };
            let params = json!({"items": items});
            self.client.ask(Purpose::Configuration, "workspace/configuration", params);
        }
    }

    /// The client has answered a question.
    fn answered(&mut self, response: Response) {
        match (self.client.answered(&response.id), response.response_result) {
            (Some(Purpose::Configuration), Ok(Value::Array(settings))) => {
                self.mailbox.post(|news| news.settings = Some(settings));
            }
            (Some(Purpose::Progress), Ok(_)) => self.mailbox.post(|news| news.progress = true),
            _ => {}
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
            document.change(id.version, params.content_changes, self.dialect.encoding);
            self.mailbox.edited(document);
        }
    }

    fn saved(&mut self, params: &DidSaveTextDocumentParams) {
        // Who watches files says itself which came.
        if self.documents.contains_key(&key(&params.text_document.uri)) && !self.dialect.watches {
            self.mailbox.post(|news| news.discover = true);
        }
    }

    fn closed(&mut self, params: &DidCloseTextDocumentParams) {
        if let Some(document) = self.documents.remove(&key(&params.text_document.uri)) {
            self.mailbox.closed(&document.path);
        }
    }

    /// Other programs changed files. Which units there are depends on what files there are and on how they are built.
    fn changed_on_disk(&mut self, params: DidChangeWatchedFilesParams) {
        for change in params.changes {
            let Some(path) = uri::to_path(&change.uri).map(|path| tidy(&path)) else { continue };
            let is_source = SOURCE_EXTENSIONS.iter().chain(HEADER_EXTENSIONS).any(|extension| {
                path.file_name().is_some_and(|name| name.to_string_lossy().ends_with(extension))
            });
            let discover = !is_source || change.typ != lsp_types::FileChangeType::CHANGED;
            self.mailbox.post(|news| {
                news.on_disk.insert(path);
                news.discover |= discover;
            });
        }
    }

    fn moved(&mut self, params: DidChangeWorkspaceFoldersParams) {
        let gone: Vec<Uri> = params.event.removed.into_iter().map(|folder| folder.uri).collect();
        self.roots.retain(|root| !gone.contains(root));
        self.roots.extend(params.event.added.into_iter().map(|folder| folder.uri));
        let paths = paths(&self.roots);
        self.mailbox.post(|news| news.roots = Some(paths));
        self.ask_for_settings();
    }

    /// Settings have changed: they are asked for, or the client sends them along.
    fn configured(&mut self, params: Value) {
        if self.dialect.configuration {
            return self.ask_for_settings();
        }
        let settings = &params["settings"];
        let own = if settings[NAME].is_object() { &settings[NAME] } else { settings };
        if own.is_object() {
            let all = vec![own.clone(); self.roots.len().max(1)];
            self.mailbox.post(|news| news.settings = Some(all));
        }
    }

    fn cancelled(&mut self, params: CancelParams) {
        let id = match params.id {
            NumberOrString::Number(id) => RequestId::from(id),
            NumberOrString::String(id) => RequestId::from(id),
        };
        if self.mailbox.cancel(&id) {
            self.client.send(refusal(id, ErrorCode::RequestCanceled, "cancelled".into()));
        }
    }
}

fn key(uri: &Uri) -> String {
    uri.as_str().to_string()
}

/// The workspace folders, or what older clients say instead.
#[expect(deprecated, reason = "clients from before workspace folders send only the root")]
fn roots(params: &InitializeParams) -> Vec<Uri> {
    let folders = params.workspace_folders.iter().flatten().map(|folder| folder.uri.clone());
    let mut uris: Vec<Uri> = folders.collect();
    if uris.is_empty() {
        uris.extend(params.root_uri.clone());
    }
    uris
}

/// The directories of folders that are on disk. One that is not keeps its place: settings come in that order.
fn paths(roots: &[Uri]) -> Vec<Option<PathBuf>> {
    roots.iter().map(|uri| uri::to_path(uri).map(|path| tidy(&path))).collect()
}

fn refusal(id: RequestId, code: ErrorCode, message: String) -> Response {
    Response::new_err(id, code as i32, message)
}
