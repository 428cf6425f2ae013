#include <xeinsum/call/bind.hpp>

#include "../support/arrays.hpp"
#include "../support/digits.hpp"
#include "../support/instances.hpp"
#include "../support/shared_calls.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string_view>

using support::numbers;

TEST_CASE("a state knows which operands are given") {
    const xt::xarray<float> b = numbers<float>({20, 30});
    const xeinsum::detail::plan_state<float, xeinsum::detail::default_arch> state(
        xeinsum::parse(std::string_view("ij,jk->ik")),
        {xeinsum::row_major({10, 20}), xeinsum::row_major({20, 30})}, {});
    xeinsum::detail::binding<float, xeinsum::detail::default_arch> binding(state, nullptr);
    const auto lies = xeinsum::layout_of(b);
    binding.add(1, lies, b.data());
    const auto bound = binding.state();
    REQUIRE(bound.given.size() == 1);
    CHECK(bound.given[0] == 0);
    REQUIRE(bound.known);
    CHECK(bound.known->operands[0] == nullptr);
    CHECK(std::equal(b.storage().begin(), b.storage().end(), bound.known->operands[1]));
    CHECK(bound.known->bound[0] == nullptr);
    CHECK(bound.known->bound[1]->data() == bound.known->operands[1]);
    CHECK(state.given.size() == 2);
}
