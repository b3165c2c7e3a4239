//! The cost of preprocessing real units: eight passes against one, and against clang.
//!
//! ```text
//! cargo bench --bench preprocess -- [OPTION]... UNIT.cu...
//!   --isystem DIR      where headers are searched, in order; clang gets the same (repeatable)
//!   --include FILE     read before the first line (repeatable)
//!   --define NAME[=V]  (repeatable)
//!   --arch LIST        the targets [75,80,86,89,90,100,120]
//!   --rounds N         how often each side is run [5]
//!   --clang COMMAND, --scan-deps COMMAND
//!                      compare with these [not compared]
//!   --series ROUNDS    preprocess all units one after another in one run, so many times: what the first
//!                      costs and what each further one, which finds headers kept
//!   --alone 8|1|list|survey
//!                      preprocess the first unit once, for all passes or one, and print its peak
//!                      memory and what it has: what to run under `valgrind --tool=callgrind` or `perf`;
//!                      `list` also makes the one list of tokens that the analysis reads
//! ```
//!
//! Every comparison is paired: the sides take turns in every round, each as a process of its own, and a
//! figure is the ratio of the sums of their user times. (The kernel counts these in ticks, which are long beside
//! such a process: only sums say anything.) One pass is the last target's. clang gets that pass's predefined macros from us and none of its own,
//! so that both read the same text.

use std::collections::HashSet;
use std::error::Error;
use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Instant;

use cuda_arch_lint::preprocess::{Preprocessed, preprocess, survey};
use cuda_arch_lint::project::{Define, TranslationUnit};
use cuda_arch_lint::source::Sources;
use cuda_arch_lint::target::{Options, Passes, parse_arch_list, predefined};
use nix::sys::resource::{UsageWho, getrusage};

/// An error of any kind ends the run with its message.
type Outcome<T> = Result<T, Box<dyn Error>>;

/// The options of the command line.
struct Arguments {
    directories: Vec<PathBuf>,
    forced: Vec<PathBuf>,
    defines: Vec<Define>,
    targets: String,
    rounds: usize,
    clang: Option<String>,
    scan_deps: Option<String>,
    alone: Option<String>,
    series: Option<usize>,
    units: Vec<PathBuf>,
}

fn arguments() -> Outcome<Arguments> {
    let mut found = Arguments {
        directories: Vec::new(),
        forced: Vec::new(),
        defines: Vec::new(),
        targets: "75,80,86,89,90,100,120".into(),
        rounds: 5,
        clang: None,
        scan_deps: None,
        alone: None,
        series: None,
        units: Vec::new(),
    };
    let mut rest = std::env::args().skip(1);
    while let Some(argument) = rest.next() {
        if !argument.starts_with("--") {
            found.units.push(argument.into());
            continue;
        }
        // Cargo adds this one.
        if argument == "--bench" {
            continue;
        }
        let value = rest.next().ok_or_else(|| format!("`{argument}` needs a value"))?;
        match argument.as_str() {
            "--isystem" => found.directories.push(value.into()),
            "--include" => found.forced.push(value.into()),
            "--define" => found.defines.push(Define::parse(&value)),
            "--arch" => found.targets = value,
            "--rounds" => found.rounds = value.parse()?,
            "--clang" => found.clang = Some(value),
            "--scan-deps" => found.scan_deps = Some(value),
            "--alone" => found.alone = Some(value),
            "--series" => found.series = Some(value.parse()?),
            _ => return Err(format!("unknown option `{argument}`").into()),
        }
    }
    Ok(found)
}

fn main() -> Outcome<()> {
    let arguments = arguments()?;
    if let Some(passes) = &arguments.alone {
        return alone(&arguments, passes);
    }
    if let Some(rounds) = arguments.series {
        return series(&arguments, rounds);
    }
    let columns = ["8p s", "8/1", "8/E", "list/E", "s/scan"].map(|column| format!("{column:>7}")).join(" ");
    println!("{:40} {:>9} {columns}", "unit", "tokens");
    for path in &arguments.units {
        compare(&arguments, path)?;
    }
    Ok(())
}

/// The unit at `path`, for all passes, or for the last target's.
fn unit(arguments: &Arguments, path: &Path, all: bool) -> Outcome<TranslationUnit> {
    let mut targets = parse_arch_list(&arguments.targets)?;
    if !all {
        targets.drain(..targets.len() - 1);
    }
    let mut unit = TranslationUnit::new(path, Passes::new(&targets)?);
    unit.search.directories = arguments.directories.clone();
    unit.search.forced = arguments.forced.clone();
    unit.defines = arguments.defines.clone();
    Ok(unit)
}

/// Preprocesses a unit for all its passes, or as one pass alone would be.
fn walk(unit: &TranslationUnit) -> Preprocessed {
    preprocess(unit, &Sources::new(), &Arc::default())
}

fn alone(arguments: &Arguments, what: &str) -> Outcome<()> {
    let path = arguments.units.first().ok_or("no unit is named")?;
    let unit = unit(arguments, path, what != "1")?;
    // Nothing is given back before the process ends: compilers do not either (`-disable-free`).
    let (sources, common) = (ManuallyDrop::new(Sources::new()), ManuallyDrop::new(Arc::default()));
    let walked = ManuallyDrop::new(match what {
        "survey" => survey(&unit, &sources, &common),
        _ => preprocess(&unit, &sources, &common),
    });
    println!("{} files", walked.files.len());
    println!("{} definitions", walked.definitions().len());
    println!("{} conditionals", walked.conditionals().len());
    if what == "list" {
        println!("{} expansions", walked.expansions().len());
        println!("{} tokens", walked.tokens().len());
    }
    let peak = getrusage(UsageWho::RUSAGE_SELF)?.max_rss() / 1024;
    println!("{peak} MiB at the peak");
    Ok(())
}

/// What each unit of a run costs, in milliseconds of this thread, and what memory the run takes.
fn series(arguments: &Arguments, rounds: usize) -> Outcome<()> {
    let units: Vec<TranslationUnit> =
        arguments.units.iter().map(|path| unit(arguments, path, true)).collect::<Outcome<_>>()?;
    let mut costs: Vec<Vec<f64>> = vec![Vec::new(); units.len()];
    let (mut peaks, mut news) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        let (sources, common) = (Sources::new(), Arc::default());
        let mut read = HashSet::new();
        for (unit, costs) in units.iter().zip(&mut costs) {
            let start = Instant::now();
            let walked = preprocess(unit, &sources, &common);
            costs.push(start.elapsed().as_secs_f64() * 1e3);
            let new = walked.files.iter().filter(|file| read.insert(**file));
            news.push(new.map(|file| sources.file(*file).text.len()).sum::<usize>() / 1024);
            drop(walked);
            peaks.push(getrusage(UsageWho::RUSAGE_SELF)?.max_rss() as f64 / 1024.0);
        }
    }
    let costs: Vec<f64> = costs.into_iter().map(middle).collect();
    let Some((first, further)) = costs.split_first() else { return Err("no unit is named".into()) };
    for (index, (unit, cost)) in units.iter().zip(&costs).enumerate() {
        let (share, new, peak) = (100.0 * cost / first, news[index], peaks[index]);
        println!("{:60} {cost:9.2} ms {share:6.1} % {new:6} KiB {peak:7.0} MiB", unit.main.display());
    }
    println!("the first {first:.2} ms; KiB: text that no unit before it read");
    let tell = |what: &str, costs: Vec<f64>| {
        let slow = costs.iter().filter(|cost| **cost > 0.05 * first).count();
        let (most, median) = (costs.iter().fold(0.0, |a: f64, b| a.max(*b)), middle(costs.clone()));
        let share = |cost: f64| 100.0 * cost / first;
        println!(
            "{} {what}: median {median:.2} ms, {:.2} %; at most {:.2} %; {slow} above 5 %",
            costs.len(),
            share(median),
            share(most)
        );
    };
    tell("further ones", further.to_vec());
    // A header costs its first reader what it costs.
    let known = further.iter().zip(&news[1..]).filter(|(_, new)| **new * 20 <= news[0]);
    tell("of them with at most 5 % of the first's text new", known.map(|(cost, _)| *cost).collect());
    Ok(())
}

/// What the sides of a comparison took, in seconds of user time over all rounds.
#[derive(Default)]
struct Sums {
    all_passes: f64,
    one_pass: f64,
    list: f64,
    clang: f64,
    survey: f64,
    scan_deps: f64,
}

fn compare(arguments: &Arguments, path: &Path) -> Outcome<()> {
    let (all, one) = (unit(arguments, path, true)?, unit(arguments, path, false)?);
    let tokens = walk(&all).tokens().len();
    let prelude = std::env::temp_dir().join(format!("predefined-{}.h", std::process::id()));
    std::fs::write(&prelude, macros(&one))?;
    let own = |what| -> Outcome<f64> {
        time_of(Command::new(std::env::current_exe()?).args(own_flags(arguments, path, what)))
    };
    let mut sums = Sums::default();
    for _ in 0..arguments.rounds {
        sums.all_passes += own("8")?;
        sums.one_pass += own("1")?;
        sums.list += own("list")?;
        if let Some(clang) = &arguments.clang {
            let mut command = Command::new(clang);
            command.args(flags(arguments, path, &prelude)).args(["-E", "-o", "/dev/null"]);
            sums.clang += time_of(&mut command)?;
        }
        if let (Some(scan_deps), Some(clang)) = (&arguments.scan_deps, &arguments.clang) {
            let mut command = Command::new(scan_deps);
            command.args(["-j", "1", "-mode=preprocess-dependency-directives", "--", clang]);
            command.args(flags(arguments, path, &prelude)).args(["-c", "-o", "/dev/null"]);
            sums.survey += own("survey")?;
            sums.scan_deps += time_of(&mut command)?;
        }
    }
    std::fs::remove_file(&prelude)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    println!(
        "{name:40} {tokens:>9} {:>7.3} {} {} {} {}",
        sums.all_passes / arguments.rounds as f64,
        ratio(sums.all_passes, sums.one_pass),
        ratio(sums.all_passes, sums.clang),
        ratio(sums.list, sums.clang),
        ratio(sums.survey, sums.scan_deps),
    );
    Ok(())
}

/// `#define` lines of what the unit's last pass predefines.
fn macros(unit: &TranslationUnit) -> String {
    let pass = unit.passes.list().len() - 1;
    let all = predefined(&unit.passes, &Options::default());
    let own = all.iter().filter(|one| one.passes.has(pass));
    own.map(|one| {
        let name = one.name.split('(').next().unwrap_or_default();
        format!("#undef {name}\n#define {} {}\n", one.name, one.value)
    })
    .collect()
}

/// What this program is told, to preprocess a unit once for as many passes.
fn own_flags(arguments: &Arguments, path: &Path, passes: &str) -> Vec<String> {
    let mut flags: Vec<String> = ["--alone", passes, "--arch", &arguments.targets].map(String::from).into();
    let directories = arguments.directories.iter().map(|directory| ("--isystem", directory));
    let forced = arguments.forced.iter().map(|file| ("--include", file));
    for (option, value) in directories.chain(forced) {
        flags.extend([option.into(), value.display().to_string()]);
    }
    for define in &arguments.defines {
        if let Define::Define(name, value) = define {
            flags.extend(["--define".into(), format!("{name}={value}")]);
        }
    }
    flags.push(path.display().to_string());
    flags
}

/// What clang is told of a unit.
fn flags(arguments: &Arguments, path: &Path, prelude: &Path) -> Vec<String> {
    let mut flags: Vec<String> =
        ["-w", "-x", "c++", "-std=gnu++17", "-nostdinc", "-undef", "-imacros"].map(String::from).into();
    flags.push(prelude.display().to_string());
    for directory in &arguments.directories {
        flags.extend(["-isystem".into(), directory.display().to_string()]);
    }
    let runtime = Path::new("cuda_runtime.h");
    for file in std::iter::once(runtime).chain(arguments.forced.iter().map(PathBuf::as_path)) {
        flags.extend(["-include".into(), file.display().to_string()]);
    }
    for define in &arguments.defines {
        flags.push(match define {
            Define::Define(name, value) => format!("-D{name}={value}"),
            Define::Undef(name) => format!("-U{name}"),
        });
    }
    flags.push(path.display().to_string());
    flags
}

/// The user time a command takes, in seconds.
fn time_of(command: &mut Command) -> Outcome<f64> {
    let before = used()?;
    let output = command.stdout(Stdio::null()).stderr(Stdio::piped()).output()?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let first = said.lines().next().unwrap_or_default();
        eprintln!("note: {:?} fails: {first}", command.get_program());
    }
    Ok(used()? - before)
}

/// The user time that finished commands have taken so far, in seconds.
fn used() -> Outcome<f64> {
    let time = getrusage(UsageWho::RUSAGE_CHILDREN)?.user_time();
    Ok(time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6)
}

/// How often a peer's time goes into ours, in a column, or `-` without a peer.
fn ratio(own: f64, peer: f64) -> String {
    if peer == 0.0 { format!("{:>7}", "-") } else { format!("{:>7.3}", own / peer) }
}

/// The middle one of some values.
fn middle(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}
