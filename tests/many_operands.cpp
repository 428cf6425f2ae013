// Contractions of three operands and more as they run: whatever path, slices or layouts, the result
// is that of the naive evaluator.
#include <xeinsum/xeinsum.hpp>

#include "support/allocations.hpp"
#include "support/arrays.hpp"
#include "support/error_of.hpp"
#include "support/shared_calls.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using support::error_of;
using support::numbers;
using xeinsum::make_plan;
using xeinsum::options;
using xeinsum::path_strategy;
using xeinsum::scale;
namespace reference = xeinsum::reference;

namespace {

using pairs = std::vector<std::pair<std::size_t, std::size_t>>;
using shapes = std::vector<std::vector<std::size_t>>;

std::vector<xt::xarray<double>> operands_of(const shapes& all) {
    std::vector<xt::xarray<double>> operands;
    for (const auto& shape : all) {
        operands.push_back(numbers<double>(shape, 5 * operands.size()));
    }
    return operands;
}

struct network {
    std::string equation{};
    shapes extents{};
};

const std::vector<network> networks{
    {"ij,jk,kl,lm->im", {{6, 8}, {8, 5}, {5, 9}, {9, 4}}},
    {"bij,bjk,bkl->bil", {{3, 4, 5}, {3, 5, 6}, {3, 6, 2}}},      // a batch label
    {"ax,bx,cx,dx->abcd", {{4, 12}, {2, 12}, {3, 12}, {5, 12}}},  // one label in four terms
    {"ij,kl,mn,j->ikm", {{4, 3}, {6, 2}, {2, 5}, {3}}},           // unconnected
    {"ij,ij,ij,jk->k", {{6, 4}, {6, 4}, {6, 4}, {4, 3}}},         // equal terms
    {"ij,jk,kl->il", {{6, 4}, {1, 5}, {5, 8}}},                   // a broadcast extent
    {"iij,jk,kk->i", {{6, 6, 4}, {4, 5}, {5, 5}}},                // diagonals
    {"ij,jkm,kl,->il", {{6, 4}, {4, 9, 7}, {9, 8}, {}}},          // a sum of one operand, a scalar
    {"bia,bij,bjk,bkl->bl", {{9, 4, 2}, {9, 4, 5}, {9, 5, 6}, {9, 6, 3}}},
    {"bacx,cd,eb,xf->adef", {{8, 5, 3, 6}, {3, 4}, {7, 8}, {6, 2}}},
    {"bld,bln,bld,dn->bl", {{2, 6, 8}, {2, 6, 3}, {2, 6, 8}, {8, 3}}},
};

/// Small whole numbers give the same result in any order.
void check_plan(const network& n, const options& wanted) {
    CAPTURE(n.equation);
    const auto operands = operands_of(n.extents);
    const xt::xarray<double> expected = reference::einsum(n.equation, operands);
    const auto p = make_plan<double>(n.equation, n.extents, wanted);
    auto memory = p.make_workspace();
    const auto bytes = static_cast<double>(p.largest_intermediate()) * sizeof(double);
    CHECK(bytes <= static_cast<double>(wanted.memory_limit));
    xt::xarray<double> out = xt::xarray<double>::from_shape(expected.shape());
    out.fill(std::numeric_limits<double>::quiet_NaN());
    p.run(out, memory, operands);
    CHECK(out == expected);
    p.run(out, scale{2, -3}, memory, operands);
    const xt::xarray<double> scaled = -1.0 * expected;  // 2 - 3
    CHECK(out == scaled);
    // Operands and output that lie otherwise than planned.
    std::vector<xt::xarray<double, xt::layout_type::column_major>> transposed(operands.begin(),
                                                                              operands.end());
    xt::xarray<double, xt::layout_type::column_major> transposed_out = expected;
    transposed_out.fill(std::numeric_limits<double>::quiet_NaN());
    p.run(transposed_out, memory, transposed);
    CHECK(transposed_out == expected);
}

/// The terms of each step of a plan.
std::vector<std::string> steps_of(const network& n, const options& wanted) {
    std::ostringstream text;
    text << make_plan<double>(n.equation, n.extents, wanted);
    std::istringstream lines(text.str());
    std::vector<std::string> steps;
    for (std::string line; std::getline(lines, line);) {
        if (line.find("step ") != std::string::npos && line.find("->") != std::string::npos) {
            steps.push_back(line.substr(0, line.find('(')));
        }
    }
    return steps;
}

}  // namespace

TEST_CASE("every strategy gives the result, with any limit on intermediates") {
    for (const network& n : networks) {
        for (const auto strategy :
             {path_strategy::automatic, path_strategy::optimal, path_strategy::greedy,
              path_strategy::random_greedy, path_strategy::least_memory}) {
            for (const std::size_t limit : {std::numeric_limits<std::size_t>::max(),
                                            std::size_t{160}, std::size_t{40}, std::size_t{8}}) {
                CAPTURE(limit);
                options wanted;
                wanted.path = strategy;
                wanted.memory_limit = limit;
                check_plan(n, wanted);
            }
        }
    }
}

TEST_CASE("labels of intermediates may lie in another order where runs are long") {
    // A slow clock makes runs long.
    const xeinsum::machine slow{.hertz = 1e5};
    std::size_t others = 0;
    for (const network& n : networks) {
        options wanted;
        const std::vector<std::string> plain = steps_of(n, wanted);
        wanted.machine = &slow;
        check_plan(n, wanted);
        others += steps_of(n, wanted) != plain ? 1 : 0;
        // An order that a forced lowering cannot compute is no reason to refuse the others.
        for (const auto forced :
             {xeinsum::lowering::gemm, xeinsum::lowering::depthwise_convolution}) {
            const auto code = [&](const xeinsum::machine* machine) {
                options o;
                o.lowering = forced;
                o.machine = machine;
                return support::code_of(
                    [&] { static_cast<void>(make_plan<double>(n.equation, n.extents, o)); });
            };
            CHECK(code(&slow) == code(nullptr));
        }
    }
    CHECK(others >= 2);
}

TEST_CASE("the plan tells its path, which can be given to another one") {
    const network& n = networks[0];
    const pairs given{{0, 1}, {2, 4}, {5, 3}};
    options wanted;
    wanted.path = path_strategy::numbered_pairs;
    wanted.path_pairs = given;
    check_plan(n, wanted);
    const auto p = make_plan<double>(n.equation, n.extents, wanted);
    CHECK(p.path() == std::vector<std::vector<std::size_t>>{{0, 1}, {2, 4}, {5, 3}});
    // i j k = 6 8 5, i k l = 6 5 9, i l m = 6 9 4
    CHECK(p.flops() == 2 * (240 + 270 + 216));
    const pairs linear{{0, 1}, {0, 2}, {0, 1}};
    wanted.path = path_strategy::linear_pairs;
    wanted.path_pairs = linear;
    check_plan(n, wanted);
    CHECK(make_plan<double>(n.equation, n.extents, wanted).flops() == p.flops());
}

TEST_CASE("pairs that are no path say which and why") {
    options wanted;
    wanted.path = path_strategy::numbered_pairs;
    const pairs twice{{0, 1}, {1, 2}, {4, 3}};
    wanted.path_pairs = twice;
    const auto error = [&] {
        return error_of([&] {
            static_cast<void>(make_plan<double>(networks[0].equation, networks[0].extents, wanted));
        });
    };
    CHECK(error().code() == xeinsum::error_code::malformed_path);
    CHECK(
        std::string(error().what()).find("pair 1 is (1, 2): a term of it was contracted before") !=
        std::string::npos);
    wanted.path_pairs = {};
    CHECK(std::string(error().what()).find("3 pairs are needed, 0 given") != std::string::npos);
}

TEST_CASE("flops and figures are those of all slices") {
    options wanted;
    wanted.path = path_strategy::optimal;
    wanted.path_cost = {1, 0, 0};
    const auto whole = make_plan<double>(networks[0].equation, networks[0].extents, wanted);
    CHECK(whole.slices().empty());
    wanted.memory_limit = 80;  // ten elements
    const auto p = make_plan<double>(networks[0].equation, networks[0].extents, wanted);
    REQUIRE(!p.slices().empty());
    double slices = 1;
    for (const xeinsum::label_slices& s : p.slices()) {
        slices *= static_cast<double>(s.count);
    }
    double steps = 0;
    for (const xeinsum::step& s : p.steps()) {
        steps += s.flops * (s.same_in_all_slices ? 1 : slices);
    }
    CHECK(p.flops() == steps);
    CHECK(p.slice_count() == static_cast<std::int64_t>(slices));
    CHECK(p.flops() >= whole.flops());
    CHECK(p.largest_intermediate() <= 10);
    std::ostringstream text;
    text << p;
    CHECK(text.str().find("  slices: ") != std::string::npos);
    CHECK(text.str().find("the steps run " + std::to_string(static_cast<int>(slices)) + " times") !=
          std::string::npos);
    CHECK(text.str().find("largest intermediate " + std::to_string(p.largest_intermediate()) +
                          " elements") != std::string::npos);
}

TEST_CASE("running slices allocates nothing") {
    options wanted;
    wanted.path = path_strategy::greedy;
    wanted.memory_limit = 80;
    const auto p = make_plan<double>("ij,jk,kl->il", {{6, 8}, {8, 5}, {5, 9}}, wanted);
    REQUIRE(!p.slices().empty());
    const auto operands = operands_of({{6, 8}, {8, 5}, {5, 9}});
    auto memory = p.make_workspace();
    xt::xarray<double> out = xt::zeros<double>({6, 9});
    const std::size_t before = support::allocations();
    p.run(out, memory, operands[0], operands[1], operands[2]);
    CHECK(support::allocations() == before);
    CHECK(out == reference::einsum("ij,jk,kl->il", operands));
}

namespace {

/// All slices of a plan, dealt out to three outputs in an order of chance.
template <class Plan, class... Operands>
void check_slices(const Plan& p, const xt::xarray<double>& expected, const Operands&... operands) {
    std::vector<std::int64_t> order(static_cast<std::size_t>(p.slice_count()));
    std::iota(order.begin(), order.end(), std::int64_t{0});
    std::mt19937 draw(static_cast<unsigned>(order.size()));
    std::shuffle(order.begin(), order.end(), draw);
    std::vector<xt::xarray<double>> outs;
    for (std::size_t o = 0; o < 3; ++o) {
        outs.push_back(numbers<double>({expected.shape().begin(), expected.shape().end()}, o));
    }
    const xt::xarray<double> before = outs[0] + outs[1] + outs[2];
    auto memory = p.make_workspace();
    for (std::size_t i = 0; i < order.size(); ++i) {
        p.run_slice(order[i], outs[draw() % 3], memory, operands...);
    }
    CHECK(outs[0] + outs[1] + outs[2] == before + expected);
}

}  // namespace

TEST_CASE("slices add up to the result in any order and grouping") {
    const network own_steps{"ij,jk,kl,lm,mn->in", {{6, 8}, {8, 5}, {5, 9}, {9, 4}, {4, 7}}};
    std::vector<network> all(networks);
    all.push_back(own_steps);
    bool some_shared = false;
    bool some_kept = false;
    for (const network& n : all) {
        for (const std::size_t limit : {160U, 80U, 40U}) {
            CAPTURE(n.equation);
            CAPTURE(limit);
            const auto p = make_plan<double>(
                n.equation, n.extents, {.path = path_strategy::greedy, .memory_limit = limit});
            const auto operands = operands_of(n.extents);
            const xt::xarray<double> expected = reference::einsum(n.equation, operands);
            check_slices(p, expected, operands);
            // Bound, the steps that are the same in all slices are gone, and so are the operands.
            const auto bound = p.bind_all(operands);
            check_slices(bound, expected);
            const std::vector<xt::xarray<double, xt::layout_type::column_major>> transposed(
                operands.begin(), operands.end());
            check_slices(p, expected, transposed);
            for (const xeinsum::step& s : p.steps()) {
                some_shared = some_shared || s.same_in_all_slices;
            }
            for (const xeinsum::step& s : bound.steps()) {
                CHECK(!s.same_in_all_slices);
            }
            for (const xeinsum::label_slices& s : p.slices()) {
                some_kept = some_kept || s.kept;
            }
        }
    }
    CHECK(some_shared);
    CHECK(some_kept);
}

TEST_CASE("what slices share stays in the workspace until the last one") {
    struct planned {
        network what{};
        pairs path{};
    };
    const std::vector<planned> all{
        // ac -> ad in slices of a leaves room that df, which they share, would fit.
        {{"ab,bc,cd,de,ef->af", {{64, 6}, {6, 5}, {5, 4}, {4, 7}, {7, 9}}},
         {{0, 1}, {2, 5}, {3, 4}, {6, 7}}},
        // ce is shared; xb, in slices of b, would fit its room once be is there.
        {{"xa,ab,bc,cd,de->xe", {{3, 5}, {5, 64}, {64, 9}, {9, 7}, {7, 4}}},
         {{3, 4}, {2, 5}, {0, 1}, {6, 7}}}};
    for (const planned& n : all) {
        CAPTURE(n.what.equation);
        options wanted;
        wanted.path = path_strategy::numbered_pairs;
        wanted.path_pairs = n.path;
        wanted.memory_limit = 320;
        const auto p = make_plan<double>(n.what.equation, n.what.extents, wanted);
        REQUIRE(p.slice_count() == 8);
        CHECK(p.steps()[0].same_in_all_slices);
        CHECK(!p.steps()[1].same_in_all_slices);
        check_plan(n.what, wanted);
    }
}

TEST_CASE("a slice into an operand, and slices that do not exist") {
    const auto p = make_plan<double>("ij,jk,kl->il", {{6, 8}, {8, 5}, {5, 8}},
                                     {.path = path_strategy::greedy, .memory_limit = 80});
    REQUIRE(p.slice_count() > 2);
    const auto operands = operands_of({{6, 8}, {8, 5}, {5, 8}});
    const xt::xarray<double> expected = reference::einsum("ij,jk,kl->il", operands);
    auto memory = p.make_workspace(xeinsum::may_overlap);
    xt::xarray<double> sum = xt::zeros<double>({6, 8});
    for (std::int64_t i = 0; i < p.slice_count(); ++i) {
        xt::xarray<double> a = operands[0];
        p.run_slice(i, a, memory, a, operands[1], operands[2]);
        sum += a - operands[0];
    }
    CHECK(sum == expected);
    for (const std::int64_t none : {std::int64_t{-1}, p.slice_count()}) {
        const auto error = error_of(
            [&] { p.run_slice(none, sum, memory, operands[0], operands[1], operands[2]); });
        CHECK(error.code() == xeinsum::error_code::no_such_slice);
        CHECK(std::string(error.what())
                  .find("slice " + std::to_string(none) + " of " +
                        std::to_string(p.slice_count())) != std::string::npos);
    }
    CHECK(sum == expected);
    // A plan that is not cut has one.
    const auto whole = make_plan<double>("ij,jk->ik", {{6, 8}, {8, 5}});
    CHECK(whole.slice_count() == 1);
    xt::xarray<double> out = numbers<double>({6, 5}, 2);
    const xt::xarray<double> twice = out + reference::einsum("ij,jk->ik", operands[0], operands[1]);
    auto none = whole.make_workspace();
    whole.run_slice(0, out, none, operands[0], operands[1]);
    CHECK(out == twice);
    CHECK(error_of([&] { whole.run_slice(1, out, none, operands[0], operands[1]); }).code() ==
          xeinsum::error_code::no_such_slice);
    CHECK(out == twice);
}

TEST_CASE("a limit below one element is refused") {
    options wanted;
    wanted.path = path_strategy::greedy;
    wanted.memory_limit = 7;
    CHECK_THROWS_AS(
        static_cast<void>(make_plan<double>(networks[0].equation, networks[0].extents, wanted)),
        xeinsum::einsum_error);
}

TEST_CASE("products that are read once join the step that reads them") {
    const network n{"ld,ld,ld,ln->ldn", {{64, 96}, {64, 96}, {64, 96}, {64, 16}}};
    check_plan(n, {});
    const auto p = make_plan<float>(n.equation, n.extents);
    std::size_t most = 0;
    for (const xeinsum::step& s : p.steps()) {
        most = std::max<std::size_t>(most, s.input_count);
    }
    CHECK(most > 2);
    CHECK(p.steps().size() < 3);
}

TEST_CASE("a thousand operands of extent 2") {
    // A prism: two rings of 500 vertices, and a rung from each to its double. Each vertex is 1
    // where an even number of its three edges is: the sum counts the sets of edges that are unions
    // of cycles, 2^(edges - vertices + 1).
    constexpr std::int64_t ring = 500;
    std::vector<std::vector<std::int64_t>> terms;
    for (std::int64_t side = 0; side < 2; ++side) {
        for (std::int64_t v = 0; v < ring; ++v) {
            terms.push_back({side * ring + v, side * ring + (v + 1) % ring, 2 * ring + v});
        }
    }
    std::shuffle(terms.begin(), terms.end(), std::mt19937(1));
    const auto eq = xeinsum::equation::from_labels(terms, std::vector<std::int64_t>{});
    const auto p = make_plan<double>(eq, shapes(terms.size(), {2, 2, 2}));
    CHECK(p.largest_intermediate() <= 1024);
    const xt::xarray<double> even{{{1, 0}, {0, 1}}, {{0, 1}, {1, 0}}};
    const std::vector<xt::xarray<double>> operands(terms.size(), even);
    xt::xarray<double> out = xt::zeros<double>(std::vector<std::size_t>{});
    auto memory = p.make_workspace();
    p.run(out, memory, operands);
    CHECK(out() == std::ldexp(1.0, 501));
}

TEST_CASE("a pair is planned without memory from the heap, however it is planned") {
    const auto operands = operands_of({{3, 2, 4, 5}, {7, 5, 4}});
    xt::xarray<double> out = xt::zeros<double>({3, 2, 7});
    const options wanted{.lowering = xeinsum::lowering::gemm};
    const std::size_t before = support::allocations();
    xeinsum::einsum_to<"deac,bca->deb">(out, wanted, operands[0], operands[1]);
    CHECK(support::allocations() == before);
    CHECK(out == reference::einsum("deac,bca->deb", operands));
}
