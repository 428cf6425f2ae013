// The kernel instances that tests run: element types on every architecture that this machine's
// compiler flags allow, so that "ij,jk->ik" is tested in registers of one, four and eight floats.
#pragma once

#include <xeinsum/kernel/simd/simd.hpp>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace support {

template <class T, class Arch>
struct instance {
    using type = T;
    using arch = Arch;
    static constexpr auto lanes = static_cast<std::int64_t>(xeinsum::kernel::simd<T, Arch>::lanes);
};

#if defined(__x86_64__)
using baseline_arch = xeinsum::kernel::sse2;
#else
using baseline_arch = xeinsum::kernel::native_arch;
#endif
using native_arch = xeinsum::kernel::native_arch;
using scalar_arch = xeinsum::kernel::scalar_arch;

/// Element n of a test array: small integers, different from their neighbours, so that sums are
/// exact in every type.
template <class T>
[[nodiscard]] T small_number(std::size_t n) {
    const auto re = static_cast<int>((n * 7 + 3) % 11) - 5;
    if constexpr (std::is_arithmetic_v<T>) {
        return static_cast<T>(re);
    } else {
        using real = typename T::value_type;
        return {static_cast<real>(re), static_cast<real>(static_cast<int>((n * 5 + 1) % 7) - 3)};
    }
}

template <class T>
[[nodiscard]] std::vector<T> small_numbers(std::size_t count, std::size_t first = 0) {
    std::vector<T> numbers(count);
    for (std::size_t n = 0; n < count; ++n) {
        numbers[n] = small_number<T>(first + n);
    }
    return numbers;
}

}  // namespace support

/// For TEST_CASE_TEMPLATE: every element type that kernels compute with on every architecture.
#define SUPPORT_ALL_INSTANCES                                            \
    support::instance<float, support::native_arch>,                      \
        support::instance<double, support::native_arch>,                 \
        support::instance<std::complex<float>, support::native_arch>,    \
        support::instance<std::complex<double>, support::native_arch>,   \
        support::instance<std::uint32_t, support::native_arch>,          \
        support::instance<std::uint64_t, support::native_arch>,          \
        support::instance<float, support::baseline_arch>,                \
        support::instance<std::complex<double>, support::baseline_arch>, \
        support::instance<double, support::scalar_arch>

/// Those of real numbers that are not integers, widest and narrowest.
#define SUPPORT_FLOATING_INSTANCES                        \
    support::instance<float, support::native_arch>,       \
        support::instance<double, support::native_arch>,  \
        support::instance<float, support::baseline_arch>, \
        support::instance<double, support::baseline_arch>

/// The narrower registers of this machine, and its narrowest.
#define SUPPORT_NARROW_INSTANCES                                                      \
    support::instance<float, xeinsum::kernel::narrower_t<support::native_arch>>,      \
        support::instance<double, xeinsum::kernel::narrower_t<support::native_arch>>, \
        support::instance<float, xeinsum::kernel::narrowest_t<support::native_arch>>

/// Those that small products are made of.
#define SUPPORT_ALL_REAL_INSTANCES                                                        \
    support::instance<float, support::native_arch>,                                       \
        support::instance<double, support::native_arch>,                                  \
        support::instance<std::uint32_t, support::native_arch>, SUPPORT_NARROW_INSTANCES, \
        support::instance<float, support::baseline_arch>
