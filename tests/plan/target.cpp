#include <xeinsum/plan/target.hpp>

#include "../support/both.hpp"

TEST_CASE("a target left alone is one scalar core with sane rates") {
    support::check_both([] {
        constexpr xeinsum::planning::target t;
        return t.lanes == 1 && !t.fused_only && t.core.hertz > 1e9 &&
               t.core.cached_bytes_per_second > t.core.bytes_per_second &&
               t.core.step_seconds < 1e-6;
    });
}
