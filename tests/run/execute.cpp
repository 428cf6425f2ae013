#include <xeinsum/run/execute.hpp>

#include "../support/instances.hpp"
#include "../support/shared_kernels.hpp"
#include "../support/shared_planner.hpp"
#include "../support/with_layouts.hpp"

#include <xeinsum/equation/parser.hpp>
#include <xeinsum/plan/layout.hpp>
#include <xeinsum/plan/planner.hpp>
#include <xeinsum/plan/step/one_step.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

using xeinsum::layout_view;
using xeinsum::lowerings::executor;

TEST_CASE("a plan of two steps runs through an intermediate") {
    // "ij,jk,kl->il": (2,3) (3,4) (4,2)
    const auto eq = xeinsum::parse(std::string_view("ij,jk,kl->il"));
    const std::vector<std::size_t> ranks{2, 2, 2};
    const auto net = xeinsum::resolve<xeinsum::heap_storage>(eq, ranks);
    const std::array<std::int64_t, 2> ea{2, 3}, eb{3, 4}, ec{4, 2}, s3{3, 1}, s4{4, 1}, s2{2, 1};
    const std::vector<layout_view> operands{{ea, s3}, {eb, s4}, {ec, s2}};
    xeinsum::options wanted;
    wanted.path = xeinsum::path_strategy::greedy;
    xeinsum::basic_plan_data<xeinsum::plan_storage> data;
    xeinsum::planning::planner<xeinsum::plan_storage, xeinsum::lowerings::all> planner(
        net.view(), operands, wanted, xeinsum::lowerings::target_of<double, support::native_arch>(),
        data);
    REQUIRE(planner.measure().ok());
    REQUIRE(planner.make(s2).ok());
    REQUIRE(data.steps.size() == 2);

    const auto a = support::small_numbers<double>(6, 1), b = support::small_numbers<double>(12, 7),
               c = support::small_numbers<double>(8, 30);
    std::vector<double> expected(4, 0);
    for (std::size_t i = 0; i < 2; ++i) {
        for (std::size_t l = 0; l < 2; ++l) {
            for (std::size_t j = 0; j < 3; ++j) {
                for (std::size_t k = 0; k < 4; ++k) {
                    expected[2 * i + l] += a[3 * i + j] * b[4 * j + k] * c[2 * k + l];
                }
            }
        }
    }
    const double* pointers[]{a.data(), b.data(), c.data()};
    std::vector<double> out(4, 99);
    std::vector<std::byte> memory(data.workspace_bytes + 64);
    auto* aligned = reinterpret_cast<std::byte*>(
        (reinterpret_cast<std::uintptr_t>(memory.data()) + 63) / 64 * 64);
    executor<double, support::native_arch>(data.view(), {pointers, out.data(), aligned}, {2.0, 1.0})
        .run();
    for (std::size_t i = 0; i < 4; ++i) {
        CHECK(out[i] == 2 * expected[i] + 99);
    }
}

TEST_CASE("one step needs no more memory than its recipe says") {
    using T = float;
    const struct {
        std::string_view text;
        support::shapes operands;
        std::vector<std::int64_t> output;
    } calls[]{{"ij,jk->ik", {{200, 300}, {300, 150}}, {200, 150}},           // rhs packed
              {"ji,jk->ki", {{610, 90}, {610, 700}}, {700, 90}},             // both packed
              {"ij,jk->ik", {{90, 65}, {65, 130}}, {90, 130}},               // neither
              {"ij,kj->ik", {{17, 900}, {230, 900}}, {17, 230}},             // along the depth
              {"ijb,jkb->ikb", {{20, 30, 70}, {30, 25, 70}}, {20, 25, 70}},  // in lanes
              {"adb,cd->cba", {{96, 150, 64}, {25, 150}}, {25, 64, 96}},     // staged
              {"adb,cd->cba", {{96, 150, 64}, {7, 150}}, {7, 64, 96}},       // across, staged
              {"ij,jk->ik", {{7, 90}, {90, 210}}, {7, 210}},                 // across the depth
              {"ij,jk->ik", {{70, 300}, {300, 900}}, {70, 900}},             // in many wide tiles
              {"ij,ji->", {{150, 200}, {200, 150}}, {}},                     // transposed
              {"ij,ij->", {{200, 300}, {200, 300}}, {}},                     // not transposed
              {"ij,jk->ik", {{300, 40}, {40, 90}}, {300, 90}}};              // small
    const auto elements = [](const std::vector<std::int64_t>& shape) {
        std::size_t n = 1;
        for (const std::int64_t e : shape) {
            n *= static_cast<std::size_t>(e);
        }
        return n;
    };
    for (const auto& c : calls) {
        CAPTURE(c.text);
        xeinsum::planning::one_step plan(xeinsum::lowerings::all::decide);
        REQUIRE(support::with_layouts(
            c.text, c.operands, c.output,
            [&](const auto& net, const auto& layouts, const auto& out_strides) {
                return plan.make(net, layouts, out_strides,
                                 xeinsum::lowerings::target_of<T, support::native_arch>());
            }));
        const auto a = support::small_numbers<T>(elements(c.operands[0]), 1);
        const auto b = support::small_numbers<T>(elements(c.operands[1]), 2);
        std::vector<T> out(elements(c.output), 1e30F);
        const T* pointers[]{a.data(), b.data()};
        // Bytes behind the scratch memory stay as they are.
        const std::size_t bytes = plan.how().scratch_bytes;
        constexpr std::size_t guard = std::size_t{1} << 15U;
        std::vector<std::byte> memory(bytes + 64 + guard, std::byte{77});
        auto* aligned = reinterpret_cast<std::byte*>(
            (reinterpret_cast<std::uintptr_t>(memory.data()) + 63) / 64 * 64);
        xeinsum::lowerings::run_recipe<T, support::native_arch>(
            plan.how(), {plan.cells(), xeinsum::mode_table::row_length(2), plan.modes()}, 2,
            pointers, out.data(), {}, aligned);
        CHECK(std::all_of(aligned + bytes, aligned + bytes + guard,
                          [](std::byte x) { return x == std::byte{77}; }));
        CHECK(std::none_of(out.begin(), out.end(), [](T x) { return x == 1e30F; }));
    }
}
