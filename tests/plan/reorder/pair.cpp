#include <xeinsum/plan/reorder/pair.hpp>

#include "../../support/shared_planner.hpp"
#include "../../support/targets.hpp"
#include "../../support/with_layouts.hpp"

#include <xeinsum/lowering/lowerings.hpp>
#include <xeinsum/plan/planner.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

using data = xeinsum::basic_plan_data<xeinsum::plan_storage>;

namespace {

data plan(std::string_view text, const support::shapes& operands,
          const std::vector<std::int64_t>& output, const xeinsum::options& wanted = {}) {
    data made;
    support::with_layouts(
        text, operands, output, [&](const auto& net, const auto& views, const auto& strides) {
            xeinsum::planning::planner<xeinsum::plan_storage, xeinsum::lowerings::all> planner(
                net, views, wanted, support::avx512, made);
            REQUIRE(planner.measure().ok());
            REQUIRE(planner.make(strides).ok());
        });
    return made;
}

/// c for a copy, p for the pair, f for a pass over both operands.
std::string kinds(const data& d) {
    std::string text;
    for (const xeinsum::step& s : d.steps) {
        text += "rspfc"[static_cast<std::size_t>(s.kind)];
    }
    return text;
}

}  // namespace

TEST_CASE("copies are made where they pay") {
    CHECK(kinds(plan("deac,bca->deb", {{300, 20, 48, 7}, {10, 7, 48}}, {300, 20, 10})) == "cp");
    CHECK(kinds(plan("cafb,cfbed->ade", {{8, 4, 64, 4}, {8, 64, 4, 7, 256}}, {4, 256, 7})) ==
          "cpc");
    CHECK(kinds(plan("ca,ab->abc", {{48, 32}, {32, 48}}, {32, 48, 48})) == "cp");
    CHECK(kinds(plan("a,abc->cab", {{100}, {100, 8, 64}}, {64, 100, 8})) == "pc");
    CHECK(kinds(plan("nctw,cd->ndtw", {{2, 64, 30, 25}, {64, 128}}, {2, 128, 30, 25})) == "p");
}

TEST_CASE("the last pair of several operands, and one whose labels are summed before") {
    CHECK(kinds(plan("ca,ab,d->abc", {{48, 32}, {32, 48}, {5}}, {32, 48, 48})).ends_with("cp"));
    CHECK(kinds(plan("cax,ab->abc", {{48, 32, 30}, {32, 48}}, {32, 48, 48})) == "scp");
}

TEST_CASE("where copies cost nothing, small arrays are copied as well") {
    const xeinsum::options free{.machine = &support::copying_machine};
    CHECK(kinds(plan("ca,ab->abc", {{5, 4}, {4, 6}}, {4, 6, 5}, free)) == "cp");
    CHECK(kinds(plan("a,abc->cab", {{4}, {4, 3, 5}}, {5, 4, 3}, free)) == "pc");
}

TEST_CASE("large copies are made slice by slice") {
    const data d = plan("ab,acb->bca", {{300, 24}, {300, 200, 24}}, {24, 200, 300});
    CHECK(kinds(d).find('c') != std::string::npos);
    REQUIRE(d.slices.size() == 1);
    const auto whole = d.slices[0].count * d.slices[0].extent;
    CHECK((whole == 24 || whole == 200 || whole == 300));
    CHECK(d.slices[0].kept);
    std::int64_t elements = 0;
    for (const xeinsum::step& s : d.steps) {
        elements += s.output == xeinsum::result_array ? 0 : d.view().array(s.output).elements;
    }
    CHECK(4 * elements <= 1 << 19);
    CHECK(4 * elements > 1 << 15);
    CHECK(d.workspace_bytes <= 1 << 20);
}

TEST_CASE("labels of one operand are summed once for all slices") {
    const data d = plan("abc,cd->bca", {{74, 1541, 6}, {6, 56}}, {1541, 6, 74});
    CHECK(kinds(d) == "scp");
    REQUIRE(d.slices.size() == 1);
    CHECK(d.slices[0].count * d.slices[0].extent == 1541);
    CHECK(d.steps[0].same_in_all_slices);
    CHECK_FALSE(d.steps[1].same_in_all_slices);
    CHECK_FALSE(d.steps[2].same_in_all_slices);
    // What is summed has every label that slices could cut.
    CHECK(plan("abcd,c->bca", {{74, 1541, 6, 2}, {6}}, {1541, 6, 74}).slices.empty());
}

TEST_CASE("slices need not cut small arrays") {
    const data d = plan("abc,cb->bca", {{740, 156, 6}, {6, 156}}, {156, 6, 740});
    CHECK(kinds(d) == "ccp");
    CHECK(d.slices.size() == 1);
}

TEST_CASE("what is promised holds: forced choices, memory, one step") {
    const support::shapes small{{48, 32}, {32, 48}};
    CHECK(kinds(plan("ca,ab->abc", small, {32, 48, 48},
                     {.lowering = xeinsum::lowering::broadcast_multiply_reduce})) == "f");
    CHECK(kinds(plan("ca,ab->abc", small, {32, 48, 48}, {.lowering = xeinsum::lowering::gemm})) ==
          "p");
    CHECK(kinds(plan("ca,ab->abc", small, {32, 48, 48}, {.memory_limit = 100})) == "p");
    for (const auto& c : {plan("cafb,cfbed->ade", {{8, 4, 64, 4}, {8, 64, 4, 7, 256}}, {4, 256, 7}),
                          plan("abc,bc->acb", {{32, 20, 512}, {20, 512}}, {32, 512, 20})}) {
        CHECK(c.workspace_bytes <= xeinsum::planning::reorder_bytes + 4096);
    }
}
