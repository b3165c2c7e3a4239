#!/usr/bin/env python3
"""Lets nvcc judge the programs: which kernels and instantiations of kernel templates does it make of each?

    tests/programs/judge.py [--nvcc PATH] [--jobs N] [--all] [--kept] [ID ...]

ID is a program's path here without `.cu`, or a folder; without any, all programs are judged. A program is one source
that shows one way in which host code reaches a kernel template, or does not. Its first line is a comment that says
which and the clause of the C++ standard; a line `// std: c++20` names another standard than C++17.

The kernels are read from the files that nvcc keeps, as `corpus/passes.py` says: those of the device's PTX and those
that the host's own front end instantiates. Both must be the same, else the program is none of ours and that is an
error. What nvcc says is kept in `kernels.tsv`: the program, its standard, a seal and the kernels. The seal is a hash of
the program's text, of nvcc's release and of the kernels: a row whose program or whose kernels were edited since counts
as none. Programs without a row are compiled, the others with `--all` only. `--kept` compiles nothing: its exit status
is 3 when something would have to be.

Exit status: 0 when every program has a row, 1 when nvcc refuses some or its passes disagree, 2 for a wrong command
line.
"""

import argparse
import concurrent.futures
import hashlib
import os
import pathlib
import re
import shutil
import sys
import tempfile

sys.dont_write_bytecode = True
PROGRAMS = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(PROGRAMS), str(PROGRAMS.parents[1] / "corpus")]

import kernel_names
import passes

VERDICTS = PROGRAMS / "kernels.tsv"
TARGET = "75"
DEFAULT_STANDARD = "c++17"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nvcc", default="nvcc", help="the compiler driver (default: nvcc from PATH)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="programs compiled at once")
    parser.add_argument("--all", action="store_true", help="compile every program, kept verdict or not")
    parser.add_argument("--kept", action="store_true", help="compile nothing; exit status 3 if something had to be")
    parser.add_argument("id", nargs="*", help="programs or folders")
    options = parser.parse_args()
    wanted = programs(options.id)
    if not wanted:
        print("judge.py: no such program", file=sys.stderr)
        return 2
    rows, release = read_rows()
    nvcc = shutil.which(options.nvcc)
    if nvcc:
        release = re.search(r"V(\d[\d.]*)", passes.run([nvcc, "--version"])).group(1)
    todo = [path for path in wanted if options.all or not is_sealed(path, rows, release)]
    if todo and options.kept:
        print(f"{len(todo)} programs would have to be compiled: {', '.join(map(identity, todo[:5]))} ...")
        return 3
    if todo and nvcc is None:
        print(f"judge.py: no such compiler: {options.nvcc}, for {len(todo)} programs", file=sys.stderr)
        return 2
    wrong = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for path, (kernels, complaint) in zip(todo, pool.map(lambda path: kernels_of(nvcc, path), todo)):
            if complaint:
                wrong += 1
                print(f"WRONG {identity(path)}\n        {complaint}", flush=True)
                rows.pop(identity(path), None)
            else:
                rows[identity(path)] = (standard(path), seal(path, release, kernels), kernels)
            write_rows(rows, release)
    print(f"{len(wanted)} programs, {len(todo)} of them compiled: {wrong} wrong")
    return 1 if wrong else 0


def programs(chosen=()):
    """The programs of these names or folders, all without any, in order."""
    every = sorted(PROGRAMS.glob("*/*.cu"))
    return [path for path in every if not chosen or {identity(path), path.parent.name} & set(chosen)]


def identity(path):
    return f"{path.parent.name}/{path.stem}"


def standard(path):
    found = re.search(r"^// std: (\S+)$", path.read_text(), re.M)
    return found.group(1) if found else DEFAULT_STANDARD


def kernels_of(nvcc, path):
    """(the kernels, sorted, none) or (none, what is wrong with the program)."""
    with tempfile.TemporaryDirectory() as scratch:
        build = passes.Build(nvcc, path.parent, path, {"std": [standard(path)]}, [TARGET], pathlib.Path(scratch))
        if build.failed:
            return None, "nvcc: " + "; ".join(build.errors[:3])
        try:
            host = build.host_kernels()
        except passes.HostFails as fails:
            return None, str(fails)[:1000]
        entries = set(re.findall(r"\.entry (\w+)", build.kept(TARGET, ".ptx")))
        registered = {mangled for _, _, mangled in passes.registered(build.kept(TARGET, ".cudafe1.stub.c"))}
    kernels = sorted(kernel_names.demangled(entries))
    if entries != registered:
        return None, f"registered otherwise than compiled: {sorted(entries ^ registered)}"
    # The host's object does not tell anonymous namespaces; kernels of lambdas it names by their wrappers.
    of_device = {comparable(passes.plain(name)) for name in kernels}
    of_host = {comparable(kernel_names.unsigned_name(name)) for name in host}
    if of_device != of_host:
        return None, f"the passes disagree: host {sorted(of_host - of_device)}, device {sorted(of_device - of_host)}"
    return kernels, None


def comparable(name):
    if "lambda" in name:
        return passes.base(name)
    return kernel_names.canonical(name.replace(kernel_names.ANONYMOUS + "::", ""))


def seal(path, release, kernels):
    text = f"{path.read_text()}\n{release}\n{standard(path)}\n{';'.join(kernels)}"
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def is_sealed(path, rows, release):
    row = rows.get(identity(path))
    return row is not None and row[1] == seal(path, release, row[2])


def read_rows():
    """(the rows by program, nvcc's release)"""
    rows, release = {}, ""
    for line in VERDICTS.read_text().splitlines() if VERDICTS.exists() else []:
        if line.startswith("#"):
            release = re.search(r"nvcc (\S+)", line).group(1)
        else:
            name, std, sealed, kernels = line.split("\t")
            rows[name] = (std, sealed, kernels.split(";") if kernels else [])
    return rows, release


def write_rows(rows, release):
    """Writes the rows of the programs that there are."""
    there = set(map(identity, programs()))
    lines = [f"# the kernels that nvcc {release} makes of each program; `tests/programs/judge.py` writes this"]
    lines += ["\t".join([name, *row[:2], ";".join(row[2])]) for name, row in sorted(rows.items()) if name in there]
    VERDICTS.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    sys.exit(main())
