#include <xeinsum/plan/path/follow.hpp>

#include "../../support/shared_equations.hpp"

#include <xeinsum/equation/parser.hpp>
#include <xeinsum/lowering/lowerings.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

using plan_data = xeinsum::basic_plan_data<xeinsum::plan_storage>;
using steps_emitter =
    xeinsum::planning::step_emitter<xeinsum::plan_storage, xeinsum::lowerings::all>;

namespace {

constexpr xeinsum::planning::target on{
    .lanes = 8, .mr = 6, .nr = 16, .mc = 96, .nc = 512, .kc = 256};

/// "ij,jk,klm->il" with i = 50, j = 40, k = 30, l = 2, m = 7.
steps_emitter chain_emitter(plan_data& data, const xeinsum::options& wanted) {
    const auto eq = xeinsum::parse(std::string_view("ij,jk,klm->il"));
    const std::vector<std::size_t> ranks{2, 2, 3};
    const auto net = xeinsum::resolve<xeinsum::heap_storage>(eq, ranks);
    const std::vector<std::int64_t> a{50, 40}, a_strides{40, 1}, b{40, 30}, b_strides{30, 1},
        c{30, 2, 7}, c_strides{14, 7, 1}, output_strides{2, 1};
    const std::vector<xeinsum::layout_view> operands{
        {a, a_strides}, {b, b_strides}, {c, c_strides}};
    steps_emitter e(data, wanted, on);
    e.data.operand_count = 3;
    e.data.extents = {50, 40, 30, 2, 7};
    e.add_terms(net.view(), operands, output_strides);
    return e;
}

/// The labels of the first intermediate, of the first operand and the last, of three operands with
/// i = 3, j = 40, k = 30, r = 16. Labels are numbered as they come: i 0, r 1, j 2, k 3.
std::vector<xeinsum::label> first_intermediate(std::string_view text,
                                               const std::vector<std::int64_t>& last) {
    const auto eq = xeinsum::parse(text);
    const std::vector<std::size_t> ranks{2, 2, 2};
    const auto net = xeinsum::resolve<xeinsum::heap_storage>(eq, ranks);
    const std::vector<std::int64_t> a{3, 16}, b{40, 16}, strides{16, 1}, last_strides{last[1], 1},
        output_strides{1200, 30, 1};
    const std::vector<xeinsum::layout_view> operands{
        {a, strides}, {b, strides}, {last, last_strides}};
    xeinsum::options wanted;
    wanted.path = xeinsum::path_strategy::optimal;
    plan_data data;
    steps_emitter e(data, wanted, on);
    data.operand_count = 3;
    data.extents.resize(4);
    REQUIRE(xeinsum::planning::find_extents(net.view(), operands, {data.extents.data(), 4}).ok());
    e.add_terms(net.view(), operands, output_strides);
    xeinsum::planning::path_follower(e).run();
    REQUIRE(data.error.ok());
    const auto labels = e.term(data.steps[0].output).labels;
    return {labels.begin(), labels.end()};
}

}  // namespace

TEST_CASE("an intermediate lies along the label along which its inputs do") {
    using labels = std::vector<xeinsum::label>;
    CHECK(first_intermediate("ir,jr,kr->ijk", {30, 16}) == labels{0, 3, 1});
    CHECK(first_intermediate("ir,jr,rk->ijk", {16, 30}) == labels{0, 1, 3});
}

TEST_CASE("labels of one operand alone are summed before the path") {
    xeinsum::options wanted;
    wanted.path = xeinsum::path_strategy::optimal;
    plan_data data;
    steps_emitter e = chain_emitter(data, wanted);
    xeinsum::planning::path_follower(e).run();
    REQUIRE(e.data.error.ok());
    REQUIRE(e.data.steps.size() == 3);
    CHECK(e.data.steps[0].kind == xeinsum::step_kind::presum);
    CHECK(e.data.steps[0].flops == 30 * 2 * 7);
    CHECK(e.data.steps[1].flops == 2 * 40 * 30 * 2);  // jk,kl->jl
    CHECK(e.data.steps[2].flops == 2 * 50 * 40 * 2);  // ij,jl->il
    CHECK(e.data.steps[2].output == xeinsum::result_array);
}
