#include <xeinsum/call/grouped_check.hpp>

#include <doctest/doctest.h>

using xeinsum::call_kind;
using xeinsum::error_code;
using dynamic = xt::xarray<float>;
using cube = xt::xtensor<float, 3>;
template <xeinsum::fixed_string Name>
using length = xeinsum::named_length<Name>;

namespace {

template <xeinsum::fixed_string Text, call_kind Kind, class Lengths, class... Operands>
constexpr bool finds(error_code code, std::size_t column) {
    constexpr auto p = xeinsum::detail::pattern_check<Text, Kind, Lengths, Operands...>::find();
    return p.code == code && p.column == column;
}

}  // namespace

TEST_CASE("right calls have no problem") {
    static_assert(finds<"b n (h d) -> b h n d", call_kind::rearrange, void(length<"h">), cube>(
        error_code::none, 0));
    static_assert(finds<"b n (h d) -> b h n d", call_kind::rearrange, void(length<"d">), dynamic>(
        error_code::none, 0));
    static_assert(
        finds<"... (h 2) -> ... h", call_kind::reduce, void(), dynamic>(error_code::none, 0));
    CHECK(finds<"b (h d), h -> b d", call_kind::einsum, void(), xt::xtensor<float, 2>, dynamic>(
        error_code::none, 0));
}

TEST_CASE("wrong ones have a code and a column") {
    static_assert(
        finds<"a b c -> a b", call_kind::rearrange, void(), cube>(error_code::lost_axis, 5));
    static_assert(
        finds<"a b -> a b", call_kind::rearrange, void(), cube>(error_code::rank_mismatch, 1));
    static_assert(finds<"a b (c d) -> a b c d", call_kind::rearrange, void(), cube>(
        error_code::missing_length, 6));
    static_assert(
        finds<"a b c -> a b c d", call_kind::repeat, void(), cube>(error_code::missing_length, 16));
    static_assert(finds<"a b c -> a b c", call_kind::rearrange, void(length<"d">), cube>(
        error_code::unknown_axis, 0));
    static_assert(
        finds<"a b c -> a b c", call_kind::rearrange, void(length<"a">, length<"a">), cube>(
            error_code::repeated_length, 0));
    static_assert(finds<"... (a b) -> ... a b", call_kind::rearrange, void(), dynamic>(
        error_code::missing_length, 6));
    static_assert(finds<"(a b -> a", call_kind::reduce, void(), dynamic>(
        error_code::unbalanced_parenthesis, 1));
    CHECK(finds<"a, b -> a b", call_kind::einsum, void(), dynamic>(error_code::operand_count, 0));
}
