#!/usr/bin/env python3
"""Makes the files of a release: archives of the program, checksums, a Homebrew formula and a conda recipe.

    release.py check PROGRAM                      run the guide's example, and the demo's project
    release.py archive TARGET PROGRAM FOLDER      PROGRAM, built for TARGET, with licences, completions and manual page
    release.py sums FOLDER                        SHA256SUMS of the files in FOLDER
    release.py manifests FOLDER                   formula and recipe, by the archives in FOLDER and its SHA256SUMS

In: Cargo.toml, which alone says name, version and place, and integrations/recipe.yaml, which alone says how conda builds the
program. Out: files that depend on these and on what was built only, not on the time or the machine. Who installs by another way
computes the names of archives too: `[package.metadata.binstall]` in Cargo.toml, and integrations/released.sh.
"""

import dataclasses
import gzip
import hashlib
import io
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PACKAGE = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))["package"]
NAME, VERSION = PACKAGE["name"], PACKAGE["version"]
DOWNLOADS = f"{PACKAGE['repository']}/releases/download/v{VERSION}"

# The sources, as `cargo package` packs them.
SOURCES = f"{NAME}-{VERSION}.tar.gz"

# The licences of what is linked into the program; the release workflow writes it before it builds.
THIRD_PARTY = "LICENSE-third-party.yml"


@dataclasses.dataclass(frozen=True)
class Target:
    """What Rust calls a target, and Homebrew its system and processor; it has none for Windows."""

    triple: str
    system: str | None = None
    processor: str | None = None

    @property
    def is_windows(self) -> bool:
        return "windows" in self.triple

    @property
    def folder(self) -> str:
        """The one folder in the archive, in which all is."""
        return f"{NAME}-{VERSION}-{self.triple}"

    @property
    def archive(self) -> str:
        return self.folder + (".zip" if self.is_windows else ".tar.gz")

    @property
    def program(self) -> str:
        return NAME + (".exe" if self.is_windows else "")


TARGETS = [
    Target("x86_64-unknown-linux-musl", "linux", "intel"),
    Target("aarch64-unknown-linux-musl", "linux", "arm"),
    Target("x86_64-apple-darwin", "macos", "intel"),
    Target("aarch64-apple-darwin", "macos", "arm"),
    Target("x86_64-pc-windows-msvc"),
]

# The guide's example, and a part of what is printed of it.
EXAMPLE = ["corpus/guide/typedef-by-pass.cu", "--arch", "80,90", "-nostdinc"]
FOUND = "2 findings (2 errors) in 1 file"

# The exit code of a run with findings.
FINDINGS = 1

COMPLETIONS = {"bash": f"{NAME}.bash", "zsh": f"_{NAME}", "fish": f"{NAME}.fish", "powershell": f"_{NAME}.ps1"}


def run(command: list[str], folder: pathlib.Path) -> tuple[int, str]:
    """The exit code, and all that is printed."""
    ran = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return ran.returncode, ran.stdout.decode("utf-8")


def check(program: str) -> None:
    """Ends with a message when the program is not of this version, or does not find what it must."""
    program = str(pathlib.Path(program).resolve())
    version = said(program, "--version").decode().split()[1]
    if version != VERSION:
        sys.exit(f"the program is {version}, Cargo.toml says {VERSION}")
    code, output = run([program, *EXAMPLE], ROOT)
    if code != FINDINGS or FOUND not in output:
        sys.exit(f"the guide's example ended with {code}:\n{output}")
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        said(program, "demo", str(folder / "bugs"))
        code, output = run([program, "code", "-nostdinc", "--format", "concise"], folder / "bugs")
        rules = [path.name for path in sorted((folder / "bugs" / "code").iterdir()) if path.is_dir()]
        missing = [rule for rule in rules if f": {rule}: " not in output]
        if code != FINDINGS or not rules or missing:
            sys.exit(f"the demo ended with {code}, without findings of {missing}:\n{output}")


def said(program: str, *arguments: str) -> bytes:
    return subprocess.run([program, *arguments], check=True, stdout=subprocess.PIPE).stdout


def contents(target: Target, program: str) -> dict[str, tuple[bytes, int]]:
    """The files of an archive with their modes. What the program prints of itself is asked of it, so it must run here."""
    program = str(pathlib.Path(program).resolve())
    files = {target.program: (pathlib.Path(program).read_bytes(), 0o755)}
    names = ["LICENSE", "README.md", "CHANGELOG.md"]
    for name in names + [THIRD_PARTY] * (ROOT / THIRD_PARTY).exists():
        files[name] = ((ROOT / name).read_bytes(), 0o644)
    for shell, name in COMPLETIONS.items():
        files[f"completions/{name}"] = (said(program, "completions", shell), 0o644)
    files[f"man/{NAME}.1"] = (said(program, "man"), 0o644)
    return files


def archive(target: Target, program: str, folder: pathlib.Path) -> pathlib.Path:
    """Without times and owners: the same program makes the same archive."""
    files = sorted(contents(target, program).items())
    path = folder / target.archive
    if target.is_windows:
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
            for name, (data, mode) in files:
                entry = zipfile.ZipInfo(f"{target.folder}/{name}")
                entry.create_system = 3  # Unix: what the mode below means.
                entry.external_attr = (0o100000 | mode) << 16
                entry.compress_type = zipfile.ZIP_DEFLATED
                out.writestr(entry, data)
        return path
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w", format=tarfile.USTAR_FORMAT) as out:
        for name, (data, mode) in files:
            entry = tarfile.TarInfo(f"{target.folder}/{name}")
            entry.size, entry.mode = len(data), mode
            out.addfile(entry, io.BytesIO(data))
    path.write_bytes(gzip.compress(plain.getvalue(), mtime=0))
    return path


def sums(folder: pathlib.Path) -> None:
    """Writes SHA256SUMS as `sha256sum` does, in the order of names."""
    files = sorted(path for path in folder.iterdir() if path.is_file() and path.name != "SHA256SUMS")
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files]
    (folder / "SHA256SUMS").write_text("".join(lines), encoding="utf-8", newline="\n")


def formula(digests: dict[str, str]) -> str:
    """The Homebrew formula. Each pair of system and processor has an archive of its own."""
    lines = [
        "class CudaArchLint < Formula",
        f'  desc "{PACKAGE["description"]}"',
        f'  homepage "{PACKAGE["repository"]}"',
        f'  version "{VERSION}"',
        f'  license "{PACKAGE["license"]}"',
    ]
    for system in ["macos", "linux"]:
        lines += ["", f"  on_{system} do"]
        for target in (target for target in TARGETS if target.system == system):
            lines += [
                f"    on_{target.processor} do",
                f'      url "{DOWNLOADS}/{target.archive}"',
                f'      sha256 "{digests[target.archive]}"',
                "    end",
            ]
        lines += ["  end"]
    lines += [
        "",
        "  def install",
        f'    bin.install "{NAME}"',
        f'    man1.install "man/{NAME}.1"',
        f'    bash_completion.install "completions/{COMPLETIONS["bash"]}" => "{NAME}"',
        f'    zsh_completion.install "completions/{COMPLETIONS["zsh"]}"',
        f'    fish_completion.install "completions/{COMPLETIONS["fish"]}"',
        "  end",
        "",
        "  test do",
        f'    system bin/"{NAME}", "demo", "bugs"',
        '    cd "bugs" do',
        f'      output = shell_output("#{{bin}}/{NAME} code -nostdinc --format concise", {FINDINGS})',
        '      assert_match "arch-dependent-signature", output',
        "    end",
        "  end",
        "end",
    ]
    return "\n".join(lines) + "\n"


def recipe(digests: dict[str, str]) -> str:
    """The recipe of the sources, but for where these are: in the release, and not in the folder above."""
    text = (ROOT / "integrations" / "recipe.yaml").read_text(encoding="utf-8")
    released = f"source:\n  url: {DOWNLOADS}/{SOURCES}\n  sha256: {digests[SOURCES]}\n"
    text, found = re.subn(r"^source:\n  path: \.\.\n", released, text, flags=re.MULTILINE)
    if found != 1 or f'version: "{VERSION}"\n' not in text:
        sys.exit(f"integrations/recipe.yaml is not of version {VERSION}, or its source is not `path: ..`")
    return text


def manifests(folder: pathlib.Path) -> None:
    lines = (folder / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
    digests = {name: digest for digest, name in (line.split("  ", 1) for line in lines)}
    missing = [name for name in [SOURCES, *(target.archive for target in TARGETS)] if name not in digests]
    if missing:
        sys.exit(f"SHA256SUMS lacks {', '.join(missing)}")
    for name, text in [(f"{NAME}.rb", formula(digests)), ("recipe.yaml", recipe(digests))]:
        (folder / name).write_text(text, encoding="utf-8", newline="\n")


def main() -> None:
    targets = {target.triple: target for target in TARGETS}
    match sys.argv[1:]:
        case ["check", program]:
            check(program)
        case ["archive", triple, program, folder] if triple in targets:
            print(archive(targets[triple], program, pathlib.Path(folder)))
        case ["sums", folder]:
            sums(pathlib.Path(folder))
        case ["manifests", folder]:
            manifests(pathlib.Path(folder))
        case _:
            sys.exit(f"{__doc__}\nTargets: {', '.join(targets)}")


if __name__ == "__main__":
    main()
