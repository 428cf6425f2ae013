#include <xeinsum/plan/step/mode_table.hpp>

#include "../../support/both.hpp"

#include <array>
#include <cstdint>

using xeinsum::index_class;
using xeinsum::mode_table;
using xeinsum::planning::fuse;
using xeinsum::planning::has_fusible;
using xeinsum::planning::survivors_first;
using cells = std::array<std::int64_t, 64>;

namespace {

/// Adds a mode with strides in the output and two inputs.
constexpr void add(mode_table& t, std::int64_t extent, index_class c, std::int64_t out,
                   std::int64_t lhs, std::int64_t rhs) {
    const std::size_t m = t.push(extent);
    t.stride(m, 0) = out;
    t.stride(m, 1) = lhs;
    t.stride(m, 2) = rhs;
    t.set_kind(m, c);
}

}  // namespace

TEST_CASE("rows hold extent, strides and class") {
    support::check_both([] {
        cells memory{};
        mode_table t(memory.data(), 2);
        add(t, 3, index_class::contracted, 0, 1, 4);
        add(t, 2, index_class::lhs_free, 4, 3, 0);
        t.swap_rows(0, 1);
        t.swap_inputs(0, 1);
        return t.size() == 2 && t.extent(0) == 2 && t.stride(0, 0) == 4 && t.stride(0, 1) == 0 &&
               t.stride(0, 2) == 3 && t.kind(1) == index_class::contracted && t.survives(0) &&
               !t.survives(1) && t.output_count() == 1;
    });
}

TEST_CASE("products over modes") {
    support::check_both([] {
        cells memory{};
        mode_table t(memory.data(), 2);
        add(t, 2, index_class::lhs_free, 4, 3, 0);
        add(t, 5, index_class::rhs_free, 1, 0, 1);
        add(t, 3, index_class::contracted, 0, 1, 5);
        return t.iterations() == 30 && t.elements(0) == 10 && t.elements(1) == 6 &&
               t.elements(2) == 15 && t.extent_of(index_class::rhs_free) == 5 &&
               t.extent_of(index_class::batch) == 1 && t.has(index_class::contracted) &&
               t.has(index_class::lhs_free) && !t.has(index_class::batch);
    });
}

TEST_CASE("iterations are counted up to a number, however many there are") {
    support::check_both([] {
        cells memory{};
        mode_table t(memory.data(), 2);
        const bool one = t.has_at_most(1) && !t.has_at_most(0);
        add(t, 2, index_class::lhs_free, 4, 3, 0);
        add(t, 5, index_class::rhs_free, 1, 0, 1);
        add(t, 3, index_class::contracted, 0, 1, 5);
        const bool few = t.has_at_most(30) && t.has_at_most(31) && !t.has_at_most(29);
        // Their product is no number.
        add(t, std::int64_t{1} << 61U, index_class::batch, 0, 1, 5);
        return one && few && !t.has_at_most(std::int64_t{1} << 31U);
    });
}

TEST_CASE("a sum of one input alone is one-sided") {
    support::check_both([] {
        cells memory{};
        mode_table t(memory.data(), 2);
        add(t, 2, index_class::lhs_free, 1, 3, 0);
        add(t, 3, index_class::contracted, 0, 1, 1);
        const bool before = t.has_one_sided_sum();
        add(t, 5, index_class::rhs_only, 0, 0, 3);
        const bool after = t.has_one_sided_sum();
        t.set_kind(2, index_class::lhs_only);
        return !before && after && t.has_one_sided_sum() && t.is_one_sided(2) &&
               !t.is_one_sided(0) && !t.is_one_sided(1);
    });
}

TEST_CASE("a table knows the classes of its modes") {
    support::check_both([] {
        cells memory{};
        mode_table t(memory.data(), 2);
        t.set_kind(t.push(3), index_class::lhs_free);
        t.set_kind(t.push(4), index_class::contracted);
        return t.has(index_class::lhs_free) && t.has(index_class::contracted) &&
               !t.has(index_class::batch) && !t.has(index_class::rhs_only) &&
               t.has_both(index_class::contracted, index_class::lhs_free) &&
               !t.has_both(index_class::lhs_free, index_class::rhs_free);
    });
}

TEST_CASE("modes of one class fuse where every array runs on") {
    support::check_both([] {
        cells memory{};
        mode_table t(memory.data(), 2);
        // n c t of "nctv,vw->nctw" on (2,3,4,5) and (5,6): 24 rows in one.
        add(t, 2, index_class::lhs_free, 72, 60, 0);
        add(t, 3, index_class::lhs_free, 24, 20, 0);
        add(t, 4, index_class::lhs_free, 6, 5, 0);
        add(t, 5, index_class::contracted, 0, 1, 6);
        add(t, 6, index_class::rhs_free, 1, 0, 1);
        if (!has_fusible(t)) {
            return false;
        }
        fuse(t);
        survivors_first(t);
        const bool first_is_rows = t.extent(0) == 24;
        const std::size_t rows = first_is_rows ? 0 : 1;
        return !has_fusible(t) && t.size() == 3 && t.output_count() == 2 && t.extent(rows) == 24 &&
               t.stride(rows, 0) == 6 && t.stride(rows, 1) == 5 && t.stride(rows, 2) == 0 &&
               t.kind(2) == index_class::contracted;
    });
}

TEST_CASE("modes do not fuse over a gap, in one array out of three or across classes") {
    support::check_both([] {
        cells memory{};
        mode_table t(memory.data(), 2);
        add(t, 2, index_class::lhs_free, 7, 6, 0);  // the output has a gap
        add(t, 3, index_class::lhs_free, 2, 2, 0);
        const bool may = has_fusible(t);
        fuse(t);
        return !may && t.size() == 2;
    });
    support::check_both([] {
        cells memory{};
        mode_table t(memory.data(), 2);
        add(t, 2, index_class::batch, 3, 3, 3);
        add(t, 3, index_class::lhs_free, 1, 1, 1);
        const bool may = has_fusible(t);
        fuse(t);
        return !may && t.size() == 2;
    });
}

TEST_CASE("reversed modes fuse as well") {
    support::check_both([] {
        cells memory{};
        mode_table t(memory.data(), 2);
        add(t, 2, index_class::batch, -3, -3, -3);
        add(t, 3, index_class::batch, -1, -1, -1);
        const bool may = has_fusible(t);
        fuse(t);
        return may && t.size() == 1 && t.extent(0) == 6 && t.stride(0, 0) == -1;
    });
}

TEST_CASE("a mode is split in place") {
    std::vector<std::int64_t> memory(4 * mode_table::row_length(1));
    mode_table table(memory.data(), 1);
    for (const std::int64_t extent : {3, 12, 5}) {
        const std::size_t m = table.push(extent);
        table.stride(m, 0) = extent * 10;
        table.stride(m, 1) = -extent;
        table.set_kind(m, xeinsum::index_class::lhs_free);
    }
    table.split(1, 4);
    REQUIRE(table.size() == 4);
    CHECK(table.extent(0) == 3);
    CHECK(table.extent(1) == 3);
    CHECK(table.stride(1, 0) == 480);
    CHECK(table.stride(1, 1) == -48);
    CHECK(table.kind(1) == xeinsum::index_class::lhs_free);
    CHECK(table.extent(2) == 4);
    CHECK(table.stride(2, 0) == 120);
    CHECK(table.stride(2, 1) == -12);
    CHECK(table.extent(3) == 5);
    CHECK(table.stride(3, 0) == 50);
}

TEST_CASE("a row is cleared for more inputs than it has") {
    support::check_both([] {
        std::array<std::int64_t, 14> memory{};
        for (std::int64_t& c : memory) {
            c = 9;
        }
        mode_table t(memory.data(), 1);
        t.push<4>(5);
        t.push<4>(7);
        return t.size() == 2 && t.extent(0) == 5 && t.extent(1) == 7 && t.stride(0, 1) == 0 &&
               t.stride(1, 0) == 0 && t.stride(1, 1) == 0 && memory[8] == 0 && memory[11] == 9;
    });
}

TEST_CASE("the class of a mode among any number of inputs") {
    using xeinsum::planning::class_among;
    static_assert(class_among(1, true, false, true) == index_class::lhs_free);
    static_assert(class_among(1, true, false, false) == index_class::lhs_only);
    static_assert(class_among(2, false, true, true) == index_class::rhs_free);
    static_assert(class_among(2, true, true, false) == index_class::contracted);
    static_assert(class_among(3, true, false, false) == index_class::contracted);
    static_assert(class_among(3, false, false, true) == index_class::lhs_free);
}
