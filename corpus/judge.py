#!/usr/bin/env python3
"""Lets nvcc judge the corpus: does every mark stand where the passes really disagree, and is nothing without one?

    corpus/judge.py [--nvcc PATH] [--jobs N] [--all] [--kept] [--verbose] [CASE ...]

CASE is a `.cu` file or a directory of the corpus; without any, the whole corpus is judged. `corpus/passes.py` says what
is needed for that and what counts as a disagreement. What nvcc says of a case is kept in `corpus/verdicts.tsv`, under a
hash of the case without its comments and marks, of `passes.py`, of nvcc's release and of the verdict itself: what is not
there, or was edited or torn by a merge, is compiled, reported, and written there. `--all` compiles every case, and fails where that says something else than
what is kept. `--kept` compiles nothing: its exit status is 3 when something would have to be compiled.

A mark is confirmed by a disagreement about what it names. That is what its text names in backquotes, or else with any
word, or else what its line names; a template's arguments are compared where the text has them. The passes of the mark,
if it has any, must be passes that agree with one another there. Each mark of a rule that nvcc can confirm needs such a
disagreement, and each disagreement a mark. What the rules on lists of targets and on numbers say is beyond nvcc.

`//@ nvcc: agrees because ...` and `//@ nvcc: disagrees because ...` set down what nvcc says of a case where that is not
what the marks say, and why. One that says nothing new is an error, like one without a reason.

What `--fix` makes of the cases is judged too: the tests leave every mended case where they are told to.

    FIXED=target/fixed cargo test corpus::fixes && corpus/judge.py target/fixed/*

Exit status: 0 when every case is judged as marked, 1 when some are not, 2 for a wrong command line or no compiler.
"""

import argparse
import concurrent.futures
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import typing

sys.dont_write_bytecode = True

import passes
from passes import CORPUS, Difference

VERDICTS = CORPUS / "verdicts.tsv"
AGREE = "agree"
# The kinds of disagreement that confirm a rule's marks.
CONFIRMS = {
    "arch-dependent-definition": {"kernel", "variable", "function", "build"},
    "arch-dependent-instantiation": {"kernel", "variable", "lambda", "build"},
    "arch-dependent-signature": {"kernel", "variable", "function", "size", "parameters", "layout", "build"},
    "arch-dependent-layout": {"size", "parameters", "layout", "build"},
    "arch-dependent-header": {"text", "stub"},
    "pass-only-failure": {"build"},
    "unsupported-instruction": {"build"},
}
LAYOUT = "arch-dependent-layout"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nvcc", default="nvcc", help="the compiler driver (default: nvcc from PATH)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="cases compiled at once")
    parser.add_argument("--all", action="store_true", help="compile every case, kept verdict or not")
    parser.add_argument("--kept", action="store_true", help="compile nothing; exit status 3 if something had to be")
    parser.add_argument("-v", "--verbose", action="store_true", help="print the disagreements of all cases")
    parser.add_argument("case", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    cases = [path.resolve() for path in options.case] or list(passes.cases())
    absent = [path for path in cases if not path.exists()]
    if absent:
        print(f"judge.py: no such case: {absent[0]}", file=sys.stderr)
        return 2
    verdicts = Verdicts.read()
    nvcc = shutil.which(options.nvcc)
    release = release_of(nvcc) if nvcc else verdicts.release
    keys = {case: key(case, release) for case in cases}
    open_cases = [case for case in cases if options.all or not verdicts.has(case, keys[case])]
    if open_cases and options.kept:
        print(f"{len(open_cases)} cases would have to be compiled: {', '.join(map(shown, open_cases[:5]))} ...")
        return 3
    if open_cases and nvcc is None:
        print(f"judge.py: no such compiler: {options.nvcc}, for {len(open_cases)} cases", file=sys.stderr)
        return 2
    if options.all and not options.case:
        verdicts.begin_anew(release)
    wrong = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        compiled = zip(open_cases, pool.map(lambda case: passes.differences(nvcc, case), open_cases))
        for case in cases:
            complaints = []
            if case in open_cases:
                _, differences = next(compiled)
                if verdicts.has(case, keys[case]) and verdicts.of(case) != differences:
                    complaints.append("corpus/verdicts.tsv has another verdict of the same case")
                verdicts.add(case, release, keys[case], differences)
            else:
                differences = verdicts.of(case)
            complaints = judged(Case(case), differences) + complaints
            wrong += bool(complaints)
            if complaints or options.verbose:
                print(f"{'WRONG' if complaints else 'ok   '} {shown(case)}")
                for line in [*complaints, *map(sentence, differences)]:
                    print(f"        {line}", flush=True)
    verdicts.report()
    print(f"{len(cases)} cases, {len(open_cases)} of them compiled: {wrong} judged otherwise than marked")
    return 1 if wrong else 0


class Mark(typing.NamedTuple):
    rule: str
    text: str
    """What a finding's message must contain."""
    passes: frozenset
    line: str
    """The code of the line that the mark speaks of."""

    def __str__(self):
        return f"{self.rule} \"{self.text}\"" if self.text else self.rule


class Case:
    """The marks of a case, and what its `//@ nvcc:` line says."""

    def __init__(self, path):
        self.marks, self.overrides, self.code = [], [], []
        for file in passes.files(path):
            lines = file.read_text().splitlines()
            self.code += [line.split("//")[0] for line in lines]
            for number, line in enumerate(lines):
                override = re.match(r"(?://|#)@ nvcc: *(.*)", line)
                if override:
                    self.overrides.append(override.group(1))
                for mark in line.split("//~")[1:]:
                    above = len(mark) - len(mark.lstrip("^"))
                    found = re.match(r'\^*(?:\[([^\]]*)\])?\s*([\w-]+)\s*(?:"(.*)")?', mark)
                    which = frozenset(filter(None, map(str.strip, (found.group(1) or "").split(","))))
                    code = lines[number - above].split("//~")[0]
                    self.marks.append(Mark(found.group(2), found.group(3) or "", which, code))


def judged(case, differences):
    """What is wrong with the marks of a case, given what the passes disagree about."""
    complaints = []
    for override in case.overrides:
        if not re.fullmatch(r"(agrees|disagrees) because \S.*", override):
            complaints.append(f"`nvcc: {override}` does not say `agrees because ...` or `disagrees because ...`")
    if len(case.overrides) > 1:
        complaints.append("more than one `nvcc:` line")
    needy = [mark for mark in case.marks if mark.rule in CONFIRMS]
    if case.overrides:
        if case.overrides[0].startswith("agrees"):
            complaints += [f"nvcc disagrees: {sentence(one)}" for one in differences]
            idle = not needy
        else:
            complaints += [] if differences else ["nvcc agrees"]
            idle = needy and not compared(case, needy, differences)
        return complaints + (["the `nvcc:` line says what the marks say"] if idle else [])
    return complaints + compared(case, needy, differences)


def compared(case, marks, differences):
    """The marks that no difference confirms, and the differences that confirm none."""
    confirmed = {index: [] for index in range(len(marks))}
    lone = [mark for mark in marks if mark.rule == LAYOUT]
    for index, mark in enumerate(marks):
        for one in differences:
            # The name of a kernel that takes a lambda has the types of the captures: its layout.
            of_a_lambda = mark.rule == LAYOUT and one.kind == "kernel" and "<lambda " in one.name
            if not (one.kind in CONFIRMS[mark.rule] or of_a_lambda) or not passes_match(mark, one):
                continue
            # A class within a class, a lambda: no name leads to it. Where one mark is alone nothing else can be meant.
            only = mark.rule == LAYOUT and len(lone) == 1 and one.kind != "build"
            if only or names_match(case, mark, one, exact=True):
                confirmed[index].append(one)
    complaints = [f"no pass disagrees as {mark} says" for index, mark in enumerate(marks) if not confirmed[index]]
    covered = {one for found in confirmed.values() for one in found}
    for one in differences:
        # A finding speaks of all instantiations that have their differences in common, and names the first.
        if one not in covered and not any(covers(case, mark, one) for mark in marks):
            complaints.append(f"no mark says: {sentence(one)}")
    return complaints


def covers(case, mark, one):
    if one.kind == "build":
        # The errors may quote nothing but what compilers made.
        return "build" in CONFIRMS[mark.rule] and (not one.name or names_match(case, mark, one, exact=False))
    return passes_match(mark, one) and names_match(case, mark, one, exact=False)


def passes_match(mark, one):
    """The passes of the mark are those of one block, as far as the difference knows passes."""
    if not mark.passes or not one.passes:
        return True

    def has_block(blocks):
        known = mark.passes & {name for block in blocks for name in block}
        return not known or any(known == set(block) for block in blocks)

    return has_block(one.passes) or has_block(one.overloads)


def names_match(case, mark, one, exact):
    """The mark names what the difference is about; `exact`: with its template arguments, where the text has some."""
    text = " ".join(re.findall(r"`([^`]*)`", mark.text)) or mark.text
    words = set(re.findall(r"\w+", text))
    named = words_of(one) | (set(one.types) if mark.rule == LAYOUT else set())
    if named & words:
        has_arguments = "<" in one.name and re.search(rf"\b{last_word(one.name)}<", text)
        return not (exact and has_arguments) or comparable(unqualified(one.name)) in comparable(text)
    if mark.rule == LAYOUT and one.kind == "size":
        lines = [set(re.findall(r"\w+", line)) for line in case.code]
        return any(words & line for line in lines if last_word(one.name) in line)
    # The text names nothing: then the line does, as it does for what an error quotes.
    if re.fullmatch(r"[A-Za-z_][\w:]*(<.*>)?", text) and one.kind != "build":
        return False
    names_nothing = one.kind == "build" or not any(words & set(re.findall(r"[A-Za-z_]\w*", line)) for line in case.code)
    return names_nothing and bool(named & set(re.findall(r"\w+", mark.line)))


def words_of(one):
    """The words that name the entity: its own name, and its class's for what is compared as text."""
    if one.kind == "build":
        return set(one.name.split())
    plain = re.sub(r"<.*>", "", one.name)
    return set(re.findall(r"\w+", plain)) if one.kind == "text" else {last_word(one.name)}


def last_word(name):
    return re.sub(r"<.*", "", name).split("::")[-1]


def unqualified(name):
    return name[len(re.sub(r"<.*", "", name)) - len(last_word(name)) :]


def comparable(name):
    """A name with template arguments, without what compilers spell differently: blanks, `const`, suffixes of numbers."""
    name = re.sub(r"\bconst\b|\s", "", name)
    name = re.sub(r"\b(\d+)[uUlL]+\b", r"\1", name)
    return re.sub(r"\(\w+\)(\d)", r"\1", name)


def sentence(one):
    """A difference in words."""
    blocks = " and ".join(",".join(block) for block in one.passes)
    return f"{one.kind} {one.name}" + (f": {blocks}" if blocks else "")


class Verdicts:
    """What nvcc said of each case, as `corpus/verdicts.tsv` has it: a line for each difference."""

    def __init__(self, release, rows):
        self.release, self.rows = release, rows
        self.before, self.others = dict(rows), 0

    @staticmethod
    def read():
        release, rows = "", {}
        for line in VERDICTS.read_text().splitlines() if VERDICTS.exists() else []:
            if line.startswith("#"):
                release = re.search(r"nvcc (\S+)", line).group(1)
                continue
            case, hashed, kind, name, by_pass, overloads, types = line.split("\t")
            _, differences = rows.setdefault(case, (hashed, []))
            if kind != AGREE:
                spread = [tuple(map(tuple, (block.split(",") for block in text.split("|")))) if text else () for text in (by_pass, overloads or by_pass)]
                differences.append(Difference(kind, name, *spread, tuple(types.split())))
        return Verdicts(release, rows)

    def has(self, case, hashed):
        if not case.is_relative_to(CORPUS) or shown(case) not in self.rows:
            return False
        kept, differences = self.rows[shown(case)]
        return kept == sealed(hashed, differences)

    def of(self, case):
        return self.rows[shown(case)][1]

    def begin_anew(self, release):
        """Every case is compiled: the file becomes this release's."""
        if release != self.release:
            self.release, self.rows = release, {}

    def add(self, case, release, hashed, differences):
        """Keeps a verdict, at once: the rest may take half an hour. Releases are not mixed."""
        if not case.is_relative_to(CORPUS):
            return
        if self.rows and release != self.release:
            self.others += 1
            return
        self.release = release
        self.rows[shown(case)] = (sealed(hashed, differences), differences)
        self.write()

    def write(self):
        lines = [f"# what nvcc {self.release} says of each case; `corpus/judge.py` writes this"]
        for name, (hashed, differences) in sorted(self.rows.items()):
            lines += ["\t".join([name, hashed, *fields]) for fields in rows_of(differences)]
        VERDICTS.write_text("\n".join(lines) + "\n")

    def report(self):
        """Says what is new in the file, and drops cases that are gone."""
        names = set(map(shown, passes.cases()))
        for name in sorted(self.rows.keys() - names):
            del self.rows[name]
            self.write()
        changed = {name for name, row in self.rows.items() if self.before.get(name) != row}
        changed |= self.before.keys() - self.rows.keys()
        if changed:
            shown_names = ", ".join(sorted(changed)[:8]) + (", ..." if len(changed) > 8 else "")
            print(f"corpus/verdicts.tsv has {len(changed)} cases written anew, to be committed: {shown_names}")
        if self.others:
            print(f"corpus/verdicts.tsv is nvcc {self.release}'s; {self.others} verdicts of this nvcc are not kept")


def rows_of(differences):
    """The fields that the file has of each difference."""
    rows = []
    for one in differences or [Difference(AGREE, "", (), (), ())]:
        by_pass, overloads = ("|".join(map(",".join, blocks)) for blocks in (one.passes, one.overloads))
        overloads = "" if overloads == by_pass else overloads
        rows.append((one.kind, one.name, by_pass, overloads, " ".join(one.types)))
    return rows


def sealed(hashed, differences):
    """The key of a case together with its verdict: rows that were lost or changed are found out."""
    return hashlib.sha256(f"{hashed}{rows_of(differences)}".encode()).hexdigest()[:16]


def key(case, release):
    """A hash of all that a verdict hangs on, but for the verdict itself."""
    reader = re.sub(r'^\s*(#.*|"""(.|\n)*?""")\n', "", pathlib.Path(passes.__file__).read_text(), flags=re.M)
    digest = hashlib.sha256(f"{release}\n{reader}".encode())
    top = case if case.is_dir() else case.parent
    for file in passes.files(case):
        # Comments on lines of their own and marks mean nothing to nvcc; the lines are still counted.
        text = re.sub(r"^[ \t]*//(?!@ (?!nvcc)).*(?<!\\)$|//~.*(?<!\\)$", "", file.read_text(), flags=re.M)
        digest.update(f"\n{file.relative_to(top)}\n{text}".encode())
    return digest.hexdigest()[:16]


def release_of(nvcc):
    return re.search(r"V(\d[\d.]*)", passes.run([nvcc, "--version"])).group(1)


def shown(case):
    return str(case.relative_to(CORPUS)) if case.is_relative_to(CORPUS) else str(case)


if __name__ == "__main__":
    sys.exit(main())
