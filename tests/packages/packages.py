#!/usr/bin/env python3
"""Audits public packages with CUDA code, and holds what is read of them to cuobjdump.

    tests/packages/packages.py [--linter PATH] [--cuobjdump PATH] [--findings DIR] [--wheels DIR] [NAME[==VERSION][@PYTHON] ...]

Packages are downloaded one at a time with pip, measured and deleted; each has a row in `packages.tsv`. Without any,
those that have a row are measured anew. The row says

* what is in it: files with device code, modules, architectures, kernels (each once in a module, and each in each
  image) and findings by rule;
* what that took: seconds, processor seconds and the most memory of one `audit` of the whole package;
* how cuobjdump compares: the images whose kernels are the same set, file by file, and the processor seconds of
  `cuobjdump -symbols` on the same files.

`--findings DIR` keeps the findings as JSON. `--wheels DIR` takes packages from there where it has them.

Exit status: 0 when every image that cuobjdump lists has the kernels that `audit` lists, 1 when some have not.
"""

import argparse
import collections
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import typing
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
TABLE = HERE / "packages.tsv"
PLATFORMS = ["manylinux1", "manylinux2010", "manylinux2014", *(f"manylinux_2_{minor}" for minor in range(5, 36))]


class Row(typing.NamedTuple):
    """What was measured of a package."""

    package: str
    """The file's name."""
    megabytes: int
    files: int
    """Files with device code."""
    modules: int
    architectures: str
    kernels: int
    """Each once in a module."""
    compiled: int
    """Each in each image of machine code."""
    findings: str
    """Rules with their numbers of findings."""
    seconds: float
    processor_seconds: float
    memory: int
    """The most that was resident, in megabytes."""
    cuobjdump_seconds: float
    """Of the processor."""
    equal: int
    """Images of machine code whose kernels cuobjdump lists alike."""
    images: int
    """Images of machine code."""
    note: str
    """Where they differ."""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--linter", default="target/release/cuda-arch-lint", help="the program")
    parser.add_argument("--cuobjdump", default="cuobjdump", help="NVIDIA's program (default: from PATH)")
    parser.add_argument("--findings", type=pathlib.Path, metavar="DIR", help="keep the findings there")
    parser.add_argument("--wheels", type=pathlib.Path, metavar="DIR", help="packages that are there already")
    parser.add_argument("package", nargs="*", help="NAME==VERSION, with @3.10 for a package that is for this Python alone")
    options = parser.parse_args()
    tools = Tools(os.path.abspath(options.linter), shutil.which(options.cuobjdump))
    if not os.access(tools.linter, os.X_OK) or tools.cuobjdump is None:
        print(f"packages.py: no such program: {options.cuobjdump if tools.cuobjdump is None else options.linter}", file=sys.stderr)
        return 2
    differ = 0
    for wanted in options.package or map(wanted_of, read_table()):
        with tempfile.TemporaryDirectory() as scratch:
            package = found(options.wheels, wanted) or downloaded(wanted, pathlib.Path(scratch))
            if package is None:
                print(f"{wanted}: pip has no such package", flush=True)
                continue
            row = measured(tools, package, pathlib.Path(scratch), options.findings)
        write_table({**read_table(), row.package: row})
        differ += row.equal < row.images and not row.note.startswith("cuobjdump ")
        print("\t".join(map(str, row)), flush=True)
    return 1 if differ else 0


class Tools(typing.NamedTuple):
    linter: str
    cuobjdump: typing.Optional[str]


def wanted_of(file):
    """The package of a file: `faiss-gpu==1.7.2@3.10`."""
    name, version, *_, python, abi, _ = file.removesuffix(".whl").split("-")
    # What is made for the stable ABI is for later versions too, and may want one.
    of = re.match(r"cp(\d)(\d+)$", python) if abi != "abi3" else None
    return f"{name}=={version}" + (f"@{of.group(1)}.{of.group(2)}" if of else "")


def found(directory, wanted):
    """The file of the package in a directory, or nothing."""
    name, _, version = wanted.partition("@")[0].partition("==")
    start = f"{re.sub(r'[-_.]+', '_', name).lower()}-{version}" + ("-" if version else "")
    files = sorted(directory.iterdir()) if directory else []
    return next((file for file in files if file.name.lower().startswith(start)), None)


def downloaded(wanted, scratch):
    """The package's file, or nothing."""
    package, _, python = wanted.partition("@")
    python = python or "3.11"
    into = scratch / "download"
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:", "--dest", str(into)]
    command += [one for platform in PLATFORMS for one in ("--platform", f"{platform}_x86_64")]
    digits = python.replace(".", "")
    tags = [f"cp{digits}", *(f"cp{digits}{suffix}" for suffix in ("m",) if int(digits) < 38), "abi3", "none"]
    command += ["--implementation", "cp", "--python-version", python, *(one for tag in tags for one in ("--abi", tag))]
    done = subprocess.run([*command, package], capture_output=True, text=True)
    files = sorted(into.iterdir()) if done.returncode == 0 else []
    return files[0] if files else None


def measured(tools, package, scratch, findings):
    """The row of a package."""
    report, seconds, processor, memory = audited(tools.linter, package, scratch)
    if findings:
        findings.mkdir(parents=True, exist_ok=True)
        (findings / f"{package.name}.json").write_text(json.dumps(report["findings"], indent=1))
    counts = collections.Counter(one["rule"] for one in report["findings"])
    counts.update("problem" for _ in report["problems"])
    total = Contents()
    for member in members(package, scratch):
        total.add(contents(tools, member))
        member.unlink()
    return Row(
        package.name,
        round(package.stat().st_size / 1e6),
        total.files,
        total.modules,
        ",".join(sorted(total.architectures, key=lambda arch: (int(re.sub(r"\D", "", arch)), arch))),
        total.kernels,
        total.compiled,
        ", ".join(f"{rule} {count}" for rule, count in sorted(counts.items())) or "none",
        round(seconds, 1),
        round(processor, 1),
        round(memory / 1e3),
        round(total.cuobjdump_seconds, 1),
        total.equal,
        total.images,
        "; ".join(sorted(total.notes)),
    )


# Runs a program, and says how it ended and what it took. The memory of a process counts for the program that it becomes: a
# child of this process, which has read large reports, would seem to have taken as much.
MEASURE = """import os, sys
_, status, used = os.wait4(os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ), 0)
print(os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime, used.ru_maxrss, file=sys.stderr)"""


def audited(linter, package, scratch):
    """(report, seconds, processor seconds, most kilobytes) of an audit of the whole package."""
    out = scratch / "report.json"
    command = [sys.executable, "-S", "-c", MEASURE, linter, "audit", "--isolated", "--quiet", "--format", "json", str(package)]
    start = time.monotonic()
    with out.open("w") as stdout:
        done = subprocess.run(command, stdout=stdout, stderr=subprocess.PIPE, text=True)
    seconds = time.monotonic() - start
    status, processor, memory = done.stderr.splitlines()[-1].split()
    report = {"findings": [], "problems": []} if status == "2" else json.loads(out.read_text())
    return report, seconds, float(processor), int(memory)


# The first bytes of what holds device code: ELF files, fatbins and archives.
MAGICS = (b"\x7fELF", b"\x50\xed\x55\xba", b"!<arch>\n")


def members(package, scratch):
    """The files in a wheel that may hold device code, each unpacked while it is looked at."""
    with zipfile.ZipFile(package) as archive:
        for number, info in enumerate(archive.infolist()):
            with archive.open(info) as member:
                head = member.read(8)
                if not head.startswith(MAGICS):
                    continue
                file = scratch / f"{number}-{pathlib.PurePosixPath(info.filename).name}"
                with file.open("wb") as out:
                    out.write(head)
                    shutil.copyfileobj(member, out, 1 << 20)
            yield file


class Contents:
    """Sums over the files of a package."""

    def __init__(self):
        self.files = self.modules = self.kernels = self.compiled = self.equal = self.images = 0
        self.cuobjdump_seconds = 0.0
        self.architectures, self.notes = set(), set()

    def add(self, other):
        for name, value in vars(other).items():
            if isinstance(value, set):
                getattr(self, name).update(value)
            else:
                setattr(self, name, getattr(self, name) + value)


def contents(tools, file):
    """What is in one file, by both programs."""
    one = Contents()
    done = subprocess.run([tools.linter, "audit", "--isolated", "--list=json", str(file)], capture_output=True)
    # Without device code there is no list.
    artifacts = json.loads(done.stdout)["artifacts"] if done.stdout else []
    ours = collections.Counter()
    for artifact in artifacts:
        one.files += 1
        for module in artifact["modules"]:
            one.modules += 1
            one.kernels += len(module["kernels"])
            for index, image in enumerate(module["images"]):
                one.architectures.add(image["arch"])
                if image["kind"] == "elf":
                    names = [kernel["symbol"] for kernel in module["kernels"] if kernel["images"][index] is not None]
                    one.compiled += len(names)
                    ours[image["arch"], digest(names)] += 1
    one.images = sum(ours.values())
    if not one.files:
        return one
    theirs, one.cuobjdump_seconds, failed = cuobjdump(tools.cuobjdump, file)
    one.equal = sum((ours & theirs).values())
    name = file.name.partition("-")[2]
    if theirs - ours:
        one.notes.add(f"{name}: {sum((theirs - ours).values())} images that cuobjdump alone lists so")
    elif ours - theirs:
        reason = f"says `{failed}` after" if failed else "ends with"
        one.notes.add(f"cuobjdump {reason} {sum(theirs.values())} of {one.images} images of {name}")
    return one


def digest(names):
    return hashlib.sha256("\n".join(sorted(names)).encode()).hexdigest()[:16]


def cuobjdump(program, file):
    """(the images of machine code by architecture and kernels, processor seconds, what it failed with)"""
    images = collections.Counter()
    arch, names, code = None, [], False
    start = os.times()
    child = subprocess.Popen([program, "-symbols", str(file)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    failed = ""
    for line in child.stdout:
        if line.startswith("Fatbin "):
            if code and arch:
                images[arch, digest(names)] += 1
            arch, names, code = None, [], line.startswith("Fatbin elf")
        elif line.startswith("arch = "):
            arch = line.split()[2].removeprefix("sm_")
        elif line.startswith(("FUNC ", "STT_FUNC ")) and "ENTRY" in line:
            names.append(line.split()[-1])
        if "cuobjdump fatal" in line:
            # What it was listing is not whole.
            failed, arch = re.sub(r".*fatal *: | in '.*", "", line).strip(), None
    if code and arch:
        images[arch, digest(names)] += 1
    child.wait()
    end = os.times()
    return images, end.children_user + end.children_system - start.children_user - start.children_system, failed


def read_table():
    rows = {}
    for line in TABLE.read_text().splitlines() if TABLE.exists() else []:
        if not line.startswith("#"):
            fields = line.split("\t")
            made = [kind(text) for kind, text in zip(typing.get_type_hints(Row).values(), fields)]
            rows[fields[0]] = Row(*made)
    return rows


def write_table(rows):
    lines = ["# " + "\t".join(Row._fields)]
    lines += ["\t".join(map(str, row)) for _, row in sorted(rows.items())]
    TABLE.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    sys.exit(main())
