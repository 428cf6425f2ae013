#include <xeinsum/kernel/gemm/rank_k_updates.hpp>

#include "../../support/few_rows.hpp"
#include "../../support/instances.hpp"

#include <doctest/doctest.h>

#include <cstdint>

using xeinsum::kernel::rank_k_updates;
using xeinsum::kernel::rank_k_updates_bytes;
using xeinsum::kernel::update_block_depth;
using xeinsum::kernel::update_long_row_bytes;
using xeinsum::kernel::update_row_bytes;

namespace {

/// The product of check_few_rows.
template <class I>
void check(std::int64_t a, std::int64_t c, std::int64_t n, std::int64_t k, bool shared = false) {
    using T = typename I::type;
    support::check_few_rows<I>(
        a, c, n, k, shared, rank_k_updates_bytes(a * c, k, sizeof(T)),
        [](const auto&... arguments) { rank_k_updates<T, typename I::arch>(arguments...); });
}

/// Columns that fill cache lines, registers, and parts of one.
template <class I>
void check_columns(std::int64_t a, std::int64_t c, std::int64_t k) {
    for (const std::int64_t n : {I::lanes - 1, 4 * I::lanes, 7 * I::lanes + 1}) {
        check<I>(a, c, n, k);
    }
}

}  // namespace

TEST_CASE_TEMPLATE("any rows, in updates of nearly as many, and any depth", I,
                   support::instance<float, support::native_arch>,
                   support::instance<double, support::native_arch>,
                   support::instance<float, support::baseline_arch>) {
    for (const std::int64_t rows : {1, 2, 3, 4, 5, 6, 7, 9, 11, 13}) {
        check_columns<I>(1, rows, 1 + rows % 4);
        check_columns<I>(1, rows, 4 + rows % 5);
    }
    check_columns<I>(3, 7, 29);
    check_columns<I>(2, 3, 31);
}

TEST_CASE_TEMPLATE("more columns than are worked on at a time, and more depth than a block", I,
                   support::instance<float, support::native_arch>,
                   support::instance<double, support::baseline_arch>) {
    using T = typename I::type;
    constexpr auto columns = static_cast<std::int64_t>(update_row_bytes / sizeof(T));
    constexpr auto long_row = static_cast<std::int64_t>(update_long_row_bytes / sizeof(T));
    constexpr auto block = static_cast<std::int64_t>(update_block_depth);
    check<I>(1, 3, columns, 13);
    check<I>(2, 3, 2 * columns + I::lanes + 1, 14);
    check<I>(1, 5, 2 * long_row + I::lanes + 1, 9);
    check<I>(1, 8, 2 * columns + 1, 9);
    check<I>(1, 2, I::lanes + 3, block);
    check<I>(2, 3, I::lanes + 3, 2 * block + 5);
}

TEST_CASE_TEMPLATE("columns go on from the first line of an rhs that begins within one", I,
                   support::instance<float, support::native_arch>,
                   support::instance<double, support::baseline_arch>) {
    check<I>(1, 3, 653, 90);  // rows of whole lines, with the gap that there is
    check<I>(2, 5, 1037, static_cast<std::int64_t>(update_block_depth) + 5);
}

TEST_CASE("products of one lhs, whose depth is a block or more") {
    using I = support::instance<float, support::native_arch>;
    constexpr auto block = static_cast<std::int64_t>(update_block_depth);
    check<I>(2, 3, 5 * I::lanes, 30, true);
    check<I>(2, 3, 5 * I::lanes, block + 3, true);
}
