// The library without its kernels: einsum<"ij,jk->ik">(a, b) calls the library xeinsum::compiled,
// which has kernels for several processors and takes the best when the program runs. Elements are
// float, double, complex numbers of both, int32 and int64.
#pragma once

#include <xeinsum/language.hpp>

#if defined(XEINSUM_HAS_KERNELS)
#error "<xeinsum/compiled.hpp> comes before other headers of xeinsum, or they show their kernels"
#endif
#if !defined(XEINSUM_COMPILED)
#define XEINSUM_COMPILED
#endif

#include <xeinsum/dispatch/instances.hpp>
#include <xeinsum/xeinsum.hpp>

#include <complex>
#include <cstdint>
#include <string_view>

namespace xeinsum {

/// The kernels that calls run: "sse2", "avx2" or "avx512", "neon" on 64-bit Arm. The best that the
/// processor and the operating system have, or those that the variable XEINSUM_CPU of the
/// environment names when they are first needed, if they are less. Where it names none of the
/// library's, this and every call throw einsum_error.
[[nodiscard]] std::string_view cpu();

}  // namespace xeinsum

// What the library has.
XEINSUM_INSTANTIATE_EQUATIONS(extern);
XEINSUM_INSTANTIATE_REALS(extern, float);
XEINSUM_INSTANTIATE_REALS(extern, double);
XEINSUM_INSTANTIATE_COMPLEX(extern, std::complex<float>);
XEINSUM_INSTANTIATE_COMPLEX(extern, std::complex<double>);
XEINSUM_INSTANTIATE_INTEGERS(extern, std::int32_t);
XEINSUM_INSTANTIATE_INTEGERS(extern, std::int64_t);
