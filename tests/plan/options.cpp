#include <xeinsum/plan/options.hpp>

#include "../support/both.hpp"

#include <set>
#include <string_view>

using xeinsum::lowering;

TEST_CASE("options left alone decide nothing") {
    support::check_both([] {
        constexpr xeinsum::options o;
        return o.lowering == lowering::automatic && o.path == xeinsum::path_strategy::automatic &&
               o.threads == 1 && o.notation == xeinsum::notation::automatic &&
               o.memory_limit == std::numeric_limits<std::size_t>::max() && o.machine == nullptr &&
               machine_of(o) == xeinsum::machine{};
    });
}

TEST_CASE("every lowering has a name of its own") {
    std::set<std::string_view> names{name(lowering::automatic)};
    for (const lowering l : xeinsum::lowerings_in_order) {
        names.insert(name(l));
    }
    CHECK(names.size() == 4);
    CHECK(names.count("?") == 0);
}
