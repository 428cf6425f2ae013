// Parts of AVX-512's registers: of the 5 columns of "bij,bjk->bik" with floats, five lanes of eight
// are read and written, in one instruction each.
#pragma once

#include <cstddef>
#include <type_traits>

#if defined(__AVX512VL__)
#include <immintrin.h>
#endif

namespace xeinsum::kernel {

#if defined(__AVX512VL__)
/// Registers of 32 and 64 bytes leave out lanes of 4 or 8 bytes by masks, whatever the lanes hold.
template <class Register, std::size_t LaneBytes>
struct lane_masks {
    using mask = std::conditional_t<sizeof(Register) == 16 * LaneBytes, __mmask16, __mmask8>;

    [[nodiscard]] static mask first(std::size_t count) {
        return static_cast<mask>((1U << count) - 1U);
    }
    [[nodiscard]] static Register load(const void* from, mask m) {
        if constexpr (sizeof(Register) == 64 && LaneBytes == 4) {
            return as_register(_mm512_maskz_loadu_epi32(m, from));
        } else if constexpr (sizeof(Register) == 64) {
            return as_register(_mm512_maskz_loadu_epi64(m, from));
        } else if constexpr (LaneBytes == 4) {
            return as_register(_mm256_maskz_loadu_epi32(m, from));
        } else {
            return as_register(_mm256_maskz_loadu_epi64(m, from));
        }
    }
    [[nodiscard]] static Register keep(const Register& x, mask m) {
        if constexpr (sizeof(Register) == 64 && LaneBytes == 4) {
            return as_register(_mm512_maskz_mov_epi32(m, __builtin_bit_cast(__m512i, x.data)));
        } else if constexpr (sizeof(Register) == 64) {
            return as_register(_mm512_maskz_mov_epi64(m, __builtin_bit_cast(__m512i, x.data)));
        } else if constexpr (LaneBytes == 4) {
            return as_register(_mm256_maskz_mov_epi32(m, __builtin_bit_cast(__m256i, x.data)));
        } else {
            return as_register(_mm256_maskz_mov_epi64(m, __builtin_bit_cast(__m256i, x.data)));
        }
    }
    static void store(void* to, const Register& x, mask m) {
        if constexpr (sizeof(Register) == 64 && LaneBytes == 4) {
            _mm512_mask_storeu_epi32(to, m, __builtin_bit_cast(__m512i, x.data));
        } else if constexpr (sizeof(Register) == 64) {
            _mm512_mask_storeu_epi64(to, m, __builtin_bit_cast(__m512i, x.data));
        } else if constexpr (LaneBytes == 4) {
            _mm256_mask_storeu_epi32(to, m, __builtin_bit_cast(__m256i, x.data));
        } else {
            _mm256_mask_storeu_epi64(to, m, __builtin_bit_cast(__m256i, x.data));
        }
    }

private:
    [[nodiscard]] static Register as_register(const auto& x) {
        return Register(__builtin_bit_cast(decltype(Register::data), x));
    }
};
#endif

}  // namespace xeinsum::kernel
