#include <xeinsum/kernel/reduce/nest_shapes.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

using xeinsum::kernel::dense_results;
using xeinsum::kernel::is_group;
using xeinsum::kernel::multiply_reduce_scratch_bytes;
using xeinsum::kernel::set_dense;
using xeinsum::kernel::sums_in_scratch;
using xeinsum::kernel::transposed_nest_scratch_bytes;
using xeinsum::kernel::vector_loop;

TEST_CASE("groups of lanes fill at most half a register") {
    CHECK(is_group(3, 8));
    CHECK(is_group(4, 8));
    CHECK_FALSE(is_group(5, 16));
    CHECK_FALSE(is_group(8, 8));
}

TEST_CASE("sums of inputs in DRAM wait in scratch where lines have further terms") {
    CHECK(sums_in_scratch(vector_loop::output, 1, true, true));
    CHECK_FALSE(sums_in_scratch(vector_loop::contracted, 1, true, true));
    CHECK(sums_in_scratch(vector_loop::contracted, 2, true, true));
    CHECK_FALSE(sums_in_scratch(vector_loop::contracted, 2, true, false));
    CHECK_FALSE(sums_in_scratch(vector_loop::none, 2, true, true));
}

TEST_CASE("few inputs need no scratch, further ones a cursor each, transposed ones a tile each") {
    CHECK(multiply_reduce_scratch_bytes(4, false) == 0);
    CHECK(multiply_reduce_scratch_bytes(6, false) % 6 == 0);
    CHECK(multiply_reduce_scratch_bytes(6, false) > 0);
    CHECK(multiply_reduce_scratch_bytes(2, true) > 200'000);
    CHECK(transposed_nest_scratch_bytes(3, 1e5, 8) == 3 * 256 * 64 * 8);
    // of few iterations whole cache lines
    CHECK(transposed_nest_scratch_bytes(3, 600, 8) == 3 * 600 * 8);
    CHECK(transposed_nest_scratch_bytes(3, 601, 8) == 3 * 608 * 8);
}

TEST_CASE("results in the order of their loops: inner ones that are one stretch of the input") {
    // extent, stride in the output, stride in the input, of "abcde->edba" with a gap behind 7 d
    const std::vector<std::int64_t> loops{3, 1, 1400, 5, 3, 280, 7, 15, 30, 6, 105, 5, 5, 630, 1};
    std::vector<std::int64_t> rows(15, -1);
    CHECK(dense_results({loops.data(), 3, 5}, rows.data()) == 3);
    // 6 x 5 and 7 x 30 become one, 3 and 5 do not, though 5 x 280 is 1400: 3 stays alone
    CHECK(rows == std::vector<std::int64_t>{3, 1050, 1400, 5, 210, 280, 210, 1, 1,  //
                                            -1, -1, -1, -1, -1, -1});
}

TEST_CASE("strides of an array whose elements follow each other in the order of its rows") {
    std::vector<std::int64_t> rows{3, -1, -1, -1, 5, -1, -1, -1, 7, -1, -1, -1};
    CHECK(set_dense(rows.data(), 4, 3, 1) == 105);
    CHECK(rows == std::vector<std::int64_t>{3, -1, 35, -1, 5, -1, 7, -1, 7, -1, 1, -1});
    CHECK(set_dense(rows.data(), 4, 0, 1) == 1);
}
