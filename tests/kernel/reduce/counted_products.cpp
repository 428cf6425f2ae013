#include <xeinsum/kernel/reduce/counted_products.hpp>

#include "../../support/instances.hpp"
#include "../../support/nest.hpp"

#include <doctest/doctest.h>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <vector>

using xeinsum::kernel::cursor;
using xeinsum::kernel::cursors;
using xeinsum::kernel::output_line;
using xeinsum::kernel::product_block;

TEST_CASE_TEMPLATE("rows of a term and terms of a row, of inputs that lie in every way", I,
                   support::instance<float, support::native_arch>,
                   support::instance<double, support::baseline_arch>,
                   support::instance<std::complex<double>, support::native_arch>,
                   support::instance<std::uint32_t, support::native_arch>) {
    using T = typename I::type;
    using line = output_line<T, typename I::arch>;
    constexpr std::size_t most = 4 * 5;
    const auto a = support::small_numbers<T>(800, 3);
    const auto b = support::small_numbers<T>(800, 5);
    const auto c = support::small_numbers<T>(800, 7);
    const auto d = support::small_numbers<T>(800, 2);
    const T* from[]{a.data(), b.data(), c.data(), d.data()};
    // Strides in the output, and in inputs side by side twice, in place, and three apart.
    const support::nest_rows rows({{6, 70, 41, 0, 7, 1}});
    const support::nest_rows terms({{5, 0, 50, 43, 1, 130}});
    for (std::int64_t extent = 1; extent <= 4 * I::lanes + 1; ++extent) {
        CAPTURE(extent);
        const support::nest_rows vector({{extent, 1, 1, 1, 0, 3}});
        cursor<T> cells[4];
        cursors<T> at(cells, 4);
        at.start(from, vector.loops(), rows.loops(), terms.loops());
        const line l(extent, {});
        for (const bool of_terms : {false, true}) {
            CAPTURE(of_terms);
            const product_block block{.row = 2,
                                      .term = 1,
                                      .count = 4,
                                      .begin = 0,
                                      .end = l.registers(),
                                      .of_terms = of_terms};
            typename line::reg values[most];
            std::vector<T> found(280, T(99));
            at.for_each_output({}, [&](std::int64_t) {
                at.for_each_term({}, [&] {
                    xeinsum::kernel::write_counted_products(at, l, block, values);
                    l.put(found.data(), 70, 4, 0, l.registers(), values, l.registers());
                });
            });
            bool equal = true;
            for (std::int64_t i = 0; i < 4; ++i) {
                const std::int64_t row = 2 + (of_terms ? 0 : i);
                const std::int64_t term = 1 + (of_terms ? i : 0);
                for (std::int64_t x = 0; x < 70; ++x) {
                    const auto of = [](const std::vector<T>& v, std::int64_t n) {
                        return v[static_cast<std::size_t>(n)];
                    };
                    const T expected =
                        x < extent ? of(a, 41 * row + 50 * term + x) * of(b, 43 * term + x) *
                                         of(c, 7 * row + term) * of(d, row + 130 * term + 3 * x)
                                   : T(99);
                    equal = equal && of(found, 70 * i + x) == expected;
                }
            }
            CHECK(equal);
        }
    }
}
