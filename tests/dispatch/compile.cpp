#include <xeinsum/dispatch/compile.hpp>

#include "../support/shared_kernels.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <vector>

namespace dispatch = xeinsum::dispatch;
namespace kernel = xeinsum::kernel;

TEST_CASE("a table runs what its file has compiled") {
    static constexpr const auto& k = dispatch::kernels_on<float, kernel::native_arch>;
    CHECK(k.on.lanes == kernel::lanes_of<float, kernel::native_arch>);
    // "ij,jk->ik" of 2 x 3 and 3 x 4: rows of the table are extent, strides of out, lhs and rhs,
    // and a kind.
    const std::array<std::int64_t, 15> rows{2, 4, 3, 0, 0, 4, 1, 0, 1, 0, 3, 0, 1, 4, 0};
    const std::vector<float> a{1, 2, 3, 4, 5, 6}, b{1, 0, 2, 7, 0, 1, 3, 8, 5, 4, 0, 9};
    const std::array<const float*, 2> from{a.data(), b.data()};
    std::vector<float> out(8);
    xeinsum::recipe how{};
    how.groups = {0, 1, 1, 1};
    k.run_small(how, {rows.data(), 5, 3}, from.data(), out.data(), {});
    CHECK(out == std::vector<float>{16, 14, 8, 50, 34, 29, 23, 122});
}
