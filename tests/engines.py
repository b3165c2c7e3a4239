"""Build systems that run the two steps: what is done the first time, the second time, and after one header has changed.

    python3 tests/engines.py --linter PROGRAM [--units 200] [--only cmake|ninja|bazel]

Writes units that share headers, and a build of them: with CMake's module and Ninja, with the rules for Ninja that
`integrations/README.md` prints, and with Bazel's rules, whose actions run in its sandbox. Counts the actions that ran, and
fails if the second build does anything, if a changed header redoes something else than the units that include it and the
judge, or if the findings are not those of `check`.
"""

import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
HEADERS = 10
HEADER = """#pragma once
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
inline __device__ int width_{n}() {{ return 16; }}
#else
inline __device__ int width_{n}() {{ return 8; }}
#endif
"""
UNIT = """#include "shared/all.cuh"
#include "shared/header{h}.cuh"
{odd}__global__ void run_{n}({type} *out) {{ *out = width_{h}(); }}
void start_{n}({type} *out) {{ run_{n}<<<1, 1>>>(out); }}
"""
ODD = "#ifdef __CUDA_ARCH__\ntypedef double t_{n};\n#else\ntypedef float t_{n};\n#endif\n"


def write(folder, units):
    (folder / "include/shared").mkdir(parents=True)
    (folder / "src").mkdir()
    (folder / "include/shared/all.cuh").write_text("#pragma once\nstruct Everyone { int x; };\n")
    for h in range(HEADERS):
        (folder / f"include/shared/header{h}.cuh").write_text(HEADER.format(n=h))
    for n in range(units):
        odd = n % 20 == 0
        (folder / f"src/unit{n}.cu").write_text(UNIT.format(
            n=n, h=n % HEADERS, odd=ODD.format(n=n) if odd else "", type=f"t_{n}" if odd else "int"))


def run(command, cwd, codes=(0,)):
    begin = time.time()
    done = subprocess.run(command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode not in codes:
        sys.exit(f"{' '.join(map(str, command))}: {done.returncode}\n{done.stdout[-3000:]}")
    return done.stdout, time.time() - begin


def prints(text):
    """The fingerprints of a SARIF report."""
    results = json.loads(text)["runs"][0]["results"]
    return sorted(str(result["partialFingerprints"]) + result["message"]["text"] for result in results)


def three(name, folder, build, count, units, report, expected):
    """Builds three times; `count` says of an output how many units and judges ran."""
    touched = folder / "include/shared/header3.cuh"
    of_header = units // HEADERS
    for which, (summarized, judged) in (("cold", (units, 1)), ("again", (0, 0)), ("one header changed", (of_header, 1))):
        if which == "one header changed":
            touched.write_text(touched.read_text() + "// changed\n")
        said, clock = build()
        ran = count(said)
        print(f"{name}, {which}: {ran[0]} units and {ran[1]} judged, {clock:.1f} s", flush=True)
        if ran != (summarized, judged):
            sys.exit(f"expected {summarized} and {judged}\n{said[-2000:]}")
        found = prints(report())
        if found != expected:
            sys.exit(f"{name}, {which}: {len(found)} findings, and check has {len(expected)}")


def cmake(linter, folder, units, expected):
    (folder / "CMakeLists.txt").write_text(f"""cmake_minimum_required(VERSION 3.20)
project(engines LANGUAGES CXX)
list(APPEND CMAKE_MODULE_PATH "{ROOT}/integrations")
set(CUDA_ARCH_LINT_EXECUTABLE "{linter}")
include(CudaArchLint)
file(WRITE "${{CMAKE_BINARY_DIR}}/empty.cpp" "")
file(GLOB units CONFIGURE_DEPENDS "${{CMAKE_SOURCE_DIR}}/src/*.cu")
add_library(kernels STATIC "${{CMAKE_BINARY_DIR}}/empty.cpp" ${{units}})
target_include_directories(kernels PRIVATE include)
set_target_properties(kernels PROPERTIES CUDA_ARCHITECTURES "80;90" CUDA_SEPARABLE_COMPILATION ON)
cuda_arch_lint_judge(lint TARGETS kernels REQUIRED SUMMARIZE --isolated -nostdinc
  JUDGE --isolated --exit-zero --output "sarif:${{CMAKE_BINARY_DIR}}/report.sarif")
""")
    run(["cmake", "-G", "Ninja", "-S", ".", "-B", "build"], folder)
    count = lambda said: (len(set(re.findall(r"of (src/unit\d+\.cu)$", said, re.M))), said.count("Judging the units"))
    report = lambda: (folder / "build/report.sarif").read_text()
    # Where it does not write to a terminal, Ninja shows a line for each command.
    build = lambda: run(["sh", "-c", "ninja -C build lint | cat"], folder)
    three("CMake and Ninja", folder, build, count, units, report, expected)


def ninja(linter, folder, units, expected):
    printed = re.search(r"```ninja\n(.*?)```", (ROOT / "integrations/README.md").read_text(), re.S).group(1)
    rules = printed[:printed.index("build ")]
    rules = rules.replace("cuda-arch-lint summarize", f"{linter} summarize --isolated -nostdinc --rdc")
    rules = rules.replace("cuda-arch-lint judge", f"{linter} judge --isolated --exit-zero")
    summaries = [f"unit{n}.summary" for n in range(units)]
    lines = [f"build {one}: summarize src/{one.replace('.summary', '.cu')}" for one in summaries]
    lines.append(f"build report.sarif: judge {' '.join(summaries)}")
    (folder / "build.ninja").write_text(rules + "\n".join(lines) + "\n")
    count = lambda said: (len(set(re.findall(r" summarize .* (src/unit\d+\.cu)$", said, re.M))), len(re.findall(r" judge ", said)))
    report = lambda: (folder / "report.sarif").read_text()
    build = lambda: run(["sh", "-c", "ninja | cat"], folder)
    three("Ninja", folder, build, count, units, report, expected)


def bazel(linter, folder, units, expected):
    (folder / "WORKSPACE").write_text('workspace(name = "engines")\n')
    (folder / "tools").mkdir()
    shutil.copy(linter, folder / "tools/cuda-arch-lint")
    shutil.copy(ROOT / "integrations/bazel/cuda_arch_lint.bzl", folder / "tools")
    (folder / "tools/BUILD").write_text('exports_files(["cuda-arch-lint"])\n')
    # As rules_cuda's `cuda_library` hands on what it compiles, without a compiler.
    (folder / "tools/library.bzl").write_text('''
def _impl(ctx):
    own = cc_common.create_compilation_context(
        headers = depset(ctx.files.hdrs),
        includes = depset([ctx.label.package + "/" + one if ctx.label.package else one for one in ctx.attr.includes]),
    )
    below = [dep[CcInfo] for dep in ctx.attr.deps]
    return [cc_common.merge_cc_infos(direct_cc_infos = [CcInfo(compilation_context = own)], cc_infos = below)]

cuda_library = rule(
    implementation = _impl,
    attrs = {
        "srcs": attr.label_list(allow_files = [".cu"]),
        "hdrs": attr.label_list(allow_files = True),
        "deps": attr.label_list(providers = [CcInfo]),
        "includes": attr.string_list(),
        "rdc": attr.bool(),
    },
)
''')
    libraries = "".join(
        f'cuda_library(name = "header{h}", hdrs = ["include/shared/header{h}.cuh"], includes = ["include"])\n'
        f'cuda_library(name = "kernels{h}", srcs = {[f"src/unit{n}.cu" for n in range(h, units, HEADERS)]}, '
        f'deps = [":all", ":header{h}"], rdc = True)\n' for h in range(HEADERS))
    (folder / "BUILD").write_text(f'''
load("//tools:library.bzl", "cuda_library")
load("//tools:cuda_arch_lint.bzl", "cuda_arch_lint_test")
cuda_library(name = "all", hdrs = ["include/shared/all.cuh"], includes = ["include"])
{libraries}
cuda_arch_lint_test(name = "lint", deps = {[f":kernels{h}" for h in range(HEADERS)]}, archs = ["80", "90"],
    linter = "//tools:cuda-arch-lint", summarize_options = ["-nostdinc"], judge_options = ["--verbose"])
''')
    # Bazel downloads what reports coverage for each rule of tests; no coverage is asked for here.
    coverage = folder.parent / "coverage"
    coverage.mkdir()
    (coverage / "WORKSPACE").touch()
    (coverage / "none.bzl").write_text("""
def _impl(ctx):
    script = ctx.actions.declare_file(ctx.label.name)
    ctx.actions.write(script, "", is_executable = True)
    return [DefaultInfo(executable = script)]

none = rule(implementation = _impl, executable = True)
""")
    (coverage / "BUILD").write_text(
        'load(":none.bzl", "none")\n'
        'none(name = "coverage_report_generator", visibility = ["//visibility:public"])\n')
    options = ["--output_user_root", str(folder.parent / "bazel")]
    offline = f"--override_repository=remote_coverage_tools={coverage}"
    bazel_run = lambda command, *words, codes=(0,): run(
        ["bazel", *options, command, *([] if command == "shutdown" else [offline]), *words], folder, codes)
    count = lambda said: (len(set(re.findall(r"SUBCOMMAND: .*read of (src/unit\d+\.cu)", said))),
                          len(re.findall(r"SUBCOMMAND: .*Judging", said)))
    report = lambda: (folder / "bazel-bin/lint.sarif").read_text()
    build = lambda: bazel_run("build", "--subcommands", "--spawn_strategy=linux-sandbox", "//:lint")
    try:
        three("Bazel, sandboxed", folder, build, count, units, report, expected)
        tested, _ = bazel_run("test", "//:lint", codes=(3,))
        if "FAILED" not in tested:
            sys.exit(f"the test does not fail\n{tested[-2000:]}")
        # A header that is not declared is not there.
        (folder / "include/shared/secret.cuh").write_text("#error\n")
        unit = folder / "src/unit1.cu"
        unit.write_text('#include "shared/secret.cuh"\n' + unit.read_text())
        bazel_run("build", "--spawn_strategy=linux-sandbox", "//:lint")
        said = (folder / "bazel-bin/lint.txt").read_text()
        if "secret.cuh" not in said:
            sys.exit(f"a header that is not declared was read\n{said[-1000:]}")
        print("Bazel, sandboxed: a header that no target declares is not found", flush=True)
    finally:
        bazel_run("shutdown")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--linter", required=True)
    parser.add_argument("--units", type=int, default=200)
    parser.add_argument("--only", choices=["cmake", "ninja", "bazel"])
    given = parser.parse_args()
    linter = pathlib.Path(given.linter).resolve()
    for engine in (cmake, ninja, bazel):
        if given.only and engine.__name__ != given.only:
            continue
        with tempfile.TemporaryDirectory() as made:
            folder = pathlib.Path(made).resolve() / "project"
            folder.mkdir()
            write(folder, given.units)
            check = [linter, "check", "src", "--isolated", "-nostdinc", "--arch", "80,90", "--rdc", "-Iinclude", "--format", "sarif"]
            expected = prints(run(check, folder, (0, 1))[0])
            engine(linter, folder, given.units, expected)


if __name__ == "__main__":
    main()
