#include <xeinsum/call/run_steps.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

using xeinsum::error_code;
using xeinsum::detail::destination;
using xeinsum::detail::overlaps;

TEST_CASE("overlap is found by memory") {
    std::vector<float> memory(100);
    const std::vector<std::int64_t> extents{10}, one{1}, back{-1};
    const std::vector<xeinsum::layout_view> operands{{extents, one}};
    const float* pointer = memory.data() + 20;
    const auto meets = [&](std::size_t first, const std::vector<std::int64_t>& strides) {
        return overlaps<float>({memory.data() + first, extents, strides}, operands, &pointer);
    };
    CHECK(meets(29, one));
    CHECK_FALSE(meets(30, one));
    CHECK_FALSE(meets(19, back));
    const std::vector<std::int64_t> three{3}, two{2};
    const std::vector<xeinsum::layout_view> pairs{{extents, one}, {three, two}};
    const std::vector<const float*> pointers{memory.data() + 20, memory.data() + 50};
    const auto met = [&](std::size_t first, const std::vector<std::int64_t>& strides) {
        return xeinsum::detail::overlapped_operand<float>({memory.data() + first, three, strides},
                                                          pairs, pointers.data());
    };
    CHECK(met(51, two) == xeinsum::problem::nowhere);  // 51 53 55 between 50 52 54
    CHECK(met(54, two) == 1);
    CHECK(met(25, two) == 0);
    CHECK(meets(20, back));
}
