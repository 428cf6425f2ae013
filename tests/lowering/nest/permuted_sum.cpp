#include <xeinsum/lowering/nest/permuted_sum.hpp>

#include "../../support/table_of.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

using support::built_table;
using support::vectors_of_8;
using xeinsum::kernel::vector_loop;
using xeinsum::lowerings::may_permute_results;
using xeinsum::lowerings::permuted_sum;

namespace {

/// The extents of a sum's loops as they run, and the loop in vectors.
struct arranged {
    std::vector<std::int64_t> extents;
    vector_loop along;

    arranged(const char* equation, const std::vector<std::int64_t>& shape) {
        built_table t(equation, {shape});
        along = permuted_sum(t.get()).arrange(t.get(), vectors_of_8);
        for (std::size_t m = 0; m < t.get().size(); ++m) {
            extents.push_back(t.get().extent(m));
        }
    }
};

}  // namespace

TEST_CASE("loops go in the order of the input, the one in vectors last of its kind") {
    using extents = std::vector<std::int64_t>;
    const arranged output("abcd->dcb", {4, 32, 5, 13});
    CHECK(output.extents == extents{32, 5, 13, 4});
    CHECK(output.along == vector_loop::output);
    // 30 d are summed, and 7 b around them
    const arranged contracted("abcd->ca", {40, 7, 6, 30});
    CHECK(contracted.extents == extents{40, 6, 7, 30});
    CHECK(contracted.along == vector_loop::contracted);
}

TEST_CASE("results may wait where there are few of them, in some order, of many terms") {
    const auto may = [](const char* equation, const std::vector<std::int64_t>& shape,
                        std::size_t lanes = 8) {
        return may_permute_results(built_table(equation, {shape}).get(), {.lanes = lanes});
    };
    CHECK(may("abc->cb", {16, 16, 8}));
    CHECK_FALSE(may("abc->cb", {15, 16, 8}));  // soon over
    CHECK_FALSE(may("abc->cb", {16, 16, 8}, 1));
    CHECK(may("abc->ab", {16, 16, 8}));  // one loop here, but two of a view
    CHECK_FALSE(may("abc->", {16, 16, 8}));
    CHECK_FALSE(may("abc->cba", {16, 16, 8}));
    CHECK(may("abc->cb", {3, 256, 256}));
    CHECK_FALSE(may("abc->cb", {3, 256, 257}));  // more than 256 KiB
    CHECK_FALSE(may_permute_results(built_table("abc,abc->cb", {{16, 16, 8}, {16, 16, 8}}).get(),
                                    vectors_of_8));
}

TEST_CASE("a sum pays for its lines and for the permute of its results") {
    const auto cycles = [](const char* equation, const std::vector<std::int64_t>& shape) {
        return permuted_sum(built_table(equation, {shape}).get()).cycles(vectors_of_8);
    };
    // Inner loops are one stretch of the input: 30 x 20 are lines as long as 600.
    CHECK(cycles("abcd->dcb", {9, 40, 30, 20}) < 1.2 * cycles("abc->cb", {9, 40, 600}));
    // Terms cost no permute.
    const double few = cycles("abc->cb", {10, 40, 60});
    const double many = cycles("abc->cb", {20, 40, 60});
    CHECK(many > few);
    CHECK(many < 2 * few);
}
