//! VS Code's extension describes the program as the program describes itself.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;

fn read(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn keys(object: &Value) -> BTreeSet<String> {
    object.as_object().expect("an object").keys().cloned().collect()
}

/// Keys that concern reports and exit codes, which an editor does not have.
const ELSEWHERE: [&str; 8] =
    ["category", "custom-rules", "fail-on", "format", "max-findings", "output", "paths", "rule-files"];

/// Settings of the extension itself.
const OWN: [&str; 3] = ["dimInactiveCode", "path", "trace.server"];

#[test]
fn the_settings_are_the_keys_of_the_configuration_file() {
    let manifest = read("editors/vscode/package.json");
    let settings = &manifest["contributes"]["configuration"]["properties"];
    let strip = |name: String| name.strip_prefix("cuda-arch-lint.").expect("the section").to_string();
    let mut settings: BTreeSet<String> = keys(settings).into_iter().map(strip).collect();
    let own: BTreeSet<String> = OWN.map(String::from).into();
    assert!(settings.is_superset(&own));
    settings.retain(|name| !own.contains(name));
    let mut known = keys(&read("schemas/config.schema.json")["properties"]);
    known.retain(|name| !ELSEWHERE.contains(&name.as_str()));
    assert_eq!(settings, known, "run `npm run settings` in editors/vscode");
}

#[test]
fn the_versions_agree() {
    for name in ["editors/vscode/package.json", "editors/vscode/package-lock.json"] {
        assert_eq!(read(name)["version"], env!("CARGO_PKG_VERSION"), "{name}");
    }
}
