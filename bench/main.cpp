// Google Benchmark over all cases: gemm/xeinsum/ij,jk->ik/8x8,8x8/f32 beside plain loops and the
// xtensor expression.
#include "case_terms.hpp"
#include "cases.hpp"
#include "expression.hpp"
#include "loop_nest.hpp"
#include "planned.hpp"
#include "task.hpp"

#include <benchmark/benchmark.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace {

/// Makes the call that is measured, once, before the clock starts.
template <class T>
using maker = std::function<std::function<void()>(const bench::task<T>&)>;

template <class T>
void measure(benchmark::State& state, const bench::bench_case& c, const maker<T>& make) {
    const bench::task<T> t(c);
    const std::function<void()> run = make(t);
    for ([[maybe_unused]] const auto iteration : state) {
        run();
        benchmark::ClobberMemory();
    }
    using benchmark::Counter;
    constexpr auto rate = Counter::kIsIterationInvariantRate;
    if (t.flops() > 0) {
        state.counters["FLOP/s"] = Counter(t.flops(), rate);
    }
    state.counters["bytes/s"] = Counter(t.bytes(), rate);
}

template <class T>
void add(std::string_view subject, const bench::bench_case& c) {
    const auto with = [&](std::string_view how, const maker<T>& make) {
        std::string title(subject);
        title += "/";
        title += how;
        title += "/";
        title += bench::name(c);
        benchmark::RegisterBenchmark(title.c_str(), measure<T>, c, make);
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

void add_all(std::string_view subject, const std::vector<bench::bench_case>& cases) {
    for (const bench::bench_case& c : cases) {
        if (c.element == bench::element::f32) {
            add<float>(subject, c);
        } else {
            add<double>(subject, c);
        }
    }
}

}  // namespace

int main(int argc, char** argv) {
    add_all("gemm", bench::gemm_cases());
    add_all("broadcast_multiply_reduce", bench::broadcast_multiply_reduce_cases());
    add_all("depthwise_convolution", bench::depthwise_convolution_cases());
    add_all("permute", bench::permute_cases());
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) {
        return 1;
    }
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
