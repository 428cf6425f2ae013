// Rounds over all variants; see measure.hpp.
#include "measure.hpp"

#include "memory.hpp"

#include <algorithm>
#include <chrono>
#include <string_view>

std::vector<example::measurement> example::measure(
    std::span<const std::function<void()>> variants) {
    using clock = std::chrono::steady_clock;
    using seconds = std::chrono::duration<double>;
    std::vector<measurement> results(variants.size());
    for (std::size_t v = 0; v < variants.size(); ++v) {
        restart_peak();
        const std::size_t before = bytes_in_use();
        variants[v]();
        results[v].peak_bytes = peak_bytes() - before;
    }
    std::vector<std::vector<double>> times(variants.size());
    const auto start = clock::now();
    for (std::size_t round = 0; round == 0 || (round < 9 && clock::now() - start < seconds(2));
         ++round) {
        for (std::size_t v = 0; v < variants.size(); ++v) {
            const auto begin = clock::now();
            variants[v]();
            times[v].push_back(seconds(clock::now() - begin).count());
        }
    }
    for (std::size_t v = 0; v < variants.size(); ++v) {
        std::sort(times[v].begin(), times[v].end());
        results[v].seconds = times[v][times[v].size() / 2];
    }
    return results;
}

bool example::is_quick(int argc, const char* const* argv) {
    return argc > 1 && std::string_view(argv[1]) == "--quick";
}
