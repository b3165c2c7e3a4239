#!/usr/bin/env python3
"""Lets nvcc judge the corpus: do the passes of a case really disagree?

    corpus/judge.py [--nvcc PATH] [--jobs N] [--verbose] [CASE ...]

Needs nvcc (12.8 or newer for every target the corpus names), its host compiler g++, and binutils' `nm`;
no GPU. CASE is a `.cu` file or a directory of the corpus; without any, the whole corpus is judged. It takes
some seconds a case and so is no part of `cargo test`; CI runs it (`.ci/judge`).

Each source is compiled for its targets in the order of its `//@ targets:` line and, if these show nothing and are
several, in the reverse order too: nvcc takes the host's stubs from the last target, so the order decides whether a
disagreement is a build error or silent. From the files that nvcc keeps, this reads for every pass

* the kernels: on the device the names registered by the pass's stub file and the `.entry` names of its PTX with
  the sizes of their parameters; on the host the kernels that the host's own front end defines or instantiates,
  found by compiling its output with a mark in every kernel and without the device's stubs;
* the device variables and their sizes;
* the sizes of by-value parameters and of what pointer parameters point to, from a second compilation that
  appends probes to the source;
* with separate compilation, the external `__device__` functions, and for several units, the texts of the weak
  functions and variables that more than one object holds;
* for units of an nvcc before 13.0 (`//@ cuda: 12.4`), whose stubs this one makes too when it is told to, the weak host
  stubs that objects for different targets share.

Passes disagree when the host has a kernel or a variable that a target lacks, a variable or, on some targets only, a
non-template kernel of a new name stands on a target and not on the host, sizes differ, or the build fails. A kernel
that only a device pass instantiates is no disagreement, nor is one that every target defines and the host does not
if that builds: nvcc's registration code then defines it. The marks of a case are right when it has any and the passes disagree, or it
has none and they agree. `//@ nvcc: agrees` and `//@ nvcc: disagrees` set down what nvcc says where it
differs from the marks for a reason that the case's first sentence gives.

What `--fix` makes of the cases is judged too: the tests leave every mended case where they are told to.

    FIXED=target/fixed cargo test --test corpus every_fix && corpus/judge.py target/fixed/*

Exit status: 0 when every case is judged as marked, 1 when some are not, 2 for a wrong command line.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

CORPUS = pathlib.Path(__file__).resolve().parent
DEFAULT_TARGETS = "80,90"
MARK = "judge_kernel_mark"
# What a kernel template's host body calls. An explicit specialization declares one of its own, which looks like a
# kernel that is no template, and whose kernel is there besides.
WRAPPER = "__wrapper__device_stub_"
BUILTIN = set(
    "void bool char short int long float double unsigned signed const volatile __restrict__ restrict wchar_t "
    "size_t uint8_t int8_t uint16_t int16_t uint32_t int32_t uint64_t int64_t cudaStream_t".split()
)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nvcc", default="nvcc", help="the compiler driver (default: nvcc from PATH)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="cases judged at once")
    parser.add_argument("-v", "--verbose", action="store_true", help="print the reasons of agreeing verdicts too")
    parser.add_argument("case", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    nvcc = shutil.which(options.nvcc)
    if nvcc is None:
        print(f"judge.py: no such compiler: {options.nvcc}", file=sys.stderr)
        return 2
    cases = [path.resolve() for path in options.case] or list(all_cases())
    missing = [path for path in cases if not path.exists()]
    if missing:
        print(f"judge.py: no such case: {missing[0]}", file=sys.stderr)
        return 2
    wrong = marks = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        verdicts = pool.map(lambda case: judge(nvcc, case), cases)
        for case, (marked, expected, reasons) in zip(cases, verdicts):
            right = bool(reasons) == expected
            wrong += not right
            marks += marked
            if not right or options.verbose:
                name = case.relative_to(CORPUS) if case.is_relative_to(CORPUS) else case
                said = "disagree" if reasons else "agree"
                print(f"{'ok   ' if right else 'WRONG'} {name}: {'marked' if marked else 'silent'}, passes {said}")
                for reason in reasons:
                    print(f"        {reason}", flush=True)
    print(f"{len(cases)} cases, {marks} marked, {len(cases) - marks} silent: {wrong} judged otherwise than marked")
    return 1 if wrong else 0


def all_cases():
    """Every case of the corpus, in order."""
    for topic in sorted(path for path in CORPUS.iterdir() if path.is_dir() and path.name[0] not in "._"):
        for path in sorted(topic.iterdir()):
            if path.suffix == ".cu" or path.is_dir():
                yield path


def judge(nvcc, case):
    """(the case has marks, a disagreement is expected, the disagreements)"""
    root = case if case.is_dir() else case.parent
    files = [path for path in case.rglob("*") if path.is_file()] if case.is_dir() else [case]
    units = sorted(root.glob("*.cu")) if case.is_dir() else [case]
    texts = "\n".join(path.read_text() for path in files)
    marked = "//~" in texts
    expectation = re.search(r"^//@ nvcc: (agrees|disagrees)", texts, re.M)
    expected = expectation.group(1) == "disagrees" if expectation else marked
    reasons = []
    weak = {}
    stubs = {}
    with tempfile.TemporaryDirectory() as scratch:
        for number, unit in enumerate(units):
            settings = {}
            for line in unit.read_text().splitlines():
                if line.startswith("//@"):
                    key, _, value = line[3:].partition(":")
                    settings.setdefault(key.strip(), []).append(value.strip())
            targets = settings.get("targets", [DEFAULT_TARGETS])[0].split(",")
            # AMD's GPUs are not nvcc's to compile for: it judges the passes for NVIDIA's.
            targets = [target for target in targets if not target.startswith("gfx")]

            def build(order):
                directory = pathlib.Path(scratch) / f"{number}-{'-'.join(order)}"
                directory.mkdir()
                return Build(nvcc, root, unit, settings, order, directory)

            first = build(targets)
            found = [f"{unit.name} for {','.join(targets)}: {reason}" for reason in first.disagreements()]
            if not found and len(targets) > 1:
                # Every pass is what it was; only what is made of them is new.
                order = targets[::-1]
                found = [f"{unit.name} for {','.join(order)}: {reason}" for reason in build(order).of_the_order()]
            reasons += found
            if not first.failed:
                for name, text in first.weak_entities():
                    weak.setdefault(name, {}).setdefault(text, set()).add(unit.name)
                for name in first.weak_stubs():
                    stubs.setdefault(name, set()).add(tuple(sorted(targets)))
    for name, texts in weak.items():
        by_unit = [units for units in texts.values()]
        if len(texts) > 1 and len(set().union(*by_unit)) > 1:
            if any(set().union(*by_unit) != units for units in by_unit):
                reasons.append(f"objects hold different texts of {name}")
    for name, lists in stubs.items():
        if len(lists) > 1:
            reasons.append(f"objects for {' and '.join(map(','.join, sorted(lists)))} share the host stub {name}")
    return marked, expected, reasons


class Build:
    """One compilation of one unit, and what the files it leaves say."""

    def __init__(self, nvcc, root, unit, settings, targets, directory):
        self.nvcc, self.unit, self.targets, self.directory = nvcc, unit, targets, directory
        self.rdc = "rdc" in settings
        self.standard = f"-std={settings.get('std', ['c++17'])[0]}"
        self.flags = [self.standard, "-Xcicc", "-O0", f"-rdc={'true' if self.rdc else 'false'}"]
        for target in targets:
            self.flags += ["-gencode", f"arch=compute_{target},code=compute_{target}"]
        self.flags += [f"-I{root / directory}" for directory in settings.get("include", [])]
        self.flags += [f"-D{define}" for define in settings.get("define", [])]
        release = settings.get("cuda", [""])[0]
        self.shares_stubs = release != "" and int(release.split(".")[0]) < 13
        if self.shares_stubs:
            self.flags += ["-static-global-template-stub=false"]
        if re.search(r"\]\s*(\([^)]*\)\s*)?__(device|host)__", unit.read_text()):
            self.flags += ["--extended-lambda"]
        self.stem = unit.stem
        self.errors = self.compile(unit)
        self.failed = bool(self.errors)

    def compile(self, source):
        command = [self.nvcc, "-c", "--keep", "--keep-dir", str(self.directory), "-diag-suppress", "20280,177,174",
                   *self.flags, str(source), "-o", str(self.directory / (source.stem + ".o"))]
        done = subprocess.run(command, cwd=self.directory, capture_output=True, text=True)
        if done.returncode == 0:
            return []
        lines = [line for line in done.stderr.splitlines() if "error" in line.lower()]
        return lines[:1] or [f"exit status {done.returncode}"]

    def kept(self, target, suffix, stem=None):
        """The text of a file nvcc kept; it names the target only when there are several."""
        stem = stem or self.stem
        path = self.directory / f"{stem}.compute_{target}{suffix}"
        return (path if path.exists() else self.directory / f"{stem}{suffix}").read_text()

    def disagreements(self):
        if self.failed:
            return [f"build error: {self.errors[0]}"]
        devices = {target: self.device_names(target) for target in self.targets}
        host = self.host_kernels()
        reasons = []
        everywhere = set.intersection(*(plain for _, plain, _ in devices.values()))
        known = {base(name) for name in host}
        for target, (kernels, plain, _) in devices.items():
            reasons += [f"sm_{target} has no kernel {name}, which the host has" for name in sorted(host - kernels)]
            alone = [name for name in sorted(plain - host - everywhere) if base(name) not in known]
            reasons += [f"the host has no kernel {name}, which sm_{target} has" for name in alone]
        variables = {f"sm_{target}": names for target, (_, _, names) in devices.items()}
        every = set().union(*variables.values())
        variables["the host"], unsized = self.host_variables()
        named = every | set(variables["the host"])
        for name in sorted(named | unsized):
            sizes = {where: names.get(name) for where, names in variables.items()}
            if name in unsized and any(other.startswith(f"{name}<") for other in named):
                continue  # a variable template, and here are its instances
            if "<" in name and sizes["the host"] is None:
                continue  # as with kernels, what only device passes instantiate
            if name in unsized:
                del sizes["the host"]
            if None in sizes.values():
                reasons += [f"variable {name} is missing on {where}" for where, size in sizes.items() if size is None]
            elif len(set(sizes.values())) > 1:
                reasons.append(f"variable {name} has different types or sizes: {sizes}")
        if self.rdc:
            functions = {target: self.external_functions(target) for target in self.targets}
            for name in sorted(set().union(*functions.values())):
                lacking = [f"sm_{target}" for target, names in functions.items() if name not in names]
                if lacking:
                    reasons.append(f"function {name} is missing on {', '.join(lacking)}")
        return reasons + self.closure_names() + self.parameter_sizes() + self.probe()

    def of_the_order(self):
        """The disagreements that hang on which target comes last."""
        return [f"build error: {self.errors[0]}"] if self.failed else self.closure_names()

    def closure_names(self):
        """Kernels of lambdas that a device pass names otherwise than the pass that made the registration code."""
        stub = self.kept(self.targets[-1], ".cudafe1.stub.c")
        names = {mangled for _, kernel, mangled in registered(stub) if "dl_tag<" in kernel}
        return [
            f"sm_{target} has no {name}, the registered name of a kernel with a lambda"
            for target in self.targets
            for name in sorted(names - set(re.findall(r"\.entry (\w+)", self.kept(target, ".ptx"))))
        ]

    def device_names(self, target):
        """(all kernels, the non-template ones, variables with sizes) of a device pass."""
        stub = self.kept(target, ".cudafe1.stub.c")
        ptx = self.kept(target, ".ptx")
        names = {mangled for _, _, mangled in registered(stub)} | set(re.findall(r"\.entry (\w+)", ptx))
        variables = {}
        pattern = r"^(?:\.visible |\.weak )?\.(?:global|const)\b(?: \.attribute\(\S+\))?(?: \.align \d+)? \.(\w)(\d+) (\w+)(?:\[(\d*)\])?(?= *[;=])"
        for _, bits, name, count in re.findall(pattern, ptx, re.M):
            name = re.sub(r"^__nv_static_\d+__\w+?_\d+_\w+?_cu_\w{8}_", "", name)
            if not name.startswith(("__unnamed", "$str", "_ZZ", "__func")):
                variables[name] = int(bits) // 8 * int(count or 1)
        for name, size in re.findall(r"__cudaRegister(?:Managed)?Variable\(__T\d+, __shadow_var\((\w+),.*?\), \d, (\d+)UL", stub):
            variables[re.sub(r"^__nv_static_\d+__\w+?_cu_\w{8}_", "", name)] = int(size)
        readable = demangle([*names, *variables])
        # The host knows an extended lambda by a wrapper, which the stub file spells.
        wrapped = {mangled: lambda_kernel(kernel) for _, kernel, mangled in registered(stub) if "dl_tag<" in kernel}
        kernels = {wrapped.get(name, readable[name]) for name in names}
        return (
            kernels,
            {name for name in kernels if not re.match(r"[^(]*>\(", name)},
            {readable[name]: size for name, size in variables.items()},
        )

    def host_object(self):
        """An object of the host pass alone, every kernel in it marked."""
        made = self.directory / "host.o"
        if not made.exists():
            text = self.kept(self.targets[-1], ".cudafe1.cpp")
            text = re.sub(r'#include "\S+\.stub\.c"', "", text)
            mark = f"static char {MARK} __attribute__((used));"
            text = re.sub(rf"\{{((?:(?:::)?\w+::)*(?:::)?{WRAPPER})", "{" + mark + r"\1", text)
            text = re.sub(r"\) ?;\n#if 0\n", f") {{ {mark} }}\n#if 0\n", text)
            # A managed variable's shadow is a pointer; what it points to has the size asked for.
            managed = r'section\("__nv_managed_data__"\)\)\) static [^;]*?\*(\w+) = 0;'
            text = re.sub(managed, r"\g<0> static char \1_judge_managed[sizeof(*\1)] __attribute__((used));", text)
            source = self.directory / "host.cpp"
            source.write_text(text)
            command = ["g++", "-w", "-c", "-O0", self.standard, "-fkeep-inline-functions", "-fkeep-static-functions",
                       "-D__CUDA_ARCH_LIST__=0", f"-I{self.directory}", *self.toolkit_includes(),
                       str(source), "-o", str(made)]
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode:
                raise SystemExit(f"judge.py: {self.unit}: the host pass alone does not compile:\n{done.stderr[:2000]}")
        return made

    def toolkit_includes(self):
        top = pathlib.Path(self.nvcc).resolve().parent.parent
        return [f"-I{path}" for path in (top / "include", *top.glob("targets/*/include")) if path.is_dir()]

    def host_kernels(self):
        lines = run(["nm", "-C", str(self.host_object())]).splitlines()
        marked = [line.split(maxsplit=2)[-1] for line in lines if MARK in line and WRAPPER not in line]
        names = {plain(name[: name.index("::" + MARK)]) for name in marked}
        return {lambda_kernel(name) if "dl_tag<" in name else name for name in names}

    def host_variables(self):
        """(device variables of the host pass with the sizes of their shadows, those without a shadow)"""
        text = (self.directory / f"{self.stem}.cpp4.ii").read_text()
        own, names = False, set()
        user = []
        for line in text.splitlines():
            marker = re.match(r'# \d+ "(.*?)"', line)
            if marker:
                path = pathlib.Path(marker.group(1))
                own = path.is_relative_to(CORPUS) or self.unit.parent in path.parents
            elif own:
                user.append(line)
        pattern = r"__attribute__\(\((?:device|constant|managed)\)\)([^;={(]*?)(\w+)\s*((?:\[[^\]]*\]\s*)*)[;={]"
        for before, name, _ in re.findall(pattern, "\n".join(user)):
            if not {"global", "extern", "constexpr"} & set(re.findall(r"\w+", before)):
                names.add(name)
        sizes, managed = {}, {}
        for line in run(["nm", "-C", "-S", str(self.host_object())]).splitlines():
            parts = line.split(maxsplit=3)
            if len(parts) == 4 and parts[2] in "bBdDrRuVvsSgG" and MARK not in line:
                name = plain(parts[3])
                if name.endswith("_judge_managed"):
                    managed[name.removesuffix("_judge_managed")] = int(parts[1], 16)
                elif re.sub(r"<.*>", "", name).split("::")[-1] in names:
                    sizes[name] = int(parts[1], 16)
        # The host's object holds no shadow of an inline variable that only device code uses.
        sized = {re.sub(r"<.*>", "", name).split("::")[-1] for name in sizes}
        return sizes | managed, {name for name in names if name not in sized}

    def external_functions(self, target):
        """The external, not weak, `__device__` functions a device pass defines."""
        ptx = self.kept(target, ".ptx")
        pattern = r"^\.visible \.func (?:\s*\([^)]*\)\s*)?(\w+)\s*\([^)]*\)\s*\{"
        names = re.findall(pattern, ptx, re.M)
        return set(demangle(names).values())

    def weak_stubs(self):
        """The host stubs of kernels that the linker may take from another object."""
        if not self.shares_stubs:
            return set()
        stub = self.kept(self.targets[-1], ".cudafe1.stub.c")
        registered_names = {mangled for _, _, mangled in registered(stub)}
        lines = run(["nm", str(self.directory / f"{self.stem}.o")]).splitlines()
        return {line.split()[-1] for line in lines if " W " in line} & registered_names

    def weak_entities(self):
        """What the device linker may take from another object: names and texts."""
        for target in self.targets:
            pattern = r"^\.weak \.func (?:\s*\([^)]*\)\s*)?(\w+)\s*\([^)]*\)\s*\{(.*?)^\}"
            for name, body in re.findall(pattern, self.kept(target, ".ptx"), re.M | re.S):
                yield name, re.sub(r"//.*|\.loc.*", "", body)
            for line in re.findall(r"^\.weak \.(?:global|const) .*;", self.kept(target, ".ptx"), re.M):
                yield re.search(r"(\w+)(?:\[\d*\])?(?: =.*)?;", line).group(1), line

    def parameter_sizes(self):
        """Kernels whose parameters have different sizes in two device passes."""
        sizes = {}
        for target in self.targets:
            for name, parameters in re.findall(r"\.entry (\w+)\(([^)]*)\)", self.kept(target, ".ptx")):
                shape = []
                for parameter in filter(None, map(str.strip, parameters.split(","))):
                    # A pointer to what the kernel reads alone has its state space and alignment behind its type.
                    parameter = re.sub(r" \.ptr\b.*?(?= \w+(?:\[\d+\])?$)", "", parameter)
                    bits = re.search(r"\.\w(\d+) \w+(?:\[(\d+)\])?$", parameter)
                    shape.append((int(bits.group(1)) // 8 * int(bits.group(2) or 1), " .f" in parameter))
                sizes.setdefault(name, {})[target] = tuple(shape)
        return [
            f"the parameters of {name} have different sizes: {shapes}"
            for name, shapes in sizes.items()
            if len(set(shapes.values())) > 1
        ]

    def probe(self):
        """Sizes and alignments of parameters and pointees, in every pass."""
        stub = self.kept(self.targets[-1], ".cudafe1.stub.c")
        probes = []
        for number, (kind, kernel, _) in enumerate(registered(stub)):
            if not kernel.endswith(">"):
                kind = f"decltype(&{kernel.replace('_NV_ANON_NAMESPACE::', '')})"
            elif "_ZN" in kind or "_NV_ANON" in kind or set(re.findall(r"[A-Za-z_]\w*", kind)) <= BUILTIN:
                continue
            probes.append((number, kernel, kind))
        if not probes:
            return []
        text = [f'#include "{self.unit}"', PROBE_HEAD]
        for number, _, kind in probes:
            text.append(f"__device__ char judge_probe_{number}[judge_shape(static_cast<{kind}>(nullptr)) % 1000003 + 1];")
        source = self.directory / "probe.cu"
        source.write_text("\n".join(text) + "\n")
        errors = self.compile(source)
        if errors:
            return []
        sizes = {number: set() for number, _, _ in probes}
        for line in run(["nm", "-S", str(self.directory / "probe.o")]).splitlines():
            found = re.match(r"\w+ (\w+) \w \w*judge_probe_(\d+)$", line)
            if found:
                sizes[int(found.group(2))].add(int(found.group(1), 16))
        for target in self.targets:
            for number, size in re.findall(r"judge_probe_(\d+)(?:\[(\d+)\])?;", self.kept(target, ".ptx", "probe")):
                sizes[int(number)].add(int(size or 1))
        return [
            f"parameters of {kernel}, or what they point to, have different layouts"
            for number, kernel, _ in probes
            if len(sizes[number]) > 1
        ]


PROBE_HEAD = """
template <class T, class = void> struct judge_one {
    static constexpr unsigned long value = 1;
};
template <class T> struct judge_one<T, decltype(void(sizeof(T)))> {
    static constexpr unsigned long value = sizeof(T) * 64 + alignof(T);
};
template <> struct judge_one<void, void> {
    static constexpr unsigned long value = 1;
};
template <> struct judge_one<const void, void> {
    static constexpr unsigned long value = 1;
};
// GCC gives a function a size, and the device's compiler none.
template <class R, class... A> struct judge_one<R(A...), void> {
    static constexpr unsigned long value = 1;
};
template <class T> struct judge_both {
    static constexpr unsigned long value = judge_one<T>::value;
};
template <class T> struct judge_both<T *> {
    static constexpr unsigned long value = judge_one<T>::value + 7;
};
template <class... A> constexpr unsigned long judge_shape(void (*)(A...)) {
    unsigned long shape = 5;
    ((shape = (shape * 131 + judge_both<A>::value) % 1000003), ...);
    return shape;
}
"""


def registered(stub):
    """(type, kernel, mangled name) of each kernel that a stub file registers."""
    entries = []
    for expression, mangled in re.findall(r"__cudaRegisterEntry\(__T\d+, \(\((.*?)\), (\w+), (?:\(-1\)|\d+)\)", stub):
        depth = 1
        for end, character in enumerate(expression):
            depth += (character == "(") - (character == ")")
            if depth == 0:
                entries.append((expression[:end], expression[end + 1 :].strip(), mangled))
                break
    return entries


def lambda_kernel(name):
    """A kernel that takes an extended lambda's wrapper, as the stub file or the demangler spells it: the kernel, the
    function around the lambda, its number there, and what it captures."""
    start = name.index("dl_tag<") + len("dl_tag")
    depth = 0
    for end in range(start, len(name)):
        depth += (name[end] in "<(") - (name[end] in ">)")
        if depth == 0:
            break
    tag, rest = name[start:end], name[end + 1 :]
    number = re.search(r"(\d+)u?$", tag).group(1)
    around = re.search(r"&[\s(:]*(\w+(?:::\w+)*)", tag).group(1)
    depth = 1
    for end, character in enumerate(rest):
        depth += (character in "<(") - (character in ">)")
        if depth == 0:
            break
    # One spells `const int`, the other `int const`.
    captures = re.sub(r"\s|::|\bconst\b", "", rest[:end])
    return f"{base(name)}<lambda {number} of {around}{captures}>"


def base(name):
    """A kernel's name without arguments and parameters."""
    return re.split(r"[<(]", name.strip(), maxsplit=1)[0].strip().removeprefix("::")


def run(command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def demangle(names):
    """Mangled names and what they stand for, less what only says which file they are in."""
    names = list(names)
    if not names:
        return {}
    out = run(["c++filt", *names]).splitlines()
    return {name: plain(readable) for name, readable in zip(names, out)}


def plain(name):
    name = re.sub(r"\[abi:\w+\]", "", name)
    name = re.sub(r"(_INTERNAL_\w+|_GLOBAL__N__\w+|\(anonymous namespace\))::", "", name)
    name = re.sub(r"^(?:static )?void (?=[\w:]+<)", "", name)
    return name


if __name__ == "__main__":
    sys.exit(main())
