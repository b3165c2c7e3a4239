//! The language server through its pipe while somebody types: how long a keystroke takes to its diagnostics, how
//! much memory that takes, and whether many edits leave what a fresh run finds.
//!
//! ```text
//! cargo bench --bench editing -- --help
//! cargo bench --bench editing -- --include CUTLASS/include --cuda TOOLKIT --edits 10000
//! ```
//!
//! The project is written by [`project`]: a source of kernels, templates and launches, and a header of its own. What
//! is typed, and how much of it where, is said in [`mix`]. What is timed is the way from the last byte of the edit to
//! the last byte of the diagnostics of its version; each keystroke waits for those of the one before.

mod client;
mod mix;
mod project;
mod replay;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Parser;
use serde_json::{Value, json};

use client::Client;
use mix::{KINDS, Typing, next_kind};
use project::{Text, header, source};
use replay::replay;

/// Types into the language server and times its diagnostics
#[derive(Parser)]
#[command(name = "editing")]
struct Arguments {
    /// A directory to search for headers; with CUTLASS's the source includes CUTLASS
    #[arg(short = 'I', long)]
    include: Vec<PathBuf>,
    /// A CUDA toolkit, whose headers are read and those of the installed compiler [built-in stand-ins]
    #[arg(long)]
    cuda: Option<PathBuf>,
    /// The targets
    #[arg(long, default_value = "75,80,86,89,90,100,120", value_delimiter = ',')]
    arch: Vec<String>,
    /// How many lines the source has
    #[arg(long, default_value_t = 5000)]
    lines: usize,
    /// How many keystrokes are timed
    #[arg(long, default_value_t = 400)]
    keystrokes: usize,
    /// Say which keystrokes took longer than 50 ms
    #[arg(long)]
    slow: bool,
    /// How many edits are replayed: bursts, requests and their cancellations, edits of the header
    #[arg(long, default_value_t = 0)]
    edits: usize,
    /// Which edits these are
    #[arg(long, default_value_t = 7)]
    seed: u64,
    /// Compare with a fresh run so many times on the way
    #[arg(long, default_value_t = 1)]
    comparisons: usize,
    /// Cargo passes it
    #[arg(long, hide = true)]
    bench: bool,
}

/// The names of the source and of the header it includes.
const SOURCE: &str = "main.cu";
const HEADER: &str = "common.cuh";

fn main() {
    let arguments = Arguments::parse();
    let folder = tempfile::tempdir().expect("a temporary directory");
    let cutlass = arguments.include.iter().any(|directory| directory.join("cutlass/cutlass.h").exists());
    let texts = [Text::new(SOURCE, source(arguments.lines, cutlass)), Text::new(HEADER, header())];
    for text in &texts {
        std::fs::write(folder.path().join(text.name), text.text()).expect("a new file");
    }
    let settings = settings(&arguments);
    let begun = Instant::now();
    let mut client = opened(folder.path(), &settings, &texts);
    println!("first diagnostics after {:.1?}, {}", begun.elapsed(), client.memory());
    let [mut source, mut header] = texts;
    fastrand::seed(arguments.seed);
    keystrokes(&mut client, [&mut source, &mut header], &arguments);
    println!("after keystrokes: {}", client.memory());
    if arguments.edits > 0 {
        let rounds = arguments.comparisons.max(1);
        for round in 1..=rounds {
            let texts = [&mut source, &mut header];
            replay(&mut client, texts, arguments.edits / rounds);
            let texts = [source.clone(), header.clone()];
            let fresh = opened(folder.path(), &settings, &texts);
            let (known, expected) = (client.diagnostics(), fresh.diagnostics());
            let count: usize = expected.values().map(|of_file| of_file.as_array().map_or(0, Vec::len)).sum();
            assert_eq!(known, expected, "the findings after the edits are a fresh run's");
            println!(
                "round {round} of {rounds}: {count} diagnostics, those of a fresh run; {}",
                client.memory()
            );
            fresh.end();
        }
    }
    client.end();
}

/// The time that a keystroke may take.
const LIMIT: Duration = Duration::from_millis(50);

/// A server that has told of these documents.
fn opened(folder: &Path, settings: &Value, texts: &[Text]) -> Client {
    let mut client = Client::start(folder, settings);
    for text in texts.iter().rev() {
        client.open(text);
    }
    for text in texts {
        client.wait_for(text, Duration::from_secs(300));
    }
    client.drain();
    client
}

fn settings(arguments: &Arguments) -> Value {
    let mut settings = json!({"arch": arguments.arch, "include-directories": arguments.include});
    if let Some(cuda) = &arguments.cuda {
        settings["cuda-path"] = json!(cuda);
        settings["nostdinc"] = json!(false);
    }
    settings
}

/// Types so many characters in the shares of the mix, waits for the diagnostics of each and says how long they took.
fn keystrokes(client: &mut Client, texts: [&mut Text; 2], arguments: &Arguments) {
    let before = client.processor_time();
    let mut taken: Vec<Vec<Duration>> = vec![Vec::new(); KINDS.len()];
    let mut made = vec![0; KINDS.len()];
    while made.iter().sum::<usize>() < arguments.keystrokes {
        let number = next_kind(&made);
        let text = &mut *texts[usize::from(KINDS[number].in_header)];
        let Some(mut typing) = Typing::start(&KINDS[number], text) else {
            // Without CUTLASS there are no callers of it.
            made[number] += 1;
            continue;
        };
        while let Some(change) = typing.next(text) {
            let begun = client.change(text, change);
            let time = client.wait_for(text, Duration::from_secs(300)).duration_since(begun);
            if arguments.slow && time > LIMIT {
                println!("{time:.1?} in {}: {}", KINDS[number].what, typing.told());
            }
            taken[number].push(time);
            made[number] += 1;
        }
    }
    let all: Vec<Duration> = taken.iter().flatten().copied().collect();
    if all.is_empty() {
        return;
    }
    let each = (client.processor_time() - before) / all.len() as u32;
    println!("{}; {each:.1?} of processor time each", told("keystrokes in all", all));
    for (kind, taken) in KINDS.iter().zip(taken).filter(|(_, taken)| !taken.is_empty()) {
        println!("{}", told(&format!("({} % of the mix) in {}", kind.share, kind.what), taken));
    }
}

/// How long keystrokes took, in words.
fn told(what: &str, mut taken: Vec<Duration>) -> String {
    taken.sort();
    let at = |share: usize| taken[(taken.len() * share / 100).min(taken.len() - 1)];
    let slow = taken.iter().filter(|one| **one > LIMIT).count();
    format!(
        "{} {what}: median {:.1?}, p95 {:.1?}, p99 {:.1?}, longest {:.1?}, {slow} over 50 ms",
        taken.len(),
        at(50),
        at(95),
        at(99),
        at(100)
    )
}
