// Rounds of samples: each way of "ij,jk->ik" is called once to find its data again, then timed.
#include "interleaved.hpp"

#include <algorithm>
#include <ctime>

namespace bench {

double worked() {
    std::timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

double median_of(std::vector<double> numbers) {
    const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2);
    std::nth_element(numbers.begin(), middle, numbers.end());
    return *middle;
}

namespace {

double seconds_of(const std::function<void()>& way, std::size_t calls) {
    const double start = worked();
    for (std::size_t i = 0; i < calls; ++i) {
        way();
    }
    return (worked() - start) / static_cast<double>(calls);
}

}  // namespace

double samples::median(std::size_t way) const {
    return median_of(seconds[way]);
}

double samples::ratio(std::size_t way, std::size_t over) const {
    std::vector<double> ratios;
    for (std::size_t r = 0; r < seconds[way].size(); ++r) {
        ratios.push_back(seconds[way][r] / seconds[over][r]);
    }
    return median_of(std::move(ratios));
}

samples time_interleaved(const std::vector<std::function<void()>>& ways, std::size_t rounds,
                         double sample_seconds) {
    std::vector<std::size_t> calls;
    for (const auto& way : ways) {
        way();
        std::size_t count = 1;
        while (static_cast<double>(count) * seconds_of(way, count) < sample_seconds) {
            count *= 2;
        }
        calls.push_back(count);
    }
    samples found;
    found.seconds.resize(ways.size());
    for (std::size_t round = 0; round < rounds; ++round) {
        for (std::size_t i = 0; i < ways.size(); ++i) {
            const std::size_t w = (i + round) % ways.size();
            ways[w]();
            found.seconds[w].push_back(seconds_of(ways[w], calls[w]));
        }
    }
    return found;
}

}  // namespace bench
