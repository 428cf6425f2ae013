// Random calls in every element type.
#include "check_case.hpp"
#include "random_calls.hpp"
#include "ways.hpp"

#include <doctest/doctest.h>

#include <complex>
#include <cstdint>
#include <string>

TEST_CASE("random calls give exactly what loops over their labels give") {
    using namespace random_calls;
    check_cases(usual_cases, [](const random_case& c, std::uint64_t draw) {
        return draw < 8    ? failure_of<float>(c)
               : draw < 12 ? failure_of<double>(c)
               : draw < 14 ? failure_of<std::complex<float>>(c)
               : draw < 16 ? failure_of<std::complex<double>>(c)
               : draw < 18 ? failure_of<std::int32_t>(c)
                           : failure_of<std::int64_t>(c);
    });
    const call_counts& counts = call_counts::all();
    MESSAGE(counts.in_pieces << " steps in pieces, " << counts.in_slices << " plans in slices, "
                             << counts.bound << " bound, " << counts.in_workspace
                             << " runs in a workspace, " << counts.refused << " calls refused");
    if (cases(usual_cases) >= 1000) {
        CHECK(counts.in_pieces > 0);
        CHECK(counts.in_slices > 0);
        CHECK(counts.bound > 0);
        CHECK(counts.in_workspace > 0);
    }
}
