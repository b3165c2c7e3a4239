"""How nvcc is called for a unit of the corpus: what its `//@` lines say, as options.

In: a unit. Out: its settings, its targets, and nvcc's options but for those that name targets. Knows nothing of what is
done with what nvcc makes.
"""

import re

import passes


def settings_of(unit):
    """(what the `//@` lines of a unit say, by word; its targets, less AMD's GPUs, which are not nvcc's to compile for)"""
    settings = {}
    for line in unit.read_text().splitlines():
        if line.startswith("//@"):
            key, _, value = line[3:].partition(":")
            settings.setdefault(key.strip(), []).append(value.strip())
    targets = settings.get("targets", [passes.DEFAULT_TARGETS])[0].split(",")
    return settings, [target for target in targets if not target.startswith("gfx")]


def options_of(root, unit, settings, rdc):
    """nvcc's options for a unit of the case in the directory `root`; `rdc` is `true` or `false`."""
    made = [f"-std={settings.get('std', ['c++17'])[0]}", f"-rdc={rdc}"]
    made += [f"-I{root / directory}" for directory in settings.get("include", [])]
    made += [f"-D{define}" for define in settings.get("define", [])]
    if re.search(r"\]\s*(\([^)]*\)\s*)?__(device|host)__", unit.read_text()):
        made.append("--extended-lambda")
    return made
