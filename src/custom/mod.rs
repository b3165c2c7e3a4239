//! Rules of a project's own, as plain data: a query over declarations, and what must agree between passes.
//!
//! In: nothing but values; `config` reads them. Out: [`CustomRule`], which a translation unit carries, so that what is found in it,
//! kept of it and shown of it depends on the rules' text as on its own. Knows neither trees nor facts.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::finding::Level;

/// The rules that a run checks besides the built-in ones.
pub type CustomRules = Arc<[CustomRule]>;

/// The capture whose text tells the matches of a query apart.
pub const NAME: &str = "name";

/// The capture at which a finding points.
pub const AT: &str = "at";

/// A rule of a project's own.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CustomRule {
    /// Its id: `shared-array-length`.
    pub id: String,
    /// The level of its findings.
    pub level: Level,
    /// What it finds, one line.
    pub title: String,
    /// The message of a finding, one line, in which `{name}` and `{sides}` stand for the entity and for what each pass has.
    pub message: String,
    /// How to fix what it finds, one or more sentences.
    pub help: String,
    /// The query, in tree-sitter's language.
    pub query: String,
    /// What must agree.
    pub agree: Agree,
    /// Between which passes.
    pub between: Between,
    /// Where the query is written, for messages; no part of what the rule is.
    pub origin: String,
    /// What only its documentation says.
    #[serde(skip)]
    pub card: Words,
}

/// What the documentation of a rule says besides.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Words {
    /// What it finds and why that is wrong, Markdown; may be empty.
    pub description: String,
    /// Where the restriction is written down; may be empty.
    pub reference: String,
    /// The examples, those with findings first.
    pub examples: Vec<CustomExample>,
}

/// An example of a rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CustomExample {
    /// Whether it has findings.
    pub bad: bool,
    /// The text, with marks and settings.
    pub text: String,
    /// Where each of its lines is written: `cuda-arch-lint.toml:12`.
    pub lines: Vec<String>,
}

impl CustomExample {
    /// Where a line of it, from 0, is written.
    pub fn place(&self, line: usize) -> &str {
        self.lines.get(line).or(self.lines.last()).map_or("", String::as_str)
    }
}

/// What must agree of the matches that have the same name.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Agree {
    /// That there is one.
    Presence,
    /// The text that is captured as `@text`; of the whole declaration, if nothing is.
    Text,
    /// The type that is captured as `@type`, with the names in it resolved.
    Type,
    /// The value of the constant expression, or list of them, that is captured as `@value`.
    Value,
    /// The text that is captured under this name.
    Captured(String),
}

impl Agree {
    /// The capture that is compared, if one is.
    pub fn capture(&self) -> Option<&str> {
        match self {
            Agree::Presence => None,
            Agree::Text => Some("text"),
            Agree::Type => Some("type"),
            Agree::Value => Some("value"),
            Agree::Captured(name) => Some(name),
        }
    }

    /// The same tokens may mean something else in another pass.
    pub fn is_resolved(&self) -> bool {
        matches!(self, Agree::Type | Agree::Value)
    }
}

/// The passes that are compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Between {
    /// All of them.
    #[default]
    All,
    /// Those of devices.
    Devices,
}

/// The rules without where they are written, which decides nothing.
pub fn without_places(rules: &CustomRules) -> CustomRules {
    rules.iter().map(|rule| CustomRule { origin: String::new(), ..rule.clone() }).collect()
}

/// The digest of all that findings of these rules depend on; zeros if there are none.
pub fn digest(rules: &CustomRules) -> [u8; 32] {
    if rules.is_empty() {
        return [0; 32];
    }
    let bytes = postcard::to_stdvec(&without_places(rules)).expect("text and enums can be written");
    Sha256::digest(bytes).into()
}
