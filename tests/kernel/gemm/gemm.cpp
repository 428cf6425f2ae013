#include <xeinsum/kernel/gemm/gemm.hpp>

#include "../../support/guarded.hpp"
#include "../../support/instances.hpp"
#include "../../support/nest.hpp"
#include "../../support/shared_kernels.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

using support::nest_row;
using xeinsum::kernel::gemm_groups;
using xeinsum::kernel::scaling;

namespace {

struct groups {
    std::vector<nest_row> batch, m, n, k;  // extent, out, lhs, rhs
};

std::size_t reach(const groups& g, std::size_t array) {
    std::int64_t last = 0;
    for (const auto* group : {&g.batch, &g.m, &g.n, &g.k}) {
        for (const nest_row& row : *group) {
            last += (row[0] - 1) * std::abs(row[1 + array]);
        }
    }
    return static_cast<std::size_t>(last) + 1;
}

/// Keeps lhs, then rhs, in panels, where they are packed at all.
template <class T, class Arch>
void check_kept(const gemm_groups& loops, const xeinsum::kernel::gemm_packing& packing, const T* a,
                const T* b, const scaling<T>& scale, std::vector<T>& scratch,
                const std::vector<T>& before, const std::vector<T>& expected, std::size_t middle) {
    auto* const bytes = reinterpret_cast<std::byte*>(scratch.data());
    for (const bool lhs : {true, false}) {
        if (!(lhs ? packing.lhs : packing.rhs)) {
            continue;
        }
        auto kept = packing;
        (lhs ? kept.lhs_prepacked : kept.rhs_prepacked) = true;
        xeinsum::kernel::gemm_run<T, Arch> packs(loops, kept, {}, bytes);
        const auto panels = lhs ? packs.lhs_panels() : packs.rhs_panels();
        std::vector<T> memory(static_cast<std::size_t>(panels.elements()) +
                              xeinsum::kernel::pack_slack / sizeof(T) + 1);
        lhs ? packs.prepack_lhs(a, memory.data()) : packs.prepack_rhs(b, memory.data());
        std::vector<T> found = before;
        xeinsum::kernel::gemm<T, Arch>(loops, kept, lhs ? memory.data() : a,
                                       lhs ? b : memory.data(), found.data() + middle, scale,
                                       bytes);
        CHECK(found == expected);
    }
}

template <class I>
void check_gemm(const groups& g) {
    using T = typename I::type;
    using Arch = typename I::arch;
    const support::nest_rows batch(g.batch), m(g.m), n(g.n), k(g.k);
    std::vector<nest_row> free = g.batch;
    free.insert(free.end(), g.m.begin(), g.m.end());
    free.insert(free.end(), g.n.begin(), g.n.end());
    const support::nest_rows output(free);
    const support::guarded lhs(support::small_numbers<T>(2 * reach(g, 1) - 1, 2));
    const support::guarded rhs(support::small_numbers<T>(2 * reach(g, 2) - 1, 30));
    // Reversed strides start in the middle.
    const T* a = lhs.data() + reach(g, 1) - 1;
    const T* b = rhs.data() + reach(g, 2) - 1;

    constexpr auto cut = xeinsum::kernel::blocking_of<T, Arch>;
    const auto memory = xeinsum::kernel::cut_memory(
        cut, cut.nv * xeinsum::kernel::simd<T, Arch>::lanes, sizeof(T), m.loops().iterations(),
        n.loops().iterations(), k.loops().iterations());
    std::vector<T> scratch(memory.bytes() / sizeof(T) + 64);
    const bool direct_depth = xeinsum::kernel::direct_depth(k.loops(), cut.kc);
    const bool direct_lhs = direct_depth && g.m.size() == 1;
    const bool direct_rhs = direct_depth && g.n.size() == 1 && g.n[0][3] == 1;
    for (const bool pack_lhs : {true, false}) {
        for (const bool pack_rhs : {true, false}) {
            if ((!pack_lhs && !direct_lhs) || (!pack_rhs && !direct_rhs)) {
                continue;
            }
            CAPTURE(pack_lhs);
            CAPTURE(pack_rhs);
            for (const auto& [alpha, beta] : {std::pair{T(1), T(0)}, {T(2), T(3)}}) {
                const auto before = support::small_numbers<T>(2 * reach(g, 0), 800);
                std::vector<T> expected = before;
                std::vector<T> found = before;
                const std::size_t middle = reach(g, 0) - 1;
                support::evaluate_nest<T>({output.loops(), k.loops(), 2}, {a, b},
                                          expected.data() + middle, alpha, beta);
                xeinsum::kernel::gemm<T, Arch>({batch.loops(), m.loops(), n.loops(), k.loops()},
                                               {pack_lhs, pack_rhs}, a, b, found.data() + middle,
                                               scaling<T>(alpha, beta),
                                               reinterpret_cast<std::byte*>(scratch.data()));
                CHECK(found == expected);
                // The same with panels that are packed before, of one product at a time.
                if (g.batch.empty()) {
                    check_kept<T, Arch>({{}, m.loops(), n.loops(), k.loops()}, {pack_lhs, pack_rhs},
                                        a, b, scaling<T>(alpha, beta), scratch, before, expected,
                                        middle);
                }
            }
        }
    }
}

/// "mk,kn->mn", row-major.
groups plain(std::int64_t m, std::int64_t n, std::int64_t k) {
    return {{}, {{m, n, k, 0}}, {{n, 1, 0, 1}}, {{k, 0, 1, n}}};
}

}  // namespace

TEST_CASE_TEMPLATE("products of every small shape", I, SUPPORT_ALL_INSTANCES) {
    for (const std::int64_t m : {1, 2, 5, 7, 13}) {
        for (const std::int64_t n : {1, 3, 8, 17}) {
            for (const std::int64_t k : {1, 2, 9}) {
                check_gemm<I>(plain(m, n, k));
            }
        }
    }
}

TEST_CASE_TEMPLATE("products that are cut in every direction", I,
                   support::instance<float, support::native_arch>,
                   support::instance<std::complex<double>, support::native_arch>,
                   support::instance<std::uint32_t, support::native_arch>,
                   support::instance<double, support::baseline_arch>,
                   support::instance<float, support::scalar_arch>) {
    using T = typename I::type;
    constexpr auto cut = xeinsum::kernel::blocking_of<T, typename I::arch>;
    const auto past = [](std::size_t block, std::int64_t more) {
        return static_cast<std::int64_t>(block) + more;
    };
    check_gemm<I>(plain(past(cut.mc, 3), 5, 4));
    check_gemm<I>(plain(3, past(cut.nc, 5), 4));  // so shallow that one block has all columns
    check_gemm<I>(plain(3, past(2 * cut.nc, 5), 4));
    check_gemm<I>(plain(3, 7, past(cut.kc, 2)));
    check_gemm<I>(plain(3, 7, past(2 * cut.kc, 1)));
}

TEST_CASE_TEMPLATE("columns of a register and more that are read where they lie", I,
                   SUPPORT_ALL_INSTANCES) {
    constexpr std::int64_t lanes = I::lanes;
    for (const std::int64_t n : {lanes, 3 * lanes, 3 * lanes + 1, 5 * lanes - 1}) {
        check_gemm<I>(plain(15, n, 3));
    }
    // Rows enough to pack a register so that it fills a tile with what is left.
    check_gemm<I>(plain(75, 2 * lanes - 1, 3));
    check_gemm<I>(plain(75, 3 * lanes + 1, 3));
}

TEST_CASE_TEMPLATE("lhs from main memory, in pieces of the depth and in one", I,
                   support::instance<float, support::native_arch>,
                   support::instance<double, support::native_arch>) {
    using T = typename I::type;
    const std::int64_t m =
        (std::int64_t{5} << 20U) / static_cast<std::int64_t>(sizeof(T)) / (3 * 16) + 1;
    for (const std::int64_t n : {std::int64_t{5}, 3 * I::lanes}) {
        CAPTURE(n);
        check_gemm<I>(
            {{}, {{m, n, 16, 0}}, {{n, 1, 0, 1}}, {{3, 0, 16 * m, 16 * n}, {16, 0, 1, n}}});
        check_gemm<I>(plain(m, n, 48));
    }
    // Several products, each of them in the caches.
    check_gemm<I>({{{4, m / 4 * 25, m / 4 * 48, 0}},
                   {{m / 4, 25, 48, 0}},
                   {{25, 1, 0, 1}},
                   {{48, 0, 1, 25}}});
}

TEST_CASE_TEMPLATE("blocks of rows from main memory that are multiplied column by column", I,
                   support::instance<float, support::native_arch>,
                   support::instance<double, support::native_arch>) {
    using T = typename I::type;
    constexpr auto size = static_cast<std::int64_t>(sizeof(T));
    constexpr std::int64_t k = 781;  // two blocks of the depth
    const std::int64_t n = (std::int64_t{128} << 10U) / (400 * size) + 1;
    check_gemm<I>(plain((std::int64_t{2} << 20U) / (k * size) + 3, n, k));
}

TEST_CASE_TEMPLATE("outputs that the caches do not keep", I,
                   support::instance<float, support::native_arch>,
                   support::instance<double, support::native_arch>) {
    using T = typename I::type;
    const std::int64_t n = 48;
    const std::int64_t m = (std::int64_t{9} << 20U) / static_cast<std::int64_t>(sizeof(T)) / n;
    const groups g = plain(m, n, 2);
    check_gemm<I>(g);

    // The same from the beginning of a cache line on, and from within one.
    using Arch = typename I::arch;
    const support::nest_rows rows(g.m), columns(g.n), depth(g.k), output({g.m[0], g.n[0]});
    const auto lhs = support::small_numbers<T>(reach(g, 1), 2);
    const auto rhs = support::small_numbers<T>(reach(g, 2), 30);
    std::vector<T> expected(reach(g, 0));
    support::evaluate_nest<T>({output.loops(), depth.loops(), 2}, {lhs.data(), rhs.data()},
                              expected.data(), T(1), T(0));
    constexpr auto cut = xeinsum::kernel::blocking_of<T, Arch>;
    const auto memory = xeinsum::kernel::cut_memory(
        cut, cut.nv * xeinsum::kernel::simd<T, Arch>::lanes, sizeof(T), m, n, 2);
    std::vector<T> scratch(memory.bytes() / sizeof(T) + 64);
    constexpr std::size_t line = xeinsum::kernel::line_elements<T>;
    for (const std::size_t behind_line : {std::size_t{0}, std::size_t{3}}) {
        std::vector<T> found(expected.size() + 2 * line, T(9));
        const auto past = reinterpret_cast<std::uintptr_t>(found.data()) / sizeof(T) % line;
        T* const out = found.data() + (line - past) + behind_line;
        xeinsum::kernel::gemm<T, Arch>({{}, rows.loops(), columns.loops(), depth.loops()}, {},
                                       lhs.data(), rhs.data(), out, {},
                                       reinterpret_cast<std::byte*>(scratch.data()));
        CHECK(std::equal(expected.begin(), expected.end(), out));
        CHECK(std::count(found.data(), out, T(9)) == out - found.data());
        CHECK(out[expected.size()] == T(9));
    }
}

TEST_CASE_TEMPLATE("rhs from main memory, in blocks of columns from two loops", I,
                   support::instance<float, support::native_arch>,
                   support::instance<double, support::native_arch>) {
    using T = typename I::type;
    const std::int64_t n =
        (std::int64_t{5} << 20U) / static_cast<std::int64_t>(sizeof(T)) / (3 * 2);
    check_gemm<I>({{}, {{5, 2 * n, 3, 0}}, {{2, n, 0, 3 * n}, {n, 1, 0, 1}}, {{3, 0, 1, n}}});
}

TEST_CASE_TEMPLATE("operands and outputs that lie anyhow", I, SUPPORT_ALL_INSTANCES) {
    // lhs and rhs transposed, the output too
    check_gemm<I>({{}, {{7, 1, 1, 0}}, {{9, 7, 0, 6}}, {{6, 0, 7, 1}}});
    // gaps and reversed axes
    check_gemm<I>({{}, {{7, -40, 2, 0}}, {{9, 3, 0, -12}}, {{6, 0, 20, 2}}});
    // several modes in every group: "apb,pcq->..." as (m: 2x3, n: 4x2, k: 3x2), batch 2x2
    check_gemm<I>({{{2, 500, 200, 100}, {2, 250, 50, 300}},
                   {{2, 100, 1, 0}, {3, 11, 4, 0}},
                   {{4, 1, 0, 9}, {2, 50, 0, 2}},
                   {{3, 0, 13, 1}, {2, 0, 2, 40}}});
    // a depth in pieces, operands that can be read where they lie
    check_gemm<I>(
        {{{2, 300, 0, 0}}, {{7, 30, 60, 0}}, {{25, 1, 0, 1}}, {{3, 0, 20, 300}, {9, 0, 2, 30}}});
    // rows of lhs that meet in one set of the first-level cache, more than fit there
    check_gemm<I>({{}, {{19, 36, 4096, 0}}, {{35, 1, 0, 1}}, {{9, 0, 1, 35}}});
    // an operand that the batch repeats
    check_gemm<I>({{{3, 35, 0, 20}}, {{5, 7, 4, 0}}, {{7, 1, 0, 1}}, {{4, 0, 1, 7}}});
}
