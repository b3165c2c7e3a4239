#!/usr/bin/env python3
"""Whether findings keep their fingerprints over the history of a project.

    tests/history.py REPOSITORY [--commits 60] [--program target/release/cuda-arch-lint] [-- CHECK-OPTIONS]

Takes the last commits that touch a file with findings, oldest first, and looks at each. A finding of one commit is
unchanged in the next if git's diff carries its line over as it is, into a renamed file perhaps, and the same rule
finds the same thing there. Each unchanged finding must have the fingerprint it had. Prints a line for each that has
not, and the numbers; exits with 1 if there was any.
"""

import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile


def git(repository, *arguments):
    command = ["git", "-C", str(repository), *arguments]
    return subprocess.run(command, check=True, capture_output=True).stdout.decode(errors="replace")


def findings(program, tree, options):
    command = [program, "check", ".", "--isolated", "--no-progress", "--format", "json", *options]
    done = subprocess.run(command, cwd=tree, capture_output=True)
    if done.returncode not in (0, 1, 3):
        return None
    return json.loads(done.stdout)["findings"]


def carried_lines(repository, old, new):
    """For each old file: its new name, and a function from an old line to its new number, None if it is gone."""
    diff = git(repository, "diff", "--unified=0", "--find-renames", "--no-color", "--no-ext-diff", old, new)
    files = {}
    path = None
    for line in diff.splitlines():
        if line.startswith("diff --git "):
            path = None
        elif line.startswith("rename from "):
            path = line[len("rename from "):]
            files[path] = [path, []]
        elif line.startswith("rename to "):
            files[path][0] = line[len("rename to "):]
        elif line.startswith("--- a/") and path is None:
            path = line[len("--- a/"):].rstrip("\t")
            files[path] = [path, []]
        elif line.startswith("+++ /dev/null") and path:
            files[path][0] = None
        elif hunk := re.match(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@", line):
            start, count, _, added = (int(part) if part else 1 for part in hunk.groups())
            if path:
                files[path][1].append((start, count, added))
    def carried(path, line):
        name, hunks = files.get(path, (path, []))
        shift = 0
        for start, count, added in hunks:
            first = start if count else start + 1
            if first <= line < first + count:
                return None
            if line >= first + count:
                shift += added - count
        return (name, line + shift) if name else None
    return carried


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("repository", type=pathlib.Path)
    parser.add_argument("--commits", type=int, default=60)
    parser.add_argument("--program", default="target/release/cuda-arch-lint")
    ours = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    arguments = parser.parse_args(sys.argv[1:ours])
    arguments.options = sys.argv[ours + 1:]
    program = str(pathlib.Path(arguments.program).resolve())
    with tempfile.TemporaryDirectory() as folder:
        tree = pathlib.Path(folder) / "tree"
        git(arguments.repository, "worktree", "add", "--detach", "--quiet", str(tree), "HEAD")
        try:
            return walk(arguments, program, tree)
        finally:
            git(arguments.repository, "worktree", "remove", "--force", str(tree))


def walk(arguments, program, tree):
    now = findings(program, tree, arguments.options) or []
    paths = {place["path"] for one in now for place in [one, *one["related"]]}
    paths |= {one["deciding"]["path"] for one in now if one["deciding"]}
    if not paths:
        sys.exit("nothing is found at HEAD")
    log = git(arguments.repository, "log", "--format=%H", "--no-merges", f"-{arguments.commits}", "--", *sorted(paths))
    commits = list(reversed(log.split()))
    counts = collections.Counter(commits=len(commits))
    previous = None
    for commit in commits:
        git(tree, "checkout", "--quiet", "--force", "--detach", commit)
        found = findings(program, tree, arguments.options)
        if found is None:
            counts["commits that can't be looked at"] += 1
            continue
        counts["findings"] += len(found)
        if previous:
            compare(arguments.repository, previous, (commit, found), counts)
        previous = (commit, found)
    print(", ".join(f"{name}: {count}" for name, count in counts.items()))
    return 1 if counts["changed fingerprints"] else 0


def compare(repository, previous, current, counts):
    (old, before), (new, after) = previous, current
    carried = carried_lines(repository, old, new)
    here = collections.defaultdict(list)
    for one in after:
        here[one["rule"], one["entity"], one["path"], one["start"]["line"]].append(one["fingerprint"])
    for one in before:
        place = carried(one["path"], one["start"]["line"])
        known = here.get((one["rule"], one["entity"], *place)) if place else None
        if not known:
            counts["gone, edited or fixed"] += 1
        elif one["fingerprint"] in known:
            counts["unchanged"] += 1
            counts["of these moved"] += place != (one["path"], one["start"]["line"])
        else:
            counts["changed fingerprints"] += 1
            print(f"{old[:10]}..{new[:10]}: {one['path']}:{one['start']['line']}: {one['entity']}: "
                  f"{one['fingerprint']} became {known}")


if __name__ == "__main__":
    sys.exit(main())
