#!/usr/bin/env python3
"""Compares the linter's list of kernels with nvcc's, program by program.

    tests/programs/score.py --linter BIN [--cuda-path DIR] [-q] [ID ...]

ID is a program's path here without `.cu`, or a folder. nvcc's lists are those of `kernels.tsv`. With `--cuda-path` the
toolkit's and the host compiler's headers are read, else none (`-nostdinc`). Every program whose lists differ is printed
with what the linter lacks and what it has too many of, and, in brackets, what it says against its own answer. The last
line is `N of M programs equal; K missing, J extra`.

Exit status: 0 when all are equal, 1 when some are not, 2 for a wrong command line.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import judge
import kernel_names

# A kernel that the host does not instantiate needs no target's: what the host lacks cannot be seen in a dump of facts
# unless both differ, so on targets the kernels are functions of another kind.
PRELUDE = """#ifdef __CUDA_ARCH__
#define JUDGED_KERNEL static __device__
#else
#define JUDGED_KERNEL __global__
#endif
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--linter", required=True, help="cuda-arch-lint's binary")
    parser.add_argument("--cuda-path", help="a toolkit; without it no headers are read")
    parser.add_argument("--jobs", type=int, default=1, help="programs analysed at once")
    parser.add_argument("-q", "--quiet", action="store_true", help="print the last line only")
    parser.add_argument("id", nargs="*", help="programs or folders")
    options = parser.parse_args()
    rows, _ = judge.read_rows()
    wanted = [path for path in judge.programs(options.id) if judge.identity(path) in rows]
    if not wanted:
        print("score.py: no such program", file=sys.stderr)
        return 2
    equal = missing = extra = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        answers = pool.map(lambda path: kernels_of(options.linter, path, options.cuda_path), wanted)
        for path, (own, said) in zip(wanted, answers):
            judged = [name for name in rows[judge.identity(path)][2] if "<" in name]
            lacking, more = kernel_names.differences(judged, own)
            missing += len(lacking)
            extra += len(more)
            equal += not lacking and not more
            if options.quiet or not lacking and not more:
                continue
            print(f"{judge.identity(path)}: {path.read_text().splitlines()[0][3:]}" + (f" [{said}]" if said else ""))
            for title, names in (("missing", lacking), ("extra  ", more)):
                for name in names:
                    print(f"    {title}  {name}", flush=True)
    print(f"{equal} of {len(wanted)} programs equal; {missing} missing, {extra} extra")
    return 0 if equal == len(wanted) else 1


def kernels_of(linter, path, cuda_path):
    """(the instantiations that the linter finds, what it says against that)"""
    with tempfile.TemporaryDirectory() as scratch:
        copy = pathlib.Path(scratch) / "copy.cu"
        copy.write_text(PRELUDE + re.sub(r"\b__global__\b", "JUDGED_KERNEL", path.read_text()))
        headers = ["--cuda-path", cuda_path] if cuda_path else ["-nostdinc"]
        command = [linter, "dump", "--stage", "facts", "--isolated", *headers, "--std", judge.standard(path),
                   "--arch", judge.TARGET, str(copy)]
        done = subprocess.run(command, capture_output=True, text=True, cwd=scratch, timeout=120)
    lines = done.stdout.splitlines()
    found = {line.removeprefix("instantiation ").split("\t")[0] for line in lines if line.startswith("instantiation ")}
    said = [line for line in lines if line.startswith("incomplete")]
    if done.returncode not in (0, 1):
        said.append(f"exit status {done.returncode}: {(done.stderr.splitlines() or [''])[-1]}")
    return sorted(found), "; ".join(said)


if __name__ == "__main__":
    sys.exit(main())
