#include <xeinsum/lowering/memory_cost.hpp>

#include "../support/table_of.hpp"

#include <doctest/doctest.h>

using support::built_table;
using xeinsum::lowerings::bytes_moved;
using xeinsum::lowerings::overlapped;
using xeinsum::lowerings::transfer_seconds;
using xeinsum::lowerings::wait_cycles;

namespace {

constexpr xeinsum::planning::target vectors_of_8{.core = {.hertz = 1e9,
                                                          .bytes_per_second = 1e9,
                                                          .cached_bytes_per_second = 1e10,
                                                          .near_bytes_per_second = 1e11,
                                                          .cache_bytes = 1 << 22U,
                                                          .near_cache_bytes = 1 << 17U,
                                                          .first_cache_bytes = 1 << 13U,
                                                          .cached_line_cycles = 4,
                                                          .distant_line_cycles = 16,
                                                          .page_cycles = 64},
                                                 .lanes = 8};

/// The wait for input 1 along the loop of the given extent.
double wait(const char* equation, const support::operand_shapes& shapes, std::int64_t extent) {
    built_table t(equation, shapes);
    std::size_t row = 0;
    while (t.get().extent(row) != extent) {
        ++row;
    }
    return wait_cycles(t.get(), row, 1, vectors_of_8);
}

}  // namespace

TEST_CASE("every array moves once") {
    CHECK(bytes_moved(built_table("ij,jk->ik", {{20, 30}, {30, 40}}).get(), vectors_of_8) ==
          4 * (600 + 1200 + 800));
}

TEST_CASE("large arrays move at the memory's pace") {
    CHECK(transfer_seconds(1e9, vectors_of_8) == doctest::Approx(1));
    CHECK(transfer_seconds(4e6, vectors_of_8) == doctest::Approx(4e-4));
    CHECK(transfer_seconds(1e5, vectors_of_8) == doctest::Approx(1e-6));
    CHECK(transfer_seconds(8e3, vectors_of_8) == 0);
}

TEST_CASE("half of the shorter of computing and moving is hidden") {
    CHECK(overlapped(1e9, 3, vectors_of_8) == doctest::Approx(3.5));
    CHECK(overlapped(6e9, 2, vectors_of_8) == doctest::Approx(7));
}

TEST_CASE("a step waits for the part of a line that it moves on") {
    CHECK(wait("ij->j", {{700, 900}}, 900) == doctest::Approx(4.0 / 16));
    CHECK(wait("ij->j", {{7000, 900}}, 900) == doctest::Approx(16.0 / 16));
    CHECK(wait("ij->j", {{70, 90}}, 70) == 0);
}

TEST_CASE("lines that are used again soon are still there") {
    // 700 lines between one j and the next, 9000 lines, and lines of 9000 pages
    CHECK(wait("ij->j", {{700, 900}}, 700) == doctest::Approx(4.0 / 16));
    CHECK(wait("ij->j", {{9000, 100}}, 9000) == 4);
    CHECK(wait("ij->j", {{9000, 1100}}, 9000) == 64);
}

TEST_CASE("lines of a near array wait where they share a set") {
    CHECK(wait("ij->j", {{20, 1024}}, 20) == 4);
    CHECK(wait("ij->j", {{20, 1025}}, 20) == 0);
}

TEST_CASE("elements on lines of their own bring more than their bytes") {
    const auto apart = [](std::int64_t extent) {
        built_table t("i->i", {{extent}});
        t.get().stride(0, 1) = 31;
        return wait_cycles(t.get(), 0, 1, vectors_of_8);
    };
    CHECK(apart(3000) == 4);
    CHECK(apart(300) == 0);
}
