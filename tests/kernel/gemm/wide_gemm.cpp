#include <xeinsum/kernel/gemm/wide_gemm.hpp>

#include "../../support/few_rows.hpp"
#include "../../support/instances.hpp"

#include <doctest/doctest.h>

#include <cstdint>

using xeinsum::kernel::blocking_of;
using xeinsum::kernel::wide_gemm;
using xeinsum::kernel::wide_gemm_bytes;

namespace {

/// The product of check_few_rows.
template <class I>
void check(std::int64_t a, std::int64_t c, std::int64_t n, std::int64_t k, bool shared = false) {
    using T = typename I::type;
    constexpr auto cut = blocking_of<T, typename I::arch>;
    support::check_few_rows<I>(
        a, c, n, k, shared, wide_gemm_bytes(a * c, k, cut.kc, sizeof(T)),
        [](const auto&... arguments) { wide_gemm<T, typename I::arch>(arguments...); });
}

/// Columns that fill wide tiles, single registers and parts of one.
template <class I>
void check_columns(std::int64_t a, std::int64_t c, std::int64_t k) {
    for (const std::int64_t n : {3 * I::lanes, 4 * I::lanes + 1, 8 * I::lanes - 1}) {
        check<I>(a, c, n, k);
    }
}

}  // namespace

TEST_CASE_TEMPLATE("few rows and any columns", I, support::instance<float, support::native_arch>,
                   support::instance<double, support::native_arch>,
                   support::instance<float, support::baseline_arch>) {
    for (const std::int64_t rows : {1, 2, 3, 4, 5, 6, 7, 8}) {
        check_columns<I>(1, rows, 5);
    }
    check_columns<I>(3, 7, 9);
}

TEST_CASE_TEMPLATE("a depth of more than what is prefetched ahead, and of more than a block", I,
                   support::instance<float, support::native_arch>,
                   support::instance<float, support::baseline_arch>) {
    constexpr auto block = static_cast<std::int64_t>(blocking_of<float, typename I::arch>.kc);
    check_columns<I>(1, 9, 40);
    check_columns<I>(1, 9, 41);
    check_columns<I>(1, 9, 140);
    check_columns<I>(2, 5, block);
    check_columns<I>(2, 5, 2 * block + 50);
}

TEST_CASE("products of one lhs, whose depth is a block or more") {
    using I = support::instance<float, support::native_arch>;
    constexpr auto block = static_cast<std::int64_t>(blocking_of<float, support::native_arch>.kc);
    check<I>(2, 3, 5 * I::lanes, 30, true);
    check<I>(2, 3, 5 * I::lanes, block + 3, true);
}

TEST_CASE_TEMPLATE("more panels than a few, and rows so long that they are written in parts", I,
                   support::instance<float, support::native_arch>,
                   support::instance<double, support::native_arch>,
                   support::instance<float, support::baseline_arch>) {
    check_columns<I>(1, 33, 17);
    check_columns<I>(3, 13, 70);
    check<I>(1, 35, 5000, 3);
    check<I>(1, 35, 4099, 210);  // parts of several tiles, and of one in narrow registers
}

TEST_CASE("rows of the output that are whole lines") {
    using I = support::instance<float, support::native_arch>;
    check<I>(1, 7, 8 * I::lanes - 1, 50);
    check<I>(1, 7, 8 * I::lanes, 50);
}

TEST_CASE_TEMPLATE("columns go on from the first line of an rhs that begins within one", I,
                   support::instance<float, support::native_arch>,
                   support::instance<double, support::native_arch>) {
    constexpr auto block =
        static_cast<std::int64_t>(blocking_of<typename I::type, typename I::arch>.kc);
    check<I>(1, 7, 653, 90);  // rows of whole lines, with the gap that there is
    check<I>(2, 9, 653, block + 5);
    check<I>(1, 33, 1037, 70);
}

TEST_CASE("fewer columns than a register has") {
    using I = support::instance<float, support::native_arch>;
    check<I>(2, 5, 1, 30);
    check<I>(1, 3, I::lanes - 1, 70);
    check<I>(1, 3, I::lanes, 70);
}
