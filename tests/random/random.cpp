// 100,000 random calls of every element type, and some on a machine where copies cost nothing.
#include "../support/targets.hpp"
#include "random_calls.hpp"

#include <doctest/doctest.h>

#include <complex>
#include <cstdint>

TEST_CASE("random calls agree with the reference") {
    random_calls::for_seeds(100000, [](std::uint64_t seed, std::uint64_t cases) {
        using random_calls::check_cases;
        const std::uint64_t share = cases / 20;
        check_cases<float>(seed, 8 * share);
        check_cases<double>(seed + 8 * share, 4 * share);
        check_cases<std::complex<float>>(seed + 12 * share, 2 * share);
        check_cases<std::complex<double>>(seed + 14 * share, 2 * share);
        check_cases<std::int32_t>(seed + 16 * share, 2 * share);
        check_cases<std::int64_t>(seed + 18 * share, cases - 18 * share);
    });
}

TEST_CASE("random calls whose arrays are copied in another order agree with the reference") {
    random_calls::for_seeds(30000, [](std::uint64_t seed, std::uint64_t cases) {
        random_calls::check_cases<float>(seed, cases / 2, &support::copying_machine);
        random_calls::check_cases<std::complex<double>>(seed + cases / 2, cases - cases / 2,
                                                        &support::copying_machine);
    });
}
