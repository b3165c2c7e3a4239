//! The language server as a client sees it: transcripts through memory, and one through a pipe.

mod actions;
mod passes;
mod pipe;
mod replay;
mod requests;
mod workspace;

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::fs;
use std::path::Path;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use cuda_arch_lint::analysis::analyse;
use cuda_arch_lint::finding::Reported;
use cuda_arch_lint::lsp::{Ended, serve};
use cuda_arch_lint::project::{Settings, discover};
use cuda_arch_lint::source::Sources;
use cuda_arch_lint::triage::{Policy, triage};
use lsp_server::{Connection, Message, Notification, Request, RequestId, Response, ResponseError};
use serde_json::{Value, json};
use tempfile::TempDir;

/// A type that differs by pass in a kernel's signature. The line of the kernel has a character of two
/// UTF-16 code units before the kernel's name.
const BAD: &str = "\
#ifdef __CUDA_ARCH__
typedef double scalar;
#else
typedef int scalar;
#endif
/*😀*/ __global__ void store(scalar value, scalar *out) { *out = value; }
";

const GOOD: &str =
    "typedef int scalar;\n__global__ void store(scalar value, scalar *out) { *out = value; }\n";

/// Longer than any analysis takes, so that a test fails instead of hanging.
const PATIENCE: Duration = Duration::from_secs(60);

/// A client, the server on a thread, and the workspace folder.
struct Client {
    connection: Connection,
    server: JoinHandle<Ended>,
    folder: TempDir,
    /// The server's messages that no test has looked at yet, without the responses to its requests.
    heard: RefCell<VecDeque<Message>>,
}

impl Client {
    /// A client whose workspace folder has these files, and that has initialized the server.
    fn start(files: &[(&str, &str)], options: Value, capabilities: Value) -> Client {
        let folder = tempfile::tempdir().expect("a temporary directory");
        for (name, text) in files {
            fs::write(folder.path().join(name), text).expect("a new file");
        }
        let client = Client::uninitialized(folder);
        client.initialized(client.initialize(options, capabilities));
        client
    }

    /// A client whose workspace folder is `root`.
    fn start_in(root: &Path, options: Value) -> Client {
        let client = Client::uninitialized(tempfile::tempdir().expect("a temporary directory"));
        client.initialized(initialize(root, options, related()));
        client
    }

    fn uninitialized(folder: TempDir) -> Client {
        let (connection, other) = Connection::memory();
        let server = thread::spawn(move || serve(&other));
        Client { connection, server, folder, heard: RefCell::default() }
    }

    fn initialized(&self, params: Value) {
        let answer = self.request("initialize", params);
        assert!(answer.is_ok(), "{answer:?}");
        self.notify("initialized", json!({}));
    }

    fn initialize(&self, options: Value, capabilities: Value) -> Value {
        initialize(self.folder.path(), options, capabilities)
    }

    fn uri(&self, name: &str) -> String {
        format!("file://{}", self.folder.path().join(name).display())
    }

    fn notify(&self, method: &str, params: Value) {
        let message = Notification::new(method.to_string(), params);
        self.connection.sender.send(message.into()).expect("the server listens");
    }

    fn open(&self, name: &str, text: &str) {
        self.notify("textDocument/didOpen", open(&self.uri(name), text));
    }

    /// Changes a whole document.
    fn change(&self, name: &str, version: i32, text: &str) {
        let document = json!({"uri": self.uri(name), "version": version});
        let params = json!({"textDocument": document, "contentChanges": [{"text": text}]});
        self.notify("textDocument/didChange", params);
    }

    /// Sends a request.
    fn send(&self, method: &str, id: i32, params: Value) {
        let message = Request::new(id.into(), method.to_string(), params);
        self.connection.sender.send(message.into()).expect("the server listens");
    }

    /// The answer to a request.
    fn response(&self, id: i32) -> Result<Value, ResponseError> {
        let of_request = |message: &Message| match message {
            Message::Response(response) if response.id == id.into() => Some(response.response_result.clone()),
            _ => None,
        };
        self.first(of_request)
    }

    /// Sends a request, and gives its answer.
    fn request(&self, method: &str, params: Value) -> Result<Value, ResponseError> {
        self.send(method, 7, params);
        self.response(7)
    }

    /// The result of a request.
    fn ask(&self, method: &str, params: Value) -> Value {
        self.request(method, params).unwrap_or_else(|error| panic!("{method}: {error:?}"))
    }

    /// The first message that gives something, the oldest not looked at first. Others stay for later.
    fn first<T>(&self, of: impl Fn(&Message) -> Option<T>) -> T {
        let mut heard = self.heard.borrow_mut();
        let mut at = 0;
        let end = Instant::now() + PATIENCE;
        loop {
            while at < heard.len() {
                if let Some(found) = of(&heard[at]) {
                    heard.remove(at);
                    return found;
                }
                at += 1;
            }
            let left = end.saturating_duration_since(Instant::now());
            heard.push_back(self.connection.receiver.recv_timeout(left).expect("the server says something"));
        }
    }

    /// The next notification of a method.
    fn notified(&self, method: &str) -> Value {
        self.first(|message| match message {
            Message::Notification(one) if one.method == method => Some(one.params.clone()),
            _ => None,
        })
    }

    /// The notifications of a method that came so far and were not looked at.
    fn heard(&self, method: &str) -> Vec<Value> {
        let heard = self.heard.borrow();
        let of_method = |message: &Message| match message {
            Message::Notification(one) if one.method == method => Some(one.params.clone()),
            _ => None,
        };
        heard.iter().filter_map(of_method).collect()
    }

    /// The server's next request with a method.
    fn next_asked(&self, method: &str) -> Request {
        self.first(|message| match message {
            Message::Request(one) if one.method == method => Some(one.clone()),
            _ => None,
        })
    }

    /// The server's next request with a method; it is answered with null.
    fn asked(&self, method: &str) -> Value {
        let request = self.next_asked(method);
        self.respond(request.id, Value::Null);
        request.params
    }

    fn respond(&self, id: RequestId, result: Value) {
        self.connection.sender.send(Response::new_ok(id, result).into()).expect("the server listens");
    }

    /// The diagnostics of a version of a document, once they are published.
    fn published(&self, name: &str, version: Option<i32>) -> Vec<Value> {
        self.published_at(&self.uri(name), version)
    }

    fn published_at(&self, uri: &str, version: Option<i32>) -> Vec<Value> {
        loop {
            let params = self.notified("textDocument/publishDiagnostics");
            if params["uri"] == uri && params["version"] == json!(version) {
                return params["diagnostics"].as_array().expect("a list").clone();
            }
        }
    }

    fn stop(self) {
        let answer = self.request("shutdown", Value::Null);
        assert!(answer.is_ok());
        self.notify("exit", Value::Null);
        assert_eq!(self.server.join().expect("no panic"), Ended::Orderly);
    }
}

fn initialize(folder: &Path, options: Value, capabilities: Value) -> Value {
    let uri = format!("file://{}", folder.display());
    json!({
        "processId": null,
        "rootUri": uri,
        "workspaceFolders": [{"uri": uri, "name": "w"}],
        "capabilities": capabilities,
        "initializationOptions": options,
    })
}

fn open(uri: &str, text: &str) -> Value {
    json!({"textDocument": {"uri": uri, "languageId": "cuda", "version": 1, "text": text}})
}

/// The capabilities of most clients.
fn related() -> Value {
    json!({"textDocument": {"publishDiagnostics": {"relatedInformation": true}}})
}

fn sm_80() -> Value {
    json!({"arch": ["80"]})
}

#[test]
fn a_finding_comes_and_goes_with_the_unsaved_text() {
    let client = Client::start(&[("a.cu", GOOD)], sm_80(), related());
    client.open("a.cu", BAD);
    let found = client.published("a.cu", Some(1));
    let [found] = &found[..] else { panic!("one diagnostic: {found:?}") };
    let place = |line: u32, from: u32, to: u32| json!({"start": {"line": line, "character": from}, "end": {"line": line, "character": to}});
    assert_eq!(found["range"], place(5, 23, 28));
    assert_eq!(found["code"], "arch-dependent-signature");
    assert_eq!((&found["severity"], &found["source"]), (&json!(1), &json!("cuda-arch-lint")));
    assert!(found["message"].as_str().expect("text").contains("`store` takes `(double, double *)`"));
    assert!(found.get("codeDescription").is_none());
    let deciding = &found["relatedInformation"].as_array().expect("a list").last().expect("one")["location"];
    assert_eq!((&deciding["uri"], &deciding["range"]), (&json!(client.uri("a.cu")), &place(0, 0, 20)));
    let data = &found["data"];
    assert_eq!(data["entity"], "store");
    assert_eq!(data["sides"][0]["passes"], json!(["host"]));
    assert_eq!(data["deciding"]["text"], "#ifdef __CUDA_ARCH__");

    // The condition goes, character by character as an editor sends it.
    let document = json!({"uri": client.uri("a.cu"), "version": 2});
    let cut = |from: u32, to: u32| json!({"range": {"start": {"line": from, "character": 0}, "end": {"line": to, "character": 0}}, "text": ""});
    let changes = json!([cut(0, 3), cut(1, 2)]);
    client.notify("textDocument/didChange", json!({"textDocument": document, "contentChanges": changes}));
    assert_eq!(client.published("a.cu", Some(2)), [json!(null); 0]);
    client.stop();
}

#[test]
fn columns_are_bytes_for_a_client_that_can() {
    let capabilities = json!({"general": {"positionEncodings": ["utf-8", "utf-16"]}});
    let client = Client::start(&[], sm_80(), capabilities);
    client.open("new.cu", BAD);
    let found = client.published("new.cu", Some(1));
    assert_eq!(found[0]["range"]["start"], json!({"line": 5, "character": 25}));
    assert!(found[0].get("relatedInformation").is_none());
    client.stop();
}

#[test]
fn the_units_that_include_a_header_see_its_unsaved_text() {
    let main = "#include \"t.h\"\n__global__ void store(scalar value) { }\n";
    let client = Client::start(&[("a.cu", main), ("t.h", "typedef int scalar;\n")], sm_80(), related());
    client.open("t.h", BAD.split("/*").next().expect("the typedefs"));
    let found = client.published("a.cu", None);
    assert_eq!(found[0]["data"]["entity"], "store");
    let deciding = found[0]["relatedInformation"].as_array().expect("a list").last().expect("one");
    assert_eq!(deciding["location"]["uri"], client.uri("t.h"));
    client.notify("textDocument/didClose", json!({"textDocument": {"uri": client.uri("t.h")}}));
    assert_eq!(client.published("a.cu", None), [json!(null); 0]);
    client.stop();
}

#[test]
fn a_header_that_nothing_includes_is_looked_at_alone() {
    let outside = tempfile::tempdir().expect("a temporary directory");
    let client = Client::start(&[("a.cu", GOOD)], sm_80(), related());
    let uri = format!("file://{}/lone.h", outside.path().display());
    client.notify("textDocument/didOpen", open(&uri, BAD));
    loop {
        let params = client.notified("textDocument/publishDiagnostics");
        if params["uri"] == uri && params["diagnostics"].as_array().expect("a list").len() == 1 {
            break;
        }
    }
    client.stop();
}

#[test]
fn files_that_came_are_found_at_the_next_save() {
    let client = Client::start(&[("a.cu", GOOD)], sm_80(), related());
    client.open("a.cu", GOOD);
    assert_eq!(client.published("a.cu", Some(1)), [json!(null); 0]);
    fs::write(client.folder.path().join("b.cu"), BAD).expect("a new file");
    client.notify("textDocument/didSave", json!({"textDocument": {"uri": client.uri("a.cu")}}));
    assert_eq!(client.published("b.cu", None).len(), 1);
    client.stop();
}

#[test]
fn the_last_of_many_edits_counts() {
    let client = Client::start(&[("a.cu", GOOD)], sm_80(), related());
    client.open("a.cu", GOOD);
    for version in 2..200 {
        client.change("a.cu", version, &format!("{BAD}// {version}\n"));
    }
    client.change("a.cu", 200, GOOD);
    assert_eq!(client.published("a.cu", Some(200)), [json!(null); 0]);
    client.change("a.cu", 201, BAD);
    assert_eq!(client.published("a.cu", Some(201)).len(), 1);
    client.stop();
}

#[test]
fn a_workspace_has_the_findings_of_the_command_line() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let sources = Sources::new();
    let settings = Settings { targets: vec!["80".into()], ..Settings::default() };
    let project = discover(std::slice::from_ref(&corpus), &settings, &sources).expect("a project");
    let analysis = analyse(&project.all_units(), &sources);
    let (reported, _) = triage(analysis.findings, &analysis.files, &Policy::default(), &sources);
    let text = |one: &Reported| format!("{} {}", one.finding.rule, one.finding.message);
    let mut expected: Vec<String> = reported.iter().map(text).collect();
    expected.sort();

    let client = Client::start_in(&corpus, sm_80());
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let all = |found: &BTreeMap<String, Vec<String>>| {
        let mut all: Vec<String> = found.values().flatten().cloned().collect();
        all.sort();
        all
    };
    while all(&found) != expected {
        let params = client.notified("textDocument/publishDiagnostics");
        let of_file = params["diagnostics"].as_array().expect("a list").iter();
        let of_file = of_file.filter(|one| one.get("code").is_some());
        let text = |value: &Value| value.as_str().expect("text").to_string();
        let of_file = of_file.map(|one| format!("{} {}", text(&one["code"]), text(&one["message"])));
        found.insert(text(&params["uri"]), of_file.collect());
    }
    client.stop();
}

#[test]
fn a_bad_setting_is_shown_and_the_rest_works() {
    let client = Client::start(&[], json!({"arch": ["80", "81"], "rdc": true}), related());
    let message = client.notified("window/showMessage");
    assert_eq!(message["type"], 1);
    assert!(message["message"].as_str().expect("text").contains("`arch`: "), "{message}");
    client.open("a.cu", BAD);
    assert_eq!(client.published("a.cu", Some(1)).len(), 1);
    client.stop();
}

#[test]
fn broken_messages_do_no_harm() {
    let client = Client::uninitialized(tempfile::tempdir().expect("a temporary directory"));
    let code = |method: &str, params: Value| client.request(method, params).expect_err("an error").code;
    assert_eq!(code("textDocument/hover", json!({})), -32002, "not initialized");
    assert_eq!(code("initialize", json!({"capabilities": 7})), -32602, "invalid parameters");
    client.initialized(client.initialize(sm_80(), related()));
    assert_eq!(code("initialize", client.initialize(sm_80(), related())), -32600, "a second time");
    assert_eq!(code("workspace/symbol", json!({"query": ""})), -32601, "unknown");

    client.notify("textDocument/didChange", json!({"textDocument": {"uri": 3}}));
    let logged = client.notified("window/logMessage");
    assert!(logged["message"].as_str().expect("text").contains("`textDocument/didChange`"), "{logged}");
    client.notify("textDocument/didOpen", open("untitled:1", BAD));
    client.change("unopened.cu", 2, BAD);
    client.notify("$/unknown", json!({}));
    client.open("a.cu", BAD);
    assert_eq!(client.published("a.cu", Some(1)).len(), 1);

    assert!(client.request("shutdown", Value::Null).is_ok());
    assert_eq!(code("textDocument/hover", json!({})), -32600, "shut down");
    client.notify("exit", Value::Null);
    assert_eq!(client.server.join().expect("no panic"), Ended::Orderly);
}

#[test]
fn a_client_that_vanishes_ends_the_server() {
    let Client { connection, server, folder: _folder, .. } =
        Client::start(&[("a.cu", BAD)], sm_80(), related());
    drop(connection);
    assert_eq!(server.join().expect("no panic"), Ended::Abruptly);
}

#[test]
fn the_editor_reports_what_the_command_line_reports() {
    let config = "arch = ['80']\n[[overrides]]\npaths = ['quiet*.cu']\nrules = { all = 'off' }\n[rules]\nCAL001 = 'note'\n";
    let allowed = format!("// cuda-arch-lint: allow-file(CAL001)\n{BAD}");
    let files = [("cuda-arch-lint.toml", config), ("quiet.cu", BAD), ("b.cu", BAD), ("c.cu", &allowed)];
    let client = Client::start(&files, json!({}), related());
    client.open("b.cu", BAD);
    let found = client.published("b.cu", Some(1));
    assert_eq!((found.len(), &found[0]["severity"]), (1, &json!(3)), "{found:?}");
    client.open("quiet.cu", BAD);
    assert_eq!(client.published("quiet.cu", Some(1)), [json!(null); 0]);
    client.open("c.cu", &allowed);
    assert_eq!(client.published("c.cu", Some(1)), [json!(null); 0]);
    client.change("c.cu", 2, &allowed.replace("CAL001", "CAL005"));
    let found = client.published("c.cu", Some(2));
    let messages: Vec<String> = found.iter().map(|one| one["message"].to_string()).collect();
    assert!(messages.len() == 2 && messages[1].contains("allows nothing"), "{messages:?}");
    assert_eq!((found[0].get("tags"), &found[1]["tags"]), (None, &json!([1])), "what is of no use is greyed");
    client.stop();
}
