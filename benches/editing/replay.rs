//! Edits as an hour of work has them, faster: bursts of typing, changed conditions, lines that come and go, edits of
//! the header, requests between, some of them taken back.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::client::Client;
use super::mix::{KINDS, Typing, next_kind};
use super::project::{SLOT, Text};

/// Texts that leave a source broken for a while.
const BROKEN: &[&str] = &["(", "}", "/* unfinished", "\"", "R\"(", "<<<1, 1>>>"];

/// Lines that replace one another, so that findings come and go.
const TURNS: &[(&str, &str)] = &[
    ("#if HAS_ASYNC_COPY", "#if !HAS_ASYNC_COPY"),
    ("#if __CUDA_ARCH__ >= 900", "#if __CUDA_ARCH__ >= 700"),
    ("typedef float accumulator;", "typedef int accumulator;"),
    ("struct Shape { int rows; int columns; };", "struct Shape { int rows; long columns; };"),
    ("float const *in, int count) {", "float const *in, long count) {"),
];

/// A line that comes and goes.
const LINE: &str = "__device__ int inserted;";

/// Makes so many edits or a few more, and waits for the diagnostics of the last.
pub(super) fn replay(client: &mut Client, [source, header]: [&mut Text; 2], edits: usize) {
    let begun = Instant::now();
    let (mut done, mut told) = (0, 0);
    let mut made = vec![0; KINDS.len()];
    while done < edits {
        let text = if fastrand::usize(..20) == 0 { &mut *header } else { &mut *source };
        done += match fastrand::usize(..16) {
            0 => turn(client, text),
            1 => line(client, text),
            2 => broken(client, text),
            _ => {
                let number = next_kind(&made);
                let text = if KINDS[number].in_header { &mut *header } else { &mut *source };
                let count = typing(client, text, number);
                made[number] += count.max(1);
                count
            }
        };
        if done * 10 / edits > told {
            told = done * 10 / edits;
            settle(client, [source, header]);
            println!("{done} edits in {:.0?}: {}", begun.elapsed(), client.memory());
        }
    }
    settle(client, [source, header]);
    client.drain();
    println!("{} requests answered, {} refused or taken back", client.answers.0, client.answers.1);
}

/// Waits for the diagnostics of the newest texts.
fn settle(client: &mut Client, texts: [&Text; 2]) {
    for text in texts {
        client.wait_for(text, Duration::from_secs(120));
    }
}

/// A key that is pressed may be followed by a question, which may be taken back, or by a pause.
fn between(client: &mut Client, text: &Text) {
    match fastrand::usize(..30) {
        0 | 1 => ask(client, text),
        2 | 3 => {
            client.wait_for(text, Duration::from_secs(120));
        }
        4 | 5 => std::thread::sleep(Duration::from_millis(fastrand::u64(..60))),
        _ => {}
    }
}

/// Types a snippet of a kind and takes it back.
fn typing(client: &mut Client, text: &mut Text, kind: usize) -> usize {
    let Some(mut typing) = Typing::start(&KINDS[kind], text) else { return 0 };
    let mut count = 0;
    while let Some(change) = typing.next(text) {
        client.change(text, change);
        between(client, text);
        count += 1;
    }
    count
}

/// Types what leaves the text broken, and takes it back.
fn broken(client: &mut Client, text: &mut Text) -> usize {
    let Some(line) = text.find(|line| line.ends_with(SLOT)) else { return 0 };
    let (column, snippet) = (text.line(line).len(), BROKEN[fastrand::usize(..BROKEN.len())]);
    let change = text.edit(line, column, 0, snippet);
    client.change(text, change);
    between(client, text);
    let change = text.edit(line, column, snippet.len(), "");
    client.change(text, change);
    between(client, text);
    2
}

/// Makes a line say something else.
fn turn(client: &mut Client, text: &mut Text) -> usize {
    let (one, other) = TURNS[fastrand::usize(..TURNS.len())];
    let (old, new) = if fastrand::bool() { (one, other) } else { (other, one) };
    let Some(line) = text.find(|line| line.contains(old)) else { return 0 };
    let new = text.line(line).replace(old, new);
    let change = text.replace_line(line, &new);
    client.change(text, change);
    between(client, text);
    1
}

/// Puts a line in, or takes one away that was put in.
fn line(client: &mut Client, text: &mut Text) -> usize {
    let change = match text.find(|line| line == LINE) {
        Some(line) => text.remove_line(line),
        // Between two declarations.
        None => match text.find(str::is_empty) {
            Some(line) => text.insert_line(line, LINE),
            None => return 0,
        },
    };
    client.change(text, change);
    between(client, text);
    1
}

/// Asks about a place as editors do.
fn ask(client: &mut Client, text: &Text) {
    let line = fastrand::usize(..text.line_count());
    let document = json!({"uri": client.uri(text.name)});
    let position = json!({"line": line, "character": 4});
    let whole =
        json!({"start": {"line": 0, "character": 0}, "end": {"line": text.line_count(), "character": 0}});
    let here = json!({"start": position, "end": position});
    let (method, more): (&str, Value) = match fastrand::usize(..5) {
        0 => ("textDocument/hover", json!({"position": position})),
        1 => ("textDocument/codeLens", json!({})),
        2 => ("textDocument/inlayHint", json!({"range": whole})),
        3 => ("textDocument/documentSymbol", json!({})),
        _ => ("textDocument/codeAction", json!({"range": here, "context": {"diagnostics": []}})),
    };
    let mut params = more;
    params["textDocument"] = document;
    let id = client.request(method, params);
    if fastrand::bool() {
        client.cancel(id);
    }
}
