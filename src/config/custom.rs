//! Custom rules: the tables that declare them, and what is wrong in one, with its place.
//!
//! In: tables of the configuration or of a file of rules. Out: [`CustomRule`]s that compile, whose ids are no other rule's.

use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use schemars::JsonSchema;
use serde::Deserialize;

use crate::catalog::Catalog;
use crate::custom::{AT, Agree, Between, CustomExample, CustomRule, CustomRules, NAME, Words};
use crate::finding::Level;
use crate::rules::card;
use crate::source::read_utf8;
use crate::syntax::{CustomQuery, QueryFault};
use crate::triage::RuleLevel;

use super::error::{ConfigError, malformed};
use super::places::{Places, Step};

/// The key of the tables.
const TABLES: &str = "custom-rules";

/// The longest id, in characters.
const LONGEST_ID: usize = 64;

/// The most custom rules of a run.
const MOST_RULES: usize = 256;

/// What stands in a message for the entity, and for what each pass has.
const PLACEHOLDERS: [&str; 2] = ["name", "sides"];

/// The files of `rules/contrib/`, each with one rule.
const CONTRIBUTED: [(&str, &str); 5] = [
    ("launch-bounds", include_str!("../../rules/contrib/launch-bounds.toml")),
    ("shared-array-length", include_str!("../../rules/contrib/shared-array-length.toml")),
    ("struct-alignment", include_str!("../../rules/contrib/struct-alignment.toml")),
    ("default-argument", include_str!("../../rules/contrib/default-argument.toml")),
    ("enumerator-value", include_str!("../../rules/contrib/enumerator-value.toml")),
];

/// A rule of the project's own: a query over declarations, and what must agree between passes.
#[derive(Clone, PartialEq, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RuleTable {
    /// The id, in lower case with hyphens: `shared-array-length`.
    pub id: String,
    /// The level of its findings: `note`, `warning` or `error`.
    pub level: Level,
    /// What it finds, one line; if nothing is said, the message with dots for what it stands for.
    pub title: Option<String>,
    /// The message of a finding, one line. `{name}` stands for the entity, `{sides}` for what each pass has.
    pub message: String,
    /// How to fix what it finds.
    pub help: String,
    /// What it finds and why that is wrong, Markdown.
    pub description: Option<String>,
    /// Where the restriction is written down.
    pub reference: Option<String>,
    /// A query of tree-sitter's over the declarations that each pass sees, with the captures `@name`, `@at` and what must agree.
    pub query: String,
    /// What must agree of the matches of one name: `presence`, `text`, `type`, `value`, or the text of a capture: `@stride`.
    pub agree: String,
    /// Between which passes: `all` or `devices`.
    #[serde(default)]
    pub between: Between,
    /// Sources with findings, which `//~` marks: `cuda-arch-lint rules test` runs them.
    #[serde(default)]
    pub bad: Vec<String>,
    /// Sources without findings.
    #[serde(default)]
    pub good: Vec<String>,
}

/// A file of rules.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct RuleFile {
    custom_rules: Vec<RuleTable>,
}

/// The custom rules in a file of rules.
///
/// # Errors
/// When it can't be read, is no TOML, or has a rule that is not understood.
pub fn rules_of_file(path: &Path) -> Result<Vec<CustomRule>, ConfigError> {
    let text = read_utf8(path)
        .map_err(|error| ConfigError::NoRules { path: path.to_path_buf(), reason: error.to_string() })?;
    rules_of_text(path, &text, Author::User)
}

fn rules_of_text(path: &Path, text: &str, author: Author) -> Result<Vec<CustomRule>, ConfigError> {
    let file: RuleFile = toml::from_str(text).map_err(|error| malformed(path, text, &error))?;
    let reader = Reader { path, places: Places::of(text), author };
    file.custom_rules.iter().enumerate().map(|(number, table)| reader.rule(number, table)).collect()
}

/// The rules that tables declare. `text` is that of the file they are in; empty if they are in none.
pub(super) fn rules_of_tables(
    tables: &[RuleTable],
    path: &Path,
    text: &str,
) -> Result<Vec<CustomRule>, ConfigError> {
    let reader = Reader { path, places: Places::of(text), author: Author::User };
    tables.iter().enumerate().map(|(number, table)| reader.rule(number, table)).collect()
}

/// The contributed rules, all of which are off until they are named.
pub fn contributed() -> &'static [CustomRule] {
    static RULES: LazyLock<Vec<CustomRule>> = LazyLock::new(|| {
        let read = |(name, text): &(&str, &str)| {
            let path = PathBuf::from(format!("rules/contrib/{name}.toml"));
            rules_of_text(&path, text, Author::Program).expect("a test reads every file of rules/contrib/")
        };
        CONTRIBUTED.iter().flat_map(read).collect()
    });
    &RULES
}

/// The rules of a run, its own and the contributed ones that some level turns on, with the catalog of all rules.
///
/// # Errors
/// When two rules have one id, or there are too many.
pub fn all_rules<'a>(
    own: Vec<CustomRule>,
    levels: impl Iterator<Item = (&'a str, RuleLevel)>,
) -> Result<(CustomRules, Catalog), ConfigError> {
    for (index, rule) in own.iter().enumerate() {
        if let Some(other) = own[..index].iter().find(|other| other.id == rule.id) {
            return Err(ConfigError::Value {
                message: format!(
                    "{}: the rule `{}` is declared in {} too",
                    rule.origin, rule.id, other.origin
                ),
                help: "give one of them another id, or remove it".into(),
            });
        }
    }
    if own.len() > MOST_RULES {
        return Err(ConfigError::Value {
            message: format!("there are {} custom rules, and may be {MOST_RULES}", own.len()),
            help: "split the project, or say several things in one query".into(),
        });
    }
    let named: Vec<&str> =
        levels.filter(|(_, level)| *level != RuleLevel::Off).map(|(name, _)| name).collect();
    let is_named = |rule: &&CustomRule| named.contains(&rule.id.as_str());
    let checked: Vec<CustomRule> =
        own.into_iter().chain(contributed().iter().filter(is_named).cloned()).collect();
    let catalog = Catalog::new(&checked, contributed());
    Ok((Arc::from(checked), catalog))
}

/// Who wrote a rule.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Author {
    /// Anybody.
    User,
    /// Who wrote the program, whose tests compile its queries. A run that asks for none of them has no time for that.
    Program,
}

/// Reads tables of one file.
struct Reader<'a> {
    path: &'a Path,
    places: Places<'a>,
    author: Author,
}

impl Reader<'_> {
    fn rule(&self, number: usize, table: &RuleTable) -> Result<CustomRule, ConfigError> {
        let fault = |key: &'static str, byte: usize, message: String, help: &str| {
            self.fault(number, key, byte, message, help)
        };
        let RuleTable { id, message, help, query, .. } = table;
        self.check_id(number, id)?;
        for (key, text) in [("message", message), ("help", help)] {
            if text.trim().is_empty() {
                return Err(fault(
                    key,
                    0,
                    format!("`{key}` of the rule `{id}` is empty"),
                    "say it in one sentence",
                ));
            }
        }
        let title = table.title.as_deref().unwrap_or(message).trim().to_string();
        for (key, text) in [("message", message), ("title", &title)] {
            if text.trim().contains('\n') {
                return Err(fault(
                    key,
                    0,
                    format!("`{key}` of the rule `{id}` has more than one line"),
                    "the rest may be a `description`",
                ));
            }
        }
        if let Some((at, name)) = unknown_placeholder(message) {
            let text = format!("there is nothing that `{{{name}}}` stands for in a message");
            return Err(fault("message", at, text, "known are `{name}` and `{sides}`"));
        }
        let agree = agree(&table.agree).ok_or_else(|| {
            let text = format!("`{}` is nothing that can agree", table.agree);
            fault("agree", 0, text, "known are presence, text, type, value, and a capture: `@stride`")
        })?;
        if self.author == Author::User {
            self.check_query(number, query, &agree)?;
        }
        Ok(CustomRule {
            id: id.clone(),
            level: table.level,
            title: title.replace("{name}", "…").replace("{sides}", "…"),
            message: message.trim().to_string(),
            help: help.trim().to_string(),
            query: query.clone(),
            agree,
            between: table.between,
            origin: self.origin(number, "query", 0),
            card: Words {
                description: table.description.clone().unwrap_or_default(),
                reference: table.reference.clone().unwrap_or_default(),
                examples: self.examples(number, table),
            },
        })
    }

    /// The query compiles, captures what must agree, and takes no longer than it may.
    fn check_query(&self, number: usize, query: &str, agree: &Agree) -> Result<(), ConfigError> {
        let fault =
            |byte: usize, message: String, help: &str| self.fault(number, "query", byte, message, help);
        let of_query = |QueryFault { at, message }: QueryFault| {
            let help = "queries are written in tree-sitter's language, over the nodes of tree-sitter-cpp; \
                        `cuda-arch-lint explain` shows those of rules/contrib/";
            fault(at, message, help)
        };
        let compiled = CustomQuery::compile(query).map_err(of_query)?;
        self.check_captures(number, query, &compiled, agree)?;
        if compiled.is_too_much_for_a_sample() {
            let text = "the query takes more than it may for a source of ordinary size".to_string();
            let help = "leave out quantifiers (`*`, `+`, `?`) inside of others, and name the kinds of nodes in place of `_`";
            return Err(fault(0, text, help));
        }
        Ok(())
    }

    fn check_id(&self, number: usize, id: &str) -> Result<(), ConfigError> {
        let fault = |message: String, help: &str| Err(self.fault(number, "id", 0, message, help));
        let plain = |one: char| one.is_ascii_lowercase() || one.is_ascii_digit() || one == '-';
        if !id.starts_with(|one: char| one.is_ascii_lowercase()) || !id.chars().all(plain) || id == "all" {
            return fault(
                format!("`{id}` is no id of a rule"),
                "an id begins with a letter and has lower-case letters, digits and hyphens: `shared-array-length`",
            );
        }
        if id.len() > LONGEST_ID {
            return fault(
                format!("the id has {} characters, and may have {LONGEST_ID}", id.len()),
                "shorten it",
            );
        }
        let is_contributed = CONTRIBUTED.iter().any(|(name, _)| *name == id);
        // The files of these rules may be named as any other file of rules.
        let is_its_file = self.path.ends_with(format!("rules/contrib/{id}.toml"));
        match (card(id).is_some(), is_contributed && !is_its_file) {
            (true, _) => fault(format!("`{id}` is a built-in rule"), "give the rule another id"),
            (_, true) => fault(
                format!("`{id}` is a rule of rules/contrib/"),
                "give the rule another id; a level turns that one on: `[rules]`, or `--rule`",
            ),
            _ => Ok(()),
        }
    }

    /// The query captures what is compared, and nothing that nobody asks for.
    fn check_captures(
        &self,
        number: usize,
        text: &str,
        query: &CustomQuery,
        agree: &Agree,
    ) -> Result<(), ConfigError> {
        if let Some(wanted) = agree.capture().filter(|_| *agree != Agree::Text)
            && !query.names().iter().any(|name| name == wanted)
        {
            let message = format!("the query captures nothing as `@{wanted}`, which must agree");
            return Err(self.fault(
                number,
                "query",
                0,
                message,
                "put that capture behind a node of the query",
            ));
        }
        let known = [NAME, AT, "text", "type", "value"];
        // Behind a node, and again in a predicate.
        let is_asked = |name: &str| {
            let behind = |at: usize| text[at + 1 + name.len()..].chars().next();
            let is_end = |next: Option<char>| {
                next.is_none_or(|next| !next.is_alphanumeric() && !matches!(next, '_' | '-' | '.'))
            };
            let capture = format!("@{name}");
            let found = text.match_indices(&capture).filter(|(at, _)| is_end(behind(*at)));
            found.count() > 1
        };
        let is_known = |name: &str| {
            known.contains(&name) || agree.capture() == Some(name) || name.starts_with('_') || is_asked(name)
        };
        let unknown = query.names().iter().find(|name| !is_known(name));
        let Some(name) = unknown else { return Ok(()) };
        let at = text.find(&format!("@{name}")).unwrap_or(0);
        let message = format!("nobody asks for the capture `@{name}`");
        let help = "known are @name, @at, @text, @type, @value, what `agree` names, what a predicate asks for, and names that \
                    begin with `_`";
        Err(self.fault(number, "query", at, message, help))
    }

    fn examples(&self, number: usize, table: &RuleTable) -> Vec<CustomExample> {
        let of = |key: &'static str, list: &[String], bad: bool| -> Vec<CustomExample> {
            let one = |(index, text): (usize, &String)| {
                let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1));
                let place = |byte: usize| {
                    let steps =
                        [Step::Key(TABLES), Step::Element(number), Step::Key(key), Step::Element(index)];
                    let line = self.places.place(&steps, byte).map(|(line, _)| line);
                    line.map_or_else(
                        || self.path.display().to_string(),
                        |line| format!("{}:{line}", self.path.display()),
                    )
                };
                CustomExample { bad, text: text.clone(), lines: starts.map(place).collect() }
            };
            list.iter().enumerate().map(one).collect()
        };
        [of("bad", &table.bad, true), of("good", &table.good, false)].concat()
    }

    /// Where a byte of a value is written.
    fn origin(&self, number: usize, key: &str, byte: usize) -> String {
        let steps = [Step::Key(TABLES), Step::Element(number), Step::Key(key)];
        let path = self.path.display();
        match self.places.place(&steps, byte) {
            Some((line, column)) => format!("{path}:{line}:{column}"),
            None => format!("{path}{TABLES}[{number}].{key}"),
        }
    }

    fn fault(
        &self,
        number: usize,
        key: &'static str,
        byte: usize,
        message: String,
        help: &str,
    ) -> ConfigError {
        let steps = [Step::Key(TABLES), Step::Element(number), Step::Key(key)];
        match self.places.place(&steps, byte) {
            Some((line, column)) => ConfigError::Malformed {
                path: self.path.to_path_buf(),
                line,
                column,
                message,
                help: help.to_string(),
            },
            None => ConfigError::Value {
                message: format!("{}: {message}", self.origin(number, key, byte)),
                help: help.to_string(),
            },
        }
    }
}

/// What must agree.
fn agree(text: &str) -> Option<Agree> {
    Some(match text {
        "presence" => Agree::Presence,
        "text" => Agree::Text,
        "type" => Agree::Type,
        "value" => Agree::Value,
        _ => Agree::Captured(text.strip_prefix('@').filter(|name| !name.is_empty())?.to_string()),
    })
}

/// The first placeholder of a message that nothing is known of, and where it is.
fn unknown_placeholder(message: &str) -> Option<(usize, &str)> {
    let mut from = 0;
    while let Some(open) = message[from..].find('{').map(|at| from + at) {
        let name = message[open + 1..].split('}').next().unwrap_or_default();
        if !PLACEHOLDERS.contains(&name) {
            return Some((open, name));
        }
        from = open + 1;
    }
    None
}
