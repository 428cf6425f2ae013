#include <xeinsum/kernel/gemm/small_gemm.hpp>

#include "../../support/instances.hpp"
#include "../../support/nest.hpp"
#include "../../support/shared_kernels.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

using support::nest_row;
using xeinsum::kernel::scaling;
using xeinsum::kernel::small_gemm;
using xeinsum::kernel::small_shape;

namespace {

/// How the rhs lies.
enum class rhs_order { along_columns, along_depth };

/// A batch of products with row-major matrices or a transposed rhs; depth in pieces, between which
/// lhs has a gap. The last `shared` loops of the batch have one rhs.
template <class I>
void check(std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t pieces,
           const std::vector<std::int64_t>& batch, rhs_order order = rhs_order::along_columns,
           std::size_t shared = 0) {
    using T = typename I::type;
    CAPTURE(m);
    CAPTURE(n);
    CAPTURE(k);
    CAPTURE(pieces);
    const std::int64_t piece = m * k + 1;
    const std::int64_t depth = k * pieces;
    std::vector<nest_row> outer;
    std::int64_t count = 1;
    for (std::size_t b = batch.size(); b-- > 0;) {
        const bool same = b + shared >= batch.size();
        outer.insert(outer.begin(), {batch[b], count * m * n, count * piece * pieces,
                                     same ? 0 : count * depth * n});
        count *= batch[b];
    }
    std::vector<nest_row> free = outer;
    free.push_back({m, n, k, 0});
    const bool transposed = order == rhs_order::along_depth;
    const std::int64_t rhs_column = transposed ? k + 2 : 1;  // with gaps
    const std::int64_t rhs_depth = transposed ? 1 : n;
    const std::int64_t rhs_piece = transposed ? (k + 2) * n : k * n;
    free.push_back({n, 1, 0, rhs_column});
    const support::nest_rows around(outer);
    const support::nest_rows output(free);
    const support::nest_rows sums({{pieces, 0, piece, rhs_piece}, {k, 0, 1, rhs_depth}});
    const auto size = [&](std::int64_t x) { return static_cast<std::size_t>(count * x); };
    const auto a = support::small_numbers<T>(size(piece * pieces), 2);
    const auto b = support::small_numbers<T>(size((depth + 2 * pieces) * n), 30);
    const small_shape s{.rows = m,
                        .columns = n,
                        .depth = k,
                        .pieces = pieces,
                        .lhs_row = k,
                        .lhs_depth = 1,
                        .lhs_piece = piece,
                        .rhs_depth = rhs_depth,
                        .rhs_piece = rhs_piece,
                        .rhs_column = rhs_column,
                        .out_row = n};
    constexpr std::size_t behind = 8;  // elements that stay as they are
    support::check_product<T>({output.loops(), sums.loops(), 2}, a, b, size(m * n) + behind,
                              [&](const scaling<T>& scale, T* found) {
                                  small_gemm<T, typename I::arch>(around.loops(), s, a.data(),
                                                                  b.data(), found, scale);
                              });
}

}  // namespace

TEST_CASE_TEMPLATE("small products of every shape", I, SUPPORT_ALL_REAL_INSTANCES) {
    for (const std::int64_t m : {1, 2, 3, 5, 6, 7, 8, 9, 13, 20}) {
        for (const std::int64_t n : {1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16, 17, 25, 33, 40}) {
            check<I>(m, n, 3, 1, {});
        }
    }
    check<I>(4, 5, 1, 1, {});
    check<I>(4, 9, 7, 3, {});
}

TEST_CASE_TEMPLATE("many rows, which columns meet some at a time", I, SUPPORT_ALL_REAL_INSTANCES) {
    check<I>(411, 37, 21, 1, {});
    check<I>(203, 19, 50, 3, {2});
    check<I>(301, 9, 40, 1, {}, rhs_order::along_depth);
}

TEST_CASE_TEMPLATE("deep products of few rows, whose sums are in parts", I,
                   SUPPORT_ALL_REAL_INSTANCES) {
    for (const std::int64_t m : {1, 2, 3, 4, 5}) {
        for (const std::int64_t n : {2, 5, 8, 16, 19}) {
            for (const std::int64_t k : {47, 48, 49, 50, 51}) {
                check<I>(m, n, k, 1, {});
            }
        }
    }
    check<I>(3, 9, 52, 2, {2});
}

TEST_CASE_TEMPLATE("batches, whether their products fit one tile or not", I,
                   SUPPORT_ALL_REAL_INSTANCES) {
    check<I>(4, 4, 4, 1, {300});
    check<I>(3, 2, 5, 2, {7, 3});
    check<I>(9, 19, 6, 1, {40});
    check<I>(7, 5, 3, 1, {2, 3, 4});
}

TEST_CASE_TEMPLATE("batches from memory, whose next product is prefetched", I,
                   support::instance<float, support::native_arch>,
                   support::instance<double, support::baseline_arch>) {
    check<I>(50, 44, 1, 1, {930});
    check<I>(301, 9, 1, 1, {31, 25});
    // several together, in pieces of the depth
    check<I>(13, 11, 2, 2, {6, 3301});
}

TEST_CASE_TEMPLATE("an rhs that lies along its depth", I, SUPPORT_ALL_REAL_INSTANCES) {
    for (const std::int64_t n : {1, 3, 8, 13, 16, 35}) {
        for (const std::int64_t k : {1, 7, 8, 16, 21}) {
            check<I>(5, n, k, 1, {}, rhs_order::along_depth);
        }
    }
    check<I>(9, 12, 10, 3, {2}, rhs_order::along_depth);
    // more than is transposed at once
    check<I>(9, 611, 47, 1, {}, rhs_order::along_depth);
    check<I>(5, 203, 95, 1, {2}, rhs_order::along_depth);
    check<I>(8, 333, 20, 2, {2, 3}, rhs_order::along_depth, 1);
    check<I>(8, 9, 11, 1, {2, 3}, rhs_order::along_depth);
    check<I>(8, 9, 11, 1, {2, 3}, rhs_order::along_depth, 1);
    check<I>(8, 9, 11, 2, {2, 3}, rhs_order::along_depth, 2);
}
