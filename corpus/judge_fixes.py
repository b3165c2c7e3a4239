#!/usr/bin/env python3
"""Lets nvcc judge the fixes: does each pass compile to the code that it had?

    EACH=target/each cargo test corpus::fixes && corpus/judge_fixes.py [--nvcc PATH] [--kept | --sample N] target/each
    corpus/judge_fixes.py [--nvcc PATH] --linter PROGRAM --units FILE

The first judges every fix of the corpus, as the tests leave them, safe ones first, and writes `corpus/fixes-judged.tsv`,
under a hash of the texts before and after: what is there already is not compiled again. `--sample` compiles at most so
many of those that are not there, and every 40th of all, and writes nothing. `--kept` compiles nothing, and its exit
status is 3 when a safe fix is not there. The second judges the fixes that the linter offers for units of other projects, and prints a table of names and results. Each line
of FILE is `PROJECT<tab>FOLDER<tab>SOURCE<tab>TARGETS<tab>OPTIONS<tab>PLANTED`: a copy of a project that may be edited, a
source in it, the targets, nvcc's options, and what was planted there, if anything was.

A device pass is compiled to PTX (`nvcc -ptx -arch=compute_XX`); the host's is what nvcc gives to its compiler, compiled to
assembly without optimisation. Comments, line directives, and the numbers of labels, calls and unnamed constants are left out. Of a pass:

    same        every kernel, function and variable is what it was
    promised    what there was is what it was; there are more, or the pass did not build and does now
    changed     some kernel, external function or variable is gone or another
    broken      it built and does not now
    unbuilt     it builds neither before nor after

Exit status: 0 when every safe fix keeps every pass (same, promised or unbuilt), 1 otherwise, 2 for a wrong command line.
"""

import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True

import nvcc_options
import passes
from passes import CORPUS

TABLE = CORPUS / "fixes-judged.tsv"
KEPT = {"same", "promised", "unbuilt"}
# Seconds that a compiler may take.
LIMIT = 300


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nvcc", default="nvcc", help="the compiler driver (default: nvcc from PATH)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="fixes compiled at once")
    parser.add_argument("--sample", type=int, help="judge this many of the fixes without a kept verdict, and every 40th")
    parser.add_argument("--kept", action="store_true", help="compile nothing; exit status 3 if a safe fix has no verdict")
    parser.add_argument("--linter", help="the program whose fixes for other projects are judged")
    parser.add_argument("--units", type=pathlib.Path, help="the list of units of other projects")
    parser.add_argument("each", nargs="?", type=pathlib.Path, help="the directory that the tests left")
    options = parser.parse_args()
    if options.kept and options.each:
        return report_kept(options.each)
    nvcc = shutil.which(options.nvcc)
    if nvcc is None or (options.each is None) == (options.units is None):
        print("judge_fixes.py: nvcc, and either a directory or a list of units, are needed", file=sys.stderr)
        return 2
    compiler = Compiler(nvcc)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        if options.units:
            rows = judge_projects(compiler, options.linter, options.units, pool)
        else:
            rows = judge_corpus(compiler, options.each, options.sample, pool)
    return report(rows)


def report(rows):
    """Prints what the verdicts are, by applicability, and the safe fixes that are none."""
    wrong = [row for row in rows if row["applicability"] == "safe" and not set(row["passes"].values()) <= KEPT]
    counts = {}
    for row in rows:
        worst = max(row["passes"].values(), key=["unbuilt", "same", "promised", "changed", "broken"].index)
        counts.setdefault(row["applicability"], {}).setdefault(worst, []).append(row)
    for applicability, by_verdict in sorted(counts.items()):
        words = ", ".join(f"{len(found)} {verdict}" for verdict, found in sorted(by_verdict.items()))
        print(f"{applicability}: {words} (the worst of their passes)")
    for row in wrong:
        print(f"WRONG {row['case']}: {row['title']}: {shown_passes(row)}")
    print(f"{len(rows)} fixes: {len(wrong)} are safe by the linter and not by nvcc")
    return 1 if wrong else 0


def shown_passes(row):
    return ", ".join(f"{name} {verdict}" for name, verdict in row["passes"].items())


# ---- the corpus ----


def report_kept(directory):
    """The exit status for what the table says of the fixes that the tests left."""
    fixes, kept = left(directory, table_release()), read_table()
    for fix in fixes:
        fix["passes"] = kept.get(key(fix))
    new = [fix for fix in fixes if fix["passes"] is None and fix["applicability"] == "safe"]
    if new:
        print(f"{len(new)} safe fixes would have to be judged: {new[0]['case']}: {new[0]['title']} ...")
        return 3
    return report([fix for fix in fixes if fix["passes"]])


def left(directory, release):
    """The fixes that the tests left, each with the hash of its texts."""
    fields = ("name", "case", "rule", "kind", "applicability", "title")
    fixes = [dict(zip(fields, line.split("\t"))) for line in (directory / "fixes.tsv").read_text().splitlines()]
    for fix in fixes:
        case = CORPUS.parent / fix["case"]
        fix["root"] = directory / fix["name"] / case.name
        fix["hash"] = digest(case, fix["root"], release)
    return fixes


def judge_corpus(compiler, directory, sample, pool):
    fixes = left(directory, compiler.release)
    kept = read_table()
    if sample is not None:
        new = [fix for fix in fixes if key(fix) not in kept][:sample]
        fixes = new + [fix for fix in fixes[::40] if fix not in new]
        kept = {}
    todo = [fix for fix in fixes if key(fix) not in kept]
    todo.sort(key=lambda fix: fix["applicability"])

    def judged(fix):
        root = CORPUS.parent / fix["case"]
        return compared(units(compiler, root), units(compiler, fix["root"]))

    for fix in fixes:
        if key(fix) in kept:
            fix["passes"] = kept[key(fix)]
    for number, (fix, verdicts) in enumerate(zip(todo, pool.map(judged, todo))):
        fix["passes"] = verdicts
        if sample is None and number % 5 == 0:
            write_table(fixes, compiler.release)
    if sample is None:
        write_table(fixes, compiler.release)
    return fixes


def key(fix):
    return (fix["case"], fix["title"], fix["hash"])


def digest(before, after, release):
    """A hash of what a verdict hangs on."""
    found = hashlib.sha256(release.encode())
    for root in (before, after):
        for file in passes.files(root):
            text = re.sub(r"//~.*$|^[ \t]*//(?!@).*$", "", file.read_text(), flags=re.M)
            found.update(f"\n{file.name}\n{text}".encode())
    return found.hexdigest()[:12]


def table_release():
    """nvcc's release that the table is of."""
    first = TABLE.read_text().split("\n")[0] if TABLE.exists() else ""
    found = re.search(r"by nvcc ([\d.]+),", first)
    return found.group(1) if found else ""


def read_table():
    kept = {}
    for line in TABLE.read_text().splitlines() if TABLE.exists() else []:
        if not line.startswith("#"):
            case, _, _, _, verdicts, title, hashed = line.split("\t")
            kept[case, title, hashed] = dict(one.split(" ") for one in verdicts.split(", "))
    return kept


def write_table(fixes, release):
    lines = [f"# case, rule, kind of fix, applicability, each pass by nvcc {release}, the fix, hash; written by corpus/judge_fixes.py"]
    for fix in filter(lambda fix: "passes" in fix, fixes):
        lines.append("\t".join((fix["case"], fix["rule"], fix["kind"], fix["applicability"], shown_passes(fix), fix["title"], fix["hash"])))
    TABLE.write_text("\n".join(lines) + "\n")


def units(compiler, root):
    """The code of every unit of a case: unit and pass -> code."""
    top = root if root.is_dir() else root.parent
    found = {}
    for unit in sorted(root.glob("*.cu")) if root.is_dir() else [root]:
        settings, targets = nvcc_options.settings_of(unit)
        flags = nvcc_options.options_of(top, unit, settings, "true" if "rdc" in settings else "false")
        for name, code in compiler.passes(unit, targets, flags).items():
            found[unit.name, name] = code
    return found


# ---- other projects ----


def judge_projects(compiler, linter, listed, pool):
    by_folder = {}
    for line in listed.read_text().splitlines():
        if line and not line.startswith("#"):
            fields = line.split("\t") + [""] * 6
            by_folder.setdefault(fields[1], []).append(fields)
    rows = []
    # The fixes of one folder are made in it one after the other.
    for found in pool.map(lambda units: [row for unit in units for row in judge_unit(compiler, linter, *unit[:6])], by_folder.values()):
        rows += found
    return rows


def judge_unit(compiler, linter, project, folder, source, targets, options, planted):
    folder = pathlib.Path(folder)
    unit = folder / source
    options = shlex.split(options)
    command = [linter, "check", source, "--show-fixes", "--format", "json", "--quiet", "--arch", targets, "--exit-zero", *lint_options(options, compiler)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    try:
        findings = json.loads(done.stdout)["findings"]
    except ValueError:
        print(f"{project}\t{source}\tthe linter fails: {done.stderr.strip()[:200]}", flush=True)
        return []
    before = compiler.passes(unit, targets.split(","), options, cwd=folder)
    if all(isinstance(code, str) for code in before.values()):
        first = next(iter(before.values()))
        print(f"{project}\t{source}\tnvcc compiles no pass: {first}", flush=True)
        return []
    rows = []
    for finding in findings:
        for fix in finding.get("fixes") or []:
            texts = {}
            for edit in fix["edits"]:
                texts.setdefault(folder / edit["path"], []).append(edit)
            old = {path: path.read_bytes() for path in texts}
            try:
                for path, edits in texts.items():
                    path.write_bytes(edited(old[path], edits, path))
                after = compiler.passes(unit, targets.split(","), options, cwd=folder)
            finally:
                for path, text in old.items():
                    path.write_bytes(text)
            verdicts = compared({("", name): code for name, code in before.items()}, {("", name): code for name, code in after.items()})
            row = {"case": f"{project} {source}", "rule": finding["rule"], "kind": fix["kind"], "title": fix["title"],
                   "applicability": fix["applicability"], "passes": verdicts}
            rows.append(row)
            print("\t".join((project, source, planted or "found", finding["rule"], finding["entity"], fix["kind"], fix["applicability"], shown_passes(row))), flush=True)
    if not rows:
        print(f"{project}\t{source}\t{planted or 'found'}\t{len(findings)} findings, no fix", flush=True)
    return rows


def lint_options(options, compiler):
    """The linter's options for nvcc's."""
    top = pathlib.Path(compiler.nvcc).resolve().parent.parent
    known = [one for one in options if one.startswith(("-I", "-D", "-isystem", "-std"))]
    known += ["--rdc"] if "-rdc=true" in options else []
    return [*known, "--cuda-path", str(top)]


def edited(text, edits, path):
    """The text after the edits; the lines behind each keep their numbers, which assertions print."""
    result, at = b"", 0
    for edit in sorted(edits, key=lambda edit: (edit["start"]["offset"], edit["end"]["offset"])):
        start, end = edit["start"]["offset"], edit["end"]["offset"]
        result += numbered(text, at, start, path) + edit["text"].encode()
        at = end
        next_line = text.find(b"\n", at) + 1
        if next_line and not text[:next_line].rstrip(b"\r\n").endswith(b"\\"):
            behind = [other for other in edits if at <= other["start"]["offset"] < next_line and other is not edit]
            if not behind:
                number = text[:next_line].count(b"\n") + 1
                if at == 0 or text[at - 1 : at] == b"\n":
                    next_line, number = at, number - 1
                result += text[at:next_line] + f'#line {number} "{path}"\n'.encode()
                at = next_line
    return result + numbered(text, at, len(text), path)


# Behind these, passes go on that skip what is before.
BETWEEN_GROUPS = re.compile(rb"^[ \t]*#[ \t]*(?:else|elif|endif)\b[^\n]*(?<!\\)\n", re.M)


def numbered(text, start, end, path):
    """A part of the text; if it is not the first, with the number of each line behind a group, since an edit before may be in one
    that some pass skips, with the number that was put there."""
    result, at = b"", start
    for found in BETWEEN_GROUPS.finditer(text, start, end) if start else []:
        number = text.count(b"\n", 0, found.end()) + 1
        result += text[at : found.end()] + f'#line {number} "{path}"\n'.encode()
        at = found.end()
    return result + text[at:end]


# ---- what a pass compiles to ----


def compared(before, after):
    """The verdict for each pass, the worst of all units."""
    order = ["unbuilt", "same", "promised", "changed", "broken"]
    verdicts = {}
    for name in before:
        verdict = verdict_of(before[name], after.get(name, "no such unit"))
        old = verdicts.get(name[1], "unbuilt")
        verdicts[name[1]] = max(old, verdict, key=order.index)
    return verdicts


def verdict_of(before, after):
    """Codes are dictionaries; an error is a string."""
    if isinstance(before, str):
        return "unbuilt" if isinstance(after, str) else "promised"
    if isinstance(after, str):
        return "broken"
    if any(after.get(name) != text for name, text in before.items()):
        return "changed"
    return "same" if before.keys() == after.keys() else "promised"


class Compiler:
    """nvcc and g++, and what they said of each text."""

    def __init__(self, nvcc):
        self.nvcc = nvcc
        self.release = re.search(r"V(\d[\d.]*)", passes.run([nvcc, "--version"])).group(1)
        self.known = {}

    def passes(self, unit, targets, flags, cwd=None):
        """pass -> what it compiles to, or an error."""
        # Several fixes of a case have the same text before them. In a project, one path has several texts.
        if cwd is None and unit in self.known:
            return self.known[unit]
        found = {}
        with tempfile.TemporaryDirectory() as scratch:
            scratch = pathlib.Path(scratch)
            made, text = scratch / "host.ii", scratch / "host.s"
            # One call for all: it leaves the PTX that `nvcc -ptx -arch=compute_XX` makes.
            code = [f"-gencode=arch=compute_{target},code=compute_{target}" for target in targets]
            error = run([self.nvcc, "-cuda", "-w", "--keep", "--keep-dir", str(scratch), *code, *flags, str(unit), "-o", str(made)], cwd)
            for target in targets:
                names = (f"{unit.stem}.compute_{target}.ptx", f"{unit.stem}.ptx")
                kept = next((scratch / name for name in names if (scratch / name).exists()), scratch / "device.ptx")
                lacks = "" if kept.exists() else run([self.nvcc, "-ptx", "-w", f"-arch=compute_{target}", *flags, str(unit), "-o", str(kept)], cwd)
                found[f"sm_{target}"] = lacks or of_ptx(kept.read_text())
                (scratch / "device.ptx").unlink(missing_ok=True)
            standard = next((flag for flag in flags if flag.startswith("-std=")), "-std=c++17")
            error = error or run(["g++", "-S", "-w", "-O0", standard, "-x", "c++", "-fpreprocessed", "-fPIC", str(made), "-o", str(text)], cwd)
            found[passes.HOST] = error or of_assembly(text.read_text())
        if cwd is None:
            self.known[unit] = found
        return found


def run(command, cwd=None):
    """The error of a command; empty if it succeeds."""
    try:
        done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=LIMIT, errors="replace")
    except subprocess.TimeoutExpired:
        return f"no answer within {LIMIT} s"
    lines = [line for line in done.stderr.splitlines() if "error" in line.lower()]
    return (lines or [f"exit status {done.returncode}"])[0][:300] if done.returncode else ""


def plain(text):
    """Without what nvcc numbers by source, and its names for files."""
    text = re.sub(r"tmpxft_\w+", "tmpxft", text)
    return re.sub(r"_[0-9a-f]{8}_(\d+)_(\w+?_cu)_(?:[0-9a-f]{8}(?:_\d+)?)?", r"_\1_\2_", text)


def of_ptx(text):
    """name -> text of each kernel, function and variable of a PTX module."""
    # Inline assembly is one line, without its comments: a brace of its own ends no function.
    in_line = lambda found: "asm " + re.sub(r"//.*", "", found.group(1)).replace("\n", " ")  # noqa: E731
    text = re.sub(r"// begin inline asm\n(.*?)// end inline asm", in_line, text, flags=re.S)
    text = re.sub(r"//.*|^\s*\.(loc|file|version|target|address_size)\b.*", "", plain(text), flags=re.M)
    code, lines = {}, []
    constants = {}
    for line in filter(str.strip, text.splitlines()):
        lines.append(line.strip())
        if not re.search(r"(^\}|;)\s*$", line) or (len(lines) > 1 and "{" in "".join(lines) and not line.startswith("}")):
            continue
        whole = "\n".join(lines)
        lines = []
        function = re.match(r"(?:\.\w+ +)*?\.(?:entry|func) *(?:\([^)]*\))? *([\w$]+)", whole)
        if function and "{" in whole:
            code[function.group(1)] = renumbered(whole, r"\$L__BB\d+_\d+|__local_depot\d+|\bprototype_\d+|\bcallseq \d+|_param_\d+")
        elif not function:
            named = re.search(r"([\w$]+)(?:\[[^\]]*\])*\s*(?:=|;)", whole)
            name = named.group(1) if named else whole
            if re.match(r"\$str|__unnamed_|\$", name):
                constants[name] = hashlib.sha256(whole.replace(name, "").encode()).hexdigest()[:12]
            else:
                code[name] = whole
    for name, content in sorted(constants.items(), key=lambda one: -len(one[0])):
        for known in code:
            code[known] = re.sub(rf"(?<![\w$]){re.escape(name)}(?![\w$])", content, code[known])
    return code


def renumbered(text, pattern):
    """The matches, by the order in which they first stand in the text."""
    names = {}
    return re.sub(pattern, lambda found: names.setdefault(found.group(), f"<{len(names)}>"), text)


# What registers kernels with the runtime, and what embeds device code: made of what all passes have. The constructors of
# `dim3` are there while something launches.
REGISTERS = re.compile(r"__sti__|__cuda|cudaRegister|__nv_|_GLOBAL__sub|__static_initialization|fatbin|__device_stub|^_ZN4dim3C")


def of_assembly(text):
    """name -> text of each function of an assembly file."""
    code, name = {}, None
    for line in plain(text).splitlines():
        begins = re.match(r"([\w.$]+):$", line)
        if begins and not begins.group(1).startswith(".L"):
            name = None if REGISTERS.search(begins.group(1)) else begins.group(1)
            if name:
                code[name] = []
        elif re.match(r"\s*\.(section|text|data|bss)\b", line):
            name = None
        elif name and not re.match(r"\s*\.(?!(?:byte|long|quad|value|zero|string|ascii)\b)", line):
            code[name].append(line)
    constants = {}
    for found in re.finditer(r"^(\.LC\d+):\n((?:\s+\.\w+.*\n)+)", text, re.M):
        # Behind the last one stand directives that have nothing to do with it.
        data = re.findall(r"^\s+\.(?:byte|long|quad|value|zero|string|ascii)\b.*", found.group(2), re.M)
        constants[found.group(1)] = hashlib.sha256("\n".join(data).encode()).hexdigest()[:8]
    done = {}
    for name, lines in code.items():
        body = re.sub(r"\.LC\d+", lambda found: constants.get(found.group(), found.group()), "\n".join(lines))
        done[name] = renumbered(body, r"\.L\w+")
    return done


if __name__ == "__main__":
    sys.exit(main())
