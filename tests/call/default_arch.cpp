#include <xeinsum/call/default_arch.hpp>

#include <doctest/doctest.h>

#include <type_traits>

namespace kernel = xeinsum::kernel;

TEST_CASE("calls run on the architecture of their file, whoever compiles the kernels") {
    CHECK(std::is_same_v<xeinsum::detail::default_arch, kernel::native_arch>);
    using elsewhere = kernel::compiled<kernel::avx2_fma>;
    CHECK(kernel::is_compiled<elsewhere>);
    CHECK_FALSE(kernel::is_compiled<kernel::avx2_fma>);
    CHECK(std::is_same_v<kernel::kernels_arch_t<elsewhere>, kernel::avx2_fma>);
    CHECK(std::is_same_v<kernel::kernels_arch_t<kernel::sse2>, kernel::sse2>);
}
