// Times pieces of work as the steps of "ij,jk->ik" are cut into: two at the same time, and one.
#include "hand_over.hpp"

#include <xeinsum/run/parallel.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <vector>

namespace bench {

namespace {

/// Hides a number from the compiler.
void keep(double& number) {
    asm volatile("" : "+m"(number));
}

/// Some microseconds of additions that wait for each other.
void work(const void*, std::size_t piece) {
    double sum = static_cast<double>(piece);
    for (int i = 0; i < 4000; ++i) {
        keep(sum);
        sum += 1;
    }
    keep(sum);
}

double seconds_of(std::size_t pieces) {
    const auto start = std::chrono::steady_clock::now();
    xeinsum::lowerings::run_parallel({}, pieces, {nullptr, work});
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

double hand_over_seconds() {
    if (!xeinsum::lowerings::has_threads) {
        return 0;
    }
    constexpr int rounds = 2001;
    std::vector<double> longer;
    for (int r = 0; r < rounds; ++r) {
        const double alone = seconds_of(1);
        longer.push_back(seconds_of(2) - alone);
    }
    std::nth_element(longer.begin(), longer.begin() + rounds / 2, longer.end());
    return longer[rounds / 2];
}

}  // namespace bench
