#!/usr/bin/env python3
"""Tries the commands that pages tell to type, as far as that takes seconds and no network.

    commands.py SCRATCH PREFIX EXPLAIN PAGES...

A command is code within a line, or an indented line, that begins with the name of a program.
PREFIX, where xeinsum is installed, is ~/.local of who compiles; who configures has a copy of the
sources and an empty home. What takes minutes is not run, but what it names has to be there.
EXPLAIN is the program of ./dev explain, or empty: indented lines behind such a command, or behind
its paragraph, are lines that it prints with AVX2, (...) any words.
"""

import os
import re
import shutil
import subprocess
import sys

from cmake_blocks import PROGRAM
from extract import ROOT

PROGRAMS = r"\./dev|apt|c\+\+|cmake|ctest|pkg-config|packaging/\w+\.py"
COMMAND = re.compile(rf"(?:^ {{4}}(?:\$ )?|`)((?:{PROGRAMS})(?: [^`\n]+)?)(?:`|$)", re.M)
# What follows a command at once, and what follows its paragraph.
NEXT_LINES = re.compile(r"\n((?: {4}.*\n)+)")
NEXT_BLOCK = re.compile(r".*\n(?:\S.*\n)*\n((?: {4}.*\n)+)")


class Machine:
    def __init__(self, scratch, prefix, explain):
        self.folder, self.explain = os.path.abspath(scratch), explain
        shutil.rmtree(self.folder, ignore_errors=True)
        self.sources = f"{self.folder}/xeinsum"
        # Also whatever folder of the sources this is in.
        own = os.path.relpath(self.folder, ROOT).split(os.sep)[0]
        built = shutil.ignore_patterns(".git", "build", "build-*", own)
        shutil.copytree(ROOT, self.sources, ignore=built)
        os.makedirs(f"{self.folder}/program")
        os.makedirs(f"{self.folder}/installed")
        os.symlink(prefix, f"{self.folder}/installed/.local")
        with open(f"{self.folder}/program/mine.cpp", "w", encoding="utf-8") as out:
            out.write(PROGRAM.format(header="compiled.hpp"))
        usage = self.sh("./dev help", "xeinsum")
        self.dev_commands = ["help", *re.findall(r"^  ([a-z]\S+)", usage, re.M)]
        self.presets = re.findall(r'^  "(\w+)"', self.sh("cmake --list-presets", "xeinsum"), re.M)
        self.cmake_files = ""
        for folder, _, files in os.walk(self.sources):
            for file in files:
                if file == "CMakeLists.txt" or file.endswith(".cmake"):
                    with open(os.path.join(folder, file), encoding="utf-8") as text:
                        self.cmake_files += text.read()
        with open(f"{self.sources}/dev", encoding="utf-8") as text:
            self.dev = text.read()

    def sh(self, command, folder, home="home"):
        environment = os.environ | {
            "HOME": f"{self.folder}/{home}",
            "PKG_CONFIG_PATH": f"{self.folder}/{home}/.local/share/pkgconfig",
        }
        command = 'c++() { "${CXX:-g++}" "$@"; }; ' + command
        ran = subprocess.run(["bash", "-c", command], cwd=f"{self.folder}/{folder}",
                             env=environment, text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        assert ran.returncode == 0, ran.stdout
        return ran.stdout

    # What is done with a command: the first of these whose expression fits.

    def named_by_help(self, command):
        assert command.split()[1] in self.dev_commands, "./dev help does not name it"

    def explains(self, command, shown):
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            if not self.explain or " avx2 " not in file.read():
                print("left out, without AVX2 or explain:", command)
                return
        program = command.replace("./dev explain", f"XEINSUM_CPU=avx2 {self.explain}")
        printed = iter(line.strip() for line in self.sh(program, "program").split("\n"))
        for line in map(str.strip, shown.strip().split("\n")):
            words = re.escape(line).replace(r"\(\.\.\.\)", r"\(.*\)")
            found = any(re.fullmatch(words, p) for p in printed)
            assert found, f"does not print, in its place: {line}"

    def of_a_program(self, command):
        if subprocess.call(["sh", "-c", "pkg-config --exists xtensor xsimd"]) != 0:
            print("left out, without pkg-config, xtensor.pc and xsimd.pc:", command)
            return
        self.sh(command, "program", "installed")
        if command.startswith("c++"):
            self.sh("./a.out", "program")

    def installed_by_dev(self, command):
        for package in command.split()[2:]:
            assert package in self.dev.split(), f"./dev does not install {package}"

    def in_sources(self, command):
        self.sh(command, "xeinsum")

    def of_a_preset(self, command):
        assert command.split()[2] in self.presets, f"presets are {self.presets}"

    def of_a_target(self, command):
        folder, *target = re.findall(r"(?:--build|--target) (\S+)", command)
        known = [f"build/{preset}" for preset in self.presets] + ["build"]
        assert folder in known, "no preset builds there"
        assert all(re.search(rf"\b{t}\b", self.cmake_files) for t in target), "no such target"

    def of_tests(self, command):
        assert "Total Tests: 0" not in self.sh(f"{command} -N", "xeinsum"), "no such test"

    def named_only(self, command):
        pass

    RULES = [
        (r"\./dev \w", named_by_help),
        (r"c\+\+ |pkg-config -", of_a_program),
        (r"apt install ", installed_by_dev),
        (r"cmake -S|cmake --preset .* && |packaging/\S+\.py >", in_sources),
        (r"cmake --preset ", of_a_preset),
        (r"cmake --build ", of_a_target),
        (r"ctest --test-dir ", of_tests),
        (r"\./dev$|cmake$|cmake --install$|pkg-config$|packaging/\S+\.py$|c\+\+$", named_only),
    ]

    def try_command(self, command):
        for expression, way in self.RULES:
            if re.match(expression, command):
                return way(self, command)
        raise AssertionError("nothing tries such a command")


def main(scratch, prefix, explain, *pages):
    machine, ok, count = Machine(scratch, prefix, explain), True, 0
    for page in pages:
        with open(page, encoding="utf-8") as file:
            text = file.read()
        for fence in re.finditer("^ *```(sh|bash|shell|console)$", text, re.M):
            print(f"{page}: {fence[0]}: commands stand in indented lines, where they are found")
            ok = False
        for found in COMMAND.finditer(text):
            count += 1
            command = re.sub(r"\s+# .*", "", found[1])
            try:
                machine.try_command(command)
                behind = NEXT_BLOCK if found[0].startswith("`") else NEXT_LINES
                follows = behind.match(text, found.end())
                if command.startswith("./dev explain ") and follows:
                    machine.explains(command, follows[1])
            except AssertionError as why:
                line = text.count("\n", 0, found.start(1)) + 1
                print(f"{page}:{line}: {command}: {why}")
                ok = False
    print(f"{count} commands")
    return 0 if ok and count else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
