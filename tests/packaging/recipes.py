#!/usr/bin/env python3
"""Recipes in packaging/ name the version that CMake has read, or read it where it stands; JSON is
valid and Python compiles: recipes.py VERSION."""

import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGING = ROOT / "packaging"


def version_of(text, pattern):
    """The version that the header's text gives by the pattern that a recipe has for its parts."""
    return ".".join(re.search(pattern % part, text)[1] for part in ("MAJOR", "MINOR", "PATCH"))


def main():
    header = (ROOT / "include/xeinsum/version.hpp").read_text()
    conan = (PACKAGING / "conan/conanfile.py").read_text()
    conda = (PACKAGING / "conda/meta.yaml").read_text()
    spack = (PACKAGING / "spack/packages/xeinsum/package.py").read_text()
    vcpkg = json.loads((PACKAGING / "vcpkg/xeinsum/vcpkg.json").read_text())
    versions = {
        "vcpkg": vcpkg["version"],
        "conan": version_of(header, re.search(r'rf"(VERSION_.*?)"', conan)[1].replace("{part}", "%s")),
        "conda": version_of(header, re.search(r'set part = "(.*?)"', conda)[1]),
        "spack": re.search(r'^    version\("(.*?)"', spack, re.M)[1],
    }
    wrong = {name: version for name, version in versions.items() if version != sys.argv[1]}
    for path in re.findall(r'"((?:\.\./)+[\w/.]+)"', conda):
        if not (PACKAGING / "conda" / path).exists():
            wrong[path] = "not there"
    for path in PACKAGING.rglob("*.py"):
        compile(path.read_text(), path, "exec")
    if wrong:
        sys.exit(f"CMake has version {sys.argv[1]}, but: {wrong}")


if __name__ == "__main__":
    main()
