#include <xeinsum/kernel/permute/arrange.hpp>

#include "../../support/both.hpp"

#include <array>
#include <cstdint>

using xeinsum::kernel::arrange;
using xeinsum::kernel::arrangement;
using xeinsum::kernel::leading_array;
using xeinsum::kernel::vector_loop;

TEST_CASE("a loop that output and inputs follow side by side runs in vectors") {
    support::check_both([] {  // "ij->j" on (5,9)
        std::array<std::int64_t, 6> rows{9, 1, 1, 5, 0, 9};
        arrangement a{rows.data(), 3, 1, 1, 2};
        return arrange(a, 8) == vector_loop::output && a.extent(0) == 9 && a.extent(1) == 5;
    });
}

TEST_CASE("a sum that the inputs follow side by side runs in vectors where the output does not") {
    support::check_both([] {  // "ij->i" on (5,9)
        std::array<std::int64_t, 6> rows{5, 1, 9, 9, 0, 1};
        arrangement a{rows.data(), 3, 1, 1, 2};
        return arrange(a, 8) == vector_loop::contracted;
    });
}

TEST_CASE("a short output loop leaves the vectors to a long sum") {
    support::check_both([] {  // "ijk,ik->ij..." with all strides 1 somewhere
        std::array<std::int64_t, 8> rows{3, 1, 1, 0, 100, 0, 1, 1};
        arrangement a{rows.data(), 4, 2, 1, 2};
        return arrange(a, 8) == vector_loop::contracted;
    });
    support::check_both([] {
        std::array<std::int64_t, 8> rows{16, 1, 1, 0, 100, 0, 1, 1};
        arrangement a{rows.data(), 4, 2, 1, 2};
        return arrange(a, 8) == vector_loop::output;
    });
}

TEST_CASE("nothing side by side, no vectors") {
    support::check_both([] {  // "ij->ji": the output's close loop is the input's far one
        std::array<std::int64_t, 6> rows{5, 1, 9, 9, 5, 1};
        arrangement a{rows.data(), 3, 1, 2, 2};
        return arrange(a, 8) == vector_loop::none;
    });
}

TEST_CASE("long strides are outside, the vector loop is the last of its kind") {
    support::check_both([] {
        // extent, out, in: three output loops and three sums, in disorder
        std::array<std::int64_t, 18> rows{3, 1, 1, 4, 50, 700, 5, 10, 60,  //
                                          6, 0, 5, 7, 0,  300, 8, 0,  40};
        arrangement a{rows.data(), 3, 1, 3, 6};
        return arrange(a, 2) == vector_loop::output && a.extent(0) == 4 && a.extent(1) == 5 &&
               a.extent(2) == 3 && a.extent(3) == 7 && a.extent(4) == 8 && a.extent(5) == 6;
    });
}

TEST_CASE("loops follow an input that is much larger than the output") {
    support::check_both([] {
        // "kabc->ba": the output's order is b a, the input's a b, and the input is far larger
        std::array<std::int64_t, 12> rows{5, 3, 60, 3, 1, 300, 60, 0, 1, 90, 0, 900};
        arrangement a{rows.data(), 3, 1, 2, 4};
        return leading_array(a) == 1 && arrange(a, 8) == vector_loop::contracted &&
               a.extent(0) == 3 && a.extent(1) == 5;
    });
    support::check_both([] {
        std::array<std::int64_t, 6> rows{5, 3, 1, 3, 1, 5};
        const arrangement a{rows.data(), 3, 1, 2, 2};
        return leading_array(a) == 0;
    });
    support::check_both([] {
        // "kab->ba": an input that is twice, and three times, as large
        std::array<std::int64_t, 9> rows{5, 3, 1, 3, 1, 5, 2, 0, 15};
        const arrangement a{rows.data(), 3, 1, 2, 3};
        const bool twice = leading_array(a) == 0;
        rows[6] = 3;
        return twice && leading_array(a) == 1;
    });
}

TEST_CASE("without vectors the closest loop that is long enough gives the rows") {
    support::check_both([] {
        std::array<std::int64_t, 9> rows{9, 100, 2, 4, 10, 30, 3, 2, 300};
        arrangement a{rows.data(), 3, 1, 3, 3};
        return arrange(a, 8) == vector_loop::none && a.extent(0) == 9 && a.extent(1) == 3 &&
               a.extent(2) == 4;
    });
}
