//! Rules of a project's own: checked, shown, suppressed and kept as the built-in ones are; what is wrong with one is told with its
//! place, and no query takes long.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use cuda_arch_lint::config::contributed;
use serde_json::Value;

use crate::folders::repository;

/// A rule with a query and what must agree; more keys may follow.
fn rule(query: &str, agree: &str) -> String {
    format!(
        "[[custom-rules]]\nid = 'stride-by-pass'\nlevel = 'warning'\nmessage = 'the stride of `{{name}}` is {{sides}}'\n\
         help = 'Give all passes one stride.'\nagree = '{agree}'\nquery = '''\n{query}\n'''\n"
    )
}

/// The value of a constant.
const CONSTANT: &str =
    "(declaration declarator: (init_declarator declarator: (identifier) @name value: (_) @value))";

const SOURCE: &str = "\
#ifdef __CUDA_ARCH__
constexpr int stride = 8;
#else
constexpr int stride = 4;
#endif
namespace pack {
constexpr int bytes = stride * 4;
}
__global__ void run(float *x) { x[threadIdx.x] *= stride; }
";

/// The exit code, standard output and standard error of the program in a directory.
fn run(directory: &Path, arguments: &str) -> (Option<i32>, String, String) {
    let Output { status, stdout, stderr } = Command::new(env!("CARGO_BIN_EXE_cuda-arch-lint"))
        .args(arguments.split_whitespace())
        .current_dir(directory)
        .output()
        .expect("the program runs");
    let text = |bytes| String::from_utf8(bytes).expect("output is UTF-8");
    (status.code(), text(stdout), text(stderr))
}

/// The lines of findings about a source with a rule.
fn findings(rule: &str, source: &str, flags: &str) -> Vec<String> {
    let directory = repository(&[("cuda-arch-lint.toml", rule), ("a.cu", source)]);
    let flags = format!("a.cu --arch 80,90 -nostdinc --format concise -q {flags}");
    let (code, out, err) = run(directory.path(), &flags);
    assert!(code == Some(0) || code == Some(1), "{out}{err}");
    let own = out.lines().filter(|line| line.contains("stride-by-pass"));
    own.map(String::from).collect()
}

#[test]
fn what_must_agree_is_compared_between_passes() {
    let check = |query: &str, agree: &str, source: &str, expected: &[&str]| {
        let found = findings(&rule(query, agree), source, "");
        assert_eq!(found.len(), expected.len(), "{query} {agree}: {found:#?}");
        for (line, expected) in found.iter().zip(expected) {
            assert!(line.contains(expected), "{query} {agree}: {line}");
        }
    };
    check(
        CONSTANT,
        "value",
        SOURCE,
        &["`stride` is `4` on the host", "`pack::bytes` is `stride * 4 = 16` on the host"],
    );
    // The text of the second is the same in all passes.
    check(CONSTANT, "@value", SOURCE, &["`stride` is `4` on the host and `8` on every target"]);
    let alias = "using wide = double;\n#ifdef __CUDA_ARCH__\nusing scalar = wide;\n#else\nusing scalar = float;\n#endif\n";
    let member = "(field_declaration type: (_) @type declarator: (field_identifier) @name)";
    let class = format!("{alias}struct S {{ scalar x; wide y; }};\n");
    check(member, "type", &class, &["`S::x` is `scalar` on the host and `scalar` on"]);
    check(member, "@type", &class, &[]);
    // Declared twice, and all passes have it.
    let twice = "extern \"C\" int f(int);\n#ifdef __CUDA_ARCH__\nextern \"C\" int f(int x) { return x; }\n#endif\n\
                 #ifndef __CUDA_ARCH__\nextern \"C\" int g(int x);\n#endif\n";
    let declared = "(function_declarator declarator: (identifier) @name)";
    check(declared, "presence", twice, &["`g` is `g` on the host and nothing on every target"]);
    let defined = "(function_definition declarator: (function_declarator declarator: (identifier) @name))";
    check(defined, "presence", twice, &["`f` is nothing on the host and `f` on"]);
    // Overloads of one name are compared together, and white space is no difference.
    let overloads = "#ifdef __CUDA_ARCH__\nint f(int a=1);\nint f(float a = 2);\n#else\n\
                     int f(float a = 2);\nint f(int a = 1);\n#endif\n";
    let default = "(optional_parameter_declaration declarator: (_) @name default_value: (_) @value)";
    check(default, "@value", overloads, &[]);
    check(
        "(declaration declarator: (function_declarator declarator: (identifier) @name)) @text",
        "text",
        overloads,
        &[],
    );
    let more = "#ifdef __CUDA_ARCH__\nint f(double a = 3);\n#endif\nint f(int a = 1);\n";
    check(default, "@value", more, &[]);
    // A body that varies, without a capture: the whole declaration is compared.
    let body = "__device__ int f() {\n#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900\nreturn 1;\n#else\nreturn 2;\n#endif\n}\n";
    check(
        "(function_definition declarator: (function_declarator declarator: (identifier) @name))",
        "text",
        body,
        &["f` is `"],
    );
    // Only devices are compared.
    let between = format!("{}between = 'devices'\n", rule(CONSTANT, "value"));
    assert_eq!(findings(&between, SOURCE, ""), [""; 0]);
}

#[test]
fn annotations_are_asked_for_by_predicates() {
    let check = |query: &str, source: &str, count: usize| {
        let found = findings(&rule(query, "presence"), source, "");
        assert_eq!(found.len(), count, "{query}: {found:#?}");
    };
    let source = "#ifdef __CUDA_ARCH__\n__global__ void k(int *x) { auto f = [] __device__ () {}; }\n\
                  static __device__ __host__ int both();\nint plain() { return 1; }\n#endif\n";
    let functions = "[(function_definition) (declaration)] @at";
    check(&format!("({functions} (#annotated? @at \"__global__\"))"), source, 1);
    check(&format!("({functions} (#annotated? @at \"__device__\" \"__host__\"))"), source, 1);
    check(&format!("({functions} (#not-annotated? @at \"__global__\" \"__device__\"))"), source, 2);
    let bounds = "#ifdef __CUDA_ARCH__\n#define B 128\n#else\n#define B 256\n#endif\n\
                  template <class T> __global__ void __launch_bounds__(B, 2) k(T *x) {}\n";
    let query = "((function_definition) @at (#arguments! @at \"__launch_bounds__\" value 1))";
    let found = findings(&rule(query, "value"), bounds, "");
    assert!(found.len() == 1 && found[0].contains("`k` is `256` on the host and `128` on"), "{found:?}");
    let second = query.replace('1', "2");
    assert_eq!(findings(&rule(&second, "value"), bounds, ""), [""; 0]);
}

#[test]
fn findings_are_those_of_any_other_rule() {
    let text = rule(CONSTANT, "value");
    let count =
        |source: &str, more: &str, flags: &str| findings(&format!("{more}\n{text}"), source, flags).len();
    let plain = SOURCE;
    assert_eq!(count(plain, "", ""), 2);
    // Levels, by rule and by path.
    assert_eq!(count(plain, "[rules]\nstride-by-pass = 'off'", ""), 0);
    assert_eq!(count(plain, "", "--rule stride-by-pass=off"), 0);
    assert_eq!(count(plain, "", "--rule all=off"), 0);
    assert_eq!(count(plain, "[[overrides]]\npaths = ['a.cu']\nrules = { stride-by-pass = 'off' }", ""), 0);
    assert_eq!(count(plain, "exclude = ['a.cu']", ""), 0);
    // Comments.
    let before = |comment: &str| {
        let line = "constexpr int stride = 4;";
        plain.replace(line, &format!("{comment}\n{line}"))
    };
    assert_eq!(count(&before("// cuda-arch-lint: allow(stride-by-pass) -- on purpose"), "", ""), 1);
    assert_eq!(count(&before("// NOLINTNEXTLINE(cuda-arch-lint-stride-by-pass)"), "", ""), 1);
    assert_eq!(count(&before("// cuda-arch-lint: allow-file(stride-by-pass)"), "", ""), 0);

    let directory = repository(&[("cuda-arch-lint.toml", &text), ("a.cu", plain)]);
    let flags = "a.cu -nostdinc --arch";
    let check = |more: &str| run(directory.path(), &format!("{flags} {more}"));
    // A misspelt name in a comment.
    fs::write(directory.path().join("a.cu"), before("// cuda-arch-lint: allow(stride-by-pas)"))
        .expect("a file");
    let (_, out, err) = check("80,90");
    assert!(format!("{out}{err}").contains("did you mean `stride-by-pass`?"), "{out}{err}");
    fs::write(directory.path().join("a.cu"), plain).expect("a file");
    // The fingerprint does not depend on the targets.
    let prints = |arch: &str| -> Vec<String> {
        let report: Value = serde_json::from_str(&check(&format!("{arch} --format json")).1).expect("JSON");
        let findings = report["findings"].as_array().expect("a list").clone();
        assert!(findings.iter().all(|one| one["rule"] == "stride-by-pass"), "{findings:#?}");
        findings.iter().map(|one| one["fingerprint"].to_string()).collect()
    };
    assert_eq!(prints("80,90"), prints("75"));
    // A baseline.
    check("80,90 --write-baseline known.json");
    assert_eq!(check("80,90 --baseline known.json").0, Some(0));
    let (code, out, _) = check("80");
    assert!(code == Some(1) && out.contains("warning[stride-by-pass]: the stride of `stride` is"), "{out}");
    assert!(out.contains("#ifdef __CUDA_ARCH__") && out.contains("Give all passes one stride."), "{out}");
    // SARIF has the rule with its help, HTML the finding.
    let sarif: Value = serde_json::from_str(&check("80 --format sarif").1).expect("JSON");
    let run_of = &sarif["runs"][0];
    let rules = run_of["tool"]["driver"]["rules"].as_array().expect("a list");
    let own = rules.iter().position(|one| one["id"] == "stride-by-pass").expect("the rule has a descriptor");
    assert!(rules[own]["help"]["markdown"].as_str().expect("help").contains("Give all passes one stride."));
    assert_eq!(rules[own]["defaultConfiguration"]["level"], "warning");
    assert_eq!(run_of["results"][0]["ruleIndex"], own);
    assert_eq!(run_of["results"][0]["ruleId"], "stride-by-pass");
    assert!(!rules.iter().any(|one| one["id"] == "launch-bounds"), "no rule that is not checked");
    let page = check("80 --format html").1;
    assert!(page.contains("value=\"stride-by-pass\"") && page.contains("pack::bytes"));
    // Documentation.
    let (_, card, _) = run(directory.path(), "explain stride-by-pass");
    assert!(card.contains("init_declarator") && card.contains("Give all passes one stride."), "{card}");
    let (_, list, _) = run(directory.path(), "rules");
    assert!(list.contains("stride-by-pass") && list.contains("launch-bounds"), "{list}");
    let (code, _, err) = run(directory.path(), "explain stride-by-pas");
    assert!(code == Some(2) && err.contains("did you mean `stride-by-pass`?"), "{err}");
    // Only what a change touches.
    let git = |arguments: &str| {
        let ran = Command::new("git").args(arguments.split(' ')).current_dir(directory.path()).output();
        assert!(ran.expect("git runs").status.success(), "git {arguments}");
    };
    fs::remove_dir(directory.path().join(".git")).expect("it is empty");
    git("init -q");
    git("add .");
    git("-c user.name=n -c user.email=e commit -qm c");
    assert!(!check("80 --format concise -q --diff HEAD").1.contains("stride-by-pass"));
    fs::write(directory.path().join("a.cu"), plain.replace("stride * 4", "stride * 8")).expect("a file");
    let (_, out, _) = check("80 --format concise -q --diff HEAD");
    assert!(out.lines().count() == 1 && out.contains("pack::bytes"), "{out}");
}

#[test]
fn what_is_wrong_with_a_rule_is_told_with_its_place() {
    let check = |text: &str, place: &str, message: &str| {
        let directory = repository(&[("cuda-arch-lint.toml", text), ("a.cu", SOURCE)]);
        let begun = Instant::now();
        let (code, out, err) = run(directory.path(), "a.cu --arch 80 -nostdinc");
        assert!(begun.elapsed() < Duration::from_secs(60), "{message}: {:?}", begun.elapsed());
        assert_eq!((code, out.as_str()), (Some(2), ""), "{err}");
        assert!(err.contains(&format!("cuda-arch-lint.toml:{place}: ")) && err.contains(message), "{err}");
        assert!(err.contains("help: "), "{err}");
    };
    let query = |text: &str, place: &str, message: &str| check(&rule(text, "value"), place, message);
    query("(declaratio) @value", "8:2", "has no node `declaratio`");
    query("(declaration\n  declarators: (_) @value)", "9:3", "has no field `declarators`");
    query("(declaration (_) @value", "8:24", "is not understood from here on");
    query("(identifier (declaration) @value)", "8:13", "no tree of the grammar of C++ can match");
    query("((identifier) @value\n (#eq? @nam \"x\"))", "9:9", "nothing is captured as `@nam`");
    query("((identifier) @value\n (#annotatd? @value \"x\"))", "9:3", "no predicate `#annotatd?`");
    query("(identifier) @vaule", "8:1", "captures nothing as `@value`, which must agree");
    query("(_ (identifier) @nmae (_) @value)", "8:17", "nobody asks for the capture `@nmae`");
    query("", "8:1", "no pattern");
    query(&"(_) @value\n".repeat(900), "752:9", "the query has 9901 bytes");
    query(&"(".repeat(300), "8:65", "more than 64");
    // Queries that take forever.
    query(&format!("(_ {} (_) @value)", "(_ (_)* @_b)* @_c ".repeat(30)), "8:1", "takes more than it may");
    query(&format!("{}(_) @value{}", "(_ ".repeat(40), "*)".repeat(40)), "8:1", "takes more than it may");
    query(&format!("(_ {} (_) @value)", "(_)* ".repeat(62)), "8:1", "takes more than it may");
    // Other keys.
    let with = |from: &str, to: &str| rule(CONSTANT, "value").replace(from, to);
    check(&with("'stride-by-pass'", "'arch-dependent-layout'"), "2:7", "is a built-in rule");
    check(&with("'stride-by-pass'", "'launch-bounds'"), "2:7", "is a rule of rules/contrib/");
    check(&with("'stride-by-pass'", "'Stride'"), "2:7", "is no id of a rule");
    check(&with("stride-by-pass", &"a".repeat(70)), "2:7", "70 characters");
    check(&with("{sides}", "{side}"), "4:38", "nothing that `{side}` stands for");
    check(&with("agree = 'value'", "agree = 'values'"), "6:10", "nothing that can agree");
    check(&with("level =", "levl ="), "3:1", "unknown key `levl`");
    // The second of two.
    let two = rule(CONSTANT, "value").repeat(2);
    let directory = repository(&[("cuda-arch-lint.toml", &two), ("a.cu", SOURCE)]);
    let (code, _, err) = run(directory.path(), "a.cu --arch 80 -nostdinc");
    assert!(
        code == Some(2) && err.contains("cuda-arch-lint.toml:17:1: the rule `stride-by-pass` is declared in"),
        "{err}"
    );
    // In a file of rules, whose strings have escapes.
    let file = rule("(declaration) @value (no_such)", "value")
        .replace("'''\n(", "\"\\u0020(")
        .replace("\n'''", "\"");
    let directory = repository(&[
        ("cuda-arch-lint.toml", "rule-files = ['lint/own.toml']\n"),
        ("lint/own.toml", &file),
        ("a.cu", SOURCE),
    ]);
    let (code, _, err) = run(directory.path(), "a.cu --arch 80 -nostdinc");
    assert!(
        code == Some(2) && err.contains("lint/own.toml:7:38: the grammar of C++ has no node `no_such`"),
        "{err}"
    );
    let (code, _, err) =
        run(directory.path(), "a.cu --arch 80 -nostdinc --isolated --rule-file lint/none.toml");
    assert!(code == Some(2) && err.contains("lint/none.toml"), "{err}");
}

#[test]
fn one_step_two_steps_and_the_cache_say_the_same() {
    let text = rule(CONSTANT, "value");
    let directory = repository(&[("cuda-arch-lint.toml", &text), ("a.cu", SOURCE)]);
    let root = directory.path();
    let one = run(root, "a.cu --arch 80,90 -nostdinc --cache kept");
    assert!(one.1.contains("pack::bytes"), "{}{}", one.1, one.2);
    assert_eq!(run(root, "a.cu --arch 80,90 -nostdinc --cache kept"), one);
    assert_eq!(run(root, "summarize a.cu --arch 80,90 -nostdinc --into summaries").0, Some(0));
    assert_eq!(run(root, "judge summaries"), one);
    // Another rule is another result, from the cache as from summaries.
    let other = text.replace("is {sides}", "differs: {sides}");
    fs::write(root.join("cuda-arch-lint.toml"), &other).expect("a file");
    let (_, out, _) = run(root, "a.cu --arch 80,90 -nostdinc --cache kept");
    assert!(out.contains("differs: `4` on the host"), "{out}");
    let (code, out, err) = run(root, "judge summaries");
    assert!(
        code == Some(2) && out.is_empty() && err.contains("was checked by other custom rules"),
        "{out}{err}"
    );
    let (code, _, err) = run(root, "judge summaries --isolated");
    assert!(code == Some(2) && err.contains("was checked by other custom rules"), "{err}");
    // Where a rule is written changes nothing.
    fs::write(root.join("cuda-arch-lint.toml"), format!("# A comment.\n\n{text}")).expect("a file");
    assert_eq!(run(root, "judge summaries"), one);
}

#[test]
fn a_level_turns_a_contributed_rule_on() {
    let source = "#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900\n#define N 512\n#else\n#define N 256\n#endif\n\
                  // cuda-arch-lint: allow(struct-alignment) -- nobody looks\n\
                  __global__ void __launch_bounds__(N) k(float *x) {}\n";
    let check = |text: &str, flags: &str, expected: usize| {
        let directory = repository(&[("cuda-arch-lint.toml", text), ("a.cu", source)]);
        let flags = format!("a.cu --arch 80,90 -nostdinc --format concise -q {flags}");
        let (_, out, err) = run(directory.path(), &flags);
        assert_eq!(
            out.lines().filter(|line| line.contains("launch-bounds: ")).count(),
            expected,
            "{out}{err}"
        );
        assert!(
            !err.contains("struct-alignment"),
            "a comment on a rule that is not checked is in order: {err}"
        );
    };
    check("", "", 0);
    check("", "--rule all=warning", 0);
    check("", "--rule launch-bounds=warning", 1);
    check("[rules]\nlaunch-bounds = 'note'\n", "", 1);
    check("[rules]\nlaunch-bounds = 'note'\n", "--rule launch-bounds=off", 0);
    check("[[overrides]]\npaths = ['b.cu']\nrules = { launch-bounds = 'note' }\n", "", 0);
    check("[[overrides]]\npaths = ['a.cu']\nrules = { launch-bounds = 'note' }\n", "", 1);
}

#[test]
fn the_examples_of_contributed_rules_come_out_as_they_are_marked() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("rules/contrib");
    let entries = fs::read_dir(&folder).expect("the folder is there");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    let names: Vec<String> =
        files.iter().map(|path| path.file_stem().expect("a name").to_string_lossy().into_owned()).collect();
    let mut ids: Vec<String> = contributed().iter().map(|rule| rule.id.clone()).collect();
    ids.sort();
    assert_eq!(ids, names, "the files of rules/contrib/ and the table in src/config/custom.rs");
    let files: Vec<String> = files.iter().map(|path| path.display().to_string()).collect();
    let (code, out, err) = run(&folder, &format!("rules test --isolated {}", files.join(" ")));
    assert_eq!(
        (code, out.as_str()),
        (Some(0), "5 custom rules, 21 examples: 21 passed, 0 failed\n"),
        "{err}"
    );
}

#[test]
fn an_example_that_does_not_come_out_is_told() {
    let bad = "bad = ['''\n//@ targets: 80\nconstexpr int a = 1; //~ stride-by-pass \"more\"\n''', 'int b;']\n\
               good = ['''\n#ifdef __CUDA_ARCH__\nconstexpr int c = 1;\n#else\nconstexpr int c = 2;\n#endif\n''']\n";
    let directory = repository(&[("cuda-arch-lint.toml", &format!("{}{bad}", rule(CONSTANT, "value")))]);
    let (code, out, err) = run(directory.path(), "rules test");
    let expected = "\
cuda-arch-lint.toml:11: stride-by-pass: bad example 1 failed
  cuda-arch-lint.toml:12: expected a finding with \"more\", found nothing
cuda-arch-lint.toml:13: stride-by-pass: bad example 2 failed
  cuda-arch-lint.toml:13: a bad example marks each line with a finding: `//~ stride-by-pass \"part of its message\"`
cuda-arch-lint.toml:15: stride-by-pass: good example 1 failed
  cuda-arch-lint.toml:18: found \"the stride of `c` is `2` on the host and `1` on every target\", expected nothing
1 custom rule, 3 examples: 0 passed, 3 failed
";
    assert_eq!((code, out.as_str()), (Some(1), expected), "{err}");
    let (code, _, err) = run(directory.path(), "rules test --isolated");
    assert!(code == Some(2) && err.contains("there are no custom rules"), "{err}");
}
