#include <xeinsum/xeinsum.hpp>

#include "support/shared_calls.hpp"

#include <doctest/doctest.h>

#include <sstream>

TEST_CASE("one include brings every public name") {
    const xt::xtensor<float, 2> a = {{1, 2}, {3, 4}};
    xt::xtensor<float, 2> out = xeinsum::einsum<"ij,jk->ik">(a, a);
    CHECK(out == xt::xtensor<float, 2>{{7, 10}, {15, 22}});
    xeinsum::einsum_to("ij,jk->ik", out, xeinsum::scale{1, -1}, a, a);
    CHECK(out == xt::xtensor<float, 2>{{0, 0}, {0, 0}});
    const xeinsum::plan<float> plan =
        xeinsum::make_plan<float>("ij->ji", {{2, 2}}, xeinsum::options{});
    auto memory = plan.make_workspace();
    plan.run(out, memory, a);
    CHECK(out(0, 1) == 3);
    CHECK(xeinsum::parse("ij,jk").classify(0, 1).contracted == "j");
    CHECK(xeinsum::reference::einsum("ij->", a)() == 10);
    CHECK(xeinsum::reference::bound("ij->", a)() > 0);
}
