#include <xeinsum/kernel/gemm/few_rows_gemm.hpp>

#include "../../support/aligned_bytes.hpp"
#include "../../support/instances.hpp"
#include "../../support/nest.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>

using xeinsum::kernel::blocking_of;
using xeinsum::kernel::few_rows_gemm;
using xeinsum::kernel::few_rows_gemm_bytes;
using xeinsum::kernel::few_rows_way;
using xeinsum::kernel::has_wide_tiles;
using xeinsum::kernel::scaling;
using xeinsum::kernel::usual_few_rows_way;

TEST_CASE_TEMPLATE("ij,jk->ik either way", I, support::instance<float, support::native_arch>,
                   support::instance<double, support::native_arch>,
                   support::instance<float, support::baseline_arch>) {
    using T = typename I::type;
    constexpr std::int64_t m = 11;
    constexpr std::int64_t n = 13 * I::lanes + 1;
    constexpr std::int64_t k = 70;
    const support::nest_rows rows({{m, n, k, 0}});
    const support::nest_rows columns({{n, 1, 0, 1}});
    const support::nest_rows depth({{k, 0, 1, n}});
    const support::nest_rows output({{m, n, k, 0}, {n, 1, 0, 1}});
    const auto lhs = support::small_numbers<T>(std::size_t{m} * k, 2);
    const auto rhs = support::small_numbers<T>(std::size_t{k} * n, 30);
    constexpr auto cut = blocking_of<T, typename I::arch>;
    for (const few_rows_way way : {few_rows_way::wide_tiles, few_rows_way::updates}) {
        if (way == few_rows_way::wide_tiles && !has_wide_tiles(cut.mr)) {
            continue;
        }
        support::aligned_bytes scratch(few_rows_gemm_bytes(way, m, k, cut.kc, sizeof(T)));
        support::check_product<T>({output.loops(), depth.loops(), 2}, lhs, rhs, std::size_t{m} * n,
                                  [&](const scaling<T>& scale, T* found) {
                                      few_rows_gemm<T, typename I::arch>(
                                          {{}, rows.loops(), columns.loops(), depth.loops()}, way,
                                          lhs.data(), rhs.data(), found, scale, scratch.data());
                                  });
    }
}
