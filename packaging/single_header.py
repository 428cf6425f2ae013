#!/usr/bin/env python3
"""Writes all headers of the library as one, for a page like Compiler Explorer or a project that
copies a file: packaging/single_header.py > xeinsum_single.hpp. xtensor and xsimd stay includes."""

import pathlib
import re
import sys

HEADERS = pathlib.Path(__file__).resolve().parent.parent / "include"
OURS = re.compile(r"#include <(xeinsum/[\w/]+\.hpp)>")


def version():
    text = (HEADERS / "xeinsum/version.hpp").read_text()
    return ".".join(re.search(rf"VERSION_{part} (\d+)", text)[1] for part in ("MAJOR", "MINOR", "PATCH"))


def write(header, seen, out):
    """Writes a header with those of ours that it includes, each where it is first needed."""
    seen.add(header)
    for line in (HEADERS / header).read_text().splitlines():
        include = OURS.match(line)
        if include and include[1] not in seen:
            write(include[1], seen, out)
        elif not include and line != "#pragma once":
            out.append(line)


def main():
    out = [
        f'// xeinsum {version()}, all of its headers in one: einsum<"nctw,cd->ndtw">(x, w) on arrays of xtensor.',
        "// Written by packaging/single_header.py. Compile with -std=c++20 -O2 -march=native.",
        "//",
        *("// " + line if line else "//" for line in (HEADERS.parent / "LICENSE").read_text().splitlines()),
        "#pragma once",
    ]
    write("xeinsum/xeinsum.hpp", set(), out)
    text = "\n".join(out) + "\n"
    sys.stdout.write(re.sub(r"\n{3,}", "\n\n", text))


if __name__ == "__main__":
    main()
