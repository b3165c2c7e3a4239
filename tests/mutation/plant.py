#!/usr/bin/env python3
"""Plants known bugs in real units, in copies of their projects, for `corpus/judge_fixes.py --units`.

    tests/mutation/plant.py --to FOLDER --seed N [--targets 80,90] [--nvcc PATH] LIST

Each line of LIST is `PROJECT<tab>FOLDER<tab>SOURCE<tab>OPTIONS[<tab>KINDS]`: a folder of a project, a source in it, what
nvcc needs to compile it, and the kinds of bugs (`mutation.py --kinds`) with commas between, or else one by chance, or
`none`. The folder is copied once for each line. The list for the judge goes to standard output. Whether nvcc sees the bug is not
asked here; with `--nvcc` it is asked whether it compiles the code for each target as it is, and with each planted condition
true: a bug is working code behind a guard, and kinds choose template arguments that not every template takes.
"""

import argparse
import os
import pathlib
import random
import shlex
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True

import bugs  # noqa: F401: fills the table of kinds
import mutation
from places import KINDS


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--to", type=pathlib.Path, required=True, help="where the copies go")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--targets", default="80,90")
    parser.add_argument("--nvcc", type=pathlib.Path, help="leave out what it does not compile")
    parser.add_argument("list", type=pathlib.Path)
    options = parser.parse_args()
    for number, line in enumerate(options.list.read_text().splitlines()):
        if not line or line.startswith("#"):
            continue
        project, folder, source, flags, *wanted = line.split("\t")
        copy = (options.to / f"{number:03}-{project}").resolve()
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(folder, copy, ignore=shutil.ignore_patterns(".git", "*.o", "build"), symlinks=True)
        planted = plant(copy, source, shlex.split(flags), options.targets, f"{options.seed} {project} {source} {number}", wanted)
        if planted is None:
            print(f"# no place in {project} {source}", file=sys.stderr)
            continue
        if options.nvcc and planted and not works(options.nvcc, copy, source, shlex.split(flags), options.targets, pathlib.Path(folder)):
            print(f"# {planted} in {project} {source} does not compile", file=sys.stderr)
            continue
        print("\t".join((project, str(copy), source, options.targets, flags, planted)))
    return 0


def plant(copy, source, flags, targets, seed, wanted):
    """The kinds of the bugs that were planted; `None` if the unit has no place for one."""
    if wanted == ["none"]:
        return ""
    chance = random.Random(seed)
    flags = [f"-I{copy / flag[2:]}" if flag.startswith("-I") else flag for flag in flags]
    project = mutation.Project(copy, [], flags)
    known = {kind.name: kind for kind in KINDS if kind.is_bug}
    names = wanted[0].split(",") if wanted else [chance.choice(sorted(known))]
    planted = []
    for number, name in enumerate(names):
        unit = mutation.Unit.read(project, copy / source, targets.split(","))
        made = known[name].make(unit, chance, f"planted_{number}")
        if made:
            write(made[0])
            planted.append(name)
    return ",".join(planted) or None


def works(nvcc, copy, source, flags, targets, original):
    """nvcc compiles every pass of the source, with the planted conditions, which may stand in its headers, as they are and without them."""
    files = [path for path in copy.rglob("*") if differs(path, original / path.relative_to(copy))]
    changed = {path: path.read_text(errors="surrogateescape") for path in files}
    flags = [f"-I{copy / flag[2:]}" if flag.startswith("-I") else flag for flag in flags]
    architectures = [f"-gencode=arch=compute_{target},code=sm_{target}" for target in targets.split(",")]
    try:
        for variant in (lambda text, own: text, without_conditions):
            for path, text in changed.items():
                own = (original / path.relative_to(copy)).read_text(errors="surrogateescape")
                path.write_text(variant(text, own), errors="surrogateescape")
            command = [nvcc, "-c", "-w", *flags, *architectures, "-o", os.devnull, copy / source]
            if subprocess.run(command, cwd=copy, capture_output=True).returncode:
                return False
    finally:
        for path, text in changed.items():
            path.write_text(text, errors="surrogateescape")
    return True


def differs(path, original):
    return path.is_file() and original.is_file() and path.read_bytes() != original.read_bytes()


def without_conditions(text, own):
    """The text with each condition true that its original does not have."""
    known = set(own.splitlines())
    return "".join("#if 1\n" if line.startswith("#if") and line not in known else f"{line}\n" for line in text.splitlines())


def write(edits):
    for path in {edit.path for edit in edits}:
        old = path.read_text(errors="surrogateescape") if path.exists() else ""
        new, at = "", 0
        for edit in sorted((edit for edit in edits if edit.path == path), key=lambda edit: edit.start):
            new += old[at : edit.start] + edit.text
            at = edit.end
        path.write_text(new + old[at:], errors="surrogateescape")


if __name__ == "__main__":
    sys.exit(main())
