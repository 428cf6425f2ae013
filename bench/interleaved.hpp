// Times several ways to compute the same, such as "ij,jk->ik" by a plan and by a bound plan, in
// transpose: what others do on the machine then slows down all of them.
#pragma once

#include <functional>
#include <vector>

namespace bench {

/// Seconds that this thread has worked.
[[nodiscard]] double worked();

/// Of at least one number; the upper one of two in the middle.
[[nodiscard]] double median_of(std::vector<double> numbers);

/// Samples of each way, in seconds of this thread for one call: sample r of all ways was taken
/// within moments.
struct samples {
    std::vector<std::vector<double>> seconds{};

    /// The median of one way.
    [[nodiscard]] double median(std::size_t way) const;
    /// The median, over samples, of the time of one way over that of another.
    [[nodiscard]] double ratio(std::size_t way, std::size_t over) const;
};

[[nodiscard]] samples time_interleaved(const std::vector<std::function<void()>>& ways,
                                       std::size_t rounds = 15, double sample_seconds = 1e-3);

}  // namespace bench
