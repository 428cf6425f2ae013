#include <xeinsum/plan.hpp>

#include "support/allocations.hpp"
#include "support/arrays.hpp"
#include "support/error_of.hpp"
#include "support/shared_calls.hpp"
#include "support/shared_emission.hpp"
#include "support/views.hpp"

#include <xeinsum/einsum.hpp>
#include <xeinsum/emit.hpp>
#include <xeinsum/reference/einsum.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <span>
#include <sstream>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

using support::code_of;
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

TEST_CASE("a plan runs as often as wanted, on other arrays each time") {
    const auto plan = make_plan<float>("ij,jk,kl->il", {{3, 4}, {4, 5}, {5, 2}});
    auto memory = plan.make_workspace();
    xt::xarray<float> out = xt::zeros<float>({3, 2});
    for (std::size_t round = 0; round < 3; ++round) {
        const auto a = numbers({3, 4}, round), b = numbers({4, 5}, 7 * round),
                   c = numbers({5, 2}, 3);
        const auto expected = reference::einsum("ij,jk,kl->il", a, b, c);
        plan.run(out, memory, a, b, c);
        CHECK(out == expected);
        plan.run(out, scale{2, -1}, memory, a, b, c);
        CHECK(out == expected);
        const std::vector<xt::xarray<float>> list{a, b, c};
        plan.run(out, memory, list);
        CHECK(out == expected);
    }
}

TEST_CASE("making a plan of two operands allocates their layouts and the loop nest") {
    const std::vector<std::vector<std::size_t>> shapes{{8, 3, 64, 150, 25}, {3, 25, 25}};
    const std::size_t before = support::allocations();
    const auto plan = make_plan<float>("nkctv,kvw->nctw", shapes);
    // Two lists for each layout, the list of both, the rows of the nest, what copies of the plan
    // share; all other lists are short.
    CHECK(support::allocations() - before <= 7);
    CHECK(plan.steps().size() == 1);
}

TEST_CASE("a plan for a machine keeps it, and runs as planned in other layouts too") {
    const auto a = numbers({195, 100}), b = numbers({100, 90}, 4);
    const auto expected = reference::einsum("ij,jk->ik", a, b);
    const auto for_machine = [](double speed) {
        const xeinsum::machine gone{.fused_multiply_adds_per_cycle = speed};
        return make_plan<float>("ij,jk->ik", {{195, 100}, {100, 90}}, {.machine = &gone});
    };
    const auto usual = make_plan<float>("ij,jk->ik", {{195, 100}, {100, 90}});
    const auto slow = for_machine(1e-3), copy = slow;
    CHECK(usual.steps()[0].how.chosen == xeinsum::lowering::gemm);
    CHECK(slow.steps()[0].how.chosen == xeinsum::lowering::broadcast_multiply_reduce);
    CHECK(slow == for_machine(1e-3));
    CHECK(slow != usual);
    CHECK(slow != for_machine(2e-3));
    const xt::xarray<float, xt::layout_type::column_major> transposed = a;
    xt::xarray<float> out = numbers({195, 90}, 9);
    for (const auto& p : {slow, copy, for_machine(50)}) {
        auto memory = p.make_workspace();
        p.run(out, memory, a, b);
        CHECK(out == expected);
        out.fill(-1);
        p.run(out, memory, transposed, b);
        CHECK(out == expected);
    }
    const xeinsum::machine mine{.fused_multiply_adds_per_cycle = 1e-3};
    out = xeinsum::einsum("ij,jk->ik", xeinsum::options{.machine = &mine}, a, b);
    CHECK(out == expected);
}

TEST_CASE("run allocates nothing") {
    struct call {
        const char* equation;
        std::vector<std::vector<std::size_t>> shapes;
        xeinsum::options options;
    };
    const std::vector<call> calls{
        {"ij,jk->ik", {{70, 80}, {80, 90}}, {}},
        {"ij,jk->ki", {{3, 4}, {4, 5}}, {}},
        {"bij,bjk->bik", {{3, 20, 30}, {3, 30, 10}}, {}},
        {"iij,jk->k", {{6, 6, 9}, {9, 7}}, {}},
        {"bchw,bchw->bc",
         {{2, 3, 9, 8}, {2, 3, 9, 8}},
         {.lowering = xeinsum::lowering::depthwise_convolution}},
        {"ij,j->i", {{5, 0}, {0}}, {}},
    };
    for (const call& c : calls) {
        CAPTURE(c.equation);
        const auto plan = make_plan<float>(c.equation, c.shapes, c.options);
        auto memory = plan.make_workspace();
        const xt::xarray<float> a = numbers(c.shapes[0]), b = numbers(c.shapes[1], 5);
        const std::vector<std::size_t> shape(plan.output_extents().begin(),
                                             plan.output_extents().end());
        xt::xarray<float> out = xt::zeros<float>(shape);
        // The same arrays column-major: not as planned, but as good.
        const xt::xarray<float, xt::layout_type::column_major> columns = a;
        xt::xarray<float, xt::layout_type::column_major> transposed = out;
        const std::size_t before = support::allocations();
        plan.run(out, memory, a, b);
        plan.run(out, scale{2.0F, 1.0F}, memory, a, b);
        plan.run(transposed, memory, columns, b);
        CHECK(support::allocations() == before);
        CHECK(transposed == reference::einsum(c.equation, a, b));
        CHECK(out == 3 * reference::einsum(c.equation, a, b));
    }
    CHECK(support::allocations() > 0);
}

TEST_CASE("run allocates nothing for ranks and operands in number") {
    const std::vector<std::size_t> shape{1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2};
    const auto plan =
        make_plan<float>("abcdefghijkl,lkjihgfedcba,a,b,c,d->",
                         {shape, {2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1}, {1}, {2}, {1}, {2}},
                         {.path = xeinsum::path_strategy::fused});
    auto memory = plan.make_workspace();
    const auto a = numbers(shape), b = numbers({2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1}, 8);
    const auto one = numbers({1}, 3), two = numbers({2}, 4);
    const xt::xarray<float, xt::layout_type::column_major> columns = a;
    xt::xtensor<float, 0> out = 0.0F;
    // Dynamic ranks above 8 are the caller's cost: tensors know theirs.
    const xt::xtensor<float, 12> ta = a, tb = b;
    const xt::xtensor<float, 12, xt::layout_type::column_major> tc = a;
    const xt::xtensor<float, 1> t1 = one, t2 = two;
    const std::size_t before = support::allocations();
    plan.run(out, memory, ta, tb, t1, t2, t1, t2);
    const float planned = out();
    plan.run(out, memory, tc, tb, t1, t2, t1, t2);
    CHECK(support::allocations() == before);
    CHECK(out() == planned);
    CHECK(out() ==
          reference::einsum("abcdefghijkl,lkjihgfedcba,a,b,c,d->", a, b, one, two, one, two)());
}

TEST_CASE("arrays may lie otherwise than planned") {
    const auto plan = make_plan<float>("iij,jk->ki", {{3, 3, 4}, {4, 5}});
    auto memory = plan.make_workspace();
    const auto a = numbers({3, 3, 4}), b = numbers({4, 5}, 6);
    const auto expected = reference::einsum("iij,jk->ki", a, b);
    const xt::xarray<float, xt::layout_type::column_major> columns = a;
    const xt::xarray<float> transposed = xt::transpose(b);
    const xt::xarray<float> reversed = xt::view(b, xt::range(3, -5, -1));
    xt::xarray<float> large = xt::zeros<float>({10, 6});
    auto out = xt::view(large, xt::range(8, -11, -2), xt::range(0, 6, 2));
    plan.run(out, memory, columns, b);
    CHECK(out == expected);
    plan.run(out, memory, a, xt::transpose(transposed));
    CHECK(out == expected);
    plan.run(out, memory, columns, xt::view(reversed, xt::range(3, -5, -1)));
    CHECK(out == expected);
}

TEST_CASE("a batch may come to lie side by side") {
    const auto plan = make_plan<float>("bij,bjk->bik", {{19, 6, 20}, {19, 20, 5}});
    auto memory = plan.make_workspace();
    const auto a = numbers({19, 6, 20}), b = numbers({19, 20, 5}, 6);
    const xt::xarray<float> a_lies = xt::transpose(a, {1, 2, 0});
    const xt::xarray<float> b_lies = xt::transpose(b, {1, 2, 0});
    xt::xarray<float> out_lies = xt::zeros<float>({6, 5, 19});
    auto out = xt::transpose(out_lies, {2, 0, 1});
    plan.run(out, memory, xt::transpose(a_lies, {2, 0, 1}), xt::transpose(b_lies, {2, 0, 1}));
    CHECK(out == reference::einsum("bij,bjk->bik", a, b));
}

TEST_CASE("plans can be made for arrays as they lie") {
    const auto a = numbers({4, 3});
    const auto transposed = xt::transpose(a);
    const auto plan = xeinsum::make_plan_for<float>(
        "ij,ik->jk", {xeinsum::layout_of(transposed), xeinsum::row_major({3, 2})});
    CHECK(plan.output_extents()[0] == 4);
    std::ostringstream text;
    text << plan;
    CHECK(holds(text.str(), "strides 1 2 -> 0"));  // i: adjacent in the transposed operand
    const auto b = numbers({3, 2}, 9);
    xt::xarray<float> out = xt::zeros<float>({4, 2});
    auto memory = plan.make_workspace();
    plan.run(out, memory, transposed, b);
    CHECK(out == reference::einsum("ij,ik->jk", transposed, b));
}

TEST_CASE("an output that overlaps an operand needs more memory, and says so") {
    const auto plan = make_plan<float>("ij,jk->ik", {{4, 4}, {4, 4}});
    xt::xarray<float> a = numbers({4, 4});
    const auto b = numbers({4, 4}, 6);
    const auto expected = reference::einsum("ij,jk->ik", a, b);
    const xt::xarray<float> before = a;
    auto memory = plan.make_workspace();
    const auto refused = error_of([&] { plan.run(a, memory, b, a); });
    CHECK(refused.code() == error_code::workspace_too_small);
    CHECK(holds(refused.what(), "the output overlaps operand 1, for which a run needs " +
                                    std::to_string(plan.overlap_workspace_bytes()) + " bytes, " +
                                    std::to_string(memory.size()) + " given"));
    CHECK(a == before);
    xeinsum::workspace more = plan.make_workspace(xeinsum::may_overlap);
    CHECK(more.size() == plan.overlap_workspace_bytes());
    plan.run(a, scale{1, 2}, more, a, b);
    CHECK(a == expected + 2 * before);
    a = before;
    plan.run(xt::transpose(a), more, a, b);
    CHECK(xt::transpose(a) == expected);
}

TEST_CASE("an output between the elements of an operand overlaps nothing") {
    // Queries and values of 5 tokens and 3 heads of 4, side by side in one array.
    xt::xarray<float> qkv = numbers({5, 3, 3, 4});
    const xt::xarray<float> before = qkv;
    const auto q = xt::view(qkv, xt::all(), 0), v = xt::view(qkv, xt::all(), 2);
    const auto w = numbers({3, 4, 4}, 6);
    const auto expected = reference::einsum("thd,hde->the", q, w);
    const auto plan = xeinsum::make_plan_for<float>("thd,hde->the",
                                                    {xeinsum::layout_of(q), xeinsum::layout_of(w)});
    auto memory = plan.make_workspace();
    auto out = xt::view(qkv, xt::all(), 2);
    plan.run(out, memory, q, w);
    CHECK(v == expected);
    CHECK(xt::view(qkv, xt::all(), xt::range(0, 2)) ==
          xt::view(before, xt::all(), xt::range(0, 2)));
    // Also where the output was planned to lie otherwise, or the operand.
    const auto other = make_plan<float>("thd,hde->the", {{5, 3, 4}, {3, 4, 4}});
    auto others = other.make_workspace();
    xt::view(qkv, xt::all(), 2) = 0;
    other.run(out, scale{1, 0}, others, q, w);
    CHECK(v == expected);
    CHECK(code_of([&] { other.run(xt::view(qkv, xt::all(), 0), others, q, w); }) ==
          error_code::workspace_too_small);
}

TEST_CASE("what no memory holds has sizes all the same") {
    constexpr std::size_t many = std::size_t{1} << 31U;
    const auto plan = make_plan<double>("i,j->ij", {{many}, {many}});
    CHECK(plan.overlap_workspace_bytes() ==
          static_cast<std::size_t>(std::numeric_limits<std::int64_t>::max()));
}

TEST_CASE("a plan that was moved from is the plan that it was") {
    const std::vector<std::vector<std::size_t>> shapes{{3, 4}, {4, 5}, {5, 6}};
    auto plan = make_plan<float>("ij,jk,kl->il", shapes);
    const auto a = numbers({3, 4}), b = numbers({4, 5}, 3), c = numbers({5, 6}, 9);
    const auto expected = reference::einsum("ij,jk,kl->il", a, b, c);
    const auto print = [](const auto& p) {
        std::ostringstream text;
        text << p;
        return text.str();
    };
    // NOLINTBEGIN(bugprone-use-after-move)
    const auto check = [&] {
        auto moved = std::move(plan);
        CHECK(plan == moved);
        CHECK(plan.key().hash() == moved.key().hash());
        CHECK(plan.steps().size() == 2);
        CHECK(plan.flops() == moved.flops());
        CHECK(plan.path() == moved.path());
        CHECK(plan.equation().text() == "ij,jk,kl->il");
        CHECK(print(plan) == print(moved));
        CHECK(plan.emit(xeinsum::target::numpy) == moved.emit(xeinsum::target::numpy));
        for (auto* p : {&plan, &moved}) {
            xt::xarray<float> out = xt::zeros<float>({3, 6});
            auto memory = p->make_workspace();
            p->run(out, memory, a, b, c);
            CHECK(out == expected);
            const auto bound = p->bind(1, b);
            auto less = bound.make_workspace();
            out.fill(0);
            bound.run(out, less, a, c);
            CHECK(out == expected);
        }
    };
    // NOLINTEND(bugprone-use-after-move)
    check();
    auto other = make_plan<float>("i->", {{3}});
    other = std::move(plan);
    CHECK(other.equation().text() == "ij,jk,kl->il");
    check();
}

TEST_CASE("a key that was moved from refers to nothing") {
    const xeinsum::machine slow{.hertz = 1e6};
    auto key = make_plan<float>("ij->i", {{3, 4}}, {.machine = &slow}).key();
    {
        const auto moved = std::move(key);
        CHECK(moved.wanted().machine->hertz == 1e6);
    }
    CHECK(key.wanted().machine == nullptr);  // NOLINT(bugprone-use-after-move)
}

TEST_CASE("any number of threads is planned for as many as are of use") {
    const auto plan = make_plan<float>("ij,jk->ik", {{2000, 2000}, {2000, 2000}},
                                       {.threads = std::numeric_limits<unsigned>::max()});
    CHECK(plan.workspace_bytes() <
          std::size_t{4} * 3 * 2000 * 2000 * sizeof(float) + (std::size_t{1} << 20U));
    const auto some = make_plan<float>("ij,jk->ik", {{2000, 2000}, {2000, 2000}}, {.threads = 64});
    CHECK(plan.workspace_bytes() >= some.workspace_bytes());
}

TEST_CASE("any memory of the right size is a workspace, too little is refused") {
    const auto plan = make_plan<float>("ij,jk->ik", {{40, 50}, {50, 60}});
    const auto a = numbers({40, 50}), b = numbers({50, 60}, 6);
    xt::xarray<float> out = numbers({40, 60}, 2);
    const xt::xarray<float> before = out;
    std::vector<std::byte> bytes(plan.workspace_bytes() + 1);
    CHECK(code_of([&] {
              plan.run(out, std::span<std::byte>(bytes).first(plan.workspace_bytes() - 1), a, b);
          }) == error_code::workspace_too_small);
    CHECK(out == before);
    for (const std::size_t skip : {0U, 1U}) {
        plan.run(out, std::span<std::byte>(bytes).subspan(skip, plan.workspace_bytes()), a, b);
        CHECK(out == reference::einsum("ij,jk->ik", a, b));
    }
    CHECK(make_plan<float>("i->i", {{5}}).workspace_bytes() == 0);
    xt::xarray<float> copy = xt::zeros<float>({5});
    make_plan<float>("i->i", {{5}}).run(copy, std::span<std::byte>(), numbers({5}));
    CHECK(copy == numbers({5}));
}

TEST_CASE("arrays of other shapes or numbers are refused, nothing is written") {
    const auto plan = make_plan<float>("ij,jk->ik", {{2, 3}, {3, 4}});
    auto memory = plan.make_workspace();
    xt::xarray<float> out = numbers({2, 4}, 2);
    const xt::xarray<float> before = out;
    CHECK(code_of([&] { plan.run(out, memory, numbers({2, 3})); }) == error_code::operand_count);
    CHECK(code_of([&] {
              plan.run(out, memory, numbers({2, 3}), numbers({3, 5}));
          }) == error_code::operand_shape);
    CHECK(code_of([&] {
              plan.run(out, memory, numbers({3}), numbers({3, 4}));
          }) == error_code::operand_shape);
    CHECK(code_of([&] {
              xt::xarray<float> wrong = numbers({4, 2});
              plan.run(wrong, memory, numbers({2, 3}), numbers({3, 4}));
          }) == error_code::output_shape);
    CHECK(out == before);
    CHECK(code_of([] {
              static_cast<void>(make_plan<float>("ij,jk->ik", {{2, 3}, {4, 5}}));
          }) == error_code::extent_mismatch);
    CHECK(code_of([] {
              static_cast<void>(make_plan<float>("ij->k", {{2, 3}}));
          }) == error_code::unknown_output_label);
}

TEST_CASE("numbers about a plan") {
    const auto product = make_plan<float>("ij,jk->ik", {{30, 40}, {40, 50}});
    CHECK(product.flops() == 2.0 * 30 * 40 * 50);
    CHECK(product.predicted_seconds() > 0);
    CHECK(product.largest_intermediate() == 0);
    CHECK(product.workspace_bytes() > 0);
    CHECK(product.equation().text() == "ij,jk->ik");
    const auto chain = make_plan<float>("ij,jk,kl->il", {{50, 40}, {40, 30}, {30, 2}});
    CHECK(chain.flops() == 2.0 * 40 * 30 * 2 + 2.0 * 50 * 40 * 2);
    CHECK(chain.largest_intermediate() == 80);
    CHECK(chain.steps().size() == 2);
    CHECK(make_plan<float>("i,i->i", {{7}, {7}}).flops() == 7);
    CHECK(make_plan<float>("ij->i", {{7, 3}}).flops() == 21);
}

TEST_CASE("a printed plan says what it does and why") {
    std::ostringstream text;
    text << make_plan<float>("nkctv,kvw->nctw", {{8, 3, 64, 150, 25}, {3, 25, 25}});
    CHECK(holds(text.str(), "plan of nkctv,kvw->nctw\n"));
    CHECK(holds(text.str(), "extents: n=8 k=3 c=64 t=150 v=25 w=25\n"));
    CHECK(holds(text.str(), "1 step, 2.88e+08 flops, predicted "));
    CHECK(
        holds(text.str(), "step 1: nkctv,kvw->nctw    (a pair: operand 0, operand 1 -> result)\n"));
    CHECK(holds(text.str(), "classes: lhs-free nct; rhs-free w; contracted kv\n"));
    CHECK(holds(text.str(), "lowering: gemm    predicted: broadcast_multiply_reduce "));
    CHECK(
        holds(text.str(), "depthwise_convolution not applicable (both operands have free labels"));
    CHECK(holds(text.str(),
                "batch 8, m 9600, n 25, k 75, lhs read directly; 2.88e+08 flops, scratch "));
    CHECK(holds(text.str(), "mode 1: extent 9600, strides 25 0 -> 25\n"));
    CHECK(holds(text.str(), "mode 4: extent 25, summed, strides 1 25 -> 0\n"));

    text.str("");
    text << make_plan<float>("ij,kl->jl", {{3, 4}, {5, 6}});
    CHECK(holds(text.str(), "3 steps"));
    CHECK(holds(
        text.str(),
        "step 1: ij->j    (sums over labels of one operand alone: operand 0 -> intermediate 0)\n"));
    CHECK(holds(text.str(), "classes: free j; summed i\n"));
    CHECK(holds(text.str(),
                "step 3: j,l->jl    (a pair: intermediate 0, intermediate 1 -> result)\n"));

    text.str("");
    text << make_plan<float>("...i,i->...", {{2, 0, 3}, {3}});
    CHECK(holds(text.str(), "... stands for A B\n"));
    CHECK(holds(text.str(), "an extent is 0: the result has no element or is all zeros\n"));

    text.str("");
    text << make_plan<float>("b l d, b l n, b l d -> b l d n", {{1, 9, 8}, {1, 9, 4}, {1, 9, 8}});
    CHECK(holds(text.str(),
                "(all operands in one pass: operand 0, operand 1, operand 2 -> result)\n"));
    CHECK(holds(text.str(), "classes: batch ld; free n\n"));
}

TEST_CASE("plans are compared and looked up by what they depend on") {
    const auto plan = make_plan<float>("ij,jk->ik", {{4, 5}, {5, 6}});
    const auto copy = plan;
    const auto other = make_plan<float>("ij,jk->ik", {{4, 5}, {5, 7}});
    CHECK(copy == plan);
    CHECK(plan == make_plan<float>(xeinsum::parse("ij,jk->ik"), {{4, 5}, {5, 6}}));
    CHECK_FALSE(plan == other);
    CHECK_FALSE(plan == make_plan<float>("ij,jk->ik", {{4, 5}, {5, 6}}, {.threads = 2}));
    const std::unordered_map<xeinsum::plan<float>, int> numbered{{plan, 1}, {other, 2}};
    CHECK(numbered.at(copy) == 1);
    CHECK(numbered.at(other) == 2);
}

TEST_CASE("plans are values, and threads share them") {
    const auto original = make_plan<float>("ij,jk->ik", {{40, 50}, {50, 60}});
    const auto plan = original;
    const auto a = numbers({40, 50}), b = numbers({50, 60}, 6);
    const auto expected = reference::einsum("ij,jk->ik", a, b);
    std::vector<xt::xarray<float>> results(4);
    std::vector<std::thread> threads;
    for (auto& result : results) {
        threads.emplace_back([&] {
            auto memory = plan.make_workspace();
            xt::xarray<float> out = xt::zeros<float>({40, 60});
            for (int round = 0; round < 20; ++round) {
                plan.run(out, memory, a, b);
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
