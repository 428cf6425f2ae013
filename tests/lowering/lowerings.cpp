#include <xeinsum/lowering/lowerings.hpp>

#include <doctest/doctest.h>

#include <set>

TEST_CASE("every lowering that can be forced is in the list") {
    for (const xeinsum::lowering l : xeinsum::lowerings_in_order) {
        std::set<xeinsum::lowering> found;
        xeinsum::lowerings::all::with(l, [&]<class Lowering>() { found.insert(Lowering::id); });
        CHECK(found == std::set{l});
    }
}
