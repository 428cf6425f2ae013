// What kernels for few rows must compute: products of a batch whose rows are two loops and whose
// columns lie side by side, "bacl,bln->bacn".
#pragma once

#include <xeinsum/kernel/gemm/gemm.hpp>
#include <xeinsum/kernel/scaling.hpp>

#include "aligned_bytes.hpp"
#include "nest.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>

namespace support {

/// "ba'cl,bln->ba'cn" of 2 products with rows a' c: lhs has gaps between a' and between c, rhs and
/// the output between rows. rhs ends where its memory does. shared: "a'cl,bln->ba'cn".
/// run(groups, lhs, rhs, out, scaling, scratch) multiplies.
template <class I, class Run>
void check_few_rows(std::int64_t a, std::int64_t c, std::int64_t n, std::int64_t k, bool shared,
                    std::size_t scratch_bytes, const Run& run) {
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
    const nest_rows batch({{2, out_size, lhs_size, rhs_size}});
    const nest_rows rows({{a, c * row, lhs_rows, 0}, {c, row, lhs_row, 0}});
    const nest_rows columns({{n, 1, 0, 1}});
    const nest_rows depth({{k, 0, 1, step}});
    const nest_rows output({{2, out_size, lhs_size, rhs_size},
                            {a, c * row, lhs_rows, 0},
                            {c, row, lhs_row, 0},
                            {n, 1, 0, 1}});
    const auto size = [](std::int64_t x) { return static_cast<std::size_t>(x); };
    const auto lhs = small_numbers<T>(size(2 * a * lhs_rows), 2);
    const auto rhs = small_numbers<T>(size(2 * rhs_size - 3), 30);
    aligned_bytes scratch(scratch_bytes);
    check_product<T>({output.loops(), depth.loops(), 2}, lhs, rhs, size(2 * out_size),
                     [&](const xeinsum::kernel::scaling<T>& scale, T* found) {
                         run(xeinsum::kernel::gemm_groups{batch.loops(), rows.loops(),
                                                          columns.loops(), depth.loops()},
                             lhs.data(), rhs.data(), found, scale, scratch.data());
                     });
}

}  // namespace support
