"""How `judge` grows with the number of units.

    python3 tests/scale.py --linter PROGRAM [--units 10000,30000,100000] [--folder FOLDER]

Writes a code base of small units that share headers, in link groups of a hundred units that take turns between two lists
of targets and are mixed in every tenth group, has `summarize` make its summaries, and measures `judge` on two threads: the time on the clock, that of the
processor, and the most memory. Functions of the headers depend on the architecture, one unit in fifty has a kernel whose
parameter does, and every header has a branch that no target enters. Of the summaries of the largest base the first ones
are judged alone for the smaller numbers.
"""

import argparse
import json
import os
import pathlib
import subprocess
import tempfile
import time

GROUP = 100
HEADER = """#pragma once
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#define WIDTH_{n} 16
#else
#define WIDTH_{n} 8
#endif
namespace library_{n} {{
inline __device__ int width_{n}(int x) {{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    return x * WIDTH_{n};
#else
    return x + {n};
#endif
}}
inline __host__ __device__ int twice_{n}(int x) {{ return 2 * x; }}
template <class T> __device__ T scaled_{n}(T x) {{ return x * T(WIDTH_{n}); }}
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 500
inline __device__ int old_{n}(int x) {{ return x; }}
#endif
}}
"""
UNIT = """{includes}
{odd}__global__ void run_{n}({parameter} *out, int x) {{
    out[0] = {calls};
}}
void start_{n}({parameter} *out) {{ run_{n}<<<1, 1>>>(out, {n}); }}
"""
ODD = """#ifdef __CUDA_ARCH__
typedef double number_{n};
#else
typedef float number_{n};
#endif
"""


def write(folder, units, headers):
    for n in range(headers):
        place = folder / "include" / f"part{n % 10}"
        place.mkdir(parents=True, exist_ok=True)
        (place / f"header{n}.cuh").write_text(HEADER.format(n=n))
    entries = []
    for n in range(units):
        group = n // GROUP
        # A program takes its headers from a few libraries.
        used = [(group * 7 + k * k + n % 3) % headers for k in range(6)]
        includes = "\n".join(f'#include "part{h % 10}/header{h}.cuh"' for h in dict.fromkeys(used))
        calls = " + ".join(f"library_{h}::width_{h}(x) + library_{h}::scaled_{h}(x)" for h in dict.fromkeys(used))
        odd = n % 50 == 0
        text = UNIT.format(includes=includes, n=n, calls=calls, odd=ODD.format(n=n) if odd else "",
                           parameter=f"number_{n}" if odd else "int")
        source = folder / f"group{group}" / f"unit{n}.cu"
        source.parent.mkdir(exist_ok=True)
        source.write_text(text)
        # The units of every tenth program are not compiled for the same targets.
        wide = (n if group % 10 == 0 else group) % 2
        archs = ["-gencode=arch=compute_80,code=sm_80"] + (["-gencode=arch=compute_90,code=sm_90"] if wide else [])
        out = f"build/CMakeFiles/program{group}.dir/group{group}/unit{n}.cu.o"
        entries.append({"directory": str(folder), "file": str(source), "output": out, "arguments": [
            "nvcc", "-rdc=true", *archs, f"-I{folder}/include", "-c", str(source), "-o", out]})
    (folder / "compile_commands.json").write_text(json.dumps(entries))


def measured(command, cwd):
    begin = time.time()
    process = subprocess.Popen(command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    said = process.stdout.read().decode()
    _, status, used = os.wait4(process.pid, 0)
    return said, os.waitstatus_to_exitcode(status), time.time() - begin, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--linter", required=True)
    parser.add_argument("--units", default="10000,30000,100000")
    parser.add_argument("--headers", type=int, default=400)
    parser.add_argument("--folder")
    given = parser.parse_args()
    linter = str(pathlib.Path(given.linter).resolve())
    numbers = sorted(int(number) for number in given.units.split(","))
    with tempfile.TemporaryDirectory() as made:
        folder = pathlib.Path(given.folder or made).resolve()
        summaries = folder / "summaries"
        if not summaries.exists():
            write(folder, numbers[-1], given.headers)
            said, code, clock, cpu, memory = measured(
                [linter, "summarize", ".", "-p", ".", "--isolated", "-nostdinc", "--into", "summaries", "--jobs", "2"], folder)
            print(f"summarize {numbers[-1]}: code {code}, {clock:.1f} s, {cpu:.1f} s of CPU, {memory:.0f} MiB {said[-300:]}", flush=True)
        files = sorted(summaries.glob("unit*"), key=lambda path: int(path.name.split(".")[0].removeprefix("unit")))
        size = sum(path.stat().st_size for path in files)
        print(f"{len(files)} summaries, {size / len(files) / 1024:.2f} KiB each", flush=True)
        for number in numbers:
            listed = folder / "list"
            listed.write_text("\n".join(str(path) for path in files[:number]))
            said, code, clock, cpu, memory = measured(
                [linter, "judge", f"@{listed}", "--isolated", "--jobs", "2", "--format", "json", "--timings",
                 "--output", f"sarif:{folder}/out.sarif"], folder)
            lines = [line.strip() for line in said.splitlines() if line.startswith("  ") and " s  " in line]
            print(f"judge {number}: code {code}, {clock:.1f} s, {cpu:.1f} s of CPU, {memory:.0f} MiB; "
                  f"{said.count('fingerprint')} findings", flush=True)
            if "error" in said[:200]:
                print(said[:500])


if __name__ == "__main__":
    main()
