// How good the planner's choices are: the time of "bdn,bn->bd" as chosen over that of its fastest
// lowering.
#pragma once

#include "measure.hpp"

#include <ostream>
#include <string>
#include <vector>

namespace bench {

/// xeinsum's time over that of its fastest forced lowering, 1 where the fastest was chosen; 0 where
/// nothing was measured.
[[nodiscard]] double regret_of(const measurement& m);

/// Measures a case; again where it looks as if another lowering were faster, because noise looks
/// the same.
[[nodiscard]] measurement measure_regret(const bench_case& c, const std::vector<const peer*>& peers,
                                         std::size_t rounds);

/// Gathers the regret of many cases.
class regret_summary {
public:
    void add(const measurement& m);
    /// Median, 95th percentile, worst and the share within 1.10, of all cases and of those above
    /// 10 us; how often each lowering was the fastest; the cases above 1.10.
    void print(std::ostream& out) const;

private:
    struct entry {
        std::string name;
        std::string chosen;
        std::string fastest;
        double regret;
        double seconds;
    };
    static void print_quantiles(std::ostream& out, const char* what,
                                const std::vector<entry>& entries);

    std::vector<entry> all_{};
};

}  // namespace bench
