#include <xeinsum/kernel/reduce/line_sums.hpp>

#include "../../support/instances.hpp"
#include "../../support/nest.hpp"

#include <doctest/doctest.h>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <vector>

using support::nest_rows;
using xeinsum::kernel::cursor;
using xeinsum::kernel::cursors;

namespace {

/// Rows of "ij,ij->i" whose lines lie apart.
template <class I>
class rows {
    using T = typename I::type;
    using sums_type = xeinsum::kernel::line_sums<T, typename I::arch, 2, 0>;
    using simd_type = typename sums_type::simd_type;
    static constexpr std::int64_t count = 7;  // more than are added up at once, and some

public:
    explicit rows(std::int64_t extent)
        : extent_(extent),
          a_(support::small_numbers<T>(static_cast<std::size_t>(count * (extent + 1)), 3)),
          b_(support::small_numbers<T>(static_cast<std::size_t>(count * (extent + 2)), 50)) {}

    void check() const {
        CAPTURE(extent_);
        const nest_rows vector({{extent_, 0, 1, 1}});
        const nest_rows row({{count, 1, extent_ + 1, extent_ + 2}});
        const T* from[]{a_.data(), b_.data()};
        cursor<T> cells[2];
        cursors<T> inputs(cells, 2);
        inputs.start(from, vector.loops(), row.loops(), {});
        const typename sums_type::factors f(inputs);
        const sums_type lines(extent_);

        typename sums_type::reg panel[count];
        panel[0] = simd_type::set(T(7));
        lines.add(f, panel + 1, 1, count, true);
        lines.add(f, panel + 1, 1, count - 1, false);
        CHECK(simd_type::sum(panel[0]) == T(static_cast<float>(7 * I::lanes)));
        for (std::int64_t r = 1; r < count; ++r) {
            CHECK(simd_type::sum(panel[r]) == (r + 1 < count ? sum(r) + sum(r) : sum(r)));
        }
    }

private:
    [[nodiscard]] T sum(std::int64_t row) const {
        T result(0);
        for (std::int64_t x = 0; x < extent_; ++x) {
            result += a_[static_cast<std::size_t>(row * (extent_ + 1) + x)] *
                      b_[static_cast<std::size_t>(row * (extent_ + 2) + x)];
        }
        return result;
    }

    std::int64_t extent_;
    std::vector<T> a_;
    std::vector<T> b_;
};

}  // namespace

TEST_CASE_TEMPLATE("lines of every length below four registers, and long ones", I,
                   support::instance<float, support::native_arch>,
                   support::instance<double, support::native_arch>,
                   support::instance<std::complex<float>, support::native_arch>,
                   support::instance<std::uint32_t, support::native_arch>,
                   support::instance<float, support::baseline_arch>) {
    for (std::int64_t extent = 1; extent <= 4 * I::lanes + 1; ++extent) {
        rows<I>(extent).check();
    }
    rows<I>(40 * I::lanes + 3).check();
}
