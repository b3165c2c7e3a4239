#!/usr/bin/env bash
# Runs the released program with the arguments given, and downloads it when it is not there yet:
#
#     integrations/released.sh check src/
#
# In: the version in Cargo.toml beside this folder, or that in CUDA_ARCH_LINT_VERSION; the machine, by `uname`. The archive is
# compared with the release's SHA256SUMS and kept in the user's cache (CUDA_ARCH_LINT_CACHE). CUDA_ARCH_LINT_DOWNLOADS names a
# mirror of the releases. Needs curl, tar (unzip on Windows) and one of sha256sum and shasum.
# Exit code: the program's; 2 without the program, and standard error says what to do instead.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
of_package() { sed -n "s/^$1 = \"\(.*\)\"/\1/p" "$root/Cargo.toml" | head -n 1; }
version=${CUDA_ARCH_LINT_VERSION:-$(of_package version)}
version=${version#v}
downloads=${CUDA_ARCH_LINT_DOWNLOADS:-$(of_package repository)/releases/download}

fail() {
  echo "cuda-arch-lint $version: $1" >&2
  echo "Without a released program: build it with Rust (\`cargo install --path .\` in a clone), and take it from the PATH (the" >&2
  echo "pre-commit hook \`cuda-arch-lint-installed\`), or have it built (the hook \`cuda-arch-lint-source\`; the action with" >&2
  echo "\`version: source\`)." >&2
  exit 2
}

suffix=.tar.gz program=cuda-arch-lint
case "$(uname -s) $(uname -m)" in
  "Linux x86_64" | "Linux amd64") target=x86_64-unknown-linux-musl ;;
  "Linux aarch64" | "Linux arm64") target=aarch64-unknown-linux-musl ;;
  "Darwin x86_64") target=x86_64-apple-darwin ;;
  "Darwin arm64") target=aarch64-apple-darwin ;;
  # Git's and MSYS2's shells. Windows on 64-bit ARM runs programs for x86-64.
  MINGW*" x86_64" | MSYS*" x86_64" | MINGW*" aarch64" | MSYS*" aarch64")
    target=x86_64-pc-windows-msvc suffix=.zip program=cuda-arch-lint.exe
    ;;
  *) fail "there is no released program for $(uname -s) on $(uname -m)" ;;
esac

name=cuda-arch-lint-$version-$target
cache=${CUDA_ARCH_LINT_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/cuda-arch-lint}
cache=${cache//\\//}

sum_of() { if command -v sha256sum >/dev/null; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -d ' ' -f 1; }
get() { curl --fail --silent --show-error --location --retry 3 --retry-connrefused --output "$2" "$1"; }

# Installs into a folder of its own first: two runs at once do no harm, and a download that breaks off leaves nothing.
install() {
  local place archive expected
  mkdir -p "$cache"
  place=$(mktemp -d "$cache/download.XXXXXX")
  # Expanded here, while `place` is known.
  # shellcheck disable=SC2064
  trap "rm -rf '$place'" EXIT
  archive=$name$suffix
  get "$downloads/v$version/SHA256SUMS" "$place/SHA256SUMS" || fail "no release at $downloads/v$version"
  expected=$(sed -n "s/  $archive\$//p" "$place/SHA256SUMS")
  [ -n "$expected" ] || fail "the release has no $archive"
  get "$downloads/v$version/$archive" "$place/$archive" || fail "$archive could not be downloaded"
  [ "$(sum_of "$place/$archive")" = "$expected" ] || fail "$archive is not what SHA256SUMS says"
  if [ "$suffix" = .zip ]; then
    unzip -q "$place/$archive" -d "$place"
  else
    tar -xzf "$place/$archive" -C "$place"
  fi
  # Another run may have been faster; its program is the same.
  [ -d "$cache/$name" ] || mv "$place/$name" "$cache/$name" 2>/dev/null || [ -d "$cache/$name" ]
  rm -rf "$place"
  trap - EXIT
}

if [ ! -x "$cache/$name/$program" ]; then install; fi
exec "$cache/$name/$program" "$@"
