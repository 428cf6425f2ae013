#include <xeinsum/kernel/gemm/transposed_rhs.hpp>

#include "../../support/instances.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

using xeinsum::kernel::small_shape;
using xeinsum::kernel::transposed_rhs;

namespace {

/// A transposed rhs with gaps between its lines and between its pieces.
template <class I>
void check(std::int64_t columns, std::int64_t depth, std::int64_t pieces, std::int64_t step) {
    using T = typename I::type;
    CAPTURE(columns);
    CAPTURE(depth);
    const std::int64_t line = depth * step + 1;
    const small_shape s{.columns = columns,
                        .depth = depth,
                        .pieces = pieces,
                        .rhs_depth = step,
                        .rhs_piece = line * columns + 5,
                        .rhs_column = line};
    const auto in = support::small_numbers<T>(static_cast<std::size_t>(pieces * s.rhs_piece), 3);
    transposed_rhs<T, typename I::arch> transposed;
    const small_shape to = transposed.shape_of(s);
    CHECK(to.rhs_column == 1);
    const T* const found = transposed.transpose(s, in.data());
    bool right = true;
    for (std::int64_t p = 0; p < pieces; ++p) {
        for (std::int64_t d = 0; d < depth; ++d) {
            for (std::int64_t c = 0; c < columns; ++c) {
                right = right &&
                        found[p * to.rhs_piece + d * to.rhs_depth + c] ==
                            in[static_cast<std::size_t>(p * s.rhs_piece + d * step + c * line)];
            }
        }
    }
    CHECK(right);
}

}  // namespace

TEST_CASE_TEMPLATE("columns come to lie side by side", I, SUPPORT_ALL_REAL_INSTANCES) {
    for (const std::int64_t columns : {1, 3, 4, 5, 8, 11, 16, 30}) {
        for (const std::int64_t depth : {1, 2, 4, 7, 9, 16, 21}) {
            check<I>(columns, depth, 1, 1);
            check<I>(columns, depth, 3, 2);
        }
    }
    check<I>(17, 19, 4, 1);
}

TEST_CASE("an rhs that is held is not read again") {
    const small_shape s{.columns = 2, .depth = 3, .rhs_depth = 1, .rhs_column = 3};
    std::vector<float> in{1, 2, 3, 4, 5, 6};
    const std::vector<float> other{10, 20, 30, 40, 50, 60};
    transposed_rhs<float, support::native_arch> transposed;
    CHECK(transposed.transpose(s, in.data())[1] == 4);
    in[3] = 7;
    CHECK(transposed.transpose(s, in.data())[1] == 4);
    CHECK(transposed.transpose(s, other.data())[1] == 40);
    CHECK(transposed.transpose(s, in.data())[1] == 7);
}
