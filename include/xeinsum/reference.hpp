// What tests compare with: reference::einsum("ij,jk->ik", a, b) by plain loops, and
// reference::bound, the largest error of a correct result. Needs no kernels.
#pragma once

#include <xeinsum/reference/bound.hpp>
#include <xeinsum/reference/einsum.hpp>
