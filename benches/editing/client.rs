//! A client of the language server at the other end of a pipe.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::project::{Change, Text};

/// The server as a process, and what it has said.
pub(super) struct Client {
    child: Child,
    input: Option<ChildStdin>,
    heard: Receiver<(Instant, Value)>,
    folder: PathBuf,
    /// The newest diagnostics of each file, their version, and when they came.
    published: BTreeMap<String, (Option<i64>, Instant, Value)>,
    next_request: i64,
    /// How many requests were answered with a result, and how many with an error.
    pub(super) answers: (usize, usize),
}

impl Client {
    /// Starts a server over a folder.
    pub(super) fn start(folder: &Path, settings: &Value) -> Client {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cuda-arch-lint"));
        command.arg("lsp").current_dir(folder).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let (sender, heard) = channel();
        thread::spawn(move || read_all(output, |at, message| sender.send((at, message)).is_ok()));
        let input = child.stdin.take();
        let (published, answers) = (BTreeMap::new(), (0, 0));
        let folder = folder.to_path_buf();
        let mut client = Client { child, input, heard, folder, published, next_request: 1, answers };
        let root = format!("file://{}", client.folder.display());
        client.request(
            "initialize",
            json!({
                "processId": null, "rootUri": root, "workspaceFolders": [{"uri": root, "name": "project"}],
                "initializationOptions": settings,
                "capabilities": {"textDocument": {
                    "publishDiagnostics": {"relatedInformation": true, "versionSupport": true},
                }},
            }),
        );
        client.notify("initialized", json!({}));
        client
    }

    fn send(&mut self, message: &Value) -> Instant {
        let body = message.to_string();
        let frame = format!("Content-Length: {}\r\n\r\n{body}", body.len());
        let input = self.input.as_mut().expect("open until the end");
        input.write_all(frame.as_bytes()).expect("the server reads");
        Instant::now()
    }

    fn notify(&mut self, method: &str, params: Value) -> Instant {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}))
    }

    /// Sends a request; its number.
    pub(super) fn request(&mut self, method: &str, params: Value) -> i64 {
        let id = self.next_request;
        self.next_request += 1;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        id
    }

    /// Takes a request back.
    pub(super) fn cancel(&mut self, id: i64) {
        self.notify("$/cancelRequest", json!({"id": id}));
    }

    pub(super) fn uri(&self, name: &str) -> String {
        format!("file://{}", self.folder.join(name).display())
    }

    pub(super) fn open(&mut self, text: &Text) {
        let document = json!({
            "uri": self.uri(text.name), "languageId": "cuda", "version": text.version, "text": text.text(),
        });
        self.notify("textDocument/didOpen", json!({"textDocument": document}));
    }

    /// Sends an edit; the moment it was written.
    pub(super) fn change(&mut self, text: &Text, change: Change) -> Instant {
        let at = |(line, character)| json!({"line": line, "character": character});
        let range = json!({"start": at(change.start), "end": at(change.end)});
        let document = json!({"uri": self.uri(text.name), "version": text.version});
        let params =
            json!({"textDocument": document, "contentChanges": [{"range": range, "text": change.text}]});
        self.notify("textDocument/didChange", params)
    }

    /// Waits for the diagnostics of a text's newest version; the moment they came.
    pub(super) fn wait_for(&mut self, text: &Text, patience: Duration) -> Instant {
        let (uri, deadline) = (self.uri(text.name), Instant::now() + patience);
        loop {
            if let Some((version, at, _)) = self.published.get(&uri)
                && *version == Some(text.version)
            {
                return *at;
            }
            assert!(self.hear(deadline), "no diagnostics of {} in version {}", text.name, text.version);
        }
    }

    /// Hears what was said until there is nothing more for a while.
    pub(super) fn drain(&mut self) {
        while self.hear(Instant::now() + Duration::from_millis(500)) {}
    }

    /// Takes in one message; says whether one came in time.
    fn hear(&mut self, deadline: Instant) -> bool {
        let (at, message) = match self.heard.recv_timeout(deadline.saturating_duration_since(Instant::now()))
        {
            Ok(heard) => heard,
            Err(RecvTimeoutError::Timeout) => return false,
            Err(RecvTimeoutError::Disconnected) => panic!("the server has ended"),
        };
        if message["method"] == "textDocument/publishDiagnostics" {
            let params = &message["params"];
            let uri = params["uri"].as_str().expect("a file").to_string();
            self.published.insert(uri, (params["version"].as_i64(), at, params["diagnostics"].clone()));
        } else if message.get("result").is_some() {
            self.answers.0 += 1;
        } else if message.get("error").is_some() {
            self.answers.1 += 1;
        }
        true
    }

    /// The newest diagnostics of each file that has any.
    pub(super) fn diagnostics(&self) -> BTreeMap<String, Value> {
        let some = |diagnostics: &Value| diagnostics.as_array().is_some_and(|list| !list.is_empty());
        let all = self.published.iter().filter(|(_, (_, _, diagnostics))| some(diagnostics));
        all.map(|(uri, (_, _, diagnostics))| (uri.clone(), diagnostics.clone())).collect()
    }

    /// The server's memory as the kernel counts it: now, and at its peak.
    pub(super) fn memory(&self) -> String {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let megabytes = |key: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(key));
            let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
            kilobytes.map_or("?".to_string(), |kilobytes| (kilobytes >> 10).to_string())
        };
        format!("{} MB resident, {} MB at the peak", megabytes("VmRSS:"), megabytes("VmHWM:"))
    }

    /// How long the server has run on any processor so far, in the kernel's ticks of 10 ms.
    pub(super) fn processor_time(&self) -> Duration {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).unwrap_or_default();
        // Behind the name, which is in parentheses: the state is field 3, user and system time are 14 and 15.
        let fields = stat.rsplit_once(") ").map_or("", |(_, fields)| fields).split_whitespace();
        let ticks: u64 = fields.skip(11).take(2).filter_map(|field| field.parse::<u64>().ok()).sum();
        Duration::from_millis(10 * ticks)
    }

    /// Shuts the server down.
    pub(super) fn end(mut self) {
        self.request("shutdown", Value::Null);
        self.drain();
        self.notify("exit", json!({}));
        drop(self.input.take());
        assert_eq!(self.child.wait().expect("it ends").code(), Some(0));
    }
}

/// Hands on each message with the moment its last byte was read.
fn read_all(mut output: BufReader<ChildStdout>, mut hand_on: impl FnMut(Instant, Value) -> bool) {
    loop {
        let mut length = 0;
        loop {
            let mut line = String::new();
            match output.read_line(&mut line) {
                Ok(0) | Err(_) => return,
                Ok(_) => {}
            }
            match line.trim_end().strip_prefix("Content-Length: ") {
                Some(number) => length = number.parse().expect("a number"),
                None if line == "\r\n" => break,
                None => {}
            }
        }
        let mut body = vec![0; length];
        if output.read_exact(&mut body).is_err() {
            return;
        }
        let at = Instant::now();
        if !hand_on(at, serde_json::from_slice(&body).expect("JSON")) {
            return;
        }
    }
}
