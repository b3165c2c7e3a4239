//! What can be typed.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{ArgMatches, Args, FromArgMatches, Parser, Subcommand, ValueEnum};

use crate::project::{Define, Settings};
use crate::report::{FORMATS, Format};

use super::exit_code;

/// Finds CUDA code that means different things to the host and to the GPUs it is compiled for.
///
/// `check` may be left out: `cuda-arch-lint src/ --arch 80,90`.
#[derive(Parser, Debug)]
#[command(name = "cuda-arch-lint", version, after_help = exit_codes(), max_term_width = 100)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Look for findings in sources and directories (the default command)
    Check(CheckArguments),
    /// Print a source as one pass reads it, as a compiler's `-E` would
    Expand(ExpandArguments),
    /// Print what a stage of the analysis makes of a file
    Dump(DumpArguments),
    /// Print what a rule is about, with examples and how to fix them
    Explain {
        /// The rule's id or code
        rule: String,
    },
    /// List the rules
    Rules,
    /// Run the language server: an editor starts it and talks to it over standard input and output
    Lsp {
        /// What some editors add; there is no other way to talk
        #[arg(long, hide = true)]
        stdio: bool,
    },
}

/// The names of the commands, and the options that stand in for one.
const COMMANDS: [&str; 11] =
    ["check", "expand", "dump", "explain", "rules", "lsp", "help", "-h", "--help", "-V", "--version"];

/// What `check` takes.
#[derive(Args, Debug)]
pub struct CheckArguments {
    /// Sources, and directories that hold some
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// How findings are printed
    #[arg(long, default_value = FORMATS[0].name, value_parser = format_parser())]
    pub format: &'static Format,
    /// Colours in text output
    #[arg(long, value_enum, default_value_t)]
    pub color: Color,
    /// Name the headers that were not found
    #[arg(long, short)]
    pub verbose: bool,
    /// How the code is compiled.
    #[command(flatten)]
    pub build: BuildArguments,
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

/// How the code is compiled; what is given here goes before a compilation database.
#[derive(Args, Debug)]
#[command(next_help_heading = "Compilation")]
pub struct BuildArguments {
    /// Targets, in nvcc's order: `75,sm_80,compute_90a`, or `all` (the default)
    #[arg(long, value_name = "LIST")]
    pub arch: Vec<String>,
    /// A directory to search for headers
    #[arg(short = 'I', value_name = "DIR")]
    pub include: Vec<PathBuf>,
    /// Macros defined and undefined.
    #[command(flatten)]
    pub macros: Macros,
    /// Sources are compiled for separate compilation (`-rdc=true`, `-dc`)
    #[arg(long)]
    pub rdc: bool,
    /// A compile_commands.json, or the directory that holds one; else it is looked for
    #[arg(short = 'p', value_name = "DIR|FILE")]
    pub database: Option<PathBuf>,
}

/// `-D` and `-U`, whose order among each other matters.
#[derive(Debug, Default)]
pub struct Macros(pub Vec<Define>);

/// The two options as clap reads them.
#[derive(Args, Debug)]
struct MacroArguments {
    /// A macro to define
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    define: Vec<String>,
    /// A macro not to define
    #[arg(short = 'U', value_name = "NAME")]
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
    /// The settings of a project.
    pub fn settings(&self) -> Settings {
        Settings {
            targets: self.arch.clone(),
            directories: self.include.clone(),
            defines: self.macros.0.clone(),
            rdc: self.rdc,
            database: self.database.clone(),
        }
    }
}

/// The arguments with `check` put in where no command stands.
pub(super) fn with_command(arguments: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = arguments.into_iter().collect();
    let named = |word: &OsString| COMMANDS.iter().any(|command| word.to_str() == Some(command));
    if arguments.get(1).is_some_and(|word| !named(word)) {
        arguments.insert(1, "check".into());
    }
    arguments
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

    use super::*;

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
        assert!(matches!(parse("x rules"), Command::Rules));
    }

    #[test]
    fn definitions_keep_their_order() {
        let Command::Check(arguments) = parse("x a.cu -DA -U B -D C=1 -UA") else { panic!() };
        let define = |name: &str| Define::Define(name.into(), "1".into());
        let undef = |name: &str| Define::Undef(name.into());
        assert_eq!(arguments.build.macros.0, [define("A"), undef("B"), define("C"), undef("A")]);
    }
}
