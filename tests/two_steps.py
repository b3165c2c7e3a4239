"""One step and two steps say the same, byte for byte.

    python3 tests/two_steps.py --linter PROGRAM [--cuda DIRECTORY] [--formats text,json] PROJECT...

For each project, without and with `--rdc`: `check`, then `summarize` and `judge`, of which the summaries are named in
another order and read by one worker, then by all. Prints a line for each and exits with 1 where something differs.
"""

import argparse
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time


def ran(command, cwd):
    begin = os.times()
    done = subprocess.run(command, cwd=cwd, capture_output=True)
    end = os.times()
    used = end.children_user + end.children_system - begin.children_user - begin.children_system
    return (done.returncode, done.stdout, done.stderr), used


def compare(linter, project, options, formats, seed):
    with tempfile.TemporaryDirectory() as folder:
        summaries = pathlib.Path(folder, "summaries")
        made, first = ran([linter, "summarize", ".", "--isolated", "--into", str(summaries), *options], project)
        if made[0]:
            return f"summarize failed: {made[2].decode()[:500]}"
        names = sorted(str(path) for path in summaries.iterdir())
        size = sum(path.stat().st_size for path in summaries.iterdir())
        cost = []
        for form in formats:
            one, _ = ran([linter, "check", ".", "--isolated", "--no-progress", "--format", form, *options], project)
            for jobs in ("1", "4"):
                random.Random(seed).shuffle(names)
                listed = pathlib.Path(folder, "list")
                listed.write_text("\n".join(names))
                judge = [linter, "judge", f"@{listed}", "--isolated", "--format", form, "--jobs", jobs]
                two, used = ran(judge, project)
                cost.append(used)
                if one != two:
                    for name, left, right in zip(("code", "stdout", "stderr"), one, two):
                        if left != right:
                            for which, text in (("one", left), ("two", right)):
                                pathlib.Path(f"differs.{which}.{name}").write_bytes(str(text).encode() if name == "code" else text)
                    return f"{form}, {jobs} workers: differs (differs.*), codes {one[0]} and {two[0]}"
        return (f"equal: {len(names)} summaries, {size / len(names) / 1024:.1f} KiB each; "
                f"summarize {first:.1f} s, judge {max(cost):.2f} s of CPU")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--linter", required=True)
    parser.add_argument("--cuda")
    parser.add_argument("--formats", default="text,json,sarif")
    parser.add_argument("projects", nargs="+")
    given = parser.parse_args()
    linter = str(pathlib.Path(given.linter).resolve())
    base = ["--arch", "80,90"] + (["--cuda-path", given.cuda] if given.cuda else ["-nostdinc"])
    failed = False
    for project in given.projects:
        for rdc in ([], ["--rdc"]):
            begin = time.time()
            said = compare(linter, project, base + rdc, given.formats.split(","), 1)
            failed |= not said.startswith("equal")
            print(f"{project} {' '.join(rdc) or '-'}: {said} ({time.time() - begin:.0f} s)", flush=True)
    sys.exit(failed)


if __name__ == "__main__":
    main()
