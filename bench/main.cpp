// Google Benchmark over all cases: gemm/xeinsum/ij,jk->ik/8x8,8x8/f32 beside plain loops and the
// xtensor expression.
#include "case_terms.hpp"
#include "cases.hpp"
#include "expression.hpp"
#include "loop_nest.hpp"
#include "planned.hpp"
#include "support/progress.hpp"
#include "task.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace {

/// Tells on a terminal how many of the benchmarks are done.
class overview {
public:
    void add(const std::string& title) { titles_.push_back(title); }

    /// Counts those that a filter of Google Benchmark chooses.
    void begin(const std::string& filter) {
        const bool others = filter.starts_with('-');
        const std::regex wanted(filter == "all" ? "" : filter.substr(others ? 1 : 0),
                                std::regex::extended);
        shown_.emplace(static_cast<std::size_t>(std::count_if(
            titles_.begin(), titles_.end(),
            [&](const std::string& title) { return std::regex_search(title, wanted) != others; })));
    }
    /// Each one begins several times, until it has run long enough.
    void show(const std::string& title) {
        begun_.insert(title);
        shown_->show(begun_.size() - 1, title);
    }
    void clear() { shown_->clear(); }

private:
    std::vector<std::string> titles_{};
    std::set<std::string> begun_{};
    std::optional<progress::counted> shown_{};
};

/// Makes the call that is measured, once, before the clock starts.
template <class T>
using maker = std::function<std::function<void()>(const bench::task<T>&)>;

template <class T>
void measure(benchmark::State& state, const std::string& title, overview& all,
             const bench::bench_case& c, const maker<T>& make) {
    all.show(title);
    const bench::task<T> t(c);
    const std::function<void()> run = make(t);
    for ([[maybe_unused]] const auto iteration : state) {
        run();
        benchmark::ClobberMemory();
    }
    all.clear();
    using benchmark::Counter;
    constexpr auto rate = Counter::kIsIterationInvariantRate;
    if (t.flops() > 0) {
        state.counters["FLOP/s"] = Counter(t.flops(), rate);
    }
    state.counters["bytes/s"] = Counter(t.bytes(), rate);
}

template <class T>
void add(std::string_view subject, const bench::bench_case& c, overview& all) {
    const auto with = [&](std::string_view how, const maker<T>& make) {
        std::string title(subject);
        title += "/";
        title += how;
        title += "/";
        title += bench::name(c);
        benchmark::RegisterBenchmark(title.c_str(), measure<T>, title, std::ref(all), c, make);
        all.add(title);
    };
    with("xeinsum", [](const bench::task<T>& t) { return bench::plan_of<T>(t); });
    if (bench::case_terms(c).is_long()) {
        return;
    }
    with("loops", [](const bench::task<T>& t) {
        const bench::loop_nest<T> loops(t);
        return [loops, in = t.pointers(), out = t.output().data()] { loops.run(in, out); };
    });
    with("xtensor", bench::expression_of<T>);
}

void add_all(std::string_view subject, const std::vector<bench::bench_case>& cases, overview& all) {
    for (const bench::bench_case& c : cases) {
        if (c.element == bench::element::f32) {
            add<float>(subject, c, all);
        } else {
            add<double>(subject, c, all);
        }
    }
}

}  // namespace

int main(int argc, char** argv) {
    overview all;
    add_all("gemm", bench::gemm_cases(), all);
    add_all("broadcast_multiply_reduce", bench::broadcast_multiply_reduce_cases(), all);
    add_all("depthwise_convolution", bench::depthwise_convolution_cases(), all);
    add_all("permute", bench::permute_cases(), all);
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) {
        return 1;
    }
    all.begin(benchmark::GetBenchmarkFilter());
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
