// The library without its kernels and without xtensor, for programs that have tensors of their own:
// einsum_to<"ij,jk->ik">(view{c, {2, 4}}, view{a, {2, 3}}, view{b, {3, 4}}). Calls that return an
// array and the reference are not there.
#pragma once

#if !defined(XEINSUM_WITHOUT_XTENSOR)
#define XEINSUM_WITHOUT_XTENSOR
#endif

#include <xeinsum/compiled.hpp>
