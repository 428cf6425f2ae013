// The arrays that calls take: those of xtensor, einsum<"ij,jk->ik">(a, b), and memory of others. A
// file that defines XEINSUM_WITHOUT_XTENSOR before it includes the library has the latter only.
#pragma once

#include <xeinsum/array/traits.hpp>
#include <xeinsum/array/view.hpp>

#if !defined(XEINSUM_WITHOUT_XTENSOR)
#include <xeinsum/array/xtensor.hpp>
#endif
