#!/usr/bin/env python3
"""What the whole analysis of a unit costs, beside `clang++ -E` of one of its passes.

    benches/units.py --linter PROGRAM [--linter ANOTHER] [--rounds N] [--clang COMMAND] UNITS

UNITS has a unit a line, as for `tests/mutated.py`: project, folder, source, targets, options of the compile command, with tabs
between. Each program analyses the unit alone with one thread, for the host and all targets, and clang preprocesses it as its host
pass; they take turns. A row has the medians of the rounds: user seconds and the most megabytes of each program, clang's user
seconds, and the first program's by clang's. Exit status 1 if a program ends otherwise than with 0, 1 or 3.
"""

import argparse
import os
import pathlib
import shlex
import statistics
import subprocess
import sys
import typing


class Cost(typing.NamedTuple):
    seconds: float
    megabytes: float
    status: int


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--linter", type=pathlib.Path, action="append", required=True, help="a program; several are compared")
    parser.add_argument("--rounds", type=int, default=5, help="how often each is run (default: 5)")
    parser.add_argument("--clang", default="clang++", help="the command that preprocesses (default: clang++)")
    parser.add_argument("units", type=pathlib.Path, help="the list of units")
    options = parser.parse_args()
    programs = [one.resolve() for one in options.linter]
    columns = [f"{one.name} {unit}" for one in programs for unit in ("s", "MB")]
    print("\t".join(["unit", *columns, "clang -E s", "ratio"]), flush=True)
    failed = False
    for line in options.units.read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        _, folder, source, targets, flags = line.split("\t")
        flags = shlex.split(flags)
        ours = ["check", source, "--isolated", "--jobs", "1", "--format", "concise", "--arch", targets, *flags]
        commands = [[program, *ours] for program in programs]
        host = ["-x", "c++", "-w", "-D__CUDACC__", "-D__NVCC__", "-D__CUDACC_VER_MAJOR__=13", "-D__CUDACC_VER_MINOR__=0"]
        commands.append([*shlex.split(options.clang), "-E", *host, "-include", "cuda_runtime.h", *flags, source])
        rounds = [[cost(command, folder) for command in commands] for _ in range(options.rounds)]
        *made, clang = zip(*rounds)
        failed |= any(one.status not in (0, 1, 3) for program in made for one in program) or any(one.status for one in clang)
        own = [(median(one.seconds for one in program), median(one.megabytes for one in program)) for program in made]
        reference = median(one.seconds for one in clang)
        figures = [f"{seconds:.2f}\t{megabytes:.0f}" for seconds, megabytes in own]
        print("\t".join([source, *figures, f"{reference:.2f}", f"{own[0][0] / reference:.2f}"]), flush=True)
    return 1 if failed else 0


def cost(command, folder):
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return Cost(usage.ru_utime, usage.ru_maxrss / 1024, process.returncode)


median = statistics.median

if __name__ == "__main__":
    sys.exit(main())
