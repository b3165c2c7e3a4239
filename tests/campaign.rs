//! Over a folder of real code: for every pass of every unit our tokens, as `expand` prints them, are
//! those that compilers print with `-E`.
//!
//! `cargo test --release --test campaign -- --help` says how; `tests/campaign.md` says what was
//! found, and which differences are a compiler's.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use clap::Parser;
use cuda_arch_lint::preprocess::{Common, LineMarkers, PpToken, Preprocessed, preprocess_like_nvcc, print};
use cuda_arch_lint::project::{Answers, Define, Settings, TranslationUnit, discover, tidy};
use cuda_arch_lint::source::{Sources, Symbol, Token, TokenKind, lex};
use cuda_arch_lint::target::{Options, predefined};
use rayon::prelude::*;

/// Compares each pass's tokens with those that compilers print with `-E`.
#[derive(Parser)]
#[command(name = "campaign")]
struct Arguments {
    /// Sources, and directories that hold some
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// The compilers to compare with
    #[arg(long, default_values_t = ["g++".to_string(), "clang++".to_string()])]
    compiler: Vec<String>,
    /// The directory of the CUDA headers
    #[arg(long, default_value = "/usr/local/cuda/include")]
    cuda: PathBuf,
    /// The targets
    #[arg(long, default_value = "75,80,86,89,90,100,120")]
    arch: String,
    /// The compilers' `-std`
    #[arg(long, default_value = "gnu++17")]
    std: String,
    /// Take only every so-many-th unit
    #[arg(long, default_value_t = 1)]
    every: usize,
    /// How many units at once
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// A directory to search for headers
    #[arg(short = 'I')]
    include: Vec<PathBuf>,
    /// A macro to define
    #[arg(short = 'D')]
    define: Vec<String>,
    /// A macro not to define
    #[arg(short = 'U')]
    undefine: Vec<String>,
    /// A compilation database
    #[arg(short = 'p')]
    database: Option<PathBuf>,
}

/// A compiler, asked for what it predefines and where it looks.
struct Compiler {
    name: String,
    standard: String,
    clang: bool,
    defines: Vec<Define>,
    directories: Vec<PathBuf>,
    /// Its answers about itself so far.
    answers: Mutex<Answers>,
    /// The headers its units share.
    common: Arc<Common>,
}

/// The questions that are asked of a compiler that knows it.
const QUESTIONS: &[&str] = &[
    "__has_builtin",
    "__has_attribute",
    "__has_cpp_attribute",
    "__has_c_attribute",
    "__has_feature",
    "__has_extension",
    "__has_warning",
    "__has_declspec_attribute",
    "__building_module",
    "__is_identifier",
];

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let sources = Sources::new();
    let settings = Settings {
        targets: vec![arguments.arch.clone()],
        directories: arguments.include.clone(),
        defines: defines(&arguments),
        database: arguments.database.clone(),
        ..Settings::default()
    };
    let project = match discover(&arguments.paths, &settings, &sources) {
        Ok(project) => project,
        Err(error) => {
            eprintln!("error: {error}\nhelp: {}", error.help());
            return ExitCode::from(2);
        }
    };
    let compilers: Vec<Compiler> =
        arguments.compiler.iter().map(|name| Compiler::ask(name, &arguments)).collect();
    let units: Vec<&TranslationUnit> = project.units.iter().step_by(arguments.every).collect();
    rayon::ThreadPoolBuilder::new()
        .num_threads(arguments.jobs)
        .build_global()
        .expect("the pool is made once");
    let total = Mutex::new(Total::default());
    units.par_iter().for_each(|unit| {
        for compiler in &compilers {
            let started = Instant::now();
            let outcome = compare(unit, compiler, &sources, &arguments);
            let mut total = total.lock().expect("no thread panics while it counts");
            let seconds = started.elapsed().as_secs_f64();
            println!("{outcome}  {}  {}  {seconds:.1} s", compiler.name, unit.main.display());
            total.add(compiler, &unit.main, outcome);
        }
    });
    let total = total.into_inner().expect("every thread is done");
    total.print();
    ExitCode::from(u8::from(!total.differences.is_empty()))
}

fn defines(arguments: &Arguments) -> Vec<Define> {
    let undefined = arguments.undefine.iter().cloned().map(Define::Undef);
    arguments.define.iter().map(|text| Define::parse(text)).chain(undefined).collect()
}

/// The predefined macros of a unit, as its options give them.
fn options_of(unit: &TranslationUnit) -> Options {
    Options { rdc: unit.rdc, ..unit.options.clone() }
}

impl Compiler {
    /// The compiler's predefined macros and directories (`-dM -E -v` of nothing).
    fn ask(name: &str, arguments: &Arguments) -> Compiler {
        let output = Command::new(name)
            .args(["-E", "-dM", "-v", "-x", "c++"])
            .arg(format!("-std={}", arguments.std))
            .arg("/dev/null")
            .stdin(Stdio::null())
            .env("LC_ALL", "C")
            .output()
            .unwrap_or_else(|error| panic!("failed to run `{name}`: {error}"));
        let says = String::from_utf8_lossy(&output.stderr).into_owned();
        let list = says.split("#include <...> search starts here:\n").nth(1).unwrap_or_default();
        let list = list.split("End of search list.").next().unwrap_or_default();
        let mut directories = vec![arguments.cuda.clone(), arguments.cuda.join("cccl")];
        directories.extend(list.lines().map(|line| PathBuf::from(line.trim())));
        let macros = String::from_utf8_lossy(&output.stdout).into_owned();
        let defines = macros.lines().filter_map(|line| line.strip_prefix("#define ")).map(|line| {
            let (name, value) = line.split_once(' ').unwrap_or((line, ""));
            Define::Define(name.to_string(), value.to_string())
        });
        let defines: Vec<Define> = defines.collect();
        let is_clang = |define: &Define| matches!(define, Define::Define(name, _) if name == "__clang__");
        let clang = defines.iter().any(is_clang);
        let (name, standard) = (name.to_string(), format!("-std={}", arguments.std));
        let (answers, common) = (Mutex::default(), Arc::default());
        let compiler = Compiler { name, standard, clang, defines, directories, answers, common };
        let asked = QUESTIONS.iter().map(|name| format!("#ifdef {name}\n#pragma known {name}\n#endif\n"));
        let names = compiler.preprocess(asked.collect());
        let names = names.lines().filter_map(|line| line.strip_prefix("#pragma known ")).map(String::from);
        compiler.answers.lock().expect("nobody else has it").names = names.collect();
        compiler
    }

    /// Its output for a text.
    fn preprocess(&self, text: String) -> String {
        let mut command = Command::new(&self.name);
        command.args(["-E", "-P", "-w", "-x", "c++", &self.standard, "-"]);
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("failed to run `{}`: {error}", self.name));
        let mut input = child.stdin.take().expect("it is piped");
        input.write_all(text.as_bytes()).expect("it reads its input");
        drop(input);
        let output = child.wait_with_output().expect("it ends");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Asks it `__has_builtin(x)` and its like.
    fn ask_about(&self, questions: &BTreeSet<String>) {
        for question in questions {
            let text = self.preprocess(format!("#if {question}\n#endif\nvalue {question}\n"));
            let value = text.trim().strip_prefix("value").unwrap_or_default().trim();
            let value = value.trim_end_matches(['L', 'U']).parse().unwrap_or(0);
            let mut answers = self.answers.lock().expect("no thread panics while it has it");
            answers.values.insert(question.clone(), value);
        }
    }

    /// The unit preprocessed as when this is nvcc's host compiler.
    fn walk(&self, unit: &TranslationUnit, sources: &Sources) -> (TranslationUnit, Preprocessed) {
        let mut unit = self.adopt(unit);
        loop {
            let answers = self.answers.lock().expect("no thread panics while it has it").clone();
            unit.answers = Some(Arc::new(answers));
            let preprocessed = preprocess_like_nvcc(&unit, sources, &self.common);
            if preprocessed.unanswered.is_empty() {
                return (unit, preprocessed);
            }
            self.ask_about(&preprocessed.unanswered);
        }
    }

    /// The unit as it is when this is nvcc's host compiler: what it predefines in the place of what
    /// we know of another, the toolkit's and its own directories after the unit's. No header is
    /// guessed.
    fn adopt(&self, unit: &TranslationUnit) -> TranslationUnit {
        let mut unit = unit.clone();
        let known = predefined(&unit.passes, &options_of(&unit));
        let others = known.iter().map(|one| macro_name(&one.name)).filter(|name| !is_nvcc(name));
        let others = others.map(|name| Define::Undef(name.to_string()));
        unit.defines = others.chain(self.defines.iter().cloned()).chain(unit.defines).collect();
        unit.search.directories.extend(self.directories.iter().cloned());
        unit.search.project_headers = Default::default();
        unit
    }

    /// Its output for pass number `pass` of `unit`; `None` if it fails.
    fn run(&self, unit: &TranslationUnit, pass: usize, arguments: &Arguments) -> Option<String> {
        let mut command = Command::new(&self.name);
        command.args(["-E", "-P", "-w", "-x", "c++", "-include", "cuda_runtime.h"]);
        command.arg(format!("-std={}", arguments.std));
        let known = predefined(&unit.passes, &options_of(unit));
        let of_pass = known.iter().filter(|one| is_nvcc(&one.name) && one.passes.has(pass));
        command.args(of_pass.map(|one| format!("-D{}={}", one.name, one.value)));
        for define in &unit.defines {
            command.arg(match define {
                Define::Define(name, value) => format!("-D{name}={value}"),
                Define::Undef(name) => format!("-U{name}"),
            });
        }
        for path in &unit.search.forced {
            command.arg("-include").arg(path);
        }
        for directory in unit.search.directories.iter().chain([&arguments.cuda]) {
            command.arg("-I").arg(directory);
        }
        command.arg("-isystem").arg(arguments.cuda.join("cccl")).arg(&unit.main);
        // The time of day is the same for all.
        let output = command.env("SOURCE_DATE_EPOCH", "0").stdin(Stdio::null()).output();
        let output = output.unwrap_or_else(|error| panic!("failed to run `{}`: {error}", self.name));
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
    }
}

/// The name without its parameters.
fn macro_name(name: &str) -> &str {
    name.split('(').next().unwrap_or(name)
}

/// It is nvcc that defines it, not the host compiler.
fn is_nvcc(name: &str) -> bool {
    ["__CUDA", "__NVCC", "__NV_", "CUDA_"].iter().any(|start| name.starts_with(start))
}

/// The outcome of one unit with one compiler.
#[derive(Default)]
struct Outcome {
    /// Passes compared.
    passes: usize,
    /// Passes that both give up: a header is not there, an `#error` is met.
    stopped: usize,
    /// Tokens compared.
    tokens: usize,
    /// The compiler's spelling of a path where `__FILE__` gives ours: the same file.
    paths: usize,
    /// `__LINE__` in an invocation over several lines: GCC's is the first line, clang's the last.
    lines: usize,
    /// Differences, as text, with how many passes have them.
    differences: BTreeMap<String, usize>,
    /// The headers that were not found.
    missing: Vec<String>,
}

impl std::fmt::Display for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let verdict = match (self.differences.is_empty(), self.passes) {
            (false, _) => "DIFFERS",
            (true, 0) => "stopped",
            (true, _) => "equal  ",
        };
        write!(f, "{verdict} {:9} tokens in {} passes", self.tokens, self.passes)?;
        if self.stopped > 0 {
            write!(f, ", {} stopped {}", self.stopped, self.missing.join(" "))?;
        }
        Ok(())
    }
}

fn compare(unit: &TranslationUnit, compiler: &Compiler, sources: &Sources, arguments: &Arguments) -> Outcome {
    let (ours, preprocessed) = compiler.walk(unit, sources);
    let mut outcome = Outcome {
        missing: preprocessed.missing.iter().map(|one| one.header.clone()).collect(),
        ..Outcome::default()
    };
    outcome.missing.sort();
    outcome.missing.dedup();
    for pass in ours.passes.all().iter() {
        let theirs = compiler.run(unit, pass, arguments);
        let stops = stops(&preprocessed, pass);
        let Some(theirs) = theirs else {
            if !stops {
                let message = format!("only {} gives the pass up", compiler.name);
                *outcome.differences.entry(message).or_default() += 1;
            }
            outcome.stopped += 1;
            continue;
        };
        if stops {
            *outcome.differences.entry("only we give the pass up".into()).or_default() += 1;
            outcome.stopped += 1;
            continue;
        }
        outcome.passes += 1;
        compare_pass(&preprocessed, pass, compiler, &theirs, sources, &mut outcome);
    }
    outcome
}

/// We give the pass up.
fn stops(preprocessed: &Preprocessed, pass: usize) -> bool {
    preprocessed.stopped.has(pass) || preprocessed.missing.iter().any(|one| one.passes.has(pass))
}

fn compare_pass(
    preprocessed: &Preprocessed,
    pass: usize,
    compiler: &Compiler,
    theirs: &str,
    sources: &Sources,
    outcome: &mut Outcome,
) {
    let printed = tokens(&print(preprocessed, pass, LineMarkers::LeftOut, sources));
    let kept = preprocessed.tokens().iter().filter(|token| token.passes.has(pass));
    let kept: Vec<&PpToken> = kept.collect();
    if !kept.iter().map(|token| token.text).eq(printed.iter().map(|token| token.text)) {
        let message = "what `expand` prints is not lexed again as the pass's tokens".to_string();
        *outcome.differences.entry(message).or_default() += 1;
    }
    let theirs = tokens(theirs);
    outcome.tokens += theirs.len();
    let (mut left, mut right) = (0, 0);
    let mut found = 0;
    loop {
        let same = printed[left..].iter().zip(&theirs[right..]).take_while(|(a, b)| a.text == b.text).count();
        (left, right) = (left + same, right + same);
        let (Some(one), Some(other)) = (printed.get(left), theirs.get(right)) else {
            if left == printed.len() && right == theirs.len() {
                return;
            }
            outcome.add(&printed[left..], &theirs[right..]);
            return;
        };
        let is_line = kept.get(left).is_some_and(|token| {
            token.expansion.is_some_and(|id| {
                let definition = preprocessed.expansion(id).definition;
                preprocessed.definition(definition).name.as_str() == "__LINE__"
            })
        });
        if compiler.clang && is_line && is_later(one, other) {
            outcome.lines += 1;
            (left, right) = (left + 1, right + 1);
            continue;
        }
        if is_same_path(one, other) {
            outcome.paths += 1;
            (left, right) = (left + 1, right + 1);
            continue;
        }
        found += 1;
        let Some((skipped, added)) = resync(&printed[left..], &theirs[right..]).filter(|_| found < 100)
        else {
            outcome.add(&printed[left..], &theirs[right..]);
            return;
        };
        let before = left.saturating_sub(4);
        outcome.add_after(
            &printed[before..left],
            &printed[left..left + skipped],
            &theirs[right..right + added],
        );
        (left, right) = (left + skipped, right + added);
    }
}

/// The tokens of what a preprocessor prints, without the directives it leaves to the compiler.
fn tokens(text: &str) -> Vec<Token> {
    let kept: String = text.split_inclusive('\n').filter(|line| !line.starts_with('#')).collect();
    lex(&kept)
}

/// Both are line numbers, and the other's comes some lines after.
fn is_later(one: &Token, other: &Token) -> bool {
    let number = |token: &Token| token.text.as_str().parse::<u32>().ok();
    number(one).zip(number(other)).is_some_and(|(one, other)| (one + 1..one + 500).contains(&other))
}

/// Both are strings that spell the path of one file.
fn is_same_path(one: &Token, other: &Token) -> bool {
    let path = |token: &Token| {
        let text: Symbol = token.text;
        let inner = text.as_str().strip_prefix('"')?.strip_suffix('"')?.to_string();
        (token.kind == TokenKind::String && inner.contains('/')).then(|| tidy(Path::new(&inner)))
    };
    path(one).is_some_and(|path_of_one| {
        path(other).is_some_and(|path_of_other| {
            path_of_one.canonicalize().ok() == path_of_other.canonicalize().ok() && path_of_one.exists()
        })
    })
}

/// How many tokens of either side to skip until they agree again for a while.
fn resync(one: &[Token], other: &[Token]) -> Option<(usize, usize)> {
    const AGREE: usize = 12;
    const REACH: usize = 600;
    for sum in 1..REACH {
        for skipped in 0..=sum {
            let added = sum - skipped;
            let (Some(one), Some(other)) = (one.get(skipped..), other.get(added..)) else { continue };
            let length = AGREE.min(one.len()).min(other.len());
            let ends = one.is_empty() && other.is_empty();
            if (length > 0 || ends) && one[..length].iter().zip(other).all(|(a, b)| a.text == b.text) {
                return Some((skipped, added));
            }
        }
    }
    None
}

impl Outcome {
    fn add(&mut self, ours: &[Token], theirs: &[Token]) {
        self.add_after(&[], ours, theirs);
    }

    fn add_after(&mut self, before: &[Token], ours: &[Token], theirs: &[Token]) {
        let shown = |tokens: &[Token]| {
            let mut words: Vec<&str> = tokens.iter().take(40).map(|token| token.text.as_str()).collect();
            if tokens.len() > 40 {
                words.push("…");
            }
            words.join(" ")
        };
        let text = format!("after  {}\n  ours   {}\n  theirs {}", shown(before), shown(ours), shown(theirs));
        *self.differences.entry(text).or_default() += 1;
    }
}

/// The outcome of all units.
#[derive(Default)]
struct Total {
    /// By compiler: units compared, passes, tokens, units not compared, paths, lines.
    compilers: BTreeMap<String, [usize; 6]>,
    /// By compiler and text: how often, and where first.
    differences: BTreeMap<(String, String), (usize, PathBuf)>,
}

impl Total {
    fn add(&mut self, compiler: &Compiler, main: &Path, outcome: Outcome) {
        let [units, passes, tokens, stopped, paths, lines] =
            self.compilers.entry(compiler.name.clone()).or_default();
        *units += usize::from(outcome.passes > 0);
        *passes += outcome.passes;
        *tokens += outcome.tokens;
        *stopped += usize::from(outcome.passes == 0);
        *paths += outcome.paths;
        *lines += outcome.lines;
        for (text, count) in outcome.differences {
            let key = (compiler.name.clone(), text);
            self.differences.entry(key).or_insert_with(|| (0, main.to_path_buf())).0 += count;
        }
    }

    fn print(&self) {
        for ((compiler, text), (count, main)) in &self.differences {
            println!("\n{compiler}, {count} times, first in {}:\n  {text}", main.display());
        }
        println!();
        for (compiler, [units, passes, tokens, stopped, paths, lines]) in &self.compilers {
            let differences = self.differences.iter().filter(|((name, _), _)| name == compiler);
            println!(
                "{compiler}: {units} units, {passes} passes, {tokens} tokens, {} kinds of difference; \
                 {paths} paths spelled in another way; {lines} later `__LINE__`s; {stopped} units stop in every pass for both",
                differences.count()
            );
        }
    }
}
