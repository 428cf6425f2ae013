#!/usr/bin/env python3
"""Runs explain --svg on equations such as "ij,jk->ik" and looks at what it has drawn: well-formed,
with every operand and step, and all of its text where it has room. The first picture must be
docs/plan.svg.

usage: check_svg.py EXPLAIN PLAN.svg
"""

import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

CHAIN = ["ab,bc,cd,de,ef,fg,gh,hi,ij,jk->ak"] + [f"{n},{n + 10}" for n in range(20, 110, 10)] + ["110,7"]
# Arguments, operands, steps, and words that are drawn.
CASES = [
    (["nkctv,kvw->nctw", "8,3,64,150,25", "3,25,25"], 2, 1,
     ["nkctv,kvw->nctw", "step 1: gemm", "2.88e+08 flops, 29.3 MiB", "contracted", "lhs-free", "rhs-free"]),
    (["iij...->...", "3,3,4,5,6"], 1, 1, ["... stands for A B", "summed", "free", "360 flops, 1.523 KiB"]),
    (["bij,bjk->bik", "2,3,4", "2,4,5"], 2, 1, ["batch"]),
    ([",->", "-", "-"], 2, 1, ["scalar"]),
    (["->", "-"], 1, 1, ["scalar"]),
    (["ij,jk->ik", "0,3", "3,4"], 2, 0, ["result, without a step"]),
    (["b l d_in, b l n, b l d_in -> b l d_in n", "1,1024,1536", "1,1024,16", "1,1024,1536"], 3, 1,
     ["extent 1", "d_in", "1536"]),
    (["ijk,jl->l", "300,400,5", "1,7", "--element", "double"], 2, 2, ["sums of one operand"]),
    (["deac,bca->deb", "300,20,48,7", "10,7,48"], 2, 2, ["a copy in another order"]),
    (["bae,ecba->cbae", "50,197,17", "17,3,50,197"], 2, 2,
     ["slices: b as 5 of 10; figures of steps and intermediates are those of one"]),
    (CHAIN, 10, 9, ["step 9: gemm", "operand 9", "result"]),
    (["abc,cde,efg,ghi,ijk,klm,mno,opq,qrs,sta->bdfhjlnprt"] + ["2,3,4", "4,2,3"] + ["3,2,4", "4,3,3"] * 3 +
     ["3,2,4", "4,2,2"], 10, 9, ["step 9: gemm", "operand 9"]),
]
SVG = "{http://www.w3.org/2000/svg}"
CHARACTER = 0.602 * 12  # of DejaVu Sans Mono


def check(path, operands, steps, words):
    root = xml.parse(path).getroot()
    width, height = float(root.get("width")), float(root.get("height"))
    texts = root.findall(SVG + "text")
    written = [t.text for t in texts]
    assert sum(bool(re.fullmatch(r"operand \d+", t)) for t in written) == operands, written
    assert sum(t.startswith("step ") for t in written) == steps, written
    assert len(root.findall(SVG + "path")) == max(operands + steps - 1, operands), "edges"
    for word in words:
        assert word in written, (word, written)
    rects = []
    for r in root.findall(SVG + "rect")[1:]:
        rects.append([float(r.get(a)) for a in ("x", "y", "width", "height")])
        x, y, w, h = rects[-1]
        assert x >= 0 and y >= 0 and x + w <= width and y + h <= height, "a box beyond the picture"
    boxes = [r for r, e in zip(rects, root.findall(SVG + "rect")[1:]) if e.get("rx")]
    for i, (x, y, w, h) in enumerate(boxes):
        for X, Y, W, H in boxes[:i]:
            assert x + w <= X or X + W <= x or y + h <= Y or Y + H <= y, "boxes overlap"
    for t in texts:
        x, y, w = float(t.get("x")), float(t.get("y")), CHARACTER * len(t.text)
        left = x - w / 2 if t.get("text-anchor") == "middle" else x
        assert left >= 0 and left + w <= width and y <= height, ("beyond the picture", t.text)
        # Every box or tile that the text begins in holds all of it.
        for X, Y, W, H in rects:
            if X < x < X + W and Y < y < Y + H:
                assert X <= left and left + w <= X + W and y - 9 >= Y, ("beyond its box", t.text)


def main(explain, picture):
    with tempfile.TemporaryDirectory() as folder:
        path = folder + "/plan.svg"
        for i, (arguments, operands, steps, words) in enumerate(CASES):
            subprocess.run([explain, "--svg", path] + arguments, check=True, stdout=subprocess.DEVNULL)
            check(path, operands, steps, words)
            if i == 0:
                with open(path) as made, open(picture) as kept:
                    assert made.read() == kept.read(), picture + ' is another: ./dev explain --svg docs/plan.svg ' \
                        + " ".join(f'"{a}"' for a in arguments)
        missing = subprocess.run([explain, "--svg", folder + "/none/plan.svg", "i->i", "3"], capture_output=True)
        assert missing.returncode == 1 and b"cannot write" in missing.stderr, missing


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
