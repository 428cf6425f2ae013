// Random calls on kernels that cut everything into blocks of a few elements: a real, a complex and
// an integer type, whose kernels are compiled here for these blocks.
#include "../support/evaluate_definitions.hpp"
#include "random_calls.hpp"

#include <doctest/doctest.h>

#include <complex>
#include <cstdint>

SUPPORT_INSTANTIATE(float);
SUPPORT_INSTANTIATE(std::complex<float>);
SUPPORT_INSTANTIATE(std::int32_t);

TEST_CASE("random calls agree with the reference whatever the blocks") {
    static_assert(xeinsum::kernel::blocking_of<float, xeinsum::kernel::native_arch>.kc == 4);
    random_calls::for_seeds(100000, [](std::uint64_t seed, std::uint64_t cases) {
        using random_calls::check_cases;
        const std::uint64_t share = cases / 20;
        check_cases<float>(seed, 12 * share);
        check_cases<std::complex<float>>(seed + 12 * share, 4 * share);
        check_cases<std::int32_t>(seed + 16 * share, cases - 16 * share);
    });
}
