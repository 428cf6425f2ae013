#!/usr/bin/env python3
"""Turns what bench_peers has measured into the tables of two pages and a roofline plot: a case such as
"ij,jk->ik" is a row of ratios there and a dot here, at its flops per byte and its flops per second.

usage: report.py MEASURED.json README.md PERFORMANCE.md PLOT.svg
"""

import html
import json
import math
import statistics
import sys

# README's table: columns beside xeinsum's own figures, and rows. No extents stand for all of an equation.
README_PEERS = ["copy", "OpenBLAS", "oneDNN", "torch"]
README_ROWS = {
    "ij,jk->ik": ["1024x1024,1024x1024"],
    "nctw,cd->ndtw": [],
    "nkctv,kvw->nctw": [],
    "bqhd,bkhd->bhqk": ["2x512x12x64,2x512x12x64"],
    "bld,bln,bld->bldn": [],
    "bdn,bn->bd": [],
}
# The table of docs/performance.md.
PEERS = ["aligned", "copy", "loops", "xtensor", "OpenBLAS", "oneDNN", "torch"]
ROWS = {
    "ij,jk->ik": ["16x16,16x16", "32x32,32x32", "64x64,64x64", "256x256,256x256", "1024x1024,1024x1024",
                  "16x2048,2048x2048"],
    "ij,kj->ik": ["8x2048,2048x2048"],
    "nctw,cd->ndtw": [],
    "nkctv,kvw->nctw": [],
    "nkctv,kcvw->nctw": [],
    "bhnm,bdhm->bdhn": [],
    "bqhd,bkhd->bhqk": ["2x512x12x64,2x512x12x64"],
    "bhqk,bkhd->bqhd": ["2x12x512x512,2x512x12x64"],
    "bij,bjk->bik": ["10000x16x16,10000x16x16"],
    "bld,dn->bldn": [],
    "bld,bln,bld->bldn": [],
    "bdn,bn->bd": [],
    "zabcde,zabcdef->zcdef": [],
    "bchw,bchw->bc": ["32x256x14x14,32x256x14x14"],
    "bhwc,bhwc->bc": [],
    "nchw->nhwc": ["8x64x56x56"],
    "ij->ji": ["4096x4096"],
    "ijk->kji": [],
    "abcdef->fedcba": [],
}
BEGIN, END = "<!-- measured -->\n", "<!-- end of measured -->\n"
COLOURS = {"xeinsum": "#d4351c", "OpenBLAS": "#1d70b8", "oneDNN": "#00703c", "torch": "#912b88"}


def contestants(case):
    return {c["name"]: c["seconds"] for c in case["contestants"] if c["seconds"] and not c["wrong"]}


def ratio(mine, other):
    """Median over the rounds, as bench_peers prints it."""
    return statistics.median(o / m for m, o in zip(mine, other))


def short(x):
    return f"{x:.0f}" if x >= 100 else f"{x:.3g}"


def table(cases, peers, rows):
    lines = ["| equation, extents (float) | us | GFLOP/s | GB/s | " + " | ".join(peers) + " |",
             "|---|" + "---:|" * (3 + len(peers))]
    for equation, shapes in rows.items():
        for case in cases:
            text, extents, element = case["case"].split("/")
            if text != equation or element != "f32" or (shapes and extents not in shapes):
                continue
            seconds = contestants(case)
            mine = seconds["xeinsum"]
            median = statistics.median(mine)
            flops = short(1e-9 * case["flops"] / median) if case["flops"] else "-"
            cells = [f"`{equation}` {extents.replace(',', ', ')}", short(1e6 * median), flops,
                     short(1e-9 * case["bytes"] / median)]
            cells += [short(ratio(mine, seconds[p])) if p in seconds else "-" for p in peers]
            lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def write_table(path, lines):
    with open(path, encoding="utf-8") as f:
        text = f.read()
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    with open(path, "w", encoding="utf-8") as f:
        f.write(before + BEGIN + lines + END + after)


def dots_of(cases):
    """Name, case, flops per byte and flops per second of each dot; and the bandwidth in bytes per second."""
    dots = []
    bandwidth = 0
    for case in cases:
        seconds = contestants(case)
        if case["case"].endswith("/f32") and case["bytes"] >= 16 << 20 and "triad" in seconds:
            bandwidth = max(bandwidth, case["bytes"] / statistics.median(seconds["triad"]))
        if case["case"].endswith("/f32") and case["flops"]:
            dots += [(name, case["case"], case["flops"] / case["bytes"],
                      case["flops"] / statistics.median(seconds[name]))
                     for name in COLOURS if name in seconds]
    return dots, bandwidth


def place(x, y, width, height, taken):
    """Where a text of that size is nearest to a dot and covers nothing."""
    for distance in range(4, 80, 2):
        for angle in range(0, 360, 30):
            left = x + math.cos(math.radians(angle)) * (distance + width / 2) - width / 2
            top = y - math.sin(math.radians(angle)) * (distance + height / 2) - height / 2
            if all(left + width <= l or l + w <= left or top + height <= t or t + h <= top
                   for l, t, w, h in taken):
                return left, top
    return x, y


def plot(dots, bandwidth):
    """Flops per second over flops per byte, both logarithmic, under the best that was seen. Numbers at
    the dots of xeinsum stand for the cases that are listed below the plot."""
    peak = max(d[3] for d in dots)
    width, height, margin = 760, 480, 60
    x0, x1 = -1.5, math.ceil(math.log10(max(d[2] for d in dots)))
    y0, y1 = 8.0, math.ceil(math.log10(peak))
    mine = sorted((d for d in dots if d[0] == "xeinsum"), key=lambda d: (d[2], d[3]))
    rows = (len(mine) + 1) // 2

    def x(intensity):
        at = min(max(math.log10(intensity), x0), x1)
        return margin + (at - x0) / (x1 - x0) * (width - 2 * margin)

    def y(rate):
        at = min(max(math.log10(rate), y0), y1)
        return height - margin - (at - y0) / (y1 - y0) * (height - 2 * margin)

    def mark(intensity, rate):
        """A dot, or an arrowhead at the edge that it lies beyond: the element's name and attributes."""
        at = f"{x(intensity):.1f},{y(rate):.1f}"
        beyond = [(math.log10(rate) < y0, 0), (math.log10(intensity) < x0, 90), (math.log10(rate) > y1, 180),
                  (math.log10(intensity) > x1, 270)]
        for is_beyond, turn in beyond:
            if is_beyond:
                return "path", f'd="M-5 -6H5L0 4Z" transform="translate({at}) rotate({turn})"'
        return "circle", f'cx="{x(intensity):.1f}" cy="{y(rate):.1f}" r="3.5"'

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height + 20 + 14 * rows}" '
           'font-family="sans-serif" font-size="12">',
           '<rect width="100%" height="100%" fill="white"/>']
    for power in range(math.ceil(x0), x1 + 1):
        at = x(10**power)
        out.append(f'<path d="M{at:.1f} {margin}V{height - margin}" stroke="#ddd"/>'
                   f'<text x="{at:.1f}" y="{height - margin + 18}" text-anchor="middle">{10**power:g}</text>')
    for power in range(math.ceil(y0), y1 + 1):
        at = y(10**power)
        out.append(f'<path d="M{margin} {at:.1f}H{width - margin}" stroke="#ddd"/>'
                   f'<text x="{margin - 6}" y="{at + 4:.1f}" text-anchor="end">{10**(power - 9):g}</text>')
    ridge = peak / bandwidth
    out.append(f'<path d="M{x(10**x0):.1f} {y(bandwidth * 10**x0):.1f}L{x(ridge):.1f} {y(peak):.1f}'
               f'H{width - margin}" fill="none" stroke="black" stroke-width="1.5"/>')
    # xeinsum on top.
    for name, case, intensity, rate in sorted(dots, key=lambda d: d[0] == "xeinsum"):
        element, attributes = mark(intensity, rate)
        out.append(f'<{element} {attributes} fill="{COLOURS[name]}" fill-opacity="0.7"><title>{name}, '
                   f'{html.escape(case)}: {rate * 1e-9:.3g} GFLOP/s</title></{element}>')
    taken = [(x(d[2]) - 3, y(d[3]) - 3, 6, 6) for d in dots]
    for i, (_, case, intensity, rate) in enumerate(mine):
        number = str(i + 1)
        left, top = place(x(intensity), y(rate), 6.5 * len(number), 8, taken)
        taken.append((left, top, 6.5 * len(number), 8))
        if math.hypot(left + 3 * len(number) - x(intensity), top + 4 - y(rate)) > 16:
            out.append(f'<path d="M{x(intensity):.1f} {y(rate):.1f}L{left + 3 * len(number):.1f} {top + 4:.1f}" '
                       'stroke="#999" stroke-width="0.5"/>')
        out.append(f'<text x="{left:.1f}" y="{top + 8:.1f}" font-size="10">{number}</text>')
        out.append(f'<text x="{margin / 2 + (i // rows) * width / 2:.0f}" y="{height + 14 * (i % rows) + 10}" '
                   f'font-size="10">{number}&#160; {html.escape(case.removesuffix("/f32").replace("/", " "))}</text>')
    for i, (name, colour) in enumerate(COLOURS.items()):
        out.append(f'<circle cx="{margin + 15}" cy="{margin + 15 + 18 * i}" r="4" fill="{colour}"/>'
                   f'<text x="{margin + 25}" y="{margin + 19 + 18 * i}">{name}</text>')
    at = margin + 15 + 18 * len(COLOURS)
    out.append(f'<path d="M-5 -6H5L0 4Z" transform="translate({margin + 15},{at})" fill="#555"/>'
               f'<text x="{margin + 25}" y="{at + 4}">beyond the axis</text>')
    out.append(f'<text x="{width / 2}" y="{height - 15}" text-anchor="middle">flops per byte that must move</text>'
               f'<text x="18" y="{height / 2}" text-anchor="middle" '
               f'transform="rotate(-90 18 {height / 2})">GFLOP/s, float, one thread</text>'
               f'<text x="{width / 2}" y="30" text-anchor="middle">line: triad of 16 MiB and more, '
               f'{bandwidth * 1e-9:.0f} GB/s; fastest product, {peak * 1e-9:.0f} GFLOP/s</text></svg>')
    return "\n".join(out) + "\n"


def main(measured, readme, page, picture):
    with open(measured, encoding="utf-8") as f:
        cases = json.load(f)
    write_table(readme, table(cases, README_PEERS, README_ROWS))
    write_table(page, table(cases, PEERS, ROWS))
    with open(picture, "w", encoding="utf-8") as f:
        f.write(plot(*dots_of(cases)))


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    main(*sys.argv[1:])
