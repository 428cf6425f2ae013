#include <xeinsum/plan/step/split.hpp>

#include "../../support/table_of.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <numeric>
#include <vector>

using support::built_table;
using xeinsum::mode_cut;
using xeinsum::work_split;
using xeinsum::planning::target;

namespace {

/// Cuts as for a step of many seconds; units are given row by row, 1 where none is.
work_split split_of(built_table& t, std::uint32_t threads, double seconds = 1,
                    std::vector<std::int64_t> units = {}, std::size_t scratch_bytes = 0) {
    target on;
    on.threads = threads;
    units.resize(t.get().size(), 1);
    return xeinsum::planning::splitter(t.get(), on, seconds, scratch_bytes, units).choose();
}

std::size_t row_of(built_table& t, std::int64_t extent) {
    std::size_t m = 0;
    while (t.get().extent(m) != extent) {
        ++m;
    }
    return m;
}

}  // namespace

TEST_CASE("pieces of a mode are whole units, cover it once and differ by one unit at most") {
    for (const std::int64_t extent : {1, 16, 17, 100, 103}) {
        for (const std::int64_t unit : {1, 6, 16}) {
            const std::int64_t units = (extent + unit - 1) / unit;
            for (std::int64_t pieces = 1; pieces <= units; ++pieces) {
                const mode_cut cut{0, static_cast<std::uint32_t>(pieces), unit};
                CHECK(cut.begin(0, extent) == 0);
                CHECK(cut.begin(static_cast<std::size_t>(pieces), extent) == extent);
                for (std::size_t p = 0; p < static_cast<std::size_t>(pieces); ++p) {
                    CHECK(cut.begin(p, extent) % unit == 0);
                    const std::int64_t length = cut.begin(p + 1, extent) - cut.begin(p, extent);
                    CHECK(length > 0);
                    CHECK((length + unit - 1) / unit <= units / pieces + 1);
                }
            }
        }
    }
}

TEST_CASE("one thread, or a short step, cuts no output") {
    built_table t("ij,jk->ik", {{60, 70}, {70, 80}});
    CHECK_FALSE(split_of(t, 1).is_cut());
    CHECK(split_of(t, 2).is_cut());
    const double piece = target{}.core.piece_seconds;
    CHECK_FALSE(split_of(t, 8, 1.9 * piece).is_cut());
    CHECK(split_of(t, 8, 3.5 * piece).pieces() == 3);
}

TEST_CASE("the mode that is cut shares work equally, and the pieces share few elements") {
    built_table product("ij,jk->ik", {{600, 70}, {70, 80}});
    const work_split rows = split_of(product, 4);
    CHECK(rows.cuts[0].row == row_of(product, 600));
    CHECK(rows.workers == 4);
    CHECK_FALSE(rows.between_terms);

    built_table wide("ij,jk->ik", {{60, 70}, {70, 800}});
    CHECK(split_of(wide, 4).cuts[0].row == row_of(wide, 800));

    // Three batches are no work for four threads, unless rows are cut too.
    built_table batched("bij,bjk->bik", {{3, 64, 70}, {3, 70, 80}});
    CHECK(split_of(batched, 3).cuts[0].row == row_of(batched, 3));
    CHECK(split_of(batched, 4).cuts[0].row != row_of(batched, 3));
}

TEST_CASE("two modes are cut where one is too short for all threads") {
    built_table t("bij,bjk->bik", {{4, 8, 70}, {4, 70, 6}});
    const work_split split = split_of(t, 32);
    CHECK(split.pieces() == 32);
    CHECK(split.cuts[0].pieces == 8);
    CHECK(split.cuts[1].pieces == 4);
    CHECK(split.cuts[0].row != split.cuts[1].row);
}

TEST_CASE("few results: sums are cut, the same for any number of threads") {
    built_table t("ki,kj->ij", {{5000, 3}, {5000, 5}});
    const work_split one = split_of(t, 1);
    CHECK(one.between_terms);
    CHECK(one.pieces() == 16);
    CHECK(one.workers == 1);
    CHECK(one.cuts[0].row == row_of(t, 5000));
    CHECK(one.partial_bytes == 16 * 64);  // 15 floats in a cache line each
    for (const std::uint32_t threads : {2U, 7U, 100U}) {
        const work_split many = split_of(t, threads);
        CHECK(many.cuts[0].row == one.cuts[0].row);
        CHECK(many.pieces() == one.pieces());
        CHECK(many.partial_bytes == one.partial_bytes);
        CHECK(many.workers == std::min(threads, 16U));
    }
    CHECK(split_of(t, 1, 5.5 * target{}.core.piece_seconds).pieces() == 5);
    // Results are cut instead where they have as many units.
    built_table short_sums("ki,kj->ij", {{15, 3}, {15, 5}});
    CHECK_FALSE(split_of(short_sums, 1).is_cut());
    CHECK_FALSE(split_of(short_sums, 4).between_terms);
    built_table longer("ki,kj->ij", {{16, 3}, {16, 5}});
    CHECK(split_of(longer, 1).between_terms);
}

TEST_CASE("on one thread only sums for few results depend on the time") {
    const auto depends = [](const char* text, const support::operand_shapes& shapes,
                            std::uint32_t threads, std::int64_t unit_of_rows) {
        built_table t(text, shapes);
        target on;
        on.threads = threads;
        std::vector<std::int64_t> units;
        for (std::size_t m = 0; m < t.get().size(); ++m) {
            units.push_back(t.get().survives(m) ? unit_of_rows : 1);
        }
        return xeinsum::planning::splitter(t.get(), on, 0, 0, units).depends_on_time();
    };
    CHECK(depends("ki,kj->ij", {{5000, 3}, {5000, 5}}, 1, 1));
    CHECK_FALSE(depends("ki,kj->ij", {{5000, 4}, {5000, 5}}, 1, 1));
    CHECK(depends("ki,kj->ij", {{5000, 4}, {5000, 5}}, 1, 2));
    CHECK(depends("ki,kj->ij", {{5000, 4}, {5000, 5}}, 2, 1));
    CHECK_FALSE(depends("i,j->ij", {{3}, {5}}, 1, 1));
}

TEST_CASE("units keep modes whole") {
    built_table t("ij->ij", {{3, 40}});  // fuses into one mode of 120
    CHECK(split_of(t, 4, 1, {120}).is_cut() == false);
    CHECK(split_of(t, 4, 1, {0}).is_cut() == false);
    CHECK(split_of(t, 4, 1, {40}).pieces() == 3);
}

TEST_CASE("more threads than scratch memory is worth are not counted on") {
    // 3 * 2000^2 floats; 4 times as many are the scratch of 240 pieces.
    built_table t("ij,jk->ik", {{2000, 2000}, {2000, 2000}});
    constexpr std::size_t scratch = 800'000;
    const auto workers = [&](std::uint32_t threads, std::size_t bytes) {
        return split_of(t, threads, 1, {}, bytes).workers;
    };
    CHECK(workers(1000, 0) == 1000);
    CHECK(workers(1000, scratch) == 240);
    CHECK(workers(100, scratch) == 100);
    CHECK(workers(1000, 100 * scratch) == 64);
    CHECK(workers(60, 100 * scratch) == 60);
}

TEST_CASE("types with one pass only are not cut") {
    built_table t("ij,jk->ik", {{60, 70}, {70, 80}});
    target on;
    on.threads = 4;
    on.fused_only = true;
    const std::vector<std::int64_t> units(t.get().size(), 1);
    CHECK_FALSE(xeinsum::planning::splitter(t.get(), on, 1, 0, units).choose().is_cut());
}
