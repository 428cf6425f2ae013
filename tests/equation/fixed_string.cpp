#include <xeinsum/equation/fixed_string.hpp>

#include "../support/both.hpp"

#include <type_traits>

namespace {

template <xeinsum::fixed_string Text>
struct named {
    static constexpr auto text = Text;
};

}  // namespace

TEST_CASE("a fixed_string holds a literal without its closing zero") {
    support::check_both([] {
        constexpr xeinsum::fixed_string text("ij,jk->ik");
        return text.size() == 9 && text.view() == "ij,jk->ik";
    });
    support::check_both([] { return xeinsum::fixed_string("").view().empty(); });
}

TEST_CASE("equal texts are the same template argument") {
    static_assert(std::is_same_v<named<"ij->ji">, named<"ij->ji">>);
    static_assert(!std::is_same_v<named<"ij->ji">, named<"ij->ij">>);
    CHECK(named<"ij->ji">::text.view() == "ij->ji");
}
