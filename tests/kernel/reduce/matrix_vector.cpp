#include <xeinsum/kernel/reduce/matrix_vector.hpp>

#include "../../support/instances.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace kernel = xeinsum::kernel;
using kernel::vector_loop;

#define SUPPORT_MATRIX_VECTOR_INSTANCES                   \
    support::instance<float, support::native_arch>,       \
        support::instance<float, support::baseline_arch>, \
        support::instance<double, support::native_arch>,  \
        support::instance<std::uint32_t, support::native_arch>

namespace {

/// Extents, and strides in the output and both inputs; the table of one step.
using row = std::array<std::int64_t, 4>;

/// Runs rows, of which the first are output loops, beside loops by definition, scaled and not. The
/// output has numbers behind it that must stay.
template <class I>
void check(const std::vector<row>& rows, std::size_t outputs, vector_loop along, bool together) {
    using T = typename I::type;
    CAPTURE(rows.size());
    std::vector<std::int64_t> cells;
    std::array<std::int64_t, 3> sizes{1, 1, 1};
    for (const row& r : rows) {
        CAPTURE(r[0]);
        cells.insert(cells.end(), r.begin(), r.end());
        for (std::size_t a = 0; a < 3; ++a) {
            sizes[a] += (r[0] - 1) * r[1 + a];
        }
    }
    const kernel::loops all{cells.data(), 4, rows.size()};
    const auto lhs = support::small_numbers<T>(static_cast<std::size_t>(sizes[1]), 4);
    const auto rhs = support::small_numbers<T>(static_cast<std::size_t>(sizes[2]), 5);
    const T* const from[]{lhs.data(), rhs.data()};
    for (const bool scaled : {false, true}) {
        const T alpha = scaled ? T(2) : T(1);
        const T beta = scaled ? T(3) : T(0);
        std::vector<T> out(static_cast<std::size_t>(sizes[0]) + 1, T(7));
        std::vector<T> expected = out;
        kernel::odometer<3> at(all.first(outputs), {0, 1, 2});
        do {
            kernel::odometer<2> term(all.from(outputs), {1, 2});
            T sum(0);
            do {
                sum += lhs[static_cast<std::size_t>(at.offset(1) + term.offset(0))] *
                       rhs[static_cast<std::size_t>(at.offset(2) + term.offset(1))];
            } while (term.next());
            T& result = expected[static_cast<std::size_t>(at.offset(0))];
            result = alpha * sum + beta * result;
        } while (at.next());
        kernel::matrix_vector<T, typename I::arch>(all.first(outputs), all.from(outputs), along,
                                                   together, from, out.data(),
                                                   kernel::scaling<T>(alpha, beta));
        CHECK(out == expected);
    }
}

}  // namespace

TEST_CASE_TEMPLATE("a matrix that lies along the terms", I, SUPPORT_MATRIX_VECTOR_INSTANCES) {
    for (const std::int64_t results : {1, 3, 8, 21, 70}) {
        for (const std::int64_t terms : {1, 5, 16, 33, 130}) {
            for (const bool together : {false, true}) {
                check<I>({{results, 1, terms + 2, 0}, {terms, 0, 1, 1}}, 1, vector_loop::contracted,
                         together);
                check<I>({{results, 2, 0, terms}, {terms, 0, 1, 1}}, 1, vector_loop::contracted,
                         together);
            }
        }
    }
    check<I>({{1000, 0, 1, 1}}, 0, vector_loop::contracted, false);
}

TEST_CASE_TEMPLATE("a matrix that lies along the results", I, SUPPORT_MATRIX_VECTOR_INSTANCES) {
    for (const std::int64_t results : {1, 3, 8, 21, 70, 2100}) {
        for (const std::int64_t terms : {1, 5, 16, 33, 130}) {
            check<I>({{results, 1, 1, 0}, {terms, 0, results + 2, 1}}, 1, vector_loop::output,
                     false);
            check<I>({{results, 1, 0, 1}, {terms, 0, 3, results}}, 1, vector_loop::output, false);
        }
    }
    check<I>({{9, 1, 0, 1}, {1200, 0, 1, 9}}, 1, vector_loop::output, false);
    check<I>({{9, 3, 0, 1}, {130, 0, 1, 9}}, 1, vector_loop::output, false);
}

TEST_CASE_TEMPLATE("products of two vectors", I, SUPPORT_MATRIX_VECTOR_INSTANCES) {
    for (const std::int64_t columns : {1, 3, 8, 21, 70, 2100}) {
        check<I>({{5, columns, 1, 0}, {columns, 1, 0, 1}}, 2, vector_loop::output, false);
        check<I>({{5, columns + 3, 1, 0}, {columns, 1, 0, 1}}, 2, vector_loop::output, false);
        check<I>({{5, 2 * columns, 1, 0}, {columns, 2, 0, 3}}, 2, vector_loop::output, false);
        check<I>({{columns, 1, 1, 0}}, 1, vector_loop::output, false);
    }
    check<I>({{2300, 2500, 1, 0}, {2500, 1, 0, 1}}, 2, vector_loop::output, false);
}

TEST_CASE_TEMPLATE("without vectors", I, SUPPORT_MATRIX_VECTOR_INSTANCES) {
    check<I>({}, 0, vector_loop::none, false);
    check<I>({{7, 0, 2, 3}}, 0, vector_loop::none, false);
    check<I>({{4, 1, 5, 0}, {5, 0, 1, 1}}, 1, vector_loop::none, false);
    check<I>({{4, 3, 1, 0}, {3, 1, 0, 1}}, 2, vector_loop::none, false);
}
