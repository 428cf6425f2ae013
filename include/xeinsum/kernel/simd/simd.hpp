// The one place that names xsimd: registers of an element type and the operations kernels need,
// each with one meaning on every architecture. A kernel for "i,i->" is simd<float, Arch>::mul_add
// in a loop and simd<float, Arch>::sum at its end.
#pragma once

#include <xeinsum/kernel/simd/arch.hpp>
#include <xeinsum/kernel/simd/lane_masks.hpp>
#include <xeinsum/kernel/simd/numbers.hpp>

#include <xsimd/xsimd.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <type_traits>
#include <utility>

namespace xeinsum::kernel {

template <class Arch>
struct xsimd_arch {
    using type = Arch;
};
/// The architecture that xsimd has for the registers of Arch.
template <class Arch>
struct register_arch;
template <class Machine, class Core>
struct register_arch<tuned<Machine, Core>> : register_arch<Machine> {};
template <class Machine, std::size_t Bytes>
struct register_arch<other_machine<Machine, Bytes>> : xsimd_arch<Machine> {};
template <>
struct register_arch<neon64> : xsimd_arch<xsimd::neon64> {};
template <>
struct register_arch<sse2> : xsimd_arch<xsimd::sse2> {};
template <>
struct register_arch<sse3> : xsimd_arch<xsimd::sse3> {};
template <>
struct register_arch<ssse3> : xsimd_arch<xsimd::ssse3> {};
template <>
struct register_arch<sse4_1> : xsimd_arch<xsimd::sse4_1> {};
template <>
struct register_arch<sse4_2> : xsimd_arch<xsimd::sse4_2> {};
template <>
struct register_arch<avx> : xsimd_arch<xsimd::avx> {};
template <>
struct register_arch<avx_fma> : xsimd_arch<xsimd::fma3<xsimd::avx>> {};
template <>
struct register_arch<avx2> : xsimd_arch<xsimd::avx2> {};
template <>
struct register_arch<avx2_fma> : xsimd_arch<xsimd::fma3<xsimd::avx2>> {};
template <>
struct register_arch<avx512f> : xsimd_arch<xsimd::avx512f> {};
template <>
struct register_arch<avx512bw> : xsimd_arch<xsimd::avx512bw> {};
template <class Machine>
struct register_arch<narrowed<Machine, 16>> : xsimd_arch<xsimd::sse4_2> {};
template <class Machine>
struct register_arch<narrowed<Machine, 32>> : xsimd_arch<xsimd::avx2> {};

/// An output that has so many bytes together with the inputs does not stay in the last cache, and
/// is better written around it.
inline constexpr std::size_t streamed_bytes = std::size_t{20} << 20U;

/// Of so many rows that follow each other, and fill a part of a register each, those that may be
/// put as whole registers: the rows behind them go over their ends.
[[nodiscard]] constexpr std::int64_t rows_put_whole(std::int64_t rows, std::int64_t extent,
                                                    std::int64_t lanes) noexcept {
    return rows - (lanes - 1) / extent;
}

/// One element in the shape of a register, for types and machines without vectors.
template <class T, class Arch, bool Vectors = has_vectors<T, Arch>()>
struct simd {
    using type = T;
    static constexpr std::size_t lanes = 1;
    static constexpr bool has_lane_masks = false;
    static constexpr bool loads_by_mask = false;

    [[nodiscard]] static type load(const T* from) { return *from; }
    static void store(T* to, const type& x) { *to = x; }
    [[nodiscard]] static bool can_stream(const T*) { return false; }
    static void stream(T* to, const type& x) { *to = x; }
    static constexpr bool streams_parts = false;
    [[nodiscard]] static bool can_stream_parts(const T*) { return false; }
    static void stream_parts(T* to, const type& x) { *to = x; }
    static void end_stream() {}
    [[nodiscard]] static type load_part(const T* from, std::size_t) { return *from; }
    [[nodiscard]] static type keep_part(const type& x, std::size_t) { return x; }
    static void store_part(T* to, const type& x, std::size_t) { *to = x; }
    [[nodiscard]] static type held(const type& x) { return x; }
    [[nodiscard]] static type set(const T& x) { return x; }
    [[nodiscard]] static type zero() { return T(0); }
    [[nodiscard]] static type add(const type& a, const type& b) { return static_cast<T>(a + b); }
    [[nodiscard]] static type mul(const type& a, const type& b) { return scalar_mul(a, b); }
    [[nodiscard]] static type mul_add(const type& a, const type& b, const type& c) {
        return scalar_mul_add<Arch>(a, b, c);
    }
    [[nodiscard]] static T sum(const type& x) { return x; }

    // Written without a branch, so that loops over them become vectors.
    [[nodiscard]] static type least(const type& a, const type& b) {
        return either(b < a, !(b == b)) ? b : a;
    }
    [[nodiscard]] static type greatest(const type& a, const type& b) {
        return either(a < b, !(b == b)) ? b : a;
    }
    [[nodiscard]] static type gather(const T* from, std::int64_t, std::size_t) { return *from; }
    [[nodiscard]] static type load_every_second(const T* from) { return *from; }

private:
    [[nodiscard]] static bool either(bool a, bool b) {
        return (static_cast<unsigned>(a) | static_cast<unsigned>(b)) != 0;
    }
};

/// A vector register.
template <class T, class Arch>
struct simd<T, Arch, true> {
    using type = xsimd::batch<T, typename register_arch<Arch>::type>;
    static constexpr std::size_t lanes = lanes_of<T, Arch>;
    static_assert(lanes == type::size);

    /// Whether a part of a register costs what a whole one does.
#if defined(__AVX512VL__)
    static constexpr bool has_lane_masks =
        !is_complex_v<T> && std::is_base_of_v<avx512f, typename widest<Arch>::type> &&
        sizeof(T) * lanes >= 32;
#else
    static constexpr bool has_lane_masks = false;
#endif
    /// Whether load_part reads through a mask.
#if defined(__AVX2__)
    static constexpr bool loads_by_mask =
        has_lane_masks || (std::is_floating_point_v<T> && sizeof(T) * lanes == 32);
#else
    static constexpr bool loads_by_mask = false;
#endif

    [[nodiscard]] static type load(const T* from) {
        if constexpr (is_complex_v<T>) {
            using part = simd<real_of_t<T>, Arch>;
            const auto* reals = reinterpret_cast<const real_of_t<T>*>(from);
            return unzip(part::load(reals), part::load(reals + lanes),
                         std::make_index_sequence<lanes>());
        } else {
            return type::load_unaligned(from);
        }
    }
    static void store(T* to, const type& x) {
        if constexpr (is_complex_v<T>) {
            zip(reinterpret_cast<real_of_t<T>*>(to), x, std::make_index_sequence<lanes>());
        } else {
            x.store_unaligned(to);
        }
    }

#if defined(__AVX__)
    static constexpr bool streams_parts = !is_complex_v<T> && sizeof(T) * lanes == 32;
#else
    static constexpr bool streams_parts = false;
#endif

    /// Whether stream() can write to this address and those whole registers after it, and soon
    /// enough: where registers lie over the ends of cache lines, lines leave before they are
    /// complete.
    [[nodiscard]] static bool can_stream(const T* to) {
#if defined(__SSE2__)
        constexpr std::size_t half_line = 32;
        constexpr std::size_t bytes = sizeof(typename simd<real_of_t<T>, Arch>::type);
        return reinterpret_cast<std::uintptr_t>(to) % std::max(bytes, half_line) == 0;
#else
        static_cast<void>(to);
        return false;
#endif
    }
    /// Writes a register to memory by non-temporal stores, to a multiple of the size of a register
    /// of real numbers. Others may read it after end_stream().
    static void stream(T* to, const type& x) {
        if constexpr (is_complex_v<T>) {
            T lane[lanes];
            store(lane, x);
            using part = simd<real_of_t<T>, Arch>;
            const auto* reals = reinterpret_cast<const real_of_t<T>*>(lane);
            auto* real_to = reinterpret_cast<real_of_t<T>*>(to);
            part::stream(real_to, part::load(reals));
            part::stream(real_to + lanes, part::load(reals + lanes));
#if defined(__AVX512F__)
        } else if constexpr (sizeof(type) == 64) {
            _mm512_stream_si512(reinterpret_cast<__m512i*>(to),
                                __builtin_bit_cast(__m512i, x.data));
#endif
#if defined(__AVX__)
        } else if constexpr (sizeof(type) == 32) {
            _mm256_stream_si256(reinterpret_cast<__m256i*>(to),
                                __builtin_bit_cast(__m256i, x.data));
#endif
#if defined(__SSE2__)
        } else if constexpr (sizeof(type) == 16) {
            _mm_stream_si128(reinterpret_cast<__m128i*>(to), __builtin_bit_cast(__m128i, x.data));
#endif
        } else {
            store(to, x);
        }
    }
    /// The same in parts of 16 bytes, to a multiple of 16: malloc() puts large arrays 16 bytes
    /// into a line. Where a register is a line, it would be too many.
    static void stream_parts(T* to, const type& x) {
#if defined(__AVX__)
        if constexpr (streams_parts) {
            const auto bits = __builtin_bit_cast(__m256i, x.data);
            auto* const half = reinterpret_cast<__m128i*>(to);
            _mm_stream_si128(half, _mm256_castsi256_si128(bits));
            _mm_stream_si128(half + 1, _mm256_extractf128_si256(bits, 1));
            return;
        }
#endif
        store(to, x);
    }
    [[nodiscard]] static bool can_stream_parts(const T* to) {
        return streams_parts && reinterpret_cast<std::uintptr_t>(to) % 16 == 0;
    }
    static void end_stream() {
#if defined(__SSE2__)
        _mm_sfence();
#endif
    }

    /// The first count lanes from memory, the others 0; reads nothing beyond them.
    [[nodiscard]] static type load_part(const T* from, std::size_t count) {
#if defined(__AVX512VL__)
        if constexpr (has_lane_masks) {
            return masks::load(from, masks::first(count));
        }
#endif
#if defined(__AVX2__)
        if constexpr (has_masks && std::is_same_v<T, float>) {
            return type(_mm256_maskload_ps(from, mask_of(count)));
        } else if constexpr (has_masks && std::is_same_v<T, double>) {
            return type(_mm256_maskload_pd(from, mask_of(count)));
        }
#endif
#if defined(__SSE2__)
        if constexpr (has_quarters) {
            const __m128 pair = count < 2 ? _mm_load_ss(from) : load_pair(from);
            return type(count == 3 ? _mm_movelh_ps(pair, _mm_load_ss(from + 2))
                                   : (count == 4 ? _mm_loadu_ps(from) : pair));
        }
#endif
        T lane[lanes]{};
        for (std::size_t i = 0; i < count; ++i) {
            lane[i] = from[i];
        }
        return load(lane);
    }
    /// The first count lanes, the others 0 whatever they were.
    [[nodiscard]] static type keep_part(const type& x, std::size_t count) {
#if defined(__AVX512VL__)
        if constexpr (has_lane_masks) {
            return masks::keep(x, masks::first(count));
        }
#endif
#if defined(__AVX2__)
        if constexpr (has_masks && std::is_same_v<T, float>) {
            return type(_mm256_and_ps(x, _mm256_castsi256_ps(mask_of(count))));
        } else if constexpr (has_masks && std::is_same_v<T, double>) {
            return type(_mm256_and_pd(x, _mm256_castsi256_pd(mask_of(count))));
        }
#endif
        T lane[lanes];
        store(lane, x);
        return load_part(lane, count);
    }
    /// The first count lanes to memory; writes nothing beyond them.
    static void store_part(T* to, const type& x, std::size_t count) {
#if defined(__AVX512VL__)
        if constexpr (has_lane_masks) {
            masks::store(to, x, masks::first(count));
            return;
        }
#endif
#if defined(__AVX2__)
        if constexpr (has_masks && std::is_same_v<T, float>) {
            store_halves(to, _mm256_castps256_ps128(x), _mm256_extractf128_ps(x, 1), count);
            return;
        } else if constexpr (has_masks && std::is_same_v<T, double>) {
            store_halves(to, _mm256_castpd256_pd128(x), _mm256_extractf128_pd(x, 1), count);
            return;
        }
#endif
#if defined(__SSE2__)
        if constexpr (has_quarters) {
            if (count >= 2) {
                _mm_storel_pi(reinterpret_cast<__m64*>(to), x);
            }
            if (count == 4) {
                _mm_storeh_pi(reinterpret_cast<__m64*>(to + 2), x);
            } else if (count != 2) {
                _mm_store_ss(to + count - 1, count == 3 ? _mm_movehl_ps(x, x) : __m128(x));
            }
            return;
        }
        if constexpr (std::is_same_v<T, double> && lanes == 2) {
            if (count == lanes) {
                store(to, x);
            } else {
                _mm_store_sd(to, x);
            }
            return;
        }
#endif
        T lane[lanes];
        store(lane, x);
        for (std::size_t i = 0; i < count; ++i) {
            to[i] = lane[i];
        }
    }

    /// The same in a register. g++ 12 reads what several multiply-adds use from memory for each of
    /// them, as long as it may: 12 loads where 3 would do.
    [[nodiscard]] static type held(const type& x) {
#if defined(__SSE2__)
        if constexpr (!is_complex_v<T>) {
            auto value = x.data;
            asm("" : "+v"(value));
            return type(value);
        }
#endif
        return x;
    }

    [[nodiscard]] static type set(const T& x) {
        return type(x);
    }
    [[nodiscard]] static type zero() {
        return type(T(0));
    }
    [[nodiscard]] static type add(const type& a, const type& b) {
        return a + b;
    }

    [[nodiscard]] static type mul(const type& a, const type& b) {
        if constexpr (is_complex_v<T>) {
            return type(a.real() * b.real() - a.imag() * b.imag(),
                        a.real() * b.imag() + a.imag() * b.real());
        } else {
            return a * b;
        }
    }

    [[nodiscard]] static type mul_add(const type& a, const type& b, const type& c) {
        if constexpr (is_complex_v<T>) {
            using real = simd<real_of_t<T>, Arch>;
            return type(
                real::mul_add(a.real(), b.real(), real::mul_add(-a.imag(), b.imag(), c.real())),
                real::mul_add(a.real(), b.imag(), real::mul_add(a.imag(), b.real(), c.imag())));
        } else {
            return real_mul_add(a, b, c);
        }
    }

    // xsimd 8 finds NaN equal to itself where it is prefetched !=, but not where it is for ==.
    /// The lesser of each two lanes, or NaN if one is.
    [[nodiscard]] static type least(const type& a, const type& b) {
        return xsimd::select((b < a) | !(b == b), b, a);
    }
    /// The greater of each two lanes, or NaN if one is.
    [[nodiscard]] static type greatest(const type& a, const type& b) {
        return xsimd::select((a < b) | !(b == b), b, a);
    }

    /// The first count elements that are stride apart in memory, the other lanes 0. Whole registers
    /// are put together in registers: read from memory just after its elements were written there
    /// one by one, one would wait for all of them.
    [[nodiscard]] static type gather(const T* from, std::int64_t stride, std::size_t count) {
        if constexpr (std::is_floating_point_v<T>) {
            if (count == lanes) {
                return gather(from, stride, std::make_index_sequence<lanes>());
            }
        }
        T lane[lanes]{};
        for (std::size_t i = 0; i < count; ++i) {
            lane[i] = from[static_cast<std::int64_t>(i) * stride];
        }
        return load(lane);
    }

    /// Elements 0, 2, 4 ... from memory; reads nothing beyond the last of them.
    [[nodiscard]] static type load_every_second(const T* from) {
        if constexpr (!std::is_floating_point_v<T>) {
            return gather(from, 2, lanes);
        } else {
            return every_second(load(from), load(from + lanes - 1),
                                std::make_index_sequence<lanes>());
        }
    }

    /// All lanes added up: neighbours, then pairs of them and so on, as lane_sums adds them.
    [[nodiscard]] static T sum(const type& x) {
        if constexpr (is_complex_v<T>) {
            using real = simd<real_of_t<T>, Arch>;
            return T(real::sum(x.real()), real::sum(x.imag()));
        } else if constexpr (std::is_floating_point_v<T>) {
            return fold<1>(x.data, std::make_index_sequence<lanes>());
        } else {
            T lane[lanes];
            store(lane, x);
            return std::accumulate(lane, lane + lanes, T(0));
        }
    }

private:
    template <std::size_t... I>
    [[nodiscard]] static type gather(const T* from, std::int64_t stride,
                                     std::index_sequence<I...>) {
        return type(typename type::register_type{from[static_cast<std::int64_t>(I) * stride]...});
    }

#if defined(__AVX512VL__)
    using masks = lane_masks<type, sizeof(T)>;
#endif
#if defined(__AVX2__)
    // Registers of 32 bytes can leave lanes out; xsimd 8 does not offer it.
    static constexpr bool has_masks = sizeof(T) * lanes == 32;

    /// Stores parts of registers: a masked store takes Zen some dozen cycles. By value: where g++
    /// does not inline it, halves stay in registers, 0.3 of the time for rows of two. Always
    /// inlined it would take 1.45 of the time for short planes of rows of three.
    template <class Half>
    static void store_halves(T* to, Half low, Half high, std::size_t count) {
        using half = simd<T, narrower_t<Arch>>;
        if (count > half::lanes) {
            half::store(to, low);
            half::store_part(to + half::lanes, high, count - half::lanes);
        } else {
            half::store_part(to, low, count);
        }
    }

    /// All bits set in the first count lanes.
    [[nodiscard]] static __m256i mask_of(std::size_t count) {
        static constexpr std::int32_t bits[16]{-1, -1, -1, -1, -1, -1, -1, -1};
        const std::int32_t* from = bits + 8 - count * sizeof(T) / sizeof(std::int32_t);
        return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
    }
#endif
#if defined(__SSE2__)
    // Four floats go in parts of two and one.
    static constexpr bool has_quarters = std::is_same_v<T, float> && lanes == 4;

    [[nodiscard]] static __m128 load_pair(const float* from) {
        return _mm_loadl_pi(_mm_setzero_ps(), reinterpret_cast<const __m64*>(from));
    }
#endif

    /// Each lane with that a span away, then with those two spans away, until the first has all.
    /// xsimd's own sum reads registers that it has not set, as below.
    template <std::size_t Span, class Lanes, std::size_t... I>
    [[nodiscard]] static T fold(const Lanes& x, std::index_sequence<I...> all) {
        if constexpr (Span == sizeof...(I)) {
            return x[0];
        } else {
            return fold<2 * Span>(x + __builtin_shufflevector(x, x, (I ^ Span)...), all);
        }
    }

    /// The even lanes of low and the odd ones of high.
    template <std::size_t... I>
    [[nodiscard]] static type every_second(const type& low, const type& high,
                                           std::index_sequence<I...>) {
        return type(
            __builtin_shufflevector(low.data, high.data, (I < lanes / 2 ? 2 * I : 2 * I + 1)...));
    }

    // Complex numbers lie as pairs in memory, and as two registers of parts here. xsimd's own way
    // reads registers that it has not set, for which g++ warns the user.

    template <class Real, std::size_t... I>
    [[nodiscard]] static type unzip(const Real& low, const Real& high, std::index_sequence<I...>) {
        return type(Real(__builtin_shufflevector(low.data, high.data, (2 * I)...)),
                    Real(__builtin_shufflevector(low.data, high.data, (2 * I + 1)...)));
    }
    template <std::size_t... I>
    static void zip(real_of_t<T>* to, const type& x, std::index_sequence<I...>) {
        using part = simd<real_of_t<T>, Arch>;
        using real = typename part::type;
        const real re = x.real();
        const real im = x.imag();
        part::store(to,
                    real(__builtin_shufflevector(re.data, im.data, (I / 2 + I % 2 * lanes)...)));
        part::store(to + lanes, real(__builtin_shufflevector(
                                    re.data, im.data, ((I + lanes) / 2 + I % 2 * lanes)...)));
    }

    [[nodiscard]] static type real_mul_add(const type& a, const type& b, const type& c) {
#if defined(__AVX512F__)
        // xsimd before 11 multiplies and adds here, with two roundings unless the compiler fuses.
        if constexpr (std::is_base_of_v<avx512f, Arch> && std::is_same_v<T, float>) {
            return _mm512_fmadd_ps(a, b, c);
        } else if constexpr (std::is_base_of_v<avx512f, Arch> && std::is_same_v<T, double>) {
            return _mm512_fmadd_pd(a, b, c);
        }
#endif
#if defined(__FMA__)
        // xsimd fuses in the widest registers of a machine only.
        constexpr bool fuses = has_fused_multiply_add<Arch>;
        if constexpr (fuses && std::is_same_v<type, xsimd::batch<float, xsimd::sse4_2>>) {
            return _mm_fmadd_ps(a, b, c);
        } else if constexpr (fuses && std::is_same_v<type, xsimd::batch<double, xsimd::sse4_2>>) {
            return _mm_fmadd_pd(a, b, c);
        } else if constexpr (fuses && std::is_same_v<type, xsimd::batch<float, xsimd::avx2>>) {
            return _mm256_fmadd_ps(a, b, c);
        } else if constexpr (fuses && std::is_same_v<type, xsimd::batch<double, xsimd::avx2>>) {
            return _mm256_fmadd_pd(a, b, c);
        }
#endif
        if constexpr (std::is_floating_point_v<T> && has_fused_multiply_add<Arch>) {
            return xsimd::fma(a, b, c);
        } else {
            return a * b + c;
        }
    }
};

/// Whether narrower registers than those of Arch, which exist, suit a line so short: one that fills
/// no register, or, where a part of one costs what all of it does, at most half of one.
template <class T, class Arch>
[[nodiscard]] constexpr bool prefers_narrower(std::int64_t extent) noexcept {
    constexpr auto lanes = static_cast<std::int64_t>(simd<T, Arch>::lanes);
    return simd<T, Arch>::has_lane_masks ? 2 * extent <= lanes : extent < lanes;
}

}  // namespace xeinsum::kernel
