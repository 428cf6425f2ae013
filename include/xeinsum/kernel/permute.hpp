// Copies with permuted axes: "ij->ji" moves in square blocks, so that each cache line is used whole
// on both sides.
#pragma once

#include <xeinsum/kernel/arrange.hpp>
#include <xeinsum/kernel/loop_nest.hpp>
#include <xeinsum/kernel/scaling.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace xeinsum::kernel {

/// The loop along which the input lies closest; the last loop if it is as close as any.
[[nodiscard]] inline std::size_t closest_input_loop(const loops& over) noexcept {
    std::size_t best = over.count - 1;
    for (std::size_t m = 0; m + 1 < over.count; ++m) {
        if (magnitude(over.stride(m, 1)) < magnitude(over.stride(best, 1))) {
            best = m;
        }
    }
    return best;
}

/// out = scale(in) for loops without sums, the last of which has the output's shortest stride. in
/// does not overlap out.
template <class T, class Arch>
void permute(const loops& over, const T* in, T* out, const scaling<T>& scale) {
    // 16 lines of 64 bytes on each side stay in any first-level cache.
    constexpr std::int64_t block = 16;
    const std::size_t last = over.count - 1;
    const std::size_t close = closest_input_loop(over);
    std::int64_t index[max_loops]{};
    std::int64_t from = 0;
    std::int64_t to = 0;
    const auto copy_line = [&](std::int64_t source, std::int64_t target, std::int64_t count) {
        for (std::int64_t x = 0; x < count; ++x) {
            scale.template put<Arch>(
                out[target + x * over.stride(last, 0)],
                static_cast<compute_t<T>>(in[source + x * over.stride(last, 1)]));
        }
    };
    const auto copy_plane = [&] {
        if (close == last) {
            copy_line(from, to, over.extent(last));
            return;
        }
        for (std::int64_t i = 0; i < over.extent(close); i += block) {
            for (std::int64_t j = 0; j < over.extent(last); j += block) {
                const std::int64_t rows = std::min(block, over.extent(close) - i);
                const std::int64_t columns = std::min(block, over.extent(last) - j);
                for (std::int64_t r = i; r < i + rows; ++r) {
                    copy_line(from + r * over.stride(close, 1) + j * over.stride(last, 1),
                              to + r * over.stride(close, 0) + j * over.stride(last, 0), columns);
                }
            }
        }
    };
    const auto advance = [&] {
        for (std::size_t m = last; m-- > 0;) {
            if (m == close) {
                continue;
            }
            const bool wraps = ++index[m] == over.extent(m);
            const std::int64_t factor = wraps ? 1 - over.extent(m) : 1;
            index[m] = wraps ? 0 : index[m];
            from += factor * over.stride(m, 1);
            to += factor * over.stride(m, 0);
            if (!wraps) {
                return true;
            }
        }
        return false;
    };
    do {
        copy_plane();
    } while (advance());
}

}  // namespace xeinsum::kernel
