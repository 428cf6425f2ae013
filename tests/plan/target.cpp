#include <xeinsum/plan/target.hpp>

#include "../support/both.hpp"

TEST_CASE("a target left alone is one scalar core of any machine") {
    support::check_both([] {
        constexpr xeinsum::planning::target t;
        return t.lanes == 1 && !t.fused_only && t.threads == 1 && t.core == xeinsum::machine{};
    });
}
