//! Folders, settings, files on disk, progress.

use std::fs;

use serde_json::{Value, json};

use super::{BAD, Client, GOOD, related, sm_80};

fn folder(name: &str, text: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("a temporary directory");
    fs::write(folder.path().join(name), text).expect("a new file");
    let uri = format!("file://{}", folder.path().display());
    (folder, uri)
}

#[test]
fn folders_come_and_go() {
    let client = Client::start(&[("a.cu", GOOD)], sm_80(), related());
    let (_other, uri) = folder("b.cu", BAD);
    let change = |added: Value, removed: Value| {
        let params = json!({"event": {"added": added, "removed": removed}});
        client.notify("workspace/didChangeWorkspaceFolders", params);
    };
    change(json!([{"uri": uri, "name": "b"}]), json!([]));
    assert_eq!(client.published_at(&format!("{uri}/b.cu"), None).len(), 1);
    change(json!([]), json!([{"uri": uri, "name": "b"}]));
    assert_eq!(client.published_at(&format!("{uri}/b.cu"), None), [json!(null); 0]);
    client.stop();
}

#[test]
fn each_folder_has_settings_of_its_own() {
    let (one, one_uri) = folder("a.cu", &BAD.replace("#ifdef __CUDA_ARCH__", "#if __CUDA_ARCH__ >= 900"));
    let (two, two_uri) = folder("a.cu", &BAD.replace("#ifdef __CUDA_ARCH__", "#if __CUDA_ARCH__ >= 900"));
    let folders = json!([{"uri": one_uri, "name": "1"}, {"uri": two_uri, "name": "2"}]);
    let client = Client::uninitialized(tempfile::tempdir().expect("a temporary directory"));
    client.initialized(json!({
        "processId": null, "rootUri": null, "workspaceFolders": folders,
        "capabilities": {"workspace": {"configuration": true}},
    }));
    let asked = client.next_asked("workspace/configuration");
    let items = asked.params["items"].as_array().expect("items");
    assert_eq!((items[0]["section"].as_str(), items.len()), (Some("cuda-arch-lint"), 2));
    client.respond(asked.id, json!([{"arch": ["80"]}, {"arch": ["90"]}]));
    assert_eq!(client.published_at(&format!("{two_uri}/a.cu"), None).len(), 1);

    // The user edits them.
    client.notify("workspace/didChangeConfiguration", json!({"settings": null}));
    let asked = client.next_asked("workspace/configuration");
    client.respond(asked.id, json!([{"arch": ["90"]}, {"arch": ["80"], "rules": {"all": "off"}}]));
    // What the earlier settings gave may be published once more before.
    while !client.published_at(&format!("{two_uri}/a.cu"), None).is_empty() {}
    drop((one, two));
    client.stop();
}

#[test]
fn settings_that_are_sent_along_count() {
    let client = Client::start(&[("a.cu", BAD)], sm_80(), related());
    assert_eq!(client.published("a.cu", None).len(), 1);
    let settings = json!({"settings": {"cuda-arch-lint": {"rules": {"CAL001": "off"}}}});
    client.notify("workspace/didChangeConfiguration", settings);
    assert_eq!(client.published("a.cu", None), [json!(null); 0]);
    client.stop();
}

/// Another language mode makes a document a unit, also while the workspace is being analysed.
#[test]
fn a_document_that_is_opened_again_as_cuda_is_a_unit() {
    let names: Vec<String> = (0..8).map(|at| format!("{at}.cu")).collect();
    let files: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), BAD)).collect();
    let client = Client::start(&files, sm_80(), related());
    let opened = |language: &str, version: i32| {
        let document =
            json!({"uri": client.uri("x.cpp"), "languageId": language, "version": version, "text": BAD});
        client.notify("textDocument/didOpen", json!({"textDocument": document}));
    };
    opened("cpp", 1);
    client.open("0.cu", BAD);
    client.notify("textDocument/didClose", json!({"textDocument": {"uri": client.uri("x.cpp")}}));
    opened("cuda-cpp", 2);
    while client.published("x.cpp", Some(2)).is_empty() {}
    client.stop();
}

#[test]
fn files_are_watched() {
    let capabilities = json!({"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": true}}});
    let client = Client::start(&[("a.cu", GOOD)], sm_80(), capabilities);
    let asked = client.next_asked("client/registerCapability");
    let registration = asked.params["registrations"][0].to_string();
    for glob in ["**/*.cu\"", "**/*.cuh\"", "**/cuda-arch-lint.toml", "**/compile_commands.json"] {
        assert!(registration.contains(glob), "{glob}: {registration}");
    }
    client.respond(asked.id, Value::Null);
    let write = |name: &str, text: &str, kind: u32| {
        fs::write(client.folder.path().join(name), text).expect("a file");
        let changes = json!({"changes": [{"uri": client.uri(name), "type": kind}]});
        client.notify("workspace/didChangeWatchedFiles", changes);
    };
    write("a.cu", BAD, 2);
    assert_eq!(client.published("a.cu", None).len(), 1);
    write("b.cu", BAD, 1);
    assert_eq!(client.published("b.cu", None).len(), 1);
    write("cuda-arch-lint.toml", "rules = { all = 'off' }\n", 1);
    assert_eq!(client.published("a.cu", None), [json!(null); 0]);
    assert_eq!(client.published("b.cu", None), [json!(null); 0]);
    fs::remove_file(client.folder.path().join("cuda-arch-lint.toml")).expect("a file");
    let changes = json!({"changes": [{"uri": client.uri("cuda-arch-lint.toml"), "type": 3}]});
    client.notify("workspace/didChangeWatchedFiles", changes);
    assert_eq!(client.published("b.cu", None).len(), 1);
    client.stop();
}

#[test]
fn the_first_scan_shows_progress() {
    let files: Vec<(String, &str)> = (0..40).map(|number| (format!("{number}.cu"), BAD)).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), *text)).collect();
    let client = Client::start(&files, sm_80(), json!({"window": {"workDoneProgress": true}}));
    let asked = client.next_asked("window/workDoneProgress/create");
    client.respond(asked.id, Value::Null);
    let token = asked.params["token"].clone();
    let begun = client.notified("$/progress");
    assert_eq!((&begun["token"], &begun["value"]["kind"]), (&token, &json!("begin")));
    loop {
        let value = client.notified("$/progress")["value"].clone();
        if value["kind"] == "end" {
            break;
        }
        assert_eq!(value["kind"], "report");
    }
    client.stop();
}
