#!/usr/bin/env python3
"""Whether fixes in public histories are what rules ask for: a finding before the commit, fewer after it.

In: `fixed.tsv`, a fix a line: project, commit, path, rule; clones of the projects, FOLDER/OWNER/NAME; the linter. Out: the
number of findings of the rule in the file before and after each commit. The file is read alone, without its headers, for
sm_60 to sm_100. Exit status 1 if a fix does not take a finding away.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

TABLE = pathlib.Path(__file__).resolve().parent / "fixed.tsv"
TARGETS = "60,70,75,80,86,89,90,100"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--linter", required=True, help="the program")
    parser.add_argument("--clones", required=True, type=pathlib.Path, help="the folder of clones")
    options = parser.parse_args()
    rows = [line.split("\t") for line in TABLE.read_text().splitlines() if not line.startswith("#")]
    wrong = 0
    for project, commit, path, rule in rows:
        clone = options.clones / project
        before, after = (found(options.linter, clone, revision, path, rule) for revision in (f"{commit}^", commit))
        wrong += before <= after
        print(f"{project}\t{commit}\t{path}\t{rule}\t{before} -> {after}")
    print(f"{len(rows)} fixes, {wrong} of them take no finding away")
    return 1 if wrong else 0


def found(linter, clone, revision, path, rule):
    text = subprocess.run(["git", "-C", clone, "show", f"{revision}:{path}"], check=True, capture_output=True).stdout
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "unit.cu").write_bytes(text)
        command = [linter, "unit.cu", "-nostdinc", "--isolated", "--arch", TARGETS, "--format", "json"]
        report = subprocess.run(command, cwd=folder, capture_output=True, check=False).stdout
    return sum(finding["rule"] == rule for finding in json.loads(report)["findings"])


if __name__ == "__main__":
    sys.exit(main())
