#!/usr/bin/env python3
"""nvlink judges the rule about headers: do the objects of a program keep their own copies of a header's function?

    tests/nvlink.py [--nvcc PATH | --expected] [--linter PATH] [-v]

Each case is a program of two sources that include one header. Each source is compiled with `-dc` for its own targets,
and nvlink links the two for one GPU. The header's function answers with a number that its text makes of the
architecture, and whose bytes stand in the machine code as they are. So the linked image tells which texts are in it: a
program keeps its copies when it holds what its two objects hold, and loses one when a number is gone.

The linter gets the same sources and a compilation database with the same commands. It has to report
`arch-dependent-header` where a copy is lost and nothing where none is.

Needs nvcc and nvlink beside it (no GPU), and the linter (`target/debug/cuda-arch-lint` unless told otherwise). With
`--expected` nvlink is not asked: the linter has to say what the cases expect, which is what nvlink said. Exit
status: 0 when nvlink and the linter say the same of every case, and what the case expects, 1 when not, 2 when something
is missing.
"""

import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
GPU = 90
RULE = "arch-dependent-header"

# What the text is compiled for, as a number that nothing else in an image is.
SALT = 0x5EED0000
BODY = f"""
#if __CUDA_ARCH__ >= 900
    return {SALT + 900:#x}u + salt;
#else
    return {SALT + 800:#x}u + salt;
#endif
"""
LATER = "-gencode arch=compute_90,code=sm_90"
EARLIER = "-gencode arch=compute_80,code=sm_90"
PTX = "-gencode arch=compute_80,code=compute_80"

FUNCTION = f"inline __device__ __noinline__ unsigned answer(unsigned salt) {{{BODY}}}"
TEMPLATE = f"template <class T> __device__ __noinline__ T answer(T salt) {{{BODY}}}"
MEMBER = f"struct Oracle {{ __device__ __noinline__ static unsigned ask(unsigned salt) {{{BODY}}} }};\n" \
         "#define answer Oracle::ask"
STATIC = f"static __device__ __noinline__ unsigned answer(unsigned salt) {{{BODY}}}"
BY_LIST = f"""#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
inline namespace PASTE(for_, __CUDA_ARCH_LIST__) {{
inline __device__ __noinline__ unsigned answer(unsigned salt) {{{BODY}}}
}}"""
SAME_TEXT = f"inline __device__ __noinline__ unsigned answer(unsigned salt) {{ return {SALT + 1:#x}u + salt; }}"

# Name, header, options of either source, and whether a copy is lost.
CASES = [
    ("an inline function, machine code of two architectures", FUNCTION, EARLIER, LATER, True),
    ("the same, the sources in the other order", FUNCTION, LATER, EARLIER, True),
    ("an inline function, PTX of the one and machine code of the other", FUNCTION, PTX, LATER, True),
    ("a function template", TEMPLATE, EARLIER, LATER, True),
    ("a member function", MEMBER, EARLIER, LATER, True),
    ("one list for both", FUNCTION, LATER, LATER, False),
    ("another list for both", TEMPLATE, EARLIER, EARLIER, False),
    ("internal linkage", STATIC, EARLIER, LATER, False),
    ("an inline namespace named after the list", BY_LIST, EARLIER, LATER, False),
    ("one text for every architecture", SAME_TEXT, EARLIER, LATER, False),
]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nvcc", default="nvcc", help="the compiler driver (default: nvcc from PATH)")
    parser.add_argument("--expected", action="store_true", help="ask the linter alone")
    parser.add_argument("--linter", default=str(ROOT / "target/debug/cuda-arch-lint"), help="the program to judge")
    parser.add_argument("-v", "--verbose", action="store_true", help="print what the images hold")
    options = parser.parse_args()
    nvcc, linter = shutil.which(options.nvcc), shutil.which(options.linter)
    nvlink = nvcc and shutil.which(str(pathlib.Path(nvcc).resolve().parent / "nvlink"))
    needed = [(options.linter, linter)]
    if not options.expected:
        needed += [(options.nvcc, nvcc), ("nvlink beside nvcc", nvlink)]
    for name, found in needed:
        if not found:
            print(f"nvlink.py: not found: {name}", file=sys.stderr)
            return 2
    wrong = 0
    for name, header, left, right, lost in CASES:
        with tempfile.TemporaryDirectory() as scratch:
            directory = pathlib.Path(scratch)
            commands = write(directory, nvcc or "nvcc", header, left, right)
            reported = lint(directory, linter)
            right_verdict = bool(reported) == lost
            said = f"the linter reports {', '.join(reported) or 'nothing'}"
            if not options.expected:
                objects, linked = link(directory, nvlink, commands)
                gone = objects - linked
                right_verdict &= bool(gone) == lost
                said = f"nvlink loses {shown(gone) or 'nothing'}; {said}"
        wrong += not right_verdict
        print(f"{'ok   ' if right_verdict else 'WRONG'} {name}: {said}")
        if options.verbose and not options.expected:
            print(f"        in the objects {shown(objects)}, in the program {shown(linked)}")
    print(f"{len(CASES)} programs: {wrong} judged otherwise than expected")
    return 1 if wrong else 0


def write(directory, nvcc, header, left, right):
    """The program's files and its compilation database; the commands."""
    (directory / "answer.cuh").write_text(f"#pragma once\n{header}\n")
    database = []
    for name, targets in [("left", left), ("right", right)]:
        source = f'#include "answer.cuh"\n__global__ void {name}(unsigned *out) {{ *out = answer(*out); }}\n'
        (directory / f"{name}.cu").write_text(source)
        command = [nvcc, *targets.split(), "-std=c++17", "-dc", f"{name}.cu", "-o", f"{name}.o"]
        database.append({"directory": str(directory), "file": f"{name}.cu", "arguments": command})
    (directory / "compile_commands.json").write_text(json.dumps(database))
    return [entry["arguments"] for entry in database]


def link(directory, nvlink, commands):
    """The numbers in the two objects' images, each linked alone, and in the program's."""
    for command in commands:
        run(command, directory)
    alone = set()
    for name in ["left", "right"]:
        alone |= image(directory, nvlink, [f"{name}.o"])
    return alone, image(directory, nvlink, ["left.o", "right.o"])


def image(directory, nvlink, objects):
    run([nvlink, f"--arch=sm_{GPU}", *objects, "-o", "program.cubin"], directory)
    code = (directory / "program.cubin").read_bytes()
    return {number for number in [1, 800, 900] if (SALT + number).to_bytes(4, "little") in code}


def lint(directory, linter):
    """The rules that are reported, those on the list of targets aside."""
    command = [linter, "check", ".", "--format", "json", "--isolated", "-nostdinc"]
    done = subprocess.run(command, cwd=directory, capture_output=True, text=True)
    findings = json.loads(done.stdout)["findings"]
    return sorted({one["rule"] for one in findings if one["rule"].startswith("arch-dependent")})


def run(command, directory):
    done = subprocess.run(command, cwd=directory, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"nvlink.py: {' '.join(map(str, command))} failed:\n{done.stderr}{done.stdout}")


def shown(numbers):
    return ", ".join(f"the text for {number}" if number > 1 else "the one text" for number in sorted(numbers))


if __name__ == "__main__":
    sys.exit(main())
