// A multiplication and two sums, "zabcde,zabcdef->zcdef": written out with a product in memory, and
// as one equation by each lowering.
#include "support/arrays.hpp"
#include "support/checks.hpp"
#include "support/measure.hpp"
#include "support/table.hpp"

#include <xeinsum/compiled.hpp>
#include <xeinsum/plan.hpp>

#include <array>
#include <cstddef>
#include <functional>
#include <iostream>
#include <string>
#include <vector>

namespace {

using xt::all;
using xt::newaxis;
using xt::range;
using array_5 = xt::xtensor<float, 5>;
using array_6 = xt::xtensor<float, 6>;
using array_7 = xt::xtensor<float, 7>;

array_7 multiply(const array_6& a, const array_7& b) {
    return xt::view(a, all(), all(), all(), all(), all(), all(), newaxis()) * b;
}

array_5 two_sums(const array_6& a, const array_7& b) {
    const array_7 product = multiply(a, b);
    const array_6 over_a = xt::sum(product, {1});
    return xt::sum(over_a, {1});
}

array_5 one_sum(const array_6& a, const array_7& b) {
    const array_7 product = multiply(a, b);
    return xt::sum(product, {1, 2});
}

}  // namespace

int main(int argc, char** argv) {
    const bool quick = example::is_quick(argc, argv);
    const std::size_t many = quick ? 9 : 500;
    constexpr const char* equation = "zabcde,zabcdef->zcdef";
    const array_6 a = example::values<6>({1, many, 7, 4, 13, 8}, 1);
    const array_7 b = example::values<7>({1, many, 7, 4, 13, 8, 32}, 2);
    const std::vector<std::vector<std::size_t>> shapes{{a.shape().begin(), a.shape().end()},
                                                       {b.shape().begin(), b.shape().end()}};

    struct way {
        std::string name;
        std::function<void()> run;
        array_5 result{};
    };
    std::vector<way> ways(2);
    ways[0] = {"multiply, sum over a, sum over b", [&] { ways[0].result = two_sums(a, b); }};
    ways[1] = {"multiply, sum over a and b", [&] { ways[1].result = one_sum(a, b); }};
    const auto automatic = xeinsum::make_plan<float>(equation, shapes);
    std::cout << "what the planner chose: " << automatic << '\n';
    std::vector<xeinsum::lowering> wanted{xeinsum::lowering::automatic};
    wanted.insert(wanted.end(), xeinsum::lowerings_in_order.begin(),
                  xeinsum::lowerings_in_order.end());
    for (const xeinsum::lowering l : wanted) {
        std::string name = "einsum, ";
        name += xeinsum::name(l);
        const std::size_t i = ways.size();
        const auto plan = xeinsum::make_plan<float>(equation, shapes, {.lowering = l});
        ways.push_back({name, [&a, &b, &ways, i, plan] {
                            auto memory = plan.make_workspace();
                            auto result = array_5::from_shape({1, 4, 13, 8, 32});
                            plan.run(result, memory, a, b);
                            ways[i].result = result;
                        }});
    }

    std::vector<std::function<void()>> variants;
    for (const way& w : ways) {
        variants.push_back(w.run);
    }
    const auto m = example::measure(variants);

    // The reference takes its time: it judges one c, some d and two e.
    example::checks check;
    auto c = range(2, 3), d = range(9, 13), e = range(5, 7);
    const array_6 some_a = xt::view(a, all(), all(), all(), c, d, e);
    const array_7 some_b = xt::view(b, all(), all(), all(), c, d, e);
    const auto expected = xeinsum::reference::einsum(equation, some_a, some_b);
    const auto bound = xeinsum::reference::bound(equation, some_a, some_b);
    example::table table({"way", "time", "peak memory"});
    for (std::size_t i = 0; i < ways.size(); ++i) {
        const array_5 some = xt::view(ways[i].result, all(), c, d, e);
        check.report(ways[i].name + " against the reference",
                     xeinsum::reference::worst_ratio(some, expected, bound));
        check.same(ways[i].name + " and two sums", ways[i].result, ways[0].result, many * 7, 1);
        table.add({ways[i].name, example::milliseconds(m[i].seconds),
                   example::megabytes(m[i].peak_bytes)});
    }
    std::cout << '\n' << table;
    return check.exit_code();
}
