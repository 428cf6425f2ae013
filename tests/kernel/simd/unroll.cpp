#include <xeinsum/kernel/simd/unroll.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <vector>

using xeinsum::kernel::unroll;

namespace {

constexpr std::size_t digits() {
    std::size_t number = 0;
    unroll<4>([&](auto i) {
        static_assert(i < 4);
        number = 10 * number + i + 1;
    });
    return number;
}
static_assert(digits() == 1234);

}  // namespace

TEST_CASE("every index once, in order") {
    std::vector<std::size_t> seen;
    unroll<3>([&](auto i) { seen.push_back(i); });
    CHECK(seen == std::vector<std::size_t>{0, 1, 2});
    unroll<0>([&](auto i) { seen.push_back(i); });
    CHECK(seen.size() == 3);
}
