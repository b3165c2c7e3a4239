//! nvcc judges its notation: for every row of `tests/targets/nvcc-13.0.tsv`, options as they stand on a
//! command line, the passes, macro values and images that are derived are those nvcc runs, and options
//! that nvcc refuses are refused.
//!
//! The table is what nvcc said. `NVCC=/path/to/nvcc cargo test --test all nvcc_notation::` asks it again, and
//! with `BLESS=1` writes its answers into the table; the first column is written by people.

use std::fs;
use std::path::Path;
use std::process::Command;

use cuda_arch_lint::target::notation::{NvccOptions, ParsedTargets, read_list, read_nvcc};
use cuda_arch_lint::target::{Context, Options, Pass, Passes, Toolkit, predefined};

const TABLE: &str = "tests/targets/nvcc-13.0.tsv";

/// The second column of a notation that is refused; it has no more columns.
const REFUSED: &str = "refused";

#[test]
fn the_passes_are_those_nvcc_runs() {
    let nvcc = std::env::var_os("NVCC");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(TABLE);
    let text = fs::read_to_string(&path).expect("the table is there");
    let toolkit = Toolkit::parse("13.0").expect("a known one");
    let (mut rows, mut wrong, mut asked) = (0, Vec::new(), String::new());
    for line in text.lines() {
        let Some((options, mut recorded)) = line.split_once('\t').filter(|_| !line.starts_with('#')) else {
            asked.push_str(&format!("{line}\n"));
            continue;
        };
        rows += 1;
        let said = nvcc.as_ref().map(|nvcc| ask(Path::new(nvcc), options));
        if let Some(said) = &said {
            asked.push_str(&format!("{options}\t{said}\n"));
            if said != recorded && std::env::var_os("BLESS").is_none() {
                wrong.push(format!("{options}\n  nvcc:     {said}\n  recorded: {recorded}"));
            }
            recorded = said;
        }
        let derived = derive(options, toolkit);
        if derived != recorded {
            wrong.push(format!("{options}\n  derived: {derived}\n  nvcc:    {recorded}"));
        }
    }
    if nvcc.is_some() && std::env::var_os("BLESS").is_some() {
        fs::write(&path, asked).expect("the table can be written");
    }
    assert!(wrong.is_empty(), "{} of {rows} rows\n{}", wrong.len(), wrong.join("\n"));
    assert!(rows >= 60, "{rows} rows");
}

/// `list=800,900`, the passes with the macros of their own, and the images in order of their names.
fn derive(options: &str, toolkit: Toolkit) -> String {
    let context = Context { toolkit, ..Context::default() };
    let ParsedTargets { list, errors } = match options {
        "" => read_nvcc(&NvccOptions::default(), &context),
        _ => read_list(options, &context),
    };
    if !errors.is_empty() || !list.unsupported(toolkit).is_empty() {
        return REFUSED.to_string();
    }
    let passes = Passes::new(&list.passes).expect("few");
    let macros = predefined(&passes, &Options::default());
    let about = |name: &str| name.starts_with("__CUDA_ARCH") && name != "__CUDA_ARCH_LIST__";
    let of_pass = |(index, pass): (usize, &Pass)| {
        let Pass::Device(arch) = pass else { return None };
        let own = macros.iter().filter(|one| one.passes.has(index) && about(&one.name));
        let mut own: Vec<String> = own.map(|one| format!("{}={}", one.name, one.value)).collect();
        own.sort();
        Some(format!("{}: {}", arch.compute_name(), own.join(" ")))
    };
    let archs = macros.iter().find(|one| one.name == "__CUDA_ARCH_LIST__").expect("13.0 has it");
    let passes: Vec<String> = passes.list().iter().enumerate().filter_map(of_pass).collect();
    let mut images: Vec<String> = list.images.iter().map(ToString::to_string).collect();
    images.sort();
    format!("list={}\t{}\t{}", archs.value, passes.join("; "), images.join(" "))
}

/// The same, of the commands that `nvcc --dryrun` prints.
fn ask(nvcc: &Path, options: &str) -> String {
    let directory = tempfile::tempdir().expect("a directory");
    fs::write(directory.path().join("k.cu"), "__global__ void k() {}\n").expect("a file");
    let words = shlex::split(options).expect("closed quotes");
    let mut command = Command::new(nvcc);
    command.current_dir(directory.path()).args(["--dryrun", "k.cu", "-c"]).args(words);
    let output = command.output().expect("nvcc runs");
    if !output.status.success() {
        return REFUSED.to_string();
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let (mut passes, mut list, mut macros) = (Vec::new(), String::new(), Vec::new());
    let mut images: Vec<String> = Vec::new();
    for line in said.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        if words.contains(&"-E") {
            let defines = words.iter().filter_map(|word| word.strip_prefix("-D__CUDA_ARCH"));
            let all: Vec<String> = defines.map(|rest| valued(&format!("__CUDA_ARCH{rest}"))).collect();
            let (lists, mut own): (Vec<_>, Vec<_>) =
                all.into_iter().partition(|one| one.starts_with("__CUDA_ARCH_LIST__"));
            own.sort();
            list = lists[0].replace("__CUDA_ARCH_LIST__=", "");
            macros = own;
        }
        if line.contains("/cicc\"") {
            let arch = words.iter().position(|word| *word == "-arch").expect("cicc has an -arch");
            passes.push(format!("{}: {}", words[arch + 1], macros.join(" ")));
        }
        images.extend(words.iter().filter_map(|word| image(word)));
    }
    images.sort();
    images.dedup();
    format!("list={list}\t{}\t{}", passes.join("; "), images.join(" "))
}

fn valued(define: &str) -> String {
    if define.contains('=') { define.to_string() } else { format!("{define}=1") }
}

/// `"--image3=kind=elf,sm=80,file=…"` as `sm_80`.
fn image(word: &str) -> Option<String> {
    let fields = word.trim_matches('"').strip_prefix("--image3=")?;
    let field = |name: &str| fields.split(',').find_map(|field| field.strip_prefix(name));
    let prefix = match field("kind=")? {
        "elf" => "sm",
        "ptx" => "compute",
        "nvvm" => "lto",
        other => panic!("an image of the kind {other}"),
    };
    Some(format!("{prefix}_{}", field("sm=")?))
}
