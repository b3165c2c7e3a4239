//! The language server: a session of messages, a line each. What begins with a header is the client's bytes as they are.

#![no_main]

use std::io::{BufReader, Cursor, sink};
use std::path::PathBuf;
use std::sync::LazyLock;

use cuda_arch_lint::lsp::serve_streams;
use cuda_arch_lint_fuzz::directory;
use libfuzzer_sys::fuzz_target;

static DIRECTORY: LazyLock<PathBuf> = LazyLock::new(directory);

const HEADER: &[u8] = b"Content-Length";

/// Folders of a workspace that are not the session's own would be searched: this machine's files are no input.
const OTHER_FOLDERS: [&[u8]; 3] = [b"orkspaceFolders", b"rootUri", b"rootPath"];

fuzz_target!(|data: &[u8]| {
    if OTHER_FOLDERS.iter().any(|word| data.windows(word.len()).any(|window| window == *word)) {
        return;
    }
    let root = format!("file://{}", DIRECTORY.display());
    let mut stream = Vec::new();
    let mut message = |body: &[u8]| {
        stream.extend(format!("Content-Length: {}\r\n\r\n", body.len()).bytes());
        stream.extend(body);
    };
    let initialize = format!(
        r#"{{"jsonrpc":"2.0","id":0,"method":"initialize","params":{{"capabilities":{{}},"rootUri":"{root}"}}}}"#
    );
    message(initialize.as_bytes());
    message(br#"{"jsonrpc":"2.0","method":"initialized","params":{}}"#);
    if data.starts_with(HEADER) {
        stream.extend(data);
    } else {
        data.split(|byte| *byte == b'\n').for_each(&mut message);
        message(br#"{"jsonrpc":"2.0","id":"last","method":"shutdown"}"#);
        message(br#"{"jsonrpc":"2.0","method":"exit"}"#);
    }
    serve_streams(BufReader::new(Cursor::new(stream)), sink());
});
