#include <xeinsum/grouped_plan.hpp>

#include "support/allocations.hpp"
#include "support/arrays.hpp"
#include "support/error_of.hpp"
#include "support/shared_emission.hpp"
#include "support/views.hpp"

#include <xeinsum/compiled.hpp>
#include <xeinsum/emit.hpp>
#include <xeinsum/reference/einsum.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <string>
#include <vector>

using support::numbers;
using support::reshaped;
using xeinsum::error_code;
using xeinsum::layout_of;
using xeinsum::make_plan;
using xeinsum::make_plan_for;
using xeinsum::scale;
using xeinsum::target;
namespace reference = xeinsum::reference;

namespace {

using shape = std::vector<std::size_t>;

const char* const scores = "b n (h d), b m (h d) -> b (h n) m";

/// What scores of h = 3, d = 4 on (2, 5, 12) and (2, 7, 12) come to.
xt::xarray<float> expected_scores(const xt::xarray<float>& q, const xt::xarray<float>& k) {
    return reshaped(
        reference::einsum("bnhd,bmhd->bhnm", reshaped(q, {2, 5, 3, 4}), reshaped(k, {2, 7, 3, 4})),
        {2, 15, 7});
}

}  // namespace

TEST_CASE("plans with groups run on the arrays as they are") {
    const auto plan = make_plan<float>(scores, {{2, 5, 12}, {2, 7, 12}}, {{"h", 3}});
    const auto q = numbers({2, 5, 12}), k = numbers({2, 7, 12}, 5);
    const auto expected = expected_scores(q, k);
    CHECK(shape(plan.output_extents().begin(), plan.output_extents().end()) == shape{2, 15, 7});
    CHECK(plan.flops() == 2. * 2 * 3 * 5 * 7 * 4);
    auto memory = plan.make_workspace();
    xt::xarray<float> out = numbers({2, 15, 7}, 3);
    const auto before = out;
    plan.run(out, scale{2, -1}, memory, q, k);
    CHECK(out == 2 * expected - before);
    plan.run(out, memory, std::vector<xt::xarray<float>>{q, k});
    CHECK(out == expected);
    out.fill(0);
    const xt::xtensor<float, 3> q3 = q, k3 = k;
    xt::xtensor<float, 3> out3 = out;
    const std::size_t allocated = support::allocations();
    plan.run(out3, memory, q3, k3);
    CHECK(support::allocations() == allocated);
    CHECK(out3 == expected);
}

TEST_CASE("plans with groups run on arrays that lie otherwise, without allocating") {
    const auto plan = make_plan<float>(scores, {{2, 5, 12}, {2, 7, 12}}, {{"d", 4}});
    const auto q = numbers({2, 5, 12}), k = numbers({2, 7, 12}, 5);
    const auto expected = expected_scores(q, k);
    auto memory = plan.make_workspace();
    const xt::xtensor<float, 3, xt::layout_type::column_major> columns = q;
    const xt::xtensor<float, 3> reversed = xt::view(k, xt::all(), xt::range(6, -8, -1), xt::all());
    const auto back = xt::view(reversed, xt::all(), xt::range(6, -8, -1), xt::all());
    xt::xtensor<float, 3, xt::layout_type::column_major> out = numbers({2, 15, 7}, 3);
    const std::size_t allocated = support::allocations();
    plan.run(out, memory, columns, back);
    CHECK(support::allocations() == allocated);
    CHECK(out == expected);
    // The same layouts, known beforehand.
    const auto same = make_plan_for<float>(scores, {layout_of(columns), layout_of(back)},
                                           {{"d", 4}}, {.threads = 2});
    xt::xtensor<float, 3> rows = numbers({2, 15, 7}, 3);
    same.run(rows, same.make_workspace(), columns, back);
    CHECK(rows == expected);
    CHECK(same != plan);
}

TEST_CASE("an output of a plan with groups may overlap an operand") {
    const auto plan =
        make_plan<float>("n (g c), c e -> n (g e)", {{4, 6}, {2, 2}}, xeinsum::axis_lengths{});
    auto x = numbers({4, 6}, 2);
    const auto w = numbers({2, 2}, 1);
    const auto expected =
        reshaped(reference::einsum("ngc,ce->nge", reshaped(x, {4, 3, 2}), w), {4, 6});
    xeinsum::workspace memory(plan.overlap_workspace_bytes());
    plan.run(x, memory, x, w);
    CHECK(x == expected);
    // The result and an operand in two layouts of one array.
    xt::xarray<float> square = numbers({4, 4}, 3);
    const xt::xarray<float> copy = square;
    const auto transpose = make_plan<float>("(a b) c -> c (b a)", {{4, 4}}, {{"a", 2}});
    xeinsum::workspace more(transpose.overlap_workspace_bytes());
    transpose.run(xt::transpose(square), more, square);
    const auto transposed =
        reshaped(reference::einsum("abc->cba", reshaped(copy, {2, 2, 4})), {4, 4});
    CHECK(square == xt::transpose(transposed));
}

TEST_CASE("paths, diagonals, unit axes, numbers, an ellipsis and extents of 0 and 1") {
    const auto x = numbers({6, 10}, 4), y = numbers({3}, 5), z = numbers({5, 2, 8}, 6);
    const auto plan = make_plan<float>("(a b) (c d), b, c d (e f) -> (c a) 1 f",
                                       {{6, 10}, {3}, {5, 2, 8}}, {{"e", 4}});
    auto memory = plan.make_workspace();
    xt::xarray<float> out = numbers({10, 1, 2}, 1);
    const auto expected = reshaped(reference::einsum("abcd,b,cdef->caf", reshaped(x, {2, 3, 5, 2}),
                                                     y, reshaped(z, {5, 2, 4, 2})),
                                   {10, 1, 2});
    plan.run(out, memory, x, y, z);
    CHECK(out == expected);
    const xt::xarray<float, xt::layout_type::column_major> columns = z;
    plan.run(out, memory, x, y, columns);
    CHECK(out == expected);

    const auto run = [](const char* eq, const xt::xarray<float>& a, const shape& result,
                        const xeinsum::axis_lengths& lengths) {
        const auto p = make_plan<float>(eq, {shape(a.shape().begin(), a.shape().end())}, lengths);
        xt::xarray<float> r = numbers(result, 9);
        p.run(r, p.make_workspace(), a);
        return r;
    };
    const auto square = numbers({9, 4}, 3);
    CHECK(run("(i i) a -> a", square, {4}, {{"i", 3}}) ==
          reference::einsum("iia->a", reshaped(square, {3, 3, 4})));
    const auto w = numbers({4, 2, 3, 6}, 7);
    CHECK(run("... (p q) -> (... q) p", w, {48, 3}, {{"q", 2}}) ==
          reshaped(reference::einsum("abcpq->abcqp", reshaped(w, {4, 2, 3, 3, 2})), {48, 3}));
    CHECK(run("a 1 (b 2) -> b a", numbers({3, 1, 8}, 2), {4, 3}, {}) ==
          reference::einsum("abc->ba", numbers({3, 4, 2}, 2)));
    CHECK(run("(a b) c -> b", numbers({0, 3}), {5}, {{"b", 5}}) == xt::zeros<float>({5}));
}

TEST_CASE("many operands: what a run takes apart is part of the workspace") {
    std::string text;
    std::vector<shape> shapes;
    std::vector<xt::xarray<float>> operands;
    xt::xarray<float> product = xt::ones<float>({6});
    for (std::size_t i = 0; i < 170; ++i) {
        text += i == 0 ? "(a b)" : ", (a b)";
        shapes.push_back({6});
        xt::xarray<float> signs = xt::ones<float>({6});
        signs((i * 5) % 6) = -1;
        product *= signs;
        operands.push_back(signs);
    }
    const auto plan = make_plan<float>(text + " -> (b a)", shapes, {{"a", 2}});
    REQUIRE(plan.workspace_bytes() > 8192);
    xt::xarray<float> apart = xt::zeros<float>({12});
    auto out = xt::view(apart, xt::range(0, 12, 2));
    plan.run(out, plan.make_workspace(), operands);
    CHECK(out == reshaped(xt::transpose(reshaped(product, {2, 3})), {6}));
}

TEST_CASE("operands with groups are bound") {
    const auto q = numbers({2, 5, 12}), k = numbers({2, 7, 12}, 5);
    const auto expected = expected_scores(q, k);
    const auto plan = make_plan<float>(scores, {{2, 5, 12}, {2, 7, 12}}, {{"h", 3}});
    const xt::xarray<float, xt::layout_type::column_major> columns = k;
    const auto bound = plan.bind(1, columns);
    auto memory = bound.make_workspace();
    xt::xarray<float> out = numbers({2, 15, 7}, 3);
    bound.run(out, memory, q);
    CHECK(out == expected);
    const xt::xarray<float, xt::layout_type::column_major> other = q;
    out.fill(0);
    bound.run(out, memory, other);
    CHECK(out == expected);
    const auto all = bound.bind(0, other);
    out.fill(0);
    all.run(out, all.make_workspace());
    CHECK(out == expected);
    // A plan for another layout of what is bound is made again.
    const auto lain = make_plan_for<float>(scores, {layout_of(q), layout_of(columns)}, {{"h", 3}});
    const auto again = lain.bind(1, columns);
    out.fill(0);
    again.run(out, again.make_workspace(), q);
    CHECK(out == expected);
}

TEST_CASE("the lengths are part of what a plan is known by") {
    const auto two = make_plan<float>("(a b) -> b a", {{12}}, {{"a", 2}});
    const auto three = make_plan<float>("(a b) -> b a", {{12}}, {{"a", 3}});
    CHECK(two != three);
    CHECK(two.key().hash() != three.key().hash());
    CHECK(two == make_plan<float>("(a b) -> b a", {{12}}, {{"b", 6}}));
    CHECK(two.key().hash() == make_plan<float>("(a b) -> b a", {{12}}, {{"b", 6}}).key().hash());
}

TEST_CASE("braces without lengths are options") {
    const auto plan = make_plan<float>("ab->ba", {{2, 3}}, {});
    CHECK(plan.equation().notation() == xeinsum::notation::letters);
    CHECK(make_plan_for<float>("ab->ba", {xeinsum::row_major({2, 3})}, {}) == plan);
    CHECK(make_plan<float>("ab->ba", {{2, 3}}, {.threads = 1}) == plan);
}

TEST_CASE("plans with groups are written down") {
    const auto plan = make_plan<float>(scores, {{2, 5, 12}, {2, 7, 12}}, {{"h", 3}});
    CHECK(plan.emit(target::numpy) ==
          "# b n (h d), b m (h d) -> b (h n) m for (2, 5, 12), (2, 7, 12)\n"
          "def einsum(a, b):\n"
          "    a = a.reshape(2, 5, 3, 4).transpose(0, 2, 1, 3)\n"
          "    return (a @ b.reshape(2, 7, 3, 4).transpose(0, 2, 3, 1)).reshape(2, 15, 7)\n");
    CHECK(plan.emit(target::torch, {.dynamic = {"n"}}) ==
          "# b n (h d), b m (h d) -> b (h n) m for (2, 5, 12), (2, 7, 12)\n"
          "def einsum(a, b):\n"
          "    return (a.reshape(2, -1, 3, 4).permute(0, 2, 1, 3) @ "
          "b.reshape(2, 7, 3, 4).permute(0, 2, 3, 1)).reshape(2, -1, 7)\n");
    CHECK(plan.emit(target::onnx_text, {.dynamic = {"n"}})
              .find("(float[2, n, 12] a, float[2, 7, 12] b) => (float[2, ?, 7] result)") !=
          std::string::npos);
    CHECK(plan.emit(target::xtensor, {.dynamic = {"n"}}).find("{2, a.shape(1), 3, 4}") !=
          std::string::npos);
    // c has an axis of its own, h and g have none.
    const auto mixed =
        make_plan<float>("n (g c), c e -> (g e) n", {{4, 6}, {2, 5}}, xeinsum::axis_lengths{});
    CHECK(mixed.emit(target::numpy, {.dynamic = {"c", "n"}}).find("extent_c = b.shape[0]") !=
          std::string::npos);
    const auto refused = support::error_of(
        [&] { static_cast<void>(mixed.emit(target::numpy, {.dynamic = {"g"}})); });
    CHECK(refused.code() == error_code::not_emittable);
    CHECK(std::string(refused.what()).find("no axis of its own") != std::string::npos);
    CHECK(make_plan<float>("(a b) c -> (c b)", {{0, 3}}, {{"b", 5}})
              .emit(target::numpy)
              .find("np.zeros((15,), a.dtype)") != std::string::npos);
}

TEST_CASE("what is wrong with a plan with groups, or its arrays, is told with its column") {
    const auto refuses = [](auto call, error_code code, std::size_t column) {
        const auto e = support::error_of(call);
        CHECK(e.code() == code);
        CHECK(e.column() == column);
    };
    const auto made = [](const char* eq, const std::vector<shape>& shapes,
                         const xeinsum::axis_lengths& lengths) {
        return [=] { static_cast<void>(make_plan<float>(eq, shapes, lengths)); };
    };
    refuses(made(scores, {{2, 5, 12}, {2, 7, 10}}, {{"h", 3}}), error_code::not_divisible, 16);
    refuses(made(scores, {{2, 5, 12}, {2, 7, 12}}, xeinsum::axis_lengths{}),
            error_code::missing_length, 6);
    refuses(made(scores, {{2, 5, 12}, {2, 7, 12}}, {{"x", 3}}), error_code::unknown_axis, 0);
    refuses(made(scores, {{2, 5, 12}, {12}}, {{"h", 3}}), error_code::rank_mismatch, 12);
    refuses(made("(a b) -> a b", {{0}}, {{"a", 0}}), error_code::missing_length, 4);
    refuses(
        [] {
            static_cast<void>(make_plan<float>(scores, {{2, 5, 12}, {2, 7, 12}},
                                               {.notation = xeinsum::notation::grouped}));
        },
        error_code::unsupported_axis, 0);
    const auto plan = make_plan<float>(scores, {{2, 5, 12}, {2, 7, 12}}, {{"h", 3}});
    auto memory = plan.make_workspace();
    xt::xarray<float> out = numbers({2, 15, 7}, 3);
    const auto before = out;
    const auto q = numbers({2, 5, 12});
    refuses([&] { plan.run(out, memory, q, numbers({2, 7, 10})); }, error_code::operand_shape, 16);
    refuses(
        [&] {
            plan.run(out, memory, numbers({2, 5, 3, 4}), numbers({2, 7, 12}));
        },
        error_code::operand_shape, 1);
    CHECK(out == before);
    xt::xarray<float> four = numbers({2, 3, 5, 7});
    refuses([&] { plan.run(four, memory, q, numbers({2, 7, 12})); }, error_code::output_shape, 25);
    refuses([&] { static_cast<void>(plan.bind(1, q)); }, error_code::operand_shape, 14);
    // A lowering that does not apply is the planner's to refuse.
    refuses(
        [] {
            static_cast<void>(make_plan<float>("(a b) -> b a", {{12}}, {{"a", 2}},
                                               {.lowering = xeinsum::lowering::gemm}));
        },
        error_code::lowering_not_applicable, 0);
}
