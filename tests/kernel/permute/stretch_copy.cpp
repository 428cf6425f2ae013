#include <xeinsum/kernel/permute/stretch_copy.hpp>

#include "../../support/nest.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

using support::native_arch;
using support::nest_row;
using xeinsum::kernel::line_writer;
using xeinsum::kernel::scaling;
using xeinsum::kernel::stretch_copy;

namespace {

/// The length of stretches of such loops, whose copy is compared with the definition.
std::int64_t check(const std::vector<nest_row>& rows, std::size_t in_begin = 0) {
    const support::nest_rows loops(rows);
    std::size_t in_size = in_begin + 1;
    std::size_t out_size = 1;
    for (const nest_row& row : rows) {
        out_size += static_cast<std::size_t>((row[0] - 1) * row[1]);
        in_size += row[2] > 0 ? static_cast<std::size_t>((row[0] - 1) * row[2]) : 0;
    }
    std::vector<float> in(in_size);
    std::iota(in.begin(), in.end(), 1.0F);
    std::int64_t length = 0;
    for (const auto& factors : {std::pair{1.0F, 0.0F}, {2.0F, 3.0F}}) {
        const float alpha = factors.first;
        const float beta = factors.second;
        std::vector<float> before(out_size);
        std::iota(before.begin(), before.end(), 70000.0F);
        std::vector<float> expected = before;
        support::for_each_iteration(loops.loops(), 2, [&](const auto& at) {
            float& to = expected[static_cast<std::size_t>(at[0])];
            to = alpha * in[static_cast<std::size_t>(static_cast<std::int64_t>(in_begin) + at[1])] +
                 (beta == 0 ? 0 : beta * to);
        });
        for (const bool streams : {false, true}) {
            CAPTURE(alpha);
            CAPTURE(streams);
            std::vector<float> found = before;
            const stretch_copy<float, native_arch> copy(
                loops.loops(),
                line_writer<float, native_arch>(scaling<float>(alpha, beta), streams));
            copy.run(in.data() + in_begin, found.data());
            CHECK(found == expected);
            length = copy.length();
        }
    }
    return length;
}

}  // namespace

TEST_CASE("a stretch has parts of its outermost loop, of which the last may be shorter") {
    // "bij->bji": 512 elements are 85 matrices of 2 x 3.
    CHECK(check({{300, 6, 6}, {3, 2, 1}, {2, 1, 3}}) == 510);
    CHECK(check({{85, 6, 6}, {3, 2, 1}, {2, 1, 3}}) == 510);
    CHECK(check({{5, 6, 6}, {3, 2, 1}, {2, 1, 3}}) == 30);
}

TEST_CASE("a stretch ends where the output has a gap, or the next loop does not fit twice") {
    CHECK(check({{7, 20, 40}, {4, 5, 1}, {5, 1, 8}}) == 140);
    CHECK(check({{7, 21, 40}, {4, 5, 1}, {5, 1, 8}}) == 20);
    CHECK(check({{3, 300, 1}, {100, 3, 3}, {3, 1, 300}}) == 300);
    CHECK(check({{3, 2000, 1}, {1000, 2, 6}, {2, 1, 3}}) == 512);
}

TEST_CASE("loops in any order, along an input that is reversed, apart or the same") {
    CHECK(check({{2, 1, 3}, {30, 6, 6}, {3, 2, 1}}) == 180);
    CHECK(check({{9, 4, 4}, {4, 1, -1}}, 3) == 36);
    CHECK(check({{9, 4, 7}, {4, 1, 0}}) == 36);
}

TEST_CASE("without a loop that lies side by side a stretch is one element") {
    CHECK(check({{5, 8, 1}, {4, 2, 5}}) == 1);
}
