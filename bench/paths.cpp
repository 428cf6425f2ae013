// The orders of contraction that are found for networks such as [1,0],[2,3,0],[2,1,3]->[]:
// operations over those of opt_einsum's, and how long each search takes. Prints one line a network.
#include "../tests/support/path_table.hpp"

#include <xeinsum/plan/path/path.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <string>

namespace {

using xeinsum::path_strategy;

/// Operations over somebody else's, and their geometric mean; nothing where there is none.
class ratios {
public:
    explicit ratios(path_strategy strategy) : strategy_(strategy) {}

    void print(const support::path_table_row& row, double theirs) {
        if (theirs == 0) {
            std::printf(" %9s %9s", "-", "-");
            return;
        }
        xeinsum::options wanted;
        wanted.path = strategy_;
        const auto problem = row.problem();
        const auto start = std::chrono::steady_clock::now();
        const auto path = xeinsum::planning::find_path(problem, wanted);
        const std::chrono::duration<double, std::milli> took =
            std::chrono::steady_clock::now() - start;
        const double ratio = xeinsum::planning::measure_path(problem, path).operations / theirs;
        logarithms_ += std::log(ratio);
        largest_ = std::max(largest_, ratio);
        ++count_;
        std::printf(" %9.3f %9.2f", ratio, took.count());
    }

    void print_mean() const {
        std::printf(" %9.3f %9s", std::exp(logarithms_ / static_cast<double>(count_)), "");
    }
    void print_largest() const { std::printf(" %9.3f %9s", largest_, ""); }

private:
    path_strategy strategy_;
    double logarithms_ = 0;
    double largest_ = 0;
    std::size_t count_ = 0;
};

}  // namespace

int main() {
    ratios optimal(path_strategy::optimal);
    ratios greedy(path_strategy::greedy);
    ratios automatic(path_strategy::automatic);
    std::printf("%-28s %9s %9s %9s %9s %9s %9s %9s\n", "network", "operands", "optimal", "ms",
                "greedy", "ms", "automatic", "ms");
    for (const auto& row : support::read_path_table(XEINSUM_PATH_TABLE)) {
        std::printf("%-28s %9zu", row.name.c_str(), row.terms.size());
        const double best = row.optimal == 0   ? row.dynamic
                            : row.dynamic == 0 ? row.optimal
                                               : std::min(row.optimal, row.dynamic);
        optimal.print(row, best);
        greedy.print(row, row.greedy);
        automatic.print(row, row.random);
        std::printf("\n");
    }
    for (const bool mean : {true, false}) {
        std::printf("%-28s %9s", mean ? "geometric mean" : "largest", "");
        for (const ratios* r : {&optimal, &greedy, &automatic}) {
            mean ? r->print_mean() : r->print_largest();
        }
        std::printf("\n");
    }
}
