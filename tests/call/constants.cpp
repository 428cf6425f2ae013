#include <xeinsum/call/constants.hpp>

#include "../support/shared_calls.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <stdexcept>
#include <vector>

using xeinsum::detail::constant_array;
using xeinsum::detail::copied;

namespace {

/// Counts its objects, and refuses to be the fourth.
struct counted {
    static inline int alive = 0;
    counted() {
        if (alive == 3) {
            throw std::runtime_error("no more");
        }
        ++alive;
    }
    ~counted() { --alive; }
    counted(const counted&) = delete;
    counted& operator=(const counted&) = delete;
};

}  // namespace

TEST_CASE("elements begin at a cache line, live as long as their array and end if one throws") {
    const constant_array<float> numbers(5);
    CHECK(reinterpret_cast<std::uintptr_t>(numbers.data()) % 64 == 0);
    CHECK(numbers.bytes() == 20);
    {
        const constant_array<counted> three(3);
        CHECK(counted::alive == 3);
    }
    CHECK(counted::alive == 0);
    CHECK_THROWS_AS(constant_array<counted>(4), std::runtime_error);
    CHECK(counted::alive == 0);
}

TEST_CASE("copies are row-major, whatever was copied") {
    using arch = xeinsum::detail::default_arch;
    const std::vector<double> from{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    const auto elements = [&](const std::vector<std::int64_t>& extents,
                              const std::vector<std::int64_t>& strides, std::size_t first) {
        const auto copy = copied<double, arch>({extents, strides}, from.data() + first);
        return std::vector<double>(copy->data(), copy->data() + copy->bytes() / sizeof(double));
    };
    using list = std::vector<double>;
    CHECK(elements({3, 1, 2}, {1, 0, 6}, 0) == list{0, 6, 1, 7, 2, 8});  // transposed
    CHECK(elements({2, 3}, {-6, -2}, 11) == list{11, 9, 7, 5, 3, 1});    // reversed
    CHECK(elements({2, 3}, {0, 1}, 4) == list{4, 5, 6, 4, 5, 6});        // broadcast
    CHECK(elements({}, {}, 7) == list{7});
    CHECK(elements({2, 0}, {1, 1}, 0).empty());
}
