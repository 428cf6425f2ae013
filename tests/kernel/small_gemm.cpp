#include <xeinsum/kernel/small_gemm.hpp>

#include "../support/instances.hpp"
#include "../support/nest.hpp"
#include "../support/shared_kernels.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

using support::nest_row;
using xeinsum::kernel::scaling;
using xeinsum::kernel::small_gemm;
using xeinsum::kernel::small_shape;

namespace {

/// A batch of products with row-major matrices; depth in pieces, between which lhs has a gap.
template <class I>
void check(std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t pieces,
           const std::vector<std::int64_t>& batch) {
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
        outer.insert(outer.begin(),
                     {batch[b], count * m * n, count * piece * pieces, count * depth * n});
        count *= batch[b];
    }
    std::vector<nest_row> free = outer;
    free.push_back({m, n, k, 0});
    free.push_back({n, 1, 0, 1});
    const support::nest_rows around(outer);
    const support::nest_rows output(free);
    const support::nest_rows sums({{pieces, 0, piece, k * n}, {k, 0, 1, n}});
    const auto size = [&](std::int64_t x) { return static_cast<std::size_t>(count * x); };
    const auto a = support::small_numbers<T>(size(piece * pieces), 2);
    const auto b = support::small_numbers<T>(size(depth * n), 30);
    const small_shape s{.rows = m,
                        .columns = n,
                        .depth = k,
                        .pieces = pieces,
                        .lhs_row = k,
                        .lhs_depth = 1,
                        .lhs_piece = piece,
                        .rhs_depth = n,
                        .rhs_piece = k * n,
                        .out_row = n};
    support::check_product<T>({output.loops(), sums.loops(), 2}, a, b, size(m * n),
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

TEST_CASE_TEMPLATE("batches, whether their products fit one tile or not", I,
                   SUPPORT_ALL_REAL_INSTANCES) {
    check<I>(4, 4, 4, 1, {300});
    check<I>(3, 2, 5, 2, {7, 3});
    check<I>(9, 19, 6, 1, {40});
    check<I>(7, 5, 3, 1, {2, 3, 4});
}
