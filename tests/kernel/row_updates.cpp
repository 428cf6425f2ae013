#include <xeinsum/kernel/row_updates.hpp>

#include "../support/aligned_bytes.hpp"
#include "../support/instances.hpp"
#include "../support/nest.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

using xeinsum::kernel::row_updates;
using xeinsum::kernel::row_updates_bytes;
using xeinsum::kernel::scaling;
using xeinsum::kernel::update_block_depth;
using xeinsum::kernel::update_row_bytes;

namespace {

/// "ba'cl,bln->ba'cn" of 2 products with rows a' c: lhs has gaps between a' and between c, rhs and
/// the output between rows. rhs ends where its memory does. shared: "a'cl,bln->ba'cn".
template <class I>
void check(std::int64_t a, std::int64_t c, std::int64_t n, std::int64_t k, bool shared = false) {
    using T = typename I::type;
    CAPTURE(a);
    CAPTURE(c);
    CAPTURE(n);
    CAPTURE(k);
    const std::int64_t lhs_row = k + 1;
    const std::int64_t lhs_rows = c * lhs_row + 2;
    const std::int64_t step = n + 3;
    const std::int64_t row = n + 1;
    const std::int64_t lhs_size = shared ? 0 : a * lhs_rows;
    const std::int64_t rhs_size = k * step;
    const std::int64_t out_size = a * c * row;
    const support::nest_rows batch({{2, out_size, lhs_size, rhs_size}});
    const support::nest_rows rows({{a, c * row, lhs_rows, 0}, {c, row, lhs_row, 0}});
    const support::nest_rows columns({{n, 1, 0, 1}});
    const support::nest_rows depth({{k, 0, 1, step}});
    const support::nest_rows output({{2, out_size, lhs_size, rhs_size},
                                     {a, c * row, lhs_rows, 0},
                                     {c, row, lhs_row, 0},
                                     {n, 1, 0, 1}});
    const auto size = [](std::int64_t x) { return static_cast<std::size_t>(x); };
    const auto lhs = support::small_numbers<T>(size(2 * a * lhs_rows), 2);
    const auto rhs = support::small_numbers<T>(size(2 * rhs_size - 3), 30);
    support::aligned_bytes scratch(row_updates_bytes(a * c, k, sizeof(T)));
    support::check_product<T>({output.loops(), depth.loops(), 2}, lhs, rhs, size(2 * out_size),
                              [&](const scaling<T>& scale, T* found) {
                                  row_updates<T, typename I::arch>(
                                      {batch.loops(), rows.loops(), columns.loops(), depth.loops()},
                                      lhs.data(), rhs.data(), found, scale, scratch.data());
                              });
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
    for (const std::int64_t rows : {1, 2, 3, 4, 5, 6, 9, 11}) {
        check_columns<I>(1, rows, 1 + rows % 4);
    }
    check_columns<I>(3, 7, 29);
}

TEST_CASE_TEMPLATE("more columns than are worked on at a time, and more depth than a block", I,
                   support::instance<float, support::native_arch>,
                   support::instance<double, support::baseline_arch>) {
    using T = typename I::type;
    constexpr auto columns = static_cast<std::int64_t>(update_row_bytes / sizeof(T));
    constexpr auto block = static_cast<std::int64_t>(update_block_depth);
    check<I>(1, 3, columns, 13);
    check<I>(2, 3, 2 * columns + I::lanes + 1, 14);
    check<I>(1, 2, I::lanes + 3, block);
    check<I>(2, 3, I::lanes + 3, 2 * block + 5);
}

TEST_CASE("products of one lhs, whose depth is a block or more") {
    using I = support::instance<float, support::native_arch>;
    constexpr auto block = static_cast<std::int64_t>(update_block_depth);
    check<I>(2, 3, 5 * I::lanes, 30, true);
    check<I>(2, 3, 5 * I::lanes, block + 3, true);
}
