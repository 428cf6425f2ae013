#include <xeinsum/call/accepted.hpp>

#include <doctest/doctest.h>

#include <complex>
#include <string>
#include <type_traits>
#include <vector>

// What is refused is shown by the files of compile_fail.

using xeinsum::detail::check_operands;
using xeinsum::detail::check_output_and_operands;
using xeinsum::detail::element_of_t;
using xeinsum::detail::have_common_element;
using xeinsum::detail::operand_argument;
using matrix = xt::xtensor<float, 2>;

TEST_CASE("what has a place of its own takes none of an operand") {
    static_assert(operand_argument<matrix>);
    static_assert(operand_argument<std::complex<float>>);
    static_assert(!operand_argument<xeinsum::options>);
    static_assert(!operand_argument<xeinsum::axis_lengths>);
    static_assert(!operand_argument<xeinsum::axis_length>);
    static_assert(!operand_argument<xeinsum::named_length<"h">>);
    // These are no operands, but nothing else, either.
    static_assert(operand_argument<std::vector<float>>);
    CHECK(operand_argument<const float*>);
}

TEST_CASE("operands need elements of a common type") {
    static_assert(check_operands<matrix, double, xt::xarray<int>>());
    static_assert(check_operands<>());
    static_assert(check_output_and_operands<matrix&, matrix>());
    static_assert(std::is_same_v<element_of_t<matrix, std::complex<double>>, std::complex<double>>);
    static_assert(!have_common_element<matrix, xt::xarray<std::string>>);
    CHECK(have_common_element<matrix, xt::xarray<bool>>);
}
