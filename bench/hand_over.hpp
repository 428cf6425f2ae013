// What it costs to give half of "ij,jk->ik" to another thread.
#pragma once

namespace bench {

/// Seconds by which work that two threads share, of the same length each, takes longer than one's
/// part: from twice as much work on, the second thread pays. 0 without a backend for threads.
[[nodiscard]] double hand_over_seconds();

}  // namespace bench
