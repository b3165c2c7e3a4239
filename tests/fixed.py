#!/usr/bin/env python3
"""Whether fixes in public histories are what rules ask for: a finding before the commit names what it changes, none after it.

In: `fixed.tsv`, a fix a line: project, commit, path, rule, a part of the finding's message; clones of the projects,
FOLDER/OWNER/NAME; the linter. Out: the number of findings of the rule in the file with that part, before and after each
commit. The file is read alone, without its headers, for sm_60 to sm_100. Exit status 1 if there is none before a fix, or
one after it.
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
    parser.add_argument("--linter", required=True, type=pathlib.Path, help="the program")
    parser.add_argument("--clones", required=True, type=pathlib.Path, help="the folder of clones")
    options = parser.parse_args()
    rows = [line.split("\t") for line in TABLE.read_text().splitlines() if not line.startswith("#")]
    wrong = 0
    for project, commit, path, rule, named in rows:
        clone = options.clones / project
        revisions = (f"{commit}^", commit)
        before, after = (found(options.linter, clone, revision, path, rule, named) for revision in revisions)
        wrong += before == 0 or after > 0
        print(f"{project}\t{commit}\t{path}\t{rule}\t{named}\t{before} -> {after}", flush=True)
    print(f"{len({row[1] for row in rows})} fixes in {len(rows)} files, {wrong} of them not found before or found after")
    return 1 if wrong else 0


def found(linter, clone, revision, path, rule, named):
    text = subprocess.run(["git", "-C", clone, "show", f"{revision}:{path}"], check=True, capture_output=True).stdout
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "unit.cu").write_bytes(text)
        command = [linter.resolve(), "unit.cu", "-nostdinc", "--isolated", "--arch", TARGETS, "--format", "json"]
        report = subprocess.run(command, cwd=folder, capture_output=True, check=False).stdout
    findings = json.loads(report)["findings"]
    return sum(finding["rule"] == rule and named in finding["message"] for finding in findings)


if __name__ == "__main__":
    sys.exit(main())
