#!/usr/bin/env python3
"""Runs a preprocessor's public test suite with cuda-arch-lint and says which cases differ.

    tests/preprocess/suites.py FOLDER --kind tinycc|wave|mcpp

FOLDER is a checkout of the suite, which is not part of this project:

    tinycc  tests/pp of TinyCC                   each case has its expected output
    wave    test/testwave/testfiles of Boost.Wave  cases have it in `//R` comments
    mcpp    test-t of mcpp's validation suite    cases without: compilers are the judges

A case that has its expected output must give that; one that has not, or that expects an error, must
give what g++ or clang++ prints for it. What differs is explained in suites.md, by name; a case that
differs and is not there makes the exit code 1, and so does one that is there and does not differ.
"""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

TOKEN = re.compile(
    r"""(?:u8|u|U|L)?R"([^\s()\\]{0,16})\((?:.|\n)*?\)\1"\w*   # raw strings
      | (?:u8|u|U|L)?"(?:\\.|[^"\\\n])*"
      | (?:u8|u|U|L)?'(?:\\.|[^'\\\n])*'
      | (?:[^\W\d]|\$|\\u[\da-fA-F]{4}|\\U[\da-fA-F]{8})(?:[\w$]|\\u[\da-fA-F]{4}|\\U[\da-fA-F]{8})*
      | \.?\d(?:[eEpP][+-]|'?[\w.])*
      | %:%: | <=> | ->\* | \.\.\. | <<= | >>= | :: | \.\* | -> | \+\+ | --
      | [-+*/%^&|=!<>]= | && | \|\| | << | >> | \#\# | %: | <: | :> | <% | %>
      | \S""",
    re.X,
)
DIGRAPHS = {"%:%:": "##", "%:": "#", "<:": "[", ":>": "]", "<%": "{", "%>": "}"}

# How the files of a suite that are cases are called.
CASES = {"tinycc": "*.[cS]", "wave": "t_*.cpp", "mcpp": "*.t"}


def tokens(text):
    """The spellings of the tokens of preprocessed text."""
    lines = [line for line in text.split("\n") if not re.match(r"\s*#\s*(pragma|line|ident|\d)", line)]
    found = [match.group() for match in TOKEN.finditer("\n".join(lines))]
    return [DIGRAPHS.get(one, named(one)) for one in found]


def named(token):
    """An identifier with its characters for their universal names, by which compilers may print them."""
    if token[-1] in "\"'" or not re.match(r"\w|\$|\\", token):
        return token
    return re.sub(r"\\[uU]([\da-fA-F]+)", lambda match: chr(int(match[1], 16)), token)


def expected(kind, case):
    """The output the suite wants of a case, or None."""
    if kind == "tinycc":
        text = case.with_suffix(".expect").read_text()
        return re.sub(r"^\S+:\d+: (warning|error): .*$", "", text, flags=re.M)
    if kind == "wave":
        text = case.read_text(errors="replace")
        wanted = re.findall(r"//R(?:$| ?(.*)$)", text, re.M)
        if not wanted or "//E" in text or any("$" in line for line in wanted):
            return None
        return "\n".join(wanted)
    return None


def options(kind, case):
    """What the case wants on the command line."""
    if kind != "wave":
        return []
    text = case.read_text(errors="replace")
    found = re.findall(r"^//O (-[DI]\S+)", text, re.M)
    found = [re.sub(r"^-I\$P\((.*)\)$", lambda m: f"-I{case.parent / m.group(1)}", one) for one in found]
    forced = re.findall(r"^//O --forceinclude=(\S+)", text, re.M)
    return found + [f"-include{case.parent / name}" for name in forced]


def system_directories(compiler):
    """Where the compiler looks for system headers."""
    command = [compiler, "-E", "-v", "-x", "c++", "/dev/null"]
    said = subprocess.run(command, capture_output=True, text=True).stderr
    found = re.search(r"#include <\.\.\.> search starts here:\n(.*?)End of search list", said, re.S)
    return [line.strip() for line in found.group(1).splitlines()] if found else []


def ours(program, source, folders, extra):
    command = [program, "dump", "--stage", "tokens", source, "--arch", "75", "--pass", "host"]
    for folder in folders:
        command += ["-I", folder]
    for option in extra:
        name = "-include" if option.startswith("-include") else option[:2]
        command += [name.replace("-include", "--include"), option[len(name) :]]
    result = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=60)
    if result.returncode != 0:
        return [f"exit code {result.returncode}: {result.stderr.strip()}"]
    # A line a token, the spelling before the first tab; raw strings may hold line ends.
    lines = re.findall(r"^(?:\*|\S+) +(\S(?:[^\t]|\n)*?)\t[^\n]*$", result.stdout, re.M)
    return [piece for line in lines for piece in tokens(line) or [line]]


def compiled(compiler, source, folder, extra):
    command = [compiler, "-E", "-P", "-w", "-x", "c++", "-std=gnu++17", "-I", folder, *extra, source]
    try:
        result = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=60)
    except FileNotFoundError:
        return None
    return tokens(result.stdout)


def first_difference(one, other):
    at = next((i for i, (a, b) in enumerate(zip(one, other)) if a != b), min(len(one), len(other)))
    show = lambda found: " ".join(found[max(0, at - 4) : at + 6]) or "nothing"
    return f"ours `{show(one)}`, wanted `{show(other)}`"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--kind", choices=CASES, required=True)
    parser.add_argument("--program", default="cuda-arch-lint", help="the linter (default: on the path)")
    parser.add_argument("--gcc", default="g++")
    parser.add_argument("--clang", default="clang++")
    arguments = parser.parse_args()
    program = str(pathlib.Path(arguments.program).resolve()) if "/" in arguments.program else arguments.program
    notes = pathlib.Path(__file__).with_suffix(".md").read_text()
    section = re.search(rf"^## {arguments.kind}\b(.*?)(?=^## |\Z)", notes, re.M | re.S)
    explained = set(re.findall(r"`([^`\s]+)`", section.group(1))) if section else set()
    missing = [name for name in (program, arguments.gcc, arguments.clang) if not shutil.which(name)]
    if missing:
        print(f"not found: {', '.join(missing)}; say where with --program, --gcc or --clang", file=sys.stderr)
        sys.exit(2)
    system = system_directories(arguments.gcc)
    same = unexpected = 0
    differing = set()
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch) / "suite"
        shutil.copytree(arguments.folder, folder)
        for case in sorted(folder.glob(CASES[arguments.kind])):
            # The linter reads CUDA sources; a compiler is given the same file.
            source = case.with_suffix(".cu")
            shutil.copyfile(case, source)
            extra = options(arguments.kind, case)
            found = ours(program, str(source), [str(folder), *system], extra)
            judged = {
                name: compiled(compiler, str(source), str(folder), extra)
                for name, compiler in [("g++", arguments.gcc), ("clang++", arguments.clang)]
            }
            wanted = expected(arguments.kind, case)
            agreeing = [name for name, theirs in judged.items() if theirs == found]
            if wanted is not None:
                wanted = tokens(wanted)
                agrees = wanted == found
            else:
                wanted = judged["g++"]
                agrees = bool(agreeing)
            source.unlink()
            if agrees:
                same += 1
                continue
            differing.add(case.name)
            known = "explained" if case.name in explained else "NOT EXPLAINED"
            unexpected += case.name not in explained
            with_us = " and ".join(agreeing) or "no compiler"
            print(f"{case.name}: {known}; {with_us} with us\n    {first_difference(found, wanted)}")
    print(f"{same} cases are as wanted, {len(differing)} differ")
    stale = {name for name in explained - differing if (arguments.folder / name).exists()}
    for name in sorted(stale):
        print(f"{name}: explained in suites.md, but does not differ")
    sys.exit(1 if unexpected or stale else 0)


if __name__ == "__main__":
    main()
