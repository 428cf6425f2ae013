#include <xeinsum/plan/planner.hpp>

#include <xeinsum/equation/parser.hpp>
#include <xeinsum/lowering/lowerings.hpp>
#include <xeinsum/plan/layout.hpp>

#include "../support/both.hpp"
#include "../support/shared_planner.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

using xeinsum::error_code;
using xeinsum::layout_view;
using xeinsum::lowering;
using xeinsum::options;
using xeinsum::path_strategy;
using xeinsum::row_major;
using xeinsum::step_kind;
using data = xeinsum::basic_plan_data<xeinsum::plan_storage>;

namespace {

constexpr xeinsum::planning::target scalar_target{
    .lanes = 8, .mr = 6, .nr = 16, .mc = 96, .nc = 512, .kc = 256};

using shapes = std::vector<std::vector<std::int64_t>>;

data plan(std::string_view text, const shapes& operands, const options& wanted = {},
          const xeinsum::planning::target& on = scalar_target) {
    const auto eq = xeinsum::parse(text);
    std::vector<std::size_t> ranks;
    std::vector<std::vector<std::int64_t>> strides;
    std::vector<layout_view> views;
    for (const auto& s : operands) {
        ranks.push_back(s.size());
        strides.push_back(row_major(s).strides);
    }
    for (std::size_t i = 0; i < operands.size(); ++i) {
        views.push_back({operands[i], strides[i]});
    }
    const auto net = xeinsum::resolve<xeinsum::heap_storage>(eq, ranks);
    REQUIRE(net.error.ok());
    data made;
    xeinsum::planning::planner<xeinsum::plan_storage, xeinsum::lowerings::all> p(net.view(), views,
                                                                                 wanted, on, made);
    if (!p.measure().ok()) {
        return made;
    }
    std::vector<std::int64_t> output;
    for (const xeinsum::label l : net.output) {
        output.push_back(p.extent(l));
    }
    const bool fine = p.make(row_major(output).strides).ok();
    CHECK(fine == made.error.ok());
    return made;
}

std::string kinds(const data& d) {
    std::string text;
    for (const xeinsum::step& s : d.steps) {
        text += "rspfc"[static_cast<std::size_t>(s.kind)];
    }
    return text;
}

}  // namespace

TEST_CASE("one operand is one step, a pair is one step") {
    CHECK(kinds(plan("ij->ji", {{3, 4}})) == "r");
    CHECK(kinds(plan("iij->", {{3, 3, 4}})) == "r");
    CHECK(kinds(plan("ij,jk->ik", {{3, 4}, {4, 5}})) == "p");
}

TEST_CASE("labels of one operand alone are summed first") {
    const data d = plan("ij,kl->jl", {{30, 40}, {50, 60}});
    CHECK(kinds(d) == "ssp");
    CHECK(d.steps[0].flops == 30 * 40);
    CHECK(d.steps[2].flops == 40 * 60);
    CHECK(d.arrays.size() == 5);
}

TEST_CASE("a label that broadcasts in one operand is the other's alone") {
    const data d = plan("ij,jk->k", {{30, 1}, {40, 50}});
    CHECK(kinds(d) == "ssp");  // i of the first, j of the second
}

TEST_CASE("broadcast-multiply-reduce, when forced, is one pass") {
    options forced;
    forced.lowering = lowering::broadcast_multiply_reduce;
    CHECK(kinds(plan("ij,kl->jl", {{3, 4}, {5, 6}}, forced)) == "f");
    CHECK(kinds(plan("ij,jk,kl->il", {{3, 4}, {4, 5}, {5, 6}}, forced)) == "f");
    forced.path = path_strategy::greedy;
    CHECK(kinds(plan("ij,jk,kl->il", {{3, 4}, {4, 5}, {5, 6}}, forced)) == "pp");
}

TEST_CASE("more operands go through a path, or one pass where that is cheaper") {
    CHECK(kinds(plan("ij,jk,kl->il", {{50, 40}, {40, 30}, {30, 2}})) == "pp");
    CHECK(kinds(plan("bld,bln,bld->bldn", {{1, 64, 96}, {1, 64, 16}, {1, 64, 96}})) == "f");
    options pairs;
    pairs.path = path_strategy::optimal;
    CHECK(kinds(plan("bld,bln,bld->bldn", {{1, 64, 96}, {1, 64, 16}, {1, 64, 96}}, pairs)) == "pp");
}

TEST_CASE("a forced lowering that cannot express a step refuses with its reason") {
    options forced;
    forced.lowering = lowering::gemm;
    CHECK(plan("ij->ji", {{3, 4}}, forced).error.code == error_code::lowering_not_applicable);
    CHECK(plan("ij,jk->ik", {{3, 4}, {4, 5}}, forced).error.ok());
    forced.lowering = lowering::depthwise_convolution;
    const data d = plan("ij,jk->ik", {{3, 4}, {4, 5}}, forced);
    CHECK(d.error.code == error_code::lowering_not_applicable);
    CHECK(std::string(d.error.reason).find("both operands have free labels") == 0);
    CHECK(plan("bchw,bchw->bc", {{2, 3, 4, 5}, {2, 3, 4, 5}}, forced).error.ok());
}

TEST_CASE("a type without intermediates is computed in one pass only") {
    xeinsum::planning::target narrow = scalar_target;
    narrow.fused_only = true;
    CHECK(kinds(plan("ij,jk,kl->il", {{5, 4}, {4, 3}, {3, 2}}, {}, narrow)) == "f");
    options forced;
    forced.lowering = lowering::gemm;
    CHECK(plan("ij,jk->ik", {{5, 4}, {4, 3}}, forced, narrow).error.code ==
          error_code::lowering_not_applicable);
}

TEST_CASE("an extent of 0 leaves nothing to do") {
    const data d = plan("ij,jk->ik", {{3, 0}, {0, 5}});
    CHECK(d.sums_nothing);
    CHECK(d.result_elements == 15);
    CHECK(d.steps.empty());
    CHECK(plan("ij->ij", {{3, 0}}).result_elements == 0);
}

TEST_CASE("the memory limit bounds intermediates, one pass or slices are the way out") {
    options limited;
    limited.memory_limit = 100;
    // Of slices and one pass, that which is predicted to take less time.
    CHECK(plan("ij,jk,kl->il", {{50, 40}, {40, 30}, {30, 2}}, limited).view().slice_count() > 1);
    limited.path = path_strategy::greedy;
    const data sliced = plan("ij,jk,kl->il", {{50, 40}, {40, 30}, {30, 2}}, limited);
    CHECK(kinds(sliced) == "pp");
    CHECK(sliced.view().array(sliced.steps[0].output).elements <= 25);
    CHECK(sliced.view().slice_count() >= 4);
    limited.memory_limit = 3;
    CHECK(plan("ij,jk,kl->il", {{50, 40}, {40, 30}, {30, 2}}, limited).error.code ==
          error_code::memory_limit);
    limited.memory_limit = 320;  // 40 x 2 elements of 4 bytes
    CHECK(kinds(plan("ij,jk,kl->il", {{50, 40}, {40, 30}, {30, 2}}, limited)) == "pp");
}

TEST_CASE("products of extents beyond 64 bits are refused") {
    const std::int64_t big = std::int64_t{1} << 31;
    CHECK(plan("i,j,k->ijk", {{big}, {big}, {big}}).error.code == error_code::extent_overflow);
    CHECK(plan("ij,jk->", {{big, big}, {big, 4}}).error.code == error_code::none);
    options forced;
    forced.lowering = lowering::broadcast_multiply_reduce;
    CHECK(plan("ij,jk->", {{big, big}, {big, 4}}, forced).error.code ==
          error_code::extent_overflow);
}

TEST_CASE("the optimal path has a limit on operands, greedy has none") {
    std::string text = "a";
    shapes operands{{2}};
    for (int i = 0; i < 20; ++i) {
        text += ",a";
        operands.push_back({2});
    }
    options wanted;
    wanted.path = path_strategy::optimal;
    CHECK(plan(text, operands, wanted).error.code == error_code::path_not_available);
    wanted.path = path_strategy::greedy;
    CHECK(plan(text, operands, wanted).steps.size() == 20);
}

TEST_CASE("a pair of fixed extents is planned by the compiler") {
    support::check_both([] {
        constexpr auto eq = xeinsum::parse("ij,jk->ik");
        const auto net =
            xeinsum::resolve<xeinsum::fixed_storage<32>>(eq, std::array<std::size_t, 2>{2, 2});
        constexpr std::array<std::int64_t, 2> a{4, 3}, sa{3, 1}, b{3, 5}, sb{5, 1};
        const std::array<layout_view, 2> views{layout_view{a, sa}, layout_view{b, sb}};
        xeinsum::basic_plan_data<xeinsum::pair_storage> plan;
        xeinsum::planning::planner<xeinsum::pair_storage, xeinsum::lowerings::all> p(
            net.view(), views, options{}, scalar_target, plan);
        return p.measure().ok() && p.make(sb).ok() && plan.steps.size() == 1 &&
               plan.steps[0].flops == 120 && plan.result_elements == 20;
    });
}

TEST_CASE("the choice follows the machine that is given") {
    const shapes product{{200, 300}, {300, 100}}, transposed{{200, 300}, {100, 300}};
    const shapes window{{8, 40, 30, 9}, {8, 40, 9}};
    const auto chosen = [](std::string_view text, const shapes& operands,
                           const xeinsum::machine& on) {
        const data d = plan(text, operands, {.machine = &on});
        REQUIRE(d.steps.size() == 1);
        return d.steps.front().how.chosen;
    };
    CHECK(chosen("ij,jk->ik", product, {}) == lowering::gemm);
    CHECK(chosen("ij,kj->ik", transposed, {}) == lowering::gemm);
    CHECK(chosen("ij,kj->ik", transposed, {.pack_seconds = 1e-6}) ==
          lowering::broadcast_multiply_reduce);
    CHECK(chosen("ij,jk->ik", product, {.fused_multiply_adds_per_cycle = 1e-3}) ==
          lowering::broadcast_multiply_reduce);
    CHECK(chosen("zcpw,zcw->zcp", window,
                 {.lane_sum_cycles = 1e3, .lone_sum_cycles = 1e3, .scalar_cycles = 1e3}) ==
          lowering::depthwise_convolution);
    CHECK(chosen("zcpw,zcw->zcp", window, {.window_cycles = 1e4}) ==
          lowering::broadcast_multiply_reduce);
}

TEST_CASE("predictions follow the machine that is given") {
    const shapes product{{200, 300}, {300, 100}};
    const auto seconds = [&](const xeinsum::machine& on) {
        return plan("ij,jk->ik", product, {.lowering = lowering::gemm, .machine = &on})
            .steps.front()
            .seconds;
    };
    const double usual = plan("ij,jk->ik", product).steps.front().seconds;
    CHECK(seconds({}) == usual);
    CHECK(seconds({.hertz = 1.5e9}) > 1.5 * usual);
    CHECK(seconds({.hertz = 1.5e9}) < 2 * usual);
    CHECK(seconds({.step_seconds = 1}) > 1);
}

TEST_CASE("what nothing stores need not fit 64 bits") {
    // 2^93 products, intermediates of 2^60, 2^61 or 2^62 elements: slices cut both down.
    const std::int64_t i = std::int64_t{1} << 30;
    const std::int64_t j = std::int64_t{1} << 31;
    const std::int64_t k = std::int64_t{1} << 32;
    const data d = plan("ij,jk,ki->", {{i, j}, {j, k}, {k, i}});
    REQUIRE(d.error.ok());
    CHECK(kinds(d) == "pp");
    CHECK(!d.slices.empty());
    CHECK(d.workspace_bytes < std::size_t{1} << 48);
    double flops = 0;
    for (const xeinsum::step& s : d.steps) {
        flops += s.flops;
    }
    CHECK(flops * static_cast<double>(d.view().slice_count()) > 0x1p93);
}

TEST_CASE("intermediates that no address space holds are cut into slices") {
    // Every order has an intermediate of three labels, 2^45.9 elements, from 2^61.2 products.
    const std::int64_t n = 40000;
    const data d =
        plan("ab,ac,ad,bc,bd,cd->",
             {{n, n + 2}, {n, n + 4}, {n, n + 6}, {n + 2, n + 4}, {n + 2, n + 6}, {n + 4, n + 6}});
    REQUIRE(d.error.ok());
    CHECK(!d.slices.empty());
    for (std::size_t id = 7; id < d.arrays.size(); ++id) {
        CHECK(static_cast<double>(d.arrays[id].elements) * scalar_target.element_bytes <= 0x1p47);
    }
}
