#include <xeinsum/kernel/permute/permute.hpp>

#include "../../support/instances.hpp"
#include "../../support/nest.hpp"
#include "../../support/shared_kernels.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

using support::nest_row;
using xeinsum::kernel::scaling;

namespace {

/// Lowest and highest offset of an array.
struct span_of {
    std::int64_t low = 0;
    std::int64_t high = 0;

    span_of(const std::vector<nest_row>& rows, std::size_t array) {
        for (const nest_row& row : rows) {
            const std::int64_t reach = (row[0] - 1) * row[1 + array];
            low += std::min<std::int64_t>(reach, 0);
            high += std::max<std::int64_t>(reach, 0);
        }
    }
    /// Elements of memory with a margin on both sides.
    [[nodiscard]] std::size_t size() const {
        return static_cast<std::size_t>(high - low + 1 + 2 * margin);
    }
    [[nodiscard]] std::int64_t origin() const { return margin - low; }
    static constexpr std::int64_t margin = 40;
};

/// A number that has to be copied by its constructor.
struct boxed {
    double value = 0;

    boxed() = default;
    explicit boxed(std::size_t n) : value(static_cast<double>(n)) {}
    explicit boxed(int n) : value(n) {}
    explicit boxed(double x) : value(x) {}
    boxed(const boxed& other) : value(other.value) {}
    boxed& operator=(const boxed& other) {
        value = other.value;
        return *this;
    }
    ~boxed() = default;

    friend boxed operator+(const boxed& a, const boxed& b) { return boxed(a.value + b.value); }
    friend boxed operator*(const boxed& a, const boxed& b) { return boxed(a.value * b.value); }
    friend bool operator==(const boxed& a, const boxed& b) { return a.value == b.value; }
};

/// Element n: different from all others as far as T can tell.
template <class T>
[[nodiscard]] std::vector<T> distinct(std::size_t count, std::size_t first) {
    std::vector<T> numbers(count);
    for (std::size_t n = 0; n < count; ++n) {
        if constexpr (requires { typename T::value_type; }) {
            using real = typename T::value_type;
            numbers[n] = {static_cast<real>(first + n), static_cast<real>(first + 2 * n + 1)};
        } else {
            numbers[n] = static_cast<T>(first + n);
        }
    }
    return numbers;
}

template <class T, class Arch>
void check(const std::vector<nest_row>& rows) {
    using compute = xeinsum::kernel::compute_t<T>;
    const support::nest_rows loops(rows);
    const span_of out_span(rows, 0);
    const span_of in_span(rows, 1);
    const auto in = distinct<T>(in_span.size(), 1);
    const auto before = distinct<T>(out_span.size(), 70000);
    const std::int64_t origin = out_span.origin();
    for (const auto& [alpha, beta] : {std::pair{T(1), T(0)}, {T(2), T(3)}}) {
        std::vector<T> expected = before;
        support::for_each_iteration(loops.loops(), 2, [&, a = alpha, b = beta](const auto& at) {
            T& to = expected[static_cast<std::size_t>(origin + at[0])];
            const T from = in[static_cast<std::size_t>(in_span.origin() + at[1])];
            to = static_cast<T>(a * from + b * to);
        });
        const scaling<T> scale(static_cast<compute>(alpha), static_cast<compute>(beta));
        for (const bool streams : {false, true}) {
            CAPTURE(streams);
            std::vector<T> found = before;
            xeinsum::kernel::permute<T, Arch>(loops.loops(), in.data() + in_span.origin(),
                                              found.data() + origin, scale, streams);
            CHECK(found == expected);
        }
    }
}

template <class I>
void check_permute(const std::vector<nest_row>& rows) {
    check<typename I::type, typename I::arch>(rows);
}

/// The loops of a permute of a row-major array, ordered as the output has them: axis k of the
/// output is axis order[k] of the input.
[[nodiscard]] std::vector<nest_row> permuted(const std::vector<std::int64_t>& extents,
                                             const std::vector<std::size_t>& order) {
    std::vector<nest_row> rows(extents.size(), nest_row(3));
    std::int64_t stride = 1;
    for (std::size_t axis = extents.size(); axis-- > 0; stride *= extents[axis]) {
        const auto k =
            static_cast<std::size_t>(std::find(order.begin(), order.end(), axis) - order.begin());
        rows[k] = {extents[axis], 0, stride};
    }
    stride = 1;
    for (std::size_t k = rows.size(); k-- > 0; stride *= rows[k][0]) {
        rows[k][1] = stride;
    }
    return rows;
}

}  // namespace

TEST_CASE("no loops are one element") {
    check<float, support::native_arch>({});
    check<std::complex<double>, support::native_arch>({});
    check<std::int64_t, support::scalar_arch>({});
}

TEST_CASE_TEMPLATE("transposes larger and smaller than a tile", I, SUPPORT_ALL_INSTANCES) {
    check_permute<I>({{7, 5, 1}, {5, 1, 7}});
    check_permute<I>({{140, 131, 1}, {131, 1, 140}});
    check_permute<I>({{16, 33, 1}, {33, 1, 16}});
    check_permute<I>({{64, 128, 1}, {128, 1, 64}});
}

TEST_CASE_TEMPLATE("every extent about a register's, with gaps", I, SUPPORT_ALL_INSTANCES) {
    for (std::int64_t rows = 1; rows <= 17; ++rows) {
        for (std::int64_t columns = 1; columns <= 17; ++columns) {
            check_permute<I>({{columns, rows, 1}, {rows, 1, columns}});
            check_permute<I>({{5, 400, 380}, {columns, 20, 1}, {rows, 1, 19}});
        }
    }
}

TEST_CASE_TEMPLATE("permutes of more axes, gaps and reversed axes", I, SUPPORT_ALL_INSTANCES) {
    check_permute<I>({{3, 340, 17}, {17, 20, 1}, {20, 1, 51}});
    check_permute<I>({{20, 34, 1}, {3, -700, 340}, {17, 2, -20}});
    check_permute<I>({{9, 34, -1}, {17, 2, 20}});
    check_permute<I>({{9, 17, 1}, {17, -1, 9}});
    check_permute<I>({{9, 17, -1}, {17, -1, -9}});
    check_permute<I>({{5, 1, 3}});
    check_permute<I>({{70, 1, 1}});
    check_permute<I>({{90, -1, 1}});
    check_permute<I>({{4, 100, 7}, {9, 3, 2}});
    check_permute<I>({{12, 100, 0}, {9, 3, 1}});
    check_permute<I>(permuted({2, 67, 5}, {2, 1, 0}));
    check_permute<I>(permuted({3, 21, 90}, {0, 2, 1}));
    check_permute<I>(permuted({3, 90, 21}, {1, 0, 2}));
    check_permute<I>(permuted({3, 4, 19, 20}, {3, 1, 2, 0}));
    check_permute<I>(permuted({2, 300, 3}, {0, 2, 1}));
    check_permute<I>(permuted({2, 3, 300}, {0, 2, 1}));
    check_permute<I>(permuted({3, 5, 2, 7, 4}, {4, 2, 0, 3, 1}));
    check_permute<I>(permuted({3, 4, 5, 6, 7, 8}, {5, 4, 3, 2, 1, 0}));
    check_permute<I>(permuted({2, 3, 1500}, {0, 2, 1}));
    check_permute<I>(permuted({2, 1500, 3}, {0, 2, 1}));
    check_permute<I>(permuted({2, 700, 5}, {2, 0, 1}));
    check_permute<I>({{2, 6000, 5200}, {1300, 4, 1}, {3, 1, 1300}});  // dense rows, gaps in out
    check_permute<I>({{2, 6000, 5200}, {3, 1300, 1}, {1300, 1, 4}});  // gaps in in
}

TEST_CASE_TEMPLATE("batches of small matrices, beside each other and with gaps", I,
                   SUPPORT_ALL_INSTANCES) {
    check_permute<I>(permuted({90, 3, 4}, {0, 2, 1}));
    check_permute<I>(permuted({90, 4, 11}, {0, 2, 1}));
    check_permute<I>(permuted({7, 5, 3, 2}, {1, 0, 3, 2}));
    check_permute<I>(permuted({2, 3, 25, 4}, {0, 3, 2, 1}));
    check_permute<I>({{40, 13, 12}, {3, 4, 1}, {4, 1, 3}});
    check_permute<I>({{40, 33, 30}, {6, 5, 1}, {5, 1, 6}});
    check_permute<I>({{40, -12, 12}, {3, 4, 1}, {4, 1, -3}});
}

TEST_CASE_TEMPLATE("elements of every size", T, std::int8_t, std::int16_t, std::int32_t,
                   std::int64_t) {
    check<T, support::native_arch>(permuted({70, 33}, {1, 0}));
    check<T, support::native_arch>(permuted({9, 8, 35}, {1, 0, 2}));
    check<T, support::native_arch>(permuted({270, 290}, {1, 0}));
    check<T, support::native_arch>(permuted({90, 4, 11}, {0, 2, 1}));
}

TEST_CASE("elements that are no plain memory are added once, wherever tiles end") {
    check<boxed, support::scalar_arch>({{19, 530, 1}, {527, 1, 21}});
    check<boxed, support::scalar_arch>({{3, 530, 1}, {527, 1, 3}});
}

/// Checked without a second evaluation, which would take seconds; out begins at a line and not.
template <class T>
void check_large(std::int64_t rows, std::int64_t columns) {
    const auto count = static_cast<std::size_t>(rows * columns);
    const auto in = distinct<T>(count, 1);
    const support::nest_rows loops({{columns, rows, 1}, {rows, 1, columns}});
    for (const std::size_t shift : {std::size_t{0}, std::size_t{3}}) {
        std::vector<T> out(count + 64 + shift);
        const std::size_t begin =
            (64 - reinterpret_cast<std::uintptr_t>(out.data()) % 64) / sizeof(T) + shift;
        xeinsum::kernel::permute<T, support::native_arch>(loops.loops(), in.data(),
                                                          out.data() + begin, scaling<T>());
        std::size_t wrong = 0;
        for (std::size_t n = 0; n < count; ++n) {
            const auto r = n % static_cast<std::size_t>(rows);
            const auto c = n / static_cast<std::size_t>(rows);
            wrong += out[begin + n] != in[r * static_cast<std::size_t>(columns) + c] ? 1 : 0;
        }
        CHECK(wrong == 0);
        CHECK(std::all_of(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(begin),
                          [](const T& x) { return x == T(0); }));
        CHECK(std::all_of(out.begin() + static_cast<std::ptrdiff_t>(begin + count), out.end(),
                          [](const T& x) { return x == T(0); }));
    }
}

TEST_CASE_TEMPLATE("outputs beyond the caches, at a cache line and not", T, float,
                   std::complex<double>) {
    constexpr std::int64_t rows = 1040;
    check_large<T>(
        rows,
        xeinsum::kernel::dram_permute_bytes / static_cast<std::int64_t>(sizeof(T)) / rows + 40);
}

TEST_CASE_TEMPLATE("outputs that come from behind the near caches", T, float, double) {
    using xeinsum::kernel::beyond_l2_elements;
    check_large<T>(1031, beyond_l2_elements<T> / 1031 + 7);
    check_large<T>(beyond_l2_elements<T> / 53 + 1, 53);
    check_large<T>(64, beyond_l2_elements<T> / 64 + 5);
}

TEST_CASE_TEMPLATE("many tiles: in a row, dense on both sides, with and without tables", I,
                   SUPPORT_ALL_INSTANCES) {
    check_permute<I>(permuted({1170, 160}, {1, 0}));
    check_permute<I>(permuted({310, 440}, {1, 0}));
    check_permute<I>(permuted({530, 90}, {1, 0}));
    check_permute<I>(permuted({9, 310, 49}, {0, 2, 1}));
    check_permute<I>(permuted({35, 30, 5, 20}, {1, 0, 3, 2}));
    check_permute<I>(permuted({100, 40, 45}, {2, 1, 0}));
    check_permute<I>(permuted({13, 12, 3, 4, 8, 13}, {5, 4, 3, 2, 1, 0}));
    check_permute<I>(permuted({2, 3, 39, 35, 17}, {1, 0, 4, 3, 2}));
}

TEST_CASE("many tiles from behind the near caches, with tables") {
    using support::native_arch;
    check<float, native_arch>(permuted({13, 12, 11, 10, 9, 8}, {5, 4, 3, 2, 1, 0}));
    check<double, native_arch>(permuted({35, 30, 25, 20}, {1, 0, 3, 2}));
}

TEST_CASE("columns are cut at their own lines, wherever those begin") {
    for (const std::int64_t rows : {257, 263, 272, 389, 511, 513, 530, 800}) {
        CAPTURE(rows);
        check<float, support::native_arch>({{19, rows + 3, 1}, {rows, 1, 21}});
        check<double, support::native_arch>({{19, rows, 1}, {rows, 1, 20'000}});
        check<std::int16_t, support::native_arch>({{35, rows + 1, 1}, {rows, 1, 40}});
    }
}

TEST_CASE_TEMPLATE("columns that begin with lines, with rows that fill them and rows that do not",
                   T, float, double, std::complex<float>, std::int16_t) {
    constexpr auto line = static_cast<std::int64_t>(xeinsum::kernel::line_elements<T>);
    // apart: from one row of in to the next, if not its columns.
    const auto check_aligned = [](std::int64_t rows, std::int64_t columns, std::int64_t outer,
                                  std::int64_t apart = 0) {
        CAPTURE(rows);
        CAPTURE(columns);
        CAPTURE(apart);
        const std::int64_t pitch = (rows + line - 1) / line * line + line;
        const std::int64_t in_row = apart == 0 ? columns : apart;
        const support::nest_rows loops(
            {{outer, columns * pitch, apart == 0 ? columns * rows : columns},
             {columns, pitch, 1},
             {rows, 1, in_row}});
        const auto in = distinct<T>(static_cast<std::size_t>(outer * rows * in_row), 1);
        std::vector<T> memory(static_cast<std::size_t>(outer * columns * pitch + line));
        const auto offset = -reinterpret_cast<std::uintptr_t>(memory.data()) %
                            xeinsum::kernel::line_bytes / sizeof(T);
        const auto place = static_cast<std::int64_t>(offset);
        std::vector<T> expected = memory;
        support::for_each_iteration(loops.loops(), 2, [&](const auto& at) {
            expected[static_cast<std::size_t>(place + at[0])] = in[static_cast<std::size_t>(at[1])];
        });
        xeinsum::kernel::permute<T, support::native_arch>(
            loops.loops(), in.data(), memory.data() + offset, scaling<T>(), true);
        CHECK(memory == expected);
    };
    check_aligned(8 * line, 4 * line, 1);
    check_aligned(8 * line, 4 * line + 3, 2);
    check_aligned(80 * line, 85, 1);
    check_aligned(35 * line + 5, 9 * line, 1);
    check_aligned(4 * line, line - 1, 3);
    check_aligned(60, 300, 2);
    constexpr std::int64_t crowded =
        xeinsum::kernel::crowded_bytes / static_cast<std::int64_t>(sizeof(T));
    check_aligned(2 * line, 3 * line + 2, 2, crowded);
    check_aligned(2 * line, 3 * line + 2, 2, crowded - line);
    check_aligned(2 * line + 1, 2 * line, 1, crowded + 1);
    check_aligned(1024 / static_cast<std::int64_t>(sizeof(T)) + line, 2 * line + 5, 1, crowded);
}

TEST_CASE_TEMPLATE("outputs that begin within a line, in columns that follow each other there", T,
                   float, double, std::complex<float>, std::int16_t) {
    constexpr auto line = static_cast<std::int64_t>(xeinsum::kernel::line_elements<T>);
    const auto check_at = [](const std::vector<nest_row>& rows, std::int64_t off) {
        CAPTURE(off);
        const support::nest_rows loops(rows);
        const std::int64_t count = span_of(rows, 0).high + 1;
        const auto in = distinct<T>(span_of(rows, 1).size(), 1);
        std::vector<T> memory(static_cast<std::size_t>(count + 3 * line), T(1));
        const auto place =
            static_cast<std::int64_t>(-reinterpret_cast<std::uintptr_t>(memory.data()) %
                                      xeinsum::kernel::line_bytes / sizeof(T)) +
            off;
        std::vector<T> expected = memory;
        support::for_each_iteration(loops.loops(), 2, [&](const auto& at) {
            expected[static_cast<std::size_t>(place + at[0])] = in[static_cast<std::size_t>(at[1])];
        });
        for (const bool streams : {true, false}) {
            std::fill(memory.begin(), memory.end(), T(1));
            xeinsum::kernel::permute<T, support::native_arch>(
                loops.loops(), in.data(), memory.data() + place, scaling<T>(), streams);
            CHECK(memory == expected);
        }
    };
    for (const std::int64_t off : {std::int64_t{1}, line / 2, line - 1}) {
        check_at(permuted({6 * line, 61}, {1, 0}), off);
        check_at(permuted({3, 40 * line, 17}, {0, 2, 1}), off);        // of several tiles
        check_at(permuted({2 * line, 19, 5 * line}, {2, 1, 0}), off);  // the loop around goes on
        check_at(permuted({18, 2 * line, 3, 35}, {3, 0, 2, 1}), off);  // rows of two loops
        check_at(permuted({line + 1, 70}, {1, 0}), off);               // lines begin elsewhere
        check_at(permuted({4 * line, 15}, {1, 0}), off);               // few columns
        // gaps between columns; rows of two loops
        check_at({{31, 45 * line, 1}, {44 * line, 1, 31}}, off);
        check_at({{35, 50 * line, 1}, {20, 2 * line, 35}, {2 * line, 1, 700}}, off);
        check_at(permuted({2, 4 * line, 307}, {0, 2, 1}), off);  // in the caches as well
    }
}
