#!/usr/bin/env python3
"""Compares the linter's list of kernels with nvcc's for sources of public projects.

    tests/census/census.py make [--nvcc PATH] --projects DIR --name NAME [--option=OPTION ...] [--jobs N] UNIT ...
    tests/census/census.py score --linter BIN --projects DIR [--cuda-path DIR] [--bare] [--every N] [-v] [NAME ...]

DIR has the projects' work trees, each under its name. A UNIT is a source's path in its project. An OPTION is one for
nvcc, in which `{root}` stands for the project's work tree, `{dir}` for the source's directory and `{projects}` for DIR.

`make` asks nvcc which kernels and instantiations of kernel templates a unit has for sm_80, those of the toolkit's
headers included, and writes their names into `NAME.tsv`, or `NAME.tsv.gz` when it is large; no code is kept. They are
those that the code registers which nvcc makes of the unit for the host. A unit that has a row for the same commit and
options is not compiled again; one that nvcc refuses is named and has none.

`score` compares the linter's list of each unit with its row. `--bare` leaves the headers of the toolkit and the host
compiler unread; those of the options are read. `--every N` takes each N-th unit. A kernel that the linter lacks is
silently missing unless it says of that kernel that something can't be told. A project whose work tree is not there, or
is at another commit, is left out and named. Per project and in all: units, those whose lists are equal, nvcc's kernels,
those that are missing, missing silently, and those that only the linter has. Where headers of CUB and Thrust were not
found (`--bare`, or no `--cuda-path`), their kernels stand in no file that was read: how many of the missing these are, and
how much of the rest was found.

Exit status: 0; of `make` 1 when nvcc refused units, of `score` 1 when a list differs; 2 for a wrong command line.
"""

import argparse
import concurrent.futures
import gzip
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import typing

sys.dont_write_bytecode = True
CENSUS = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(CENSUS.parent / "programs"))

import kernel_names
import linter_list

TARGET = "80"
COMPRESSED_ABOVE = 200_000
"""Bytes that a list may have as plain text."""
TIMEOUT = 600
"""Seconds that nvcc may take over one unit."""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    make = commands.add_parser("make", help="ask nvcc")
    make.add_argument("--nvcc", default="nvcc", help="the compiler driver (default: nvcc from PATH)")
    make.add_argument("--name", required=True, help="the project")
    make.add_argument("--option", action="append", default=[], help="an option for nvcc")
    make.add_argument("unit", nargs="+", help="a source's path in the project")
    score = commands.add_parser("score", help="compare the linter's lists")
    score.add_argument("--linter", required=True, type=pathlib.Path, help="cuda-arch-lint's binary")
    score.add_argument("--cuda-path", help="the toolkit's directory")
    score.add_argument("--bare", action="store_true", help="read no headers of the toolkit and the host compiler")
    score.add_argument("--every", type=int, default=1, help="take each N-th unit")
    score.add_argument("-v", "--verbose", action="store_true", help="print the names that differ")
    score.add_argument("name", nargs="*", help="projects (default: all)")
    for command in (make, score):
        command.add_argument("--projects", type=pathlib.Path, required=True, help="the directory of the work trees")
        command.add_argument("--jobs", type=int, default=1, help="units at once")
    options = parser.parse_args()
    options.projects = options.projects.resolve()
    return made(options) if options.command == "make" else scored(options)


class Row(typing.NamedTuple):
    """The kernels of a unit."""

    path: str
    options: str
    kernels: tuple


class Project:
    """What is kept of a project: a commit and the rows, by path and options."""

    def __init__(self, name, commit, rows):
        self.name, self.commit, self.rows = name, commit, rows

    @staticmethod
    def read(name):
        plain = CENSUS / f"{name}.tsv"
        packed = CENSUS / f"{name}.tsv.gz"
        if packed.exists():
            lines = gzip.decompress(packed.read_bytes()).decode().splitlines()
        else:
            lines = plain.read_text().splitlines() if plain.exists() else []
        project = Project(name, "", {})
        for line in lines:
            if line.startswith("#"):
                project.commit = re.search(r"commit (\w+)", line).group(1)
            else:
                path, options, _, kernels = line.split("\t")
                project.add(Row(path, options, tuple(kernels.split(";")) if kernels else ()))
        return project

    def add(self, row):
        self.rows[row.path, row.options] = row

    def write(self, release):
        lines = [f"# {self.name} at commit {self.commit}: kernels that nvcc {release} makes for sm_{TARGET}"]
        for key, row in sorted(self.rows.items()):
            lines.append("\t".join([*key, str(len(row.kernels)), ";".join(row.kernels)]))
        text = "\n".join(lines) + "\n"
        is_large = len(text) > COMPRESSED_ABOVE
        for ending, is_used in ((".tsv", not is_large), (".tsv.gz", is_large)):
            file = CENSUS / f"{self.name}{ending}"
            if not is_used:
                file.unlink(missing_ok=True)
            else:
                file.write_bytes(gzip.compress(text.encode(), mtime=0) if is_large else text.encode())


def made(options):
    nvcc = shutil.which(options.nvcc)
    root = options.projects / options.name
    if nvcc is None or not root.is_dir():
        print(f"census.py: no such {'project' if nvcc else 'compiler'}", file=sys.stderr)
        return 2
    version = subprocess.run([nvcc, "--version"], capture_output=True, text=True, check=True).stdout
    release = re.search(r"V(\d[\d.]*)", version).group(1)
    project = Project.read(options.name)
    if project.commit != commit_of(root):
        project = Project(options.name, commit_of(root), {})
    words = " ".join(options.option)
    todo = [unit for unit in options.unit if (unit, words) not in project.rows]
    refused = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for unit, (row, complaint) in zip(todo, pool.map(lambda unit: row_of(nvcc, options, unit, words), todo)):
            if row is None:
                refused += 1
                print(f"refused  {unit}: {complaint}", flush=True)
                continue
            print(f"{len(row.kernels):7}  {unit}", flush=True)
            project.add(row)
            project.write(release)
    print(f"{options.name}: {len(todo) - refused} units new, {refused} refused; {len(project.rows)} in all")
    return 1 if refused else 0


def row_of(nvcc, options, unit, words):
    """(what nvcc makes of the unit, none) or (none, why it refuses it)."""
    with tempfile.TemporaryDirectory() as scratch:
        arguments = ["-w", *expanded(options, options.name, unit, words), str(options.projects / options.name / unit)]
        try:
            entries = registered(nvcc, arguments, scratch)
        except Refused as refused:
            return None, str(refused)
    return Row(unit, words, tuple(sorted(kernel_names.demangled(sorted(entries))))), None


class Refused(Exception):
    """nvcc has no list for a unit."""


def registered(nvcc, arguments, scratch):
    """The mangled names of the kernels that the registration code of a unit names.

    The device's compiler writes that code. Its optimizations, which may take minutes, have no part in it and are put off as
    for the linker (`-lto`). The commands are otherwise those that nvcc would run.
    """
    plan = [nvcc, "-cuda", f"-arch=sm_{TARGET}", "--dryrun", "--keep", "--keep-dir", scratch, *arguments]
    lines = subprocess.run(plan, cwd=scratch, capture_output=True, text=True).stderr.splitlines()
    steps = [line.removeprefix("#$ ") for line in lines if line.startswith("#$ ")]
    preprocessing = [step for step in steps if " -E " in step and "-D__CUDA_ARCH__=" in step]
    compiling = [step for step in steps if re.match(r'\S*cicc"? ', step)]
    if len(preprocessing) != 1 or len(compiling) != 1:
        raise Refused("; ".join(lines[:1]) or "nothing to do")
    # The step that would have made the module's name compiles for the host, and is not run.
    compiling = re.sub("(?=--module_id_file_name)", "--gen_module_id_file -lto -olto unit.ltoir ", compiling[0])
    variables = dict(step.split("=", 1) for step in steps if re.match(r"(CICC_PATH|LD_LIBRARY_PATH)=", step))
    where = {"cwd": scratch, "env": os.environ | variables}
    for step in (preprocessing[0], compiling):
        try:
            # One process, so that it is what ends when the time is over.
            done = subprocess.run(f"exec {step}", shell=True, capture_output=True, text=True, timeout=TIMEOUT, **where)
        except subprocess.TimeoutExpired:
            raise Refused(f"no answer in {TIMEOUT} s") from None
        if done.returncode:
            raise Refused(first_error(done.stderr))
    stub = re.search(r'--stub_file_name "([^"]+)"', compiling).group(1)
    return set(registrations(pathlib.Path(stub).read_text()))


def registrations(text):
    """The mangled names in `__cudaRegisterEntry(__T0, (KERNEL), NAME, BOUND)`; the bound may be any expression."""
    for call in text.split("__cudaRegisterEntry(__T")[1:]:
        depth = 0
        for at in range(call.index("("), len(call)):
            depth += (call[at] == "(") - (call[at] == ")")
            if depth == 0:
                yield re.match(r", (\w+),", call[at + 1 :]).group(1)
                break


def first_error(errors):
    lines = errors.splitlines()
    return ([line for line in lines if "error" in line] or lines or ["no words"])[0]


def expanded(options, name, unit, words):
    """The options of a unit, with directories of this machine."""
    root = options.projects / name
    known = {"root": root, "dir": (root / unit).parent, "projects": options.projects}
    return [re.sub(r"\{(\w+)\}", lambda found: str(known[found.group(1)]), word) for word in words.split()]


def commit_of(root):
    done = subprocess.run(["git", "-C", str(root), "rev-parse", "HEAD"], capture_output=True, text=True)
    return done.stdout.strip() or "unknown"


class Tally:
    """What the comparison of units comes to."""

    def __init__(self):
        self.units = self.equal = self.kernels = self.missing = self.silent = self.extra = 0
        self.unread = 0
        """Missing kernels that headers define which were not found."""
        self.readable = 0
        """Kernels of nvcc's that no such header defines."""

    def add(self, row, own, lacking, silent, more):
        self.units += 1
        self.equal += not lacking and not more
        self.kernels += len(row.kernels)
        self.missing += len(lacking)
        self.silent += len(silent)
        self.extra += len(more)
        self.unread += sum(map(own.is_in_a_header_not_found, lacking))
        self.readable += sum(not own.is_in_a_header_not_found(name) for name in row.kernels)

    def __iadd__(self, other):
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)
        return self

    def sentence(self, name):
        found = percentage(self.kernels - self.missing, self.kernels)
        equal = percentage(self.equal, self.units)
        sentence = (
            f"{name}: {self.equal} of {self.units} units equal ({equal:.1f} %); {self.kernels} kernels, "
            f"{found:.2f} % found, {self.missing} missing ({self.silent} silently), {self.extra} extra"
        )
        if self.unread:
            rest = self.missing - self.unread
            sentence += (
                f"; {self.unread} of the missing are in headers that were not found, and of the {self.readable} others "
                f"{percentage(self.readable - rest, self.readable):.2f} % found, {rest} missing"
            )
        return sentence


def percentage(part, whole):
    return 100 * part / whole if whole else 100


def scored(options):
    names = options.name or sorted({file.name.split(".tsv")[0] for file in CENSUS.glob("*.tsv*")})
    everything = Tally()
    for name in names:
        project = Project.read(name)
        root = options.projects / name
        if not root.is_dir() or commit_of(root) != project.commit:
            print(f"{name}: not at {project.commit} in {options.projects}")
            continue
        tally = Tally()
        rows = [row for _, row in sorted(project.rows.items())][:: options.every]
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for row, own in zip(rows, pool.map(lambda row: answer(options, name, row), rows)):
                lacking, more = kernel_names.differences(row.kernels, own.kernels)
                silent = [name for name in lacking if not own.tells(name)]
                tally.add(row, own, lacking, silent, more)
                if lacking or more or own.complaint:
                    print_unit(options, name, row, lacking, silent, more, own)
        print(tally.sentence(name), flush=True)
        everything += tally
    print(everything.sentence("in all"))
    return 0 if everything.equal == everything.units else 1


def print_unit(options, name, row, lacking, silent, more, own):
    counts = f"{len(row.kernels)} kernels, {len(lacking)} missing ({len(silent)} silently), {len(more)} extra"
    print(f"{name}/{row.path}: {counts}" + (f" [{own.complaint}]" if own.complaint else ""), flush=True)
    if options.verbose:
        for one in lacking:
            print(f"    missing  {one}" + ("" if one in silent else " (told)"))
        for one in more:
            print(f"    extra    {one}")


def answer(options, name, row):
    headers = ["--nostdinc"] if options.bare else ["--cuda-path", options.cuda_path] if options.cuda_path else []
    words = expanded(options, name, row.path, row.options)
    root = options.projects / name
    return linter_list.answer(options.linter.resolve(), root / row.path, TARGET, [*headers, *for_linter(words)], root)


def for_linter(words):
    """nvcc's options as the linter has them."""
    options = []
    for word in words:
        if word.startswith("-std="):
            options += ["--std", word.removeprefix("-std=")]
        elif word.startswith(("-I", "-D", "-U")):
            options.append(word)
        else:
            options.append(f"--extra-arg={word}")
    return options


if __name__ == "__main__":
    sys.exit(main())
