#include <xeinsum/lowering/execute.hpp>

#include "../support/instances.hpp"
#include "../support/shared_kernels.hpp"

#include <xeinsum/equation/parser.hpp>
#include <xeinsum/plan/planner.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
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
    xeinsum::basic_plan_data<xeinsum::heap_storage> data;
    xeinsum::planning::planner<xeinsum::heap_storage, xeinsum::lowerings::all> planner(
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

TEST_CASE("zeros and copies are delivered through strides") {
    std::array<std::int64_t, 8> cells{};
    xeinsum::mode_table table(cells.data(), 1);
    const std::size_t m = table.push(3);
    table.stride(m, 0) = -2;
    table.stride(m, 1) = 1;
    table.set_kind(m, xeinsum::index_class::lhs_free);
    const std::vector<float> in{1, 2, 3};
    std::vector<float> out(5, 7);
    xeinsum::lowerings::copy_scaled<float, support::native_arch>(table, in.data(), out.data() + 4,
                                                                 {1, 0});
    CHECK(out == std::vector<float>{3, 7, 2, 7, 1});
    xeinsum::lowerings::copy_scaled<float, support::native_arch>(
        table, static_cast<const float*>(nullptr), out.data() + 4, {1, 2});
    CHECK(out == std::vector<float>{6, 7, 4, 7, 2});
}
