// Whose threads run the pieces of "ij,jk->ik" planned for two, where the call brings none of its
// own: thread_backend() is "openmp", "tbb" or, for the calling thread alone, "none".
#pragma once

#include <xeinsum/run/parallel.hpp>

namespace xeinsum {

/// Chosen by XEINSUM_USE_OPENMP or XEINSUM_USE_TBB, which the CMake targets xeinsum::openmp and
/// xeinsum::tbb define; a constant, the same in all files of a program.
using lowerings::thread_backend;

}  // namespace xeinsum
