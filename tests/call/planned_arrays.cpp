#include <xeinsum/call/planned_arrays.hpp>

#include "../support/views.hpp"

#include <xeinsum/array/xtensor.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

TEST_CASE("arrays are compared with what was planned, strides of single elements apart") {
    // The output of "ij,j->i" and its operands, the second transposed.
    const std::vector<std::int64_t> ei{2}, si{1}, eij{2, 3}, sij{1, 2}, ej{3, 1}, sj{1, 7};
    xeinsum::detail::planned_arrays<float> planned;
    planned.push({ei, si});
    planned.push({eij, sij});
    planned.push({ej, sj});
    CHECK(planned.size() == 3);
    const auto lies_as_planned = [&](std::size_t array, const auto& e) {
        return planned.lies_as_planned(array, xeinsum::array::in_place(e));
    };
    const xt::xtensor<float, 2> rows({3, 2});
    CHECK(lies_as_planned(0, xt::xtensor<float, 1>(std::array<std::size_t, 1>{2})));
    CHECK_FALSE(lies_as_planned(0, xt::xtensor<float, 1>(std::array<std::size_t, 1>{3})));
    CHECK_FALSE(lies_as_planned(0, xt::xarray<float>::from_shape({2, 1})));
    CHECK(lies_as_planned(1, xt::transpose(rows)));
    CHECK_FALSE(lies_as_planned(1, rows));
    CHECK_FALSE(lies_as_planned(1, xt::xtensor<float, 2>({2, 3})));
    CHECK(lies_as_planned(2, xt::xtensor<float, 2>({3, 1})));
}

TEST_CASE("arrays that lie as planned share memory or not") {
    const std::vector<std::int64_t> e{4}, back{-1}, even{2};
    xeinsum::detail::planned_arrays<double> planned;
    planned.push({e, back});
    planned.push({e, even});
    const std::vector<double> memory(20);
    const auto meet = [&](std::size_t a, std::size_t b) {
        return planned.meet(0, memory.data() + a, 1, memory.data() + b);
    };
    CHECK(meet(8, 2));         // 5..8 and 2 4 6 8
    CHECK(meet(6, 3));         // 3..6 and 3 5 7 9
    CHECK_FALSE(meet(8, 9));   // 5..8 and 9..15
    CHECK(meet(12, 3));        // 9..12 and 3..9
    CHECK_FALSE(meet(13, 3));  // 10..13 and 3..9
}

TEST_CASE("arrays that lie between each other's elements do not meet") {
    const std::vector<std::int64_t> e{5, 2}, s{4, 1};
    xeinsum::detail::planned_arrays<double> planned;
    planned.push({e, s});
    planned.push({e, s});
    const std::vector<double> memory(20);
    CHECK_FALSE(planned.meet(0, memory.data(), 1, memory.data() + 2));
    CHECK_FALSE(planned.meet(0, memory.data() + 2, 1, memory.data()));
    CHECK(planned.meet(0, memory.data(), 1, memory.data() + 1));
}
