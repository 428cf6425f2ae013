#include <xeinsum/kernel/panel_terms.hpp>

#include "../support/instances.hpp"
#include "../support/nest.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <vector>

using support::nest_rows;
using xeinsum::kernel::cursor;
using xeinsum::kernel::cursors;
using xeinsum::kernel::output_line;
using xeinsum::kernel::panel_block;
using xeinsum::kernel::panel_terms;
using xeinsum::kernel::scaling;

namespace {

/// "tc,tcf->cf" whose f lie side by side and whose rows of f are so far apart.
template <class I>
class short_lines {
    using T = typename I::type;
    using terms_type = panel_terms<T, typename I::arch, 1, 1>;
    using reg = typename terms_type::reg;
    static constexpr std::int64_t terms = terms_type::streams;

public:
    short_lines(std::int64_t rows, std::int64_t extent, std::int64_t gap)
        : rows_(rows),
          extent_(extent),
          pitch_(extent + gap),
          lines_(support::small_numbers<T>(static_cast<std::size_t>(3 * terms * rows * pitch_), 5)),
          factors_(support::small_numbers<T>(static_cast<std::size_t>(3 * terms * rows), 77)) {}

    /// Adds two blocks of terms to the panel, and asks for what is ahead terms behind them.
    void check(bool far, std::int64_t ahead, bool follows) const {
        CAPTURE(rows_);
        CAPTURE(extent_);
        CAPTURE(far);
        CAPTURE(ahead);
        const nest_rows vector({{extent_, 1, 1, 0}});
        const nest_rows row({{rows_, extent_, pitch_, 1}});
        const nest_rows term({{3 * terms, 0, rows_ * pitch_, rows_}});
        const T* from[]{lines_.data(), factors_.data()};
        cursor<T> cells[2];
        cursors<T> inputs(cells, 2);
        inputs.start(from, vector.loops(), row.loops(), term.loops());
        const output_line<T, typename I::arch> line(extent_, scaling<T>());
        const terms_type adder(line, inputs, rows_ > 1, far);
        CHECK(adder.follows_rows() == follows);

        const std::int64_t registers = line.registers();
        std::vector<reg> panel(static_cast<std::size_t>(rows_ * registers) + 1,
                               terms_type::simd_type::set(T(11)));
        const typename terms_type::factors f(inputs);
        const panel_block all{0, rows_, 0, registers};
        adder.template add<terms>(f, panel.data(), all, 0, true, ahead);
        adder.template add<terms>(f, panel.data(), all, terms, false, ahead);
        bool equal = true;
        for (std::int64_t r = 0; r < rows_; ++r) {
            for (std::int64_t v = 0; v < registers; ++v) {
                T lane[terms_type::lanes];
                terms_type::simd_type::store(lane,
                                             panel[static_cast<std::size_t>(r * registers + v)]);
                const auto count = static_cast<std::int64_t>(line.filled());
                for (std::int64_t l = 0; l < count; ++l) {
                    equal = equal && lane[l] == sum(r, line.start(v) + l);
                }
            }
        }
        CHECK(equal);
        T behind[terms_type::lanes];
        terms_type::simd_type::store(behind, panel.back());
        CHECK(std::all_of(behind, behind + terms_type::lanes, [](T x) { return x == T(11); }));
    }

private:
    [[nodiscard]] T sum(std::int64_t row, std::int64_t x) const {
        T result(0);
        for (std::int64_t t = 0; t < 2 * terms; ++t) {
            result += lines_[static_cast<std::size_t>((t * rows_ + row) * pitch_ + x)] *
                      factors_[static_cast<std::size_t>(t * rows_ + row)];
        }
        return result;
    }

    std::int64_t rows_;
    std::int64_t extent_;
    std::int64_t pitch_;
    std::vector<T> lines_;
    std::vector<T> factors_;
};

}  // namespace

TEST_CASE_TEMPLATE("rows that follow each other, whose number fills groups or not", I,
                   support::instance<float, support::native_arch>,
                   support::instance<double, support::native_arch>,
                   support::instance<std::complex<float>, support::native_arch>,
                   support::instance<float, support::baseline_arch>,
                   support::instance<std::uint32_t, support::native_arch>) {
    for (std::int64_t registers = 1; registers <= 5; ++registers) {
        for (const std::int64_t rows : {1, 2, 3, 4, 5, 7, 9}) {
            const std::int64_t extent = registers * I::lanes;
            const bool follows = registers <= 4 && rows > 1;
            const short_lines<I> dense(rows, extent, 0);
            dense.check(false, 0, follows);
            dense.check(true, 0, follows);
            dense.check(true, 8, follows);
            short_lines<I>(rows, extent, 3).check(true, 0, false);
        }
    }
}

TEST_CASE_TEMPLATE("lines that end within a register", I,
                   support::instance<float, support::native_arch>,
                   support::instance<double, support::baseline_arch>) {
    for (std::int64_t extent = 1; extent <= 5 * I::lanes; ++extent) {
        if (extent % I::lanes != 0) {
            const short_lines<I> lines(6, extent, 0);
            lines.check(false, 0, false);
            lines.check(true, 0, false);
            lines.check(true, 8, false);
        }
    }
}
