#include <xeinsum/call/bound_plan.hpp>

#include "../support/allocations.hpp"
#include "../support/arrays.hpp"
#include "../support/error_of.hpp"
#include "../support/views.hpp"

#include <xeinsum/compiled.hpp>
#include <xeinsum/plan.hpp>
#include <xeinsum/reference/einsum.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using support::error_of;
using support::numbers;
using xeinsum::error_code;
using xeinsum::make_plan;
using xeinsum::scale;
namespace reference = xeinsum::reference;

namespace {

bool holds(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a bound operand is not asked for again, and may go") {
    const auto plan = make_plan<float>("btm,mhd->bthd", {{2, 30, 50}, {50, 6, 20}});
    std::optional<xt::xarray<float>> weights = numbers({50, 6, 20}, 3);
    const auto bound = plan.bind(1, *weights);
    const auto x = numbers({2, 30, 50}), y = numbers({2, 30, 50}, 8);
    const auto ex = reference::einsum("btm,mhd->bthd", x, *weights);
    const auto ey = reference::einsum("btm,mhd->bthd", y, *weights);
    weights->fill(1000);
    weights.reset();
    REQUIRE(bound.open_operands().size() == 1);
    CHECK(bound.open_operands()[0] == 0);
    CHECK(bound.constant_bytes() >= 50 * 6 * 20 * sizeof(float));
    auto memory = bound.make_workspace();
    xt::xarray<float> out = numbers({2, 30, 6, 20}, 5);
    const auto before = out;
    bound.run(out, scale{2, -1}, memory, x);
    CHECK(out == 2 * ex - before);
    bound.run(out, memory, y);
    CHECK(out == ey);
    bound.run(out, memory, std::vector<xt::xarray<float>>{x});
    CHECK(out == ex);
    bound.run(out, memory, x + y);  // an expression
    CHECK(out == ex + ey);
}

TEST_CASE("the lhs, the rhs or both of a product are bound, as views and in any layout of a run") {
    const auto a = numbers({90, 70}), b = numbers({70, 80}, 6);
    const auto expected = reference::einsum("ij,jk->ik", a, b);
    const auto plan = make_plan<float>("ij,jk->ik", {{90, 70}, {70, 80}});
    const xt::xarray<float> transposed = xt::transpose(b);
    const xt::xarray<float> reversed = xt::view(a, xt::range(89, -91, -1));
    const auto lhs = plan.bind(0, xt::view(reversed, xt::range(89, -91, -1)));
    const auto rhs = plan.bind(1, xt::transpose(transposed));
    const auto both = rhs.bind(0, a);
    auto memory = plan.make_workspace();
    const xt::xarray<float, xt::layout_type::column_major> ac = a, bc = b;
    xt::xarray<float> out = xt::zeros<float>({90, 80});
    xt::xarray<float, xt::layout_type::column_major> columns = out;
    const auto check = [&](const auto& p, const auto&... operands) {
        out.fill(7);
        p.run(out, memory, operands...);
        CHECK(out == expected);
        columns.fill(7);
        p.run(columns, memory, operands...);
        CHECK(columns == expected);
    };
    check(lhs, b);
    check(lhs, bc);
    check(rhs, a);
    check(rhs, ac);
    check(both);
    // a plan for operands that lie otherwise
    const auto strange = xeinsum::make_plan_for<float>(
        "ij,jk->ik", {xeinsum::layout_of(ac), xeinsum::layout_of(bc)});
    check(strange.bind(1, b), ac);
    check(strange.bind(0, ac), b);
    // broadcast: an extent of 1
    const auto thin = make_plan<float>("ij,jk->ik", {{90, 1}, {70, 80}}).bind(0, numbers({90, 1}));
    out.fill(7);
    auto own = thin.make_workspace();
    thin.run(out, own, b);
    CHECK(out == reference::einsum("ij,jk->ik", numbers({90, 1}), b));
}

TEST_CASE("steps that depend on constants only are gone") {
    const auto plan = make_plan<float>(
        "ij,jk,kl,lm->im", {{40, 60}, {60, 3}, {3, 50}, {50, 70}},
        {.path = xeinsum::path_strategy::numbered_pairs,
         .path_pairs = std::vector<std::pair<std::size_t, std::size_t>>{{2, 3}, {1, 4}, {0, 5}}});
    const auto a = numbers({40, 60}), b = numbers({60, 3}, 4), c = numbers({3, 50}, 2),
               d = numbers({50, 70}, 9);
    const auto expected =
        reference::einsum("ij,jm->im", a, reference::einsum("jk,kl,lm->jm", b, c, d));
    const auto one = plan.bind(2, c);
    const auto two = one.bind(3, d);
    const auto three = two.bind(1, b);
    CHECK(plan.steps().size() == 3);
    CHECK(one.steps().size() == 3);
    CHECK(two.steps().size() == 2);
    CHECK(three.steps().size() == 1);
    CHECK(three.flops() == 2.0 * 40 * 60 * 70);
    CHECK(three.workspace_bytes() <= two.workspace_bytes());
    std::ostringstream text;
    text << three;
    CHECK(holds(text.str(), "operand 0, constant intermediate 1 -> result"));
    auto memory = plan.make_workspace();
    xt::xarray<float> out = numbers({40, 70}, 1);
    const auto check = [&](const auto& p, const auto&... operands) {
        auto own = p.make_workspace();
        out.fill(7);
        p.run(out, own, operands...);
        CHECK(out == expected);
    };
    check(one, a, b, d);
    check(two, a, b);
    check(three, a);
    check(three, xt::xarray<float, xt::layout_type::column_major>(a));
    // all of them: the last step is left to the run
    const auto all = three.bind(0, a);
    CHECK(all.open_operands().empty());
    check(all);
}

TEST_CASE("all operands that are left are bound at once") {
    const auto a = numbers({4, 3}), b = numbers({3, 5}, 4), c = numbers({5, 6}, 2);
    const auto expected = reference::einsum("ij,jk,kl->il", a, b, c);
    const auto plan = make_plan<float>("ij,jk,kl->il", {{4, 3}, {3, 5}, {5, 6}});
    const std::vector<xt::xarray<float>> all{a, b, c};
    const std::vector<xt::xarray<float>> others{a, c};
    for (const auto& bound : {plan.bind_all(all), plan.bind(1, b).bind_all(others)}) {
        CHECK(bound.open_operands().empty());
        auto memory = bound.make_workspace();
        xt::xarray<float> out = xt::zeros<float>({4, 6});
        bound.run(out, memory);
        CHECK(out == expected);
    }
    CHECK(error_of([&] { static_cast<void>(plan.bind_all(others)); }).code() ==
          error_code::operand_count);
    CHECK(error_of([&] { static_cast<void>(plan.bind(1, b).bind_all(all)); }).code() ==
          error_code::operand_count);
    const std::vector<xt::xarray<float>> swapped{a, c, b};
    CHECK(error_of([&] { static_cast<void>(plan.bind_all(swapped)); }).code() ==
          error_code::operand_shape);
}

TEST_CASE("constants are cut into slices with the rest") {
    const auto a = numbers({20, 30}), b = numbers({30, 25}, 4), c = numbers({25, 22}, 2);
    const auto expected = reference::einsum("ij,jk,kl->il", a, b, c);
    const auto plan =
        make_plan<float>("ij,jk,kl->il", {{20, 30}, {30, 25}, {25, 22}}, {.memory_limit = 600});
    REQUIRE(!plan.slices().empty());
    for (std::size_t first = 0; first < 3; ++first) {
        const auto bound = plan.bind(first, first == 0 ? a : first == 1 ? b : c);
        auto memory = bound.make_workspace();
        xt::xarray<float> out = numbers({20, 22}, 3);
        std::vector<xt::xarray<float>> rest{a, b, c};
        rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(first));
        const auto before = out;
        bound.run(out, scale{1, 1}, memory, rest);
        CHECK(out == expected + before);
    }
}

TEST_CASE("more operands than the stack has pointers for") {
    std::string equation = "a";
    std::vector<std::vector<std::size_t>> shapes{{3}};
    std::vector<xt::xarray<float>> operands{numbers({3}, 1)};
    for (std::size_t i = 1; i < 18; ++i) {
        equation += ",a";
        shapes.push_back({3});
        operands.push_back(numbers({3}, i % 3 == 0 ? 2 : 4));
    }
    equation += "->a";
    const auto expected = reference::einsum(equation, operands);
    const auto plan = make_plan<float>(equation, shapes, {.path = xeinsum::path_strategy::fused});
    const auto bound = plan.bind(16, operands[16]);
    operands.erase(operands.begin() + 16);
    auto memory = bound.make_workspace();
    CHECK(memory.size() >= 18 * sizeof(float*));
    xt::xarray<float> out = numbers({3});
    bound.run(out, memory, operands);
    CHECK(out == expected);
}

TEST_CASE("runs of a bound plan allocate nothing") {
    const auto weights = numbers({64, 70}, 3);
    const auto bound = make_plan<float>("ij,jk->ik", {{80, 64}, {64, 70}}).bind(1, weights);
    auto memory = bound.make_workspace();
    const auto x = numbers({80, 64});
    const xt::xarray<float, xt::layout_type::column_major> columns = x;
    xt::xarray<float> out = numbers({80, 70});
    const std::size_t before = support::allocations();
    bound.run(out, memory, x);
    bound.run(out, scale{2.0F, 1.0F}, memory, x);
    bound.run(out, memory, columns);
    CHECK(support::allocations() == before);
    CHECK(out == reference::einsum("ij,jk->ik", x, weights));
}

TEST_CASE("copies share the constants, and threads the plan") {
    const auto weights = numbers({50, 600}, 3);
    const auto x = numbers({40, 50});
    const auto expected = reference::einsum("ij,jk->ik", x, weights);
    const auto original = make_plan<float>("ij,jk->ik", {{40, 50}, {50, 600}}, {.threads = 2});
    auto first = std::optional(original.bind(1, weights));
    const auto bound = *first;
    first.reset();
    std::vector<xt::xarray<float>> results(4);
    std::vector<std::thread> threads;
    for (auto& result : results) {
        threads.emplace_back([&] {
            auto memory = bound.make_workspace();
            xt::xarray<float> out = xt::zeros<float>({40, 600});
            for (int round = 0; round < 20; ++round) {
                bound.run(out, memory, x);
            }
            result = out;
        });
    }
    for (auto& t : threads) {
        t.join();
    }
    for (const auto& result : results) {
        CHECK(result == expected);
    }
}

TEST_CASE("an output may lie in an operand of the run, and never meets a constant") {
    xt::xarray<float> a = numbers({30, 30});
    auto b = numbers({30, 30}, 6);
    const auto expected = reference::einsum("ij,jk->ik", a, b);
    const auto bound = make_plan<float>("ij,jk->ik", {{30, 30}, {30, 30}}).bind(1, b);
    auto memory = bound.make_workspace();
    bound.run(b, memory, a);  // where the weights once were
    CHECK(b == expected);
    const auto before = a;
    CHECK(error_of([&] { bound.run(a, memory, a); }).code() == error_code::workspace_too_small);
    CHECK(a == before);
    auto more = bound.make_workspace(xeinsum::may_overlap);
    bound.run(a, more, a);
    CHECK(a == expected);
}

TEST_CASE("the operand that an output overlaps is named by its number in the equation") {
    const auto a = numbers({3, 3});
    xt::xarray<float> b = numbers({3, 3}, 6);
    const auto bound = make_plan<float>("ij,jk->ik", {{3, 3}, {3, 3}}).bind(0, a);
    auto memory = bound.make_workspace();
    CHECK(holds(error_of([&] { bound.run(b, memory, b); }).what(), "overlaps operand 1"));
}

TEST_CASE("a bound plan that was moved from is the plan that it was") {
    const auto a = numbers({3, 4}), b = numbers({4, 5}, 6), c = numbers({5, 2}, 1);
    const auto expected = reference::einsum("ij,jk,kl->il", a, b, c);
    auto bound = make_plan<float>("ij,jk,kl->il", {{3, 4}, {4, 5}, {5, 2}}).bind(1, b);
    const auto moved = std::move(bound);
    // NOLINTBEGIN(bugprone-use-after-move)
    for (const auto* p : {&std::as_const(bound), &moved}) {
        CHECK(p->constant_bytes() >= 20 * sizeof(float));
        CHECK(p->open_operands().size() == 2);
        const auto both = p->bind(2, c);
        auto memory = both.make_workspace();
        xt::xarray<float> out = xt::zeros<float>({3, 2});
        both.run(out, memory, a);
        CHECK(out == expected);
    }
    // NOLINTEND(bugprone-use-after-move)
}

TEST_CASE("what cannot be bound or run is refused, nothing is written") {
    const auto plan = make_plan<float>("ij,jk->ik", {{2, 3}, {3, 4}});
    const auto weights = numbers({3, 4});
    const auto bound = plan.bind(1, weights);
    const auto missing = error_of([&] { static_cast<void>(plan.bind(2, weights)); });
    CHECK(missing.code() == error_code::operand_not_open);
    CHECK(holds(missing.what(), "operand 2 does not exist"));
    const auto again = error_of([&] { static_cast<void>(bound.bind(1, weights)); });
    CHECK(again.code() == error_code::operand_not_open);
    CHECK(holds(again.what(), "operand 1 is bound already"));
    const auto other = error_of([&] { static_cast<void>(plan.bind(1, numbers({3, 5}))); });
    CHECK(other.code() == error_code::operand_shape);
    CHECK(other.column() == 5);
    CHECK(holds(other.what(),
                "operand 1 has shape (3, 5), planned was (3, 4): label 'k' has "
                "extent 5 and not 4 on axis 1"));
    CHECK(error_of([&] { static_cast<void>(plan.bind(0, numbers({2}))); }).code() ==
          error_code::operand_shape);

    auto memory = bound.make_workspace();
    xt::xarray<float> out = numbers({2, 4}, 2);
    const auto before = out;
    const auto many = error_of([&] { bound.run(out, memory, numbers({2, 3}), weights); });
    CHECK(many.code() == error_code::operand_count);
    CHECK(holds(many.what(), "1 not bound, 2 given"));
    const auto shape = error_of([&] { bound.run(out, memory, numbers({2, 5})); });
    CHECK(shape.code() == error_code::operand_shape);
    CHECK(holds(shape.what(), "label 'j' has extent 5 and not 3 on axis 1"));
    const auto lhs = plan.bind(0, numbers({2, 3}));
    CHECK(holds(error_of([&] {
                    lhs.run(out, memory, numbers({3, 5}));
                }).what(),
                "operand 1 has shape (3, 5)"));
    CHECK(error_of([&] {
              xt::xarray<float> wrong = numbers({4, 2});
              bound.run(wrong, memory, numbers({2, 3}));
          }).code() == error_code::output_shape);
    CHECK(out == before);
}

TEST_CASE("sums over nothing, one operand, numbers") {
    xt::xarray<float> out = numbers({2, 4}, 2);
    const auto nothing = make_plan<float>("ij,jk->ik", {{2, 0}, {0, 4}}).bind(1, numbers({0, 4}));
    auto memory = nothing.make_workspace();
    nothing.run(out, memory, numbers({2, 0}));
    CHECK(out == xt::zeros<float>({2, 4}));
    const auto alone = make_plan<float>("ij->ji", {{4, 2}}).bind(0, numbers({4, 2}));
    auto no_memory = alone.make_workspace();
    alone.run(out, no_memory);
    CHECK(out == xt::transpose(numbers({4, 2})));
    const auto scaled = make_plan<float>(",ij->ij", {{}, {2, 4}}).bind(0, 3);
    auto little = scaled.make_workspace();
    scaled.run(out, little, numbers({2, 4}));
    CHECK(out == 3 * numbers({2, 4}));
}
