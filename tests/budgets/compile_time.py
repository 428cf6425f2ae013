#!/usr/bin/env python3
"""What a call of "ij,jk->ik" in float costs the compiler beside one product of Eigen matrices, which
is compiled in turn with it: seconds of processor time, memory, and the size of its code. Fails where
a figure is above its budget by more than a quarter, as machines are noisy.

usage: compile_time.py INCLUDE EIGEN [RUNS [COMPILER [FLAGS...]]]

By default 2 runs of g++ -O2 -march=skylake-avx512: the most kernels, on any machine.
"""

import pathlib
import statistics
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "bench"))
from compiler import compiled

PRODUCT = """\
#include <Eigen/Dense>
Eigen::MatrixXf product(const Eigen::MatrixXf& a, const Eigen::MatrixXf& b) { return a * b; }
"""
CALL = """\
#include <xeinsum/HEADER>
xt::xtensor<float, 2> product(const xt::xtensor<float, 2>& a, const xt::xtensor<float, 2>& b) {
    return xeinsum::einsum<"ij,jk->ik">(a, b);
}
"""
SLACK = 1.25
# What is compiled, which figure, its budget and what it is meant to become. Eigen's file is nearly all
# parsing, ours mostly optimising: its seconds are 3.5 x Eigen on a Zen 3 and 4.4 to 4.8 on a Zen 5.
BUDGETS = [
    ("xeinsum.hpp", "seconds", 4.4, 3.0),
    ("xeinsum.hpp", "memory", 1.4, 1.3),
    ("xeinsum.hpp", "code", 280, 200),
    ("compiled.hpp", "seconds", 0.85, 0.8),
    ("compiled.hpp", "code", 15, 15),
]


def main():
    include, eigen = sys.argv[1:3]
    runs = int(sys.argv[3]) if len(sys.argv) > 3 else 2
    command = sys.argv[4:] or ["g++", "-O2", "-march=skylake-avx512"]
    command += ["-std=c++20", "-isystem", include, "-isystem", eigen]
    found = {(header, what): [] for header, what, _, _ in BUDGETS}
    for _ in range(runs):
        product = compiled(PRODUCT, command)
        for header in dict.fromkeys(h for h, _, _, _ in BUDGETS):
            call = compiled(CALL.replace("HEADER", header), command)
            for of, what in found:
                if of == header:
                    beside = 1 if what == "code" else product[what]
                    found[of, what].append(call[what] / beside)
    failed = False
    print(f"{'':24}{'found':>8}{'budget':>8}{'aim':>8}")
    for header, what, budget, aim in BUDGETS:
        figure = statistics.median(found[header, what])
        unit = " KiB" if what == "code" else " x Eigen"
        over = figure > SLACK * budget
        failed = failed or over
        print(f"{header:13}{what:11}{figure:8.1f}{budget:8}{aim:8}{unit}{'  too much' if over else ''}")
    sys.exit(1 if failed else 0)


main()
