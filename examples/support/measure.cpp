// Rounds over all variants; see measure.hpp.
#include "measure.hpp"

#include "memory.hpp"

#include <algorithm>
#include <chrono>
#include <string_view>

std::vector<example::measurement> example::measure(
    std::size_t rounds, std::span<const std::function<void()>> variants) {
    std::vector<measurement> results(variants.size());
    for (std::size_t v = 0; v < variants.size(); ++v) {
        restart_peak();
        const std::size_t before = bytes_in_use();
        variants[v]();
        results[v].peak_bytes = peak_bytes() - before;
    }
    std::vector<std::vector<double>> seconds(variants.size());
    for (std::size_t round = 0; round < rounds; ++round) {
        for (std::size_t v = 0; v < variants.size(); ++v) {
            const auto begin = std::chrono::steady_clock::now();
            variants[v]();
            const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
            seconds[v].push_back(took.count());
        }
    }
    for (std::size_t v = 0; v < variants.size(); ++v) {
        std::sort(seconds[v].begin(), seconds[v].end());
        results[v].seconds = seconds[v].empty() ? 0 : seconds[v][seconds[v].size() / 2];
    }
    return results;
}

bool example::is_quick(int argc, const char* const* argv) {
    return argc > 1 && std::string_view(argv[1]) == "--quick";
}
