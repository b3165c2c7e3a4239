#!/usr/bin/env python3
"""Lets nvcc judge what the rules on host code say of the corpus: no GPU is needed.

    corpus/judge_host.py --linter PROGRAM [--nvcc PATH] [--verbose] [CASE ...]

Each finding of the rules below in the corpus and in the cards is put to nvcc, for the targets of its case:

* host-code-behind-device-guard: no object has code of the line, neither the host's nor one for a GPU, by their tables
  of lines; and the host's object gets more code or symbols once the deciding condition is made true.
* misspelt-arch-macro: no pass has a macro of the misspelt name. Of a host function that compares 0, the host's object
  has the lines of the group that it is said to take: what it has changes once the condition asks for the host.
* host-value-by-pass: `static_assert`s about the value in each pass hold.
* guard-misses-target: a target that is kept out compiles what is guarded.
* arch-in-closure: the templates that a case only declares are defined, and launch a kernel that takes what they are
  given. Passes have the same kernels for the lambdas of the function where the finding says that they agree, and only
  there. Where no kernel takes one, passes have code of the lambda's line instead, by their tables of lines. Of the
  cases in `quiet/` all passes have the same kernels for their lambdas.

Out: rule by rule, how many findings nvcc confirmed, denied, or could not judge, as where a name can't be spelled outside
of its function. Exit status 1 where one is denied. `corpus/judge.py` has the other rules.
"""

import argparse
import collections
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import passes

HERE = pathlib.Path(__file__).resolve().parent
CODE, GUARD = "host-code-behind-device-guard", "guard-misses-target"
VALUE, MACRO = "host-value-by-pass", "misspelt-arch-macro"
CLOSURE = "arch-in-closure"
RULES = [CODE, GUARD, VALUE, MACRO, CLOSURE]
SILENCE = f"silence of {CLOSURE}"
EXTENDED = re.compile(r"\] *__(device|host)__")
OLDEST = 75  # the first target of nvcc 13


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--linter", required=True, type=pathlib.Path, help="the program")
    parser.add_argument("--nvcc", default="nvcc", help="the compiler driver (default: nvcc from PATH)")
    parser.add_argument("--verbose", action="store_true", help="print every finding")
    parser.add_argument("cases", nargs="*", help="parts of the names of cases [default: all]")
    options = parser.parse_args()
    nvcc = shutil.which(options.nvcc)
    if nvcc is None:
        parser.error(f"no such compiler: {options.nvcc}; name one by --nvcc, or put it into PATH")
    options.nvcc = nvcc
    told = collections.Counter()
    for name, text in cases():
        if options.cases and not any(part in name for part in options.cases):
            continue
        with tempfile.TemporaryDirectory() as folder:
            case = Case(options, pathlib.Path(folder), text)
            for finding in case.findings():
                answer, why = case.judge(finding)
                told[finding["rule"], answer] += 1
                if options.verbose or answer != "confirmed":
                    print(f"{answer}\t{finding['rule']}\t{name}:{finding['start']['line']}\t{why}", flush=True)
            if name.startswith("quiet/") and EXTENDED.search(text):
                answer, why = case.silence()
                told[SILENCE, answer] += 1
                if options.verbose or answer != "confirmed":
                    print(f"{answer}\t{SILENCE}\t{name}\t{why}", flush=True)
    for rule in [*RULES, SILENCE]:
        counts = [f"{told[rule, answer]} {answer}" for answer in ("confirmed", "denied", "not judged")]
        print(rule, *counts, sep="\t")
    return 1 if any(answer == "denied" for _, answer in told) else 0


def cases():
    """The names and texts of the cases of one file that have a mark of the rules, of the silent ones with extended lambdas,
    and of the cards' examples."""
    marked = re.compile(rf"//~.*\b({'|'.join(RULES)})\b")
    for path in sorted(HERE.glob("*/*.cu")):
        text = path.read_text()
        if marked.search(text) or path.parent.name == "quiet" and EXTENDED.search(text):
            yield str(path.relative_to(HERE)), text
    for rule in RULES:
        examples = re.findall(r"```cuda bad\n(.*?)```", (HERE.parent / "rules" / f"{rule}.md").read_text(), re.DOTALL)
        for number, text in enumerate(examples):
            yield f"{rule}.md:{number + 1}", text


class Case:
    def __init__(self, options, folder, text):
        self.options, self.folder, self.text = options, folder, text
        self.lines = text.splitlines()
        self.before = self.lambdas = None
        targets = re.search(r"//@ targets: *(\S+)", text)
        self.targets = targets.group(1).split(",") if targets else ["80", "90"]
        self.defines = [f"-D{one}" for one in re.findall(r"//@ define: *(\S+)", text)]

    def findings(self):
        (self.folder / "case.cu").write_text(self.text)
        command = [self.options.linter.resolve(), "case.cu", "-nostdinc", "--isolated", "--format", "json"]
        command += [*self.defines, "--arch", ",".join(self.targets)]
        report = subprocess.run(command, cwd=self.folder, capture_output=True, check=False).stdout
        # A case about an option that the command line refuses.
        found = json.loads(report)["findings"] if report else []
        return [one for one in found if one["rule"] in RULES]

    def judge(self, finding):
        targets = [one for one in self.targets if re.fullmatch(r"\d+a?", one) and int(one.rstrip("a")) >= OLDEST]
        if len(targets) < len(self.targets) and finding["rule"] != GUARD:
            return "not judged", "a target that nvcc 13 does not have"
        line = finding["start"]["line"]
        if finding["rule"] == VALUE:
            return self.values(finding, targets)
        if finding["rule"] == GUARD:
            return self.guard(finding)
        if finding["rule"] == CLOSURE:
            return self.closure(finding, targets)
        if finding["rule"] == MACRO and "is defined nowhere" in finding["message"]:
            return self.nowhere(finding, targets)
        if finding["rule"] == MACRO and "0 on the host" not in finding["message"]:
            return "not judged", "a definition of nvcc's own macro"
        decided = finding["deciding"]["start"]["line"]
        self.before = self.before or self.built(self.lines, targets)
        before = self.before
        condition = "#if 1" if finding["rule"] == CODE else self.with_host(decided)
        after = self.built([*self.lines[: decided - 1], condition, *self.lines[decided:]], targets[:1])
        if before is None or after is None:
            return "not judged", "it does not compile"
        if finding["rule"] == CODE and any(line in lines for lines in before.lines):
            return "denied", "an object has code of the line"
        if before.host != after.host:
            return "confirmed", ""
        # A template, or a function in a class, of which nothing is used.
        unused = finding["rule"] == CODE
        return ("not judged", "nothing uses it") if unused else ("denied", "the host's object stays as it is")

    def with_host(self, decided):
        """The directive, turned round for the host."""
        condition = re.sub(r"#\s*if\b", "", self.lines[decided - 1]).split("//")[0].strip()
        return f"#if !(defined(__CUDA_ARCH__) ? ({condition}) : ({condition}))" if condition else "#if 1"

    def nowhere(self, finding, targets):
        name = re.match(r"`(\w+)`", finding["message"]).group(1)
        asks = [f"#ifdef {name}", "#error defined", "#endif"]
        object_of = self.compile([*asks, *self.lines, *asks], targets)
        return ("confirmed", "") if object_of is not None else ("denied", "some pass has it, or it does not compile")

    def values(self, finding, targets):
        asks, judged = [], 0
        for side in finding["sides"]:
            name, _, value = side["sees"].partition(" = ")
            for which in side["passes"]:
                condition = "!defined(__CUDA_ARCH__)" if which == "host" else f"__CUDA_ARCH__ == {which[3:]}0"
                holds = f"static_assert(({name}) == {value.split()[0]}, \"\");"
                asks += [f"#if {condition}", holds, "#endif"]
                judged += 1
        if self.compile([*self.lines, *asks], targets) is not None:
            return "confirmed", f"{judged} passes"
        # Whether the name can be spelled there, whatever its value.
        spelled = self.compile([*self.lines, f"constexpr long spelled_here = ({name});"], targets)
        return ("denied", "a value is another") if spelled is not None else ("not judged", f"`{name}` can't be spelled")

    def guard(self, finding):
        """Compiles what is guarded for each target that is said to have it, and for those that are said to lack it."""
        decided = finding["start"]["line"]
        opened = [*self.lines[: decided - 1], "#ifdef __CUDA_ARCH__", *self.lines[decided:]]
        kept_out = re.search(r" from (.*), which ha(?:s|ve) ", finding["message"])
        let_in = re.search(r" lets (.*) in, which lacks? ", finding["message"])
        named = [int(one) for one in re.findall(r"sm_(\d+)", (kept_out or let_in).group(1))]
        named = [one for one in named if one >= OLDEST]
        if not named:
            return "not judged", "targets that nvcc 13 does not have"
        compiles = [self.compile(opened, [str(one)]) is not None for one in named]
        right = all(compiles) if kept_out else not any(compiles)
        return ("confirmed", "") if right else ("denied", "nvcc compiles it otherwise")

    def closure(self, finding, targets):
        """Compares the kernels of the function's lambdas, or else the passes with code of the lambda's line."""
        sides = {one: side["sees"] for side in finding["sides"] for one in side["passes"]}
        kernels = self.kernels_of_lambdas(targets)
        around = finding["entity"].split("::")[-1]
        named = re.compile(rf"<lambda \d+ of (?:\w+::)*{around}[,>]")
        of_it = {one: frozenset(filter(named.search, kernels[one])) for one in sides}
        if any(of_it.values()):
            told = "; ".join(f"{one}: {', '.join(sorted(names))}" for one, names in of_it.items())
            return "confirmed" if passes.blocks(of_it) == passes.blocks(sides) else "denied", told
        built = self.built(self.lines, targets, "-rdc=true")
        line = finding["start"]["line"]
        has_code = dict(zip(["host", *(f"sm_{one}" for one in targets)], (line in lines for lines in built.lines)))
        is_told = passes.blocks(has_code) == passes.blocks(sides)
        return "confirmed" if is_told else "denied", f"code of the line: {has_code}"

    def silence(self):
        try:
            kernels = self.kernels_of_lambdas(self.targets)
        except OSError:
            return "not judged", "it does not compile"
        if not kernels or not any(kernels.values()):
            return "not judged", "no kernel takes a lambda"
        return ("confirmed", "") if len(passes.blocks(kernels)) == 1 else ("denied", str(kernels))

    def kernels_of_lambdas(self, targets):
        """The kernels of extended lambdas in each pass, once the library of the case has them."""
        if self.lambdas is None:
            library = r"(template <class F>\nvoid \w+\((?:.*[ ,])?F (\w+)\));"
            text = re.sub(library, r"\1 { judge_run<<<1, 1>>>(\2); }", self.text)
            source = self.folder / "closures" / "case.cu"
            source.parent.mkdir()
            source.write_text("template <class F> __global__ void judge_run(F) {} " + text)
            settings = {"define": [one.removeprefix("-D") for one in self.defines]}
            build = passes.Build(self.options.nvcc, source.parent, source, settings, targets, source.parent)
            self.lambdas = {one: frozenset(kernels) for one, kernels in lambdas(build).items()}
        return self.lambdas

    def compile(self, lines, targets):
        """The object of a text, None if nvcc rejects it."""
        source, made = self.folder / "unit.cu", self.folder / "unit.o"
        source.write_text("\n".join(lines) + "\n")
        made.unlink(missing_ok=True)
        code = [f"-gencode=arch=compute_{one},code=sm_{one}" for one in targets]
        command = [self.options.nvcc, "-g", "-lineinfo", "--extended-lambda", "-w", "-c", *code, *self.defines]
        run = subprocess.run([*command, "unit.cu", "-o", made], cwd=self.folder, capture_output=True, check=False)
        return made if run.returncode == 0 else None

    def built(self, lines, targets, *more):
        """The lines that a text's objects have code of, and what the host's has."""
        made = self.compile(lines, targets)
        if made is None:
            return None
        of_host = self.output("readelf", "--debug-dump=decodedline", made)
        host = {int(one) for one in re.findall(r"^unit\.cu\s+(\d+)\s", of_host, re.MULTILINE)}
        all_lines = [host]
        for target in targets:
            listing = self.folder / "unit.ptx"
            command = [self.options.nvcc, "-ptx", "-lineinfo", "--extended-lambda", "-w", f"-arch=compute_{target}"]
            command += [*self.defines, *more, "unit.cu", "-o", listing]
            subprocess.run(command, cwd=self.folder, check=True, capture_output=True)
            text = listing.read_text()
            own = re.findall(r'^\s*\.file\s+(\d+)\s+".*unit\.cu"', text, re.MULTILINE)
            found = re.findall(r"^\s*\.loc\s+(\d+)\s+(\d+)\s", text, re.MULTILINE)
            all_lines.append({int(line) for file, line in found if file in own})
        symbols = sorted(line[17:] for line in self.output("nm", made).splitlines())
        return Built(all_lines, (sorted(host), symbols))

    def output(self, *command):
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def lambdas(build):
    """The kernels that take extended lambdas, by their functions, numbers and captures, in each pass of a build."""
    of_host = passes.run(["nm", "-C", str(build.host_object())]).splitlines()
    marked = [line for line in of_host if f"::{passes.MARK}" in line and passes.WRAPPER not in line]
    names = [line.split(maxsplit=2)[-1].partition(f"::{passes.MARK}")[0] for line in marked if "dl_tag<" in line]
    by_pass = {"host": {passes.lambda_kernel(passes.plain(name)) for name in names}}
    for target in build.targets:
        kernels, _, _ = build.device_names(target)
        by_pass[f"sm_{target}"] = {name for name in kernels if "<lambda " in name}
    return by_pass


Built = collections.namedtuple("Built", "lines host")

if __name__ == "__main__":
    sys.exit(main())
