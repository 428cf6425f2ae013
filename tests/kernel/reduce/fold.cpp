#include <xeinsum/kernel/reduce/fold.hpp>

#include "../../support/instances.hpp"
#include "../../support/nest.hpp"
#include "../../support/shared_folds.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

using support::nest_row;
namespace kernel = xeinsum::kernel;

namespace {

template <class T>
T product(const T& a, const T& b) {
    return T(a * b);
}
template <class T>
T sum(const T& a, const T& b) {
    return T(a + b);
}

/// Runs a fold and compares the whole output's memory with the definition.
template <class Op, class T, class Arch, class Join>
void check(const std::vector<nest_row>& output, const std::vector<nest_row>& contracted,
           const std::vector<T>& in, Join join) {
    std::vector<nest_row> all = output;
    all.insert(all.end(), contracted.begin(), contracted.end());
    support::nest_rows rows(all);
    support::nest_rows outer(output);
    support::nest_rows inner(contracted);
    const auto before = support::small_numbers<T>(4000, 77);
    std::vector<T> expected = before;
    std::vector<T> found = before;
    support::for_each_iteration(outer.loops(), 2, [&](const std::vector<std::int64_t>& at) {
        bool first = true;
        support::for_each_iteration(inner.loops(), 2, [&](const std::vector<std::int64_t>& term) {
            const T& x = in[static_cast<std::size_t>(at[1] + term[1])];
            T& to = expected[static_cast<std::size_t>(at[0])];
            to = first ? x : join(to, x);
            first = false;
        });
    });
    kernel::arrangement order{rows.cells(), 3, 1, output.size(), all.size()};
    const auto kind = kernel::arrange_fold(order);
    const kernel::loops loops{rows.cells(), 3, all.size()};
    kernel::fold<T, Arch, Op>({loops.first(output.size()), loops.from(output.size()), 1}, kind,
                              in.data(), found.data());
    CHECK(found == expected);
}

void for_each_nest(const std::function<void(const std::vector<nest_row>& output,
                                            const std::vector<nest_row>& contracted)>& run) {
    run({{3, 1, 70}, {5, 3, 400}}, {{70, 0, 1}, {2, 0, 210}});  // lines of terms
    run({{3, 1, 9}}, {{9, 0, 1}});                              // short ones
    run({{1100, 1, 1}}, {{3, 0, 1100}, {2, 0, 3300}});          // rows of results
    run({{13, 1, 2}, {2, 13, 52}}, {{2, 0, 1}, {2, 0, 26}});    // windows of two
    run({{11, 1, 3}}, {{3, 0, 1}, {9, 0, 33}});                 // of three
    run({{7, 2, 5}, {3, 14, 35}}, {{5, 0, 1}});                 // results apart
    run({{7, 1, 1}}, {});                                       // no terms to join
    run({}, {{40, 0, 3}});                                      // one result, terms apart
}

}  // namespace

TEST_CASE_TEMPLATE("products are those of the definition", Instance, SUPPORT_ALL_INSTANCES) {
    using T = typename Instance::type;
    using Arch = typename Instance::arch;
    // Mostly units, so that long products are exact.
    auto in = support::small_numbers<T>(8000, 5);
    for (std::size_t n = 0; n < in.size(); ++n) {
        in[n] = n % 31 == 0 ? in[n] : n % 3 == 0 ? T(0) - T(1) : T(1);
    }
    for_each_nest([&](const auto& output, const auto& contracted) {
        check<kernel::multiplied<T>, T, Arch>(output, contracted, in, product<T>);
    });
}

TEST_CASE_TEMPLATE("sums are", Instance, SUPPORT_ALL_INSTANCES) {
    using T = typename Instance::type;
    using Arch = typename Instance::arch;
    const auto in = support::small_numbers<T>(8000, 5);
    for_each_nest([&](const auto& output, const auto& contracted) {
        check<kernel::summed<T>, T, Arch>(output, contracted, in, sum<T>);
    });
}

TEST_CASE_TEMPLATE("minima and maxima are", T, float, double, std::int8_t, std::int32_t,
                   std::int64_t, std::uint64_t) {
    std::vector<T> in(8000);
    for (std::size_t n = 0; n < in.size(); ++n) {
        in[n] =
            static_cast<T>(static_cast<int>(n * 7919 % 8009) - (std::is_signed_v<T> ? 4000 : 0));
    }
    const auto run = [&]<class Arch>() {
        for_each_nest([&](const auto& output, const auto& contracted) {
            check<kernel::minimum<T>, T, Arch>(
                output, contracted, in, [](const T& a, const T& b) { return std::min(a, b); });
            check<kernel::maximum<T>, T, Arch>(
                output, contracted, in, [](const T& a, const T& b) { return std::max(a, b); });
        });
    };
    run.template operator()<support::native_arch>();
    run.template operator()<support::baseline_arch>();
    run.template operator()<support::scalar_arch>();
}

TEST_CASE("NaN wins wherever it stands") {
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    for (std::size_t at = 0; at < 90; ++at) {
        std::vector<float> in(90, -3.0F);
        in[at] = nan;
        support::nest_rows line({{90, 0, 1}});
        float out = 0;
        kernel::fold<float, support::native_arch, kernel::maximum<float>>(
            {line.loops().first(0), line.loops(), 1}, kernel::vector_loop::contracted, in.data(),
            &out);
        CHECK(std::isnan(out));
        support::nest_rows rows({{30, 1, 1}, {3, 0, 30}});
        std::vector<float> results(30, 0);
        kernel::fold<float, support::native_arch, kernel::minimum<float>>(
            {rows.loops().first(1), rows.loops().from(1), 1}, kernel::vector_loop::output,
            in.data(), results.data());
        for (std::size_t r = 0; r < 30; ++r) {
            CHECK(std::isnan(results[r]) == (r == at % 30));
        }
    }
}
