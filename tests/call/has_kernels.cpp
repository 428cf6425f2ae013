// As if <xeinsum/compiled.hpp> came first.
#define XEINSUM_COMPILED
#include <xeinsum/call/has_kernels.hpp>

#include <doctest/doctest.h>

#include <type_traits>

namespace xeinsum::detail {
std::true_type compiled_elsewhere(element_tag<float>);
}

TEST_CASE("kernels are those that another file is said to have") {
    CHECK(xeinsum::detail::has_kernels<float>);
    CHECK_FALSE(xeinsum::detail::has_kernels<short>);
}
