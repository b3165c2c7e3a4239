//! Many edits, faster than they are analysed, end with what a server says that sees the last texts alone.

use serde_json::{Value, json};

use super::{Client, related, sm_80};

const HEADER: &str = "\
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#define ASYNC 1
#else
#define ASYNC 0
#endif
#ifdef __CUDA_ARCH__
typedef double scalar;
#else
typedef int scalar;
#endif
";

const MAIN: &str = "\
#include \"t.h\"
__global__ void store(scalar value) { }
__global__ void plain(float *out) {
  out[0] = 1.0f;
}
#if ASYNC
__global__ void only(int) { }
#endif
void run() {
  plain<<<1, 1>>>(nullptr);
}
";

/// Texts that are inserted somewhere, and may be removed again.
const PIECES: &[&str] = &[
    " float added;",
    "{",
    "}",
    "/*",
    "*/",
    "\"",
    "\n",
    "\n#if ASYNC\n#endif\n",
    " store<<<1, 1>>>(1);",
    "scalar ",
    "\n#define float scalar\n",
];

/// A document as the client has it.
struct Text {
    name: &'static str,
    version: i32,
    text: String,
}

impl Text {
    /// Puts a piece in, or takes some characters away; every text is ASCII.
    fn edit(&mut self, client: &Client) {
        let at = fastrand::usize(..=self.text.len());
        let (removed, piece) = match fastrand::usize(..3) {
            0 => (fastrand::usize(..12).min(self.text.len() - at), ""),
            _ => (0, PIECES[fastrand::usize(..PIECES.len())]),
        };
        let range = json!({"start": self.position(at), "end": self.position(at + removed)});
        self.text.replace_range(at..at + removed, piece);
        self.version += 1;
        let document = json!({"uri": client.uri(self.name), "version": self.version});
        let change = json!({"range": range, "text": piece});
        let params = json!({"textDocument": document, "contentChanges": [change]});
        client.notify("textDocument/didChange", params);
    }

    fn position(&self, at: usize) -> Value {
        let before = &self.text[..at];
        let column = at - before.rfind('\n').map_or(0, |end| end + 1);
        json!({"line": before.matches('\n').count(), "character": column})
    }
}

/// The diagnostics of a new server for these texts.
fn fresh(texts: &[Text; 2]) -> Vec<Vec<Value>> {
    let client = Client::start(&[("t.h", HEADER), ("a.cu", MAIN)], sm_80(), related());
    texts.iter().for_each(|text| client.open(text.name, &text.text));
    // Once both are open, the second's diagnostics are of both.
    client.published(texts[1].name, Some(1));
    settled(&client, texts)
}

/// The diagnostics of each text when there is nothing left to do.
fn settled(client: &Client, texts: &[Text; 2]) -> Vec<Vec<Value>> {
    // The whole workspace is asked for, which waits for all of it.
    let all = client.ask("workspace/diagnostic", json!({"previousResultIds": []}));
    let items = all["items"].as_array().expect("a list").clone();
    let of = |text: &Text| {
        let uri = json!(client.uri(text.name));
        let item = items.iter().find(|item| item["uri"] == uri);
        let list = item.and_then(|item| item["items"].as_array()).cloned().unwrap_or_default();
        // Each client has a folder of its own.
        let text = Value::from(list).to_string().replace(&client.uri(""), "file:///");
        serde_json::from_str::<Vec<Value>>(&text.replace(&client.folder.path().display().to_string(), ""))
            .expect("JSON")
    };
    texts.iter().map(of).collect()
}

#[test]
fn a_replay_of_edits_ends_with_the_findings_of_a_fresh_run() {
    fastrand::seed(7);
    for round in 0..4 {
        let client = Client::start(&[("t.h", HEADER), ("a.cu", MAIN)], sm_80(), related());
        let new = |name, text: &str| Text { name, version: 1, text: text.into() };
        let mut texts = [new("t.h", HEADER), new("a.cu", MAIN)];
        texts.iter().for_each(|text| client.open(text.name, &text.text));
        let mut waited = 1;
        for edit in 0..120 {
            texts[usize::from(fastrand::usize(..8) > 0)].edit(&client);
            if fastrand::usize(..6) == 0 {
                let document = json!({"uri": client.uri("a.cu")});
                let position = json!({"line": fastrand::usize(..12), "character": 3});
                client.send(
                    "textDocument/hover",
                    edit,
                    json!({"textDocument": document, "position": position}),
                );
                client.notify("$/cancelRequest", json!({"id": edit}));
            }
            if fastrand::usize(..4) == 0 && waited < texts[1].version {
                waited = texts[1].version;
                client.published("a.cu", Some(waited));
            }
        }
        assert_eq!(settled(&client, &texts), fresh(&texts), "round {round}: {}", texts[1].text);
        client.stop();
    }
}
