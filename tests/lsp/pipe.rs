//! The program itself, with its standard streams as pipes.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use super::{BAD, initialize, open, related, sm_80};

/// The program and what it says.
struct Piped {
    child: Child,
    output: BufReader<std::process::ChildStdout>,
}

impl Piped {
    fn start(folder: &Path) -> Piped {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cuda-arch-lint"));
        command.arg("lsp").current_dir(folder).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        Piped { child, output }
    }

    /// Sends a body in its frame.
    fn send(&mut self, body: Value) {
        let body = body.to_string();
        self.write(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
    }

    fn write(&mut self, bytes: &[u8]) {
        self.child.stdin.as_mut().expect("a pipe").write_all(bytes).expect("the server reads");
    }

    /// The next message that has this field.
    fn receive(&mut self, field: &str) -> Value {
        loop {
            let message = self.frame();
            if message.get(field).is_some() {
                return message;
            }
        }
    }

    fn frame(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert_ne!(self.output.read_line(&mut line).expect("text"), 0, "not the end");
            match line.trim_end().strip_prefix("Content-Length: ") {
                Some(number) => length = number.parse().expect("a number"),
                None if line == "\r\n" => break,
                None => {}
            }
        }
        let mut body = vec![0; length];
        self.output.read_exact(&mut body).expect("a body");
        serde_json::from_slice(&body).expect("JSON")
    }

    fn code(mut self) -> Option<i32> {
        drop(self.child.stdin.take());
        self.child.wait().expect("it ends").code()
    }
}

#[test]
fn the_program_serves_a_pipe() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let mut server = Piped::start(folder.path());
    let params = initialize(folder.path(), sm_80(), related());
    server.send(json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}));
    let answer = server.receive("result");
    assert_eq!(answer["result"]["capabilities"]["textDocumentSync"]["change"], 2);
    assert_eq!(answer["result"]["capabilities"]["positionEncoding"], "utf-16");
    server.send(json!({"jsonrpc": "2.0", "method": "initialized", "params": {}}));
    let uri = format!("file://{}/a%20b.cu", folder.path().display());
    server.send(json!({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": open(&uri, BAD)}));
    let published = server.receive("params");
    assert_eq!(published["params"]["uri"], uri);
    assert_eq!(published["params"]["diagnostics"][0]["code"], "arch-dependent-signature");
    server.send(json!({"jsonrpc": "2.0", "id": "two", "method": "shutdown"}));
    assert_eq!(server.receive("id"), json!({"jsonrpc": "2.0", "id": "two", "result": null}));
    server.send(json!({"jsonrpc": "2.0", "method": "exit"}));
    assert_eq!(server.code(), Some(0));
}

#[test]
fn the_program_says_when_it_was_not_shut_down() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let mut server = Piped::start(folder.path());
    let params = initialize(folder.path(), sm_80(), related());
    server.send(json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}));
    server.receive("result");
    server.send(json!({"jsonrpc": "2.0", "method": "exit"}));
    assert_eq!(server.code(), Some(1));
}

#[test]
fn broken_and_huge_frames_are_answered_and_the_session_goes_on() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let mut server = Piped::start(folder.path());
    let mut refused = |bytes: &[u8]| {
        server.write(bytes);
        let answer = server.receive("error");
        assert_eq!(answer["id"], Value::Null, "{answer}");
        answer["error"]["code"].as_i64().expect("a code")
    };
    assert_eq!(refused(b"Content-Length: 9\r\n\r\n{\"id\": 1]"), -32700);
    assert_eq!(refused(b"Content-Length: 2\r\n\r\n{}"), -32600);
    assert_eq!(refused(b"Content-Length: many\r\n\r\n"), -32700);
    assert_eq!(refused(b"\xff\xfe\r\n\r\n"), -32700);
    let length = (64 << 20) + 1;
    let mut huge = format!("Content-Length: {length}\r\n\r\n").into_bytes();
    huge.resize(huge.len() + length, b'x');
    assert_eq!(refused(&huge), -32600);
    let params = initialize(folder.path(), sm_80(), related());
    server.send(json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}));
    assert!(server.receive("result")["result"]["capabilities"].is_object());
    server.send(json!({"jsonrpc": "2.0", "method": "initialized", "params": {}}));
    server.write(b"Content-Length: 3\r\n\r\n{]}");
    assert_eq!(server.receive("error")["error"]["code"], -32700);
    let uri = format!("file://{}/a.cu", folder.path().display());
    server.send(json!({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": open(&uri, BAD)}));
    assert_eq!(server.receive("params")["params"]["diagnostics"][0]["code"], "arch-dependent-signature");
    server.send(json!({"jsonrpc": "2.0", "id": 2, "method": "shutdown"}));
    assert_eq!(server.receive("result")["id"], 2);
    server.send(json!({"jsonrpc": "2.0", "method": "exit"}));
    assert_eq!(server.code(), Some(0));
}
