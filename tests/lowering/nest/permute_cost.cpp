#include <xeinsum/lowering/nest/permute_cost.hpp>

#include "../../support/table_of.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

using support::built_table;
using xeinsum::lowerings::permute_cycles;
using xeinsum::planning::target;

namespace {

double cycles(const char* equation, const std::vector<std::int64_t>& shape, const target& on) {
    return permute_cycles(built_table(equation, {shape}).get(), on);
}

}  // namespace

TEST_CASE("tiles cost their beginning and their squares, whose last ones lie over those before") {
    const target on{.lanes = 8};
    const double one = cycles("ij->ji", {16, 24}, on);
    CHECK(cycles("ij->ji", {10, 24}, on) == doctest::Approx(one));
    CHECK(cycles("bij->bji", {30, 16, 24}, on) == doctest::Approx(30 * one));
    // The next tile begins behind 256 rows or columns.
    const double two = cycles("ij->ji", {16, 512}, on) - 2 * cycles("ij->ji", {16, 256}, on);
    CHECK(two == doctest::Approx(0));
    CHECK(cycles("ij->ji", {64, 64}, on) < 64 * 64);
}

TEST_CASE("small matrices, and elements that have no squares, cost each element the same") {
    const target on{.lanes = 8};
    const double each = cycles("bij->bji", {100, 3, 5}, on) / (100 * 3 * 5);
    CHECK(each > 1);
    CHECK(cycles("bij->bji", {100, 9, 10}, on) == doctest::Approx(100 * 9 * 10 * each));
    CHECK(cycles("->", {}, on) == doctest::Approx(each));
    CHECK(cycles("ij->ji", {0, 70}, on) == 0);
    const target bytes{.element_bytes = 1, .lanes = 32};
    CHECK(cycles("ij->ji", {80, 70}, bytes) == doctest::Approx(80 * 70 * each));
    const target large{.element_bytes = 128, .lanes = 1};
    CHECK(cycles("ij->ji", {80, 70}, large) == doctest::Approx(80 * 70 * each));
    const target scalars{.lanes = 1};
    CHECK(cycles("ij->ji", {80, 70}, scalars) == doctest::Approx(80 * 70 * each));
}

TEST_CASE("registers that are shuffled in halves cost twice as much") {
    target whole{.lanes = 16};
    whole.tuned.multiplies_whole_registers = true;
    target halves{.lanes = 16};
    halves.tuned.multiplies_whole_registers = false;
    const double begins = 130;
    CHECK(cycles("ij->ji", {64, 128}, halves) - begins ==
          doctest::Approx(2 * (cycles("ij->ji", {64, 128}, whole) - begins)));
}
