// Time and memory of several ways to do one thing, such as "nctw,cd->ndtw" by einsum and by hand.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace example {

struct measurement {
    double seconds = 0;          ///< the median of the rounds after the first
    std::size_t peak_bytes = 0;  ///< the most that was allocated above what was before
};

/// Runs all variants once for memory, then one after the other, round by round, so that whatever
/// slows the machine down meets them all. Ends after nine rounds, or after two seconds of them.
[[nodiscard]] std::vector<measurement> measure(std::span<const std::function<void()>> variants);

/// Whether the first argument is --quick: extents that are small enough for valgrind.
[[nodiscard]] bool is_quick(int argc, const char* const* argv);

}  // namespace example
