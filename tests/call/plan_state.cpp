#include <xeinsum/call/plan_state.hpp>

#include "../support/instances.hpp"

#include <xeinsum/compiled.hpp>
#include <xeinsum/equation/parser.hpp>

#include <doctest/doctest.h>

#include <string_view>
#include <vector>

using state = xeinsum::detail::plan_state<float, xeinsum::detail::default_arch>;

TEST_CASE("the parts of a workspace follow each other") {
    const state s(
        xeinsum::parse(std::string_view("ij,jk,kl->il")),
        {xeinsum::row_major({30, 40}), xeinsum::row_major({40, 50}), xeinsum::row_major({50, 20})},
        {});
    CHECK(std::vector<std::size_t>(s.given.begin(), s.given.end()) ==
          std::vector<std::size_t>{0, 1, 2});
    REQUIRE(s.output().extents.size() == 2);
    CHECK(s.output().extents[0] == 30);
    CHECK(s.output().strides[0] == 20);
    CHECK(s.output().extents[1] == 20);
    CHECK(s.output().strides[1] == 1);
    CHECK(s.data.steps.size() == 2);
    CHECK(s.arrays.size() == 4);
    CHECK(s.rebind_offset() == s.data.workspace_bytes);
    CHECK(s.temporary_offset() >= s.rebind_offset());
    CHECK(s.workspace_bytes() == s.temporary_offset() + 63);
    CHECK(s.overlap_workspace_bytes() == s.workspace_bytes() + 30 * 20 * sizeof(float));
}

TEST_CASE("what does not fit the equation is refused") {
    const auto refused = [](std::vector<xeinsum::layout> lie) {
        try {
            const state s(xeinsum::parse(std::string_view("ij,jk->ik")), std::move(lie), {});
        } catch (const xeinsum::einsum_error& e) {
            return e.code();
        }
        return xeinsum::error_code::none;
    };
    CHECK(refused({xeinsum::row_major({2, 3})}) == xeinsum::error_code::operand_count);
    CHECK(refused({xeinsum::row_major({2, 3}), xeinsum::row_major({4, 5})}) ==
          xeinsum::error_code::extent_mismatch);
}
