#include <xeinsum/compiled.hpp>

#include <doctest/doctest.h>

// Another file has XEINSUM_INSTANTIATE(, float) and (, double), and budgets/compiled sees that this
// one has none of it.
TEST_CASE_TEMPLATE("calls that another file has compiled give what the reference gives", T, float,
                   double) {
    const xt::xtensor<T, 2> a = {{1, 2, 3}, {4, 5, 6}};
    const xt::xtensor<T, 2> b = {{1, 0, 2, 7}, {0, 1, 3, 8}, {5, 4, 0, 9}};
    const xt::xtensor<T, 2> ki = {{16, 34}, {14, 29}, {8, 23}, {50, 122}};
    CHECK(xeinsum::einsum<"ij,jk->ki">(a, b) == ki);
    CHECK(xeinsum::einsum("ij,jk->ki", a, b) == ki);
    const auto plan = xeinsum::make_plan<T>("ij,jk->ki", {{2, 3}, {3, 4}}).bind(1, b);
    auto memory = plan.make_workspace();
    xt::xtensor<T, 2> out = xt::zeros<T>({4, 2});
    plan.run(out, memory, a);
    CHECK(out == ki);
}
