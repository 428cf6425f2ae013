#include <xeinsum/kernel/gemm/dot_gemm.hpp>

#include "../../support/aligned_bytes.hpp"
#include "../../support/instances.hpp"
#include "../../support/nest.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

using support::nest_row;
using xeinsum::kernel::blocking_of;
using xeinsum::kernel::deep_block;
using xeinsum::kernel::deep_blocks;
using xeinsum::kernel::deep_columns;
using xeinsum::kernel::deep_height;
using xeinsum::kernel::deep_row_bytes;
using xeinsum::kernel::dot_gemm;
using xeinsum::kernel::dot_gemm_bytes;
using xeinsum::kernel::scaling;

namespace {

using native = support::instance<float, support::native_arch>;

/// Scratch of a product's size.
template <class I>
[[nodiscard]] support::aligned_bytes scratch(deep_blocks blocks, std::int64_t rows,
                                             std::int64_t depth) {
    constexpr auto cut = blocking_of<typename I::type, typename I::arch>;
    return support::aligned_bytes(dot_gemm_bytes(blocks, rows, depth, deep_height(cut.mr),
                                                 sizeof(typename I::type), I::lanes));
}

/// How elements follow each other along a loop: 1 is side by side.
struct steps {
    std::int64_t lhs_depth = 1;
    std::int64_t out_column = 1;
};

/// "zabk,znk->zabn" with rows a b; z is 2. There are gaps between rows of all arrays, and rhs ends
/// where its memory does. shared: lhs has no z.
template <class I>
void check(std::int64_t a, std::int64_t b, std::int64_t n, std::int64_t k, steps step = {},
           bool shared = false) {
    using T = typename I::type;
    CAPTURE(a);
    CAPTURE(b);
    CAPTURE(n);
    CAPTURE(k);
    const std::int64_t lhs_row = k * step.lhs_depth + 1;
    const std::int64_t lhs_size = a * (b * lhs_row + 2);
    const std::int64_t line = k + 3;
    const std::int64_t out_row = n * step.out_column + 1;
    const std::int64_t out_size = a * b * out_row;
    const std::int64_t z = shared ? 0 : lhs_size;
    const nest_row products{2, out_size, z, n * line};
    const nest_row outer{a, b * out_row, b * lhs_row + 2, 0};
    const nest_row inner{b, out_row, lhs_row, 0};
    const nest_row column{n, step.out_column, 0, line};
    const support::nest_rows batch({products});
    const support::nest_rows rows({outer, inner});
    const support::nest_rows columns({column});
    const support::nest_rows depth({{k, 0, step.lhs_depth, 1}});
    const support::nest_rows output({products, outer, inner, column});
    const auto size = [](std::int64_t x) { return static_cast<std::size_t>(x); };
    const auto lhs = support::small_numbers<T>(size(2 * lhs_size), 2);
    const auto rhs = support::small_numbers<T>(size(2 * n * line - 3), 30);
    for (const auto blocks : {deep_blocks::usual, deep_blocks::pages}) {
        support::aligned_bytes memory = scratch<I>(blocks, a * b, k);
        support::check_product<T>(
            {output.loops(), depth.loops(), 2}, lhs, rhs, size(2 * out_size),
            [&](const scaling<T>& scale, T* found) {
                dot_gemm<T, typename I::arch>(
                    {batch.loops(), rows.loops(), columns.loops(), depth.loops()}, blocks,
                    lhs.data(), rhs.data(), found, scale, memory.data());
            });
    }
}

}  // namespace

TEST_CASE_TEMPLATE("panels of rows, tiles of columns and registers of depth that are not full", I,
                   native, support::instance<double, support::native_arch>,
                   support::instance<float, support::baseline_arch>,
                   support::instance<std::uint32_t, support::native_arch>) {
    constexpr auto group = static_cast<std::int64_t>(deep_columns(sizeof(typename I::type)));
    for (const std::int64_t rows : {1, 3, 4, 5, 8, 9}) {
        check<I>(1, rows, 7, 2 * I::lanes);
    }
    for (const std::int64_t columns : {std::int64_t{1}, std::int64_t{3}, group, group + 2}) {
        check<I>(3, 2, columns, I::lanes + 1);
    }
    // of low tiles, which may be twice as wide
    for (const std::int64_t columns : {std::int64_t{5}, std::int64_t{6}, 2 * group + 7}) {
        check<I>(2, 2, columns, I::lanes + 1);
    }
    check<I>(1, 5, group + 1, I::lanes - 1);
}

TEST_CASE("low tiles of a far rhs whose lines are long") {
    check<native>(1, 3, 530, 2049);
}

TEST_CASE("a result does not depend on the rows beside it") {
    constexpr std::int64_t k = 1000;
    constexpr std::int64_t n = 7;
    std::vector<float> lhs(5 * k), rhs(n * k);
    for (std::size_t i = 0; i < lhs.size(); ++i) {
        lhs[i] = 1 / static_cast<float>(i + 3);
    }
    for (std::size_t i = 0; i < rhs.size(); ++i) {
        rhs[i] = 1 / static_cast<float>(i % 97 + 5);
    }
    const auto product = [&](std::int64_t rows) {
        const support::nest_rows row({{rows, n, k, 0}});
        const support::nest_rows columns({{n, 1, 0, k}});
        const support::nest_rows depth({{k, 0, 1, 1}});
        std::vector<float> out(static_cast<std::size_t>(rows * n));
        support::aligned_bytes memory = scratch<native>(deep_blocks::usual, rows, k);
        dot_gemm<float, support::native_arch>({{}, row.loops(), columns.loops(), depth.loops()},
                                              deep_blocks::usual, lhs.data(), rhs.data(),
                                              out.data(), {}, memory.data());
        return out;
    };
    const std::vector<float> low = product(3);
    std::vector<float> high = product(5);
    high.resize(low.size());
    CHECK(low == high);
}

TEST_CASE_TEMPLATE("a depth of several blocks, the last one lower", I, native,
                   support::instance<double, support::native_arch>) {
    for (const auto blocks : {deep_blocks::usual, deep_blocks::pages}) {
        const auto most =
            static_cast<std::int64_t>(deep_row_bytes(blocks) / sizeof(typename I::type));
        check<I>(2, 3, 5, most);
        check<I>(2, 3, 5, most + 1);
        check<I>(2, 3, 5, 2 * most + I::lanes + 1);
        check<I>(3, 7, 11, most + 1);
    }
}

TEST_CASE("a depth of lhs and columns of the output that lie apart, and one lhs for all products") {
    check<native>(2, 3, 50, 37, {.lhs_depth = 3});
    check<native>(2, 3, 50, 37, {.out_column = 2});
    check<native>(2, 3, 50, 37, {}, true);
    check<native>(2, 3, 5, 1000, {}, true);
}

TEST_CASE("what stands in for missing rows and depth leaves NaN and infinity where they are") {
    // "ik,jk->ij" of 3 x 5 and 2 x 5: infinity in the last depth of row 1 of rhs.
    const support::nest_rows rows({{3, 2, 5, 0}});
    const support::nest_rows columns({{2, 1, 0, 5}});
    const support::nest_rows depth({{5, 0, 1, 1}});
    const std::vector<float> lhs(15, 2);
    std::vector<float> rhs(10, 1);
    rhs[9] = std::numeric_limits<float>::infinity();
    std::vector<float> out(6, std::numeric_limits<float>::quiet_NaN());
    support::aligned_bytes memory = scratch<native>(deep_blocks::usual, 3, 5);
    dot_gemm<float, support::native_arch>({{}, rows.loops(), columns.loops(), depth.loops()},
                                          deep_blocks::usual, lhs.data(), rhs.data(), out.data(),
                                          {}, memory.data());
    for (std::size_t i = 0; i < 3; ++i) {
        CHECK(out[2 * i] == 10);
        CHECK(out[2 * i + 1] == std::numeric_limits<float>::infinity());
    }
}
