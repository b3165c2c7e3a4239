//! The targets that are in force: those of options, of build files, and of the environment.

use cuda_arch_lint::cli::exit_code::{CLEAN, FINDINGS, INCOMPLETE, USAGE};

use super::{GOOD, command, holds, last_line, refuses, run};
use crate::folders::folder;

/// `targets` on these files, which prints each of these parts.
fn targets(files: &[(&str, &str)], arguments: &str, code: u8, parts: &[&str]) {
    let ran = run(files, &format!("targets {arguments}"));
    assert_eq!(ran.code, code, "{arguments}: {}{}", ran.out, ran.err);
    for part in parts {
        assert!(ran.out.contains(part), "{arguments}: {part}\n{}", ran.out);
    }
}

#[test]
fn the_passes_in_force_are_printed_with_what_they_predefine() {
    targets(
        &[],
        "--arch 80,90a",
        CLEAN,
        &[
            "targets from --arch, CUDA 13.0\n",
            "compute_80   .version 9.0 .target sm_80   __CUDA_ARCH__=800\n",
            "compute_90a  .version 9.0 .target sm_90a  __CUDA_ARCH__=900 __CUDA_ARCH_FEAT_SM90_ALL=1 ",
            "embedded: compute_80 sm_80 compute_90a sm_90a\n",
            "8.6   Ampere          sm_80\n",
            "9.0   Hopper          sm_90a\n",
            "10.0  Blackwell B200  compute_80, compiled by the driver\n",
        ],
    );
    targets(&[], "--arch 80 --cuda-version 12.4", CLEAN, &["CUDA 12.4\n", ".version 8.4 .target sm_80 "]);
    targets(
        &[],
        "--arch=--offload-arch=gfx1100",
        CLEAN,
        &["gfx1100  none  __CUDA_ARCH__=11000000\n", "machine code for AMD GPUs: gfx1100\n"],
    );
    targets(&[], "--list", CLEAN, &["\nsm_90a   900            8.0  12.0 …       Hopper\n"]);
}

#[test]
fn scale_s_compiler_compiles_for_the_gpus_of_its_map() {
    let database = r#"[{"directory": ".", "file": "a.cu", "command": "/opt/scale/targets/gfx1100/bin/nvcc -arch=sm_80 -c a.cu"},
        {"directory": ".", "file": "b.cu", "command": "nvcc --cuda-ccmap map -gencode arch=compute_61,code=sm_61 -gencode arch=compute_90,code=[sm_90,compute_90] -c b.cu"}]"#;
    let files =
        [("a.cu", GOOD), ("b.cu", GOOD), ("map", "# old\ngfx900 61\n"), ("compile_commands.json", database)];
    targets(&files, "", CLEAN, &["compiled for AMD GPUs by a ccmap: compute_80 for gfx1100\n"]);
    targets(&files, "b.cu", CLEAN, &["map: compute_61 for gfx900\n", "embedded: sm_90 compute_90\n"]);
    let directory = folder(&[("map", "gfx1030 86\n")]);
    let mut command = command(directory.path(), "targets --arch 86,gfx1030,gfx1100");
    let named = String::from_utf8(command.env("SCALE_CCMAP", "map").output().expect("it runs").stdout);
    let named = named.expect("output is UTF-8");
    for part in [
        "\ngfx1030     none                        __CUDA_ARCH__=860\n",
        "\ngfx1100     none                        __CUDA_ARCH__=11000000\n",
        "map: compute_86 for gfx1030\n",
    ] {
        assert!(named.contains(part), "{named}");
    }
    let gone = database.replace("ccmap map", "ccmap gone");
    let ran = run(&[("b.cu", GOOD), ("compile_commands.json", &gone)], "targets b.cu");
    assert_eq!(ran.code, INCOMPLETE);
    assert!(ran.err.starts_with("compile_commands.json: failed to read `"), "{}", ran.err);
    assert!(
        ran.err.ends_with("gone`: No such file or directory (os error 2) in the command for `b.cu`\n"),
        "{}",
        ran.err
    );
}

#[test]
fn what_is_wrong_with_the_list_is_a_finding() {
    let faults = [
        "note[missing-ptx]: no PTX for the highest target, sm_90,",
        "help: add its PTX: `90-virtual` in `CMAKE_CUDA_ARCHITECTURES`, `9.0+PTX` in",
    ];
    // Advice fails no run.
    targets(&[], "--arch 80-real;90-real", CLEAN, &faults);
    targets(
        &[],
        "--arch 90a",
        FINDINGS,
        &["warning[suffixed-targets-only]: nothing but compute_90a, sm_90a is embedded"],
    );
    targets(&[], "--arch 75-real;120", CLEAN, &["note[target-gap]: GPUs between"]);
    targets(
        &[],
        "--arch 70;90",
        FINDINGS,
        &["error[unsupported-target]: CUDA 13.0 does not compile for sm_70"],
    );
}

#[test]
fn the_project_s_targets_and_recipes_are_read() {
    let database = r#"[{"directory": "..", "file": "a.cu", "command": "nvcc --generate-code=arch=compute_80,code=[compute_80,sm_80] -c a.cu"}]"#;
    let recipe = "requirements:\n  run:\n    - __cuda_arch >=7.5\n    - __cuda_arch >=sm_80\n";
    let files = [("a.cu", GOOD), ("build/compile_commands.json", database), ("conda/meta.yaml", recipe)];
    targets(
        &files,
        "",
        FINDINGS,
        &[
            "1 unit, targets from build/compile_commands.json, CUDA 13.0\n",
            "conda/meta.yaml:3: warning[mismatched-arch-bound]: `__cuda_arch >=7.5` lets the package be installed where nothing \
             in it runs: 7.5\n",
            "conda/meta.yaml:4: warning[mismatched-arch-bound]: `>=sm_80` in `__cuda_arch >=sm_80` is not a version constraint\n",
        ],
    );
    let wrong = r#"[{"directory": ".", "file": "a.cu", "command": "nvcc -arch=sm_81 -c a.cu"}]"#;
    let ran = run(&[("a.cu", GOOD), ("compile_commands.json", wrong)], "targets");
    assert_eq!(ran.code, INCOMPLETE);
    assert_eq!(ran.err, "compile_commands.json: unknown architecture `sm_81` in the command for `a.cu`\n");
    refuses(
        &[],
        "targets",
        "error: no CUDA source found under `.`\nhelp: looked for files that end in .cu, and for headers (.cuh, .cu.h, .h, .hpp, .hxx, .hh, .inl, .inc) that mention `__global__` or `__CUDA_ARCH__`; to analyse a file with another name, pass its path",
    );
}

/// `check` prints each of these parts.
fn checks(files: &[(&str, &str)], arguments: &str, code: u8, parts: &[&str]) {
    let ran = run(files, arguments);
    for part in parts {
        assert!(ran.out.contains(part), "{arguments}: `{part}` is missing:\n{}{}", ran.out, ran.err);
    }
    assert_eq!(ran.code, code, "{arguments}: {}", ran.out);
}

#[test]
fn a_list_of_a_database_is_judged_once_where_it_is_named() {
    let database = r#"[
{"directory": ".", "file": "a.cu", "command": "nvcc -gencode arch=compute_80,code=sm_80 -c a.cu"},
{"directory": ".", "file": "b.cu", "command": "nvcc -gencode arch=compute_80,code=sm_80 -c b.cu"}
]"#;
    let files = [("a.cu", GOOD), ("b.cu", GOOD), ("compile_commands.json", database)];
    let parts = [
        "note[missing-ptx]: no PTX for the highest target, sm_80, that later GPUs could run: there is none\n",
        "compile_commands.json:2:",
        "Add its PTX: `80-virtual` in `CMAKE_CUDA_ARCHITECTURES`, `8.0+PTX` in",
        "1 finding (1 note) in 2 files, 2 units; target sm_80 from compile_commands.json; none fixable\n",
    ];
    checks(&files, ".", CLEAN, &parts);
    checks(&files, ". --fail-on note", FINDINGS, &parts);
    checks(&files, ". --rule missing-ptx=off --fail-on note", CLEAN, &["no findings"]);
    // What the user typed is what the user wants to know about.
    checks(&files, ". --arch 80-real", CLEAN, &["no findings"]);
}

#[test]
fn an_unpacked_archive_is_a_project_where_its_build_begins() {
    let build = ("CMakeLists.txt", "set(CMAKE_CUDA_ARCHITECTURES 80-real 90)\n");
    let header = ("include/mine/scalar.h", "using scalar = int;\n");
    let source =
        ("src/a.cu", "#include \"mine/scalar.h\"\n__global__ void store(scalar *out) { *out = 1; }\n");
    let all = "no findings in 2 files, 1 unit; targets sm_80, sm_90 from CMakeLists.txt\n";
    checks(&[build, header, source], "src", CLEAN, &[all]);
    // Nothing says that the working directory is one.
    checks(&[header, source], "src", CLEAN, &["1 header was not found", "from the default"]);
}

#[test]
fn sources_that_may_be_cuda_are_told_where_none_is() {
    let header = ("a.h", "#pragma once\n__global__ void store(int *out);\n");
    let told = "help: the 2 C++ sources here were not analysed: name those that are compiled as CUDA, or `-p DIR` with";
    checks(&[header, ("a.cpp", GOOD), ("b.cc", GOOD)], ".", CLEAN, &[told]);
    let ran = run(&[header, ("a.cpp", GOOD), ("b.cu", GOOD)], ".");
    assert!(!ran.out.contains("C++"), "{}", ran.out);
}

#[test]
fn build_files_name_targets_where_no_database_does() {
    let lists = ("CMakeLists.txt", "set(CMAKE_CUDA_ARCHITECTURES 80 90)");
    let setup = ("setup.py", "os.environ['TORCH_CUDA_ARCH_LIST'] = '8.0;9.0+PTX'\n");
    let last = "no findings in 1 file, 1 unit; targets sm_80, sm_90 from CMakeLists.txt\n";
    checks(&[("a.cu", GOOD), lists], ".", CLEAN, &[last]);
    checks(&[("a.cu", GOOD), setup], ".", CLEAN, &["targets sm_80, sm_90 from setup.py\n"]);
    checks(&[("a.cu", GOOD), lists], ". --arch 75", CLEAN, &["target sm_75 from --arch\n"]);
    targets(&[("a.cu", GOOD), lists], "", CLEAN, &["1 unit, targets from CMakeLists.txt, CUDA 13.0\n"]);
}

#[test]
fn the_environment_names_targets_where_the_build_leaves_room() {
    let from = |files: &[(&str, &str)], variables: &[(&str, &str)]| {
        let directory = folder(files);
        let output = command(directory.path(), ".").envs(variables.iter().copied()).output();
        let out = String::from_utf8(output.expect("the program runs").stdout).expect("UTF-8");
        last_line(&out).split("; ").nth(1).unwrap_or_default().to_string()
    };
    let torch = [("TORCH_CUDA_ARCH_LIST", "8.0;9.0+PTX")];
    assert_eq!(from(&[("a.cu", GOOD)], &torch), "targets sm_80, sm_90 from TORCH_CUDA_ARCH_LIST");
    let lists = ("CMakeLists.txt", "set(CMAKE_CUDA_ARCHITECTURES 75)");
    assert_eq!(from(&[("a.cu", GOOD), lists], &torch), "target sm_75 from CMakeLists.txt");
    let default = (
        "CMakeLists.txt",
        "if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)\nset(CMAKE_CUDA_ARCHITECTURES 75)\nendif()",
    );
    assert_eq!(from(&[("a.cu", GOOD), default], &[("CUDAARCHS", "86")]), "target sm_86 from CUDAARCHS");
    assert_eq!(from(&[("a.cu", GOOD), default], &[]), "target sm_75 from CMakeLists.txt");
}

#[test]
fn an_extra_argument_means_what_it_means_in_a_command() {
    checks(&[("a.cu", GOOD)], "a.cu --extra-arg=-arch=sm_80", CLEAN, &["target sm_80 from --extra-arg"]);
    holds("defined MADE && __CUDACC_RDC__", "--extra-arg=-rdc=true --extra-arg=-DMADE");
    let ran = run(&[("a.cu", GOOD)], "a.cu --arch 80 --extra-arg=-D__CUDA_ARCH__=800");
    assert_eq!(ran.code, USAGE, "{}", ran.out);
    assert!(ran.err.contains("the compiler defines `__CUDA_ARCH__`"), "{}", ran.err);
}

#[test]
fn a_gpu_of_another_maker_makes_comparisons_meaningless() {
    let source = "#if __CUDA_ARCH__ >= 800\n#define FAST 1\n#endif\n__global__ void run() {}\n";
    let command =
        "/opt/scale/targets/gfx1100/bin/nvcc -gencode arch=compute_86,code=[compute_86,sm_86] -c a.cu";
    let database = format!(r#"[{{"directory": ".", "file": "a.cu", "command": "{command}"}}]"#);
    let found = "`#if __CUDA_ARCH__ >= 800` asks for a number that says nothing about gfx1100";
    checks(&[("a.cu", source), ("compile_commands.json", &database)], ".", FINDINGS, &[found]);
    checks(&[("a.cu", source)], ". --arch 86,gfx90a", FINDINGS, &["says nothing about gfx90a"]);
    checks(&[("a.cu", source)], ". --arch gfx90a", FINDINGS, &["says nothing about gfx90a"]);
    checks(&[("a.cu", source)], ". --arch 86", CLEAN, &["no findings"]);
}

#[test]
fn a_rule_that_is_off_by_default_is_asked_for_by_name() {
    let source = "#if __CUDA_ARCH__ >= 900\n#define FAST 1\n#endif\n__global__ void run() {}\n";
    let files = [("a.cu", source)];
    checks(&files, "a.cu --arch 80", CLEAN, &["no findings"]);
    checks(&files, "a.cu --arch 80 --rule all=error", CLEAN, &["no findings"]);
    let found =
        "note[unreached-arch-branch]: no pass enters `#if __CUDA_ARCH__ >= 900`: neither the host nor sm_80";
    checks(&files, "a.cu --arch 80 --rule unreached-arch-branch=note", CLEAN, &[found]);
    checks(&files, "a.cu --arch 80 --rule unreached-arch-branch=note --fail-on note", FINDINGS, &[found]);
    checks(&files, "a.cu --arch 80,90 --rule CAL015=note", CLEAN, &["no findings"]);
}

/// `targets --virtual-package` under these settings of conda's two variables.
fn virtual_package(cuda: &str, arch: &str, out: &str, err: &str) {
    let directory = folder(&[]);
    let mut command = command(directory.path(), "targets --virtual-package");
    command.env("CONDA_OVERRIDE_CUDA", cuda).env("CONDA_OVERRIDE_CUDA_ARCH", arch);
    let output = command.output().expect("the program runs");
    assert!(output.status.success());
    let text = |bytes| String::from_utf8(bytes).expect("output is UTF-8");
    assert_eq!((text(output.stdout).as_str(), text(output.stderr).as_str()), (out, err));
}

#[test]
fn the_virtual_package_is_printed_as_conda_does() {
    virtual_package("12.4", "9.0", "__cuda_arch=9.0=0\n", "");
    virtual_package("12.4", "", "", "`__cuda_arch` is absent: `CONDA_OVERRIDE_CUDA_ARCH` is empty\n");
    virtual_package("", "9.0", "", "`__cuda_arch` is absent: `__cuda` is absent\n");
}
