#include <xeinsum/plan/step/one_step.hpp>

#include <xeinsum/lowering/lowerings.hpp>
#include <xeinsum/plan/planner.hpp>

#include "../../support/both.hpp"
#include "../../support/shared_planner.hpp"
#include "../../support/table_of.hpp"
#include "../../support/targets.hpp"
#include "../../support/with_layouts.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

using support::avx2;
using support::shapes;
using support::with_layouts;
using xeinsum::layout_view;
using xeinsum::lowering;
using xeinsum::mode_table;
using xeinsum::planning::one_step;

constexpr const auto& every = xeinsum::lowerings::all::decide;

namespace {

void check_fill(std::string_view text, const shapes& operands,
                const std::vector<std::int64_t>& output) {
    CAPTURE(text);
    with_layouts(text, operands, output, [&](const auto& net, const auto& views, const auto& out) {
        support::built_table expected(text, operands);
        std::vector<std::int64_t> cells(200, 77);
        mode_table found(cells.data(), operands.size());
        CHECK(xeinsum::planning::fill_table(found, net, views, out));
        REQUIRE(found.size() == expected.get().size());
        for (std::size_t m = 0; m < found.size(); ++m) {
            for (std::size_t c = 0; c < found.pitch(); ++c) {
                CHECK(found.row(m)[c] == expected.get().row(m)[c]);
            }
        }
    });
}

lowering chosen(std::string_view text, const shapes& operands,
                const std::vector<std::int64_t>& output,
                const xeinsum::planning::target& on = avx2) {
    return with_layouts(
        text, operands, output, [&](const auto& net, const auto& views, const auto& out) {
            one_step plan(every);
            return plan.make(net, views, out, on) ? plan.how().chosen : lowering::automatic;
        });
}

lowering obvious(std::string_view text, const shapes& operands,
                 const std::vector<std::int64_t>& output) {
    return with_layouts(text, operands, output,
                        [&](const auto& net, const auto& views, const auto& out) {
                            one_step plan(every);
                            return plan.make_obvious(net, views, out, avx2) ? plan.how().chosen
                                                                            : lowering::automatic;
                        });
}

/// Whether it is the step that the general way makes.
void check_alike(std::string_view text, const shapes& operands,
                 const std::vector<std::int64_t>& output) {
    CAPTURE(text);
    with_layouts(text, operands, output, [&](const auto& net, const auto& views, const auto& out) {
        xeinsum::basic_plan_data<xeinsum::plan_storage> data;
        xeinsum::planning::planner<xeinsum::plan_storage, xeinsum::lowerings::all> planner(
            net, views, {}, avx2, data);
        REQUIRE(planner.measure().ok());
        REQUIRE(planner.make(out).ok());
        one_step plan(every);
        REQUIRE(plan.make(net, views, out, avx2));
        REQUIRE(data.steps.size() == 1);
        const xeinsum::step& s = data.steps[0];
        CHECK(plan.how().chosen == s.how.chosen);
        CHECK(plan.how().variant == s.how.variant);
        CHECK(plan.how().nest.along == s.how.nest.along);
        CHECK(plan.how().swapped == s.how.swapped);
        CHECK(plan.how().groups == s.how.groups);
        CHECK(plan.how().split.pieces() == s.how.split.pieces());
        CHECK(plan.how().split.between_terms == s.how.split.between_terms);
        // The general way is ready for other layouts.
        CHECK(plan.how().scratch_bytes <= s.how.scratch_bytes);
        REQUIRE(plan.modes() == s.mode_count);
        const std::size_t cells = plan.modes() * mode_table::row_length(s.input_count);
        CHECK(std::equal(plan.cells(), plan.cells() + cells, data.cells.data() + s.cells_begin));
    });
}

}  // namespace

TEST_CASE("axes become the modes that terms become") {
    check_fill("ij,jk->ik", {{4, 5}, {5, 6}}, {4, 6});
    check_fill("nkctv,kvw->nctw", {{2, 3, 4, 5, 6}, {3, 6, 7}}, {2, 4, 5, 7});
    check_fill("ij,jk->k", {{4, 5}, {5, 6}}, {6});
    check_fill("ij->j", {{4, 5}}, {5});
    check_fill("bij,bj,b->bi", {{2, 3, 4}, {2, 4}, {2}}, {2, 3});
}

TEST_CASE("a diagonal adds strides, extents of 1 leave nothing") {
    support::check_both([] {
        // "iij,kj->i" on (3,3,4) and (1,1)
        constexpr std::array<xeinsum::label, 5> axes{0, 0, 1, 2, 1};
        constexpr std::array<std::size_t, 2> ends{3, 5};
        constexpr std::array<xeinsum::label, 1> output{0};
        const xeinsum::network_view net{axes, ends, output, 3, 3};
        constexpr std::array<std::int64_t, 3> ea{3, 3, 4}, sa{12, 4, 1};
        constexpr std::array<std::int64_t, 2> eb{1, 1}, sb{0, 0};
        constexpr std::array<std::int64_t, 1> so{2};
        const std::array<layout_view, 2> layouts{layout_view{ea, sa}, {eb, sb}};
        std::array<std::int64_t, 50> cells{};
        mode_table t(cells.data(), 2);
        return xeinsum::planning::fill_table(t, net, layouts, so) && t.size() == 2 &&
               t.stride(0, 1) == 16 && t.stride(0, 2) == 0 && t.stride(0, 0) == 2 &&
               t.kind(0) == xeinsum::index_class::lhs_free && t.extent(1) == 4 &&
               t.kind(1) == xeinsum::index_class::lhs_only;
    });
}

TEST_CASE("what is obvious is planned without predictions") {
    CHECK(obvious("ij,jk->ik", {{8, 8}, {8, 8}}, {8, 8}) == lowering::gemm);
    CHECK(obvious("ij,jk->ik", {{800, 800}, {800, 800}}, {800, 800}) == lowering::automatic);
    CHECK(obvious("ij->ji", {{8, 9}}, {9, 8}) == lowering::broadcast_multiply_reduce);
    CHECK(obvious("ij->ji", {{80, 90}}, {90, 80}) == lowering::broadcast_multiply_reduce);
    CHECK(obvious("ij->ji", {{800, 90}}, {90, 800}) == lowering::automatic);
    CHECK(obvious("i,i->", {{30000}, {30000}}, {}) == lowering::broadcast_multiply_reduce);
    CHECK(obvious("i,j->ij", {{40}, {50}}, {40, 50}) == lowering::broadcast_multiply_reduce);
    CHECK(obvious("ij,j->i", {{4, 5}, {5}}, {4}) == lowering::broadcast_multiply_reduce);
    CHECK(obvious("ij,j->i", {{40, 50}, {50}}, {40}) == lowering::broadcast_multiply_reduce);
    CHECK(obvious("bij,bj->bi", {{9, 40, 50}, {9, 50}}, {9, 40}) == lowering::automatic);
}

TEST_CASE("one step is planned, more are left") {
    CHECK(chosen("ij,jk->ik", {{800, 800}, {800, 800}}, {800, 800}) == lowering::gemm);
    CHECK(chosen("ij->ji", {{800, 90}}, {90, 800}) == lowering::broadcast_multiply_reduce);
    CHECK(chosen("ij,j->i", {{40, 50}, {50}}, {40}) == lowering::broadcast_multiply_reduce);
    CHECK(chosen("ij,j->i", {{2048, 2048}, {2048}}, {2048}) == lowering::broadcast_multiply_reduce);
    CHECK(chosen("bjc,bjcp->bcp", {{5, 7, 12}, {5, 7, 12, 96}}, {5, 12, 96}) ==
          lowering::depthwise_convolution);
    CHECK(chosen("i,i,i,i->i", {{4}, {4}, {4}, {4}}, {4}) == lowering::broadcast_multiply_reduce);
    CHECK(chosen("i,i,i,i,i->i", {{4}, {4}, {4}, {4}, {4}}, {4}) == lowering::automatic);
    // j is in one operand alone, and summed first
    CHECK(chosen("ij,ik->ik", {{50, 60}, {50, 70}}, {50, 70}) == lowering::automatic);
    xeinsum::planning::target other = avx2;
    other.fused_only = true;
    CHECK(chosen("ij->ji", {{8, 9}}, {9, 8}, other) == lowering::automatic);
}

TEST_CASE("a step may be cut: sums for any number of threads, products for two") {
    const auto pieces = [](std::string_view text, const shapes& operands,
                           const std::vector<std::int64_t>& output,
                           const xeinsum::planning::target& on) {
        return with_layouts(text, operands, output,
                            [&](const auto& net, const auto& views, const auto& out) {
                                one_step plan(every);
                                REQUIRE(plan.make(net, views, out, on));
                                return plan.how().split.pieces();
                            });
    };
    CHECK(pieces("i,i->", {{40000000}, {40000000}}, {}, avx2) > 1);
    xeinsum::planning::target two = avx2;
    two.threads = 2;
    CHECK(pieces("ij,jk->ik", {{800, 800}, {800, 800}}, {800, 800}, two) > 1);
    CHECK(pieces("ij,jk->ik", {{80, 80}, {80, 80}}, {80, 80}, two) == 1);
}

TEST_CASE("of fewer lowerings, and without a look at copies") {
    using namespace xeinsum::lowerings;
    with_layouts(
        "ij,jk->ik", {{800, 800}, {800, 800}}, {800, 800},
        [&](const auto& net, const auto& views, const auto& out) {
            one_step products(
                xeinsum::planning::lowering_list<gemm, broadcast_multiply_reduce>::decide, nullptr);
            REQUIRE(products.make(net, views, out, avx2));
            CHECK(products.how().chosen == lowering::gemm);
            one_step nests(xeinsum::planning::lowering_list<broadcast_multiply_reduce>::decide,
                           nullptr);
            REQUIRE(nests.make(net, views, out, avx2));
            CHECK(nests.how().chosen == lowering::broadcast_multiply_reduce);
            return 0;
        });
    // In "cad,bd->dabc" the general way compares copies, of which one step may not speak.
    const auto makes = [](one_step plan) {
        return with_layouts("cad,bd->dabc", {{60, 70, 50}, {80, 50}}, {50, 70, 80, 60},
                            [&](const auto& net, const auto& views, const auto& out) {
                                return plan.make(net, views, out, avx2);
                            });
    };
    CHECK_FALSE(makes(one_step(every)));
    CHECK(makes(one_step(every, nullptr)));
}

TEST_CASE("it is the step that the general way makes") {
    check_alike("ij,jk->ik", {{7, 9}, {9, 8}}, {7, 8});
    check_alike("ij,jk->ik", {{300, 70}, {70, 90}}, {300, 90});
    check_alike("ij,jk->ki", {{300, 500}, {500, 90}}, {90, 300});
    check_alike("ij,jk->ik", {{300, 7}, {7, 900}}, {300, 900});
    check_alike("nkctv,kvw->nctw", {{8, 3, 16, 30, 25}, {3, 25, 24}}, {8, 16, 30, 24});
    check_alike("nctw,cd->ndtw", {{2, 64, 30, 25}, {64, 128}}, {2, 128, 30, 25});
    check_alike("adb,cd->cba", {{96, 150, 64}, {25, 150}}, {25, 64, 96});
    check_alike("be,dcea->dcba", {{24, 32}, {30, 20, 32, 48}}, {30, 20, 24, 48});
    check_alike("ijb,jkb->ikb", {{4, 5, 70}, {5, 6, 70}}, {4, 6, 70});
    check_alike("bij,bkj->bik", {{9, 60, 70}, {9, 50, 70}}, {9, 60, 50});
    check_alike("ij,j->i", {{40, 50}, {50}}, {40});
    check_alike("ji,j->i", {{300, 20}, {300}}, {20});
    check_alike("ij,ji->", {{150, 200}, {200, 150}}, {});
    check_alike("bdn,bn->bd", {{2, 300, 16}, {2, 16}}, {2, 300});
    check_alike("bld,dn->bldn", {{2, 16, 48}, {48, 16}}, {2, 16, 48, 16});
    check_alike("bjc,bjcp->bcp", {{5, 7, 12}, {5, 7, 12, 96}}, {5, 12, 96});
    check_alike("ij->ji", {{300, 40}}, {40, 300});
    check_alike("ijk->j", {{30, 40, 50}}, {40});
    check_alike("i,i->", {{40000000}, {40000000}}, {});
}

TEST_CASE("more iterations than 64 bits count are left to the general way") {
    const std::int64_t n = std::int64_t{1} << 40;
    CHECK(chosen("i,j->ij", {{n}, {n}}, {n, 1}) == lowering::automatic);
}
