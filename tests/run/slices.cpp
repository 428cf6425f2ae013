#include <xeinsum/run/slices.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <set>
#include <utility>

using xeinsum::label;
using xeinsum::label_slices;
using xeinsum::lowerings::slice_counter;

TEST_CASE("every combination comes once, and each part of the result is written first once") {
    // Label 3 from 0 to 5 by twos, summed; label 5 from 0 to 11 by threes, kept.
    const std::array<label_slices, 2> slices{label_slices{3, 2, 3, false},
                                             label_slices{5, 3, 4, true}};
    slice_counter counter(slices);
    std::int64_t summed = 0;
    std::int64_t kept = 0;
    std::set<std::pair<std::int64_t, std::int64_t>> seen;
    std::set<std::int64_t> written;
    bool more = true;
    while (more) {
        CHECK(seen.emplace(summed, kept).second);
        CHECK(counter.writes_first() == written.insert(kept).second);
        more = counter.next([&](label moved, std::int64_t by) {
            REQUIRE((moved == 3 || moved == 5));
            (moved == 3 ? summed : kept) += by;
        });
    }
    CHECK(seen.size() == 12);
    CHECK(written == std::set<std::int64_t>{0, 3, 6, 9});
    CHECK(summed == 0);
    CHECK(kept == 0);
}
