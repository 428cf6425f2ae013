#include <xeinsum/call/contraction.hpp>

#include "../support/instances.hpp"
#include "../support/shared_calls.hpp"

#include <xeinsum/equation/parser.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

using xeinsum::error_code;
using xeinsum::layout_view;

namespace {

xeinsum::basic_network<xeinsum::heap_storage> network(std::string_view text,
                                                      const std::vector<std::size_t>& ranks) {
    return xeinsum::resolve<xeinsum::heap_storage>(xeinsum::parse(text), ranks);
}

}  // namespace

TEST_CASE("measure, make the output, run") {
    const auto net = network("ij,jk->ki", {2, 2});
    const std::array<std::int64_t, 2> ea{2, 3}, eb{3, 4}, sa{3, 1}, sb{4, 1}, out_strides{2, 1};
    const std::vector<layout_view> layouts{{ea, sa}, {eb, sb}};
    const auto a = support::small_numbers<float>(6), b = support::small_numbers<float>(12, 5);
    const float* pointers[]{a.data(), b.data()};
    constexpr auto runner = xeinsum::detail::runner_of<float, xeinsum::detail::default_arch,
                                                       xeinsum::kernel::product_sum_steps>;
    xeinsum::detail::contraction<float, xeinsum::detail::default_arch> c(
        net.view(), {layouts, pointers}, {}, {});
    REQUIRE(c.measure().ok());
    std::array<std::int64_t, 2> extents{};
    c.copy_extents(extents);
    CHECK(extents == std::array<std::int64_t, 2>{4, 2});
    CHECK(c.check_output({extents, out_strides}).ok());
    CHECK(c.check_output({ea, sa}).code == error_code::output_shape);
    const std::array<std::int64_t, 2> nowhere{0, 1};
    CHECK(c.check_output({extents, nowhere}).code == error_code::output_overlaps_itself);
    std::vector<float> out(8, 99);
    CHECK(c.run({out.data(), extents, out_strides}, {}, false, runner).ok());
    float expected = 0;  // k = 3, i = 1
    for (std::size_t j = 0; j < 3; ++j) {
        expected += a[3 + j] * b[4 * j + 3];
    }
    CHECK(out[7] == expected);
}
