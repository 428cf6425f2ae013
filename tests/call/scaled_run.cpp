#include <xeinsum/call/scaled_run.hpp>

#include "../support/arrays.hpp"
#include "../support/error_of.hpp"

#include <xeinsum/compiled.hpp>
#include <xeinsum/plan.hpp>
#include <xeinsum/reference/einsum.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

using support::numbers;
using xeinsum::make_plan;
using xeinsum::detail::take_scale;
namespace reference = xeinsum::reference;

namespace {

using shapes = std::vector<std::vector<std::size_t>>;

template <class T>
std::vector<xt::xarray<T>> operands_of(const shapes& all, double factor = 1) {
    std::vector<xt::xarray<T>> operands;
    for (const auto& shape : all) {
        xt::xarray<T> a = numbers<T>(shape, 5 * operands.size());
        for (T& x : a.storage()) {
            x *= static_cast<xeinsum::kernel::real_of_t<T>>(factor);
        }
        operands.push_back(std::move(a));
    }
    return operands;
}

/// Whether out * 2^exponent is the expected result, to the last bit.
bool same(const xt::xarray<float>& out, std::int64_t exponent, const xt::xarray<double>& expected,
          double factor = 1) {
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const double found =
            std::ldexp(static_cast<double>(out.storage()[i]), static_cast<int>(exponent));
        if (found != expected.storage()[i] * factor) {
            return false;
        }
    }
    return out.size() == expected.size();
}

const shapes chain{{4, 6}, {6, 10}, {10, 3}, {3, 8}, {8, 4}};
const char* const equation = "ij,jk,kl,lm,mn->in";

}  // namespace

TEST_CASE("the scale of an array is a power of two that is taken only where it is far from 1") {
    const auto take = [](std::vector<float> all, std::int64_t exponent, bool zero,
                         const std::vector<float>& left) {
        const auto taken = take_scale(all.data(), static_cast<std::int64_t>(all.size()));
        CHECK(taken.exponent == exponent);
        CHECK(taken.zero == zero);
        CHECK((left.empty() ||
               std::memcmp(all.data(), left.data(), left.size() * sizeof(float)) == 0));
    };
    constexpr float infinite = std::numeric_limits<float>::infinity();
    take({}, 0, true, {});
    take({0, -0.0F}, 0, true, {0, -0.0F});
    take({1, -65535, 3}, 0, false, {1, -65535, 3});
    take({1, -65536, 3}, 17, false, {0x1p-17F, -0.5F, 0x3p-17F});
    take({0x1p127F, -0x1.8p127F}, 128, false, {0.5F, -0.75F});
    take({0x1p-149F, 0}, -148, false, {0.5F, 0});
    take({0x3p-149F, -0x1p-149F}, -147, false, {0.75F, -0.25F});
    take({infinite, 0x1p90F}, 0, false, {infinite, 0x1p90F});
    // Whichever element is the largest.
    for (std::size_t at = 0; at < 37; ++at) {
        std::vector<float> all(37, 1.5F);
        all[at] = -0x1p20F;
        CHECK(take_scale(all.data(), 37).exponent == 21);
        CHECK(all[at] == -0.5F);
        CHECK(all[(at + 1) % 37] == 0x1.8p-21F);
    }
    std::vector<std::complex<double>> z{{0, 0x1p100}, {0x1p200, -0x1p201}};
    CHECK(take_scale(z.data(), 2).exponent == 202);
    CHECK(z[0] == std::complex<double>(0, 0x1p-102));
    CHECK(z[1] == std::complex<double>(0.25, -0.5));
}

TEST_CASE("results beyond the range of the type") {
    // 1e-20 and 1e20 are not, but powers of two are, exact.
    for (const double factor : {1.0, 0x1p-60, 0x1p50}) {
        for (const std::size_t limit : {std::size_t{1} << 20U, std::size_t{40}, std::size_t{8}}) {
            CAPTURE(factor);
            CAPTURE(limit);
            const auto p = make_plan<float>(equation, chain, {.memory_limit = limit});
            const auto operands = operands_of<float>(chain, factor);
            const auto expected = reference::einsum(equation, operands_of<double>(chain, factor));
            auto memory = p.make_workspace();
            xt::xarray<float> out = xt::zeros<float>({4, 4});
            out.fill(std::numeric_limits<float>::quiet_NaN());
            const std::int64_t exponent = p.run_scaled(out, memory, operands);
            CHECK(same(out, exponent, expected));
            if (factor != 1) {
                xt::xarray<float> plain = out;
                p.run(plain, memory, operands);
                CHECK(!same(plain, 0, expected));
            }
            // Operands and output that lie otherwise than planned.
            const std::vector<xt::xarray<float, xt::layout_type::column_major>> transposed(
                operands.begin(), operands.end());
            xt::xarray<float, xt::layout_type::column_major> other = xt::zeros<float>({4, 4});
            CHECK(p.run_scaled(other, memory, transposed) == exponent);
            CHECK(other == out);
        }
    }
}

TEST_CASE("slices of different scales, zeros among them") {
    // k is cut into ten slices; those of the last k are much larger, two are zero.
    const std::vector<xeinsum::sliced_label> cut{{2, 0}, {0, 2}};
    const auto p = make_plan<float>("ij,jk,kl->il", {{4, 6}, {6, 10}, {10, 3}}, {.slices = cut});
    REQUIRE(p.slice_count() == 20);
    auto operands = operands_of<float>({{4, 6}, {6, 10}, {10, 3}}, 0x1p-60);
    for (std::size_t l = 0; l < 3; ++l) {
        operands[2](0, l) = 0;
        operands[2](5, l) = 0;
        operands[2](9, l) = 0x1p10F * static_cast<float>(l + 1);  // no element is far below others
    }
    for (std::size_t j = 0; j < 6; ++j) {
        operands[1](j, 3) = 0;
        operands[1](j, 9) *= 0x1p100F;
    }
    std::vector<xt::xarray<double>> wide(operands.begin(), operands.end());
    auto memory = p.make_workspace();
    xt::xarray<float> out = xt::zeros<float>({4, 3});
    const std::int64_t exponent = p.run_scaled(out, memory, operands);
    const xt::xarray<double> expected = reference::einsum("ij,jk,kl->il", wide);
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const double found =
            std::ldexp(static_cast<double>(out.storage()[i]), static_cast<int>(exponent));
        CAPTURE(i);
        CHECK(std::abs(found - expected.storage()[i]) <= 1e-6 * std::abs(expected.storage()[i]));
        CHECK(found != 0);
    }
    // All of it.
    operands[1].fill(0);
    CHECK(p.run_scaled(out, memory, operands) == 0);
    CHECK(out == xt::zeros<float>({4, 3}));
}

TEST_CASE("slices of zeros have no scale") {
    const shapes all{{4, 6}, {6, 10}, {10, 3}, {3, 8}};
    const std::vector<xeinsum::sliced_label> cut{{2, 0}};
    const auto p = make_plan<float>("ij,jk,kl,lm->im", all, {.slices = cut});
    auto operands = operands_of<float>(all, 0x1p-60);
    for (const std::size_t k : {0U, 3U, 9U}) {
        for (std::size_t j = 0; j < 6; ++j) {
            operands[1](j, k) = 0;
        }
        for (std::size_t l = 0; l < 3; ++l) {
            operands[2](k, l) = 0;
        }
    }
    const std::vector<xt::xarray<double>> wide(operands.begin(), operands.end());
    auto memory = p.make_workspace();
    xt::xarray<float> out = xt::zeros<float>({4, 8});
    const std::int64_t exponent = p.run_scaled(out, memory, operands);
    CHECK(same(out, exponent, reference::einsum("ij,jk,kl,lm->im", wide)));
}

TEST_CASE("steps that all slices share keep their scale") {
    // ij,jk comes once, before the slices of l.
    const std::vector<xeinsum::sliced_label> cut{{3, 0}};
    const std::vector<std::pair<std::size_t, std::size_t>> pairs{{0, 1}, {2, 3}, {4, 5}};
    const shapes all{{4, 6}, {6, 10}, {10, 3}, {3, 8}};
    const auto p = make_plan<float>(
        "ij,jk,kl,lm->im", all,
        {.path = xeinsum::path_strategy::numbered_pairs, .path_pairs = pairs, .slices = cut});
    REQUIRE(p.steps()[0].same_in_all_slices);
    const auto expected = reference::einsum("ij,jk,kl,lm->im", operands_of<double>(all, 0x1p-60));
    auto memory = p.make_workspace();
    xt::xarray<float> out = xt::zeros<float>({4, 8});
    const std::int64_t exponent = p.run_scaled(out, memory, operands_of<float>(all, 0x1p-60));
    CHECK(same(out, exponent, expected));
    // The same with constants, and complex.
    const auto z = make_plan<std::complex<float>>("ij,jk,kl,lm->im", all, {.slices = cut});
    const auto zs = operands_of<std::complex<float>>(all, 0x1p-60);
    const auto bound = z.bind(1, zs[1]).bind(3, zs[3]);
    auto more = bound.make_workspace();
    xt::xarray<std::complex<float>> zout = xt::zeros<std::complex<float>>({4, 8});
    const std::int64_t e = bound.run_scaled(zout, more, zs[0], zs[2]);
    const auto zexpected =
        reference::einsum("ij,jk,kl,lm->im", operands_of<std::complex<double>>(all, 0x1p-60));
    for (std::size_t i = 0; i < zexpected.size(); ++i) {
        const auto found =
            std::complex<double>(zout.storage()[i]) * std::ldexp(1.0, static_cast<int>(e));
        CHECK(std::abs(found - zexpected.storage()[i]) <= 1e-6 * std::abs(zexpected.storage()[i]));
    }
}

TEST_CASE("an output that overlaps an operand, a chain of hundreds, and nothing to sum") {
    // So small a network would be one pass over all three.
    const auto p = make_plan<float>("ij,jk,kl->il", {{4, 4}, {4, 4}, {4, 4}},
                                    {.path = xeinsum::path_strategy::optimal});
    auto operands = operands_of<float>({{4, 4}, {4, 4}, {4, 4}}, 0x1p60);
    const auto expected =
        reference::einsum("ij,jk,kl->il", operands_of<double>({{4, 4}, {4, 4}, {4, 4}}, 0x1p60));
    auto memory = p.make_workspace(xeinsum::may_overlap);
    const std::int64_t exponent =
        p.run_scaled(operands[1], memory, operands[0], operands[1], operands[2]);
    CHECK(same(operands[1], exponent, expected));
    // 2^(300 * 5) * 2^299
    std::vector<std::vector<std::int64_t>> terms;
    for (std::int64_t t = 0; t < 300; ++t) {
        terms.push_back({t, t + 1});
    }
    const auto long_chain =
        make_plan<float>(xeinsum::equation::from_labels(terms, std::vector<std::int64_t>{0, 300}),
                         shapes(300, {2, 2}));
    xt::xarray<float> factor = xt::ones<float>({2, 2});
    factor.fill(32);
    auto space = long_chain.make_workspace();
    xt::xarray<float> out = xt::zeros<float>({2, 2});
    const std::int64_t e =
        long_chain.run_scaled(out, space, std::vector<xt::xarray<float>>(300, factor));
    CHECK(std::log2(out(1, 0)) + static_cast<double>(e) == 300 * 5 + 299);
    const auto empty = make_plan<float>("ij,jk,kl->il", {{4, 0}, {0, 4}, {4, 2}});
    xt::xarray<float> zeros = xt::ones<float>({4, 2});
    auto none = empty.make_workspace();
    CHECK(empty.run_scaled(zeros, none, operands_of<float>({{4, 0}, {0, 4}, {4, 2}})) == 0);
    CHECK(zeros == xt::zeros<float>({4, 2}));
    CHECK(support::code_of([&] { static_cast<void>(p.run_scaled(zeros, memory, operands)); }) ==
          xeinsum::error_code::output_shape);
}
