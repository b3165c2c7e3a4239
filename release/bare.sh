#!/usr/bin/env bash
# Runs the program of a release's archive in a root folder with nothing else in it: no C library, no Rust, no shell.
#
#     release/bare.sh ARCHIVE.tar.gz [EMULATOR]
#
# EMULATOR is a program without libraries that runs the archive's for another processor, such as Debian's qemu-aarch64-static.
# Needs root for chroot. Exit code: 0 when the guide's example and the demo have the findings that they must have.
set -euo pipefail

archive=$1 emulator=${2-}
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
tar -xzf "$archive" -C "$root" --strip-components 1
mkdir "$root/project" "$root/tmp"
cp "$(dirname "$0")/../corpus/guide/typedef-by-pass.cu" "$root/project/"
command=(/cuda-arch-lint)
if [ -n "$emulator" ]; then
  cp "$emulator" "$root/emulator"
  command=(/emulator /cuda-arch-lint)
fi

# Runs the program with the arguments from the second on; its exit code must be the first.
bare() {
  local expected=$1 code=0
  shift
  chroot "$root" "${command[@]}" "$@" || code=$?
  if [ "$code" != "$expected" ]; then
    echo "$archive: \`$*\` ended with $code, not $expected" >&2
    exit 1
  fi
}

bare 0 --version
bare 1 /project/typedef-by-pass.cu --arch 80,90
bare 0 demo /project/bugs
bare 1 /project/bugs/code --format concise
bare 1 /project/bugs/builds --format concise --output sarif:/project/report.sarif
test -s "$root/project/report.sarif"
