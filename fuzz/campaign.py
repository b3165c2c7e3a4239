#!/usr/bin/env python3
"""Runs fuzz targets, one after another, and prints what each did.

    fuzz/campaign.py [--seconds S] [--jobs N] [--corpus DIR] [TARGET ...]

The programs are built by the stable toolchain, with the coverage counters that cargo-fuzz asks for too and without its
sanitizers, which are nightly's. A target begins with the seeds in `seeds/TARGET`, those that read sources also with the
cases of `corpus/`, and goes on with what it found before, which is kept in `fuzz/corpus/TARGET`.

A process ends after a tenth of the time, and another one goes on, so that what grows without being a fault (spellings
are interned for good) is told from what is one. The table has a row a target:

* executions, and how many a second;
* the edges of the program that were covered;
* the most memory of a process, in megabytes;
* faults: panics, executions of over 30 seconds, of over 1 GiB. Their inputs are in `fuzz/artifacts/TARGET`.

Exit status: 0 without faults, 1 with some, 2 when the programs can't be built.
"""

import argparse
import concurrent.futures
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import typing

HERE = pathlib.Path(__file__).resolve().parent
COVERAGE = ["-Cpasses=sancov-module", *(f"-Cllvm-args=-sanitizer-coverage-{one}" for one in ("level=3", "inline-8bit-counters", "pc-table"))]
# Targets whose bytes are sources.
SOURCES = {"lexer", "preprocessor", "cutter", "analysis", "fixes"}
LONGEST_SEED = 4096
LIMITS = ["-timeout=30", "-rss_limit_mb=1024", "-detect_leaks=0", "-print_final_stats=1", "-reload=0", "-verbosity=1"]


class Row(typing.NamedTuple):
    target: str
    executions: int
    seconds: int
    edges: int
    megabytes: int
    faults: int


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=int, default=60, help="for each target (default: 60)")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="targets at once (default: 1)")
    parser.add_argument("--corpus", type=pathlib.Path, default=HERE / "corpus", metavar="DIR", help="where what is found is kept")
    parser.add_argument("target", nargs="*", help="the targets (default: all)")
    options = parser.parse_args()
    targets = options.target or sorted(file.stem for file in (HERE / "fuzz_targets").glob("*.rs"))
    programs = build(targets)
    if programs is None:
        return 2
    print("\t".join(("target", "executions", "a second", "edges", "megabytes", "faults")), flush=True)
    faults = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for row in pool.map(lambda target: run(programs / target, options), targets):
            rate = row.executions // max(row.seconds, 1)
            print("\t".join(map(str, (row.target, row.executions, rate, row.edges, row.megabytes, row.faults))), flush=True)
            faults += row.faults
    return 1 if faults else 0


def build(targets):
    """The directory of the programs, or nothing."""
    # Named, so that what runs during the build has no counters.
    machine = re.search(r"host: (\S+)", subprocess.run(["rustc", "-vV"], capture_output=True, text=True).stdout).group(1)
    flags = "build.rustflags=" + repr([*COVERAGE, "--cfg", "fuzzing"])
    command = ["cargo", "build", "--release", "--target", machine, "--target-dir", str(HERE / "target"), "--config", flags]
    command += [word for target in targets for word in ("--bin", target)]
    built = subprocess.run(command, cwd=HERE).returncode == 0
    return HERE / "target" / machine / "release" if built else None


def run(program, options):
    target = program.name
    kept, artifacts = options.corpus / target, HERE / "artifacts" / target
    for directory in (kept, artifacts):
        directory.mkdir(parents=True, exist_ok=True)
    before = set(artifacts.iterdir())
    executions = edges = megabytes = 0
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as seeds:
        for number, text in enumerate(seeds_of(target)):
            (pathlib.Path(seeds) / f"{number}").write_bytes(text)
        while (left := options.seconds - (time.monotonic() - start)) > 0:
            some = max(1, min(int(left), options.seconds // 10))
            command = [str(program), *LIMITS, f"-max_total_time={some}", f"-artifact_prefix={artifacts}/", str(kept), seeds]
            dictionary = HERE / "cuda.dict"
            if target in SOURCES | {"evaluator"}:
                command.insert(1, f"-dict={dictionary}")
            said = subprocess.run(command, capture_output=True, text=True, errors="replace", cwd=seeds).stderr
            executions += number_in(r"stat::number_of_executed_units: *(\d+)", said)
            edges = max(edges, number_in(r"cov: (\d+)", said))
            megabytes = max(megabytes, number_in(r"stat::peak_rss_mb: *(\d+)", said))
    faults = len(set(artifacts.iterdir()) - before)
    return Row(target, executions, round(time.monotonic() - start), edges, megabytes, faults)


def number_in(pattern, text):
    """The last number that the pattern finds."""
    return int((re.findall(pattern, text) or ["0"])[-1])


def seeds_of(target):
    folder = HERE / "seeds" / target
    files = sorted(folder.iterdir()) if folder.is_dir() else []
    if target in SOURCES:
        files += sorted(HERE.parent.glob("corpus/**/*.cu"))
    texts = (file.read_bytes() for file in files)
    return [text for text in texts if len(text) <= LONGEST_SEED]


if __name__ == "__main__":
    sys.exit(main())
