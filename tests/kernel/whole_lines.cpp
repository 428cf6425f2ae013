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

/// Takes blocks of sums as a cascade does, which writes every other one behind those before.
template <class Reg>
struct recorder {
    std::vector<Reg> now;
    std::vector<std::vector<Reg>> ended;

    Reg* block() { return now.data(); }
    [[nodiscard]] bool is_first() const { return ended.size() % 2 == 0; }
    void end_block(std::size_t count) {
        CHECK(count + 1 == now.size());
        ended.push_back(now);
    }
};

/// Sums of products of inputs that have such lines, or of the first elements of theirs.
template <class I, std::size_t Units, std::size_t Fixed>
void check(std::int64_t extent) {
    using T = typename I::type;
    using Arch = typename I::arch;
    using lines = whole_lines<T, Arch, Units, Fixed>;
    using simd_type = typename lines::simd_type;
    constexpr auto width = static_cast<std::int64_t>(simd_type::lanes);
    CAPTURE(extent);
    const std::int64_t pitch = extent + 3;
    constexpr std::size_t inputs = Units + Fixed;
    std::vector<std::vector<T>> all;
    std::vector<const T*> from;
    support::nest_row elements{extent, 0};
    support::nest_row row{rows, 0};
    support::nest_row term{terms, 0};
    for (std::size_t i = 0; i < inputs; ++i) {
        all.push_back(lines_of<T>(extent, pitch, 4 * i + 1));
        from.push_back(all.back().data());
        elements.push_back(i < Units ? 1 : 0);
        row.push_back(terms * pitch);
        term.push_back(pitch);
    }
    const support::nest_rows vector({elements});
    const support::nest_rows lines_apart({row});
    const support::nest_rows terms_apart({term});
    cursor<T> cells[inputs];
    cursors<T> at(cells, inputs);
    at.start(from.data(), vector.loops(), lines_apart.loops(), terms_apart.loops());
    const product<T, Arch, Units, Fixed> factors(at);
    const auto expected = [&](std::int64_t begin, std::int64_t end, std::int64_t x) {
        T sum(0);
        for (std::int64_t t = begin; t < end; ++t) {
            T one(1);
            for (std::size_t i = 0; i < inputs; ++i) {
                one *= all[i][static_cast<std::size_t>((terms + t) * pitch + (i < Units ? x : 0))];
            }
            sum += one;
        }
        return sum;
    };
    const std::int64_t registers = (extent + width - 1) / width;
    const auto agrees = [&](const auto& panel, std::int64_t begin, std::int64_t end) {
        bool equal = true;
        for (std::int64_t v = 0; v < registers; ++v) {
            T lane[simd_type::lanes];
            simd_type::store(lane, panel[static_cast<std::size_t>(v)]);
            const std::int64_t start = std::min(v * width, extent - width);
            for (std::int64_t l = 0; l < width; ++l) {
                equal = equal && lane[l] == expected(begin, end, start + l);
            }
        }
        T behind[simd_type::lanes];
        simd_type::store(behind, panel.back());
        return equal && behind[0] == T(77);
    };
    for (const std::int64_t ahead : {0, 3}) {
        const std::vector<typename lines::reg> before(static_cast<std::size_t>(registers) + 1,
                                                      simd_type::set(T(77)));
        recorder<typename lines::reg> panel{before, {}};
        const lines whole(factors, extent, ahead);
        whole.template add<4>(1, terms, panel, registers);
        REQUIRE(panel.ended.size() == 3);
        CHECK(agrees(panel.ended[0], 0, 4));
        CHECK(agrees(panel.ended[1], 0, 6));
        CHECK(agrees(panel.ended[2], 6, terms));
    }
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
            check<I, 3, 0>(r * width - missing);
            check<I, 2, 1>(r * width - missing);
            check<I, 1, 2>(r * width - missing);
        }
    }
}

}  // namespace

TEST_CASE("lines of any number of registers are summed, and nothing is read beyond") {
    check_all<support::instance<float, support::native_arch>>();
    check_all<support::instance<double, support::native_arch>>();
    check_all<support::instance<float, support::baseline_arch>>();
}

TEST_CASE("counts of inputs that only the run knows are left to others") {
    static_assert(whole_lines<float, support::native_arch, xeinsum::kernel::any,
                              xeinsum::kernel::any>::most_registers == 0);
    // A complex register is two.
    CHECK(whole_lines<std::complex<float>, support::native_arch, 1, 0>::most_registers <=
          whole_lines<float, support::native_arch, 1, 0>::most_registers / 2);
    constexpr bool few = xeinsum::kernel::register_count<support::baseline_arch> == 16;
    CHECK(whole_lines<std::complex<float>, support::baseline_arch, 1, 0>::most_registers ==
          (few ? 4 : 12));
}
