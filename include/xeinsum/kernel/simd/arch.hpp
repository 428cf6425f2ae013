// The machines that kernels are compiled for, without their instructions: "ij,jk->ik" on AVX2 is
// planned for 16 registers of 32 bytes.
#pragma once

#include <xeinsum/kernel/simd/numbers.hpp>
#include <xeinsum/tune/core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

// Machines that are not named below are what xsimd takes them for.
#if !defined(__SSE2__) && !defined(__aarch64__)
#include <xsimd/xsimd.hpp>
#endif

namespace xeinsum::kernel {

/// What planners and kernels must know of a machine's vector registers.
template <std::size_t Bytes, std::size_t Count, bool Fuses>
struct registers {
    static constexpr std::size_t register_bytes = Bytes;
    static constexpr std::size_t register_count = Count;  ///< that kernels count on
    /// Whether a * b + c has one rounding, in vectors and in scalars alike.
    static constexpr bool fuses = Fuses;
};

/// Kernels without vector registers.
struct scalar_arch : registers<0, 16, false> {};

// Sets of instructions. They are names in the symbols of kernels, one for each of xsimd's: files
// that are compiled for different ones never define the same function.
struct sse2 : registers<16, 16, false> {};
struct sse3 : registers<16, 16, false> {};
struct ssse3 : registers<16, 16, false> {};
struct sse4_1 : registers<16, 16, false> {};
struct sse4_2 : registers<16, 16, false> {};
struct avx : registers<32, 16, false> {};
struct avx_fma : avx {
    static constexpr bool fuses = true;
};
struct avx2 : avx {};
struct avx2_fma : avx2 {
    static constexpr bool fuses = true;
};
struct avx512f : registers<64, 32, true> {};
struct avx512bw : avx512f {};
struct neon64 : registers<16, 32, true> {};

/// The registers of Machine in cores of which more is known, a struct of tune/core.hpp.
template <class Machine, class Core>
struct tuned : Machine {};

/// Another machine, as xsimd has it.
template <class Machine, std::size_t Bytes>
struct other_machine : registers<Bytes, 16, false> {};

/// The best architecture that this translation unit is compiled for. It is a template argument of
/// every kernel, so that units compiled for different machines never share one.
#if defined(__AVX512BW__)
using native_arch = tuned<avx512bw, tune::native>;
#elif defined(__AVX512F__)
using native_arch = tuned<avx512f, tune::native>;
#elif defined(__AVX2__) && defined(__FMA__)
using native_arch = avx2_fma;
#elif defined(__AVX2__)
using native_arch = avx2;
#elif defined(__AVX__) && defined(__FMA__)
using native_arch = avx_fma;
#elif defined(__AVX__)
using native_arch = avx;
#elif defined(__SSE4_2__)
using native_arch = sse4_2;
#elif defined(__SSE4_1__)
using native_arch = sse4_1;
#elif defined(__SSSE3__)
using native_arch = ssse3;
#elif defined(__SSE3__)
using native_arch = sse3;
#elif defined(__SSE2__)
using native_arch = sse2;
#elif defined(__aarch64__)
using native_arch = neon64;
#elif defined(XSIMD_NO_SUPPORTED_ARCHITECTURE)
using native_arch = scalar_arch;
#else
using native_arch = other_machine<xsimd::default_arch, sizeof(xsimd::batch<float>)>;
#endif

/// Whatever processor a program runs on, in calls whose kernels are chosen for it then: see
/// <xeinsum/compiled.hpp>. Kernels themselves are never of it.
struct any_cpu : registers<0, 16, false> {};
template <class Arch>
concept chosen_at_run_time = std::is_same_v<Arch, any_cpu>;
template <class Arch>
concept compiled_here = !chosen_at_run_time<Arch>;

/// What all processors have that a program for this one may run on.
#if defined(__SSE2__)
using least_arch = sse2;
#else
using least_arch = native_arch;
#endif

/// Registers of so many bytes on a machine whose own are wider, with its arithmetic. The machine is
/// part of the type, as an architecture of its own with such registers lacks it.
template <class Machine, std::size_t Bytes>
struct narrowed : registers<Bytes, 16, Machine::fuses> {};

/// The architecture itself, without the narrowing.
template <class Arch>
struct widest {
    using type = Arch;
};
template <class Machine, std::size_t Bytes>
struct widest<narrowed<Machine, Bytes>> {
    using type = Machine;
};

/// What was measured of its cores; whether that is known when kernels are compiled, and is that
/// they multiply whole registers at once.
template <class Arch>
struct cores {
    [[nodiscard]] static constexpr tune::core measured() noexcept { return {}; }
    static constexpr bool are_known = true;
    static constexpr bool multiply_whole_registers = false;
};
template <class Machine, class Core>
struct cores<tuned<Machine, Core>> {
    [[nodiscard]] static constexpr tune::core measured() noexcept { return Core::measured; }
    static constexpr bool are_known = true;
    static constexpr bool multiply_whole_registers = Core::measured.multiplies_whole_registers;
};
template <class Machine>
struct cores<tuned<Machine, tune::detected>> {
    [[nodiscard]] static const tune::core& measured() noexcept { return tune::detected::measured; }
    static constexpr bool are_known = false;
    static constexpr bool multiply_whole_registers = false;  // they suit the others as well
};
template <class Machine, std::size_t Bytes>
struct cores<narrowed<Machine, Bytes>> : cores<Machine> {};

/// The same arithmetic in registers of half the width; Arch itself where there are none.
template <class Arch>
struct narrower {
    using type = Arch;
};
template <class Arch>
    requires(std::is_base_of_v<avx, Arch>)
struct narrower<Arch> {
    using type = narrowed<Arch, 16>;
};
template <class Arch>
    requires(std::is_base_of_v<avx512f, Arch>)
struct narrower<Arch> {
    using type = narrowed<Arch, 32>;
};
template <class Machine>
struct narrower<narrowed<Machine, 32>> {
    using type = narrowed<Machine, 16>;
};
template <class Arch>
using narrower_t = typename narrower<Arch>::type;

/// The narrowest registers with that arithmetic.
template <class Arch>
struct narrowest {
    using type = typename narrowest<narrower_t<Arch>>::type;
};
template <class Arch>
    requires(std::is_same_v<narrower_t<Arch>, Arch>)
struct narrowest<Arch> {
    using type = Arch;
};
template <class Arch>
using narrowest_t = typename narrowest<Arch>::type;

template <class Arch>
inline constexpr bool has_fused_multiply_add = Arch::fuses;
/// Vector registers of the architecture that kernels count on.
template <class Arch>
inline constexpr std::size_t register_count = Arch::register_count;

/// Whether vectors of T exist. Vectors of 64-bit integers have no multiplication before AVX-512DQ:
/// they stay scalar.
template <class T, class Arch>
[[nodiscard]] constexpr bool has_vectors() noexcept {
    using real = real_of_t<T>;
    return Arch::register_bytes != 0 &&
           (std::is_same_v<real, float> || std::is_same_v<real, double> ||
            std::is_same_v<T, std::uint32_t>);
}

/// Elements in a vector register. A complex one is two registers, of real and of imaginary parts.
template <class T, class Arch>
inline constexpr std::size_t lanes_of = has_vectors<T, Arch>()
                                            ? Arch::register_bytes / sizeof(real_of_t<T>)
                                            : 1;

}  // namespace xeinsum::kernel
