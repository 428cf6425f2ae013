#include <xeinsum/kernel/reduce/sum_lines.hpp>

#include "../../support/instances.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

/// Extents around registers, around eight of them, and around blocks of one chain, two and four.
template <class T, class Arch>
std::vector<std::size_t> extents() {
    constexpr std::size_t lanes = xeinsum::kernel::simd<T, Arch>::lanes;
    std::vector<std::size_t> all;
    for (std::size_t n = 1; n <= 9 * lanes; ++n) {
        all.push_back(n);
    }
    for (const std::size_t chains : {1U, 2U, 4U}) {
        const std::size_t block = 64 * chains * lanes;
        all.insert(all.end(), {block - 1, block, block + 1, block + 9 * lanes + 1, 3 * block});
    }
    return all;
}

template <class T>
T product_sum(const T* a, const T* b, std::size_t count) {
    T sum(0);
    for (std::size_t i = 0; i < count; ++i) {
        sum += a[i] * b[i];
    }
    return sum;
}

}  // namespace

TEST_CASE_TEMPLATE("a dot product of every length", I,
                   support::instance<float, support::native_arch>,
                   support::instance<double, support::native_arch>,
                   support::instance<std::uint32_t, support::native_arch>,
                   support::instance<std::complex<float>, support::native_arch>,
                   support::instance<float, support::baseline_arch>) {
    using T = typename I::type;
    for (const std::size_t n : extents<T, typename I::arch>()) {
        // Exactly as long as they are, so that a read behind the end is seen.
        const auto a = support::small_numbers<T>(n, 5);
        const auto b = support::small_numbers<T>(n, 300);
        const T found = xeinsum::kernel::dot<T, typename I::arch>(a.data(), b.data(),
                                                                  static_cast<std::int64_t>(n));
        CAPTURE(n);
        CHECK(found == product_sum(a.data(), b.data(), n));
    }
}

namespace {

/// Rows lines in so many chains each, of every length.
template <class I, std::size_t Rows, std::size_t Chains>
void check_rows() {
    using T = typename I::type;
    using lines = xeinsum::kernel::sum_lines<T, typename I::arch, Rows, Chains>;
    using simd_type = typename lines::simd_type;
    for (const std::size_t n : extents<T, typename I::arch>()) {
        const auto a = support::small_numbers<T>(Rows * n, 7);
        const auto b = support::small_numbers<T>(n, 90);
        typename lines::reg sums[Rows];
        lines::of(
            static_cast<std::int64_t>(n),
            [&](const auto& sum, std::size_t r, std::int64_t x) {
                return simd_type::mul_add(simd_type::load(a.data() + r * n + x),
                                          simd_type::load(b.data() + x), sum);
            },
            [&](const auto& sum, std::size_t r, std::int64_t x) {
                const std::size_t left = n - static_cast<std::size_t>(x);
                return simd_type::mul_add(simd_type::load_part(a.data() + r * n + x, left),
                                          simd_type::load_part(b.data() + x, left), sum);
            },
            sums);
        CAPTURE(n);
        for (std::size_t r = 0; r < Rows; ++r) {
            CHECK(simd_type::sum(sums[r]) == product_sum(a.data() + r * n, b.data(), n));
        }
    }
}

}  // namespace

TEST_CASE_TEMPLATE("lines that are read together keep their sums apart", I,
                   support::instance<float, support::native_arch>,
                   support::instance<double, support::native_arch>,
                   support::instance<float, support::baseline_arch>) {
    check_rows<I, 8, 1>();
    check_rows<I, 4, 1>();
    check_rows<I, 1, 2>();
    check_rows<I, 1, 4>();
    check_rows<I, 3, 2>();
}

TEST_CASE("many equal terms are off by a few roundings, not by one for each") {
    // 0.1 has no end in binary; a plain sum of so many is off by thousands of roundings.
    constexpr std::int64_t count = std::int64_t{1} << 22U;
    const std::vector<float> tenths(count, 0.1F);
    const std::vector<float> ones(count, 1.0F);
    const float found =
        xeinsum::kernel::dot<float, support::native_arch>(tenths.data(), ones.data(), count);
    const double expected = static_cast<double>(0.1F) * static_cast<double>(count);
    CHECK(std::abs(static_cast<double>(found) - expected) < 22 * 6e-8 * expected);
}
