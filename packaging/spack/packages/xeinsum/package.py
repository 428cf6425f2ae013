# xeinsum for Spack: spack repo add packaging/spack, then spack dev-build xeinsum@0.1.0 in the
# folder of the sources.

from spack.package import *


class Xeinsum(CMakePackage):
    """Einsum lowering for xtensor: parsed in the compiler, run with xsimd."""

    license("BSD-3-Clause")

    version("0.1.0")

    variant("compiled", default=True, description="Build the library, with kernels for several processors")
    variant("shared", default=False, description="Build it as a shared library", when="+compiled")

    depends_on("cxx", type="build")
    depends_on("cmake@3.20:", type="build")
    depends_on("xtensor@0.24:")
    depends_on("xsimd@8.1:")

    def cmake_args(self):
        return [
            self.define("XEINSUM_BUILD_TESTS", False),
            self.define("XEINSUM_BUILD_EXAMPLES", False),
            self.define_from_variant("XEINSUM_INSTALL_COMPILED", "compiled"),
            self.define_from_variant("BUILD_SHARED_LIBS", "shared"),
        ]
