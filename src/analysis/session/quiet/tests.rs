//! Edits, quiet and not, and what a fresh session says.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::cancel::CancelFlag;
use crate::finding::Finding;
use crate::project::{Settings, discover};
use crate::source::Span;

use crate::analysis::Session;

const HEADER: &str = "\
#pragma once
#define TWICE(value) ((value) + (value))
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#define ASYNC 1
#else
#define ASYNC 0
#endif
#ifdef __CUDA_ARCH__
typedef double scalar;
#else
typedef int scalar;
#endif
template <class T> __global__ void reduce(T *out) { }
inline int counted(int value) {
  return value + 1;
}
";

/// Names of functors and their members lead to kernels, and are everybody's names.
const LIBRARY: &str = "\
#pragma once
template <class T> __global__ void filled(T *out) { }
template <class T> struct Filler {
  T sum;
  __host__ void operator()(T *out) const { filled<T><<<1, 1>>>(out); }
  template <class U> void value(U *out) { filled<U><<<1, 1>>>(out); }
  void index(int) { filled<short><<<1, 1>>>(nullptr); }
};
template <class T> void count(T *out) { Filler<T>()(out); }
struct Scaled { float data; };
template <class T> void operator*(Scaled left, T right) { filled<T><<<2, 2>>>(nullptr); }
inline float root(float of) { return of; }
template <class T> T larger(T left, T right) { return left > right ? left : right; }
template <class F> void call(F body) { body(1); }
template <class F> struct Caller { F body; void run() { body(1); } };
inline void library_limit(float *out) { count(width_of(out)); }
inline void library_count(float *out) { count(out); call([](auto one) { root(one); }); }
";

const MAIN: &str = "\
#include \"t.h\"
#include \"library.h\"
__global__ void store(scalar value) { }
// A kernel that nothing is wrong with.
__global__ void plain(float *out, int count) {
  float sum = 0.0f;
  for (int index = 0; index < count; ++index) {
    sum += TWICE(index * 0.5f);
  }
  out[0] = sum;
}
#if ASYNC
template <class T> __global__ void only(T *out) { }
#else
template <class T> __global__ void other(T *out) { }
#endif
void run(float *out) {
  float unused = 1.0f;
  plain<<<1, 1>>>(out, 3);
}
void launch(float *out) {
#if ASYNC
  reduce<float><<<1, 1>>>(out);
#endif
  reduce<scalar><<<1, 1>>>(nullptr);
}
template <class F> void dispatch(F body) { body(short()); }
void generic(int which) {
  dispatch([&](auto tag) { reduce<decltype(tag)><<<2, 1>>>(nullptr); });
}
template <int N> __global__ void sized() { }
constexpr auto wide() {
  return ASYNC + 1;
}
void sizes(int count) {
  sized<wide()><<<count, 1>>>();
}
void fill(float *out, int rows) {
  Filler<scalar> filler;
  const int width = 3;
  float value = 1.0f; int index = 0;
  filler(nullptr);
  if (root(value) != 1.0f) { }
  Filler<float> given{{1.0f}};
  sized<width><<<1, 1>>>();
  for (int index = 0; index < rows; ++index) {
    value += out[index] * 2.0f;
  }
  out[0] = value;
}
__global__ void copies(float *in, float *out, scalar count) {
  int index = threadIdx.x;
  out[index] = in[index];
}
template <class T> __global__ void folded(T *out, scalar count) {
  T partial = T(0);
  float value = 0.0f;
  __syncthreads();
  out[0] = partial;
}
__host__ __device__ inline int divided(int value, int by) {
  float const *sum = nullptr;
  return (value + by - 1) / by;
}
void steady(float *out) {
  Filler<float> filler;
  filler(out);
  float last = 0.0f;
}
";

/// A session over the two texts, analysed with `main` open.
fn session(root: &Path, main: &str) -> Session {
    let mut session = Session::new();
    let path = root.join("a.cu");
    session.sources.overlay(&path, main.into());
    let settings = Settings { targets: vec!["70".into(), "80".into()], ..Settings::default() };
    let project = discover(&[root.to_path_buf()], &settings, &session.sources).unwrap();
    session.set_units(project.all_units());
    settle(&mut session, &path);
    session
}

fn settle(session: &mut Session, path: &Path) {
    let open = FxHashSet::from_iter([path.to_path_buf(), path.with_file_name("t.h")]);
    while session.step(&open, &CancelFlag::default()) {}
}

fn folder() -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    fs::write(root.path().join("t.h"), HEADER).unwrap();
    fs::write(root.path().join("library.h"), LIBRARY).unwrap();
    fs::write(root.path().join("a.cu"), MAIN).unwrap();
    root
}

/// All that a session has to say, in words without ids.
fn said(session: &mut Session, path: &Path) -> String {
    let analysis = session.analysis();
    let place = |at: Span| {
        let file = session.sources.file(at.file);
        format!("{}:{}-{}", file.path.file_name().unwrap_or_default().display(), at.start, at.end)
    };
    let finding = |one: &Finding| {
        let places: Vec<String> = one.places().map(place).collect();
        format!("{} {:?} {:?} {}: {}\n", one.rule, one.level, one.certainty, places.join(" "), one.message)
    };
    let mut said: String = analysis.findings.iter().map(finding).collect();
    for problem in &analysis.problems {
        said += &format!("{} {:?}\n", problem.message, problem.at.map(place));
    }
    for region in session.regions(path).unwrap_or_default() {
        said += &format!("{} {:?}\n", place(region.at), region.passes);
    }
    said
}

/// After replacing `from` by `to` the session says what a fresh one says. Whether the edit was quiet.
fn edited(from: &str, to: &str) -> bool {
    assert_eq!(MAIN.matches(from).count(), 1, "`{from}`");
    let root = folder();
    let path = root.path().join("a.cu");
    let mut after = session(root.path(), MAIN);
    let before = after.sources.read(&path).unwrap();
    let text = MAIN.replace(from, to);
    after.replace(&path, Some(text.clone()));
    let new = after.sources.read(&path).unwrap();
    assert_ne!(before.id, new.id);
    let quiet = after.follow_all();
    settle(&mut after, &path);
    let mut fresh = session(root.path(), &text);
    assert_eq!(said(&mut after, &path), said(&mut fresh, &path), "`{from}` to `{to}`");
    quiet
}

#[test]
fn statements_that_nothing_looks_into_are_quiet() {
    for (from, to) in [
        ("  out[0] = sum;", "  out[0] = sum; float more = sum * 2.0f;"),
        ("  out[0] = sum;", ""),
        ("  out[0] = sum;", "  if (sum > 1.0f) { out[0] = sum; }"),
        ("  out[0] = sum;", "  out[0] = (sum;"),
        ("  out[0] = sum;", "  out[0] = sum; {"),
        ("  out[0] = sum;", "  if (sum > 1.0f) { out[0] = sum;"),
        ("sum = 0.0f;", "sum = 0.0f;\n\n"),
        ("// A kernel", "// One more kernel"),
        ("// A kernel that nothing is wrong with.\n", ""),
        ("float unused = 1.0f;", "float unused = 10.0f; int used;"),
        // Its head was read, since the type of a parameter varies.
        ("(scalar value) { }", "(scalar value) { float local = 1.0f; }"),
        ("(scalar value) { }", "(scalar value) { float local = (1.0f; }"),
    ] {
        assert!(edited(from, to), "`{from}` to `{to}`");
    }
}

#[test]
fn what_leads_nowhere_is_quiet_where_all_names_lead_to_kernels() {
    for (from, to) in [
        ("  out[0] = value;", "  out[0] = value; float more = value * 2.0f; out[1] += more;"),
        ("  out[0] = value;", "  out[0] = value; float more = 2.0f * val"),
        ("  out[0] = value;", "  out[0] = value + index;"),
        ("  out[0] = value;", "  out[0] = value; if (index > 1) { out[1] = value; }"),
        ("  out[0] = value;", "  out[0] = root(value);"),
        ("  out[0] = value;", "  out[0] = larger(value, 1.0f);"),
        ("  out[0] = value;", "  plain<<<1, 1>>>(out, index); out[0] = value;"),
        ("    value += out[index] * 2.0f;", "    value += out[index] * 3.0f;"),
        ("= 1.0f; int index = 0;", "= 1.0f; long index = 0;"),
        ("int index = threadIdx.x;", "int index = threadIdx.x + 1;"),
        ("  out[index] = in[index];", "  out[index] = in[index]; int count = index; out[count] = 1.0f;"),
        // What is about to be typed.
        ("  filler(nullptr);", "  va\n  if (value > 0) { out[0] = 1; }\n  filler(nullptr);"),
        ("  filler(nullptr);", "  if (va\n  filler(nullptr);"),
        ("  filler(nullptr);", "  while (index < ro\n  filler(nullptr);"),
        ("  filler(nullptr);", "  double added = 2.0f\n  filler(nullptr);"),
        ("  sized<width><<<1, 1>>>();", "  sized<width><<<1, 1>>>();\n  float added = 2.0f *"),
        ("  filler(nullptr);", "  if (value > 0)\n  filler(nullptr);"),
        ("  filler(nullptr);", "  if (value > 0) { while (va\n  filler(nullptr);"),
        ("  filler(nullptr);", "  while (index < rows)\n  filler(nullptr);"),
        ("  __syncthreads();", "  o\n  __syncthreads();"),
        ("  __syncthreads();", "  float added = 2.0f *\n  __syncthreads();"),
        ("  return (value + by - 1) / by;", "  float added =\n  return (value + by - 1) / by;"),
        ("  return (value + by - 1) / by;", "  float added = 2.0f * value;\n  return (value + by - 1) / by;"),
        ("  return (value + by - 1) / by;", "  float added = 2.0f * val\n  return (value + by - 1) / by;"),
        ("  out[0] = value;", "  int blocks = larger(rows, 128); out[0] = value;"),
        ("  out[0] = value;", "  for (int step = 0; step < 4;\n  out[0] = value;"),
        ("  out[0] = value;", "  float more[] = {1.0f, value}; out[0] = value;"),
        // It mentions what varies as before.
        ("float value = 1.0f; int index", "float value = 1.0f; scalar other; int index"),
        ("  float last = 0.0f;", "  float last = out->scalar;"),
    ] {
        assert!(edited(from, to), "`{from}` to `{to}`");
    }
    for (from, to) in [
        // A problem comes, that of a quote that is not closed.
        ("  filler(nullptr);", "  printf(\"%d r\n  filler(nullptr);"),
        ("  out[0] = value;", "  out[0] = value; count(out);"),
        ("  out[0] = value;", "  filler.value(out);"),
        ("  out[0] = value;", "  filler(nullptr); out[0] = value;"),
        ("  out[0] = value;", "  Filler<int> more; more(nullptr);"),
        ("  out[0] = value;", "  auto more = filler; more(nullptr);"),
        ("  out[0] = value;", "  call([&](auto one) { filler.value(&one); });"),
        ("  out[0] = value;", "  sized<7><<<1, 1>>>();"),
        ("  filler(nullptr);", ""),
        ("const int width = 3;", "const int width = 4;"),
        ("  filler(nullptr);", "  Filler<float> filler; filler(nullptr);"),
        ("  out[0] = value;", "  out[0] = value; scalar other = 1; }"),
        ("  filler(nullptr);", "  if (value > 0) { Filler<int> filler; filler(nullptr); }"),
        ("  float last = 0.0f;", "  scalar last = 0;"),
        ("  float last = 0.0f;", "  using namespace other;"),
        ("  float last = 0.0f;", "  Scaled last; last * 2;"),
        ("  float last = 0.0f;", "  Scaled last; last * scalar(2);"),
        ("{ body(short()); }", "{ body(short()); scalar more; }"),
    ] {
        assert!(!edited(from, to), "`{from}` to `{to}`");
    }
}

#[test]
fn bodies_in_an_open_header_may_be_edited_too() {
    for (from, to, quiet) in [
        ("  return value + 1;", "  value += 2; return value;", true),
        ("inline int", "// Counts.\ninline int", true),
        ("typedef int scalar;", "typedef double scalar;", false),
        ("  return value + 1;", "  return value + 1; }", false),
    ] {
        let root = folder();
        let (path, header) = (root.path().join("a.cu"), root.path().join("t.h"));
        let mut after = session(root.path(), MAIN);
        let text = HEADER.replace(from, to);
        after.replace(&header, Some(text.clone()));
        // And then the main file: both are followed.
        let main = MAIN.replace("  out[0] = value;", "  out[0] = value + 1.0f;");
        after.replace(&path, Some(main.clone()));
        assert_eq!(after.follow_all(), quiet, "`{from}` to `{to}`");
        settle(&mut after, &path);
        fs::write(&header, &text).unwrap();
        let mut fresh = session(root.path(), &main);
        assert_eq!(said(&mut after, &path), said(&mut fresh, &path), "`{from}` to `{to}`");
    }
}

#[test]
fn all_else_is_analysed_again() {
    for (from, to) in [
        ("  out[0] = sum;", "  out[0] = sum; }"),
        ("  filler(out);\n", "  filler(out);\nint first;\n {"),
        ("  out[0] = sum;", "#if ASYNC\n  out[0] = sum;\n#endif\n"),
        ("  out[0] = sum;", "  out[0] = TWICE(sum);"),
        ("  out[0] = sum;", "  out[0] = sum; /*"),
        ("  out[0] = sum;", "  asm volatile(\"cp.async.wait_all;\");"),
        ("index * 0.5f", "index * 0.25f"),
        ("  out[0] = sum;", "  if (__CUDA_ARCH__ >= 800) { out[0] = sum; }"),
        ("float unused = 1.0f;", "reduce<scalar><<<1, 1>>>(nullptr);"),
        // What the host hands to the device may be another value there.
        ("  const int width = 3;", "  const int width = 3; cudaMemset(out, 0, sizeof(scalar));"),
        ("  const int width = 3;", "  int bytes = sizeof(scalar); cudaMalloc(&out, bytes);"),
        ("reduce<scalar>", "reduce<float>"),
        ("plain(float", "plain(scalar"),
        ("only(T *out) { }", "only(T *out) { out[0] = T(); }"),
    ] {
        assert!(!edited(from, to), "`{from}` to `{to}`");
    }
}

/// Makes an edit and takes it back: each is quiet or not, and says afterwards what a fresh session says.
fn edited_and_back(text: &str, (from, to): (&str, &str), quiet: bool) {
    let root = folder();
    let path = root.path().join("a.cu");
    let edited = text.replacen(from, to, 1);
    for (old, new) in [(text, edited.as_str()), (edited.as_str(), text)] {
        let mut after = session(root.path(), old);
        after.replace(&path, Some(new.to_string()));
        assert_eq!(after.follow_all(), quiet, "`{from}` to `{to}`");
        settle(&mut after, &path);
        let mut fresh = session(root.path(), new);
        assert_eq!(said(&mut after, &path), said(&mut fresh, &path), "`{from}` to `{to}`");
    }
}

#[test]
fn what_a_function_returns_by_pass_is_looked_at() {
    let text = "__host__ __device__ inline int threads() {\n#if __CUDA_ARCH__ >= 800\n  return 4;\n#else\n  return 2;\n\
                #endif\n}\n__global__ void fill(int *out) { out[0] = threads(); }\n\
                void run(int *out) { int count = threads(); fill<<<1, count>>>(out); }\n";
    for (from, to) in [
        ("return 4;", "return 2;"),
        ("return 2;", "return 3;"),
        ("out[0] = threads()", "out[0] = 1"),
        ("count = threads()", "count = 1"),
    ] {
        edited_and_back(text, (from, to), false);
    }
}

#[test]
fn what_has_the_name_of_a_constant_that_varies_may_be_another() {
    let text = "#if __CUDA_ARCH__ >= 800\nconstexpr int block = 4;\nnamespace other { struct Shape { int all[4]; }; }\n\
                #else\nconstexpr int block = 2;\nnamespace other { struct Shape { int all[2]; }; }\n#endif\n\
                struct Shape { int rows; };\n\
                template <class T> __global__ void fill(T *out) { out[0] = block; }\n\
                void run(int *out) {\n  int first = 1;\n  int block = 8;\n  int bytes = sizeof(Shape);\n\
                fill<int><<<1, block, bytes>>>(out);\n}\n";
    for (from, to, quiet) in [
        ("first = 1;", "first = 2;", true),
        ("int block = 8;", "int other = 8;", false),
        ("int block = 8;", "int block = first;", true),
        ("sizeof(Shape)", "2 * sizeof(Shape)", true),
        ("sizeof(Shape)", "sizeof(other::Shape)", false),
    ] {
        edited_and_back(text, (from, to), quiet);
    }
}

#[test]
fn braces_are_opened_and_closed_one_after_the_other() {
    let root = folder();
    let path = root.path().join("a.cu");
    let mut after = session(root.path(), MAIN);
    let mut text = MAIN.to_string();
    for (from, to, quiet) in [
        ("  out[0] = sum;", "  if (sum > 1.0f) { out[0] = sum;", true),
        ("  filler(nullptr);", "  { filler(nullptr);", true),
        ("  out[0] = value;", "  out[0] = value; float more = 1.0f;", true),
        ("  if (sum > 1.0f) { out[0] = sum;", "  if (sum > 1.0f) { out[0] = sum; }", true),
        ("float unused = 1.0f;", "float unused = 1.0f; {", true),
        ("  { filler(nullptr);", "  filler(nullptr);", true),
        ("float unused = 1.0f; {", "float unused = 1.0f;", true),
        ("  filler(nullptr);", "  filler(nullptr); { ", true),
        ("  filler(nullptr); {", "  filler(nullptr); { }", true),
        ("float last = 0.0f;\n}", "float last = 0.0f;\n{\n}", true),
        ("// A kernel", "__device__ float half(float x) {\n// A kernel", false),
        ("float x) {", "float x) { return x; }", false),
        ("float last = 0.0f;\n{\n}", "float last = 0.0f;\n{\n}\n}", false),
    ] {
        assert_eq!(text.matches(from).count(), 1, "`{from}`");
        text = text.replace(from, to);
        after.replace(&path, Some(text.clone()));
        assert_eq!(after.follow_all(), quiet, "`{from}` to `{to}`");
        settle(&mut after, &path);
        let mut fresh = session(root.path(), &text);
        assert_eq!(said(&mut after, &path), said(&mut fresh, &path), "`{from}` to `{to}`");
    }
}

#[test]
fn nothing_is_quiet_behind_an_invocation_that_is_not_closed() {
    let root = folder();
    let path = root.path().join("a.cu");
    let open = MAIN.replace("TWICE(index * 0.5f)", "TWICE(index * 0.5f");
    let mut after = session(root.path(), &open);
    // Beyond a directive, too.
    let closed = open.replace("float unused = 1.0f;", "float unused = 1.0f);");
    after.replace(&path, Some(closed.clone()));
    assert!(!after.follow_all());
    settle(&mut after, &path);
    let mut fresh = session(root.path(), &closed);
    assert_eq!(said(&mut after, &path), said(&mut fresh, &path));
}

/// Whether, after an edit of the main file that is analysed anew, the roots in headers were not walked again.
fn leaves_headers(from: &str, to: &str) -> bool {
    assert_eq!(MAIN.matches(from).count(), 1, "`{from}`");
    let root = folder();
    let path = root.path().join("a.cu");
    let mut after = session(root.path(), MAIN);
    let before = after.walked(&path).expect("the headers have roots");
    let text = MAIN.replace(from, to);
    after.replace(&path, Some(text.clone()));
    settle(&mut after, &path);
    let mut fresh = session(root.path(), &text);
    assert_eq!(said(&mut after, &path), said(&mut fresh, &path), "`{from}` to `{to}`");
    Arc::ptr_eq(&before, &after.walked(&path).expect("the headers have roots"))
}

#[test]
fn headers_are_walked_again_where_an_edit_answers_what_they_ask() {
    for (from, to) in [
        ("reduce<scalar>", "reduce<float>"),
        ("  out[0] = value;", "  out[0] = value; {"),
        ("void sizes(int count)", "void count_sizes(int width)"),
        ("template <class F> void dispatch", "template <class Body, class F> void dispatch"),
    ] {
        assert!(leaves_headers(from, to), "`{from}` to `{to}`");
    }
    for (from, to) in [
        // What a header calls, without having declared it.
        (
            "constexpr auto wide()",
            "inline int *width_of(float *out) { return nullptr; }\nconstexpr auto wide()",
        ),
        // Another overload of what a header calls.
        (
            "constexpr auto wide()",
            "inline void count(float *) { filled<char><<<1, 1>>>(0); }\nconstexpr auto wide()",
        ),
        ("template <class F> void dispatch", "using namespace other;\ntemplate <class F> void dispatch"),
        ("template <class F> void dispatch", "namespace other { }\ntemplate <class F> void dispatch"),
    ] {
        assert!(!leaves_headers(from, to), "`{from}` to `{to}`");
    }
}

#[test]
fn after_each_of_many_edits_a_session_says_what_a_fresh_one_says() {
    const PIECES: &[&str] = &[
        "x",
        " ",
        "\n",
        ";",
        "{",
        "}",
        "(",
        ")",
        "\"",
        "/*",
        "*/",
        "// note",
        "#",
        "float more;",
        "TWICE(1)",
        "scalar",
        "reduce<scalar><<<1, 1>>>(nullptr);",
        "auto",
        "return 2;",
        "dispatch([&](auto tag) { reduce<decltype(tag)><<<1, 1>>>(nullptr); });",
        "__LINE__",
        "sum",
        "#if ASYNC\n",
        "#endif\n",
        "asm",
        "\\\n",
        "'",
        "value",
        "filler",
        "filler(nullptr);",
        "filler.value(out);",
        "index(",
        "count",
        "root(value);",
        "larger(1, 2);",
        "width",
        "const int ",
        "call([](auto one) { count(&one); });",
        "<",
        "if (index) ",
        ".",
        "*",
        "&",
        "if (va\n",
        "float added = 2.0f\n",
        "printf(\"%d r\n",
        "for (int step = 0; ste\n",
        "if (index)\n",
        "if (index < 2) {\n",
        "else\n",
        "= ",
        "[&](int one) {",
        "scalar(1)",
        "->scalar",
        "reduce<float><<<1, 1>>>(out);",
        "count(out);",
        "helped(out);",
        "\n#endif\nvoid again(float *out) { reduce<float><<<1, 1>>>(out); }\n#if ASYNC\n",
        "\nvoid again(float *out) { reduce<float><<<1, 1>>>(out); helped(out); }\n",
        "\ntemplate <class T> void helped(T *out) { reduce<T><<<1, 1>>>(out); }\n",
        "\nusing Real = scalar;\n",
        "\ntypedef float Real;\n",
        "\nvoid real() { reduce<Real><<<1, 1>>>(nullptr); }\n",
    ];
    // `EDITS` tries more of them.
    let edits = std::env::var("EDITS").map_or(400, |count| count.parse().unwrap());
    fastrand::seed(11);
    let root = folder();
    let path = root.path().join("a.cu");
    let mut edited = session(root.path(), MAIN);
    let (mut text, mut quiet) = (MAIN.to_string(), 0);
    for edit in 0..edits {
        let at = fastrand::usize(..=text.len());
        match edit % 40 {
            0 => text = MAIN.to_string(),
            _ if fastrand::bool() => text.insert_str(at, PIECES[fastrand::usize(..PIECES.len())]),
            _ => drop(text.drain(at..(at + fastrand::usize(..4)).min(text.len()))),
        }
        edited.replace(&path, Some(text.clone()));
        quiet += usize::from(edited.follow_all());
        settle(&mut edited, &path);
        let mut fresh = session(root.path(), &text);
        assert_eq!(said(&mut edited, &path), said(&mut fresh, &path), "edit {edit}:\n{text}");
    }
    assert!(quiet > 20, "{quiet} edits were quiet");
}
