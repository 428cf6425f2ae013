#include <xeinsum/call/raise.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstdint>

TEST_CASE("the column is found from operand and axis, the ellipsis counted in") {
    const auto eq = xeinsum::parse(std::string_view("ij,a...b->a"));
    const std::array<std::int64_t, 2> two{2, 3};
    const std::array<std::int64_t, 4> four{2, 3, 4, 5};
    const std::array<xeinsum::layout_view, 2> operands{xeinsum::layout_view{two, {}},
                                                       xeinsum::layout_view{four, {}}};
    xeinsum::problem p;
    p.code = xeinsum::error_code::extent_mismatch;
    p.first = {0, 1, 3};
    p.second = {1, 3, 5};
    try {
        xeinsum::detail::raise_located(p, eq, operands);
    } catch (const xeinsum::einsum_error& e) {
        CHECK(e.column() == 8);
        CHECK(e.code() == xeinsum::error_code::extent_mismatch);
    }
}
