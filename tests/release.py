#!/usr/bin/env python3
"""Holds release/release.py, and all that installs a release, to each other: `tests/release.py PROGRAM`.

PROGRAM is a cuda-arch-lint of these sources. Archives are made of a stand-in that prints what the program is asked for, which is
quicker to pack than a program of a debug build. Nothing is downloaded.
"""

import gzip
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import textwrap
import tomllib
import unittest
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "release"))
import release  # noqa: E402

PROGRAM = ""

STAND_IN = f"""#!/bin/sh
case "$1" in
  --version) echo "{release.NAME} {release.VERSION}" ;;
  completions) echo "completions for $2" ;;
  man) echo "the manual" ;;
  *) echo "ran with $*" ;;
esac
"""


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def script(path: pathlib.Path, content: str) -> pathlib.Path:
    path.write_text(content)
    path.chmod(0o755)
    return path


class Case(unittest.TestCase):
    def setUp(self) -> None:
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)
        self.program = str(script(self.folder / "program", STAND_IN))

    def make_release(self, name: str = "release") -> pathlib.Path:
        """A folder with all archives of the stand-in, a file in place of the sources, sums and manifests."""
        folder = self.folder / name
        folder.mkdir()
        for target in release.TARGETS:
            release.archive(target, self.program, folder)
        (folder / release.SOURCES).write_bytes(b"sources")
        release.sums(folder)
        release.manifests(folder)
        return folder


class Files(Case):
    def test_the_same_program_makes_the_same_release(self) -> None:
        first = self.make_release()
        # Neither the time nor who may read the program is in an archive.
        os.utime(self.program, (1, 1))
        os.chmod(self.program, 0o700)
        second = self.make_release("again")
        names = sorted(path.name for path in first.iterdir())
        self.assertEqual(names, sorted(path.name for path in second.iterdir()))
        self.assertEqual(len(names), len(release.TARGETS) + 4)
        for name in names:
            self.assertEqual((first / name).read_bytes(), (second / name).read_bytes(), name)

    def test_another_program_makes_other_sums(self) -> None:
        first = (self.make_release() / "SHA256SUMS").read_text()
        script(pathlib.Path(self.program), STAND_IN + "# Another.\n")
        second = (self.make_release("again") / "SHA256SUMS").read_text()
        same = set(first.splitlines()) & set(second.splitlines())
        self.assertEqual([line.split("  ")[1] for line in same], [release.SOURCES])

    def test_archives_have_the_program_and_its_papers(self) -> None:
        folder = self.make_release()
        for target in release.TARGETS:
            path = folder / target.archive
            if target.is_windows:
                with zipfile.ZipFile(path) as archive:
                    modes = {one.filename: one.external_attr >> 16 & 0o777 for one in archive.infolist()}
                    program = archive.read(f"{target.folder}/{target.program}")
            else:
                self.assertEqual(gzip.open(path).read(1), target.folder[:1].encode())
                with tarfile.open(path) as archive:
                    modes = {one.name: one.mode for one in archive.getmembers()}
                    program = archive.extractfile(f"{target.folder}/{target.program}").read()
                    owners = {(one.uid, one.gid, one.mtime) for one in archive.getmembers()}
                    self.assertEqual(owners, {(0, 0, 0)})
            self.assertEqual(program, pathlib.Path(self.program).read_bytes())
            self.assertEqual(modes.pop(f"{target.folder}/{target.program}"), 0o755)
            self.assertEqual(set(modes.values()), {0o644})
            for name in ["LICENSE", "man/cuda-arch-lint.1", "completions/_cuda-arch-lint"]:
                self.assertIn(f"{target.folder}/{name}", modes)

    def test_sums_are_those_of_sha256sum(self) -> None:
        folder = self.make_release()
        for line in (folder / "SHA256SUMS").read_text().splitlines():
            digest, name = line.split("  ")
            self.assertEqual(digest, hashlib.sha256((folder / name).read_bytes()).hexdigest())

    def test_manifests_name_what_is_there(self) -> None:
        folder = self.make_release()
        sums = dict(reversed(line.split("  ")) for line in (folder / "SHA256SUMS").read_text().splitlines())
        formula = (folder / "cuda-arch-lint.rb").read_text()
        pairs = re.findall(r'on_(\w+) do\n +url "(.*)"\n +sha256 "(.*)"', formula)
        self.assertEqual(len(pairs), len([target for target in release.TARGETS if target.system]))
        for processor, url, digest in pairs:
            place, name = url.rsplit("/", 1)
            self.assertEqual(place, release.DOWNLOADS)
            self.assertEqual(sums[name], digest)
            self.assertIn({"intel": "x86_64", "arm": "aarch64"}[processor], name)
        recipe = (folder / "recipe.yaml").read_text()
        source = f"source:\n  url: {release.DOWNLOADS}/{release.SOURCES}\n  sha256: {sums[release.SOURCES]}\n"
        self.assertIn(source, recipe)
        # The recipe in the tree is the only other place that says how conda builds.
        self.assertEqual(recipe.replace(source, "source:\n  path: ..\n"), text("integrations/recipe.yaml"))

    def test_a_release_that_lacks_an_archive_has_no_manifests(self) -> None:
        folder = self.make_release()
        (folder / release.TARGETS[1].archive).unlink()
        release.sums(folder)
        with self.assertRaises(SystemExit) as ended:
            release.manifests(folder)
        self.assertIn(release.TARGETS[1].archive, str(ended.exception))


class Agreement(Case):
    def test_cargo_binstall_computes_the_names_of_the_archives(self) -> None:
        settings = release.PACKAGE["metadata"]["binstall"]
        for target in release.TARGETS:
            of_target = {**settings, **settings["overrides"].get(target.triple, {})}
            values = {"name": release.NAME, "version": release.VERSION, "target": target.triple, "bin": release.NAME}
            values |= {"repo": release.PACKAGE["repository"], "binary-ext": ".exe" if target.is_windows else ""}
            expand = lambda template: re.sub(r"\{ (.*?) \}", lambda found: values[found[1]], template)  # noqa: E731
            self.assertEqual(expand(of_target["pkg-url"]), f"{release.DOWNLOADS}/{target.archive}")
            self.assertEqual(expand(of_target["bin-dir"]), f"{target.folder}/{target.program}")
            self.assertEqual(of_target["pkg-fmt"], "zip" if target.is_windows else "tgz")

    def test_the_workflow_builds_the_targets(self) -> None:
        built = re.findall(r"\{ target: (\S+), runner: (\S+) \}", text(".github/workflows/release.yml"))
        self.assertEqual([triple for triple, _ in built], [target.triple for target in release.TARGETS])

    def test_what_is_said_of_the_package_is_what_cargo_says(self) -> None:
        recipe = text("integrations/recipe.yaml")
        for key, value in [("homepage", "repository"), ("summary", "description"), ("license", "license")]:
            self.assertIn(f"  {key}: {release.PACKAGE[value]}\n", recipe)
        python = tomllib.loads(text("pyproject.toml"))["project"]
        for key in ["name", "description", "license", "keywords"]:
            self.assertEqual(python[key], release.PACKAGE[key])

    def test_the_hooks_that_are_named_exist(self) -> None:
        hooks = re.findall(r"^- id: (\S+)", text(".pre-commit-hooks.yaml"), re.MULTILINE)
        named = set()
        for page in ["integrations/released.sh", "integrations/README.md"]:
            named |= set(re.findall(r"cuda-arch-lint-(?:source|installed)\b", text(page)))
        self.assertTrue(named and named <= set(hooks), (named, hooks))
        for entry in re.findall(r"entry: (integrations/\S+)", text(".pre-commit-hooks.yaml")):
            self.assertTrue(os.access(ROOT / entry, os.X_OK), entry)

    def test_the_version_that_pages_name_is_this_one(self) -> None:
        revisions = re.findall(r"rev: v(\S+)", text("integrations/README.md"))
        self.assertEqual(set(revisions), {release.VERSION})


class Check(Case):
    def test_this_program_passes(self) -> None:
        release.check(PROGRAM)

    def test_a_program_that_finds_nothing_does_not(self) -> None:
        with self.assertRaises(SystemExit) as ended:
            release.check(self.program)
        self.assertIn("the guide's example ended with 0", str(ended.exception))

    def test_a_program_of_another_version_does_not(self) -> None:
        other = script(self.folder / "other", f"#!/bin/sh\necho {release.NAME} 9.9.9\n")
        with self.assertRaises(SystemExit) as ended:
            release.check(str(other))
        self.assertIn("9.9.9", str(ended.exception))


class Released(Case):
    """integrations/released.sh, on each system: `uname` and the releases are stand-ins."""

    def setUp(self) -> None:
        super().setUp()
        made = self.make_release()
        self.releases = self.folder / "releases"
        self.releases.mkdir()
        made.rename(self.releases / f"v{release.VERSION}")
        self.here = self.releases / f"v{release.VERSION}"
        self.cache = self.folder / "a cache"

    def run_on(self, system: str, machine: str, *arguments: str, **variables: str) -> subprocess.CompletedProcess:
        names = self.folder / "bin"
        names.mkdir(exist_ok=True)
        script(names / "uname", f'#!/bin/sh\nif [ "$1" = -s ]; then echo "{system}"; else echo "{machine}"; fi\n')
        if shutil.which("unzip") is None:
            unzip = f"#!{sys.executable}\nimport pathlib, sys, zipfile\n_, _, archive, _, folder = sys.argv\n"
            unzip += "zipfile.ZipFile(archive).extractall(folder)\n"
            script(names / "unzip", unzip + "[p.chmod(0o755) for p in pathlib.Path(folder).rglob('*.exe')]\n")
        own = {"PATH": f"{names}:{os.environ['PATH']}", "CUDA_ARCH_LINT_CACHE": str(self.cache)}
        own["CUDA_ARCH_LINT_DOWNLOADS"] = self.releases.as_uri()
        command = [str(ROOT / "integrations" / "released.sh"), *arguments]
        return subprocess.run(command, env={**os.environ, **own, **variables}, capture_output=True, text=True)

    def kept(self) -> list[str]:
        return sorted(path.name for path in self.cache.iterdir()) if self.cache.exists() else []

    def test_each_system_gets_its_archive_once(self) -> None:
        systems = [("Linux", "x86_64"), ("Linux", "aarch64"), ("Darwin", "x86_64"), ("Darwin", "arm64")]
        systems.append(("MINGW64_NT-10.0-26100", "x86_64"))
        for (system, machine), target in zip(systems, release.TARGETS, strict=True):
            ran = self.run_on(system, machine, "check", "a b")
            self.assertEqual((ran.returncode, ran.stdout), (0, "ran with check a b\n"), ran.stderr)
            self.assertIn(target.folder, self.kept())
        self.assertEqual(self.kept(), sorted(target.folder for target in release.TARGETS))
        shutil.rmtree(self.releases)
        ran = self.run_on("Linux", "x86_64", "again")
        self.assertEqual((ran.returncode, ran.stdout), (0, "ran with again\n"), ran.stderr)

    def test_a_system_without_a_release_is_told_what_to_do(self) -> None:
        for system, machine in [("FreeBSD", "amd64"), ("Linux", "riscv64")]:
            ran = self.run_on(system, machine, "check")
            self.assertEqual((ran.returncode, ran.stdout), (2, ""))
            self.assertIn(f"there is no released program for {system} on {machine}", ran.stderr)
            self.assertIn("cargo install --path .", ran.stderr)
        self.assertEqual(self.kept(), [])

    def test_an_archive_that_was_changed_is_not_run(self) -> None:
        archive = self.here / release.TARGETS[0].archive
        archive.write_bytes(archive.read_bytes() + b"more")
        ran = self.run_on("Linux", "x86_64", "check")
        self.assertEqual((ran.returncode, ran.stdout), (2, ""))
        self.assertIn("is not what SHA256SUMS says", ran.stderr)
        self.assertEqual(self.kept(), [])

    def test_a_version_that_was_not_released_is_named(self) -> None:
        ran = self.run_on("Linux", "x86_64", "check", CUDA_ARCH_LINT_VERSION="v9.9.9")
        self.assertEqual((ran.returncode, ran.stdout), (2, ""))
        self.assertIn("cuda-arch-lint 9.9.9: no release at", ran.stderr)
        self.assertEqual(self.kept(), [])


class Action(Case):
    """The step of action.yml that runs the program, with one that prints its arguments."""

    def run_step(self, **inputs: str) -> list[str]:
        after = text("action.yml").split("- id: lint\n")[1].split("run: |\n")[1]
        lines = []
        for line in after.splitlines():
            if line and not line.startswith(" " * 8):
                break
            lines.append(line)
        program = script(self.folder / "lint", '#!/bin/sh\nfor word; do echo "<$word>"; done\n')
        own = {"PROGRAM": str(program), "PATHS": "", "ARGS": "", "SARIF": "s.sarif", "CATEGORY": "c", **inputs}
        own["GITHUB_OUTPUT"] = str(self.folder / "output")
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", textwrap.dedent("\n".join(lines))]
        ran = subprocess.run(command, env={**os.environ, **own}, cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertEqual((self.folder / "output").read_text().splitlines()[-1], "exit-code=0")
        return [word[1:-1] for word in ran.stdout.splitlines()]

    def test_blank_arguments_are_none(self) -> None:
        for blank in ["", " ", "\n", " \t\n "]:
            words = self.run_step(ARGS=blank)
            self.assertEqual(words[-3:], ["sarif:s.sarif", "--", "."], repr(blank))

    def test_quoted_arguments_stay_together_and_nothing_is_expanded(self) -> None:
        words = self.run_step(ARGS='--exclude "a b/" $(date) *', PATHS="src\n\nmore sources\n")
        self.assertEqual(words[-7:], ["--exclude", "a b/", "$(date)", "*", "--", "src", "more sources"])
        self.assertNotIn("", words)

    def test_a_configuration_names_the_paths(self) -> None:
        (self.folder / "cuda-arch-lint.toml").write_text("")
        self.assertEqual(self.run_step()[-1], "--")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    PROGRAM = sys.argv.pop(1)
    unittest.main()
