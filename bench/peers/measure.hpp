// Runs a case with xeinsum and all peers in turn: "ij,jk->ik" once by each, then again, so that
// whatever slows the machine down slows down all of them.
#pragma once

#include "cases.hpp"
#include "peer.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace bench {

/// Seconds for one computation, one sample in every round.
struct timing {
    std::string name{};
    bool is_blas = false;
    bool is_lowering = false;
    /// Computations in a sample.
    std::size_t repetitions = 1;
    std::vector<double> seconds{};
    /// Whether the result was wrong; nothing was timed then.
    bool wrong = false;
    /// Whether other threads than the caller worked.
    bool threaded = false;
    /// Whether it ran xeinsum's own plan once more.
    bool as_chosen = false;

    [[nodiscard]] bool measured() const noexcept { return !seconds.empty(); }
};

struct measurement {
    std::string name{};
    std::string lowerings{};
    double flops = 0;
    double bytes = 0;
    timing xeinsum{};
    /// One for each peer, in their order; without seconds where a peer cannot do the case.
    std::vector<timing> peers{};
};

[[nodiscard]] measurement measure(const bench_case& c, const std::vector<const peer*>& peers,
                                  std::size_t rounds);

/// The number below which a part of some numbers lies; 0.5 gives the median.
[[nodiscard]] double quantile(std::vector<double> numbers, double part);

/// How many times as fast as a peer xeinsum is: the median over rounds, in each of which both ran
/// within moments. 0 where the peer was not measured.
[[nodiscard]] double speed_over(const timing& xeinsum, const timing& peer);

}  // namespace bench
