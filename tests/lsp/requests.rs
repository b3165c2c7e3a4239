//! Pulled diagnostics, cancellation, stale requests, broken frames.

use serde_json::{Value, json};

use super::{BAD, Client, GOOD, related, sm_80};

fn pulling() -> Value {
    json!({
        "textDocument": {"diagnostic": {"dynamicRegistration": false}, "publishDiagnostics": {"codeDescriptionSupport": true}},
        "workspace": {"diagnostics": {"refreshSupport": true}},
    })
}

fn pull(client: &Client, name: &str, known: &Value) -> Value {
    let params = json!({"textDocument": {"uri": client.uri(name)}, "previousResultId": known});
    client.ask("textDocument/diagnostic", params)
}

#[test]
fn a_client_that_asks_for_diagnostics_gets_them_when_it_asks() {
    let client = Client::start(&[("a.cu", GOOD), ("b.cu", BAD)], sm_80(), pulling());
    client.open("a.cu", BAD);
    let first = pull(&client, "a.cu", &Value::Null);
    assert_eq!((&first["kind"], first["items"].as_array().map(Vec::len)), (&json!("full"), Some(1)));
    let href = first["items"][0]["codeDescription"]["href"].as_str().expect("a link");
    assert!(href.ends_with("rules/arch-dependent-signature.md"), "{href}");
    let again = pull(&client, "a.cu", &first["resultId"]);
    assert_eq!(again, json!({"kind": "unchanged", "resultId": first["resultId"]}));
    client.change("a.cu", 2, GOOD);
    let fixed = pull(&client, "a.cu", &first["resultId"]);
    assert_eq!((&fixed["kind"], &fixed["items"]), (&json!("full"), &json!([])));
    assert!(client.heard("textDocument/publishDiagnostics").is_empty(), "nothing is sent unasked");
    client.stop();
}

#[test]
fn a_client_that_cannot_be_told_to_ask_again_is_sent_diagnostics() {
    let mut capabilities = pulling();
    capabilities["workspace"] = json!({});
    let client = Client::start(&[("a.cu", GOOD), ("b.cu", BAD)], sm_80(), capabilities);
    client.open("a.cu", BAD);
    assert_eq!(client.published("a.cu", Some(1)).len(), 1);
    client.change("a.cu", 2, GOOD);
    assert_eq!(client.published("a.cu", Some(2)), [json!(null); 0]);
    client.stop();
}

#[test]
fn a_workspace_is_asked_for_what_has_changed() {
    let other = BAD.replace("store", "other");
    let client = Client::start(&[("a.cu", GOOD), ("b.cu", &other)], sm_80(), pulling());
    client.open("a.cu", BAD);
    let all = client.ask("workspace/diagnostic", json!({"previousResultIds": []}));
    let items = all["items"].as_array().expect("items").clone();
    let of = |items: &[Value], name: &str| {
        items.iter().find(|item| item["uri"] == client.uri(name)).cloned().unwrap_or_default()
    };
    assert_eq!((&of(&items, "a.cu")["version"], &of(&items, "b.cu")["version"]), (&json!(1), &Value::Null));
    assert_eq!(of(&items, "b.cu")["items"].as_array().map(Vec::len), Some(1));
    client.change("a.cu", 2, GOOD);
    let known: Vec<Value> =
        items.iter().map(|item| json!({"uri": item["uri"], "value": item["resultId"]})).collect();
    let next = client.ask("workspace/diagnostic", json!({"previousResultIds": known}));
    let items = next["items"].as_array().expect("items").clone();
    assert_eq!(
        (&of(&items, "a.cu")["kind"], &of(&items, "b.cu")["kind"]),
        (&json!("full"), &json!("unchanged"))
    );
    client.stop();
}

#[test]
fn a_change_in_a_header_makes_the_client_ask_anew() {
    let main = "#include \"t.h\"\n__global__ void store(scalar value) { }\n";
    let client = Client::start(&[("a.cu", main), ("t.h", "typedef int scalar;\n")], sm_80(), pulling());
    client.open("a.cu", main);
    let first = pull(&client, "a.cu", &Value::Null);
    assert_eq!(first["items"], json!([]));
    client.open("t.h", BAD.split("/*").next().expect("the typedefs"));
    client.asked("workspace/diagnostic/refresh");
    let second = pull(&client, "a.cu", &first["resultId"]);
    assert_eq!(second["items"].as_array().map(Vec::len), Some(1));
    client.stop();
}

#[test]
fn a_cancelled_request_is_answered_as_cancelled() {
    // So many files that the scan is not over when the request is cancelled.
    let files: Vec<(String, &str)> = (0..200).map(|number| (format!("{number}.cu"), BAD)).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), *text)).collect();
    let client = Client::start(&files, sm_80(), pulling());
    client.send("workspace/diagnostic", 70, json!({"previousResultIds": []}));
    client.notify("$/cancelRequest", json!({"id": 70}));
    assert_eq!(client.response(70).expect_err("cancelled").code, -32800);
    client.notify("$/cancelRequest", json!({"id": 70}));
    client.notify("$/cancelRequest", json!({"id": "never asked"}));
    assert!(client.ask("workspace/diagnostic", json!({"previousResultIds": []}))["items"].is_array());
    client.stop();
}

#[test]
fn a_request_about_an_older_text_is_not_answered() {
    let client = Client::start(&[], sm_80(), pulling());
    client.open("a.cu", BAD);
    let place = json!({"textDocument": {"uri": client.uri("a.cu")}, "position": {"line": 0, "character": 0}});
    let mut refused = 0;
    for round in 0..20 {
        client.send("textDocument/hover", 100 + round, place.clone());
        client.change("a.cu", 2 + round, &format!("{BAD}// {round}\n"));
        match client.response(100 + round) {
            Ok(_) => {}
            Err(error) => {
                assert_eq!(error.code, -32801, "{error:?}");
                refused += 1;
            }
        }
    }
    // Whether the edit came before the answer is a race, each time anew.
    assert!(refused > 0);
    let hover = client.ask("textDocument/hover", place);
    assert!(hover["contents"]["value"].as_str().expect("text").contains("sm_80"), "{hover}");
    client.stop();
}

#[test]
fn a_document_that_no_unit_reads_has_empty_answers() {
    let client = Client::start(&[], sm_80(), related());
    let document = json!({"uri": client.uri("nowhere.cu")});
    let position = json!({"line": 0, "character": 0});
    let params = json!({"textDocument": document, "position": position, "range": {"start": position, "end": position}});
    let empty = [
        ("textDocument/hover", Value::Null),
        ("textDocument/inlayHint", json!([])),
        ("textDocument/semanticTokens/full", json!({"data": []})),
        ("textDocument/codeLens", json!([])),
        ("textDocument/documentSymbol", json!([])),
        ("textDocument/definition", json!([])),
        ("textDocument/codeAction", json!([])),
    ];
    for (method, expected) in empty {
        assert_eq!(client.ask(method, params.clone()), expected, "{method}");
    }
    let refused = client.request("textDocument/hover", json!({"textDocument": 7}));
    assert_eq!(refused.expect_err("no position").code, -32602);
    client.stop();
}
