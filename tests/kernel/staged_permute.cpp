#include <xeinsum/kernel/staged_permute.hpp>

#include "../support/instances.hpp"
#include "../support/nest.hpp"

#include <doctest/doctest.h>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

using support::nest_row;
using xeinsum::kernel::crowded_bytes;
using xeinsum::kernel::line_elements;
using xeinsum::kernel::moves_in_lines;
using xeinsum::kernel::permute_order;
using xeinsum::kernel::permute_staged;

namespace {

template <class T>
constexpr auto line = static_cast<std::int64_t>(line_elements<T>);
template <class T>
constexpr std::int64_t crowded = crowded_bytes / static_cast<std::int64_t>(sizeof(T));
template <class T>
constexpr std::int64_t side = 1024 / static_cast<std::int64_t>(sizeof(T));

/// Memory whose element 0 begins so many elements behind a line.
template <class T>
class lined {
public:
    lined(std::int64_t size, std::int64_t shift)
        : memory_(static_cast<std::size_t>(size + 2 * line<T>)),
          begin_(-reinterpret_cast<std::uintptr_t>(memory_.data()) % 64 / sizeof(T) +
                 static_cast<std::size_t>(shift)) {}
    [[nodiscard]] T* begin() { return memory_.data() + begin_; }

private:
    std::vector<T> memory_;
    std::size_t begin_;
};

/// Where reversed loops have to begin.
std::int64_t first_of(const std::vector<nest_row>& rows) {
    std::int64_t first = 0;
    for (const nest_row& row : rows) {
        first += row[2] < 0 ? -row[2] * (row[0] - 1) : 0;
    }
    return first;
}

std::int64_t size_of(const std::vector<nest_row>& rows, std::size_t array) {
    std::int64_t size = 1;
    for (const nest_row& row : rows) {
        size += (row[0] - 1) * (row[1 + array] < 0 ? -row[1 + array] : row[1 + array]);
    }
    return size;
}

/// Whether the permute was done; if so, it was done right and nothing else was written.
template <class T, class Arch = support::native_arch>
bool staged(const std::vector<nest_row>& rows, std::int64_t shift = 0) {
    const support::nest_rows loops(rows);
    std::vector<T> in(static_cast<std::size_t>(size_of(rows, 1)));
    if constexpr (requires { typename T::value_type; }) {
        for (std::size_t n = 0; n < in.size(); ++n) {
            in[n] = {static_cast<float>(n + 1), -static_cast<float>(n % 1000)};
        }
    } else {
        std::iota(in.begin(), in.end(), T(1));
    }
    const T* const from = in.data() + first_of(rows);
    lined<T> out(size_of(rows, 0), shift);
    const permute_order order(loops.loops(), side<T>);
    if (!permute_staged<T, Arch>(order, from, out.begin())) {
        return false;
    }
    xeinsum::kernel::simd<float, Arch>::end_stream();
    lined<T> expected(size_of(rows, 0), 0);
    support::for_each_iteration(loops.loops(), 2, [&](const std::vector<std::int64_t>& at) {
        expected.begin()[at[0]] = from[at[1]];
    });
    std::size_t wrong = 0;
    for (std::int64_t n = 0; n < size_of(rows, 0); ++n) {
        wrong += out.begin()[n] == expected.begin()[n] ? 0 : 1;
    }
    CHECK(wrong == 0);
    return true;
}

}  // namespace

TEST_CASE_TEMPLATE("rows that are far apart, in one tile and in more of both extents", T, float,
                   double, std::complex<float>, std::uint32_t) {
    constexpr bool can = moves_in_lines<T, support::native_arch>;
    for (const std::int64_t rows : {line<T>, 3 * line<T>, side<T> + line<T>}) {
        for (const std::int64_t columns : {line<T>, 2 * line<T> + 3, side<T>, side<T> + 5}) {
            CAPTURE(rows);
            CAPTURE(columns);
            const std::int64_t pitch = rows + line<T>;
            CHECK(staged<T>({{columns, pitch, 1}, {rows, 1, crowded<T> + 3}}) == can);
        }
    }
}

TEST_CASE_TEMPLATE("outer loops, reversed rows, and rows of two loops that lie in another order", T,
                   float, double) {
    constexpr bool can = moves_in_lines<T, support::native_arch>;
    constexpr std::int64_t columns = side<T> + 7;
    constexpr std::int64_t rows = 2 * line<T>;
    CHECK(
        staged<T>({{3, rows * columns, columns + 1}, {columns, rows, 1}, {rows, 1, crowded<T>}}) ==
        can);
    CHECK(staged<T>({{columns, rows, 1}, {rows, 1, -crowded<T>}}) == can);
    CHECK(staged<T>({{columns, 3 * line<T>, 1},
                     {line<T>, 3, crowded<T> + 1},
                     {3, 1, line<T> * (crowded<T> + 1)}}) == can);
    // As many rows as several tiles have, of two loops.
    CHECK(staged<T>({{line<T> + 1, 3 * side<T> / 2, 1},
                     {side<T> / 2, 3, 2 * line<T>},
                     {3, 1, crowded<T>}}) == can);
}

TEST_CASE_TEMPLATE("what squares of whole lines cannot do is left", T, float, double) {
    constexpr std::int64_t columns = 2 * line<T>;
    constexpr std::int64_t rows = 3 * line<T>;
    CHECK_FALSE(staged<T>({{columns, rows, 1}, {rows, 1, crowded<T> - 1}}));
    CHECK_FALSE(staged<T>({{columns, rows, 1}, {rows, 1, crowded<T>}}, 1));
    CHECK_FALSE(staged<T>({{columns, rows + 1, 1}, {rows, 1, crowded<T>}}));
    CHECK_FALSE(staged<T>({{columns, rows, 1}, {rows - 1, 1, crowded<T>}}));
    CHECK_FALSE(staged<T>({{line<T> - 1, rows, 1}, {rows, 1, crowded<T>}}));
    CHECK_FALSE(staged<T>({{columns, rows, 2}, {rows, 1, crowded<T>}}));
    CHECK_FALSE(staged<T>({{columns, 2 * rows, 1}, {rows, 2, crowded<T>}}));
    CHECK_FALSE(staged<T, support::baseline_arch>({{columns, rows, 1}, {rows, 1, crowded<T>}}));
}

TEST_CASE("elements that no register moves are left") {
    CHECK_FALSE(staged<std::int16_t>({{64, 96, 1}, {96, 1, crowded<std::int16_t>}}));
    CHECK_FALSE(staged<std::complex<double>>({{8, 8, 1}, {8, 1, crowded<std::complex<double>>}}));
}
