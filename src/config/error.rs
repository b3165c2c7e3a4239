//! Why a configuration can't be used, with the next thing to try.

use std::path::{Path, PathBuf};

/// Why a configuration can't be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file can't be read.
    #[error("failed to read `{}`: {reason}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The operating system's message.
        reason: String,
    },
    /// A file of rules can't be read.
    #[error("failed to read the rules in `{}`: {reason}", path.display())]
    NoRules {
        /// The file.
        path: PathBuf,
        /// The operating system's message.
        reason: String,
    },
    /// Something in it is not understood.
    #[error("{}:{line}:{column}: {message}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// From 1, in characters.
        column: usize,
        /// The problem.
        message: String,
        /// The next thing to try.
        help: String,
    },
    /// A value is invalid.
    #[error("{message}")]
    Value {
        /// The problem, and where the value was set.
        message: String,
        /// The next thing to try.
        help: String,
    },
}

impl ConfigError {
    /// The next thing to try.
    pub fn help(&self) -> String {
        match self {
            ConfigError::Unreadable { .. } => {
                "`cuda-arch-lint init` writes one; `--isolated` does without".into()
            }
            ConfigError::NoRules { .. } => {
                "paths of `rule-files` begin where the configuration is, those of `--rule-file` in the working directory".into()
            }
            ConfigError::Malformed { help, .. } | ConfigError::Value { help, .. } => help.clone(),
        }
    }
}

/// The parser's error, with its place and the known name that is most similar.
pub(super) fn malformed(path: &Path, text: &str, error: &toml::de::Error) -> ConfigError {
    let at = error.span().map_or(0, |span| span.start.min(text.len()));
    let (line, column) = line_and_column(text, at);
    let (message, help) = explained(error.message());
    ConfigError::Malformed { path: path.to_path_buf(), line, column, message, help }
}

/// The line and column, from 1, of a byte in a text; columns are counted in characters.
pub(super) fn line_and_column(text: &str, at: usize) -> (usize, usize) {
    let before = &text[..at];
    let line = before.matches('\n').count() + 1;
    (line, before.rsplit('\n').next().unwrap_or_default().chars().count() + 1)
}

/// The message, and its help. `serde` says "unknown field `x`, expected one of `a`, `b`".
fn explained(message: &str) -> (String, String) {
    let names: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    let kind = [("unknown field", "key"), ("unknown variant", "value")]
        .into_iter()
        .find(|(said, _)| message.starts_with(said));
    let (Some((_, kind)), [name, known @ ..]) = (kind, names.as_slice()) else {
        let help =
            "the schema of the file is schemas/config.schema.json; `cuda-arch-lint init` writes an example";
        return (message.to_string(), help.into());
    };
    let near = known
        .iter()
        .max_by(|a, b| strsim::jaro_winkler(name, a).total_cmp(&strsim::jaro_winkler(name, b)))
        .filter(|near| strsim::jaro_winkler(name, near) > 0.8);
    let help = match (near, kind) {
        (Some(near), "key") => format!("did you mean `{near}`?"),
        (Some(near), _) => format!("did you mean `{near}`? known are {}", known.join(", ")),
        (None, _) => format!("known are {}", known.join(", ")),
    };
    (format!("unknown {kind} `{name}`"), help)
}
