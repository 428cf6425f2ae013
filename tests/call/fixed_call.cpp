#include <xeinsum/call/fixed_call.hpp>

#include "../support/instances.hpp"
#include "../support/plain.hpp"
#include "../support/shared_kernels.hpp"
#include "../support/shared_planner.hpp"

#include <xeinsum/call/check.hpp>
#include <xeinsum/einsum.hpp>
#include <xeinsum/reference/einsum.hpp>

#include <doctest/doctest.h>

#include <complex>
#include <cstddef>

namespace {

using support::plain;
using xeinsum::lowering;

template <class T, std::size_t... X>
using fixed = xt::xtensor_fixed<T, xt::xshape<X...>>;
template <class T, std::size_t... X>
using column_major = xt::xtensor_fixed<T, xt::xshape<X...>, xt::layout_type::column_major>;

template <class Array>
Array numbers(std::size_t first) {
    Array a;
    for (std::size_t n = 0; n < a.size(); ++n) {
        a.data()[n] = support::small_number<typename Array::value_type>(first + n);
    }
    return a;
}

template <xeinsum::fixed_string Equation, class... Operands>
constexpr const auto& network =
    xeinsum::detail::static_network<Equation, xeinsum::notation::letters, Operands...>;

/// The plan that the compiler makes for a call.
template <xeinsum::fixed_string Equation, class Out, class... Operands>
using plan_of =
    xeinsum::detail::fixed_plan<network<Equation, Operands...>, typename Out::value_type,
                                support::native_arch, xeinsum::array::fixed_layout<Out>,
                                xeinsum::array::fixed_layout<Operands>...>;

/// Whether the compiler runs a call; checks its results if it does. Small integers: sums are exact
/// in any order.
template <xeinsum::fixed_string Equation, class Out, class... Operands>
bool is_planned() {
    using T = typename Out::value_type;
    const auto check = [](const auto&... operands) {
        auto out = numbers<Out>(80);
        const xt::xarray<T> before = plain(out);
        const bool runs =
            xeinsum::detail::run_fixed<network<Equation, Operands...>, T, support::native_arch>(
                out, xeinsum::scale{2, 3}, {}, operands...);
        const xt::xarray<T> product =
            xeinsum::reference::einsum(Equation.view(), plain(operands)...);
        const xt::xarray<T> expected = T(2) * product + T(3) * before;
        CHECK(plain(out) == (runs ? expected : before));
        xeinsum::einsum_to<Equation>(out, operands...);
        CHECK(plain(out) == product);
        CHECK(plain(xeinsum::einsum<Equation>(operands...)) == product);
        return runs;
    };
    std::size_t first = 1;
    const auto next = [&first] { return first += 17; };
    return check(numbers<Operands>(next())...);
}

}  // namespace

TEST_CASE("the compiler plans small steps") {
    using square = fixed<float, 4, 4>;
    using product = plan_of<"ij,jk->ik", square, square, square>;
    static_assert(product::is_obvious);
    static_assert(product::step.how.chosen ==
                  (xeinsum::kernel::simd<float, support::native_arch>::lanes > 1
                       ? lowering::gemm
                       : lowering::broadcast_multiply_reduce));
    static_assert(product::step.modes == 3);
    using trace = plan_of<"ii->", fixed<float>, square>;
    static_assert(trace::is_obvious);
    static_assert(trace::step.how.chosen == lowering::broadcast_multiply_reduce);
    static_assert(trace::step.modes == 1);
    CHECK(product::is_obvious);
}

TEST_CASE("the compiler plans large steps, and how much memory they take") {
    using product =
        plan_of<"ij,jk->ik", fixed<float, 150, 70>, fixed<float, 150, 301>, fixed<float, 301, 70>>;
    static_assert(!product::is_obvious);
    static_assert(product::data.error.ok());
    static_assert(product::data.steps.size() == 1);
    static_assert(product::data.steps[0].how.chosen == lowering::gemm);
    static_assert(product::data.workspace_bytes >= product::data.steps[0].how.scratch_bytes);
    // j is in one operand alone: summed first.
    using sum =
        plan_of<"ij,ik->ik", fixed<float, 50, 60>, fixed<float, 50, 70>, fixed<float, 50, 60>>;
    static_assert(!sum::is_obvious);
    static_assert(sum::data.steps[0].kind == xeinsum::step_kind::presum);
    CHECK(product::data.steps.size() == 1);
}

TEST_CASE("calls on arrays whose types tell their extents") {
    CHECK(is_planned<"ij,jk->ik", fixed<float, 4, 6>, fixed<float, 4, 5>, fixed<float, 5, 6>>());
    CHECK(is_planned<"ij,jk->ki", fixed<float, 6, 4>, fixed<float, 4, 5>, fixed<float, 5, 6>>());
    CHECK(is_planned<"bij,bjk->bik", fixed<float, 3, 4, 6>, fixed<float, 3, 4, 5>,
                     fixed<float, 3, 5, 6>>());
    CHECK(is_planned<"ij,j->i", fixed<float, 4>, fixed<float, 4, 5>, fixed<float, 5>>());
    CHECK(is_planned<"ijk->kij", fixed<float, 5, 3, 4>, fixed<float, 3, 4, 5>>());
    CHECK(is_planned<"ij->ji", fixed<float, 40, 50>, fixed<float, 50, 40>>());
    CHECK(is_planned<"ij->j", fixed<float, 40>, fixed<float, 30, 40>>());
    CHECK(is_planned<"iij->ji", fixed<float, 5, 3>, fixed<float, 3, 3, 5>>());
    CHECK(is_planned<"i,ij,j->ij", fixed<float, 4, 5>, fixed<float, 4>, fixed<float, 4, 5>,
                     fixed<float, 5>>());
    CHECK(is_planned<"ij,jk->ik", fixed<float, 30, 50>, fixed<float, 30, 300>,
                     fixed<float, 300, 50>>());
    CHECK(is_planned<"ij,ik->ik", fixed<float, 50, 60>, fixed<float, 50, 70>,
                     fixed<float, 50, 60>>());
}

TEST_CASE("outputs without axes") {
    const auto a = numbers<fixed<float, 4, 5>>(1);
    const auto b = numbers<fixed<float, 4, 5>>(40);
    fixed<float> sum;
    sum() = 7;
    xeinsum::einsum_to<"ij,ij->">(sum, xeinsum::scale{2, 3}, a, b);
    CHECK(sum() == 2 * xt::sum(a * b)() + 21);
    const auto c = numbers<fixed<float, 300>>(3);
    const auto d = numbers<fixed<float, 300>>(70);
    xeinsum::einsum_to<"i,i->">(sum, c, d);
    CHECK(sum() == xt::sum(c * d)());
}

TEST_CASE("extents of 1, complex elements and column-major arrays") {
    CHECK(is_planned<"ij,jk->ik", fixed<float, 4, 1>, fixed<float, 4, 5>, fixed<float, 5, 1>>());
    CHECK(is_planned<"...i,...i->...", fixed<float, 3, 2>, fixed<float, 3, 2, 4>,
                     fixed<float, 1, 4>>());
    using c = std::complex<double>;
    CHECK(is_planned<"ij,jk->ik", fixed<c, 4, 6>, fixed<c, 4, 5>, fixed<c, 5, 6>>());
    CHECK(is_planned<"ij,jk->ik", fixed<float, 4, 6>, column_major<float, 4, 5>,
                     fixed<float, 5, 6>>());
    CHECK(is_planned<"ij,jk->ik", column_major<float, 4, 6>, fixed<float, 4, 5>,
                     column_major<float, 5, 6>>());
}

TEST_CASE("what the compiler does not plan is right all the same") {
    CHECK_FALSE(is_planned<"ij,jk->ik", fixed<float, 4, 6>,
                           xt::xtensor_fixed<float, xt::xshape<4, 0>>, fixed<float, 0, 6>>());
}

TEST_CASE("an operand that is the output, a forced lowering and an output of another shape") {
    auto a = numbers<fixed<float, 4, 4>>(1);
    const auto b = numbers<fixed<float, 4, 4>>(9);
    const xt::xarray<float> expected = xeinsum::reference::einsum("ij,jk->ik", a, b);
    xeinsum::einsum_to<"ij,jk->ik">(a, a, b);
    CHECK(a == expected);
    const auto c = numbers<fixed<float, 3, 4>>(5);
    auto product = numbers<fixed<float, 3, 4>>(2);
    xeinsum::einsum_to<"ij,jk->ik">(product, xeinsum::options{.lowering = lowering::gemm}, c, b);
    CHECK(product == xeinsum::reference::einsum("ij,jk->ik", c, b));
    auto wrong = numbers<fixed<float, 4, 3>>(2);
    const auto before = wrong;
    // Of operands whose extents are known this does not compile.
    const xt::xtensor<float, 2> open_c = c;
    const xt::xtensor<float, 2> open_b = b;
    CHECK_THROWS_AS((xeinsum::einsum_to<"ij,jk->ik">(wrong, open_c, open_b)),
                    xeinsum::einsum_error);
    CHECK(wrong == before);
}

TEST_CASE("the same bits as extents known at run time") {
    const fixed<float, 7, 11> a = numbers<fixed<float, 7, 11>>(1) / 3.0F;
    const fixed<float, 11, 13> b = numbers<fixed<float, 11, 13>>(40) / 7.0F;
    fixed<float, 7, 13> compiled;
    xeinsum::einsum_to<"ij,jk->ik">(compiled, a, b);
    const xt::xtensor<float, 2> ra = a;
    const xt::xtensor<float, 2> rb = b;
    CHECK(compiled == xeinsum::einsum<"ij,jk->ik">(ra, rb));

    // More terms than a sum one by one has, and fewer than vectors are worth in a large nest.
    const fixed<float, 100> c = numbers<fixed<float, 100>>(5) / 3.0F;
    const fixed<float, 100> d = numbers<fixed<float, 100>>(60) / 7.0F;
    fixed<float> dot;
    xeinsum::einsum_to<"i,i->">(dot, c, d);
    const xt::xtensor<float, 1> rc = c;
    const xt::xtensor<float, 1> rd = d;
    CHECK(dot() == xeinsum::einsum<"i,i->">(rc, rd)());
    fixed<float> trace;
    const auto cube = numbers<fixed<float, 9, 9, 20>>(4);
    xeinsum::einsum_to<"iij->">(trace, cube);
    CHECK(trace() == xeinsum::reference::einsum("iij->", cube)());
}
