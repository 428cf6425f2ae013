// Chance for searches, the same on every machine: a path of "ij,jk,kl->il" found with seed 0 draws
// 0xE220A8397B1DCDAF first.
#pragma once

#include <cmath>
#include <cstdint>

namespace xeinsum::planning {

/// Numbers that are the same on every machine. Source: Steele, Lea and Flood, Fast splittable
/// pseudorandom number generators, OOPSLA 2014, the mix of splitmix64.
class random_source {
public:
    explicit random_source(std::uint64_t seed) noexcept : state_(seed) {}

    [[nodiscard]] std::uint64_t next() noexcept {
        state_ += 0x9E3779B97F4A7C15U;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
        z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
        return z ^ (z >> 31U);
    }
    /// Above 0 and below 1.
    [[nodiscard]] double uniform() noexcept {
        return (static_cast<double>(next() >> 11U) + 0.5) / 9007199254740992.0;
    }
    /// The noise that transposes a least score into a draw with weights exp(-score).
    [[nodiscard]] double gumbel() noexcept { return -std::log(-std::log(uniform())); }

private:
    std::uint64_t state_;
};

}  // namespace xeinsum::planning
