#include <xeinsum/kernel/permute/narrow.hpp>

#include "../../support/instances.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <vector>

using xeinsum::kernel::narrow;

namespace {

template <class T>
std::vector<T> counted(std::size_t count) {
    std::vector<T> numbers(count);
    for (std::size_t n = 0; n < count; ++n) {
        numbers[n] = static_cast<T>(n + 1);
    }
    return numbers;
}

}  // namespace

TEST_CASE_TEMPLATE("few lines come together and apart", I, SUPPORT_FLOATING_INSTANCES) {
    using T = typename I::type;
    using kernel = narrow<T, typename I::arch>;
    for (std::size_t count = 1; count < kernel::lanes; ++count) {
        for (const std::size_t length : {1U, 7U, 8U, 40U, 61U}) {
            // Exactly as long as may be touched: a sanitizer sees everything beyond.
            std::vector<std::vector<T>> lines(count, std::vector<T>(length));
            std::vector<const T*> from(count);
            std::vector<T*> to(count);
            const std::vector<T> dense = counted<T>(count * length);
            for (std::size_t r = 0; r < count; ++r) {
                for (std::size_t c = 0; c < length; ++c) {
                    lines[r][c] = dense[c * count + r];
                }
                from[r] = lines[r].data();
            }
            std::vector<T> together(count * length);
            const std::size_t joined =
                kernel::interleave(from.data(), count, length, together.data());
            CHECK(joined <= length);
            CHECK(joined + 3 * kernel::lanes > length);
            for (std::size_t n = 0; n < joined * count; ++n) {
                CHECK(together[n] == dense[n]);
            }
            std::vector<std::vector<T>> apart(count, std::vector<T>(length));
            for (std::size_t r = 0; r < count; ++r) {
                to[r] = apart[r].data();
            }
            const std::size_t split = kernel::deinterleave(dense.data(), count, length, to.data());
            CHECK(split <= length);
            CHECK(split + 3 * kernel::lanes > length);
            for (std::size_t r = 0; r < count; ++r) {
                for (std::size_t c = 0; c < length; ++c) {
                    CHECK(apart[r][c] == (c < split ? lines[r][c] : T(0)));
                }
            }
        }
    }
}
