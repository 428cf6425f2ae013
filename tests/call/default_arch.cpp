#include <xeinsum/call/default_arch.hpp>

#include <doctest/doctest.h>

#include <type_traits>

namespace kernel = xeinsum::kernel;

TEST_CASE("calls run on the architecture of their file where it compiles the kernels") {
    CHECK(std::is_same_v<xeinsum::detail::default_arch, kernel::native_arch>);
    CHECK(kernel::compiled_here<kernel::native_arch>);
    CHECK(kernel::chosen_at_run_time<kernel::any_cpu>);
}
