//! Combines the command line with the configuration file. A flag takes precedence over a key. Lists that accumulate
//! (include directories, macros, globs, levels) have the file's entries first.

use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::catalog::Catalog;
use crate::config::{Config, ConfigError, Loaded, all_rules, find, globs, levels, load, rules_of_file};
use crate::custom::CustomRules;
use crate::finding::{Certainty, Level};
use crate::project::{ByName, Define, Headers, Settings, tidy};
use crate::report::{FORMATS, Format};
use crate::triage::{Comments, Override, Policy, RuleLevel};

use super::Failure;
use super::arguments::{
    AuditArguments, BuildArguments, CheckArguments, ConfigArguments, FindingArguments, RuleSetting,
};
use super::output::{Output, To, format_named};

/// The settings of a run of `check`.
#[derive(Clone, Debug)]
pub(super) struct Run {
    pub(super) paths: Vec<PathBuf>,
    pub(super) settings: Settings,
    /// The origin of targets that override the build's: `--arch`, or the configuration file.
    pub(super) arch_source: String,
    /// The configuration file, if there is one.
    pub(super) configuration: Option<PathBuf>,
    pub(super) reporting: Reporting,
    /// The settings with their origins, for `config show`.
    pub(super) rows: Vec<Row>,
}

impl std::ops::Deref for Run {
    type Target = Reporting;

    fn deref(&self) -> &Reporting {
        &self.reporting
    }
}

/// The findings to report, and how to report them.
#[derive(Clone, Debug)]
pub(super) struct Reporting {
    pub(super) policy: Policy,
    pub(super) outputs: Vec<Output>,
    pub(super) fail_on: Level,
    pub(super) max_findings: Option<usize>,
    pub(super) baseline: Option<PathBuf>,
    pub(super) category: String,
    pub(super) root: PathBuf,
}

/// A setting, its value, and where it comes from.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) key: &'static str,
    pub(super) value: String,
    pub(super) source: String,
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Failure {
        Failure::Usage { message: error.to_string(), help: error.help() }
    }
}

/// The configuration file that applies, if there is one.
pub(super) fn configuration(arguments: &ConfigArguments) -> Result<Option<Loaded>, Failure> {
    let path = match (&arguments.config, arguments.isolated) {
        (Some(path), _) => Some(path.clone()),
        (None, true) => None,
        (None, false) => find(Path::new(".")).map(|path| tidy(&path)),
    };
    Ok(path.map(|path| load(&path)).transpose()?)
}

/// The rules that are checked besides the built-in ones, and the catalog of all rules.
pub(super) fn rules(
    arguments: &ConfigArguments,
    findings: &FindingArguments,
    loaded: Option<&Loaded>,
) -> Result<(CustomRules, Catalog), Failure> {
    let none = Config::default();
    let config = loaded.map_or(&none, |loaded| &loaded.config);
    let mut own = loaded.map(|loaded| loaded.custom.clone()).unwrap_or_default();
    for file in &arguments.rule_file {
        own.extend(rules_of_file(file)?);
    }
    let of_overrides = config.overrides.iter().flat_map(|one| &one.rules);
    let of_file = config.rules.iter().chain(of_overrides).map(|(rule, level)| (rule.as_str(), *level));
    let of_flags = findings.rule.iter().chain(findings.overrides.iter().map(|one| &one.setting));
    let of_flags = of_flags.map(|one| (one.rule.as_str(), one.level));
    Ok(all_rules(own, of_file.chain(of_flags))?)
}

/// The compilation settings.
pub(super) fn settings(build: &BuildArguments) -> Result<Settings, Failure> {
    Ok(settings_and_source(build)?.0)
}

/// The compilation settings, and the origin of targets that override the build's.
pub(super) fn settings_and_source(build: &BuildArguments) -> Result<(Settings, String), Failure> {
    let loaded = configuration(&build.configuration)?;
    let mut settings = build_settings(build, loaded.as_ref(), &mut Rows::new(loaded.as_ref()));
    settings.custom = rules(&build.configuration, &FindingArguments::default(), loaded.as_ref())?.0;
    Ok((settings, arch_source(build, loaded.as_ref())))
}

/// The origin of targets that override the build's.
fn arch_source(build: &BuildArguments, loaded: Option<&Loaded>) -> String {
    let of_file = loaded.filter(|_| build.arch.is_empty());
    match of_file {
        Some(loaded) if !loaded.config.arch.is_empty() || build.extra_arg.is_empty() => {
            loaded.path.display().to_string()
        }
        None if build.arch.is_empty() && !build.extra_arg.is_empty() => "--extra-arg".into(),
        Some(_) => "--extra-arg".into(),
        None => "--arch".into(),
    }
}

/// The settings of a run.
pub(super) fn run(arguments: &CheckArguments) -> Result<Run, Failure> {
    let loaded = configuration(&arguments.build.configuration)?;
    let none = Config::default();
    let config = loaded.as_ref().map_or(&none, |loaded| &loaded.config);
    let mut rows = Rows::new(loaded.as_ref());
    let paths = rows.list("paths", &arguments.paths, &config.paths);
    let mut settings = build_settings(&arguments.build, loaded.as_ref(), &mut rows);
    let (custom, catalog) = rules(&arguments.build.configuration, &arguments.findings, loaded.as_ref())?;
    rows.note("custom-rules", custom.len(), loaded.as_ref().map_or(0, |loaded| loaded.custom.len()));
    settings.custom = custom;
    let arch_source = arch_source(&arguments.build, loaded.as_ref());
    let flags = Flags {
        findings: &arguments.findings,
        format: arguments.report.format,
        output: &arguments.report.output,
        require_reason: arguments.require_reason,
        comments: if arguments.ignore_comments { Comments::Ignored } else { Comments::Count },
        catalog,
    };
    let reporting = reporting(&flags, loaded.as_ref(), &mut rows)?;
    Ok(Run {
        paths,
        settings,
        arch_source,
        configuration: loaded.as_ref().map(|loaded| loaded.path.clone()),
        reporting,
        rows: rows.rows,
    })
}

/// The settings of a run of `audit`; its paths are those of the sources.
pub(super) fn audit(arguments: &AuditArguments) -> Result<Run, Failure> {
    let loaded = configuration(&arguments.build.configuration)?;
    let flags = Flags {
        findings: &arguments.findings,
        format: arguments.format,
        output: &arguments.output,
        require_reason: false,
        comments: Comments::Ignored,
        catalog: rules(&arguments.build.configuration, &arguments.findings, loaded.as_ref())?.1,
    };
    let mut rows = Rows::new(loaded.as_ref());
    Ok(Run {
        paths: arguments.sources.clone(),
        settings: build_settings(&arguments.build, loaded.as_ref(), &mut rows),
        arch_source: arch_source(&arguments.build, loaded.as_ref()),
        configuration: loaded.as_ref().map(|loaded| loaded.path.clone()),
        reporting: reporting(&flags, loaded.as_ref(), &mut rows)?,
        rows: rows.rows,
    })
}

/// The flags on findings and reports.
struct Flags<'a> {
    findings: &'a FindingArguments,
    format: Option<&'static Format>,
    output: &'a [Output],
    require_reason: bool,
    comments: Comments,
    catalog: Catalog,
}

fn reporting(flags: &Flags<'_>, loaded: Option<&Loaded>, rows: &mut Rows) -> Result<Reporting, Failure> {
    let none = Config::default();
    let config = loaded.map_or(&none, |loaded| &loaded.config);
    let arguments = flags.findings;
    let policy = policy(flags, loaded, rows)?;
    let fail_on = rows.one("fail-on", arguments.fail_on, config.fail_on, Level::Warning);
    let max_findings = rows.option("max-findings", &arguments.max_findings, config.max_findings);
    let format = match &config.format {
        Some(name) => Some(format_named(name).map_err(|message| in_file(loaded, "format", message))?),
        None => None,
    };
    let given = |output: &String| {
        let mut output: Output = output.parse().map_err(|message| in_file(loaded, "output", message))?;
        if let (To::File(path), Some(loaded)) = (&mut output.to, loaded) {
            *path = loaded.directory.join(&*path);
        }
        Ok(output)
    };
    let format_name = flags.format.or(format).unwrap_or(&FORMATS[0]).name;
    rows.one("format", flags.format.map(|one| one.name), format.map(|one| one.name), FORMATS[0].name);
    let mut outputs = match flags.output.is_empty() {
        true => config.output.iter().map(given).collect::<Result<Vec<Output>, Failure>>()?,
        false => flags.output.to_vec(),
    };
    let names = |outputs: &[Output]| outputs.iter().map(|output| output.format.name).collect::<Vec<_>>();
    rows.list("output", &names(flags.output), &config.output.iter().map(String::as_str).collect::<Vec<_>>());
    let to_stdout = outputs.iter().any(|output| output.to == To::Stdout);
    if !to_stdout || flags.format.is_some() {
        let format = format_named(format_name).expect("it is a format's name");
        outputs.insert(0, Output { format, to: To::Stdout });
    }
    let baseline = rows.option("baseline", &arguments.baseline, config.baseline.clone());
    let category =
        rows.one("category", arguments.category.clone(), config.category.clone(), "cuda-arch-lint".into());
    let root = root(loaded);
    Ok(Reporting { policy, outputs, fail_on, max_findings, baseline, category, root })
}

/// The project's root: that of the repository around the working directory, else the directory of the configuration
/// file, else the working directory.
fn root(loaded: Option<&Loaded>) -> PathBuf {
    let current = std::env::current_dir().unwrap_or_default();
    let repository = current.ancestors().find(|directory| directory.join(".git").exists());
    let root = repository.map(Path::to_path_buf).or_else(|| loaded.map(|loaded| loaded.directory.clone()));
    let root = root.unwrap_or(current);
    root.canonicalize().unwrap_or(root)
}

fn build_settings(build: &BuildArguments, loaded: Option<&Loaded>, rows: &mut Rows) -> Settings {
    let none = Config::default();
    let config = loaded.map_or(&none, |loaded| &loaded.config);
    let of_file = loaded.map(Loaded::settings).unwrap_or_default();
    let nostdinc = rows.one("nostdinc", build.nostdinc.then_some(true), config.nostdinc, false);
    Settings {
        targets: rows.list("arch", &build.arch, &of_file.targets),
        directories: rows.sum("include-directories", &of_file.directories, &build.directory, |path| {
            path.display().to_string()
        }),
        defines: rows.sum("define, undefine", &of_file.defines, &build.macros.0, define),
        rdc: rows.one("rdc", build.rdc.then_some(true), config.rdc, false),
        database: rows.option("database", &build.database, of_file.database),
        standard: rows.option("std", &build.std, of_file.standard),
        cuda_version: rows.option("cuda-version", &build.cuda_version, of_file.cuda_version),
        cuda_path: rows.option("cuda-path", &build.cuda_path, of_file.cuda_path),
        compiler: rows.option("compiler", &build.compiler, of_file.compiler),
        options: rows.sum("isystem, include, extra-args", &of_file.options, &build.options(), String::clone),
        headers: if nostdinc { Headers::BuiltIn } else { Headers::Installed },
        by_name: ByName::Found,
        custom: CustomRules::default(),
    }
}

fn policy(flags: &Flags<'_>, loaded: Option<&Loaded>, rows: &mut Rows) -> Result<Policy, Failure> {
    let none = Config::default();
    let config = loaded.map_or(&none, |loaded| &loaded.config);
    let arguments = flags.findings;
    let mut policy =
        loaded.map(|loaded| loaded.policy_among(flags.catalog.clone())).transpose()?.unwrap_or_default();
    policy.catalog = flags.catalog.clone();
    let current = std::env::current_dir().unwrap_or_default();
    // Patterns on the command line are relative to the same directory as in the file, so that they can be moved
    // there.
    let begin = loaded.map_or(current.as_path(), |loaded| &loaded.directory);
    let setting = |(rule, level): (&String, &RuleLevel)| RuleSetting { rule: rule.clone(), level: *level };
    let of_file: Vec<RuleSetting> = config.rules.iter().map(setting).collect();
    let all =
        rows.sum("rules", &of_file, &arguments.rule, |one| format!("{}={}", one.rule, one.level.name()));
    policy.levels = levels(all.iter().map(|one| (one.rule.as_str(), one.level)), &policy.catalog)?;
    for one in &arguments.overrides {
        let paths = globs(begin, std::slice::from_ref(&one.glob))?;
        let levels =
            levels(std::iter::once((one.setting.rule.as_str(), one.setting.level)), &policy.catalog)?;
        policy.overrides.push(Override { paths, levels });
    }
    rows.note("overrides", policy.overrides.len(), config.overrides.len());
    policy.exclude = globs(begin, &rows.sum("exclude", &config.exclude, &arguments.exclude, String::clone))?;
    let (certainty, of_file) = (arguments.min_certainty, config.min_certainty);
    policy.min_certainty = Some(rows.one("min-certainty", certainty, of_file, Certainty::Likely));
    let reason = flags.require_reason.then_some(true);
    policy.require_reason = rows.one("require-reason", reason, config.require_reason, false);
    if flags.comments == Comments::Ignored {
        policy.comments = Comments::Ignored;
    }
    Ok(policy)
}

fn in_file(loaded: Option<&Loaded>, key: &str, message: String) -> Failure {
    let path = loaded.map(|loaded| loaded.path.display().to_string()).unwrap_or_default();
    Failure::Usage { message: format!("{path}: `{key}`: {message}"), help: String::new() }
}

/// Collects the settings with their origins.
struct Rows {
    rows: Vec<Row>,
    file: String,
}

impl Rows {
    fn new(loaded: Option<&Loaded>) -> Rows {
        let file = loaded.map(|loaded| loaded.path.display().to_string()).unwrap_or_default();
        Rows { rows: Vec::new(), file }
    }

    fn push(&mut self, key: &'static str, value: String, by_flag: usize, by_file: usize) {
        let source = match (by_flag, by_file) {
            (0, 0) => "the default".to_string(),
            (0, _) => self.file.clone(),
            (_, 0) => "the command line".to_string(),
            (_, _) => format!("{} and the command line", self.file),
        };
        self.rows.push(Row { key, value, source });
    }

    /// A single value: the flag's, else the file's, else the default.
    fn one<T: Serialize + Clone>(
        &mut self,
        key: &'static str,
        flag: Option<T>,
        file: Option<T>,
        default: T,
    ) -> T {
        let (by_flag, by_file) = (usize::from(flag.is_some()), usize::from(flag.is_none() && file.is_some()));
        let value = flag.or(file).unwrap_or(default);
        self.push(key, shown(&value), by_flag, by_file);
        value
    }

    /// A value that may be absent.
    fn option<T: Serialize + Clone>(
        &mut self,
        key: &'static str,
        flag: &Option<T>,
        file: Option<T>,
    ) -> Option<T> {
        self.one(key, flag.clone().map(Some), file.map(Some), None)
    }

    /// A list: the flags' if there are any, else the file's.
    fn list<T: Serialize + Clone>(&mut self, key: &'static str, flag: &[T], file: &[T]) -> Vec<T> {
        let value = if flag.is_empty() { file } else { flag };
        self.push(key, shown(&value), flag.len(), if flag.is_empty() { file.len() } else { 0 });
        value.to_vec()
    }

    /// A list to which flags add entries; `write` is how an entry is printed.
    fn sum<T: Clone>(
        &mut self,
        key: &'static str,
        file: &[T],
        flag: &[T],
        written: fn(&T) -> String,
    ) -> Vec<T> {
        let value = [file, flag].concat();
        let written: Vec<String> = value.iter().map(written).collect();
        self.push(key, shown(&written), flag.len(), file.len());
        value
    }

    /// A list of which only the length is printed.
    fn note(&mut self, key: &'static str, all: usize, by_file: usize) {
        self.push(key, all.to_string(), all - by_file, by_file);
    }
}

/// A value in the configuration file's syntax; `-` for none.
fn shown<T: Serialize + ?Sized>(value: &T) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::Null) => "-".to_string(),
        Ok(value) => value.to_string(),
        // A path that is not UTF-8 can't be written in the configuration file.
        Err(_) => "?".to_string(),
    }
}

fn define(one: &Define) -> String {
    match one {
        Define::Define(name, value) => format!("{name}={value}"),
        Define::Undef(name) => format!("-U{name}"),
    }
}
