#!/usr/bin/env python3
"""Writes the C++ blocks of a page as a program that runs them and compares what they print.

    extract.py PAGE PROGRAM

A ```cpp block of the page is the body of a function; one with `int main` is a program of its own.
Comments between the blocks, which the reader of the page does not see, say more:

    <!-- setup          declarations that stand before the next block, in the same function
    code -->
    <!-- namespace -->  the next block holds functions and types; the blocks after it see them
    <!-- namespace      so does this code
    code -->
    <!-- run            a block that the reader does not see
    code -->
    <!-- not run: why -->  the next block is compiled and not run
    <!-- prints -->     the next block that is not C++ is what the last one writes on std::cout

cmake_blocks.py has those in CMake, and two comments of its own:

    <!-- finds xeinsum -->  the next ```cmake block may stand for find_package in those behind it
    <!-- file NAME -->      the next ```cmake block is this file of a library's package
"""

import json
import os
import re
import sys

FENCE = re.compile(r"( *)```(\w*)")
WORDS = "setup|namespace|run|not run:|prints|finds xeinsum|file"
COMMENT = re.compile(rf" *<!--\s*({WORDS})(?=\s)(.*)-->", re.S)
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")


class Page:
    def __init__(self, path):
        self.path = os.path.abspath(path)
        self.name = os.path.relpath(path, ROOT)
        self.programs, self.includes, self.blocks = [], [], []
        self.calls = []  # [place, function, what it prints]
        self.cmake = []  # (line, code, what comments say)
        self.said = {}  # by the comments since the last block
        self.ran = None  # the last block's call
        with open(path, encoding="utf-8") as file:
            self.lines = file.read().split("\n")
        i = 0
        while i < len(self.lines):
            end = i
            if fence := FENCE.match(self.lines[i]):
                end = self.find("```", i + 1)
                code = [line.removeprefix(fence[1]) for line in self.lines[i + 1 : end]]
                if fence[2] == "cpp":
                    self.cpp(i + 1, code)
                elif fence[2] == "cmake":
                    self.cmake.append((i + 2, "\n".join(code), self.said))
                    self.said = {}
                elif self.said.pop("prints", None) is not None:
                    self.prints(i, "\n".join(code))
                elif fence[2]:
                    self.fail(i, f"nothing tests a block of {fence[2]}")
            elif self.lines[i].lstrip().startswith("<!--"):
                end = self.find("-->", i)
                self.comment(i, "\n".join(self.lines[i : end + 1]))
            i = end + 1
        if self.said:
            self.fail(len(self.lines), f"no block follows '{', '.join(self.said)}'")

    def fail(self, line, why):
        sys.exit(f"{self.path}:{line}: {why}")

    def find(self, what, at):
        for i in range(at, len(self.lines)):
            if what in self.lines[i]:
                return i
        return self.fail(at, f"{what} is missing")

    def placed(self, line, code):
        """Code whose first line is the given one of the page, counted from 0."""
        return f"#line {line + 1} {json.dumps(self.path)}\n{code}\n"

    def comment(self, at, text):
        if match := COMMENT.match(text):
            word, code = match.groups()
            if word == "setup":
                self.said[word] = self.said.get(word, "") + self.placed(at, code)
            elif word == "namespace" and code.strip():
                self.blocks.append(self.placed(at, code))
            elif word == "run":
                self.cpp(at, code.split("\n"))
            else:
                self.said[word] = code.strip()

    def cpp(self, at, code):
        said, self.said, self.ran = self.said, {}, None
        if "prints" in said:
            self.said["prints"] = ""
        includes = [line for line in code if line.startswith("#include")]
        body = self.placed(at, "\n".join("" if line in includes else line for line in code))
        function = f"block_{at}"
        if "int main" in body:
            # A function like any other in a namespace, without the end that main has.
            function = f"program_{at}::main"
            body = body.rpartition("}")[0] + "return 0;\n}"
            self.programs += [*includes, f"namespace program_{at} {{\n{body}\n}}"]
        else:
            self.includes += includes
            if "namespace" not in said:
                body = f"static int {function}() {{\n{said.get('setup', '')}{body}return 0;\n}}\n"
            self.blocks.append(body)
        if "namespace" not in said and "not run:" not in said:
            self.ran = [f"{self.name}:{at}", function, "nullptr"]
            self.calls.append(self.ran)

    def prints(self, at, text):
        if self.ran is None:
            self.fail(at, "no block before it is run")
        self.ran[2] = json.dumps(text, ensure_ascii=False)

    def program(self):
        calls = [f"ok = run_block({json.dumps(w)}, {f}, {text}) && ok;" for w, f, text in self.calls]
        return "\n".join(
            ["#include <xeinsum/compiled.hpp>", *self.programs, *self.includes]
            + ["bool run_block(const char* where, int (*block)(), const char* expected);"]
            + [*self.blocks, "int main() {", "bool ok = true;", *calls, "return ok ? 0 : 1;", "}\n"]
        )


if __name__ == "__main__":
    page = Page(sys.argv[1])
    with open(sys.argv[2], "w", encoding="utf-8") as out:
        out.write(page.program())
