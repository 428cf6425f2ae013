// xeinsum: einsum<"nctw,cd->ndtw">(x, w) for xtensor arrays, checked by the compiler.
#pragma once

#include <xeinsum/language.hpp>

#include <xeinsum/einsum.hpp>
#include <xeinsum/grouped_einsum.hpp>
#include <xeinsum/grouped_plan.hpp>
#include <xeinsum/plan.hpp>
#include <xeinsum/plan_cache.hpp>
#include <xeinsum/rearrange.hpp>
#include <xeinsum/thread_backend.hpp>
#include <xeinsum/version.hpp>

#if !defined(XEINSUM_WITHOUT_XTENSOR)
#include <xeinsum/reference/bound.hpp>
#include <xeinsum/reference/einsum.hpp>
#endif
