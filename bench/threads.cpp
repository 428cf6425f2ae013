// What a second thread brings: "ij,jk->ik" and others with one thread and with several, in turn,
// and the same of OpenBLAS where that is found. Prints one line a case.
#include "numbers.hpp"

#include <xeinsum/plan.hpp>
#include <xeinsum/run/parallel.hpp>

#ifdef XEINSUM_BENCH_OPENBLAS
#include <cblas.h>
#endif

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

namespace {

using bench::numbers;
using bench::shape;

struct measured_case {
    const char* equation;
    std::vector<shape> shapes;
    xeinsum::options wanted{};
};

std::vector<measured_case> cases() {
    std::vector<measured_case> list;
    for (const std::size_t n :
         {32U, 48U, 64U, 80U, 96U, 128U, 192U, 256U, 384U, 512U, 768U, 1024U}) {
        list.push_back({"ij,jk->ik", {{n, n}, {n, n}}});
    }
    list.push_back({"ij,jk->ik", {{16, 4096}, {4096, 4096}}});
    list.push_back({"ki,kj->ij", {{100000, 12}, {100000, 12}}});
    list.push_back({"nkctv,kvw->nctw", {{8, 3, 64, 150, 25}, {3, 25, 25}}});
    list.push_back({"bhqd,bkhd->bhqk", {{2, 12, 256, 64}, {2, 256, 12, 64}}});
    list.push_back({"bld,bln,bld->bldn", {{1, 512, 768}, {1, 512, 16}, {1, 512, 768}}});
    for (const std::size_t n : {10000U, 50000U, 200000U, 4000000U}) {
        list.push_back({"i,i->", {{n}, {n}}});
    }
    list.push_back({"bchw,bchw->bc",
                    {{32, 256, 14, 14}, {32, 256, 14, 14}},
                    {.lowering = xeinsum::lowering::depthwise_convolution}});
    list.push_back({"ij->ji", {{2048, 2048}}});
    return list;
}

double seconds_of(const std::function<void()>& work, int calls) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < calls; ++i) {
        work();
    }
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
    return passed.count() / calls;
}

/// Seconds of each, in turn: the least of many rounds, as others may use the machine.
std::vector<double> measure(const std::vector<std::function<void()>>& works) {
    std::vector<double> best(works.size(), 1e9);
    const int calls = std::max(1, static_cast<int>(1e-3 / seconds_of(works.front(), 3)));
    const auto start = std::chrono::steady_clock::now();
    int rounds = 0;
    do {
        for (std::size_t w = 0; w < works.size(); ++w) {
            works[w]();  // wakes the threads and fills the caches
            best[w] = std::min(best[w], seconds_of(works[w], calls));
        }
    } while (++rounds < 5 ||
             std::chrono::steady_clock::now() - start < std::chrono::milliseconds(1500));
    return best;
}

}  // namespace

int main(int argc, char** argv) {
    const unsigned threads = argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 2;
    std::printf("%u threads%s\n", threads,
                xeinsum::lowerings::has_threads ? "" : ", but this build has no backend for them");
    std::printf("%-44s %12s %8s %8s %14s\n", "case", "us, 1 thread", "gain", "pieces",
                "OpenBLAS's gain");
    for (const measured_case& c : cases()) {
        xeinsum::options several = c.wanted;
        several.threads = threads;
        const auto one = xeinsum::make_plan<float>(c.equation, c.shapes, c.wanted);
        const auto many = xeinsum::make_plan<float>(c.equation, c.shapes, several);
        auto memory = many.make_workspace();
        std::vector<xt::xarray<float>> in;
        std::string name = c.equation;
        for (const shape& s : c.shapes) {
            in.push_back(numbers(s));
            name += in.size() == 1 ? ' ' : ',';
            for (const std::size_t extent : s) {
                name += name.back() == ' ' || name.back() == ',' ? "" : "x";
                name += std::to_string(extent);
            }
        }
        xt::xarray<float> out = xt::xarray<float>::from_shape(
            shape(one.output_extents().begin(), one.output_extents().end()));
        const auto run_of = [&](const xeinsum::plan<float>& plan) -> std::function<void()> {
            switch (in.size()) {
                case 1: return [&] { plan.run(out, memory, in[0]); };
                case 2: return [&] { plan.run(out, memory, in[0], in[1]); };
                default: return [&] { plan.run(out, memory, in[0], in[1], in[2]); };
            }
        };
        std::vector<std::function<void()>> works{run_of(one), run_of(many)};
#ifdef XEINSUM_BENCH_OPENBLAS
        if (std::string(c.equation) == "ij,jk->ik") {
            const auto m = static_cast<blasint>(c.shapes[0][0]);
            const auto k = static_cast<blasint>(c.shapes[0][1]);
            const auto n = static_cast<blasint>(c.shapes[1][1]);
            for (const unsigned count : {1U, threads}) {
                works.emplace_back([&in, &out, m, n, k, count] {
                    openblas_set_num_threads(static_cast<int>(count));
                    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1, in[0].data(),
                                k, in[1].data(), n, 0, out.data(), n);
                });
            }
        }
#endif
        const auto seconds = measure(works);
        std::printf("%-44s %12.2f %8.2f %8zu", name.c_str(), seconds[0] * 1e6,
                    seconds[0] / seconds[1], many.steps()[0].how.split.pieces());
        if (seconds.size() > 2) {
            std::printf(" %14.2f", seconds[2] / seconds[3]);
        }
        std::printf("\n");
        std::fflush(stdout);
    }
}
