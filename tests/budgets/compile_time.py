#!/usr/bin/env python3
"""What a call in float costs the compiler beside one product of Eigen matrices, which is compiled in
turn with it: seconds of processor time, memory, and the size of its code. Fails where a figure is
above its budget by more than a quarter, as machines are noisy.

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
auto result(const xt::xarray<float>& a, const xt::xarray<float>& b) {
    return xeinsum::einsum<"EQUATION">(OPERANDS);
}
"""
SLACK = 1.25
# What is compiled, which figure, its budget and what it is meant to become. Eigen's file is nearly all
# parsing, ours mostly optimising: seconds of a product are less by a fifth on a Zen 3 than on a Zen 5.
BUDGETS = [
    ("xeinsum.hpp", "ij,jk->ik", "seconds", 3.2, 3.0),
    ("xeinsum.hpp", "ij,jk->ik", "memory", 1.4, 1.3),
    ("xeinsum.hpp", "ij,jk->ik", "code", 180, 180),
    ("xeinsum.hpp", "ij,j->i", "seconds", 1.8, 1.7),
    ("xeinsum.hpp", "ij,j->i", "code", 60, 60),
    ("xeinsum.hpp", "ij->i", "code", 108, 100),
    ("xeinsum.hpp", "i,j->ij", "code", 77, 75),
    ("compiled.hpp", "ij,jk->ik", "seconds", 0.9, 0.8),
    ("compiled.hpp", "ij,jk->ik", "code", 15, 15),
]


def main():
    include, eigen = sys.argv[1:3]
    runs = int(sys.argv[3]) if len(sys.argv) > 3 else 2
    command = sys.argv[4:] or ["g++", "-O2", "-march=skylake-avx512"]
    command += ["-std=c++20", "-isystem", include, "-isystem", eigen]
    calls = dict.fromkeys((header, equation) for header, equation, _, _, _ in BUDGETS)
    found = {row: [] for row in BUDGETS}
    for _ in range(runs):
        product = compiled(PRODUCT, command)
        for header, equation in calls:
            operands = "a, b" if "," in equation else "a"
            source = CALL.replace("HEADER", header).replace("EQUATION", equation)
            call = compiled(source.replace("OPERANDS", operands), command)
            for row in BUDGETS:
                if row[:2] == (header, equation):
                    beside = 1 if row[2] == "code" else product[row[2]]
                    found[row].append(call[row[2]] / beside)
    failed = False
    print(f"{'':34}{'found':>8}{'budget':>8}{'aim':>8}")
    for row, figures in found.items():
        header, equation, what, budget, aim = row
        figure = statistics.median(figures)
        unit = " KiB" if what == "code" else " x Eigen"
        over = figure > SLACK * budget
        failed = failed or over
        print(f"{header:13}{equation:11}{what:10}{figure:8.1f}{budget:8}{aim:8}{unit}"
              f"{'  too much' if over else ''}")
    sys.exit(1 if failed else 0)


main()
