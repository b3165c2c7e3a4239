#!/usr/bin/env python3
"""What the rules on host code say of public projects, held against what people who read the sources say.

    tests/survey.py --linter PROGRAM --clones FOLDER [--cuda DIRECTORY] [--jobs N] [OWNER/NAME ...]

In: `projects.tsv`, a project, its commit and, for some, options that its build has, a line; `surveyed.tsv`, a finding and
its verdict a line; clones of the projects, FOLDER/OWNER/NAME; the linter. Every project is read as it is without headers of
a toolkit (`bare`), and, where `--cuda` names a toolkit of CUDA 13.0, with them (`headers`). Out: the findings without a
verdict, the verdicts that no finding has any more, and, rule by rule and level by level, how many of the findings are
right. Exit status 1 where a finding has no verdict, is in a file outside of the project or in a header of another that it
keeps, or where too few of a rule's findings are right: 95 of 100 of those at level warning and error, 80 of 100 of the
notes.
"""

import argparse
import collections
import concurrent.futures
import json
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
RULES = [
    "arch-in-closure",
    "guard-misses-target",
    "host-code-behind-device-guard",
    "host-value-by-pass",
    "misspelt-arch-macro",
    "pass-only-failure",
]
BARE = ["-nostdinc", "--cuda-version", "12.8", "--arch", "60,70,75,80,86,89,90,100"]
HEADERS = ["--arch", "75,80,90,100"]
# The least share of right findings.
ENOUGH = {"error": 0.95, "warning": 0.95, "note": 0.8}
# The names of directories that hold other projects, as the linter has them.
OTHERS = re.findall(r'^    "([\w-]+)",$', (HERE.parent / "src/project/third_party.rs").read_text().split("];")[0], re.MULTILINE)
VERDICTS = ["right", "wrong", "no verdict"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--linter", required=True, type=pathlib.Path, help="the program")
    parser.add_argument("--clones", required=True, type=pathlib.Path, help="the folder of clones")
    parser.add_argument("--cuda", type=pathlib.Path, help="a toolkit of CUDA 13.0, for the runs with headers")
    parser.add_argument("--jobs", default="2", help="the units that are read at once")
    parser.add_argument("--limit", type=float, default=1800, help="the seconds that one run may take")
    parser.add_argument("projects", nargs="*", help="the projects [default: all]")
    options = parser.parse_args()
    projects = [row for row in table("projects.tsv") if not options.projects or row[0] in options.projects]
    verdicts = {(row[0], row[3], row[5]): row[6] for row in table("surveyed.tsv")}
    runs = {"bare": BARE}
    if options.cuda:
        runs["headers"] = [*HEADERS, "--cuda-path", str(options.cuda.resolve())]
    told = collections.Counter()
    found, failed, units = {}, [], collections.Counter()
    for project, commit, *own in projects:
        for name, arguments in runs.items():
            report = read(options, project, commit, [*arguments, *(own[0].split() if own else [])])
            if report is None:
                failed.append(f"{project}\t{name}")
                continue
            units[name] += report["summary"]["units"]
            print(f"{project}\t{name}\t{report['summary']['units']} units", file=sys.stderr, flush=True)
            for finding in report["findings"]:
                if finding["rule"] in RULES:
                    key = (project, finding["rule"], place(finding))
                    found.setdefault(key, {"finding": finding, "commit": commit, "runs": []})["runs"].append(name)
    outside = [key for key in found if is_outside(key[2])]
    for key, one in sorted(found.items()):
        verdict = verdicts.get(key, "no verdict").split(",")[0]
        told[key[1], one["finding"]["level"], verdict] += 1
        if verdict == "no verdict":
            level, message = one["finding"]["level"], one["finding"]["message"]
            print(key[0], one["commit"], " and ".join(one["runs"]), key[1], level, key[2], "?", message, sep="\t")
    names = {project for project, *_ in projects}
    gone = [key for key, verdict in verdicts.items() if key[0] in names and key not in found and verdict == "right"]
    for key in gone if len(runs) == 2 else []:
        print("no longer found:", *key, sep="\t")
    print(f"{len(projects)} projects, " + ", ".join(f"{count} units {name}" for name, count in units.items()))
    few = summary(told)
    print(f"in files of other projects: {len(outside)}", *outside, sep="\n")
    print(f"runs that gave no report: {len(failed)}", *failed, sep="\n")
    missing = any(verdict == "no verdict" for _, _, verdict in told)
    return 1 if few or missing or outside or failed else 0


def table(name):
    lines = (HERE / name).read_text().splitlines()
    return [line.split("\t") for line in lines if line and not line.startswith("#")]


def read(options, project, commit, arguments):
    """The linter's report of a project's commit, None if there is none."""
    with tempfile.TemporaryDirectory() as folder:
        # A work tree of its own: what a clone has checked out does not count. Large data files may be absent from it.
        tree = pathlib.Path(folder) / "project"
        clone = options.clones / project
        source = ["git", "clone", "-q", "--shared", "--no-checkout", clone.resolve(), tree]
        subprocess.run(source, capture_output=True, check=True)
        subprocess.run(["git", "-C", tree, "checkout", "-q", "--detach", commit], capture_output=True, check=False)
        # Files of other projects with options for this one would change what is read.
        command = [options.linter.resolve(), ".", "--isolated", *arguments, "--jobs", options.jobs]
        command += ["--format", "json", "--no-progress", "--ignore-comments"]
        try:
            run = subprocess.run(command, cwd=tree, capture_output=True, check=False, timeout=options.limit)
            return json.loads(run.stdout)
        except (subprocess.TimeoutExpired, json.JSONDecodeError):
            return None


def place(finding):
    return f"{finding['path']}:{finding['start']['line']}"


def is_outside(path):
    """Whether a file is no part of the project, as the headers of toolkits, compilers and other projects are."""
    parts = path.lower().split("/")[:-1]
    return path.startswith(("/", "..", "<")) or not path.endswith(".cu") and any(one in OTHERS for one in parts)


def summary(told):
    """Prints a line for each rule and level, and gives those of which too few are right."""
    few = []
    for rule, level in sorted({(rule, level) for rule, level, _ in told}):
        right, wrong, unjudged = (told[rule, level, verdict] for verdict in VERDICTS)
        share = right / max(right + wrong, 1)
        print(f"{rule}\t{level}\t{right} right\t{wrong} wrong\t{unjudged} without verdict\t{share:.0%}")
        if right + wrong and share < ENOUGH[level]:
            few.append((rule, level))
    return few


if __name__ == "__main__":
    sys.exit(main())
