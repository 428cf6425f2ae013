#include <xeinsum/call/with_kernels/fold.hpp>

#include "../../support/instances.hpp"
#include "../../support/shared_folds.hpp"

#include <xeinsum/equation/parser.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <vector>

using xeinsum::reduction;

TEST_CASE("what is joined overwrites its own operand, and nothing joins to one") {
    // "ij->j" of 2 i and 3 j, into the operand's own first row.
    constexpr auto eq = xeinsum::parse("ij->j");
    const std::vector<std::int64_t> extents{2, 3}, strides{3, 1}, row{3}, step{1};
    const std::array<std::size_t, 1> ranks{2};
    const auto net = xeinsum::resolve<xeinsum::heap_storage>(eq, ranks);
    REQUIRE(net.error.ok());
    std::vector<double> x{1, 7, 3, 4, 5, 6};
    const auto p = xeinsum::detail::fold<reduction::max, double, support::native_arch>(
        net.view(), {extents, strides}, x.data(), {x.data(), row, step});
    CHECK(p.ok());
    CHECK(x == std::vector<double>{4, 7, 6, 4, 5, 6});
    const std::vector<std::int64_t> none{0, 3};
    std::vector<double> ones(3, 9);
    CHECK(xeinsum::detail::fold<reduction::prod, double, support::native_arch>(
              net.view(), {none, strides}, x.data(), {ones.data(), row, step})
              .ok());
    CHECK(ones == std::vector<double>{1, 1, 1});
}
