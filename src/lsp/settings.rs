//! What a client's `initializationOptions` ask for.
//!
//! In: any JSON. Out: settings, and a sentence for every value that makes no sense. Such a value is
//! left out, the others count.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::project::{Define, Settings};
use crate::target::{Passes, parse_arch_list};

/// The options, as a message lists them.
const KNOWN: &str = "`arch`, `rdc`, `include` and `defines`";

/// Reads the options. Include directories stay relative; see [`below`].
pub(super) fn read(options: Option<&Value>) -> (Settings, Vec<String>) {
    let mut settings = Settings::default();
    let mut problems = Vec::new();
    let object = match options {
        None | Some(Value::Null) => return (settings, problems),
        // Clients written in Lua can't tell an empty object from an empty list.
        Some(Value::Array(list)) if list.is_empty() => return (settings, problems),
        Some(Value::Object(object)) => object,
        Some(other) => return (settings, vec![format!("the settings must be an object, not `{other}`")]),
    };
    for (name, value) in object {
        let read = match name.as_str() {
            "arch" => archs(value).map(|archs| settings.targets = archs),
            "rdc" => flag(name, value).map(|rdc| settings.rdc = rdc),
            "include" => strings(name, value)
                .map(|paths| settings.directories = paths.into_iter().map(PathBuf::from).collect()),
            "defines" => strings(name, value).map(|defines| {
                settings.defines = defines.iter().map(|define| Define::parse(define)).collect();
            }),
            _ => Err(format!("unknown setting `{name}`; the settings are {KNOWN}")),
        };
        problems.extend(read.err());
    }
    (settings, problems)
}

/// The settings with the include directories under `root`.
pub(super) fn below(settings: &Settings, root: &Path) -> Settings {
    let directories = settings.directories.iter().map(|path| root.join(path)).collect();
    Settings { directories, ..settings.clone() }
}

/// The client's settings where it has some, else the configuration file's. Headers stay the client's: in an
/// editor these are the built-in ones.
pub(super) fn over(client: Settings, file: Settings) -> Settings {
    Settings {
        targets: if client.targets.is_empty() { file.targets } else { client.targets },
        directories: [file.directories, client.directories].concat(),
        defines: [file.defines, client.defines].concat(),
        rdc: client.rdc || file.rdc,
        headers: client.headers,
        ..file
    }
}

fn archs(value: &Value) -> Result<Vec<String>, String> {
    let archs = strings("arch", value)?;
    if archs.is_empty() {
        return Ok(archs);
    }
    let known =
        parse_arch_list(&archs.join(",")).map_err(|error| format!("`arch`: {error}; {}", error.help))?;
    Passes::new(&known).map_err(|error| format!("`arch`: {error}"))?;
    Ok(archs)
}

fn flag(name: &str, value: &Value) -> Result<bool, String> {
    value.as_bool().ok_or_else(|| format!("`{name}` must be `true` or `false`, not `{value}`"))
}

fn strings(name: &str, value: &Value) -> Result<Vec<String>, String> {
    let list =
        value.as_array().and_then(|list| list.iter().map(|item| item.as_str().map(String::from)).collect());
    list.ok_or_else(|| format!("`{name}` must be a list of strings, not `{value}`"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_setting_is_read() {
        let options =
            json!({"arch": ["80", "90a"], "rdc": true, "include": ["inc", "/i"], "defines": ["A", "B=2"]});
        let (settings, problems) = read(Some(&options));
        assert_eq!(problems, [""; 0]);
        assert_eq!((settings.targets.join(" "), settings.rdc), ("80 90a".to_string(), true));
        let define = |name: &str, value: &str| Define::Define(name.into(), value.into());
        assert_eq!(settings.defines, [define("A", "1"), define("B", "2")]);
        assert_eq!(below(&settings, Path::new("/r")).directories, [Path::new("/r/inc"), Path::new("/i")]);
    }

    #[test]
    fn nothing_is_asked_for() {
        for options in [None, Some(json!(null)), Some(json!([])), Some(json!({"arch": []}))] {
            let (settings, problems) = read(options.as_ref());
            assert!(settings.targets.is_empty() && problems.is_empty());
        }
    }

    #[test]
    fn a_bad_value_is_named_and_the_others_count() {
        let check = |options: Value, expected: &str| {
            let (settings, problems) = read(Some(&options));
            assert!(problems.len() == 1 && problems[0].contains(expected), "{problems:?}");
            settings
        };
        assert!(
            check(json!({"arch": "80", "rdc": true}), "`arch` must be a list of strings, not `\"80\"`").rdc
        );
        check(json!({"arch": ["80", 90]}), "`arch` must be a list of strings");
        check(json!({"arch": ["81"]}), "the nearest is `80`");
        check(json!({"rdc": "yes"}), "`rdc` must be `true` or `false`");
        check(json!({"archs": []}), "unknown setting `archs`");
        check(json!("80"), "must be an object");
    }
}
