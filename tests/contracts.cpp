// What every call promises, whatever the equation: each test here fails if the promise is broken.
#include <xeinsum/xeinsum.hpp>

#include "support/arrays.hpp"
#include "support/error_of.hpp"
#include "support/shared_calls.hpp"
#include "support/views.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using support::code_of;
using support::fractions;
using support::numbers;
using xeinsum::einsum;
using xeinsum::einsum_to;
using xeinsum::error_code;
using xeinsum::lowering;
using xeinsum::options;
using xeinsum::scale;
namespace reference = xeinsum::reference;

namespace {

constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();

/// Equations that take every kernel: products with edges in all directions, matrix-vector and dot
/// products, convolutions along positions, groups and window, permutes, sums.
struct shapes_of_call {
    const char* equation;
    std::vector<std::vector<std::size_t>> shapes;
};
const std::vector<shapes_of_call>& calls() {
    static const std::vector<shapes_of_call> list{
        {"ij,jk->ik", {{13, 300}, {300, 21}}},
        {"ij,jk->ki", {{13, 30}, {30, 21}}},
        {"bij,bjk->bik", {{3, 5, 6}, {3, 6, 7}}},
        {"ij,j->i", {{9, 33}, {33}}},
        {"ji,j->i", {{33, 9}, {33}}},
        {"i,i->", {{50}, {50}}},
        {"i,j->ij", {{9}, {19}}},
        {"ij,ij->ij", {{9, 11}, {9, 11}}},
        {"bchw,bchw->bc", {{2, 3, 5, 7}, {2, 3, 5, 7}}},
        {"bhwc,bhwc->bc", {{2, 5, 7, 19}, {2, 5, 7, 19}}},
        {"abc,abcf->cf", {{3, 4, 5}, {3, 4, 5, 37}}},
        {"ij->ji", {{17, 40}}},
        {"ij->j", {{17, 40}}},
        {"ij->i", {{17, 40}}},
        {"ii->i", {{9, 9}}},
        {"ij->", {{17, 40}}},
        {"ijk->kij", {{3, 18, 20}}},
        {"ij,ji->ij", {{9, 11}, {11, 9}}},
        {"ij,kl->jl", {{5, 4}, {6, 3}}},
    };
    return list;
}

std::vector<xt::xarray<float>> operands_of(const shapes_of_call& c) {
    std::vector<xt::xarray<float>> operands;
    for (const auto& s : c.shapes) {
        operands.push_back(numbers(s, 7 * operands.size()));
    }
    return operands;
}

/// Calls body(operands, options, expected) for every call and every lowering that applies to it.
template <class Body>
void for_each_call(Body body) {
    int forced_calls = 0;
    for (const shapes_of_call& c : calls()) {
        CAPTURE(c.equation);
        const auto operands = operands_of(c);
        const auto expected = reference::einsum(c.equation, operands);
        body(c.equation, operands, options{}, expected);
        for (const lowering forced : xeinsum::lowerings_in_order) {
            CAPTURE(name(forced));
            const options wanted{.lowering = forced};
            try {
                static_cast<void>(einsum(c.equation, operands, wanted));
            } catch (const xeinsum::einsum_error&) {
                continue;
            }
            ++forced_calls;
            body(c.equation, operands, wanted, expected);
        }
    }
    CHECK(forced_calls > 35);
}

}  // namespace

TEST_CASE("beta 0 never reads the output") {
    for_each_call([](const char* equation, const auto& operands, const options& wanted,
                     const xt::xarray<float>& expected) {
        xt::xarray<float> out = xt::full_like(expected, not_a_number);
        einsum_to(equation, out, scale{2, 0}, operands, wanted);
        CHECK(out == 2 * expected);
        const std::vector<std::size_t> reversed(expected.shape().rbegin(), expected.shape().rend());
        xt::xarray<float> transposed = xt::xarray<float>::from_shape(reversed);
        transposed.fill(infinity);
        einsum_to(equation, xt::transpose(transposed), operands, wanted);
        CHECK(xt::transpose(transposed) == expected);
    });
}

TEST_CASE("NaN and Inf in operands reach the elements that they belong to, and no other") {
    for_each_call([](const char* equation, auto operands, const options& wanted,
                     const xt::xarray<float>& finite) {
        for (const float special : {not_a_number, infinity}) {
            // Positive elsewhere: Inf - Inf and 0 * Inf would depend on what is summed first.
            for (auto& o : operands) {
                o = xt::abs(o) + 1;
            }
            operands.front().storage()[operands.front().size() / 2] = special;
            const auto expected = reference::einsum(equation, operands);
            const auto found = einsum(equation, operands, wanted);
            CHECK(reference::worst_ratio(found, expected, reference::bound(equation, operands)) <=
                  1);
            bool reached = false;
            for (const float x : found) {
                reached = reached || !std::isfinite(x);
            }
            // The middle element may lie off the diagonal.
            CHECK((reached || std::string(equation) == "ii->i"));
            static_cast<void>(finite);
        }
    });
}

TEST_CASE("0 * Inf is NaN in a matrix product, inside its edges too") {
    xt::xarray<float> a = numbers({7, 9}), b = numbers({9, 5}, 3);
    a(6, 8) = infinity;
    b(8, 4) = 0;
    b(8, 3) = 1;
    const auto y = einsum<"ij,jk->ik">(options{.lowering = lowering::gemm}, a, b);
    CHECK(std::isnan(y(6, 4)));
    CHECK(y(6, 3) == infinity);
    CHECK(std::isfinite(y(5, 4)));
}

TEST_CASE("an output that overlaps an operand gets what it would get elsewhere") {
    xt::xarray<float> memory = numbers({4, 4, 4});
    const xt::xarray<float> before = memory;
    SUBCASE("the whole operand") {
        const auto expected = reference::einsum("ijk,kl->ijl", before, xt::view(before, 1));
        einsum_to<"ijk,kl->ijl">(memory, memory, xt::view(memory, 1));
        CHECK(memory == expected);
    }
    SUBCASE("shifted by one") {
        const auto from = xt::view(memory, xt::all(), xt::range(0, 3), xt::all());
        auto to = xt::view(memory, xt::all(), xt::range(1, 4), xt::all());
        const auto expected = reference::einsum("ijk->ijk", from);
        einsum_to("ijk->ijk", to, from);
        CHECK(to == expected);
    }
    SUBCASE("transposed in place, scaled, with beta") {
        auto square = xt::view(memory, 2);
        const xt::xarray<float> old = square;
        einsum_to("ij->ji", square, scale{2, -1}, square);
        CHECK(square == 2 * xt::transpose(old) - old);
    }
    SUBCASE("as its own factor") {
        auto square = xt::view(memory, 3);
        const auto expected = reference::einsum("ij,jk->ik", square, square);
        einsum_to<"ij,jk->ik">(square, square, square);
        CHECK(square == expected);
    }
}

TEST_CASE("an output between the elements of its operands") {
    // Every array has each step-th element of one memory, the output the first.
    int runs_without_a_copy = 0;
    for_each_call([&](const char* equation, const auto& operands, const options& wanted,
                      const xt::xarray<float>& expected) {
        const std::size_t step = operands.size() + 1;
        std::size_t most = expected.size();
        for (const auto& o : operands) {
            most = std::max(most, o.size());
        }
        auto memory = xt::xtensor<float, 1>::from_shape({most * step});
        const auto interleaved = [&](std::size_t which, const auto& shape) {
            xt::dynamic_shape<std::ptrdiff_t> strides(shape.size());
            auto stride = static_cast<std::ptrdiff_t>(step);
            for (std::size_t axis = shape.size(); axis-- > 0;) {
                strides[axis] = stride;
                stride *= static_cast<std::ptrdiff_t>(shape[axis]);
            }
            return xt::xstrided_view<xt::xtensor<float, 1>&, xt::dynamic_shape<std::size_t>,
                                     xt::layout_type::dynamic>(
                memory, xt::dynamic_shape<std::size_t>(shape.begin(), shape.end()),
                std::move(strides), which, xt::layout_type::dynamic);
        };
        std::vector<decltype(interleaved(0, expected.shape()))> views;
        for (std::size_t i = 0; i < operands.size(); ++i) {
            views.push_back(interleaved(1 + i, operands[i].shape()));
        }
        auto out = interleaved(0, expected.shape());
        const auto fill = [&] {
            memory.fill(-77);
            for (std::size_t i = 0; i < operands.size(); ++i) {
                std::copy(operands[i].begin(), operands[i].end(), views[i].begin());
            }
        };
        const auto check = [&] {
            CHECK(out == expected);
            for (std::size_t i = 0; i < operands.size(); ++i) {
                CHECK(views[i] == operands[i]);
            }
        };
        fill();
        einsum_to(equation, out, views, wanted);
        check();
        fill();
        std::vector<xeinsum::layout> lie;
        for (const auto& v : views) {
            lie.push_back(xeinsum::layout_of(v));
        }
        const auto plan = xeinsum::make_plan_for<float>(equation, lie, wanted);
        auto workspace = plan.make_workspace();
        plan.run(out, workspace, views);
        check();
        runs_without_a_copy += plan.overlap_workspace_bytes() > plan.workspace_bytes() ? 1 : 0;
    });
    CHECK(runs_without_a_copy > 35);
}

TEST_CASE("a call that throws leaves the output as it was") {
    xt::xarray<float> out = numbers({3, 5}, 9);
    const xt::xarray<float> before = out;
    const auto a = numbers({3, 4}), b = numbers({4, 5});
    CHECK(code_of([&] { einsum_to("ij,jk->ik", out, a, xt::transpose(b)); }) ==
          error_code::extent_mismatch);
    CHECK(code_of([&] { einsum_to("ij,jk->ki", out, a, b); }) == error_code::output_shape);
    CHECK(code_of([&] {
              einsum_to("ij,jk->ik", out, options{.lowering = lowering::depthwise_convolution}, a,
                        b);
          }) == error_code::lowering_not_applicable);
    CHECK(code_of([&] {
              einsum_to("ij,jk,k->i", out,
                        options{.path = xeinsum::path_strategy::greedy, .memory_limit = 1}, a, b,
                        numbers({5}));
          }) == error_code::output_shape);
    CHECK(out == before);
}

TEST_CASE("results do not depend on the number of threads") {
    const auto a = fractions({70, 90}, 1), b = fractions({90, 50}, 2);
    const auto one = einsum("ij,jk->ik", options{.threads = 1}, a, b);
    for (const unsigned threads : {2U, 3U, 16U}) {
        CHECK(einsum("ij,jk->ik", options{.threads = threads}, a, b) == one);
    }
    const auto c = fractions({13, 30, 203}, 3), d = fractions({30, 24, 203}, 4);
    const auto batch = einsum("ijb,jkb->ikb", options{.threads = 1}, c, d);
    for (const unsigned threads : {2U, 3U, 16U}) {
        CHECK(einsum("ijb,jkb->ikb", options{.threads = threads}, c, d) == batch);
    }
    const auto e = fractions({30, 20, 48, 7}, 5), f = fractions({10, 7, 48}, 6);
    const auto copied = einsum("deac,bca->deb", options{.threads = 1}, e, f);
    for (const unsigned threads : {2U, 3U, 16U}) {
        CHECK(einsum("deac,bca->deb", options{.threads = threads}, e, f) == copied);
    }
}

TEST_CASE("results do not depend on whether the compiler knew the equation, or a plan was made") {
    const auto check = []<xeinsum::fixed_string Equation>(const std::vector<std::size_t>& sa,
                                                          const std::vector<std::size_t>& sb) {
        const auto a = fractions(sa, 3), b = fractions(sb, 4);
        const xt::xarray<float> compiled = einsum<Equation>(a, b);
        CHECK(compiled == einsum(Equation.view(), a, b));
        const auto plan = xeinsum::make_plan<float>(Equation.view(), {sa, sb});
        auto memory = plan.make_workspace();
        xt::xarray<float> planned = xt::empty_like(compiled);
        plan.run(planned, memory, a, b);
        CHECK(compiled == planned);
    };
    check.operator()<"ij,jk->ik">({33, 500}, {500, 41});
    check.operator()<"bij,bjk->kbi">({3, 13, 50}, {3, 50, 11});
    check.operator()<"ijb,jkb->ikb">({3, 70, 13}, {70, 5, 13});
    check.operator()<"bchw,bchw->bc">({2, 3, 9, 11}, {2, 3, 9, 11});
    check.operator()<"ij,j->i">({21, 301}, {301});
    check.operator()<"ij,kl->jl">({5, 40}, {6, 30});
    check.operator()<"deac,bca->deb">({30, 20, 48, 7}, {10, 7, 48});
    check.operator()<"cafb,cfbed->ade">({8, 4, 33, 4}, {8, 33, 4, 7, 25});
    check.operator()<"ab,acb->bca">({60, 24}, {60, 200, 24});
}

TEST_CASE("nor where matrices lie in another order than their labels") {
    // So large that copies in another order would be thought of.
    const auto a = fractions({500, 12}, 3), b = fractions({1200, 500}, 4);
    const auto spread = fractions({24, 1000}, 5);
    const auto check = [&](const auto& lhs, const auto& rhs) {
        const xt::xarray<float> compiled = einsum<"ij,jk->ik">(lhs, rhs);
        CHECK(compiled == einsum("ij,jk->ik", lhs, rhs));
        xt::xarray<float, xt::layout_type::column_major> known = xt::empty_like(compiled);
        xt::xarray<float, xt::layout_type::column_major> unknown = xt::empty_like(compiled);
        einsum_to<"ij,jk->ik">(known, lhs, rhs);
        einsum_to("ij,jk->ik", unknown, lhs, rhs);
        CHECK(known == unknown);
        const auto bound = reference::bound("ij,jk->ik", lhs, rhs);
        CHECK(xt::all(xt::abs(known - reference::einsum("ij,jk->ik", lhs, rhs)) <= bound));
    };
    check(xt::transpose(a), xt::transpose(b));
    check(xt::view(spread, xt::range(0, 24, 2), xt::range(0, 1000, 2)), xt::transpose(b));
    check(xt::view(xt::transpose(b), xt::range(7, 8)), b);
}

TEST_CASE("products of extents beyond 64 bits are refused, not wrapped") {
    const std::size_t big = std::size_t{1} << 22U;
    CHECK(code_of([&] {
              static_cast<void>(xeinsum::make_plan<float>("a,b,c->abc", {{big}, {big}, {big}}));
          }) == error_code::extent_overflow);
    CHECK(code_of([&] {
              static_cast<void>(xeinsum::make_plan<float>(
                  "ab,bc->ac", {{big, big}, {big, std::size_t{1} << 20U}}));
          }) == error_code::extent_overflow);
    // 2^44 terms that would wrap a 32-bit count, none of them computed.
    const auto plan = xeinsum::make_plan<float>("ab,bc->ac", {{big, big}, {big, 2}});
    CHECK(plan.flops() == 2.0 * static_cast<double>(big) * static_cast<double>(big) * 2.0);
}

TEST_CASE("extents beyond 63 bits are refused, not taken for negative ones") {
    using xeinsum::make_plan;
    constexpr std::size_t most = ~std::size_t{0};
    constexpr std::size_t large = std::size_t{1} << 40U;
    const auto refused = [](auto call, error_code code) {
        const auto e = support::error_of(call);
        CHECK(e.code() == code);
        return std::string(e.what());
    };
    const std::string text = refused(
        [] {
            static_cast<void>(make_plan<double>("ij->i", {{most, 3}}));
        },
        error_code::extent_overflow);
    CHECK(text.find("operand 0 has extent 18446744073709551615 on axis 0") != std::string::npos);
    refused(
        [] {
            static_cast<void>(make_plan<double>("ij,jk->ik", {{2, 3}, {3, (most >> 1U) + 1}}));
        },
        error_code::extent_overflow);
    // An operand of 2^80 elements, in a result of 2^40 or of one; one of none.
    refused(
        [] {
            static_cast<void>(make_plan<double>("ij->i", {{large, large}}));
        },
        error_code::extent_overflow);
    refused(
        [] {
            static_cast<void>(make_plan<double>("ij->", {{large, large}}));
        },
        error_code::extent_overflow);
    CHECK(make_plan<double>("ijk->j", {{large, 3, 0}}).output_extents()[0] == 3);
    CHECK(make_plan<double>("ijkl->j", {{large, 3, 0, large}}).output_extents()[0] == 3);
    // Layouts.
    refused(
        [] {
            static_cast<void>(xeinsum::make_plan_for<double>("ij->i", {{{2, -3}, {3, 1}}}));
        },
        error_code::extent_overflow);
    const std::string strides = refused(
        [] {
            static_cast<void>(
                xeinsum::make_plan_for<double>("i,ij->i", {{{2}, {1}}, {{2, 3}, {1}}}));
        },
        error_code::bad_layout);
    CHECK(strides.find("operand 1 has extents (2, 3) and strides (1)") != std::string::npos);
    // An array without elements.
    const auto empty = xt::xarray<float>::from_shape({(most >> 1U) + 1, 0});
    refused([&] { static_cast<void>(einsum("ij->j", empty)); }, error_code::extent_overflow);
    refused([&] { static_cast<void>(xeinsum::rearrange("a b -> b a", empty)); },
            error_code::extent_overflow);
    // Lengths of axes.
    const auto x = numbers({12});
    refused(
        [&] { static_cast<void>(xeinsum::rearrange("(a b) -> a b", x, xeinsum::axis("a", most))); },
        error_code::extent_overflow);
    refused([&] { static_cast<void>(xeinsum::repeat<"a -> a b">(x, xeinsum::axis<"b">(most))); },
            error_code::extent_overflow);
    refused([&] { static_cast<void>(xeinsum::repeat("a -> a b", x, xeinsum::axis("b", -2))); },
            error_code::bad_extent);
}

TEST_CASE("values that no option and no enumeration has are refused, and nothing is written") {
    const auto a = numbers({3, 4}), b = numbers({4, 5}), c = numbers({5, 2});
    constexpr auto optimal = xeinsum::path_strategy::optimal;
    const std::vector<options> wrong{
        {.lowering = static_cast<lowering>(77)},
        {.path = static_cast<xeinsum::path_strategy>(77)},
        {.notation = static_cast<xeinsum::notation>(77)},
        {.path = optimal, .path_cost = {std::numeric_limits<double>::quiet_NaN(), 0, 0}},
        {.path = optimal, .path_cost = {1, std::numeric_limits<double>::infinity(), 0}},
        {.path = optimal, .path_cost = {1, 0, 1e308}},
        {.path = optimal, .path_cost = {-1, 0, 0}},
        {.threads = 0},
    };
    xt::xarray<float> out = numbers({3, 2}, 9);
    const xt::xarray<float> before = out;
    for (const options& o : wrong) {
        CHECK(code_of([&] { einsum_to("ij,jk,kl->il", out, o, a, b, c); }) ==
              error_code::bad_option);
        CHECK(code_of([&] { static_cast<void>(einsum("ij,jk,kl->il", o, a, b, c)); }) ==
              error_code::bad_option);
        CHECK(code_of([&] {
                  static_cast<void>(
                      xeinsum::make_plan<float>("ij,jk,kl->il", {{3, 4}, {4, 5}, {5, 2}}, o));
              }) == error_code::bad_option);
    }
    const options& unknown = wrong.front();
    xt::xarray<float> sums = numbers({3}, 9);
    const xt::xarray<float> old = sums;
    CHECK(code_of([&] { einsum_to("ij->i", sums, unknown, a); }) == error_code::bad_option);
    xt::xtensor<float, 2> product = numbers({3, 5}, 9);
    const xt::xtensor<float, 2> untouched = product;
    const xt::xtensor<float, 2> lhs = a, rhs = b;
    CHECK(code_of([&] { einsum_to<"ij,jk->ik">(product, unknown, lhs, rhs); }) ==
          error_code::bad_option);
    CHECK(code_of([&] { static_cast<void>(einsum<"ij,jk->ik">(wrong[1], lhs, rhs)); }) ==
          error_code::bad_option);
    const auto none = numbers({3, 0});
    CHECK(code_of([&] { static_cast<void>(einsum("ij->i", unknown, none)); }) ==
          error_code::bad_option);
    const auto e = support::error_of([&] { einsum_to("ij,jk->ik", product, unknown, a, b); });
    CHECK(std::string(e.what()).find("lowering is 77") != std::string::npos);
    // Those that leave all else to the planner, in calls that need no plan.
    const options negative{.path_cost = {-1, 0, 0}};
    CHECK(code_of([&] { static_cast<void>(einsum("ij,ij,ij->ij", negative, a, a, a)); }) ==
          error_code::bad_option);
    const options no_threads{.threads = 0};
    for (const auto& small_or_tall : {numbers({3, 4}), numbers({300, 4})}) {
        CHECK(code_of([&] {
                  static_cast<void>(einsum("ij,jk->ik", no_threads, small_or_tall, b));
              }) == error_code::bad_option);
    }
    CHECK(code_of([&] { einsum_to<"ij,jk->ik">(product, no_threads, lhs, rhs); }) ==
          error_code::bad_option);
    CHECK(code_of([&] { einsum_to("ij->i", sums, no_threads, a); }) == error_code::bad_option);
    const xt::xtensor_fixed<float, xt::xshape<3, 4>> fixed_lhs = a;
    const xt::xtensor_fixed<float, xt::xshape<4, 5>> fixed_rhs = b;
    CHECK(code_of([&] { einsum_to<"ij,jk->ik">(product, no_threads, fixed_lhs, fixed_rhs); }) ==
          error_code::bad_option);
    const auto zero = support::error_of([&] { einsum_to("ij,jk->ik", product, no_threads, a, b); });
    CHECK(std::string(zero.what()).find(": threads is 0; the caller's thread alone is 1\n") !=
          std::string::npos);
    CHECK(code_of([&] {
              static_cast<void>(
                  xeinsum::reduce("i j -> i", static_cast<xeinsum::reduction>(77), a));
          }) == error_code::unknown_reduction);
    CHECK(code_of([&] {
              xeinsum::reduce_to("i j -> i", static_cast<xeinsum::reduction>(77), sums, a);
          }) == error_code::unknown_reduction);
    CHECK(out == before);
    CHECK(product == untouched);
    CHECK(sums == old);
}

TEST_CASE("floating sums are at least as good as their own precision allows") {
    double worst = 0;
    for (const auto* equation : {"ij,jk->ik", "ij->i", "ij->j", "ij,ij->"}) {
        const std::string text = equation;
        std::vector<xt::xarray<float>> operands;
        operands.reserve(2);
        operands.push_back(fractions({40, 700}, 5));
        if (text.find(',') != std::string::npos) {
            operands.push_back(text == "ij,ij->" ? fractions({40, 700}, 6)
                                                 : fractions({700, 30}, 6));
        }
        const auto ratio = reference::worst_ratio(einsum(equation, operands),
                                                  reference::einsum(equation, operands),
                                                  reference::bound(equation, operands));
        CHECK(ratio <= 1);
        worst = std::max(worst, static_cast<double>(ratio));
    }
    CHECK(worst > 0);  // the reference is computed in another way
}

TEST_CASE("the error of a long sum grows with the logarithm of its terms") {
    // Equal terms are the worst: all roundings of a plain sum point the same way.
    struct long_sum {
        const char* equation;
        std::vector<std::vector<std::size_t>>
            shapes;  ///< of arrays whose every other element is read
        lowering forced = lowering::automatic;
    };
    const std::size_t n = std::size_t{1} << 20U;
    const std::vector<long_sum> sums{
        {"i->", {{n}}},
        {"ij,ij->", {{n / 512, 512}, {n / 512, 512}}},
        {"ij->i", {{3, n}}},
        {"ij->j", {{n, 3}}},
        {"ij->j", {{n / 8, 24}}},
        {"ijk->j", {{n / 16, 5, 16}}},
        {"ijk->j", {{n / 4, 5, 4}}},
        {"bcw,bcw->bc", {{2, 3, n / 4}, {2, 3, n / 4}}, lowering::depthwise_convolution},
        {"bwc,bwc->bc", {{2, n / 4, 9}, {2, n / 4, 9}}, lowering::depthwise_convolution},
        {"cw,cwx->cx", {{3, n / 16}, {3, n / 16, 11}}, lowering::depthwise_convolution},
    };
    for (const long_sum& sum : sums) {
        for (const std::size_t apart : {1U, 2U}) {
            CAPTURE(sum.equation);
            CAPTURE(apart);
            const auto each = [apart](xt::xarray<float>& a) {
                const auto end = static_cast<std::ptrdiff_t>(a.shape().back());
                return xt::strided_view(
                    a, {xt::ellipsis(), xt::range(0, end, static_cast<std::ptrdiff_t>(apart))});
            };
            std::vector<xt::xarray<float>> memory;
            std::vector<decltype(each(memory[0]))> operands;
            std::size_t elements = 1;
            memory.reserve(2);
            for (const auto& shape : sum.shapes) {
                auto wide = shape;
                wide.back() *= apart;
                memory.push_back(xt::ones<float>(wide));
                operands.push_back(each(memory.back()));
                elements = std::max(elements, operands.back().size());
            }
            memory[0] *= 0.1F;
            const options wanted{.lowering = sum.forced};
            const auto result = operands.size() == 1
                                    ? einsum(sum.equation, wanted, operands[0])
                                    : einsum(sum.equation, wanted, operands[0], operands[1]);
            const auto terms = static_cast<double>(elements / result.size());
            const double exact = terms * static_cast<double>(0.1F);
            const double allowed = 2 * std::log2(terms) * std::ldexp(1.0, -24) * exact;
            for (const float r : result) {
                CHECK(std::abs(static_cast<double>(r) - exact) <= allowed);
            }
        }
    }
}

TEST_CASE("concurrent calls on distinct outputs are safe") {
    const auto a = numbers({60, 70}), b = numbers({70, 50}, 5);
    const auto expected = reference::einsum("ij,jk->ik", a, b);
    std::vector<int> right(4, 0);
    std::vector<std::thread> threads;
    for (int& count : right) {
        threads.emplace_back([&] {
            for (int i = 0; i < 20; ++i) {
                count += einsum("ij,jk->ik", a, b) == expected ? 1 : 0;
                count += einsum<"ij,jk->ik">(a, b) == expected ? 1 : 0;
            }
        });
    }
    for (auto& t : threads) {
        t.join();
    }
    CHECK(right == std::vector<int>(4, 40));
}
