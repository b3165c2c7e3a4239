//! The walk for all passes gives every pass exactly what a walk for that pass alone gives.
//!
//! A property test over generated programs. Seeds and our own reduction rather than a property
//! testing crate: any text is input to a preprocessor, so a program that fails is reduced by leaving
//! out lines and words, which gets further than shrinking the choices that made it, and a seed names
//! a program for good.
//!
//! The campaign: `PROGRAMS=100000 cargo test --release --test all preprocess_passes::together`; `SEED`
//! says where to begin. Since both walks are ours and could be wrong alike, compilers read programs
//! too: `PROGRAMS=1000 COMPILER=clang++ cargo test --release --test all preprocess_passes::compiler`. Two more
//! properties: `headers_kept`, units that share headers read as though each were alone, and `left_out`,
//! directives do the same where text is left out.

#[path = "preprocess/generate.rs"]
mod generate;

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use cuda_arch_lint::preprocess::{
    Common, Group, GroupId, PpToken, Preprocessed, preprocess, preprocess_for, survey,
};
use cuda_arch_lint::project::TranslationUnit;
use cuda_arch_lint::source::{Loc, Sources, Span, Symbol, TokenKind, lex};
use cuda_arch_lint::target::{ByPass, Pass, PassSet, Passes, parse_arch_list};
use generate::{Program, Reader, TARGETS};

/// A number from the environment.
fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|value| value.parse().expect("it is a number"))
}

fn unit() -> TranslationUnit {
    let passes = Passes::new(&parse_arch_list(TARGETS).expect("a good list")).expect("few passes");
    let mut unit = TranslationUnit::new(Path::new("main.cu"), passes);
    unit.search.directories = vec!["".into()];
    unit
}

fn sources(program: &Program) -> Sources {
    let sources = Sources::new();
    for (name, text) in program {
        sources.add(Path::new(name), text.clone());
    }
    sources
}

/// Something a walk says about a pass.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Fact {
    Token {
        text: Symbol,
        kind: TokenKind,
        at: (Span, Loc),
        space: bool,
        line_start: bool,
        /// The macros it came out of, innermost first, and where each was invoked.
        way: Vec<(Symbol, Loc)>,
        group: Option<Span>,
    },
    Problem(String, Span),
    Missing(String, Span),
    Stopped(bool),
    Entered(String, Span),
    /// A conditional and the names it read, with their definitions.
    Conditional(Option<Span>, Vec<(Symbol, Option<String>)>),
}

/// All a walk says about one pass.
fn seen(walk: &Preprocessed, pass: usize) -> Vec<Fact> {
    let group = |id: GroupId| walk.group(id).directive;
    let way = |token: &PpToken| {
        let mut way = Vec::new();
        let mut next = token.expansion;
        while let Some(id) = next {
            let expansion = walk.expansion(id);
            assert!(expansion.passes.has(pass), "an expansion has the passes of its tokens");
            way.push((walk.definition(expansion.definition).name, expansion.invoked));
            next = expansion.parent;
        }
        way
    };
    let mut all: Vec<Fact> = Vec::new();
    for token in walk.tokens_of(pass) {
        all.push(Fact::Token {
            text: token.text,
            kind: token.kind,
            at: (token.at, token.spelled),
            space: token.space_before,
            line_start: token.line_start,
            way: way(&token),
            // A group around an `#include` that all passes walked for reach is no longer told.
            group: token.group.map(group).filter(|at| at.file == token.at.file),
        });
    }
    for problem in walk.problems.iter().filter(|problem| problem.passes.has(pass)) {
        all.push(Fact::Problem(problem.message(), problem.at));
    }
    let mut lost: Vec<Fact> = Vec::new();
    for missing in walk.missing.iter().filter(|missing| missing.passes.has(pass)) {
        lost.push(Fact::Missing(missing.header.clone(), missing.at));
    }
    // Each is kept once, where the first pass met it.
    lost.sort_by_cached_key(|missing| format!("{missing:?}"));
    all.extend(lost);
    all.push(Fact::Stopped(walk.stopped.has(pass)));
    let conditionals = walk.conditionals();
    let groups = conditionals.iter().flat_map(|conditional| &conditional.groups);
    let groups: Vec<&Group> = groups.map(|id| walk.group(*id)).collect();
    for entered in groups.iter().filter(|group| group.passes.has(pass)) {
        all.push(Fact::Entered(entered.written.text(), entered.directive));
    }
    for conditional in conditionals.iter().filter(|conditional| conditional.passes.has(pass)) {
        let mut names: Vec<(Symbol, Option<String>)> = Vec::new();
        for read in &*conditional.reads {
            if let Some(definition) = read.definitions.get(pass) {
                names.push((read.name, definition.map(|id| walk.definition(id).text())));
            }
        }
        names.sort();
        all.push(Fact::Conditional(conditional.groups.first().map(|id| group(*id)), names));
    }
    all
}

/// The first pass and fact in which the walks differ.
fn difference(program: &Program) -> Option<String> {
    let (unit, sources) = (unit(), sources(program));
    let together = preprocess(&unit, &sources, &Arc::default());
    for (pass, name) in unit.passes.list().iter().enumerate() {
        let alone = preprocess_for(&unit, &sources, &Arc::default(), PassSet::single(pass));
        let (together, alone) = (seen(&together, pass), seen(&alone, pass));
        let at = together.iter().zip(&alone).take_while(|(one, other)| one == other).count();
        if at < together.len().max(alone.len()) {
            let (together, alone) = (together.get(at), alone.get(at));
            return Some(format!("{name}, fact {at}:\n  together {together:?}\n  alone    {alone:?}"));
        }
    }
    None
}

/// The program with as many lines and words left out as it can do without to still be `wanted`.
fn reduced(mut program: Program, wanted: impl Fn(&Program) -> bool) -> Program {
    for separator in ['\n', ' '] {
        let mut smaller = true;
        while smaller {
            smaller = false;
            for file in 0..program.len() {
                let mut size = program[file].1.split(separator).count().max(1);
                while size > 0 {
                    let mut from = 0;
                    while from < program[file].1.split(separator).count() {
                        let parts: Vec<&str> = program[file].1.split(separator).collect();
                        let rest = [&parts[..from], &parts[parts.len().min(from + size)..]].concat();
                        let mut candidate = program.clone();
                        candidate[file].1 = rest.join(&separator.to_string());
                        if candidate[file].1 != program[file].1 && wanted(&candidate) {
                            program = candidate;
                            smaller = true;
                        } else {
                            from += size;
                        }
                    }
                    size /= 2;
                }
            }
        }
    }
    program.retain(|(name, text)| name == "main.cu" || !text.is_empty());
    program
}

fn shown(program: &Program) -> String {
    program.iter().map(|(name, text)| format!("--- {name}\n{text}\n")).collect()
}

#[test]
fn generated_programs_read_the_same_together_and_alone() {
    let first = setting("SEED").unwrap_or(1);
    let count = setting("PROGRAMS").unwrap_or(60);
    let (mut tokens, mut parted) = (0, 0);
    for seed in first..first + count {
        let program = generate::program(seed, Reader::Ours);
        if let Some(found) = difference(&program) {
            let small = reduced(program, |candidate| difference(candidate).is_some());
            let found = difference(&small).unwrap_or(found);
            panic!("seed {seed}: {found}\n{}", shown(&small));
        }
        let walk = preprocess(&unit(), &sources(&program), &Arc::default());
        let own = || walk.tokens().iter().filter(|token| !walk.system.contains(&token.at.file));
        tokens += own().count();
        parted += own().filter(|token| token.passes.len() < 8).count();
    }
    // Programs whose passes agree would show nothing.
    assert!(parted * 10 > tokens, "only {parted} of {tokens} tokens differ between the passes");
    println!("{count} programs from seed {first}, {tokens} tokens, {parted} of them not in all passes");
}

/// The directives that a walk met.
fn told(walk: &Preprocessed) -> String {
    let mut text = format!("{:?} {:?} {:?}\n", walk.files, walk.missing, walk.stopped);
    for conditional in walk.conditionals() {
        for id in &conditional.groups {
            let group = walk.group(*id);
            text += &format!("{:?} {:?}\n", group.directive, group.passes);
        }
        for read in &*conditional.reads {
            // One directive may have made two definitions, each for its passes.
            let mut found = ByPass::new();
            for (passes, id) in read.definitions.cases() {
                found.set(*passes, id.map(|id| walk.definition(id).at));
            }
            found.sort();
            text += &format!("{} {:?}\n", read.name, found.cases());
        }
    }
    for id in walk.definitions() {
        text += &format!("{:?} {:?}\n", walk.definition(id).at, walk.definition(id).passes);
    }
    text
}

/// Directives that only a walk that leaves text out sees differently from another.
fn overlooked(program: &Program) -> Option<String> {
    let (unit, sources) = (unit(), sources(program));
    let (with, without) = (
        told(&preprocess(&unit, &sources, &Arc::default())),
        told(&survey(&unit, &sources, &Arc::default())),
    );
    let differs = with.lines().zip(without.lines()).find(|(one, other)| one != other);
    let length = (with.len() != without.len()).then_some(("", ""));
    differs.or(length).map(|(with, without)| format!("with text {with}\n  without   {without}"))
}

#[test]
fn generated_programs_tell_the_same_with_text_left_out() {
    let first = setting("SEED").unwrap_or(1);
    let count = setting("PROGRAMS").unwrap_or(60);
    for seed in first..first + count {
        // Where nothing closes an invocation, what it takes in may differ.
        let program = generate::program(seed, Reader::Gcc);
        if let Some(found) = overlooked(&program) {
            let small = reduced(program, |candidate| overlooked(candidate).is_some());
            panic!("seed {seed}: {}\n{}", overlooked(&small).unwrap_or(found), shown(&small));
        }
    }
}

/// Main files that share a program's headers: its own, and others that its lines make, left out, changed
/// places, and put before and after one another.
fn mains(program: &Program, seed: u64) -> Vec<String> {
    let mut rng = fastrand::Rng::with_seed(seed);
    let lines: Vec<&str> = program[0].1.lines().collect();
    let mut texts = vec![program[0].1.clone()];
    for _ in 0..4 {
        let mut kept: Vec<&str> = lines.iter().copied().filter(|_| rng.u8(..4) > 0).collect();
        let (from, to) = (rng.usize(..kept.len() + 1), rng.usize(..kept.len() + 1));
        kept[from.min(to)..from.max(to)].reverse();
        let header = |rng: &mut fastrand::Rng| format!("#include \"h{}.h\"\n", rng.u8(1..=4));
        let (before, after) = (header(&mut rng), header(&mut rng));
        texts.push(format!("{before}{}\n{after}", kept.join("\n")));
    }
    texts.push(texts[1].clone());
    texts
}

/// The main file and pass to which it matters that headers are kept for others: read one after another, and
/// all at once.
fn remembered(program: &Program, seed: u64) -> Option<String> {
    let sources = sources(program);
    let units: Vec<TranslationUnit> = mains(program, seed)
        .into_iter()
        .enumerate()
        .map(|(number, text)| {
            let unit = TranslationUnit { main: format!("main{number}.cu").into(), ..unit() };
            sources.add(&unit.main, text);
            unit
        })
        .collect();
    let common = Arc::default();
    let in_turn = || units.iter().find_map(|unit| kept_otherwise(unit, &sources, &common));
    in_turn().or_else(|| {
        let common = Arc::default();
        std::thread::scope(|scope| {
            let (sources, common) = (&sources, &common);
            let read = |unit| scope.spawn(move || kept_otherwise(unit, sources, common));
            let threads: Vec<_> = units.iter().map(read).collect();
            threads.into_iter().find_map(|thread| thread.join().expect("no walk panics"))
        })
    })
}

/// Where the unit reads otherwise than when no header is kept.
fn kept_otherwise(unit: &TranslationUnit, sources: &Sources, common: &Arc<Common>) -> Option<String> {
    let main = unit.main.display();
    let kept = preprocess(unit, sources, common);
    let anew = preprocess(unit, sources, &Arc::new(Common::forgetful()));
    let rest = |walk: &Preprocessed| {
        let tokens = walk.tokens().iter().map(|token| (token.text.as_str(), token.passes, token.at));
        format!("{:?}\n{:?}\n{:?}", walk.files, walk.events(), tokens.collect::<Vec<_>>())
    };
    let (kept_rest, anew_rest) = (rest(&kept), rest(&anew));
    // What a token is to some passes may be told apart once more: a macro has another number inside the
    // conditional that defines it than after it, if an earlier reading made it.
    if kept_rest != anew_rest {
        return Some(format!("{main}:\n  kept {kept_rest}\n  anew {anew_rest}"));
    }
    unit.passes.all().iter().find_map(|pass| {
        let (kept, anew) = (seen(&kept, pass), seen(&anew, pass));
        let at = kept.iter().zip(&anew).take_while(|(one, other)| one == other).count();
        let (one, other) = (kept.get(at), anew.get(at));
        let differs = at < kept.len().max(anew.len());
        differs.then(|| format!("{main}, pass {pass}, fact {at}:\n  kept {one:?}\n  anew {other:?}"))
    })
}

#[test]
fn generated_programs_read_the_same_with_headers_kept() {
    let first = setting("SEED").unwrap_or(1);
    let count = setting("PROGRAMS").unwrap_or(60);
    for seed in first..first + count {
        let program = generate::program(seed, Reader::Ours);
        if let Some(found) = remembered(&program, seed) {
            let small = reduced(program, |candidate| remembered(candidate, seed).is_some());
            let found = remembered(&small, seed).unwrap_or(found);
            let mains: String =
                mains(&small, seed).iter().map(|text| format!("--- main\n{text}\n")).collect();
            panic!("seed {seed}: {found}\n{}{mains}", shown(&small));
        }
    }
}

/// A compiler's output for a program in one pass, and its errors.
fn compiled(compiler: &str, folder: &Path, pass: &Pass) -> (Vec<String>, String) {
    let mut command = Command::new(compiler);
    command.args(["-E", "-P", "-w", "-x", "c++", "-std=gnu++17", "-undef", "-nostdinc"]);
    if let Pass::Device(arch) = pass {
        command.arg(format!("-D__CUDA_ARCH__={}", arch.cuda_arch()));
    }
    let output = command.arg("main.cu").current_dir(folder).output().expect("the compiler is on the path");
    let text = String::from_utf8_lossy(&output.stdout);
    let kept: String = text.split_inclusive('\n').filter(|line| !line.starts_with("#pragma")).collect();
    let tokens = lex(&kept).iter().map(|token| token.text.as_str()).flat_map(parts).collect();
    (tokens, String::from_utf8_lossy(&output.stderr).into_owned())
}

/// A literal and its suffix apart: compilers print a macro's name that follows a literal without a
/// blank, as it is written.
fn parts(token: &str) -> Vec<String> {
    let suffix = token.rfind(['"', '\'']).map_or(token.len(), |quote| quote + 1);
    let (literal, suffix) = token.split_at(suffix);
    [literal, suffix].iter().filter(|part| !part.is_empty()).map(|part| part.to_string()).collect()
}

/// Complaints after which compilers go on as they like: the standard defines nothing there. We do as
/// GCC does, except that what an unterminated invocation took in is still read. In the arguments of an
/// invocation GCC 12 may crash over an `#undef` of what it is invoking.
const UNDEFINED_BY_GCC: &[&str] = &[
    "unterminated",
    "requires",
    "takes just",
    "pasting",
    "internal compiler error",
    "confused by earlier errors",
];
const UNDEFINED_BY_CLANG: &[&str] =
    &["unterminated", "function-like macro", "pasting", "paste", "suffix on literal", "embedding a #pragma"];

/// Where a pass reads otherwise with a compiler. `None` for equal, or for nothing to compare.
fn disagreement(program: &Program, compiler: &str, compared: &mut usize) -> Option<String> {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    for (name, text) in program {
        std::fs::write(folder.path().join(name), text).expect("the temporary folder can be written");
    }
    let unit = unit();
    let walk = preprocess(&unit, &sources(program), &Arc::default());
    for (pass, name) in unit.passes.list().iter().enumerate() {
        let own = walk.tokens_of(pass).filter(|token| !walk.system.contains(&token.at.file));
        let ours: Vec<String> = own.flat_map(|token| parts(token.text.as_str())).collect();
        let (mut theirs, complaints) = compiled(compiler, folder.path(), name);
        let undefined = if compiler.contains("clang") { UNDEFINED_BY_CLANG } else { UNDEFINED_BY_GCC };
        if undefined.iter().any(|complaint| complaints.contains(complaint)) {
            continue;
        }
        // A compiler goes on after `#error`, though it compiles nothing.
        if walk.stopped.has(pass) {
            theirs.truncate(ours.len());
        }
        *compared += 1;
        let at = ours.iter().zip(&theirs).take_while(|(one, other)| one == other).count();
        if at < ours.len().max(theirs.len()) {
            let show = |tokens: &[String]| tokens[at.saturating_sub(5)..tokens.len().min(at + 5)].join(" ");
            return Some(format!(
                "{name}, token {at}:\n  ours      {}\n  compiler  {}\n{complaints}",
                show(&ours),
                show(&theirs)
            ));
        }
    }
    None
}

#[test]
fn generated_programs_read_as_a_compiler_reads_them() {
    let compiler = std::env::var("COMPILER").unwrap_or("g++".into());
    let reader = if compiler.contains("clang") { Reader::Clang } else { Reader::Gcc };
    let first = setting("SEED").unwrap_or(1);
    let count = setting("PROGRAMS").unwrap_or(12);
    let mut compared = 0;
    for seed in first..first + count {
        let program = generate::program(seed, reader);
        if let Some(found) = disagreement(&program, &compiler, &mut compared) {
            let wanted = |candidate: &Program| disagreement(candidate, &compiler, &mut 0).is_some();
            let small = reduced(program, wanted);
            let found = disagreement(&small, &compiler, &mut 0).unwrap_or(found);
            panic!("seed {seed}: {found}\n{}", shown(&small));
        }
    }
    assert!(compared as u64 * 4 > count * 8, "{compared} passes of {count} programs could be compared");
    println!("{count} programs from seed {first}, {compared} of their passes compared with {compiler}");
}
