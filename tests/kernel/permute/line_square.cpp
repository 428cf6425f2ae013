#include <xeinsum/kernel/permute/line_square.hpp>

#include "../../support/instances.hpp"

#include <doctest/doctest.h>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <vector>

using xeinsum::kernel::has_line_registers;

namespace {

template <class T>
void check_square() {
    using arch = support::native_arch;
    if constexpr (has_line_registers<T, arch>) {
        using lines_type = xeinsum::kernel::line_square<T, arch>;
        constexpr std::size_t side = lines_type::side;
        // Rows that begin anywhere, in an order of their own.
        constexpr std::size_t pitch = side + 3;
        std::vector<T> in(side * pitch);
        for (std::size_t n = 0; n < in.size(); ++n) {
            in[n] = static_cast<T>(n + 1);
        }
        const auto row = [&](std::size_t i) { return in.data() + (i * 5 % side) * pitch + 1; };
        typename lines_type::reg lines[side];
        lines_type::transpose(row, lines);
        for (std::size_t j = 0; j < side; ++j) {
            T found[side];
            lines_type::simd_type::store(found, lines[j]);
            for (std::size_t i = 0; i < side; ++i) {
                CAPTURE(i);
                CAPTURE(j);
                CHECK(found[i] == row(i)[j]);
            }
        }
    }
}

}  // namespace

TEST_CASE_TEMPLATE("lines become lines", T, float, double) {
    check_square<T>();
}

TEST_CASE("elements of four and eight bytes move in lines where registers hold them") {
    using xeinsum::kernel::moves_in_lines;
    constexpr bool lines = has_line_registers<float, support::native_arch>;
    CHECK(moves_in_lines<std::uint32_t, support::native_arch> == lines);
    CHECK(moves_in_lines<std::complex<float>, support::native_arch> == lines);
    CHECK_FALSE(moves_in_lines<std::int16_t, support::native_arch>);
    CHECK_FALSE(moves_in_lines<std::complex<double>, support::native_arch>);
}

TEST_CASE("registers of other widths hold no line") {
    CHECK_FALSE(has_line_registers<float, xeinsum::kernel::scalar_arch>);
    CHECK_FALSE(has_line_registers<double, support::baseline_arch>);
}
