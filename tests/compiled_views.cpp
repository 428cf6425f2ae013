#include <xeinsum/compiled_views.hpp>

#if defined(XTENSOR_VERSION_MAJOR) || defined(XTENSOR_TENSOR_HPP)
#error "<xeinsum/compiled_views.hpp> does without xtensor"
#endif

#include "support/allocations.hpp"
#include "support/error_of.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#if __has_include(<mdspan>)
#include <mdspan>
#endif

namespace {

using xeinsum::error_code;
using xeinsum::view;
using axes = std::vector<std::int64_t>;

/// Small integers, no two neighbours alike.
template <class T>
std::vector<T> numbers(std::size_t count, std::size_t first = 0) {
    std::vector<T> n;
    for (std::size_t i = 0; i < count; ++i) {
        n.push_back(static_cast<T>(static_cast<int>((first + 5 * i) % 17) - 8));
    }
    return n;
}

/// Element of a view of two axes.
template <class View>
auto& at(const View& v, std::size_t i, std::size_t j) {
    return v.data()[static_cast<std::int64_t>(i) * v.strides()[0] +
                    static_cast<std::int64_t>(j) * v.strides()[1]];
}

/// Whether out = alpha * a·b + beta * before, by definition.
template <class A, class B, class Out, class T>
bool is_product(const A& a, const B& b, const Out& out, const std::vector<T>& before, int alpha,
                int beta) {
    const std::ptrdiff_t rows = a.extents()[0];
    const std::ptrdiff_t columns = b.extents()[1];
    bool right = true;
    for (std::size_t i = 0; i < static_cast<std::size_t>(rows); ++i) {
        for (std::size_t k = 0; k < static_cast<std::size_t>(columns); ++k) {
            T sum{};
            for (std::size_t j = 0; j < static_cast<std::size_t>(a.extents()[1]); ++j) {
                sum += static_cast<T>(at(a, i, j)) * static_cast<T>(at(b, j, k));
            }
            const T old = before[i * static_cast<std::size_t>(columns) + k];
            right = right && at(out, i, k) == T(alpha) * sum + T(beta) * old;
        }
    }
    return right;
}

}  // namespace

TEST_CASE_TEMPLATE("views of a known and of an unknown rank", T, float, std::complex<double>,
                   std::int32_t) {
    for (const auto& [rows, inner, columns] :
         {std::array<std::int64_t, 3>{2, 3, 4}, {19, 40, 33}, {1, 7, 5}, {80, 3, 50}}) {
        const auto a = numbers<T>(static_cast<std::size_t>(rows * inner));
        const auto b = numbers<T>(static_cast<std::size_t>(inner * columns), 3);
        std::vector<T> c(static_cast<std::size_t>(rows * columns), T(7));
        const std::vector<T> before(c.size(), T(7));
        const view lhs{a.data(), {rows, inner}};
        const view rhs{b.data(), {inner, columns}, {columns, std::int64_t{1}}};
        const view out{c.data(), std::array{rows, columns}};
        static_assert(std::is_same_v<decltype(lhs), const view<const T, 2>>);
        xeinsum::einsum_to<"ij,jk->ik">(out, lhs, rhs);
        CHECK(is_product(lhs, rhs, out, before, 1, 0));

        const axes lhs_extents{rows, inner};
        const axes lhs_strides{inner, 1};
        const axes out_extents{rows, columns};
        const axes out_strides{columns, 1};
        const view dynamic{a.data(), lhs_extents, lhs_strides};
        const view<T> dynamic_out{c.data(), out_extents, out_strides};
        static_assert(std::is_same_v<decltype(dynamic), const view<const T>>);
        c = before;
        xeinsum::einsum_to<"ij,jk->ik">(dynamic_out, xeinsum::scale{2, -1}, dynamic, rhs);
        CHECK(is_product(lhs, rhs, out, before, 2, -1));
        c = before;
        xeinsum::einsum_to("ij,jk->ik", dynamic_out, xeinsum::scale{2, -1}, dynamic, rhs);
        CHECK(is_product(lhs, rhs, out, before, 2, -1));
    }
}

TEST_CASE("a view writes whether it is a variable, a constant or just made") {
    const auto a = numbers<float>(6);
    std::vector<float> c(3, 1);
    const auto sums = [&] {
        return c == std::vector<float>{a[0] + a[3], a[1] + a[4], a[2] + a[5]};
    };
    xeinsum::einsum_to<"ij->j">(view{c.data(), {3}}, view{a.data(), {2, 3}});
    CHECK(sums());
    c.assign(3, 1);
    view variable{c.data(), {3}};
    xeinsum::einsum_to<"ij->j">(variable, view{a.data(), {2, 3}});
    CHECK(sums());
    float total = 0;
    xeinsum::einsum_to<"ij->">(view{&total}, view{a.data(), {2, 3}});
    CHECK(total == c[0] + c[1] + c[2]);
    static_assert(xeinsum::array::writable_as<const view<float, 1>, float>);
    static_assert(!xeinsum::array::writable_as<view<const float, 1>, float>);
    static_assert(xeinsum::array::readable_as<view<const float>, float>);
}

TEST_CASE("strides of any kind, and what lies between elements stays") {
    const std::int64_t rows = 5;
    const std::int64_t inner = 6;
    const std::int64_t columns = 7;
    const auto a = numbers<double>(5 * 6);
    const auto b = numbers<double>(7, 2);
    std::vector<double> c(5 * 7 * 3, 0.5);
    // Columns one after the other, rows backwards; every row the same; rows and columns spaced.
    const view lhs{a.data() + rows - 1, {rows, inner}, {std::int64_t{-1}, rows}};
    const view rhs{b.data(), {inner, columns}, {0, 1}};
    const view out{c.data(), {rows, columns}, {3 * columns, std::int64_t{3}}};
    xeinsum::einsum_to<"ij,jk->ik">(out, lhs, rhs);
    CHECK(is_product(lhs, rhs, out, std::vector<double>(35), 1, 0));
    for (std::size_t i = 0; i < c.size(); ++i) {
        CHECK((i % 3 == 0 || c[i] == 0.5));
    }
    // The diagonal of one, into the last row of the other.
    const auto square = numbers<double>(16, 1);
    xeinsum::einsum_to("ii->i", view{c.data() + 84, {4}}, view{square.data(), {4, 4}});
    CHECK(std::vector<double>(c.begin() + 84, c.begin() + 88) ==
          std::vector<double>{square[0], square[5], square[10], square[15]});
}

TEST_CASE("an output that shares memory with an operand") {
    auto a = numbers<float>(9);
    const auto before = a;
    xeinsum::einsum_to<"ij,jk->ik">(view{a.data(), {3, 3}}, view{a.data(), {3, 3}},
                                    view{a.data(), {3, 3}, {1, 3}});
    const view old{before.data(), {3, 3}};
    const view turned{before.data(), {3, 3}, {1, 3}};
    CHECK(is_product(old, turned, view{a.data(), {3, 3}}, before, 1, 0));
}

TEST_CASE("elements of other types are converted") {
    const auto a = numbers<float>(6);
    const auto b = numbers<double>(12, 4);
    const view lhs{a.data(), {2, 3}};
    const view rhs{b.data() + 11, {3, 4}, {-4, -1}};
    std::vector<double> wide(8, 9);
    xeinsum::einsum_to<"ij,jk->ik">(view{wide.data(), {2, 4}}, lhs, rhs);
    CHECK(is_product(lhs, rhs, view{wide.data(), {2, 4}}, std::vector<double>(8), 1, 0));
    std::vector<float> narrow(24, 3);
    const view spaced{narrow.data(), {2, 4}, {12, 3}};
    xeinsum::einsum_to("ij,jk->ik", spaced, xeinsum::scale{1, 2}, lhs, rhs);
    CHECK(is_product(lhs, rhs, spaced, std::vector<float>(8, 3), 1, 2));
    CHECK(narrow[1] == 3);
    std::vector<std::complex<float>> complex(4);
    xeinsum::einsum_to<"ij,->j">(view{complex.data(), {3}}, lhs, std::complex<float>(0, 2));
    CHECK(complex[1] == std::complex<float>(0, 2 * (a[1] + a[4])));
    std::vector<double> nothing(1, 5);
    xeinsum::einsum_to<"ij,jk->ik">(view{nothing.data(), {0, 4}}, view{a.data(), {0, 3}}, rhs);
    CHECK(nothing[0] == 5);
}

TEST_CASE("plans, caches, lists, groups and patterns") {
    const auto a = numbers<float>(6);
    const auto b = numbers<float>(12, 7);
    std::vector<float> c(8, 1);
    const view lhs{a.data(), {2, 3}};
    const view rhs{b.data(), {3, 4}};
    const view out{c.data(), {2, 4}};
    const auto right = [&] {
        const bool is = is_product(lhs, rhs, out, std::vector<float>(8), 1, 0);
        c.assign(8, 1);
        return is;
    };
    const auto plan = xeinsum::make_plan_for<float>("ij,jk->ik", {layout_of(lhs), layout_of(rhs)});
    auto memory = plan.make_workspace();
    plan.run(out, memory, lhs, rhs);
    CHECK(right());
    plan.bind(0, lhs).run(out, memory, rhs);
    CHECK(right());
    xeinsum::plan_cache<float> cache;
    einsum_to(cache, "ij,jk->ik", out, lhs, rhs);
    CHECK(right());

    const axes extents[]{{2, 3}, {3, 4}};
    const axes strides[]{{3, 1}, {4, 1}};
    const std::vector<view<const float>> list{{a.data(), extents[0], strides[0]},
                                              {b.data(), extents[1], strides[1]}};
    xeinsum::einsum_to("ij,jk->ik", out, list);
    CHECK(right());
    plan.run(out, memory, list);
    CHECK(right());

    xeinsum::einsum_to<"i j, j (k l) -> i (k l)">(out, lhs, rhs, xeinsum::axis<"l">(2));
    CHECK(right());
    xeinsum::rearrange_to<"i j -> j i">(view{c.data(), {3, 2}}, lhs);
    CHECK(c == std::vector<float>{a[0], a[3], a[1], a[4], a[2], a[5], 1, 1});
    xeinsum::reduce_to("i j -> i", "max", view{c.data() + 6, {2}}, lhs);
    CHECK(c[6] == std::max({a[0], a[1], a[2]}));
    xeinsum::repeat_to<"i -> i 2">(view{c.data(), {3, 2}}, view{a.data(), {3}});
    CHECK(c[3] == a[1]);
}

TEST_CASE("a run on views of any rank allocates nothing") {
    const axes extents{1, 2, 1, 1, 1, 1, 1, 1, 1, 3};
    const axes strides{6, 3, 3, 3, 3, 3, 3, 3, 3, 1};
    const auto a = numbers<float>(6);
    const auto b = numbers<float>(3, 4);
    std::vector<float> c(2);
    const view lhs{a.data(), extents, strides};
    const auto plan =
        xeinsum::make_plan_for<float>("abcdefghij,j->b", {layout_of(lhs), {{3}, {1}}});
    auto memory = plan.make_workspace();
    const std::size_t before = support::allocations();
    plan.run(view{c.data(), {2}}, memory, lhs, view{b.data(), {3}});
    const std::size_t of_run = support::allocations() - before;
    CHECK(of_run == 0);
    CHECK(c[1] == a[3] * b[0] + a[4] * b[1] + a[5] * b[2]);
    c[0] = 0;
    const std::size_t before_call = support::allocations();
    xeinsum::einsum_to<"ij,j->i">(view{c.data(), {2}}, view{a.data(), {2, 3}}, view{b.data(), {3}});
    const std::size_t of_call = support::allocations() - before_call;
    CHECK(of_call == 0);
    CHECK(c[0] == a[0] * b[0] + a[1] * b[1] + a[2] * b[2]);
}

TEST_CASE("layouts that are none are refused, and nothing is written") {
    const auto a = numbers<float>(6);
    const auto b = numbers<float>(12, 7);
    std::vector<float> c(8, 1);
    const view lhs{a.data(), {2, 3}};
    const view rhs{b.data(), {3, 4}};
    const view out{c.data(), {2, 4}};
    constexpr std::int64_t far = std::int64_t{1} << 61U;
    const axes two{3, 4};
    struct wrong {
        view<const float> operand;
        error_code code;
        std::string says;
    };
    const axes negative{3, -4};
    const axes lies{4, 1};
    const axes apart{far, 1};
    const axes least{std::numeric_limits<std::int64_t>::min(), 1};
    const axes one{1};
    for (const wrong& w : {
             wrong{{b.data(), negative, lies},
                   error_code::extent_overflow,
                   "operand 1 has extent -4 on axis 1"},
             wrong{{b.data(), two, apart},
                   error_code::layout_overflow,
                   "operand 1 has extents (3, 4) and strides (2305843009213693952, 1)"},
             wrong{{b.data(), two, least}, error_code::layout_overflow, "operand 1"},
             wrong{{b.data(), two, one},
                   error_code::bad_layout,
                   "operand 1 has extents (3, 4) and strides (1)"},
         }) {
        CAPTURE(w.says);
        const auto check = [&](auto call, std::size_t column) {
            const xeinsum::einsum_error e = support::error_of(call);
            CHECK(e.code() == w.code);
            CHECK(std::string(e.what()).find(w.says) != std::string::npos);
            CHECK(e.column() == (w.operand.extents()[1] < 0 ? column + 1 : column));
        };
        check([&] { xeinsum::einsum_to<"ij,jk->ik">(out, lhs, w.operand); }, 4);
        check([&] { xeinsum::einsum_to("ij,jk->ik", out, lhs, w.operand); }, 4);
        check(
            [&] {
                static_cast<void>(xeinsum::make_plan_for<float>(
                    "ij,jk->ik", {layout_of(lhs), layout_of(w.operand)}));
            },
            4);
        // As elements of another type.
        std::vector<double> wide(8, 1);
        check(
            [&] {
                xeinsum::einsum_to<"ij,jk->ik">(view{wide.data(), {2, 4}}, lhs, w.operand);
            },
            4);
        CHECK(wide == std::vector<double>(8, 1));
        CHECK(support::code_of([&] {
                  xeinsum::einsum_to<"i j, j k -> i k">(out, lhs, w.operand, xeinsum::axis<"i">(2));
              }) == w.code);
    }
    const auto plan = xeinsum::make_plan<float>("ij,jk->ik", {{2, 3}, {3, 4}});
    auto memory = plan.make_workspace();
    const view<const float> far_apart{b.data(), two, apart};
    CHECK(support::code_of([&] { plan.run(out, memory, lhs, far_apart); }) ==
          error_code::layout_overflow);
    CHECK(support::code_of([&] { static_cast<void>(plan.bind(1, far_apart)); }) ==
          error_code::layout_overflow);
    const axes result{2, 4};
    const axes just_too_far{2 * far - 3, 1};
    for (const axes* strides : {&just_too_far, &least, &one}) {
        const view<float> nowhere{c.data(), result, *strides};
        const error_code code =
            strides == &one ? error_code::bad_layout : error_code::layout_overflow;
        CHECK(support::code_of([&] { xeinsum::einsum_to<"ij,jk->ik">(nowhere, lhs, rhs); }) ==
              code);
        CHECK(support::code_of([&] { plan.run(nowhere, memory, lhs, rhs); }) == code);
        CHECK(support::code_of([&] {
                  xeinsum::rearrange_to<"i j -> j i">(nowhere, view{b.data(), {4, 2}});
              }) == code);
    }
    // An extent of the result along which nothing moves names one element twice, however long.
    CHECK(support::code_of([&] {
              xeinsum::einsum_to<"i->i">(view{c.data(), {2 * far + 1}, {0}},
                                         view{a.data(), {2 * far + 1}, {0}});
          }) == error_code::output_overlaps_itself);
    CHECK(support::code_of([&] {
              xeinsum::einsum_to<"ij,jk->ik">(view{c.data(), {4, 2}}, lhs, rhs);
          }) == error_code::output_shape);
    CHECK(c == std::vector<float>(8, 1));
}

#if defined(__cpp_lib_mdspan)
TEST_CASE("std::mdspan") {
    const auto a = numbers<float>(6);
    const auto b = numbers<float>(24, 7);
    std::vector<float> c(8, 1);
    const std::mdspan<const float, std::extents<int, 2, std::dynamic_extent>> lhs(a.data(), 3);
    const std::mdspan<const float, std::dextents<std::size_t, 2>, std::layout_stride> rhs(
        b.data(), {std::dextents<std::size_t, 2>(3, 4), std::array<std::size_t, 2>{2, 6}});
    const std::mdspan<float, std::dextents<int, 2>, std::layout_left> out(c.data(), 2, 4);
    xeinsum::einsum_to<"ij,jk->ik">(out, lhs, rhs);
    const view expected{c.data(), {2, 4}, {1, 2}};
    CHECK(is_product(view{a.data(), {2, 3}}, view{b.data(), {3, 4}, {2, 6}}, expected,
                     std::vector<float>(8), 1, 0));
    xeinsum::einsum_to("ij->", std::mdspan<float, std::extents<int>>(c.data()), lhs);
    CHECK(c[0] == a[0] + a[1] + a[2] + a[3] + a[4] + a[5]);
}
#endif
