#!/usr/bin/env python3
"""Changes real units and scores the linter by what nvcc says of the changes.

    tests/mutation/mutation.py --project "FOLDER -I... -D..." ... [--seed N] [--mutants N] [--units N]
    tests/mutation/mutation.py --project ... --clean [--targets 75,80,90,100]

`--opinions FILE` keeps what nvcc said, so that the same seed costs only the linter's time when it is run again.

`--project` is a folder of CUDA sources with the options that its units are compiled with, and may stand several times.
A unit that nvcc compiles, and whose passes agree, gets changes at places of its own: bugs of known kinds and harmless
changes (`--kinds` lists them). nvcc confirms each, or it is dropped; then the linter is run on it. With `--clean`
nothing is changed: every unit is compiled and linted as it is.

Needs nvcc 12.8 or newer, g++, `nm`, `c++filt`, and the linter (`cargo build --release`); no GPU. How it works and what it
found is in tests/mutation.md.

Exit status: 0 when the recall is at least 0.98 and no harmless change is flagged (with `--clean`, when no unit has a
definite finding that nvcc denies and the linter names all that nvcc's passes disagree about), 1 otherwise, 2 for a wrong command line or nothing to score.
"""

import argparse
import concurrent.futures
import contextlib
import hashlib
import io
import itertools
import json
import os
import pathlib
import queue
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import traceback
from collections import Counter
from dataclasses import dataclass, field

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import cpp
import nvcc as compiler
from kinds import KINDS, Mutant

RECALL = 0.98
KERNEL_TEMPLATE = re.compile(r"\btemplate\s*<[^;{}]*>\s*(?:static\s|inline\s|__launch_bounds__\s*\([^)]*\)\s*)*__global__")
JUDGED = {"arch-dependent-signature", "arch-dependent-instantiation", "arch-dependent-definition"}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--project", action="append", default=[], help="a folder, or files in it, and the options they need")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--mutants", type=int, default=200, help="how many confirmed changes to score")
    parser.add_argument("--units", type=int, default=40, help="how many units at least they come from")
    parser.add_argument("--targets", default="80,90", help="in nvcc's order")
    parser.add_argument("--nvcc", default="nvcc")
    parser.add_argument("--linter", type=pathlib.Path, default=HERE.parents[1] / "target/release/cuda-arch-lint")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="units at once")
    parser.add_argument("--keep", type=pathlib.Path, help="a folder for the changes that were missed or wrongly flagged")
    parser.add_argument("--table", type=pathlib.Path, help="a file for the results so far, written after every unit")
    parser.add_argument("--opinions", type=pathlib.Path, help="a file for what nvcc said; it is not asked again about the same texts")
    parser.add_argument("--only", help="only these kinds, with commas between")
    parser.add_argument("--clean", action="store_true", help="change nothing: compile and lint the units as they are")
    parser.add_argument("--kinds", action="store_true", help="list the kinds of change and stop")
    options = parser.parse_args()
    if options.kinds:
        for kind in KINDS:
            print(f"{kind.name} ({'bug: ' + ', '.join(kind.rules) if kind.is_bug else 'harmless'})\n    {' '.join(kind.make.__doc__.split())}")
        return 0
    options.nvcc, options.linter = shutil.which(options.nvcc), options.linter.resolve()
    options.targets = options.targets.split(",")
    if options.nvcc is None or not options.linter.exists() or not options.project:
        print("mutation.py: needs nvcc, the linter (cargo build --release) and a --project", file=sys.stderr)
        return 2
    options.kinds = [kind for kind in KINDS if not options.only or kind.name in options.only.split(",")]
    campaign = Campaign(options, [Project.parse(text) for text in options.project])
    campaign.run()
    return campaign.report()


@dataclass
class Project:
    """A folder of sources and the options of its units."""

    folder: pathlib.Path
    files: list
    flags: list

    @staticmethod
    def parse(text):
        words = shlex.split(text)
        paths = [pathlib.Path(word).resolve() for word in words if not word.startswith("-") and pathlib.Path(word).exists()]
        flags = [word for word in words[1:] if word.startswith("-")]
        if not paths:
            raise SystemExit(f"mutation.py: no such folder: {text}")
        files = sorted(paths[0].rglob("*.cu")) if paths[0].is_dir() else paths
        folder = paths[0] if paths[0].is_dir() else paths[0].parent
        flags = [f"-I{pathlib.Path(flag[2:]).resolve()}" if flag.startswith("-I") else flag for flag in flags]
        return Project(folder, files, flags)


class Copy:
    """A project's files once more, so that they can be changed; made of hard links."""

    def __init__(self, project, directory):
        self.project, self.folder = project, directory
        for root, names, files in os.walk(project.folder):
            names[:] = [name for name in names if name != ".git"]
            made = directory / pathlib.Path(root).relative_to(project.folder)
            made.mkdir(parents=True, exist_ok=True)
            for name in files:
                if re.search(r"\.(cu|cuh|h|hpp|hh|inl|inc|cpp|cc|c|def|tpp|ipp|hxx|impl|in)$", name):
                    link(pathlib.Path(root) / name, made / name)

    def path(self, path):
        return self.folder / path.relative_to(self.project.folder)

    def flags(self):
        inside = f"-I{self.project.folder}"
        return [f"-I{self.folder}{flag[len(inside):]}" if flag == inside or flag.startswith(inside + "/") else flag
                for flag in self.project.flags]

    def change(self, edits):
        """Applies edits, given for the project's own files; returns what they make of each file."""
        by_path = {}
        for edit in edits:
            by_path.setdefault(edit.path, []).append(edit)
        texts = {}
        for path, own in by_path.items():
            old = path.read_text(errors="surrogateescape") if path.exists() else ""
            new, at = "", 0
            for edit in sorted(own, key=lambda edit: edit.start):
                new += old[at : edit.start] + edit.text
                at = max(at, edit.end)
            texts[path] = new + old[at:]
            made = self.path(path)
            made.unlink(missing_ok=True)
            made.write_text(texts[path], errors="surrogateescape")
        return texts

    def restore(self, texts):
        for path in texts:
            self.path(path).unlink()
            if path.exists():
                link(path, self.path(path))


def link(path, made):
    try:
        os.link(path, made)
    except OSError:
        shutil.copyfile(path, made)


@dataclass
class Unit:
    """A real unit: its sources cut up, and what mutations look for in them."""

    project: Project
    main: cpp.Source
    sources: list
    targets: list

    def __post_init__(self):
        self.kernels, self.declared = [], set()
        for source in self.sources:
            for kernel in source.kernels():
                if kernel.body:
                    self.kernels.append((source, kernel))
                else:
                    self.declared.add(kernel.name)
        self.launches = [(source, launch) for source in self.sources for launch in source.launches()]
        self.variables = [(source, variable) for source in self.sources for variable in source.variables()]
        self.classes = [(source, one) for source in self.sources for one in source.classes()]
        self.templates = {kernel.name for _, kernel in self.kernels if kernel.is_template}
        self.plain = {kernel.name for _, kernel in self.kernels if not kernel.is_template}

    @staticmethod
    def read(project, path, targets):
        main = cpp.Source(path, path.read_text(errors="surrogateescape"))
        sources, known, index = [main], {path}, 0
        while index < len(sources) and len(sources) < 80:
            for spelled in sources[index].includes():
                found = find(project, sources[index].path, spelled)
                if found and found not in known:
                    known.add(found)
                    sources.append(cpp.Source(found, found.read_text(errors="surrogateescape")))
            index += 1
        return Unit(project, main, sources, targets)

    def headers_of(self, source):
        """The headers of the project that a source includes by itself and that have a guard."""
        names = {pathlib.Path(spelled).name for spelled in source.includes()}
        return [other for other in self.sources[1:] if other is not source and other.path.name in names and other.after_guard()]


def find(project, includer, spelled):
    directories = [includer.parent, *(pathlib.Path(flag[2:]) for flag in project.flags if flag.startswith("-I"))]
    for directory in directories:
        path = pathlib.Path(os.path.normpath(directory / spelled))
        if path.is_file():
            return path if path.is_relative_to(project.folder) else None
    return None


@dataclass
class Score:
    mutant: Mutant
    unit: pathlib.Path
    said: list  # what nvcc says of it
    found: list  # the linter's new findings
    right: bool
    kept: str = ""
    extra: list = field(default_factory=list)


class Opinions:
    """What nvcc said of changed units, in a file of JSON lines. Texts that a project had before the run are taken to stay."""

    def __init__(self, path):
        self.path, self.known, self.lock = path, {}, threading.Lock()
        if path and path.exists():
            for line in path.read_text().splitlines():
                with contextlib.suppress(ValueError):  # an interrupted run's last line
                    one = json.loads(line)
                    self.known[one["of"]] = one["said"], one["error"]

    def add(self, of, said, error):
        with self.lock:
            self.known[of] = said, error
            if self.path:
                with self.path.open("a") as file:
                    file.write(json.dumps({"of": of, "said": said, "error": error}) + "\n")


class Campaign:
    def __init__(self, options, projects):
        self.options, self.projects = options, projects
        self.opinions = Opinions(options.opinions)
        self.scores, self.dropped, self.units, self.lines = [], Counter(), {}, []
        self.mismatches, self.wrong, self.incomplete = [], [], []
        self.stopped = False
        self.toolkit = pathlib.Path(options.nvcc).resolve().parent.parent

    def order(self):
        """Every unit, in an order that the seed draws and in which the projects take turns, and those with a kernel
        template, which most kinds need, with those that have none."""
        queues = []
        for project in self.projects:
            files = [(project, path) for path in project.files]
            random.Random(f"{self.options.seed} {project.folder.name}").shuffle(files)
            templates = [file for file in files if KERNEL_TEMPLATE.search(file[1].read_text(errors="surrogateescape"))]
            others = [file for file in files if file not in templates]
            turns = itertools.zip_longest(templates, others)
            queues.append([file for turn in turns for file in turn if file][::-1])
        while any(queues):
            for files in queues:
                if files:
                    yield files.pop()

    def run(self):
        copies = queue.Queue()
        with tempfile.TemporaryDirectory(prefix="mutation") as scratch:
            for number in range(self.options.jobs):
                directory = pathlib.Path(scratch) / f"worker{number}"
                directory.mkdir()
                copies.put((directory, {}))
            for number in (signal.SIGINT, signal.SIGTERM):
                signal.signal(number, self.stop)
            with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
                self.feed(pool, copies)

    def stop(self, *_):
        # The files that the workers change go with the scratch folder, so it stays until they are done.
        self.stopped = True
        self.say("stopped: the units at hand are finished, then comes what there is")

    def feed(self, pool, copies):
        todo, running = self.order(), set()
        while True:
            while len(running) < self.options.jobs and not self.enough():
                one = next(todo, None)
                if one is None:
                    break
                running.add(pool.submit(self.work, copies, *one))
            if not running:
                return
            done, running = concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED)
            for future in done:
                future.result()
            if self.options.table:
                with contextlib.redirect_stdout(io.StringIO()) as text:
                    self.report()
                self.options.table.write_text(text.getvalue())

    def enough(self):
        if self.stopped:
            return True
        if self.options.clean:
            return len(self.units) >= self.options.units
        return len(self.scores) >= self.options.mutants and len(self.units) >= self.options.units

    def work(self, copies, project, path):
        slot = copies.get()
        directory, made = slot
        try:
            if project.folder not in made:
                made[project.folder] = Copy(project, directory / f"project{len(made)}" / project.folder.name)
            unit = Unit.read(project, path, self.options.targets)
            if not unit.kernels:
                self.dropped["unit: no kernel of its own"] += 1
                return
            UnitCampaign(self, unit, made[project.folder], directory).run()
        except Exception:
            # One unit must not end a run of hours; what is wrong with the test is seen in its last lines.
            self.dropped["unit: the test itself fails"] += 1
            self.say(f"FAILED {path}\n{traceback.format_exc()}")
        finally:
            copies.put(slot)

    def say(self, line):
        print(line, flush=True)

    def report(self):
        """Prints what there is; returns the exit status."""
        return self.report_clean() if self.options.clean else self.report_scores()

    def report_scores(self):
        rows = {}
        for score in self.scores:
            row = rows.setdefault(score.mutant.kind.name, [0, 0])
            row[0] += 1
            row[1] += score.right
        print(f"\n{'kind':44} confirmed  right")
        for wanted in (True, False):
            print("bugs, found under a right rule" if wanted else "harmless changes, not flagged")
            for kind in self.options.kinds:
                if kind.is_bug == wanted:
                    print(f"  {kind.name:42} {rows.get(kind.name, [0, 0])[0]:9} {rows.get(kind.name, [0, 0])[1]:6}")
        bugs = [score for score in self.scores if score.mutant.kind.is_bug]
        changes = [score for score in self.scores if not score.mutant.kind.is_bug]
        missed = [score for score in bugs if not score.right]
        flagged = [score for score in changes if not score.right]
        self.list("missed", missed)
        self.list("false alarm", flagged)
        self.list("found, and more said than nvcc confirms", [score for score in bugs if score.extra])
        self.print_units()
        recall = 1 - len(missed) / len(bugs) if bugs else 0
        print(f"{len(self.scores)} changes of {len(self.units)} units, seed {self.options.seed}, targets "
              f"{','.join(self.options.targets)}: {len(bugs)} bugs, recall {recall:.4f}; "
              f"{len(changes)} harmless changes, {len(flagged)} false alarms")
        if not bugs or not changes:
            return 2
        return 0 if recall >= RECALL and not flagged and not self.wrong and not self.failed() else 1

    def failed(self):
        return self.dropped["unit: the test itself fails"]

    def report_clean(self):
        self.print_units()
        disagree = {path for path, *_ in self.mismatches}
        missed = sum(not found for *_, found in self.mismatches)
        print(f"{len(self.units)} units that nvcc compiles for {','.join(self.options.targets)}; in {len(disagree)} the passes disagree, "
              f"about {len(self.mismatches)} things, of which the linter names all but {missed}; {len(self.wrong)} definite findings "
              "that nvcc denies")
        return 2 if not self.units else int(bool(self.wrong or missed or self.failed()))

    def print_units(self):
        by_project = Counter(project for project in self.units.values())
        print("units: " + ", ".join(f"{name} {count}" for name, count in sorted(by_project.items())))
        for reason, count in sorted(self.dropped.items()):
            print(f"dropped: {reason}: {count}")
        for path, name, sentence, found in self.mismatches:
            said = "found" if found else "NOT FOUND"
            print(f"the unit's own passes disagree, {said}: {path}: {name}: {sentence[:300]}")
        for path in self.incomplete:
            print(f"not analysed whole: {path}")
        for path, finding in self.wrong:
            print(f"definite, and nvcc denies it: {path}: {finding['rule']}: {finding['message']}")

    def list(self, title, scores):
        for score in scores:
            print(f"{title}: {score.mutant.kind.name} of {', '.join(sorted(score.mutant.names))} in {score.unit}  {score.kept}")
            for sentence in score.said[:2]:
                print(f"    nvcc: {sentence[:240]}")
            for finding in (score.extra or score.found)[:3]:
                print(f"    linter: {finding['rule']} ({finding['certainty']}): {finding['message']}")


class UnitCampaign:
    """The changes of one unit, from drawing them to their scores."""

    # Changes drawn for a unit, and how often that is tried.
    DRAWN = 9
    ATTEMPTS = 120
    # Those of different things are compiled together, in so many builds.
    BUILDS = 2
    # Few units have a place for these, so they are tried first.
    EAGER = {"pointee-type", "deduced-argument", "variable-type", "variable-bound", "member-by-pass", "member-type-by-pass",
             "constant-argument", "scaled-argument", "type-argument", "guarded-launch", "guarded-launcher",
             "guarded-explicit-instantiation", "guarded-mention", "argument-through-a-generic-lambda", "discarded-launch",
             "parentheses-around-an-argument", "function-by-pass-in-a-class", "same-member-in-both-arms"}
    # What adds a variable of its own finds a place in every unit, and so waits until the others have had theirs.
    PATIENT = {"guarded-variable", "new-variable-type", "initializer"}

    def __init__(self, campaign, unit, copy, directory):
        self.campaign, self.options, self.unit, self.copy, self.directory = campaign, campaign.options, unit, copy, directory
        self.path = unit.main.path
        self.random = random.Random(f"{self.options.seed} {self.path.relative_to(unit.project.folder)}")
        self.builds = 0

    def run(self):
        said, error = self.judge([])
        if error:
            self.campaign.dropped["unit: nvcc does not compile it"] += 1
            self.campaign.say(f"unit   {self.path}: {error[:160]}")
            return
        clean, whole = self.lint()
        if not whole:
            self.campaign.incomplete.append(self.path)
        for name, sentences in said.items():
            found = any(name in words(finding) for finding in clean)
            self.campaign.mismatches.append((self.path, name, sentences[0], found))
            self.campaign.say(f"differ {self.path}: {sentences[0][:200]}")
        self.check_clean(said, clean)
        if self.options.clean:
            self.campaign.units[self.path] = self.unit.project.folder.name
            self.campaign.say(f"clean  {self.path}: {len(clean)} findings, {len(said)} disagreements")
            return
        if said:
            self.campaign.dropped["unit: its passes disagree"] += 1
            return
        self.clean = {key(finding) for finding in clean}
        builds = self.draw()
        scored = 0
        for mutants in builds:
            for mutant, sentences in self.confirm(mutants):
                score = self.score(mutant, sentences)
                if score:
                    scored += 1
                    self.campaign.scores.append(score)
        if scored:
            self.campaign.units[self.path] = self.unit.project.folder.name
        wrong = sum(1 for score in self.campaign.scores if score.unit == self.path and not score.right)
        self.campaign.say(f"{'WRONG' if wrong else 'ok   '}  {self.path}: {scored} of {sum(map(len, builds))} changes, {self.builds} builds"
                          f" ({len(self.campaign.scores)} in all)")

    def check_clean(self, said, findings):
        for finding in findings:
            if finding["certainty"] == "definite" and finding["rule"] in JUDGED and not words(finding) & set(said):
                self.campaign.wrong.append((self.path, finding))

    def draw(self):
        """Builds, each a list of changes of different things that do not get into each other's way; no kind twice."""
        builds, names_of, ranges_of, kinds = [[] for _ in range(self.BUILDS)], {}, {}, set()
        first = [kind for kind in self.options.kinds if kind.name in self.EAGER]
        self.random.shuffle(first)
        for attempt in range(self.ATTEMPTS):
            wait = self.PATIENT if attempt < self.ATTEMPTS // 2 else set()
            left = [kind for kind in self.options.kinds
                    if kind.is_bug == (attempt % 2 == 0) and kind.name not in kinds | wait]
            if sum(map(len, builds)) == self.DRAWN or not first and not left:
                continue
            kind = first.pop() if first else self.random.choice(left)
            name = f"{self.random.choice(('my', 'fast', 'gpu', 'tune', 'lib'))}{attempt}"
            made = kind.make(self.unit, self.random, name)
            if made is None:
                continue
            edits, names, expects = made if len(made) == 3 else (*made, made[1])
            spans = {}
            for edit in edits:
                spans.setdefault(edit.path, []).extend((edit.start, edit.end))
            spans = [(path, min(ends), max(ends)) for path, ends in spans.items()]
            for number, build in enumerate(builds):
                taken = ranges_of.setdefault(number, [])
                clash = any(path == other and low < end and start < high for path, low, high in spans for other, start, end in taken)
                if clash or names & names_of.setdefault(number, set()):
                    continue
                names_of[number] |= names
                taken += spans
                build.append(Mutant(kind, edits, names, expects, attempt))
                kinds.add(kind.name)
                break
        return [build for build in builds if build]

    def confirm(self, mutants):
        """(change, what nvcc says of it) for those that are what they are meant to be."""
        if not mutants:
            return
        said, error = self.judge(mutants)
        if error:
            if len(mutants) == 1:
                self.campaign.dropped[f"change: nvcc does not compile it: {mutants[0].kind.name}"] += 1
                return
            half = len(mutants) // 2
            yield from self.confirm(mutants[:half])
            yield from self.confirm(mutants[half:])
            return
        for mutant in mutants:
            sentences = [sentence for name in mutant.names for sentence in said.get(name, [])]
            if bool(sentences) == mutant.kind.is_bug:
                yield mutant, sentences
            else:
                self.campaign.dropped[f"change: {'has no effect' if mutant.kind.is_bug else 'is not harmless'}: {mutant.kind.name}"] += 1

    def score(self, mutant, sentences):
        score = self.lint_mutant(mutant, sentences)
        if score.right and not score.extra:
            return score
        # Let nvcc see it alone, before it is held against the linter.
        said, error = self.judge([mutant], keep=True)
        alone = [sentence for name in mutant.names for sentence in (said or {}).get(name, [])]
        if error or bool(alone) != mutant.kind.is_bug:
            self.campaign.dropped["change: is something else alone"] += 1
            return None
        score.extra = [finding for finding in score.extra if not words(finding) & set(said)]
        if not score.right or score.extra:
            self.store(score)
            self.campaign.say(f"{'WRONG' if not score.right else 'extra'}  {self.path}: {mutant.kind.name}  {score.kept}")
        return score

    def lint_mutant(self, mutant, sentences):
        texts = self.copy.change(mutant.edits)
        try:
            findings, whole = self.lint()
        finally:
            self.copy.restore(texts)
        new = [finding for finding in findings if key(finding) not in self.clean]
        if not mutant.kind.is_bug:
            return Score(mutant, self.path, sentences, new, not new)
        hits = [finding for finding in new if finding["rule"] in mutant.kind.rules and words(finding) & mutant.expects]
        extra = [finding for finding in new if not words(finding) & mutant.expects and finding["certainty"] == "definite"
                 and finding["rule"] in JUDGED]
        return Score(mutant, self.path, sentences, new, bool(hits), extra=extra)

    def judge(self, mutants, keep=False):
        """(name -> what nvcc says, why it says nothing)"""
        texts = self.copy.change([edit for mutant in mutants for edit in mutant.edits])
        try:
            of = hashlib.sha256(json.dumps([
                str(self.path), self.unit.project.flags, self.options.targets, self.options.nvcc, keep,
                sorted((str(path), text) for path, text in texts.items())]).encode()).hexdigest()
            if of not in self.campaign.opinions.known:
                self.campaign.opinions.add(of, *self.ask(keep))
            return self.campaign.opinions.known[of]
        finally:
            self.copy.restore(texts)

    def ask(self, keep):
        """nvcc's own words on the files as they are now."""
        self.builds += 1
        scratch = self.directory / "build"
        shutil.rmtree(scratch, ignore_errors=True)
        try:
            headers = (str(self.campaign.toolkit),)
            real = compiler.RealUnit(self.options.nvcc, self.copy.path(self.path), self.copy.flags(), self.options.targets, scratch, headers)
            if real.failed:
                return None, " ".join(real.errors)
            real.keep = keep
            return real.look(), None
        except (compiler.HostFails, subprocess.SubprocessError, OSError) as error:
            return None, f"the host pass: {error}"
        finally:
            shutil.rmtree(scratch, ignore_errors=True)

    def command(self):
        flags = [flag for flag in self.copy.flags() if flag.startswith(("-I", "-D", "-U", "-std="))]
        others = [f"--extra-arg={flag}" for flag in self.copy.flags() if flag not in flags]
        return [str(self.options.linter), "check", "--format", "json", "--arch", ",".join(self.options.targets),
                "--cuda-path", str(self.campaign.toolkit), *flags, *others, str(self.copy.path(self.path))]

    def lint(self):
        """(findings, everything was analysed)"""
        done = subprocess.run(self.command(), capture_output=True, text=True, cwd=self.directory, timeout=compiler.LIMIT)
        if done.returncode not in (0, 1, 3):
            raise SystemExit(f"mutation.py: the linter fails on {self.path}: {done.stderr}")
        return json.loads(done.stdout)["findings"], done.returncode != 3

    def store(self, score):
        """Keeps the changed files beside what was said of them."""
        if not self.options.keep:
            return
        project = self.unit.project
        folder = self.options.keep / f"{self.options.seed}-{project.folder.name}-{self.path.stem}-{score.mutant.number}-{score.mutant.kind.name}"
        texts = self.copy.change(score.mutant.edits)
        self.copy.restore(texts)
        for path, text in texts.items():
            made = folder / path.relative_to(project.folder)
            made.parent.mkdir(parents=True, exist_ok=True)
            made.write_text(text, errors="surrogateescape")
        command = [word.replace(str(self.copy.folder), str(project.folder)) for word in self.command()]
        lines = [f"unit: {self.path}", f"linter: {shlex.join(command)}", *(f"nvcc: {sentence}" for sentence in score.said),
                 *(f"found: {finding['rule']}: {finding['message']}" for finding in score.found)]
        (folder / "report.txt").write_text("\n".join(lines) + "\n")
        score.kept = str(folder)


def key(finding):
    return finding["rule"], finding["entity"], finding["message"]


def words(finding):
    """Every name in a finding's first line."""
    return set(re.findall(r"\w+", f"{finding['entity']} {finding['message']}"))


if __name__ == "__main__":
    sys.exit(main())
