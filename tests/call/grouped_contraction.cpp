#include <xeinsum/call/grouped_contraction.hpp>

#include <doctest/doctest.h>

using xeinsum::call_kind;
using xeinsum::array::dynamic_rank;
using dynamic = xt::xarray<float>;

TEST_CASE("the result's rank is known where pattern and operand tell it") {
    using xeinsum::detail::pattern_result_rank;
    static_assert(pattern_result_rank<"b (h w) -> b h w", call_kind::repeat, dynamic>() == 3);
    static_assert(pattern_result_rank<"b ... -> b (...) 1", call_kind::repeat, dynamic>() == 3);
    static_assert(pattern_result_rank<"b ... -> b ...", call_kind::repeat, dynamic>() ==
                  dynamic_rank);
    CHECK(pattern_result_rank<"b ... -> ... b 2", call_kind::repeat, xt::xtensor<float, 4>>() == 5);
}
