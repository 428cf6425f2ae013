#include <xeinsum/kernel/reduce/product.hpp>

#include "../../support/instances.hpp"
#include "../../support/nest.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

using xeinsum::kernel::any;

namespace {

/// Lanes of the product of inputs with the given strides (lane, row, term), beside one element at a
/// time.
template <class I, std::size_t Units, std::size_t Fixed>
void check_product(const support::nest_row& lane, const support::nest_row& row,
                   const support::nest_row& term) {
    using T = typename I::type;
    using namespace xeinsum::kernel;
    using S = simd<T, typename I::arch>;
    const std::size_t count = lane.size() - 2;
    std::vector<std::vector<T>> memory;
    std::vector<const T*> from;
    for (std::size_t i = 0; i < count; ++i) {
        memory.push_back(support::small_numbers<T>(400, 50 * i));
        from.push_back(memory.back().data() + 100);
    }
    const support::nest_rows lanes({lane}), rows({row}), terms({term});
    std::vector<cursor<T>> cells(count);
    cursors<T> inputs(cells.data(), count);
    inputs.start(from.data(), lanes.loops(), rows.loops(), terms.loops());
    inputs.for_each_term({}, [] {});
    const product<T, typename I::arch, Units, Fixed> f(inputs);
    for (std::size_t filled = 1; filled <= S::lanes; ++filled) {
        const auto factor = S::set(f.factor(2, 3));
        std::vector<T> alone(S::lanes), added(S::lanes), expected(filled);
        S::store(alone.data(), f(2, 3, 4, filled, factor));
        S::store(added.data(), f.add_to(S::set(T(7)), 2, 3, 4, filled, factor));
        for (std::size_t l = 0; l < filled; ++l) {
            const auto x = static_cast<std::int64_t>(l) + 4;
            T value(1);
            for (std::size_t i = 0; i < count; ++i) {
                value = T(value * from[i][x * lane[2 + i] + 2 * row[2 + i] + 3 * term[2 + i]]);
            }
            CHECK(alone[l] == value);
            CHECK(added[l] == T(value + T(7)));
            CHECK(f.element(2, 3, x) == value);
        }
        if (f.zero_beyond() && filled < S::lanes) {
            CHECK(alone[filled] == T(0));
        }
    }
}

}  // namespace

TEST_CASE_TEMPLATE("registers of products", I, SUPPORT_ALL_INSTANCES) {
    check_product<I, 1, 0>({9, 1, 1}, {9, 9, 20}, {9, 0, 3});
    check_product<I, 2, 0>({9, 1, 1, 1}, {9, 9, 20, 0}, {9, 0, 3, 11});
    check_product<I, 1, 1>({9, 1, 0, 1}, {9, 9, 20, 0}, {9, 0, 3, 11});
    check_product<I, 1, 1>({9, 1, 1}, {9, 9, 20}, {9, 0, 3});
    check_product<I, 1, 2>({9, 1, 0, 1, 0}, {9, 9, 20, 0, 5}, {9, 0, 3, 11, -4});
    check_product<I, any, any>({9, 1, 0, 1, 3}, {9, 9, 20, 0, 5}, {9, 0, 3, 11, -4});
    check_product<I, any, any>({9, 1, -2, 1, 1}, {9, 9, 20, 0, 5}, {9, 0, 3, 11, -4});
    check_product<I, any, any>({9, 1, 3, 4}, {9, 9, 20, 0}, {9, 0, 3, 11});
}
