#include <xeinsum/kernel/reduce/output_products.hpp>
#include <xeinsum/kernel/reduce/output_vectors.hpp>

#include "../../support/instances.hpp"
#include "../../support/nest.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <vector>

using xeinsum::kernel::cursor;
using xeinsum::kernel::cursors;
using xeinsum::kernel::output_line;
using xeinsum::kernel::output_products;
using xeinsum::kernel::scaling;

TEST_CASE_TEMPLATE("lines of any length in rows and loops around them", I,
                   support::instance<float, support::native_arch>,
                   support::instance<double, support::native_arch>,
                   support::instance<std::complex<double>, support::native_arch>,
                   support::instance<std::uint32_t, support::baseline_arch>) {
    // As they are, in narrow registers where lines are short; scaled through registers.
    using T = typename I::type;
    using products = output_products<T, typename I::arch, 1, 1>;
    using line = output_line<T, typename I::arch>;
    constexpr std::size_t most = 5 * 6;
    for (std::int64_t extent = 1; extent <= 5 * I::lanes + 1; ++extent) {
        // Apart, or one behind the other in every second length.
        const std::int64_t step = extent % 2 == 0 ? 70 : extent;
        CAPTURE(extent);
        const support::nest_rows output({{2, 400, 3, 200}, {5, step, 11, 40}, {extent, 1, 0, 1}});
        const xeinsum::kernel::loops all = output.loops();
        const auto a = support::small_numbers<T>(60, 3);
        const auto b = support::small_numbers<T>(500, 7);
        const T* from[]{a.data(), b.data()};
        for (const bool planes : {false, true}) {
            support::check_product<T>(
                {all, {}, 2}, a, b, 800, [&](const scaling<T>& scale, T* found) {
                    cursor<T> cells[2];
                    cursors<T> at(cells, 2);
                    at.start(from, all.from(2), all.from(1).first(1), {});
                    at.for_each_output(all.first(planes ? 0 : 1), [&](std::int64_t out) {
                        at.for_each_term({}, [&] {
                            if (scale.is_identity()) {
                                products::put(at, extent,
                                              {found + out, step, 5, all.first(planes ? 1 : 0)});
                            }
                        });
                    });
                    if (scale.is_identity()) {
                        return;
                    }
                    const line l(extent, scale);
                    const xeinsum::kernel::product_block block{.row = 0,
                                                               .term = 0,
                                                               .count = 5,
                                                               .begin = 0,
                                                               .end = l.registers(),
                                                               .prefetches = planes};
                    at.for_each_output(all.first(1), [&](std::int64_t out) {
                        at.for_each_term({}, [&] {
                            typename line::reg values[most];
                            products::write(at, l, block, values);
                            l.put(found + out, step, 5, 0, l.registers(), values, l.registers());
                        });
                    });
                });
        }
    }
}

TEST_CASE_TEMPLATE("outputs that no cache holds", I, support::instance<float, support::native_arch>,
                   support::instance<std::complex<double>, support::native_arch>,
                   support::instance<std::uint32_t, support::baseline_arch>) {
    // Written by non-temporal stores if they lie right; compared with the product itself.
    using T = typename I::type;
    using Arch = typename I::arch;
    constexpr auto elements =
        static_cast<std::int64_t>(xeinsum::kernel::streamed_bytes / sizeof(T));
    constexpr std::size_t line = 64;
    std::vector<T> memory(static_cast<std::size_t>(elements + 2048) + 2 * line / sizeof(T) + 2);
    const auto before =
        static_cast<std::size_t>(-reinterpret_cast<std::uintptr_t>(memory.data()) % line);
    // Whole registers, long ones of them too, and rows that only go together with others.
    constexpr std::int64_t l = I::lanes;
    for (const std::int64_t extent : {l, 2 * l, 3 * l, 4 * l, 5 * l, 11 * l, 37 * l,  //
                                      std::int64_t{1}, std::int64_t{3}, 2 * l + 1, 9 * l - 1}) {
        const std::int64_t rows = elements / extent + 1;
        const auto a = support::small_numbers<T>(static_cast<std::size_t>(rows), 3);
        const auto b = support::small_numbers<T>(static_cast<std::size_t>(extent), 5);
        const T* from[]{b.data(), a.data()};
        // Two planes, or one.
        const std::int64_t half = rows / 2;
        const support::nest_rows halves(
            {{2, half * extent, 0, half}, {half, extent, 0, 1}, {extent, 1, 1, 0}});
        const support::nest_rows output({{rows, extent, 0, 1}, {extent, 1, 1, 0}});
        // Where it may go by non-temporal stores, one element farther on, and scaled; the same
        // where it may in parts of registers.
        for (const int way : {0, 1, 2, 3, 4}) {
            const std::size_t shift = way == 1 ? 1 : way >= 3 ? 16 / sizeof(T) : 0;
            const T alpha(way == 2 || way == 4 ? 2 : 1);
            CAPTURE(extent);
            CAPTURE(way);
            const bool planes = way == 0 || way == 3;
            const xeinsum::kernel::loops all = planes ? halves.loops() : output.loops();
            const std::int64_t put = planes ? 2 * half : rows;
            std::fill(memory.begin(), memory.end(), T(0));
            T* out = memory.data() + 64 / sizeof(T) + before / sizeof(T) + shift;
            cursor<T> cells[2];
            cursors<T> at(cells, 2);
            xeinsum::kernel::output_vectors<T, Arch>(
                {all, {}, 2}, xeinsum::kernel::output_kernels_of<T, Arch, 1, 1>::all, at, from, out,
                scaling<T>(alpha, T(0)), nullptr)
                .run_products();
            bool equal = out[-1] == T(0) && out[put * extent] == T(0);
            for (std::int64_t i = 0; i < put; ++i) {
                for (std::int64_t j = 0; j < extent; ++j) {
                    equal = equal && out[i * extent + j] == alpha * a[static_cast<std::size_t>(i)] *
                                                                b[static_cast<std::size_t>(j)];
                }
            }
            CHECK(equal);
        }
    }
}
