// The architecture of calls that name none: einsum<"ij,jk->ik">(a, b) runs on that of its file.
#pragma once

#include <xeinsum/kernel/simd/arch.hpp>

namespace xeinsum::detail {

// <xeinsum/compiled.hpp> says so.
#if defined(XEINSUM_COMPILED)
using default_arch = kernel::any_cpu;
#else
using default_arch = kernel::native_arch;
#endif

}  // namespace xeinsum::detail
