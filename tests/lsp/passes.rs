//! Passes in the editor: hovers, hints, greyed lines, lenses, the outline, deciding conditionals.

use serde_json::{Value, json};

use super::{Client, related, sm_80};

/// A feature macro made of the architecture, a type made of the macro, and kernels.
const TEXT: &str = "\
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#define FAST 1
#endif

#ifdef FAST
typedef double scalar;
#else
typedef int scalar;
#endif

__global__ void plain(int *out) { *out = 80; }
__global__ void store(scalar value) {
#ifndef __CUDA_ARCH__
    (void)value;
#endif
}
template <class T>
__global__ void fill(T *out) { *out = T(); }
void run(scalar *out) { fill<<<1, 1>>>(out); }
#if 0
nobody
#endif
";

fn opened(options: Value, capabilities: Value) -> Client {
    let client = Client::start(&[], options, capabilities);
    client.open("a.cu", TEXT);
    client.published("a.cu", Some(1));
    client
}

/// The Markdown at a place.
fn hover(client: &Client, line: u32, character: u32) -> String {
    let answer = client.ask("textDocument/hover", at(client, line, character));
    answer["contents"]["value"].as_str().unwrap_or_default().to_string()
}

fn at(client: &Client, line: u32, character: u32) -> Value {
    json!({"textDocument": {"uri": client.uri("a.cu")}, "position": {"line": line, "character": character}})
}

fn document(client: &Client) -> Value {
    json!({"textDocument": {"uri": client.uri("a.cu")}})
}

#[test]
fn a_conditional_says_who_enters_and_why() {
    let client = opened(sm_80(), related());
    let shown = hover(&client, 4, 1);
    for part in
        ["| sm_80 | yes |", "| the host | no |", "`#define FAST 1`", "`__CUDA_ARCH__`, predefined by nvcc"]
    {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    assert!(hover(&client, 6, 2).contains("| the host | yes |"), "an #else");
    assert_eq!(hover(&client, 3, 0), "");
    client.stop();
}

#[test]
fn a_macro_has_its_value_in_each_pass() {
    let client = opened(json!({"arch": ["80", "90"]}), related());
    let shown = hover(&client, 4, 8);
    assert!(
        shown.contains("| every target | `1` |") && shown.contains("| the host | not defined |"),
        "{shown}"
    );
    let shown = hover(&client, 0, 14);
    assert!(shown.contains("| sm_80 | `800` |") && shown.contains("| sm_90 | `900` |"), "{shown}");
    assert!(shown.contains("| the host | not defined |"), "{shown}");
    client.stop();
}

#[test]
fn a_kernel_has_its_signature_and_instantiations_in_each_pass() {
    let client = opened(sm_80(), related());
    let shown = hover(&client, 11, 18);
    assert!(shown.contains("| sm_80 | `(double)` |") && shown.contains("| the host | `(int)` |"), "{shown}");
    let shown = hover(&client, 10, 18);
    assert!(
        shown.contains("__global__ void plain(int *out)") && shown.contains("same in every pass"),
        "{shown}"
    );
    let shown = hover(&client, 18, 24);
    assert!(shown.contains("| `fill<double>` | sm_80 |"), "{shown}");
    assert!(shown.contains("| `fill<int>` | the host |"), "{shown}");
    client.stop();
}

#[test]
fn a_target_is_named_by_its_number() {
    let client = opened(sm_80(), related());
    let shown = hover(&client, 0, 47);
    assert!(shown.contains("target `sm_80`") && shown.contains("A target of this unit"), "{shown}");
    client.stop();
}

#[test]
fn hints_name_the_passes_beside_directives() {
    let client = opened(sm_80(), related());
    let range = json!({"start": {"line": 0, "character": 0}, "end": {"line": 6, "character": 0}});
    let params = json!({"textDocument": {"uri": client.uri("a.cu")}, "range": range});
    let hints = client.ask("textDocument/inlayHint", params);
    let hints: Vec<(u64, u64, &str)> = hints
        .as_array()
        .expect("a list")
        .iter()
        .map(|hint| {
            let place = &hint["position"];
            (
                place["line"].as_u64().unwrap_or(99),
                place["character"].as_u64().unwrap_or(99),
                hint["label"].as_str().unwrap_or(""),
            )
        })
        .collect();
    assert_eq!(hints, [(0, 50, "sm_80"), (4, 11, "sm_80"), (6, 5, "host")]);
    client.stop();
}

/// The lines of semantic tokens.
fn greyed(client: &Client) -> Vec<u64> {
    let tokens = client.ask("textDocument/semanticTokens/full", document(client));
    let numbers: Vec<u64> =
        tokens["data"].as_array().expect("a list").iter().filter_map(Value::as_u64).collect();
    let mut line = 0;
    numbers
        .chunks(5)
        .map(|token| {
            line += token[0];
            assert_eq!(&token[3..], [0, 1]);
            line
        })
        .collect()
}

fn choose(client: &Client, pass: Value) -> Value {
    client
        .ask("workspace/executeCommand", json!({"command": "cuda-arch-lint.choosePass", "arguments": [pass]}))
}

#[test]
fn the_lines_that_the_chosen_pass_does_not_see_are_greyed() {
    let client = opened(sm_80(), related());
    assert_eq!(greyed(&client), [20], "lines that nobody sees");
    assert_eq!(choose(&client, json!("host")), json!({"passes": ["host", "sm_80"], "chosen": "host"}));
    assert_eq!(greyed(&client), [1, 5, 20]);
    choose(&client, json!("sm_80"));
    assert_eq!(greyed(&client), [7, 13, 20]);
    choose(&client, Value::Null);
    assert_eq!(greyed(&client), [20]);
    let refused = client.request(
        "workspace/executeCommand",
        json!({"command": "cuda-arch-lint.choosePass", "arguments": ["sm_99"]}),
    );
    assert_eq!(refused.expect_err("no such pass").code, -32602);
    client.stop();
}

#[test]
fn clangds_notification_names_inactive_regions() {
    let capabilities = json!({"textDocument": {"inactiveRegionsCapabilities": {"inactiveRegions": true}}});
    let client = Client::start(&[], sm_80(), capabilities);
    client.open("a.cu", TEXT);
    let told = client.notified("textDocument/inactiveRegions");
    let range = |line: u32, to: u32| json!({"start": {"line": line, "character": 0}, "end": {"line": line, "character": to}});
    assert_eq!(told["regions"], json!([range(20, 6)]));
    assert_eq!(told["textDocument"], json!({"uri": client.uri("a.cu"), "version": 1}));
    client.send(
        "workspace/executeCommand",
        50,
        json!({"command": "cuda-arch-lint.choosePass", "arguments": ["sm_80"]}),
    );
    let told = client.notified("textDocument/inactiveRegions");
    assert_eq!(told["regions"], json!([range(7, 19), range(13, 16), range(20, 6)]));
    client.stop();
}

#[test]
fn a_new_pass_makes_the_client_ask_anew() {
    let capabilities = json!({"workspace": {"inlayHint": {"refreshSupport": true}, "semanticTokens": {"refreshSupport": true}}});
    let client = opened(sm_80(), capabilities);
    client.send(
        "workspace/executeCommand",
        51,
        json!({"command": "cuda-arch-lint.choosePass", "arguments": ["host"]}),
    );
    client.asked("workspace/inlayHint/refresh");
    client.asked("workspace/semanticTokens/refresh");
    client.stop();
}

#[test]
fn a_lens_over_each_kernel_names_its_passes() {
    let text = format!("{TEXT}#ifdef __CUDA_ARCH__\n__global__ void hidden() {{}}\n#endif\n");
    let client = Client::start(&[], sm_80(), related());
    client.open("a.cu", &text);
    client.published("a.cu", Some(1));
    let lenses = client.ask("textDocument/codeLens", document(&client));
    let titles: Vec<&str> = lenses
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|lens| lens["command"]["title"].as_str())
        .collect();
    assert_eq!(titles, ["in every pass", "in every pass", "in every pass", "in sm_80 only"]);
    client.stop();
}

#[test]
fn the_outline_has_kernels_and_conditionals() {
    let client = opened(sm_80(), related());
    let symbols = client.ask("textDocument/documentSymbol", document(&client));
    let names: Vec<&str> =
        symbols.as_array().expect("a list").iter().filter_map(|symbol| symbol["name"].as_str()).collect();
    let first = "#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800";
    assert_eq!(names, [first, "#ifdef FAST", "#else", "plain", "store", "#ifndef __CUDA_ARCH__", "fill"]);
    client.stop();
}

#[test]
fn the_definition_is_what_decides() {
    let client = opened(sm_80(), related());
    let lines = |line: u32, character: u32| -> Vec<u64> {
        let found = client.ask("textDocument/definition", at(&client, line, character));
        let places = found.as_array().expect("a list").iter();
        places.map(|place| place["range"]["start"]["line"].as_u64().expect("a line")).collect()
    };
    assert_eq!(lines(4, 8), [1], "a macro in a condition: its definition");
    assert_eq!(lines(6, 1), [4, 1, 0], "an #else: where the condition comes from");
    assert_eq!(lines(11, 18), [4], "a finding: the conditional that decides");
    assert_eq!(lines(13, 10), [12], "any code: the conditional around it");
    client.stop();
}

#[test]
fn a_pass_is_expanded_into_a_document_of_its_own() {
    let client = opened(sm_80(), related());
    let arguments = json!([client.uri("a.cu"), "host"]);
    let params = json!({"command": "cuda-arch-lint.expand", "arguments": arguments});
    let answer = client.ask("workspace/executeCommand", params);
    let text = answer["text"].as_str().expect("text");
    assert!(text.contains("typedef int scalar;") && !text.contains("typedef double"), "{text}");
    let again = client.ask("workspace/textDocumentContent", json!({"uri": answer["uri"]}));
    assert_eq!(again["text"], answer["text"]);
    let other = answer["uri"].as_str().expect("a URI").replace("/host/", "/sm_80/");
    let other = client.ask("workspace/textDocumentContent", json!({"uri": other}));
    assert!(other["text"].as_str().expect("text").contains("typedef double scalar;"));
    let refused =
        client.request("workspace/textDocumentContent", json!({"uri": "cuda-arch-lint:/expand/sm_99/a"}));
    assert_eq!(refused.expect_err("no such pass").code, -32602);
    client.stop();
}
