#!/usr/bin/env python3
"""Holds `audit` to nvcc: does it find in the objects of the corpus what `corpus/judge.py` says of the sources?

    corpus/built.py [--nvcc PATH] [--linter PATH] [--jobs N] [--sample N] [--forms 2|6|12] [--verbose] [CASE ...]

Each case is built as a user builds it, with machine code for every target and PTX for the last one, twice: with its
targets in the order of its `//@ targets:` line and in the reverse order, once as a whole program and once for separate
compilation, the fatbin compressed by zstd, by LZ4 or not at all, in turn from case to case; `--forms 12` builds it in
all twelve forms, `--forms 6` in those of one order, in turn too. The objects of a case are audited together, and the findings are compared with the verdict on the case
in `corpus/verdicts.tsv`. Beyond two forms nvcc builds a case for each order and mode; for the other compressions its
own `fatbinary` makes the fatbin anew from the images that nvcc kept, and `objcopy` puts it into the object, of which
nothing else hangs on the compression.

* A case on which nvcc's passes agree must have no finding in any form.
* No finding about the sources of a case on which they disagree may be denied by its objects (`check --built`).
* Each kernel and variable that they disagree about must be named by a finding of the rule that speaks of it, in every form
  in which the objects can show it; and nothing else may be named.

What can't be in an object is told apart by its kind (`HIDDEN`) or, where the one form shows it and the other can't, by
what the object lacks (`why_unseen`). `--sample N` takes each N-th case: CI does that.

Exit status: 0 when all agree, 1 when some do not, 2 for a wrong command line.
"""

import argparse
import collections
import concurrent.futures
import hashlib
import itertools
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import typing
import zlib

sys.dont_write_bytecode = True

import judge
import nvcc_options
import passes
from judge import Verdicts, shown

# The differences that no object can show, by kind.
HIDDEN = {
    "build": "nvcc builds no object of it",
    "function": "a device function that is missing is the device linker's error: the host knows nothing of it",
    "layout": "what a pointer points to is not in an object, nor are the host's sizes of parameters",
    "text": "the audit compares names, parameters and sizes, not the bodies of functions",
    "stub": "which object's host stub is taken is the linker's choice",
}
# The rules that confirm the other kinds.
CONFIRMS = {
    "kernel": {"missing-kernel", "unregistered-kernel", "mismatched-parameters", "mismatched-ptx"},
    "lambda": {"missing-kernel", "unregistered-kernel"},
    "parameters": {"mismatched-parameters", "missing-kernel", "unregistered-kernel"},
    "variable": {"mismatched-variable"},
    "size": {"mismatched-variable"},
}
COMPRESSIONS = ["size", "speed", "none"]


class Form(typing.NamedTuple):
    """A way to build a case."""

    reverse: bool
    rdc: bool
    compression: str

    def __str__(self):
        order = "last target first" if self.reverse else "in order"
        return f"{order}, {'separate' if self.rdc else 'whole'}, {self.compression}"


class Outcome(typing.NamedTuple):
    """What a form of a case gave."""

    errors: str
    """nvcc's, when there is no object."""
    findings: tuple
    """(rule, entity, certainty) of each finding, and for a problem of the audit `problem`, its message and `definite`."""
    objects: tuple
    """The paths of the objects."""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nvcc", default="nvcc", help="the compiler driver (default: nvcc from PATH)")
    parser.add_argument("--linter", default="target/debug/cuda-arch-lint", help="the program")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="cases built at once")
    parser.add_argument("--sample", type=int, default=1, metavar="N", help="each N-th case only")
    parser.add_argument("--objects", type=pathlib.Path, metavar="DIR", help="keep objects there, and take those there are")
    parser.add_argument("--forms", type=int, choices=[2, 6, 12], default=2, help="each mode and compression, and each order")
    parser.add_argument("-v", "--verbose", action="store_true", help="print what is not shown, and why")
    parser.add_argument("case", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    nvcc, linter = shutil.which(options.nvcc), shutil.which(options.linter)
    if nvcc is None or linter is None:
        print(f"built.py: no such program: {options.linter if nvcc else options.nvcc}", file=sys.stderr)
        return 2
    cases = [path.resolve() for path in options.case] or list(passes.cases())[:: options.sample]
    verdicts = Verdicts.read()
    # A case without a source is about the files that name targets.
    cases = [case for case in cases if shown(case) in verdicts.rows and (case.suffix == ".cu" or any(case.glob("*.cu")))]
    forms = {case: forms_of(zlib.crc32(shown(case).encode()), options.forms) for case in cases}
    temporary = tempfile.TemporaryDirectory() if options.objects is None else None
    store = pathlib.Path(temporary.name) if temporary else options.objects.resolve()
    store /= judge.release_of(nvcc)
    linter = os.path.abspath(linter)
    # What differs in the compression alone is built together.
    work = [(case, list(same)) for case in cases for _, same in itertools.groupby(forms[case], lambda form: form[:2])]
    tally = collections.Counter()
    reasons = collections.Counter()
    answers = collections.Counter()
    by_case = collections.defaultdict(list)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        outcomes = pool.map(lambda one: outcomes_of(nvcc, linter, store, *one), work)
        for (case, same), results in zip(work, outcomes):
            by_case[case] += zip(same, results)
            if len(by_case[case]) < len(forms[case]):
                continue
            differences, overrides = verdicts.of(case), judge.Case(case).overrides
            builds = not any(one.kind == "build" for one in differences)
            if overrides and overrides[0].startswith("disagrees"):
                differences = []
            complaints, unseen = compared(linter, case, differences, builds, by_case[case])
            for form, result in by_case[case]:
                told = verdicts_on_findings(linter, case, form, result)
                answers.update(verdict for verdict, _ in told)
                complaints += [f"{form}: denied: {message}" for verdict, message in told if verdict == "denied" and differences]
            kind = "harmful" if differences else "benign"
            tally[kind, not complaints] += 1
            reasons.update(unseen)
            if complaints or options.verbose:
                print(f"{'WRONG' if complaints else 'ok   '} {shown(case)}")
                for line in sorted({*complaints, *unseen}):
                    print(f"        {line}", flush=True)
    for kind in ["harmful", "benign"]:
        print(f"{kind}: {tally[kind, True]} of {tally[kind, True] + tally[kind, False]} cases agree")
    print("findings about the sources, judged by the objects: " + ", ".join(f"{count} {one}" for one, count in answers.most_common()))
    print(f"{sum(map(len, forms.values()))} builds; differences that objects can't show:")
    for reason, count in reasons.most_common():
        print(f"{count:6}  {reason}")
    return 1 if tally["harmful", False] or tally["benign", False] else 0


def forms_of(number, many):
    """The forms in which a case is built: two, which take turns with the modes and the compressions, or more of the twelve."""
    first = number % 2 == 1
    if many > 2:
        orders = [False, True] if many > 6 else [first]
        return [Form(*one) for one in itertools.product(orders, [False, True], COMPRESSIONS)]
    return [Form(False, first, COMPRESSIONS[number % 3]), Form(True, not first, COMPRESSIONS[(number + 1) % 3])]


def outcomes_of(nvcc, linter, store, case, forms):
    """Builds a case in forms that differ in the compression alone, and audits the objects of each."""
    root = case if case.is_dir() else case.parent
    units = sorted(root.glob("*.cu")) if case.is_dir() else [case]
    directories = [store / key(case, root, units, form) for form in forms]
    if not all((built / "done").exists() for built in directories):
        for built in directories:
            built.mkdir(parents=True, exist_ok=True)
        errors = ""
        for unit in units:
            with tempfile.TemporaryDirectory() as scratch:
                objects = [built / f"{unit.stem}.o" for built in directories]
                errors = errors or build(nvcc, root, unit, dict(zip(forms, objects)), scratch)
        for built in directories:
            (built / "done").write_text(errors)
    return [outcome(linter, built, units) for built in directories]


def build(nvcc, root, unit, objects, scratch):
    """Builds a unit in each form, into the object that belongs to it; the errors of nvcc."""
    first = next(iter(objects))
    command = [nvcc, "-c", "-w", "--keep", *flags(root, unit, first), str(unit), "-o", str(objects[first])]
    done = subprocess.run(command, cwd=scratch, capture_output=True, text=True)
    if done.returncode:
        return done.stderr or f"exit status {done.returncode}"
    if len(objects) == 1:
        return ""
    steps = subprocess.run([*command, "--dryrun"], cwd=scratch, capture_output=True, text=True).stderr
    fatbinary = shlex.split(re.search(r"^#\$ (fatbinary .*)", steps, re.M).group(1))
    fatbinary = [word for word in fatbinary if not re.match("--(create|compress-mode|embedded-fatbin)=", word)]
    fatbinary[0] = str(pathlib.Path(nvcc).resolve().with_name("fatbinary"))
    for form, made in objects.items():
        if form != first:
            again = pathlib.Path(scratch) / "again.fatbin"
            subprocess.run([*fatbinary, f"--create={again}", f"--compress-mode={form.compression}"], cwd=scratch, check=True)
            section = "__nv_relfatbin" if form.rdc else ".nv_fatbin"
            passes.run(["objcopy", "--update-section", f"{section}={again}", str(objects[first]), str(made)])
    return ""


def outcome(linter, built, units):
    """Audits the objects in a directory."""
    errors = (built / "done").read_text()
    if errors:
        return Outcome(errors, (), ())
    objects = [str(built / f"{unit.stem}.o") for unit in units]
    report = audited(linter, "audit", "--isolated", "--format", "json", *objects)
    # What the list of targets leaves open is not what the passes disagree about.
    found = {(one["rule"], one["entity"], one["certainty"]) for one in report["findings"] if one["rule"] in BUILT}
    found |= {("problem", one["message"], "definite") for one in report["problems"]}
    return Outcome("", tuple(sorted(found)), tuple(objects))


def audited(linter, *arguments):
    done = subprocess.run([linter, *arguments], capture_output=True, text=True)
    if done.returncode == 2 and "no device code in" in done.stderr:
        return {"findings": [], "problems": [], "artifacts": []}
    return json.loads(done.stdout)


def key(case, root, units, form):
    """A hash of all that an object hangs on but for nvcc, whose release the directory names, and for where the corpus is."""
    texts = [file.read_bytes() for file in passes.files(case)]
    commands = [repr(flags(root, unit, form)).replace(str(passes.CORPUS), "").encode() for unit in units]
    return hashlib.sha256(b"\0".join([shown(case).encode(), *texts, *commands])).hexdigest()[:20]


BUILT = set().union(*CONFIRMS.values())


def flags(root, unit, form):
    """nvcc's arguments for a unit."""
    settings, targets = nvcc_options.settings_of(unit)
    targets = targets[::-1] if form.reverse else targets
    made = nvcc_options.options_of(root, unit, settings, "true" if form.rdc else "false")
    made += [f"--compress-mode={form.compression}", "-Xcicc", "-O0", "-Xptxas", "-O0"]
    for target in targets[:-1]:
        made += ["-gencode", f"arch=compute_{target},code=sm_{target}"]
    made += ["-gencode", f"arch=compute_{targets[-1]},code=[sm_{targets[-1]},compute_{targets[-1]}]"]
    release = settings.get("cuda", [""])[0]
    if release and int(release.split(".")[0]) < 13:
        made += ["-static-global-template-stub=false"]
    return made


def compared(linter, case, differences, builds, outcomes):
    """What is wrong with the findings of a case, and the reasons for which objects do not show a difference."""
    complaints, unseen = [], []
    for form, result in outcomes:
        if result.errors:
            # With the targets in another order, or in another mode, it may build: what builds is compared.
            if result.errors.startswith("ptxas"):
                unseen.append("build: ptxas refuses an instruction or an undefined function, and the judge stops at PTX")
                continue
            if builds and not form.reverse and form.rdc == ("rdc" in settings_words(case)):
                complaints.append(f"{form}: does not build: {result.errors.splitlines()[0]}")
            continue
        confirmed = set()
        for one in differences:
            if one.kind in HIDDEN:
                unseen.append(f"{one.kind}: {HIDDEN[one.kind]}")
                confirmed |= {found for found in result.findings if about(found[1], one)}
                continue
            found = {found for found in result.findings if found[0] in CONFIRMS[one.kind] and about(found[1], one)}
            confirmed |= found
            if not found:
                reason = why_unseen(linter, case, one, form, result)
                if reason:
                    unseen.append(f"{one.kind}: {reason}")
                else:
                    complaints.append(f"{form}: nothing is found about {one.kind} {one.name}")
        for rule, entity, certainty in sorted(set(result.findings) - confirmed):
            if any(line.startswith("agrees") for line in judge.Case(case).overrides):
                unseen.append(f"{rule}: the case's own `nvcc:` line says why the judge sees less")
            elif certainty == "likely" and form.rdc:
                unseen.append(f"{rule}: only likely, since another object may use the instance, which no object tells")
            else:
                complaints.append(f"{form}: {rule} {entity}")
    return complaints, unseen


def verdicts_on_findings(linter, case, form, result):
    """What the objects say of each finding about the case: (verdict, message)."""
    if result.errors or form.rdc != ("rdc" in settings_words(case)):
        return []
    root = case if case.is_dir() else case.parent
    units = sorted(root.glob("*.cu")) if case.is_dir() else [case]
    told = []
    for unit, made in zip(units, result.objects):
        settings, targets = nvcc_options.settings_of(unit)
        arguments = ["--isolated", "-nostdinc", "--format", "json", "--arch", ",".join(targets[::-1] if form.reverse else targets)]
        arguments += ["--rdc"] * form.rdc + [f"-I{root / directory}" for directory in settings.get("include", [])]
        arguments += [f"-D{define}" for define in settings.get("define", [])]
        report = audited(linter, "check", *arguments, "--built", made, str(unit))
        told += [(one["built"]["verdict"], one["message"]) for one in report["findings"]]
    return told


def settings_words(case):
    units = sorted(case.glob("*.cu")) if case.is_dir() else [case]
    return set(re.findall(r"^//@ *(\w+)", "\n".join(unit.read_text() for unit in units), re.M))


def about(entity, one):
    """A finding's entity is what a difference is about: the same name without arguments."""
    return plain_base(named(entity)) == plain_base(one.name) or plain_base(one.name) in one.types


def why_unseen(linter, case, one, form, result):
    """Why the objects of a form can't show a difference; nothing where they can."""
    artifacts = audited(linter, "audit", "--isolated", "--list=json", *result.objects)["artifacts"]
    modules = [module for artifact in artifacts for module in artifact["modules"]]
    kinds = {"kernel": "kernels", "lambda": "kernels", "parameters": "kernels", "variable": "variables", "size": "variables"}
    same = [entity for module in modules for entity in module[kinds[one.kind]] if about(entity["name"], one)]
    if one.kind == "variable" and not any(entity["registered"] for entity in same):
        return "the host's variable is like any other where the last target does not register it"
    if one.kind == "size" and is_managed(case, one.name) and len(one.passes) == 2 and ("host",) in one.passes:
        return "the host's side of a managed variable is a pointer, whatever the host takes its type for"
    if one.kind == "kernel" and "<" in one.name and not form.rdc and not is_used(result.objects, one.name):
        return "no code of the object launches the instance, and no other object can"
    host_alone = ("host",) in one.passes and "<" not in one.name
    if one.kind == "kernel" and (host_alone or not same):
        return "no image has the kernel: a launch of it is the linker's error, if there is one"
    _, targets = nvcc_options.settings_of(next(iter(sorted(case.glob("*.cu"))), case) if case.is_dir() else case)
    lacking = {target for target in targets if any(f"sm_{target}" in block for block in one.passes if "host" not in block)}
    if lacking and all(any(other.startswith(target) and other != target for other in targets) for target in lacking):
        return "every GPU takes the image for its architecture alone, which has the kernel"
    return None


def is_used(objects, name):
    """Some host code but a kernel's own and what registers it names an instance, as objdump reads it."""
    for made in objects:
        around = ""
        for line in passes.run(["objdump", "-d", "-r", "-C", "--no-show-raw-insn", made]).splitlines():
            if line.endswith(">:"):
                around = line
            elif f"{name}(" in line and f"{name}(" not in around and not re.search("__device_stub_|ister(Callback|All)", around):
                return True
    return False


def is_managed(case, name):
    text = "\n".join(file.read_text() for file in passes.files(case))
    return re.search(rf"__managed__[^;]*\b{re.escape(passes.base(name).split('::')[-1])}\b", text)


def named(readable):
    """A kernel's or variable's name without its result and parameters."""
    name = passes.without_parameters(passes.plain(readable))
    return name


def plain_base(name):
    return passes.base(re.sub(r"^(?:static )?void ", "", name)).removeprefix("(anonymous namespace)::")


if __name__ == "__main__":
    sys.exit(main())
