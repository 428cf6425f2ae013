#include <xeinsum/kernel/reduce/packed_lines.hpp>

#include "../../support/instances.hpp"
#include "../../support/nest.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

using support::nest_rows;
using xeinsum::kernel::cursor;
using xeinsum::kernel::cursors;

TEST_CASE_TEMPLATE("lines of three and four terms, several to a register", I,
                   support::instance<float, support::native_arch>,
                   support::instance<double, support::native_arch>) {
    using T = typename I::type;
    using packed = xeinsum::kernel::packed_lines<T, typename I::arch, 1, 0>;
    if constexpr (packed::exists && packed::width >= 8) {
        for (const std::int64_t n : {3, 4}) {
            constexpr std::int64_t rows = 13;
            const auto in = support::small_numbers<T>(static_cast<std::size_t>((rows + 1) * n), 2);
            const nest_rows vector({{n, 0, 1}});
            const T* from[]{in.data()};
            cursor<T> cells[1];
            cursors<T> inputs(cells, 1);
            const nest_rows apart({{rows, 1, n + 1}});
            inputs.start(from, vector.loops(), apart.loops(), {});
            CHECK_FALSE(packed::suits(inputs, n));
            const nest_rows row({{rows + 1, 1, n}});
            inputs.start(from, vector.loops(), row.loops(), {});
            CHECK(packed::suits(inputs, n));
            CHECK_FALSE(packed::suits(inputs, n + 2));

            for (const bool far : {false, true}) {
                const std::size_t registers =
                    static_cast<std::size_t>(rows * n - 1) / packed::lanes + 1;
                std::vector<typename packed::reg> panel(registers + 1,
                                                        packed::simd_type::set(T(5)));
                const typename packed::factors f(inputs);
                packed::add(f, n, panel.data(), 1, 1 + rows, true, far);
                packed::add(f, n, panel.data(), 1, rows, false, far);
                for (std::size_t e = 0; e < (registers + 1) * packed::lanes; ++e) {
                    T lane[packed::lanes];
                    packed::simd_type::store(lane, panel[e / packed::lanes]);
                    const auto element = static_cast<std::int64_t>(e);
                    const T once = element < rows * n ? in[static_cast<std::size_t>(n) + e] : T(0);
                    const T expected = e >= registers * packed::lanes ? T(5)
                                       : element < (rows - 1) * n     ? once + once
                                                                      : once;
                    CHECK(lane[e % packed::lanes] == expected);
                }

                // Two elements for each result, the others stay.
                const auto all = static_cast<std::size_t>(rows + 1);
                std::vector<T> out(2 * all, T(9));
                packed::put(f, n, rows + 1, out.data(), 2, {T(2), T(1)}, far);
                std::vector<T> side_by_side(all);
                packed::put(f, n, rows + 1, side_by_side.data(), 1, {}, far);
                for (std::size_t r = 0; r < all; ++r) {
                    const auto* const line = in.data() + r * static_cast<std::size_t>(n);
                    const T sum = std::accumulate(line, line + n, T(0));
                    CHECK(out[2 * r] == 2 * sum + 9);
                    CHECK(out[2 * r + 1] == 9);
                    CHECK(side_by_side[r] == sum);
                }
            }
        }
    }
}
