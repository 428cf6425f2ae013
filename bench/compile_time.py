#!/usr/bin/env python3
"""What einsum<"ij,jk->ik">(a, b) costs the compiler: seconds of CPU and peak memory of translation
units that include the library, for any machine and for this one, and call it with 1 to 32 equations
of 2 to 8 axes. Prints tables and writes a chart; each figure is the least of several runs.

usage: compile_time.py INCLUDE CHART.svg [RUNS [COMPILER [FLAGS...]]]

By default 3 runs of c++ -O2 -march=native.
"""

import itertools
import sys

from compiler import compiled

BASE = """\
#if __has_include(<xtensor/containers/xarray.hpp>)
#include <xtensor/containers/xarray.hpp>
#include <xtensor/containers/xfixed.hpp>
#include <xtensor/containers/xtensor.hpp>
#else
#include <xtensor/xarray.hpp>
#include <xtensor/xfixed.hpp>
#include <xtensor/xtensor.hpp>
#endif
"""
INCLUDES = ["xsimd/xsimd.hpp", "xeinsum/xeinsum.hpp", "xeinsum/compiled.hpp"]
COUNTS = [1, 2, 4, 8, 16, 32]
RANKS = [2, 4, 6, 8]
COLOURS = {"xeinsum.hpp": "#d4351c", "compiled.hpp": "#1d70b8"}


def equations(rank, count):
    """Different equations of two operands and a result of the same rank: batch labels, then a
    product of matrices whose axes come in another order each time."""
    batch = "abcdefgh"[:rank - 2]
    orders = itertools.product(["ij", "ji"], ["jk", "kj"], ["ik", "ki"], ["ijk", "xyz", "uvw", "rst"])
    for lhs, rhs, out, names in itertools.islice(orders, count):
        spelt = str.maketrans("ijk", names)
        yield f"{batch}{lhs},{batch}{rhs}->{batch}{out}".translate(spelt)


def calls(header, rank, count):
    text = BASE + f"#include <xeinsum/{header}>\n"
    array = f"xt::xtensor<float, {rank}>"
    for n, equation in enumerate(equations(rank, count)):
        text += (f"void call_{n}({array}& out, const {array}& a, const {array}& b) {{\n"
                 f"    xeinsum::einsum_to<\"{equation}\">(out, a, b);\n}}\n")
    return text


class Compiler:
    def __init__(self, include, runs, command):
        self.command = command + ["-std=c++20", "-isystem", include]
        self.runs = runs

    def __call__(self, text):
        """Least seconds of CPU, and mebibytes, of compiling a text."""
        all_runs = [compiled(text, self.command) for _ in range(self.runs)]
        return tuple(min(run[what] for run in all_runs) for what in ("seconds", "memory"))


def chart(points, baseline):
    """points: (header, count) -> seconds."""
    width, height, margin = 620, 380, 55
    top = max(points.values()) * 1.1

    def x(count):
        return margin + count / COUNTS[-1] * (width - 2 * margin)

    def y(seconds):
        return height - margin - seconds / top * (height - 2 * margin)

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
           'font-family="sans-serif" font-size="12">',
           f'<rect width="{width}" height="{height}" fill="white"/>']
    step = 5 if top > 10 else 1
    for seconds in range(0, int(top) + 1, step):
        out.append(f'<path d="M{margin} {y(seconds):.1f}H{width - margin}" stroke="#ddd"/>'
                   f'<text x="{margin - 6}" y="{y(seconds) + 4:.1f}" text-anchor="end">{seconds}</text>')
    for count in [0] + COUNTS:
        out.append(f'<text x="{x(count):.1f}" y="{height - margin + 18}" text-anchor="middle">{count}</text>')
    out.append(f'<path d="M{margin} {y(baseline):.1f}H{width - margin}" stroke="black" stroke-dasharray="4"/>'
               f'<text x="{width - margin}" y="{y(baseline) - 5:.1f}" text-anchor="end">xtensor alone</text>')
    for row, (header, colour) in enumerate(COLOURS.items()):
        line = " ".join(f"{x(c):.1f},{y(points[header, c]):.1f}" for c in [0] + COUNTS)
        out.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>'
                   f'<path d="M{margin + 15} {margin - 15 + 18 * row}h18" stroke="{colour}" stroke-width="2"/>'
                   f'<text x="{margin + 40}" y="{margin - 11 + 18 * row}">{header}</text>')
    out.append(f'<text x="{width / 2}" y="{height - 12}" text-anchor="middle">equations in a file, '
               'of three matrices each; 0: the include alone</text>'
               f'<text x="16" y="{height / 2}" text-anchor="middle" '
               f'transform="rotate(-90 16 {height / 2})">seconds of CPU</text></svg>')
    return "\n".join(out) + "\n"


def includes(include, runs, command):
    """What headers cost beyond those of xtensor, without any call."""
    measure = Compiler(include, runs, command)
    baseline, memory = measure(BASE)
    print(f"{' '.join(command):40} {'seconds':>8} {'beyond':>6} {'MiB':>6}")
    print(f"{'xtensor alone':40} {baseline:8.2f} {'':6} {memory:6.0f}")
    for header in INCLUDES:
        seconds, memory = measure(f"{BASE}#include <{header}>\n")
        print(f"{header:40} {seconds:8.2f} {seconds - baseline:6.2f} {memory:6.0f}")
    print()


def main(include, picture, runs=3, *command):
    native = list(command) or ["c++", "-O2", "-march=native"]
    for flags in ([part for part in native if not part.startswith("-march")], native):
        includes(include, int(runs), flags)
    measure = Compiler(include, int(runs), native)
    baseline, memory = measure(BASE)
    print(f"{'file':40} {'seconds':>8} {'each':>6} {'MiB':>6}")
    print(f"{'xtensor alone':40} {baseline:8.2f} {'':6} {memory:6.0f}")
    points = {}
    for header in COLOURS:
        before = 0
        for count in [0] + COUNTS:
            seconds, memory = measure(calls(header, 2, count))
            points[header, count] = seconds
            each = f"{(seconds - points[header, before]) / (count - before):6.2f}" if count > 1 else ""
            print(f"{f'{header}, {count} equations':40} {seconds:8.2f} {each:6} {memory:6.0f}")
            before = count
    for rank in RANKS:
        seconds, memory = measure(calls("compiled.hpp", rank, 8))
        print(f"{f'compiled.hpp, 8 equations of rank {rank}':40} {seconds:8.2f} {'':6} {memory:6.0f}")
    with open(picture, "w", encoding="utf-8") as f:
        f.write(chart(points, baseline))


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
