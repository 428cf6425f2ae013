// What the program holds in memory: the peak between restart_peak() and peak_bytes() shows that
// "nkctv,kvw->nctw" stores no product.
#pragma once

#include <cstddef>

namespace example {

/// Bytes that operator new has given and operator delete has not taken back.
[[nodiscard]] std::size_t bytes_in_use();

/// Calls of operator new since the program began.
[[nodiscard]] std::size_t allocations();

/// The most bytes in use since the last restart.
[[nodiscard]] std::size_t peak_bytes();
void restart_peak();

}  // namespace example
