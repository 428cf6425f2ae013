// Counts what operator new is asked for, and lets it fail: plan::run of "ij,jk->ik" must leave the
// count as it is, and an einsum that gets no memory must leave nothing behind.
#pragma once

#include <cstddef>

namespace support {

/// Calls of any operator new since the program began, in all threads.
[[nodiscard]] std::size_t allocations();
/// Allocations that were made and not yet given back.
[[nodiscard]] std::size_t live_allocations();

/// While it lives, the nth allocation since it was made fails, counted from 1; no other does.
class failing_allocation {
public:
    explicit failing_allocation(std::size_t n);
    failing_allocation(const failing_allocation&) = delete;
    failing_allocation& operator=(const failing_allocation&) = delete;
    ~failing_allocation();

    /// Whether there were so many.
    [[nodiscard]] bool happened() const;

private:
    std::size_t at_;
};

}  // namespace support
