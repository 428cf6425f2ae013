#include <xeinsum/kernel/reduce/nest_shapes.hpp>

#include <doctest/doctest.h>

using xeinsum::kernel::is_group;
using xeinsum::kernel::multiply_reduce_scratch_bytes;
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
    CHECK(transposed_nest_scratch_bytes(3, 8) == 3 * 256 * 64 * 8);
}
