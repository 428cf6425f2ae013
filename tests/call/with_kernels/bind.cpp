#include <xeinsum/call/with_kernels/bind.hpp>

#include "../../support/arrays.hpp"
#include "../../support/instances.hpp"
#include "../../support/shared_calls.hpp"

#include <xeinsum/plan.hpp>
#include <xeinsum/reference/einsum.hpp>

#include <doctest/doctest.h>

#include <complex>
#include <cstdint>
#include <type_traits>
#include <vector>

using support::numbers;
using xeinsum::make_plan;
using xeinsum::scale;
namespace reference = xeinsum::reference;

TEST_CASE_TEMPLATE("every kind of element is bound, packed and folded", T, double,
                   std::complex<float>, std::int32_t) {
    const auto a = numbers<T>({2, 40, 30}), b = numbers<T>({30, 50}, 4),
               c = numbers<T>({50, 45}, 9);
    // b alone; c alone; b and c, whose product comes first
    const auto expected = reference::einsum("bij,jk,kl->bil", a, b, c);
    const auto plan = make_plan<T>("bij,jk,kl->bil", {{2, 40, 30}, {30, 50}, {50, 45}});
    xt::xarray<T> out = xt::zeros<T>({2, 40, 45});
    const auto check = [&](const auto& bound, const auto&... operands) {
        auto memory = bound.make_workspace();
        bound.run(out, memory, operands...);
        CHECK(out == expected);
        bound.run(out, scale{T(1), T(1)}, memory, operands...);
        const xt::xarray<T> twice = expected + expected;
        CHECK(out == twice);
    };
    check(plan.bind(1, b), a, c);
    check(plan.bind(2, c), a, b);
    check(plan.bind(2, c).bind(1, b), a);
    check(plan.bind(0, a), b, c);
}

TEST_CASE("what is copied in another order is copied beforehand") {
    const auto a = numbers<float>({30, 20, 48, 7}), b = numbers<float>({10, 7, 48}, 3);
    const auto plan = make_plan<float>("deac,bca->deb", {{30, 20, 48, 7}, {10, 7, 48}});
    REQUIRE(plan.steps().size() == 2);
    CHECK(plan.path().size() == 1);
    const auto bound = plan.bind(1, b);
    CHECK(bound.steps().size() == 1);
    auto memory = bound.make_workspace();
    xt::xarray<float> out = xt::zeros<float>({30, 20, 10});
    bound.run(out, memory, a);
    CHECK(out == reference::einsum("deac,bca->deb", a, b));
}
