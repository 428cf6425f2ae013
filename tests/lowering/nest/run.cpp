#include <xeinsum/lowering/nest/run.hpp>

#include <xeinsum/lowering/element_target.hpp>

#include "../../support/instances.hpp"
#include "../../support/shared_kernels.hpp"
#include "../../support/table_of.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

using support::built_table;
using xeinsum::lowerings::broadcast_multiply_reduce;

TEST_CASE("a nest runs along the loop that was chosen for it") {
    // "bij,bj->ib" of 7 b, 5 i and 30 j
    built_table t("bij,bj->ib", {{7, 5, 30}, {7, 30}});
    const auto how = broadcast_multiply_reduce::build(
        t.get(), xeinsum::lowerings::target_of<double, support::native_arch>());
    const auto x = support::small_numbers<double>(1050, 1);
    const auto y = support::small_numbers<double>(210, 77);
    const double* from[]{x.data(), y.data()};
    std::vector<double> out(35, 99);
    std::vector<double> memory(how.scratch_bytes / sizeof(double) + 8);
    xeinsum::lowerings::run_lowering<double, support::native_arch, xeinsum::kernel::all_steps>(
        broadcast_multiply_reduce(), how, {t.get().row(0), t.get().pitch(), t.get().size()}, 2,
        from, out.data(), {}, reinterpret_cast<std::byte*>(memory.data()));
    for (std::size_t b = 0; b < 7; ++b) {
        for (std::size_t i = 0; i < 5; ++i) {
            double sum = 0;
            for (std::size_t j = 0; j < 30; ++j) {
                sum += x[(b * 5 + i) * 30 + j] * y[b * 30 + j];
            }
            CHECK(out[i * 7 + b] == sum);
        }
    }
}

TEST_CASE_TEMPLATE("sums in the order of the input are permuted and scaled", T, float, double) {
    // along the results d, and along four terms d
    struct sum {
        const char* equation;
        std::vector<std::int64_t> shape;
        std::size_t results;
        std::size_t (*at)(std::size_t, std::size_t, std::size_t, std::size_t);
    };
    using n = std::size_t;
    for (const sum& s : {sum{"abcd->dbc",
                             {4, 37, 5, 13},
                             2405,
                             [](n, n b, n c, n d) { return (d * 37 + b) * 5 + c; }},
                         sum{"abcd->cba", {11, 10, 9, 4}, 990, [](n a, n b, n c, n) {
                                 return (c * 10 + b) * 11 + a;
                             }}}) {
        CAPTURE(s.equation);
        built_table t(s.equation, {s.shape});
        const auto on = xeinsum::lowerings::target_of<T, support::native_arch>();
        if (on.lanes < 4) {
            continue;
        }
        const std::size_t most = broadcast_multiply_reduce::scratch_bytes(t.get(), on);
        xeinsum::recipe how;
        xeinsum::lowerings::build_permuted_sum(t.get(), false, on, how);
        CHECK(how.scratch_bytes <= most);
        n elements = 1;
        for (const std::int64_t extent : s.shape) {
            elements *= static_cast<n>(extent);
        }
        const auto x = support::small_numbers<T>(elements, 1);
        std::vector<T> out(s.results);
        std::vector<T> expected(s.results);
        for (n i = 0; i < s.results; ++i) {
            out[i] = static_cast<T>(i % 7);
            expected[i] = T(3) * out[i];
        }
        n next = 0;
        for (n a = 0; a < static_cast<n>(s.shape[0]); ++a) {
            for (n b = 0; b < static_cast<n>(s.shape[1]); ++b) {
                for (n c = 0; c < static_cast<n>(s.shape[2]); ++c) {
                    for (n d = 0; d < static_cast<n>(s.shape[3]); ++d) {
                        expected[s.at(a, b, c, d)] += T(2) * x[next++];
                    }
                }
            }
        }
        std::vector<T> memory(how.scratch_bytes / sizeof(T) + 64 / sizeof(T));
        const T* from[]{x.data()};
        xeinsum::lowerings::run_lowering<T, support::native_arch, xeinsum::kernel::all_steps>(
            broadcast_multiply_reduce(), how, {t.get().row(0), t.get().pitch(), t.get().size()}, 1,
            from, out.data(), {T(2), T(3)},
            reinterpret_cast<std::byte*>((reinterpret_cast<std::uintptr_t>(memory.data()) + 63) /
                                         64 * 64));
        CHECK(out == expected);
    }
}
