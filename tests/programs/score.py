#!/usr/bin/env python3
"""Compares the linter's list of kernels with nvcc's, program by program.

    tests/programs/score.py --linter BIN [--cuda-path DIR] [-q] [ID ...]
    tests/programs/score.py --linter BIN --write-known

ID is a program's path here without `.cu`, or a folder. nvcc's lists are those of `kernels.tsv`. With `--cuda-path` the
toolkit's and the host compiler's headers are read, else none (`-nostdinc`). Every program whose lists differ is printed
with what the linter lacks and what it has too many of. A kernel that it lacks is `told` when it says of that kernel
that something can't be told. With `--write-known` the programs that differ without headers are written into
`known.tsv`, which `tests/programs.rs` holds the linter to: the program, and how many names are missing and too many.
The last line is
`N of M programs equal; K missing, J extra`.

Exit status: 0 when all are equal, 1 when some are not, 2 for a wrong command line.
"""

import argparse
import concurrent.futures
import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import judge
import kernel_names
import linter_list

KNOWN = judge.PROGRAMS / "known.tsv"
PRINTED = 20
"""How many names of a kind are printed of a program."""

def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--linter", required=True, type=pathlib.Path, help="cuda-arch-lint's binary")
    parser.add_argument("--cuda-path", help="a toolkit; without it no headers are read")
    parser.add_argument("--jobs", type=int, default=1, help="programs analysed at once")
    parser.add_argument("-q", "--quiet", action="store_true", help="print the last line only")
    parser.add_argument("--write-known", action="store_true", help="write known.tsv, of all programs without headers")
    parser.add_argument("id", nargs="*", help="programs or folders")
    options = parser.parse_args()
    if options.write_known and (options.id or options.cuda_path):
        parser.error("--write-known takes all programs, without headers")
    headers = ["--cuda-path", options.cuda_path] if options.cuda_path else ["--nostdinc"]
    rows, _ = judge.read_rows()
    wanted = [path for path in judge.programs(options.id) if judge.identity(path) in rows]
    if not wanted:
        print("score.py: no such program", file=sys.stderr)
        return 2
    equal = missing = silent = extra = 0
    known = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        answers = pool.map(lambda path: answer(options.linter, path, headers), wanted)
        for path, own in zip(wanted, answers):
            lacking, more = kernel_names.differences(rows[judge.identity(path)][2], own.kernels)
            missing += len(lacking)
            silent += sum(not own.tells(name) for name in lacking)
            extra += len(more)
            equal += not lacking and not more
            if lacking or more:
                known.append(f"{judge.identity(path)}\t{len(lacking)}\t{len(more)}")
            if options.quiet or not lacking and not more:
                continue
            print(f"{judge.identity(path)}: {idiom(path)}" + (f" [{own.complaint}]" if own.complaint else ""))
            for name in lacking:
                print(f"    missing  {name}" + (" (told)" if own.tells(name) else ""))
            for name in more[:PRINTED]:
                print(f"    extra    {name}", flush=True)
            if len(more) > PRINTED:
                print(f"    extra    {len(more) - PRINTED} others")
    if options.write_known:
        head = "# the programs whose kernels the linter gets wrong without headers: how many are missing, and too many"
        KNOWN.write_text("\n".join([head, *known]) + "\n")
    print(f"{silent} of the missing are in no blind spot")
    print(f"{equal} of {len(wanted)} programs equal; {missing} missing, {extra} extra")
    return 0 if equal == len(wanted) else 1


def answer(linter, path, headers):
    options = [*headers, "--std", judge.standard(path)]
    return linter_list.answer(linter.resolve(), path, judge.TARGET, options, path.parent)


def idiom(path):
    """What the program's first line says, without the clause."""
    return path.read_text().splitlines()[0].partition("] ")[2]


if __name__ == "__main__":
    sys.exit(main())
