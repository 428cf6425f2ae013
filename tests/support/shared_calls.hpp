// Calls that xeinsum::compiled has, so that a test of einsum<"ij,jk->ik">(a, b) needs neither
// planner nor kernels of its own. Tests of headers that show their kernels define XEINSUM_COMPILED.
#pragma once

#include <xeinsum/compiled.hpp>
