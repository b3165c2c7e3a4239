//! The program as a user runs it: what it prints where, and its exit codes.

mod output;
mod targets;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use cuda_arch_lint::cli::exit_code::{CLEAN, FINDINGS, INCOMPLETE, TABLE, USAGE};
use cuda_arch_lint::project::driver;

use crate::folders::folder;

/// The guide's first example: a type that differs by pass in a kernel's signature.
const BAD: &str = "\
#ifdef __CUDA_ARCH__
typedef double scalar;
#else
typedef int scalar;
#endif
__global__ void store(scalar value, scalar *out) { *out = value; }
int main() { store<<<1, 1>>>(1, nullptr); }
";

/// Only the type.
const TYPE: &str = "#ifdef __CUDA_ARCH__\ntypedef double scalar;\n#else\ntypedef int scalar;\n#endif\n";

const GOOD: &str = "__global__ void store(int value, int *out) { *out = value; }\n";

/// Words that stand for another command than `check`.
const COMMANDS: [&str; 5] = ["explain", "rules", "lsp", "help", "--help"];

fn command(directory: &Path, arguments: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cuda-arch-lint"));
    let mut words: Vec<&str> = arguments.split_whitespace().collect();
    // Nothing may depend on what is installed where the tests run.
    match words.first() {
        Some(&"check" | &"dump" | &"expand" | &"targets") => words.insert(1, "-nostdinc"),
        Some(word) if !COMMANDS.contains(word) => words.insert(0, "-nostdinc"),
        _ => {}
    }
    command.current_dir(directory).args(words);
    for name in [
        "NO_COLOR",
        "CLICOLOR_FORCE",
        "FORCE_COLOR",
        "SCALE_CCMAP",
        "TORCH_CUDA_ARCH_LIST",
        "CUDAARCHS",
        "NVCC_APPEND_FLAGS",
    ] {
        command.env_remove(name);
    }
    command
}

struct Ran {
    code: u8,
    out: String,
    err: String,
}

fn run(files: &[(&str, &str)], arguments: &str) -> Ran {
    let directory = folder(files);
    let Output { status, stdout, stderr } =
        command(directory.path(), arguments).output().expect("the program runs");
    let text = |bytes| String::from_utf8(bytes).expect("output is UTF-8");
    let code = status.code().and_then(|code| u8::try_from(code).ok()).expect("an exit code");
    Ran { code, out: text(stdout), err: text(stderr) }
}

/// Exit code 2, nothing on standard output, and this on standard error.
fn refuses(files: &[(&str, &str)], arguments: &str, expected: &str) {
    let ran = run(files, arguments);
    assert_eq!((ran.code, ran.out.as_str()), (USAGE, ""), "{arguments}");
    assert_eq!(ran.err.trim_end(), expected.trim_end(), "{arguments}");
}

fn last_line(text: &str) -> &str {
    text.lines().last().unwrap_or("")
}

#[test]
fn a_condition_that_a_missing_header_may_decide_is_named() {
    let main = "#include <missing.h>\n#ifdef MISSING_FEATURE\n#endif\n#ifndef GUARD\n#define GUARD\n#endif\n\
                #ifdef __RESERVED\n#endif\n";
    let notes = |files: &[(&str, &str)], arguments: &str| {
        let ran = run(files, arguments);
        assert_eq!(ran.code, CLEAN, "{}", ran.out);
        ran.out.lines().filter(|line| line.starts_with("note:")).map(String::from).collect::<Vec<_>>()
    };
    assert_eq!(
        notes(&[("a.cu", main)], "a.cu --verbose"),
        [
            "note: header <missing.h> not found",
            "note: a condition uses `MISSING_FEATURE`, which none of the headers found defines",
        ]
    );
    assert_eq!(notes(&[("a.cu", main)], "a.cu"), [""; 0]);
    assert_eq!(notes(&[("a.cu", main), ("inc/missing.h", "")], "a.cu -isystem inc --verbose"), [""; 0]);
}

/// A mention in a template that nothing is found to instantiate leads to kernel templates by names alone.
#[test]
fn names_in_code_lead_to_what_that_code_can_mean() {
    const MAIN: &str = "#include <failures.h>
        template <class T> __global__ void kernel(T) {}
        namespace library {
        template <class T, class U> void append(T x, U) { kernel<<<1, 1>>>(x); }
        template <class T> struct buffer { buffer(T x) { append(x, x); } };
        template <class T> void checked(T x) {
        #ifndef __CUDA_ARCH__
            throw failure(\"no device\");
        #endif
            append(x, x);
        }
        }
        void run() { using Result = decltype(library::checked(1)); (void)sizeof(Result *); }";
    const OF_TEMPLATES: &str = "template <class T> struct text { text(const T *x) { append(x, x); } };
        using string = text<char>;
        struct failure { failure(const string &); };";
    const OF_ANOTHER_NAMESPACE: &str = "namespace words { struct buffer { char text[8]; }; }
        struct failure { words::buffer kept; failure(const char *text); };";
    const DEFINED_LATER: &str = "namespace library { template <class T> struct buffer; }
        struct failure { library::buffer<int> *kept; failure(const char *text); };";
    let code = |header: &str, option: &str| {
        let arguments = format!("a.cu --arch 80 {option} inc");
        run(&[("a.cu", MAIN), ("inc/failures.h", header)], &arguments).code
    };
    assert_eq!(code(OF_TEMPLATES, "-I"), FINDINGS);
    assert_eq!(code(OF_TEMPLATES, "-isystem"), CLEAN);
    assert_eq!(code(OF_ANOTHER_NAMESPACE, "-I"), CLEAN);
    assert_eq!(code(DEFINED_LATER, "-I"), FINDINGS);
}

/// Code of a header's library that is no template comes to the kernels of libraries that it names; its templates and what is
/// specialized for others may come to those of a program.
#[test]
fn templates_of_a_library_lead_to_what_other_code_adds_to_it_or_gives_it() {
    let library = "namespace lib { template <class T> struct Traits { static void run(T *) { } };
        template <class T> struct Box { T one; void use() { Traits<T>::run(&one); } };
        template <class T> void apply(T *x) { Traits<T>::run(x); } }";
    let kernels = |added: &str, uses: &str| {
        let main = format!(
            "#include <library.h>
            template <class T> __global__ void own(T *) {{}}
            {added}
            int main() {{ {uses} }}"
        );
        let files = [("a.cu", &*main), ("system/library.h", library)];
        let ran = run(&files, "dump --stage kernels --arch 80 -isystem system a.cu");
        let lines = ran.out.lines().filter(|line| line.starts_with('*'));
        lines.map(|line| line[1..].split_once('\t').unwrap().0.trim().to_string()).collect::<Vec<_>>()
    };
    let run = "template <class T> static void run(T *x) { own<<<1, 1>>>(x); }";
    let own = |ty: &str| [format!("own<{ty}>({ty} *)").replace("* *", "**")];
    let uses = "float x; lib::apply(&x); lib::Box<float>().use();";
    assert_eq!(kernels("", uses), <[String; 0]>::default());
    let outside = format!("template <> struct lib::Traits<float> {{ {run} }};");
    assert_eq!(kernels(&outside, uses), own("float"));
    let inside = format!("namespace lib {{ template <> struct Traits<float> {{ {run} }}; }}");
    assert_eq!(kernels(&inside, uses), own("float"));
    let aliased = format!("namespace quick = lib; template <> struct quick::Traits<float> {{ {run} }};");
    assert_eq!(kernels(&aliased, uses), own("float"));
    let partial = format!("template <class T> struct lib::Traits<T *> {{ {run} }};");
    assert_eq!(kernels(&partial, "float *x; lib::apply(&x);"), own("float *"));
    let alias = format!("using mine = float; template <> struct lib::Traits<mine> {{ {run} }};");
    assert_eq!(kernels(&alias, uses), own("float"));
    // For a type of its own: what has no such type does not come to it.
    let class = format!("struct Mine {{ }}; template <> struct lib::Traits<Mine> {{ {run} }};");
    let not_walked = ["`own`: nothing that was followed instantiates the function around it"];
    assert_eq!(kernels(&class, uses), not_walked);
    assert_eq!(kernels(&class, "Mine x; lib::apply(&x);"), own("Mine"));
    assert_eq!(kernels(&class, "Mine x; lib::Box<Mine>().use();"), own("Mine"));
    // A parameter of that name is none, nor is what a class calls so.
    let parameter =
        format!("struct Mine {{ }}; template <class Mine> struct lib::Traits<Mine *> {{ {run} }};");
    assert_eq!(kernels(&parameter, "float *x; lib::apply(&x);"), own("float *"));
    let member = "struct Mine { }; struct Outer { using Mine = float; };";
    let member = format!("{member} template <> struct lib::Traits<Outer::Mine> {{ {run} }};");
    assert_eq!(kernels(&member, uses), own("float"));
    let nested = format!("namespace lib {{ template <class T> struct Traits<Box<T>> {{ {run} }}; }}");
    let own_box = ["own<lib::Box<float>>(lib::Box<float> *)"];
    assert_eq!(kernels(&nested, "lib::Box<float> x; lib::apply(&x);"), own_box);
}

#[test]
fn code_of_a_library_leads_to_the_kernels_of_libraries_that_it_names() {
    let kernels = |library: &str| {
        let main = "#include <library.h>
            template <class T> __global__ void own(T *) {}
            struct Mine { void run() const { own<<<1, 1>>>((short *)0); } };
            int main() { std::call(Mine()); }";
        let files = [("a.cu", main), ("system/library.h", library)];
        let ran = run(&files, "dump --stage kernels --arch 80 -isystem system a.cu");
        let lines = ran.out.lines().filter(|line| line.starts_with('*'));
        lines.map(|line| line[1..].split_once('\t').unwrap().0.trim().to_string()).collect::<Vec<_>>()
    };
    let call = "namespace std { template <class T> void call(T one) { one.run(); } }";
    assert_eq!(kernels(call), ["own<short>(short *)"]);
    let with_kernel = "namespace std { template <class T> __global__ void library(T *) {}
        inline void use() { library<<<1, 1>>>((int *)0); } }";
    assert_eq!(
        kernels(&format!("{call} {with_kernel}")),
        ["own<short>(short *)", "std::library<int>(int *)"]
    );
    let of_another = "template <class T> __global__ void other(T *) {}
        namespace std { template <class T> struct hash { };
        template <> struct hash<long> { void run() { other<<<1, 1>>>((long *)0); } }; }";
    assert_eq!(kernels(&format!("{call} {of_another}")), ["other<long>(long *)", "own<short>(short *)"]);
    let fast = "namespace fast { template <class T> __global__ void filled(T *) {}
        template <class T> void fill(T *out) { filled<<<1, 1>>>(out); }
        struct Own { }; }";
    let with = |text: &str| kernels(&format!("{call} {fast} {text}"));
    let found = |one: &str| [format!("fast::filled<{one}>({one} *)"), "own<short>(short *)".to_string()];
    assert_eq!(with("namespace std { void use(int *x) { fast::fill(x); } }"), found("int"));
    assert_eq!(with("namespace std { void use(fast::Own *x) { fill(x); } }"), found("fast::Own"));
    let another =
        "namespace mid { using Box = fast::Own; } namespace std { void use(mid::Box *x) { fill(x); } }";
    assert_eq!(with(another), found("fast::Own"));
    let alias = "namespace quick = fast; namespace std { void use(int *x) { quick::fill(x); } }";
    assert_eq!(with(alias), found("int"));
    let specialization = "namespace std { template <class T> struct hash { void run(T *x) { fill(x); } };
        template <> struct hash<fast::Own *> { void run(fast::Own *x) { fill(x); } }; }";
    assert_eq!(with(specialization), found("fast::Own"));
    let instantiation = "namespace std { template <class T> struct hash { void run(T *x) { fill(x); } };
        template struct hash<fast::Own>; }";
    assert_eq!(with(instantiation), found("fast::Own"));
    let constrained = "namespace fast { template <class T> using Always = void; }
        namespace std { template <class T, class = void> struct hash { void run(T *) { } };
        template <class T> struct hash<T, fast::Always<T>> { void run(T *x) { fast::fill(x); } };
        void use(int *x) { hash<int>().run(x); } }";
    assert_eq!(with(constrained), found("int"));
    let nothing = "namespace std { template <class T> void fill(T *) { } void use(int *x) { fill(x); } }";
    assert_eq!(with(nothing), ["own<short>(short *)"]);
}

/// A library's kernels are instantiated by the calls of its functions: a guard round such a call is the project's, one
/// within the library is not.
#[test]
fn guards_round_calls_of_a_library_are_told_where_the_call_is() {
    const LIBRARY: &str = "template <class T> __global__ void sweep(T *) {}
        template <class T> __global__ void scan(T *) {}
        namespace library {
        template <class T> void sort(T *data) {
            sweep<<<1, 1>>>(data);
            scan<<<1, 1>>>(data);
        }
        template <class T> void reduce(T *data) {
        #if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
            sweep<<<1, 1>>>(data);
        #endif
        }
        }";
    let told = |main: &str| {
        let main = format!("#include <library.h>\n{main}");
        let files = [("a.cu", main.as_str()), ("system/library.h", LIBRARY)];
        let ran = run(&files, "a.cu --arch 80,90 -isystem system --format concise");
        let findings = ran.out.lines().filter(|line| line.contains("arch-dependent-instantiation"));
        (ran.code, findings.map(String::from).collect::<Vec<_>>())
    };
    const GUARDED: &str = "void run(int *data) {
        #ifndef __CUDA_ARCH__
            library::sort(data);
        #endif
        }";
    let (code, lines) = told(GUARDED);
    assert_eq!((code, lines.len()), (FINDINGS, 1), "{lines:?}");
    assert!(lines[0].starts_with("a.cu:4:22: arch-dependent-instantiation: "), "{lines:?}");
    assert!(lines[0].contains("`sweep` (and 1 more) of a library are instantiated"), "{lines:?}");
    // In a template of the project, that another place instantiates.
    const IN_A_TEMPLATE: &str = "template <class T> void run(T *data) {
        #if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
            library::sort(data);
        #endif
        }
        void all(int *data) { run(data); }";
    let (code, lines) = told(IN_A_TEMPLATE);
    assert_eq!((code, lines.len()), (FINDINGS, 1), "{lines:?}");
    assert!(lines[0].starts_with("a.cu:4:22: arch-dependent-instantiation: "), "{lines:?}");
    // What the library is given differs.
    const GIVEN: &str = "#ifdef __CUDA_ARCH__
        using real = float;
        #else
        using real = double;
        #endif
        void run(void *data) { library::sort((real *)data); }";
    let (code, lines) = told(GIVEN);
    assert_eq!((code, lines.len()), (FINDINGS, 1), "{lines:?}");
    assert!(lines[0].starts_with("a.cu:7:41: arch-dependent-instantiation: "), "{lines:?}");
    assert!(lines[0].contains("`sweep<double>` (and 1 more)"), "{lines:?}");
    // A guard of the library's own round its mention does not hide the project's.
    let (code, lines) = told(&GUARDED.replace("sort", "reduce"));
    assert_eq!((code, lines.len()), (FINDINGS, 1), "{lines:?}");
    assert_eq!(told("void run(int *data) { library::sort(data); library::reduce(data); }").0, CLEAN);
    assert_eq!(told("void run(int *data) { library::reduce(data); }").0, CLEAN);
    let (code, _) = told(&format!("{GUARDED} void other(int *data) {{ library::sort(data); }}"));
    assert_eq!(code, CLEAN);
}

/// A kernel that is there for the host alone proves that the condition is true.
fn holds(condition: &str, arguments: &str) {
    let text = format!("#if {condition}\n#ifndef __CUDA_ARCH__\n__global__ void k() {{}}\n#endif\n#endif\n");
    let ran = run(&[("a.cu", &text)], &format!("a.cu --arch 80,90 {arguments}"));
    assert_eq!(ran.code, FINDINGS, "{condition} with {arguments}\n{}{}", ran.out, ran.err);
}

#[test]
fn options_choose_what_is_predefined() {
    holds("__cplusplus == 201703L && !defined __STRICT_ANSI__", "");
    holds("__cplusplus == 202002L && defined __STRICT_ANSI__", "-std=c++20");
    holds("CUDART_VERSION == 12040 && __CUDACC_VER_BUILD__ == 131", "--cuda-version 12.4");
    holds("CUDART_VERSION == 13000 && __CUDACC__ && __NVCC__", "");
    holds("defined _OPENMP && defined __OPTIMIZE__", "--extra-arg=-fopenmp --extra-arg=-O3");
    holds("defined __CUDACC_EXTENDED_LAMBDA__", "--extra-arg=--extended-lambda");
    holds("defined _MSC_VER && !defined __GNUC__", "--extra-arg=-ccbin --extra-arg=cl.exe");
    holds("__GNUC__ == 11", "--extra-arg=-ccbin=g++-11");
    holds("defined __clang__", "--extra-arg=-ccbin=clang++");
    holds("defined __aarch64__", "--extra-arg=--target=aarch64-linux-gnu");
    holds("__GNUC__ >= 5", "--compiler g++");
    holds("__cplusplus == 201402L", "--compiler g++ --std c++14");
}

#[test]
fn what_chooses_compilers_must_make_sense() {
    let refused = |arguments: &str, expected: &str| {
        let ran = run(&[("a.cu", GOOD)], arguments);
        assert_eq!((ran.code, ran.out.as_str()), (USAGE, ""), "{arguments}");
        assert!(ran.err.contains(expected) && ran.err.contains("help: "), "{arguments}: {}", ran.err);
    };
    refused("a.cu --std c++18", "unknown language standard `c++18`");
    refused("a.cu --cuda-version 12.7", "unknown CUDA toolkit `12.7`");
    refused("a.cu --cuda-path .", "no CUDA toolkit in `.`");
    refused("a.cu --compiler no-such-compiler", "failed to run `no-such-compiler`");
}

#[test]
fn a_toolkit_s_headers_are_read_and_not_reported() {
    let kernel = "#ifndef __CUDA_ARCH__\n__global__ void of_the_toolkit() {}\n#endif\n";
    let runtime = format!("#define FROM_TOOLKIT\n{kernel}");
    let files = [
        ("cuda/include/cuda_runtime.h", runtime.as_str()),
        ("cuda/include/cuda.h", "#define CUDA_VERSION 12060\n"),
        ("a.cu", "#if defined FROM_TOOLKIT && __CUDACC_VER_MINOR__ == 6\n#error found\n#endif\n"),
    ];
    let ran = run(&files, "a.cu --arch 80 --cuda-path cuda");
    assert_eq!(ran.code, INCOMPLETE, "{}", ran.out);
    assert!(ran.out.contains("#error") && !ran.out.contains("of_the_toolkit"), "{}", ran.out);
    assert!(ran.out.contains("in 1 file, 1 unit"), "{}", ran.out);
}

#[test]
fn clean_code_is_said_to_be_clean_in_one_line() {
    for arguments in ["check a.cu --arch 80,90", "a.cu --arch 80 --arch 90", "--arch 80,sm_90 ."] {
        let ran = run(&[("a.cu", GOOD)], arguments);
        assert_eq!(
            ran.out, "no findings in 1 file, 1 unit; targets sm_80, sm_90 from --arch\n",
            "{arguments}"
        );
        assert_eq!((ran.code, ran.err.as_str()), (CLEAN, ""), "{arguments}");
    }
}

#[test]
fn without_targets_every_architecture_is_taken() {
    let ran = run(&[("a.cu", GOOD)], "a.cu");
    let told = "help: the targets of the build are not known: `--arch 80,90` names them, or `-p DIR` with a compile_commands.json\n\
                no findings in 1 file, 1 unit; 12 targets sm_75 … sm_121 from the default\n";
    assert_eq!(ran.out, told);
}

#[test]
fn a_run_without_headers_is_told_how_to_find_them() {
    let ran = run(&[("a.cu", &format!("#include \"nowhere.h\"\n{GOOD}"))], "a.cu --arch 80");
    let told = "help: 1 header was not found: `--verbose` lists them, `-I DIR` says where they are\n\
                no findings in 1 file, 1 unit; target sm_80 from --arch; 1 header not found\n";
    assert_eq!(ran.out, told);
    let ran = run(&[("a.cu", &format!("#include \"nowhere.h\"\n{GOOD}"))], "a.cu --arch 80 --verbose");
    assert!(!ran.out.contains("help: "), "{}", ran.out);
}

#[test]
fn a_source_that_asks_for_a_macro_says_where_macros_come_from() {
    let ran = run(&[("a.cu", "#ifndef HALF\n#error \"define HALF\"\n#endif\n")], "a.cu --arch 80");
    assert_eq!(ran.code, 3, "{}", ran.out);
    assert!(ran.out.contains("(define `HALF` with `-D`, or take"), "{}", ran.out);
    let systems =
        "#ifdef SYSTEM_A\n#elif defined(SYSTEM_B) || SYSTEM_C\n#else\n#error \"unsupported\"\n#endif\n";
    let guarded = format!("#ifndef A_H\n#define A_H\n{systems}#endif\n");
    let ran = run(&[("a.h", &guarded), ("a.cu", "#include \"a.h\"\n")], "a.cu --arch 80");
    assert!(
        ran.out.contains("(define `SYSTEM_A`, `SYSTEM_B` or `SYSTEM_C` with `-D`, or take"),
        "{}",
        ran.out
    );
    let standard =
        "(defined(_MSVC_LANG) && _MSVC_LANG < 202002L) || (!defined(_MSVC_LANG) && __cplusplus < 202002L)";
    let later = format!("#if {standard}\n#error \"C++20 is needed\"\n#endif\n");
    let ran = run(&[("a.cu", &later)], "a.cu --arch 80");
    assert!(ran.out.contains("(choose a later language standard with `--std`, or take"), "{}", ran.out);
    assert_eq!(run(&[("a.cu", &later)], "a.cu --arch 80 --std c++20").code, 0);
    let either = "#if __cplusplus < 202002L && !defined(OLD)\n#error \"C++20, or OLD\"\n#endif\n";
    let ran = run(&[("a.cu", either)], "a.cu --arch 80");
    assert!(
        ran.out.contains("(choose a later language standard with `--std`, define `OLD` with `-D`, or take"),
        "{}",
        ran.out
    );
    let compilers =
        "#if defined(_MSC_VER) && !defined(__clang__)\n#error \"1\"\n#else\n#error \"2\"\n#endif\n";
    let around = format!("#if __cplusplus < 202002L\n{compilers}#endif\n");
    let ran = run(&[("a.cu", &around)], "a.cu --arch 80");
    assert!(ran.out.contains("(choose a later language standard with `--std`, or take"), "{}", ran.out);
    let feature = "#ifndef _OUR_SOURCE\n#error \"_OUR_SOURCE is needed\"\n#endif\n";
    let ran = run(&[("a.cu", feature)], "a.cu --arch 80");
    assert!(ran.out.contains("(define `_OUR_SOURCE` with `-D`, or take"), "{}", ran.out);
    // What every pass meets stops none: the build defines something else.
    let ran = run(&[("a.cu", &format!("{feature}{BAD}"))], "a.cu --arch 80");
    assert!(ran.out.contains("arch-dependent-signature"), "{}", ran.out);
    assert!(ran.out.contains("every pass meets an `#error` (define `_OUR_SOURCE` with `-D`"), "{}", ran.out);
    assert_eq!(ran.code, INCOMPLETE, "{}", ran.out);
    // Nothing that could be defined leads elsewhere.
    let ran = run(&[("a.cu", "#ifndef A_H\n#define A_H\n#error \"never\"\n#endif\n")], "a.cu --arch 80");
    assert!(ran.out.contains("(define what it asks for with `-D`, or take"), "{}", ran.out);
}

#[test]
fn findings_are_shown_and_counted() {
    let ran = run(&[("src/a.cu", BAD)], "src --arch 80,90");
    assert_eq!(ran.code, FINDINGS, "{}", ran.out);
    assert!(ran.out.contains("error[arch-dependent-signature]: "), "{}", ran.out);
    assert!(ran.out.contains("src/a.cu:6:"), "{}", ran.out);
    assert!(ran.out.contains("#ifdef __CUDA_ARCH__"), "{}", ran.out);
    let last = "1 finding (1 error) in 1 file, 1 unit; targets sm_80, sm_90 from --arch; 1 fixable with `--fix \
                --suggested`";
    assert_eq!(last_line(&ran.out), last);
}

/// Silence about text that was not read as its author meant it is no claim.
#[test]
fn text_that_was_not_read_makes_a_run_incomplete() {
    let kernel = "__global__ void k(int *out) {}\n";
    let cases = [
        (format!("int a; /* note\n{kernel}"), "a.cu:1:8: error: unterminated comment"),
        (
            format!("const char *s = \"a;\n{kernel}"),
            "a.cu:1:17: error: a quote that is not closed on its line",
        ),
        (format!("const char *s = R\"x(a;\n{kernel}"), "a.cu:1:18: error: unterminated raw string literal"),
        (format!("#if 1\n{kernel}"), "a.cu:1:1: error: unterminated conditional"),
        (format!("#define M(a) a\nM(1\n{kernel}"), "a.cu:2:1: error: unterminated argument list"),
    ];
    for (text, expected) in cases {
        let ran = run(&[("a.cu", &text)], "a.cu --arch 80 --format concise");
        assert_eq!(ran.code, INCOMPLETE, "{text}\n{}{}", ran.out, ran.err);
        assert!(ran.out.contains(expected), "{}{}", ran.out, ran.err);
    }
    // A pass that skips a group does not mind what is in it.
    let ran = run(&[("a.cu", &format!("#if 0\nisn't\n#endif\n{kernel}"))], "a.cu --arch 80");
    assert_eq!(ran.code, CLEAN, "{}{}", ran.out, ran.err);
    let header = "#ifndef CONFIGURED\n#error \"include config.h first\"\n#endif\n__global__ void k(int *);\n";
    let ran = run(&[("a.cu", kernel), ("b.cuh", header)], ". --arch 80");
    assert_eq!(ran.code, INCOMPLETE, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("no source that was analysed includes this header"), "{}", ran.out);
}

#[test]
fn macros_that_nobody_can_define_are_refused() {
    let cases = [
        ("-D 1x=2", "`1x` is no macro name"),
        ("-D =2", "`` is no macro name"),
        ("-U a-b", "`a-b` is no macro name"),
        ("-D __CUDA_ARCH__=800", "the compiler defines `__CUDA_ARCH__`"),
        ("-U __CUDA_ARCH__", "the compiler defines `__CUDA_ARCH__`"),
    ];
    for (option, expected) in cases {
        let ran = run(&[("a.cu", GOOD)], &format!("a.cu --arch 80 {option}"));
        assert_eq!(ran.code, USAGE, "{option}: {}", ran.out);
        assert!(ran.err.contains(expected), "{option}: {}", ran.err);
        let key = if option.starts_with("-D") { "define" } else { "undefine" };
        let config = format!("{key} = ['{}']\n", option.split_at(3).1);
        let ran = run(&[("a.cu", GOOD), ("cuda-arch-lint.toml", &config)], "a.cu --arch 80");
        assert_eq!(ran.code, USAGE, "{config}: {}", ran.out);
        assert!(
            ran.err.contains(expected) && ran.err.contains("cuda-arch-lint.toml"),
            "{config}: {}",
            ran.err
        );
    }
    let ran = run(&[("a.cu", GOOD)], "a.cu --arch 80 -D A -D F(x)=x -D _b=");
    assert_eq!(ran.code, CLEAN, "{}", ran.err);
}

#[test]
fn a_bad_entry_of_a_database_costs_that_entry() {
    let database = r#"[{"directory": ".", "file": "bad.cu", "arguments": 5},
        {"directory": ".", "file": "a.cu", "command": "nvcc -arch=sm_80 -c a.cu"}]"#;
    let ran = run(&[("a.cu", BAD), ("compile_commands.json", database)], "a.cu -p .");
    assert_eq!(ran.code, INCOMPLETE, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("`store` takes"), "{}", ran.out);
    assert!(ran.out.contains("the entry at line 1 is left out: invalid type"), "{}", ran.out);
}

#[test]
fn a_report_replaces_no_source() {
    let directory = folder(&[("a.cu", GOOD), ("b.cu", GOOD)]);
    let ran =
        command(directory.path(), "a.cu --arch 80 --output sarif:b.cu").output().expect("the program runs");
    assert_eq!(ran.status.code(), Some(i32::from(USAGE)));
    let said = String::from_utf8_lossy(&ran.stderr);
    assert!(said.contains("`b.cu` is a source file"), "{said}");
    assert_eq!(fs::read_to_string(directory.path().join("b.cu")).expect("it is there"), GOOD);
}

/// Where there is a GPU, `tests/targets` has what `native` means.
#[test]
fn native_without_a_gpu_is_refused() {
    if driver().is_some_and(|driver| !driver.devices.is_empty()) {
        return;
    }
    let ran = run(&[("a.cu", GOOD)], "a.cu --arch native");
    assert_eq!(ran.code, USAGE, "{}", ran.out);
    assert!(ran.err.contains("the driver reports none") && ran.err.contains("--arch 80,90"), "{}", ran.err);
}

#[cfg(unix)]
#[test]
fn files_without_end_are_refused() {
    for option in ["--baseline /dev/zero", "--config /dev/zero", "-p /dev/zero"] {
        let ran = run(&[("a.cu", GOOD)], &format!("a.cu --arch 80 {option}"));
        assert_eq!(ran.code, USAGE, "{option}: {}", ran.err);
        assert!(ran.err.contains("it is larger than 64 MiB"), "{option}: {}", ran.err);
    }
}

#[test]
fn json_has_its_documented_shape() {
    let ran = run(&[("src/a.cu", BAD)], "src --arch 80,90 --format json");
    assert_eq!(ran.code, FINDINGS, "{}", ran.out);
    let document: serde_json::Value = serde_json::from_str(&ran.out).expect("valid JSON");
    assert_eq!(document["version"], 1);
    assert_eq!(document["targets"][0]["names"], serde_json::json!(["sm_80", "sm_90"]));
    let finding = &document["findings"][0];
    assert_eq!(finding["rule"], "arch-dependent-signature");
    assert_eq!(finding["entity"], "store");
    assert_eq!((&finding["path"], &finding["start"]["line"]), (&"src/a.cu".into(), &6.into()));
    assert_eq!(finding["sides"][0]["passes"], serde_json::json!(["host"]));
    assert_eq!(finding["sides"][1]["passes"], serde_json::json!(["sm_80", "sm_90"]));
    assert_eq!(finding["deciding"]["text"], "#ifdef __CUDA_ARCH__");
    assert_eq!(finding["deciding"]["start"]["line"], 1);
}

#[test]
fn json_of_clean_code_has_no_findings() {
    let ran = run(&[("a.cu", GOOD)], "a.cu --arch 80 --format json");
    assert_eq!(ran.code, CLEAN);
    let document: serde_json::Value = serde_json::from_str(&ran.out).expect("valid JSON");
    assert_eq!(document["findings"], serde_json::json!([]));
    assert_eq!(document["summary"]["units"], 1);
}

#[test]
fn a_database_gives_targets_and_says_so() {
    let database = r#"[{"directory": "..", "file": "a.cu", "command": "nvcc -arch=sm_90 -c a.cu"}]"#;
    let ran = run(&[("a.cu", GOOD), ("build/compile_commands.json", database)], ".");
    let last = "no findings in 1 file, 1 unit; target sm_90 from build/compile_commands.json\n";
    assert_eq!((ran.code, ran.out.as_str()), (CLEAN, last));
}

#[test]
fn what_could_not_be_analysed_wins_over_clean() {
    let database = r#"[{"directory": ".", "file": "a.cu", "command": "nvcc -arch=sm_999 a.cu"}]"#;
    let ran = run(&[("a.cu", GOOD), ("compile_commands.json", database)], ".");
    assert_eq!(ran.code, INCOMPLETE, "{}", ran.out);
    assert!(ran.out.contains("unknown architecture `sm_999` in the command for `a.cu`"), "{}", ran.out);
    assert!(last_line(&ran.out).ends_with("; analysis incomplete"), "{}", ran.out);
}

#[test]
fn a_file_that_is_no_text_is_not_called_clean() {
    let directory = folder(&[]);
    let utf_16: Vec<u8> = BAD.encode_utf16().flat_map(u16::to_le_bytes).collect();
    fs::write(directory.path().join("a.cu"), [&[0xff, 0xfe], utf_16.as_slice()].concat())
        .expect("a new file");
    let output = command(directory.path(), "a.cu --format concise").output().expect("the program runs");
    let out = String::from_utf8(output.stdout).expect("UTF-8");
    assert_eq!(output.status.code(), Some(i32::from(INCOMPLETE)), "{out}");
    assert!(out.contains("a.cu: error: it is UTF-16 or not a text file"), "{out}");
    // A zero in a comment is no reason.
    assert_eq!(run(&[("a.cu", "/* \0 */ int a;\n")], "a.cu").code, CLEAN);
}

#[test]
fn wrong_input_is_refused_with_help() {
    let source = [("a.cu", GOOD), ("docs/a.txt", "text")];
    refuses(
        &source,
        "nowhere.cu",
        "error: no such file or directory: `nowhere.cu`\n\
         help: pass a source file, or a directory that contains source files",
    );
    refuses(
        &source,
        "docs",
        "error: no CUDA source found under `docs`\n\
         help: looked for files that end in .cu, and for headers (.cuh, .cu.h, .h, .hpp, .hxx, .hh, .inl, .inc) \
         that mention `__global__` or `__CUDA_ARCH__`; to analyse a file with another name, pass its path",
    );
    refuses(
        &source,
        "a.cu --arch 80a",
        "error: unknown architecture `80a`\nhelp: the nearest is `80`; `cuda-arch-lint targets --list` lists all",
    );
    refuses(
        &source,
        "a.cu -p docs",
        "error: failed to read `docs/compile_commands.json`: No such file or directory (os error 2)\n\
         help: pass `-p` with a compile_commands.json, or with the directory that contains one",
    );
    refuses(
        &source,
        "expand a.cu --arch 80,90a --pass 90",
        "error: the file has no pass `90`\nhelp: its passes are host, sm_80, sm_90a; `--arch` chooses others",
    );
    refuses(
        &source,
        "dump --stage tokens a.cu --arch 80 --pass sm_90",
        "error: the file has no pass `sm_90`\nhelp: its passes are host, sm_80; `--arch` chooses others",
    );
}

#[test]
fn a_wrong_command_line_is_refused() {
    for arguments in ["", "check", "--no-such-option a.cu", "a.cu --format yaml", "dump a.cu"] {
        let ran = run(&[("a.cu", GOOD)], arguments);
        assert_eq!((ran.code, ran.out.as_str()), (USAGE, ""), "{arguments}");
        assert!(!ran.err.is_empty());
    }
}

#[test]
fn a_format_with_a_file_belongs_to_output() {
    let refused = |format: &str| {
        let ran = run(&[("a.cu", GOOD)], &format!("a.cu --format {format}"));
        assert_eq!((ran.code, ran.out.as_str()), (USAGE, ""), "{format}");
        ran.err
    };
    let told = refused("sarif:a.sarif");
    assert!(told.contains("a report is written to a file by '--output sarif:a.sarif'"), "{told}");
    for other in ["yaml:a.yaml", "sarif:", "sarf"] {
        assert!(!refused(other).contains("--output"), "{other}");
    }
}

#[test]
fn help_tells_the_exit_codes() {
    let ran = run(&[], "--help");
    assert_eq!(ran.code, CLEAN);
    for (code, meaning) in TABLE {
        let start = meaning.split(' ').next().expect("a meaning has words");
        assert!(ran.out.contains(&format!("  {code}  {start}")), "{}", ran.out);
    }
}

#[test]
fn a_misspelt_rule_is_suggested() {
    refuses(
        &[],
        "explain arch-dependant-signatur",
        "error: unknown rule `arch-dependant-signatur`\n\
         help: did you mean `arch-dependent-signature`? `cuda-arch-lint rules` lists all",
    );
    refuses(&[], "explain xyz", "error: unknown rule `xyz`\nhelp: `cuda-arch-lint rules` lists the rules");
}

#[test]
fn rules_are_listed_and_explained() {
    let rules = run(&[], "rules");
    let cards = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("rules")).unwrap();
    let cards = cards.filter(|card| card.as_ref().unwrap().path().extension() == Some("md".as_ref()));
    let built_in = rules.out.lines().filter(|line| line.starts_with("CAL"));
    assert_eq!((rules.code, built_in.count()), (CLEAN, cards.count()));
    let explained = run(&[], "explain arch-dependent-signature");
    assert_eq!(explained.code, CLEAN);
    assert!(explained.out.starts_with("# ") && explained.out.contains("\n## How to fix\n"));
}

#[test]
fn a_pass_is_printed_as_a_compiler_would() {
    let files = [("a.cu", "#include \"b.h\"\n__global__ void k(T);\n"), ("b.h", TYPE)];
    let ran = run(&files, "expand a.cu --arch 80,90 --pass sm_90 -I.");
    assert_eq!((ran.code, ran.err.as_str()), (CLEAN, ""));
    let expected = "# 1 \"b.h\" 1\n\ntypedef double scalar;\n# 2 \"a.cu\" 2\n__global__ void k(T);\n";
    assert!(ran.out.ends_with(expected), "{}", ran.out);
    let ran = run(&files, "expand a.cu --arch 80,90 --pass host -P -DT=scalar");
    assert_eq!(ran.code, CLEAN);
    assert!(ran.out.ends_with("}\ntypedef int scalar;\n__global__ void k(scalar);\n"), "{}", ran.out);
}

#[test]
fn what_a_pass_could_not_read_is_said_beside_it() {
    let text = "#include <none.h>\n#ifdef __CUDA_ARCH__\n#error no device\n#endif\nint a;\n";
    let ran = run(&[("a.cu", text)], "expand a.cu --arch 80 --pass host -P");
    assert_eq!(ran.code, CLEAN);
    assert!(ran.out.ends_with("}\nint a;\n"), "{}", ran.out);
    assert_eq!(ran.err, "headers not found: <none.h>\n");
    let ran = run(&[("a.cu", text)], "expand a.cu --arch 80 --pass sm_80 -P");
    assert_eq!(ran.code, INCOMPLETE);
    assert!(ran.out.ends_with("}\n"), "{}", ran.out);
    assert_eq!(ran.err, "a.cu:3: #error no device\nheaders not found: <none.h>\n");
}

#[test]
fn every_stage_can_be_printed() {
    for (stage, expected) in [
        ("tokens", "sm_80  double"),
        ("conditions", "#ifdef __CUDA_ARCH__"),
        ("declarations", "varying names: "),
        ("facts", "store"),
    ] {
        let ran = run(&[("a.cu", BAD)], &format!("dump --stage {stage} a.cu --arch 80"));
        assert_eq!(ran.code, CLEAN, "{stage}: {}", ran.err);
        assert!(ran.out.contains(expected), "{stage}:\n{}", ran.out);
    }
    let ran = run(&[("a.cu", BAD)], "dump --stage tokens a.cu --arch 80 --pass host");
    assert!(!ran.out.contains("sm_80"), "{}", ran.out);
}

#[test]
fn colour_follows_the_option() {
    let escapes = |arguments: &str| run(&[("a.cu", BAD)], arguments).out.contains("\u{1b}[");
    assert!(escapes("a.cu --color always"));
    assert!(!escapes("a.cu --color never") && !escapes("a.cu"), "a pipe is not a terminal");
    let with = |variables: &[(&str, &str)]| {
        let directory = folder(&[("a.cu", BAD)]);
        let output = command(directory.path(), "a.cu").envs(variables.iter().copied()).output();
        String::from_utf8(output.expect("the program runs").stdout).expect("UTF-8").contains("\u{1b}[")
    };
    assert!(with(&[("FORCE_COLOR", "1")]) && with(&[("CLICOLOR_FORCE", "1")]));
    assert!(!with(&[("FORCE_COLOR", "0")]) && !with(&[("FORCE_COLOR", "1"), ("NO_COLOR", "1")]));
}

#[test]
fn a_misspelt_command_is_suggested() {
    refuses(
        &[],
        "explan CAL001",
        "error: no such file or directory: `explan`\nhelp: did you mean the command `explain`?",
    );
}

#[cfg(unix)]
#[test]
fn a_finding_stays_on_its_line_whatever_its_file_is_called() {
    let ran = run(&[("a\nb\u{1b}.cu", BAD), ("c\\d.cu", BAD)], ". --format concise --quiet");
    let starts: Vec<&str> = ran.out.lines().filter_map(|line| line.split(".cu:").next()).collect();
    assert_eq!(starts, ["a?b?", "c\\d"]);
    let text = run(&[("a\nb\u{1b}.cu", BAD)], ". --quiet").out;
    assert!(text.contains("─ a?b?.cu:"), "{text}");
}

#[test]
fn headers_alone_are_units() {
    let files = [("include/a.cuh", GOOD), ("include/b.h", "int b;")];
    let ran = run(&files, "include --arch 80");
    assert_eq!(
        (ran.code, ran.out.as_str()),
        (CLEAN, "no findings in 1 file, 1 unit; target sm_80 from --arch\n")
    );
}

/// A stand-in for a compiler: it prints its arguments and exits with a code of its own.
#[cfg(unix)]
fn launched(files: &[(&str, &str)], options: &str, command: &str) -> Ran {
    use std::os::unix::fs::PermissionsExt;
    let directory = folder(files);
    let compiler = directory.path().join("nvcc");
    fs::write(&compiler, "#!/bin/sh\necho \"$@\"\nexit ${CODE:-0}\n").expect("a new file");
    fs::set_permissions(&compiler, fs::Permissions::from_mode(0o755)).expect("its permissions");
    let Output { status, stdout, stderr } = Command::new(env!("CARGO_BIN_EXE_cuda-arch-lint"))
        .arg("launcher")
        .arg("-nostdinc")
        .args(options.split_whitespace())
        .arg("--")
        .arg(&compiler)
        .args(command.split_whitespace())
        .env("CODE", if command.contains("-DFAILS") { "7" } else { "0" })
        .current_dir(directory.path())
        .output()
        .expect("the program runs");
    let text = |bytes| String::from_utf8(bytes).expect("output is UTF-8");
    let code = status.code().and_then(|code| u8::try_from(code).ok()).expect("an exit code");
    Ran { code, out: text(stdout), err: text(stderr) }
}

#[cfg(unix)]
#[test]
fn a_launched_compiler_keeps_its_output_and_its_exit_code() {
    let files = [("a.cu", BAD), ("b.cu", GOOD), ("cuda-arch-lint.toml", "arch = ['75']\n")];
    let command = "-x cu -gencode arch=compute_80,code=sm_80 -isystem x -c a.cu -o a.o";
    let ran = launched(&files, "", command);
    assert_eq!((ran.code, ran.out.trim_end()), (0, command));
    assert!(ran.err.contains("on sm_80"), "the command's targets count: {}", ran.err);
    assert_eq!(launched(&files, "", &format!("{command} -DFAILS")).code, 7);
    assert_eq!(launched(&files, "--fail", &format!("{command} -DFAILS")).code, 7);
    assert_eq!(launched(&files, "--fail", command).code, FINDINGS);
    let good = launched(&files, "--fail", "-arch=sm_80 -c b.cu");
    assert_eq!((good.code, good.err.as_str()), (CLEAN, ""), "nothing is said where nothing is found");
    let none = launched(&files, "--fail", "a.o b.o -o program");
    assert_eq!((none.code, none.err.as_str()), (CLEAN, ""), "linking compiles no source");
    let wrong = launched(&files, "--rule nothing=off", command);
    assert_eq!(
        (wrong.code, wrong.out.trim_end()),
        (0, command),
        "a build goes on though the lint can't: {}",
        wrong.err
    );
}
