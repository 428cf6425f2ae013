// The lowerings that compete for a step such as "ij,jk->ik". A new one is a file of its own and a
// name here.
#pragma once

#include <xeinsum/lowering/depthwise/decide.hpp>
#include <xeinsum/lowering/gemm/decide.hpp>
#include <xeinsum/lowering/nest/decide.hpp>
#include <xeinsum/plan/step/choose.hpp>

namespace xeinsum::lowerings {

using all = planning::lowering_list<gemm, broadcast_multiply_reduce, depthwise_convolution>;

}  // namespace xeinsum::lowerings
