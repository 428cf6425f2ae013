#!/usr/bin/env python3
"""Runs the ```cmake blocks of a page, each in the project of a user who has a program "mine".

    cmake_blocks.py PAGE SCRATCH PREFIX CMAKE [OPTIONS]

PREFIX is where xeinsum is installed. A block is tried once more for each other way to find xeinsum
that the page names: behind "# or", or in a block before it. extract.py says how a page marks what
such a block is. What would build the library from its sources is configured, not built: that takes
minutes, and tests/install does it no other way.
"""

import os
import re
import shutil
import subprocess
import sys

from extract import ROOT, Page

PROJECT = "cmake_minimum_required(VERSION 3.20...3.31)\nproject(mine LANGUAGES CXX)\n"
FIND = re.compile(r"^find_package\(xeinsum\b.*$", re.M)

# "ij,jk->ik" by any of the headers that a program may include.
PROGRAM = """#include <xeinsum/{header}>

int main() {{
    const float a[]{{1, 2, 3, 4, 5, 6}}, b[]{{1, 0, 0, 1, 2, 2}};
    float c[4];
    using xeinsum::view;
    xeinsum::einsum_to<"ij,jk->ik">(view{{c, {{2, 2}}}}, view{{a, {{2, 3}}}}, view{{b, {{3, 2}}}});
    return c[0] == 7 && c[1] == 8 && c[2] == 16 && c[3] == 17 ? 0 : 1;
}}
"""

# A library that is all calls of headers, and the program of somebody who has it installed.
LIBRARY = """find_package(xeinsum REQUIRED)
add_library(mine INTERFACE)
target_link_libraries(mine INTERFACE xeinsum::xeinsum)
install(TARGETS mine EXPORT mine-targets)
install(EXPORT mine-targets DESTINATION share/cmake/mine)
install(FILES mine-config.cmake DESTINATION share/cmake/mine)
"""
USER = "find_package(mine REQUIRED)\ntarget_link_libraries(user PRIVATE mine)\n"


def run(*command):
    print("+", *command, flush=True)
    subprocess.run(command, check=True)


class Projects:
    """Projects beside the sources of xeinsum, which each of them has as a folder, too."""

    def __init__(self, scratch, prefix, cmake, options):
        self.scratch, self.cmake = os.path.abspath(scratch), cmake
        self.options = [*options, f"-DCMAKE_PREFIX_PATH={prefix}", "-DCMAKE_CXX_FLAGS=-O0"]
        shutil.rmtree(self.scratch, ignore_errors=True)
        os.makedirs(self.scratch)
        os.symlink(os.path.abspath(ROOT), f"{self.scratch}/xeinsum")

    def configure(self, name, files, *options):
        source = f"{self.scratch}/{name}"
        os.mkdir(source)
        os.symlink(os.path.abspath(ROOT), f"{source}/xeinsum")
        for file, text in files.items():
            with open(f"{source}/{file}", "w", encoding="utf-8") as out:
                out.write(text)
        run(self.cmake, "-S", source, "-B", f"{source}/build", *self.options, *options)
        return f"{source}/build"

    def program(self, name, block, builds, *options):
        """The block as all that a project says of its program, whose name it has."""
        links = re.search(r"target_link_libraries\((\w+) \w+ (?:xeinsum::)?(\w+)", block)
        target, brings = links.groups()
        header = f"{brings}.hpp" if brings.startswith("compiled") else "xeinsum.hpp"
        build = self.configure(name, {
            "CMakeLists.txt": f"{PROJECT}add_executable({target} {target}.cpp)\n{block}\n",
            f"{target}.cpp": PROGRAM.format(header=header),
        }, *options)
        if builds:
            run(self.cmake, "--build", build)
            run(f"{build}/{target}")

    def package(self, name, file, block):
        build = self.configure(name, {"CMakeLists.txt": f"{PROJECT}{LIBRARY}", file: block})
        run(self.cmake, "--install", build, "--prefix", f"{build}/prefix")
        self.program(f"{name}_user", USER, True, f"-Dmine_ROOT={build}/prefix")


def try_block(page, projects, other_ways, line, block, said):
    name = f"line_{line}"
    if "finds xeinsum" in said:
        other_ways.append(block)
    elif "file" in said:
        projects.package(name, said["file"], block)
    elif said or not FIND.search(block):
        page.fail(line - 1, f"nothing runs this block {' '.join(said)}")
    else:
        projects.program(name, block, True)
        builds = "xeinsum::compiled" not in block
        for way in [*re.findall("# or (add_subdirectory.*)", block), *other_ways]:
            name += "_other"
            projects.program(name, FIND.sub(lambda _: way, block), builds)


def main(page, scratch, *how):
    page, projects, other_ways = Page(page), Projects(scratch, *how[:2], how[2:]), []
    for line, block, said in page.cmake:
        try:
            try_block(page, projects, other_ways, line, block, said)
        except subprocess.CalledProcessError as e:
            page.fail(line - 1, f"the block fails: {e}")
    if other_ways and "finds xeinsum" in said:
        page.fail(line - 1, "no block behind this one finds xeinsum by it")


if __name__ == "__main__":
    main(*sys.argv[1:])
