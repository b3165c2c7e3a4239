#!/usr/bin/env python3
"""What the language server takes in hours of random messages, and how soon it answers while it scans a workspace.

    tests/traffic.py [--linter PATH] [--minutes 120] [--seed 1] [--round N ...] [--arch 75,80,90] FOLDER
    tests/traffic.py [--linter PATH] --scan [--include DIR ...] [--cuda-path DIR] [--open FILE ...] FOLDER

The first works in a copy of the folder. Each round opens documents, edits them (keystrokes, pasted and deleted lines, unbalanced
brackets and quotes, whole texts), asks and takes back requests of each kind, changes files on disk, settings and folders, and
sends what no client should. Then all is closed and as it was, and the resident memory is read. Exit status: 0 when every round
was answered, the server ended in order, and the last quarter of the rounds took at most `--growth` percent more than the second.
What a round sends depends on the seed and its number alone: `--round` sends one again, whose peak was high.

The second opens files while the workspace is scanned, asks for hovers from the first moment on and types between them. It prints
how long the first hover of each file took, and all others, those behind edits during the file's first analysis among them, and
how many units were scanned meanwhile. Exit status: 0 when all others were answered within 100 ms: a file's headers have to be read
once.
"""

import argparse
import collections
import itertools
import json
import os
import pathlib
import queue
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time

# Requests that no client may wait longer for.
PATIENCE = 120
LIMIT = 0.1

KEYS = ["x", ";", "(", ")", "{", "}", "<", ">", '"', "'", "/*", "*/", "//", "\\\n", "\n", "#if 0\n", "#endif\n", "#else\n", 'R"(',
        "template <", "<<<1, 1>>>", "__CUDA_ARCH__", "😀", "é", "\t", "\0", "return", "#define X", "#include \"", "::", "..."]

BLOCKS = [
    "\n#ifdef __CUDA_ARCH__\ntypedef double typed_{0};\n#else\ntypedef int typed_{0};\n#endif\n"
    "__global__ void kernel_{0}(typed_{0} *out) {{ *out = 1; }}\n",
    "\n#if __CUDA_ARCH__ >= 900\nstruct held_{0} {{ long a; }};\n#else\nstruct held_{0} {{ int a; }};\n#endif\n"
    "__global__ void taking_{0}(held_{0} held) {{ }}\n",
    "\ntemplate <class T> __global__ void of_{0}(T *out) {{ }}\nvoid run_{0}() {{\n#if __CUDA_ARCH__ >= 800\n"
    "  of_{0}<float><<<1, 1>>>(nullptr);\n#endif\n}}\n",
    "\n#if __CUDA_ARCH__\n__device__ int only_{0} = {0};\n",
]

HERE = ["textDocument/hover", "textDocument/definition"]
OF_DOCUMENT = ["textDocument/codeLens", "textDocument/documentSymbol", "textDocument/semanticTokens/full", "textDocument/diagnostic"]


class Server:
    """The server at the other end of a pipe."""

    def __init__(self, linter, folder, options, capabilities):
        command = [linter, "lsp"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=folder)
        self.heard = queue.Queue()
        self.asked = {}
        self.answers = collections.Counter()
        self.scanned = (0, 0)
        self.configuration = options
        self.errors = []
        threading.Thread(target=self.read, daemon=True).start()
        threading.Thread(target=self.read_errors, daemon=True).start()
        root = pathlib.Path(folder).as_uri()
        self.last = 0
        self.answered(self.ask("initialize", {
            "processId": os.getpid(), "rootUri": root, "workspaceFolders": [{"uri": root, "name": "project"}],
            "initializationOptions": options, "capabilities": capabilities,
        }))
        self.tell("initialized", {})

    def read(self):
        stream = self.process.stdout
        while True:
            length = 0
            while (line := stream.readline()) not in (b"\r\n", b""):
                name, _, value = line.partition(b":")
                if name.lower() == b"content-length":
                    length = int(value)
            if not line:
                break
            self.heard.put((time.monotonic(), json.loads(stream.read(length))))
        self.heard.put(None)

    def read_errors(self):
        for line in self.process.stderr:
            self.errors.append(line.decode(errors="replace"))

    def write(self, body):
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def send(self, message):
        self.write(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def tell(self, method, params):
        self.send({"method": method, "params": params})

    def ask(self, method, params):
        self.last += 1
        self.asked[self.last] = (method, time.monotonic())
        self.send({"id": self.last, "method": method, "params": params})
        return self.last

    def hear(self, patience):
        """Takes in one message: (how long its request took, the message), or nothing in that time."""
        try:
            heard = self.heard.get(timeout=max(patience, 0)) if patience > 0 else self.heard.get_nowait()
        except queue.Empty:
            return None
        if heard is None:
            raise SystemExit("the server has ended: " + "".join(self.errors)[-2000:])
        at, message = heard
        if "method" in message:
            if "id" in message:
                self.send({"id": message["id"], "result": self.result(message)})
            elif message["method"] == "$/progress":
                done, _, of = message["params"]["value"].get("message", "").partition(" of ")
                if of:
                    self.scanned = (int(done), int(of))
            return 0, message
        method, begun = self.asked.pop(message["id"], ("nothing", at))
        code = message.get("error", {}).get("code")
        self.answers[method, code] += 1
        return at - begun, message

    def result(self, message):
        if message["method"] == "workspace/configuration":
            return [self.configuration for _ in message["params"]["items"]]
        return None

    def answered(self, identifier):
        """Waits for an answer; how long it took."""
        deadline = time.monotonic() + PATIENCE
        while (heard := self.hear(deadline - time.monotonic())) is not None:
            if heard[1].get("id") == identifier and "method" not in heard[1]:
                return heard[0]
        raise SystemExit(f"no answer to {self.asked[identifier][0]} within {PATIENCE} s")

    def forget_peak(self):
        pathlib.Path(f"/proc/{self.process.pid}/clear_refs").write_text("5")

    def memory(self):
        """(resident, at the peak since it was forgotten) in megabytes"""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        fields = dict(line.split(":", 1) for line in status.splitlines())
        return tuple(int(fields[key].split()[0]) / 1024 for key in ("VmRSS", "VmHWM"))

    def processor_time(self):
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(") ", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def end(self):
        self.answered(self.ask("shutdown", None))
        self.tell("exit", None)
        return self.process.wait(PATIENCE)


# ---- documents ----


class Document:
    def __init__(self, server, path):
        self.server, self.path, self.uri, self.version = server, path, path.as_uri(), 1
        self.text = path.read_text(errors="replace")
        language = {"uri": self.uri, "languageId": "cuda", "version": 1, "text": self.text}
        server.tell("textDocument/didOpen", {"textDocument": language})

    def change(self, changes):
        self.version += 1
        about = {"uri": self.uri, "version": self.version}
        self.server.tell("textDocument/didChange", {"textDocument": about, "contentChanges": changes})

    def edit(self, start, end, new):
        """Replaces what is between two offsets."""
        span = {"start": self.position(start), "end": self.position(end)}
        self.text = self.text[:start] + new + self.text[end:]
        self.change([{"range": span, "text": new}])

    def replace(self, text):
        self.text = text
        self.change([{"text": text}])

    def position(self, offset):
        line = self.text.count("\n", 0, offset)
        column = self.text[self.text.rfind("\n", 0, offset) + 1 : offset]
        return {"line": line, "character": len(column.encode("utf-16-le")) // 2}

    def ask(self, chance):
        lines = self.text.count("\n") + 1
        place = {"line": chance.randrange(lines + 2), "character": chance.choice([0, 1, 4, 9, 1000])}
        about = {"textDocument": {"uri": self.uri}}
        span = {"start": {"line": 0, "character": 0}, "end": place}
        kinds = [
            lambda: (chance.choice(HERE), {**about, "position": place}),
            lambda: (chance.choice(OF_DOCUMENT), about),
            lambda: ("textDocument/inlayHint", {**about, "range": span}),
            lambda: ("textDocument/codeAction", {**about, "range": span, "context": {"diagnostics": []}}),
            lambda: ("workspace/diagnostic", {"previousResultIds": []}),
            lambda: ("workspace/executeCommand", chance.choice([
                {"command": "cuda-arch-lint.choosePass", "arguments": [chance.choice(["host", "sm_80", None, "sm_1"])]},
                {"command": "cuda-arch-lint.passes", "arguments": []},
                {"command": "cuda-arch-lint.explain", "arguments": ["arch-dependent-layout"]},
                {"command": "cuda-arch-lint.expand", "arguments": [self.uri, "sm_80"]},
                {"command": "no such", "arguments": [{}]},
            ])),
        ]
        return self.server.ask(*chance.choices(kinds, [6, 4, 2, 2, 1, 1])[0]())

    def close(self):
        self.server.tell("textDocument/didClose", {"textDocument": {"uri": self.uri}})


def type_into(document, chance):
    text = document.text
    at = chance.randrange(len(text) + 1)
    kind = chance.randrange(8)
    if kind < 3:
        word = chance.choice(KEYS)
        document.edit(at, at, word)
        if chance.random() < 0.7:
            document.edit(at, at + len(word), "")
    elif kind == 3:
        document.edit(at, min(len(text), at + chance.choice([1, 1, 3, 40, 400])), "")
    elif kind == 4:
        line = text.rfind("\n", 0, at) + 1
        end = text.find("\n", at) + 1 or len(text)
        document.edit(line, line, text[line:end] * chance.choice([1, 2, 50]))
    elif kind == 5:
        document.edit(len(text), len(text), chance.choice(BLOCKS).format(chance.randrange(1000)))
    elif kind == 6:
        other = chance.randrange(len(text) + 1)
        low, high = min(at, other), max(at, other)
        document.edit(low, min(high, low + 2000), text[at : at + 200])
    else:
        document.replace(chance.choice([text[:at], text + text[:2000], document.path.read_text(errors="replace")]))


# What no client should send.
WRONG = [
    {"id": 1_000_000, "method": "textDocument/hover", "params": {"textDocument": {"uri": "file:///no/such"}, "position": {}}},
    {"id": 1_000_001, "method": "textDocument/hover", "params": None},
    {"id": 1_000_002, "method": "no/such", "params": []},
    {"method": "textDocument/didChange", "params": {"textDocument": {"uri": "file:///no/such", "version": 1}, "contentChanges": []}},
    {"method": "textDocument/didOpen", "params": {"textDocument": {}}},
    {"method": "$/cancelRequest", "params": {"id": "never asked"}},
    {"method": "workspace/didChangeWatchedFiles", "params": {"changes": [{"uri": "http://x/y.cu", "type": 1}]}},
    {"id": 99, "result": {}},
]


def round_of(server, folder, files, chance, messages):
    """Random traffic that leaves everything as it was before."""
    documents, texts, made, pace = {}, {}, [], random.Random(chance.random())
    watched = lambda path, kind: server.tell("workspace/didChangeWatchedFiles", {"changes": [{"uri": path.as_uri(), "type": kind}]})  # noqa: E731
    for _ in range(messages):
        kind = chance.randrange(100)
        open_one = documents[chance.choice(sorted(documents))] if documents else None
        if kind < 6 or open_one is None:
            path = chance.choice(files)
            if path not in documents and len(documents) < 8:
                documents[path] = Document(server, path)
        elif kind < 8:
            open_one.close()
            del documents[open_one.path]
        elif kind < 60:
            type_into(open_one, chance)
        elif kind < 88:
            identifier = open_one.ask(chance)
            if chance.random() < 0.3:
                server.tell("$/cancelRequest", {"id": identifier})
        elif kind < 91:
            path = chance.choice(files)
            texts.setdefault(path, path.read_bytes())
            path.write_bytes(texts[path] + chance.choice(BLOCKS).format(chance.randrange(1000)).encode())
            watched(path, 2)
        elif kind < 93:
            path = folder / f"new_{chance.randrange(10)}.cu"
            path.write_text(chance.choice(BLOCKS).format(1))
            made.append(path)
            watched(path, 1)
        elif kind < 95:
            server.configuration = {**server.configuration, "arch": chance.choice([["80"], ["75", "80", "90"], ["90a"], ["no"]])}
            server.tell("workspace/didChangeConfiguration", {"settings": {}})
        elif kind < 96:
            other = {"uri": (folder / "none").as_uri(), "name": "none"}
            server.tell("workspace/didChangeWorkspaceFolders", {"event": {"added": [other], "removed": []}})
            server.tell("workspace/didChangeWorkspaceFolders", {"event": {"added": [], "removed": [other]}})
        elif kind < 99:
            server.send(chance.choice(WRONG))
        else:
            server.tell("textDocument/didSave", {"textDocument": {"uri": open_one.uri}})
        # A client that reads, and does not ask more than it hears about.
        while server.hear(0.3 if len(server.asked) > 20 else pace.choice([0, 0, 0.002, 0.03])) is not None and len(server.asked) > 20:
            pass
    for document in documents.values():
        document.close()
    for path, text in texts.items():
        path.write_bytes(text)
        watched(path, 2)
    for path in set(made):
        path.unlink()
        watched(path, 3)
    return next(iter(files))


def settle(server, file, options):
    """Waits until the server has nothing more to do."""
    server.configuration = options
    server.tell("workspace/didChangeConfiguration", {"settings": {}})
    document = Document(server, file)
    server.answered(server.ask("textDocument/hover", {"textDocument": {"uri": document.uri}, "position": {"line": 0, "character": 0}}))
    document.close()
    deadline = time.monotonic() + PATIENCE
    quiet = 0
    while quiet < 3:
        before = server.processor_time()
        while server.hear(0.5) is not None:
            pass
        # A process that was stopped takes no time either, with requests open.
        quiet = quiet + 1 if server.processor_time() - before < 0.02 and not server.asked else 0
        if time.monotonic() > deadline:
            raise SystemExit(f"the server does not come to rest; not answered: {server.asked}")


CAPABILITIES = {
    "workspace": {"configuration": True, "didChangeWatchedFiles": {"dynamicRegistration": True}, "workspaceFolders": True,
                  "diagnostics": {"refreshSupport": True}, "inlayHint": {"refreshSupport": True}},
    "window": {"workDoneProgress": True},
    "textDocument": {"publishDiagnostics": {"relatedInformation": True, "versionSupport": True}},
}


def traffic(options):
    numbers = options.round or itertools.count()
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch) / "project"
        shutil.copytree(options.folder, folder, symlinks=True, ignore=shutil.ignore_patterns(".git"))
        files = sorted(path for path in folder.rglob("*") if path.suffix in {".cu", ".cuh", ".h", ".hpp"} and path.is_file())
        settings = {"arch": options.arch.split(",")}
        server = Server(options.linter, folder, settings, CAPABILITIES)
        settle(server, files[0], settings)
        begun, sampled, peaks = time.monotonic(), [], []
        print(f"{len(files)} files; settled with {server.memory()[0]:.0f} MB", flush=True)
        for number in numbers:
            if time.monotonic() - begun >= options.minutes * 60:
                break
            server.forget_peak()
            file = round_of(server, folder, files, random.Random(f"{options.seed}/{number}"), 400)
            settle(server, file, settings)
            resident, peak = server.memory()
            sampled.append(resident)
            peaks.append((peak, number))
            time.sleep(options.rest)
            if len(sampled) % options.told == 0 or options.round:
                minutes, told = (time.monotonic() - begun) / 60, 1 if options.round else options.told
                recent, (highest, which) = sampled[-told:], max(peaks[-told:])
                print(f"{minutes:6.1f} min, round {number}, {server.last} requests: {min(recent):.0f} to {max(recent):.0f} MB at rest, "
                      f"{highest:.0f} MB at the peak (round {which}), {server.processor_time():.0f} s of processor time", flush=True)
        status = server.end()
    quarter = max(1, len(sampled) // 4)
    early, late = (statistics.median(part) for part in (sampled[quarter : 2 * quarter] or sampled, sampled[-quarter:]))
    codes = collections.Counter(code for (_, code), count in server.answers.items() for _ in range(count))
    highest = ", ".join(f"{peak:.0f} MB in round {number}" for peak, number in sorted(peaks, reverse=True)[:5])
    print(f"the highest peaks: {highest}")
    print(f"{len(sampled)} rounds, answers by error code {dict(codes)}; at rest {early:.0f} MB in the second quarter, {late:.0f} MB in the last; ended with {status}")
    panics = [f"{line}{after}" for line, after in zip(server.errors, [*server.errors[1:], ""]) if "panicked" in line]
    print(*panics[:5], sep="")
    return 1 if status or panics or late > early * (1 + options.growth / 100) else 0


# ---- while a workspace is scanned ----


def scan(options):
    folder = options.folder.resolve()
    settings = {"arch": options.arch.split(","), "include-directories": [str(path.resolve()) for path in options.include]}
    if options.cuda_path:
        settings |= {"cuda-path": str(options.cuda_path.resolve()), "nostdinc": False}
    chance = random.Random(options.seed)
    server = Server(options.linter, folder, settings, CAPABILITIES)
    begun = time.monotonic()
    first, early, later = {}, collections.defaultdict(list), []
    for name in options.open:
        document = Document(server, (folder / name).resolve())
        lines = document.text.count("\n")
        diagnostics = server.ask("textDocument/diagnostic", {"textDocument": {"uri": document.uri}})
        for number in range(options.hovers):
            edited = number % 4 == 3
            if edited:
                at = len(document.text)
                document.edit(at, at, chance.choice(["\n", "/", " ", "\nint a;"]))
            place = {"line": chance.randrange(lines), "character": chance.randrange(12)}
            took = server.answered(server.ask("textDocument/hover", {"textDocument": {"uri": document.uri}, "position": place}))
            if number == 0:
                first[name] = took
            else:
                later.append((took, edited, name))
            # Until the first diagnostics are there.
            if edited and diagnostics in server.asked:
                early[name].append(took)
            # Behind a longer pause the scan goes on, which an edit has to interrupt.
            time.sleep(chance.choice(options.pauses))
            while server.hear(0) is not None:
                pass
        behind = [f"{1000 * took:.0f}" for took in early[name]]
        said = f", behind edits during the first analysis after {', '.join(behind)} ms" if behind else ""
        print(f"{name}: first hover after {1000 * first[name]:.0f} ms{said}; {server.scanned[0]} of {server.scanned[1]} units scanned, {server.memory()[0]:.0f} MB")
        report([row for row in later if row[2] == name])
    print("all files")
    report(later)
    print(f"after {time.monotonic() - begun:.0f} s {server.scanned[0]} of {server.scanned[1]} units are scanned; {server.memory()[1]:.0f} MB at the peak")
    status = server.end()
    if server.scanned[1] == 0:
        print("no unit was scanned: the server's log says why", file=sys.stderr)
        return 1
    return 1 if status or any(took > LIMIT for took, _, _ in later) else 0


def report(rows):
    """Prints how long hovers took, those behind an edit apart."""
    for what, wanted in (("hovers", False), ("hovers behind an edit", True)):
        times = sorted(took for took, edited, _ in rows if edited == wanted)
        share = lambda part: 1000 * times[min(len(times) - 1, int(part * len(times)))]  # noqa: B023, E731
        if times:
            print(f"  {len(times)} {what}: median {share(0.5):.1f} ms, 95 % {share(0.95):.1f} ms, 99 % {share(0.99):.1f} ms, longest {share(1):.1f} ms", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--linter", default="target/release/cuda-arch-lint", help="the program")
    parser.add_argument("--minutes", type=float, default=120, help="how long to send")
    parser.add_argument("--seed", type=int, default=1, help="which messages")
    parser.add_argument("--round", type=int, action="append", metavar="N", help="send this round alone")
    parser.add_argument("--arch", default="75,80,90", help="the targets")
    parser.add_argument("--growth", type=float, default=10, metavar="PERCENT", help="how much more memory the last rounds may take")
    parser.add_argument("--rest", type=float, default=0, metavar="SECONDS", help="how long to wait between rounds")
    parser.add_argument("--told", type=int, default=10, metavar="ROUNDS", help="print a line after so many rounds")
    parser.add_argument("--scan", action="store_true", help="ask while the workspace is scanned")
    parser.add_argument("--include", type=pathlib.Path, action="append", default=[], help="with --scan: where headers are")
    parser.add_argument("--cuda-path", type=pathlib.Path, help="with --scan: a toolkit, whose headers are read")
    parser.add_argument("--open", action="append", default=[], metavar="FILE", help="with --scan: a file to open, in the folder")
    parser.add_argument("--hovers", type=int, default=100, help="with --scan: how many in each file")
    seconds = lambda text: [float(one) for one in text.split(",")]  # noqa: E731
    parser.add_argument("--pauses", type=seconds, default=[0.05, 0.2, 1], metavar="SECONDS,...", help="with --scan: how long between two hovers, by chance")
    parser.add_argument("folder", type=pathlib.Path)
    options = parser.parse_args()
    options.linter = str(pathlib.Path(options.linter).resolve())
    return scan(options) if options.scan else traffic(options)


if __name__ == "__main__":
    sys.exit(main())
