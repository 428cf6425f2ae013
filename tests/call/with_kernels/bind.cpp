#include <xeinsum/call/with_kernels/bind.hpp>

#include "../../support/arrays.hpp"
#include "../../support/element_checks.hpp"
#include "../../support/shared_calls.hpp"

#include <xeinsum/plan.hpp>
#include <xeinsum/reference/einsum.hpp>

#include <doctest/doctest.h>

#include <complex>
#include <cstdint>

using support::numbers;
using xeinsum::make_plan;
namespace reference = xeinsum::reference;

TEST_CASE_TEMPLATE("every kind of element is bound, packed and folded", T, double,
                   std::complex<float>, std::int32_t) {
    support::check_bound_plans<T>();
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
