#!/usr/bin/env python3
"""What the program takes for real sources that were broken, with all their headers: processor time and memory, against the original's.

    tests/mutated.py [--linter PATH] [--count 2000] [--seed 1] [--known FILE] UNITS

UNITS has a unit a line, tab-separated: project, folder, source, targets, options (`-I`, `-D`, `-isystem`, `--cuda-path` and so on,
paths from the folder on). The folders are copied, and nothing outside of the copies is written. A mutation changes the source, or
a header of the folder that it includes: brackets, words, characters and lines come, go and are swapped, comments, literals and
conditionals are left open, files end early, and text comes twice. All hangs on the seed and on the mutation's number, so that
`--only NUMBER` makes one again and `--keep DIR` leaves its text there.

Exit status: 0 when no mutation took more than `--times` times (default: 10) what the original did, nor more than `--most` megabytes
(default: 1000), ended by a signal or with an undocumented status, or met a defect of the program's own. `--known FILE` writes a line
a mutation: number, unit, file, kind, exit status, seconds, megabytes, how many times the original's seconds.
"""

import argparse
import collections
import os
import pathlib
import random
import re
import resource
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile

# The exit statuses that the program documents for a run that found sources.
STATUSES = {0, 1, 3}

# What `--known` has of each mutation.
FIELDS = ("number", "unit", "file", "kind", "status", "seconds", "megabytes", "times", "wrong")

TOKEN = re.compile(r"[A-Za-z_]\w*|\d[\w.]*|\"(?:\\.|[^\"\\\n])*\"|<<<|>>>|::|->|&&|\|\||[^\s\w]")
BRACKETS = "(){}[]<>"
WORDS = ["template", "typename", "class", "struct", "namespace", "using", "operator", "decltype", "constexpr", "__global__",
         "__device__", "<<<", ">>>", "...", "::", "=", ",", ";", "requires", "extern \"C\" {", "R\"x(", "'", "\"", "/*", "*/", "//",
         "\\\n", "\n#if 1\n", "\n#else\n", "\n#endif\n", "\n#ifdef __CUDA_ARCH__\n", "\n#define int\n", "__CUDA_ARCH__",
         "((((((((", "{{{{{{{{", "<<<<<<<<", "))))", "}}}}", ">>>>", "\0", "\u00e9", "\n#include \"", "\n#undef __global__\n"]


# ---- mutations: (text, chance) -> text ----


def places(text, wanted):
    return [at for at, one in enumerate(text) if one in wanted] or [0]


def delete_bracket(text, chance):
    at = chance.choice(places(text, BRACKETS))
    return text[:at] + text[at + 1 :]


def insert_bracket(text, chance):
    at = chance.randrange(len(text) + 1)
    return text[:at] + chance.choice(BRACKETS) + text[at:]


def exchange_bracket(text, chance):
    at = chance.choice(places(text, BRACKETS))
    return text[:at] + chance.choice(BRACKETS) + text[at + 1 :]


def delete_closing_brace(text, chance):
    at = chance.choice(places(text, "}"))
    return text[:at] + text[at + 1 :]


def open_brace_before_includes(text, chance):
    lines = text.splitlines(keepends=True)
    includes = [number for number, line in enumerate(lines) if re.match(r"\s*#\s*include\b", line)] or [0]
    word = chance.choice(["namespace a {\n", "struct A {\n", "void f() {\n", "template <class T\n", "int a[\n", "f(\n", "{\n", "}\n"])
    lines.insert(chance.choice(includes), word)
    return "".join(lines)


def cut_off(text, chance):
    return text[: chance.randrange(len(text) + 1)]


def cut_out(text, chance):
    at = chance.randrange(len(text) + 1)
    return text[:at] + text[at + chance.choice([2, 20, 200, 2000]) :]


def delete_characters(text, chance):
    for _ in range(chance.choice([1, 5, 50])):
        at = chance.randrange(len(text) + 1)
        text = text[:at] + text[at + 1 :]
    return text


def change_characters(text, chance):
    for _ in range(chance.choice([1, 5, 50])):
        at = chance.randrange(len(text) + 1)
        text = text[:at] + chr(chance.randrange(1, 127)) + text[at + 1 :]
    return text


def of_lines(change):
    def changed(text, chance):
        lines = text.splitlines(keepends=True) or [""]
        change(lines, chance)
        return "".join(lines)

    changed.__name__ = change.__name__
    return changed


@of_lines
def duplicate_lines(lines, chance):
    at, count = chance.randrange(len(lines)), chance.choice([1, 3, 30])
    lines[at:at] = lines[at : at + count] * chance.choice([1, 1, 10, 100])


@of_lines
def delete_lines(lines, chance):
    at = chance.randrange(len(lines))
    del lines[at : at + chance.choice([1, 1, 2, 10])]


@of_lines
def swap_lines(lines, chance):
    one, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    lines[one], lines[other] = lines[other], lines[one]


@of_lines
def delete_directive(lines, chance):
    directives = [number for number, line in enumerate(lines) if re.match(r"\s*#\s*(if|else|elif|endif|define|pragma)", line)]
    if directives:
        del lines[chance.choice(directives)]


def swap_tokens(text, chance):
    tokens = list(TOKEN.finditer(text))
    if len(tokens) < 3:
        return text
    one = chance.randrange(len(tokens) - 2)
    other = min(len(tokens) - 1, one + chance.choice([1, 1, 2, 10, 1000]))
    a, b = tokens[one], tokens[other]
    return text[: a.start()] + b.group() + text[a.end() : b.start()] + a.group() + text[b.end() :]


def delete_token(text, chance):
    tokens = list(TOKEN.finditer(text))
    if not tokens:
        return text
    one = chance.choice(tokens)
    return text[: one.start()] + text[one.end() :]


def insert_word(text, chance):
    tokens = list(TOKEN.finditer(text))
    at = chance.choice(tokens).start() if tokens else 0
    return f"{text[:at]} {chance.choice(WORDS)} {text[at:]}"


def repeat_token(text, chance):
    tokens = list(TOKEN.finditer(text))
    if not tokens:
        return text
    one = chance.choice(tokens)
    return text[: one.start()] + (one.group() + " ") * chance.choice([2, 100, 5000]) + text[one.end() :]


def graft(text, chance):
    """A part of the text in another place."""
    at, to = chance.randrange(len(text) + 1), chance.randrange(len(text) + 1)
    return text[:to] + text[at : at + chance.choice([50, 500, 5000])] + text[to:]


def several(text, chance):
    for kind in chance.sample(KINDS[:-1], 4):
        text = kind(text, chance)
    return text


KINDS = [
    delete_bracket, insert_bracket, exchange_bracket, delete_closing_brace, open_brace_before_includes, cut_off, cut_out,
    delete_characters, change_characters, duplicate_lines, delete_lines, swap_lines, delete_directive, swap_tokens, delete_token,
    insert_word, repeat_token, graft, several,
]


# ---- runs ----


class Unit:
    def __init__(self, line, scratch, copies):
        self.project, folder, self.source, self.targets, options = line.split("\t")
        if folder not in copies:
            copies[folder] = scratch / f"{len(copies)}"
            shutil.copytree(folder, copies[folder], symlinks=True, ignore=shutil.ignore_patterns(".git"))
        self.folder = copies[folder]
        self.options = shlex.split(options)
        self.files = []

    def run(self, linter, limit):
        """(exit status, seconds of processor time, megabytes, what was said)"""
        command = [linter, "check", self.source, "--isolated", "--jobs", "1", "--format", "concise", "--arch", self.targets, *self.options]

        def limited():
            resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))

        with tempfile.TemporaryFile() as said:
            child = subprocess.Popen(command, cwd=self.folder, stdout=said, stderr=said, preexec_fn=limited)
            _, status, used = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
            said.seek(0)
            return child.returncode, used.ru_utime + used.ru_stime, used.ru_maxrss / 1e3, said.read().decode(errors="replace")

    def measure(self, linter):
        """What the original takes; the files of the folder that it reads."""
        status, _, self.memory, said = self.run(linter, 600)
        if status not in STATUSES:
            raise SystemExit(f"{self.source}: exit status {status}: {said[-1000:]}")
        self.status = status
        self.seconds = statistics.median(self.run(linter, 600)[1] for _ in range(3))
        self.files = self.included()

    def included(self):
        """The source, and headers of the folder that it includes, found by their names."""
        by_end = collections.defaultdict(list)
        for path in self.folder.rglob("*"):
            if path.suffix in {".h", ".hpp", ".cuh", ".inl", ".inc"} and path.is_file():
                by_end[path.name].append(path)
        found, todo = [self.folder / self.source], [self.folder / self.source]
        while todo and len(found) < 60:
            text = todo.pop(0).read_text(errors="replace")
            for name in re.findall(r"^\s*#\s*include\s*[<\"]([^>\"]+)", text, re.M):
                near = [path for path in by_end[pathlib.Path(name).name] if str(path).endswith(name.lstrip("./"))]
                if near and near[0] not in found:
                    found.append(near[0])
                    todo.append(near[0])
        return found


def mutation(number, seed, units):
    """(unit, file, kind, text) of a number; it says nothing of the numbers before."""
    chance = random.Random(f"{seed} {number}")
    unit = units[number % len(units)]
    # Two of three times the source itself.
    file = unit.files[0] if chance.random() < 0.67 or len(unit.files) == 1 else chance.choice(unit.files[1:])
    kind = KINDS[chance.randrange(len(KINDS))]
    return unit, file, kind.__name__, kind(file.read_text(errors="replace"), chance)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--linter", default="target/release/cuda-arch-lint", help="the program")
    parser.add_argument("--count", type=int, default=2000, help="how many mutations")
    parser.add_argument("--first", type=int, default=0, metavar="NUMBER", help="the number of the first one")
    parser.add_argument("--only", type=int, metavar="NUMBER", help="make this mutation alone")
    parser.add_argument("--keep", type=pathlib.Path, metavar="DIR", help="leave the text of each that was wrong there")
    parser.add_argument("--seed", type=int, default=1, help="which mutations")
    parser.add_argument("--times", type=float, default=10, help="how many times the original's processor time one may take")
    parser.add_argument("--most", type=float, default=1000, metavar="MB", help="how much memory one may take")
    parser.add_argument("--known", type=pathlib.Path, metavar="FILE", help="write a line for each there")
    parser.add_argument("units", type=pathlib.Path)
    options = parser.parse_args()
    linter = str(pathlib.Path(options.linter).resolve())
    numbers = [options.only] if options.only is not None else range(options.first, options.first + options.count)
    with tempfile.TemporaryDirectory() as scratch:
        copies = {}
        lines = [line for line in options.units.read_text().splitlines() if line and not line.startswith("#")]
        units = [Unit(line, pathlib.Path(scratch), copies) for line in lines]
        for unit in units:
            unit.measure(linter)
            print(f"{unit.project} {unit.source}: {unit.seconds:.2f} s, {unit.memory:.0f} MB, exit status {unit.status}, {len(unit.files)} files", flush=True)
        rows = []
        with open(options.known or os.devnull, "w") as known:
            print(*FIELDS, sep="\t", file=known)
            try:
                for number in numbers:
                    rows.append(made(number, options, linter, units))
                    values = [rows[-1][field] for field in FIELDS]
                    print(*(f"{value:.2f}" if isinstance(value, float) else value for value in values), sep="\t", file=known, flush=True)
            except KeyboardInterrupt:
                print(f"interrupted; the next would be {number}")
    wrong = [row for row in rows if row["wrong"]]
    for unit in units:
        own = [row for row in rows if row["unit"] == unit.source]
        if own:
            slowest, largest = max(own, key=lambda row: row["times"]), max(own, key=lambda row: row["megabytes"])
            codes = ", ".join(f"{count} with {code}" for code, count in sorted(collections.Counter(row["status"] for row in own).items()))
            print(f"{unit.project} {unit.source}: {len(own)} mutations ended {codes}; at most {slowest['times']:.1f} times ({slowest['number']}), "
                  f"{largest['megabytes']:.0f} MB ({largest['number']})")
    print(f"{len(rows)} mutations, {len(wrong)} wrong")
    return 1 if wrong or not rows else 0


def made(number, options, linter, units):
    unit, file, kind, text = mutation(number, options.seed, units)
    before = file.read_bytes()
    limit = int(unit.seconds * options.times * 2) + 2
    try:
        file.write_text(text, errors="replace")
        status, seconds, memory, said = unit.run(linter, limit)
    finally:
        file.write_bytes(before)
    times = seconds / unit.seconds
    wrong = []
    if status not in STATUSES:
        wrong.append(f"exit status {status}")
    if "a defect of its own" in said or "panicked" in said:
        wrong.append("a defect of its own")
    if times > options.times:
        wrong.append("time")
    if memory > options.most:
        wrong.append("memory")
    row = {"number": number, "unit": unit.source, "file": str(file.relative_to(unit.folder)), "kind": kind, "status": status,
           "seconds": seconds, "megabytes": memory, "times": times, "wrong": ", ".join(wrong)}
    if wrong or options.only is not None:
        print(f"{'WRONG' if wrong else 'fine'} {number} {kind} of {row['file']} for {unit.source}: {', '.join(wrong)}: exit status {status}, "
              f"{seconds:.1f} s, {times:.1f} times, {memory:.0f} MB", flush=True)
        if options.keep:
            options.keep.mkdir(parents=True, exist_ok=True)
            (options.keep / f"{number}{file.suffix}").write_text(text, errors="replace")
        if options.only is not None:
            print(said[-3000:])
    return row


if __name__ == "__main__":
    sys.exit(main())
