"""The linter's list of kernels of a unit, as `dump --stage kernels` prints it.

In: the linter, a source and options. Out: the names that the target has, and what the linter says it can't tell. What code
registers with the host is written by the compiler of the target, so a kernel that only the host has is none of the list's.
"""

import json
import re
import subprocess
import typing

LAUNCHED_BY = {"cub": ("cub",), "thrust": ("cub", "thrust")}
"""For a library whose header was not found, those whose kernels a call of it may launch."""
TIMEOUT = 300
"""Seconds that the linter may take over one unit."""


class Answer(typing.NamedTuple):
    kernels: list
    """Names with template arguments, without parameters."""
    doubts: list
    """The names of the blind spots, and of instantiations with an argument that was not resolved."""
    complaint: str
    """Why there is no list, or nothing."""
    incomplete: str = ""
    """Why the linter says that any kernel may be missing, or nothing."""
    not_found: frozenset = frozenset()
    """The first words of headers that the linter says it did not find: `cub` of `<cub/cub.cuh>`."""

    def tells(self, name):
        """Something that the linter says it can't tell is about this kernel, about what its library launches, or about the
        whole unit; or a header of its library was not found."""
        is_known = any(plain(name) == plain(doubt) for doubt in self.doubts)
        is_launched = namespace(name) in launched_by(map(namespace, self.doubts))
        return bool(self.incomplete) or is_known or is_launched or self.is_in_a_header_not_found(name)

    def is_in_a_header_not_found(self, name):
        """The library that defines this kernel has headers that the linter did not find, so that its name stands in no file
        that was read."""
        return namespace(name) in launched_by(self.not_found)


def launched_by(libraries):
    """The libraries whose kernels a call of these may launch."""
    return {library for one in libraries for library in LAUNCHED_BY.get(one, ())}


def namespace(name):
    """`ns` of `ns::k<float, 3>`, or nothing."""
    return name.split("::")[0] if re.match(r"\w+::", name) else ""


def plain(name):
    """`k` of `ns::k<float, 3>`."""
    return re.sub(r"[<(].*", "", name.replace("(anonymous namespace)::", "")).split("::")[-1]


def answer(linter, source, target, options, cwd):
    """What the linter says of a unit for one target."""
    stage = ["dump", "--stage", "kernels", "--format", "json"]
    command = [linter, *stage, "--isolated", "--arch", target, *options, source]
    try:
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True, cwd=cwd, timeout=TIMEOUT)
        found = json.loads(done.stdout)
    except subprocess.TimeoutExpired:
        return Answer([], [], f"no answer in {TIMEOUT} s")
    except json.JSONDecodeError:
        return Answer([], [], f"exit status {done.returncode}: {(done.stderr.splitlines() or [''])[-1]}")
    kernels = [one for one in found["kernels"] if f"sm_{target}" in one["passes"]]
    unresolved = [one["name"] for one in found["kernels"] if not one["sure"]]
    doubts = unresolved + [spot["name"] for spot in found["blind_spots"]]
    not_found = frozenset(re.split(r"\W+", missing["header"])[1] for missing in found["headers_not_found"])
    return Answer([one["name"] for one in kernels], doubts, "", found.get("incomplete", ""), not_found)
