//! The language server: `cuda-arch-lint lsp` speaks the Language Server Protocol 3.17.
//!
//! In: a connection to a client, whose unsaved texts take precedence over the disk. Out: diagnostics for the files
//! of the workspace folders and for open documents, and answers to requests. The main loop in this file keeps the
//! documents and dispatches messages. The analysis runs on the worker's thread, so that the loop never waits for
//! it.
//!
//! The only module that knows the protocol. An invalid message is answered with an error or logged, never fatal.

mod framing;
mod uri;
mod position;
mod triaged;
mod settings;
mod regions;
mod documents;
mod mailbox;
mod capabilities;
mod client;
mod symbols;
mod hover;
mod diagnostics;
mod worker;
mod actions;
mod answers;
mod run;

use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Write};
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

use capabilities::{ClientFeatures, NAME};
use client::{Client, Purpose};
use documents::Document;
use mailbox::{ClientRequest, Mailbox};
use worker::{TOKEN, Worker};

/// The way in which a session ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// By `shutdown` followed by `exit`.
    Orderly,
    /// In any other way.
    Abruptly,
}

/// Serves a client over standard input and output until the session ends.
pub fn serve_stdio() -> Ended {
    // The threads end with the process: at `exit` the client has read every answer that it needs.
    serve_streams(BufReader::new(io::stdin()), io::stdout())
}

/// Serves a client over two streams until the session ends.
pub fn serve_streams(input: impl BufRead + Send + 'static, output: impl Write + Send + 'static) -> Ended {
    let (connection, output) = framing::connection(input, output);
    let ended = serve(&connection);
    output.close();
    ended
}

/// Serves the client of a connection until the session ends.
pub fn serve(connection: &Connection) -> Ended {
    let sender = connection.sender.clone();
    // Sending fails once the client has disconnected; then the next receive ends the loop.
    let client = Client::new(move |message| drop(sender.send(message)));
    while let Ok((id, params)) = connection.initialize_start() {
        let capabilities = params["capabilities"].clone();
        match from_value::<InitializeParams>(params) {
            Ok(params) => {
                let features = ClientFeatures::of(&params, &capabilities);
                client.send(Response::new_ok(id, capabilities::offered(features)));
                return Server::start(&params, features, client).run(connection);
            }
            Err(error) => {
                let message = format!("invalid parameters of `{}`: {error}", Initialize::METHOD);
                client.send(refusal(id, ErrorCode::InvalidParams, message));
            }
        }
    }
    Ended::Abruptly
}

/// The state of the main loop.
struct Server {
    client: Client,
    features: ClientFeatures,
    documents: BTreeMap<String, Document>,
    /// The workspace folders.
    roots: Vec<Uri>,
    mailbox: Arc<Mailbox>,
    worker: JoinHandle<()>,
    shut_down: bool,
}

impl Server {
    /// Starts the worker. It may publish at once, so the response to `initialize` must have been sent.
    fn start(params: &InitializeParams, features: ClientFeatures, client: Client) -> Server {
        let mailbox = Arc::new(Mailbox::default());
        let options = params.initialization_options.clone().unwrap_or_default();
        let roots = roots(params);
        let worker = Worker::new(client.clone(), features, options, paths(&roots));
        let worker = thread::spawn({
            let mailbox = mailbox.clone();
            move || on_deep_stacks(|| worker.run(&mailbox))
        });
        Server { client, features, documents: BTreeMap::new(), roots, mailbox, worker, shut_down: false }
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
                self.client
                    .show(MessageType::ERROR, "stopped because of a bug in cuda-arch-lint; please report it");
                break;
            }
        }
        self.mailbox.post(|updates| updates.stop = true);
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
                self.mailbox.post(|updates| updates.stop = true);
                return self.client.send(Response::new_ok(id, Value::Null));
            }
            _ if answers::METHODS.contains(&method.as_str()) => {
                let about = params["textDocument"]["uri"].as_str().and_then(|uri| self.documents.get(uri));
                let about = about.map(|document| (document.path.clone(), document.version));
                return self
                    .mailbox
                    .post(|updates| updates.requests.push(ClientRequest { id, method, params, about }));
            }
            _ => (ErrorCode::MethodNotFound, format!("unknown method `{method}`")),
        };
        self.client.send(refusal(id, refused.0, refused.1));
    }

    /// Handles a notification. There is no response, so an error goes to the client's log.
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

    /// Handles `initialized`: registers file watchers and requests the settings.
    fn initialized(&self) {
        if self.features.progress {
            let params = json!({"token": TOKEN});
            self.client.request(Purpose::Progress, "window/workDoneProgress/create", params);
        }
        if self.features.watches {
            let names =
                SOURCE_EXTENSIONS.iter().chain(HEADER_EXTENSIONS).map(|extension| format!("**/*{extension}"));
            let names = names.chain([format!("**/{FILE_NAME}"), "**/compile_commands.json".to_string()]);
            let watchers: Value = names.map(|glob| json!({"globPattern": glob})).collect();
            let registration = json!({
                "id": "watched", "method": DidChangeWatchedFiles::METHOD,
                "registerOptions": {"watchers": watchers},
            });
            let params = json!({"registrations": [registration]});
            self.client.request(Purpose::Command, "client/registerCapability", params);
        }
        self.ask_for_settings();
    }

    fn ask_for_settings(&self) {
        if self.features.configuration {
            let item = |scope: Option<&Uri>| json!({"section": NAME, "scopeUri": scope});
            let items: Vec<Value> = match self.roots.is_empty() {
                true => vec![json!({"section": NAME})],
                false => self.roots.iter().map(|root| item(Some(root))).collect(),
            };
            let params = json!({"items": items});
            self.client.request(Purpose::Configuration, "workspace/configuration", params);
        }
    }

    /// Handles the client's response to a request of the server.
    fn answered(&mut self, response: Response) {
        match (self.client.answered(&response.id), response.response_result) {
            (Some(Purpose::Configuration), Ok(Value::Array(settings))) => {
                self.mailbox.post(|updates| updates.settings = Some(settings));
            }
            (Some(Purpose::Progress), Ok(_)) => self.mailbox.post(|updates| updates.progress = true),
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
            document.change(id.version, params.content_changes, self.features.encoding);
            self.mailbox.edited(document);
        }
    }

    fn saved(&mut self, params: &DidSaveTextDocumentParams) {
        // A client that watches files reports saved ones by itself.
        if self.documents.contains_key(&key(&params.text_document.uri)) && !self.features.watches {
            self.mailbox.post(|updates| updates.discover = true);
        }
    }

    fn closed(&mut self, params: &DidCloseTextDocumentParams) {
        if let Some(document) = self.documents.remove(&key(&params.text_document.uri)) {
            self.mailbox.closed(&document.path);
        }
    }

    /// Handles changes on disk. Which units there are depends on the files and on the build information.
    fn changed_on_disk(&mut self, params: DidChangeWatchedFilesParams) {
        for change in params.changes {
            let Some(path) = uri::to_path(&change.uri).map(|path| tidy(&path)) else { continue };
            let is_source = SOURCE_EXTENSIONS.iter().chain(HEADER_EXTENSIONS).any(|extension| {
                path.file_name().is_some_and(|name| name.to_string_lossy().ends_with(extension))
            });
            let discover = !is_source || change.typ != lsp_types::FileChangeType::CHANGED;
            if !discover && self.documents.values().any(|document| document.path == path) {
                // Its text is the editor's.
                continue;
            }
            self.mailbox.post(|updates| {
                updates.on_disk.insert(path);
                updates.discover |= discover;
            });
        }
    }

    fn moved(&mut self, params: DidChangeWorkspaceFoldersParams) {
        let gone: Vec<Uri> = params.event.removed.into_iter().map(|folder| folder.uri).collect();
        self.roots.retain(|root| !gone.contains(root));
        self.roots.extend(params.event.added.into_iter().map(|folder| folder.uri));
        let paths = paths(&self.roots);
        self.mailbox.post(|updates| updates.roots = Some(paths));
        self.ask_for_settings();
    }

    /// Handles changed settings: requests them, or takes them from the notification.
    fn configured(&mut self, params: Value) {
        if self.features.configuration {
            return self.ask_for_settings();
        }
        let settings = &params["settings"];
        let own = if settings[NAME].is_object() { &settings[NAME] } else { settings };
        if own.is_object() {
            let all = vec![own.clone(); self.roots.len().max(1)];
            self.mailbox.post(|updates| updates.settings = Some(all));
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

/// The workspace folders, or the root that older clients send instead.
#[expect(deprecated, reason = "clients from before workspace folders send only the root")]
fn roots(params: &InitializeParams) -> Vec<Uri> {
    let folders = params.workspace_folders.iter().flatten().map(|folder| folder.uri.clone());
    let mut uris: Vec<Uri> = folders.collect();
    if uris.is_empty() {
        uris.extend(params.root_uri.clone());
    }
    uris
}

/// The directories of folders; `None` for one that is not on disk, since settings come in the order of folders.
fn paths(roots: &[Uri]) -> Vec<Option<PathBuf>> {
    roots.iter().map(|uri| uri::to_path(uri).map(|path| tidy(&path))).collect()
}

fn refusal(id: RequestId, code: ErrorCode, message: String) -> Response {
    Response::new_err(id, code as i32, message)
}
