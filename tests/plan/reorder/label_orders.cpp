#include <xeinsum/plan/reorder/label_orders.hpp>

#include "../../support/shared_equations.hpp"

#include <xeinsum/equation/parser.hpp>
#include <xeinsum/lowering/lowerings.hpp>
#include <xeinsum/plan/extents.hpp>
#include <xeinsum/plan/layout.hpp>
#include <xeinsum/plan/step/step_emitter.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using names = std::vector<std::string>;
using plan_data = xeinsum::basic_plan_data<xeinsum::plan_storage>;
using steps_emitter =
    xeinsum::planning::step_emitter<xeinsum::plan_storage, xeinsum::lowerings::all>;

constexpr xeinsum::planning::target on{
    .lanes = 8, .mr = 6, .nr = 16, .mc = 96, .nc = 512, .kc = 256};
constexpr double long_run = 1;  // second

/// The labels of the intermediates of a path over row-major operands, as letters; extents are of
/// the labels in the order in which they come first.
std::vector<std::string> orders_of(std::string_view text, const std::vector<std::int64_t>& extents,
                                   const xeinsum::planning::contraction_path& path,
                                   double seconds) {
    const auto eq = xeinsum::parse(text);
    std::string letters;
    std::vector<std::size_t> ranks{0};
    for (const char c : text.substr(0, text.find('-'))) {
        if (c == ',') {
            ranks.push_back(0);
        } else {
            ++ranks.back();
            letters += letters.find(c) == std::string::npos ? std::string(1, c) : std::string();
        }
    }
    const auto net = xeinsum::resolve<xeinsum::heap_storage>(eq, ranks);
    const auto row_major = [&](const auto& labels) {
        std::vector<std::int64_t> of_labels;
        for (const xeinsum::label l : labels) {
            of_labels.push_back(extents[static_cast<std::size_t>(l)]);
        }
        return xeinsum::row_major(std::move(of_labels));
    };
    std::vector<xeinsum::layout> arrays;
    std::vector<xeinsum::array_id> operands;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        arrays.push_back(row_major(net.view().operand(i)));
        operands.push_back(static_cast<xeinsum::array_id>(i));
    }
    const std::vector<xeinsum::layout_view> layouts(arrays.begin(), arrays.end());
    plan_data data;
    steps_emitter e(data, {}, on);
    data.operand_count = ranks.size();
    data.extents.resize(extents.size());
    REQUIRE(
        xeinsum::planning::find_extents(net.view(), layouts, {data.extents.data(), extents.size()})
            .ok());
    e.add_terms(net.view(), layouts, row_major(net.view().output).strides);
    const xeinsum::planning::label_orders orders(e, operands, path, seconds);
    CHECK(data.steps.empty());
    std::vector<std::string> found;
    for (std::size_t p = 0; p < path.size(); ++p) {
        found.emplace_back();
        for (const xeinsum::label l : orders[p]) {
            found.back() += letters[static_cast<std::size_t>(l)];
        }
    }
    return found;
}

}  // namespace

TEST_CASE("short runs keep labels as inputs have them") {
    CHECK(orders_of("bia,bij,bjk,bkl->bl", {2000, 4, 4, 5, 6, 7}, {{0, 1}, {2, 4}, {3, 5}}, 0) ==
          names{"bj", "bk", "bl"});
}

TEST_CASE("what is summed first lies outermost where pairs keep a long label") {
    const std::vector<std::int64_t> extents{4, 2000, 5, 6, 7};
    const xeinsum::planning::contraction_path path{{0, 1}, {2, 4}, {3, 5}};
    CHECK(orders_of("ib,ijb,jkb,klb->lb", extents, path, 0) == names{"bj", "kb", "lb"});
    CHECK(orders_of("ib,ijb,jkb,klb->lb", extents, path, long_run) == names{"jb", "kb", "lb"});
    // not where the label is outermost in the inputs, which would be gathered
    CHECK(orders_of("bia,bij,bjk,bkl->bl", {2000, 4, 4, 5, 6, 7}, path, long_run) ==
          names{"bj", "bk", "bl"});
}

TEST_CASE("what is summed first lies innermost where that makes products of matrices") {
    const std::vector<std::int64_t> extents{300, 25, 7, 4, 9, 20, 11};
    const xeinsum::planning::contraction_path path{{0, 1}, {3, 4}, {2, 5}};
    CHECK(orders_of("bacx,cd,eb,xf->adef", extents, path, 0) == names{"baxd", "fbad", "adef"});
    CHECK(orders_of("bacx,cd,eb,xf->adef", extents, path, long_run) ==
          names{"adbx", "adfb", "adef"});
}

TEST_CASE("an order that is hardly better is not taken") {
    CHECK(orders_of("abx,bc,xy,ad->cyd", {30, 20, 60, 70, 50, 40}, {{0, 1}, {2, 4}, {3, 5}},
                    long_run) == names{"axc", "yac", "cyd"});
}
