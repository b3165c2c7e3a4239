#!/usr/bin/env python3
"""What the program takes for hostile files: memory, seconds, and how it ends.

    HOSTILE=$PWD/target/hostile cargo test --lib artifact::hostile:: && tests/hostile.py [--linter PATH] [--most MB] target/hostile

The tests leave their catalogue of hostile files there. Each is audited alone, and so are four bombs, which this makes:
a library of two gibibytes of zeros in a wheel, the same compressed twice, a wheel of 20,000 members, and a fatbin of
images that are as large as one may be.

Exit status: 0 when no audit took more than `--most` megabytes (default: 150) or 20 seconds, and none ended by a signal.
The fatbin may take what one of its images has besides, and not what several have.
"""

import argparse
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import time
import zipfile

LIMIT = 20
# The bytes of the largest image that is read.
LARGEST = 1 << 28
# The exit statuses that the program documents.
STATUSES = {0, 1, 2, 3}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--linter", default="target/debug/cuda-arch-lint", help="the program")
    parser.add_argument("--most", type=int, default=150, metavar="MB", help="resident megabytes that an audit may take")
    parser.add_argument("catalogue", type=pathlib.Path, help="the directory that the tests left")
    options = parser.parse_args()
    files = sorted(options.catalogue.iterdir())
    with tempfile.TemporaryDirectory() as scratch:
        made = bombs(pathlib.Path(scratch))
        rows = [(file.name, *audited(options.linter, file)) for file in files + made]
    most = {"images.fatbin": options.most + LARGEST / 1e6}
    wrong = [row for row in rows if row[1] not in STATUSES or row[2] > most.get(row[0], options.most) or row[3] > LIMIT]
    for name, status, memory, seconds in wrong:
        print(f"WRONG {name}: exit status {status}, {memory:.0f} MB, {seconds:.1f} s")
    name, _, memory, _ = max(rows, key=lambda row: row[2])
    slowest = max(rows, key=lambda row: row[3])
    print(f"{len(rows)} hostile files: at most {memory:.0f} MB ({name}) and {slowest[3]:.1f} s ({slowest[0]})")
    return 1 if wrong or len(rows) < 60 else 0


def bombs(directory):
    wheel = directory / "zeros.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        with archive.open("lib.so", "w", force_zip64=True) as member:
            member.write(b"\x7fELF")
            for _ in range(2048):
                member.write(bytes(1 << 20))
    twice = directory / "twice.whl"
    with zipfile.ZipFile(twice, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        archive.write(wheel, "inner.whl")
    many = directory / "members.whl"
    with zipfile.ZipFile(many, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(20_000):
            archive.writestr(f"{number}.so", b"\x7fELF\x02\x01\x01")
    images = directory / "images.fatbin"
    # An LZ4 block of zeros: one, then a match of all but the last five, the length of which goes on by 255s.
    more, left = divmod(LARGEST - 1 - 5 - 19, 255)
    block = b"\x1f\0\1\0" + b"\xff" * more + bytes([left]) + b"\x50" + bytes(5)
    padding = bytes(-len(block) % 8)
    head = struct.pack("<HHIQIIHHIIIQQQ", 2, 0x101, 64, len(block + padding), len(block), 0, 8, 8, 90, 0, 0, 0x2011, 0, LARGEST)
    entries = (head + block + padding) * 8
    images.write_bytes(struct.pack("<IHHQ", 0xBA55ED50, 1, 16, len(entries)) + entries)
    return [wheel, twice, many, images]


def audited(linter, file):
    """(exit status, the most megabytes that were resident, seconds)"""
    start = time.monotonic()
    child = subprocess.Popen([linter, "audit", "--isolated", str(file)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    return child.returncode, used.ru_maxrss / 1e3, time.monotonic() - start


if __name__ == "__main__":
    sys.exit(main())
