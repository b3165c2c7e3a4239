"""What nvcc's passes of a CUDA source disagree about, read from the files that nvcc keeps.

In: a case, a source or a directory of sources with `//@` lines. Out: a `Difference` for everything that the passes
disagree about. Knows nothing of marks. Needs nvcc (12.8 or newer for every target the corpus names), its host compiler
g++, and binutils; no GPU.

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
if that builds: nvcc's registration code then defines it. A build that fails in the host's compiler leaves the files of
every pass, which are read all the same.
"""

import pathlib
import re
import subprocess
import tempfile
import typing

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
HOST = "host"


class Difference(typing.NamedTuple):
    """Something that the passes of a case disagree about."""

    kind: str
    """`kernel`, `variable` or `function`: some passes lack it; `size`: of a variable; `parameters`: their sizes in PTX;
    `layout`: of parameters and of what they point to; `lambda`: a registered name that a target lacks; `text`: of what
    several objects hold; `stub`: a host stub that objects share; `build`: an error."""
    name: str
    """The entity, without what its parameters are called; of a build error the words in quotes that the source has."""
    passes: tuple
    """The passes, those that agree together: `(("host", "sm_90"), ("sm_80",))`. Empty where none are known."""
    overloads: tuple
    """The same for the kernels of this name together, whatever their arguments and parameters."""
    types: tuple
    """The words in the types of a kernel's parameters."""


def cases():
    """Every case of the corpus, in order."""
    for topic in sorted(path for path in CORPUS.iterdir() if path.is_dir() and path.name[0] not in "._"):
        for path in sorted(topic.iterdir()):
            if path.suffix == ".cu" or path.is_dir():
                yield path


def files(case):
    """The files of a case, in order."""
    return sorted(path for path in case.rglob("*") if path.is_file()) if case.is_dir() else [case]


def differences(nvcc, case):
    """What the passes of a case disagree about, in order."""
    root = case if case.is_dir() else case.parent
    units = sorted(root.glob("*.cu")) if case.is_dir() else [case]
    # Without comments, which no verdict may hang on.
    code = re.sub(r"//.*", "", "\n".join(path.read_text() for path in files(case)))
    words = set(re.findall(r"[A-Za-z_]\w*", code))
    found = set()
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
            of_unit = first.differences(words)
            if not of_unit and len(targets) > 1:
                # Every pass is what it was; only what is made of them is new.
                of_unit = build(targets[::-1]).of_the_order(words)
            found.update(of_unit)
            if not first.failed:
                for name, text in first.weak_entities():
                    weak.setdefault(name, {}).setdefault(text, set()).add(unit.name)
                for name in first.weak_stubs():
                    stubs.setdefault(name, set()).add(tuple(sorted(targets)))
    for name, texts in weak.items():
        by_unit = list(texts.values())
        if len(texts) > 1 and len(set().union(*by_unit)) > 1:
            if any(set().union(*by_unit) != units for units in by_unit):
                found.add(difference("text", demangle([name])[name]))
    for name, lists in stubs.items():
        if len(lists) > 1:
            found.add(difference("stub", demangle([name])[name]))
    return sorted(found)


def difference(kind, name, by_pass=None, overloads=None, types=()):
    """A difference, from what each pass has: a value by pass."""
    types = tuple(sorted(set(types) - {base(name).split("::")[-1]}))
    return Difference(kind, name, blocks(by_pass or {}), blocks(overloads or by_pass or {}), types)


def blocks(by_pass):
    """The passes of each value together."""
    values = {}
    for one, value in by_pass.items():
        values.setdefault(value, []).append(one)
    return tuple(sorted(tuple(sorted(passes)) for passes in values.values()))


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
        return lines or [f"exit status {done.returncode}"]

    def kept(self, target, suffix, stem=None):
        """The text of a file nvcc kept; it names the target only when there are several."""
        stem = stem or self.stem
        path = self.directory / f"{stem}.compute_{target}{suffix}"
        return (path if path.exists() else self.directory / f"{stem}{suffix}").read_text()

    def differences(self, words):
        if not self.failed:
            return [*self.of_the_passes(), *self.parameter_sizes(), *self.probe()]
        build = self.build_error(words)
        try:
            return [build, *self.of_the_passes(), *self.parameter_sizes()]
        except (FileNotFoundError, HostFails):
            # The build ended before every pass was written.
            return [build]

    def of_the_order(self, words):
        """What hangs on which target comes last."""
        return [self.build_error(words)] if self.failed else []

    def build_error(self, words):
        text = "\n".join(self.errors)
        for folder in (self.directory, self.unit.parent):
            text = text.replace(str(folder), "")
        quoted = re.findall("[\"'‘]([^\"'’]*)[\"'’]", text)
        named = {word.removeprefix(WRAPPER).removeprefix("__device_stub__") for word in re.findall(r"\w+", " ".join(quoted))}
        return difference("build", " ".join(sorted(named & words - BUILTIN)))

    def of_the_passes(self):
        """The names that not every pass has, and variables of different sizes."""
        devices = {f"sm_{target}": self.device_names(target) for target in self.targets}
        host = self.host_kernels()
        everywhere = set.intersection(*(plain for _, plain, _ in devices.values()))
        known = {base(name) for name in host}
        kernels = {HOST: host} | {name: kernels for name, (kernels, _, _) in devices.items()}
        missing = set().union(*(host - kernels for kernels, _, _ in devices.values()))
        for _, plain, _ in devices.values():
            # The registration code defines what every target does, if that builds.
            alone = plain - host - (set() if self.failed else everywhere)
            missing |= {name for name in alone if base(name) not in known}
        found = []
        for name in missing:
            has = {one: name in names for one, names in kernels.items()}
            overloads = {
                one: frozenset(other for other in names if base(other) == base(name)) for one, names in kernels.items()
            }
            found.append(difference("kernel", without_parameters(name), has, overloads, type_words(name)))
        return [*found, *self.of_the_variables(devices), *self.of_the_functions(), *self.closure_names()]

    def of_the_variables(self, devices):
        variables = {name: names for name, (_, _, names) in devices.items()}
        every = set().union(*variables.values())
        variables[HOST], unsized = self.host_variables()
        named = every | set(variables[HOST])
        found = []
        for name in sorted(named | unsized):
            sizes = {where: names.get(name) for where, names in variables.items()}
            if name in unsized and any(other.startswith(f"{name}<") for other in named):
                continue  # a variable template, and here are its instances
            if "<" in name and sizes[HOST] is None:
                continue  # as with kernels, what only device passes instantiate
            if name in unsized:
                del sizes[HOST]
            if None in sizes.values():
                found.append(difference("variable", name, {one: size is None for one, size in sizes.items()}))
            elif len(set(sizes.values())) > 1:
                found.append(difference("size", name, sizes))
        return found

    def of_the_functions(self):
        """With separate compilation, the external functions that some targets lack."""
        if not self.rdc:
            return []
        functions = {f"sm_{target}": self.external_functions(target) for target in self.targets}
        found = []
        for name in set().union(*functions.values()):
            has = {one: name in names for one, names in functions.items()}
            if not all(has.values()):
                found.append(difference("function", without_parameters(name), has))
        return found

    def closure_names(self):
        """Kernels of lambdas that a device pass names otherwise than the pass that makes the registration code, which is
        the last in either order."""
        entries = {f"sm_{target}": set(re.findall(r"\.entry (\w+)", self.kept(target, ".ptx"))) for target in self.targets}
        found = []
        for last in {self.targets[0], self.targets[-1]}:
            for _, kernel, mangled in registered(self.kept(last, ".cudafe1.stub.c")):
                has = {one: mangled in names for one, names in entries.items()}
                if "dl_tag<" in kernel and not all(has.values()):
                    found.append(difference("lambda", without_parameters(lambda_kernel(kernel)), has))
        return found

    def device_names(self, target):
        """(all kernels, the non-template ones, variables with sizes) of a device pass."""
        stub = self.kept(target, ".cudafe1.stub.c")
        ptx = self.kept(target, ".ptx")
        names = {mangled for _, _, mangled in registered(stub)} | set(re.findall(r"\.entry (\w+)", ptx))
        variables = {}
        pattern = r"^(?:\.visible |\.weak )?\.(?:global|const)\b(?: \.attribute\(\S+\))?(?: \.align \d+)? \.(\w)(\d+) (\w+)(?:\[(\d*)\])?(?= *[;=])"
        for _, bits, name, count in re.findall(pattern, ptx, re.M):
            name = without_module(name)
            if not name.startswith(("__unnamed", "$str", "_ZZ", "__func")):
                variables[name] = int(bits) // 8 * int(count or 1)
        for name, size in re.findall(r"__cudaRegister(?:Managed)?Variable\(__T\d+, __shadow_var\((\w+),.*?\), \d, (\d+)UL", stub):
            variables[without_module(name)] = int(size)
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
                raise HostFails(f"{self.unit}: the host pass alone does not compile:\n{done.stderr[:2000]}")
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
                sizes.setdefault(name, {})[f"sm_{target}"] = tuple(shape)
        readable = demangle(sizes)
        return [
            difference("parameters", without_parameters(readable[name]), shapes, types=type_words(readable[name]))
            for name, shapes in sizes.items()
            if len(set(shapes.values())) > 1
        ]

    def probe(self):
        """Sizes and alignments of parameters and pointees, in every pass."""
        stub = self.kept(self.targets[-1], ".cudafe1.stub.c")
        probes = []
        for number, (kind, kernel, mangled) in enumerate(registered(stub)):
            types = type_words(demangle([mangled])[mangled])
            if not kernel.endswith(">"):
                kind = f"decltype(&{kernel.replace('_NV_ANON_NAMESPACE::', '')})"
            elif "_ZN" in kind or "_NV_ANON" in kind or set(re.findall(r"[A-Za-z_]\w*", kind)) <= BUILTIN:
                continue
            probes.append((number, kernel, kind, types))
        if not probes:
            return []
        text = [f'#include "{self.unit}"', PROBE_HEAD]
        for number, _, kind, _ in probes:
            text.append(f"__device__ char judge_probe_{number}[judge_shape(static_cast<{kind}>(nullptr)) % 1000003 + 1];")
        source = self.directory / "probe.cu"
        source.write_text("\n".join(text) + "\n")
        errors = self.compile(source)
        if errors:
            return []
        sizes = {number: {} for number, *_ in probes}
        for line in run(["nm", "-S", str(self.directory / "probe.o")]).splitlines():
            found = re.match(r"\w+ (\w+) \w \w*judge_probe_(\d+)$", line)
            if found:
                sizes[int(found.group(2))][HOST] = int(found.group(1), 16)
        for target in self.targets:
            for number, size in re.findall(r"judge_probe_(\d+)(?:\[(\d+)\])?;", self.kept(target, ".ptx", "probe")):
                sizes[int(number)][f"sm_{target}"] = int(size or 1)
        return [
            difference("layout", without_parameters(kernel), sizes[number], types=types)
            for number, kernel, _, types in probes
            if len(set(sizes[number].values())) > 1
        ]


class HostFails(Exception):
    """The host pass alone does not compile."""


PROBE_HEAD = '''
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
'''


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
    _, function, number = arguments(tag.removeprefix("<"))
    around, number = function_around(function), number.strip().removesuffix("u")
    depth = 1
    for end, character in enumerate(rest):
        depth += (character in "<(") - (character in ">)")
        if depth == 0:
            break
    # One spells `const int`, the other `int const`.
    captures = re.sub(r"\s|::|\bconst\b", "", rest[:end])
    return f"{base(name)}<lambda {number} of {around}{captures}>"


def function_around(spelled):
    """The name, without template arguments, of the function around an extended lambda. The stub file spells it
    `(& ::space::name<int> )`, the demangler `&(void space::name<int>(int*))`, of an instance of a template with the
    result, or `&Class::name`."""
    name = spelled.strip().removeprefix("&")
    bracketed = re.fullmatch(r"\((.*)\)", name)
    name = bracketed.group(1).strip().removeprefix("&") if bracketed else name
    name = re.sub(r"\s*::\s*", "::", plain(name))
    before = None
    while name != before:
        # Without what stands in brackets, from the innermost on.
        name, before = re.sub(r"<[^<>()]*>|\([^<>()]*\)", "", name), name
    name = re.sub(r"\b(?:const|volatile)\b|[&*]", " ", name)
    return name.split()[-1].removeprefix("::")


def arguments(text):
    """The arguments in a list without its brackets."""
    parts, depth = [""], 0
    for character in text:
        depth += (character in "<(") - (character in ">)")
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return parts


def base(name):
    """A kernel's name without arguments and parameters."""
    return re.split(r"[<(]", name.strip(), maxsplit=1)[0].strip().removeprefix("::")


def without_parameters(name):
    """`lib::fill<int (*)(int)>` of `lib::fill<int (*)(int)>(float*)`."""
    depth = 0
    for index, character in enumerate(name):
        depth += (character == "<") - (character == ">")
        if character == "(" and depth == 0:
            return name[:index].strip()
    return name.strip()


def type_words(text):
    return set(re.findall(r"[A-Za-z_]\w*", text)) - BUILTIN


def run(command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def demangle(names):
    """Mangled names and what they stand for, less what only says which file they are in."""
    names = list(names)
    if not names:
        return {}
    out = run(["c++filt", *names]).splitlines()
    return {name: plain(readable) for name, readable in zip(names, out)}


def without_module(name):
    """The name of a static entity less that of its module, whose length stands before it: it has a hash of the file's place."""
    head = re.match(r"__nv_static_(\d+)_", name)
    return name[head.end() + int(head.group(1)) + 1 :] if head else name


def plain(name):
    name = re.sub(r"\[abi:\w+\]", "", name)
    name = re.sub(r"(_INTERNAL_\w+|_GLOBAL__N__\w+|_NV_ANON_NAMESPACE|\(anonymous namespace\))::", "", name)
    name = re.sub(r"^(?:static )?void (?=[\w:]+<)", "", name)
    return name
