//! What can be typed.

use std::ffi::OsString;
use std::path::PathBuf;

use std::str::FromStr;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{ArgMatches, Args, FromArgMatches, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use crate::finding::{Certainty, Level};
use crate::fix::KINDS;
use crate::project::Define;
use crate::report::{FORMATS, Format};
use crate::triage::RuleLevel;

use super::exit_code;
use super::git::Untracked;
use super::output::Output;
use super::progress::Progress;
use super::version::LONG;

/// Finds CUDA code that means different things to the host and to the GPUs it is compiled for.
///
/// `check` may be left out: `cuda-arch-lint src/ --arch 80,90`.
#[derive(Parser, Debug)]
#[command(name = "cuda-arch-lint", version, long_version = LONG.as_str(), after_help = exit_codes(), max_term_width = 100)]
pub struct Arguments {
    /// What to do.
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
    /// Print a source as one pass reads it, as a compiler's `-E` would
    Expand(ExpandArguments),
    /// Print what a stage of the analysis makes of a file
    Dump(DumpArguments),
    /// Print what is compiled for which GPUs, what each pass predefines, and what is wrong with the list
    Targets(TargetsArguments),
    /// Print what a rule is about, with examples and how to fix them
    Explain {
        /// The rule's id or code
        rule: String,
    },
    /// List the rules
    Rules {
        /// How they are listed
        #[arg(long, value_enum, default_value_t)]
        format: Listing,
    },
    /// Show settings and where they come from
    Config {
        /// What to do with them
        #[command(subcommand)]
        command: ConfigCommand,
    },
    /// Write a commented cuda-arch-lint.toml that fits the project in the working directory
    Init {
        /// Print it instead
        #[arg(long)]
        stdout: bool,
    },
    /// Print a script that completes the command line in a shell
    Completions {
        /// The shell
        #[arg(value_enum)]
        shell: Shell,
    },
    /// Print the manual page, in roff
    Man,
    /// Run the language server: an editor starts it and talks to it over standard input and output
    Lsp {
        /// What some editors add; there is no other way to talk
        #[arg(long, hide = true)]
        stdio: bool,
    },
}

/// What `config` does.
#[derive(Subcommand, Debug)]
pub enum ConfigCommand {
    /// Print each setting that `check` would have, and where it comes from
    Show(Box<CheckArguments>),
    /// Print the JSON schema of cuda-arch-lint.toml
    Schema,
}

/// What `check` takes.
#[derive(Args, Debug)]
pub struct CheckArguments {
    /// Sources, and directories that hold some; else those of the configuration
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// How findings are printed on standard output [default: text]
    #[arg(long, value_parser = format_parser())]
    pub format: Option<&'static Format>,
    /// Write a report to a file too, in another format; may be repeated: `sarif:report.sarif`
    #[arg(long, value_name = "FORMAT:FILE")]
    pub output: Vec<Output>,
    /// Colours in text output
    #[arg(long, value_enum, default_value_t)]
    pub color: Color,
    /// Name the headers that were not found, and what of the baseline was fixed
    #[arg(long, short, conflicts_with = "quiet")]
    pub verbose: bool,
    /// Print findings only: no summary, no progress
    #[arg(long, short)]
    pub quiet: bool,
    /// Count findings by rule, on standard error
    #[arg(long)]
    pub statistics: bool,
    /// Show no progress bar
    #[arg(long)]
    pub no_progress: bool,
    /// Read the source from standard input; it is the unsaved text of this file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["paths", "watch"])]
    pub stdin_filename: Option<PathBuf>,
    /// Run again whenever a file changes
    #[arg(long)]
    pub watch: bool,
    /// Mend what is found: edit the sources, then report what is left
    #[arg(long, conflicts_with_all = ["stdin_filename", "watch", "write_baseline"])]
    pub fix: bool,
    /// The fixes that are wanted [default: all but allow]
    #[arg(long, value_name = "KIND", requires = "fix", value_parser = fix_parser())]
    pub fix_kind: Vec<String>,
    /// Allow what is not mended, in a comment that gives this reason; with `--fix-kind allow`, mend nothing
    #[arg(long, value_name = "TEXT", requires = "fix")]
    pub reason: Option<String>,
    /// Which findings count.
    #[command(flatten)]
    pub triage: TriageArguments,
    /// How the code is compiled.
    #[command(flatten)]
    pub build: BuildArguments,
}

impl std::ops::Deref for CheckArguments {
    type Target = TriageArguments;

    fn deref(&self) -> &TriageArguments {
        &self.triage
    }
}

/// Which findings count.
#[derive(Args, Debug)]
#[command(next_help_heading = "Findings")]
pub struct TriageArguments {
    /// A rule's level, `off` included; the rule may be `all`: `--rule arch-dependent-header=off`
    #[arg(long, value_name = "RULE=LEVEL")]
    pub rule: Vec<RuleSetting>,
    /// A rule's level in some files: `--override 'third_party/:all=off'`
    #[arg(long = "override", value_name = "GLOB:RULE=LEVEL")]
    pub overrides: Vec<RuleOverride>,
    /// Files not to look at, as .gitignore would name them; they are left out though they are named
    #[arg(long, value_name = "GLOB")]
    pub exclude: Vec<String>,
    /// Report only findings at least this sure [default: likely]
    #[arg(long, value_name = "CERTAINTY", value_enum)]
    pub min_certainty: Option<Certainty>,
    /// Fail (exit code 1) only on findings of this level or a worse one [default: note]
    #[arg(long, value_name = "LEVEL", value_enum)]
    pub fail_on: Option<Level>,
    /// Do not fail on findings
    #[arg(long)]
    pub exit_zero: bool,
    /// Report no more findings than this, the most severe
    #[arg(long, value_name = "NUMBER")]
    pub max_findings: Option<usize>,
    /// Keep quiet about the findings in this file
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Write all findings to this file, for `--baseline`
    #[arg(long, value_name = "FILE", conflicts_with_all = ["baseline", "diff", "watch"])]
    pub write_baseline: Option<PathBuf>,
    /// Take what is fixed out of the baseline
    #[arg(long)]
    pub prune_baseline: bool,
    /// Report only what the changes since a git revision touch or cause; `main...` is where `main` and `HEAD` parted.
    /// Without a revision, with `--fix`: print what it would edit as a patch
    #[arg(long, value_name = "REVISION", num_args = 0..=1)]
    pub diff: Option<Option<String>>,
    /// Files that git does not know are no part of the changes
    #[arg(long, requires = "diff")]
    pub no_untracked: bool,
    /// Comments that allow a finding have to say why
    #[arg(long)]
    pub require_reason: bool,
    /// Report what comments in the sources allow as well
    #[arg(long)]
    pub ignore_comments: bool,
    /// Have findings that are kept quiet in SARIF output, marked as suppressed
    #[arg(long)]
    pub show_silenced: bool,
    /// What tells this analysis apart from others of the same commit, in SARIF [default: cuda-arch-lint]
    #[arg(long, value_name = "NAME")]
    pub category: Option<String>,
}

/// The kinds of fixes, and the comment.
fn fix_parser() -> PossibleValuesParser {
    PossibleValuesParser::new(KINDS.iter().map(|(_, name)| *name).chain([ALLOW]))
}

/// The fix that mends nothing: a comment.
pub(super) const ALLOW: &str = "allow";

impl CheckArguments {
    /// The git revision since which changes count.
    pub(super) fn since(&self) -> Option<&str> {
        self.diff.as_ref()?.as_deref()
    }

    /// Whether files that git does not know are part of the changes.
    pub(super) fn untracked(&self) -> Untracked {
        if self.no_untracked { Untracked::LeftOut } else { Untracked::New }
    }

    /// Whether progress is shown.
    pub(super) fn progress(&self) -> Progress {
        if self.quiet || self.no_progress { Progress::Hidden } else { Progress::Shown }
    }
}

/// A rule's level.
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
            level.ok_or("it has the form RULE=LEVEL, where LEVEL is off, note, warning or error")?;
        Ok(RuleSetting { rule: rule.to_string(), level })
    }
}

/// A rule's level in some files.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RuleOverride {
    /// The files.
    pub glob: String,
    /// The level.
    pub setting: RuleSetting,
}

impl FromStr for RuleOverride {
    type Err = String;

    fn from_str(text: &str) -> Result<RuleOverride, String> {
        let (glob, setting) = text.rsplit_once(':').ok_or("it has the form GLOB:RULE=LEVEL")?;
        Ok(RuleOverride { glob: glob.to_string(), setting: setting.parse()? })
    }
}

/// How rules are listed.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Listing {
    /// A line each
    #[default]
    Table,
    /// For programs
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

/// Where settings come from.
#[derive(Args, Debug, Default)]
pub struct ConfigArguments {
    /// The configuration file; else cuda-arch-lint.toml in the working directory or above it
    #[arg(long, value_name = "FILE", conflicts_with = "isolated")]
    pub config: Option<PathBuf>,
    /// Read no configuration file
    #[arg(long)]
    pub isolated: bool,
}

/// What `launcher` takes.
#[derive(Args, Debug)]
pub struct LauncherArguments {
    /// Fail when there are findings that fail a run, though the compiler succeeds
    #[arg(long)]
    pub fail: bool,
    /// How to look.
    #[command(flatten)]
    pub check: CheckArguments,
    /// The compiler and its arguments
    #[arg(last = true, required = true, value_name = "COMPILER")]
    pub command: Vec<OsString>,
}

/// What `expand` takes.
#[derive(Args, Debug)]
pub struct ExpandArguments {
    /// The source
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The pass: `host`, or a target's name
    #[arg(long, value_name = "PASS")]
    pub pass: String,
    /// Leave out the line markers
    #[arg(short = 'P', long)]
    pub no_line_markers: bool,
    /// How the code is compiled.
    #[command(flatten)]
    pub build: BuildArguments,
}

/// What `dump` takes.
#[derive(Args, Debug)]
pub struct DumpArguments {
    /// The source
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The stage
    #[arg(long, value_enum)]
    pub stage: Stage,
    /// Only what one pass sees: `host`, or a target's name
    #[arg(long, value_name = "PASS")]
    pub pass: Option<String>,
    /// How the code is compiled.
    #[command(flatten)]
    pub build: BuildArguments,
}

/// What `targets` takes.
#[derive(Args, Debug)]
pub struct TargetsArguments {
    /// Sources, and directories that hold some; without any, the targets of `--arch` or of the working
    /// directory's project
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// List every known target instead
    #[arg(long)]
    pub list: bool,
    /// Print conda's `__cuda_arch` package for this machine instead (CEP 46)
    #[arg(long, conflicts_with = "list")]
    pub virtual_package: bool,
    /// How the code is compiled.
    #[command(flatten)]
    pub build: BuildArguments,
}

/// How the code is compiled; what is given here goes before a compilation database.
#[derive(Args, Debug)]
#[command(next_help_heading = "Compilation")]
pub struct BuildArguments {
    /// Where settings come from.
    #[command(flatten)]
    pub configuration: ConfigArguments,
    /// Targets, in nvcc's order: `75,sm_80,compute_90a`, `all` (the default), `native`, or as nvcc
    /// (`-gencode arch=...`), clang (`--offload-arch=...`), CMake (`80-real`) and PyTorch (`8.6+PTX`) write
    /// them; AMD's as `gfx1100`
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub arch: Vec<String>,
    /// A directory to search for headers
    #[arg(short = 'I', long = "include-directory", value_name = "DIR")]
    pub directory: Vec<PathBuf>,
    /// Macros defined and undefined.
    #[command(flatten)]
    pub macros: Macros,
    /// Sources are compiled for separate compilation (`-rdc=true`, `-dc`)
    #[arg(long)]
    pub rdc: bool,
    /// A compile_commands.json, or the directory that holds one; else it is looked for
    #[arg(short = 'p', long, value_name = "DIR|FILE")]
    pub database: Option<PathBuf>,
    /// The language standard, `c++17` or `gnu++20`
    #[arg(long, value_name = "STANDARD")]
    pub std: Option<String>,
    /// The release of nvcc [default: that of the toolkit found, else 13.0]
    #[arg(long, value_name = "X.Y")]
    pub cuda_version: Option<String>,
    /// The CUDA toolkit; else it is looked for: CUDA_HOME, CUDA_PATH, nvcc on the PATH,
    /// /usr/local/cuda, a Python environment (VIRTUAL_ENV, .venv), CONDA_PREFIX
    #[arg(long, value_name = "DIR")]
    pub cuda_path: Option<PathBuf>,
    /// A host compiler to run and ask for its macros and include directories
    #[arg(long, value_name = "PROGRAM")]
    pub compiler: Option<PathBuf>,
    /// Read no header of an installed compiler or toolkit, only built-in stand-ins
    #[arg(long)]
    pub nostdinc: bool,
    /// Where else headers are.
    #[command(flatten)]
    pub search: SearchArguments,
    /// Any other option of nvcc or the host compiler that defines macros: `--extra-arg=-fopenmp`
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true)]
    pub extra_arg: Vec<String>,
}

/// Where else headers are; compilers know these options by the same names after one dash.
#[derive(Args, Debug)]
pub struct SearchArguments {
    /// A directory of the system's headers, searched after `-I`
    #[arg(long, value_name = "DIR")]
    pub isystem: Vec<String>,
    /// A directory searched for `#include "..."` only, before `-I`
    #[arg(long, value_name = "DIR")]
    pub iquote: Vec<String>,
    /// A directory searched after the system's
    #[arg(long, value_name = "DIR")]
    pub idirafter: Vec<String>,
    /// A directory where `#embed` finds files
    #[arg(long, value_name = "DIR")]
    pub embed_dir: Vec<String>,
    /// A file to read before the source
    #[arg(long, value_name = "FILE")]
    pub include: Vec<String>,
    /// A file to read before the source, for its macros only
    #[arg(long, value_name = "FILE")]
    pub imacros: Vec<String>,
    /// The directory below which the system's headers are
    #[arg(long, visible_alias = "isysroot", value_name = "DIR")]
    pub sysroot: Option<String>,
}

/// `-D` and `-U`, whose order among each other matters.
#[derive(Debug, Default)]
pub struct Macros(pub Vec<Define>);

/// The two options as clap reads them.
#[derive(Args, Debug)]
struct MacroArguments {
    /// A macro to define
    #[arg(short = 'D', long, value_name = "NAME[=VALUE]")]
    define: Vec<String>,
    /// A macro not to define
    #[arg(short = 'U', long, value_name = "NAME")]
    undefine: Vec<String>,
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
        let defines = places("define").into_iter().zip(define.iter().map(|text| Define::parse(text)));
        let undefines = places("undefine").into_iter().zip(undefine.into_iter().map(Define::Undef));
        let mut all: Vec<(usize, Define)> = defines.chain(undefines).collect();
        all.sort_by_key(|(place, _)| *place);
        Ok(Macros(all.into_iter().map(|(_, define)| define).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Macros::from_arg_matches(matches)?;
        Ok(())
    }
}

/// When to colour.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Color {
    /// In a terminal, unless `NO_COLOR` is set
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// A stage whose result can be printed.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// Each token after preprocessing, with the passes it exists in
    Tokens,
    /// Each conditional: the passes that enter its groups, and why
    Conditions,
    /// Each declaration at namespace scope, and whether it varies
    Declarations,
    /// What the declarations mean to each pass
    Facts,
}

impl BuildArguments {
    /// The options as compilers take them.
    pub(super) fn options(&self) -> Vec<String> {
        [self.search.options(), self.extra_arg.clone()].concat()
    }
}

impl SearchArguments {
    /// The options as compilers take them.
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
        // The sysroot stands first, since `=` in the others' values means it.
        let sysroot = self.sysroot.iter().map(|root| ("--sysroot", root));
        sysroot.chain(pairs).flat_map(|(name, value)| [name.to_string(), value.clone()]).collect()
    }
}

/// `--format`'s values come from the table of formats.
fn format_parser() -> impl TypedValueParser<Value = &'static Format> {
    let values = FORMATS.iter().map(|format| PossibleValue::new(format.name).help(format.about));
    PossibleValuesParser::new(values).map(|name| {
        FORMATS.iter().find(|format| format.name == name).expect("clap accepts only the table's names")
    })
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
        Arguments::try_parse_from(with_command(words)).unwrap().command
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
