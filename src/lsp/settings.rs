//! The client's settings, whose keys are those of the configuration file.
//!
//! In: any JSON. Out: settings and a policy, and a message for every invalid value. Invalid values are ignored, the
//! others are used.

use std::path::Path;

use serde_json::Value;

use crate::config::{Config, Loaded};
use crate::project::{Headers, Settings};
use crate::target::{Passes, parse_arch_list};
use crate::triage::Policy;

/// The client's settings for a folder.
#[derive(Clone, Debug, Default)]
pub(super) struct ClientSettings {
    /// The compilation settings.
    pub(super) settings: Settings,
    /// The policy for findings; `None` if no setting concerns it.
    pub(super) policy: Option<Policy>,
    /// The value of the key `rdc`, if it was set.
    rdc: Option<bool>,
}

/// Reads settings. Relative paths are resolved against `root`.
pub(super) fn read(value: &Value, root: &Path) -> (ClientSettings, Vec<String>) {
    let mut problems = Vec::new();
    let mut known = serde_json::Map::new();
    match value {
        Value::Null => {}
        // In Lua an empty object and an empty list are the same.
        Value::Array(list) if list.is_empty() => {}
        Value::Object(object) => {
            for (key, value) in object {
                match check_value(key, value) {
                    // Clients send null for settings that are not set.
                    Ok(()) if value.is_null() => {}
                    Ok(()) => drop(known.insert(key.clone(), value.clone())),
                    Err(problem) => problems.push(problem),
                }
            }
        }
        other => problems.push(format!("the settings must be an object, not `{other}`")),
    }
    let says_policy =
        ["rules", "overrides", "custom-rules", "rule-files", "exclude", "min-certainty", "require-reason"];
    let says_policy = says_policy.iter().any(|key| known.contains_key(*key));
    let config: Config = serde_json::from_value(Value::Object(known)).unwrap_or_default();
    let rdc = config.rdc;
    let (loaded, error) = Loaded::of_values(config, root);
    problems.extend(error.map(|error| error.to_string()));
    let policy = loaded.policy().map_err(|error| problems.push(error.to_string())).ok();
    let settings = Settings { headers: headers(&loaded), ..loaded.settings() };
    (ClientSettings { settings, policy: policy.filter(|_| says_policy), rdc }, problems)
}

/// Checks a value against its key.
fn check_value(key: &str, value: &Value) -> Result<(), String> {
    if value.is_null() {
        return Ok(());
    }
    let config: Config = serde_json::from_value(serde_json::json!({ key: value })).map_err(|error| {
        let text = error.to_string();
        match text.starts_with("unknown field") {
            true => format!("unknown setting `{key}`; the settings are the keys of cuda-arch-lint.toml"),
            false => format!("`{key}`: {text}"),
        }
    })?;
    if config.arch.is_empty() {
        return Ok(());
    }
    let known = parse_arch_list(&config.arch.join(","))
        .map_err(|error| format!("`arch`: {error}; {}", error.help))?;
    Passes::new(&known).map_err(|error| format!("`arch`: {error}"))?;
    Ok(())
}

/// The source of system headers. In an editor the installed headers are read only with `nostdinc = false`.
pub(super) fn headers(loaded: &Loaded) -> Headers {
    if loaded.config.nostdinc == Some(false) { Headers::Installed } else { Headers::BuiltIn }
}

/// Combines settings: the client's where set, else those of the configuration file.
pub(super) fn combined(client: &ClientSettings, loaded: &Loaded) -> Settings {
    let (own, file) = (client.settings.clone(), loaded.settings());
    Settings {
        targets: if own.targets.is_empty() { file.targets } else { own.targets },
        directories: [file.directories, own.directories].concat(),
        defines: [file.defines, own.defines].concat(),
        rdc: client.rdc.unwrap_or(file.rdc),
        database: own.database.or(file.database),
        standard: own.standard.or(file.standard),
        cuda_version: own.cuda_version.or(file.cuda_version),
        cuda_path: own.cuda_path.or(file.cuda_path),
        compiler: own.compiler.or(file.compiler),
        options: [file.options, own.options].concat(),
        custom: if own.custom.is_empty() { file.custom } else { own.custom },
        by_name: file.by_name,
        headers: match own.headers {
            Headers::Installed => Headers::Installed,
            Headers::BuiltIn => headers(loaded),
        },
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::project::Define;

    use super::*;

    #[test]
    fn the_keys_are_those_of_the_configuration_file() {
        let options = json!({
            "arch": ["80", "90a"], "rdc": true, "include-directories": ["inc", "/i"], "define": ["A", "B=2"],
            "undefine": ["C"], "database": null, "rules": {"CAL001": "note"},
        });
        let (client, problems) = read(&options, Path::new("/r"));
        assert_eq!(problems, [""; 0]);
        let settings = client.settings;
        assert_eq!((settings.targets.join(" "), settings.rdc), ("80 90a".to_string(), true));
        let define = |name: &str, value: &str| Define::Define(name.into(), value.into());
        assert_eq!(settings.defines, [define("A", "1"), define("B", "2"), Define::Undef("C".into())]);
        assert_eq!(settings.directories, [Path::new("/r/inc"), Path::new("/i")]);
        assert!(client.policy.is_some());
        assert_eq!(settings.headers, Headers::BuiltIn);
    }

    #[test]
    fn nothing_is_asked_for() {
        for options in [json!(null), json!([]), json!({"arch": []}), json!({"arch": null})] {
            let (client, problems) = read(&options, Path::new("/r"));
            assert!(client.settings.targets.is_empty() && problems.is_empty() && client.policy.is_none());
        }
    }

    #[test]
    fn a_bad_value_is_named_and_the_others_count() {
        let check = |options: Value, expected: &str| {
            let (client, problems) = read(&options, Path::new("/r"));
            assert!(problems.len() == 1 && problems[0].contains(expected), "{problems:?}");
            client
        };
        assert!(check(json!({"arch": "80", "rdc": true}), "`arch`: invalid type: string").settings.rdc);
        check(json!({"arch": ["80", 90]}), "`arch`: invalid type");
        check(json!({"arch": ["81"]}), "the nearest is `80`");
        check(json!({"rdc": "yes"}), "`rdc`: invalid type");
        check(json!({"archs": []}), "unknown setting `archs`");
        check(json!({"rules": {"CAL999": "off"}}), "CAL999");
        check(json!("80"), "must be an object");
    }

    #[test]
    fn the_clients_settings_go_before_the_files() {
        let (client, _) = read(&json!({"arch": ["80"], "define": ["B"], "rdc": false}), Path::new("/r"));
        let file: Config =
            serde_json::from_value(json!({"arch": ["90"], "define": ["A"], "rdc": true, "std": "c++20"}))
                .unwrap();
        let settings = combined(&client, &Loaded::of_values(file, Path::new("/r")).0);
        assert_eq!((settings.targets.join(""), settings.rdc), ("80".to_string(), false));
        assert_eq!((settings.defines.len(), settings.standard.as_deref()), (2, Some("c++20")));
    }
}
