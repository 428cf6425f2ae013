// The lowerings that compete for a step such as "ij,jk->ik". A new one is a file of its own and a
// name here.
#pragma once

#include <xeinsum/lowering/broadcast_multiply_reduce.hpp>
#include <xeinsum/lowering/depthwise_convolution.hpp>
#include <xeinsum/lowering/gemm.hpp>
#include <xeinsum/plan/choose.hpp>

namespace xeinsum::lowerings {

using all = planning::lowering_list<gemm, broadcast_multiply_reduce, depthwise_convolution>;

}  // namespace xeinsum::lowerings
