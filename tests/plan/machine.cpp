#include <xeinsum/plan/machine.hpp>

#include "../support/both.hpp"

#include <type_traits>

using xeinsum::machine;

TEST_CASE("a machine left alone has sane rates") {
    support::check_both([] {
        constexpr machine m;
        return m.hertz > 1e9 && m.near_bytes_per_second > m.cached_bytes_per_second &&
               m.cached_bytes_per_second > m.bytes_per_second && m.step_seconds < 1e-6 &&
               m.first_cache_bytes < m.near_cache_bytes && m.near_cache_bytes < m.cache_bytes;
    });
    CHECK(std::is_trivially_copyable_v<machine>);
}

TEST_CASE("machines that differ in one figure are different") {
    support::check_both([] {
        constexpr machine one{.hertz = 2e9}, other{.hertz = 2e9, .pack_seconds = 1};
        return one == machine{.hertz = 2e9} && one != other && one != machine{};
    });
}
