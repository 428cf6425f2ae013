// Calls that xeinsum::compiled has, so that a test of einsum<"ij,jk->ik">(a, b) needs neither
// planner nor kernels of its own. Kernels are seen, as tests call other elements as well.
#pragma once

#include "shared_kernels.hpp"

#include <xeinsum/xeinsum.hpp>

#include <xeinsum/compiled.hpp>
