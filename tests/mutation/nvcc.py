"""nvcc's word on a real unit: which kernels and device variables do its passes disagree about?

In: a source, its options, targets. Out: the names of what differs, each with a sentence. What is read from nvcc's
files, and how, is `corpus/passes.py`'s; this adds what real units need: their own include directories, sizes of
the host's parameters without a second compilation, and the host's object without unused functions unless asked.
"""

import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "corpus"))
import passes

SIZE = "judge_parameter_size"
# Seconds that a compiler may take.
LIMIT = 420


class RealUnit(passes.Build):
    """One compilation of a real unit up to what its host compiler would read."""

    def __init__(self, nvcc, source, flags, targets, directory, headers=()):
        self.nvcc, self.unit, self.targets, self.directory = nvcc, source, targets, directory
        self.rdc, self.keep, self.headers = False, False, headers
        self.flags = ["-Xcicc", "-O0", *flags]
        for target in targets:
            self.flags += ["-gencode", f"arch=compute_{target},code=compute_{target}"]
        self.standard = next((flag for flag in flags if flag.startswith("-std=")), "-std=c++17")
        self.stem = source.stem
        directory.mkdir(parents=True, exist_ok=True)
        self.errors = self.compile(source)
        self.failed = bool(self.errors)

    def compile(self, source):
        command = [self.nvcc, "-cuda", "-w", "--keep", "--keep-dir", str(self.directory), *self.flags, str(source),
                   "-o", str(self.directory / "host.ii")]
        try:
            done = subprocess.run(command, cwd=self.directory, capture_output=True, text=True, timeout=LIMIT,
                                  errors="replace")
        except subprocess.TimeoutExpired:
            return [f"no answer within {LIMIT} s"]
        if done.returncode == 0:
            return []
        lines = [line for line in done.stderr.splitlines() if "error" in line.lower()]
        return lines[:3] or [f"exit status {done.returncode}"]

    def host_object(self):
        """An object of the host pass alone, every kernel in it marked and its parameters' sizes beside the mark."""
        made = self.directory / ("kept.o" if self.keep else "host.o")
        if made.exists():
            return made
        text = self.kept(self.targets[-1], ".cudafe1.cpp")
        text = re.sub(r'#include "\S+\.stub\.c"', "", text)
        # Without optimisation g++ refuses some functions that must be inlined.
        text = re.sub(r"\b(?:__)?always_inline(?:__)?\b", "__unused__", text)
        template = rf"\{{((?:(?:::)?\w+::)*(?:::)?{passes.WRAPPER}\w+(?:<[^;{{}}]*>)?\s*\(([\w,\s]*)\);)"
        text = re.sub(template, lambda found: "{" + mark(found.group(2).split(",")) + found.group(1), text)
        text = mark_plain_kernels(text)
        managed = r'section\("__nv_managed_data__"\)\)\) static [^;]*?\*(\w+) = 0;'
        text = re.sub(managed, r"\g<0> static char \1_judge_managed[sizeof(*\1)] __attribute__((used));", text)
        source = self.directory / "host.cpp"
        source.write_text(text)
        keep = ["-fkeep-inline-functions", "-fkeep-static-functions"] if self.keep else []
        command = ["g++", "-w", "-c", "-O0", self.standard, *keep, "-D__CUDA_ARCH_LIST__=0", f"-I{self.directory}",
                   *self.toolkit_includes(), str(source), "-o", str(made)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, errors="replace")
        if done.returncode:
            raise HostFails(" ".join(line for line in done.stderr.splitlines() if "error" in line)[:600])
        return made

    def look(self):
        """name -> sentence, for each kernel and device variable that the passes disagree about.

        A name is the last word of a qualified one, without arguments.
        """
        found = self.differences()
        if any("the host has no" in sentence for sentences in found.values() for sentence in sentences):
            # Perhaps it stands in a function that the object left out.
            self.keep = True
            found = self.differences()
        return found

    def differences(self):
        found = {}

        def differs(name, sentence):
            found.setdefault(last_word(name), []).append(sentence)

        devices = {target: self.device_names(target) for target in self.targets}
        registered = {target: self.registered_variables(target) for target in self.targets}
        sizes = self.host_sizes()
        host = set(sizes)
        self.kernels = {last_word(name) for kernels, _, _ in devices.values() for name in kernels} | {
            last_word(name) for name in host}
        for target, (kernels, plain, _) in devices.items():
            kernels, plain = set(map(comparable, kernels)), set(map(comparable, plain))
            for name in host - kernels:
                differs(name, f"sm_{target} has no kernel {name}, which the host has")
            for name in plain - host:
                differs(name, f"the host has no kernel {name}, which sm_{target} has")
        shapes = {}
        for target in self.targets:
            entries = re.findall(r"\.entry (\w+)\(([^)]*)\)", self.kept(target, ".ptx"))
            readable = passes.demangle([name for name, _ in entries])
            for name, parameters in entries:
                shapes.setdefault(comparable(readable[name]), {})[target] = shape(parameters)
        for name, by_target in shapes.items():
            if len(set(by_target.values())) > 1:
                differs(name, f"the parameters of {name} differ: {by_target}")
            known = sizes.get(name, {})
            for target, parameters in by_target.items():
                for number, size in known.items():
                    if number < len(parameters) and parameters[number][0] != size:
                        differs(name, f"parameter {number} of {name}: {size} bytes on the host, "
                                      f"{parameters[number][0]} on sm_{target}")
        self.compare_variables(registered, differs)
        return found

    def registered_variables(self, target):
        """The variables that a pass gives the host, with their sizes."""
        stub = self.kept(target, ".cudafe1.stub.c")
        pattern = r"__cudaRegister(?:Managed)?Variable\(__T\d+, __shadow_var\((\w+),.*?\), \d, (\d+)UL"
        sizes = {name: int(size) for name, size in re.findall(pattern, stub)}
        readable = passes.demangle(sizes)
        return {readable[name]: size for name, size in sizes.items()}

    def compare_variables(self, devices, differs):
        every = set().union(*devices.values())
        host, own, words = self.host_objects(), *self.declared_on_host()
        self.variables = {last_word(name) for name in every} | own
        for name in every:
            by_target = {f"sm_{target}": names.get(name) for target, names in devices.items()}
            if last_word(name) in host:
                by_target["the host"] = host[last_word(name)]
            missing = [where for where, size in by_target.items() if size is None]
            if missing:
                differs(name, f"variable {name} is missing on {', '.join(missing)}")
            elif len(set(by_target.values())) > 1:
                differs(name, f"variable {name} has different sizes: {by_target}")
            elif last_word(name) not in words:
                differs(name, f"variable {name} is missing on the host")
        absent = own - {last_word(name) for name in every}
        for name in absent:
            differs(name, f"no target has variable {name}, which the host declares")

    def host_sizes(self):
        """kernel -> number of a parameter -> its size, as the host has them."""
        sizes = {}
        lines = passes.run(["nm", "-C", "-S", str(self.host_object())]).splitlines()
        for line in lines:
            parts = line.split(maxsplit=3)
            if len(parts) != 4 or passes.MARK not in line and SIZE not in line:
                continue
            name, _, symbol = parts[3].rpartition("::")
            if passes.WRAPPER in name:
                continue
            own = sizes.setdefault(comparable(passes.plain(name)), {})
            number = re.match(rf"{SIZE}_(\d+)", symbol)
            if number:
                own[int(number.group(1))] = int(parts[1], 16)
        return sizes

    def host_objects(self):
        """last word of a name -> size, of the host's variables."""
        sizes = {}
        for line in passes.run(["nm", "-C", "-S", str(self.host_object())]).splitlines():
            parts = line.split(maxsplit=3)
            if len(parts) == 4 and parts[2] in "bBdDrRuVvsSgG" and passes.MARK not in line and SIZE not in line:
                name = last_word(passes.plain(parts[3]))
                if name.endswith("_judge_managed"):
                    sizes[name.removesuffix("_judge_managed")] = int(parts[1], 16)
                elif name not in sizes:
                    sizes[name] = int(parts[1], 16)
        return sizes

    def declared_on_host(self):
        """(the device variables that the unit's own files define in the host pass, all words in that pass)"""
        text = (self.directory / f"{self.stem}.cpp4.ii").read_text(errors="replace")
        own, lines = True, []
        for line in text.splitlines():
            marker = re.match(r'# \d+ "(.*?)"', line)
            if marker:
                own = not marker.group(1).startswith(("/usr/", "<", *self.headers))
            elif own:
                lines.append(line)
        pattern = r"__attribute__\(\((?:device|constant|managed)\)\)([^;={(]*?)(\w+)\s*((?:\[[^\]]*\]\s*)*)(?:[;{]|=(?!=))"
        found = re.findall(pattern, "\n".join(lines))
        # `operator==` is no variable that begins with `=`.
        others = {"global", "extern", "struct", "template", "operator"}
        names = {name for before, name, _ in found if not others & {*re.findall(r"\w+", before), name}}
        return names, set(re.findall(r"\w+", text))


class HostFails(Exception):
    """The host pass alone does not compile."""


def mark(parameters):
    """What stands at the start of a kernel's host body: a mark, and the sizes of the parameters with a name."""
    text = f"static char {passes.MARK} __attribute__((used));"
    for number, name in enumerate(parameters):
        if name.strip():
            text += f"static char {SIZE}_{number}[sizeof({name.strip()})] __attribute__((used));"
    return text


def mark_plain_kernels(text):
    """Gives each kernel that is no template a marked body in the place of the one that was cut out of the host's text."""
    pieces, at = [], 0
    for end in re.finditer(r"\) ?;\n#if 0\n", text):
        depth, opening = 0, end.start() + 1
        while opening > at:
            opening -= 1
            depth += (text[opening] == ")") - (text[opening] == "(")
            if depth == 0:
                break
        body = mark(names(text[opening + 1 : end.start()]))
        pieces += [text[at : end.start()], f") {{ {body} }}\n#if 0\n"]
        at = end.end()
    return "".join(pieces) + text[at:]


def names(parameters):
    """The names of the parameters between a function's parentheses; an empty one where it isn't plain."""
    parts, depth, begin = [], 0, 0
    for index, character in enumerate(parameters):
        depth += (character in "(<[{") - (character in ")>]}")
        if character == "," and depth == 0:
            parts.append(parameters[begin:index])
            begin = index + 1
    parts.append(parameters[begin:])
    parts = [part.split("=")[0] for part in parts]
    found = [re.search(r"[\w>*&]\s*(?<!:)\b([A-Za-z_]\w*)\s*$", part) for part in parts]
    return [match.group(1) if match and "(" not in part else "" for match, part in zip(found, parts)]


def shape(parameters):
    """(size, is a float) of each parameter of a PTX entry."""
    shapes = []
    for parameter in filter(None, map(str.strip, parameters.split(","))):
        bits, count = re.search(r"\.[busf](\d+)\b", parameter), re.search(r"\[(\d+)\]$", parameter)
        shapes.append((int(bits.group(1)) // 8 * (int(count.group(1)) if count else 1), " .f" in parameter))
    return tuple(shapes)


def comparable(name):
    """A kernel's name in the words that both front ends use.

    `k<&op>` for `k<&(op(float))>`: of an internal function the device's symbols leave out the type. And without the
    parameters of a template when these have expressions in them, which g++ and nvcc spell differently; they
    follow from the arguments.
    """
    while True:
        shorter = re.sub(r"&\((?:[\w:*&]+ )*([\w:]+(?:<[^()]*>)?)\([^()]*\)\)", r"&\1", name)
        if shorter == name:
            break
        name = shorter
    parameters = re.match(r"([\w:]+<[^()<>]*>)\(.*(?:sizeof \(|&&\(|\|\|)", name)
    return parameters.group(1) if parameters else name


def last_word(name):
    """`store` of `void lib::store<float>(float)`."""
    name = name.split("(")[0]
    while "<" in name:
        shorter = re.sub(r"<[^<>]*>", "", name)
        if shorter == name:
            break
        name = shorter
    return name.split("<")[0].split("::")[-1].split(" ")[-1]
