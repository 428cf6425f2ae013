#include <xeinsum/plan/target.hpp>

#include "../support/both.hpp"

TEST_CASE("a target left alone is one scalar core of any machine") {
    support::check_both([] {
        constexpr xeinsum::planning::target t;
        return t.lanes == 1 && !t.fused_only && t.threads == 1 && t.core == xeinsum::machine{};
    });
}

TEST_CASE("a target is adapted to what a caller asks for") {
    support::check_both([] {
        constexpr xeinsum::planning::target t{.lanes = 8};
        constexpr xeinsum::machine mine{.hertz = 1e9};
        const auto plain = xeinsum::planning::adapted(t, {.threads = 5000});
        const auto other = xeinsum::planning::adapted(t, {.threads = 3, .machine = &mine});
        return plain.threads == 1024 && plain.lanes == 8 && plain.core == xeinsum::machine{} &&
               plain.is_usual && !other.is_usual && other.threads == 3 && other.lanes == 8 &&
               other.core == mine;
    });
}
