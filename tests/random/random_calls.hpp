// Random calls such as "ij,jk->ik" against loops over their labels, exactly; a call that fails is
// made as simple as it can be before it is shown. XEINSUM_RANDOM_SEED and XEINSUM_RANDOM_CASES
// change which calls and how many. A call follows from its seed alone: where a guard page ends the
// program, the seed that is shown makes it again.
#pragma once

#include "check_case.hpp"
#include "fault_message.hpp"
#include "settings.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <exception>
#include <string>

namespace random_calls {

/// Follows simpler cases as long as they fail too.
template <class Failure>
[[nodiscard]] random_case simplest(random_case c, Failure failure) {
    for (bool progress = true; progress;) {
        progress = false;
        for (const random_case& simpler : simpler_cases(c)) {
            bool fails = false;
            try {
                fails = !failure(simpler).empty();
            } catch (const std::exception&) {
                // No longer a valid call.
            }
            if (fails) {
                c = simpler;
                progress = true;
                break;
            }
        }
    }
    return c;
}

/// Checks so many cases, unless the environment asks for more or fewer. failure(case, draw) is what
/// is wrong with one; draw, below 20, chooses its element type.
template <class Failure>
void check_cases(std::uint64_t usually, Failure failure) {
    const std::uint64_t first = first_seed();
    const std::uint64_t count = cases(usually);
    MESSAGE("seed " << first << ", " << count << " cases");
    fault_message fault;
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        fault.set(seed);
        const auto check = [&](const random_case& c) { return failure(c, seed % 20); };
        const random_case c = make_case(seed);
        if (count == 1) {
            MESSAGE(c.text());
        }
        const std::string found = check(c);
        if (!found.empty()) {
            const random_case simple = simplest(c, check);
            FAIL_CHECK(c.text() << "\n  " << found << "\n  simplest: " << simple.text() << "\n  "
                                << check(simple));
            return;
        }
    }
}

}  // namespace random_calls
