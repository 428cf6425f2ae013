"""xeinsum for Conan 2, from the sources that this file lies in: conan create packaging/conan"""

import pathlib
import re

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy


class XeinsumConan(ConanFile):
    name = "xeinsum"
    description = "Einsum lowering for xtensor: parsed in the compiler, run with xsimd"
    license = "BSD-3-Clause"
    settings = "os", "arch", "compiler", "build_type"
    options = {"compiled": [True, False], "shared": [True, False], "fPIC": [True, False]}
    default_options = {"compiled": True, "shared": False, "fPIC": True}
    implements = ["auto_shared_fpic"]

    def _sources(self):
        return pathlib.Path(self.recipe_folder).resolve().parents[1]

    def set_version(self):
        text = (self._sources() / "include/xeinsum/version.hpp").read_text()
        self.version = ".".join(re.search(rf"VERSION_{part} (\d+)", text)[1] for part in ("MAJOR", "MINOR", "PATCH"))

    def export_sources(self):
        for pattern in ("CMakeLists.txt", "LICENSE", "cmake/*", "include/*"):
            copy(self, pattern, src=str(self._sources()), dst=self.export_sources_folder)

    def requirements(self):
        self.requires("xtensor/[>=0.24 <1]", transitive_headers=True)
        self.requires("xsimd/[>=8.1]", transitive_headers=True)

    def validate(self):
        check_min_cppstd(self, 20)

    def layout(self):
        cmake_layout(self)

    def package_id(self):
        if not self.info.options.compiled:
            self.info.clear()

    def generate(self):
        CMakeDeps(self).generate()
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["XEINSUM_BUILD_TESTS"] = False
        toolchain.cache_variables["XEINSUM_BUILD_EXAMPLES"] = False
        toolchain.cache_variables["XEINSUM_INSTALL_COMPILED"] = bool(self.options.compiled)
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", src=self.source_folder, dst=str(pathlib.Path(self.package_folder) / "licenses"))
        CMake(self).install()

    def package_info(self):
        # find_package finds the configuration that CMake installs, with all of its targets.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = ["share/cmake/xeinsum"]
        self.cpp_info.libs = ["xeinsum"] if self.options.compiled else []
