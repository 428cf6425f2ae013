#include <xeinsum/kernel/reduce/term_sums.hpp>

#include "../../support/instances.hpp"
#include "../../support/nest.hpp"
#include "../../support/shared_nests.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

using xeinsum::kernel::cursor;
using xeinsum::kernel::cursors;
using xeinsum::kernel::output_line;
using xeinsum::kernel::scaling;
using xeinsum::kernel::sums_block;
using xeinsum::kernel::term_sums;

namespace {

constexpr std::int64_t rows = 3;

/// Rows of sums along lines of an extent; each input has such lines, and NaN between them, unless
/// it is one of the last, of which the first element counts: Fixed of them, or, with Fixed and
/// one input, none.
template <class I, std::size_t Units, std::size_t Fixed>
class line_sums {
    using T = typename I::type;
    using Arch = typename I::arch;
    using adder = term_sums<T, Arch, Units, Fixed>;
    using reg = typename adder::reg;
    using simd_type = typename adder::simd_type;
    static constexpr auto width = static_cast<std::int64_t>(simd_type::lanes);

public:
    line_sums(std::int64_t extent, std::int64_t terms, std::size_t units, std::size_t fixed)
        : extent_(extent),
          terms_(terms),
          pitch_(extent + 2),
          units_(units),
          inputs_(units + fixed) {
        for (std::size_t i = 0; i < inputs_; ++i) {
            memory_.emplace_back(static_cast<std::size_t>(rows * terms * pitch_),
                                 T(std::numeric_limits<float>::quiet_NaN()));
            for (std::int64_t l = 0; l < rows * terms; ++l) {
                for (std::int64_t x = 0; x < extent; ++x) {
                    memory_[i][static_cast<std::size_t>(l * pitch_ + x)] = support::small_number<T>(
                        100 * i + 1 + static_cast<std::size_t>(29 * l + x));
                }
            }
        }
    }

    /// Puts all terms to lines, and adds those of two ranges to a panel.
    void check() const {
        CAPTURE(extent_);
        CAPTURE(terms_);
        std::vector<const T*> from;
        support::nest_row line{extent_, 1}, row{rows, 0}, term{terms_, 0};
        for (std::size_t i = 0; i < inputs_; ++i) {
            from.push_back(memory_[i].data());
            line.push_back(i < units_ ? 1 : 0);
            row.push_back(terms_ * pitch_);
            term.push_back(pitch_);
        }
        const support::nest_rows lines({line}), apart({row}), summed({term});
        std::vector<cursor<T>> cells(inputs_);
        cursors<T> at(cells.data(), inputs_);
        at.start(from.data(), lines.loops(), apart.loops(), summed.loops());
        at.for_each_term({}, [] {});
        const output_line<T, Arch> results(extent_, scaling<T>());
        const std::int64_t registers = results.registers();
        for (const std::int64_t ahead : {0, 5}) {
            check_panel(at, results, {0, rows, 0, registers, 0, 0}, ahead);
            if (registers > adder::at_once.most) {
                check_panel(at, results, {1, 2, registers / 2, registers, 0, 0}, ahead);
            }
        }
        if (registers <= adder::at_once.most) {
            std::vector<T> out(static_cast<std::size_t>(rows * pitch_), T(55));
            adder::add(at, results, {0, rows, 0, registers, 0, terms_},
                       {out.data(), pitch_, nullptr, true}, {0, true});
            bool equal = true;
            for (std::int64_t r = 0; r < rows; ++r) {
                for (std::int64_t x = 0; x < pitch_; ++x) {
                    equal = equal && out[static_cast<std::size_t>(r * pitch_ + x)] ==
                                         (x < extent_ ? sum(r, x, terms_) : T(55));
                }
            }
            CHECK(equal);
        }
    }

private:
    void check_panel(const cursors<T>& at, const output_line<T, Arch>& results, sums_block b,
                     std::int64_t ahead) const {
        const std::int64_t pitch = adder::at_once.pitch(b.end - b.begin);
        const std::int64_t first = (terms_ + 1) / 2;
        std::vector<reg> panel(static_cast<std::size_t>((b.row_end - b.row) * pitch) + 1,
                               simd_type::set(T(77)));
        b.term_end = first;
        adder::add(at, results, b, {nullptr, 0, panel.data(), true}, {ahead, true});
        b.term = first;
        b.term_end = terms_;
        adder::add(at, results, b, {nullptr, 0, panel.data(), false}, {ahead, true});
        bool equal = true;
        for (std::int64_t r = b.row; r < b.row_end; ++r) {
            for (std::int64_t v = b.begin; v < b.end; ++v) {
                T lane[simd_type::lanes];
                simd_type::store(
                    lane, panel[static_cast<std::size_t>((r - b.row) * pitch + v - b.begin)]);
                for (std::int64_t l = 0; l < static_cast<std::int64_t>(results.filled()); ++l) {
                    equal = equal && lane[l] == sum(r, results.start(v) + l, terms_);
                }
            }
        }
        CHECK(equal);
        T behind[simd_type::lanes];
        simd_type::store(behind, panel.back());
        CHECK(std::all_of(behind, behind + width, [](T x) { return x == T(77); }));
    }

    [[nodiscard]] T sum(std::int64_t row, std::int64_t x, std::int64_t terms) const {
        T result(0);
        for (std::int64_t t = 0; t < terms; ++t) {
            T one(1);
            for (std::size_t i = 0; i < inputs_; ++i) {
                one *= memory_[i][static_cast<std::size_t>((row * terms_ + t) * pitch_ +
                                                           (i < units_ ? x : 0))];
            }
            result += one;
        }
        return result;
    }

    std::int64_t extent_;
    std::int64_t terms_;
    std::int64_t pitch_;
    std::size_t units_;
    std::size_t inputs_;
    std::vector<std::vector<T>> memory_;
};

template <class I, std::size_t Units, std::size_t Fixed>
void check(std::int64_t extent, std::int64_t terms, std::size_t units = Units,
           std::size_t fixed = Fixed) {
    line_sums<I, Units, Fixed>(extent, terms, units, fixed).check();
}

}  // namespace

TEST_CASE_TEMPLATE("lines of any number of registers, and nothing is read or written beyond", I,
                   support::instance<float, support::native_arch>,
                   support::instance<double, support::native_arch>,
                   support::instance<std::complex<float>, support::native_arch>,
                   support::instance<std::uint32_t, support::native_arch>,
                   support::instance<float, support::baseline_arch>) {
    constexpr std::int64_t lanes = I::lanes;
    for (std::int64_t registers = 1; registers <= 34; ++registers) {
        for (const std::int64_t missing : {std::int64_t{0}, lanes / 2, lanes - 1}) {
            const std::int64_t extent = registers * lanes - missing;
            check<I, 1, 0>(extent, 7);
            check<I, 1, 1>(extent, 12);
            check<I, 2, 0>(extent, 13);
            check<I, 2, 1>(extent, 5);
            check<I, 1, 2>(extent, 3);
            check<I, 3, 0>(extent, 2);
        }
    }
}

TEST_CASE_TEMPLATE("many terms, and a factor that no input has", I,
                   support::instance<float, support::native_arch>,
                   support::instance<double, support::baseline_arch>) {
    constexpr std::int64_t lanes = I::lanes;
    for (const std::int64_t extent : {lanes / 2, lanes, 3 * lanes + 1, 5 * lanes, 11 * lanes - 1,
                                      15 * lanes + 1, 23 * lanes - 1, 40 * lanes - 1}) {
        for (const std::int64_t terms : {1, 8, 37, 128}) {
            check<I, 1, 1>(extent, terms, 1, 0);
            check<I, 2, 0>(extent, terms);
        }
    }
}

TEST_CASE("registers that are summed at once") {
    // A complex register is two. A quarter is for what is summed.
    CHECK(2 * term_sums<std::complex<float>, support::native_arch, 1, 0>::at_once.most <=
          static_cast<std::int64_t>(xeinsum::kernel::register_count<support::native_arch> * 3 / 4));
    constexpr bool few = xeinsum::kernel::register_count<support::baseline_arch> == 16;
    using complex_sums = term_sums<std::complex<float>, support::baseline_arch, 1, 0>;
    CHECK(complex_sums::at_once.most == (few ? 4 : 12));
}

TEST_CASE("registers that a line has in a panel") {
    constexpr xeinsum::kernel::summed_at_once at_once{4, 24};
    CHECK(at_once.pitch(3) == 3);
    CHECK(at_once.pitch(5) == 8);
    CHECK(at_once.pitch(9) == 16);
    CHECK(at_once.pitch(17) == 24);
    CHECK(at_once.pitch(25) == 28);
    constexpr xeinsum::kernel::summed_at_once of_few_registers{4, 12};
    CHECK(of_few_registers.pitch(8) == 8);
    CHECK(of_few_registers.pitch(9) == 12);
    CHECK(of_few_registers.pitch(13) == 16);
    constexpr xeinsum::kernel::summed_at_once one_by_one{1, 1};
    CHECK(one_by_one.pitch(1) == 1);
    CHECK(one_by_one.pitch(7) == 7);
}
