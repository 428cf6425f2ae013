#include <xeinsum/equation/classify.hpp>

#include "../support/both.hpp"

#include <set>
#include <string_view>

using xeinsum::index_class;

TEST_CASE("the class of a label follows from where it occurs") {
    struct row {
        bool in_lhs;
        bool in_rhs;
        bool survives;
        index_class expected;
    };
    support::check_both([] {
        constexpr row table[]{
            {true, true, true, index_class::batch},
            {true, true, false, index_class::contracted},
            {true, false, true, index_class::lhs_free},
            {true, false, false, index_class::lhs_only},
            {false, true, true, index_class::rhs_free},
            {false, true, false, index_class::rhs_only},
        };
        for (const row& r : table) {
            if (xeinsum::classify(r.in_lhs, r.in_rhs, r.survives) != r.expected) {
                return false;
            }
        }
        return true;
    });
}

TEST_CASE("every class has a name of its own") {
    std::set<std::string_view> names;
    for (const index_class c : xeinsum::index_classes) {
        names.insert(name(c));
    }
    CHECK(names.size() == 6);
    CHECK(names.count("?") == 0);
}
