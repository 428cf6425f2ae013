// Counts what operator new is asked for: plan::run of "ij,jk->ik" must leave the count as it is.
#pragma once

#include <cstddef>

namespace support {

/// Calls of any operator new since the program began, in all threads.
[[nodiscard]] std::size_t allocations();

/// Lets the n-th call of operator new from now on, counted from 1, throw std::bad_alloc, once; 0
/// lets none.
void fail_allocation(std::size_t n);

}  // namespace support
