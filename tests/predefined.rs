//! The stored predefined macros of compilers are those that they print, where they are installed: g++, clang++
//! and nvcc are looked for on the path, and one of another version than the stored is left alone.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use cuda_arch_lint::target::{
    CudaCompiler, HostCompiler, Machine, Options, Passes, Standard, Toolkit, parse_arch_list, predefined,
};

/// A stored compiler, the program that is one, what it says to `-dumpfullversion` or `-dumpversion`, and
/// how it is told the machine.
const COMPILERS: &[(HostCompiler, Machine, &str, &str, &[&str])] = &[
    (HostCompiler::Gcc11, Machine::X86_64, "x86_64-linux-gnu-g++-11", "11.3.0", &[]),
    (HostCompiler::Gcc12, Machine::X86_64, "x86_64-linux-gnu-g++-12", "12.2.0", &[]),
    (HostCompiler::Gcc12, Machine::Aarch64, "aarch64-linux-gnu-g++-12", "12.2.0", &[]),
    (HostCompiler::Clang19, Machine::X86_64, "clang++-19", "19.1.7", &["--target=x86_64-linux-gnu"]),
    (HostCompiler::Clang19, Machine::Aarch64, "clang++-19", "19.1.7", &["--target=aarch64-linux-gnu"]),
];

/// Options as projects give them; one that a compiler refuses is no option of its.
const OPTIONS: &[&str] = &[
    "",
    "-O0",
    "-O2",
    "-O3",
    "-Os",
    "-Ofast",
    "-ffast-math",
    "-O3 -ffast-math",
    "-fopenmp",
    "-fopenmp -fno-openmp",
    "-pthread",
    "-O2 -fPIC -fopenmp -pthread",
    "-fPIE",
    "-fno-exceptions",
    "-fno-rtti",
    "-funsigned-char",
    "-fno-char8_t",
    "-fsanitize=address",
    "-fstack-protector-strong",
    "-mavx2 -mfma",
    "-mavx512f -mavx512vl -mavx512bw",
    "-march=x86-64-v3",
    "-march=haswell",
    "-march=skylake-avx512",
    "-march=sapphirerapids",
    "-march=znver3",
    "-march=armv8.2-a+fp16",
    "-mcpu=neoverse-n1",
    "-mcpu=neoverse-v1",
];

/// The standards under which every option is tried; the others stand alone.
const WITH_OPTIONS: &[&str] = &["-std=gnu++17", "-std=c++20"];

/// A program's output, if it is there and succeeds.
fn output(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The macros `-dM -E` lists.
fn listed(text: &str) -> BTreeMap<String, String> {
    let one = |line: &str| {
        let line = line.strip_prefix("#define ").expect("-dM prints definitions");
        let end = line.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(line.len());
        let end = match line[end..].starts_with('(') {
            true => end + line[end..].find(')').expect("parameters end") + 1,
            false => end,
        };
        (line[..end].to_string(), line[end..].trim().to_string())
    };
    text.lines().map(one).collect()
}

/// The differences, a line each.
fn difference(stored: &BTreeMap<String, String>, real: &BTreeMap<String, String>) -> Vec<String> {
    let names: BTreeSet<&String> = stored.keys().chain(real.keys()).collect();
    let differ = names.into_iter().filter(|name| stored.get(*name) != real.get(*name));
    differ.map(|name| format!("{name}: stored {:?}, real {:?}", stored.get(name), real.get(name))).collect()
}

fn is_there(program: &str, version: &str) -> bool {
    let says = |option: &str| output(program, &[option]).unwrap_or_default();
    let there = says("-dumpfullversion").trim() == version || says("-dumpversion").trim() == version;
    if !there {
        eprintln!("{program} {version} is not here");
    }
    there
}

#[test]
fn host_compilers_predefine_what_is_stored() {
    for (compiler, machine, program, version, target) in COMPILERS {
        if !is_there(program, version) {
            continue;
        }
        for standard in Standard::all() {
            for options in OPTIONS {
                let std = format!("-std={standard}");
                if !options.is_empty() && !WITH_OPTIONS.contains(&std.as_str()) {
                    continue;
                }
                let words: Vec<&str> = options.split_whitespace().collect();
                let mut arguments = target.to_vec();
                arguments.extend([std.as_str()].iter().chain(&words));
                arguments.extend(["-dM", "-E", "-x", "c++", "/dev/null"]);
                let Some(text) = output(program, &arguments) else {
                    assert!(!options.is_empty(), "{program} knows {std}");
                    continue;
                };
                let words: Vec<String> = words.into_iter().map(String::from).collect();
                let stored = compiler.macros(*machine, standard, &words);
                let difference = difference(&stored, &listed(&text));
                assert!(difference.is_empty(), "{program} {arguments:?}\n{}", difference.join("\n"));
            }
        }
    }
}

/// The macros of one pass.
fn of_pass(passes: &Passes, options: &Options, pass: usize) -> BTreeMap<String, String> {
    let macros = predefined(passes, options).into_iter().filter(|one| one.passes.has(pass));
    macros.map(|one| (one.name, one.value)).collect()
}

#[test]
fn clang_predefines_by_pass_what_is_stored() {
    let passes = Passes::new(&parse_arch_list("80,90a").unwrap()).unwrap();
    for (_, machine, program, version, target) in &COMPILERS[3..] {
        if !is_there(program, version) {
            continue;
        }
        for rdc in [false, true] {
            let options = Options {
                cuda: CudaCompiler::Clang,
                host: HostCompiler::Clang19,
                machine: *machine,
                rdc,
                ..Options::default()
            };
            for (pass, which) in [&["--cuda-host-only"][..], &["--cuda-device-only"], &["--cuda-device-only"]]
                .iter()
                .enumerate()
            {
                let arch = if pass == 2 { "--offload-arch=sm_90a" } else { "--offload-arch=sm_80" };
                let mut arguments = target.to_vec();
                arguments.extend(["-x", "cuda", "-nocudainc", "-nocudalib", "-dM", "-E", arch]);
                arguments.extend(which.iter().chain(rdc.then_some(&"-fgpu-rdc")));
                arguments.push("/dev/null");
                let text = output(program, &arguments).expect("clang reads an empty file");
                let mut stored = of_pass(&passes, &options, pass);
                // The wrapper header's, which `-nocudainc` leaves out.
                assert_eq!(stored.remove("__CUDACC__").as_deref(), Some(""));
                let difference = difference(&stored, &listed(&text));
                assert!(difference.is_empty(), "{arguments:?}\n{}", difference.join("\n"));
            }
        }
    }
}

/// The macros that a command of `nvcc --dryrun` defines: `-DNAME`, `-DNAME=VALUE`.
fn defined(command: &str) -> BTreeMap<String, String> {
    let words = shlex::split(command).expect("nvcc closes its quotes");
    let defines = words.iter().filter_map(|word| word.strip_prefix("-D")).filter(|text| !text.is_empty());
    defines
        .map(|text| {
            let (name, value) = text.split_once('=').unwrap_or((text, "1"));
            (name.to_string(), value.to_string())
        })
        .collect()
}

#[test]
fn nvcc_predefines_by_pass_what_is_stored() {
    let Some(version) = output("nvcc", &["--version"]) else {
        eprintln!("nvcc is not here");
        return;
    };
    let version = version.split(", V").nth(1).expect("nvcc names its version");
    let toolkit = Toolkit::parse(version.split_whitespace().next().unwrap()).expect("a known toolkit");
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let source = folder.path().join("a.cu");
    std::fs::write(&source, "").expect("the temporary folder can be written");
    let source = source.to_str().expect("its path is UTF-8");
    for flags in [
        "",
        "-rdc=true",
        "-G",
        "--device-debug",
        "--expt-relaxed-constexpr",
        "-expt-relaxed-constexpr",
        "--extended-lambda",
        "--extensible-whole-program",
        "--default-stream=per-thread",
        "--use_fast_math",
        "-ftz=true",
        "-lineinfo",
    ] {
        let list = "90a,80,100f,100";
        let passes = Passes::new(&parse_arch_list(list).unwrap()).unwrap();
        let mut arguments = vec!["--dryrun".to_string(), "-c".into(), source.into()];
        for arch in list.split(',') {
            arguments.extend(["-gencode".to_string(), format!("arch=compute_{arch},code=compute_{arch}")]);
        }
        arguments.extend((!flags.is_empty()).then(|| flags.to_string()));
        let run = Command::new("nvcc").args(&arguments).output().expect("it ran before");
        let text = String::from_utf8_lossy(&run.stderr).into_owned();
        let commands: Vec<&str> = text
            .lines()
            .filter_map(|line| line.strip_prefix("#$ "))
            .filter(|line| line.contains(" -E "))
            .collect();
        assert_eq!(commands.len(), passes.list().len(), "{text}");
        let options = Options {
            cuda: CudaCompiler::Nvcc(toolkit),
            rdc: flags == "-rdc=true",
            flags: vec![flags.to_string()],
            asked: Some(BTreeMap::new().into()),
            ..Options::default()
        };
        let stored: BTreeSet<_> = (0..commands.len()).map(|pass| of_pass(&passes, &options, pass)).collect();
        let real: BTreeSet<_> = commands.iter().map(|command| defined(command)).collect();
        assert_eq!(stored, real, "nvcc {flags}");
    }
}
