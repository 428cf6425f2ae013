#include <xeinsum/kernel/whole_lines.hpp>

#include "../support/instances.hpp"
#include "../support/nest.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

using xeinsum::kernel::cursor;
using xeinsum::kernel::cursors;
using xeinsum::kernel::product;
using xeinsum::kernel::whole_lines;

namespace {

constexpr std::int64_t terms = 7;
constexpr std::int64_t rows = 2;

/// Lines of an array, with NaN between them.
template <class T>
std::vector<T> lines_of(std::int64_t extent, std::int64_t pitch, std::size_t first) {
    std::vector<T> all(static_cast<std::size_t>(rows * terms * pitch),
                       T(std::numeric_limits<float>::quiet_NaN()));
    for (std::int64_t line = 0; line < rows * terms; ++line) {
        for (std::int64_t x = 0; x < extent; ++x) {
            all[static_cast<std::size_t>(line * pitch + x)] =
                support::small_number<T>(first + static_cast<std::size_t>(29 * line + x));
        }
    }
    return all;
}

/// Sums of a b, where b has lines like a or one element for each.
template <class I, std::size_t Units, std::size_t Fixed>
void check(std::int64_t extent) {
    using T = typename I::type;
    using Arch = typename I::arch;
    using lines = whole_lines<T, Arch, Units, Fixed>;
    using simd_type = typename lines::simd_type;
    constexpr auto width = static_cast<std::int64_t>(simd_type::lanes);
    CAPTURE(extent);
    const std::int64_t pitch = extent + 3;
    const auto a = lines_of<T>(extent, pitch, 1);
    const auto b = lines_of<T>(extent, pitch, 5);
    const T* from[]{a.data(), b.data()};
    const support::nest_rows vector({{extent, 0, 1, Fixed == 1 ? 0 : 1}});
    const support::nest_rows row({{rows, 0, terms * pitch, terms * pitch}});
    const support::nest_rows term({{terms, 0, pitch, pitch}});
    cursor<T> cells[2];
    cursors<T> at(cells, Units + Fixed);
    at.start(from, vector.loops(), row.loops(), term.loops());
    const product<T, Arch, Units, Fixed> factors(at);
    const auto expected = [&](std::int64_t begin, std::int64_t end, std::int64_t x) {
        T sum(0);
        for (std::int64_t t = begin; t < end; ++t) {
            const auto line = static_cast<std::size_t>((terms + t) * pitch);
            const auto place = line + static_cast<std::size_t>(x);
            const T other = Units + Fixed == 1 ? T(1) : b[Fixed == 1 ? line : place];
            sum += a[place] * other;
        }
        return sum;
    };
    const std::int64_t registers = (extent + width - 1) / width;
    std::vector<typename lines::reg> panel(static_cast<std::size_t>(registers) + 1,
                                           simd_type::set(T(77)));
    const auto agrees = [&](std::int64_t begin, std::int64_t end) {
        bool equal = true;
        for (std::int64_t v = 0; v < registers; ++v) {
            T lane[simd_type::lanes];
            simd_type::store(lane, panel[static_cast<std::size_t>(v)]);
            const std::int64_t start = std::min(v * width, extent - width);
            for (std::int64_t l = 0; l < width; ++l) {
                equal = equal && lane[l] == expected(begin, end, start + l);
            }
        }
        return equal;
    };
    for (const std::int64_t ahead : {0, 3}) {
        const lines whole(factors, extent, ahead);
        whole.add(1, 2, 1, 1, panel.data(), true);
        CHECK(agrees(2, 3));
        whole.add(1, 3, terms - 3, 1, panel.data(), false);
        CHECK(agrees(2, terms));
        whole.add(1, 1, 2, 2, panel.data(), true);
        CHECK(agrees(1, 5));
    }
    T behind[simd_type::lanes];
    simd_type::store(behind, panel.back());
    CHECK(behind[0] == T(77));
}

template <class I>
void check_all() {
    using lines = whole_lines<typename I::type, typename I::arch, 2, 0>;
    constexpr auto width = static_cast<std::int64_t>(lines::simd_type::lanes);
    static_assert(lines::most_registers > lines::least_registers);
    for (std::int64_t r = lines::least_registers; r <= lines::most_registers; ++r) {
        for (const std::int64_t missing : {std::int64_t{0}, width / 2, width - 1}) {
            check<I, 1, 0>(r * width - missing);
            check<I, 2, 0>(r * width - missing);
            check<I, 1, 1>(r * width - missing);
        }
    }
}

}  // namespace

TEST_CASE("lines of any number of registers are summed, and nothing is read beyond") {
    check_all<support::instance<float, support::native_arch>>();
    check_all<support::instance<double, support::native_arch>>();
    check_all<support::instance<float, support::baseline_arch>>();
}

TEST_CASE("more inputs, and counts that only the run knows, are left to others") {
    static_assert(whole_lines<float, support::native_arch, 3, 0>::most_registers == 0);
    static_assert(whole_lines<float, support::native_arch, 1, 2>::most_registers == 0);
    static_assert(whole_lines<float, support::native_arch, xeinsum::kernel::any,
                              xeinsum::kernel::any>::most_registers == 0);
    // A complex register is two.
    CHECK(whole_lines<std::complex<float>, support::native_arch, 1, 0>::most_registers <=
          whole_lines<float, support::native_arch, 1, 0>::most_registers / 2);
    constexpr bool few = xeinsum::kernel::register_count<support::baseline_arch> == 16;
    CHECK(whole_lines<std::complex<float>, support::baseline_arch, 1, 0>::most_registers ==
          (few ? 4 : 12));
}
