// What binding the weights of "btm,mhd->bthd" brings: a run of the plan and one of the bound plan,
// in turn. Prints one line a case.
#include "interleaved.hpp"
#include "numbers.hpp"

#include <xeinsum/plan.hpp>

#include <cstdio>
#include <string>
#include <vector>

namespace {

using bench::numbers;
using bench::shape;

struct bound_case {
    const char* equation;
    std::vector<shape> shapes;
    std::vector<std::size_t> constants{1};
};

std::vector<bound_case> cases() {
    std::vector<bound_case> list;
    for (const std::size_t tokens : {1U, 8U, 32U, 64U, 128U, 512U, 2048U}) {
        list.push_back({"btm,mhd->bthd", {{1, tokens, 768}, {768, 12, 64}}});
    }
    list.push_back({"btm,hdm->bhtd", {{1, 64, 768}, {12, 64, 768}}});
    list.push_back({"btm,hdm->bhtd", {{8, 128, 768}, {12, 64, 768}}});
    for (const std::size_t n : {1U, 8U}) {
        list.push_back({"nctw,cd->ndtw", {{n, 64, 300, 25}, {64, 128}}});
        list.push_back({"nkctv,kvw->nctw", {{n, 3, 64, 150, 25}, {3, 25, 25}}});
    }
    for (const std::size_t rows : {16U, 64U, 256U, 1024U}) {
        list.push_back({"ij,kj->ik", {{rows, 1024}, {1024, 1024}}});
    }
    list.push_back({"ij,jk->ik", {{16, 16}, {16, 16}}});
    list.push_back({"bi,ir,rj->bj", {{64, 512}, {512, 16}, {16, 512}}, {1, 2}});
    list.push_back({"bi,ij,jk->bk", {{64, 512}, {512, 32}, {32, 32}}, {1, 2}});
    return list;
}

}  // namespace

int main() {
    std::printf("%-44s %12s %12s %8s %12s\n", "case", "us, run", "us, bound", "gain", "KiB held");
    for (const bound_case& c : cases()) {
        const auto plan = xeinsum::make_plan<float>(c.equation, c.shapes);
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
        auto bound = plan.bind(c.constants[0], in[c.constants[0]]);
        for (std::size_t i = 1; i < c.constants.size(); ++i) {
            bound = bound.bind(c.constants[i], in[c.constants[i]]);
        }
        xt::xarray<float> out = xt::xarray<float>::from_shape(
            shape(plan.output_extents().begin(), plan.output_extents().end()));
        auto memory = plan.make_workspace();
        auto bound_memory = bound.make_workspace();
        const auto found =
            bench::time_interleaved({[&] {
                                         if (in.size() == 2) {
                                             plan.run(out, memory, in[0], in[1]);
                                         } else {
                                             plan.run(out, memory, in[0], in[1], in[2]);
                                         }
                                     },
                                     [&] { bound.run(out, bound_memory, in[0]); }});
        std::printf("%-44s %12.2f %12.2f %8.2f %12zu\n", name.c_str(), found.median(0) * 1e6,
                    found.median(1) * 1e6, found.ratio(0, 1), bound.constant_bytes() >> 10U);
        std::fflush(stdout);
    }
}
