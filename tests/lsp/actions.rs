//! Code actions: what mends a finding, keeps it quiet, explains it.

use std::fs;

use serde_json::{Value, json};

use super::{BAD, Client, GOOD, related, sm_80};

/// The actions at a line.
fn actions(client: &Client, name: &str, line: u32) -> Vec<Value> {
    let place = |character: u32| json!({"line": line, "character": character});
    let params = json!({
        "textDocument": {"uri": client.uri(name)},
        "range": {"start": place(0), "end": place(80)},
        "context": {"diagnostics": []},
    });
    client.ask("textDocument/codeAction", params).as_array().expect("a list").clone()
}

fn titled<'a>(actions: &'a [Value], start: &str) -> &'a Value {
    let found =
        actions.iter().find(|action| action["title"].as_str().is_some_and(|title| title.starts_with(start)));
    found.unwrap_or_else(|| panic!("no action `{start}`: {actions:?}"))
}

/// The edits as a change of version 2, sent as the client's own.
fn apply(client: &Client, name: &str, edits: &Value) {
    let mut edits: Vec<Value> = edits.as_array().expect("edits").clone();
    // From the end, so that places before stay what they are.
    edits.sort_by_key(|edit| {
        std::cmp::Reverse((
            edit["range"]["start"]["line"].as_u64(),
            edit["range"]["start"]["character"].as_u64(),
        ))
    });
    let changes: Vec<Value> =
        edits.iter().map(|edit| json!({"range": edit["range"], "text": edit["newText"]})).collect();
    let document = json!({"uri": client.uri(name), "version": 2});
    client.notify("textDocument/didChange", json!({"textDocument": document, "contentChanges": changes}));
}

#[test]
fn a_fix_is_applied_and_the_finding_goes() {
    let client = Client::start(&[("a.cu", GOOD)], sm_80(), related());
    client.open("a.cu", BAD);
    client.published("a.cu", Some(1));
    assert_eq!(actions(&client, "a.cu", 1), [json!(null); 0], "no finding there");
    let found = actions(&client, "a.cu", 5);
    let fix = &found[0];
    // It changes a type in some pass, so an editor does not do it unasked.
    assert_eq!((&fix["kind"], &fix["isPreferred"]), (&json!("quickfix"), &json!(false)));
    assert_eq!(fix["data"], json!({"kind": "lift", "applicability": "suggested"}));
    assert_eq!(fix["title"], "Suggested: Lift `typedef int scalar;` out of the guard, for every pass");
    assert_eq!(fix["diagnostics"][0]["code"], "arch-dependent-signature");
    apply(&client, "a.cu", &fix["edit"]["changes"][client.uri("a.cu")]);
    assert_eq!(client.published("a.cu", Some(2)), [json!(null); 0]);
    client.stop();
}

#[test]
fn a_safe_fix_is_preferred() {
    let text = "#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900\n__global__ void sum(int *out) { *out = 1; }\n#endif\n";
    let client = Client::start(&[("a.cu", GOOD)], sm_80(), related());
    client.open("a.cu", text);
    client.published("a.cu", Some(1));
    let fix = &actions(&client, "a.cu", 1)[0];
    assert_eq!(fix["title"], "Move the guard into the body of `sum`");
    assert_eq!((&fix["isPreferred"], &fix["data"]["applicability"]), (&json!(true), &json!("safe")));
    client.stop();
}

#[test]
fn edits_name_the_version_they_are_for() {
    let client =
        Client::start(&[], sm_80(), json!({"workspace": {"workspaceEdit": {"documentChanges": true}}}));
    client.open("a.cu", BAD);
    client.published("a.cu", Some(1));
    let found = actions(&client, "a.cu", 5);
    let change = &found[0]["edit"]["documentChanges"][0];
    assert_eq!(change["textDocument"], json!({"uri": client.uri("a.cu"), "version": 1}));
    client.stop();
}

#[test]
fn a_fix_may_edit_the_header_that_decides() {
    let header = BAD.split("/*").next().expect("the typedefs");
    let main = "#include \"t.h\"\n/*  😀       */ __global__ void store(scalar value) { }\n";
    let client = Client::start(&[("a.cu", main), ("t.h", header)], sm_80(), related());
    client.open("a.cu", main);
    client.published("a.cu", Some(1));
    let found = actions(&client, "a.cu", 1);
    let changes = found[0]["edit"]["changes"].as_object().expect("changes");
    assert_eq!(changes.keys().collect::<Vec<_>>(), [&client.uri("t.h")]);
    client.stop();
}

#[test]
fn what_very_many_units_read_is_left_to_the_command_line() {
    let main = "#include \"t.h\"\n__global__ void store(scalar value) { }\n";
    let header = BAD.split("/*").next().expect("the typedefs");
    let mut files: Vec<(String, &str)> = (0..33).map(|number| (format!("{number}.cu"), main)).collect();
    files.push(("t.h".into(), header));
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), *text)).collect();
    let client = Client::start(&files, sm_80(), related());
    client.open("0.cu", main);
    client.published("32.cu", None);
    let found = actions(&client, "0.cu", 1);
    let titles: Vec<&str> = found.iter().filter_map(|action| action["title"].as_str()).collect();
    // This client can't show documents, so that nothing is explained in one.
    assert_eq!(titles, ["Allow it here, and say why"]);
    client.stop();
}

#[test]
fn a_finding_is_allowed_in_a_comment() {
    let client = Client::start(&[], sm_80(), related());
    client.open("a.cu", BAD);
    client.published("a.cu", Some(1));
    let found = actions(&client, "a.cu", 5);
    let allow = titled(&found, "Allow it here");
    let edit = &allow["edit"]["changes"][client.uri("a.cu")];
    assert_eq!(edit[0]["newText"], "// cuda-arch-lint: allow(arch-dependent-signature) -- say why\n");
    apply(&client, "a.cu", edit);
    assert_eq!(client.published("a.cu", Some(2)), [json!(null); 0]);
    client.stop();
}

#[test]
fn a_rule_is_explained() {
    let client = Client::start(&[], sm_80(), json!({"window": {"showDocument": {"support": true}}}));
    client.open("a.cu", BAD);
    client.published("a.cu", Some(1));
    let found = actions(&client, "a.cu", 5);
    let command = &titled(&found, "Explain `arch-dependent-signature`")["command"];
    client.send("workspace/executeCommand", 60, command.clone());
    let shown = client.asked("window/showDocument");
    assert_eq!(shown["uri"], "cuda-arch-lint:/explain/arch-dependent-signature.md");
    let answer = client.response(60).expect("an answer");
    assert!(answer["text"].as_str().expect("text").contains("## How to fix"));
    let content = client.ask("workspace/textDocumentContent", json!({"uri": shown["uri"]}));
    assert_eq!(content["text"], answer["text"]);
    client.stop();
}

#[test]
fn a_finding_is_added_to_the_baseline() {
    let config = ("cuda-arch-lint.toml", "arch = ['80']\nbaseline = 'old.json'\n");
    let client = Client::start(&[config, ("a.cu", BAD)], json!({}), related());
    client.open("a.cu", BAD);
    assert_eq!(client.published("a.cu", Some(1)).len(), 1);
    let found = actions(&client, "a.cu", 5);
    let command = &titled(&found, "Add it to the baseline")["command"];
    client.send("workspace/executeCommand", 61, command.clone());
    assert_eq!(client.published("a.cu", Some(1)), [json!(null); 0]);
    let baseline = fs::read_to_string(client.folder.path().join("old.json")).expect("a baseline");
    assert!(baseline.contains("\"entity\": \"store\""), "{baseline}");
    // The same finding comes back when it is edited into another.
    client.change("a.cu", 2, &BAD.replace("store", "other"));
    assert_eq!(client.published("a.cu", Some(2)).len(), 1);
    client.stop();
}
