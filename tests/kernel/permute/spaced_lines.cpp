#include <xeinsum/kernel/permute/spaced_lines.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

using xeinsum::kernel::even_lines;
using xeinsum::kernel::lines_in_runs;
using xeinsum::kernel::listed_lines;

TEST_CASE("lines begin a stride apart, also behind the first ones and backwards") {
    const int memory[40]{};
    const int* begin = memory + 2;
    CHECK(even_lines{7}.at(begin, 3) == memory + 23);
    const even_lines rest = even_lines{7}.without(2, begin);
    CHECK(begin == memory + 16);
    CHECK(rest.at(begin, 1) == memory + 23);
    CHECK(even_lines{-5}.at(memory + 30, 4) == memory + 10);
}

TEST_CASE("lines begin where a table says, also behind the first ones") {
    const int memory[40]{};
    const std::int64_t offsets[] = {5, 31, 8, 17};
    const int* begin = memory + 1;
    const listed_lines lines{offsets};
    CHECK(lines.at(begin, 1) == memory + 32);
    const listed_lines rest = lines.without(2, begin);
    CHECK(begin == memory + 1);
    CHECK(rest.at(begin, 0) == memory + 9);
    CHECK(rest.at(begin, 1) == memory + 18);
}

TEST_CASE("lines follow each other where the stride is their length, which a table does not tell") {
    CHECK(even_lines{6}.follow(6));
    CHECK_FALSE(even_lines{6}.follow(5));
    CHECK_FALSE(even_lines{-6}.follow(6));
    const std::int64_t offsets[] = {0, 6};
    CHECK_FALSE(listed_lines{offsets}.follow(6));
}

TEST_CASE("a walk goes through runs of lines, from within one on") {
    const int memory[200]{};
    // Runs of three lines, 5 apart; nothing is read behind the last one.
    const std::vector<std::int64_t> offsets{40, 45, 50, 7, 12, 17, 90, 95};
    for (std::size_t first = 0; first < offsets.size(); ++first) {
        const lines_in_runs lines{{offsets.data() + first}, 5, 3, first % 3};
        CHECK(lines.at(memory, 0) == memory + offsets[first]);
        auto walk = lines.walk(memory);
        for (std::size_t i = first; i < offsets.size(); ++i) {
            CHECK(walk.next() == memory + offsets[i]);
        }
    }
}

TEST_CASE("lines of runs of one are all read from the table") {
    const int memory[100]{};
    const std::int64_t offsets[]{9, 80, 3, 4};
    auto walk = lines_in_runs{{offsets}, 0, 1, 0}.walk(memory);
    for (const std::int64_t offset : offsets) {
        CHECK(walk.next() == memory + offset);
    }
}
