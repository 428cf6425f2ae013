// What the environment asks of random tests of "ij,jk->ik" and the like.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>

namespace random_calls {

[[nodiscard]] inline std::uint64_t setting(const char* name, std::uint64_t fallback) {
    const char* value = std::getenv(name);
    return value == nullptr ? fallback : std::stoull(value);
}

inline constexpr std::uint64_t usual_cases = 200000;
[[nodiscard]] inline std::uint64_t first_seed() {
    return setting("XEINSUM_RANDOM_SEED", 1);
}
/// How many cases a test checks that usually checks so many; at least one.
[[nodiscard]] inline std::uint64_t cases(std::uint64_t usually) {
    const std::uint64_t wanted = setting("XEINSUM_RANDOM_CASES", usual_cases);
    return (wanted * usually + usual_cases - 1) / usual_cases;
}

}  // namespace random_calls
