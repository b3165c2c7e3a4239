//! The command line's definition: commands, options and their help texts.

use std::ffi::{OsStr, OsString};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use std::str::FromStr;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::error::{ContextKind, ContextValue};
use clap::{Arg, ArgMatches, Args, FromArgMatches, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use crate::finding::KINDS;
use crate::finding::{Certainty, Level};
use crate::project::Define;
use crate::report::{FORMATS, Format};
use crate::triage::RuleLevel;

use super::exit_code;
use super::git::Untracked;
use super::output::{Color, Output};
use super::progress::Progress;
use super::version::LONG;

/// Finds CUDA code that means different things to the host and to the GPUs it is compiled for.
///
/// `check` may be left out: `cuda-arch-lint src/ --arch 80,90`.
#[derive(Parser, Debug)]
#[command(name = "cuda-arch-lint", version, long_version = LONG.as_str(), after_help = exit_codes(), max_term_width = 100)]
pub struct Arguments {
    /// The command.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Look for findings in sources and directories (the default command)
    Check(Box<CheckArguments>),
    /// Look for findings in what a compiler command compiles, then run it: for CMAKE_CUDA_COMPILER_LAUNCHER
    Launcher(Box<LauncherArguments>),
    /// Look for findings in what was built: objects, libraries, executables, wheels, conda packages
    Audit(Box<AuditArguments>),
    /// Write what `judge` needs of each unit into a small file: the first of the two steps that `check` is
    Summarize(Box<SummarizeArguments>),
    /// Report the findings of units that were summarized, as `check` does: the second step
    Judge(Box<JudgeArguments>),
    /// Print a source as one pass reads it, as a compiler's `-E` would
    Expand(ExpandArguments),
    /// Print the result of one stage of the analysis for a file
    Dump(DumpArguments),
    /// Print the targets in force: their passes, predefined macros, the GPUs that can run the code, and defects of
    /// the list
    Targets(TargetsArguments),
    /// Print a rule's card: what it detects, why that is undefined, examples, and how to fix it
    Explain {
        /// The rule's id or code
        rule: String,
        /// Where custom rules are declared.
        #[command(flatten)]
        configuration: ConfigArguments,
    },
    /// List the rules, or run the examples of custom ones
    #[command(args_conflicts_with_subcommands = true)]
    Rules(RulesArguments),
    /// Show the settings and where each of them comes from
    Config {
        /// The subcommand
        #[command(subcommand)]
        command: ConfigCommand,
    },
    /// Write a commented cuda-arch-lint.toml that fits the project in the working directory
    Init {
        /// Print the file instead of writing it
        #[arg(long)]
        stdout: bool,
    },
    /// Write a small project with a bug for each rule to find
    Demo {
        /// The folder to write, which is empty or not there yet
        #[arg(value_name = "DIR", default_value = "cuda-arch-lint-demo")]
        directory: PathBuf,
    },
    /// Print a shell's completion script
    Completions {
        /// The shell
        #[arg(value_enum)]
        shell: Shell,
    },
    /// Print the manual page, in roff
    Man,
    /// Run the language server, for an editor that talks to it over standard input and output
    Lsp {
        /// Accepted for editors that add it; standard input and output are used in any case
        #[arg(long, hide = true)]
        stdio: bool,
    },
}

/// The arguments of `rules`.
#[derive(Args, Debug)]
pub struct RulesArguments {
    /// The subcommand
    #[command(subcommand)]
    pub command: Option<RulesCommand>,
    /// The output format
    #[arg(long, value_enum, default_value_t)]
    pub format: Listing,
    /// Where custom rules are declared.
    #[command(flatten)]
    pub configuration: ConfigArguments,
}

/// The subcommands of `rules`.
#[derive(Subcommand, Debug)]
pub enum RulesCommand {
    /// Run the examples of custom rules, and say which did not come out as they are marked
    Test {
        /// Files with custom rules [default: the configuration and the files that it names]
        #[arg(value_name = "FILE")]
        files: Vec<PathBuf>,
        /// Where custom rules are declared.
        #[command(flatten)]
        configuration: ConfigArguments,
    },
}

/// The subcommands of `config`.
#[derive(Subcommand, Debug)]
pub enum ConfigCommand {
    /// Print each setting of `check` and where it comes from
    Show(Box<CheckArguments>),
    /// Print the JSON schema of cuda-arch-lint.toml
    Schema,
}

/// What is reported, and how.
#[derive(Args, Debug, Default)]
pub struct ReportArguments {
    /// The format of findings on standard output [default: text]
    #[arg(long, value_parser = FormatParser)]
    pub format: Option<&'static Format>,
    /// Also write a report to a file, in this format; can be repeated: `sarif:report.sarif`
    #[arg(long, value_name = "FORMAT:FILE")]
    pub output: Vec<Output>,
    /// When to use colours in text output
    #[arg(long, value_enum, default_value_t)]
    pub color: Color,
    /// Also print the names of headers that were not found, and of fixed findings that are still in the baseline
    #[arg(long, short, conflicts_with = "quiet")]
    pub verbose: bool,
    /// Print only findings: no summary, no progress bar
    #[arg(long, short)]
    pub quiet: bool,
}

/// The arguments of `check`.
#[derive(Args, Debug, Default)]
pub struct CheckArguments {
    /// Source files, and directories to search for them [default: the configuration's `paths`]
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Reports.
    #[command(flatten)]
    pub report: ReportArguments,
    /// Do not show a progress bar
    #[arg(long)]
    pub no_progress: bool,
    /// Analyse at most this many units at once [default: the number of processors]
    #[arg(long, short, value_name = "NUMBER")]
    pub jobs: Option<NonZeroUsize>,
    /// Print on standard error how long each stage took, the units that took longest, and what units took over from each other
    #[arg(long)]
    pub timings: bool,
    /// Read the source from standard input, as the unsaved text of this file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["paths", "watch"])]
    pub stdin_filename: Option<PathBuf>,
    /// Run again whenever a file changes
    #[arg(long, conflicts_with = "write_baseline")]
    pub watch: bool,
    /// Try the fixes of every finding, and show those that work; this takes as long as many runs
    #[arg(long, conflicts_with = "fix")]
    pub show_fixes: bool,
    /// Fix findings: edit the sources, then report the findings that remain. Only fixes are applied that keep what code
    /// means in every pass that has it
    #[arg(long, conflicts_with_all = ["stdin_filename", "watch", "write_baseline"])]
    pub fix: bool,
    /// Also apply suggested fixes, which may change what code means in some pass: read the patch
    #[arg(long, requires = "fix")]
    pub suggested: bool,
    /// The kinds of fixes to apply; can be repeated [default: all but allow]
    #[arg(long, value_name = "KIND", requires = "fix", value_parser = fix_parser())]
    pub fix_kind: Vec<String>,
    /// Suppress findings that are not fixed by comments with this reason; with `--fix-kind allow`, all findings
    #[arg(long, value_name = "TEXT", requires = "fix")]
    pub reason: Option<String>,
    /// Results of earlier runs.
    #[command(flatten)]
    pub cache: CacheArguments,
    /// Selection of findings.
    #[command(flatten)]
    pub triage: TriageArguments,
    /// Compilation settings.
    #[command(flatten)]
    pub build: BuildArguments,
}

/// Results of earlier runs.
#[derive(Args, Debug, Default)]
pub struct CacheArguments {
    /// Keep what is found in each unit in this directory, and take what still holds from there: what it read has the same
    /// text, no other header would be found, and options and program are the same. Runs may share it
    #[arg(long = "cache", id = "cache", value_name = "DIR")]
    pub kept: Option<PathBuf>,
    /// The most mebibytes of the cache; what was not used for longest is removed first [default: 1024]
    #[arg(long, value_name = "MIB", requires = "cache")]
    pub cache_size: Option<u64>,
}

/// The arguments of `summarize`.
#[derive(Args, Debug)]
pub struct SummarizeArguments {
    /// Source files, and directories to search for them [default: the configuration's `paths`]
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// The directory to write into, a file for each unit
    #[arg(long, value_name = "DIR", required_unless_present = "output")]
    pub into: Option<PathBuf>,
    /// The file to write, where there is one unit
    #[arg(long, short, value_name = "FILE", conflicts_with = "into")]
    pub output: Option<PathBuf>,
    /// Also write the files that were read to this file, as a rule of a makefile for the output: Ninja and make then know when
    /// to run the command again
    #[arg(long, value_name = "FILE", requires = "output")]
    pub depfile: Option<PathBuf>,
    /// Find headers in the directories that options name, and do not look for others in the whole project: for build systems,
    /// which have to know what a result rests on
    #[arg(long)]
    pub only_named_directories: bool,
    /// The programs and shared libraries that the units become parts of, by any names; units without a name in common are not
    /// linked together [default: as the compilation database says]
    #[arg(long, value_name = "NAME")]
    pub link_group: Vec<PathBuf>,
    /// Files to leave out, as patterns of .gitignore; also if they are named as paths
    #[arg(long, value_name = "GLOB")]
    pub exclude: Vec<String>,
    /// Analyse at most this many units at once [default: the number of processors]
    #[arg(long, short, value_name = "NUMBER")]
    pub jobs: Option<NonZeroUsize>,
    /// Results of earlier runs.
    #[command(flatten)]
    pub cache: CacheArguments,
    /// Compilation settings.
    #[command(flatten)]
    pub build: BuildArguments,
    /// The compiler and its arguments, from which the unit and its options are taken
    #[arg(last = true, value_name = "COMPILER")]
    pub command: Vec<OsString>,
}

/// The arguments of `judge`.
#[derive(Args, Debug)]
pub struct JudgeArguments {
    /// Summaries, directories of files that end in `.summary`, and `@FILE` for the words of a file
    #[arg(value_name = "PATH", required = true)]
    pub paths: Vec<PathBuf>,
    /// Reports.
    #[command(flatten)]
    pub report: ReportArguments,
    /// Read at most this many summaries at once [default: the number of processors]
    #[arg(long, short, value_name = "NUMBER")]
    pub jobs: Option<NonZeroUsize>,
    /// Print on standard error how long each stage took
    #[arg(long)]
    pub timings: bool,
    /// Try the fixes of every finding, and show those that work; this takes as long as many runs
    #[arg(long)]
    pub show_fixes: bool,
    /// Remove fixed findings from the baseline
    #[arg(long)]
    pub prune_baseline: bool,
    /// Report suppression comments that give no reason
    #[arg(long)]
    pub require_reason: bool,
    /// Report findings that comments in the sources suppress as well
    #[arg(long)]
    pub ignore_comments: bool,
    /// Selection of findings.
    #[command(flatten)]
    pub findings: FindingArguments,
    /// The choice of the configuration file.
    #[command(flatten)]
    pub configuration: ConfigArguments,
}

impl std::ops::Deref for CheckArguments {
    type Target = TriageArguments;

    fn deref(&self) -> &TriageArguments {
        &self.triage
    }
}

/// Selection of findings.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Findings")]
pub struct TriageArguments {
    /// The flags that `audit` has too.
    #[command(flatten)]
    pub findings: FindingArguments,
    /// Remove fixed findings from the baseline
    #[arg(long)]
    pub prune_baseline: bool,
    /// Say of each finding whether what was built from the sources (objects, libraries, packages, directories of some) proves
    /// it, denies it or does not have it; can be repeated
    #[arg(long, value_name = "PATH")]
    pub built: Vec<PathBuf>,
    /// Report only findings that the changes since a git revision touch or cause; `main...` means the merge base of
    /// `main` and `HEAD`. Without a revision, with `--fix`: print the edits as a patch instead
    #[arg(long, value_name = "REVISION", num_args = 0..=1, conflicts_with = "write_baseline")]
    pub diff: Option<Option<String>>,
    /// Do not count files that git does not track as changed
    #[arg(long, requires = "diff")]
    pub no_untracked: bool,
    /// Report suppression comments that give no reason
    #[arg(long)]
    pub require_reason: bool,
    /// Report findings that comments in the sources suppress as well
    #[arg(long)]
    pub ignore_comments: bool,
}

impl std::ops::Deref for TriageArguments {
    type Target = FindingArguments;

    fn deref(&self) -> &FindingArguments {
        &self.findings
    }
}

/// Selection of findings, in sources or in what was built.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Findings")]
pub struct FindingArguments {
    /// Set a rule's level, or that of `all` rules: `--rule arch-dependent-header=off`
    #[arg(long, value_name = "RULE=LEVEL")]
    pub rule: Vec<RuleSetting>,
    /// Set a rule's level for some files: `--override 'third_party/:all=off'`
    #[arg(long = "override", value_name = "GLOB:RULE=LEVEL")]
    pub overrides: Vec<RuleOverride>,
    /// Files to leave out, as patterns of .gitignore; also if they are named as paths
    #[arg(long, value_name = "GLOB")]
    pub exclude: Vec<String>,
    /// Report only findings of at least this certainty [default: likely]
    #[arg(long, value_name = "CERTAINTY", value_enum)]
    pub min_certainty: Option<Certainty>,
    /// Fail (exit code 1) only on findings of this level or a more severe one [default: warning]
    #[arg(long, value_name = "LEVEL", value_enum)]
    pub fail_on: Option<Level>,
    /// Do not fail because of findings
    #[arg(long)]
    pub exit_zero: bool,
    /// Report at most this many findings, the most severe
    #[arg(long, value_name = "NUMBER")]
    pub max_findings: Option<usize>,
    /// Suppress the findings that are in this baseline file
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Write all findings to this file, to be used with `--baseline`
    #[arg(long, value_name = "FILE", conflicts_with = "baseline")]
    pub write_baseline: Option<PathBuf>,
    /// Print the number of findings by rule on standard error
    #[arg(long)]
    pub statistics: bool,
    /// Include suppressed findings in SARIF output, marked as suppressed
    #[arg(long)]
    pub show_suppressed: bool,
    /// The category in SARIF, which distinguishes several analyses of one commit [default: cuda-arch-lint]
    #[arg(long, value_name = "NAME")]
    pub category: Option<String>,
}

/// The kinds of fixes, and `allow` for a suppression comment.
fn fix_parser() -> PossibleValuesParser {
    PossibleValuesParser::new(KINDS.iter().map(|(_, name)| *name).chain([ALLOW]))
}

/// The kind that fixes nothing and adds a suppression comment.
pub(super) const ALLOW: &str = "allow";

impl CheckArguments {
    /// `--fix --diff FILE` prints the fixes of a file: the word is no revision, though clap takes it for the option's value.
    pub(super) fn take_path_from_diff(&mut self) {
        if let (true, Some(Some(word))) = (self.fix, &self.diff)
            && Path::new(word).exists()
        {
            self.paths.insert(0, PathBuf::from(word));
            self.triage.diff = Some(None);
        }
    }

    /// The git revision since which changes count.
    pub(super) fn since(&self) -> Option<&str> {
        self.diff.as_ref()?.as_deref()
    }

    /// Whether untracked files count as changed.
    pub(super) fn untracked(&self) -> Untracked {
        if self.no_untracked { Untracked::LeftOut } else { Untracked::New }
    }

    /// Whether a progress bar is shown.
    pub(super) fn progress(&self) -> Progress {
        if self.report.quiet || self.no_progress { Progress::Hidden } else { Progress::Shown }
    }
}

/// A rule and its level.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RuleSetting {
    /// The rule's id or code, or `all`.
    pub rule: String,
    /// The level.
    pub level: RuleLevel,
}

impl FromStr for RuleSetting {
    type Err = String;

    fn from_str(text: &str) -> Result<RuleSetting, String> {
        let level = text.split_once('=').and_then(|(rule, level)| Some((rule, RuleLevel::named(level)?)));
        let (rule, level) =
            level.ok_or("the form is RULE=LEVEL, where LEVEL is off, note, warning or error")?;
        Ok(RuleSetting { rule: rule.to_string(), level })
    }
}

/// A rule and its level for some files.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RuleOverride {
    /// The pattern of the files, as in `.gitignore`.
    pub glob: String,
    /// The rule and its level.
    pub setting: RuleSetting,
}

impl FromStr for RuleOverride {
    type Err = String;

    fn from_str(text: &str) -> Result<RuleOverride, String> {
        let (glob, setting) = text.rsplit_once(':').ok_or("the form is GLOB:RULE=LEVEL")?;
        Ok(RuleOverride { glob: glob.to_string(), setting: setting.parse()? })
    }
}

/// Formats for the list of rules.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Listing {
    /// One line per rule
    #[default]
    Table,
    /// JSON, for programs
    Json,
}

impl ValueEnum for Level {
    fn value_variants<'a>() -> &'a [Level] {
        &[Level::Note, Level::Warning, Level::Error]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(crate::rules::level_name(*self)))
    }
}

impl ValueEnum for Certainty {
    fn value_variants<'a>() -> &'a [Certainty] {
        &[Certainty::Likely, Certainty::Definite]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(match self {
            Certainty::Likely => "likely",
            Certainty::Definite => "definite",
        }))
    }
}

/// The choice of the configuration file.
#[derive(Args, Debug, Default)]
pub struct ConfigArguments {
    /// The configuration file [default: cuda-arch-lint.toml in the working directory or the nearest one above]
    #[arg(long, value_name = "FILE", conflicts_with = "isolated")]
    pub config: Option<PathBuf>,
    /// Read no configuration file
    #[arg(long)]
    pub isolated: bool,
    /// Also check the custom rules in this file; can be repeated
    #[arg(long, value_name = "FILE")]
    pub rule_file: Vec<PathBuf>,
}

/// The arguments of `audit`.
#[derive(Args, Debug)]
pub struct AuditArguments {
    /// Objects, libraries, executables, cubins, fatbins, PTX, wheels, conda packages, and directories that hold some
    #[arg(value_name = "PATH", required_unless_present = "diff")]
    pub paths: Vec<PathBuf>,
    /// List the kernels by architecture instead
    #[arg(long, value_enum, value_name = "FORMAT", num_args = 0..=1, require_equals = true, default_missing_value = "table")]
    pub list: Option<Inventory>,
    /// List instead which kernels the second of two builds adds and loses on which GPUs
    #[arg(long, value_names = ["OLD", "NEW"], num_args = 2, conflicts_with_all = ["paths", "list"])]
    pub diff: Option<Vec<PathBuf>>,
    /// The sources that it was built from: each finding names the finding of `check` that explains it. Their targets are
    /// those of the images unless something names others; the options of `check` that say how sources are compiled apply
    #[arg(long, value_name = "PATH", conflicts_with_all = ["list", "diff"])]
    pub sources: Vec<PathBuf>,
    /// How findings are printed on standard output [default: text]
    #[arg(long, value_parser = FormatParser)]
    pub format: Option<&'static Format>,
    /// Write a report to a file too, in another format; may be repeated: `sarif:report.sarif`
    #[arg(long, value_name = "FORMAT:FILE")]
    pub output: Vec<Output>,
    /// Colours in text output
    #[arg(long, value_enum, default_value_t)]
    pub color: Color,
    /// Print findings only: no summary
    #[arg(long, short)]
    pub quiet: bool,
    /// Selection of findings.
    #[command(flatten)]
    pub findings: FindingArguments,
    /// How the sources are compiled.
    #[command(flatten)]
    pub build: BuildArguments,
}

/// How kernels are listed.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Inventory {
    /// A line for each kernel, a column for each image
    Table,
    /// For programs: modules, images, parameters
    Json,
    /// A page with a matrix of kernels and GPUs
    Html,
}

/// The arguments of `launcher`.
#[derive(Args, Debug)]
pub struct LauncherArguments {
    /// Fail because of findings as `check` does, even if the compiler succeeds
    #[arg(long)]
    pub fail: bool,
    /// The options of `check`.
    #[command(flatten)]
    pub check: CheckArguments,
    /// The compiler and its arguments
    #[arg(last = true, required = true, value_name = "COMPILER")]
    pub command: Vec<OsString>,
}

/// The arguments of `expand`.
#[derive(Args, Debug)]
pub struct ExpandArguments {
    /// The source file
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The pass: `host`, or a target's name
    #[arg(long, value_name = "PASS")]
    pub pass: String,
    /// Print no line markers
    #[arg(short = 'P', long)]
    pub no_line_markers: bool,
    /// Compilation settings.
    #[command(flatten)]
    pub build: BuildArguments,
}

/// The arguments of `dump`.
#[derive(Args, Debug)]
pub struct DumpArguments {
    /// The source file
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The stage of the analysis
    #[arg(long, value_enum)]
    pub stage: Stage,
    /// Print only what one pass sees: `host`, or a target's name
    #[arg(long, value_name = "PASS")]
    pub pass: Option<String>,
    /// The output format
    #[arg(long, value_enum, default_value_t)]
    pub format: DumpFormat,
    /// Compilation settings.
    #[command(flatten)]
    pub build: BuildArguments,
}

/// The arguments of `targets`.
#[derive(Args, Debug)]
pub struct TargetsArguments {
    /// Source files, and directories to search for them; without any, print the targets of `--arch` or else of the
    /// project in the working directory
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Print all known targets instead
    #[arg(long)]
    pub list: bool,
    /// Print conda's `__cuda_arch` package for this machine instead (CEP 46)
    #[arg(long, conflicts_with = "list")]
    pub virtual_package: bool,
    /// Compilation settings.
    #[command(flatten)]
    pub build: BuildArguments,
}

/// Compilation settings; they take precedence over the compilation database.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Compilation")]
pub struct BuildArguments {
    /// The choice of the configuration file.
    #[command(flatten)]
    pub configuration: ConfigArguments,
    /// Targets, in nvcc's order: `75,sm_80,compute_90a`, `all` (the default), `native`, or in the notation of nvcc
    /// (`-gencode arch=...`), clang (`--offload-arch=...`), CMake (`80-real`) or PyTorch (`8.6+PTX`); AMD's as
    /// `gfx1100`
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub arch: Vec<String>,
    /// Add a directory to the include path
    #[arg(short = 'I', long = "include-directory", value_name = "DIR")]
    pub directory: Vec<PathBuf>,
    /// `-D` and `-U`.
    #[command(flatten)]
    pub macros: Macros,
    /// Compile for separate compilation (`-rdc=true`, `-dc`)
    #[arg(long)]
    pub rdc: bool,
    /// The compile_commands.json, or its directory [default: searched for near the paths]
    #[arg(short = 'p', long, value_name = "DIR|FILE")]
    pub database: Option<PathBuf>,
    /// The language standard: `c++17` or `gnu++20`
    #[arg(long, value_name = "STANDARD")]
    pub std: Option<String>,
    /// The release of nvcc [default: that of the toolkit found, else 13.0]
    #[arg(long, value_name = "X.Y")]
    pub cuda_version: Option<String>,
    /// The CUDA toolkit's directory [default: from CUDA_HOME, CUDA_PATH, nvcc on the PATH, /usr/local/cuda, a Python
    /// environment (VIRTUAL_ENV, .venv) or CONDA_PREFIX]
    #[arg(long, value_name = "DIR")]
    pub cuda_path: Option<PathBuf>,
    /// A host compiler to run for its predefined macros and include directories
    #[arg(long, value_name = "PROGRAM")]
    pub compiler: Option<PathBuf>,
    /// Do not read headers of installed compilers and toolkits; use built-in stand-ins
    #[arg(long)]
    pub nostdinc: bool,
    /// Further options of the include path.
    #[command(flatten)]
    pub search: SearchArguments,
    /// Another option of nvcc or the host compiler that predefines macros: `--extra-arg=-fopenmp`
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true)]
    pub extra_arg: Vec<String>,
}

/// Options of the include path. Compilers have the same options with one dash.
#[derive(Args, Debug, Default)]
pub struct SearchArguments {
    /// Add a directory of system headers, searched after `-I`
    #[arg(long, value_name = "DIR")]
    pub isystem: Vec<String>,
    /// Add a directory that only `#include "..."` searches, before `-I`
    #[arg(long, value_name = "DIR")]
    pub iquote: Vec<String>,
    /// Add a directory that is searched after all system directories
    #[arg(long, value_name = "DIR")]
    pub idirafter: Vec<String>,
    /// Add a directory in which `#embed` searches
    #[arg(long, value_name = "DIR")]
    pub embed_dir: Vec<String>,
    /// Include a file before the source
    #[arg(long, value_name = "FILE")]
    pub include: Vec<String>,
    /// Include a file before the source, for its macros only
    #[arg(long, value_name = "FILE")]
    pub imacros: Vec<String>,
    /// The directory below which system headers are
    #[arg(long, visible_alias = "isysroot", value_name = "DIR")]
    pub sysroot: Option<String>,
}

/// `-D` and `-U` in their order, which matters.
#[derive(Debug, Default)]
pub struct Macros(pub Vec<Define>);

/// The two options as clap parses them.
#[derive(Args, Debug)]
struct MacroArguments {
    /// Define a macro
    #[arg(short = 'D', long, value_name = "NAME[=VALUE]", value_parser = Define::parse_own)]
    define: Vec<Define>,
    /// Undefine a macro
    #[arg(short = 'U', long, value_name = "NAME", value_parser = undefine)]
    undefine: Vec<Define>,
}

/// The value of `-U`.
fn undefine(name: &str) -> Result<Define, String> {
    Define::check_name(name).map(|()| Define::Undef(name.to_string()))
}

impl Args for Macros {
    fn augment_args(command: clap::Command) -> clap::Command {
        MacroArguments::augment_args(command)
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        MacroArguments::augment_args_for_update(command)
    }
}

impl FromArgMatches for Macros {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Macros, clap::Error> {
        let MacroArguments { define, undefine } = MacroArguments::from_arg_matches(matches)?;
        let places = |name: &str| matches.indices_of(name).into_iter().flatten().collect::<Vec<_>>();
        let defines = places("define").into_iter().zip(define);
        let undefines = places("undefine").into_iter().zip(undefine);
        let mut all: Vec<(usize, Define)> = defines.chain(undefines).collect();
        all.sort_by_key(|(place, _)| *place);
        Ok(Macros(all.into_iter().map(|(_, define)| define).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Macros::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The stages of the analysis whose result can be printed.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// The tokens of the project's files after preprocessing, each with the passes that have it
    Tokens,
    /// The conditionals: the passes that enter each group, and why
    Conditions,
    /// The declarations at namespace scope in those files, and which of them vary between passes
    Declarations,
    /// The types, constants, launches and instantiations in each pass
    Facts,
    /// All kernels by pass, whether or not the passes differ in them, and where that can't be told
    Kernels,
}

/// The formats in which a stage can be printed.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum DumpFormat {
    /// For reading
    #[default]
    Text,
    /// For programs; the stage `kernels` alone has it
    Json,
}

impl BuildArguments {
    /// The options in the form that compilers take.
    pub(super) fn options(&self) -> Vec<String> {
        [self.search.options(), self.extra_arg.clone()].concat()
    }
}

impl SearchArguments {
    /// The options in the form that compilers take.
    fn options(&self) -> Vec<String> {
        let lists = [
            ("-isystem", &self.isystem),
            ("-iquote", &self.iquote),
            ("-idirafter", &self.idirafter),
            ("--embed-dir", &self.embed_dir),
            ("-include", &self.include),
            ("-imacros", &self.imacros),
        ];
        let pairs = lists.iter().flat_map(|(name, list)| list.iter().map(|value| (*name, value)));
        // The sysroot comes first, since a `=` in the other options' values stands for it.
        let sysroot = self.sysroot.iter().map(|root| ("--sysroot", root));
        sysroot.chain(pairs).flat_map(|(name, value)| [name.to_string(), value.clone()]).collect()
    }
}

/// `--format`'s values come from the table of formats. One that has a file behind it is what `--output` takes.
#[derive(Clone)]
struct FormatParser;

impl TypedValueParser for FormatParser {
    type Value = &'static Format;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<&'static Format, clap::Error> {
        let values = PossibleValuesParser::new(named_formats());
        let name = values.parse_ref(command, argument, value).map_err(|mut error| {
            if let Some(output) = value.to_str().filter(|value| Output::from_str(value).is_ok()) {
                error.remove(ContextKind::SuggestedValue);
                let tip = format!("a report is written to a file by '--output {output}'");
                error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
            }
            error
        })?;
        Ok(FORMATS.iter().find(|format| format.name == name).expect("clap accepts only the table's names"))
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(named_formats()))
    }
}

fn named_formats() -> impl Iterator<Item = PossibleValue> {
    FORMATS.iter().map(|format| PossibleValue::new(format.name).help(format.about))
}

fn exit_codes() -> String {
    let lines = exit_code::TABLE.iter().map(|(code, meaning)| format!("  {code}  {meaning}"));
    format!("Exit codes:\n{}", lines.collect::<Vec<_>>().join("\n"))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use crate::cli::words::with_command;
    use crate::project::{Headers, Settings};

    use super::*;

    fn settings_of(build: &BuildArguments) -> Settings {
        crate::cli::resolve::settings(build).unwrap()
    }

    fn parse(line: &str) -> Command {
        let words = line.split_whitespace().map(OsString::from);
        Arguments::try_parse_from(with_command(words).unwrap()).unwrap().command
    }

    #[test]
    fn the_definition_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn check_may_be_left_out() {
        for line in ["x src/ --arch 80", "x --arch 80 src/", "x check --arch=80 src/"] {
            let Command::Check(arguments) = parse(line) else { panic!("{line}") };
            assert_eq!((arguments.build.arch, arguments.paths), (vec!["80".into()], vec!["src/".into()]));
        }
        assert!(matches!(parse("x rules"), Command::Rules { .. }));
    }

    #[test]
    fn compilers_options_are_known_with_one_dash() {
        let line = "x a.cu -std=c++20 -isystem s --isystem=t -include p.h -isysroot /r -nostdinc \
                    --extra-arg=-fopenmp";
        let Command::Check(arguments) = parse(line) else { panic!() };
        let settings = settings_of(&arguments.build);
        assert_eq!(settings.standard.as_deref(), Some("c++20"));
        assert_eq!(settings.options.join(" "), "--sysroot /r -isystem s -isystem t -include p.h -fopenmp");
        assert_eq!(settings.headers, Headers::BuiltIn);
        let Command::Check(arguments) = parse("x a.cu -I include -D include") else { panic!() };
        assert_eq!(settings_of(&arguments.build).headers, Headers::Installed);
    }

    #[test]
    fn definitions_keep_their_order() {
        let Command::Check(arguments) = parse("x a.cu -DA -U B -D C=1 -UA") else { panic!() };
        let define = |name: &str| Define::Define(name.into(), "1".into());
        let undef = |name: &str| Define::Undef(name.into());
        assert_eq!(arguments.build.macros.0, [define("A"), undef("B"), define("C"), undef("A")]);
    }
}
