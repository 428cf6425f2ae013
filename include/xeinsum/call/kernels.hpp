// The kernels of calls, and all that includes them: what einsum<"ij,jk->ik">(a, b) compiles in each
// file, unless another file has it.
#pragma once

// <xeinsum/compiled.hpp> says so.
#if !defined(XEINSUM_COMPILED)
#define XEINSUM_HAS_KERNELS
#include <xeinsum/call/with_kernels/bind.hpp>
#include <xeinsum/call/with_kernels/few_loops.hpp>
#include <xeinsum/call/with_kernels/fold.hpp>
#include <xeinsum/call/with_kernels/run_steps.hpp>
#include <xeinsum/kernel/gemm/fixed_gemm.hpp>
#include <xeinsum/kernel/reduce/small_nest.hpp>
#endif
