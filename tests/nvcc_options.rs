//! nvcc judges how its commands are read: for every row of `tests/targets/nvcc-options.tsv`, options as they
//! stand in a compilation database, the macros, include directories, forced files, standard and separate
//! compilation of the unit are those that nvcc hands its preprocessor.
//!
//! The table is what nvcc 13.0 said. `NVCC=/path/to/nvcc cargo test --test all nvcc_options::` asks it again, and with
//! `BLESS=1` writes its answers into the table; the first column is written by people.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use cuda_arch_lint::project::{Define, Settings, TranslationUnit, discover};
use cuda_arch_lint::source::Sources;

const TABLE: &str = "tests/targets/nvcc-options.tsv";

/// Option files that rows name.
const FILES: &[(&str, &str)] = &[
    ("plain.rsp", "-DA -DB\n-DC"),
    ("quoted.rsp", "-I\"a b\" -DX=\"q r\" \"-DY=s t\""),
    ("commas.rsp", "-DX=\"a,b\" -DY=c\\,d"),
    ("escaped.rsp", "-DW=C:\\\\x -DV=\\\"v\\\""),
    ("windows.rsp", "-DA\t-DB\r\n-DC\r\n"),
    ("nested.rsp", "--options-file plain.rsp -DD"),
    ("forwarded.rsp", "-Xcompiler \"-DP -DQ\" -I=i"),
];

#[test]
fn a_command_is_read_as_nvcc_reads_it() {
    let nvcc = std::env::var_os("NVCC");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(TABLE);
    let text = fs::read_to_string(&path).expect("the table is there");
    let directory = tempfile::tempdir().expect("a directory");
    for (name, text) in FILES {
        fs::write(directory.path().join(name), text).expect("a file");
    }
    fs::write(directory.path().join("k.cu"), "").expect("a file");
    let bless = std::env::var_os("BLESS").is_some();
    let (mut rows, mut wrong, mut asked) = (0, Vec::new(), String::new());
    for line in text.lines() {
        let (options, mut recorded) = line.split_once('\t').expect("two columns");
        let words = shlex::split(options).expect("closed quotes");
        rows += 1;
        let said = nvcc.as_ref().map(|nvcc| ask(Path::new(nvcc), &words, directory.path()));
        if let Some(said) = &said {
            asked.push_str(&format!("{options}\t{said}\n"));
            if said != recorded && !bless {
                wrong.push(format!("{options}\n  nvcc:     {said}\n  recorded: {recorded}"));
            }
            recorded = said;
        }
        let read = read(&words, directory.path());
        if read != recorded {
            wrong.push(format!("{options}\n  read: {read}\n  nvcc: {recorded}"));
        }
    }
    if nvcc.is_some() && bless {
        fs::write(&path, asked).expect("the table can be written");
    }
    assert!(wrong.is_empty(), "{} of {rows} rows\n{}", wrong.len(), wrong.join("\n"));
    assert!(rows >= 40, "{rows} rows");
}

/// The options of a command that matter, in one order: `-DA=1 -UB -Ia -isystem b -include c -std=c++17 rdc`.
#[derive(Default)]
struct Said {
    macros: Vec<String>,
    directories: Vec<String>,
    system: Vec<String>,
    forced: Vec<String>,
    rest: Vec<String>,
}

impl Said {
    fn text(self) -> String {
        let all = [self.macros, self.directories, self.system, self.forced, self.rest].concat();
        all.join(" ")
    }
}

/// The unit that a database with these options makes.
fn read(words: &[String], directory: &Path) -> String {
    let arguments: Vec<&str> = ["nvcc"].into_iter().chain(words.iter().map(String::as_str)).collect();
    let arguments = [arguments, vec!["-c", "k.cu"]].concat();
    let entry = serde_json::json!([{"directory": directory, "file": "k.cu", "arguments": arguments}]);
    fs::write(directory.join("compile_commands.json"), entry.to_string()).expect("a file");
    let main = directory.join("k.cu");
    let project = discover(&[main], &Settings::default(), &Sources::new()).expect("one unit");
    assert!(project.problems.is_empty(), "{:?}", project.problems);
    let unit: &TranslationUnit = &project.units[0];
    let paths = |prefix: &str, paths: &[PathBuf]| -> Vec<String> {
        let below = paths.iter().map(|path| path.strip_prefix(directory).unwrap_or(path));
        below.map(|path| format!("{prefix}{}", path.display())).collect()
    };
    let one = |define: &Define| match define {
        Define::Define(name, value) => format!("-D{name}={value}"),
        Define::Undef(name) => format!("-U{name}"),
    };
    let mut rest: Vec<String> = unit.options.standard.iter().map(|one| format!("-std={one}")).collect();
    rest.extend(unit.rdc.then(|| "rdc".to_string()));
    Said {
        macros: unit.defines.iter().map(one).collect(),
        directories: paths("-I", &unit.search.directories),
        system: paths("-isystem ", &unit.search.system),
        forced: paths("-include ", &unit.search.forced),
        rest,
    }
    .text()
}

/// The same of the host pass that `nvcc --dryrun` prints, what nvcc adds of its own left out.
fn ask(nvcc: &Path, words: &[String], directory: &Path) -> String {
    let mut command = Command::new(nvcc);
    command.current_dir(directory).args(["--dryrun", "k.cu", "-c"]).args(words);
    let output = command.output().expect("nvcc runs");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let line = text.lines().find(|line| line.contains(" -E ") && !line.contains("-D__CUDA_ARCH__="));
    let line = line.unwrap_or_else(|| panic!("{words:?}: {text}"));
    let mut said = Said::default();
    let mut rest = shlex::split(line.trim_start_matches("#$ ")).expect("closed quotes").into_iter().skip(1);
    while let Some(word) = rest.next() {
        let options = ["-isystem", "-include", "-D", "-U", "-I", "-std="];
        let Some(option) = options.into_iter().find(|option| word.starts_with(option)) else { continue };
        let value = match word[option.len()..].to_string() {
            value if value.is_empty() => rest.next().expect("the option's value"),
            value => value,
        };
        let own = ["__CUDA", "__NV", "CUDA_API_PER_THREAD"].iter().any(|prefix| value.starts_with(prefix));
        let toolkit = value.contains("/..//include") || value == "cuda_runtime.h";
        match option {
            "-D" if value.starts_with("__CUDACC_RDC__") => said.rest.push("rdc".into()),
            _ if own || toolkit => {}
            "-D" => said
                .macros
                .push(format!("-D{}", if value.contains('=') { value } else { format!("{value}=1") })),
            "-U" => said.macros.push(format!("-U{value}")),
            "-I" => said.directories.push(format!("-I{value}")),
            "-isystem" => said.system.push(format!("-isystem {value}")),
            "-include" => said.forced.push(format!("-include {value}")),
            _ => said.rest.insert(0, format!("-std={value}")),
        }
    }
    said.text()
}
