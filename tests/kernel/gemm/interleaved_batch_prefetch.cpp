#include <xeinsum/kernel/gemm/interleaved_batch_prefetch.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

using xeinsum::kernel::interleaved_batch_prefetch;
using xeinsum::kernel::line_elements;

namespace {

/// Where lines begin, and how far apart they are.
using places = std::vector<std::pair<std::ptrdiff_t, std::int64_t>>;

template <class T>
places taken(interleaved_batch_prefetch<T> ahead, const std::vector<T>& memory, std::size_t count) {
    places found;
    const T* const now = memory.data() + 1;
    for (std::size_t n = 0; n < count; ++n) {
        const auto lines = ahead.next(now);
        found.emplace_back(lines.from - memory.data(), lines.step);
    }
    return found;
}

}  // namespace

TEST_CASE_TEMPLATE("two lines of each row at a time, then those of each column, then what is read",
                   T, float, double) {
    const std::vector<T> memory(1000);
    const auto two = static_cast<std::ptrdiff_t>(2 * line_elements<T>);
    const interleaved_batch_prefetch<T> ahead({memory.data() + 100, 2, 70, 9},
                                              {memory.data() + 500, 1, 80, 11}, 2 * two);
    CHECK(taken(ahead, memory, 8) == places{{100, 9},
                                            {100 + two, 9},
                                            {170, 9},
                                            {170 + two, 9},
                                            {500, 11},
                                            {500 + two, 11},
                                            {1, 0},
                                            {1, 0}});
    // A single line is prefetched with the one behind it.
    const interleaved_batch_prefetch<T> narrow({memory.data() + 100, 2, 70, 9}, {}, two / 2);
    CHECK(taken(narrow, memory, 3) == places{{100, 9}, {170, 9}, {1, 0}});
    CHECK(taken(interleaved_batch_prefetch<T>(), memory, 2) == places{{1, 0}, {1, 0}});
}

TEST_CASE("each step of the depth prefetches what lies a step farther") {
    const std::vector<float> memory(300);
    xeinsum::kernel::lines_ahead<float> lines{memory.data() + 3, 50};
    lines.prefetch();
    lines.prefetch();
    CHECK(lines.from - memory.data() == 103);
}
