// What tests compare with: reference::einsum("ij,jk->ik", a, b) by plain loops, and
// reference::bound, how far a correct result may be from it. Needs no kernels.
#pragma once

#include <xeinsum/reference/bound.hpp>
#include <xeinsum/reference/einsum.hpp>
