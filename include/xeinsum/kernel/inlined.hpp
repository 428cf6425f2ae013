// Kernels that calls known to the compiler have inlined, declared for calls that may have them
// elsewhere: the multiply-adds of "ij,jk->ik" on xtensor_fixed.
#pragma once

#include <xeinsum/kernel/gemm/gemm_groups.hpp>
#include <xeinsum/kernel/scaling.hpp>

#include <cstddef>

namespace xeinsum::kernel {

template <class T, class Arch, std::size_t Inputs, std::size_t Outputs, std::size_t Sums>
class small_nest;

template <class T, class Arch, small_shape Shape>
void fixed_gemm(const T* lhs, const T* rhs, T* out, const scaling<T>& scale);

}  // namespace xeinsum::kernel
