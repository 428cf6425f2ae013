// Measures the figures of xeinsum::machine on the machine at hand, so that "ij,jk->ik" is predicted
// as it runs there: prints them, and writes a header to the file that is named.
#include "calibration_cases.hpp"
#include "fit.hpp"
#include "hand_over.hpp"
#include "interleaved.hpp"
#include "machine_file.hpp"
#include "planned.hpp"
#include "task.hpp"

#include <xeinsum/equation/error.hpp>

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

namespace {

using bench::bench_case;
using bench::element;
using bench::median_of;
using bench::observation;
using xeinsum::machine;

/// Cycles in a second: additions that wait for each other take one each.
double hertz() {
    constexpr int rounds = 31;
    constexpr int additions = 1 << 20;
    std::vector<double> rates;
    for (int r = 0; r < rounds; ++r) {
        std::uint64_t sum = 0;
        std::uint64_t by = static_cast<std::uint64_t>(r);
        const double start = bench::worked();
        for (int i = 0; i < additions / 8; ++i) {
            for (int unrolled = 0; unrolled < 8; ++unrolled) {
                asm volatile("" : "+r"(sum), "+r"(by));  // unknown to the compiler
                sum += by;
            }
        }
        rates.push_back(additions / (bench::worked() - start));
    }
    return median_of(rates);
}

/// A run of one lowering's plan, to be timed and predicted.
struct trial {
    std::string name{};
    std::function<void()> run{};
    observation seen{};
};

template <class T>
void add_trials(const bench_case& c, std::vector<trial>& to) {
    const auto t = std::make_shared<bench::task<T>>(c);
    for (const xeinsum::lowering l : xeinsum::lowerings_in_order) {
        const xeinsum::options wanted{.lowering = l};
        trial one;
        one.name = bench::name(c) + ", " + std::string(xeinsum::name(l));
        try {
            one.run = [t, run = bench::plan_of(*t, wanted)] { run(); };
        } catch (const xeinsum::einsum_error&) {
            continue;  // it does not apply
        }
        one.seen.predict = [t, wanted](const machine& m) {
            xeinsum::options here = wanted;
            here.machine = &m;
            return bench::plan_alike(*t, wanted, here) ? bench::predicted_seconds(*t, here) : 0;
        };
        to.push_back(std::move(one));
    }
}

std::vector<trial> trials_of(const std::vector<bench_case>& cases) {
    std::vector<trial> trials;
    for (const bench_case& c : cases) {
        if (c.element == element::f32) {
            add_trials<float>(c, trials);
        } else {
            add_trials<double>(c, trials);
        }
    }
    return trials;
}

void time_all(std::vector<trial>& trials) {
    constexpr std::size_t rounds = 11;
    std::vector<std::function<void()>> ways;
    for (const trial& t : trials) {
        ways.push_back(t.run);
    }
    const bench::samples found = bench::time_interleaved(ways, rounds, 0.5e-3);
    for (std::size_t i = 0; i < trials.size(); ++i) {
        trials[i].seen.seconds = found.median(i);
    }
}

/// Where the caches end for a sum over two arrays: where its speed leaves the middle between that
/// of a level and that of the next. The system tells about where to look, and what the first-level
/// cache has; what it does not tell stays as it is.
void measure_caches(machine& m, std::vector<std::string_view>& defaults) {
    const auto told = [](int what) { return static_cast<double>(std::max(sysconf(what), 0L)); };
    const double first = told(_SC_LEVEL1_DCACHE_SIZE);
    const double second = told(_SC_LEVEL2_CACHE_SIZE);
    const double last = std::max(told(_SC_LEVEL3_CACHE_SIZE), second);
    if (first > 0) {
        m.first_cache_bytes = static_cast<std::size_t>(first);
    } else {
        defaults.push_back("first_cache_bytes");
    }
    if (second < 4 * first || first == 0 || last < 4 * second) {
        defaults.push_back("near_cache_bytes");
        defaults.push_back("cache_bytes");
        return;
    }
    std::vector<double> bytes;
    std::vector<std::function<void()>> ways;
    for (double b = 2 * first; b < 4 * last; b *= std::sqrt(2.0)) {
        const auto n = static_cast<std::size_t>(b / (2 * sizeof(float)));
        const auto t = std::make_shared<bench::task<float>>(bench_case{"i,i->", {{n}, {n}}});
        bytes.push_back(static_cast<double>(n) * 2 * sizeof(float));
        ways.push_back([t, run = bench::plan_of(*t)] { run(); });
    }
    const bench::samples found = bench::time_interleaved(ways, 9);
    const auto mean_rate = [&](double from, double to) {
        std::vector<double> rates;
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            if (bytes[i] >= from && bytes[i] <= to) {
                rates.push_back(bytes[i] / found.median(i));
            }
        }
        return median_of(rates);
    };
    const double near = mean_rate(2 * first, second / 2);
    const double cached = mean_rate(2 * second, last / 4);
    const double memory = mean_rate(2 * last, 4 * last);
    const auto end_of = [&](double rate, double next, double from) {
        std::size_t i = 0;
        while (i + 1 < bytes.size() && (bytes[i + 1] < from || bytes[i + 1] / found.median(i + 1) >
                                                                   std::sqrt(rate * next))) {
            ++i;
        }
        return static_cast<std::size_t>(bytes[i]);
    };
    m.near_cache_bytes = end_of(near, cached, 2 * first);
    m.cache_bytes = end_of(cached, memory, 2 * second);
}

/// Prints the figures, and how far predictions are from times with them.
void report(const machine& m, const std::vector<trial>& trials, bool all_trials) {
    std::printf("%-32s %12s %12s\n", "figure", "default", "measured");
    for (const bench::figure& f : bench::figures()) {
        std::printf("%-32s %12.4g %12.4g\n", std::string(f.name).c_str(), f.of({}), f.of(m));
    }
    std::vector<observation> seen;
    for (const trial& t : trials) {
        seen.push_back(t.seen);
        if (all_trials) {
            std::printf("%9.3f us  x %5.2f  x %5.2f  %s\n", 1e6 * t.seen.seconds,
                        t.seen.predict({}) / t.seen.seconds, t.seen.predict(m) / t.seen.seconds,
                        t.name.c_str());
        }
    }
    const auto factor = [&](const machine& of) {
        return std::exp(median_of(bench::errors(of, seen)));
    };
    std::printf(
        "%zu times; a prediction is off by a factor of %.2f in the median, %.2f with the "
        "defaults\n",
        trials.size(), factor(m), factor({}));
}

}  // namespace

int main(int argc, char** argv) {
    std::string file;
    bool all_trials = false;
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        if (argument == "--times") {
            all_trials = true;
        } else if (argument.rfind("--", 0) == 0) {
            std::puts(
                "bench_calibrate [--times] [FILE]: measures this machine, writes a header\n"
                "  --times  print each measured time, and what is predicted with the defaults "
                "and after");
            return argument == "--help" ? 0 : 1;
        } else {
            file = argument;
        }
    }
    machine m;
    std::vector<std::string_view> defaults;
    m.hertz = hertz();
    measure_caches(m, defaults);
    std::vector<trial> trials = trials_of(bench::calibration_cases());
    time_all(trials);
    std::vector<observation> seen;
    for (const trial& t : trials) {
        seen.push_back(t.seen);
    }
    std::vector<std::string_view> names;
    for (const bench::figure& f : bench::figures()) {
        if (std::holds_alternative<double machine::*>(f.member) && f.name != "hertz" &&
            f.name != "piece_seconds") {
            names.push_back(f.name);
        }
    }
    const bench::fitted_machine fitted = bench::fit(m, names, seen);
    m = fitted.machine;
    defaults.insert(defaults.end(), fitted.defaults.begin(), fitted.defaults.end());
    if (const double seconds = bench::hand_over_seconds(); seconds > 0) {
        m.piece_seconds = seconds;
    } else {
        defaults.push_back("piece_seconds");
    }
    report(m, trials, all_trials);
    for (const std::string_view name : defaults) {
        std::printf("at its default: %s\n", std::string(name).c_str());
    }
    if (!file.empty()) {
        std::ofstream out(file);
        out << bench::header_of(m, defaults);
        if (!out) {
            std::fprintf(stderr, "cannot write %s\n", file.c_str());
            return 1;
        }
    }
    return 0;
}
