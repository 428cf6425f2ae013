#include <xeinsum/lowering/pieces.hpp>

#include "../support/instances.hpp"
#include "../support/shared_kernels.hpp"
#include "../support/table_of.hpp"

#include <xeinsum/lowering/lowerings.hpp>
#include <xeinsum/lowering/target.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

using namespace xeinsum;
using support::built_table;

namespace {

/// Runs pieces last first, and remembers how many.
struct backwards {
    std::size_t most = 0;
    void operator()(std::size_t count, pieces_of_work body) {
        most = count;
        for (std::size_t i = count; i-- > 0;) {
            body(i);
        }
    }
};

/// Row-major i x j times j x k.
std::vector<double> product(const std::vector<double>& a, const std::vector<double>& b,
                            std::size_t m, std::size_t k, std::size_t n) {
    std::vector<double> c(m * n, 0);
    for (std::size_t i = 0; i < m; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
            for (std::size_t p = 0; p < k; ++p) {
                c[i * n + j] += a[i * k + p] * b[p * n + j];
            }
        }
    }
    return c;
}

/// Runs a step with the given cuts, scaled by 2 and added to ones.
template <class Lowering>
std::vector<double> run_cut(built_table& t, const work_split& split, const std::vector<double>& a,
                            const std::vector<double>& b, std::size_t results,
                            backwards& parallel) {
    const planning::target on = lowerings::target_of<double, support::native_arch>();
    recipe how = Lowering::build(t.get(), on);
    how.split = split;
    how.split.partial_bytes =
        split.between_terms ? split.pieces() * planning::align_up(results * sizeof(double)) : 0;
    std::vector<std::byte> memory(how.memory_bytes() + 64);
    auto* aligned = reinterpret_cast<std::byte*>(
        (reinterpret_cast<std::uintptr_t>(memory.data()) + 63) / 64 * 64);
    const double* from[]{a.data(), b.data()};
    std::vector<double> out(results, 1);
    const kernel::scaling<double> scale(2, 1);
    lowerings::piecewise_run<Lowering, double, support::native_arch>(
        how, {t.get().row(0), t.get().pitch(), t.get().size()}, 2, from, out.data(), scale, aligned)
        .run(parallel);
    return out;
}

template <class Lowering>
void check_product(const char* equation, const work_split& split) {
    built_table t(equation, {{30, 40}, {40, 50}});
    const auto a = support::small_numbers<double>(1200),
               b = support::small_numbers<double>(2000, 5);
    const auto plain = product(a, b, 30, 40, 50);
    backwards parallel;
    const auto out = run_cut<Lowering>(t, split, a, b, 1500, parallel);
    CHECK(parallel.most == (split.workers > 1 ? split.workers : 0));
    const bool turned = std::string_view(equation) == "ij,jk->ki";
    for (std::size_t i = 0; i < 30; ++i) {
        for (std::size_t k = 0; k < 50; ++k) {
            REQUIRE(out[turned ? k * 30 + i : i * 50 + k] == 2 * plain[i * 50 + k] + 1);
        }
    }
}

}  // namespace

TEST_CASE("a product in pieces is the product, whichever modes are cut") {
    for (const char* equation : {"ij,jk->ik", "ij,jk->ki"}) {  // the second exchanges its operands
        CAPTURE(equation);
        for (unsigned char row = 0; row < 2; ++row) {
            check_product<lowerings::gemm>(equation, {{{{row, 3, 6}, {}}}, false, 3, 0});
            check_product<lowerings::broadcast_multiply_reduce>(equation,
                                                                {{{{row, 2, 1}, {}}}, false, 2, 0});
        }
        // Six pieces for four workers.
        check_product<lowerings::gemm>(equation, {{{{0, 3, 1}, {1, 2, 1}}}, false, 4, 0});
    }
}

TEST_CASE("pieces of sums are added up") {
    for (const char* equation : {"ij,jk->ik", "ij,jk->ki"}) {
        CAPTURE(equation);
        for (const std::uint32_t workers : {1U, 3U, 5U}) {
            check_product<lowerings::gemm>(equation, {{{{2, 5, 1}, {}}}, true, workers, 0});
            check_product<lowerings::broadcast_multiply_reduce>(
                equation, {{{{2, 5, 1}, {}}}, true, workers, 0});
        }
    }
}

TEST_CASE("other layouts keep inside the planned memory") {
    const work_split planned{{{{0, 4, 1}, {}}}, false, 4, 0};
    const work_split sums{{{{2, 5, 1}, {}}}, true, 4, 320};
    CHECK_FALSE(lowerings::within(sums, planned).is_cut());
    CHECK(lowerings::within(planned, sums).pieces() == 4);
    work_split more = planned;
    more.cuts[0].pieces = more.workers = 6;
    CHECK(lowerings::within(more, planned).workers == 4);
    CHECK(lowerings::within(more, planned).pieces() == 6);
}
