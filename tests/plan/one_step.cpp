#include <xeinsum/plan/one_step.hpp>

#include <xeinsum/equation/parser.hpp>
#include <xeinsum/lowering/lowerings.hpp>
#include <xeinsum/plan/layout.hpp>

#include "../support/both.hpp"
#include "../support/table_of.hpp"

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

using xeinsum::layout_view;
using xeinsum::lowering;
using xeinsum::mode_table;
using xeinsum::row_major;
using one_step = xeinsum::planning::one_step<xeinsum::lowerings::all>;

namespace {

constexpr xeinsum::planning::target avx2{
    .lanes = 8, .mr = 6, .nr = 16, .mc = 96, .nc = 512, .kc = 256};

using shapes = std::vector<std::vector<std::int64_t>>;

/// Calls f(network, layouts, output strides) for row-major arrays.
template <class F>
auto with_layouts(std::string_view text, const shapes& operands,
                  const std::vector<std::int64_t>& output, F f) {
    const auto eq = xeinsum::parse(text);
    std::vector<std::size_t> ranks;
    std::vector<std::vector<std::int64_t>> strides;
    for (const auto& s : operands) {
        ranks.push_back(s.size());
        strides.push_back(row_major(s).strides);
    }
    std::vector<layout_view> views;
    for (std::size_t i = 0; i < operands.size(); ++i) {
        views.push_back({operands[i], strides[i]});
    }
    const auto net = xeinsum::resolve<xeinsum::heap_storage>(eq, ranks);
    REQUIRE(net.error.ok());
    return f(net.view(), views, row_major(output).strides);
}

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
            one_step plan;
            return plan.make(net, views, out, on) ? plan.how().chosen : lowering::automatic;
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

TEST_CASE("what is obvious is planned, the rest is left") {
    CHECK(chosen("ij,jk->ik", {{8, 8}, {8, 8}}, {8, 8}) == lowering::gemm);
    CHECK(chosen("ij,jk->ik", {{800, 800}, {800, 800}}, {800, 800}) == lowering::automatic);
    CHECK(chosen("ij->ji", {{8, 9}}, {9, 8}) == lowering::broadcast_multiply_reduce);
    CHECK(chosen("ij->ji", {{80, 90}}, {90, 80}) == lowering::broadcast_multiply_reduce);
    CHECK(chosen("ij->ji", {{800, 90}}, {90, 800}) == lowering::automatic);
    CHECK(chosen("i,i->", {{30000}, {30000}}, {}) == lowering::broadcast_multiply_reduce);
    CHECK(chosen("i,j->ij", {{40}, {50}}, {40, 50}) == lowering::broadcast_multiply_reduce);
    CHECK(chosen("ij,j->i", {{4, 5}, {5}}, {4}) == lowering::broadcast_multiply_reduce);
    CHECK(chosen("ij,j->i", {{40, 50}, {50}}, {40}) == lowering::automatic);
    CHECK(chosen("i,i,i,i->i", {{4}, {4}, {4}, {4}}, {4}) == lowering::broadcast_multiply_reduce);
    CHECK(chosen("i,i,i,i,i->i", {{4}, {4}, {4}, {4}, {4}}, {4}) == lowering::automatic);
    xeinsum::planning::target narrow = avx2;
    narrow.fused_only = true;
    CHECK(chosen("ij->ji", {{8, 9}}, {9, 8}, narrow) == lowering::automatic);
}

TEST_CASE("more iterations than 64 bits count are left to the general way") {
    const std::int64_t n = std::int64_t{1} << 40;
    CHECK(chosen("i,j->ij", {{n}, {n}}, {n, 1}) == lowering::automatic);
}
