// Counts what operator new is asked for: plan::run of "ij,jk->ik" must leave the count as it is.
#pragma once

#include <cstddef>

namespace support {

/// Calls of any operator new since the program began, in all threads.
[[nodiscard]] std::size_t allocations();

}  // namespace support
