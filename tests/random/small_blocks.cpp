// Random calls on kernels that cut everything into blocks of a few elements: a real, a complex and
// an integer type, whose kernels are compiled here for these blocks.
#include "check_case_definitions.hpp"
#include "random_calls.hpp"

#include <xeinsum/kernel/gemm/blocking.hpp>

#include <doctest/doctest.h>

#include <complex>
#include <cstdint>

TEST_CASE("random calls give exactly what loops over their labels give, whatever the blocks") {
    static_assert(xeinsum::kernel::blocking_of<float, xeinsum::kernel::native_arch>.kc == 4);
    using namespace random_calls;
    check_cases(100000, [](const random_case& c, std::uint64_t draw) {
        return draw < 12   ? failure_of<float>(c)
               : draw < 16 ? failure_of<std::complex<float>>(c)
                           : failure_of<std::int32_t>(c);
    });
}
