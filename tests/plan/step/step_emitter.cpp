#include <xeinsum/plan/step/step_emitter.hpp>

#include "../../support/shared_equations.hpp"

#include <xeinsum/equation/parser.hpp>
#include <xeinsum/lowering/lowerings.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

using xeinsum::array_id;
using xeinsum::label;
using xeinsum::result_array;
using xeinsum::step_kind;
using plan_data = xeinsum::basic_plan_data<xeinsum::plan_storage>;
using emitter = xeinsum::planning::step_emitter<xeinsum::plan_storage, xeinsum::lowerings::all>;

namespace {

constexpr xeinsum::planning::target on{
    .lanes = 8, .mr = 6, .nr = 16, .mc = 96, .nc = 512, .kc = 256};

/// An emitter for "ij,jk->ik" with i = 3, j = 4, k = 5 that has its three terms.
emitter product_emitter(plan_data& data, const xeinsum::options& wanted = {}) {
    const auto eq = xeinsum::parse(std::string_view("ij,jk->ik"));
    const std::vector<std::size_t> ranks{2, 2};
    const auto net = xeinsum::resolve<xeinsum::heap_storage>(eq, ranks);
    const std::vector<std::int64_t> a{3, 4}, a_strides{4, 1}, b{4, 5}, b_strides{5, 1};
    const std::vector<xeinsum::layout_view> operands{{a, a_strides}, {b, b_strides}};
    const std::vector<std::int64_t> output_strides{5, 1};
    emitter e(data, wanted, on);
    e.data.operand_count = 2;
    e.data.extents = {3, 4, 5};
    e.add_terms(net.view(), operands, output_strides);
    return e;
}

}  // namespace

TEST_CASE("terms are the result and the operands, with their strides") {
    plan_data data;
    const emitter e = product_emitter(data);
    REQUIRE(e.data.arrays.size() == 3);
    CHECK(e.term(result_array).holds(0));
    CHECK(!e.term(result_array).holds(1));
    CHECK(e.term(0).strides[0] == 4);
    CHECK(e.term(1).strides[0] == 5);
}

TEST_CASE("a pair keeps what is needed") {
    plan_data data;
    emitter e = product_emitter(data);
    const array_id out = e.pair(0, 1, std::vector<label>{0, 2});
    CHECK(out == 2);
    CHECK(e.term(out).labels.size() == 2);
    CHECK(e.term(out).strides[0] == 5);
    REQUIRE(e.data.steps.size() == 1);
    CHECK(e.data.steps[0].kind == step_kind::pairwise);
    CHECK(e.data.steps[0].flops == 120);
    CHECK(e.data.arrays.back().elements == 15);
}

TEST_CASE("nothing to sum beforehand is no step, and what was emitted can be taken back") {
    plan_data data;
    emitter e = product_emitter(data);
    CHECK(e.presum(0, [](label) { return true; }) == 0);
    CHECK(e.data.steps.empty());
    const auto start = e.mark();
    CHECK(e.presum(0, [](label l) { return l == 1; }) == 2);
    CHECK(e.data.steps.size() == 1);
    CHECK(e.seconds_since(0) > 0);
    e.rewind(start);
    CHECK(e.data.steps.empty());
    CHECK(e.data.arrays.size() == 3);
}

TEST_CASE("an intermediate beyond the memory limit is a failure") {
    xeinsum::options wanted;
    wanted.memory_limit = 59;
    plan_data data;
    emitter e = product_emitter(data, wanted);
    e.pair(0, 1, std::vector<label>{0, 2});
    CHECK(e.data.error.code == xeinsum::error_code::memory_limit);
    CHECK(e.data.error.expected == 60);
    CHECK(e.data.steps.empty());
}
